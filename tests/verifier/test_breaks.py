"""The breaks as any verifier finds them: `tests/vectors/breaks.json` and `breaks.zip`."""

from __future__ import annotations

from pathlib import Path

from vectors import break_vectors

from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.verify import Asked, verify


def test_what_is_published_is_what_is_tested(tmp_path: Path) -> None:
    """Rows and files are those of `breaks.py`: `generate.py` writes them anew."""
    assert break_vectors.made(tmp_path) == break_vectors.published()


def test_a_record_is_put_together_from_the_files() -> None:
    """As the page on formats says; one break of each claim and game is verified so."""
    rows, files = break_vectors.published()
    some = {(row["claim"], row["code"], row["game"]): row for row in rows}
    assert len(some) > 15
    for row in some.values():
        asked = {key: row["asked"][key] for key in row["asked"] if key != "unreadable"}
        if asked == row["asked"]:
            found = verify(MemoryFiles(break_vectors.record(row, files)), Asked(**asked))
            assert found.code == row["code"], row["name"]
            told = [found.verdict, *(one.text for one in found.claims)]
            told += [text for one in found.claims for text in one.details]
            assert row["words"] in "\n".join(told), row["name"]
