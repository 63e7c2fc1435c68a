"""What a player can work out about the others: every place where an opponent's submarine and
torpedoes can still be, after what each report rules out.

A `Guess` is one possible truth about one opponent. For each of their turns every guess is replaced
by those to which a legal command can lead. Of these only the guesses stay that would have sounded
as the public events did: each silence, contact, impact and echo either fits a guess or ends it. No
guess that fits is dropped, so the truth is always among them. Weights say how likely each is
thought; they are whole numbers that sum to about `TOTAL`, by which the captain plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from games.game import Deductions, Player, Setup, Table, View
from games.grid import HEADINGS, Board, Cell, read_cell
from games.news import whose
from games.options import Value
from games.sugar_dog.events import told
from games.sugar_dog.notation import read_view
from games.sugar_dog.state import MINES, RUN, State, Torpedo, run

TOTAL = 1_000_000
STAYS, MOVES = 3, 2
"""Weights of a quiet turn: staying put (or laying, or firing off the map), and each silent move."""
SHOTS = 4
"""How many times likelier a shot is than a cruise with the same sounds: a cruise tells where one
is, and gains less."""
STEADY = 8
"""How many times likelier to stay in place an opponent is whom two pings find in one cell."""
NOTES = 12
"""The most notes that are kept."""


# What is heard.


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


# What is thought.


class Guess(NamedTuple):
    """Where an opponent's submarine (None: sunk) and torpedoes (oldest first) may be."""

    sub: Cell | None
    torpedoes: tuple[Torpedo, ...] = ()

    def cells(self) -> tuple[Cell, ...]:
        """Everything except mines that would answer a ping."""
        flying = tuple([torpedo.cell for torpedo in self.torpedoes])
        return (self.sub, *flying) if self.sub else flying


@dataclass(frozen=True, slots=True)
class Track:
    """All guesses at one opponent, with their weights.

    From the last ping: the likely cells of their `mines`, and the cell in which the submarine was
    `found`. `stays`: the assumed weight of staying put. `quiet`: turns in which they may have laid
    a mine; `laid`: mines that they have surely laid. `fits` is False once no guess fitted: the
    reports do not go back to the setup, or are not an honest host's.
    """

    on: Board
    weights: Mapping[Guess, int]
    mines: tuple[Cell, ...] = ()
    found: Cell | None = None
    stays: int = STAYS
    quiet: int = 0
    laid: int = 0
    fits: bool = True

    def where(self) -> dict[Cell, int]:
        """Weight by cell of the submarine; empty once it is sunk."""
        cells: dict[Cell, int] = {}
        for guess, weight in self.weights.items():
            if guess.sub:
                cells[guess.sub] = cells.get(guess.sub, 0) + weight
        return cells

    def struck(self) -> dict[Cell, int]:
        """Weight by cell of the guesses in which a torpedo's next run enters it."""
        cells: dict[Cell, int] = {}
        for guess, weight in self.weights.items():
            entered = [cell for torpedo in guess.torpedoes for cell in run(self.on, torpedo)]
            for cell in dict.fromkeys(entered):
                cells[cell] = cells.get(cell, 0) + weight
        return cells


@dataclass(frozen=True, slots=True)
class Heard:
    """How an opponent was heard last: the kind of sound, the cells (of a ping one, of echoes all)
    and the number of the turn; of a contact, the cells of its run up to it. `gone`: the cells in
    which all was destroyed since."""

    kind: str
    cells: tuple[Cell, ...]
    n: int
    way: tuple[Cell, ...] = ()
    gone: tuple[Cell, ...] = ()

    def struck(self, at: Cell) -> Heard:
        """The same after an impact in that cell."""
        return replace(self, gone=(*self.gone, at)) if at in self.cells else self


@dataclass(frozen=True, slots=True)
class Mind:
    """What a seat has worked out so far: a track of each opponent, the places of the last report,
    and notes with the numbers of their turns. `last`: how each opponent was heard last. `echoes`:
    those of each opponent to the last ping of anybody, and its turn. `whole`: the seat was told
    everything from the setup on."""

    tracks: Mapping[Player, Track]
    heard: tuple[Place, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    last: Mapping[Player, Heard] = field(default_factory=dict)
    echoes: Mapping[Player, Heard] = field(default_factory=dict)
    whole: bool = True


NO_MIND = Mind({})


def deduced(view: View, heard: Sequence[Table], before: Deductions | None = None) -> Deductions:
    """`Game.deduced`: each opponent's submarine, torpedoes and mines left, and who was heard when.

    Of a game that has not begun, or is over, nothing can be worked out.
    """
    seen = read_view(view)
    if not seen.begun:
        return Deductions(memory=NO_MIND)
    known = NO_MIND if before is None else before.memory
    mind = _follow(view, seen, heard, known, before is not None)
    if seen.turn is None:
        return Deductions(memory=mind)
    may: dict[str, tuple[Value, ...]] = {}
    for player, track in mind.tracks.items():
        if mind.whole and track.fits:
            may |= _may(player, track)
    notes = [f"{_ago(seen.n - n)}: {text}" for n, text in mind.notes]
    return Deductions(may, tuple(notes), mind)


def truth(state: State, player: Player) -> dict[str, Value]:
    """`Game.truth`: the true values of these."""
    if state.turn is None:
        return {}
    found: dict[str, Value] = {}
    for other in state.setup.players:
        fleet = state.fleets[other]
        if other != player and fleet.sub:
            found[_SUB.format(other)] = str(fleet.sub)
            found[_LEFT.format(other)] = fleet.left
        if other != player:
            found[_TORPEDOES.format(other)] = list(map(str, fleet.torpedoes))
    return found


_SUB, _TORPEDOES, _LEFT = "{}'s submarine", "{}'s torpedoes", "{}'s mines left"


def _may(player: Player, track: Track) -> Iterator[tuple[str, tuple[Value, ...]]]:
    subs = {guess.sub for guess in track.weights}
    cells = [cell for cell in track.on.cells() if cell in subs]
    if cells:
        yield _SUB.format(player), tuple(map(str, cells))
        yield (
            _LEFT.format(player),
            tuple(range(max(0, MINES - track.quiet), MINES - track.laid + 1)),
        )
    flying = {guess.torpedoes for guess in track.weights}
    written = sorted(list(map(str, torpedoes)) for torpedoes in flying)
    yield _TORPEDOES.format(player), tuple(written)


def _ago(turns: int) -> str:
    return "last turn" if turns == 1 else f"{turns} turns ago"


_NOISES = ("contact", "clear", "impact", "ping", "echo")


def _follow(view: View, seen: State, events: Sequence[Table], mind: Mind, whole: bool) -> Mind:
    """The mind after a report; `seen`: what its view shows."""
    others = [player for player in seen.setup.players if player != seen.player]
    tracks = {player: mind.tracks.get(player) or unknown(seen.board) for player in others}
    if not events:
        return replace(mind, tracks=tracks, heard=(), whole=mind.whole and whole)
    heard = places(events, seen.setup, seen.turn)
    for player in others:
        for place in heard:
            tracks[player] = follow(tracks[player], player, place)
    number = next((event["n"] for event in events if event["kind"] == "turn"), 0)
    noises = [event for event in events if event["kind"] in _NOISES and whose(event) != seen.player]
    notes = [*mind.notes, *((number, said.text) for said in told(view, noises))]
    last, echoes = _last_heard(mind, heard, others, number)
    return Mind(tracks, heard, tuple(notes[-NOTES:]), last, echoes, mind.whole and whole)


def _last_heard(
    mind: Mind, heard: Sequence[Place], others: Collection[Player], n: int
) -> tuple[dict[Player, Heard], Mapping[Player, Heard]]:
    """How each opponent was heard last, and the echoes of the last ping, after these places.

    Who pings is surely there, so their own echo is not what was heard of them last.
    """
    last, echoes = dict(mind.last), dict(mind.echoes)
    for place in heard:
        for sound in place.sounds:
            if sound.kind == "ping":
                cells = {of: [at for by, at in sound.echoes if by == of] for of in others}
                echoes = {of: Heard("echo", tuple(at), n) for of, at in cells.items() if at}
                last |= echoes
            if sound.at is not None and place.owner in others:
                way = _way(last.get(place.owner), sound.at, n) if sound.kind == "contact" else ()
                last[place.owner] = Heard(sound.kind, (sound.at,), n, way)
            elif sound.kind == "clear" and place.owner in last:
                last[place.owner] = replace(last[place.owner], way=())
            if sound.hit and sound.at is not None:
                last = {of: one.struck(sound.at) for of, one in last.items()}
                echoes = {of: one.struck(sound.at) for of, one in echoes.items()}
    return last, echoes


def _way(before: Heard | None, at: Cell, n: int) -> tuple[Cell, ...]:
    """The cells of a run that comes into that cell: of one that no impact ended there, and that
    was not whole before."""
    if before is None or before.n != n or before.gone or len(before.way) != RUN - 1:
        return (at,)
    return (*before.way, at) if before.way[-1].distance(at) == 1 else (at,)


def unknown(on: Board) -> Track:
    """SD-2: the submarine may start anywhere."""
    return Track(on, dict.fromkeys(map(Guess, on.cells()), 1))


def follow(track: Track, player: Player, heard: Place) -> Track:
    """The track of `player` after one place, their own or another's."""
    quiet = track.quiet
    if heard.owner == player:
        found = list(_own_place(track, player, heard))
        quiet += any(silent for _, _, silent in found)
        weights = _summed((guess, weight) for guess, weight, _ in found)
    elif heard.sounds:
        weights = _others_place(track, player, heard)
    else:
        return track
    entered = [sound.at for sound in heard.sounds if sound.kind == "contact"]
    mines = tuple(mine for mine in track.mines if mine not in entered)
    fits = track.fits and bool(weights)
    if not weights:
        weights = _afresh(track, player, heard)
    track = replace(track, weights=_level(weights), mines=mines, quiet=quiet, fits=fits)
    for sound in heard.sounds:
        if sound.kind == "ping":
            track = _echoed(track, player, sound, heard.owner == player)
    return track


def _summed(found: Iterable[tuple[Guess, int]]) -> dict[Guess, int]:
    weights: dict[Guess, int] = {}
    for guess, weight in found:
        weights[guess] = weights.get(guess, 0) + weight
    return weights


def _level(weights: Mapping[Guess, int]) -> dict[Guess, int]:
    """The weights scaled to a sum of about `TOTAL`; everything possible keeps a weight."""
    whole = sum(weights.values())
    return {guess: weight * TOTAL // whole or 1 for guess, weight in weights.items()}


# The opponent's own place: torpedoes advance, then the command.


def _own_place(track: Track, player: Player, heard: Place) -> Iterator[tuple[Guess, int, bool]]:
    """Each guess after the place, its weight, and whether the command was silent."""
    for guess, weight in track.weights.items():
        start = guess._replace(sub=None) if heard.resigned else guess
        advanced = _advance(track.on, player, start, heard.sounds)
        if advanced is None:
            continue
        after, rest = advanced
        if after.sub is None or not heard.turn:
            if not rest:
                yield after, weight, False
        elif not rest:
            yield after, weight * track.stays, True
            for cell in track.on.adjacent(after.sub):
                yield Guess(cell, after.torpedoes), weight * MOVES, True
        elif rest[0].kind == "ping":
            if after.sub == rest[0].at:
                yield after, weight, False
        else:
            for final, likely in _loud(track.on, player, after, after.sub, rest):
                yield final, weight * likely, False


def _advance(
    on: Board, player: Player, guess: Guess, sounds: Sequence[Sound]
) -> tuple[Guess, Sequence[Sound]] | None:
    """SD-4: the guess after its torpedoes' runs and the sounds left for the command; None: no fit.

    As in `rules`, one that is destroyed before its turn to move does not move.
    """
    moved = 0
    while moved < len(guess.torpedoes):
        torpedo = guess.torpedoes[moved]
        others = tuple([other for other in guess.torpedoes if other != torpedo])
        ran = _run(on, player, Guess(guess.sub, others), torpedo, sounds)
        if ran is None:
            return None
        after, at, sounds = ran
        # Of those that moved before it, an impact leaves what was not in its cell.
        moved = sum(other in after.torpedoes for other in guess.torpedoes[:moved])
        flying = after.torpedoes
        if at is not None:
            flying = (*flying[:moved], Torpedo(at, torpedo.heading), *flying[moved:])
            moved += 1
        guess = Guess(after.sub, flying)
    return guess, sounds


def _run(
    on: Board, player: Player, guess: Guess, torpedo: Torpedo, sounds: Sequence[Sound]
) -> tuple[Guess, Cell | None, Sequence[Sound]] | None:
    """SD-5, SD-8, SD-9: the rest of a guess after one torpedo's run, the place of the torpedo then
    (None: gone) and the sounds that are left; None if the sounds do not fit."""
    way = run(on, torpedo)
    for cell in way:
        if not sounds or sounds[0].kind != "contact" or sounds[0].at != cell:
            return None
        after = _met(guess, player, sounds[0])
        if after is None:
            return None
        if sounds[0].hit:
            return after, None, sounds[1:]
        sounds = sounds[1:]
    if len(way) == 2:
        return guess, way[1], sounds
    if way:
        if not sounds or sounds[0].kind != "clear":
            return None
        sounds = sounds[1:]
    return guess, None, sounds


def _met(guess: Guess, player: Player, sound: Sound) -> Guess | None:
    """SD-8: the rest of a guess after somebody's entry into a cell; None if it does not fit."""
    if (guess.sub == sound.at) != (player in sound.sunk):
        return None
    there = [torpedo for torpedo in guess.torpedoes if torpedo.cell == sound.at]
    if not sound.hit:
        return None if there else guess
    left = None if guess.sub == sound.at else guess.sub
    return Guess(left, tuple([torpedo for torpedo in guess.torpedoes if torpedo not in there]))


def _loud(
    on: Board, player: Player, guess: Guess, sub: Cell, sounds: Sequence[Sound]
) -> Iterator[tuple[Guess, int]]:
    """SD-7: a cruise or a shot, and how likely; from its contacts alone the two are often alike.

    Both begin with a cell beside the submarine.
    """
    first = sounds[0].at
    if first is None or sub.distance(first) != 1:
        return
    cruised = _cruise(player, guess, sub, sounds)
    if cruised is not None:
        yield cruised, 1
    for heading in HEADINGS:
        shot = Torpedo(sub, heading)
        if sub.step(heading) == first:
            ran = _run(on, player, guess, shot, sounds)
            if ran is not None and not ran[2]:
                after, at, _ = ran
                flying = () if at is None else (Torpedo(at, heading),)
                yield Guess(after.sub, after.torpedoes + flying), SHOTS


def _cruise(player: Player, guess: Guess, sub: Cell, sounds: Sequence[Sound]) -> Guess | None:
    """SD-5, SD-9: one cell and `clear`, or two; the last of them may be an impact."""
    for number, sound in enumerate(sounds):
        if sound.kind == "clear":
            return guess if number == 1 and len(sounds) == 2 else None
        if sound.at is None or number > 1 or sub.distance(sound.at) != 1:
            return None
        after = _met(Guess(sound.at if sound.hit else None, guess.torpedoes), player, sound)
        if after is None:
            return None
        if sound.hit:
            return after if number + 1 == len(sounds) else None
        sub = sound.at
        guess = Guess(sub, after.torpedoes)
    return guess if len(sounds) == 2 else None


# Another player's place: what their movers meet, and pings.


def _others_place(track: Track, player: Player, heard: Place) -> dict[Guess, int]:
    entered = [sound for sound in heard.sounds if sound.kind == "contact"]
    if not any(sound.hit or player in sound.sunk for sound in entered):
        # The usual case, and most of the time that a game of many takes: nothing of theirs was met.
        cells = {sound.at for sound in entered}
        return {
            guess: weight
            for guess, weight in track.weights.items()
            if guess.sub not in cells and (not guess.torpedoes or cells.isdisjoint(guess.cells()))
        }
    found = list(track.weights.items())
    for sound in entered:
        met = [(_met(guess, player, sound), weight) for guess, weight in found]
        found = [(guess, weight) for guess, weight in met if guess is not None]
    return _summed(found)


def _echoed(track: Track, player: Player, ping: Sound, own: bool) -> Track:
    """SD-13: the track after a ping by `player` or another: everything that they have answers, and
    an echo that is neither submarine nor torpedo is a mine."""
    echoes = Counter(at for of, at in ping.echoes if of == player)
    if own and ping.at is not None:
        echoes[ping.at] += 1
    fitting: dict[Guess, int] = {}
    least = MINES
    for guess, weight in track.weights.items():
        rest = echoes.total() - len(guess.cells())
        if 0 <= rest <= MINES and Counter(guess.cells()) <= echoes:
            fitting[guess] = weight
            least = min(least, rest)
    fits = track.fits and bool(fitting)
    if not fitting:
        sunk = all(guess.sub is None for guess in track.weights)
        fitting = dict.fromkeys(
            [Guess(None)] if sunk else map(Guess, echoes or track.on.cells()), 1
        )
        least = 0
    likeliest = max(fitting, key=lambda guess: fitting[guess])
    mines = tuple((echoes - Counter(likeliest.cells())).elements())
    same = track.found is not None and likeliest.sub == track.found
    stays = min(track.stays * STEADY, TOTAL) if same else STAYS
    laid = max(track.laid, least)
    return Track(
        track.on, _level(fitting), mines, likeliest.sub, stays, max(track.quiet, laid), laid, fits
    )


def _afresh(track: Track, player: Player, heard: Place) -> dict[Guess, int]:
    """A new track if no guess fits: the submarine may be anywhere, or where the last noise was."""
    gone = heard.resigned and heard.owner == player
    if gone or any(player in sound.sunk for sound in heard.sounds):
        return {Guess(None): 1}
    own = heard.sounds if heard.owner == player else ()
    noise = [sound.at for sound in own if sound.at and not sound.hit]
    if noise:
        last = noise[-1]
        return {Guess(last): 2} | {Guess(cell): 1 for cell in track.on.adjacent(last)}
    return dict.fromkeys(map(Guess, track.on.cells()), 1)
