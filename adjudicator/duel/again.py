"""A side of a duel made again from its player's secret and the documents, move for move.

The same function serves play and audit. A player's tool makes its own side again whenever it needs
it, so a seat is 32 bytes and the moves. And once a secret is open, everybody makes that side again:
each move is a function of its author's secret and orders, and of the moves before it. The first
move that differs names its signer. An honest player's side, made again from the same lies that they
were told, comes to the same moves; so nobody who did not lie is ever named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from adjudicator.duel.row import Row
from adjudicator.duel.side import Side, secrets_of
from games.duel import Half, Untrue
from games.game import OrderError, Player, Written
from games.orders import read_lines
from orders import sealing
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
    orders = [seal_orders(side.secret, step, encode(one), room) for step, one in said.orders]
    nonce = side.secret.release(1) if number == 1 else None
    return Move(last, number, nonce, said.facts, tuple(orders))


def opened(secret: DuelSecret, step: int, sealed: str, room: int) -> Written:
    """Sealed orders; raises Refused."""
    return decode(open_orders(secret, step, sealed, room))


# Orders as a duel keeps them: in small letters, without remarks, in one form of bytes.


def plain(written: Written) -> Written:
    """The same orders without remarks, blank lines and capitals."""
    lines = [" ".join(line.words) for line in read_lines(written.orders)]
    return Written("\n".join(lines))


def encode(written: Written) -> bytes:
    """Plain orders as bytes; raises Refused `malformed` for other characters than plain ASCII."""
    text = written.orders
    if not text.isascii():
        raise Refused("malformed", f"orders {text[:60]!a}: expected plain ASCII")
    return text.encode("ascii")


def decode(data: bytes) -> Written:
    """The inverse of `encode`; raises Refused `malformed` for bytes that are not those of plain
    orders."""
    written = Written(data.decode("ascii", "replace"))
    if encode(plain(written)) != data:
        raise Refused("malformed", "orders: they are not in their one form")
    return written


def kept(given: Written, padded: int) -> Written:
    """Orders as a duel keeps them; raises Refused for what cannot be kept so, also if they are
    longer than the game's padded length holds."""
    content = encode(plain(given))
    if len(content) > sealing.room(padded):
        raise Refused(
            "too-big",
            f"the orders have {len(content)} characters: a duel takes {sealing.room(padded)} of "
            "one step",
            "write fewer lines",
        )
    return decode(content)


# The whole position, once both players have opened: nothing is asked any more, as for a host.


def states(row: Row, secrets: Mapping[Player, DuelSecret]) -> Iterator[Any]:
    """The position after each step of a row, from the setup on; none where not both have opened.

    Raises Refused or OrderError at orders that are a lie.
    """
    game = row.game
    if game.duel is None or len(secrets) < 2:
        return
    sealed = {one.name: [one.orders] for one in row.members}
    for number, move in enumerate(row.moves, 1):
        sealed[row.author_of(number)] += move.orders
    nonce = row.nonce_for(row.offer.player, secrets[row.offer.player])
    state = game.start(row.setup_by(nonce))
    step = 1
    while asked := [one.player for one in game.awaited(state)]:
        if not all(sealed[player] for player in asked):
            return
        orders = {
            player: game.duel.read(
                game.view(state, player),
                opened(secrets[player], step, sealed[player].pop(0), row.room),
            )
            for player in asked
        }
        known = {player: secrets_of(secret, step) for player, secret in secrets.items()}
        released = {player: one.release for player, one in known.items()}
        state = game.duel.step(state, orders, Half(known, (), released)).state
        yield state
        step += 1
