"""A clone's folder: how it is set up, git's index and branch, and the files beside the record.

The tool writes those files itself, so that no filter runs on them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from adjudicator.core.opening import Offer
from adjudicator.core.source import LIMIT
from adjudicator.git.objects import FILE, Item, blob_ids, resolve
from adjudicator.git.process import Repo, check_address, without_users
from adjudicator.git.refs import MAIN, SEEN, full
from adjudicator.git.tree import REGULAR, FilesBeside, Tree, beside_at
from adjudicator.store import files
from adjudicator.store.record import Record
from orders import names
from orders.errors import Refused, pasteable

SEAT = "adjudicator.seat"
"""Where a clone's configuration names the folder of its player's seat."""

_PACKS = 50
"""As git's own gc.autoPackLimit: with more of them, which strangers may push, it makes one."""


def create(root: Path, url: str) -> Repo:
    """Make a folder a repository with that remote; a repository that is there already is used."""
    url = check_address(url)
    repo = Repo(root)
    if not (root / ".git").exists():
        root.mkdir(parents=True, exist_ok=True)
        repo.run("init", "--quiet", f"--initial-branch={MAIN}")
    there = repo.config("remote.origin.url")
    if there is None:
        # A plain `git pull` brings the record, and nothing of anybody else's.
        repo.run("remote", "add", "-t", MAIN, "origin", url)
    elif there != url:
        shown = without_users(there)
        raise Refused(
            "exists",
            f"{str(root)!a} has another remote: {shown!a:.120}",
            f"if that is wrong: git -C {pasteable(root)} remote set-url origin URL",
        )
    return repo


def clone(record: Record, url: str, fork: str | None = None) -> Repo:
    """Make a folder a clone in which nothing is checked out yet; a sync fills it.

    `fork`: the repository to which the player pushes, if it is another.
    """
    if record.root.exists() and not (record.root / ".git").exists() and any(record.root.iterdir()):
        raise Refused(
            "exists", f"{str(record.root)!a} is there already", "name another folder with -o"
        )
    where = None if fork is None else check_address(fork)
    repo = create(record.root, url)
    if where is not None:
        repo.run("config", "--local", "remote.fork.url", where)
    return repo


def allow_host(repo: Repo, offer: Offer) -> None:
    """Let `git log --show-signature` know the host's key."""
    path = repo.git_dir.absolute() / "allowed_signers"
    text = f"host@adjudicator.invalid {offer.host.line}\n".encode("ascii")
    if not path.exists() or path.read_bytes() != text:
        files.write(path, text)
        repo.run("config", "--local", "gpg.ssh.allowedSignersFile", str(path))


def settle(repo: Repo, commit: str) -> tuple[str, ...]:
    """Make a commit the clone's own main, as if it had been checked out.

    The record's files are there already, each checked when it came; only the files beside them are
    written. The index is put in place whole, so a run that ends early leaves no lock. The names of
    what lies beside the record and was not written, because it is too much.
    """
    moved = not resolve(repo, SEEN) == commit == resolve(repo, full(MAIN))
    left = _move(repo, commit) if moved else ()
    packs = (repo.git_dir / "objects" / "pack").glob("*.pack")
    # Fetches do not collect garbage, as that would slow a sync down.
    if moved or sum(1 for _ in packs) > _PACKS:
        repo.ask("gc", "--auto", "--quiet")
    return left


def _move(repo: Repo, commit: str) -> tuple[str, ...]:
    folder = repo.git_dir.absolute()
    draft = folder / "adjudicator-index"
    draft.unlink(missing_ok=True)
    tree, beside = Tree.open(repo, commit), beside_at(repo, commit)
    # Not by read-tree, which would list a stranger's tree to its end.
    held = {
        path: item
        for path, item in tree.items().items()
        if item.mode in REGULAR and names.is_ours(path)
    }
    ids = blob_ids(repo, [f"{commit}:{path}" for path in beside.files])
    held |= {name.partition(":")[2]: Item(FILE, one) for name, one in ids.items() if one}
    rows = "".join(f"{item.mode} {item.id}\t{path}\0" for path, item in sorted(held.items()))
    index = {"GIT_INDEX_FILE": str(draft)}
    repo.run("update-index", "--add", "-z", "--index-info", given=rows.encode(), env=index)
    _write_beside(repo, tree, beside)
    os.replace(draft, folder / "index")  # noqa: PTH105 - both are there
    if (folder / "HEAD").read_bytes() != f"ref: {full(MAIN)}\n".encode():
        repo.run("symbolic-ref", "HEAD", full(MAIN))
    moved = f"update {full(MAIN)} {commit}\nupdate {SEEN} {commit}\n"
    repo.run("update-ref", "--stdin", given=moved.encode())
    return beside.left


def _write_beside(repo: Repo, tree: Tree, beside: FilesBeside) -> None:
    """Write the files beside the record, and the record's attributes; only plain files."""
    for path, data in beside.files.items():
        target = repo.root / path
        parts = Path(path).parts
        inside = [repo.root.joinpath(*parts[:number]) for number in range(1, len(parts) + 1)]
        held = None
        with suppress(Refused):
            held = files.read(target, LIMIT)
        if held != data and not any(above.is_symlink() for above in inside):
            files.write(target, data)
    attributes = repo.root / names.ATTRIBUTES
    if tree.item(names.ATTRIBUTES) is not None and not attributes.exists():
        files.write(attributes, tree.read(names.ATTRIBUTES))
