"""Order files of Silent Ships: which are allowed, and which lines may come next (SS-12, SS-14).

A file is judged by what its author sees (SS-4 to SS-7, SS-16), so that a refusal tells nothing
hidden: each line on the sight that the lines before it leave, up to the first attack. Nobody knows
how an attack ends; so the lines after it need only be well formed, and are judged again, by the
same `check`, when they are carried out. What cannot be done then is void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from games.game import After, Choice, Illegal, Malformed, OrderError, Player, View, Written
from games.lines import Line, check_size, no_order, not_yours, read_lines
from games.options import did_you_mean
from games.silent_ships.actions import ACTIONS, is_attack
from games.silent_ships.answers import ANSWERS
from games.silent_ships.cards import NAMES
from games.silent_ships.lines import Command, LineFault
from games.silent_ships.notation import ANSWERS_AHEAD
from games.silent_ships.state import Standing, prompts
from games.silent_ships.view import Sight, sight_of, view_of
from games.silent_ships.word import Sea, Word, occasion, sea_of

MOST_BYTES = 2048
"""The most bytes of an order file's lines in its one rendering, with remarks and blank lines."""
MOST_LINES = 32
"""More lines than any turn can use: 22 ships played, moved and turned up, a swap, an offer, `end`.
"""

WORDS: Mapping[str, Word] = {**ANSWERS, **ACTIONS}
"""Every order word, in the order in which lines are offered. A new word needs a row here, and a
rule."""


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


def check(sight: Sight, command: Command) -> Command:
    """The command with whole names and the cell of its place; raises LineFault."""
    word = WORDS[command.verb]
    now = occasion(sight)
    if now not in word.when:
        raise LineFault("not-asked", _not_asked(sight, now))
    return word.check(sight, command)


def _not_asked(sight: Sight, now: str) -> str:
    return f"{_not_yours(sight)}: only `flip` lines" if now == "beside" else _BELONGS[now]


def _not_yours(sight: Sight) -> str:
    awaited = prompts(sight.setup, sight.turn, sight.attack, sight.over)
    return not_yours([prompt.player for prompt in awaited])


def leaves(sight: Sight, command: Command) -> Sight:
    """The author's sight after a checked command that is no attack, before others act."""
    return WORDS[command.verb].leaves(sight, command)


def is_decision(command: Command) -> bool:
    """Whether it answers a question in an attack (SS-12)."""
    return WORDS[command.verb].decision


def is_last(command: Command) -> bool:
    """Whether nothing may follow it."""
    return WORDS[command.verb].last


def without_offer(offers: Sequence[Player], player: Player) -> tuple[Player, ...]:
    """The offers that remain once a file of that player is used: their own lapses (SS-4)."""
    return tuple(there for there in offers if there != player)


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
    sight = sight_of(view)
    check_size(written.orders, MOST_BYTES)
    text, standing = _without_standing(written.orders)
    lines = _lines(sight, text)
    if not sight.player:
        raise Illegal(None, "", "expected a player's view: nobody orders from the public one")
    if sight.over is not None:
        raise Illegal(None, "", "the game is over; no orders are taken")
    if not lines and standing is None:
        raise Illegal(None, "", f"{_not_yours(sight)}: only `flip` or `standing` lines")
    sight = sight._replace(offers=without_offer(sight.offers, sight.player))
    return Orders(_as_written(text), _judged(sight, lines), standing)


def _as_written(text: str) -> tuple[str, ...]:
    """The lines as written, with blank ones, so that they keep their numbers."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(lines)


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


def _lines(sight: Sight, text: str) -> tuple[tuple[Line, Command], ...]:
    """The lines that count, every one well formed; raises Malformed."""
    found: list[tuple[Line, Command]] = []
    for line in read_lines(text):
        try:
            found.append((line, read_command(line)))
        except LineFault as fault:
            raise _error(sight, line, fault) from fault
        if len(found) > MOST_LINES:
            raise line.malformed(f"at most {MOST_LINES} lines, which no turn can use up")
    if not found and sight.prompt is not None:
        raise Malformed(None, "", f"expected a line; asked for is: {sight.prompt.what}")
    return tuple(found)


def _judged(sight: Sight, lines: Sequence[tuple[Line, Command]]) -> dict[int, Command]:
    """Judge lines up to the first attack; raises Illegal. The decision of an answer comes last,
    wherever it is."""
    for (_, command), (line, _) in pairwise(lines):
        if is_last(command):
            raise Illegal(line.number, line.text, f"expected nothing after `{command.verb}`")
    asked = sight.prompt if occasion(sight) == "answer" else None
    if asked is not None:
        lines = sorted(lines, key=lambda each: is_decision(each[1]))
    decided: Command | None = None
    judged: dict[int, Command] = {}
    for line, command in lines:
        try:
            checked = judged[line.number] = check(sight, command)
        except LineFault as fault:
            raise _error(sight, line, fault) from fault
        if is_attack(sight.board, checked):
            break
        # Several supports by ships are one decision.
        if decided is not None and not (decided.supports and command.supports):
            raise Illegal(line.number, line.text, "expected one decision; this is a second")
        decided = command if is_decision(command) else None
        sight = leaves(sight, checked)
    if asked is not None and not decided and not any(is_last(command) for _, command in lines):
        raise Illegal(None, "", f"expected a decision: you are asked to {asked.what}")
    return judged


def _error(sight: Sight, line: Line, fault: LineFault) -> OrderError:
    """The error that refuses the file."""
    kind = Malformed if fault.malformed else Illegal
    return kind(line.number, line.text, fault.expected, _hint(sight, line, fault))


def _hint(sight: Sight, line: Line, fault: LineFault) -> str:
    """A suggestion for a ship's name: one of the hand, or for a swap one of the sunk ships; no
    other."""
    if not fault.word:
        return fault.hint
    return did_you_mean(fault.word, sight.own.sunk if "swap" in line.words else sight.own.hand)


# What may come next.


def after(view: View, lines: Sequence[str]) -> After:
    """`next_lines`, for a view."""
    return next_lines(sight_of(view), lines)


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: up to the first attack, whose end nobody knows."""
    sight = sight_of(view)
    for each in _commands(lines):
        command = check(sight, each)
        if is_attack(sight.board, command):
            return view_of(sight)
        sight = leaves(sight, command)
    return view_of(sight)


def _commands(texts: Sequence[str]) -> Iterator[Command]:
    """The commands in lines, without standing orders, which change nothing now; raises
    LineFault."""
    for text in texts:
        for line in read_lines(text):
            if line.words[0] != STANDS:
                yield read_command(line)


def next_lines(sight: Sight, texts: Sequence[str]) -> After:
    """The lines that may come after others, which were themselves offered; raises ValueError
    otherwise.

    Before a file's first attack its author knows the effect of the lines, and the choices are
    exact. After it nobody knows, and any well-formed line is taken; so all lines are offered that
    some answer and some battle would allow.
    """
    if not sight.player or sight.over is not None:
        return After((), False)
    sight = sight._replace(offers=without_offer(sight.offers, sight.player))
    try:
        commands = list(_commands(texts))
        sea = _sea_after(sight, commands)
    except LineFault as fault:
        raise ValueError(f"lines that were not offered: {list(texts)!a:.80}: {fault}") from fault
    needed = [is_decision(each) or each.verb == "resign" for each in commands]
    complete = any(needed) if occasion(sight) == "answer" else bool(commands)
    return After(tuple(dict.fromkeys(_offered(sea, commands))), complete, _left(sight, commands))


def _left(sight: Sight, commands: Sequence[Command]) -> str:
    open_turn = occasion(sight) == "turn" and not any(is_last(each) for each in commands)
    return "your turn is not ended" if open_turn else ""


def _sea_after(sight: Sight, commands: Sequence[Command]) -> Sea:
    """What may be true after some commands; exact up to the first attack. Raises LineFault."""
    # Ships that the file turns up are face up when its decision is judged, whichever line comes
    # first.
    ordered = sorted(commands, key=is_decision)
    for at, command in enumerate(ordered):
        checked = check(sight, command)
        if is_attack(sight.board, checked):
            return _behind_attack(sight, ordered[at:])
        sight = leaves(sight, checked)
    return sea_of(sight)


def _behind_attack(sight: Sight, commands: Sequence[Command]) -> Sea:
    """What may be true after an attack and the commands behind it, any of which may be void.

    Each cell is judged alone, so this holds more than can be true at once.
    """
    hand = tuple(card for card in sight.own.hand if card not in commands[0].cards)
    sea = sea_of(sight._replace(own=sight.own._replace(hand=hand)))
    # Any ship may be face up by the time that the line after the attack is carried out.
    sea = sea.with_ships(*sea.ships)
    for command in commands:
        sea = WORDS[command.verb].may_leave(sea, command)
    return sea


def _offered(sea: Sea, commands: Sequence[Command]) -> Iterator[Choice]:
    """The lines that each word offers, if the word fits the occasion."""
    if (commands and is_last(commands[-1])) or len(commands) == MOST_LINES:
        return
    decided = [each for each in commands if is_decision(each)]
    now = occasion(sea.sight)
    for row in WORDS.values():
        # Only supports by ships can follow each other as one decision.
        if now in row.when and not (row.decision and decided and not decided[0].supports):
            yield from row.offers(sea)
