"""The table of lies as docs/protocol.md shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verifier.lies.base import EVERYBODY, Lie, Said

BEGIN = "<!-- the table of lies: written by tests/verifier/write_table.py -->\n"
END = "<!-- end of the table of lies -->\n"

CODES = {0: "notes it", 1: "false", 2: "unusable", 3: "look", 4: "incomplete"}


def render(lies: Iterable[Lie]) -> str:
    """A table for each kind of lie: who notices, and by which claim, what the host does."""
    lies = list(lies)
    parts = []
    for about in dict.fromkeys(lie.about for lie in lies):
        found: dict[str, list[str]] = {}
        for lie in lies:
            if lie.about == about:
                found.setdefault("; ".join(noticed(lie)), []).append(f"{lie.id}: {lie.does}")
        rows = [f"| {who} | {'<br>'.join(told)} |\n" for who, told in found.items()]
        head = f"### Lies about {about}\n\n| who notices, by what | the host |\n|---|---|\n"
        parts.append(head + "".join(rows))
    return "\n".join(parts)


def noticed(lie: Lie) -> Iterator[str]:
    """Who notices a lie, and by which claim."""
    told = False
    if lie.at_once:
        told = True
        yield f"{EVERYBODY if EVERYBODY in lie.at_once else ', '.join(lie.at_once)} at once"
    for command, said in (("`verify`", lie.verify), *_with_seats(lie)):
        if said.notices or said.code:
            told = True
            yield f"{command}: {CODES[said.code]}{f' ({said.claim})' if said.claim else ''}"
    if lie.fork:
        told = True
        yield "`--against`"
    if lie.together:
        told = True
        yield "`verify` of several records"
    if lie.unproved:
        begin = "else" if told else "nobody:"
        yield f"{begin} not proved"


def _with_seats(lie: Lie) -> Iterator[tuple[str, Said]]:
    for player, said in lie.seats.items():
        yield f"`--seat {player}`", said
