"""Blocks in the text of mails: found where people paste and clients quote, never another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from mail.conftest import receipts

from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.player.letters import message
from orders.bundle import Bundle, encode

BUNDLE = Bundle("order", (("slips/0001-a.toml", b"x" * 400),))


BLOCK = encode(BUNDLE).decode()


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, len(BLOCK) - 1),
    st.integers(0, 8),
    st.text(alphabet="AB+/=>| \n\u00a0\u200bxyz-", max_size=8),
)
def test_never_another_bundle(at: int, count: int, new: str) -> None:
    """However a block is changed, what comes of it is that bundle or none."""
    for found in block.find(BLOCK[:at] + new + BLOCK[at + count :]):
        assert found.bundle in (None, BUNDLE)


Mailroom = Any


def test_pasted_into_a_reply(
    mailroom: Callable[..., Mailroom], write: Any, words: Any, armored: Any
) -> None:
    """A plain mail with the block pasted above the quoted mail of the host is taken."""
    room = mailroom().begin()
    bundle = block.choose(read_mail(room.order("alice", "start C4")).blocks, ("order",))
    asked = room.got("alice")[-1].decode()
    quoted = "".join(f"> {line}\n" for line in asked.splitlines())
    body = f"{armored(bundle)}\nOn Saturday the referee wrote:\n{quoted}"
    room.box.put(write("somebody-else@example.com", body))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]
    assert [to for _, to, _ in room.wire.out if "somebody" in to] == []


def test_two_bundles(mailroom: Callable[..., Mailroom], write: Any, armored: Any) -> None:
    """Row 23: two different orders in one mail are refused, and neither is used."""
    room = mailroom().begin()
    made = [
        block.choose(read_mail(room.order("alice", x)).blocks, ("order",))
        for x in ("start C4", "start C3")
    ]
    room.box.put(write("alice@example.org", "\n".join(armored(one) for one in made)))
    room.turn()
    assert "ambiguous" in room.last("alice")
    assert room.host.folder.waiting() == {}


def test_orders_above_a_quoted_message(
    mailroom: Callable[..., Mailroom], write: Any, armored: Any
) -> None:
    """Bob answers a message with his orders, and his client quotes its attachment: orders count."""
    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    passed = block.choose(read_mail(room.got("bob")[-1]).blocks, ("letter",))
    quoted = "".join(f"> {line}\n" for line in armored(passed).splitlines())
    room.box.put(write("bob@example.org", armored(room.sealed("bob", "start C1")) + quoted))
    room.turn()
    assert receipts(room.got("bob")) == ["accepted"]
