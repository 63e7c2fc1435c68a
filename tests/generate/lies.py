"""Lies of hosts, and what seats and receipts add.

Each lie of `tests/verifier/lies` is a game through the real files. A case is what `verify` says of
the host's record, of a player's copy, of that copy with the player's seat, of a receipt, and of two
records together. `told` has what the player's own tool said when it took in what the host sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from generate import suite
from generate.suite import Argument, Case, Folders, Made, rule_of
from table import Table
from verifier.liar import Liar
from verifier.lies import LIES, Lie, Said, about_orders
from verifier.lies.base import QUIET, SETUP, SHOT

from adjudicator.core.source import MemoryFiles, Source
from adjudicator.verifier.verify import Asked, verify
from orders.sshsig import Signed

HONEST = Lie(
    "honest", "nothing", "does what it should", lambda game: game.play(SETUP, SHOT, QUIET).finish()
)
"""What the games of the lies begin like."""

SEATS, _ = rule_of("verifying", "7")
OF_A_SEAT = ("seat.toml", "orders", "receipts")
"""What a verifier reads of a seat."""


class Game(NamedTuple):
    """What is left of a game: the host's record, and by player the copy and what a verifier reads
    of the seat, if there is one."""

    record: Mapping[str, bytes]
    copies: Mapping[str, Mapping[str, bytes]]
    seats: Mapping[str, Mapping[str, bytes]]


def played(lie: Lie, folder: Path) -> tuple[Liar, Game]:
    """A game in which the host tells that lie, in an empty folder."""
    liar = Liar(Table(folder, **lie.terms))
    if lie.begun:
        liar.begin()
    lie.play(liar)
    return liar, left(liar)


def left(liar: Liar) -> Game:
    """The files of a game."""
    table = liar.table
    seats = {}
    for name in table.players:
        seat = table.root / name / f"{name}.seat"
        if seat.is_dir():
            seats[name] = {
                path.relative_to(seat).as_posix(): path.read_bytes()
                for path in sorted(seat.rglob("*"))
                if path.is_file() and path.relative_to(seat).parts[0] in OF_A_SEAT
            }
    copies = {name: _files(table.copies[name]) for name in table.players}
    return Game(table.held(), copies, seats)


def _files(source: Source) -> dict[str, bytes]:
    """All files; none where nothing has come."""
    if isinstance(source, MemoryFiles) or source.root.is_dir():  # type: ignore[attr-defined]
        return {path: source.read(path) for path in source.paths()}
    return {}


def made(folder: Path) -> Made:
    """All cases; games are played in that folder."""
    folders = Folders("lies.zip")
    liar, honest = played(HONEST, folder / "honest")
    cases = list(cases_of(HONEST, liar, honest, folders, None))
    base = {"zip": folders.path, "of": ["honest/record"]}
    for lie in LIES:
        cases += cases_of(lie, *played(lie, folder / lie.id), folders, base)
    return Made(cases, folders.files())


def drifted(lie: Lie, liar: Liar) -> list[str]:
    """What the suite says otherwise about that game: the ids of cases. Files are compared, not how
    they share a zip."""
    folders = Folders("lies.zip")
    new = {one.id: one for one in cases_of(lie, liar, left(liar), folders, None)}
    old = {row["id"]: row for row in suite.rows("lies", "seats", "receipts")}
    of_it = {id for id in old if id.split("/")[1] == lie.id}
    return [id for id in sorted(of_it | {*new}) if not _same(new.get(id), old.get(id), folders)]


def _same(case: Case | None, row: Mapping[str, Any] | None, folders: Folders) -> bool:
    if case is None or row is None:
        return False
    new = case.row()
    held = [
        [folders.folder(one) if isinstance(one, dict) else one for one in new.pop("call")],
        [suite.folder(one) if isinstance(one, dict) else one for one in row["call"]],
    ]
    return held[0] == held[1] and new == {key: row[key] for key in row if key != "call"}


def cases_of(
    lie: Lie, liar: Liar, game: Game, folders: Folders, base: Argument | None
) -> Iterator[Case]:
    """The cases of one game, whose files are laid over those of `base`."""
    told = {"at_once": {name: lie.warned(name) for name in game.copies if lie.warned(name)}}
    what = f"the host {lie.does}"
    record = folders.add(f"{lie.id}/record", game.record, base)
    yield _verified(f"lies/{lie.id}", what, lie.verify, record, **told)
    for name, files in game.copies.items():
        said = lie.of_copy(name, parted=name in liar.parted)
        copy = folders.add(f"{lie.id}/{name}", files, record)
        yield _verified(f"lies/{lie.id}/{name}", f"{what}; the copy of {name}", said, copy)
        if name in game.seats:
            seat = folders.add(f"{lie.id}/{name}.seat", game.seats[name])
            said = lie.seats.get(name, said)
            seated = f"{what}; the copy of {name} with the seat"
            yield _verified(f"seats/{lie.id}/{name}", seated, said, "--seat", seat, copy, **told)
            for path, code in _answered(lie, game, game.seats[name]):
                receipt = {**seat, "path": path}
                yield Case(
                    f"receipts/{lie.id}/{name}/{Path(path).stem}", "receipts", SEATS,
                    f"{what}; a receipt of {name}", ("verify", "--receipt", receipt, record), code,
                )  # fmt: skip


RULES = {
    "entries": "3", "time": "6.1", "replay": "5.6", "orders": "5.4", "dice": "6.2", "host": "6.3",
    "receipts": "7",
}  # fmt: skip
"""What decides, by the claim that tells a lie."""


def _verified(id: str, what: str, said: Said, *call: Argument, **told: Any) -> Case:
    """What a verification says."""
    told |= {"claim": said.claim, "words": said.text}
    page, rule = rule_of("verifying", RULES.get(said.claim, "8"))
    return Case(
        id, id.partition("/")[0], page, what, ("verify", *call), said.code, rule,
        {key: value for key, value in told.items() if value},
    )  # fmt: skip


def _answered(lie: Lie, game: Game, seat: Mapping[str, bytes]) -> Iterator[tuple[str, int]]:
    """The receipts in a seat, each with the code of the record with this receipt alone: of lies
    about receipts all, of others those that change the verdict."""
    for path in sorted(seat):
        if path.startswith("receipts/") and path.endswith(".toml"):
            receipt = Signed(seat[path], seat[f"{path}.sig"])
            code = verify(MemoryFiles(game.record), Asked(receipts=(receipt,))).code
            if lie is HONEST or lie.about == about_orders.LIES.about or code != lie.verify.code:
                yield path, code
