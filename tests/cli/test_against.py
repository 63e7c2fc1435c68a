"""`play GAME`: a whole game of one person against bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import games
from adjudicator.cli import against, prompt
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from adjudicator.words.form import in_one_line

Table = Any

SILENT = b"start C4\n\n" + b"silent\n\n" * 300
GIVES_UP = b"start C4\n\nsilent\n\nsilent\n\nresign\ny\n"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where games against bots are kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, at_commands: Any) -> tuple[Path, str]:
    """A folder with a whole game in `kept`, and what was printed."""
    table = at_commands(tmp_path_factory.mktemp("whole"))
    words = ("play", "sugar-dog", "--bot", "captain", "--seed", "01", "--keep", "kept")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(table.root / "state"))
        return table.root, table.ok(*words, given=SILENT)


def test_a_whole_game_at_once(whole: tuple[Path, str]) -> None:
    """News, boards, choices, both sides at the end, and the verdict."""
    root, said = whole
    assert said.startswith("Sugar Dog: you are alice, against bob (a bot: captain).")
    assert "Your submarine starts in C4." in said
    assert "As alice saw it at the end:" in said
    assert "As bob saw it at the end:" in said
    end = "A stranger verifies the record. TRUE: bob won.\nreplay: adjudicator replay -g "
    assert said.endswith(f"{end}kept/record\n")
    assert verify(Record(root / "kept" / "record")).code == 0


def test_the_last_game_is_looked_at_again(alone: Table) -> None:
    """By its name, from anywhere: by one's own eyes while it runs, then by all. Status names one
    that is not over."""
    alone.ok("play", "sugar-dog", "--seed", "01", given=b"start C4\n\nquit\n")
    said = alone.ok("status").splitlines()
    assert said[0] == "sugar-dog: Sugar Dog, turn 2: your move, alice."
    assert said[1:] == ["Against bots; to go on: adjudicator play"]
    assert "As alice sees it:" in alone.ok("show", "-g", "sugar-dog")
    assert "planned: silent. " in alone.ok("play", "-g", "sugar-dog", given=b"silent\nquit\n")
    assert alone.run("play", "silent", "-g", "sugar-dog").exit_code == 2
    assert alone.fails("no-board", "show", "-g", "sugar-dog", "--as", "bob")
    alone.ok("play", given=b"resign\ny\n")
    assert alone.ok("status").startswith("No game is here.")
    assert "As bob sees it:" in alone.ok("show", "-g", "sugar-dog", "--as", "all")
    assert alone.ok("replay", "-g", "sugar-dog", "--as", "bob")
    for name in ("silent-ships", "..", "../sugar-dog", "/"):
        alone.fails("missing", "replay", "-g", name)


def test_nobody_is_shown_what_the_rival_hides(whole: tuple[Path, str]) -> None:
    """Until the reveal, what is printed is the same wherever the rival is and whatever it holds."""
    before, _, after = whole[1].partition("the host reveals what was hidden")
    assert "you    " in after.partition("As bob saw it")[2]
    assert "As bob saw it" not in before


def test_the_same_seed_is_the_same_game(alone: Table) -> None:
    """And another seed is another."""
    first, again, other = (
        alone.ok("play", "sugar-dog", "--seed", seed, "--bot", "mate", given=GIVES_UP)
        for seed in ("01", "01", "02")
    )
    assert first == again != other


def test_wrong_lines_are_asked_again(alone: Table) -> None:
    """The error says what was expected; such a line is not planned."""
    given = b"fire S\nstart Z9\n\nstart C4; start C5\n" + GIVES_UP
    game = ("play", "sugar-dog", "--seed", "01", "--bot", "mate")
    result = alone.run(*game, given=given)
    assert result.exit_code == 0
    assert result.stderr.count("error: ") == 3
    assert "expected nothing but 'start CELL' in the setup" in result.stderr
    assert "Nothing is planned. Write a line" in result.stdout
    rest = alone.ok(*game, given=GIVES_UP)
    assert result.stdout.partition("Your sub")[2] == rest.partition("Your sub")[2]


@pytest.mark.parametrize("game", ["sugar-dog", "submarine-warfare", "silent-ships"])
def test_who_follows_the_hints_plays_to_the_end(
    game: str, alone: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The captain's orders, typed as they are shown, are taken every time."""
    typed: list[str] = []

    def read(self: prompt.Prompt) -> str:
        if not typed:
            typed[:] = [in_one_line(self.asked.advice().orders), "", ""]
        return typed.pop(0)

    monkeypatch.setattr(prompt.Prompt, "_read", read)
    show = prompt.Prompt.show
    monkeypatch.setattr(prompt.Prompt, "show", lambda self: (typed.clear(), show(self)))
    said = alone.ok("play", game, "--seed", "03", "--bot", "random")
    assert "A stranger verifies the record. TRUE: " in said


def test_several_rivals(alone: Table) -> None:
    """A seat for each bot that is named."""
    given = b"start A1\n\nresign\ny\n"
    said = alone.run("play", "sugar-dog", "--seed", "05", "--bot", "random", "--bot", "captain",
                     given=given).stdout  # fmt: skip
    assert "against bob, carol (bots: random, captain)." in said
    assert "verifies the record. TRUE: " in said


def test_what_cannot_be_begun(alone: Table) -> None:
    """Unknown bots, a folder that exists already, options without a game."""
    assert "random, novice, mate, captain" in alone.fails(
        "bad-option", "play", "sugar-dog", "--bot", "hal"
    )
    (alone.root / "kept").mkdir()
    alone.fails("exists", "play", "sugar-dog", "--keep", "kept")
    assert "3 players are too many" in alone.fails("bad-option", "play", "submarine-warfare",
                                       "--bot", "random", "--bot", "random")  # fmt: skip


def test_a_game_that_is_left_goes_on(alone: Table) -> None:
    """At each prompt; what is planned stays planned, and the game is the same to its end."""
    game = ("play", "sugar-dog", "--seed", "01", "--bot", "mate")
    whole = alone.ok(*game, given=GIVES_UP)
    left = alone.ok(*game, given=b"start C4\n\nsilent\nquit\n")
    assert left.endswith("Nothing is sent. The plan is kept. Go on: adjudicator play\n")
    again = alone.ok("play", given=b"\n")
    assert again.startswith("Sugar Dog, turn 2")
    assert "planned: silent. Enter sends." in again
    rest = alone.ok("play", "sugar-dog", given=b"silent\n\nresign\ny\n")
    end = "The game is over, and"
    assert rest.partition(end)[2] == whole.partition(end)[2] != ""
    assert "adjudicator play sugar-dog" in alone.fails("missing", "play")


def test_the_usual_rival_can_be_set(alone: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """For new games; one that is under way goes on all the same."""
    monkeypatch.setenv("ADJUDICATOR_BOT", "captain")
    said = alone.ok("play", "sugar-dog", given=b"start C4\n\n")
    assert "(a bot: captain)" in said
    assert "your move" in alone.ok("play", "sugar-dog").splitlines()[0]


def test_the_levels_of_somebody_new(alone: Table) -> None:
    """The novice in a first game of each kind, then the mate; one that was left counts for none."""
    said = [alone.ok("play", "sugar-dog", "--new", given=given) for given in (b"", GIVES_UP, b"")]
    assert [text.partition("(a bot: ")[2].partition(")")[0] for text in said] == [
        "novice", "novice", "mate",
    ]  # fmt: skip
    assert "(a bot: novice)" in alone.ok("play", "silent-ships", given=b"")


def test_after_two_wins_the_next_level_is_proposed() -> None:
    """After each second one against a level; not after a loss, against the best, or where several
    levels play."""
    game, won, lost = games.load("sugar-dog"), {"winner": "alice"}, {"winner": "bob"}
    said = [
        against._note(game, ["mate"], how) for how in (won, lost, {"draw": True}, won, won, won)
    ]
    told = (
        "wins against the mate. The captain plays better: adjudicator play sugar-dog --bot captain"
    )
    assert said == [None] * 3 + [f"That makes 2 {told}", None, f"That makes 4 {told}"]
    assert [against._note(game, ["captain"], won) for _ in range(2)] == [None, None]
    assert [against._note(game, ["mate", "random"], won) for _ in range(2)] == [None, None]


def test_a_result_that_cannot_be_noted_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a file stands in the way of the folder."""
    (tmp_path / "state").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert against._note(games.load("sugar-dog"), ["mate"], {"winner": "alice"}) is None


def test_a_new_game_though_one_is_left(alone: Table) -> None:
    """`--new` begins another; a folder that was named holds its own game."""
    alone.ok("play", "sugar-dog", "--seed", "01", given=b"start C4\n\n")
    assert "Sugar Dog, turn" in alone.ok("play", "sugar-dog", given=b"")
    assert "you are alice" in alone.ok("play", "sugar-dog", "--new", given=b"")
    alone.ok("play", "silent-ships", "--keep", "kept", given=b"start\n\n")
    assert verify(Record(alone.root / "kept" / "record")).code == 4
    assert "Silent Ships: your turn" in alone.ok("play", "silent-ships", "--keep", "kept")
    assert "Sugar Dog: you are alice" in alone.ok("play")
