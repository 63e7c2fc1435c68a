"""What commands share: files in and out, records and seats, times, printing.

Each command uses a part of it, so rooms that only some need are imported where they are used.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudicator.cli import completing, is_loud
from adjudicator.core import deadlines
from adjudicator.core.bundles import about
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.core.source import Source
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.words.spans import ReadAt
from games.options import UNITS
from orders import names
from orders.bundle import BEGIN, Bundle, encode
from orders.errors import Missing, Refused, named, shown
from orders.fields import Time

if TYPE_CHECKING:
    from adjudicator.host.folder import HostFolder
    from adjudicator.mail.mime import Mail
    from adjudicator.mail.pasted import Paste
    from adjudicator.player.seat import Seat
    from adjudicator.player.table import Table
    from adjudicator.verifier.claims import Findings

RETURN = "-return"
"""How the name of the second game of a match ends."""
F = TypeVar("F", bound=Callable[..., Any])
LARGEST_BUNDLE = 12 * 2**20


AnyPath = click.Path(path_type=Path)
FolderPath = click.Path(path_type=Path, file_okay=False)


class Number(click.types.IntParamType):
    """A whole number from `least` to `most` (None: no end)."""

    name = "N"

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; raises BadParameter."""
        typed = str(value)
        if typed.isascii() and typed.isdigit() and len(typed) < 10:
            most = int(typed) if self.most is None else self.most
            if self.least <= int(typed) <= most:
                return int(typed)
        upto = "or more" if self.most is None else f"to {self.most}"
        raise click.BadParameter(f"{typed!a:.80}: expected {self.least} {upto}", ctx, param)


SeedOption = click.option(
    "--seed", metavar="HEX", help="The seed of all chance; by default it is drawn."
)
PublicOption = click.option(
    "--as", "whose", metavar="NAME", help="By whose eyes: all, or after the reveal any player's."
)
GameOptionOption = click.option(
    "--option", "options", multiple=True, metavar="K=V|PRESET",
    help="An option of the game, or a named set of them.",
    shell_complete=completing.of_option,
)  # fmt: skip


def bot_option(about: str) -> Callable[[F], F]:
    """`--bot`, wherever bots are named; see `authors.program`."""
    return click.option(
        "--bot", "bots", multiple=True, metavar="A,B|CMD", help=about,
        shell_complete=completing.of_bot,
    )  # fmt: skip


class Everywhere(click.Option):
    """An option that means the same in every command: the usage names it, and what it is for the
    help of the program tells once (`adjudicator.cli.EVERYWHERE`)."""

    def get_help_record(self, ctx: click.Context) -> None:
        """None: no line in the help of a command."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Its shortest name, and what goes with it."""
        value = "" if self.metavar is None else f" {self.metavar}"
        return [f"[{min(self.opts, key=len)}{value}]"]


KeyOption = click.option(
    "--key", type=AnyPath, metavar="PATH", cls=Everywhere, help="Your SSH key."
)
YesOption = click.option(
    "-y", "--yes", is_flag=True, cls=Everywhere, help="Answer yes where you would be asked."
)
VerboseOption = click.option("-v", "--verbose", is_flag=True, cls=Everywhere, help="Every detail.")
QuietOption = click.option(
    "-q", "--quiet", is_flag=True, cls=Everywhere, help="Only what needs a person."
)
ClockOption = click.option(
    "--clock-is-right", is_flag=True, help="Sign though other times differ from this clock's."
)
OutOption = click.option(
    "-o", "--out", metavar="FILE", cls=Everywhere, help="Where to write; - is stdout."
)
AtOption = click.option("--at", metavar="REV", help="Read the record as it was at this commit.")
JobsOption = click.option(
    "--jobs", type=Number(1, 64), default=1, show_default=True,
    help="How many processes do it; 1 to 64.",
)  # fmt: skip
SchedulerOption = click.option(
    "--scheduler", metavar="ADDRESS", help="Let the cluster of this Dask scheduler do it."
)
JsonOption = click.option("--json", "as_json", is_flag=True, cls=Everywhere, help="For programs.")


# Files in and out.


def read_paste(path: str) -> Paste:
    """What is in a file, or on standard input for `-`: a mail, or any text with blocks in it;
    raises Refused."""
    from adjudicator.mail import pasted

    place = Path(path)
    if path == "-":
        data = sys.stdin.buffer.read(LARGEST_BUNDLE + 1)
    elif place.exists():
        data = files.read(place, LARGEST_BUNDLE)
    else:
        done = next(place.parent.glob(f"*.done/{escape(place.name)}"), None)
        if done is not None:
            taken = f"{path!a} is not there: it was taken in, and is {str(done)!a}"
            raise Refused("missing", taken)
        hint = "name a file, or - for what comes on stdin"
        raise Refused("missing", f"{path!a} is not there", hint)
    if b"PRIVATE KEY-----" in data[:80]:
        raise Refused(
            "bad-bundle", f"{path!a} is a private key: never send it. It holds nothing of a game"
        )
    if place.name == "seat.toml" or b"\nsecret = " in data[:400]:
        raise Refused("bad-bundle", f"{path!a} is a seat's secret: never send it")
    try:
        return pasted.read(data)
    except Refused as error:
        raise Refused(error.word, f"{path!a}: {error.message}", error.hint) from None


def nothing_in(path: str, paste: Paste) -> Refused:
    """Why nothing can be taken from a file without a whole block."""
    if paste.damaged:
        fault, hint = paste.damaged[0].fault, "ask for it again, as a file"
        return Refused("bad-bundle", f"{path!a}: the block in it is {fault}", hint)
    if paste.mail.by_host:
        text = " ".join(paste.mail.text.split())[:400]
        return Refused("missing", f"{path!a} is only text: {text!a}")
    what = "what comes on standard input" if path == "-" else f"{path!a}"
    return Refused("bad-bundle", f"{what} holds nothing of a game", "take the whole mail or file")


def read_bundle(path: str, kind: str | None = None) -> Bundle:
    """The one bundle (of that kind) in a file, as in `read_paste`; raises Refused."""
    return read_mailed(path, kind)[0]


def read_mailed(path: str, kind: str | None = None, also: str | None = None) -> tuple[Bundle, Mail]:
    """The same, with the mail in which it came; `also`: another kind that may be in its place."""
    from adjudicator.mail.block import choose
    from orders.bundle import KINDS

    paste = read_paste(path)
    kinds = KINDS if kind is None else (kind,)
    try:
        bundle = choose(paste.blocks, kinds) or choose(paste.blocks, KINDS)
    except Refused as error:
        if not paste.bundles:
            raise nothing_in(path, paste) from None
        raise Refused(error.word, f"{path!a}: {error.message}", error.hint) from None
    if bundle is None:
        raise nothing_in(path, paste)
    if kind is not None and bundle.kind not in (kind, also):
        came, due = KINDS[bundle.kind], KINDS[kind]
        raise Refused("bad-bundle", f"{path!a} holds {came}: name a file with {due}")
    return bundle, paste.mail


def write_bundle(bundle: Bundle, path: str | None, default: str) -> str:
    """Write a bundle to a file (`-`: standard output); returns its name, to print.

    It replaces only a bundle of the same kind; a join replaces nothing, because a join cannot be
    made again.
    """
    target = own_name(default, bundle) if path is None else path
    write_out(target, encode(bundle), like=like_bundle(bundle.kind))
    return target


def own_name(path: str, bundle: Bundle) -> str:
    """A file's name for that bundle, or for a mail with it: if another game of the same name has
    a file there, one with the game's id."""
    place = Path(path)
    if not place.is_file():
        return path
    from adjudicator.mail import pasted

    with suppress(Refused):
        game = about(bundle)
        held = pasted.read(files.read(place, LARGEST_BUNDLE)).bundles
        if any(one.kind == bundle.kind and about(one) != game for one in held):
            return str(place.with_stem(f"{place.stem}-{game[:8]}"))
    return path


def like_bundle(kind: str) -> bytes:
    """The first bytes of the bundles that a bundle of this kind may replace; empty if there are
    none."""
    return b"" if kind == "join" else BEGIN + f"kind: {kind}\n".encode("ascii")


def write_out(path: str, data: bytes, *, like: bytes) -> None:
    """Write a command's output to a file, or to standard output for `-`; see `check_out`."""
    check_out(path, like=like)
    if path == "-":
        sys.stdout.buffer.write(data)
    else:
        files.write(Path(path), data)


def check_out(path: str | None, *, like: bytes) -> None:
    """Raise Refused if a command's output would replace a file of another kind.

    An existing file is replaced only if it begins with `like`, and never if `like` is empty. Files
    in a record, a seat or a host's folder are written only by their own commands.
    """
    if path is None or path == "-":
        return
    target = Path(path)
    place = target.parent.resolve() / target.name
    for folder in place.parents:
        seat = (folder / "seat.toml").is_file()
        host = all((folder / name).is_file() for name in ("master", "letters", "key"))
        record = (folder / names.INVITE).is_file()
        inside = place.relative_to(folder).as_posix()
        if seat or host or (record and names.is_ours(inside)):
            raise Refused(
                "exists",
                f"{path!a} would be in {str(folder)!a}, which holds only its own files",
                "name a file elsewhere",
            )
    if place.is_symlink() or (place.exists() and not (like and begins(place, like))):
        raise Refused(
            "exists",
            f"{path!a} is there already, and is not replaced",
            "name another file, or move that one away",
        )


def begins(path: Path, like: bytes) -> bool:
    """Whether it is a file that begins so."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(like)) == like


def say(*lines: str, to: str | None = None) -> None:
    """Print lines for people; on stderr if the bundle itself goes to standard output.

    Characters that the terminal cannot show, or that would steer it, are escaped: names of files
    may hold anything. Only colours pass.
    """
    stream = sys.stderr if to == "-" else sys.stdout
    encoding = stream.encoding or "utf-8"
    for line in lines:
        safe = _STEERS.sub(lambda found: ascii(found[0])[1:-1], line)
        click.echo(safe.encode(encoding, "backslashreplace").decode(encoding), err=to == "-")


_STEERS = re.compile(
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e"
    r"\u2066-\u2069\ufeff]"
)
"""Control characters but for tabs, line ends and colours; and those that turn a line round."""


def say_json(value: Any) -> None:
    """Print a value for programs: one JSON document, keys sorted."""
    import json

    click.echo(json.dumps(value, indent=2, sort_keys=True))


def warn(*texts: str) -> None:
    """Tell a person, on stderr, what they should see to, each thing once. What begins in capitals
    stands out by that, and is bold on a terminal."""
    for text in dict.fromkeys(texts):
        loud = is_loud(text)
        click.secho(text if loud else f"warning: {text}", err=True, fg="yellow", bold=loud)


TENTHS = 10


def tell_progress(played: int, count: int) -> None:
    """Tell on stderr how many of so many games are played, once for each tenth of them."""
    if played * TENTHS // count > (played - 1) * TENTHS // count:
        click.echo(f"{played} of {count} games", err=True)


def wanting(table: Table, now: Time) -> tuple[list[str], int]:
    """What a player must see to, the most urgent last, and the exit code that says so."""
    news, silence = list(table.news(ReadAt(now, here=True))), table.silence(now)
    said = [*news[::-1], silence] if silence else news[::-1]
    if table.old() or table.lacking() or silence:
        return said, 4
    return said, 3 if table.robbed else 0


# Questions.


def agreed(question: str, *, yes: bool, default: bool = False) -> None:
    """Ask once before what cannot be taken back; raises Exit, or where nobody is there to answer
    and the `default` is no, UsageError."""
    if yes or (default and not is_terminal()):
        return
    if not is_terminal():
        raise click.UsageError(f"{question} Nobody is here to answer: if it is meant, add -y")
    if not click.confirm(question, default=default, err=True):
        click.echo("Nothing is done.", err=True)
        raise click.exceptions.Exit(1)


def wanted(question: str, *, default: bool) -> bool:
    """Ask what can be asked again; who leaves the question does not want it."""
    try:
        return click.confirm(question, default=default)
    except click.Abort:
        say("")
        return False


def is_terminal() -> bool:
    """Whether a person is there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask_hidden(prompt: str) -> str:
    """What a person types at this prompt, not shown."""
    return str(click.prompt(prompt, hide_input=True, err=True, prompt_suffix=" "))


# Records and seats.


def open_seat(path: Path | None) -> Seat | None:
    """The seat in a folder; None if `path` is None. Raises Refused."""
    return None if path is None else seat_in(path)


def seat_in(path: Path) -> Seat:
    """The seat in a folder; raises Refused."""
    from adjudicator.player.seat import Seat

    return Seat.open(path)


def record_of(path: Path, *, absolute: bool = False) -> Record:
    """The record in a folder; raises Refused, quoting the path as typed, if there is none."""
    record = Record(path.absolute() if absolute else path)
    if not (path / names.INVITE).is_file():
        raise Refused(
            "missing",
            f"no game is in {str(path)!a}",
            "name its folder: -g FOLDER; to get a copy of a game: adjudicator join INVITATION",
        )
    return record


def source_of(path: Path, revision: str | None = None) -> Source:
    """The record in a folder, in a pack, or in a commit of its repository; raises Refused."""
    if revision is None:
        return Pack.open(path) if path.is_file() else record_of(path)
    from adjudicator.git.tree import record_at

    return record_at(path, revision)


def ledger_of(source: Source, seat: Seat | None = None) -> Ledger:
    """The verified game in a record, for a seat, for its host or for a stranger; raises Refused."""
    mark = None
    if seat is not None:
        mark = seat.mark(source)
    elif isinstance(source, Record) and (folder := host_folder(source)) is not None:
        mark = folder.mark()
    try:
        return Ledger.read(source, mark)
    except Missing as error:
        if error.path == names.entry(0):
            hosts = isinstance(source, Record) and host_folder(source) is not None
            name = read_offer(source).name
            raise Refused(
                "not-yet",
                f"the game has not begun here: its first file, {name}-0000.txt, is not here yet",
                "adjudicator start begins it" if hosts else "ask the host for it",
            ) from None
        raise


def host_folder(record: Record) -> HostFolder | None:
    """The host's folder beside a record; None if there is none, or it is somebody else's."""
    from adjudicator.host.folder import HostFolder

    folder = HostFolder(record.host)
    return folder if folder.is_of(record) else None


# Times and texts that people type.

_SPAN = re.compile(r"\+?((?:[0-9]{1,6}[wdhms])+)", re.ASCII)


def moment(text: str, now: Time, *, begins: bool = False) -> Time:
    """The time that a person means; raises click's BadParameter.

    A span such as `3d` or `2d12h` counts from now. `2026-11-30 18:00` is in this machine's own
    zone, or in that of a Z or an offset at its end. `2026-11-30` is the end of that day, or with
    `begins` its beginning.
    """
    span = _SPAN.fullmatch(text.strip())
    try:
        if span is not None:
            parts = re.findall(r"([0-9]+)([wdhms])", span[1])
            units = {**UNITS, "w": 7 * UNITS["d"]}
            return deadlines.add(now, sum(int(count) * units[unit] for count, unit in parts))
        time = datetime.fromisoformat(text.strip())
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text.strip()) and not begins:
            time += timedelta(days=1)
        return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        raise click.BadParameter(
            f"{text!a}: expected a span such as 3d or 36h, or a time such as "
            '2026-11-30, "2026-11-30 18:00" or 2026-11-30T18:00:00Z'
        ) from None


def now() -> Time:
    """This machine's time."""
    return SystemClock().now()


def reader() -> ReadAt:
    """The reader at this machine now."""
    return ReadAt(now(), here=True)


def check_reason(text: str) -> None:
    """Raise Refused unless a ruling's reason has 1 to 500 characters, all of them printable ASCII,
    as in entries. The error names the first character that is not allowed."""
    odd = re.search("[^ -~]", text)
    if odd is not None:
        raise Refused(
            "malformed",
            f"--reason: character {odd.start() + 1} is {named(odd[0])}, which no entry may hold",
            "write the reason in plain letters and signs",
        )
    if not 0 < len(text) <= 500:
        raise Refused("malformed", f"--reason has {len(text)} characters: write 1 to 500")


def read_seed(text: str) -> bytes:
    """The 32 bytes of a seed in hex digits, filled with zeros in front; raises BadParameter."""
    try:
        seed = bytes.fromhex("0" * (len(text) % 2) + text)
    except ValueError:
        raise click.BadParameter(f"--seed {text!a}: expected digits, 0 to 9 and a to f") from None
    if not 0 < len(seed) <= 32:
        raise click.BadParameter("--seed: expected 1 to 32 bytes")
    return seed.rjust(32, b"\0")


def print_findings(path: Path | str, found: Findings, *, verbose: bool = False) -> None:
    """Print the findings about a record, the verdict last."""
    *lines, conclusion = found.lines(shown(str(path)), verbose=verbose)
    say(*lines)
    click.secho(conclusion, fg=colour(found), bold=True)


def colour(found: Findings) -> str:
    """The colour of a verdict."""
    return {0: "green", 1: "red"}.get(found.code, "yellow")
