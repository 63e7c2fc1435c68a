"""A side of a duel made again from its player's secret and the documents, move for move.

The same function serves play and audit. A player's tool makes its own side again whenever it needs
it, so a seat is 32 bytes and the moves. And once a secret is open, everybody makes that side again:
each move is a function of its author's secret and orders, and of the moves before it. The first
move that differs names its signer. An honest player's side, made again from the same lies that they
were told, comes to the same moves; so nobody who did not lie is ever named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.duel import written
from adjudicator.duel.row import Row
from adjudicator.duel.side import Side
from games.duel import Untrue
from games.game import OrderError, Player, Written
from orders.duel import Move, open_orders, seal_orders
from orders.errors import Refused
from orders.fields import Digest
from orders.secrets import DuelSecret

_QUOTED = 80
"""Characters of a fact that is quoted whole."""


class Lie(NamedTuple):
    """What cannot be, in which move (0: offer or accept), and who signed that."""

    number: int
    player: Player
    text: str

    @property
    def where(self) -> str:
        """The document, in words."""
        return f"move {self.number}" if self.number else "what began the duel"

    def __str__(self) -> str:
        return f"{self.where}, signed by {self.player}: {self.text}"


class Again(NamedTuple):
    """A side as it is after the last document, or up to the first lie that it meets."""

    side: Side | None
    lie: Lie | None

    def copy(self) -> Again:
        """The same, which goes on apart."""
        return self if self.side is None else Again(self.side.copy(), self.lie)


def side_of(row: Row, player: Player, secret: DuelSecret) -> Again:
    """That player's side after all moves. Raises Refused `not-yet` if it cannot begin."""
    made = begin(row, player, secret, row.nonce_for(player, secret))
    for number, move in enumerate(row.moves, 1):
        made = follow(made, move, row.author_of(number))
    return made


def begin(row: Row, player: Player, secret: DuelSecret, nonce: str) -> Again:
    """That player's side before the first move. `nonce`: what the offer's author releases."""
    assert row.accept is not None  # noqa: S101 - there is a nonce only behind it
    member, other = row.member(player), row.other(player)
    nonces = {row.offer.player: nonce, row.accept.player: row.accept.nonce}
    if member.sealing != secret.sealing().public:
        return Again(None, Lie(0, player, "its key for moves does not come from the secret"))
    if nonces[player] != secret.release(1):
        return Again(None, Lie(0, player, "its nonce does not come from the secret"))
    try:
        first = opened(secret, 1, member.orders, row.room)
        setup = row.setup_by(nonce)
        side = Side(row.game, setup, player, secret, nonces[other.name], first)
    except Refused as error:
        return Again(None, Lie(0, player, error.message))
    except OrderError as error:
        return Again(None, Lie(0, player, f"its orders are refused: {error}"))
    return Again(side, None)


def follow(made: Again, move: Move, author: Player) -> Again:
    """The side after one more move, which its player made or the other."""
    side = made.side
    if side is None or made.lie is not None:
        return made
    try:
        if author == side.player:
            _remake(side, move)
        else:
            side.take(move.facts, len(move.orders))
    except (Untrue, OrderError) as error:
        return Again(side, Lie(move.number, author, str(error)))
    except Refused as error:
        return Again(side, Lie(move.number, author, error.message))
    return made


def _remake(side: Side, move: Move) -> None:
    """Make a move of the side's own player again; raises Untrue for the first that differs."""
    _compare(move.facts, side.facts)
    for sealed in move.orders:
        if side.prompt is None:
            raise Untrue("it holds orders for which nobody asked")
        side.play(opened(side.secret, side.step, sealed, side.duel.room))
        _compare(move.facts, side.facts)
    if side.prompt is not None:
        raise Untrue(f"it lacks the orders of step {side.step} ({side.prompt.what})")
    if not side.tells and move.number > 1:
        raise Untrue("nothing was to be told: the game was over before it")
    made = make(side, move.number, move.last)
    _compare(move.facts, made.facts)
    if len(move.facts) != len(made.facts):
        more = (move.facts + made.facts)[min(len(move.facts), len(made.facts))]
        count = f"{len(move.facts)} facts; by its secret and orders {len(made.facts)}"
        raise Untrue(f"it tells {count} (`{more}`)")
    if move != made:
        raise Untrue("it is not what its secret and orders make")


def _compare(told: Sequence[str], right: Sequence[str]) -> None:
    """Raise Untrue at the first fact that differs; one of the two may end earlier."""
    for at, (one, other) in enumerate(zip(told, right, strict=False), 1):
        if one != other:
            said, due = _around(one, other)
            raise Untrue(f"fact {at} is `{said}`; by its secret and orders `{due}`")


def _around(*facts: str) -> Sequence[str]:
    """Two facts that differ; of one that is long, its first word and what is around that place."""
    pairs = enumerate(zip(*facts, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(map(len, facts)))
    words = [text.partition(" ")[0] for text in facts]
    return [
        text
        if len(text) <= _QUOTED
        else f"{word} ...{text[max(len(word) + 1, same - 8) :][:40]}..."
        for text, word in zip(facts, words, strict=True)
    ]


def make(side: Side, number: int, last: Digest) -> Move:
    """The next move of a side that waits for nothing of its own."""
    said, room = side.say(), side.duel.room
    orders = [
        seal_orders(side.secret, step, written.encode(one), room) for step, one in said.orders
    ]
    nonce = side.secret.release(1) if number == 1 else None
    return Move(last, number, nonce, said.facts, tuple(orders))


def opened(secret: DuelSecret, step: int, sealed: str, room: int) -> Written:
    """Sealed orders; raises Refused."""
    return written.decode(open_orders(secret, step, sealed, room))
