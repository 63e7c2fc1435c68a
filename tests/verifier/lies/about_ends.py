"""Lies about how a game begins and ends, and lies that need more than one record to see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from replacing import replace
from verifier.liar import Liar, entry_of
from verifier.lies.about_reports import TOLD
from verifier.lies.base import DAY, EVERYBODY, QUIET, SETUP, SHOT, Lies, Said, all_see

from adjudicator.core import engine
from adjudicator.core.engine import NextEntry
from adjudicator.host import begin
from adjudicator.host.host import Host
from orders import names
from orders.documents import Invite
from orders.entries import Entry
from orders.errors import Refused
from orders.fields import digest
from orders.sealing import SealingKey
from orders.secrets import Master

LIES = Lies("beginning and end")
SEATING = "which joins the host turned away, and in which order the players joined"


def offer(game: Liar, change: Callable[[Invite], Any]) -> None:
    """Invite by a document that is changed so, and take the joins that come."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(begin, "Invite", lambda **values: change(Invite(**values)))
        try:
            game.table.offer()
        except Refused as error:
            for name in game.table.players:
                game.said[name] = [error.message]
                game.parted.add(name)
                (game.table.root / name).mkdir(exist_ok=True)


class Sized(Invite):
    """An invite with a key of protocol 1."""

    def render(self) -> bytes:
        """The document with the sizes that the host would like."""
        sizes = b"sizes = { order = 512, report = 512 }\n[options]"
        return super().render().replace(b"[options]", sizes)


@LIES(
    "m08",
    "names sizes of sealed files that suit it",
    begun=False,
    copies={EVERYBODY: Said(2)},
    **all_see("entries", "key 'sizes' is unknown"),
)
def name_sizes(game: Liar) -> None:
    offer(game, lambda invite: Sized(*invite))


@LIES(
    "p15",
    "takes orders under a key that does not come from its master",
    begun=False,
    verify=Said(1, "entries", "invite.toml: sealing does not come from the master"),
)
def sealing_of_its_own(game: Liar) -> None:
    """The key to which orders are sealed does not come from the master that is revealed."""
    other = SealingKey(b"\x44" * 32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "sealing", lambda master: other)
        game.begin()
        game.play(SETUP, SHOT).finish()


@LIES(
    "m10",
    "adjudicates by another program, and says so in genesis",
    begun=False,
    verify=Said(0, "engine", "adjudicator 99.0 (house rules)"),
)
def name_engine(game: Liar) -> None:
    game.table.offer()
    game.start_with(lambda genesis: replace(genesis, engine="adjudicator 99.0 (house rules)"))
    game.play(SETUP, SHOT).finish()


@LIES("m12", "seats the players as it likes", begun=False, unproved=SEATING)
def seat_as_it_likes(game: Liar) -> None:
    """Bob joined last, and plays first: nobody can tell in which order joins came."""
    game.table.offer()
    game.table.joins.reverse()
    game.start_with()
    game.play(SETUP, SHOT).finish()


@LIES("n13", "plays in its own game, under another key", unproved=TOLD)
def play_itself(game: Liar) -> None:
    game.play(SETUP, SHOT).finish()


@LIES(
    "p34",
    "begins two games by one invite",
    begun=False,
    at_once={EVERYBODY: "another entry of this number is in the copy"},
    verify=Said(4),
    fork="signed two entries 0 of one game",
)
def begin_twice(game: Liar) -> None:
    """A second game by the same invite, with the same nonces; Alice gets both."""
    game.table.offer()
    game.start_with()
    game.table.clock.skip(DAY)
    for end in ("", ".sig"):
        (game.table.record.root / (names.entry(0) + end)).unlink()
    game.start_with()


@LIES(
    "m13",
    "tells two players two histories",
    at_once={"alice": "chain broken at 3"},
    verify=Said(4),
    fork="signed two entries 2 of one game",
)
def two_histories(game: Liar) -> None:
    """Bob is told another history than Alice from entry 2 on."""
    game.play(SETUP)
    game.submit(SHOT)
    steps = game.advance()
    game.tell(steps, to=["alice"])
    game.resign(press=(digest(b"a message that Alice is not to hear of"),))
    game.tell(steps, to=["bob"])
    game.play(QUIET)


@LIES("m14", "does not reveal", verify=Said(4, "", "over at entry 3, not yet revealed"))
def no_reveal(game: Liar) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "_reveal", lambda host: None)
        game.play(SETUP, SHOT).finish()


@LIES(
    "n12",
    "reveals a game that is not over",
    **all_see("entries", "reveals a game that is not over"),
)
def reveal_early(game: Liar) -> None:
    game.play(SETUP)
    host = game.host
    early = engine.reveal(host.game, host.last)
    game.overwrite(names.entry(2), replace(early, outcome={"winner": "bob"}).render())
    game.tell([2])


def end_with(**values: Any) -> Callable[[Liar], None]:
    """A reveal that says something else."""

    def play(game: Liar) -> None:
        game.play(SETUP, SHOT)
        game.submit({"bob": "resign"})
        steps = game.advance()
        game.overwrite(names.entry(4), replace(game.last, **values).render())
        game.tell(steps)

    return play


LIES(
    "n14",
    "reveals another master",
    **all_see("entries", "the master is not the one that the invite commits to"),
)(end_with(master="ab" * 32))
LIES("n16", "reveals another outcome", **all_see("entries", "the outcome is winner = 'bob'"))(
    end_with(outcome={"winner": "bob"})
)


@LIES(
    "n28",
    "lets an entry follow the reveal",
    at_once={EVERYBODY: "follows the end of the game and is no reveal"},
    verify=Said(1, "entries", "follows the reveal"),
    copies={EVERYBODY: Said(0)},
)
def go_on_after(game: Liar) -> None:
    game.play(SETUP, SHOT).finish()
    last = game.last
    before = game.host.ledger.link(2).entry
    assert isinstance(before, Entry)
    prev = digest(game.table.record.read(names.entry(last.step)))
    more = replace(before, step=last.step + 1, prev=prev, slips={})
    game.overwrite(names.entry(more.step), more.render())
    game.tell_file(names.entry(more.step))


@LIES(
    "n29",
    "ends the game where the rules go on",
    verify=Said(1, "replay", "entries/0002.toml: awaited: "),
)
def end_early(game: Liar) -> None:
    over = {"kind": "over", "draw": True}

    def change(made: NextEntry) -> NextEntry:
        return entry_of(made, events=(*made.entry.events, over), awaited={})

    game.play(SETUP)
    game.step(SHOT, change=change)


@LIES(
    "n11",
    "awaits somebody though the game is over",
    **all_see("entries", "the game ends, and yet alice is awaited"),
)
def go_on_at_the_end(game: Liar) -> None:
    """The game is over; the host awaits somebody all the same."""
    game.play(SETUP, SHOT, QUIET)
    before = game.last
    game.submit({"alice": "silent"})
    game.advance()
    link = game.host.ledger.link(4)
    game.overwrite(names.entry(4), replace(link.entry, awaited=before.awaited).render())
    for end in ("", ".sig"):
        (game.table.record.root / (names.entry(5) + end)).unlink()
    game.tell([4])


@LIES(
    "p23",
    "keeps an opened order file from the reveal",
    verify=Said(4, "", "orders/0002-alice.txt is not there"),
)
def keep_an_order(game: Liar) -> None:
    game.play(SETUP, SHOT)
    game.submit({"bob": "resign"})
    steps = game.advance()
    (game.table.record.root / names.opened_order(2, "alice")).unlink()
    game.tell(steps)


@LIES(
    "n18",
    "opens another order file than the slip signed",
    at_once={EVERYBODY: "orders/0002-alice.txt is not the file that was signed"},
    verify=Said(
        1, "entries", "orders/0002-alice.txt does not have the digest that is signed for it"
    ),
    copies={EVERYBODY: Said(4)},
)
def other_opened(game: Liar) -> None:
    game.play(SETUP, SHOT)
    game.submit({"bob": "resign"})
    steps = game.advance()
    path = names.opened_order(2, "alice")
    data = game.table.record.read(path).replace(b"fire S", b"fire N")
    game.table.record.write(path, data)
    game.tell(steps)


@LIES(
    "m11", "plays two games with one master", together="have one master: one reveal opens them all"
)
def one_master(game: Liar) -> None:
    """A second game with the same secrets: the first reveal opens both."""
    game.play(SETUP, SHOT).finish()
    table = game.table
    again = type(table)(table.root / "again", options={"first": "bob"}, seed=table.seed)
    again.clock.skip(DAY)
    again.begin()
    game.beside = [again.record]
