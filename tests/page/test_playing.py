"""Playing in real browsers: against a host's real mails, page against page, and alone."""

from __future__ import annotations

import base64
import json
import os
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

SECONDS = 60
"""For so long a test waits, on a busy machine."""

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
    const one = {name: this.download};
    window.saved.push(one);
    blobs.get(this.href).arrayBuffer().then((given) => {
      one.data = btoa(Array.from(new Uint8Array(given), (x) => String.fromCharCode(x)).join(""));
    });
  };
  addEventListener("click", (event) => (window.taps += event.isTrusted && event.detail > 0), true);
})()
"""
"""What the page saves is kept for the test, and taps by a pointer are counted."""

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
        tab.eval("Page.go('play')")

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

    def press(self, label: str) -> None:
        """Tap the first button that says this, once it is there."""
        self.wait(
            "[...document.querySelectorAll('button')].some((one) => "
            f"one.innerText.trim().startsWith({json.dumps(label)}))"
        )
        self.tab.run(
            """
            for (const one of await page.$$("button")) {
              const label = await one.evaluate((node) => node.innerText.trim());
              if (label.startsWith(given.label)) return await one.click();
            }
            throw new Error(`no button ${given.label}`);
            """,
            label=label,
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

    def title(self) -> str:
        return self.tab.text("h1")

    def mine(self) -> bool:
        """Whether the page asks for orders."""
        return bool(self.tab.eval("document.querySelector('#orders') !== null"))

    def hinted(self) -> None:
        """Let the game's own bot write, and send it."""
        self.press("Hint")
        self.wait("document.querySelector('#orders').value")
        self.sent()

    def typed(self, text: str) -> None:
        """Write orders, and send them."""
        self.fill(orders=text)
        self.sent()

    def sent(self) -> None:
        """Send what is written."""
        self.wait("!document.querySelector('form .primary').disabled")
        self.tab.run("await page.click('form .primary')")

    def plays_on(self) -> None:
        """Follow the hints until the game against the computer is over, and verified."""
        for _ in range(80):
            self.wait("document.querySelector('#orders') || document.querySelector('.verdict')")
            if not self.mine():
                break
            with self.shown_anew():
                self.hinted()
        self.wait("document.querySelector('.verdict').innerText.includes('true')")

    @contextmanager
    def shown_anew(self) -> Iterator[None]:
        """Do something, and wait until the screen was shown again after it."""
        self.tab.eval("(() => { document.querySelector('h1').dataset.old = ''; })()")
        yield
        self.wait("!document.querySelector('h1').hasAttribute('data-old')")

    def join(self, invitation: bytes, name: str) -> list[tuple[str, bytes]]:
        """Join by an invitation's mail: the safe and the mail to be sent."""
        self.take([invitation])
        self.fill(name=name, address=f"{name}@example.org", word=PASSPHRASE)
        self.press("Join")
        return self.saved(2)

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
    rounds = sends = 0
    while True:
        alice.take(fresh(posted, "alice", seen))
        for one in posted.mails("bob"):
            told = bob.take(now(), one)
        if told["stage"] == "over":
            break
        rounds += 1
        if alice.mine():
            alice.hinted()
            (name, data), (_, mail) = alice.saved(2)
            sends += 1
            assert safe.read_head(data).saved == sends + 1
            posted.host.serve(mail)
        if told.get("mine"):
            posted.order("bob", "resign" if rounds > 1 else bob.hint()["text"])
    alice.wait("document.querySelector('.verdict')?.innerText.includes('true')")
    assert "A stranger verifies it: true: alice won." in alice.tab.text(".verdict")
    assert "verdict: true: alice won" in posted.host.run("verify", "friday").stdout
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
        if "over" in players["alice"].title():
            break
        for name, player in players.items():
            if not player.mine():
                continue
            if name == "bob" and rounds > 1:
                player.typed("resign")
            else:
                player.hinted()
            posted.host.serve(player.saved(2)[1][1])
    for player in players.values():
        player.wait("document.querySelector('.verdict')?.innerText.includes('true')")
        assert "over: alice won" in player.title()
        quiet(player.tab)


def test_a_turn_is_three_taps_and_one_send(
    browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """From opening the page to the saved mail: drop the safe and the mail, passphrase, tap, tap."""
    posted = Posted(Table(tmp_path), "sugar-dog", "--option", "first=alice").begin()
    before = posted.mails("alice")
    for name in posted.desks:
        posted.order(name, posted.desks[name].hint()["text"])
    new = [one for one in posted.mails("alice") if one not in before]
    (mail,) = [one for one in new if b"kind: entry" in one]
    kept = base64.b64decode(posted.desks["alice"].save()["data"])
    alice = Player(browser.at(page_file))
    alice.drop(("friday-alice.safe", kept), ("entry.eml", mail))
    alice.wait("document.querySelector('#word')")
    alice.fill(word=PASSPHRASE)
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('.news li') && document.querySelector('.choices button')")
    alice.tab.run("await page.click('.choices button')")
    alice.wait("!document.querySelector('form .primary').disabled")
    alice.tab.eval(SHARED)
    alice.tab.run("await page.click('form .primary')")
    (name, _), (mail_name, mail) = alice.saved(2)
    assert alice.tab.eval("taps") <= 3
    alice.press("Share")
    alice.press("Copy the block")
    alice.wait("window.copied && window.shared")
    assert alice.tab.eval("shared.files[0].name") == mail_name
    assert alice.tab.eval("copied").encode() in mail.replace(b"\r\n", b"\n")
    alice.tab.eval(UNSHARED)
    assert (name, mail_name.endswith(".eml")) == ("friday-alice.safe", True)
    posted.host.serve(mail)
    assert b"step 2, revision 1: accepted" in b"".join(posted.mails("alice"))


def test_orders_by_the_board(browser: Browser, page_file: Path) -> None:
    """A tap on a cell writes the line that names it; one that nothing names is told."""
    alice = Player(browser.at(page_file))
    alice.press("Play Sugar Dog")
    alice.wait("document.querySelector('.choices button')")
    alice.wait("document.querySelector('.board').shadowRoot.querySelector('[data-may]')")
    where = "document.querySelector('.board').shadowRoot.querySelector('[data-cell=C4]')"
    click = "dispatchEvent(new MouseEvent('click', {bubbles: true, composed: true}))"
    alice.tab.eval(f"{where}.{click}")
    alice.wait("document.querySelector('#orders').value === 'start C4'")
    alice.press("Take the last line back")
    alice.wait("document.querySelector('#orders').value === ''")


def test_alone_with_the_keyboard(browser: Browser, page_file: Path) -> None:
    """Begin, a cell by the arrow keys, seal: no pointer anywhere."""
    alice = Player(browser.at(page_file))
    alice.wait("document.querySelector('.games button')")
    reach(alice, "Play Sugar Dog")
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('.choices button')")
    for _ in range(40):
        alice.tab.keys("Tab")
        if alice.tab.eval("document.activeElement.matches('.board')"):
            break
    alice.tab.keys("ArrowUp", "ArrowRight", "Enter")
    alice.wait("document.querySelector('#orders').value")
    reach(alice, "Play it")
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('.news li')")
    assert alice.tab.eval("taps") == 0
    quiet(alice.tab)


def reach(player: Player, label: str) -> None:
    """Press Tab until a button that says so has the focus."""
    for _ in range(160):
        player.tab.keys("Tab")
        if player.tab.eval(
            "document.activeElement.innerText?.trim().startsWith(given.label)", label=label
        ):
            return
    raise AssertionError(f"the keyboard never comes to {label}")


def test_the_captain_is_played_in_the_page_alone(browser: Browser, page_file: Path) -> None:
    """A whole game by hints against a bot: the verdict is the verifier's, and watching it works."""
    alice = Player(browser.at(page_file))
    alice.wait("document.querySelector('#level-silent-ships')")
    alice.tab.run("await page.select('#level-silent-ships', 'random');")
    alice.press("Play Silent Ships")
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
    alice.wait("document.querySelector('#told').innerText.includes('does not open')")
    alice.fill(word=PASSPHRASE)
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('#orders')")
    alice.drop(("x.eml", b"<img src=x onerror=document.title=1><script>document.title=2</script>"))
    alice.wait("document.querySelector('.news').innerText.includes('nothing from the host')")
    alice.drop(("x.eml", b"-----BEGIN ADJUDICATOR BUNDLE-----\n<b>bold</b>" + bytes(10**6)))
    alice.wait("document.querySelector('.news').innerText.includes('damaged')")
    assert alice.tab.eval("document.querySelectorAll('main img, main b, main script').length") == 0
    assert alice.tab.eval("document.title") == "adjudicator"
    quiet(alice.tab)


def test_a_page_may_carry_an_invitation(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """It opens with it, and whose mail it was has the token filled in."""
    posted = Posted(Table(tmp_path), "sugar-dog")
    page = tmp_path / "invited.html"
    carried = {"invite": posted.mail("alice", "invite")}
    page.write_bytes(build.carry(page_file.read_bytes(), carried))
    tab = browser.tab(page)
    tab.wait("document.querySelector('#name')")
    assert tab.text("h1") == "An invitation"
    assert len(tab.eval("document.querySelector('#token').value")) == 32
    quiet(tab)


def test_a_web_address_remembers_if_asked(browser: Browser, web: Host, tmp_path: Path) -> None:
    """Behind the passphrase, the newest safe alone; an older file is refused; then forgotten."""
    posted = Posted(Table(tmp_path), "sugar-dog").begin()
    old = base64.b64decode(posted.desks["alice"].save()["data"])
    tab = browser.at(web.page)
    alice = Player(tab)
    alice.drop(("a.safe", old))
    alice.wait("document.querySelector('#word')")
    alice.fill(word=PASSPHRASE)
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('#orders')")
    assert tab.eval(HELD) == [0, 0, "", 0]
    tab.run("await page.click('#remember')")
    alice.hinted()
    alice.saved(2)
    assert tab.eval(HELD)[0] == 1
    text = tab.eval("Object.values(localStorage).map(atob).join('')")
    assert "start" not in text.partition("\n\n")[2]
    tab.open(web.page)
    other = Player(tab)
    other.drop(("a.safe", old))
    other.wait("document.querySelector('#word')")
    other.fill(word=PASSPHRASE)
    other.tab.keys("Enter")
    other.wait("document.querySelector('#told').innerText.includes('stale')")
    tab.eval("Page.go('play')")
    other.press("Go on as alice")
    other.wait("document.querySelector('#word')")
    other.fill(word=PASSPHRASE)
    other.tab.keys("Enter")
    other.wait("document.querySelector('.sent')")
    again = Player(browser.at(web.page))
    again.press("Forget it here")
    again.wait("localStorage.length === 0")


BLOCKED = b"""<head><script>
Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("blocked", "SecurityError"); },
});
</script>"""


def test_a_browser_that_blocks_a_sites_storage(
    browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """At a web address with all site data blocked, one plays against the computer, and a seat."""
    posted = Posted(Table(tmp_path), "sugar-dog").begin()
    host = Host(page_file.read_bytes().replace(b"<head>", BLOCKED, 1))
    try:
        alone = Player(browser.at(host.page))
        alone.tab.eval("Page.go('play')")
        alone.wait("document.querySelector('.games button')")
        alone.press("Play Sugar Dog")
        alone.wait("document.querySelector('.choices button')")
        assert alone.tab.eval("document.querySelector('#told').hidden")
        alice = Player(browser.at(host.page))
        alice.drop(("a.safe", base64.b64decode(posted.desks["alice"].save()["data"])))
        alice.wait("document.querySelector('#word')")
        alice.fill(word=PASSPHRASE)
        alice.tab.keys("Enter")
        alice.wait("document.querySelector('#orders')")
        alice.hinted()
        assert [name for name, _ in alice.saved(2)]
    finally:
        host.close()


def test_one_tab_for_a_seat(browser: Browser, web: Host, tmp_path: Path) -> None:
    """A seat that another tab has open is not opened."""
    posted = Posted(Table(tmp_path), "sugar-dog").begin()
    made = posted.desks["alice"].save()
    tab = browser.at(web.page)
    alice = Player(tab)
    tab.eval(
        """(() => {
          navigator.locks.request(given.name, () => new Promise((done) => { window.free = done; }));
        })()""",
        name=f"adjudicator {made['id']}",
    )
    alice.drop(("a.safe", base64.b64decode(made["data"])))
    alice.wait("document.querySelector('#word')")
    alice.fill(word=PASSPHRASE)
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('#told').innerText.includes('open in another tab')")
    tab.eval("free()")


def test_a_seat_stays_this_tabs(browser: Browser, web: Host, tmp_path: Path) -> None:
    """From the join on, and also where another safe is tried that does not open."""
    posted = Posted(Table(tmp_path), "sugar-dog")
    tab = browser.at(web.page)
    alice = Player(tab)
    safe_of_alice, _ = alice.join(posted.mail("alice", "invite"), "alice")
    alice.wait("document.querySelector('main').dataset.stage === 'joined'")
    kept = "(async () => (await navigator.locks.query()).held.map((one) => one.name))()"
    (name,) = tab.eval(kept)
    assert name.endswith("/alice")
    for data in (safe_of_alice[1], safe_of_alice[1].replace(b"alice\n", b"other\n", 1)):
        alice.drop(("x.safe", data))
        alice.wait("document.querySelector('#word')")
        alice.fill(word="another passphrase")
        alice.tab.keys("Enter")
        alice.wait("document.querySelector('#told').innerText.includes('does not open')")
        assert tab.eval(kept) == [name]
        tab.eval("Page.go('play')")
    alice.press("Leave this game")
    alice.wait("document.querySelector('main').dataset.stage === 'none'")
    assert tab.eval(kept) == []
    alice.drop(safe_of_alice)
    alice.wait("document.querySelector('#word')")
    alice.fill(word=PASSPHRASE)
    alice.tab.keys("Enter")
    alice.wait("document.querySelector('main').dataset.stage === 'joined'")
    # A check of another game that is stopped takes the whole engine with it.
    tab.eval("Page.stop()")
    tab.eval("Page.go('play')")
    assert tab.eval("document.querySelector('main').dataset.stage") == "none"


@pytest.fixture(scope="session")
def page_with_high_low(once: Callable[[str, Callable[[Path], Any]], Path]) -> Path:
    """The page as it is built where a game from elsewhere is installed."""

    def make(path: Path) -> None:
        code, out, err = run(path.parent, "page", "-o", path.name)
        if code and "CI" not in os.environ:
            pytest.skip(f"the page cannot be built: {err}")
        assert code == 0, out + err

    return once("high-low.html", make)


def test_a_game_from_elsewhere(browser: Browser, page_with_high_low: Path) -> None:
    """No script knows it, and no part of the page is made for it: it is offered and played."""
    alice = Player(browser.tab(page_with_high_low))
    alice.press("Play High Low")
    alice.plays_on()
    quiet(alice.tab)
