"""Duels in which one of the two lies, signed with their real key, and the other is honest.

Each is told by `tests/duel/liars.py` or `sugar_liars.py`, and cut off behind the move of the lie;
there both end, so both secrets are open. Who lied, and in which move, stands in the index. A lie
whose move nobody takes is nobody's lie, and is not among them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from duel import liars, sugar_liars
from duel.liars import Lie
from duel.people import ended, short
from generate import duels, facts, suite
from generate.suite import Case, Made

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import audit, documents
from adjudicator.store.pack import write
from orders.doors import Doors

SEEDS = 40
"""In so many games every lie finds its occasion."""


def told() -> Iterator[Lie]:
    """All lies that somebody takes, with doors that keep their secrets."""
    for lie in (*liars.LIES, *sugar_liars.LIES):
        if lie.noticed != "refused":
            yield dataclasses.replace(lie, doors=Doors)


def files(lie: Lie) -> dict[str, bytes]:
    """The files of the first duel in which the lie finds its occasion."""
    for seed in range(SEEDS):
        outcome = liars.tell(lie, seed)
        if outcome is None or outcome.judged.lie is None:
            continue
        found = outcome.judged.lie
        whole = documents.read(MemoryFiles(liars.files_of(*outcome.duel.people)))
        cut = short(whole, found.number)
        last = next(one for one in cut.moves if one == outcome.judged.row.digests[found.number - 1])
        both = (ended(cut, one, last) for one in outcome.duel.people)
        cut = liars.and_(cut, *both)
        (again,) = audit.judge(cut)
        assert again.lie is not None
        assert (again.lie.number, again.lie.player) == (found.number, "mallory")
        return {
            path: data
            for one in cut.files.values()
            for path, data in one.file.files(one.path).items()
        }
    raise AssertionError(f"no occasion for {lie.name}")


def made(folder: Path) -> Made:
    """A case for each lie, and one for each true duel of `facts`: of one kind, which nobody passes
    who says one thing to all."""
    cases: list[Case] = []
    packs: dict[str, bytes] = {}
    for lie in told():
        path = f"duel-lies/{lie.name}.zip"
        held = files(lie)
        packs[path] = write(held)
        said = duels.answer(held)
        cases.append(
            Case(
                f"duel-lies/{lie.name}", "duels told", "docs/formats/duels.md#a-lie", lie.does,
                ("verify", suite.file(path)), said.pop("code"), told=said,
            )
        )  # fmt: skip
    true = facts.made(folder)
    return Made([*cases, *true.cases], {**packs, **true.files})
