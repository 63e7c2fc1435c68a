"""A duel on this machine: the folder NAME.duel, private. It can be verified as it is.

| file | holds |
|---|---|
| `me.toml` | the player's name, the place of the signing key, and the secret, 32 bytes, which nobody else may see before the end |
| `party.json` | the row that is played: the digest of its last document, and when it came; orders given since; after a restore, behind which document the other is asked; moves beside it that were answered already |
| `plan` | orders that were typed at the prompt and not sent |
| `sent` | the digests of the blocks that have left, a line each |
| `other`, `thread`, `seen` | by mail: the other's address, and Message-IDs (`mail.duel`) |
| `looked` | when mails were looked for last, once the duel is over |

All else are the duel's documents.
"""  # noqa: E501 - a table

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core.source import MemoryFiles, read_or_none
from adjudicator.player import plan as plans
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder
from games.game import Player, Written
from orders import names, toml
from orders.errors import Refused
from orders.fields import Digest, digest
from orders.secrets import DuelSecret
from orders.signed import Signed

if TYPE_CHECKING:
    from adjudicator.duel.party import Party

ME, PARTY = "me.toml", "party.json"
SUFFIX = ".duel"
_LARGEST = 2**20
_PRIVATE = 0o600


class Home(NamedTuple):
    """A duel's folder: who plays, and with which key."""

    root: Path
    player: Player
    key: Path
    secret: DuelSecret

    @classmethod
    def create(cls, root: Path, player: Player, key: Path, secret: DuelSecret) -> Home:
        """A new folder; raises Refused `exists`."""
        if root.exists():
            raise Refused("exists", f"{str(root)!a} is there already", "name another place: --dir")
        files.make_folder(root, 0o700)
        home = cls(root, player, key.absolute(), secret)
        files.write(root / ME, home.me, _PRIVATE)
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
        text = {"player": self.player, "key": str(self.key), "secret": self.secret.hex}
        return toml.render(text)

    @classmethod
    def open(cls, root: Path) -> Home:
        """The duel in a folder; raises Refused."""
        files.check_private(root)
        return cls.read(root, files.read(root / ME, _LARGEST))

    @classmethod
    def read(cls, root: Path, me: bytes) -> Home:
        """The duel of that folder, by who plays; raises Refused."""
        values = toml.parse(me, _LARGEST)
        try:
            secret = DuelSecret(bytes.fromhex(values["secret"]))
            return cls(root, str(values["player"]), Path(values["key"]), secret)
        except (KeyError, TypeError, ValueError):
            path = str(root / ME)
            raise Refused("malformed", f"{path!a}: expected player, key and secret") from None

    @property
    def id(self) -> Digest:
        """The digest of the offer, which names the duel; raises Missing or Refused."""
        return digest(files.read(self.root / names.OFFER, _LARGEST))

    @property
    def source(self) -> MemoryFiles:
        """The duel's documents."""
        found = (path.relative_to(self.root).as_posix() for path in sorted(self.root.rglob("*")))
        held = {path: self.root / path for path in found if names.is_duels(path)}
        return MemoryFiles({path: files.read(place, _LARGEST) for path, place in held.items()})

    def party(self) -> Party:
        """What this player sends and takes in; raises Refused."""
        # Who has no duel here need not load what a duel is.
        from adjudicator.duel import documents
        from adjudicator.duel.party import Party

        held = read_or_none(self.notes, PARTY)
        kept = json.loads(held or b"{}")
        kept["pending"] = [Written(*one) for one in kept.get("pending", ())]
        return Party(documents.read(self.source), self.player, self.secret, **kept)

    def keep(self, party: Party) -> None:
        """Keep what a party holds: documents first, then how far it is. A file that a process left
        half written is written again."""
        here = self.source.held
        held = party.documents.held(party.row.accepted)
        if new := {path: data for path, data in held.items() if here.get(path) != data}:
            files.add(self.root, [new])
        kept = {
            "pending": party.pending, "on": party.row.last, "since": party.since,
            "asking": party.asking, "answered": party.answered,
        }  # fmt: skip
        files.write(self.root / PARTY, json.dumps(kept).encode("ascii"), _PRIVATE)

    # Notes.

    @property
    def notes(self) -> PrivateFolder:
        """All files of the folder."""
        return PrivateFolder(self.root)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the one process that plays here; raises Refused `busy`. Two could make two moves for
        one turn."""
        with self.notes.locked():
            yield

    def lines(self, name: str) -> list[str]:
        """The lines of a note."""
        return (read_or_none(self.notes, name) or b"").decode("ascii", "replace").splitlines()

    def note(self, name: str, lines: Sequence[str]) -> None:
        """Keep such lines in place of the last ones."""
        if list(lines) != self.lines(name):
            self.notes.write(name, "".join(f"{line}\n" for line in lines).encode("ascii"))

    def has_sent(self, block: bytes) -> bool:
        """Whether that block has left."""
        return digest(block) in self.lines("sent")

    def note_sent(self, block: bytes) -> None:
        """Note that a block has left."""
        if not self.has_sent(block):
            self.note("sent", [*self.lines("sent"), digest(block)])

    def keep_plan(self, step: int, lines: Sequence[str]) -> None:
        """Keep order lines that are not sent yet; none to forget them."""
        plans.keep(self.notes, step, lines)

    def plan(self, step: int) -> tuple[str, ...]:
        """The order lines for that step that were kept; empty if there are none."""
        return plans.kept(self.notes, step)


def homes(folder: Path) -> list[Home]:
    """The duels in a folder, or the one that it is."""
    found = [folder] if (folder / ME).is_file() else sorted(folder.glob(f"*{SUFFIX}"))
    return [Home.open(one) for one in found if (one / ME).is_file()]


def documents(held: Mapping[str, bytes], path: str) -> Signed:
    """A document with its signature, from a block; raises Refused `bad-bundle`."""
    if path not in held or names.signature(path) not in held:
        raise Refused("bad-bundle", f"bundle: {path} and its signature are not in it")
    return Signed(held[path], held[names.signature(path)])
