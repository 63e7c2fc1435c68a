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
    code = bundle._kept(bundle.compiled(data, "a/b.py", optimize=0), data)
    assert code[:4] == bundle.MAGIC_NUMBER
    assert code[4:8] == b"\1\0\0\0"
    names = marshal.loads(code[16:]).co_filename  # noqa: S302 (we have just made it)
    assert names == "a/b.py"
    assert len(bundle._kept(bundle.compiled(data, "a/b.py", optimize=2), data)) < len(code)


def imported(path: str, source: bytes) -> set[str]:
    return set(bundle.imported(path, bundle.compiled(source, path, optimize=0)))


def test_imports_are_found_wherever_they_stand() -> None:
    """In functions and every other block, and relative to a package or a module in it."""
    source = b"import json, click\ndef f():\n    from xml.parsers import expat\n"
    assert imported("a.py", source) == {
        "json", "click", "xml.parsers", "xml.parsers.expat"
    }  # fmt: skip
    source = (
        b"try:\n import a\nexcept E:\n import b\nelse:\n import c\nfinally:\n import d\n"
        b"match x:\n case 1:\n  class K:\n   async def f():\n    with y: import e\n"
    )
    assert imported("a.py", source) == set("abcde")
    source = b"if TYPE_CHECKING:\n import a\nelse:\n import b\n"
    assert imported("a.py", source) == {"b"}
    many = "\n".join(f"x{number} = {number}" for number in range(300))
    assert imported("a.py", f"{many}\nfrom .y import z".encode()) == {"y", "y.z"}
    source = b"from . import parser\nfrom .mime import text\nfrom .. import top\n"
    found = {"email.parser", "email.mime", "email.mime.text", "email", "", ".top"}
    for path in ("email/message.py", "email/__init__.py"):
        assert imported(path, source) == found


def test_no_module_is_forgotten() -> None:
    """What a module imports is found however deep; modules that cannot run there are left out."""
    sources = {
        "a/__init__.py": b"def late():\n    from . import b\n",
        "a/b.py": b"import c\nimport pdb\nfrom http import client\n",
        "c.py": b"",
        "d.py": b"",
        "e.py": b"import d",
        "pdb.py": b"",
        "http/__init__.py": b"",
        "http/client.py": b"",
        "encodings/utf_8.py": b"",
    }
    always = {"encodings/utf_8.py"}
    ours = bundle.compiled(b"def f():\n    import a", "ours.py", optimize=0)
    found = bundle.needed({"ours.py": ours}, sources, [])
    assert found.keys() - always == {"a/__init__.py", "a/b.py", "c.py"}
    assert bundle.needed({}, sources, ["e", "pdb"]).keys() - always == {"e.py", "d.py", "pdb.py"}
