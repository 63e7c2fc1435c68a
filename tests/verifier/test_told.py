"""What people are told of a record: a line for each group of claims, and the verdict last. Each
line is a claim, so something makes each of them false, alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from generate import breaks

from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.claims import NOT_PROVED, Findings, Inquiry
from adjudicator.verifier.verify import Asked, _waits, verify
from orders import names
from orders.entries import Awaited, Entry
from orders.errors import CLAIMS

Table = Any

HEADS = {0: "TRUE: ", 1: "FALSE: ", 2: "NOT JUDGED: ", 3: "TRUE, BUT LOOK (", 4: "NOT YET: "}


def shown(found: Findings) -> list[str]:
    """The lines for people below the title, those that go on put together."""
    lines: list[str] = []
    title, *rest = found.lines("friday")
    assert title.startswith("friday:")
    assert all(len(line) <= 80 for line in [title, *rest[:-1]])
    for line in rest:
        if line.startswith("    "):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return lines


def test_a_true_game_takes_a_dozen_lines(finished: Table) -> None:
    """The title, six lines, what is not proved in one, and who won; with a seat one more."""
    host = finished.host.opening.offer.host.fingerprint
    lines = list(finished.verify().lines("friday"))
    assert lines == [
        f"friday: Sugar Dog, alice against bob. Host {host[:15]}.., 1 Jan 2026.",
        "  entries  6, each signed by the host and following the one before",
        "  orders   5, each the one that its player signed, legal for what they knew",
        "  dice     from the host's secret and every player's",
        "  replay   4 turns played again: the same to the byte; 8 reports told what they",
        "           had to",
        "  time     no deadline cut; none missed, none late",
        "  host     no ruling; no protest; no message",
        "  Not proved: who holds a key; what was said in private; joint lies (-v: all 11)",
        "TRUE: alice won.",
    ]
    with_seat = list(finished.verify("alice").lines("friday"))
    (yours,) = (line for line in with_seat if line not in lines)
    assert yours.startswith("  receipts alice: 4 of 4 reports here, each as signed; ")


def test_in_full_each_claim_and_all_that_is_not_proved(finished: Table) -> None:
    """Title and verdict are the same; between them every claim, digests, and the list."""
    found = finished.verify()
    short, full = (list(found.lines("friday", verbose=one)) for one in (False, True))
    assert (short[0], short[-1]) == (full[0], full[-1])
    text = "\n".join(full)
    for claim in found.claims:
        assert f"  ok   {claim.name}: {claim.text}\n" in text
    assert all(one in text for one in NOT_PROVED)
    assert f"  game: {found.game}, adjudicated by {found.engine}\n" in text
    assert f"  head: {found.head}, entry 5\n" in text


Broken = list[tuple[Mapping[str, Any], Findings]]


@pytest.fixture(scope="module")
def broken() -> Broken:
    """Every published break of a record, and the findings about it."""
    return [
        ({**row, **row["told"]}, verify(MemoryFiles(files), Asked(**asked)))
        for row, asked, files in breaks.published()
    ]


def test_each_line_is_false_alone(broken: Broken) -> None:
    """Nothing that does not hold is told as holding: its line, and its part of the one line, are
    gone, and another says what is wrong. The verdict begins with its word."""
    seen = set()
    for row, found in broken:
        lines = shown(found)
        assert lines[-1].startswith(HEADS[row["code"]]), row["id"]
        marks = [line for line in lines if line.startswith("  ! ")]
        assert marks or row["code"] in (0, 2, 4), (row["id"], lines)
        held = {line.split()[0] for line in lines if line.startswith("  ") and line not in marks}
        brief = " ".join(line for line in lines if line.startswith("  Holds: "))
        if row["code"] in (1, 3):
            seen.add(row["claim"])
            assert row["claim"] not in held, (row["id"], lines)
            told = next(one.brief for one in found.claims if one.name == row["claim"])
            assert not told or told not in brief.removeprefix("  Holds: ").split(", ")
    assert seen == {*CLAIMS} - {"receipts"}


def test_what_holds_is_one_line_where_something_does_not(broken: Broken) -> None:
    """And the rest stays away from the verdict."""
    told = {row["id"]: shown(found) for row, found in broken if row["code"] in (1, 3)}
    for name, lines in told.items():
        for claim in CLAIMS:
            assert not any(line.startswith(f"  {claim} ") for line in lines), name


def test_an_entry_that_was_changed(finished: Table) -> None:
    """It is named; those before it hold, and nothing after it was judged. Line ends are told."""
    path = names.entry(3)
    held = dict(finished.held())
    changed = verify(MemoryFiles({**held, path: held[path].replace(b"silent", b"cruise") + b"#"}))
    assert shown(changed) == [
        "  Entries 0 to 2 hold; nothing after them was judged",
        "  ! entry 3 is not what the host signed",
        "FALSE: entry 3 was changed.",
    ]
    crlf = verify(MemoryFiles({**held, path: held[path].replace(b"\n", b"\r\n")}))
    assert shown(crlf)[1] == (
        "  ! entry 3 is not what the host signed (its lines end in CR: a mail program or git "
        "autocrlf did that)"
    )
    gone = verify(MemoryFiles({one: data for one, data in held.items() if one != path}))
    assert shown(gone)[1:] == [
        "  ! entry 3 is not here, and a later one is",
        "FALSE: entry 3 is missing.",
    ]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_the_beginning(finished: Table, line_end: bytes) -> None:
    """Where it does not hold, nothing is said of the rest; before genesis there is none."""
    held = dict(finished.held())
    begun = {path: data for path, data in held.items() if path.startswith("invite")}
    early = verify(MemoryFiles(begun))
    assert shown(early)[-1] == (
        "NOT YET: the invite is signed; the game has not begun. Nothing is false so far."
    )
    path = names.entry(0)
    wrong = verify(MemoryFiles({**held, path: held[path].replace(b"\n", line_end) + b"#"}))
    marked, last = shown(wrong)
    assert ("end in CR" in marked) == (line_end != b"\n")
    assert last == "FALSE: the beginning does not hold, so nothing was judged."


def test_a_game_under_way(table: Table) -> None:
    """What can be said by now is, what cannot is named; who is awaited, and that nothing is false.

    Of an order that is not opened, its file is named."""
    lines = shown(verify(table.record))
    (until,) = {one.until for one in table.host.ledger.last.entry.awaited.values()}
    assert lines[-1] == (
        f"NOT YET: entry 0 awaits alice and bob until {until}. Nothing is false so far."
    )
    assert "  not yet  orders, dice, replay" in lines
    assert "  time     no deadline cut; none missed, none late" in lines


def test_what_lacks_is_named(finished: Table) -> None:
    """An order that was not opened after the reveal."""
    path = names.opened_order(2, "alice")
    held = {one: data for one, data in finished.held().items() if one != path}
    lines = shown(verify(MemoryFiles(held)))
    assert f"  ! {path} is not there" in lines
    assert lines[-1] == f"NOT YET: {path} is not there. Nothing is false so far."


def test_a_seat_of_another_game_is_no_verdict(
    finished: Table, make_table: Any, tmp_path: Any
) -> None:
    """No claim is told, because it would look like one."""
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    found = verify(finished.record, Asked(seat=other.seat("alice")))
    assert (found.code, "another invite" in found.verdict) == (2, True)
    (last,) = shown(found)
    assert last == "NOT JUDGED: alice.seat is of another game. Leave out --seat."


def test_many_marks_are_counted() -> None:
    """The first six are told."""
    found = Findings(3, "true: x", marked=tuple("abcdefgh"))
    assert shown(found)[-3:] == ["  ! f", "  ! and 2 more (-v)", "TRUE, BUT LOOK (8): x."]


CONCLUDED = {
    "an_entry_is_signed_by_a_stranger": "FALSE: entry 3 was changed.",
    "a_slip_is_signed_by_the_host": "FALSE: entry 3 does not hold.",
    "a_slip_is_missing": "FALSE: entry 2 does not hold.",
    "an_entry_is_missing": "FALSE: entry 3 is missing.",
    "a_report_tells_something_else": ("FALSE: the reports of entry 2 are not what the game tells."),
    "a_report_is_sealed_wrongly": "FALSE: the reports of entry 2 are not what the game tells.",
    "a_state_is_another": "FALSE: entry 2 is not what the game makes of the orders.",
    "an_order_is_illegal": (
        "FALSE: the orders of entry 3 are not what their players signed, or not legal."
    ),
}
"""By break: the last line, in words of its own and not those of the fault."""


def test_the_verdict_says_in_a_few_words_what_is_false() -> None:
    """Which entry, and whether it was changed, is missing, or holds something else."""
    told = {
        name: shown(verify(MemoryFiles(files)))[-1]
        for row, _, files in breaks.published()
        if (name := row["id"].removeprefix("breaks/")) in CONCLUDED
    }
    assert told == CONCLUDED


COUNTED = {
    "somebody_was_missing": "  time     no deadline cut; missed alice 1, none late",
    "somebody_was_late": "  time     no deadline cut; none missed, late bob 1",
    "a_slips_clock_is_ahead": (
        "  time     no deadline cut; none missed, none late; dated otherwise than received 1 (-v)"
    ),
    "press_is_noted": "  host     no ruling; no protest; 1 message",
    "somebody_protests_a_right_report": "  host     no ruling; 1 protest; no message",
    "a_seat_was_handed_on": "  host     1 ruling; no protest; no message",
}
"""By break: the line of a game that is true, and in which something happened all the same."""


def test_what_happened_is_counted(broken: Broken) -> None:
    """Who missed a deadline or was late, and what the host ruled, is in the line that holds."""
    told = {
        name: shown(found)
        for row, found in broken
        if (name := row["id"].removeprefix("breaks/")) in COUNTED
    }
    for name, line in COUNTED.items():
        assert line in told[name], (name, told[name])


def test_what_is_marked_is_told_up_to_six_lines() -> None:
    """Then the rest is counted; of faults of one claim the first is told, and how many more."""
    for many, more in ((6, ""), (7, "and 1 more"), (9, "and 3 more")):
        found = Findings(1, "false: x", game="a" * 64, marked=("torn",) * many)
        lines = list(found.lines("friday"))
        assert lines.count("  ! torn") == 6
        assert [line for line in lines if "more" in line] == [f"  ! {more} (-v)"] * bool(more)
    inquiry = Inquiry()
    for many, more in ((1, ""), (2, " (and 1 more)"), (3, " (and 2 more)")):
        inquiry.fault("time", "late")
        assert len(inquiry.faults) == many
        assert inquiry.claims("?")[4].text == f"late{more}"


@pytest.mark.parametrize(
    ("players", "who"),
    [("a", "awaits a until"), ("ab", "awaits a and b until"), ("abc", "awaits 3 players until")],
)
def test_who_is_awaited_is_named_or_counted(players: str, who: str) -> None:
    """Two are named, more are counted; the first deadline counts."""
    time = "2026-01-0{}T00:00:00Z"
    awaited = {name: Awaited("turn", time.format(1), time.format(9 - at))
               for at, name in enumerate(players)}  # fmt: skip
    entry = Entry("a" * 64, 3, "a" * 64, time.format(1), "a" * 64, awaited=awaited)
    last = time.format(10 - len(players))
    assert _waits(entry) == f"entry 3 {who} {last}"


def test_how_many_slips_there_are(finished: Table) -> None:
    """Among the details of the entries; and how many signatures."""
    (entries,) = (one for one in finished.verify().claims if one.name == "entries")
    assert "14 signatures, each by the key expected" in entries.details
    assert "5 slips, each quoting the entry that it answers" in entries.details
