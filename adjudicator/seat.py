"""A player's private folder: one secret, the SSH key's path, order files and receipts.

What belongs here: its files. What it must not know: the record beyond names of files.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from adjudicator import files
from orders.errors import Missing, Refused
from orders.fields import Digest, check_name
from orders.secrets import SeatSecret

_LIMIT = 2**20


@dataclass(frozen=True, slots=True)
class Seat:
    """`NAME.seat/`, mode 0700: `seat.toml`, `game`, `orders/`, `receipts/`."""

    root: Path
    player: str
    invite: Digest
    key_path: Path
    secret: SeatSecret

    @staticmethod
    def create(root: Path, player: str, invite: Digest, key_path: Path, secret: bytes) -> Seat:
        """Make the folder; raises Refused where it is there already."""
        check_name(player)
        try:
            root.mkdir(mode=0o700)
        except FileExistsError:
            raise Refused(
                "exists", f"{str(root)!a} is there already", "a seat is for one game; move it away"
            ) from None
        values = {
            "player": player,
            "invite": invite,
            "key": str(key_path.absolute()),
            "secret": secret.hex(),
        }
        files.write(root / "seat.toml", tomli_w.dumps(values).encode(), 0o600)
        return Seat(root, player, invite, key_path, SeatSecret(secret))

    @staticmethod
    def open(root: Path) -> Seat:
        """The seat in a folder; raises Missing or Refused."""
        text = files.read(root / "seat.toml", 10_000)
        files.check_private(root)
        try:
            values = tomllib.loads(text.decode("utf-8"))
            secret = SeatSecret(bytes.fromhex(values["secret"]))
            return Seat(root, values["player"], values["invite"], Path(values["key"]), secret)
        except (ValueError, KeyError, TypeError) as error:
            raise Refused("malformed", f"{str(root / 'seat.toml')!a}: {error!a}") from None

    def pin(self, game: Digest) -> None:
        """Bind this seat's nonce to one genesis; raises Refused `fork` for a second one."""
        path = self.root / "game"
        try:
            known = files.read(path, 100).decode("ascii").strip()
        except Missing:
            files.write(path, f"{game}\n".encode(), 0o600)
            return
        if known != game:
            raise Refused(
                "fork",
                f"this seat plays in game {known}, the record is of game {game}",
                "one invite starts one game: keep both records, adjudicator prove-fork shows it",
            )

    def revisions(self, step: int) -> tuple[int, ...]:
        """The revisions of the order files written for that step, ascending."""
        written: list[int] = []
        while self.order_path(step, len(written) + 1).exists():
            written.append(len(written) + 1)
        return tuple(written)

    def order_path(self, step: int, revision: int) -> Path:
        """Where the salted order file of that revision lies; the bundle sent lies beside it."""
        return self.root / "orders" / f"{step:04d}-{revision}.toml"

    def keep_order(self, step: int, revision: int, salted: bytes, bundle: bytes) -> None:
        """Keep an order file before it is sent, and the bundle that carries it."""
        path = self.order_path(step, revision)
        files.write(path, salted, 0o600)
        files.write(path.with_suffix(".txt"), bundle, 0o600)

    def keep_receipt(self, step: int, revision: int, data: bytes, signature: bytes) -> None:
        """Keep a receipt with its signature; one that says otherwise stands beside it."""
        folder = self.root / "receipts"
        path = folder / f"{step:04d}-{revision}.toml"
        number = 2
        while path.exists() and files.read(path, _LIMIT) != data:
            path = folder / f"{step:04d}-{revision}.{number}.toml"
            number += 1
        files.write(Path(f"{path}.sig"), signature, 0o600)
        files.write(path, data, 0o600)

    def receipts(self, step: int | None = None) -> tuple[Path, ...]:
        """The receipts kept, by step and revision; of one step only where it is named."""
        return tuple(sorted((self.root / "receipts").glob(f"{_steps(step)}.toml")))

    def sent(self, step: int | None = None) -> tuple[Path, ...]:
        """The order bundles that were written; of one step only where it is named."""
        return tuple(sorted((self.root / "orders").glob(f"{_steps(step)}.txt")))


def _steps(step: int | None) -> str:
    return "*" if step is None else f"{step:04d}-*"
