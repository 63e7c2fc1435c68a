"""What a game begins with: invite, joins and genesis, each checked by itself and together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from spoil import LOW_KEYS

from orders import sshsig
from orders.public_key import PublicKey

Table = Any


@pytest.mark.parametrize("what", LOW_KEYS)
def test_row_2_hostile_public_keys_in_an_invite(
    offered: Table, what: str, verify_held: Callable[..., Any]
) -> None:
    """Row 2: by whoever signed it, an invite with such a key is false."""
    from orders.documents import read_invite

    raw = LOW_KEYS[what]
    files_held = offered.held()
    for values in (
        {"host": PublicKey(raw).line},
        {"sealing": raw.hex()},
        {"letters": raw.hex()},
    ):
        data = replace(read_invite(files_held["invite.toml"]), **values).render()
        signature = offered.signer.sign(sshsig.INVITE, data)
        found = verify_held({"invite.toml": data, "invite.toml.sig": signature})
        assert found.code == 1
        assert "invite.toml" in found.verdict
