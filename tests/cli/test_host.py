"""The host's commands: `invite`, `start`, `rule`, and by files `take` and `sync`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

Table = Any


def test_submit_exits_1_where_it_does_not_accept(table: Table) -> None:
    """With the receipt written all the same."""
    first = table.ok(
        "play", "--file", table.orders("alice", "start C4"), "-g", "friday", "--seat", "alice.seat"
    )
    assert table.order("alice", "start D4").exit_code == 0
    late = table.run("take", table.sent(first), "-g", "friday")
    assert late.exit_code == 1
    assert "superseded" in late.stdout
    assert (table.root / "friday-alice-0001-1-receipt.txt").is_file()


def test_advance_waits(table: Table) -> None:
    """It waits for awaited players, and says for whom and until when."""
    assert "Waiting for alice until" in table.ok("sync", "-g", "friday")
    assert "Waiting for alice until" in table.ok("sync", "-g", "friday", "--late")


def test_rule(table: Table) -> None:
    """A deadline moved, entries annulled, a game ended; refused where it may not be."""
    table.fails("chain", "rule", "-g", "friday", "--annul", "1", "--reason", "x")
    table.step(alice="start C4", bob="start C1")
    for arguments in (
        ("--reason", "none"),
        ("--until", "tomorrow", "--reason", "x"),
        ("--annul", "x", "--reason", "x"),
        ("--end",),
    ):
        assert table.run("rule", "-g", "friday", *arguments).exit_code == 2, arguments
    for reason in ("", "é", "\x1b[2J", "x" * 501):
        table.fails("malformed", "rule", "-g", "friday", "--end", "--reason", reason)
    table.fails("chain", "rule", "-g", "friday", "--annul", "7", "--reason", "x")
    for time in ("2020-01-01T00:00:00Z", "1s"):
        table.fails("clock", "rule", "-g", "friday", "--until", time, "--reason", "x")
    out = table.ok("rule", "-g", "friday", "--until", "4d", "--reason", "snow")
    assert "ruling: snow" in out
    out = table.ok("rule", "-g", "friday", "--annul", "1", "--reason", "again")
    assert "no longer counts: entry 1, 2" in out
    table.fails("chain", "rule", "-g", "friday", "--annul", "1", "--reason", "twice")
    out = table.ok("rule", "-g", "friday", "--annul", "3", "--reason", "I was wrong")
    assert "no longer counts: entry 3" in out
    assert "counts again: entry 1, 2" in out
    table.ok("rule", "-g", "friday", "--end", "--reason", "no time")
    verified = table.run("verify", "friday")
    assert verified.exit_code == 3
    assert verified.stdout.endswith("TRUE, BUT LOOK (3): the game was abandoned.\n")
    assert verified.stdout.count("\n  ! ") == 3


def test_a_refused_output_leaves_no_half_act(table: Table) -> None:
    """`invite` whose bundle would replace something makes no record."""
    (table.root / "saturday-invite.txt").write_text("my notes\n")
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "saturday")
    assert not (table.root / "saturday").exists()
    assert not (table.root / "saturday.host").exists()


def test_a_deadline_in_days(table: Table) -> None:
    """`--until 9d` is taken, and the ruling says what came of it."""
    out = table.ok("rule", "-g", "friday", "--until", "9d", "--reason", "holidays")
    assert out.count("'s setup, until ") == 2
    assert table.run("rule", "-g", "friday", "--until", "soon", "--reason", "x").exit_code == 2


def test_submit_takes_many(table: Table) -> None:
    """Every bundle is answered; a bad one is told and stops no other."""
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        table.ok(
            "play", "--file", table.orders(name, line), "-g", "friday", "--seat", f"{name}.seat"
        )
    given = ("friday-alice-0001-1.txt", "alice.key.pub", "friday-bob-0001-1.txt")
    result = table.run("take", *given, "-g", "friday")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: 'alice.key.pub'")
    assert "alice: taken" in result.stdout
    assert "bob: taken" in result.stdout
    told = table.fails(
        "bad-bundle", "start", "friday-alice-join.txt", "friday-bob-0001-1.txt", "-g", "friday"
    )
    assert "'friday-bob-0001-1.txt': a bundle of kind order: expected a join" in told
    assert result.stdout.endswith("all orders are in: adjudicator sync\n")
    table.ok("take", "friday-alice-0001-1.txt", "friday-bob-0001-1.txt", "-g", "friday")
    assert table.run("take", *given, "-g", "friday", "-o", "x.txt").exit_code == 2


def test_orders_that_come_again_are_answered_again(table: Table) -> None:
    """A process may end when the order is kept and its receipt is not written."""
    form = table.orders("alice", "start C4")
    sent = table.sent(table.ok("play", "--file", form, "-g", "friday", "--seat", "alice.seat"))
    data = (table.root / sent).read_bytes()
    told = table.ok("sync", "-g", "friday")
    receipt = table.root / "friday-alice-0001-1-receipt.txt"
    assert "alice: taken" in told
    assert receipt.exists()
    first = receipt.read_bytes()
    receipt.unlink()
    (table.root / sent).write_bytes(data)
    table.ok("sync", "-g", "friday")
    assert receipt.read_bytes() == first


def test_two_orders_of_one_revision(table: Table) -> None:
    """They come from two copies of one seat; the host's tool says what alice has signed."""
    shutil.copytree(
        table.root / "alice.seat", table.root / "copied.seat", copy_function=shutil.copy2
    )
    (table.root / "copied.seat").chmod(0o700)
    form = table.orders("alice", "start C4")
    table.ok("play", "--file", form, "-g", "friday", "--seat", "alice.seat", "-o", "one.txt")
    form = table.orders("alice", "start D4")
    table.ok("play", "--file", form, "-g", "friday", "--seat", "copied.seat", "-o", "other.txt")
    table.ok("take", "one.txt", "-g", "friday")
    result = table.run("take", "other.txt", "-g", "friday")
    assert result.exit_code == 1
    assert "superseded" in result.stdout
    assert "alice has signed two different orders as step 1, revision 1" in result.stderr


def test_start_after_the_game_began(table: Table) -> None:
    """With the same players it says that the game has begun; with others it is refused."""
    out = table.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    assert "the game has begun already" in out
    table.key("carol.key")
    table.ok("join", "friday-invite.txt", "--name", "carol", "--key", "carol.key")
    error = table.fails(
        "exists", "start", "friday-alice-join.txt", "friday-carol-join.txt", "-g", "friday"
    )
    assert "begun with alice, bob" in error
    table.fails("exists", "start", "friday-bob-join.txt", "friday-alice-join.txt", "-g", "friday")


def test_rulings_that_do_not_go_together(table: Table) -> None:
    """A wrong call, told before anything is asked or written."""
    for arguments in (
        ("--annul", "1", "--abandon"),
        ("--abandon", "--until", "3d"),
        ("--consent", "x.sig", "--abandon"),
        ("--seat", "x.txt", "--annul", "1"),
    ):
        result = table.run("rule", "-g", "friday", *arguments, "--reason", "x")
        assert result.exit_code == 2, arguments


def test_a_preset_is_a_set_of_options(table: Table) -> None:
    """An option that is given too overrides it; an unknown name is quoted, with the known ones."""
    invite = ("invite", "submarine-warfare", "--key", "host.key", "-o", "blitz")
    error = table.fails("bad-option", *invite, "--option", "liev")
    assert "and the presets live, balanced, club; did you mean 'live'" in error
    assert not (table.root / "blitz").exists()
    table.ok(*invite, "--option", "live", "--option", "reserve_time=1h")
    text = (table.root / "blitz/invite.toml").read_text()
    assert 'turn_time = "90s"' in text
    assert 'reserve_time = "1h"' in text


def test_a_token_is_told_with_whom_it_is_for(table: Table) -> None:
    """It has 32 hex digits, and each person gets another one."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "closed", "--reserved")
    tokens = set()
    for whom in ("Dora", "J. Doe"):
        token, _, rest = table.ok("invite", "--more", whom, "-g", "closed").partition(": ")
        assert re.fullmatch("[0-9a-f]{32}", token)
        plain = whom.lower().replace(". ", "-")
        told = f"closed-invite-{plain}.txt is an invite with it"
        assert rest == f"a token, only for {whom}; {told}\n"
        tokens.add(token)
    assert len(tokens) == 2


def test_the_invite_by_files_quotes_the_page(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its link and digest, to be told to the players; a link without a digest is refused before."""
    given = ("invite", "sugar-dog", "--key", "host.key", "-o", "monday")
    monkeypatch.setenv("ADJUDICATOR_PAGE", "https://example.org/page.html")
    assert "sha256=DIGEST" in table.fails("bad-option", *given)
    assert not (table.root / "monday").exists()
    digest = "5d" * 32
    monkeypatch.setenv("ADJUDICATOR_PAGE", f"https://example.org/page.html#sha256={digest}")
    said = table.ok(*given)
    assert "open the page, and drop monday-invite.txt on it" in said
    assert (
        "    https://example.org/page.html\n\n  Its digest, as sha256sum page.html prints" in said
    )
    assert f"    {digest}\n" in said
    kept = (table.root / "monday.host" / "page").read_text()
    assert kept.strip() == f"https://example.org/page.html#sha256={digest}"


@pytest.mark.parametrize("way", ["take", "sync"])
def test_letters_come_by_files(table: Table, way: str) -> None:
    """Messages too: each is taken once, and what is passed on lies there for its reader."""
    mine = ("-g", "friday", "--seat", "alice.seat", "--key", "alice.key")
    for words in (("say", "Hello!", "--to", "host"), ("away", "2027-01-01", "2027-01-03")):
        said = table.ok(*words, *mine)
        (name,) = re.findall(r"friday-alice-letter-\d{4}\.txt", said)
        told = table.ok(way, *((name,) if way == "take" else ()), "-g", "friday")
        assert "alice: a letter, taken\n" in told
    assert len([*(table.root / "friday.host" / "press").glob("alice-*.txt")]) == 1
    assert len([*(table.root / "friday.host" / "notices").glob("alice-*.txt")]) == 1


def test_a_refused_invite_leaves_nothing(at_commands: Any, tmp_path: Path) -> None:
    """Not even a key; and a key that an earlier command left there is used, and told."""
    alone = at_commands(tmp_path)
    for options in (("zone=+01:00",), ("rest=mon,tue,wed,thu,fri,sat,sun",), ("rest=sunday",),
                    ("turn_time=999999d",)):  # fmt: skip
        alone.fails("bad-option", "invite", "sugar-dog", "-y",
                    *(word for one in options for word in ("--option", one)))  # fmt: skip
        assert [*tmp_path.iterdir()] == []
    made = alone.ok("invite", "sugar-dog", "-y")
    print_of = next(line.strip() for line in made.splitlines() if "SHA256:" in line)
    for folder in ("sugar-dog", "sugar-dog.host"):
        shutil.rmtree(tmp_path / folder)
    (tmp_path / "sugar-dog-invite.txt").unlink()
    assert f"sugar-dog.key: the key that you sign with, {print_of}" in alone.ok(
        "invite", "sugar-dog", "-y"
    )
