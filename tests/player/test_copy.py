"""What a copy takes in and what it refuses; it writes only what is signed and follows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import bundles, deadlines
from adjudicator.player import letters, table
from adjudicator.player.copy import Copy, ReceivedBundle
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders.bundle import Bundle
from orders.errors import Refused
from orders.letter import Text

Table = Any


@pytest.fixture
def all_bundles(finished: Table) -> list[Bundle]:
    """Invite, genesis, entries and reveal of the finished game."""
    return [bundles.of_invite(finished.record), *finished.host.bundles(range(6), "alice")]


@pytest.fixture
def copy(tmp_path: Path) -> Record:
    """A copy that has nothing yet."""
    return Record(tmp_path / "copy")


def receive(record: Record, given: Iterable[Bundle], seat: Any = None) -> list[ReceivedBundle]:
    return Copy(record, seat, SystemClock()).receive(given)


def files_of(record: Record) -> dict[str, bytes]:
    return {path: record.read(path) for path in record.paths()} if record.root.exists() else {}


def refused(record: Record, given: list[Bundle], word: str) -> Refused:
    """What the copy says; nothing has changed in it."""
    before = files_of(record)
    with pytest.raises(Refused) as caught:
        receive(record, given)
    assert caught.value.word == word, caught.value
    assert files_of(record) == before
    return caught.value


def test_a_copy_is_the_same_record(
    all_bundles: list[Bundle], copy: Record, record: dict[str, bytes]
) -> None:
    """Everyone gets what is theirs: all but others' reports and sealed order files."""
    receive(copy, all_bundles)
    mine = {
        path: data
        for path, data in record.items()
        if not path.endswith(".sealed") or (path.endswith("-alice.sealed") and "reports" in path)
    }
    assert files_of(copy) == mine
    assert verify(copy).code == 0


def test_the_order_in_which_bundles_come_together_does_not_matter(
    all_bundles: list[Bundle], copy: Record, record: dict[str, bytes]
) -> None:
    """Given at once, invites go first, then entries by number."""
    receive(copy, reversed(all_bundles))
    assert set(files_of(copy)) < set(record)
    assert verify(copy).code == 0


def test_what_is_there_already_is_no_news(all_bundles: list[Bundle], copy: Record) -> None:
    """Twice the same changes nothing."""
    assert all(one.new for one in receive(copy, all_bundles))
    before = files_of(copy)
    assert not any(one.new for one in receive(copy, all_bundles))
    assert files_of(copy) == before


def test_row_26_a_gap_is_refused(all_bundles: list[Bundle], copy: Record) -> None:
    """An entry whose predecessor is not there, saying what to ask for."""
    receive(copy, all_bundles[:3])
    error = refused(copy, [all_bundles[4]], "gap")
    assert error.message == "entry 2 is missing"
    assert error.hint == "ask the host: resend 2"


def test_an_entry_before_the_genesis_is_a_gap(all_bundles: list[Bundle], copy: Record) -> None:
    """If it is the host's: it may be kept until the genesis comes. Another's is refused."""
    receive(copy, all_bundles[:1])
    assert (
        "first file, record-0000.txt, is not here yet"
        in refused(copy, [all_bundles[2]], "gap").message
    )
    path = "entries/0001.toml"
    forged = changed(all_bundles[2], lambda held: held.update({path: held[path] + b"\n"}))
    refused(copy, [forged], "bad-signature")


def test_an_entry_before_the_invite_is_refused(all_bundles: list[Bundle], copy: Record) -> None:
    """There is nothing to check it against."""
    refused(copy, [all_bundles[1]], "missing")


def changed(bundle: Bundle, change: Callable[[dict[str, bytes]], object]) -> Bundle:
    held = dict(bundle.files)
    change(held)
    return bundles.pack(bundle.kind, held)


def test_foreign_files_are_refused(all_bundles: list[Bundle], copy: Record) -> None:
    """A bundle holds what its act adds and nothing else, whatever the name."""
    for number, bundle in enumerate(all_bundles):
        for path in (
            "notes.txt",
            "slips/0002-bob.toml",
            "orders/0001-carol.txt",
            "orders/0002-carol.sealed",
            "reports/0003-carol.sealed",
            "receipts/0001-alice-1.toml",
            "joins/carol.toml",
        ):
            hostile = changed(bundle, lambda held, path=path: held.setdefault(path, b""))
            refused(copy, [hostile], "bad-bundle")
        receive(copy, [all_bundles[number]])
    assert verify(copy).code == 0


def test_a_bundle_without_one_of_its_files_is_refused(
    all_bundles: list[Bundle], copy: Record
) -> None:
    """Every file that everybody gets, its own signature too; one's own report may come later."""
    for bundle in all_bundles:
        for path, _ in bundle.files:
            if path.startswith(("reports/", "orders/")):
                continue
            hostile = changed(bundle, lambda held, path=path: held.pop(path))
            with pytest.raises(Refused) as caught:
                receive(copy, [hostile])
            assert caught.value.word in ("missing", "bad-bundle"), path
        receive(copy, [bundle])


def test_a_byte_changed_in_a_bundle_is_refused(all_bundles: list[Bundle], copy: Record) -> None:
    """In any file that everybody gets: nothing of the bundle is taken."""
    for bundle in all_bundles:
        for path, data in bundle.files:
            if path.startswith(("reports/", "orders/")):
                continue
            for place in (0, len(data) // 2, len(data) - 1):
                flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
                hostile = changed(bundle, lambda held, new=(path, flipped): held.update([new]))
                before = files_of(copy)
                with pytest.raises(Refused):
                    receive(copy, [hostile])
                assert files_of(copy) == before
        receive(copy, [bundle])


def test_another_invite_is_refused(
    make_table: Any, all_bundles: list[Bundle], copy: Record, tmp_path: Path
) -> None:
    """A folder holds one game."""
    receive(copy, all_bundles[:1])
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).offer()
    assert "name another folder" in refused(copy, [other], "mismatch").hint


def test_a_seat_is_for_its_own_game(make_table: Any, table: Table, tmp_path: Path) -> None:
    """A copy that has nothing yet takes no other game's invite in with it."""
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).offer()
    with pytest.raises(Refused, match=r"^no-seat: the seat is for another invite"):
        receive(Record(tmp_path / "new"), [other], table.seat("alice"))


def test_orders_and_joins_go_to_the_host(table: Table, copy: Record) -> None:
    """A copy takes neither, and says where they go."""
    receive(copy, [bundles.of_invite(table.record)])
    for bundle in (table.order("alice", "start A1"), table.joins_again()[0]):
        refused(copy, [bundle], "bad-bundle")


def test_receipts_are_for_the_seat(table: Table) -> None:
    """Without a seat, with another's, changed, or of another host: refused."""
    table.submit("alice", "start A1")
    answer = bundles.of_receipt(table.receipts[0])
    copy = table.copies["alice"]
    refused(copy, [answer], "no-seat")
    with pytest.raises(Refused, match="no-seat"):
        receive(copy, [answer], table.seat("bob"))
    path = answer.files[0][0]
    hostile = changed(
        answer, lambda held: held.update({path: held[path].replace(b"accepted", b"malformed")})
    )
    with pytest.raises(Refused, match="bad-signature"):
        receive(copy, [hostile], table.seat("alice"))
    assert len(table.seat("alice").receipts()) == 1


def test_the_reveal_brings_every_order_file(finished: Table, copy: Record) -> None:
    """Opened order files travel with the reveal, so that everybody can adjudicate again."""
    receive(copy, [bundles.of_invite(finished.record)])
    for step in range(6):
        assert not any((copy.root / "orders").glob("*.txt"))
        receive(copy, bundles.of_entry(finished.record, step))
    assert len(list((copy.root / "orders").glob("*.txt"))) == 5
    assert verify(copy).code == 0


def test_an_entry_without_ones_report_is_taken_and_told(table: Table) -> None:
    """A second bundle of the same entry adds the report."""
    for name, lines in (("alice", "start A1"), ("bob", "start F6")):
        table.submit(name, lines)
    (step,) = table.host.advance()
    bare = bundles.of_entry(table.record, step)
    (told,) = table.copy_of("alice").receive(bare)
    assert told.new
    assert "your report of entry 1 is not here" in told.warnings[0]
    assert "resend 1" in told.warnings[0]
    (again,) = table.copy_of("alice").receive(table.host.bundles([step], "alice"))
    assert again.new
    assert again.warnings == ()
    assert again.report is not None
    assert again.report.view.shown["alice"]["sub"] == "A1"


def test_a_report_that_is_another_file_blocks_nothing(table: Table) -> None:
    """The entry is taken; the file is left out, and the player told."""
    for name, lines in (("alice", "start A1"), ("bob", "start F6")):
        table.submit(name, lines)
    steps = table.host.advance()
    (bundle,) = table.host.bundles(steps, "alice")
    path = "reports/0001-alice.sealed"
    hostile = changed(bundle, lambda held: held.update({path: held[path][:-1] + b"x"}))
    (told,) = table.copy_of("alice").receive([hostile])
    assert told.new
    assert "is not the file that was signed" in told.warnings[0]
    assert not (table.copies["alice"].root / path).exists()
    (again,) = table.copy_of("alice").receive([bundle])
    assert again.warnings == ()


def test_a_copy_is_resumed_and_not_verified_from_the_start(finished: Table, copy: Record) -> None:
    """Each signature of a game taken in at once is verified once."""
    from orders import sshsig

    counted = []
    real = sshsig.verify
    given = [bundles.of_invite(finished.record), *finished.host.bundles(range(6), "alice")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sshsig, "verify", lambda *args: counted.append(args[1]) or real(*args))
        receive(copy, given)
        taken = len(counted)
        counted.clear()
        verify(copy)
    # The invite is verified by itself as it comes, and again with genesis.
    assert taken <= len(counted) + 1


def test_what_came_before_a_bad_entry_is_there(all_bundles: list[Bundle], copy: Record) -> None:
    """Of many given at once those before it are kept, and the next command begins there."""
    bad = changed(all_bundles[4], lambda held: held.update({"slips/0003-bob.toml": b"x"}))
    taking = Copy(copy, None, SystemClock())
    with pytest.raises(Refused):
        taking.receive([*all_bundles[:4], bad, all_bundles[5]])
    assert (copy.last_step(), taking.ledger.last.step) == (2, 2)
    assert verify(copy).code == 4
    taking.receive(all_bundles[4:])
    assert verify(copy).code == 0


def test_a_full_disk_takes_nothing_in(all_bundles: list[Bundle], copy: Record) -> None:
    """What was not written does not count as taken in; giving the same again takes all in."""
    receive(copy, all_bundles[:2])
    before = files_of(copy)
    taking = Copy(copy, None, SystemClock())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sync", lambda: (_ for _ in ()).throw(OSError(28, "no space")))
        with pytest.raises(Refused, match="unwritable"):
            taking.receive(all_bundles[2:])
    assert files_of(copy) == before
    taking.receive(all_bundles[2:])
    assert verify(copy).code == 0


def test_what_another_process_took_in_is_known(all_bundles: list[Bundle], copy: Record) -> None:
    """A copy that was read before goes on from what is there now."""
    receive(copy, all_bundles[:3])
    taking = Copy(copy, None, SystemClock())
    assert taking.ledger.last.step == 1
    receive(copy, all_bundles[3:5])
    told = taking.receive(all_bundles[4:6])
    assert [(one.what, one.new) for one in told] == [("entry 3", False), ("entry 4", True)]


def test_each_report_of_a_whole_game_is_looked_at(finished: Table, tmp_path: Path) -> None:
    """What cannot be shown is told at once, with its step, however many entries come after it."""
    from adjudicator.core import report

    real = report.read
    table = finished.copy(tmp_path / "table")
    (table.root / "alice/alice.seat/mark").unlink()
    bundles_of_all = [bundles.of_invite(table.record), *table.host.bundles(range(6), "alice")]
    seen: dict[int, bytes] = {}

    def broken(opening: Any, entry: Any, player: str, data: bytes) -> report.Report:
        seen[entry.step] = data
        if entry.step in (1, 3):
            data = data.replace(b'"n":', b'"n":-')
        return real(opening, entry, player, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "read", broken)
        told = Copy(Record(tmp_path / "copy"), table.seat("alice"), table.clock).receive(
            bundles_of_all
        )
    assert list(seen) == [1, 2, 3, 4]
    assert all(b'"n":' in data for data in seen.values())
    said = {one.step: one.warnings for one in told if one.warnings}
    assert list(said) == [1, 3]
    for step, (warning,) in said.items():
        assert warning.startswith(f"reports/{step:04d}-alice.sealed: sugar-dog cannot show")
        assert warning.endswith("--protest report")
    assert [one.report is None for one in told if one.step in range(1, 5)] == [
        True, False, True, False,
    ]  # fmt: skip


# A player's table: what waits for an entry before it, and what is told while nothing comes.


SETUP, SHOT, QUIET = (
    {"alice": "start C4", "bob": "start C1"},
    {"alice": "fire S"},
    {"bob": "silent"},
)


@pytest.fixture
def games(begun: Any, tmp_path: Path) -> tuple[Any, table.Table]:
    """A game of three entries, and Alice's table, to which none of them has come."""
    game = begun.copy(tmp_path / "game")
    behind = game.copy(tmp_path / "behind")
    game.play(SETUP, SHOT, QUIET)
    desk = table.Table(behind.copies["alice"], behind.seat("alice"), behind.clock, keeps=True)
    return game, desk


def test_an_entry_that_lay_ahead_and_came_is_no_gap(games: tuple[Any, table.Table]) -> None:
    """Nor those before it, nor the next one."""
    game, desk = games
    first, second, _ = game.host.bundles([1, 2, 3], "alice")
    desk.notice(first)
    assert desk.gap() == ([], [])
    desk.notice(second)
    assert desk.gap() == ([2], [1])
    desk.take([("first", first), ("second", second)])
    assert desk.gap() == ([], [])


def test_so_many_wait_and_no_more(
    games: tuple[Any, table.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not kept is named: it may be taken in later."""
    game, desk = games
    monkeypatch.setattr(table, "MOST_EARLY", 1)
    _, second, third = game.host.bundles([1, 2, 3], "alice")
    taken = desk.take([("second", second), ("third", third)])
    assert (len(taken.lines), taken.left) == (1, ["third"])


def test_silence_is_told_once_the_time_is_over(games: tuple[Any, table.Table]) -> None:
    """From the second after it on."""
    game, _ = games
    desk = table.Table(game.copies["bob"], game.seat("bob"), game.clock)
    last = game.entry().awaited["alice"].until
    assert desk.silence(last) == ""
    assert desk.silence(deadlines.add(last, 1)).startswith("NO NEWS since entry 3")


def test_a_letter_as_it_was_kept_is_known(games: tuple[Any, table.Table]) -> None:
    """Carried back to the seat whole, with its text."""
    game, _ = games
    own = game.seated("alice")
    letters.write(own.ledger, own.seat, game.keys["alice"], Text("address shown"))
    ((_, kept),) = own.seat.letters()
    assert table.Table(game.copies["alice"], own.seat, game.clock).has(kept)


def test_before_the_genesis_nothing_is_lacking(offered: Any) -> None:
    """There is no report to ask for."""
    desk = table.Table(offered.record, offered.seat("alice"), offered.clock)
    assert desk.lacking() == ""
