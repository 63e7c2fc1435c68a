"""The public events of a step of Sugar Dog as sounds, sorted by place in the turn order, and sounds
in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games.game import Player, Setup, Table
from games.grid import Cell, read_cell


@dataclass(frozen=True, slots=True)
class Sound:
    """One thing heard: a `contact` (`hit`: followed by an impact, in which the submarines of `sunk`
    were lost), a `clear`, or a `ping` with its echoes: whose and where."""

    kind: Literal["contact", "clear", "ping"]
    at: Cell | None = None
    hit: bool = False
    sunk: tuple[Player, ...] = ()
    echoes: tuple[tuple[Player, Cell], ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """The sounds in one player's place in the turn order. `turn`: it was their turn, so there was a
    command; `resigned`: that command was to resign."""

    owner: Player
    turn: bool
    sounds: tuple[Sound, ...] = ()
    resigned: bool = False


def places(events: Iterable[Table], setup: Setup, turn: Player | None) -> tuple[Place, ...]:
    """The public events of one step, sorted into places of the turn order; places in which nothing
    was heard are among them (SD-12, SD-14). `turn`: whose turn it is after the step; None: the game
    is over.

    For the setup: the players who were sunk from the beginning, as if they had resigned (SD-2).
    """
    found: list[Place] = []
    for event in events:
        kind = event["kind"]
        if kind == "turn":
            owner = event["player"]
            found.append(Place(owner, True))
            for other in setup.after(owner)[:-1]:
                if other == turn:
                    break
                found.append(Place(other, False))
        elif kind == "sunk" and not any(place.sounds for place in found):
            gone = Place(event["player"], True, resigned=True)
            found = [gone, *(place for place in found if place.owner != gone.owner)]
        else:
            _sort_in(found, event)
    return tuple(found)


def _sort_in(found: list[Place], event: Table) -> None:
    """Add an event to its place: a sound to its maker's place, a consequence to the last place."""
    kind = event["kind"]
    if kind in ("contact", "clear", "ping"):
        at = read_cell(event["at"]) if "at" in event else None
        number = next(number for number, place in enumerate(found) if place.owner == event["by"])
        found[number] = replace(found[number], sounds=(*found[number].sounds, Sound(kind, at)))
        return
    loud = [number for number, place in enumerate(found) if place.sounds]
    if not loud:
        return
    number = loud[-1]
    *earlier, last = found[number].sounds
    if kind == "impact":
        last = replace(last, hit=True)
    elif kind == "sunk":
        last = replace(last, sunk=(*last.sunk, event["player"]))
    elif kind == "echo" and (at := read_cell(event["at"])) is not None:
        last = replace(last, echoes=(*last.echoes, (event["of"], at)))
    found[number] = replace(found[number], sounds=(*earlier, last))


def told(heard: Sequence[Place], others: Collection[Player]) -> Iterator[str]:
    """Notes on what was heard of the others, and what the player's own weapons struck."""
    for place in heard:
        if place.owner not in others:
            yield from (f"impact in {sound.at}, by you" for sound in place.sounds if sound.hit)
        elif place.sounds:
            yield f"{place.owner}: {', '.join(_said(sound) for sound in place.sounds)}"
        for sound in place.sounds:
            for other in others:
                cells = [str(at) for of, at in sound.echoes if of == other]
                if cells:
                    yield f"echoes of {other}: {', '.join(cells)}"


def _said(sound: Sound) -> str:
    if sound.kind == "clear":
        return "no further contacts"
    said = f"{sound.kind} {'from' if sound.kind == 'ping' else 'in'} {sound.at}"
    return f"{said} with an impact" if sound.hit else said
