"""Everybody can use it: by keyboard alone, by screen reader, on a small screen, in the dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from page.browsers import HERE, Browser, Tab

from adjudicator.page import npm

RECORD = Path(__file__).parents[1] / "vectors" / "records" / "silent-ships-print.zip"


def faults(tab: Tab) -> list[Any]:
    """What axe-core finds on the screen as it is."""
    source = (npm.fetched(HERE) / "axe-core" / "axe.min.js").read_text("utf-8")
    tab.run("if (!await page.evaluate(() => window.axe)) await page.evaluate(given.source);",
            source=source)  # fmt: skip
    found: list[Any] = tab.eval(
        "axe.run().then(({violations}) => violations.map("
        "({id, nodes}) => [id, nodes.map((one) => one.target.join(' ') + one.failureSummary)]))"
    )
    return found


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1400)])
def test_axe_finds_nothing(browser: Browser, page_file: Path, scheme: str, width: int) -> None:
    """On any screen; and none scrolls sideways."""
    tab = browser.tab(page_file, width=width, color_scheme=scheme)
    fits = "document.documentElement.scrollWidth <= innerWidth"
    assert tab.eval(fits)
    assert faults(tab) == []
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    assert tab.eval(fits)
    assert faults(tab) == []
    tab.eval("(document.querySelectorAll('.sides input')[2].click(), 1)")
    tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    tab.wait("document.querySelector('section.panel[aria-label^=What]')?.hidden === false")
    assert tab.eval(fits)
    assert faults(tab) == []
    tab.eval("Page.open('x.bin', new Uint8Array(3)).then(() => 1)")
    assert faults(tab) == []


def test_by_keyboard_alone(browser: Browser, page_file: Path) -> None:
    """From opening a game to any cell of its board, which says what it is."""
    tab = browser.tab(page_file)
    tab.keys("Tab")
    focused = "document.activeElement"
    while not tab.eval(f"{focused}.matches('input[type=file]')"):
        assert tab.eval(f"{focused} !== document.body")
        tab.keys("Tab")
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    tab.keys("Home")
    for _ in range(12):
        tab.keys("Tab")
        if tab.eval(f"{focused}.matches('.board')"):
            break
    cell = "document.querySelector('.board').shadowRoot.activeElement"
    seen = {tab.eval(f"{cell}.dataset.cell")}
    assert tab.eval(f"{cell}.getAttribute('aria-label').length") > 1
    for key in ["ArrowRight"] * 4 + ["ArrowUp"] * 3 + ["ArrowLeft"] * 2:
        tab.keys(key)
        seen.add(tab.eval(f"{cell}.dataset.cell"))
    assert len(seen) >= 7
    tab.eval("(document.querySelector('.board').addEventListener('cell', "
             "({detail}) => { window.chosen = detail; }), 1)")  # fmt: skip
    tab.keys("Enter")
    assert tab.eval("window.chosen") == tab.eval(f"{cell}.dataset.cell")
