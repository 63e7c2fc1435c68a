"""Lessons in the page: positions to be played in the frame of a game, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from page.browsers import Browser, Tab
from page.posted import PASSPHRASE
from page.test_playing import Player

import games
from adjudicator.page.play import Play
from adjudicator.store.clock import now

LESSONS = games.own_lessons(games.load("sugar-dog"))
FOCUSED = "document.activeElement"


def tabs_to(tab: Tab, selector: str, most: int = 40) -> None:
    """Press Tab until something has the focus."""
    for _ in range(most):
        if tab.eval(f"{FOCUSED}.matches(given.selector)", selector=selector):
            return
        tab.keys("Tab")
    pytest.fail(f"Tab does not come to {selector}")


def asks(tab: Tab, number: int) -> None:
    """Wait until that lesson asks for orders."""
    said = LESSONS[number - 1].says
    tab.wait(f"document.querySelector('.strip.asked span')?.textContent === {said!r}")
    tab.wait("document.querySelector('[data-verb]')")
    assert tab.text(".strip.asked small").startswith(f"{number}/3")


def orders(tab: Tab) -> None:
    """Send what is planned, by the keys for it."""
    tab.wait("document.querySelector('[data-act=send]:enabled')")
    tab.run(
        """
        await page.keyboard.down("Control");
        await page.keyboard.press("Enter");
        await page.keyboard.up("Control");
        """
    )


def answered(tab: Tab, words: str, act: str) -> None:
    """Wait for the answer, whose button has the focus."""
    tab.wait(f"document.querySelector('[data-act={act}].go') === {FOCUSED}")
    assert tab.text(".line-of").strip() == words


@pytest.fixture
def tab(started: Callable[[str], Browser], page_file: Path) -> Tab:
    """The page on a phone."""
    found = started("chromium").at(page_file)
    found.look(width=390, height=844, reduced_motion="reduce")
    return found


def test_three_positions_by_keyboard_alone(tab: Tab) -> None:
    """From the first screen to a whole game. What is not right costs nothing, and is played
    again; nothing of it is kept."""
    first, second, third = LESSONS
    tabs_to(tab, "[data-act=learn][aria-label$='Sugar Dog']")
    tab.keys("Enter")
    asks(tab, 1)
    tab.keys("s")  # Stay.
    orders(tab)
    answered(tab, f"Not yet. {first.wrong}", "try")
    tab.keys("Enter")
    asks(tab, 1)
    tabs_to(tab, "[data-cell]")
    tab.keys("ArrowUp", "Enter")
    orders(tab)
    answered(tab, f"Right. {first.right}", "next")
    assert tab.text("[data-act=next]").split("\n") == ["Next position", "2 of 3"]
    assert not tab.eval("!!document.querySelector('.cell.may')")
    tab.keys("Enter")
    asks(tab, 2)
    tab.keys("f")
    tab.wait("document.querySelector('[data-verb][aria-pressed=true] b')?.textContent === 'Fire'")
    tab.wait("document.querySelector('.cell.may')")
    tabs_to(tab, "[data-cell]")
    tab.keys("ArrowRight", "Enter")
    orders(tab)
    # The game is over by it, and still no more than an answer.
    answered(tab, f"Right. {second.right}", "next")
    assert tab.text(".clock") == "Lesson"
    tab.keys("Enter")
    asks(tab, 3)
    tab.keys("p")
    orders(tab)
    answered(tab, f"Right. {third.right}", "whole")
    assert tab.eval("Page.held.solo ?? []") == []
    tab.keys("Enter")
    tab.wait("document.querySelector('main[data-screen=game] [data-verb]')")
    tab.wait("!Page.game.current().lesson")
    assert len(tab.eval("Page.held.solo")) == 1
    assert tab.said() == []


def test_a_lesson_by_a_link_and_after_a_reload(
    started: Callable[[str], Browser], page_file: Path
) -> None:
    """A link opens the first; a window that is loaded anew opens the one that it showed, and a game
    that waits here is not touched."""
    tab = started("chromium").fresh()
    tab.open(f"{page_file.as_uri()}#learn=sugar-dog", width=390, reduced_motion="reduce")
    asks(tab, 1)
    assert tab.eval("location.hash") == ""
    tab.eval("Page.alone.teach('sugar-dog', 2)")
    asks(tab, 2)
    tab.run("await page.reload();")
    tab.runs()
    asks(tab, 2)
    tab.eval("document.querySelector('[data-act=hint]').click()")
    orders(tab)
    tab.wait("document.querySelector('[data-act=next]')")
    assert tab.eval("Page.held.solo ?? []") == []


def test_beside_an_offer_it_opens_in_a_tab_of_its_own(
    started: Callable[[str], Browser], page_file: Path
) -> None:
    """So that the offer stays, and what was filled in."""
    tab = started("chromium").tab(page_file)
    ben, ann = Play(), Player(tab)
    seat = {"now": now(), "name": "ben", "passphrase": PASSPHRASE}
    made = ben.answer("offer", game="sugar-dog", **seat)
    made = made if made["send"] else ben.answer("order", now=now(), text="start C1")
    ann.drop(("offer.txt", made["send"]["text"].encode()))
    ann.wait("document.querySelector('[data-act=accept]')")
    tab.eval("window.open = (to) => { window.opened = to; }")
    ann.tap("main [data-act=learn]")
    ann.wait("window.opened")
    assert tab.eval("window.opened") == "#learn=sugar-dog"
    assert tab.eval("!!document.querySelector('[data-act=accept]')")
