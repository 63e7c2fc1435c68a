"""Packing what the page's Python needs. Most of it is held by the page itself, which starts."""

from __future__ import annotations

import gzip
import marshal
from pathlib import Path

from adjudicator.page import bundle


def test_packing_gives_the_same_bytes_again(tmp_path: Path) -> None:
    """No time, no name of a file goes in."""
    made = []
    for name in ("a", "b"):
        path = tmp_path / name
        path.write_bytes(b"abc" * 1000)
        bundle.pack(str(path))
        made.append(path.read_bytes())
    assert made[0] == made[1]
    assert gzip.decompress(made[0]) == b"abc" * 1000


def test_a_module_is_compiled_without_its_source() -> None:
    """Marked as never to be compared with a source; without optimizing, asserts stay."""
    data = b'"""Says."""\nassert 1 == 2\n'
    code = bundle._compiled(data, "a/b.py", optimize=0)
    assert code[:4] == bundle.MAGIC_NUMBER
    assert code[4:8] == b"\1\0\0\0"
    names = marshal.loads(code[16:]).co_filename  # noqa: S302 (we have just made it)
    assert names == "a/b.py"
    assert len(bundle._compiled(data, "a/b.py", optimize=2)) < len(code)


def test_imports_are_found_wherever_they_stand() -> None:
    """Of Python's own library alone, in functions too."""
    source = b"import json, click\ndef f():\n    from xml.parsers import expat\n"
    found = set(bundle._imported({"a.py": source, "b.toml": b"import os"}))
    assert found == {"json", "xml.parsers", "xml.parsers.expat"}
