"""What a host's mail must not forget: mails that wait, mails that were sent, mails that were read.

What belongs here: one database in a private folder, each act one transaction, durable when it
returns. What it must not know: what mails say, how they travel.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator import files, times
from orders.errors import Refused
from orders.fields import Time

FIRST_PAUSE = 60
LONGEST_PAUSE = 6 * 3600
"""Seconds between attempts: twice as long after each, up to this."""

_TABLES = """
CREATE TABLE IF NOT EXISTS outbox (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, recipient TEXT NOT NULL,
    sender TEXT NOT NULL, data BLOB, tries INTEGER NOT NULL DEFAULT 0,
    due TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', fault TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS by_state ON outbox (state, number);
CREATE TABLE IF NOT EXISTS handled (digest TEXT PRIMARY KEY, time TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS told (game TEXT PRIMARY KEY, step INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS spoken (who TEXT NOT NULL, time TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_who ON spoken (who, time);
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail in the outbox: envelope sender ("" for none) and recipient, bytes, attempts made."""

    key: str
    recipient: str
    sender: str
    data: bytes
    tries: int
    due: Time
    fault: str


class State:
    """The database in a folder of mode 0700; one process at a time holds it."""

    def __init__(self, folder: Path) -> None:
        """Opens it, made anew where it is not there; raises Refused."""
        files.make_folder(folder, 0o700)
        files.check_private(folder)
        self.folder = folder
        try:
            self.base = sqlite3.connect(folder / "mail.db", isolation_level=None)
            self.base.execute("PRAGMA journal_mode = DELETE")
            self.base.execute("PRAGMA synchronous = EXTRA")
            self.base.executescript(_TABLES)
        except sqlite3.Error as error:
            raise Refused("unreadable", f"{str(folder / 'mail.db')!a}: {error!s}") from None

    def close(self) -> None:
        """Close it."""
        self.base.close()

    @contextmanager
    def act(self) -> Iterator[None]:
        """All that is written within is written at once, or not at all."""
        try:
            self.base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.base.execute("ROLLBACK")
                raise
            self.base.execute("COMMIT")
        except sqlite3.Error as error:
            raise Refused("busy", f"{str(self.folder / 'mail.db')!a}: {error!s}") from None

    # Mails that came.

    def handled(self, digest: str) -> bool:
        """Whether that mail was dealt with."""
        return bool(self._all("SELECT 1 FROM handled WHERE digest = ?", digest))

    def handle(self, digest: str, now: Time) -> None:
        """That mail is dealt with."""
        self.base.execute("INSERT OR IGNORE INTO handled VALUES (?, ?)", (digest, now))

    # Entries told.

    def told(self, game: str) -> int:
        """The last entry of that game for which all mails are in the outbox; -1 for none."""
        found = self._all("SELECT step FROM told WHERE game = ?", game)
        return int(found[0][0]) if found else -1

    def tell(self, game: str, step: int) -> None:
        """All mails for that entry are in the outbox."""
        self.base.execute("INSERT OR REPLACE INTO told VALUES (?, ?)", (game, step))

    # How often somebody is spoken to.

    def spoken(self, who: str, since: Time) -> int:
        """How often that one was answered since then."""
        found = self._all("SELECT count(*) FROM spoken WHERE who = ? AND time > ?", who, since)
        return int(found[0][0])

    def speak(self, who: str, now: Time) -> None:
        """That one is answered now; what is a day old is forgotten."""
        self.base.execute("DELETE FROM spoken WHERE time < ?", (times.add(now, -86_400),))
        self.base.execute("INSERT INTO spoken VALUES (?, ?)", (who, now))

    # The outbox.

    def queue(self, key: str, recipient: str, sender: str, data: bytes, now: Time) -> None:
        """Put a mail into the outbox, unless one of that key ever was there."""
        self.base.execute(
            "INSERT OR IGNORE INTO outbox (key, recipient, sender, data, due) VALUES (?,?,?,?,?)",
            (key, recipient, sender, data, now),
        )

    def due(self, now: Time) -> list[str]:
        """Keys of mails to be sent now, oldest first; nobody's later mail before their earlier."""
        keys, held = [], set()
        for key, recipient, due in self._all(
            "SELECT key, recipient, due FROM outbox WHERE state = 'waiting' ORDER BY number"
        ):
            if due > now:
                held.add(recipient)
            elif recipient not in held:
                keys.append(str(key))
        return keys

    def waiting(self, key: str) -> Waiting:
        """A mail of the outbox."""
        row = self._all(
            "SELECT key, recipient, sender, data, tries, due, fault FROM outbox WHERE key = ?", key
        )[0]
        return Waiting(*row)

    def sent(self, key: str) -> None:
        """That mail is sent: its bytes go, its key stays."""
        self.base.execute("UPDATE outbox SET state = 'sent', data = NULL WHERE key = ?", (key,))

    def failed(self, key: str, fault: str, now: Time, *, for_good: bool) -> None:
        """That mail could not be sent; it is tried again after a pause, or given up."""
        tries = self.waiting(key).tries + 1
        pause = min(FIRST_PAUSE * 2 ** min(tries - 1, 20), LONGEST_PAUSE)
        self.base.execute(
            "UPDATE outbox SET tries = ?, due = ?, fault = ?, state = ? WHERE key = ?",
            (tries, times.add(now, pause), fault[:200], "failed" if for_good else "waiting", key),
        )

    def retry(self, now: Time) -> int:
        """Try at once all that waits or was given up; how many they are."""
        changed = self.base.execute(
            "UPDATE outbox SET due = ?, state = 'waiting' WHERE state IN ('waiting', 'failed')",
            (now,),
        )
        return changed.rowcount

    def listed(self) -> list[tuple[str, str, str, int, str, str]]:
        """What is not sent: key, recipient, state, attempts, when it is due, the last fault."""
        return self._all(
            "SELECT key, recipient, state, tries, due, fault FROM outbox "
            "WHERE state != 'sent' ORDER BY number"
        )

    def _all(self, query: str, *values: object) -> list[Any]:
        with closing(self.base.execute(query, values)) as cursor:
            return cursor.fetchall()


def fault_of(error: BaseException) -> str:
    """An error on one line of printable ASCII."""
    return ascii(f"{type(error).__name__}: {error}")[1:-1][:200]
