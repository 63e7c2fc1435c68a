"""Duels in real browsers: page against page, and page against the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from duel.commanders import Person
from duel.liars import LIES, Liar
from duel.people import person
from page.browsers import Browser, Tab
from page.posted import PASSPHRASE
from page.test_duel_desk import DUELS, SAID
from page.test_playing import VERDICT, Player, quiet
from page.web import Host
from page.window import one_window

from adjudicator.page.play import Play
from adjudicator.store.clock import now

READY = "document.querySelector('.deciding[aria-busy=false], .won, .line-of')"
HEAD = "document.querySelector('.line-of b')"
"""What the dock says where nothing is decided."""
ACCEPT = "document.querySelector('[data-act=accept]')"
CARD = ".card:not([aria-disabled=true]):not([hidden])"
CLOCK = "Date.prototype.toISOString"
TURNS = 5
"""So many turns are played by taps; then somebody gives up."""
OTHER = {"ann": "ben", "ben": "ann"}

LEAVES = """
(() => {
  const give = (name, value) => Object.defineProperty(navigator, name, {value, configurable: true});
  const refused = async () => { throw new DOMException("thought better of it", "AbortError"); };
  const shared = async ({text}) => { window.gone = text; };
  give("share", {shared, refused}[given.how]);
  give("clipboard", {writeText: async (text) => { window.gone = text; }});
  window.gone = null;
})()
"""
"""From now on what leaves is `shared`, as on a phone, or `copied`, and kept for the test; or it
stays, since the person thinks better of it: `refused`."""


class Friend(Player):
    """Somebody who plays a duel in the page."""

    def __init__(self, tab: Tab, name: str) -> None:
        super().__init__(tab)
        self.name = name
        self.leaving("copied")

    def leaving(self, how: str) -> None:
        """On which way it leaves what is sent from now on, see `LEAVES`."""
        self.tab.eval(LEAVES, how=how)

    def seat_only(self, act: str) -> None:
        """Fill the form for a seat in, and send it."""
        words = {"word": PASSPHRASE} if self.has("#word") else {}
        self.fill(name=self.name, **words)
        self.tap(f"[data-act={act}]")

    def seat(self, act: str) -> None:
        """The same, with a cell to begin in, if one is asked."""
        with self.shown_anew():
            self.seat_only(act)
        self.wait(READY)
        if self.mine():
            self.plays()

    def offering(self, game: str = "silent-ships", *, match: bool = False) -> None:
        """Fill the form of an offer in, but for the seat: a duel, or the first of a match."""
        self.tab.eval("Page.go('home')")
        self.tap("[data-act=friend]")
        self.tap(f"input[name=game][value={game}]")
        if match:
            assert self.has("select[name=first]")
            self.tab.run("await page.select('select[name=match]', 'first');")
            assert not self.has("select[name=first]")

    def offers(self, game: str = "silent-ships", *, match: bool = False) -> bytes:
        """Offer a duel, or the first of a match; returns what leaves."""
        self.offering(game, match=match)
        self.seat("offer")
        return self.sends()

    def accepts(self, offer: bytes) -> bytes:
        """Look at an offer and accept it; returns what leaves."""
        with self.shown_anew():
            self.drop(("offer.txt", offer))
        self.seat("accept")
        return self.sends()

    def takes(self, data: bytes) -> None:
        """Drop what came, and see what it brought."""
        self.tab.eval("(() => { taps = 0; gone = null; })()")
        with self.shown_anew():
            self.drop(("block.txt", data))
        self.wait(f"{READY} || {ACCEPT}")

    def thinks(self) -> int:
        """Order as the game's bot would, as long as orders are asked; how often they were."""
        asked = 0
        while self.mine():
            asked += 1
            with self.shown_anew():
                self.hinted()
            self.wait(READY)
        return asked

    def plays(self) -> int:
        """Order by taps alone: a card and a lit cell, or the first answer; else the turn ends.
        Returns how many taps it took."""
        before = self.tab.eval("taps")
        self.planned()
        if self.has(CARD):
            self.tap(CARD)
        if self.has(".cell.may"):
            self.tap(".cell.may")
            self.wait("document.querySelector('.line')")
        elif self.has(".verb"):
            self.tap(".verb")
            self.wait("document.querySelector('.line')")
        planned = self.has(".line")
        with self.shown_anew():
            self.sent()
            if not planned:
                self.tap("dialog.ask .row button")
        self.wait(READY)
        return int(self.tab.eval("taps") - before)

    def unsent(self) -> bool:
        """Whether something is sealed and has not left."""
        return self.tab.text(".clock b") == "Still to send"

    def sends(self) -> bytes:
        """What left with the orders, or last; what has not leaves in one tap."""
        if self.unsent():
            self.tap("[data-act=send]")
        # The seat is kept after that.
        self.wait("window.gone && !Page.state.busy")
        assert not self.unsent()
        return str(self.tab.eval("gone")).encode()

    def link(self) -> str:
        """The same, where it is a link."""
        found = self.sends().decode()
        assert "&take=" in found
        return found

    def follows(self, link: str) -> None:
        """Open a link in this window: only what stands after `#` is new, which the page forgets."""
        self.tab.front()
        self.tab.eval("(() => { taps = 0; gone = null; })()")
        with self.shown_anew():
            self.tab.eval("(() => { location.hash = given.link.split('#')[1]; })()", link=link)
        self.wait(f"{READY} || {ACCEPT}")
        # An offer stays until somebody sits.
        self.wait("location.hash" + (" !== ''" if self.has("[data-act=accept]") else " === ''"))

    def over(self) -> bool:
        """Whether the end is shown."""
        return bool(self.tab.eval("document.querySelector('.won') !== null"))


def test_page_against_page(started: Callable[[str], Browser], page_file: Path) -> None:
    """Ann in Chromium, Ben in Firefox, until one gives up: each turn in five taps with its sending,
    each answer in one; both see who won and that neither lied. It was the first game of a match, so
    Ben, who accepted it, offers the second in one tap."""
    kinds = {"ann": "chromium", "ben": "firefox"}
    two = {name: Friend(started(kind).at(page_file), name) for name, kind in kinds.items()}
    two["ann"].takes(two["ben"].accepts(two["ann"].offers(match=True)))
    mover, turns = "ann", 0
    while True:
        one, other = two[mover], two[OTHER[mover]]
        turn = one.mine()
        if turn and turns == TURNS:
            one.typed("resign")
            one.wait("document.querySelector('.won')")
        elif turn:
            if turns < 2:
                one_window(one.tab, "a turn")
            assert one.plays() <= 4
            turns += 1
            if one.mine():
                continue
        else:
            assert one.tab.eval(f"{HEAD}.innerText") == "Nothing to decide."
            assert one.tab.text(".clock b") == "Still to send"
            one_window(one.tab, "an answer")
        before = one.tab.eval("taps")
        block = one.sends()
        assert one.tab.eval("taps") == before + (not turn)
        if not one.over():
            assert one.tab.eval(f"{HEAD}.innerText") == "Copied."
            assert one.tab.text(".clock b") == f"Waiting for {other.name}"
        other.takes(block)
        if other.over():
            one.takes(other.sends())
            break
        mover = OTHER[mover]
    for player in two.values():
        player.verified()
        one_window(player.tab, "the end")
        assert player.tab.eval(VERDICT).endswith("won, and neither lied")
        quiet(player.tab)
    assert sorted(player.tab.text(".won") for player in two.values()) == ["You lost", "You won"]
    ann, ben = two["ann"], two["ben"]
    assert not ann.has("[data-act=second], [data-act=rematch]")
    ben.tap("[data-act=second]")
    ben.wait(f"{HEAD}?.innerText === 'Your offer is ready.'")
    second = ben.sends()
    with ann.shown_anew():
        ann.tab.eval("Page.mail.goHome()")
    ann.drop(("second.txt", second))
    ann.wait("document.querySelector('dialog.ask .go')")
    with ann.shown_anew():
        ann.tap("dialog.ask .go")
    ann.wait("document.querySelector('[data-act=accept]')")
    assert "It is the second game of a match of two" in ann.tab.text("main")
    ann.seat("accept")
    ben.takes(ann.sends())
    assert ben.tab.eval("Page.game.current().given.some((one) => one.startsWith('match='))")


ROW = "document.querySelector('.games li').innerText"


def left_and_opened_again(one: Friend, address: str) -> None:
    """Between sealing and sending: the list of games says what is to be done, also when the page is
    loaded anew, and there it is still to be sent."""
    heading = one.tab.eval(f"{HEAD}.innerText")
    one.tab.eval("Page.mail.goHome()")
    one.wait(f"{ROW}.includes('Still to send')")
    one.tab.open(address)
    again = Friend(one.tab, one.name)
    one.tab.eval("Page.go('home')")
    one.wait(f"{ROW}.includes('Still to send')")
    again.tap("[data-act=open-game]")
    again.wait(READY)
    assert again.tab.eval(f"{HEAD}.innerText") == heading


def test_a_duel_by_links(browser: Browser, web: Host) -> None:
    """Sugar Dog in two windows of one browser, each move by its link, which leaves as it is sent,
    shared or copied; one stays, is found again in a window loaded anew, and leaves then. Who offers
    goes first, and in the rematch the other."""
    window = browser.fresh()
    window.open(web.page)
    ann, ben = Friend(browser.at(web.page), "ann"), Friend(window, "ben")
    ann.offering("sugar-dog")
    ann.tab.run("await page.select('select[name=first]', '=me');")
    ann.seat("offer")
    ben.follows(ann.link())
    ben.tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert "who goes first\nann" in ben.tab.text("details dl")
    ben.leaving("shared")
    ben.seat("accept")
    ann.follows(ben.link())
    one, other, moves = ann, ben, 0
    while True:
        if moves == 1:
            one.leaving("refused")
        while one.mine() and moves < TURNS:
            one.plays()
        if one.mine():
            one.typed("resign")
            one.wait("document.querySelector('.won')")
        if moves == 1:
            left_and_opened_again(one, web.page)
        other.follows(one.link())
        if moves == 1:
            one.tab.eval("Page.mail.goHome()")
            one.wait(f"{ROW}.includes('Waiting for {other.name}')")
            one.tap("[data-act=open-game]")
        moves += 1
        if other.over():
            one.follows(other.link())
            break
        one, other = other, one
    for player in (ben, ann):
        player.tab.front()
        player.verified()
        assert player.tab.eval(VERDICT).endswith("won, and neither lied")
        assert player.tab.said() == []
    ann.tap("[data-act=rematch]")
    ann.wait("document.querySelector('#name')?.value === 'ann'")
    assert ann.tab.eval("document.querySelector('select[name=first]').value") == "ben"
    assert web.asked == ["/page.html"] * len(web.asked)


class AtCommand(Person):
    """Somebody at the command line, with the captain to think for them."""

    def takes(self, block: bytes) -> None:
        """Take a block in, and order what is asked."""
        (self.root / "came.txt").write_bytes(block)
        self.ok("take", "came.txt")
        while self.think():
            pass

    def sends(self) -> bytes:
        """The newest block."""
        return self.block.read_bytes()


def test_page_against_the_command(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """A whole duel between captains; in Chromium the page offers, in Firefox the command. Both have
    the same file, and verify it alike."""
    ann, ben = Friend(browser.at(page_file), "ann"), AtCommand(tmp_path / "ben", "ben", "captain")
    ann.fix({"chromium": 12, "firefox": 1}[browser.name])
    if browser.name == "chromium":
        (ben.root / "offer.txt").write_bytes(ann.offers())
        ben.ok("join", "offer.txt", "--name", "ben", "--key", "key", "-o", "accept.txt")
        ann.takes((ben.root / "accept.txt").read_bytes())
    else:
        ben.ok("duel", "silent-ships", "--name", "ben", "--key", "key", "-o", "offer.txt")
        ben.takes(ann.accepts((ben.root / "offer.txt").read_bytes()))
        ann.takes(ben.sends())
    while not ann.over():
        asked = ann.thinks()
        ben.takes(ann.sends())
        # A turn in which nothing is planned is asked about.
        assert 2 * asked <= ann.tab.eval("taps") <= (3 * asked or 1)
        ann.takes(ben.sends())
    if ann.unsent():
        ben.takes(ann.sends())
    if ann.tab.eval("Page.game.current().ending.awaited"):
        ann.takes(ben.sends())
    ann.verified()
    verdict = ann.tab.eval(VERDICT)
    ann.tab.eval("(() => { saved = []; })()")
    ann.tap("[data-act=keep]")
    ((name, kept),) = ann.saved(1)
    assert name == "silent-ships-ann.zip"
    (ben.root / "kept.zip").write_bytes(kept)
    assert verdict.removeprefix("true: ") in ben.ok("verify", "kept.zip")
    assert kept == (ben.root / "silent-ships-ben.zip").read_bytes()
    ann.tap("[data-act=watch]")
    ann.wait("document.querySelector('main').dataset.done")
    assert ann.tab.eval("document.querySelectorAll('[data-side]').length") == 3
    assert ann.tab.eval(VERDICT) == verdict
    quiet(ann.tab)


def begun(browser: Browser, page_file: Path) -> tuple[Friend, Play]:
    """Ann at the page, and Ben at a desk; Ben has accepted her offer, and is asked for orders."""
    ann, ben = Friend(browser.at(page_file), "ann"), Play()
    ben.answer("take", now=now(), data=ann.offers())
    told = ben.answer("accept", now=now(), name="ben", passphrase=PASSPHRASE)
    while True:
        ann.takes(told["send"]["text"].encode())
        ann.thinks()
        told = ben.answer("take", now=now(), data=ann.sends())
        if told["mine"]:
            return ann, ben


def foreign() -> bytes:
    """The accept of another duel."""
    eve, ben = Play(), Play()
    seat = {"now": now(), "passphrase": PASSPHRASE}
    offer = eve.answer("offer", game="silent-ships", name="eve", **seat)["send"]["text"]
    ben.answer("take", now=now(), data=offer.encode())
    return str(ben.answer("accept", name="ben", **seat)["send"]["text"]).encode()


TOLD = "[...document.querySelectorAll('.amiss, #told')].map((one) => one.innerText).join()"


def test_what_is_wrong_in_a_duel(browser: Browser, page_file: Path) -> None:
    """One's own, another duel's, a damaged one, other words, an old one. A move before its seat is
    kept for it."""
    ann, ben = begun(browser, page_file)
    own = ann.sends()
    for data, words in (
        (own, "it is one of your own"),
        (own[:900] + own[901:], "A part of this is missing"),
        (b"good luck!", "There is nothing from a duel"),
        (foreign(), "This belongs to another game, which is not open here"),
    ):
        ann.drop(("block.txt", data))
        ann.wait(f"{TOLD}.includes('{words}')")
        assert ann.tab.text(".clock b") == "Waiting for ben"
    _, before = ann.saves()
    while ben.answer("state")["mine"]:
        told = ben.answer("order", now=now(), text=ben.answer("hint")["orders"])
    first = told["send"]["text"].encode()
    ann.takes(first)
    ann.drop(("block.txt", first))
    ann.wait("document.querySelector('.amiss')?.innerText.includes('was here already')")
    step = ann.tab.eval("Page.game.current().step")
    later = Player(browser.at(page_file))
    later.drop(("move.txt", first))
    later.wait("document.querySelector('#paste-error').innerText.startsWith('Kept. Now open your')")
    later.drop(("silent-ships-ann.safe", before))
    later.unlocks()
    later.wait(f"Page.game.current().step === {step}")
    quiet(ann.tab)


def test_an_older_seat_asks_first(browser: Browser, page_file: Path) -> None:
    """A file of which the page knows nothing, and a turn in it: nothing is ordered before the
    other has said what came since; their program answers at once."""
    ann, ben = begun(browser, page_file)
    ben.answer("take", now=now(), data=ann.sends())
    while not ann.mine():
        told = ben.answer("state")
        while told["mine"]:
            told = ben.answer("order", now=now(), text=ben.answer("hint")["orders"])
        ann.takes(told["send"]["text"].encode())
        if not ann.mine():
            ben.answer("take", now=now(), data=ann.sends())
    name, old = ann.saves()
    ann.thinks()
    told = ben.answer("take", now=now(), data=ann.sends())
    later = Friend(browser.at(page_file), "ann")
    later.drop((name, old))
    later.wait("document.querySelector('#word')")
    later.fill(word=PASSPHRASE)
    later.tab.keys("Enter")
    later.wait(READY)
    assert later.tab.eval(f"{HEAD}.innerText") == "Ask first."
    assert "moves that you have sent since may be missing" in later.tab.text(".next")
    one_window(later.tab, "a question")
    told = ben.answer("take", now=now(), data=later.sends())
    assert "If you have sent moves since it was saved" in later.tab.text(".next")
    one_window(later.tab, "a question was sent")
    while told["mine"]:
        told = ben.answer("order", now=now(), text=ben.answer("hint")["orders"])
    assert told["send"]["what"] == "reply"
    later.takes(told["send"]["text"].encode())
    assert later.tab.eval("Page.game.current().step") >= told["step"]
    assert not later.tab.eval("Page.game.current().asking")
    quiet(later.tab)


def test_giving_up(browser: Browser, page_file: Path) -> None:
    """Whosever move it is: a sheet says what it does; then who gave up, and who won, on both
    screens, and neither shows what the other hides before both have opened."""
    ann, ben = begun(browser, page_file)
    ben.answer("take", now=now(), data=ann.sends())
    assert not ann.mine()
    ann.tap("[data-act=more]")
    assert not ann.has("[data-act=resign]")
    ann.tap("[data-act=give-up]")
    ann.wait("document.querySelector('dialog.ask')")
    sheet = ann.tab.text("dialog.ask")
    assert "ben wins" in sheet
    assert "cannot be undone" in sheet
    with ann.shown_anew():
        ann.tap("dialog.ask .row button")
    ann.wait("document.querySelector('[data-verdict]')")
    assert ann.tab.text(".won") == "You lost"
    assert "You gave up after move" in ann.tab.text(".why")
    assert ann.tab.eval(VERDICT) == "incomplete: ann gave it up; ben has yet to open"
    one_window(ann.tab, "given up")
    told = ben.answer("take", now=now(), data=ann.sends())
    assert told["ending"]["title"] == "You won"
    ann.takes(told["send"]["text"].encode())
    ann.wait(f"{VERDICT} === 'true, but look: ann gave it up; ben wins'")
    ann.tap("[data-act=watch]")
    ann.wait("document.querySelector('main').dataset.done")
    assert ann.tab.eval("document.querySelectorAll('[data-side]').length") == 3
    quiet(ann.tab)


def test_the_other_does_not_answer(browser: Browser, page_file: Path) -> None:
    """The end is offered once the time is over by this device's clock, and says what it means."""
    ann, ben = begun(browser, page_file)
    ben.answer("take", now=now(), data=ann.sends())
    ann.tap("[data-act=more]")
    ann.wait("document.querySelector('dialog')")
    assert not ann.has("[data-act=end]")
    ann.tab.keys("Escape")
    with ann.shown_anew():
        ann.tab.eval("Page.game.ask('state', {now: '2999-01-01T00:00:00Z'}).then(Page.game.show)")
    one_window(ann.tab, "late")
    ann.tap("[data-act=more]")
    ann.tab.eval(f"(() => {{ window.real = {CLOCK}; {CLOCK} = () => '2999-01-01T00:00:00'; }})()")
    ann.tap("dialog [data-act=end]")
    ann.wait("document.querySelector('dialog.ask')")
    assert "nobody has won" in ann.tab.text("dialog.ask")
    with ann.shown_anew():
        ann.tap("dialog.ask .row button")
    ann.wait("document.querySelector('[data-verdict]')")
    assert ann.tab.text(".won") == "Nobody won"
    assert "ben did not answer after move" in ann.tab.text(".why")
    assert ann.tab.eval(VERDICT).startswith("true, but look: disputed: ann ended after move")
    told = ben.answer("take", now=now(), data=ann.sends())
    assert told["ending"]["title"] == "Nobody won"
    assert ann.has("[data-act=take]")
    ann.takes(told["send"]["text"].encode())
    assert not ann.has("[data-act=take]")
    ann.tab.eval(f"(() => {{ {CLOCK} = window.real; }})()")
    quiet(ann.tab)


def test_a_lie_that_shows_at_once(browser: Browser, page_file: Path) -> None:
    """It is said, with the move; one's own side opens by itself, and the file names the liar."""
    (spelling,) = [lie for lie in LIES if lie.name == "spelling"]
    mallory = person("mallory", "wild", "1", Liar, lie=spelling)
    ann = Friend(browser.at(page_file), "ann")
    mallory.accept(ann.offers())
    assert isinstance(mallory, Liar)
    mallory.lied()
    ann.takes(mallory.at.block())
    while not mallory.told:
        ann.thinks()
        mallory.take(ann.sends())
        mallory.go_on()
        ann.takes(mallory.at.block())
    ann.wait("document.querySelector('[data-verdict]')")
    assert f"move {mallory.told}, signed by mallory" in ann.tab.text("body")
    one_window(ann.tab, "a lie")
    assert ann.tab.text(".won") == "mallory lied"
    assert ann.tab.eval(VERDICT).startswith(f"false: mallory lied in move {mallory.told}")
    quiet(ann.tab)


@pytest.mark.parametrize("name", ["silent-ships-print", "lied", "gave-up"])
def test_a_duel_is_watched(browser: Browser, page_file: Path, name: str) -> None:
    """A file of a duel dropped on the page: its verdict is the verifier's, and both sides show."""
    path = DUELS / f"{name}.zip"
    ann = Player(browser.at(page_file))
    ann.drop((path.name, path.read_bytes()))
    ann.wait("document.querySelector('main').dataset.done")
    assert ann.tab.eval(VERDICT) == SAID[name]
    if name == "silent-ships-print":
        ann.wait("document.querySelector('.knew')")
        one_window(ann.tab, name)
        for side in ("alice", "bob", "*"):
            ann.tap(f"[data-side='{side}']:not([aria-pressed=true])")
            ann.wait("document.querySelector('main').dataset.step")
    quiet(ann.tab)
