"""The page, built once a session, and real browsers to open it in."""

from __future__ import annotations

import fcntl
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from page.browsers import PROGRAMS, Browser, Driver, built, needed
from page.web import Host


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
    """The page as this version builds it, without anything in it."""

    def make(path: Path) -> None:
        path.write_bytes(needed(built, "the page cannot be built"))

    return once("page.html", make)


@pytest.fixture(scope="session")
def web(page_file: Path) -> Iterator[Host]:
    """A web host of the page that would like to learn who opens it."""
    host = Host(page_file.read_bytes())
    yield host
    host.close()


@pytest.fixture(scope="session")
def driver() -> Iterator[Driver]:
    """One node process for all browsers."""
    driver = needed(Driver, "browsers cannot be driven")
    yield driver
    driver.close()


@pytest.fixture(scope="session")
def started(driver: Driver) -> Callable[[str], Browser]:
    """A browser by its name; each is started once.

    Chromium's compiler makes no machine code better than its first: pages are closed before they
    gain by it.
    """
    options = {"chromium": ["--js-flags=--liftoff-only"], "firefox": []}

    @functools.cache
    def start(name: str) -> Browser:
        return needed(lambda: Browser(driver, name, *options[name]), "no such browser")  # type: ignore[no-any-return]

    return start


@pytest.fixture(params=list(PROGRAMS))
def browser(request: pytest.FixtureRequest, started: Callable[[str], Browser]) -> Browser:
    """Chromium, then Firefox."""
    return started(request.param)


@pytest.fixture
def chromium(started: Callable[[str], Browser]) -> Browser:
    """One browser, for what no browser does in a way of its own."""
    return started("chromium")
