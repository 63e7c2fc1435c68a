"""Every rule case of every installed game holds, and a case that does not hold is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import games
from games.cases import BadCase, find, read, run
from games.game import After, Outcome

DOG = games.load("sugar-dog")
PATHS = [path for name in games.installed() for path in find(games.own_cases(games.load(name)))]


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_the_case_holds(path: Path) -> None:
    """What the case says came about, in full."""
    assert run(read(path)).faults == ()


CASE = """\
case = "SD-5x"
title = "A mine is laid"
rule = [5]
game = "sugar-dog"
players = ["alice", "bob"]

[position]
turn = "alice"
alice = { sub = "C4" }
bob = { sub = "F1" }

[[step]]
orders = { alice = "mine" }
events = [{ for = "alice", kind = "laid", at = "C4", left = 2 }]
after = { alice = { mines = ["C4"], left = 2 } }
sees = { bob = { bob = { sub = "F1" } } }
hidden = { bob = ["C4"] }
awaited = ["bob"]
"""


def told(tmp_path: Path, text: str) -> tuple[str, ...]:
    """The faults of a case that is written so."""
    path = tmp_path / "SD-5x.toml"
    path.write_text(text)
    return run(read(path)).faults


def faults(tmp_path: Path, one: str = "", other: str = "") -> tuple[str, ...]:
    """The faults of the case above with something else in it."""
    assert one in CASE
    return told(tmp_path, CASE.replace(one, other) if one else CASE)


def test_the_case_as_it_stands_holds(tmp_path: Path) -> None:
    """So each change below is the reason for its failure."""
    assert faults(tmp_path) == ()


def test_what_somebody_is_awaited_for_can_be_said(tmp_path: Path) -> None:
    """In place of a list of names."""
    assert faults(tmp_path, 'awaited = ["bob"]', 'awaited = { bob = "turn" }') == ()


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ('at = "C4", left', 'at = "C5", left', "events"),
        ("left = 2 }]", "left = 1 }]", "events"),
        ('kind = "laid"', 'kind = "lost"', "events"),
        ('for = "alice", kind', 'for = "*", kind', "events"),
        ("events = [", 'events = [{ for = "*", kind = "ping" }, ', "events"),
        ('mines = ["C4"]', "mines = []", "after.alice.mines"),
        ("left = 2 } }", "left = 3 } }", "after.alice.left"),
        ("left = 2 } }", "lift = 2 } }", "is not there"),
        ('bob = { bob = { sub = "F1" }', 'bob = { alice = { sub = "C4" }', "sees.bob.alice"),
        ('hidden = { bob = ["C4"] }', 'hidden = { alice = ["C4"] }', "hidden.alice"),
        ('awaited = ["bob"]', 'awaited = ["alice"]', "awaited"),
        ('awaited = ["bob"]', 'awaited = { bob = "setup" }', "awaited"),
        ('awaited = ["bob"]', 'awaited = { bob = "turn", alice = "turn" }', "awaited"),
        ('awaited = ["bob"]', "awaited = {}", "awaited"),
        ('orders = { alice = "mine" }', 'orders = { alice = "mind" }', "malformed"),
        ('orders = { alice = "mine" }', 'orders = { bob = "mine" }', "illegal"),
        ("awaited", 'refused = { alice = "illegal" }\nawaited', "was taken"),
        ('awaited = ["bob"]', 'awaited = ["bob"]\n[outcome]\nwinner = "alice"', "outcome"),
        ("awaited", 'legal = { alice = ["mine"] }\nawaited', "legal.alice"),
        ("awaited", 'legal = { bob = ["silent"] }\nawaited', "legal.bob"),
        ("awaited", 'legal = { alice = { "mine" = ["ping"] } }\nawaited', "legal.alice.'mine'"),
        ("awaited", 'legal = { alice = { "mind" = ["draw"] } }\nawaited', "was not offered"),
        ("sees = { bob", 'sees = { "*" = { n = 1 }, bob', "sees.*.n"),
        ('awaited = ["bob"]', 'awaited = ["bob"]\n[[bad_position]]\nnames = "n"', "was taken"),
        (
            'awaited = ["bob"]',
            'awaited = ["bob"]\n[[bad_position]]\nnames = "turn"\nput = { n = 0 }',
            "names key 'turn', came",
        ),
        (
            'awaited = ["bob"]',
            'awaited = ["bob"]\n[[bad_options]]\nnames = "first"\nput = { first = "bob" }',
            "was taken",
        ),
        (
            'awaited = ["bob"]',
            'awaited = ["bob"]\n[[bad_options]]\nnames = "missed"\nput = { first = "carol" }',
            "names option missed, came",
        ),
    ],
)  # fmt: skip
def test_a_case_that_does_not_hold_is_found(
    tmp_path: Path, one: str, other: str, said: str
) -> None:
    """Each part of a case is compared: where one is changed, the fault names it."""
    found = faults(tmp_path, one, other)
    assert found
    assert said in "\n".join(found)


ENDING = """\
case = "SD-5x"
title = "A submarine is sunk, and the other wins"
rule = [15]
game = "sugar-dog"
players = ["alice", "bob"]

[position]
turn = "alice"
alice = { sub = "A1" }
bob = { sub = "A2" }

[[step]]
orders = { alice = "fire N" }

[outcome]
winner = "alice"
"""


def test_the_game_s_end_as_it_is_holds(tmp_path: Path) -> None:
    """The winner, the event and who is awaited agree."""
    assert told(tmp_path, ENDING) == ()


@pytest.mark.parametrize(
    "outcome",
    [
        'winner = "bob"', "draw = true", 'winner = "alice"\ndraw = true', "", 'how = "sunk"',
        'winner = "alice"\nhow = "sunk"', 'winner = "alice"\nturn = 3',
    ],
)  # fmt: skip
def test_an_outcome_fits_exactly(tmp_path: Path, outcome: str) -> None:
    """Another winner, a draw, a key too many or too few."""
    (fault,) = told(tmp_path, ENDING.replace('winner = "alice"', outcome))
    assert fault.startswith("outcome: ")


@pytest.mark.parametrize("won", [None, "bob"])
def test_a_game_that_names_the_wrong_winner_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, won: str | None
) -> None:
    """Even by a case that says nothing of the outcome: the event `over` tells another."""
    monkeypatch.setattr(type(DOG), "outcome", lambda game, state: Outcome(won))
    found = told(tmp_path, ENDING[: ENDING.index("[outcome]")])
    assert "while the events 'over' tell" in "\n".join(found)


def forgets(key: str) -> Callable[..., dict[str, Any]]:
    """A notation in which nothing stands at that key of a whole position."""
    whole = DOG.position

    def position(game: Any, state: Any) -> dict[str, Any]:
        seen = any(fleet.hidden for fleet in state.fleets.values())
        return {name: value for name, value in whole(state).items() if seen or name != key}

    return position


@pytest.mark.parametrize(
    ("act", "instead", "said"),
    [
        ("outcome", lambda game, state: Outcome("alice"), "are awaited"),
        ("outcome", lambda game, state: Outcome("alice"), "tell []"),
        ("position", forgets("n"), "is another when it is read"),
        ("position", forgets("turn"), "is refused when it is read"),
        ("public", lambda game, view: {"n": 3}, "public: alice sees"),
        ("after", lambda game, view, lines: After((), complete=not lines), "complete is False"),
    ],
)
def test_a_game_that_breaks_a_promise_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, instead: Any, said: str
) -> None:
    """Whatever a case asserts: an outcome while somebody is awaited, a notation that forgets or
    refuses its own, another public part, complete lines that are refused."""
    monkeypatch.setattr(type(DOG), act, instead)
    legal = 'legal = { alice = { "mine" = [] } }\n' if act == "after" else ""
    assert said in "\n".join(faults(tmp_path, "awaited", f"{legal}awaited"))


def test_a_case_without_a_position_is_played_from_the_start(tmp_path: Path) -> None:
    """As every game is."""
    start = CASE.index("[position]")
    awaited = 'awaited = { alice = "setup", bob = "setup" }\n'
    refused = 'orders = { alice = "start A0" }\nrefused = { alice = "malformed" }\n'
    assert told(tmp_path, f"{CASE[:start]}[[step]]\n{refused}{awaited}") == ()


def test_a_house_table_may_be_a_file_from_the_case_s_folder(tmp_path: Path) -> None:
    """Its text counts as if it stood in the case."""
    text = games.load("submarine-warfare").default_table
    (tmp_path / "own.toml").write_bytes(text.replace(b"[heal", b"[mend"))
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "SW-5x.toml"
    path.write_text(
        'case = "SW-5x"\ntitle = "x"\nrule = [5]\ngame = "submarine-warfare"\n'
        'players = ["alice", "bob"]\ntable = "../own.toml"\n'
        '[position]\nturn = "alice"\nalice = { subs = ["a A1 5 up mend"] }\n'
        'bob = { subs = ["v G7 5 up mine"] }\n'
        '[[bad_table]]\nnames = "Mend"\nreplace = "[mend]"\nput = "[Mend]"\n',
        encoding="utf-8",
    )
    assert not run(read(path)).faults


def test_a_refusal_leaves_who_is_awaited(tmp_path: Path) -> None:
    """Compared too where nothing is adjudicated, and for what."""
    refused = 'orders = { alice = "mind" }\nrefused = { alice = "malformed" }\n'
    begins = CASE.partition("orders")[0] + refused
    (fault,) = told(tmp_path, begins + 'awaited = { alice = "setup" }')
    assert fault.startswith("step 1: awaited")
    assert told(tmp_path, begins + 'awaited = { alice = "turn" }') == ()


END = 'awaited = ["bob"]'
HOSTILE = [
    ('game = "sugar-dog"', 'game = "sugar-cat"', "SD-5x"),
    ('title = "A mine is laid"', "title = 1", "SD-5x"),
    ("rule = [5]", "rule = []", "SD-5x"),
    ('players = ["alice", "bob"]', 'players = ["alice"]', "SD-5x"),
    ('turn = "alice"', 'turn = "carol"', "SD-5x"),
    ("awaited", "awaitet", "SD-5x"),
    ("[position]", "[positions]", "SD-5x"),
    ("[[step]]", "[step]", "SD-5x"),
    ('case = "SD-5x"', "case =", "SD-5x"),
    ("[[step]]", "step = [1]\n[unused]", "SD-5x"),
    ('orders = { alice = "mine" }', 'orders = { carol = "mine" }', "SD-5x"),
    ('hidden = { bob = ["C4"] }', 'hidden = { carol = ["C4"] }', "SD-5x"),
    ('hidden = { bob = ["C4"] }', 'hidden = { "*" = ["C4"] }', "SD-5x"),
    ("awaited", 'refused = { bob = "illegal" }\nawaited', "SD-5x"),
    (END, f'{END}\n[[bad_position]]\nput = {{ n = 0 }}', "SD-5x"),
    (END, f'{END}\n[[bad_position]]\nnames = "n"\nwithout = ["n"]', "SD-5x"),
    (END, f'{END}\n[[bad_table]]\nnames = "x"\nreplace = "x"\nput = "y"', "SD-5x"),
    (END, f'{END}\n[[bad_position]]\nnames = "n"\nputs = {{ n = 0 }}', "SD-5x"),
    (END, f'{END}\n[[bad_options]]\nnames = "first"\nwithout = ["first"]', "SD-5x"),
    ('case = "SD-5x"', r'case = "SD-5x\u001b[2J"', "key 'case'"),
    ('title = "A mine is laid"', r'title = "A\nmine"', "key 'title'"),
    ("rule = [5]", 'rule = ["5"]', "key 'rule' = '5': expected a whole number"),
    ('players = ["alice", "bob"]', "players = [1, 2]", "= 1: expected a string"),
    ('players = ["alice", "bob"]', 'players = ["bob", "bob"]', "'bob' stands twice"),
    ('players = ["alice", "bob"]', 'players = ["alice", "Bob"]', "did you mean 'bob'"),
    ('game = "sugar-dog"', 'game = "sugar-dog"\nseed = 5', "key 'seed' = 5: expected a string"),
    ('game = "sugar-dog"', 'game = "sugar-dog"\noptions = []', "key 'options' = []"),
    ('game = "sugar-dog"', 'game = "sugar-dog"\ntable = 1', "key 'table' = 1"),
    ('game = "sugar-dog"', 'game = "sugar-dog"\ntable = "none.toml"', "key 'table': [Errno 2]"),
    ("[position]", "[[position]]", "key 'position'"),
    ('orders = { alice = "mine" }', "orders = { alice = 1 }", "step 1: key 'orders'"),
    ('orders = { alice = "mine" }', 'orders = "mine"', "expected a table of strings"),
    ("events = [{ for", "events = [1, { for", "'events' = 1: expected a table"),
    ("events = [{ for", 'hears = { bob = "x" }\nevents = [{ for', "'x': expected a list of tables"),
    ("awaited", "legal = { alice = 1 }\nawaited", "key 'legal'"),
    ("awaited", "refused = 1\nawaited", "key 'refused'"),
    ("awaited", 'refused_line = { alice = "1" }\nawaited', "'refused_line' = '1'"),
    (END, "awaited = 1", "expected a list of strings or a table of strings"),
    ('hidden = { bob = ["C4"] }', "hidden = { bob = [4] }", "key 'hidden'"),
    ("after = { alice =", "after = 1\nsees_ = { alice =", "unknown"),
    (END, f"{END}\n[[outcome]]", "key 'outcome' = [{}]: expected a table"),
    (END, f'{END}\n[[bad_table]]\nnames = "x"', "key 'replace' is missing"),
    (END, f'{END}\n[[bad_options]]\nnames = "x"\nput = 1', "key 'put' = 1"),
    (END, '[[step]]\norders = { bob = "resign" }\n[[step]]\n', "the game is over"),
    ('turn = "alice"', f'turn = "alice"\nn = {2**53 - 1}', "cannot be played on"),
]  # fmt: skip
"""What a case may hold in place of what it should, and words of the refusal."""


@pytest.mark.parametrize(("one", "other", "said"), HOSTILE)
def test_what_is_no_case_is_refused(tmp_path: Path, one: str, other: str, said: str) -> None:
    """A case that cannot be played fails as such, naming its file: whatever stands there, the
    runner goes on to the next one."""
    with pytest.raises(BadCase, match="SD-5x") as caught:
        faults(tmp_path, one, other)
    assert said in str(caught.value)


def test_a_date_is_compared_and_told(tmp_path: Path) -> None:
    """TOML has dates, and no game has."""
    found = faults(tmp_path, "left = 2 } }", "left = 2020-01-01 } }")
    assert "after.alice.left: expected" in "\n".join(found)


def test_a_line_before_that_is_refused_is_a_fault(tmp_path: Path) -> None:
    """For a line that was not offered `after` may raise what `read` would raise."""
    found = told(
        tmp_path,
        'case = "SD-5x"\ntitle = "x"\nrule = [4]\ngame = "submarine-warfare"\n'
        'players = ["alice", "bob"]\n[[step]]\nlegal.alice = { "dive" = [] }\n',
    )
    assert any("legal.alice: line 1: 'dive'" in fault for fault in found)
