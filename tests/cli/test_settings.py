"""Settings: the environment, the game's file, the user's; what they may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.cli import settings
from orders.errors import Refused


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
    settings.put(user, "send", 'sendmail -t -i "x"')
    settings.put(user, "bot", "mate")
    settings.put(user, "bot", "")
    assert settings.held(user) == {"send": 'sendmail -t -i "x"'}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("colour", "pink", "colour 'pink': expected auto or never"),
        ("address", "ann", "address 'ann': expected your mail address"),
        ("mailin", "x", "there is no setting 'mailin'; did you mean"),
        ("x", "x", "there is no setting 'x': expected one of address, shown"),
    ],
)
def test_what_cannot_be_set_is_quoted(user: Path, key: str, value: str, said: str) -> None:
    """With what was expected, and nothing is written."""
    with pytest.raises(Refused) as refused:
        settings.put(user, key, value)
    assert said in refused.value.message
    assert not user.exists()


def test_a_file_of_somebody_elses_is_not_read(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could name a program that is run."""
    settings.put(user, "send", "rm -rf /")
    monkeypatch.setattr(settings.os, "getuid", lambda: 12345)
    assert settings.get("send") is None


def test_a_broken_file_is_named(user: Path) -> None:
    """No setting is guessed from it."""
    user.parent.mkdir()
    user.write_text("send = \n")
    with pytest.raises(Refused, match="is no TOML"):
        settings.get("send")
