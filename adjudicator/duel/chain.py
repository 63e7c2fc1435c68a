"""The chain of a duel: offer, accept, moves in turn, openings and claims, each checked as it comes.

Whoever holds a `Chain` holds documents that are signed by whom they must be, and that follow each
other. Whether what they tell is true shows in the audit alone.

The offer commits to its author's secret and nonce. The accept tells the other nonce, and the first
move the first one: the two decide who begins, and what both draw for the setup. So a duel has begun
with its first move, which also names the one accept that counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

import games
from adjudicator.core.claim import claim
from adjudicator.core.source import Source, signed
from games.game import Game, Player, Setup
from games.options import TURN_TIME, OfferRefused, check_players
from orders import names, sshsig
from orders.duel import (
    Accept,
    Claim,
    Move,
    Offer,
    Opening,
    read_accept,
    read_claim,
    read_move,
    read_offer,
    read_opening,
)
from orders.errors import Missing, Refused, at
from orders.fields import Digest, digest
from orders.public_key import PublicKey, read_public
from orders.sealing import check_public
from orders.secrets import DuelSecret, commitment
from orders.signed import Signed


class Member(NamedTuple):
    """One of the two: name, signing key, public key for moves, commitment to the secret, and the
    sealed orders of the setup."""

    name: Player
    key: PublicKey
    sealing: bytes
    secret: Digest
    orders: str


@dataclass(frozen=True)
class Chain:
    """A duel as far as it has come. `files` are its signed documents by name, in their order.

    `table`: a house table is the one that comes with the game.
    """

    id: Digest
    offer: Offer
    game: Game[Any, Any]
    files: Mapping[str, Signed]
    accept: Accept | None = None
    moves: tuple[Move, ...] = ()
    openings: Mapping[Player, Opening] = field(default_factory=lambda: MappingProxyType({}))
    claims: Mapping[Player, Claim] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def words(self) -> Sequence[str]:
        """The words that take a byte in orders."""
        return () if self.game.duel is None else self.game.duel.words

    @property
    def members(self) -> tuple[Member, ...]:
        """Who offered, then who accepted."""
        both: tuple[Offer | Accept | None, ...] = (self.offer, self.accept)
        return tuple(_member(one) for one in both if one is not None)

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
    def last(self) -> Digest:
        """The digest of the last document that a move can follow."""
        if self.accept is None:
            return self.id
        path = names.move(len(self.moves)) if self.moves else names.ACCEPT
        return self.files[path].digest

    @property
    def author(self) -> Player:
        """Whose the next move is; raises Refused `mismatch` before the accept."""
        return (self.members[len(self.moves) % 2] if self.accept else self.other("")).name

    def author_of(self, number: int) -> Player:
        """Whose move that is."""
        return self.members[(number - 1) % 2].name

    @property
    def begun(self) -> bool:
        """Whether the first move is here."""
        return bool(self.moves)

    @property
    def opened(self) -> dict[Player, DuelSecret]:
        """The secrets that openings and claims have published."""
        ends: list[Opening | Claim] = [*self.openings.values(), *self.claims.values()]
        return {end.player: DuelSecret(bytes.fromhex(end.secret)) for end in ends}

    def nonces_for(self, player: Player, secret: DuelSecret) -> Mapping[Player, str]:
        """What both released for the setup, as far as that player knows it.

        The first move tells its author's nonce. Raises Refused `not-yet`.
        """
        own = secret.release(1) if player == self.offer.player else None
        nonce = self.moves[0].nonce if self.moves else own
        if self.accept is None or nonce is None:
            raise Refused("not-yet", "the duel has not begun")
        return {self.offer.player: nonce, self.accept.player: self.accept.nonce}

    def setup_by(self, nonces: Mapping[Player, str]) -> Setup:
        """The setup of the game: the two nonces decide who is first in seat order."""
        return setup_of(self, nonces[self.offer.player])

    # One document after the other.

    def take(self, path: str, file: Signed) -> Chain:
        """The chain with one more document; raises Refused for what does not follow.

        A document that is here already changes nothing.
        """
        if path in self.files and self.files[path].data == file.data:
            return self
        with at(path):
            taken = self._take(path, file)
        return taken if taken is self else replace(taken, files={**self.files, path: file})

    def _take(self, path: str, file: Signed) -> Chain:
        if path == names.ACCEPT:
            return self._accepted(file)
        with claim("chain"):
            if path.startswith("moves/"):
                return self._moved(path, file)
            if path.startswith("openings/"):
                opening = read_opening(file.data)
                self._check_end(opening, path == names.opening(opening.player), file)
                if self._comes_after(opening, self.openings):
                    return self
                return replace(self, openings={**self.openings, opening.player: opening})
            read = read_claim(file.data)
            self._check_end(read, path == names.claim(read.player), file)
            if self._comes_after(read, self.claims):
                return self
            return replace(self, claims={**self.claims, read.player: read})

    def _comes_after(self, end: Opening | Claim, here: Mapping[Player, Opening | Claim]) -> bool:
        """Whether one of the same player is here that ends the duel no later: that one counts, or
        they could take back what their own moves contradict."""
        one = here.get(end.player)
        return one is not None and self.number_of(one) <= self.number_of(end)

    def _accepted(self, file: Signed) -> Chain:
        with claim("chain"):
            accept = read_accept(file.data)
            if accept.offer != self.id:
                raise Refused(
                    "other-game",
                    f"it accepts the offer {accept.offer[:16]}, this is {self.id[:16]}",
                )
            if self.accept is not None:
                raise Refused(
                    "superseded",
                    f"the offer was accepted by {self.accept.player} already",
                    "make a new offer: each has a secret of its own",
                )
            key = _checked(accept)
            if key == read_public(self.offer.key) or accept.player == self.offer.player:
                raise Refused(
                    "malformed",
                    "name and key must be another's than the offer's",
                    "give yourself another name with --as",
                )
            taken = replace(self, accept=accept)
            try:
                setup_of(taken, "0" * 64)
            except OfferRefused as error:
                raise Refused("malformed", str(error)) from None
        with claim("signatures"):
            file.verify(key, sshsig.DUEL)
        return taken

    def _moved(self, path: str, file: Signed) -> Chain:
        move = read_move(file.data)
        if path != names.move(move.number):
            raise Refused("mismatch", f"it is move {move.number}")
        author = self.member(self.author_of(move.number) if self.accept else self.other("").name)
        if move.number <= len(self.moves):
            raise Refused(
                "stale",
                f"another move {move.number} is here already; the next is {len(self.moves) + 1}",
            )
        if move.number > len(self.moves) + 1:
            raise Refused(
                "not-yet",
                f"move {len(self.moves) + 1} has not come",
                "ask for it again; where moves of your own are lost too, let the other pack their "
                "file, and take it in",
            )
        if move.last != self.last:
            raise Refused(
                "other-game", f"it follows {move.last[:16]}, the last is {self.last[:16]}"
            )
        if (move.nonce is None) != (move.number > 1):
            raise Refused("malformed", "the first move tells the nonce, and no other")
        if move.nonce is not None and commitment(move.nonce) != self.offer.nonce:
            raise Refused("mismatch", "its nonce is not the one that the offer commits to")
        if self.openings:
            raise Refused("stale", f"{', '.join(self.openings)} has opened: no move follows")
        with claim("signatures"):
            file.verify(author.key, sshsig.DUEL)
        return replace(self, moves=(*self.moves, move))

    def _check_end(self, end: Opening | Claim, named: bool, file: Signed) -> None:
        """An opening or a claim: by a member, of this duel, with the secret committed to."""
        member = self.member(end.player)
        if not named:
            raise Refused("mismatch", f"it is {end.player}'s")
        with claim("signatures"):
            file.verify(member.key, sshsig.DUEL)
        if not self.begun:
            raise Refused("not-yet", "the duel has not begun: the first move is not here")
        if end.last not in self.digests:
            raise Refused(
                "other-game", f"it follows {end.last[:16]}, the last move here is {self.last[:16]}"
            )
        if commitment(end.secret) != member.secret:
            raise Refused("mismatch", f"the secret is not the one that {end.player} committed to")

    def before(self, number: int) -> dict[str, bytes]:
        """The files of everything before that move, as a pack holds them."""
        paths = (names.OFFER, names.ACCEPT, *map(names.move, range(1, number)))
        return {one: data for path in paths for one, data in self.files[path].files(path).items()}

    def number_of(self, end: Opening | Claim) -> int:
        """The number of the move after which somebody opened or claimed."""
        return self.digests.index(end.last) + 1

    @property
    def digests(self) -> tuple[Digest, ...]:
        """The digests of the moves, in order."""
        return tuple(
            self.files[names.move(number)].digest for number in range(1, len(self.moves) + 1)
        )


def _member(one: Offer | Accept) -> Member:
    key = read_public(one.key)
    return Member(one.player, key, bytes.fromhex(one.sealing), one.secret, one.orders)


def _checked(one: Offer | Accept) -> PublicKey:
    """The signing key, once both keys are good; raises Refused `bad-key`."""
    check_public(bytes.fromhex(one.sealing))
    return read_public(one.key)


def offered(file: Signed) -> Chain:
    """The chain that begins with an offer; raises Refused."""
    with at(names.OFFER), claim("chain"):
        offer = read_offer(file.data)
        key = _checked(offer)
        with claim("signatures"):
            file.verify(key, sshsig.DUEL)
        game = game_of(offer)
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
    return Chain(file.digest, offer, game, {names.OFFER: file})


def game_of(offer: Offer) -> Game[Any, Any]:
    """The game of an offer; raises Refused `unknown-rules`."""
    try:
        game = games.load(offer.rules.partition("/")[0])
    except games.UnknownGame as error:
        raise Refused("unknown-rules", str(error)) from None
    if game.rules != offer.rules:
        raise Refused(
            "unknown-rules",
            f"the offer names {offer.rules}, installed is {game.rules}",
            f"install the release of adjudicator that has {offer.rules}",
        )
    check_game(game)
    return game


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
    if game.duel is None:
        raise OfferRefused(f"{game.id} cannot be played without a host")
    allowed = {option.name for option in game.own_options} | {TURN_TIME.name}
    for name in given:
        fixed = game.duel.options.get(name)
        if (fixed is not None and given[name] != fixed) or (
            name not in allowed and name in {option.name for option in game.options}
        ):
            must = "" if fixed is None else f": it is {fixed!r}"
            raise OfferRefused(f"option {name} is not for a duel{must}")
    return game.check_options({**given, **game.duel.options})


def setup_of(chain: Chain, nonce: str) -> Setup:
    """The setup, if that is the nonce of the offer's author; raises OfferRefused."""
    accept = chain.accept
    if accept is None:
        raise Refused("not-yet", "nobody has accepted the offer yet")
    players = (chain.offer.player, accept.player)
    coin = sha256(f"{nonce}{accept.nonce}".encode("ascii")).digest()[0] % 2
    options = check_options(chain.game, chain.offer.options)
    given = {name: value for name, value in options.items() if value is not None}
    return chain.game.setup(players[::-1] if coin else players, given)


def read(source: Source) -> Chain:
    """The chain in a duel's files; raises Missing or Refused for the first that is wrong."""
    chain = offered(signed(source, names.OFFER))
    paths = set(source.paths())
    if names.ACCEPT in paths:
        chain = chain.take(names.ACCEPT, signed(source, names.ACCEPT))
    while (path := names.move(len(chain.moves) + 1)) in paths:
        chain = chain.take(path, signed(source, path))
    for member in chain.members:
        for path in (names.opening(member.name), names.claim(member.name)):
            if path in paths:
                chain = chain.take(path, signed(source, path))
    for path in sorted(paths - {*chain.files, *(f"{one}.sig" for one in chain.files)}):
        if path.startswith(("moves/", "openings/", "claims/")):
            with claim("files"):
                raise Refused("malformed", f"{path}: no document of this duel names it")
    return chain


def is_duel(source: Source) -> bool:
    """Whether the files are a duel's."""
    try:
        source.read(names.OFFER)
    except Missing:
        return False
    return True
