"""A referee by mail: games that begin by a word, and what strangers cannot make it do."""

from __future__ import annotations

import contextlib
import copy
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mailroom import take_in
from office.club import ADDRESS, Club, begun, words

from adjudicator.core import deadlines
from adjudicator.mail.mime import read_mail
from adjudicator.office import house, referee, watchers
from adjudicator.office.house import House
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders.entries import Reveal
from orders.errors import Refused

DAY = 86_400


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path, House(options=("away=1",)))


def missed(club: Club, *standby: str) -> str:
    """A game in which Bob has missed a deadline, while these stand by; its name."""
    name = begun(club)
    for who in standby:
        club.ask(f"{who}@example.org", "standby sugar-dog")
    club.person("alice").order(name, "start C4")
    club.turn()
    club.clock.skip(3 * DAY + 60)
    club.turn(2)
    return name


def test_a_game_finds_a_name_that_is_free(tmp_path: Path) -> None:
    """As short as may be, longer where that one is taken, and refused where all are."""
    one = SimpleNamespace(folder=tmp_path)
    origin, register = "0123456789abcdef", SimpleNamespace(begun=lambda _: None)
    game = SimpleNamespace(id="sugar-dog")
    for length in range(4, 12):
        name = f"sugar-dog-{origin[:length]}"
        assert referee.Referee._name(one, game, origin, register) == (name, True)
        (tmp_path / name).mkdir()
    with pytest.raises(Refused, match=r"^exists: sugar-dog-0123456789a is there already"):
        referee.Referee._name(one, game, origin, register)


def test_a_game_begins_by_mail_alone(club: Club) -> None:
    """Alice asks, proves that she reads her mails, both join; it is played, told and packed."""
    name = begun(club)
    alice, bob = club.person("alice"), club.person("bob")
    assert club.host(name).begun().opening.players == ("alice", "bob")
    for who, lines in (("alice", "start C4"), ("bob", "start C1"), ("alice", "fire S")):
        club.person(who).order(name, lines)
        club.turn()
    bob.order(name, "silent")
    club.turn()
    alice.order(name, "silent")
    club.turn(2)
    assert isinstance(club.host(name).begun().last.entry, Reveal)
    pack = Pack.open(club.folder / "packs" / f"{name}.zip")
    assert verify(pack).verdict == "true: alice won"
    club.write("eve@example.com", "games")
    club.turn()
    assert f"Over: {name}: Sugar Dog, alice, bob: over: alice won" in words(
        club.got("eve@example.com")[-1]
    )


def test_a_match_by_mail_alone(club: Club) -> None:
    """One word offers both games, each of the two is asked once for each, and whoever joins first,
    seats and who goes first are changed in the second."""
    club.ask("alice@example.org", "new sugar-dog match with bob@example.org")
    offers = {name: club.host(name).offer for name in club.games}
    (first,) = [name for name, one in offers.items() if one.match == "first"]
    (second,) = [name for name in offers if name != first]
    assert offers[second].match == offers[first].digest
    told = [words(one) for one in club.got("bob@example.org")]
    assert ["the first game of a match" in one for one in told] == [True, False]
    assert f"seen only with the first, {offers[first].digest[:16]}" in told[1]
    for name in (first, second):
        for who in ("bob", "alice"):
            club.person(who).join(name)
            club.turn()
    seats = {name: club.host(name).begun().opening.setup for name in (first, second)}
    assert (seats[first].players, seats[first].options["first"]) == (("alice", "bob"), "alice")
    assert (seats[second].players, seats[second].options["first"]) == (("bob", "alice"), "bob")


def test_a_match_that_comes_again_has_no_second_effect(club: Club) -> None:
    """Also where the process ended between its two games."""
    club.write("alice@example.org", "new sugar-dog match with bob@example.org")
    club.turn()
    mail = club.write("alice@example.org", "yes", answers=club.got("alice@example.org")[0])
    whole = referee.Referee._begin
    calls = []

    def ends(self: Any, *given: Any) -> Any:
        calls.append(given[0])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return whole(self, *given)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(referee.Referee, "_begin", ends)
        club.turn()
    assert len(club.games) == 1
    club.turn()
    club.box.put(mail)
    club.turn(2)
    assert len(club.games) == 2
    assert len(club.got("bob@example.org")) == 2
    matches = [club.host(name).offer.match for name in club.games]
    assert sorted(map(len, matches)) == [len("first"), 64]


@pytest.mark.parametrize(
    "line",
    [
        "seek sugar-dog match",
        "new sugar-dog match with bob@example.org and carol@example.org",
        "new sugar-dog match first=bob with bob@example.org",
    ],
)
def test_what_is_no_match_is_refused(club: Club, line: str) -> None:
    """It is between two who are named, and seats change."""
    club.write("alice@example.org", line)
    club.turn()
    (told,) = club.got("alice@example.org")
    assert "a match is between two" in words(told) or "the players change seats" in words(told)
    assert club.games == []


def test_a_game_that_seeks_nobody(club: Club) -> None:
    """Who asks for a seat in it is told so, and gets no invitation."""
    club.ask("alice@example.org", "new sugar-dog first=1 with bob@example.org")
    (name,) = club.games
    club.write("carol@example.org", f"join {name}")
    club.turn()
    (told,) = club.got("carol@example.org")
    assert "seeks nobody" in words(told)
    assert "games names those that do" in words(told)


def test_nothing_is_done_without_proof(club: Club) -> None:
    """The first mail makes no game, and goes to nobody but its writer; the answer makes one."""
    club.write("alice@example.org", "new sugar-dog with bob@example.org")
    club.turn()
    assert club.games == []
    (mail,) = club.got("alice@example.org")
    assert read_mail(mail).subject.startswith("is this yours: new sugar-dog with bob@example.org (")
    assert club.got("bob@example.org") == []
    club.write("alice@example.org", "yes", answers=mail)
    club.turn()
    assert len(club.games) == 1
    (asked,) = club.got("bob@example.org")
    assert words(asked).startswith("alice@example.org asked this mailbox")


def test_somebody_elses_token_proves_nothing(club: Club) -> None:
    """Mallory names a mail that went to him, and writes as Alice: what he asks is his."""
    club.write("mallory@example.com", "games")
    club.turn()
    club.write("alice@example.org", "new sugar-dog with bob@example.org",
               answers=club.got("mallory@example.com")[0], subject="x")  # fmt: skip
    club.turn()
    assert len(club.got("mallory@example.com")) == 2
    assert words(club.got("bob@example.org")[0]).startswith("mallory@example.com asked")
    assert club.got("alice@example.org") == []


def test_a_mail_twice_has_no_second_effect(club: Club) -> None:
    """Delivered again, also after it was dealt with: one game, one invitation."""
    club.write("alice@example.org", "new sugar-dog with bob@example.org")
    club.turn()
    mail = club.write("alice@example.org", "yes", answers=club.got("alice@example.org")[0])
    club.box.put(mail)
    club.turn()
    club.box.put(mail)
    club.turn(2)
    assert len(club.games) == 1
    assert len(club.got("bob@example.org")) == 1
    assert len(club.got("alice@example.org")) == 2


def test_commas_between_words_and_in_a_value(club: Club) -> None:
    """They part addresses, and not the days of rest."""
    line = "new sugar-dog, turn_time=2d;rest=sat,sun, with bob@example.org,carol@example.org"
    club.ask("alice@example.org", line)
    (name,) = club.games
    options = club.host(name).offer.invite.options
    assert (options["turn_time"], options["rest"]) == ("2d", "sat,sun")
    for who in ("bob", "carol"):
        assert len(club.got(f"{who}@example.org")) == 1


def test_seek_list_join_and_leave(club: Club) -> None:
    """A game for anybody: listed by its number, joined by two, and one that is withdrawn."""
    club.ask("alice@example.org", "seek sugar-dog players=3 turn_time=2d")
    (name,) = club.games
    number = name.rpartition("-")[2]
    club.write("bob@example.org", "games")
    club.turn()
    listed = club.got("bob@example.org")[-1]
    assert f"Seeking players: {name}: Sugar Dog, 0 of 3 joined, turn_time = 2d" in words(listed)
    club.write("bob@example.org", f"join {number}", answers=listed)
    club.ask("carol@example.org", f"join {number}")
    for who in ("alice", "bob", "carol"):
        club.person(who).join()
        club.turn()
    assert club.host(name).begun().opening.players == ("alice", "bob", "carol")
    club.ask("dave@example.org", "standby sugar-dog")
    answers = club.got("dave@example.org")[-1]
    club.write("dave@example.org", f"join {number}", answers=answers)
    club.turn()
    assert f"{name} has begun" in words(club.got("dave@example.org")[-1])
    club.ask("alice@example.org", "seek sugar-dog")
    (other,) = set(club.games) - {name}
    club.person("erin")
    club.ask("erin@example.org", f"join {other}")
    club.ask("alice@example.org", f"leave {other}")
    club.write("bob@example.org", "games")
    club.turn()
    assert other not in words(club.got("bob@example.org")[-1])
    club.person("erin").join()
    club.turn()
    assert "the offer is withdrawn" in words(club.got("erin@example.org")[-1])


def test_watching(club: Club) -> None:
    """Public entries from the beginning, and the pack at the end; after leave nothing more."""
    name = begun(club)
    club.ask("eve@example.com", f"watch {name}")
    club.ask("ted@example.com", f"watch {name}")
    club.turn()
    assert [read_mail(mail).subject for mail in club.got("eve@example.com")][-2:] == [
        f"[{name}] you watch", f"[{name}] entry 0: the game begins: alice, bob",
    ]  # fmt: skip
    club.write("ted@example.com", "leave", answers=club.got("ted@example.com")[-1])
    club.turn()
    before = len(club.got("ted@example.com"))
    for who in ("alice", "bob"):
        club.person(who).order(name, "start C4" if who == "alice" else "start F6")
        club.turn()
    club.person("alice").order(name, "resign")
    club.turn(2)
    subjects = [read_mail(mail).subject for mail in club.got("eve@example.com")]
    assert subjects[-1] == f"[{name}] bob won"
    assert b"application/zip" in club.got("eve@example.com")[-1]
    assert len(subjects) == len(set(subjects))
    assert len(club.got("ted@example.com")) == before
    assert not any("C4" in words(mail) for mail in club.got("eve@example.com"))


def test_so_many_watch_and_stand_by_and_no_more(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who does so already may say it again."""
    monkeypatch.setattr(watchers, "MOST_WATCHERS", 1)
    monkeypatch.setattr(referee, "MOST_STANDBY", 1)
    name = begun(club)
    for line, refusal in (
        (f"watch {name}", f"too many watch {name}"), ("standby sugar-dog", "too many stand by"),
    ):  # fmt: skip
        assert "too many" not in words(club.ask("eve@example.com", line))
        assert "too many" not in words(club.ask("eve@example.com", line))
        assert refusal in words(club.ask("ted@example.com", line))


def test_a_substitute(club: Club) -> None:
    """Bob misses a deadline; the first on the list does not answer, the second takes the seat, all
    are told, and she plays it to the end."""
    name = missed(club, "dave", "erin", "frank")
    assert club.host(name).begun().ledger.link(1).entry.missing == ("bob",)
    assert "the seat of bob is free" in read_mail(club.got("dave@example.org")[-1]).subject
    before = len(club.got("erin@example.org"))
    club.turn(3)
    assert len(club.got("erin@example.org")) == before
    club.clock.skip(DAY)
    club.turn(2)
    # That a turn passes in which Bob is not awaited makes him no less away.
    club.person("alice").order(name, "silent")
    club.turn()
    erin = club.person("erin")
    erin.join(name="bob")
    club.turn(2)
    host = club.host(name).begun()
    assert host.last.entry.ruling is not None
    assert host.last.entry.ruling.seat is not None
    assert club.host(name).addresses()["bob"] == "erin@example.org"
    told = [read_mail(mail).subject for mail in club.got("bob@example.org")]
    assert told[-1].endswith("your seat is somebody else's now")
    assert "entry 3" in read_mail(club.got("alice@example.org")[-1]).subject
    dave = club.person("dave")
    dave.join(name="bob")
    club.turn(2)
    assert "do not get the seat" in words(club.got("dave@example.org")[-1])
    erin.take()
    if "bob" not in host.last.clocks.awaited:
        club.person("alice").order(name, "silent")
        club.turn()
    erin.order(name, "resign")
    club.turn(2)
    assert club.host(name).begun().last.over
    assert not any("frank" in to for _, to, data in club.wire.out if b"is free" in data)


def test_a_player_who_is_back_keeps_the_seat(club: Club) -> None:
    """The substitute who joins after Bob's orders came gets nothing."""
    name = missed(club, "dave")
    bob = club.person("bob")
    bob.take()
    if "bob" not in club.host(name).begun().last.clocks.awaited:
        club.person("alice").order(name, "silent")
        club.turn()
    bob.order(name, "silent" if club.host(name).begun().last.step > 1 else "start F6")
    club.person("dave").join(name="bob")
    club.turn(2)
    assert club.host(name).addresses()["bob"] == "bob@example.org"
    assert "do not get the seat" in words(club.got("dave@example.org")[-1])


def test_who_was_not_asked_takes_no_seat(club: Club) -> None:
    """A token for a game that sought players gives nobody's seat away."""
    club.ask("alice@example.org", "seek sugar-dog first=1")
    (name,) = club.games
    for who in ("bob", "mallory"):
        club.ask(f"{who}@example.org", f"join {name}")
    for who in ("alice", "bob"):
        club.person(who).join()
        club.turn()
    club.ask("dave@example.org", "standby sugar-dog")
    club.person("alice").order(name, "start C4")
    club.turn()
    club.clock.skip(3 * DAY + 60)
    club.turn(2)
    club.person("mallory").join(name="bob")
    club.turn(2)
    assert club.host(name).addresses()["bob"] == "bob@example.org"


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (1, 0, 3, 2)])
def test_a_substitutes_mails_come_in_any_order(club: Club, order: tuple[int, ...]) -> None:
    """None is lost that came before the one that hands the seat on."""
    name = missed(club, "dave")
    club.person("alice").order(name, "silent")
    club.turn()
    dave = club.person("dave")
    dave.join(name="bob")
    club.turn()
    mails = [mail for mail in dave.mails if "] entry " in read_mail(mail).subject]
    assert len(mails) == 4
    waiting = [mails[n] for n in order]
    for mail in waiting:
        # The genesis says what game the others are of; a mail that came before it is read again.
        with contextlib.suppress(Refused):
            take_in(mail, dave.folder, club.clock)
    for mail in waiting:
        with contextlib.suppress(Refused):
            take_in(mail, dave.folder, club.clock)
    assert Record(dave.folder / name).last_step() == 3
    assert dave.seated(name).seat.sits(dave.seated(name).last.joins)


def test_a_substitute_whose_join_cannot_be(club: Club) -> None:
    """Alice's own key takes no second seat: she is told why, and the next turn is without fault."""
    name = missed(club, "dave")
    dave = club.person("dave")
    dave.key = club.person("alice").key
    dave.join(name="bob")
    club.turn()
    assert "do not get the seat" in words(club.got("dave@example.org")[-1])
    assert club.turn().faults == []
    assert club.host(name).addresses()["bob"] == "bob@example.org"


def miss(club: Club, name: str) -> None:
    """Bob misses a deadline, and then Alice plays."""
    until = club.host(name).begun().last.clocks.awaited["bob"].until
    club.clock.skip(deadlines.between(club.clock.now(), until) + 60)
    club.turn(2)
    if "alice" in club.host(name).begun().last.clocks.awaited:
        club.person("alice").order(name, "silent")
        club.turn()


def test_a_seat_is_offered_after_as_many_deadlines_as_the_invite_says(tmp_path: Path) -> None:
    """The first is told to who missed it, once; the ruling after the second is nothing to look
    at."""
    club = Club(tmp_path, House(options=("club",)))
    name = begun(club)
    club.ask("erin@example.org", "standby sugar-dog")
    club.person("alice").order(name, "start C4")
    club.person("bob").order(name, "start F6")
    club.turn()
    club.person("alice").order(name, "silent")
    club.turn()
    miss(club, name)
    told = [read_mail(mail) for mail in club.got("bob@example.org")]
    (first,) = [one for one in told if "you missed a deadline" in one.subject]
    assert "If that happens once more, your seat is offered" in " ".join(first.text.split())
    assert not any(b"is free" in data for _, _, data in club.wire.out)
    miss(club, name)
    assert "the seat of bob is free" in read_mail(club.got("erin@example.org")[-1]).subject
    told = [read_mail(mail) for mail in club.got("bob@example.org")]
    assert any("Your seat is offered to others now" in " ".join(one.text.split()) for one in told)
    club.person("erin").join(name="bob")
    club.turn(2)
    assert club.host(name).addresses()["bob"] == "erin@example.org"
    club.person("alice").order(name, "resign")
    erin = club.person("erin")
    erin.take()
    if "alice" not in club.host(name).begun().last.clocks.awaited:
        erin.order(name, "resign")
    club.turn(2)
    found = verify(Record(club.folder / name))
    assert found.code == 0, found.marked
    (line, *_) = next(one for one in found.claims if one.name == "host").details
    assert "bob's seat went to another key after 2 missed deadlines, as the invite says" in line


@pytest.mark.parametrize("how", ["Yes!", "letter", "", "forged"])
def test_who_answers_keeps_the_seat_until_the_next_deadline(club: Club, how: str) -> None:
    """By a proven word or by a signed message; not by a word that anybody may have sent."""
    name = begun(club)
    club.ask("erin@example.org", "standby sugar-dog")
    club.person("alice").order(name, "start C4")
    club.turn()
    miss(club, name)
    club.person("erin").join(name="bob")
    bob = club.person("bob")
    if how == "letter":
        bob.take()
        bob.say(name, "I am back.")
    elif how == "forged":
        club.write(bob.address, "yes", answers=club.got("erin@example.org")[-1])
    elif how:
        asked = next(one for one in club.got(bob.address) if b"you missed a deadline" in one)
        club.write(bob.address, how, answers=asked)
    club.turn(2)
    keeps = how not in ("", "forged")
    assert (club.host(name).addresses()["bob"] == bob.address) == keeps
    if keeps:
        assert "do not get the seat" in words(club.got("erin@example.org")[-1])
        miss(club, name)
        shutil.rmtree(club.person("erin").folder / f"{name}.seat")
        club.person("erin").join(name="bob")
        club.turn(2)
        assert club.host(name).addresses()["bob"] == "erin@example.org"


def test_yes_does_what_a_mail_asks_and_nothing_else(club: Club) -> None:
    """In answer to a turn's mail it does nothing; the word `stay` keeps only what is offered."""
    name = begun(club)
    club.write("bob@example.org", "yes", answers=club.got("bob@example.org")[-1])
    club.turn()
    assert "No mail that you answered waits for a yes" in words(club.got("bob@example.org")[-1])
    told = words(club.ask("bob@example.org", f"stay {name}"))
    assert f"no seat of yours in {name} is offered to others" in told
    club.write("carol@example.org", "seek sugar-dog")
    club.turn()
    club.write("carol@example.org", "Yes!", answers=club.got("carol@example.org")[-1])
    club.turn()
    assert len(club.games) == 2
    assert name in club.games


def test_a_game_in_which_no_seat_is_handed_on(tmp_path: Path) -> None:
    """Without `away` nobody is asked, and nobody is warned."""
    club = Club(tmp_path)
    name = begun(club)
    club.ask("erin@example.org", "standby sugar-dog")
    club.person("alice").order(name, "start C4")
    club.turn()
    for _ in range(3):
        miss(club, name)
    told = [read_mail(data).subject for _, _, data in club.wire.out]
    assert not any("is free" in one or "missed a deadline" in one for one in told)


@pytest.mark.parametrize(
    ("zone", "begins", "ends"),
    [("+00:00", "2026-11-25T00:00:00Z", "2026-12-01T00:00:00Z"),
     ("+02:00", "2026-11-24T22:00:00Z", "2026-11-30T22:00:00Z")],
)  # fmt: skip
def test_holidays(tmp_path: Path, zone: str, begins: str, ends: str) -> None:
    """No deadline in a holiday, by the game's own zone: told by a ruling at once, and never twice.
    A day of rest after it is none of it."""
    house = House(pause=(("2026-11-25", "2026-11-30"),), options=("rest=tue", f"zone={zone}"))
    club = Club(tmp_path, house)
    name = begun(club)
    club.turn(3)
    host = club.host(name).begun()
    assert host.last.step == 1
    (time,) = {one.until for one in host.last.clocks.awaited.values()}
    before = host.ledger.link(0).clocks.awaited["bob"]
    assert begins <= before.until < ends
    calendar = deadlines.calendar(host.opening.setup)
    left = calendar.counted(max(begins, before.since), before.until)
    assert time == calendar.later(ends, left) > deadlines.add(ends, DAY)
    assert "the holidays of this house" in words(club.got("bob@example.org")[-1])


def test_a_weekend_brings_no_ruling_and_no_mail(tmp_path: Path) -> None:
    """Deadlines are Monday's from the start, and a quarter of the time is left on Friday."""
    club = Club(tmp_path, House(options=("club", "turn_time=1d")))
    club.clock.skip(6 * DAY)
    name = begun(club)
    assert club.clock.now().startswith("2026-11-27T")  # a Friday
    until = club.host(name).begun().last.clocks.awaited["bob"].until
    assert until.startswith("2026-11-30T")
    before = len(club.wire.out)
    for _ in range(12):
        club.clock.skip(6 * 3_600)
        if club.clock.now() < until:
            club.turn()
    assert club.host(name).begun().last.step == 0
    told = [read_mail(data).subject for _, _, data in club.wire.out[before:]]
    assert len(told) == 2
    assert all("your orders until" in one for one in told), told


def test_a_game_that_is_long_over_is_forgotten(club: Club) -> None:
    """With the mails that told of it, a month after its end and not before; the pack stays, and
    nobody is told anything again."""
    name = begun(club)
    club.ask("eve@example.com", f"watch {name}")
    for who, lines in (("alice", "start C4"), ("bob", "start F6"), ("alice", "resign")):
        club.person(who).order(name, lines)
        club.turn(2)
    assert club.host(name).begun().last.over

    def held() -> tuple[bool, int, int]:
        with club.office() as office:
            (game,) = office.games
            mails = office.outbox.rows("SELECT key FROM outbox WHERE instr(key, ?)", game.id)
            watch = office.register.watchers(game.offer.digest)
            return bool(office.register.begun(name)), len(mails), len(watch)

    sent = len(club.wire.out)
    club.clock.skip(30 * DAY - 3600)
    club.turn()
    begun_, mails, watchers = held()
    assert (begun_, watchers) == (True, 1)
    assert mails > 5
    club.clock.skip(3700)
    club.turn(2)
    assert held() == (False, 0, 0)
    assert len(club.wire.out) == sent
    assert (club.folder / "packs" / f"{name}.zip").exists()


# What strangers cannot do.


def test_limits(tmp_path: Path) -> None:
    """On games of a writer, on games that wait, on invitations in a day, on who may write."""
    club = Club(tmp_path, House(games=2, open=3, block=("*@example.com",)))
    ask = club.ask
    ask("alice@example.org", "new sugar-dog with bob@example.org")
    told = words(ask("alice@example.org", "new sugar-dog with bob@example.org"))
    assert "bob@example.org was invited today already" in told
    ask("alice@example.org", "new sugar-dog with carol@example.org")
    assert "you have begun 2 games" in words(ask("alice@example.org", "seek sugar-dog"))
    ask("dave@example.org", "seek sugar-dog")
    assert "too many games wait" in words(ask("erin@example.org", "seek sugar-dog"))
    assert len(club.games) == 3
    club.write("eve@example.com", "games")
    club.turn()
    assert club.got("eve@example.com") == []
    club.clock.skip(DAY)
    club.ask("alice@example.org", f"leave {club.games[0]}")
    club.ask("alice@example.org", f"leave {club.games[1]}")
    told = words(ask("alice@example.org", "new sugar-dog with eve@example.com"))
    assert "eve@example.com is not invited from here" in told
    club.ask("bob@example.org", "leave")
    told = words(ask("alice@example.org", "new sugar-dog with bob@example.org"))
    assert "bob@example.org is not invited from here" in told


WRONG = [
    "new", "new sugar-dog", "new sugar-god with bob@example.org", "new sugar-dog with",
    "new sugar-dog with bob", "new sugar-dog size=9999 with bob@example.org",
    "new sugar-dog turn_time=0s with bob@example.org", "new sugar-dog with " + ADDRESS,
    "new sugar-dog with alice@example.org", "new ../../x with bob@example.org",
    "seek sugar-dog players=99999999999999999999", "seek sugar-dog with bob@example.org",
    "join ../..", "join 0000", "watch nothing", "standby chess", "leave nothing",
    "new sugar-dog with " + " ".join(f"p{n}@example.org" for n in range(30)),
    "new sugar-dog first=host with bob@example.org", "new sugar-dog with b\x00b@example.org",
]  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_wrong_words(club: Club, line: str) -> None:
    """Their writer is told why and what to write, and nothing is made. Of unproven ones nothing is
    repeated."""
    club.write("alice@example.org", line)
    club.turn()
    assert b"turn_time=0s" not in b"".join(club.got("alice@example.org"))
    club.write("alice@example.org", "games")
    club.turn()
    club.write("alice@example.org", line, answers=club.got("alice@example.org")[-1], subject="x")
    done = club.turn()
    assert done.faults == []
    assert club.games == []
    assert {to for _, to, _ in club.wire.out} <= {"alice@example.org"}


@pytest.mark.parametrize(
    "head",
    ["Auto-Submitted: auto-replied\n", "Precedence: bulk\n", "List-Id: <x.example.org>\n",
     "X-Autoreply: yes\n", "Return-Path: <>\n"],
)  # fmt: skip
def test_machines_are_not_answered(club: Club, head: str) -> None:
    """Whatever they say, and whatever they answer."""
    club.write("alice@example.org", "games")
    club.turn()
    (mail,) = club.got("alice@example.org")
    club.write("alice@example.org", "seek sugar-dog", answers=mail, head=head)
    club.write(ADDRESS, "games")
    club.turn()
    assert len(club.wire.out) == 1
    assert club.games == []


def test_headers_cannot_be_added(club: Club) -> None:
    """Neither by a subject, nor by what is repeated of a line."""
    subject = "=?utf-8?q?seek_sugar-dog=0D=0ABcc:_eve@example.com=0D=0A?="
    club.write("alice@example.org", "", subject=subject)
    club.write("alice@example.org", "seek sugar-dog\rBcc: eve@example.com\r\rhello", subject="x")
    club.turn()
    for mail in club.got("alice@example.org"):
        assert b"\nBcc" not in mail
    assert {to for _, to, _ in club.wire.out} == {"alice@example.org"}


def test_thousands_of_mails_of_strangers(club: Club) -> None:
    """Sixty answers an hour, each to its writer, however many ask in however many names; a body of
    a megabyte is read; players are answered in the same turn."""
    name = begun(club)
    before = len(club.wire.out)
    for n in range(300):
        club.write(f"p{n}@example.com", "new sugar-dog with victim@example.com", mark=f"a{n}")
    for n in range(300):
        club.write("p@example.com", f"seek sugar-dog {n}", mark=f"b{n}")
    club.write("huge@example.com", "games " + "x" * 2**20)
    club.person("alice").order(name, "start C4")
    done = club.turn(timer=lambda: 0.0)
    assert done.left == 0
    out = Counter(to for _, to, _ in club.wire.out[before:])
    assert out.pop("alice@example.org") == 1
    assert sum(out.values()) <= 60
    assert out["p@example.com"] <= 5
    assert "victim@example.com" not in out
    assert len(club.games) == 1


def test_a_proven_writer_floods_nobody(club: Club) -> None:
    """However often they ask: an invitation a day for each, and few games."""
    club.write("alice@example.org", "games")
    club.turn()
    answers = club.got("alice@example.org")[0]
    for n in range(60):
        line = f"new sugar-dog with victim@example.com p{n}@example.com"
        club.write("alice@example.org", line, answers=answers, subject=f"{n}")
    club.turn(2)
    out = Counter(to for _, to, _ in club.wire.out)
    assert out["victim@example.com"] == 1
    assert out["alice@example.org"] <= 31
    assert sum(out.values()) <= 33


def test_who_withdraws_and_begins_again_is_stopped(club: Club) -> None:
    """It could fill the disk, and invite the world one by one."""
    club.write("alice@example.org", "games")
    club.turn()
    answers = club.got("alice@example.org")[0]
    for n in range(9):
        club.write("alice@example.org", f"new sugar-dog with p{n}@example.com", answers=answers,
                   subject="x")  # fmt: skip
        club.turn()
        club.write("alice@example.org", "leave", answers=answers, subject="x")
        club.turn()
    assert len(club.games) == 6
    assert sum("example.com" in to for _, to, _ in club.wire.out) == 6
    assert "ask again tomorrow" in words(club.got("alice@example.org")[-2])
    club.clock.skip(DAY)
    many = " ".join(f"q{n}@example.com" for n in range(31))
    club.write("alice@example.org", f"new sugar-dog with {many}", answers=answers, subject="x")
    club.turn()
    assert len(club.games) == 6


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def killed_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[Club, int], bool]:
    """A turn whose process ends at a write, the one after so many; whether it ended there."""
    from adjudicator.office.outbox import Outbox
    from adjudicator.store import files

    left = [10**9]

    def counted(original: Any) -> Any:
        def call(*given: Any, **more: Any) -> Any:
            writes = not (len(given) > 1 and str(given[1]).startswith(("SELECT", "PRAGMA")))
            left[0] -= writes
            if left[0] < 0 and writes:
                raise Killed
            return original(*given, **more)

        return call

    monkeypatch.setattr(files, "write", counted(files.write))
    monkeypatch.setattr(Outbox, "change", counted(Outbox.change))

    def turn(club: Club, limit: int) -> bool:
        left[0] = limit
        try:
            club.turn()
        except Killed:
            return True
        else:
            return False
        finally:
            left[0] = 10**9

    return turn


def again(club: Club, root: Path) -> Club:
    """The same club once more, in another folder."""
    made = Club(root / "again")
    shutil.rmtree(made.folder)
    shutil.copytree(club.folder, made.folder)
    for name in ("clock", "box", "count"):
        setattr(made, name, copy.deepcopy(getattr(club, name)))
    made.wire.out = list(club.wire.out)
    return made


def test_killed_while_a_game_is_offered(
    club: Club, tmp_path: Path, killed_after: Callable[[Club, int], bool]
) -> None:
    """Whatever write is the last: the next turn makes one game, and one invitation for each."""
    club.write("alice@example.org", "new sugar-dog with bob@example.org")
    club.turn()
    club.write("alice@example.org", "yes", answers=club.got("alice@example.org")[0])
    for limit in range(400):
        one = again(club, tmp_path / str(limit))
        killed = killed_after(one, limit)
        one.turn(2)
        (name,) = one.games
        assert one.host(name).room.folder.seats() == 2, limit
        assert len({read_mail(mail).message_id for mail in one.got("bob@example.org")}) == 1
        assert len({read_mail(mail).message_id for mail in one.got("alice@example.org")}) == 2
        if not killed:
            break
    assert 5 < limit < 399


def test_killed_while_a_seat_is_handed_on(
    club: Club, tmp_path: Path, killed_after: Callable[[Club, int], bool]
) -> None:
    """Whatever write is the last, every fifth of them: it is handed on once, and all get every
    mail."""
    name = missed(club, "erin")
    club.person("erin").join(name="bob")
    for limit in range(0, 400, 5):
        one = again(club, tmp_path / str(limit))
        killed = killed_after(one, limit)
        one.turn(2)
        links = one.host(name).begun().ledger.links()
        seats = [link.step for link in links if link.entry.ruling and link.entry.ruling.seat]
        assert len(seats) == 1, limit
        assert one.host(name).addresses()["bob"] == "erin@example.org"
        subjects = {
            read_mail(mail).subject.partition(": ")[0] for mail in one.got("erin@example.org")
        }
        assert {f"[{name}] entry {step}" for step in range(len(links))} <= subjects, limit
        told = [read_mail(mail) for mail in one.got("bob@example.org")]
        assert len({mail.message_id for mail in told if "somebody else" in mail.subject}) == 1
        if not killed:
            break
    assert 5 < limit < 399


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"games": "3"}, "expected a number"), ({"allow": "x"}, "expected a list"),
        ({"weekdays": ["sun"]}, "no setting 'weekdays'"),
        ({"pause": ["2026-12-24"]}, "first and last"),
        ({"pause": ["2026-13-24", "2026-13-25"]}, "calendar"), ({"gmaes": 3}, "no setting 'gmaes'"),
        ({"pause": ["2026-12-24", "2026-12-23"]}, "before"), ({"fastest": "soon"}, "a time"),
    ],
)  # fmt: skip
def test_house_rules_that_cannot_be(values: dict[str, object], said: str) -> None:
    """Quoted, with what was expected."""
    with pytest.raises(Refused) as refused:
        House.read(values)
    assert said in refused.value.message


@pytest.mark.parametrize("data", [b"games = ", b"\xff = 1"])
def test_house_rules_that_cannot_be_read(data: bytes) -> None:
    with pytest.raises(Refused, match=r"^malformed: referee.toml: "):
        house.parse(data)


@pytest.mark.parametrize(("players", "taken"), [(1, False), (2, True), (26, True), (27, False)])
def test_a_game_has_as_many_players_as_it_is_for(club: Club, players: int, taken: bool) -> None:
    def read() -> None:
        club.referee()._read_offer("seek", ["sugar-dog", f"players={players}"])

    if taken:
        read()
        return
    with pytest.raises(Refused, match=r"^bad-option: the game is for 2 to 26 players"):
        read()
