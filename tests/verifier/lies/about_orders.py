"""Lies about orders: dropped, exchanged, or answered by a false receipt."""

from __future__ import annotations

from verifier.liar import Liar
from verifier.lies.base import DAY, EVERYBODY, QUIET, SETUP, SHOT, Lie, Said

from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import read_slip
from orders.entries import Ruling, Used
from orders.fields import digest
from orders.order_file import OrderFile

ABOUT = "orders and receipts"


def go_on_without(game: Liar) -> None:
    """The deadline passes, and the host calls those missing whose orders it has not taken."""
    game.table.clock.skip(10 * DAY)
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


def drop_and_hurry(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"), tell=False)
    game.forget("alice")
    game.ahead = 10 * DAY
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


def drop_and_wait(game: Liar) -> None:
    game.play(SETUP)
    game.order("alice", "fire S")
    go_on_without(game)


def drop_the_first_of_two(game: Liar) -> None:
    """Alice's second order is illegal, and refused rightly."""
    game.play(SETUP)
    game.order("alice", "fire S")
    table = game.table
    own = table.seated("alice")
    file = OrderFile(own.opening.id, own.step, "alice", ("silent F6",))
    game.answer(own.order(file, table.keys["alice"], table.clock.now()).bundle)
    go_on_without(game)


def drop_accepted(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.forget("alice")
    go_on_without(game)


def drop_later_revision(game: Liar) -> None:
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.order("alice", "fire N")
    game.tell(game.advance())
    game.finish()


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


def stale_ahead(game: Liar) -> None:
    game.play(SETUP)
    game.ahead = 10 * DAY
    order = game.order("alice", "fire S")
    steps = game.advance(late=True)
    game.answer(order)
    game.tell(steps)
    game.play(QUIET).finish()


def contradict(game: Liar) -> None:
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.answer(order)
    game.sign_receipt(order, "illegal")
    game.tell(game.advance())
    game.finish()


def another_entry_in_receipt(game: Liar) -> None:
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.answer(order, tell=False)
    game.sign_receipt(order, "accepted", head="ab" * 32)
    game.tell(game.advance())
    game.finish()


def refuse_by_an_earlier_entry(game: Liar) -> None:
    """After that entry nobody could have answered the one that Alice answers."""
    game.play(SETUP)
    begun = game.host.ledger.link(0).digest
    game.sign_receipt(game.order("alice", "fire S"), "illegal", entry=0, head=begun)
    go_on_without(game)


def refuse_by_no_entry(game: Liar) -> None:
    game.play(SETUP)
    game.sign_receipt(game.order("alice", "fire S"), "illegal", entry=99, head="ab" * 32)
    go_on_without(game)


def refuse_afterwards(game: Liar) -> None:
    """The receipt comes before the entry that it names."""
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.table.clock.skip(10 * DAY)
    steps = game.advance(late=True)
    game.sign_receipt(order, "illegal")
    game.tell(steps)
    game.play(QUIET).finish()


def accept_for_another_step(game: Liar) -> None:
    game.play(SETUP)
    game.sign_receipt(game.order("alice", "fire S"), "accepted", step=99)
    go_on_without(game)


def receipt_ahead(game: Liar) -> None:
    game.play(SETUP)
    order = game.order("alice", "fire S")
    game.ahead = DAY
    game.answer(order)
    game.tell(game.advance())
    game.finish()


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


def forge_slip(game: Liar) -> None:
    game.play(SETUP)
    game.answer(write_for(game, "alice", "resign"), tell=False)
    game.tell(game.advance())


def second_slip(game: Liar) -> None:
    """Bob, the host's friend, chooses between two orders of one revision, having heard more."""
    game.play(SETUP, SHOT)
    write_for(game, "bob", "silent")
    game.answer(game.order("bob", "ping"))
    game.tell(game.advance())
    game.finish()


def slip_of_nobody(game: Liar) -> None:
    """The host signs a slip in Alice's name with its own key."""
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    game.advance()
    path = names.slip(2, "alice")
    data = read_slip(game.table.record.read(path)).render()
    signature = game.table.signer.sign(sshsig.SLIP, data)
    game.table.record.write(names.signature(path), signature)
    game.tell([2])


def use_twice(game: Liar) -> None:
    """An order of a step that was annulled is used once more."""
    game.play(SETUP, SHOT)
    held = {path: game.table.record.read(path) for path in game.table.record.paths()}
    game.rule(Ruling("a mistake", annuls=2))
    game.answer(game.order("alice", "silent"))
    game.advance()
    old = names.slip(2, "alice")
    used = Used(digest(held[old]), game.last.slips["alice"].received)
    game.resign(slips={"alice": used})
    for end in ("", ".sig"):
        game.table.record.write(names.slip(4, "alice") + end, held[old + end])
    game.tell([4])


ORDER = "an order for which there is no receipt"

LIES = (
    Lie(
        "l01",
        ABOUT,
        "drops an order without a receipt, sets its clock ten days ahead, and calls "
        "its author missing a minute later",
        drop_and_hurry,
        at_once={"alice": "calls you missing, though you wrote", "bob": "9 d 23 h ahead"},
        verify=Said(3, "times", "entry 2 calls missing alice"),
    ),
    Lie(
        "l01b",
        ABOUT,
        "drops an order without a receipt, and calls its author missing after the deadline",
        drop_and_wait,
        unproved=ORDER,
        at_once={"alice": "calls you missing, though you wrote"},
        seats={"alice": Said(3, "receipts", "calls you missing, though you wrote")},
    ),
    Lie(
        "l01c",
        ABOUT,
        "drops an order without a receipt, and refuses the next one rightly",
        drop_the_first_of_two,
        unproved=ORDER,
        at_once={"alice": "though you wrote revision 1 for step 2 (no receipt)"},
        seats={"alice": Said(3, "receipts", "though you wrote revision 1 for step 2 (no receipt)")},
    ),
    Lie(
        "l03",
        ABOUT,
        "drops an order that it has accepted, and calls its author missing",
        drop_accepted,
        at_once={"alice": "accepted, yet entry 2 has missing alice"},
        seats={"alice": Said(1, "receipts", "accepted, yet entry 2 has missing alice")},
    ),
    Lie(
        "l04",
        ABOUT,
        "drops revision 2 without a receipt, and uses revision 1",
        drop_later_revision,
        unproved=ORDER,
        at_once={"alice": "not your revision 2 for step 2 (no receipt)"},
        seats={"alice": Said(3, "receipts", "not your revision 2 for step 2 (no receipt)")},
    ),
    Lie(
        "l05",
        ABOUT,
        "accepts revision 2, and uses revision 1",
        use_older_revision,
        at_once={"alice": "accepted, yet entry 2 uses revision 1"},
        seats={"alice": Said(1, "receipts", "accepted, yet entry 2 uses revision 1")},
    ),
    Lie(
        "l15",
        ABOUT,
        "answers `unopenable` to a file that opens",
        say("unopenable"),
        at_once={"alice": "unopenable, yet by your own report nothing is wrong"},
        seats={"alice": Said(1, "receipts", "unopenable, but judged again it is accepted")},
    ),
    Lie(
        "l16",
        ABOUT,
        "makes the next entry ten days ahead of time, and then answers `stale`",
        stale_ahead,
        at_once={"alice": "calls you missing, though you wrote", "bob": "9 d 23 h ahead"},
        verify=Said(3, "times", "entry 2 calls missing alice"),
    ),
    Lie(
        "l17",
        ABOUT,
        "answers `malformed` to an order that is well written",
        say("malformed"),
        at_once={"alice": "malformed, yet by your own report nothing is wrong"},
        seats={"alice": Said(1, "receipts", "malformed, but judged again it is accepted")},
    ),
    Lie(
        "l18",
        ABOUT,
        "answers `illegal` to an order that is legal",
        say("illegal"),
        at_once={"alice": "illegal, yet by your own report nothing is wrong"},
        seats={"alice": Said(1, "receipts", "illegal, but judged again it is accepted")},
    ),
    Lie(
        "l18b",
        ABOUT,
        "answers `illegal` to an order that is legal, and takes the next one",
        say("illegal", again=True),
        at_once={"alice": "illegal, yet by your own report nothing is wrong"},
        seats={"alice": Said(1, "receipts", "illegal, but judged again it is accepted")},
    ),
    Lie(
        "l19",
        ABOUT,
        "answers `superseded` where nothing later was accepted",
        say("superseded"),
        at_once={"alice": "superseded, yet no later revision"},
        seats={"alice": Said(1, "receipts", "superseded, yet no later revision")},
    ),
    Lie(
        "l20",
        ABOUT,
        "answers `stale` to a slip that answers its last entry",
        say("stale"),
        at_once={"alice": "stale, yet it answers entry 1"},
        seats={"alice": Said(1, "receipts", "stale, yet it answers entry 1")},
    ),
    Lie(
        "l21",
        ABOUT,
        "answers `absent`, though the sealed order file came",
        say("absent"),
        at_once={"alice": "calls you missing, though you wrote"},
        seats={"alice": Said(3, "receipts", "calls you missing, though you wrote")},
    ),
    Lie(
        "m16",
        ABOUT,
        "signs `accepted` and then `illegal` for one slip",
        contradict,
        at_once={"alice": "the host signed two answers to one slip"},
        seats={"alice": Said(1, "receipts", "the host signed accepted, then illegal")},
        fork="answered one slip in two ways, accepted and illegal",
    ),
    Lie(
        "p19",
        ABOUT,
        "names in a receipt another last entry than it has published",
        another_entry_in_receipt,
        at_once={"alice": "names an entry 1 that is not the record's"},
        seats={"alice": Said(1, "receipts", "names an entry 1 that is not the record's")},
    ),
    Lie(
        "p35",
        ABOUT,
        "refuses a legal order, and names in the receipt an entry from before the one answered",
        refuse_by_an_earlier_entry,
        at_once={"alice": "it names entry 0 as the last, and its slip answers entry 1"},
        seats={"alice": Said(1, "receipts", "illegal, yet it names entry 0 as the last")},
    ),
    Lie(
        "p36",
        ABOUT,
        "refuses a legal order, and names in the receipt an entry that never comes",
        refuse_by_no_entry,
        at_once={"alice": "it names entry 99, which is not here yet"},
        seats={"alice": Said(1, "receipts", "names entry 99, and nothing follows the reveal")},
    ),
    Lie(
        "p37",
        ABOUT,
        "goes on without a legal order, and then calls it `illegal` and not `stale`",
        refuse_afterwards,
        at_once={"alice": "illegal, yet after entry 2 it is stale"},
        seats={"alice": Said(1, "receipts", "illegal, yet after entry 2 it is stale")},
    ),
    Lie(
        "p38",
        ABOUT,
        "accepts an order under the number of another step, and calls its author missing",
        accept_for_another_step,
        at_once={"alice": "calls you missing, though you wrote"},
        seats={"alice": Said(1, "receipts", "accepted, yet its slip is of alice, step 2")},
    ),
    Lie(
        "p20",
        ABOUT,
        "dates a receipt and its entry a day ahead",
        receipt_ahead,
        at_once={EVERYBODY: "23 h 59 min ahead"},
        verify=Said(0, "times", "before the entry that it answers"),
    ),
    Lie(
        "m17",
        ABOUT,
        "moves a deadline by a ruling, and drops an order that was accepted before",
        drop_over_delay,
        at_once={"alice": "accepted, yet entry 3 has missing alice"},
        seats={"alice": Said(1, "receipts", "accepted, yet entry 3 has missing alice")},
    ),
    Lie(
        "m20",
        ABOUT,
        "uses an order that the player's seat never wrote (it has the player's key)",
        forge_slip,
        at_once={"alice": "an order in your name that this seat did not write"},
        seats={"alice": Said(3, "receipts", "an order in your name that this seat did not write")},
    ),
    Lie(
        "n05",
        ABOUT,
        "lets a friend choose between two orders of one revision",
        second_slip,
        unproved="who of two wrote a second slip of one revision",
    ),
    Lie(
        "p28",
        ABOUT,
        "signs a slip in a player's name with its own key",
        slip_of_nobody,
        at_once={EVERYBODY: "slips/0002-alice.toml.sig: signature: by another key"},
        verify=Said(1, "signatures", "slips/0002-alice.toml.sig: signature: by another key"),
    ),
    Lie(
        "p21",
        ABOUT,
        "uses an order of an annulled step once more",
        use_twice,
        at_once={EVERYBODY: "the slip is for step 2, and the entry to answer is 3"},
        verify=Said(1, "countersignatures", "the slip is for step 2, and the entry to answer is 3"),
    ),
)
