"""The host's private folder beside a record, `RECORD.host/`: all its files, and nobody else's.

| file | holds |
|---|---|
| `master`, `letters` | the game's two secrets, 64 hex digits each |
| `key` | where the host's SSH key lies, from here if it lies with the games |
| `ssh-key` | in CI: that key itself, written by `git.ci` |
| `mark` | the last entry up to which the record was verified |
| `inbox/STEP-PLAYER-REVISION.txt` | an accepted order that waits, with its receipt |
| `receipts/SLIP.toml`, `.sig` | the receipt that answered a slip |
| `refused` | how many orders of each player were refused in this step, and the last refused slip |
| `state.json` | a copy of the last state |
| `sent` | the last entry whose bundles were handed out |
| `git-read` | what was pushed and read, by its commits: `git.inbox` |
| `tokens` | the tokens of invitations, each with the host's word for its receiver |
| `joins/NNN-PLAYER.txt`, `seats` | joins that wait for genesis; how many begin the game |
| `page` | the link to the page, for mails |
| `press/`, `press/noted/`, `notices/` | letters taken in: `host.letters` |
| `ahead/NAME.txt` | a bundle in which NAME quotes what the record lacks |
| `told` | what the setting `tell` has told: `cli.notices` |
| `doubted` | players whose quotes stop nothing |

Everything except the secrets, the tokens, the inbox and the letters can be made again from the
record. `docs/formats/host-and-seat-folders.md` specifies it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from adjudicator.core import bundles
from adjudicator.core.intake import Order
from adjudicator.core.ledger import Mark
from adjudicator.core.source import Source, read_or_none, signed
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder
from orders import canonical, names
from orders.bundle import Bundle, decode, encode
from orders.documents import Receipt, read_invite, read_receipt, read_slip
from orders.errors import Missing, Refused, at
from orders.fields import NAME, Digest, Time
from orders.sealing import SealingKey
from orders.secrets import SIZE, LettersSecret, Master
from orders.sshsig import Signed

_WAITING = re.compile(rf"([0-9]+)-({NAME})-([0-9]{{2}})\.txt", re.ASCII)
_LIMIT = 2**22


class WaitingOrder(NamedTuple):
    """An accepted order that waits for its entry, with the receipt that was sent for it."""

    order: Order
    receipt: Signed
    received: Time


@dataclass(frozen=True, slots=True)
class Refusals:
    """A player's refused orders in this step: how many, and the slip that was refused last."""

    count: int = 0
    last: Digest = ""


class HostFolder(PrivateFolder):
    """`RECORD.host/`, mode 0700."""

    def create(self, master: Master, letters: str, key_path: Path) -> None:
        """Make the folder with its two secrets and the signing key's path."""
        self.root.mkdir(mode=0o700)
        files.sync_folder(self.root.parent)
        self.write("master", f"{master.hex}\n".encode())
        self.write("letters", f"{letters}\n".encode())
        self.note_key(key_path)

    def note_key(self, path: Path) -> None:
        """Note where the host's SSH key lies."""
        self.write("key", f"{files.relative(path, self.root)}\n".encode())

    def _text(self, name: str) -> str:
        """The text of a file, "" if it is not there; raises Refused."""
        try:
            return (read_or_none(self, name) or b"").decode("utf-8").strip()
        except UnicodeDecodeError:
            raise Refused("unreadable", f"{str(self.root / name)!a} is no text") from None

    # Secrets.

    def is_of(self, record: Source) -> bool:
        """Whether this is the folder of that record's host.

        A stranger can lay a folder beside a record whose `mark` calls verified what nobody signed.
        But `letters` is never published, so the host's own folder alone has the right one.
        """
        if not self.root.is_dir():
            return False
        try:
            offered = read_invite(record.read(names.INVITE))
            return self.letters().public.hex() == offered.letters
        except Refused:
            return False

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
        """The key to which addresses, tokens and press are sealed."""
        return SealingKey(self._secret("letters"))

    def mail_secret(self) -> bytes:
        """The key from which the Message-IDs of this game's mails are made."""
        return LettersSecret(self._secret("letters")).mail

    def key_path(self) -> Path:
        """Where the host's SSH key lies, as far as anything says so; raises Refused."""
        return files.noted(self._text("key"), self.root)

    # The state of the game.

    def mark(self) -> Mark | None:
        """The mark of the last verification; None if there is none."""
        return Mark.read(read_or_none(self, "mark") or b"")

    def keep_mark(self, mark: Mark) -> None:
        """Note that the record was verified up to there; the caller holds the record's lock."""
        self.write("mark", mark.render())

    def state(self) -> bytes:
        """The copy of the last state, empty if there is none."""
        return read_or_none(self, "state.json") or b""

    def sent(self) -> int:
        """The last entry whose bundles were handed out, -1 for none."""
        text = self._text("sent")
        return int(text) if text.isascii() and text.isdigit() else -1

    def mark_sent(self, step: int) -> None:
        """Remember that the bundles up to this entry were handed out."""
        self.write("sent", f"{step}\n".encode())

    # Orders that wait, and receipts.

    def waiting(self) -> dict[str, WaitingOrder]:
        """Each player's last accepted order for the coming entry, by name."""
        last: dict[str, tuple[tuple[int, int], str]] = {}
        for name in self._inbox():
            found = _WAITING.fullmatch(name)
            if found is not None:
                place = int(found[1]), int(found[3])
                if found[2] not in last or place > last[found[2]][0]:
                    last[found[2]] = place, name
        return {player: self._waiting(name) for player, (_, name) in sorted(last.items())}

    def _inbox(self) -> list[str]:
        """The names in the inbox, and perhaps those of drafts that a crash left."""
        try:
            return sorted(os.listdir(f"{self.root}/inbox"))  # noqa: PTH208 - read often
        except FileNotFoundError:
            return []

    def _waiting(self, name: str) -> WaitingOrder:
        data = self.read(f"inbox/{name}")
        with at(ascii(f"{self.root}/inbox/{name}")):
            held = dict(decode(data).files)
        receipt, slip = (
            next(path for path in held if path.startswith(folder) and path.endswith(".toml"))
            for folder in ("receipts/", "slips/")
        )
        file = Signed(held[slip], held[names.signature(slip)])
        values = read_slip(file.data)
        sealed = held[names.sealed_order(values.step, values.player)]
        answer = Signed(held[receipt], held[names.signature(receipt)])
        return WaitingOrder(Order(values, file, sealed), answer, read_receipt(answer.data).time)

    def answered(self, order: Order) -> Signed | None:
        """The receipt sent for this very slip, None if none was."""
        with contextlib.suppress(Missing):
            waiting = self._waiting(_name(order))
            if waiting.order.file.digest == order.file.digest:
                return waiting.receipt
        return self._kept(order.file.digest)

    def receipt(self, slip: Digest) -> Signed | None:
        """The last receipt sent for the slip of that digest, None if none was."""
        waiting = next((self._waiting(name).receipt for name in self._places(slip)), None)
        return waiting or self._kept(slip)

    def _places(self, slip: Digest) -> Iterator[str]:
        """What the file in the inbox is called that holds the order of that slip, if it waits."""
        for name in filter(_WAITING.fullmatch, self._inbox()):
            if self._waiting(name).order.file.digest == slip:
                yield name

    def waits(self, slip: Digest) -> bool:
        """Whether the order of that slip waits for its entry."""
        return any(True for _ in self._places(slip))

    def held(self, slip: Digest) -> Bundle | None:
        """The receipt for the slip of that digest, with the order if it is accepted and waits; None
        if there is none."""
        for name in self._places(slip):
            return decode(self.read(f"inbox/{name}"))
        kept = self._kept(slip)
        return None if kept is None else bundles.of_receipt(kept)

    def drop(self, slip: Digest) -> None:
        """Forget the receipt for that slip, and its order if it waits."""
        for name in self._places(slip):
            self.remove(f"inbox/{name}")
        for path in (f"receipts/{slip}.toml", f"receipts/{slip}.toml.sig"):
            self.remove(path)

    def _kept(self, slip: Digest) -> Signed | None:
        try:
            return signed(self, f"receipts/{slip}.toml")
        except Missing:
            return None

    def promised(self) -> list[Receipt]:
        """The receipts of all accepted orders that wait, also of those that gave way to later ones;
        of one player's those of earlier revisions first."""
        inbox = filter(_WAITING.fullmatch, self._inbox())
        found = [read_receipt(self._waiting(name).receipt.data) for name in inbox]
        return sorted(found, key=lambda one: (one.step, one.revision))

    def receipts(self) -> list[Receipt]:
        """All that were given, in no order."""
        kept = sorted((self.root / "receipts").glob("*.toml"))
        return [*self.promised(), *(read_receipt(files.read(one, _LIMIT)) for one in kept)]

    def keep_receipt(self, slip: Digest, receipt: Signed) -> None:
        """Keep the receipt that answers a slip."""
        self.add([_receipt(slip, receipt)])

    def accept(self, order: Order, receipt: Signed) -> None:
        """Keep an accepted order and its receipt, in one file."""
        slip = order.slip
        answer = receipt.files(names.receipt(slip.step, slip.player, slip.revision))
        bundle = bundles.pack("order", order.files() | answer)
        self.keep(f"inbox/{_name(order)}", bundle)

    def settle(
        self, mark: Mark, state: bytes | None = None, waiting: Iterable[WaitingOrder] = ()
    ) -> None:
        """After an entry is written: keep its state, if it has one, and the mark; clear the inbox.

        `waiting`: the inbox as the caller read it. The receipts of its orders are kept.
        """
        kept = [{"mark": mark.render()}]
        self.clear(mark.since, waiting, kept if state is None else [{"state.json": state}, *kept])

    def clear(
        self,
        since: int,
        waiting: Iterable[WaitingOrder] = (),
        kept: Sequence[dict[str, bytes]] = (),
    ) -> None:
        """Remove waiting orders for steps up to `since`, which have their entry, once their
        receipts are kept, and with them other files."""
        known = {_name(one.order): one for one in waiting}
        inbox = self._inbox()
        drafts = [name for name in inbox if name.startswith(".") and name.endswith(".part")]
        answered = [
            name
            for name in inbox
            if _WAITING.fullmatch(name) and int(name.partition("-")[0]) <= since
        ]
        receipts = []
        for name in answered:
            one = known.get(name) or self._waiting(name)
            receipts.append(_receipt(one.order.file.digest, one.receipt))
        if receipts or kept:
            self.add([*receipts, *kept])
        for name in (*answered, *drafts):
            self.remove(f"inbox/{name}")

    def refusals(self, step: int) -> dict[str, Refusals]:
        """Each player's refused orders while that step was the coming one."""
        try:
            values = canonical.loads(read_or_none(self, "refused") or b"")
            if values["step"] != step:
                return {}
            return {player: Refusals(*one) for player, one in values["players"].items()}
        except (Refused, KeyError, TypeError):
            return {}

    def count_refusal(self, step: int, player: str, slip: Digest) -> None:
        """Count a refused order."""
        known = self.refusals(step)
        known[player] = Refusals(known.get(player, Refusals()).count + 1, slip)
        players = {name: [one.count, one.last] for name, one in known.items()}
        self.write("refused", canonical.dumps({"step": step, "players": players}))

    # What this machine should know and does not: `host.ahead`.

    def ahead(self) -> dict[str, Bundle]:
        """The bundles that quote what the record lacks, by who signed them, sorted."""
        return {path.stem: self.bundle(path) for path in self.bundles_in("ahead")}

    def doubted(self) -> list[str]:
        """Players, each with their seat's step, whose quotes stop nothing."""
        return self.lines("doubted")

    def doubt(self, seats: Iterable[str]) -> None:
        """Let quotes of these players stop nothing any more."""
        self.keep_lines("doubted", sorted({*self.doubted(), *seats}))

    # Who may sit down.

    def tokens(self) -> dict[str, str]:
        """The tokens of invitations: for whom each was made, in the host's words."""
        lines = self._text("tokens").splitlines()
        return {token: whom for token, _, whom in (line.partition(" ") for line in lines)}

    def add_token(self, token: str, whom: str) -> None:
        """Remember a token; `whom` is a word of the host's own."""
        held = {**self.tokens(), token: whom}
        lines = "".join(f"{one} {who}".rstrip() + "\n" for one, who in held.items())
        self.write("tokens", lines.encode())

    def joins(self) -> dict[str, Bundle]:
        """The joins that wait for genesis, by file name, in order of arrival."""
        return {path.name: self.bundle(path) for path in self.bundles_in("joins")}

    def seats(self) -> int | None:
        """How many players begin the game as soon as they are there; None if nobody said."""
        text = self._text("seats")
        return int(text) if text.isascii() and text.isdigit() else None

    def set_seats(self, count: int) -> None:
        """Begin the game as soon as that many have joined."""
        self.write("seats", f"{count}\n".encode())

    def page(self) -> str:
        """The link to the page in which players may play, "" for none."""
        return self._text("page")

    def set_page(self, link: str) -> None:
        """Let the game's mails link to that page."""
        self.write("page", f"{link}\n".encode())

    # Bundles: joins that wait, what is ahead, letters (`host.letters` makes their names).

    def bundles_in(self, *folders: str) -> list[Path]:
        """The files of bundles in these folders, by name."""
        roots = [self.root / folder for folder in folders]
        found = [path for root in roots if root.is_dir() for path in root.glob("[0-9a-z]*.txt")]
        return sorted(found, key=lambda path: path.name)

    def keep(self, path: str, bundle: Bundle) -> Path:
        """Keep a bundle in a file of one of its folders."""
        self.write(path, encode(bundle))
        return self.root / path

    def bundle(self, path: Path) -> Bundle:
        """The bundle in that file."""
        return decode(files.read(path, _LIMIT))

    # Messages.

    def press(self) -> tuple[str, ...]:
        """Digests of press that was passed on and is in no entry yet."""
        return tuple(sorted({path.name.split("-")[-2] for path in self.bundles_in("press")}))

    def note_press(self, noted: Sequence[str], *, back: bool = False) -> None:
        """Put away the press that an entry names; `back`: let it be named by a coming entry again,
        as the one that named it is taken back."""
        here, there = ("press/noted", "press") if back else ("press", "press/noted")
        for path in self.bundles_in(here) if noted else ():
            if path.name.split("-")[-2] in noted:
                files.make_folder(self.root / there, 0o700)
                path.replace(self.root / there / path.name)


def _name(order: Order) -> str:
    """What an accepted order is called in the inbox."""
    slip = order.slip
    return f"{slip.step:04d}-{slip.player}-{slip.revision:02d}.txt"


def _receipt(slip: Digest, receipt: Signed) -> dict[str, bytes]:
    """Where the receipt for the slip of that digest stays."""
    path = f"receipts/{slip}.toml"
    return {names.signature(path): receipt.signature, path: receipt.data}
