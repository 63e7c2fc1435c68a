"""A step under way: the position and the events so far.

What belongs here: what every rule changes. What it must not know: any rule.
"""

from __future__ import annotations

from games.game import Event
from games.sugar_dog.state import State
from games.values import changed


class Turn:
    """The setup or a turn under way. All that happens in it changes it in place.

    `events` is what was told so far. `state` is the position at this moment: its `fleets` and
    `contacts` are this turn's own, and are changed here. `state.turn` is the player whose place it
    is until the game is over, when it becomes None and nothing more is carried out. The position
    that the turn began with stays as it was.
    """

    def __init__(self, state: State) -> None:
        self.fleets = dict(state.fleets)
        self.contacts = dict(state.contacts)
        self.state = changed(state, fleets=self.fleets, contacts=self.contacts)
        self.events: list[Event] = []

    @property
    def goes_on(self) -> bool:
        """Whether the game is not over yet."""
        return self.state.turn is not None

    def tell(self, *events: Event) -> None:
        """More events, in this order."""
        self.events += events
