"""Deadlines as a calendar: to the byte, and read back strictly."""

from __future__ import annotations

from pathlib import Path

from calendars import events
from hypothesis import given
from hypothesis import strategies as st
from table import Table

from adjudicator.words.calendar import BEGIN, Deadline, calendar, of_game
from orders.entries import Awaited

ONE = Deadline("0f" * 32, "alice", 7, "2026-11-28T10:00:01Z", "2026-12-01T10:00:01Z",
               "Sugar Dog friday: your turn")  # fmt: skip


def test_to_the_byte() -> None:
    """One event, its long lines folded."""
    assert calendar([ONE]).decode() == (
        "BEGIN:VCALENDAR\r\n"
        "PRODID:-//sealed-orders//adjudicator//EN\r\n"
        "VERSION:2.0\r\n"
        "BEGIN:VEVENT\r\n"
        f"UID:{'0f' * 32}-alice\r\n"
        "SEQUENCE:7\r\n"
        "DTSTAMP:20261128T100001Z\r\n"
        "DTSTART:20261201T100001Z\r\n"
        "SUMMARY:Sugar Dog friday: your turn\r\n"
        "TRANSP:TRANSPARENT\r\n"
        "END:VEVENT\r\n"
        "END:VCALENDAR\r\n"
    )


def test_without_a_deadline() -> None:
    """It is a calendar all the same, which a program may subscribe to."""
    assert events(calendar([])) == []
    assert calendar([]).startswith(BEGIN.encode())


def test_the_order_in_which_games_lie_has_no_part() -> None:
    """The same deadlines are the same bytes."""
    other = ONE._replace(whose="bob")
    assert calendar([ONE, other]) == calendar([other, ONE])
    assert [one["UID"][65:] for one in events(calendar([other, ONE]))] == ["alice", "bob"]


@given(st.text(max_size=300))
def test_any_name_of_a_folder(text: str) -> None:
    """Escaped and folded, and nothing of it is a line of its own; what no text may hold is shown
    as such."""
    (one,) = events(calendar([ONE._replace(says=text)]))
    assert one["SUMMARY"] == "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def test_of_several_the_first(tmp_path: Path) -> None:
    """Of whom a host waits for, the deadline that comes first; a player has their own, or none."""
    ledger = Table(tmp_path).begin().host.ledger
    late = {
        "alice": Awaited("turn", "2026-11-01T00:00:00Z", "2026-11-09T00:00:00Z"),
        "bob": Awaited("setup", "2026-11-01T00:00:00Z", "2026-11-05T00:00:00Z"),
    }
    hosts, alices = (of_game("friday", ledger, late, *whose) for whose in ((), ("alice",)))
    assert hosts is not None
    assert (hosts.until, hosts.whose) == ("2026-11-05T00:00:00Z", "host")
    assert hosts.says == "Sugar Dog friday: alice's turn, bob's setup"
    assert alices is not None
    assert (alices.until, alices.says) == ("2026-11-09T00:00:00Z", "Sugar Dog friday: your turn")
    assert of_game("friday", ledger, late, "carol") is None
    assert of_game("friday", ledger, {}) is None


def test_what_is_escaped() -> None:
    """As RFC 5545 3.3.11 has it."""
    data = calendar([ONE._replace(says='a,b;c\\d\ne:f"g\tBEGIN:VEVENT\r\n')])
    assert b'SUMMARY:a\\,b\\;c\\\\d\\ne:f"g\xef\xbf\xbdBEGIN:VEVENT' in data.replace(b"\r\n ", b"")


def test_a_line_of_75_octets_is_whole() -> None:
    """The next octet folds it, and a character of more octets goes over whole."""
    room = 75 - len("SUMMARY:")
    for says, lines in (("x" * room, 0), ("x" * (room + 1), 1), ("x" * (room - 1) + "\u20ac", 1),
                        ("x" * (room - 3) + "\u20ac", 0)):  # fmt: skip
        data = calendar([ONE._replace(says=says)])
        assert data.count(b"\r\n ") == lines, says
        assert events(data)[0]["SUMMARY"] == says
