"""`python -m tests.manpage > docs/adjudicator.1`: the manual page, made from the help.

A package installs it (`share/man/man1` in a wheel); a test fails when it is not what the help says.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from adjudicator.cli import COMMANDS, EXITS, cli


def page() -> str:
    """The page, in the macros of man(7)."""
    # A command keeps the option of its help, so it is made with the settings of the program.
    context = click.Context(cli, info_name="adjudicator", **cli.context_settings)
    return "\n".join([*_head(), *_commands(cli, context), *_tail()])


def _head() -> Iterator[str]:
    yield ".TH ADJUDICATOR 1"
    yield ".SH NAME"
    yield r"adjudicator \- games with hidden information by file, mail or git"
    yield ".SH SYNOPSIS"
    yield r".B adjudicator"
    yield r".I COMMAND"
    yield r"[\fIARGS\fR]..."
    yield ".SH DESCRIPTION"
    yield _text(cli.help or "")
    yield ".SH COMMANDS"


def _tail() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, text in EXITS:
        yield f".TP\n{code}\n{_text(text)}"
    yield ""


def _commands(group: click.Group, within: click.Context) -> Iterator[str]:
    """Each command that the help shows: how it is called, what it does, its options."""
    for name in group.list_commands(within):
        command = group.get_command(within, name)
        assert command is not None
        if command.hidden:
            continue
        ctx = click.Context(command, info_name=name, parent=within)
        usage = " ".join(command.collect_usage_pieces(ctx))
        yield f".SS {_text(ctx.command_path)} {_text(usage)}"
        yield _text(command.help or COMMANDS[name])
        for option in command.get_params(ctx):
            # What the help of a command leaves out stands here.
            is_option = isinstance(option, click.Option)
            record = click.Option.get_help_record(option, ctx) if is_option else None
            if record is not None and record[1] and "--help" not in record[0]:
                yield f".TP\n.B {_text(record[0])}\n{_text(record[1])}"
        if command.epilog:
            yield f".PP\n{_text(command.epilog)}"
        if isinstance(command, click.Group):
            yield from _commands(command, ctx)


def _text(said: str) -> str:
    """A text in one line, no character of which is taken for a macro."""
    line = " ".join(said.replace("\b", "").split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{line}" if line.startswith((".", "'")) else line


if __name__ == "__main__":
    print(page(), end="")
