"""What `adjudicator` shows to others: its docstring runs, and importing it costs nothing."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import adjudicator
from orders.keys import write_key
from orders.secrets import derive

ROOT = Path(__file__).parents[1]


def test_the_bot_in_the_docstring_plays(table: Any) -> None:
    """Ten lines, run as they stand, over a player's own copy and seat."""
    seat = table.root / "alice" / "alice.seat"
    key = table.root / "alice.key"
    write_key(key, "alice", derive(table.seed, "key/alice"))
    values = (seat / "seat.toml").read_text()
    (seat / "seat.toml").write_text(re.sub(r'key = "[^"]*"', f'key = "{key}"', values))
    names = {"record": str(table.copies["alice"].root), "seat": str(seat)}
    test = doctest.DocTestParser().get_doctest(
        adjudicator.__doc__ or "", names, "adjudicator", None, None
    )
    assert len(test.examples) == 7
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0


def test_every_name_that_is_promised_is_there() -> None:
    """A wrong name is refused, with the names that there are."""
    for name in adjudicator.__all__:
        assert getattr(adjudicator, name) is not None
    with pytest.raises(AttributeError, match=r"it has .*Ledger"):
        adjudicator.Legder  # noqa: B018 - asking is the test


def test_importing_it_loads_nothing_else() -> None:
    """A tool that asks for the version alone does not wait for cryptography."""
    code = "import sys, adjudicator; print(adjudicator.__version__, len(sys.modules))"
    code += "; assert not {'orders', 'games', 'cryptography', 'click'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30, capture_output=True)


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "examples").glob("*.py")), ids=str)
def test_examples_use_the_public_face(path: Path) -> None:
    """Whatever else they imported could move."""
    found = re.findall(r"^(?:from|import) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ours = {one for one in found if one.split(".")[0] in ("adjudicator", "orders", "games")}
    assert ours <= {"adjudicator", "games", "games.dice", "games.game"}
