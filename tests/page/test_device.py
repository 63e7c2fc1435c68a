"""The seat on this device: opened without a passphrase, in the newest tab, after a reload; and what
opens none."""

from __future__ import annotations

from typing import Any

import pytest
from page.browsers import Browser, Tab
from page.posted import PASSPHRASE
from page.web import Host

from adjudicator.page.play import Play
from adjudicator.store.clock import now

pytestmark = pytest.mark.slow

GAMES = "Page.seats.seats()"
PLAYED = "Page.game.current().stage === 'play'"


class Seat:
    """Ann in a tab of her own, who plays a duel with Ben at his desk."""

    def __init__(self, browser: Browser, web: Host) -> None:
        self.tab = browser.fresh()
        self.tab.open(web.page)
        self.page = web.page
        self.ben = Play()

    def do(self, code: str, **given: Any) -> Any:
        """The value of a call of the page's own."""
        return self.tab.eval(f"(async () => {{ {code} }})()", **given)

    def begins(self) -> None:
        """Ann offers with a name alone; Ben accepts, and his answer is her first link."""
        self.do("await Page.seats.ready; Page.go('friend');")
        assert self.tab.eval("document.querySelector('#word')") is None
        self.tab.run("await page.click('input[name=game][value=silent-ships]');")
        self.tab.run("await page.type('#name', 'ann');")
        self.tab.run("await page.click('[data-act=offer]');")
        self.tab.wait("Page.game.current().send")
        self.given()

    def given(self) -> None:
        """What the page sends comes to Ben, who answers as long as nothing is asked of him."""
        text = self.do("return Page.game.current().send.text;")
        told = self.ben.answer("take", now=now(), data=text.encode())
        if told["stage"] == "offer":
            told = self.ben.answer("accept", now=now(), name="ben", passphrase=PASSPHRASE)
        while told.get("mine"):
            hint = self.ben.answer("hint")["orders"]
            told = self.ben.answer("order", now=now(), text=hint)
        self.link = self.page + told["send"]["link"]


NEW_TAB = """
const other = await held[given.key].context.newPage();
other.setDefaultTimeout(60_000);
other.on("pageerror", (error) => said.push(`error: ${error.message || error}`));
await other.goto(given.link);
held[`${given.key} other`] = {context: held[given.key].context, page: other, said, asked};
"""


def opened(seat: Seat) -> Tab:
    """The link in a new tab of the same browser, as a chat opens it."""
    seat.tab.run(NEW_TAB, link=seat.link)
    other = object.__new__(Tab)
    other.browser, other.key = seat.tab.browser, f"{seat.tab.key} other"
    return other


def test_one_tap_a_link(browser: Browser, web: Host) -> None:
    seat = Seat(browser, web)
    seat.begins()
    other = opened(seat)
    other.wait(PLAYED)
    assert other.eval("location.hash") == ""
    seat.tab.wait("document.querySelector('[data-act=bring-back]')")
    other.run("await page.reload();")
    other.wait(PLAYED)
    seat.tab.front()
    seat.tab.run("await page.click('[data-act=bring-back]');")
    seat.tab.wait(PLAYED)
    other.wait("document.querySelector('[data-act=bring-back]')")
