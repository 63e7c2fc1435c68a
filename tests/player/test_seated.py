"""What a player does over a copy: join, look, order; `tests/verifier` has the hosts that lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memory import Memory

from adjudicator.core import bundles, intake, opening
from adjudicator.core.ledger import Ledger
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from games.game import OrderError
from orders import sshsig
from orders.documents import Consent, Private, read_consent, read_join
from orders.errors import Refused
from orders.fields import digest
from orders.order_file import cut, read_order_file

Table = Any


def test_a_join_is_the_seat_s_own(offered: Table) -> None:
    """Signed by its player, to this invite; what is private is sealed, and may be left out."""
    offer = opening.read_offer(offered.record)
    seat, key = offered.seat("alice"), offered.keys["alice"]
    bundle = seated.join(offer, seat, key, Private(), mail="open")
    join, _ = intake.read_join_bundle(offer, bundle)
    assert (join.player, join.invite, join.mail, join.private) == (
        "alice", offer.digest, "open", None,
    )  # fmt: skip
    assert join.nonce == seat.secret.nonce_commitment
    assert seat.sits({"alice": join})
    assert seat.address() is None
    told = seated.join(offer, seat, key, Private(address="alice@example.org"))
    assert b"example.org" not in told.files[0][1]
    assert read_join(told.files[0][1]).private is not None
    assert seat.address() == "alice@example.org"
    with pytest.raises(Refused, match="alice has the host's key"):
        seated.join(offer, seat, offered.signer, Private())


def test_a_consent_names_the_join_and_the_last_entry(begun: Table) -> None:
    """By the key of who leaves; its bundle is about the game."""
    new, key, ledger = begun.joins[0], begun.keys["bob"], begun.host.ledger
    bundle = seated.consent(ledger, key, new)
    path, file = bundles.read_one("consent", bundle)
    assert (path, bundles.about(bundle)) == ("consents/alice.toml", ledger.opening.id)
    assert read_consent(file.data) == Consent(
        ledger.opening.id, ledger.last.step, ledger.last.digest, digest(new.files[0][1])
    )
    file.verify(key.public, sshsig.CONSENT)
    with pytest.raises(Refused, match="bad-signature"):
        file.verify(begun.keys["alice"].public, sshsig.CONSENT)


def test_only_who_sits_there_is_seated(begun: Table, make_table: Any, tmp_path: Path) -> None:
    """Another game's seat, a seat of nobody, and one made anew for the same name."""
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    with pytest.raises(Refused, match="no-seat: the seat is for another invite"):
        Seated(begun.record, other.seat("alice"))
    invite = begun.host.opening.offer.digest
    for name, said in (("carol", "carol has no seat in this game"), ("alice", "is not alice's")):
        made = Seat.create(tmp_path / name, name, invite, Path("k"), b"\x01" * 32)
        with pytest.raises(Refused, match=said) as caught:
            Seated(begun.record, made)
        assert caught.value.word == "no-seat"
    assert begun.keys["alice"].public.fingerprint in caught.value.message
    assert "tell the host" in caught.value.hint


def test_a_copy_is_verified_once(table: Table) -> None:
    """What was verified is noted in the seat, and gone on from."""
    table.play({"alice": "start C4", "bob": "start C1"})
    seat = table.seat("alice")
    own = Seated(table.copies["alice"], seat)
    assert seat.mark(table.copies["alice"]) == own.ledger.mark
    assert (own.step, own.last.step) == (2, 1)
    assert own.opening.players == ("alice", "bob")


def test_a_verified_copy_is_opened_at_its_end(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Late in a game no earlier entry is read, so a command takes no longer."""
    table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"})
    table.seated("alice")
    monkeypatch.setattr(Ledger, "_fill", None)
    assert table.seated("alice").step == 3


def test_a_player_looks_at_each_report(finished: Table) -> None:
    """Of any step, and the last one if none is named. The reveal has no report."""
    own = finished.seated("bob")
    assert [own.report(step).step for step in range(5)] == [0, 1, 2, 3, 4]
    assert own.report() == own.report(4)
    assert own.report(0).view.player == "bob"
    for step in (-1, 6):
        with pytest.raises(Refused, match=f"there is no entry {step}"):
            own.report(step)
    with pytest.raises(Refused, match="over: the game is over"):
        own.read(b"silent")


def test_orders_are_read_as_the_host_would(table: Table) -> None:
    """The line of a fault is that of the file which its author typed."""
    own = table.seated("alice")
    assert own.read(b"start C4").orders == ("start C4",)
    typed = f"# a board\n\n{cut(own.opening.id, 1, 'alice')}\n# a remark\nstart Z9\n".encode()
    with pytest.raises(OrderError) as caught:
        own.read(typed)
    assert (caught.value.line, caught.value.status) == (5, "illegal")
    with pytest.raises(OrderError) as plain:
        own.read(b"\nstart Z9\n")
    assert plain.value.line == 2


def test_orders_fit_into_their_sealed_file(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the size that the game was begun with; both numbers are told."""
    own = table.seated("alice")
    size = len(own.read(b"start C4").render("0" * 64))
    monkeypatch.setattr(seated, "room", lambda _: size)
    own.read(b"start C4")
    monkeypatch.setattr(seated, "room", lambda _: size - 1)
    with pytest.raises(Refused, match=f"has {size} bytes, at most {size - 1} are taken") as caught:
        own.read(b"start C4")
    assert (caught.value.word, caught.value.hint) == ("too-big", "shorten the remarks")


def test_who_has_no_report_says_so_and_orders(table: Table) -> None:
    """A bad report and a missing one each name a protest; with it orders are read all the same."""
    table.play({"alice": "start C4", "bob": "start C1"})
    path = table.copies["alice"].root / "reports" / "0001-alice.sealed"
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(Refused, match="unopenable") as caught:
        table.seated("alice").read(b"fire S")
    assert caught.value.hint.endswith("or order without it and protest: --protest report")
    path.unlink()
    with pytest.raises(Refused, match="missing") as lacking:
        table.seated("alice").read(b"fire S")
    assert lacking.value.hint.endswith("--protest undelivered")
    for protest in ("report", "undelivered"):
        assert table.seated("alice").read(b"fire S", protest).orders == ("fire S",)
    with pytest.raises(Refused):
        table.seated("alice").read(b"fire S", "time")
    (table.copies["bob"].root / "reports" / "0001-bob.sealed").unlink()
    with pytest.raises(Refused, match=r"illegal: .*alice") as early:
        table.seated("bob").read(b"fire S")
    assert early.value.hint == ""


def test_an_order_is_signed_and_kept(table: Table) -> None:
    """It reads as the orders; file and bundle lie in the seat; the nonce is given once."""
    own, key = table.seated("alice"), table.keys["alice"]
    made = own.order(own.read(b"start C4"), key, "2026-01-01T00:05:31Z", "time")
    slip = made.slip
    assert (slip.step, slip.revision, slip.head) == (1, 1, own.last.digest)
    assert (slip.time, slip.protest) == ("2026-01-01T00:05:00Z", "time")
    assert slip.nonce == own.seat.secret.nonce
    data = own.seat.order_file(1, 1)
    assert digest(data) == slip.order
    assert read_order_file(data)[1] == made.file
    order = intake.read_order_bundle(own.opening, own.opening.joins, made.bundle)
    assert order.slip == slip
    again = own.order(own.read(b"start C4"), key, "2026-01-01T00:05:31Z")
    assert again.slip.revision == 2
    assert again.slip.order != slip.order
    table.play({"alice": "start C4", "bob": "start C1"})
    later = table.seated("alice")
    assert later.order(later.read(b"fire S"), key, "2026-01-01T00:05:31Z").slip.nonce is None


def test_an_order_is_signed_with_the_key_of_the_join(table: Table) -> None:
    """Another key would be refused by the host; the refusal names both. Nothing is kept."""
    own = table.seated("alice")
    before = own.seat.files.paths()
    with pytest.raises(Refused, match="bad-key") as caught:
        own.order(own.read(b"start C4"), table.keys["bob"], "2026-01-01T00:00:00Z")
    for name in ("alice", "bob"):
        assert table.keys[name].public.fingerprint in caught.value.message
    assert own.seat.files.paths() == before


def test_a_seat_orders_in_one_game_of_its_invite(table: Table) -> None:
    """Its nonce is given to one genesis alone."""
    own = table.seated("alice")
    own.seat.pin("0" * 64)
    with pytest.raises(Refused, match="fork"):
        own.order(own.read(b"start C4"), table.keys["alice"], "2026-01-01T00:00:00Z")


def test_a_seat_in_memory_plays_as_well(table: Table) -> None:
    """A page has no folder."""
    folder = table.seat("alice")
    seat = Seat.of(Memory({path: folder.files.read(path) for path in folder.files.paths()}))
    held = Memory({path: table.record.read(path) for path in table.record.paths()})
    own = Seated(held, seat)
    bundle = own.order(own.read(b"start C4"), table.keys["alice"], "2026-01-01T00:00:00Z").bundle
    assert table.send(bundle).status == "accepted"
    assert [order.place for order in seat.orders()] == [(1, 1)]
