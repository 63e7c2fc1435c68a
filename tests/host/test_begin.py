"""How a game begins: invites that are offered, joins that are taken, and those that are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from spoil import LOW_KEYS

from adjudicator.core import bundles
from adjudicator.host import begin
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Join, read_join
from orders.errors import Refused
from orders.public_key import PublicKey

Table = Any


def joined(table: Table, name: str, **values: Any) -> Bundle:
    """A join with other values, signed again by its player."""
    held = dict(bundles.of_join(table.record, name).files) if table.record.last_step() else {}
    held = held or dict(next(b for b in table.joins if names.join(name) in dict(b.files)).files)
    join = replace(read_join(held[names.join(name)]), **values)
    return sign(table, join, name)


def sign(table: Table, join: Join, by: str) -> Bundle:
    data = join.render()
    path = f"joins/{join.player}.toml"
    signature = table.keys[by].sign(sshsig.JOIN, data)
    return bundles.pack("join", {path: data, names.signature(path): signature})


def start(table: Table, *joins: Bundle) -> Bundle:
    return begin.start(table.record, joins, table.signer, table.clock)


@pytest.mark.parametrize("what", LOW_KEYS)
def test_row_2_hostile_public_keys_are_refused_at_join(offered: Table, what: str) -> None:
    """Row 2: as signing key and as sealing key; nothing is begun."""
    raw = LOW_KEYS[what]
    for values in ({"key": PublicKey(raw).line}, {"sealing": raw.hex()}):
        with pytest.raises(Refused) as caught:
            start(offered, joined(offered, "alice", **values), offered.joins[1])
        assert caught.value.word == "bad-key"
        assert offered.record.last_step() is None


HOSTILE_NAMES = (
    "../x", "con", "CON", "*", "x,dave", "x" * 300, "host", "", "-x", "1x", "nul", "com1",
    "lpt9", "al ice", "alice\n", "al.ice", "ålice", "setup", "turn",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_row_20_hostile_names_are_refused_at_join(offered: Table, name: str) -> None:
    """Row 20: before anything is written under them."""
    before = offered.held()
    try:
        hostile = joined(offered, "alice", player=name)
    except (Refused, ValueError):
        return  # no bundle can even hold it
    with pytest.raises(Refused):
        start(offered, hostile, offered.joins[1])
    assert offered.held() == before


def test_no_key_stands_twice(offered: Table) -> None:
    """Not in an invite and a join, nor in two joins; nor is a nonce committed to twice."""
    alice = read_join(dict(offered.joins[0].files)["joins/alice.toml"])
    for values in ({"sealing": alice.sealing}, {"nonce": alice.nonce}):
        with pytest.raises(Refused, match="stands twice"):
            start(offered, offered.joins[0], joined(offered, "bob", **values))
    same = sign(offered, replace(alice, player="bob"), "alice")
    with pytest.raises(Refused, match="stands twice"):
        start(offered, offered.joins[0], same)
    invite = offered.held()
    assert "entries/0000.toml" not in invite
    as_host = replace(alice, key=offered.signer.public.line).render()
    signature = offered.signer.sign(sshsig.JOIN, as_host)
    hosts = bundles.pack("join", {"joins/alice.toml": as_host, "joins/alice.toml.sig": signature})
    with pytest.raises(Refused, match="host's key"):
        start(offered, hosts, offered.joins[1])


def test_joins_that_are_none(offered: Table, finished: Table) -> None:
    """Of another invite, of one name twice, by another key, too few players, another kind."""
    for joins, word in (
        ((joined(offered, "alice", invite="0" * 64), offered.joins[1]), "mismatch"),
        ((offered.joins[0], offered.joins[0]), "malformed"),
        ((offered.joins[0],), "malformed"),
        ((offered.joins[0], *bundles.of_entry(finished.record, 1)), "bad-bundle"),
        ((sign(offered, read_join(dict(offered.joins[0].files)["joins/alice.toml"]), "bob"),
          offered.joins[1]), "bad-signature"),
    ):  # fmt: skip
        with pytest.raises(Refused) as caught:
            start(offered, *joins)
        assert caught.value.word == word
    assert offered.record.last_step() is None
