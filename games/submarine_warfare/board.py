"""The map of Submarine Warfare, of what somebody sees and of a position with nothing hidden: which
piece is in which cell, and what is said around it: a line about each side, the title, the goal,
what may be written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from games import shapes
from games.chart import Chart, Ground, Piece, Sign
from games.game import Brief, Choice, Deductions, Player, Setup, Table, View
from games.grid import Cell
from games.news import addressed
from games.screen import GAP, Sideline
from games.submarine_warfare.deduced import NO_MIND, Foe, Mind
from games.submarine_warfare.notation import read_view
from games.submarine_warfare.orders import ALONE, DEFAULTS, IDLE, after
from games.submarine_warfare.state import (
    ANNOUNCED,
    AP,
    BOARD,
    ENOUGH,
    HP,
    RINGS,
    SCORES,
    State,
    Sub,
    depth,
    home_row,
    letters,
)
from games.submarine_warfare.table import PASSIVE, specials

NOTHING = Deductions()
_SCORING = {1: "one", 2: "two", 4: "four"}
WIDE = 4
"""The width of a cell in text."""


def chart(view: View, known: Deductions = NOTHING) -> Chart:
    """The map, then one's own submarines, the enemy's, and the score.

    A surfaced submarine is a capital letter, a submerged one of one's own a small one. `*` is a
    mine of one's own, a digit what a cell scores; `#`: the cell is destroyed. With what the seat
    worked out: `d?` where a submerged enemy was last seen.
    """
    return _chart(read_view(view), known.memory or NO_MIND)


def chart_whole(state: State) -> Chart:
    """Both sides with everything that they have."""
    return _chart(state._replace(ap=state.start_ap(state.turn) if state.turn else None), NO_MIND)


def _chart(seen: State, mind: Mind) -> Chart:
    whose = f"{seen.player}'s map" if seen.player else "what everybody knows"
    return Chart(
        f"Submarine Warfare: {'the sea as it was' if seen.whole else whose}",
        BOARD,
        tuple(_pieces(seen, mind)),
        _grounds(seen.rings),
        tuple(_signs(seen, mind)) if seen.begun else (),
        tuple(_notes(seen, mind)),
        wide=WIDE,
    )


def _grounds(rings: int) -> dict[Cell, Ground]:
    """The score of cells, and destroyed cells."""
    grounds = {}
    for cell in BOARD.cells():
        points, gone = SCORES.get(cell), depth(cell) < rings
        titles = [f"scores {points}"] if points else []
        titles += ["destroyed"] if gone else []
        if titles:
            kind = "gone" if gone else _SCORING[points or 1]
            mark = (str(points) if points else "") + "#" * gone
            grounds[cell] = Ground(kind, mark, ", ".join(titles), "#" * gone)
    return grounds


# Pieces.


def _letter(sub: Sub) -> str:
    return sub.letter.upper() if sub.up else sub.letter


def _shape(sub: Sub) -> str:
    return f"{sub.hp} HP, {'surfaced' if sub.up else 'submerged'}, {sub.special}"


def _pieces(seen: State, mind: Mind) -> Iterator[Piece]:
    """Every visible submarine, the mines of sides that are not hidden, and where those that are out
    of sight were seen last. One's own side is blue; to everybody, the first-listed player's."""
    for name, side in seen.sides.items():
        colour = "own" if name == (seen.player or seen.setup.players[0]) else "foe"
        for sub in seen.fleet(name):
            known = "" if side.hidden else f": {_shape(sub)}"
            lives = 0 if side.hidden else sub.hp
            shape = shapes.submarine(_letter(sub), sub.up, colour == "foe", lives)
            title = f"{name}'s {sub.letter}{known}"
            token = "open" if sub.up else "hidden"
            about = sub.special or "submarine"
            of = f"sub-{sub.letter}"
            yield Piece(sub.at, _letter(sub), colour, shape, title, of, token, about=about)
        for at in side.mines:
            title = f"{name}'s mine"
            yield Piece(at, "*", colour, shapes.mine(), title, f"mine-{at}", about="mine")
    for letter, at, round_ in _lost(mind):
        title = f"{letter} was last seen here, in round {round_}"
        shape = shapes.submarine(letter, False, True)
        yield Piece(at, f"{letter}?", "foe", shape, title, f"sub-{letter}")


def _lost(mind: Mind) -> list[tuple[str, Cell, int]]:
    """Enemies out of sight that were seen before: letter, cell, round."""
    foes = mind.foes.items() if mind.turn else ()
    return [(letter, *foe.seen) for letter, foe in foes if foe.seen and not foe.up]


def _signs(seen: State, mind: Mind) -> Iterator[Sign]:
    whose = ("yours", "theirs") if seen.player else seen.setup.players
    for side, owner in zip(("own", "foe"), whose, strict=True):
        yield Sign(owner, "", side, shapes.submarine("A", foe=side == "foe"))
    yield Sign("surfaced", "A", "sixth", shapes.submarine("A"))
    if seen.player or seen.whole:
        yield Sign("submerged", "a", "sixth", shapes.submarine("a", up=False))
        yield Sign("mine", "*", "sixth", shapes.mine())
    yield Sign("points a turn, twice if surfaced", "1 2 4", ground="two")
    if seen.rings:
        yield Sign("destroyed: 1 HP a turn", "#", ground="gone")
    if _lost(mind):
        yield Sign("last seen there", "d?", "foe", shapes.submarine("d", False, True))


# What is said of each side.


def known_of(seen: State, mind: Mind, name: Player) -> Iterator[str]:
    """What is known of a side, but for its points; of one that is hidden a few words on each
    submarine: its cell or where it was seen last, and its HP if it was hit."""
    side = seen.sides[name]
    if not side.hidden:
        yield f"home row {side.row}"
    elif not seen.afloat(name):
        yield "no submarine left"
    else:
        for letter, sub in seen.afloat(name).items():
            foe = mind.foes.get(letter, Foe())
            place = f"{letter} was in {foe.seen[0]} in round {foe.seen[1]}" if foe.seen else letter
            low, high = foe.hp
            life = f"{low} HP" if low == high < HP else f"{low} to {high} HP" if high < HP else ""
            life = f" ({life})" if life else ""
            yield f"{_letter(sub)} {sub.at}{life}" if sub else f"{place}{life}"
    if side.draw:
        yield "offers a draw"


def _points(seen: State, mind: Mind, name: Player) -> str:
    """What is known of a side's points; "" if nothing is."""
    side, (low, high) = seen.sides[name], mind.points
    reached = name in seen.reached
    if not side.hidden:
        return f"{side.points} points of {ENOUGH}{f', {ANNOUNCED} announced' * reached}"
    if reached:
        return f"{ANNOUNCED} points or more"
    many = str(low) if low == high else f"{low} to {high}"
    return f"{many} points" if mind.turn and high < ENOUGH - 1 else ""


def sides(view: View, known: Deductions) -> Mapping[Player, Sideline]:
    """`Game.sides`."""
    seen, mind = read_view(view), known.memory or NO_MIND
    return {
        name: Sideline(", ".join(known_of(seen, mind, name)), _points(seen, mind, name))
        for name in seen.sides
    }


_WHY: Mapping[str, str] = {
    "eliminated": "{loser's} last submarine was destroyed.",
    "fifty": "{winner} reached {points} points.",
    "none-left": "No submarine was left, and {winner} had more points.",
    "resigned": "{loser} resigned.",
    "missed": "{loser} missed the setup.",
    "time": "{loser} missed the deadline.",
    "agreed": "Both offered a draw.",
    "rounds": "The last round was over, and {winner} had more points.",
}
_TIED = {
    "none-left": "No submarine was left, points were equal, and then the organiser wins.",
    "rounds": "The last round was over, points were equal, and then the organiser wins.",
}
"""SW-15: why a game ended, by how it did; and where nobody has more points."""


def why(view: View, events: Sequence[Table], missing: Collection[Player] = ()) -> str:
    """`Game.why`: with a side's points, if they are known."""
    seen = read_view(view)
    ((winner, how),) = [
        (event.get("winner", ""), event["how"]) for event in events if event["kind"] == "over"
    ]
    if winner not in seen.sides:
        return _TIED.get(how, _WHY[how])
    loser, said = seen.other(winner), _WHY[how]
    known = {name: side.points for name, side in seen.sides.items() if not side.hidden}
    if how == "fifty" and loser in known:
        said = f"{said[:-1]}, and {{loser}} had {known[loser]}."
    said = said.replace("{points}", str(known.get(winner, ENOUGH)))
    return addressed(view.player, said, winner=winner, loser=loser)


def _lines(seen: State, mind: Mind, own: str) -> Iterator[str]:
    """One's own side, called `own`, a line a submarine; then the other's."""
    for name in sorted(seen.sides, key=lambda name: name != seen.player):
        side = seen.sides[name]
        told = [_points(seen, mind, name), *known_of(seen, mind, name)]
        yield f"{own if name == seen.player else name}: {', '.join(filter(None, told))}"
        if side.hidden:
            continue
        for sub in seen.fleet(name):
            yield f"{_letter(sub)} {sub.at}: {_shape(sub)}"
        if side.sunk:
            yield f"sunk: {', '.join(f'{one.letter} ({one.special})' for one in side.sunk)}"
        if side.mines:
            yield f"mines (*): {' '.join(map(str, side.mines))}"
        if side.nullified:
            yield f"nullified: {', '.join(side.nullified)}"


def _notes(seen: State, mind: Mind) -> Iterator[str]:
    """Whose turn it is, and what is known of each side."""
    if not seen.begun:
        yield "Everybody places five submarines in the home row, each with a special."
        for name in seen.setup.players:
            yield f"{name}: home row {home_row(seen.setup, name)}."
        return
    ap = "" if seen.ap is None else f", {seen.ap} AP"
    to_move = f"{seen.turn} to move{ap}" if seen.turn else "the game is over"
    rings = f", {seen.rings} of {RINGS} rings destroyed" if seen.rings else ""
    yield f"Round {seen.round}: {to_move}{rings}."
    for line in _lines(seen, mind, str(seen.player)):
        yield f"{line}."


# The screen of a player.


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    return (
        f"Goal: {ENOUGH} points, or sink all five. On cells 1 2 4 a submarine scores at the end of "
        "your turn, twice if surfaced; but only surfaced ones are seen."
    )


def about(setup: Setup) -> Mapping[str, str]:
    """`Game.about`: of the specials that this game's table has."""
    table, first = specials(setup), setup.options["first_ap"]
    opens = f" ({first} in the first of the game)" if first != AP else ""
    told = {
        "start": f"A line for each of your submarines: its cell in your home row, and a special "
        f"that no other of yours has ({letters(setup, setup.players[0])[0]} B1 torpedo).",
        "special": f"What one submarine can do besides, known to its owner alone: "
        f"{', '.join(table)}. Ask for one by its name.",
        "AP": f"Action points, for all your submarines together: {AP} a turn{opens}, and what a "
        "reactor gives. A number in brackets is what an order costs. What is left is lost.",
        "HP": f"The damage that a submarine can still take. It begins with {HP}, and never has "
        "more.",
        "move": "One cell north, east, south or west (move N), for 1 AP. Into the cell of another "
        "submarine, friend or foe, it is a collision.",
        "collision": "Both surface. The mover takes 1 damage, stays where it was and does nothing "
        "more in this turn; the other takes 2 damage and is pushed on by one cell.",
        "surface": "Come back into sight, for nothing: a surfaced submarine scores twice, and both "
        "of you see where it is and what it does.",
        "submerge": "Go out of sight, for 1 AP. Both of you see it submerge; from then on only its "
        "owner sees where it is and what it does.",
        "replace": "Take another special in place of its own (replace heal), for 2 AP: one that "
        "none of yours has, sunk ones included. The other side is not told which.",
        "stop": "The end of your turn, which need not be written. AP that are left are lost.",
        "draw": "Offer a draw, which stands until your next turn, or take the one that is offered.",
        "resign": "Lose at once.",
        "submarine": "Five a side. Each has a letter, a capital one while it is surfaced.",
        "surfaced": "A capital letter: both of you see where it is, and all that it does.",
        "submerged": "A small letter: only its owner sees where it is, and all that it does.",
        "points": f"As your turn ends, each of your submarines on a cell 1, 2 or 4 scores so much, "
        f"twice if it is surfaced; {ENOUGH} win. Only you know yours.",
        "announced": f"Of points only that somebody has {ANNOUNCED} of them: everybody is told.",
        "home": "Your submarines begin in your home row.",
        "round": "A turn of each player.",
        "rings": "Every tenth round a ring of cells is destroyed (#), from the edge inwards: a "
        "submarine that is there as its owner's turn ends loses 1 HP.",
        "sunk": "These are destroyed, and none of the others can take their specials.",
    }
    for name, special in table.items():
        works = f" It costs {special.ap} AP." if special.ap else " It works by itself, for no AP."
        told[name] = _DOES[special.mechanism].format_map(special.numbers) + works
    return told


_DOES: Mapping[str, str] = {
    "torpedo": "The first submarine that way (N, E, S or W), friend or foe, at most {range} cells "
    "away, takes {damage} damage. There need be none.",
    "mine": "It lies in the cell that way (N, E, S or W): none that scores, none where you see a "
    "submarine. Whichever submarine comes there surfaces and takes {damage} damage.",
    "heal": "The submarine that you see in the cell that way (N, E, S or W) gains {amount} HP, an "
    "enemy's too.",
    "sonar": "You are told the letter and the cell of each enemy at most {range} cells away.",
    "nullify": "The enemy's submarines cannot use the special that you name until their next turn "
    "is over; one that works by itself is off.",
    "depth-charge": "Every other submarine in the four cells around it, friend or foe, takes "
    "{damage} damage.",
    "armor": "Each hit on it is {less} less, but not what a destroyed cell costs.",
    "battering-ram": "When it runs into another, it takes {takes} damage and the other {deals}.",
    "reactor": "{more} AP more in each of your turns.",
    "repair": "It gains {amount} HP as each of your turns begins.",
}
"""What each mechanism does (SW-18)."""


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`."""
    seen = read_view(view)
    if not seen.begun:
        return Brief(
            f"Submarine Warfare: you are {seen.player}, against {seen.other(str(seen.player))}."
        )
    asks = "the game is over." if seen.turn is None else f"{seen.turn}'s turn."
    asks = asks if seen.ap is None else f"your turn, {seen.turn}. {seen.ap} AP."
    rings = [f"{seen.rings} of {RINGS} rings destroyed (#)"] if seen.rings else []
    notes = (*_lines(seen, known.memory or NO_MIND, "you"), *rings)
    return Brief(f"Submarine Warfare, round {seen.round}: {asks}", notes)


def menu(view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
    """`Game.menu`: a row of the moves, one of what else every submarine can do, one of the
    specials; what changes nothing is left out."""
    choices = after(view, lines).choices
    if choices and choices[0].verb == "start":
        return _places(view, lines, choices)
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in choices:
        if one.unit and one.verb != IDLE:
            aim = "SPECIAL" if one.picks else " ".join(one.text.split()[2:])
            units = found.setdefault((one.verb, one.cost), {})
            units[one.unit] = list(dict.fromkeys((*units.get(one.unit, ()), aim)))
    if any(one.unit for one in choices):
        # Who plans a turn must know that it is there: submerge, move, surface.
        found.setdefault(("surface", "0 AP"), {"none": [""]})
    moves, plain, special = [], [], []
    for (verb, cost), units in found.items():
        number = cost.removesuffix(" AP")
        if verb == "move":
            each = "  ".join(f"{unit} {' '.join(aims)}" for unit, aims in units.items())
            moves.append(f"move ({cost})  {each}")
        elif verb in DEFAULTS:
            (aim,) = next(iter(units.values()))
            plain.append(f"{' '.join(filter(None, (verb, aim)))} ({number}) {' '.join(units)}")
        else:
            for unit, aims in units.items():
                line = " ".join(filter(None, (unit, verb, "|".join(aims))))
                special.append(f"{line} ({number})")
    alone = [one.text for one in choices if one.text in ALONE]
    rows = [GAP.join(moves), GAP.join(plain), GAP.join(special), GAP.join(alone)]
    rows[2] = f"special: {rows[2]}" if special else ""
    return tuple(filter(None, rows))


def _places(view: View, lines: Sequence[str], choices: Sequence[Choice]) -> tuple[str, ...]:
    """The setup: which submarines are not placed yet, where they may be, and the specials."""
    placed = {line.split()[0] for line in lines}
    left = [one for one in letters(view.setup, str(view.player)) if one not in placed]
    free = dict.fromkeys(one.to[0] for one in choices)
    held = dict.fromkeys(one.picks[0] for one in choices)
    table = [specials(view.setup)[name] for name in held]
    costs = ", ".join(f"{one.name} {one.ap}" for one in table if one.mechanism not in PASSIVE)
    always = ", ".join(one.name for one in table if one.mechanism in PASSIVE)
    more = f", a line each for {' '.join(left)}" if left[1:] else ""
    return (
        f"{left[0]} CELL SPECIAL      cells {' '.join(free)}{more}",
        f"special (AP): {costs}",
        f"always on:    {always}",
    )
