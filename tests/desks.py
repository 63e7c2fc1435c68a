"""A host's and two players' desks for the commands of mail; what the tests of both sides share."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

REFEREE = "referee@example.net"
SERVE = ("mail", "serve", "friday", "--out", "maildir:out")
OFFER = ("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--option", "first=alice",
         "--option", "press=private", "--option", "absence=7d", "--mail", REFEREE,
         "--reserved")  # fmt: skip


class Desks:
    """One folder of the host's, in which players have folders of their own."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.root: Path = table.root

    def run(self, *words: str, given: bytes = b"", code: int = 0) -> Result:
        """A command at this desk, which ends with that code."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ADJUDICATOR_MAIL_ADDRESS", REFEREE)
            done: Result = self.table.run(*words, given=given)
        assert done.exit_code == code, done.output
        return done

    def at(self, name: str) -> Desks:
        """A player's own desk, in a folder of theirs."""
        (self.root / name).mkdir(exist_ok=True)
        return Desks(type(self.table)(self.root / name))

    def offer(self) -> Desks:
        """A game that is offered to Alice and Bob."""
        self.run("keygen", "host.key")
        self.run(*OFFER)
        self.run("mail", "invite", "friday", "--seats", "2", "alice@example.org", "bob@example.org")
        return self

    def serve(self, *mails: bytes) -> None:
        """A turn for each of these mails, and one that sends what waits."""
        for mail in (*mails, None):
            self.run(*SERVE, "--in", self.maildir(*([] if mail is None else [mail])), "--once")

    def maildir(self, *mails: bytes) -> str:
        """The host's mailbox with these mails, as `--in` names it."""
        for name in ("new", "cur", "tmp"):
            (self.root / "box" / name).mkdir(parents=True, exist_ok=True)
        for mail in mails:
            (self.root / "box" / "new" / sha256(mail).hexdigest()).write_bytes(mail)
        return "maildir:box"

    def sent(self, to: str) -> list[bytes]:
        """The mails that were sent to somebody."""
        found = [path.read_bytes() for path in sorted((self.root / "out" / "new").iterdir())]
        return [data for data in found if f"To: {to}".encode() in data]

    def joined(self, name: str) -> tuple[Desks, bytes]:
        """A player takes their invitation in and joins: their desk, and the mail with the join."""
        (invitation,) = self.sent(f"{name}@example.org")
        own = self.at(name)
        own.run("mail", "read", given=invitation)
        own.run("keygen", f"{name}.key")
        own.run("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key",
                "--address", f"{name}@example.org")  # fmt: skip
        own.run("mail", "wrap", "friday", f"friday-{name}-join.txt")
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
            own.run("mail", "read", given=mail)
        return desks


def git_play(desk: Any, name: str, *more: str) -> str:
    """A player clones the game in `remote.git` and joins."""
    own = ("--seat", f"{name}.seat", "--key", f"{name}.key", "--record", f"{name}-copy")
    return str(desk.ok("git", "play", "remote.git", *own, *more))
