"""`play GAME`: a whole game of one person against bots."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import games
from adjudicator.cli import against, prompt
from adjudicator.machine import demo
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from adjudicator.words.form import in_one_line
from adjudicator.words.screen import Window
from adjudicator.words.story import Story
from games.chart import rows
from games.lessons import BadLesson
from games.news import addressed

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
    """News, boards, choices, the board with nothing hidden, and the verdict."""
    root, said = whole
    assert said.startswith("Sugar Dog: you are alice, against bob (a bot: captain).")
    assert "Your submarine starts in C4." in said
    assert re.search("^bob won. bob's torpedo hit you in C4.$", said, re.MULTILINE)
    end = "Checked: bob won, and nothing was changed.\nreplay: adjudicator replay -g "
    assert said.endswith(f"{end}kept/alice/record\n")
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
    assert alone.fails("no-board", "show", "-g", "sugar-dog", "--as", "bob")
    alone.ok("play", given=b"resign\ny\n")
    assert alone.ok("status").startswith("No game is here.")
    assert "As bob sees it:" in alone.ok("show", "-g", "sugar-dog", "--as", "all")
    assert alone.ok("replay", "-g", "sugar-dog", "--as", "bob")
    for name in ("silent-ships", "..", "../sugar-dog", "/"):
        alone.fails("missing", "replay", "-g", name)


def test_a_turn_in_one_line(alone: Table) -> None:
    """Orders, and then the next screen, as a prompt would; looking and hints without a game's
    name; nothing of standard input is read."""
    alone.ok("play", "sugar-dog", "--seed", "01", "--bot", "mate")
    said = alone.ok("play", "start C4", given=b"silent\n\n")
    assert said.startswith("Sugar Dog, turn 2: your move, alice. ")
    assert "Your submarine starts in C4." in said
    assert alone.ok("play", "--check", "fire N") == "ok: orders of alice for step 3\n  fire N\n"
    hinted = alone.ok("play", "hint", given=b"silent\n\n")
    assert hinted.startswith("Sugar Dog, turn 2: your move")
    (advice,) = re.findall("^hint: ([a-z]+[ A-Z0-9]*): ", hinted, re.MULTILINE)
    assert json.loads(alone.ok("play", "hint", "--json"))["orders"] == advice
    assert "turn 4: your move" in alone.ok("play", *advice.split(), given=b"")
    (alone.root / "orders.txt").write_text("silent\n")
    assert "turn 6: your move" in alone.ok("play", "--file", "orders.txt")
    assert "'sail' is no order" in alone.fails("malformed", "play", "sail", "away")
    shown = alone.ok("show")
    assert "As alice sees it:" in shown
    assert "until" not in shown
    assert "Your submarine starts in C4." in alone.ok("log")
    alone.ok("note", "bob is slow")
    assert "bob is slow" in alone.ok("replay")
    assert json.loads(alone.ok("status", "--json"))["games"][0]["says"].startswith(
        "Sugar Dog, turn"
    )
    for wrong in ("--edit", "--protest=time"):
        assert alone.run("play", wrong, *["silent"] * ("edit" not in wrong)).exit_code == 2
    unasked = alone.run("play", "resign")
    assert (unasked.exit_code, unasked.stdout) == (2, "")
    assert "add -y" in unasked.stderr
    assert alone.ok("play", "resign", "-y").startswith("bob won. You resigned.\n")
    # What is over is looked at until there is another, and counts once.
    assert alone.ok("play", "-g", "sugar-dog").startswith("bob won. You resigned.\n")
    assert against.place_of("sugar-dog.results").read_text() == "mate lost\n"
    assert "game is over" in alone.ok("show")
    alone.fails("missing", "play", "silent")
    alone.ok("play", "silent-ships", "--seed", "01")
    assert "Silent Ships" in alone.ok("show")


def test_a_game_here_comes_first(alone: Table, table: Table) -> None:
    """Whoever is in its folder means it, or a duel that is there."""
    alone.ok("play", "sugar-dog", "--seed", "01")
    for words in (("show",), ("status",)):
        assert "friday" in table.ok("status", *words[1:])
    assert "No game of yours" not in table.run("play", "start C4", "--seat", "alice.seat").output
    assert list(table.root.glob("friday-alice-0001-1.txt"))
    assert alone.ok("show").startswith("Sugar Dog")


def test_several_games_go_on(alone: Table) -> None:
    """They are named; none is guessed, and each is meant by its name."""
    for name in ("sugar-dog", "silent-ships"):
        alone.ok("play", name, "--seed", "01")
    for words in (("play",), ("play", "start C4"), ("show",), ("replay",), ("play", "hint")):
        result = alone.run(*words)
        assert result.exit_code == 2
        assert "silent-ships: Silent Ships: you are alice" in result.stderr
        assert "say which, -g silent-ships or -g sugar-dog" in result.stderr
    assert "turn 2: your move" in alone.ok("play", "start C4", "-g", "sugar-dog")
    assert len(alone.ok("status").splitlines()) == 3


@pytest.mark.parametrize("breaks", ["game", "seat", "entry", "copy"])
def test_one_game_that_is_gone_locks_no_other(
    breaks: str, alone: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its author's game is not installed any more, or its files are damaged: that is a line, with
    what to do, and all others go on. A new game takes its place."""
    for name in ("sugar-dog", "silent-ships"):
        alone.ok("play", name, "--seed", "01")
    kept = against.place_of("silent-ships")
    if breaks == "game":
        monkeypatch.setattr(games, "_own", lambda: ("sugar-dog", "submarine-warfare"))
    elif breaks == "copy":
        shutil.rmtree(kept / "alice" / "record")
    else:
        where = "record/entries/0000.toml" if breaks == "entry" else "alice/alice.seat/seat.toml"
        (kept / where).write_bytes(b"\xff")
    told = {"game": "no game 'silent-ships' is installed"}.get(breaks, "")
    for words in ("", "status", "play start C4", "play", "play hint", "show", "log", "replay"):
        result = alone.run(*words.split())
        assert result.exit_code == 0, result.output
        assert result.stderr.startswith("warning: silent-ships, against bots, cannot go on: ")
        assert told in result.stderr
        assert result.stderr.endswith(f"; to be rid of it: rm -r {kept}\n")
        assert len(result.stderr.splitlines()) == 1
        assert "Sugar Dog" in result.stdout or "alice" in result.stdout
    if breaks == "game":
        monkeypatch.undo()
        monkeypatch.setenv("XDG_STATE_HOME", str(alone.root / "state"))
        assert "Silent Ships: you are alice" in alone.ok("play", "silent-ships")
        return
    error = alone.run("play", "silent-ships")
    assert error.exit_code == 1
    assert f"hint: to be rid of it: rm -r {kept}" in error.stderr
    assert "Silent Ships: you are alice" in alone.ok("play", "silent-ships", "--new")
    assert alone.run("status").stderr == ""


def test_nobody_is_shown_what_the_rival_hides(whole: tuple[Path, str]) -> None:
    """Until the reveal, what is printed is the same wherever the rival is and whatever it holds."""
    before, _, after = whole[1].partition("\nbob won. ")
    assert "2 bob: submarine in" in after
    assert "S2" in after
    assert "S2" not in before


ENDS = [
    *(("sugar-dog", (), players) for players in (2, 3, 4, 6)),
    *(("silent-ships", (f"edition={one}",), 2) for one in ("2021-09-12", "2021-09-17", "print")),
    *(("submarine-warfare", one, 2) for one in ((), ("published",))),
]


@pytest.mark.parametrize(("name", "options", "players"), ENDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_end_is_one_window(
    name: str, options: tuple[str, ...], players: int, seed: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Who won and why is above the board that hides nothing, the verdict below, with a level that
    is proposed; and the question has a line left."""
    game, shown = games.load(name), Window(80, 24, utf8=True)
    bots = ["random" if players > 4 or seed == 1 else "mate"] * players
    plan = demo.Plan(game, bots, seed.to_bytes(32, "big"), game.parse_options(options))
    house = demo.again(plan, tmp_path / "house")
    while house.referee.last.clocks.awaited:
        house.round()
    said: list[str] = []
    monkeypatch.setattr(prompt, "window", lambda: shown)
    monkeypatch.setattr(prompt, "say", lambda *lines: said.extend(lines))
    own, proposal = house.seats[0].seated(), f"That makes 8 wins. {'play better ' * 8}"
    assert prompt.tell_end(own, name, proposal) == 0
    assert len(said) <= shown.rows - 1
    assert max(map(len, said)) <= shown.columns
    how = own.last.entry.outcome
    won = addressed("alice", "{a} won. ", a=how["winner"]) if "winner" in how else "A draw. "
    assert said[0].startswith(won)
    assert len(said[0]) > len(won)
    told = Story(own.ledger)
    chart = game.chart_whole(told.state(told.last))
    bare = [line.replace("\u00b7", ".") for line in said]
    drawn = ["".join(part.text for part in line).rstrip() for line in rows(chart)]
    top = next(at for at, line in enumerate(bare) if line.startswith(drawn[0]))
    for line, row in zip(bare[top:], drawn, strict=False):
        assert line.startswith(row)
    assert not [line for line in said if "? has the rest" in line or "a part of" in line]
    assert said[-4].startswith("Checked: ")
    assert said[-3] == f"replay: adjudicator replay -g {name}"


def test_an_end_that_does_not_hold_says_so(
    whole: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the verdict of `verify`, with its exit code."""
    seat = whole[0] / "kept" / "alice"
    own = Seated(Record(seat / "record"), Seat.open(seat / "alice.seat"))
    found = verify(own.copy)
    looked = found._replace(code=3, marked=("a ruling",))
    monkeypatch.setattr("adjudicator.verifier.verify.verify", lambda *given: looked)
    assert prompt.tell_end(own, "kept") == 3
    told = capsys.readouterr().out
    assert "\nTRUE, BUT LOOK (1): bob won.\n" in told
    assert "nothing was changed" not in told


LEARN = "Lessons first:\n  adjudicator play sugar-dog --learn\n"


def test_who_is_new_is_told_of_lessons(alone: Table) -> None:
    """On the first screen alone, until the first game of the kind is over."""
    words = ("play", "sugar-dog", "--seed", "01", "--bot", "mate", "--new")
    assert "Lessons" not in alone.ok(*words, given=b"?\n").partition(LEARN)[2]
    assert alone.ok(*words, given=GIVES_UP).count(LEARN) == 1
    assert "Lessons" not in alone.ok(*words)


def test_a_game_without_lessons_tells_of_none(
    alone: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one whose lessons cannot be read."""

    def broken(_: object) -> None:
        raise BadLesson("lesson is missing")

    for found in (lambda _: (), broken):
        monkeypatch.setattr(games, "own_lessons", found)
        said = alone.ok("play", "sugar-dog", "--seed", "01", "--new")
        assert "you are alice, against bob" in said
        assert "Lessons" not in said


def test_the_same_seed_is_the_same_game(alone: Table) -> None:
    """And another seed is another."""
    first, again, other = (
        alone.ok("play", "sugar-dog", "--seed", seed, "--bot", "mate", given=GIVES_UP).replace(
            f"\n{LEARN}", ""
        )
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
    assert "\nChecked: " in said


def test_several_rivals(alone: Table) -> None:
    """A seat for each bot that is named."""
    given = b"start A1\n\nresign\ny\n"
    said = alone.run("play", "sugar-dog", "--seed", "05", "--bot", "random", "--bot", "captain",
                     given=given).stdout  # fmt: skip
    assert "against bob, carol (bots: random, captain)." in said
    assert "\nChecked: " in said


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
    end = "\nbob won. "
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
    assert said == [()] * 3 + [(f"That makes 2 {told}",), (), (f"That makes 4 {told}",)]
    assert [against._note(game, ["captain"], won) for _ in range(2)] == [(), ()]
    assert [against._note(game, ["mate", "random"], won) for _ in range(2)] == [(), ()]


def test_a_result_that_cannot_be_noted_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a file stands in the way of the folder."""
    (tmp_path / "state").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert against._note(games.load("sugar-dog"), ["mate"], {"winner": "alice"}) == ()


def test_a_new_game_though_one_is_left(alone: Table) -> None:
    """`--new` begins another; a folder that was named holds its own game."""
    alone.ok("play", "sugar-dog", "--seed", "01", given=b"start C4\n\n")
    assert "Sugar Dog, turn" in alone.ok("play", "sugar-dog", given=b"")
    assert "you are alice" in alone.ok("play", "sugar-dog", "--new", given=b"")
    alone.ok("play", "silent-ships", "--keep", "kept", given=b"start\n\n")
    assert verify(Record(alone.root / "kept" / "record")).code == 4
    assert "Silent Ships: your turn" in alone.ok("play", "silent-ships", "--keep", "kept")
    assert "Sugar Dog: you are alice" in alone.ok("play")
