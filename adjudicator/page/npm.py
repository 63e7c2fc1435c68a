"""Runs npm and node.

Packages are fetched once into a cache, by the digests in `package-lock.json`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from orders.errors import Refused

HERE = Path(__file__).parent
_FETCHING_SECONDS = 600
_RUNNING_SECONDS = 600


def fetched(folder: Path = HERE) -> Path:
    """The `node_modules` that the lock in `folder` names; raises Refused if they cannot be fetched.

    npm checks each package against the SHA-512 in the lock. No script of a package is run.
    """
    lock = (folder / "package-lock.json").read_bytes()
    cache = _cache() / hashlib.sha256(lock).hexdigest()[:16]
    if not (cache / "node_modules").is_dir():
        npm = program("npm")
        cache.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache.parent) as name:
            for file in ("package.json", "package-lock.json"):
                shutil.copy(folder / file, name)
            _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], name, b"",
                 _FETCHING_SECONDS)  # fmt: skip
            # Another process fetched the same meanwhile; its result is as good.
            if not (cache / "node_modules").is_dir():
                shutil.move(name, cache)
            Path(name).mkdir(exist_ok=True)
    return cache / "node_modules"


def node(script: Path, modules: Path, given: bytes) -> bytes:
    """The output of a script, run by node in the folder of `modules`; raises Refused."""
    arguments = [program("node"), str(script), str(modules)]
    return _run(arguments, str(modules.parent), given, _RUNNING_SECONDS)


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base, "adjudicator", "page")


def program(name: str) -> str:
    """The path of a program; raises Refused, which says how to get it."""
    found = shutil.which(name)
    if found is None:
        raise Refused(
            "missing",
            f"{name} is not installed; building the page needs it",
            "install Node.js 20 or later with npm (on Debian: apt install npm), or take the page "
            "that your host published",
        )
    return found


def _run(command: list[str], folder: str, given: bytes, seconds: int) -> bytes:
    try:
        done = subprocess.run(
            command, cwd=folder, input=given, capture_output=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused("unreadable", f"{command[0]!a} did not run: {error!a:.200}") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip()[-600:]
        raise Refused("unreadable", f"{' '.join(command[:2])!a} failed: {last!a}")
    return done.stdout
