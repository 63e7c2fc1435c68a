"""How soon a tap in a turn is answered, in Chromium: `python tests/bench/taps.py [TAPS [GAME...]]`.

In a position of each game in the page, or of these, everything that can be tapped, TAPS (16) things
at most, is tapped and taken back, three times, of which the shortest counts: until the next picture
is drawn, and until the engine has said what may follow. Once as it is, and once with the browser's
own throttle at 4, which slows the page and not the engine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from page.browsers import Browser, Driver, built
from page.test_playing import GAMES, Player
from page.test_taps import ON

TURNS = {"sugar-dog": 4, "silent-ships": 4, "submarine-warfare": 3}
SEEDS = {"sugar-dog": 3, "silent-ships": 6, "submarine-warfare": 3}

TAPPED = """
(async () => {
  const seen = [], planned = [];
  const what = ".cell.may, .unit, .verb, .card:not([aria-disabled=true]):not([hidden])";
  const busy = () => document.querySelector(".next").getAttribute("aria-busy") !== "false";
  const idle = async () => {
    while (busy()) await new Promise((done) => setTimeout(done, 1));
  };
  await idle();
  const undo = document.querySelector("[data-act=undo]");
  const tapped = async (at) => {
    const begun = performance.now();
    const all = document.querySelectorAll(what);
    all[at % all.length].dispatchEvent(new MouseEvent("click", {bubbles: true}));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const took = [performance.now() - begun];
    await idle();
    took.push(performance.now() - begun);
    while (!undo.disabled) {
      undo.click();
      await new Promise((done) => setTimeout(done, 20));
      await idle();
    }
    return took;
  };
  for (let at = 0; at < Math.min(given.most, document.querySelectorAll(what).length); at += 1) {
    const took = [await tapped(at), await tapped(at), await tapped(at)];
    seen.push(Math.min(...took.map(([one]) => one)));
    planned.push(Math.min(...took.map(([, one]) => one)));
  }
  return [seen, planned];
})()
"""

THROTTLED = """
const session = await page.createCDPSession();
await session.send("Emulation.setCPUThrottlingRate", {rate: given.rate});
"""


def main(most: int, games: Sequence[str]) -> None:
    """Print a row for each game: seen and planned, then both throttled; each the median of the taps
    and the slowest, in milliseconds."""
    driver = Driver()
    browser = Browser(driver, "chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_bytes(built())
        for game in games:
            alice = Player(browser.tab(page))
            bot = "mate" if game == "silent-ships" else "random"
            alice.against(game, bot, seed=SEEDS[game])
            alice.tab.eval(ON, turns=TURNS[game])
            alice.wait("document.querySelector('.next[aria-busy=false]')")
            cells = [game]
            for rate in (1, 4):
                alice.tab.run(THROTTLED, rate=rate)
                told = alice.tab.eval(TAPPED, most=most)
                cells += [f"{statistics.median(took):.0f} ({max(took):.0f})" for took in told]
            print(f"| {' | '.join(cells)} |", flush=True)
    driver.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 16, sys.argv[2:] or GAMES)
