"""What a host makes of what comes in; whole answers, through the host's folder, in test_host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles, intake
from adjudicator.core.intake import Order
from adjudicator.core.opening import read_offer
from games.game import View
from orders import names, sshsig
from orders.bundle import Bundle
from orders.errors import Missing, Refused
from orders.sshsig import Signed

Table = Any


def view_of(table: Table) -> Callable[[str], View]:
    """Views of the position that the last entry left."""
    host = table.host
    return lambda player: host.opening.game.view(host.state(), player)


def judged(table: Table, order: Order, last: tuple[int, int] = (0, 0)) -> str:
    """The status that a host gives an order now."""
    ledger = table.host.ledger
    return intake.judge(table.host.game, ledger.last, ledger.link, view_of(table), order, last)


def read(table: Table, bundle: Bundle) -> Order:
    """The order in a bundle."""
    return intake.read_order_bundle(table.host.opening, table.host.last.joins, bundle)


def changed(bundle: Bundle, **files: bytes | None) -> Bundle:
    """With other files: `slip`, `sig`, `sealed`; None takes one out."""
    held = dict(bundle.files)
    slip = next(path for path in held if path.startswith("slips/") and path.endswith(".toml"))
    step, player = slip[6:10], slip[11:-5]
    where = {"slip": slip, "sig": f"{slip}.sig", "sealed": f"orders/{step}-{player}.sealed"}
    for what, data in files.items():
        held.pop(where[what], None)
        if data is not None:
            held[where[what]] = data
    return bundles.pack(bundle.kind, held)


def test_an_order_is_its_slip_and_its_sealed_file(table: Table) -> None:
    """By name and by place; under the names of the entry that uses it, whichever that is."""
    bundle = table.order("alice", "start C4")
    order = read(table, bundle)
    assert (order.slip.player, order.place) == ("alice", (1, 1))
    assert order.files() == dict(bundle.files)
    assert sorted(order.files(3)) == [
        "orders/0003-alice.sealed", "slips/0003-alice.toml", "slips/0003-alice.toml.sig",
    ]  # fmt: skip
    assert intake.own_order(bundle) == order
    bare = read(table, changed(bundle, sealed=None))
    assert (bare.sealed, sorted(bare.files())) == (None, sorted(order.files())[1:])


def test_own_orders_need_no_signature(table: Table) -> None:
    """The seat wrote them itself; a host does not take the same bundle."""
    bundle = changed(table.order("alice", "start C4"), sig=b"x")
    assert intake.own_order(bundle).slip.player == "alice"
    with pytest.raises(Refused, match="bad-signature"):
        read(table, bundle)


def test_what_is_no_order_is_refused(table: Table) -> None:
    """In a fixed form: another kind of bundle, no slip or two, more files, an unknown player."""
    bundle, other = table.order("alice", "start C4"), table.order("bob", "start C1")
    held = dict(bundle.files)
    for given, word, said in (
        (bundles.pack("entry", held), "bad-bundle", "this block holds an entry, and no orders"),
        (bundles.pack("order", held | dict(other.files)), "bad-bundle", "this block holds 2 slips"),
        (changed(bundle, slip=None), "bad-bundle", "this block holds 0 slips"),
        (
            bundles.pack("order", {**held, "table.toml": b""}),
            "bad-bundle",
            "table.toml is not part",
        ),
        (bundles.pack("order", {**held, "orders/0001-bob.sealed": b""}), "bad-bundle", "bob"),
        (changed(bundle, sig=None), "bad-signature", "its signature is not beside it"),
    ):
        for reader in (lambda one: read(table, one), intake.own_order):
            with pytest.raises(Refused, match=said) as caught:
                reader(given)
            assert caught.value.word == word
    slip = "slips/0001-carol.toml"
    nobody = bundles.pack("order", {slip: b"", f"{slip}.sig": b""})
    with pytest.raises(Refused, match="nobody in this game is called carol") as caught:
        read(table, nobody)
    assert (caught.value.word, caught.value.hint) == ("bad-signature", "check the game")


def test_an_order_by_another_key_is_refused_by_the_key_that_counts(table: Table) -> None:
    """Its player reads which key they joined with."""
    bundle = table.order("alice", "start C4")
    slip = next(data for path, data in bundle.files if path.startswith("slips/"))
    forged = Signed.by(table.keys["bob"], sshsig.SLIP, slip)
    with pytest.raises(Refused, match="not signed with alice's key in this game") as caught:
        read(table, changed(bundle, sig=forged.signature))
    assert caught.value.word == "bad-signature"
    assert table.keys["alice"].public.fingerprint in caught.value.message


def test_a_slip_lies_where_it_says(table: Table) -> None:
    """Signed by its player, and laid under another step's name."""
    held = dict(table.order("alice", "start C4").files)
    moved = {path.replace("0001", "0002"): data for path, data in held.items()}
    with pytest.raises(Refused, match="the slip is of step 1 and alice") as caught:
        read(table, bundles.pack("order", moved))
    assert caught.value.word == "malformed"


def test_each_status_has_its_reason(table: Table) -> None:
    """In the order in which they are looked for: late, replaced, absent, sealed, form, rules."""
    order = read(table, table.order("alice", "start C4"))
    assert judged(table, order) == "accepted"
    slip = order.slip
    for other, status in (
        (replace(order, slip=replace(slip, head="0" * 64)), "stale"),
        (replace(order, slip=replace(slip, step=2)), "stale"),
        (replace(order, slip=replace(slip, nonce=None)), "malformed"),
        (replace(order, sealed=None), "absent"),
        (replace(order, sealed=b"x"), "absent"),
        (replace(order, slip=replace(slip, order="0" * 64)), "unopenable"),
        (replace(order, slip=replace(slip, revision=2)), "unopenable"),
    ):
        assert judged(table, other) == status, other.slip
    for last, status in (((1, 0), "accepted"), ((1, 1), "superseded"), ((2, 0), "superseded")):
        assert judged(table, order, last) == status
    gone = replace(order, sealed=None)
    assert judged(table, gone, (1, 1)) == "superseded"


def test_what_the_host_lacks_is_no_fault_of_an_order(table: Table) -> None:
    """A host without its own files signs no refusal that its player could prove false."""
    table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "silent"})
    bundle = table.order("bob", "silent")
    (table.record.host / "state.json").unlink()
    (table.record.root / "orders/0002-alice.sealed").unlink()
    with pytest.raises(Missing, match=r"orders/0002-alice\.sealed"):
        table.host.submit(bundle)


def test_another_games_order_gets_words(table: Table) -> None:
    """Before anything is said about its signature: that game's players have other keys."""
    bundle = table.order("alice", "start C4")
    other = replace(table.host.opening, id="0" * 64)
    for joins in (table.host.last.joins, {}):
        with pytest.raises(Refused, match="orders are for another game") as caught:
            intake.read_order_bundle(other, joins, bundle)
        assert caught.value.word == "other-game"


def test_a_join_is_one_join(offered: Table) -> None:
    """Under its own name, with its signature, of kind join."""
    offer = read_offer(offered.record)
    bundle = offered.joins[0]
    join, file = intake.read_join_bundle(offer, bundle)
    assert (join.player, file.files(names.join("alice"))) == ("alice", dict(bundle.files))
    held = dict(bundle.files)
    renamed = {path.replace("alice", "carol"): data for path, data in held.items()}
    for given, word, said in (
        (bundles.pack("order", held), "bad-bundle", ": expected a join and its signature"),
        (bundles.pack("join", held | dict(offered.joins[1].files)), "bad-bundle", "expected a"),
        (bundles.pack("join", {"joins/alice.toml": b""}), "bad-bundle", "and its signature"),
        (bundles.pack("join", renamed), "malformed", "is the join of alice"),
    ):
        with pytest.raises(Refused, match=said) as caught:
            intake.read_join_bundle(offer, given)
        assert caught.value.word == word
