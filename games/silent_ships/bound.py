"""How long a report can become: the bound that its size class follows from.

What belongs here: an upper bound that can be followed by hand, made of the longest events and the
longest view. What it must not know: any position; so nothing hidden can move it.

A step carries out one file of a turn's lines, or what waits of it, and at most one file of the
other player's. For the one who hears most, the turn player:

- Each of their 11 ships is a card that can be played, given up or sent into a support once in the
  step (cards come back by the draw at the end of a turn only), or lies on the board. What tells
  most is a card that pays for an attack from two cells away. An attack that waited was paid for
  before, but then its attacker is no card.
- Each of the other's 11 ships is a card that pays for a support, or lies on the board, where it may
  turn up, be sunk, and let the attacker in. A retreat tells less than the battle in its place.
- Every line that uses no card makes at most one event, of which `void` is the longest; a file has
  at most `MOST_LINES` lines.
- Once a step: both offers, and a turn's end with the other's draw, or the end of the game.

The setup, where both draw and nothing else happens, tells less.
"""

from __future__ import annotations

import json

from games.game import Table
from games.options import Value
from games.silent_ships.cards import NAMES
from games.silent_ships.news import VOID
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
        SHIPS * (_attack() + max(_support(), _target()))
        + (MOST_LINES - SHIPS + 1) * _void()
        + _public(kind="flipped", at="A1", ship=_LONGEST)
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
    """A card that pays for an attack from two cells away (three are the most that a ship moves)."""
    step = _public(kind="moved", from_="A1", to="A2")
    battle = _public(
        kind="battle",
        attacker=_LONGEST,
        target=_LONGEST,
        attack=_MANY,
        defence=_MANY,
        winner=_NAME,
    )
    return _discarded(True) + 2 * step + _public(kind="attack", from_="A1", to="A2") + battle


def _support() -> int:
    """A card of the other player's that pays for a support."""
    return _discarded(False) + _public(kind="support", player=_NAME, at="A1")


def _target() -> int:
    """A ship of the other player's that is turned up and sunk, and whose cell is entered."""
    return (
        _public(kind="flipped", at="A1", ship=_LONGEST)
        + _public(kind="sunk", ship=_LONGEST, owner=_NAME, at="A1")
        + _public(kind="moved", from_="A1", to="A2")
    )


def _void() -> int:
    return _secret(kind="void", line=_MANY, reason=max(VOID, key=len))


def _ending() -> int:
    """Both offers; the next turn with a shuffle and the draw; the end."""
    return (
        2 * _public(kind="offer", player=_NAME)
        + _public(kind="turn", player=_NAME)
        + _public(kind="shuffled", player=_NAME)
        + _public(kind="drew", player=_NAME, count=MOST_DRAW)
        + _secret(kind="drew", player=_NAME, cards=[_LONGEST] * MOST_DRAW)
        + _public(kind="over", winner=_NAME, how="flag-ship")
    )


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
