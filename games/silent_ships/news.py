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
"""What the reasons of `void` events mean."""


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
    reason = VOID.get(event["reason"], event["reason"])
    return f"Your line {event['line']} was void: {reason}."


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
