"""What stands beside a map that is touched: what happened in sentences, and a line about each
side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games import shapes
from games.acts import joined
from games.beside import Said, Sideline, Tale
from games.game import Deductions, Player, Table, View
from games.grid import HEADINGS, Heading, read_cell
from games.sugar_dog import events as tell
from games.sugar_dog.deduced import NO_MIND, Mind
from games.sugar_dog.screen import other
from games.sugar_dog.view import Sight, read_view

LESSONS = (
    "Pick a cell to start from, a cell or two from the edge. Nobody is told which.",
    "Each turn has one order. Creep and Mine are unheard; Run, Fire and Ping are heard. Creep "
    "while nobody knows where you are.",
    "Their noises are rings on the sea; the hatching is where they can still be. Get into their "
    "row or column, and fire: a torpedo goes on by itself, two cells in each of your turns.",
)


def told(view: View, events: Sequence[Table]) -> tuple[Said, ...]:
    """`Game.told`. What one's own submarine sounded like to others, and whose turn it was, is left
    out."""
    you, tale = view.player, Tale()
    for event in events:
        kind, by = event["kind"], event.get("by")
        at = event.get("at", "")
        own = by is not None and by == you
        match kind:
            case "turn":
                continue
            case "contact" | "clear" if own:
                continue
            case "torpedo" | "moved":
                _ran(tale, kind, at or event["to"])
            case "torpedo-lost":
                _left(tale, event["from"])
            case "contact":
                _heard(tale, str(by), at)
            case "clear" if tale.last[:1] == ("contact",):
                last = tale.said[-1]
                tale.more(last._replace(text=f"{last.text[:-1]}, and no further."))
            case "ping":
                who = "You ping" if own else f"{by} pings"
                tale.add(Said(f"{who} from {at}.", (at,), "sonar", "ping"))
            case "echo":
                _echoed(tale, "yours" if event["of"] == you else f"{event['of']}'s", at)
            case "impact":
                tale.add(Said(tell.news(event), (at,), "burst", "burst"))
            case "sunk":
                whose = "Your" if event["player"] == you else f"{event['player']}'s"
                tale.add(Said(f"{whose} submarine is lost.", (), "down"))
            case "laid":
                tale.add(Said(tell.news(event), (at,), "mine"))
            case _:
                tale.add(Said(tell.news(event), (at,) if at else ()))
    return tuple(tale.said)


def _ran(tale: Tale, kind: str, at: str) -> None:
    """One's own torpedo or submarine went on into a cell."""
    way: tuple[str, ...] = (at,)
    if tale.last[:1] == (kind,) and _next_to(tale.said[-1].cells[-1], at):
        way = (*tale.said.pop().cells, at)
    who, sign, shape = "You go", "step", shapes.submarine()
    if kind == "torpedo":
        who, sign, shape = "Your torpedo runs", "torpedo", shapes.torpedo(_heading(way))
    tale.add(Said(f"{who} to {', then '.join(way)}.", way, sign, "run", shape), kind)


def _left(tale: Tale, last: str) -> None:
    """One's own torpedo left the map."""
    if tale.last[:1] == ("torpedo",) and tale.said[-1].cells[-1] == last:
        ran = tale.said[-1]
        tale.more(ran._replace(text=f"{ran.text[:-1]}, and leaves the map."))
    else:
        text = f"Your torpedo leaves the map from {last}."
        tale.add(Said(text, (last,), "torpedo"))


def _heard(tale: Tale, by: str, at: str) -> None:
    """Contacts of one player in cells that touch are one run."""
    way: tuple[str, ...] = (at,)
    if tale.last == ("contact", by) and _next_to(tale.said[-1].cells[-1], at):
        way = (*tale.said.pop().cells, at)
    text = f"Contact in {', then '.join(way)}, by {by}."
    tale.add(Said(text, way, "contact", "run" if way[1:] else ""), "contact", by)


def _echoed(tale: Tale, whose: str, at: str) -> None:
    cells: tuple[str, ...] = (at,)
    if tale.last == ("echo", whose):
        cells = (*tale.said.pop().cells, at)
    head = "Echoes" if cells[1:] else "Echo"
    tale.add(Said(f"{head} of {whose}: {joined(cells)}.", cells, "echo"), "echo", whose)


def _next_to(one: str, another: str) -> bool:
    first, second = read_cell(one), read_cell(another)
    return first is not None and second is not None and first.distance(second) == 1


def _heading(way: Sequence[str]) -> Heading:
    """The way in which something runs that enters these cells."""
    first, last = read_cell(way[0]), read_cell(way[-1])
    for heading in HEADINGS:
        if first is not None and first.step(heading) == last:
            return heading
    return "N"


def sides(view: View, known: Deductions) -> Mapping[Player, Sideline]:
    """`Game.sides`."""
    sight = read_view(view)
    mind = known.memory if isinstance(known.memory, Mind) else NO_MIND
    return {name: _side(sight, mind, name) for name in sight.setup.players} if sight.begun else {}


def _side(sight: Sight, mind: Mind, player: Player) -> Sideline:
    most = sight.setup.options["quiet"]
    quiet = f"quiet turns {sight.quiet} of {most}" if most else ""
    if player != sight.player or sight.own is None:
        return Sideline("; ".join(other(sight, mind, player)), quiet)
    left = sight.own.left
    return Sideline("; ".join(_own(sight)), f"{left} mine{'s' * (left != 1)} left")


def _own(sight: Sight) -> Iterator[str]:
    player, fleet = str(sight.player), sight.own
    if fleet is None or fleet.sub is None:
        yield "sunk"
        return
    yield f"submarine in {fleet.sub}"
    if player in sight.contacts:
        yield f"they heard {sight.contacts[player]}"
