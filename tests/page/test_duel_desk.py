"""A duel at the page's desks: two sides, nothing between them but blocks of text."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from duel.hosted import drawn
from page.posted import PASSPHRASE

from adjudicator.page import duel, watch
from adjudicator.page.desk import EARLY
from adjudicator.page.play import Play
from adjudicator.player import safe
from adjudicator.store.pack import Pack
from adjudicator.verifier.duel import verify, verify_two
from games.game import OrderError
from orders import names
from orders.errors import Refused

DUELS = Path(__file__).parents[1] / "vectors" / "duels"
SAID = {
    name: told["verdict"]
    for name, told in json.loads((DUELS.parent / "duels.json").read_text("ascii"))["duels"].items()
}
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
            given = text or self.desks[name].answer("hint")["text"]
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
        found = desk.answer("verdict")
        assert (found["code"], found["verdict"]) == (0, f"true: {winner} won, and neither lied")
        held = Pack.of(base64.b64decode(desk.answer("packed")["data"]))
        assert verify(held).verdict == found["verdict"]
        assert desk.answer("end")["pieces"]
        assert len(desk.answer("log")) == len(told["since"]) + told["since"][0]["step"] - 1


def test_what_the_page_is_told_hides_what_it_must(pair: Pair) -> None:
    """No secret of either side, and of the other's cards nothing."""
    for mover in pair.moves(6):
        told = json.dumps([pair.at[mover], pair.desks[mover].answer("log")])
        for desk in pair.desks.values():
            party = desk.duel.party
            assert party is not None
            assert party.secret.hex not in told


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
    (
        newest,
        *_,
    ) = reversed(kept.values())
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
    cases = [
        (pair.block(reader), f"it is one of your own. Send it to them. {SAME}"),
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


def test_one_that_is_missing(pair: Pair) -> None:
    """A move that comes before the one before it says so; an older seat lacks some."""
    for _ in pair.moves(1):
        old = base64.b64decode(pair.desks["ben"].answer("save")["data"])
    for _ in pair.moves(3):
        pass
    lost = Play()
    lost.answer("open", now=NOW, data=old, passphrase=PASSPHRASE)
    pair.orders("ann")
    told = lost.answer("take", now=NOW, data=pair.block("ann"))
    assert told["warnings"] == [
        f"A move before this one has not come. Ask ann to send it again. {SAME}"
    ]


def test_two_moves_for_one_turn_are_kept_as_a_proof(pair: Pair) -> None:
    """Whoever makes two different moves of one turn is named, and two files prove it."""
    for _ in pair.moves(4):
        pass
    mover = pair.asked()
    reader = OTHER[mover]
    twin = Play()
    kept = base64.b64decode(pair.desks[mover].answer("save")["data"])
    twin.answer("open", now=NOW, data=kept, passphrase=PASSPHRASE)
    pair.orders(mover)
    pair.passes(mover)
    second = twin.answer("order", now=NOW, text="resign")["send"]["text"].encode()
    told = pair.gets(reader, second)
    assert f"{mover} has signed two different moves for one turn" in told["warnings"][0]
    assert told["proof"]
    assert told["changed"]
    desk = pair.desks[reader]
    files = [base64.b64decode(desk.answer(name)["data"]) for name in ("packed", "proof")]
    found = verify_two(*map(Pack.of, files))
    assert found is not None
    assert found.verdict.startswith(f"false: {mover} lied in move")
    again = Play()
    safe_of_reader = base64.b64decode(desk.answer("save")["data"])
    assert again.answer("open", now=NOW, data=safe_of_reader, passphrase=PASSPHRASE)["proof"]


def test_who_stops_can_be_claimed(pair: Pair) -> None:
    """Not before the time is over; then this side opens, and what cannot be decided is said."""
    (*_, waits) = pair.moves(3)
    with pytest.raises(Refused, match="still has time"):
        pair.call(waits, "claim", now=NOW)
    assert pair.call(waits, "state", now=LATE)["late"]
    told = pair.call(waits, "claim", now=LATE)
    assert told["stage"] == "over"
    assert told["send"]["what"] == "claim"
    assert "disputed" in pair.desks[waits].answer("verdict")["verdict"]
    assert pair.passes(waits)["outcome"] == f"{waits} says that you stopped"


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


@pytest.mark.parametrize("name", ["claimed", "lied", "unopened"])
def test_any_duel_is_watched(name: str) -> None:
    """A liar's, one with a claim, one that is not opened: what may be seen of them is shown."""
    data = (DUELS / f"{name}.zip").read_bytes()
    try:
        told = watch.open_record(name, data)
    except Refused as error:
        assert (name, error.word) == ("unopened", "no-board")
        assert "once its player has opened" in error.message
    else:
        assert told["eyes"]
        for step in (0, told["last"]):
            assert watch.step(step)["boards"]
            assert watch.known(step, told["eyes"][0])["told"]
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
    told = ben.answer("order", now=NOW, text=ben.answer("hint")["text"])
    mover = "ann"
    for _ in range(30):
        told = desks_of[mover].answer("take", now=NOW, data=told["send"]["text"].encode())
        assert not told["warnings"]
        while told["stage"] == "play" and told["mine"]:
            text = "resign" if told["step"] > 12 else desks_of[mover].answer("hint")["text"]
            told = desks_of[mover].answer("order", now=NOW, text=text)
        if told["stage"] == "over":
            break
        mover = OTHER[mover]
    assert desks_of[mover].answer("verdict")["code"] == 0
