"""The page, built once a session, and real browsers to open it in."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from page.browsers import PROGRAMS, Browser, Driver, needed

from adjudicator.page import build, npm


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], Any]], Path]:
    """What one process makes for all that run tests: the path that `make` was told to fill."""
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if folder.name.startswith("popen-") else folder

    def call(name: str, make: Callable[[Path], Any]) -> Path:
        made, part = folder / name, folder / f"{name}.part"
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                make(part)
                part.rename(made)
        return made

    return call


@pytest.fixture(scope="session")
def page_file(once: Callable[[str, Callable[[Path], Any]], Path]) -> Path:
    """The page as this version builds it, without anything in it.

    One that was built of the same sources before is as good: `test_built_again_it_is_the_same`
    builds it anew in any case.
    """

    def make(path: Path) -> None:
        kept = needed(npm.fetched, "the page cannot be built").parent / f"{sources()}.html"
        if not kept.exists():
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_bytes(build.build())
            part.replace(kept)
            for old in sorted(kept.parent.glob("*.html"), key=lambda one: one.stat().st_mtime)[:-5]:
                old.unlink()
        shutil.copy(kept, path)

    return once("page.html", make)


def sources() -> str:
    """A digest of all that the page is built of, beside what npm brought."""
    whole = hashlib.sha256()
    own = {path.name: path.read_bytes() for path in build.HERE.iterdir() if path.is_file()}
    for name, data in sorted({**own, **build._files()}.items()):
        whole.update(f"{name} {len(data)}\n".encode() + data)
    return whole.hexdigest()


@pytest.fixture(scope="session")
def driver() -> Iterator[Driver]:
    """One node process for all browsers."""
    driver = needed(Driver, "browsers cannot be driven")
    yield driver
    driver.close()


@pytest.fixture(scope="session")
def browsers(driver: Driver) -> dict[str, Browser]:
    """Those that run already."""
    return {}


@pytest.fixture(params=list(PROGRAMS))
def browser(
    request: pytest.FixtureRequest, driver: Driver, browsers: dict[str, Browser]
) -> Browser:
    """Chromium, then Firefox; each is started once."""
    name = request.param
    if name not in browsers:
        browsers[name] = needed(lambda: Browser(driver, name), "no such browser")
    return browsers[name]
