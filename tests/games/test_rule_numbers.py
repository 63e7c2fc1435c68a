"""A rule's number stands three times: on the rules page, in the code that does it, in its cases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games
from games.cases import find, read
from games.game import Game

INSTALLED = [games.load(name) for name in games.installed()]

game_by_id = pytest.mark.parametrize("game", INSTALLED, ids=[game.id for game in INSTALLED])


def numbers(game: Game) -> list[int]:
    """The rules on the page, as they come."""
    found = re.findall(r"^(?:\*\*)?([0-9]+)\.(?:\*\*)? ", games.rules_page(game), re.MULTILINE)
    return [int(number) for number in found]


def mentioned(game: Game) -> dict[str, set[int]]:
    """By source file of the game the rules that it cites, ranges included (`SW-9 to 11`)."""
    folder = games.own_cases(game).parent
    return {
        path.relative_to(folder).as_posix(): cited(game.prefix, path.read_text(encoding="utf-8"))
        for path in sorted([*folder.rglob("*.py"), *folder.glob("*.toml")])
    }


def cited(prefix: str, text: str) -> set[int]:
    found = set()
    for first, last in re.findall(rf"{prefix}-([0-9]+)(?: to (?:{prefix}-)?([0-9]+))?", text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


@game_by_id
def test_rules_count_from_one(game: Game) -> None:
    """Numbers are never left out, used twice or out of order."""
    rules = numbers(game)
    assert len(rules) > 10
    assert rules == list(range(1, len(rules) + 1))


@game_by_id
def test_every_rule_stands_in_the_code(game: Game) -> None:
    """Some line of the game's code or tables says which rule it does."""
    cites = set().union(*mentioned(game).values())
    assert set(numbers(game)) - cites == set()


@game_by_id
def test_code_cites_rules_that_there_are(game: Game) -> None:
    """No file cites a number that is not on the page."""
    known = set(numbers(game))
    unknown = {name: cites - known for name, cites in mentioned(game).items()}
    assert not {name: rules for name, rules in unknown.items() if rules}


@game_by_id
def test_every_rule_has_a_case(game: Game) -> None:
    """No case cites a number that is not on the page."""
    tested = {rule for path in find(games.own_cases(game)) for rule in read(path).rules}
    assert set(numbers(game)) == tested


@game_by_id
def test_case_ids_are_ids(game: Game) -> None:
    """Each is its file's name, begins with the game's prefix and a rule that it tests; unique."""
    cases = [read(path) for path in find(games.own_cases(game))]
    assert len({case.id for case in cases}) == len(cases) > 100
    for case in cases:
        assert case.path.stem == case.id
        parts = re.fullmatch(rf"{game.prefix}-([0-9]+)[a-z]{{1,2}}", case.id)
        assert parts is not None, case.id
        assert int(parts[1]) in case.rules, case.id
        assert case.data["game"] == game.id


@game_by_id
def test_prefixes_are_unlike(game: Game) -> None:
    """Two capital letters, each game its own."""
    assert re.fullmatch("[A-Z]{2}", game.prefix)
    assert [other.prefix for other in INSTALLED].count(game.prefix) == 1


@game_by_id
def test_the_game_is_one_folder(game: Game) -> None:
    """Rules page, code and cases lie together."""
    folder = games.own_cases(game).parent
    assert folder == Path(games.__file__).parent / game.id.replace("-", "_")
    assert (folder / "RULES.md").is_file()
