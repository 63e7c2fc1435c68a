"""The position notation of Sugar Dog, both ways: of positions, and of views.

What belongs here: how a position and its parts are written as plain data, and read again. Readers
raise BadPosition, naming the key. What it must not know: who may see what (`state.see`).
"""

from __future__ import annotations

from games.game import Player, Setup, Table, View
from games.grid import HEADINGS
from games.kinds import (
    ANYTHING,
    MISSING,
    TRUE,
    Reader,
    cell,
    kind,
    lists,
    number,
    phrase,
    some_of,
    tables,
    word,
)
from games.options import Value
from games.sugar_dog.state import HIDDEN, MINES, Fleet, State, Torpedo, board

WORDS = frozenset({"setup", "turn", "n", "offers", "contacts", "quiet", "misses"})
"""Keys of a position that no player may have as a name."""
_FLEET = ("sub", "sunk", "mines", "left", "torpedoes")


# Writing.


def position(state: State) -> dict[str, Value]:
    """The position in full, every key there, or what somebody sees; inverse of `read_position`, and
    of `read_view`. Contacts are in seat order."""
    if not state.fleets:
        return {"setup": True}
    players, options = state.setup.players, state.setup.options
    shown: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    heard = {name: str(state.contacts[name]) for name in players if name in state.contacts}
    shown |= {"n": state.n, "offers": list(state.offers), "contacts": heard}
    if options["quiet"]:
        shown["quiet"] = state.quiet
    if options["misses"] > 1:
        shown["misses"] = {name: state.misses[name] for name in players if name in state.misses}
    return shown | {name: _fleet_table(state.fleets[name]) for name in players}


def _fleet_table(fleet: Fleet) -> dict[str, Value]:
    """One player's table: `sub` or `sunk = true`, then `mines`, `left`, `torpedoes`; of a hidden
    fleet `sunk` or nothing."""
    if fleet.hidden:
        return {} if fleet.sub else {"sunk": True}
    return {
        **({"sub": str(fleet.sub)} if fleet.sub else {"sunk": True}),
        "mines": [str(cell) for cell in fleet.mines],
        "left": fleet.left,
        "torpedoes": [str(torpedo) for torpedo in fleet.torpedoes],
    }


# Reading.


def read_position(setup: Setup, position: Table) -> State:
    """The state of a written position.

    Keys that a hand-written position leaves out get the default of the notation. A missing `left`
    is 3, however many mines are listed, because a rule case names only its subject.
    """
    return _read(setup, position, setup.players, None, 1, (), {})


def read_view(view: View) -> State:
    """What a view shows, whoever made the view; raises BadPosition."""
    if isinstance(view.sight, State):
        return view.sight
    known = () if view.player is None else (view.player,)
    return _read(view.setup, view.shown, known, view.player, MISSING, MISSING, None)


def _read(
    setup: Setup,
    table: Table,
    known: tuple[Player, ...],
    player: Player | None,
    n: int,
    offers: tuple[Player, ...],
    contacts: Value,
) -> State:
    """A position in which the fleets of some players are known; what stands there by default is
    given."""
    reader = Reader(table, (*sorted(WORDS), *setup.players))
    if reader.is_setup():
        return State(setup, {}, player=player)
    most, quiet = setup.options["misses"], setup.options["quiet"]
    state = State(
        setup,
        {
            name: _read_fleet(setup, reader, name) if name in known else _read_hidden(reader, name)
            for name in setup.players
        },
        reader.take("turn", word(*setup.players), None),
        reader.take("n", number(1), n),
        reader.take("offers", some_of(*setup.players), offers),
        reader.each("contacts", setup.players, cell(board(setup)), contacts),
        reader.take("quiet", number(0, quiet), 0),
        reader.each("misses", setup.players, number(1, most) if most > 1 else _UNCOUNTED, {}),
        player=player,
    )
    over = len(state.survivors) < 2 or state.agreed or 0 < quiet <= state.quiet
    if over and state.turn is not None:
        raise reader.fault("turn", "no turn, because the game is over")
    if not over and state.turn not in state.survivors:
        raise reader.fault("turn", f"a surviving player: {', '.join(state.survivors)}")
    return state


_UNCOUNTED = kind("no number, as option misses = 1 counts none", lambda value: False)


def _read_fleet(setup: Setup, reader: Reader, player: Player) -> Fleet:
    """A player's table. `mines`, `left` and `torpedoes` may be left out."""
    table, here = reader.inner(player, _FLEET), cell(board(setup))
    if ("sub" in table) == ("sunk" in table):
        raise reader.fault(player, "either sub or sunk = true")
    table.take("sunk", TRUE, None)
    torpedo = phrase("F2 S", here, word(*HEADINGS)).then(lambda parts: Torpedo(*parts))
    return Fleet(
        table.take("sub", here, None),
        table.take("mines", lists(here), ()),
        table.take("left", number(0, MINES), MINES),
        table.take("torpedoes", lists(torpedo), ()),
    )


def _read_hidden(reader: Reader, player: Player) -> Fleet:
    """The table of a player whose fleet is hidden; raises BadPosition if it tells anything else
    than that they are sunk."""
    table = reader.take(player, tables(ANYTHING))
    if table not in ({}, {"sunk": True}):
        raise reader.fault(player, "nothing, or sunk = true")
    return Fleet(None if table else HIDDEN, hidden=True)
