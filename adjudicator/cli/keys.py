"""Which key somebody signs with, as it is found, asked for, or made for a new game."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli import settings
from adjudicator.cli.shared import ask_hidden, is_terminal, say
from orders.errors import Refused
from orders.keys import Signer, agent_keys, write_key
from orders.public_key import PublicKey

if TYPE_CHECKING:
    from adjudicator.player.seated import Seated

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


def own_signer(own: Seated, key: Path | None) -> Signer:
    """The seat's signer: with the given key, or else its own, or the one that it names; raises
    Refused."""
    seat = own.seat
    if key is None and (held := seat.signer()) is not None:
        return held
    return signer_of(own.last.key(seat.player), key, seat.key_path, seat.note_key)


def signer(path: Path) -> Signer:
    """The SSH key; it asks for the passphrase only on a terminal. Raises Refused."""
    from orders.keys import load_signer

    return load_signer(path, ask_hidden if is_terminal() else None)


def signer_of(
    public: PublicKey, given: Path | None, noted: Path, keep: Callable[[Path], None]
) -> Signer:
    """The signer with that key: in the file `given` or, without one, in the one `noted`.

    One that is not where it was noted is looked for by its fingerprint in ~/.ssh and in the agent,
    and then a person is asked. `keep` notes where the key is from now on; it is called if it was
    not where it was noted. Raises Refused.
    """
    path = noted if given is None else given
    if given is None and not noted.exists() and (moved := _elsewhere(public)) is not None:
        return moved
    if not path.exists() or path.is_dir():
        gone = f"your key {public.fingerprint} is not at {str(path)!a}"
        if given is None and is_terminal():
            asked = click.prompt(f"Y{gone[1:]} any more. Where is it", err=True)
            return signer_of(public, Path(asked).expanduser(), noted, keep)
        raise Refused(
            "bad-key",
            f"{gone}{' any more' * (given is None)}",
            "where is it? --key FILE (kept for next time)",
        )
    holder = signer(path)
    if holder.public == public and not noted.exists():
        keep(path)
    return holder


def _elsewhere(public: PublicKey) -> Signer | None:
    """The signer with that key, found in ~/.ssh or in the agent; None if it is in neither."""
    from orders.keys import AgentKey, agent_keys
    from orders.public_key import read_public_file

    for path in sorted(Path("~/.ssh").expanduser().glob("*.pub")):
        with suppress(Refused, OSError):
            if read_public_file(path.read_text("utf-8", "replace")[:4096]) == public:
                private = path.with_suffix("")
                return signer(private if private.exists() else path)
    return AgentKey(public) if public in agent_keys() else None
