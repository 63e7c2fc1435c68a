"""Builds a release from its tag, and compares it with what others have.

    python -m tests.release v0.1.0
    python -m tests.release v0.1.0 FOLDER
    python -m tests.release v0.1.0 https://pypi.org/simple/sealed-orders/

The first writes source archive, wheel, page and SHA256SUMS to `dist`. The others also compare each
file that a folder holds, or of which an index names the digest, and exit with 1 if one differs.
Nothing is installed, and of an index no file is fetched.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[1]


def build(clone: Path, to: Path) -> None:
    """Build what a release has, of the sources in a clone; `to` is made anew."""
    page = clone / "adjudicator/page/released.html"
    env = {**os.environ, "PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1"}
    for command in (["adjudicator", "page", "-o", str(page)], ["hatchling", "build"]):
        done = [sys.executable, "-m", *command]
        subprocess.run(done, cwd=clone, env=env, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(clone / "dist", to)
    (archive,) = to.glob("*.tar.gz")
    shutil.copyfile(page, to / f"page-{version(archive.name)}.html")
    lines = [f"{digest}  {name}\n" for name, digest in digests(to).items()]
    (to / "SHA256SUMS").write_bytes("".join(lines).encode())


def version(name: str) -> str:
    """The version in the name of a wheel or a source archive."""
    return re.sub(r"\.(tar\.gz|zip)$", "", name).split("-")[1]


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file in a folder."""
    return {
        one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(folder.iterdir())
    }


def indexed(address: str, wanted: str) -> dict[str, str]:
    """The SHA-256 of each file of a version, as the page of an index says (PEP 691)."""
    asked = Request(address, headers={"Accept": "application/vnd.pypi.simple.v1+json"})  # noqa: S310
    with urlopen(asked, timeout=60) as answer:  # noqa: S310 - who calls it names the address
        files = json.load(answer)["files"]
    return {
        one["filename"]: one["hashes"].get("sha256", "none named")
        for one in files
        if version(one["filename"]) == wanted
    }


def compared(built: dict[str, str], there: dict[str, str]) -> tuple[list[str], bool]:
    """A line for each file, and whether all that is there is what was built."""
    lines = []
    for name in sorted(built | there):
        ours, theirs = built.get(name), there.get(name)
        word = "same" if ours == theirs else "not there" if theirs is None else "DIFFERENT"
        lines.append(f"{word:9}  {name}  {ours or 'not built'}")
        if word == "DIFFERENT":
            lines.append(f"{'':9}  {'there':{len(name)}}  {theirs}")
    return lines, bool(there) and there.items() <= built.items()


def tell(built: dict[str, str], place: str) -> int:
    """Print how what is at a place differs from what was built; the exit code."""
    wanted = version(next(name for name in built if name.endswith(".tar.gz")))
    there = indexed(place, wanted) if "://" in place else digests(Path(place))
    lines, same = compared(built, there)
    verdict = "All that is there was built of this tag." if same else "Do not use what is there."
    print(*lines, verdict if there else "Nothing is there.", sep="\n")
    return 0 if same else 1


def main(tag: str, place: str = "") -> int:
    """Build, and print the digests, or compare them; the exit code."""
    to = Path("dist")
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        command = ["git", "-c", "advice.detachedHead=false", "clone", "-q"]
        subprocess.run([*command, "--branch", tag, str(ROOT), str(clone)], check=True)
        build(clone, to)
    if place:
        return tell(digests(to), place)
    print((to / "SHA256SUMS").read_text(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
