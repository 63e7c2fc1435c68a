"""Adjudicating a record again, step by step, by the host's own code.

What belongs here: reading orders from their author's view, making every entry once more and
comparing bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from adjudicator.core import engine, intake
from adjudicator.core.engine import AcceptedOrder, NextEntry, UnlockedGame, unlock
from adjudicator.core.intake import ViewOf
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.source import Source
from games.dice import Dice
from games.game import View
from orders import names
from orders.documents import Slip
from orders.entries import Entry, Reveal
from orders.errors import Refused, at, claim
from orders.fields import digest
from orders.secrets import Master

OrderFiles = Callable[[Link, Slip], bytes]
"""Gives the order file of a slip that an entry uses; raises Missing or Refused."""


def opened(source: Source) -> OrderFiles:
    """The opened order files of a revealed record, each checked against its slip.

    The files of the last entry asked for are kept, because each is used twice: sealed again, then
    read.
    """

    held: tuple[Link | None, dict[str, bytes]] = (None, {})

    def read(link: Link, slip: Slip) -> bytes:
        nonlocal held
        if held[0] is not link:
            held = link, {}
        if slip.player not in held[1]:
            path = names.opened_order(link.step, slip.player)
            data = source.read(path)
            if digest(data) != slip.order:
                with claim("orders"):
                    raise Refused(
                        "unopenable", f"{path}: is not the order file that its slip signs"
                    )
            held[1][slip.player] = data
        return held[1][slip.player]

    return read


def sealed(game: UnlockedGame, source: Source) -> OrderFiles:
    """Order files, opened from the sealed ones in the host's own record."""

    def read(link: Link, slip: Slip) -> bytes:
        path = names.sealed_order(link.step, slip.player)
        with at(path):
            shared = game.shared(link.joins[slip.player])
            return intake.unseal_order(game.opening, shared, slip, source.read(path))

    return read


class Replay:
    """The positions of a game, made again from its orders, one after the other: `states`, by step.

    After a step that cannot be replayed there is no position, until a ruling goes back to an
    earlier one.
    """

    def __init__(self, game: UnlockedGame, begun: Link, files: OrderFiles) -> None:
        self.game = game
        self.files = files
        setup = game.opening.setup
        self.states: dict[int, Any] = {0: game.opening.game.start(setup)}
        self.last = begun
        self._views: tuple[Any, Mapping[str, View]] = (None, {})
        self._dice: Dice | None = None

    def state(self, step: int) -> Any:
        """The position that an entry left; raises Refused if it could not be replayed."""
        if step in self.states:
            return self.states[step]
        with claim("replay"):
            raise Refused("replay", f"{names.entry(step)}: its position could not be made again")

    def views(self, step: int) -> ViewOf:
        """The players' views of the position that an entry left; raises Refused."""
        return partial(self.game.opening.game.view, self.state(step))

    def play(self, link: Link) -> NextEntry:
        """The entry after the last one played, made again; raises Missing or Refused.

        `difference` says whether it is the entry that the record holds.
        """
        before = self.last
        self.skip(link)
        entry = link.entry
        ruling = entry.ruling
        if ruling is None:
            state = self.state(before.step)
            made = engine.adjudicate(
                self.game, self.dice(link), before, state, self._taken(link, state),
                str(entry.time), entry.press,
            )  # fmt: skip
        else:
            base = self.state(link.base)
            made = engine.rule(
                self.game, before, base, ruling, link.clocks, str(entry.time),
                joins=link.joins, slips=entry.slips,
            )  # fmt: skip
        self.states[link.step] = made.state
        self._views = made.state, made.views
        return made

    def skip(self, link: Link) -> None:
        """Go past one entry without replaying it; it leaves no position."""
        if link.step == self.last.step + 1:
            self.last = link

    def _taken(self, link: Link, state: Any) -> dict[str, AcceptedOrder]:
        """The orders that an entry uses, read from their authors' views; raises Refused."""
        taken = {}
        last, views = self._views
        for player, slip in link.slips.items():
            data = self.files(link, slip)
            # The last entry's report may already have needed it.
            view = views[player] if state is last else self.game.opening.game.view(state, player)
            with claim("orders"), at(names.opened_order(link.step, player)):
                read = intake.read_orders(self.game.opening, data, view)
            used = link.entry.slips[player]
            taken[player] = AcceptedOrder(used.digest, used.received, read)
        return taken

    def dice(self, link: Link) -> Dice:
        """The dice that the first adjudication fixes for good, by the nonces in its slips."""
        if self._dice is None:
            self._dice = self.game.dice(intake.nonces(link))
        return self._dice


def revealed(ledger: Ledger) -> Replay:
    """A revealed game at its genesis, to be replayed from its opened orders; raises Refused."""
    reveal = ledger.last.entry
    if not isinstance(reveal, Reveal):
        raise Refused("not-yet", "positions show after the reveal")
    game = unlock(ledger.opening, Master(bytes.fromhex(reveal.master)))
    return Replay(game, ledger.link(0), opened(ledger.source))


def difference(link: Link, made: NextEntry) -> Refused | None:
    """How an entry differs from the one made again; None if their bytes are equal."""
    if made.entry.render() == link.data:
        return None
    fault = _explained(link, made)
    fault.claim = "replay"
    return fault


def _explained(link: Link, made: NextEntry) -> Refused:
    """Where two entries differ.

    The bytes have decided; names of fields only explain: clocks and view first, digests last. If
    the positions differ, everything made from them differs too, so no report is blamed.
    """
    came, again, path = link.entry, made.entry, names.entry(link.step)
    same = isinstance(came, Entry) and came.state == again.state
    for player, right in again.reports.items() if same else ():
        there = came.reports[player]
        for what in ("digest", "sealed"):
            found, made_again = getattr(there, what), getattr(right, what)
            if found != made_again:
                kind = "report" if what == "digest" else "sealed report"
                return Refused(
                    "reports",
                    f"{path}: the {kind} of {player} is {found[:16]}, replayed {made_again[:16]}",
                )
    first = dict.fromkeys(("reserve", "awaited", "view", *Entry._fields))
    for key in sorted(first, key=("state", "reports").__contains__):
        there, right = getattr(came, key), getattr(again, key)
        if there != right:
            return Refused("replay", f"{path}: {key}: {_show(there)}; replayed: {_show(right)}")
    return Refused("replay", f"{path}: its tables are in another order than replayed")


def _show(value: object) -> str:
    if isinstance(value, Mapping):
        value = dict(value)
    return f"{value!a:.300}"
