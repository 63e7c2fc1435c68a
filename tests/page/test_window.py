"""A turn is one window at every size, and a few taps on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import Table
from page.browsers import FIRST_WORDS, Browser, Tab
from page.posted import Posted
from page.stages import alone, duel, mailed
from page.test_duel import Friend
from page.test_playing import GAMES, SEND, Player
from page.web import Host
from page.window import STILL, Window
from pictures import contrast

from adjudicator.page import build


def test_words_show_long_before_the_engine_runs(
    started: Callable[[str], Browser], page_file: Path
) -> None:
    """Text, games and a board are painted while the engine's parts are still read; the aim is 0.4 s
    on an idle machine (`tests/bench/browser.py`)."""
    tab = started("chromium").tab(page_file)
    ready = tab.eval("performance.now()")
    assert tab.eval(FIRST_WORDS) < ready / 2
    assert tab.eval("document.querySelectorAll('.tile .chart [role=group]').length") == len(GAMES)


def walked(tab: Tab, stages: Iterator[str], *expected: str) -> None:
    """Each stage is one window at every size, with cells that never change theirs, and nothing in
    the way of anybody; these are among them."""
    window = Window(tab)
    for stage in stages:
        window.look(stage)
    found = window.judged()
    tab.look()
    assert found == [], "\n".join(found)
    assert set(expected) <= set(window.stages), window.stages


@pytest.mark.parametrize(
    ("game", "seed"), [("sugar-dog", 3), ("silent-ships", 7), ("submarine-warfare", 3)]
)
def test_every_stage_against_the_computer(
    browser: Browser, page_file: Path, game: str, seed: int
) -> None:
    alice = Player(browser.at(page_file))
    walked(alice.tab, alone(alice, game, seed), "decide", "decide, planned", "over")


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships"])
def test_every_stage_of_a_duel(browser: Browser, web: Host, game: str) -> None:
    ann = Friend(browser.at(web.page), "ann")
    walked(
        ann.tab, duel(ann, game), "an offer is made", "an offer to be sent", "an offer was sent",
        "nothing to decide", "decide", "decide, planned", "sealed, not sent", "Link copied.",
        "opening", "Sent.", "a seat to be kept", "over, not open", "over, sent", "over",
        "an offer came",
    )  # fmt: skip


def test_the_fog_lifts_once(started: Callable[[str], Browser], page_file: Path) -> None:
    """At the end, after its last turn; a turn that is replayed there brings no fog back."""
    alice = Player(started("chromium").at(page_file))
    tab = alice.tab
    tab.look(reduced_motion="no-preference")
    alice.against("sugar-dog", "random")
    with alice.shown_anew():
        alice.hinted()
    alice.resigns()
    alice.verified()
    alice.wait("!document.querySelector('.playing')")
    tab.eval(STILL)
    fog = "document.getAnimations().filter(({animationName}) => animationName === 'fog')"
    assert tab.eval(f"(window.lifted = {fog}).map((one) => one.playState)") == ["finished"]
    step = int(tab.text(".loud-turn small").split()[-1])
    tab.eval("(() => { Page.game.replayed(given.step); })()", step=step)
    alice.wait("document.querySelector('.playing')")
    tab.keys("Shift")
    alice.wait("!document.querySelector('.playing')")
    assert tab.eval(f"{fog}.every((one) => one === lifted[0] && one.playState === 'finished')")


@pytest.mark.parametrize("game", ["sugar-dog", "submarine-warfare"])
def test_every_stage_by_mail(browser: Browser, page_file: Path, tmp_path: Path, game: str) -> None:
    alice = Player(browser.at(page_file))
    walked(
        alice.tab, mailed(alice, Posted(Table(tmp_path), game)), "invited", "joined, not sent",
        "joined", "decide", "decide, planned", "sealed, not sent", "sent", "waiting", "over",
    )  # fmt: skip


def test_a_turn_is_two_taps_on_a_phone(browser: Browser, page_file: Path) -> None:
    """Sugar Dog from a new page by taps alone: three to begin, two a turn, three to resign."""
    alice = Player(browser.at(page_file))
    alice.fix()
    tab = alice.tab
    tab.look(width=360, height=780)
    tab.eval("Page.go('home')")
    tab.eval("(() => { window.taps = 0; })()")
    alice.tap("[data-act=against]")
    alice.tap("[data-act=begin]")
    turns = 0
    while turns < 6:
        alice.wait("document.querySelector('.cell.may, .won')")
        if tab.eval("document.querySelector('.won') !== null"):
            break
        with alice.shown_anew():
            alice.tap(".cell.may")
            alice.sent()
        turns += 1
    assert tab.eval("taps") == 2 + 2 * turns
    if tab.eval("document.querySelector('.won') === null"):
        alice.resigns()
        assert tab.eval("taps") == 5 + 2 * turns
    alice.verified()
    options = tab.eval("Page.game.current().rematch")
    assert options in (["first=alice"], ["first=bob"])
    alice.tap("[data-act=rematch]")
    alice.wait(f"document.querySelector('{SEND}')")
    assert tab.eval("Page.held.solo.at(-1).options") == options
    tab.look()


# The page's colours by day and night: text has a contrast of 4.5 on its ground, marks have 3.


STYLE = (build.HERE / "page.css").read_text("utf-8")
DAY, NIGHT = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
)
SEA = ("t0", "t1", "t2", "t3", "bank1", "bank2", "bank4")

TEXT = [
    *((text, ground) for text in ("ink", "dim") for ground in ("paper", "paper2", "deep")),
    ("accent", "paper"), ("accent", "wash"), ("on-fill", "fill"), ("ink", "wash"),
    ("good", "good-wash"), ("ink", "good-wash"), ("bad", "bad-wash"), ("bad", "paper"),
    ("foe", "paper"), ("good", "paper"), ("paper", "ink"),
]  # fmt: skip
MARKS = [
    *((mark, ground) for mark in ("own", "foe", "accent", "brass") for ground in SEA),
    *((mark, "land") for mark in ("own", "foe", "accent")),
    ("on-own", "own"), ("on-foe", "foe"), ("own", "face"), ("foe", "face"), ("accent", "face"),
    ("edge", "paper"), ("brass", "paper2"), ("neat", "rim"),
    *(("coast", ground) for ground in SEA[:4]),
]  # fmt: skip


@pytest.mark.parametrize("scheme", ["day", "night"])
def test_contrast(scheme: str) -> None:
    """Of every text on its grounds, and of every mark on all that it can stand on."""
    colours = DAY if scheme == "day" else {**DAY, **NIGHT}
    for pairs, least in ((TEXT, 4.5), (MARKS, 3)):
        for one, ground in pairs:
            found = contrast(colours[one], colours[ground])
            assert found >= least, f"{one} on {ground} by {scheme}: {found:.2f}"
