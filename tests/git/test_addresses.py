"""Addresses that git may be given, and how they are told."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.git import addresses
from orders.errors import Refused


@pytest.mark.parametrize("url", ["", "-x", "--upload-pack=x", "ext::sh -c x", "a\nb", "fd::3"])
def test_addresses_that_git_must_not_be_given(url):
    """Options and helpers that run programs are no addresses."""
    with pytest.raises(Refused) as error:
        addresses.check(url)
    assert error.value.word == "bad-url"


@pytest.mark.parametrize(
    "url",
    ["git@example.org:friday.git", "ssh://[::1]/friday.git", "/srv/friday.git", "https://x/y"],
)
def test_addresses(url):
    """Those of ssh, of folders, and URLs."""
    assert addresses.check(url) == url


def test_no_address_that_is_told_holds_a_user_or_a_password(make_table, monkeypatch, tmp_path):
    """A password is refused at the door; users are left out of every line."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    record = str(table.record.root)
    shutil.rmtree(table.record.root / ".git")
    given = "http://carl:pw-carl@127.0.0.1:9/friday.git"
    result = CliRunner().invoke(cli, ["invite", "--git", given, "-g", record])
    assert result.exit_code == 1
    assert "holds a password" in result.output
    assert "credential" in result.output
    assert "pw-carl" not in result.output
    for url in ("http://carl@127.0.0.1:9/friday.git", "ssh://carl@127.0.0.1:9/friday.git"):
        result = CliRunner().invoke(cli, ["invite", "--git", url, "-g", record])
        assert result.exit_code == 1
        assert "carl" not in result.output
        shutil.rmtree(table.record.root / ".git")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("https://carl@example.org/x.git", "https://example.org/x.git"),
        ("https://carl:pw@example.org/x.git", "https://example.org/x.git"),
        ("ssh://carl@example.org:22/x.git", "ssh://example.org:22/x.git"),
        ("carl@example.org:x.git", "example.org:x.git"),
        ("git@example.org:x.git", "git@example.org:x.git"),
        ("fatal: unable to access 'https://u:p@h/x/'", "fatal: unable to access 'https://h/x/'"),
    ],
)
def test_addresses_as_they_are_told(given, told):
    """The sites' common account names nobody, and stays."""
    assert addresses.without_users(given) == told


@pytest.mark.parametrize(
    ("given", "shared"),
    [
        ("ssh://labgit@example.org:22/x.git", "ssh://labgit@example.org:22/x.git"),
        ("SSH://labgit@example.org/x.git", "SSH://labgit@example.org/x.git"),
        ("labgit@example.org:x.git", "labgit@example.org:x.git"),
        ("example.org:x.git", "example.org:x.git"),
        ("ssh://carl:pw@example.org/x.git", "ssh://example.org/x.git"),
        ("https://carl@example.org/x.git", "https://example.org/x.git"),
        ("friday.git", "friday.git"),
        ("/srv/friday.git", "/srv/friday.git"),
    ],
)
def test_the_line_for_the_players_works_for_them(given, shared):
    """The account of ssh is the server's, and no other gets in; a web site's user is a person."""
    assert addresses.to_share(given) == shared
