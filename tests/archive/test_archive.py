"""`archive.archive`: what folders and lists name, and what becomes of each, whatever it is."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from duel.test_ends import at, duel, held

from adjudicator.archive import archive
from adjudicator.archive.archive import (
    LONGEST_LINE,
    Item,
    RecordFiles,
    Verifying,
    Walk,
    is_archive,
    read_list,
    together,
)
from adjudicator.player.seat import Seat
from adjudicator.store import pack
from adjudicator.store.record import Record
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from orders.errors import Refused

Table = Any
Laid = Callable[..., Path]


@pytest.fixture
def lay(record: Mapping[str, bytes], tmp_path: Path) -> Laid:
    """Lay the finished record out in a folder of that name, or as a pack."""

    def call(name: str, *, packed: bool = False) -> Path:
        root = tmp_path / name
        root.parent.mkdir(parents=True, exist_ok=True)
        if packed:
            root.write_bytes(pack.write(record))
        for path, data in {} if packed else record.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        return root

    return call


def below(folder: Path) -> list[str]:
    """What a walk finds there, by path from there."""
    return [os.path.relpath(one.text, folder) for one in Walk().items([Item(str(folder))])]


def test_a_walk_finds_records_packs_and_repositories_in_order(lay: Laid, tmp_path: Path) -> None:
    """In the order of their names, packs of a folder first; what is none of them is left alone."""
    lay("a/two.zip", packed=True)
    lay("a/one.zip", packed=True)
    lay("b/deep/record")
    lay("c")
    (tmp_path / "b/repository.git/objects").mkdir(parents=True)
    (tmp_path / "b/repository.git/HEAD").write_text("ref: refs/heads/main\n")
    for name in ("notes.txt", "b/notes.zip.txt", ".git/x.zip", "seat/seat.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe.zip")
    found = ["a/one.zip", "a/two.zip", "b/deep/record", "b/repository.git", "c"]
    assert below(tmp_path) == found
    assert is_archive(str(tmp_path))
    assert not is_archive(str(tmp_path / "c"))
    assert not is_archive(str(tmp_path / "a/one.zip"))
    assert not is_archive(str(tmp_path / "seat"))


def test_a_hosts_own_folder_is_no_record(lay: Laid, tmp_path: Path) -> None:
    """Joins wait in it, beside the record; a record of such a name is one all the same."""
    lay("friday")
    lay("old.host")
    (tmp_path / "friday.host/joins").mkdir(parents=True)
    assert below(tmp_path) == ["friday", "old.host"]


@pytest.mark.parametrize("gone", ["invite.toml", "entries", "joins"])
def test_a_damaged_record_is_found_all_the_same(lay: Laid, tmp_path: Path, gone: str) -> None:
    """Nobody makes a game vanish from an archive by taking a file out of it."""
    place = lay("games/one") / gone
    place.unlink() if place.is_file() else shutil.rmtree(place)
    assert below(tmp_path) == ["games/one"]
    (one,) = Walk().items([Item(str(tmp_path))])
    assert Verifying().do(one).found.code != 0


def test_links_are_counted_and_not_followed(lay: Laid, tmp_path: Path) -> None:
    """A loop ends, and nothing outside the folder is looked at."""
    lay("outside/record")
    lay("games/one.zip", packed=True)
    (tmp_path / "games/again").symlink_to(tmp_path / "games")
    (tmp_path / "games/out").symlink_to(tmp_path / "outside")
    (tmp_path / "games/two.zip").symlink_to(tmp_path / "games/one.zip")
    walk = Walk()
    assert [one.text for one in walk.items([Item(str(tmp_path / "games"))])] == [
        str(tmp_path / "games/one.zip")
    ]
    assert walk.links == 3


def test_what_is_named_stands_for_itself_where_nothing_is_below(tmp_path: Path) -> None:
    """An empty folder, a file, an address, nothing at all: each is verified, and told."""
    named = [str(tmp_path), "nowhere", "https://example.org/x.git", "x" * 5000]
    items = list(Walk().items([Item(one) for one in named]))
    assert [one.text for one in items] == named
    for one in (items[0], items[1], items[3]):
        found = Verifying().do(one).found
        assert (found.code, found.verdict.partition(":")[0]) == (2, "unusable")


def test_a_folder_that_cannot_be_read_is_told(
    lay: Laid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, by its name; what lies beside it is found."""
    lay("a/one.zip", packed=True)
    (tmp_path / "b").mkdir()
    real = os.scandir

    def scandir(path: str) -> Any:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(archive.os, "scandir", scandir)
    first, second = Walk().items([Item(str(tmp_path))])
    assert first.text.endswith("one.zip")
    assert "Permission denied" in Verifying().do(second).found.verdict


def test_a_list_holds_a_name_in_a_line() -> None:
    """Windows' line ends, comments and empty lines; a line that is too long costs only itself."""
    long = b"x" * (3 * LONGEST_LINE)
    text = b"\xef\xbb\xbfone.zip\r\n\r\n# a comment\n  \n two words\n" + long + b"\nlast\xff"
    items = list(read_list("games.txt", io.BytesIO(text + b"\na\0b\n")))
    assert [one.text for one in items] == [
        "one.zip", " two words", "games.txt:6", os.fsdecode(b"last\xff"), "games.txt:8",
    ]  # fmt: skip
    assert [bool(one.fault) for one in items] == [False, False, True, False, True]
    assert list(read_list("none", io.BytesIO(b""))) == []
    assert [one.fault == "" for one in read_list("x", io.BytesIO(long))] == [False]


def bomb(record: Mapping[str, bytes]) -> bytes:
    """A zip whose invite inflates to many megabytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for path, content in {**record, "invite.toml": bytes(2**26)}.items():
            file.writestr(path, content)
    return data.getvalue()


def test_no_pack_ends_a_batch(record: Mapping[str, bytes], lay: Laid, tmp_path: Path) -> None:
    """No zip, another zip, cut off, a bomb, gone meanwhile, a folder or a pipe in its place."""
    whole = pack.write(record)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("invite.toml", "x")
    for name, data in {"none": b"hello", "empty": b"", "cut": whole[:-9]}.items():
        (tmp_path / f"{name}.zip").write_bytes(data)
    (tmp_path / "bomb.zip").write_bytes(bomb(record))
    (tmp_path / "folder.zip").mkdir()
    os.mkfifo(tmp_path / "pipe.zip")
    codes = {"none": 2, "other": 2, "empty": 2, "cut": 2, "bomb": 2, "gone": 2, "folder": 2}
    for name, code in {**codes, "pipe": 2}.items():
        one = Verifying().do(Item(str(tmp_path / f"{name}.zip")))
        assert one.found.code == code, (name, one.found.verdict)
        assert one.found.verdict.isprintable()
    assert Verifying().do(Item(str(lay("true.zip", packed=True)))).found.code == 0


def test_a_fault_of_this_program_ends_no_batch(lay: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, of the one record where it happened."""

    def fails(*_: Any) -> None:
        raise KeyError("x")

    monkeypatch.setattr(archive.hosts, "look", fails)
    found = Verifying(several=True).do(Item(str(lay("record")))).found
    assert found.code == 70
    assert "this program failed: KeyError" in found.verdict


def test_what_travels_is_verified_as_what_lies_here(lay: Laid, tmp_path: Path) -> None:
    """Packs and folders as bytes, with what in them cannot be read; what git has stays here."""
    lay("one.zip", packed=True)
    lay("true")
    (lay("odd") / "notes.txt").write_text("beside it")
    (tmp_path / "odd/slips/0001-bob.toml").unlink()
    os.mkfifo(tmp_path / "odd/slips/0001-bob.toml")
    (lay("big") / "slips/0001-bob.toml").write_bytes(bytes(2**21))
    (lay("lacks") / "slips/0001-bob.toml").unlink()
    work = Verifying(several=True)
    for name, code in {"one.zip": 0, "true": 0, "odd": 2, "big": 1, "lacks": 1}.items():
        item = Item(str(tmp_path / name))
        carried = work.carried(item)
        assert carried is not None, name
        here = work.do(item)
        if name != "one.zip":
            shutil.rmtree(tmp_path / name)
        assert work.do(carried) == here, name
        assert here.found.code == code
    (lay("clone") / ".git").mkdir()
    for text in ("clone", "https://example.org/x.git", "nowhere"):
        place = text if ":" in text else str(tmp_path / text)
        assert work.carried(Item(place)) is None, text
    assert work.carried(Item("x", fault="no path")) is None


@pytest.mark.parametrize(
    "place", ["orders", "entries", "joins", "invite.toml", "slips/0001-bob.toml.sig"]
)
def test_a_link_in_a_record_is_unusable_by_every_way(lay: Laid, tmp_path: Path, place: str) -> None:
    """Alone, among others, carried elsewhere, in a list: a link on one machine is no host's lie."""
    path = lay("linked") / place
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    item = Item(str(tmp_path / "linked"))
    said = "is a link, which is not followed" if "." in place else "is no folder, and"
    for work in (Verifying(), Verifying(several=True), Verifying(brief=True)):
        found = work.do(item).found
        assert found.code == 2
        assert place in found.verdict
        assert said in found.verdict
        carried = work.carried(item)
        assert carried is None or work.do(carried).found == found
    with pytest.raises(Refused, match=said):
        kept(Record(tmp_path / "linked"))


def test_a_folder_is_sent_as_it_was_read(lay: Laid) -> None:
    """Strangers' files by their name alone."""
    root = lay("record")
    (root / "film.mkv").write_bytes(bytes(5000))
    sent = RecordFiles.of(Record(root))
    assert "film.mkv" in sent.paths()
    assert "film.mkv" not in sent.held
    assert verify(sent) == verify(Record(root))


def test_a_pack_s_name_may_hold_anything(lay: Laid) -> None:
    """A colon makes no address of what is there."""
    assert Verifying().do(Item(str(lay("a:b\n.zip", packed=True)))).found.code == 0


def test_files_of_one_duel_are_judged_as_one_set(lay: Laid, tmp_path: Path) -> None:
    """Whoever brought them, and whatever lies between: each alone proves less."""
    one, other = duel().people
    many = len(duel().row.moves)
    lay("1-between.zip", packed=True)
    for name, whole in (
        ("0", at(many, (one, many, False))),
        ("2", at(many, (other, many, False))),
        ("3", at(0)),
    ):
        (tmp_path / f"{name}.zip").write_bytes(pack.write(held(whole)))
    (tmp_path / "4.zip").write_bytes(b"hello")
    items = [*Walk().items([Item(str(tmp_path))])]
    alone = [Verifying(several=True).do(item).found.code for item in items]
    assert alone[1:] == [0, alone[2], 4, 2]
    assert {alone[0], alone[2]} <= {3, 4}
    for order in (items, items[::-1]):
        found = {one.text: one for one in map(Verifying(several=True).do, together(order))}
        assert len(found) == 3
        (name,) = [one for one in found if " and " in one]
        assert {Path(path).name for path in name.split(" and ")} == {"0.zip", "2.zip", "3.zip"}
        assert found[name].found.verdict.endswith("won, and neither lied")
        assert sorted(one.found.code for one in found.values()) == [0, 0, 2]
    (item,) = [one for one in together(items) if one.beside]
    assert Verifying().carried(item) is None


def test_only_verdicts_travel_where_only_verdicts_are_told(lay: Laid) -> None:
    """The verdict itself is the same, and what it tells of its host is there."""
    item = Item(str(lay("record")))
    brief, whole = (Verifying(several=True, brief=one).do(item) for one in (True, False))
    assert brief.found.claims == ()
    assert (brief.found.code, brief.found.verdict) == (whole.found.code, whole.found.verdict)
    assert brief.hosted == whole.hosted is not None


def test_a_seat_is_used_with_its_own_game(finished: Table, lay: Laid, tmp_path: Path) -> None:
    """Among several records. A single record is verified with it in any case."""
    other = Verifying(Seat.open(finished.root / "alice/alice.seat"), several=True)
    own = other.do(Item(str(lay("record"))))
    assert own.seated
    assert own.found.code == 0
    entry = tmp_path / "record/invite.toml"
    entry.write_bytes(entry.read_bytes() + b"\n")
    assert not other.do(Item(str(tmp_path / "record"))).seated
