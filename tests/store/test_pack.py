"""A pack has one rendering; everything else is refused."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest
from generate.packs import rewritten
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from orders.errors import Refused

Table = Any

SMALL = {"invite.toml": b"one\n" * 40, "invite.toml.sig": b"two", "joins/alice.toml": b""}


def refused(data: bytes) -> str:
    """What reading says."""
    with pytest.raises(Refused) as caught:
        Pack.of(data)
    return str(caught.value)


def test_a_pack_is_a_plain_zip_of_the_folder(finished: Table, tmp_path: Any) -> None:
    """Any tool unpacks it; unpacked, it is the record, and as true."""
    data = pack.write(kept(finished.record))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "unpacked")
        assert archive.namelist() == sorted(archive.namelist())
    for source in (Pack.of(data), Record(tmp_path / "unpacked")):
        found = verify(source)
        assert (found.code, found.verdict) == (0, "true: alice won")
        assert found.head == finished.verify().head


@given(st.dictionaries(st.sampled_from(list(SMALL)), st.binary(max_size=300)))
def test_what_was_packed_is_read(held: dict[str, bytes]) -> None:
    """Every file, whatever it holds; none besides."""
    opened = Pack.of(pack.write(held))
    assert {path: opened.read(path) for path in opened.paths()} == held


def test_every_byte_counts() -> None:
    """Whichever is another, or gone, the pack is refused."""
    data = pack.write(SMALL)
    for at in range(len(data)):
        assert "pack" in refused(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
        assert "pack" in refused(data[:at])


def test_bytes_before_after_and_between_are_refused() -> None:
    """A pack ends where its list ends and has no gaps."""
    data = pack.write(SMALL)
    for other in (b"x" + data, data + b"x", data[:40] + b"x" + data[40:]):
        assert "pack" in refused(other)


def test_another_writer_may_write_the_same() -> None:
    """It is a zip like any other: whoever fills the same fields writes the same bytes."""
    assert rewritten(SMALL) == pack.write(SMALL)


def test_a_pack_that_was_packed_again_says_what_to_do() -> None:
    """Other programs deflate, or keep the time of day: the folder that they unpack is as good."""
    for changes, why in (({"method": zipfile.ZIP_DEFLATED}, "deflated"),
                         ({"time": (2026, 11, 21, 0, 0, 0)}, "written again")):  # fmt: skip
        with pytest.raises(Refused, match=why) as caught:
            Pack.of(rewritten(SMALL, **changes))
        assert "unpack it" in caught.value.hint


@pytest.mark.parametrize(
    "changes",
    [
        {"order": ["joins/alice.toml", "invite.toml", "invite.toml.sig"]},
        {"order": ["invite.toml", "invite.toml"]},
        {"time": (2026, 11, 21, 0, 0, 0)},
        {"method": zipfile.ZIP_BZIP2},
        {"method": zipfile.ZIP_DEFLATED},
        {"extra": struct.pack("<HHI", 0x5455, 4, 0)},
        {"comment": b"hello"},
        {"attributes": 0o644 << 16},
        {"end": b"hello"},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_another_layout_is_refused(changes: dict[str, Any]) -> None:
    """Order, times, methods, extras, comments and attributes are as the page has them."""
    assert "bad-pack" in refused(rewritten(SMALL, **changes))


@pytest.mark.parametrize(
    "path",
    ["../invite.toml", "/invite.toml", "entries/../invite.toml", "notes.txt", "joins\\a.toml", ""],
)
def test_names_that_are_none_of_a_record_are_refused(path: str) -> None:
    """So nothing can be unpacked elsewhere."""
    assert "bad-pack" in refused(pack.write({path: b""}))


def test_a_file_larger_than_any_of_a_record_is_refused() -> None:
    """Before anything of it is read."""
    assert "has 1048577 bytes, at most" in refused(pack.write({"invite.toml": bytes(2**20 + 1)}))


def test_too_many_files_are_told() -> None:
    """A zip lists 65,535 files; who has more keeps the folder."""
    held = {f"entries/{number}.toml": b"" for number in range(70_000)}
    with pytest.raises(Refused, match="65535 at most"):
        pack.write(held)
