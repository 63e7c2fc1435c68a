"""One broken game from elsewhere harms no other: it is named with its fault, and nothing more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from elsewhere import outside
from elsewhere.outside import EXAMPLES

GAME = """\
from battleship import Battleship

class Game(Battleship):
    id = __name__
"""

FAULTS = {
    "raises": ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
    "leaves": ("import sys\nsys.exit(7)", "SystemExit: 7"),
    "is no Python": ("def (", "SyntaxError: "),
    "speaks Latin 1": ("raise OSError('gr\\xfcn')", "OSError: gr\\xfcn"),
    "has no such name": ("", "has no attribute 'GAME'"),
    "names what is no game": ("GAME = 7", "of type int"),
    "names the class": (GAME + "GAME = Game", "of type ABCMeta"),
    "lacks methods": (
        "from games.game import Game\nclass It(Game): pass\nGAME = It()",
        "TypeError: Can't instantiate abstract class It",
    ),
    "has no title": (GAME + "    title = None\nGAME = Game()", "title = None: expected type str"),
    "bears another id": (GAME + "    id = 'other'\nGAME = Game()", "its id is 'other'"),
    "has a capital in its id": (GAME + "    id = 'Broken'\nGAME = Game()", "'Broken': expected"),
    "has no number of seats": (GAME + "    seats = 2\nGAME = Game()", "seats = 2: expected"),
    "has nobody seated": (GAME + "    seats = (0, 2)\nGAME = Game()", "seats = (0, 2): expected"),
    "has words in a list": (GAME + "    words = []\nGAME = Game()", "expected type frozenset"),
    "has a version in words": (GAME + "    version = '1'\nGAME = Game()", "expected type int"),
    "has options that are none": (GAME + "    own_options = ('top',)\nGAME = Game()", "of Option"),
    "has bots that are none": (GAME + "    bots = {'random': 1}\nGAME = Game()", "makes a bot"),
}  # fmt: skip


def install(folder: Path, points: str, **modules: str) -> None:
    """What another distribution brings: modules and the text of its entry points."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    about = folder / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_bytes(points.encode("latin-1"))


Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def call(run: Call) -> Call:
    """Runs the command line where the games of a folder and the example are installed."""
    return lambda folder, *arguments: run(folder, *arguments, installed=(folder, *EXAMPLES))


MODULES = {f"broken{number}": FAULTS[fault][0] for number, fault in enumerate(FAULTS)}


@pytest.fixture(scope="module")
def listed(call: Call, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, list[str]]:
    """A folder where all of them are installed; what `games` prints there, and its warnings."""
    folder = tmp_path_factory.mktemp("broken")
    points = "".join(f"{name} = {name}:GAME\n" for name in MODULES)
    install(folder, f"[adjudicator.games]\n{points}", **MODULES)
    code, out, err = call(folder, "games")
    assert code == 0
    return folder, out, err.splitlines()


@pytest.mark.parametrize("number", range(len(FAULTS)), ids=list(FAULTS))
def test_a_broken_game_is_named_with_its_fault(
    listed: tuple[Path, str, list[str]], number: int
) -> None:
    """In one warning of one line, in plain ASCII."""
    name, said = f"broken{number}", list(FAULTS.values())[number][1]
    begin = f"warning: game {name} ({name}:GAME) does not load: "
    (line,) = (line for line in listed[2] if line.startswith(begin))
    assert said in line
    assert line.isascii()


def test_a_broken_game_harms_no_other(call: Call, listed: tuple[Path, str, list[str]]) -> None:
    """All others are listed, demo, status and verify go on, and so do the cases of the others;
    the broken game itself is refused by the same words."""
    folder, out, warnings = listed
    assert "sugar-dog  (" in out
    assert "battleship  (" in out
    assert "broken" not in out
    assert len(warnings) == len(FAULTS)
    code, out, err = call(folder, "demo", "battleship", "--seed", "02", "--keep", "kept")
    assert (code, err) == (0, "")
    for command in (("status", "-g"), ("verify",)):
        code, out, err = call(folder, *command, "kept/record")
        assert (code, err) == (0, ""), command
    code, out, err = call(folder, "try", "--cases", "-q")
    assert code == 0
    assert err.splitlines() == warnings
    assert out.endswith(" 0 failed\n")
    code, out, err = call(folder, "rules", "broken0", "--exact")
    assert (code, out) == (1, "")
    assert err.startswith("error: game broken0 (broken0:GAME) does not load: ")


@pytest.mark.parametrize(
    "points",
    [
        "[adjudicator.games]\nbroken\na =\nb = no:::such thing[\n= c\ngarbage\n",
        "[adjudicator.games]\nbr\xfcken = broken:GAME\n",
        "[adjudicator.games]\nsugar-dog = broken:GAME\n",
    ],
)
def test_odd_entry_points_hide_no_game(call: Call, tmp_path: Path, points: str) -> None:
    """Whatever stands in the file: a game that comes with this distribution is never replaced."""
    install(tmp_path, points, broken="raise RuntimeError")
    code, out, _ = call(tmp_path, "games")
    assert code == 0
    assert "sugar-dog  (sugar-dog/1" in out


@pytest.mark.parametrize("only", [(), ("--only", "everywhere")])
@pytest.mark.parametrize(("change", "code"), [("list(dict.fromkeys({}))", 0), ("list({{*{}}})", 1)])
def test_a_set_that_is_gone_through_is_found(
    tmp_path: Path, change: str, code: int, only: tuple[str, ...]
) -> None:
    """Each process has an order of its own, so a player's verifier would call the host a liar.

    This one is a process of its own too.
    """
    choices = change.format("after.choices")
    module = (
        f"{GAME}    id = 'sets'\n    def after(self, view, lines):\n"
        "        after = super().after(view, lines)\n"
        f"        return after._replace(choices=tuple({choices}))\nGAME = Game()\n"
    )
    install(tmp_path, "[adjudicator.games]\nsets = sets:GAME\n", sets=module)
    asked = ("try", "sets", "--games", "2", "--seed", "07", *only)
    done, out, err = outside.run(tmp_path, *asked, installed=(tmp_path, *EXAMPLES))
    assert (done, err) == (code, "1 of 2 games\n2 of 2 games\n")
    assert ("FAIL  everywhere: game " in out) == bool(code)
    assert "again: adjudicator try sets" in out


@pytest.mark.slow
@pytest.mark.parametrize("program", [("-P", "-m", "adjudicator"), ("-m", "adjudicator")])
def test_a_trial_runs_one_code_where_its_author_works(
    tmp_path: Path, program: tuple[str, ...]
) -> None:
    """An author's own folder holds other code than what is installed. Whichever is found first, as
    by the command (no folder comes first) or by `python -m` (this folder does), the second process
    of a trial runs it too: no false alarm."""
    source, site = tmp_path / "source", tmp_path / "site"
    for folder, times in ((source, 2), (site, 3)):
        folder.mkdir()
        adjudicate = (
            "    def adjudicate(self, state, orders, dice):\n"
            "        step = super().adjudicate(state, orders, dice)\n"
            f"        return step._replace(events=step.events * {times})\n"
        )
        module = f"{GAME}    id = 'mine'\n{adjudicate}GAME = Game()\n"
        (folder / "mine.py").write_text(module)
    install(site, "[adjudicator.games]\nmine = mine:GAME\n")
    code, out, _ = outside.run(
        source, "try", "mine", "--games", "2", "--seed", "07", "--only", "everywhere",
        installed=(site, *EXAMPLES), program=(sys.executable, *program),
    )  # fmt: skip
    assert code == 0, out
    assert "ok    everywhere: " in out


def test_a_game_is_tried_where_it_lies(run: Call, tmp_path: Path) -> None:
    """By the path of its folder or file, with nothing installed; a fault in it is told in a
    line."""
    example = EXAMPLES[1] / "battleship"
    tried = ("--games", "1", "--seed", "07")
    code, out, err = run(tmp_path, "try", str(example), *tried, installed=())
    assert (code, err) == (0, "1 of 1 games\n")
    assert "ok    everywhere: " in out
    assert f"again: adjudicator try {example} --seed 07" in out
    (tmp_path / "broken.py").write_text("GAME = 7\n")
    code, out, err = run(tmp_path, "try", "broken.py", *tried, installed=())
    assert (code, out) == (1, "")
    assert err.startswith("error: the game in ")
    assert "broken.py does not load: expected a games.game.Game" in err


def test_a_game_without_cases_says_where_they_belong(run: Call, tmp_path: Path) -> None:
    """Not in words of Python; and the cases of the other games run."""
    text = f"{GAME}    id = 'bare'\nGAME = Game()\n"
    install(tmp_path, "[adjudicator.games]\nbare = bare:GAME\n", bare=text)
    installed = (tmp_path, *EXAMPLES)
    code, out, err = run(tmp_path, "try", "--cases", "bare", installed=installed)
    assert (code, out) == (1, "")
    assert "bare has no rule cases yet; they belong in " in err
    code, out, err = run(tmp_path, "try", "--cases", "-q", installed=installed)
    assert (code, err) == (0, "")
    assert "Errno" not in out
