"""Order files of Silent Ships: which are allowed, and which lines may come next (SS-12, SS-14).

A file is judged by what its author sees (SS-4 to SS-7, SS-16), so that a refusal tells nothing
hidden: each line on what the lines before it leave to be seen, up to the first attack. Nobody knows
how an attack ends; so the lines after it need only be well formed, and are judged again, by the
same `check`, when they are carried out. What cannot be done then is void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from games.game import After, Choice, Illegal, Malformed, OrderError, Player, View, Written
from games.options import did_you_mean
from games.orders import Line, Verb, check_size, no_order, not_yours, read_lines
from games.silent_ships.actions import WORDS, crafts, is_attack
from games.silent_ships.cards import NAMES
from games.silent_ships.notation import ANSWERS_AHEAD, position, read_view
from games.silent_ships.state import (
    BOARD,
    Ship,
    Standing,
    State,
    moved,
    placed,
    places,
    turned_up,
    under_way,
    without,
)
from games.silent_ships.words import Command, LineFault, Sea, occasion, sea_of

MOST_BYTES = 2048
"""The most bytes of an order file's lines in its one rendering, with remarks and blank lines."""
MOST_LINES = 32
"""More lines than any turn can use: 22 ships played, moved and turned up, a swap, an offer, `end`.
"""

_BUTTONS = {name: button for word in WORDS.values() for name, button in word.buttons.items()}
VERBS: Mapping[str, Verb] = {
    name: _BUTTONS[name]
    for name in (
        "play", "move", "attack", "flip", "swap", "stand", "retreat", "support", "alone", "push",
        "start", "end", "offer", "resign",
    )
}  # fmt: skip
"""`Game.verbs`: in the order of the buttons."""


STANDS = "standing"
"""The first word of a line of standing orders (SS-13): it may be in any file, and commands nothing
now."""


# A line.


def read_command(line: Line) -> Command:
    """The command in a line, in any case; raises LineFault, malformed."""
    first, *words = line.words
    if first not in WORDS:
        what, hint = no_order(first, (*WORDS, STANDS))
        raise LineFault("malformed", what, malformed=True, hint=hint)
    word = WORDS[first]
    return word.read(words, word.form)


_BELONGS = {
    "setup": "expected `start`, the one line of the setup",
    "turn": "this belongs to the setup, or to an answer that you are asked for",
    "answer": "this belongs to your own turn, while no attack waits",
}
"""The messages for a word that does not fit the occasion."""


def check(seen: State, command: Command) -> Command:
    """The command with whole names and the cell of its place; raises LineFault."""
    word = WORDS[command.verb]
    now = occasion(seen)
    if now not in word.when:
        beside = f"{_not_yours(seen)}: only `flip` lines"
        raise LineFault("not-asked", beside if now == "beside" else _BELONGS[now])
    if word.asks and word.asks != (asked := under_way(seen.attack).asks):
        raise LineFault("not-asked", f"not asked for: you are asked for {asked}")
    return word.check(seen, command)


def _not_yours(seen: State) -> str:
    return not_yours([prompt.player for prompt in seen.prompts])


def is_decision(command: Command) -> bool:
    """Whether it answers a question in an attack (SS-12)."""
    return WORDS[command.verb].asks != ""


def is_last(command: Command) -> bool:
    """Whether nothing may follow it."""
    return WORDS[command.verb].last


def without_offer(offers: Sequence[Player], player: Player) -> tuple[Player, ...]:
    """The offers that remain once a file of that player is used: their own lapses (SS-4)."""
    return tuple(there for there in offers if there != player)


# What a line leaves.


def leaves(seen: State, command: Command) -> State:
    """What the author sees after a checked command that is no attack, before others act."""
    own, cells, cards = seen.own, command.cells, command.cards
    match command.verb:
        case "play":
            board = placed(seen.board, Ship(cells[0], seen.player, False, cards[0]))
            own = own._replace(hand=without(own.hand, cards))
        case "move":
            board = moved(seen.board, cells[0], cells[-1])
            own = own._replace(hand=without(own.hand, cards))
        case "flip":
            return seen._replace(board=turned_up(seen.board, cells[0]))
        case "swap":
            board = placed(seen.board, Ship(cells[0], seen.player, True, cards[0]))
            sunk = (*without(own.sunk, cards), seen.board[cells[0]].name)
            own = own._replace(sunk=sunk)
        case "offer":
            return seen._replace(offers=(*seen.offers, seen.player))
        case "support":
            attack, given = under_way(seen.attack), command.supports or ()
            supports = (*attack.supports, *(cell for cell, _ in given))
            own = own._replace(hand=without(own.hand, [card for _, card in given]))
            return seen._replace(attack=attack._replace(supports=supports)).with_own(own)
        case _:
            return seen
    return seen._replace(board=board).with_own(own)


def may_leave(sea: Sea, command: Command) -> Sea:
    """What may be true after a command behind an attack, which may be void, or is that attack."""
    cells, cards, player = command.cells, command.cards, sea.seen.player
    match command.verb:
        case "play":
            at = places(sea.seen.setup, player)[command.place] if command.place else cells[0]
            return sea.with_ships(Ship(at, player, False, cards[0]))
        case "move":
            start, before, to = cells[0], cells[-2], cells[-1]
            ships = [ship for ship in sea.ships if ship.at == start]
            if to not in sea.enemies:
                return sea.with_ships(*(ship._replace(at=to) for ship in ships)).with_cells([start])
            # The ship may be where it was, in the cell from which it attacked, or at the end of its
            # way; its target in any neighbouring cell, or out of the game.
            sea = sea.with_ships(*(ship._replace(at=at) for ship in ships for at in (before, to)))
            sea = sea.with_cells([start, before, to])
            near = [at for at in BOARD.adjacent(to) if at in sea.empty and at != before]
            return sea.with_cells([], near)
        case "swap":
            gone = [ship.name for ship in crafts(sea) if ship.at == cells[0]]
            sea = sea.with_ships(Ship(cells[0], player, True, cards[0]))
            own = sea.seen.own
            sunk = sea.cards.sort({*own.sunk, *gone})
            return sea._replace(seen=sea.seen.with_own(own._replace(sunk=sunk)))
        case "offer":
            return sea._replace(seen=leaves(sea.seen, command))
    return sea


# A file.


class Orders(NamedTuple):
    """A file that was taken: its lines as written, and its standing orders if it holds any.

    `judged`: commands by the numbers of their lines. Each is allowed after the lines before it, and
    its names are whole. In a turn they end with the first attack; in an answer the decision comes
    last. Before they are carried out the opponent can only turn ships up, which forbids no line; so
    they are carried out as they are.
    """

    lines: tuple[str, ...]
    judged: Mapping[int, Command]
    standing: Standing | None


def read(view: View, written: Written) -> Orders:
    """Orders from what a player wrote; raises Malformed or Illegal. The form of the whole file is
    judged first."""
    seen = read_view(view)
    check_size(written.orders, MOST_BYTES)
    text, standing = _without_standing(written.orders)
    lines = _lines(seen, text)
    if not seen.player:
        raise Illegal(None, "", "expected a player's view: nobody orders from the public one")
    if seen.over is not None:
        raise Illegal(None, "", "the game is over; no orders are taken")
    if not lines and standing is None:
        raise Illegal(None, "", f"{_not_yours(seen)}: only `flip` or `standing` lines")
    seen = seen._replace(offers=without_offer(seen.offers, seen.player))
    # Blank lines stay, so that the others keep their numbers.
    rows = text.split("\n")
    while rows and not rows[-1].strip():
        rows.pop()
    return Orders(tuple(rows), _judged(seen, lines), standing)


def _without_standing(text: str) -> tuple[str, Standing | None]:
    """The lines with a blank one for each of standing orders (SS-13), and these; None if there are
    none. Raises Malformed."""
    rows = text.split("\n")
    found: dict[str, Any] = {}
    for line in read_lines(text):
        if line.words[0] == STANDS:
            key, value = _standing(line)
            if key in found:
                raise line.malformed(f"`{STANDS} {key}` once at most")
            found[key] = value
            rows[line.number - 1] = ""
    return "\n".join(rows), Standing(**found) if found else None


def _standing(line: Line) -> tuple[str, Any]:
    """What a line of standing orders answers, and how; raises Malformed."""
    key, *words = line.words[1:] or ("",)
    said = " ".join(words)
    if key in ANSWERS_AHEAD and said in ANSWERS_AHEAD[key]:
        return key, said
    if key in ANSWERS_AHEAD:
        raise line.malformed(f"`{STANDS} {key}` and one of {', '.join(ANSWERS_AHEAD[key])}")
    if key != "discard":
        raise line.malformed(f"`{STANDS} retreat`, `{STANDS} support` or `{STANDS} discard`")
    names = [] if said == "none" else ["-".join(part.split()) for part in said.split(",")]
    for name in names:
        if name not in NAMES:
            hint = did_you_mean(name, NAMES)
            raise line.malformed(
                f"ships' full names with commas, or `none`; {name!a} is none", hint
            )
        if names.count(name) > 1:
            raise line.malformed(f"each ship once; {name!r} is there twice")
    return key, tuple(names)


def _lines(seen: State, text: str) -> tuple[tuple[Line, Command], ...]:
    """The lines that count, every one well formed; raises Malformed."""
    found: list[tuple[Line, Command]] = []
    for line in read_lines(text):
        try:
            found.append((line, read_command(line)))
        except LineFault as fault:
            raise _error(seen, line, fault) from fault
        if len(found) > MOST_LINES:
            raise line.malformed(f"at most {MOST_LINES} lines, which no turn can use up")
    if not found and seen.prompt is not None:
        raise Malformed(None, "", f"expected a line; asked for is: {seen.prompt.what}")
    return tuple(found)


def _judged(seen: State, lines: Sequence[tuple[Line, Command]]) -> dict[int, Command]:
    """Judge lines up to the first attack; raises Illegal. The decision of an answer comes last,
    wherever it is."""
    for (_, command), (line, _) in pairwise(lines):
        if is_last(command):
            raise Illegal(line.number, line.text, f"expected nothing after `{command.verb}`")
    asked = seen.prompt if occasion(seen) == "answer" else None
    if asked is not None:
        lines = sorted(lines, key=lambda each: is_decision(each[1]))
    decided: Command | None = None
    judged: dict[int, Command] = {}
    for line, command in lines:
        try:
            checked = judged[line.number] = check(seen, command)
        except LineFault as fault:
            raise _error(seen, line, fault) from fault
        if is_attack(seen.board, checked):
            break
        # Several supports by ships are one decision.
        if decided is not None and not (decided.supports and command.supports):
            raise Illegal(line.number, line.text, "expected one decision; this is a second")
        decided = command if is_decision(command) else None
        seen = leaves(seen, checked)
    if asked is not None and not decided and not any(is_last(command) for _, command in lines):
        raise Illegal(None, "", f"expected a decision: you are asked to {asked.what}")
    return judged


def _error(seen: State, line: Line, fault: LineFault) -> OrderError:
    """The error that refuses the file."""
    kind = Malformed if fault.malformed else Illegal
    return kind(line.number, line.text, fault.expected, _hint(seen, line, fault))


def _hint(seen: State, line: Line, fault: LineFault) -> str:
    """A suggestion for a ship's name: one of the hand, or for a swap one of the sunk ships; no
    other."""
    if not fault.word:
        return fault.hint
    return did_you_mean(fault.word, seen.own.sunk if "swap" in line.words else seen.own.hand)


# What may come next.


def after(view: View, lines: Sequence[str]) -> After:
    """`next_lines`, for a view."""
    return next_lines(read_view(view), lines)


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: up to the first attack, whose end nobody knows."""
    seen = read_view(view)
    for each in _commands(lines):
        command = check(seen, each)
        if is_attack(seen.board, command):
            break
        seen = leaves(seen, command)
    return View(view.setup, view.player, position(seen)).beside(seen)


def _commands(texts: Sequence[str]) -> Iterator[Command]:
    """The commands in lines, without standing orders, which change nothing now; raises
    LineFault."""
    for text in texts:
        for line in read_lines(text):
            if line.words[0] != STANDS:
                yield read_command(line)


def next_lines(seen: State, texts: Sequence[str]) -> After:
    """The lines that may come after others, which were themselves offered; raises ValueError
    otherwise.

    Before a file's first attack its author knows the effect of the lines, and the choices are
    exact. After it nobody knows, and any well-formed line is taken; so all lines are offered that
    some answer and some battle would allow.
    """
    if not seen.player or seen.over is not None:
        return After((), False)
    seen = seen._replace(offers=without_offer(seen.offers, seen.player))
    try:
        commands = list(_commands(texts))
        sea = _sea_after(seen, commands)
    except LineFault as fault:
        raise ValueError(f"lines that were not offered: {list(texts)!a:.80}: {fault}") from fault
    needed = [is_decision(each) or each.verb == "resign" for each in commands]
    complete = any(needed) if occasion(seen) == "answer" else bool(commands)
    choices: dict[str, Choice] = {}
    for choice in _offered(sea, commands):
        # After an attack two ships that may be in one cell are offered the same lines.
        choices.setdefault(choice.text, choice)
    open_turn = occasion(seen) == "turn" and not any(is_last(each) for each in commands)
    left = "your turn is not ended" if open_turn else ""
    return After(tuple(choices.values()), complete, left)


def _sea_after(seen: State, commands: Sequence[Command]) -> Sea:
    """What may be true after some commands; exact up to the first attack. Raises LineFault."""
    # Ships that the file turns up are face up when its decision is judged, whichever line comes
    # first.
    ordered = sorted(commands, key=is_decision)
    for at, command in enumerate(ordered):
        checked = check(seen, command)
        if is_attack(seen.board, checked):
            return _behind_attack(seen, ordered[at:])
        seen = leaves(seen, checked)
    return sea_of(seen)


def _behind_attack(seen: State, commands: Sequence[Command]) -> Sea:
    """What may be true after an attack and the commands behind it, any of which may be void.

    Each cell is judged alone, so this holds more than can be true at once.
    """
    hand = tuple(card for card in seen.own.hand if card not in commands[0].cards)
    sea = sea_of(seen.with_own(seen.own._replace(hand=hand)))
    # Any ship may be face up by the time that the line after the attack is carried out.
    sea = sea.with_ships(*sea.ships)
    for command in commands:
        sea = may_leave(sea, command)
    return sea


def _offered(sea: Sea, commands: Sequence[Command]) -> Iterator[Choice]:
    """The lines that each word offers, if the word fits the occasion."""
    if (commands and is_last(commands[-1])) or len(commands) == MOST_LINES:
        return
    decided = [each for each in commands if is_decision(each)]
    now, attack = occasion(sea.seen), sea.seen.attack
    # Only supports by ships can follow each other as one decision.
    asked = "" if attack is None or (decided and not decided[0].supports) else attack.asks
    for row in WORDS.values():
        if now in row.when and row.asks in ("", asked):
            yield from row.offers(sea)
