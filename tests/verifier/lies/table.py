"""The table of lies as docs/protocol.md shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verifier.lies.base import Lie, Said

BEGIN = "<!-- the table of lies: written by tests/verifier/write_table.py -->\n"
END = "<!-- end of the table of lies -->\n"

CODES = {0: "true", 1: "false", 2: "unusable", 3: "true, but look", 4: "incomplete"}


def render(lies: Iterable[Lie]) -> str:
    """A table for each kind of lie: what the host does, who notices, and by what words."""
    lies = list(lies)
    parts = []
    for about in dict.fromkeys(lie.about for lie in lies):
        rows = [row(lie) for lie in lies if lie.about == about]
        head = f"### Lies about {about}\n\n| | the host | who notices, by what |\n|---|---|---|\n"
        parts.append(head + "".join(rows))
    return "\n".join(parts)


def row(lie: Lie) -> str:
    """A line of the table."""
    return f"| {lie.id} | {lie.does} | {'; '.join(noticed(lie))} |\n"


def noticed(lie: Lie) -> Iterator[str]:
    """Who notices a lie, and by what words."""
    told = False
    for who, text in lie.at_once.items():
        told = True
        yield f"{who}, at once: {_quoted(text)}"
    for command, said in (("`verify`", lie.verify), *_with_seats(lie)):
        told |= said.notices
        if said.notices:
            yield f"{command}: {_said(said)}"
        elif said.code:
            told = True
            yield f"{command}: {CODES[said.code]}"
    if lie.fork:
        told = True
        yield f"`verify --against`: {_quoted(lie.fork)}"
    if lie.together:
        told = True
        yield f"`verify` of several records: {_quoted(lie.together)}"
    if lie.unproved:
        begin = "else" if told else "nobody:"
        yield f"{begin} not proved ({lie.unproved})"


def _with_seats(lie: Lie) -> Iterator[tuple[str, Said]]:
    for player, said in lie.seats.items():
        yield f"`verify --seat {player}`", said


def _said(said: Said) -> str:
    where = f"{said.claim}, " if said.claim else ""
    return f"{CODES[said.code]}; {where}{_quoted(said.text)}"


def _quoted(text: str) -> str:
    return f'"{text.strip()}"'.replace("|", "\\|")
