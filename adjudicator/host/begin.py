"""How a game begins: the host's invite, then genesis with the players who joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator import __version__
from adjudicator.core import bundles, engine, intake, opening
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer
from adjudicator.core.source import append
from adjudicator.host.folder import HostFolder
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from games.game import Game, Player
from games.options import MATCH, OfferRefused, plain_name, suggest_name
from orders import names, sshsig, toml
from orders.bundle import Bundle
from orders.documents import Invite, Join
from orders.errors import Refused, pasteable
from orders.fields import check_name, digest
from orders.keys import Signer
from orders.sealing import SealingKey
from orders.secrets import Master
from orders.sshsig import Signed


class Secrets(NamedTuple):
    """A game's two secrets, 32 bytes each: the master, and the seed of the `letters` key."""

    master: bytes
    letters: bytes


class Terms(NamedTuple):
    """What a host offers: a game, the options that are not the default, a house table, its mail
    address.

    `reserved`: nobody joins without a token. `name`: what all call this game; without one it is
    called as the record's folder.
    """

    game: Game[Any, Any]
    options: Mapping[str, object]
    table: bytes | None = None
    mail: str | None = None
    reserved: bool = False
    name: str | None = None


def check(terms: Terms) -> tuple[Mapping[str, Any], bytes | None]:
    """The options and the house table that the invite will name; raises Refused."""
    game = terms.game
    try:
        options = game.check_options(terms.options)
        for option in game.options:
            named = terms.options.get(option.name) if option.kind == "player" else None
            if isinstance(named, str):
                opening.check_bearable(game, named)
        given = game.default_table if terms.table is None else terms.table
        table = None if given is None else toml.one_rendering(given)
        if table is not None:
            game.read_table(table)
    except OfferRefused as error:
        raise Refused("bad-option", str(error)) from None
    return options, table


def invite(
    record: Record, terms: Terms, signer: Signer, key_path: Path, secrets: Secrets, clock: Clock
) -> Bundle:
    """Start a record with its invite; raises Refused."""
    name, game = name_of(record, terms.name), terms.game
    options, table = check(terms)
    make_way(record)
    master = Master(secrets.master)
    document = Invite(
        name=name,
        rules=game.rules,
        date=clock.now(),
        host=signer.public.line,
        sealing=master.sealing().public.hex(),
        letters=SealingKey(secrets.letters).public.hex(),
        master=master.commitment,
        table=None if table is None else digest(table),
        mail=terms.mail,
        reserved=terms.reserved,
        options=_named(game, options),
    )
    data = document.render()
    file = Signed(data, signer.sign(sshsig.INVITE, data))
    held = file.files(names.INVITE) | ({} if table is None else {names.TABLE: table})
    bring(record, bundles.pack("invite", held), key_path, secrets)
    return bundles.of_invite(record)


def _named(game: Game[Any, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that an invite names: those that are not the default, and the clocks."""
    always = ("turn_time", "reserve_time")
    return {
        option.name: options[option.name]
        for option in game.options
        if options[option.name] != option.default or option.name in always
    }


def differing(offer: Offer, terms: Terms) -> list[str]:
    """What an offer says otherwise than these terms, in the words of who offers; raises Refused."""
    invite, (options, table) = offer.invite, check(terms)
    named, said = _named(terms.game, options), invite.options
    return [
        *(["game"] if invite.rules != terms.game.rules else []),
        *(key for key in {**named, **said} if named.get(key) != said.get(key)),
        *(["table"] if invite.table != (None if table is None else digest(table)) else []),
        *(["address"] if invite.mail != terms.mail else []),
        *(["reserved seats"] if invite.reserved != terms.reserved else []),
        *(["name"] if terms.name not in (None, offer.name) else []),
    ]


def bring(record: Record, offered: Bundle, key_path: Path, secrets: Secrets) -> None:
    """Start a record with an invite that is signed; raises Refused."""
    make_way(record)
    held = dict(offered.files)
    file = Signed(held.pop(names.INVITE), held.pop(names.signature(names.INVITE)))
    HostFolder(record.host).create(Master(secrets.master), secrets.letters.hex(), key_path)
    append(record, names.INVITE, file, held)


def name_of(record: Record, wanted: str | None) -> str:
    """The name of a game: the one that is wanted, or that of its record's folder; raises
    Refused."""
    given = record.root.resolve().name if wanted is None else wanted
    try:
        return check_name(plain_name(given) if wanted is None else given)
    except Refused as error:
        raise Refused(
            "bad-option",
            f"{given[:80]!a} is no name for a game{suggest_name(given)}",
            f"name it: --name; {error.hint}",
        ) from None


def rematch(ledger: Ledger) -> tuple[Terms, tuple[Player, ...]]:
    """The same game once more: its terms, and its players in seat order, everybody one seat
    earlier. Raises Refused.

    An option that names a player now names the next one. If the game has the option `first`, the
    player after the first mover goes first; if nobody moved, the option stays open.
    """
    begun = ledger.opening
    offer, after = begun.offer, begun.setup.after
    given = (name for name in offer.invite.options if name != MATCH.name)
    options = {name: begun.setup.options[name] for name in given}
    naming = [option.name for option in offer.game.options if option.kind == "player"]
    alone = (tuple(link.entry.awaited) for link in ledger.links())
    moved = next((awaited[0] for awaited in alone if len(awaited) == 1), None)
    if "first" in naming and moved is not None:
        options["first"] = moved
    for name in naming:
        if name in options:
            options[name] = after(str(options[name]))[0]
    seats = after(begun.players[0])
    return Terms(offer.game, options, offer.table), seats


def make_way(record: Record) -> None:
    """Raise Refused if a record or a host folder is there, but clear what a crash left of one.

    As long as no invite names the secrets there, nobody relies on them.
    """
    left = {names.signature(names.INVITE), names.TABLE, "master", "letters", "key"}
    left |= {files.draft_name(name) for name in (*left, names.INVITE)}
    folders = [folder for folder in (record.root, record.host) if folder.exists()]
    for folder in folders:
        if not folder.is_dir() or any(file.name not in left for file in folder.iterdir()):
            hint = "name another folder"
            if (record.root / names.INVITE).is_file():
                again = f"adjudicator resend all invite -g {pasteable(record.root)}"
                hint = f"name another folder, or let {again} write its invite again"
            raise Refused("exists", f"{str(folder)!a} is there already", hint)
    for folder in folders:
        for file in folder.iterdir():
            files.remove(file)
        folder.rmdir()


PROGRAM = f"adjudicator {__version__}"
"""What a genesis names as the program that made it."""


def start(
    record: Record, joins: Sequence[Bundle], signer: Signer, clock: Clock, by: str = PROGRAM
) -> Bundle:
    """Genesis: the players take their seats in the order given, in a match in that of the
    invitations; raises Refused. `by`: the program that it names.

    A game that has begun is left as it is; then the joins must be those of its players, in order.
    """
    with record.locked():
        offer = opening.read_offer(record)
        check_host(offer, signer)
        room = WaitingRoom(HostFolder(record.host), offer)
        held: dict[str, bytes] = {}
        by_player: dict[str, Join] = {}
        for bundle in room.seated(joins):
            join, file = intake.read_join_bundle(offer, bundle)
            if join.player in by_player:
                raise Refused("malformed", f"two joins as {join.player}")
            room.check_token(join, by_player)
            by_player[join.player] = join
            held |= file.files(names.join(join.player))
        if record.last_step() is not None:
            begun = opening.read_opening(record)
            if by_player and list(begun.joins.items()) != list(by_player.items()):
                raise Refused(
                    "exists",
                    f"the game has begun with {', '.join(begun.players)}",
                    "adjudicator resend all 0 gives its first entry again",
                )
            return bundles.of_entry(record, 0)[0]
        opening.check_distinct(offer, by_player.values())
        setup = opening.seat_players(offer, tuple(by_player))
        digests = {player: digest(held[names.join(player)]) for player in by_player}
        time = clock.now()
        if time < offer.invite.date:
            raise Refused(
                "clock",
                f"this machine's clock says {time}, and the invite is dated {offer.invite.date}",
                "set the clock right; if the invite's date is wrong, it cannot be used: make a "
                "new offer",
            )
        record.clear_joins(held)
        data = engine.genesis(offer, setup, digests, time, by).render()
        append(record, names.entry(0), Signed(data, signer.sign(sshsig.ENTRY, data)), held)
        return bundles.of_entry(record, 0)[0]


def check_host(offer: Offer, signer: Signer) -> None:
    """Raise Refused if the signer's key is not the one that the invite names."""
    if signer.public != offer.host:
        raise Refused(
            "bad-key",
            f"the key is {signer.public.fingerprint}, the invite's {offer.host.fingerprint}",
            "use the key with which the game was offered",
        )
