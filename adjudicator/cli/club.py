"""`club`: the table of a club, from the games that hold."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.archive import club as clubs
from adjudicator.archive import standings
from adjudicator.archive.club import Result
from adjudicator.archive.workers import workers
from adjudicator.cli.shared import JobsOption, check_out, say, warn, write_out
from adjudicator.duel import documents
from adjudicator.store import files, pack
from adjudicator.store.pack import LARGEST, Pack
from adjudicator.store.record import Record
from adjudicator.verifier.listing import kept
from orders.errors import shown

GAMES = "games"
"""The folder of the pages that carry games."""


@click.command(epilog="Example: adjudicator club league")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Where to write; without it the folder itself.",
)  # fmt: skip
@click.option(
    "--pages/--no-pages", default=True, show_default=True,
    help="A page of some 10 MB for each game.",
)  # fmt: skip
@JobsOption
def club(folder: Path, out: Path | None, pages: bool, jobs: int) -> None:
    """The table of a club: verify all games and duels in FOLDER, and count what is true.

    Writes standings.md, standings.html and standings.json: for each game ratings with their
    errors, results by seat, who should play whom next; how everybody kept deadlines; matches of
    two; each game, with its page; what does not count, and why. The results are a feed too,
    results.atom. The same games give the same bytes.

    A file club.toml in FOLDER says what the club decided: accept = ["1a2b3c4d", ...] names games
    that count although there was something to look at, and in a table [players]
    alice = ["SHA256:...", ...] says which keys are one player.
    """
    out = out or folder
    with workers(jobs) as hands:
        told = clubs.read(folder, lambda do, items: hands.spread(do, items, warn))
    links = {one.file: f"{GAMES}/{one.id[:16]}.html" for one in told.results} if pages else {}
    made = standings.files(told, links)
    for name, data in made.items():
        check_out(str(out / name), like=standings.begins(data))
    files.make_folder(out)
    _write_pages(folder, out, told.results, links)
    for name, data in made.items():
        write_out(str(out / name), data, like=standings.begins(data))
    for one in told.left:
        say(f"left out: {shown(one.file)}: {shown(one.why)}")
    many = len(told.results)
    counted = f"{many} game{'s' * (many != 1)} counted"
    say(f"{counted}; {len(told.left)} left out: {shown(str(out / 'standings.html'))}")


def _write_pages(
    folder: Path, out: Path, results: tuple[Result, ...], links: dict[str, str]
) -> None:
    """A page for each game that carries it, and all that a duel's files hold together."""
    if not links:
        return
    from adjudicator.page import build

    page = build.of_version()
    files.make_folder(out / GAMES)
    for one in results:
        path = folder / one.file
        if one.beside:
            packs = [Pack.open(folder / file) for file in (one.file, *one.beside)]
            held = pack.write(documents.read(*packs).held(one.id))
        else:
            held = files.read(path, LARGEST) if path.is_file() else pack.write(kept(Record(path)))
        data = build.carry(page, {"record": held})
        write_out(str(out / links[one.file]), data, like=build.BEGINS)
