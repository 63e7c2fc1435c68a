"""A host's desk: one game that is hosted here, offered or under way.

Whatever carries the bundles (files, mail, git), the same is done with them: what came is taken in,
the game goes on when something is due, and it is said what leaves for whom. This module does that,
as `player.table` does for a player; a carrier only fetches and sends. What it must not know: how
bundles travel, what is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from adjudicator.core import bundles, opening
from adjudicator.core.bundles import about
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import read_or_none
from adjudicator.host import begin
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters, TakenLetter
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from games.game import Player
from orders import names
from orders.bundle import Bundle
from orders.documents import Join, Receipt, read_receipt
from orders.errors import Refused
from orders.fields import Digest, Time, digest
from orders.keys import Signer
from orders.sshsig import Signed


class Taken(NamedTuple):
    """What came of a bundle, and what leaves for it, by player.

    Of a join: `join`, and whether it `asks` for a seat of a game that has begun. Of an order: its
    `receipt` and `answer`, the receipt's file, and whether it is `new`, not the one that was given
    before. Of a letter: `letter`. `warnings`: what the host must see to.
    """

    player: Player
    leaves: Mapping[Player, Bundle]
    join: Join | None = None
    asks: bool = False
    receipt: Receipt | None = None
    answer: Signed | None = None
    new: bool = True
    letter: TakenLetter | None = None
    warnings: Sequence[str] = ()

    @property
    def what(self) -> str:
        """What it was, in words."""
        one = self.receipt
        if one is not None:
            return f"order of {one.player}, step {one.step}, revision {one.revision}: {one.status}"
        if self.letter is not None:
            return f"letter {self.letter.letter.number} of {self.player}"
        return f"join as {self.player}"


class Desk:
    """A game at its host."""

    def __init__(
        self,
        record: Record,
        sign: Callable[[], Signer],
        clock: Clock,
        doubts: Callable[[str], None] | None = None,
    ) -> None:
        """`sign` finds the host's key once something is to be signed; `doubts`: as for `Host`.
        Raises Missing or Refused if the record holds no game that this machine hosts."""
        self.record = record
        self._sign = sign
        self.clock = clock
        self.doubts = doubts
        self.known: Time | None = None
        """As of `Host`."""
        self.folder = HostFolder(record.host)
        self.folder.master()
        self.offer = opening.read_offer(record)
        self.room = WaitingRoom(self.folder, self.offer)
        self.closed = ""
        """Why nobody can join any more, in a game that never begins; "" where it may."""
        self._host: Host | None = None
        self._slips: dict[tuple[Player, int, int], Digest] | None = None

    @cached_property
    def signer(self) -> Signer:
        """The host's signer; raises Refused."""
        return self._sign()

    @property
    def name(self) -> str:
        """The game's name."""
        return self.offer.name

    @property
    def id(self) -> Digest:
        """The game's id once it has begun, and the invite's digest before that."""
        genesis = read_or_none(self.record, names.entry(0))
        return self.offer.digest if genesis is None else digest(genesis)

    @property
    def wanted(self) -> int | None:
        """How many begin the game as soon as they have joined; None: the host says when."""
        return self.folder.seats()

    @property
    def host(self) -> Host | None:
        """The game, verified once, None before it begins; raises Refused if its record does not
        hold."""
        if self._host is None and self.record.last_step() is not None:
            self._host = Host(self.record, self.signer, self.clock, self.doubts)
            self._host.known = self.known
        return self._host

    def begun(self) -> Host:
        """The game; raises Refused if it has not begun."""
        if self.host is None:
            raise Refused("not-yet", "the game has not begun")
        return self.host

    def reread(self) -> None:
        """Read the record anew, as entries were taken back or brought, or a seat changed hands."""
        self._host = None

    # In.

    def wants(self, bundle: Bundle) -> bool:
        """Whether a bundle is for this game; raises Refused for one that names none."""
        return about(bundle) == (self.offer.digest if bundle.kind == "join" else self.id)

    def has(self, bundle: Bundle) -> bool:
        """Whether a bundle was taken in before, so that nothing new is signed for it."""
        path, data = bundles.document(bundle)
        if bundle.kind == "order":
            known = self.folder.receipt(digest(data))
            return known is not None and read_receipt(known.data).status != "absent"
        if bundle.kind == "join":
            seated = {} if self.host is None else self.host.seated()
            return self.waiting_join(digest(data)) is not None or any(
                one.render() == data for one in seated.values()
            )
        return self.letter_of(path.rpartition("/")[2].removesuffix(".toml")) is not None

    def waiting_join(self, key: Digest) -> Bundle | None:
        """The join with that digest, if it waits."""
        return next(
            (one for one in self.room.bundles() if digest(bundles.document(one)[1]) == key), None
        )

    def letter_of(self, key: str) -> tuple[Bundle, str] | None:
        """The letter PLAYER-NUMBER and its file's name; None if it is not here."""
        player, _, number = key.rpartition("-")
        if self.host is None or not number.isdecimal():
            return None
        return Letters(self.host).find(player, int(number))

    def take(self, bundle: Bundle) -> Taken:
        """Take in a join, an order or a letter; raises Refused. A second time it has no effect."""
        if bundle.kind == "join":
            with self.record.locked():
                if self.record.last_step() is None:
                    if self.closed:
                        raise Refused("over", self.closed)
                    join = self.room.take(bundle)
                    return Taken(join.player, {}, join)
            # Once the game has begun it is left to who has it.
            join = self.room.read(bundle)
            ledger = Ledger.read(self.record, self.folder.mark())
            seated = [joins.get(join.player) for joins in (ledger.opening.joins, ledger.last.joins)]
            asks = join not in seated
            return Taken(join.player, {}, join, asks=asks)
        if bundle.kind == "letter":
            letter = Letters(self.begun()).take(bundle)
            return Taken(letter.letter.player, letter.passed, letter=letter)
        known = self.folder.receipt(digest(bundles.document(bundle)[1]))
        answer = self.begun().submit(bundle)
        receipt = read_receipt(answer.data)
        return Taken(
            receipt.player,
            {receipt.player: bundles.of_receipt(answer)},
            receipt=receipt,
            answer=answer,
            new=known is None or known.data != answer.data,
            warnings=self._twins(receipt),
        )

    def _twins(self, receipt: Receipt) -> list[str]:
        """A line if another slip of that player's is known for the same step and revision."""
        if self._slips is None:
            host, self._slips = self.begun(), {}
            for player, slip in host.last.slips.items():
                used = host.last.entry.slips[player].digest
                self._slips[player, slip.step, slip.revision] = used
            for player, one in host.folder.waiting().items():
                self._slips[player, *one.order.place] = one.order.file.digest
        place = (receipt.player, receipt.step, receipt.revision)
        if self._slips.setdefault(place, receipt.slip) == receipt.slip:
            return []
        return [
            f"{receipt.player} has signed two different orders as step {receipt.step}, revision "
            f"{receipt.revision}: two copies of one seat, or somebody else has the key"
        ]

    # Going on.

    def start(self, joins: Sequence[Bundle]) -> Bundle:
        """Genesis with these joins, in this order; raises Refused. Returns its bundle."""
        self.reread()
        return begin.start(self.record, joins, self.signer, self.clock)

    def go_on(self, spare: Callable[[], bool] | None = None, *, late: bool = False) -> bool:
        """Let the game go on by one act, and return whether one was due. Raises Refused.

        It begins once all who were asked for have joined. `spare` moves deadlines that nobody need
        keep, as an absence does. `late`: without the players who are overdue.
        """
        host = self.host
        if host is not None:
            grant = Letters(host).grant
            return host.go_on(lambda: grant() or (spare is not None and spare()), late=late)
        if self.closed or self.wanted is None or len(self.room.joins()) < self.wanted:
            return False
        self.start(self.room.bundles())
        return True

    def advance(self, *, late: bool = False) -> range:
        """Do all that is due; returns the new steps. Raises Refused."""
        first = 0 if self.host is None else self.host.last.step + 1
        # One act may do without overdue players; for what follows they are waited for again.
        while self.go_on(late=late):
            late = False
        return range(first, 0 if self.host is None else self.host.last.step + 1)

    # Out.

    def leaves(self, steps: Sequence[int]) -> Iterator[tuple[int, Player | None, int, Bundle]]:
        """What leaves with these entries: of each step the bundles, each with the player for whom
        it is, None if it is for everybody, and its number among several of one reader's."""
        host = self.begun()
        for step in steps:
            for player in tuple(host.ledger.link(step).entry.reports) or (None,):
                for number, bundle in enumerate(host.bundles([step], player), 1):
                    yield step, player, number, bundle
