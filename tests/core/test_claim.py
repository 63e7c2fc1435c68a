"""Which claim a refusal speaks against: said where the check is made, and once."""

from __future__ import annotations

import pytest

from adjudicator.core.claim import CLAIMS, claim
from orders.errors import Missing, Refused


@pytest.mark.parametrize("error", [Refused("clock", "x"), Missing("entries/0001.toml")])
def test_what_is_refused_within_names_its_claim(error: Refused) -> None:
    """Its message stays as it is."""
    before = error.message
    with pytest.raises(Refused) as caught, claim("clock"):
        raise error
    assert (caught.value.claim, caught.value.message) == ("clock", before)


def test_the_innermost_claim_counts() -> None:
    """The check itself knows best."""
    with pytest.raises(Refused) as caught, claim("chain"), claim("signatures"):
        raise Refused("bad-signature", "x")
    assert caught.value.claim == "signatures"


def test_other_errors_are_left_alone() -> None:
    """A fault of the program speaks against no claim; and what holds raises nothing."""
    with pytest.raises(ValueError, match="x") as caught, claim("chain"):
        raise ValueError("x")
    assert not hasattr(caught.value, "claim")
    with claim("chain"):
        pass


def test_an_unknown_claim_is_found_at_once() -> None:
    """Even where nothing is refused, so that no misspelt claim reaches a verdict."""
    assert len(set(CLAIMS)) == len(CLAIMS)
    with pytest.raises(ValueError, match="there is no claim 'clocks'"), claim("clocks"):
        pass
