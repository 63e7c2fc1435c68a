"""What a player does with their copy of a game: join, look, order.

What belongs here: opening one's own reports, checking orders against one's own view, sealing and
signing them. What it must not know: hidden state, which this side does not have.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core import bundles, deadlines, intake, opening, report
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Offer, Opening
from adjudicator.core.report import Report
from adjudicator.core.source import Source
from games.game import OrderError, View, Written
from games.orders import not_yours
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Consent, Join, Private, Slip, read_join
from orders.entries import Reveal
from orders.errors import Missing, Refused
from orders.fields import Time, digest
from orders.order_file import OrderFile, read_order_file, read_typed
from orders.sealing import PRIVATE_SIZE, Shared, letter_info, room, seal_letter
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat
    from orders.keys import Signer


def join(
    offer: Offer, seat: Seat, signer: Signer, private: Private, *, mail: str | None = None
) -> Bundle:
    """A signed join of the seat's player; raises Refused.

    `private`: mail address and token, for the host alone. `mail`: "open" where the readable part of
    mails may hold this player's view.
    """
    opening.check_player(offer, seat.player, signer.public)
    sealed = None
    if private != Private():
        info = letter_info("private", offer.digest, 0, seat.player)
        letters = bytes.fromhex(offer.invite.letters)
        sealed = seal_letter(letters, info, private.render(), PRIVATE_SIZE)
    document = Join(
        invite=offer.digest,
        player=seat.player,
        key=signer.public.line,
        sealing=seat.secret.sealing().public.hex(),
        letters=seat.secret.letters().public.hex(),
        nonce=seat.secret.nonce_commitment,
        mail=mail,
        private=None if sealed is None else base64.b64encode(sealed).decode(),
    )
    data = document.render()
    file = Signed(data, signer.sign(sshsig.JOIN, data))
    if private.address is not None:
        seat.keep_address(private.address)
    return bundles.pack("join", file.files(names.join(seat.player)))


def consent(ledger: Ledger, signer: Signer, new: Bundle) -> Bundle:
    """The leaving player's consent that the player of a new join takes the seat now; raises
    Refused. It is void once they order again."""
    join, last = read_join(new.files[0][1]), ledger.last
    document = Consent(ledger.opening.id, last.step, last.digest, digest(new.files[0][1])).render()
    file = Signed.by(signer, sshsig.CONSENT, document)
    return bundles.pack("consent", file.files(f"consents/{join.player}.toml"))


class SignedOrder(NamedTuple):
    """Sealed and signed orders: the bundle, the orders, the slip."""

    bundle: Bundle
    file: OrderFile
    slip: Slip


class Seated:
    """One seat in a game under way, over a verified copy of the record."""

    def __init__(self, copy: Source, seat: Seat, ledger: Ledger | None = None) -> None:
        self.copy = copy
        self.seat = seat
        self._shared: Shared | None = None
        self.ledger = Ledger.read(copy, seat.mark(copy)) if ledger is None else ledger
        if seat.player not in self.opening.players:
            raise Refused("no-seat", f"{seat.player} has no seat in this game")
        if self.opening.offer.digest != seat.invite:
            raise Refused("no-seat", "the seat is for another invite")
        # A seat that was handed on sat earlier: for it alone all entries are read.
        if not seat.sits(self.last.joins) and not any(
            seat.sits(link.joins) for link in self.ledger.links()
        ):
            raise Refused(
                "no-seat",
                f"this seat is not {seat.player}'s in this game: {seat.player} joined with the "
                f"key {self.last.key(seat.player).fingerprint}",
                "look for the seat folder with which you joined; if that key is not yours, "
                "somebody joined in your name: tell the host",
            )
        if ledger is None:
            seat.keep_mark(self.ledger.mark)

    @property
    def opening(self) -> Opening:
        """The values fixed at genesis."""
        return self.ledger.opening

    @property
    def last(self) -> Link:
        """The last entry."""
        return self.ledger.last

    @property
    def step(self) -> int:
        """The number of the step that this seat's next orders are for."""
        return self.last.since + 1

    def shared(self) -> Shared:
        """The secret that this seat shares with the host."""
        if self._shared is None:
            invite = self.opening.offer.invite
            theirs = bytes.fromhex(invite.sealing)
            self._shared = self.seat.secret.sealing().agree(theirs, self.opening.id)
        return self._shared

    def report(self, step: int | None = None) -> Report:
        """This player's report of that step, or of the last one; raises Missing or Refused.

        Step 0 has no report: the result shows the view of the setup. The reveal has none either:
        the result is the report of the step before. A seat that was handed on can open the reports
        of its own time.
        """
        if step is None:
            step = self.last.step - isinstance(self.last.entry, Reveal)
        if step == 0:
            return report.start(self.opening, self.seat.player)
        link = self.ledger.link(step)
        entry, player = link.entry, self.seat.player
        if not self.seat.sits(link.joins):
            raise Refused("no-seat", f"another player had the seat of {player} in entry {step}")
        sealed = self.copy.read(names.report(step, player))
        data = report.unseal(self.opening, self.shared(), entry, player, sealed)
        return report.read(self.opening, entry, player, data)

    def ordered(self, link: Link) -> Written | None:
        """This player's orders that an entry used; None if it used none, or they are not kept."""
        slip = link.slips.get(self.seat.player)
        if slip is None or not self.seat.sits(link.joins):
            return None
        try:
            data = self.seat.order_file(slip.step, slip.revision)
        except Missing:
            return None
        return Written(read_order_file(data)[1].text)

    def read(self, typed: bytes, protest: str | None = None) -> OrderFile:
        """Orders as a person typed them, judged now as the host would.

        A player who protests that their report is missing or broken orders without it; then only
        the host can tell whether the orders are legal. Raises Refused, or OrderError with a line of
        the author's own file.
        """
        self._check_sits()
        opened = self.opening
        file, above = read_typed(typed, opened.id, self.step, self.seat.player)
        view = self._view(protest)
        try:
            if view is not None:
                opened.game.read(view, Written(file.text))
        except OrderError as error:
            # The author knows the line of their own file.
            error.line = None if error.line is None else error.line + above
            raise
        size = len(file.render("0" * 64))
        if size > room(opened.sizes.order):
            raise Refused(
                "too-big",
                f"the order file has {size} bytes, at most {room(opened.sizes.order)} are taken",
                "shorten the remarks",
            )
        return file

    def successor(self, new: Bundle) -> Join:
        """The join of somebody who would take this seat; raises Refused for any other bundle, and
        if the seat is not this player's to hand on."""
        self._check_sits()
        join, _ = intake.read_join_bundle(self.opening.offer, new)
        if join.player != self.seat.player:
            raise Refused(
                "no-seat", f"it is a join as {join.player}, but your seat is {self.seat.player}"
            )
        if self.seat.sits({join.player: join}):
            raise Refused("no-seat", "it is your own join")
        return join

    def _check_sits(self) -> None:
        if self.last.over:
            raise Refused("over", "the game is over")
        if not self.seat.sits(self.last.joins):
            raise Refused("no-seat", f"the seat of {self.seat.player} has been handed on")

    def _view(self, protest: str | None) -> View | None:
        """What this player sees now; None if they protest that their report is missing or
        broken."""
        try:
            return self.report(self.step - 1).view
        except Refused as error:
            if protest in ("report", "undelivered"):
                return None
            awaited = self.last.entry.awaited
            if self.seat.player not in awaited:
                raise Refused("illegal", not_yours(tuple(awaited))) from None
            lost = isinstance(error, Missing)
            what = f"your report of entry {self.step - 1} is not here" if lost else error.message
            hint = (
                f"ask the host: resend {self.step - 1}; or order without it and protest: --protest "
                f"{'undelivered' if lost else 'report'}"
            )
            raise Refused(error.word, what, hint) from None

    def order(
        self, file: OrderFile, signer: Signer, time: Time, protest: str | None = None
    ) -> SignedOrder:
        """Salt, seal and sign orders that `read` gave; raises Refused.

        The order file and the bundle are kept in the seat before anything is handed on, and no
        other process takes the same revision. `time`: the time now by this machine's clock.
        """
        opened, player, step = self.opening, self.seat.player, self.step
        if signer.public != self.last.key(player):
            raise Refused(
                "bad-key",
                f"the key is {signer.public.fingerprint}, "
                f"the join's {self.last.key(player).fingerprint}",
                "name the key with which you joined: --key",
            )
        with self.seat.files.locked():
            if self.last.first is None:
                self.seat.pin(opened.id)
            revision = self.seat.next_revision(step)
            data = file.render(self.seat.secret.salt(step, revision))
            sealed = intake.seal_order(opened, self.shared(), step, player, revision, data)
            slip = Slip(
                game=opened.id,
                step=step,
                player=player,
                revision=revision,
                time=deadlines.minute(time),
                head=self.ledger.link(step - 1).digest,
                order=digest(data),
                sealed=digest(sealed),
                nonce=self.seat.secret.nonce if self.last.first is None else None,
                protest=protest,
            )
            text = slip.render()
            held = Signed(text, signer.sign(sshsig.SLIP, text)).files(names.slip(step, player))
            bundle = bundles.pack("order", {**held, names.sealed_order(step, player): sealed})
            self.seat.keep_order(step, revision, data, bundle)
        return SignedOrder(bundle, file, slip)
