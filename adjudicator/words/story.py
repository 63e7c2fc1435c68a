"""A game as a story: every sentence about an entry, for terminals, mails and commits, and the
boards of a step that a reader may see."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudicator.core import report
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Offer, Opening
from adjudicator.core.replay import Replay, difference, revealed
from adjudicator.words.spans import ReadAt, left
from games.game import Deductions, View
from games.news import Said, addressed
from games.options import MATCH
from orders.entries import AnyEntry, Awaited, Genesis, Reveal, SeatChange
from orders.errors import Missing, Refused
from orders.fields import Time

if TYPE_CHECKING:
    from adjudicator.duel.row import Row
    from adjudicator.player.seated import Seated
    from games.chart import Chart
    from games.game import Game

# Entries in words.


def title(entry: AnyEntry) -> str:
    """An entry in a few words."""
    if isinstance(entry, Genesis):
        return f"the game begins: {', '.join(entry.players)}"
    if isinstance(entry, Reveal):
        return f"reveal: {outcome(entry)}"
    ruling = entry.ruling
    if ruling is None:
        missing = f"; missing: {', '.join(entry.missing)}" if entry.missing else ""
        return f"orders of {', '.join(entry.slips) or 'nobody'}{missing}"
    what = "ruling"
    if ruling.annuls is not None:
        what = f"ruling (annuls from {ruling.annuls} on)"
    elif ruling.abandons:
        what = "ruling (the game is abandoned)"
    elif ruling.seat is not None:
        what = f"ruling ({handed_on(ruling.seat)})"
    return f"{what}: {ruling.reason}"


def handed_on(change: SeatChange) -> str:
    """Whose seat a ruling gave to another key, and whether its player signed that."""
    signed = "signed" if change.agreed else "did not sign"
    return f"the host gave {change.player}'s seat to another key; {change.player} {signed} that"


def as_the_invite_says(player: str, count: int) -> str:
    """Whose seat a ruling gave to another key after so many deadlines, as all agreed before."""
    many = f"{count} missed deadline{'s' * (count > 1)}"
    return f"{player}'s seat went to another key after {many}, as the invite says"


def without_nonce(ledger: Ledger, link: Link) -> Iterator[str]:
    """Players who missed the first step, and so have no share in the dice: where more than two play
    at that step, as some of them may be one; of two at their first order afterwards."""
    first, players = link.first, ledger.opening.players
    if first is None or link.step < first:
        return
    if len(players) > 2:
        for player in players:
            if link.step == first and player not in link.slips:
                yield (
                    f"{player} missed step {first} and so added nothing to the dice: that is "
                    "normal after a missed first deadline; but whoever holds several seats, or "
                    "drops somebody's first order, chooses so among several throws"
                )
        return
    for player in link.slips:
        since = (ledger.link(step).slips for step in range(first + 1, link.step))
        if player not in ledger.nonces and not any(player in slips for slips in since):
            yield (
                f"{player} missed step {first} and so added nothing to the dice, and orders in "
                f"entry {link.step}: that is normal after a missed first deadline; but a host who "
                f"drops somebody's first order throws the dice without them"
            )


def against(players: Sequence[str]) -> str:
    """Who plays, in a line: of many players the first, and how many more there are."""
    if len(players) == 2:
        return f"{players[0]} against {players[1]}"
    if len(players) > 4:
        return f"{players[0]}, {players[1]} and {len(players) - 2} more"
    return f"{', '.join(players[:-1])} and {players[-1]}"


def terms(options: Mapping[str, Any]) -> Iterator[str]:
    """What an invite or an offer says of a game, a line for each option."""
    yield from (f"{key} = {value}" for key, value in options.items() if key != MATCH.name)
    yield from of_match(options.get(MATCH.name, MATCH.default))


def of_invite(offer: Offer) -> Iterator[str]:
    """What an invite says of a game, a line for each option, and what a missed deadline does there,
    if the game has the option `missed`."""
    options = dict(offer.invite.options)
    for option in offer.game.options:
        if option.name == "missed":
            options[option.name] = f"{options.get(option.name, option.default)}: {option.help}"
    yield from terms(options)


def of_match(match: str) -> Iterator[str]:
    """What a game's option `match` says, in a line; of a game by itself nothing."""
    if match == "first":
        yield "the first game of a match of two, for the second of which the players change seats"
    elif match != MATCH.default:
        seen = f"that seats are changed is seen only with the first, {match[:16]}"
        yield f"the second game of a match of two; {seen}"


def outcome(entry: AnyEntry) -> str:
    """How a reveal says that the game ended."""
    ended: Mapping[str, Any] = entry.outcome or {}
    if ended.get("abandoned"):
        return "the game was abandoned"
    return "a draw" if ended.get("draw") else f"{ended.get('winner')} won"


def standing(entry: AnyEntry) -> str:
    """The state of a game after its last entry, in words."""
    if isinstance(entry, Reveal):
        return f"over: {outcome(entry)}"
    if not entry.awaited:
        return f"over at entry {entry.step}, not yet revealed"
    until = min(prompt.until for prompt in entry.awaited.values())
    return f"entry {entry.step} awaits {', '.join(entry.awaited)} until {until}"


def whose_turn(
    entry: AnyEntry, reader: ReadAt | None = None, you: str | None = None
) -> tuple[str, ...]:
    """A line for each player who is awaited, or one that says how the game ended.

    Without a reader, as in stored pages, it does not say how much time is left.
    """
    if isinstance(entry, Reveal):
        return (f"The game is over: {outcome(entry)}.",)
    lines = []
    for player, prompt in entry.awaited.items():
        whose = "your" if player == you else f"{player}'s"
        until = prompt.until if reader is None else reader.deadline(prompt.until)
        lines.append(f"{whose} {prompt.what}, until {until}")
    return tuple(lines)


def heard(opening: Opening, entry: AnyEntry, told: report.Report | None = None) -> list[str]:
    """The news of an entry: those of the given report, or else what everyone heard."""
    if entry.ruling is not None:
        return [title(entry)]
    return [
        news(opening, event) for event in (entry.events if told is None else heard_by(entry, told))
    ]


def heard_by(entry: AnyEntry, told: report.Report) -> Sequence[Mapping[str, Any]]:
    """The events of a report for their player's eyes, who may have missed the deadline."""
    missed = {"missed": True} if told.view.player in entry.missing else {}
    return [{**event, **missed} for event in told.events]


def news(opening: Opening | Row, event: Mapping[str, Any]) -> str:
    """An event as a sentence. Who signed it may have signed anything, so one that the game cannot
    show is quoted."""
    try:
        sentence = opening.game.news(event)
    except Exception:  # whatever a game makes of an event that it does not know
        sentence = ""
    if sentence and sentence.isascii() and sentence.isprintable():
        return sentence
    return f"(an event that {opening.game.id} cannot show: {dict(event)!a:.200})"


def sentences(opening: Opening, view: View, events: Sequence[Mapping[str, Any]]) -> Sequence[Said]:
    """The events of a report in sentences that a board plays; if the game cannot put them
    together, each as `news` has it."""
    with suppress(Exception):  # whatever a game makes of events that it does not know
        found = opening.game.told(view, events)
        if all(one.text.isascii() and one.text.isprintable() for one in found):
            return found
    return [Said(news(opening, event)) for event in events]


def why(own: Seated, *, everybody: bool = False) -> str:
    """Why a revealed game ended, in a sentence to the seat's player, or to everybody; "" if the
    game cannot tell."""
    entry = own.ledger.link(own.last.step - 1).entry
    if entry.ruling is not None:
        return f"The host ended it: {entry.ruling.reason}"
    with suppress(Exception):  # whatever a game makes of an end that it does not know
        told = None
        with suppress(Refused):
            told = None if everybody else own.report()
        view = view_of(own.opening, entry) if told is None else told.view
        events = entry.events if told is None else told.events
        said = own.opening.game.why(view, events, entry.missing)
        if said.isascii() and said.isprintable():
            return said
    return ""


def ending(own: Seated) -> str:
    """How a revealed game ended, told to the seat's player: `You won. Your torpedo hit bob in
    C3.`"""
    entry = own.last.entry
    winner = (entry.outcome or {}).get("winner")
    said = outcome(entry).capitalize()
    if winner is not None:
        said = addressed(own.seat.player, "{winner} won", winner=winner)
    return f"{said}. {why(own)}".rstrip()


def told(own: Seated, step: int) -> list[str]:
    """The news of a step that this seat was told; without its report, what everybody heard."""
    link = own.ledger.link(step)
    mine = None
    if link.entry.reports and own.seat.sits(link.joins):
        with suppress(Refused):
            mine = own.report(step)
    return heard(own.opening, link.entry, mine)


def chapters(ledger: Ledger, own: Seated | None = None) -> Iterator[dict[str, Any]]:
    """Every entry: step, time, title and news; with a seat its own news, if its report is there."""
    for link in ledger.links():
        events: Sequence[Mapping[str, Any]] = link.entry.events
        lacks = []
        if own is not None and link.entry.reports and own.seat.sits(link.joins):
            try:
                events = heard_by(link.entry, own.report(link.step))
            except Missing:
                lacks = ["(your report is not here: this is what everybody heard)"]
        yield {
            "step": link.step,
            "time": link.entry.time,
            "title": title(link.entry),
            "news": [*lacks, *(news(ledger.opening, event) for event in events)],
        }


def status(ledger: Ledger) -> dict[str, Any]:
    """Who is awaited for what until when, and the state of the game."""
    entry = ledger.last.entry
    return {
        "game": ledger.opening.id,
        "rules": ledger.opening.offer.invite.rules,
        "step": entry.step,
        "head": ledger.last.digest,
        "state": "under way" if entry.awaited else standing(entry),
        "awaited": {
            player: {"for": prompt.what, "since": prompt.since, "until": prompt.until}
            for player, prompt in entry.awaited.items()
        },
    }


def status_lines(ledger: Ledger, reader: ReadAt, *, verbose: bool = True) -> list[str]:
    """The same for people; `verbose`: with the digests that name the game and its last entry."""
    told, entry, opening = status(ledger), ledger.last.entry, ledger.opening
    if not verbose:
        who = listed(opening.players)
        over = standing(entry)
        when = due(entry.awaited, reader) if entry.awaited else f"{over[:1].upper()}{over[1:]}"
        return [f"{opening.offer.name}: {_turn(ledger)}, {who} (ids with -v)", when]
    turn = whose_turn(entry, reader)
    return [
        f"game {told['game']}",
        f"{told['rules']}, entry {told['step']}: {told['state']}",
        f"head {told['head']}",
        *(turn if entry.awaited else ()),
    ]


def _turn(ledger: Ledger) -> str:
    """The game and, while it goes on, its turn."""
    opening, last = ledger.opening, ledger.last
    with suppress(Refused):
        if not last.over:
            return heading(opening.game, view_of(opening, last.entry))
    return opening.game.title


def heading(game: Game[Any, Any], view: View) -> str:
    """The game, and its turn as the game itself counts them, if it does: `Sugar Dog, turn 3`."""
    with suppress(Exception):  # whatever a game makes of a view that is none of its own
        return game.brief(view, Deductions()).title.partition(":")[0]
    return game.title


def due(awaited: Mapping[str, Awaited], reader: ReadAt) -> str:
    """Who is awaited for what, those together who have the same deadline."""
    players: dict[tuple[str, Time], list[str]] = {}
    for player, prompt in awaited.items():
        players.setdefault((prompt.what, prompt.until), []).append(f"{player}'s")
    return "; ".join(
        f"{listed(whose)} {what}, until {reader.deadline(until)}"
        for (what, until), whose in players.items()
    )


def listed(words: Sequence[str]) -> str:
    """`alice, bob and cat`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def whose_are_in(ledger: Ledger, revisions: Mapping[str, int], now: Time) -> list[str]:
    """For the host: players whose orders are in, with the last revision, and those who are
    missing."""
    awaited = ledger.last.entry.awaited
    came = [f"{name} (revision {number})" for name, number in revisions.items()]
    lack = [
        f"{name} ({left(prompt.until, now)})"
        for name, prompt in awaited.items()
        if name not in revisions
    ]
    lines = [f"in: {', '.join(came)}"] if came and awaited else []
    return lines + ([f"missing: {', '.join(lack)}"] if lack else [])


def history(chapters: Iterable[Mapping[str, Any]], reader: ReadAt | None = None) -> Iterator[str]:
    """The same in lines; for a reader at this machine with times of their own."""
    for chapter in chapters:
        time = chapter.get("time") or ""
        told = f"{time:<20}  " if reader is None else f"{reader.when(time)}  " if time else ""
        yield f"{chapter['step']:>4}  {told}{chapter['title']}"
        yield from (f"      {line}" for line in chapter["news"])


# What may be seen.


class StepView(NamedTuple):
    """What a reader may see of a step: boards, each by somebody's eyes, and events in words.

    `state`: after the reveal, the position itself, shown with each player's board. `known`: what
    the player of the one board has worked out, which the board shows too. `of`: what made it, a
    game's entry or a duel's step.
    """

    opening: Opening | Row
    step: int
    boards: tuple[View, ...]
    events: tuple[Mapping[str, Any], ...]
    awaited: tuple[str, ...]
    state: Any = None
    known: Deductions | None = None
    of: str = "entry"

    @property
    def whose(self) -> str:
        """By whose eyes the picture is, in words."""
        if self.state is not None:
            return "as it was"
        return f"as {self.boards[0].player or 'everybody'} sees it"

    def lines(self, *, newest: bool = False) -> list[str]:
        """The lines for a terminal. `newest`: no step was named, so that its number would say
        nothing; the game's own turn does."""
        game = self.opening.game
        out = [f"{heading(game, self.boards[0])}:" if newest else f"After {self.of} {self.step}:"]
        out += [f"  {news(self.opening, event)}" for event in self.events] or ["  (no news)"]
        if self.state is not None:
            out += ["", "As it was:", game.draw_whole(self.state).rstrip("\n")]
        for view in self.boards:
            whose = "everybody" if view.player is None else view.player
            chart = self._chart(view)
            drawn = game.draw(view)
            if chart is not None:
                from games.chart import text

                drawn = text(chart)
            out += ["", f"As {whose} sees it:", drawn.rstrip("\n")]
        return out + (["", *self.awaited] if self.awaited else [])

    def svg(self) -> str:
        """One picture: the position itself if it may be seen, else the first board."""
        if self.state is not None:
            return self.opening.game.svg_whole(self.state)
        chart = self._chart(self.boards[0])
        if chart is None:
            return self.opening.game.svg(self.boards[0])
        from games import picture

        return picture.svg(chart)

    def _chart(self, view: View) -> Chart | None:
        """The board with what the player has worked out; None if nothing is known."""
        return None if self.known is None else self.opening.game.chart_known(view, self.known)

    def json(self) -> dict[str, Any]:
        """The same for programs. The public view has the name "*"."""
        return {
            "game": self.opening.id,
            "step": self.step,
            "views": {view.player or "*": view.shown for view in self.boards},
            "events": [dict(event) for event in self.events],
        }


def seen_by(seated: Seated, step: int | None, reader: ReadAt | None = None) -> StepView:
    """What a seat sees of that step, or of the last: without its report what everybody sees; raises
    Refused."""
    last = seated.last.entry
    awaited = whose_turn(last, reader, seated.seat.player) if step is None else ()
    try:
        told = seated.report(step)
    except Missing:
        return Story(seated.ledger).seen(step)._replace(awaited=awaited)
    return StepView(seated.opening, told.step, (told.view,), told.events, awaited)


def view_of(opening: Opening, entry: AnyEntry) -> View:
    """What everybody may see after that entry; raises Refused if the game cannot draw it."""
    step = entry.step
    if step == 0:
        return opening.game.view(opening.game.start(opening.setup), None)
    view = View(opening.setup, None, json.loads(entry.view))
    try:
        opening.game.draw(view)
    except Exception:
        raise Refused(
            "chain", f"entry {step}: its public view is not one of {opening.game.id}"
        ) from None
    return view


class Story:
    """A game told to everybody: its public side while it runs, all sides after the reveal.

    A revealed game is replayed once, and then any step can be seen.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._replay: Replay | None = None
        self._reports: list[Mapping[str, bytes]] = [{}]

    @property
    def last(self) -> int:
        """The last step that has boards."""
        return self.ledger.last.step - isinstance(self.ledger.last.entry, Reveal)

    def seen(self, step: int | None = None, reader: ReadAt | None = None) -> StepView:
        """What everybody may see of that step, or of the last; raises Refused."""
        chosen = self.last if step is None else step
        if not 0 <= chosen <= self.last:
            raise Refused(
                "missing", f"there is no entry {chosen} to show", f"the last is {self.last}"
            )
        opening, entry = self.ledger.opening, self.ledger.link(chosen).entry
        boards: tuple[View, ...] = (view_of(opening, entry),)
        state = None
        if self.ledger.revealed:
            state = self.state(chosen)
            boards = tuple(opening.game.view(state, player) for player in opening.players)
        awaited = whose_turn(self.ledger.last.entry, reader) if step is None else ()
        return StepView(opening, chosen, boards, tuple(entry.events), awaited, state)

    def state(self, step: int) -> Any:
        """The position after that entry of a revealed game; raises Refused."""
        if self._replay is None:
            self._replay = revealed(self.ledger)
        for number in range(self._replay.last.step + 1, step + 1):
            link = self.ledger.link(number)
            made = self._replay.play(link)
            fault = difference(link, made)
            if fault is not None:
                raise fault
            self._reports.append(made.reports)
        return self._replay.state(step)

    def report(self, step: int, player: str) -> report.Report:
        """What a player was told of that entry of a revealed game; raises Refused."""
        self.state(step)
        if step == 0:
            return report.start(self.ledger.opening, player)
        entry = self.ledger.link(step).entry
        return report.read(self.ledger.opening, entry, player, self._reports[step][player])
