"""Records in which one thing is wrong, as vectors: for any verifier.

`python tests/vectors/generate.py` makes each break of `tests/verifier/breaks.py` and writes
`breaks.json`, a row for each, and `breaks.zip`: in GAME/ the files of each game before it was
broken, in breaks/NAME/ those that a break changed or added. All keys, orders and times are fixed,
so the same files come out every time.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from table import Table  # noqa: E402
from verifier.breaks import BREAKS  # noqa: E402
from verifier.forger import Forger  # noqa: E402
from verifier.played import PLAYED, play  # noqa: E402

from adjudicator.store import pack  # noqa: E402


def made(folder: Path) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The rows, and the files by their place in the zip; games are played in that folder."""
    games: dict[str, Forger] = {name: play(name, Table, folder / name) for name in PLAYED}
    files = {
        f"{name}/{path}": data for name, one in games.items() for path, data in one.held.items()
    }
    rows = []
    for one in BREAKS:
        whole = games[one.game]
        broken = whole.copy()
        asked = dict(one.change(broken) or {})
        new = {path: data for path, data in broken.held.items() if whole.held.get(path) != data}
        files |= {f"breaks/{one.name}/{path}": data for path, data in new.items()}
        said = one.said
        row = {"name": one.name, "game": one.game, "code": said.code}
        row |= {"claim": said.claim, "words": said.text, "asked": asked}
        rows.append(row | {"gone": sorted(set(whole.held) - set(broken.held))})
    return rows, files


def published() -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The rows and the files as they lie here."""
    with zipfile.ZipFile(HERE / "breaks.zip") as held:
        files = {name: held.read(name) for name in held.namelist()}
    return json.loads((HERE / "breaks.json").read_text("ascii")), files


def record(row: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The broken record of a row, as any verifier puts it together."""

    def under(folder: str) -> dict[str, bytes]:
        start = f"{folder}/"
        return {name[len(start) :]: files[name] for name in files if name.startswith(start)}

    held = under(row["game"]) | under(f"breaks/{row['name']}")
    return {path: data for path, data in held.items() if path not in row["gone"]}


def main() -> None:
    """Write both files."""
    os.fsync = lambda handle: None  # what is played here need not outlive a power cut
    with tempfile.TemporaryDirectory() as folder:
        rows, files = made(Path(folder))
    lines = ",\n".join(json.dumps(row) for row in rows)
    (HERE / "breaks.json").write_text(f"[\n{lines}\n]\n", encoding="ascii")
    (HERE / "breaks.zip").write_bytes(pack.write(files))
    print(len(rows), "breaks of", len(PLAYED), "games,", len(files), "files")


if __name__ == "__main__":
    main()
