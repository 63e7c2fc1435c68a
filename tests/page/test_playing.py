"""Playing in real browsers: against a host's real mails, page against page, and alone."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from commands import Table
from elsewhere.outside import run
from page.browsers import Browser, Tab
from page.posted import PASSPHRASE, Posted
from page.web import Host

from adjudicator.page import build
from adjudicator.player import safe
from adjudicator.store.clock import now
from games.examples.battleship.board import COLOURS

SECONDS = 60
"""For so long a test waits, on a busy machine."""

SEND = "[data-act=send]"
VERDICT = "document.querySelector('[data-verdict]')?.dataset.verdict"

GIVING_UP = ("[data-act=more]", "dialog [data-act=resign]", "dialog.ask .row button")

GAMES = ("sugar-dog", "silent-ships", "submarine-warfare")

WATCHED = """
(() => {
  const watched = window.saved;
  window.saved = [];
  window.taps = 0;
  if (watched) return;
  const blobs = new Map();
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const url = make.call(URL, blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    if (this.href.startsWith("mailto:")) return (window.draft = this.href);
    const one = {name: this.download};
    window.saved.push(one);
    blobs.get(this.href).arrayBuffer().then((given) => {
      one.data = btoa(Array.from(new Uint8Array(given), (x) => String.fromCharCode(x)).join(""));
    });
  };
  addEventListener("click", (event) => {
    const draft = event.target.closest("a[href^='mailto:']");
    if (!draft) return;
    window.draft = draft.href;
    event.preventDefault();
  });
  addEventListener("click", (event) => (window.taps += event.isTrusted && event.detail > 0), true);
})()
"""
"""What the page saves, and the draft that it opens, is kept for the test; taps are counted."""

FIXED = """
(() => {
  const [draw, time] = [Crypto.prototype.getRandomValues, Date.prototype.toISOString];
  Crypto.prototype.getRandomValues = (given) => given.fill(SEED);
  Date.prototype.toISOString = () => "2026-01-01T00:00:00.000Z";
  window.unfix = () => {
    Crypto.prototype.getRandomValues = draw;
    Date.prototype.toISOString = time;
    window.unfix = null;
  };
})()
"""
"""The browser's chance and clock stand still until `unfix()`."""

SHARED = """
(() => {
  const give = (name, value) =>
    Object.defineProperty(navigator, name, {value, configurable: true});
  give("canShare", () => true);
  give("share", async (given) => { window.shared = given; });
  give("clipboard", {writeText: async (text) => { window.copied = text; }});
})()
"""
"""A phone's sharing and a clipboard: what they are given is kept for the test."""

UNSHARED = """
(() => { for (const name of ["canShare", "share", "clipboard"]) delete navigator[name]; })()
"""
"""The browser's own again."""

SHOWN = "[Page.game.current(), document.querySelector('h1')]"
"""What is another whenever a screen is shown for something that came."""

HELD = """
(async () => [
  localStorage.length, sessionStorage.length, document.cookie,
  indexedDB.databases ? (await indexedDB.databases()).length : 0,
])()
"""


class Player:
    """Somebody at the page."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        tab.eval(WATCHED)
        tab.eval("(() => { window.unfix?.(); Page.go('receive'); })()")

    def drop(self, *files: tuple[str, bytes]) -> None:
        """Drop files onto the page, all at once."""
        given = [[name, base64.b64encode(data).decode()] for name, data in files]
        self.tab.eval(
            """(() => {
              const held = new DataTransfer();
              for (const [name, text] of given.files) {
                const data = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
                held.items.add(new File([data], name));
              }
              document.body.dispatchEvent(
                new DragEvent("drop", {dataTransfer: held, bubbles: true, cancelable: true}));
            })()""",
            files=given,
        )

    def wait(self, code: str) -> None:
        """Wait until an expression in the page is true; what it says else is told."""
        try:
            self.tab.wait(code, SECONDS)
        except AssertionError:
            raise AssertionError(f"never: {code}; the page says: {self.tab.text('body')}") from None

    def has(self, selector: str) -> bool:
        """Whether there is such an element."""
        found: bool = self.tab.eval("document.querySelector(given.at) !== null", at=selector)
        return found

    def press(self, label: str) -> None:
        """Tap the first button that says this, once it is there."""
        self._click(
            "new Function(`return [...document.querySelectorAll('button')].find((one) => "
            "one.innerText.trim().startsWith(${JSON.stringify(given.at)}))`)",
            label,
        )

    def fill(self, **fields: str) -> None:
        """Type into fields, by their ids."""
        for name, text in fields.items():
            self.tab.run(
                "await page.focus(given.at); await page.keyboard.type(given.text);",
                at=f"#{name}",
                text=text,
            )

    def saved(self, count: int) -> list[tuple[str, bytes]]:
        """The files that the page has saved since, once they are so many."""
        self.wait(f"saved.length === {count} && saved.every((one) => one.data)")
        found = self.tab.eval("JSON.stringify(saved)")
        self.tab.eval("(() => { saved = []; })()")
        return [(one["name"], base64.b64decode(one["data"])) for one in json.loads(found)]

    def sends(self) -> list[tuple[str, bytes]]:
        """The safe that sealing has saved, and the mail that is to be sent, saved too."""
        kept = self.saved(1)
        ways = "[data-act=save-block]"
        self.wait(f"document.querySelector('{ways}, [data-act=ways], [data-act=again]')")
        inside = self.tab.eval(f"document.querySelector('{ways}') !== null")
        if not inside:
            self.tap("[data-act=ways], [data-act=again]")
        self.tap(ways)
        found = self.saved(1)
        if not inside:
            self.tap("dialog .head button")
        return [*kept, *found]

    def mine(self) -> bool:
        """Whether the page asks for orders."""
        return bool(self.tab.eval("document.querySelector('.deciding') !== null"))

    def planned(self) -> None:
        """Wait until all that was tapped is planned."""
        self.wait("document.querySelector('.deciding[aria-busy=false]') && !Page.state.busy")

    def advised(self) -> None:
        """Plan what the game's own bot would write."""
        self.planned()
        self.tap("[data-act=hint]:not(:disabled)")
        self.wait("document.querySelector('[data-act=hint]:not(:disabled)')")
        self.planned()

    def hinted(self) -> None:
        """Let the game's own bot write, and send it, whatever it leaves."""
        self.advised()
        self.sent_all_the_same()

    def typed(self, text: str) -> None:
        """Write orders, and send them."""
        self.planned()
        self.tap("[data-act=more]")
        self.tap("dialog [data-act=text]")
        self.wait("document.querySelector('#orders')")
        self.tab.eval("(() => { const at = document.querySelector('#orders'); at.value = '';"
                      " at.dispatchEvent(new Event('input', {bubbles: true})); })()")  # fmt: skip
        self.fill(orders=text)
        self.sent()

    def sent(self) -> None:
        """Send what is written."""
        self.tap(f"{SEND}:not(:disabled)")

    def sent_all_the_same(self) -> None:
        """Send what is planned, also where the page asks whether it is meant."""
        self.sent()
        if self.tab.eval("document.querySelector('dialog.ask') !== null"):
            self.tap("dialog.ask .row button")

    def tap(self, selector: str) -> None:
        """Tap an element, once it is there."""
        self._click("given.at", selector)

    def _click(self, what: str, at: str) -> None:
        """Click, as a person does, where something stands still and is seen."""
        try:
            self.tab.run(f"await page.locator({what}).setTimeout(given.most).click();",
                         at=at, most=1000 * SECONDS)  # fmt: skip
        except AssertionError as error:
            said = f"{at}: {error}; the page says: {self.tab.text('body')}"
            raise AssertionError(said) from None

    def resigns(self) -> None:
        """Give up by three taps."""
        for selector in GIVING_UP:
            self.tap(selector)

    def stage(self, name: str) -> None:
        """Wait until the page is there: `none`, `invited`, `joined`, `play`, `over`."""
        self.wait(f"document.querySelector('main').dataset.stage === {json.dumps(name)}")

    def verified(self) -> None:
        """Wait until the game is over and the verifier says that it is true."""
        self.wait(f"{VERDICT}?.startsWith('true')")

    def fix(self, seed: int = 3) -> None:
        """Chance and clock stand still in this tab until the next player comes to it: games are the
        same in each run."""
        self.tab.eval("(() => { window.unfix?.(); })()")
        self.tab.eval(FIXED.replace("SEED", str(seed)))

    def against(self, game: str, bot: str = "mate", seed: int = 3) -> None:
        """Begin a game against that bot, the same in each run."""
        self.fix(seed)
        self.tab.eval("Page.go('home')")
        self.tap(f"[data-act=play][data-game={game}]")
        self.tap(f"input[name=level][value={bot}]")
        self.tap("[data-act=begin]")
        self.wait(f"document.querySelector('{SEND}')")

    def plays_on(self) -> None:
        """Follow the hints until the game against the computer is over, and verified."""
        for _ in range(80):
            self.wait(f"document.querySelector('.deciding') || {VERDICT}")
            if not self.mine():
                break
            with self.shown_anew():
                self.hinted()
        self.verified()

    @contextmanager
    def shown_anew(self) -> Iterator[None]:
        """Do something, and wait until a screen was shown for what came of it."""
        # What was begun before may show the screen again when it ends.
        self.wait("!Page.state.busy")
        self.tab.eval(f"(() => {{ window.before = {SHOWN}; }})()")
        yield
        self.wait(f"{SHOWN}.some((one, at) => one !== before[at]) && !Page.state.busy"
                  " && !document.querySelector('.deciding[aria-busy=true]')")  # fmt: skip

    def saves(self) -> tuple[str, bytes]:
        """Save the seat, which shows the screen again: the name and the bytes of its file."""
        with self.shown_anew():
            self.tab.eval("(() => { saved = []; })()")
            self.tap("[data-act=more]")
            self.tap("dialog [data-act=save]")
        (one,) = self.saved(1)
        return one

    def join(self, invitation: bytes, name: str) -> list[tuple[str, bytes]]:
        """Join by an invitation's mail: the safe and the mail to be sent."""
        self.take([invitation])
        self.fill(name=name, address=f"{name}@example.org", word=PASSPHRASE)
        self.press("Join")
        return self.sends()

    def opens(self, *files: tuple[str, bytes]) -> None:
        """Drop a safe, and what came with it, and give its passphrase; the game shows."""
        self.drop(*files)
        self.unlocks()

    def unlocks(self) -> None:
        """Give the passphrase that is asked; the game shows."""
        self.wait("document.querySelector('#word')")
        self.fill(word=PASSPHRASE)
        self.tab.keys("Enter")
        shown = ".deciding, .sent, .won, .line-of"
        self.wait(f"document.querySelector('{shown}')")

    def take(self, mails: list[bytes]) -> None:
        """Take mails in; the last answer is shown when all are through."""
        for mail in mails:
            with self.shown_anew():
                self.drop(("mail.eml", mail))


def quiet(tab: Tab) -> None:
    """Nothing on the console, nothing asked of any network, nothing stored."""
    assert tab.said() == []
    assert tab.asked() == []
    assert tab.eval(HELD) == [0, 0, "", 0]


def fresh(posted: Posted, name: str, seen: set[bytes]) -> list[bytes]:
    """The mails to a player that nobody has handed over yet."""
    found = [mail for mail in posted.mails(name) if mail not in seen]
    seen.update(found)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_a_host_at_the_command_line(
    game: str, browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """Join, orders, receipts, the end and its verdict, all over the host's mails."""
    posted = Posted(Table(tmp_path), game)
    bob, seen = posted.desks["bob"], set[bytes]()
    told = bob.take(now(), posted.mail("bob", "invite"))
    join = bob.join(now(), "bob", PASSPHRASE, "bob@example.org", told["token"])["send"]["mail"]
    alice = Player(browser.at(page_file))
    (name, data), (mail_name, mail) = alice.join(fresh(posted, "alice", seen)[0], "alice")
    assert (name, mail_name) == ("friday-alice.safe", "friday-alice-join.eml")
    assert safe.read_head(data).player == "alice"
    posted.host.serve(mail, base64.b64decode(join))
    rounds = sends = saved = 0
    while True:
        alice.take(fresh(posted, "alice", seen))
        for one in posted.mails("bob"):
            told = bob.take(now(), one)
        if told["stage"] == "over":
            break
        rounds += 1
        if alice.mine():
            alice.hinted()
            (name, data), (_, mail) = alice.sends()
            sends += 1
            assert safe.read_head(data).saved > saved
            saved = safe.read_head(data).saved
            posted.host.serve(mail)
        if told.get("mine"):
            posted.order("bob", "resign" if rounds > 1 else bob.hint()["orders"])
    alice.verified()
    assert alice.tab.eval(VERDICT) == "true: alice won"
    assert alice.tab.text(".won") == "You won"
    assert "TRUE: alice won." in posted.host.run("verify", "friday").stdout
    quiet(alice.tab)


def test_page_against_page(
    started: Callable[[str], Browser], page_file: Path, tmp_path: Path
) -> None:
    """Alice in Chromium, Bob in Firefox; one of them gives up by typing it."""
    posted, players, seen = Posted(Table(tmp_path), "sugar-dog"), {}, set[bytes]()
    for name, kind in (("alice", "chromium"), ("bob", "firefox")):
        players[name] = Player(started(kind).at(page_file))
        _, (_, mail) = players[name].join(fresh(posted, name, seen)[0], name)
        posted.host.serve(mail)
    for rounds in range(20):
        for name, player in players.items():
            player.take(fresh(posted, name, seen))
        if players["alice"].tab.eval("document.querySelector('main').dataset.stage") == "over":
            break
        for name, player in players.items():
            if not player.mine():
                continue
            if name == "bob" and rounds > 1:
                player.typed("resign")
            else:
                player.hinted()
            posted.host.serve(player.sends()[1][1])
    for player in players.values():
        player.verified()
        quiet(player.tab)
    assert players["alice"].tab.text(".won") == "You won"
    assert players["bob"].tab.text(".won") == "You lost"


def test_a_turn_is_three_taps_and_one_send(
    browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """From opening the page to the saved mail: drop the safe and the mail, passphrase, tap, tap."""
    posted = Posted(Table(tmp_path), "sugar-dog", "--option", "first=alice").begin()
    before = posted.mails("alice")
    for name in posted.desks:
        posted.order(name, posted.desks[name].hint()["orders"])
    new = [one for one in posted.mails("alice") if one not in before]
    (mail,) = [one for one in new if b"kind: entry" in one]
    kept = base64.b64decode(posted.desks["alice"].save()["data"])
    alice = Player(browser.at(page_file))
    alice.drop(("friday-alice.safe", kept), ("entry.eml", mail))
    alice.wait("document.querySelector('#word')")
    alice.fill(word=PASSPHRASE)
    alice.tab.keys("Enter")
    alice.tap(".cell.may")
    alice.tab.eval(SHARED)
    alice.sent()
    alice.wait("window.draft")
    assert alice.tab.eval("taps") <= 3
    (name, _), (mail_name, mail) = alice.sends()
    # The draft cannot hold all of it: what is to be pasted there is copied.
    assert alice.tab.eval("draft").startswith("mailto:")
    assert alice.tab.eval("copied").encode() in mail.replace(b"\r\n", b"\n")
    alice.tab.eval(UNSHARED)
    assert (name, mail_name.endswith(".eml")) == ("friday-alice.safe", True)
    posted.host.serve(mail)
    assert b"step 2, revision 1: accepted" in b"".join(posted.mails("alice"))


def test_orders_by_the_board(browser: Browser, page_file: Path) -> None:
    """A tap on a lit cell plans a line, another replaces it, on the ghost it is taken back."""
    alice = Player(browser.at(page_file))
    alice.against("sugar-dog")
    alice.tap("[data-cell=C4].may")
    alice.wait("document.querySelector('.line')?.innerText.startsWith('Start in C4.')")
    alice.tap("[data-cell=D4].may")
    alice.wait("document.querySelector('.line')?.innerText.startsWith('Start in D4.')")
    alice.tap("[data-cell=D4].planned")
    alice.wait(f"!document.querySelector('.line') && document.querySelector('{SEND}').disabled")


def test_alone_with_the_keyboard(browser: Browser, page_file: Path) -> None:
    """A whole game: begin, cells by the arrow keys, send, and in the end give up: no pointer."""
    alice = Player(browser.at(page_file))
    alice.fix()
    alice.tab.eval("Page.go('home')")
    reach(alice, "[data-act=play][data-game=sugar-dog]")
    alice.tab.keys("Enter")
    reach(alice, "[data-act=begin]")
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('.cell.may')")
    for turn in range(3):
        alice.wait("document.querySelector('.cell.may, .won')")
        if alice.tab.eval("document.querySelector('.won') !== null"):
            break
        reach(alice, "[data-cell]")
        for key in ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"]:
            if alice.tab.eval("document.activeElement.matches('.may')"):
                break
            alice.tab.keys(key)
        alice.tab.keys("Enter")
        alice.wait(f"!document.querySelector('{SEND}').disabled")
        assert alice.tab.eval("document.activeElement.matches('[data-cell]')"), turn
        with alice.shown_anew():
            alice.tab.run(
                "await page.keyboard.down('Control'); await page.keyboard.press('Enter');"
                "await page.keyboard.up('Control');"
            )
    if alice.tab.eval("document.querySelector('.won') === null"):
        for selector in GIVING_UP:
            alice.wait(f"document.querySelector('{selector}')")
            reach(alice, selector)
            alice.tab.keys("Enter")
    alice.verified()
    assert alice.tab.eval("taps") == 0
    quiet(alice.tab)


def reach(player: Player, selector: str) -> None:
    """Press Tab until such an element has the focus, or Shift and Tab if it comes before.

    Beyond the last one are the browser's own controls, from which no script leads back.
    """
    for _ in range(80):
        way = player.tab.eval(WAY, selector=selector)
        if not way:
            return
        player.tab.run("await page.keyboard.down('Shift');" if way < 0 else "")
        player.tab.keys("Tab")
        player.tab.run("await page.keyboard.up('Shift');")
        assert player.tab.eval("document.hasFocus()"), selector
    raise AssertionError(f"the keyboard never comes to {selector}")


WAY = """
(() => {
  const here = document.activeElement;
  if (here.matches(given.selector)) return 0;
  const all = [...document.querySelectorAll(given.selector)];
  const back = (one) => here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
  return all.length && all.every(back) ? -1 : 1;
})()
"""
"""Whether such elements come all before the one that has the focus, -1, or not, 1; 0: it is one."""


def test_the_captain_is_played_in_the_page_alone(browser: Browser, page_file: Path) -> None:
    """A whole game by hints against a bot: the verdict is the verifier's, and watching it works."""
    alice = Player(browser.at(page_file))
    alice.against("silent-ships", "random")
    tap = "document.querySelector('[data-act=hint]').click()"
    # What is sent while a hint is asked for would be something else.
    drawn = f"Promise.resolve().then(() => document.querySelector('{SEND}').disabled)"
    assert alice.tab.eval(f"({tap}, {drawn})")
    alice.plays_on()
    alice.press("Watch it")
    alice.wait("document.querySelector('main').dataset.screen === 'watch'")
    quiet(alice.tab)


def test_what_is_wrong_is_told(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """A wrong passphrase, junk with markup: words, and no element of theirs."""
    posted = Posted(Table(tmp_path), "sugar-dog").begin()
    alice = Player(browser.at(page_file))
    kept = base64.b64decode(posted.desks["alice"].save()["data"])
    alice.drop(("a.safe", kept))
    alice.wait("document.querySelector('#word')")
    alice.fill(word="another passphrase")
    alice.tab.keys("Enter")
    wrong = "document.querySelector('#word-error').innerText"
    alice.wait(f"{wrong}.includes('That is not the passphrase')")
    alice.fill(word=PASSPHRASE)
    alice.wait("document.querySelector('#word-error').hidden")
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('.deciding')")
    alice.drop(("x.eml", b"<img src=x onerror=document.title=1><script>document.title=2</script>"))
    alice.wait("document.querySelector('.amiss').innerText.includes('nothing from a game')")
    alice.drop(("x.eml", b"-----BEGIN ADJUDICATOR BUNDLE-----\n<b>bold</b>" + bytes(10**6)))
    alice.wait("document.querySelector('.amiss').innerText.includes('damaged')")
    assert alice.tab.eval("document.querySelectorAll('main img, main script').length") == 0
    assert alice.tab.eval("document.title") == "\u25cf Your turn \u2013 Sugar Dog"
    quiet(alice.tab)


def test_a_page_may_carry_an_invitation(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """It opens with it, and whose mail it was has the token filled in."""
    posted = Posted(Table(tmp_path), "sugar-dog")
    page = tmp_path / "invited.html"
    carried = {"invite": posted.mail("alice", "invite")}
    page.write_bytes(build.carry(page_file.read_bytes(), carried))
    tab = browser.tab(page)
    tab.wait("document.querySelector('#name')")
    assert tab.text("h1") == "Join \u201cfriday\u201d"
    assert len(tab.eval("document.querySelector('#token').value")) == 32
    quiet(tab)


BLOCKED = b"""<head><script>
for (const name of ["localStorage", "indexedDB"]) {
  Object.defineProperty(window, name, {
    get() { throw new DOMException("blocked", "SecurityError"); },
  });
}
</script>"""


def test_a_browser_that_blocks_a_sites_storage(
    browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """At a web address with all site data blocked, one plays against the computer, and a seat."""
    posted = Posted(Table(tmp_path), "sugar-dog").begin()
    host = Host(page_file.read_bytes().replace(b"<head>", BLOCKED, 1))
    try:
        alone = Player(browser.at(host.page))
        alone.against("sugar-dog")
        alone.wait("document.querySelector('.cell.may')")
        assert alone.tab.eval("document.querySelector('#told').hidden")
        alice = Player(browser.at(host.page))
        alice.drop(("a.safe", base64.b64decode(posted.desks["alice"].save()["data"])))
        alice.wait("document.querySelector('#word')")
        alice.fill(word=PASSPHRASE)
        alice.tab.keys("Enter")
        alice.wait("document.querySelector('.deciding')")
        alice.hinted()
        assert [name for name, _ in alice.sends()]
    finally:
        host.close()


@pytest.fixture(scope="session")
def page_with_example(once: Callable[[str, Callable[[Path], Any]], Path]) -> Path:
    """The page as it is built where a game from elsewhere is installed."""

    def make(path: Path) -> None:
        code, out, err = run(path.parent, "page", "-o", path.name)
        if code and "CI" not in os.environ:
            pytest.skip(f"the page cannot be built: {err}")
        assert code == 0, out + err

    return once("example.html", make)


def test_a_game_from_elsewhere(browser: Browser, page_with_example: Path) -> None:
    """No script knows it, and no part of the page is made for it: it is offered and played."""
    alice = Player(browser.tab(page_with_example))
    alice.against("battleship", "random")
    with alice.shown_anew():
        alice.hinted()
    # Its own grounds and shapes, by day or by night.
    dark = alice.tab.eval("matchMedia('(prefers-color-scheme: dark)').matches")
    tint = alice.tab.eval("getComputedStyle(document.querySelector('.tinted .bank')).fill")
    code = "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", tint))
    assert code in {pair[dark] for pair in COLOURS.values()}
    assert alice.tab.eval("document.querySelectorAll('.piece.own path').length") >= 17
    alice.plays_on()
    quiet(alice.tab)
