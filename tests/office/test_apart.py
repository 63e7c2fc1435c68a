"""One game's trouble is no other's: what waits, what is read again, what cannot be told."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from office.club import Club, begun, words
from office.test_organisers import ORGANISER

from adjudicator.core.deadlines import DAY
from adjudicator.host.letters import Letters
from adjudicator.mail.mime import read_mail
from adjudicator.office.copies import Copies, Copy
from adjudicator.office.game import HostMail
from adjudicator.office.house import House
from adjudicator.office.office import Office
from adjudicator.office.outbox import Outbox
from adjudicator.office.register import Register
from adjudicator.player import letters
from adjudicator.player.letters import message
from orders.bundle import encode
from orders.errors import Refused
from orders.fields import HOST
from orders.order_file import compose


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path, House(organisers=(ORGANISER,), options=("away=1",), publish="www"))


def kept(copies: int) -> Callable[[bytes], None]:
    """How a mailbox keeps so many copies, and no more."""
    left = [copies]

    def keep(mail: bytes) -> None:
        if not left[0]:
            raise OSError("quota")
        left[0] -= 1

    return keep


def kinds(club: Club, since: int) -> list[str]:
    """What blocks left since then."""
    return [one.kind for *_, mail in club.wire.out[since:] for one in read_mail(mail).blocks]


@pytest.mark.parametrize("word", ["orders", "status", "mine", "history"])
def test_no_word_tells_what_is_in_no_copy(club: Club, word: str) -> None:
    """Alice's order lies in no copy, so another machine may be first: nothing is told of it."""
    name = begun(club)
    club.person("alice").order(name, "start C4")
    club.write("alice@example.org", word)
    before, real = len(club.wire.out), club.box.keep
    club.box.keep = kept(0)  # type: ignore[method-assign]
    club.turn()
    assert len(club.wire.out) == before
    club.box.keep = real  # type: ignore[method-assign]
    club.turn(2)
    assert "receipt" in kinds(club, before)
    assert len(club.wire.out) >= before + 2


def test_no_entry_leaves_again_that_is_in_no_copy(club: Club) -> None:
    """`resend` brings what is settled, or waits."""
    name = begun(club)
    club.person("alice").order(name, "start C4")
    club.turn()
    club.person("bob").order(name, "start F6")
    real, calls = club.box.keep, [0]

    def first_alone(mail: bytes) -> None:
        calls[0] += 1
        if calls[0] > 1:
            raise OSError("quota")
        real(mail)

    club.box.keep = first_alone  # type: ignore[method-assign]
    club.turn()
    assert club.host(name).begun().last.step == 1
    before = len(club.wire.out)
    club.write("bob@example.org", "resend")
    club.turn()
    assert "entry" not in kinds(club, before)


def test_a_mail_for_two_games_is_read_again_for_the_second(club: Club) -> None:
    """The first game answers; the letter is taken in once the other game's record holds."""
    one = begun(club)
    two = begun(club, "alice", "bob")
    alice = club.person("alice")
    alice.take()
    own = alice.seated(one)
    order = own.order(compose("start C4"), alice.key, club.clock.now()).bundle
    other = alice.seated(two)
    letter = letters.write(other.ledger, other.seat, alice.key, message(HOST, "hello"))
    entry = club.folder / two / "entries/0000.toml"
    data = entry.read_bytes()
    entry.write_bytes(b"x")
    club.write(alice.address, f"{encode(order).decode()}\n\n{encode(letter).decode()}")
    club.turn(2)
    assert len(club.box.held) == 1
    assert "receipt" in [one.kind for mail in alice.mails for one in read_mail(mail).blocks]
    entry.write_bytes(data)
    club.turn()
    assert club.box.held == {}
    assert len(list(Letters(club.host(two).begun()).read())) == 1


def test_a_game_that_cannot_be_read_holds_nothing_up(club: Club) -> None:
    """Not the weekly mail of its players, nor calendars and mails of others."""
    name = begun(club)
    club.ask("bob@example.org", "weekly")
    other = begun(club, "erin", "bob")
    club.person("alice").order(name, "start C4")
    club.turn()
    (damaged,) = club.host(name).record.host.glob("inbox/*")
    damaged.write_bytes(b"x")
    club.clock.skip(2 * DAY)
    with contextlib.closing(Outbox(club.folder / "mail.state")) as outbox:
        outbox.change("UPDATE readers SET weekly = '2026-11-01T00:00:00Z' WHERE weekly != ''")
    club.person("erin").order(other, "start C4")
    club.write("bob@example.org", "mine", mark="mine")
    before = len(club.wire.out)
    done = club.turn()
    told = [
        words(mail) for _, to, mail in club.wire.out[before:]
        if to == "bob@example.org" and "your games" in read_mail(mail).subject
    ]  # fmt: skip
    assert len(told) == 2, "the answer, and that of the week"
    assert all(f"{name}: it cannot be told now" in one and other in one for one in told)
    assert "receipt" in kinds(club, before)
    assert [one for one in done.faults if not one.startswith(f"{name}: ")] == []
    assert len(list((club.folder / "www").glob("*.ics"))) == 3


def test_a_word_that_waits_stops_no_deadline(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game stands still, and what it signed is in no copy: a word about it waits, and whoever
    is late in another game is called missing."""
    name = begun(club)
    other = begun(club, "erin", "frank")
    real = Copies.take

    def ahead(copies: Copies, game: HostMail, found: list[Copy]) -> list[str]:
        if game.name == name:
            raise Refused("ahead", "copy 9 of what you signed is in the mailbox, and copy 8 is not")
        return real(copies, game, found)

    monkeypatch.setattr(Copies, "take", ahead)
    with contextlib.closing(Outbox(club.folder / "mail.state")) as outbox:
        outbox.expect(club.host(name).offer.digest, f"order/{'0' * 64}")
    club.clock.skip(4 * DAY)
    club.write("alice@example.org", "status")
    for _ in range(2):
        club.box.copies.append(club.box.copies[-1])
        done = club.turn()
    assert len(club.box.held) == 1
    assert any(one.startswith(f"{name} stands still: ") for one in done.faults)
    assert club.host(other).begun().last.entry.missing == ("erin", "frank")


def test_no_ruling_in_a_game_that_stands_still(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is signed there, and its organiser is told which word says more."""
    name = begun(club)

    def ahead(*_: object) -> None:
        raise Refused("ahead", "copy 9 of what you signed is in the mailbox, and copy 8 is not")

    before = club.host(name).begun().last.step
    with monkeypatch.context() as patch:
        patch.setattr(Copies, "take", ahead)
        club.box.copies.append(club.box.copies[-1])
        told = words(club.ask(ORGANISER, f"extend {name} 2d The server was down."))
    assert f"{name} stands still: the word why says more" in told
    assert club.host(name).begun().last.step == before


def test_a_message_keeps_the_seat_though_the_turn_ends(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is noted with the mail that brings it."""
    name = begun(club)
    for who, lines in (("alice", "start C4"), ("bob", "start F6"), ("alice", "silent")):
        club.person(who).order(name, lines)
        club.turn()
    club.clock.skip(4 * DAY)
    club.turn(2)
    assert "bob" in club.host(name).begun().ledger.link(3).entry.missing
    club.person("bob").say(name, "I am here.")

    def ended(_: Office, done: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Office, "_go_on", ended)
        with pytest.raises(KeyboardInterrupt):
            club.turn()
    with contextlib.closing(Outbox(club.folder / "mail.state")) as outbox:
        assert Register(outbox).present(club.host(name).offer.digest).keys() == {"bob"}


def test_standings_that_cannot_be_made(club: Club) -> None:
    """Who asks is told no path of the host's."""
    begun(club)
    (club.folder / "packs").mkdir(exist_ok=True)
    (club.folder / "packs/club.toml").write_text("names = 3\n")
    club.write("eve@example.com", "standings")
    club.turn()
    told = words(club.got("eve@example.com")[-1])
    assert "the standings cannot be told now" in told
    assert "club.toml" not in told
    assert club.box.held == {}
