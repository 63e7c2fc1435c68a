"""The guard as a hook: what git gives to hooks, and writing one."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from adjudicator.git import guard
from adjudicator.git.guard import Move
from adjudicator.git.process import Repo
from adjudicator.git.reading import lasting, resolve
from adjudicator.store import files
from orders.errors import Refused


@lasting()
def check(folder: Path, rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Why pushes are refused; each row is an old and a new revision and a ref; zeros mean none."""
    repo = Repo(folder.absolute(), hook=True)
    pushed = []
    for row in rows:
        if len(row) != 3:
            raise Refused("malformed", f"{' '.join(row)!a:.120}: expected OLD NEW REF")
        old, new, ref = row
        pushed.append(Move(ref, _commit(repo, old), _commit(repo, new)))
    return guard.check(repo, pushed)


def _commit(repo: Repo, revision: str) -> str | None:
    if revision and not revision.strip("0"):
        return None
    found = resolve(repo, revision)
    if found is None:
        raise Refused("git", f"{revision!a:.80} is no commit here", "fetch the whole history")
    return found


def install(repository: Path) -> Path:
    """Write a pre-receive hook into a bare repository; raises Refused if it has another hook."""
    folder = Repo(repository.absolute()).git_dir / "hooks"
    path = folder / "pre-receive"
    script = guard.hook_script(shlex.join([sys.executable, "-m", "adjudicator"])).encode()
    if path.exists() and files.read(path, 2**16) != script:
        raise Refused("exists", f"{str(path)!a} is there already", "call it from your own hook")
    files.make_folder(folder)
    files.write(path, script, 0o755)
    path.chmod(0o755)
    return path
