"""`invite --rematch RECORD`: the same game once more, with seats swapped."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from adjudicator.core.ledger import Ledger
from adjudicator.host import begin
from adjudicator.store.record import Record

Table = Any


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
