"""An archive: finds records and packs in folders and addresses in lists, and verifies them one by
one.

What it must not know: printing, and who does the work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple

from adjudicator.core.source import Source
from adjudicator.store import files
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier import hosts
from adjudicator.verifier.claims import UNUSABLE, Findings, failed
from adjudicator.verifier.hosts import HostedGame
from adjudicator.verifier.second_adjudication import Progress
from adjudicator.verifier.verify import Asked, verify
from orders import names
from orders.errors import Missing, Refused
from orders.fields import Digest, digest
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat

LONGEST_LINE = 4096
"""Bytes of a line in a list, its end included."""

MOST_CARRIED = 2**20
"""Bytes of a record that another machine may verify; as many records may be on their way."""

RECORD = frozenset({names.INVITE, "entries", "joins"})
"""A folder that holds one of these holds a record, however damaged."""


class Item(NamedTuple):
    """One thing to verify: a record's folder, a pack or a repository, by path or address.

    `fault`: why it cannot be read. `sent`: its content, if another machine verifies it: a pack's
    bytes, or a folder's files. `beside`: the paths of more files of the same duel, which are judged
    with it as one set.
    """

    text: str
    fault: str = ""
    sent: bytes | RecordFiles | None = None
    beside: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is verified, as it is told."""
        return " and ".join((self.text, *self.beside))

    def sources(self) -> list[Source]:
        """The files of a record or pack, and those beside it; raises Refused."""
        paths = map(Path, (self.text, *self.beside))
        return [Pack.open(path) if path.is_file() else Record(path) for path in paths]


class ItemFindings(NamedTuple):
    """The findings about an item; what it tells about its host, if its invite holds; and whether a
    seat was used with it."""

    text: str
    found: Findings
    hosted: HostedGame | None = None
    seated: bool = False


# Finding records.


class Walk:
    """The records, packs and repositories below folders, in the order of their names.

    Links are not followed, so that no walk goes round in circles or out of the folder; `links`
    counts them. A pack is a file whose name ends with `.zip`.
    """

    def __init__(self) -> None:
        self.links = 0

    def below(self, folder: str) -> Iterator[Item]:
        """The items in a folder; one with a fault for each folder below that cannot be read."""
        left = [folder]
        while left:
            path = left.pop()
            try:
                with os.scandir(path) as scanned:
                    entries = {entry.name: entry for entry in scanned}
                links = sum(entry.is_symlink() for entry in entries.values())
                inside = [name for name in entries if entries[name].is_dir(follow_symlinks=False)]
                plain = [name for name in entries if entries[name].is_file(follow_symlinks=False)]
            except OSError as error:
                yield Item(path, f"{path!a}: {error.strerror}")
                continue
            if path.endswith(".host") and RECORD & entries.keys() == {"joins"}:
                # A host's secrets beside the record: the joins that wait, and no game.
                continue
            if RECORD & entries.keys() or {"HEAD", "objects"} <= entries.keys():
                yield Item(path)
                continue
            self.links += links
            for name in sorted(plain):
                if name.endswith(".zip"):
                    yield Item(str(Path(path, name)))
            inside = [name for name in inside if name != ".git"]
            left += [str(Path(path, name)) for name in sorted(inside, reverse=True)]

    def items(self, named: Iterable[Item]) -> Iterator[Item]:
        """The items of each named path: the path itself, or all below it if it is a folder of
        records."""
        for one in named:
            folder = not one.fault and _is_folder(one.text)
            found = self.below(one.text) if folder else iter(())
            first = next(found, None)
            yield one if first is None else first
            yield from found


def together(items: Iterable[Item]) -> list[Item]:
    """The items in their order, but those of one duel, by its offer and accept, beside the first of
    them: one after the other they could come to different verdicts."""
    found: list[tuple[Item, list[str]]] = []
    duels: dict[tuple[Digest, Digest], list[str]] = {}
    for item in items:
        duel = _duel(item)
        if duel in duels:
            duels[duel].append(item.text)
            continue
        found.append((item, []))
        if duel is not None:
            duels[duel] = found[-1][1]
    return [item._replace(beside=tuple(beside)) for item, beside in found]


def _duel(item: Item) -> tuple[Digest, Digest] | None:
    """The digests of the offer and the accept in a duel's file; None for what is no duel, or cannot
    be read."""
    if item.fault or not os.path.lexists(item.text):
        return None
    try:
        (source,) = item.sources()
        return digest(source.read(names.OFFER)), digest(source.read(names.ACCEPT))
    except (Refused, OSError):
        return None


def is_archive(path: str) -> bool:
    """Whether a folder holds no record itself, but others below it."""
    first = next(Walk().below(path), None) if _is_folder(path) else None
    return first is not None and first.text != path


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - raises nothing, whatever stands there


def read_list(name: str, stream: BinaryIO) -> Iterator[Item]:
    """The items of a list, a path or an address in each line.

    Empty lines and lines that begin with `#` are skipped. A line that is too long is an item with a
    fault.
    """
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        text = line.rstrip(b"\r\n")
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            while (line := stream.readline(LONGEST_LINE)) and not line.endswith(b"\n"):
                pass
            yield Item(f"{name}:{number}", f"a line of {LONGEST_LINE} bytes or more is no path")
        elif b"\0" in text:
            yield Item(f"{name}:{number}", "a line with a NUL is no path")
        elif text.strip() and not text.startswith(b"#"):
            yield Item(os.fsdecode(text))


# Verifying one.


class RecordFiles(NamedTuple):
    """A record's folder as it was read, for another machine, with a note of each file that could
    not be read."""

    names: tuple[str, ...]
    held: Mapping[str, bytes]
    faults: Mapping[str, tuple[str, str]]

    @staticmethod
    def of(source: Source) -> RecordFiles:
        """Everything that verifying reads of a record; raises Refused."""
        held: dict[str, bytes] = {}
        faults: dict[str, tuple[str, str]] = {}
        paths = source.paths()
        for path in paths:
            if names.is_read(path):
                try:
                    held[path] = source.read(path)
                except Missing:
                    pass
                except Refused as error:
                    faults[path] = error.word, error.message
        return RecordFiles(paths, held, faults)

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted."""
        return self.names

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        if path in self.faults:
            raise Refused(*self.faults[path])
        if path not in self.held:
            raise Missing(path)
        return self.held[path]


class Verifying(NamedTuple):
    """How to verify each item. `revision`: verify the record as it is in that commit.

    `tied`: compare commits too. `several`: there are other records, so the seat is used only with
    those of its own invite, and what each record tells about its host is kept. `brief`: only
    verdicts are told, so claims stay in the process that made them.
    """

    seat: Seat | None = None
    receipts: tuple[Signed, ...] = ()
    game: str | None = None
    head: str | None = None
    revision: str | None = None
    tied: bool = True
    several: bool = False
    brief: bool = False
    progress: Progress | None = None

    def do(self, item: Item) -> ItemFindings:
        """Verify one item. Never raises, whatever the item holds."""
        try:
            if item.fault:
                return self.unusable(item, item.fault)
            return self._verified(item)
        except Refused as error:
            return ItemFindings(item.name, Findings.unusable(error))
        except OSError as error:
            return self.unusable(item, f"{item.text!a}: {error.strerror}")
        except Exception as error:  # this program's own fault must not end a batch
            return ItemFindings(item.name, failed(error))

    def unusable(self, item: Item, why: str) -> ItemFindings:
        """The item cannot be judged, for that reason."""
        return ItemFindings(item.name, Findings(UNUSABLE, f"unusable: {why}"))

    def carried(self, item: Item) -> Item | None:
        """A pack or a folder, as bytes that are read here; None for what is large, or is judged
        with others. A repository is verified here too, because its address and keys may work only
        on this machine."""
        try:
            match None if item.fault or item.beside else self._kind(item.text):
                case "pack":
                    data = files.read(Path(item.text), MOST_CARRIED)
                    return item._replace(sent=data)
                case "folder":
                    sent = RecordFiles.of(Record(Path(item.text)))
                    size = sum(len(path) + len(data) for path, data in sent.held.items())
                    return item._replace(sent=sent) if size <= MOST_CARRIED else None
        except (Refused, OSError):
            pass  # this machine verifies it, and will tell the fault
        return None

    def _kind(self, text: str) -> Literal["pack", "folder", "clone", "repository"]:
        path = Path(text)
        if self.revision is None and path.is_file():
            return "pack"
        here = self.revision is None and (path / names.INVITE).is_file()
        if here and self.tied and (path / ".git").exists():
            return "clone"
        if here or (self.revision is None and ":" not in text and not (path / "HEAD").is_file()):
            return "folder"
        # Records without git never load this.
        from adjudicator.git.process import is_address

        return "repository" if self.revision is not None or is_address(text) else "folder"

    def _verified(self, item: Item) -> ItemFindings:
        if item.beside:
            # A record needs nothing of it.
            from adjudicator.verifier import duel

            found = duel.verify_all(*item.sources())[0]
            return ItemFindings(item.name, self._told(found))
        if isinstance(item.sent, bytes):
            return self._look(item, Pack.of(item.sent))
        if item.sent is not None:
            return self._look(item, item.sent)
        path = Path(item.text)
        kind = self._kind(item.text)
        if kind == "pack":
            return self._look(item, Pack.open(path))
        if kind == "folder":
            return self._look(item, Record(path))
        from adjudicator.git import verifying

        if kind == "clone":
            one = self._look(item, Record(path))
            return one._replace(found=verifying.with_clone(one.found, path))
        with verifying.opened(item.text, self.revision) as tree:
            one = self._look(item, tree)
            tied = verifying.with_commits(one.found, tree) if self.tied else one.found
            return one._replace(found=tied)

    def _look(self, item: Item, source: Source) -> ItemFindings:
        seat = self.seat
        if seat is not None and self.several:
            try:
                mine = seat.invite == digest(source.read(names.INVITE))
            except Refused:
                mine = False
            seat = seat if mine else None
        asked = Asked(seat, self.receipts, self.game, self.head)
        if self.progress is not None:
            asked = asked._replace(progress=self.progress)
        found = verify(source, asked)
        hosted = hosts.look(item.text, source) if self.several else None
        return ItemFindings(item.text, self._told(found), hosted, seated=seat is not None)

    def _told(self, found: Findings) -> Findings:
        return found._replace(claims=(), not_proved=()) if self.brief else found
