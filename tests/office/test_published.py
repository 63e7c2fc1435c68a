"""What a referee publishes: calendars under secret names, and what came of games that are over."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from calendars import events
from commands import Table
from desks import program
from office.club import ADDRESS, Club, begun

from adjudicator.archive import club as clubs
from adjudicator.archive import standings
from adjudicator.archive.club import read
from adjudicator.office import published, referee
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from orders.errors import Refused
from orders.keys import write_key
from orders.secrets import RefereeSecret, derive

SECRET = RefereeSecret(b"s" * 32)
NAMES = {
    who: published.calendar_name(SECRET, f"{who}@example.org") for who in ("alice", "bob", "carol")
}


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """A game of Alice's and Bob's that has begun."""
    made = Club(tmp_path)
    made.clock.time = SystemClock().now()
    begun(made)
    return made


def put(club: Club) -> Path:
    """Publish; the folder."""
    out = club.root / "www"
    with club.office() as office:
        packs = club.folder / referee.PACKS
        faults: list[str] = []
        goes_on = dict.fromkeys(office.games, True)
        published.put(out, goes_on, packs, office.outbox, SECRET, faults)
        assert faults == []
    return out


def ordered(club: Club, **orders: str) -> None:
    (name,) = club.games
    for who, lines in orders.items():
        club.person(who).order(name, lines)
    club.turn()


def ended(club: Club) -> None:
    ordered(club, alice="start C4", bob="start C1")
    ordered(club, alice="fire S")
    ordered(club, bob="silent")
    ordered(club, alice="silent")


def test_a_calendar_for_each_player(club: Club) -> None:
    """With what that player has to do, and nothing of anybody else's; the host's view of who has
    ordered is in it for one's own orders alone."""
    out, (game,) = put(club), club.games
    assert sorted(one.name for one in out.iterdir()) == sorted([NAMES["alice"], NAMES["bob"]])
    for who in ("alice", "bob"):
        (one,) = events((out / NAMES[who]).read_bytes())
        assert one["SUMMARY"] == f"Sugar Dog {game}: your setup"
        assert one["UID"].endswith(f"-{who}")
    ordered(club, bob="start C1")
    put(club)
    assert events((out / NAMES["bob"]).read_bytes()) == []
    assert len(events((out / NAMES["alice"]).read_bytes())) == 1
    ordered(club, alice="start C4")
    put(club)
    assert events((out / NAMES["bob"]).read_bytes()) == []
    (one,) = events((out / NAMES["alice"]).read_bytes())
    assert (one["SUMMARY"], one["SEQUENCE"]) == (f"Sugar Dog {game}: your turn", "1")


def test_only_what_differs_is_written(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock has a part in the bytes, so an idle turn writes nothing and verifies nothing."""
    ended(club)
    out = put(club)
    before = {one.name: one.read_bytes() for one in out.iterdir()}
    assert len(before) == 6
    club.clock.skip(86_400)

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(files, "write", never)
    monkeypatch.setattr(clubs, "read", never)
    put(club)
    assert {one.name: one.read_bytes() for one in out.iterdir()} == before


def test_what_is_over_is_in_standings_and_feed(club: Club) -> None:
    """And nothing of what is not: neither file is there before a game is over."""
    out, (game,) = put(club), club.games
    ended(club)
    assert not list(out.glob("[rs]*"))
    put(club)
    assert f"{game}.zip" in (out / "standings.html").read_text()
    assert "alice, bob: alice won</title>" in (out / "results.atom").read_text()
    assert {events((out / NAMES[who]).read_bytes()) == [] for who in ("alice", "bob")} == {True}
    feed = (out / "results.atom").read_bytes()
    assert b"<id>urn:uuid:" in feed
    ours = standings.files(read(club.folder / "packs"), {})["results.atom"]
    assert ours.partition(b"</id>")[0] != feed.partition(b"</id>")[0]
    assert ours.partition(b"</id>")[2] == feed.partition(b"</id>")[2]
    club.ask("carol@example.org", "new sugar-dog with alice@example.org")
    club.person("carol").join()
    club.turn()
    put(club)
    assert (out / "results.atom").read_bytes() == feed
    assert "carol" not in (out / "standings.json").read_text()


def test_what_the_club_decided_counts(club: Club) -> None:
    """`club.toml` lies beside the packs, and a change of it is seen."""
    ended(club)
    out = put(club)
    assert "alice" in (out / "standings.json").read_text()
    keys = {club.person("alice").key.public.fingerprint, club.person("bob").key.public.fingerprint}
    listed = ", ".join(f'"{one}"' for one in sorted(keys))
    (club.folder / "packs" / "club.toml").write_text(f"[players]\nzoe = [{listed}]\n")
    put(club)
    assert "one player in two seats" in (out / "standings.md").read_text()


def test_who_has_no_seat_any_more_has_an_empty_calendar(club: Club) -> None:
    """A program asks for it as long as it likes; what another referee has there stays."""
    out = put(club)
    (out / NAMES["carol"]).write_bytes((out / NAMES["bob"]).read_bytes())
    (game,) = club.games
    (club.folder / game).rename(club.root / "away")
    for _ in range(2):
        put(club)
        assert events((out / NAMES["alice"]).read_bytes()) == []
        assert len(events((out / NAMES["carol"]).read_bytes())) == 1


def test_what_was_removed_comes_again(club: Club) -> None:
    """The folder may be made anew."""
    ended(club)
    before = {one.name: one.read_bytes() for one in put(club).iterdir()}
    shutil.rmtree(club.root / "www")
    assert {one.name: one.read_bytes() for one in put(club).iterdir()} == before


def test_the_name_is_a_secret_of_the_referees() -> None:
    """It follows from secret and address alone, in whatever letters the address is written."""
    assert NAMES["alice"] == published.calendar_name(SECRET, "Alice@Example.ORG")
    other = published.calendar_name(RefereeSecret(b"t" * 32), "alice@example.org")
    assert len({*NAMES.values(), other}) == 4
    assert all(len(name) == len(".ics") + 32 for name in NAMES.values())


def test_nothing_else_is_replaced(club: Club) -> None:
    """What lies there already is somebody's."""
    ended(club)
    out = put(club)
    for name in ("standings.html", NAMES["alice"]):
        was = (out / name).read_bytes()
        (out / name).write_text("mine")
        (club.folder / "packs" / "club.toml").write_text(f"# {name}\n")
        with pytest.raises(Refused, match="is there already, and is not replaced"):
            put(club)
        assert (out / name).read_text() == "mine"
        (out / name).write_bytes(was)


def test_a_referee_does_it_in_its_turn(club: Club, tmp_path: Path) -> None:
    """`publish` in its file; what goes wrong is a fault of the turn, and told."""
    write_key(club.folder / "referee.key", "host", derive(b"r" * 32, "host"))
    for name in ("new", "cur", "tmp"):
        (club.folder / "box" / name).mkdir(parents=True)
    toml = f'address = "{ADDRESS}"\nmail-in = "maildir:box"\nmail-out = "maildir:out"\n'
    told = tmp_path / "told"
    tell = program(tmp_path / "tell", f"cat >> {told}")
    (club.folder / "referee.toml").write_text(f'{toml}tell = "{tell}"\npublish = "www"\n')
    table = Table(club.folder)
    assert table.run("referee", ".", "--once", "-q").exit_code == 0
    assert len(list((club.folder / "www").iterdir())) == 2
    assert not told.exists()
    ended(club)
    assert table.run("referee", ".", "--once", "-q").exit_code == 0
    assert (club.folder / "www" / "results.atom").exists()
    assert '"what": "over"' in told.read_text()
    assert "over: alice won" in told.read_text()
    (club.folder / "referee.toml").write_text(f'{toml}tell = "{tell}"\npublish = "box.txt"\n')
    (club.folder / "box.txt").write_text("no folder")
    done = table.run("referee", ".", "--once", "-q")
    assert (done.exit_code, done.stderr.count("error: publish: ")) == (1, 1)
    assert table.run("status", "--html", "needs.html").exit_code == 3
    assert "<li>publish: " in (club.folder / "needs.html").read_text()
    assert '"what": "hand"' in told.read_text()
    (club.folder / "referee.toml").write_text(f"{toml}publish = 3\n")
    assert "publish = 3: expected a folder" in table.run("referee", ".", "--once").stderr
