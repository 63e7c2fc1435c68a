"""Slips in a repository beside the record: what a clone shows that the record does not."""

from __future__ import annotations

import json

from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.git.process import Repo
from adjudicator.git.writing import Writer
from orders import names, sshsig
from orders.signed import Signed


def commits(folder) -> dict:
    """The claim about commits."""
    result = CliRunner().invoke(cli, ["verify", "--json", str(folder)])
    found = json.loads(result.stdout)
    return next(claim for claim in found["claims"] if claim["name"] == "commits")


def test_a_slip_of_a_player_called_missing_is_a_note(make_table, run_git, tmp_path):
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
