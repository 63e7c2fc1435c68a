"""Which key somebody signs with: the one named, set, usual, in the agent, or made for the game."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import keys
from orders.errors import Refused
from orders.keys import load_signer, write_key
from orders.public_key import PublicKey

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
