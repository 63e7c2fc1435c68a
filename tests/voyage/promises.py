"""What must hold, whatever happens, of all that left its maker.

1. No two entries of one number, no two receipts for one slip and no two invites of one name by one
   host; no two moves of one number by one player who was never restored.
2. No order with a receipt is lost, none is used twice, and nobody is called missing whose order the
   host had, or could not read.
3. Nobody who follows the program is ever named: no verdict is against them, and no game that was
   true becomes less.
4. No byte that a player holds before the end depends on what they may not know.
5. What stands still says so within a turn, to who can mend it, and goes on when it is mended.
6. When all is healthy again, each game comes to its end within a bounded number of turns.
7. State and work grow with the games under way, not with their age.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType

from adjudicator.mail.mime import read_mail
from orders.bundle import Bundle
from orders.documents import Receipt, read_invite, read_receipt, read_slip
from orders.entries import AnyEntry, Genesis, Reveal, read_entry
from orders.errors import Refused
from orders.fields import digest

from .sail import Broken


class Seen:
    """All that hosts signed and that somebody else may hold, and what it says."""

    def __init__(self) -> None:
        self.mails: set[str] = set()
        self.one: dict[tuple[str, ...], str] = {}
        """The digest of each thing of which there may be one."""
        self.entries: dict[str, dict[int, AnyEntry]] = defaultdict(dict)
        """By game; a genesis stands at 0."""
        self.accepted: dict[tuple[str, str, int], dict[int, str]] = defaultdict(dict)
        """By game, player and step: the slips that have a receipt, by revision."""
        self.revisions: dict[str, int] = {}
        """By slip."""
        self.judged: dict[str, int] = {}
        self.twice: list[str] = []

    def mail(self, data: bytes) -> None:
        """All blocks in a mail."""
        mark = digest(data)
        if mark in self.mails:
            return
        self.mails.add(mark)
        try:
            blocks = read_mail(data).blocks
        except Refused:
            return
        for one in blocks:
            if one.bundle is not None:
                self.bundle(one.bundle)

    def bundle(self, bundle: Bundle) -> None:
        """What a bundle holds."""
        self.files(dict(bundle.files))

    def files(self, files: Mapping[str, bytes]) -> None:
        """Files by their names in a bundle or a record."""
        for path, data in files.items():
            if path.endswith(".toml"):
                # A process that ended may leave a file by half.
                with suppress(Refused):
                    self._file(path, data)

    def keep(self, held: Callable[[str], bool]) -> None:
        """Forget the receipts of all slips but those of which somebody holds one still."""
        for key, found in list(self.accepted.items()):
            self.accepted[key] = {number: slip for number, slip in found.items() if held(slip)}
            if not self.accepted[key]:
                del self.accepted[key]

    def _file(self, path: str, data: bytes) -> None:
        if path.startswith("entries/"):
            entry = read_entry(data)
            if isinstance(entry, Genesis):
                self._once(data, "entry 0", entry.invite)
                self.entries[digest(data)][0] = entry
            else:
                self._once(data, f"entry {entry.step}", entry.game)
                self.entries[entry.game].setdefault(entry.step, entry)
        elif path.startswith("slips/"):
            self.revisions[digest(data)] = read_slip(data).revision
        elif path.startswith("receipts/"):
            one = read_receipt(data)
            self._receipt(one, data)
        elif path.startswith("invite"):
            made = read_invite(data)
            self._once(data, f"invite {made.name}", made.host)

    def _receipt(self, one: Receipt, data: bytes) -> None:
        # What was absent is asked for again, and may come.
        if one.status != "absent":
            self._once(data, f"receipt of {one.player} {one.step}-{one.revision}", one.slip)
        if one.status == "accepted":
            self.accepted[one.game, one.player, one.step][one.revision] = one.slip

    def _once(self, data: bytes, *key: str) -> None:
        before = self.one.setdefault(key, digest(data))
        if before != digest(data):
            self.twice.append(f"two of {key[0]}: {before[:12]} and {digest(data)[:12]}")

    def check(self, lay: Mapping[tuple[str, str, int], int] = MappingProxyType({})) -> None:
        """Raise Broken for what was signed twice, and for orders that were lost.

        `lay`: by game, player and step the orders that ever lay where the host looked, and the last
        entry that there was by then.
        """
        if self.twice:
            raise Broken(1, "; ".join(self.twice))
        for game, entries in self.entries.items():
            number = self.judged.get(game, -1) + 1
            while number in entries:
                self._judge(game, entries, number, lay)
                self.judged[game] = number
                number += 1

    def _judge(
        self, game: str, entries: Mapping[int, AnyEntry], number: int,
        lay: Mapping[tuple[str, str, int], int],
    ) -> None:  # fmt: skip
        entry = entries[number]
        if isinstance(entry, (Genesis, Reveal)) or entry.ruling is not None:
            return
        step = 1 + max(
            at for at in range(number) if at == 0 or not moves_only(entries[at])
        )  # fmt: skip
        for player in entry.missing:
            if lay.get((game, player, step), number) < number:
                raise Broken(2, f"{player} is missing in entry {number}, whose orders lay there")
        for (of, player, at), slips in self.accepted.items():
            if (of, at) == (game, step):
                used = entry.slips.get(player)
                last = max(slips)
                # A later one may have been accepted too, by a receipt that is under way.
                if used is None or (
                    used.digest != slips[last] and self.revisions.get(used.digest, 0) <= last
                ):
                    raise Broken(
                        2, f"entry {number} lacks the orders of {player} that have a receipt"
                    )
        used_now = [one.digest for one in entry.slips.values()]
        before = {
            one.digest
            for at in range(1, number)
            if not isinstance(entries[at], (Genesis, Reveal))
            for one in entries[at].slips.values()
        }  # fmt: skip
        if before & set(used_now):
            raise Broken(2, f"entry {number} uses orders that were used before")


def moves_only(entry: AnyEntry) -> bool:
    """Whether an entry only moves deadlines, so that slips go on answering the one before it."""
    ruling = None if isinstance(entry, Genesis) else entry.ruling
    return ruling is not None and ruling.moves_only


LOUD_RIGHTLY = ("NO RECEIPT", "NO NEWS", "OLD BOARD", "NO REPORT", "NOT YOUR REPORT", "OTHER GAME")
"""Lines in capitals that accuse nobody, as mails are late and get lost."""


def accusations(lines: Iterable[str]) -> list[str]:
    """Of what a player's program printed, the lines that accuse somebody."""
    from adjudicator.cli import is_loud

    return [one for one in lines if is_loud(one) and not one.startswith(LOUD_RIGHTLY)]
