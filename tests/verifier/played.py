"""The games whose records are broken, one thing at a time, in `breaks.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from verifier.forger import Forger
from verifier.liar import Liar
from verifier.lies import about_ends, about_rulings
from verifier.lies.about_rulings import change_seat, new_join
from verifier.lies.base import DAY, QUIET, SETUP, SHOT

from adjudicator.player import seated
from orders.entries import Ruling


def ruled(game: Liar) -> None:
    """3 moves a deadline, 5 annuls entry 4, 6 moves one again."""
    game.play(SETUP, SHOT)
    game.table.clock.skip(2 * DAY)
    game.rule(Ruling("snow"), "2026-01-05T00:00:00Z")
    game.play(QUIET)
    game.rule(Ruling("an error", annuls=4))
    game.table.clock.skip(2 * DAY)
    game.rule(Ruling("snow"), "2026-01-08T00:00:00Z")
    game.finish()


def seat(game: Liar) -> None:
    """2 hands Bob's seat on, by agreement."""
    game.play(SETUP)
    join, signer, _ = new_join(game, "bob", b"\x36" * 32)
    consent = seated.consent(game.host.ledger, game.table.keys["bob"], join)
    game.tell(game.host.hand_on(join, "no time", consent))
    game.table.keys["old-bob"] = game.table.keys["bob"]
    change_seat(game, "bob", signer)
    game.play(SHOT).finish()


def taken(game: Liar) -> None:
    """2 hands Bob's seat on, and Bob does not sign that."""
    game.play(SETUP)
    join, signer, _ = new_join(game, "bob", b"\x36" * 32)
    game.tell(game.host.hand_on(join, "no time"))
    change_seat(game, "bob", signer)
    game.play(SHOT).finish()


def away(game: Liar) -> None:
    """Bob misses entries 3 and 5, and 6 hands his seat on, unsigned."""
    about_rulings.stay_away(game, 2)
    join, signer, _ = new_join(game, "bob", b"\x3c" * 32)
    game.tell(game.host.hand_on(join, "Bob stays away"))
    change_seat(game, "bob", signer)
    game.play({"alice": "fire S"}).finish()


def late(game: Liar) -> None:
    """Alice misses entry 2, and orders later."""
    game.play(SETUP)
    game.table.clock.skip(10 * DAY)
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


def reserve(game: Liar) -> None:
    """Bob is two days late for entry 3, and waited for; his reserve is used up."""
    game.play(SETUP, SHOT)
    game.table.clock.skip(5 * DAY)
    game.play(QUIET).finish()


def rethrown(game: Liar) -> None:
    """Bob gave no orders for the setup, and so no nonce."""
    game.submit({"alice": "start C4"})
    game.table.clock.skip(10 * DAY)
    game.tell(game.advance(late=True))
    game.play(SHOT, QUIET).finish()


def crowded(game: Liar) -> None:
    """Carol gave no orders for the setup, and so no nonce; and no orders ever."""
    game.submit(SETUP)
    game.table.clock.skip(10 * DAY)
    game.tell(game.advance(late=True))
    game.play(SHOT, QUIET).finish()


def abandoned(game: Liar) -> None:
    game.submit(SETUP)
    game.rule(Ruling("no time", abandons=True))


PLAYED: Mapping[str, Callable[[Liar], Any]] = {
    "example": lambda game: game.play(SETUP, SHOT, QUIET, {"alice": "silent"}),
    "ruled": ruled,
    "seat": seat,
    "taken": taken,
    "away": away,
    "early": away,
    "rest": lambda game: game.play(SETUP, SHOT, QUIET, {"alice": "silent"}),
    "late": late,
    "reserve": reserve,
    "rethrown": rethrown,
    "crowded": crowded,
    "abandoned": abandoned,
    "tabled": lambda game: game.submit({"alice": "start", "bob": "start"}),
    "sealing": about_ends.sealing_of_its_own,
}
TERMS = {
    "crowded": {"players": ("alice", "bob", "carol")},
    "tabled": {"game": "silent-ships", "options": {}},
    "reserve": {"options": {"first": "alice", "turn_time": "3d", "reserve_time": "1d"}},
    "away": {"options": {"first": "alice", "away": 2}},
    "early": {"options": {"first": "alice", "away": 3}},
    "rest": {"options": {"first": "alice", "rest": "sat,sun", "zone": "+01:00"}},
}


def play(name: str, make_table: Callable[..., Any], folder: Path) -> Forger:
    """The files of the game of that name, played in that folder."""
    game = Liar(make_table(folder, **TERMS.get(name, {})))
    if name != "sealing":
        game.begin()
    PLAYED[name](game)
    return Forger.of(game.table)
