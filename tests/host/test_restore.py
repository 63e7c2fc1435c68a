"""A host's machine that was restored from an older backup signs no second history, and goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from host.test_crash import killed
from replacing import replace

from adjudicator.core import bundles
from adjudicator.host import ahead
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.host.restore import Pool, Restoration, Told, bring_invite, restore
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import read_receipt, read_slip
from orders.entries import Ruling, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.keys import MemoryKey
from orders.sshsig import Signed

Table = Any


def back_up(table: Table) -> Callable[[], None]:
    """What the host's disk holds now; call it to restore that."""
    kept = table.root / "backup"
    folders = (table.record.root, table.record.host)
    for folder in folders:
        shutil.copytree(folder, kept / folder.name)

    def again() -> None:
        for folder in folders:
            shutil.rmtree(folder)
            shutil.copytree(kept / folder.name, folder)

    return again


def pool_of(table: Table, copies: Sequence[str] = (), seats: Sequence[str] = ()) -> Pool:
    """The files of some players' copies, and of some players' seats."""
    pool = Pool()
    for name in copies:
        copy = table.copies[name]
        pool.add((path, copy.read(path)) for path in copy.paths())
    for name in seats:
        for order in table.seat(name).orders():
            pool.add_bundle(bundles.pack("order", order.files()))
        for receipt in table.seat(name).receipts():
            pool.add_bundle(bundles.of_receipt(receipt))
    return pool


def bring_back(table: Table, pool: Pool, told: Told | None = None) -> Restoration:
    bring_invite(table.record, pool)
    return restore(table.record, table.signer, table.clock, pool, told)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as error:
        act()
    return error.value.word


@pytest.fixture
def lost(table: Table, example: Sequence[Mapping[str, str]]) -> tuple[Table, dict[str, bytes]]:
    """A machine restored to entry 1 in a game of three entries, and the record that it lost."""
    table.play(example[0])
    again = back_up(table)
    table.play(*example[1:3])
    held = table.held()
    again()
    return table, held


def test_a_slip_that_answers_an_unknown_entry_stops_the_game(
    lost: tuple[Table, dict[str, bytes]],
) -> None:
    """Nothing is signed from then on: no receipt, no entry at any deadline, no ruling, no
    letter."""
    table, _ = lost
    order = table.order("alice", "silent")
    before = table.held(), sorted(table.host.folder.root.glob("receipts/*"))
    assert refused(lambda: table.host.submit(order)) == "ahead"
    table.clock.skip(30 * 86_400)
    assert refused(lambda: table.host.advance(late=True)) == "ahead"
    assert refused(lambda: table.host.rule(Ruling("Sorry"), "2099-01-01T00:00:00Z")) == "ahead"
    assert refused(lambda: table.host.submit(table.seat("bob").orders()[0])) == "ahead"
    assert refused(lambda: Letters(table.host).announce("all", "Hello")) == "ahead"
    assert (table.held(), sorted(table.host.folder.root.glob("receipts/*"))) == before
    with pytest.raises(Refused, match="entry 3, but the record here ends at entry 1") as error:
        table.host.submit(order)
    assert "adjudicator restore" in error.value.hint


def test_what_the_host_signed_itself_stops_it_too(lost: tuple[Table, dict[str, bytes]]) -> None:
    """An entry, a receipt or a letter of its own that it does not know; whoever brings it."""
    table, held = lost
    entry = {path: held[path] for path in ("entries/0003.toml", "entries/0003.toml.sig")}
    assert refused(lambda: table.host.witness(bundles.pack("entry", entry))) == "ahead"
    assert refused(lambda: table.host.advance(late=True)) == "ahead"
    other = table.copy(table.root.with_name("other"))
    receipt = other.seat("bob").receipts()[-1]
    shutil.rmtree(other.record.host / "ahead")
    assert refused(lambda: other.host.witness(bundles.of_receipt(receipt))) == "ahead"


def test_a_stranger_stops_nothing(lost: tuple[Table, dict[str, bytes]]) -> None:
    """An entry of another key, a slip of nobody seated, and another game's are no witnesses."""
    table, held = lost
    stranger = MemoryKey.from_seed(b"\x07" * 32)
    entry = Signed.by(stranger, sshsig.ENTRY, held["entries/0003.toml"])
    table.host.witness(bundles.pack("entry", entry.files("entries/0003.toml")))
    held = dict(table.order("alice", "silent").files)
    path = next(path for path in held if path.endswith(".toml"))
    theirs = bundles.pack("order", Signed.by(stranger, sshsig.SLIP, held[path]).files(path))
    assert refused(lambda: table.host.submit(theirs)) != "ahead"
    other = replace(read_slip(held[path]), game="0" * 64).render()
    mine = bundles.pack("order", Signed.by(table.keys["alice"], sshsig.SLIP, other).files(path))
    assert refused(lambda: table.host.submit(mine)) != "ahead"
    assert table.host.folder.ahead() == {}


def test_copies_and_seats_make_it_whole(
    lost: tuple[Table, dict[str, bytes]], example: Sequence[Mapping[str, str]]
) -> None:
    """Byte for byte what was lost; then the order that stopped the game is taken, and the game
    goes on to its end for everybody."""
    table, held = lost
    order = table.order("alice", "silent")
    assert refused(lambda: table.host.submit(order)) == "ahead"
    done = bring_back(table, pool_of(table, ["alice"], ["alice", "bob"]))
    assert done.missing == []
    assert "entry 2" in done.lines
    assert table.held() == held
    table.send(order)
    table.advance()
    assert table.entry(4).slips["alice"].digest
    for name in table.players:
        assert table.verify(name, copy=True).code == table.verify(name).code
        assert table.warnings.get(name, []) == []


def test_an_earlier_try_may_have_ended_anywhere(
    lost: tuple[Table, dict[str, bytes]], tmp_path: Path
) -> None:
    """A process that ends while it brings things back leaves files by half, of an entry that is not
    there yet; the next one makes all whole."""
    table, held = lost
    pool = pool_of(table, ["alice"], ["alice", "bob"])
    ends = [left for _, left in killed(table, lambda one: bring_back(one, pool), tmp_path / "ends")]
    assert len(ends) > 20
    for left in ends:
        assert bring_back(left, pool).missing == []
        assert left.held() == held


def test_what_is_missing_is_said(lost: tuple[Table, dict[str, bytes]]) -> None:
    """Without Bob's seat his sealed orders are nowhere: whose, of which step, and where they are.
    Until they come nothing is signed; with them it is whole."""
    table, held = lost
    done = bring_back(table, pool_of(table, ["alice", "bob"], ["alice"]))
    assert done.missing == [
        "the sealed orders of bob in entry 3: orders/0003-1.txt in their seat, or their mail"
    ]
    table.clock.skip(30 * 86_400)
    with pytest.raises(Refused):
        table.host.advance(late=True)
    assert table.host.last.step == 3
    assert bring_back(table, pool_of(table, (), ["bob"])).missing == []
    assert table.held() == held


def test_a_gap_is_said(lost: tuple[Table, dict[str, bytes]]) -> None:
    """Entry 3 alone does not follow entry 1."""
    table, held = lost
    pool = Pool()
    pool.add((path, data) for path, data in held.items() if "0003" in path)
    assert bring_back(table, pool).missing == ["entry 2: entry 3 is here, this one is not"]
    assert table.host.last.step == 1


def test_an_entry_that_lacks_a_file_is_the_last(lost: tuple[Table, dict[str, bytes]]) -> None:
    """That is said once, whatever follows it."""
    table, held = lost
    pool = Pool()
    pool.add((path, data) for path, data in held.items() if "slips/0002" not in path)
    assert bring_back(table, pool).missing == [
        "entry 2 is here, but slips/0002-alice.toml, which it names, is not"
    ]


def test_a_file_that_an_entry_here_names_is_brought_back(
    lost: tuple[Table, dict[str, bytes]],
) -> None:
    table, held = lost
    for path in ("slips/0001-bob.toml", "slips/0001-bob.toml.sig"):
        (table.record.root / path).unlink()
    pool = Pool()
    pool.add(held.items())
    assert bring_back(table, pool).missing == []
    assert table.held() == held


def test_an_entry_without_its_signature_is_not_there(lost: tuple[Table, dict[str, bytes]]) -> None:
    table, held = lost
    pool = Pool()
    pool.add((path, data) for path, data in held.items() if path != "entries/0002.toml.sig")
    assert bring_back(table, pool).missing == ["entry 2: entry 3 is here, this one is not"]


def test_an_invite_without_its_house_table_is_not_there(
    make_table: type[Table], tmp_path: Path
) -> None:
    """A restored record would be of no use without it."""
    table = make_table(tmp_path / "tabled", game="silent-ships", options={})
    table.offer()
    pool = Pool()
    pool.add((path, data) for path, data in table.held().items() if path != names.TABLE)
    shutil.rmtree(table.record.root)
    assert refused(lambda: bring_invite(table.record, pool)) == "missing"


@pytest.mark.parametrize("path", [names.INVITE, names.entry(0)])
def test_what_lies_there_without_its_signature_is_not_there(
    lost: tuple[Table, dict[str, bytes]], path: str
) -> None:
    """The invite and the genesis, of which there may be several beside each other."""
    table, held = lost
    for name in table.held():
        (table.record.root / name).unlink()
    pool = Pool()
    pool.add((name, data) for name, data in held.items() if name != names.signature(path))
    assert refused(lambda: bring_back(table, pool)) == "missing"


def test_orders_that_were_never_adjudicated_are_not_sought(table: Table) -> None:
    """A game that is abandoned early lists them; nobody needs what they say."""
    table.submit("alice", "start C4")
    table.rule(Ruling("no time", abandons=True))
    pool = Pool()
    pool.add(table.held().items())
    for path in (table.record.root / "orders").glob("*"):
        path.unlink()
    assert bring_back(table, Pool()).missing == []


def test_of_many_files_of_one_name_some_are_kept() -> None:
    """A flood of them costs no more memory."""
    pool = Pool()
    pool.add(("slips/0001-alice.toml", b"%d" % number) for number in range(300))
    assert len(pool.files) == 256


def test_a_receipt_of_an_entry_before_is_no_loss(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """A host keeps those for the coming entry."""
    table.play(example[0])
    shutil.rmtree(table.record.host / "receipts")
    table.host.witness(bundles.of_receipt(table.seat("bob").receipts()[0]))
    assert table.host.folder.ahead() == {}


def test_an_accepted_order_comes_back_with_its_receipt(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """The same receipt as before: another one would be a second word of the host's."""
    table.play(example[0])
    again = back_up(table)
    answer = table.host.submit(table.order("alice", "fire S"))
    table.deliver("alice", [bundles.of_receipt(answer)])
    again()
    assert refused(lambda: table.host.witness(bundles.of_receipt(answer))) == "ahead"
    table.clock.skip(600)
    done = bring_back(table, pool_of(table, (), ["alice"]))
    assert done.lines == ["orders of alice for step 2, with their receipt"]
    assert done.missing == []
    assert table.host.folder.waiting()["alice"].receipt == answer
    table.advance()
    assert table.verify("alice").code == 4


def test_a_receipt_for_an_order_that_gave_way_comes_back(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """The entry uses the later order. When the first one comes again, its receipt is what it was;
    on a machine that had forgotten it, it would be another, by the entry that it came after."""
    table.play(example[0])
    again = back_up(table)
    first = table.order("alice", "fire S")
    answer = table.host.submit(first)
    table.deliver("alice", [bundles.of_receipt(answer)])
    table.submit("alice", "fire N")
    table.advance()
    again()
    table.clock.skip(600)
    done = bring_back(table, pool_of(table, ["alice"], ["alice"]))
    assert "2 receipts of orders that no longer wait" in done.lines
    assert done.missing == []
    assert table.host.submit(first) == answer
    assert bring_back(table, pool_of(table, ["alice"], ["alice"])).lines == []


def test_another_order_of_a_number_that_waits_is_not_sent_in_again(
    table: Table, example: Sequence[Mapping[str, str]], tmp_path: Path
) -> None:
    """A copy of a seat wrote it; it would be superseded."""
    other = table.play(example[0]).copy(tmp_path / "other")
    table.submit("alice", "fire S")
    pool = Pool()
    pool.add_bundle(other.order("alice", "fire N"))
    assert bring_back(table, pool).lines == []


def test_a_receipt_in_a_seat_and_in_its_file_is_one(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """It has two names there, and its order is brought back, and not missing then."""
    table.play(example[0])
    again = back_up(table)
    answer = table.host.submit(table.order("alice", "fire S"))
    table.deliver("alice", [bundles.of_receipt(answer)])
    again()
    pool = pool_of(table, (), ["alice"])
    pool.add(answer.files("receipts/0002-1.toml").items())
    assert bring_back(table, pool).missing == []


def test_an_accepted_order_that_is_nowhere_is_said(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """Its receipt alone is no order; but one that comes after all, even behind a later one,
    has that receipt and no other."""
    table.play(example[0])
    again = back_up(table)
    first = table.order("alice", "fire S")
    answer = table.host.submit(first)
    again()
    pool = Pool()
    pool.add_bundle(bundles.of_receipt(answer))
    assert bring_back(table, pool).missing == [
        "the orders of alice for step 2 that you accepted: orders/0002-1.txt in their seat, or "
        "their mail"
    ]
    table.submit("alice", "fire N")
    assert table.host.submit(first) == answer


def test_a_record_that_is_gone_altogether(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """With the host's secrets alone, a whole game of four steps and its reveal comes back."""
    table.play(*example)
    held = table.held()
    shutil.rmtree(table.record.root)
    for path in table.record.host.iterdir():
        if path.name not in ("master", "letters", "key"):
            (shutil.rmtree if path.is_dir() else Path.unlink)(path)
    nobody = Pool()
    assert refused(lambda: bring_back(table, nobody)) == "missing"
    assert bring_back(table, pool_of(table, ["bob"], ["alice", "bob"])).missing == []
    assert table.held() == held
    assert table.verify().code == 0


def test_nobodys_files_are_believed(lost: tuple[Table, dict[str, bytes]]) -> None:
    """Entries signed by another key, other bytes under right names, and hundreds of each are no
    use and do no harm."""
    table, held = lost
    stranger = MemoryKey.from_seed(b"\x07" * 32)
    pool = Pool()
    for path, data in held.items():
        if path.endswith(".sig"):
            continue
        file = Signed.by(stranger, sshsig.ENTRY, data + b"\n# changed\n")
        pool.add(file.files(path).items())
        pool.add([(path, b"x" * 4_000), (names.signature(path), b"y" * 100)])
    before = table.held()
    assert bring_back(table, pool).lines == []
    assert table.held() == before
    for path, data in held.items():
        pool.add([(path, data)])
    assert bring_back(table, pool).missing == []
    assert table.held() == held


def test_two_histories_are_not_mended(table: Table, example: Sequence[Mapping[str, str]]) -> None:
    """A host who has signed a second entry 2 is told so, and nothing is written; where nobody was
    told of the one here, it gives way."""
    table.play(example[0])
    again = back_up(table)
    table.play(example[1])
    pool = pool_of(table, ["alice"], ["alice"])
    again()
    table.clock.skip(30 * 86_400)
    table.host.advance(late=True)
    before = table.held()
    made = [read_entry(table.record.read(names.entry(step))) for step in (1, 2)]
    for known in (None, Told(2), Told(3)):
        assert refused(partial(bring_back, table, pool, known)) == "fork"
        assert table.held() == before
    assert bring_back(table, pool, Told(1)).lines[0] == (
        "entry 2 of this machine is taken back: nobody was told of it"
    )
    kept = [read_entry(table.record.read(names.entry(step))) for step in (1, 2)]
    assert (kept[0], kept[1] == made[1]) == (made[0], False)
    assert table.verify().code == 4


@pytest.mark.parametrize("seats", [("alice", "bob"), ()])
def test_an_order_that_went_with_its_entry_waits_again(
    table: Table, example: Sequence[Mapping[str, str]], seats: Sequence[str]
) -> None:
    """The record was lost before that entry reached anybody; the folder beside it has the receipts
    alone. The orders come back with those of the players, or from their mails without."""
    kept = table.root / "kept"
    shutil.copytree(table.record.root, kept)
    table.play(example[0])
    made = table.held()
    pool = pool_of(table, seats=seats)
    for name in () if seats else ("alice", "bob"):
        for order in table.seat(name).orders():
            pool.add_bundle(bundles.pack("order", order.files()))
    shutil.rmtree(table.record.root)
    shutil.copytree(kept, table.record.root)
    assert len(bring_back(table, pool).lines) == 2
    host = Host(table.record, table.signer, table.clock)
    assert sorted(host.folder.waiting()) == ["alice", "bob"]
    assert bring_back(table, pool).lines == []
    host = Host(table.record, table.signer, table.clock)
    host.advance()
    entry = read_entry(table.record.read(names.entry(1)))
    assert entry.missing == ()
    assert entry.slips == read_entry(made[names.entry(1)]).slips


def test_only_the_very_order_waits_again(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """Its slip with other sealed bytes, which anybody can put together, is answered as before; and
    so is one of a step that is over."""
    kept = table.root / "kept"
    shutil.copytree(table.record.root, kept)
    table.play(example[0])
    orders = [order for name in ("alice", "bob") for order in table.seat(name).orders()]
    made = [bundles.pack("order", order.files()) for order in orders]
    for bundle in made:
        assert read_receipt(table.host.submit(bundle).data).status == "accepted"
    assert table.host.folder.waiting() == {}
    shutil.rmtree(table.record.root)
    shutil.copytree(kept, table.record.root)
    bring_back(table, Pool())
    host = Host(table.record, table.signer, table.clock)
    for bundle in made:
        files = {path: data + b"x" * path.endswith(".sealed") for path, data in bundle.files}
        assert read_receipt(host.submit(bundles.pack("order", files)).data).status == "accepted"
        assert host.folder.waiting() == {}
    assert [read_receipt(host.submit(bundle).data).status for bundle in made] == ["accepted"] * 2
    assert sorted(host.folder.waiting()) == ["alice", "bob"]


def made_up(table: Table, name: str) -> Bundle:
    """A player's validly signed slip that quotes an entry which never was."""
    held = dict(table.order(name, "start A1").files)
    path = next(path for path in held if path.endswith(".toml"))
    slip = replace(read_slip(held[path]), head="1" * 64)
    return bundles.pack(
        "order", Signed.by(table.keys[name], sshsig.SLIP, slip.render()).files(path)
    )


def test_a_player_who_makes_up_an_entry_stops_the_game_once(table: Table) -> None:
    """The host says that nothing is lost: the same word again stops nothing, another player's
    does."""
    assert refused(lambda: table.host.submit(made_up(table, "alice"))) == "ahead"
    host: Host = table.host
    with host.record.locked():
        assert ahead.dismiss(host) == ["alice"]
    assert table.send(made_up(table, "alice")).status == "stale"
    assert table.submit("bob", "start F6") == "accepted"
    assert refused(lambda: table.host.submit(made_up(table, "bob"))) == "ahead"


def test_the_hosts_own_signature_is_not_dismissed(lost: tuple[Table, dict[str, bytes]]) -> None:
    """What the host signed is there somewhere."""
    table, held = lost
    entry = {path: held[path] for path in ("entries/0003.toml", "entries/0003.toml.sig")}
    assert refused(lambda: table.host.witness(bundles.pack("entry", entry))) == "ahead"
    host: Host = table.host
    assert refused(lambda: ahead.dismiss(host)) == "ahead"
    assert read_entry(held["entries/0003.toml"]).step == 3


def test_another_game_of_the_same_host_is_no_fork(
    lost: tuple[Table, dict[str, bytes]],
    make_table: type[Table],
    tmp_path: Path,
    example: Sequence[Mapping[str, str]],
) -> None:
    """One mailbox keeps what a host signed in all its games, under one key: what another game has
    is neither a second history nor missing."""
    table, held = lost
    other = make_table(tmp_path / "other", options={"turn_time": "9d", "first": "alice"})
    other.begin().play(*example[:3], {"alice": "silent"})
    assert other.host.last.step > len(example[:3])
    pool = pool_of(table, ("alice", "bob"), ("alice", "bob"))
    pool.add((path, other.record.read(path)) for path in other.record.paths())
    assert bring_back(table, pool).missing == []
    assert table.held() == held


@pytest.mark.parametrize("known", [False, True])
def test_a_mailbox_of_a_thousand_games(lost: tuple[Table, dict[str, bytes]], known: bool) -> None:
    """Each has files of the same names: none is passed over for those of others. What belongs to
    no game, or to none that is wanted, is left."""
    table, held = lost
    pool = pool_of(table, seats=("alice", "bob"))
    pool.wanted = bundles.ids_of(table.record) if known else None
    copy = table.copies["alice"]
    for step in (2, 3):
        path = names.entry(step)
        for number in range(300):
            another = replace(read_entry(copy.read(path)), game=digest(b"%d" % number))
            file = Signed.by(table.signer, sshsig.ENTRY, another.render())
            pool.add_bundle(bundles.pack("entry", file.files(path)))
        pool.add_bundle(bundles.of_host(copy, step))
    pool.add_bundle(Bundle("duel", (("move.toml", b""),)))
    assert len(pool.bundles) == (1 if known else 301)
    assert bring_back(table, pool).missing == []
    assert table.held() == held
