"""Mails about entries, reminders, invitations and the state of a game, each to one player."""

from __future__ import annotations

from adjudicator.core import bundles, deadlines
from adjudicator.core.report import Report
from adjudicator.host.letters import Letters
from adjudicator.install import Pin
from adjudicator.mail import wording
from adjudicator.mail.desk import Desk
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import Outgoing
from adjudicator.words import story
from adjudicator.words.spans import ReadAt
from orders.errors import Missing


def news(desk: Desk, step: int) -> list[Outgoing]:
    """The mails of an entry, in seat order, to each player who has an address."""
    return [
        mail
        for player in desk.begun().opening.players
        if (to := desk.addresses().get(player)) is not None
        for mail in _news_for(desk, player, step, desk.entry_key(player, step), to)
    ] + _farewell(desk, step)


def _farewell(desk: Desk, step: int) -> list[Outgoing]:
    """The mail to a player whose seat an entry handed on to somebody else."""
    game = desk.begun()
    ruling = game.ledger.link(step).entry.ruling
    if ruling is None or ruling.seat is None:
        return []
    player = ruling.seat.player
    to = desk.former_address(player, step)
    if to is None:
        return []
    return [
        Outgoing(
            f"{desk.entry_key(player, step)}/former",
            desk.secret,
            to,
            f"[{desk.name}] entry {step}: your seat is somebody else's now",
            wording.farewell(desk.name, player, ruling),
            bundle=game.bundles([step])[0],
            name=f"{desk.name}-{step:04d}",
        )
    ]


def _news_for(
    desk: Desk, player: str, step: int, key: str, to: str, answers: Mail | None = None
) -> list[Outgoing]:
    """An entry's mails to a player, one for each bundle; `answers` is the player's mail that asks
    for it."""
    game = desk.begun()
    entry = game.ledger.link(step).entry
    what = f"waiting for {', '.join(entry.awaited)}" if entry.awaited else "the game is over"
    if player in entry.awaited:
        what = f"your orders until {wording.when(entry.awaited[player].until)}"
    report = _report(desk, player, step) if desk.is_open(player) else None
    text = wording.entry(game.opening, entry, desk.name, player, report, desk.folder.page())
    parts = game.bundles([step], player)
    before = tuple(desk.thread(player, n) for n in sorted({0, max(step - 1, 0)}) if n < step)
    hour = () if answers is None else (f"resend/{desk.id}/{step}/{to.lower()}", *_asked(to))
    return [
        Outgoing(
            key if number == 1 else f"{key}/{number}",
            desk.secret,
            to,
            f"[{desk.name}] entry {step}: {what}"
            + (f" ({number} of {len(parts)})" if len(parts) > 1 else ""),
            text,
            bundle=bundle,
            name=bundles.name(desk.name, bundle) + (f".{number}" if number > 1 else ""),
            reply=answers is not None,
            answers=None if answers is None else answers.message_id,
            thread=before,
            budget=hour,
        )
        for number, bundle in enumerate(parts, 1)
    ]


def _report(desk: Desk, player: str, step: int) -> Report | None:
    """The report of that entry for a player with open mail; None for others."""
    game = desk.begun()
    if step and not game.ledger.link(step).entry.reports:
        return None
    try:
        return game.report(step, player)
    except Missing:
        return None


def again(desk: Desk, player: str, step: int | None, mail: Mail) -> list[Outgoing]:
    """An entry's mail once more, for a player who asks for it."""
    to = desk.addresses().get(player)
    if to is None:
        return []
    key = f"again/{mail.digest}/{desk.id}/{player}"
    if desk.host is None:
        text = status_for(desk, player)
        return desk.answer(player, mail, key, "the game has not begun", text, *_asked(to))
    last = desk.host.last.step
    return _news_for(desk, player, last if step is None else min(step, last), key, to, mail)


def _asked(to: str) -> tuple[str, ...]:
    """The budgets of answers to unsigned commands."""
    return (f"command/{to.lower()}",)


def words(
    desk: Desk, player: str, mail: Mail, subject: str, text: str, *, long: bool = False
) -> list[Outgoing]:
    """The answer to an unsigned mail, for the player who may have written it.

    A long answer is sent no more often than an entry is sent again.
    """
    to = desk.addresses().get(player, "")
    hour = (f"resend/{desk.id}/{subject}/{to.lower()}",) if long else ()
    key = f"answer/{mail.digest}/{desk.id}/{player}"
    return desk.answer(player, mail, key, subject, text, *hour, *_asked(to))


def status_for(desk: Desk, player: str) -> str:
    """The state of the game, for a player who asks."""
    title = desk.offer.game.title
    if desk.host is None:
        return wording.waiting(desk.name, title, list(desk.joins()), desk.room.seats())
    order = desk.host.folder.waiting().get(player)
    lines = story.status_lines(desk.host.ledger, ReadAt(desk.clock.now()))
    revision = None if order is None else order.order.slip.revision
    return wording.status(desk.name, title, lines, revision)


def host_status(desk: Desk) -> str:
    """The state of the game, for its host."""
    if desk.host is None:
        return status_for(desk, "")
    waiting, now = desk.host.folder.waiting(), desk.clock.now()
    revisions = {player: one.order.slip.revision for player, one in waiting.items()}
    ledger = desk.host.ledger
    lines = [*story.status_lines(ledger, ReadAt(now)), *story.whose_are_in(ledger, revisions, now)]
    return wording.status(desk.name, desk.offer.game.title, lines, None)


def who_for(desk: Desk, player: str) -> str:
    """Who plays, with keys. If this player shows their address, it has those of the others who
    do."""
    if desk.host is None:
        return status_for(desk, player)
    shown = Letters(desk.host).shown()
    told = []
    for other in desk.host.opening.players:
        key = f"key {desk.host.last.key(other).fingerprint}"
        known = other != player and {player, other} <= shown
        told.append((other, f"{desk.addresses().get(other)}, {key}" if known else key))
    return wording.who(desk.name, desk.offer.game.title, told)


def held(desk: Desk, player: str, mail: Mail) -> list[Outgoing]:
    """The receipt of a player's accepted orders again, for a player who asks."""
    if desk.host is None:
        return words(desk, player, mail, "your orders", status_for(desk, player))
    waiting = desk.host.folder.waiting().get(player)
    if waiting is None:
        text = wording.none_in(desk.host.last.step + 1)
        return words(desk, player, mail, "your orders", text)
    key = f"answer/{mail.digest}/{desk.id}/{player}"
    return desk.receipt(waiting.receipt, mail, key, *_asked(desk.addresses().get(player, "")))


def reminders(desk: Desk, count: int) -> list[Outgoing]:
    """A mail to each player whose orders are not in when a quarter of the turn time is left.

    `count` of 2: another one when half of it is left; of 0: none.
    """
    if desk.host is None:
        return []
    game, now = desk.host, desk.clock.now()
    turn = deadlines.turn_time(game.opening.setup)
    out = []
    for player in game.missing():
        until = game.last.clocks.awaited[player].until
        left = deadlines.between(now, until)
        last = left <= turn // 4
        to = desk.addresses().get(player)
        if to is None or not 0 < left <= (0, turn // 4, turn // 2)[count]:
            continue
        step = game.last.step + 1
        out.append(
            Outgoing(
                f"reminder/{desk.id}/{step}/{player}/{until}" + ("" if last else "/first"),
                desk.secret,
                to,
                f"[{desk.name}] step {step}: your orders until {wording.when(until)}",
                wording.reminder(desk.name, player, step, until),
                thread=(desk.thread(player, game.last.step),),
            )
        )
    return out


def invitation(
    desk: Desk, to: str, mark: str, token: str | None = None, pin: Pin | None = None
) -> Outgoing:
    """The mail that invites an address; `mark` makes a second invitation another mail.

    `token` is for a reserved seat; `pin` says from where to install the program.
    """
    return Outgoing(
        f"invite/{desk.offer.digest}/{to.lower()}/{mark}",
        desk.secret,
        to,
        f"[{desk.name}] a game of {desk.offer.game.title}: you are invited",
        wording.invitation(desk.offer, desk.name, token, pin, desk.folder.page()),
        bundle=bundles.of_invite(desk.record, token),
        name=f"{desk.name}-invite",
    )
