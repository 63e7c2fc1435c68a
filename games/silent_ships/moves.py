"""What a line may do, judged from what its author sees, and what may come after some lines.

What belongs here: the table of order words, and the functions that read a line, judge it (SS-4 to
SS-7, SS-12, SS-16), and say what it leaves of its author's sight and which lines may be next. The
same judgement refuses a line when it is read and makes it void when it is carried out. What it must
not know: states, events, and any single order word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.game import After, Choice, Player, View
from games.lines import Line, read_lines
from games.options import did_you_mean
from games.silent_ships.actions import ACTIONS, is_attack
from games.silent_ships.answers import ANSWERS
from games.silent_ships.lines import Command, LineFault, not_understood
from games.silent_ships.view import Sight, sight_of
from games.silent_ships.word import Sea, Word, occasion, sea_of

MOST_LINES = 32
"""More lines than any turn can use: 22 ships played, moved and turned up, a swap, an offer, `end`.
"""

WORDS: Mapping[str, Word] = {**ANSWERS, **ACTIONS}
"""Every order word, in the order in which lines are offered. A new word needs a row here, and a
rule."""


def read_command(line: Line) -> Command:
    """The command in a line, in any case; raises LineFault, malformed."""
    first, *words = line.words
    if first not in WORDS:
        expected = f"a line that begins with one of {', '.join(WORDS)}"
        raise not_understood(expected, did_you_mean(first, WORDS))
    word = WORDS[first]
    return word.read(words, word.form)


_BELONGS = {
    "setup": "expected `start`, the one line of the setup",
    "turn": "this belongs to the setup, or to an answer that you are asked for",
    "answer": "this belongs to your own turn, while no attack waits",
    "beside": "you are not awaited: expected `flip` lines only",
}
"""The messages for a word that does not fit the occasion."""


def check(sight: Sight, command: Command) -> Command:
    """The command with whole names and the cell of its place; raises LineFault."""
    word = WORDS[command.verb]
    now = occasion(sight)
    if now not in word.when:
        raise LineFault("not-asked", _BELONGS[now])
    return word.check(sight, command)


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


# What may come next.


def after(view: View, lines: Sequence[str]) -> After:
    """`next_lines`, for a view."""
    return next_lines(sight_of(view), lines)


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
        commands = [read_command(line) for text in texts for line in read_lines(text)]
        sea = _sea_after(sight, commands)
    except LineFault as fault:
        raise ValueError(f"lines that were not offered: {list(texts)!a:.80}: {fault}") from fault
    needed = [is_decision(each) or each.verb == "resign" for each in commands]
    complete = any(needed) if occasion(sight) == "answer" else bool(commands)
    return After(tuple(dict.fromkeys(_offered(sea, commands))), complete)


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
    for word in WORDS.values():
        # Only supports by ships can follow each other as one decision.
        if now in word.when and not (word.decision and decided and not decided[0].supports):
            yield from word.offers(sea)
