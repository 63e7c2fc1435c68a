"""Plays random games of one game, and notes each promise of `games/promises.py` that it breaks.

What it must not know: files, keys, any game's rules.
"""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, NamedTuple

from adjudicator.core import report
from adjudicator.machine import lesson
from adjudicator.machine.demo import NAMES
from games import promises
from games.bots import Walker
from games.dice import Dice
from games.game import EVERYONE, Bot, Deductions, Game, Player, Prompt, Step, Table, View, Written
from games.options import OfferRefused, is_name
from games.promises import Adjudication, filed
from orders import canonical, toml
from orders.documents import LAST_STEP
from orders.entries import LONGEST_PROMPT
from orders.order_file import compose
from orders.sealing import room

PROMISES: Mapping[str, str] = {
    "setup": "it begins with whatever players and options it takes",
    "words": "no player can bear a key of the notation as a name",
    "position": "a position written out and read again is the same",
    "public": "the public part of each view is the public view",
    "hidden": "whoever hears the same sees the same, whatever others ordered",
    "outcome": "nobody is awaited exactly where there is an outcome",
    "over": "the step that ends a game tells the outcome",
    "prompts": "a new deadline has another prompt",
    "lines": "lines that may come next are taken",
    "bots": "bots write orders that are taken",
    "orders": "whatever is refused of an order file is so in words",
    "steps": "every step is adjudicated, late orders too",
    "pure": "the same step again comes to the same",
    "everywhere": "in another process, where sets have another order, all comes to the same",
    "audience": "whoever hears an event plays",
    "sizes": "reports and order files fit the game's sizes",
    "deduced": "what a player can work out holds the truth, and follows from reports alone",
    "record": "positions, views, events and prompts are such as a record can hold",
    "news": "every event is worded in plain ASCII",
    "screen": "the screen of a turn is plain ASCII, and orders begin with no word of the prompt",
    "pictures": "every view is drawn, as plain ASCII and as SVG",
    "lessons": "each lesson begins, and its answer does what is right there, not just any orders",
}
"""The promises, in words for authors of games."""

PLAY = ("setup", "bots", "steps")
"""Promises without which no game can be played, so they are always checked."""
MOST_STEPS = 200
"""Steps of one game that are played; the rest would show little more."""
MOST_TURNS = 450
"""Steps times players of one game: with many players it is left sooner."""
FEW = 5
"""Of a game of more players one is watched, who is drawn: that one alone works out what they can,
and what their screen and pictures show is looked at. The reports of all are measured each time."""

MOST_TEXT = 5_000
"""Characters in a remark, and blank lines, with which orders are made long."""

MOST_EARLIER = 8
"""How many earlier orders are tried once more in each step."""


class BrokenPromise(NamedTuple):
    """A broken promise: in which game of the trial (from 1), after which step, and how."""

    promise: str
    game: int
    step: int
    text: str


@dataclass(slots=True)
class Trial:
    """The trial: games, steps, how many games ended, and the broken promises in order.

    `only`: the promises to check; empty: all.
    """

    game: Game[Any, Any]
    seed: bytes
    only: Collection[str] = ()
    games: int = 0
    steps: int = 0
    ended: int = 0
    broken: list[BrokenPromise] = field(default_factory=list)
    fullest: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of `report` and `order`: the bytes of the fullest file, and those that its size has room
    for."""
    lessons: int = 0
    """How many of them were played, and kept what they promise."""
    traces: list[str] = field(default_factory=list)
    """For each game, a digest of all its positions and events."""

    def looks_at(self, promise: str) -> bool:
        """Whether that promise is checked."""
        return not self.only or promise in self.only or promise in PLAY

    def play(self, players: int | None = None) -> None:
        """Play one more game; its number and the seed decide everything in it."""
        self.games += 1
        dice = Dice(b"%s/%d" % (self.seed, self.games))
        least, most = self.game.seats
        # First the least, then up to three more, then the least again.
        count = players or least + (self.games - 1) % min(most - least + 1, 4)
        match = _Match(self, dice, count)
        # From the setup to the end, or as far as the game can go on.
        if match.hold("setup", match.begin()):
            match.hold("steps", match.go_on())
        self.traces.append(match.trace.hexdigest())

    def learn(self) -> None:
        """Play the lessons of the game, and answer them."""
        broken = [BrokenPromise("lessons", 1, 0, fault) for fault in lesson.faults(self.game)]
        self.lessons = 0 if broken else len(lesson.of_game(self.game))
        self.broken += broken

    def compare(self, traces: Sequence[str]) -> None:
        """Hold these games against the first ones as another process played them."""
        pairs = zip(self.traces, traces, strict=False)
        for number, (own, other) in enumerate(pairs, 1):
            if own != other:
                said = "another process came to something else: is a set gone through somewhere?"
                self.broken.append(BrokenPromise("everywhere", number, 0, said))


class _Match:
    """One game of a trial, under way."""

    def __init__(self, trial: Trial, dice: Dice, count: int) -> None:
        self.trial = trial
        self.game = trial.game
        self.dice = dice
        self.count = count
        self.step = 0
        self.seats: dict[Player, Bot] = {}
        self.watched: tuple[Player, ...] = ()
        self.earlier: list[str] = []
        self.deduced: dict[Player, Deductions] = {}
        self.trace = hashlib.sha256()

    def hold(self, promise: str, faults: Iterable[str]) -> bool:
        """Note each fault, and every error that the game raises meanwhile; returns whether there
        was none."""
        if not self.trial.looks_at(promise):
            return True
        before = len(self.trial.broken)
        try:
            for fault in faults:
                self.note(promise, fault)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error}"
            self.note(
                promise, f"{said} ({place.name}, {PurePath(place.filename).name}:{place.lineno})"
            )
        return len(self.trial.broken) == before

    def note(self, promise: str, text: str) -> None:
        self.trial.broken.append(BrokenPromise(promise, self.trial.games, self.step, text))

    def go_on(self) -> Iterator[str]:
        """Step after step, until nobody is awaited or there were enough."""
        self.told(Step(self.state, ()))
        self.look()
        while asked := self.game.awaited(self.state):
            if self.step == min(MOST_STEPS, MOST_TURNS // self.count):
                return
            self.step += 1
            self.trial.steps += 1
            self.turn(asked)
            self.look()
        self.trial.ended += 1
        yield from ()

    # The setup.

    def begin(self) -> Iterator[str]:
        """Seat players by odd names, and choose options."""
        try:
            self.setup = self.game.setup(self.names(), self.options())
        except OfferRefused as error:
            yield f"{self.count} players and their options are refused: {error}"
            return
        self.state = self.game.start(self.setup)
        kinds = ("walker", *sorted(self.game.bots))
        # Walkers first: what `after` offers in another order is at once another game.
        kind = kinds[(self.trial.games - 1) % len(kinds)]
        self.watched = self.setup.players
        if self.count > FEW:
            self.watched = self.dice.shuffle("watched", self.setup.players)[:1]
        for player in self.setup.players:
            bot = kind != "walker" and player in self.watched
            self.seats[player] = self.game.bots[kind](player) if bot else Walker(self.game, player)

    def names(self) -> tuple[str, ...]:
        """Plain names, then long ones, then names that are words of orders and of the notation."""
        kind = self.trial.games % 3
        if kind == 1:
            return NAMES[: self.count] if self.count <= len(NAMES) else self.numbered("p")
        if kind == 2:
            return self.numbered("long-name-of-somebody-number-")
        odd = [word for word in sorted(self.vocabulary()) if word not in self.game.words]
        return (*self.dice.shuffle("names", odd), *self.numbered("p"))[: self.count]

    def numbered(self, stem: str) -> tuple[str, ...]:
        return tuple(f"{stem}{number}" for number in range(1, self.count + 1))

    def vocabulary(self) -> Iterator[str]:
        """Words that a game is likely to mix up with names: of its orders, options and views."""
        try:
            setup = self.game.setup(self.numbered("p"), {})
            step, told = self.game.start(setup), {"kind": "", "player": "", "draw": ""}
            view = self.game.view(step, setup.players[0])
            found = {*told, *self.game.tables}
            for choice in self.game.after(view, ()).choices:
                found |= set(choice.text.lower().split())
            found |= {word for one in self.game.own_options for word in (one.name, *one.choices)}
        except Exception:
            # `begin` and `lines` report such a fault with plain names.
            return
        yield from (word for word in found if is_name(word))

    def options(self) -> dict[str, Any]:
        """The defaults, or random options if they go together."""
        given: dict[str, Any] = {}
        for option in self.game.own_options if self.trial.games > 1 else ():
            drawn: dict[str, tuple[Any, ...]] = {
                "choice": option.choices,
                "bool": (False, True),
                "int": (option.default, option.low, option.high),
            }
            values = drawn.get(option.kind, ())
            if values:
                given[option.name] = values[self.dice.below(f"option/{option.name}", len(values))]
        try:
            self.game.check_options(given)
        except OfferRefused:
            return {}
        return given

    # A step.

    def look(self) -> None:
        """Check the promises about a position."""
        for promise in (promises.position, promises.public, promises.outcome, promises.words):
            self.hold(promise.__name__, promise(self.game, self.state, self.setup))
        eyes: Sequence[Player | None] = (*self.watched, None)
        if self.count > FEW:
            eyes = [eyes[self.step % len(eyes)]]
        self.hold("pictures", promises.pictures(self.game, self.state, self.setup, eyes))
        self.hold("record", self.recorded())

    def recorded(self) -> Iterator[str]:
        """Everything in a record must be canonical JSON."""
        for name, value in (
            ("position", self.game.position(self.state)),
            *(
                (f"view for {promises.whose(one)}", dict(self.game.view(self.state, one).shown))
                for one in (*self.setup.players, None)
            ),
        ):
            try:
                canonical.dumps(value)
            except (TypeError, ValueError) as error:
                yield f"{name}: {error}"

    def entered(self, step: Step[Any]) -> Iterator[str]:
        """An entry holds public events and prompts, a report what single players hear."""
        for event in step.events:
            if not {"for", "kind"}.isdisjoint(event.fields):
                yield f"event {event.kind!a}: its fields may not be called 'for' or 'kind'"
            try:
                if event.audience == EVERYONE:
                    toml.render({"events": [event.plain()]})
                else:
                    canonical.dumps(event.plain())
            except (TypeError, ValueError) as error:
                yield f"event {event.kind!a}: {error}"
        for prompt in self.game.awaited(step.state):
            text = prompt.what
            if not (text.isascii() and text.isprintable() and 0 < len(text) <= LONGEST_PROMPT):
                yield (
                    f"{prompt.player} is awaited for {text!a:.80}: "
                    f"expected 1 to {LONGEST_PROMPT} printable ASCII characters"
                )

    def turn(self, asked: tuple[Prompt, ...]) -> None:
        """Collect orders, adjudicate, check the promises about the step, tell the bots."""
        game, before = self.game, self.state
        position = filed(game.position(before))
        orders, other = {}, {}
        for prompt in asked:
            looked = len(asked) <= FEW or prompt.player in self.watched
            made = game.view(before, prompt.player)
            if looked:
                self.hold("lines", promises.lines(game, made, self.draw("path", prompt.player)))
            view = View(self.setup, prompt.player, filed(made.shown))
            written = self.write(view)
            size = len(compose(written.orders).render("0" * 64))
            self.hold("sizes", self.fits("order", prompt.player, size))
            if looked:
                self.hold("orders", self.order_files(view, written.orders))
            if self.draw("late", prompt.player).below("late", 12):
                orders[prompt.player] = game.read(view, written)
                if looked and self.trial.looks_at("hidden"):
                    other[prompt.player] = game.read(view, self.walk(view, "other"))
        played = Adjudication(
            self.setup,
            before,
            position,
            orders,
            self.dice,
            game.adjudicate(before, orders, self.dice),
        )
        self.check(played, other)
        self.hold("everywhere", self.traced(played.step))
        self.told(played.step)
        self.state = played.step.state

    def check(self, played: Adjudication, other: Mapping[Player, Any]) -> None:
        """Check the promises about a step; `other`: orders that players might have given
        instead."""
        game = self.game
        self.hold("pure", promises.pure(game, played))
        self.hold("prompts", promises.prompts(game, played))
        for player in other:
            orders = {**played.orders, player: other[player]}
            step = game.adjudicate(played.before, orders, played.dice)
            self.hold("hidden", promises.hidden(game, played, player, step))
        self.hold("record", self.entered(played.step))
        for promise in (promises.audience, promises.over, promises.news):
            self.hold(promise.__name__, promise(game, self.setup, played.step))
        self.hold("sizes", self.reports(played.step))

    def traced(self, step: Step[Any]) -> Iterator[str]:
        """Take the position, the views and the events into the digest of this game."""
        shown = [self.game.view(step.state, one).shown for one in self.setup.players]
        whole = [self.game.position(step.state), shown]
        self.trace.update(json.dumps(whole, sort_keys=True, default=repr).encode())
        self.trace.update(json.dumps([one.whole() for one in step.events], default=repr).encode())
        yield from ()

    def reports(self, step: Step[Any]) -> Iterator[str]:
        """Measure everyone's report of a step."""
        for player in self.setup.players:
            view = self.game.view(step.state, player)
            data = report.make("f" * 64, LAST_STEP, "0" * 64, view, step.events)
            yield from self.fits("report", player, len(data))

    def fits(self, what: str, player: Player, size: int) -> Iterator[str]:
        """Compare the bytes of a player's report or order file with the room for it."""
        sizes = self.game.sizes_for(len(self.setup.players))
        most = room(sizes.report if what == "report" else sizes.order)
        full, of = self.trial.fullest.get(what, (0, most))
        if size * of >= full * most:
            self.trial.fullest[what] = (size, most)
        if size > most:
            yield f"the {what} of {player} has {size} bytes, its size has room for {most}"

    def draw(self, what: str, player: Player) -> Dice:
        """Dice of their own for each use."""
        return Dice(f"{what}/{self.step}/{player}".encode() + self.dice.seed)

    def told(self, step: Step[Any]) -> None:
        """Let everybody hear their report of the step, and work out what they can."""
        for player, bot in self.seats.items():
            view = View(self.setup, player, filed(self.game.view(step.state, player).shown))
            heard = [filed(event) for event in promises.heard_by(player, step)]
            self.hold("bots", self.tell(bot, view, heard))
            if player not in self.watched:
                continue
            self.hold("deduced", self.worked_out(player, step.state, view, heard))
            known = self.deduced.get(player, Deductions())
            self.hold("screen", promises.screen(self.game, view, heard, known))

    def worked_out(
        self, player: Player, state: Any, view: View, heard: Sequence[Table]
    ) -> Iterator[str]:
        """Have a player work out what they can, also from what they worked out before."""
        before = self.deduced.get(player)
        self.deduced[player] = yield from promises.deduced(self.game, state, view, heard, before)

    def tell(self, bot: Bot, view: View, heard: Sequence[Table]) -> Iterator[str]:
        """Let a bot hear a report."""
        bot.hear(view, heard)
        yield from ()

    def write(self, view: View) -> Written:
        """The orders of the bot of the view's player; a walker writes for a bot that fails."""
        written: list[Written] = []
        if self.hold("bots", self.ask(view, written)):
            return written[0]
        return self.walk(view, "walker")

    def walk(self, view: View, what: str) -> Written:
        """Any lines that may be written."""
        walker = Walker(self.game, str(view.player))
        walker.hear(view, ())
        return walker.order(self.draw(what, walker.player))

    def ask(self, view: View, written: list[Written]) -> Iterator[str]:
        """The bot's orders, read as the host reads them."""
        player = str(view.player)
        written.append(self.seats[player].order(self.draw("bot", player)))
        self.game.read(view, written[0])
        yield from ()

    # Order files.

    def order_files(self, view: View, text: str) -> Iterator[str]:
        """Have odd and long orders read, and those of earlier steps."""
        word = text.split(" ")[0]
        odd = (
            "", "\0", "\xb2", "-", "1", "x" * 99, f"{text} {text}", word, f"{word} \xb2",
            f"{text} # {'x' * MOST_TEXT}", "\n" * MOST_TEXT + text, f"{text}\n" * 99,
        )  # fmt: skip
        for one in (*odd, *self.earlier):
            promises.is_read(self.game, view, one)
        # Somebody's orders of another step are the likeliest to be refused by what is seen now.
        self.earlier = [*self.earlier, text][-MOST_EARLIER:]
        yield from ()
