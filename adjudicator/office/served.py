"""The games of a mailbox, and what all that is done for them shares: what acts of a referee see of
the office."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.logins import fault_of
from adjudicator.mail.mime import Mail
from adjudicator.office.copies import Copies
from adjudicator.office.game import HostMail
from adjudicator.office.outbox import Outbox, Post
from adjudicator.office.register import Register
from adjudicator.store.clock import Clock
from orders.errors import Refused
from orders.fields import digest

STILL = ("ahead", "clock")
"""Words of refusals at which a game stands still: the host's machine is at fault, and no mail."""

SERVED = "games served"
"""The note of the games that were served before."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, by which mail: answers go to the address `to`. `proven`: they read there, as they
    answer a mail of ours. `does`: the token of the mail to which they said yes; "": none."""

    mail: Mail
    to: str
    proven: bool
    does: str = ""

    @property
    def origin(self) -> str:
        """What names the act: done again, it is the same one. It is told to others, so it is no
        token."""
        return digest(self.does.encode()) if self.does else self.mail.digest


class Served:
    """The games behind one mailbox, and the outbox that they share.

    `again`: which entries of a game that this state does not know are mailed: `all`, `last` or
    `none`; "": refuse it. `faults`: a line for each record that cannot be opened; `broken`: the
    games of those that do not hold.
    """

    def __init__(
        self, outbox: Outbox, address: str, clock: Clock, again: str, faults: Sequence[str]
    ) -> None:
        self.outbox, self.address, self.clock, self.again = outbox, address, clock, again
        self.post, self.copies = Post(outbox, address, clock), Copies(outbox)
        self.register = Register(outbox)
        self.games: list[HostMail] = []
        self.broken: list[HostMail] = []
        self.faults = list(faults)
        self.looked = ""
        """Up to where the copies were searched in this turn."""
        self.waits: list[tuple[HostMail, str]] = []
        """What the answers to the mail that is looked at wait for."""
        self.stopped: dict[HostMail, str] = {}
        """Games that do not go on in this turn, and why; "": another machine was first."""

    @property
    def known(self) -> list[HostMail]:
        """The games, and those whose records do not hold."""
        return [*self.games, *self.broken]

    def open(self, game: HostMail) -> None:
        """Verify a game's record; if it does not hold, its fault is noted and the game waits."""
        try:
            game.ready(self.outbox.told(game.id))
            if self.outbox.told(game.id) < 0:
                self._meet(game)
            self.games.append(game)
        except Exception as error:
            self.faults.append(f"{game.name}: its record does not hold: {fault_of(error)}")
            self.broken.append(game)

    def welcome(self, game: HostMail) -> None:
        """Serve a game that is offered in this turn: no mail that was set aside can be for it."""
        self.open(game)
        if game in self.games:
            # It is new, so there is no copy of it yet.
            self.copies.searched([game], self.looked)
        served = self.outbox.noted(SERVED).split()
        if game.id not in served:
            self.outbox.keep_note(SERVED, " ".join([*served, game.id]))

    def _meet(self, game: HostMail) -> None:
        """A game that this state does not know: its entries were told from elsewhere, or never.
        Raises Refused where the host must say which."""
        last = -1 if game.host is None else game.host.last.step
        known = {"all": -1, "last": last - 1, "none": last}.get(self.again)
        if last > 0 and known is None:
            raise Refused(
                "missing",
                f"this mail state knows nothing of a game at entry {last}: was it moved without "
                "its state? Say which entries are mailed: --tell-again all, last or none",
            )
        if known is not None and known >= 0:
            self.outbox.tell(game.id, known)

    def drop(self, game: HostMail) -> None:
        """Serve a game no more, as another machine was first to offer one of its name."""
        self.games.remove(game)
        self.stopped[game] = ""

    def seats_of(self, mail: Mail) -> list[tuple[HostMail, str]]:
        """The seats whose signed address is the mail's From."""
        return [] if mail.sender is None else self.seats_at(mail.sender)

    def seats_at(self, address: str) -> list[tuple[HostMail, str]]:
        """The seats with that signed address."""
        return [(game, player) for game in self.games for player in game.players_at(address)]
