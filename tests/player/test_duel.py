"""A duel's folder; `tests/cli/test_duel.py` has what is done in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.player.duel import ME, Home, documents, homes
from orders import names
from orders.errors import Refused
from orders.secrets import DuelSecret

SECRET = DuelSecret(b"\x07" * 32)


def test_a_folder_is_made_once(tmp_path: Path) -> None:
    """Who has one keeps it: its secret is nowhere else."""
    root = tmp_path / "ann.duel"
    home = Home.create(root, "ann", tmp_path / "key", SECRET)
    assert homes(tmp_path) == homes(root) == [home]
    with pytest.raises(Refused, match="exists"):
        Home.create(root, "ann", tmp_path / "key", DuelSecret(b"\x08" * 32))
    assert Home.open(root).secret.hex == SECRET.hex


@pytest.mark.parametrize(
    "me", [b'player = "ann"\nkey = "key"\n', b'player = "ann"\nkey = "key"\nsecret = "xy"\n']
)
def test_a_damaged_folder_is_told(tmp_path: Path, me: bytes) -> None:
    """By the file that is damaged."""
    with pytest.raises(Refused, match=r"malformed: .*me\.toml.: expected player, key and secret"):
        Home.read(tmp_path, me)
    assert ME == "me.toml"


@pytest.mark.parametrize("there", [names.OFFER, names.signature(names.OFFER)])
def test_a_document_comes_with_its_signature(there: str) -> None:
    """One without the other is none."""
    with pytest.raises(Refused, match=r"bad-bundle: bundle: offer\.toml and its signature"):
        documents({there: b"x"}, names.OFFER)
