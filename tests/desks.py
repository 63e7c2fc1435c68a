"""A host's and two players' desks for the commands of mail; what the tests of both sides share."""

from __future__ import annotations

import stat
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

REFEREE = "referee@example.net"
OFFER = ("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--option", "first=alice",
         "--option", "press=private", "--option", "absence=7d", "--address", REFEREE,
         "--reserved")  # fmt: skip


def program(path: Path, text: str) -> Path:
    """A shell script in the place of sendmail."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class Desks:
    """One folder of the host's, in which players have folders of their own.

    `settings`: what the environment says, by the names of its variables after ADJUDICATOR_.
    """

    def __init__(self, table: Any, **settings: str) -> None:
        self.table = table
        self.root: Path = table.root
        self.settings = settings or {
            "MAIL_ADDRESS": REFEREE, "MAIL_IN": "maildir:box", "MAIL_OUT": "maildir:out"
        }  # fmt: skip

    def copy(self, root: Path) -> Desks:
        """The same in another folder."""
        return Desks(self.table.copy(root), **self.settings)

    def run(self, *words: str, given: bytes = b"", code: int = 0, **settings: str) -> Result:
        """A command at this desk, which ends with that code."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {**self.settings, **settings}.items():
                patch.setenv(f"ADJUDICATOR_{name}", value)
            done: Result = self.table.run(*words, given=given)
        assert done.exit_code == code, done.output
        return done

    def key(self, name: str) -> str:
        """Make a key; its fingerprint."""
        return str(self.table.key(name))

    def at(self, name: str) -> Desks:
        """A player's own desk, in a folder of theirs."""
        (self.root / name).mkdir(exist_ok=True)
        return Desks(type(self.table)(self.root / name), MAIL_ADDRESS=f"{name}@example.org")

    def offer(self) -> Desks:
        """A game that is offered to Alice and Bob."""
        self.key("host.key")
        self.run(*OFFER)
        more = ("--more", "alice@example.org", "--more", "bob@example.org")
        self.run("invite", "-g", "friday", "--players", "2", *more)
        return self

    def serve(self, *mails: bytes) -> None:
        """A turn for each of these mails, and one that sends what waits."""
        for mail in (*mails, None):
            self.sync(*([] if mail is None else [mail]))

    def sync(self, *mails: bytes, code: int = 0, more: tuple[str, ...] = (), **settings: str
             ) -> Result:  # fmt: skip
        """A turn of the host's office, with these mails in its mailbox."""
        self.maildir(*mails)
        return self.run("sync", "-g", "friday", *more, code=code, **settings)

    def maildir(self, *mails: bytes) -> None:
        """Put these mails into the host's mailbox."""
        for name in ("new", "cur", "tmp"):
            (self.root / "box" / name).mkdir(parents=True, exist_ok=True)
        for mail in mails:
            (self.root / "box" / "new" / sha256(mail).hexdigest()).write_bytes(mail)

    def sent(self, to: str) -> list[bytes]:
        """The mails that were sent to somebody."""
        found = [path.read_bytes() for path in sorted((self.root / "out" / "new").iterdir())]
        return [data for data in found if f"To: {to}".encode() in data]

    def joined(self, name: str) -> tuple[Desks, bytes]:
        """A player joins by their invitation: their desk, and the mail with the join."""
        (invitation,) = self.sent(f"{name}@example.org")
        own = self.at(name)
        own.key(f"{name}.key")
        own.run("join", "-", "--name", name, "--key", f"{name}.key", given=invitation)
        return own, (own.root / f"friday-{name}-join.eml").read_bytes()

    def begin(self) -> dict[str, Desks]:
        """Both join by mail, and take in the genesis that the host's mails bring."""
        self.offer().serve()
        desks, joins = {}, []
        for name in ("alice", "bob"):
            desks[name], mail = self.joined(name)
            joins.append(mail)
        self.serve(*joins)
        for name, own in desks.items():
            (mail,) = [one for one in self.sent(f"{name}@example.org") if b"entry 0" in one]
            own.run("take", given=mail)
        return desks
