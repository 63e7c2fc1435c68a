"""README.md and its picture, for visitors of a game's repository: board, news, who is awaited, how
to join.

It is made only from what everybody may see of the record, so `verify` makes the same bytes again
and compares. What it must not know: addresses, clocks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, Opening
from adjudicator.words import story
from orders.entries import AnyEntry, Reveal

README = "README.md"
BOARD = ".github/board.svg"
MARK = b"<!-- Written by adjudicator after each entry. Without this line the page is yours. -->\n"

_NEWS = 5
"""The page tells the news of so many last entries."""

_JOIN = "adjudicator join ADDRESS            # take a seat"
_LOOK = """\
adjudicator join ADDRESS --watch    # a copy to look on from
adjudicator verify ADDRESS          # whether all of it is true"""


def is_page(held: Mapping[str, bytes | None] | Mapping[str, bytes]) -> bool:
    """Whether the README among these files is this program's page."""
    return (held.get(README) or b"").startswith(MARK)


def taken(changed: dict[str, bytes | None]) -> dict[str, bytes]:
    """The files of a page among changed ones; they are removed from `changed`."""
    if not is_page(changed):
        return {}
    found = {path: changed.pop(path) for path in (README, BOARD) if path in changed}
    return {path: data for path, data in found.items() if data is not None}


def made(offer: Offer, opening: Opening | None, entries: Sequence[AnyEntry]) -> dict[str, bytes]:
    """The page, and its picture, by path. `entries`: all there are, none before genesis."""
    if opening is None or not entries:
        parts = [f"# {_plain(offer.game.title)}", "The game has not begun: seats are free."]
        return {README: _page(offer, parts, _JOIN)}
    last = entries[-1]
    names = ", ".join(opening.players)
    parts = [f"# {_plain(offer.game.title)}: {names}", _plain(f"Entry {last.step}. {_state(last)}")]
    parts.append(f"![The board as everybody may see it]({BOARD})")
    if last.awaited:
        rows = [
            f"| {who} | {_plain(one.what)} | {one.until} |" for who, one in last.awaited.items()
        ]
        parts.append("\n".join(["| awaited | for | until |", "|---|---|---|", *rows]))
    parts.append("## News")
    parts.append("\n".join(_news(opening, entries)))
    seen = entries[-2] if isinstance(last, Reveal) else last
    picture = opening.game.svg(story.view_of(opening, seen)).encode()
    return {README: _page(offer, parts, _LOOK), BOARD: picture}


def of_ledger(offer: Offer, ledger: Ledger | None) -> dict[str, bytes]:
    """The page and picture of a verified game; None before genesis."""
    if ledger is None:
        return made(offer, None, ())
    return made(offer, ledger.opening, [link.entry for link in ledger.links()])


def _state(last: AnyEntry) -> str:
    if isinstance(last, Reveal):
        return f"The game is over: {story.outcome(last)}."
    return "The game is under way." if last.awaited else "The game is over, not yet revealed."


def _news(opening: Opening, entries: Sequence[AnyEntry]) -> list[str]:
    lines = []
    for entry in reversed(entries[-_NEWS:]):
        lines.append(f"* {_plain(f'{entry.step}: {story.title(entry)}')}")
        if entry.ruling is None:
            lines += [f"  * {_plain(line)}" for line in story.heard(opening, entry)]
    return lines


def _page(offer: Offer, parts: Sequence[str], commands: str) -> bytes:
    how = (
        "## How to join, look on, verify\n\n"
        "With the program `adjudicator`, from where the host says, and this repository's "
        "address:\n\n"
        f"```\n{commands}\n```\n\n"
        f"Rules: `{offer.invite.rules}`. The host's key: `{offer.host.fingerprint}`."
    )
    return MARK + ("\n" + "\n\n".join([*parts, how]) + "\n").encode()


def _plain(text: str) -> str:
    """A text, escaped so that Markdown and HTML show it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|!&~@])", r"\\\1", text.replace("\n", " "))
