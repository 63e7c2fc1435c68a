"""Records in which one thing is wrong, and all else is signed again: for any verifier.

Each break of `tests/verifier/breaks.py` is a folder, laid over its game before it was broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generate import suite
from generate.suite import Argument, Case, Folders, Made, rule_of
from table import Table
from verifier.breaks import BREAKS
from verifier.forger import Forger
from verifier.played import PLAYED, play


def made(folder: Path) -> Made:
    """A case for each break; games are played in that folder."""
    games: dict[str, Forger] = {name: play(name, Table, folder / name) for name in PLAYED}
    folders = Folders("breaks.zip")
    whole = {name: folders.add(name, game.held) for name, game in games.items()}
    cases = []
    for one in BREAKS:
        broken = games[one.game].copy()
        asked = dict(one.change(broken) or {})
        link = asked.get("unreadable")
        held = {path: data for path, data in broken.held.items() if path != link}
        record = folders.add(f"breaks/{one.name}", held, whole[one.game])
        record |= {} if link is None else {"link": link}
        call: list[Argument] = ["verify"]
        call += ["--id", asked["game"]] if "game" in asked else []
        call += ["--head", asked["head"]] if "head" in asked else []
        said = one.said
        told = {"game": one.game, "claim": said.claim, "words": said.text}
        page, rule = rule_of("verifying", one.rule)
        cases.append(
            Case(
                f"breaks/{one.name}", "breaks", page, one.name.replace("_", " "),
                (*call, record), said.code, rule, told,
            )
        )  # fmt: skip
    return Made(cases, folders.files())


def published() -> list[tuple[Mapping[str, Any], dict[str, Any], dict[str, bytes]]]:
    """Of each break whose files a verifier can read: its row, what `Asked` takes beside them, and
    the files."""
    found = []
    for row in suite.rows("breaks"):
        _, *options, record = row["call"]
        asked = {
            {"--id": "game", "--head": "head"}[name]: value
            for name, value in zip(options[::2], options[1::2], strict=True)
        }
        if "link" not in record:
            found.append((row, asked, suite.folder(record)))
    return found
