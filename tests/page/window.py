"""Whether a screen is one window: measured at every size, by day and by night."""

from __future__ import annotations

from typing import Any

from page.browsers import HERE, Tab

from adjudicator.page import build

SIZES = ((360, 740), (390, 844), (768, 1024), (1366, 768))
SCHEMES = {"chromium": ("light", "dark"), "firefox": ("dark",)}
"""By day and by night; Firefox shows the night alone, see `browsers`."""

LEAST = 44
"""So large is a cell at least, in pixels, and whatever a finger touches."""

CARD = 32
"""So wide is a card at least, of which there may be eleven beside each other."""

STILL = """
(() => {
  for (const one of document.getAnimations()) {
    try {
      one.finish();
    } catch {
      one.cancel();
    }
  }
})()
"""
"""Ends what moves."""

ROOT = "(() => { document.documentElement.style.fontSize = given.size; })()"
"""Gives the root's text a size, as a reader's setting does."""

MEASURED = (HERE / "measured.js").read_text("utf-8")
"""Of a screen, what it says of itself at its top."""

ROLLERS = ".told, .known, .lines, .loud, .verdict, .beside, .end > .links"


def faults(tab: Tab) -> list[Any]:
    """What axe-core finds on the screen as it is."""
    source = (build.fetched(HERE) / "axe-core" / "axe.min.js").read_text("utf-8")
    tab.run("if (!await page.evaluate(() => window.axe)) await page.evaluate(given.source);",
            source=source)  # fmt: skip
    found: list[Any] = tab.eval(
        "axe.run().then(({violations}) => violations.map("
        "({id, nodes}) => [id, nodes.map((one) => one.target.join(' ') + one.failureSummary)]))"
    )
    return found


class Window:
    """What was measured in a game, stage by stage; `faults` is empty if all is well."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.cells: dict[tuple[int, int], dict[str, float]] = {size: {} for size in SIZES}
        self.faults: dict[str, list[str]] = {}
        self.stages: list[str] = []

    def look(self, stage: str) -> None:
        """Measure the stage that is shown."""
        tab = self.tab
        self.stages.append(stage)
        screen = tab.eval("document.querySelector('main').dataset.screen")
        sheet = tab.eval("document.querySelector('dialog') !== null")
        frame = screen in ("game", "watch") and not sheet
        for scheme in SCHEMES[tab.browser.name]:
            for width, height in SIZES:
                tab.look(width=width, height=height, color_scheme=scheme, reduced_motion="reduce")
                told = tab.eval(MEASURED, frame=frame, rollers=ROLLERS, least=LEAST, card=CARD)
                for fault in told["faults"]:
                    self.note(fault, f"{stage} {width}x{height} {scheme}")
                for moves in told["moves"]:
                    self.note(f"moves: {moves}", f"{stage} {width}x{height} {scheme}")
                if screen == "game" and frame:
                    self.cells[width, height][stage] = round(told["cell"], 1)
        number = len(self.stages)
        scheme = SCHEMES[tab.browser.name][number % len(SCHEMES[tab.browser.name])]
        width, height = SIZES[0] if number % 2 else SIZES[-1]
        tab.look(width=width, height=height, color_scheme=scheme, reduced_motion="reduce")
        for name, nodes in faults(tab):
            self.note(f"{name}: {nodes}", f"{stage} {width}x{height} {scheme}")
        # A reader who has asked for text twice as large rolls the window, and misses nothing.
        tab.eval(ROOT, size="200%")
        told = tab.eval(MEASURED, frame=False, rollers=ROLLERS, least=LEAST, card=CARD)
        for fault in told["faults"]:
            self.note(fault, f"{stage} {width}x{height}, text of 200 %")
        tab.eval(ROOT, size="")

    def note(self, fault: str, where: str) -> None:
        """Something that is wrong there."""
        self.faults.setdefault(fault, []).append(where)

    def judged(self) -> list[str]:
        """All that was wrong, with cells that are too small or that were of another size."""
        found = [
            f"{fault} ({len(where)}: {', '.join(where[:3])})"
            for fault, where in self.faults.items()
        ]
        for (width, height), cells in self.cells.items():
            sizes = [*cells.values()] or [LEAST]
            if min(sizes) < LEAST or max(sizes) - min(sizes) > 1:
                found.append(f"{width}x{height}: cells of {cells}")
        return found


def one_window(tab: Tab, stage: str) -> None:
    """A stage that stands for itself."""
    # Whatever is pressed ends what is played.
    tab.keys("Shift")
    window = Window(tab)
    window.look(stage)
    found = window.judged()
    assert found == [], "\n".join(map(str, found))
    tab.look()
