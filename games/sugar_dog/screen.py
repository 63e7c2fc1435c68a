"""What a player's screen says around the map: the goal, the title and the notes, the lines that may
be written, and the news of a turn in short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.game import Brief, Choice, Deductions, Player, Setup, Table, View
from games.grid import Cell
from games.screen import Paragraph, ago
from games.sugar_dog import events as tell
from games.sugar_dog import moves
from games.sugar_dog.deduced import NO_MIND, Mind
from games.sugar_dog.draw import heard_last
from games.sugar_dog.view import Sight, read_view

NARROW = 60
"""Fewer columns get shorter words."""
MANY = 8
"""So many others are not named in a title."""


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    return (
        "Goal: be the last submarine afloat. Nobody sees the others; you hear the cells that they "
        "run through. One order a turn."
    )


# The title and the notes.


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`."""
    sight = read_view(view)
    return Brief(_title(sight), tuple(_notes(sight, known)) if sight.begun else ())


def _title(sight: Sight) -> str:
    if not sight.begun:
        others = [name for name in sight.setup.players if name != sight.player]
        named = ", ".join(others) if len(others) < MANY else f"{len(others)} others"
        return f"Sugar Dog: you are {sight.player}, against {named}."
    if sight.turn is None:
        return f"Sugar Dog, turn {sight.n}: the game is over."
    if sight.turn == sight.player:
        return f"Sugar Dog, turn {sight.n}: your move, {sight.player}."
    return f"Sugar Dog, turn {sight.n}: {sight.turn} is to move."


def _notes(sight: Sight, known: Deductions) -> Iterator[str]:
    """Oneself first, then the others as one heard them."""
    mind = known.memory if isinstance(known.memory, Mind) else NO_MIND
    players = sight.setup.players
    width = max(3, *map(len, players))
    many = len(players) > 2
    gone = [name for name in players if name in sight.sunk and name != sight.player and many]
    unheard = [
        name
        for name in players
        if many and not {name} & {sight.player, *gone, *sight.contacts, *sight.offers}
    ]
    for player in sorted(players, key=lambda name: name != sight.player):
        if player in gone or player in unheard:
            continue
        number = f"{players.index(player) + 1:>{len(str(len(players)))}} " if many else ""
        own = player == sight.player
        said = list(_own(sight) if own else other(sight, mind, player))
        head = f"{number}{'you' if own else player:<{width}}  "
        yield head + said[0]
        yield from (" " * len(head) + more for more in said[1:])
    for word, names in (("sunk", gone), ("never heard", unheard)):
        if names:
            yield f"{word}: {', '.join(f'{players.index(name) + 1} {name}' for name in names)}"
    echoes = {at: None for one in mind.echoes.values() for at in one.cells}
    if echoes:
        n = max(one.n for one in mind.echoes.values())
        cells = " ".join(map(str, echoes))
        yield f"echoes of turn {n} are on the map" if many else f"echoes of turn {n}: {cells}"
    if most := sight.setup.options["quiet"]:
        yield f"quiet turns {sight.quiet} of {most}"


def _own(sight: Sight) -> Iterator[str]:
    fleet = sight.own
    if fleet is None:
        return
    yield f"S {fleet.sub}, mines left {fleet.left}" if fleet.sub else "sunk"
    if fleet.torpedoes:
        yield f"torpedo {', '.join(f'{one.cell}{one.heading}' for one in fleet.torpedoes)}"
    if fleet.mines:
        yield f"mine {' '.join(map(str, fleet.mines))}"
    yield from _public(sight, str(sight.player))
    at = sight.contacts.get(str(sight.player))
    if at and fleet.sub:
        yield f"they heard {at}"


def other(sight: Sight, mind: Mind, player: Player) -> Iterator[str]:
    """How a player was heard last; that they are sunk, and what else everybody knows."""
    at, last = sight.contacts.get(player), heard_last(sight, mind, player)
    if player in sight.sunk:
        yield "sunk"
    elif at is None:
        yield "never heard"
    elif last is None:
        yield f"heard {at}"
    else:
        yield _heard(last.kind, last.cells, sight.n - last.n)
    yield from _public(sight, player)


def _heard(kind: str, cells: Sequence[Cell], turns: int) -> str:
    """A submarine pings from its own cell, and it always answers a ping: so one echo is it."""
    if kind == "contact":
        return f"heard {cells[0]}, {ago(turns)}"
    if kind == "echo" and len(cells) > 1:
        return f"one of {' '.join(map(str, cells))}, {ago(turns)} (echo)"
    return f"at {cells[0]}, {ago(turns)} ({kind})"


def _public(sight: Sight, player: Player) -> Iterator[str]:
    if player in sight.offers:
        yield "offers a draw"
    if player in sight.misses:
        yield f"deadlines missed {sight.misses[player]}"


# What may be written.


def menu(view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
    """`Game.menu`."""
    offered = _by_word(moves.after(view, lines).choices)
    if "start" in offered:
        last = read_view(view).board.last
        return (f"start CELL          all pick a cell at once: A1 to {last}",)
    if not offered:
        return ()
    if "silent" not in offered:
        return ("draw                offer a draw, with your command",)
    near = " ".join(cell for choice in offered["silent"] for cell in choice.cells)
    left = next((_left(view) for _ in offered.get("mine", ())), 0)
    if columns < NARROW:
        few = ["mine"] if left else []
        return (
            f"silent [{near}]",
            f"cruise 1-2 cells: {near}",
            "   ".join(["fire N E S W", "ping", *few, *_rare(offered)]),
        )
    mine = f"mine  unheard, {left} left" if left else "no mine is left"
    return (
        f"silent [CELL]       stay, or creep to {near}; unheard",
        f"cruise CELL [CELL]  run one or two cells, heard; first {near}",
        f"fire N E S W        torpedo, 2 cells a turn, heard    {mine}",
        f"ping                hear all of them, be heard        {'  '.join(_rare(offered))}",
    )


def _by_word(choices: Sequence[Choice]) -> Mapping[str, list[Choice]]:
    found: dict[str, list[Choice]] = {}
    for choice in choices:
        found.setdefault(choice.text.partition(" ")[0], []).append(choice)
    return found


def _rare(offered: Mapping[str, Sequence[Choice]]) -> list[str]:
    return [word for word in ("draw", "resign") if word in offered]


def _left(view: View) -> int:
    own = read_view(view).own
    return 0 if own is None else own.left


# News in short.


def gist(view: View, events: Sequence[Table]) -> str:
    """`Game.gist`: `11 alice: contact C4, C5; ping from C1`. What one's own submarine did by plan,
    and heard of itself, is left out; a turn in which nothing was heard too."""
    said, player = Paragraph(), view.player
    head, last = "", ""
    for event in events:
        kind = event["kind"]
        if kind == "turn":
            head = f"{event['n']} {'you' if event['player'] == player else event['player']}: "
        elif kind == "impact":
            said.add(f"IMPACT {event['at']}!")
        elif kind == "echo":
            said.add("echo", f"{event['at']} ({'you' if event['of'] == player else event['of']})")
        elif kind == "contact" and event["by"] != player:
            other = "" if head.endswith(f" {event['by']}: ") else f" by {event['by']}"
            said.add(f"contact{other}", event["at"])
        elif kind == "clear" and event["by"] != player:
            said.add("no further contacts")
        elif kind == "ping":
            said.add(f"ping from {event['at']}")
        elif kind == "torpedo":
            said.add("your torpedo to", event["at"])
        elif kind == "torpedo-lost":
            said.add(f"your torpedo left the sea at {event['from']}")
        elif kind == "lost":
            said.add(f"your {event['what']} in {event['at']} is gone")
        elif kind == "sunk":
            said.add(
                "YOUR SUBMARINE IS LOST"
                if event["player"] == player
                else f"{event['player']}'s submarine is lost"
            )
        elif kind not in ("moved", "laid", "contact", "clear"):
            last = f"{last} {tell.news(event)}"
    text = said.text()
    return f"{head}{text}{last}".strip() if text or last else ""
