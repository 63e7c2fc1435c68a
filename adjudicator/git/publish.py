"""The record as commits: one for the invite, one for each entry, each with one parent.

The tree of `main` is the record with all files that everybody may have: reports and orders stay
sealed until the reveal. The host's own edits beside the record come with them, and the page.

Every date of the host's commits is the entry's own, so commits tell no more than the record, and
after a crash the same commits are made again. Their messages are the story of the game, as
`git log --oneline` tells it: all of it is public, because it comes from the files that they add.

The page is README.md and its picture, for visitors of the repository: board, news, who is awaited,
how to join. It is made only from what everybody may see of the record. What it must not know:
addresses, clocks.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from adjudicator.core import bundles
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, Opening
from adjudicator.core.source import Source, read_or_none
from adjudicator.git import refs
from adjudicator.git.objects import Writer, resolve
from adjudicator.git.process import Repo
from adjudicator.git.tree import Tree, beside_at, root_beside
from adjudicator.store.record import Record
from adjudicator.words import story
from orders import names
from orders.bundle import Bundle
from orders.entries import AnyEntry, Genesis, Reveal, read_entry
from orders.fields import Time

_BESIDE = "Change what lies beside the record"
_WIDTH = 72

README = "README.md"
BOARD = ".github/board.svg"
MARK = b"<!-- Written by adjudicator after each entry. Without this line the page is yours. -->\n"

_NEWS = 5
"""The page tells the news of so many last entries."""

_JOIN = "adjudicator join ADDRESS            # take a seat"
_LOOK = """\
adjudicator join ADDRESS --watch    # a copy to look on from
adjudicator verify ADDRESS          # whether all of it is true"""


def as_bundles(source: Source, step: int) -> list[Bundle]:
    """All files that an entry adds to `main`, as bundles: what it names, with every report and
    every sealed order."""
    first, *others = bundles.of_entry(source, step)
    held = dict(first.files)
    entry = read_entry(held[names.entry(step)])
    paths = [names.report(step, player) for player in entry.reports]
    paths += [names.sealed_order(step, player) for player in entry.slips]
    for path in paths:
        data = read_or_none(source, path)
        held |= {} if data is None else {path: data}
    return [bundles.pack("entry", held), *others]


def history(
    writer: Writer,
    record: Record,
    offer: Offer,
    ledger: Ledger | None,
    base: str | None,
    time: Time,
    *,
    after: str | None = None,
) -> str:
    """Commits for everything that `base`, the last of the host's on main, lacks (None: for all);
    the id of the last one.

    `ledger`: the game, None before genesis. `time` dates the commit of files beside the record.
    `after`: where main ends, if others pushed there: of theirs only what lies beside the record
    stays.
    """
    repo, tip = writer.repo, base
    writer.start(base)
    there = None if base is None else Tree.open(repo, base).last_step()
    if tip is None:
        files = dict(bundles.of_invite(record).files) | {names.ATTRIBUTES: names.ATTRIBUTES_TEXT}
        tip = writer.commit(
            [], files, offer.invite.date, f"Invite to {offer.game.title} ({offer.invite.rules})"
        )
    elif after is not None and after != base:
        writer.replace(names.BESIDE, root_beside(repo, after))
        tip = writer.commit([after], {}, time, _BESIDE)
    beside = _beside(repo, record, offer, ledger, after or base)
    last = -1 if ledger is None else ledger.last.step
    for step in range(0 if there is None else there + 1, last + 1):
        assert ledger is not None  # noqa: S101 - there are entries
        parts = as_bundles(record, step)
        files = {path: data for part in parts for path, data in part.files}
        if step == last:
            # One push brings one page, that of its last entry.
            for path in (README, BOARD) if is_page(beside) else ():
                data = beside.pop(path, None)
                files |= {} if data is None else {path: data}
        entry = ledger.link(step).entry
        # The reveal has the time of the entry before it.
        dated = str(entry.time or ledger.link(step - 1).entry.time)
        tip = writer.commit([tip], files, dated, message(ledger.opening, entry))
    if beside:
        for path in [path for path, data in beside.items() if data is None]:
            writer.remove(path)
        kept = {path: data for path, data in beside.items() if data is not None}
        tip = writer.commit([tip], kept, time, _BESIDE)
    return tip


def message(opening: Opening, found: AnyEntry) -> str:
    """An entry: what happened in the first line, and below it all news and who is awaited."""
    if isinstance(found, Genesis):
        return f"0000 The game begins: {', '.join(found.players)}"
    title = story.title(found)
    upper = title[0].upper() + title[1:]
    if isinstance(found, Reveal):
        return f"{found.step:04d} {upper}"
    news = [] if found.ruling is not None else story.heard(opening, found)
    told = " ".join(news) or upper
    first = textwrap.shorten(f"{found.step:04d} {told}", _WIDTH, placeholder="...")
    awaited = [
        f"Awaited: {player} for {prompt.what}, until {prompt.until}"
        for player, prompt in found.awaited.items()
    ]
    return f"{first}\n\n" + "\n".join([title, *news, *awaited])


def _beside(
    repo: Repo, record: Record, offer: Offer, ledger: Ledger | None, base: str | None
) -> dict[str, bytes | None]:
    """The files beside the record that differ from `base`: the host's edits, and the page."""
    # Not the clone's own main, to which the host may have committed.
    before = resolve(repo, refs.SEEN)
    known = beside_at(repo, before).files
    here = {}
    for name in names.BESIDE:
        top = record.root / name
        found = sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
        for path in found:
            if path.is_file() and not path.is_symlink():
                here[path.relative_to(record.root).as_posix()] = path.read_bytes()
    changed: Mapping[str, bytes | None]
    changed = {path: None for path in known if path not in here}
    changed |= {path: data for path, data in here.items() if known.get(path) != data}
    there = known if base == before else beside_at(repo, base).files
    if is_page({**there, **changed}):
        changed |= page(offer, ledger)
    return {path: data for path, data in changed.items() if there.get(path) != data}


# The page.


def is_page(held: Mapping[str, bytes | None] | Mapping[str, bytes]) -> bool:
    """Whether the README among these files is this program's page."""
    return (held.get(README) or b"").startswith(MARK)


def page(offer: Offer, ledger: Ledger | None) -> dict[str, bytes]:
    """The page of a verified game, and its picture, by path; `ledger`: None before genesis."""
    if ledger is None:
        parts = [f"# {_plain(offer.game.title)}", "The game has not begun: seats are free."]
        return {README: _page(offer, parts, _JOIN)}
    opening, entries = ledger.opening, [link.entry for link in ledger.links()]
    last = entries[-1]
    if isinstance(last, Reveal):
        state = f"The game is over: {story.outcome(last)}."
    else:
        state = "The game is under way." if last.awaited else "The game is over, not yet revealed."
    players = ", ".join(opening.players)
    parts = [f"# {_plain(offer.game.title)}: {players}", _plain(f"Entry {last.step}. {state}")]
    parts.append(f"![The board as everybody may see it]({BOARD})")
    if last.awaited:
        rows = [
            f"| {who} | {_plain(one.what)} | {one.until} |" for who, one in last.awaited.items()
        ]
        parts.append("\n".join(["| awaited | for | until |", "|---|---|---|", *rows]))
    news = []
    for entry in reversed(entries[-_NEWS:]):
        news.append(f"* {_plain(f'{entry.step}: {story.title(entry)}')}")
        if entry.ruling is None:
            news += [f"  * {_plain(line)}" for line in story.heard(opening, entry)]
    parts += ["## News", "\n".join(news)]
    seen = entries[-2] if isinstance(last, Reveal) else last
    picture = opening.game.svg(story.view_of(opening, seen)).encode()
    return {README: _page(offer, parts, _LOOK), BOARD: picture}


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
