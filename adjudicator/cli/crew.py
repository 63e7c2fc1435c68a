"""The options that say who does the work of a command with many pieces (`adjudicator.crew`)."""

from __future__ import annotations

import click

JobsOption = click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Processes (2 for a single record, too); what is told is the same.",
)  # fmt: skip
SchedulerOption = click.option(
    "--scheduler", metavar="ADDRESS", help="Work on the cluster of a scheduler of Dask too."
)
