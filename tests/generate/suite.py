"""What lies in `tests/suite`, as data: cases, and folders that share their files.

A case is a command with its exit code, or a file of values for a client's own tests. Each kind of
cases is made by a module here, whose `made` gives its cases and its files. Folders are kept in a
zip, laid over others, so that a file which many of them hold is kept once.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.store import pack

SUITE = Path(__file__).parents[1] / "suite"
INDEX = SUITE / "suite.json"
VERSION = 1
GONE = "gone.txt"
"""In a folder that is laid over others: the names of those of their files that it has not."""

Argument = str | Mapping[str, Any]


class Case(NamedTuple):
    """One row of the index, as `tests/suite/CLIENT.md` specifies it.

    `page` is a heading of a page, from the project's root; `rule` the number of a rule below it.
    `call`: a command and its arguments, `code` how it exits. `files` and `count`: the files for a
    client's own tests, and how many values they hold. `told`: what explains the answer.
    """

    id: str
    kind: str
    page: str
    comment: str
    call: Sequence[Argument] = ()
    code: int = 0
    rule: str = ""
    told: Mapping[str, Any] = {}
    files: Sequence[str] = ()
    count: int = 0

    def row(self) -> dict[str, Any]:
        """Itself as JSON: what does not apply is left out."""
        row = {name: value for name, value in self._asdict().items() if value or name == "code"}
        if not self.call:
            del row["code"]
        return json.loads(json.dumps(row))


class Made(NamedTuple):
    """All cases of some kinds; and all their files, by their paths in the suite."""

    cases: Sequence[Case]
    files: Mapping[str, bytes]


def file(path: str) -> Argument:
    """An argument: a file, by its path from the suite's folder."""
    return {"file": path}


class Folders:
    """Folders in one zip, as arguments of cases."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.held: dict[str, bytes] = {}

    def add(
        self, name: str, files: Mapping[str, bytes], over: Argument | None = None
    ) -> dict[str, Any]:
        """A folder of these files, as an argument; `over`: it is laid over that one."""
        layers = [] if over is None else [*over["of"]]
        below = put_together(self.held, layers)
        new = {path: data for path, data in files.items() if below.get(path) != data}
        gone = sorted(below.keys() - files.keys())
        if gone:
            new[GONE] = "".join(f"{path}\n" for path in gone).encode("ascii")
        self.held |= {f"{name}/{path}": data for path, data in new.items()}
        return {"zip": self.path, "of": [*layers, name] if new else layers}

    def folder(self, argument: Argument) -> dict[str, bytes]:
        """The files of a folder that was added."""
        assert not isinstance(argument, str)
        return put_together(self.held, argument["of"])

    def files(self) -> dict[str, bytes]:
        """The zip, by its path in the suite."""
        return {self.path: pack.write(self.held)}


def rule_of(page: str, number: str) -> tuple[str, str]:
    """The heading and the rule below it of a page whose headings have numbers: "3.8" is rule 8 of
    the heading that begins with "3."."""
    section, _, rule = number.partition(".")
    text = (SUITE.parents[1] / "docs" / "formats" / f"{page}.md").read_text("utf-8")
    (heading,) = re.findall(rf"^## ({section}\. .+)$", text, re.MULTILINE)
    return f"docs/formats/{page}.md#{anchor(heading)}", rule


def anchor(heading: str) -> str:
    """The anchor that a page's heading has."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def put_together(held: Mapping[str, bytes], layers: Iterable[str]) -> dict[str, bytes]:
    """The files of the first folder of a zip, with those of the next ones over them; what a folder
    names as gone is taken away."""
    made: dict[str, bytes] = {}
    for layer in layers:
        start = f"{layer}/"
        made |= {path[len(start) :]: held[path] for path in held if path.startswith(start)}
        for path in made.pop(GONE, b"").decode("ascii").split():
            del made[path]
    return made


# What is published.


@cache
def unpacked(path: str) -> Mapping[str, bytes]:
    """The files in a zip of the suite."""
    with zipfile.ZipFile(SUITE / path) as held:
        return {name: held.read(name) for name in held.namelist()}


def folder(argument: Argument) -> dict[str, bytes]:
    """The files of a folder that is an argument."""
    assert not isinstance(argument, str)
    return put_together(unpacked(argument["zip"]), argument["of"])


def rows(*kinds: str) -> list[dict[str, Any]]:
    """The rows of the index of these kinds, or all."""
    index = json.loads(INDEX.read_text("ascii"))
    assert index["version"] == VERSION
    return [row for row in index["cases"] if not kinds or row["kind"] in kinds]


def values(name: str) -> Any:
    """A file of values."""
    return json.loads((SUITE / f"{name}.json").read_text("ascii"))


def drifted(made: Made) -> list[str]:
    """What is not in the suite as it is made now: ids of cases, and paths."""
    kinds = {case.kind for case in made.cases}
    new = {case.id: case.row() for case in made.cases}
    old = {row["id"]: row for row in rows(*kinds)}
    differ = [one for one in sorted({*new, *old}) if new.get(one) != old.get(one)]
    wrong = (
        path for path, data in made.files.items()
        if not (SUITE / path).is_file() or (SUITE / path).read_bytes() != data
    )  # fmt: skip
    return [*differ, *sorted(wrong)]


def write(made: Made, *, anew: bool = False) -> None:
    """Write files, and put the cases into the index in the place of those of their kinds; `anew`:
    of all."""
    for path, data in made.files.items():
        (SUITE / path).parent.mkdir(exist_ok=True)
        (SUITE / path).write_bytes(data)
    new = [case.row() for case in made.cases]
    kinds = {row["kind"] for row in new}
    known = [] if anew else rows()
    listed = [row for row in known if row["kind"] not in kinds] + new
    lines = ",\n".join(json.dumps(row) for row in sorted(listed, key=lambda row: row["id"]))
    INDEX.write_text(f'{{"version": {VERSION}, "cases": [\n{lines}\n]}}\n', "ascii", newline="\n")
