"""A side of a duel made again from its player's secret and the documents, move for move.

The same function serves play and audit. A player's tool makes its own side again whenever it needs
it, so a seat is 32 bytes and the moves. And once a secret is open, everybody makes that side again:
each move is a function of its author's secret and orders, the moves before it, and its time. The
first move that differs names its signer. An honest player's side, made again from the same lies
that they were told, comes to the same moves; so nobody who did not lie is ever named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.duel import written
from adjudicator.duel.chain import Chain
from adjudicator.duel.side import Side
from games.duel import Untrue
from games.game import OrderError, Player, Written
from orders import names, sshsig
from orders.duel import Move, open_orders, read_move, seal_orders
from orders.errors import Refused
from orders.fields import Digest, Time
from orders.secrets import DuelSecret, commitment
from orders.signed import Signed

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


def side_of(chain: Chain, player: Player, secret: DuelSecret) -> Again:
    """That player's side after all moves. Raises Refused `not-yet` if it cannot begin."""
    nonces = chain.nonces_for(player, secret)
    try:
        member, other = chain.member(player), chain.other(player)
        if member.sealing != secret.sealing().public:
            raise Refused("replay", "its key for moves does not come from the secret")  # noqa: TRY301
        if nonces[player] != secret.release(1):
            raise Refused("replay", "its nonce does not come from the secret")  # noqa: TRY301
        first = opened(chain, secret, 1, member.orders)
        setup = chain.setup_by(nonces)
        made = Again(Side(chain.game, setup, player, secret, nonces[other.name], first), None)
    except Refused as error:
        return Again(None, Lie(0, player, error.message))
    except OrderError as error:
        return Again(None, Lie(0, player, f"its orders are refused: {error}"))
    for number in range(1, len(chain.moves) + 1):
        made = follow(chain, made, number)
    return made


def follow(chain: Chain, made: Again, number: int) -> Again:
    """The side after one more move, which its player made or the other."""
    side, move, author = made.side, chain.moves[number - 1], chain.author_of(number)
    if side is None or made.lie is not None:
        return made
    try:
        if author == side.player:
            _remake(chain, side, number, move)
        else:
            side.take(move.facts, len(move.orders))
    except (Untrue, OrderError) as error:
        return Again(side, Lie(number, author, str(error)))
    except Refused as error:
        return Again(side, Lie(number, author, error.message))
    return made


def _remake(chain: Chain, side: Side, number: int, move: Move) -> None:
    """Make a move of the side's own player again; raises Refused for the first that differs."""
    _compare(move.facts, side.facts)
    for sealed in move.orders:
        if side.prompt is None:
            raise Refused("replay", "it holds orders for which nobody asked")
        side.play(opened(chain, side.secret, side.step, sealed))
        _compare(move.facts, side.facts)
    if side.prompt is not None:
        raise Refused("replay", f"it lacks the orders of step {side.step} ({side.prompt.what})")
    if not side.tells and number > 1:
        raise Refused("replay", "nothing was to be told: the game was over before it")
    made = make(chain, side, number, move.last, move.time)
    _compare(move.facts, made.facts)
    if len(move.facts) != len(made.facts):
        more = (move.facts + made.facts)[min(len(move.facts), len(made.facts))]
        count = f"{len(move.facts)} facts; by its secret and orders {len(made.facts)}"
        raise Refused("replay", f"it tells {count} (`{more}`)")
    if move != made:
        raise Refused("replay", "it is not what its secret and orders make")


def _compare(told: Sequence[str], right: Sequence[str]) -> None:
    """Refuse the first fact that differs; one of the two may end earlier."""
    for at, (one, other) in enumerate(zip(told, right, strict=False), 1):
        if one != other:
            said, due = _around(one, other)
            raise Refused("replay", f"fact {at} is `{said}`; by its secret and orders `{due}`")


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


def make(chain: Chain, side: Side, number: int, last: Digest, time: Time) -> Move:
    """The next move of a side that waits for nothing of its own."""
    said = side.say()
    orders = [
        seal_orders(side.secret, step, written.encode(one, chain.words))
        for step, one in said.orders
    ]
    nonce = side.secret.release(1) if number == 1 else None
    return Move(last, number, time, nonce, said.facts, tuple(orders))


def opened(chain: Chain, secret: DuelSecret, step: int, sealed: str) -> Written:
    """Sealed orders; raises Refused."""
    return written.decode(open_orders(secret, step, sealed), chain.words)


def committed(secret: DuelSecret) -> Digest:
    """The commitment to what a player releases for the setup."""
    return commitment(secret.release(1))


def two_moves(chain: Chain, path: str, file: Signed) -> Lie | None:
    """The proof that a player signed two moves for one turn: the chain's, and another of that name.

    None if the other is by somebody else, for another turn, or differs in its time alone: a second
    device that makes the same move again tells no lie.
    """
    if path not in chain.files:
        return None
    move = read_move(file.data)
    if path != names.move(move.number):
        return None
    author, here = chain.author_of(move.number), chain.moves[move.number - 1]
    if move.last != here.last or move._replace(time=here.time) == here:
        return None
    file.verify(chain.member(author).key, sshsig.DUEL)
    odd = [name for name in Move._fields if getattr(move, name) != getattr(here, name)]
    return Lie(move.number, author, f"there are two of it: they differ in {', '.join(odd)}")
