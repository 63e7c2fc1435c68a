"""A record as a story: what each entry told, and what may be seen of it by whom.

What belongs here: gathering views and news for whoever prints them. What it must not know: any
game's events, terminals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator import chain, opening, replay
from adjudicator.opening import Opening
from adjudicator.player import Seated
from adjudicator.record import Record
from adjudicator.seat import Seat
from games.game import View
from orders import names
from orders.entries import AnyEntry, Entry, Genesis, Reveal, read_entry
from orders.errors import Missing, Refused
from orders.secrets import Master


@dataclass(frozen=True, slots=True)
class Seen:
    """What may be seen of a step: boards (by whose eyes) and events, told for the reader."""

    opening: Opening
    step: int
    boards: tuple[View, ...]
    events: tuple[Any, ...]
    awaited: tuple[str, ...]

    def lines(self) -> list[str]:
        """For a terminal."""
        game = self.opening.game
        out = [f"After entry {self.step}:"]
        out += [f"  {game.news(event)}" for event in self.events] or ["  (no news)"]
        for view in self.boards:
            out += ["", f"As {view.player} sees it:", game.draw(view).rstrip("\n")]
        out += ["", *self.awaited]
        return out

    def svg(self) -> str:
        """The first board as a picture."""
        return self.opening.game.svg(self.boards[0])

    def json(self) -> dict[str, Any]:
        """For programs."""
        views = {view.player: view.shown for view in self.boards}
        return {
            "game": self.opening.id, "step": self.step, "views": views,
            "events": [dict(event) for event in self.events],
        }  # fmt: skip


def seen_by(seated: Seated, step: int | None) -> Seen:
    """What a seat sees of that step, or of the last; raises Missing or Refused."""
    last = seated.last().step
    if step is not None and not 0 <= step <= last:
        raise Refused("missing", f"there is no entry {step} to show", f"the last is {last}")
    report = seated.report(step)
    awaited = _awaited(seated.last()) if step is None else ()
    return Seen(seated.opening, report.step, (report.view,), report.events, awaited)


def seen_by_all(record: Record, step: int | None) -> Seen:
    """The public news of that step, or of the last; after the reveal every player's board too."""
    opened = opening.read_opening(record)
    last = read_entry(record.read(names.entry(record.last_step() or 0)))
    revealed = isinstance(last, Reveal)
    chosen = (last.step - 1 if revealed else last.step) if step is None else step
    if not 0 <= chosen <= (last.step - 1 if revealed else last.step):
        raise Refused("missing", f"there is no entry {chosen} to show", f"the last is {last.step}")
    entry = read_entry(record.read(names.entry(chosen)))
    events: Sequence[Any] = entry.events if isinstance(entry, Entry) else ()
    boards: tuple[View, ...] = ()
    if isinstance(last, Reveal):
        boards = _revealed(opened, record, last, chosen)
    awaited = _awaited(last) if step is None else ()
    return Seen(opened, chosen, boards, tuple(events), awaited)


def _revealed(opened: Opening, record: Record, reveal: Reveal, step: int) -> tuple[View, ...]:
    again = replay.Replay(opened, Master(bytes.fromhex(reveal.master)), record, opened=False)
    for played in again.play(chain.walk(opened, record, step)[1:]):
        if played.fault is not None:
            raise played.fault
    state = again.head(step).state
    return tuple(opened.game.view(state, player) for player in opened.players)


def heard(record: Record, seat: Seat | None, step: int) -> list[str]:
    """The news of an entry: as that seat heard it, or what everyone heard. Raises Refused."""
    opened = opening.read_opening(record)
    entry = read_entry(record.read(names.entry(step)))
    if not isinstance(entry, Entry):
        return []
    if entry.ruling is not None:
        return [title(entry)]
    events: Sequence[Any] = entry.events
    if seat is not None:
        events = Seated(record, seat).report(step).events
    return [opened.game.news(event) for event in events]


def whose_turn(record: Record) -> tuple[str, ...]:
    """A line for each player who is awaited, or one that says how the game ended."""
    return _awaited(read_entry(record.read(names.entry(record.last_step() or 0))))


def _awaited(entry: AnyEntry) -> tuple[str, ...]:
    if isinstance(entry, Reveal):
        return (f"The game is over: {outcome(entry)}.",)
    return tuple(
        f"awaited: {player} for {prompt.what}, until {prompt.until}"
        for player, prompt in entry.awaited.items()
    )


def outcome(reveal: Reveal) -> str:
    if reveal.outcome.get("abandoned"):
        return "abandoned"
    return "a draw" if reveal.outcome.get("draw") else f"{reveal.outcome.get('winner')} won"


def chapters(record: Record) -> Iterator[dict[str, Any]]:
    """Every entry: step, time, title and public news."""
    opened = opening.read_opening(record)
    for step in range((record.last_step() or 0) + 1):
        entry = read_entry(record.read(names.entry(step)))
        events = entry.events if isinstance(entry, Entry) else ()
        yield {
            "step": step,
            "time": entry.time,
            "title": title(entry),
            "news": [opened.game.news(event) for event in events],
        }


def title(entry: AnyEntry) -> str:
    """An entry in a few words."""
    if isinstance(entry, Genesis):
        return f"genesis: {', '.join(entry.players)}"
    if isinstance(entry, Reveal):
        return f"reveal: {outcome(entry)}"
    if entry.ruling is not None:
        annuls = "" if entry.ruling.annuls is None else f" (annuls from {entry.ruling.annuls} on)"
        return f"ruling{annuls}: {entry.ruling.reason}"
    missing = f"; missing: {', '.join(entry.missing)}" if entry.missing else ""
    return f"orders of {', '.join(entry.slips) or 'nobody'}{missing}"


def status(record: Record) -> dict[str, Any]:
    """Who is awaited for what until when, and where the game stands."""
    offer = opening.read_offer(record)
    last = record.last_step()
    told: dict[str, Any] = {
        "game": None, "rules": offer.invite.rules, "step": last, "awaited": {},
        "state": "waiting for players",
    }  # fmt: skip
    if last is None:
        return told
    told["game"] = opening.read_opening(record).id
    try:
        entry = read_entry(record.read(names.entry(last)))
    except Missing as error:
        raise Refused("missing", error.message) from None
    if isinstance(entry, Reveal):
        told["state"] = f"over: {outcome(entry)}"
        return told
    told["state"] = "under way" if entry.awaited else "over, not yet revealed"
    told["awaited"] = {
        player: {"for": prompt.what, "since": prompt.since, "until": prompt.until}
        for player, prompt in entry.awaited.items()
    }
    return told
