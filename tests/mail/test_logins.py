"""Where servers are, and where passwords may stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.mail import logins
from orders.errors import Refused


@pytest.mark.parametrize(
    "text",
    ["imaps://u:secret@example.org", "ftp://x", "imaps:", "smtp", "maildir", "imaps://u@h:99999"],
)
def test_places_refused(text: str) -> None:
    """A password in an address, an unknown scheme, no server: refused, the secret not repeated."""
    with pytest.raises(Refused) as caught:
        logins.read_place(text, ("imaps", "smtp", "maildir"))
    assert "secret" not in str(caught.value)


def test_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment comes first, then the netrc file, for that server and user only."""
    place = logins.read_place("imaps://me%40example.org@mail.example.org/INBOX", ("imaps",))
    assert (place.user, place.port, place.path) == ("me@example.org", 993, "INBOX")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine mail.example.org login me@example.org password abc\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.delenv("ADJUDICATOR_IMAP_PASSWORD", raising=False)
    assert logins.login(place).secret == "abc"
    monkeypatch.setenv("ADJUDICATOR_IMAP_PASSWORD", "def")
    assert logins.login(place).secret == "def"
    monkeypatch.delenv("ADJUDICATOR_IMAP_PASSWORD")
    other = logins.read_place("imaps://you@mail.example.org", ("imaps",))
    with pytest.raises(Refused, match="no password"):
        logins.login(other)
