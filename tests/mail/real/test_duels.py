"""A whole duel between two mailboxes on real servers: offered, joined from the mail, and played by
`sync` and `play` alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from duel.commanders import Person
from mail_servers import Servers

from adjudicator.mail import mailboxes

SECONDS = 150
"""After so long the duel is given up as not played."""


def person(servers: Servers, root: Path, name: str, bot: str) -> Person:
    """Somebody with a mailbox of that name."""
    found = Person(root / name, name, bot)
    found.time = None  # the servers date mails
    found.settings = {
        "ADJUDICATOR_CA": str(servers.ca),
        "ADJUDICATOR_MAIL_ADDRESS": f"{name}@example.org",
        "ADJUDICATOR_MAIL_IN": f"imaps://{name}@localhost:{servers.imaps}/INBOX",
        "ADJUDICATOR_MAIL_OUT": f"smtp://{name}@localhost:{servers.smtp}",
    }
    return found


def offered(servers: Servers, root: Path, name: str) -> Path:
    """The mail with the offer, saved from that mailbox."""
    place = f"imaps://{name}@localhost:{servers.imaps}/INBOX"
    mailbox = mailboxes.open_source(place, servers.ca)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for stored in list(mailbox.mails()):
            data = stored.read()
            if b": an offer" in data:
                (root / "offer.eml").write_bytes(data)
                mailbox.close()
                return root / "offer.eml"
        time.sleep(0.2)
    raise AssertionError("no offer came")


@pytest.mark.usefixtures("_passwords")
def test_a_whole_duel_by_mail(servers: Servers, tmp_path: Path) -> None:
    """Both end with the whole duel in one file, which is true."""
    # A bot that orders anything soon ends it.
    ken = person(servers, tmp_path, "ken", "random")
    lea = person(servers, tmp_path, "lea", "captain")
    ken.ok("duel", "silent-ships", "lea@example.org", "--name", "ken", "--key", "key")
    mail = offered(servers, lea.root, "lea")
    lea.ok("join", mail, "--name", "lea", "--key", "key")
    end = time.monotonic() + SECONDS
    both = (ken, lea)
    while not all(one.home.party().ended and one.home.party().is_left for one in both):
        assert time.monotonic() < end, "the duel has no end"
        for one in both:
            one.ok("sync")
            while one.think():
                pass
    for one in both:
        said = one.ok("verify", f"silent-ships-{one.name}.zip")
        assert "and neither lied" in said
        assert not list(one.root.glob("*.txt"))
