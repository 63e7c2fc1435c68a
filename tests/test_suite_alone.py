"""The suite without this project: plain JSON, TOML and zips, which any language reads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITE = Path(__file__).parent / "suite"
SOUND = (0, 3, 4)
"""The codes of cases in which a program must be able to read all; others may hold anything."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A table of JSON in which no key stands twice."""
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)


def no_number(text: str) -> None:
    """Languages differ on other numbers than whole ones."""
    raise AssertionError(text)


def read_json(path: Path) -> Any:
    """JSON that every reader of it reads alike."""
    text = path.read_text("ascii")
    return json.loads(text, object_pairs_hook=once, parse_float=no_number, parse_constant=no_number)


def arguments() -> Iterator[tuple[int, dict[str, Any]]]:
    """Every path in a call of the index, with the code that is expected."""
    for case in read_json(SUITE / "suite.json")["cases"]:
        for one in case.get("call", ()):
            if not isinstance(one, str):
                yield case["code"], one


def test_every_file_is_json_or_a_zip() -> None:
    """Or a page, a licence, the runner."""
    for path in sorted(SUITE.rglob("*")):
        if path.suffix == ".json":
            read_json(path)
        elif path.is_file():
            assert path.suffix in (".zip", ".md", ".py") or path.name == "LICENSE", path


def test_zips_and_documents_are_plain() -> None:
    """Any unpacker takes a sound case's files out and harms nothing; its documents are TOML."""
    layers: dict[str, set[str]] = {}
    for code, one in arguments():
        if code in SOUND and "zip" in one:
            layers.setdefault(one["zip"], set()).update(one["of"])
        elif code in SOUND and one["file"].endswith(".zip"):
            layers.setdefault(one["file"], set()).add("")
    documents = 0
    for name, parts in layers.items():
        with zipfile.ZipFile(SUITE / name) as held:
            assert held.testzip() is None, name
            for info in held.infolist():
                path = info.filename
                assert path.isascii(), path
                assert not {"", ".", ".."} & {*path.split("/")}, path
                assert (info.flag_bits, info.compress_type) == (0, zipfile.ZIP_STORED), path
                if path.endswith(".toml") and any(path.startswith(part) for part in parts):
                    tomllib.loads(held.read(info).decode("utf-8"))
                    documents += 1
    assert documents > 1_000


def test_the_runner_needs_python_alone() -> None:
    """Not this project, nor anything that is installed: a client that says 0 to all is judged."""
    called = [sys.executable, "-I", "-S", str(SUITE / "run.py"), "--kind", "duels told"]
    done = subprocess.run(
        [*called, "sh", "-c", "exit 0"], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert re.search(r"duels told +12 +106 ", done.stdout), done.stdout
