"""Games against the computer by taps alone on a phone, late positions in one window, and nothing
lost by reload and Back. The games are the same in each run: their seed and their time are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from page.browsers import Browser
from page.test_playing import SEND, Player
from page.window import one_window

PHONE = (360, 780)
TURNS = 8
"""So many turns are played by taps; then somebody gives up."""

NOT_TAPPED = ("end", "draw", "offer", "standing")
"""What a hint says and no line of the board does."""

HINTED = """
(async () => {
  const {orders} = await Page.call("play.hint");
  const text = orders.replace(/^standing .*\\n?/gm, "").replace(/ (support|push) .*$/gm, "");
  const {lines} = await Page.call("play.check", {text});
  const {planned} = await Page.call("play.plan", {lines});
  return planned;
})()
"""
"""The orders that the game's own bot would write, in parts; what it answers ahead is asked."""


def taps_for(alice: Player, act: dict[str, Any]) -> None:
    """Plan one line by taps."""
    tab = alice.tab

    def there(selector: str) -> bool:
        """Whether such an element is there, in sight."""
        return bool(tab.eval("document.querySelector(given.at)?.checkVisibility()", at=selector))

    unit, here = act["unit"], act["here"]
    chosen = f'[data-card="{unit}"][aria-pressed=true], [data-unit="{unit}"][aria-pressed=true]'
    if unit and not alice.has(chosen):
        for selector in (
            f'.unit[data-unit="{unit}"]',
            f'[data-card="{unit}"]',
            # A tap on the end of what is planned would take that back.
            f'.cell[data-cell="{here}"]:not(.planned)',
        ):
            if there(selector):
                alice.tap(selector)
                break
    verb = f'[data-verb="{act["verb"]}"]'
    if there(f"{verb}[aria-pressed=false]"):
        alice.tap(verb)
    for cell in act["to"]:
        alice.tap(f".may[data-cell={cell}]")
    for pick in act["picks"]:
        place = f'[data-pick="{pick}"]'
        alice.tap(place if there(place) else f'[data-card="{pick}"]')


def said(alice: Player) -> list[str]:
    """The planned lines in words."""
    lines = "[...document.querySelectorAll('.line > div > p:first-child')]"
    found: list[str] = alice.tab.eval(f"{lines}.map((one) => one.textContent)")
    return found


@pytest.mark.parametrize(("game", "seed"), [("silent-ships", 7), ("submarine-warfare", 5)])
def test_a_game_by_taps_on_a_phone(browser: Browser, page_file: Path, game: str, seed: int) -> None:
    """Every line that the game's own bot would write is planned by taps on a phone, and sent."""
    alice = Player(browser.at(page_file))
    tab = alice.tab
    tab.look(width=PHONE[0], height=PHONE[1])
    alice.against(game, "random", seed=seed)
    tab.eval("(() => { window.taps = 0; })()")
    turns = lines = 0
    while turns < TURNS:
        alice.wait("document.querySelector('.verb, .card, .unit, .won')")
        if tab.eval("document.querySelector('.won') !== null"):
            break
        planned = [one for one in tab.eval(HINTED) if one["verb"] not in NOT_TAPPED]
        for number, act in enumerate(planned, 1):
            alice.wait("document.querySelector('.next[aria-busy=false]')")
            taps_for(alice, act)
            alice.wait(f"document.querySelectorAll('.line').length === {number}")
            alice.wait(
                "document.querySelectorAll('.line > div > p:first-child')"
                f"[{number - 1}].textContent === {json.dumps(act['says'])}"
            )
        assert said(alice) == [one["says"] for one in planned]
        with alice.shown_anew():
            alice.sent()
            asked = "document.querySelector('dialog.ask .row button')"
            alice.wait(f"{asked} || !document.querySelector('h1').hasAttribute('data-old')")
            if tab.eval(f"{asked} !== null"):
                alice.tap("dialog.ask .row button")
        turns, lines = turns + 1, lines + len(planned)
    taps = tab.eval("taps")
    assert taps <= 4 * lines + 2 * turns, (taps, lines, turns)
    if tab.eval("document.querySelector('.won') === null"):
        alice.resigns()
    alice.verified()
    tab.look()


def test_a_board_drawn_anew_under_a_finger(browser: Browser, page_file: Path) -> None:
    """What comes while the finger is down is drawn, and takes no tap away: a cell stays the same
    element as long as its game lasts."""
    alice = Player(browser.at(page_file))
    alice.against("sugar-dog")
    alice.wait("document.querySelector('.cell.may') && !Page.state.busy")
    alice.tab.eval(
        """(() => {
          const one = document.querySelector(".sea .cell.may");
          window.cell = one;
          addEventListener("mousedown", () => Page.drawNow(), {once: true});
        })()"""
    )
    alice.tap(".sea .cell.may")
    alice.wait("document.querySelectorAll('.line').length === 1")
    assert alice.tab.eval("cell.isConnected && cell.matches('.planned')")


ON = """
(async () => {
  for (let turn = 0; turn < given.turns && Page.game.current().stage === "play"; turn += 1) {
    const hint = await Page.call("play.hint");
    const text = hint.orders.replace(/^standing .*\\n?/gm, "");
    Page.game.set(await Page.call("play.order", {now: Page.now(), text}));
  }
  Page.game.show(Page.game.current());
})()
"""
"""So many turns as the hints say, without standing orders: what can be asked is asked."""


LATE = {
    "sugar-dog": ((1, 2), (3, 5), (8, 8)),
    "silent-ships": ((1, 2), (1, 3), (1, 5)),
    "submarine-warfare": ((1, 3), (2, 4), (3, 4)),
}
"""Seeds, each with a number of turns after which its game still goes on."""


@pytest.mark.parametrize("game", LATE)
def test_late_positions_are_one_window(browser: Browser, page_file: Path, game: str) -> None:
    alice = Player(browser.at(page_file))
    for seed, turns in LATE[game]:
        alice.against(game, "random", seed=seed)
        alice.tab.eval(ON, turns=turns)
        alice.wait("document.querySelector('.verb, .card, .unit')")
        one_window(alice.tab, f"{game} {seed} {turns}")


def test_reload_and_back_lose_no_game(browser: Browser, page_file: Path) -> None:
    """The board is the same after a reload; Back leads home, where the game waits."""
    alice = Player(browser.tab(page_file))
    board = "JSON.stringify(Page.game.current().chart)"
    alice.against("sugar-dog", "random")
    with alice.shown_anew():
        alice.tap(".cell.may")
        alice.sent()
    before = alice.tab.eval(board)
    alice.tab.run("await page.reload();")
    alice.tab.runs()
    alice.wait(f"document.querySelector('{SEND}')")
    assert alice.tab.eval(board) == before
    alice.tab.run("await page.goBack();")
    alice.wait("document.querySelector('main').dataset.screen === 'home'")
    alice.tap("[data-act=open-game]")
    alice.wait(f"document.querySelector('{SEND}')")
    assert alice.tab.eval(board) == before
    alice.tap("[data-act=home]")
    alice.tap("[aria-label='Forget Sugar Dog here']")
    alice.tap("dialog.ask .row button")
    alice.wait("!document.querySelector('[data-act=open-game]')")


def test_more_waits_for_what_may_be_done(browser: Browser, page_file: Path) -> None:
    """Tapped before the engine has answered, it still offers to resign."""
    alice = Player(browser.at(page_file))
    alice.against("sugar-dog", "random")
    with alice.shown_anew():
        alice.tap(".cell.may")
        alice.sent()
    more = "document.querySelector('[data-act=more]').click()"
    alice.tab.eval(f"(Page.game.show(Page.game.current()), {more}, 1)")
    alice.wait("document.querySelector('dialog')")
    assert alice.tab.eval("document.querySelector('dialog [data-act=resign]') !== null")


def test_what_happened_is_played_and_explained(browser: Browser, page_file: Path) -> None:
    """A sentence frames its cells; Show me ends at the board of now; ? says what was touched."""
    alice = Player(browser.at(page_file))
    alice.against("silent-ships", "random", seed=1)
    alice.tab.eval(ON, turns=2)
    alice.tap(".say[data-cells]")
    cells = alice.tab.eval("document.querySelector('.say.on').dataset.cells.split(' ').length")
    assert alice.tab.eval("document.querySelectorAll('.lit').length") == cells
    now = "[...document.querySelectorAll('.chart [data-piece]')].map((one) => one.dataset.piece)"
    before = sorted(alice.tab.eval(now))
    alice.tap("[data-act=replay]")
    alice.wait(
        "document.querySelector('.say.on') !== document.querySelector('.say[data-cells]')"
        " || document.querySelectorAll('.say[data-cells]').length === 1"
    )
    alice.wait(
        f"JSON.stringify({now}.sort()) === {json.dumps(json.dumps(before, separators=(',', ':')))}"
    )
    alice.tap("[data-card]")
    name = alice.tab.text("[data-card] b")
    alice.tap("[data-act=rules]")
    alice.wait("document.querySelector('.about')")
    assert alice.tab.text(".about h3") == name
    assert "Strength " in alice.tab.text(".about p")
    alice.tab.keys("Escape")


def test_an_answer_is_one_tap(browser: Browser, page_file: Path) -> None:
    """Who is attacked is told so, and stands if nothing else is chosen; another answer replaces
    it."""
    alice = Player(browser.at(page_file))
    alice.against("silent-ships", "random", seed=7)
    alice.tab.eval(ON, turns=3)
    alice.wait("document.querySelector('.line')?.innerText.startsWith('Stand and fight.')")
    assert alice.tab.text(".clock b") == "Attacked"
    assert alice.tab.text(".next h2") == "Stand or retreat?"
    alice.tap("[data-verb=retreat]")
    alice.wait("document.querySelector('.line')?.innerText.startsWith('Retreat, paying')")
    alice.tap("[data-verb=stand]")
    alice.wait("document.querySelector('.line')?.innerText.startsWith('Stand and fight.')")
    alice.tab.eval("(() => { window.taps = 0; })()")
    with alice.shown_anew():
        alice.sent()
    assert alice.tab.eval("taps") == 1
    assert "stand" in alice.tab.eval("Page.held.solo.at(-1).orders.at(-1)")


def test_standing_orders_by_taps(browser: Browser, page_file: Path) -> None:
    """They go out with the next orders, and hold from then on."""
    alice = Player(browser.at(page_file))
    alice.against("silent-ships", "random")
    alice.tab.eval(ON, turns=1)
    alice.tap("[data-act=more]")
    alice.tap("[data-act=standing]")
    alice.tap('[data-asked="standing retreat"] [data-pick=never]')
    alice.tap('[data-asked="standing discard"] [data-pick=frigate]')
    alice.tab.keys("Escape")
    alice.wait("document.querySelector('.line.aside')")
    with alice.shown_anew():
        alice.sent()
        alice.tap("dialog.ask .row button")
    held = alice.tab.eval("Page.game.current().asked.map((one) => one.now)")
    assert held == ["never", "ask", ["frigate"]]
