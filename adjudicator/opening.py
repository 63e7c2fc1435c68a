"""What invite, joins and genesis fix for a whole game, once their digests and signatures hold.

What belongs here: checking the files that a game begins with. What it must not know: entries from
1 on, secrets, folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import games
from adjudicator.record import Source
from adjudicator.signed import read_signed
from games.game import Game, Setup
from games.options import OfferRefused
from orders import names, sshsig
from orders.documents import Invite, Join, read_invite, read_join
from orders.entries import Genesis, read_entry
from orders.errors import Refused, at
from orders.fields import Digest, check_name, digest
from orders.public_key import PublicKey, read_public
from orders.sealing import check_public


@dataclass(frozen=True, slots=True)
class Offer:
    """A checked invite: its digest, the game, the house table's bytes, the host's key."""

    digest: Digest
    invite: Invite
    game: Game[Any, Any]
    table: bytes | None
    host: PublicKey


@dataclass(frozen=True, slots=True)
class Opening:
    """A checked genesis: the game's id (its digest), the joins and keys by player in seat order."""

    id: Digest
    offer: Offer
    genesis: Genesis
    joins: Mapping[str, Join]
    keys: Mapping[str, PublicKey]
    setup: Setup

    @property
    def game(self) -> Game[Any, Any]:
        """The game's rules."""
        return self.offer.game

    @property
    def players(self) -> tuple[str, ...]:
        """In seat order."""
        return self.setup.players


def read_offer(source: Source) -> Offer:
    """The invite of a record, checked by itself; raises Refused."""
    data = source.read(names.INVITE)
    signature = source.read(names.signature(names.INVITE))
    with at(names.INVITE):
        invite = read_invite(data)
        host = read_public(invite.host)
        check_public(bytes.fromhex(invite.sealing))
        check_public(bytes.fromhex(invite.letters))
    with at(names.signature(names.INVITE)):
        sshsig.verify(host, sshsig.INVITE, data, signature)
    game_id, _, _ = invite.rules.partition("/")
    try:
        game = games.load(game_id)
        if game.rules != invite.rules:
            raise Refused(
                "unknown-rules",
                f"the invite names {invite.rules}, installed is {game.rules}",
                f"install the release of adjudicator that has {invite.rules}",
            )
        table = _table(source, invite)
        game.check_options(invite.options)
        if (table is None) != (game.default_table() is None):
            raise Refused("malformed", f"invite: {game.id} and a house table do not go together")
        if table is not None:
            game.read_table(table)
    except games.UnknownGame as error:
        raise Refused("unknown-rules", str(error)) from None
    except OfferRefused as error:
        raise Refused("malformed", f"invite: {error}") from None
    return Offer(digest(data), invite, game, table, host)


def _table(source: Source, invite: Invite) -> bytes | None:
    if invite.table is None:
        return None
    table = source.read(names.TABLE)
    if digest(table) != invite.table:
        raise Refused("mismatch", f"{names.TABLE} has not the digest that the invite names")
    return table


def check_join(offer: Offer, data: bytes, signature: bytes) -> Join:
    """A join to that invite, checked by itself; raises Refused."""
    join = read_join(data)
    key = read_public(join.key)
    check_public(bytes.fromhex(join.sealing))
    with at(names.signature(names.join(join.player))):
        sshsig.verify(key, sshsig.JOIN, data, signature)
    if join.invite != offer.digest:
        raise Refused("mismatch", f"the join of {join.player} is to another invite")
    check_player(offer, join.player, key)
    return join


def check_player(offer: Offer, name: str, key: PublicKey) -> None:
    """Whether somebody of that name and key may join; raises Refused."""
    check_name(name)
    if key == offer.host:
        raise Refused("bad-key", f"{name} bears the host's key", "players sign with their own")
    if name in offer.game.words:
        raise Refused(
            "malformed",
            f"{name!r} is a word of the notation of {offer.game.id}",
            "choose another name",
        )


def read_opening(source: Source) -> Opening:
    """The game that a record holds, up to genesis; raises Missing or Refused."""
    offer = read_offer(source)
    path = names.entry(0)
    data = read_signed(source, offer.host, sshsig.ENTRY, path)
    with at(path):
        genesis = read_entry(data)
    if not isinstance(genesis, Genesis):
        raise Refused("chain", f"{path}: no genesis")
    if genesis.invite != offer.digest:
        raise Refused("chain", f"{path}: is of another invite")
    joins = {}
    for player, expected in genesis.joins.items():
        path = names.join(player)
        content = source.read(path)
        if digest(content) != expected:
            raise Refused("mismatch", f"{path}: is not the join that genesis names")
        with at(path):
            joins[player] = check_join(offer, content, source.read(names.signature(path)))
        if joins[player].player != player:
            raise Refused("mismatch", f"{path}: is the join of {joins[player].player}")
    keys = check_joins(offer, joins)
    return Opening(digest(data), offer, genesis, joins, keys, seat(offer, tuple(joins)))


def check_joins(offer: Offer, joins: Mapping[str, Join]) -> dict[str, PublicKey]:
    """The players' keys; raises Refused where two share one (host included)."""
    keys = {player: read_public(join.key) for player, join in joins.items()}
    for values in (
        [offer.host.line, *(join.key for join in joins.values())],
        [offer.invite.sealing, offer.invite.letters, *(join.sealing for join in joins.values())],
        [join.nonce for join in joins.values()],
    ):
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            raise Refused("bad-key", f"one key or nonce stands twice: {twice:.90}")
    return keys


def seat(offer: Offer, players: tuple[str, ...]) -> Setup:
    """The game's frame for these players in seat order; raises Refused."""
    try:
        setup = offer.game.setup(players, offer.invite.options, offer.table)
        offer.game.check_genesis(setup)
    except OfferRefused as error:
        raise Refused("malformed", f"genesis: {error}") from None
    return setup
