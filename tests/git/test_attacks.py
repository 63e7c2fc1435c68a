"""What anybody can do who may push, and what it comes to: the game goes on, or nobody is called
missing and the host is told by exit code 1.

The repository is a plain bare one without rights by branch, and its server looks at nothing. What
an attack costs is measured of the program as a process of its own, with all that it starts.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git.conftest import STARTS, check_all, ordered
from git_table import SEED, Table, git

from adjudicator.core.opening import read_offer
from adjudicator.git import host_sync, inbox, objects, process, refs, submission
from adjudicator.git.play_sync import SENT
from adjudicator.git.process import Bounds, Repo
from adjudicator.git.submission import FILE
from adjudicator.git.verifying import opened
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.verifier.verify import verify
from orders.bundle import Bundle
from orders.documents import Private, read_slip
from orders.errors import Refused
from orders.keys import load_signer, write_key
from orders.secrets import derive

MEMORY = 100 * 2**20
SECONDS = 5

# Measuring.


class Cost(NamedTuple):
    """What a command cost, with all that it started: bytes, seconds of processors."""

    code: int
    told: str
    memory: int
    seconds: float


MEASURE = """
import os, sys
args = [sys.executable, "-m", "adjudicator", *sys.argv[1:]]
_, status, used = os.wait4(os.posix_spawn(args[0], args, os.environ), 0)
code = os.waitstatus_to_exitcode(status)
print(code, used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
"""
"""A small program that measures a command: the memory of whoever starts it counts as its own."""


def cost(folder: Path, *args: str, given: str = "") -> Cost:
    """Run a command of the program and measure it."""
    done = subprocess.run(
        [sys.executable, "-IS", "-c", MEASURE, *args],
        cwd=folder, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    told, _, last = done.stdout.rstrip("\n").rpartition("\n")
    code, memory, seconds = last.split()
    assert "Traceback" not in told
    if "ATTACKS" in os.environ:
        print(f"{args[0]} code {code}: {seconds} s, {int(memory) >> 10} MB: {told[:400]}")
    return Cost(int(code), told, int(memory) * 1024, float(seconds))


@cache
def slowness() -> float:
    """How much slower this machine is now than the idle one for which SECONDS holds."""
    return max(1.0, min(cost(Path(), "--help").seconds for _ in range(3)) / 0.05)


def check(found: Cost, more: int = 1) -> None:
    seconds = more * SECONDS * slowness()
    assert found.memory < MEMORY, f"{found.memory >> 20} MB: {found.told[:300]}"
    assert found.seconds < seconds, f"{found.seconds:.1f} s: {found.told[:300]}"
    assert len(found.told) < 20_000


def host(table: Table, *options: str) -> Cost:
    """The host's sync."""
    root = str(table.record.root)
    return cost(table.folder, "sync", "-g", root, "--clock-is-right", *options)


def player(table: Table, name: str) -> Cost:
    """A player's sync."""
    return cost(table.folder, "sync", "-g", str(table.records[name].root))


# What is pushed.

WHO = "m <m@m.invalid> 1767225600 +0000"


def stored(bare: Path, kind: str, data: bytes) -> str:
    """An object in a repository, whatever is in it."""
    done = subprocess.run(
        ["git", "-C", str(bare), "hash-object", "-t", kind, "-w", "--literally", "--stdin"],
        input=data, capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.decode().strip()


def tree(bare: Path, rows: dict[bytes, tuple[str, str]]) -> str:
    """A tree of these names, with their modes and objects."""
    data = b"".join(
        f"{mode} ".encode() + name + b"\0" + bytes.fromhex(one)
        for name, (mode, one) in sorted(rows.items())
    )
    return stored(bare, "tree", data)


def committed(bare: Path, root: str, parent: str, message: bytes = b"x\n", who: str = WHO) -> str:
    head = f"tree {root}\nparent {parent}\nauthor {who}\ncommitter {who}\n\n"
    return stored(bare, "commit", head.encode() + message)


def upon(bare: Path, parent: str, added: dict[bytes, tuple[str, str]]) -> str:
    """A commit that adds these to its parent's root."""
    rows = objects.read_tree(
        subprocess.run(
            ["git", "-C", str(bare), "cat-file", "tree", f"{parent}^{{tree}}"],
            capture_output=True, check=True,
        ).stdout,
        "sha1",
    )  # fmt: skip
    held = {name.encode(): (item.mode, item.id) for name, item in rows.items()}
    return committed(bare, tree(bare, held | added), parent)


def name_of_zeros(size: int) -> str:
    name = hashlib.sha1(b"blob %d\0" % size)  # noqa: S324 - as git does
    for _ in range(size // 2**20):
        name.update(bytes(2**20))
    return name.hexdigest()


def indexed(bare: Path, parts: list[bytes]) -> None:
    """Store a pack of objects that are given as their bytes in it."""
    data = b"PACK" + (2).to_bytes(4, "big") + len(parts).to_bytes(4, "big") + b"".join(parts)
    data += hashlib.sha1(data).digest()  # noqa: S324 - as git does
    subprocess.run(
        ["git", "-C", str(bare), "index-pack", "--stdin"], input=data, capture_output=True,
        check=True,
    )  # fmt: skip


def zeros(bare: Path, size: int) -> str:
    """A blob of so many zero bytes, in a pack of a thousandth of it."""
    deflate = zlib.compressobj(9, wbits=-15)
    once = deflate.compress(bytes(2**24)) + deflate.flush(zlib.Z_FULL_FLUSH)
    # Adler's sum of zeros: 1 below, their number above.
    end = b"\x03\0" + (size % 65521 << 16 | 1).to_bytes(4, "big")
    indexed(bare, [objects._header(3, size) + b"\x78\x9c" + once * (size // 2**24) + end])
    return name_of_zeros(size)


def doubled(bare: Path, times: int) -> str:
    """A blob of zeros: a megabyte, and so many deltas, each of which is the one before twice."""
    size = 2**20
    name = name_of_zeros(size)
    parts = [objects._header(3, size) + zlib.compress(bytes(size), 9)]
    for _ in range(times):
        delta = objects._varint(size) + objects._varint(2 * size)
        delta += (b"\xff" + bytes(4) + (2**20).to_bytes(3, "little")) * (2 * size // 2**20)
        head = objects._header(7, len(delta)) + bytes.fromhex(name)
        parts.append(head + zlib.compress(delta, 9))
        size *= 2
        name = name_of_zeros(size)
    indexed(bare, parts)
    return name


def deep(bare: Path, times: int) -> str:
    """A small blob at the end of a chain of so many deltas."""
    text = b"x" * 100
    name = objects.object_id("blob", text, "sha1")
    parts = [objects._header(3, len(text)) + zlib.compress(text)]
    for number in range(times):
        more = text + b"%d" % number
        one = objects.PackObject("blob", more, (name, len(text)))
        parts.append(objects._packed(one))
        text, name = more, objects.object_id("blob", more, "sha1")
    indexed(bare, parts)
    return name


def nested(bare: Path, depth: int) -> str:
    """A tree of ten to the power of `depth` files."""
    made = stored(bare, "blob", b"x")
    for level in range(depth):
        row = ("40000" if level else "100644", made)
        made = tree(bare, {b"%d" % number: row for number in range(10)})
    return made


HOSTILE_NAMES = (
    b"\x1b[31mred.txt", b"new\nline.txt", b"\xff.txt", "\u202etxt".encode(), b"TO-HOST.TXT",
    b"-rf.txt", b"con.txt", b"x" * 3000 + b".txt", b"to-host.txt ",
)  # fmt: skip


def _file(bare: Path, parent: str, mode: str, one: str) -> str:
    return upon(bare, parent, {FILE.encode(): (mode, one)})


def _large_commit(bare: Path, parent: str) -> str:
    root = git(bare, "rev-parse", f"{parent}^{{tree}}")
    return committed(bare, root, parent, b"x" * 60 * 2**20)


def _names(bare: Path, parent: str) -> str:
    row = ("100644", stored(bare, "blob", b"x"))
    return upon(bare, parent, dict.fromkeys(HOSTILE_NAMES, row))


def _wide(bare: Path, parent: str) -> str:
    row = ("100644", stored(bare, "blob", b"x"))
    return upon(bare, parent, {b"%06d" % number: row for number in range(100_000)})


def _bent(bare: Path, parent: str, name: bytes) -> str:
    return upon(bare, parent, {name: ("100644", stored(bare, "blob", b"x"))})


def _no_mail(bare: Path, parent: str) -> str:
    root = git(bare, "rev-parse", f"{parent}^{{tree}}")
    return committed(bare, root, parent, who="m 1767225600 +0000")


KINDS: dict[str, Callable[[Path, str], str]] = {
    "noise": lambda bare, on: _file(
        bare, on, "100644", stored(bare, "blob", os.urandom(5 * 2**20))
    ),
    "zeros": lambda bare, on: _file(bare, on, "100644", zeros(bare, 2**30)),
    "doubled": lambda bare, on: _file(bare, on, "100644", doubled(bare, 5)),
    "chain": lambda bare, on: _file(bare, on, "100644", deep(bare, 4000)),
    "folder": lambda bare, on: _file(bare, on, "40000", nested(bare, 9)),
    "root": lambda bare, on: committed(bare, nested(bare, 9), on),
    "texts": lambda bare, on: committed(
        bare,
        tree(bare, {b"%d.txt" % number: ("40000", nested(bare, 8)) for number in range(10)}),
        on,
    ),
    "wide": _wide,
    "message": _large_commit,
    "names": _names,
    "no mail": _no_mail,
    "slash": lambda bare, on: _bent(bare, on, b"a/b.txt"),
    "dots": lambda bare, on: _bent(bare, on, b".."),
    "git": lambda bare, on: _bent(bare, on, b".git"),
    "link": lambda bare, on: _file(bare, on, "120000", stored(bare, "blob", b"/etc/passwd")),
    "module": lambda bare, on: _file(bare, on, "160000", "12" * 20),
}
"""What is pushed: a commit on that one, which stands for much, or is malformed."""


def guesses(end: str) -> tuple[str, ...]:
    """Every name under which something might be read."""
    heads = (
        f"in.bob.0001-1.{end[:16]}", f"in.bob.0001-2.{'0' * 16}", f"in.bob.join.{end[:16]}",
        "in.bob", f"in.alice.0001-1.{end[:16]}", f"in.zoe.0001-1.{end[:16]}", "players/bob",
        f"in/bob.0001-1.{end[:16]}", f"IN.bob.0001-1.{end[:16]}", f"in.Bob.0001-1.{end[:16]}",
        f"in.bob.0001-1.{'1' * 16}/x", "to-host.txt", "origin/main", "Main", "mallory",
    )  # fmt: skip
    requests = ("pull/7", "pull/8", "merge-requests/7", "pull/999999999999999999")
    return (*map(refs.full, heads), *(f"refs/{one}/head" for one in requests), "refs/tags/main")


def point(bare: Path, names: tuple[str, ...], end: str) -> None:
    given = "".join(f"update {name} {end}\n" for name in names)
    git(bare, "update-ref", "--stdin", given=given)


# What it costs.


@pytest.mark.parametrize("kind", KINDS)
def test_under_every_name(ready: Table, kind: str) -> None:
    """Whatever lies there: both players' orders are taken in at once, and who looks on pays
    nothing."""
    table = ready
    end = KINDS[kind](table.bare, table.main())
    point(table.bare, guesses(end), end)
    found = host(table)
    check(found)
    assert found.code == 0, found.told
    assert found.told.count(": accepted") == 2, found.told
    assert "\x1b" not in found.told
    assert f"in.bob.0001-1.{end[:16]}: left out: " in found.told
    again = host(table)
    check(again)
    assert again.code == 0
    assert "left out" not in again.told
    own = player(table, "bob")
    check(own)
    assert own.code == 0, own.told
    assert table.statuses("bob") == ["accepted"]
    url = f"file://{table.bare}"
    for args in (("verify", url), ("join", url, "--watch", "-o", str(table.folder / "look"))):
        looked = cost(table.folder, *args)
        check(looked)
        assert looked.code in (0, 4), looked.told
    for clone in (table.record.root, table.records["bob"].root, table.folder / "look"):
        assert git(clone, "cat-file", "-e", end, code=1) == ""


# A player's branch.


def branches(table: Table, player: str) -> list[str]:
    """The branches in that player's name."""
    heads = f"refs/heads/in.{player}.*"
    return git(table.bare, "for-each-ref", "--format=%(refname)", heads).split()


def latest(table: Table, player: str) -> str:
    """The branch that a player pushed last."""
    end = git(table.records[player].root, "rev-parse", SENT)
    return git(table.bare, "for-each-ref", "--format=%(refname)", f"--points-at={end}")


def _moved(table: Table, branch: str) -> None:
    git(table.bare, "update-ref", branch, table.main())


def _moved_on(table: Table, branch: str) -> None:
    end = git(table.bare, "rev-parse", branch)
    git(table.bare, "update-ref", branch, _names(table.bare, end))


def _removed(table: Table, branch: str) -> None:
    git(table.bare, "update-ref", "-d", branch)


def _a_folder(table: Table, branch: str) -> None:
    git(table.bare, "update-ref", "-d", branch)
    git(table.bare, "update-ref", f"{branch}/x", table.main())


@pytest.mark.parametrize("attack", [_moved, _moved_on, _removed, _a_folder])
def test_a_branch_that_others_take_away(
    make_table: Callable[..., Table], attack: Callable[[Table, str], None]
) -> None:
    """After every sync of the player's: who tells it and pushes it again, till the host was there.

    The host looks at nothing that was moved, and removes it.
    """
    table = make_table()
    table.order("bob", STARTS["bob"])
    assert table.sync("bob").lines == ["pushed: your orders for step 1, revision 1"]
    for _ in range(3):
        branch = latest(table, "bob")
        attack(table, branch)
        assert table.sync_host().receipts == []
        (warning,) = table.play_sync("bob").sync().warnings
        assert "somebody has moved or removed" in warning
        assert branch.removeprefix("refs/heads/") in warning
    (receipt,) = table.sync_host().receipts
    assert receipt.status == "accepted"
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


# The host's branches.


def put_back(table: Table, error: Refused) -> None:
    """Do what the hint says, in the host's clone."""
    command = error.hint.partition("git push")[2]
    assert command, error.hint
    git(table.record.root, "push", *command.split())


def _other(table: Table) -> None:
    made = git(table.bare, "commit-tree", git(table.bare, "mktree"), "-m", "x")
    git(table.bare, "update-ref", "refs/heads/main", made)


def _malformed(table: Table) -> None:
    git(table.bare, "update-ref", "refs/heads/main", _no_mail(table.bare, table.main()))


@pytest.mark.parametrize("attack", [_other, _malformed])
def test_main_is_replaced(ready: Table, attack: Callable[[Table], None]) -> None:
    """Host and player say so in words, with the push that puts it back; then all goes on."""
    table = ready
    attack(table)
    for sync in (table.sync_host, table.play_sync("bob").sync):
        with pytest.raises(Refused) as error:
            sync()
        assert "main" in error.value.message
    with pytest.raises(Refused) as error:
        table.sync_host()
    put_back(table, error.value)
    assert table.sync_host().steps == [1]
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


def _stuffed(bare: Path, main: str) -> str:
    """Forty files at the root, one of them the host's block of another time."""
    row = ("100644", stored(bare, "blob", b"x" * 900))
    names = [b"%02d" % number + b"x" * 200 + b".txt" for number in range(80)]
    return upon(bare, main, dict.fromkeys([*names, FILE.encode(), b"README.md"], row))


def _belied(bare: Path, main: str) -> str:
    """The record's files with other bytes, and an entry that is none."""
    row = ("100644", stored(bare, "blob", b"x"))
    folder = tree(bare, {b"0000.toml": row, b"0001.toml": row, b"0001.toml.sig": row})
    gone = ("40000", tree(bare, {}))
    return upon(bare, main, {b"invite.toml": row, b"entries": ("40000", folder), b"joins": gone})


UPON_MAIN = {**KINDS, "stuffed": _stuffed, "belied": _belied}


@pytest.mark.parametrize("kind", ["stuffed", "belied", "wide", "root", "names", "link", "module"])
def test_others_commit_on_main(make_table: Callable[..., Table], kind: str) -> None:
    """A player reads the host's last commit, and builds on it; the host's next one takes all back
    but what lies beside the record. So nobody is kept from the game."""
    table = make_table()
    own = set(git(table.bare, "ls-tree", "--name-only", "main").split())
    for name, line in STARTS.items():
        before = table.main()
        end = UPON_MAIN[kind](table.bare, before)
        git(table.bare, "update-ref", "refs/heads/main", end)
        table.order(name, line)
        told = "main holds commits that the host did not sign (1): they are left out"
        assert told in table.sync(name).lines
        (branch,) = branches(table, name)
        assert git(table.bare, "rev-parse", f"{branch}~1") == before
        synced = table.sync_host()
        assert [one.status for one in synced.receipts] == ["accepted"]
        assert sum(line.startswith("main held commits") for line in synced.lines) == 1
        left = set(git(table.bare, "ls-tree", "--name-only", "main").split())
        beside = {"README.md"} if kind == "stuffed" else set()
        assert left - {"slips", "orders", "reports"} == own | beside
    assert table.record.last_step() == 1
    assert not any("main held" in line for line in table.sync_host().lines)
    with opened(f"file://{table.bare}", None) as tree:
        assert verify(tree).code == 4
    check_all(table)


def _backwards(table: Table) -> None:
    git(table.bare, "update-ref", "refs/heads/main", "main~1")


def _deleted(table: Table) -> None:
    git(table.bare, "update-ref", "-d", "refs/heads/main")


@pytest.mark.parametrize("attack", [_backwards, _deleted])
def test_main_is_taken_away(ready: Table, attack: Callable[[Table], None]) -> None:
    """The host's next sync puts it back; till then a player is told."""
    table = ready
    attack(table)
    try:
        told = " ".join(table.play_sync("bob").sync().warnings)
    except Refused as error:
        told = f"{error.message} {error.hint}"
    assert "the host" in told
    assert table.sync_host().steps == [1]
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


@pytest.mark.parametrize("kind", ["", "noise", "wide", "no mail", "link"])
def test_receipts_are_replaced(make_table: Callable[..., Table], kind: str) -> None:
    """Or removed: it is told, keeps nobody from the game, and the host makes them anew."""
    table = make_table()
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    table.sync_host()
    before = git(table.bare, "rev-parse", "receipts")
    if kind:
        end = KINDS[kind](table.bare, table.main())
        git(table.bare, "update-ref", "refs/heads/receipts", end)
    else:
        git(table.bare, "update-ref", "-d", "refs/heads/receipts")
    taken = table.play_sync("bob").sync()
    assert ("receipts" in " ".join(taken.warnings)) == bool(kind), taken.warnings
    table.sync_host()
    assert git(table.bare, "rev-parse", "receipts") not in (before, end if kind else "")
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


def test_megabytes_on_receipts(ready: Table) -> None:
    """Boxes are small: no more than a usual sync is fetched of what lies in their place."""
    table = ready
    git(table.bare, "update-ref", "refs/heads/receipts", KINDS["noise"](table.bare, table.main()))
    found = player(table, "bob")
    assert found.code == 3
    assert "the boxes with receipts cannot be read: " in found.told
    assert host(table).code == 0
    assert player(table, "bob").code == 0


@pytest.mark.parametrize("what", ["main~1", "a box"])
def test_receipts_that_hold_what_main_holds(make_table: Callable[..., Table], what: str) -> None:
    """When they are replaced, nothing of main's is removed from anybody's clone with them."""
    table = make_table()
    table.play_bots(1)
    end = what
    if what == "a box":
        rows = git(table.bare, "ls-tree", "-r", "main:").splitlines()
        boxes = {
            b"%d.sealed" % number: ("100644", row.split()[2]) for number, row in enumerate(rows)
        }
        root = tree(table.bare, boxes)
        end = stored(
            table.bare, "commit", f"tree {root}\nauthor {WHO}\ncommitter {WHO}\n\nx\n".encode()
        )
    git(table.bare, "update-ref", "refs/heads/receipts", end)
    for name in table.players:
        table.play_sync(name).sync()
    table.sync_host()
    for name in table.players:
        table.sync(name)
    for record in (table.record, *table.records.values()):
        git(record.root, "fsck", "--strict")
    assert table.play_bots(1) == 1


# No receipt.


def ignoring(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync of a host that does not see what players pushed, as one that listed before it; a day
    later, so that the boxes are new."""
    table.clock.skip(86_400)
    listed = refs.list_remote

    def less(repo: Repo, *remote: str) -> dict[str, str]:
        return {ref: end for ref, end in listed(repo, *remote).items() if "/in." not in ref}

    with monkeypatch.context() as patch:
        patch.setattr(refs, "list_remote", less)
        table.sync_host()


def test_no_receipt_is_told(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the host has replaced the boxes twice since the push; once may be a race."""
    table = make_table()
    table.sync_host()
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    ignoring(table, monkeypatch)
    for _ in range(2):
        table.sync("bob")
    ignoring(table, monkeypatch)
    for _ in range(2):
        (warning,) = table.play_sync("bob").sync().warnings
        assert warning.startswith("NO RECEIPT for your orders for step 1: they are pushed (in.bob.")
    table.sync_host()
    table.sync("bob")
    for _ in range(3):
        ignoring(table, monkeypatch)
        table.sync("bob")


def test_others_boxes_accuse_no_host(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boxes of other people's, and old ones of the host's that others put back, are no sync."""
    table = make_table()
    old = []
    for _ in range(3):
        ignoring(table, monkeypatch)
        old.append(git(table.bare, "rev-parse", "receipts"))
        git(table.bare, "update-ref", f"refs/kept/{len(old)}", old[-1])
    table.order("bob", STARTS["bob"])
    junk = _no_mail(table.bare, table.main())
    made = git(table.bare, "commit-tree", "receipts^{tree}", "-m", "x")
    for end in (old[-1], *old, made, *old[::-1], junk, made, *old):
        git(table.bare, "update-ref", "refs/heads/receipts", end)
        assert "NO RECEIPT" not in " ".join(table.play_sync("bob").sync().warnings)
    ignoring(table, monkeypatch)
    assert table.sync("bob").warnings == []
    table.sync_host()
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


# Very many.


def tiny(table: Table, count: int) -> list[str]:
    """So many commits on main, each with nothing new in it."""
    bare = table.bare
    root, main = git(bare, "rev-parse", "main^{tree}", "main").split()
    texts = [
        f"tree {root}\nparent {main}\nauthor {WHO}\ncommitter {WHO}\n\n{number}\n".encode()
        for number in range(count)
    ]
    parts = [objects._packed(objects.PackObject("commit", text)) for text in texts]
    indexed(bare, parts)
    return [objects.object_id("commit", text, "sha1") for text in texts]


def listed_too(table: Table, rows: dict[str, str]) -> None:
    """Add refs to a server without a process for each."""
    git(table.bare, "pack-refs", "--all")
    packed = table.bare / "packed-refs"
    head, *rest = packed.read_text().splitlines(keepends=True)
    lines = [f"{end} {ref}\n" for ref, end in rows.items()]
    packed.write_text("".join([head.replace(" sorted", ""), *rest, *lines]))


MANY: dict[str, Callable[[int, str], str]] = {
    "in bob's name": lambda number, end: f"refs/heads/in.bob.0001-1.{end[:16]}",
    "in alice's name, later": lambda number, end: f"refs/heads/in.alice.9000-1.{end[:16]}",
    "in nobody's name": lambda number, end: f"refs/heads/in.zoe.0001-1.{end[:16]}",
    "of no form": lambda number, end: f"refs/heads/in.bob.0001-1.{number:016x}/x",
    "long": lambda number, end: f"refs/heads/{'x' * 200}/{'y' * 200}/{number}",
    "pulls": lambda number, end: f"refs/pull/{number + 1}/head",
    "pulls, one commit": lambda number, end: f"refs/pull/{number + 1}/head",
}


@pytest.mark.parametrize("kind", MANY)
def test_ten_thousand_branches(ready: Table, kind: str) -> None:
    """Both orders are taken in by the second sync, and from then on the rest costs a listing."""
    table = ready
    count = 20_000 if "pulls" in kind else 10_000
    ends = tiny(table, count)
    if "one commit" in kind:
        ends = [_no_mail(table.bare, table.main())] * count
    listed_too(table, {MANY[kind](number, end): end for number, end in enumerate(ends)})
    told = ""
    for _ in range(2):
        found = host(table, "--late")
        assert found.memory < MEMORY
        assert found.seconds < 4 * SECONDS * slowness()
        assert len(found.told) < 20_000
        told += found.told
        own = player(table, "bob")
        check(own)
        looked = cost(table.folder, "verify", f"file://{table.bare}")
        check(looked)
        if table.record.last_step() == 1:
            break
        assert "missing: " not in found.told
        assert found.code == 1
    assert told.count(": accepted") == 2, told
    assert table.statuses("bob") == ["accepted"]
    for _ in range(2):
        found = host(table)
    check(found)
    assert found.code == 0


def test_more_than_are_looked_at(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Bob's name: he is not called missing, it is told, and the next sync finds his orders."""
    table = make_table()
    table.order("alice", STARTS["alice"])
    table.sync("alice")
    for line in ("start A1", STARTS["bob"]):
        table.order("bob", line)
    table.sync("bob")
    assert ".0001-2." in latest(table, "bob")
    ends = tiny(table, 9)
    listed_too(table, {f"refs/heads/in.bob.0001-1.{end[:16]}": end for end in ends})
    monkeypatch.setattr(inbox, "MOST", 7)
    table.clock.skip(30 * 86_400)
    for left in (11 - 7, 0):
        synced = table.sync_host(late=True)
        assert len(synced.unread) == left
        assert all(line.startswith("in.bob.0001-") for line in synced.unread)
        assert synced.steps == ([] if left else [1])
    assert table.record.last_step() == 1
    check_all(table)
    assert "bob" not in table.host.last.entry.missing


def test_one_bad_commit_under_many_names(
    make_table: Callable[..., Table], network: list[str]
) -> None:
    """It is fetched until it is known, and no more often."""
    table = make_table()
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    end = _no_mail(table.bare, table.main())
    rows = {f"refs/heads/in.alice.{step:04d}-1.{end[:16]}": end for step in range(1, 300)}
    listed_too(table, rows)
    network.clear()
    (receipt,) = table.sync_host().receipts
    assert receipt.status == "accepted"
    assert network.count("fetch") < 25


def test_a_list_without_end(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is of no use is not even listed; beyond all bounds it is said in words."""
    table = make_table()
    end = table.main()
    listed_too(table, {f"refs/heads/{'x' * 200}/{number}": end for number in range(100)})
    monkeypatch.setattr(refs, "_LONGEST", 2_000)
    table.sync_host()
    listed_too(table, {f"refs/heads/in.{'x' * 200}/{number}": end for number in range(100)})
    with pytest.raises(Refused) as error:
        table.sync_host()
    assert "origin lists more than 2000 bytes of branches" in error.value.message
    assert "remove those branches" in error.value.hint
    table.order("bob", STARTS["bob"])
    table.sync("bob")


def test_a_branch_that_never_stands_still(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is to be removed, and is moved by somebody before each push of the host's: the rest
    is pushed without that."""
    table = make_table()
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    ends = tiny(table, 40)
    branch = f"refs/heads/in.alice.0001-1.{'0' * 16}"
    git(table.bare, "update-ref", branch, ends.pop())
    send = refs.send

    def late(*args: Any) -> str:
        git(table.bare, "update-ref", branch, ends.pop())
        return send(*args)

    monkeypatch.setattr(refs, "send", late)
    (receipt,) = table.sync_host().receipts
    assert receipt.status == "accepted"
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


def test_many_in_one_name_push_nobody_else_out(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each name the first are looked at; what is told of rubbish hides no answer."""
    table = make_table()
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    rows = {f"refs/heads/in.alice.0001-1.{end[:16]}": end for end in tiny(table, 90)}
    rows |= {f"refs/pull/{number}/head": end for number, end in enumerate(tiny(table, 60))}
    listed_too(table, rows)
    monkeypatch.setattr(inbox, "MOST", 80)
    lines = table.sync_host().lines
    assert "order of bob, step 1, revision 1: accepted" in lines
    assert sum("left out" in line for line in lines) == 40
    assert "and 110 more like these" in lines


def test_many_joins(make_table: Callable[..., Table]) -> None:
    """Anybody can make keys: it is told in few words, and the host begins with whom it likes."""
    table = make_table(started=False)
    table.join()
    offer = read_offer(table.record)
    repo = Repo(table.records["alice"].root)
    specs = []
    for number in range(40):
        name = f"puppet{number}" if number % 2 else "alice"
        path = table.folder / f"{number}.key"
        write_key(path, name, derive(SEED, f"puppet/{number}"))
        seat = Seat.create(
            table.folder / f"{number}.seat", name, offer.digest, path, derive(SEED, f"{number}")
        )
        join = seated.join(offer, seat, load_signer(path, None), Private())
        end = submission.commit(repo, table.main(), name, join, table.clock.now())
        branch = submission.branch(name, join, end)
        specs.append(f"{end}:refs/heads/{branch.name}")
    git(repo.root, "push", "-q", "origin", *specs)
    lines = table.sync_host().lines
    assert sum(map(len, lines)) < 5_000
    assert any(line.endswith("and 10 more") for line in lines)
    alice = table.keys["alice"].public.fingerprint
    table.host_sync().start([f"alice={alice}", "bob"])
    for name in table.players:
        table.sync(name)
        table.order(name, STARTS[name])
        table.sync(name)
    assert table.sync_host().steps == [1]


# What is told once, and what is no fault of a branch.


def test_rubbish_is_told_once(make_table: Callable[..., Table], network: list[str]) -> None:
    """Then it costs a listing, also where nobody may remove it."""
    table = make_table()
    git(table.bare, "config", "receive.denyDeletes", "true")
    for kind in ("no mail", "link", "dots"):
        end = KINDS[kind](table.bare, table.main())
        point(table.bare, guesses(end)[:1] + guesses(end)[-4:-1], end)
    assert sum("left out" in line for line in table.sync_host().lines) == 5
    network.clear()
    for _ in range(2):
        assert not any("left out" in line for line in table.sync_host().lines)
    assert network == ["ls-remote"] * 2


def test_rubbish_is_removed(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With each push so many, also of that which an earlier sync has read."""
    table = make_table()
    ends = tiny(table, 5)
    listed_too(table, {f"refs/heads/in.bob.9000-1.{end[:16]}": end for end in ends})
    monkeypatch.setattr(host_sync, "MOST_REMOVED", 2)
    for left in (3, 1, 0):
        table.clock.skip(86_400)
        table.sync_host()
        assert len(branches(table, "bob")) == left


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("error: object 12345678901234567890123456789012345678ab: missingEmail: x\n"
         "fatal: fsck error in packed object\n", True),
        ("fatal: fetch-pack: invalid index-pack output\n", True),
        ("fatal: Out of memory, malloc failed (tried to allocate 9 bytes)\n", True),
        ("remote: fatal: Out of memory, malloc failed (tried to allocate 9 bytes)\n"
         "fatal: early EOF\nfatal: fetch-pack: invalid index-pack output\n", False),
        ("remote: error: pack-objects died of signal 24\nfatal: early EOF\n", False),
        ("fatal: sha1 file '.git/objects/pack/tmp_idx_Uf1xCV' write error. Out of diskspace\n"
         "fatal: fetch-pack: invalid index-pack output\n", False),
        ("fatal: write error: No space left on device\n"
         "fatal: fetch-pack: invalid index-pack output\n", False),
        ("fatal: unable to create temporary file: Input/output error\n", False),
        ("fatal: Could not read from remote repository.\n", False),
        ("fatal: couldn't find remote ref refs/heads/in.bob.0001-1.0123456789abcdef\n", False),
        ("fatal: early EOF\nfatal: fetch-pack: invalid index-pack output\n", False),
        ("fatal: remote error: upload-pack: not our ref 1234\n", False),
    ],
)  # fmt: skip
def test_objects_are_judged_not_circumstances(said: str, wrong: bool) -> None:
    """By git's words: what is wrong with a commit stays so; a full disk or a line does not."""
    assert refs.is_wrong(process.failed(("fetch",), 128, said.encode())) == wrong


def test_a_branch_upon_a_main_that_is_gone(make_table: Callable[..., Table]) -> None:
    """Five megabytes on main when Bob pushes, and none any more when the host comes: his commit
    stands upon the host's, so it is read."""
    table = make_table()
    before = table.main()
    git(table.bare, "update-ref", "refs/heads/main", KINDS["noise"](table.bare, before))
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    git(table.bare, "update-ref", "refs/heads/main", before)
    (receipt,) = table.sync_host().receipts
    assert receipt.status == "accepted"
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


def test_bad_neighbours(ready: Table) -> None:
    """Forty malformed branches in Bob's name, fetched together with his: his is read, once."""
    table = ready
    who = "m 1767225600 +0000"
    for number in range(40):
        root = tree(table.bare, {b"x": ("100644", stored(table.bare, "blob", b"%d" % number))})
        end = committed(table.bare, root, table.main(), who=who)
        git(table.bare, "update-ref", f"refs/heads/in.bob.0001-1.{end[:16]}", end)
    assert table.sync_host(late=True).steps == [1]
    assert table.sync("bob").steps == [1]
    assert table.statuses("bob") == ["accepted"]


# This machine's disk and line.

FAULTY = """#!/bin/sh
case " $* " in
*" fetch "*" --stdin "*) {fault};;
esac
exec {git} "$@"
"""

FULL = "echo 'fatal: write error: No space left on device' >&2; exit 128"
SLOW = "exec sleep 30"


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Callable[[], None]]:
    """Puts a git first on the path that cannot fetch what players pushed; returns how to end it."""

    def begin(fault: str) -> Callable[[], None]:
        path = os.environ["PATH"]
        program = tmp_path / "bin" / "git"
        program.parent.mkdir()
        program.write_text(FAULTY.format(fault=fault, git=shutil.which("git")))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{path}")
        return lambda: monkeypatch.setenv("PATH", path)

    return begin


@pytest.mark.parametrize(("fault", "told"), [(FULL, "No space left"), (SLOW, "took too long")])
def test_a_fault_of_this_machine(
    ready: Table, faulty: Callable[[str], Callable[[], None]], monkeypatch: pytest.MonkeyPatch,
    fault: str, told: str,
) -> None:  # fmt: skip
    """A full disk, or a line that hangs: it is told at each sync, nobody is called missing, and
    once it is over the orders are taken in, though nobody pushed again."""
    table = ready
    monkeypatch.setattr(inbox, "bounds", lambda count: Bounds(1, 4, 2**22))
    table.clock.skip(30 * 86_400)
    over = faulty(fault)
    for _ in range(2):
        synced = table.sync_host(late=True)
        assert synced.steps == []
        assert [told in line for line in synced.unread] == [True, True]
    over()
    synced = table.sync_host(late=True)
    assert (synced.steps, synced.unread) == ([1], [])
    check_all(table)


def test_no_room_for_what_comes(ready: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder cannot even be made."""
    table = ready
    table.clock.skip(30 * 86_400)

    def full(*args: Any, **options: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "TemporaryDirectory", full)
        synced = table.sync_host(late=True)
    assert synced.steps == []
    assert [line.partition(": ")[2] for line in synced.unread] == ["No space left on device"] * 2
    assert table.sync_host(late=True).steps == [1]
    check_all(table)


def test_unread_is_an_exit_code(ready: Table, faulty: Callable[[str], Callable[[], None]]) -> None:
    """So that a job in CI is red."""
    table = ready
    over = faulty(FULL)
    found = host(table, "--late")
    assert found.code == 1
    assert "error: not read: in.alice.0001-1." in found.told
    assert "Nobody was called missing who may have sent it" in found.told
    over()
    assert host(table, "--late").code == 0
    assert table.record.last_step() == 1


def test_a_small_disk(ready: Table, tmp_path: Path) -> None:
    """A branch that fills the file system for what comes: nobody is called missing, and as soon as
    there is room all orders are taken in."""
    table = ready
    blob = stored(table.bare, "blob", os.urandom(100_000))
    end = _file(table.bare, table.main(), "100644", blob)
    git(table.bare, "update-ref", f"refs/heads/in.bob.0001-1.{end[:16]}", end)
    codes = []
    for size in ("64k", "128k", "1m"):
        small = tmp_path / size
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(small)]
        if subprocess.run(mount, check=False).returncode != 0:
            pytest.skip("this user may mount nothing")
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TMPDIR", str(small))
                found = host(table, "--late")
        finally:
            subprocess.run(["umount", str(small)], check=True)
        codes.append(found.code)
        assert found.code in (0, 1), found.told
        assert table.record.last_step() == (1 if found.code == 0 else 0)
        assert "missing: " not in found.told
    assert codes[0] == 1
    assert codes[-1] == 0


# What is pushed again.


def by_block(table: Table, ref: str, bundle: Bundle) -> None:
    """Mallory hands in somebody's block under that name, `ID` in it being its commit's."""
    repo = Repo(table.bare)
    end = submission.commit(repo, table.main(), "mallory", bundle, table.clock.now())
    git(table.bare, "update-ref", ref.replace("ID", end[:16]), end)


@pytest.mark.parametrize(
    "refs",
    [("refs/heads/in.bob.0001-1.ID",), ("refs/pull/3/head", "refs/merge-requests/4/head"),
     ("refs/heads/in.alice.0001-1.ID", "refs/heads/in.alice.0003-7.ID")],
    ids=["hers", "requests", "others"],
)  # fmt: skip
def test_a_block_that_others_push_again(
    make_table: Callable[..., Table], refs: Sequence[str]
) -> None:
    """An order of Bob's that he has replaced, before he pushed, and after, and when its step is
    over: it is answered, and his last one counts."""
    table = make_table()
    table.order("bob", "start A1")
    old = ordered(table, "bob")
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    for ref in refs:
        by_block(table, ref, old)
    table.sync_host()
    table.sync("bob")
    assert sorted(table.statuses("bob")) == ["accepted", "accepted"]
    table.order("alice", STARTS["alice"])
    table.sync("alice")
    table.clock.skip(1)
    for ref in refs:
        by_block(table, ref, old)
    assert table.sync_host().steps == [1]
    assert read_slip(table.record.read("slips/0001-bob.toml")).revision == 2
    for name in table.players:
        table.sync(name)
    for name in ("alice", "bob"):
        table.clock.skip(1)
        for ref in refs:
            by_block(table, ref.replace("0001", "0002"), old)
        table.order(name, "silent")
        table.sync(name)
        assert len(table.sync_host().steps) == 1
        for other in table.players:
            table.sync(other)
    check_all(table)


def test_a_name_that_does_not_fit_is_not_read(make_table: Callable[..., Table]) -> None:
    """Whatever is there: somebody has moved that branch."""
    table = make_table()
    table.order("bob", STARTS["bob"])
    by_block(table, f"refs/heads/in.bob.0001-1.{'0' * 16}", ordered(table, "bob"))
    synced = table.sync_host()
    assert (synced.receipts, synced.lines) == ([], [])


def test_a_block_of_another_game(make_table: Callable[..., Table]) -> None:
    """In which the same people play: it is refused in words, and none of theirs is."""
    table, other = make_table(), make_table(first="bob")
    other.order("bob", "start A1")
    by_block(table, "refs/heads/in.bob.0001-1.ID", ordered(other, "bob"))
    table.order("bob", STARTS["bob"])
    table.sync("bob")
    synced = table.sync_host()
    assert sum("another game" in line for line in synced.lines) == 1
    table.sync("bob")
    assert table.statuses("bob") == ["accepted"]


# Servers and disks.


def test_a_server_that_looks(make_table: Callable[..., Table], tmp_path: Path) -> None:
    """With receive.fsckObjects it takes nothing malformed, and all that the program pushes."""
    table = make_table()
    for name in ("receive.fsckObjects", "transfer.fsckObjects"):
        git(table.bare, "config", name, "true")
    clone = tmp_path / "mallory"
    git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    for kind in ("no mail", "slash", "dots", "git"):
        end = KINDS[kind](clone, table.main())
        git(clone, "push", "-q", "origin", f"{end}:refs/heads/in.bob.0001-1.{end[:16]}", code=1)
    assert branches(table, "bob") == []
    assert table.play_bots(2) == 2
    check_all(table)


def test_no_names_that_a_disk_takes_for_one(make_table: Callable[..., Table]) -> None:
    """Two that differ by case alone are one file on some disks. No clone keeps players' branches,
    and all names that the program makes are of lower case."""
    table = make_table()
    end = table.main()
    taken = ("Main", "RECEIPTS", "IN.bob.0001-1.x", "in.Bob.0001-1.x", "in.bob/x", "receipts2/x")
    for name in taken:
        git(table.bare, "update-ref", f"refs/heads/{name}", end)
    assert table.play_bots(2) == 2
    every = "--format=%(refname)"
    made = {*git(table.bare, "for-each-ref", every).split()}
    made -= {f"refs/heads/{name}" for name in taken}
    assert made == {name.lower() for name in made}
    assert all(name.split("/")[2].startswith(("in.", "main", "receipts")) for name in made)
    for record in (table.record, *table.records.values()):
        kept = {*git(record.root, "for-each-ref", every).split()}
        assert kept <= {
            "refs/heads/main", "refs/remotes/origin/main", "refs/remotes/origin/receipts",
            refs.SEEN, SENT,
        }  # fmt: skip


# What costs more upon the host's own branches, and at a guard.


@pytest.mark.parametrize("kind", KINDS)
def test_upon_the_hosts_branches(begun: Table, tmp_path: Path, kind: str) -> None:
    """Who may push there too: everybody says what is wrong, and pays little for it; the game goes
    on at once, or after the push that the host is told."""
    table = begun.copy(tmp_path / "t")
    for name, line in STARTS.items():
        table.order(name, line)
    end = KINDS[kind](table.bare, table.main())
    for branch in ("main", "receipts"):
        git(table.bare, "update-ref", f"refs/heads/{branch}", end)
    # Each gigabyte on main takes seconds, once.
    for name in table.players:
        check(player(table, name), 2)
    check(cost(table.folder, "verify", f"file://{table.bare}"), 2)
    found = host(table)
    check(found, 2)
    if found.code == 0:
        assert "main held commits that you did not sign (1, " in found.told
    else:
        assert "main of the remote: " in found.told
        command = found.told.partition("git push")[2].partition("\n")[0]
        git(table.record.root, "push", *command.split())
    for name in table.players:
        check(player(table, name))
    check(host(table))
    assert table.record.last_step() == 1
    for name in table.players:
        found = player(table, name)
        check(found)
        assert found.code == 0, found.told
        assert table.statuses(name) == ["accepted"]
    # Where a folder is the server, its memory has our bounds too.
    code = cost(table.folder, "verify", f"file://{table.bare}").code
    assert code == (2 if kind == "message" else 4)


def test_what_the_server_cannot_unfold(ready: Table) -> None:
    """A quarter of a gigabyte in thirty bytes, by deltas, where a folder is the server: it is tried
    again, as it may be the server's fault, and neither order waits for it."""
    table = ready
    end = _file(table.bare, table.main(), "100644", doubled(table.bare, 8))
    git(table.bare, "update-ref", f"refs/heads/in.bob.0001-1.{end[:16]}", end)
    found = host(table, "--late")
    check(found)
    assert found.told.count(": accepted") == 2
    assert table.record.last_step() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_guard(begun: Table, tmp_path: Path, kind: str) -> None:
    """It refuses all of it wherever it is pushed."""
    table = begun.copy(tmp_path / "t")
    end = KINDS[kind](table.bare, table.main())
    null = "0" * 40
    for old, ref in (
        (table.main(), "refs/heads/main"), (null, f"refs/heads/in.bob.0001-1.{end[:16]}"),
        (null, "refs/heads/receipts"), (null, "pull"),
    ):  # fmt: skip
        found = cost(table.bare, "git", "guard", given=f"{old} {end} {ref}\n")
        check(found)
        assert found.code == 1, found.told
