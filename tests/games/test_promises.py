"""Each promise by itself, of one position or step: kept, no fault; broken, its name. And all of
them over whole games of those that are installed; that the trial finds what is broken, see
test_trial.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from high_low import GAME, HighLow, State
from replacing import replace

import games
from adjudicator.authors.trial import Trial
from games import promises
from games.dice import Dice
from games.game import (
    EVERYONE,
    After,
    BadPosition,
    Brief,
    Choice,
    Deductions,
    Event,
    Prompt,
    Step,
    View,
    Written,
)
from games.promises import Adjudication

SETUP = GAME.setup(("alice", "bob"), {})
BEGUN = GAME.start(SETUP)
UNDER_WAY = State(SETUP, {"alice": 3, "bob": 7}, "alice")
OVER = State(SETUP, {"alice": 3, "bob": 7}, None, "alice")
DICE = Dice(b"")

INSTALLED = {"sugar-dog": 6, "silent-ships": 12, "submarine-warfare": 12}
"""How many games of each are tried (1,000: `adjudicator try GAME --games 1000`)."""


def other(**attributes: Any) -> HighLow:
    """High Low with some attributes changed."""
    return type("Changed", (HighLow,), attributes)()


def played(state: State, orders: dict[str, int], game: HighLow = GAME) -> Adjudication:
    """A step from that state."""
    step = game.adjudicate(state, orders, DICE)
    return Adjudication(SETUP, state, promises.filed(GAME.position(state)), orders, DICE, step)


GUESS, HIT = played(UNDER_WAY, {"alice": 5}), played(UNDER_WAY, {"alice": 7})


def one(faults: Iterator[str]) -> str:
    """The one fault."""
    (text,) = faults
    return text


@pytest.mark.parametrize("state", [BEGUN, UNDER_WAY, OVER])
@pytest.mark.parametrize("name", ["position", "public", "outcome", "words", "pictures"])
def test_a_sound_position_breaks_none(name: str, state: State) -> None:
    """Before, during and after a game."""
    assert list(getattr(promises, name)(GAME, state, SETUP)) == []


@pytest.mark.parametrize("step", [played(BEGUN, {"alice": 2, "bob": 4}), GUESS, HIT])
def test_a_sound_step_breaks_none(step: Adjudication) -> None:
    """The first, one in between, the last."""
    for name in ("audience", "over", "news"):
        assert list(getattr(promises, name)(GAME, SETUP, step.step)) == []
    assert list(promises.pure(GAME, step)) == []
    assert list(promises.prompts(GAME, step)) == []
    assert list(promises.hidden(GAME, step, "alice", step.step)) == []


def test_plain_data_comes_back_as_a_record_gives_it() -> None:
    """Tuples as lists, keys sorted."""
    assert promises.filed({"b": (1, 2), "a": {"y": 1, "x": 0}}) == {
        "a": {"x": 0, "y": 1},
        "b": [1, 2],
    }
    assert list(promises.filed({"b": 1, "a": 2})) == ["a", "b"]


def test_views_are_of_everybody_then_of_nobody() -> None:
    """As they come out of reports."""
    views = list(promises.views(GAME, UNDER_WAY, SETUP))
    assert [view.player for view in views] == ["alice", "bob", None]
    assert [promises.whose(view.player) for view in views] == ["alice", "bob", "the public"]
    assert [view.shown for view in views] == [
        {"alice": 3, "turn": "alice"}, {"bob": 7, "turn": "alice"}, {"turn": "alice"},
    ]  # fmt: skip


def refusing(self: Any, setup: Any, position: Any) -> State:
    raise BadPosition("nobody is at sea")


def test_a_position_that_does_not_come_back() -> None:
    """Read as another, or refused: the position is quoted."""
    quoted = '{"alice": 3, "bob": 7, "turn": "alice"}'
    lost = other(state=lambda self, setup, position: BEGUN)
    assert one(promises.position(lost, UNDER_WAY, SETUP)) == f"{quoted} is another when it is read"
    assert one(promises.position(other(state=refusing), UNDER_WAY, SETUP)) == (
        f"{quoted} is refused when it is read: nobody is at sea"
    )


def test_a_public_view_that_is_none() -> None:
    """A player whose public part holds more, and orders that nobody may give."""
    leaks = other(public=lambda self, view: dict(view.shown))
    assert list(promises.public(leaks, UNDER_WAY, SETUP)) == [
        'alice sees {"alice": 3, "turn": "alice"}, not {"turn": "alice"}',
        'bob sees {"bob": 7, "turn": "alice"}, not {"turn": "alice"}',
    ]
    anybody = other(after=lambda self, view, lines: After((Choice("guess 1"),), complete=False))
    assert one(promises.public(anybody, UNDER_WAY, SETUP)) == (
        "somebody may order from the public view"
    )


def test_who_is_awaited_and_how_it_ended_agree() -> None:
    """Both or neither; players once each, in seat order."""
    nobody = other(awaited=lambda self, state: ())
    assert one(promises.outcome(nobody, UNDER_WAY, SETUP)) == "None, while [] are awaited"
    assert promises.outcome(nobody, OVER, SETUP)
    everybody = other(awaited=lambda self, state: (Prompt("bob", "x"), Prompt("bob", "y")))
    assert one(promises.outcome(everybody, UNDER_WAY, SETUP)) == (
        'awaited are ["bob", "bob"]; expected each once, in seat order'
    )
    assert len(list(promises.outcome(everybody, OVER, SETUP))) == 2


def test_a_word_that_a_player_may_bear() -> None:
    """Every key of the notation that is formed like a name."""
    few = other(words=frozenset({"setup", "winner"}))
    assert one(promises.words(few, UNDER_WAY, SETUP)) == (
        "key 'turn' is not among them: a player may be called turn"
    )


def test_a_screen_that_cannot_be_typed_at() -> None:
    """A word of the prompt as an order, a menu of too many lines, a note that is not ASCII."""
    view = GAME.view(UNDER_WAY, "alice")

    def told(game: HighLow) -> list[str]:
        return list(promises.screen(game, view, (), Deductions()))

    assert told(GAME) == []
    hints = other(after=lambda self, view, lines: After((Choice("hint 1"),), complete=False))
    assert told(hints) == ["an order begins with 'hint', which is a word of the prompt"]
    long = other(menu=lambda self, view, lines, columns: ("a",) * 5)
    assert told(long) == ["the menu of alice has 5 lines: expected 1 to 4"]
    odd = other(brief=lambda self, view, known: Brief("caf\xe9"))
    assert told(odd) == ["the screen of alice says 'caf\\xe9': expected one plain line"]


def test_a_picture_of_more_than_a_report_holds() -> None:
    """Drawn from the host's own view, not from what its reader gets."""

    def leaking(self: HighLow, view: View) -> str:
        return "<svg/>" if type(view) is View else "<svg>7</svg>"

    class Kept(View):
        pass

    def kept(self: HighLow, state: State, player: str | None) -> View:
        plain = GAME.view(state, player)
        return Kept(plain.setup, plain.player, plain.shown)

    faults = list(promises.pictures(other(svg=leaking, view=kept), UNDER_WAY, SETUP))
    assert faults == [
        f"for {name} a view is drawn otherwise than what a report holds"
        for name in ("alice", "bob", "the public")
    ]


def test_a_picture_that_cannot_be_shown() -> None:
    """For each view: text that is no plain ASCII, SVG that is no XML."""
    painted = other(draw=lambda self, view: "\x1b[2J", svg=lambda self, view: "<svg>")
    faults = list(promises.pictures(painted, UNDER_WAY, SETUP))
    assert faults[0] == "draw for alice holds '\\x1b': expected plain ASCII"
    assert faults[1].startswith("svg for alice is no XML: ")
    assert len(faults) == 6


def test_a_step_that_comes_to_something_else() -> None:
    """Adjudicated twice, from the position as it is read, or by changing what it is given."""
    calls = iter(range(9))
    moody = other(
        adjudicate=lambda self, state, orders, dice: Step(replace(OVER, turn=str(next(calls))), ())
    )
    assert "adjudicated twice" in one(promises.pure(moody, GUESS))
    forgetful = other(state=lambda self, setup, position: replace(UNDER_WAY, turn="bob"))
    assert "written out and read" in one(promises.pure(forgetful, GUESS))
    spoilt = replace(GUESS, position={**GUESS.position, "alice": 4})
    assert "changes the state" in list(promises.pure(GAME, spoilt))[-1]


def with_events(*events: Event) -> Step[State]:
    return Step(UNDER_WAY, events)


def test_a_report_is_for_who_plays() -> None:
    """An event for somebody else is no report's; what a player hears is what they are told."""
    assert one(promises.audience(GAME, SETUP, with_events(Event("seen", "zoe")))) == (
        "'seen' is for 'zoe', who does not play"
    )
    step = with_events(Event("seen", "bob", {"at": 1}), Event("on", EVERYONE, {"n": 2}))
    assert promises.heard_by("bob", step) == [
        {"for": "bob", "kind": "seen", "at": 1},
        {"for": EVERYONE, "kind": "on", "n": 2},
    ]
    assert promises.heard_by(None, step) == [{"for": EVERYONE, "kind": "on", "n": 2}]
    assert list(promises.audience(GAME, SETUP, step)) == []


def test_the_end_is_told_once_and_as_it_is() -> None:
    """It is a fault to tell it early, to tell another end, or to tell none."""
    over = Event("over", EVERYONE, {"winner": "alice"})
    assert list(promises.over(GAME, SETUP, Step(OVER, (over,)))) == []
    for step in (
        Step(OVER, ()), with_events(over), Step(OVER, (over, over)),
        Step(OVER, (over._replace(fields={"winner": "bob"}),)),
        Step(OVER, (over._replace(fields={"draw": True}),)),
    ):  # fmt: skip
        assert "while the events 'over' tell" in one(promises.over(GAME, SETUP, step))


@pytest.mark.parametrize("sentence", ["", "gr\u00fcn", "a\nb", "\x1b"])
def test_news_are_one_plain_line(sentence: str) -> None:
    """For each who hears them."""
    mute = other(news=lambda self, event: sentence)
    faults = list(promises.news(mute, SETUP, GUESS.step))
    assert len(faults) == 3
    assert f"reads {sentence!a}: expected one plain line" in faults[0]


def test_who_missed_a_deadline_is_asked_anew() -> None:
    """An equal prompt keeps the old deadline, long past. Who ordered may be asked the same."""
    again = replace(GUESS, orders={}, step=Step(UNDER_WAY, ()))
    said = one(promises.prompts(GAME, again))
    assert said.startswith("alice was missing for 'guess', and is awaited for it again")
    assert list(promises.prompts(GAME, replace(again, orders={"alice": 5}))) == []


def test_what_others_ordered_shows_in_events_alone() -> None:
    """Two steps that tell bob the same must show him the same; their author may see more."""
    shown = Step(replace(GUESS.step.state, numbers={"alice": 3, "bob": 8}), GUESS.step.events)
    said = one(promises.hidden(GAME, GUESS, "alice", shown))
    assert said.startswith('bob hears the same, and sees {"bob": 7,')
    assert list(promises.hidden(GAME, GUESS, "bob", shown)) == []
    told = shown._replace(events=())
    assert list(promises.hidden(GAME, GUESS, "alice", told)) == []


def test_lines_that_are_offered_are_taken() -> None:
    """`after` and `read` agree at every line; none is offered twice."""
    view = View(SETUP, "alice", {"turn": "alice"})
    assert list(promises.lines(GAME, view, DICE)) == []
    assert promises.is_read(GAME, view, "guess 4")
    assert not promises.is_read(GAME, view, "hide 4")
    early = other(after=lambda self, view, lines: After((), complete=True))
    assert "after [] complete is True for alice" in one(promises.lines(early, view, DICE))
    twice = other(
        after=lambda self, view, lines: GAME.after(view, lines)._replace(
            choices=GAME.after(view, lines).choices * 2
        )
    )
    assert one(promises.lines(twice, view, DICE)) == (
        "after [] the same line is offered twice to alice"
    )


def test_a_view_is_judged_as_a_report_holds_it() -> None:
    """What a game keeps beside a view, to save itself the reading, opens nothing more."""
    view = View(SETUP, "alice", {"turn": "alice"}).beside("4")
    fault = "the view of alice is judged otherwise out of a report"

    def reads(self: Any, view: View, written: Written) -> Any:
        return GAME.read(view, written) if view.sight is None else 4

    def offers(self: Any, view: View, lines: Sequence[str]) -> After:
        return GAME.after(view, lines) if view.sight is None else After((), complete=False)

    assert fault in "".join(promises.lines(other(read=reads), view, DICE))
    assert fault in "".join(promises.lines(other(after=offers), view, DICE))
    assert list(promises.lines(GAME, view, DICE)) == []


@pytest.mark.parametrize("name", INSTALLED)
def test_the_games_here_keep_them_all(name: str) -> None:
    """Between captains, random bots and whatever may be written, with late orders and odd options;
    the first games once more come to the same."""
    game = games.load(name)
    trial, again = Trial(game, b"promises"), Trial(game, b"promises", ("everywhere",))
    for _ in range(INSTALLED[name]):
        trial.play()
    for _ in range(3):
        again.play()
    trial.compare(again.traces)
    assert trial.broken == []
    assert trial.steps > 100
