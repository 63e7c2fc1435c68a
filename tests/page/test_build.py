"""Building the page: the same bytes again, a digest that leaves out what it carries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.page import build
from orders.errors import Refused


def test_built_again_it_is_the_same(page_file: Path) -> None:
    """Byte for byte, from another process."""
    assert build.build() == page_file.read_bytes()


def test_its_size(page_file: Path) -> None:
    """What a mail takes and a phone fetches."""
    assert page_file.stat().st_size <= 10_500_000


def test_the_digest_leaves_out_what_it_carries(page_file: Path) -> None:
    """Any other byte that differs makes another page."""
    page = page_file.read_bytes()
    carrying = build.carry(page, {"record": b"\0\1\2", "invite": b"text"})
    assert build.parts_of(carrying)[1] == {"record": b"\0\1\2", "invite": b"text"}
    assert build.digest(carrying) == build.digest(page)
    assert build.carry(carrying, {}) == page
    for at in (len(build.BEGINS) + 20, len(page) // 2, page.index(b"default-src")):
        changed = page[:at] + bytes([page[at] ^ 1]) + page[at + 1 :]
        assert build.digest(changed) != build.digest(page)


@pytest.mark.parametrize(
    "island",
    [b"<b>", b"record <\n", b"record AAAA", b"</script><script>alert(1)</script>\n", b"\n\n"],
)
def test_nothing_else_may_stand_in_the_island(page_file: Path, island: bytes) -> None:
    """What is no line of base64 makes it no page."""
    page = page_file.read_bytes()
    at = page.rindex(build.ISLAND) + len(build.ISLAND)
    with pytest.raises(Refused, match="no page"):
        build.digest(page[:at] + island + page[at:])


def test_the_policy_names_no_address(page_file: Path) -> None:
    """Only hashes, and where boards and the engine come from: the page itself."""
    page = page_file.read_bytes()
    found = re.search(rb'Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    words = re.sub(rb"'sha256-[A-Za-z0-9+/]{43}='", b"HASH", found[1]).split()
    assert set(words) == {
        b"default-src", b"'none';", b"script-src", b"'wasm-unsafe-eval'", b"HASH", b"HASH;",
        b"style-src", b"img-src", b"data:;", b"worker-src", b"blob:;", b"base-uri", b"form-action",
        b"'none'",
    }  # fmt: skip
