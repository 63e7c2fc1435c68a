"""A turn by mail in the page: links, pastes and wrong mails, what is kept, what goes out."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import Table
from page.browsers import Browser
from page.posted import PASSPHRASE, PRESS, Posted
from page.test_access import looked_at
from page.test_playing import WATCHED, Player, quiet
from page.web import Host

from adjudicator.mail import pasted
from adjudicator.page.play import Play
from adjudicator.player import safe
from adjudicator.store.clock import now

FIRST = ("--option", "first=alice")
CODES = re.compile(r"--[a-z]|\b(missing|malformed|no-seat|bad-[a-z]+|stale|gap|fork): ")
"""Words for scripts and for the command line, which nobody is told in the page."""


class UnderWay(NamedTuple):
    """A game after its first step. `kept`: alice's safe from before it; `mail`: the one with its
    entry; `own`: her order's."""

    posted: Posted
    kept: bytes
    mail: bytes
    own: bytes


def under_way(folder: Path, *options: str) -> UnderWay:
    """A game of Sugar Dog; alice is awaited."""
    posted = Posted(Table(folder), "sugar-dog", *FIRST, *options).begin()
    own = posted.order("alice", "start C4")["send"]["mail"]
    posted.order("bob", "start F6")
    kept = base64.b64decode(posted.desks["alice"].save()["data"])
    (mail,) = [one for one in posted.mails("alice") if b"Subject: [friday] entry 1" in one]
    return UnderWay(posted, kept, mail, base64.b64decode(own))


def linked(page: str, mail: bytes) -> str:
    """The link that a mail has, to that page."""
    (bundle,) = pasted.read(mail).bundles
    return pasted.link(page, bundle)


def test_a_turn_by_mail_in_five_taps(browser: Browser, web: Host, tmp_path: Path) -> None:
    """The link in the mail, a cell, Send orders, Send by mail, and Send in the mail program; this
    device opens the seat. The host takes what is pasted into the draft."""
    posted, kept, mail, _ = under_way(tmp_path)
    tab = browser.at(web.page)
    alice = Player(tab)
    alice.opens(("friday-alice.safe", kept))
    tab.run("await page.goto('about:blank');")
    tab.open(linked(web.page, mail))
    tab.eval(WATCHED)
    alice.wait("document.querySelector('.cell.may')")
    assert "take=" not in tab.eval("location.href")
    alice.tap(".cell.may")
    alice.tap("[data-act=send]:not(:disabled)")
    alice.wait("window.draft")
    assert 1 + tab.eval("taps") + 1 == 4
    draft = tab.eval("window.draft")
    assert draft.startswith("mailto:referee%40example.net?subject=Re%3A%20%5Bfriday%5D%20sealed")
    assert tab.text(".line-of").startswith("Your mail is ready. The text is copied: paste it there")
    posted.host.serve(alice.sends()[1][1])
    assert b"step 2, revision 1: accepted" in b"".join(posted.mails("alice"))
    assert tab.text(".clock b") == "Waiting for bob"
    assert web.asked == ["/page.html"] * len(web.asked)


def wrong_mails(game: UnderWay, folder: Path) -> dict[str, bytes]:
    """What may be dropped by mistake, by name; none of it may lock a seat."""
    posted, _, entry, own = game
    posted.host.run("resend", "all", "1", "-g", "friday", "-o", "public.txt")
    at = entry.index(b"digest: ") + 120
    other = Posted(Table(folder), "sugar-dog").begin()
    return {
        "another player's": next(one for one in posted.mails("bob") if b"] entry 1" in one),
        "another game's": other.mails("alice")[-1],
        "another invitation": other.mail("bob", "invite"),
        "damaged": entry[:at] + bytes([entry[at] ^ 1]) + entry[at + 1 :],
        "cut off": entry[: len(entry) // 2],
        "one's own": own,
        "another player's receipt": posted.mail("bob", "receipt"),
        "what everybody may see": (posted.host.root / "public.txt").read_bytes(),
        "words of the host's": next(one for one in posted.mails("alice") if b"joined" in one),
        "no mail": b"<b>Hello</b> alice, shall we play?",
        "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
    }


def test_no_wrong_mail_locks_a_seat(chromium: Browser, page_file: Path, tmp_path: Path) -> None:
    """Each dropped on a seat, saved, and opened again: the game is there, and what is said has no
    codes; in the browser at last the right mail heals all."""
    folder = tmp_path / "one"
    folder.mkdir()
    game = under_way(folder)
    other = tmp_path / "other"
    other.mkdir()
    alice = Player(chromium.at(page_file))
    tab = alice.tab
    alice.opens(("friday-alice.safe", game.kept))
    for name, mail in wrong_mails(game, other).items():
        tab.eval("(() => { Page.tell(null); window.before = Page.game.current(); })()")
        alice.drop(("wrong.eml", mail))
        tab.wait(
            "document.querySelector('dialog.ask[open]') || !Page.state.busy &&"
            " (!document.querySelector('#told').hidden || Page.game.current() !== before)"
        )
        if tab.eval("document.querySelector('dialog.ask[open]') !== null"):
            alice.press("Stay here")
        said = tab.text("body")
        assert CODES.search(said) is None, (name, said)
        assert tab.eval("document.querySelector('main').dataset.stage") == "play", (name, said)
        _, data = alice.saves()
        assert Play().open(now(), data, PASSPHRASE)["stage"] == "play"
    tab.eval("Page.go('home')")
    alice = Player(chromium.at(page_file))
    alice.opens(("friday-alice.safe", data), ("right.eml", game.mail))
    alice.wait("document.querySelector('.cell.may')")
    assert "missing" not in tab.text(".amiss")


def test_what_is_wrong_is_said_beside_the_field(
    chromium: Browser, page_file: Path, tmp_path: Path
) -> None:
    """A paste with nothing in it, a mail before its seat; gone at the next key; what was kept is
    taken in with the safe."""
    _, kept, mail, _ = under_way(tmp_path)
    alice = Player(chromium.at(page_file))
    tab = alice.tab
    alice.fill(paste="Hello")
    alice.tap("[data-act=take]")
    alice.wait("document.querySelector('#paste-error').innerText.includes('nothing from a game')")
    assert tab.eval("document.activeElement.id") == "paste"
    alice.fill(paste=" again")
    assert tab.eval("document.querySelector('#paste-error').hidden")
    alice.drop(("entry.eml", mail))
    alice.wait("document.querySelector('#paste-error').innerText.startsWith('Kept. Now open')")
    alice.opens(("friday-alice.safe", kept))
    alice.wait("document.querySelector('.past').innerText.includes('entry 1')")
    assert tab.eval("document.querySelector('#told').hidden")


def test_two_games_in_one_tab(
    chromium: Browser, page_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Both stand in the list by name; a mail finds its game, which asks for its passphrase."""
    first, second = (under_way(tmp_path_factory.mktemp(name)) for name in ("one", "two"))
    alice = Player(chromium.at(page_file))
    tab = alice.tab
    alice.opens(("friday-alice.safe", first.kept))
    alice.drop(("entry.eml", second.mail))
    alice.wait("document.querySelector('#told').innerText.includes('not open here. Kept. Now')")
    assert tab.eval("document.querySelector('main').dataset.stage") == "play"
    alice.opens(("friday-alice.safe", second.kept))
    alice.wait("document.querySelector('.past').innerText.includes('entry 1')")
    tab.eval("Page.mail.goHome()")
    alice.wait("document.querySelectorAll('.games li').length === 2")
    alice.drop(("entry.eml", first.mail))
    alice.press("Open that")
    alice.unlocks()
    alice.wait("document.querySelector('.past').innerText.includes('entry 1')")


def test_a_message_is_sealed_and_sent(chromium: Browser, page_file: Path, tmp_path: Path) -> None:
    """Written in the page, saved with the seat, taken by the host."""
    posted, kept, _, _ = under_way(tmp_path, *PRESS)
    alice = Player(chromium.at(page_file))
    alice.opens(("friday-alice.safe", kept))
    alice.tap("[data-act=more]")
    alice.tap("[data-act=letters]")
    alice.wait("document.querySelector('#to')")
    options = alice.tab.eval("[...document.querySelectorAll('#to option')].map((one) => one.value)")
    assert options == ["all", "bob", "host"]
    alice.fill(say="Truce?")
    alice.tap("dialog [data-act=say]")
    (name, data), (_, mail) = alice.sends()
    assert safe.read_head(data).name == "friday"
    posted.host.serve(mail)
    told = posted.desks["bob"].take(now(), posted.mail("bob", "letter"))
    assert "  Truce?" in told["lines"]
    assert name == "friday-alice.safe"


def test_a_seat_is_handed_on_by_a_tap(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """A join for one's own seat asks. Who keeps the seat has signed nothing; who agrees has a
    consent that the host takes, and once the host has ruled the page asks for no orders."""
    posted, kept, mail, _ = under_way(tmp_path)
    alice = Player(browser.at(page_file))
    alice.opens(("friday-alice.safe", kept), ("mail.eml", mail))
    alice.wait("document.querySelector('.deciding')")
    _, join = posted.heir("dora", "alice")
    for answer in ("Keep my seat", "I agree"):
        alice.wait("!document.querySelector('dialog')")
        alice.drop(("friday-alice-join.txt", join.encode()))
        alice.wait("document.querySelector('dialog')?.innerText.includes('by the key SHA256:')")
        looked_at(alice.tab, f"a seat is asked for, {answer}")
        alice.press(answer)
    alice.wait("document.querySelector('dialog [data-act=save-block]')")
    looked_at(alice.tab, "a consent")
    alice.tap("dialog [data-act=save-block]")
    assert alice.tab.eval("document.querySelector('dialog [data-act=mail]')") is None
    ((name, consent),) = alice.saved(1)
    assert name == "friday-alice-consent.txt"
    assert "alice signed that" in posted.hand_on(join, consent.decode())
    alice.take(posted.mails("alice"))
    alice.stage("left")
    looked_at(alice.tab, "a seat that was handed on")
    assert "your key signed that" in alice.tab.text("main .error")
    assert not alice.mine()
    quiet(alice.tab)
