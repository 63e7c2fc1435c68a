"""The command line: each command parses, calls one function and prints.

Commands are in the other files here and are loaded when they are called, so that `--help` and
completion start fast. An error is one line on stderr, and its class has its exit code.
"""

from __future__ import annotations

import difflib
import importlib
import keyword
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from adjudicator import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("turn", "A game against bots at once; or your turn, in one line."),
    "demo": ("demo", "A whole game between bots, through signed, sealed files; then verify it."),
    "games": ("games", "What can be played, with options."),
    "rules": ("games", "The rules page of a game."),
    "cases": ("games", "Run rule cases."),
    "try": ("games", "Author: does a game keep what every game promises?"),
    "simulate": ("simulate", "Many games between bots: who wins, how long, how it ends."),
    "keygen": ("keys", "Make an OpenSSH Ed25519 key."),
    "invite": ("host", "Host: start a record with its invite."),
    "token": ("host", "Host: make a token for a seat of a reserved game."),
    "start": ("host", "Host: seat the players; the game begins."),
    "submit": ("host", "Host: take in order bundles; each gets a receipt."),
    "restore": ("restore", "Host: bring back what an older backup lacks."),
    "advance": ("host", "Host: adjudicate when all are in."),
    "rule": ("host", "Host: append a ruling."),
    "join": ("play", "Player: answer an invite."),
    "consent": ("play", "Player: agree that somebody else takes your seat."),
    "template": ("play", "Player: an order file to fill in."),
    "check": ("play", "Player: what the host would refuse."),
    "order": ("play", "Player: check, seal and sign orders."),
    "receive": ("play", "Take entries and receipts into a copy of a record."),
    "show": ("look", "The board and news, as a player may see them."),
    "log": ("look", "The story so far."),
    "status": ("look", "Whose orders are awaited, and until when."),
    "bundle": ("look", "What the invite, genesis or an entry added, as one bundle."),
    "pack": ("pack", "A record as one file, to mail, keep or verify."),
    "page": ("page", "One HTML file that plays, watches and verifies games in a browser."),
    "safe": ("safe", "Player: seat, key and copy into one file behind a passphrase, or back."),
    "verify": ("verify", "Verify records: a line per claim, and a verdict."),
    "prove-fork": ("verify", "Prove that a host signed two contradicting statements."),
    "mail": ("mail", "Play by email."),
    "git": ("git", "Play by git."),
}
"""By command: the file here that holds it, and its line in the help."""


OUTPUT_CLOSED = 141
"""The exit code if nobody reads the output any more (128 + SIGPIPE), or no disk takes it. It is no
verdict."""


class Commands(click.Group):
    """Loads a command when it is called; turns refusals into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of a game's life."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported only now."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"adjudicator.cli.{COMMANDS[cmd_name][0]}")
        # `try` is a word of Python, so its function is `try_`.
        name = cmd_name.replace("-", "_") + "_" * keyword.iskeyword(cmd_name)
        command: click.Command = getattr(module, name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """From the table above, without importing anything."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table above, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def make_context(self, *given: Any, **named: Any) -> click.Context:
        """As click does, but a wrong call is told in one line, and NO_COLOR counts."""
        try:
            ctx = super().make_context(*given, **named)
        except click.UsageError as error:
            raise _wrong_call(error) from None
        except BrokenPipeError:
            raise _unheard() from None
        except OSError as error:
            raise _failed(error) from None
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and print its refusal in one line."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _wrong_call(error) from None
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except BrokenPipeError:
            raise _unheard() from None
        except Exception as error:
            raise _failed(error) from None


def _unheard() -> Exception:
    """End a command without a message, as nobody reads its output any more (after `head`)."""
    # Otherwise Python tries once more to write what is left as it ends, and reports the failure.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return click.exceptions.Exit(OUTPUT_CLOSED)


def _failed(error: Exception) -> Exception:
    """The end of a command that refuses, which is told; a fault of this program is raised again."""
    from adjudicator.words import faults

    tell_error(error)
    return _unheard() if faults.of_output(error) else click.exceptions.Exit(1)


def tell_error(error: Exception) -> None:
    """Print a refusal as a line and a hint; a fault of this program is raised again."""
    # Imported only here, because it loads games and keys.
    from adjudicator.words import faults

    _tell(*faults.told(error))


def _tell(line: str, hint: str) -> None:
    click.secho(f"error: {line}", err=True, fg=None if os.environ.get("NO_COLOR") else "red")
    if hint:
        click.echo(f"hint: {hint}", err=True)


def _wrong_call(error: click.UsageError) -> Exception:
    """Print a wrong call; returns the exit with code 2."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    called = "adjudicator" if error.ctx is None else error.ctx.command_path
    line = " ".join(error.format_message().split()).rstrip(".")
    hint = f"{called} --help"
    if line.startswith("No such command ") and called == "adjudicator":
        close = difflib.get_close_matches(line.split("'")[1], COMMANDS, n=1)
        hint = f"did you mean {close[0]}? All commands: {hint}" if close else hint
    _tell(f"usage: {line[:1].lower()}{line[1:]}", hint)
    return click.exceptions.Exit(2)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: adjudicator demo --players 3",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Play hidden-information games by mail or git: signed orders in, verified results out."""


def main(args: Sequence[str] | None = None) -> None:
    """The entry point."""
    # A standard stream may be closed, as in a job of cron's: then it holds, and takes, nothing.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123 - to the very end
    cli(args, prog_name="adjudicator")
