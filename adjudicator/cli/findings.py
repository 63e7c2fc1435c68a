"""Findings as commands print them: for people in full or in one line, for programs as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import click

from adjudicator.cli.shared import say
from adjudicator.verifier.claims import Findings
from orders.errors import shown


def print_findings(path: Path | str, found: Findings, *, verbose: bool = False) -> None:
    """Print the findings about a record, the verdict last."""
    *lines, conclusion = found.lines(shown(str(path)), verbose=verbose)
    say(*lines)
    click.secho(conclusion, fg=_colour(found), bold=True)


def print_verdict(path: Path | str, found: Findings) -> None:
    """Print only the verdict, in a line."""
    verdict = click.style(shown(found.conclusion), fg=_colour(found))
    say(f"{shown(str(path))}: {verdict}")


def say_findings(path: Path | str, found: Findings) -> None:
    """Print the findings for programs: one JSON document in one line."""
    click.echo(json.dumps(found.json(str(path)), sort_keys=True))


def _colour(found: Findings) -> str:
    return {0: "green", 1: "red"}.get(found.code, "yellow")
