"""The Game interface: what a game must answer, and the values that pass between it and the rest.

What belongs here: the values that every game shares (player, event, prompt, step, outcome, order
errors) and the class that a game fills in. What it must not know: files, signatures, clocks,
entries, who is host. No game reads a clock, the environment or a file that is not its own; all
chance comes from `Dice`, and an adjudication reads only the position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from games.dice import Dice
from games.options import (
    CLUB,
    COMMON,
    OfferRefused,
    Option,
    Value,
    check_players,
    check_terms,
    complete,
    is_match,
    parse,
)

if TYPE_CHECKING:
    from games.chart import Chart
    from games.duel import Duel
    from games.news import Said
    from games.orders import Verb
    from games.screen import Asked, Held, Sideline

Player: TypeAlias = str
"""A player's name as in their join: `[a-z][a-z0-9-]{0,31}`, never `host`."""

Table: TypeAlias = Mapping[str, Value]

EVERYONE = "*"


class BadPosition(ValueError):
    """A position written in a game's notation that is no position of that game."""


class OrderError(Exception):
    """An order file is refused before adjudication, and nothing of it is used.

    `line` counts the author's order lines from 1 (None: the file as a whole), `text` quotes that
    line, `expected` says what is wrong with it or would have been right, `hint` is a suggestion or
    "".
    """

    status: ClassVar[str]

    def __init__(self, line: int | None, text: str, expected: str, hint: str = "") -> None:
        super().__init__(line, text, expected, hint)
        self.line = line
        self.text = text
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        quoted = f"{self.text!a}: " if self.text else ""
        return f"{place}{quoted}{self.expected}"

    def alone(self) -> OrderError:
        """The same of the only line that its author wrote: neither numbered nor quoted."""
        return type(self)(None, "", self.expected, self.hint)


class Malformed(OrderError):
    """The orders are not understood: they would be wrong in every position."""

    status = "malformed"


class Illegal(OrderError):
    """The orders are understood, but not allowed by what their author sees."""

    status = "illegal"


class Event(NamedTuple):
    """Something that happened. `audience` is `*` or one player's name.

    `fields` are what its audience hears, in the order in which they are written out: text,
    integers, true or false, and lists of these; an entry takes no table in an event. An event holds
    nothing that its audience may not know. What one player may hear besides is an event of its own,
    right after the public one. A line that was not carried out is an event `void` for its author,
    with `line`, its number, and `reason` in words.
    """

    kind: str
    audience: str
    fields: Table = MappingProxyType({})

    def heard_by(self, player: Player) -> bool:
        """Whether `player` is in the audience."""
        return self.audience in (EVERYONE, player)

    def plain(self) -> dict[str, Value]:
        """The event as entries and reports hold it: kind and fields, no audience."""
        return {"kind": self.kind, **self.fields}

    def whole(self) -> dict[str, Value]:
        """The event with its audience as `for`: as bots hear it, and as rule cases name it."""
        return {"for": self.audience, "kind": self.kind, **self.fields}


class Prompt(NamedTuple):
    """A player who is awaited, and for what (`setup`, `turn`, ...). Everybody sees it.

    If a player has the same prompt in two entries in a row, the clock runs on. So a game that asks
    a player for a new thing of the same sort must word it differently.
    """

    player: Player
    what: str


StateT = TypeVar("StateT")
OrdersT = TypeVar("OrdersT")


class Step(NamedTuple, Generic[StateT]):
    """The result of an adjudication: the new state and all events in order."""

    state: StateT
    events: tuple[Event, ...]


class Outcome(NamedTuple):
    """How a game ended: a winner (a player, or `host` if a game's rules say so) or a draw."""

    winner: str | None = None

    def fields(self) -> dict[str, Value]:
        """The outcome as `reveal.outcome` of an entry and `[outcome]` of a case hold it."""
        return {"draw": True} if self.winner is None else {"winner": self.winner}


class Written(NamedTuple):
    """A player's written orders: lines, with an LF between them."""

    orders: str


class Setup(NamedTuple):
    """The setup of one game: players in seat order, each option's value, the house table."""

    players: tuple[Player, ...]
    options: Table
    table: Any = None

    def after(self, player: Player) -> tuple[Player, ...]:
        """The other players in turn order from `player` on, then `player` (who comes last)."""
        at = self.players.index(player) + 1
        return self.players[at:] + self.players[:at]


class Sizes(NamedTuple):
    """The padded lengths of a game's sealed files in bytes, multiples of 1,024.

    Orders and reports of one game each have one size, whatever happens, so that no size tells
    anything. A file has room for 4 bytes less, its salt included.
    """

    order: int = 4_096
    report: int = 4_096


@dataclass(frozen=True, slots=True)
class View:
    """What `player` (None: the public) may see: JSON data, in the keys of the position notation."""

    setup: Setup
    player: Player | None
    shown: Table
    sight: Any = field(default=None, init=False, compare=False, repr=False)

    def beside(self, sight: Any) -> View:
        """This new view with the value from which the game wrote it, which tells no more than
        `shown`. Games keep the value to save reading `shown` again; `replace` leaves it out."""
        object.__setattr__(self, "sight", sight)
        return self


class Choice(NamedTuple):
    """One order line that may come next.

    `to`: the cells that tell this line from the others of its verb and unit, in order. `says`: what
    it does, a sentence. `verb`: its kind; "" for its first word. `unit`: who does it, as one would
    call them: a submarine's letter, a card of the hand, a ship's cell; "" if there is only one.
    `here`: its cell, or "". `reach`: the cells that it touches beyond. `picks`: what it names
    besides, such as cards given up. `heard`: what others will hear, a sentence, or "". `cost`: of
    what is limited, such as `1 AP`. `goes`: the unit goes along these cells. `warns`: what is
    surely lost by it, a sentence, or "".
    """

    text: str
    to: tuple[str, ...] = ()
    says: str = ""
    verb: str = ""
    unit: str = ""
    here: str = ""
    reach: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()
    heard: str = ""
    cost: str = ""
    goes: bool = False
    warns: str = ""


class After(NamedTuple):
    """The lines that may follow some order lines. `complete`: the lines so far are whole orders.

    `left`: what they leave unused, in a few words (`3 of 6 AP left`); "" for nothing."""

    choices: tuple[Choice, ...]
    complete: bool
    left: str = ""


class Brief(NamedTuple):
    """A player's position in words. `title`: the game, its turn, and what is asked of the player.
    `notes`: what stands beside the board, a plain ASCII line each, of any length. `more`: notes of
    which only the prompt's `?` tells."""

    title: str
    notes: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


class Deductions(NamedTuple):
    """What one player can work out from everything that their seat was told so far.

    `may`: by the name of a hidden thing (`bob's submarine`) every value that it can still have, in
    a fixed order, as plain data; the true value is among them. `notes`: things heard that no view
    shows, a plain line each, the newest last. `memory`: the game's own values from which it
    continues; nobody else reads them, and nothing changes them.
    """

    may: Mapping[str, Sequence[Value]] = MappingProxyType({})
    notes: tuple[str, ...] = ()
    memory: Any = None


class Bot(Protocol):
    """Plays one seat, and knows no more than that seat's reports.

    A game that was left goes on with new bots: they hear every report again. A bot that is to
    remember its orders too may have a method `chosen(written)`, which is called for each of them.
    """

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report: the view and the events (as `Event.whole` gives them)."""

    def order(self, dice: Dice) -> Written:
        """Orders for the step that now awaits this seat, legal by the last view heard."""


class Game(ABC, Generic[StateT, OrdersT]):
    """A game's rules. It holds no state: one object serves all games of its kind."""

    id: ClassVar[str]
    version: ClassVar[int]
    title: ClassVar[str]
    summary: ClassVar[str]
    prefix: ClassVar[str]
    """Two letters with which the names of its rule cases begin."""
    seats: ClassVar[tuple[int, int]]
    """The least and the greatest number of players."""
    words: ClassVar[frozenset[str]]
    """Keys of the position notation that no player may have as a name."""
    own_options: ClassVar[tuple[Option, ...]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"club": CLUB}
    """Named sets of options, as `invite --option NAME` takes them."""
    tables: ClassVar[Mapping[str, Table]] = {}
    """Tables in which a rule case gives order lines: `standing.bob = { retreat = "never" }` is the
    line `standing retreat never`. Each key has an empty value of its kind: text, or a list."""
    sets: ClassVar[frozenset[str]] = frozenset()
    """Keys of the position notation whose lists are sets: rule cases ignore their order."""
    sizes: ClassVar[Mapping[int, Sizes]] = {}
    """The sizes of sealed files: each row holds for games of up to so many players."""
    strict: ClassVar[bool] = False
    """Whether `public` refuses a player's view that the game could not draw or work with."""
    default_table: ClassVar[bytes | None] = None
    """The house table beside the code, as TOML; None if the game has none."""

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        """Bots by name, the weakest first: `random`, which takes any line that `after` offers (or a
        game's own); and if there is a `captain`, which plays sensibly, levels below and above it
        (`games.bots.levels`)."""
        # `games.bots` imports this module.
        from games.bots import Walker

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
        check_terms(values := complete(self.options, given, self.id))
        self.check_together(values)
        return values

    def parse_options(self, texts: Iterable[str]) -> dict[str, Value]:
        """The values of options written as `name=value`, over those of the presets named; raises
        OfferRefused."""
        return parse(self.options, self.presets, texts, self.id)

    def setup(self, players: Sequence[Player], given: Table, table: bytes | None = None) -> Setup:
        """The setup of one game; raises OfferRefused for players, options or a table that do not
        fit. `given`: options as in an invite. `table`: the house table's bytes, None for the
        default."""
        options = self.check_options(given)
        check_players(players, self.seats, self.words, self.id)
        if is_match(options) and len(players) != 2:
            raise OfferRefused(f"a match is between two, not {len(players)}: leave out match")
        for option in self.options:
            options[option.name] = option.named(options[option.name], players)
            option.check_named(options[option.name], players)
        house = self.default_table if table is None else table
        setup = Setup(tuple(players), options, None if house is None else self.read_table(house))
        self.check_setup(setup)
        return setup

    def check_together(self, options: Table) -> None:
        """Raise OfferRefused for options that do not go together."""

    def check_setup(self, setup: Setup) -> None:
        """Raise OfferRefused for faults that show only once the players are known."""

    def read_table(self, text: bytes) -> Any:
        """A house table, parsed and checked; raises OfferRefused."""
        raise OfferRefused(f"{self.id} has no house table")

    def sizes_for(self, players: int) -> Sizes:
        """The sizes of a game of so many: those of the first row of `sizes` that is not below
        them."""
        return min(
            ((most, row) for most, row in self.sizes.items() if most >= players),
            default=(0, Sizes()),
        )[1]

    # The rules.

    @abstractmethod
    def start(self, setup: Setup) -> StateT:
        """The first position: everyone is awaited for `setup`, and nothing is drawn yet."""

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
        """What that player may see, built by adding; for None, what everybody may see."""

    @abstractmethod
    def public(self, view: View) -> dict[str, Value]:
        """The public part of any player's view: exactly `view(state, None).shown`."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def after(self, view: View, lines: Sequence[str]) -> After:
        """What the player may write after these order lines, in a fixed order.

        `lines` are lines that `after` itself offered, one after the other. If they are complete,
        `read` takes them. All orders that `read` takes can be reached in this way, apart from
        blanks, capitals, remarks and other spellings. The public view has no choices.
        """

    def legal(self, view: View) -> tuple[str, ...]:
        """Every single line that the player might write first now, in a fixed order."""
        return tuple(choice.text for choice in self.after(view, ()).choices)

    # For a board that is touched.

    @property
    def verbs(self) -> Mapping[str, Verb]:
        """The kinds of lines that `after` offers, in the order of their buttons; a kind that is not
        here is called by its word."""
        return {}

    def hand(self, view: View) -> Sequence[Held]:
        """The cards in the player's hand; none by default."""
        return ()

    def told(self, view: View, events: Sequence[Table]) -> Sequence[Said]:
        """The events of one report in sentences that a board plays, as the view's player needs
        them; by default a sentence for each. `view`: that report's, or a later one."""
        from games.news import Said, named

        return tuple(Said(self.news(one), tuple(dict.fromkeys(named(one)))) for one in events)

    def why(self, view: View, events: Sequence[Table], missing: Collection[Player] = ()) -> str:
        """Why the game ended, in a sentence to the view's player, to everybody about both; by
        default the last that is told. `events`: what they heard of the last step. `missing`: who
        missed its deadline. `view`: after it."""
        return "".join(one.text for one in self.told(view, events)[-1:])

    def sides(self, view: View, known: Deductions) -> Mapping[Player, Sideline]:
        """A line about each side; none by default. `known` as in `brief`."""
        return {}

    def standing(self, view: View) -> Sequence[Asked]:
        """The standing orders that the player may give now, as questions; none by default."""
        return ()

    # What a player can work out.

    def deduced(
        self, view: View, heard: Sequence[Table], before: Deductions | None = None
    ) -> Deductions:
        """What the view's player can work out from all reports so far; by default nothing.

        `heard`: the report's events, as `Event.whole` gives them. `before`: the result for the
        report before; None if the seat had none. The result depends only on these three, so that no
        player and no bot is told what their seat was not told.
        """
        return Deductions()

    def truth(self, state: StateT, player: Player) -> Mapping[str, Value]:
        """The true value of each thing that `deduced` names to that player. For tests and
        authors."""
        return {}

    # Without a host.

    @property
    def duel(self) -> Duel | None:
        """How two people play it without a host; None if they cannot."""
        return None

    # At the table: what a player's screen says around the board. Plain ASCII, all of it.

    def goal(self, setup: Setup) -> str:
        """How this game is won, in two lines at most; by default the summary."""
        return self.summary

    def about(self, setup: Setup) -> Mapping[str, str]:
        """What each word of its lines and of its board means, in a sentence or more; none by
        default."""
        return {}

    def brief(self, view: View, known: Deductions) -> Brief:
        """The title of the screen, and the notes beside the board; by default the chart's notes.

        `known`: what the seat has worked out; nothing else may be told beside the view.
        """
        from games.screen import brief

        return brief(self, view)

    def planned(self, view: View, lines: Sequence[str]) -> View:
        """The view with these lines carried out, as far as their author can know; by default as it
        is. The prompt draws a plan with it."""
        return view

    def menu(self, view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
        """What may be written after these lines, in four lines at most, each of about so many
        columns: a line for each order word, with its cells. By default `after`, grouped by word,
        and what the `verbs` say."""
        from games.screen import menu

        return menu(self.after(view, lines).choices, self.verbs, columns)

    # Notation and pictures.

    @abstractmethod
    def position(self, state: StateT) -> dict[str, Value]:
        """The state in the position notation, written out in full."""

    @abstractmethod
    def state(self, setup: Setup, position: Table) -> StateT:
        """The state of a written position, the inverse of `position`; raises BadPosition."""

    def chart(self, view: View) -> Chart | None:
        """The board, with everything that the view shows; None if the game draws none."""
        return None

    def chart_known(self, view: View, known: Deductions) -> Chart | None:
        """The chart with what the seat has worked out besides; by default the same."""
        return self.chart(view)

    def chart_whole(self, state: StateT) -> Chart | None:
        """The board with nothing hidden, shown only after the reveal; None if there is none."""
        return None

    def draw(self, view: View) -> str:
        """The chart as ASCII, 78 columns at most; without a chart the view, a line a key."""
        from games.chart import drawn

        return drawn(self.chart(view), view.shown)

    def svg(self, view: View) -> str:
        """The chart as one SVG document; without a chart the lines of `draw`."""
        from games.picture import drawn

        return drawn(self.chart(view), self.title, lambda: self.draw(view))

    def draw_whole(self, state: StateT) -> str:
        """Like `draw`, for the position with nothing hidden."""
        from games.chart import drawn

        return drawn(self.chart_whole(state), self.position(state))

    def svg_whole(self, state: StateT) -> str:
        """Like `svg`, for the position with nothing hidden."""
        from games.picture import drawn

        return drawn(self.chart_whole(state), self.title, lambda: self.draw_whole(state))

    @abstractmethod
    def news(self, event: Table) -> str:
        """One event (as in a report or an entry) as an English sentence in plain ASCII.

        An event that somebody hears who missed the deadline has the key `missed` besides.
        """
