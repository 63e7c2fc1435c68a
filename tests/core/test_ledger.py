"""A Ledger is the proof: read from the beginning, resumed from a mark, extended by one entry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import intake
from adjudicator.core.ledger import Ledger, Mark
from adjudicator.core.source import MemoryFiles
from orders import canonical, names, sshsig
from orders.errors import Refused
from orders.sshsig import Signed

Table = Any


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The namespaces of the signatures verified while the test runs."""
    found: list[str] = []
    real = sshsig.verify

    def verify(public: Any, namespace: str, message: bytes, armored: bytes) -> None:
        found.append(namespace)
        real(public, namespace, message, armored)

    monkeypatch.setattr(sshsig, "verify", verify)
    return found


def test_reading_verifies_each_signature_once(finished: Table, counted: list[str]) -> None:
    """Invite, joins, entries and slips: as many as the links count."""
    ledger = Ledger.read(finished.record)
    assert len(counted) == sum(link.signatures for link in ledger.links())
    assert ledger.revealed


class Vouching(MemoryFiles):
    """Files in memory that say of themselves that they are signed."""

    def signed(self, path: str) -> Signed:
        """A file whose signature holds whatever it is."""
        return Vouched(self.read(path), self.read(names.signature(path)))


class Vouched(Signed):
    """A signed file that verifies itself."""

    def verify(self, public: Any, namespace: str) -> bytes:
        """The data, unverified."""
        return self.data


@pytest.mark.parametrize(
    "path", [names.INVITE, names.entry(0), names.entry(1), names.slip(1, "alice")]
)
def test_no_source_answers_for_its_own_signatures(finished: Table, path: str) -> None:
    """To hold a Ledger is the proof, whoever wrote the source of its files."""
    forged = {**finished.held(), names.signature(path): b"garbage\n"}
    with pytest.raises(Refused, match="not in the one form"):
        Ledger.read(Vouching(forged))


def test_two_entries_tried_after_one_make_two_games(table: Table, tmp_path: Path) -> None:
    """A copy tries an entry before it takes it; trying another one does not change the first."""
    table.play({"alice": "start C4", "bob": "start C1"})
    before = Ledger.read(table.record)
    other = table.copy(tmp_path / "other")
    table.play({"alice": "fire S"})
    other.play({"alice": "fire N"})
    one, two = (before.extend(each.held()) for each in (table, other))
    assert one.link(one.last.step) is one.last
    assert two.link(two.last.step) is two.last
    assert one.last.digest != two.last.digest


def test_a_mark_saves_every_signature(finished: Table, counted: list[str]) -> None:
    """What was verified before is bound by digests; nothing is verified again."""
    mark = Ledger.read(finished.record).mark
    counted.clear()
    again = Ledger.read(finished.record, mark)
    assert again.last == Ledger.read(finished.record, mark).last
    assert again.mark == mark
    assert counted == []


def test_the_nonces_of_the_first_adjudication_come_with_the_mark(
    finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever adjudicates late in a game needs them, and no earlier entry for it."""
    whole = Ledger.read(finished.record)
    assert whole.nonces == intake.nonces(whole.link(1)) != {}
    monkeypatch.setattr(Ledger, "_fill", lambda ledger: pytest.fail("an earlier entry is read"))
    assert Ledger.read(finished.record, whole.mark).nonces == whole.nonces


def test_earlier_entries_are_there_after_a_mark(finished: Table, counted: list[str]) -> None:
    """Read when they are asked for, by their digests, still without a signature."""
    whole = Ledger.read(finished.record)
    counted.clear()
    again = Ledger.read(finished.record, whole.mark)
    assert [link.digest for link in again.links()] == [link.digest for link in whole.links()]
    assert again.link(2).slips == whole.link(2).slips
    assert counted == []
    with pytest.raises(Refused, match=r"^missing: .*no entry 6"):
        again.link(6)


def test_there_is_no_entry_before_the_first_or_after_the_last(finished: Table) -> None:
    """Whoever asks is told which is the last."""
    ledger = finished.host.ledger
    assert [ledger.link(step).step for step in (0, 5)] == [0, 5]
    for step in (-1, 6):
        with pytest.raises(Refused, match=f"^missing: there is no entry {step}"):
            ledger.link(step)


def test_a_mark_is_gone_on_from(finished: Table, counted: list[str]) -> None:
    """Entries after it are verified, those before it are not."""
    held = finished.held()
    early = {path: data for path, data in held.items() if "entries/0005" not in path}
    early = {path: data for path, data in early.items() if "0004" not in path}
    mark = Ledger.read(MemoryFiles(early)).mark
    assert mark.step == 3
    counted.clear()
    ledger = Ledger.read(MemoryFiles(held), mark)
    assert ledger.last.step == 5
    assert sorted(counted) == sorted([sshsig.ENTRY, sshsig.SLIP, sshsig.ENTRY])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("entries/0003.toml", "^fork: .*is not the entry that was verified before"),
        ("entries/0000.toml", "this is not how game"),
        ("slips/0003-bob.toml", "^mismatch: .*does not have the digest that entry 3 names"),
    ],
)
def test_a_record_changed_behind_a_mark_is_refused(finished: Table, path: str, words: str) -> None:
    """The mark lies in a private folder: whoever changes the record cannot change it too."""
    held = finished.held()
    early = {name: data for name, data in held.items() if "0004" not in name and "0005" not in name}
    mark = Ledger.read(MemoryFiles(early)).mark
    changed = {**early, path: early[path].replace(b"2", b"3", 1)}
    with pytest.raises(Refused, match=words):
        Ledger.read(MemoryFiles(changed), mark)


def test_an_earlier_entry_changed_behind_a_mark_is_found_when_it_is_asked_for(
    finished: Table,
) -> None:
    """Its digest no longer leads to the mark's."""
    held = finished.held()
    mark = Ledger.read(MemoryFiles(held)).mark
    changed = {**held, names.entry(2): held[names.entry(2)].replace(b"time = ", b"time  = ", 1)}
    ledger = Ledger.read(MemoryFiles(changed), mark)
    with pytest.raises(Refused):
        ledger.link(2)


def test_earlier_entries_that_are_whole_and_lead_elsewhere_are_refused(
    begun: Table, tmp_path: Path
) -> None:
    """A second history, put in place while a command reads the first."""
    one = begun.copy(tmp_path / "one").play({"alice": "start C4", "bob": "start C1"})
    other = one.copy(tmp_path / "other")
    files = MemoryFiles(one.play({"alice": "fire S"}).held())
    ledger = Ledger.read(files, Ledger.read(files).mark)
    files.held = other.play({"alice": "fire N"}).held()
    with pytest.raises(Refused, match=r"^chain: .*before 2 are not those verified before"):
        ledger.link(1)


def test_a_record_older_than_its_mark_is_refused(finished: Table) -> None:
    """A backup that was restored: a host would sign a second entry of a number."""
    held = finished.held()
    mark = Ledger.read(MemoryFiles(held)).mark
    older = {path: data for path, data in held.items() if "0005" not in path}
    with pytest.raises(Refused, match=r"^gap: .*verified here before") as caught:
        Ledger.read(MemoryFiles(older), mark)
    assert "older backup" in caught.value.hint


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b'{"step":1}', b"\xff", b"{" * 99])
def test_a_broken_mark_is_none(data: bytes) -> None:
    """Then everything is verified anew."""
    assert Mark.read(data) is None


@pytest.mark.parametrize("key", ["seats", "nonces"])
def test_a_mark_with_bad_tables_is_none(finished: Table, key: str) -> None:
    """Another release of this program might have written one without them."""
    values = canonical.loads(Ledger.read(finished.record).mark.render())
    assert Mark.read(canonical.dumps({**values, key: []})) is None
    del values[key]
    assert Mark.read(canonical.dumps(values)) is None


def test_a_mark_reads_as_it_was_written(finished: Table) -> None:
    """Byte for byte."""
    mark = Ledger.read(finished.record).mark
    assert Mark.read(mark.render()) == mark
