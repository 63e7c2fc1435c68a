"""Which package may import what: an allow-list, read from the source by `ast`.

`games` are pure rules, `orders` are what is signed, `adjudicator` uses both. What could make an
adjudication depend on anything but its input (clock, chance, environment, files) is imported only
where the list says so.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import adjudicator
import games
import orders

ROOTS = {
    "games": Path(games.__file__).parent,
    "orders": Path(orders.__file__).parent,
    "adjudicator": Path(adjudicator.__file__).parent,
}

PURE = {
    "__future__", "abc", "binascii", "collections", "collections.abc", "contextlib", "dataclasses",
    "difflib", "enum", "functools", "hashlib", "heapq", "hmac", "io", "itertools", "json", "math",
    "operator", "re", "string", "textwrap", "tomllib", "types", "typing",
}  # fmt: skip
"""Standard modules whose answers follow from what they are given."""

GAMES = {
    # What a game's folder may use beside `games` itself: none of these can see a file or a clock.
    "*": PURE | {"pathlib", "xml.sax.saxutils", "html"},
    "games/__init__.py": PURE | {"importlib", "importlib.metadata", "pathlib", "sys"},
    "games/cases.py": PURE | {"pathlib"},
    "games/dice.py": PURE,
}
"""`pathlib` is for house tables that lie beside the code."""

ORDERS = {
    "*": PURE | {"datetime", "shlex", "unicodedata"},
    # Another backend may stand in the place of this one.
    "orders/crypto.py": PURE | {"cryptography", "importlib.util"},
    "orders/keys.py": PURE | {"os", "stat", "pathlib", "subprocess", "tempfile"},
    "orders/secrets.py": PURE | {"os"},
}

VERDICT = ("chain", "engine", "fork", "intake", "opening", "receipts", "replay", "signed", "times",
           "verify")  # fmt: skip
"""The modules that a verdict and an adjudication are made of."""

DOING_IO = {
    "files": {"os", "stat", "pathlib", "fcntl", "errno"},
    "record": {"os", "pathlib"},
    "seat": {"pathlib", "tomli_w"},
    "clock": {"datetime"},
    "times": {"datetime"},
    "player": {"base64"},
    "order_text": {"tomli_w"},
}
"""Beside these, only transports ask the system for anything; `pathlib` is for names of folders."""

NEVER = {"random", "secrets", "time", "uuid", "socket", "locale", "threading", "asyncio", "pickle"}
"""In none of the three packages but the transports."""

TRANSPORTS = ("adjudicator/mail/", "adjudicator/git/", "adjudicator/cli/")


def modules(package: str) -> Iterator[tuple[str, Path]]:
    root = ROOTS[package]
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root.parent).as_posix(), path


def imported(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it; of `from a import b` the module a."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
    return found


def top(module: str) -> str:
    return module.partition(".")[0]


def foreign(names: set[str], *own: str) -> set[str]:
    return {name for name in names if top(name) not in own}


def allowed(name: str, known: set[str]) -> bool:
    return name in known or top(name) in known


@pytest.mark.parametrize(("name", "path"), list(modules("games")), ids=str)
def test_games_import_nothing_impure(name: str, path: Path) -> None:
    """A game sees `games` and pure standard modules: no clock, chance, environment or package."""
    known = GAMES.get(name, GAMES["*"])
    unknown = {one for one in foreign(imported(path), "games") if not allowed(one, known)}
    assert not unknown


@pytest.mark.parametrize(("name", "path"), list(modules("games")), ids=str)
def test_games_do_not_know_each_other(name: str, path: Path) -> None:
    """Adding a game adds exactly one folder: none is imported from beside."""
    parts = name.split("/")
    if len(parts) < 3:
        others = {one for one in imported(path) if one.startswith("games.") and one.count(".") > 1}
    else:
        shared = {file.stem for file in ROOTS["games"].glob("*.py")}
        others = {
            one for one in imported(path)
            if one.startswith("games.") and one.split(".")[1] not in {*shared, parts[1]}
        }  # fmt: skip
    assert not others


@pytest.mark.parametrize(("name", "path"), list(modules("games")), ids=str)
def test_rules_use_neither_floats_nor_sets_in_order(name: str, path: Path) -> None:
    """No float constant and no true division; no loop over what is written as a set."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), node.lineno
        assert not (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
                    and not _is_path(node)), node.lineno  # fmt: skip
        over = node.iter if isinstance(node, ast.For | ast.comprehension) else None
        assert not isinstance(over, ast.Set | ast.SetComp), getattr(node, "lineno", name)
        called = over.func if isinstance(over, ast.Call) else None
        assert not (isinstance(called, ast.Name) and called.id in ("set", "frozenset")), name


def _is_path(node: ast.AST) -> bool:
    """`folder / "name"`: a path, where a text stands on one side."""
    sides = (getattr(node, "left", None), getattr(node, "right", None))
    return any(
        (isinstance(side, ast.Constant) and isinstance(side.value, str))
        or isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Call) and "replace" in ast.dump(side.func))
        for side in sides
    )


@pytest.mark.parametrize(("name", "path"), list(modules("orders")), ids=str)
def test_orders_import_neither_games_nor_adjudicator(name: str, path: Path) -> None:
    """What is signed knows no rules; only keys and secrets ask the system for anything."""
    known = ORDERS.get(name, ORDERS["*"])
    unknown = {one for one in foreign(imported(path), "orders") if not allowed(one, known)}
    assert not unknown


@pytest.mark.parametrize(("name", "path"), list(modules("adjudicator")), ids=str)
def test_the_adjudicators_core_is_pure(name: str, path: Path) -> None:
    """What a verdict is made of imports neither clock nor chance nor files; I/O has its modules."""
    names = imported(path)
    if name.startswith(TRANSPORTS):
        assert not {"random", "pickle"} & {top(one) for one in names}
        return
    known = PURE | DOING_IO.get(path.stem, set())
    if path.stem not in VERDICT:
        known |= {"pathlib"}
    unknown = {
        one for one in foreign(names, "games", "orders", "adjudicator") if not allowed(one, known)
    }
    assert not unknown
    if path.stem in VERDICT:
        io = {"adjudicator.files", "adjudicator.clock", "adjudicator.host", "adjudicator.cli"}
        assert not io & names
    assert not any(one.startswith(("adjudicator.cli", "adjudicator.mail", "adjudicator.git"))
                   for one in names if path.stem != "__main__")  # fmt: skip


@pytest.mark.parametrize("package", ROOTS)
def test_nothing_imports_chance_or_wall_clocks(package: str) -> None:
    """No `random`, no `time`, no locale anywhere but in the transports."""
    for name, path in modules(package):
        if not name.startswith(TRANSPORTS):
            assert not NEVER & {top(one) for one in imported(path)}, name


def loaded_by(*arguments: str) -> set[str]:
    """The modules that are loaded once a command has run, in a process of its own."""
    code = (
        "import sys\nfrom adjudicator.cli import main\n"
        f"try:\n    main({list(arguments)!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=True, text=True
    )
    return set(done.stderr.split("\n"))


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ()])
def test_help_starts_without_cryptography(arguments: tuple[str, ...]) -> None:
    """`adjudicator --help` is instant: neither keys nor parsers nor any command are imported."""
    loaded = loaded_by(*arguments)
    assert "adjudicator.cli" in loaded
    heavy = {"cryptography", "tomllib", "tomli_w", "games", "orders", "subprocess"}
    assert not heavy & {top(one) for one in loaded}
    assert not [one for one in loaded if one.startswith("adjudicator.cli.")]


@pytest.mark.parametrize("package", ROOTS)
def test_modules_can_be_read_in_a_sitting(package: str) -> None:
    """About 400 lines at the most, tables of data excepted."""
    for name, path in modules(package):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 400, f"{name}: {lines} lines"
