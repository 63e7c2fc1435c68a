"""`mail serve`: turns in a loop."""

from __future__ import annotations

from typing import Any

import pytest
from desks import SERVE, Desks

from adjudicator.cli import mail_serve
from adjudicator.mail import office


@pytest.fixture
def desk(tmp_path: Any, at_commands: Any) -> Desks:
    return Desks(at_commands(tmp_path))


@pytest.mark.parametrize("intake", [30.0, -1.0])
def test_the_next_turn_begins_at_once_if_mails_are_left(
    desk: Desks, monkeypatch: pytest.MonkeyPatch, intake: float
) -> None:
    """In a loop the host waits only where nothing is left to look at."""
    desk.offer().serve()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise KeyboardInterrupt

    box = desk.maildir(b"From: a@example.com\n\nhi\n")
    monkeypatch.setattr(office, "INTAKE", intake)
    monkeypatch.setattr(mail_serve.time, "sleep", sleep)
    desk.run(*SERVE, "--in", box, code=1)
    assert slept == [0 if intake < 0 else 60] * 3
