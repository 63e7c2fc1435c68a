"""Builds the page: one HTML file, the same bytes wherever it is built from the same sources.

What belongs here: which of our files go in, the order of the parts in the HTML, its content policy,
its digest, the page that a release brings. Packages of npm's are fetched once into a cache, by the
digests in `package-lock.json`. What it must not know: what the page does.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import games
from adjudicator.page import bundle, samples
from orders.errors import Refused

HERE = Path(__file__).parent

BEGINS = b"<!doctype html>\n<!-- adjudicator page -->\n"
"""The first bytes of every page, so that one may replace another."""

RELEASED = HERE / "released.html"
"""The page as a release brings it, built before; in a checkout it is not there."""

ISLAND = b'<script type="application/octet-stream" id="data">'
_AFTER = b"</script>\n</body>\n</html>\n"
_CARRIED = re.compile(rb"(?:[a-z]+ [A-Za-z0-9+/]+={0,2}\n)*")
"""The possible content of the island: for each a line with kind and base64."""

STYLES = ("page.css", "game.css")
"""Our own styles, those of the frame of a game after those of all screens."""

BEGINS_WITH = "begin.js"
"""The script that brings all others of ours."""

PARTS = ("wasm", "python")
"""The parts for the worker, in the order in which it needs them."""

_SECONDS = 600
"""For which npm and node may each run."""

_ROOT_MODULE = "adjudicator.page.engine"
_PLACED = {"orders/crypto.py": "inside/crypto.py"}
"""Our files that the page replaces by files of this folder."""

_LIBRARIES = (
    "libsodium-sumo/dist/modules-sumo-esm/libsodium-sumo.mjs",
    "libsodium-wrappers-sumo/dist/modules-sumo-esm/libsodium-wrappers.mjs",
    "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.mjs",
)
_IMPORT = re.compile(r'import (\w+) from ?"[\w-]+";')
_EXPORT = re.compile(r"export default (\w+);|export ?\{([^{}]*)\};")


def of_version(carried: dict[str, bytes] | None = None) -> bytes:
    """The page of this version; `carried` is what its data island holds: `record` (a pack),
    `invite` (a bundle).

    It is the released one, if that was built of what is installed here; else it is built. Raises
    Refused if npm or node are then missing or fail.
    """
    if RELEASED.exists() and (page := RELEASED.read_bytes()).startswith(_mark(sources())):
        return carry(page, carried or {})
    return carry(build(), carried or {})


def build() -> bytes:
    """The page, with nothing in it, built now; raises Refused if npm or node are missing or
    fail."""
    modules, files = fetched(), _files()
    given = {
        "bundle": (HERE / "bundle.py").read_text(encoding="utf-8"),
        "files": {path: base64.b64encode(data).decode() for path, data in files.items()},
    }
    made = json.loads(node(HERE / "bundle.mjs", modules, json.dumps(given).encode()))
    return _mark(sources(files)) + _html(modules, made)


def sources(files: Mapping[str, bytes] | None = None) -> str:
    """The SHA-256 over all that the page is built of, as hex digits: our files, installed games,
    and the lock that names what npm brings. `files`: those of `_files`, if they are at hand."""
    own = {path.name: path.read_bytes() for path in HERE.iterdir() if path.is_file()}
    own.pop(RELEASED.name, None)
    whole = hashlib.sha256()
    for name, data in sorted({**own, **(files or _files())}.items()):
        whole.update(f"{name} {len(data)}\n".encode() + data)
    return whole.hexdigest()


def _mark(digest: str) -> bytes:
    """A page's first bytes, which tell of what it was built."""
    return BEGINS + f"<!-- of sources {digest} -->\n".encode()


def carry(page: bytes, carried: dict[str, bytes]) -> bytes:
    """The page with that content in its island instead of the old content."""
    head, _ = parts_of(page)
    lines = [f"{kind} {base64.b64encode(data).decode()}\n" for kind, data in carried.items()]
    return head + "".join(lines).encode() + _AFTER


def digest(page: bytes) -> str:
    """The SHA-256 of a page as hex digits, computed with an empty island; raises Refused."""
    head, _ = parts_of(page)
    return hashlib.sha256(head + _AFTER).hexdigest()


def parts_of(page: bytes) -> tuple[bytes, dict[str, bytes]]:
    """A page up to the content of its island, and that content; raises Refused."""
    head, island, rest = page.rpartition(ISLAND)
    lines = rest.removesuffix(_AFTER)
    if not page.startswith(BEGINS) or not rest.endswith(_AFTER) or not _CARRIED.fullmatch(lines):
        raise Refused(
            "malformed",
            "this is no page: its beginning or its end is not a page's",
            "take the whole file that the host published",
        )
    held = dict(line.split(b" ", 1) for line in lines.splitlines())
    return head + island, {kind.decode(): base64.b64decode(data) for kind, data in held.items()}


# The HTML.


def _html(modules: Path, parts: Mapping[str, Any]) -> bytes:
    """The file from its first element on, with an empty island; every script and style is named by
    its hash.

    Words and boards show as soon as our own scripts are read. Then the worker starts, and gets each
    part as the browser reads it.
    """
    style = "".join(path.read_text(encoding="utf-8") for path in (HERE / name for name in STYLES))
    scripts = [
        f"const GAMES = {_literal(samples.offered())};",
        _bundled(modules),
        f"Page.start({_literal(_engine(modules, parts['info']))});",
        *(f"Page.part({_literal(name)}, {_literal(parts[name])});" for name in PARTS),
    ]
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'wasm-unsafe-eval' {' '.join(map(_hash, scripts))}",
            f"style-src {_hash(style)}",
            "img-src data:",
            "worker-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    icon = base64.b64encode((HERE / "icon.svg").read_bytes().rstrip()).decode()
    body = (HERE / "page.html").read_text(encoding="utf-8")
    for mark, text in (
        ("POLICY", policy),
        ("ICON", f"data:image/svg+xml;base64,{icon}"),
        ("STYLE", style),
        ("SCRIPTS", "\n".join(f"<script>{script}</script>" for script in scripts)),
    ):
        body = body.replace(f"<!--{mark}-->", text, 1)
    return body.encode() + ISLAND + _AFTER


def _bundled(modules: Path) -> str:
    """Our own scripts and preact as one, the same bytes wherever it is made."""
    with tempfile.TemporaryDirectory() as name:
        # The comments in a bundle tell the path of each file from here.
        folder = Path(name)
        shutil.copytree(modules / "preact", folder / "node_modules" / "preact")
        for script in (*HERE.glob("*.js"), *HERE.glob("*.json")):
            shutil.copy(script, folder)
        tool = str(modules / "esbuild" / "bin" / "esbuild")
        flags = ["--bundle", "--format=iife", "--charset=utf8", "--legal-comments=none"]
        return _run([program("node"), tool, BEGINS_WITH, *flags], name, b"").decode()


def _literal(value: Any) -> str:
    """A value in JavaScript; nothing in a script may look like the end of one."""
    return json.dumps(value).replace("<", "\\u003c")


def _hash(text: str) -> str:
    if "</script" in text or "</style" in text or "<!--" in text:
        raise ValueError("a script or style must not hold what ends it")
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _engine(modules: Path, info: Any) -> str:
    """The worker's source as one script: libsodium, Pyodide, `info` of it, our own lines.

    A library's imports are passed to its scope; the scope returns its exports.
    """
    names = {"sodiumCore": 0, "sodium": 1, "createPyodideModule": 2, "pyodide": 3}
    # Pyodide refuses to run in a worker that has this function.
    out = ["self.importScripts = undefined;"]
    for name, at in names.items():
        text = (modules / _LIBRARIES[at]).read_text(encoding="utf-8")
        text = re.sub(r"//# sourceMappingURL=.*", "", text)
        text = text.replace("import.meta.url", "self.location.href")
        text = _IMPORT.sub(lambda found: f"const {found[1]} = sodiumCore;", text)
        exported = _EXPORT.findall(text)
        if not exported:
            raise ValueError(f"{_LIBRARIES[at]}: exports nothing")
        text = _EXPORT.sub("", text)
        pairs = [part.split(" as ") for _, named in exported for part in named.split(",")]
        named = "{" + ", ".join(f"{pair[-1]}: {pair[0]}" for pair in pairs) + "}"
        value = next((default for default, _ in exported if default), named)
        out.append(f"const {name} = (() => {{\n{text}\nreturn {value};\n}})();")
    out.append(f"const INFO = {json.dumps(info, sort_keys=True)};")
    out.append((HERE / "engine.mjs").read_text(encoding="utf-8"))
    return "\n".join(out)


# Our own files.


def _files() -> dict[str, bytes]:
    """All files that the page's Python needs besides its own library, by path, in order."""
    held = _games()
    left = [_ROOT_MODULE, *(bundle.module(path) for path in held if path.endswith(".py"))]
    seen: set[str] = set()
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        path, data = _source(name)
        held[path] = data
        left += [name.rpartition(".")[0]] if "." in name else []
        code = bundle.compiled(data, path, optimize=0)
        left += [one for one in bundle.imported(path, code) if _is_to_go_in(one)]
    return dict(sorted(held.items()))


def _games() -> dict[str, bytes]:
    """The folders of all games, and the metadata by which installed games are found."""
    held: dict[str, bytes] = {}
    for rules in sorted(Path(games.__file__).parent.glob("*/RULES.md")):
        held |= _folder(rules.parent, f"games/{rules.parent.name}")
    for distribution in distributions():
        points = [point for point in distribution.entry_points if point.group == games.GROUP]
        name = distribution.metadata["Name"]
        for point in points:
            top = point.module.partition(".")[0]
            spec = find_spec(top)
            if spec is None or spec.origin is None:
                raise Refused("missing", f"game {point.name!a}: no package {top!a} is installed")
            origin = Path(spec.origin)
            package = origin.name == "__init__.py"
            held |= _folder(origin.parent, top) if package else {f"{top}.py": origin.read_bytes()}
        if points:
            lines = [f"[{games.GROUP}]", *(f"{point.name} = {point.value}" for point in points)]
            folder = f"{name.replace('-', '_')}-{distribution.version}.dist-info"
            said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {distribution.version}\n"
            held[f"{folder}/METADATA"] = said.encode()
            held[f"{folder}/entry_points.txt"] = "\n".join([*lines, ""]).encode()
    return held


def _folder(folder: Path, under: str) -> dict[str, bytes]:
    """The files of a game's folder, without its rule cases and Python's caches."""
    return {
        f"{under}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"cases", "__pycache__"} & set(path.relative_to(folder).parts)
    }


def _source(name: str) -> tuple[str, bytes]:
    """Path and source of a module, or of the file that replaces it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ValueError(f"module {name} is no Python file")
    end = "/__init__.py" if spec.submodule_search_locations is not None else ".py"
    path = name.replace(".", "/") + end
    placed = _PLACED.get(path)
    return path, (HERE / placed if placed else Path(spec.origin)).read_bytes()


def _is_to_go_in(name: str) -> bool:
    """Whether the page must bring that module; its Python has the others."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in ("js", "pyodide", "__future__"):
        return False
    if top in ("click", "cryptography"):
        raise ValueError(f"{name} does not run in the page, but a module there imports it")
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


# npm and node.


def fetched(folder: Path = HERE) -> Path:
    """The `node_modules` that the lock in `folder` names; raises Refused if they cannot be fetched.

    npm checks each package against the SHA-512 in the lock. No script of a package is run.
    """
    lock = (folder / "package-lock.json").read_bytes()
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    cache = Path(base, "adjudicator", "page", hashlib.sha256(lock).hexdigest()[:16])
    if not (cache / "node_modules").is_dir():
        npm = program("npm")
        cache.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache.parent) as name:
            for file in ("package.json", "package-lock.json"):
                shutil.copy(folder / file, name)
            _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], name, b"")
            # Another process fetched the same meanwhile; its result is as good.
            if not (cache / "node_modules").is_dir():
                shutil.move(name, cache)
            Path(name).mkdir(exist_ok=True)
    return cache / "node_modules"


def node(script: Path, modules: Path, given: bytes) -> bytes:
    """The output of a script, run by node in the folder of `modules`; raises Refused."""
    arguments = [program("node"), str(script), str(modules)]
    return _run(arguments, str(modules.parent), given)


def program(name: str) -> str:
    """The path of a program; raises Refused, which says how to get it."""
    found = shutil.which(name)
    if found is None:
        raise Refused(
            "missing",
            f"{name} is not installed; building the page needs it",
            "install Node.js 20 or later with npm (on Debian: apt install npm), or take the page "
            "that your host published",
        )
    return found


def _run(command: list[str], folder: str, given: bytes) -> bytes:
    try:
        done = subprocess.run(
            command, cwd=folder, input=given, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused("unreadable", f"{command[0]!a} did not run: {error!a:.200}") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip()[-600:]
        raise Refused("unreadable", f"{' '.join(command[:2])!a} failed: {last!a}")
    return done.stdout
