"""A reader of calendars (RFC 5545) that takes no more than what the program may write."""

from __future__ import annotations

import re

_TIME = re.compile(r"\d{8}T\d{6}Z")
_TEXT = re.compile(r"(?:[^\\;,\n]|\\[\\;,n])*")
_ONCE = {"UID": re.compile(r"[0-9a-f]{64}-[a-z0-9-]+"), "SEQUENCE": re.compile(r"\d+"),
         "DTSTAMP": _TIME, "DTSTART": _TIME, "SUMMARY": _TEXT,
         "TRANSP": re.compile("TRANSPARENT")}  # fmt: skip
_EMPTY = ["BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
          "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"]  # fmt: skip
_PLAIN = {"\\n": "\n", "\\;": ";", "\\,": ",", "\\\\": "\\"}


def events(data: bytes) -> list[dict[str, str]]:
    """The events by property; raises AssertionError for a file that is none."""
    assert data.endswith(b"\r\n")
    assert b"\r" not in data.replace(b"\r\n", b"")
    assert b"\n" not in data.replace(b"\r\n", b"")
    parts = data.removesuffix(b"\r\n").split(b"\r\n")
    assert max(map(len, parts)) <= 75
    for part in parts:
        part.decode("utf-8")  # no fold divides a character
    lines = data.decode("utf-8").replace("\r\n ", "").removesuffix("\r\n").split("\r\n")
    assert all(re.fullmatch(r"[A-Z-]+:[^\x00-\x1f\x7f]*", line) for line in lines)
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[1].startswith("PRODID:")
    assert lines[2] == "VERSION:2.0"
    assert lines[-1] == "END:VCALENDAR"
    inside = lines[3:-1]
    if inside == _EMPTY:
        return []
    found: list[dict[str, str]] = []
    size = len(_ONCE) + 2
    assert inside
    assert len(inside) % size == 0
    for at in range(0, len(inside), size):
        first, *held, last = inside[at : at + size]
        assert (first, last) == ("BEGIN:VEVENT", "END:VEVENT")
        values = dict(line.split(":", 1) for line in held)
        assert values.keys() == _ONCE.keys()
        assert all(_ONCE[name].fullmatch(value) for name, value in values.items()), values
        plain = re.sub(r"\\.", lambda one: _PLAIN[one[0]], values["SUMMARY"])
        found.append({**values, "SUMMARY": plain})
    assert len({one["UID"] for one in found}) == len(found)
    return found
