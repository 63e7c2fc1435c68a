"""Rows 2, 17, 20 and 25: hostile keys, names and things in a file's place, at host and verifier."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import bundles
from adjudicator.core.source import LIMIT
from adjudicator.host import begin
from adjudicator.host.host import Host
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Join, read_join
from orders.errors import Missing, Refused
from orders.public_key import PublicKey

Table = Any


def place(path: Path, what: str) -> None:
    """Put something else where a file is expected."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    if what == "a link":
        path.symlink_to(__file__)
    elif what == "a link to the same":
        path.symlink_to(path.name)
    elif what == "/dev/zero":
        path.symlink_to("/dev/zero")
    elif what == "a FIFO":
        os.mkfifo(path)
    elif what == "a folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(LIMIT + 1)


THINGS = ("a link", "a link to the same", "/dev/zero", "a FIFO", "a folder", "a large file")


@pytest.fixture
def own(finished: Table, tmp_path: Path) -> Table:
    """A finished game of this test's own."""
    return finished.copy(tmp_path / "own")


@pytest.mark.parametrize("what", THINGS)
@pytest.mark.parametrize(
    "path",
    [
        "invite.toml",
        "invite.toml.sig",
        "joins/bob.toml",
        "entries/0000.toml",
        "entries/0003.toml",
        "entries/0003.toml.sig",
        "slips/0002-alice.toml",
        "orders/0002-alice.sealed",
        "orders/0002-alice.toml",
        "reports/0002-bob.sealed",
        ".gitattributes",
        "table.toml",
        "entries/0006.toml",
    ],
)
def test_row_25_what_is_no_file_is_never_followed(own: Table, path: str, what: str) -> None:
    """Not true, at once and without an error of another kind; the findings name the place."""
    place(own.record.root / path, what)
    found = verify(own.record)
    assert found.code == 1, found.verdict
    assert path in found.verdict


@pytest.mark.parametrize("what", THINGS)
def test_row_25_what_belongs_to_a_stranger_changes_no_verdict(own: Table, what: str) -> None:
    """It is not read, whatever it is."""
    place(own.record.root / "something", what)
    assert verify(own.record).code == 0


@pytest.mark.parametrize("what", THINGS)
def test_row_25_folders_are_not_followed(own: Table, what: str, tmp_path: Path) -> None:
    """Nor is anything in the place of a folder of the record, or of the record itself."""
    slips = own.record.root / "slips"
    slips.rename(own.root / "slips")
    place(slips, what)
    if what == "a link":
        slips.unlink()
        slips.symlink_to(own.root / "slips")
    assert verify(own.record).code == 1
    place(tmp_path / "record", what)
    assert verify(Record(tmp_path / "record")).code == 2


@pytest.mark.parametrize("what", [*THINGS, "nothing"])
def test_row_25_reading_is_of_regular_files(tmp_path: Path, what: str) -> None:
    """`files.read` refuses what is none, without waiting and without following."""
    path = tmp_path / "file"
    if what != "nothing":
        place(path, what)
    with pytest.raises(Refused) as caught:
        files.read(path, LIMIT)
    assert caught.value.word in ("missing", "unreadable", "too-big")
    assert isinstance(caught.value, Missing) == (what == "nothing")


def test_row_25_a_file_that_grows_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is added while it is read is not taken, so a growing file does not grow the reader."""
    path = tmp_path / "log"
    path.write_bytes(b"first\n")
    real = os.fstat

    def grown(handle: int) -> os.stat_result:
        status = real(handle)
        with path.open("ab") as file:
            file.write(b"more\n" * 1000)
        return status

    monkeypatch.setattr(os, "fstat", grown)
    assert files.read(path, LIMIT) == b"first\n"


def test_the_lock_of_a_folder_is_one_persons(tmp_path: Path) -> None:
    """Row 30: who comes second is told, and may try again."""
    with files.locked(tmp_path), pytest.raises(Refused, match="busy"), files.locked(tmp_path):
        pass
    with files.locked(tmp_path):
        pass


def test_row_30_two_hosts_advance_at_once(table: Table, example: Any) -> None:
    """One wins, the other is told; there is one entry of each number."""
    for name, lines in example[0].items():
        table.submit(name, lines)
    ready, go = os.pipe()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            code = 9
            try:
                os.close(go)
                referee = table.host
                os.read(ready, 1)
                try:
                    referee.advance()
                    code = 0
                except Refused as error:
                    code = {"busy": 1, "not-yet": 2}.get(error.word, 3)
            finally:
                os._exit(code)
        children.append(child)
    os.close(go)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    os.close(ready)
    assert codes.count(0) == 1
    assert set(codes) <= {0, 1, 2}
    assert table.record.last_step() == 1
    assert table.verify().code == 4


# Joins.


def joined(table: Table, name: str, **values: Any) -> Bundle:
    """A join with other values, signed again by its player."""
    held = dict(bundles.of_join(table.record, name).files) if table.record.last_step() else {}
    held = held or dict(next(b for b in table.joins if names.join(name) in dict(b.files)).files)
    join = replace(read_join(held[names.join(name)]), **values)
    return sign(table, join, name)


def sign(table: Table, join: Join, by: str) -> Bundle:
    data = join.render()
    path = f"joins/{join.player}.toml"
    signature = table.keys[by].sign(sshsig.JOIN, data)
    return bundles.pack("join", {path: data, names.signature(path): signature})


@pytest.fixture
def offered(make_table: Any, tmp_path: Path) -> Table:
    """A game that was offered, with two joins."""
    table = make_table(tmp_path / "table")
    table.offer()
    return table


def start(table: Table, *joins: Bundle) -> Bundle:
    return begin.start(table.record, joins, table.signer, table.clock)


P = 2**255 - 19
LOW = {
    "zero": bytes(32),
    "one": (1).to_bytes(32, "little"),
    "not below p": (P + 9).to_bytes(32, "little"),
    "minus one": (P - 1).to_bytes(32, "little"),
}


@pytest.mark.parametrize("what", LOW)
def test_row_2_hostile_public_keys_are_refused_at_join(offered: Table, what: str) -> None:
    """Row 2: as signing key and as sealing key; nothing is begun."""
    raw = LOW[what]
    for values in ({"key": PublicKey(raw).line}, {"sealing": raw.hex()}):
        with pytest.raises(Refused) as caught:
            start(offered, joined(offered, "alice", **values), offered.joins[1])
        assert caught.value.word == "bad-key"
        assert offered.record.last_step() is None


@pytest.mark.parametrize("what", LOW)
def test_row_2_hostile_public_keys_in_an_invite(
    offered: Table, what: str, verify_held: Callable[..., Any]
) -> None:
    """Row 2: by whoever signed it, an invite with such a key is false."""
    from orders.documents import read_invite

    raw = LOW[what]
    files_held = offered.held()
    for values in (
        {"host": PublicKey(raw).line},
        {"sealing": raw.hex()},
        {"letters": raw.hex()},
    ):
        data = replace(read_invite(files_held["invite.toml"]), **values).render()
        signature = offered.signer.sign(sshsig.INVITE, data)
        found = verify_held({"invite.toml": data, "invite.toml.sig": signature})
        assert found.code == 1
        assert "invite.toml" in found.verdict


HOSTILE_NAMES = (
    "../x", "con", "CON", "*", "x,dave", "x" * 300, "host", "", "-x", "1x", "nul", "com1",
    "lpt9", "al ice", "alice\n", "al.ice", "ålice", "setup", "turn",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_row_20_hostile_names_are_refused_at_join(offered: Table, name: str) -> None:
    """Row 20: before anything is written under them."""
    before = offered.held()
    try:
        hostile = joined(offered, "alice", player=name)
    except (Refused, ValueError):
        return  # no bundle can even hold it
    with pytest.raises(Refused):
        start(offered, hostile, offered.joins[1])
    assert offered.held() == before


def test_no_key_stands_twice(offered: Table) -> None:
    """Not in an invite and a join, nor in two joins; nor is a nonce committed to twice."""
    alice = read_join(dict(offered.joins[0].files)["joins/alice.toml"])
    for values in ({"sealing": alice.sealing}, {"nonce": alice.nonce}):
        with pytest.raises(Refused, match="stands twice"):
            start(offered, offered.joins[0], joined(offered, "bob", **values))
    same = sign(offered, replace(alice, player="bob"), "alice")
    with pytest.raises(Refused, match="stands twice"):
        start(offered, offered.joins[0], same)
    invite = offered.held()
    assert "entries/0000.toml" not in invite
    as_host = replace(alice, key=offered.signer.public.line).render()
    signature = offered.signer.sign(sshsig.JOIN, as_host)
    hosts = bundles.pack("join", {"joins/alice.toml": as_host, "joins/alice.toml.sig": signature})
    with pytest.raises(Refused, match="host's key"):
        start(offered, hosts, offered.joins[1])


def test_joins_that_are_none(offered: Table, finished: Table) -> None:
    """Of another invite, of one name twice, by another key, too few players, another kind."""
    for joins, word in (
        ((joined(offered, "alice", invite="0" * 64), offered.joins[1]), "mismatch"),
        ((offered.joins[0], offered.joins[0]), "malformed"),
        ((offered.joins[0],), "malformed"),
        ((offered.joins[0], *bundles.of_entry(finished.record, 1)), "bad-bundle"),
        ((sign(offered, read_join(dict(offered.joins[0].files)["joins/alice.toml"]), "bob"),
          offered.joins[1]), "bad-signature"),
    ):  # fmt: skip
        with pytest.raises(Refused) as caught:
            start(offered, *joins)
        assert caught.value.word == word
    assert offered.record.last_step() is None


def test_only_the_host_can_be_the_host(table: Table) -> None:
    """Another key, another master, no folder: refused before anything is done."""
    with pytest.raises(Refused, match="bad-key"):
        Host(table.record, table.keys["alice"], table.clock)
    with pytest.raises(Refused, match="no-host"):
        Host(table.copies["alice"], table.signer, table.clock)
    (table.record.host / "master").write_text("ab" * 32 + "\n")
    with pytest.raises(Refused, match="is not the one"):
        Host(table.record, table.signer, table.clock)


@pytest.mark.parametrize("content", ["", "zz" * 32, "ab" * 31, "ab" * 40])
def test_a_damaged_master_is_told(table: Table, content: str) -> None:
    """In one line, without quoting what may be a secret."""
    (table.record.host / "master").write_text(content)
    with pytest.raises(Refused) as caught:
        _ = table.host
    assert "abab" not in str(caught.value)


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701])
def test_folders_of_secrets_that_are_open_are_refused(table: Table, mode: int) -> None:
    """The host's and a seat's, with the way out."""
    table.record.host.chmod(mode)
    with pytest.raises(Refused, match="open-folder") as caught:
        _ = table.host
    assert caught.value.hint.startswith("chmod 700")
    table.seat("alice").root.chmod(mode)
    with pytest.raises(Refused, match="open-folder"):
        table.seat("alice")


def test_private_folders_are_made_private(table: Table) -> None:
    """Whatever the umask; what is in them too."""
    table.submit("alice", "start A1")
    for folder in (table.record.host, table.seat("alice").root):
        for path in (folder, *folder.rglob("*")):
            assert path.stat().st_mode & 0o077 == 0, path


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
