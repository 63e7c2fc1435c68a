"""The names of a record's files, and of players (row 20)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders import names
from orders.documents import LAST_STEP

PLAYERS = st.from_regex(r"[a-z][a-z0-9-]{0,31}", fullmatch=True)
STEPS = st.one_of(st.integers(0, 20), st.integers(9_990, 10_010), st.integers(0, 9_999_999))


SIGNED = {"join", "entry", "slip", "seat", "consent"}


@given(STEPS, PLAYERS)
def test_every_name_is_taken_apart_again(step: int, player: str) -> None:
    """Kind, step, player; with a signature where that kind of file has one."""
    made = {
        "join": names.join(player),
        "entry": names.entry(step),
        "slip": names.slip(step, player),
        "seat": names.seat(step, player),
        "consent": names.consent(step, player),
        "sealed": names.sealed_order(step, player),
        "opened": names.opened_order(step, player),
        "report": names.report(step, player),
    }
    for kind, path in made.items():
        name = names.parse(path)
        assert name is not None
        assert (name.kind, name.signature) == (kind, False)
        assert kind == "join" or name.step == step
        assert kind == "entry" or name.player == player
        signed = names.parse(names.signature(path))
        assert (signed is not None) == (kind in SIGNED) == names.is_ours(names.signature(path))
        assert signed is None or (signed.kind, signed.signature) == (kind, True)


def test_a_name_without_a_step_has_none() -> None:
    """No such file is taken for one of step 0, or for anybody's."""
    for path, lacks in (
        ("invite.toml", "step player"),
        ("joins/alice.toml.sig", "step"),
        ("entries/0000.toml", "player"),
        (".gitattributes", "step player"),
    ):
        name = names.parse(path)
        assert name is not None
        assert (name.step == -1) == ("step" in lacks)
        assert (name.player == "") == ("player" in lacks)


@pytest.mark.parametrize(
    "path",
    [".DS_Store", "Thumbs.db", "desktop.ini", "notes.txt", "entries/0007.toml~", "README.md",
     "entries/.0007.toml.swp", "friday.zip", ".git/config", "entries/0007 (1).toml"],
)  # fmt: skip
def test_strangers_are_not_ours(path: str) -> None:
    """What systems and editors leave in a folder changes no verdict."""
    assert not names.is_ours(path)


def test_names_sort_as_numbers_to_9999() -> None:
    """From 10000 on they have five digits."""
    assert names.entry(7) == "entries/0007.toml"
    assert names.entry(9_999) < names.entry(10_000).replace("10000", "A")
    assert names.slip(10_000, "alice") == "slips/10000-alice.toml"


def test_what_stands_in_the_place_of_a_folder_makes_a_record_unreadable() -> None:
    assert str(names.no_folder("slips")).startswith("unreadable: 'slips' is no folder")


def test_every_step_that_a_document_may_have_has_a_name() -> None:
    """A step beyond the last one would be an entry that no verifier finds."""
    assert names.parse(names.entry(LAST_STEP)) is not None
    assert names.parse(names.entry(LAST_STEP + 1)) is None


@pytest.mark.parametrize(
    "path",
    [
        "", "invite", "invite.toml.sig.sig", "table.toml.sig", "entries", "entries/",
        "entries/7.toml", "entries/007.toml", "entries/00007.toml", "entries/0007.toml.bak",
        "entries/0007-alice.toml",
        "/entries/0007.toml", "../entries/0007.toml", "entries/../entries/0007.toml",
        "entries//0007.toml", "entries/0007.toml\n", "Entries/0007.toml", "slips/0007.toml",
        "slips/0007-Alice.toml", "slips/0007-../x.toml", "slips/0007-.toml", "joins/.toml",
        "joins/alice.toml/x", "orders/0007-alice.sealed.sig", "orders/0007-alice.txt.sig",
        "reports/0007-alice.toml", "receipts/0007-alice-1.toml",
        "slips/\u0660\u0660\u0660\u0667-alice.toml",
        "entries/0007.toml\0", "x" * 10_000, "seats/alice.toml", "seats/0007-alice.consent",
        "seats/0007-alice.consent.sig", "seats/0007-alice.consent.toml.sig.sig", "seats/0007.toml",
    ],
)  # fmt: skip
def test_what_is_no_name_of_a_record(path: str) -> None:
    """Another spelling is no second name of the same file."""
    assert names.parse(path) is None
