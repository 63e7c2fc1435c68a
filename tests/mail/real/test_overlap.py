"""Two real folders of one host over one mailbox on a real server, whose turns run at once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
from office.lockstep import Machines, Uids

from adjudicator.mail import mailboxes
from adjudicator.mail.mailboxes import DONE
from adjudicator.office.outbox import Outbox

pytestmark = pytest.mark.usefixtures("_passwords")


def test_two_machines_over_dovecot(servers: Any, mailroom: Callable[..., Any]) -> None:
    """Both read each order and make each entry in the same moment; one of each leaves."""
    made = Machines(mailroom(options={"press": "public"}), 1, Uids())
    room = made.room

    def turn(machine: Any) -> None:
        box = mailboxes.open_source(servers.box("victor"), servers.ca)
        with contextlib.closing(Outbox(machine.root / "state")) as outbox:
            machine.faults += machine.office(outbox).turn(box, room.wire).faults

    assert list(mailboxes.open_source(servers.box("victor"), servers.ca).mails()) == []
    inbox = servers.maildir("victor") / "new"
    script = [{"alice": "start C4", "bob": "start F6"}, {"alice": "silent"}, {"bob": "silent"}]
    came = 0
    for orders in script:
        for name, lines in orders.items():
            came += 1
            (inbox / str(came)).write_bytes(room.order(name, lines))
        for _ in range(2):
            both = [threading.Thread(target=turn, args=(one,)) for one in made.machines]
            for one in both:
                one.start()
            for one in both:
                one.join()
            made.check()
        for name in room.players:
            room.receive(name)
    for one in (*made.machines, *made.machines):
        turn(one)
    made.check()
    first, second = (one.record for one in made.machines)
    assert first.last_step() == second.last_step() == len(script)
    assert [first.read(path) for path in first.paths()] == [
        second.read(path) for path in second.paths()
    ]
    kept = mailboxes.open_source(servers.box("victor", DONE), servers.ca)
    copies = [one for one in kept.mails() if b"X-Adjudicator: copy" in one.read()]
    assert len(copies) >= 2 * len(script)
