"""Pure adjudication: a position and accepted orders in, the next entry and everyone's report out.

Host and verifier run this same code: verifying is adjudicating again and comparing bytes.
All for which the master is needed comes from an `UnlockedGame`: until the reveal only the host has
one, afterwards everybody.
What it must not know: folders, signatures, the present time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from adjudicator.core import chain, deadlines, report
from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link
from adjudicator.core.opening import Offer, Opening
from games.dice import Dice
from games.game import EVERYONE, Event, Game, Setup, Step, View
from orders import canonical
from orders.documents import Join
from orders.entries import Entry, Genesis, ReportDigests, Reveal, Ruling, UsedSlip
from orders.errors import Refused
from orders.fields import Digest, Time, digest
from orders.sealing import SealingKey, Shared
from orders.secrets import Master


@dataclass(frozen=True)
class UnlockedGame:
    """A game with its master; made by `unlock` alone, which checks that the master is its own."""

    opening: Opening
    master: Master
    key: SealingKey = field(repr=False)
    _shared: dict[str, Shared] = field(default_factory=dict, repr=False, compare=False)

    def shared(self, join: Join) -> Shared:
        """The secret that the host shares with the player of that join."""
        if join.sealing not in self._shared:
            theirs = bytes.fromhex(join.sealing)
            self._shared[join.sealing] = self.key.agree(theirs, self.opening.id)
        return self._shared[join.sealing]

    def dice(self, nonces: Mapping[str, str]) -> Dice:
        """All draws of the game; `nonces` by player, as the first adjudication's slips gave them.

        A player who gave none is not in `nonces`.
        """
        given = [nonces.get(player) for player in self.opening.players]
        return Dice(self.master.seed(given, self.opening.id))


def unlock(opening: Opening, master: Master) -> UnlockedGame:
    """The game with its master; raises Refused if the invite commits to another."""
    invite = opening.offer.invite
    if master.commitment != invite.master:
        raise Refused("bad-key", "the master is not the one that the invite commits to")
    key = master.sealing()
    if key.public.hex() != invite.sealing:
        raise Refused("bad-key", "invite.toml: sealing does not come from the master")
    return UnlockedGame(opening, master, key)


class AcceptedOrder(NamedTuple):
    """An accepted order: the slip's digest, when it was received, and the orders as the game read
    them."""

    slip: Digest
    received: Time
    orders: Any


class NextEntry(NamedTuple):
    """A new entry with what it was made from: the state and its file, and everyone's view and
    report, open and sealed."""

    state: Any
    state_file: bytes
    views: Mapping[str, View]
    reports: Mapping[str, bytes]
    sealed: Mapping[str, bytes]
    entry: Entry


def genesis(
    offer: Offer, setup: Setup, joins: Mapping[str, Digest], time: Time, by: str
) -> Genesis:
    """Entry 0; `by` names the engine."""
    clocks = deadlines.start(setup, time, prompts(offer.game, offer.game.start(setup)))
    return Genesis(time, offer.digest, by, joins, clocks.awaited)


def adjudicate(
    game: UnlockedGame,
    dice: Dice,
    before: Link,
    state: Any,
    taken: Mapping[str, AcceptedOrder],
    time: Time,
    press: Sequence[Digest] = (),
) -> NextEntry:
    """The step after `before`, which left `state`. Players who are awaited and not in `taken` are
    missing."""
    opening = game.opening
    rules = opening.game
    used = {player: taken[player] for player in opening.players if player in taken}
    step = turn(game, dice, state, taken)
    events, ended = step.events, rules.outcome(step.state)
    if ended is not None and not (events and events[-1].kind == "over"):
        # The rules need not say so themselves.
        events = (*events, Event("over", EVERYONE, ended.fields()))
    received = {player: one.received for player, one in used.items()}
    asked = prompts(rules, step.state)
    clocks = deadlines.run(opening.setup, before.clocks, received, time, asked)
    return _make(
        game,
        before,
        before.joins,
        time,
        step.state,
        events,
        clocks,
        missing=tuple(player for player in before.clocks.awaited if player not in used),
        press=tuple(press),
        slips={player: UsedSlip(one.slip, one.received) for player, one in used.items()},
    )


def turn(
    game: UnlockedGame, dice: Dice, state: Any, taken: Mapping[str, AcceptedOrder]
) -> Step[Any]:
    """The result of a step by the game's rules: the position after it, and what happened."""
    players = game.opening.players
    used = {player: taken[player].orders for player in players if player in taken}
    return game.opening.game.adjudicate(state, used, dice)


def rule(
    game: UnlockedGame,
    before: Link,
    state: Any,
    ruling: Ruling,
    clocks: Clocks,
    time: Time,
    *,
    joins: Mapping[str, Join],
    slips: Mapping[str, UsedSlip],
) -> NextEntry:
    """A ruling after `before`; the game goes on at `state` with these clocks.

    `joins`: who sits where from now on. `slips`: the accepted ones, if the ruling abandons a game
    before its first adjudication.
    """
    return _make(game, before, joins, time, state, (), clocks, ruling=ruling, slips=slips)


def reveal(game: UnlockedGame, before: Link) -> Reveal:
    """The last entry, after the one in which the game ended or was abandoned."""
    return Reveal(
        game.opening.id, before.step + 1, before.digest, game.master.hex,
        chain.ended(before.entry),
    )  # fmt: skip


def prompts(game: Game[Any, Any], state: Any) -> dict[str, str]:
    """What each awaited player is awaited for, in seat order."""
    return {prompt.player: prompt.what for prompt in game.awaited(state)}


def _make(
    game: UnlockedGame,
    before: Link,
    joins: Mapping[str, Join],
    time: Time,
    state: Any,
    events: Sequence[Event],
    clocks: Clocks,
    *,
    slips: Mapping[str, UsedSlip],
    ruling: Ruling | None = None,
    missing: tuple[str, ...] = (),
    press: tuple[Digest, ...] = (),
) -> NextEntry:
    opening, master = game.opening, game.master
    rules, step = opening.game, before.step + 1
    state_file = canonical.dumps(
        {
            "game": opening.id,
            "step": step,
            "salt": master.state_salt(step),
            "position": rules.position(state),
        }
    )
    views = {player: rules.view(state, player) for player in opening.players}
    reports, sealed, told = {}, {}, {}
    for player, view in views.items():
        salt = master.report_salt(step, player)
        data = report.make(opening.id, step, salt, view, events)
        closed = report.seal(opening, game.shared(joins[player]), step, player, data)
        reports[player], sealed[player] = data, closed
        told[player] = ReportDigests(digest(data), digest(closed))
    entry = Entry(
        game=opening.id,
        step=step,
        prev=before.digest,
        time=time,
        state=digest(state_file),
        view=canonical.dumps(dict(rules.view(state, None).shown)).decode("ascii"),
        reserve=clocks.reserve,
        reports=told,
        awaited=clocks.awaited,
        ruling=ruling,
        missing=missing,
        events=tuple(event.plain() for event in events if event.audience == EVERYONE),
        press=press,
        slips=slips,
    )
    return NextEntry(state, state_file, views, reports, sealed, entry)
