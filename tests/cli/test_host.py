"""The host's commands: `invite`, `token`, `start`, `submit`, `advance`, `rule`."""

from __future__ import annotations

import re
import shutil
from typing import Any

Table = Any


def test_submit_exits_1_where_it_does_not_accept(table: Table) -> None:
    """With the receipt written all the same."""
    first = table.ok("order", "friday", table.orders("alice", "start C4"), "--seat", "alice.seat")
    assert table.order("alice", "start D4").exit_code == 0
    late = table.run("submit", "friday", first.partition(":")[0])
    assert late.exit_code == 1
    assert "superseded" in late.stdout
    assert (table.root / "friday-alice-0001-1-receipt.txt").is_file()


def test_advance_waits(table: Table) -> None:
    """It waits for awaited players, and says for whom and until when."""
    assert "waits for alice until" in table.fails("not-yet", "advance", "friday")
    assert "waits for alice until" in table.fails("not-yet", "advance", "friday", "--late")


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
    for time in ("2020-01-01T00:00:00Z", "1s"):
        table.fails("clock", "rule", "friday", "--until", time, "--reason", "x")
    out = table.ok("rule", "friday", "--until", "4d", "--reason", "snow")
    assert "ruling: snow" in out
    out = table.ok("rule", "friday", "--annul", "1", "--reason", "again")
    assert "no longer counts: entry 1, 2" in out
    table.fails("chain", "rule", "friday", "--annul", "1", "--reason", "twice")
    out = table.ok("rule", "friday", "--annul", "3", "--reason", "I was wrong")
    assert "no longer counts: entry 3" in out
    assert "counts again: entry 1, 2" in out
    table.ok("rule", "friday", "--abandon", "--reason", "no time")
    verified = table.run("verify", "friday")
    assert verified.exit_code == 3
    assert "true, with something to look at (3): the game was abandoned" in verified.stdout
    assert "LOOK rulings: 4 by the host" in verified.stdout


def test_a_refused_output_leaves_no_half_act(table: Table) -> None:
    """`invite` whose bundle would replace something makes no record."""
    (table.root / "saturday-invite.txt").write_text("my notes\n")
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "saturday")
    assert not (table.root / "saturday").exists()
    assert not (table.root / "saturday.host").exists()


def test_a_deadline_in_days(table: Table) -> None:
    """`--until 9d` is taken, and the ruling says what came of it."""
    out = table.ok("rule", "friday", "--until", "9d", "--reason", "holidays")
    assert out.count("awaited: ") == 2
    assert table.run("rule", "friday", "--until", "soon", "--reason", "x").exit_code == 2


def test_submit_takes_many(table: Table) -> None:
    """Every bundle is answered; a bad one is told and stops no other."""
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        table.ok("order", "friday", table.orders(name, line), "--seat", f"{name}.seat")
    given = ("friday-alice-0001-1.txt", "alice.key.pub", "friday-bob-0001-1.txt")
    result = table.run("submit", "friday", *given)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: bad-bundle: 'alice.key.pub'")
    assert "friday-alice-0001-1: accepted" in result.stdout
    assert "friday-bob-0001-1: accepted" in result.stdout
    result = table.run("submit", "friday", "friday-alice-join.txt", "friday-bob-0001-1.txt")
    assert "'friday-alice-join.txt': a bundle of kind join: expected an order" in result.stderr
    told = table.fails(
        "bad-bundle", "start", "friday", "friday-alice-join.txt", "friday-bob-0001-1.txt"
    )
    assert "'friday-bob-0001-1.txt': a bundle of kind order: expected a join" in told
    assert result.stdout.endswith("all orders are in: adjudicator advance friday\n")
    table.ok("submit", "friday", "friday-alice-0001-1.txt", "friday-bob-0001-1.txt")
    assert table.run("submit", "friday", *given, "-o", "x.txt").exit_code == 2


def test_two_orders_of_one_revision(table: Table) -> None:
    """They come from two copies of one seat; the host's tool says what alice has signed."""
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
    """With the same players it says that the game has begun; with others it is refused."""
    out = table.ok("start", "friday", "friday-alice-join.txt", "friday-bob-join.txt")
    assert "the game has begun already" in out
    table.ok("keygen", "carol.key")
    table.ok("join", "friday-invite.txt", "--name", "carol", "--key", "carol.key")
    error = table.fails(
        "exists", "start", "friday", "friday-alice-join.txt", "friday-carol-join.txt"
    )
    assert "begun with alice, bob" in error
    table.fails("exists", "start", "friday", "friday-bob-join.txt", "friday-alice-join.txt")


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


def test_a_preset_is_a_set_of_options(table: Table) -> None:
    """An option that is given too overrides it; an unknown name is quoted, with the known ones."""
    invite = ("invite", "submarine-warfare", "--key", "host.key", "-o", "blitz")
    error = table.fails("bad-option", *invite, "--preset", "liev")
    assert "submarine-warfare has no preset 'liev'; it has live" in error
    assert not (table.root / "blitz").exists()
    table.ok(*invite, "--preset", "live", "--option", "reserve_time=1h")
    text = (table.root / "blitz/invite.toml").read_text()
    assert 'turn_time = "90s"' in text
    assert 'reserve_time = "1h"' in text


def test_a_token_is_told_with_whom_it_is_for(table: Table) -> None:
    """It has 32 hex digits, and each person gets another one."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "closed", "--reserved")
    tokens = set()
    for whom in ("Dora", "J. Doe"):
        token, _, rest = table.ok("token", "closed", whom).partition(": ")
        assert re.fullmatch("[0-9a-f]{32}", token)
        assert rest == f"a token, only for {whom}; they join with adjudicator join --token\n"
        tokens.add(token)
    assert len(tokens) == 2


def test_the_invite_by_files_quotes_the_page(table: Table) -> None:
    """Its link and digest, to be told to the players; a link without a digest is refused before."""
    given = ("invite", "sugar-dog", "--key", "host.key", "-o", "monday", "--page")
    assert "sha256=DIGEST" in table.fails("bad-option", *given, "https://example.org/page.html")
    assert not (table.root / "monday").exists()
    digest = "5d" * 32
    said = table.ok(*given, f"https://example.org/page.html#sha256={digest}")
    assert "open the page, and drop monday-invite.txt on it" in said
    assert f"  https://example.org/page.html\n    (page {digest})\n" in said
    kept = (table.root / "monday.host" / "page").read_text()
    assert kept.strip() == f"https://example.org/page.html#sha256={digest}"
