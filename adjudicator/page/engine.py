"""The page's way into Python: one function that takes a call and answers it, JSON both ways.

It finds the function that a call names, and reports refusals. Each view of the page is a module of
this folder with a table `CALLS` of its functions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

_hear: Callable[[int, int], None] | None = None
"""Who listens to the progress of long work."""

_COMMAND = re.compile(r"--[a-z]|\badjudicator [a-z]")
"""A hint that leads to the command line."""


def calls(view: str) -> Mapping[str, Callable[..., Any]]:
    """The functions of a view by name, imported now: so the verdict on a carried record does not
    wait for modules that only playing needs."""
    if view == "watch":
        from adjudicator.page import watch

        return watch.CALLS
    from adjudicator.page import play

    return play.CALLS


def listen(hear: Callable[[int, int], None]) -> None:
    """From now on report the progress of long work to `hear`."""
    global _hear  # noqa: PLW0603 (one page listens)
    _hear = hear


def tell(done: int, of: int) -> None:
    """Report the progress of long work, but not at every step."""
    if _hear is not None and (done % 20 == 0 or done == of):
        _hear(done, of)


def call(name: str, given: str, data: Any = None) -> str:
    """The answer to a call as JSON: `{"value": ...}`, or `{"error": {word, line, hint}}`.

    `name`: `view.function`. `given`: its named arguments, a JSON object. `data`: bytes from the
    page, which the function gets as `data`.
    """
    view, _, function = name.partition(".")
    arguments = json.loads(given)
    if data is not None:
        arguments["data"] = data.to_bytes()
    try:
        value = calls(view)[function](**arguments)
    except Exception as error:
        return json.dumps({"error": _told(error)})
    return json.dumps({"value": value})


def _told(error: Exception) -> dict[str, str]:
    """A refusal: its stable word for scripts, and for people its line and hint."""
    try:
        from adjudicator.words import faults

        line, hint = faults.told(error)
        # Who plays in the page has no command line, and no option of it is of use.
        hint = "" if _COMMAND.search(hint) else hint
        return {"word": faults.word(error), "line": line, "hint": hint}
    except Exception:
        line = f"failed: {type(error).__name__}: {error!a:.200}"
        return {"word": "failed", "line": line, "hint": "this is a fault of the page"}
