"""One judgement for host and guard; keys, not names, at the door; what a clone witnesses."""

from __future__ import annotations

import json
import random
import shutil

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.core import deadlines
from adjudicator.git import guard, refs, setup
from adjudicator.git.guard import Pushed
from adjudicator.git.host_sync import HostSync
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.git.writing import Writer
from adjudicator.host.folder import HostFolder
from adjudicator.host.letters import Letters
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.player import letters
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders import names, sshsig
from orders.documents import Private
from orders.entries import Ruling
from orders.errors import Refused
from orders.letter import Absence
from orders.secrets import derive
from orders.signed import Signed

# What the guard lets in, the host's push may carry.


KINDS = (
    "good", "past", "future", "old base", "two", "empty", "entry", "beside", "junk", "big",
    "sealed", "other", "unsigned", "author", "story",
)  # fmt: skip


def kinds(table, name: str, rng: random.Random):
    """One commit of a player's, honest or not: files, message, author, signer, parents."""
    order = table.seats[name].orders()[-1]
    step = table.record.last_step() + 1
    files = dict(order.files())
    main = table.main()
    message, author, key, parents = f"{step:04d} {name}: orders", name, table.keys[name], [main]
    kind = rng.choice(KINDS)
    if kind in ("past", "future"):
        number = step - 1 if kind == "past" else step + 1
        files = {path.replace(f"{step:04d}", f"{number:04d}"): data for path, data in files.items()}
    elif kind == "junk":
        files["junk.bin"] = b"x"
    elif kind == "big":
        files[names.sealed_order(step, name)] = b"x" * 50_000
    elif kind == "unsigned":
        key = table.keys["bob" if name == "alice" else "alice"]
    elif kind == "other":
        files = {path.replace(name, "zoe"): data for path, data in files.items()}
    elif kind == "author":
        author = "host"
    elif kind == "story":
        message = "0002 The game is over: alice wins"
    elif kind == "empty":
        files = {}
    elif kind == "sealed":
        files = {names.sealed_order(step, name): b"x"}
    elif kind == "old base":
        parents = [Repo(table.bare).text("rev-parse", f"{main}~1")]
    elif kind == "entry":
        files[names.entry(step)] = b"x"
    elif kind == "beside":
        files["README.md"] = b"x"
    elif kind == "two":
        files[names.slip(step - 1, "alice")] = b"x"
    return kind, files, message, author, key, parents


@pytest.mark.parametrize("seed", range(3))
def test_what_the_guard_lets_in_never_stops_the_host(make_table, monkeypatch, seed):
    """Random mischief upon a player's branch; each push of the host's is judged as a server would.

    Whatever is refused, the order itself counts; whatever is let in, the host's push passes.
    """
    table = make_table()
    rng = random.Random(seed)  # noqa: S311 - it chooses mischief
    table.play_bots(1)
    push = refs.push
    repo = Repo(table.bare)

    def judged(here, updates, remote="origin"):
        Repo(here.root).run("push", "-q", str(table.bare), *(
            f"+{one.new}:refs/quarantine/{number}" for number, one in enumerate(updates)
        ), network=True)  # fmt: skip
        rows = [Pushed(refs.full(one.branch), one.old, one.new) for one in updates]
        assert guard.check(repo, rows) == []
        push(here, updates, remote)

    monkeypatch.setattr("adjudicator.git.refs.push", judged)
    seen = []
    for _ in range(4):
        (awaited,) = table.awaited()
        table.order(awaited, "silent")
        clone = Repo(table.records[awaited].root)
        for _ in range(3):
            kind, files, message, author, key, parents = kinds(table, awaited, rng)
            branch = refs.full(refs.player_branch(awaited))
            old = repo.resolve(branch)
            if old is not None and not repo.is_ancestor(old, parents[0]):
                clone.run("fetch", "-q", "origin", branch, network=True)
                parents = [*parents, old]
            writer = Writer(clone, author, key)
            writer.start(parents[0])
            new = writer.commit(parents, files, table.clock.now(), message)
            writer.store()
            clone.run("push", "-q", "origin", f"+{new}:refs/quarantine/p", network=True)
            faults = guard.check(repo, [Pushed(branch, old, new)])
            seen.append((kind, not faults))
            if not faults:
                repo.run("update-ref", branch, new)
        table.sync(awaited)
        assert table.sync_host().steps
        for name in table.players:
            table.sync(name)
    assert not any(passed for kind, passed in seen if kind in ("past", "junk", "author", "story"))
    assert any(not passed for _, passed in seen)


# Keys at the door.


def join_as(table, name: str, who: str, ref: str | None = None) -> Seat:
    """Somebody of that name with a key and a clone of their own joins; at that ref, if given."""
    record = Record(table.folder / f"{who}-clone")
    setup.clone(record, str(table.bare))
    PlaySync(record, None, None, table.clock).sync()
    key = table._key(who)
    secret = derive(b"s" * 32, who)
    seat = Seat.create(
        table.folder / f"{who}.seat", name, table.host_sync().offer.digest,
        table.folder / f"{who}.key", secret,
    )  # fmt: skip
    if ref is None:
        PlaySync(record, seat, key, table.clock).sync()
        return seat
    from adjudicator.core import opening
    from adjudicator.player import seated

    repo = Repo(record.root)
    writer = Writer(repo, name, key)
    writer.start(table.main())
    join = seated.join(opening.read_offer(record), seat, key, Private())
    commit = writer.commit([table.main()], dict(join.files), table.clock.now(), f"{name} joins")
    writer.store()
    repo.run("push", "-q", "origin", f"{commit}:{ref}", network=True)
    return seat


def test_two_keys_for_a_name_are_told_and_refused(make_table):
    """Mallory joins as alice by a pull request: the host sees both keys, and must say which."""
    table = make_table(started=False)
    table.join()
    join_as(table, "alice", "mallory", "refs/pull/1/head")
    own, theirs = (table._key(who).public.fingerprint for who in ("alice", "mallory"))
    lines = table.sync_host().lines
    joined = next(line for line in lines if line.startswith("joined so far: "))
    assert f"alice ({own})" in joined
    assert f"alice ({theirs})" in joined
    assert any("2 keys ask for the name alice" in line for line in lines)
    with pytest.raises(Refused) as error:
        table.host_sync().start(["alice", "bob"])
    assert error.value.word == "bad-key"
    assert own in error.value.message
    table.host_sync().start([f"alice={own}", "bob"])
    assert table.host.last.key("alice").fingerprint == own


def test_genesis_with_another_join_in_ones_name(make_table):
    """The player's sync says so, in place of a box that does not open."""
    table = make_table(started=False)
    table.join()
    join_as(table, "alice", "mallory", "refs/pull/1/head")
    theirs = table._key("mallory").public.fingerprint
    table.host_sync().start([f"alice={theirs}", "bob"])
    with pytest.raises(Refused) as error:
        table.play_sync("alice").sync()
    assert error.value.word == "no-seat"
    assert theirs in error.value.message


def test_a_waiting_join_is_replaced_by_its_own_key_only(make_table):
    """The guard refuses mallory's join on alice's branch, and a branch below a name."""
    from adjudicator.git import hooks

    table = make_table(started=False)
    hooks.install(table.bare)
    table.join()
    with pytest.raises(Refused) as error:
        join_as(table, "alice", "mallory")
    assert "replaces the join of another key" in error.value.message
    repo = Repo(table.bare)
    found = guard.check(repo, [Pushed("refs/heads/players/cleo/x", None, table.main())])
    assert found == [
        "refs/heads/players/cleo/x: belongs nowhere: pushed are main, players/NAME and receipts"
    ]


def test_a_reserved_game_takes_joins_with_a_token(make_table):
    """By the one mechanism of all transports: the waiting room."""
    table = make_table(started=False, reserved=True)
    room = WaitingRoom(HostFolder(table.record.host), table.host_sync().offer)
    for name in ("alice", "bob"):
        seat = join_as(table, name, f"{name}-without")
        assert any("brings no token" in line for line in table.sync_host().lines)
        record = Record(table.folder / f"{name}-without-clone")
        key = table._key(f"{name}-without")
        private = Private(token=room.invite(name))
        assert PlaySync(record, seat, key, table.clock, private).sync().lines == [
            "pushed: your join"
        ]
        assert PlaySync(record, seat, key, table.clock).sync().lines == []
    assert table.host_sync().start(["alice", "bob"]).steps == [0]


# Names of files, and what stays on branches.


def test_main_holds_no_sealed_orders_and_all_reports(finished_games, run_git):
    """They stay in the commits that brought them; the reveal brings them opened."""
    table = finished_games("sugar-dog")
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert not [path for path in listed if path.startswith("orders/") and path.endswith(".sealed")]
    reports = [path for path in listed if path.startswith("reports/")]
    assert len(reports) == 2 * (table.record.last_step() - 1)
    slips = [path for path in listed if path.startswith("slips/") and path.endswith(".toml")]
    opened = [path for path in listed if path.startswith("orders/")]
    assert len(opened) == len(slips)


def test_a_host_with_a_fresh_clone_goes_on_and_reveals(make_table, run_git):
    """As in CI: no state, no sealed order in its folder; all comes out of history."""
    table = make_table()
    table.play_bots(2)
    folder = table.folder / "ci" / "friday"
    folder.parent.mkdir()
    run_git(folder.parent, "clone", "-q", str(table.bare), str(folder))
    fresh = Record(folder)
    fresh.host.mkdir(mode=0o700)
    for name in ("master", "letters", "key"):
        shutil.copy(table.record.host / name, fresh.host / name)
    (awaited,) = table.awaited()
    table.order(awaited, "resign")
    table.sync(awaited)
    host = HostSync(fresh, table.key, table.clock)
    assert host.sync().steps == [3, 4]
    assert verify(fresh).code == 0
    for name in table.players:
        table.sync(name)
        assert verify(table.records[name]).code == 0
    assert "entry 4: taken from the remote" in table.sync_host().lines
    assert verify(table.record).code == 0


def test_a_slip_is_named_by_the_entry_that_uses_it(make_table, run_git):
    """A ruling that only moves deadlines voids nothing: the slip for step 1 is used by entry 2."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    table.sync_host()
    table.clock.skip(2 * 86_400)
    until = dict.fromkeys(table.players, "2026-01-05T12:00:00Z")
    assert table.host.rule(Ruling("snow"), until) == (1,)
    table.sync_host()
    table.sync("bob")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [2]
    for name in table.players:
        table.sync(name)
    assert b"step = 1" in table.record.read(names.slip(2, "alice"))
    assert b"step = 2" in table.record.read(names.slip(2, "bob"))
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert not [path for path in listed if "/0001-" in path and path.startswith("slips")]
    subjects = run_git(table.bare, "log", "--format=%an: %s", "main")
    assert "alice: 0001 alice: orders" in subjects
    assert "bob: 0002 bob: orders" in subjects


# What a clone witnesses.


def commits(folder) -> dict:
    """The claim about commits."""
    result = CliRunner().invoke(cli, ["verify", "--json", str(folder)])
    found = json.loads(result.stdout)
    return next(claim for claim in found["claims"] if claim["name"] == "commits")


def test_a_slip_of_who_is_called_missing_is_a_note(make_table, run_git, tmp_path):
    """A branch shows what was pushed, not when: the verdict stays."""
    table = make_table()
    table.order("alice", "start C4")
    table.order("bob", "start F1")
    table.sync("bob")
    table.clock.skip(4 * 86_400)
    assert table.sync_host(late=True).steps == [1]
    late = table.play_sync("alice")
    late._take_in = lambda main, taken: None
    late.sync()
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    claim = commits(clone)
    assert claim["status"] == "true"
    assert claim["details"] == [
        "entry 1 calls alice missing, and a branch holds a slip of alice for it; it may have been "
        "written later"
    ]


def test_two_slips_of_one_revision_are_told(make_table, run_git, tmp_path):
    """To the host that takes them in, and to whoever verifies a clone that holds both."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    order = table.seats["alice"].orders()[-1]
    data = order.file.data.replace(b"order = ", b'order = "' + b"0" * 64 + b'"\n#', 1)
    data = b"\n".join(line for line in data.split(b"\n") if not line.startswith(b"#"))
    twin = Signed.by(table.keys["alice"], sshsig.SLIP, data)
    path = names.slip(1, "alice")
    repo = Repo(table.records["alice"].root)
    writer = Writer(repo, "alice", table.keys["alice"])
    writer.start(table.main())
    files = twin.files(path) | {names.sealed_order(1, "alice"): order.sealed or b""}
    made = writer.commit([table.main()], files, table.clock.now(), "0001 alice: orders")
    writer.store()
    repo.run("push", "-q", "origin", f"{made}:refs/pull/3/head", network=True)
    assert any("alice signed two slips of step 1, revision 1" in line
               for line in table.sync_host().lines)  # fmt: skip
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    run_git(clone, "fetch", "-q", "origin", "refs/pull/3/head:refs/remotes/pull/3")
    claim = commits(clone)
    assert claim["status"] == "look"
    assert any("alice signed two slips of step 1, revision 1" in line for line in claim["details"])


def test_an_absence_is_granted_before_the_game_goes_on(make_table):
    """It came as a letter, by mail; a git sync of the host's honours it all the same."""
    table = make_table(absence="7d")
    now = table.clock.now()
    absence = Absence(now, deadlines.add(now, 6 * 86_400))
    own = Seated(table.records["bob"], table.seats["bob"])
    _, letter = letters.write(own.ledger, own.seat, table.keys["bob"], absence=absence)
    Letters(table.host).take(letter)
    table.order("alice", "start C4")
    table.sync("alice")
    table.clock.skip(4 * 86_400)
    assert table.sync_host(late=True).steps == [1]
    assert table.host.last.entry.ruling is not None
    table.sync("bob")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host(late=True).steps == [2]
    assert table.host.last.entry.missing == ()
