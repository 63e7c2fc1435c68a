"""Files by name: in memory, over others, looked up once; and entries added in a safe order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import Memory

from adjudicator.core import source
from adjudicator.core.source import (
    ListedFiles,
    MemoryFiles,
    Overlay,
    StagedFiles,
    append,
    read_or_none,
    signed,
)
from orders.errors import Missing, Refused
from orders.sshsig import Signed

FILES = {"b.toml": b"2", "a.toml": b"1"}
held = st.dictionaries(st.sampled_from("abcd"), st.binary(max_size=3))


@pytest.mark.parametrize("files", [MemoryFiles(FILES), ListedFiles(Memory(dict(FILES)))])
def test_files_are_read_by_name(files: source.Source) -> None:
    """Names come sorted; one that is not there is missing, by that name."""
    assert files.paths() == ("a.toml", "b.toml")
    assert files.read("a.toml") == b"1"
    with pytest.raises(Missing) as caught:
        files.read("c.toml")
    assert caught.value.path == "c.toml"


@given(held, held)
def test_files_laid_over_others_hide_them(base: dict[str, bytes], over: dict[str, bytes]) -> None:
    """As one dictionary updates another; neither is changed."""
    laid = Overlay(MemoryFiles(base), over)
    assert {path: laid.read(path) for path in laid.paths()} == {**base, **over}
    assert list(laid.paths()) == sorted({*base, *over})


class Counting(Memory):
    """Counts how often all names are looked up."""

    looked = 0

    def paths(self) -> tuple[str, ...]:
        """The names, counted."""
        type(self).looked += 1
        return super().paths()


def test_names_are_looked_up_once() -> None:
    """They are looked up again when a name is new, so that the list is right."""
    Counting.looked = 0
    files = ListedFiles(Counting({"a": b"1"}))
    files.write("b", b"2")
    assert files.paths() == files.paths() == ("a", "b")
    files.write("a", b"3")
    assert (files.paths(), Counting.looked) == (("a", "b"), 1)
    files.write("c", b"4")
    assert (files.paths(), Counting.looked) == (("a", "b", "c"), 2)
    assert files.read("a") == b"3"


def test_a_signed_file_is_two_files() -> None:
    """Either may be missing, and is then named."""
    files = MemoryFiles({"a.toml": b"1", "a.toml.sig": b"s", "b.toml": b"2", "c.toml.sig": b"t"})
    assert signed(files, "a.toml") == Signed(b"1", b"s")
    for path, lacks in (("b.toml", "b.toml.sig"), ("c.toml", "c.toml")):
        with pytest.raises(Missing) as caught:
            signed(files, path)
        assert caught.value.path == lacks


def test_a_file_that_may_be_missing_is_none() -> None:
    """One that is there and cannot be read is refused."""

    class Broken(MemoryFiles):
        def read(self, path: str) -> bytes:
            raise Refused("unreadable", path)

    assert read_or_none(MemoryFiles({"a": b""}), "a") == b""
    assert read_or_none(MemoryFiles({}), "a") is None
    with pytest.raises(Refused, match="unreadable"):
        read_or_none(Broken({}), "a")


def test_an_entry_is_a_part_that_ends_with_it() -> None:
    """What it names and its signature come first, so that a crash leaves no half entry."""
    parts = []

    class Noting(Memory):
        def add(self, given: source.Parts) -> None:
            parts.extend(map(list, given))
            super().add(given)

    files = Noting()
    named = {"slips/a.toml": b"1", "reports/b.sealed": b"2"}
    append(files, "entries/0001.toml", Signed(b"entry", b"signature"), named)
    assert parts == [[*named, "entries/0001.toml.sig", "entries/0001.toml"]]
    assert files.held == {
        **named, "entries/0001.toml": b"entry", "entries/0001.toml.sig": b"signature",
    }  # fmt: skip


def test_pending_files_are_read_at_once_and_written_together() -> None:
    """In the parts and in the order in which they came; then nothing is pending any more."""
    base = Memory({"a": b"1"})
    files = StagedFiles(base)
    files.add([{"b": b"2", "c": b"3"}])
    files.write("a", b"4")
    with files.locked():
        assert files.paths() == ("a", "b", "c")
    assert [files.read(path) for path in "abc"] == [b"4", b"2", b"3"]
    assert base.held == {"a": b"1"}
    files.flush()
    assert base.held == {"a": b"4", "b": b"2", "c": b"3"}
    base.write("b", b"5")
    files.flush()
    assert files.read("b") == base.read("b") == b"5"
