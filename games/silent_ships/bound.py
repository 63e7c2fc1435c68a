"""How long a report and an order file can become: upper bounds that can be followed by hand
(RULES.md, "Sizes"), made of literal pieces of JSON and TOML at their longest.

They depend only on the players, so nothing hidden can change a size.

A report tells one player of one step, and every ship is one card, so it is counted once:

- In the view each of the 22 ships has its name once: in a pile, or on the board, which has 20
  cells, or nowhere. A ship on the board also takes a cell, an owner and a face.
- Each of the player's own 11 cards leaves the hand at most once a step, played or discarded. A
  player who plays cards does not draw in that step, and one who draws does so last. `discarded` is
  shorter than `played`, but a draw is longer than the difference for 11 of them. The setup, in
  which a player draws twice and does nothing else, tells less.
- A void line is a line of the player's own file, which has at most `MOST_LINES`.
"""

from __future__ import annotations

from games.game import Setup
from games.lines import file_bound
from games.silent_ships.cards import LONGEST, NAMES
from games.silent_ships.moves import MOST_BYTES, MOST_LINES

SHIPS = len(NAMES)
CELLS = 20
MOST_DRAW = 4
MOST_SUPPORTS = 10
"""The most supports in one attack: each takes a card and a ship, and two of the 22 ships fight."""

_NAMES = sum(map(len, NAMES))
_DRAWN = sorted(map(len, NAMES))[-MOST_DRAW:]
_LISTED = len('"",')
"""The bytes of a name in a list, apart from its letters."""


def report_bound(setup: Setup) -> int:
    """The most bytes that `told.tell` of any reachable step takes as canonical JSON."""
    name = max(map(len, setup.players))
    frame = len('{"events":[],"keys":[],"view":,"void":""}')
    return frame + _events(name) + _view(name) + MOST_LINES * len("999a ")


def _events(name: int) -> int:
    """All cards discarded one by one, and a draw. `name`: the length of the longer name."""
    discarded = len('[999,{"cards":[""],"kind":"discarded","player":""}],') + name
    drew = len('[999,{"cards":[],"kind":"drew","player":""}],') + name
    return SHIPS * discarded + _NAMES + drew + sum(_DRAWN) + MOST_DRAW * _LISTED


def _view(name: int) -> int:
    """A view with a waiting attack and an offer. Numbers that grow with the game have 7 digits."""
    own = len(
        '"":{"deck":11,"discards":[],"hand":[],"shuffles":9999999,"standing":'
        '{"discard":[],"retreat":"always","support":"never"},"sunk":[]},'
    )
    theirs = len('"":{"deck":11,"discards":11,"hand":11,"shuffles":9999999,"sunk":[]},')
    attack = len(
        '"attack":{"asks":"retreat","from":"A1","no_support":false,"number":32,"player":"",'
        '"supports":[],"to":"A2"},'
    ) + MOST_SUPPORTS * len('"A1",')
    rest = len('{"active":false,"board":[],"idle":9999999,"offers":[""],"turn":""}')
    standing = _NAMES + SHIPS * _LISTED
    ships = 2 * (_NAMES + SHIPS * _LISTED) + CELLS * (len("A1  down ") + name)
    return own + theirs + attack + rest + 5 * name + standing + ships


def order_bound(setup: Setup) -> int:
    """The most bytes that an order file may have in its one rendering, salt and all."""
    names = ", ".join(['"' + "n" * LONGEST + '"'] * SHIPS)
    standing = f'[standing]\nretreat = "always"\nsupport = "never"\ndiscard = [{names}]\n'
    return file_bound(setup, MOST_BYTES, standing)
