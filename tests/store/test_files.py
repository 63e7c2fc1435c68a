"""Single files: read bounded and never followed, written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.core.source import LIMIT
from adjudicator.store import files
from orders.errors import Refused


def test_row_25_a_file_that_grows_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is added while it is read is not taken, so a growing file does not grow the reader."""
    path = tmp_path / "log"
    path.write_bytes(b"first\n")
    real = os.fstat

    def grown(handle: int) -> os.stat_result:
        status = real(handle)
        with path.open("ab") as file:
            file.write(b"more\n" * 1000)
        return status

    monkeypatch.setattr(os, "fstat", grown)
    assert files.read(path, LIMIT) == b"first\n"


def test_the_lock_of_a_folder_is_one_persons(tmp_path: Path) -> None:
    """Row 30: who comes second is told, and may try again."""
    with files.locked(tmp_path), pytest.raises(Refused, match="busy"), files.locked(tmp_path):
        pass
    with files.locked(tmp_path):
        pass
