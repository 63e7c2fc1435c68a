"""A row of a duel: the offer, the accept, and the moves from the first to one last move.

Every move names what it follows, so the moves of a duel form a tree. A player makes a second move
of one number after restoring an older backup, or by choice; then the other chooses one of the two
by answering it. A row is what is played on and judged: one way from the accept to a move.

The offer commits to its author's secret and nonce. The accept tells the other nonce, and the first
move the first one: the two decide who begins, and what both draw for the setup. So a duel has begun
with its first move, which also names the one accept that counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from adjudicator.core.opening import game_by
from games.game import Game, Player, Setup
from games.options import MATCH, TURN_TIME, OfferRefused, check_players, is_match
from orders import names, sshsig
from orders.duel import Accept, Move, Offer, read_accept, read_offer
from orders.errors import Refused, at
from orders.fields import Digest, digest
from orders.public_key import PublicKey, read_public
from orders.sealing import check_public
from orders.secrets import DuelSecret
from orders.sshsig import Signed


class Member(NamedTuple):
    """One of the two: name, signing key, public key for moves, commitment to the secret, and the
    sealed orders of the setup."""

    name: Player
    key: PublicKey
    sealing: bytes
    secret: Digest
    orders: str


@dataclass(frozen=True)
class Row:
    """A duel as far as one row goes: `id` is the digest of the offer, `accepted` that of the
    accept, and `digests` are those of the moves.

    `table`: a house table is the one that comes with the game.
    """

    id: Digest
    offer: Offer
    game: Game[Any, Any]
    accept: Accept | None = None
    accepted: Digest = ""
    moves: tuple[Move, ...] = ()
    digests: tuple[Digest, ...] = ()

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Who offered, then who accepted."""
        both: tuple[Offer | Accept | None, ...] = (self.offer, self.accept)
        return tuple(
            Member(
                one.player, read_public(one.key), bytes.fromhex(one.sealing), one.secret, one.orders
            )
            for one in both
            if one is not None
        )

    @property
    def room(self) -> int:
        """The padded length of orders, in bytes."""
        return 0 if self.game.duel is None else self.game.duel.room

    def member(self, player: Player) -> Member:
        """That player; raises Refused `mismatch`."""
        for member in self.members:
            if member.name == player:
                return member
        raise Refused("mismatch", f"{player} does not play in this duel")

    def other(self, player: Player) -> Member:
        """The other of the two; raises Refused `mismatch` before there is one."""
        for member in self.members:
            if member.name != player:
                return member
        raise Refused("mismatch", "nobody has accepted the offer yet")

    @property
    def match(self) -> str:
        """What it says of a match of two: `none`, `first`, or the digest of the first's accept."""
        return str(self.offer.options.get(MATCH.name, MATCH.default))

    @property
    def last(self) -> Digest:
        """The digest of the last document: the one that the next move follows."""
        return self.digests[-1] if self.digests else self.accepted or self.id

    @property
    def begun(self) -> bool:
        """Whether the first move is here."""
        return bool(self.moves)

    @property
    def author(self) -> Player:
        """Whose the next move is; raises Refused `mismatch` before the accept."""
        return self.author_of(len(self.moves) + 1) if self.accept else self.other("").name

    def author_of(self, number: int) -> Player:
        """Whose move that is."""
        return self.members[(number - 1) % 2].name

    def holds(self, last: Digest) -> bool:
        """Whether the accept, or a move of the row, has that digest."""
        return last == self.accepted or last in self.digests

    def and_accept(self, file: Signed) -> Row:
        """The row with its accept, which must be another's and of this offer; raises Refused."""
        accept = read_accept(file.data)
        if accept.offer != self.id:
            raise Refused(
                "other-game", f"it accepts the offer {accept.offer[:16]}, this is {self.id[:16]}"
            )
        key = _checked(accept)
        if key == read_public(self.offer.key) or accept.player == self.offer.player:
            raise Refused(
                "malformed",
                "name and key must be another's than the offer's",
                "give yourself another name with --as",
            )
        file.verify(key, sshsig.DUEL)
        row = replace(self, accept=accept, accepted=file.digest, moves=(), digests=())
        try:
            row.setup_by("0" * 64)
        except OfferRefused as error:
            raise Refused("malformed", str(error)) from None
        return row

    def nonce_for(self, player: Player, secret: DuelSecret) -> str:
        """What the author of the offer releases for the setup, as far as that player knows it: the
        first move tells it. Raises Refused `not-yet`."""
        own = secret.release(1) if player == self.offer.player else None
        nonce = self.moves[0].nonce if self.moves else own
        if self.accept is None or nonce is None:
            raise Refused("not-yet", "the duel has not begun")
        return nonce

    def setup_by(self, nonce: str) -> Setup:
        """The setup, if that is the nonce of the offer's author: the two nonces decide who is first
        in seat order; in a match it is who offers. Raises OfferRefused."""
        accept = self.accept
        if accept is None:
            raise Refused("not-yet", "nobody has accepted the offer yet")
        players = (self.offer.player, accept.player)
        coin = sha256(f"{nonce}{accept.nonce}".encode("ascii")).digest()[0] % 2
        options = check_options(self.game, self.offer.options)
        given = {name: value for name, value in options.items() if value is not None}
        drawn = coin and not is_match(options)
        return self.game.setup(players[::-1] if drawn else players, given)


def _checked(one: Offer | Accept) -> PublicKey:
    """The signing key, once both keys are good; raises Refused `bad-key`."""
    check_public(bytes.fromhex(one.sealing))
    return read_public(one.key)


def offered(file: Signed) -> Row:
    """The row that begins with an offer; raises Refused."""
    with at(names.OFFER):
        offer = read_offer(file.data)
        file.verify(_checked(offer), sshsig.DUEL)
        game = game_by(offer.rules, "offer")
        check_game(game)
        try:
            check_options(game, offer.options)
            check_players((offer.player,), (1, 1), game.words, game.id)
        except OfferRefused as error:
            raise Refused("malformed", str(error)) from None
        table = None if game.default_table is None else digest(game.default_table)
        if offer.table != table:
            raise Refused(
                "mismatch", "a duel is played by the house table that comes with the game"
            )
    return Row(file.digest, offer, game)


def check_game(game: Game[Any, Any]) -> None:
    """Raise Refused `unknown-rules` for a game that cannot be played without a host."""
    if game.duel is None:
        raise Refused(
            "unknown-rules",
            f"{game.title} cannot be played without a host",
            f"let somebody host it: adjudicator invite {game.id}",
        )


def check_options(game: Game[Any, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option's value; raises OfferRefused for one that a duel does not have."""
    assert game.duel is not None  # noqa: S101 - `check_game` held it
    allowed = {option.name for option in game.own_options} | {TURN_TIME.name, MATCH.name}
    for name in given:
        fixed = game.duel.options.get(name)
        if (fixed is not None and given[name] != fixed) or (
            name not in allowed and name in {option.name for option in game.options}
        ):
            must = "" if fixed is None else f": it is {fixed!r}"
            raise OfferRefused(f"option {name} is not for a duel{must}")
    return game.check_options({**given, **game.duel.options})
