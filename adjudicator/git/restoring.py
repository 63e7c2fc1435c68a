"""After a server was restored from an old backup: clones still have what its main lost.

What belongs here: finding the host's own commits that continue a main, where somebody still has
them. What makes them the host's is its signature, whoever pushed them; whoever takes them in
verifies that they hold the game's next entries. What it must not know: entries.
"""

from __future__ import annotations

from dataclasses import replace

from adjudicator.git.objects import read_commit
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects, resolve
from adjudicator.git.refs import SEEN, Remote
from orders.errors import Refused
from orders.public_key import PublicKey


def continued(repo: Repo, end: str, main: str, host: PublicKey) -> str | None:
    """The last of the host's commits on the first-parent line to `end` that continue `main`.

    None where there is none: all commits between the two must be the host's.
    """
    if end == main:
        return None
    at = main
    for one, *parents in repo.walk("--first-parent", "--reverse", end, f"^{main}"):
        if parents[:1] != [at] or not is_by(repo, one, host):
            break
        at = one
    return None if at == main else at


def is_by(repo: Repo, commit: str, key: PublicKey) -> bool:
    """Whether a commit is signed by that key."""
    try:
        read_commit(read_objects(repo, [commit])[0] or b"", repo.algorithm).check(key)
    except Refused:
        return False
    return True


def complete(repo: Repo, remote: Remote, host: PublicKey) -> Remote:
    """The remote, with main as far as this clone, or what players pushed, has it."""
    if remote.main is None:
        return remote
    seen = resolve(repo, SEEN)
    main = remote.main
    for end in (*([] if seen is None else [seen]), *remote.players.values(), *remote.pulls):
        main = continued(repo, end, main, host) or main
    return remote if main == remote.main else replace(remote, main=main, lost=remote.main)
