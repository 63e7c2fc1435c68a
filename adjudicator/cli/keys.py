"""Which key somebody signs with, as it is found or made for a new game."""

from __future__ import annotations

import os
from pathlib import Path

import click

from adjudicator.cli import settings
from adjudicator.cli.shared import is_terminal, say, signer
from orders.errors import Refused
from orders.keys import Signer, agent_keys, write_key
from orders.public_key import PublicKey

USUAL = Path("~/.ssh/id_ed25519")

_LINKS = "whoever sees one key in several games knows that one person played them"


def found(given: Path | None, new: Path, *, yes: bool) -> tuple[Signer, Path]:
    """The signer for a new game, and its key's file; raises Refused.

    It is the given key, the one in the settings, the usual one of ssh, or one that the agent holds;
    without any, one is made as the file `new`, if its user agrees. One that was not named is told
    with its fingerprint. Of several in the agent none is taken without asking. A file `new` that is
    there was made by a command that was refused then, and is used.
    """
    named = settings.get("key") if given is None else str(given)
    if named is not None:
        path = Path(named).expanduser()
        return signer(path), path
    for path in (USUAL.expanduser(), new):
        if path.is_file():
            return _told(signer(path), path)
    held = agent_keys()
    if held:
        public = held[0] if len(held) == 1 else _chosen(held)
        path = new.with_name(f"{new.name}.pub")
        path.write_text(f"{public.line}\n", encoding="ascii")
        return _told(signer(path), path)
    question = f"No key of yours is here. Make one for this game, {new}?"
    if not yes and not (is_terminal() and click.confirm(question, default=True, err=True)):
        raise Refused(
            "bad-key", "no key of yours is here",
            f"name one: --key FILE; or let one be made for this game ({new}): --yes",
        )  # fmt: skip
    public = write_key(new, new.stem)
    say(f"{new}: your key for this game. Keep it to yourself, and back it up")
    say(f"  {public.fingerprint}")
    return signer(new), new


def _told(holder: Signer, path: Path) -> tuple[Signer, Path]:
    shown = os.path.relpath(path) if path.name.endswith(".pub") else str(path)
    say(f"{shown}: the key that you sign with, {holder.public.fingerprint} ({_LINKS})")
    return holder, path


def _chosen(held: tuple[PublicKey, ...]) -> PublicKey:
    by_print = {public.fingerprint: public for public in held}
    if not is_terminal():
        known = ", ".join(by_print)
        raise Refused("bad-key", f"the ssh-agent holds several keys: {known}", "name one: --key")
    say(f"The ssh-agent holds several keys, and {_LINKS}.", to="-")
    return by_print[str(click.prompt("Which", type=click.Choice(list(by_print)), err=True))]
