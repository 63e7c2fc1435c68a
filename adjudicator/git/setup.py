"""Setting clones up: the host's, a player's, anybody's.

What belongs here: what `git host` and `git play` do once, and the configuration that lets plain
git commands show signatures and sealed files. What it must not know: what a sync does.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from adjudicator import files, opening
from adjudicator.git import refs
from adjudicator.git.process import Repo
from adjudicator.record import Record
from adjudicator.seat import Seat
from orders.errors import Missing, Refused

DRIVER = "adjudicator"
_ATTRIBUTES = "".join(
    f"{form} diff={DRIVER}\n" for form in ("entries/*.toml", "*.sealed", "*.sig", "slips/*.toml")
)
SEAT = "adjudicator.seat"


def host(record: Record, url: str, key: Path) -> Repo:
    """Make a host's record a repository with that remote."""
    if not record.host.is_dir():
        raise Refused(
            "no-host",
            f"{str(record.host)!a} is not there",
            "adjudicator invite starts a record; on another machine: adjudicator git secrets",
        )
    files.check_private(record.host)
    repo = refs.create(record.root, url)
    configure(repo, "host", key, None)
    return repo


def clone(record: Record, url: str) -> Repo:
    """Make a folder a clone in which nothing is checked out yet; it is filled by a sync."""
    if record.root.exists() and not (record.root / ".git").exists() and any(record.root.iterdir()):
        raise Refused(
            "exists", f"{str(record.root)!a} is there already", "name another folder with --record"
        )
    return refs.create(record.root, url)


def configure(repo: Repo, name: str, key: Path | None, seat: Path | None) -> None:
    """Settings for plain git in this clone: whose commits, how signed, how files are shown."""
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
    # In the clone's own attributes: a record's .gitattributes has one content.
    files.write(repo.git_dir.absolute() / "info" / "attributes", _ATTRIBUTES.encode())


def allow_signers(repo: Repo, record: Record) -> None:
    """Let `git log --show-signature` know whose key is whose in this game."""
    offer = opening.read_offer(record)
    lines = [f"host@adjudicator.invalid {offer.host.line}"]
    try:
        opened = opening.read_opening(record)
    except Missing:
        pass
    else:
        lines += [f"{who}@adjudicator.invalid {key.line}" for who, key in opened.keys.items()]
    path = repo.git_dir.absolute() / "allowed_signers"
    text = "".join(f"{line}\n" for line in lines).encode("ascii")
    files.write(path, text)
    repo.run("config", "--local", "gpg.ssh.allowedSignersFile", str(path))


def seat_of(repo: Repo) -> Seat | None:
    """The seat that this clone was set up with; None: none."""
    path = repo.config(SEAT)
    return None if path is None else Seat.open(Path(path))
