"""The events of Silent Ships: how each is made, for whom, and what it says in English (SS-19).

Every kind of event with its audience and fields, once. If part of it is secret, there are two
events: one for everybody, and right after it one for its player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.game import EVERYONE, Event, Player, Table
from games.grid import Cell
from games.news import Sentences

Events = tuple[Event, ...]

_SENTENCES = Sentences()
says, news = _SENTENCES.says, _SENTENCES.news


def _two(public: str, own: str) -> Callable[[Table], str]:
    """The sentence of a public event, which counts cards, and that of the secret one, which names
    them."""

    def sentence(event: Table) -> str:
        told = dict(event)
        if "cards" in told:
            told["cards"] = ", ".join(told["cards"])
        if "count" in told:
            told["count"] = f"{told['count']} {'card' if told['count'] == 1 else 'cards'}"
        return (own if told.keys() & {"cards", "ship"} else public).format_map(told)

    return sentence


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


@says("It is {player}'s turn.")
def turn(player: Player) -> Events:
    """SS-3: a turn begins."""
    return (Event("turn", EVERYONE, {"player": player}),)


@says("{player}'s deck is shuffled.")
def shuffled(player: Player) -> Events:
    """SS-3: that player has a new deck."""
    return (Event("shuffled", EVERYONE, {"player": player}),)


@says(_two("{player} draws {count}.", "You drew {cards}."))
def drew(player: Player, cards: Sequence[str]) -> Events:
    """SS-3: cards drawn, in the order in which they came. A draw of no card is told too, but
    without the secret event."""
    public = Event("drew", EVERYONE, {"player": player, "count": len(cards)})
    if not cards:
        return (public,)
    return public, Event("drew", player, {"player": player, "cards": list(cards)})


@says(_two("{player} plays a ship face down at {at}.", "You played your {ship} at {at}."))
def played(player: Player, at: Cell, ship: str) -> Events:
    """SS-4: a ship is played, face down."""
    public = {"player": player, "at": str(at)}
    return Event("played", EVERYONE, public), Event("played", player, {**public, "ship": ship})


@says(_two("{player} discards {count}.", "You discarded {cards}."))
def discarded(player: Player, cards: Sequence[str]) -> Events:
    """SS-4: cards given up, face down, as they were written."""
    return (
        Event("discarded", EVERYONE, {"player": player, "count": len(cards)}),
        Event("discarded", player, {"player": player, "cards": list(cards)}),
    )


@says("The ship in {from} moves to {to}.")
def moved(start: Cell, to: Cell) -> Events:
    """SS-4: a ship enters a cell."""
    return (Event("moved", EVERYONE, {"from": str(start), "to": str(to)}),)


@says("The ship in {at} is turned up: {ship}.")
def flipped(at: Cell, ship: str) -> Events:
    """SS-4, SS-8: a ship is turned face up."""
    return (Event("flipped", EVERYONE, {"at": str(at), "ship": ship}),)


@says("The ship in {from} attacks the one in {to}.")
def attack(start: Cell, to: Cell) -> Events:
    """SS-5: an attack is declared and paid for."""
    return (Event("attack", EVERYONE, {"from": str(start), "to": str(to)}),)


@says("The ship in {from} retreats to {to}.")
def retreat(start: Cell, to: Cell) -> Events:
    """SS-6: the target gives way."""
    return (Event("retreat", EVERYONE, {"from": str(start), "to": str(to)}),)


@says("{player}'s ship in {at} supports.")
def support(player: Player, at: Cell) -> Events:
    """SS-7: a ship supports its side."""
    return (Event("support", EVERYONE, {"player": player, "at": str(at)}),)


@says("{attacker} fights {target}, {attack} against {defence}: {winner} wins the battle.")
def battle(attacker: str, target: str, power: int, defence: int, winner: Player) -> Events:
    """SS-8: the two ships, the totals of their sides, and who won."""
    fields = {"attacker": attacker, "target": target, "attack": power, "defence": defence}
    return (Event("battle", EVERYONE, {**fields, "winner": winner}),)


@says("{owner}'s {ship} is sunk at {at}.")
def sunk(ship: str, owner: Player, at: Cell) -> Events:
    """SS-9: a ship is sunk."""
    return (Event("sunk", EVERYONE, {"ship": ship, "owner": owner, "at": str(at)}),)


@says("The craft in {at} is swapped for a sunk ship: {ship}.")
def swapped(at: Cell, ship: str) -> Events:
    """SS-16: a craft is exchanged for that ship."""
    return (Event("swapped", EVERYONE, {"at": str(at), "ship": ship}),)


@says("{player} offers to end the game.")
def offer(player: Player) -> Events:
    """SS-4: an offer to end the game."""
    return (Event("offer", EVERYONE, {"player": player}),)


@says(lambda event: HOW[event["how"]].format_map(event))
def over(winner: Player, how: str) -> Events:
    """The end; `how` is a key of `HOW`."""
    return (Event("over", EVERYONE, {"winner": winner, "how": how}),)


@says(lambda event: f"Your line {event['line']} was void: {VOID[event['reason']]}.")
def void(author: Player, line: int, reason: str) -> Events:
    """SS-12: a line was not carried out; `reason` is a key of `VOID`."""
    return (Event("void", author, {"line": line, "reason": reason}),)
