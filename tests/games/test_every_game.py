"""What holds in every game, whatever its rules: between its bots, for every line that it offers.

What the promises hold (`games/promises.py`) is not said here again; what only one game holds stands
in its folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import product
from operator import contains
from typing import Any

import pytest
import reported
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import BOTS, played

import games
from games import cases
from games.dice import Dice
from games.game import After, BadPosition, Game, Illegal, Malformed, OrderError, View, Written
from games.promises import filed, is_read
from games.silent_ships.cards import EDITIONS
from orders import toml
from orders.order_file import compose

AnyGame = Game[Any, Any]

GAMES = [games.load(name) for name in games.installed()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
every_edition = pytest.mark.parametrize(
    ("game", "options"),
    [
        (game, options)
        for game in GAMES
        for options in (
            [{"edition": name} for name in EDITIONS] if game.id == "silent-ships" else [{}]
        )
    ],
    ids=lambda one: one.get("edition", "") if isinstance(one, dict) else one.id,
)


@cache
def vocabulary(game: AnyGame) -> Sequence[str]:
    """Order lines, in no order: all that are offered in some games, those of the rule cases that
    are spelt alike, and each with another word somewhere."""
    offered = [
        choice.text
        for bots in BOTS
        for step in played(game.id, 2, bots)
        for view in step.views()
        for choice in game.after(view, ()).choices
    ]
    words: list[set[str]] = [set() for _ in range(20)]
    for line in offered:
        for place, word in zip(words, line.split(), strict=False):
            place.add(word)
    written = [
        line
        for path in cases.find(games.own_cases(game))
        for step in cases.read(path).data.get("step", ())
        for text in step.get("orders", {}).values()
        for line in text.split("\n")
        if line and all(map(contains, words, line.split(" ")))
    ]
    lines, dice = list(dict.fromkeys([*offered, *written])), Dice(game.id.encode())
    for number, line in enumerate(tuple(lines)):
        other = line.split()
        at = dice.below(f"at/{number}", len(other))
        other[at] = dice.shuffle(f"word/{number}", sorted(words[at]))[0]
        lines.append(" ".join(other))
    return dice.shuffle("lines", tuple(dict.fromkeys(lines)))


@cache
def views(game: AnyGame) -> Sequence[View]:
    """Some views of players, from the setup to the end."""
    steps = (step for bots in BOTS for step in played(game.id, 2, bots)[::5])
    return [view for step in steps for view in list(step.views())[:-1]]


def paths(game: AnyGame) -> Iterator[tuple[View, list[str]]]:
    """These views, each with up to three lines that were offered one after the other.

    Whatever stands behind an attack of Silent Ships may be offered, as it depends on answers.
    """
    for number, view in enumerate(views(game)):
        dice, path = Dice(b"%d" % number), list[str]()
        while True:
            yield view, path
            after = game.after(view, path)
            texts = [one.text for one in after.choices if one.verb != "attack"]
            if not texts or len(path) > number % 4:
                break
            # Long lists of moves would hide all else, so a word is drawn first.
            words = sorted({text.split()[0] for text in texts})
            word = words[dice.below(f"word/{len(path)}", len(words))]
            texts = [text for text in texts if text.split()[0] == word]
            path = [*path, texts[dice.below(f"line/{len(path)}", len(texts))]]


OTHERWISE = {
    "silent-ships": re.compile(r"move .* (support|push|discard .* discard) |play \S+ [A-E]\d"),
    "submarine-warfare": re.compile("resign"),
    "sugar-dog": re.compile("$^"),
}
"""Orders that may be taken though they were not offered so: decisions that may also wait until they
are asked for, cards in another order, a cell for its side, what stands behind the end."""


@every_game
def test_what_is_offered_is_taken_and_nothing_else(game: AnyGame) -> None:
    """One line more is taken exactly if it is offered, and with it the orders are whole."""
    lines = vocabulary(game)
    tried = 0
    for number, (view, path) in enumerate(paths(game)):
        offered = {choice.text for choice in game.after(view, path).choices}
        some = [lines[(number * 97 + at) % len(lines)] for at in range(100)]
        for line in {*some, *sorted(offered)[number % 7 :: 7]}:
            whole = line in offered and game.after(view, [*path, line]).complete
            text = "\n".join([*path, line])
            if line in offered or not OTHERWISE[game.id].search(text):
                assert is_read(game, view, text) == whole, (path, line, dict(view.shown))
                tried += 1
    assert tried > 2_000


@every_game
def test_what_bots_write_can_be_reached(game: AnyGame) -> None:
    """Their whole files are paths, line by line, but for what need not be offered so."""
    told = 0
    for seed, bots in product((2, 3), BOTS):
        for step in played(game.id, seed, bots):
            for name, written in step.written.items():
                view = game.view(step.before, name)
                # Standing orders of Silent Ships are answers for later, and no part of the path.
                lines = [one for one in written.orders.splitlines() if "standing " not in one]
                for number, line in enumerate(lines):
                    offered = [one.text for one in game.after(view, lines[:number]).choices]
                    assert line in offered or OTHERWISE[game.id].search(line), lines
                    told += line in offered
    assert told > 50, told


@every_game
@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.integers(0, 9_999) | st.text(max_size=12), st.sampled_from((" ", "\n", " #"))),
        max_size=9,
    ),
    st.integers(0, 9_999),
)
def test_any_text_is_orders_or_one_refusal(game: AnyGame, parts: Any, pick: int) -> None:
    """Nothing but Malformed and Illegal comes of reading: which line it is, what stands there and
    what was expected, in plain ASCII."""
    words = [word for line in vocabulary(game)[:300] for word in line.split()]
    texts = [
        (words[part % len(words)] if isinstance(part, int) else part) + end for part, end in parts
    ]
    text, some = "".join(texts), views(game)
    try:
        game.read(some[pick % len(some)], Written(text))
    except OrderError as error:
        assert isinstance(error, Malformed | Illegal)
        assert str(error).isascii()
        assert error.expected.strip()
        assert (error.line is None) == (not error.text)
        assert error.line is None or error.text in text.split("\n")[error.line - 1]
        assert len(error.text) <= 80


@every_game
def test_an_order_file_is_as_long_as_it_may_be(game: AnyGame) -> None:
    """To the byte, and just as long as the bound of its size; a longer one is refused at the first
    line that is too much, however long it is."""
    most = import_module(f"games.{game.id.replace('-', '_')}.orders").MOST_BYTES
    state = played(game.id, 1)[1].before
    view = game.view(state, state.turn)
    line = next(line for line in game.legal(view) if game.after(view, [line]).complete)
    for text in (f"{line} # ", f'{line}\n#"\\', "\n" * 99 + f"{line} #\n\n#"):
        whole = text + "x" * (most - len(text) - 1)
        assert game.read(view, Written(whole + " \n \n"))
        bound = reported.order_file_bound(most)
        assert len(compose(whole).render("0" * 64)) == bound
        assert bound <= reported.room_for(game, game.seats[0])[0]
        longer = {whole + "x": whole.count("\n") + 1, whole + "\n#": whole.count("\n") + 2}
        for refused, at in {**longer, "x" * 10_000_000: 1}.items():
            with pytest.raises(Malformed, match=f"expected at most {most} characters") as caught:
                game.read(view, Written(refused))
            assert (caught.value.line, len(caught.value.text) <= 80) == (at, True)


@every_game
def test_a_choice_names_its_cells_and_says_what_it_does(game: AnyGame) -> None:
    """In a few words of plain ASCII; cells stand on the board, and are those of the line."""
    for view, path in paths(game):
        board = [str(cell) for cell in game.chart(view).board.cells()]  # type: ignore[union-attr]
        for choice in game.after(view, path).choices:
            assert choice.says.isascii() and 0 < len(choice.says) <= 120
            cells = (*filter(None, [choice.here]), *choice.to)
            assert {*cells} <= {*board}
            named = tuple(word for word in choice.text.split() if word in board)
            assert not named or named == cells[-len(named) :]


@every_game
def test_lines_that_were_not_offered_are_a_mistake_of_the_caller(game: AnyGame) -> None:
    """Nothing is guessed."""
    for number, view in enumerate(views(game)):
        line = vocabulary(game)[number]
        if game.legal(view) and line not in game.legal(view):
            with pytest.raises((ValueError, OrderError), match=re.escape(line)):
                game.after(view, [line])


@every_game
def test_nobody_orders_from_the_public_view(game: AnyGame) -> None:
    """It is nobody's, whether the game has begun or not."""
    for step in played(game.id, 1)[::9]:
        everybody = game.view(step.before, None)
        for view in step.views():
            for line in game.legal(view)[:20]:
                if game.after(view, [line]).complete:
                    with pytest.raises(Illegal, match="public"):
                        game.read(everybody, Written(line))


@every_edition
@pytest.mark.parametrize("bots", BOTS)
def test_a_view_is_read_as_what_was_seen(game: AnyGame, options: Any, bots: Any) -> None:
    """Out of a report as well as by what is kept beside it; who sees less of it sees the same as of
    the whole; and the same is public, offered and taken. Its map is narrow."""
    folder = game.id.replace("-", "_")
    notation, states = (import_module(f"games.{folder}.{name}") for name in ("notation", "state"))
    for step in played(game.id, 2, bots, options):
        for view in step.views():
            again = View(view.setup, view.player, filed(view.shown))
            seen = states.see(step.before, view.player)
            assert notation.read_view(view) == notation.read_view(again) == seen
            assert states.see(seen, None) == states.see(step.before, None)
            assert game.public(view) == game.public(again) == game.view(step.before, None).shown
            assert game.after(view, ()) == game.after(again, ())
            lines = game.draw(view).split("\n")
            assert (
                all(len(line) <= 78 and line == line.rstrip() for line in lines) and not lines[-1]
            )
            if view.player in step.written:
                written = step.written[view.player]
                assert game.read(view, written) == game.read(again, written)


ANSWERS = {"silent-ships": ("retreat", "support")}
"""What games ask for besides the setup and turns."""


@every_edition
@pytest.mark.parametrize("kind", ["captain", "random"])
def test_a_bot_orders_what_is_legal_by_its_reports_and_its_dice(
    game: AnyGame, options: Any, kind: str
) -> None:
    """Whatever others do, and in a seat that is taken over; two that heard the same order the
    same."""
    asked, heard = set(), dict.fromkeys(("alice", "bob"), ())
    followers = {name: game.bots[kind](name) for name in heard}
    for number, step in enumerate(played(game.id, 5, options=options)):
        for view in list(step.views())[:-1]:
            followers[view.player].hear(view, heard[view.player])
        heard = {name: step.heard(name) for name in heard}
        for prompt in game.awaited(step.before) if number % 4 < 2 else ():
            asked.add(prompt.what.split()[0])
            view = game.view(step.before, prompt.player)
            late = [game.bots[kind](prompt.player) for _ in range(2)]
            for bot in late:
                bot.hear(view, ())
            one, two, other = (bot.order(Dice(b"1")) for bot in (*late, followers[prompt.player]))
            assert one == two
            assert game.read(view, one) and game.read(view, other)
            assert kind == "random" or "resign" not in one.orders + other.orders
    assert asked >= {"setup", "turn", *ANSWERS.get(game.id, ())}
    with pytest.raises(ValueError, match="heard"):
        game.bots[kind]("alice").order(Dice(b""))


ATTACK = {"from": "A2", "to": "A3", "asks": "retreat", "player": "bob"}
CARDS = {"hand": 0, "deck": 0, "discards": 0, "sunk": [], "shuffles": 0}
WHOLE: Mapping[str, Any] = {
    "sugar-dog": {
        "turn": "bob", "n": 7, "offers": ["alice"], "contacts": {"bob": "F1"},
        "alice": {"sub": "A1", "mines": ["B2"], "left": 2, "torpedoes": ["C3 N"]},
        "bob": {"sub": "F6"}, "carol": {"sunk": True},
    },
    "silent-ships": {
        "turn": "alice", "board": ["A2 alice down frigate", "A3 bob down submarine"],
        "alice": {"hand": ["speed-boat"]}, "bob": {}, "attack": ATTACK,
    },
    "submarine-warfare": {
        "turn": "alice",
        "alice": {"subs": ["a C2 5 down torpedo", "b D2 3 up mine", "c A7 5 down armor"]},
        "bob": {"subs": ["v D3 5 up heal", "w G7 5 down nullify"]},
    },
}  # fmt: skip
NO_VIEWS: Mapping[str, Any] = {
    "sugar-dog": [
        ("setup", True, "setup"), ("turn", "carol", "turn"), ("turn", ["bob"], "turn"),
        ("turn", "dave", "turn"), ("n", None, "n"), ("n", 0, "n"), ("offers", None, "offers"),
        ("offers", ["dave"], "offers"), ("contacts", None, "contacts"),
        ("contacts", {"bob": "J1"}, "contacts.bob"), ("alice", None, "alice"),
        ("alice", {}, "alice"), ("alice", {"sub": "Z99"}, "alice.sub"), ("bob", None, "bob"),
        ("bob", "sunk", "bob"), ("bob", {"sunk": False}, "bob"), ("bob", {"sub": "A1"}, "bob"),
        ("dave", {}, "dave"), ("winner", "bob", "winner"),
    ],
    "silent-ships": [
        ("turn", "carol", "turn"), ("turn", None, "turn"), ("board", None, "board"),
        ("board", ["A2 alice down"] * 2, "board"), ("board", ["A2 alice up"], "board"),
        ("board", [3], "board"), ("alice", None, "alice"), ("alice", {}, "alice.hand"),
        ("alice", CARDS, "alice.hand"), ("bob", None, "bob"),
        ("bob", {**CARDS, "hand": ["frigate"]}, "bob.hand"),
        ("bob", {**CARDS, "sunk": ["galleon"]}, "bob.sunk"),
        ("bob", {**CARDS, "standing": {}}, "bob.standing"), ("bob", 1, "bob"),
        ("idle", "3", "idle"), ("active", 1, "active"), ("offers", ["carol"], "offers"),
        ("attack", {**ATTACK, "waiting": ["end"]}, "attack.waiting"),
        ("attack", {**ATTACK, "from": "E1"}, "attack"), ("setup", 3, "setup"),
        ("fleet", [], "fleet"),
    ],
    "submarine-warfare": [
        ("rings", 2, "rings"), ("rings", None, "rings"), ("round", None, "round"),
        ("round", 0, "round"), ("reached", ["alice"], "reached"), ("reached", None, "reached"),
        ("ap", None, "ap"), ("turn", "bob", "ap"), ("turn", "carol", "turn"),
        ("first", "alice", "first"), ("alice", None, "alice"), ("bob", None, "bob"),
        ("bob", {}, "bob.subs"), ("bob", {"subs": ["v D3", "v"]}, "bob.subs"),
        ("bob", {"subs": ["v C2"]}, "bob.subs"), ("bob", {"subs": ["a D3"]}, "bob.subs"),
        ("bob", {"subs": [], "points": 3}, "bob.points"),
        ("bob", {"subs": [], "draw": False}, "bob.draw"),
    ],
}  # fmt: skip
"""By game what stands at a key of Alice's view of that position, None: it is left out; and the key
at fault."""


@every_game
def test_what_is_no_view_is_refused_by_its_key(game: AnyGame) -> None:
    """A report comes from the host, who may lie: what is missing, unknown, or contradicts the
    rest."""
    whole = WHOLE[game.id]
    setup = game.setup([name for name in ("alice", "bob", "carol") if name in whole], {})
    view = game.view(game.state(setup, whole), "alice")
    assert game.public(view) == game.view(game.state(setup, whole), None).shown
    for changed, value, key in NO_VIEWS[game.id]:
        held = {**view.shown, changed: value}.items()
        bad = View(setup, "alice", {name: one for name, one in held if one is not None})
        reads = partial(game.read, written=Written("resign"))
        for use in (game.public, game.draw, game.svg, game.legal, reads):
            with pytest.raises(BadPosition, match=f"key '{key}'"):
                use(bad)


@every_game
def test_nothing_is_left_to_do_in_a_game_that_is_over(game: AnyGame) -> None:
    """Nobody is awaited, no line is taken, no step follows; the reveal opens what was hidden, so
    that nothing is to be worked out. Nor is there anything before the game begins."""
    begin, *_, last = played(game.id, 1)
    assert game.awaited(last.state) == ()
    for player in last.setup.players:
        view = game.view(last.state, player)
        assert game.after(view, ()) == After((), complete=False)
        assert not any(is_read(game, view, line) for line in ("", *vocabulary(game)))
    # Silent Ships finds nobody awaited, and has no words of its own for it.
    bare = game.id == "silent-ships"
    fault, words = (IndexError, "index") if bare else (ValueError, "the game is over")
    with pytest.raises(fault, match=words):
        game.adjudicate(last.state, {}, Dice(b""))
    for state in (begin.before, last.state):
        assert game.deduced(game.view(state, "alice"), [], None).may == {}
        assert game.truth(state, "alice") == {}


UNSAID = {
    "sugar-dog": set(),
    "silent-ships": {"how", "cards"},
    "submarine-warfare": {"how", "player", "points", "total", "heading"},
}


@every_game
def test_every_event_is_a_sentence_that_names_what_it_is_about(game: AnyGame) -> None:
    """From a report and from an entry alike."""
    for seed in range(8):
        for step in played(game.id, seed, BOTS[seed % 3]):
            for event in step.events:
                sentence = game.news(event.whole())
                assert sentence == game.news(event.plain())
                assert sentence.isascii() and sentence.endswith((".", "!")) and "{" not in sentence
                said = sentence.lower().replace("-", " ")
                for key, value in event.fields.items():
                    if key not in UNSAID[game.id] and value is not True and value != event.audience:
                        assert str(value).lower().replace("-", " ") in said, (event, sentence)


@pytest.mark.parametrize(
    "game", [one for one in GAMES if one.default_table], ids=lambda one: one.id
)
def test_the_house_table_has_the_one_rendering(game: AnyGame) -> None:
    """It travels as `table.toml`, which is written in one way only."""
    table = game.default_table or b""
    assert toml.one_rendering(table) == table
