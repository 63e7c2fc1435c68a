"""Order lines that were typed at the prompt and not sent: the file `plan` of a private folder."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.core.source import Files, read_or_none

_FILE = "plan"


def keep(folder: Files, step: int, lines: Sequence[str]) -> None:
    """Keep lines for that step; none to forget them."""
    if tuple(lines) != kept(folder, step):
        text = "\n".join([str(step), *lines])
        folder.write(_FILE, f"{text}\n".encode())


def kept(folder: Files, step: int) -> tuple[str, ...]:
    """The lines for that step that were kept; empty if there are none."""
    held = (read_or_none(folder, _FILE) or b"").decode("utf-8", "replace")
    first, _, rest = held.partition("\n")
    return tuple(rest.splitlines()) if first == str(step) else ()
