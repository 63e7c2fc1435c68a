"""Bots for any game: what they share, one that writes random lines, and the levels of a captain.

A captain ranks the orders that it might give, each with a value in its game's own unit, and gives
the best. A weaker level is the same captain with an `ease`: orders are half as likely for each
`ease` by which they are worse than the best, so it errs as people do, a little often and grossly
seldom; and below a `floor` it never errs. One draw of integers decides. A stronger level is the
captain with a search (`games.search`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

from games.dice import Dice
from games.game import Bot, Deductions, Game, Player, Table, View, Written

MOST_LINES = 200
"""The most lines of one order file, because some games always offer one more."""
HALVINGS = 20
"""So many times the likelihood of an order is halved; beyond, it is not given."""


class Listener:
    """The base of bots: it keeps the view of the last report."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._view: View | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report; only the view matters."""
        self._view = view

    @property
    def view(self) -> View:
        """The last view heard; raises ValueError if there was none."""
        if self._view is None:
            raise ValueError(f"{self.player} has heard nothing yet")
        return self._view


class Walker(Listener):
    """Takes random offered lines until its orders are whole and the dice end them."""

    def __init__(self, game: Game[Any, Any], player: Player) -> None:
        super().__init__(player)
        self.game = game

    def order(self, dice: Dice) -> Written:
        """Lines that are whole orders; raises ValueError if none are offered."""
        lines: list[str] = []
        for number in range(MOST_LINES):
            after = self.game.after(self.view, lines)
            texts = [choice.text for choice in after.choices]
            if after.complete and (not texts or dice.below(f"enough/{number}", 3) == 0):
                return Written("\n".join(lines))
            if not texts:
                break
            lines.append(texts[dice.below(f"line/{number}", len(texts))])
        raise ValueError(f"no whole orders for {self.player} begin with {lines[:5]}")


class Ranked(NamedTuple):
    """Orders that a captain might give, and their value in its game's own unit."""

    value: int
    orders: str


class Captain(Listener, ABC):
    """A bot that knows what each of its possible orders is worth. `deduced` is its game's, and
    `mind` what that remembers. A search plays on with twins: what a captain keeps is replaced,
    never changed in place."""

    deduced: Callable[[View, Sequence[Table], Deductions | None], Deductions]

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._known: Deductions | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report, and work out what it shows."""
        super().hear(view, events)
        self._known = self.deduced(view, events, self._known)

    @property
    def mind(self) -> Any:
        """The memory of what was worked out last; None if nothing was heard."""
        return None if self._known is None else self._known.memory

    def twin(self) -> Self:
        """The same captain, which goes on apart."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    @abstractmethod
    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """At least one and at most `keep` orders for the step that now awaits this seat, best
        first; the dice decide between equals."""

    def chosen(self, written: Written) -> None:
        """Remember that these orders were given."""

    def order(self, dice: Dice) -> Written:
        """The best orders."""
        given = Written(self.ranked(dice, 1)[0].orders)
        self.chosen(given)
        return given

    def why(self, orders: str) -> str:
        """What speaks for orders that this captain ranked: words after a colon; "" for nothing."""
        return ""

    def worlds(self, dice: Dice, count: int) -> Sequence[Any]:
        """So many positions drawn from all that fit what this seat was told, each as likely as it
        is thought; none if the captain cannot tell. Only a search asks for them."""
        return ()

    def worth(self, state: Any) -> int:
        """What a position with nothing hidden is worth to this seat, in the unit of `ranked`."""
        return 0


class Level(NamedTuple):
    """How well a captain plays: see above. `ease`: in the unit of `ranked`, more than 0. `keep`:
    the most orders between which it chooses. `slips`: in hundredths, how often it overlooks its
    best orders."""

    ease: int
    floor: int | None = None
    keep: int = 64
    slips: int = 0

    def weights(self, values: Sequence[int]) -> list[int]:
        """The likelihood of each of these values, of which the first is the best."""
        return [
            0
            if self.floor is not None and value <= self.floor and value < values[0]
            else 2**HALVINGS >> min(HALVINGS, (values[0] - value) // self.ease)
            for value in values
        ]


class Eased:
    """A captain at a level below its own."""

    def __init__(self, captain: Callable[[Player], Captain], level: Level, player: Player) -> None:
        self._captain = captain(player)
        self._level = level
        self._ordered = 0

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report, as the captain does."""
        self._captain.hear(view, events)

    def chosen(self, written: Written) -> None:
        """Remember that these orders were given, as the captain does."""
        self._captain.chosen(written)
        self._ordered += 1

    def order(self, dice: Dice) -> Written:
        """One of the orders that the captain ranks, drawn."""
        ranked = self._captain.ranked(dice, self._level.keep)
        label = f"level/{self._captain.player}/{self._ordered}"
        if len(ranked) > 1 and dice.below(f"{label}/slip", 100) < self._level.slips:
            ranked = ranked[1:]
        weights = self._level.weights([one.value for one in ranked])
        given = Written(ranked[dice.weighted(label, weights)].orders)
        self.chosen(given)
        return given


def levels(
    captain: Callable[[Player], Captain],
    random: Callable[[Player], Bot],
    admiral: Callable[[Player], Bot] | None = None,
    **below: Level,
) -> Mapping[str, Callable[[Player], Bot]]:
    """A game's bots by name, the weakest first. `below`: the levels below the captain's."""
    weaker = {name: partial(Eased, captain, level) for name, level in below.items()}
    stronger = {} if admiral is None else {"admiral": admiral}
    return {"random": random, **weaker, "captain": captain, **stronger}
