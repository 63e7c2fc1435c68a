"""The rules of Sugar Dog: how one step changes the position, and what is told to whom.

What belongs here: start, adjudication, end; each rule is a function that says its number. What it
must not know: how orders are written, files. All chance is `Dice`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from games.dice import Dice
from games.game import Event, Outcome, Player, Prompt, Setup, Step, Table
from games.grid import Cell, by_row
from games.options import OfferRefused, check_away
from games.sugar_dog import events as tell
from games.sugar_dog.orders import Cruise, Fire, Mine, Orders, Ping, Resign, Silent, Start
from games.sugar_dog.state import Fleet, State, Torpedo, board, run

T = TypeVar("T")

RUN = 2
"""Cells that a torpedo moves in each turn of its owner (SD-5)."""


class Run(NamedTuple):
    """Something that moves through one or two cells of the map, each by the entry protocol (SD-7).

    `slot`: which of its owner's torpedoes; None: the submarine.
    """

    cells: tuple[Cell, ...]
    slot: int | None = None

    def rest(self, fleet: Fleet) -> Fleet:
        """The owner's fleet without what moves."""
        if self.slot is None:
            return fleet.at(None)
        return fleet.flying(*fleet.torpedoes[: self.slot], *fleet.torpedoes[self.slot + 1 :])

    def placed(self, fleet: Fleet, at: Cell) -> Fleet:
        """The owner's fleet with what moves in that cell."""
        if self.slot is None:
            return fleet.at(at)
        torpedoes = list(fleet.torpedoes)
        torpedoes[self.slot] = torpedoes[self.slot]._replace(cell=at)
        return fleet.flying(*torpedoes)


Sound: TypeAlias = Run | Cell
"""What is heard of a turn: something that runs, or a ping from that cell."""


class Met(NamedTuple):
    """What comes of a run: how many of its cells are entered; whether there is an impact in the
    last of these; whose submarines are lost then, in turn order from the owner of what runs."""

    entered: int
    impact: bool = False
    sunk: tuple[Player, ...] = ()


class Turn:
    """The setup or a turn, as it is carried out; everything that happens in it changes it in place.

    `events` are those so far. `whose` is the player in whose place things happen; None once the
    game is over and nothing more is carried out. `met` is what came of the last run, `flies_on`
    whether the last torpedo is still in flight. The other fields are those of `State`. The position
    with which the turn began stays as it was.
    """

    met: Met
    flies_on: bool

    def __init__(self, state: State) -> None:
        self.events: list[Event] = []
        self.setup = state.setup
        self.fleets = dict(state.fleets)
        self.whose = state.turn
        self.n = state.n
        self.offers = state.offers
        self.contacts = dict(state.contacts)
        self.quiet = state.quiet
        self.misses = state.misses
        self.doors = dict(state.doors)

    @property
    def state(self) -> State:
        """The position at this moment; its mappings are this turn's own."""
        return State(
            self.setup,
            self.fleets,
            self.whose,
            self.n,
            self.offers,
            self.contacts,
            self.quiet,
            self.misses,
            self.doors,
        )

    def secret(self, owner: Player, what: str, known: Callable[[], T]) -> T:
        """What only `owner` knows and the rules now need: `what` names it, `known` says it.

        A host knows it. In a duel each player has a turn of their own, on half of the position
        (`duel`).
        """
        return known()

    def tell(self, *events: Event) -> None:
        """Add these events, in this order."""
        self.events += events


def start(setup: Setup) -> State:
    """The position in which everyone is awaited for their start (SD-2)."""
    return State(setup, {})


def awaited(state: State) -> tuple[Prompt, ...]:
    """SD-2: everyone for the setup; after it the player whose turn it is; nobody at the end."""
    if not state.fleets:
        return tuple(Prompt(player, "setup") for player in state.setup.players)
    return () if state.turn is None else (Prompt(state.turn, "turn"),)


def outcome(state: State) -> Outcome | None:
    """SD-15, SD-16: how the game ended; None while it goes on."""
    if not state.fleets or state.turn is not None:
        return None
    survivors = state.survivors
    return Outcome(survivors[0] if len(survivors) == 1 else None)


def adjudicate(
    state: State, orders: Mapping[Player, Orders], dice: Dice, make: Callable[[State], Turn] = Turn
) -> Step[State]:
    """One step: the setup, or one turn. A player who is awaited and not in `orders` missed it
    (SD-17). `make` makes the turn that carries it out."""
    turn = make(state)
    if not state.fleets:
        _set_out(turn, orders, dice)
    elif state.turn is None:
        raise ValueError("the game is over: there is nothing to adjudicate")
    else:
        given = orders.get(state.turn)
        count = 0 if given else turn.misses.get(state.turn, 0) + 1
        _count(turn, state.turn, count)
        if given is None:
            # SD-17: it has no order line that could be void.
            given = Orders(Resign() if _resigns(turn.setup, count) else Silent(None), line=None)
        _take_turn(turn, state.turn, given)
    return Step(turn.state, tuple(turn.events))


# The setup.


def _set_out(turn: Turn, orders: Mapping[Player, Orders], dice: Dice) -> None:
    """SD-2, SD-3: everyone starts at once, in a cell that they chose or that is drawn; then who
    goes first."""
    setup, cells = turn.setup, turn.state.board.cells()
    for player in setup.players:
        command = orders[player].command if player in orders else None
        if isinstance(command, Start):
            at: Cell | None = command.at
        elif _resigns(setup, 1):
            at = None
        else:
            _count(turn, player, 1)
            at = cells[dice.below(f"start/{player}", len(cells))]
        turn.fleets[player] = Fleet(at)
        turn.tell(tell.started(player, at) if at else tell.sunk(player))
    first = setup.options["first"]
    if first is None:
        first = setup.players[dice.below("first", len(setup.players))]
    turn.whose = first
    _end(turn)
    if turn.whose and not turn.fleets[first].sub:
        turn.whose = next(player for player in setup.after(first) if turn.fleets[player].sub)


# A turn.


def check_options(options: Table) -> None:
    """SD-17: `misses` counts missed deadlines up to a resignation, before which no seat may be due
    to be handed on; raises OfferRefused."""
    if options["misses"] > 1 and options["missed"] != "resign":
        raise OfferRefused(
            f"option misses = {options['misses']}: expected missed = resign too, "
            "because otherwise nobody resigns by missing deadlines"
        )
    if options["missed"] == "resign":
        check_away(options, options["misses"])


def _resigns(setup: Setup, count: int) -> bool:
    """SD-17: whether a player resigns who has missed so many deadlines in a row."""
    enough: bool = count >= setup.options["misses"]
    return enough and setup.options["missed"] == "resign"


def _count(turn: Turn, player: Player, count: int) -> None:
    """SD-17: count that many deadlines missed in a row, if it takes more than one to resign."""
    if turn.setup.options["misses"] > 1:
        others = {name: before for name, before in turn.misses.items() if name != player}
        turn.misses = {**others, player: count} if count else others


def _take_turn(turn: Turn, player: Player, given: Orders) -> None:
    """SD-4, SD-16: the offer, a resignation, the torpedoes in flight, the command; then the turn
    passes on. The game may be over after each of these, and then nothing more is carried out."""
    turn.tell(tell.turn(player, turn.n))
    orders = turn.secret(player, "turn", lambda: given)
    # SD-16: the player's last offer ends; a new one is told, and may make the draw.
    standing = [other for other in turn.offers if other != player] + [player] * orders.draw
    turn.offers = tuple([other for other in turn.setup.players if other in standing])
    if orders.draw:
        turn.tell(tell.draw_offered(player))
        if turn.state.agreed:
            _over(turn, None)
    if isinstance(orders.command, Resign):
        # SD-16: one's own submarine is lost without an impact.
        turn.fleets[player] = turn.fleets[player].at(None)
        turn.tell(tell.sunk(player))
        _end(turn)
    _carry_out(turn, player, _sounds(turn, player, orders))
    _pass_on(turn, player)
    _dead(turn)


def _carry_out(turn: Turn, player: Player, sounds: Iterator[Sound]) -> None:
    """SD-4: what is heard in a player's place, one after the other, until the game is over."""
    while turn.whose:
        sound = turn.secret(player, "heard", partial(next, sounds, None))
        if sound is None:
            return
        if isinstance(sound, Run):
            _run(turn, player, sound)
        else:
            _ping(turn, player, sound)


def _sounds(turn: Turn, player: Player, orders: Orders) -> Iterator[Sound]:
    """SD-4, SD-5: what is heard of the torpedoes in flight, then of the one command, which is void
    if the submarine is lost by now. What nobody hears happens between."""
    yield from _flights(turn, player)
    sub = turn.fleets[player].sub
    if sub is None:
        if orders.line is not None and not isinstance(orders.command, Resign):
            turn.tell(tell.void(player, orders.line, "sunk"))
        return
    fleet = turn.fleets[player]
    match orders.command:
        case Silent(Cell() as to):
            # SD-14: nothing is announced, no collision happens, nothing is set off.
            turn.fleets[player] = fleet.at(to)
            turn.tell(tell.moved(player, to))
        case Cruise(path):
            yield Run(path)
        case Ping():
            yield sub
        case Fire(heading):
            turn.fleets[player] = fleet.flying(*fleet.torpedoes, Torpedo(sub, heading))
            yield from _flight(turn, player, len(fleet.torpedoes))
        case Mine():
            # One mine at one's own cell; laying sets nothing off.
            mines, left = (*fleet.mines, sub), fleet.left - 1
            turn.fleets[player] = Fleet(sub, mines, left, fleet.torpedoes)
            turn.tell(tell.laid(player, sub, left))


def _pass_on(turn: Turn, player: Player) -> None:
    """SD-12: the turn goes to the next survivor. For each sunk player on the way, their torpedoes
    advance in their place, as part of this step."""
    for other in turn.setup.after(player):
        if not turn.whose:
            break
        if turn.fleets[other].sub:
            turn.whose = other
            break
        _carry_out(turn, other, _flights(turn, other))
    turn.n += 1


def _ping(turn: Turn, player: Player, source: Cell) -> None:
    """SD-13: the source is told, then the pinger's own objects, then the others' in turn order; of
    each player the nearest first, ties by row and then column."""
    turn.tell(tell.ping(player, source))
    for other in _from(turn.setup, player):
        fleet = turn.fleets[other]
        answering = fleet.at(None) if other == player else fleet
        echoes = partial(sorted, answering.objects(), key=nearest(source))
        for cell in turn.secret(other, "echoes", echoes):
            turn.tell(tell.echo(other, cell))
            turn.contacts[other] = cell


def nearest(source: Cell) -> Callable[[Cell], tuple[int, ...]]:
    """SD-13: sort key of echoes: distance, then row, then column."""
    return lambda cell: (cell.distance(source), *by_row(cell))


# Torpedoes in flight.


def _flights(turn: Turn, owner: Player) -> Iterator[Run]:
    """SD-4, SD-12: the owner's torpedoes, oldest first; each makes its whole run before the
    next."""
    slot = 0
    while slot < len(turn.fleets[owner].torpedoes):
        before = turn.fleets[owner].torpedoes[:slot]
        yield from _flight(turn, owner, slot)
        # An impact may have destroyed torpedoes that had already made their runs.
        flying = turn.fleets[owner].torpedoes
        slot = len([old for old in before if old in flying]) + turn.flies_on


def _flight(turn: Turn, owner: Player, slot: int) -> Iterator[Run]:
    """SD-5, SD-10: one torpedo's two cells. If it leaves the map it is lost, after the `clear` if
    it had entered the first of them."""
    torpedo = turn.fleets[owner].torpedoes[slot]
    flown = Run(run(board(turn.setup), torpedo), slot)
    struck = False
    if flown.cells:
        yield flown
        struck = turn.met.impact
    turn.flies_on = not struck and len(flown.cells) == RUN
    if not struck and not turn.flies_on:
        turn.tell(tell.torpedo_lost(owner, flown.cells[0] if flown.cells else torpedo.cell))
        turn.fleets[owner] = flown.rest(turn.fleets[owner])


# The entry protocol.


def _run(turn: Turn, owner: Player, run: Run) -> None:
    """SD-7, SD-9: a submarine or a torpedo enters one or two cells; one alone ends with `clear`. An
    impact ends it, and leaves nothing in the cell."""
    turn.met = turn.secret(owner, "met", partial(_meet, turn, owner, run))
    for at in run.cells[: turn.met.entered]:
        turn.fleets[owner] = run.placed(turn.fleets[owner], at)
        turn.contacts[owner] = at
        own = tell.moved(owner, at) if run.slot is None else tell.torpedo(owner, at)
        turn.tell(own, tell.contact(owner, at))
    if turn.met.impact:
        _impact(turn, owner, run.cells[turn.met.entered - 1])
    elif len(run.cells) < RUN:
        turn.tell(tell.clear(owner))


def _meet(turn: Turn, owner: Player, run: Run) -> Met:
    """SD-8: if anything else is in a cell that is entered, it is destroyed, and what entered it."""
    order = _from(turn.setup, owner)
    rest = run.rest(turn.fleets[owner])
    others = (rest, *[turn.fleets[player] for player in order[1:]])
    for entered, at in enumerate(run.cells, 1):
        if any(at in fleet.objects() for fleet in others):
            subs = {player: turn.fleets[player].sub for player in order}
            subs[owner] = at if run.slot is None else subs[owner]
            return Met(entered, True, tuple([name for name in order if subs[name] == at]))
    return Met(len(run.cells))


def _impact(turn: Turn, owner: Player, at: Cell) -> None:
    """SD-8, SD-11: everything in the cell is destroyed. The losses are told in turn order from the
    mover's owner, all submarines before all mines and torpedoes."""
    sunk = turn.met.sunk
    turn.tell(tell.impact(at), *map(tell.sunk, sunk))
    for player in _from(turn.setup, owner):
        fleet = turn.fleets[player]
        turn.tell(*[tell.lost(player, "mine", at) for mine in fleet.mines if mine == at])
        shots = [shot for shot in fleet.torpedoes if shot.cell == at]
        turn.tell(*[tell.lost(player, "torpedo", at) for _ in shots])
        turn.fleets[player] = Fleet(
            None if player in sunk else fleet.sub,
            tuple(mine for mine in fleet.mines if mine != at),
            fleet.left,
            tuple(shot for shot in fleet.torpedoes if shot.cell != at),
        )
    if sunk:
        _end(turn)


# The end.


def _end(turn: Turn) -> None:
    """SD-15, then SD-16: checked after each entry or resignation in which a submarine was lost."""
    survivors = turn.state.survivors
    if len(survivors) < 2:
        _over(turn, survivors[0] if survivors else None)
    elif turn.state.agreed:
        _over(turn, None)


def _dead(turn: Turn) -> None:
    """SD-15: with the option `quiet`, a draw after so many turns in a row without impact and
    ping."""
    most = turn.setup.options["quiet"]
    if not most or not turn.whose:
        return
    loud = any(event.kind in ("impact", "ping") for event in turn.events)
    turn.quiet = 0 if loud else turn.quiet + 1
    if turn.quiet == most:
        _over(turn, None, "quiet")


def _over(turn: Turn, winner: Player | None, how: str = "") -> None:
    turn.whose = None
    turn.tell(tell.over(winner, how))


def _from(setup: Setup, player: Player) -> tuple[Player, ...]:
    """All players in turn order, beginning with this one."""
    return (player, *setup.after(player)[:-1])
