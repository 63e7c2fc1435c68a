"""One order: the only way from what its author signs to what the game reads.

What belongs here: sealing and opening order files, and reading them from their author's view. Host
and verifier call the same function, so they use the same words for the same fault.
"""

from __future__ import annotations

from typing import Any

from adjudicator.core.opening import Opening
from games.game import OrderError, View, Written
from orders.documents import Slip
from orders.errors import Refused
from orders.fields import digest
from orders.order_file import read_order_file
from orders.sealing import Place, Shared


def seal(
    opening: Opening, shared: Shared, step: int, player: str, revision: int, data: bytes
) -> bytes:
    """An order file sealed to the host: player and host get the same bytes."""
    place = Place("order", opening.id, step, player, revision, digest(data))
    return shared.seal(place, data, opening.sizes.order)


def unseal(opening: Opening, shared: Shared, slip: Slip, sealed: bytes) -> bytes:
    """The order file that a slip signs; raises Refused `unopenable` if the sealed file holds
    anything else."""
    place = Place("order", opening.id, slip.step, slip.player, slip.revision, slip.order)
    return shared.open(place, sealed, opening.sizes.order)


def read(opening: Opening, data: bytes, view: View) -> Any:
    """The orders in an order file as the game reads them from its author's view.

    Raises Refused: `malformed` or `illegal`, the words of receipts.
    """
    _, file = read_order_file(data)
    try:
        return opening.game.read(view, Written(file.text))
    except OrderError as error:
        raise Refused(error.status, str(error), error.hint) from None
