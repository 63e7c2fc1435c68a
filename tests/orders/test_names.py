"""The names of a record's files, and of players (row 20)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders import names
from orders.errors import Refused
from orders.fields import check_name

PLAYERS = st.from_regex(r"[a-z][a-z0-9-]{0,31}", fullmatch=True)
STEPS = st.one_of(st.integers(0, 20), st.integers(9_990, 10_010), st.integers(0, 9_999_999))


@given(STEPS, PLAYERS)
def test_every_name_is_taken_apart_again(step: int, player: str) -> None:
    """Kind, step, player; with a signature where that kind of file has one."""
    made = {
        "join": names.join(player),
        "entry": names.entry(step),
        "slip": names.slip(step, player),
        "sealed": names.sealed_order(step, player),
        "opened": names.opened_order(step, player),
        "report": names.report(step, player),
    }
    for kind, path in made.items():
        name = names.parse(path)
        assert name is not None
        assert (name.kind, name.signature) == (kind, False)
        assert name.step == (None if kind == "join" else step)
        assert name.player == (None if kind == "entry" else player)
        signed = names.parse(names.signature(path))
        assert (signed is not None) == (kind in ("join", "entry", "slip"))
        assert signed is None or signed.signature


def test_names_sort_as_numbers_to_9999() -> None:
    """And have five digits from 10000 on."""
    assert names.entry(7) == "entries/0007.toml"
    assert names.entry(9_999) < names.entry(10_000).replace("10000", "A")
    assert names.slip(10_000, "alice") == "slips/10000-alice.toml"


@pytest.mark.parametrize(
    "path",
    [
        "", "invite", "invite.toml.sig.sig", "table.toml.sig", "entries", "entries/",
        "entries/7.toml", "entries/007.toml", "entries/00007.toml", "entries/0007.toml.bak",
        "entries/0007-alice.toml",
        "/entries/0007.toml", "../entries/0007.toml", "entries/../entries/0007.toml",
        "entries//0007.toml", "entries/0007.toml\n", "Entries/0007.toml", "slips/0007.toml",
        "slips/0007-Alice.toml", "slips/0007-../x.toml", "slips/0007-.toml", "joins/.toml",
        "joins/alice.toml/x", "orders/0007-alice.sealed.sig", "orders/0007-alice.toml.sig",
        "reports/0007-alice.toml", "receipts/0007-alice-1.toml",
        "slips/\u0660\u0660\u0660\u0667-alice.toml",
        "entries/0007.toml\0", "x" * 10_000,
    ],
)  # fmt: skip
def test_what_is_no_name_of_a_record(path: str) -> None:
    """Another spelling is no second name of the same file."""
    assert names.parse(path) is None


GOOD = ("a", "alice", "a-b", "a1", "x" * 32, "con1", "auxiliary", "hosts", "setup")
BAD = ("", "A", "1a", "-a", "a_b", "a b", "a.b", "../x", "x,dave", "*", "host", "con", "prn", "aux",
       "nul", "com0", "com9", "lpt1", "x" * 33, "x" * 300, "alice\n", "\nalice", "ålice",
       "\u0430lice",
       "alice\0", "a/b", "a\\b", "~", "CON", "Con")  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_good_names(name: str) -> None:
    """Small letters, digits and hyphens, a letter first."""
    assert check_name(name) == name


@pytest.mark.parametrize("name", BAD)
def test_row_20_hostile_names_are_refused(name: str) -> None:
    """Whatever could harm a file name, a terminal or a list of signers; quoted in plain ASCII."""
    with pytest.raises(Refused) as caught:
        check_name(name)
    assert caught.value.word == "malformed"
    assert caught.value.message.isascii()
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 200
