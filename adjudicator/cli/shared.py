"""What commands share: reading bundles and keys, writing bundles, what is a terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from adjudicator import files, install
from adjudicator.record import Record
from adjudicator.seat import Seat
from orders.bundle import Bundle, decode, encode
from orders.errors import Refused
from orders.keys import Signer, load_signer

LARGEST_BUNDLE = 12 * 2**20

RecordArgument = click.argument("record", type=click.Path(path_type=Path, file_okay=False))


InstallOption = click.option(
    "--install", metavar="SPEC", envvar="ADJUDICATOR_INSTALL",
    help=f"Where others get this program: {install.FORMS}",
)  # fmt: skip


def read_bundle(path: str) -> Bundle:
    """The bundle in a file, or on standard input for `-`; raises Refused."""
    if path == "-":
        data = sys.stdin.buffer.read(LARGEST_BUNDLE + 1)
    else:
        data = files.read(Path(path), LARGEST_BUNDLE)
    try:
        return decode(data)
    except Refused as error:
        hint = error.hint or "a bundle out of a mail: adjudicator mail read"
        raise Refused(error.word, f"{path}: {error.message}", hint) from None


def write_bundle(bundle: Bundle, path: str | None, default: str) -> str:
    """Write a bundle to a file (`-`: standard output); returns where, to be told."""
    target = default if path is None else path
    data = encode(bundle)
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        files.write(Path(target), data)
    return target


def say(text: str, *, to: str | None = None) -> None:
    """Tell something; on stderr where the bundle itself goes to standard output."""
    click.echo(text, err=to == "-")


def say_json(value: Any) -> None:
    """Print a value for programs: one JSON document, keys sorted."""
    click.echo(json.dumps(value, indent=2, sort_keys=True))


def signer(path: Path) -> Signer:
    """The SSH key, asking for its passphrase on a terminal only; raises Refused."""
    asks = sys.stdin.isatty() and sys.stderr.isatty()
    return load_signer(path, _ask if asks else None)


def _ask(prompt: str) -> str:
    return str(click.prompt(prompt, hide_input=True, err=True, prompt_suffix=" "))


def open_seat(path: Path | None) -> Seat | None:
    """The seat in a folder, None where none is named; raises Refused."""
    return None if path is None else Seat.open(path)


def record_of(path: Path) -> Record:
    """A record that is there; raises Refused."""
    record = Record(path)
    if not (path / "invite.toml").is_file():
        raise Refused(
            "missing",
            f"{str(path)!a} holds no record (no invite.toml)",
            "name the record's folder; adjudicator receive starts a copy from an invite's bundle",
        )
    return record
