"""The guard: each rule has a push that it alone refuses, and one that it lets through."""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git.test_attacks import Cost, cost
from git_table import Table, git

from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.git import guard
from adjudicator.git.objects import Item, Writer, object_id, tree_data
from adjudicator.git.process import Repo
from adjudicator.git.tree import Tree
from adjudicator.player import seated
from orders import sshsig
from orders.bundle import Bundle, encode
from orders.documents import Private
from orders.errors import Refused
from orders.keys import Signer

HEADS = "refs/heads/"
NONE = "0" * 40
FILE = "to-host.txt"

Row = tuple[str, str, str]
"""What git hands to the hook: old, new, ref."""


class Scene(NamedTuple):
    """Sugar Dog in step 2: Alice's orders wait on a branch, and those of step 1 still lie there.

    `bare`: the game's repository, which has the objects of the host's next push too, `pushed`.
    """

    table: Table
    bare: Path
    main: str
    refs: Mapping[str, str]
    over: str
    waiting: str
    pushed: Sequence[Row]

    def after(self, branch: str) -> Row:
        """What the host's next push does to a branch."""
        return next(row for row in self.pushed if row[2] == HEADS + branch)

    def bundle(self, name: str) -> Bundle:
        """The last orders in a player's seat."""
        return bundles.pack("order", self.table.seats[name].orders()[-1].files())

    def join(self, name: str) -> Bundle:
        """A join of that player's."""
        offer = read_offer(self.table.record)
        return seated.join(offer, self.table.seats[name], self.table.keys[name], Private())

    def commit(
        self,
        files: Mapping[str, bytes],
        *parents: str,
        signer: Signer | None = None,
        start: str | None = "",
        removed: str = "",
        message: str = "x",
    ) -> str:
        """A commit with these parents that puts files upon the tree of a commit (main)."""
        writer = Writer(Repo(self.bare), "x", signer)
        writer.start(self.main if start == "" else start)
        if removed:
            writer.remove(removed)
        made = writer.commit(parents, files, self.table.clock.now(), message)
        writer.store()
        return made

    def host(self, files: Mapping[str, bytes], *parents: str, **options: Any) -> Row:
        """The same as a push to main, signed by the host."""
        made = self.commit(files, *(parents or (self.main,)), signer=self.table.key, **options)
        return self.main, made, HEADS + "main"

    def boxes(self, files: Mapping[str, bytes], *parents: str, removed: str = "") -> Row:
        """A push of boxes, the next ones with these in their place, signed by the host."""
        key, start = self.table.key, self.after("receipts")[1]
        old = self.refs["receipts"]
        said = f"Receipts, sealed\n\nIn the place of {old}"
        made = self.commit(files, *parents, signer=key, start=start, removed=removed, message=said)
        return old, made, HEADS + "receipts"

    def handed(self, data: bytes, what: str = "alice.0002-1") -> Row:
        """A new branch with these bytes for the host, well formed but for them."""
        return on_branch(self.commit({FILE: data}, self.main), what)

    def tree(self, rows: Sequence[tuple[str, Item]], commit: str = "") -> str:
        """A tree with these rows behind those of a commit (main)."""
        held = dict(Tree.open(Repo(self.bare), commit or self.main).folders[""])
        more = b"".join(tree_data({name: item}) for name, item in rows)
        return self.store("tree", tree_data(held) + more)

    def store(self, kind: str, data: bytes) -> str:
        """An object as it is, right or wrong."""
        made = object_id(kind, data, "sha1")
        path = self.bare / "objects" / made[:2] / made[2:]
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.write_bytes(zlib.compress(f"{kind} {len(data)}\0".encode() + data, 1))
        return made

    def of_tree(self, tree: str, *parents: str) -> str:
        """A commit of a tree, by nobody, upon main or upon others."""
        up = "".join(f"parent {one}\n" for one in parents or (self.main,))
        who = "m <m@m.invalid> 1767225600 +0000"
        text = f"tree {tree}\n{up}author {who}\ncommitter {who}\n\nx\n"
        return self.store("commit", text.encode())


def on_branch(commit: str, what: str = "alice.0002-1") -> Row:
    """The row that makes a player's branch."""
    return NONE, commit, f"{HEADS}in.{what}.{commit[:16]}"


def take(scene: Scene, *rows: Row) -> list[str]:
    """What the guard says of a push."""
    return guard.check(scene.bare, rows)


def branches(bare: Path) -> dict[str, str]:
    """Where every branch ends."""
    rows = git(bare, "for-each-ref", "--format=%(refname) %(objectname)", HEADS).splitlines()
    return {ref.removeprefix(HEADS): end for ref, end in map(str.split, rows)}


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory, begun: Table) -> Scene:
    """Not to be changed, but for objects that nothing refers to."""
    table = begun.copy(tmp_path_factory.mktemp("guard") / "t")
    for name, line in (("alice", "start C4"), ("bob", "start F1")):
        table.order(name, line)
        table.sync(name)
    (over,) = (name for name in branches(table.bare) if name.startswith("in.alice."))
    kept = branches(table.bare)[over]
    assert table.sync_host().steps == [1]
    for name in table.players:
        table.sync(name)
    # A server that was restored has it again.
    git(table.bare, "update-ref", HEADS + over, kept)
    table.order("alice", "silent")
    table.sync("alice")
    before = branches(table.bare)
    waiting = next(name for name in before if name.startswith("in.alice.0002"))
    other = table.copy(tmp_path_factory.mktemp("pushed") / "t")
    assert other.sync_host().steps == [2]
    after = branches(other.bare)
    git(table.bare, "fetch", "-q", str(other.bare), "refs/heads/*:refs/after/*")
    rows = [
        (before.get(name, NONE), after.get(name, NONE), HEADS + name)
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    ]
    return Scene(table, table.bare, before["main"], before, over, waiting, rows)


Push = Callable[[Scene], Row]


def junk(scene: Scene) -> str:
    return scene.store("blob", b"junk")


def twice(scene: Scene) -> Row:
    """The same name twice in a tree: what is read depends on who reads."""
    (end,) = (scene.handed(encode(scene.bundle("alice")))[1],)
    right = Tree.open(Repo(scene.bare), end).folders[""][FILE]
    rows = [(FILE, Item("100644", junk(scene))), (FILE, right)]
    return on_branch(scene.of_tree(scene.tree(rows)))


def with_row(name: str, mode: str) -> Push:
    """Alice's orders in a commit whose root has one row more."""

    def push(scene: Scene) -> Row:
        end = scene.handed(encode(scene.bundle("alice")))[1]
        item = Item(mode, scene.main if mode == "160000" else junk(scene))
        return on_branch(scene.of_tree(scene.tree([(name, item)], end)))

    return push


def as_link(mode: str) -> Push:
    """Alice's orders in a file of another kind."""

    def push(scene: Scene) -> Row:
        blob = scene.store("blob", encode(scene.bundle("alice")))
        return on_branch(scene.of_tree(scene.tree([(FILE, Item(mode, blob))])))

    return push


def forged(scene: Scene) -> Bundle:
    """Orders of Alice's, signed by Bob."""
    held = dict(scene.bundle("alice").files)
    slip = next(path for path in held if path.endswith(".toml"))
    held[f"{slip}.sig"] = scene.table.keys["bob"].sign(sshsig.SLIP, held[slip])
    return bundles.pack("order", held)


def without_orders(scene: Scene) -> Bundle:
    """Alice's slip alone."""
    held = dict(scene.bundle("alice").files)
    return bundles.pack("order", {p: held[p] for p in held if not p.endswith(".sealed")})


def older(scene: Scene) -> str:
    return git(scene.bare, "rev-parse", "main~1")


def again(scene: Scene, data: bytes, *parents: str, **options: Any) -> Row:
    """Bytes for the host in a commit that does not lie on main as it should."""
    return on_branch(scene.commit({FILE: data}, *parents, **options))


PASSES: dict[str, Push] = {
    "new orders": lambda at: at.handed(encode(at.bundle("alice"))),
    "new orders on an older commit of main": lambda at: again(
        at, encode(at.bundle("alice")), older(at), start=older(at)
    ),
    "orders with words around them": lambda at: at.handed(
        b"Dear host,\n\n" + encode(at.bundle("alice")) + b"\nAlice\n"
    ),
    "what is over, away": lambda at: (at.refs[at.over], NONE, HEADS + at.over),
    "a join after genesis, away": lambda at: (at.main, NONE, f"{HEADS}in.zoe.join.{'0' * 16}"),
    "the next entry": lambda at: at.after("main"),
    "two commits of the host's": lambda at: at.host({}, at.host({})[1]),
    "a file beside the record": lambda at: at.host({".github/workflows/x.yml": b"x"}),
    "boxes": lambda at: at.boxes({}),
}

REFUSED: list[tuple[str, str, Push]] = [
    # main
    ("main away", "is never removed", lambda at: (at.main, NONE, HEADS + "main")),
    ("a commit by nobody", "is not by the host: not signed",
     lambda at: (at.main, at.commit({}, at.main), HEADS + "main")),
    ("a commit by a player", "is not by the host: ", lambda at: (
        at.main, at.commit({}, at.main, signer=at.table.keys["bob"]), HEADS + "main")),
    ("one by nobody under one of the host's", "is not by the host: not signed",
     lambda at: at.host({}, at.commit({}, at.main))),
    ("a merge", "has 2 parents", lambda at: at.host({}, at.main, older(at))),
    ("back", "does not continue", lambda at: (at.main, older(at), HEADS + "main")),
    ("another end with the same files", "does not continue", lambda at: at.host({}, older(at))),
    ("another beginning with the same files", "does not continue", lambda at: (
        at.main, at.commit({}, signer=at.table.key), HEADS + "main")),
    ("another's attributes", ".gitattributes: changed or removed",
     lambda at: at.host({".gitattributes": b"* -diff\n"})),
    ("a report away", "reports/0001-bob.sealed: changed or removed",
     lambda at: at.host({}, removed="reports/0001-bob.sealed")),
    ("notes", "notes.txt: a file that belongs nowhere", lambda at: at.host({"notes.txt": b"x"})),
    ("orders merged", "to-host.txt: a file that belongs nowhere",
     lambda at: at.host({FILE: encode(at.bundle("alice"))})),
    ("no entry", "entries/0002.toml", lambda at: at.host({"entries/0002.toml": b"x"})),
    # receipts
    ("boxes away", "is never removed",
     lambda at: (at.refs["receipts"], NONE, HEADS + "receipts")),
    ("the boxes that are there in the place of the next", "was not made for the place of ",
     lambda at: (at.after("receipts")[1], at.refs["receipts"], HEADS + "receipts")),
    ("boxes by nobody", "not signed", lambda at: (
        at.refs["receipts"], at.commit({}, start=at.refs["receipts"]), HEADS + "receipts")),
    ("boxes upon others", "not one box of the right size for everyone",
     lambda at: at.boxes({}, at.refs["receipts"])),
    ("a box too few", "not one box", lambda at: at.boxes({}, removed="bob.sealed")),
    ("a box too many", "not one box", lambda at: at.boxes({"zoe.sealed": b"x"})),
    ("a small box", "not one box", lambda at: at.boxes({"bob.sealed": b"x"})),
    # places
    ("a topic", "belongs nowhere: expected main, receipts, or in.NAME.WHAT.ID",
     lambda at: (NONE, at.main, HEADS + "topic")),
    *((ref, "belongs nowhere", lambda at, ref=ref: (NONE, at.main, ref)) for ref in (
        "refs/tags/v1", "refs/notes/commits", f"refs/replace/{NONE}", "refs/pull/1/head", "main",
        "in.alice.0002-1.0123456789abcdef", "refs/heads/in.alice", "refs/heads/in.alice.x",
        "refs/heads/in.alice.0002-1.0123456789abcdef/x", "refs/heads/in/alice",
        "refs/heads/in.Alice.0002-1.0123456789abcdef", "refs/heads/../x",
        "refs/heads/in.alice.0002-100.0123456789abcdef", "refs/heads/main/x",
        "refs/heads/\x1b[2J",
    )),
    ("a topic away", "belongs nowhere", lambda at: (at.main, NONE, HEADS + "topic")),
    # players' branches
    ("waiting orders away", "is removed once its step is over",
     lambda at: (at.refs[at.waiting], NONE, HEADS + at.waiting)),
    ("waiting orders moved", "is there, and never moved", lambda at: (
        at.refs[at.waiting], *at.handed(encode(at.bundle("alice")))[1:])),
    ("orders of step 1 again", "its step is over",
     lambda at: (NONE, at.refs[at.over], HEADS + at.over)),
    ("a join", "the game has begun", lambda at: at.handed(encode(at.join("bob")), "bob.join")),
    ("another's name", "and its name says 0123456789abcdef", lambda at: (
        NONE, at.handed(encode(at.bundle("alice")))[1],
        HEADS + "in.alice.0002-1.0123456789abcdef")),
    ("a commit without a parent", "is not one commit on a commit of main",
     lambda at: again(at, encode(at.bundle("alice")))),
    ("a commit with two parents", "is not one commit on a commit of main",
     lambda at: again(at, encode(at.bundle("alice")), at.main, older(at))),
    ("two commits", "is not one commit on a commit of main",
     lambda at: again(at, encode(at.bundle("alice")), at.commit({}, at.main))),
    ("main", "does not just add to-host.txt", lambda at: on_branch(at.main)),
    ("no file", "does not just add to-host.txt", lambda at: on_branch(at.commit({}, at.main))),
    ("a file more", "does not just add to-host.txt", with_row("x.txt", "100644")),
    ("a folder in a name", "does not just add to-host.txt", with_row("../x", "100644")),
    ("a submodule", "does not just add to-host.txt", with_row("x", "160000")),
    ("a link", "does not just add to-host.txt", as_link("120000")),
    ("a program", "does not just add to-host.txt", as_link("100755")),
    ("a file twice", "does not just add to-host.txt", twice),
    ("an entry changed", "does not just add to-host.txt", lambda at: on_branch(at.commit(
        {FILE: encode(at.bundle("alice")), "entries/0001.toml": b"x"}, at.main))),
    ("no block", "no block for the host is in it", lambda at: at.handed(b"hello\n")),
    ("a file too large", "no block for the host is in it",
     lambda at: at.handed(encode(at.bundle("alice")) + b"\n" * 2**16)),
    ("two blocks", "to-host.txt holds 2 blocks: expected one",
     lambda at: at.handed(encode(at.bundle("alice")) + b"\n" + encode(at.bundle("bob")))),
    ("Alice's orders as Bob's", "to-host.txt is not what its name says",
     lambda at: at.handed(encode(at.bundle("alice")), "bob.0002-1")),
    ("revision 1 as 2", "to-host.txt is not what its name says",
     lambda at: at.handed(encode(at.bundle("alice")), "alice.0002-2")),
    ("a join as orders", "to-host.txt is not what its name says",
     lambda at: at.handed(encode(at.join("alice")))),
    ("signed by Bob", "not signed with alice's key in this game",
     lambda at: at.handed(encode(forged(at)))),
    ("a slip alone", "the sealed orders are not with the slip",
     lambda at: at.handed(encode(without_orders(at)))),
]  # fmt: skip


@pytest.mark.parametrize("push", PASSES.values(), ids=PASSES)
def test_what_passes(scene: Scene, push: Push) -> None:
    assert take(scene, push(scene)) == []


@pytest.mark.parametrize(
    ("words", "push"), [row[1:] for row in REFUSED], ids=[ascii(row[0]) for row in REFUSED]
)
def test_what_is_refused(scene: Scene, words: str, push: Push) -> None:
    """In one line that names the ref; the push that is right but for that passes above."""
    row = push(scene)
    (said,) = take(scene, row)
    assert words in said
    assert said.startswith(f"{ascii(row[2])[1:-1]}: ")


def test_the_hosts_push_passes_as_a_whole(scene: Scene) -> None:
    """Entry, boxes and removals at once; the removals and the boxes lean on the entry."""
    moved = {ref.removeprefix(HEADS) for _, _, ref in scene.pushed}
    assert moved == {"main", "receipts", scene.over, scene.waiting}
    assert take(scene, *scene.pushed) == []
    gone = scene.after(scene.waiting)
    assert gone[1] == NONE
    assert take(scene, gone) == [f"{gone[2]}: is removed once its step is over"]


def test_nobodys_wish_removes_what_waits(scene: Scene) -> None:
    """Not with a main that only its author believes, nor with the host's old boxes beside it."""
    gone, boxes = scene.after(scene.waiting), scene.after("receipts")
    forged_main = (scene.main, scene.commit({}, scene.after("main")[1]), HEADS + "main")
    for main in (forged_main, (scene.main, scene.commit({}), HEADS + "main")):
        (said,) = take(scene, gone, main, boxes)
        assert said.startswith("refs/heads/main: ")
        assert "is not by the host" in said
    assert len(take(scene, gone, boxes)) == 1


def test_one_bad_branch_refuses_each_by_name(scene: Scene) -> None:
    """Every branch that may not pass has its line; the others have none."""
    good = scene.handed(encode(scene.bundle("alice")))
    bad = [(NONE, scene.main, f"{HEADS}x{number}") for number in range(3)]
    assert [said.partition(": ")[0] for said in take(scene, good, *bad)] == [row[2] for row in bad]


def test_a_host_takes_back_what_came_before_the_guard(
    scene: Scene, tmp_path: Path, guarded: Any
) -> None:
    """By a commit on theirs, as the host's sync makes it; nobody else goes on from there."""
    table = scene.table.copy(tmp_path / "t")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    (clone / "LICENSE.txt").write_text("Free.\n")
    (clone / "reports" / "0001-bob.sealed").write_bytes(b"x")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "x")
    git(clone, "push", "-q", "origin", "main")
    guarded(table.bare)
    git(clone, "commit", "-q", "--allow-empty", "-m", "y")
    assert "is not by the host: not signed" in push(clone, "origin", "main")
    assert table.sync_host().steps == [2]
    assert "LICENSE.txt" not in git(table.bare, "ls-tree", "--name-only", "main").splitlines()
    assert "is never removed" in push(clone, "origin", ":main")


def test_numbers_have_their_limits(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of branches and of commits that come at once."""
    gone = (scene.main, NONE, f"{HEADS}in.zoe.join.{'0' * 16}")
    assert take(scene, *[gone] * guard.MOST) == []
    assert take(scene, *[gone] * 501) == ["501 branches at once: at most 500"]
    monkeypatch.setattr(guard, "MOST_COMMITS", 2)
    two = scene.host({}, scene.host({})[1])
    assert take(scene, two) == []
    assert take(scene, scene.host({}, two[1])) == ["refs/heads/main: more than 2 commits at once"]


@pytest.fixture(scope="session")
def unbegun(tmp_path_factory: pytest.TempPathFactory, begun: Table, scene: Scene) -> Scene:
    """The same game's repository before genesis."""
    bare = tmp_path_factory.mktemp("unbegun") / "remote.git"
    git(bare.parent, "init", "-q", "--bare", "-b", "main", str(bare))
    git(bare, "fetch", "-q", str(begun.bare), "refs/heads/*:refs/after/*")
    first = git(bare, "rev-list", "--max-parents=0", "refs/after/main")
    git(bare, "update-ref", HEADS + "main", first)
    pushed = [
        (first, git(bare, "rev-parse", "refs/after/main"), HEADS + "main"),
        (NONE, git(bare, "rev-parse", "refs/after/receipts"), HEADS + "receipts"),
    ]
    return scene._replace(bare=bare, main=first, refs={"receipts": NONE}, pushed=pushed)


BEFORE: list[tuple[str, str, Push]] = [
    ("a join", "", lambda at: at.handed(encode(at.join("bob")), "bob.join")),
    ("a join in another's name", "to-host.txt is not what its name says",
     lambda at: at.handed(encode(at.join("bob")), "alice.join")),
    ("orders", "the game has not begun", lambda at: at.handed(encode(at.bundle("alice")))),
    ("boxes", "the game has not begun", lambda at: at.after("receipts")),
    ("a join away", "is removed once its step is over",
     lambda at: (at.main, NONE, f"{HEADS}in.zoe.join.{'0' * 16}")),
    ("genesis", "", lambda at: at.after("main")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "push"), [row[1:] for row in BEFORE], ids=[row[0] for row in BEFORE]
)
def test_before_genesis(unbegun: Scene, words: str, push: Push) -> None:
    """Joins come, by whoever signed them; nobody takes one away."""
    assert [said.partition(": ")[2] for said in take(unbegun, push(unbegun))] == [words][
        : bool(words)
    ]


def test_genesis_comes_with_its_boxes(unbegun: Scene) -> None:
    assert take(unbegun, *unbegun.pushed) == []


def test_joins_of_another_game_are_refused(unbegun: Scene, make_table: Any) -> None:
    """And those that nobody signed."""
    other = unbegun._replace(table=make_table(first="bob"))
    assert "invite" in take(unbegun, unbegun.handed(encode(other.join("bob")), "bob.join"))[0]
    held = dict(unbegun.join("bob").files)
    path = next(path for path in held if path.endswith(".sig"))
    held[path] = dict(unbegun.join("alice").files)["joins/alice.toml.sig"]
    said = take(unbegun, unbegun.handed(encode(bundles.pack("join", held)), "bob.join"))
    assert len(said) == 1


def test_an_empty_repository_takes_a_main_first(scene: Scene, tmp_path: Path) -> None:
    """Nothing else comes before it; and it is a record from its first commit on."""
    git(tmp_path, "clone", "-q", "--bare", str(scene.bare), "r")
    empty = tmp_path / "r"
    for name in branches(empty):
        git(empty, "update-ref", "-d", HEADS + name)
    first = (NONE, scene.main, HEADS + "main")
    assert guard.check(empty, [first]) == []
    alone = guard.check(empty, [(NONE, scene.refs[scene.waiting], HEADS + scene.waiting)])
    assert alone == ["there is no main yet: the host pushes it first"]
    writer = Writer(Repo(empty), "x", scene.table.key)
    writer.start(None)
    other = writer.commit([], {"README.md": b"x"}, scene.table.clock.now(), "x")
    writer.store()
    assert "invite.toml" in guard.check(empty, [(NONE, other, HEADS + "main")])[0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("x", "y"), "expected OLD NEW REF"),
        (("0" * 40, "nowhere", "refs/heads/main"), "'nowhere' is no commit here"),
        (("--all", "0" * 40, "refs/heads/main"), "'--all' is no commit here"),
    ],
)
def test_what_git_would_not_hand_to_a_hook(scene: Scene, row: Any, said: str) -> None:
    """It is quoted, with what was expected."""
    with pytest.raises(Refused, match=said):
        guard.check(scene.bare, [row])


# As the server's hook.


def push(clone: Path, *args: str) -> str:
    """What git says of a push that is refused."""
    done = subprocess.run(
        ["git", "-C", str(clone), "push", "-q", *args], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_host_and_players_push_passes(make_table: Any, guarded: Any) -> None:
    """A game is played through the hook from the joins to the end, revisions included."""
    table = make_table(started=False)
    guarded(table.bare)
    table.join()
    table.start()
    for name in table.players:
        table.order(name, "start A1")
        table.sync(name)
        table.order(name, "start B2" if name == "alice" else "start F6")
        if name == "bob":
            path = table.bare / "hooks" / "pre-receive"
            path.unlink()
            assert guard.install(table.bare) == path
        table.sync(name)
    assert table.sync_host().steps == [1]
    table.sync("alice")
    guarded(table.bare)
    assert table.play_bots(2) == 2
    (name,) = table.awaited()
    table.order(name, "resign")
    table.sync(name)
    table.sync_host()
    assert {*branches(table.bare)} == {"main", "receipts"}


def test_a_push_by_hand_is_refused_in_words(scene: Scene, tmp_path: Path, guarded: Any) -> None:
    """What plain git shows to whoever typed it, and nothing has moved."""
    table = scene.table.copy(tmp_path / "t")
    guarded(table.bare)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    git(clone, "commit", "-q", "--allow-empty", "-m", "x")
    before = git(table.bare, "for-each-ref")
    for args, words in (
        (("origin", "HEAD:main"), "is not by the host: not signed"),
        (("-f", "origin", "HEAD~2:main"), "refs/heads/main: does not continue "),
        (("origin", ":main"), "refs/heads/main: is never removed"),
        (("origin", f":{scene.waiting}"), "is removed once its step is over"),
        (("-f", "origin", f"HEAD:{scene.waiting}"), "is there, and never moved"),
        (("origin", "HEAD:topic"), "refs/heads/topic: belongs nowhere"),
        (("origin", "HEAD:refs/tags/v1"), "refs/tags/v1: belongs nowhere"),
        (("origin", "HEAD:refs/notes/commits"), "refs/notes/commits: belongs nowhere"),
    ):
        said = push(clone, *args)
        assert "remote: refused: " in said
        assert words in said, said
    assert git(table.bare, "for-each-ref") == before


def test_a_hook_that_is_there_stays(scene: Scene, tmp_path: Path) -> None:
    """One's own is named, and not written over; the tool's own may be installed again."""
    table = scene.table.copy(tmp_path / "t")
    path = guard.install(table.bare)
    written = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o755
    assert guard.install(table.bare) == path
    assert path.read_bytes() == written
    path.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(Refused, match="is there already") as error:
        guard.install(table.bare)
    assert error.value.hint == "call it from your own hook"
    assert path.read_text() == "#!/bin/sh\nexit 0\n"


# What a push may cost.


def judged(scene: Scene, *rows: Row) -> Cost:
    """What the hook costs as a process of its own."""
    return cost(scene.bare, "git", "guard", given="".join(f"{' '.join(row)}\n" for row in rows))


def wide(scene: Scene, mode: str, made: str) -> str:
    """A tree nine deep of ten times the same: a thousand million."""
    for _ in range(9):
        made = scene.store("tree", tree_data({f"{n}": Item(mode, made) for n in range(10)}))
        mode = "40000"
    return made


def large(scene: Scene, size: int) -> str:
    """So many zeros, which are little to push."""
    return scene.store("blob", bytes(size))


def chain(scene: Scene, count: int) -> str:
    """So many commits by nobody upon main."""
    end, tree = scene.main, git(scene.bare, "rev-parse", "main^{tree}")
    for _ in range(count):
        end = scene.of_tree(tree, end)
    return end


MOST_MEMORY = 80 * 2**20

HOSTILE: dict[str, Callable[[Scene], str]] = {
    "a tree bomb in the record": lambda at: at.of_tree(
        at.tree([("slips", Item("40000", wide(at, "100644", junk(at))))])),
    "200 MB of zeros as orders": lambda at: at.of_tree(
        at.tree([(FILE, Item("100644", large(at, 200 * 2**20)))])),
    "200 MB of zeros as an entry": lambda at: at.of_tree(at.store("tree", tree_data(
        {"entries": Item("40000", at.store("tree", tree_data(
            {"0001.toml": Item("100644", large(at, 200 * 2**20))})))}))),
    "400 commits": lambda at: chain(at, 400),
    "5,000 commits": lambda at: chain(at, 5_000),
    "5,000 parents": lambda at: at.of_tree(
        git(at.bare, "rev-parse", "main^{tree}"), *[at.main] * 5_000),
    "a damaged tree": lambda at: at.of_tree(at.store("tree", b"100644 to-host.txt\0short")),
    "no tree": lambda at: at.of_tree("ab" * 20),
    "a blob as its tree": lambda at: at.of_tree(junk(at)),
    "no parent that is there": lambda at: at.of_tree(
        git(at.bare, "rev-parse", "main^{tree}"), "ab" * 20),
}  # fmt: skip


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_what_a_hostile_push_costs(scene: Scene, make: Callable[[Scene], str]) -> None:
    """Whichever branch it is pushed to, it is refused in short, in 2 s and 80 MB; test_attacks has
    more of them."""
    end = make(scene)
    for row in (on_branch(end), (scene.main, end, HEADS + "main"),
                (scene.refs["receipts"], end, HEADS + "receipts")):  # fmt: skip
        found = judged(scene, row)
        assert found.code == 1
        assert found.told.startswith(f"refused: {row[2]}: ")
        assert len(found.told) < 400
        assert found.memory < MOST_MEMORY
        assert found.seconds < 2 * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


def test_what_many_branches_cost(scene: Scene) -> None:
    """500 of them, each well formed, are judged in a few seconds; 3,000 are not looked at."""
    orders = encode(scene.bundle("alice"))
    rows = [scene.handed(orders + b"\n" * number) for number in range(guard.MOST)]
    found = judged(scene, *rows)
    assert (found.code, found.told) == (0, "")
    assert found.memory < MOST_MEMORY
    assert found.seconds < 10
    found = judged(scene, *rows * 6)
    assert (found.code, found.told) == (1, "refused: 3000 branches at once: at most 500")
    assert found.seconds < 1
