"""A duel on this machine: the folder NAME.duel, private. It can be verified as it is.

| file | holds |
|---|---|
| `me.toml` | the player's name, the place of the signing key, and the secret, 32 bytes, which nobody else may see before the end |
| `party.json` | the row that is played: the digest of its last document, and when it came; orders given since; after a restore, behind which document the other is asked; moves beside it that were answered already |
| `plan` | orders that were typed at the prompt and not sent |
| `sent` | the digests of the blocks that have left, a line each |
| `other`, `thread`, `seen` | by mail: the other's address, and Message-IDs (`mail.duel`) |
| `told` | what the setting `tell` has told: `cli.notices` |
| `looked` | when mails were looked for last, once the duel is over |

All else are the duel's documents. Whatever carries the blocks (files, mail, the page), a
`DuelTable` takes in what came, makes what is due and says what must leave; a carrier only fetches
and sends.
"""  # noqa: E501 - a table

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.source import MemoryFiles, read_or_none
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder
from games.game import Player, Written
from orders import names, toml
from orders.bundle import Bundle, encode
from orders.duel import DuelBlock, of_bundle
from orders.errors import TEMPORARY, Refused
from orders.fields import Digest, digest
from orders.secrets import DuelSecret

if TYPE_CHECKING:
    from adjudicator.core.source import Source
    from adjudicator.duel.party import Party
    from adjudicator.player.table import TakenBundles
    from adjudicator.store.clock import Clock
    from orders.keys import Signer

ME, PARTY = "me.toml", "party.json"
SUFFIX = ".duel"
AFTER, _LOOKED = 30 * deadlines.DAY, "looked"
"""Seconds for which a duel that is over listens; and the note of the last look."""
_LARGEST = 2**20


class Home(PrivateFolder):
    """A duel's folder: who plays, and with which key."""

    def __init__(self, root: Path, player: Player, key: Path, secret: DuelSecret) -> None:
        super().__init__(root)
        self.player = player
        self.key = key
        self.secret = secret

    @classmethod
    def create(cls, root: Path, player: Player, key: Path, secret: DuelSecret) -> Home:
        """A new folder; raises Refused `exists`."""
        if root.exists():
            raise Refused(
                "exists", f"{str(root)!a} is there already", "give yourself another name: --name"
            )
        files.make_folder(root, 0o700)
        home = cls(root, player, key, secret)
        home.write(ME, home.me)
        return home

    @classmethod
    @contextmanager
    def begun(cls, root: Path, player: Player, key: Path, secret: DuelSecret) -> Iterator[Home]:
        """A new folder in another place while it is filled; then it is there, whole. Raises Refused
        `exists`."""
        part = root.with_name(f"{root.name}.part")
        # What a process left that ended while it filled it; nothing of that was ever sent.
        shutil.rmtree(part, ignore_errors=True)
        yield cls.create(part, player, key, secret)
        part.rename(root)
        files.sync_folder(root.absolute().parent)

    @property
    def me(self) -> bytes:
        """Who plays, as it is kept."""
        key = files.relative(self.key, self.root)
        return toml.render({"player": self.player, "key": key, "secret": self.secret.hex})

    @classmethod
    def open(cls, root: Path) -> Home:
        """The duel in a folder; raises Refused."""
        files.check_private(root)
        return cls.of(root, files.read(root / ME, _LARGEST))

    @classmethod
    def of(cls, root: Path, me: bytes) -> Home:
        """The duel of that folder, by who plays; raises Refused."""
        values = toml.parse(me, _LARGEST)
        try:
            secret = DuelSecret(bytes.fromhex(values["secret"]))
            return cls(root, str(values["player"]), files.noted(values["key"], root), secret)
        except (KeyError, TypeError, ValueError):
            path = str(root / ME)
            raise Refused("malformed", f"{path!a}: expected player, key and secret") from None

    @property
    def id(self) -> Digest:
        """The digest of the offer, which names the duel; raises Missing or Refused."""
        return digest(self.read(names.OFFER))

    @property
    def source(self) -> MemoryFiles:
        """The duel's documents."""
        return MemoryFiles({path: self.read(path) for path in self.paths() if names.is_duels(path)})

    def party(self) -> Party:
        """What this player sends and takes in; raises Refused."""
        # Who has no duel here need not load what a duel is.
        from adjudicator.duel import documents
        from adjudicator.duel.party import Party

        held = read_or_none(self, PARTY)
        kept = json.loads(held or b"{}")
        kept["pending"] = [Written(*one) for one in kept.get("pending", ())]
        return Party(documents.read(self.source), self.player, self.secret, **kept)

    def keep(self, party: Party) -> None:
        """Keep what a party holds: documents first, then how far it is. A file that a process left
        half written is written again."""
        here = self.source.held
        held = party.documents.held(party.row.accepted)
        if new := {path: data for path, data in held.items() if here.get(path) != data}:
            self.add([new])
        kept = {
            "pending": party.pending, "on": party.row.last, "since": party.since,
            "asking": party.asking, "answered": party.answered,
        }  # fmt: skip
        self.write(PARTY, json.dumps(kept).encode("ascii"))


ANSWER, QUESTION, LACKED = "your answer", "a question", "what the other lacks"
"""What a block is that no decision of its player is in."""


class Leaving(NamedTuple):
    """A block for the other. `name`: what its file is called, without ending; `what`: ANSWER,
    QUESTION or LACKED, or "" for what its player decided."""

    data: bytes
    name: str
    what: str = ""


class DuelTable:
    """A side of a duel in use: its folder, and the party that is played.

    What came or was made is kept before anything else is done with it. `forgets` is told of orders
    that never left, as the row is another now or the duel has ended, before they are forgotten.
    """

    def __init__(
        self,
        home: Home,
        clock: Clock,
        forgets: Callable[[Written], object],
        party: Party | None = None,
    ) -> None:
        """`party`: of a side that begins; else what the folder holds. Raises Refused."""
        self.home = home
        self.clock = clock
        self.forgets = forgets
        self.party = home.party() if party is None else party
        self.lacks = False
        """Whether a block came that follows what is not here."""
        self.changed = False
        self._kept = self._state()
        self._first = self.here
        self._told = self._steps()
        self._used: set[Digest] = set()
        self._own: set[Digest] = set()

    @property
    def here(self) -> int:
        """How many documents are here."""
        return len(self.party.documents.files)

    @property
    def new(self) -> int:
        """How many of them came or were made at this table."""
        return self.here - self._first

    def keep(self) -> None:
        """Keep what the party holds, if it is not what the folder holds."""
        for one in self.party.dropped:
            self.forgets(one)
        if self.party.dropped or self._state() != self._kept:
            self.party.dropped.clear()
            self.home.keep(self.party)
            self._kept, self.changed = self._state(), True

    def _state(self) -> tuple[object, ...]:
        party = self.party
        here = len(party.documents.files), party.row.last, party.since
        return *here, len(party.pending), party.asking, len(party.answered)

    # In.

    def take(self, given: Iterable[tuple[str, Bundle]], taken: TakenBundles) -> None:
        """Take in blocks of this duel, each with the name by which its player knows it, in any
        order; one's own are passed over.

        A block's fault is told by that name and harms no other; what follows moves that are not
        here is `left`. Raises Refused only if nothing can be written now.
        """
        found = [(of_bundle(bundle), bundle.digest, where)
                 for where, bundle in given if not self.has_sent(encode(bundle))]  # fmt: skip
        try:
            for block, name, where in sorted(found, key=lambda one: one[0].number):
                try:
                    self._take(block)
                except Refused as error:
                    if error.word in TEMPORARY:
                        raise
                    if error.word == "unopenable" and self._wrote(block):
                        self._own.add(name)
                        continue
                    taken.warnings.append(f"{where}: {error}")
                    taken.left += [where] * (error.word == "not-yet")
                else:
                    self._used.add(name)
        finally:
            self.keep()

    def take_one(self, block: DuelBlock) -> None:
        """The same with one block; raises Refused."""
        try:
            self._take(block)
        finally:
            self.keep()

    def _take(self, block: DuelBlock) -> None:
        try:
            self.party.take_block(block, self.clock.now())
        except Refused as error:
            self.lacks |= error.word == "not-yet" and bool(block.sealed)
            raise

    def take_pack(self, source: Source) -> int:
        """Take in what a file of this duel has and this side lacks: how many documents; raises
        Refused."""
        from adjudicator.duel import documents

        theirs, before = documents.read(source), self.here
        if theirs.id != self.party.documents.id:
            raise Refused("other-game", "this file is of another duel")
        came = {one.path: one.file for one in theirs.files.values() if one.accept}
        try:
            self.party.take(came, self.clock.now())
        finally:
            self.keep()
        return self.here - before

    def listens(self) -> bool:
        """Whether mails may still come from the other: once the duel is over for a while, in which
        they may ask for moves. Where nobody has looked for so long, perhaps as a clock was wrong
        until now, that while begins anew."""
        party, notes, time = self.party, self.home, self.clock.now()
        if not (party.ended and party.is_left):
            return True
        last = next(iter(notes.lines(_LOOKED)), "")
        if not last or deadlines.between(last, time) > AFTER:
            party.since = time
            self.keep()
        notes.keep_lines(_LOOKED, [time])
        return deadlines.between(party.since, time) <= AFTER

    def has(self, bundle: Bundle) -> bool:
        """Whether a block is of no more use here: it was taken in at this table, or it is one's
        own and was answered."""
        if bundle.digest not in self._own and not self.has_sent(encode(bundle)):
            return bundle.digest in self._used
        block, row = of_bundle(bundle), self.party.row
        if block.sealed:
            return len(row.moves) > block.number
        return len(row.moves) > (0 if names.ACCEPT in block.files else -1) and bool(row.accept)

    def _wrote(self, block: DuelBlock) -> bool:
        """Whether a block that opens for the other alone ends with a move of this player's: it left
        elsewhere, or before this side was restored."""
        row = self.party.row
        number = block.number if row.accept is not None else 0
        return bool(number) and row.author_of(number) == self.party.player

    # Out.

    def order(self, given: Written) -> None:
        """Take this player's orders; raises Refused, Malformed or Illegal."""
        self.party.order(given)
        self.keep()

    def go_on(self, signer: Signer) -> bool:
        """Make the move that is due, and the end where it is; whether there was any."""
        made = bool(self.party.go_on(signer, self.clock.now()))
        self.keep()
        return made

    def end(self, signer: Signer, *, gives_up: bool) -> None:
        """End the duel: the other does not answer, or this player gives it up. It is kept by
        `keep`. Raises Refused where that is not so."""
        self.party.notice(self.clock.now())
        self.party.end(signer, self.clock.now(), gives_up=gives_up)

    def block(self, *, answer: bool = False) -> Leaving:
        """The block that leaves now, or left last. `answer`: no decision of its player is in it."""
        return Leaving(self.party.block(), self.party.block_name, ANSWER if answer else "")

    def due(self) -> Iterator[Leaving]:
        """The question for what is not here, if it has not left, and what the other asked for. Each
        counts as sent when the next one is asked for."""
        party = self.party
        asks = (self.lacks or party.asking) and party.other
        if asks and not self.has_sent(self.question.data):
            yield self.question
        if (reply := party.reply()) is not None:
            yield Leaving(reply, f"{party.block_name}-again", LACKED)
            self.keep()

    def has_sent(self, block: bytes) -> bool:
        """Whether a block left from here."""
        return digest(block) in self.home.lines("sent")

    def note_sent(self, block: bytes) -> None:
        """Note that a block has left."""
        sent = self.home.lines("sent")
        self.home.keep_lines("sent", dict.fromkeys([*sent, digest(block)]))

    @property
    def question(self) -> Leaving:
        """The block that asks the other for what is not here; raises Refused `mismatch` if there is
        no other yet."""
        return Leaving(self.party.request(), f"{self.party.block_name}-asks", QUESTION)

    # What the player is told.

    def heard(self) -> Iterator[str]:
        """What this side heard since it was told last, in sentences."""
        before, self._told = self._told, self._steps()
        for heard in self.party.side.heard[before:] if self._told else ():
            yield from (self.party.row.game.news(event) for event in heard.events)

    def _steps(self) -> int:
        return len(self.party.side.heard) if self.party.can_begin else 0


def homes(folder: Path) -> list[Home]:
    """The duels in a folder, or the one that it is."""
    found = [folder] if (folder / ME).is_file() else sorted(folder.glob(f"*{SUFFIX}"))
    return [Home.open(one) for one in found if (one / ME).is_file()]
