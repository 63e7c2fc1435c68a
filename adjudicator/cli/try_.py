"""`try`: a game that somebody writes, held to what every game promises."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import games as installed
from adjudicator.cli import completing
from adjudicator.cli.games import loaded
from adjudicator.cli.shared import Number, QuietOption, SeedOption, read_seed, tell_progress
from games import cases as rule_cases
from orders.errors import Refused, shown
from orders.secrets import draw_secret

if TYPE_CHECKING:
    from adjudicator.authors.trial import BrokenPromise


def _cases(paths: Sequence[Path], *, quiet: bool) -> int:
    """Run the rule cases in files and folders; returns the exit code."""
    passed = failed = 0
    for path in (file for folder in paths for file in rule_cases.find(folder)):
        try:
            result = rule_cases.run(rule_cases.read(path))
        except rule_cases.BadCase as error:
            click.echo(f"FAIL {shown(str(error))}")
            failed += 1
            continue
        if result.faults:
            failed += 1
            click.echo(f"FAIL {result.case.id}  {result.case.title}")
            for fault in result.faults:
                click.echo("\n".join(f"     {shown(line)}" for line in fault.splitlines()))
        else:
            passed += 1
            if not quiet:
                click.echo(f"ok   {result.case.id}  {result.case.title}")
    click.echo(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def _promises(
    ctx: click.Context, option: click.Parameter, named: tuple[str, ...]
) -> tuple[str, ...]:
    """Promises by name. They are loaded only when one is named, not for `--help`."""
    if not named:
        return ()
    from adjudicator.authors.trial import PROMISES

    known = click.Choice(sorted(PROMISES))
    return tuple(known.convert(name, option, ctx) for name in named)


@click.command("try", epilog="Example: adjudicator try sugar-dog --games 3 --seed 07")
@click.argument("what", metavar="[GAME|PATH]...", nargs=-1, shell_complete=completing.of_game)
@click.option("--cases", is_flag=True, help="Only the rule cases of the games named, or of all.")
@click.option(
    "--games", "count", type=Number(1, 10_000), default=10, show_default=True,
    help="How many games.",
)  # fmt: skip
@SeedOption
@click.option("--players", type=Number(1), help="How many play; by default the least, then more.")
@click.option(
    "--only", multiple=True, callback=_promises, metavar="PROMISE",
    help="Only this one; by default all, each by its name.",
)  # fmt: skip
@QuietOption
@click.pass_context
def try_(
    ctx: click.Context, what: tuple[str, ...], cases: bool, count: int, seed: str | None,
    players: int | None, only: tuple[str, ...], quiet: bool,
) -> None:  # fmt: skip
    """Play random games of GAME and check what every game promises; for authors of games.

    GAME is a game's id, or the folder or file where its author has it, installed or not. Bots and
    random lines play, with odd names, options and late orders. A line for each promise says whether
    it was kept, and where it was first broken. A PATH of rule cases (TOML) runs those instead, as
    --cases does with the games' own.
    """
    paths = [Path(one) for one in what]
    if cases or (paths and all(map(_holds_cases, paths))):
        folders = list(map(_cases_of, paths)) or list(map(installed.own_cases, loaded()))
        ctx.exit(_cases(folders, quiet=quiet))
    if len(what) != 1:
        raise click.UsageError("name a GAME, or paths of rule cases; --cases runs those of all")
    ctx.exit(_promised(what[0], count, seed, players, only))


def _holds_cases(path: Path) -> bool:
    """Whether a path is of rule cases, not of a game."""
    if path.is_file():
        return path.suffix == ".toml"
    return path.is_dir() and not any(path.glob("*.py")) and any(path.rglob("*.toml"))


def _cases_of(path: Path) -> Path:
    """The file or folder of that name or, where there is none, the cases of the game of that id."""
    if path.exists():
        return path
    if str(path) in installed.installed():
        folder = installed.own_cases(installed.load(str(path)))
        if not rule_cases.find(folder):
            raise Refused(
                "missing", f"{shown(str(path))} has no rule cases yet; they belong in {folder}"
            )
        return folder
    raise click.BadParameter(f"{str(path)!a} does not exist, and no game is called so")


def _promised(
    game: str, count: int, seed: str | None, players: int | None, only: tuple[str, ...]
) -> int:
    """Play games and tell which promises they kept; returns the exit code."""
    from adjudicator.authors.trial import PROMISES, Trial

    found = installed.find(game)
    least, most = found.seats
    if players is not None and not least <= players <= most:
        raise click.BadParameter(f"--players {players}: {game} is for {least} to {most}")
    text = draw_secret()[:4].hex() if seed is None else seed
    trial = Trial(found, read_seed(text), only)
    for number in range(count):
        trial.play(players)
        tell_progress(number + 1, count)
    if trial.looks_at("lessons"):
        trial.learn()
    if trial.looks_at("everywhere"):
        trial.compare(_elsewhere(game, read_seed(text), min(count, MOST_AGAIN), players))
    first: dict[str, BrokenPromise] = {}
    for one in reversed(trial.broken):
        first[one.promise] = one
    for promise, meaning in PROMISES.items():
        if not trial.looks_at(promise):
            continue
        often = sum(one.promise == promise for one in trial.broken)
        told = meaning
        if promise == "lessons":
            told += f"; {trial.lessons} played"
        if promise == "sizes" and trial.fullest:
            told += "; the fullest " + ", ".join(
                f"{what} {100 * size / most:.0f} % ({size:,} of {most:,} bytes)"
                for what, (size, most) in sorted(trial.fullest.items())
            )
        click.echo(_broken(first[promise], often) if often else f"ok    {promise}: {told}")
    games = f"{trial.games} games of {found.rules}, {trial.ended} of them to their end"
    click.echo(f"{games}, {trial.steps} steps")
    far = max((one.game for one in first.values()), default=count)
    seats = "" if players is None else f" --players {players}"
    part = "".join(f" --only {promise}" for promise in only)
    click.echo(f"again: adjudicator try {game} --seed {text} --games {far}{seats}{part}")
    return 1 if first else 0


MOST_AGAIN = 3
"""How many games of a trial another process plays again."""


_AGAIN = """\
import sys
sys.path[:] = sys.argv[5:]
import games
from adjudicator.authors.trial import Trial
trial = Trial(games.find(sys.argv[1]), bytes.fromhex(sys.argv[2]), ("everywhere",))
for _ in range(int(sys.argv[3])):
    trial.play(int(sys.argv[4]) or None)
print(*trial.traces)
"""


def _elsewhere(game: str, seed: bytes, count: int, players: int | None) -> list[str]:
    """What a trial's first games come to in a process whose sets have another order. It looks for
    modules where this one does, so that both load the same code, wherever they run."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [
            sys.executable, "-P", "-c", _AGAIN, game, seed.hex(), str(count), str(players or 0),
            *sys.path,
        ],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.split() if done.returncode == 0 else [""]


def _broken(first: BrokenPromise, often: int) -> str:
    """Where a promise was broken first, and how often in all."""
    text = " ".join(first.text.split()).encode("ascii", "backslashreplace").decode("ascii")
    more = f" (and {often - 1} times more)" if often > 1 else ""
    return f"FAIL  {first.promise}: game {first.game}, step {first.step}: {text:.300}{more}"
