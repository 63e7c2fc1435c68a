"""Lies about orders: dropped, exchanged, or answered by a false receipt."""

from __future__ import annotations

from typing import Any

from verifier.liar import Liar
from verifier.lies.base import DAY, EVERYBODY, QUIET, SETUP, SHOT, Lies, Said, alice_sees, all_see

from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import read_slip
from orders.entries import Ruling, UsedSlip
from orders.fields import digest
from orders.order_file import OrderFile

ORDER = "an order for which there is no receipt"
LIES = Lies("orders and receipts")


def go_on_without(game: Liar) -> None:
    """The deadline passes, and the host calls those missing whose orders it has not taken."""
    game.table.clock.skip(10 * DAY)
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


@LIES(
    "l01",
    "drops an order without a receipt, sets its clock ten days ahead, and calls "
    "its author missing a minute later",
    at_once={"alice": "calls you missing, though you wrote", "bob": "9 d 23 h ahead"},
    verify=Said(3, "time", "entry 2 calls missing alice"),
)
def drop_and_hurry(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"), tell=False)
    game.forget("alice")
    game.ahead = 10 * DAY
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


@LIES(
    "l01b",
    "drops an order without a receipt, and calls its author missing after the deadline",
    unproved=ORDER,
    **alice_sees(3, "calls you missing, though you wrote"),
)
def drop_and_wait(game: Liar) -> None:
    game.play(SETUP)
    game.order("alice", "fire S")
    go_on_without(game)


@LIES(
    "l01c",
    "drops an order without a receipt, and refuses the next one rightly",
    unproved=ORDER,
    **alice_sees(3, "though you wrote revision 1 for step 2 (no receipt)"),
)
def drop_the_first_of_two(game: Liar) -> None:
    """Alice's second order is illegal, and refused rightly."""
    game.play(SETUP)
    game.order("alice", "fire S")
    table = game.table
    own = table.seated("alice")
    file = OrderFile(("silent F6",))
    game.answer(own.order(file, table.keys["alice"], table.clock.now()).bundle)
    go_on_without(game)


@LIES(
    "l03",
    "drops an order that it has accepted, and calls its author missing",
    **alice_sees(1, "accepted, yet entry 2 has missing alice"),
)
def drop_accepted(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.forget("alice")
    go_on_without(game)


@LIES(
    "l04",
    "drops revision 2 without a receipt, and uses revision 1",
    unproved=ORDER,
    **alice_sees(3, "in their place (step 2, revision 2) (no receipt)"),
)
def drop_later_revision(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.order("alice", "fire N")
    game.tell(game.advance())
    game.finish()


@LIES(
    "l05",
    "accepts revision 2, and uses revision 1",
    **alice_sees(1, "accepted, yet entry 2 uses revision 1"),
)
def use_older_revision(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.answer(game.order("alice", "fire N"))
    game.forget("alice")
    game.tell(game.advance())
    game.finish()


def say(status: str, again: bool = False) -> object:
    """A false receipt for an order that is right; `again`: the next one is taken."""

    def play(game: Liar) -> None:
        game.play(SETUP)
        game.sign_receipt(game.order("alice", "fire S"), status)
        if again:
            game.answer(game.order("alice", "fire S"))
        else:
            game.table.clock.skip(10 * DAY)
        game.tell(game.advance(late=True))
        game.play(QUIET).finish()

    return play


def judged(status: str) -> dict[str, Any]:
    """Alice's own tool judges what was answered so, and so does `verify` with her seat."""
    return {
        "at_once": {"alice": f"{status}, yet by your own report nothing is wrong"},
        "seats": {"alice": Said(1, "receipts", f"{status}, but judged again it is accepted")},
    }


LIES("l15", "answers `unopenable` to a file that opens", **judged("unopenable"))(say("unopenable"))
LIES("l17", "answers `malformed` to an order that is well written", **judged("malformed"))(
    say("malformed")
)
LIES("l18", "answers `illegal` to an order that is legal", **judged("illegal"))(say("illegal"))
LIES(
    "l18b",
    "answers `illegal` to an order that is legal, and takes the next one",
    **judged("illegal"),
)(say("illegal", again=True))
LIES(
    "l19",
    "answers `superseded` where nothing later was accepted",
    **alice_sees(1, "superseded, yet entry 2 uses no order to which it gave way"),
)(say("superseded"))
LIES(
    "l19b",
    "answers `superseded` where nothing later was accepted, and takes the next one",
    unproved="by which order another one was superseded, once its player has ordered again",
)(say("superseded", again=True))
LIES(
    "l20",
    "answers `stale` to a slip that answers its last entry",
    **alice_sees(1, "stale, yet it answers entry 1"),
)(say("stale"))
LIES(
    "l21",
    "answers `absent`, though the sealed order file came",
    **alice_sees(3, "calls you missing, though you wrote"),
)(say("absent"))


@LIES(
    "l16",
    "makes the next entry ten days ahead of time, and then answers `stale`",
    at_once={"alice": "calls you missing, though you wrote", "bob": "9 d 23 h ahead"},
    verify=Said(3, "time", "entry 2 calls missing alice"),
)
def stale_ahead(game: Liar) -> None:
    game.play(SETUP)
    game.ahead = 10 * DAY
    order = game.order("alice", "fire S")
    steps = game.advance(late=True)
    game.answer(order)
    game.tell(steps)
    game.play(QUIET).finish()


@LIES(
    "m16",
    "signs `accepted` and then `illegal` for one slip",
    at_once={"alice": "the host signed two answers to one slip"},
    seats={"alice": Said(1, "receipts", "the host signed accepted, then illegal")},
    fork="answered one slip in two ways, accepted and illegal",
)
def contradict(game: Liar) -> None:
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.answer(order)
    game.sign_receipt(order, "illegal")
    game.tell(game.advance())
    game.finish()


@LIES(
    "p19",
    "names in a receipt another last entry than it has published",
    **alice_sees(1, "names an entry 1 that is not the record's"),
)
def another_entry_in_receipt(game: Liar) -> None:
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.answer(order, tell=False)
    game.sign_receipt(order, "accepted", head="ab" * 32)
    game.tell(game.advance())
    game.finish()


@LIES(
    "p35",
    "refuses a legal order, and names in the receipt an entry from before the one answered",
    at_once={"alice": "it names entry 0 as the last, and its slip answers entry 1"},
    seats={"alice": Said(1, "receipts", "illegal, yet it names entry 0 as the last")},
)
def refuse_by_an_earlier_entry(game: Liar) -> None:
    """After that entry nobody could have answered the one that Alice answers."""
    game.play(SETUP)
    begun = game.host.ledger.link(0).digest
    game.sign_receipt(game.order("alice", "fire S"), "illegal", entry=0, head=begun)
    go_on_without(game)


@LIES(
    "p36",
    "refuses a legal order, and names in the receipt an entry that never comes",
    at_once={"alice": "it names entry 99, which is not here yet"},
    seats={"alice": Said(1, "receipts", "names entry 99, and nothing follows the reveal")},
)
def refuse_by_no_entry(game: Liar) -> None:
    game.play(SETUP)
    game.sign_receipt(game.order("alice", "fire S"), "illegal", entry=99, head="ab" * 32)
    go_on_without(game)


@LIES(
    "p37",
    "goes on without a legal order, and then calls it `illegal` and not `stale`",
    **alice_sees(1, "illegal, yet after entry 2 it is stale"),
)
def refuse_afterwards(game: Liar) -> None:
    """The receipt comes before the entry that it names."""
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.table.clock.skip(10 * DAY)
    steps = game.advance(late=True)
    game.sign_receipt(order, "illegal")
    game.tell(steps)
    game.play(QUIET).finish()


@LIES(
    "p38",
    "accepts an order under the number of another step, and calls its author missing",
    at_once={"alice": "calls you missing, though you wrote"},
    seats={"alice": Said(1, "receipts", "accepted, yet its slip is of alice, step 2")},
)
def accept_for_another_step(game: Liar) -> None:
    game.play(SETUP)
    game.sign_receipt(game.order("alice", "fire S"), "accepted", step=99)
    go_on_without(game)


@LIES(
    "p20",
    "dates a receipt and its entry a day ahead",
    at_once={EVERYBODY: "23 h 59 min ahead"},
    verify=Said(0, "time", "before the entry that it answers"),
)
def receipt_ahead(game: Liar) -> None:
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.ahead = DAY
    game.answer(order)
    game.tell(game.advance())
    game.finish()


@LIES(
    "m17",
    "moves a deadline by a ruling, and drops an order that was accepted before",
    **alice_sees(1, "accepted, yet entry 3 has missing alice"),
)
def drop_over_delay(game: Liar) -> None:
    """A ruling that only moves a deadline voids nothing; the host acts as if it did."""
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.table.clock.skip(2 * DAY)
    game.rule(Ruling("the mail was down"), "2026-01-05T12:00:00Z")
    game.forget("alice")
    game.table.clock.skip(30 * DAY)
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


def write_for(game: Liar, player: str, lines: str) -> Bundle:
    """An order by that player's key and seat which the player's own folder knows nothing of."""
    seat = game.table.root / player / f"{player}.seat" / "orders"
    order = game.order(player, lines)
    for path in seat.iterdir():
        if path.name.startswith(f"{game.last.step + 1:04d}-"):
            path.unlink()
    return order


@LIES(
    "m20",
    "uses an order that the player's seat never wrote (it has the player's key)",
    **alice_sees(3, "an order in your name that this seat did not write"),
)
def forge_slip(game: Liar) -> None:
    game.play(SETUP)
    game.answer(write_for(game, "alice", "resign"), tell=False)
    game.tell(game.advance())


@LIES(
    "n05",
    "lets a friend choose between two orders of one revision",
    unproved="who of two with one key signed other orders under the same number",
)
def second_slip(game: Liar) -> None:
    """Bob, the host's friend, chooses between two orders of one revision, having heard more."""
    game.play(SETUP, SHOT)
    write_for(game, "bob", "silent")
    game.answer(game.order("bob", "ping"))
    game.tell(game.advance())
    game.finish()


@LIES(
    "p28",
    "signs a slip in a player's name with its own key",
    **all_see("entries", "slips/0002-alice.toml.sig: signature: by another key"),
)
def slip_of_nobody(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.advance()
    path = names.slip(2, "alice")
    data = read_slip(game.table.record.read(path)).render()
    signature = game.table.signer.sign(sshsig.SLIP, data)
    game.table.record.write(names.signature(path), signature)
    game.tell([2])


@LIES(
    "p21",
    "uses an order of an annulled step once more",
    **all_see("entries", "the slip is for step 2, and orders are due for step 4"),
)
def use_twice(game: Liar) -> None:
    game.play(SETUP, SHOT)
    held = {path: game.table.record.read(path) for path in game.table.record.paths()}
    game.rule(Ruling("a mistake", annuls=2))
    game.answer(game.order("alice", "silent"))
    game.advance()
    old = names.slip(2, "alice")
    used = UsedSlip(digest(held[old]), game.last.slips["alice"].received)
    game.resign(slips={"alice": used})
    for end in ("", ".sig"):
        game.table.record.write(names.slip(4, "alice") + end, held[old + end])
    game.tell([4])
