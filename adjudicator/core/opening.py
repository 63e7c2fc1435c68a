"""What invite, joins and genesis fix for a whole game, once their digests and signatures are
checked.

What belongs here: checking the files that a game begins with, and joins to it. What it must not
know: entries from 1 on, secrets, folders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import games
from adjudicator.core.source import Source, signed
from games.game import Game, Setup, Sizes
from games.options import MATCH, OfferRefused, is_match
from orders import names, sshsig, toml
from orders.documents import Invite, Join, read_invite, read_join
from orders.entries import Genesis, read_entry
from orders.errors import Refused, at
from orders.fields import Digest, check_name, digest
from orders.public_key import PublicKey, read_public
from orders.sealing import check_public
from orders.sshsig import Signed


class Offer(NamedTuple):
    """A checked invite: its digest, the game, the house table's bytes, the host's key."""

    digest: Digest
    invite: Invite
    game: Game[Any, Any]
    table: bytes | None
    host: PublicKey

    @property
    def name(self) -> str:
        """What all call this game."""
        return self.invite.name

    @property
    def match(self) -> str:
        """What it says of a match of two: `none`, `first`, or the digest of the first's invite."""
        return str(self.invite.options.get(MATCH.name, MATCH.default))


class Opening(NamedTuple):
    """A checked genesis: the game's id (its digest), and the joins by player in seat order."""

    id: Digest
    offer: Offer
    genesis: Genesis
    joins: Mapping[str, Join]
    setup: Setup
    sizes: Sizes

    @property
    def game(self) -> Game[Any, Any]:
        """The game's rules."""
        return self.offer.game

    @property
    def players(self) -> tuple[str, ...]:
        """In seat order."""
        return self.setup.players


def read_offer(source: Source, *, trusted: bool = False) -> Offer:
    """The invite of a record, checked by itself; raises Refused.

    `trusted`: its signature was verified before, and its digest is known.
    """
    file = signed(source, names.INVITE)
    with at(names.INVITE):
        invite = read_invite(file.data)
        host = read_public(invite.host)
        check_public(bytes.fromhex(invite.sealing))
        check_public(bytes.fromhex(invite.letters))
    if not trusted:
        with at(names.signature(names.INVITE)):
            file.verify(host, sshsig.INVITE)
    try:
        game = game_by(invite.rules, "invite")
        game.check_options(invite.options)
        listed = [option.name for option in game.options if option.name in invite.options]
        if list(invite.options) != listed:
            raise Refused("malformed", f"invite: options are in another order than {listed}")
        table = _table(source, invite, game)
    except OfferRefused as error:
        raise Refused("malformed", f"invite: {error}") from None
    return Offer(file.digest, invite, game, table, host)


def in_match(game: Game[Any, Any], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """These options, and if they are of a match, those that both of its games have: whoever sits
    first goes first, if they say nothing else. Raises Refused."""
    if not is_match(options):
        return options
    naming = [option.name for option in game.options if option.kind == "player"]
    for name in naming:
        if isinstance(options.get(name), str):
            raise Refused(
                "bad-option",
                f"option {name} = {options[name]!a}: in a match the players change seats",
                f"expected a seat, as in {name}=1",
            )
    return {**{name: 1 for name in naming if name == "first"}, **options}


def game_by(rules: str, what: str) -> Game[Any, Any]:
    """The game of the rules that an invite or offer (`what`) names; raises Refused
    `unknown-rules`."""
    try:
        game = games.load(rules.partition("/")[0])
    except games.UnknownGame as error:
        raise Refused("unknown-rules", str(error)) from None
    if game.rules != rules:
        raise Refused(
            "unknown-rules",
            f"the {what} names {rules}, installed is {game.rules}",
            f"install the release of adjudicator that has {rules}",
        )
    return game


def _table(source: Source, invite: Invite, game: Game[Any, Any]) -> bytes | None:
    if (invite.table is None) != (game.default_table is None):
        raise Refused("malformed", f"invite: {game.id} and a house table do not go together")
    if invite.table is None:
        return None
    table = source.read(names.TABLE)
    if digest(table) != invite.table:
        raise Refused("mismatch", f"{names.TABLE} does not have the digest that the invite names")
    with at(names.TABLE):
        toml.read_rendered(table)
    game.read_table(table)
    return table


def check_join(offer: Offer, file: Signed, *, trusted: bool = False) -> Join:
    """A join to that invite, checked by itself; raises Refused."""
    join = read_join(file.data)
    key = read_public(join.key)
    check_public(bytes.fromhex(join.sealing))
    check_public(bytes.fromhex(join.letters))
    if not trusted:
        with at(names.signature(names.join(join.player))):
            file.verify(key, sshsig.JOIN)
    if join.invite != offer.digest:
        raise Refused("mismatch", f"the join of {join.player} is to another invite")
    check_player(offer, join.player, key)
    return join


def check_player(offer: Offer, name: str, key: PublicKey) -> None:
    """Check that somebody of that name and key may join; raises Refused."""
    check_bearable(offer.game, name)
    if key == offer.host:
        raise Refused("bad-key", f"{name} has the host's key", "players sign with their own")


def check_bearable(game: Game[Any, Any], name: str) -> None:
    """Check that a player of that game may have the name; raises Refused."""
    check_name(name)
    if name in game.words:
        raise Refused(
            "malformed", f"{name!r} is a word of the orders of {game.id}", "choose another name"
        )


def read_opening(source: Source, known: Digest | None = None) -> Opening:
    """The game that a record holds, up to genesis; raises Missing or Refused.

    `known` is the game's id if it was verified before: then the digests are checked, and no
    signature is verified again.
    """
    path = names.entry(0)
    trusted = False
    if known is not None:
        if digest(source.read(path)) != known:
            raise Refused("chain", f"{path}: this is not how game {known} began")
        trusted = True
    offer = read_offer(source, trusted=trusted)
    file = signed(source, path)
    if not trusted:
        with at(names.signature(path)):
            file.verify(offer.host, sshsig.ENTRY)
    with at(path):
        genesis = read_entry(file.data)
        if not isinstance(genesis, Genesis):
            raise Refused("chain", "no genesis")
        if genesis.invite != offer.digest:
            raise Refused("chain", "is of another invite")
    joins = {
        player: _join(source, offer, player, expected, trusted=trusted)
        for player, expected in genesis.joins.items()
    }
    check_distinct(offer, joins.values())
    setup = seat_players(offer, tuple(joins))
    return Opening(
        file.digest, offer, genesis, joins, setup, offer.game.sizes_for(len(setup.players))
    )


def _join(source: Source, offer: Offer, player: str, expected: Digest, *, trusted: bool) -> Join:
    path = names.join(player)
    file = signed(source, path)
    if file.digest != expected:
        raise Refused("mismatch", f"{path}: is not the join that entry 0 names")
    with at(path):
        join = check_join(offer, file, trusted=trusted)
        if join.player != player:
            raise Refused("mismatch", f"is the join of {join.player}")
    return join


def check_distinct(offer: Offer, joins: Iterable[Join]) -> None:
    """Raise Refused if two joins, or a join and the host, share a key or a nonce."""
    joins = list(joins)
    invite = offer.invite
    host = "the host"
    sealing = [(join.player, key) for join in joins for key in (join.sealing, join.letters)]
    for pairs in (
        [(host, invite.host), *((join.player, join.key) for join in joins)],
        [(host, invite.sealing), (host, invite.letters), *sealing],
        [(join.player, join.nonce) for join in joins],
    ):
        whose: dict[str, str] = {}
        for name, value in pairs:
            if value in whose:
                raise Refused(
                    "bad-key",
                    f"one key or nonce is used twice, by {whose[value]} and {name}: {value:.90}",
                    "one of them needs a key of their own (ssh-keygen) and a new join",
                )
            whose[value] = name


def seat_players(offer: Offer, players: tuple[str, ...]) -> Setup:
    """The game's setup for these players in seat order; raises Refused."""
    try:
        return offer.game.setup(players, offer.invite.options, offer.table)
    except OfferRefused as error:
        raise Refused("malformed", str(error)) from None
