"""A step as it is carried out: the position and the events so far."""

from __future__ import annotations

from games.game import Event
from games.sugar_dog.state import State


class Turn:
    """The setup or a turn, as it is carried out; everything that happens in it changes it in place.

    `events` are those so far. `whose` is the player in whose place things happen; None once the
    game is over and nothing more is carried out. The other fields are those of `State`. The
    position with which the turn began stays as it was.
    """

    def __init__(self, state: State) -> None:
        self.events: list[Event] = []
        self.setup = state.setup
        self.fleets = dict(state.fleets)
        self.whose = state.turn
        self.n = state.n
        self.offers = state.offers
        self.contacts = dict(state.contacts)
        self.quiet = state.quiet
        self.misses = state.misses

    @property
    def state(self) -> State:
        """The position at this moment; its mappings are this turn's own."""
        return State(
            self.setup,
            self.fleets,
            self.whose,
            self.n,
            self.offers,
            self.contacts,
            self.quiet,
            self.misses,
        )

    def tell(self, *events: Event) -> None:
        """Add these events, in this order."""
        self.events += events
