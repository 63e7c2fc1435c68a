"""A record with every key in it: any file is changed, and all that follows is signed again.

So a test can make one claim false and leave no other trace: no digest, no signature, no entry that
quotes another one gives the change away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from replacing import replace

from adjudicator.core import engine, intake, opening
from adjudicator.core.engine import UnlockedGame
from adjudicator.core.source import MemoryFiles
from adjudicator.host.folder import HostFolder
from orders import names, sshsig
from orders.documents import Slip, read_slip
from orders.entries import AnyEntry, Reveal, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.keys import MemoryKey
from orders.order_file import OrderFile, read_order_file
from orders.secrets import Master

NAMESPACES = {
    "invite": sshsig.INVITE,
    "join": sshsig.JOIN,
    "seat": sshsig.JOIN,
    "consent": sshsig.CONSENT,
    "slip": sshsig.SLIP,
    "entry": sshsig.ENTRY,
}
"""The kinds of file that are signed, in the order in which one entry's files bind each other."""

BEFORE = ("opened", "sealed", "report", "slip", "seat", "consent", "entry")
"""Within a step: what is bound comes before what binds it."""


@dataclass
class Forger:
    """All files of a game by name, and the keys of everybody."""

    held: dict[str, bytes]
    keys: tuple[MemoryKey, ...]
    master: Master

    @classmethod
    def of(cls, table: Any) -> Forger:
        """A table's record as it stands now."""
        master = HostFolder(table.record.host).master()
        return cls(table.held(), (table.signer, *table.keys.values()), master)

    def copy(self) -> Forger:
        """The same, to be changed."""
        return Forger(dict(self.held), self.keys, self.master)

    @property
    def game(self) -> UnlockedGame:
        """The game with its master, as the files say that it began."""
        return engine.unlock(opening.read_opening(MemoryFiles(self.held)), self.master)

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return max(step for step, kind in self._places() if kind == "entry")

    def _places(self) -> Iterable[tuple[int, str]]:
        parsed = filter(None, map(names.parse, self.held))
        return [(name.step, name.kind) for name in parsed if name.kind in BEFORE]

    # What stands there.

    def entry(self, step: int) -> AnyEntry:
        """An entry's values."""
        return read_entry(self.held[names.entry(step)])

    def slip(self, step: int, player: str) -> Slip:
        """The values of a slip that an entry uses."""
        return read_slip(self.held[names.slip(step, player)])

    def order_file(self, step: int, player: str) -> tuple[str, OrderFile]:
        """An opened order file: its salt and its values."""
        data = self.held[names.opened_order(step, player)]
        return read_order_file(data)

    # Changes.

    def change_entry(self, number: int, /, **values: Any) -> None:
        """Give an entry other values."""
        self.put(names.entry(number), replace(self.entry(number), **values).render())

    def change_slip(self, number: int, who: str, /, **values: Any) -> None:
        """Give a slip other values, as its player would have signed them."""
        self.put(names.slip(number, who), replace(self.slip(number, who), **values).render())

    def change_order(self, step: int, player: str, data: bytes) -> None:
        """Have a player order something else: opened, sealed again, signed again."""
        slip = self.slip(step, player)
        opened, sealed = names.opened_order(step, player), names.sealed_order(step, player)
        shared = self.game.shared(self.game.opening.joins[player])
        self.held[opened] = data
        again = intake.seal_order(self.game.opening, shared, slip.step, player, slip.revision, data)
        self.held[sealed] = again
        self.change_slip(step, player, order=digest(data), sealed=digest(again))

    def change_report(self, step: int, player: str, sealed: bytes, content: str = "") -> None:
        """Have the host name another sealed report, and another digest of what it holds."""
        self.held[names.report(step, player)] = sealed
        reports = dict(self.entry(step).reports)
        told = replace(reports[player], sealed=digest(sealed))
        reports[player] = replace(told, digest=content) if content else told
        self.change_entry(step, reports=reports)

    def put(self, path: str, data: bytes, by: MemoryKey | None = None) -> None:
        """Put a document in place, signed by whoever signed it before, or by `by`."""
        old = self.held.get(path)
        name = names.parse(path)
        assert name is not None
        self.sign(path, data, by)
        if old is not None and name.kind in BEFORE:
            self._carry(path, {digest(old): digest(data)})

    def sign(self, path: str, data: bytes, by: MemoryKey | None = None) -> None:
        """Put a document in place, signed, and leave all else as it is."""
        name = names.parse(path)
        assert name is not None
        if name.kind in NAMESPACES:
            namespace = NAMESPACES[name.kind]
            signer = by or self._signer(path, namespace)
            self.held[names.signature(path)] = signer.sign(namespace, data)
        self.held[path] = data

    def _signer(self, path: str, namespace: str) -> MemoryKey:
        """Whoever signed that file; the host, where nobody did."""
        for key in self.keys:
            try:
                signature = self.held[names.signature(path)]
                sshsig.verify(key.public, namespace, self.held[path], signature)
            except (Refused, KeyError):
                continue
            return key
        return self.keys[0]

    def _carry(self, changed: str, new: dict[str, str]) -> None:
        """Put new digests for old ones into every signed file that comes later."""
        parsed = {path: names.parse(path) for path in self.held}
        later = sorted(
            (name.step, BEFORE.index(name.kind), path)
            for path, name in parsed.items()
            if name is not None and name.kind in BEFORE and not name.signature
        )
        at = next(index for index, (_, _, path) in enumerate(later) if path == changed)
        for _, _, path in later[at + 1 :]:
            if parsed[path].kind not in NAMESPACES:  # type: ignore[union-attr]
                continue
            data = self.held[path]
            for old, digest_now in new.items():
                data = data.replace(old.encode(), digest_now.encode())
            if data != self.held[path]:
                new[digest(self.held[path])] = digest(data)
                self.sign(path, data)

    # Ends.

    def cut(self, last: int) -> None:
        """Leave nothing of entries after that one, nor anything opened."""

        def kept(path: str) -> bool:
            name = names.parse(path)
            stepped = name is not None and name.kind in BEFORE
            return name is None or not stepped or (name.step <= last and name.kind != "opened")

        self.held = {path: data for path, data in self.held.items() if kept(path)}

    def append(self, entry: AnyEntry, files: Mapping[str, bytes] = {}) -> None:
        """Have the host sign one entry more, with the files that it names."""
        self.held |= files
        self.sign(names.entry(entry.step), entry.render(), self.keys[0])

    def reveal(self, outcome: Mapping[str, Any]) -> None:
        """End the game here: the reveal follows the last entry."""
        last = self.last
        prev = digest(self.held[names.entry(last)])
        game = self.game.opening.id
        self.append(Reveal(game, last + 1, prev, self.master.hex, outcome))
