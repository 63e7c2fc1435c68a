"""A host's office: the desk of a record, waiting for the outbox, turns in a loop."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from desks import Desks

from adjudicator.cli import office as mail_office
from adjudicator.cli import sync
from adjudicator.office import office
from adjudicator.store import files
from adjudicator.store.record import Record
from orders.errors import Missing, Refused

Table = Any


@pytest.fixture
def offered(tmp_path: Path, at_commands: Any) -> Table:
    """A game that is offered."""
    table = at_commands(tmp_path)
    table.key("host.key")
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    return table


def test_the_desk_of_a_record(offered: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the host's, with that address."""
    monkeypatch.setenv("ADJUDICATOR_MAIL_ADDRESS", "carl@example.org")
    desk = mail_office.desk_of(Record(offered.root / "friday"))
    assert (desk.name, desk.address, desk.host) == ("friday", "carl@example.org", None)


@pytest.mark.parametrize("address", ["carl", "Carl <carl@example.org>", "a@b.c\nBcc: d@e.f"])
def test_an_address_that_is_none(
    offered: Table, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused, before anything is read."""
    monkeypatch.setenv("ADJUDICATOR_MAIL_ADDRESS", address)
    with pytest.raises(Refused, match=r"ADJUDICATOR_MAIL_ADDRESS: address .*your mail address"):
        mail_office.desk_of(Record(offered.root / "nowhere"))


def test_an_address_that_is_not_set(offered: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the settings nor in the invite."""
    monkeypatch.setenv("ADJUDICATOR_MAIL_ADDRESS", "")
    with pytest.raises(Refused, match="your mail address is not set"):
        mail_office.desk_of(Record(offered.root / "friday"))


def test_a_record_of_somebody_else(offered: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the host's folder there is no desk."""
    monkeypatch.setenv("ADJUDICATOR_MAIL_ADDRESS", "carl@example.org")
    (offered.root / "friday.host").rename(offered.root / "elsewhere")
    with pytest.raises((Refused, Missing), match=r"friday.host"):
        mail_office.desk_of(Record(offered.root / "friday"))


def test_another_process_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is said once, and the work is done once the other process has ended."""
    told: list[object] = []
    said = Event()
    monkeypatch.setattr(mail_office, "tell", lambda line: (told.append(line), said.set()))

    def work() -> None:
        with mail_office.opened(tmp_path) as outbox:
            told.append(outbox.listed())

    other = Thread(target=work)
    with files.locked(tmp_path):
        other.start()
        assert said.wait(60)
        assert told == [f"another process is working in '{tmp_path}': waiting for its end"]
    other.join()
    assert told[1:] == [[]]


def test_a_line_has_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, so that cron mails it."""
    mail_office.tell("friday: entry 1 told to 2")
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith("Z friday: entry 1 told to 2\n")
    assert told.err[:2] == "20"


@pytest.mark.parametrize("intake", [30.0, -1.0])
def test_the_next_turn_begins_at_once_if_mails_are_left(
    tmp_path: Path, at_commands: Any, monkeypatch: pytest.MonkeyPatch, intake: float
) -> None:
    """In a loop the host waits only where nothing is left to look at."""
    desk = Desks(at_commands(tmp_path)).offer()
    desk.serve()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(office, "INTAKE", intake)
    monkeypatch.setattr(sync.time, "sleep", sleep)
    desk.sync(b"From: a@example.com\n\nhi\n", more=("--every", "60s"), code=1)
    assert slept == [0 if intake < 0 else 60] * 3
