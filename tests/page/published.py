"""Makes the pictures of a published page anew, in Chromium: `python -m tests.page.published`.

They are drawn once and kept with the sources, because other machines have other fonts.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from page.browsers import Browser, Driver

from adjudicator.page.build import HERE
from adjudicator.page.published import PICTURES
from games import shapes

SHOT = """
  const {browser} = held[given.name];
  const page = await browser.newPage();
  await page.setViewport({width: given.width, height: given.height});
  await page.setContent(given.html);
  const shot = await page.screenshot({omitBackground: true, encoding: "base64"});
  await page.close();
  return shot;
"""
ICON = (HERE / "icon.svg").read_text("utf-8")
CELL, SIDE = 88, 6
SEA = ("#b3d5da", "#bfdcdf", "#cbe3e3", "#d7eae7")
OWN, FOE, PLAN = "#0f4163", "#96300c", "#a6125c"
PIECES = (
    (2, 4, OWN, shapes.submarine()),
    (1, 3, OWN, shapes.mine()),
    (2, 2, OWN, shapes.torpedo("N")),
    (3, 1, FOE, shapes.contact("")),
    (4, 1, FOE, shapes.contact("")),
    (4, 2, FOE, shapes.submarine(foe=True)),
)
"""Column, row from above, colour and shape."""


def sea() -> str:
    """A sea with pieces on it, in the colours of the page by day."""
    whole, scale = CELL * SIDE, CELL / 60
    cells = "".join(
        f'<rect x="{CELL * x}" y="{CELL * y}" width="{CELL}" height="{CELL}" '
        f'fill="{SEA[min(3, abs(x - 1) + abs(y - 3) * 2 // 3)]}" stroke="#8fbcc2"/>'
        for x in range(SIDE)
        for y in range(SIDE)
    )
    pieces = "".join(
        f'<g color="{colour}" transform="translate({CELL * x} {CELL * y}) scale({scale:.3f})">'
        f"{shape}</g>"
        for x, y, colour, shape in PIECES
    )
    corners = "".join(
        f'<path d="M-30 -18v-12h12M30 -18v-12h-12M-30 18v12h12M30 18v12h-12" fill="none" '
        f'stroke="{PLAN}" stroke-width="4" transform="translate({CELL * x} {CELL * y})"/>'
        for x, y in ((1.5, 4.5), (3.5, 4.5), (2.5, 5.5), (2.5, 3.5))
    )
    bars = "".join(
        f'<path d="M{CELL * at / 2} -7h{CELL / 2}M{CELL * at / 2} {whole + 7}h{CELL / 2}'
        f'M-7 {CELL * at / 2}v{CELL / 2}M{whole + 7} {CELL * at / 2}v{CELL / 2}" '
        'stroke="#21464f" stroke-width="8"/>'
        for at in range(0, 2 * SIDE, 2)
    )
    return (
        f'<svg viewBox="-24 -24 {whole + 48} {whole + 48}"><rect x="-24" y="-24" '
        f'width="{whole + 48}" height="{whole + 48}" rx="8" fill="#fbf8ee"/>'
        f"{cells}{bars}{pieces}{corners}</svg>"
    )


def preview() -> str:
    """The picture of a link, 1200 by 630."""
    return f"""<!doctype html><style>
  body {{ margin: 0; width: 1200px; height: 630px; overflow: hidden; display: grid;
    grid-template-columns: 1fr 600px; background: {OWN}; color: #fdf9ee;
    font-family: "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, serif; }}
  section {{ padding: 52px 0 0 64px; }}
  section svg {{ width: 128px; height: 128px; margin-left: -16px; }}
  h1 {{ font-size: 66px; line-height: 1.08; margin: 28px 0 22px; font-weight: 600; }}
  p {{ font: 27px/1.4 system-ui, "Segoe UI", Roboto, sans-serif; margin: 0; color: #d6e7e6; }}
  aside {{ display: grid; place-items: center; }}
  aside svg {{ width: 552px; height: 552px; }}
</style><section>{ICON}<h1>Sealed orders, open results</h1>
<p>Play a friend by links. Nobody hosts, and&nbsp;nobody cheats unseen.</p></section>
<aside>{sea()}</aside>"""


def main() -> None:
    """Write the pictures."""
    driver = Driver()
    browser = Browser(driver, "chromium")

    def shoot(name: str, html: str, width: int, height: int) -> None:
        shot = driver.run(SHOT, name=browser.name, html=html, width=width, height=height)
        (PICTURES / name).write_bytes(base64.b64decode(shot))

    for size in (192, 512):
        icon = ICON.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
        style = "html, body { margin: 0; background: none } svg { display: block }"
        shoot(f"icon-{size}.png", f"<!doctype html><style>{style}</style>{icon}", size, size)
    shoot("preview.png", preview(), 1200, 630)
    driver.close()


if __name__ == "__main__":
    main()
