"""`PYTHONPATH=.:tests python tests/verifier/write_table.py` writes docs/protocol.md's table."""

from __future__ import annotations

from pathlib import Path

from verifier.lies import LIES
from verifier.lies.table import BEGIN, END, render

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def main() -> None:
    """Put the table between its two marks."""
    before, _, rest = PAGE.read_text("ascii").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{render(LIES)}\n{END}{after}", "ascii")


if __name__ == "__main__":
    main()
