"""The record as commits: which commits an act of the host makes, upon which history.

What belongs here: one commit for the invite, for each slip, for each entry; the entry's commit
merges the slips that it uses. What it must not know: remotes, secrets.

Every date of the host's commits is the entry's own, so commits tell no more than the record, and
making them again after a crash gives the same commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator import bundles, opening
from adjudicator.git import messages
from adjudicator.git.process import Repo
from adjudicator.git.tree import read_objects
from adjudicator.git.writing import Writer
from adjudicator.record import Record
from games.game import Game
from orders import names
from orders.documents import read_slip
from orders.entries import Entry, Genesis, Reveal, read_entry
from orders.fields import Time
from orders.keys import Signer


@dataclass
class History:
    """Commits that carry a record on from `tip`. Nothing is stored before `writer.store`."""

    repo: Repo
    record: Record
    signer: Signer
    tip: str | None

    def __post_init__(self) -> None:
        self.writer = Writer(self.repo, "host", self.signer)
        self.writer.start(self.tip)

    def add_invite(self) -> None:
        """The first commit: invite, house table, attributes."""
        offer = opening.read_offer(self.record)
        files = dict(bundles.of_invite(self.record).files)
        files[names.ATTRIBUTES] = names.ATTRIBUTES_TEXT
        self._commit([], files, offer.invite.date, messages.invite(offer))

    def add_beside(self, changed: Mapping[str, bytes | None], time: Time) -> None:
        """What lies beside the record; None removes a file."""
        for path, data in changed.items():
            if data is None:
                self.writer.remove(path)
        kept = {path: data for path, data in changed.items() if data is not None}
        self._commit([], kept, time, messages.beside())

    def add_entry(self, step: int, merged: Mapping[str, str], game: Game[Any, Any]) -> None:
        """An entry with all that it names, merging each player's commit that is given.

        A slip or join that came another way (by mail, or in a commit that may not be merged) is
        committed for its player first.
        """
        files = dict(bundles.of_entry(self.record, step).files)
        entry = read_entry(files[names.entry(step)])
        parents = []
        for player in _players(entry):
            commit = merged.get(player)
            if commit is not None:
                parents.append(commit)
                continue
            own = {path: data for path, data in files.items() if _is_of(path, player)}
            message = messages.join(player)
            if isinstance(entry, Entry):
                revision = read_slip(files[names.slip(step, player)]).revision
                message = messages.slip(step, player, revision)
            self._commit([], own, entry.time, message)
        if isinstance(entry, Reveal):
            files |= _opened(self.record)
        self._commit(parents, files, entry.time, messages.entry(game, entry))

    def _commit(
        self, merged: list[str], files: Mapping[str, bytes], time: Time, message: str
    ) -> None:
        parents = ([] if self.tip is None else [self.tip]) + merged
        self.tip = self.writer.commit(list(dict.fromkeys(parents)), files, time, message)


def _players(entry: Genesis | Entry | Reveal) -> tuple[str, ...]:
    if isinstance(entry, Genesis):
        return entry.players
    return tuple(entry.slips) if isinstance(entry, Entry) else ()


def _is_of(path: str, player: str) -> bool:
    name = names.parse(path)
    return name is not None and name.player == player and name.kind in ("join", "slip", "sealed")


def _opened(record: Record) -> dict[str, bytes]:
    held = {}
    for path in record.paths():
        name = names.parse(path)
        if name is not None and name.kind == "opened":
            held[path] = record.read(path)
    return held


def beside_files(root: Path) -> dict[str, bytes]:
    """What lies beside the record in a working tree, by path."""
    held = {}
    for name in names.BESIDE:
        top = root / name
        found = sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
        for path in found:
            if path.is_file() and not path.is_symlink():
                held[path.relative_to(root).as_posix()] = path.read_bytes()
    return held


def beside_at(repo: Repo, commit: str) -> dict[str, bytes]:
    """The same in a commit."""
    listed = repo.run("ls-tree", "-r", "-z", "--name-only", commit, "--", *names.BESIDE)
    paths = [one.decode("utf-8", "surrogateescape") for one in listed.split(b"\0") if one]
    data = read_objects(repo, [f"{commit}:{path}" for path in paths])
    return {path: one for path, one in zip(paths, data, strict=True) if one is not None}
