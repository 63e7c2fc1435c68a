"""The README's moving picture: eight turns at a real prompt, recorded, as one SVG that repeats.

`python tests/docs/test_eight_turns.py` records it anew.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import pictures
from terminal import Terminal

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "eight-turns.svg"
SHOWN = "adjudicator play sugar-dog"
SEEDED = (*SHOWN.split()[1:], "--seed", "1a", "--option", "first=alice")
"""Who goes first is else drawn by lot, and the lot hangs on the version of the program."""
LINES = (
    "start C4", "mine", "silent C5", "ping", "fire E", "silent D5", "mine", "hint", "fire S",
)  # fmt: skip
COLUMNS, ROWS = 80, 24
PROMPT = re.compile(r"(orders.*> |\]: )$")
KEY, SENT, READ, END = 8, 80, 260, 700
"""How long a picture stays, in hundredths of a second: after a key, with what is planned, with a
turn's news, at the end."""

Cell = tuple[str, str]
"""A character, and what is in force there: parameters of SGR, such as `1;34`."""
Screen = tuple[tuple[Cell, ...], ...]


class Screens:
    """What a terminal printed, and each window of it that is to be seen, with how long it stays."""

    def __init__(self) -> None:
        self.lines: list[list[Cell]] = [[]]
        self.seen: list[tuple[Screen, int]] = []

    def write(self, text: str) -> None:
        """Print this; raises ValueError for what none of our screens says to a terminal."""
        style = ""
        for piece in re.findall(r"\x1b\[[0-9;]*m|[^\r]|\r", text):
            if len(piece) > 1:
                style = piece[2:-1].removeprefix("0")
            elif piece == "\n":
                self.lines.append([])
            elif piece >= " ":
                self.lines[-1].append((piece, style))
            else:
                raise ValueError(f"{piece!a} in {text!a}")

    def keep(self, hundredths: int) -> None:
        """Let the window be seen so long; the cursor stands at its end."""
        self.seen.append((tuple(map(tuple, self.lines[-ROWS:])), hundredths))

    def type(self, line: str) -> None:
        """Let these keys be seen, one after the other, and then Enter."""
        for key in line:
            self.write(key)
            self.keep(KEY)
        self.write("\n")


def recorded(folder: Path) -> Screens:
    """The game, played in that folder."""
    screens = Screens()
    screens.write("$ ")
    screens.keep(SENT)
    screens.type(SHOWN)
    own = dict.fromkeys(("HOME", "XDG_STATE_HOME"), str(folder))
    terminal = Terminal(folder, *SEEDED, **own, PYTHONUTF8="1", NO_COLOR="")
    screens.write(terminal.until_prompt(PROMPT))
    screens.keep(READ)
    for line in LINES:
        for keys, pause in ((line, SENT), ("", READ)):
            screens.type(keys)
            terminal.press(f"{keys}\n")
            # What echoes the keys differs from machine to machine.
            screens.write(terminal.until_prompt(PROMPT).partition("\n")[2])
            screens.keep(READ if line == "hint" else pause)
            if line == "hint":
                break
    terminal.close()
    screens.seen[-1] = (screens.seen[-1][0], END)
    return screens


WIDE, HIGH, LEFT, TOP = 8.4, 18, 16, 46
STYLES = {
    "": "#d5dbe3", "1": "#ffffff", "2": "#8b949e", "1;34": "#79c0ff", "31": "#ff8d85",
    "typed": "#f2cc60",
}  # fmt: skip
BACK = "#161b22"


def runs(line: tuple[Cell, ...]) -> Iterator[str]:
    """The texts of a line, without what is blank."""
    plain = "".join(char for char, _ in line)
    asked = re.match(r"\$ |orders.*?> ", plain)
    typed = len(plain) if asked is None else asked.end()
    styled = [
        (at, char, "typed" if at >= typed else style) for at, (char, style) in enumerate(line)
    ]
    for style, run in groupby(styled, key=lambda one: one[2]):
        cells = list(run)
        text = "".join(char for _, char, _ in cells)
        start = cells[0][0] + len(text) - len(text.lstrip())
        if text := text.strip():
            # Two spaces in a row would be shown as one.
            text = text.replace("  ", "\u00a0\u00a0")
            yield (
                f'<text x="{start * WIDE:g}" textLength="{len(text) * WIDE:g}"'
                f' class="k{list(STYLES).index(style)}">{escape(text)}</text>'
            )


def spans(screens: Screens) -> tuple[dict[tuple[int, int], list[tuple[int, str]]], int]:
    """By the hundredths of a second between which they stay: lines and cursors, each with its row;
    and the whole time."""
    found: dict[tuple[int, int], list[tuple[int, str]]] = {}
    since: dict[int, tuple[int, str]] = {}
    time = 0
    for screen, stays in [*screens.seen, ((), 0)]:
        for row in range(ROWS):
            line = "".join(runs(screen[row])) if row < len(screen) else ""
            begun, old = since.get(row, (0, ""))
            if line != old:
                if old:
                    found.setdefault((begun, time), []).append((row, old))
                since[row] = (time, line)
        if screen:
            at = len(screen[-1]) * WIDE
            mark = f'<rect x="{at:g}" y="-13" width="8" height="16" class="c"/>'
            found.setdefault((time, time + stays), []).append((len(screen) - 1, mark))
        time += stays
    return found, time


def svg(screens: Screens) -> str:
    """The picture: each line is there once, and shown where and while the terminal shows it."""
    shown, whole = spans(screens)
    # Who wants no motion sees the last order, before it is sent.
    still = whole - END - 1
    lines: dict[str, str] = {}
    frames, body = [], []
    for number, ((begin, end), there) in enumerate(sorted(shown.items())):
        uses = "".join(
            f'<use href="#{lines.setdefault(line, f"l{len(lines)}")}" y="{row * HIGH}"/>'
            for row, line in there
        )
        kind = "s" if begin <= still < end else "f"
        body.append(f'<g class="{kind}" style="animation-name:f{number}">{uses}</g>')
        steps = [(begin, "visible"), (end, "hidden")]
        steps = [(at, how) for at, how in [(0, "hidden"), *steps] if at < whole]
        told = "".join(f"{100 * at / whole:.3f}%{{visibility:{how}}}" for at, how in steps)
        frames.append(f"@keyframes f{number}{{{told}}}")
    wide, high = 2 * LEFT + COLUMNS * WIDE, TOP + ROWS * HIGH
    colours = "".join(f".k{at}{{fill:{fill}}}" for at, fill in enumerate(STYLES.values()))
    defined = "".join(f'<g id="{name}">{line}</g>' for line, name in lines.items())
    style = (
        "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
        f"{colours}.k1{{font-weight:700}}.c{{fill:{STYLES['']};opacity:.7}}"
        f".f,.s{{animation:{whole / 100:g}s step-end infinite}}.f{{visibility:hidden}}"
        "@media(prefers-reduced-motion:reduce){.f,.s{animation:none}}"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high}" role="img"'
            f' width="{wide:g}" height="{high}">',
            "<title>Eight turns of Sugar Dog at a terminal</title>",
            f"<style>{style}",
            *frames,
            "</style>",
            f'<rect x=".5" y=".5" width="{wide - 1:g}" height="{high - 1}" rx="9" fill="{BACK}"'
            ' stroke="#6e7681"/>',
            *(
                f'<circle cx="{LEFT + 6 + 20 * at}" cy="16" r="5.5" fill="{fill}"/>'
                for at, fill in enumerate(("#ff5f57", "#febc2e", "#28c840"))
            ),
            f"<defs>{defined}</defs>",
            f'<g transform="translate({LEFT} {TOP})">',
            *body,
            "</g>",
            "</svg>",
            "",
        ]
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_the_picture_is_what_the_program_shows(tmp_path: Path) -> None:
    """To the byte; and the command above it is the README's."""
    made = svg(recorded(tmp_path))
    assert PICTURE.read_text("utf-8") == made, "python tests/docs/test_eight_turns.py"
    page = (PICTURE.parents[2] / "README.md").read_text("utf-8")
    assert f'src="docs/pictures/{PICTURE.name}"' in page
    assert SHOWN in page


def test_a_forge_shows_it() -> None:
    """It is small, asks for nothing outside itself, runs nothing, and can be read."""
    text = PICTURE.read_text("utf-8")
    assert len(text) < 100_000
    assert {one.tag for one in pictures.read(text).iter()} == {
        f"{pictures.SPACE}{name}"
        for name in ("svg", "title", "style", "rect", "circle", "defs", "g", "text", "use")
    }
    assert not re.search(r'url\(|@import|(?<!xmlns=")http|href="[^#]', text)
    assert all(pictures.contrast(colour, BACK) > 4.5 for colour in STYLES.values())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        PICTURE.write_text(svg(recorded(Path(made))), encoding="utf-8")
