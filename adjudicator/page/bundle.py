"""Runs in Pyodide while the page is built: our files and what they need of Python, compiled.

The page's Python compiles them, so that any machine builds the same bytes, and its zlib packs them.
All of ours is imported here: what that loads of Python's own library goes in, and what it compiles.
What it must not know: HTML, which files of ours go into the page.
"""

from __future__ import annotations

import ast
import dataclasses
import gzip
import importlib
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType
from typing import Any

LIBRARY = "library.zip"
APP = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"

CHARSETS = ("ascii", "cp1252", "iso8859_1", "iso8859_15", "latin_1", "utf_16", "utf_8", "utf_8_sig")
"""Of mails and of what people type: the one thing that Python looks for by a name it is given."""

NEVER = frozenset({
    # Other processes and threads, networks, terminals, debuggers, other systems.
    "_pyrepl", "asyncio.proactor_events", "asyncio.windows_events",
    "concurrent.futures.interpreter", "concurrent.futures.process", "concurrent.futures.thread",
    "concurrent.interpreters", "ctypes", "doctest", "ftplib", "http", "multiprocessing", "netrc",
    "pdb", "platform", "pydoc", "pyodide._nodesock_transport", "queue", "rlcompleter",
    "socketserver", "sysconfig", "tracemalloc", "tty", "unittest", "urllib.error", "urllib.request",
    "urllib.response", "webbrowser", "xmlrpc",
    # What is run from a command line, and what reads files that nobody has there.
    "argparse", "csv", "getopt", "importlib.resources", "pickle", "plistlib", "py_compile", "runpy",
    "statistics", "tarfile",
    # What C does there.
    "_py_abc", "_pydatetime", "_threading_local",
})  # fmt: skip
"""Modules of Python's own library that stay out, and all below them, unless starting loads them.

All else that is imported anywhere goes in, so that no module can be forgotten: who adds to this
says that nothing in the page asks for it.
"""


def bundle(app: str, target: str) -> None:
    """Pack all files as the page unpacks them: a line of JSON `[[path, size], ...]`, the bytes.

    `app`: the folder of ours. Python's own library is cut to what these import, wherever they do.
    """
    root = Path(app)
    files = {path.relative_to(root).as_posix(): path.read_bytes()
             for path in sorted(root.rglob("*")) if path.is_file()}  # fmt: skip
    sys.path.insert(0, app)
    held = {f"{APP}/{path}": data for path, data in files.items() if not path.endswith(".py")}
    sources = {path: data for path, data in files.items() if path.endswith(".py")}
    held |= {f"{APP}/{path}c": _compiled(data, path, optimize=0) for path, data in sources.items()}
    held[LIBRARY] = _library(sources)
    made: dict[str, CodeType] = {}
    dataclasses.exec = _noted(made)  # type: ignore[attr-defined]
    for path in sources:
        # A game from elsewhere that does not load is told where it is asked for.
        with suppress(Exception):
            importlib.import_module(module(path))
    held[f"{APP}/made"] = marshal.dumps(dict(sorted(made.items())))
    paths = sorted(held)
    index = json.dumps([[path, len(held[path])] for path in paths])
    whole = index.encode() + b"\n" + b"".join(held[path] for path in paths)
    Path(target).write_bytes(whole)
    pack(target)


def module(path: str) -> str:
    """The name under which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _noted(made: dict[str, CodeType]) -> Any:
    """What runs the text that `dataclasses` writes for a class, and keeps it compiled, by the text.

    In the page `inside/made.py` finds it again: compiling it there took half the time of imports.
    """

    def run(text: str, *spaces: Any) -> None:
        made[text] = compile(text, "<string>", "exec", dont_inherit=True)
        exec(made[text], *spaces)  # noqa: S102 (`dataclasses` does the same)

    return run


def pack(path: str) -> None:
    """Compress a file in its place, the same bytes whenever and wherever that is done."""
    file = Path(path)
    file.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def _library(files: Mapping[str, bytes]) -> bytes:
    """Python's own library, as a zip of all that these files need; deflate has its turn later."""
    out = io.BytesIO()
    there = next(path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(there) as library, zipfile.ZipFile(out, "w") as cut:
        sources = {path: library.read(path) for path in library.namelist() if path.endswith(".py")}
        for path in sorted(needed(files, sources, sys.modules)):
            code = _compiled(sources[path], path, optimize=2)
            cut.writestr(zipfile.ZipInfo(f"{path}c"), code)
    return out.getvalue()


def needed(
    files: Mapping[str, bytes], sources: Mapping[str, bytes], loaded: Iterable[str]
) -> set[str]:
    """The paths in `sources` of what is loaded, and of all that they or the files import."""
    paths = {module(path): path for path in sources}
    found = {paths[name] for name in loaded if name in paths}
    left = [f"encodings.{name}" for name in CHARSETS]
    for path, data in [*files.items(), *((path, sources[path]) for path in found)]:
        left += imported(path, data)
    while left:
        name = left.pop()
        if name in paths and paths[name] not in found and not _stays_out(name):
            found.add(paths[name])
            left += [name.rpartition(".")[0], *imported(paths[name], sources[paths[name]])]
    return found


def _stays_out(name: str) -> bool:
    parts = name.split(".")
    return any(".".join(parts[:count]) in NEVER for count in range(1, len(parts) + 1))


def imported(path: str, data: bytes) -> Iterator[str]:
    """Every name that may be a module, of all that a source imports at any place in it."""
    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # One dot means the folder of the file, each further one the folder around it.
            folders = path.split("/")[: -node.level] if node.level else []
            start = ".".join([*folders, *filter(None, [node.module])])
            yield from (start, *(f"{start}.{alias.name}" for alias in node.names))


def _compiled(data: bytes, path: str, *, optimize: int) -> bytes:
    """A module compiled, marked as never to be compared with a source that is not there."""
    code = compile(data, path, "exec", dont_inherit=True, optimize=optimize)
    flags = (0b01).to_bytes(4, "little")
    return MAGIC_NUMBER + flags + source_hash(data) + marshal.dumps(code)
