"""A host at the command line, and players at the page's desks, over real mails."""

from __future__ import annotations

import base64
from typing import Any

from desks import REFEREE, Desks

from adjudicator.page.play import Play
from adjudicator.store.clock import now

PASSPHRASE = "sugar dog silent ships"

PRESS = ("--option", "press=private")


class Posted:
    """A game by mail; each player has a desk of the page, and takes every mail in twice."""

    def __init__(self, table: Any, game: str = "sugar-dog", *options: str) -> None:
        self.host = Desks(table)
        self.host.key("host.key")
        self.host.run("invite", game, "--key", "host.key", "-o", "friday", "--address", REFEREE,
                      "--reserved", *options)  # fmt: skip
        more = ("--more", "alice@example.org", "--more", "bob@example.org")
        self.host.run("invite", "-g", "friday", "--players", "2", *more)
        self.host.serve()
        self.desks = {"alice": Play(), "bob": Play()}
        self.seen = 0

    def mails(self, name: str) -> list[bytes]:
        """All mails to a player, in any order."""
        return self.host.sent(f"{name}@example.org")

    def mail(self, name: str, kind: str) -> bytes:
        """The one mail to a player that brings a bundle of that kind."""
        (found,) = [one for one in self.mails(name) if f"kind: {kind}".encode() in one]
        return found

    def begin(self) -> Posted:
        """Both join, and take the genesis in."""
        joins = []
        for name, desk in self.desks.items():
            (invitation,) = self.mails(name)
            told = desk.take(now(), invitation)
            assert told["stage"] == "invited"
            send = desk.join(now(), name, PASSPHRASE, f"{name}@example.org", told["token"])["send"]
            joins.append(base64.b64decode(send["mail"]))
        self.host.serve(*joins)
        self.deliver()
        return self

    def deliver(self) -> None:
        """Everybody takes in every mail that they were ever sent: nothing is new but the last."""
        for name, desk in self.desks.items():
            for mail in self.mails(name):
                told = desk.take(now(), mail)
                assert not told["warnings"], told["warnings"]

    def order(self, name: str, text: str) -> dict[str, Any]:
        """A player orders; the mail goes to the host."""
        told = self.desks[name].order(now(), text)
        self.host.serve(base64.b64decode(told["send"]["mail"]))
        return told

    def heir(self, name: str, seat: str) -> tuple[Play, str]:
        """Somebody invited now who joins to take that seat over: their desk, and their join."""
        self.host.run("invite", "-g", "friday", "--more", f"{name}@example.org")
        self.host.serve()
        desk = Play()
        asked = desk.take(now(), self.mail(name, "invite"))
        send = desk.join(now(), seat, PASSPHRASE, f"{name}@example.org", asked["token"])["send"]
        self.host.serve(base64.b64decode(send["mail"]))
        return desk, send["text"]

    def hand_on(self, join: str, consent: str) -> str:
        """The host rules that a seat changes hands, and mails that; what the host was told."""
        for name, text in (("join", join), ("consent", consent)):
            (self.host.root / f"{name}.txt").write_text(text)
        told = self.host.run("rule", "-y", "-g", "friday", "--hand-on", "join.txt", "--consent",
                             "consent.txt", "--reason", "She has left")  # fmt: skip
        self.host.serve()
        return told.stdout

    def round(self, resigns: str = "") -> None:
        """Who is awaited orders as the captain would, or resigns; then all mails come."""
        for name, desk in self.desks.items():
            if desk.state()["mine"]:
                self.order(name, "resign" if name == resigns else desk.hint()["orders"])
        self.deliver()
