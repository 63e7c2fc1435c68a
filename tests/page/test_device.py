"""The seat on this device: opened by one tap on a link, after a reload, in the newest tab; and what
opens none."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Table
from page.browsers import Browser, Tab
from page.posted import PASSPHRASE, Posted
from page.test_playing import WATCHED
from page.web import Host

from adjudicator.mail import pasted
from adjudicator.page.play import Play
from adjudicator.player import safe
from adjudicator.store.clock import now

GAME = "Page.game.current()"
PLAYS = f"{GAME}.stage === 'play' && Page.seats.at()"
SCREEN = "document.querySelector('main').dataset.screen"
WORD = "document.querySelector('#word')"
ELSEWHERE = "document.querySelector('[data-act=bring-back]')"

STORE = """
const opened = indexedDB.open("adjudicator");
await new Promise((done) => (opened.onsuccess = done));
const answer = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
const store = (name, mode = "readonly") =>
  opened.result.transaction(name, mode).objectStore(name);
const row = (await answer(store("seats").getAll()))[0];
const device = await answer(store("device").get("key"));
const encoded = (text) => new TextEncoder().encode(text);
const opens = (what, held) =>
  crypto.subtle.decrypt({name: "AES-GCM", iv: held.iv, additionalData: encoded(what)}, device, held.data)
    .then((found) => [...new Uint8Array(found)], (error) => error.name);
"""  # noqa: E501
"""What another page of the same origin can do."""


def do(tab: Tab, code: str, /, **given: Any) -> Any:
    """What an async function in the page returns."""
    return tab.eval(f"(async () => {{ {code} }})()", **given)


def types(tab: Tab, word: str) -> None:
    """Type a passphrase, and Enter."""
    tab.wait(WORD)
    tab.run("await page.type('#word', given.word); await page.keyboard.press('Enter');", word=word)


def drops(tab: Tab, data: bytes) -> None:
    """Open a safe from a file."""
    code = (
        "await Page.open('a.safe', Uint8Array.from(atob(given.data), (one) => one.charCodeAt(0)));"
    )
    do(tab, code, data=base64.b64encode(data).decode())


def beside(tab: Tab, address: str, before: str = "") -> Tab:
    """Another tab of the same browser, as a chat opens one for a link. `before`: what runs first in
    it."""
    other = object.__new__(Tab)
    other.browser, other.key = tab.browser, f"{tab.key} beside"
    tab.run(
        """
        const {context} = held[given.key];
        const other = await context.newPage();
        other.setDefaultTimeout(60_000);
        other.on("pageerror", (error) => said.push(`error: ${error.message || error}`));
        if (given.before) await other.evaluateOnNewDocument(given.before);
        await other.goto(given.address);
        held[given.other] = {context, page: other, said, asked};
        """,
        other=other.key, address=address, before=before,
    )  # fmt: skip
    return other


def offers(tab: Tab, name: str = "ann", word: str = "") -> dict[str, Any]:
    """Make an offer of Silent Ships in the page; what it sends."""
    do(tab, "await Page.seats.ready; Page.go('home'); Page.go('friend');")
    tab.run("await page.click('input[name=game][value=silent-ships]');")
    tab.run("await page.type('#name', given.name);", name=name)
    if word:
        tab.run("await page.type('#word', given.word);", word=word)
    tab.run("await page.click('[data-act=offer]');")
    tab.wait(f"{GAME}.send && Page.seats.at() && !Page.state.busy")
    return do(tab, f"return {GAME}.send;")  # type: ignore[no-any-return]


class Ben:
    """Who plays against the page, at a desk."""

    def __init__(self) -> None:
        self.desk = Play()

    def answers(self, send: dict[str, Any]) -> str:
        """What he sends back once nothing is asked of him: what a link has behind the address."""
        told = self.desk.answer("take", now=now(), data=send["text"].encode())
        if told["stage"] == "offer":
            told = self.desk.answer("accept", now=now(), name="ben", passphrase=PASSPHRASE)
        while told.get("mine"):
            hint = self.desk.answer("hint")["orders"]
            told = self.desk.answer("order", now=now(), text=hint)
        return str(told["send"]["link"])


@pytest.fixture(scope="module")
def web(page_file: Path) -> Iterator[Host]:
    """A web host of these tests' own: other pages of it are asked for too."""
    host = Host(page_file.read_bytes())
    yield host
    host.close()


def begun(browser: Browser, web: Host) -> tuple[Tab, Ben]:
    """A duel in a fresh browser, whose seat was made with a name alone."""
    tab = browser.fresh()
    tab.open(web.page)
    tab.eval(WATCHED)
    ben = Ben()
    link = ben.answers(offers(tab))
    tab.eval("(() => { location.hash = given.link; })()", link=link)
    tab.wait(PLAYS)
    return tab, ben


def test_one_tap_a_link(browser: Browser, web: Host) -> None:
    """A seat that was made with a name alone is opened by the link in a new tab; the old one says
    where it went on, and may bring it back. Loaded anew the same game is there."""
    tab = browser.fresh()
    tab.open(web.page)
    do(tab, "await Page.seats.ready; Page.go('friend');")
    assert tab.eval(WORD) is None
    assert "clearing the browser\u2019s data loses the game" in tab.text("form")
    offer = offers(tab)
    # Until somebody accepts, the sea waits, also while the seat is opened.
    last = "return (await Page.seats.last(given.game)).shown;"
    waits = do(tab, last, game=tab.eval(f"{GAME}.id")[:8])
    assert (waits["stage"], waits["chart"]) == ("opening", tab.eval(f"{GAME}.chart"))
    link = Ben().answers(offer)
    other = beside(tab, web.page + link)
    other.wait(PLAYS)
    assert other.eval("location.hash") == ""
    tab.wait(ELSEWHERE)
    assert "Your game of Silent Ships went on in a newer tab." in tab.text("main")
    assert tab.eval("document.querySelector('#told').hidden")
    step = other.eval(f"{GAME}.step")
    other.run("await page.reload();")
    other.wait(PLAYS)
    assert (other.eval(f"{GAME}.step"), other.eval(SCREEN)) == (step, "game")
    tab.front()
    tab.run("await page.click('[data-act=bring-back]');")
    tab.wait(PLAYS)
    other.wait(ELSEWHERE)
    assert "Your game with ben went on in a newer tab." in other.text("main")
    assert tab.said() == []
    assert web.asked == ["/page.html"] * len(web.asked)


def test_two_tabs_at_once(chromium: Browser, web: Host) -> None:
    """The same link twice: one of them plays, and the other says where it went on."""
    tab, ben = begun(chromium, web)
    do(tab, "await Page.mail.leave(); Page.go('home');")
    one = beside(tab, "about:blank")
    link = web.page + ben.desk.answer("state")["send"]["link"]
    tab.run("await Promise.all([page, held[given.other].page].map((one) => one.goto(given.link)));",
            other=one.key, link=link)  # fmt: skip
    one_of_two = f"({PLAYS}) || {ELSEWHERE}"
    for each in (tab, one):
        each.front()
        each.wait(one_of_two)
    # Whoever asked later may take it in this moment.
    tab.front()
    seats = [each.eval("Page.seats.at()") for each in (tab, one)]
    assert len([each for each in seats if each]) == 1


def test_a_seat_by_mail_is_opened_by_its_link(browser: Browser, web: Host, tmp_path: Path) -> None:
    """Joined with a name and an address; the safe stays in the browser, no file is made, and the
    host's mail opens the game."""
    posted = Posted(Table(tmp_path), "sugar-dog", "--option", "first=alice")
    (invite,) = pasted.read(posted.mail("alice", "invite")).bundles
    tab = browser.fresh()
    tab.open(pasted.link(web.page, invite))
    tab.wait("document.querySelector('[data-act=join]')")
    assert tab.eval(WORD) is None
    tab.eval(WATCHED)
    tab.run("await page.type('#name', 'alice'); await page.type('#address', 'alice@example.org');")
    tab.run("await page.click('[data-act=join]');")
    tab.wait(f"{GAME}.stage === 'joined' && Page.seats.at() && location.hash === ''")
    assert "kept in this browser, and nowhere else yet" in tab.text("main")
    assert tab.eval("saved") == []
    told = posted.desks["bob"].take(now(), posted.mail("bob", "invite"))
    bob = posted.desks["bob"].join(now(), "bob", PASSPHRASE, "bob@example.org", told["token"])
    mine = do(tab, "return (await Page.game.ask('again', {now: given.now})).send;", now=now())
    posted.host.serve(*(base64.b64decode(one["mail"]) for one in (bob["send"], mine)))
    (genesis,) = pasted.read(posted.mail("alice", "entry")).bundles
    other = beside(tab, pasted.link(web.page, genesis))
    other.wait(PLAYS)
    assert other.eval("location.hash") == ""


def test_an_offer_stays_until_somebody_sits(chromium: Browser, web: Host) -> None:
    """Loaded anew it is there; whoever accepts is opened after that."""
    there = Play()
    offer = there.answer(
        "offer", now=now(), game="silent-ships", name="cleo", passphrase=PASSPHRASE
    )
    tab = chromium.fresh()
    tab.open(web.page + offer["send"]["link"])
    for _ in range(2):
        tab.wait("document.querySelector('[data-act=accept]')")
        assert tab.eval("location.hash") == offer["send"]["link"]
        tab.run("await page.reload();")
    tab.wait("document.querySelector('[data-act=accept]')")
    tab.run("await page.type('#name', 'ann');")
    tab.run("await page.click('[data-act=accept]');")
    tab.wait("location.hash === ''")
    tab.run("await page.reload();")
    tab.wait(f"{GAME}.stage === 'offered' && Page.seats.at()")
    assert tab.eval(f"{GAME}.player") == "ann"


def test_a_passphrase_comes_later(browser: Browser, web: Host) -> None:
    """It is asked once the seat is saved, as a file that opens anywhere. This device opens the seat
    all the same until it is locked; then the passphrase does, and the device again."""
    tab, _ = begun(browser, web)
    do(tab, "Page.mail.firstWords();")
    tab.run("await page.type('#word', 'short'); await page.click('dialog [data-act=words]');")
    tab.wait("document.querySelector('#word-error').innerText.includes('8 characters')")
    assert tab.eval("saved.length") == 0
    tab.run("await page.type('#word', given.word.slice(5));", word="short" + PASSPHRASE)
    tab.run("await page.click('dialog [data-act=words]');")
    tab.wait("saved[0]?.data && !document.querySelector('dialog')")
    data = base64.b64decode(tab.eval("saved[0].data"))
    assert Play().open(now(), data, "short" + PASSPHRASE)["player"] == "ann"
    tab.run("await page.reload();")
    tab.wait(PLAYS)
    do(tab, "await Page.seats.lock(Page.seats.at());")
    assert tab.eval("Page.seats.seats()[0].key") is None
    assert tab.eval("Page.seats.seats()[0].shown") is None
    for word, opens in (("short" + PASSPHRASE, False), ("short" + PASSPHRASE, True)):
        tab.run("await page.reload();")
        tab.wait(WORD)
        if not opens:
            types(tab, "another passphrase")
            tab.wait("!document.querySelector('#word-error').hidden")
            tab.run("await page.click('#opens');")
        types(tab, word)
        tab.wait(PLAYS)
        assert tab.eval("Page.seats.opens(Page.seats.at())") is opens
    tab.run("await page.reload();")
    tab.wait(PLAYS)


def test_after_the_third_order_a_passphrase_is_asked(chromium: Browser, web: Host) -> None:
    """Once, and only of a seat that has none."""
    tab, _ = begun(chromium, web)
    for number in range(1, 5):
        do(tab, "await Page.mail.ordered();")
        tab.eval("new Promise((done) => setTimeout(done))")
        assert tab.eval(f"Boolean({WORD})") is (number == 3)
        tab.eval("Page.shut()")


def test_a_link_that_names_another_game(chromium: Browser, web: Host) -> None:
    """No board of a game is shown but of the one that is named, and the block decides whose seat is
    opened; a link that holds none leaves nothing open."""
    tab, ben = begun(chromium, web)
    first = tab.eval(f"{GAME}.id")
    do(tab, "await Page.mail.leave(); Page.go('home');")
    other = Ben()
    tab.eval("(() => { location.hash = given.link; })()", link=other.answers(offers(tab)))
    tab.wait(PLAYS)
    second = tab.eval(f"{GAME}.id")
    assert first != second
    shown = "return (await Page.seats.last(given.game))?.shown.id ?? null;"
    assert do(tab, shown, game=first[:8]) == first
    assert do(tab, shown, game=second[:8]) == second
    assert do(tab, shown, game="01234567") is None
    told = ben.desk.answer("state")
    crossed = told["send"]["link"].replace(first[:8], second[:8])
    do(tab, "await Page.mail.leave(); Page.go('home');")
    tab.eval("(() => { location.hash = given.link; })()", link=crossed)
    tab.wait(f"{PLAYS} && {GAME}.id === given.first".replace("given.first", f"'{first}'"))
    do(tab, "await Page.mail.leave(); Page.go('home');")
    tab.eval("(() => { location.hash = given.link; })()", link=f"#g={first[:8]}&take=AAAA")
    tab.wait(f"{SCREEN} === 'receive' && {GAME}.stage === 'none'")
    assert tab.eval("Page.seats.at()") is None


def test_who_may_use_the_devices_key(browser: Browser, web: Host, page_file: Any) -> None:
    """Another page of the same origin can, which is why a published page needs its own; but no
    script reads it, a row that is copied to another seat or to another browser opens nothing, and
    another origin sees nothing at all."""
    tab, _ = begun(browser, web)
    key = do(tab, "return [...await Page.seats.key(Page.seats.at())];")
    near = beside(tab, f"{web.address}/other")
    assert do(near, STORE + "return opens(`key ${row.id}`, row.key);") == key
    assert (
        do(
            near,
            STORE
            + "return crypto.subtle.exportKey('raw', device).then(() => '', (one) => one.name);",
        )
        == "InvalidAccessError"
    )
    for what in ("`key x${row.id}`", "`board ${row.id}`", "row.id"):
        assert do(near, STORE + f"return opens({what}, row.key);") == "OperationError"
    copied = do(
        near,
        STORE
        + """
        const text = (given) => btoa(String.fromCharCode(...given));
        const data = await answer(store("safes").get(row.id));
        const held = {iv: text(row.key.iv), data: text(row.key.data)};
        return {row: {...row, key: held, shown: null}, data: text(data)};
    """,
    )
    far = Host(page_file.read_bytes())
    try:
        elsewhere = beside(tab, far.page)
        elsewhere.runs()
        assert do(elsewhere, "await Page.seats.ready; return Page.seats.seats();") == []
        # All that was stored, in a browser whose device key is another.
        do(
            elsewhere,
            STORE
            + """
            const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
            const {row: taken, data} = given.copied;
            taken.key = {iv: bytes(taken.key.iv), data: bytes(taken.key.data)};
            store("seats", "readwrite").put(taken, taken.id);
            await answer(store("safes", "readwrite").put(bytes(data), taken.id));
        """,
            copied=copied,
        )
        elsewhere.run("await page.reload();")
        elsewhere.runs()
        do(elsewhere, "await Page.seats.ready; Page.go('home');")
        elsewhere.run("await page.click('[data-act=open-game]');")
        elsewhere.wait(
            "document.querySelector('#told').innerText.includes('lost the key to your seat')"
        )
        assert elsewhere.eval("Page.seats.at()") is None
    finally:
        far.close()


NONE = (
    "Object.defineProperty(%s, '%s', {get() { throw new DOMException('no', 'SecurityError'); }});"
)
REFUSALS = {
    "no encryption, as over http": """
        Object.defineProperty(crypto, "subtle", {value: undefined});
        Object.defineProperty(navigator, "locks", {value: undefined});
    """,
    "no key is kept": """
        const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (value, key) {
          if (this.name === "device") throw new DOMException("no", "DataCloneError");
          return put.call(this, value, key);
        };
    """,
    "no store": NONE % ("IDBFactory.prototype", "open"),
    "no name of a store": NONE % ("window", "indexedDB"),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_where_the_device_opens_nothing(browser: Browser, web: Host, refusal: str) -> None:
    """A passphrase is asked at once, and the seat goes to a file; where a store is there, it is
    opened again by that passphrase."""
    tab = beside(browser.fresh(), web.page, REFUSALS[refusal])
    tab.runs()
    tab.eval(WATCHED)
    offers(tab, word=PASSPHRASE)
    assert not tab.eval("Page.seats.able()")
    tab.wait("saved[0]?.data")
    data = base64.b64decode(tab.eval("saved[0].data"))
    assert Play().open(now(), data, PASSPHRASE)["player"] == "ann"
    tab.run("await page.reload();")
    tab.runs()
    do(tab, "await Page.seats.ready;")
    if "store" in refusal:
        assert tab.eval("Page.seats.seats()") == []
        return
    tab.wait(WORD)
    assert tab.eval("document.querySelector('#opens')") is None
    types(tab, PASSPHRASE)
    tab.wait(f"{GAME}.stage === 'offered' && Page.seats.at()")


FULL = """(() => {
  const put = IDBObjectStore.prototype.put;
  window.full = true;
  IDBObjectStore.prototype.put = function (value, key) {
    if (window.full && this.name === "safes") throw new DOMException("full", "QuotaExceededError");
    return put.call(this, value, key);
  };
})()"""


def test_a_browser_without_room(chromium: Browser, web: Host) -> None:
    """It is said, the older safe does not stay, and the seat goes over to a newer tab as it is;
    once there is room it is kept."""
    tab, _ = begun(chromium, web)
    tab.eval(FULL)
    do(tab, f"{GAME}.changed = true; await Page.mail.keep();")
    tab.wait("document.querySelector('#told').innerText.includes('no room for your seat in ben')")
    assert do(tab, STORE + "return row ?? null;") is None
    assert tab.eval("Page.seats.loose()")
    other = beside(tab, web.page)
    other.runs()
    id_of = tab.eval("Page.seats.at()")
    do(
        other,
        "await Page.seats.ready; const place = await Page.seats.take(given.id);"
        "Page.seats.sit(place); window.found = place.data.length;",
        id=id_of,
    )
    assert other.eval("found") > 1_000
    tab.wait(ELSEWHERE)
    assert not tab.eval("Page.seats.loose()")
    do(other, "await Page.seats.keep(given.id, {filed: false});", id=id_of)
    assert do(other, STORE + "return row.id;") == id_of


def test_a_cleared_browser(chromium: Browser, web: Host) -> None:
    """What was cleared under an open game stays in its tab, and is said; loaded anew nothing is
    left, and a link says so."""
    tab, ben = begun(chromium, web)
    link = ben.desk.answer("state")["send"]["link"]
    tab.run(
        "const client = await page.createCDPSession();"
        "await client.send('Storage.clearDataForOrigin', "
        "{origin: new URL(page.url()).origin, storageTypes: 'indexeddb'});"
    )
    do(tab, f"{GAME}.changed = true; await Page.mail.keep();")
    tab.wait("document.querySelector('#told').innerText.includes('it is not kept here')")
    assert tab.eval("Page.seats.loose()")
    do(tab, "await Page.seats.holds();")
    other = beside(chromium.fresh(), web.page + link)
    other.wait(
        "document.querySelector('#paste-error')?.innerText.startsWith('Kept. Now open your seat')"
    )


def test_a_seat_that_another_tab_forgot(chromium: Browser, web: Host) -> None:
    """The list of the other tab loses it at once; where its board was open, nothing can be opened
    any more, and that is said."""
    tab, _ = begun(chromium, web)
    name = tab.eval("Page.seats.at()")
    do(tab, "await Page.mail.leave(); Page.go('home');")
    other = beside(tab, web.page)
    other.runs()
    other.wait("document.querySelectorAll('.games li').length === 1")
    do(tab, "await Page.seats.forget(given.name);", name=name)
    other.wait("!document.querySelector('.games li')")
    opened = "return Page.mail.openSeat(given.name).then(() => '', (one) => one.line);"
    assert "not kept here any more" in do(other, opened, name=name)


def test_a_foreign_lock_is_taken(chromium: Browser, web: Host) -> None:
    """A tab that does not answer, as one that the browser has put to sleep, gives its seat up."""
    tab, _ = begun(chromium, web)
    name = tab.eval("Page.seats.at()")
    do(tab, "await Page.mail.leave(); Page.go('home');")
    tab.eval(
        "(() => { navigator.locks.request(given.name, () => new Promise(() => {}))"
        ".catch((error) => { window.taken = error.name; }); })()",
        name=f"adjudicator {name}",
    )
    tab.run("await page.click('[data-act=open-game]');")
    tab.wait(f"{PLAYS} && window.taken === 'AbortError'")
    # What is signed in the moment in which a seat is lost is not kept, so it does not leave.
    tab.eval("Page.seats.stand()")
    assert do(tab, "return Page.mail.keep().then(() => '', (one) => one.word);") == "newer"


def test_a_safe_from_a_file(chromium: Browser, web: Host) -> None:
    """An older file opens what is kept here; another passphrase leaves the open seat open."""
    desk = Play()
    desk.answer("offer", now=now(), game="silent-ships", name="ann", passphrase=PASSPHRASE)
    old, new = (base64.b64decode(desk.answer("save")["data"]) for _ in range(2))
    tab = chromium.fresh()
    tab.open(web.page)
    drops(tab, new)
    tab.wait(WORD)
    types(tab, PASSPHRASE)
    tab.wait(f"{GAME}.stage === 'offered' && Page.seats.at()")
    newest = do(tab, STORE + "return [...await answer(store('safes').get(row.id))];")
    assert safe.read_head(bytes(newest)).saved > safe.read_head(old).saved
    tab.eval("Page.go('home')")
    drops(tab, old)
    # The newest is open already.
    tab.wait(f"{SCREEN} !== 'home'")
    assert tab.eval(WORD) is None
    drops(tab, bytes(newest))
    tab.wait(WORD)
    types(tab, "another passphrase")
    tab.wait("!document.querySelector('#word-error').hidden")
    name = tab.eval("Page.seats.at()")
    assert name.endswith("/ann")
    held = "return (await navigator.locks.query()).held.map((one) => one.name);"
    assert do(tab, held) == [f"adjudicator {name}"]
    do(tab, "await Page.mail.leave();")
    assert do(tab, held) == []
    do(tab, "Page.go('home'); await Page.mail.openSeat(given.name);", name=name)
    assert do(tab, held) == [f"adjudicator {name}"]
    # A check of another game that is stopped takes the whole engine with it.
    do(tab, "Page.stop();")
    assert do(tab, held) == []
