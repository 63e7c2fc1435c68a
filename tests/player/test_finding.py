"""Games are found by what folders hold, whatever they are called."""

from __future__ import annotations

from pathlib import Path

import pytest
from table import Table

from adjudicator.player import finding
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from orders.errors import Refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Alice's copies and seats of two games; Bob's are elsewhere."""
    for name, seed in (("friday", b"\x01"), ("sunday", b"\x02")):
        table = Table(tmp_path / name, seed=seed * 32).begin()
        table.copies["alice"].root.rename(tmp_path / f"{name}-copy")
        (tmp_path / name / "alice" / "alice.seat").rename(tmp_path / f"{name}-mine.seat")
    return tmp_path


def seats(folder: Path) -> list[tuple[str, str | None]]:
    """The games in a folder by their copies' names, and the seat at each."""
    found = [
        (copy.root.name, finding.place_of(finding.invite_of(copy), folder))
        for copy in finding.copies(folder)
    ]
    return [(name, None if place is None else place.name) for name, place in found]


def test_every_game_with_a_seat(folder: Path) -> None:
    """Each copy with the seat that joined it; the host's records below are not looked into."""
    assert seats(folder) == [
        ("friday-copy", "friday-mine.seat"),
        ("sunday-copy", "sunday-mine.seat"),
    ]


def test_a_copy_without_a_seat(folder: Path) -> None:
    """It is looked on, not played; its offer has no seat here."""
    (folder / "sunday-mine.seat").rename(folder / "sunday-mine")
    assert seats(folder) == [("friday-copy", "friday-mine.seat"), ("sunday-copy", None)]


def test_two_seats_of_one_game(folder: Path) -> None:
    """Nobody guesses which."""
    (folder / "friday" / "bob" / "bob.seat").rename(folder / "bob.seat")
    with pytest.raises(Refused, match="2 seats") as caught:
        seats(folder)
    assert caught.value.hint == "say which: --seat friday-mine.seat"


def test_an_empty_folder(tmp_path: Path) -> None:
    """No game, and no error."""
    assert finding.copies(tmp_path) == []


def test_a_form_beside_the_copy_is_made_once(folder: Path) -> None:
    """What somebody wrote into it stays."""
    copy = finding.copies(folder)[0]
    own = Seated(copy, Seat.open(folder / "friday-mine.seat"))
    path = finding.form_beside(copy, own)
    assert path == folder / "friday-copy-0001-orders.txt"
    assert "start A1" in path.read_text()
    path.write_text("start C4")
    assert finding.form_beside(copy, own).read_text() == "start C4"


def test_what_is_broken_hides_no_game(folder: Path) -> None:
    """Neither an invite that is none, nor a folder or a link in place of an invite."""
    (folder / "broken").mkdir()
    (folder / "broken" / "invite.toml").write_bytes(b"\xff")
    (folder / "odd" / "invite.toml").mkdir(parents=True)
    (folder / "linked").mkdir()
    (folder / "linked" / "invite.toml").symlink_to(folder / "friday-copy" / "invite.toml")
    assert seats(folder) == [
        ("broken", None),
        ("friday-copy", "friday-mine.seat"),
        ("sunday-copy", "sunday-mine.seat"),
    ]
