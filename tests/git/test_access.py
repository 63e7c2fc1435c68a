"""Access rules as files: `real/` applies gitolite's; the sites' are held to what the sites say."""

from __future__ import annotations

import fnmatch
import json

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.git import access, guard
from adjudicator.git.refs import full
from orders.errors import Refused

BRANCHES = ("main", "receipts", "players/alice", "players/alice/x", "other", "players")


def may_push(rulesets: list[dict], branch: str, *, administers: bool) -> bool:
    """Whether GitHub lets somebody create that branch, as its documentation reads."""
    for one in rulesets:
        bypass = {actor["actor_type"] for actor in one["bypass_actors"]}
        named = one["conditions"]["ref_name"]
        if not any(_matches(form, branch) for form in named["include"]):
            continue
        if any(_matches(form, branch) for form in named["exclude"]):
            continue
        if {"type": "creation"} in one["rules"] and not (administers and "DeployKey" in bypass):
            return False
    return True


def _matches(form: str, branch: str) -> bool:
    # As FNM_PATHNAME: a star stays within one level.
    return form == "~ALL" or (
        fnmatch.fnmatch(full(branch), form) and form.count("/") == full(branch).count("/")
    )


def test_github(tmp_path):
    """The host may push anything, a player what the guard takes for a player's branch."""
    shown = CliRunner().invoke(cli, ["git", "access", "github", "-o", str(tmp_path)])
    assert shown.exit_code == 0
    rulesets = [json.loads((tmp_path / f"{one}.json").read_text()) for one in ("host", "players")]
    for branch in BRANCHES:
        is_players = guard._PLAYER.fullmatch(branch) is not None
        assert may_push(rulesets, branch, administers=False) == is_players
        assert may_push(rulesets, branch, administers=True)
    kinds = {one["type"] for one in rulesets[1]["rules"]}
    assert kinds == {"deletion", "non_fast_forward"}
    for one in ("host", "players"):
        assert f"gh api repos/OWNER/NAME/rulesets --input {one}.json" in shown.output


def test_gitlab(tmp_path):
    """Protected branches see the host's variables, so no branch of a player is protected."""
    shown = CliRunner().invoke(cli, ["git", "access", "gitlab", "-o", str(tmp_path)])
    assert shown.exit_code == 0
    made = [json.loads(path.read_text()) for path in sorted(tmp_path.iterdir())]
    assert [one["name"] for one in made] == ["main", "receipts"]
    # 40: maintainers; 0: nobody merges by a button, and players are developers (30).
    assert {one["push_access_level"] for one in made} == {40}
    assert {one["merge_access_level"] for one in made} == {0}
    assert [one["allow_force_push"] for one in made] == [False, True]


@pytest.mark.parametrize(
    "given",
    [
        {"repository": "a b"},
        {"repository": ""},
        {"host": "carl\n    RW+ = mallory"},
        {"players": {"alice": "@all"}},
        {"players": {".*": "mallory"}},
    ],
)
def test_no_name_becomes_a_rule(given):
    """Names that mean more in gitolite's language are refused and quoted."""
    values = {"repository": "friday", "host": "carl", "players": {"alice": "alice"}, **given}
    with pytest.raises(Refused) as error:
        access.rules("gitolite", values["repository"], values["host"], values["players"])
    assert error.value.word == "bad-option"


def test_an_account_by_another_name(tmp_path):
    """A player's account there may be called otherwise than they are in the game."""
    args = ["git", "access", "gitolite", "alice=asmith", "bob", "--host", "carl"]
    done = CliRunner().invoke(cli, [*args, "--repo", "games/friday", "-o", str(tmp_path)])
    assert done.exit_code == 0
    text = (tmp_path / "games-friday.conf").read_text()
    rows = [line.split() for line in text.splitlines() if " = " in line]
    assert ["RW", "players/alice$", "=", "asmith"] in rows
    assert ["RW", "players/bob$", "=", "bob"] in rows
    assert rows[-1] == ["R", "=", "carl", "asmith", "bob"]
