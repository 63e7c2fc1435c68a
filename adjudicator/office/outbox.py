"""A host's mails: those that wait, those that were sent, those that were read; and what may leave.

`Outbox` is one database in a private folder. Each act is one transaction, and durable when it
returns. `Post` puts mails into it and sends those that are due. Its budgets see to it that nobody
can be flooded with answers to mails in their name.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import Outgoing, dated, plus, render
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.store import files
from adjudicator.store.clock import Clock
from orders.errors import Refused
from orders.fields import Time

FIRST_PAUSE = 60
LONGEST_PAUSE = 6 * 3600
"""Seconds between attempts: twice as long after each attempt, up to this."""
OURS = 15 * 60
"""The longest pause while the host itself cannot send: a turn tries one mail then, and all others
wait for it, so that all leave soon after the host can."""

KEPT = 14 * DAY
"""Seconds for which the bytes of a sent mail are kept, because it may come back."""

TAGGED = "takes addresses with a token"
"""The note that the mailbox takes mails to its address with a token in it."""
CHECKS = "check/"
"""How the keys of mails to the own mailbox begin, which show what a way does to a mail."""

HANDLED = 90 * DAY
"""Seconds for which it is known that a mail was dealt with."""

LOGGED = 100_000
"""How many lines of the log are kept."""

_TABLES = """
CREATE TABLE IF NOT EXISTS outbox (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, token TEXT NOT NULL UNIQUE,
    recipient TEXT NOT NULL, sender TEXT NOT NULL, data BLOB, tries INTEGER NOT NULL DEFAULT 0,
    due TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', fault TEXT NOT NULL DEFAULT '',
    ours INTEGER NOT NULL DEFAULT 1, sent TEXT NOT NULL DEFAULT '',
    act TEXT NOT NULL DEFAULT '', done INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS by_state ON outbox (state, number);
CREATE TABLE IF NOT EXISTS handled (digest TEXT PRIMARY KEY, time TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS told (game TEXT PRIMARY KEY, step INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS pending (game TEXT NOT NULL, what TEXT NOT NULL, UNIQUE (game, what));
CREATE TABLE IF NOT EXISTS spoken (who TEXT NOT NULL, time TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_who ON spoken (who, time);
CREATE TABLE IF NOT EXISTS stuck (name TEXT PRIMARY KEY, turns INTEGER NOT NULL, fault TEXT);
CREATE TABLE IF NOT EXISTS log (number INTEGER PRIMARY KEY, time TEXT NOT NULL, line TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, time TEXT NOT NULL, number INTEGER);
"""


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """A mail in the outbox: envelope sender ("" for none) and recipient, bytes, attempts made."""

    key: str
    recipient: str
    sender: str
    data: bytes
    tries: int


@dataclass(frozen=True, slots=True)
class UnsentMail:
    """A mail that is not sent, or that came back: `state` is waiting, failed or bounced."""

    key: str
    recipient: str
    state: str
    tries: int
    due: Time
    fault: str


class KnownMail(NamedTuple):
    """A mail of ours that another names by its token: to whom it went and when ("": it may have
    left just now), and the act that `yes` does, and whether it is done. `number`: how many were put
    into the outbox before it, and one."""

    number: int
    key: str
    token: str
    recipient: str
    sent: Time
    act: str
    done: bool


@dataclass(frozen=True, slots=True)
class Delivery:
    """The fate of a mail: `state` as in UnsentMail, or `sent` at the time `sent`.

    `ours`: the mail waits only because the host cannot send.
    """

    state: str
    sent: Time
    ours: bool


class Outbox:
    """The database in a folder of mode 0700; one process at a time holds it."""

    def __init__(self, folder: Path) -> None:
        """Open the database, and make it if need be. Raises Refused."""
        files.make_folder(folder, 0o700)
        files.check_private(folder)
        self.folder = folder
        try:
            self.base = sqlite3.connect(folder / "mail.db", isolation_level=None)
            with ExitStack() as undone:
                undone.callback(self.base.close)
                self.base.execute("PRAGMA journal_mode = DELETE")
                self.base.execute("PRAGMA synchronous = EXTRA")
                self.base.executescript(_TABLES)
                undone.pop_all()
        except sqlite3.Error as error:
            raise Refused("unreadable", f"{str(folder / 'mail.db')!a}: {error!s}") from None

    def close(self) -> None:
        """Close it."""
        self.base.close()

    @contextmanager
    def act(self) -> Iterator[None]:
        """Everything written inside this block is one transaction; raises Refused."""
        self.change("BEGIN IMMEDIATE")
        try:
            yield
            self.change("COMMIT")
        except BaseException:
            # A full disk has ended it already.
            if self.base.in_transaction:
                self.change("ROLLBACK")
            raise

    def change(self, query: str, *values: object) -> sqlite3.Cursor:
        """One statement; raises Refused `busy` or `unwritable`, of a full disk too."""
        try:
            return self.base.execute(query, values)
        except sqlite3.Error as error:
            held = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            word = "busy" if held else "unwritable"
            raise Refused(word, f"{str(self.folder / 'mail.db')!a}: {error!s}") from None

    def rows(self, query: str, *values: object) -> list[Any]:
        """What a query finds; raises Refused."""
        with closing(self.change(query, *values)) as cursor:
            return cursor.fetchall()

    # Mails that came.

    def handled(self, digest: str) -> bool:
        """Whether that mail was dealt with."""
        return bool(self.rows("SELECT 1 FROM handled WHERE digest = ?", digest))

    def handle(self, digest: str, now: Time) -> None:
        """Note that this mail was dealt with; what was noted long ago is forgotten."""
        self.change("DELETE FROM handled WHERE time < ?", deadlines.add(now, -HANDLED))
        self.change("INSERT OR IGNORE INTO handled VALUES (?, ?)", digest, now)

    def stuck(self, name: str) -> int:
        """In how many turns the mail of that name could not be dealt with."""
        found = self.rows("SELECT turns FROM stuck WHERE name = ?", name)
        return int(found[0][0]) if found else 0

    def stick(self, name: str, fault: str) -> int:
        """Note one more turn in which that mail could not be dealt with; returns how many."""
        turns = self.stuck(name) + 1
        self.change("INSERT OR REPLACE INTO stuck VALUES (?, ?, ?)", name, turns, fault)
        return turns

    def unstick(self, name: str) -> None:
        """Note that this mail was dealt with, or set aside."""
        self.change("DELETE FROM stuck WHERE name = ?", name)

    # The log, for people.

    def note(self, line: str, now: Time) -> None:
        """Write a line into the log; the oldest are forgotten."""
        done = self.change("INSERT INTO log (time, line) VALUES (?, ?)", now, line)
        self.change("DELETE FROM log WHERE number <= ?", (done.lastrowid or 0) - LOGGED)

    def log(self, after: int = 0) -> list[tuple[int, Time, str]]:
        """The log after that line, oldest first: number, time and line."""
        return self.rows(
            "SELECT number, time, line FROM log WHERE number > ? ORDER BY number", after
        )

    def amiss(self, aside: Time, doubts: Time) -> list[str]:
        """The lines of the log, oldest first, that tell of mails set aside or two copies of a seat
        since the one time, or of doubts about the clock since the other."""
        query = (
            "SELECT line FROM log WHERE (time > ? AND "
            "(line LIKE 'set aside%' OR line LIKE '%: two copies of one seat, or %')) "
            "OR (time > ? AND line LIKE '%is the clock right?') ORDER BY number"
        )
        return [line for (line,) in self.rows(query, aside, doubts)]

    def marked(self, name: str) -> tuple[Time, int] | None:
        """When the job of that name was last done, and how far it came; None: never."""
        found = self.rows("SELECT time, number FROM marks WHERE name = ?", name)
        return tuple(found[0]) if found else None

    def daily(self, name: str, now: Time) -> bool:
        """Whether a daily job is due, which it also is if the clock was set back since."""
        last = self.marked(name)
        return last is None or not 0 <= deadlines.between(last[0], now) < DAY

    def mark(self, name: str, now: Time, number: int = 0) -> None:
        """Note that the job is done now, and how far it came: `number`."""
        self.change("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", name, now, number)

    def noted(self, name: str) -> str:
        """The text noted under that name, "" for none."""
        found = self.rows("SELECT text FROM notes WHERE name = ?", name)
        return str(found[0][0]) if found else ""

    def keep_note(self, name: str, text: str) -> None:
        """Note a text under that name, in place of the last one."""
        self.change("INSERT OR REPLACE INTO notes VALUES (?, ?)", name, text)

    def notes(self, prefix: str) -> list[tuple[str, str]]:
        """The notes whose names begin so: the rest of the name, and the text."""
        query = "SELECT substr(name, ?), text FROM notes WHERE substr(name, 1, ?) = ? ORDER BY name"
        return self.rows(query, len(prefix) + 1, len(prefix), prefix)

    # Entries told.

    def told(self, game: str) -> int:
        """The last entry of that game whose mails are all in the outbox; -1 for none."""
        found = self.rows("SELECT step FROM told WHERE game = ?", game)
        return int(found[0][0]) if found else -1

    def tell(self, game: str, step: int) -> None:
        """Note that all mails of that entry are in the outbox."""
        self.change("INSERT OR REPLACE INTO told VALUES (?, ?)", game, step)

    def knows(self, game: str) -> bool:
        """Whether mails of that game left here: entries, or invitations by its invite's digest."""
        asked = "SELECT 1 FROM outbox WHERE key LIKE 'invite/' || ? || '/%' LIMIT 1"
        return self.told(game) >= 0 or bool(self.rows(asked, game))

    # What is signed, or may be, and lies in no copy yet: `office.copies`.

    def pending(self, game: str) -> list[str]:
        """What was expected to be signed in that game, oldest first."""
        found = self.rows("SELECT what FROM pending WHERE game = ? ORDER BY rowid", game)
        return [str(what) for (what,) in found]

    def expect(self, game: str, what: str) -> None:
        """Note what may be signed."""
        self.change("INSERT OR IGNORE INTO pending VALUES (?, ?)", game, what)

    def settle(self, game: str, done: Sequence[str]) -> None:
        """Forget what lies in a copy, or was never signed."""
        for what in done:
            self.change("DELETE FROM pending WHERE game = ? AND what = ?", game, what)

    # How often somebody was answered.

    def spoken(self, who: str, since: Time, now: Time) -> int:
        """How often that sender was answered since then; not what a clock set back wrote ahead."""
        query = "SELECT count(*) FROM spoken WHERE who = ? AND time > ? AND time <= ?"
        return int(self.rows(query, who, since, now)[0][0])

    def speak(self, who: str, now: Time) -> None:
        """Note that this sender is answered now; notes older than a day are deleted."""
        self.change("DELETE FROM spoken WHERE time < ?", deadlines.add(now, -DAY))
        self.change("INSERT INTO spoken VALUES (?, ?)", who, now)

    # The outbox.

    def queue(self, mail: Outgoing, sender: str, data: bytes, now: Time) -> None:
        """Put a mail into the outbox, unless one of its key was ever there. It waits for the same
        reason as those to its recipient that wait already."""
        self.change(
            "INSERT OR IGNORE INTO outbox (key, token, recipient, sender, data, due, act, ours) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(min(ours), 1) FROM outbox "
            "WHERE state = 'waiting' AND recipient = ?))",
            mail.key, mail.token, mail.to, sender, data, now, mail.act, mail.to,
        )  # fmt: skip

    def known(self, tokens: Sequence[str]) -> list[KnownMail]:
        """The mails of ours that have these tokens, in this order."""
        query = (
            "SELECT number, key, token, recipient, sent, act, done FROM outbox "
            "WHERE token IN (SELECT value FROM json_each(?))"
        )
        found = [KnownMail(*row) for row in self.rows(query, json.dumps(tokens))]
        return sorted(found, key=lambda one: tokens.index(one.token))

    def do(self, token: str) -> None:
        """Note that the act of the mail with that token is done."""
        self.change("UPDATE outbox SET done = 1 WHERE token = ?", token)

    def has(self, key: str) -> bool:
        """Whether a mail of that key was ever there."""
        return bool(self.rows("SELECT 1 FROM outbox WHERE key = ?", key))

    def due(self, now: Time) -> list[str]:
        """Keys of mails to be sent now, oldest first; mails to one recipient keep their order.

        A mail that is due later than after any pause was put there while the clock was ahead.
        """
        keys, held, latest = [], set(), deadlines.add(now, LONGEST_PAUSE)
        for key, recipient, due in self.rows(
            "SELECT key, recipient, due FROM outbox WHERE state = 'waiting' ORDER BY number"
        ):
            if now < due <= latest:
                held.add(recipient)
            elif recipient not in held:
                keys.append(str(key))
        return keys

    def waiting(self, key: str) -> QueuedMail:
        """A mail of the outbox."""
        row = self.rows(
            "SELECT key, recipient, sender, data, tries FROM outbox WHERE key = ?", key
        )[0]
        return QueuedMail(*row)

    def check_noted(self, keys: Sequence[str], now: Time) -> None:
        """Raise Refused if the disk is too full to note that these mails are sent.

        It writes as much as `sent` does; the time that it writes is not read while a mail waits.
        """
        if keys:
            with self.act():
                for key in keys:
                    self.change("UPDATE outbox SET state = state, sent = ? WHERE key = ?", now, key)

    def sent(self, key: str, now: Time) -> None:
        """Note that this mail was sent. Its bytes are kept for a while, its key for ever."""
        self.change("UPDATE outbox SET state = 'sent', sent = ? WHERE key = ?", now, key)
        self.change(
            "UPDATE outbox SET data = NULL WHERE state = 'sent' AND data IS NOT NULL AND sent < ?",
            deadlines.add(now, -KEPT),
        )

    def failed(self, key: str, fault: str, now: Time, *, for_good: bool, ours: bool) -> None:
        """Note that this mail could not be sent; it is tried again after a pause, or given up.

        `ours`: the host could not send, so the recipient's mailbox is not at fault; this also holds
        for the later mails to that recipient.
        """
        mail = self.waiting(key)
        tries = mail.tries + 1
        pause = min(FIRST_PAUSE * 2 ** min(tries - 1, 20), OURS if ours else LONGEST_PAUSE)
        state = "failed" if for_good else "waiting"
        self.change(
            "UPDATE outbox SET tries = ?, due = ?, fault = ?, state = ? WHERE key = ?",
            tries,
            deadlines.add(now, pause),
            fault[:200],
            state,
            key,
        )
        self.change(
            "UPDATE outbox SET ours = ? WHERE state = 'waiting' AND recipient = ?",
            ours,
            mail.recipient,
        )

    def came_back(self, token: str, fault: str) -> bool:
        """Note that the mail with that token came back; False if it was not sent."""
        done = self.change(
            "UPDATE outbox SET state = 'bounced', fault = ?, ours = 0 "
            "WHERE token = ? AND state = 'sent'",
            fault[:200],
            token,
        )
        return done.rowcount > 0

    def delivery(self, key: str) -> Delivery | None:
        """The fate of the mail of that key; None if there was none."""
        found = self.rows("SELECT state, sent, ours FROM outbox WHERE key = ?", key)
        return Delivery(found[0][0], found[0][1], bool(found[0][2])) if found else None

    def retry(self, now: Time) -> int:
        """Make all mails due that wait, were given up or came back; returns how many."""
        changed = self.change(
            "UPDATE outbox SET due = ?, state = 'waiting' "
            "WHERE state IN ('waiting', 'failed', 'bounced') AND data IS NOT NULL",
            now,
        )
        return changed.rowcount

    def listed(self, game: str = "") -> list[UnsentMail]:
        """The mails that were not sent or came back; with a game's id, those of that game."""
        return [
            UnsentMail(*row)
            for row in self.rows(
                "SELECT key, recipient, state, tries, due, fault FROM outbox "
                "WHERE state != 'sent' AND instr(key, ?) ORDER BY number",
                f"/{game}",
            )
        ]

    def aside(self) -> list[tuple[str, int, str]]:
        """Mails that could not be dealt with: name, in how many turns, and why."""
        return self.rows("SELECT name, turns, fault FROM stuck ORDER BY name")


_STATES = {"waiting": "not sent yet", "failed": "not sent", "bounced": "came back"}


def undelivered(listed: Sequence[UnsentMail], stuck: Sequence[tuple[str, int, str]]) -> list[str]:
    """Mails that did not arrive, and mails that came and could not be dealt with."""
    out = []
    for one in listed:
        line = f"{_STATES[one.state]}: to {one.recipient}, {one.tries} tries"
        line += f", due {one.due}" if one.state == "waiting" else ""
        out.append(line + (f": {one.fault}" if one.fault else ""))
    for name, turns, fault in stuck:
        out.append(f"in the mailbox: {name}, looked at {turns} times: {fault}")
    return out


# What may leave, and when.

HOUR = 3_600

MOST = {
    "again": 3,
    "command": 5,
    "resend": 1,
    "join": 3,
    "joins": 60,
    "stranger": 1,
    "strangers": 60,
    "alarm": 4,
    "word": 30,
    "invited": 5,
}
"""How many answers of each kind leave in an hour, by the word with which a budget begins. `again`:
mails that were answered before. `command`: words that nobody signed. `resend`: one entry to one
address. `alarm`: what needs the host's hand. `word`: words of a writer who is proven; `invited`:
invitations that others ask for. The first answer to an order is never limited."""


class Post:
    """Sends the host's mails from `address`."""

    def __init__(self, outbox: Outbox, address: str, clock: Clock) -> None:
        self.outbox = outbox
        self.address = address
        self.clock = clock

    def queue(self, mails: Sequence[Outgoing]) -> None:
        """Put mails into the outbox, all or none."""
        with self.outbox.act():
            self.put(self.chosen(mails))

    def chosen(self, mails: Sequence[Outgoing], answered: Mail | None = None) -> list[Outgoing]:
        """Those of the mails that may leave by their budgets.

        All these mails together use up one of each budget. A machine gets no answer, except the
        first one to something signed.
        """
        now = self.clock.now()
        given = [self._once(mail, answered) for mail in mails]
        if answered is not None and answered.automatic:
            given = [mail for mail in given if not (mail.reply and mail.budget)]
        spent = {one for mail in given for one in mail.budget if self.is_spent(one, now)}
        return [mail for mail in given if not spent.intersection(mail.budget)]

    def put(self, chosen: Sequence[Outgoing]) -> None:
        """Put mails into the outbox; to be called within `Outbox.act`."""
        now, tagged = self.clock.now(), bool(self.outbox.noted(TAGGED))
        for mail in chosen:
            sender = plus(self.address, mail.token) if tagged else self.address
            data = render(mail, self.address, tagged=tagged)
            self.outbox.queue(mail, "" if mail.stranger else sender, data, now)
            if mail.does:
                self.outbox.do(mail.does)
        for budget in sorted({one for mail in chosen for one in mail.budget}):
            self.outbox.speak(budget, now)

    def _once(self, mail: Outgoing, answered: Mail | None) -> Outgoing:
        """The mail. If the same mail was answered before, it gets another key and a budget."""
        if answered is None or not mail.reply or not self.outbox.has(mail.key):
            return mail
        budget = (f"again/{mail.to.lower()}",)
        return replace(mail, key=f"{mail.key}/{answered.digest}", budget=budget)

    def is_spent(self, budget: str, now: Time) -> bool:
        """Whether a budget is used up in this hour."""
        most = MOST[budget.partition("/")[0]]
        return self.outbox.spoken(budget, deadlines.add(now, -HOUR), now) >= most

    def flush(self, sender: Sender, faults: list[str], back: tuple[str, ...] = ()) -> int:
        """Send the due mails; a mail that is not taken stays, and is tried again after a pause.
        `back`: mails whose keys begin so stay.

        Raises Refused, before anything is sent, if the disk is too full to note it: the mails would
        be sent again each turn.
        """
        count = 0
        held = set()
        start = self.clock.now()
        due = [key for key in self.outbox.due(start) if not key.startswith(back)]
        self.outbox.check_noted(due, start)
        for key in due:
            mail = self.outbox.waiting(key)
            if mail.recipient in held:
                continue
            now = self.clock.now()
            try:
                sender.send(key, mail.sender, mail.recipient, dated(mail.data, now))
            except NotSent as error:
                self.outbox.failed(key, error.fault, now, for_good=error.for_good, ours=error.down)
                if error.down or not key.startswith(CHECKS):
                    faults.append(f"a mail to {mail.recipient} was not sent: {error.fault}")
                held.add(mail.recipient)
                if error.down:
                    break
                continue
            self.outbox.sent(key, now)
            count += 1
        sender.close()
        return count
