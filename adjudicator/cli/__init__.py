"""The command line: each command parses, calls one function and prints.

Commands are in the other files here and are loaded when they are called, so that `--help` and
completion start fast. An error is one line on stderr, and its class has its exit code.
"""

from __future__ import annotations

import errno
import importlib
import os
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click

from adjudicator import __version__

GROUPS: dict[str, dict[str, str]] = {
    "Play": {
        "play": "a game, or your turn",
        "duel": "two play, nobody hosts",
        "join": "take a seat",
        "take": "take in what came",
        "sync": "do all that is due",
        "say": "a message",
        "away": "a notice of absence",
        "note": "for yourself alone",
    },
    "Look": {
        "status": "whose turn; what is next",
        "show": "the board, by your eyes",
        "replay": "a game, step by step",
        "log": "the story so far",
        "rules": "how a game is played",
        "games": "what can be played",
    },
    "Check": {"verify": "is a game true?", "pack": "a game as one file"},
    "Host": {
        "invite": "begin a game, or add to it",
        "start": "seat who joined",
        "rule": "append a ruling",
        "consent": "hand on your own seat",
        "resend": "an entry once more",
        "referee": "a mailbox that hosts alone",
    },
    "Keep": {
        "config": "settings: mail, key, bot",
        "backup": "a seat or host in a file",
        "restore": "unpack a backup",
    },
    "Make": {
        "try": "check a game you write",
        "demo": "bots play a whole game",
        "simulate": "many games between bots",
        "page": "one file for a browser",
        "bot": "your program plays a seat",
        "club": "a club's table",
    },
    "Forge": {"git": "hooks, CI files, a README"},
}
"""The commands in the groups of the help, each with its line, so short that all fit a window of 80
by 24. The file here that holds a command is called like it."""

COMMANDS = {name: row for group in GROUPS.values() for name, row in group.items()}

EVERYWHERE = (
    "-g NAME the game, if not here or above  --seat PATH  --key PATH  -y yes",
    "-o FILE output, - stdout  --json for programs  -v in full  -q in brief",
)
"""The options that mean the same in every command; see `shared.Everywhere`."""

EXITS = ((0, "done, true"), (1, "refused, false"), (2, "wrong call"), (3, "look"), (4, "not yet"))
"""The exit codes of all commands."""


FAULT, INTERRUPTED, OUTPUT_CLOSED = 70, 130, 141
"""The exit codes of accidents, which are no verdict: a fault of this program (EX_SOFTWARE), Ctrl-C,
and an output that nobody reads any more (128 + SIGPIPE) or no disk takes."""


_WIDE = 76
"""In so many columns the help has two commands in a line."""

_JSON = "adjudicator.json"
"""Whether the output is for programs; refusals are then told to them as well."""


class Commands(click.Group):
    """Loads a command when it is called; turns refusals into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of a game's life."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported only now."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"adjudicator.cli.{cmd_name}{'_' * iskeyword(cmd_name)}")
        # `try` is a word of Python, and `say` prints, so their functions end in `_`.
        command: click.Command = getattr(module, f"{cmd_name}_", None) or getattr(module, cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """From the table above, without importing anything."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=text)
            for name, text in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """In a window of 80 by 24 all of it: what it is, the commands from the table above, two in
        a line, the exit codes. Nothing is imported for it."""
        formatter.write_usage("adjudicator", "COMMAND [ARGS]...   more: COMMAND --help, --version")
        formatter.write_text(" ".join((self.help or "").split()))
        formatter.write("\n")
        for group, rows in GROUPS.items():
            cells = [f"{name:<9}{text}" for name, text in rows.items()]
            count = 2 if formatter.width >= _WIDE else 1
            for at in range(0, len(cells), count):
                line = "".join(f"{cell:<37}" for cell in cells[at : at + count]).rstrip()
                formatter.write(f"{group if not at else '':<7}{line}\n")
        for at, line in enumerate(EVERYWHERE):
            formatter.write_text(f"{'' if at else 'Often':<6} {line}")
        codes = "  ".join(f"{code} {text}" for code, text in EXITS)
        formatter.write_text(f"Exits  {codes}")

    def make_context(
        self, info_name: str | None, args: list[str], *given: Any, **named: Any
    ) -> click.Context:
        """As click does, but `help COMMAND` is COMMAND --help, a wrong call is told in one line,
        and NO_COLOR counts."""
        as_json = "--json" in args
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        try:
            ctx = super().make_context(info_name, args, *given, **named)
        except click.UsageError as error:
            raise _wrong_call(error) from None
        except BrokenPipeError:
            raise _unheard() from None
        except (OSError, UnicodeError) as error:
            raise _failed(error) from None
        ctx.meta[_JSON] = as_json
        if _is_plain() or _colourless():
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


def _is_plain() -> bool:
    """Whether the environment wants no colour, or the terminal has none."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def _colourless() -> bool:
    """Whether the settings forbid colour; a broken file of settings is told by who reads it."""
    file = Path(click.get_app_dir("adjudicator")) / "config.toml"
    if "ADJUDICATOR_COLOUR" not in os.environ and not file.exists():
        # Most have no settings, and to read some takes time.
        return False
    from adjudicator.cli import settings
    from orders.errors import Refused

    try:
        return settings.get("colour") == "never"
    except Refused:
        return False


def _unheard() -> Exception:
    """End a command without a message, as nobody reads its output any more (after `head`)."""
    # Otherwise Python tries once more to write what is left as it ends, and reports the failure.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return click.exceptions.Exit(OUTPUT_CLOSED)


def _failed(error: Exception) -> Exception:
    """The end of a command that refuses, which is told; a fault of this program is raised again."""
    from adjudicator.words import faults

    told = (getattr(error, "errno", None), getattr(error, "filename", None))
    if os.name == "nt" and told == (errno.EINVAL, None):
        # So Windows calls a pipe that nobody reads.
        return _unheard()
    tell_error(error)
    if faults.of_output(error):
        return _unheard()
    return click.exceptions.Exit(_CODES.get(faults.word(error), 1))


_CODES = {"not-yet": 4, "gap": 4, "no-seat": 2, "unreadable": 2}
"""The exit codes of refusals, but for 1: one waits, asks for what is missing, names a seat, or
mends what this machine may not read."""


def tell_error(error: Exception) -> None:
    """Print a refusal as a line and a hint; a fault of this program is raised again."""
    # Imported only here, because it loads games and keys.
    from adjudicator.words import faults

    line, hint = faults.told(error)
    _tell(line, faults.word(error), hint)


_LOUD = re.compile(r"[A-Z]{2,} [A-Z]{2,}\b|REFUSED:")


def is_loud(text: str) -> bool:
    """Whether it says, in capitals, what is not as it should be; it stands bold, and by itself."""
    return _LOUD.match(text) is not None


_HOSTS = re.compile(r"(\.host)[/\\][^'\s]*")
"""What is called how in a host's private folder: whose orders are in."""


def _in_ci() -> bool:
    """Whether this is a job whose log others read, as players read that of a host in CI."""
    return bool(os.environ.get("CI"))


def _tell(line: str, word: str, hint: str) -> None:
    if _in_ci():
        line = _HOSTS.sub(r"\1", line)
    ctx = click.get_current_context(silent=True)
    if ctx is not None and ctx.find_root().meta.get(_JSON):
        import json

        try:
            click.echo(json.dumps({"error": word, "line": line, "hint": hint}, sort_keys=True))
        except OSError:  # That it takes no more is what is told below, or matters less.
            _unheard()
    colour, loud = None if _is_plain() else "red", is_loud(line)
    click.secho(line if loud else f"error: {line} [{word}]", err=True, fg=colour, bold=loud)
    if hint:
        click.echo(f"hint: {hint}", err=True)


def _plain(text: str) -> str:
    """A text in one line of printable ASCII, whatever was typed."""
    return "".join(one if " " <= one <= "~" else ascii(one)[1:-1] for one in text)


_CLICKS = (
    (r"^Invalid value for '(--[a-z-]+)': (?:\1:? )?", r"\1: "),
    (r"^Invalid value(?: for '[^']*')?: ", ""),
    (r"^Got unexpected extra arguments? \((.{,80}).*\)$", r"one word too many: \1"),
    (r"^Option '(.*)' requires an argument$", r"\1: expected something after it"),
)
"""What click says of a wrong call, and what is said instead."""


def _wrong_call(error: click.UsageError) -> Exception:
    """Print a wrong call; returns the exit with code 2."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # since click 8.2
        return error
    ctx = click.get_current_context(silent=True)
    command = None if ctx is None else ctx.invoked_subcommand
    called = f"adjudicator {command}" if command else "adjudicator"
    called = called if error.ctx is None else error.ctx.command_path
    line = _plain(" ".join(error.format_message().split()).rstrip("."))
    for form, ours in _CLICKS:
        line = re.sub(form, ours, line)
    hint = f"{called} --help"
    if line.startswith("No such command ") and called == "adjudicator":
        import difflib

        close = difflib.get_close_matches(line.split("'")[1], COMMANDS, n=1)
        hint = f"did you mean {close[0]}? All commands: {hint}" if close else hint
    _tell(f"{line[:1].lower()}{line[1:]}", "usage", hint)
    return click.exceptions.Exit(2)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Games with hidden information by file, mail or git. First: play sugar-dog."""
    if ctx.invoked_subcommand is None:
        with ctx:
            ctx.invoke(cli.get_command(ctx, "status"))  # type: ignore[arg-type]


def main(args: Sequence[str] | None = None) -> None:
    """The entry point."""
    # A standard stream may be closed, as in a job of cron's: then it holds, and takes, nothing.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123 - to the very end
    if isinstance(
        sys.stdout, TextIOWrapper
    ):  # As standard error is: names of files may be any bytes.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(args, prog_name="adjudicator", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except SystemExit:
        raise
    except BaseException as error:  # whatever a library throws
        if _is_interrupted(error):
            click.echo("interrupted", err=True)
            code = INTERRUPTED
        elif isinstance(error, click.Abort):  # a question was left without an answer
            click.echo("Nothing is done.", err=True)
            code = 1
        else:
            code = _fault(error)
    sys.exit(code)


def _is_interrupted(error: BaseException | None) -> bool:
    """Whether it came of Ctrl-C, of which others make errors of their own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _fault(error: BaseException) -> int:
    """Tell a fault of this program in a line, in Python's development mode with its traceback."""
    import traceback

    if sys.flags.dev_mode:
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).parent.name}/{Path(where.filename).name}:{where.lineno}"
    # What was thrown may quote anything, a player's orders as well.
    said = "" if _in_ci() else f": {error}"
    what = _plain(f"{type(error).__name__}{said}")[:200]
    _tell(
        f"this program failed: {what} ({place}, {__version__})",
        "fault",
        "nothing was judged; send this line, and what you typed, to who gave you this program",
    )
    return FAULT
