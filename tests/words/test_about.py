"""What each game says of its words: of every one that a player meets, and as a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from screens import Drawn, drawn, names

import games
from adjudicator.words.screen import wrapped
from games.screen import told_of

GAMES = ("silent-ships", "submarine-warfare", "sugar-dog")
WINDOW = 72
"""Columns of the screen on which the longest sentence is tried."""

PLAIN = (
    " a ago all always and any are ask at both cards cell cells command crash dealt "
    "destroyed down each everything find first for free from give here in is it leave left "
    "line listen meets more never nobody none not nothing of offers on one or orders row sinks "
    "the theirs there they this to told two up wait was what with you your "
)
"""Words of the screens that need no explanation."""


@cache
def seen(name: str) -> tuple[Drawn, ...]:
    """Positions of a few games, from the setup to the end."""
    game = games.load(name)
    every = [
        drawn(game, names(2), {}, (kind, kind), seed)
        for kind in ("walker", "captain")
        for seed in (b"1", b"2")
    ]
    return tuple(one for found in every for one in found)


def met(one: Drawn) -> Iterator[str]:
    """The words of the lines that may be written, of the menu and of the notes; without players'
    names, cells, and the letters of submarines."""
    choices = one.game.after(one.view, ()).choices
    for line in (*one.scene.menu(80), *one.scene.notes, *(choice.text for choice in choices)):
        for word in re.findall(r"[A-Za-z][a-z-]*[a-z]|[A-Z]{2,}", line):
            if word not in one.view.setup.players:
                yield word


@pytest.mark.parametrize("name", GAMES)
def test_every_word_that_a_player_meets_is_known(name: str) -> None:
    """At the prompt: orders, the names of cards and specials, and what notes count."""
    about = games.load(name).about(seen(name)[0].view.setup)
    words = {word for one in seen(name) for word in met(one) if f" {word.lower()} " not in PLAIN}
    assert {word for word in words if not told_of(about, word)} == set()
    assert len(words) > 12


@pytest.mark.parametrize("name", GAMES)
def test_what_is_touched_is_known(name: str) -> None:
    """In the page: pieces of the board, cards of the hand, and buttons."""
    game = games.load(name)
    about = game.about(seen(name)[0].view.setup)
    for one in seen(name):
        chart = game.chart_known(one.view, one.known)
        assert chart is not None
        assert {piece.about for piece in chart.pieces if piece.about} <= about.keys()
        assert {card.name for card in game.hand(one.view)} <= about.keys()
    buttons = {name: one for name, one in game.verbs.items() if one.role != "rare"}
    assert {button.about or name for name, button in buttons.items()} <= about.keys()


@pytest.mark.parametrize("name", GAMES)
def test_a_word_has_a_sentence_of_its_own(name: str) -> None:
    """Whole, plain, short enough to be read at once, and no row of a table."""
    for word, text in games.load(name).about(seen(name)[0].view.setup).items():
        assert re.fullmatch(r"[A-Z0-9][ -~]*[a-zA-Z0-9)]\.", text), text
        assert len(wrapped(f"{word}: {text}", WINDOW)) <= 5, text
        assert not re.search(r"[{}|`]|\b[SRH][.:;]|[A-Z]{2}-\d", text), text


def test_a_word_is_found_in_other_forms() -> None:
    """As somebody types it; not by a part within, and no other word."""
    about = {"mine": "M.", "torpedo": "T.", "patrol-ship": "P.", "HP": "H.", "patrol": "Q."}
    for asked, found in {
        "mine": ["mine: M."], "Mines": ["mine: M."], "torpedoes": ["torpedo: T."],
        "hp": ["HP: H."], "patroled": ["patrol: Q."],
        "patrol": ["patrol-ship: P.", "patrol: Q."], "patrol ship": ["patrol-ship: P."],
        "ship": [], "min": [], "patr": [],
    }.items():  # fmt: skip
        assert told_of(about, asked) == found, asked
