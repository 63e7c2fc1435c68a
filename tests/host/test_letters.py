"""What a host does with letters: which it takes, to whom it passes them on, absences granted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import bundles, deadlines
from adjudicator.core import letters as core_letters
from adjudicator.host.letters import MOST_NOTICES, MOST_WAITING, LetterRefused, Letters
from adjudicator.player import letters
from orders.bundle import Bundle
from orders.errors import Refused
from orders.letter import Letter, Text

Table = Any
DAY = 86_400


def away_from(start: str, seconds: int) -> Text:
    """A notice of absence."""
    return Text(f"away from {start} until {deadlines.add(start, seconds)}")


@pytest.fixture
def away(make_table: type[Any], tmp_path: Path) -> Table:
    """Bob is awaited, and has told that he is away for five days from tomorrow on."""
    table = make_table(tmp_path / "game", options={"first": "alice", "absence": "7d"})
    table.begin().play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"})
    start = deadlines.add(table.entry().awaited["bob"].since, DAY)
    own = table.seated("bob")
    told = away_from(start, 5 * DAY)
    bundle = letters.write(own.ledger, own.seat, table.keys["bob"], told)
    Letters(table.host).take(bundle)
    table.clock.skip(4 * DAY)
    return table


def test_a_ruling_tells_of_no_other_notice(away: Table) -> None:
    """Neither of a later absence nor, by a number, how many notices came before."""
    own = away.seated("bob")
    _, end = letters.kept(own.ledger, own.seat)[0].text.away or ("", "")
    later = away_from(deadlines.add(end, 9 * DAY), DAY)
    bundle = letters.write(own.ledger, own.seat, away.keys["bob"], later)
    Letters(away.host).take(bundle)
    Letters(away.host).grant()
    assert away.entry().ruling.reason == f"bob is away until {end}"


def test_an_absence_from_the_deadline_on_moves_nothing(away: Table) -> None:
    """Nor is it told: it begins as the time is up."""
    own, host = away.seated("bob"), away.host
    until = deadlines.add(away.entry().awaited["bob"].until, 5 * DAY)
    again = away_from(until, DAY)
    Letters(host).take(letters.write(own.ledger, own.seat, away.keys["bob"], again))
    assert Letters(host).grant()
    assert away.entry().awaited["bob"].until == until
    assert "; " not in away.entry().ruling.reason
    assert deadlines.add(until, DAY) not in away.entry().ruling.reason


def test_the_most_rulings_are_not_passed_for_an_absence(
    away: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One less, and there is one more."""
    for most, granted in ((0, False), (1, True)):
        monkeypatch.setattr("adjudicator.host.letters.MOST_RULINGS", most)
        assert Letters(away.host).grant() == granted


def test_a_letter_that_another_machine_kept_takes_its_own_place(talking: Table) -> None:
    """Whatever the number under which it was to be passed on here."""
    host = talking.host
    bundle = message(talking, "alice", "bob")
    Letters(host).take(bundle)
    (here,) = (host.folder.root / "press").iterdir()
    there = f"{here.name[:-8]}{int(here.name[-8:-4]) % 9_999 + 1:04d}.txt"
    assert Letters(host).bring(there, bundle)
    assert not Letters(host).bring(there, bundle)
    assert not Letters(host).bring("notes.txt", bundle)
    assert [path.name for path in (host.folder.root / "press").iterdir()] == [there]


def test_absences_that_overlap_count_once(away: Table) -> None:
    """Two notices of the same days stop the clock once."""
    own = away.seated("bob")
    until = deadlines.add(away.entry().awaited["bob"].since, 3 * DAY)
    again = away_from(deadlines.add(until, -DAY), DAY)
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


def written(table: Table, name: str, says: str, body: str = "") -> Bundle:
    """A letter of that player's, as it goes to the host."""
    text = Text(says, body)
    return letters.write(table.host.ledger, table.seat(name), table.keys[name], text)


def message(table: Table, name: str, to: str, *, anonymous: bool = False) -> Bundle:
    return written(table, name, *letters.message(to, "Truce?", anonymous=anonymous)[:2])


@pytest.mark.parametrize(
    ("to", "anonymous", "readers"),
    [("bob", False, {"bob"}), ("bob", True, {"bob"}), ("all", False, {"bob", "carol"}),
     ("all", True, {"alice", "bob", "carol"}), ("host", False, set())],
)  # fmt: skip
def test_who_gets_a_message(talking: Table, to: str, anonymous: bool, readers: set[str]) -> None:
    """One without a name goes to its writer too, so that nobody is found by being left out."""
    taken = Letters(talking.host).take(message(talking, "alice", to, anonymous=anonymous))
    assert set(taken.passed) == readers
    assert taken.text.body == "Truce?"


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
    with pytest.raises(LetterRefused, match="another letter 1 of alice came before") as caught:
        Letters(talking.host).take(message(talking, "alice", "carol"))
    assert (caught.value.word, caught.value.letter.number) == ("superseded", 1)


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
        letter = Letter(host.opening.id, "alice", 7, "")
        text = letters.message(to, "Hello")._replace(salt="ab" * 32)
        bundle = core_letters.write(host.opening, letter, text, talking.keys["alice"])
        with pytest.raises(LetterRefused, match=f"a message to '{to}': expected another player's"):
            Letters(host).take(bundle)


def test_a_flood_of_letters_is_stopped(talking: Table) -> None:
    """Twenty messages between two entries, twenty notices in a game; other players may write."""
    for _ in range(MOST_WAITING):
        Letters(talking.host).take(message(talking, "alice", "host"))
    with pytest.raises(LetterRefused, match="more than 20 messages between two entries"):
        Letters(talking.host).take(message(talking, "alice", "bob"))
    Letters(talking.host).take(message(talking, "bob", "alice"))
    for _ in range(MOST_NOTICES):
        Letters(talking.host).take(written(talking, "carol", "address shown"))
    with pytest.raises(LetterRefused, match="more than 20 notices in one game"):
        Letters(talking.host).take(written(talking, "carol", "address hidden"))
    assert Letters(talking.host).shown() == {"carol"}
    talking.play({"alice": "start C4", "bob": "start C1", "carol": "start F6"})
    assert Letters(talking.host).take(message(talking, "alice", "bob")).passed


def test_absences_are_bounded_in_all(talking: Table) -> None:
    """To the second; what was refused counts for nothing."""
    start = talking.entry().time
    at = [deadlines.add(start, days * DAY) for days in (0, 4, 8, 12)]
    Letters(talking.host).take(written(talking, "bob", away_from(at[0], 4 * DAY).says))
    with pytest.raises(LetterRefused, match=f"absences of {8 * DAY} seconds in all") as caught:
        Letters(talking.host).take(written(talking, "bob", away_from(at[1], 4 * DAY).says))
    assert f"the invite allows {7 * DAY}" in caught.value.message
    Letters(talking.host).take(written(talking, "bob", away_from(at[2], 3 * DAY).says))
    Letters(talking.host).take(written(talking, "carol", away_from(at[0], 4 * DAY).says))


def test_an_address_is_the_last_that_was_told(talking: Table) -> None:
    """Sealed, and opened by the host alone; whoever said nothing has none."""
    for address in ("one@example.org", "two@example.org"):
        Letters(talking.host).take(written(talking, "alice", f"address {address}"))
    host = Letters(talking.host)
    assert (host.address("alice"), host.address("bob")) == ("two@example.org", None)
    for word in ("shown", "hidden"):
        Letters(talking.host).take(written(talking, "bob", f"address {word}"))
        assert Letters(talking.host).shown() == ({"bob"} if word == "shown" else set())


def test_the_notice_that_was_written_last_holds(talking: Table) -> None:
    """Whatever comes first: who carries letters cannot bring an old address back."""
    first, second = (written(talking, "alice", f"address {n}@example.org") for n in (1, 2))
    for bundle in (second, first):
        Letters(talking.host).take(bundle)
    assert Letters(talking.host).address("alice") == "2@example.org"


def test_two_notices_of_one_count_are_told(talking: Table, tmp_path: Path) -> None:
    """A seat on two machines, or one from a backup: the second is refused, not passed over."""
    seat = talking.seat("alice").root / "letters"
    Letters(talking.host).take(written(talking, "alice", "address shown"))
    seat.rename(tmp_path / "letters")
    again = written(talking, "alice", "address hidden")
    with pytest.raises(LetterRefused, match="another notice 1 of alice came before") as caught:
        Letters(talking.host).take(again)
    assert caught.value.word == "superseded"
    Letters(talking.host).take(written(talking, "alice", "address hidden"))
    assert Letters(talking.host).shown() == set()


def test_who_carries_letters_cannot_tell_what_they_are(talking: Table) -> None:
    """All have one size and one form: only numbers and digests differ, and all are drawn."""
    start = talking.entry().time
    forms = set()
    for says, body in (
        ("message to bob:", "x" * 1_800), ("anonymous message to all:", "x"),
        ("message to host:", "x"), (away_from(start, DAY).says, ""), ("address a@b", ""),
        ("address shown", ""),
    ):  # fmt: skip
        bundle = written(talking, "alice", says, body)
        forms.add(
            tuple(
                ("", re.sub(rb"[0-9a-f]{64}|[0-9]+", b"", data))
                if path.endswith(".toml")
                else (path[-4:], len(data))
                for path, data in bundle.files
            )
        )
    assert len(forms) == 1


def test_a_sealed_text_that_was_changed_on_the_way_is_no_letter(talking: Table) -> None:
    """It accuses nobody and takes no number: the letter itself is taken when it comes."""
    bundle = written(talking, "alice", "address shown")
    held = dict(bundle.files)
    (path,) = (path for path in held if path.endswith(".sealed"))
    held[path] = held[path][:-1] + bytes([held[path][-1] ^ 1])
    with pytest.raises(Refused, match="not the one that its writer signed") as caught:
        Letters(talking.host).take(bundles.pack("letter", held))
    assert not isinstance(caught.value, LetterRefused)
    Letters(talking.host).take(bundle)
    assert Letters(talking.host).shown() == {"alice"}


def test_the_host_writes_too(talking: Table) -> None:
    """To one or to all, never to nobody; only the numbers of new addresses count."""
    one = Letters(talking.host).announce("bob", "The mail is back.")
    Letters(talking.host).take(message(talking, "alice", "bob"))
    three = Letters(talking.host).announce("all", "Well played.")
    assert (set(one.passed), set(three.passed)) == ({"bob"}, {"alice", "bob", "carol"})
    assert one.letter.number != three.letter.number
    with pytest.raises(Refused, match=r"^illegal: nobody in this game is called 'dave'"):
        Letters(talking.host).announce("dave", "x")
    assert Letters(talking.host).mail() is None
    moved = Letters(talking.host).move("new@example.org")
    assert set(moved.passed) == {"alice", "bob", "carol"}
    assert (Letters(talking.host).mail(), moved.text.notice) == ("new@example.org", 1)
    assert Letters(talking.host).move("newer@example.org").text.notice == 2
    assert Letters(talking.host).mail() == "newer@example.org"
    assert len(talking.host.folder.press()) == 3


def test_no_letter_is_taken_after_the_end(finished: Table, tmp_path: Path) -> None:
    """Absences and press alike."""
    table = finished.copy(tmp_path / "game")
    for bundle in (message(table, "alice", "host"), written(table, "alice", "address shown")):
        with pytest.raises(LetterRefused, match="the game is over") as caught:
            Letters(table.host).take(bundle)
        assert caught.value.word == "over"
