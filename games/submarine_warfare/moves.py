"""Whether an order file is allowed, judged from its author's view; and which lines are.

What belongs here: legality (SW-3, SW-4, SW-6) and the list of legal lines. What it must not know:
the position. A file is tried on what its author sees, so that to be refused tells nobody what they
may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.game import Illegal, Player, Setup, View, Written
from games.grid import HEADINGS, Cell, read_cell
from games.submarine_warfare import actions
from games.submarine_warfare.lines import (
    Action,
    Move,
    OrderLine,
    Place,
    Replace,
    Submerge,
    Surface,
    Use,
    Word,
    read_file,
)
from games.submarine_warfare.notation import read_side
from games.submarine_warfare.state import BOARD, HP, Side, State, Sub, home_row, letters
from games.submarine_warfare.table import ACTIVE, specials
from games.submarine_warfare.turn import Turn

ALL = 5
"""SW-3: submarines to be placed."""


@dataclass(frozen=True, slots=True)
class Order:
    """One line to carry out: its number from 1, blank lines counted, whose, and what."""

    line: int
    letter: str
    action: Action


@dataclass(frozen=True, slots=True)
class Orders:
    """An order file as understood and allowed: of the setup `places` by letter, else the rest."""

    lines: tuple[Order, ...] = ()
    draw: bool = False
    resign: bool = False
    places: Mapping[str, Place] = field(default_factory=dict)


def read(view: View, written: Written) -> Orders:
    """The orders that a player wrote; the form of the whole file is judged first.

    Raises Malformed for what would be wrong in every position, Illegal for what is wrong in this
    one as far as `view` shows.
    """
    file = read_file(view.setup, written)
    if "setup" in view.shown:
        return Orders(places=_places(view, file))
    if view.shown.get("turn") != view.player:
        over = "turn" not in view.shown
        text = "the game is over" if over else "it is not your turn"
        raise Illegal(None, written.orders[:80], f"expected nothing: {text}")
    for at, order in enumerate(file):
        _check_alone(view, order, file[:at], file)
    lines = tuple(
        Order(order.line.number, order.letter, order.does)
        for order in file
        if not isinstance(order.does, Word | Place)
    )
    _check_cost(view, file)
    _try_out(view, file)
    said = [order.does.word for order in file if isinstance(order.does, Word)]
    return Orders(lines, "draw" in said, "resign" in said)


def _illegal(order: OrderLine, expected: str, hint: str = "") -> Illegal:
    return Illegal(order.line.number, order.line.text, f"expected {expected}", hint)


# The setup (SW-3).


def _places(view: View, file: Sequence[OrderLine]) -> dict[str, Place]:
    own, row = letters(view.setup, view.player), home_row(view.setup, view.player)
    places: dict[str, Place] = {}
    for order in file:
        place = order.does
        if not isinstance(place, Place):
            raise _illegal(order, "nothing but lines such as 'a A1 torpedo' in the setup")
        if order.letter not in own:
            raise _illegal(order, f"one of your own submarines, {', '.join(own)}")
        if place.at.row != row or not place.at.on(BOARD):
            raise _illegal(order, f"a cell of your home row, A{row} to G{row}, not {place.at}")
        if order.letter in places:
            raise _illegal(order, f"{order.letter} to be placed once")
        if any(place.at == other.at for other in places.values()):
            raise _illegal(order, f"five different cells, not {place.at} twice")
        if any(place.special == other.special for other in places.values()):
            raise _illegal(order, f"five different specials, not {place.special} twice")
        places[order.letter] = place
    for letter in own:
        if letter not in places:
            text = file[-1].line.text if file else ""
            raise Illegal(None, text, f"expected a line for each of {', '.join(own)}: no {letter}")
    return places


# A turn.


def _check_alone(
    view: View, order: OrderLine, before: Sequence[OrderLine], file: Sequence[OrderLine]
) -> None:
    """SW-4, SW-17, SW-18: what is wrong with a line whatever the submarines do."""
    if any(other.does == Word("stop") for other in before):
        raise _illegal(order, "no line after 'stop'")
    match order.does:
        case Word("draw"):
            if any(other.does == Word("resign") for other in file):
                raise _illegal(order, "no 'draw' beside 'resign'")
            return
        case Word():
            return
        case Place():
            raise _illegal(order, "an action: the setup is over")
        case Use(special, _, named):
            table = specials(view.setup)
            if table[special].passive:
                raise _illegal(order, f"no order for {special}: it is passive and works by itself")
            if named and table[named].mechanism == "nullify":
                raise _illegal(order, f"another special than {named}, which cannot be named")
    own = letters(view.setup, view.player)
    if order.letter not in own:
        raise _illegal(order, f"one of your own submarines, {', '.join(own)}")


def _check_cost(view: View, file: Sequence[OrderLine]) -> None:
    """SW-6: all lines' AP together, whatever turns out void."""
    left = view.shown["ap"]
    for order in file:
        if not isinstance(order.does, Word | Place):
            left -= actions.cost(specials(view.setup), order.does)
        if left < 0:
            raise _illegal(order, f"lines for {view.shown['ap']} AP in all: this one is too many")


_EXPECTED = {
    "destroyed": "another submarine: {0} is destroyed",
    "collided": "no further action of {0}, which collides as the mover in this turn",
    "not-held": "a special that {0} holds at that moment",
    "off-map": "a cell of the map, A1 to G7",
    "scoring-cell": "a cell that does not score",
    "occupied": "a cell where you see no submarine",
    "held": "a special that none of your submarines holds, destroyed ones included",
    "no-target": "a cell where you see a submarine",
}


def _try_out(view: View, file: Sequence[OrderLine]) -> None:
    """SW-6: every line in turn on the author's view; what cannot be carried out is illegal."""
    turn = trial(view)
    for order in file:
        if isinstance(order.does, Word | Place):
            continue
        why = actions.reason(turn, order.letter, order.does)
        if why is not None:
            raise _illegal(order, _EXPECTED[why].format(order.letter), _way_out(turn, order))
        turn = actions.carry_out(turn, order.letter, order.does)


def _way_out(turn: Turn, order: OrderLine) -> str:
    """What the same submarine could do there instead, of the same kind if anything, as a hint."""
    lines = [
        line
        for line, action in candidates(turn)
        if line[0] == order.letter and actions.reason(turn, line[0], action) is None
    ]
    same = [line for line in lines if line.split(" ")[1] == order.line.words[1]] or lines
    some = ", ".join(same[:6]) + (", ..." if len(same) > 6 else "")
    return f"legal there: {some}" if same else ""


def trial(view: View) -> Turn:
    """SW-6: the turn as its author may expect it: nothing hidden is there, nothing is nullified,
    seen enemies have 5 HP and no special."""
    setup, player, shown = view.setup, view.player, view.shown
    own = read_side(setup, player, shown[player])
    sides = {}
    for name in setup.players:
        sides[name] = own if name == player else _enemies(setup, name, shown[name]["subs"])
    state = State(setup, sides, player, shown["round"], player)
    return Turn(state, player)


def _enemies(setup: Setup, name: Player, lines: Sequence[str]) -> Side:
    subs = tuple(
        Sub(letter, at, HP, True, None)
        for letter, _, where in (line.partition(" ") for line in lines)
        if (at := read_cell(where)) is not None
    )
    return Side(home_row(setup, name), subs=subs)


# The list of legal lines.


def legal(view: View) -> tuple[str, ...]:
    """Every line that the player might write first now; in the setup the lines of a complete
    setup, since single lines would be many and of no use."""
    if "setup" in view.shown:
        return _example(view.setup, view.player)
    if view.shown.get("turn") != view.player:
        return ()
    return (*possible(trial(view), view.shown["ap"]), "stop", "draw", "resign")


def possible(turn: Turn, ap: int) -> tuple[str, ...]:
    """The lines that can be carried out next in a turn, for that many AP at most."""
    table = specials(turn.state.setup)
    return tuple(
        line
        for line, action in candidates(turn)
        if actions.cost(table, action) <= ap and actions.reason(turn, line[0], action) is None
    )


def candidates(turn: Turn) -> Iterator[tuple[str, Action]]:
    """Lines for every submarine of one's own, whether they can be carried out or not."""
    table = specials(turn.state.setup)
    for sub in turn.state.sides[turn.player].subs:
        for heading in HEADINGS:
            yield f"{sub.letter} move {heading}", Move(heading)
        yield f"{sub.letter} surface", Surface()
        yield f"{sub.letter} submerge", Submerge()
        if sub.special is not None:
            for words, use in _uses(turn, sub.special):
                yield f"{sub.letter} {words}", use
        for name in table:
            yield f"{sub.letter} replace {name}", Replace(name)


def _uses(turn: Turn, name: str) -> Iterator[tuple[str, Use]]:
    """SW-18: every way to order that special."""
    table = specials(turn.state.setup)
    special = table[name]
    if special.mechanism in ("torpedo", "mine", "heal"):
        for heading in HEADINGS:
            yield f"{name} {heading}", Use(name, heading)
    elif special.mechanism == "nullify":
        for other in table.values():
            if other.mechanism != "nullify":
                yield f"{name} {other.name}", Use(name, named=other.name)
    elif special.mechanism in ACTIVE:
        yield name, Use(name)


def _example(setup: Setup, player: Player) -> tuple[str, ...]:
    """SW-3: a setup in the middle of the home row with the first five specials of the table."""
    row = home_row(setup, player)
    return tuple(
        f"{letter} {Cell(column, row)} {special}"
        for letter, column, special in zip(
            letters(setup, player), range(2, 2 + ALL), specials(setup), strict=False
        )
    )
