"""The pages that show a terminal are played: every command runs, every answer is held.

A fenced block tagged `console` holds commands after `$ ` (continued after `> `), each followed by
what it prints. All such blocks of a page are one bash session, in a folder that holds nothing but
what `docs/examples/` does, with the machine's real `bash`, `ssh-keygen` and `sha256sum`. In an
answer `...` stands for anything within a line, a line `...` for any number of lines, and any time
for any other. Six hex digits and `...` stand for one digest (or secret) of 64, the same wherever
the page has the same six. A command must succeed, unless its block is tagged `console exits N`:
then its last command must end with N.

What happens where the reader does not look, as at other people's machines, stands in `stages/`, a
shell file a page: a comment `<!-- stage: NAME -->` on the page calls its function NAME, which must
succeed and say nothing.

`python tests/docs/test_transcripts.py PAGE` prints the page with the answers that come now.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
STAGES = Path(__file__).parent / "stages"
ROOT_OF_TESTS = Path(__file__).parents[1]
ELSEWHERE = f"{ROOT_OF_TESTS / 'elsewhere'}:{ROOT_OF_TESTS.parent / 'games' / 'examples'}"
PAGES = (
    "../README.md",
    "CONTRIBUTING.md",
    "play.md",
    "host.md",
    "verify.md",
    "tutorial.md",
    "new-game.md",
    "bots.md",
)
IN_PROCESSES = "../README.md"
"""On this page each command is a process, as a reader starts it. The other pages have a program
that is loaded already, by `ready`."""

BLOCK = re.compile(
    r"^```console(?: exits (?P<code>\d+))?\n(?P<lines>.*?)^```$|^<!-- stage: (?P<stage>\w+) -->$",
    re.MULTILINE | re.DOTALL,
)
TIME = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}( \d{4})? \d\d:\d\d\b"
    r"|\btoday \d\d:\d\d\b"
)
MARK = re.compile(r"\x1e(\d+)\n")


@dataclass(frozen=True)
class Command:
    """A command as a page shows it: `code` is the exit code that it must have."""

    text: str
    answer: str
    code: int = 0


def commands(page: str) -> list[Command]:
    """All commands of a page, in order."""
    found: list[Command] = []
    for block in BLOCK.finditer(page):
        if block["stage"]:
            found.append(Command(f"{block['stage']}\n", ""))
            continue
        one = [
            Command(*_parted(part))
            for part in re.split(r"^\$ ", block["lines"], flags=re.MULTILINE)
            if part
        ]
        if block["code"] is not None:
            one[-1] = Command(one[-1].text, one[-1].answer, int(block["code"]))
        found += one
    return found


def _parted(part: str) -> tuple[str, str]:
    first, *rest = part.splitlines(keepends=True)
    more = 0
    while more < len(rest) and rest[more].startswith("> "):
        first += rest[more][2:]
        more += 1
    return first, "".join(rest[more:])


def play(
    all_commands: list[Command], folder: Path, program: Path | None = None, page: str = ""
) -> list[tuple[str, int]]:
    """What each command printed (both streams) and its exit code, in one bash session.

    `program`: what `adjudicator` is there; None: a process of its own for each call. `page`: whose
    stages are there.
    """
    mark = "\nprintf '\\036%s\\n' $?\n"
    stages = STAGES / f"{Path(page).stem}.sh"
    script = stages.read_text("utf-8") if stages.exists() else ""
    script += "".join(command.text + mark for command in all_commands)
    (folder.parent / "session.sh").write_text(script, "utf-8")
    tools = Path(sys.executable).parent
    first = tools if program is None else f"{program.parent}{os.pathsep}{tools}"
    environment = {
        "PATH": f"{first}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C",
    }
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(
        ["bash", str(folder.parent / "session.sh")],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    pieces = MARK.split(done.stdout.decode("utf-8", "backslashreplace"))
    return list(zip(pieces[0::2], map(int, pieces[1::2]), strict=False))


def pattern(answer: str, known: dict[str, str]) -> re.Pattern[str]:
    """What an answer on a page stands for; `known` are digests by their first six digits there."""
    out = ""
    met: set[str] = set()
    for line in TIME.sub("2026-01-01T00:00:00Z", answer).splitlines():
        if line == "...":
            out += r"(?:[^\n]*\n)*?"
            continue
        for piece in re.split(r"(\b[0-9a-f]{6}\.\.\.|\.\.\.)", line):
            if piece == "...":
                out += r"[^\n]*"
            elif not piece.endswith("..."):
                out += re.escape(piece)
            elif piece in known:
                out += known[piece]
            elif piece in met:
                out += f"(?P=d{piece[:6]})"
            else:
                out += f"(?P<d{piece[:6]}>[0-9a-f]{{64}})"
                met.add(piece)
        out += r"\n"
    return re.compile(out)


def differs(command: Command, came: str, code: int, known: dict[str, str]) -> str | None:
    """How an answer is not as the page has it, None where it is; `known` grows by new digests."""
    text = TIME.sub("2026-01-01T00:00:00Z", came.replace("\r\n", "\n"))
    text += "" if text.endswith("\n") or not text else "\n"
    found = pattern(command.answer, known).fullmatch(text)
    if found and code == command.code:
        known |= {f"{name[1:]}...": value for name, value in found.groupdict().items()}
        return None
    return (
        f"$ {command.text}should end with {command.code}, ended with {code}\n"
        f"--- the page says:\n{command.answer}--- it printed:\n{came}"
    )


@pytest.mark.parametrize("page", PAGES)
def test_page_does_what_it_shows(page: str, tmp_path: Path, program: Path) -> None:
    """Every command of the page gives the answer that stands under it."""
    if shutil.which("ssh-keygen") is None and os.environ.get("CI") != "true":
        pytest.skip("no ssh-keygen on this machine")
    told = commands((DOCS / page).read_text("utf-8"))
    assert told, "a page that shows nothing holds nothing"
    folder = tmp_path / "desk"
    shutil.copytree(EXAMPLES, folder)
    came = play(told, folder, None if page == IN_PROCESSES else program, page)
    assert len(came) == len(told), f"the session stopped at {told[len(came)].text}"
    known: dict[str, str] = {}
    faults = [
        fault
        for one, (text, code) in zip(told, came, strict=True)
        if (fault := differs(one, text, code, known)) is not None
    ]
    assert not faults, "\n".join(faults[:3])


@pytest.mark.parametrize(
    ("answer", "came", "fits"),
    [
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nb c\n", False),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n...\nc\n", "a\nc\n", True),
        ("until 2026-11-24T18:00:00Z\n", "until 2031-01-01T00:00:00Z\n", True),
        ("until 2026-11-24T18:00:00Z\n", "until soon\n", False),
        ("until Tue 24 Nov 18:00\n", "until Wed 1 Jan 2031 00:00\n", True),
        ("", "a\n", False),
        ("a\n", "", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_runner_sees_a_difference(answer: str, came: str, fits: bool) -> None:
    """The runner itself: placeholders fit what they should, and nothing else."""
    assert (differs(Command("x\n", answer), came, 0, {}) is None) == fits


def test_runner_holds_digests_together() -> None:
    """The same six digits stand for the same digest, in one answer and over a page."""
    one, other = "1" * 64, "2" * 64
    known: dict[str, str] = {}
    twice = Command("x\n", "ab12cd... ab12cd...\n")
    assert differs(twice, f"{one} {other}\n", 0, known) is not None
    assert differs(twice, f"{one} {one}\n", 0, known) is None
    assert differs(Command("y\n", "ab12cd...\n"), f"{other}\n", 0, known) is not None
    assert differs(Command("y\n", "ab12cd...\n"), f"{one}\n", 0, known) is None
    assert differs(Command("y\n", "ffffff...\n"), f"{other[1:]}\n", 0, known) is not None


def test_runner_sees_an_exit_code() -> None:
    """A command that fails where it should not, or the other way round, is a difference."""
    assert differs(Command("x\n", ""), "", 1, {}) is not None
    assert differs(Command("x\n", "", 4), "", 4, {}) is None
    assert differs(Command("x\n", "", 4), "", 0, {}) is not None


def test_what_is_ready_answers_as_a_process_does(tmp_path: Path, program: Path) -> None:
    """Both streams, exit codes, folders, standard input, pipes that close and the environment."""
    (tmp_path / "desk").mkdir()
    asked = [
        Command(f"{text}\n", "")
        for text in (
            "adjudicator --version",
            "adjudicator shwo",
            "adjudicator status -g nowhere 2>/dev/null",
            "adjudicator pack -g nowhere 2> 'a b'; ls",
            "mkdir deep; cd deep; adjudicator config bot mate > ../said; cd ..",
            "echo none | adjudicator take 2>&1 | cat",
            "adjudicator rules sugar-dog | head -n 1",
            "ADJUDICATOR_INSTALL=x adjudicator git setup github -g x",
            f"PYTHONPATH={ELSEWHERE} adjudicator rules battleship | grep Battleship",
        )
    ]
    own = play(asked, tmp_path / "desk")
    shutil.rmtree(tmp_path / "desk")
    (tmp_path / "desk").mkdir()
    assert play(asked, tmp_path / "desk", program) == own
    assert [code for _, code in own] == [0, 2, 1, 0, 0, 0, 0, 1, 0]


def _filled(name: str) -> str:
    """The page with the answers that come now."""
    page = Path(name).read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        desk = Path(folder, "desk")
        shutil.copytree(EXAMPLES, desk)
        came = iter(play(commands(page), desk, page=name))

    def block(found: re.Match[str]) -> str:
        if found["stage"]:
            answer, code = next(came, ("(the session stopped)\n", 0))
            return found[0] + (f"\n{answer}(exit code {code})" if answer or code else "")
        lines = [found[0].partition("\n")[0] + "\n"]
        for part in re.split(r"^\$ ", found["lines"], flags=re.MULTILINE):
            if not part:
                continue
            text, _ = _parted(part)
            answer, code = next(came, ("(the session stopped)\n", 0))
            shown = "$ " + "> ".join(text.splitlines(keepends=True))
            lines.append(shown + answer)
            if code and not found["code"]:
                lines.append(f"(exit code {code})\n")
        return "".join(lines) + "```"

    return BLOCK.sub(block, page)


if __name__ == "__main__":
    print(_filled(sys.argv[1]), end="")
