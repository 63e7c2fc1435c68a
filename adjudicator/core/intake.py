"""How a host judges what players send, before anything is written.

The checks come in this order: size, signature, form, legality from the sender's view. None looks at
hidden state. Host and verifier read orders by the same function, so they use the same words for the
same fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from adjudicator.core import bundles, chain
from adjudicator.core.engine import UnlockedGame
from adjudicator.core.link import Earlier, Link
from adjudicator.core.opening import Offer, Opening, check_join
from adjudicator.core.source import Source
from games.game import OrderError, View, Written
from orders import names, sshsig
from orders.bundle import KINDS, Bundle
from orders.documents import Join, Receipt, Slip, read_slip
from orders.entries import read_entry
from orders.errors import Refused, at
from orders.fields import Digest, Time, digest
from orders.order_file import read_order_file
from orders.public_key import read_public
from orders.sealing import Place, Shared
from orders.sshsig import Signed


class Order(NamedTuple):
    """An order as it was sent: a slip, its file, and the sealed order file, None if absent."""

    slip: Slip
    file: Signed
    sealed: bytes | None

    @property
    def place(self) -> tuple[int, int]:
        """Step and revision. Of two orders of one player the one with the higher place counts."""
        return self.slip.step, self.slip.revision

    def files(self, step: int | None = None) -> dict[str, bytes]:
        """Its files under the record's names for the entry `step` that uses it (its own step)."""
        at_step = self.slip.step if step is None else step
        held = self.file.files(names.slip(at_step, self.slip.player))
        if self.sealed is not None:
            held[names.sealed_order(at_step, self.slip.player)] = self.sealed
        return held


def read_order_bundle(opening: Opening, joins: Mapping[str, Join], bundle: Bundle) -> Order:
    """The order in a bundle, once the slip's signature is checked; raises Refused, in a fixed form.

    `joins`: who sits in each seat now. Another game's order is `other-game`: it gets no receipt,
    since a signed refusal in this game would say something false about it. It is told so before the
    signature, which is by that game's key.
    """
    path, player, file, sealed = _order_files(bundle)
    game = opening.id
    with suppress(Refused):  # What is signed wrong is refused for that.
        game = read_slip(file.data).game
    if game != opening.id:
        raise Refused(
            "other-game",
            f"these orders are for another game ({game[:8]}..), not for {opening.offer.name}",
            "name that game's record; nothing was signed",
        )
    if player not in joins:
        raise Refused(
            "bad-signature", f"{path}: nobody in this game is called {player}", "check the game"
        )
    public = read_public(joins[player].key)
    with at(path):
        try:
            file.verify(public, sshsig.SLIP)
        except sshsig.OtherKey as error:
            fault = f"not signed with {player}'s key in this game, which is {public.fingerprint}"
            raise Refused(error.word, fault) from None
        return _order(path, file, sealed)


def own_order(bundle: Bundle) -> Order:
    """An order that this seat wrote and kept itself, so its signature is not checked; raises
    Refused."""
    path, _, file, sealed = _order_files(bundle)
    with at(path):
        return _order(path, file, sealed)


def _order_files(bundle: Bundle) -> tuple[str, str, Signed, bytes | None]:
    """The slip's path, its player by that path, the slip, and the sealed order file."""
    if bundle.kind != "order":
        raise Refused("bad-bundle", f"this block holds {KINDS[bundle.kind]}, and no orders")
    held = dict(bundle.files)
    slips = [path for path in held if path.startswith("slips/") and path.endswith(".toml")]
    name = names.parse(slips[0]) if len(slips) == 1 else None
    if name is None:
        raise Refused("bad-bundle", f"this block holds {len(slips)} slips, not one")
    path = slips[0]
    sealed_path = names.sealed_order(name.step, name.player)
    unknown = set(held) - {path, names.signature(path), sealed_path}
    if unknown:
        raise Refused("bad-bundle", f"{min(unknown)} is not part of an order of {name.player}")
    if names.signature(path) not in held:
        raise Refused("bad-signature", f"{path}: its signature is not beside it")
    file = Signed(held[path], held[names.signature(path)])
    return path, name.player, file, held.get(sealed_path)


def _order(path: str, file: Signed, sealed: bytes | None) -> Order:
    slip = read_slip(file.data)
    if names.slip(slip.step, slip.player) != path:
        raise Refused("malformed", f"the slip is of step {slip.step} and {slip.player}")
    return Order(slip, file, sealed)


def seal_order(
    opening: Opening, shared: Shared, step: int, player: str, revision: int, data: bytes
) -> bytes:
    """An order file sealed to the host: player and host get the same bytes."""
    place = Place("order", opening.id, step, player, revision, digest(data))
    return shared.seal(place, data, opening.sizes.order)


def unseal_order(opening: Opening, shared: Shared, slip: Slip, sealed: bytes) -> bytes:
    """The order file that a slip signs; raises Refused `unopenable` if the sealed file holds
    anything else."""
    place = Place("order", opening.id, slip.step, slip.player, slip.revision, slip.order)
    return shared.open(place, sealed, opening.sizes.order)


def read_orders(opening: Opening, data: bytes, view: View) -> Any:
    """The orders in an order file as the game reads them from its author's view.

    Raises Refused: `malformed` or `illegal`, the words of receipts.
    """
    _, file = read_order_file(data)
    try:
        return opening.game.read(view, Written(file.text))
    except OrderError as error:
        raise Refused(error.status, str(error), error.hint) from None


ViewOf = Callable[[str], View]
"""Gives a player's view of the position that the last entry left."""


def judge(
    game: UnlockedGame,
    link: Link,
    earlier: Earlier,
    view_of: ViewOf,
    order: Order,
    last: tuple[int, int],
) -> str:
    """The status for an order's receipt; `link` is the host's last entry.

    `last`: step and revision of the player's last accepted order, (0, 0) for none. Raises what
    `view_of` raises.
    """
    slip = order.slip
    if link.over:
        return "stale"
    try:
        chain.check_slip(game.opening, link, slip.player, slip, earlier)
    except Refused as error:
        return "malformed" if error.word == "nonce" else "stale"
    if order.place <= last:
        return "superseded"
    if order.sealed is None or digest(order.sealed) != slip.sealed:
        return "absent"
    # Outside the `try` below: if the host lacks a file, that is no fault of the order.
    view = view_of(slip.player)
    try:
        read_orders(game.opening, open_order(game, link, order), view)
    except Refused as error:
        return error.word if error.word in ("unopenable", "illegal") else "malformed"
    return "accepted"


def open_order(game: UnlockedGame, link: Link, order: Order) -> bytes:
    """The order file in an order's sealed file; raises Refused `unopenable`."""
    shared = game.shared(link.joins[order.slip.player])
    return unseal_order(game.opening, shared, order.slip, order.sealed or b"")


def receipt(game: Digest, link: Link, order: Order, status: str, time: Time) -> Receipt:
    """The receipt that answers an order of this game; `link` is the host's last entry."""
    slip = order.slip
    return Receipt(
        game, slip.step, slip.player, slip.revision, order.file.digest, time, link.step,
        link.digest, status,
    )  # fmt: skip


def used(source: Source, order: Order, last: int) -> Receipt | None:
    """The receipt of an order that an entry of the record uses; None where none does.

    It names the entry that the order answers: which one was the last then is not written there.
    """
    slip = order.slip
    for step in range(slip.step, last + 1):
        entry = read_entry(source.read(names.entry(step)))
        taken = entry.slips.get(slip.player)
        if taken is not None and taken.digest == order.file.digest:
            return Receipt(
                slip.game, slip.step, slip.player, slip.revision, taken.digest, taken.received,
                slip.step - 1, slip.head, "accepted",
            )  # fmt: skip
        if entry.ruling is None or not entry.ruling.moves_only:
            break
    return None


def read_join_bundle(offer: Offer, bundle: Bundle) -> tuple[Join, Signed]:
    """The join in a bundle, checked against the invite; raises Refused."""
    path, file = bundles.read_one("join", bundle)
    with at(path):
        join = check_join(offer, file)
        if names.join(join.player) != path:
            raise Refused("malformed", f"is the join of {join.player}")
    return join, file


def nonces(first: Link) -> dict[str, str]:
    """The nonces that the first adjudication's slips reveal, by player."""
    return {player: slip.nonce for player, slip in first.slips.items() if slip.nonce is not None}
