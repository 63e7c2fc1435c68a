"""Order files: what is refused, and how it is said."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from games.game import Illegal, Malformed, OrderError, Written
from games.silent_ships import GAME, rules
from games.silent_ships.actions import is_attack
from games.silent_ships.orders import MOST_LINES, check, is_decision, leaves
from games.silent_ships.run import Run
from games.silent_ships.state import Standing, see
from games.silent_ships.words import LineFault, distinct

SETUP = GAME.setup(("alice", "bob"), {})
POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": ["C3 alice down submarine", "C2 bob down speed-boat"],
    "alice": {"hand": ["frigate", "fire-ship", "patrol-ship"], "sunk": ["missile-boat"]},
    "bob": {"hand": ["flag-ship"]},
}
ATTACK = {"from": "C3", "to": "C2", "asks": "retreat", "player": "bob"}


def read(text: str, player: str = "alice", **changes: Any) -> Any:
    state = GAME.state(SETUP, {**POSITION, **changes})
    return GAME.read(GAME.view(state, player), Written(text))


def test_an_error_quotes_its_line_and_says_what_was_expected() -> None:
    """Line number, what was read, what is right: enough to correct the file."""
    with pytest.raises(Illegal) as caught:
        read("play patrol-ship left\nmove C3 B3 discard patrol-ship")
    assert caught.value.line == 2
    assert caught.value.text == "move C3 B3 discard patrol-ship"
    assert str(caught.value) == (
        "line 2: 'move C3 B3 discard patrol-ship': you hold no patrol-ship; "
        "your hand: fire-ship, frigate"
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("paly frigate left", "did you mean 'play'?"),
        ("play friggate left", "did you mean 'frigate'?"),
        ("play flagship left", ""),
        ("play submarin left", ""),
        ("swap C3 misile-boat", "did you mean 'missile-boat'?"),
        ("swap C3 friggate", ""),
    ],
)
def test_ships_are_suggested_from_the_hand_only(text: str, hint: str) -> None:
    """A suggestion never names a card that lies elsewhere (SS-17)."""
    with pytest.raises(OrderError) as caught:
        read(text)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("hand", "cards", "said"),
    [
        (["frigate", ""], ["frigate"] * 2, "'frigate' is in your hand once, and is given up twice"),
        (["", "", ""], [""] * 4, "cards in your hand: 3; given up: 4"),
    ],
)
def test_cards_are_given_up_once(hand: list[str], cards: list[str], said: str) -> None:
    """By their names; those of the other player in a duel have none, and are counted."""
    with pytest.raises(LineFault) as caught:
        distinct(hand, cards)
    assert caught.value.expected == said
    distinct(hand, hand)


def test_a_file_has_as_many_lines_as_a_turn_can_use_at_most() -> None:
    """One line more is malformed; comments and blank lines do not count."""
    many = ["move C3 C2 discard frigate", *["flip C3"] * (MOST_LINES - 2), "end"]
    assert len(read("\n\n# x\n".join(many)).lines) > MOST_LINES
    with pytest.raises(Malformed) as caught:
        read("\n".join(["move C3 C2 discard frigate", *many]))
    assert caught.value.line == MOST_LINES + 1


def test_form_is_judged_before_legality() -> None:
    """A word that is not understood on the last line is told before what is not allowed above."""
    with pytest.raises(Malformed) as caught:
        read("play submarine left\nfrobnicate")
    assert caught.value.line == 2


def test_standing_orders() -> None:
    """What is left out means `ask`. Ships go by whole names, in any case, with blanks for `-`. They
    may stand anywhere, and leave a blank line, so that the others keep their numbers."""
    assert read("end").standing is None
    assert read("standing retreat ask\nend").standing == Standing("ask", "ask", None)
    assert read("end\nSTANDING discard NONE # no card").standing == Standing(discard=())
    text = "standing retreat always\nend\nstanding support all\nstanding discard Fire Ship,frigate"
    found = read(text)
    assert found.standing == Standing("always", "all", ("fire-ship", "frigate"))
    assert (found.lines, list(found.judged)) == (("", "end"), [2])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("standing", "expected `standing retreat`, `standing support` or `standing discard`"),
        ("standing still", "expected `standing retreat`, `standing support` or"),
        ("standing retreat", "expected `standing retreat` and one of ask, never, always"),
        ("standing retreat all", "expected `standing retreat` and one of ask, never, always"),
        ("standing support always", "expected `standing support` and one of ask, never, all"),
        ("standing retreat ask never", "expected `standing retreat` and one of"),
        ("standing discard", "ships' full names with commas, or `none`; '' is none"),
        ("standing discard frigate fire-ship", "'frigate-fire-ship' is none"),
        ("standing discard frig", "'frig' is none"),
        ("standing discard frigate,", "'' is none"),
        ("standing discard frigate, Frigate", "each ship once; 'frigate' is there twice"),
    ],
)
def test_lines_that_are_no_standing_orders(line: str, said: str) -> None:
    """Quoted, with what was expected."""
    with pytest.raises(Malformed) as caught:
        read(f"end\n{line}")
    assert (caught.value.line, caught.value.text) == (2, line)
    assert said in caught.value.expected


def test_a_ship_is_suggested_for_standing_orders() -> None:
    """It may be any ship, and tells nothing of a hand; and each line may be there once."""
    with pytest.raises(Malformed) as caught:
        read("standing discard frigaet\nend")
    assert caught.value.hint == "did you mean 'frigate'?"
    with pytest.raises(Malformed, match="`standing support` once at most"):
        read("standing support all\nend\nstanding support all")


def test_nothing_is_taken_once_the_game_is_over() -> None:
    """Neither orders nor standing orders."""
    over = {"over": {"winner": "bob", "how": "resigned"}, "turn": None}
    with pytest.raises(Illegal):
        read("end", **over)
    with pytest.raises(Illegal):
        read("standing retreat ask", **over)


@pytest.mark.parametrize("text", ["", "standing retreat ask"])
def test_nobody_orders_from_the_public_view(text: str) -> None:
    """Not even standing orders."""
    view = GAME.view(GAME.state(SETUP, POSITION), None)
    with pytest.raises(Illegal, match="player's view"):
        GAME.read(view, Written(text))


def test_a_line_before_the_first_attack_fares_as_it_was_judged(play: Any) -> None:
    """To judge it as it is read is enough: meanwhile others may only turn ships up.

    Here the other player turns up all of theirs.
    """
    seen = set()
    games = [play(seed, (bot, bot)) for seed in range(4) for bot in ("random", "captain")]
    for step in itertools.chain(*games):
        ((author, written), *setup) = step.written.items()
        if setup:
            continue
        file = GAME.read(GAME.view(step.before, author), written)
        run = Run(step.before, step.dice)
        for ship in step.before.board.values():
            if ship.owner != author:
                run.turn_up(ship.at)
        sight = see(run.state, author)
        for command in file.judged.values():
            assert check(sight, command) == command
            seen.add(command.verb)
            if is_decision(command):
                sight = leaves(sight, command)
            elif not is_attack(run.board, command):
                rules.carry_out(run, author, command)
                sight = see(run.state, author)
    assert seen >= {"play", "move", "flip", "stand", "retreat", "support", "push", "end"}


@pytest.mark.parametrize(
    ("player", "text", "said"),
    [
        ("alice", "stand", "this belongs to the setup, or to an answer that you are asked for"),
        ("bob", "end", "it is alice's turn, not yours: only `flip` lines"),
        ("bob", "", "it is alice's turn, not yours: only `flip` or `standing` lines"),
    ],
)
def test_what_does_not_fit_the_occasion(player: str, text: str, said: str) -> None:
    """It is said to whom the line belongs, or whose turn it is."""
    state = GAME.state(SETUP, {"turn": "alice", "board": [], "alice": {"hand": ["frigate"]}})
    with pytest.raises(Illegal) as caught:
        GAME.read(GAME.view(state, player), Written(text))
    assert caught.value.expected == said


def test_in_the_setup_only_start_fits() -> None:
    """The one line of the setup is named."""
    with pytest.raises(Illegal, match="expected `start`, the one line of the setup"):
        GAME.read(GAME.view(GAME.start(SETUP), "alice"), Written("end"))
