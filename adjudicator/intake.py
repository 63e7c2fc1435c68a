"""What a host makes of what players send: pure judgement, before anything is written.

Sizes before parsing, signature before content, then form, then legality from the sender's view;
never by what hidden state says. What it must not know: folders, clocks, the master but its key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudicator import chain
from adjudicator.chain import Link
from adjudicator.opening import Offer, Opening, check_join
from adjudicator.record import Source
from adjudicator.replay import open_order, read_opened, written
from games.game import OrderError, View
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Join, Receipt, Slip, read_slip
from orders.entries import Entry, read_entry
from orders.errors import Refused, at
from orders.fields import Digest, Time, digest
from orders.sealing import SealingKey


@dataclass(frozen=True, slots=True)
class Sent:
    """An order bundle whose slip is validly signed; `sealed` is None where the bundle has none."""

    slip: Slip
    slip_data: bytes
    signature: bytes
    sealed: bytes | None

    def files(self) -> dict[str, bytes]:
        """Its files under the record's names."""
        path = names.slip(self.slip.step, self.slip.player)
        sealed = names.sealed_order(self.slip.step, self.slip.player)
        held = {path: self.slip_data, names.signature(path): self.signature}
        return held if self.sealed is None else {**held, sealed: self.sealed}


def read_order_bundle(opening: Opening, bundle: Bundle) -> Sent:
    """An order bundle's files, the slip's signature checked; raises Refused, in a fixed form."""
    if bundle.kind != "order":
        raise Refused("bad-bundle", f"a bundle of kind {bundle.kind}: expected an order")
    held = dict(bundle.files)
    slips = [
        (path, name)
        for path in held
        if (name := names.parse(path)) and name.kind == "slip" and not name.signature
    ]
    if len(slips) != 1:
        raise Refused("bad-bundle", f"{len(slips)} slips in a bundle: expected one")
    path, name = slips[0]
    player = name.player or ""
    sealed_path = names.sealed_order(name.step or 0, player)
    unknown = set(held) - {path, names.signature(path), sealed_path}
    if unknown:
        raise Refused("bad-bundle", f"{min(unknown)} belongs into no order of {player}")
    if player not in opening.keys:
        raise Refused(
            "bad-signature", f"{path}: nobody in this game is called {player}", "check the game"
        )
    if names.signature(path) not in held:
        raise Refused("bad-signature", f"{path}: its signature is not in the bundle")
    with at(path):
        sshsig.verify(opening.keys[player], sshsig.SLIP, held[path], held[names.signature(path)])
        slip = read_slip(held[path])
        if (slip.step, slip.player) != (name.step, player):
            raise Refused("malformed", f"the slip is of step {slip.step} and {slip.player}")
    return Sent(slip, held[path], held[names.signature(path)], held.get(sealed_path))


def judge(
    opening: Opening,
    key: SealingKey,
    link: Link,
    view_of: Callable[[str], View],
    sent: Sent,
    last_revision: int,
) -> str:
    """The status that a slip's receipt has, given the last entry and the last accepted revision."""
    slip = sent.slip
    if link.over:
        return "stale"
    try:
        chain.check_slip(opening, link, slip.player, slip)
    except Refused as error:
        return "malformed" if error.word == "nonce" else "stale"
    if slip.revision <= last_revision:
        return "superseded"
    try:
        read_orders(opening, key, slip, sent.sealed, view_of(slip.player))
    except Refused as error:
        return "unopenable" if error.word == "unopenable" else "malformed"
    except OrderError as error:
        return error.status
    return "accepted"


def read_orders(
    opening: Opening, key: SealingKey, slip: Slip, sealed: bytes | None, view: View
) -> Any:
    """The orders that a slip's sealed file holds, as the game reads them from that view.

    Raises Refused (`unopenable`, `malformed`, `too-big`) or OrderError.
    """
    if sealed is None or digest(sealed) != slip.sealed:
        raise Refused("unopenable", "the sealed order file is not there or is another")
    data = open_order(opening, key, slip.step, slip.player, sealed)
    if digest(data) != slip.order:
        raise Refused("unopenable", "what the sealed file holds is not the order file of the slip")
    file = read_opened(opening, slip.step, slip.player, data)
    return opening.game.read(view, written(file))


def receipt(opening: Opening, slip: Slip, slip_digest: Digest, status: str, time: Time) -> Receipt:
    """The receipt that answers a slip.

    It names this game, whatever the slip names: otherwise a slip of another game, sent here, would
    get its sender a refusal that is false there.
    """
    return Receipt(opening.id, slip.step, slip.player, slip.revision, slip_digest, time, status)


def read_join_bundle(offer: Offer, bundle: Bundle) -> Join:
    """The join in a bundle, checked against the invite; raises Refused."""
    if bundle.kind != "join":
        raise Refused("bad-bundle", f"a bundle of kind {bundle.kind}: expected a join")
    paths = [path for path, _ in bundle.files]
    held = dict(bundle.files)
    if len(paths) != 2 or names.signature(paths[0]) != paths[1]:
        raise Refused("bad-bundle", "expected a join and its signature")
    with at(paths[0]):
        join = check_join(offer, held[paths[0]], held[paths[1]])
        if names.join(join.player) != paths[0]:
            raise Refused("malformed", f"is the join of {join.player}")
    return join


def nonces(source: Source) -> dict[str, str]:
    """The nonces that entry 1's slips reveal, by player."""
    entry = read_entry(source.read(names.entry(1)))
    if not isinstance(entry, Entry):
        return {}
    slips = {player: read_slip(source.read(names.slip(1, player))) for player in entry.slips}
    return {player: slip.nonce for player, slip in slips.items() if slip.nonce is not None}
