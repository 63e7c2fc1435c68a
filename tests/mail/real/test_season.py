"""A season of a club on real servers: twelve people, three games each, and all that goes wrong."""

from __future__ import annotations

import itertools
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import mail_servers
import pytest
from click.testing import CliRunner
from mail.real.season import EXCHANGE, NOTHING, QMAIL, TICK, Manners, Provider, Season
from mailroom import is_over

from adjudicator.cli import cli
from adjudicator.core import deadlines
from adjudicator.core.ledger import Ledger
from adjudicator.mail import mailboxes
from adjudicator.office.outbox import MOST
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier.claims import LOOK, TRUE
from adjudicator.verifier.verify import verify
from orders import crypto
from orders.entries import Entry, Reveal
from orders.fields import Time
from orders.secrets import derive

pytestmark = pytest.mark.usefixtures("_passwords")

DAY = 3
"""Ticks."""
TURN = 2 * 86_400
MOST_TICKS = 50 * DAY
MOST_MAILS = 2
"""The mails a turn and player that answer nothing."""

HOUSE = """\
options = ["club", "zone=+01:00", "turn_time=2d", "reserve_time=0d"]
pause = ["2026-12-18", "2026-12-22"]
"""
MEMBERS = (
    "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "ken",
    "lea",
)  # fmt: skip
STANDBY = ("victor", "heap")
FORGER = "stuck"
REWRITTEN, BY_QMAIL, BY_EXCHANGE = "dave", "erin", "grace"
"""Who has a provider that writes Message-IDs anew, and whose mails come back for a day."""
GONE, BACK = "ivan", "judy"
"""Who vanishes, with a machine that answers for them, and who comes back once they are warned."""
MANNERS = {
    # A web mailer and a telephone: both lose References, and the second all but the subject.
    "carol": Manners(threads=False, quotes=""),
    "ken": Manners(threads=False, quotes=None, knows_reply_to=False),
    GONE: Manners(away=(8 * DAY, MOST_TICKS), robot=True),
    BACK: Manners(away=(9 * DAY, MOST_TICKS), returns=True),
}

ASKED = {
    0: {"alice": "new sugar-dog with bob@example.org carol@example.org dave@example.org",
        "erin": "seek sugar-dog players=4"},
    1: {"ivan": "new sugar-dog with judy@example.org ken@example.org lea@example.org"},
    5: {"frank": "new sugar-dog with alice@example.org erin@example.org ivan@example.org",
        "judy": "seek sugar-dog players=4"},
    6: {"heidi": "new sugar-dog with dave@example.org ken@example.org lea@example.org"},
    7: {"alice": "new silent-ships with ivan@example.org"},
    8: {"erin": "new silent-ships with bob@example.org"},
    9: {"carol": "new silent-ships with judy@example.org"},
    10: {"dave": "new submarine-warfare with frank@example.org"},
    11: {"ken": "new submarine-warfare with grace@example.org"},
    12: {"heidi": "new submarine-warfare with lea@example.org"},
}  # fmt: skip
"""By tick who asks for which game."""
LOOK_AROUND = {3: ("frank", "grace", "heidi"), 8: ("bob", "grace", "carol")}
"""And who looks for a game that seeks players."""
GAMES = 12


def is_free(now: Time) -> bool:
    """Whether it is a weekend, or the holiday."""
    here = deadlines.add(now, 3_600)
    weekday = (deadlines.to_seconds(here) // 86_400 + 3) % 7
    return weekday > 4 or "2026-12-18" <= here[:10] <= "2026-12-22"


@pytest.fixture
def season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Season]:
    provider, count = Provider(), itertools.count()
    behind = (REWRITTEN, BY_QMAIL, BY_EXCHANGE)
    with provider.listening() as port, mail_servers.postfix(behind, port) as servers:
        provider.servers = servers
        made = Season(servers, tmp_path, provider, HOUSE, is_free)
        monkeypatch.setattr(SystemClock, "now", lambda _: made.clock.now())
        monkeypatch.setattr(mailboxes.Imap, "time", lambda _: made.clock.now())
        monkeypatch.setattr(crypto, "fresh", lambda: derive(b"fresh" * 8, str(next(count))))
        yield made


def happen(season: Season) -> None:
    """What happens at this tick."""
    now, people, provider = season.ticks, season.people, season.provider
    for name, line in ASKED.get(now, {}).items():
        people[name].ask(line)
    for name in LOOK_AROUND.get(now, ()):
        people[name].look_around()
    if now == 2 * DAY:
        people["frank"].post("new sugardog with lea@example.org", "hi", "new refused: ")
        (first, *_) = people["alice"].confirmed
        people["alice"].post("Thanks! When will it start?", f"Re: {first.mail.subject}", NOTHING,
                             first)  # fmt: skip
    provider.rewrites = {f"{REWRITTEN}@example.org"}
    provider.returns = {}
    if 6 * DAY + 1 <= now < 7 * DAY + 1:
        provider.returns[f"{BY_QMAIL}@example.org"] = QMAIL
    if 10 * DAY <= now < 11 * DAY:
        provider.returns[f"{BY_EXCHANGE}@example.org"] = EXCHANGE
    # The folder is copied to a new machine, and a day later the old one is left on for three days.
    twin = season.root / "twin"
    if now == 7 * DAY:
        shutil.copytree(season.folder, twin, symlinks=True)
    if 8 * DAY <= now < 11 * DAY:
        season.machines = [season.folder, twin][:: (1, -1)[now % 2]]
    else:
        season.machines = [season.folder]
    if now == 9 * DAY:
        line, victim = f"new silent-ships with {MEMBERS[0]}@example.org", people[GONE].address
        people[FORGER].post(line, "hello", rf"new\? of {victim}", sender=victim)
    season.down = 14 * DAY <= now < 17 * DAY + 1


@pytest.mark.timeout(600)
def test_a_season(season: Season) -> None:
    """Weekends, a holiday, somebody who vanishes and somebody who comes back, an outage, a second
    machine, clients that drop threads, a relay that writes Message-IDs anew, notices in a
    provider's own words, an out-of-office: all games end and count; nobody is wrongly late, nobody
    is misread, and nobody gets more than two mails a turn beside answers to their own."""
    for name in (*MEMBERS, *STANDBY, FORGER):
        season.add(name, MANNERS.get(name))
    for kind in ("sugar-dog", "silent-ships", "submarine-warfare"):
        for name in STANDBY:
            season.people[name].ask(f"standby {kind}")
    while len(season.records()) < GAMES or not all(map(is_over, season.records())):
        assert season.ticks < MOST_TICKS, "\n".join(season.said[-40:])
        happen(season)
        season.tick()
    season.tick()
    rows = [row(season, record) for record in season.records()]
    print(table(season, rows))
    assert season.misread() == []
    check_missing(season)
    check_mails(season)
    check_records(season, rows)
    check_what_happened(season, rows)


class Row(NamedTuple):
    """A game of the table."""

    name: str
    players: int
    turns: int
    mails: int
    rulings: tuple[str, ...]
    missed: int
    handed_on: tuple[str, ...]
    code: int
    marked: tuple[str, ...]


def row(season: Season, record: Record) -> Row:
    ledger, found = Ledger.read(record), verify(record)
    entries = [link.entry for link in ledger.links()]
    ruled = [one.ruling for one in entries if isinstance(one, Entry) and one.ruling]
    mails = sum(
        count
        for person in season.people.values()
        for (game, _), count in season.mails_of(person).items()
        if game == record.root.name
    )
    return Row(
        record.root.name,
        len(ledger.opening.players),
        sum(isinstance(one, Entry) and not one.ruling for one in entries) - 1,
        mails,
        tuple(one.reason for one in ruled),
        sum(len(one.missing) for one in entries if not isinstance(one, Reveal)),
        tuple(one.seat.player for one in ruled if one.seat is not None),
        found.code,
        found.marked,
    )


def table(season: Season, rows: list[Row]) -> str:
    """The season in figures."""
    head = f"{'game':24} players turns mails a turn and player rulings missed handed on  verdict"
    lines = [head]
    for one in rows:
        each = one.mails / one.turns / one.players
        given = "; ".join(one.marked)
        lines.append(
            f"{one.name:24} {one.players:7} {one.turns:5} {one.mails:5} {each:17.2f} "
            f"{len(one.rulings):7} {one.missed:6} {','.join(one.handed_on) or '-':9}  "
            f"{'TRUE' if one.code == TRUE else 'LOOK'} {given}"
        )
    counts = [count for one in season.people.values() for count in season.mails_of(one).values()]
    came = sum(len(one.came) for one in season.people.values())
    turns = sum(one.turns for one in rows)
    back = sum(season.provider.returned.values())
    lines.append(
        f"{len(rows)} games, {turns} turns in {season.ticks // DAY} days: {len(season.sent)} mails "
        f"in, {came} out, {back} came back; beside answers {sum(counts)}, at most {max(counts)} a "
        f"turn and player"
    )
    return "\n".join(lines)


def check_missing(season: Season) -> None:
    """Nobody is missing but who was away, and they had their time."""
    missing = list(season.missing())
    assert {one.name for one in missing} == {GONE, BACK}, missing
    # People look once a tick, so they see a mail up to a tick after it came.
    assert all(one.had >= TURN - TICK and not one.sent for one in missing), missing


def check_mails(season: Season) -> None:
    """At most two a turn and player, and to whom a relay brings one mail of two machines twice, as
    many again; and nobody is told that anything is wrong."""
    for one in season.people.values():
        most = MOST_MAILS * (2 if one.name == REWRITTEN else 1)
        many = {where: n for where, n in season.mails_of(one).items() if n > most}
        assert many == {}, (one.name, many)
        if one.name not in (GONE, BACK):
            assert [line for _, line in one.warnings if "protest" in line] == [], one.name


def check_records(season: Season, rows: list[Row]) -> None:
    """All are true, or only time that rulings gave is to be looked at; and all of them count."""
    assert len(rows) == GAMES
    for one in rows:
        assert one.code in (TRUE, LOOK), one
        assert all(line.startswith("rulings gave ") for line in one.marked), one
    done = CliRunner().invoke(cli, ["club", str(season.folder / "packs"), "--no-pages"])
    assert f"{GAMES} games counted; 0 left out" in done.output


def check_what_happened(season: Season, rows: list[Row]) -> None:
    """All that was to go wrong did, so that the rest says something."""
    said, ruled = "\n".join(season.said), " ".join(why for one in rows for why in one.rulings)
    assert season.provider.faults == []
    assert season.provider.count > MOST_MAILS
    for name in (BY_QMAIL, BY_EXCHANGE):
        assert f"a mail to {name}@example.org came back" in said
    assert f"could not be delivered to {BY_EXCHANGE}" in ruled
    assert "has not left for" in ruled
    assert "no deadline falls into the holidays of this house" in ruled
    assert {name for one in rows for name in one.handed_on} == {GONE}
    assert re.search(r"twin .*taken from copies", said)
    # A machine that answers each answer is answered no more often than words that nobody proved.
    gone = season.people[GONE]
    answers = Counter(one.time for one in gone.came if one.answers and gone.is_away)
    assert 0 < max(answers.values()) <= MOST["command"]
