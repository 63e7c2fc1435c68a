"""The map of Sugar Dog, of what somebody sees and of a position with nothing hidden: which piece is
in which cell, and what is said around it: a line about each side, the title, the goal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from games import picture, shapes
from games.chart import Chart, Piece, Sign
from games.game import Brief, Deductions, Player, Setup, Table, View
from games.grid import Cell, lane
from games.news import addressed, counted, joined
from games.screen import Sideline, ago
from games.sugar_dog.deduced import NO_MIND, Heard, Mind
from games.sugar_dog.notation import read_view
from games.sugar_dog.state import MINES, Fleet, State

ARROWS = {"N": "^", "E": ">", "S": "v", "W": "<"}
_WAYS = " ".join(ARROWS.values())
WIDE, NARROW, WIDEST = 3, 2, 15
"""The width of a cell in text, also on boards of so many columns."""
MANY = 8
"""So many others are not named in a title."""


class Trace(NamedTuple):
    """A cell in which another player was heard: a `contact` or a `ping`, or an `echo` of theirs;
    how many turns ago, and the cells of its run, if that is known."""

    player: Player
    at: Cell
    kind: str
    age: int | None = None
    way: tuple[Cell, ...] = ()


def chart(view: View, known: Deductions | None = None) -> Chart:
    """`S` own submarine, `^ > v <` own torpedo, `m` own mine, `h` the last contact of another
    player; of more than one other, their number.

    The public map has a contact for every player, and nothing else. With what the seat heard: `P`
    where somebody was who pinged (`2!` with a number), and `e` for every echo of the last ping (or
    their number).
    """
    seen, mind = read_view(view), (known and known.memory) or NO_MIND
    drawn = _chart(seen, mind, traces(seen, mind))
    return drawn if seen.begun or known else drawn._replace(signs=())


def chart_whole(state: State) -> Chart:
    """Every fleet; with a player's number behind each mark."""
    drawn = _chart(state, NO_MIND, ())
    return drawn if state.begun else drawn._replace(signs=())


def _chart(seen: State, mind: Mind, heard: Sequence[Trace]) -> Chart:
    """The map of the fleets that are not hidden and of what was heard."""
    fleets = {name: fleet for name, fleet in seen.fleets.items() if not fleet.hidden}
    whose = f"{seen.player}'s map" if seen.player else "what everybody knows"
    return Chart(
        f"Sugar Dog: {'the sea as it was' if fleets and not seen.player else whose}",
        seen.board,
        tuple(_pieces(seen, fleets, heard)),
        signs=tuple(_signs(seen, fleets, heard)),
        notes=tuple(_notes(seen, mind)),
        wide=NARROW if seen.board.columns >= WIDEST else WIDE,
        ways=tuple(trace.way for trace in heard if trace.way[1:]),
    )


def traces(seen: State, mind: Mind) -> tuple[Trace, ...]:
    """Where others were heard last and the echoes of the last ping, as the seat's reports told,
    unless all that was there is destroyed; what they did not tell, as the view has it. Pings come
    first, then contacts."""
    found: list[Trace] = []
    for player in [name for name in seen.setup.players if name != seen.player]:
        last = heard_last(seen, mind, player)
        if last is None:
            found += [Trace(player, at, "contact") for at in [seen.contacts.get(player)] if at]
        elif last.kind != "echo" and not last.gone:
            kind = "ping" if last.kind == "ping" else "contact"
            found.append(Trace(player, last.cells[0], kind, seen.n - last.n, last.way))
    found.sort(key=lambda trace: trace.kind != "ping")
    for player, echoes in mind.echoes.items():
        known_at = {trace.at for trace in found if trace.player == player}
        age = seen.n - echoes.n
        told = (at for at in echoes.cells if at not in known_at and at not in echoes.gone)
        found += [Trace(player, at, "echo", age) for at in told]
    return tuple(found)


def heard_last(seen: State, mind: Mind, player: Player) -> Heard | None:
    """How the seat heard a player last; None if the view's contact is not that, because a report is
    not there. Of who pinged the view has no contact."""
    last, echoes = mind.last.get(player), mind.echoes.get(player)
    if last is None:
        return None
    told = (*last.cells, *(echoes.cells if echoes and echoes.n == last.n else ()))
    return last if last.kind == "ping" or seen.contacts.get(player) in told else None


# Pieces.


def _pieces(seen: State, fleets: Mapping[Player, Fleet], heard: Sequence[Trace]) -> Iterator[Piece]:
    """All pieces: submarines, torpedoes and mines of each fleet, then what was heard.

    A torpedo's name is its heading and its lane, so it keeps its name as it runs. Two sides are
    told from each other by their shapes, more by numbers.
    """
    several = len(fleets) > 1
    for player, fleet in fleets.items():
        side, seat = _side(seen, player), _seat(seen, player) if several else ""
        of = f"{player}-" if several else ""
        number = seat if len(fleets) > 2 else ""
        if fleet.sub:
            shape = shapes.submarine(number, foe=side == "foe")
            title, name = f"{player}'s submarine", f"{of}submarine"
            yield Piece(
                fleet.sub, f"S{seat}", side, shape, title, name, "hidden", about="submarine"
            )
        for torpedo in fleet.torpedoes:
            cell, way = torpedo.cell, torpedo.heading
            title, shape = f"{player}'s torpedo, heading {way}", shapes.torpedo(way, number)
            name = f"{of}torpedo-{way}-{lane(cell, way)}"
            yield Piece(cell, f"{ARROWS[way]}{seat}", side, shape, title, name, about="torpedo")
        for cell in fleet.mines:
            title, name = f"{player}'s mine", f"{of}mine-{cell}"
            yield Piece(cell, f"m{seat}", side, shapes.mine(number), title, name, about="mine")
    for trace in heard:
        player, at, kind, age, _ = trace
        seat, title = _seat(seen, player), _TITLES[kind].format(player)
        mark = _MARKS[kind] if _alone(seen) else f"{seat}{'!' * (kind == 'ping')}"
        # Two players can have the same colour here, and names that are cut to the same label.
        shape = shapes.contact(player, seat if len(seen.setup.players) > len(picture.SIDES) else "")
        name = f"echo-{player}-{at}" if kind == "echo" else f"{kind}-{player}"
        yield Piece(at, mark, _side(seen, player), shape, title, name, kind, age, kind)


_TITLES = {
    "contact": "last contact of {}",
    "ping": "{} pinged from here",
    "echo": "echo of {}'s at the last ping",
}
_MARKS = {"contact": "h", "ping": "P", "echo": "e"}


def _side(seen: State, player: Player) -> str:
    return picture.side_of(seen.setup.players, seen.player, player)


def _seat(seen: State, player: Player) -> str:
    return str(seen.setup.players.index(player) + 1)


def _alone(seen: State) -> bool:
    """Whether a mark needs no number, because only one other plays."""
    return seen.player is not None and len(seen.setup.players) == 2


def _signs(seen: State, fleets: Mapping[Player, Fleet], heard: Sequence[Trace]) -> Iterator[Sign]:
    if len(fleets) > 1:
        for player in fleets:
            seat, side = _seat(seen, player), _side(seen, player)
            number = seat if len(fleets) > 2 else ""
            yield Sign(player, seat, side, shapes.submarine(number, foe=side == "foe"))
    if seen.player or len(fleets) > 1:
        your, side = ("your ", "own") if seen.player else ("", "sixth")
        yield Sign(f"{your}submarine", "S", side, shapes.submarine())
        yield Sign(f"{your}torpedo", _WAYS, side, shapes.torpedo("N"))
        yield Sign(f"{your}mine", "m", side, shapes.mine())
    if len(fleets) > 1:
        return
    contact = shapes.contact("")
    kinds = list(dict.fromkeys(trace.kind for trace in heard))
    if _alone(seen):
        (other,) = [name for name in seen.setup.players if name != seen.player]
        meant = {
            "contact": f"where {other} was last heard",
            "ping": f"where {other} pinged",
            "echo": "echo of the last ping",
        }
        for kind in kinds if seen.begun else _MARKS:
            yield Sign(meant[kind], _MARKS[kind], "foe", contact)
    elif heard or not seen.begun:
        marks = " ".join(dict.fromkeys(_seat(seen, trace.player) for trace in heard)) or "1 2"
        who = "who was last heard there, or answered the last ping"
        words = who if seen.player else "where that player was last heard"
        yield Sign(words, marks, "foe", contact)
        if "ping" in kinds:
            yield Sign("pinged from there", "!", "foe", contact)


# What is said of each side.


def known_of(seen: State, mind: Mind, player: Player) -> Iterator[str]:
    """What is known of a player: a fleet that is not hidden, or how they were heard last; and what
    everybody knows."""
    fleet, at = seen.fleets.get(player), seen.contacts.get(player)
    last = heard_last(seen, mind, player)
    if fleet and not fleet.sub:
        yield "sunk"
    if fleet and not fleet.hidden:
        if fleet.sub:
            yield f"submarine in {fleet.sub}"
        yield from (f"torpedo {torpedo}" for torpedo in fleet.torpedoes)
        if fleet.mines:
            yield f"mine{'s' * (len(fleet.mines) > 1)} in {' '.join(map(str, fleet.mines))}"
        if at:
            yield f"{'they ' * (player == seen.player)}heard {at}"
    elif fleet and fleet.sub:
        yield _heard(last, seen.n) if last else f"heard {at}" if at else "never heard"
    if player in seen.offers:
        yield "offers a draw"
    if player in seen.misses:
        yield f"deadlines missed {seen.misses[player]}"


def _heard(last: Heard, n: int) -> str:
    """A submarine pings from its own cell, and it always answers a ping: so one echo is it."""
    cells, when = _listed(last.cells), ago(n - last.n)
    if last.kind == "contact":
        return f"heard {cells}, {when}{'; what was there is destroyed' * bool(last.gone)}"
    if last.kind == "ping":
        return f"pinged from {cells}, {when}"
    others = len(last.cells) - 1
    if not others:
        return f"echo from {cells}, {when}: the submarine"
    more = "a mine or torpedo" if others == 1 else f"{others} mines or torpedoes"
    return f"{others + 1} echoes from {cells}, {when}: the submarine and {more}"


def _listed(cells: Iterable[Cell]) -> str:
    """Cells side by side, each with how many things are in it, if that is more than one."""
    return " ".join(counted(map(str, cells)))


def _left(fleet: Fleet | None) -> str:
    """The mines that a fleet has left, if that is known."""
    known = fleet is not None and fleet.sub and not fleet.hidden
    return f"{fleet.left} mine{'s' * (fleet.left != 1)} left" if fleet and known else ""


def _quiet(seen: State) -> str:
    most = seen.setup.options["quiet"]
    return f"quiet turns {seen.quiet} of {most}" if most else ""


def sides(view: View, known: Deductions) -> Mapping[Player, Sideline]:
    """`Game.sides`."""
    seen, mind = read_view(view), known.memory or NO_MIND
    return {
        name: Sideline("; ".join(known_of(seen, mind, name)), _left(fleet) or _quiet(seen))
        for name, fleet in seen.fleets.items()
    }


def why(view: View, events: Sequence[Table], missing: Collection[Player] = ()) -> str:
    """`Game.why`. Who entered the cell of an impact and is afloat had fired into it."""
    seen, hit = read_view(view), False
    by, at, lost, own = "", "", list[Player](), "a mine or torpedo"
    for event in events:
        match event["kind"]:
            case "contact":
                by, at, lost = event["by"], event["at"], []
            case "impact":
                hit = True
            case "sunk":
                lost.append(event["player"])
            case "lost":
                own = f"your {event['what']}"
    if len(seen.survivors) > 1:
        if any(event.get("how") == "quiet" for event in events):
            return f"Nothing was struck or pinged in {seen.setup.options['quiet']} turns."
        both = "Both" if len(seen.fleets) == 2 else "All who were left"
        return f"{both} offered a draw."
    others = {f"other{number}": name for number, name in enumerate(lost) if name != by}
    those = joined(f"{{{key}}}" for key in others)
    if not hit:
        said = f"{those} {'missed the deadline' if {*lost} & {*missing} else 'resigned'}."
    elif by not in lost:
        said = f"{{by's}} torpedo hit {those} in {at}."
    elif others:
        said = f"{{by}} and {those} were lost together in {at}."
    else:
        said = f"{{by's}} submarine met {own} in {at}."
    return addressed(view.player, said, by=by, **others)


def _notes(seen: State, mind: Mind) -> Iterator[str]:
    """Whose turn it is, and a line about each player."""
    if not seen.begun:
        yield "Everybody picks a cell to start from."
        return
    turn = f"Turn {seen.n}: {seen.turn or 'the game is over'}."
    yield f"{turn} {_quiet(seen).capitalize()}." if _quiet(seen) else turn
    for player, fleet in seen.fleets.items():
        number = "" if _alone(seen) else f"{_seat(seen, player)} "
        told = [*known_of(seen, mind, player), *filter(None, [_left(fleet)])]
        yield f"{number}{player}: {', '.join(told)}."


# The screen of a player.


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    return (
        "Goal: be the last submarine afloat. Nobody sees the others; you hear the cells that they "
        "run through. One order a turn."
    )


def about(setup: Setup) -> Mapping[str, str]:
    """`Game.about`."""
    quiet, misses = setup.options["quiet"], setup.options["misses"]
    resigns = setup.options["missed"] == "resign"
    deadline = "A missed deadline is played as silent, and everybody is told."
    deadline += f" The last of {misses} in a row resigns." * resigns
    return {
        "start": "The cell where your submarine begins, such as start C4. Any cell will do, and "
        "nobody else is told which.",
        "silent": "Stay where you are, or creep to a cell next to yours (silent C5). The others "
        "hear nothing, and whatever is in that cell, nothing happens.",
        "cruise": "Run through one cell or two (cruise C5 C6). The others hear a contact in each. "
        "If anything is there, even a mine of your own, it is destroyed, and you with it.",
        "ping": "Active sonar. The others hear which cell you are in. Everybody hears an echo from "
        "each submarine, mine and torpedo of theirs, and each mine and torpedo of yours: where it "
        "is and whose, but not which of the three.",
        "fire": "A torpedo north, east, south or west (fire N). It runs two cells now, and two "
        "more as each of your turns begins. The others hear a contact in each cell.",
        "mine": f"Leave one of your {MINES} mines in your cell; the others hear nothing. What runs "
        "into it is destroyed with it; who creeps, passes.",
        "draw": "Offer a draw, on a line of its own beside your command (silent; draw). The offer "
        "stands until your next turn. Once all who are left offer one, the game is drawn.",
        "resign": "Sink your own submarine. No other line goes with it.",
        "submarine": "Each of you has one, and nobody sees another's. Who loses it is out; the "
        "last one afloat wins.",
        "torpedo": "It runs straight ahead, two cells as each of its owner's turns begins, until "
        "it meets something, which is destroyed with it, or leaves the map.",
        "heard": _HEARD,
        "contact": _HEARD,
        "echo": "Something of theirs was in that cell when somebody pinged: the submarine, a mine "
        "or a torpedo. Two echoes are two things.",
        "impact": "Something ran into something there, and all in that cell is destroyed. That a "
        "submarine is lost, everybody is told; of mines and torpedoes only their owners.",
        "sunk": "Their submarine is lost. Their mines stay, and their torpedoes run on.",
        "unheard": "The others are told that you had your turn, and nothing else.",
        "turn": "The turns of all players are counted together.",
        "deadlines": "Who misses a deadline resigns." if resigns and misses == 1 else deadline,
        "quiet": f"{quiet} turns in a row without an impact and a ping are a draw."
        if quiet
        else "Of a quiet turn the others hear nothing but that it was played.",
    }


_HEARD = (
    "Something of theirs ran into that cell: the submarine or a torpedo, which sound the same. It "
    "may be long gone."
)


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`."""
    seen = read_view(view)
    if not seen.begun:
        others = [name for name in seen.setup.players if name != seen.player]
        named = ", ".join(others) if len(others) < MANY else f"{len(others)} others"
        return Brief(f"Sugar Dog: you are {seen.player}, against {named}.")
    asks = f"{seen.turn} is to move." if seen.turn else "the game is over."
    asks = f"your move, {seen.player}." if seen.turn and seen.turn == seen.player else asks
    return Brief(f"Sugar Dog, turn {seen.n}: {asks}", tuple(_beside(seen, known.memory or NO_MIND)))


def _beside(seen: State, mind: Mind) -> Iterator[str]:
    """Oneself first, then the others as one heard them; of many, those of whom there is nothing to
    tell in one line."""
    players, many = seen.setup.players, len(seen.setup.players) > 2
    width = max(3, *map(len, players))
    few: dict[str, list[str]] = {"sunk": [], "never heard": []}
    for player in sorted(players, key=lambda name: name != seen.player):
        own = player == seen.player
        number = f"{_seat(seen, player):>{len(str(len(players)))}} " if many else ""
        told = [*known_of(seen, mind, player), *filter(None, [_left(seen.fleets[player])])]
        if many and not own and told[0] in few and not told[1:]:
            few[told[0]].append(f"{_seat(seen, player)} {player}")
        else:
            yield f"{number}{'you' if own else player:<{width}}  {', '.join(told)}"
    yield from (f"{word}: {', '.join(names)}" for word, names in few.items() if names)
    for player, one in list(mind.echoes.items())[:1]:
        if many:
            yield f"echoes of turn {one.n} are on the map"
        elif mind.last[player].kind != "echo":
            yield f"echoes of turn {one.n}: {_listed(one.cells)}"
    if _quiet(seen):
        yield _quiet(seen)
