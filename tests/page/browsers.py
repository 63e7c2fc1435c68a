"""Real browsers for the tests of the page, driven by one node process (`driver.mjs`)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.page import build
from orders.errors import Refused

HERE = Path(__file__).parent
PROGRAMS = {"chromium": "chromium", "firefox": "firefox-esr"}

_OPTIONS = {
    # Without the last one it starts two pages of its own, for its address bar, with each window.
    "chromium": {
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--force-color-profile=srgb",
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
        ]
    },
    # Its colours cannot be changed while it runs, so it always shows the dark ones; and nothing
    # moves in it, as many people set it.
    "firefox": {
        "browser": "firefox",
        "extraPrefsFirefox": {
            "layout.css.prefers-color-scheme.content-override": 0,
            "ui.prefersReducedMotion": 1,
        },
    },
}


FIRST_WORDS = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
"""When a page was first painted with words, in milliseconds from its beginning; Chromium tells."""


def needed(what: Callable[[], Any], why: str) -> Any:
    """What a test needs: if a contributor lacks it the test is skipped; in CI it fails."""
    try:
        return what()
    except (Refused, LookupError) as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{why}: {error}")
        pytest.skip(f"{why}: {error}")


def built() -> bytes:
    """The page as this version builds it, without anything in it.

    One that was built of the same sources before is as good: `test_built_again_it_is_the_same`
    builds it anew in any case.
    """
    kept = build.fetched().parent / f"{build.sources()}.html"
    if not kept.exists():
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(build.build())
        part.replace(kept)
        for old in sorted(kept.parent.glob("*.html"), key=lambda one: one.stat().st_mtime)[:-5]:
            old.unlink()
    return kept.read_bytes()


class Driver:
    """The node process; `run` runs some JavaScript in it."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            raise LookupError("no node")
        self.modules = build.fetched(HERE)
        self.process = subprocess.Popen(
            [node, str(HERE / "driver.mjs"), str(self.modules)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.number = 0

    def run(self, code: str, /, **given: Any) -> Any:
        """The value that the body of an async function of (puppeteer, held, given) returns."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.number += 1
        asked = {"id": self.number, "code": code, "given": given}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def close(self) -> None:
        """End the process, which ends the browsers."""
        self.process.communicate(timeout=20)


class Browser:
    """One browser, started once; `options` are flags besides its usual ones."""

    def __init__(self, driver: Driver, name: str, *options: str) -> None:
        program = shutil.which(PROGRAMS[name])
        if program is None:
            raise LookupError(f"no {PROGRAMS[name]}")
        self.driver = driver
        self.name = name
        self.used: dict[str, Tab] = {}
        usual = {"executablePath": program, "headless": True, **_OPTIONS[name]}
        self.driver.run(
            "held[given.name] = {browser: await puppeteer.launch(given.usual)};",
            name=name,
            usual={**usual, "args": [*usual.get("args", ()), *options]},
        )

    def fresh(self) -> Tab:
        """An empty tab in a profile of its own; the last one that was fresh is closed."""
        return Tab(self, "fresh")

    def tab(self, page: Path, *, hash: str = "") -> Tab:
        """A fresh tab with that file, read from disk; its engine runs."""
        tab = self.fresh()
        tab.open(page.as_uri() + hash)
        return tab

    def at(self, page: Path | str) -> Tab:
        """A tab with that file or web address that was used before and left: nothing is open in it.

        Most tests begin so, since starting the engine takes seconds. What it said and asked for
        before counts.
        """
        address = page if isinstance(page, str) else page.as_uri()
        if address in self.used:
            self.used[address].leave()
        else:
            tab = Tab(self, address)
            tab.open(address)
            self.used[address] = tab
        return self.used[address]


class Tab:
    """A page in a browser, with all that it said on the console and asked of any network."""

    def __init__(self, browser: Browser, name: str) -> None:
        self.browser = browser
        self.key = f"{browser.name} {name}"
        self.browser.driver.run(
            """
            const {browser} = held[given.browser];
            await held[given.key]?.context.close();
            const context = await browser.createBrowserContext();
            const page = await context.newPage();
            page.setDefaultTimeout(60_000);
            const [said, asked] = [[], []];
            page.on("console", (one) => said.push(`${one.type()}: ${one.text()}`));
            page.on("pageerror", (error) => said.push(`error: ${error.message || error}`));
            page.on("request", (one) => asked.push(one.url()));
            held[given.key] = {context, page, said, asked};
            """,
            browser=browser.name,
            key=self.key,
        )

    def run(self, code: str, /, **given: Any) -> Any:
        """JavaScript in the driver with `page`, `said`, `asked` and `given` at hand."""
        enter = "const {page, said, asked} = held[given.key];"
        return self.browser.driver.run(enter + code, key=self.key, **given)

    def eval(self, code: str, /, **given: Any) -> Any:
        """The value of an expression in the page, where `given` is known; promises are awaited."""
        return self.run(
            "return await page.evaluate(new Function('given', `return (${given.code})`), given);",
            code=code,
            **given,
        )

    def open(self, address: str, *, width: int = 1000, height: int = 800, **media: str) -> None:
        """Go to that address, with these media features, and wait for the engine."""
        self.look(width=width, height=height, **media)
        self.run("await page.goto(given.address);", address=address)
        self.runs()

    def runs(self) -> None:
        """Wait for the engine."""
        self.wait("document.documentElement.dataset.engine")
        assert self.eval("document.documentElement.dataset.engine") == "ready", self.text("#told")

    def look(self, *, width: int = 1000, height: int = 800, **media: str) -> None:
        """Make the window so large, with these media features where the browser can change them."""
        self.run(
            """
            await page.setViewport({width: given.width, height: given.height});
            const features = Object.entries(given.media).map(
                ([name, value]) => ({name: `prefers-${name}`.replaceAll("_", "-"), value}));
            if (features.length) await page.emulateMediaFeatures(features);
            """,
            width=width,
            height=height,
            media=media if self.browser.name == "chromium" else {},
        )

    def front(self) -> None:
        """Show it instead of the browser's other tabs, where Firefox draws nothing."""
        self.run("await page.bringToFront();")

    def leave(self) -> None:
        """Leave what is open in the page and what it keeps, and show its beginning."""
        self.front()
        self.run("await page.emulateMediaFeatures([]);" if self.browser.name == "chromium" else "")
        self.look()
        self.runs()
        self.eval(
            """(async () => {
              await Page.mail.leave();
              Page.hold("solo", []);
              Page.mail.forgetTab();
              for (const { id } of Page.seats.seats()) await Page.seats.forget(id);
              Page.go("home");
              // A check that was begun says even now that it is done.
              while (Page.state.busy) await new Promise((done) => setTimeout(done, 20));
              delete document.getElementById("main").dataset.done;
              history.replaceState(null, "", location.pathname);
            })()"""
        )

    def wait(self, code: str, seconds: int = 60) -> None:
        """Wait until an expression in the page is true."""
        self.run(
            "await page.waitForFunction(new Function(`return (${given.code})`), "
            "{timeout: given.seconds * 1000});",
            code=code,
            seconds=seconds,
        )

    def give(self, *paths: Path) -> None:
        """Choose files in the page's first chooser."""
        self.eval("document.querySelector('input[type=file]') || Page.go('receive')")
        self.run(
            "await (await page.$('input[type=file]')).uploadFile(...given.paths);",
            paths=[str(path) for path in paths],
        )

    def keys(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self.run("for (const key of given.keys) await page.keyboard.press(key);", keys=keys)

    def text(self, selector: str) -> str:
        """The text that an element shows."""
        found: str = self.eval(
            "document.querySelector(given.selector).innerText", selector=selector
        )
        return found

    def said(self) -> list[str]:
        """All that the page said on the console so far."""
        found: list[str] = self.run("return said;")
        return found

    def asked(self) -> list[str]:
        """The addresses that the page asked for, but for its own and its parts."""
        found: list[str] = self.run("return asked.filter((one) => !page.url().startsWith(one));")
        return [one for one in found if not one.startswith(("blob:null/", "data:"))]
