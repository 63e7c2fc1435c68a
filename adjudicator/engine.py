"""Pure adjudication: a position and accepted orders in, the next entry and everyone's report out.

Host and verifier run this same code: verifying is adjudicating again and comparing bytes.
What it must not know: folders, signatures, sealing, the present time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudicator import times
from adjudicator.opening import Offer, Opening
from games.dice import Dice
from games.game import EVERYONE, Event, Game, Setup, Table, View
from games.options import seconds
from orders import canonical
from orders.documents import Sizes
from orders.entries import Awaited, Entry, Genesis, Reveal, Ruling, Told, Used
from orders.fields import Digest, Time, digest
from orders.secrets import Master

ENVELOPE = 320
"""The most bytes of a report beside its view and events: keys, game, step, salt, player."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Who is awaited until when, and what reserve everyone has left, in seconds."""

    awaited: Mapping[str, Awaited]
    reserve: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Head:
    """The game as its last entry left it: all that the next adjudication starts from."""

    step: int
    digest: Digest
    time: Time
    clocks: Clocks
    state: Any


@dataclass(frozen=True, slots=True)
class Taken:
    """An accepted order: its slip's digest, when it was received, the orders as the game read."""

    slip: Digest
    received: Time
    orders: Any


@dataclass(frozen=True, slots=True)
class Made:
    """What an entry was made from: the new state, its file's bytes, everyone's report's bytes.

    `draft` is the entry but for the digests of the sealed reports.
    """

    state: Any
    state_file: bytes
    reports: Mapping[str, bytes]
    draft: Entry

    def entry(self, sealed: Mapping[str, Digest]) -> Entry:
        """The entry, given the digests of the sealed reports by player."""
        reports = {
            player: Told(told.digest, sealed[player]) for player, told in self.draft.reports.items()
        }
        return replace(self.draft, reports=reports)

    def head(self, entry_digest: Digest) -> Head:
        """What the adjudication after that entry starts from."""
        draft = self.draft
        clocks = Clocks(draft.awaited, draft.reserve)
        return Head(draft.step, entry_digest, draft.time, clocks, self.state)


def size_classes(game: Game[Any, Any], options: Table) -> Sizes:
    """The sizes that an invite fixes: powers of two from 2,048 on that hold what can come."""
    return Sizes(
        _size_class(game.order_bound(options)),
        _size_class(game.report_bound(options) + ENVELOPE),
    )


def _size_class(bound: int) -> int:
    size = 2048
    while size < bound + 4:  # four bytes tell the length
        size *= 2
    return size


def genesis(
    offer: Offer, setup: Setup, joins: Mapping[str, Digest], time: Time, by: str
) -> Genesis:
    """Entry 0; `by` names the engine."""
    prompts = _prompts(offer.game, offer.game.start(setup))
    nobody = Clocks({}, dict.fromkeys(setup.players, 0))
    clocks = run_clocks(setup, nobody, {}, time, prompts, reserve=first_reserve(setup))
    return Genesis(time, offer.digest, by, joins, clocks.awaited)


def begin(opening: Opening) -> Head:
    """The game as genesis left it."""
    clocks = Clocks(opening.genesis.awaited, first_reserve(opening.setup))
    state = opening.game.start(opening.setup)
    return Head(0, opening.id, opening.genesis.time, clocks, state)


def first_reserve(setup: Setup) -> dict[str, int]:
    """Everyone's reserve at the start, in seconds."""
    return dict.fromkeys(setup.players, seconds(setup.options["reserve_time"]) or 0)


def seed(master: Master, opening: Opening, nonces: Mapping[str, str]) -> bytes:
    """The shuffle's seed: 32 zero bytes stand in for who missed the first step."""
    return master.seed([nonces.get(player, "00" * 32) for player in opening.players], opening.id)


def adjudicate(
    opening: Opening,
    master: Master,
    dice: Dice,
    head: Head,
    taken: Mapping[str, Taken],
    time: Time,
    press: Sequence[Digest] = (),
) -> Made:
    """The step after `head`. Who is awaited and not in `taken` is missing."""
    players = opening.players
    used = {player: taken[player] for player in players if player in taken}
    step = opening.game.adjudicate(
        head.state, {player: order.orders for player, order in used.items()}, dice
    )
    received = {player: order.received for player, order in used.items()}
    clocks = run_clocks(
        opening.setup, head.clocks, received, time, _prompts(opening.game, step.state)
    )
    return _make(
        opening,
        master,
        head,
        time,
        step.state,
        step.events,
        clocks,
        missing=tuple(player for player in head.clocks.awaited if player not in used),
        press=tuple(press),
        slips={player: Used(order.slip, order.received) for player, order in used.items()},
    )


def rule(
    opening: Opening,
    master: Master,
    head: Head,
    base: Head,
    ruling: Ruling,
    time: Time,
    until: Time | None,
) -> Made:
    """A ruling after `head` from which the game goes on as `base` has it.

    `base` is the head before the first annulled entry, or `head` itself. An annulment starts
    every clock anew; otherwise clocks run on. `until` sets all deadlines.
    """
    prompts = {} if ruling.abandons else _prompts(opening.game, base.state)
    clocks = ruling_clocks(opening.setup, head.clocks, base.clocks, ruling, time, prompts, until)
    return _make(opening, master, head, time, base.state, (), clocks, ruling=ruling)


def reveal(opening: Opening, master: Master, head: Head, time: Time) -> Reveal:
    """The last entry; `head` has an outcome or is a ruling that abandons the game."""
    ended = opening.game.outcome(head.state)
    outcome = {"abandoned": True} if ended is None else ended.fields()
    return Reveal(opening.id, head.step + 1, head.digest, time, master.hex, outcome)


def run_clocks(
    setup: Setup,
    before: Clocks,
    received: Mapping[str, Time],
    time: Time,
    prompts: Mapping[str, str],
    *,
    reserve: Mapping[str, int] | None = None,
    until: Time | None = None,
) -> Clocks:
    """The clocks after an entry of that time that awaits `prompts` (what for, by player).

    A player who stays awaited for the same thing keeps since, until and reserve; else the reserve
    used is what `received` is past the turn time, all of it for who was missing. `reserve` given:
    nothing is used up (genesis and rulings). `until` given: it is everyone's deadline.
    """
    left = dict(before.reserve if reserve is None else reserve)
    for player, prompt in before.awaited.items():
        if reserve is None and prompts.get(player) != prompt.what:
            left[player] -= _used(prompt, left[player], received.get(player))
    turn_time = seconds(setup.options["turn_time"]) or 0
    awaited = {}
    for player, what in prompts.items():
        anew = Awaited(what, time, times.add(time, turn_time + left[player]))
        prompt = before.awaited.get(player, anew)
        if prompt.what != what:
            prompt = anew
        awaited[player] = prompt if until is None else replace(prompt, until=until)
    return Clocks(awaited, left)


def ruling_clocks(
    setup: Setup,
    before: Clocks,
    base: Clocks,
    ruling: Ruling,
    time: Time,
    prompts: Mapping[str, str],
    until: Time | None,
) -> Clocks:
    """The clocks after a ruling: `before` it, and as the position to which it returns left them."""
    start = before if ruling.annuls is None else Clocks({}, base.reserve)
    return run_clocks(setup, start, {}, time, prompts, reserve=base.reserve, until=until)


def _used(prompt: Awaited, reserve: int, received: Time | None) -> int:
    if received is None:
        return reserve
    # until - reserve is since + turn time, or what a ruling made of it.
    late = times.between(prompt.until, received) + reserve
    return min(max(late, 0), reserve)


def _prompts(game: Game[Any, Any], state: Any) -> dict[str, str]:
    return {prompt.player: prompt.what for prompt in game.awaited(state)}


def _make(
    opening: Opening,
    master: Master,
    head: Head,
    time: Time,
    state: Any,
    events: Sequence[Event],
    clocks: Clocks,
    **besides: Any,
) -> Made:
    step = head.step + 1
    state_file = canonical.dumps(
        {
            "game": opening.id,
            "step": step,
            "salt": master.salt("state", step),
            "position": opening.game.position(state),
        }
    )
    reports = {
        player: report_file(
            opening,
            step,
            master.salt("report", step, player),
            opening.game.view(state, player),
            events,
        )
        for player in opening.players
    }
    told = {player: Told(digest(report), "") for player, report in reports.items()}
    draft = Entry(
        game=opening.id,
        step=step,
        prev=head.digest,
        time=time,
        state=digest(state_file),
        reserve=clocks.reserve,
        reports=told,
        awaited=clocks.awaited,
        events=tuple(event.public() for event in events if event.audience == EVERYONE),
        **besides,
    )
    return Made(state, state_file, reports, draft)


def report_file(
    opening: Opening, step: int, salt: str, view: View, events: Sequence[Event]
) -> bytes:
    """A player's report as canonical JSON: their view, and the events that they hear, in order."""
    return canonical.dumps(
        {
            "game": opening.id,
            "step": step,
            "player": view.player,
            "salt": salt,
            "view": view.shown,
            "events": [e.told_to(view.player) for e in events if e.heard_by(view.player)],
        }
    )
