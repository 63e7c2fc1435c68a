"""What a host answers to what players send: receipts of each status, revisions, late slips."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles, deadlines
from adjudicator.host.host import Host
from adjudicator.store.record import Record
from games.game import Illegal
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Slip, read_receipt, read_slip
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest
from orders.order_file import OrderFile, cut
from orders.sealing import Place

Table = Any
DAY = 86_400


@pytest.fixture
def resigned() -> Callable[..., Bundle]:
    """A player's bundle with values of its slip changed, validly signed again."""

    def call(table: Table, bundle: Bundle, **values: Any) -> Bundle:
        held = dict(bundle.files)
        path = next(path for path in held if path.endswith(".toml"))
        slip = replace(read_slip(held.pop(path)), **values)
        held.pop(names.signature(path))
        sealed = next(iter(held.values()), None)
        return packed(table, slip, sealed, path.partition("-")[2].removesuffix(".toml"))

    return call


def packed(table: Table, slip: Slip, sealed: bytes | None, by: str) -> Bundle:
    data = slip.render()
    path = names.slip(slip.step, slip.player)
    held = {path: data, names.signature(path): table.keys[by].sign(sshsig.SLIP, data)}
    if sealed is not None:
        held[names.sealed_order(slip.step, slip.player)] = sealed
    return bundles.pack("order", held)


def status(table: Table, bundle: Bundle) -> str:
    return read_receipt(table.host.submit(bundle).data).status


def files_of(folder: Path) -> dict[str, bytes]:
    """All files but the host's mark, which every command of the host brings up to date."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "mark")
    return {str(path): path.read_bytes() for path in found}


def test_row_9_a_slip_of_another_game_is_refused(
    table: Table, resigned: Callable[..., Bundle]
) -> None:
    """Row 9."""
    bundle = table.order("alice", "start A1")
    with pytest.raises(Refused, match="game"):
        table.host.submit(resigned(table, bundle, game="0" * 64))
    assert table.host.folder.waiting() == {}


@pytest.mark.parametrize("values", [{"head": "1" * 64}, {"step": 2, "nonce": None}])
def test_row_9_a_slip_that_answers_an_unknown_entry_gets_no_receipt(
    table: Table, resigned: Callable[..., Bundle], values: dict[str, Any]
) -> None:
    """Row 9: this machine may have lost that entry, so it signs nothing (`host.ahead`)."""
    bundle = resigned(table, table.order("alice", "start A1"), **values)
    with pytest.raises(Refused, match="alice signed that there is"):
        table.host.submit(bundle)
    assert table.host.folder.waiting() == {}


def test_row_9_a_slip_for_a_step_that_is_over_is_stale(table: Table, example: Any) -> None:
    """Once its entry stands a slip is late for good; after the end every slip is."""
    late = table.order("alice", "start A1")
    table.play(example[0])
    assert status(table, late) == "stale"
    table.play(*example[1:])
    assert table.verify().code == 0


def test_row_10_the_same_revision_with_other_bytes_is_superseded(
    table: Table, resigned: Callable[..., Bundle]
) -> None:
    """Row 10: the accepted one stands."""
    accepted = table.order("alice", "start A1")
    receipt = table.send(accepted)
    other = resigned(table, table.order("alice", "start B2"), revision=1)
    assert status(table, other) == "superseded"
    assert table.host.folder.waiting()["alice"].order.file.digest == receipt.slip


def test_row_11_an_exact_duplicate_gets_the_same_receipt(table: Table) -> None:
    """Row 11: byte for byte, also after the entry, and without a second effect."""
    bundle = table.order("alice", "start A1")
    first = table.host.submit(bundle)
    before = files_of(table.root)
    assert table.host.submit(bundle) == first
    assert files_of(table.root) == before
    table.submit("bob", "start F6")
    table.advance()
    assert table.host.submit(bundle) == first


def test_row_11_also_where_the_receipt_was_lost(table: Table) -> None:
    """As with an older backup of the host's folder: another answer would prove that the host lied.

    A slip that no entry uses is judged again.
    """
    unused, bundle = table.order("alice", "start B2"), table.order("alice", "start A1")
    first = table.host.submit(bundle)
    table.submit("bob", "start F6")
    table.advance()
    late = table.order("alice", "silent")
    table.clock.skip(2 * DAY)
    table.rule(Ruling("snow"), deadlines.add(table.clock.now(), 2 * DAY))
    second = read_receipt(table.host.submit(late).data)
    table.advance()
    shutil.rmtree(table.record.host / "receipts")
    assert table.host.submit(bundle) == first
    again = read_receipt(table.host.submit(late).data)
    assert again == replace(second, entry=1, head=table.host.ledger.link(1).digest)
    assert status(table, unused) == "stale"
    for receipt in (bundle, late):
        table.send(receipt)
    assert table.verify("alice", copy=True).code == 4


def test_row_12_a_lower_revision_is_superseded(table: Table) -> None:
    """Row 12: one that arrives after a higher one was accepted."""
    first, second = table.order("alice", "start A1"), table.order("alice", "start B2")
    assert status(table, second) == "accepted"
    assert status(table, first) == "superseded"


def test_a_clock_set_back_makes_no_lie_of_a_refusal(table: Table, example: Any) -> None:
    """Receipts never run backwards: the refusal is not dated before what superseded the slip."""
    first, second = table.order("alice", "start A1"), table.order("alice", "start C4")
    accepted = table.send(second)
    table.clock.skip(-3600)
    superseded = table.send(first)
    assert superseded.status == "superseded"
    assert superseded.time == accepted.time
    table.play({"bob": "start C1"}, *example[1:])
    assert table.verify("alice").code == 0


@pytest.mark.parametrize("revision", [0, 100])
def test_row_12_revision_0_or_100_is_refused(
    table: Table, resigned: Callable[..., Bundle], revision: int
) -> None:
    """Row 12: without a receipt, as there is no such slip."""
    bundle = resigned(table, table.order("alice", "start A1"), revision=revision)
    with pytest.raises(Refused) as caught:
        table.host.submit(bundle)
    assert caught.value.word == "malformed"
    assert "revision" in caught.value.message


def test_row_13_a_nonce_that_does_not_match_its_commitment_is_refused(
    table: Table, resigned: Callable[..., Bundle]
) -> None:
    """Row 13: another nonce, none in step 1, one in a later step."""
    bundle = table.order("alice", "start A1")
    assert status(table, resigned(table, bundle, nonce="ab" * 32)) == "malformed"
    assert status(table, resigned(table, bundle, nonce=None)) == "malformed"
    nonce = read_slip(dict(bundle.files)["slips/0001-alice.toml"]).nonce
    table.play({"alice": "start A1", "bob": "start F6"})
    again = resigned(table, table.order("alice", "silent"), nonce=nonce)
    assert status(table, again) == "malformed"


def test_row_14_a_slip_without_its_order_file_is_absent(
    table: Table, resigned: Callable[..., Bundle]
) -> None:
    """Row 14: none, or one of another digest; an earlier accepted one stands."""
    receipt = table.send(table.order("alice", "start A1"))
    bundle = table.order("alice", "start B2")
    held = dict(bundle.files)
    sealed = held.pop("orders/0001-alice.sealed")
    assert status(table, bundles.pack("order", held)) == "absent"
    held["orders/0001-alice.sealed"] = sealed[:-1] + b"\0"
    assert status(table, bundles.pack("order", held)) == "absent"
    assert table.host.folder.waiting()["alice"].order.file.digest == receipt.slip


def test_an_absent_order_is_judged_once_its_file_comes(table: Table) -> None:
    """The one receipt that a later one replaces; then it is as with any other."""
    bundle = table.order("alice", "start A1")
    held = dict(bundle.files)
    held.pop("orders/0001-alice.sealed")
    assert table.send(bundles.pack("order", held)).status == "absent"
    assert table.send(bundle).status == "accepted"
    assert table.send(bundles.pack("order", held)).status == "accepted"
    table.play({"bob": "start F6"}, {"alice": "resign"})
    assert not any(table.warnings.values())
    assert table.verify("alice").code == 0


def test_a_slip_that_signs_another_order_file_is_unopenable(
    table: Table, resigned: Callable[..., Bundle]
) -> None:
    """The sealed file has come, but it does not open to what the slip signs."""
    bundle = table.order("alice", "start B2")
    assert status(table, resigned(table, bundle, revision=4, order="0" * 64)) == "unopenable"


def sealed_by_hand(table: Table, name: str, step: int, content: bytes) -> bytes:
    opening = table.host.opening
    place = Place("order", opening.id, step, name, 1, digest(content))
    return table.seated(name).shared().seal(place, content, opening.sizes.order)


def test_row_15_a_ciphertext_from_elsewhere_is_unopenable(table: Table) -> None:
    """Row 15: another player's or step's, cut, empty, all zeros: one and the same answer."""
    genesis = table.host.opening.id
    alice, bob = table.order("alice", "start A1"), table.order("bob", "start F6")
    slip = read_slip(dict(alice.files)["slips/0001-alice.toml"])
    good = dict(alice.files)["orders/0001-alice.sealed"]
    wrong_step = sealed_by_hand(table, "alice", 2, b"x")
    copied = dict(bob.files)["orders/0001-bob.sealed"]
    hostile = (copied, wrong_step, good[:-1], b"", bytes(len(good)), bytes(32) + good[32:])
    answers = set()
    for revision, sealed in enumerate(hostile, 1):
        own = replace(slip, game=genesis, revision=revision, sealed=digest(sealed))
        answer = table.host.submit(packed(table, own, sealed, "alice"))
        answers.add((read_receipt(answer.data).status, len(answer.data), len(answer.signature)))
    assert {status for status, _, _ in answers} == {"unopenable"}
    assert len(answers) == 1


def written(table: Table, name: str, lines: str, step: int = 1) -> bytes:
    """An order file as its one rendering has it."""
    file = OrderFile(tuple(lines.split("\n")))
    return file.render(table.seat(name).secret.salt(step, 1))


def authored(table: Table, name: str, body: bytes, step: int = 1) -> Bundle:
    """A bundle around any order file, well sealed and signed: what the tool would not send."""
    sealed = sealed_by_hand(table, name, step, body)
    slip = Slip(
        game=table.host.opening.id, step=step, player=name, revision=1,
        time="2026-01-01T00:00:00Z", head=digest(table.record.read(names.entry(step - 1))),
        order=digest(body), sealed=digest(sealed),
        nonce=table.seat(name).secret.nonce if step == 1 else None,
    )  # fmt: skip
    return packed(table, slip, sealed, name)


def test_an_order_file_in_its_one_rendering_is_accepted(table: Table) -> None:
    """By hand as by the tool."""
    for name, lines in (("alice", "start A1"), ("bob", "start F6")):
        assert status(table, authored(table, name, written(table, name, lines))) == "accepted"


def test_illegal_and_malformed_lines_are_told_apart(table: Table) -> None:
    """By the receipt's status; no receipt quotes the line. A file laid out otherwise is malformed
    (rows 17 to 19), whatever its lines say."""
    remark = b"# a remark\n" + written(table, "alice", "start A1")
    assert status(table, authored(table, "alice", remark)) == "malformed"
    for lines, expected in (("start Z9", "illegal"), ("strat A1", "malformed"), ("", "malformed")):
        bundle = authored(table, "alice", written(table, "alice", lines))
        assert status(table, bundle) == expected
        receipt = table.host.submit(bundle).data
        assert b"Z9" not in receipt
        assert b"strat" not in receipt


def test_a_flood_of_refused_orders_fills_no_disk(table: Table) -> None:
    """Twenty are answered one by one, then the last answer is repeated; a good one is accepted."""
    good = table.order("bob", "start F6")
    receipts = set()
    for number in range(30):
        bundle = authored(table, "bob", written(table, "bob", f"start Z{number}"))
        receipts.add(table.host.submit(bundle).data)
    assert len(receipts) == 20
    assert len(list((table.record.host / "receipts").glob("*.toml"))) == 20
    assert table.submit("alice", "start A1") == "accepted"
    assert table.send(good).status == "accepted"
    table.advance()
    assert table.host.folder.refusals(2) == {}


def test_who_is_not_awaited_is_illegal(table: Table, example: Any) -> None:
    """Where the game lets nobody order out of turn."""
    table.play(example[0])
    assert status(table, authored(table, "bob", written(table, "bob", "silent", 2), 2)) == "illegal"
    assert status(table, table.order("alice", "silent")) == "accepted"


def test_row_20_and_6_a_slip_under_another_name_or_key_is_refused(table: Table) -> None:
    """Rows 6 and 20: another player's signature, or the name of nobody in this game."""
    bundle = table.order("alice", "start A1")
    held = dict(bundle.files)
    slip = read_slip(held["slips/0001-alice.toml"])
    forged = packed(table, slip, held["orders/0001-alice.sealed"], "bob")
    with pytest.raises(Refused, match="bad-signature"):
        table.host.submit(forged)
    nobody = packed(table, replace(slip, player="carol"), None, "alice")
    with pytest.raises(Refused, match="nobody in this game is called carol"):
        table.host.submit(nobody)


def repeated(armored: bytes) -> bytes:
    return armored + armored


ARMOR: dict[str, Callable[[bytes], bytes]] = {
    "3: bytes after the END line": lambda armored: armored + b"x",
    "3: a line end more": lambda armored: armored + b"\n",
    "7: CRLF": lambda armored: armored.replace(b"\n", b"\r\n"),
    "7: other line lengths": lambda armored: armored.replace(b"\n", b"", 2).replace(
        b"SIGNATURE-----", b"SIGNATURE-----\n", 1
    ),
    "8: two BEGIN lines": repeated,
    "empty": lambda armored: b"",
    "large": lambda armored: armored * 100,
    "no base64": lambda armored: armored.replace(b"A", b"*", 1),
    "one bit": lambda armored: armored[:200] + bytes([armored[200] ^ 1]) + armored[201:],
}


@pytest.mark.parametrize("what", ARMOR)
def test_rows_1_to_8_hostile_signatures_are_refused(table: Table, what: str) -> None:
    """At the host: no receipt, nothing written, and the good bundle is taken afterwards."""
    bundle = table.order("alice", "start A1")
    path = "slips/0001-alice.toml.sig"
    hostile = {**dict(bundle.files), path: ARMOR[what](dict(bundle.files)[path])}
    before = files_of(table.root)
    with pytest.raises(Refused, match="bad-signature"):
        table.host.submit(bundles.pack("order", hostile))
    assert files_of(table.root) == before
    assert status(table, bundle) == "accepted"


def test_row_1_and_5_forged_twins_and_other_namespaces(table: Table) -> None:
    """Rows 1 and 5: S + L in place of S; the right key, signing a join in place of a slip."""
    import binascii

    from orders.sshsig import armor

    bundle = table.order("alice", "start A1")
    held = dict(bundle.files)
    slip, path = held["slips/0001-alice.toml"], "slips/0001-alice.toml.sig"
    blob = binascii.a2b_base64(b"".join(held[path].split(b"\n")[1:-2]))
    order = 2**252 + 27742317777372353535851937790883648493
    twin = int.from_bytes(blob[-32:], "little") + order
    forged = armor(blob[:-32] + twin.to_bytes(32, "little"))
    elsewhere = table.keys["alice"].sign(sshsig.JOIN, slip)
    for signature, said in ((forged, "group order"), (elsewhere, "adjudicator-join")):
        with pytest.raises(Refused, match=said):
            table.host.submit(bundles.pack("order", {**held, path: signature}))


def test_only_an_order_bundle_is_taken(table: Table, example: Any) -> None:
    """Another kind, two slips, foreign files: refused in a fixed form, and nothing is written."""
    alice, bob = table.order("alice", "start A1"), table.order("bob", "start F6")
    before = files_of(table.root)
    both = bundles.pack("order", {**dict(alice.files), **dict(bob.files)})
    foreign = bundles.pack("order", {**dict(alice.files), "notes.txt": b""})
    entry = bundles.of_entry(table.record, 0)[0]
    unsigned = bundles.pack(
        "order", {path: data for path, data in alice.files if not path.endswith(".sig")}
    )
    for bundle, word in (
        (both, "bad-bundle"),
        (foreign, "bad-bundle"),
        (entry, "bad-bundle"),
        (unsigned, "bad-signature"),
    ):
        with pytest.raises(Refused, match=word):
            table.host.submit(bundle)
    assert files_of(table.root) == before


def test_the_tool_refuses_before_it_signs(table: Table) -> None:
    """`order` checks against its own view: nothing is written for what would be refused."""
    before = files_of(table.root)
    with pytest.raises(Exception, match="Z9 is not on the map"):
        table.order("alice", "start Z9")
    own = table.seated("alice")
    with pytest.raises(Refused, match="stale"):
        own.read(f"{cut(own.opening.id, 2, 'alice')}\nstart A1\n".encode())
    file = own.read(b"start A1")
    with pytest.raises(Refused, match="the join's"):
        own.order(file, table.keys["bob"], table.clock.now())
    assert files_of(table.root) == before


def test_only_the_host_can_be_the_host(table: Table) -> None:
    """Another key, another master, no folder: refused before anything is done."""
    with pytest.raises(Refused, match="bad-key"):
        Host(table.record, table.keys["alice"], table.clock)
    with pytest.raises(Refused, match="no-host"):
        Host(table.copies["alice"], table.signer, table.clock)
    (table.record.host / "master").write_text("ab" * 32 + "\n")
    with pytest.raises(Refused, match="is not the one"):
        Host(table.record, table.signer, table.clock)


def test_a_damaged_copy_of_the_state_is_not_used(table: Table, example: Any) -> None:
    """It counts only with the digest that the entry names; else the position is made again."""
    table.play(*example[:2])
    state = table.record.host / "state.json"
    good = state.read_bytes()
    for content in (b"", b"{}", good.replace(b"C4", b"D4"), None):
        if content is None:
            state.unlink()
        else:
            state.write_bytes(content)
        referee = table.host
        assert referee.opening.game.position(referee.state())["alice"]["sub"] == "C4"
    table.play(*example[2:])
    assert table.verify().code == 0


def test_a_step_late_in_a_game_reads_no_earlier_entry(
    table: Table, example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order taken in and adjudicated read genesis and the last entry, however many there are."""
    read: list[str] = []
    real = Record.read

    def noted(record: Record, path: str) -> bytes:
        read.append(path)
        return real(record, path)

    table.play(*example[:2])
    bundle = table.order("bob", "silent")
    monkeypatch.setattr(Record, "read", noted)
    assert status(table, bundle) == "accepted"
    assert table.host.advance() == (3,)
    assert names.entry(2) in read
    assert names.entry(1) not in read


def test_another_hosts_entry_is_no_leftover(table: Table) -> None:
    """Who opened the game before another went on sees that entry, and clears nothing of it."""
    table.submit("alice", "start C4")
    table.submit("bob", "start C1")
    first, second = table.host, table.host
    assert first.advance() == (1,)
    with pytest.raises(Refused, match="step 2 waits for"):
        second.advance()
    assert second.last.step == 1
    assert table.verify().code == 4


def test_entries_that_were_not_handed_out(table: Table) -> None:
    """Once the genesis was; before that nothing is owed."""
    table.play({"alice": "start C4", "bob": "start C1"})
    for sent, owed in ((None, ()), (0, (1,)), (1, ())):
        (table.record.host / "sent").unlink(missing_ok=True)
        if sent is not None:
            table.host.folder.mark_sent(sent)
        assert table.host.unsent() == owed


# Orders of a player who is not awaited, where the game lets them (Silent Ships 14).


def test_a_flip_out_of_turn_is_used_and_never_waited_for(make_table: Any, tmp_path: Path) -> None:
    """Alice turns her ship up in Bob's turn: her slip is used beside his, and she is not missing
    where she sends none; what is more than a flip is illegal."""
    table = make_table(tmp_path / "table", game="silent-ships", options={}).begin()
    table.play({"alice": "start", "bob": "start"})
    card = table.report("alice").view.shown["alice"]["hand"][0]
    table.play({"alice": f"play {card} left\nend"})
    assert list(table.entry().awaited) == ["bob"]
    cell = table.entry().events[0]["at"]
    with pytest.raises(Illegal):
        table.order("alice", "end")
    assert table.submit("alice", f"flip {cell}") == "accepted"
    assert table.submit("bob", "end") == "accepted"
    table.advance()
    entry = table.entry()
    assert list(entry.slips) == ["alice", "bob"]
    assert entry.missing == ()
    assert [event["kind"] for event in entry.events][:2] == ["flipped", "turn"]
    table.play({"alice": "end"}, {"bob": "resign"})
    assert table.verify().code == 0
