"""Which files travel to whom: everybody's, one's own, and nobody else's; and of which game a bundle
is, by the signed document in it."""

from __future__ import annotations

from typing import Any

import pytest
from table import join_of

from adjudicator.core import bundles, opening
from adjudicator.core.source import MemoryFiles
from orders import names
from orders.bundle import KINDS, Bundle, decode, encode
from orders.entries import read_entry
from orders.errors import Missing, Refused
from orders.letter import Letter
from orders.sshsig import Signed

Table = Any


def paths(bundle: Bundle) -> list[str]:
    """The names of a bundle's files."""
    return [path for path, _ in bundle.files]


def test_files_stand_in_the_order_of_their_paths() -> None:
    """So that one set of files has one bundle."""
    held = {"b": b"2", "a": b"1"}
    assert bundles.pack("entry", held) == Bundle("entry", (("a", b"1"), ("b", b"2")))


def test_an_invite_brings_its_house_table(make_table: Any, table: Table, tmp_path: Any) -> None:
    """Where its game has one."""
    assert paths(bundles.of_invite(table.record)) == ["invite.toml", "invite.toml.sig"]
    ships = make_table(tmp_path / "ships", game="silent-ships", options={})
    ships.offer()
    offered = bundles.of_invite(ships.record)
    assert (offered.kind, paths(offered)[-1]) == ("invite", names.TABLE)
    assert dict(offered.files)[names.TABLE] == ships.record.read(names.TABLE)


def test_an_entry_brings_what_it_names_and_one_s_own_report(finished: Table) -> None:
    """Everybody gets the same files and their own report."""
    (public,) = bundles.of_entry(finished.record, 1)
    assert paths(public) == [
        "entries/0001.toml", "entries/0001.toml.sig", "slips/0001-alice.toml",
        "slips/0001-alice.toml.sig", "slips/0001-bob.toml", "slips/0001-bob.toml.sig",
    ]  # fmt: skip
    (bobs,) = bundles.of_entry(finished.record, 1, "bob")
    assert set(bobs.files) - set(public.files) == {
        ("reports/0001-bob.sealed", finished.record.read("reports/0001-bob.sealed"))
    }
    assert bundles.of_entry(finished.record, 1, "carol") == (public,)
    (genesis,) = bundles.of_entry(finished.record, 0, "bob")
    assert [path for path in paths(genesis) if path.startswith("joins/")] == [
        "joins/alice.toml", "joins/alice.toml.sig", "joins/bob.toml", "joins/bob.toml.sig",
    ]  # fmt: skip


def test_files_that_an_entry_names_must_be_there(finished: Table) -> None:
    """Nothing is sent that would be refused."""
    held = finished.held()
    entry = read_entry(held["entries/0002.toml"])
    assert set(bundles.named(MemoryFiles(held), entry)) == {
        "slips/0002-alice.toml", "slips/0002-alice.toml.sig",
    }  # fmt: skip
    del held["slips/0002-alice.toml.sig"]
    with pytest.raises(Missing, match=r"slips/0002-alice\.toml\.sig"):
        bundles.of_entry(MemoryFiles(held), 2)


OPENED = [
    "orders/0001-alice.txt", "orders/0001-bob.txt", "orders/0002-alice.txt",
    "orders/0003-bob.txt", "orders/0004-alice.txt",
]  # fmt: skip


def test_a_reveal_brings_every_opened_order(finished: Table) -> None:
    """In one bundle, where they fit."""
    (bundle,) = bundles.of_entry(finished.record, 5, "bob")
    assert [path for path in paths(bundle) if path.startswith("orders/")] == OPENED
    held = finished.held()
    del held[OPENED[1]]
    (fewer,) = bundles.of_entry(MemoryFiles(held), 5)
    assert len(fewer.files) == len(bundle.files) - 1


@pytest.mark.parametrize(("what", "value"), [("MOST_FILES", 4), ("LARGEST", 800)])
def test_a_reveal_that_is_too_large_is_parted(
    finished: Table, monkeypatch: pytest.MonkeyPatch, what: str, value: int
) -> None:
    """By number of files or by size; the reveal is in each part, each order file in one."""
    monkeypatch.setattr(bundles, what, value)
    parts = bundles.of_entry(finished.record, 5)
    assert len(parts) > 1
    for part in parts:
        assert {"entries/0005.toml", "entries/0005.toml.sig"} < set(paths(part))
        assert what == "LARGEST" or len(part.files) <= value
        assert decode(encode(part)) == part
    opened = [path for part in parts for path in paths(part) if path.startswith("orders/")]
    assert opened == OPENED


@pytest.mark.parametrize(("what", "value", "parts"), [
    ("MOST_FILES", 3, [1, 1, 1]), ("MOST_FILES", 4, [2, 1]), ("MOST_FILES", 5, [3]),
    ("LARGEST", 80, [1, 1, 1]), ("LARGEST", 185, [1, 1, 1]), ("LARGEST", 186, [2, 1]),
    ("LARGEST", 291, [2, 1]), ("LARGEST", 292, [3]),
])  # fmt: skip
def test_a_part_holds_as_many_files_as_fit(
    monkeypatch: pytest.MonkeyPatch, what: str, value: int, parts: list[int]
) -> None:
    """Three files of 40 bytes, each with 13 for its line, beside the two of the reveal. The last
    line need not fit, as half of what a bundle may have is free. No part is empty."""
    monkeypatch.setattr(bundles, what, value)
    files = [(name, bytes(40)) for name in "abc"]
    head = {"entry": b"", "entry.sig": b""}
    assert [len(part) for part in bundles._parts(files, head)] == parts


def test_a_receipt_comes_back(finished: Table) -> None:
    """With its signature, under the name that says what it answers."""
    given = finished.given("bob")[0].file
    bundle = bundles.of_receipt(given)
    assert paths(bundle) == ["receipts/0001-bob-1.toml", "receipts/0001-bob-1.toml.sig"]
    assert bundles.read_one("receipt", decode(encode(bundle))) == (paths(bundle)[0], given)


def test_what_is_no_receipt_is_refused(finished: Table) -> None:
    """Another kind, a file too many, none of the signature."""
    path = "receipts/0001-bob-1.toml"
    held = Signed(b"1", b"2").files(path)
    for bundle in (
        bundles.pack("entry", held),
        bundles.pack("receipt", {path: b"1"}),
        bundles.pack("receipt", {**held, "slips/0001-bob.toml": b""}),
        bundles.pack("receipt", {path: b"1", "receipts/0001-bob-2.toml.sig": b"2"}),
    ):
        with pytest.raises(Refused) as caught:
            bundles.read_one("receipt", bundle)
        many = len(bundle.files)
        came = f"{KINDS[bundle.kind]} in {many} file{'s' * (many > 1)}"
        said = f"this block holds {came}: expected a receipt and its signature"
        assert str(caught.value) == f"bad-bundle: {said}"


# Of which game.


def test_before_genesis_a_bundle_names_the_invite(table: Table) -> None:
    """The invite, a join and genesis: all by the invite's digest."""
    invite = opening.read_offer(table.record).digest
    (genesis,) = bundles.of_entry(table.record, 0)
    for bundle in (bundles.of_invite(table.record), join_of(table.record, "bob"), genesis):
        assert bundles.about(bundle) == invite


def test_later_a_bundle_names_the_game(finished: Table) -> None:
    """Entries, orders, receipts and letters: by the digest of genesis."""
    game = finished.host.opening.id
    for step in (1, finished.record.last_step()):
        for bundle in bundles.of_entry(finished.record, step, "alice"):
            assert bundles.about(bundle) == game
    seat = finished.seat("alice")
    (order, *_) = seat.orders()
    assert bundles.about(bundles.pack("order", order.files())) == game
    (receipt, *_) = seat.receipts()
    assert bundles.about(bundles.of_receipt(receipt)) == game
    letter = Letter(game, "alice", 1, game, game).render()
    assert bundles.about(Bundle("letter", (("letters/0001-alice.toml", letter),))) == game


@pytest.mark.parametrize("kind", ["invite", "join", "order", "entry", "receipt", "letter"])
def test_a_bundle_without_its_document_is_refused(kind: str) -> None:
    """Signatures and sealed files alone name no game; another folder's document does not either."""
    given = (
        ("entries/0001.toml.sig", b"x"),
        ("notes/0001.toml", b"y"),
        ("reports/0001-bob.sealed", b"z"),
    )
    for files in (given[:1], given):
        said = f"^bad-bundle: this block should hold {KINDS[kind]}, and does not"
        with pytest.raises(Refused, match=said):
            bundles.about(Bundle(kind, files))


@pytest.mark.parametrize(
    ("kind", "path"),
    [("join", "joins/bob.toml"), ("order", "slips/0001-bob.toml"), ("entry", "entries/0001.toml")],
)
def test_what_is_no_document_is_refused(kind: str, path: str) -> None:
    """Whatever stands in its place."""
    with pytest.raises(Refused):
        bundles.about(Bundle(kind, ((path, b"game = 1\n"),)))


def test_files_are_called_by_the_game(table: Table, finished: Table) -> None:
    """What a bundle's file is called says the game first, then whose it is and for which step."""
    held = {"slips/0002-al-2.toml": b"", "reports/0002-al-2.sealed": b"", "entries/0002.toml": b""}
    assert bundles.name("friday", bundles.of_invite(table.record)) == "friday-invite"
    assert bundles.name("friday", join_of(table.record, "bob")) == "friday-bob-join"
    assert bundles.name("friday", bundles.pack("entry", held)) == "friday-0002-al-2"
    assert bundles.name("friday", table.order("bob", "start C1")) == "friday-bob-0001-1"
    (entry,) = bundles.of_entry(finished.record, 1)
    (own,) = bundles.of_entry(finished.record, 1, "bob")
    assert [bundles.name("friday", one) for one in (entry, own)] == [
        "friday-0001",
        "friday-0001-bob",
    ]
    receipt = bundles.pack("receipt", {"receipts/0012-al-2-3.toml": b""})
    assert bundles.name("friday", receipt) == "friday-al-2-0012-3-receipt"
    letter = bundles.pack("letter", {"letters/al-2-0007.toml": b""})
    assert bundles.name("friday", letter) == "friday-al-2-letter-0007"
