"""A duel at the page's desks: two sides, nothing between them but blocks of text."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from duel.hosted import drawn
from generate import suite
from page.posted import PASSPHRASE

from adjudicator.duel.again import Lie
from adjudicator.page import duel, watch
from adjudicator.page.desk import EARLY
from adjudicator.page.play import Play
from adjudicator.player import safe
from adjudicator.store.pack import Pack
from adjudicator.verifier.duel import verify
from adjudicator.words.duel import why
from games.game import OrderError
from orders import names
from orders.duel import open_block, read_block
from orders.errors import Refused

DUELS = suite.SUITE / "duels"
SAID = {row["id"].removeprefix("duels/"): row["told"]["verdict"] for row in suite.rows("duels")}
NOW = "2026-11-23T08:00:00Z"
LATE = "2026-12-23T08:00:00Z"
SAME = "Nothing in your game has changed."


@pytest.fixture(autouse=True)
def _quick_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of a passphrase at once."""
    monkeypatch.setattr(safe, "PASSES", 1)
    monkeypatch.setattr(safe, "KIBIBYTES", 64)


@pytest.fixture(autouse=True)
def _the_same_duel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and secrets that are drawn are the same each time: so is the duel that comes of them."""
    secrets = (drawn(f"page/{number}") for number in count())
    monkeypatch.setattr(duel, "draw_secret", lambda: next(secrets))


OTHER = {"ann": "ben", "ben": "ann"}


class Pair:
    """Ann, who offers, and Ben: a desk and the last state of each."""

    def __init__(self, *options: str) -> None:
        self.desks = {"ann": Play(), "ben": Play()}
        self.at: dict[str, Any] = {}
        self.mover = "ann"
        self.call("ann", "offer", now=NOW, game="silent-ships", name="ann", passphrase=PASSPHRASE,
                  options=options)  # fmt: skip
        self.passes("ann")
        self.call("ben", "accept", now=NOW, name="ben", passphrase=PASSPHRASE)
        self.passes("ben")

    def call(self, name: str, what: str, /, **given: Any) -> dict[str, Any]:
        """A call at somebody's desk; their state is what it tells."""
        self.at[name] = self.desks[name].answer(what, **given)
        json.dumps(self.at[name])
        return self.at[name]  # type: ignore[no-any-return]

    def block(self, name: str) -> bytes:
        """What somebody sends now."""
        return str(self.at[name]["send"]["text"]).encode()

    def passes(self, name: str) -> dict[str, Any]:
        """What somebody sends comes to the other."""
        return self.gets(OTHER[name], self.block(name))

    def gets(self, name: str, data: bytes) -> dict[str, Any]:
        """Data comes to somebody."""
        return self.call(name, "take", now=NOW, data=data)

    def orders(self, name: str, text: str | None = None) -> None:
        """Somebody orders until the other is awaited, as the bot would if no text is given."""
        while self.at[name]["mine"]:
            given = text or self.desks[name].answer("hint")["orders"]
            self.call(name, "order", now=NOW, text=given)

    def moves(self, count: int) -> Iterator[str]:
        """So many moves; each time who has just made one, before it is sent."""
        for _ in range(count):
            self.orders(self.mover)
            yield self.mover
            self.passes(self.mover)
            self.mover = OTHER[self.mover]

    def asked(self) -> str:
        """Play until somebody is asked for orders: their name."""
        while not self.at[self.mover]["mine"]:
            for _ in self.moves(1):
                pass
        return self.mover

    def resigns(self) -> str:
        """Whoever is asked next gives up, and both open; returns their name."""
        loser = self.asked()
        self.orders(loser, "resign")
        self.passes(loser)
        self.passes(OTHER[loser])
        return loser


@pytest.fixture
def pair() -> Pair:
    """A duel that has begun."""
    return Pair()


@pytest.mark.parametrize("first", ["ann", "ben"])
def test_who_goes_first_changes_in_the_rematch(first: str) -> None:
    """Who offers may name either; who accepts sees it, and has the name that the offer is for."""
    desk = Play()
    offer = desk.answer("offer", now=NOW, game="silent-ships", name="ann", passphrase=PASSPHRASE,
                        options=[f"first={first}"])  # fmt: skip
    other = Play()
    told = other.answer("take", now=NOW, data=offer["send"]["text"].encode())
    assert ["who goes first", first] in told["options"]
    assert told["named"] == ("ben" if first == "ben" else "")
    if first == "ben":
        with pytest.raises(Refused, match="This offer is for ben: take that name"):
            other.answer("accept", now=NOW, name="bob", passphrase=PASSPHRASE)
    pair = Pair(f"first={first}")
    assert pair.asked() == first
    pair.resigns()
    for name in OTHER:
        assert pair.at[name]["rematch"] == [f"first={OTHER[first]}"]


def test_a_match_of_two() -> None:
    """Who offers goes first; who has accepted offers the second game, with the same key and the
    same passphrase, and goes first in that; both are told what it is before they accept it."""
    desk = Play()
    offer = desk.answer("offer", now=NOW, game="silent-ships", name="ann", passphrase=PASSPHRASE,
                        options=["match=first"])  # fmt: skip
    told = Play().answer("take", now=NOW, data=offer["send"]["text"].encode())
    assert told["match"].startswith("the first game of a match of two")
    assert ["who goes first", "ann"] in told["options"]
    pair = Pair("match=first")
    assert pair.asked() == "ann"
    pair.resigns()
    assert [pair.at[name]["second"] for name in OTHER] == [False, True]
    said = "ben offers the second game of the match."
    assert [said in pair.at[name]["ending"]["says"] for name in OTHER] == [True, False]
    with pytest.raises(Refused, match="Who has accepted the first game of a match offers"):
        pair.desks["ann"].answer("second", now=NOW)
    both, first = pair.at["ben"]["members"], pair.desks["ben"].duel._party.row
    told = pair.call("ben", "second", now=NOW)
    assert told["members"] == both[1:]
    assert f"match={first.accepted}" in told["given"]
    kept = base64.b64decode(pair.desks["ben"].answer("save")["data"])
    again = Play().answer("open", now=NOW, data=kept, passphrase=PASSPHRASE)
    assert again["given"] == told["given"]
    pair.desks["ann"] = Play()
    pair.passes("ben")
    assert f"seen only with the first, {first.accepted[:16]}" in pair.at["ann"]["match"]
    assert ["who goes first", "ben"] in pair.at["ann"]["options"]
    pair.call("ann", "accept", now=NOW, name="ann", passphrase=PASSPHRASE)
    pair.mover = "ben"
    pair.passes("ann")
    assert pair.asked() == "ben"
    pair.resigns()
    assert [pair.at[name]["second"] for name in OTHER] == [None, None]


def test_a_duel(pair: Pair) -> None:
    """Offer, accept, moves, answers that nobody decides; both open, and the file is true."""
    kinds = set()
    for mover in pair.moves(12):
        kinds.add(pair.at[mover]["send"]["what"])
        assert pair.at[mover]["stage"] == "play"
    assert kinds == {"orders", "answer"}
    loser = pair.resigns()
    for name, desk in pair.desks.items():
        told = pair.at[name]
        winner = OTHER[loser]
        assert (told["stage"], told["outcome"]) == ("over", f"{winner} won")
        assert told["why"] == ("You resigned." if name == loser else f"{loser} resigned.")
        assert told["why_all"] == f"{loser} resigned."
        found = desk.answer("verdict")
        assert (found["code"], found["verdict"]) == (0, f"true: {winner} won, and neither lied")
        held = Pack.of(base64.b64decode(desk.answer("packed")["data"]))
        assert verify(held).verdict == found["verdict"]
        assert desk.answer("end")["pieces"]
        (*_, last) = desk.answer("loud")
        assert last["decided"]
        moment = desk.answer("moment", step=last["step"])
        assert last["text"] in [one["text"] for one in moment["told"]]
        assert len(desk.answer("log")) == len(told["since"]) + told["since"][0]["step"] - 1


def test_a_turn_of_a_duel_is_played(pair: Pair) -> None:
    """As one with a host: the last board is the one that stands there."""
    list(pair.moves(8))
    for name in OTHER:
        told, entries = pair.at[name], pair.desks[name].answer("boards")
        assert [one["step"] for one in entries] == [one["step"] for one in told["since"]]
        assert entries[-1]["told"][-1]["chart"] == told["chart"]


def test_what_the_page_is_told_hides_what_it_must(pair: Pair) -> None:
    """No secret of either side, and of the other's cards nothing."""
    for mover in pair.moves(6):
        asked = [pair.desks[mover].answer(name) for name in ("log", "boards")]
        told = json.dumps([pair.at[mover], *asked])
        for desk in pair.desks.values():
            assert desk.duel.table is not None
            assert desk.duel.table.party.secret.hex not in told


def offered(*options: str) -> tuple[Play, bytes]:
    """Ann's desk, and the offer that she sends."""
    desk = Play()
    told = desk.answer("offer", now=NOW, game="silent-ships", name="ann", passphrase=PASSPHRASE,
                       options=options)  # fmt: skip
    return desk, told["send"]["text"].encode()


def test_an_offer_is_looked_at_before_it_is_accepted() -> None:
    """Its options in words, who offers, and the fingerprint of their key."""
    _, block = offered("edition=2021-09-12", "turn_time=1d")
    desk = Play()
    told = desk.answer("take", now=NOW, data=block)
    assert (told["stage"], told["title"]) == ("offer", "Silent Ships")
    assert told["given"] == ["edition=2021-09-12", "turn_time=1d"]
    assert ["time for a step's orders", "1d"] in told["options"]
    assert not any("resign" in value for _, value in told["options"])
    ((name, key),) = told["members"]
    assert (name, key[:7]) == ("ann", "SHA256:")
    with pytest.raises(Refused, match="already the name of who offers"):
        desk.answer("accept", now=NOW, name="ann", passphrase=PASSPHRASE)
    assert desk.answer("accept", now=NOW, name="ben", passphrase=PASSPHRASE)["stage"] == "offered"


def test_what_was_placed_is_seen_before_the_game() -> None:
    """As the game offers it, so that it can be drawn, to whoever placed it and to nobody else."""
    desk = Play()
    desk.answer("offer", now=NOW, game="sugar-dog", name="ann", passphrase=PASSPHRASE)
    told = desk.answer("order", now=NOW, text="START c3")
    assert (told["stage"], told["ordered"]) == ("offered", ["start C3"])
    (planned,) = desk.answer("plan", lines=told["ordered"])["planned"]
    assert (planned["to"], len(told["chart"]["cells"])) == (("C3",), 36)
    assert "ordered" not in Play().answer("take", now=NOW, data=told["send"]["text"].encode())


def test_an_offer_is_for_one() -> None:
    """A second accept is refused, in words."""
    ann, block = offered()
    accepts = []
    for name in ("ben", "eve"):
        desk = Play()
        desk.answer("take", now=NOW, data=block)
        told = desk.answer("accept", now=NOW, name=name, passphrase=PASSPHRASE)
        accepts.append(told["send"]["text"].encode())
    assert ann.answer("take", now=NOW, data=accepts[0])["stage"] == "play"
    told = ann.answer("take", now=NOW, data=accepts[1])
    assert told["warnings"] == [
        f"ben has accepted this offer already: make a new one for each friend. {SAME}"
    ]


def test_a_seat_brings_all_back(pair: Pair) -> None:
    """A safe saved in the middle opens to the same; an older one with the other's file as well."""
    kept: dict[int, bytes] = {}
    for at, mover in enumerate(pair.moves(8)):
        if mover == "ann":
            kept[at] = base64.b64decode(pair.desks["ann"].answer("save")["data"])
    pair.call("ann", "save")
    before = pair.call("ann", "state", now=NOW)
    (newest, *_) = reversed(kept.values())
    again = Play()
    again.answer("open", now=NOW, data=newest, passphrase=PASSPHRASE)
    file = base64.b64decode(pair.desks["ben"].answer("packed")["data"])
    told = again.answer("take", now=NOW, data=file)
    same = ("step", "chart", "hand", "mine", "send", "since")
    assert [told[key] for key in same] == [before[key] for key in same]
    oldest = next(iter(kept.values()))
    lost = Play()
    lost.answer("open", now=NOW, data=oldest, passphrase=PASSPHRASE)
    told = lost.answer("take", now=NOW, data=file)
    assert [told[key] for key in same] == [before[key] for key in same]
    with pytest.raises(Refused, match="older and lacks"):
        lost.answer("save")
        lost.answer("open", now=NOW, data=oldest, passphrase=PASSPHRASE)


def test_what_is_wrong_changes_nothing(pair: Pair) -> None:
    """One's own, another duel's, a damaged one, words, an old one: each is told in words, and the
    game is as it was."""
    sent = [(mover, pair.block(mover)) for mover in pair.moves(4)]
    other = Pair()
    (foreign,) = [other.block(mover) for mover in other.moves(1)]
    reader = pair.mover
    pair.orders(reader)
    before = pair.call(reader, "state", now=NOW)
    last = read_block(sent[-1][1])
    changed = last.sealed[:1_000] + bytes([last.sealed[1_000] ^ 1]) + last.sealed[1_001:]
    broken = open_block({f"{last.duel}/{last.number:04d}.sealed": changed})
    cases = [
        (pair.block(reader), f"it is one of your own. Send it to them. {SAME}"),
        *((block, "it is one of your own") for name, block in sent if name == reader),
        (broken, "This does not open: a part of it was changed on its way"),
        (foreign, f"This is of another duel. {SAME}"),
        (sent[-1][1][:-100] + sent[-1][1][-99:], "A part of this is missing or was changed"),
        (b"good luck!", "There is nothing from a duel in this text."),
    ]
    cases += [(block, "That was here already") for name, block in sent if name != reader]
    for data, words in cases:
        told = pair.gets(reader, data)
        assert words in " ".join(told.pop("warnings") + told.pop("lines")), words
        assert told == before
    told = Play().answer("take", now=NOW, data=sent[0][1])
    assert told["warnings"] == [EARLY]


def older(pair: Pair) -> tuple[Play, dict[str, Any]]:
    """Ann's desk as a safe from the middle opens it, on a device that knows nothing of the seat,
    with what it shows; meanwhile the duel went on, and Ben is asked for orders."""
    while pair.asked() != "ann":
        for _ in pair.moves(1):
            pass
    old = base64.b64decode(pair.desks["ann"].answer("save")["data"])
    for _ in pair.moves(4):
        pass
    while pair.asked() == "ann":
        for _ in pair.moves(1):
            pass
    lost = Play()
    lost.answer("open", now=NOW, data=old, passphrase=PASSPHRASE)
    return lost, lost.answer("request", now=NOW, opened=True)


def test_an_older_seat_asks_first(pair: Pair) -> None:
    """A file of which nothing is known is not ordered in before the other has said what came after
    it; their answer is made at once, and brings all back. A newer seat than that is not asked."""
    lost, told = older(pair)
    assert (told["asking"], told["mine"], told["send"]["what"]) == (True, False, "request")
    with pytest.raises(Refused, match="ben comes first"):
        lost.answer("order", now=NOW, text="end")
    now_ben = pair.gets("ben", told["send"]["text"].encode())
    assert now_ben["warnings"] == []
    assert now_ben["lines"] == ["ann lacks moves that are here: they leave with your orders."]
    pair.orders("ben")
    assert pair.at["ben"]["send"]["what"] == "reply"
    back = lost.answer("take", now=NOW, data=pair.block("ben"))
    assert not back["asking"]
    assert back["step"] >= pair.at["ben"]["step"]
    assert back["mine"] or back["send"]["what"] != "request"
    again = pair.gets("ben", told["send"]["text"].encode())
    (line,) = again["lines"]
    assert line == "That was here already: what they may lack is ready to send."
    assert again["send"]["what"] == "reply"
    pair.desks["ann"] = lost
    pair.at["ann"] = back
    pair.mover = "ann"
    pair.resigns()
    assert pair.desks["ben"].answer("verdict")["verdict"].endswith("won, and neither lied")


def test_an_older_seat_that_is_shown_a_later_move_asks(pair: Pair) -> None:
    """Also where its owner has said that nothing is missing; they may go on without an answer."""
    lost, _ = older(pair)
    assert lost.answer("go_on", now=NOW)["mine"]
    pair.orders("ann")
    pair.passes("ann")
    while pair.at["ben"]["send"] is None:
        pair.orders("ben")
    told = lost.answer("take", now=NOW, data=pair.block("ben"))
    assert told["warnings"] == [
        "This follows moves that are not here: your seat is older. Ask ben for them first."
    ]
    assert (told["asking"], told["mine"], told["send"]["what"]) == (True, False, "request")
    assert told["changed"]
    safe_of = base64.b64decode(lost.answer("save")["data"])
    again = Play()
    assert again.answer("open", now=NOW, data=safe_of, passphrase=PASSPHRASE)["asking"]
    assert again.answer("go_on", now=NOW)["mine"]


def test_two_moves_of_one_number_harm_nobody(pair: Pair) -> None:
    """Whoever ordered anew what they had sent is shown what the other has, and adopts their own
    first move; orders that never left are told. A safe and the file hold both moves."""
    lost, _ = older(pair)
    told = lost.answer("go_on", now=NOW)
    while told["mine"]:
        text = lost.answer("hint")["orders"]
        told = lost.answer("order", now=NOW, text="end" if text.endswith("end\n") else text)
    shown = pair.gets("ben", told["send"]["text"].encode())
    assert shown["warnings"] == []
    assert shown["stage"] == "play"
    if shown["mine"]:
        pair.orders("ben")
    assert pair.at["ben"]["send"]["what"] == "reply"
    back = lost.answer("take", now=NOW, data=pair.block("ben"))
    assert back["step"] >= pair.at["ben"]["step"]
    kept = base64.b64decode(lost.answer("save")["data"])
    again = Play()
    assert again.answer("open", now=NOW, data=kept, passphrase=PASSPHRASE)["step"] == back["step"]
    for desk in (again, pair.desks["ben"]):
        held = Pack.of(base64.b64decode(desk.answer("packed")["data"]))
        moves = [path for path in held.paths() if path.startswith("moves/")]
        numbers = {path[:10] for path in moves if path.endswith(".toml")}
        assert len(numbers) == len(moves) / 2 - 1
        assert verify(held).code in (0, 4)


def test_an_older_offer_takes_an_accept_on_its_owners_word() -> None:
    """Somebody else may have accepted after it was saved."""
    ann, block = offered()
    kept = base64.b64decode(ann.answer("save")["data"])
    ben, eve = Play(), Play()
    ben.answer("take", now=NOW, data=block)
    accept = ben.answer("accept", now=NOW, name="ben", passphrase=PASSPHRASE)["send"]["text"]
    eve.answer("open", now=NOW, data=kept, passphrase=PASSPHRASE)
    told = eve.answer("request", now=NOW, opened=True)
    assert (told["stage"], told["asking"], told["send"]["what"]) == ("offered", True, "offer")
    told = eve.answer("take", now=NOW, data=accept.encode())
    assert told["warnings"] == [f"Say first that nobody else has accepted your offer. {SAME}"]
    eve.answer("go_on", now=NOW)
    assert eve.answer("take", now=NOW, data=accept.encode())["stage"] == "play"


def test_who_does_not_answer(pair: Pair) -> None:
    """Not before the time is over by one's own clock; then this side opens, and what cannot be
    decided is said to both, in words. Neither sees what the other hid before both have opened."""
    (*_, waits) = pair.moves(3)
    rival = OTHER[waits]
    with pytest.raises(Refused, match="has time for the move"):
        pair.call(waits, "end_duel", now=NOW, gives_up=False)
    assert not pair.call(waits, "state", now=NOW)["late"]
    told = pair.call(waits, "state", now=LATE)
    assert (told["late"], told["ending"]) == (True, None)
    told = pair.call(waits, "end_duel", now=LATE, gives_up=False)
    number = told["step"]
    assert (told["stage"], told["send"]["what"], told["awaited"]) == ("over", "end", [])
    assert told["ending"]["title"] == "Nobody won"
    assert told["ending"]["says"][-1] == f"Once {rival} has opened too, both sides are compared."
    assert told["ending"]["awaited"]
    assert told["why"] == told["why_all"] == f"{rival} did not answer after move {number}."
    assert "disputed" in pair.desks[waits].answer("verdict")["verdict"]
    with pytest.raises(Refused, match="not both have opened"):
        pair.desks[waits].answer("end")
    told = pair.passes(waits)
    assert (told["stage"], told["send"]["what"]) == ("over", "end")
    assert told["ending"]["title"] == "Nobody won"
    assert told["why"] == told["why_all"] == "Both ended it before it was over."
    assert not pair.passes(rival)["ending"]["awaited"]
    for desk in pair.desks.values():
        assert desk.answer("end")["pieces"]
        assert desk.answer("verdict")["code"] == 3


@pytest.mark.parametrize("mine", [True, False])
def test_giving_up(pair: Pair, *, mine: bool) -> None:
    """At any time, whosever move it is: the other has won, and both sides open."""
    pair.asked()
    loser = pair.mover if mine else OTHER[pair.mover]
    winner = OTHER[loser]
    told = pair.call(loser, "end_duel", now=NOW, gives_up=True)
    number = told["step"]
    assert (told["stage"], told["mine"], told["send"]["what"]) == ("over", False, "end")
    assert told["ending"]["title"] == "You lost"
    assert told["why"] == f"You gave up after move {number}."
    assert told["why_all"] == f"{loser} gave up after move {number}."
    found = pair.desks[loser].answer("verdict")
    assert (found["code"], found["verdict"]) == (
        4, f"incomplete: {loser} gave it up; {winner} has yet to open",
    )  # fmt: skip
    with pytest.raises(Refused, match="you have ended this duel already"):
        pair.call(loser, "end_duel", now=NOW, gives_up=True)
    told = pair.passes(loser)
    assert told["ending"]["title"] == "You won"
    assert told["why"] == told["why_all"] == f"{loser} gave up after move {number}."
    assert pair.passes(winner)["ending"] == {"title": "You lost", "says": [], "awaited": False}
    for desk in pair.desks.values():
        found = desk.answer("verdict")
        assert (found["code"], found["verdict"]) == (
            3, f"true, but look: {loser} gave it up; {winner} wins",
        )  # fmt: skip
    data = base64.b64decode(pair.desks[loser].answer("packed")["data"])
    assert watch.open_record("duel.zip", data)["standing"] == f"{loser} gave it up; {winner} wins"
    assert watch.verify()["verdict"] == found["verdict"]


def test_a_lie_is_why(pair: Pair) -> None:
    """Who lied, and where it is written, to each and to everybody."""
    list(pair.moves(2))
    table = pair.desks["ann"].duel.table
    assert table is not None
    told = []
    for reader in ("ann", "ben", None):
        party = SimpleNamespace(row=table.party.row, side=None, ends=(), lie=Lie(3, "ben", "no"))
        told.append(why(party, reader))  # type: ignore[arg-type]
    assert told == ["ben lied in move 3.", "You lied in move 3.", "ben lied in move 3."]


def test_nobody_gives_up_what_has_not_begun() -> None:
    """There is nothing to end before the first move."""
    ann, block = offered()
    ben = Play()
    ben.answer("take", now=NOW, data=block)
    ben.answer("accept", now=NOW, name="ben", passphrase=PASSPHRASE)
    for desk in (ann, ben):
        with pytest.raises(Refused, match="the duel has not begun"):
            desk.answer("end_duel", now=NOW, gives_up=True)


def test_orders_that_are_too_long(pair: Pair) -> None:
    """More than one sealed box holds is refused where it is written, and nothing has changed."""
    mover = pair.asked()
    before = pair.at[mover]
    text = "\n".join(["play frigate on"] * 40)
    for call in ("check", "order"):
        given = {} if call == "check" else {"now": NOW}
        with pytest.raises(Refused, match="characters: a duel takes") as refused:
            pair.desks[mover].answer(call, text=text, **given)
        assert refused.value.word == "too-big"
    assert before.items() >= pair.call(mover, "state", now=NOW).items()


def test_several_blocks_at_once(pair: Pair) -> None:
    """In any order, and with one's own quoted below, as a reply has it."""
    for _ in pair.moves(3):
        pass
    old = base64.b64decode(pair.desks["ann"].answer("save")["data"])
    own = pair.block("ann")
    theirs: list[bytes] = []
    while len(theirs) < 2:
        for mover in pair.moves(1):
            theirs += [pair.block("ben")] * (mover == "ben")
    quoted = b"".join(b"> " + line + b"\n" for line in own.splitlines())
    once = Play()
    once.answer("open", now=NOW, data=old, passphrase=PASSPHRASE)
    told = once.answer("take", now=NOW, data=b"Hi Ann!\n" + theirs[0] + b"\nBen\n" + quoted)
    assert told["warnings"] == told["lines"] == []
    again = Play()
    again.answer("open", now=NOW, data=old, passphrase=PASSPHRASE)
    told = again.answer("take", now=NOW, data=theirs[1] + b"\n" + theirs[0])
    assert (
        told["warnings"]
        == ["This follows moves that are not here: your seat is older. Ask ben for them first."]
        * told["asking"]
    )
    assert told["step"] > once.answer("state", now=NOW)["step"] - 1


def test_orders_that_are_wrong(pair: Pair) -> None:
    """Refused as in every game, and nothing has changed."""
    mover = pair.asked()
    before = pair.at[mover]
    with pytest.raises(OrderError):
        pair.call(mover, "order", now=NOW, text="move Z9 Z8")
    assert before.items() >= pair.call(mover, "state", now=NOW).items()
    assert pair.desks[mover].answer("plan", lines=[])["acts"]


def test_a_command_unpacks_the_pages_side(pair: Pair) -> None:
    """The safe has the parts of one that `backup` makes, and the documents are a duel's."""
    data = base64.b64decode(pair.desks["ann"].answer("save")["data"])
    _, held = safe.open_with(data, PASSPHRASE)
    assert {"duel/me.toml", "duel/key", f"duel/{names.OFFER}"} <= held.keys()


def test_watching(pair: Pair) -> None:
    """The file of a duel that is over: both sides step by step, what each could know, and what was
    so; the verdict is the verifier's."""
    for _ in pair.moves(4):
        pass
    pair.resigns()
    data = base64.b64decode(pair.desks["ann"].answer("packed")["data"])
    told = watch.open_record("duel.zip", data)
    assert sorted(told["eyes"]) == sorted(told["players"]) == ["ann", "ben"]
    assert told["revealed"]
    assert len(told["entries"]) == told["last"] + 1
    for step in range(told["last"] + 1):
        shown = watch.step(step)
        assert [one["who"] for one in shown["boards"]] == ["=", *told["eyes"]]
        for name in told["eyes"]:
            known = watch.known(step, name)
            json.dumps([shown, known])
            # What can be is never ruled out.
            assert all(one["truth"] in one["may"] or one["many"] > 1 for one in known["may"])
    assert watch.verify()["verdict"].endswith("won, and neither lied")


@pytest.mark.parametrize("name", [name for name in SAID if not SAID[name].endswith("neither lied")])
def test_any_duel_is_watched(name: str) -> None:
    """A liar's, one that was given up, one that only one has opened: whoever opened is shown."""
    told = watch.open_record(name, (DUELS / f"{name}.zip").read_bytes())
    assert told["eyes"]
    for step in (0, told["last"]):
        assert watch.step(step)["boards"]
        assert "may" in watch.known(step, told["eyes"][0])
    assert watch.verify()["verdict"] == SAID[name]


def test_a_duel_that_begins_with_orders() -> None:
    """In Sugar Dog both choose a cell before anything leaves; then it is played as any other."""
    given = {"now": NOW, "game": "sugar-dog", "passphrase": PASSPHRASE}
    desks_of = {"ann": Play(), "ben": Play()}
    told = desks_of["ann"].answer("offer", name="ann", **given)
    assert (told["stage"], told["id"], told["mine"], told["send"]) == ("play", "setup", True, None)
    assert desks_of["ann"].answer("plan", lines=[])["acts"]
    with pytest.raises(OrderError):
        desks_of["ann"].answer("order", now=NOW, text="start Z9")
    told = desks_of["ann"].answer("order", now=NOW, text="start C3")
    assert (told["stage"], told["send"]["what"]) == ("offered", "offer")
    ben = desks_of["ben"]
    ben.answer("take", now=NOW, data=told["send"]["text"].encode())
    assert ben.answer("accept", now=NOW, name="ben", passphrase=PASSPHRASE)["id"] == "setup"
    told = ben.answer("order", now=NOW, text=ben.answer("hint")["orders"])
    mover = "ann"
    for _ in range(30):
        told = desks_of[mover].answer("take", now=NOW, data=told["send"]["text"].encode())
        assert not told["warnings"]
        while told["stage"] == "play" and told["mine"]:
            text = "resign" if told["step"] > 12 else desks_of[mover].answer("hint")["orders"]
            told = desks_of[mover].answer("order", now=NOW, text=text)
        if told["stage"] == "over" and not told["ending"]["awaited"]:
            break
        mover = OTHER[mover]
    assert desks_of[mover].answer("verdict")["code"] == 0


def test_standing_orders_are_asked_in_a_duel(pair: Pair) -> None:
    """As in a hosted game, with what stands; a new one is sent along with orders."""
    mover = pair.asked()
    told = {one["line"]: one["now"] for one in pair.at[mover]["asked"]}
    assert told["standing retreat"] == "ask"
    orders = pair.desks[mover].answer("hint")["orders"]
    lines = [one for one in orders.splitlines() if not one.startswith("standing retreat")]
    pair.orders(mover, "\n".join(["standing retreat never", *lines]))
    pair.passes(mover)
    while not pair.at[mover]["mine"]:
        for _ in pair.moves(1):
            pass
    told = {one["line"]: one["now"] for one in pair.at[mover]["asked"]}
    assert told["standing retreat"] == "never"
