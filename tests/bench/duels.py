"""How many moves and bytes a duel takes, and whether it is the hosted game, in many random games.

Run it: `PYTHONPATH=tests python tests/bench/duels.py [GAMES [FIRST [GAME]]]`. For each edition of
Silent Ships, and for Sugar Dog with its options and from crowded positions, it plays so many duels
between all pairs of bots, from that number on, and compares every report with a host's before its
reader orders. Then it plays some duels between captains through their real blocks. GAME is
`silent-ships` or `sugar-dog`.

Blocks are those but the last two, which hold ends too. "Audited" is the time in which both
sides make and take in a move again, in V, the time of one bare Ed25519 verification; "answered" the
time to take a block in and to make the next one, without the bot that thinks. In Sugar Dog both are
also told without the doors.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from duel import people
from duel.hosted import EDITIONS, SUGAR_OPTIONS, PlainDoors, Played, dense, silent, sugar

from adjudicator.duel import audit, side
from adjudicator.machine.duel import Person, play
from games.game import Game
from games.silent_ships import GAME as SILENT
from games.sugar_dog import GAME as SUGAR
from orders import crypto, doors
from orders.doors import Doors
from orders.sshsig import Signed

T = TypeVar("T", int, float)
Row = tuple[str, str, Callable[[int], Played]]


def rows() -> Iterator[Row]:
    """A game, what is played of it, and how."""
    for edition in EDITIONS:
        yield SILENT.id, _name(edition) or "print", partial(_silent, edition)
    for options in SUGAR_OPTIONS:
        yield SUGAR.id, _name(options) or "sugar dog", partial(_sugar, options)
    yield SUGAR.id, "crowded", lambda number: dense(number, {})
    yield SUGAR.id, "crowded, quiet=3", lambda number: dense(number, {"quiet": 3})


def _silent(edition: Mapping[str, Any], number: int) -> Played:
    return silent(number, edition)


def _sugar(options: Mapping[str, Any], number: int) -> Played:
    return sugar(number, options)


def _name(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items())


def main() -> None:
    """Print the figures of each row, and of real duels."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(f"{games} duels of each kind; all reports are a host's")
    for game, name, kind in rows():
        if sys.argv[3:] in ([], [game]):
            _compared(name, kind, range(first, first + games))
    for game in (SILENT, SUGAR):
        if sys.argv[3:] in ([], [game.id]):
            _real(game, min(games, 10))


def _compared(name: str, play: Callable[[int], Played], numbers: Sequence[int]) -> None:
    began = time.process_time()
    moves = turns = steps = reports = idle = files = 0
    for number in numbers:
        played = play(number)
        moves += len(played.moves)
        turns += played.turns
        steps += len(played.hosted.events)
        reports += played.compared
        idle += sum(not said.orders for _, said in played.moves)
        files += sum(len(said.orders) > 1 for _, said in played.moves)
    took = time.process_time() - began
    print(
        f"{name:>20}  {steps:7} steps, {reports:7} reports, {moves / turns:5.2f} moves a turn, "
        f"{100 * idle // moves:2} % without orders, {100 * files // moves:2} % with several, "
        f"{1000 * took / len(numbers):6.1f} ms a game",
        flush=True,
    )


class Timed(Person):
    """A person who notes how long they take for each block."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.took: list[float] = []
        self.came = 0.0

    def take(self, block: bytes) -> None:
        """See Person."""
        began = time.process_time()
        super().take(block)
        self.came = time.process_time() - began

    def go_on(self) -> Mapping[str, Signed]:
        """See Person."""
        while self.at.prompt is not None:
            self.order()
        began = time.process_time()
        made = super().go_on()
        if made:
            self.at.block()
            self.took.append(self.came + time.process_time() - began)
        return made


def forget() -> None:
    """Forget every door that was reckoned: who verifies a duel has not played it."""
    for kept in vars(doors).values():
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()
    doors._made.clear()


def _played(seed: str, game: Game[Any, Any]) -> people.Duel:
    """A duel between captains."""
    one, other = (
        people.person(name, "captain", seed, Timed, game=game) for name in ("alice", "bob")
    )
    blocks = [moment.block for moment in play(one, other, game, people.NO_OPTIONS)]
    return people.Duel((one, other), blocks)


def _real(game: Game[Any, Any], count: int) -> None:
    """Sizes of blocks, and times, of duels between captains through their real blocks."""
    kinds = [Doors, PlainDoors] if game is SUGAR else [Doors]
    for kind in kinds:
        sizes: list[int] = []
        took: list[float] = []
        moves = turns = verdicts = 0
        judging = 0.0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(side, "Doors", kind)
            for number in range(count):
                duel = _played(f"bench/{number}", game)
                whole = duel.documents
                forget()
                began = time.process_time()
                verdicts += audit.judge(whole)[0].word == "true"
                judging += time.process_time() - began
                sizes += map(len, duel.blocks[:-2])
                took += [one for person in duel.people for one in person.took]  # type: ignore[attr-defined]
                moves += len(duel.row.moves)
                turns += sum(
                    event["kind"] == "turn"
                    for heard in duel.people[0].at.side.heard
                    for event in heard.events
                )
        v = _verification()
        name = game.title if kind is Doors else f"{game.title}, without doors"
        print(
            f"{name:>25}: {moves / turns:4.2f} moves a turn; blocks of {_median(sizes)} bytes, at "
            f"most {max(sizes)}; a move audited in {judging / moves / v:5.1f} V, "
            f"answered in {_median(took) / v:4.1f} V, at most {max(took) / v:4.1f} V; "
            f"{verdicts} of {count} true"
        )


def _median(sizes: Sequence[T]) -> T:
    return sorted(sizes)[len(sizes) // 2]


def _verification() -> float:
    """V, in seconds."""
    public = crypto.ed25519_public(bytes(32))
    signature = crypto.ed25519_sign(bytes(32), b"move")
    crypto.ed25519_verify(public, b"move", signature)
    began = time.process_time()
    for _ in range(1_000):
        crypto.ed25519_verify(public, b"move", signature)
    return (time.process_time() - began) / 1_000


if __name__ == "__main__":
    main()
