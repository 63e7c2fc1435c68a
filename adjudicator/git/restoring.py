"""After a server was restored from an old backup, clones still have the commits that its main lost.

This module finds the host's own commits that continue a main. The host's signature makes them the
host's, whoever pushed them; the caller verifies that they hold the game's next entries.
"""

from __future__ import annotations

from dataclasses import replace

from adjudicator.git.objects import Commit, read_commit
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects, resolve
from adjudicator.git.refs import SEEN, Remote
from orders.errors import Refused
from orders.public_key import PublicKey


def continued(repo: Repo, end: str, main: str, host: PublicKey) -> str | None:
    """The last of the host's commits on the first-parent line to `end` that continue `main`.

    None if there is none: all commits between the two must be the host's.
    """
    if end == main:
        return None
    at = main
    for one, *parents in repo.walk("--first-parent", "--reverse", end, f"^{main}"):
        if parents[:1] != [at] or not is_by(repo, one, host):
            break
        at = one
    return None if at == main else at


def signed(repo: Repo, commit: str, key: PublicKey) -> Commit:
    """A commit that is signed by that key; raises Refused for any other."""
    found = read_commit(read_objects(repo, [commit])[0] or b"", repo.algorithm)
    found.check(key)
    return found


def is_by(repo: Repo, commit: str, key: PublicKey) -> bool:
    """Whether a commit is signed by that key."""
    try:
        signed(repo, commit, key)
    except Refused:
        return False
    return True


def foreign(repo: Repo, main: str, host: PublicKey) -> list[str]:
    """The commits on main's first-parent line since what was seen here that the host did not sign,
    the last one first."""
    seen = resolve(repo, SEEN)
    if seen is None or seen == main:
        return []
    line = repo.walk("--first-parent", main, f"^{seen}")
    return [one for one, *_ in line if not is_by(repo, one, host)]


def complete(repo: Repo, remote: Remote, host: PublicKey) -> Remote:
    """The remote, with the longest main that this clone has or a player pushed."""
    if remote.main is None:
        return remote
    seen = resolve(repo, SEEN)
    main = remote.main
    for end in (*([] if seen is None else [seen]), *remote.players.values(), *remote.pulls):
        main = continued(repo, end, main, host) or main
    return remote if main == remote.main else replace(remote, main=main, lost=remote.main)
