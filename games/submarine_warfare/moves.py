"""Whether an order file is allowed, judged from its author's view; and which lines may come next.

What belongs here: legality (SW-3, SW-4, SW-6) and the lines that may follow others. A file is tried
on its author's view, so that a refusal tells nobody what they may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.game import After, Choice, Illegal, Player, Setup, View, Written
from games.grid import HEADINGS, Cell
from games.lines import not_yours
from games.submarine_warfare import actions
from games.submarine_warfare.actions import Command
from games.submarine_warfare.lines import (
    ALONE,
    MOST_LINES,
    OrderLine,
    Passive,
    Placement,
    read_file,
)
from games.submarine_warfare.notation import write_side
from games.submarine_warfare.state import BOARD, Sub, home_row, letters
from games.submarine_warfare.table import specials
from games.submarine_warfare.turn import Turn
from games.submarine_warfare.view import assumed


class Order(NamedTuple):
    """One line to carry out: its number from 1 (blank lines count too), which submarine, and
    what."""

    line: int
    letter: str
    command: Command


@dataclass(frozen=True, slots=True)
class Orders:
    """An order file that is understood and allowed: in the setup `places` by letter, otherwise the
    rest."""

    lines: tuple[Order, ...] = ()
    draw: bool = False
    resign: bool = False
    places: Mapping[str, Placement] = field(default_factory=dict)


def read(view: View, written: Written) -> Orders:
    """The orders that a player wrote; the form of the whole file is judged first.

    Raises Malformed for orders that would be wrong in every position, Illegal for orders that are
    wrong in this one as far as `view` shows.
    """
    file = read_file(view.setup, written)
    player = _awaited(view)
    if player is None:
        raise Illegal(None, "", _not_awaited(view))
    if "setup" in view.shown:
        places = _places(view.setup, player, file)
        _check_all_placed(view.setup, player, places)
        return Orders(places=places)
    _tried(view, player, file)
    said = [order.alone for order in file]
    lines = [
        Order(order.line.number, order.letter, order.does)
        for order in file
        if isinstance(order.does, Command)
    ]
    return Orders(tuple(lines), "draw" in said, "resign" in said)


def _awaited(view: View) -> Player | None:
    """The player of a view, if they are awaited."""
    awaited = "setup" in view.shown or view.shown.get("turn") == view.player
    return view.player if awaited else None


def _not_awaited(view: View) -> str:
    """Why nothing may be ordered from a view."""
    if view.player is None:
        return "the public view is nobody's"
    return not_yours((view.shown["turn"],)) if "turn" in view.shown else "the game is over"


def _illegal(order: OrderLine, expected: str, hint: str = "") -> Illegal:
    return Illegal(order.line.number, order.line.text, f"expected {expected}", hint)


# The setup (SW-3).


def _places(setup: Setup, player: Player, file: Sequence[OrderLine]) -> dict[str, Placement]:
    """The first cells and specials in the file, of all five submarines or none; raises Illegal."""
    own, row = letters(setup, player), home_row(setup, player)
    places: dict[str, Placement] = {}
    for order in file:
        place = order.does
        if not isinstance(place, Placement):
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


def _check_all_placed(setup: Setup, player: Player, places: Mapping[str, Placement]) -> None:
    own = letters(setup, player)
    for letter in own:
        if letter not in places:
            raise Illegal(None, "", f"expected a line for each of {', '.join(own)}: no {letter}")


# A turn.


def _tried(view: View, player: Player, file: Sequence[OrderLine]) -> tuple[Turn, int]:
    """SW-6: the turn of the file as its author can expect it, and the AP left; raises Illegal."""
    _check_each(view.setup, player, file)
    left = _check_cost(view, file)
    turn = trial(view, player)
    _try_out(turn, file)
    return turn, left


def _check_each(setup: Setup, player: Player, file: Sequence[OrderLine]) -> None:
    """SW-4, SW-17, SW-18: faults of a line that do not depend on what the submarines do."""
    own, said = letters(setup, player), [order.alone for order in file]
    for at, order in enumerate(file):
        if "stop" in said[:at]:
            raise _illegal(order, "no line after 'stop'")
        if order.alone == "draw" and "resign" in said:
            raise _illegal(order, "no 'draw' together with 'resign'")
        match order.does:
            case Placement():
                raise _illegal(order, "an action: the setup is over")
            case Passive(name):
                raise _illegal(order, f"no order for {name}: it is passive and works by itself")
            case Command(_, aim, word):
                if word.aim and aim not in word.aim.choices(specials(setup)):
                    raise _illegal(order, f"another special than {aim}, which cannot be named")
                if order.letter not in own:
                    raise _illegal(order, f"one of your own submarines, {', '.join(own)}")


def _check_cost(view: View, file: Sequence[OrderLine]) -> int:
    """SW-6: the AP of all lines together, even of lines that turn out void; returns what is
    left."""
    left: int = view.shown["ap"]
    for order in file:
        if isinstance(order.does, Command):
            left -= order.does.ap
        if left < 0:
            raise _illegal(order, f"lines for {view.shown['ap']} AP in all: this one is too many")
    return left


def _try_out(turn: Turn, file: Sequence[OrderLine]) -> None:
    """SW-6: try every line in turn on the author's view; a line that cannot be carried out is
    illegal."""
    for order in file:
        if isinstance(order.does, Command):
            why = actions.reason(turn, order.letter, order.does)
            if why is not None:
                expected = actions.REASONS[why].format(order.letter)
                raise _illegal(order, expected, _way_out(turn, order.letter, order.does.verb))
            actions.carry_out(turn, order.letter, order.does)


def _way_out(turn: Turn, letter: str, verb: str) -> str:
    """A hint: what the same submarine could do instead, if possible of the same kind."""
    commands = [
        command
        for own, command in candidates(turn)
        if own == letter and actions.reason(turn, own, command) is None
    ]
    same = [command for command in commands if command.verb == verb] or commands
    some = ", ".join(written(letter, command) for command in same[:6])
    return f"legal there: {some}{', ...' if len(same) > 6 else ''}" if same else ""


def trial(view: View, player: Player) -> Turn:
    """SW-6: the turn as its author can expect it."""
    return Turn(assumed(view), player)


# What may come next.


def after(view: View, lines: Sequence[str]) -> After:
    """What the player may write after these lines; raises what `read` raises for them.

    In the setup the choices follow the order of letters, though any order is taken. Nothing is
    offered after `resign`, which ends the game before any line.
    """
    player = _awaited(view)
    if player is None:
        return After((), complete=False)
    file = read_file(view.setup, Written("\n".join(lines)))
    if "setup" in view.shown:
        return _after_places(view.setup, player, file)
    turn, ap = _tried(view, player, file)
    alone = alone_after(file)
    if not alone:
        return After((), complete=True)
    choices = (_choice(turn, letter, command) for letter, command in possible(turn, ap))
    left = f"{ap} of {view.shown['ap']} AP left" if ap else ""
    rest = tuple(Choice(word, (), ALONE[word]) for word in alone)
    return After((*choices, *rest), complete=True, left=left)


def turn_after(view: View, lines: Sequence[str]) -> tuple[Turn, int, list[str]]:
    """The turn after these lines, which `after` offered, the AP left, and the words that may follow
    alone. Not for the setup."""
    file = read_file(view.setup, Written("\n".join(lines)))
    return *_tried(view, str(view.player), file), alone_after(file)


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: one's own side after these lines, and the enemies that are seen."""
    if "ap" not in view.shown:
        return view
    turn, ap, _ = turn_after(view, lines)
    player = str(view.player)
    other = turn.state.other(player)
    seen = {sub.letter for sub in turn.state.fleet(other)}
    subs = [
        f"{line[0]} {turn.subs[line[0]].at}" if line[0] in seen else line[0]
        for line in view.shown[other]["subs"]
        if line[0] in seen or " " not in line
    ]
    own = write_side(turn.sides[player], turn.state.fleet(player))
    shown = {**view.shown, player: own, other: {**view.shown[other], "subs": subs}, "ap": ap}
    return View(view.setup, view.player, shown)


def changes(sub: Sub, command: Command) -> bool:
    """Whether a command changes something: it is allowed to surface what is surfaced."""
    return sub.up != (command.verb == "surface") or command.verb not in ("surface", "submerge")


def alone_after(file: Sequence[OrderLine]) -> list[str]:
    """SW-4, SW-17: the words that may follow, perhaps none."""
    said = [order.alone for order in file if order.alone]
    if "stop" in said or "resign" in said or len(file) == MOST_LINES:
        return []
    return [word for word in ALONE if word == "stop" or "draw" not in said]


def _after_places(setup: Setup, player: Player, file: Sequence[OrderLine]) -> After:
    """SW-3: the next submarine, on each free cell of the home row with each free special."""
    places = _places(setup, player, file)
    left = [letter for letter in letters(setup, player) if letter not in places]
    held = [place.special for place in places.values()]
    taken = [place.at for place in places.values()]
    row = [Cell(column, home_row(setup, player)) for column in range(1, BOARD.columns + 1)]
    choices = tuple(
        Choice(f"{letter} {cell} {name}", (str(cell),), f"{letter} starts in {cell} with {name}")
        for letter in left[:1]
        for cell in row
        for name in specials(setup)
        if cell not in taken and name not in held
    )
    return After(choices, complete=not left)


def _choice(turn: Turn, letter: str, command: Command) -> Choice:
    """The command as a choice. Its cells are the submarine's and, if it is on the map, the cell
    ahead."""
    sub = turn.subs[letter]
    to = sub.at.step(command.aim) if command.aim in HEADINGS else sub.at
    label = command.word.label.format(sub=letter, at=sub.at, to=to, aim=command.aim)
    cells = (sub.at,) if to == sub.at or not to.on(BOARD) else (sub.at, to)
    return Choice(written(letter, command), tuple(map(str, cells)), f"{label}, {command.ap} AP")


def written(letter: str, command: Command) -> str:
    """The order line of a command."""
    return " ".join(filter(None, (letter, command.verb, command.aim)))


def possible(
    turn: Turn, ap: int, among: Iterable[tuple[str, Command]] | None = None
) -> Iterator[tuple[str, Command]]:
    """The commands, of all or `among` these, that can be carried out next in a turn, for that many
    AP at most."""
    for letter, command in candidates(turn) if among is None else among:
        if command.ap <= ap and actions.reason(turn, letter, command) is None:
            yield letter, command


def candidates(turn: Turn) -> Iterator[tuple[str, Command]]:
    """Commands for all one's own submarines, whether they can be carried out or not."""
    for sub in turn.state.fleet(turn.player):
        for command in _commands(turn, sub):
            yield sub.letter, command


def _commands(turn: Turn, sub: Sub) -> Iterator[Command]:
    """By order word, the submarine's special before `replace`."""
    table = specials(turn.state.setup)
    *first, last = actions.DEFAULTS
    for verb in (*first, sub.special, last):
        word = actions.word_of(table, verb)
        if word is not None:
            aims = word.aim.choices(table) if word.aim else ("",)
            yield from (actions.command(table, verb, word, aim) for aim in aims)
