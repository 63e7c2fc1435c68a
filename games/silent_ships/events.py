"""The events of Silent Ships, a row each: how it is made, for whom, what is said of it and how a
board plays that (SS-19).

If part of an event is secret, there are two: one for everybody, and right after it one for its
player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.game import EVERYONE, Event, Player, Table
from games.grid import Cell
from games.news import Sentences, joined
from games.silent_ships.cards import spoken

Events = tuple[Event, ...]

_SENTENCES = Sentences()
says, news, told = _SENTENCES.says, _SENTENCES.news, _SENTENCES.told


def _words(template: str) -> Callable[[Table], str]:
    """A sentence in which ships have their names as one speaks, and cards are counted."""

    def sentence(event: Table) -> str:
        said = dict(event)
        for key in ("ship", "attacker", "target"):
            if key in said:
                said[key] = spoken(said[key])
        if "cards" in said:
            said["cards"] = joined(map(spoken, said["cards"]))
        if "count" in said:
            said["count"] = f"{said['count']} card{'s' * (said['count'] != 1)}"
        return template.format_map(said)

    return sentence


def _secret(public: str, own: str) -> dict[str, Any]:
    """The columns of a public event and of the secret one right after it, for the same player: of
    the two only the secret one is told to them."""

    def is_secret(event: Table) -> bool:
        return bool(event.keys() & {"cards", "ship"})

    return {
        "sentence": lambda event: _words(own if is_secret(event) else public)(event),
        "own": lambda event: _words(own)(event) if is_secret(event) else "",
    }


def _card(told: Mapping[str, Any], up: bool = True) -> str:
    """The card of a ship, as far as it is told."""
    # The board reads what happened.
    from games.silent_ships.board import card

    return card(told.get("ship", ""), up, foe=told["side"] == "foe")


HOW: Mapping[str, str] = {
    "country": "{winner} wins: a ship of theirs holds the enemy country.",
    "flag-ship": "{winner} wins: the enemy flag ship is sunk.",
    "sunk": "{winner} wins: enough enemy ships are sunk.",
    "agreed": "The game ends by agreement; {winner} wins on ships sunk.",
    "stalemate": "The game ends as a stalemate; {winner} wins on ships sunk.",
    "resigned": "{winner} wins: the other side resigned.",
    "missed": "{winner} wins: the other side missed the deadline.",
}
"""How a game can end, and the sentence that tells it."""
DRAWN: Mapping[str, str] = {
    "agreed": "The game ends by agreement: it is a draw.",
    "stalemate": "The game ends as a stalemate: it is a draw.",
}
"""The same of games without a winner."""

VOID: Mapping[str, str] = {
    "malformed": "it was not understood",
    "ambiguous": "the name fits two ships",
    "not-in-hand": "the card was not in hand",
    "not-sunk": "no such ship of yours was sunk",
    "off-board": "the cell is not on the board",
    "not-at-country": "a ship is played on or beside your country only",
    "occupied": "the cell was not empty",
    "no-ship": "no ship of yours was there",
    "not-adjacent": "the cells are not next to each other",
    "too-far": "the ship could not move that far",
    "cell-twice": "it names a cell twice",
    "blocked": "a ship was in the way",
    "own-ship": "your own ship was there",
    "discards": "the number of discards was not what the move costs",
    "no-attack": "the move was no attack",
    "cannot-support": "a ship named could not support",
    "no-retreat": "the target could not go there",
    "face-up": "the ship lay face up already",
    "no-swap": "no swap was possible there",
    "offered": "your offer stood already",
    "not-asked": "it was not asked for",
}
"""The reasons of `void` (SS-12), and what each means."""


@says("It is {player}'s turn.", told=False)
def turn(player: Player) -> Events:
    """SS-3: a turn begins."""
    return (Event("turn", EVERYONE, {"player": player}),)


@says("{player}'s deck is shuffled.", own="Your deck is shuffled.", sign="again")
def shuffled(player: Player) -> Events:
    """SS-3: that player has a new deck."""
    return (Event("shuffled", EVERYONE, {"player": player}),)


@says(**_secret("{player} draws {count}.", "You draw {cards}."), sign="card")
def drew(player: Player, cards: Sequence[str]) -> Events:
    """SS-3: cards drawn, in the order in which they came. A draw of no card is told too, but
    without the secret event."""
    public = Event("drew", EVERYONE, {"player": player, "count": len(cards)})
    if not cards:
        return (public,)
    return public, Event("drew", player, {"player": player, "cards": list(cards)})


@says(
    **_secret("{player} plays a ship face down in {at}.", "You play {ship} face down in {at}."),
    sign="card",
    play="lay",
    shape=lambda told: _card(told, up=False),
    piece=lambda told: f"{told['player']}-{told['ship']}" if "ship" in told else "",
)
def played(player: Player, at: Cell, ship: str) -> Events:
    """SS-4: a ship is played, face down."""
    public = {"player": player, "at": str(at)}
    return Event("played", EVERYONE, public), Event("played", player, {**public, "ship": ship})


@says(**_secret("{player} pays {count}.", "You pay {cards}."), sign="card")
def discarded(player: Player, cards: Sequence[str]) -> Events:
    """SS-4: cards given up, face down, as they were written."""
    return (
        Event("discarded", EVERYONE, {"player": player, "count": len(cards)}),
        Event("discarded", player, {"player": player, "cards": list(cards)}),
    )


@says("The ship in {from} moves to {to}.", sign="step", play="run", way="to", led=("discarded",))
def moved(start: Cell, to: Cell) -> Events:
    """SS-4: a ship enters a cell."""
    return (Event("moved", EVERYONE, {"from": str(start), "to": str(to)}),)


@says(_words("The ship in {at} is turned up: {ship}."), sign="flip", play="turn")
def flipped(at: Cell, ship: str) -> Events:
    """SS-4, SS-8: a ship is turned face up."""
    return (Event("flipped", EVERYONE, {"at": str(at), "ship": ship}),)


@says("The ship in {from} attacks the one in {to}.", sign="fight", play="fight", led=("discarded",))
def attack(start: Cell, to: Cell) -> Events:
    """SS-5: an attack is declared and paid for."""
    return (Event("attack", EVERYONE, {"from": str(start), "to": str(to)}),)


@says("The ship in {from} retreats to {to}.", sign="step", play="run", led=("discarded",))
def retreat(start: Cell, to: Cell) -> Events:
    """SS-6: the target gives way."""
    return (Event("retreat", EVERYONE, {"from": str(start), "to": str(to)}),)


@says(
    "{player}'s ship in {at} supports.",
    own="Your ship in {at} supports.",
    sign="run",
    led=("discarded",),
)
def support(player: Player, at: Cell) -> Events:
    """SS-7: a ship supports its side."""
    return (Event("support", EVERYONE, {"player": player, "at": str(at)}),)


@says(
    _words("{attacker} fights {target}, {attack} against {defence}: {winner} wins the battle."),
    own=_words("{attacker} fights {target}, {attack} against {defence}: you win the battle."),
    sign="fight",
)
def battle(attacker: str, target: str, power: int, defence: int, winner: Player) -> Events:
    """SS-8: the two ships, the totals of their sides, and who won."""
    fields = {"attacker": attacker, "target": target, "attack": power, "defence": defence}
    return (Event("battle", EVERYONE, {**fields, "winner": winner}),)


@says(
    _words("{owner}'s {ship} is sunk in {at}."),
    own=_words("Your {ship} is sunk in {at}."),
    sign="down",
    play="sink",
    shape=_card,
    piece="{owner}-{ship}",
    wreck=_words("{owner}'s {ship}"),
)
def sunk(ship: str, owner: Player, at: Cell) -> Events:
    """SS-9: a ship is sunk."""
    return (Event("sunk", EVERYONE, {"ship": ship, "owner": owner, "at": str(at)}),)


@says(_words("The craft in {at} is swapped for a sunk ship: {ship}."), sign="swap", play="turn")
def swapped(at: Cell, ship: str) -> Events:
    """SS-16: a craft is exchanged for that ship."""
    return (Event("swapped", EVERYONE, {"at": str(at), "ship": ship}),)


@says("{player} offers to end the game.", own="You offer to end the game.")
def offer(player: Player) -> Events:
    """SS-4: an offer to end the game."""
    return (Event("offer", EVERYONE, {"player": player}),)


@says(lambda event: (DRAWN if "draw" in event else HOW)[event["how"]].format_map(event))
def over(winner: Player | None, how: str) -> Events:
    """The end, won or (None) drawn; `how` is a key of `HOW`, or of `DRAWN`."""
    ended = {"draw": True} if winner is None else {"winner": winner}
    return (Event("over", EVERYONE, {**ended, "how": how}),)


@says(lambda event: f"Your line {event['line']} was void: {VOID[event['reason']]}.")
def void(author: Player, line: int, reason: str) -> Events:
    """SS-12: a line was not carried out; `reason` is a key of `VOID`."""
    return (Event("void", author, {"line": line, "reason": reason}),)
