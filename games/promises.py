"""What every game promises in each position and at each step, whatever its rules
(docs/new-game.md).

Each promise is a function that yields a line for each way in which a game breaks it. Rule cases
check some promises, `adjudicator try` all of them. What it must not know: any game's rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from xml.parsers import expat

from games import picture
from games.chart import rows
from games.dice import Dice
from games.game import (
    EVERYONE,
    After,
    BadPosition,
    Deductions,
    Game,
    OrderError,
    Player,
    Setup,
    Step,
    Table,
    View,
    Written,
)
from games.news import PLAYS, SIGNS
from games.options import Value, is_name
from games.screen import MOST_ROWS

AnyGame: TypeAlias = Game[Any, Any]


PROMPT_WORDS = frozenset(
    "? board exit goal help hint map news note quit rules send undo".split()  # noqa: SIM905
)
"""The words that a player types at the prompt for other things than orders."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A played step: `before` is the state in which it began, `position` that state in the
    notation, written before the step, and `orders` the orders of the step."""

    setup: Setup
    before: Any
    position: Table
    orders: Mapping[Player, Any]
    dice: Dice
    step: Step[Any]


def quote(value: Value) -> str:
    """Any value on one line, in ASCII."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, default=repr)


def filed(value: Table) -> dict[str, Any]:
    """Plain data written as canonical JSON and read again, as in a record."""
    read: dict[str, Any] = json.loads(json.dumps(value, sort_keys=True))
    return read


def views(
    game: AnyGame, state: Any, setup: Setup, eyes: Sequence[Player | None] = ()
) -> Iterator[View]:
    """The view of each player, then of everybody, as it is read from a report. `eyes`: of these
    alone."""
    for player in eyes or (*setup.players, None):
        yield View(setup, player, filed(game.view(state, player).shown))


def whose(player: Player | None) -> str:
    """A player, or the public, in words for a fault."""
    return "the public" if player is None else player


# In each position.


def position(game: AnyGame, state: Any, setup: Setup) -> Iterator[str]:
    """A position that is written out and read again is the same."""
    written = game.position(state)
    try:
        same = game.state(setup, filed(written)) == state
    except BadPosition as error:
        yield f"{quote(written)} is refused when it is read: {error}"
    else:
        if not same:
            yield f"{quote(written)} is another when it is read"


def public(game: AnyGame, state: Any, setup: Setup) -> Iterator[str]:
    """The public part of each player's view is the public view, from which nobody can order."""
    everybody = View(setup, None, filed(game.view(state, None).shown))
    for view in views(game, state, setup):
        shown = game.public(view)
        if shown != everybody.shown:
            yield f"{whose(view.player)} sees {quote(shown)}, not {quote(everybody.shown)}"
    if game.after(everybody, ()) != After((), complete=False):
        yield "somebody may order from the public view"


def outcome(game: AnyGame, state: Any, setup: Setup) -> Iterator[str]:
    """Nobody is awaited exactly if there is an outcome; prompts are in seat order."""
    awaited = [prompt.player for prompt in game.awaited(state)]
    ended = game.outcome(state)
    if bool(awaited) == (ended is not None):
        yield f"{ended}, while {quote(awaited)} are awaited"
    if awaited != [player for player in setup.players if player in awaited]:
        yield f"awaited are {quote(awaited)}; expected each once, in seat order"


def words(game: AnyGame, state: Any, setup: Setup) -> Iterator[str]:
    """Every key apart from the players' names is among `words`, so nobody can have it as a name."""
    tables = (game.position(state), *(view.shown for view in views(game, state, setup)))
    keys = sorted({key for table in tables for key in table if is_name(key)})
    for key in keys:
        if key not in game.words and key not in setup.players:
            yield f"key {key!a} is not among them: a player may be called {key}"


def pictures(
    game: AnyGame, state: Any, setup: Setup, eyes: Sequence[Player | None] = ()
) -> Iterator[str]:
    """Each player's view, the public one and the whole position can be drawn: plain ASCII text, and
    SVG. `eyes`: see `views`."""
    for view in views(game, state, setup, eyes):
        text, svg = game.draw(view), game.svg(view)
        yield from _drawn(text, svg, f"for {whose(view.player)}")
        own = game.view(state, view.player)
        if (text, svg) != (game.draw(own), game.svg(own)):
            yield f"for {whose(view.player)} a view is drawn otherwise than what a report holds"
    yield from _drawn(game.draw_whole(state), game.svg_whole(state), "of the whole")


def _drawn(text: str, svg: str, of: str) -> Iterator[str]:
    odd = next((sign for sign in text if not (" " <= sign <= "~" or sign == "\n")), None)
    if odd is not None:
        yield f"draw {of} holds {odd!a}: expected plain ASCII"
    ids: list[str] = []
    elements: set[str] = set()
    attributes: set[str] = set()

    def element(name: str, given: Mapping[str, str]) -> None:
        ids.append(given.get("id", ""))
        elements.add(name)
        attributes.update(given)

    parser = expat.ParserCreate()
    parser.StartElementHandler = element
    try:
        parser.Parse(svg, True)
    except expat.ExpatError as error:
        yield f"svg {of} is no XML: {error}"
    for what in picture.barred(elements, attributes, svg):
        yield f"svg {of} holds {what}, which no page draws: expected shapes and words alone"
    for one, count in Counter(ids).items():
        if one and (count > 1 or one.split() != [one]):
            yield f"svg {of} has the id {one!a} {count} times: expected it once, without a blank"


# At each step.


def pure(game: AnyGame, played: Adjudication) -> Iterator[str]:
    """The same step again gives the same result, also from the position that was written and
    read."""
    before, orders, dice = played.before, played.orders, played.dice
    if game.adjudicate(before, orders, dice) != played.step:
        yield "the same step, adjudicated twice, comes to something else"
    elif game.adjudicate(game.state(played.setup, played.position), orders, dice) != played.step:
        yield "the same step from the position, written out and read, comes to something else"
    if filed(game.position(before)) != played.position:
        yield "the step changes the state that it begins with"


def audience(game: AnyGame, setup: Setup, step: Step[Any]) -> Iterator[str]:
    """Whoever hears an event plays."""
    for event in step.events:
        if event.audience not in (EVERYONE, *setup.players):
            yield f"{event.kind!a} is for {event.audience!a}, who does not play"


def heard_by(player: Player | None, step: Step[Any]) -> list[dict[str, Any]]:
    """Everything that a player hears of a step, in order; None: what everybody hears."""
    who = EVERYONE if player is None else player
    return [event.whole() for event in step.events if event.heard_by(who)]


def over(game: AnyGame, setup: Setup, step: Step[Any]) -> Iterator[str]:
    """The step that ends a game tells the outcome, and no other step does."""
    ended = game.outcome(step.state)
    fields = [] if ended is None else [ended.fields()]
    told = [
        {key: event.fields[key] for key in ("winner", "draw") if key in event.fields}
        for event in step.events
        if event.kind == "over"
    ]
    if told != fields:
        yield (
            f"the outcome is {quote(fields)}, while the events 'over' tell {quote(told)}; "
            'expected one Event("over", "*", outcome.fields()) in the step that ends the game'
        )


def news(game: AnyGame, setup: Setup, step: Step[Any]) -> Iterator[str]:
    """Every event is worded for each of its hearers, in one line of plain ASCII."""
    told = [event.plain() for event in step.events if event.audience == EVERYONE]
    for event in (*told, *(event for one in setup.players for event in heard_by(one, step))):
        sentence = game.news(event)
        if not (sentence and sentence.isascii() and sentence.isprintable()):
            yield f"{quote(event)} reads {sentence!a}: expected one plain line"


def prompts(game: AnyGame, played: Adjudication) -> Iterator[str]:
    """Nobody who missed a deadline is awaited by an equal prompt, because the old deadline would
    stay for ever."""
    asked = game.awaited(played.before)
    for prompt in game.awaited(played.step.state):
        if prompt in asked and prompt.player not in played.orders:
            yield (
                f"{prompt.player} was missing for {prompt.what!a}, and is awaited for it again: "
                "the old deadline, long past, stays; word the new prompt differently"
            )


def hidden(game: AnyGame, played: Adjudication, author: Player, other: Step[Any]) -> Iterator[str]:
    """A player who hears the same of two steps sees the same: only events tell others' orders.

    `other` is the step as it would have been with other orders of `author`.
    """
    for player in (*played.setup.players, None):
        if player == author or heard_by(player, played.step) != heard_by(player, other):
            continue
        one, two = (game.view(step.state, player).shown for step in (played.step, other))
        if one != two:
            yield f"{whose(player)} hears the same, and sees {quote(one)} or {quote(two)}"


def deduced(
    game: AnyGame, state: Any, view: View, heard: Sequence[Table], before: Deductions | None
) -> Generator[str, None, Deductions]:
    """What a player can work out contains the truth, and depends only on their reports.

    Returns it.
    """
    found = game.deduced(view, heard, before)
    if game.deduced(view, heard, before) != found:
        yield f"from the same reports {view.player} works out something else"
    truth = game.truth(state, str(view.player))
    for name in sorted({*truth, *found.may}):
        if name not in found.may or name not in truth:
            only = "truth" if name in truth else "deduced"
            yield f"{name}: only {only} names it to {view.player}"
        elif truth[name] not in found.may[name]:
            may = quote(list(found.may[name]))
            yield f"{name} is {quote(truth[name])}, and may be {may} for {view.player}"
    for note in found.notes:
        if not (note and note.isascii() and note.isprintable()):
            yield f"{view.player} is told {note!a}: expected one plain line"
    return found


# Of each view.


def screen(game: AnyGame, view: View, heard: Sequence[Table], known: Deductions) -> Iterator[str]:
    """What a screen says is plain ASCII, the menu four lines at most; and no order begins with a
    word that is typed for something else."""
    choices = game.after(view, ()).choices
    for word in sorted({choice.text.split()[0] for choice in choices} & PROMPT_WORDS):
        yield f"an order begins with {word!a}, which is a word of the prompt"
    told = game.brief(view, known)
    menu = game.menu(view, (), 80)
    if len(menu) > MOST_ROWS or (choices and not menu):
        yield f"the menu of {view.player} has {len(menu)} lines: expected 1 to {MOST_ROWS}"
    chart = game.chart_known(view, known)
    drawn = [] if chart is None else ["".join(part.text for part in row) for row in rows(chart)]
    texts = [game.goal(view.setup), told.title, *told.notes, *told.more, *menu, *drawn]
    told_to_board = game.told(view, heard)
    texts += [one.text for one in told_to_board]
    texts += [f"{one.words} {one.tally}" for one in game.sides(view, known).values()]
    for said in told_to_board:
        if said.play not in PLAYS or (said.sign and said.sign not in SIGNS):
            yield f"a sentence of {view.player} has {said.play!a} and {said.sign!a}: no such words"
    for text in texts:
        if not (text.isascii() and (text.isprintable() or not text)):
            yield f"the screen of {view.player} says {text!a}: expected one plain line"


def lines(game: AnyGame, view: View, dice: Dice) -> Iterator[str]:
    """Lines that may come next, one after the other, are whole orders exactly if `after` says so;
    and a view that the game made is judged like the same view out of a report."""
    before: list[str] = []
    reported = View(view.setup, view.player, filed(view.shown))
    for number in range(MOST_LINES):
        after, text = game.after(view, before), "\n".join(before)
        if after != game.after(reported, before) or _read(game, view, text) != _read(
            game, reported, text
        ):
            yield f"after {before!a} the view of {view.player} is judged otherwise out of a report"
        texts = [choice.text for choice in after.choices]
        if len(set(texts)) != len(texts):
            yield f"after {before!a} the same line is offered twice to {view.player}"
        if after.complete != is_read(game, view, text):
            yield f"after {before!a} complete is {after.complete} for {view.player}"
        if not texts:
            break
        before.append(texts[dice.below(f"line/{number}", len(texts))])


MOST_LINES = 40
"""How many lines of one order file are tried, because some games always offer one more."""


def is_read(game: AnyGame, view: View, text: str) -> bool:
    """Whether an order file of these lines is taken."""
    return _read(game, view, text)[0]


def _read(game: AnyGame, view: View, text: str) -> tuple[bool, Any]:
    """Whether these lines are taken, and the orders in them or why not."""
    try:
        return True, game.read(view, Written(text))
    except OrderError as error:
        return False, str(error)
