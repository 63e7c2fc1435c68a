"""The chart by itself, without an engine: what it keeps, how a turn is played on it, what is heard,
and the picture of its end.

Nothing here hangs on time that passes: all animations stand still until they are set to a time, or
finished.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page.browsers import Browser, Tab
from page.web import Host

from adjudicator.page import build, shown
from games import shapes
from games.chart import Chart, Piece
from games.grid import Board, Cell, read_cell

SCRIPT = """
import { Chart } from "./chart.js";
import { play, touch } from "./motion.js";
import { claims, shared } from "./picture.js";
import { VOICES, sound, speak } from "./sound.js";
import { h, render } from "preact";
const ref = (one) => (window.chart = one);
const oncell = (name) => chosen.push(name);
const place = document.getElementById("sea");
const shown = (given) => render(h(Chart, { ...given, ref, oncell }), place);
// Until what was begun by an animation's end is drawn.
const settled = async () => {
  for (let k = 0; k < 4; k += 1) await new Promise((done) => setTimeout(done));
};
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const made = animate.apply(this, given);
  made.pause();
  return made;
};
const clock = () => document.getAnimations().find(({ effect }) => effect.target.matches(".above"));
const chosen = [];
Object.assign(window, { chosen, claims, clock, play, settled, shared, shown, sound, speak, touch });
Object.assign(window, { VOICES });
"""

BEGIN = """
(async () => {
  window.told = [];
  window.over = 0;
  chosen.splice(0);
  shown({board: given.entries.at(-1).told.at(-1).chart, may: new Set(given.may)});
  const each = ({text}) => told.push(text), done = () => (over += 1);
  window.stop = play(chart, given.entries, {each, done});
  await settled();
})()
"""


FINISH = """
(async () => {
  for (const one of document.getAnimations()) one.finish();
  await settled();
})()
"""


def cell(name: str) -> Cell:
    found = read_cell(name)
    assert found is not None
    return found


def piece(name: str, at: str, token: str = "", side: str = "own") -> Piece:
    shape = shapes.submarine(foe=side == "foe") if token else shapes.torpedo("E")
    return Piece(cell(at), name[:1], side, shape, name, name, token)


def board(*pieces: Piece) -> dict[str, Any]:
    return shown.plain(Chart("The sea", Board(6, 6), pieces))


def said(play: str, *cells: str, **more: Any) -> dict[str, Any]:
    usual = {"shape": "", "side": "own", "piece": "", "struck": [], "sign": "", "rank": 0}
    return {**usual, "text": play, "play": play, "cells": list(cells), **more}


OWN = piece("submarine", "B1", "hidden")
BOB = piece("bob", "D3", "open", "foe")
SHAPE = shapes.submarine(foe=True)

# For each way of playing: the board before, the sentence, the board after, and for how long it is
# played on the one and on the other.
PLAYS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], int, int]] = {
    "run": (board(OWN), said("run", "C1", "C2", piece="submarine"),
            board(OWN._replace(cell=cell("C2"))), 560, 0),
    "contact": (board(OWN), said("contact", "E4", "E3", piece="heard", side="foe"),
                board(OWN, piece("heard", "E3", "contact", "foe")), 720, 0),
    "ping": (board(OWN), said("ping", "B1", piece="submarine"), board(OWN), 1250, 0),
    "echo": (board(OWN), said("echo", "E5", "E3", side="foe"), board(OWN), 820, 0),
    "torpedo": (board(OWN), said("torpedo", "C1", "D1", piece="torpedo", shape=shapes.torpedo("E")),
                board(OWN, piece("torpedo", "D1")), 340, 0),
    "burst": (board(OWN, BOB), said("burst", "D3", side="foe"), board(OWN), 820, 0),
    "sink": (board(OWN), said("sink", "D3", piece="wreck-bob", shape=SHAPE, side="foe"),
             board(OWN, piece("wreck-bob", "D3", "wreck", "foe")), 1450, 0),
    "fight": (board(OWN._replace(cell=cell("C3")), BOB),
              said("fight", "C3", "D3", piece="submarine"),
              board(OWN._replace(cell=cell("C3")), BOB), 620, 0),
    "lay": (board(OWN), said("lay", "D3", piece="bob"), board(OWN, BOB), 0, 260),
    "turn": (board(OWN, BOB), said("turn", "D3", piece="bob"),
             board(OWN, BOB._replace(token="hidden")), 130, 190),
}  # fmt: skip


def turn(*plays: str) -> list[dict[str, Any]]:
    """A turn of these, as `play.boards` gives it; each on a board of its own."""
    return [
        {"step": at, "before": before, "told": [{**sentence, "chart": after}]}
        for at, (before, sentence, after, *_) in enumerate(PLAYS[name] for name in plays)
    ]


@pytest.fixture(scope="module")
def chart_file(once: Callable[[str, Callable[[Path], Any]], Path]) -> Path:
    """A page with the chart and nothing else, under the policy of the whole page."""

    def make(path: Path) -> None:
        modules = build.fetched()
        bundled = subprocess.run(
            [build.program("node"), str(modules / "esbuild" / "bin" / "esbuild"), "--bundle"],
            cwd=build.HERE, env={"NODE_PATH": str(modules)}, input=SCRIPT, text=True,
            capture_output=True, check=True, timeout=60,
        ).stdout  # fmt: skip
        style = (build.HERE / "page.css").read_text(encoding="utf-8") + "#sea { width: 404px }"
        sums = {text: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                for text in (style, bundled)}  # fmt: skip
        path.write_text(
            "<!doctype html><meta charset=utf-8><meta http-equiv=Content-Security-Policy content="
            f"\"default-src 'none'; img-src data:; script-src 'sha256-{sums[bundled]}'; "
            f"style-src 'sha256-{sums[style]}'\"><style>{style}</style>"
            f"<div id=page></div><div id=sea></div><script>{bundled}</script>",
            encoding="utf-8",
        )

    return once("chart.html", make)


def opened(browser: Browser, chart_file: Path) -> Tab:
    tab = browser.fresh()
    tab.look(width=500, height=500)
    tab.run("await page.goto(given.address);", address=chart_file.as_uri())
    return tab


@pytest.fixture
def sea(browser: Browser, chart_file: Path) -> Tab:
    """A tab with the chart, in each browser; Firefox is asked to move nothing."""
    return opened(browser, chart_file)


@pytest.fixture
def tab(started: Callable[[str], Browser], chart_file: Path) -> Tab:
    """The same where things move."""
    return opened(started("chromium"), chart_file)


@pytest.mark.parametrize("play", PLAYS)
def test_a_sentence_is_played_for_its_time(tab: Tab, play: str) -> None:
    """On the board before it, then on the board after it."""
    before, sentence, after, first, second = PLAYS[play]
    tab.eval(BEGIN, entries=turn(play), may=[])
    pieces = "chart.drawn.pieces"
    last = "clock().effect.getComputedTiming().endTime"
    if first:
        assert tab.eval(pieces) == before["pieces"]
        assert tab.eval(last) == first
        assert tab.eval("told") == [sentence["text"]]
        tab.eval("(clock().finish(), settled())")
    if second:
        assert tab.eval(pieces) == after["pieces"]
        assert tab.eval(last) == second
        tab.eval("(clock().finish(), settled())")
    assert (tab.eval("over"), tab.eval("chart.state.shown")) == (1, None)
    tab.eval(FINISH)
    assert tab.eval("document.querySelector('.above').childElementCount") == 0
    assert tab.said() == []


WHERE = """
(() => {
  for (const one of document.getAnimations()) {
    // At its end the clock would not be found again.
    one.currentTime = Math.min(given.time, one.effect.getComputedTiming().endTime - 0.01);
  }
  const box = (one) => one.getBoundingClientRect();
  const middle = ({left, top, width, height}) => [left + width / 2, top + height / 2];
  const [x, y] = middle(box(document.querySelector("[data-cell=A1]")));
  const {width} = box(document.querySelector("[data-cell=A1]"));
  return [...document.querySelectorAll(given.what)].map((one) => {
    const [u, v] = middle(box(one));
    return [(u - x) / width, (y - v) / width].map((far) => Math.round(far * 100) / 100);
  });
})()
"""
"""Where the middles of these are at that time, in cells right of A1 and above it."""


def at(tab: Tab, time: int, what: str) -> Any:
    return tab.eval(WHERE, time=time, what=what)


def test_a_piece_goes_through_each_cell_of_its_way(tab: Tab) -> None:
    """Not straight to its end; and it is there when the next board is drawn."""
    tab.eval(BEGIN, entries=turn("run"), may=[])
    submarine = "[data-piece=submarine] .disc"
    assert at(tab, 0, submarine) == [[1, 0]]
    ways = [at(tab, time, submarine)[0] for time in range(0, 561, 20)]
    assert all(y == 0 or x == 2 for x, y in ways)
    assert any(1 < x < 2 for x, _ in ways)
    assert any(0 < y < 1 for _, y in ways)
    assert ways[-1] == [2, 1]
    tab.eval(FINISH)
    assert at(tab, 0, submarine) == [[2, 1]]


def test_a_torpedo_leaves_its_wake_behind(tab: Tab) -> None:
    """It comes out of the submarine beside its first cell; seven follow it."""
    tab.eval(BEGIN, entries=turn("torpedo"), may=[])
    assert at(tab, 0, ".above .piece > *")[0][0] == pytest.approx(1, abs=0.2)
    (nose, _), *_ = at(tab, 280, ".above .piece > *")
    wake = [x for x, _ in at(tab, 280, ".wake")]
    assert len(wake) == 7
    assert nose > wake[0] > wake[-1] > 1
    assert sorted(wake, reverse=True) == wake


def test_a_torpedo_is_not_taken_for_another_in_its_lane(tab: Tab) -> None:
    """Which has its name, but is too far ahead: that one stays."""
    entries = turn("torpedo")
    entries[0]["before"] = board(OWN, piece("torpedo", "F1"))
    tab.eval(BEGIN, entries=entries, may=[])
    assert at(tab, 0, ".above .piece > *")[0][0] == pytest.approx(1, abs=0.2)
    assert at(tab, 300, "[data-piece=torpedo] .piece > *")[0][0] == pytest.approx(5, abs=0.2)


def test_what_was_never_seen_shows_as_it_goes_down_where_it_was_told(tab: Tab) -> None:
    """Without a cell nothing is drawn."""
    entries = turn("sink")
    tab.eval(BEGIN, entries=entries, may=[])
    (x, y), *_ = at(tab, 500, ".above .disc")
    assert (x, y) == (pytest.approx(3, abs=0.1), pytest.approx(2, abs=0.1))
    assert tab.eval("document.querySelectorAll('.bubble').length") == 7
    tab.eval("stop()")
    entries[0]["told"][0].update(cells=[], piece="", chart=entries[0]["before"])
    tab.eval(BEGIN, entries=entries, may=[])
    assert tab.eval("document.querySelector('.above').childElementCount") == 0


@pytest.mark.parametrize("play", PLAYS)
def test_a_tap_ends_it_at_once_and_does_what_it_was_meant_for(tab: Tab, play: str) -> None:
    """Whatever was playing: nothing of it stays, and the cell is chosen."""
    tab.eval(BEGIN, entries=turn(play, "ping"), may=["D4"])
    at(tab, 100, ".cell")
    tab.run("await page.click('[data-cell=D4]');")
    left = "[over, chosen, chart.state.shown, document.querySelector('.above').childElementCount, "
    left += "document.getAnimations().length]"
    assert tab.eval(left) == [1, ["D4"], None, 0, 0]
    tab.eval(BEGIN, entries=turn(play, "ping"), may=["D4"])
    tab.eval("(document.querySelector('[data-cell=D4]').focus(), 1)")
    tab.keys("Enter")
    assert tab.eval(left) == [1, ["D4"], None, 0, 0]


def test_the_board_stays_until_what_happened_is_known(tab: Tab) -> None:
    """The new one is not seen before it has come about; a tap shows it at once."""
    entries = turn("run")
    old, _, new, *_ = PLAYS["run"]
    begin = """
    (async () => {
      shown({board: given.old});
      window.over = 0;
      play(chart, new Promise((come) => (window.come = come)), {done: () => (over += 1)});
      shown({board: given.new});
      await settled();
      return chart.drawn.pieces;
    })()
    """
    boards = {"old": old, "new": new}
    assert tab.eval(begin, **boards) == old["pieces"]
    assert tab.eval("document.getAnimations().length") == 0
    tab.eval("(come(given.entries), settled())", entries=entries)
    assert tab.eval("clock().effect.getComputedTiming().endTime") == 560
    tab.eval("(chart.playing(), settled())")
    tab.eval(begin, **boards)
    tab.run("await page.click('[data-cell=D4]');")
    assert tab.eval("[over, chart.drawn.pieces]") == [1, new["pieces"]]
    tab.eval("(come(given.entries), settled())", entries=entries)
    assert tab.eval("[over, chart.state.shown, document.getAnimations().length]") == [1, None, 0]
    assert tab.said() == []


def test_a_turn_takes_no_longer_than_it_may(tab: Tab) -> None:
    """Where there is much, all is faster by one factor."""
    many = list(PLAYS) * 2
    tab.eval(BEGIN, entries=turn(*many), may=[])
    spent = 0.0
    while not tab.eval("over"):
        rates = tab.eval("document.getAnimations().map((one) => one.playbackRate)")
        assert len(set(rates)) == 1
        spent += tab.eval("clock().effect.getComputedTiming().endTime") / rates[0]
        tab.eval("(clock().finish(), settled())")
    assert spent == pytest.approx(5200)
    assert tab.eval("told") == many


def test_nothing_moves_where_nothing_should(sea: Tab) -> None:
    """With reduced motion the end is there at once."""
    sea.look(width=500, height=500, reduced_motion="reduce")
    sea.eval(BEGIN, entries=turn("run", "sink"), may=[])
    assert sea.eval("[over, told.length, chart.state.shown]") == [1, 0, None]
    assert sea.eval("document.querySelector('.above').childElementCount") == 0
    sea.eval("(touch(chart, given.said), 1)", said=PLAYS["ping"][1])
    assert sea.eval("document.querySelector('.above').childElementCount") == 0
    assert sea.said() == []


def test_what_is_struck_bursts_where_it_stands(tab: Tab) -> None:
    """On the board before it is hit, as the next one is drawn."""
    entries = turn("fight")
    entries[0]["told"][0]["struck"] = ["bob", "submarine"]
    tab.eval(BEGIN, entries=entries, may=[])
    assert tab.eval("document.querySelectorAll('.burst').length") == 0
    tab.eval("(clock().finish(), settled())")
    assert at(tab, 200, ".burst") == [[2, 2], [3, 2]]


def test_a_sentence_that_is_touched_is_heard_of(tab: Tab) -> None:
    """What was heard is heard again; of anything else a ring is in each cell."""
    tab.eval("shown({board: given.board})", board=board(OWN))
    for play, rings in (("ping", 3), ("contact", 4), ("echo", 2), ("run", 2), ("sink", 1)):
        tab.eval("(touch(chart, given.said), 1)", said=PLAYS[play][1])
        assert tab.eval("document.querySelectorAll('.ring').length") == rings, play
        assert tab.eval("document.querySelectorAll('.above .piece').length") == 0
        tab.eval(FINISH)
        assert tab.eval("document.querySelector('.above').childElementCount") == 0


def test_a_cell_stays_the_same_and_keeps_the_focus(sea: Tab) -> None:
    """Tab comes to one's own piece, or to what can be chosen; then to where one was last."""
    stop = "document.querySelector('[data-cell][tabindex=\"0\"]').dataset.cell"
    sea.eval("shown({board: given.board, may: new Set(['E2', 'E3'])})", board=board(BOB))
    assert sea.eval(stop) == "E2"
    sea.eval("shown({board: given.board, may: new Set(['E2'])})", board=board(BOB, OWN))
    assert sea.eval(stop) == "B1"
    sea.eval("(document.querySelector('[data-cell=C4]').focus(), settled())")
    sea.keys("ArrowRight")
    sea.eval("(window.held = document.activeElement, shown({board: given.board}))", board=board())
    assert sea.eval("[held === document.activeElement, held.dataset.cell]") == [True, "D4"]
    assert sea.eval(stop) == "D4"


def test_a_plan_of_several_stops_has_one_ghost(sea: Tab) -> None:
    """A dot with its number at each stop, the ghost at the end of the way of each piece."""

    def act(here: str, *to: str, goes: bool = True) -> dict[str, Any]:
        return {"piece": None, "here": here, "to": list(to), "reach": [], "goes": goes}

    plan = [act("B1", "B2"), act("E1", "E2"), act("B2", "C2"), act("C2", goes=False)]
    sea.eval(
        "shown({board: given.board, plan: given.plan, may: new Set(['C3', 'C4', 'C2']), "
        "shade: ['C4'], warns: new Map([['C3', 'your own mine']])})",
        board=board(OWN), plan=plan,
    )  # fmt: skip
    assert at(sea, 0, ".stop") == [[1, 1]]
    assert at(sea, 0, ".ghost .disc") == [[4, 1], [2, 1]]
    assert at(sea, 0, ".aim circle") == [[2, 1]]
    assert sea.eval("[...document.querySelectorAll('.number')].map((one) => one.textContent)") == [
        "1", "2", "3", "4",
    ]  # fmt: skip
    label = "[...document.querySelectorAll('[data-cell]')].map((one) => one.ariaLabel)"
    labels = [one for one in sea.eval(label) if len(one) > 2]
    assert labels == [
        "B1: submarine", "C2, planned: choose it to take that back",
        "C3, can be chosen, your own mine", "C4, possible, can be chosen",
    ]  # fmt: skip


def test_a_wreck_takes_no_room(sea: Tab) -> None:
    """It lies below what is there now, which is as large as ever; of several one sees the last."""
    older, old = (piece(name, "B1", "wreck", "foe") for name in ("older", "old"))
    both = board(OWN, older, old)
    sea.eval("shown({board: given.board})", board=both)
    order = "[...document.querySelectorAll('[data-piece]')].map((one) => one.dataset.piece)"
    assert sea.eval(order) == ["old", "submarine"]
    size = "document.querySelector('.disc').getBoundingClientRect().width"
    alone = sea.eval(size)
    sea.eval("shown({board: given.board})", board=board(OWN))
    assert sea.eval(size) == alone


PEAK = """
(async () => {
  const found = {};
  for (const [name, [level]] of Object.entries(VOICES)) {
    const context = new OfflineAudioContext(2, 44100 * 2.5, 44100);
    speak(context, name, given.side, 0);
    const made = await context.startRendering();
    const most = (all) => all.reduce((found, one) => Math.max(found, Math.abs(one)), 0);
    const peaks = [0, 1].map((k) => most(made.getChannelData(k)));
    found[name] = [level, ...peaks.map((peak) => 20 * Math.log10(peak))];
  }
  return found;
})()
"""

LEVELS = {"impact": -12, "contact": -15, "ping": -16, "sink": -18, "torpedo": -22, "echo": -22,
          "turn": -22, "creep": -28, "card": -28, "seal": -18}  # fmt: skip


def test_each_voice_is_as_loud_as_it_should_be(sea: Tab) -> None:
    """In dBFS at its peak, from the middle; from the left it is louder on the left."""
    found = sea.eval(PEAK, side=0.5)
    assert {name: level for name, (level, *_) in found.items()} == LEVELS
    for name, (level, *peaks) in found.items():
        assert peaks == pytest.approx([level, level], abs=1), name
    for name, (_, left, right) in sea.eval(PEAK, side=0).items():
        assert left > right + 3, name


def test_it_is_silent_until_asked_for(sea: Tab) -> None:
    """No AudioContext before a tap asked for sound; a page from disk remembers nothing."""
    sea.eval("(() => { window.made = 0; const Real = AudioContext;"
             " window.AudioContext = class extends Real {"
             " constructor() { super(); made += 1; } }; })()")  # fmt: skip
    sea.run("await page.mouse.click(10, 10);")
    assert sea.eval("[made, sound.asked, sound.isOn]") == [0, False, False]
    sea.eval("(addEventListener('click', () => sound.on(true), {once: true}), 1)")
    sea.run("await page.mouse.click(10, 10);")
    assert sea.eval("[made, sound.asked, sound.isOn]") == [1, True, True]
    sea.run("await page.reload();")
    assert sea.eval("[sound.asked, sound.isOn]") == [False, False]


def test_a_browser_remembers_it_for_a_web_address(browser: Browser, chart_file: Path) -> None:
    host = Host(chart_file.read_bytes())
    try:
        tab = browser.fresh()
        tab.run("await page.goto(given.address);", address=host.page)
        for yes in (True, False):
            tab.eval("(sound.on(given.yes), 1)", yes=yes)
            tab.run("await page.reload();")
            assert tab.eval("[sound.asked, sound.isOn]") == [True, yes]
    finally:
        host.close()


PICTURE = """
(async () => {
  const blob = await shared({...given.of, ...claims(given.of)});
  const read = new FileReader();
  const text = await new Promise((done) => {
    read.onload = () => done(read.result);
    read.readAsDataURL(blob);
  });
  const image = new Image();
  image.src = text;
  await image.decode();
  const paper = document.createElement("canvas").getContext("2d");
  paper.drawImage(image, -66, -700);
  const edge = [...paper.getImageData(0, 0, 1, 1).data];
  return {type: blob.type, size: [image.width, image.height], text, edge};
})()
"""


def test_the_picture_of_an_end_is_by_day(sea: Tab) -> None:
    """The same bytes at night, of its size, and nothing is left on the page."""
    given = {"board": board(OWN, piece("wreck", "D3", "wreck", "foe")), "title": "alice beat bob",
             "why": "Your torpedo hit bob in D3.", "game": "Sugar Dog", "players": ["alice", "bob"],
             "duel": True, "code": 0}  # fmt: skip
    sea.look(width=500, height=500, color_scheme="light")
    day = sea.eval(PICTURE, of=given)
    sea.look(width=1500, height=500, color_scheme="dark")
    assert sea.eval(PICTURE, of=given) == day
    assert (day["type"], day["size"]) == ("image/png", [1080, 1350])
    # The paper around the sea, as the page's style has it.
    assert day["edge"] == [0xFC, 0xF9, 0xEF, 0xFF]
    assert sea.eval("document.querySelectorAll('.chart').length") == 0
    # It shows where the wreck is.
    assert sea.eval(PICTURE, of={**given, "board": board(OWN)})["text"] != day["text"]
    assert sea.said() == []


def test_a_picture_claims_what_was_verified(sea: Tab) -> None:
    """That neither lied and nobody hosts, only of two who played without a host; a fault is not
    sealed."""
    told = {}
    for duel in (True, False):
        for code in (0, 1, 3):
            given = {"duel": duel, "code": code, "game": "Sugar Dog", "players": ["alice", "bob"]}
            told[duel, code] = list(sea.eval("claims(given.of)", of=given).values())
    hosted = "Sugar Dog, alice and bob. Sealed orders, open results."
    alone = "Sugar Dog, alice and bob. Sealed orders, nobody hosts."
    assert told == {
        (True, 0): ["Verified: neither lied", alone], (True, 1): ["", alone],
        (True, 3): ["", alone], (False, 0): ["Verified", hosted], (False, 1): ["", hosted],
        (False, 3): ["", hosted],
    }  # fmt: skip
