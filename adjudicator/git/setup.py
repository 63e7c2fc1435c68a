"""Setting clones up: what `git host` and `git play` do once, and the configuration that lets plain
git commands show signatures and sealed files."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer
from adjudicator.git import addresses, worktree
from adjudicator.git.process import Repo
from adjudicator.store import files
from adjudicator.store.record import Record
from orders.errors import Refused
from orders.public_key import read_public

DRIVER = "adjudicator"
_ATTRIBUTES = "".join(
    f"{form} diff={DRIVER}\n" for form in ("entries/*.toml", "*.sealed", "*.sig", "slips/*.toml")
)
SEAT = "adjudicator.seat"


def host(record: Record, url: str, key: Path) -> Repo:
    """Make a host's record a repository with that remote."""
    repo = worktree.create(record.root, url)
    configure(repo, "host", key, None)
    return repo


def clone(record: Record, url: str, fork: str | None = None) -> Repo:
    """Make a folder a clone in which nothing is checked out yet; a sync fills it.

    `fork`: the repository to which the player pushes, if it is another.
    """
    if record.root.exists() and not (record.root / ".git").exists() and any(record.root.iterdir()):
        raise Refused(
            "exists", f"{str(record.root)!a} is there already", "name another folder with -o"
        )
    where = None if fork is None else addresses.check(fork)
    repo = worktree.create(record.root, url)
    if where is not None:
        repo.run("config", "--local", "remote.fork.url", where)
    return repo


def configure(repo: Repo, name: str, key: Path | None, seat: Path | None) -> None:
    """Settings for plain git in this clone: the committer, signing, and how files are shown."""
    program = shlex.join([sys.executable, "-m", "adjudicator", "git", "textconv"])
    if seat is not None:
        program += " --seat " + shlex.quote(str(seat.absolute()))
    values = {
        "user.name": name,
        "user.email": f"{name}@adjudicator.invalid",
        "gpg.format": "ssh",
        "core.autocrlf": "false",
        f"diff.{DRIVER}.textconv": program,
    }
    if key is not None:
        values |= {"user.signingKey": str(key.absolute()), "commit.gpgSign": "true"}
    if seat is not None:
        values[SEAT] = str(seat.absolute())
    for setting, value in values.items():
        repo.run("config", "--local", setting, value)
    # In the clone's own attributes, because a record's .gitattributes has one fixed content.
    files.write(repo.git_dir.absolute() / "info" / "attributes", _ATTRIBUTES.encode())


def allow_signers(repo: Repo, offer: Offer, ledger: Ledger | None) -> None:
    """Let `git log --show-signature` know the keys of this game.

    `ledger`: None before genesis. Former players of a seat signed commits too.
    """
    keys = [("host", offer.host.line)]
    if ledger is not None:
        for joins in (ledger.opening.joins, ledger.last.joins):
            keys += [(player, read_public(join.key).line) for player, join in joins.items()]
    lines = [f"{who}@adjudicator.invalid {key}\n" for who, key in dict.fromkeys(keys)]
    path = repo.git_dir.absolute() / "allowed_signers"
    text = "".join(lines).encode("ascii")
    if not path.exists() or path.read_bytes() != text:
        files.write(path, text)
        repo.run("config", "--local", "gpg.ssh.allowedSignersFile", str(path))


def seat_path(repo: Repo) -> Path | None:
    """The folder of the seat with which this clone was set up; None if there is none."""
    path = repo.config(SEAT)
    return None if path is None else Path(path)
