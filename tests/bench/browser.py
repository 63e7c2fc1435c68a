"""What the page costs in a real browser: its bytes, its start, a verdict, a step, an order, a tap.

`python tests/bench/browser.py [WHAT [NUMBER...]]`, where WHAT is

- `opened [STEPS [RUNS [TIMES]]]`: takes the page that these sources build, plays a game of Sugar
  Dog of STEPS steps (200), and prints a table, measured in Chromium; a start is the median of
  RUNS (6), from going to the file to its verdict, in a tab of a browser that has been idle for
  two seconds; the first of them, in a browser just started, is told by itself. To imitate a
  machine that is TIMES (4) times slower, all of the browser's processes are stopped most of the
  time, and run for 10 ms at a time. That slows workers and compilers too, which the browser's own
  throttling leaves out;
- `taps [TAPS [GAMES]]`: how soon a tap in a turn is answered. In a position of each game in the
  page, or of the first GAMES, everything that can be tapped, TAPS (16) things at most, is tapped
  and taken back, three times, of which the shortest counts: until the next picture is drawn, and
  until the engine has said what may follow. Once as it is, and once with the browser's own
  throttle at 4, which slows the page and not the engine;
- `frames [TURNS]`: how long a frame stands while turns play themselves, TURNS (8) of each game by
  hints, with the throttle at 4.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from frame import called, no_disk
from verify import resigned, under_way

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from page.browsers import FIRST_WORDS, Browser, Driver, built
from page.test_playing import GAMES, Player
from page.test_taps import ON

from adjudicator.page import build
from adjudicator.player.safe import Lock, SafeHead, seal
from adjudicator.store import pack
from adjudicator.verifier.listing import kept
from orders.errors import Refused

BEAT = 0.01
"""Seconds for which slowed processes run at a time."""

DROPPED = """
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
    await Page.call("watch.step", {step});
    took.push(performance.now() - begun);
  }
  return took;
})()
"""
ORDER = """
(async () => {
  const now = "2030-01-01T00:00:00Z";
  const bytes = Uint8Array.from(atob(given.safe), (one) => one.charCodeAt(0));
  await Page.call("play.open", {now, passphrase: given.passphrase}, bytes);
  const took = {order: [], safe: []};
  for (let count = 0; count < given.orders; count += 1) {
    const begun = performance.now();
    await Page.call("play.order", {now, text: count % 2 ? "silent" : "fire N"});
    const ordered = performance.now();
    await Page.call("play.save");
    took.safe.push(performance.now() - ordered);
    took.order.push(ordered - begun);
  }
  await Page.call("play.close");
  return took;
})()
"""
PASSPHRASE = "four words for a bench"


def opened(steps: int = 200, runs: int = 6, times: int = 4) -> None:
    """Print the table."""
    try:
        page = built()
        driver = Driver()
        browser = Browser(driver, "chromium")
    except (Refused, LookupError) as error:
        print(f"nothing measured: {error}")
        return
    with no_disk() as folder:
        record = pack.write(kept(resigned(folder / "played", steps)))
        safes = {count: safe_of(folder / str(count), count) for count in (2, steps)}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "page.html")
        path.write_bytes(page)
        carrying = Path(name, "game.html")
        carrying.write_bytes(build.carry(page, {"record": record}))
        print(f"load {os.getloadavg()[0]:.1f}\n\n| what | |\n|---|---|")
        print(f"| the page | {len(page)} bytes |")
        print(f"| gzipped | {len(gzip.compress(page, 9))} bytes |")
        (Path(name) / "game.zip").write_bytes(record)
        native = verified(Path(name, "game.zip"), runs)
        print(f"| `adjudicator verify` of {steps} steps, with its start | {native:.0f} ms |")
        words = sorted(first_words(browser, path) for _ in range(runs))
        print(f"| the first words, from opening the file | {statistics.median(words):.0f} ms |")
        first, *usual = (cold(browser, carrying) for _ in range(runs))
        print(f"| a verdict in a browser just started | {first:.0f} ms |")
        usual = sorted(usual or [first])
        print(f"| a verdict, from opening the file that carries it | {middle(usual, native)} |")
        with slowed(driver, times) as share:
            slow = sorted(cold(browser, carrying) for _ in range(runs))
        print(f"| the same, run {100 * share():.0f} % of the time | {middle(slow, native)} |")
        given = base64.b64encode(record).decode()
        tab = browser.tab(path)
        time.sleep(2)
        first = tab.eval(DROPPED, pack=given)
        print(f"| a verdict on a record dropped on a page that is open | {first:.0f} ms |")
        tab.eval("(Page.go('home'), 1)")
        print(f"| on the same record again | {tab.eval(DROPPED, pack=given):.0f} ms |")
        took = tab.eval(STEP, last=steps - 1)
        print(f"| a step: asked, answered | {statistics.median(took):.1f} ms |")
        for count, safe in safes.items():
            orders = tab.eval(ORDER, safe=safe, passphrase=PASSPHRASE, orders=2 * runs)
            order, saved = (statistics.median(orders[what]) for what in ("order", "safe"))
            print(f"| an order after {count} entries, with its safe | {order:.0f} ms |")
            print(f"| of it the safe | {saved:.0f} ms |")
        memory = tab.eval("Page.state.memory") / 2**20
        print(f"| memory of the engine, after all this | {memory:.0f} MiB |")
    driver.close()


def middle(taken: list[float], native: float) -> str:
    """Median, least and greatest of these times, and the median over the command's time."""
    median = statistics.median(taken)
    return f"{median:.0f} ms ({taken[0]:.0f} to {taken[-1]:.0f}), {median / native:.1f} times"


def verified(path: Path, runs: int) -> float:
    """Milliseconds of the command, the median of some runs."""
    command = [sys.executable, "-m", "adjudicator", "verify", str(path)]
    took = []
    for _ in range(runs):
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        took.append(1000 * (time.perf_counter() - begun))
    return statistics.median(took)


def safe_of(folder: Path, entries: int) -> str:
    """Alice's safe after so many entries, in base64; she is awaited."""
    table = under_way(folder, entries)
    if "alice" not in table.entry().awaited:
        table.play({"bob": "silent"})
    seat = table.seat("alice")
    seat.keep_key(table.keys["alice"])
    head = SafeHead("record", "alice", seat.invite, 1)
    held = {
        f"{kind}/{path}": source.read(path)
        for kind, source in (("seat", seat.files), ("record", table.copies["alice"]))
        for path in source.paths()
    }
    return base64.b64encode(seal(head, Lock.new(PASSPHRASE), held)).decode()


def cold(browser: Browser, path: Path) -> float:
    """Milliseconds from going to a page until it shows its verdict."""
    tab = browser.fresh()
    taken: float = tab.run(
        """
        await new Promise((done) => setTimeout(done, 2000));
        const begun = Date.now();
        await page.goto(given.address);
        await page.waitForSelector("main[data-done]", {timeout: 300000});
        return Date.now() - begun;
        """,
        address=path.as_uri(),
    )
    return taken


def first_words(browser: Browser, path: Path) -> float:
    """Milliseconds from the start of reading a page until a browser has painted words of it."""
    tab = browser.fresh()
    tab.run("await page.goto(given.address);", address=path.as_uri())
    painted: float = tab.eval(FIRST_WORDS)
    return painted


@contextlib.contextmanager
def slowed(driver: Driver, times: int) -> Iterator[Callable[[], float]]:
    """Let the browsers run only part of the time; the function given tells which part."""
    stop = threading.Event()
    ran = stood = 0.0

    def beat() -> None:
        nonlocal ran, stood
        looked = 0.0
        while not stop.is_set():
            # A browser starts processes; to look for them at each beat would itself take long.
            if time.perf_counter() - looked > 0.25:
                processes, looked = below(driver.process.pid), time.perf_counter()
            begun = time.perf_counter()
            tell(processes, signal.SIGSTOP)
            time.sleep(BEAT * (times - 1))
            tell(processes, signal.SIGCONT)
            meant = time.perf_counter()
            time.sleep(BEAT)
            stood += meant - begun
            ran += time.perf_counter() - meant

    def tell(processes: list[int], what: signal.Signals) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, what)

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield lambda: ran / (ran + stood)
    finally:
        stop.set()
        thread.join()


def below(root: int) -> list[int]:
    """The processes that one has started, and those that they have."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found: list[int] = []
    wanted = {root}
    while wanted:
        wanted = {process for process, parent in parents.items() if parent in wanted}
        found += wanted
    return found


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


def taps(most: int = 16, games: int = len(GAMES)) -> None:
    """Print a row for each game: seen and planned, then both throttled; each the median of the taps
    and the slowest, in milliseconds."""
    driver = Driver()
    browser = Browser(driver, "chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_bytes(built())
        for game in GAMES[:games]:
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


FRAMES = """
(() => {
  window.frames_took = [];
  let last = 0;
  const tick = (now) => {
    const plays = document.getAnimations().some((one) => one.playState === "running");
    if (plays && last) window.frames_took.push(now - last);
    last = plays ? now : 0;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})()
"""


def frames(turns: int = 8) -> None:
    """Print a row for each game: frames, their median, that of the slowest in 20, the slowest, in
    milliseconds."""
    driver = Driver()
    browser = Browser(driver, "chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_bytes(built())
        for game in GAMES:
            alice = Player(browser.tab(page))
            alice.against(game, "mate", seed=SEEDS[game])
            alice.tab.run(THROTTLED, rate=4)
            alice.tab.eval(FRAMES)
            for _ in range(turns):
                alice.planned()
                if alice.has(".won"):
                    break
                alice.advised()
                with alice.shown_anew():
                    alice.sent_all_the_same()
                alice.wait("document.getAnimations().every((one) => one.playState !== 'running')")
            took = sorted(alice.tab.eval("frames_took"))
            rare = took[len(took) * 19 // 20]
            told = f"{statistics.median(took):.1f} | {rare:.1f} | {took[-1]:.1f}"
            print(f"| {game} | {len(took)} | {told} |", flush=True)
    driver.close()


if __name__ == "__main__":
    called(opened, taps, frames)
