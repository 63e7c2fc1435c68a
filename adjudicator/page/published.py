"""The page as a folder for any static host: what a browser shows of it before it is opened, and
keeps of it afterwards.

What belongs here: the lines of the page that name the files beside it, and these files. Only
browsers and chats ask for them; the page itself contacts no server, here as from disk. The pictures
are drawn by `tests/page/published.py` and kept, since other machines have other fonts.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import games
from adjudicator.machine import demo
from adjudicator.machine.demo import Plan
from adjudicator.page.build import HERE
from adjudicator.store import pack
from adjudicator.store.record import Record
from adjudicator.verifier.listing import kept

PICTURES = HERE / "published"

INDEX = "index.html"
_BEFORE = b"<title>"
_ALONE, _BESIDE = b"img-src data:;", b"img-src data: 'self'; manifest-src 'self';"
"""What the page's policy lets a browser ask for: nothing, or its icons and its manifest."""
_LINKS = (
    '<link rel="manifest" href="manifest.webmanifest">\n'
    '<link rel="apple-touch-icon" href="icon-192.png">\n'
)
_PREVIEW = (
    '<meta property="og:image" content="{}preview.png">\n'
    '<meta property="og:image:width" content="1200">\n'
    '<meta property="og:image:height" content="630">\n'
    '<meta name="twitter:card" content="summary_large_image">\n'
)
_PLACED = re.compile(
    re.escape(_LINKS + _PREVIEW).replace(r"\{\}", r"((?:https://[\w.~%+:/-]*/)?)").encode()
)


def placed(page: bytes, at: str = "") -> bytes:
    """A page that names the files beside it. `at`: the folder's address; without it chats find no
    picture, because they take only a whole address."""
    head, _, rest = page.partition(_BEFORE)
    head = head.replace(_ALONE, _BESIDE, 1)
    return head + (_LINKS + _PREVIEW.format(at)).encode() + _BEFORE + rest


def place_of(page: bytes) -> str | None:
    """The address for which a page was placed, "" for none; None if it is one file by itself."""
    found = _PLACED.search(page.partition(_BEFORE)[0])
    return None if found is None else found[1].decode("ascii")


def files(page: bytes, at: str = "") -> Iterator[tuple[str, bytes]]:
    """The files of the folder with that page, by name: the page, its pictures, what a browser needs
    to install it, and a finished game to watch."""
    yield INDEX, placed(page, at)
    yield "icon.svg", (HERE / "icon.svg").read_bytes()
    for path in sorted(PICTURES.iterdir()):
        yield path.name, path.read_bytes()
    yield "demo.zip", game()


def game() -> bytes:
    """The pack of a whole game between captains, the same wherever it is played."""
    plan = Plan(games.load("sugar-dog"), ["captain", "captain"], b"\x07".rjust(32, b"\0"), {})
    with tempfile.TemporaryDirectory() as name:
        for _ in demo.play(plan, Path(name)):
            pass
        return pack.write(kept(Record(Path(name, "record"))))
