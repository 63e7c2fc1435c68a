"""The options for the workers of a command with many pieces (`adjudicator.league.workers`)."""

from __future__ import annotations

import click

JobsOption = click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True,
    help="How many processes for many records or games; the results are the same.",
)  # fmt: skip
SchedulerOption = click.option(
    "--scheduler", metavar="ADDRESS", help="Let the cluster of this Dask scheduler do it."
)
