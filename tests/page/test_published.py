"""The folder for a web host: what is in it, and that a browser finds it good."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from page.browsers import Browser
from page.web import Host

from adjudicator.page import build, published
from adjudicator.store.pack import Pack
from adjudicator.verifier.verify import verify

AT = "https://example.org/play/"
PAGE = build.BEGINS + (
    b"<meta content=\"img-src data:; base-uri 'none'; form-action 'none'\">\n<title>x</title>\n"
    + build.ISLAND
    + b"</script>\n</body>\n</html>\n"
)


def size(png: bytes) -> tuple[int, int]:
    """The width and the height of a picture."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """The files of a folder, by name."""
    return dict(published.files(PAGE, AT))


def test_what_a_placed_page_names_is_there(files: dict[str, bytes]) -> None:
    """Its manifest and its icons, in the sizes that are told; and the preview by its whole
    address, which alone is what chats take."""
    page = files["index.html"].decode()
    manifest = json.loads(files["manifest.webmanifest"])
    assert manifest["start_url"] in files
    for icon in manifest["icons"]:
        if icon["type"] == "image/png":
            assert "{}x{}".format(*size(files[icon["src"]])) == icon["sizes"]
        else:
            assert files[icon["src"]] == (build.HERE / "icon.svg").read_bytes()
    assert '<link rel="manifest" href="manifest.webmanifest">' in page
    assert '<link rel="apple-touch-icon" href="icon-192.png">' in page
    assert f'<meta property="og:image" content="{AT}preview.png">' in page
    wide, high = size(files["preview.png"])
    assert f'<meta property="og:image:width" content="{wide}">' in page
    assert f'<meta property="og:image:height" content="{high}">' in page


def test_the_game_in_it_is_true_and_always_the_same(files: dict[str, bytes]) -> None:
    """Whoever puts it on the web puts the same bytes there."""
    assert verify(Pack.of(files["demo.zip"])).verdict.startswith("true: ")
    assert published.game() == files["demo.zip"]


def test_a_placed_page_is_known_again(files: dict[str, bytes]) -> None:
    """And its address; it is the page that was placed, but for the lines that name the files and
    for what lets the browser ask for the manifest."""
    index = files["index.html"]
    assert published.place_of(index) == AT
    assert published.place_of(published.placed(PAGE)) == ""
    assert published.place_of(PAGE) is None
    assert published.place_of(index.replace(AT.encode(), b"javascript:")) is None
    assert b"img-src data: 'self'; manifest-src 'self'; base-uri 'none'" in index
    added = [line for line in index.splitlines() if line not in PAGE.splitlines()]
    tags = [line.partition(b" ")[0] for line in added]
    assert tags == [b"<meta", *[b"<link"] * 2, *[b"<meta"] * 4]
    assert build.digest(index) != build.digest(PAGE)
    carried = build.carry(PAGE, {"record": b"PK"})
    assert build.digest(published.placed(carried, AT)) == build.digest(index)


def test_the_icons_are_drawn_of_the_one(
    files: dict[str, bytes], started: Callable[[str], Browser]
) -> None:
    """To within what browsers differ by at edges."""
    given = {name: base64.b64encode(data).decode() for name, data in files.items()}
    for wide in (192, 512):
        far = (
            started("chromium")
            .fresh()
            .eval(
                """(async () => {
              const drawn = async (address) => {
                const image = new Image();
                image.src = address;
                await image.decode();
                const canvas = new OffscreenCanvas(given.wide, given.wide);
                const context = canvas.getContext("2d");
                context.drawImage(image, 0, 0, given.wide, given.wide);
                return context.getImageData(0, 0, given.wide, given.wide).data;
              };
              const one = await drawn(`data:image/svg+xml;base64,${given.svg}`);
              const other = await drawn(`data:image/png;base64,${given.png}`);
              let far = 0;
              one.forEach((value, at) => { far += Math.abs(value - other[at]); });
              return far / one.length;
            })()""",
                wide=wide,
                svg=given["icon.svg"],
                png=given[f"icon-{wide}.png"],
            )
        )
        assert far < 2, far


def test_a_browser_finds_it_good(page_file: Path, started: Callable[[str], Browser]) -> None:
    """Served as it is: nothing on the console, no fault in the manifest, and nothing is asked for
    but the files of the folder."""
    held = dict(published.files(page_file.read_bytes(), AT))
    host = Host(b"", {f"/play/{name}": data for name, data in held.items()})
    try:
        tab = started("chromium").fresh()
        tab.open(f"{host.address}/play/index.html")
        found = tab.run(
            """
            const client = await page.createCDPSession();
            return await client.send("Page.getAppManifest");
            """
        )
        assert (found["errors"], found["url"]) == ([], f"{host.address}/play/manifest.webmanifest")
        assert json.loads(found["data"])["name"] == "Sealed orders"
        assert tab.said() == []
        assert {path.removeprefix("/play/") for path in host.asked} <= held.keys()
        assert tab.eval("document.querySelector('link[rel=icon]').href").startswith("data:")
    finally:
        host.close()
