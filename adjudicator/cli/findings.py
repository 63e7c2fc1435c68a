"""What verification found, as commands tell it: to people in full or in a line, to programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from adjudicator.cli.shared import say
from adjudicator.verifier.claims import FALSE, TRUE, Findings

_MARKS = {"true": "ok  ", "false": "FAIL", "look": "LOOK", "unknown": "  - "}


def print_findings(path: Path | str, found: Findings, *, verbose: bool = False) -> None:
    """Tell what was found of a record: a line for each claim, and the verdict last."""
    name = shown(str(path))
    by = f", adjudicated by {found.engine}" if found.engine else ""
    say(f"{name}: game {found.game}{by}" if found.game else f"{name}:")
    for claim in found.claims:
        say(f"  {_MARKS[claim.status]} {claim.name}: {claim.text}")
        for detail in claim.details if verbose else ():
            say(f"         {detail}")
    if found.head is not None:
        say(f"  head: {found.head}, entry {found.step}")
    if found.game is not None:
        say("  not proved: " + ";\n    ".join(found.not_proved))
    click.secho(f"verdict: {found.verdict}", fg=_colour(found))


def print_verdict(path: Path | str, found: Findings) -> None:
    """Tell the verdict alone, in a line."""
    verdict = click.style(shown(found.verdict), fg=_colour(found))
    say(f"{shown(str(path))}: {verdict}")


def say_findings(path: Path | str, found: Findings) -> None:
    """The same for programs: all of it in a line, a JSON document."""
    click.echo(json.dumps({"record": str(path), **asdict(found)}, sort_keys=True))


def shown(text: str) -> str:
    """A text in one line: what cannot be printed, such as a newline in a name, as an escape."""
    return text if text.isprintable() else ascii(text)


def _colour(found: Findings) -> str:
    return {TRUE: "green", FALSE: "red"}.get(found.code, "yellow")
