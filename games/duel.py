"""What a game gives if two people can play it without a host: its rules on half of a position.

In a duel each player's machine runs the rules on a half: all that this player knows, with blanks
for what the other hides. Where the rules need what is hidden, they ask its owner. The owner's half
knows it, and writes it down as a *fact*, a short line of text, for the other; the other half reads
it, judges whether it can be, and goes on. Both halves ask in the same order for each owner, so
facts need no numbers. If a fact has not come yet, the half stops (`Waiting`), and the step is run
again from its beginning once it has come.

What belongs here: facts as they pass between a half and its game. What it must not know: messages,
keys, clocks, the rules of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from games.dice import Dice
from games.game import Player, Step, Table, View, Written

T = TypeVar("T")


class Waiting(Exception):
    """The rules need a fact that its owner has not told yet."""


class Untrue(Exception):
    """A fact that cannot be, whatever its owner hides: one line of plain text says why."""


class Doors(Protocol):
    """What one player makes of their secret, so that one hears something only if they hide nothing
    in a place, or only if they do (`orders.doors`, which says why).

    For each place a player publishes a door. A box for a door holds two letters, of which the
    door's owner can open one: the first if the place is free, the second if it is taken. A `label`
    names everything on which a door depends.
    """

    def door(self, label: str, *, taken: bool) -> bytes:
        """The door of a place: 32 bytes, which nobody can guess."""

    def fault(self, door: bytes) -> str:
        """Why these bytes are no door; "" if they are."""

    def seal(self, door: bytes, free: bytes, taken: bytes) -> bytes:
        """The box with these letters for a door of the other's: 64 bytes longer than they. Each
        letter must hold something that nobody can guess."""

    def open(self, label: str, box: bytes, free: int, *, taken: bool) -> bytes | None:
        """The letter in a box for the door that `door` makes of the same; None if it does not open.
        `free`: the size of the first letter."""


class Secrets(NamedTuple):
    """What comes from one player's secret in one step.

    `release`: 64 hex digits that this player tells so that the other can draw. `dice`: the dice of
    this player's own draws, from what the other released. `doors`: the same in every step.
    """

    release: str
    dice: Callable[[str], Dice]
    doors: Doors


class Half:
    """What passes in one step between a half and its game.

    `secrets` are those of the half's player; with both players' there is nothing to ask, as for a
    host. `told` are the facts of the other player that no earlier step used. `tells` are the facts
    that this half tells, `used` counts those of `told` that the step has read. `released`: what
    players have released in this step already.
    """

    def __init__(
        self,
        secrets: Mapping[Player, Secrets],
        told: Sequence[str] = (),
        released: Mapping[Player, str] = MappingProxyType({}),
    ) -> None:
        self.secrets = secrets
        self.told = told
        self.tells: list[str] = []
        self.used = 0
        self._released = dict(released)

    def knows(self, owner: Player) -> bool:
        """Whether this half knows what that player hides."""
        return owner in self.secrets

    def fact(
        self,
        owner: Player,
        what: str,
        known: Callable[[], T],
        write: Callable[[T], str],
        read: Callable[[str], T],
    ) -> T:
        """What `owner` alone knows: told to the other if this half knows it, otherwise read.

        `what` is the fact's first word. Raises Waiting, and Untrue for a fact of another kind or
        one that is not in the form in which it is written.
        """
        if self.knows(owner):
            value = known()
            self.tells.append(f"{what} {write(value)}")
            return value
        if self.used == len(self.told):
            raise Waiting
        text = self.told[self.used]
        self.used += 1
        head, _, body = text.partition(" ")
        if head != what:
            raise Untrue(f"{text!a:.80}: expected `{what}`, which the rules ask now")
        value = read(body)
        if write(value) != body:
            raise Untrue(f"{text!a:.80}: expected `{what} {write(value):.80}`")
        return value

    @property
    def drawn(self) -> Dice:
        """The dice of what is drawn openly in the setup, from what both released."""
        text = "".join(self._released[player] for player in sorted(self._released))
        return Dice(sha256(text.encode("ascii")).digest())

    def draws(self, player: Player, releaser: Player) -> Dice | None:
        """The dice of that player's draws in this step; None if this half does not know them.

        `releaser` is the other player, who first tells their release, once in a step.
        """
        if releaser not in self._released:
            self._released[releaser] = self.fact(
                releaser, "release", lambda: self.secrets[releaser].release, str, _hex
            )
        if not self.knows(player):
            return None
        return self.secrets[player].dice(self._released[releaser])


def _hex(text: str) -> str:
    if len(text) != 64 or text.strip("0123456789abcdef"):
        raise Untrue(f"release {text!a:.80}: expected 64 hex digits")
    return text


class Duel(Protocol):
    """The optional part of a `Game`: how it is played by two people without a host.

    A half is a state of the game, with blanks in it. `start`, `awaited`, `outcome`, and `view` for
    the half's own player, must work on it as on a whole one; so must `read`, from that view.
    """

    @property
    def options(self) -> Table:
        """Options that a duel fixes: what they would do needs a player who is not there."""

    @property
    def room(self) -> int:
        """The length to which the orders of one step are padded, in bytes; four of them say how
        long they are."""

    def read(self, view: View, written: Written) -> Any:
        """As `Game.read`; raises Illegal too for what would tell the other more than a host
        does."""

    def step(self, state: Any, orders: Mapping[Player, Any], half: Half) -> Step[Any]:
        """One step of a half. `orders` are those of the half's player, if they are awaited; where
        nothing is hidden, everybody's. Its events are right for that player alone.

        Raises Waiting and Untrue.
        """
