"""What a referee keeps beside its games: who began one, watches one, or stands by; who was asked to
take a seat; who is there after a missed deadline; how each reader wants to be told.

It lies in the outbox's database, so it changes with the mails that tell of it. Of a game that is
over nothing is kept after a while.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from adjudicator.core.deadlines import DAY
from adjudicator.office.outbox import Outbox
from orders.fields import Digest, Time

FORGOTTEN = 30 * DAY
"""Seconds after its end for which the notes of a game are kept."""

_TABLES = """
CREATE TABLE IF NOT EXISTS begun (
    name TEXT PRIMARY KEY, origin TEXT NOT NULL, writer TEXT NOT NULL, seeks INTEGER NOT NULL,
    time TEXT NOT NULL, others INTEGER NOT NULL, closed TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS watchers (
    game TEXT NOT NULL, address TEXT NOT NULL, upto INTEGER NOT NULL, UNIQUE (game, address));
CREATE TABLE IF NOT EXISTS standby (
    kind TEXT NOT NULL, address TEXT NOT NULL, UNIQUE (kind, address));
CREATE TABLE IF NOT EXISTS asked (
    game TEXT NOT NULL, player TEXT NOT NULL, address TEXT NOT NULL, time TEXT NOT NULL,
    reason TEXT NOT NULL, UNIQUE (game, player, address));
CREATE TABLE IF NOT EXISTS pauses (
    game TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, reason TEXT NOT NULL,
    UNIQUE (game, reason));
CREATE TABLE IF NOT EXISTS present (
    game TEXT NOT NULL, player TEXT NOT NULL, step INTEGER NOT NULL, UNIQUE (game, player));
CREATE TABLE IF NOT EXISTS readers (
    address TEXT PRIMARY KEY, quiet INTEGER NOT NULL DEFAULT 0, weekly TEXT NOT NULL DEFAULT '',
    zone INTEGER NOT NULL DEFAULT 0);
"""


class BegunGame(NamedTuple):
    """A game that somebody began by mail: its record's name, the act that began it, who asked,
    whether anybody may join, when, how many others were invited, and why it is withdrawn, ""
    if it is not."""

    name: str
    origin: str
    writer: str
    seeks: bool
    time: Time
    others: int
    closed: str = ""


class AskedPlayer(NamedTuple):
    """Who was asked to take a seat, and when; `reason`: an organiser's, "" where the seat is free
    because its player is away."""

    address: str
    time: Time
    reason: str


class Register:
    """The notes of a referee; addresses are kept in small letters."""

    def __init__(self, outbox: Outbox) -> None:
        """Make its tables if need be."""
        self.outbox = outbox
        outbox.base.executescript(_TABLES)

    # Games that were begun by mail.

    def all_begun(self) -> dict[str, BegunGame]:
        """All of them, by name."""
        return {row[0]: _begun(row) for row in self.outbox.rows("SELECT * FROM begun")}

    def begun(self, name: str) -> BegunGame | None:
        """The one of that name; None: nobody began it by mail."""
        rows = self.outbox.rows("SELECT * FROM begun WHERE name = ?", name)
        return _begun(rows[0]) if rows else None

    def begin(self, game: BegunGame) -> None:
        """Note a game that is new, or why one is withdrawn."""
        self.outbox.change("INSERT OR REPLACE INTO begun VALUES (?, ?, ?, ?, ?, ?, ?)", *game)

    # Watchers.

    def watchers(self, game: Digest) -> dict[str, int]:
        """Who watches a game, each with the last entry that they were told of, -1 for none."""
        query = "SELECT address, upto FROM watchers WHERE game = ? ORDER BY rowid"
        return dict(self.outbox.rows(query, game))

    def watch(self, game: Digest, address: str, upto: int) -> None:
        """Note how far a watcher was told."""
        self.outbox.change(
            "INSERT INTO watchers VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET upto = excluded.upto",
            game, address.lower(), upto,
        )  # fmt: skip

    def unwatch(self, game: Digest, address: str) -> None:
        """Note that somebody watches no more."""
        self.outbox.change(
            "DELETE FROM watchers WHERE game = ? AND address = ?", game, address.lower()
        )

    # Standby players, and seats that they were asked to take.

    def standby(self) -> list[tuple[str, str]]:
        """The games and addresses of who stands by, in the order in which they wrote."""
        return self.outbox.rows("SELECT kind, address FROM standby ORDER BY rowid")

    def stand_by(self, kind: str, address: str) -> None:
        """Put somebody on the list."""
        self.outbox.change("INSERT OR IGNORE INTO standby VALUES (?, ?)", kind, address.lower())

    def stand_down(self, kind: str | None, address: str) -> None:
        """Take somebody off the list of a game, or of all."""
        self.outbox.change(
            "DELETE FROM standby WHERE address = ? AND kind = coalesce(?, kind)",
            address.lower(), kind,
        )  # fmt: skip

    def asked(self, game: Digest) -> dict[str, list[AskedPlayer]]:
        """By player whose seat is free: who was asked to take it."""
        found: dict[str, list[AskedPlayer]] = {}
        query = "SELECT player, address, time, reason FROM asked WHERE game = ? ORDER BY rowid"
        for player, *one in self.outbox.rows(query, game):
            found.setdefault(player, []).append(AskedPlayer(*one))
        return found

    def ask(self, game: Digest, player: str, address: str, now: Time, reason: str = "") -> None:
        """Note that somebody is asked to take that seat; `reason`: an organiser's, for the ruling
        that hands it on, whether or not its player is there."""
        if reason:
            self.ask_no_more(game, player, ruled=True)
        query = "INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?, ?)"
        self.outbox.change(query, game, player, address, now, reason)

    def ask_no_more(self, game: Digest, player: str, *, ruled: bool) -> None:
        """Note that the seat is no longer free. An organiser's last word stands unless it is
        `ruled` otherwise: by another, or by the seat's going to somebody."""
        query = "DELETE FROM asked WHERE game = ? AND player = ? AND (? OR reason = '')"
        self.outbox.change(query, game, player, ruled)

    # Pauses of one game, beside the holidays of the house.

    def pauses(self, game: Digest) -> list[tuple[str, str, str]]:
        """The first and the last day of each, and the reason."""
        query = "SELECT first, last, reason FROM pauses WHERE game = ? ORDER BY rowid"
        return self.outbox.rows(query, game)

    def pause(self, game: Digest, first: str, last: str, reason: str) -> None:
        """Let no deadline of a game fall into these days."""
        query = "INSERT OR IGNORE INTO pauses VALUES (?, ?, ?, ?)"
        self.outbox.change(query, game, first, last, reason)

    # Players who are there after a missed deadline.

    def present(self, game: Digest) -> dict[str, int]:
        """By player: the last missed deadline, by its entry, after which they said so."""
        return dict(self.outbox.rows("SELECT player, step FROM present WHERE game = ?", game))

    def be_present(self, game: Digest, player: str, step: int) -> None:
        """Note that a player is there."""
        if self.present(game).get(player) != step:
            query = "INSERT OR REPLACE INTO present VALUES (?, ?, ?)"
            self.outbox.change(query, game, player, step)

    # Readers.

    def is_quiet(self, address: str) -> bool:
        """Whether somebody wants no invitations."""
        query = "SELECT 1 FROM readers WHERE address = ? AND quiet"
        return bool(self.outbox.rows(query, address.lower()))

    def hush(self, address: str, *, quiet: bool) -> None:
        """Note whether somebody wants no invitations."""
        if self.is_quiet(address) != quiet:
            self.outbox.change(
                "INSERT INTO readers (address, quiet) VALUES (?, ?) "
                "ON CONFLICT DO UPDATE SET quiet = excluded.quiet",
                address.lower(), quiet,
            )  # fmt: skip

    def weekly(self) -> dict[str, Time]:
        """Who wants all their games in one mail each week, and when they had the last."""
        return dict(self.outbox.rows("SELECT address, weekly FROM readers WHERE weekly != ''"))

    def tell_weekly(self, address: str, last: Time) -> None:
        """Note when somebody had the last such mail; "": they want none."""
        self.outbox.change(
            "INSERT INTO readers (address, weekly) VALUES (?, ?) "
            "ON CONFLICT DO UPDATE SET weekly = excluded.weekly",
            address.lower(), last,
        )  # fmt: skip

    def zone(self, address: str) -> int:
        """How many seconds somebody's clock is ahead of UTC, by their last mail that asked."""
        found = self.outbox.rows("SELECT zone FROM readers WHERE address = ?", address.lower())
        return int(found[0][0]) if found else 0

    def keep_zone(self, address: str, zone: int) -> None:
        """Note that."""
        if self.zone(address) != zone:
            self.outbox.change(
                "INSERT INTO readers (address, zone) VALUES (?, ?) "
                "ON CONFLICT DO UPDATE SET zone = excluded.zone",
                address.lower(), zone,
            )  # fmt: skip

    # Games that are over.

    def forget(self, name: str, game: Digest, begun: Digest) -> None:
        """Forget a game that is long over, by its record's name, its invite and its genesis, with
        the mails that told of it."""
        if self.begun(name) is None:
            return
        with self.outbox.act():
            self.outbox.change("DELETE FROM begun WHERE name = ?", name)
            for table in ("watchers", "asked", "pauses", "present"):
                self.outbox.change(f"DELETE FROM {table} WHERE game = ?", game)  # noqa: S608 - ours
            self.outbox.change(
                "DELETE FROM outbox WHERE state != 'waiting' AND (instr(key, ?) OR instr(key, ?))",
                game, begun,
            )  # fmt: skip


def _begun(row: tuple[Any, ...]) -> BegunGame:
    return BegunGame(*row)._replace(seeks=bool(row[3]))
