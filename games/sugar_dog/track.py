"""What a captain can work out about one opponent from what everyone hears.

What belongs here: guesses at where an opponent's submarine and torpedoes are, weighed, and what
each report rules out. What it must not know: the position. It reads public events only; mines
leave no trace until a ping, and are taken from echoes.

A guess follows the rules backwards: every silence, contact, impact and echo either fits it or ends
it. Weights are whole numbers that sum to about `TOTAL`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games.game import Player, Table
from games.grid import HEADINGS, Board, Cell, read_cell
from games.sugar_dog.state import Torpedo

TOTAL = 1_000_000
GUESSES = 300
"""The likeliest guesses kept; the rest weigh next to nothing."""

STAYS, MOVES = 3, 2
"""Weights of a quiet turn: staying put (or laying, or firing off the map), and each silent move."""
STEADY = 8
"""How many times likelier to stay one is thought whom a ping finds where the last one did."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Where an opponent's submarine (None: sunk) and torpedoes (oldest first) may be."""

    sub: Cell | None
    torpedoes: tuple[Torpedo, ...] = ()


@dataclass(frozen=True, slots=True)
class Sound:
    """One thing heard of a place in the turn order: `contact` (`hit`: then an impact), `clear`
    or `ping`."""

    kind: Literal["contact", "clear", "ping"]
    at: Cell | None = None
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """What was heard at one player's place. `turn`: it was their turn, so there was a command."""

    owner: Player
    turn: bool
    sounds: tuple[Sound, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """All guesses at one opponent, with their weights; from the last ping their mines, and where
    the submarine then was; how they are thought to weigh staying put."""

    on: Board
    weights: Mapping[Guess, int]
    mines: tuple[Cell, ...] = ()
    found: Cell | None = None
    stays: int = STAYS

    def where(self) -> dict[Cell, int]:
        """Weight by cell of the submarine; empty once it is sunk."""
        cells: dict[Cell, int] = {}
        for guess, weight in self.weights.items():
            if guess.sub:
                cells[guess.sub] = cells.get(guess.sub, 0) + weight
        return cells

    def struck(self, at: Cell) -> int:
        """Weight of the guesses in which a torpedo's next run enters that cell."""
        return sum(
            weight
            for guess, weight in self.weights.items()
            if any(at in run(self.on, torpedo) for torpedo in guess.torpedoes)
        )


def unknown(on: Board) -> Track:
    """SD-2: the submarine may start anywhere."""
    return Track(on, dict.fromkeys(map(Guess, on.cells()), 1))


def run(on: Board, torpedo: Torpedo) -> tuple[Cell, ...]:
    """The one or two cells of the torpedo's next run (SD-5)."""
    first = torpedo.cell.step(torpedo.heading)
    return tuple(cell for cell in (first, first.step(torpedo.heading)) if cell.on(on))


def places(events: Iterable[Table]) -> tuple[Place, ...]:
    """The public events of one step, by whose place they belong to (SD-12, SD-14)."""
    found: list[Place] = []
    for event in events:
        kind = event["kind"]
        if kind == "turn":
            found.append(Place(event["player"], True, ()))
        elif kind in ("contact", "clear", "ping"):
            if not found or found[-1].owner != event["by"]:
                found.append(Place(event["by"], False, ()))
            at = read_cell(event["at"]) if "at" in event else None
            sounds = (*found[-1].sounds, Sound(kind, at))
            found[-1] = replace(found[-1], sounds=sounds)
        elif kind == "impact" and found and found[-1].sounds:
            *before, last = found[-1].sounds
            found[-1] = replace(found[-1], sounds=(*before, replace(last, hit=True)))
    return tuple(found)


def follow(track: Track, player: Player, heard: Place, sunk: bool) -> Track:
    """The track of `player` after one place, their own or another's. `sunk`: they are, by now."""
    if heard.owner == player:
        weights = _own_place(track, heard, sunk)
    else:
        weights = _others_place(track, heard, sunk)
    struck = [sound.at for sound in heard.sounds if sound.kind == "contact"]
    mines = tuple(mine for mine in track.mines if mine not in struck)
    if not weights:
        weights = _afresh(track, heard if heard.owner == player else None, sunk)
    return replace(track, weights=_level(weights), mines=mines)


def echoed(track: Track, cells: Sequence[Cell]) -> Track:
    """SD-13: the track after a ping was answered from these cells, all that there is."""
    fitting = {
        guess: weight
        for guess, weight in track.weights.items()
        if all(cell in cells for cell in _cells(guess))
    }
    if not fitting:
        sunk = all(guess.sub is None for guess in track.weights)
        fitting = dict.fromkeys([Guess(None)] if sunk else [Guess(cell) for cell in cells], 1)
    likeliest = max(fitting, key=lambda guess: fitting[guess])
    rest = list(cells)
    for cell in _cells(likeliest):
        if cell in rest:
            rest.remove(cell)
    same = track.found is not None and likeliest.sub == track.found
    stays = min(track.stays * STEADY, TOTAL) if same else STAYS
    return Track(track.on, _level(fitting), tuple(rest), likeliest.sub, stays)


def _cells(guess: Guess) -> tuple[Cell, ...]:
    flying = tuple(torpedo.cell for torpedo in guess.torpedoes)
    return (guess.sub, *flying) if guess.sub else flying


# The opponent's own place: torpedoes advance, then the command.


def _own_place(track: Track, heard: Place, sunk: bool) -> dict[Guess, int]:
    weights: dict[Guess, int] = {}
    for guess, weight in track.weights.items():
        advanced = _advance(track.on, guess, heard.sounds)
        if advanced is None:
            continue
        after, rest = advanced
        for final, share in _commands(track, after, rest, heard.turn, sunk):
            weights[final] = weights.get(final, 0) + weight * share
    return weights


def _advance(
    on: Board, guess: Guess, sounds: Sequence[Sound]
) -> tuple[Guess, Sequence[Sound]] | None:
    """The guess after its torpedoes' runs and the sounds left for the command; None: no fit."""
    flying: list[Torpedo] = []
    for torpedo in guess.torpedoes:
        way = run(on, torpedo)
        hit = False
        for cell in way:
            if not sounds or sounds[0].kind != "contact" or sounds[0].at != cell:
                return None
            hit, sounds = sounds[0].hit, sounds[1:]
            if guess.sub == cell and not hit:
                return None
            if hit:
                break
        if len(way) == 2 and not hit:
            flying.append(replace(torpedo, cell=way[1]))
        elif len(way) == 1 and not hit:
            if not sounds or sounds[0].kind != "clear":
                return None
            sounds = sounds[1:]
    return Guess(guess.sub, tuple(flying)), sounds


def _commands(
    track: Track, guess: Guess, sounds: Sequence[Sound], turn: bool, sunk: bool
) -> Iterator[tuple[Guess, int]]:
    """What the guess becomes by each command that sounds like this, with its weight."""
    if guess.sub is None or not turn:
        if not sounds:
            yield guess, 1
        return
    if not sounds:
        if sunk:
            yield replace(guess, sub=None), 1
            return
        yield guess, track.stays
        yield from ((replace(guess, sub=cell), MOVES) for cell in track.on.adjacent(guess.sub))
    elif sounds[0].kind == "ping":
        if guess.sub == sounds[0].at:
            yield guess, 1
    elif sounds[0].kind == "contact":
        yield from _runs(track.on, guess, guess.sub, sounds, sunk)


def _runs(
    on: Board, guess: Guess, sub: Cell, sounds: Sequence[Sound], sunk: bool
) -> Iterator[tuple[Guess, int]]:
    """SD-7: a cruise or a shot; from its contacts alone the two are often alike."""
    entered = [sound for sound in sounds if sound.kind == "contact"]
    cells = [sound.at for sound in entered if sound.at]
    hit, cleared = entered[-1].hit, len(entered) < len(sounds)
    if len(sounds) > 2 or len(cells) + cleared + hit < 2:
        return
    steps = zip([sub, *cells], cells, strict=False)
    if all(source.distance(to) == 1 for source, to in steps) and hit == sunk:
        yield replace(guess, sub=None if hit else cells[-1]), 1
    for heading in HEADINGS:
        shot = Torpedo(sub, heading)
        way = list(run(on, shot))
        if way[: len(cells)] != cells or (not hit and len(way) != len(cells)) or sunk:
            continue
        gone = hit or len(way) < 2
        flying = () if gone else (replace(shot, cell=cells[-1]),)
        yield replace(guess, torpedoes=guess.torpedoes + flying), 1


# Another's place: what their movers meet, or do not.


def _others_place(track: Track, heard: Place, sunk: bool) -> dict[Guess, int]:
    """SD-8: a cell entered without an impact was empty; after an impact it is."""
    empty = [sound.at for sound in heard.sounds if sound.kind == "contact" and not sound.hit]
    struck = [sound.at for sound in heard.sounds if sound.hit]
    weights: dict[Guess, int] = {}
    for guess, weight in track.weights.items():
        flying = tuple(torpedo for torpedo in guess.torpedoes if torpedo.cell not in struck)
        missed = any(cell in empty and cell not in struck for cell in _cells(guess))
        if missed or (guess.sub in struck and guess.sub is not None and not sunk):
            continue
        left = None if sunk else guess.sub
        after = Guess(left, flying)
        weights[after] = weights.get(after, 0) + weight
    return weights


def _afresh(track: Track, own: Place | None, sunk: bool) -> dict[Guess, int]:
    """Where nothing fits any more: the submarine may be anywhere, or where the last noise was."""
    if sunk:
        return {Guess(None): 1}
    noise = [sound.at for sound in own.sounds if sound.at and not sound.hit] if own else []
    if noise:
        last = noise[-1]
        return {Guess(last): 2} | {Guess(cell): 1 for cell in track.on.adjacent(last)}
    return dict.fromkeys(map(Guess, track.on.cells()), 1)


def _level(weights: Mapping[Guess, int]) -> dict[Guess, int]:
    """The likeliest guesses, their weights brought to a sum of about `TOTAL`."""
    kept = sorted(weights.items(), key=lambda item: -item[1])[:GUESSES]
    whole = sum(weight for _, weight in kept)
    levelled = {guess: weight * TOTAL // whole for guess, weight in kept}
    return {guess: weight for guess, weight in levelled.items() if weight} or dict(kept[:1])
