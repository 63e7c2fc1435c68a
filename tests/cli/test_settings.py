"""Settings: the environment, the game's file, the user's; what they may be."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import keys, settings
from orders.errors import Refused
from orders.keys import load_signer, write_key
from orders.public_key import PublicKey


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's file in a folder of its own."""
    path = tmp_path / "config" / "config.toml"
    monkeypatch.setattr(settings, "of_user", lambda: path)
    for setting in settings.SETTINGS.values():
        monkeypatch.delenv(setting.variable or "NONE", raising=False)
    return path


def test_the_nearest_place_counts(
    user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment, then the game, then the user, then the default."""
    record = tmp_path / "friday"
    assert settings.get("remind", record) == "1"
    settings.put(user, "remind", "2")
    assert settings.get("remind", record) == "2"
    settings.put(settings.of_game(record), "remind", "0")
    assert (settings.get("remind", record), settings.get("remind")) == ("0", "2")
    monkeypatch.setenv("ADJUDICATOR_REMIND", "1")
    assert settings.get("remind", record) == "1"
    assert (tmp_path / "friday.config.toml").stat().st_mode & 0o777 == 0o600


def test_what_is_put_is_kept_with_the_others(user: Path) -> None:
    """In one TOML file; an empty value forgets it."""
    settings.put(user, "mail-out", 'sendmail:"x"')
    settings.put(user, "bot", "mate")
    settings.put(user, "bot", "")
    assert settings.held(user) == {"mail-out": 'sendmail:"x"'}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("colour", "pink", "colour 'pink': expected auto or never"),
        ("address", "ann", "address 'ann': expected your mail address"),
        ("page", "https://x.org/p.html", "page 'https://x.org/p.html': expected https://HOST/FILE"),
        ("page", f"http://x.org/p.html#sha256={'0' * 64}", "page 'http://x.org/p.html#sha256=000"),
        ("install", "adjudicator", "install 'adjudicator': a name or a path does not fix the prog"),
        ("mailin", "x", "there is no setting 'mailin'; did you mean"),
        ("x", "x", "there is no setting 'x': expected one of address, shown"),
    ],
)
def test_what_cannot_be_set_is_quoted(user: Path, key: str, value: str, said: str) -> None:
    """With what was expected, and nothing is written."""
    with pytest.raises(Refused) as refused:
        settings.put(user, key, value)
    assert refused.value.message.startswith(f"config: {said}")
    assert not user.exists()


def test_what_does_not_fit_is_refused_wherever_it_stands(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the variable's name, or the file's, where a command mends it and leaves the rest."""
    monkeypatch.setenv("ADJUDICATOR_REMIND", "often")
    with pytest.raises(Refused, match="ADJUDICATOR_REMIND: remind 'often': expected rem"):
        settings.get("remind")
    user.parent.mkdir()
    user.write_text('bot = "mate"\npage = "https://x.org/p.html"\n')
    with pytest.raises(Refused, match=r"toml: page 'https://x\.org/p\.html': expected https"):
        settings.get("bot")
    settings.put(user, "page", "")
    assert settings.held(user) == {"bot": "mate"}


def test_a_file_of_somebody_elses_is_not_read(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could name a program that is run."""
    settings.put(user, "mail-out", "sendmail:wipe")
    monkeypatch.setattr(settings.os, "getuid", lambda: 12345)
    assert settings.get("mail-out") is None


def test_files_have_no_owner_on_some_systems(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows: there every file is one's own, and one that is not there has no settings."""
    monkeypatch.setattr(settings.files, "is_own", lambda path: True)
    assert settings.get("mail-out") is None
    settings.put(user, "mail-out", "sendmail:wipe")
    assert settings.get("mail-out") == "sendmail:wipe"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("mail-in", "foo", "mail-in: 'foo': expected one of imaps, imap, maildir"),
        ("mail-out", "imaps://u@host", "mail-out: 'imaps://u@host': expected one of smtps,"),
        ("mail-out", "smtps://u:pw@host", "mail-out: the address holds a password"),
    ],
)
def test_a_way_that_no_mail_can_go_is_not_noted(
    user: Path, key: str, value: str, said: str
) -> None:
    """The next sync would only find it."""
    with pytest.raises(Refused, match=f"^bad-option: {said}"):
        settings.put(user, key, value)
    assert not user.exists()


def test_a_broken_file_is_named(user: Path) -> None:
    """No setting is guessed from it."""
    user.parent.mkdir()
    user.write_text("mail-out = \n")
    with pytest.raises(Refused, match="not TOML"):
        settings.get("mail-out")


# Which key somebody signs with: the one named, set, usual, in the agent, or made for the game.


Table = Any


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, without an agent, in which somebody works."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_order_in_which_keys_are_looked_for(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named, set, usual; the last is told with its fingerprint and what it gives away."""
    (home / ".ssh").mkdir()
    paths = {name: home / name for name in ("named", "set", ".ssh/id_ed25519")}
    prints = {name: write_key(path, "k").fingerprint for name, path in paths.items()}
    new = home / "friday.key"
    monkeypatch.setenv("ADJUDICATOR_KEY", "~/set")
    for given, name in ((paths["named"], "named"), (None, "set")):
        signer, path = keys.found(given, new, yes=False)
        assert (signer.public.fingerprint, path) == (prints[name], paths[name])
        assert capsys.readouterr().out == ""
    monkeypatch.delenv("ADJUDICATOR_KEY")
    signer, path = keys.found(None, new, yes=False)
    assert (signer.public.fingerprint, path) == (
        prints[".ssh/id_ed25519"],
        paths[".ssh/id_ed25519"],
    )
    told = capsys.readouterr().out
    assert prints[".ssh/id_ed25519"] in told
    assert "one person played them" in told
    assert not new.exists()


def test_a_key_is_made_only_if_its_user_agrees(home: Path) -> None:
    """For its owner alone; nobody is there to be asked here, so --yes says it."""
    new = home / "friday-alice.key"
    with pytest.raises(Refused, match="no key of yours is here") as refused:
        keys.found(None, new, yes=False)
    assert "--yes" in refused.value.hint
    assert not new.exists()
    signer, path = keys.found(None, new, yes=True)
    assert path == new
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    assert load_signer(new, None).public == signer.public


def test_of_several_keys_in_an_agent_none_is_taken(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are named by their fingerprints."""
    held = (PublicKey(b"a" * 32), PublicKey(b"b" * 32))
    monkeypatch.setattr(keys, "agent_keys", lambda: held)
    with pytest.raises(Refused, match="the ssh-agent holds several keys") as refused:
        keys.found(None, home / "friday.key", yes=False)
    assert all(public.fingerprint in refused.value.message for public in held)
    assert list(home.iterdir()) == []


def test_an_address_for_a_duel_is_told_to_no_games_host(
    mine: Table, table: Table, user: Path
) -> None:
    """Only who plays that duel is to know it; as a setting for all games it is told."""
    table.give("friday-0000.txt", mine)
    mine.ok("take", "friday-0000.txt")
    key = table.root / "alice.key"
    mine.ok("duel", "silent-ships", "--name", "ann", "--key", key, "-o", "offer.txt")
    letters = mine.root / "alice.seat" / "letters"
    said = mine.ok("config", "address", "ann@example.org", "-g", "ann.duel")
    assert said == f"{mine.root / 'ann.duel.config.toml'}: address = ann@example.org\n"
    assert not letters.exists()
    mine.ok("config", "address", "ann@example.org")
    assert settings.held(user) == {"address": "ann@example.org"}
    assert len(list(letters.iterdir())) == 1
