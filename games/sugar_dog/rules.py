"""The rules of Sugar Dog: how one step changes the position, and what is told to whom.

What belongs here: start, adjudication, end; each rule is a function that says its number. What it
must not know: how orders are written, files, signatures, who is host. All chance is `Dice`.
A step under way is a `Step`: the position so far and the events so far. `State.turn` is the player
whose place it is until the game is over, when it becomes None and nothing more is carried out.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.dice import Dice
from games.game import Event, Outcome, Player, Prompt, Setup, Step
from games.grid import Cell, Heading, by_row
from games.sugar_dog import events as tell
from games.sugar_dog.actions import Cruise, Fire, Mine, Ping, Resign, Silent, Start
from games.sugar_dog.moves import Orders
from games.sugar_dog.state import Fleet, State, Torpedo
from games.values import changed

RUN = 2
"""Cells that a torpedo moves in each turn of its owner (SD-5)."""


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


def adjudicate(state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
    """One step: the setup, or one turn. Who is awaited and not in `orders` has missed (SD-17)."""
    if not state.fleets:
        return _set_out(state, orders, dice)
    if state.turn is None:
        raise ValueError("the game is over: there is nothing to adjudicate")
    return _take_turn(state, orders.get(state.turn) or _missed(state))


# The setup.


def _set_out(state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
    """SD-2, SD-3: everyone starts at once, in a cell chosen or drawn; then who is first."""
    setup, cells = state.setup, state.board.cells()
    told: list[Event] = []
    fleets: dict[Player, Fleet] = {}
    for player in setup.players:
        command = orders[player].command if player in orders else None
        if isinstance(command, Start):
            at: Cell | None = command.at
        elif setup.options["missed"] == "resign":
            at = None
        else:
            at = cells[dice.below(f"start/{player}", len(cells))]
        fleets[player] = Fleet(at)
        told.append(tell.started(player, at) if at else tell.sunk(player))
    first = setup.options["first"]
    if first is None:
        first = setup.players[dice.below("first", len(setup.players))]
    step = _end(Step(changed(state, fleets=fleets, turn=first), tuple(told)))
    if step.state.turn is None or fleets[first].sub:
        return step
    survivor = next(player for player in setup.after(first) if fleets[player].sub)
    return Step(changed(step.state, turn=survivor), step.events)


# A turn.


def _missed(state: State) -> Orders:
    """SD-17: what a missed deadline plays. It has no line that could be void."""
    resigns = state.setup.options["missed"] == "resign"
    return Orders(Resign() if resigns else Silent(None), line=None)


def _take_turn(state: State, orders: Orders) -> Step[State]:
    """SD-4, SD-16: the offer, a resignation, the torpedoes in flight, the command; then who is
    next. After each of them the game may be over, and then nothing more is carried out."""
    player = str(state.turn)
    step = Step(state, (tell.turn(player, state.n),))
    step = _offer(step, player, orders.draw)
    if isinstance(orders.command, Resign):
        step = _resign(step, player)
    step = _advance(step, player)
    if _goes_on(step):
        step = _command(step, player, orders)
    return _pass_on(step, player)


def _goes_on(step: Step[State]) -> bool:
    return step.state.turn is not None


def _offer(step: Step[State], player: Player, draw: bool) -> Step[State]:
    """SD-16: one's last offer ends; a new one is told, and may make the draw."""
    state = step.state
    standing = tuple(other for other in state.offers if other != player)
    if not draw:
        return Step(changed(state, offers=standing), step.events)
    seats = state.setup.players
    standing = tuple(other for other in seats if other == player or other in standing)
    step = _told(changed(state, offers=standing), step, tell.draw_offered(player))
    return _over(step, None) if step.state.agreed else step


def _resign(step: Step[State], player: Player) -> Step[State]:
    """SD-16: one's own submarine is lost without an impact."""
    fleet = changed(step.state.fleets[player], sub=None)
    return _end(_told(step.state.with_fleet(player, fleet), step, tell.sunk(player)))


def _command(step: Step[State], player: Player, orders: Orders) -> Step[State]:
    """SD-4, SD-5: the one command, void where the submarine is lost by now."""
    sub = step.state.fleets[player].sub
    if sub is None:
        if orders.line is None or isinstance(orders.command, Resign):
            return step
        return _told(step.state, step, tell.void(player, orders.line, "sunk"))
    match orders.command:
        case Silent(to):
            return _run_silent(step, player, to)
        case Cruise(path):
            return _cruise(step, player, path)
        case Ping():
            return _ping(step, player, sub)
        case Fire(heading):
            return _fire(step, player, sub, heading)
        case Mine():
            return _lay(step, player, sub)
    return step


def _pass_on(step: Step[State], player: Player) -> Step[State]:
    """SD-12: the turn goes to the next survivor; at the place of each sunk player on the way
    their torpedoes advance, as part of this step."""
    for other in step.state.setup.after(player):
        if not _goes_on(step):
            break
        if step.state.fleets[other].sub:
            step = Step(changed(step.state, turn=other), step.events)
            break
        step = _advance(step, other)
    return Step(changed(step.state, n=step.state.n + 1), step.events)


# The commands.


def _run_silent(step: Step[State], player: Player, to: Cell | None) -> Step[State]:
    """SD-5, SD-14: announces nothing, collides with nothing, sets nothing off."""
    if to is None:
        return step
    fleet = changed(step.state.fleets[player], sub=to)
    return _told(step.state.with_fleet(player, fleet), step, tell.moved(player, to))


def _cruise(step: Step[State], player: Player, path: tuple[Cell, ...]) -> Step[State]:
    """SD-5, SD-9: one or two cells, each by the entry protocol; one alone ends with `clear`."""
    for cell in path:
        fleet = step.state.fleets[player]
        lifted, placed = changed(fleet, sub=None), changed(fleet, sub=cell)
        step = _enter(step, player, lifted, placed, tell.moved(player, cell), cell)
        if step.state.fleets[player].sub is None:
            return step
    return _told(step.state, step, tell.clear(player)) if len(path) < RUN else step


def _ping(step: Step[State], player: Player, source: Cell) -> Step[State]:
    """SD-13: the source, the pinger's own objects, then the others' in turn order, the nearest
    of each player's first, ties by row then column."""
    state, told = step.state, [tell.ping(player, source)]
    for other in _from(state.setup, player):
        fleet = state.fleets[other]
        answering = changed(fleet, sub=None) if other == player else fleet
        for cell in sorted(
            answering.objects(), key=lambda cell: (cell.distance(source), *by_row(cell))
        ):
            told.append(tell.echo(other, cell))
            state = state.with_contact(other, cell)
    return _told(state, step, *told)


def _fire(step: Step[State], player: Player, sub: Cell, heading: Heading) -> Step[State]:
    """SD-5: the torpedo leaves one's own cell and makes its first run at once."""
    fleet = step.state.fleets[player]
    loaded = changed(fleet, torpedoes=(*fleet.torpedoes, Torpedo(sub, heading)))
    state = step.state.with_fleet(player, loaded)
    return _run(Step(state, step.events), player, len(fleet.torpedoes))


def _lay(step: Step[State], player: Player, sub: Cell) -> Step[State]:
    """SD-5: one mine at one's own cell; laying sets nothing off."""
    fleet = step.state.fleets[player]
    laid = changed(fleet, mines=(*fleet.mines, sub), left=fleet.left - 1)
    return _told(step.state.with_fleet(player, laid), step, tell.laid(player, sub, laid.left))


# Torpedoes in flight.


def _advance(step: Step[State], owner: Player) -> Step[State]:
    """SD-4, SD-12: the owner's torpedoes, oldest first, each its whole run before the next."""
    moved: tuple[Torpedo, ...] = ()
    while _goes_on(step) and len(moved) < len(step.state.fleets[owner].torpedoes):
        flying, told = step.state.fleets[owner].torpedoes[len(moved)], len(step.events)
        way = _way(step.state, flying)
        step = _run(step, owner, len(moved))
        # A run ends with its first impact, and an impact leaves nothing in its cell.
        struck = any(event.kind == "impact" for event in step.events[told:])
        afloat = step.state.fleets[owner].torpedoes
        moved = tuple(torpedo for torpedo in moved if torpedo in afloat)
        if len(way) == RUN and not struck:
            moved += (changed(flying, cell=way[-1]),)
    return step


def _way(state: State, torpedo: Torpedo) -> tuple[Cell, ...]:
    """The cells on the map that the torpedo would enter in its next run."""
    first = torpedo.cell.step(torpedo.heading)
    return tuple(cell for cell in (first, first.step(torpedo.heading)) if cell.on(state.board))


def _run(step: Step[State], owner: Player, slot: int) -> Step[State]:
    """SD-5, SD-9, SD-10: one torpedo's two cells, each by the entry protocol. Off the map it is
    lost, after a `clear` where it had entered one cell of the two."""
    torpedo = step.state.fleets[owner].torpedoes[slot]
    way = _way(step.state, torpedo)
    for cell in way:
        fleet = step.state.fleets[owner]
        before, after = fleet.torpedoes[:slot], fleet.torpedoes[slot + 1 :]
        lifted = changed(fleet, torpedoes=before + after)
        torpedo = changed(torpedo, cell=cell)
        placed = changed(fleet, torpedoes=(*before, torpedo, *after))
        step = _enter(step, owner, lifted, placed, tell.torpedo(owner, cell), cell)
        if not _anything_in(step.state, cell):
            return step
    if len(way) == RUN:
        return step
    fleet = step.state.fleets[owner]
    rest = fleet.torpedoes[:slot] + fleet.torpedoes[slot + 1 :]
    told = (tell.clear(owner),) * len(way) + (tell.torpedo_lost(owner, torpedo.cell),)
    return _told(step.state.with_fleet(owner, changed(fleet, torpedoes=rest)), step, *told)


# The entry protocol.


def _enter(
    step: Step[State], owner: Player, lifted: Fleet, placed: Fleet, own: Event, at: Cell
) -> Step[State]:
    """SD-7, SD-8: a cruising submarine or a torpedo enters a cell.

    `lifted` is the owner's fleet without the mover, `placed` with it in the cell, `own` the event
    for the owner. The mover is still there afterwards exactly where the cell was empty.
    """
    crowded = _anything_in(step.state.with_fleet(owner, lifted), at)
    state = step.state.with_fleet(owner, placed).with_contact(owner, at)
    step = _told(state, step, own, tell.contact(owner, at))
    return _impact(step, owner, at) if crowded else step


def _anything_in(state: State, at: Cell) -> bool:
    return any(at in fleet.objects() for fleet in state.fleets.values())


def _impact(step: Step[State], owner: Player, at: Cell) -> Step[State]:
    """SD-8, SD-11: everything in the cell is destroyed; told in turn order from the mover's
    owner, every submarine before every mine and torpedo."""
    state, order = step.state, _from(step.state.setup, owner)
    sunk = [tell.sunk(player) for player in order if state.fleets[player].sub == at]
    lost: list[Event] = []
    for player in order:
        fleet = state.fleets[player]
        lost += [tell.lost(player, "mine", at) for mine in fleet.mines if mine == at]
        lost += [tell.lost(player, "torpedo", at) for shot in fleet.torpedoes if shot.cell == at]
        state = state.with_fleet(player, _without(fleet, at))
    step = _told(state, step, tell.impact(at), *sunk, *lost)
    return _end(step) if sunk else step


def _without(fleet: Fleet, at: Cell) -> Fleet:
    return Fleet(
        None if fleet.sub == at else fleet.sub,
        tuple(mine for mine in fleet.mines if mine != at),
        fleet.left,
        tuple(torpedo for torpedo in fleet.torpedoes if torpedo.cell != at),
    )


# The end.


def _end(step: Step[State]) -> Step[State]:
    """SD-15, then SD-16: looked at after each entry or resignation that lost a submarine."""
    survivors = step.state.survivors
    if len(survivors) < 2:
        return _over(step, survivors[0] if survivors else None)
    return _over(step, None) if step.state.agreed else step


def _over(step: Step[State], winner: Player | None) -> Step[State]:
    return _told(changed(step.state, turn=None), step, tell.over(winner))


# Helpers.


def _told(state: State, step: Step[State], *events: Event) -> Step[State]:
    return Step(state, step.events + events)


def _from(setup: Setup, player: Player) -> tuple[Player, ...]:
    """All players in turn order, beginning with that one."""
    return (player, *setup.after(player)[:-1])
