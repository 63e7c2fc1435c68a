"""Order files of Submarine Warfare: the order words, a row each; which files are legal now, and
what may be written next (SW-3 to SW-6, SW-18).

The form of a file is the same in every position, so a `malformed` answer tells nothing about one. A
file is tried on its author's view, so that a refusal tells nobody what they may not know. What an
order does is in `turn`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.game import After, Choice, Illegal, Setup, View, Written
from games.grid import HEADINGS, Cell, read_cell
from games.options import did_you_mean
from games.orders import (
    Line,
    Verb,
    check_plain,
    check_size,
    no_order,
    not_yours,
    read_heading,
    read_lines,
)
from games.submarine_warfare import turn as do
from games.submarine_warfare.notation import position, read_view
from games.submarine_warfare.state import BOARD, LETTERS, SCORES, State, Sub, home_row, letters
from games.submarine_warfare.table import Specials, specials
from games.submarine_warfare.turn import Turn

MOST_LINES = 30
"""SW-4: the most order lines that count; the bound on reports relies on it."""
MOST_BYTES = 1800
"""SW-4: the most bytes that all lines of a file take (`games.orders.check_size`)."""


# The order words.


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim after an order word.

    `form`: how it is written, as errors quote it. `read`: the aim that a word of a line names;
    raises Malformed. `choices`: all possible aims in a game with that table, in order.
    """

    form: str
    read: Callable[[Specials, Line, str], str]
    choices: Callable[[Specials], Sequence[str]]


def _read_special(table: Specials, line: Line, word: str) -> str:
    """The special that a word of the line names; raises Malformed."""
    if word not in table:
        raise line.malformed(
            f"a special in place of {word[:20]!a}: one of {', '.join(table)}",
            did_you_mean(word, table),
        )
    return word


HEADING = Aim(
    "N' (or E, S, W)", lambda table, line, word: read_heading(line, word), lambda table: HEADINGS
)
SPECIAL = Aim("SPECIAL'", _read_special, tuple)
# SW-18: a nullify cannot name a nullify.
NULLIFIED = Aim(
    "SPECIAL'",
    _read_special,
    lambda table: [name for name, special in table.items() if special.mechanism != "nullify"],
)


@dataclass(frozen=True, slots=True)
class Word:
    """An order word, or the mechanism of a special that is ordered.

    `does`: what it does in a turn. `says`: the same as a sentence, with `sub`, `at`, `to` (the cell
    ahead) and `aim`. `aim`: what follows the word; None: nothing. `ap`: its cost; None: that in its
    special's table. `fault`: SW-6's reason why a submarine cannot do it with that aim; None if it
    can. `habits`: other words that people write for it.
    """

    button: Verb
    does: Callable[[Turn, Sub, str, Mapping[str, int]], None]
    says: str
    aim: Aim | None = None
    ap: int | None = None
    fault: Callable[[Turn, Sub, str], str | None] = lambda turn, sub, aim: None
    habits: tuple[str, ...] = ()


class Command(NamedTuple):
    """A command to a submarine.

    `verb` is an order word or a special's name, `aim` the heading or the special's name after it,
    or "". `word` is the row of the verb and `ap` its cost, both by the table of the game.
    """

    verb: str
    aim: str
    word: Word
    ap: int


REASONS: Mapping[str, str] = {
    "destroyed": "another submarine: {0} is destroyed",
    "collided": "no further action of {0}, which collides as the mover in this turn",
    "not-held": "a special that {0} holds at that moment",
    "nullified": "a special of {0} that is not nullified",
    "off-map": "a cell of the map, A1 to G7",
    "scoring-cell": "a cell that does not score",
    "occupied": "a cell where you see no submarine",
    "held": "a special that none of your submarines holds, destroyed ones included",
    "no-target": "a cell where you see a submarine",
}
"""SW-6: why a line cannot be carried out, in the order of the checks, and what would have been
right."""


def _seen_at(turn: Turn, cell: Cell) -> Sub | None:
    """SW-6: the submarine in that cell that the player sees: their own, or surfaced now."""
    sub = turn.state.sub_at(cell)
    return sub if sub and (sub.up or turn.state.owner(sub.letter) == turn.player) else None


def _replace_fault(turn: Turn, sub: Sub, aim: str) -> str | None:
    """SW-5: destroyed submarines still hold their specials, so nobody can take these."""
    held = [own.special for own in turn.state.fleet(turn.player)]
    held += [sunk.special for sunk in turn.sides[turn.player].sunk]
    return "held" if aim in held else None


def _mine_fault(turn: Turn, sub: Sub, aim: str) -> str | None:
    at = sub.at.step(aim)
    if not at.on(BOARD):
        return "off-map"
    if at in SCORES:
        return "scoring-cell"
    return "occupied" if _seen_at(turn, at) else None


def _heal_fault(turn: Turn, sub: Sub, aim: str) -> str | None:
    at = sub.at.step(aim)
    if not at.on(BOARD):
        return "off-map"
    return None if _seen_at(turn, at) else "no-target"


DEFAULTS: Mapping[str, Word] = {
    "move": Word(
        Verb("Move", "one cell", "step"),
        do.moves,
        "{sub} heads for {to}.",
        HEADING,
        1,
        lambda turn, sub, aim: None if sub.at.step(aim).on(BOARD) else "off-map",
        habits=("go", "ram"),
    ),
    "surface": Word(
        Verb("Surface", "double points, but seen", "up"),
        do.surfaces,
        "{sub} surfaces in {at}.",
        ap=0,
        habits=("up",),
    ),
    "submerge": Word(
        Verb("Submerge", "out of sight", "down"),
        do.submerges,
        "{sub} submerges in {at}.",
        ap=1,
        habits=("dive", "down"),
    ),
    "replace": Word(
        Verb("Replace", "its special", "swap"),
        do.replaces,
        "{sub} takes {aim}.",
        SPECIAL,
        2,
        _replace_fault,
        habits=("swap",),
    ),
}
"""SW-5: the order words of every submarine."""

ORDERED: Mapping[str, Word] = {
    "torpedo": Word(
        Verb("Torpedo", "the first submarine that way", "torpedo"),
        do.fires,
        "{sub} fires {aim}.",
        HEADING,
        habits=("fire",),
    ),
    "mine": Word(
        Verb("Mine", "in a cell beside it", "mine"),
        do.lays,
        "{sub} lays a mine in {to}.",
        HEADING,
        fault=_mine_fault,
    ),
    "heal": Word(
        Verb("Heal", "a submarine beside it", "heal"),
        do.heals,
        "{sub} heals what is in {to}.",
        HEADING,
        fault=_heal_fault,
    ),
    "sonar": Word(
        Verb("Sonar", "find who is near", "sonar"), do.listens, "{sub} listens around {at}."
    ),
    "nullify": Word(
        Verb("Nullify", "an enemy special", "swap"),
        do.nullifies,
        "{sub} switches the enemy's {aim} off.",
        NULLIFIED,
    ),
    "depth-charge": Word(
        Verb("Charges", "all four cells around", "mine"),
        do.charges,
        "{sub} drops charges around {at}.",
    ),
}
"""SW-18: the mechanisms of specials that are ordered."""

ALONE: Mapping[str, Verb] = {
    "stop": Verb("Stop", "end your turn: the rest of it is lost", role="rare"),
    "draw": Verb("Offer a draw too", "offer a draw, or take one", role="beside"),
    "resign": Verb("Resign", "lose at once", role="give-up"),
}
"""SW-4, SW-17: words that are a whole line."""

IDLE = "idle"
"""The kind of a line that is allowed and changes nothing: to surface what is surfaced."""

VERBS: Mapping[str, Verb] = {
    IDLE: Verb("Stay so", "it is so already", role="rare"),
    "start": Verb(
        "Place", "in your home row, with a special", "anchor", asks="Place your submarines"
    ),
    **{verb: word.button for verb, word in {**DEFAULTS, **ORDERED}.items()},
    **ALONE,
}
"""`Game.verbs`."""


def _word(table: Specials, verb: str) -> Word | None:
    """The row of an order word or of a special; None for a special that works by itself."""
    return DEFAULTS[verb] if verb in DEFAULTS else ORDERED.get(table[verb].mechanism)


def _command(table: Specials, verb: str, word: Word, aim: str = "") -> Command:
    """The command of a verb, whose row is `word`, with what it costs (SW-5, SW-18)."""
    return Command(verb, aim, word, table[verb].ap if word.ap is None else word.ap)


def reason(turn: Turn, letter: str, command: Command) -> str | None:
    """SW-6: why the line cannot be carried out, the first reason that holds; None if it can.

    `letter` is one of the submarines of the player whose turn it is.
    """
    sub = turn.subs.get(letter)
    if sub is None:
        return "destroyed"
    if letter in turn.collided:
        return "collided"
    if command.verb not in DEFAULTS:
        if sub.special != command.verb:
            return "not-held"
        if command.verb in turn.sides[turn.player].nullified:
            return "nullified"
    return command.word.fault(turn, sub, command.aim)


def carry_out(turn: Turn, letter: str, command: Command) -> None:
    """Carry out a line for which there is no `reason`."""
    special = specials(turn.state.setup).get(command.verb)
    numbers = special.numbers if special else {}
    command.word.does(turn, turn.subs[letter], command.aim, numbers)


# The form of a file.


class Placement(NamedTuple):
    """`a A1 torpedo`: a submarine's first cell and special (SW-3)."""

    at: Cell
    special: str


class Passive(NamedTuple):
    """`a armor`: a special that works by itself, and that nobody can order (SW-18)."""

    special: str


class OrderLine(NamedTuple):
    """An order line as understood: what the submarine `letter` does; or a word alone."""

    line: Line
    letter: str
    does: Command | Passive | Placement | str

    def illegal(self, expected: str, hint: str = "") -> Illegal:
        """The error for a line that is not allowed, by what was expected."""
        return Illegal(self.line.number, self.line.text, f"expected {expected}", hint)


_LETTERS = frozenset("".join(LETTERS))


def read_file(setup: Setup, written: Written) -> tuple[OrderLine, ...]:
    """Every line of an order file, understood; raises Malformed for faults in every position."""
    check_size(written.orders, MOST_BYTES)
    lines = tuple(read_lines(written.orders))
    if len(lines) > MOST_LINES:
        raise lines[MOST_LINES].malformed(f"at most {MOST_LINES} lines")
    orders = tuple([_order(specials(setup), line) for line in lines])
    said = [order.does for order in orders]
    for at, word in enumerate(said):
        if word in ("draw", "resign") and word in said[:at]:
            raise lines[at].malformed(f"{word!r} once at most")
    return orders


def _order(table: Specials, line: Line) -> OrderLine:
    check_plain(line)
    first, *rest = line.words
    if first in ALONE:
        if rest:
            raise line.malformed(f"nothing after {first!r}")
        return OrderLine(line, "", first)
    if first not in _LETTERS:
        raise line.wrong(*no_order(first, (*ALONE, "SUBMARINE (a to e, v to z) and what it does")))
    if not rest:
        raise line.malformed(f"what {first} does, such as '{first} move N' (or E, S, W)")
    cell = read_cell(rest[0])
    if cell is not None:
        if len(rest) != 2:
            raise line.malformed(f"a cell and a special to start with: '{first} {cell} SPECIAL'")
        return OrderLine(line, first, Placement(cell, _read_special(table, line, rest[1])))
    return OrderLine(line, first, _does(table, line, rest[0], rest[1:]))


def _does(table: Specials, line: Line, verb: str, rest: Sequence[str]) -> Command | Passive:
    """SW-5, SW-18: an order word or a special with the words after it, as its row says."""
    if verb not in DEFAULTS and verb not in table:
        known = (*DEFAULTS, *table)
        meant = [name for name in known if (row := _word(table, name)) and verb in row.habits]
        hint = f"perhaps {meant[0]!r}" if meant else did_you_mean(verb, known)
        raise line.malformed(f"one of {', '.join(known)} in place of {verb[:20]!a}", hint)
    word = _word(table, verb)
    said = f"{line.words[0]} {verb}"
    if word is None or word.aim is None:
        if rest:
            raise line.malformed(f"nothing after '{said}'")
        return _command(table, verb, word) if word else Passive(verb)
    if len(rest) != 1:
        raise line.malformed(f"'{said} {word.aim.form}")
    return _command(table, verb, word, word.aim.read(table, line, rest[0]))


# What is legal.


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
    file, seen = read_file(view.setup, written), read_view(view)
    why = _not_awaited(seen)
    if why is not None:
        raise Illegal(None, "", why)
    if not seen.begun:
        own, places = letters(seen.setup, str(seen.player)), _places(seen, file)
        lacks = next((letter for letter in own if letter not in places), None)
        if lacks is not None:
            raise Illegal(None, "", f"expected a line for each of {', '.join(own)}: no {lacks}")
        return Orders(places=places)
    _tried(seen, file)
    said = [order.does for order in file]
    lines = [
        Order(order.line.number, order.letter, order.does)
        for order in file
        if isinstance(order.does, Command)
    ]
    return Orders(tuple(lines), "draw" in said, "resign" in said)


def _not_awaited(seen: State) -> str | None:
    """Why nothing may be ordered from a view; None if its player is awaited."""
    if seen.player is None:
        return "the public view is nobody's"
    if not seen.begun or seen.turn == seen.player:
        return None
    return not_yours((seen.turn,)) if seen.turn else "the game is over"


def _places(seen: State, file: Sequence[OrderLine]) -> dict[str, Placement]:
    """SW-3: the first cells and specials in the file, perhaps not of all five; raises Illegal."""
    setup, player = seen.setup, str(seen.player)
    own, row = letters(setup, player), home_row(setup, player)
    places: dict[str, Placement] = {}
    for order in file:
        place = order.does
        if not isinstance(place, Placement):
            raise order.illegal("nothing but lines such as 'a A1 torpedo' in the setup")
        if order.letter not in own:
            raise order.illegal(f"one of your own submarines, {', '.join(own)}")
        if place.at.row != row or not place.at.on(BOARD):
            raise order.illegal(f"a cell of your home row, A{row} to G{row}, not {place.at}")
        if order.letter in places:
            raise order.illegal(f"{order.letter} to be placed once")
        if any(place.at == other.at for other in places.values()):
            raise order.illegal(f"five different cells, not {place.at} twice")
        if any(place.special == other.special for other in places.values()):
            raise order.illegal(f"five different specials, not {place.special} twice")
        places[order.letter] = place
    return places


def _tried(seen: State, file: Sequence[OrderLine]) -> tuple[Turn, int]:
    """SW-6: the turn of the file as its author can expect it, and the AP left; raises Illegal.

    The AP of all lines count together, even of lines that turn out void. Then every line is tried
    in turn on the author's view; a line that cannot be carried out is illegal.
    """
    turn, ap = Turn(seen, str(seen.player)), seen.ap or 0
    _check_each(seen, file)
    for order in file:
        if isinstance(order.does, Command):
            ap -= order.does.ap
        if ap < 0:
            raise order.illegal(f"lines for {seen.ap} AP in all: this one is too many")
    for order in file:
        if isinstance(order.does, Command):
            why = reason(turn, order.letter, order.does)
            if why is not None:
                expected = REASONS[why].format(order.letter)
                raise order.illegal(expected, _way_out(turn, order.letter, order.does.verb))
            carry_out(turn, order.letter, order.does)
    return turn, ap


def _check_each(seen: State, file: Sequence[OrderLine]) -> None:
    """SW-4, SW-17, SW-18: faults of a line that do not depend on what the submarines do."""
    own, said = letters(seen.setup, str(seen.player)), [order.does for order in file]
    for at, order in enumerate(file):
        if "stop" in said[:at]:
            raise order.illegal("no line after 'stop'")
        if order.does == "draw" and "resign" in said:
            raise order.illegal("no 'draw' together with 'resign'")
        match order.does:
            case Placement():
                raise order.illegal("an action: the setup is over")
            case Passive(name):
                raise order.illegal(f"no order for {name}: it is passive and works by itself")
            case Command(_, aim, word):
                if word.aim and aim not in word.aim.choices(specials(seen.setup)):
                    raise order.illegal(f"another special than {aim}, which cannot be named")
                if order.letter not in own:
                    raise order.illegal(f"one of your own submarines, {', '.join(own)}")


def _way_out(turn: Turn, letter: str, verb: str) -> str:
    """A hint: what the same submarine could do instead, if possible of the same kind."""
    commands = [
        command
        for own, command in candidates(turn)
        if own == letter and reason(turn, own, command) is None
    ]
    same = [command for command in commands if command.verb == verb] or commands
    some = ", ".join(written(letter, command) for command in same[:6])
    return f"legal there: {some}{', ...' if len(same) > 6 else ''}" if same else ""


# What may come next.


def after(view: View, lines: Sequence[str]) -> After:
    """What the player may write after these lines; raises what `read` raises for them.

    In the setup the choices follow the order of letters, though any order is taken. Nothing is
    offered after `stop`, nor after `resign`, which ends the game before any line.
    """
    seen = read_view(view)
    if _not_awaited(seen) is not None:
        return After((), complete=False)
    file = read_file(view.setup, Written("\n".join(lines)))
    if not seen.begun:
        return _after_places(seen, file)
    turn, ap = _tried(seen, file)
    said = [order.does for order in file]
    if "stop" in said or "resign" in said or len(file) == MOST_LINES:
        return After((), complete=True)
    choices = [_choice(turn, letter, command) for letter, command in possible(turn, ap)]
    for word, verb in ALONE.items():
        if word == "stop" or "draw" not in said:
            choices.append(Choice(word, (), f"{verb.words.capitalize()}.", word))
    return After(tuple(choices), complete=True, left=f"{ap} of {seen.ap} AP left" if ap else "")


def _after_places(seen: State, file: Sequence[OrderLine]) -> After:
    """SW-3: the next submarine, on each free cell of the home row with each free special."""
    setup, player = seen.setup, str(seen.player)
    places = _places(seen, file)
    left = [letter for letter in letters(setup, player) if letter not in places]
    held = [place.special for place in places.values()]
    taken = [place.at for place in places.values()]
    row = [Cell(column, home_row(setup, player)) for column in range(1, BOARD.columns + 1)]
    choices = tuple(
        Choice(
            f"{letter} {cell} {name}",
            (str(cell),),
            f"Place {letter} in {cell} with {name}.",
            "start",
            letter,
            picks=(name,),
        )
        for letter in left[:1]
        for cell in row
        for name in specials(setup)
        if cell not in taken and name not in held
    )
    return After(choices, complete=not left)


def _choice(turn: Turn, letter: str, command: Command) -> Choice:
    """The command as a choice. SW-7: the other side sees who is surfaced, and whoever surfaces."""
    sub, aim, goes = turn.subs[letter], command.aim, command.verb == "move"
    ahead = sub.at.step(aim) if aim in HEADINGS else sub.at
    met = turn.state.sub_at(ahead) if goes else None
    own = met is not None and turn.state.owner(met.letter) == turn.player
    return Choice(
        written(letter, command),
        (str(ahead),) if ahead != sub.at and ahead.on(BOARD) else (),
        command.word.says.format(sub=letter, at=sub.at, to=ahead, aim=aim),
        command.verb if changes(sub, command.verb) else IDLE,
        letter,
        str(sub.at),
        picks=(aim,) if aim and aim not in HEADINGS else (),
        heard="They see it." if sub.up or command.verb == "surface" else "Out of their sight.",
        cost=f"{command.ap} AP",
        goes=goes,
        warns=f"It runs into your own {met.letter}." if met and own else "",
    )


def written(letter: str, command: Command) -> str:
    """The order line of a command."""
    return " ".join(filter(None, (letter, command.verb, command.aim)))


def possible(
    turn: Turn, ap: int, among: Iterable[tuple[str, Command]] | None = None
) -> Iterator[tuple[str, Command]]:
    """The commands, of all or `among` these, that can be carried out next in a turn, for that many
    AP at most."""
    for letter, command in candidates(turn) if among is None else among:
        if command.ap <= ap and reason(turn, letter, command) is None:
            yield letter, command


def candidates(turn: Turn) -> Iterator[tuple[str, Command]]:
    """Commands for all one's own submarines, whether they can be carried out or not: by order word,
    the submarine's special before `replace`."""
    table = specials(turn.state.setup)
    *first, last = DEFAULTS
    for sub in turn.state.fleet(turn.player):
        for verb in (*first, sub.special, last):
            word = _word(table, verb)
            if word is not None:
                for aim in word.aim.choices(table) if word.aim else ("",):
                    yield sub.letter, _command(table, verb, word, aim)


def changes(sub: Sub, verb: str) -> bool:
    """Whether a verb changes something: it is allowed to surface what is surfaced."""
    return sub.up != (verb == "surface") or verb not in ("surface", "submerge")


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: one's own side after these lines, and the enemies that are seen."""
    seen = read_view(view)
    if seen.ap is None:
        return view
    turn, ap = _tried(seen, read_file(view.setup, Written("\n".join(lines))))
    then = turn.state._replace(ap=ap)
    return View(view.setup, view.player, position(then)).beside(then)
