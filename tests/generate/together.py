"""Records side by side: two histories of one game, a part of a game, other games; and what two
files prove against their host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from generate import lies
from generate.suite import Argument, Case, Folders, Made
from table import EXAMPLE, Table
from verifier.lies import LIES

from adjudicator.verifier.claims import FALSE, INCOMPLETE, TRUE, UNUSABLE
from orders import names

Files = Mapping[str, bytes]
OTHER = (*EXAMPLE[:2], {"bob": "ping"}, EXAMPLE[3])
"""The example's orders, but for one: a history of the same length."""


def record(folder: Path, orders: Sequence[Mapping[str, str]], seed: int = 7) -> dict[str, bytes]:
    """A finished game; two games of one seed are two histories of one game."""
    return Table(folder, seed=bytes([seed]) * 32).begin().play(*orders).held()


def until(files: Files, step: int) -> dict[str, bytes]:
    """A record as it was after that entry."""
    steps = {path: name.step for path in files if (name := names.parse(path)) is not None}
    return {
        path: data
        for path, data in files.items()
        if steps.get(path, -1) <= step and not path.endswith(".txt")
    }


def made(folder: Path) -> Made:
    """All cases; games are played in that folder."""
    folders = Folders("together.zip")
    whole = record(folder / "one", EXAMPLE)
    one = folders.add("one", whole)

    def add(name: str, files: Files) -> Argument:
        return folders.add(name, files, one)

    history = record(folder / "other", OTHER)
    other = add("other", history)
    stranger = add("stranger", record(folder / "stranger", EXAMPLE, 8))
    part, other_part = add("part", until(whole, 3)), add("other-part", until(history, 3))
    start = add("start", until(whole, 2))
    false = add("false", {**whole, names.entry(3): whole[names.entry(3)] + b"#"})
    nothing = add("nothing", {"notes.txt": b"no game\n"})
    cases = [
        _together(what, code, some)
        for what, code, *some in (
            ("a record twice", TRUE, one, one),
            ("a record and one of another host", TRUE, one, stranger),
            ("a record and its beginning", INCOMPLETE, one, part),
            ("two parts of one history", INCOMPLETE, part, start),
            ("two finished histories", FALSE, one, other),
            ("two histories under way", FALSE, part, other_part),
            ("a true record and a false one", FALSE, stranger, false),
            ("a true record and a folder without a game", UNUSABLE, one, nothing),
            ("a part and a folder without a game", UNUSABLE, part, nothing),
            ("a false record and a folder without a game", FALSE, nothing, false),
            ("three records, two of them histories of one game", FALSE, one, stranger, other),
        )
    ]
    cases += [
        _against(what, code, *two)
        for what, code, *two in (
            ("two finished histories", 0, one, other),
            ("two histories under way", 0, part, other_part),
            ("a finished history and the beginning of another", 0, one, other_part),
            ("a record and itself", 1, one, one),
            ("a record and its beginning", 1, one, part),
            ("a record and the part before the histories differ", 1, other, start),
            ("a record and one of another host", 1, one, stranger),
        )
    ]
    for lie in LIES:
        if not lie.fork:
            continue
        _, game = lies.played(lie, folder / lie.id)
        held = add(f"{lie.id}/record", game.record)
        if lie.id == "m16":
            seat = folders.add(f"{lie.id}/seat", game.seats["alice"])
            cases.append(_against(f"the host {lie.does}: a record and a seat", 0, held, seat))
            honest = folders.add(f"{lie.id}/other-seat", game.seats["bob"])
            cases.append(_against("a record and the seat of somebody else", 1, held, honest))
        else:
            copy = add(f"{lie.id}/copy", game.copies["alice"])
            cases.append(_against(f"the host {lie.does}: its record and a copy", 0, held, copy))
    return Made(cases, folders.files())


def _together(what: str, code: int, some: Sequence[Argument]) -> Case:
    """The case of records that are verified by one call."""
    return Case(
        f"together/{_id(what)}", "together", "docs/formats/verifying.md#8-the-verdict", what,
        ("verify", *some), code,
    )  # fmt: skip


def _against(what: str, code: int, one: Argument, other: Argument) -> Case:
    """The case of two things that the host may have signed."""
    return Case(
        f"against/{_id(what)}", "against", "docs/formats/verifying.md#8-the-verdict", what,
        ("verify", "--against", other, one), code,
    )  # fmt: skip


def _id(what: str) -> str:
    """A comment as part of an id."""
    return "-".join(re.findall(r"\w+", what))
