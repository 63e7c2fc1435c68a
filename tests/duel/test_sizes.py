"""The number and the sizes of moves tell nothing that a host does not tell.

`test_secrecy` finds every fact from the reader's hosted reports alone. Here the same reader goes
on: from those facts and their own orders they work out who makes which move, with how many facts of
which lengths and how many orders. That must be what was played. And a block's length follows from
these, so whoever counts messages and bytes learns nothing either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from duel.hosted import EDITIONS, Hosted, Played, silent
from duel.people import played
from duel.test_secrecy import KeptRun, Search

from adjudicator.mail import pasted
from games.game import Game, Player
from games.silent_ships import GAME as SILENT
from games.silent_ships import duel as rules_of_duels
from games.sugar_dog import GAME as SUGAR
from orders import names
from orders.bundle import Bundle, decode
from orders.duel import MOVE_SIZE, MOVE_STEP, Move, open_block
from orders.sealing import room
from orders.sshsig import Signed

ADDED = 48
"""What sealing to the other adds: an ephemeral key and a tag."""


class OtherFirst(KeptRun):
    """A run in which the other is asked first, as on their half."""

    @property
    def asked(self) -> Sequence[Player]:
        """See HalfRun."""
        return sorted(self.setup.players, key=self.half.knows)


class Told(NamedTuple):
    """The facts of a step in the order in which a half comes to them: owner and text."""

    facts: tuple[tuple[Player, str], ...]
    awaited: tuple[Player, ...]


def told_in(hosted: Hosted, reader: Player) -> Mapping[Player, list[Told]]:
    """Every step as each half goes through it, from the reader's reports and orders alone."""
    other = next(name for name in hosted.setup.players if name != reader)
    found: dict[Player, list[Told]] = {reader: [], other: []}
    half: Any = hosted.states[0]
    for step in range(1, len(hosted.states)):
        search = Search(hosted, step, reader, half)
        row = next(one for one in search.rows([]) if not search.refused(one))
        awaited = tuple(prompt.player for prompt in hosted.game.awaited(half))
        for player, run in ((reader, KeptRun), (other, OtherFirst)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(rules_of_duels, "HalfRun", run)
                half_of, done = search.run(row)
            found[player].append(Told(tuple(half_of.order), awaited))
        half = done.state
    return found


class Ghost:
    """A side of which only the order of facts is known."""

    def __init__(self, player: Player, steps: Sequence[Told]) -> None:
        self.player, self.steps = player, steps
        self.at, self.next, self.begun = 0, 0, True
        self.files = self.came_files = 0
        self.came: list[str] = []
        self.says: list[str] = []

    def go_on(self, *, moves: bool) -> None:
        """As `Side._run`: until a fact or orders of the other are needed. `moves`: it orders what
        is asked of it."""
        while self.at < len(self.steps):
            told = self.steps[self.at]
            if not self.begun:
                if self.player in told.awaited:
                    if not moves:
                        return
                    self.files += 1
                elif not self.came_files:
                    return
                else:
                    self.came_files -= 1
                self.begun = True
            while self.next < len(told.facts):
                owner, text = told.facts[self.next]
                if owner == self.player:
                    self.says.append(text)
                elif not self.came:
                    return
                else:
                    assert self.came.pop(0) == text
                self.next += 1
            self.at, self.next, self.begun = self.at + 1, 0, False

    @property
    def over(self) -> bool:
        """Whether every step is done."""
        return self.at == len(self.steps)


def moves_of(steps: Mapping[Player, list[Told]], mover: Player) -> list[tuple[Player, Any, int]]:
    """Who tells which facts and begins how many orders, move for move."""
    ghosts = {player: Ghost(player, told) for player, told in steps.items()}
    for ghost in ghosts.values():
        ghost.go_on(moves=False)
    made = []
    while not all(ghost.over for ghost in ghosts.values()):
        ghost = ghosts[mover]
        ghost.go_on(moves=True)
        made.append((mover, tuple(ghost.says), ghost.files))
        mover = next(name for name in ghosts if name != mover)
        ghosts[mover].came += ghost.says
        ghosts[mover].came_files += ghost.files
        ghost.says, ghost.files = [], 0
        ghosts[mover].go_on(moves=False)
    return made


def check(duel: Played) -> int:
    """Compare what each of the two predicts with the moves; how many there are."""
    right = [(player, said.facts, len(said.orders)) for player, said in duel.moves]
    for reader in duel.hosted.setup.players:
        assert moves_of(told_in(duel.hosted, reader), right[0][0]) == right
    return len(right)


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_of_duels, "HalfRun", KeptRun)


def test_moves_follow_from_the_readers_reports() -> None:
    """Their number, their authors, and how much is in each."""
    assert check(silent(11, {})) > 4


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS[:5], ids=str)
def test_moves_follow_in_many_games(edition: Mapping[str, Any]) -> None:
    """In games between other bots."""
    assert all(check(silent(number, edition)) for number in (0, 5, 15))


@pytest.mark.parametrize(
    ("game", "most"), [(SILENT, 3_072), (SUGAR, 4_000)], ids=["silent", "sugar"]
)
def test_a_blocks_length_follows_from_what_is_told(game: Game[Any, Any], most: int) -> None:
    """From the lengths of the facts and the number of orders: not from the orders themselves."""
    whole = played("sizes", ("random", "captain"), game=game)
    sizes = set()
    for number, move in enumerate(whole.row.moves, 1):
        facts = tuple("x" * len(fact) for fact in move.facts)
        # Tag, what is padded, and the mark of the cipher.
        orders = ("A" * -(-(32 + whole.row.room + 16) // 3) * 4,) * len(move.orders)
        same = Move("0" * 64, number, move.nonce, facts, orders).render()
        last = whole.row.digests[number - 1]
        files = Signed(same, whole.documents.files[last].file.signature).files(
            names.move(number, last)
        )
        payload = Bundle("duel", tuple(sorted(files.items()))).payload
        more = -(-max(0, len(payload) - room(MOVE_SIZE)) // MOVE_STEP)
        sealed = bytes(MOVE_SIZE + more * MOVE_STEP + ADDED)
        size = len(open_block({f"{whole.row.id[:16]}/{number:04d}.sealed": sealed}))
        # The last two bring an end too.
        if number < len(whole.row.moves) - 1:
            assert len(whole.blocks[number + 1]) == size, number
            sizes.add(size)
    assert 0 < max(sizes) < most


@pytest.mark.parametrize("game", [SILENT, SUGAR], ids=["silent", "sugar"])
def test_a_link_is_short_enough_for_a_chat(game: Game[Any, Any]) -> None:
    """Below 4,000 characters, with an address of 60, from the offer to the last end."""
    address = f"https://{'a' * 52}"
    for seed in ("sizes", "others"):
        blocks = played(seed, ("captain", "captain"), game=game).blocks
        links = [len(pasted.link(address, decode(block))) for block in blocks]
        assert max(links) < 4_000
