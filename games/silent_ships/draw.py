"""The board of a view, and of a position with nothing hidden: the card in each cell, abbreviations,
the legend and the notes below."""

from __future__ import annotations

from collections.abc import Iterator

from games.chart import Chart, Ground, Piece, Sign
from games.game import Player, View
from games.grid import Cell
from games.silent_ships.hulls import SHORT, card
from games.silent_ships.state import (
    BOARD,
    ISLANDS,
    NO_STANDING,
    Ship,
    Standing,
    State,
    country,
    prompts,
)
from games.silent_ships.view import Sight, see, sight_of

WIDTH = 15
"""A cell has room for `+(Frigate 7) C` and a blank."""


def chart(view: View) -> Chart:
    """The board, a legend, and the piles.

    A ship with a visible name has the id `OWNER-NAME`.
    """
    sight = sight_of(view)
    whose = f"as {sight.player or 'everybody'} sees it"
    piles = _own_piles(sight) if sight.player else _public_piles(sight)
    return _chart(sight, whose, tuple(piles) if sight.begun else ())


def chart_whole(state: State) -> Chart:
    """Every ship by its name, and both players' piles."""
    sight = see(state, None)._replace(board=state.board)
    return _chart(sight, "the sea as it was", tuple(_all_piles(state)) if state.begun else ())


def _chart(sight: Sight, whose: str, piles: tuple[str, ...]) -> Chart:
    attack = sight.attack
    return Chart(
        f"Silent Ships: {whose}",
        BOARD,
        tuple(_pieces(sight)),
        _grounds(sight),
        tuple(_signs(sight)),
        (*piles, *_state_of_play(sight)),
        arrows=() if attack is None else ((attack.start, attack.to),),
        wide=WIDTH,
        turned=bool(sight.player) and country(sight.setup, sight.player).row == BOARD.rows,
    )


# The board.


def _near(sight: Sight) -> Player:
    """The player whose ships are drawn as one's own: the viewer, or in the public view the first
    player."""
    return sight.player or sight.setup.players[0]


def _grounds(sight: Sight) -> dict[Cell, Ground]:
    grounds = {cell: Ground("isle", "island", "island", "i") for cell in ISLANDS}
    for player in sight.setup.players:
        kind = "home" if player == _near(sight) else "away"
        whose = f"{player}'s country"
        short = whose if len(whose) < WIDTH else "their country"
        mark = "your country" if player == sight.player else short
        grounds[country(sight.setup, player)] = Ground(kind, mark, whose, "C")
    return grounds


def _pieces(sight: Sight) -> Iterator[Piece]:
    for ship in sight.board.values():
        name = f"{ship.owner}-{ship.name}" if ship.name else ""
        foe = ship.owner != _near(sight)
        attack = sight.cards.attack(ship.name) if ship.name else 0
        yield Piece(
            ship.at,
            _mark(ship, foe, attack),
            "foe" if foe else "own",
            card(ship.name, ship.up, foe, attack),
            f"{ship.name or 'a ship'} of {ship.owner}, face {'up' if ship.up else 'down'}",
            name,
            about=ship.name or "ship",
        )


def _mark(ship: Ship, foe: bool, attack: int) -> str:
    """One's own ship as `+Frigate 7`, with its attack, an enemy's as `-Frigate 7`; in brackets
    while it is face down."""
    sign, name = "-" if foe else "+", f"{SHORT[ship.name]} {attack}" if ship.name else "?"
    return f"{sign}{name}" if ship.up else f"{sign}({name})"


def _signs(sight: Sight) -> Iterator[Sign]:
    near, far = ("yours", "theirs") if sight.player else sight.setup.players
    yield Sign(near, "+", "own", card("", True, False))
    yield Sign(far, "-", "foe", card("", True, True))
    yield Sign("face down", "( )", "sixth", card("", False, False))
    yield Sign("island", "i", ground="isle")
    homes = {name: country(sight.setup, name) for name in sight.setup.players}
    for name, cell in homes.items():
        kind = "home" if name == _near(sight) else "away"
        yield Sign(f"{name}'s country, {cell}", "C", ground=kind)


# What is said.


def _own_piles(sight: Sight) -> Iterator[str]:
    yield _pile("your hand", sight.own.hand)
    yield _pile("your discards", sight.own.discards)
    yield _pile("your sunk", sight.mine.sunk)
    yield _pile("their sunk", sight.theirs.sunk)
    yield f"your deck: {_deck(sight.mine.deck, sight.mine.shuffles)}"
    theirs = sight.theirs
    deck = _deck(theirs.deck, theirs.shuffles)
    yield f"their hand: {theirs.hand}, discards: {theirs.discards}, deck: {deck}"
    yield from _standing("your", sight.own.standing)


def _deck(cards: int, shuffles: int) -> str:
    """How many cards are left in a deck, and how often it was shuffled again."""
    return f"{cards}, shuffles: {shuffles}" if shuffles else str(cards)


def _standing(whose: str, standing: Standing) -> Iterator[str]:
    if standing != NO_STANDING:
        first = ""
        if standing.discard is not None:
            first = f", to give up first: {', '.join(standing.discard) or 'none'}"
        answers = f"retreat {standing.retreat}, support {standing.support}"
        yield f"{whose} standing orders: {answers}{first}"


def _public_piles(sight: Sight) -> Iterator[str]:
    for player, known in sight.known.items():
        yield _pile(f"{player}'s sunk", known.sunk)
        deck = _deck(known.deck, known.shuffles)
        yield f"{player}'s hand: {known.hand}, discards: {known.discards}, deck: {deck}"


def _all_piles(state: State) -> Iterator[str]:
    for player, side in state.sides.items():
        yield _pile(f"{player}'s hand", side.hand)
        yield _pile(f"{player}'s discards", side.discards)
        yield _pile(f"{player}'s deck from the top", side.deck)
        yield _pile(f"{player}'s sunk", side.sunk)
        yield from _standing(f"{player}'s", side.standing)


def idle_turns(sight: Sight) -> str:
    """SS-11: the turns without play, and how many end the game; "" if none do."""
    most = sight.setup.options["stalemate"]
    play = " (not this one)" if sight.active else ""
    return f"idle turns {sight.idle} of {most}{play}" if most else ""


def _state_of_play(sight: Sight) -> Iterator[str]:
    if not sight.begun:
        yield "The game has not begun: both players send `start`."
        return
    attack = sight.attack
    if attack is not None:
        number = f", number {attack.number} of this turn" if attack.number > 1 else ""
        cells = ", ".join(map(str, attack.supports)) or "none yet"
        refused = ", the defender may have none" if attack.no_support else ""
        yield f"attack: {attack.start} on {attack.to}{number}; support: {cells}{refused}"
    if sight.turn is not None:
        yield f"turn: {sight.turn}"
    if (sight.idle or sight.active) and (told := idle_turns(sight)):
        yield told
    if sight.over is not None:
        yield f"over: {sight.over.winner} has won ({sight.over.how})"
    for player in sight.offers:
        yield f"{player} offers to end the game"
    for prompt in prompts(sight.setup, sight.turn, attack, sight.over):
        yield f"awaited: {prompt.player} ({prompt.what})"


def _pile(name: str, cards: tuple[str, ...]) -> str:
    return f"{name}: {', '.join(cards) or 'none'}"
