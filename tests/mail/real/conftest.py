"""Real servers on loopback, started once for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import mail_servers
import pytest
from mail_servers import Servers


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Exim takes mail in over TLS, Dovecot gives it out by IMAP over TLS."""
    with mail_servers.exim() as made:
        yield made


@pytest.fixture(scope="session")
def postfix() -> Iterator[Servers]:
    """Postfix hands mails to Dovecot by LMTP, with sieve, quotas and greylisting."""
    with mail_servers.postfix() as made:
        yield made


@pytest.fixture
def _passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADJUDICATOR_IMAP_PASSWORD", mail_servers.PASSWORD)
    monkeypatch.setenv("ADJUDICATOR_SMTP_PASSWORD", mail_servers.PASSWORD)
