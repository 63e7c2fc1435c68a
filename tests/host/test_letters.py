"""What a host does with letters: which it takes, to whom it passes them on, absences granted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator import cli
from adjudicator.cli import host as cli_host
from adjudicator.core import deadlines
from adjudicator.core import letters as core_letters
from adjudicator.host.letters import MOST_NOTICES, MOST_WAITING, LetterRefused, Letters
from adjudicator.player import letters
from orders.bundle import Bundle
from orders.errors import Refused
from orders.keys import write_key
from orders.letter import FIRST_DRAWN, Absence, Address, Press, Said, Shown, What
from orders.secrets import derive

Table = Any
DAY = 86_400


@pytest.fixture
def away(make_table: type[Any], tmp_path: Path) -> Table:
    """Bob is awaited, and has told that he is away for five days from tomorrow on."""
    table = make_table(tmp_path / "game", options={"first": "alice", "absence": "7d"})
    table.begin().play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"})
    start = deadlines.add(table.entry().awaited["bob"].since, DAY)
    own = table.seated("bob")
    told = Absence(start, deadlines.add(start, 5 * DAY))
    bundle = letters.write(own.ledger, own.seat, table.keys["bob"], told)
    Letters(table.host).take(bundle)
    table.clock.skip(4 * DAY)
    return table


def test_advance_late_moves_the_deadline(away: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """`advance --late` by hand, a day after the usual deadline: a ruling, and nobody is missing."""
    write_key(away.root / "host.key", "host", derive(away.seed, "key/host"))
    monkeypatch.setattr(cli_host, "SystemClock", lambda: away.clock)
    before = away.entry().awaited["bob"]
    with pytest.raises(SystemExit) as ended:
        cli.main(["sync", "-g", str(away.record.root), "--late"])
    assert ended.value.code == 0
    entry = away.entry()
    assert "bob is away until" in entry.ruling.reason
    assert entry.awaited["bob"].until == deadlines.add(before.until, 5 * DAY)


def test_a_ruling_tells_of_no_other_notice(away: Table) -> None:
    """Neither of a later absence nor, by a number, how many notices came before."""
    own = away.seated("bob")
    ((_, told),) = Letters(away.host).read()
    assert isinstance(told, Absence)
    end = told.end
    later = Absence(deadlines.add(end, 9 * DAY), deadlines.add(end, 10 * DAY))
    bundle = letters.write(own.ledger, own.seat, away.keys["bob"], later)
    Letters(away.host).take(bundle)
    Letters(away.host).grant()
    assert away.entry().ruling.reason == f"bob is away until {end}"


def test_go_on_grants_first(away: Table) -> None:
    """However often it is asked, the game waits for Bob, and then goes on without him."""
    host = away.host
    grant = Letters(host).grant
    assert host.go_on(grant, late=True)
    assert not host.go_on(grant, late=True)
    away.clock.skip(5 * DAY)
    assert host.go_on(grant, late=True)
    assert host.last.entry.missing == ("bob",)
    assert away.verify().code == 4


def test_absences_that_overlap_count_once(away: Table) -> None:
    """Two notices of the same days stop the clock once."""
    own = away.seated("bob")
    until = deadlines.add(away.entry().awaited["bob"].since, 3 * DAY)
    again = Absence(deadlines.add(until, -DAY), until)
    bundle = letters.write(own.ledger, own.seat, away.keys["bob"], again)
    Letters(away.host).take(bundle)
    before = away.entry().awaited["bob"]
    host = away.host
    assert host.go_on(Letters(host).grant, late=True)
    assert away.entry().awaited["bob"].until == deadlines.add(before.until, 5 * DAY)


@pytest.fixture
def talking(make_table: type[Any], tmp_path: Path) -> Table:
    """A game with press of every kind, and absences."""
    options = {"first": "alice", "press": "anonymous", "absence": "7d"}
    return make_table(tmp_path / "game", ("alice", "bob", "carol"), options).begin()


def written(table: Table, name: str, what: What) -> Bundle:
    """A letter of that player's, as it goes to the host."""
    return letters.write(table.host.ledger, table.seat(name), table.keys[name], what)


def message(table: Table, name: str, to: str, *, anonymous: bool = False) -> Bundle:
    return written(table, name, Press(to, "Truce?", anonymous))


@pytest.mark.parametrize(
    ("to", "anonymous", "readers"),
    [("bob", False, {"bob"}), ("bob", True, {"bob"}), ("all", False, {"bob", "carol"}),
     ("all", True, {"alice", "bob", "carol"}), ("host", False, set())],
)  # fmt: skip
def test_who_gets_a_message(talking: Table, to: str, anonymous: bool, readers: set[str]) -> None:
    """One without a name goes to its writer too, so that nobody is found by being left out."""
    taken = Letters(talking.host).take(message(talking, "alice", to, anonymous=anonymous))
    assert set(taken.passed) == readers
    assert isinstance(taken.what, Press)
    assert taken.what.text == "Truce?"


def test_a_letter_is_taken_once(talking: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same again is passed on alike; another one of that number is refused."""
    monkeypatch.setattr(core_letters, "draw_secret", lambda: bytes(32))
    bundle = message(talking, "alice", "bob")
    first = Letters(talking.host).take(bundle)
    second = Letters(talking.host).take(bundle)
    assert (second.letter, second.digest) == (first.letter, first.digest)
    assert len(Letters(talking.host).read()) == 1
    for path in (talking.seat("alice").root / "letters").iterdir():
        path.unlink()
    with pytest.raises(LetterRefused, match="another letter 1001 of alice came before") as caught:
        Letters(talking.host).take(message(talking, "alice", "carol"))
    assert (caught.value.word, caught.value.letter.number) == ("superseded", 1001)


@pytest.mark.parametrize("press", ["none", "public", "private", "anonymous"])
def test_what_the_invite_allows(make_table: type[Any], tmp_path: Path, press: str) -> None:
    """Kind by kind; a letter to the host is always allowed."""
    table = make_table(tmp_path / "t", options={"first": "alice", "press": press}).begin()
    kinds = (("host", False), ("all", False), ("bob", False), ("bob", True), ("all", True))
    allowed = {"none": 1, "public": 2, "private": 3, "anonymous": 5}[press]
    for number, (to, anonymous) in enumerate(kinds):
        bundle = message(table, "alice", to, anonymous=anonymous)
        if number < allowed:
            Letters(table.host).take(bundle)
            continue
        with pytest.raises(LetterRefused, match=f"the invite allows press = '{press}'") as caught:
            Letters(table.host).take(bundle)
        assert caught.value.word == "illegal"


def test_a_message_is_for_somebody_at_this_table(talking: Table) -> None:
    """Not for a stranger, nor for its writer."""
    host = talking.host
    for to in ("zoe", "alice"):
        said = Said("ab" * 32, Press(to, "Hello"))
        bundle = core_letters.write(host.opening, talking.keys["alice"], "alice", FIRST_DRAWN, said)
        with pytest.raises(LetterRefused, match=f"a message to '{to}': expected another player's"):
            Letters(host).take(bundle)


def test_messages_and_notices_have_numbers_of_their_own(talking: Table) -> None:
    """By which their readers tell them apart before they open them."""
    for number, what in ((FIRST_DRAWN - 1, Press("bob", "Truce?")), (FIRST_DRAWN, Shown(True))):
        bundle = core_letters.write(
            talking.host.opening, talking.keys["alice"], "alice", number, Said("ab" * 32, what)
        )
        with pytest.raises(LetterRefused, match="those of messages begin at 1001") as caught:
            Letters(talking.host).take(bundle)
        assert caught.value.word == "illegal"
    assert Letters(talking.host).read() == []


def test_a_flood_of_letters_is_stopped(talking: Table) -> None:
    """Twenty messages between two entries, twenty notices in a game; other players may write."""
    for _ in range(MOST_WAITING):
        Letters(talking.host).take(message(talking, "alice", "host"))
    with pytest.raises(LetterRefused, match="more than 20 messages between two entries"):
        Letters(talking.host).take(message(talking, "alice", "bob"))
    Letters(talking.host).take(message(talking, "bob", "alice"))
    for _ in range(MOST_NOTICES):
        Letters(talking.host).take(written(talking, "carol", Shown(True)))
    with pytest.raises(LetterRefused, match="more than 20 notices in one game"):
        Letters(talking.host).take(written(talking, "carol", Shown(False)))
    assert Letters(talking.host).shown() == {"carol"}
    talking.play({"alice": "start C4", "bob": "start C1", "carol": "start F6"})
    assert Letters(talking.host).take(message(talking, "alice", "bob")).passed


def test_absences_are_bounded_in_all(talking: Table) -> None:
    """To the second; what was refused counts for nothing."""
    start = talking.entry().time
    at = [deadlines.add(start, days * DAY) for days in (0, 4, 8, 12)]
    Letters(talking.host).take(written(talking, "bob", Absence(at[0], at[1])))
    with pytest.raises(LetterRefused, match=f"absences of {8 * DAY} seconds in all") as caught:
        Letters(talking.host).take(written(talking, "bob", Absence(at[1], at[2])))
    assert f"the invite allows {7 * DAY}" in caught.value.message
    last = Absence(at[2], deadlines.add(at[2], 3 * DAY))
    Letters(talking.host).take(written(talking, "bob", last))
    Letters(talking.host).take(written(talking, "carol", Absence(at[0], at[1])))


def test_an_address_is_the_last_that_was_told(talking: Table) -> None:
    """Sealed, and opened by the host alone; whoever said nothing has none."""
    for address in ("one@example.org", "two@example.org"):
        Letters(talking.host).take(written(talking, "alice", Address(address)))
    host = Letters(talking.host)
    assert (host.address("alice"), host.address("bob")) == ("two@example.org", None)
    for said in (True, False):
        Letters(talking.host).take(written(talking, "bob", Shown(said)))
        assert Letters(talking.host).shown() == ({"bob"} if said else set())


def test_the_host_writes_too(talking: Table) -> None:
    """To one or to all, never to nobody; only the numbers of new addresses count."""
    one = Letters(talking.host).announce("bob", "The mail is back.")
    Letters(talking.host).take(message(talking, "alice", "bob"))
    three = Letters(talking.host).announce("all", "Well played.")
    assert (set(one.passed), set(three.passed)) == ({"bob"}, {"alice", "bob", "carol"})
    assert one.letter.number != three.letter.number
    with pytest.raises(Refused, match="nobody in this game is called 'dave'"):
        Letters(talking.host).announce("dave", "x")
    assert Letters(talking.host).mail() is None
    moved = Letters(talking.host).move("new@example.org")
    assert set(moved.passed) == {"alice", "bob", "carol"}
    assert (Letters(talking.host).mail(), moved.letter.number) == ("new@example.org", 1)


def test_no_letter_is_taken_after_the_end(finished: Table, tmp_path: Path) -> None:
    """Absences and press alike."""
    table = finished.copy(tmp_path / "game")
    for bundle in (message(table, "alice", "host"), written(table, "alice", Shown(True))):
        with pytest.raises(LetterRefused, match="the game is over") as caught:
            Letters(table.host).take(bundle)
        assert caught.value.word == "over"
