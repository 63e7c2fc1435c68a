"""What a lie is, who notices it, and by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.liar import Liar

Play = Callable[[Liar], Any]

DAY = 86_400
SETUP = {"alice": "start C4", "bob": "start C1"}
"""Alice fires south from here, Bob stays, and the torpedo comes to Bob's cell at step 4."""
SHOT = {"alice": "fire S"}
QUIET = {"bob": "silent"}

EVERYBODY = "everybody"
SENT = "that a file, a report or a receipt was ever sent"


@dataclass(frozen=True)
class Said:
    """What a verification says: its exit code, and a claim with words that stand in it.

    `code` 0 with a claim: the record is true, and the line is told all the same.
    """

    code: int = 0
    claim: str = ""
    text: str = ""

    @property
    def notices(self) -> bool:
        """Whether it says more than it says of an honest game."""
        return self.code in (1, 3) or bool(self.text)


@dataclass(frozen=True)
class Lie:
    """One lie of a host, and exactly who notices it.

    `does`: what the host does, as the rest of a sentence that begins with "The host". `play` does
    it. `at_once`: by player (or `everybody`) words that their tool says as they take in what the
    host sends; nobody else's tool says anything. `verify`: what `verify` says of the host's record.
    `copies`: of a player's copy, where that is something else. `seats`: what it says of that copy
    with the player's seat, where that is something else. `fork`: what `verify --against` proves
    by two copies or a player's receipts. `together`: what `verify` tells of several records of
    this host. `unproved`: the line among what is not proved that speaks of this lie. `begun`: the
    game has had its genesis when `play` begins. `terms`: further arguments of the table.
    """

    id: str
    about: str
    does: str
    play: Play
    at_once: Mapping[str, str] = field(default_factory=dict)
    verify: Said = Said()
    copies: Mapping[str, Said] = field(default_factory=dict)
    seats: Mapping[str, Said] = field(default_factory=dict)
    fork: str = ""
    together: str = ""
    unproved: str = ""
    begun: bool = True
    terms: Mapping[str, Any] = field(default_factory=dict)

    def warned(self, player: str) -> str:
        """The words that this player's tool says at once; "" where it says nothing."""
        return self.at_once.get(player, self.at_once.get(EVERYBODY, ""))

    def of_copy(self, player: str, *, parted: bool) -> Said:
        """What `verify` says of that player's copy; `parted`: their tool took no more in."""
        usual = Said(4) if parted else self.verify
        return self.copies.get(player, self.copies.get(EVERYBODY, usual))


class Lies(list[Lie]):
    """The lies about one thing: `@LIES(id, does, ...)` puts what the host does into the list."""

    def __init__(self, about: str) -> None:
        super().__init__()
        self.about = about

    def __call__(self, id: str, does: str, **noticed: Any) -> Callable[[Play], Play]:
        """A row of `Lie`, but for what plays it, which is decorated, or called with."""

        def add(play: Play) -> Play:
            self.append(Lie(id, self.about, does, play, **noticed))
            return play

        return add


def all_see(claim: str, text: str) -> dict[str, Any]:
    """Everybody's tool says that at once, and `verify` the same of that claim, which is false."""
    return {"at_once": {EVERYBODY: text}, "verify": Said(1, claim, text)}


def alice_sees(code: int, text: str) -> dict[str, Any]:
    """Alice's tool says that at once, and `verify` with her seat the same of its receipts."""
    return {"at_once": {"alice": text}, "seats": {"alice": Said(code, "receipts", text)}}
