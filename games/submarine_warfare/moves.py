"""Whether an order file is allowed, judged from its author's view; and which lines are.

What belongs here: legality (SW-3, SW-4, SW-6) and the list of legal lines. What it must not know:
the position. A file is tried on what its author sees, so that to be refused tells nobody what they
may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.game import After, Choice, Illegal, Player, Setup, View, Written
from games.grid import HEADINGS, Cell
from games.submarine_warfare import actions
from games.submarine_warfare.lines import (
    MOST_LINES,
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
from games.submarine_warfare.state import BOARD, home_row, letters
from games.submarine_warfare.table import ACTIVE, specials
from games.submarine_warfare.turn import Turn
from games.submarine_warfare.view import assumed

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
    if view.player is None:
        raise Illegal(None, written.orders[:80], "expected nothing: the public view is nobody's")
    if "setup" in view.shown:
        places = _places(view, view.player, file)
        _check_all_placed(view.setup, view.player, file)
        return Orders(places=places)
    if view.shown.get("turn") != view.player:
        over = "turn" not in view.shown
        text = "the game is over" if over else "it is not your turn"
        raise Illegal(None, written.orders[:80], f"expected nothing: {text}")
    _tried(view, view.player, file)
    lines = tuple(
        Order(order.line.number, order.letter, order.does)
        for order in file
        if not isinstance(order.does, Word | Place)
    )
    said = [order.does.word for order in file if isinstance(order.does, Word)]
    return Orders(lines, "draw" in said, "resign" in said)


def _illegal(order: OrderLine, expected: str, hint: str = "") -> Illegal:
    return Illegal(order.line.number, order.line.text, f"expected {expected}", hint)


# The setup (SW-3).


def _places(view: View, player: Player, file: Sequence[OrderLine]) -> dict[str, Place]:
    own, row = letters(view.setup, player), home_row(view.setup, player)
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
    return places


def _check_all_placed(setup: Setup, player: Player, file: Sequence[OrderLine]) -> None:
    own, placed = letters(setup, player), {order.letter for order in file}
    for letter in own:
        if letter not in placed:
            text = file[-1].line.text if file else ""
            raise Illegal(None, text, f"expected a line for each of {', '.join(own)}: no {letter}")


# A turn.


def _tried(view: View, player: Player, file: Sequence[OrderLine]) -> tuple[Turn, int]:
    """SW-6: the file's turn as its author may expect it, and the AP left; raises Illegal."""
    for at, order in enumerate(file):
        _check_alone(view, player, order, file[:at], file)
    left = _check_cost(view, file)
    return _try_out(view, player, file), left


def _check_alone(
    view: View,
    player: Player,
    order: OrderLine,
    before: Sequence[OrderLine],
    file: Sequence[OrderLine],
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
    own = letters(view.setup, player)
    if order.letter not in own:
        raise _illegal(order, f"one of your own submarines, {', '.join(own)}")


def _check_cost(view: View, file: Sequence[OrderLine]) -> int:
    """SW-6: all lines' AP together, whatever turns out void; what is left of them."""
    left: int = view.shown["ap"]
    for order in file:
        if not isinstance(order.does, Word | Place):
            left -= actions.cost(specials(view.setup), order.does)
        if left < 0:
            raise _illegal(order, f"lines for {view.shown['ap']} AP in all: this one is too many")
    return left


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


def _try_out(view: View, player: Player, file: Sequence[OrderLine]) -> Turn:
    """SW-6: every line in turn on the author's view; what cannot be carried out is illegal."""
    turn = trial(view, player)
    for order in file:
        if isinstance(order.does, Word | Place):
            continue
        why = actions.reason(turn, order.letter, order.does)
        if why is not None:
            raise _illegal(order, _EXPECTED[why].format(order.letter), _way_out(turn, order))
        turn = actions.carry_out(turn, order.letter, order.does)
    return turn


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


def trial(view: View, player: Player) -> Turn:
    """SW-6: the turn as its author may expect it."""
    return Turn(assumed(view), player)


# What may come next.


def after(view: View, lines: Sequence[str]) -> After:
    """What the player may write after these lines, in the order of letters; raises what `read`
    raises for lines that are refused already.

    In the setup the submarines are asked for in the order of letters, which comes to the same.
    """
    if view.player is None or ("setup" not in view.shown and view.shown.get("turn") != view.player):
        return After((), False)
    file = read_file(view.setup, Written("\n".join(lines)))
    if "setup" in view.shown:
        return _after_places(view, view.player, file)
    turn, ap = _tried(view, view.player, file)
    said = {order.does.word for order in file if isinstance(order.does, Word)}
    if said & {"stop", "resign"} or len(file) == MOST_LINES:
        return After((), True)
    words = [word for word in ("stop", "draw", "resign") if word == "stop" or "draw" not in said]
    return After(
        (*possible(turn, ap), *(Choice(word, (), _LABELS[word]) for word in words)), complete=True
    )


_LABELS = {"stop": "nothing follows", "draw": "offer or take a draw", "resign": "lose at once"}


def _after_places(view: View, player: Player, file: Sequence[OrderLine]) -> After:
    """SW-3: the next submarine, on each free cell of the home row with each special not taken."""
    places = _places(view, player, file)
    left = [letter for letter in letters(view.setup, player) if letter not in places]
    row, held = home_row(view.setup, player), {place.special for place in places.values()}
    cells = [Cell(column, row) for column in range(1, BOARD.columns + 1)]
    free = [cell for cell in cells if all(cell != place.at for place in places.values())]
    return After(
        tuple(
            Choice(f"{letter} {cell} {name}", (str(cell),), f"{letter} starts here with {name}")
            for letter in left[:1]
            for cell in free
            for name in specials(view.setup)
            if name not in held
        ),
        complete=not left,
    )


def possible(turn: Turn, ap: int) -> tuple[Choice, ...]:
    """The lines that can be carried out next in a turn, for that many AP at most."""
    table = specials(turn.state.setup)
    return tuple(
        _choice(turn, line, action)
        for line, action in candidates(turn)
        if actions.cost(table, action) <= ap and actions.reason(turn, line[0], action) is None
    )


def _choice(turn: Turn, line: str, action: Action) -> Choice:
    """The cells are where the submarine is and, where it has a heading, the one that way."""
    at = turn.sub(line[0]).at
    heading = getattr(action, "heading", None)
    cells = (at,) if heading is None else (at, at.step(heading))
    cost = actions.cost(specials(turn.state.setup), action)
    on_map = tuple(str(cell) for cell in cells if cell.on(BOARD))
    return Choice(line, on_map, f"{line}, {cost} AP")


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
