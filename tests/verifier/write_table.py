"""`python tests/verifier/write_table.py` writes the table of lies into docs/protocol.md."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from lies import LIES
from lies.table import BEGIN, END, render

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def main() -> None:
    """Put the table between its two marks."""
    before, _, rest = PAGE.read_text("ascii").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{render(LIES)}\n{END}{after}", "ascii")


if __name__ == "__main__":
    main()
