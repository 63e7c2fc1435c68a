"""How long a report can become: the bound that its size class follows from.

What belongs here: an upper bound that can be followed by hand, made of the longest events and the
longest view. What it must not know: any position; so nothing hidden can move it.

A step carries out one file of a turn's lines, or what waits of it, and at most one file of the
other player's. For the one who hears most, the turn player:

- A player has 11 ships in all, so each can play, give up or send into a support at most 11 cards
  in a step (cards come back by the draw at the end of a turn only). The turn player's card that
  tells most pays for an attack by a speed boat; the other's, for a support.
- Every line of the file that uses no card makes at most one event, of which `void` is the longest.
  A file has at most `MOST_LINES` lines.
- There are 20 cells, so at most 20 ships turn up that stood there, and 11 of each side in all.
- Once a step: both offers, and a turn's end with the other's draw, or the end of the game.
"""

from __future__ import annotations

import json

from games.game import Table, Value
from games.silent_ships.cards import NAMES
from games.silent_ships.orders import MOST_LINES

SHIPS = len(NAMES)
CELLS = 20
MOST_DRAW = 4
_NAME = "n" * 32
_LONGEST = max(NAMES, key=len)
_MANY = 999_999
"""Larger than any total of a battle, number of turns, or count of lines or shuffles."""


def report_bound(options: Table) -> int:
    """The most bytes that view and events of any report take as canonical JSON."""
    events = (
        SHIPS * (_attack() + _support())
        + (MOST_LINES - SHIPS) * _void()
        + 2 * SHIPS * _public(kind="flipped", at="A1", ship=_LONGEST)
        + _ending()
    )
    return _view() + events + len('{"events":[],"view":}')


def _size(value: Value) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def _public(**fields: Value) -> int:
    """The bytes of a public event and the comma after it."""
    return _size({"for": "*", **{key.rstrip("_"): value for key, value in fields.items()}}) + 1


def _secret(**fields: Value) -> int:
    return _size({"for": _NAME, **fields}) + 1


def _discarded(secret: bool) -> int:
    public = _public(kind="discarded", player=_NAME, count=1)
    return public + secret * _secret(kind="discarded", player=_NAME, cards=[_LONGEST])


def _attack() -> int:
    """A card that pays for an attack from two cells away, which wins its battle."""
    step = _public(kind="moved", from_="A1", to="A2")
    battle = _public(
        kind="battle",
        attacker=_LONGEST,
        target=_LONGEST,
        attack=_MANY,
        defence=_MANY,
        winner=_NAME,
    )
    sunk = _public(kind="sunk", ship=_LONGEST, owner=_NAME, at="A1")
    attack = _public(kind="attack", from_="A1", to="A2")
    # A speed boat makes at most three empty steps before it attacks, and one after.
    return _discarded(True) + 4 * step + attack + battle + sunk


def _support() -> int:
    """A card of the other player's; a retreat's two events are shorter than a battle's."""
    return _discarded(False) + _public(kind="support", player=_NAME, at="A1")


def _void() -> int:
    return _secret(kind="void", line=_MANY, reason="cannot-support-now")


def _ending() -> int:
    """Both offers; the next turn with a shuffle and the draw; the end."""
    return (
        2 * _public(kind="offer", player=_NAME)
        + _public(kind="turn", player=_NAME)
        + _public(kind="shuffled", player=_NAME)
        + _public(kind="drew", player=_NAME, count=MOST_DRAW)
        + _secret(kind="drew", player=_NAME, cards=[_LONGEST] * MOST_DRAW)
        + _opening()
        + _public(kind="over", winner=_NAME, how="flag-ship")
    )


def _opening() -> int:
    """What the setup tells besides the first turn: two decks, two hands, one's own cards."""
    drew = _public(kind="drew", player=_NAME, count=3)
    shuffled = _public(kind="shuffled", player=_NAME)
    return 2 * (shuffled + drew) + _secret(kind="drew", player=_NAME, cards=[_LONGEST] * 3)


def _view() -> int:
    """A full board, and every pile at its longest at once, though no ship is in two places."""
    pile = list(NAMES)
    own = {
        "hand": pile,
        "deck": SHIPS,
        "discards": pile,
        "sunk": pile,
        "standing": {"retreat": "always", "support": "never", "discard": pile},
        "shuffles": _MANY,
    }
    theirs = {"hand": SHIPS, "deck": SHIPS, "discards": SHIPS, "sunk": pile, "shuffles": _MANY}
    # What stands on the board is in no pile, so its name was counted there already.
    board = [f"A1 {_NAME} down "] * CELLS
    shown = {
        "turn": _NAME,
        "over": {"winner": _NAME, "how": "flag-ship"},
        "board": board,
        "idle": _MANY,
        "active": False,
        "offers": [_NAME, _NAME],
        "attack": {
            "from": "A1",
            "to": "A2",
            "asks": "retreat",
            "player": _NAME,
            "supports": ["A1"] * CELLS,
            "no_support": False,
            "number": _MANY,
        },
        _NAME: own,
        _NAME[1:] + "m": theirs,
    }
    return _size(shown)
