"""The tab's title and icon: whose turn it is, for who looks at another tab."""

from __future__ import annotations

from pathlib import Path

from page.browsers import Browser
from page.test_playing import Player

ICON = "document.querySelector('link[rel=icon]').href"
DOT = "decodeURIComponent(" + ICON + ").includes('cx=\"49\"')"


def test_the_tab_tells_whose_turn_it_is(browser: Browser, page_file: Path) -> None:
    """With a dot where one is waited for; without it on the first screen, where nobody waits."""
    alice = Player(browser.at(page_file))
    tab = alice.tab
    tab.eval("Page.go('home')")
    assert (tab.eval("document.title"), tab.eval(DOT)) == ("adjudicator", False)
    plain = tab.eval(ICON)
    alice.against("sugar-dog")
    alice.wait("document.title === '\\u25cf Your turn \\u2013 Sugar Dog'")
    assert tab.eval(DOT)
    tab.eval("Page.go('friend')")
    assert tab.eval("document.title") == "Play a friend"
    tab.eval("Page.go('home')")
    assert (tab.eval("document.title"), tab.eval(ICON)) == ("adjudicator", plain)
    assert tab.said() == []
