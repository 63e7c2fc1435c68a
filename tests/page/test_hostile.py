"""Records by people who wish the page ill: a verdict each, texts stay texts, and nothing hangs."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

from page.browsers import Browser
from page.test_watch import judged
from table import EXAMPLE

from adjudicator.store import pack
from orders.entries import Ruling

MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def bomb(of: int) -> bytes:
    """A pack of one file that says it has one size and inflates to a thousand times that."""
    data = pack.write({"invite.toml": bytes(of)})
    small = struct.pack("<I", 1000)
    return data.replace(struct.pack("<I", of), small)


def crowd(files: int) -> bytes:
    """A pack of so many files of a record that are none."""
    held = {f"entries/{number:04d}.toml": b"" for number in range(files)}
    return pack.write(held)


def test_each_has_its_verdict(
    browser: Browser, page_file: Path, tmp_path: Path, make_table: Any
) -> None:
    """In a few seconds each, by the command's own words."""
    table = make_table(tmp_path / "table").begin().play(*EXAMPLE[:-1])
    table.rule(Ruling(MARKUP[:200], abandons=True))
    told = {path: table.record.read(path) for path in table.record.paths()}
    records = {
        "bomb.zip": bomb(2**20),
        "crowd.zip": crowd(10_000),
        "markup.zip": pack.write(told),
        "strange.zip": pack.write({**told, f"{MARKUP[:28]}": b"x"}),
        "torn.zip": pack.write(told)[:-30],
        "short.zip": b"PK\3\4",
        "bytes.zip": b"PK\3\4" + zlib.compress(bytes(1000)) * 99,
        f"{MARKUP[:20].replace('/', '')}.zip": b"PK\3\4",
    }
    tab = browser.at(page_file)
    for name, data in records.items():
        path = tmp_path / name
        path.write_bytes(data)
        assert judged(tab, path)
        assert (
            tab.eval("document.querySelectorAll('main img, main script, main iframe').length") == 0
        )
        if name == "markup.zip":
            tab.wait("document.querySelector('[data-step]')")
            assert "<img src=x" in tab.eval("document.querySelector('main').textContent")
    assert tab.said() == []


def test_a_check_can_be_stopped(browser: Browser, page_file: Path) -> None:
    """Whatever it does at that time; then the page goes on with another record."""
    tab = browser.at(page_file)
    tab.eval(
        "Page.open('crowd.zip', Uint8Array.from(given.pack)).then(() => "
        "document.querySelector('[data-act=stop]').click())",
        pack=list(crowd(1000)),
    )
    tab.wait("document.querySelector('[data-verdict]')?.dataset.verdict === 'stopped'")
    assert judged(tab, Path(__file__).parents[1] / "suite" / "records" / "sugar-dog-2.zip")
