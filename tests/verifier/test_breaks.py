"""The breaks as any verifier finds them in the suite."""

from __future__ import annotations

from pathlib import Path

from generate import breaks, suite

from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.verify import Asked, verify


def test_what_is_published_is_what_is_tested(tmp_path: Path) -> None:
    """Cases and files are those of `breaks.py`: `python -m tests.generate breaks` writes them."""
    assert suite.drifted(breaks.made(tmp_path)) == []


def test_a_record_is_put_together_from_the_files() -> None:
    """As the suite's page says; one break of each claim and game is verified so."""
    some = {
        (row["told"]["claim"], row["code"], row["told"]["game"]): (row, asked, files)
        for row, asked, files in breaks.published()
    }
    assert len(some) > 15
    for row, asked, files in some.values():
        found = verify(MemoryFiles(files), Asked(**asked))
        assert found.code == row["code"], row["id"]
        told = [found.verdict, *(one.text for one in found.claims)]
        told += [text for one in found.claims for text in one.details]
        assert row["told"]["words"] in "\n".join(told), row["id"]
