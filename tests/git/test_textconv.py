"""The diff driver: whatever anybody pushes, git goes on and the terminal stays as it was."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.cli import cli
from adjudicator.core import report
from adjudicator.git import textconv
from orders import canonical, names, sshsig
from orders.entries import read_entry
from orders.fields import digest
from orders.secrets import derive


@pytest.fixture(scope="module")
def table(shared):
    """A game under way; alice looks."""
    return shared


def show(table, data: bytes) -> str:
    """What alice's driver prints, which must be plain text whatever it is."""
    told = textconv.show(data, table.records["alice"], table.seats["alice"])
    assert told.endswith("\n")
    assert re.fullmatch(r"[\x20-\x7e\n]*", told)
    return told


def forged(table, step: int, old: bytes, new: bytes) -> bytes:
    """An entry with something else in it, which nobody signed."""
    data = table.record.read(names.entry(step))
    assert old in data
    return data.replace(old, new)


def sealed(table, step: int, body: bytes, player: str = "alice"):
    """A report that a lying host seals to alice and names in its entry."""
    referee = table.host
    entry = referee.ledger.link(step).entry
    shared = referee.game.shared(referee.last.joins[player])
    return report.seal(referee.opening, shared, step, player, body), entry


@pytest.fixture
def lying(table, tmp_path):
    """Lays a record over alice's whose entry 1 names the report given; shows that report."""
    import shutil

    from adjudicator.store.record import Record

    root = tmp_path / "friday"
    shutil.copytree(table.records["alice"].root, root, ignore=shutil.ignore_patterns(".git"))

    def call(body: bytes) -> str:
        data, entry = sealed(table, 1, body)
        told = entry.reports["alice"]
        path = root / names.entry(1)
        text = table.record.read(names.entry(1))
        text = text.replace(told.digest.encode(), digest(body).encode())
        path.write_bytes(text.replace(told.sealed.encode(), digest(data).encode()))
        shown = textconv.show(data, Record(root), table.seats["alice"])
        assert re.fullmatch(r"[\x20-\x7e\n]*", shown)
        return shown

    return call


def own_report(table, step: int) -> dict:
    """Alice's report of that step, as values."""
    return canonical.loads(table.host.report(step, "alice").data)


def test_ones_own_report_is_shown(table):
    """News and board, by the same function with which everybody opens reports."""
    told = show(table, table.record.read(names.report(1, "alice")))
    assert told.startswith("report of alice, entry 1\n")
    assert "6 .  .  ." in told


def test_a_report_that_the_host_garbled_is_named(lying, table):
    """What is no report at all, or lacks a key, is named with its reason."""
    whole = own_report(table, 1)
    for body in (
        b'{"x":1}',
        b"[1]",
        b'"text"',
        b"not json",
        b"",
        canonical.dumps({key: value for key, value in whole.items() if key != "view"}),
        canonical.dumps({**whole, "view": {}}),
        canonical.dumps({**whole, "events": [[0, {"kind": "nonsense"}]]}),
        canonical.dumps({**whole, "events": "x"}),
        canonical.dumps({**whole, "events": [[0, {"kind": "void", "line": 1, "for": "bob"}]]}),
        canonical.dumps({**whole, "void": ""}),
        canonical.dumps({**whole, "step": 2}),
    ):
        told = lying(body)
        assert told.startswith("report of alice, entry 1, which cannot be shown: "), body


def test_anothers_report_stays_closed(table):
    """The entry that names it tells whose it is, and nothing of what it says."""
    told = show(table, table.record.read(names.report(1, "bob")))
    assert told.startswith("report of bob, entry 1, sealed: ")


def test_an_entry_that_nobody_signed_with_an_unknown_event(table):
    """Bob pushes it to his own branch: alice's `git log -p` goes on and shows it as it stands."""
    step = next(step for step in (1, 2, 3) if b'kind = "' in events(table, step))
    kind = re.search(rb'kind = "[a-z_]+"', events(table, step))
    assert kind is not None
    told = show(table, forged(table, step, kind[0], b'kind = "nonsense"'))
    assert told.startswith(f"entry {step}, ")
    assert "'kind': 'nonsense'" in told


def events(table, step: int) -> bytes:
    return table.record.read(names.entry(step)).split(b"\nview = ")[0].split(b"\nevents = ")[1]


def test_control_characters_are_escaped(table):
    """A broken entry or slip is shown as it is, without what would move the terminal."""
    for head in (b'kind = "entry/4"\n', b'kind = "slip/4"\n', b"-----BEGIN SSH SIGNATURE-----\n"):
        told = show(table, head + b"\x1b]0;pwned\x07\r\x9b31m\xff\n")
        assert "\\x1b]0;pwned\\x07\\r" in told
        assert told.startswith(head.decode().splitlines()[0])


def test_signatures_name_who_signed(table):
    """By the keys of invite and joins; a stranger's is named by its fingerprint."""
    told = show(table, table.record.read(names.signature(names.entry(1))))
    assert told.startswith("signature by the host (SHA256:")
    stranger = table.keys["bob"].sign(sshsig.SLIP, b"x")
    assert show(table, stranger).startswith("signature by bob (SHA256:")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_stops_it(table, data):
    """Any file of the record with bytes changed, cut or added: one text comes out."""
    paths = [path for path in table.record.paths() if not path.startswith((".", "README"))]
    whole = table.record.read(data.draw(st.sampled_from(paths)))
    at = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(at, min(len(whole), at + 60)))
    show(table, whole[:at] + data.draw(st.binary(max_size=40)) + whole[end:])


def test_an_error_of_this_programs_own_is_survived(table, monkeypatch):
    """Even then git is given the file, escaped."""

    def fails(*_: object) -> str:
        raise RuntimeError("a fault")

    monkeypatch.setattr(textconv.story, "title", fails)
    told = show(table, table.record.read(names.entry(1)))
    assert told.startswith('kind = "entry/4"\n')


def test_the_command_ends_well_whatever_it_is_given(table, tmp_path, monkeypatch):
    """In a folder without a record, for a file too large, with a seat that is damaged."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large").write_bytes(b"x" * (2**20 + 1))
    (tmp_path / "none").write_bytes(b"")
    (tmp_path / "bytes").write_bytes(derive(b"x" * 32, "noise") * 66)
    (tmp_path / "broken.seat").mkdir(mode=0o700)
    (tmp_path / "broken.seat" / "seat.toml").write_text("player = 1")
    for name, expected in (("large", "not shown: "), ("none", "sealed: 0"), ("bytes", "sealed: 2")):
        result = CliRunner().invoke(cli, ["git", "textconv", name, "--seat", "broken.seat"])
        assert result.exit_code == 0
        assert result.stdout.startswith(expected)


def test_git_log_goes_on_past_what_a_stranger_pushed(make_table, run_git, tmp_path):
    """End to end: an unsigned entry on another's branch, in a clone that fetched it."""
    table = make_table()
    clone = tmp_path / "mallory"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    for name, old, new in (("0001", b"x", b"x"), ("0000", b"step = 0", b"step = 7")):
        data = table.record.read(names.entry(0)).replace(old, new)
        (clone / "entries" / f"{name}.toml").write_bytes(data + b"\x1b[31m")
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "mischief")
    run_git(clone, "push", "-q", "origin", "HEAD:players/bob", "--force")
    root = table.records["alice"].root
    run_git(root, "fetch", "-q", "origin", "players/bob")
    told = run_git(root, "log", "-p", "-3", "FETCH_HEAD")
    assert "mischief" in told
    assert "\x1b" not in told
    assert told.count("\ncommit ") == 2


def test_entries_read_as_their_titles_say(table):
    """Each entry in words: title, news, slips, reports, who is awaited."""
    for step in range(table.host.last.step + 1):
        data = table.record.read(names.entry(step))
        told = show(table, data)
        entry = read_entry(data)
        assert told.startswith(f"entry {step}, {entry.time}: ")
        assert all(f"slip of {player} " in told for player in entry.slips)


def test_orders_open_for_their_author_and_after_the_reveal(table, finished):
    """Everybody else sees whose they are, and nothing of what is in them."""
    of = {name: table.seats[name].orders()[0].sealed for name in table.players}
    assert show(table, of["alice"]).startswith("your orders, step 1, revision 1:\nsalt = ")
    assert show(table, of["bob"]).startswith("orders of bob, entry 1, sealed: ")
    order = finished.seats["bob"].orders()[0].sealed
    shown = textconv.show(order, finished.records["alice"], finished.seats["alice"])
    assert shown.startswith("orders of bob, entry 1:\nsalt = ")
