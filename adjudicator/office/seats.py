"""The seats of games under way at a referee: who is there after a missed deadline, whose seat is
handed on, and who is asked to take it.

A seat may be handed on after as many missed deadlines as the invite says, or by an organiser's
word. Who missed one is told in time how to keep it. Standby players are asked one after the other;
who joins first has the seat, unless its player is back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.core import deadlines
from adjudicator.core.link import missed
from adjudicator.host.waiting_room import noted
from adjudicator.install import Pin
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office import replies
from adjudicator.office.game import HostMail
from adjudicator.office.house import House
from adjudicator.office.replies import Reply, write
from adjudicator.office.served import Asked, Served
from orders.documents import Join
from orders.errors import TEMPORARY, Refused
from orders.fields import digest


def see_to(game: HostMail, served: Served, house: House, pin: Pin | None) -> None:
    """See to the seats of a game that has begun: who is there, whose seat is handed on, who is
    asked to take it."""
    if not game.begun().last.over:
        _warn(game, served)
        _hand_on(game, served)
        _substitute(game, served, house, pin)


def _missing(game: HostMail) -> dict[str, tuple[int, int]]:
    """By player who has sent nothing since: how many deadlines they missed in a row, and the
    last entry that says so. Only of a game in which seats are handed on for that."""
    host = game.begun()
    if not deadlines.away(host.opening.setup):
        return {}
    waiting = host.folder.waiting()
    found = {
        player: missed(host.last, player, host.ledger.link)
        for player in host.opening.players
        if player not in waiting
    }
    return {player: one for player, one in found.items() if one[0]}


def _gone(game: HostMail, served: Served) -> list[str]:
    """The players whose seat may be handed on: they missed as many deadlines as the invite
    says, and have not answered since the last."""
    present = served.register.present(game.offer.digest)
    away = deadlines.away(game.begun().opening.setup)
    found = _missing(game).items()
    return [name for name, (many, step) in found if many >= away and present.get(name) != step]


def hear(game: HostMail, served: Served) -> None:
    """Note who has sent a signed message that was taken in just now: they are there."""
    while game.heard:
        _present(game, game.heard.pop(), served)


def _warn(game: HostMail, served: Served) -> None:
    """Tell who missed a deadline how to keep the seat."""
    away, addresses = deadlines.away(game.begun().opening.setup), game.addresses()
    for player, (many, step) in _missing(game).items():
        if player in addresses:
            words = replies.missed(game.name, step, max(away - many, 0))
            key = f"missed/{game.id}/{step}/{player}"
            one = game.mail(addresses[player], key, words)
            served.post.queue([replace(one, act=f"stay {game.name}")])


def _present(game: HostMail, player: str, served: Served) -> bool:
    """Note that a player is there until their next deadline; whether they had missed one."""
    _, step = _missing(game).get(player, (0, 0))
    if step:
        served.register.be_present(game.offer.digest, player, step)
    return bool(step)


def stay(game: HostMail, asked: Asked, served: Served) -> list[Reply | Outgoing]:
    """Keep the seat of who answers: they are there."""
    kept_ = [_present(game, player, served) for player in game.players_at(asked.to)]
    if game.host is None or not any(kept_):
        raise Refused("no-seat", f"no seat of yours in {game.name} is offered to others")
    said = f"Your seat stays yours in {game.name}, until your next deadline."
    return [replies.done("your seat stays yours", said)]


def _substitute(game: HostMail, served: Served, house: House, pin: Pin | None) -> None:
    """Ask the next on the standby list for each seat whose player is gone."""
    register, now, gone = served.register, served.clock.now(), _gone(game, served)
    held = register.asked(game.offer.digest)
    for player in held.keys() - gone:
        register.ask_no_more(game.offer.digest, player, ruled=False)
    known = [one.address for player in gone for one in held.get(player, ())]
    for player in gone:
        asked = held.get(player)
        if asked and deadlines.between(asked[-1].time, now) < house.answer:
            continue
        to = _next_standby(game, served, house, known)
        if to is None:
            continue
        token = game.room.token_for(f"{player} {to}")
        step = game.begun().last.step
        above = replies.fill("invitation.substitute", name=game.name, player=player)
        one = game.invitation(to, f"seat/{player}/{step}", token, pin, above)
        one = replace(one, subject=f"[{game.name}] the seat of {player} is free")
        known.append(to)
        with served.outbox.act():
            served.post.put([one])
            register.ask(game.offer.digest, player, to, now)


def _next_standby(game: HostMail, served: Served, house: House, asked: Iterable[str]) -> str | None:
    kind = game.offer.game.id
    return next(
        (
            to for of, to in served.register.standby()
            if of == kind and to not in asked and not game.players_at(to)
            and house.admits(to)
        ),
        None,
    )  # fmt: skip


def _hand_on(game: HostMail, served: Served) -> None:
    """Hand seats on to the substitutes who have joined, if they are still free."""
    host, room = game.begun(), game.room
    # Whom the host invited otherwise is the host's to seat.
    offered = {
        token: whom for token, whom in game.folder.tokens().items()
        if "@" in whom.partition(" ")[2]
    }  # fmt: skip
    if not offered:
        # To read joins takes long, and most games have no seat to hand on.
        return
    begun = host.opening.joins
    asked = served.register.asked(game.offer.digest)
    for bundle in room.bundles():
        join = room.read(bundle)
        if join == begun.get(join.player) or join == host.last.joins.get(join.player):
            continue
        whom = offered.get(room.private(join).token or "", "")
        player, _, to = whom.partition(" ")
        if player != join.player:
            continue
        said = asked.get(player, ())
        ruled = next(
            (one.reason for one in said if one.reason and noted(f"{player} {one.address}") == whom),
            "",
        )
        if not ruled and (player not in _gone(game, served) or not said):
            back = "its player is back, or somebody else has it"
            _tell_back(game, served, join, room.private(join).address or to, back)
            room.drop(player)
            continue
        turn = deadlines.turn_time(host.opening.setup)
        until = None
        if player in host.last.clocks.awaited:
            calendar = deadlines.calendar(host.opening.setup)
            until = {player: max(calendar.later(served.clock.now(), turn),
                                 host.last.clocks.awaited[player].until)}  # fmt: skip
        to = room.private(join).address or to
        many, _ = missed(host.last, player, host.ledger.link)
        times = f"{many} deadline{'s' * (many != 1)} in a row"
        why = ruled or f"{player} missed {times}; a standby player sits in"
        try:
            host.hand_on(bundle, why, None, until)
        except Refused as error:
            if error.word in (*TEMPORARY, "ahead", "clock"):
                raise
            _tell_back(game, served, join, to, error.message)
            room.drop(player)
            continue
        game.reread()
        served.register.ask_no_more(game.offer.digest, player, ruled=True)


def _tell_back(game: HostMail, served: Served, join: Join, to: str, why: str) -> None:
    """Tell a substitute who does not get the seat."""
    words = write("back", player=join.player, name=game.name, why=why)
    key = f"back/{game.id}/{digest(join.render())}"
    served.post.queue([game.mail(to, key, words)])
