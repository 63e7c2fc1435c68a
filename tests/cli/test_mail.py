"""`mail`: the group holds every command of its files, each with its help."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from adjudicator.cli import cli, mail_desk, mail_host, mail_player, mail_serve
from adjudicator.cli.mail import mail


def test_every_command_is_in_the_group() -> None:
    """No command is left out, and each has its own name."""
    written = [
        command
        for module in (mail_desk, mail_host, mail_player, mail_serve)
        for command in vars(module).values()
        if isinstance(command, click.Command)
    ]
    assert sorted(mail.commands.values(), key=id) == sorted(written, key=id)
    assert all(command.name == name for name, command in mail.commands.items())


@pytest.mark.parametrize("name", mail.commands)
def test_help_has_an_example(name: str) -> None:
    """The example names the command."""
    done = CliRunner().invoke(cli, ["mail", name, "--help"])
    assert done.exit_code == 0
    assert f"Example: adjudicator mail {name}" in done.stdout


def test_a_command_that_is_none_is_a_wrong_call() -> None:
    """Quoted, with where to read on; exit code 2."""
    done = CliRunner().invoke(cli, ["mail", "sevre"], prog_name="adjudicator")
    assert done.exit_code == 2
    assert done.stderr.splitlines()[0].startswith("error: usage: no such command 'sevre'")
    assert done.stderr.splitlines()[1] == "hint: adjudicator mail --help"
