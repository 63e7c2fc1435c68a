"""The page's way into Python: one function that takes a call and answers it, JSON both ways.

It finds the function that a call names, and reports refusals. Each view of the page is a module of
this folder with a table `CALLS` of its functions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.page import progress


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
    progress.hear = hear


def call(name: str, given: str, data: Any = None) -> str:
    """The answer to a call as JSON: `{"value": ...}`, or `{"error": {line, hint}}`.

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
        line, hint = _told(error)
        return json.dumps({"error": {"line": line, "hint": hint}})
    return json.dumps({"value": value})


def _told(error: Exception) -> tuple[str, str]:
    try:
        from adjudicator.words import faults

        return faults.told(error)
    except Exception:
        return f"failed: {type(error).__name__}: {error!a:.200}", "this is a fault of the page"
