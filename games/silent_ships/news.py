"""Events as English sentences.

What belongs here: one form for each kind of event (SS-19). What it must not know: states, views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.game import Table

HOW: Mapping[str, str] = {
    "country": "{winner} wins: a ship of theirs holds the enemy country.",
    "flag-ship": "{winner} wins: the enemy flag ship is sunk.",
    "sunk": "{winner} wins: enough enemy ships are sunk.",
    "agreed": "The game ends by agreement; {winner} wins on ships sunk.",
    "stalemate": "The game ends as a stalemate; {winner} wins on ships sunk.",
    "resigned": "The other side resigns; {winner} wins.",
    "missed": "The other side missed the deadline; {winner} wins.",
}

VOID: Mapping[str, tuple[str, str]] = {
    "malformed": ("a", "it was not understood"),
    "ambiguous": ("b", "the name fits two ships"),
    "not-in-hand": ("c", "the card was not in hand"),
    "not-sunk": ("d", "no such ship of yours was sunk"),
    "off-board": ("e", "the cell is not on the board"),
    "not-at-country": ("f", "a ship is played on or beside your country only"),
    "occupied": ("g", "the cell was not empty"),
    "no-ship": ("h", "no ship of yours was there"),
    "not-adjacent": ("i", "the cells are not next to each other"),
    "too-far": ("j", "the ship could not move that far"),
    "cell-twice": ("k", "it names a cell twice"),
    "blocked": ("l", "a ship was in the way"),
    "own-ship": ("m", "your own ship was there"),
    "discards": ("n", "the number of discards was not what the move costs"),
    "no-attack": ("o", "the move was no attack"),
    "cannot-support": ("p", "a ship named could not support"),
    "no-retreat": ("q", "the target could not go there"),
    "face-up": ("r", "the ship lay face up already"),
    "no-swap": ("s", "no swap was possible there"),
    "offered": ("t", "your offer stood already"),
    "not-asked": ("u", "it was not asked for"),
}
"""The reasons of `void` events (SS-12): the letter of each in reports, and what it means."""


def news(event: Table) -> str:
    """The sentence for an event as in a report or an entry."""
    form = _FORMS.get(str(event.get("kind")))
    return f"Event {event.get('kind')!a}." if form is None else form(event)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _drew(event: Table) -> str:
    if "cards" in event:
        return f"You drew {', '.join(event['cards'])}."
    return f"{event['player']} draws {_count(event['count'], 'card')}."


def _discarded(event: Table) -> str:
    if "cards" in event:
        return f"You discarded {', '.join(event['cards'])}."
    return f"{event['player']} discards {_count(event['count'], 'card')}."


def _played(event: Table) -> str:
    if "ship" in event:
        return f"You played your {event['ship']} at {event['at']}."
    return f"{event['player']} plays a ship face down at {event['at']}."


def _void(event: Table) -> str:
    return f"Your line {event['line']} was void: {VOID[event['reason']][1]}."


_FORMS: Mapping[str, Callable[[Table], str]] = {
    "turn": lambda e: f"It is {e['player']}'s turn.",
    "shuffled": lambda e: f"{e['player']}'s deck is shuffled.",
    "drew": _drew,
    "played": _played,
    "discarded": _discarded,
    "moved": lambda e: f"The ship in {e['from']} moves to {e['to']}.",
    "flipped": lambda e: f"The ship in {e['at']} is turned up: {e['ship']}.",
    "attack": lambda e: f"The ship in {e['from']} attacks the one in {e['to']}.",
    "retreat": lambda e: f"The ship in {e['from']} retreats to {e['to']}.",
    "support": lambda e: f"{e['player']}'s ship in {e['at']} supports.",
    "battle": lambda e: (
        f"{e['attacker']} fights {e['target']}, {e['attack']} against {e['defence']}: "
        f"{e['winner']} wins the battle."
    ),
    "sunk": lambda e: f"{e['owner']}'s {e['ship']} is sunk at {e['at']}.",
    "swapped": lambda e: f"The craft in {e['at']} is swapped for a sunk ship: {e['ship']}.",
    "offer": lambda e: f"{e['player']} offers to end the game.",
    "void": _void,
    "over": lambda e: HOW[e["how"]].format(winner=e["winner"]),
}
