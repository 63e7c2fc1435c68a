"""A duel's folder; `tests/cli/test_duel.py` has what is done in it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from duel.people import played

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import documents
from adjudicator.duel.party import Party
from adjudicator.player.duel import ME, DuelTable, Home, homes
from orders import names
from orders.errors import Refused
from orders.secrets import DuelSecret

SECRET = DuelSecret(b"\x07" * 32)


def test_a_folder_is_made_once(tmp_path: Path) -> None:
    """Who has one keeps it: its secret is nowhere else."""
    root = tmp_path / "ann.duel"
    home = Home.create(root, "ann", tmp_path / "key", SECRET)
    for (one,) in (homes(tmp_path), homes(root)):
        assert vars(one) == vars(home)
    with pytest.raises(Refused, match="exists"):
        Home.create(root, "ann", tmp_path / "key", DuelSecret(b"\x08" * 32))
    assert Home.open(root).secret.hex == SECRET.hex


@pytest.mark.parametrize(
    "me", [b'player = "ann"\nkey = "key"\n', b'player = "ann"\nkey = "key"\nsecret = "xy"\n']
)
def test_a_damaged_folder_is_told(tmp_path: Path, me: bytes) -> None:
    """By the file that is damaged."""
    with pytest.raises(Refused, match=r"malformed: .*me\.toml.: expected player, key and secret"):
        Home.of(tmp_path, me)
    assert ME == "me.toml"


def test_what_was_half_written_is_written_again(tmp_path: Path) -> None:
    """A process may end while it keeps a document: when that comes again it is there, whole."""
    whole = played("one")
    author = whole.author(1)
    home = Home.create(tmp_path / "one.duel", author.name, tmp_path / "key", author.secret)
    for half in (names.ACCEPT, names.move(1, whole.row.digests[0])):
        party = Party(whole.short(1), author.name, author.secret)
        data = party.documents.held(party.row.accepted)[half]
        (home.root / half).parent.mkdir(exist_ok=True)
        (home.root / half).write_bytes(data[: len(data) // 2])
        home.keep(party)
        assert home.party().row == party.row


def test_a_process_that_ends_as_a_duel_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once both have ended, that while begins when it is first looked, though no move is here and
    that process ends."""
    whole = played("one")
    author = whole.author(1)
    home = Home.create(tmp_path / "one.duel", author.name, tmp_path / "key", author.secret)
    home.keep(Party(whole.short(0), author.name, author.secret))
    monkeypatch.setattr(Party, "ended", True)
    monkeypatch.setattr(Party, "is_left", True)
    keep_lines, clock = Home.keep_lines, SimpleNamespace(now=lambda: "2026-11-21T18:00:00Z")

    def ends(self: Home, path: str, lines: list[str]) -> None:
        keep_lines(self, path, lines)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Home, "keep_lines", ends)
        DuelTable(home, clock, print).listens()
    assert DuelTable(home, clock, print).listens()
    clock.now = lambda: "2026-12-21T18:00:00Z"
    assert DuelTable(home, clock, print).listens()
    clock.now = lambda: "2026-12-21T18:00:01Z"
    assert not DuelTable(home, clock, print).listens()


@pytest.mark.parametrize("there", [names.OFFER, names.signature(names.OFFER)])
def test_a_document_comes_with_its_signature(there: str) -> None:
    """One without the other is none."""
    with pytest.raises(Refused, match=r"missing: offer\.toml"):
        documents.read(MemoryFiles({there: b"x"}))
