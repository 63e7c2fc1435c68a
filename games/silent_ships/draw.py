"""The board of a view, as text that one can read in a mail, and as SVG.

What belongs here: abbreviations, legends, and placing ships on the frame of `games.grid`.
What it must not know: anything that is not in the view.
"""

from __future__ import annotations

from collections.abc import Iterator

from games import grid
from games.game import Player, View
from games.grid import Cell, Mark
from games.silent_ships.state import (
    BOARD,
    COUNTRIES,
    ISLANDS,
    NO_STANDING,
    Ship,
    country,
    other,
    prompts,
)
from games.silent_ships.view import Sight, sight_of

WIDTH = 12

SHORT = {
    "flag-ship": "Flag",
    "fire-ship": "Fire",
    "frigate": "Frigate",
    "submarine": "Sub",
    "ramming-ship": "Ram",
    "missile-boat": "Missile",
    "speed-boat": "Speed",
    "patrol-ship": "Patrol",
    "salvage-ship": "Salvage",
    "special-operations-craft": "Craft",
    "ammunition-ship": "Ammo",
}

_OWN, _ENEMY = "#1f4e79", "#9b2226"
_ISLAND, _COUNTRY, _FAR_COUNTRY = "#d9e8c8", "#f1e3c6", "#f3d9d6"


def draw(view: View) -> str:
    """The board, a legend, and the piles; plain ASCII, at most 78 columns."""
    sight = sight_of(view)
    below = "\n".join([*_legend(sight), "", *_below(sight)])
    return f"{grid.frame(BOARD, _marks(sight), WIDTH)}{below}\n"


def _marks(sight: Sight) -> dict[Cell, str]:
    marks = {}
    for cell in BOARD.cells():
        ship = sight.board.get(cell)
        land = "C" if cell in COUNTRIES else "i" if cell in ISLANDS else ""
        words = [land] if land else []
        if ship is not None:
            words.append(_mark(sight, ship))
        if words:
            marks[cell] = " ".join(words)
    return marks


def _mark(sight: Sight, ship: Ship) -> str:
    """`+Frigate` one's own, `-Frigate` an enemy's; in brackets while it lies face down."""
    sign = "+" if ship.owner == _near(sight) else "-"
    name = SHORT[ship.name] if ship.name else "?"
    return f"{sign}{name}" if ship.up else f"{sign}({name})"


def _near(sight: Sight) -> Player:
    """Whose ships are marked as one's own: the viewer's, or in the public view the first's."""
    return sight.player or sight.setup.players[0]


def _legend(sight: Sight) -> Iterator[str]:
    if sight.player:
        own = country(sight.setup, sight.player)
        yield f"C country (yours {own})   i island   + yours   - theirs   ( ) face down"
    else:
        yield "C country   i island   ( ) face down"
        for sign, player in zip("+-", sight.setup.players, strict=True):
            yield f"{sign} {player}, country {country(sight.setup, player)}"


def _below(sight: Sight) -> Iterator[str]:
    """What the board has no room for."""
    if not sight.begun:
        yield "The game has not begun: both players send `start`."
        return
    yield from _own_piles(sight) if sight.player else _public_piles(sight)
    yield from _state_of_play(sight)


def _own_piles(sight: Sight) -> Iterator[str]:
    yield from _wrapped("your hand", sight.own.hand)
    yield from _wrapped("your discards", sight.own.discards)
    yield from _wrapped("your sunk", sight.mine.sunk)
    yield from _wrapped("their sunk", sight.theirs.sunk)
    yield f"  your deck: {sight.mine.deck}"
    theirs = sight.theirs
    yield f"  their hand: {theirs.hand}   deck: {theirs.deck}   discards: {theirs.discards}"
    standing = sight.own.standing
    if standing != NO_STANDING:
        yield f"  your standing orders: retreat {standing.retreat}, support {standing.support}"
        if standing.discard is not None:
            yield from _wrapped("to give up first", standing.discard)


def _public_piles(sight: Sight) -> Iterator[str]:
    for player, known in sight.known.items():
        yield from _wrapped(f"{player}'s sunk", known.sunk)
        counts = f"hand: {known.hand}   deck: {known.deck}   discards: {known.discards}"
        yield f"  {player}'s {counts}"


def _state_of_play(sight: Sight) -> Iterator[str]:
    if sight.idle:
        yield f"  turns in a row without play: {sight.idle}"
    if sight.over is not None:
        yield f"  over: {sight.over.winner} has won ({sight.over.how})"
    for player in sight.offers:
        yield f"  {player} offers to end the game"
    for prompt in prompts(sight.setup, sight.turn, sight.attack, sight.over):
        yield f"  awaited: {prompt.player} ({prompt.what})"


def _wrapped(name: str, cards: tuple[str, ...]) -> Iterator[str]:
    """A pile by name, broken into lines of at most 78 columns."""
    line = f"  {name}:"
    for card in cards or ("none",):
        if len(line) + 2 + len(card) > 77:  # two commas: before it, and at the end of the line
            yield line + ","
            line = "   "
        elif not line.endswith(":"):
            line += "," if line.strip() else ""
        line += f" {card}"
    yield line


def svg(view: View) -> str:
    """The board as one SVG document, with a legend and the piles below it.

    A ship whose name is seen has the id `OWNER-NAME`; where two bear it, the first of them has.
    """
    sight = sight_of(view)
    near, far = _near(sight), other(sight.setup, _near(sight))
    shades = {country(sight.setup, near): _COUNTRY, country(sight.setup, far): _FAR_COUNTRY}
    shades |= dict.fromkeys(ISLANDS, _ISLAND)
    marks = [Mark(cell, shade=shade) for cell, shade in shades.items()]
    ids: set[str] = set()
    for ship in sight.board.values():
        name = f"{ship.owner}-{ship.name}" if ship.name else ""
        marks.append(_disc(sight, ship, "" if name in ids else name))
        ids.add(name)
    whose = sight.player or "everybody"
    notes = (_colours(sight), *_below(sight))
    return grid.svg(BOARD, marks, f"Silent Ships, as {whose} sees it", notes)


def _colours(sight: Sight) -> str:
    near, far = ("you", "them") if sight.player else sight.setup.players
    return f"blue, sand: {near}   red, rose: {far}   green: island   ( ) face down"


def _disc(sight: Sight, ship: Ship, name: str) -> Mark:
    what = ship.name or "a ship"
    face = "face up" if ship.up else "face down"
    text = SHORT[ship.name] if ship.name else "?"
    return Mark(
        ship.at,
        text=text if ship.up else f"({text})",
        colour=_OWN if ship.owner == _near(sight) else _ENEMY,
        title=f"{ship.at}: {what} of {ship.owner}, {face}",
        id=name,
    )
