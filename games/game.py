"""The Game interface: what a game must answer, and the values that pass between it and the rest.

What belongs here: the words that every game shares (player, event, prompt, step, outcome, order
errors) and the class that a game fills in.
What it must not know: files, signatures, clocks, entries, who is host. Nothing here or in any game
reads a clock, the environment or a file that is not the game's own, and nothing draws lots but
through `Dice`. A position holds all that an adjudication reads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from games import chart, picture
from games.deduced import Deduced
from games.dice import Dice
from games.options import COMMON, OfferRefused, Option, Value, complete, parse

Player: TypeAlias = str
"""A player's name as in their join: `[a-z][a-z0-9-]{0,31}`, never `host`."""

Table: TypeAlias = Mapping[str, Value]

EVERYONE = "*"


class BadPosition(ValueError):
    """A position written in a game's notation that is no position of that game."""


class OrderError(Exception):
    """An order file that is refused before adjudication; nothing of it is used.

    `line` counts the author's order lines from 1 (None: the file as a whole), `text` is what was
    read there, `expected` what would have been right, `hint` a suggestion or "".
    """

    status: ClassVar[str]

    def __init__(self, line: int | None, text: str, expected: str, hint: str = "") -> None:
        super().__init__(line, text, expected, hint)
        self.line = line
        self.text = text
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        place = "order file" if self.line is None else f"line {self.line}"
        return f"{place}: {self.text!a}: {self.expected}"


class Malformed(OrderError):
    """Not understood: would be wrong in every position."""

    status = "malformed"


class Illegal(OrderError):
    """Understood, and not allowed as far as its author can see."""

    status = "illegal"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `audience` is `*` or one player's name.

    `fields` are what its whole audience hears, in the order in which they are written out.
    `private` adds keys for single players within a public event (SW `destroyed`: who may know
    where). An event never holds a secret that its audience may not know.
    """

    kind: str
    audience: str
    fields: Table = field(default_factory=dict)
    private: Mapping[Player, Table] = field(default_factory=dict)

    def heard_by(self, player: Player) -> bool:
        """Whether `player` is in the audience."""
        return self.audience in (EVERYONE, player)

    def public(self) -> dict[str, Value]:
        """As it stands in an entry: kind and fields, no audience."""
        return {"kind": self.kind, **self.fields}

    def told_to(self, player: Player) -> dict[str, Value]:
        """As it stands in that player's report."""
        return {
            "for": self.audience,
            "kind": self.kind,
            **self.fields,
            **self.private.get(player, {}),
        }

    def whole(self) -> dict[str, Value]:
        """With every private key: as rule cases and a finished game show it."""
        told = {"for": self.audience, "kind": self.kind, **self.fields}
        for extra in self.private.values():
            told.update(extra)
        return told


@dataclass(frozen=True, slots=True)
class Prompt:
    """An awaited player and what for (`setup`, `turn`, ...). Public.

    Equal prompts in a row mean that the clock runs on, so a game that asks the same player for
    another thing of the same sort must word it differently.
    """

    player: Player
    what: str


StateT = TypeVar("StateT")
OrdersT = TypeVar("OrdersT")


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT]):
    """What an adjudication yields: the new state and all events in order."""

    state: StateT
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a winner (a player, or `host` where a game's rules say so) or a draw."""

    winner: str | None = None

    def fields(self) -> dict[str, Value]:
        """As in an entry's `reveal.outcome` and a case's `[outcome]`."""
        return {"draw": True} if self.winner is None else {"winner": self.winner}


@dataclass(frozen=True, slots=True)
class Written:
    """What a player wrote: the `orders` string, and the tables that stand beside it."""

    orders: str
    tables: Mapping[str, Table] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """One game's fixed frame: players in seat order, every option's value, the parsed table."""

    players: tuple[Player, ...]
    options: Table
    table: Any = None

    def after(self, player: Player) -> tuple[Player, ...]:
        """The other players in turn order from `player` on, then `player` (who comes last)."""
        at = self.players.index(player) + 1
        return self.players[at:] + self.players[:at]


@dataclass(frozen=True, slots=True)
class View:
    """What `player` may see, in the keys of the position notation. `shown` is plain JSON data.
    `player` is None in the public view: what everybody may see, players and strangers alike."""

    setup: Setup
    player: Player | None
    shown: Table


@dataclass(frozen=True, slots=True)
class Choice:
    """One order line that may come next: its text, the cells that it names in order, and a label
    that says in a few words what the line does."""

    text: str
    cells: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class After:
    """What may come after some order lines. `complete`: these lines are whole orders already."""

    choices: tuple[Choice, ...]
    complete: bool


class Bot(Protocol):
    """Plays one seat from its own reports alone."""

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report: the view and the events (as `Event.told_to` gives them)."""

    def order(self, dice: Dice) -> Written:
        """The orders for the step that now awaits this seat; legal from the last view heard."""


class Game(ABC, Generic[StateT, OrdersT]):
    """A game's rules. Stateless: one object serves every game of its kind."""

    id: ClassVar[str]
    version: ClassVar[int]
    title: ClassVar[str]
    summary: ClassVar[str]
    prefix: ClassVar[str]
    """Two letters that rule cases begin with."""
    seats: ClassVar[tuple[int, int]]
    """The least and the greatest number of players."""
    words: ClassVar[frozenset[str]]
    """Keys of the position notation that no player may bear as a name."""
    own_options: ClassVar[tuple[Option, ...]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """Named sets of options for `invite --preset`."""
    tables: ClassVar[Mapping[str, Table]] = {}
    """Tables that may stand in an order file beside `orders`: their keys in order, with defaults.

    A key that has its default, and a table all of whose keys have, is left out of the one rendering
    of an order file. A default of None: the key has none, and stays wherever its author wrote it.
    """
    voids: ClassVar[Mapping[str, str]] = {}
    """The reasons of `void` events, each with the letter that stands for it in reports."""
    sets: ClassVar[frozenset[str]] = frozenset()
    """Keys of the position notation whose lists stand for sets: rule cases compare them so."""
    strict: ClassVar[bool] = False
    """Whether `public` refuses each view of a player that `draw`, `svg`, `after` or `deduced` could
    not take. Of a game that does not promise it, each report is drawn as it comes in."""
    default_table: ClassVar[bytes | None] = None
    """The house table that stands beside the code, as TOML; None where the game has none."""

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        """Bots by name: `random`, which unless a game brings its own takes any line that `after`
        offers; if there is one `captain`, which plays sensibly; and `mate` between them."""
        # A walker is made of what this module says, so it is imported late.
        from games.walker import Walker

        return {"random": partial(Walker, self)}

    @property
    def rules(self) -> str:
        """The rules version as invites name it: `sugar-dog/1`."""
        return f"{self.id}/{self.version}"

    @property
    def options(self) -> tuple[Option, ...]:
        """The game's own options in their order, then those of every game."""
        own = {option.name: option for option in self.own_options}
        shared = tuple(own.pop(option.name, option) for option in COMMON)
        return (*own.values(), *shared)

    def check_options(self, given: Table) -> dict[str, Value]:
        """Every option's value, defaults included; raises OfferRefused, naming the option."""
        values = complete(self.options, given, self.id)
        self.check_together(values)
        return values

    def parse_options(self, texts: Iterable[str]) -> dict[str, Value]:
        """Options written as `name=value`, as on a command line; raises OfferRefused."""
        return parse(self.options, texts, self.id)

    def setup(self, players: Sequence[Player], given: Table, table: bytes | None = None) -> Setup:
        """The frame of one game; raises OfferRefused (players, options or table that do not fit).

        `given`: options as in an invite. `table`: the house table's bytes, None for the default.
        """
        options = self.check_options(given)
        least, most = self.seats
        if not least <= len(players) <= most:
            many = f"{least}" if least == most else f"{least} to {most}"
            raise OfferRefused(f"{self.id} is for {many} players, not {len(players)}")
        for player in players:
            if player in self.words:
                raise OfferRefused(f"{player!r} is a word of the notation of {self.id}, no name")
        for option in self.options:
            value = options[option.name]
            if option.kind == "player" and value is not None and value not in players:
                raise OfferRefused(f"option {option.name} = {value!r}: nobody bears that name")
        text = self.default_table if table is None else table
        setup = Setup(tuple(players), options, None if text is None else self.read_table(text))
        self.check_setup(setup)
        return setup

    # What a game may add to the offer.

    def check_together(self, options: Table) -> None:
        """Raise OfferRefused for options that do not go together."""

    def check_setup(self, setup: Setup) -> None:
        """Raise OfferRefused for what is wrong once the players are known."""

    def read_table(self, text: bytes) -> Any:
        """A house table, parsed and checked; raises OfferRefused."""
        raise OfferRefused(f"{self.id} has no house table")

    @abstractmethod
    def report_bound(self, setup: Setup) -> int:
        """The most bytes that `told.tell` of any reachable step takes as canonical JSON.

        Reckoned at genesis from the options and from who plays: their number and names. The size of
        every sealed report of the game follows from it, so nothing in play can move it.
        """

    @abstractmethod
    def order_bound(self, setup: Setup) -> int:
        """The most bytes that an order file may have in its one rendering, salt and all."""

    # The rules.

    @abstractmethod
    def start(self, setup: Setup) -> StateT:
        """The position `setup`: everyone awaited for `setup`, nothing drawn yet."""

    @abstractmethod
    def awaited(self, state: StateT) -> tuple[Prompt, ...]:
        """Who is awaited for what, in seat order; empty exactly when there is an outcome."""

    @abstractmethod
    def read(self, view: View, written: Written) -> OrdersT:
        """Orders from what a player wrote, judged from their view; raises Malformed or Illegal."""

    @abstractmethod
    def adjudicate(
        self, state: StateT, orders: Mapping[Player, OrdersT], dice: Dice
    ) -> Step[StateT]:
        """One step. An awaited player who is not in `orders` has missed the deadline."""

    @abstractmethod
    def view(self, state: StateT, player: Player | None) -> View:
        """What that player may see, built by adding; of None, what everybody may see."""

    @abstractmethod
    def public(self, view: View) -> dict[str, Value]:
        """The public part of any player's view: exactly `view(state, None).shown`."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def after(self, view: View, lines: Sequence[str]) -> After:
        """What the player may write after these order lines, in a fixed order.

        `lines` are lines that `after` itself offered, one after the other. Every path through
        `after` that is complete is taken by `read`, and whatever `read` takes can be reached but
        for the free choice of blanks, capitals, remarks and lines that come to the same. The public
        view, which is nobody's, has no choices.
        """

    def legal(self, view: View) -> tuple[str, ...]:
        """Every single line that the player might write first now, in a fixed order."""
        return tuple(choice.text for choice in self.after(view, ()).choices)

    # What a player can work out.

    def deduced(self, view: View, heard: Sequence[Table], before: Deduced | None = None) -> Deduced:
        """What the view's player can work out from all reports so far; of a small game, nothing.

        `heard`: the report's events, as `Event.told_to` gives them. `before`: what this gave for
        the report before it; None: the seat had none. It follows from these three alone, so that
        nobody is shown, and no bot knows, what their seat was never told.
        """
        return Deduced()

    def truth(self, state: StateT, player: Player) -> Mapping[str, Value]:
        """What each thing that `deduced` names to that player really is. For tests and authors."""
        return {}

    # Notation and pictures.

    @abstractmethod
    def position(self, state: StateT) -> dict[str, Value]:
        """The state in the position notation, written out in full."""

    @abstractmethod
    def state(self, setup: Setup, position: Table) -> StateT:
        """The state that a position stands for; raises BadPosition. Inverse of `position`."""

    def draw(self, view: View) -> str:
        """All that the view shows in ASCII, 78 columns at most; of a small game, a line a key."""
        return chart.of_keys(view.shown)

    def svg(self, view: View) -> str:
        """The board as one SVG document; unless a game draws its own, the lines of `draw`."""
        return picture.of_lines(self.title, self.draw(view))

    def draw_whole(self, state: StateT) -> str:
        """What was so, beside what each player saw of it, as text: shown after the reveal only."""
        return chart.of_keys(self.position(state))

    def svg_whole(self, state: StateT) -> str:
        """The same as one SVG document."""
        return picture.of_lines(self.title, self.draw_whole(state))

    @abstractmethod
    def news(self, event: Table) -> str:
        """One event (as in a report or an entry) as an English sentence in plain ASCII."""
