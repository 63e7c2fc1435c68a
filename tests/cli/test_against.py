"""`play GAME`: a whole game of one person against bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import person
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify

Table = Any

SILENT = b"start C4\n" + b"silent\n" * 300
GIVES_UP = b"start C4\nsilent\nsilent\nresign\n"


@pytest.fixture
def alone(tmp_path: Path, at_commands: Any) -> Table:
    return at_commands(tmp_path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, at_commands: Any) -> tuple[Path, str]:
    """A folder with a whole game in `kept`, and what was printed."""
    table = at_commands(tmp_path_factory.mktemp("whole"))
    words = ("play", "sugar-dog", "--seed", "07", "--keep", "kept")
    return table.root, table.ok(*words, given=SILENT)


def test_a_whole_game_at_once(whole: tuple[Path, str]) -> None:
    """News, boards, choices, both sides at the end, and the verdict."""
    root, said = whole
    assert said.startswith("Sugar Dog: you are alice, against bob (captain).")
    assert "Your submarine starts in C4." in said
    assert "As alice saw it at the end:" in said
    assert "As bob saw it at the end:" in said
    assert "A stranger verifies the record: true: bob won" in said
    assert said.endswith("kept: all files; kept/record is the host's record\n")
    assert verify(Record(root / "kept" / "record")).code == 0


def test_nobody_is_shown_what_the_rival_hides(whole: tuple[Path, str]) -> None:
    """Until the reveal, what is printed is the same wherever the rival is and whatever it holds."""
    before, _, after = whole[1].partition("the host reveals what was hidden")
    assert "bob: s " in after
    assert "bob: s " not in before


def test_the_same_seed_is_the_same_game(alone: Table) -> None:
    """And another seed is another."""
    first, again, other = (
        alone.ok("play", "sugar-dog", "--seed", seed, given=GIVES_UP) for seed in ("01", "01", "02")
    )
    assert first == again != other


def test_wrong_lines_are_asked_again(alone: Table) -> None:
    """The error says what was expected; such a line is not played. `?` lists all lines."""
    given = b"fire S\nstart Z9\n?\n\nstart C4; start C5\n" + GIVES_UP
    result = alone.run("play", "sugar-dog", "--seed", "07", given=given)
    assert result.exit_code == 0
    assert result.stderr.count("error: ") == 3
    assert "expected nothing but 'start CELL' in the setup" in result.stderr
    assert "start F6" in result.stdout
    assert "... and 12 more" in result.stdout
    assert "Write a line, ? for what may be written" in result.stdout
    rest = alone.ok("play", "sugar-dog", "--seed", "07", given=GIVES_UP)
    assert (
        result.stdout.partition("Your submarine starts")[2]
        == rest.partition("Your submarine starts")[2]
    )


@pytest.mark.parametrize("game", ["sugar-dog", "submarine-warfare", "silent-ships"])
def test_who_follows_the_hints_plays_to_the_end(
    game: str, alone: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The captain's orders, typed as they are shown, are taken every time."""
    hints = []
    advised = person.in_one_line

    def in_one_line(*given: Any) -> str:
        hints.append(advised(*given))
        return hints[-1]

    monkeypatch.setattr(person, "in_one_line", in_one_line)
    monkeypatch.setattr(person.click, "prompt", lambda *_, **__: hints.pop())
    said = alone.ok("play", game, "--seed", "03", "--bot", "random", "--hint")
    assert "A stranger verifies the record: true" in said


def test_several_rivals(alone: Table) -> None:
    """A seat for each bot that is named."""
    given = b"start A1\nresign\n" + b"silent\n" * 400
    said = alone.run("play", "sugar-dog", "--seed", "05", "--bot", "random", "--bot", "captain",
                     given=given).stdout  # fmt: skip
    assert "against bob (random), carol (captain)" in said
    assert "verifies the record: true" in said


def test_what_cannot_be_begun(alone: Table) -> None:
    """Unknown bots, a folder that exists already, options without a game."""
    assert "captain, mate, random" in alone.fails("bad-option", "play", "sugar-dog", "--bot", "hal")
    (alone.root / "kept").mkdir()
    alone.fails("exists", "play", "sugar-dog", "--keep", "kept")
    assert "seats 2 to" in alone.fails("bad-option", "play", "submarine-warfare",
                                       "--bot", "random", "--bot", "random")  # fmt: skip


def test_leaving_in_the_middle(alone: Table) -> None:
    """No traceback, and what was kept stays a record without an end."""
    result = alone.run("play", "sugar-dog", "--seed", "07", "--keep", "kept", given=b"start C4\n")
    assert result.exit_code == 1
    assert verify(Record(alone.root / "kept" / "record")).code == 4
