"""What the master opens: only with the master of this very game."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core.ledger import Ledger
from adjudicator.core.secret import unlock
from orders.errors import Refused
from orders.secrets import Master, derive

Table = Any


@pytest.fixture
def master(finished: Table) -> Master:
    """The game's own."""
    return Master(derive(finished.seed, "master"))


def test_a_game_opens_with_its_own_master_alone(finished: Table, master: Master) -> None:
    """Both what the invite commits to and the key that it names must come from it."""
    opening = Ledger.read(finished.record).opening
    assert unlock(opening, master).opening is opening
    with pytest.raises(Refused, match="bad-key: the master is not the one that the invite"):
        unlock(opening, Master(b"\x08" * 32))
    invite = replace(opening.offer.invite, sealing="ab" * 32)
    other = replace(opening, offer=replace(opening.offer, invite=invite))
    with pytest.raises(Refused, match="sealing does not come from the master"):
        unlock(other, master)


def test_secrets_are_not_printed(finished: Table, master: Master) -> None:
    """Neither the key nor what was agreed."""
    game = unlock(Ledger.read(finished.record).opening, master)
    game.shared(game.opening.joins["alice"])
    assert master.hex not in repr(game)
    assert "shared" not in repr(game)


def test_dice_follow_from_every_nonce_in_seat_order(finished: Table, master: Master) -> None:
    """A missing nonce keeps its place; one of somebody who does not play is ignored."""
    opening = Ledger.read(finished.record).opening
    game = unlock(opening, master)
    one, two = "ab" * 32, "cd" * 32
    both = game.dice({"bob": two, "alice": one})
    assert both.seed == master.seed([one, two], opening.id)
    assert game.dice({"alice": one}).seed == master.seed([one, None], opening.id)
    assert game.dice({"alice": one, "carol": two}) == game.dice({"alice": one})
    seeds = {
        game.dice(given).seed
        for given in ({}, {"alice": one}, {"bob": one}, {"alice": one, "bob": two},
                      {"alice": two, "bob": one})
    }  # fmt: skip
    assert len(seeds) == 5
