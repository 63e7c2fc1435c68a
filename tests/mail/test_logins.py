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


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("no-such-program", "the command for tokens: FileNotFoundError"),
        ("true", "printed no token, exit code 0"),
        ("sh -c 'echo token; echo why >&2; exit 3'", "exit code 3: b'why"),
        ("echo two words", "printed no token"),
    ],
)
def test_a_command_that_prints_no_token(
    monkeypatch: pytest.MonkeyPatch, command: str, fault: str
) -> None:
    """It is told why, without what it printed."""
    monkeypatch.setenv("ADJUDICATOR_IMAP_TOKEN", command)
    login = logins.login(logins.read_place("imaps://me@mail.example.org", ("imaps",)))
    with pytest.raises(logins.NoToken, match=fault):
        login.answer()


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A netrc file, certificates: named, with what is wrong."""
    broken = tmp_path / "broken"
    broken.write_text("machine\n")
    monkeypatch.setenv("NETRC", str(broken))
    monkeypatch.delenv("ADJUDICATOR_IMAP_PASSWORD", raising=False)
    with pytest.raises(Refused, match="bad-option: netrc file"):
        logins.login(logins.read_place("imaps://me@mail.example.org", ("imaps",)))
    for path in (broken, tmp_path / "nowhere"):
        with pytest.raises(Refused, match="bad-option: certificate file"):
            logins.context(path)


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
