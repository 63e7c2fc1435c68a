"""One report: how the host makes it, its player opens it, and everybody checks and shows it.

A report holds its player's view, and the events that are for this player alone. Each of these has
its place: how many of the entry's public events come before it. So entry and report together tell
everything that the player heard, in order (`docs/formats/reports.md`).

What belongs here: a report's file, its sealing, and the checks after which it is safe to show what
a host sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from adjudicator.core.opening import Opening
from games.game import EVERYONE, Event, View
from orders import canonical, names
from orders.entries import AnyEntry
from orders.errors import Refused, at
from orders.fields import Digest, digest
from orders.sealing import Place, Shared, room


class Report(NamedTuple):
    """A player's opened report of one step: their view, and all that they heard, in order.

    `data` is the file as salted and hashed; empty if the view is that of the setup.
    """

    step: int
    view: View
    events: tuple[Mapping[str, Any], ...]
    data: bytes = b""


def make(game: Digest, step: int, salt: str, view: View, events: Sequence[Event]) -> bytes:
    """The report of the view's player as canonical JSON, salted; `events`: all of the step."""
    own: list[list[Any]] = []
    place = 0
    for event in events:
        if event.audience == EVERYONE:
            place += 1
        elif event.audience == view.player:
            own.append([place, event.plain()])
    return canonical.dumps(
        {
            "game": game,
            "step": step,
            "player": view.player,
            "salt": salt,
            "view": dict(view.shown),
            "events": own,
        }
    )


def seal(opening: Opening, shared: Shared, step: int, player: str, data: bytes) -> bytes:
    """A report sealed to its player: the same bytes every time.

    Raises Refused `too-big` if it does not fit the game's size: its rules tell more in a step than
    their author reckoned with.
    """
    size = opening.sizes.report
    if len(data) > room(size):
        raise Refused(
            "too-big",
            f"{opening.game.rules}: the report of {player} for step {step} has {len(data)} bytes, "
            f"and this game's sealed reports of {size} bytes have room for {room(size)}",
            f"the step was not played: `sizes` of {opening.game.id} is too small: tell its author",
        )
    return shared.seal(_place(opening, step, player, digest(data)), data, size)


def unseal(opening: Opening, shared: Shared, entry: AnyEntry, player: str, sealed: bytes) -> bytes:
    """The report of that entry in a sealed file; raises Refused `unopenable`."""
    place = _place(opening, entry.step, player, entry.reports[player].digest)
    with at(names.report(entry.step, player)):
        return shared.open(place, sealed, opening.sizes.report)


def _place(opening: Opening, step: int, player: str, content: Digest) -> Place:
    return Place("report", opening.id, step, player, 0, content)


def start(opening: Opening, player: str) -> Report:
    """What a player sees before the first entry: the view of the setup."""
    game = opening.game
    return Report(0, game.view(game.start(opening.setup), player), ())


def read(opening: Opening, entry: AnyEntry, player: str, data: bytes) -> Report:
    """What an opened report tells; raises Refused `reports` for anything that no honest host sends.

    After this check the game can draw the view, word every event and say what may be written, and
    the view agrees with the entry's public view. Every display of the report relies on that.
    """
    with at(names.report(entry.step, player)):
        values = _values(opening, entry.step, player, data)
        view = View(opening.setup, player, values["view"])
        try:
            events = _heard(player, values["events"], entry.events)
        except ValueError as error:
            raise Refused(
                "reports", f"it does not fit its entry: {ascii(str(error))[1:-1]}"
            ) from None
        public = _show(opening, view, events)
        if canonical.dumps(public).decode("ascii") != entry.view:
            raise Refused("reports", "its view does not agree with the entry's public view")
    return Report(entry.step, view, events, data)


def _heard(
    player: str, own: Any, public: Sequence[Mapping[str, Any]]
) -> tuple[Mapping[str, Any], ...]:
    """The player's own events among the entry's public ones, each with its audience as `for`.

    Raises ValueError for places and events that no report has.
    """
    if not isinstance(own, list):
        raise ValueError("events: expected a list")  # noqa: TRY004 - it is data
    heard: list[Mapping[str, Any]] = []
    told = 0
    for pair in own:
        match pair:
            case [int(place), {"kind": str(), **rest} as event] if type(place) is int:
                pass
            case _:
                raise ValueError("events: expected pairs of a place and an event with its kind")
        if not told <= place <= len(public):
            most = len(public)
            raise ValueError(f"events: place {place!r:.20}: expected places from {told} to {most}")
        if "for" in rest:
            raise ValueError("events: an event names its audience")
        heard += [{"for": EVERYONE, **one} for one in public[told:place]]
        heard.append({"for": player, **event})
        told = place
    return (*heard, *({"for": EVERYONE, **one} for one in public[told:]))


_KEYS = {"events", "game", "player", "salt", "step", "view"}


def _values(opening: Opening, step: int, player: str, data: bytes) -> dict[str, Any]:
    values = canonical.loads(data)
    if not isinstance(values, dict) or set(values) != _KEYS:
        raise Refused("reports", f"a report has the keys {', '.join(sorted(_KEYS))}")
    expected = {"game": opening.id, "step": step, "player": player}
    for key, value in expected.items():
        if values[key] != value:
            raise Refused("reports", f"{key} is {values[key]!a:.80}, expected {value!a}")
    if not isinstance(values["view"], dict):
        raise Refused("reports", "the view is no table")
    if canonical.has_line_feed(data.decode("ascii")):
        raise Refused("reports", "a string in it holds a line feed")
    return values


def _show(opening: Opening, view: View, events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The public part of the view, once the game has taken everything in the report."""
    game = opening.game
    try:
        public = game.public(view)
        if not game.strict:
            game.draw(view)
            game.legal(view)
        news = [game.news(event) for event in events]
    except Exception:
        raise Refused("reports", f"{game.id} cannot show what the host sent") from None
    for sentence in news:
        if not (sentence.isascii() and sentence.isprintable()):
            raise Refused("reports", f"an event reads {sentence!a:.80}: expected one plain line")
    return public
