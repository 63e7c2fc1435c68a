"""What the page costs in a real browser: its bytes, its start, a verdict, a step, its memory.

`python tests/bench/in_browser.py [STEPS]` builds the page, plays a game of Sugar Dog of STEPS steps
(200), and prints the table of `docs/performance.md`, measured in Chromium.
"""

from __future__ import annotations

import base64
import gzip
import statistics
import sys
import tempfile
from pathlib import Path

from games_played import no_disk
from long import played

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from page.browsers import Browser, Driver, Tab

from adjudicator.page import build
from adjudicator.store import pack
from adjudicator.verifier.packing import kept
from orders.errors import Refused

TO_VERDICT = """
(async () => {
  const begun = performance.now();
  await Page.open("game.zip", Uint8Array.from(atob(given.pack), (one) => one.charCodeAt(0)));
  while (!document.querySelector("main[data-done]"))
    await new Promise((done) => setTimeout(done, 5));
  return performance.now() - begun;
})()
"""
STEP = """
(async () => {
  const took = [];
  for (let step = 1; step <= given.last; step += 1) {
    const begun = performance.now();
    const shown = await Page.call("watch.step", {step});
    window.bench ??= document.body.appendChild(Page.board());
    window.bench.show(shown.boards[1].svg);
    took.push(performance.now() - begun);
  }
  return took;
})()
"""


def main(steps: int) -> None:
    """Print the table."""
    try:
        page = build.build()
        driver = Driver()
        browser = Browser(driver, "chromium")
    except (Refused, LookupError) as error:
        print(f"nothing measured: {error}")
        return
    with no_disk() as folder:
        record = pack.write(kept(played(folder, steps)))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "page.html")
        path.write_bytes(page)
        carrying = Path(name, "game.html")
        carrying.write_bytes(build.carry(page, {"record": record}))
        print("| what | |\n|---|---|")
        print(f"| the page | {len(page)} bytes |")
        print(f"| gzipped | {len(gzip.compress(page, 9))} bytes |")
        print(f"| from opening a page with {steps} steps in it to its verdict, cold | "
              f"{opened(browser, carrying):.0f} ms |")  # fmt: skip
        print(
            f"| the same, the CPU slowed four times | {opened(browser, carrying, slow=4):.0f} ms |"
        )
        tab = browser.tab(path)
        given = base64.b64encode(record).decode()
        tab.eval(TO_VERDICT, pack=given)
        tab.eval("(Page.go('home'), 1)")
        warm = tab.eval(TO_VERDICT, pack=given)
        print(f"| the same record in a page that is warm | {warm:.0f} ms |")
        took = tab.eval(STEP, last=steps - 1)
        print(f"| a step: asked, answered, drawn | {statistics.median(took):.1f} ms |")
        print(f"| memory of the engine | {tab.eval('Page.state.memory') / 2**20:.0f} MiB |")
    driver.close()


def opened(browser: Browser, path: Path, slow: int = 1) -> float:
    """Milliseconds from going to a page until its verdict stands there."""
    tab = Tab(browser)
    taken: float = tab.run(
        """
        await page.emulateCPUThrottling(given.slow);
        const begun = Date.now();
        await page.goto(given.address);
        await page.waitForSelector("main[data-done]", {timeout: 120000});
        return Date.now() - begun;
        """,
        address=path.as_uri(),
        slow=slow,
    )
    return taken


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 200)
