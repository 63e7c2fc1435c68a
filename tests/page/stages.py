"""Brings a page to each stage of a game and names it: a duel, a game by mail, and one against the
computer. Whoever plays against the page plays at a desk, as the game's bot would."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from page.posted import PASSPHRASE, Posted
from page.test_duel import READY, Friend
from page.test_playing import Player, fresh

from adjudicator.page.play import Play
from adjudicator.store.clock import now

TURNS = 4
"""So many orders are given by the page before it resigns."""

WAYS = ("refused", "copied", "shared", "copied")
"""On which way each of them leaves in a duel, see `Friend.leaving`."""

ASKED = """
new Promise((done) => setTimeout(() => done(document.querySelector("dialog") !== null)))
"""
"""Whether something is asked once all that was to come at once has come."""


class Walker:
    """Somebody at the page; each of their stages is named once."""

    def __init__(self, player: Player) -> None:
        self.player, self.tab = player, player.tab
        self.seen: set[str] = set()
        self.orders = 0

    def at(self, stage: str) -> Iterator[str]:
        """The stage, the first time."""
        if stage not in self.seen:
            self.seen.add(stage)
            self.player.wait("!Page.state.busy")
            yield stage

    def plays(self) -> Iterator[str]:
        """Plan what the bot would order, and send it; after some turns resign."""
        self.player.planned()
        asked = self.tab.text(".clock b")
        stage = "decide" if asked == "Your turn" else asked
        yield from self.at(stage)
        self.orders += 1
        if self.orders > TURNS:
            with self.player.shown_anew():
                self.player.typed("resign")
            return
        self.player.advised()
        yield from self.at(f"{stage}, planned")
        with self.player.shown_anew():
            self.player.sent_all_the_same()


def alone(player: Player, game: str, seed: int) -> Iterator[str]:
    """A game against the computer."""
    walker = Walker(player)
    player.against(game, "random", seed)
    while not player.has(".won"):
        yield from walker.plays()
    player.verified()
    yield "over"


def orders(desk: Play, told: dict[str, Any]) -> bytes:
    """Order at a desk as the bot would, as long as orders are asked, or stay where that is a line
    of the game, so that nobody is hit: what leaves."""
    while told["mine"]:
        acts = desk.answer("plan", lines=[])["acts"]
        stays = [one["text"] for one in acts if one["verb"] == "stay"]
        text = stays[0] if stays else desk.answer("hint")["orders"]
        told = desk.answer("order", now=now(), text=text)
    return str(told["send"]["text"]).encode()


def duel(ann: Friend, game: str) -> Iterator[str]:
    """A duel that the page offers; what leaves stays first, is then copied, then shared."""
    walker, ben = Walker(ann), Play()
    seat = {"now": now(), "name": "ben", "passphrase": PASSPHRASE}
    ann.leaving("refused")
    ann.offering(game)
    yield "an offer is made"
    with ann.shown_anew():
        ann.seat_only("offer")
    ann.wait(READY)
    if ann.mine():
        yield "set-up"
        ann.tap(".cell.may")
        ann.wait("document.querySelector('.line')")
        yield "set-up, planned"
        with ann.shown_anew():
            ann.sent()
        ann.wait("document.querySelector('.line-of')")
    yield "an offer to be sent"
    ann.leaving("shared")
    ben.answer("take", now=now(), data=ann.sends())
    yield "an offer was sent"
    block = orders(ben, ben.answer("accept", **seat))
    while not ann.over():
        ann.takes(block)
        if not (ann.mine() or ann.over()):
            yield from walker.at("nothing to decide")
        while ann.mine():
            ann.leaving(WAYS[walker.orders % len(WAYS)])
            yield from walker.plays()
            # After the third order, a setup among them, the page asks whether to keep the seat.
            if ann.tab.eval(ASKED):
                yield from walker.at("a seat to be kept")
                ann.tab.eval("Page.shut()")
        if ann.over():
            break
        if ann.unsent():
            yield from walker.at("sealed, not sent")
            ann.leaving("copied")
        told = ben.answer("take", now=now(), data=ann.sends())
        yield from walker.at(ann.tab.text(".line-of b"))
        if "opening" not in walker.seen:
            ann.tab.eval("(() => { window.real = Page.game.current(); })()")
            ann.tab.eval("Page.game.show({...real, stage: 'opening'})")
            yield from walker.at("opening")
            ann.tab.eval("Page.game.show(real)")
        block = orders(ben, told)
    yield "over, not open"
    ann.leaving("copied")
    told = ben.answer("take", now=now(), data=ann.sends())
    yield "over, sent"
    ann.takes(str(told["send"]["text"]).encode())
    ann.verified()
    yield "over"
    ann.tab.eval("Page.mail.leave().then(() => Page.go('home'))")
    ben.answer("close")
    ann.takes(orders(ben, ben.answer("offer", game=game, **seat)))
    yield "an offer came"


def mailed(alice: Player, posted: Posted) -> Iterator[str]:
    """A game by mail, in the page as alice; bob gives up only after her."""
    walker, bob, seen = Walker(alice), posted.desks["bob"], set[bytes]()
    token = bob.take(now(), posted.mail("bob", "invite"))["token"]
    joins = bob.join(now(), "bob", PASSPHRASE, "bob@example.org", token)["send"]["mail"]
    alice.take(fresh(posted, "alice", seen))
    yield "invited"
    alice.fill(name="alice", address="alice@example.org", word=PASSPHRASE)
    alice.press("Join")
    alice.stage("joined")
    yield "joined, not sent"
    _, (_, mail) = alice.sends()
    yield "joined"
    posted.host.serve(mail, base64.b64decode(joins))
    while True:
        alice.take(fresh(posted, "alice", seen))
        for one in posted.mails("bob"):
            told = bob.take(now(), one)
        if told["stage"] == "over":
            break
        if alice.mine():
            yield from walker.plays()
            yield from walker.at("sealed, not sent")
            _, (_, mail) = alice.sends()
            yield from walker.at("sent")
            posted.host.serve(mail)
            alice.take(fresh(posted, "alice", seen))
        if not alice.has(".won"):
            yield from walker.at("waiting")
        if bob.state()["mine"]:
            posted.order("bob", bob.hint()["orders"])
    alice.verified()
    yield "over"
