"""One record on several processors: the findings are those of one, whatever is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from verifier.helping import Backwards, Failing

from adjudicator.core.replay import Replay
from adjudicator.core.source import Held
from adjudicator.store.pack import Pack
from adjudicator.verifier import beside
from adjudicator.verifier.verify import Asked, verify
from orders import sshsig

Table = Any

RECORDS = sorted((Path(__file__).parents[1] / "vectors" / "records").glob("*.zip"))


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[bytes, str]]:
    """The messages and namespaces whose signatures are verified, each with how often."""
    found: Counter[tuple[bytes, str]] = Counter()
    real = sshsig.verify

    def verify(public: Any, namespace: str, message: bytes, armored: bytes) -> None:
        found[message, namespace] += 1
        real(public, namespace, message, armored)

    monkeypatch.setattr(sshsig, "verify", verify)
    return found


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_finished_games_are_found_the_same(
    path: Path, verified: Counter[tuple[bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rulings, missed steps and seats that changed hands; each signature verified once."""
    monkeypatch.setattr(beside, "FEW", 8)
    pack = Pack.open(path)
    alone = verify(pack)
    once = Counter(verified)
    assert alone.code in (0, 3) and set(once.values()) == {1}
    verified.clear()
    assert verify(pack, Asked(helpers=Backwards())) == alone
    assert verified == once


def test_entries_are_played_once_here_or_there(
    finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process plays each entry whole, with reports and bytes; this one skims the helpers'."""
    played: list[int] = []
    skimmed: list[int] = []

    def noted(real: Callable[..., Any], steps: list[int]) -> Callable[..., Any]:
        return lambda replay, link: (steps.append(link.step), real(replay, link))[1]

    monkeypatch.setattr(Replay, "play", noted(Replay.play, played))
    monkeypatch.setattr(Replay, "skim", noted(Replay.skim, skimmed))
    assert verify(finished.record, Asked(helpers=Backwards())).code == 0
    assert (sorted(played), skimmed) == ([1, 2, 3, 4], [1, 2])


def test_any_changed_byte_is_found_in_the_same_words(record: dict[str, bytes]) -> None:
    """In the middle and at the end of each file of a finished record; and each file gone."""
    for path, data in record.items():
        for at in (len(data) // 2, len(data) - 2):
            changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            source = Held({**record, path: changed})
            assert verify(source, Asked(helpers=Backwards())) == verify(source), path
        source = Held({name: held for name, held in record.items() if name != path})
        assert verify(source, Asked(helpers=Backwards())) == verify(source), path


def test_a_helper_that_fails_changes_nothing(finished: Table) -> None:
    """What helpers do not vouch for is verified again, alone; so is what is no record."""
    assert verify(finished.record, Asked(helpers=Failing())) == verify(finished.record)
    assert verify(Held({}), Asked(helpers=Failing())) == verify(Held({}))


def test_a_record_is_true_only_with_every_helpers_answer(record: dict[str, bytes]) -> None:
    """A helper that is never asked for its answer would let any signature pass."""
    false = record["entries/0002.toml.sig"]
    source = Held({**record, "entries/0003.toml.sig": false})
    found = verify(source, Asked(helpers=Backwards()))
    assert found.code == 1
    assert found.verdict.startswith("false: entries/0003.toml.sig: signature:")
