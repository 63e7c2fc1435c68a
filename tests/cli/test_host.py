"""The host's commands: `invite`, `start`, `rule`, and by files `take` and `sync`."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import ALICE

from adjudicator.cli import shared
from adjudicator.core.ledger import Ledger
from adjudicator.host import begin
from adjudicator.store.record import Record
from adjudicator.words import story

Table = Any


NO_RULING: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "no reason": ("", ("--end",)),
    "no ruling": ("x", ()),
    "no time": ("x", ("--until", "tomorrow")),
    "soon": ("x", ("--until", "soon")),
    "no entry": ("x", ("--annul", "x")),
    "the genesis": ("x", ("--annul", "0")),
    "two at once": ("x", ("--annul", "1", "--end")),
    "an end with a deadline": ("x", ("--end", "--until", "3d")),
    "a consent alone": ("x", ("--consent", "x.sig", "--end")),
    "a seat and an annulment": ("x", ("--seat", "x.txt", "--annul", "1")),
}


@pytest.mark.parametrize("call", NO_RULING)
def test_rulings_that_do_not_go_together(table: Table, call: str) -> None:
    """A wrong call, told before anything is asked or written."""
    reason, words = NO_RULING[call]
    given = ("--reason", reason) if reason else ()
    assert table.run("rule", "-y", "-g", "friday", *words, *given).exit_code == 2


@pytest.mark.parametrize("ruling", [("--end",), ("--annul", "1"), ("--until", "9d")])
def test_a_ruling_is_never_signed_unasked(
    table: Table, monkeypatch: pytest.MonkeyPatch, ruling: tuple[str, ...]
) -> None:
    """Without anybody to ask it is a wrong call that names what to add, and nothing is written."""
    table.step(alice="start C4", bob="start C1")
    rule = ("rule", "-g", "friday", *ruling, "--reason", "snow")
    told = table.run(*rule)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "Sign that? Nobody is here to answer: if it is meant, add -y [usage]" in told.stderr
    monkeypatch.setattr(shared, "is_terminal", lambda: True)
    refused = table.run(*rule, given=b"n\n")
    assert refused.exit_code == 1
    # Before 8.2 click echoes there what is typed.
    assert refused.stdout.strip() in ("", "n")
    assert Record(table.root / "friday").last_step() == 1
    assert table.run(*rule, given=b"y\n").exit_code == 0
    assert Record(table.root / "friday").last_step() >= 2


def test_what_a_ruling_may_not_say(table: Table) -> None:
    """A reason that entries do not hold, a time that is over, an entry that is none."""
    table.step(alice="start C4", bob="start C1")
    for reason in ("", "é", "\x1b[2J", "x" * 501):
        table.fails("malformed", "rule", "-y", "-g", "friday", "--end", "--reason", reason)
    table.fails("chain", "rule", "-y", "-g", "friday", "--annul", "7", "--reason", "x")
    for time in ("2020-01-01T00:00:00Z", "1s"):
        table.fails("clock", "rule", "-y", "-g", "friday", "--until", time, "--reason", "x")


def test_a_refused_output_leaves_no_half_act(table: Table) -> None:
    """`invite` whose bundle would replace something makes no record."""
    (table.root / "saturday-invite.txt").write_text("my notes\n")
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "saturday")
    assert not (table.root / "saturday").exists()
    assert not (table.root / "saturday.host").exists()


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
    assert "'friday-bob-0001-1.txt' holds orders: name a file with a join" in told
    assert result.stdout.endswith("all orders are in: adjudicator sync\n")
    table.ok("take", "friday-alice-0001-1.txt", "friday-bob-0001-1.txt", "-g", "friday")
    assert table.run("take", *given, "-g", "friday", "-o", "x.txt").exit_code == 2


def test_orders_that_come_again_are_answered_again(table: Table) -> None:
    """A process may end when the order is kept and its receipt is not written."""
    form = table.orders("alice", "start C4")
    sent = table.sent(table.ok("play", "--file", form, *ALICE))
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
    table.ok("play", "--file", form, *ALICE, "-o", "one.txt")
    form = table.orders("alice", "start D4")
    table.ok("play", "--file", form, "-g", "friday", "--seat", "copied.seat", "-o", "other.txt")
    table.ok("take", "one.txt", "-g", "friday")
    result = table.run("take", "other.txt", "-g", "friday")
    assert result.exit_code == 1
    assert "superseded" in result.stdout
    assert (table.root / "friday-alice-0001-1-receipt.txt").is_file()
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


def test_a_preset_is_a_set_of_options(table: Table) -> None:
    """An option that is given too overrides it; an unknown name is quoted, with the known ones."""
    invite = ("invite", "submarine-warfare", "--key", "host.key", "-o", "blitz")
    error = table.fails("bad-option", *invite, "--option", "liev")
    assert "and the presets live, published, club; did you mean 'live'" in error
    assert not (table.root / "blitz").exists()
    table.ok(*invite, "--option", "live", "--option", "reserve_time=1h")
    text = (table.root / "blitz/invite.toml").read_text()
    assert 'turn_time = "90s"' in text
    assert 'reserve_time = "1h"' in text
    same = ("invite", "submarine-warfare", "--key", "host.key", "-o", "same")
    table.ok(*same, "--option", "preset=live")
    assert 'turn_time = "90s"' in (table.root / "same/invite.toml").read_text()


@pytest.mark.parametrize(("given", "missed"), [((), "silent"), (("missed=resign",), "resign")])
def test_who_joins_sees_what_a_missed_deadline_does(
    table: Table, given: tuple[str, ...], missed: str
) -> None:
    """Whether the invite says so or not, and once."""
    options = [word for one in given for word in ("--option", one)]
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "late", *options)
    said = f"  missed = {missed}: what a missed deadline plays (SD-17)\n"
    join = ("join", "late-invite.txt", "--name", "alice", "--key", "alice.key")
    told = table.ok(*join)
    assert said in told
    assert told.count("missed = ") == 1


def test_a_game_that_knows_no_missed_deadline_says_nothing_of_one() -> None:
    """Only what its invite has."""
    offer: Any = SimpleNamespace(
        game=SimpleNamespace(options=()), invite=SimpleNamespace(options={"turn_time": "3d"})
    )
    assert list(story.of_invite(offer)) == ["turn_time = 3d"]


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


# `invite --rematch RECORD`: the same game once more, with seats swapped.


def offered(table: Table, name: str) -> dict[str, Any]:
    """What an invite of that record says."""
    return tomllib.loads((table.root / name / "invite.toml").read_text())


def again(table: Table) -> str:
    return table.ok("invite", "--rematch", "friday", "--key", "host.key", "-o", "sunday")


def test_the_same_game_is_offered_with_the_other_first(finished: Table) -> None:
    """Rules, options and clocks as they were; who went first goes second; seats are told."""
    out = again(finished)
    assert out.endswith(
        "seats swapped: adjudicator start sunday-bob-join.txt sunday-alice-join.txt, "
        "in this order\n"
    )
    old, new = offered(finished, "friday"), offered(finished, "sunday")
    assert new["rules"] == old["rules"]
    assert new["options"] == {**old["options"], "first": "bob"}
    assert new["master"] != old["master"]
    finished.ok("verify", "friday")
    assert again(finished).startswith("sunday: offered before, and not begun; it goes on\n")
    assert offered(finished, "sunday") == new


def test_who_moved_first_is_looked_up_where_it_was_drawn(tmp_path: Path, at_commands: Any) -> None:
    """A game whose first player was drawn gives the other the first move; a house table stays."""
    table = at_commands(tmp_path)
    text = table.ok("rules", "submarine-warfare", "--table").replace("range = 3", "range = 4")
    (tmp_path / "own.toml").write_text(text)
    for name in ("host", "alice", "bob"):
        table.key(f"{name}.key")
    table.ok("invite", "submarine-warfare", "--key", "host.key", "-o", "friday",
             "--table", "own.toml", "--option", "row_one=bob")  # fmt: skip
    for name in ("alice", "bob"):
        table.ok("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
    table.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    terms, seats = begin.rematch(Ledger.read(Record(tmp_path / "friday")))
    assert seats == ("bob", "alice")
    assert terms.options["row_one"] == "alice"
    assert "first" not in terms.options  # nobody has moved yet
    specials = ("torpedo", "mine", "heal", "sonar", "nullify")
    for name, row, letters in (("alice", 7, "abcde"), ("bob", 1, "vwxyz")):
        places = zip(letters, "ABCDE", specials, strict=True)
        lines = [f"{letter} {column}{row} {special}" for letter, column, special in places]
        assert table.order(name, "\n".join(lines)).exit_code == 0
    table.ok("sync", "-g", "friday")
    ledger = Ledger.read(Record(tmp_path / "friday"))
    (first,) = ledger.last.entry.awaited
    terms, _ = begin.rematch(ledger)
    assert terms.options["first"] == {"alice": "bob", "bob": "alice"}[first]
    assert again(table)
    new, old = (offered(table, name) for name in ("sunday", "friday"))
    assert new["table"] == old["table"]


def test_what_is_no_rematch_is_refused(table: Table) -> None:
    """A game and a record at once, neither of them, options, and a game that has not begun."""
    usual = ("--key", "host.key", "-o", "sunday")
    for wrong in ((), ("sugar-dog", "--rematch", "friday")):
        assert (
            "name a GAME, or a record with --rematch" in table.run("invite", *wrong, *usual).stderr
        )
    options = ("--rematch", "friday", "--option", "first=bob")
    assert "of its record" in table.run("invite", *options, *usual).stderr
    table.fails("missing", "invite", "--rematch", "nowhere", *usual)
    assert not (table.root / "sunday").exists()
