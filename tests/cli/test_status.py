"""`status` in a folder of many games: whose turn, least time first, and all that needs a hand."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from calendars import events
from desks import Desks
from duel.commanders import Person

from adjudicator.cli import shared
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office import overview
from adjudicator.office.outbox import CHECKS, Outbox

Table = Any


@pytest.fixture
def desks(by_mail: Desks) -> Desks:
    """A host by mail, of a game that has begun and of one that is offered."""
    offer = ("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    by_mail.run(*offer, "--option", "turn_time=9d")
    return by_mail


def lines(desk: Any, *words: str, code: int = 0) -> list[str]:
    return list(desk.run("status", *words, code=code).stdout.splitlines())


def test_all_games_the_least_time_first(table: Table, tmp_path: Path) -> None:
    """As host and as player, whose turn and until when; first what needs a hand."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday", "--option", "turn_time=1h")
    for name, key in (("ann", "alice"), ("ben", "bob")):
        table.ok("join", "sunday-invite.txt", "--name", name, "--key", f"{key}.key")
    table.ok("start", "-g", "sunday", "sunday-ann-join.txt", "sunday-ben-join.txt")
    said = table.ok("status").splitlines()
    assert [one.partition(":")[0] for one in said] == ["sunday", "friday"]
    assert "Sugar Dog, as host: ann's and ben's setup, until " in said[0]
    assert " (in 59 min)" in said[0] or " (in 1 h)" in said[0]
    told = json.loads(table.ok("status", "--json"))
    assert [one["name"] for one in told["games"]] == ["sunday", "friday"]
    assert told["games"][0]["until"] < told["games"][1]["until"]
    assert told["hand"] == []


def test_what_does_not_hold_needs_a_hand(table: Table) -> None:
    """It is told first, the other games too, and the exit code says that somebody must look."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    path = table.root / "friday" / "entries" / "0000.toml"
    path.write_bytes(path.read_bytes() + b"\n")
    done = table.run("status")
    assert done.exit_code == 3
    said = done.stdout.splitlines()
    assert said[0] == "1 needs a hand:"
    assert said[1].startswith("  friday: it does not hold: ")
    assert said[-1] == "sunday: Sugar Dog, as host: not begun, 0 joined"


def test_what_failed_by_mail_is_all_there(desks: Desks) -> None:
    """A mail that was sent back or could not leave, one set aside, a login, a clock, a game left
    out, and a mailbox that nobody reads any more."""
    assert [one.partition(":")[0] for one in lines(desks)] == ["friday", "sunday"]
    now = shared.now()
    with closing(Outbox(desks.root / "mail.state")) as outbox:
        overview.note(outbox, "2026-01-01T00:00:00Z", ["the mailbox: login failed"])
        outbox.note("set aside: 00007: it cannot be read: FETCH failed", now)
        outbox.note("friday: the slip of bob is 4 h later: is the clock right?", now)
        outbox.keep_note("games under way", json.dumps({"ab" * 32: "ibis"}))
        outbox.queue(Outgoing("x/k", b"", "bob@example.org", "", ""), "", b"x", now)
        outbox.failed("x/k", "550 no such user", now, for_good=True, ours=False)
    said = lines(desks, code=3)
    assert said[0] == "6 need a hand:"
    assert said[1].startswith("  the mailbox: login failed (in the turn of ")
    assert said[2] == "  ibis: it was served before, and is left out now"
    assert said[3] == "  not sent: to bob@example.org, 1 tries: 550 no such user"
    assert said[4] == "  set aside: 00007: it cannot be read: FETCH failed"
    assert said[5].endswith("is the clock right?")
    assert said[6].startswith("  the mailbox was read ")
    assert len(json.loads(desks.run("status", "--json", code=3).stdout)["hand"]) == 6


def test_what_has_not_left(desks: Desks) -> None:
    """Invitations that wait for the next sync, and a clone's commits."""
    desks.run("invite", "-g", "sunday", "--players", "3")
    with closing(Outbox(desks.root / "mail.state")) as outbox:
        outbox.queue(Outgoing("x/k", b"", "bob@example.org", "", ""), "", b"x", shared.now())
    assert lines(desks, code=3)[1] == "  1 mail to send: adjudicator sync"
    for words in (
        ("init", "-q", "-b", "main"), ("add", "-A"),
        ("-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x"),
    ):  # fmt: skip
        subprocess.run(["git", "-C", str(desks.root / "sunday"), *words], check=True)
    assert "  sunday: 1 commit not pushed: adjudicator sync" in lines(desks, code=3)


def test_a_page_of_all_games(desks: Desks) -> None:
    """Plain HTML that asks for nothing, of one game too; what somebody wrote is no markup."""
    with closing(Outbox(desks.root / "mail.state")) as outbox:
        outbox.note("set aside: <script>: it cannot be read", shared.now())
    desks.run("status", "--html", "games.html", code=3)
    page = (desks.root / "games.html").read_text()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in page
    assert page.index("<td>friday<td>") < page.index("<td>sunday<td>")
    shutil.rmtree(desks.root / "sunday")
    desks.run("status", "--html", "games.html", code=3)
    assert "sunday" not in (desks.root / "games.html").read_text()
    (desks.root / "mine.html").write_text("mine")
    assert "mine.html" in desks.run("status", "--html", "mine.html", code=1).stderr
    desks.run("status", "--html", "x.html", "-g", "friday", code=2)


def test_a_player_sees_what_waits_for_them(desks: Desks) -> None:
    """Beside others' turns, with what they sent and whether it was answered."""
    own = desks.at("alice")
    shutil.copytree(desks.root / "sunday", own.root / "sunday")
    said = [one for one in lines(own) if one.startswith("friday")]
    assert said[0].startswith("friday: Sugar Dog, as alice: YOUR setup, until ")
    own.run("play", "start C4")
    (said_,) = [one for one in lines(own) if one.startswith("friday")]
    assert said_.startswith("friday: Sugar Dog, as alice: sent, no receipt yet, until ")


def test_a_players_login_that_failed(desks: Desks) -> None:
    """It stays told until a sync has reached the mailbox."""
    own = desks.at("alice")
    shutil.copytree(desks.root / "sunday", own.root / "sunday")
    own.run("sync", "-g", "friday", code=3, MAIL_IN="maildir:nowhere")
    (told,) = [one for one in lines(own, code=3) if one.startswith("  friday: the mailbox: ")]
    assert told.endswith(" (at the last sync)")
    for name in ("new", "cur", "tmp"):
        (own.root / "box" / name).mkdir(parents=True)
    own.run("sync", "-g", "friday", MAIL_IN="maildir:box")
    assert not any("at the last sync" in one for one in lines(own))


# Deadlines as a calendar.


def test_a_calendar_of_ones_own_deadlines(table: Table, mine: Table, finished: Table) -> None:
    """Of a player those for which they have sent nothing, of a host the first that is lacking; a
    game that is over, or awaits somebody else, has none."""
    # Bob's seat lies beside the record too.
    shutil.move(table.root / "bob.seat", table.root / "there")
    (game,) = events(calendar_of(table))
    told = json.loads(table.ok("status", "--json"))
    until = min(one["until"] for one in told["awaited"].values())
    assert game["DTSTART"] == until.replace("-", "").replace(":", "")
    assert game["SUMMARY"] == "Sugar Dog friday: alice's setup, bob's setup"
    assert game["UID"] == f"{told['game']}-host"
    assert events(calendar_of(mine)) == []
    table.give("friday-0000.txt", mine)
    mine.ok("take", "friday-0000.txt")
    (own,) = events(calendar_of(mine))
    assert own["SUMMARY"] == "Sugar Dog friday: your setup"
    assert own["UID"] == f"{told['game']}-alice"
    assert own["SEQUENCE"] == "0"
    mine.ok("play", "start C4")
    assert events(calendar_of(mine)) == []
    mine.give("friday-alice-0001-1.txt", table)
    table.ok("take", "friday-alice-0001-1.txt", "-g", "friday")
    (left,) = events(calendar_of(table))
    assert left["SUMMARY"] == "Sugar Dog friday: bob's setup"
    shutil.move(table.root / "there", table.root / "bob.seat")
    assert [one["UID"][65:] for one in events(calendar_of(table))] == ["bob", "host"]
    table.step(bob="start C1")
    table.give("friday-0001-alice.txt", mine)
    mine.ok("take", "friday-0001-alice.txt")
    (after,) = events(calendar_of(mine))
    assert (after["UID"], after["SEQUENCE"]) == (own["UID"], "1")
    assert after["SUMMARY"] == "Sugar Dog friday: your turn"
    assert events(calendar_of(finished)) == []


def calendar_of(table: Table) -> bytes:
    assert "deadline" in table.ok("status", "--ics", "games.ics")
    data: bytes = (table.root / "games.ics").read_bytes()
    said = table.run("status", "--ics", "-")
    assert (said.exit_code, said.stdout_bytes) == (0, data)
    return data


def test_a_calendar_replaces_nothing_else(table: Table) -> None:
    """Another calendar stays, and it is of all games."""
    (table.root / "mine.ics").write_bytes(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert "mine.ics" in table.run("status", "--ics", "mine.ics").stderr
    for words in (("--ics", "x", "-g", "friday"), ("--ics", "x", "--html", "y")):
        assert table.run("status", *words).exit_code == 2
    assert not (table.root / "x").exists()


def test_a_duels_deadline_is_in_the_calendar(tmp_path: Path) -> None:
    """While it is this player's, with the moves as its number."""
    ann = Person(tmp_path / "ann", "ann", "captain")
    ben = Person(tmp_path / "ben", "ben", "wild")
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key", "--option", "first=ben")
    ann.ok(*offer, "-o", "../offer.txt")
    ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key")
    assert events(calendar_of(ben)) == []
    sender, reader, seen = ben, ann, []
    while len(seen) < 2:
        reader.ok("take", sender.block)
        if reader is ben and (found := events(calendar_of(ben))):
            seen += found
            told = json.loads(ben.ok("status", "--json"))
            assert found[0]["SUMMARY"] == f"Silent Ships ben.duel: your {told['for']}"
            assert found[0]["SEQUENCE"] == str(told["move"])
            assert found[0]["DTSTART"] == told["until"].replace("-", "").replace(":", "")
        while reader.think():
            pass
        sender, reader = reader, sender
    assert seen[0]["UID"] == seen[1]["UID"]


def test_a_referees_trouble(tmp_path: Path, at_commands: Any) -> None:
    """Mails that came back or were set aside, and what the last turn could not do, are told with no
    game, with one and with two, and the exit code says that somebody must look; with `-g` a game is
    told alone."""
    desk = Desks(at_commands(tmp_path), COLOUR="never")
    (tmp_path / "referee.toml").write_text(
        'address = "games@example.net"\nmail-in = "maildir:box"\nmail-out = "maildir:out"\n'
    )
    assert lines(desk) == ["No game is here."]
    with closing(Outbox(tmp_path / "mail.state")) as outbox:
        outbox.note("set aside: spam: unreadable", shared.now())
        overview.note(outbox, shared.now(), ["the mailbox: NO login"])
        outbox.queue(Outgoing("x/k", b"s", "eve@example.org", "x", "x"), "", b"", shared.now())
        outbox.failed("x/k", "550 no such user", shared.now(), for_good=True, ours=False)
        # Most mailboxes take no address with a token in it, and that is nobody's trouble.
        key = f"{CHECKS}tagged"
        outbox.queue(Outgoing(key, b"s", "games+t@example.net", "x", "x"), "", b"", shared.now())
        outbox.failed(key, "550 no such mailbox", shared.now(), for_good=True, ours=False)
    trouble = [
        "3 need a hand:",
        "  the mailbox: NO login (in the turn of ",
        "  not sent: to eve@example.org, 1 tries: 550 no such user",
        "  set aside: spam: unreadable",
        "",
    ]

    def is_told(said: list[str], game: str) -> None:
        pairs = zip(said, [*trouble, game], strict=False)
        assert [one.startswith(begins) for one, begins in pairs] == [True] * 6, said

    is_told(lines(desk, code=3), "No game is here.")
    desk.key("own.key")
    for name in ("friday", "sunday"):
        desk.run("invite", "sugar-dog", "-o", name, "--key", "own.key")
        said = lines(desk, code=3)
        is_told(said, "friday: Sugar Dog, ")
        assert "games+" not in "".join(said)
        if name == "friday":
            assert "1 mails not sent" in said
        assert len(json.loads(desk.run("status", "--json", code=3).stdout)["hand"]) == 3
    assert lines(desk, "-g", "friday")[0] == "friday: Sugar Dog, not begun"
