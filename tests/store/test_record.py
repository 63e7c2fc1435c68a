"""A record's folder and private folders: which files they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.store.record import PrivateFolder, Record
from orders.errors import Refused


def test_a_private_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    """It is made with its first file."""
    folder = PrivateFolder(tmp_path / "alice.mail" / "early")
    assert folder.paths() == ()
    folder.write("one/two.txt", b"x")
    assert folder.paths() == ("one/two.txt",)


def test_drafts_and_links_are_no_files_of_a_private_folder(tmp_path: Path) -> None:
    """What a crash left half written, and what leads elsewhere."""
    folder = PrivateFolder(tmp_path)
    folder.write("orders/0001-1.toml", b"x")
    (tmp_path / ".mark.part").write_bytes(b"half")
    (tmp_path / "receipts").symlink_to(tmp_path / "orders")
    assert folder.paths() == ("orders/0001-1.toml",)


@pytest.mark.parametrize(("inside", "typed"), [("", "."), ("entries", "..")])
def test_a_record_that_one_stands_in_has_its_host_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str, typed: str
) -> None:
    """`.` and `..` are the folder of that name, which has neighbours."""
    (tmp_path / "friday" / inside).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "friday" / inside)
    assert Record(Path(typed)).host == tmp_path / "friday.host"


def test_nothing_lies_beside_the_root_of_a_disk() -> None:
    """So no host keeps a record there."""
    with pytest.raises(Refused, match="bad-option: nothing lies beside '/'"):
        _ = Record(Path("/")).host
