"""Everybody can use it: by keyboard alone, by screen reader, on a small screen, in the dark."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Table
from page.browsers import Browser, Tab
from page.posted import PASSPHRASE, Posted
from page.test_duel import READY, Friend
from page.test_playing import GAMES, Player, fresh
from page.test_taps import ON
from page.window import STILL, faults

from adjudicator.page.play import Play
from adjudicator.store.clock import now

RECORD = Path(__file__).parents[1] / "suite" / "records" / "silent-ships-print.zip"


LOOKS = {
    "chromium": [("light", 360), ("dark", 1400)],
    # It shows the dark alone, see `browsers`.
    "firefox": [("dark", 360)],
}


def looked_at(tab: Tab, screen: str) -> None:
    """In every scheme and width axe finds nothing on a screen, and nothing scrolls sideways."""
    # What the engine is still asked changes the screen, or shows another.
    tab.wait("!Page.state.busy")
    for scheme, width in LOOKS[tab.browser.name]:
        tab.look(width=width, color_scheme=scheme)
        # Movement ends first: what fades in has less contrast.
        tab.eval(STILL)
        said = f"{screen}, {scheme}, {width} wide"
        assert tab.eval("document.documentElement.scrollWidth <= innerWidth"), said
        sheets = "[...document.querySelectorAll('dialog')]"
        assert tab.eval(f"{sheets}.every((one) => one.scrollWidth <= one.clientWidth)"), said
        assert faults(tab) == [], said


def test_axe_finds_nothing_where_one_watches(browser: Browser, page_file: Path) -> None:
    """The beginning, a game with its verdict, one side's eyes with all opened, all sides."""
    tab = browser.at(page_file)
    looked_at(tab, "the beginning")
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    looked_at(tab, "a verdict")
    tab.eval("(document.querySelectorAll('[data-side]')[1].click(), 1)")
    tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    tab.wait("document.querySelector('.knew')")
    looked_at(tab, "one side")
    tab.eval("([...document.querySelectorAll('[data-side]')].at(-1).click(), 1)")
    tab.wait("document.querySelectorAll('.chart').length > 2")
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
    looked_at(tab, "open what came")
    (invitation,) = fresh(posted, "alice", seen)
    alice.drop(("invitation.eml", invitation))
    alice.wait("document.querySelector('#name')")
    looked_at(tab, "an invitation")
    kept, (_, mail) = alice.join(invitation, "alice")
    alice.stage("joined")
    looked_at(tab, "joined")
    posted.host.serve(mail, base64.b64decode(join))
    alice.take(fresh(posted, "alice", seen))
    alice.tap(".cell.may")
    alice.wait("document.querySelector('.line')")
    looked_at(tab, "orders to be written")
    alice.typed("resign")
    alice.wait("!document.querySelector('#orders-error').hidden && !Page.state.busy")
    # It is told beside the orders alone: nothing lies over what there is to press.
    assert tab.eval("document.querySelector('#told').hidden")
    looked_at(tab, "orders refused")
    tab.look(width=360, height=740)
    dock = "document.querySelector('.next')"
    assert tab.eval(f"{dock}.scrollHeight <= {dock}.clientHeight")
    alice.tap("[data-act=undo]")
    alice.wait("document.querySelector('#orders-error').hidden")
    alice.hinted()
    alice.wait("document.querySelector('.line-of')")
    looked_at(tab, "orders sealed")
    ((_, _), (_, mail)) = alice.sends()
    looked_at(tab, "orders sent")
    alice.tap("[data-act=more]")
    alice.tap("dialog [data-act=letters]")
    alice.wait("document.querySelector('#to')")
    looked_at(tab, "a message")
    tab.keys("Escape")
    for one in posted.mails("bob"):
        bob.take(now(), one)
    bobs = bob.order(now(), "start C1")["send"]["mail"]
    posted.host.serve(mail, base64.b64decode(bobs))
    alice.take(fresh(posted, "alice", seen))
    alice.hinted()
    posted.host.serve(alice.sends()[1][1])
    alice.take(fresh(posted, "alice", seen))
    alice.wait("document.querySelector('.line-of')")
    looked_at(tab, "waiting")
    for one in posted.mails("bob"):
        bob.take(now(), one)
    posted.order("bob", "resign")
    alice.take(fresh(posted, "alice", seen))
    alice.verified()
    looked_at(tab, "over")
    tab.eval("Page.mail.goHome()")
    alice.wait("document.querySelector('.games li')")
    looked_at(tab, "the list of games")
    again = Player(browser.at(page_file))
    again.drop(kept)
    again.wait("document.querySelector('#word')")
    looked_at(again.tab, "a passphrase is asked")
    again.fill(word="another passphrase")
    again.tab.keys("Enter")
    again.wait("!document.querySelector('#word-error').hidden")
    looked_at(again.tab, "another passphrase")


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_against_the_captain(
    browser: Browser, page_file: Path, game: str
) -> None:
    """At each game's board, and after an order."""
    alice = Player(browser.at(page_file))
    alice.against(game, "captain")
    alice.wait("document.querySelector('.verb')")
    looked_at(alice.tab, game)
    with alice.shown_anew():
        alice.hinted()
    looked_at(alice.tab, f"{game}, after an order")


def test_axe_finds_nothing_in_what_lies_over_a_screen(
    started: Callable[[str], Browser], page_file: Path
) -> None:
    """The sheets of the beginning and of a turn, an answer to an attack, what is told."""
    alice = Player(started("chromium").at(page_file))
    tab = alice.tab
    tab.eval("Page.go('home')")
    for act in ("play", "about"):
        alice.tap(f"[data-act={act}]")
        alice.wait("document.querySelector('dialog .rules-page h3, dialog form, dialog code')")
        tab.eval(
            "document.querySelectorAll('dialog details').forEach((one) => { one.open = true; })"
        )
        looked_at(tab, act)
        tab.eval("Page.shut()")
    alice.tap("[data-act=learn]")
    for stage in (":disabled", ":enabled"):
        alice.wait(f"document.querySelector('[data-act=send]{stage}')")
        looked_at(tab, "a lesson")
        alice.tap("[data-act=hint]")
    alice.tap("[data-act=send]")
    alice.wait("document.querySelector('[data-act=next]')")
    looked_at(tab, "a lesson, answered")
    alice.against("silent-ships", "random", seed=19)
    tab.eval(ON, turns=2)
    alice.wait("document.querySelector('.next[aria-busy=false] .line')")
    looked_at(tab, "attacked")
    for act in ("rules", "standing", "more", "story"):
        if act in ("standing", "story") and not alice.has("dialog"):
            alice.tap("[data-act=more]")
        alice.tap(f"[data-act={act}]")
        alice.wait(
            "document.querySelector('dialog :is(.rules-page, fieldset, .list) > *, dialog h3')"
        )
        assert "[object" not in tab.text("dialog")
        looked_at(tab, act)
        if act != "more":
            tab.eval("Page.shut()")
    tab.eval("Page.tell({line: 'disk is too large.', hint: 'Drop the folder of one game.'})")
    looked_at(tab, "told")


def test_axe_finds_nothing_in_a_duel(started: Callable[[str], Browser], page_file: Path) -> None:
    """The form of the offer, what leaves, a turn, who plays, the end; an offer that came."""
    ann, ben = Friend(started("chromium").at(page_file), "ann"), Play()
    tab = ann.tab
    tab.eval("Page.go('friend')")
    looked_at(tab, "an offer is made")
    seat = {"now": now(), "name": "ben", "passphrase": PASSPHRASE}
    ben.answer("take", now=now(), data=ann.offers())
    looked_at(tab, "an offer is sent")
    ann.takes(ben.answer("accept", **seat)["send"]["text"].encode())
    looked_at(tab, "an answer is ready")
    ann.tap("[data-act=more]")
    ann.tap("dialog [data-act=keys]")
    looked_at(tab, "who plays")
    tab.keys("Escape")
    ann.thinks()
    ann.tap("[data-act=more]")
    ann.tap("dialog [data-act=give-up]")
    tab.wait("document.querySelector('dialog.ask')")
    looked_at(tab, "giving up")
    tab.keys("Escape")
    ann.tap("[data-act=more]")
    ann.tap("dialog [data-act=request]")
    looked_at(tab, "a question to be sent")
    ann.sends()
    tab.wait("document.querySelector('[data-act=go-on]')")
    looked_at(tab, "a question")
    ann.tap("[data-act=go-on]")
    tab.wait("!document.querySelector('[data-act=go-on]')")
    while not ann.over():
        if ann.mine():
            ann.typed("resign")
            ann.wait(READY)
            looked_at(tab, "the end of a duel, not sent")
        told = ben.answer("take", now=now(), data=ann.sends())
        while told["mine"]:
            told = ben.answer("order", now=now(), text=ben.answer("hint")["orders"])
        ann.takes(told["send"]["text"].encode())
    ann.verified()
    looked_at(tab, "the end of a duel")
    ben.answer("close")
    offer = ben.answer("offer", game="sugar-dog", **seat)
    offer = offer if offer["send"] else ben.answer("order", now=now(), text="start C1")
    ann = Friend(started("chromium").at(page_file), "ann")
    ann.drop(("offer.txt", offer["send"]["text"].encode()))
    ann.wait("document.querySelector('[data-act=accept]')")
    looked_at(tab, "an offer came")


def test_by_keyboard_alone(browser: Browser, page_file: Path) -> None:
    """From opening a game to any cell of its board, which says what it is."""
    tab = browser.at(page_file)
    tab.eval("Page.go('receive')")
    tab.keys("Tab")
    focused = "document.activeElement"
    while not tab.eval(f"{focused}.matches('input[type=file]')"):
        assert tab.eval(f"{focused} !== document.body")
        tab.keys("Tab")
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    # The board comes with what was known, after the verdict.
    tab.wait("document.querySelector('[data-cell]') && !Page.state.busy")
    tab.keys("Home")
    for _ in range(12):
        tab.keys("Tab")
        if tab.eval(f"{focused}.matches('[data-cell]')"):
            break
    cell = "document.activeElement"
    seen = {tab.eval(f"{cell}.dataset.cell")}
    assert tab.eval(f"{cell}.getAttribute('aria-label').length") > 1
    for key in ["ArrowRight"] * 4 + ["ArrowUp"] * 3 + ["ArrowLeft"] * 4 + ["ArrowDown"] * 3:
        tab.keys(key)
        seen.add(tab.eval(f"{cell}.dataset.cell"))
    assert len(seen) >= 7


FRAMES = """
[...document.querySelectorAll("main *, dialog *")].filter((one) => {
  const {outlineStyle, stroke} = getComputedStyle(one);
  const cell = one.matches(".cell:focus-visible") && stroke !== "none";
  return one.checkVisibility() && (outlineStyle !== "none" || cell);
}).map((one) => one.dataset.act ?? one.dataset.cell ?? one.dataset.verb ?? one.outerHTML.slice(0, 80))
"""  # noqa: E501
"""What has a frame around it because it has the focus."""


def test_frames_show_for_keys_alone(browser: Browser, page_file: Path) -> None:
    """Whatever was tapped, nothing is framed; at the first Tab one thing is."""
    alice = Player(browser.at(page_file))
    tab = alice.tab
    alice.fix()
    tab.eval("Page.go('home')")
    for selector in (
        "[data-act=play][data-game=sugar-dog]", "[data-act=begin]", ".cell.may",
        "[data-act=send]:not(:disabled)", "[data-verb]", "[data-act=more]",
        "dialog .head button", "[data-act=rules]", "dialog .head button",
        "[data-act=more]", "dialog [data-act=resign]", "dialog.ask .row button",
        "[data-act=share]:not(:disabled)", "dialog .head button",
    ):  # fmt: skip
        alice.tap(selector)
        tab.wait("!Page.state.busy")
        assert tab.eval(FRAMES) == [], f"after a tap on {selector}"
    alice.verified()
    tab.keys("Tab")
    assert len(tab.eval(FRAMES)) == 1
