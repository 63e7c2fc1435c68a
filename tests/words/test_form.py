"""Order forms: what stands above the cut, and that the form comes back as orders."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from adjudicator.words.form import _choices, columns, template
from orders.errors import Refused
from orders.order_file import cut, read_typed

Table = Any


def test_a_form_holds_what_its_player_needs(table: Table) -> None:
    """The news, the board and every first line, all as remarks; then the step, to be filled in."""
    table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"})
    seated = table.seated("bob")
    form = template(seated)
    above, below = form.split(cut(seated.opening.id, 3, "bob"))
    assert all(line.startswith("#") for line in above.strip("\n").split("\n"))
    told = seated.report()
    game = seated.opening.game
    assert [f"#   {game.news(event)}" in above for event in told.events] == [True] * len(
        told.events
    )
    board = "\n".join(f"# {line}".rstrip() for line in game.draw(told.view).splitlines())
    assert board in above
    for line in game.legal(told.view):
        assert f" {line}" in above
    assert below == "\n"


def test_a_form_that_is_filled_in_is_read(table: Table) -> None:
    """As it stands it holds no orders; with a line below it holds that one."""
    seated = table.seated("alice")
    form = template(seated)
    game, player = seated.opening, "alice"
    assert "# There is nothing that you may write now" not in form
    assert read_typed(form.encode(), game.id, 1, player).file.orders == ()
    filled = f"{form}start C4"
    assert table.seated("alice").read(filled.encode()).orders == ("start C4",)
    with pytest.raises(Refused):
        table.seated("bob").read(filled.encode())


def test_who_is_not_awaited_is_told_so(table: Table) -> None:
    """There is no line to choose from."""
    table.play({"alice": "start C4", "bob": "start C1"})
    form = template(table.seated("bob"))
    assert "# There is nothing that you may write now: others are awaited." in form
    assert "# Your first line can be one of these:" not in form


def test_a_form_needs_the_report(table: Table) -> None:
    """Without it nothing of the board is known; the missing file is named."""
    table.play({"alice": "start C4", "bob": "start C1"})
    (table.copies["bob"].root / "reports" / "0001-bob.sealed").unlink()
    with pytest.raises(Refused, match=r"reports/0001-bob\.sealed is not there"):
        template(table.seated("bob"))


lines = st.lists(st.from_regex(r"[a-z]{1,30}", fullmatch=True), unique=True, max_size=40)


@settings(max_examples=30)
@given(lines)
def test_columns_hold_every_line_once_and_in_order(texts: list[str]) -> None:
    """Read down, then across; none is wider than the page, where a line fits into it."""
    rows = columns(texts)
    assert sorted(word for row in rows for word in row.split()) == sorted(texts)
    assert all(len(row) <= 74 and row == row.rstrip() for row in rows)
    cells = [row.split() for row in rows]
    across = max(map(len, cells), default=0)
    down = [row[at] for at in range(across) for row in cells if at < len(row)]
    assert down == texts


def test_columns_are_few_where_lines_are_long() -> None:
    """At most six; a line that is wider than the page stands alone."""
    assert columns(["a", "b", "c", "d", "e", "f", "g"]) == ["a   c   e   g", "b   d   f"]
    assert columns(["x" * 100, "y"]) == ["x" * 100, "y"]
    assert columns([]) == []
    assert len(columns(list("abcdef"))) == 1


@pytest.mark.parametrize(
    ("name", "position", "said"),
    [
        ("sugar-dog", {"setup": True}, ["Your first line can be one of these:"]),
        (
            "silent-ships",
            {"turn": "alice", "alice": {"hand": ["frigate"]}},
            [
                "Your first line can be one of these, and more may follow it:",
                "A line may also be `standing retreat ...`, `standing support ...`, "
                "`standing discard ...`.",
            ],
        ),
    ],
)
def test_the_list_of_lines_does_not_look_like_all_there_is(
    name: str, position: dict[str, Any], said: list[str]
) -> None:
    """Where further lines may follow it says so, and what may stand beside the lines."""
    game = games.load(name)
    state = game.state(game.setup(("alice", "bob"), {}), position)
    listed = _choices(game, game.view(state, "alice"))
    assert [line for line in listed if not line.startswith("  ")] == said
