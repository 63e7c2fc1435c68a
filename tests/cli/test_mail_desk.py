"""What a host's mail commands share: the desk of a record, and waiting for the outbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import mail_desk
from adjudicator.store import files
from orders.errors import Missing, Refused

Table = Any


@pytest.fixture
def offered(tmp_path: Path, at_commands: Any) -> Table:
    """A game that is offered."""
    table = at_commands(tmp_path)
    table.ok("keygen", "host.key")
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    return table


def test_the_desk_of_a_record(offered: Table) -> None:
    """It is the host's, with that address."""
    desk = mail_desk.desk_of(offered.root / "friday", "carl@example.org")
    assert (desk.name, desk.address, desk.host) == ("friday", "carl@example.org", None)


@pytest.mark.parametrize("address", ["carl", "Carl <carl@example.org>", "a@b.c\nBcc: d@e.f", ""])
def test_an_address_that_is_none(offered: Table, address: str) -> None:
    """It is quoted, before anything is read."""
    with pytest.raises(Refused, match="is no mail address"):
        mail_desk.desk_of(offered.root / "nowhere", address)


def test_a_record_of_somebody_else(offered: Table) -> None:
    """Without the host's folder there is no desk."""
    (offered.root / "friday.host").rename(offered.root / "elsewhere")
    with pytest.raises((Refused, Missing), match=r"friday.host"):
        mail_desk.desk_of(offered.root / "friday", "carl@example.org")


def test_another_process_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is done once the other process has ended. If it never ends, an error says so."""
    slept: list[float] = []
    held = files.locked(tmp_path)

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            held.__exit__(None, None, None)

    monkeypatch.setattr(mail_desk.time, "sleep", sleep)
    held.__enter__()
    assert mail_desk.locked(tmp_path, lambda: 7) == 7
    assert slept == [1, 1, 1]
    monkeypatch.setattr(mail_desk.time, "sleep", slept.append)
    with files.locked(tmp_path), pytest.raises(Refused, match="busy"):
        mail_desk.locked(tmp_path, lambda: 7)
    assert len(slept) == 3 + mail_desk.BUSY_SECONDS


def test_a_line_has_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, so that cron mails it."""
    mail_desk.tell("friday: entry 1 told to 2")
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith("Z friday: entry 1 told to 2\n")
    assert told.err[:2] == "20"
