"""Runs in Pyodide while the page is built: our files and what they need of Python, compiled.

The page's Python compiles them, so that any machine builds the same bytes, and its zlib packs them.
What it must not know: HTML, which files of ours go into the page.
"""

from __future__ import annotations

import ast
import gzip
import importlib
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path

LIBRARY = "library.zip"
APP = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"

CHARSETS = ("ascii", "cp1252", "iso8859_1", "iso8859_15", "latin_1", "utf_16", "utf_8", "utf_8_sig")
"""Of mails and of what people type."""

ALWAYS = (*(f"encodings.{name}" for name in CHARSETS), "email.generator", "email.parser",
          "email.policy", "linecache", "traceback")  # fmt: skip
"""What Python looks for by name, or only when something has gone wrong."""


def bundle(app: str, target: str) -> None:
    """Pack all files as the page unpacks them: a line of JSON `[[path, size], ...]`, the bytes.

    `app`: the folder of ours. Python's own library is cut to what these import, wherever they do.
    """
    root = Path(app)
    files = {path.relative_to(root).as_posix(): path.read_bytes()
             for path in sorted(root.rglob("*")) if path.is_file()}  # fmt: skip
    sys.path.insert(0, app)
    held = {f"{APP}/{path}": data for path, data in files.items() if not path.endswith(".py")}
    for path, data in files.items():
        if path.endswith(".py"):
            held[f"{APP}/{path}c"] = _compiled(data, path, optimize=0)
    for name in sorted({*ALWAYS, *_imported(files)}):
        # What only other systems have is asked for there alone.
        with suppress(ImportError):
            importlib.import_module(name)
    held[LIBRARY] = _library()
    paths = sorted(held)
    index = json.dumps([[path, len(held[path])] for path in paths])
    whole = index.encode() + b"\n" + b"".join(held[path] for path in paths)
    Path(target).write_bytes(whole)
    pack(target)


def pack(path: str) -> None:
    """Compress a file in its place, the same bytes whenever and wherever that is done."""
    file = Path(path)
    file.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def _library() -> bytes:
    """Python's own library, as a zip of what is loaded by now; deflate has its turn later."""
    out = io.BytesIO()
    there = next(path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(there) as library, zipfile.ZipFile(out, "w") as cut:
        for path in sorted(library.namelist()):
            module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if path.endswith(".py") and module in sys.modules:
                data = _compiled(library.read(path), path, optimize=2)
                cut.writestr(zipfile.ZipInfo(f"{path}c"), data)
    return out.getvalue()


def _imported(files: Mapping[str, bytes]) -> Iterator[str]:
    """Every name of Python's own library that our files import, at any place in them."""
    for path, data in files.items():
        if not path.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(data)):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            yield from (one for one in names if one.split(".")[0] in sys.stdlib_module_names)


def _compiled(data: bytes, path: str, *, optimize: int) -> bytes:
    """A module compiled, marked as never to be compared with a source that is not there."""
    code = compile(data, path, "exec", dont_inherit=True, optimize=optimize)
    flags = (0b01).to_bytes(4, "little")
    return MAGIC_NUMBER + flags + source_hash(data) + marshal.dumps(code)
