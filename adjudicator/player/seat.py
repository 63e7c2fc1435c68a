"""A player's private folder, `GAME.seat/`: the only reader and writer of its files.

| file | holds |
|---|---|
| `seat.toml` | the player, the invite's digest, the SSH key's path, the seat's one secret |
| `game` | the game's id, once the seat has answered in it |
| `mark` | the last entry up to which the copy was verified |
| `orders/STEP-REVISION.order`, `.txt` | each order file written, and the bundle sent |
| `receipts/STEP-REVISION.toml`, `.sig` | the host's answers; a second one replaces nothing |
| `key` | the SSH key itself, if the seat carries it |
| `letters/in-*.txt`, `out-*.txt` | letters, as they came and as they were sent |
| `notes/ENTRY-NUMBER.sealed` | the player's notes for themselves: `player.notes` |
| `told` | what the setting `tell` has told: `cli.notices` |
| `plan` | orders that were typed at the prompt and not sent, below the number of their step |
| `address` | the mail address that the host was told, in the join or in a letter |

A seat works over a folder, and over files in memory. `docs/formats/host-and-seat-folders.md`
specifies it.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import tomli_w

from adjudicator.core import intake
from adjudicator.core.intake import Order
from adjudicator.core.ledger import Mark
from adjudicator.core.source import Files, Source, read_or_none
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder
from orders import crypto, names, toml
from orders.bundle import Bundle, decode, encode
from orders.documents import LAST_STEP, Join
from orders.errors import Missing, Refused, pasteable
from orders.fields import Digest, check_name, digest
from orders.keys import MemoryKey
from orders.secrets import SeatSecret
from orders.sshsig import Signed

_VALUES = "seat.toml"
_LARGEST = 2**14
"""Bytes of the largest seat.toml: a person may write the key's new path into it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's seat in one game: whose it is, its secret, and its files."""

    files: Files
    player: str
    invite: Digest
    key_path: Path
    secret: SeatSecret
    root: Path = Path()
    _sealing: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Kept, as it is asked for at every entry that is taken in.
        object.__setattr__(self, "_sealing", self.secret.sealing().public.hex())

    @staticmethod
    def create(root: Path, player: str, invite: Digest, key_path: Path, secret: bytes) -> Seat:
        """Make the folder; raises Refused, and leaves none, if it exists or cannot be made."""
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
            "key": files.relative(key_path, root),
            "secret": secret.hex(),
        }
        held = PrivateFolder(root)
        try:
            held.write(_VALUES, tomli_w.dumps(values).encode())
        except Refused:
            root.rmdir()
            raise
        return Seat.of(held, root)

    @staticmethod
    def open(root: Path) -> Seat:
        """The seat in a folder; raises Missing or Refused."""
        if root.is_file():
            raise Refused(
                "no-seat",
                f"{str(root)!a} is a file, and a seat is a folder",
                f"a safe is unpacked into one: adjudicator restore {pasteable(root)}",
            )
        if not (root / _VALUES).exists():
            other = Path(f"{root}.seat")
            meant = f"did you mean --seat {pasteable(other)}?"
            hint = meant if (other / _VALUES).exists() else "a seat is the folder that join made"
            raise Refused("missing", f"{str(root / _VALUES)!a} is not there", hint)
        files.check_private(root)
        return Seat.of(PrivateFolder(root), root)

    @staticmethod
    def of(held: Files, root: Path = Path()) -> Seat:
        """The seat whose files these are; raises Missing or Refused."""
        try:
            values = toml.parse(held.read(_VALUES), _LARGEST)
            secret = SeatSecret(bytes.fromhex(values["secret"]))
            key = files.noted(values["key"], root)
            return Seat(held, check_name(values["player"]), values["invite"], key, secret, root)
        except (ValueError, KeyError, TypeError, AttributeError):
            due = "expected player, invite, key and secret"
            hint = "bring the seat back from your backup"
            raise Refused("malformed", f"{str(root / _VALUES)!a}: {due}", hint) from None

    def note_key(self, path: Path) -> None:
        """Note where the SSH key lies from now on; raises Refused."""
        values = toml.parse(self.files.read(_VALUES), _LARGEST)
        values["key"] = files.relative(path, self.root)
        self.files.write(_VALUES, tomli_w.dumps(values).encode())

    def sits(self, joins: Mapping[str, Join]) -> bool:
        """Whether this seat wrote its player's join among these."""
        join = joins.get(self.player)
        return join is not None and join.sealing == self._sealing

    def pin(self, game: Digest) -> None:
        """Bind this seat's nonce to one genesis; raises Refused `fork` for a second one."""
        known = read_or_none(self.files, "game")
        if known is None:
            self.files.write("game", f"{game}\n".encode())
        elif known.decode("ascii", "replace").strip() != game:
            raise Refused(
                "fork",
                f"this seat plays in game {known.decode('ascii', 'replace').strip()!a}, "
                f"the record is of game {game}",
                "one invite starts one game: keep both records; adjudicator verify --against "
                "proves the fork",
            )

    def mark(self, copy: Source) -> Mark | None:
        """The mark of the last verification of this copy; None if there is none.

        A seat may be used with several copies: a copy that ends before the mark, or that is of
        another game, has none.
        """
        mark = Mark.read(read_or_none(self.files, "mark") or b"")
        if mark is None or read_or_none(copy, names.entry(mark.step)) is None:
            return None
        return mark if digest(read_or_none(copy, names.INVITE) or b"") == self.invite else None

    def keep_mark(self, mark: Mark) -> None:
        """Note that the copy was verified up to there."""
        if read_or_none(self.files, "mark") != mark.render():
            with files.unless_busy(), self.files.locked():
                self.files.write("mark", mark.render())

    # The key.

    def signer(self) -> MemoryKey | None:
        """The key that the seat carries; None if it has only the key's path. Raises Refused."""
        held = read_or_none(self.files, "key")
        if held is None:
            return None
        try:
            return MemoryKey.from_seed(crypto.load_openssh(held, None))
        except (ValueError, NotImplementedError):
            raise Refused("bad-key", "the seat's own key is damaged", "name it: --key") from None

    def keep_key(self, signer: MemoryKey) -> None:
        """Let the seat carry its key."""
        self.files.write("key", crypto.write_openssh(signer.seed))

    # Orders.

    def next_revision(self, step: int) -> int:
        """The number of the next order file for that step: after all that this seat has written or
        has a receipt for, as a seat that was put back had written that too. Receipts do not use up
        numbers: a host could make any. Raises Refused after 99."""
        held = self._held("orders/", ".order", step, step)
        known = [*held, *self._held("receipts/", ".toml", step, step)]
        found = (re.search(r"-(\d+)\.", path) for path in known)
        last = max((int(one[1]) for one in found if one), default=0)
        number: int
        for number in (last + 1, *range(1, 100)):
            if number < 100 and f"{_order(step, number)}.order" not in held:
                return number
        raise Refused("superseded", "99 revisions of this step's orders have been written")

    def keep_order(self, step: int, revision: int, data: bytes, bundle: Bundle) -> None:
        """Keep an order file before it is sent, and the bundle that carries it."""
        name = _order(step, revision)
        self.files.add([{f"{name}.order": data}, {f"{name}.txt": encode(bundle)}])

    def order_file(self, step: int, revision: int) -> bytes:
        """An order file as it was written; raises Missing."""
        return self.files.read(f"{_order(step, revision)}.order")

    def orders(self, since: int = 0, until: int = LAST_STEP) -> list[Order]:
        """The orders that this seat wrote for the steps `since` to `until`, in their order; raises
        Refused for a file that cannot be read: without it somebody else seems to have ordered."""
        found = []
        for path in self._held("orders/", ".txt", since, until):
            data = self.files.read(path)
            with contextlib.suppress(Refused):
                found.append(intake.own_order(decode(data)))
        return sorted(found, key=lambda order: order.place)

    # Receipts.

    def keep_receipt(self, step: int, revision: int, file: Signed) -> None:
        """Keep a receipt; a second one that says something else gets a name of its own."""
        path = f"receipts/{step:04d}-{revision}.toml"
        number = 2
        while read_or_none(self.files, path) not in (None, file.data):
            path = f"receipts/{step:04d}-{revision}.{number}.toml"
            number += 1
        self.files.add([{f"{path}.sig": file.signature, path: file.data}])

    def receipts(self, since: int = 0, until: int = LAST_STEP) -> list[Signed]:
        """The receipts kept for the steps `since` to `until`, each verified when it came."""
        found = []
        for path in self._held("receipts/", ".toml", since, until):
            with contextlib.suppress(Missing):
                found.append(Signed(self.files.read(path), self.files.read(f"{path}.sig")))
        return found

    def _held(self, folder: str, ending: str, since: int, until: int) -> list[str]:
        """The files of a folder for the steps `since` to `until`."""
        paths = self.files.paths()
        found = []
        # This is asked at each entry of a whole game, so it must be fast. Numbers of one length
        # sort by name.
        for digits in range(4, max(4, len(str(until))) + 1):
            low = max(since, 10 ** (digits - 1) if digits > 4 else 0)
            high = min(until, 10**digits - 1)
            first = bisect_left(paths, f"{folder}{low:04d}-")
            for path in islice(paths, first, bisect_left(paths, f"{folder}{high:04d}.")):
                step, dash, _ = path[len(folder) :].partition("-")
                if dash and len(step) == digits and step.isdigit() and path.endswith(ending):
                    found.append(path)
        return found

    # Letters.

    def letters(self) -> list[tuple[str, Bundle]]:
        """The letters kept, by name: `in-DIGEST` as they came, `out-NUMBER` as written."""
        paths = [path for path in self.files.paths() if path.startswith("letters/")]
        return [(Path(path).stem, decode(self.files.read(path))) for path in paths]

    def keep_letter(self, name: str, bundle: Bundle) -> None:
        """Keep a letter's bundle."""
        self.files.write(f"letters/{name}.txt", encode(bundle))

    # Notes.

    def notes(self) -> list[str]:
        """The files of notes, in the order in which they were written at each entry."""
        return self._held("notes/", ".sealed", 0, LAST_STEP)

    def keep_note(self, step: int, data: bytes) -> None:
        """Keep a sealed note at that entry, behind those that are there; raises Refused."""
        with self.files.locked():
            held = self._held("notes/", ".sealed", step, step)
            numbers = (Path(path).stem.partition("-")[2] for path in held)
            # No gap is filled: a note that was moved away may come back.
            last = max((int(number) for number in numbers if number.isdecimal()), default=0)
            self.files.write(f"notes/{step:04d}-{last + 1:04d}.sealed", data)

    def address(self) -> str | None:
        """The mail address that the host was told last; None if it was told none."""
        held = read_or_none(self.files, "address")
        return None if held is None else held.decode("ascii", "replace").strip()

    def keep_address(self, address: str) -> None:
        """Remember the mail address that the host is told."""
        self.files.write("address", f"{address}\n".encode())


def _order(step: int, revision: int) -> str:
    return f"orders/{step:04d}-{revision}"
