"""Runs in Pyodide while the page is built: our files and what they need of Python, compiled.

The page's Python compiles them and its zlib packs them, so that any machine builds the same bytes.
All our files are imported here; the modules of Python's library that this loads go in, and so does
the code that it compiles.
"""

from __future__ import annotations

import dis
import gzip
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType

LIBRARY = "library.zip"
APP = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"

CHARSETS = ("ascii", "cp1252", "iso8859_1", "iso8859_15", "latin_1", "utf_16", "utf_8", "utf_8_sig")
"""Encodings of mails and typed text: the only modules that Python finds by a name at run time."""

NEVER = frozenset({
    # Other processes and threads, networks, terminals, debuggers, other systems.
    "_pyrepl", "asyncio.proactor_events", "asyncio.windows_events",
    "concurrent.futures.interpreter", "concurrent.futures.process", "concurrent.futures.thread",
    "concurrent.interpreters", "ctypes", "doctest", "ftplib", "http", "multiprocessing", "netrc",
    "pdb", "platform", "pydoc", "pyodide._nodesock_transport", "queue", "rlcompleter",
    "socketserver", "sysconfig", "tracemalloc", "tty", "unittest", "urllib.error", "urllib.request",
    "urllib.response", "webbrowser", "xmlrpc",
    # Command-line tools, and readers of files that nobody has there.
    "argparse", "csv", "getopt", "importlib.resources", "pickle", "plistlib", "py_compile", "runpy",
    "statistics", "tarfile",
    # Modules for which the page has a C version.
    "_py_abc", "_pydatetime", "_threading_local",
})  # fmt: skip
"""Modules of Python's own library that stay out, with all below them, unless starting loads them.

Every other module that is imported anywhere goes in, so that none can be forgotten: add a module
here only if nothing in the page uses it.
"""


def bundle(app: str, target: str) -> None:
    """Pack all files as the page unpacks them: a line of JSON `[[path, size], ...]`, the bytes.

    `app`: the folder of ours. Python's own library is cut to the modules that these import
    anywhere.
    """
    root = Path(app)
    files = {path.relative_to(root).as_posix(): path.read_bytes()
             for path in sorted(root.rglob("*")) if path.is_file()}  # fmt: skip
    held = {f"{APP}/{path}": data for path, data in files.items() if not path.endswith(".py")}
    sources = {path: data for path, data in files.items() if path.endswith(".py")}
    codes = {path: compiled(data, path, optimize=0) for path, data in sources.items()}
    held[LIBRARY] = _library(codes)
    for path, code in codes.items():
        held[f"{APP}/{path}c"] = _kept(code, sources[path])
    paths = sorted(held)
    index = json.dumps([[path, len(held[path])] for path in paths])
    whole = index.encode() + b"\n" + b"".join(held[path] for path in paths)
    Path(target).write_bytes(whole)
    pack(target)


def module(path: str) -> str:
    """The name under which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def pack(path: str) -> None:
    """Compress a file in place, with the same bytes on every machine."""
    file = Path(path)
    file.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def _library(codes: Mapping[str, CodeType]) -> bytes:
    """Python's own library, as a zip of the modules that ours need; it is deflated later."""
    out = io.BytesIO()
    there = next(path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(there) as library, zipfile.ZipFile(out, "w") as cut:
        sources = {path: library.read(path) for path in library.namelist() if path.endswith(".py")}
        for path, code in sorted(needed(codes, sources, list(sys.modules)).items()):
            cut.writestr(zipfile.ZipInfo(f"{path}c"), _kept(code, sources[path]))
    return out.getvalue()


def needed(
    codes: Mapping[str, CodeType], sources: Mapping[str, bytes], loaded: Iterable[str]
) -> dict[str, CodeType]:
    """Of `sources`, by path and compiled: the loaded modules, and all that these or ours import."""
    paths = {module(path): path for path in sources}
    found: dict[str, CodeType] = {}
    left = [f"encodings.{name}" for name in CHARSETS]
    for path, code in codes.items():
        left += imported(path, code)

    def take(path: str) -> None:
        found[path] = compiled(sources[path], path, optimize=2)
        left.extend(imported(path, found[path]))

    for name in loaded:
        if name in paths:
            take(paths[name])
    while left:
        name = left.pop()
        parts = name.split(".")
        above = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
        if name in paths and paths[name] not in found and not above & NEVER:
            left.append(name.rpartition(".")[0])
            take(paths[name])
    return found


def imported(path: str, code: CodeType) -> Iterator[str]:
    """Every name that a file's code imports anywhere and that may be a module."""
    # What is loaded before the library is cut goes into the page; this is only for building it.
    from modulefinder import ModuleFinder

    if dis.opmap["IMPORT_NAME"] in code.co_code[::2]:
        for what, found in ModuleFinder().scan_opcodes(code):
            if what == "store":
                continue
            *dots, names, name = found
            # One dot means the folder of the file, each further one its parent.
            folders = path.split("/")[: -dots[0]] if dots else []
            start = ".".join([*folders, *filter(None, [name])])
            yield from (start, *(f"{start}.{one}" for one in names or ()))
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from imported(path, one)


def compiled(data: bytes, path: str, *, optimize: int) -> CodeType:
    """A module's code, without what is for type checkers alone."""
    # The compiler leaves out what stands under a false constant.
    data = data.replace(b"if TYPE_CHECKING:", b"if 0:")
    return compile(data, path, "exec", dont_inherit=True, optimize=optimize)


def _kept(code: CodeType, data: bytes) -> bytes:
    """A module as a file, marked as not to be compared with its source, which is not there."""
    flags = (0b01).to_bytes(4, "little")
    return MAGIC_NUMBER + flags + source_hash(data) + marshal.dumps(code)
