"""What a player does over their copy of a record: join, look, order.

What belongs here: opening one's own reports, checking orders against one's own view, sealing and
signing them. What it must not know: hidden state, which is not here to be known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator import bundles, opening
from adjudicator.opening import Offer, Opening
from adjudicator.record import Record, Source
from adjudicator.replay import written
from adjudicator.seat import Seat
from adjudicator.signed import read_signed
from games.game import EVERYONE, View
from orders import canonical, names, sshsig
from orders.bundle import Bundle, encode
from orders.documents import Join, Slip
from orders.entries import AnyEntry, Entry, Genesis, Reveal, read_entry
from orders.errors import Refused, at
from orders.fields import check_name, digest
from orders.keys import Signer
from orders.order_file import OrderFile, read_authored, salted
from orders.sealing import info, seal, unseal

SALT_LINE = 74
"""The bytes of the line that the tool puts in front of an order file."""

ADDRESS_SIZE = 512
"""The padded size of a sealed address."""


@dataclass(frozen=True, slots=True)
class Report:
    """A player's report of one step, opened: their view, and the events that they heard."""

    step: int
    view: View
    events: tuple[Mapping[str, Any], ...]
    data: bytes


def join(
    offer: Offer,
    seat: Seat,
    signer: Signer,
    *,
    address: str | None = None,
    mail: str | None = None,
) -> Bundle:
    """A signed join of the seat's player; raises Refused."""
    opening.check_player(offer, seat.player, signer.public)
    sealed = None if address is None else seal_address(offer, seat.player, address)
    document = Join(
        invite=offer.digest,
        player=seat.player,
        key=signer.public.line,
        sealing=seat.secret.sealing().public.hex(),
        nonce=seat.secret.nonce_commitment,
        mail=mail,
        address=sealed,
    )
    data = document.render()
    path = names.join(seat.player)
    signature = signer.sign(sshsig.JOIN, data)
    return bundles.pack("join", {path: data, names.signature(path): signature})


def seal_address(offer: Offer, player: str, address: str) -> str:
    """A mail address sealed to the invite's `letters`, base64; raises Refused."""
    import base64

    if len(address) > 254 or not address.isascii() or "@" not in address or " " in address:
        raise Refused("malformed", f"{address[:80]!a} is no mail address")
    letters = bytes.fromhex(offer.invite.letters)
    place = info("letter", offer.digest, 0, check_name(player))
    return base64.b64encode(seal(letters, place, address.encode(), ADDRESS_SIZE)).decode("ascii")


class Seated:
    """One seat in a game under way. Reads the record afresh; holds no state of its own."""

    def __init__(self, record: Record, seat: Seat) -> None:
        self.record = record
        self.seat = seat
        self.opening: Opening = opening.read_opening(record)
        if seat.player not in self.opening.players:
            raise Refused("no-seat", f"{seat.player} has no seat in this game")
        if self.opening.offer.digest != seat.invite:
            raise Refused("no-seat", "the seat is for another invite")

    def last(self) -> AnyEntry:
        """The last entry; raises Refused."""
        path = names.entry(self.record.last_step() or 0)
        data = read_signed(self.record, self.opening.offer.host, sshsig.ENTRY, path)
        with at(path):
            return read_entry(data)

    def report(self, step: int | None = None) -> Report:
        """This player's report of that step, or of the last one; raises Missing or Refused.

        Step 0 and the reveal have none: for those it is the view of the setup, and the step before.
        """
        if step is None:
            last = self.last()
            step = last.step - 1 if isinstance(last, Reveal) else last.step
        if step == 0:
            game, setup = self.opening.game, self.opening.setup
            return Report(0, game.view(game.start(setup), self.seat.player), (), b"")
        return read_report(self.opening, self.seat, self.record, step)

    def check(self, authored: bytes) -> OrderFile:
        """An order file as the host would judge it now; raises Refused or OrderError.

        `authored`: as `order_text.below_cut` gives it.
        """
        last = self.last()
        limit = self.opening.offer.invite.sizes.order - 4 - SALT_LINE
        file = read_authored(authored, self.opening.game.tables, limit)
        expected = (self.opening.id, last.step + 1, self.seat.player)
        if (file.game, file.step, file.player) != expected:
            raise Refused(
                "stale",
                f"the order file is for step {file.step} of game {file.game[:8]} by {file.player}; "
                f"expected step {expected[1]} of game {expected[0][:8]} by {expected[2]}",
                "adjudicator template writes a fresh one",
            )
        if not isinstance(last, Genesis) and not getattr(last, "awaited", {}):
            raise Refused("over", "the game is over")
        self.opening.game.read(self.report().view, written(file))
        return file

    def order(self, authored: bytes, signer: Signer, protest: str | None = None) -> Bundle:
        """Check, salt, seal and sign an order file: an order bundle. Raises Refused, OrderError.

        The salted file and the bundle are kept in the seat folder before anything is handed on.
        """
        step = self.check(authored).step
        if signer.public != self.opening.keys[self.seat.player]:
            raise Refused("bad-key", f"the key is {signer.public.fingerprint}, not the join's")
        if step == 1:
            self.seat.pin(self.opening.id)
        revision = max(self.seat.revisions(step), default=0) + 1
        if revision > 99:
            raise Refused("superseded", "99 revisions of this step's orders have been written")
        invite = self.opening.offer.invite
        player = self.seat.player
        content = salted(self.seat.secret.salt(step, revision), authored)
        sealed = seal(
            bytes.fromhex(invite.sealing),
            info("order", self.opening.id, step, player),
            content,
            invite.sizes.order,
        )
        head = digest(self.record.read(names.entry(step - 1)))
        nonce = self.seat.secret.nonce if step == 1 else None
        slip = Slip(
            self.opening.id,
            step,
            player,
            revision,
            head,
            digest(content),
            digest(sealed),
            nonce,
            protest,
        ).render()
        path = names.slip(step, player)
        bundle = bundles.pack(
            "order",
            {
                path: slip,
                names.signature(path): signer.sign(sshsig.SLIP, slip),
                names.sealed_order(step, player): sealed,
            },
        )
        self.seat.keep_order(step, revision, content, encode(bundle))
        return bundle


def read_report(opened: Opening, seat: Seat, source: Source, step: int) -> Report:
    """The seat's report of that step; raises Missing or Refused where it is not as it must be."""
    path = names.report(step, seat.player)
    with at(path):
        data = unseal(
            seat.secret.sealing(),
            info("report", opened.id, step, seat.player),
            source.read(path),
            opened.offer.invite.sizes.report,
        )
        values = canonical.loads(data)
        expected = {"game": opened.id, "step": step, "player": seat.player}
        if not isinstance(values, dict) or any(values.get(k) != v for k, v in expected.items()):
            raise Refused("mismatch", "the report is of another game, step or player")
        view, events = values.get("view"), values.get("events")
        if not isinstance(view, dict) or not isinstance(events, list):
            raise Refused("malformed", "the report holds no view or no events")
        if not all(isinstance(event, dict) for event in events):
            raise Refused("malformed", "the report holds events that are no tables")
        shown = View(opened.setup, seat.player, view)
        _check_shown(opened, shown, events)
        return Report(step, shown, tuple(events), data)


def _check_shown(opened: Opening, view: View, events: list[Mapping[str, Any]]) -> None:
    """Whether the game can show a report: whoever looks at it later counts on it."""
    game = opened.game
    try:
        game.draw(view)
        game.legal(view)
        for event in events:
            game.news(event)
    except Exception:
        raise Refused(
            "malformed", f"what the host sent is no view or no event of {game.id}"
        ) from None


def check_report(report: Report, entry: Entry, name: str) -> None:
    """Whether a report is the one that its entry names and tells its public events.

    Raises Refused `reports`.
    """
    path = names.report(entry.step, name)
    if digest(report.data) != entry.reports[name].digest:
        raise Refused("reports", f"{path}: what it holds has not the digest that the entry names")
    public = [event for event in report.events if event.get("for") == EVERYONE]
    agree = len(public) == len(entry.events) and all(
        mine.get(key) == value
        for mine, theirs in zip(public, entry.events, strict=True)
        for key, value in theirs.items()
    )
    if not agree:
        raise Refused("reports", f"{path}: its public events are not those of the entry")
