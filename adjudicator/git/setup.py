"""Setting clones up: what `invite --git` and `join URL` do once."""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.opening import Offer
from adjudicator.git import addresses, worktree
from adjudicator.git.process import Repo
from adjudicator.store import files
from adjudicator.store.record import Record
from orders.errors import Refused

SEAT = "adjudicator.seat"


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


def remember_seat(repo: Repo, seat: Path) -> None:
    """Let commands in this clone find the seat."""
    repo.run("config", "--local", SEAT, str(seat.absolute()))


def allow_host(repo: Repo, offer: Offer) -> None:
    """Let `git log --show-signature` know the host's key."""
    path = repo.git_dir.absolute() / "allowed_signers"
    text = f"host@adjudicator.invalid {offer.host.line}\n".encode("ascii")
    if not path.exists() or path.read_bytes() != text:
        files.write(path, text)
        repo.run("config", "--local", "gpg.ssh.allowedSignersFile", str(path))


def seat_path(repo: Repo) -> Path | None:
    """The folder of the seat with which this clone was set up; None if there is none."""
    path = repo.config(SEAT)
    return None if path is None else Path(path)
