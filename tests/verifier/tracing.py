"""Which lines of the program found or refused something while a test ran, and which there are."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from adjudicator.verifier.claims import Found
from orders.errors import Refused

ADJUDICATOR = Path(sys.modules[Found.__module__].__file__ or "").parents[1]
FINDS = ("hold", "fault", "look", "note", "lack", "refuse")

Site = tuple[str, int]
"""A file and a line in it."""


@contextmanager
def traced() -> Iterator[set[Site]]:
    """Every place that tells a `Found` something or makes a `Refused`, from now on."""
    seen: set[Site] = set()

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            frame = inspect.currentframe()
            caller = None if frame is None else frame.f_back
            assert caller is not None
            seen.add((caller.f_code.co_filename, caller.f_lineno))
            return function(*given, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in FINDS:
            patch.setattr(Found, name, noted(getattr(Found, name)))
        patch.setattr(Refused, "__init__", noted(Refused.__init__))
        yield seen


def sites(path: Path, wanted: Callable[[ast.Call], bool]) -> set[Site]:
    """The calls in a module for which that holds, by line."""
    tree = ast.parse(path.read_text("utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {(str(path), node.lineno) for node in calls if wanted(node)}


def finds(node: ast.Call) -> bool:
    """Whether it tells a `Found` something."""
    called = node.func
    return (
        isinstance(called, ast.Attribute)
        and called.attr in FINDS
        and ast.unparse(called.value) in ("found", "self.found")
    )


def refuses(node: ast.Call) -> bool:
    """Whether it makes a `Refused`."""
    return isinstance(node.func, ast.Name) and node.func.id == "Refused"


def shown(places: set[Site]) -> list[str]:
    """Places in words: the file, and the statement that stands there."""
    found = []
    for path, at in places:
        tree = ast.parse(Path(path).read_text("utf-8"))
        here = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.lineno == at]
        found.append(f"{Path(path).name}: {ast.unparse(here[0])}")
    return sorted(found)
