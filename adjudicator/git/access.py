"""Access rules for a game's repository, as a file for each kind of server.

The host may push `main` and `receipts`, a player their own branch, and nobody anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from adjudicator.git.refs import MAIN, PLAYERS, RECEIPTS, full, player_branch
from orders.errors import Refused
from orders.fields import NAME

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,199}", re.ASCII)
_PLAYER = re.compile(NAME, re.ASCII)

HOW = {
    "gitolite": "copy it into conf/ of gitolite-admin, add the line include \"{file}\" to "
                "conf/gitolite.conf, and push",
    "github": "gh api repos/OWNER/NAME/rulesets --input {file}",
    "gitlab": "glab api projects/OWNER%2FNAME/protected_branches --method POST "
              "--header 'Content-Type: application/json' --input {file}",
}  # fmt: skip
"""What to do with each file."""


def rules(site: str, repository: str, host: str, players: Mapping[str, str]) -> dict[str, str]:
    """The files for a server by their names; raises Refused `bad-option`.

    `host`, `players`: their accounts there, players' by name in the game. On GitHub and GitLab the
    administrator of the repository is the host, and no rule can name one player's branch.
    """
    forge = {"github": _github, "gitlab": _gitlab}.get(site)
    if forge is not None:
        return {f"{name}.json": json.dumps(one, indent=2) + "\n" for name, one in forge().items()}
    for what, text, form in (
        ("--repo", repository, _REPOSITORY),
        ("--host", host, _ACCOUNT),
        *(("player", name, _PLAYER) for name in players),
        *(("account", account, _ACCOUNT) for account in players.values()),
    ):
        if not form.fullmatch(text):
            raise Refused(
                "bad-option", f"{what} {text!a:.80} cannot be written in a rule of gitolite's"
            )
    return {f"{repository.replace('/', '-')}.conf": _gitolite(repository, host, players)}


def _gitolite(repository: str, host: str, players: Mapping[str, str]) -> str:
    rows = [("RW", MAIN, host), ("RW+", RECEIPTS, host)]
    rows += [("RW", player_branch(name), account) for name, account in players.items()]
    # The dot is the only character of names with a meaning in patterns; players' names have none.
    lines = [f"    {right:<3} {branch + '$':<40} = {who}" for right, branch, who in rows]
    everyone = " ".join(dict.fromkeys([host, *players.values()]))
    return (
        "# Who may push what in a game's repository. Put @all into the last line to let all users\n"
        "# of the server look on: nothing hidden is readable in it.\n"
        f"repo {repository}\n" + "\n".join(lines) + f"\n    {'R':<44} = {everyone}\n"
    )


def _github() -> dict[str, Any]:
    # The host in CI pushes by a deploy key; role 5 is the administrator of the repository.
    host: list[dict[str, Any]] = [
        {"actor_id": None, "actor_type": "DeployKey", "bypass_mode": "always"},
        {"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "always"},
    ]
    return {
        "host": _ruleset(
            "The host alone pushes, but to players' branches",
            host, ["~ALL"], [full(f"{PLAYERS}*")],
            ["creation", "update", "deletion", "non_fast_forward"],
        ),
        "players": _ruleset(
            "What players pushed is not taken back",
            [], [full(f"{PLAYERS}*")], [], ["deletion", "non_fast_forward"],
        ),
    }  # fmt: skip


def _ruleset(
    name: str,
    bypass: list[dict[str, Any]],
    include: list[str],
    exclude: list[str],
    kinds: list[str],
) -> dict[str, Any]:
    return {
        "name": name,
        "target": "branch",
        "enforcement": "active",
        "bypass_actors": bypass,
        "conditions": {"ref_name": {"include": include, "exclude": exclude}},
        "rules": [{"type": kind} for kind in kinds],
    }


def _gitlab() -> dict[str, Any]:
    """`players/*` stays unprotected: jobs on a protected branch would see the host's secrets."""
    maintainers, nobody = 40, 0
    both = {"push_access_level": maintainers, "merge_access_level": nobody}
    return {
        "main": {"name": MAIN, **both, "allow_force_push": False},
        "receipts": {"name": RECEIPTS, **both, "allow_force_push": True},
    }
