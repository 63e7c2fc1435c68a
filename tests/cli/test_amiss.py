"""When something is not as it should be: the last line on the screen says so, in capitals, and the
exit code too. A row of the table for each thing, with the commands that show it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import courier, keys, shared
from adjudicator.core import bundles
from adjudicator.core.ledger import Ledger
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.store.record import Record
from orders import names, sshsig
from orders.bundle import decode, encode
from orders.entries import read_entry
from orders.errors import Refused
from orders.keys import load_signer
from orders.sshsig import Signed

Table = Any
Row = tuple[int, str]

LATER = "2099-01-01T00:00:00Z"


@pytest.fixture
def mine(table: Table, mine: Table) -> Table:
    """Alice's own folder beside the host's, after the setup: her copy and her seat."""
    table.give("friday-0000.txt", mine)
    table.taken(mine.ok("play", "start C4"), mine)
    table.order("bob", "start C1")
    table.ok("sync", "-g", "friday")
    table.give("friday-0001-alice.txt", mine)
    mine.run("play")
    return mine


def goes_on(table: Table, mine: Table) -> None:
    """Alice orders, and the host goes on; entry 2 awaits Bob."""
    table.taken(mine.ok("play", "silent"), mine)
    table.ok("sync", "-g", "friday")


def old(table: Table, mine: Table) -> str:
    """Entry 3 is here, entry 2 is not."""
    goes_on(table, mine)
    table.order("bob", "silent")
    table.ok("sync", "-g", "friday")
    table.give("friday-0003-alice.txt", mine)
    return "OLD BOARD (entry 1): entry 3 is here, entry 2 is not. "


def no_report(table: Table, mine: Table) -> str:
    """Entry 2 came as it goes to everybody."""
    goes_on(table, mine)
    table.ok("resend", "all", "2", "-g", "friday", "-o", "mine/friday-0002.txt")
    mine.run("take", "friday-0002.txt")
    return "NO REPORT of entry 2: this is what everybody knows. "


def another_players(table: Table, mine: Table) -> str:
    """The bundle for Bob."""
    goes_on(table, mine)
    table.give("friday-0002-bob.txt", mine)
    return "NOT YOUR REPORT: friday-0002-bob.txt was bob's"


def silence(table: Table, mine: Table) -> str:
    """Nothing has come since entry 2, and Bob's time is over."""
    goes_on(table, mine)
    table.give("friday-0002-alice.txt", mine)
    mine.run("take", "friday-0002-alice.txt")
    return "NO NEWS since entry 2, and the time of bob ended "


def other_game(table: Table, mine: Table) -> str:
    """A file of sunday's."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    for name in ("alice", "bob"):
        table.run("join", "sunday-invite.txt", "--name", name, "--key", f"{name}.key")
    table.ok("start", "sunday-alice-join.txt", "sunday-bob-join.txt", "-g", "sunday")
    table.give("sunday-0000.txt", mine)
    return "OTHER GAME: 'sunday-0000.txt' is of another game, not of friday: not taken in. "


def another_entry(table: Table, mine: Table, key: str) -> bytes:
    """Entry 1 with another time, signed with that key, as its bundle."""
    record = Record(table.root / "friday")
    entry = read_entry(record.read(names.entry(1)))
    data = replace_time(entry).render()
    signer = load_signer(table.root / key, None)
    file = Signed(data, signer.sign(sshsig.ENTRY, data))
    held = dict(decode((table.root / "friday-0001-alice.txt").read_bytes()).files)
    held |= file.files(names.entry(1))
    return encode(bundles.pack("entry", held))


def replace_time(entry: Any) -> Any:
    return entry._replace(time="2099-01-01T00:00:00Z")


def forged(table: Table, mine: Table) -> str:
    """Another entry 1, which Bob signed."""
    (mine.root / "forged.txt").write_bytes(another_entry(table, mine, "bob.key"))
    return "REFUSED: forged.txt is not signed by this game's host. Keep the file"


def two_histories(table: Table, mine: Table) -> str:
    """Another entry 1, which the host signed."""
    (mine.root / "other.txt").write_bytes(another_entry(table, mine, "host.key"))
    return "TWO HISTORIES: other.txt holds another entry than the one here. Keep both: "


def given_away(table: Table, mine: Table) -> str:
    """The host gives Alice's seat to another key."""
    (table.root / "eve").mkdir()
    eve = type(table)(table.root / "eve")
    eve.key("eve.key")
    eve.run("join", "../friday-invite.txt", "--name", "alice", "--key", "eve.key")
    (join,) = eve.root.glob("*join.txt")
    table.ok("rule", "-g", "friday", "--hand-on", join, "--reason", "she left", "-y")
    table.give("friday-0002-alice.txt", mine)
    mine.run("take", "friday-0002-alice.txt")
    return "YOUR SEAT was given to SHA256:"


def lost(table: Table, mine: Table) -> str:
    """Alice's seat is not beside her copy any more."""
    (mine.root / "alice.seat").rename(table.root / "alice.seat")
    return "NO SEAT: friday is here, alice.seat is not. Restore it: adjudicator restore FILE"


def looking_on(table: Table, mine: Table) -> str:
    """To somebody without a seat entry 2 came, and entry 1 did not."""
    goes_on(table, mine)
    for path in (*mine.root.glob("friday*"), mine.root / "alice.seat"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    mine.ok("join", "../friday-invite.txt", "--watch")
    mine.ok("take", "../friday-0000.txt")
    table.ok("resend", "all", "2", "-g", "friday", "-o", "mine/friday-0002.txt")
    return (
        "OLD BOARD (entry 0): entry 2 is here, entry 1 is not. Ask the host for friday-0001.txt: "
    )


def unanswered(table: Table, mine: Table) -> str:
    """Orders were sent, and nothing came back."""
    mine.ok("play", "fire S")
    return "NO RECEIPT yet for fire S (sent "


ROWS: Mapping[str, tuple[Callable[[Table, Table], str], Mapping[str, int], bool]] = {
    "old board": (old, {"play": 4, "show": 4, "status": 4, "sync": 4}, False),
    "no report": (no_report, {"play": 4, "show": 4, "status": 4, "sync": 4}, False),
    "no news": (silence, {"play": 4, "show": 4, "status": 4}, True),
    "not your report": (another_players, {"take friday-0002-bob.txt": 4}, False),
    "other game": (other_game, {"take sunday-0000.txt": 3}, False),
    "refused": (forged, {"take forged.txt": 1, "play": 1, "sync": 1}, False),
    "two histories": (two_histories, {"take other.txt": 1, "play": 1, "sync": 1}, False),
    "your seat": (given_away, {"play": 3, "show": 3, "status": 3, "sync": 3}, False),
    "no seat": (lost, {"play": 2, "play silent": 2, "show": 2, "status": 2}, False),
    "looking on": (looking_on, {"show": 4, "status": 4, "sync": 4}, False),
    "no receipt": (unanswered, {"play": 0, "show": 0, "status": 0}, True),
}
"""What is wrong, the commands that say so with their exit codes, and whether it takes time."""


@pytest.mark.parametrize("row", ROWS)
def test_it_is_said_last(
    row: str, table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every command of the row, each time; never a bare board."""
    begin, commands, late = ROWS[row]
    words = begin(table, mine)
    if late:
        monkeypatch.setattr(shared, "now", lambda: LATER)
    for command, code in commands.items():
        done = mine.run(*command.split())
        last = (done.stderr or done.stdout).splitlines()[-1]
        assert last.startswith(words), (command, done.output)
        assert done.exit_code == code, (command, done.output)


def test_a_key_that_has_moved(mine: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found by its fingerprint in ~/.ssh; where it is not, the error names it."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("bob.key", "alice.key"):
        for path in (name, f"{name}.pub"):
            (mine.root.parent / path).rename(home / ".ssh" / path)
    assert "Ready: fire S." in mine.ok("play", "fire S")
    (home / ".ssh" / "alice.key.pub").unlink()
    assert "SHA256:" in mine.fails("bad-key", "play", "fire S")
    monkeypatch.setattr(keys, "is_terminal", lambda: True)
    for answer, code in (("nowhere", 1), ("~/.ssh/bob.key", 1), ("~/.ssh/alice.key", 0)):
        told = mine.run("play", "fire S", given=f"{answer}\n".encode())
        assert "any more. Where is it:" in told.stderr
        assert told.exit_code == code, told.output
    assert "Ready: fire S." in mine.ok("play", "fire S")


def test_two_histories_are_proved_by_the_file(table: Table, mine: Table) -> None:
    """As its last line says: `verify --against FILE`; of a forged one there is no proof."""
    two_histories(table, mine)
    forged(table, mine)
    told = mine.ok("verify", "--against", "other.txt")
    assert told.startswith("PROOF: the host SHA256:")
    assert "signed two entries 1 of one game" in told
    mine.fails("bad-signature", "verify", "--against", "forged.txt")


def test_a_seat_that_is_not_here(table: Table, mine: Table) -> None:
    """It is told alone, without `error:`, and not to who asks for what everybody sees, to the host,
    or beside two seats."""
    words = lost(table, mine)
    assert mine.run("play", "silent").stderr == f"{words}\n"
    assert mine.run("show", "--as", "all").stderr == ""
    (mine.root / "alice.seat").symlink_to(table.root / "alice.seat")
    assert mine.run("show").stderr == ""
    (mine.root / "two.seat").symlink_to(table.root / "bob.seat")
    assert mine.run("show").stderr == ""
    assert "NO SEAT" not in table.run("show").output


@pytest.mark.parametrize("lacks", ["", "its seat"])
def test_status_verifies_once(
    lacks: str, table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a player, and for who has no seat."""
    read, count = Ledger.read, []
    monkeypatch.setattr(Ledger, "read", lambda *given: count.append(1) or read(*given))
    if lacks:
        lost(table, mine)
    mine.run("status")
    assert len(count) == 1


def test_what_is_of_another_game_here_goes_there(table: Table, mine: Table) -> None:
    """And that is said."""
    other_game(table, mine)
    table.give("sunday-invite.txt", mine)
    mine.ok("take", "sunday-invite.txt")
    assert "sunday: entry 0 taken in\n" in mine.ok("take", "sunday-0000.txt")


# What lies in a folder is read in one way, whatever command looks.


def second_game(table: Table, mine: Table) -> None:
    """Alice has a seat in sunday too, in the same folder."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    mine.run("join", "../sunday-invite.txt", "--name", "alice", "--key", "../alice.key")


@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize("command", ["play", "sync"])
def test_another_players_entry(command: str, games: int, table: Table, mine: Table) -> None:
    """It is taken in as by `take`, said once and put away; that one's own report is not here is
    said each time."""
    another_players(table, mine)
    if games == 2:
        second_game(table, mine)
    looked = mine.run("status", "-g", "friday").stdout
    assert "Here, and not taken in yet: friday-0002-bob.txt: adjudicator play" in looked
    told = mine.run(command, "-g", "friday")
    assert told.exit_code == 4
    assert "NOT YOUR REPORT: friday-0002-bob.txt was bob's\n" in told.stderr
    assert "NO REPORT of entry 2: " in told.stderr
    if command == "sync":
        assert "entry 2 taken in; the report in it is bob's, yours is still missing" in told.stdout
    assert (mine.root / "friday.done" / "friday-0002-bob.txt").is_file()
    again = mine.run(command, "-g", "friday")
    assert (again.exit_code, again.stderr.count("\n")) == (4, 1)
    assert again.stderr.startswith("NO REPORT of entry 2: ")
    table.give("friday-0002-alice.txt", mine)
    mine.ok(command, "-g", "friday")


@pytest.mark.parametrize("command", ["play", "sync"])
def test_ones_own_entry_beside_anothers(command: str, table: Table, mine: Table) -> None:
    """Nothing is amiss, and both are put away."""
    goes_on(table, mine)
    for name in ("alice", "bob"):
        (mine.root / f"{'b' if name == 'alice' else 'a'}.txt").write_bytes(
            (table.root / f"friday-0002-{name}.txt").read_bytes()
        )
    mine.ok(command, "-g", "friday")
    assert {"a.txt", "b.txt"} <= {path.name for path in (mine.root / "friday.done").iterdir()}


def test_another_players_receipt(table: Table, mine: Table) -> None:
    """It is said once, in the words of `take`, and put away, but not where Bob sits too."""
    receipt = "friday-bob-0001-1-receipt.txt"
    words = "this receipt is bob's, and your seat is alice's"
    table.give(receipt, mine)
    assert words in mine.fails("no-seat", "take", receipt)
    (mine.root / "bob.seat").symlink_to(table.root / "bob.seat")
    alice = ("sync", "-g", "friday", "--seat", "alice.seat")
    mine.ok(*alice)
    assert (mine.root / receipt).is_file()
    (mine.root / "bob.seat").unlink()
    assert "taken in yet" not in mine.ok("status", *alice[1:])
    told = mine.run(*alice)
    assert (told.exit_code, told.stderr) == (3, f"warning: {receipt}: no-seat: {words}\n")
    mine.ok(*alice)
    assert (mine.root / "friday.done" / receipt).is_file()


def test_a_late_join(table: Table) -> None:
    """A host's `sync` says what to do with it, as `take` does, and says so once; one that no
    ruling can seat is refused once, and put away."""
    (table.root / "eve").mkdir()
    eve = type(table)(table.root / "eve")
    eve.key("eve.key")
    for name in ("alice", "carl"):
        eve.run("join", "../friday-invite.txt", "--name", name, "--key", "eve.key")
    (eve.root / "friday-alice-join.txt").rename(table.root / "late.txt")
    words = "late.txt asks for the seat of alice: adjudicator rule --hand-on late.txt --reason ..."
    assert words in table.ok("take", "late.txt")
    assert words in table.ok("sync", "-g", "friday")
    assert words not in table.ok("sync", "-g", "friday")
    assert (table.root / "late.txt").is_file()
    eve.give("friday-carl-join.txt", table)
    told = table.run("sync", "-g", "friday")
    assert "friday-carl-join.txt: carl has no seat in this game [no-seat]" in told.stderr
    assert (table.root / "friday.done" / "friday-carl-join.txt").is_file()
    table.ok("sync", "-g", "friday")


def test_a_late_join_with_orders_behind_it(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A join that no ruling can seat does not hide what came in the same file; and while one cannot
    be written down, nothing is put away."""
    (table.root / "eve").mkdir()
    eve = type(table)(table.root / "eve")
    eve.key("eve.key")
    for name in ("alice", "carl"):
        eve.run("join", "../friday-invite.txt", "--name", name, "--key", "eve.key")
    orders = (mine.root / mine.sent(mine.run("play", "fire S").stdout)).read_bytes()
    both = table.root / "both.txt"
    both.write_bytes((eve.root / "friday-alice-join.txt").read_bytes() + b"\n" + orders)
    with monkeypatch.context() as patch:
        full = Refused("unwritable", "'joins/001-alice.txt': No space left on device")
        patch.setattr(WaitingRoom, "put", lambda *_: (_ for _ in ()).throw(full))
        assert "No space left" in table.run("sync", "-g", "friday").stderr
    assert both.is_file()
    both.write_bytes((eve.root / "friday-carl-join.txt").read_bytes() + b"\n" + orders)
    told = table.run("sync", "-g", "friday")
    assert (told.exit_code, told.stderr.splitlines()[0]) == (
        1, "error: both.txt: carl has no seat in this game [no-seat]"
    )  # fmt: skip
    assert "alice: taken. For alice: " in told.stdout
    assert (table.root / "friday.done" / "both.txt").is_file()


@pytest.mark.parametrize("command", ["play -g friday", "sync", "status", "status -g friday"])
def test_a_folder_is_read_once(
    command: str, table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many games are in it."""
    second_game(table, mine)
    table.give("friday-0001-bob.txt", mine)
    look, count = courier.look, []
    monkeypatch.setattr(courier, "look", lambda folder: count.append(folder) or look(folder))
    mine.run(*command.split())
    assert len(count) == 1
