"""Careless hands at the command line: what a slip of the finger must never cost, and what it says.

Adversary: one's own haste. `-o` where another file was meant, a key that moved, a seat of another
game, a bundle sent again after a ruling, umlauts and blanks in names of files.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import click
import pytest

from adjudicator.cli import play, shared
from adjudicator.store import files
from orders.bundle import decode

Table = Any


def held(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


# What -o never replaces.

VICTIMS = (
    "alice.key",
    "alice.key.pub",
    "alice.seat/seat.toml",
    "alice.seat/orders/0001-1.txt",
    "friday.host/master",
    "friday.host/new.txt",
    "friday/invite.toml",
    "friday/entries/0001.toml",
    "friday/entries/0002.toml",
    "alice-orders.toml",
    "alice-join.txt",
    "friday-invite.txt",
    "bob.seat",
    "link.txt",
)


@pytest.mark.parametrize("victim", VICTIMS)
def test_o_replaces_nothing_but_its_own_kind(table: Table, victim: str) -> None:
    """Keys, seats, records, forms, other bundles, folders and links stay, and nothing is done."""
    table.step(alice="start C4", bob="start C1")
    form = table.orders("alice", "fire S")
    (table.root / "link.txt").symlink_to("alice.key")
    before = held(table.root)
    seat = ("--seat", "alice.seat")
    for arguments in (
        ("order", "friday", form, *seat, "-o", victim),
        ("submit", "friday", "alice-0001-1.txt", "-o", victim),
        ("bundle", "friday", "1", "-o", victim),
        ("show", "friday", *seat, "--svg", victim),
        ("template", "friday", *seat, "-o", victim),
        ("prove-fork", "friday", "friday", "-o", victim),
        ("start", "friday", "alice-join.txt", "bob-join.txt", "-o", victim),
        ("join", "friday-invite.txt", "--name", "carol", "--key", "alice.key", "-o", victim),
        ("consent", "friday", "alice-join.txt", *seat, "-o", victim),
    ):
        error = table.fails("exists", *arguments)
        assert "hint: name " in error
    assert held(table.root) == before


def test_o_replaces_its_own_kind(table: Table) -> None:
    """An order over an order, an entry over an entry, a picture over a picture."""
    form = table.orders("alice", "start C4")
    for _ in range(2):
        table.ok("order", "friday", form, "--seat", "alice.seat", "-o", "mine.txt")
        table.ok("bundle", "friday", "0", "-o", "entry.txt")
        table.ok("show", "friday", "--svg", "board.svg")
    assert decode((table.root / "mine.txt").read_bytes()).kind == "order"
    table.fails("exists", "bundle", "friday", "0", "-o", "mine.txt")
    table.fails("exists", "show", "friday", "--svg", "mine.txt")


def test_a_form_is_never_replaced_by_what_is_made_of_it(table: Table) -> None:
    """`order f.toml -o f.toml`: the form stays as it was, nothing is signed."""
    form = table.orders("alice", "start C4")
    text = (table.root / form).read_text()
    table.fails("exists", "order", "friday", form, "--seat", "alice.seat", "-o", form)
    assert (table.root / form).read_text() == text
    assert not (table.root / "alice.seat/orders").exists()


def test_a_refused_output_leaves_no_half_act(table: Table) -> None:
    """`invite` whose bundle would replace something makes no record."""
    (table.root / "saturday-invite.txt").write_text("my notes\n")
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "saturday")
    assert not (table.root / "saturday").exists()
    assert not (table.root / "saturday.host").exists()


# Sent again after a ruling.


def test_a_bundle_sent_again_after_a_ruling(table: Table) -> None:
    """Both sides read that it counts no more, and for which step to write."""
    table.order("alice", "start C4")
    table.ok("rule", "friday", "--until", "9d", "--reason", "nothing is void by a deadline")
    told = table.run("submit", "friday", "alice-0001-1.txt")
    assert (told.exit_code, told.stdout.splitlines()[0]) == (0, "alice-0001-1: accepted")
    table.order("bob", "start C1")
    table.ok("advance", "friday")
    table.ok("rule", "friday", "--annul", "2", "--reason", "changed my mind")
    anew = "accepted, and used in entry 2, which a ruling has annulled; "
    anew += "send orders for step 4"
    told = table.run("submit", "friday", "alice-0001-1.txt")
    assert told.exit_code == 1
    assert told.stdout.splitlines()[0] == f"alice-0001-1: {anew}"
    receipt = ("receive", "friday", "alice-0001-1-receipt.txt", "--seat", "alice.seat")
    assert anew in table.ok(*receipt)
    table.order("alice", "start C4")
    table.ok("rule", "friday", "--annul", "3", "--reason", "back again")
    told = table.run("submit", "friday", "alice-0004-1.txt")
    assert told.exit_code == 1
    voided = "accepted for step 4, which the ruling in entry 4 has voided; send orders for step 5"
    assert voided in told.stdout


# Keys and seats that moved.


def test_a_key_that_moved(table: Table) -> None:
    """The hint names the key by its fingerprint, and never offers to make another."""
    print_of = table.run("keygen", "other.key").stdout.split("SHA256:")[1].strip()
    form = table.orders("alice", "start C4")
    moved = table.root / "keys"
    moved.mkdir()
    (table.root / "alice.key").rename(moved / "alice.key")
    (table.root / "host.key").rename(moved / "host.key")
    order = ("order", "friday", form, "--seat", "alice.seat")
    error = table.fails("bad-key", *order)
    assert "hint: where is SHA256:" in error
    assert "--key" in error
    assert "keygen" not in error
    assert print_of not in error
    wrong = table.fails("bad-key", *order, "--key", "other.key")
    assert "name the key with which you joined" in wrong
    said = table.ok(*order, "--key", "keys/alice.key")
    bundle = said.partition(":")[0]
    for command in (("submit", "friday", bundle), ("advance", "friday")):
        assert "hint: where is SHA256:" in table.fails("bad-key", *command)
    table.ok("submit", "friday", bundle, "--key", "keys/host.key")
    table.fails("bad-key", "submit", "friday", bundle, "--key", "keys/alice.key")


def test_a_seat_of_another_game_and_a_seat_named_short(table: Table) -> None:
    """Not this game's seat; joined anew; `joerg` for `joerg.seat`."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "monday")
    (table.root / "elsewhere").mkdir()
    join = ("join", "monday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.ok(*join, "-o", "elsewhere/join.txt")
    error = table.fails("no-seat", "template", "friday", "--seat", "elsewhere/alice.seat")
    assert "another invite" in error
    shutil.rmtree(table.root / "elsewhere")
    (table.root / "elsewhere").mkdir()
    again = ("join", "friday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.ok(*again, "-o", "elsewhere/join.txt")
    error = table.fails("no-seat", "template", "friday", "--seat", "elsewhere/alice.seat")
    assert "look for the seat folder with which you joined" in error
    error = table.fails("missing", "template", "friday", "--seat", "alice")
    assert "hint: did you mean --seat alice.seat?" in error


# Names and texts.


@pytest.mark.parametrize("name", ["Joerg", "J\u00f6rg", "j\u00f6rg", "aux", "setup"])
def test_player_options_are_checked_at_the_invite(table: Table, name: str) -> None:
    """Nobody can bear the name, so the invitation would be wasted."""
    call = ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--option", f"first={name}")
    result = table.run(*call)
    assert result.exit_code == 1
    assert result.stderr.startswith(("error: bad-option: ", "error: malformed: "))
    assert ("did you mean 'joerg'?" in result.stderr) == (name.lower() not in ("aux", "setup"))
    assert not (table.root / "x").exists()
    demo = table.run("demo", "--option", f"first={name}")
    assert demo.exit_code == 1


def test_names_at_the_join(table: Table) -> None:
    """Refused, with the name that could be meant."""
    call = ("join", "friday-invite.txt", "--name", "J\u00f6rg", "--key", "alice.key")
    assert "did you mean 'joerg'?" in table.fails("malformed", *call)


def test_keys_with_umlauts(table: Table) -> None:
    """A file's name is nobody's business."""
    table.ok("keygen", "j\u00f6rg.key")
    table.ok("join", "friday-invite.txt", "--name", "joerg", "--key", "j\u00f6rg.key")
    if shutil.which("ssh-keygen"):
        key = str(table.root / "j\u00f6rg.key")
        assert subprocess.run(["ssh-keygen", "-y", "-f", key], check=False).returncode == 0


def test_printed_commands_can_be_pasted(table: Table) -> None:
    """Blanks and umlauts in names: the command that a template prints is one that a shell takes."""
    folder = table.root / "Freitag Abend mit J\u00f6rg"
    shutil.copytree(table.root / "friday", folder)
    said = table.ok("template", folder.name, "--seat", "alice.seat", "-o", "mein zug.toml")
    command = said.partition("then ")[2].strip()
    text = (table.root / "mein zug.toml").read_text()
    (table.root / "mein zug.toml").write_text(text.replace('"""\n\n', '"""\nstart C4\n'))
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True
    ).stdout.split(b"\0")[:-1]
    table.ok(*(word.decode() for word in words[1:]))
    (table.root / "alice.seat").chmod(0o755)
    folder = table.root / "Alices Platz"
    (table.root / "alice.seat").rename(folder)
    error = table.fails("open-folder", "template", "friday", "--seat", folder.name)
    assert shlex.split(error.partition("hint: ")[2]) == ["chmod", "700", folder.name]


def test_a_name_that_no_terminal_shows(table: Table) -> None:
    """Bytes that are no UTF-8 in a folder's name: told as escapes, no traceback."""
    name = os.fsdecode(b"J\xf6rg")
    (table.root / "friday").rename(table.root / name)
    out = table.run("bundle", name, "0")
    assert (out.exit_code, out.stderr) == (0, "")
    assert "\\udcf6" in out.stdout


@pytest.mark.parametrize(
    ("reason", "odd"),
    [
        ("Weihnachten \u2013 sch\u00f6n", "character 13, '\\u2013' (EN DASH)"),
        ("sch\u00f6n", "character 4, '\\xf6' (LATIN SMALL LETTER O WITH DIAERESIS)"),
        ("a\x1b[2J", "character 2, '\\x1b' (a control character)"),
    ],
)
def test_reasons_say_which_character(table: Table, reason: str, odd: str) -> None:
    """Entries hold printable ASCII."""
    error = table.fails("malformed", "rule", "friday", "--until", "9d", "--reason", reason)
    assert odd in error


# Dates and spans.


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine an hour before UTC."""
    monkeypatch.setenv("TZ", "CET-1")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3d", "2026-11-24T12:00:00Z"),
        ("+3d", "2026-11-24T12:00:00Z"),
        ("2d12h", "2026-11-24T00:00:00Z"),
        ("90m", "2026-11-21T13:30:00Z"),
        ("1w", "2026-11-28T12:00:00Z"),
        ("2026-11-30 18:00", "2026-11-30T17:00:00Z"),
        ("2026-11-30T18:00", "2026-11-30T17:00:00Z"),
        ("2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z"),
        ("2026-11-30 18:00+03:00", "2026-11-30T15:00:00Z"),
        ("2026-11-30", "2026-11-30T23:00:00Z"),
    ],
)
def test_times_as_people_write_them(berlin: None, text: str, meant: str) -> None:
    """Spans from now on, local times, days to their end."""
    assert shared.moment(text, "2026-11-21T12:00:00Z") == meant
    if text == "2026-11-30":
        assert shared.moment(text, "2026-11-21T12:00:00Z", begins=True) == "2026-11-29T23:00:00Z"


@pytest.mark.parametrize("text", ["", "tomorrow", "3", "3x", "d", "-3d", "2026-13-01", "1e3d"])
def test_times_that_nobody_can_mean(text: str) -> None:
    """A wrong call, with examples."""
    with pytest.raises(click.BadParameter, match="2026-11-30 18:00"):
        shared.moment(text, "2026-11-21T12:00:00Z")


def test_a_deadline_in_days(table: Table) -> None:
    """`--until 9d` is taken, and the ruling says what came of it."""
    out = table.ok("rule", "friday", "--until", "9d", "--reason", "holidays")
    assert out.count("awaited: ") == 2
    assert table.run("rule", "friday", "--until", "soon", "--reason", "x").exit_code == 2


# The host's hands.


def test_submit_takes_many(table: Table) -> None:
    """Every bundle is answered; a bad one is told and stops no other."""
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        table.ok("order", "friday", table.orders(name, line), "--seat", f"{name}.seat")
    given = ("alice-0001-1.txt", "alice.key.pub", "bob-0001-1.txt")
    result = table.run("submit", "friday", *given)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: bad-bundle: 'alice.key.pub'")
    assert "alice-0001-1: accepted" in result.stdout
    assert "bob-0001-1: accepted" in result.stdout
    assert result.stdout.endswith("all orders are in: adjudicator advance friday\n")
    table.ok("submit", "friday", "alice-0001-1.txt", "bob-0001-1.txt")
    assert table.run("submit", "friday", *given, "-o", "x.txt").exit_code == 2


def test_two_orders_of_one_revision(table: Table) -> None:
    """Two copies of one seat: the host's tool says what it looks like."""
    shutil.copytree(
        table.root / "alice.seat", table.root / "copied.seat", copy_function=shutil.copy2
    )
    (table.root / "copied.seat").chmod(0o700)
    form = table.orders("alice", "start C4")
    table.ok("order", "friday", form, "--seat", "alice.seat", "-o", "one.txt")
    form = table.orders("alice", "start D4")
    table.ok("order", "friday", form, "--seat", "copied.seat", "-o", "other.txt")
    table.ok("submit", "friday", "one.txt")
    result = table.run("submit", "friday", "other.txt")
    assert result.exit_code == 1
    assert "superseded" in result.stdout
    assert "alice has signed two different orders as step 1, revision 1" in result.stderr


def test_start_after_the_game_began(table: Table) -> None:
    """Said so with the same players, refused with others."""
    out = table.ok("start", "friday", "alice-join.txt", "bob-join.txt")
    assert "the game has begun already" in out
    table.ok("keygen", "carol.key")
    table.ok("join", "friday-invite.txt", "--name", "carol", "--key", "carol.key")
    error = table.fails("exists", "start", "friday", "alice-join.txt", "carol-join.txt")
    assert "begun with alice, bob" in error
    table.fails("exists", "start", "friday", "bob-join.txt", "alice-join.txt")


def test_rulings_that_do_not_go_together(table: Table) -> None:
    """A wrong call, told before anything is asked or written."""
    for arguments in (
        ("--annul", "1", "--abandon"),
        ("--abandon", "--until", "3d"),
        ("--consent", "x.sig", "--abandon"),
        ("--seat", "x.txt", "--annul", "1"),
    ):
        result = table.run("rule", "friday", *arguments, "--reason", "x")
        assert result.exit_code == 2, arguments


@pytest.mark.parametrize("answer", ["n\n", "y\n"])
def test_resigning_is_asked_for_on_a_terminal(
    table: Table, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Nothing is signed without a yes; a pipe is not asked."""
    table.step(alice="start C4", bob="start C1")
    form = table.orders("alice", "resign  # good bye")
    order = ("order", "friday", form, "--seat", "alice.seat")
    monkeypatch.setattr(play, "is_terminal", lambda: True)
    result = table.run(*order, given=answer.encode())
    assert "You resign" in result.stderr
    signed = (table.root / "alice.seat/orders/0002-1.txt").exists()
    assert signed == (answer == "y\n") == (result.exit_code == 0)
    monkeypatch.setattr(play, "is_terminal", lambda: False)
    table.ok(*order)


@pytest.mark.parametrize("game", ["abc", "0" * 63, "g" * 64, "A" * 64, ""])
def test_a_game_or_head_that_is_no_digest_is_a_wrong_call(table: Table, game: str) -> None:
    """2, and never a verdict: a prefix proves nothing."""
    for option in ("--game", "--head"):
        result = table.run("verify", "friday", option, game)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "expected all 64 hex digits" in result.stderr


def test_demo_by_name(tmp_path: Path, at_commands: Any) -> None:
    """`demo GAME`, a number of players that does not fit, more bots than seats."""
    there = at_commands(tmp_path)
    assert "verdict: true" in there.ok("demo", "silent-ships", "--quiet", "--seed", "02")
    error = there.fails("bad-option", "demo", "--players", "1")
    assert "a demo of sugar-dog seats 2 to 8 bots, not 1" in error
    there.fails("bad-option", "demo", *("--bot", "captain") * 3)
    there.fails("unknown-game", "demo", "sugar-cat")
    there.ok(
        "demo", "submarine-warfare", "--quiet", "--preset", "live", "--seed", "02", "--keep", "k"
    )
    assert 'turn_time = "90s"' in (there.root / "k/record/invite.toml").read_text()
    there.fails("bad-option", "demo", "--preset", "none")


def test_two_commands_on_one_seat(table: Table) -> None:
    """`template | order` reads while another writes; two orders at once never share a revision."""
    form = table.orders("alice", "start C4")
    seat = table.root / "alice.seat"
    (seat / "mark").unlink()
    with files.locked(seat):
        assert "start C4" in table.ok("template", "friday", "--seat", "alice.seat")
        table.fails("busy", "order", "friday", form, "--seat", "alice.seat")
    assert not (seat / "orders").exists()
    table.ok("order", "friday", form, "--seat", "alice.seat")
