"""`--jobs` and `--scheduler`: the same in each command that has them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli


@pytest.mark.parametrize("command", [("verify", "x"), ("simulate", "sugar-dog")])
@pytest.mark.parametrize("jobs", ["0", "65", "two"])
def test_so_many_processes_are_a_wrong_call(command: tuple[str, ...], jobs: str) -> None:
    """Told in one line, before anything is done."""
    result = CliRunner().invoke(cli, [*command, "--jobs", jobs])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--jobs" in result.stderr.splitlines()[0]
    assert "--scheduler ADDRESS" in CliRunner().invoke(cli, [command[0], "--help"]).stdout
