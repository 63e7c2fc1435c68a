"""A release: wheel and source archive, the same bytes each time, with the built page in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from adjudicator.page import build

ROOT = Path(__file__).parents[2]
PARTS = ("adjudicator", "games", "orders", "LICENSE", "README.md", "pyproject.toml", ".gitignore")
"""What of a checkout the tests build of; the rest goes into the source archive alone."""


@pytest.fixture
def released(tmp_path: Path, page_file: Path) -> list[list[Path]]:
    """Source archive and wheel, built twice, as `docs/releasing.md` says; the second time from
    files that were written at another time, by somebody with other habits."""
    made = []
    for name, mode in (("one", 0o644), ("two", 0o600)):
        folder = tmp_path / name
        for part in PARTS:
            of, to = ROOT / part, folder / part
            to.parent.mkdir(exist_ok=True)
            if of.is_dir():
                shutil.copytree(of, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(of, to)
        shutil.copy(page_file, folder / build.RELEASED.relative_to(ROOT))
        for path in folder.rglob("*"):
            if path.is_file():
                path.chmod(mode)
                os.utime(path, (mode * 10**6, mode * 10**6))
        command = [sys.executable, "-m", "hatchling", "build"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
        made.append(sorted((folder / "dist").iterdir()))
    return made


def test_a_release_is_the_same_bytes_and_brings_the_page(
    released: list[list[Path]], tmp_path: Path, page_file: Path
) -> None:
    """Who has the wheel writes the page, and checks it, without npm or node."""
    one, two = released
    assert [path.name for path in one] == [
        "sealed_orders-0.1.0-py3-none-any.whl", "sealed_orders-0.1.0.tar.gz",
    ]  # fmt: skip
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    away = tmp_path / "installed"
    zipfile.ZipFile(one[0]).extractall(away)

    def page(*given: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "page", *given],
            env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(away)},
            cwd=tmp_path, check=True, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        return done.stdout

    page("-o", "page.html")
    assert (tmp_path / "page.html").read_bytes() == page_file.read_bytes()
    assert "it is the page of this version" in page("--check", "page.html")
    # A page of other sources is no page of this version.
    (away / "adjudicator/page/page.css").write_text("")
    with pytest.raises(subprocess.CalledProcessError):
        page("--check", "page.html")
