"""The host's private folder: what it keeps comes back, and what is damaged is told."""

from __future__ import annotations

from typing import Any

import pytest

from orders.errors import Refused

Table = Any


@pytest.mark.parametrize("content", ["", "zz" * 32, "ab" * 31, "ab" * 40])
def test_a_damaged_master_is_told(table: Table, content: str) -> None:
    """In one line, without quoting what may be a secret."""
    (table.record.host / "master").write_text(content)
    with pytest.raises(Refused) as caught:
        _ = table.host
    assert "abab" not in str(caught.value)


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701])
def test_folders_of_secrets_that_are_open_are_refused(table: Table, mode: int) -> None:
    """The host's and a seat's, with the way out."""
    table.record.host.chmod(mode)
    with pytest.raises(Refused, match="open-folder") as caught:
        _ = table.host
    assert caught.value.hint.startswith("chmod 700")
    table.seat("alice").root.chmod(mode)
    with pytest.raises(Refused, match="open-folder"):
        table.seat("alice")


def test_private_folders_are_made_private(table: Table) -> None:
    """Whatever the umask; what is in them too."""
    table.submit("alice", "start A1")
    for folder in (table.record.host, table.seat("alice").root):
        for path in (folder, *folder.rglob("*")):
            assert path.stat().st_mode & 0o077 == 0, path
