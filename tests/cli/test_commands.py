"""Every command: what it prints, what it writes, its exit codes, its errors in one line."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import COMMANDS, cli
from orders.bundle import decode

Table = Any
CORE = [name for name in COMMANDS if name not in ("mail", "git")]


@pytest.mark.parametrize("command", CORE)
def test_help_has_an_example(begun: Table, command: str) -> None:
    """Every command says what it does and gives an example, which names it."""
    text = begun.ok(command, "--help")
    assert re.search(rf"Example: .*adjudicator {command}\b", text), text
    assert begun.ok(command, "-h") == text
    assert COMMANDS[command][1]


def test_help_lists_every_command(begun: Table) -> None:
    """In the order of a game's life, with a line each."""
    text = begun.ok("--help")
    places = [text.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert begun.ok("--version").startswith("adjudicator ")


def test_a_whole_game_by_hand(finished: Table) -> None:
    """Keygen to verdict: every file where it was said to be, and the record true."""
    out = finished.ok("verify", "friday", "--seat", "alice.seat")
    assert "verdict: true: alice won" in out
    assert "not proved:" in out
    receipts = sorted(finished.root.glob("*-receipt.txt"))
    assert len(receipts) == 5
    given = [part for path in receipts for part in ("--receipt", path.name)]
    assert "accepted and used" in finished.ok("verify", "friday", *given)


def test_a_copy_by_bundles(finished: Table, tmp_path: Path, at_commands: Any) -> None:
    """Another machine: receive starts the copy, takes all in, and verifies alike."""
    there = at_commands(tmp_path)
    finished.ok("bundle", "friday", "1", "-o", tmp_path / "friday-0001.txt")
    for path in finished.root.glob("friday-*.txt"):
        if not path.stem.endswith("-alice"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    missing = there.run("receive", "friday", "friday-0001.txt")
    assert missing.exit_code == 1
    assert "hint: name the invite's bundle too" in missing.stderr
    out = there.ok("receive", "friday", *sorted(p.name for p in tmp_path.glob("friday-*.txt")))
    assert "taken in: entry 5" in out
    assert "The game is over: alice won." in out
    copied = there.ok("verify", "friday").splitlines()
    assert [
        line for line in finished.ok("verify", "friday").splitlines() if line not in copied
    ] == ["  ok   files: 46 files, each named by an entry and with the digest named"]
    again = there.ok("receive", "friday", "friday-0002-bob.txt")
    assert again == "taken in: entry 2 (was here already)\n"


def test_receive_keeps_receipts_and_tells_the_news(table: Table) -> None:
    """With a seat: its receipts, its own news, whose turn it is."""
    table.order("alice", "start C4")
    copied = table.ok("receive", "friday", "alice-0001-1-receipt.txt", "--seat", "alice.seat")
    assert copied == "taken in: receipt for step 1, revision 1: accepted\n"
    assert (table.root / "alice.seat/receipts/0001-1.toml").is_file()
    table.fails("no-seat", "receive", "friday", "alice-0001-1-receipt.txt")


def test_json_is_one_document(finished: Table) -> None:
    """Wherever a program may read it; equal in value to what is told."""
    for arguments in (
        ("games",), ("log", "friday"), ("status", "friday"), ("verify", "friday"),
        ("show", "friday"), ("show", "friday", "--seat", "bob.seat", "--step", "2"),
    ):  # fmt: skip
        value = json.loads(finished.ok(*arguments, "--json"))
        assert value
    found = json.loads(finished.ok("verify", "friday", "--json"))[0]
    assert (found["code"], found["verdict"]) == (0, "true: alice won")
    assert {claim["status"] for claim in found["claims"]} == {"true"}
    assert json.loads(finished.ok("log", "friday", "--json"))[5]["step"] == 5
    shown = json.loads(finished.ok("show", "friday", "--seat", "bob.seat", "--step", "2", "--json"))
    assert list(shown["views"]) == ["bob"]
    assert "sub" not in shown["views"]["bob"]["alice"]


def test_show(finished: Table, table: Table) -> None:
    """Own board with a seat, the public one without, all boards after the reveal; pictures."""
    assert "As everybody sees it" in table.ok("show", "friday")
    table.step(alice="start C4", bob="start C1")
    public = table.ok("show", "friday")
    assert "As everybody sees it" in public
    assert "| s |" not in public
    assert "| s |" in table.ok("show", "friday", "--seat", "bob.seat")
    everything = finished.ok("show", "friday")
    assert "As alice sees it" in everything
    assert "As bob sees it" in everything
    finished.ok("show", "friday", "--seat", "alice.seat", "--svg", "board.svg")
    assert (finished.root / "board.svg").read_text().startswith("<svg")
    assert finished.ok("show", "friday", "--svg", "-", "--step", "2").startswith("<svg")
    assert "| s |" not in finished.ok("show", "friday", "--step", "0", "--player", "bob")
    alone = finished.ok("show", "friday", "--player", "bob")
    assert "As bob sees it" in alone
    assert "As alice sees it" not in alone
    said = finished.ok("show", "friday", "--player", "bob", "--svg", "bob.svg")
    assert said == "bob.svg: the board after entry 4, as bob sees it\n"
    finished.fails("no-board", "show", "friday", "--player", "carol")
    table.fails("no-board", "show", "friday", "--player", "bob")
    table.fails("missing", "show", "friday", "--step", "9")
    table.fails("missing", "show", "friday", "--seat", "bob.seat", "--step", "9")
    table.fails("missing", "show", "friday", "--step", "-1")
    table.fails("missing", "show", "friday", "--seat", "bob.seat", "--step", "-1")


def test_log_and_status(finished: Table, table: Table) -> None:
    """The story so far, and who is awaited until when."""
    out = finished.ok("log", "friday")
    assert "genesis: alice, bob" in out
    assert "reveal: alice won" in out
    assert "over: alice won" in finished.ok("status", "friday")
    assert "awaited: bob for setup, until" in table.ok("status", "friday")
    assert "overdue" not in table.ok("status", "friday")


def test_check_tells_what_is_wrong(table: Table) -> None:
    """The line as it was written, what was expected, and nothing is written anywhere."""
    good = table.orders("alice", "start C4")
    assert table.ok("check", "friday", good, "--seat", "alice.seat") == (
        "ok: orders of alice for step 1\n  start C4\n"
    )
    bad = table.orders("alice", "# my start\nstart Z9")
    error = table.fails("illegal", "check", "friday", bad, "--seat", "alice.seat")
    lines = (table.root / bad).read_text().split("\n")
    place = lines.index("start Z9") + 1
    assert f"line {place}: 'start Z9': expected a cell of the map" in error
    malformed = table.orders("alice", "strat C4")
    error = table.fails("malformed", "order", "friday", malformed, "--seat", "alice.seat")
    assert "hint: start" in error or "start" in error
    assert not (table.root / "alice.seat/orders").exists()


def test_dash_is_standard_input_and_output(table: Table) -> None:
    """Where a bundle or an order file is read or written; what is told goes to stderr then."""
    orders = (table.root / table.orders("alice", "start C4")).read_bytes()
    seat = ("--seat", "alice.seat")
    assert table.ok("check", "friday", "-", *seat, given=orders).startswith("ok")
    ordered = table.run("order", "friday", "-", *seat, "-o", "-", given=orders)
    assert ordered.exit_code == 0
    assert decode(ordered.stdout_bytes).kind == "order"
    assert "sealed orders" in ordered.stderr
    submitted = table.run("submit", "friday", "-", "-o", "-", given=ordered.stdout_bytes)
    assert submitted.exit_code == 0
    assert decode(submitted.stdout_bytes).kind == "receipt"
    received = table.run("receive", "friday", "-", *seat, given=submitted.stdout_bytes)
    assert received.exit_code == 0
    table.order("bob", "start C1")
    table.ok("advance", "friday")
    assert decode(table.run("bundle", "friday", "-o", "-").stdout_bytes).kind == "entry"
    assert decode(table.run("bundle", "friday", "invite", "-o", "-").stdout_bytes).kind == "invite"
    template = table.run("template", "friday", *seat, "-o", "-")
    assert tomllib.loads(template.stdout)["player"] == "alice"


def test_submit_exits_1_where_it_does_not_accept(table: Table) -> None:
    """With the receipt written all the same."""
    first = table.ok("order", "friday", table.orders("alice", "start C4"), "--seat", "alice.seat")
    assert table.order("alice", "start D4").exit_code == 0
    late = table.run("submit", "friday", first.partition(":")[0])
    assert late.exit_code == 1
    assert "superseded" in late.stdout
    assert (table.root / "alice-0001-1-receipt.txt").is_file()


def test_advance_waits(table: Table) -> None:
    """For who is awaited; saying who and until when."""
    assert "waits for alice until" in table.fails("not-yet", "advance", "friday")
    assert "waits for alice until" in table.fails("not-yet", "advance", "friday", "--late")


def test_after_the_end(finished: Table) -> None:
    """Nothing goes on: each command says so in one line."""
    finished.fails("over", "advance", "friday")
    finished.fails("over", "rule", "friday", "--abandon", "--reason", "too late")
    finished.root.joinpath("late.toml").write_text(
        f'game = "{json.loads(finished.ok("status", "friday", "--json"))["game"]}"\n'
        'step = 6\nplayer = "alice"\norders = "silent"\n'
    )
    finished.fails("over", "order", "friday", "late.toml", "--seat", "alice.seat")
    assert "nothing that you may write" in finished.ok("template", "friday", "--seat", "bob.seat")


def test_rule(table: Table) -> None:
    """A deadline moved, entries annulled, a game ended; refused where it may not be."""
    table.fails("chain", "rule", "friday", "--annul", "1", "--reason", "x")
    table.step(alice="start C4", bob="start C1")
    for arguments in (
        ("--reason", "none"),
        ("--until", "tomorrow", "--reason", "x"),
        ("--annul", "x", "--reason", "x"),
        ("--abandon",),
    ):
        assert table.run("rule", "friday", *arguments).exit_code == 2, arguments
    for reason in ("", "é", "\x1b[2J", "x" * 501):
        table.fails("malformed", "rule", "friday", "--abandon", "--reason", reason)
    table.fails("chain", "rule", "friday", "--annul", "7", "--reason", "x")
    for time in ("2020-01-01T00:00:00Z", "1s", "2099-01-01T00:00:00Z"):
        table.fails("clock", "rule", "friday", "--until", time, "--reason", "x")
    out = table.ok("rule", "friday", "--until", "4d", "--reason", "snow")
    assert "ruling: snow" in out
    out = table.ok("rule", "friday", "--annul", "1", "--reason", "again")
    assert "counts no more: entry 1, 2" in out
    table.fails("chain", "rule", "friday", "--annul", "1", "--reason", "twice")
    out = table.ok("rule", "friday", "--annul", "3", "--reason", "I was wrong")
    assert "counts no more: entry 3" in out
    assert "counts again: entry 1, 2" in out
    table.ok("rule", "friday", "--abandon", "--reason", "no time")
    verified = table.run("verify", "friday")
    assert verified.exit_code == 3
    assert "true, with something to look at (3): the game was abandoned" in verified.stdout
    assert "LOOK rulings: 4 by the host" in verified.stdout


def test_verify_exit_codes(finished: Table, table: Table, tmp_path: Path) -> None:
    """0 true, 1 false, 2 unusable, 4 incomplete; of several the gravest: 1, 2, 4, 3, 0."""
    import shutil

    true = finished.root / "friday"
    false = tmp_path / "false"
    shutil.copytree(true, false)
    entry = false / "entries/0003.toml"
    entry.write_bytes(entry.read_bytes().replace(b"step = 3", b"step = 4"))
    incomplete = table.root / "friday"
    empty = tmp_path / "empty"
    empty.mkdir()
    codes = {true: 0, false: 1, empty: 2, incomplete: 4}
    for record, code in codes.items():
        assert finished.run("verify", record).exit_code == code, record
    order = (1, 2, 4, 3, 0)
    for one, first in codes.items():
        for other, second in codes.items():
            expected = min(first, second, key=order.index)
            assert finished.run("verify", one, other).exit_code == expected
    jobs = finished.run("verify", true, false, "--jobs", "2", "--json")
    assert jobs.exit_code == 1
    assert [one["code"] for one in json.loads(jobs.stdout)] == [0, 1]
    assert finished.run("verify", tmp_path / "nowhere").exit_code == 2


def test_verify_open_protests(table: Table) -> None:
    """3: true, and somebody says that something was amiss."""
    table.step(alice="start C4", bob="start C1")
    name = table.orders("alice", "resign")
    said = table.ok("order", "friday", name, "--seat", "alice.seat", "--protest", "order")
    table.ok("submit", "friday", said.partition(":")[0])
    table.ok("advance", "friday")
    result = table.run("verify", "friday")
    assert result.exit_code == 3
    assert "LOOK protests: 1 made; alice at step 2: order" in result.stdout
    assert (
        table.run("order", "friday", name, "--seat", "alice.seat", "--protest", "x").exit_code == 2
    )


def test_verify_with_the_wrong_things(finished: Table, table: Table) -> None:
    """A game of another id, a receipt that is none, no seat: told, never a traceback."""
    wrong = finished.run("verify", "friday", "--game", "0" * 64)
    assert wrong.exit_code == 1
    assert "not 0000" in wrong.stdout
    game = json.loads(finished.ok("status", "friday", "--json"))["game"]
    finished.ok("verify", "friday", "--game", game)
    for arguments in (("--receipt", "friday-0001.txt"), ("--receipt", "none"), ("--seat", "none")):
        assert finished.run("verify", "friday", *arguments).exit_code == 2, arguments
    result = table.run("verify", "friday", "--seat", table.root / "alice.seat")
    assert result.exit_code == 4


def test_verify_damaged_records_with_a_seat(finished: Table, tmp_path: Path) -> None:
    """A false record is false with a seat as without."""
    import shutil

    for path in ("invite.toml", "entries/0000.toml", "entries/0002.toml", "joins/bob.toml"):
        copy = tmp_path / path.replace("/", "-")
        shutil.copytree(finished.root / "friday", copy)
        (copy / path).write_bytes((copy / path).read_bytes()[:-1])
        assert finished.run("verify", copy).exit_code == 1, path
        assert finished.run("verify", copy, "--seat", "alice.seat").exit_code == 1, path


def test_prove_fork(table: Table) -> None:
    """The proof on standard output or in a file; 1 where the two agree."""
    import shutil

    shutil.copytree(table.root / "friday", table.root / "other")
    shutil.copytree(table.root / "friday.host", table.root / "other.host")
    table.fails("no-fork", "prove-fork", "friday", "other")
    table.step(alice="start C4", bob="start C1")
    table.ok("rule", "other", "--abandon", "--reason", "a second history")
    proof = table.ok("prove-fork", "friday", "other")
    assert proof.startswith("PROOF: the host SHA256:")
    assert "signed two entries 1" in table.ok("prove-fork", "friday", "other", "-o", "proof.txt")
    assert (table.root / "proof.txt").read_text() == proof


def test_private_folders_that_are_open_are_refused(table: Table) -> None:
    """With the command that closes them."""
    (table.root / "alice.seat").chmod(0o755)
    (table.root / "friday.host").chmod(0o750)
    for arguments in (
        ("show", "friday", "--seat", "alice.seat"),
        ("template", "friday", "--seat", "alice.seat"),
        ("advance", "friday"),
    ):
        error = table.fails("open-folder", *arguments)
        assert "hint: chmod 700" in error
    assert table.run("verify", "friday", "--seat", "alice.seat").exit_code == 2


def test_nothing_is_overwritten(table: Table) -> None:
    """Keys, records, seats and templates that are there stay as they are."""
    before = {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()}
    table.fails("bad-key", "keygen", "alice.key")
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    table.fails("exists", "join", "friday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.fails("exists", "template", "friday", "--seat", "alice.seat", "-o", "alice.key")
    table.fails("exists", "demo", "--keep", "friday")
    assert {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("unknown-game", ("rules", "sugar-cat")),
        ("unknown-game", ("demo", "--game", "chess")),
        ("unknown-game", ("invite", "chess", "--key", "host.key", "-o", "x")),
        ("bad-option", ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--option", "a=b")),
        ("bad-option", ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--preset", "live")),
        ("bad-option", ("demo", "--players", "99")),
        ("bad-option", ("demo", "--bot", "genius")),
        ("bad-option", ("demo", "--option", "missed=never")),
        ("bad-key", ("invite", "sugar-dog", "--key", "none.key", "-o", "x")),
        ("bad-key", ("invite", "sugar-dog", "--key", "friday-invite.txt", "-o", "x")),
        ("missing", ("status", "nowhere")),
        ("missing", ("log", "nowhere")),
        ("missing", ("show", "nowhere")),
        ("missing", ("advance", "nowhere")),
        ("missing", ("bundle", "nowhere")),
        ("missing", ("bundle", "friday", "7")),
        ("missing", ("start", "nowhere", "alice-join.txt")),
        ("missing", ("submit", "friday", "none.txt")),
        ("missing", ("prove-fork", "friday", "nowhere")),
        ("missing", ("template", "friday", "--seat", "carol.seat")),
        ("bad-bundle", ("submit", "friday", "alice.key.pub")),
        ("bad-bundle", ("submit", "friday", "friday-invite.txt")),
        ("bad-bundle", ("receive", "friday", "alice-join.txt")),
        ("bad-bundle", ("join", "alice-join.txt", "--name", "x", "--key", "alice.key")),
        ("malformed", ("join", "friday-invite.txt", "--name", "../x", "--key", "alice.key")),
        ("malformed", ("join", "friday-invite.txt", "--name", "setup", "--key", "alice.key")),
        ("bad-key", ("join", "friday-invite.txt", "--name", "carol", "--key", "host.key")),
    ],
)  # fmt: skip
def test_refusals_are_one_line(table: Table, word: str, arguments: tuple[str, ...]) -> None:
    """A stable word, what was found, and where it helps a way out; nothing is written."""
    before = sorted(path for path in table.root.rglob("*"))
    table.fails(word, *arguments)
    assert sorted(path for path in table.root.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",), ("demo", "--wrong"), ("keygen",), ("invite", "sugar-dog"),
        ("demo", "--seed", "xyz"), ("demo", "--seed", "00" * 33), ("bundle", "friday", "-1"),
        ("bundle", "friday", "x"), ("verify", "friday", "--jobs", "0"), ("status",),
        ("join", "friday-invite.txt", "--name", "x", "--key", "k", "--mail", "loud"),
    ],
)  # fmt: skip
def test_wrong_calls_exit_2(table: Table, arguments: tuple[str, ...]) -> None:
    """One line, and where to read on."""
    result = table.run(*arguments)
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2


def test_hostile_files_at_the_command_line(table: Table) -> None:
    """Row 25 where files are named on the command line: links, FIFOs, folders, /dev/zero."""
    os.mkfifo(table.root / "fifo")
    (table.root / "folder").mkdir()
    for path in ("fifo", "folder", "/dev/zero", "/dev/null"):
        for arguments in (
            ("submit", "friday", path),
            ("receive", "friday", path),
            ("check", "friday", path, "--seat", "alice.seat"),
            ("join", path, "--name", "carol", "--key", "alice.key"),
            ("start", "friday", path),
        ):
            result = table.run(*arguments)
            assert result.exit_code in (1, 2), (arguments, result.output)
            assert result.stderr.startswith("error: ")


def test_escapes_are_not_echoed(table: Table) -> None:
    """Row 19: what comes from elsewhere reaches a terminal as plain ASCII."""
    text = (table.root / table.orders("alice", "start C4")).read_text()
    for hostile in ("\x1b]0;pwned\x07", "\u202estart", "\u00e9", "\0"):
        (table.root / "bad.toml").write_text(text.replace("start C4", hostile))
        result = table.run("check", "friday", "bad.toml", "--seat", "alice.seat")
        assert result.exit_code == 1
        assert result.stderr.replace("\n", "").isprintable()
        assert result.stderr.isascii()


def test_no_color(finished: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """No escape where output is no terminal; nor on one, with NO_COLOR."""
    monkeypatch.setenv("NO_COLOR", "1")
    before = Path.cwd()
    os.chdir(finished.root)
    try:
        for arguments in (["verify", "friday"], ["verify", "nowhere"], ["rules", "x"]):
            result = CliRunner().invoke(cli, arguments, color=True)
            assert "\x1b" not in result.output
    finally:
        os.chdir(before)
    assert "\x1b" not in finished.run("verify", "friday").output


def test_demo_and_games_and_cases(begun: Table, tmp_path: Path, at_commands: Any) -> None:
    """The main job in one command, and what there is to play."""
    there = at_commands(tmp_path)
    out = there.ok("demo", "--seed", "01", "--quiet", "--keep", "kept")
    assert "verdict: true" in out
    assert "verdict: true" in there.ok("verify", "kept/record", "--seat", "kept/bob/bob.seat")
    assert "sugar-dog" in begun.ok("games")
    assert begun.ok("rules", "sugar-dog").startswith("# Sugar Dog")
    folder = tmp_path / "cases"
    folder.mkdir()
    nothing = there.run("cases", "cases")
    assert nothing.exit_code == 1
    (folder / "XX-1a.toml").write_text("case = 1\n")
    broken = there.run("cases", "cases")
    assert broken.exit_code == 1
    assert "FAIL XX-1a.toml" in broken.stdout


def test_every_games_template_can_be_filled_in(tmp_path: Path, at_commands: Any) -> None:
    """Whatever board and lines stand above the cut, the orders below it are taken."""
    import games

    for name in games.installed():
        root = tmp_path / name
        root.mkdir()
        table = at_commands(root)
        for who in ("host", "alice", "bob"):
            table.ok("keygen", f"{who}.key")
        table.ok("invite", name, "--key", "host.key", "-o", "friday")
        for who in ("alice", "bob"):
            table.ok("join", "friday-invite.txt", "--name", who, "--key", f"{who}.key")
        table.ok("start", "friday", "alice-join.txt", "bob-join.txt")
        seat = json.loads(table.ok("status", "friday", "--json"))["awaited"]
        for who in seat:
            template = table.ok("template", "friday", "--seat", f"{who}.seat")
            assert tomllib.loads(template)["player"] == who
            assert all(len(line) <= 100 for line in template.splitlines()), name
