"""What tests of the verifier share: games that can be forged, and hosts that lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from verifier.forger import Forger
from verifier.liar import Liar

Table = Any


@pytest.fixture
def forged(finished: Table) -> Forger:
    """The finished example's files and all its keys, this test's own to forge."""
    return Forger.of(finished)


@pytest.fixture
def make_liar(make_table: type[Table], tmp_path: Path) -> Callable[..., Liar]:
    """A host that lies, at a table of this test's own, after genesis."""

    def call(**terms: Any) -> Liar:
        return Liar(make_table(tmp_path / "table", **terms)).begin()

    return call
