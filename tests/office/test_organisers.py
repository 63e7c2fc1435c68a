"""What the organisers of a club do by mail, and what every reader is told of their own games."""

from __future__ import annotations

from pathlib import Path

import pytest
from office.club import Club, begun, words

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.mail.mime import read_mail
from adjudicator.office.house import House
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify

ORGANISER = "olga@example.org"


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path, House(organisers=(ORGANISER,)))


def rulings(club: Club, name: str) -> list[str]:
    links = club.host(name).begun().ledger.links()
    return [one.entry.ruling.reason for one in links if one.entry.ruling is not None]


def test_more_time(club: Club) -> None:
    """For all who are awaited, once however often the mail comes, with the reason for all."""
    name = begun(club)
    before = club.host(name).begun().last.clocks.awaited
    told = words(club.ask(ORGANISER, f"extend {name} 2d The server was down."))
    assert f"The ruling is in {name}, with your reason" in told
    (reason,) = rulings(club, name)
    assert reason.startswith("The server was down. (an organiser, ")
    assert ORGANISER not in reason
    after = club.host(name).begun().last.clocks.awaited
    for player, one in before.items():
        assert deadlines.between(one.until, after[player].until) == 2 * DAY
    assert "The server was down." in words(club.got("bob@example.org")[-1])
    last = [one for one in club.got(ORGANISER) if b"is this yours" in one][-1]
    club.write(ORGANISER, "yes", answers=last)
    club.turn()
    assert len(rulings(club, name)) == 1
    assert "done already" in read_mail(club.got(ORGANISER)[-1]).subject


def test_a_pause_lasts(club: Club) -> None:
    """No deadline falls into it, neither one that is there nor one that comes later."""
    name = begun(club)
    until = club.host(name).begun().last.clocks.awaited["alice"].until
    last = deadlines.add(until, DAY)[:10]
    club.ask(ORGANISER, f"pause {name} {last} All are at a fair.")
    club.turn(2)
    (reason,) = rulings(club, name)
    assert reason.startswith("All are at a fair.")
    moved = club.host(name).begun().last.clocks.awaited
    assert all(one.until[:10] > last for one in moved.values())
    for who, lines in (("alice", "start C4"), ("bob", "start F6")):
        club.person(who).order(name, lines)
        club.turn()
    club.turn()
    assert all(
        one.until[:10] > last for one in club.host(name).begun().last.clocks.awaited.values()
    )


def test_an_end(club: Club) -> None:
    name = begun(club)
    club.ask(ORGANISER, f"end {name} Nobody plays on.")
    club.turn(2)
    assert club.host(name).begun().last.over
    assert "Nobody plays on." in " ".join(rulings(club, name))
    assert verify(Record(club.folder / name)).code == 3
    for line in (f"pause {name} 2026-12-24 x", f"replace {name} bob with dora@example.org x"):
        club.write(ORGANISER, line)
        club.turn()
        assert "is over" in words(club.got(ORGANISER)[-1])
    assert club.got("dora@example.org") == []


@pytest.mark.parametrize("new", ["dora", "{dora}$x"])
def test_another_player(club: Club, new: str) -> None:
    """The seat is handed on once the new one joins, and all read why; an honest verdict says that
    its player did not sign it. An address may hold what
    looks like a place in a text."""
    name = begun(club)
    line = f"replace {name} bob with {new}@example.org Bob is ill."
    club.write(ORGANISER, line)
    club.turn()
    assert "no seat changes hands before the first" in words(club.got(ORGANISER)[-1])
    for who, lines in (("alice", "start C4"), ("bob", "start F6")):
        club.person(who).order(name, lines)
        club.turn()
    club.person(new)
    club.ask(ORGANISER, line)
    club.turn()
    assert "the seat of bob is yours" in read_mail(club.got(f"{new}@example.org")[-1]).subject
    assert club.host(name).addresses()["bob"] == "bob@example.org"
    club.person(new).join(name="bob")
    club.turn(3)
    assert club.host(name).addresses()["bob"] == f"{new}@example.org"
    assert any(one.startswith("Bob is ill. (an organiser") for one in rulings(club, name))
    told = read_mail(club.got("bob@example.org")[-1])
    assert "your seat is somebody else's now" in told.subject


def test_the_last_word_about_a_seat_stands(club: Club) -> None:
    """Two are asked to take it, one after the other: the first one's join comes too late, however
    long her address."""
    name = begun(club)
    for who, lines in (("alice", "start C4"), ("bob", "start F6")):
        club.person(who).order(name, lines)
        club.turn()
    erin = club.person("erin")
    erin.address = f"{'e' * 60}@{'x' * 20}.example.org"
    for one in (club.person("dora"), erin):
        club.ask(ORGANISER, f"replace {name} bob with <{one.address}> Bob is ill, he says.")
        club.turn()
    erin.join(name="bob")
    club.turn(3)
    assert club.host(name).addresses()["bob"] == erin.address
    assert rulings(club, name)[-1].startswith("Bob is ill, he says. (an organiser, ")
    club.clock.skip(3600)
    club.person("dora").join(name="bob")
    club.turn(3)
    assert club.host(name).addresses()["bob"] == erin.address
    assert "do not get the seat" in read_mail(club.got("dora@example.org")[-1]).subject


def test_no_token_is_told(club: Club) -> None:
    """Neither in a game's name nor in a ruling, which anybody reads."""
    name = begun(club)
    club.ask(ORGANISER, f"extend {name} 2d The server was down.")
    told = f"{name} {rulings(club, name)}"
    for _, _, mail in club.wire.out:
        for token in read_mail(mail).tokens:
            assert token[:8] not in told


def test_why(club: Club) -> None:
    """The lines that the host's mail has, and only for an organiser."""
    begun(club)
    assert "Nothing needs a hand." in words(club.ask(ORGANISER, "why"))
    club.box.broken.add(club.box.put(b"x"))
    club.turn(4)
    assert "set aside" in words(club.ask(ORGANISER, "why"))
    club.write("bob@example.org", "why")
    club.turn()
    assert "Write one of these lines" in words(club.got("bob@example.org")[-1])


@pytest.mark.parametrize(
    "line", ["extend {} 2d I want it", "end {} I lose", "replace {} bob with eve@example.com x",
             "pause {} 2026-12-24 x"],
)  # fmt: skip
def test_nobody_else_rules(club: Club, line: str) -> None:
    """Nor who only writes as an organiser: the question goes there, and no answer comes."""
    name = begun(club)
    for who in ("alice@example.org", "eve@example.com"):
        club.write(who, line.format(name), answers=club.got("alice@example.org")[-1])
        club.write(who, line.format(name))
    club.write(ORGANISER, line.format(name))
    club.turn(2)
    assert rulings(club, name) == []
    (asked,) = club.got(ORGANISER)
    assert read_mail(asked).subject.partition(":")[0] in ("is this yours", "not done")
    (told,) = club.got("eve@example.com")
    assert "Write one of these lines" in words(told)
    assert "extend" not in words(told)


WRONG = {
    "extend {} soon please": "no time to give",
    "extend {} 2d": "a reason is missing",
    "pause {} 2020-01-01 x": "no day to come",
    "pause {} 2026-02-31 x": "no day to come",
    "pause {} 9999-12-31 x": "no day to come, within a year",
    "extend {} 999d x": "no time to give, up to a year",
    "end {}": "a reason is missing",
    "replace {} carl with dora@example.org x": "no player of that name",
    "replace {} bob with alice@example.org x": "takes no second seat",
    "replace {} bob dora@example.org": "nobody to replace a player with",
    "end nothing x": "no game of that name",
    "end {} \xe4": "at most 400 plain ASCII characters",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_cannot_be_ruled(club: Club, line: str) -> None:
    """It is said why and how, and nothing is signed."""
    name = begun(club)
    club.write(ORGANISER, line.format(name), head="Content-Type: text/plain; charset=utf-8\n")
    club.turn()
    assert WRONG[line] in words(club.got(ORGANISER)[-1])
    assert rulings(club, name) == []


# What readers are told of their games.


def test_mine(club: Club) -> None:
    """By time left, whose turn it is, since when, in the reader's own zone with UTC beside."""
    name = begun(club)
    club.write("bob@example.org", "mine", head="Date: Tue, 24 Nov 2026 10:00:00 +0530\n")
    club.turn()
    told = words(club.got("bob@example.org")[-1])
    assert f"{name}: Sugar Dog, as bob: YOUR setup, until Tue 24 Nov 23:30 (18:00 UTC) (in" in told
    assert "since Sat 21 Nov 23:30 (18:00 UTC)" in told
    assert "1 game, 1 waits for you" in told
    club.person("bob").order(name, "start F6")
    club.turn()
    club.clock.skip(3601)
    # Where nobody is proven, a Date header counts for the one answer.
    club.write("bob@example.org", "mine", mark="x")
    club.turn()
    assert "until Tue 24 Nov 18:00 (18:00 UTC)" in words(club.got("bob@example.org")[-1])
    asked = club.got("bob@example.org")[-1]
    date = "Date: Tue, 24 Nov 2026 10:00:00 +0530\n"
    club.write("bob@example.org", "status", answers=asked, head=date)
    club.turn()
    club.write("bob@example.org", "mine", mark="y")
    club.turn()
    told = words(club.got("bob@example.org")[-1])
    assert "as bob: your orders are in, until Tue 24 Nov 23:30 (18:00 UTC)" in told
    club.write("eve@example.com", "mine")
    club.turn()
    assert name not in words(club.got("eve@example.com")[-1])


def test_weekly(club: Club) -> None:
    """Once a week for who asked, until they want it no more; the writer must be proven."""
    name = begun(club)

    def got() -> int:
        return sum("your games" in read_mail(one).subject for one in club.got("bob@example.org"))

    club.ask("bob@example.org", "weekly")
    assert (got(), name in words(club.got("bob@example.org")[-1])) == (1, True)
    for days, many in ((6, 1), (1, 2), (1, 2), (6, 3)):
        club.clock.skip(days * DAY)
        club.turn(2)
        assert got() == many
    for line in ("weekly please", "weekly CHEAP at http://evil.example"):
        club.write("bob@example.org", line)
    club.turn()
    assert not any(b"CHEAP" in one for one in club.got("bob@example.org"))
    club.clock.skip(7 * DAY)
    club.turn()
    assert got() == 4
    club.ask("bob@example.org", "weekly off.")
    club.clock.skip(8 * DAY)
    club.turn(2)
    assert got() == 4


def test_standings(club: Club) -> None:
    """The club's table, of what is over, also while nothing is."""
    name = begun(club)
    club.write("ted@example.com", "standings")
    club.turn()
    assert "0 games" in words(club.got("ted@example.com")[-1])
    for who, lines in (("alice", "start C4"), ("bob", "start F6"), ("alice", "resign")):
        club.person(who).order(name, lines)
        club.turn(2)
    club.write("eve@example.com", "standings")
    club.turn()
    told = words(club.got("eve@example.com")[-1])
    assert "bob" in told
    assert "Sugar Dog" in told
    assert "@example.org" not in told


def test_a_note_by_mail(club: Club) -> None:
    """It is not kept, as whoever carries mails could read it; the mail says how it is."""
    begun(club)
    club.write("bob@example.org", "note sugar-dog alice is in A1")
    club.turn()
    told = words(club.got("bob@example.org")[-1])
    assert "A note is for yourself alone" in told
    assert "adjudicator note TEXT" in told
