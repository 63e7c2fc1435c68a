"""Everybody can use it: by keyboard alone, by screen reader, on a small screen, in the dark."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from commands import Table
from page.browsers import HERE, Browser, Tab
from page.posted import PASSPHRASE, Posted
from page.test_playing import Player, fresh

from adjudicator.page import npm
from adjudicator.store.clock import now

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


LOOKS = {
    "chromium": [("light", 360), ("dark", 1400)],
    # It shows the dark alone, see `browsers`.
    "firefox": [("dark", 360)],
}

STILL = """
Promise.all(
  [document, ...[...document.querySelectorAll(".board")].map((one) => one.shadowRoot)]
    .flatMap((one) => one.getAnimations())
    .map((one) => one.finished.catch(() => {}))
)
"""
"""A promise that is kept once nothing moves, on the page and on its boards."""


def looked_at(tab: Tab, screen: str) -> None:
    """In every scheme and width axe finds nothing on a screen, and nothing scrolls sideways."""
    for scheme, width in LOOKS[tab.browser.name]:
        tab.look(width=width, color_scheme=scheme)
        # Movement ends first: what fades in has less contrast.
        tab.eval(STILL)
        said = f"{screen}, {scheme}, {width} wide"
        assert tab.eval("document.documentElement.scrollWidth <= innerWidth"), said
        assert faults(tab) == [], said


def test_axe_finds_nothing_where_one_watches(browser: Browser, page_file: Path) -> None:
    """The beginning, a game with its verdict, one side's eyes with all opened, all sides."""
    tab = browser.at(page_file)
    looked_at(tab, "the beginning")
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    looked_at(tab, "a verdict")
    tab.eval("(document.querySelectorAll('.sides input')[2].click(), 1)")
    tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    tab.wait("document.querySelector('section.panel[aria-label^=What]')?.hidden === false")
    looked_at(tab, "one side")
    tab.eval("([...document.querySelectorAll('.sides input')].at(-1).click(), 1)")
    tab.wait("document.querySelectorAll('.board').length > 2")
    looked_at(tab, "all sides")


def test_axe_finds_nothing_where_one_plays_by_mail(
    browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """From the invitation to the end: key made, orders written, refused, sealed, awaited, over."""
    posted = Posted(Table(tmp_path), "sugar-dog", "--option", "first=alice")
    bob, seen = posted.desks["bob"], set[bytes]()
    told = bob.take(now(), posted.mail("bob", "invite"))
    join = bob.join(now(), "bob", PASSPHRASE, "bob@example.org", told["token"])["send"]["mail"]
    alice = Player(browser.at(page_file))
    tab = alice.tab
    alice.wait("document.querySelector('.games button')")
    looked_at(tab, "what can be played")
    (invitation,) = fresh(posted, "alice", seen)
    alice.drop(("invitation.eml", invitation))
    alice.wait("document.querySelector('#name')")
    looked_at(tab, "an invitation")
    kept, (_, mail) = alice.join(invitation, "alice")
    alice.wait("document.querySelector('h1').innerText === 'You have joined'")
    looked_at(tab, "joined")
    posted.host.serve(mail, base64.b64decode(join))
    alice.take(fresh(posted, "alice", seen))
    alice.wait("document.querySelector('.choices button')")
    tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    alice.wait("document.querySelectorAll('details pre').length === 2")
    looked_at(tab, "orders to be written")
    alice.typed("resign")
    alice.wait("!document.querySelector('#told').hidden")
    looked_at(tab, "orders refused")
    tab.eval("(() => { document.querySelector('#orders').value = ''; })()")
    alice.hinted()
    ((_, _), (_, mail)) = alice.saved(2)
    alice.wait("document.querySelector('h1').innerText === 'Your orders are sealed'")
    looked_at(tab, "orders sealed")
    for one in posted.mails("bob"):
        bob.take(now(), one)
    bobs = bob.order(now(), "start C1")["send"]["mail"]
    posted.host.serve(mail, base64.b64decode(bobs))
    alice.take(fresh(posted, "alice", seen))
    alice.hinted()
    posted.host.serve(alice.saved(2)[1][1])
    alice.take(fresh(posted, "alice", seen))
    alice.wait("document.querySelector('h1').innerText === 'Others are awaited'")
    looked_at(tab, "waiting")
    for one in posted.mails("bob"):
        bob.take(now(), one)
    posted.order("bob", "resign")
    alice.take(fresh(posted, "alice", seen))
    alice.wait("document.querySelector('.verdict')?.innerText.includes('true')")
    looked_at(tab, "over")
    again = Player(browser.at(page_file))
    again.drop(kept)
    again.wait("document.querySelector('#word')")
    looked_at(again.tab, "a passphrase is asked")
    again.fill(word="another passphrase")
    again.tab.keys("Enter")
    again.wait("!document.querySelector('#told').hidden")
    looked_at(again.tab, "another passphrase")


@pytest.mark.parametrize("game", ["Silent Ships", "Submarine Warfare", "Sugar Dog"])
def test_axe_finds_nothing_against_the_captain(
    browser: Browser, page_file: Path, game: str
) -> None:
    """At each game's board, and after an order."""
    alice = Player(browser.at(page_file))
    alice.press(f"Play {game}")
    alice.wait("document.querySelector('.choices button')")
    looked_at(alice.tab, game)
    with alice.shown_anew():
        alice.hinted()
    looked_at(alice.tab, f"{game}, after an order")


def test_by_keyboard_alone(browser: Browser, page_file: Path) -> None:
    """From opening a game to any cell of its board, which says what it is."""
    tab = browser.at(page_file)
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
