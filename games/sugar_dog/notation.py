"""The position notation of Sugar Dog, both ways.

What belongs here: how a position and its parts are written as plain data, and read again. Readers
raise BadPosition, naming the key. What it must not know: who may see what (`view`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.game import Player, Setup, Table
from games.grid import HEADINGS, Cell
from games.kinds import TRUE, Reader, cell, kind, lists, number, phrase, some_of, word
from games.options import Value
from games.sugar_dog.state import MINES, Fleet, State, Torpedo, board

if TYPE_CHECKING:
    from games.sugar_dog.view import Sight

WORDS = frozenset({"setup", "turn", "n", "offers", "contacts", "quiet", "misses"})
"""Keys of a position that no player may have as a name."""
_FLEET = ("sub", "sunk", "mines", "left", "torpedoes")


# Writing.


def position(state: State) -> dict[str, Value]:
    """The position in full, every key there; inverse of `read_position`."""
    if not state.fleets:
        return {"setup": True}
    fleets = {player: fleet_table(state.fleets[player]) for player in state.setup.players}
    return public_keys(state) | fleets


def public_keys(seen: State | Sight) -> dict[str, Value]:
    """The keys of a position that everybody may see, without who is sunk; contacts in seat
    order."""
    shown: dict[str, Value] = {} if seen.turn is None else {"turn": seen.turn}
    heard = {name: str(seen.contacts[name]) for name in seen.setup.players if name in seen.contacts}
    shown |= {"n": seen.n, "offers": list(seen.offers), "contacts": heard}
    options = seen.setup.options
    if options["quiet"]:
        shown["quiet"] = seen.quiet
    if options["misses"] > 1:
        shown["misses"] = {
            name: seen.misses[name] for name in seen.setup.players if name in seen.misses
        }
    return shown


def fleet_table(fleet: Fleet) -> dict[str, Value]:
    """One player's table: `sub` or `sunk = true`, then `mines`, `left`, `torpedoes`."""
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
    reader = reader_of(setup, position)
    if reader.is_setup():
        return State(setup, {})
    state = State(
        setup,
        {player: read_fleet(setup, reader, player) for player in setup.players},
        reader.take("turn", word(*setup.players), None),
        reader.take("n", TURN_NUMBER, 1),
        reader.take("offers", some_of(*setup.players), ()),
        read_contacts(setup, reader, {}),
        read_quiet(setup, reader),
        read_misses(setup, reader),
    )
    dead = 0 < setup.options["quiet"] <= state.quiet
    over = len(state.survivors) < 2 or state.agreed or dead
    if over and state.turn is not None:
        raise reader.fault("turn", "no turn, because the game is over")
    if not over and state.turn not in state.survivors:
        raise reader.fault("turn", f"a surviving player: {', '.join(state.survivors)}")
    return state


def reader_of(setup: Setup, table: Table) -> Reader:
    """A reader of a whole position or view."""
    return Reader(table, (*sorted(WORDS), *setup.players))


TURN_NUMBER = number(1)


def read_contacts(setup: Setup, reader: Reader, default: Value = None) -> dict[Player, Cell]:
    """The last public contact by player."""
    return reader.each("contacts", setup.players, cell(board(setup)), default)


def read_fleet(setup: Setup, reader: Reader, player: Player) -> Fleet:
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


def read_quiet(setup: Setup, reader: Reader) -> int:
    """The turns in a row without impact and ping; 0 if the option does not count them."""
    return reader.take("quiet", number(0, setup.options["quiet"]), 0)


def read_misses(setup: Setup, reader: Reader) -> dict[Player, int]:
    """The deadlines that each player has missed in a row; empty where one missed deadline is enough
    to resign."""
    most = setup.options["misses"]
    counted = number(1, most) if most > 1 else _UNCOUNTED
    return reader.each("misses", setup.players, counted, {})


_UNCOUNTED = kind("no number, as option misses = 1 counts none", lambda value: False)
