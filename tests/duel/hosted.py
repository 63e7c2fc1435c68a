"""Duels beside the hosted game: both sides of one, played by bots, and what a host would have told.

The host here knows both secrets, so that its players draw what the two sides draw. All else is the
game's own adjudication of the same orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import pytest

from adjudicator.duel import side
from adjudicator.duel.side import Side, SideFacts, secrets_of
from games.bots import Walker
from games.dice import Dice
from games.duel import Half
from games.game import Bot, Event, Game, Illegal, Player, Setup, Written
from games.grid import HEADINGS, Board, Cell, read_cell
from games.silent_ships import GAME as SILENT
from games.silent_ships.bot import Captain, Random, stood
from games.silent_ships.cards import NAMES
from games.silent_ships.state import Standing
from games.sugar_dog import GAME as SUGAR
from games.sugar_dog.duel import HIDDEN, Door
from games.sugar_dog.state import MINES, Fleet, Torpedo
from orders.doors import Doors
from orders.secrets import DuelSecret

MOST_MOVES = 5_000
IDLE = 20
"""Orders in a row that a duel may refuse before the test gives up."""


def drawn(text: str) -> bytes:
    """32 bytes for a test."""
    return sha256(text.encode()).digest()


@dataclass
class Hosted:
    """The hosted game of the same orders: the state after each step, and the step's events.

    `files`: what was ordered, by step and player.
    """

    game: Game[Any, Any]
    setup: Setup
    secrets: Mapping[Player, DuelSecret]
    states: list[Any] = field(default_factory=list)
    events: list[tuple[Event, ...]] = field(default_factory=list)
    files: dict[tuple[int, Player], Written] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.states.append(self.game.start(self.setup))

    def go_on(self) -> None:
        """Adjudicate every step whose orders are all there."""
        while asked := self.game.awaited(self.states[-1]):
            step = len(self.states)
            if any((step, one.player) not in self.files for one in asked):
                return
            done = self.adjudicated(step, self.half(step))
            self.states.append(done.state)
            self.events.append(done.events)

    def half(self, step: int) -> Half:
        """One that hides nothing."""
        secrets = {name: secrets_of(secret, step) for name, secret in self.secrets.items()}
        return Half(secrets, (), {name: one.release for name, one in secrets.items()})

    def adjudicated(self, step: int, half: Half) -> Any:
        """That step, by the orders as they are read from their authors' views."""
        state = self.states[step - 1]
        orders = {}
        for one in self.game.awaited(state):
            written = self.files[step, one.player]
            orders[one.player] = self.game.read(self.game.view(state, one.player), written)
        assert self.game.duel is not None
        return self.game.duel.step(state, orders, half)

    def heard(self, step: int, player: Player) -> tuple[dict[str, Any], ...]:
        """The events that a report of that step tells."""
        return tuple(one.whole() for one in self.events[step - 1] if one.heard_by(player))


@dataclass
class Played:
    """A duel between two sides, move for move; `compared` counts reports equal to a host's."""

    hosted: Hosted
    sides: Mapping[Player, Side]
    moves: list[tuple[Player, SideFacts]] = field(default_factory=list)
    compared: int = 0

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return sum(event.kind == "turn" for events in self.hosted.events for event in events)

    def compare(self, player: Player, before: int) -> None:
        """What a side has heard, from that report on, is what a host would have told it."""
        side, hosted = self.sides[player], self.hosted
        hosted.go_on()
        assert len(side.heard) == side.step - 1
        for heard in side.heard[before:]:
            state = hosted.states[heard.step]
            view = hosted.game.view(state, player)
            assert heard.events == hosted.heard(heard.step, player), (heard.step, player)
            assert hosted.game.public(heard.view) == hosted.game.public(view)
            assert hosted.game.awaited(state) == heard.awaited
            # What patrol ships see when the game is over is told by the opening.
            if hosted.game.outcome(state) is None:
                assert heard.view.shown == view.shown, (heard.step, player)
            self.compared += 1


def play(
    game: Game[Any, Any],
    setup: Setup,
    bots: Mapping[Player, Bot],
    seed: str,
    offerer: Player,
    begin: Callable[[Played], None] = lambda played: None,
) -> Played:
    """A duel between two bots, in which every report is compared before its reader orders.

    `begin` may put both sides and the host into another position when the setup is over.
    """
    names = setup.players
    secrets = {name: DuelSecret(drawn(f"{seed}/{name}")) for name in names}
    dice = {name: Dice(drawn(f"{seed}/bot/{name}")) for name in names}
    hosted = Hosted(game, setup, secrets)
    sides: dict[Player, Side] = {}
    for name, other in (names, names[::-1]):
        bots[name].hear(game.view(hosted.states[0], name), ())
        first = hosted.files[1, name] = bots[name].order(dice[name])
        sides[name] = Side(game, setup, name, secrets[name], secrets[other].release(1), first)
    played = Played(hosted, sides)
    heard = dict.fromkeys(names, 0)
    mover = offerer
    begun = False
    while any(side.outcome is None for side in sides.values()):
        assert len(played.moves) < MOST_MOVES, "no end"
        side = sides[mover]
        if not begun and all(side.step == 2 for side in sides.values()):
            hosted.go_on()
            begin(played)
            begun = True
        while side.prompt is not None:
            played.compare(mover, heard[mover])
            for report in side.heard[heard[mover] :]:
                bots[mover].hear(report.view, report.events)
            heard[mover] = len(side.heard)
            step = side.step
            hosted.files[step, mover] = ordered(side, bots[mover], dice[mover])
        said = side.say()
        played.moves.append((mover, said))
        mover = next(name for name in names if name != mover)
        sides[mover].take(said.facts, len(said.orders))
    # Who knows that the game is over waits for nothing, and owes nothing.
    assert not any(side.tells for side in sides.values())
    for name in names:
        played.compare(name, heard[name])
    return played


def ordered(side: Side, bot: Bot, dice: Dice) -> Written:
    """The bot's first orders that a duel takes."""
    for _ in range(IDLE):
        written = bot.order(dice)
        try:
            side.play(written)
        except Illegal as error:
            assert "turns that ship up anyway" in error.expected
        else:
            return written
    raise AssertionError(f"nothing is taken: {written}")


class Wild(Walker):
    """Any lines that may follow each other, waiting ones too, and now and then any standing orders;
    seldom the end of the game."""

    def __init__(self, game: Game[Any, Any], player: Player) -> None:
        super().__init__(game, player)
        self._count = 0

    def order(self, dice: Dice) -> Written:
        """The orders for which this seat is awaited."""
        while True:
            self._count += 1
            own = Dice(drawn(f"{dice.seed.hex()}/{self._count}"))
            written = super().order(own)
            ends = {"resign", "offer end", "draw"} & set(written.orders.split("\n"))
            if not ends or own.below("end", 10) == 0:
                return Written("\n".join([*self._standing(own), written.orders]))

    def _standing(self, dice: Dice) -> tuple[str, ...]:
        if not self.game.tables or dice.below("standing", 3):
            return ()
        return stood(
            Standing(
                ("ask", "never", "always")[dice.below("retreat", 3)],
                ("ask", "never", "all")[dice.below("support", 3)],
                tuple(dice.shuffle("cards", NAMES)[: dice.below("many", 12)])
                if dice.below("list", 2)
                else None,
            )
        )


BOTS: Mapping[str, Callable[[Player], Bot]] = {
    "captain": Captain,
    "asker": lambda player: Captain(player, standing=False),
    "random": Random,
    "wild": lambda player: Wild(SILENT, player),
}
EDITIONS: tuple[dict[str, Any], ...] = (
    {},
    {"speed": True},
    {"flag_ship": False},
    {"edition": "2021-09-12"},
    {"edition": "2021-09-17"},
    {"stalemate": 0},
    {"first": "bob"},
)


def silent(number: int, edition: Mapping[str, Any]) -> Played:
    """Silent Ships, number for number between other bots."""
    pairs = [(one, other) for one in BOTS for other in BOTS]
    one, other = pairs[number % len(pairs)]
    setup = SILENT.setup(("alice", "bob"), {**edition, "missed": "resign"})
    bots = {"alice": BOTS[one]("alice"), "bob": BOTS[other]("bob")}
    offerer = setup.players[number // len(pairs) % 2]
    return play(SILENT, setup, bots, f"{sorted(edition.items())}/{number}", offerer)


SUGAR_BOTS: Mapping[str, Callable[[Player], Bot]] = {
    **SUGAR.bots,
    "wild": lambda player: Wild(SUGAR, player),
}
SUGAR_OPTIONS: tuple[dict[str, Any], ...] = ({}, {"first": "bob"}, {"quiet": 6})


class PlainDoors(Doors):
    """Doors that keep nothing secret, and take no time: for tests of the rules."""

    def door(self, label: str, *, taken: bool) -> bytes:
        """See Doors."""
        return drawn(f"{self._secret.hex}/{label}/{taken}")

    def fault(self, door: bytes) -> str:
        """See Doors."""
        return ""

    def seal(self, door: bytes, free: bytes, taken: bytes) -> bytes:
        """See Doors."""
        return door + free + taken + bytes(32)

    def open(self, label: str, box: bytes, free: int, *, taken: bool) -> bytes | None:
        """See Doors."""
        letters = box[32:-32]
        own = self.door(label, taken=taken) == box[:32]
        return (letters[free:] if taken else letters[:free]) if own else None


def sugar(number: int, options: Mapping[str, Any], doors: type[Doors] = PlainDoors) -> Played:
    """Sugar Dog, number for number between other bots."""
    pairs = [(one, other) for one in SUGAR_BOTS for other in SUGAR_BOTS]
    one, other = pairs[number % len(pairs)]
    setup = SUGAR.setup(("alice", "bob"), {**options, "missed": "resign"})
    bots = {"alice": SUGAR_BOTS[one]("alice"), "bob": SUGAR_BOTS[other]("bob")}
    offerer = setup.players[number // len(pairs) % 2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side, "Doors", doors)
        return play(SUGAR, setup, bots, f"sugar/{sorted(options.items())}/{number}", offerer)


def placed(
    fleets: Mapping[Player, Fleet],
    bots: Mapping[Player, Bot],
    options: Mapping[str, Any],
    seed: str,
    doors: type[Doors] = PlainDoors,
) -> Played:
    """Sugar Dog from a position in which alice is next, or whom `options` name as the first."""
    setup = SUGAR.setup(("alice", "bob"), {"first": "alice", **options, "missed": "resign"})

    def begin(played: Played) -> None:
        state = played.hosted.states[-1]
        played.hosted.states[-1] = state._replace(fleets=fleets)
        for name, one in played.sides.items():
            one.state = half_of(one.state, name, fleets, played.hosted.secrets)
            one.heard[-1] = one.heard[-1]._replace(half=one.state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side, "Doors", doors)
        return play(SUGAR, setup, bots, seed, setup.players[len(seed) % 2], begin)


def dense(number: int, options: Mapping[str, Any], doors: type[Doors] = PlainDoors) -> Played:
    """Sugar Dog from a crowded position, drawn by the number: 2 to 4 torpedoes and 3 mines a side,
    some of them in one cell."""
    dice = Dice(drawn(f"dense/{number}"))
    names = ("alice", "bob")
    bots: dict[Player, Bot] = {name: Wild(SUGAR, name) for name in names}
    fleets = {name: _crowded(dice, name) for name in names}
    return placed(fleets, bots, {"first": names[number % 2], **options}, f"dense/{number}", doors)


def cell(name: str) -> Cell:
    """The cell of that name."""
    found = read_cell(name)
    assert found is not None
    return found


class Script:
    """A bot that gives these orders after its start, then stays silent, and resigns at last."""

    def __init__(self, *orders: str) -> None:
        self.orders = ["start A1", *orders, "silent", "resign"]

    def hear(self, view: Any, events: Any) -> None:
        """See Bot."""

    def order(self, dice: Dice) -> Written:
        """See Bot."""
        return Written(self.orders.pop(0))


def _crowded(dice: Dice, name: Player) -> Fleet:
    """A fleet that lies close: its columns and rows are of a part of the map."""
    cells = dice.shuffle(f"cells/{name}", Board(6, 6).cells())[:9]

    def drawn_cell(what: str) -> Cell:
        return cells[dice.below(f"{name}/{what}", len(cells))]

    mines = tuple(drawn_cell(f"mine/{at}") for at in range(MINES))
    torpedoes = tuple(
        Torpedo(drawn_cell(f"at/{at}"), HEADINGS[dice.below(f"{name}/to/{at}", 4)])
        for at in range(2 + dice.below(f"{name}/torpedoes", 3))
    )
    return Fleet(drawn_cell("sub"), mines, dice.below(f"{name}/left", 3), torpedoes)


def half_of(
    state: Any, player: Player, fleets: Mapping[Player, Fleet], secrets: Mapping[Player, DuelSecret]
) -> Any:
    """That player's half of a position in which the player who is not on turn tells new doors."""
    second = state.setup.after(state.turn)[0]
    row = [cell in fleets[second].objects() for cell in state.board.cells()]
    made = side.Doors(secrets[second])
    own = [Door(made.door(f"{at}", taken=one), f"{at}", one) for at, one in enumerate(row)]
    theirs = [Door(door.public) for door in own]
    hidden = {name: Fleet(HIDDEN) for name in fleets}
    return state._replace(
        fleets={**hidden, player: fleets[player]},
        doors={**state.doors, second: own if player == second else theirs},
    )
