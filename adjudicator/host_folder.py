"""The host's private folder beside a record: secrets, waiting slips, receipts, the last state.

What belongs here: its files and their order of writing. All but the secrets and the waiting slips
can be made again from the record.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudicator import bundles, files
from adjudicator.intake import Sent
from orders import names
from orders.bundle import Bundle, decode, encode
from orders.documents import Slip, read_receipt, read_slip
from orders.errors import Missing, Refused
from orders.fields import Digest, Time, digest
from orders.sealing import SealingKey
from orders.secrets import SIZE, Master

_WAITING = re.compile(r"([0-9]+)-([a-z][a-z0-9-]{0,31})-([0-9]{2})\.txt", re.ASCII)
_PRESS = re.compile(r"[a-z][a-z0-9-]*-[0-9]{4}-([0-9a-f]{64})-[0-9]{4}\.txt", re.ASCII)
_LIMIT = 2**22


@dataclass(frozen=True, slots=True)
class Waiting:
    """An accepted slip that waits for its entry, with the receipt that was sent for it."""

    slip: Slip
    received: Time
    sealed: bytes
    files: Mapping[str, bytes]
    receipt: tuple[bytes, bytes]

    @property
    def digest(self) -> Digest:
        """The slip's."""
        return digest(self.files[names.slip(self.slip.step, self.slip.player)])


@dataclass(frozen=True, slots=True)
class HostFolder:
    """`RECORD.host/`, mode 0700; `key` names the file of the host's SSH key."""

    root: Path

    def create(self, master: str, letters: str, key_path: Path) -> None:
        """Make the folder with its two secrets (64 hex digits each) and the signing key's path."""
        self.root.mkdir(mode=0o700)
        files.sync_folder(self.root.parent)
        files.write(self.root / "master", f"{master}\n".encode(), 0o600)
        files.write(self.root / "letters", f"{letters}\n".encode(), 0o600)
        files.write(self.root / "key", f"{key_path.absolute()}\n".encode(), 0o600)

    def _secret(self, name: str) -> bytes:
        files.check_private(self.root)
        try:
            secret = bytes.fromhex(files.read(self.root / name, 100).decode("ascii").strip())
        except ValueError:
            secret = b""
        if len(secret) != SIZE:
            raise Refused("unreadable", f"{str(self.root / name)!a} is no secret")
        return secret

    def master(self) -> Master:
        """The master secret; raises Missing or Refused."""
        if not self.root.is_dir():
            raise Refused(
                "no-host", f"{str(self.root)!a} is not there", "only the host's machine can do this"
            )
        return Master(self._secret("master"))

    def letters(self) -> SealingKey:
        """The key for addresses and press."""
        return SealingKey.from_seed(self._secret("letters"))

    def key_path(self) -> Path:
        """Where the host's SSH key lies."""
        return Path(files.read(self.root / "key", 4096).decode("utf-8").strip())

    def state(self) -> bytes:
        """The copy of the last state, empty where there is none."""
        try:
            return files.read(self.root / "state.json", _LIMIT)
        except Missing:
            return b""

    def keep_state(self, data: bytes) -> None:
        """Keep a copy of the last state."""
        files.write(self.root / "state.json", data, 0o600)

    def report(self, player: str) -> bytes:
        """The copy of a player's last report, empty where there is none."""
        try:
            return files.read(self.root / "reports" / f"{player}.json", _LIMIT)
        except Missing:
            return b""

    def keep_report(self, player: str, data: bytes) -> None:
        """Keep a copy of a player's last report, for mails that show it in the clear."""
        files.write(self.root / "reports" / f"{player}.json", data, 0o600)

    def press(self) -> tuple[Digest, ...]:
        """Digests of press that was passed on and stands in no entry yet."""
        return tuple(sorted({_PRESS.sub(r"\1", path.name) for path in self._press()}))

    def _press(self) -> list[Path]:
        folder = self.root / "press"
        found = folder.iterdir() if folder.is_dir() else ()
        return [path for path in found if _PRESS.fullmatch(path.name)]

    def note_press(self, noted: Collection[Digest]) -> None:
        """Put away the press that an entry names."""
        for path in self._press() if noted else ():
            if _PRESS.sub(r"\1", path.name) in noted:
                files.make_folder(path.parent / "noted", 0o700)
                path.replace(path.parent / "noted" / path.name)

    def sent(self) -> int:
        """The last entry whose bundle was handed out, -1 for none."""
        try:
            return int(files.read(self.root / "sent", 20))
        except (Missing, ValueError):
            return -1

    def mark_sent(self, step: int) -> None:
        """Remember that the bundles up to this entry were handed out."""
        files.write(self.root / "sent", f"{step}\n".encode(), 0o600)

    def waiting(self, step: int) -> dict[str, Waiting]:
        """Each player's last accepted slip for that step, by name."""
        last: dict[str, tuple[int, Path]] = {}
        for path in sorted(self._inbox()):
            found = _WAITING.fullmatch(path.name)
            if found is not None and int(found[1]) == step:
                revision = int(found[3])
                if revision > last.get(found[2], (0, path))[0]:
                    last[found[2]] = (revision, path)
        return {player: self._waiting(path) for player, (_, path) in sorted(last.items())}

    def _inbox(self) -> list[Path]:
        """The waiting slips, without the drafts that a crash may have left."""
        folder = self.root / "inbox"
        found = folder.iterdir() if folder.is_dir() else ()
        return [path for path in found if _WAITING.fullmatch(path.name)]

    def _waiting(self, path: Path) -> Waiting:
        held = dict(decode(files.read(path, _LIMIT)).files)
        receipts = sorted(name for name in held if name.startswith("receipts/"))
        answer = (held.pop(receipts[0]), held.pop(receipts[1]))
        slip_path = next(name for name in held if name.startswith("slips/") and name[-1] == "l")
        slip = read_slip(held[slip_path])
        sealed = held[names.sealed_order(slip.step, slip.player)]
        return Waiting(slip, read_receipt(answer[0]).time, sealed, held, answer)

    def receipt(self, slip: Digest) -> tuple[bytes, bytes] | None:
        """The receipt sent for a slip and its signature, None where none was."""
        path = self.root / "receipts" / f"{slip}.toml"
        try:
            return files.read(path, _LIMIT), files.read(Path(f"{path}.sig"), _LIMIT)
        except Missing:
            pass
        # A crash may have come between taking a slip in and writing its receipt out.
        for waiting in map(self._waiting, sorted(self._inbox())):
            if waiting.digest == slip:
                return waiting.receipt
        return None

    def _keep_receipt(self, slip: Digest, receipt: bytes, signature: bytes) -> None:
        path = self.root / "receipts" / f"{slip}.toml"
        files.write(Path(f"{path}.sig"), signature, 0o600)
        files.write(path, receipt, 0o600)

    def keep(
        self, sent: Sent, receipt: bytes, signature: bytes, *, accepted: bool
    ) -> tuple[bytes, bytes]:
        """Keep a receipt, and with it, in one act, the slip that it accepts."""
        slip = sent.slip
        slip_digest = digest(sent.slip_data)
        if accepted:
            answer = bundles.of_receipt(slip.step, slip.player, slip.revision, receipt, signature)
            bundle = bundles.pack("order", sent.files() | dict(answer.files))
            self._keep_waiting(slip, bundle)
        self.keep_receipt(slip_digest, receipt, signature)
        return receipt, signature

    def keep_receipt(self, slip: Digest, receipt: bytes, signature: bytes) -> None:
        """Keep the receipt that answers a slip."""
        path = self.root / "receipts" / f"{slip}.toml"
        files.write(Path(f"{path}.sig"), signature, 0o600)
        files.write(path, receipt, 0o600)

    def _keep_waiting(self, slip: Slip, bundle: Bundle) -> None:
        name = f"{slip.step:04d}-{slip.player}-{slip.revision:02d}.txt"
        files.write(self.root / "inbox" / name, encode(bundle), 0o600)

    def clear(self, step: int) -> None:
        """Remove waiting slips of steps up to `step`, which have their entry.

        Their receipts stay, also where a crash came before they were written out.
        """
        for path in self._inbox():
            if int(path.name.partition("-")[0]) <= step:
                waiting = self._waiting(path)
                if not (self.root / "receipts" / f"{waiting.digest}.toml").exists():
                    self._keep_receipt(waiting.digest, *waiting.receipt)
                path.unlink()
        for draft in (self.root / "inbox").glob(".*.part"):
            draft.unlink()
