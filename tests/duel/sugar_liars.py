"""Players who lie in a duel of Sugar Dog, each with their real keys: as in `liars`, and how a turn
is told falsely, so that the liar's own books follow the lie."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from duel.hosted import PlainDoors
from duel.liars import LIES as SILENT_LIES
from duel.liars import ChangeFact, ChangeMove, Liar, Lie, LyingHalf, LyingSide, facts, twice

from games.game import Player
from games.grid import HEADINGS, Cell
from games.sugar_dog import GAME as SUGAR
from games.sugar_dog import duel as sugar_duel
from games.sugar_dog.duel import ON, STRUCK, THROUGH, Door, End, HalfTurn, Heard
from games.sugar_dog.orders import Resign, Silent
from games.sugar_dog.rules import Met, Run
from games.sugar_dog.state import Fleet, State, Torpedo
from orders import doors
from orders.doors import Doors
from orders.secrets import DuelSecret

# Facts.


def of(kind: str, change: Callable[[LyingSide, Any], Any]) -> ChangeFact:
    """Tell another value of one kind of fact; None for no lie here."""
    return lambda side, what, value, known: change(side, value) if what == kind else None


def doors_for(taken: bool) -> ChangeFact:
    """Make the door of one cell for another state than it is in."""

    def change(side: LyingSide, value: list[Door]) -> list[Door] | None:
        at = next((at for at, door in enumerate(value) if door.label and door.taken != taken), None)
        if at is None:
            return None
        label, made = value[at].label, side.secrets.doors
        return [
            Door(made.door(label, taken=taken), label, taken) if one == at else door
            for one, door in enumerate(value)
        ]

    return of("doors", change)


def hidden_run(side: LyingSide, value: Heard) -> Heard | None:
    """Say that nothing is heard."""
    return Heard("nothing", None, doors=value.doors) if isinstance(value.sound, Run) else None


def ping_elsewhere(side: LyingSide, value: Heard) -> Heard | None:
    """Ping from another cell."""
    if not isinstance(value.sound, Cell):
        return None
    cell = Cell(value.sound.column % 6 + 1, value.sound.row)
    return Heard(f"ping {cell}", cell, doors=value.doors)


def no_ping(side: LyingSide, value: Heard) -> Heard | None:
    """Say that nothing is heard in place of a ping."""
    return Heard("nothing", None, doors=value.doors) if isinstance(value.sound, Cell) else None


def not_sunk(side: LyingSide, value: End) -> End | None:
    """Keep the submarine that an impact destroys."""
    text, met = value.answer.removesuffix(" sunk"), value.met
    if text == value.answer:
        return None
    return value._replace(answer=text, met=met._replace(sunk=met.sunk[:-1]))


def sunk_too(side: LyingSide, value: End) -> End | None:
    """Lose the submarine in an impact elsewhere."""
    met = value.met
    if not met.impact or value.answer.endswith("sunk"):
        return None
    sunk = met._replace(sunk=(*met.sunk, side.player))
    return value._replace(answer=f"{value.answer} sunk", met=sunk)


def fewer(side: LyingSide, value: list[Cell]) -> list[Cell] | None:
    """Leave an echo out."""
    return value[:-1] if value else None


def more(side: LyingSide, value: list[Cell]) -> list[Cell] | None:
    """Let one object answer twice."""
    return [*value, value[-1]] if value else None


# What a turn does: other runs than its orders make.


class Ghost(Run):
    """A run that meets other things than it does."""

    fleet: Callable[[Fleet], Fleet]

    def rest(self, fleet: Fleet) -> Fleet:
        """See Run."""
        return self.fleet(Run.rest(Run(*self), fleet))

    @classmethod
    def of(cls, run: Run, fleet: Callable[[Fleet], Fleet]) -> Ghost:
        """A run with that fleet beside it."""
        ghost = cls(*run)
        ghost.fleet = fleet
        return ghost


class LyingTurn(HalfTurn):
    """A turn that lies as `run` or `trial` say, in one step of a game."""

    half: LyingHalf
    lies: Callable[[LyingTurn, Run], Run | None] = staticmethod(lambda turn, run: None)

    def _sealed(self, player: Player, run: Run) -> Heard:
        side = self.half.side
        place = side.step, -1
        if side.lies and place not in side.lies:
            return super()._sealed(player, run)
        other = self.lies(self, run)
        if other is None:
            return super()._sealed(player, run)
        side.lies[place] = lambda _what, value, _known: value
        return super()._sealed(player, other)


def turns(lies: Callable[[LyingTurn, Run], Run | None]) -> type[LyingTurn]:
    """Turns that lie so about a run."""
    return type("OneTurn", (LyingTurn,), {"lies": staticmethod(lies)})


def near(at: Cell, *but: Cell) -> Cell:
    """A cell of the map beside another."""
    return next(
        cell
        for cell in (at.step(heading) for heading in HEADINGS)
        if cell not in but and 1 <= cell.column <= 6 and 1 <= cell.row <= 6
    )


def second_cell(turn: LyingTurn, run: Run) -> Run | None:
    """Go on to another cell."""
    if len(run.cells) < 2:
        return None
    return run._replace(cells=(run.cells[0], near(run.cells[0], run.cells[1])))


def first_cell(turn: LyingTurn, run: Run) -> Run | None:
    """Enter another cell first."""
    first = near(run.cells[0], *run.cells)
    return run._replace(cells=(first, *[near(first) for _ in run.cells[1:]]))


def far_cell(turn: LyingTurn, run: Run) -> Run | None:
    """Jump."""
    column, row = run.cells[0]
    return run._replace(cells=(run.cells[0], Cell((column + 2) % 6 + 1, row)))


def stops(turn: LyingTurn, run: Run) -> Run | None:
    """Stop after the first cell."""
    return run._replace(cells=run.cells[:1]) if len(run.cells) > 1 else None


def no_own_impact(turn: LyingTurn, run: Run) -> Run | None:
    """Pass through something of one's own."""
    rest = run.rest(turn.fleets[turn.half.side.player])
    if not {*run.cells} & {*rest.objects()}:
        return None
    return Ghost.of(run, lambda fleet: Fleet(None))


def own_impact(turn: LyingTurn, run: Run) -> Run | None:
    """Say that something of one's own was there."""
    return Ghost.of(run, lambda fleet: fleet._replace(mines=(*fleet.mines, run.cells[0])))


def afloat(turn: LyingTurn, run: Run) -> Run | None:
    """Hold that a torpedo ran, where it was the submarine: it is not lost with what it hits."""
    if run.slot is not None:
        return None
    player = turn.half.side.player
    fleet = turn.fleets[player]
    assert fleet.sub is not None
    turn.fleets[player] = fleet.flying(*fleet.torpedoes, Torpedo(fleet.sub, "N"))
    return run._replace(slot=len(fleet.torpedoes))


def ended(turn: LyingTurn, run: Run) -> Run | None:
    """Hold that the submarine ran, where it was a torpedo."""
    return None if run.slot is None else run._replace(slot=None)


class Hushed(LyingTurn):
    """Says of the first run that it is the last, though more is heard."""

    last = True

    def _sealed(self, player: Player, run: Run) -> Heard:
        side, true, place = self.half.side, self._trial, (self.half.side.step, -1)
        if not side.lies or place in side.lies:
            ends = true([*self._mets, Met(len(run.cells))]) is not None
            if ends != self.last:
                side.lies[place] = lambda _what, value, _known: value
                self._trial = lambda mets: self.fleets[player] if self.last else None
        made = HalfTurn._sealed(self, player, run)
        self._trial = true
        return made


class Talking(Hushed):
    """Says of a last run that more follows."""

    last = False


class LyingLetter(LyingTurn):
    """Seals a letter that says something else than its orders make, in a box that opens; the
    liar's own books hold it for the true one."""

    change: Callable[[bytes, bytes], tuple[bytes, bytes]]

    def _sealed(self, player: Player, run: Run) -> Heard:
        side, place = self.half.side, (self.half.side.step, -1)
        made = side.secrets.doors
        meant: dict[str, str] = {}

        def seal(door: bytes, *letters: bytes) -> bytes:
            false = self.change(*letters)
            for true, other in zip(letters, false, strict=True):
                meant[sugar_duel._digest(other[:34])] = sugar_duel._digest(true[:34])
            return type(made).seal(made, door, *false)

        if side.lies and place not in side.lies:
            return HalfTurn._sealed(self, player, run)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(made, "seal", seal)
            heard = HalfTurn._sealed(self, player, run)
        if any(other != true for other, true in meant.items()):
            side.lies[place] = lambda _what, value, _known: value
        more = {
            other: heard.ends[true]._replace(answer=other)
            for other, true in meant.items()
            if true in heard.ends
        }
        return heard._replace(ends={**heard.ends, **more})


def letters(change: Callable[[bytes, bytes], tuple[bytes, bytes]]) -> type[LyingLetter]:
    """Turns with such letters, for a cell that is free and for one that is not."""
    return type("OneLetter", (LyingLetter,), {"change": staticmethod(change)})


def both(change: Callable[[bytes], bytes]) -> type[LyingLetter]:
    """The same change of both letters, but of one that goes on to the next cell."""
    return letters(lambda *given: tuple(one if one[0] == ON else change(one) for one in given))


def next_place(place: int) -> type[LyingLetter]:
    """A run that goes on to the cell of that place."""
    return letters(
        lambda free, taken: (bytes([ON, place]) + free[2:] if free[0] == ON else free, taken)
    )


# Moves.


def instead(kind: str, change: Callable[[str], str | None]) -> ChangeMove:
    """Put another body in place of the first fact of a kind that can be changed so."""

    def changed(liar: Liar, told: list[str]) -> list[str] | None:
        for at, one in enumerate(told):
            what, _, body = one.partition(" ")
            other = change(body) if what == kind else None
            if other is not None:
                return [*told[:at], f"{kind} {other}", *told[at + 1 :]]
        return None

    return facts(changed)


def door(raw: bytes) -> Callable[[str], str]:
    """These bytes in place of the first door."""

    def change(body: str) -> str:
        data = base64.b64decode(body)
        return base64.b64encode(raw + data[32:]).decode()

    return change


def boxed(change: Callable[[bytes], bytes]) -> Callable[[str], str | None]:
    """Another box in a run."""

    def changed(body: str) -> str | None:
        cell, blank, box = body.partition(" ")
        if not blank or cell == "ping":
            return None
        return f"{cell} {base64.b64encode(change(base64.b64decode(box))).decode()}"

    return changed


def a_run(body: str) -> Callable[[str], str | None]:
    """The same box, behind another word."""

    def change(told: str) -> str | None:
        _, blank, box = told.partition(" ")
        return f"{body} {box}" if blank and len(box) > 9 else None

    return change


# Positions.


def moved_away(state: State, player: Player) -> State | None:
    """Put the submarine into another cell."""
    if not state.fleets or state.turn != player:
        return None
    fleet = state.fleets[player]
    assert fleet.sub is not None
    return state._replace(fleets={**state.fleets, player: fleet.at(near(fleet.sub))})


def took_away(state: State, player: Player) -> State | None:
    """Take a torpedo out of the water."""
    if not state.fleets or state.turn != player or not state.fleets[player].torpedoes:
        return None
    return state._replace(fleets={**state.fleets, player: state.fleets[player].flying()})


BOTS, LOUD = ("captain", "wild", "mate"), ("random", "wild")


def _row(name: str, does: str, noticed: str, words: str, **how: Any) -> Lie:
    return Lie(f"sugar-{name}", does, noticed, words, **{
        "game": SUGAR, "bots": BOTS, "doors": PlainDoors, **how
    })  # fmt: skip


def _also(*names: str) -> Iterator[Lie]:
    """Lies that are told, and noticed, as in Silent Ships."""
    for one in SILENT_LIES:
        if one.name in names:
            yield _row(one.name, one.does, one.noticed, one.words, fact=one.fact, move=one.move)


LOW, DOOR = bytes(32), Doors(DuelSecret(bytes(32))).door("another", taken=False)
_AWRY = bytes([2]) + bytes(31)

LIES: tuple[Lie, ...] = (
    _row("doors-open", "makes a door that opens for a cell where it has something", "audit",
         "`doors ", fact=doors_for(taken=False)),
    _row("doors-shut", "makes a door that is shut for a cell where it has nothing", "audit",
         "`doors ", fact=doors_for(taken=True)),
    _row("hidden-run", "says nothing of a run", "audit", "`heard nothing`",
         fact=of("heard", hidden_run)),
    _row("no-ping", "says nothing of a ping", "audit", "`heard nothing`",
         fact=of("heard", no_ping), bots=LOUD),
    _row("ping-elsewhere", "pings from another cell", "audit", "`heard ping",
         fact=of("heard", ping_elsewhere), bots=LOUD),
    _row("not-sunk", "does not say that its submarine is lost", "audit", "answer|sunk",
         fact=of("answer", not_sunk)),
    _row("sunk-too", "says that its submarine is lost, and the game over", "audit", "sunk",
         fact=of("answer", sunk_too)),
    _row("echo-hidden", "leaves an echo out", "audit", "`echoes",
         fact=of("echoes", fewer), bots=LOUD),
    _row("echo-more", "adds an echo", "audit", "`echoes", fact=of("echoes", more),
         bots=LOUD),
    _row("draw-offered", "offers a draw that its orders do not", "audit", "`turn draw`",
         fact=of("turn", lambda side, value: value if value.draw or isinstance(
             value.command, Resign) else type(value)(Silent(), None, draw=True))),
    _row("second-cell", "goes on to another cell", "audit", "`heard ", turn=turns(second_cell)),
    _row("first-cell", "enters another cell first", "audit", "`heard ", turn=turns(first_cell)),
    _row("far-cell", "jumps to a cell that is not next", "either", "not next to|`heard ",
         turn=turns(far_cell)),
    _row("stops", "says that there are no further contacts", "audit", "`heard ",
         turn=turns(stops)),
    _row("own-impact-hidden", "passes through its own mine", "audit", "`heard ",
         turn=turns(no_own_impact), bots=("miner", "wild")),
    _row("own-impact-false", "says that it hit something of its own", "audit", "`heard ",
         turn=turns(own_impact)),
    _row("afloat", "says that not its submarine ran", "audit", "`heard ", turn=turns(afloat)),
    _row("over", "says that its submarine ran, and is lost", "audit", "`heard ",
         turn=turns(ended)),
    _row("hushed", "says that nothing more is heard", "audit", "`heard ", turn=Hushed),
    _row("talking", "says that more is heard", "audit", "`heard |facts", turn=Talking),
    _row("letter-kind", "seals a letter of no kind", "either", "is none|`heard |nothing happens in",
         turn=both(lambda letter: bytes([4]) + letter[1:]), doors=Doors),
    _row("letter-last", "seals a letter with another second byte", "either", "is none|`heard ",
         turn=both(lambda letter: letter[:1] + bytes([2]) + letter[2:]), doors=Doors),
    _row("letter-door", "seals a letter with a door that is none", "either", "low order|`heard ",
         turn=both(lambda letter: letter[:2] + LOW + letter[34:]), doors=Doors),
    _row("letter-other-door", "seals a letter with the door of another place", "audit", "`heard ",
         turn=both(lambda letter: letter[:2] + DOOR + letter[34:]), doors=Doors),
    _row("letter-place", "seals a letter that goes on off the map", "either", "not next to|`heard ",
         turn=next_place(36), doors=Doors),
    _row("letter-far", "seals a letter that goes on elsewhere", "either", "not next to|`heard ",
         turn=next_place(35), doors=Doors),
    _row("letter-through", "says that nothing happens where it meets something", "either",
         "nothing happens in|`heard ", doors=Doors,
         turn=letters(lambda free, taken: (free, bytes([THROUGH]) + taken[1:]))),
    _row("letter-struck", "says that it meets something where nothing is", "audit", "`heard ",
         doors=Doors, turn=letters(lambda free, taken: (
             bytes([STRUCK]) + free[1:] if free[0] == THROUGH else free, taken))),
    _row("letters-differ", "seals two letters for a cell where it has something", "audit",
         "`heard ", doors=Doors, bots=("miner", "wild", "random"), turn=letters(
             lambda free, taken: (
                 bytes([THROUGH]) + free[1:] if free[:34] == taken else free, taken))),
    _row("moved", "puts its submarine elsewhere", "either", "", state=moved_away, unused=True),
    _row("torpedo", "takes a torpedo out of the water", "either", "", state=took_away, unused=True),
    _row("door-low", "tells a door of low order", "at once", "a point of low order",
         move=instead("doors", door(LOW)), doors=Doors),
    _row("door-low-other", "tells a door of low order from the other side", "at once",
         "low order from its other side", doors=Doors,
         move=instead("doors", door(doors._other(bytes([1]) + bytes(31))))),
    _row("door-none", "tells a door that is no point", "at once", "no point of the curve",
         move=instead("doors", door(_AWRY)), doors=Doors),
    _row("doors-fewer", "tells too few doors", "at once", "expected 1152",
         move=instead("doors", lambda body: body[:-64])),
    _row("doors-text", "tells no bytes for doors", "at once", "expected base64 in its one form",
         move=instead("doors", lambda body: "doors")),
    _row("doors-others", "tells other doors", "either", "`doors|does not open",
         move=instead("doors", door(b"d" * 32))),
    _row("box-low", "seals a box by a point of low order", "at once", "does not open",
         move=instead("heard", boxed(lambda box: LOW + box[32:])), doors=Doors),
    _row("box-damaged", "seals a letter that does not open", "either", "does not open|`heard ",
         move=instead("heard", boxed(lambda box: box[:-1] + bytes([box[-1] ^ 1]))),
         doors=Doors, bots=LOUD),
    _row("box-short", "seals a box of another size", "at once", "a box of",
         move=instead("heard", boxed(lambda box: box[:-3]))),
    _row("run-nowhere", "runs off the map", "at once", "expected a cell of the map",
         move=instead("heard", a_run("G7"))),
    _row("ping-nowhere", "pings from no cell", "at once", "expected a cell of the map",
         move=instead("heard", lambda body: "ping me" if body[:4] == "ping" else None), bots=LOUD),
    _row("answer-false", "answers with the digest of no letter", "at once", "of no letter",
         move=instead("answer", lambda body: "ab" * 16)),
    _row("answer-more", "answers more than was asked", "at once", "no more than the digest",
         move=instead("answer", lambda body: f"{body[:32]} sinks")),
    _row("echo-order", "tells echoes in another order", "at once", "the nearest first",
         move=instead("echoes", lambda body: "A1 F6 A1"), bots=LOUD),
    _row("echo-nowhere", "lets something answer off the map", "at once", "a cell of the map",
         move=instead("echoes", lambda body: "A0"), bots=LOUD),
    _row("turn-word", "begins a turn with no such word", "at once", "expected one of",
         move=instead("turn", lambda body: "sail")),
    *_also("orders-exchanged", "orders-step", "orders-garbage", "orders-more", "orders-none",
           "less", "silence"),
    _row("doors-twice", "tells doors twice", "at once", "nothing more was asked|rules ask now",
         move=facts(twice("doors"))),
    *_also("order-of-facts", "number", "last"),
)  # fmt: skip
"""Every lie that a side or a move can tell in Sugar Dog."""
