"""What a host refuses is refused in words that say what is wrong, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from replacing import replace
from table import join_of

from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.host import begin
from adjudicator.host.folder import HostFolder
from adjudicator.host.restore import Pool, bring_invite, restore
from adjudicator.host.waiting_room import WaitingRoom
from orders import names, sshsig
from orders.documents import read_join
from orders.errors import Refused
from orders.sshsig import Signed

Table = Any


def twice(table: Table) -> None:
    table.offer()
    begin.start(table.record, [table.joins[0], table.joins[0]], table.signer, table.clock)


def full(table: Table) -> None:
    table.offer()
    room = WaitingRoom(HostFolder(table.record.host), read_offer(table.record))
    room.folder.set_seats(1)
    for join in table.joins:
        room.take(join)


def full_but_for_who_comes_again(table: Table) -> None:
    """Who waits may send another join, as often as they like."""
    table.offer()
    room = WaitingRoom(HostFolder(table.record.host), read_offer(table.record))
    room.folder.set_seats(1)
    room.take(table.joins[0])
    for _ in range(2):
        room.take(table.joins[0])
    raise Refused("done", "all were taken")


def to_nobodys_seat(table: Table) -> None:
    table.begin()
    join = replace(read_join(dict(join_of(table.record, "bob").files)[names.join("bob")]),
                   player="carol")  # fmt: skip
    file = Signed.by(table.keys["bob"], sshsig.JOIN, join.render())
    table.host.hand_on(bundles.pack("join", file.files(names.join("carol"))), "no time")


def without_an_invite(table: Table) -> None:
    table.offer()
    (table.record.root / names.INVITE).unlink()
    bring_invite(table.record, Pool())


def without_a_genesis(table: Table) -> None:
    table.offer()
    restore(table.record, table.signer, table.clock, Pool())


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("two joins as alice", twice),
        ("illegal: all seats of this game are taken", full),
        ("done: all were taken", full_but_for_who_comes_again),
        ("no-seat: carol has no seat in this game", to_nobodys_seat),
        ("has no invite, and there is none of this host elsewhere", without_an_invite),
        ("missing: the first entry is nowhere here", without_a_genesis),
    ],
)
def test_the_words(
    words: str, act: Callable[[Table], None], make_table: type, tmp_path: Any
) -> None:
    with pytest.raises(Refused) as caught:
        act(make_table(tmp_path / "table"))
    assert words in str(caught.value)


def test_nothing_follows_the_reveal(finished: Table) -> None:
    with pytest.raises(Refused, match=r"^over: the game is over and revealed"):
        finished.host.advance()
