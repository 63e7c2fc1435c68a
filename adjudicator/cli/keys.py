"""`keygen`."""

from __future__ import annotations

from pathlib import Path

import click

from orders.keys import write_key


@click.command(epilog="Example: adjudicator keygen alice.key")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--comment", default="", help="A remark in the public key's line.")
def keygen(file: Path, comment: str) -> None:
    """Make an OpenSSH Ed25519 key: FILE and FILE.pub, as ssh-keygen would.

    You can also use an Ed25519 key that you already have.
    """
    public = write_key(file, comment or file.stem)
    click.echo(f"{file}: the private key; keep it to yourself")
    click.echo(f"{file}.pub: the public key, {public.fingerprint}")
