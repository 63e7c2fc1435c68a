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
from functools import cache
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
    "operator", "re", "shlex", "string", "textwrap", "tomllib", "types", "typing", "unicodedata",
    "xml.parsers",
}  # fmt: skip
"""Standard modules whose answers follow from what they are given."""

GAMES = {
    # What a game's folder may use beside `games` itself: none of these can see a file or a clock.
    "*": PURE | {"pathlib", "html"},
    "games/__init__.py": PURE | {"importlib", "importlib.metadata", "pathlib", "sys"},
    "games/cases.py": PURE | {"pathlib"},
    "games/dice.py": PURE,
    "games/options.py": PURE | {"unicodedata"},
}
"""`pathlib` is for house tables that lie beside the code, `unicodedata` for a hint."""

ORDERS = {
    "*": PURE | {"datetime", "shlex", "unicodedata"},
    # Another backend may stand in the place of this one.
    "orders/crypto.py": PURE | {"cryptography", "importlib.util"},
    "orders/keys.py": PURE | {"os", "stat", "pathlib", "subprocess", "tempfile"},
}

CORE = PURE | {"datetime", "base64"}
"""What `adjudicator/core/` may use beside `games` and `orders`: nothing that asks the system."""

REACHED = CORE | {"html", "cryptography"}
"""What may be reached from `core`, `games` and `orders`, however many imports further on."""

REACHED_BY = {
    # The search for installed games, and the tables that lie beside their code.
    "games": {"importlib", "importlib.metadata", "pathlib", "sys"},
    "orders.crypto": {"importlib.util"},
    "games.cases": {"pathlib"},
    "games.submarine_warfare.table": {"pathlib"},
    "games.silent_ships.cards": {"pathlib"},
}
"""Modules that may use more themselves, since no adjudication asks them at run time."""

LOADING_KEYS = {"orders.keys"}
"""Asks for passphrases and agents; nothing pure may come to it."""

NEVER = {"random", "secrets", "time", "uuid", "socket", "locale", "threading", "asyncio", "pickle"}
"""Only transports and commands import these."""

TRANSPORTS = ("adjudicator/mail/", "adjudicator/git/", "adjudicator/cli/")


def modules(package: str) -> Iterator[tuple[str, Path]]:
    root = ROOTS[package]
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root.parent).as_posix(), path


def module_of(path: Path) -> str:
    """The name under which a file of ours is imported."""
    root = next(root for root in ROOTS.values() if root in path.parents)
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for root in ROOTS.values() for path in sorted(root.rglob("*.py"))}


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module that a file imports at run time, wherever in it and in whatever form.

    `from a import b` imports the module a.b where there is one, and a too; so does `import a.b`.
    What stands under `if TYPE_CHECKING:` is imported by nobody.
    """
    found = set()
    for node in running(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            found.add(module)
            found |= {
                name
                for alias in node.names
                if (name := f"{module}.{alias.name}") in FILES or module in ("importlib", "os")
            }
    return frozenset(found)


def running(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING:`."""
    left = [tree]
    while left:
        for node in ast.iter_child_nodes(left.pop()):
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
                yield node
                left.append(node)


def reached(module: str) -> set[str]:
    """Every module of ours that importing `module` can come to, itself included."""
    found: set[str] = set()
    left = [module]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        left += [one for one in imported(FILES[name]) if one in FILES]
        # Importing a.b runs a as well; our packages' own files hold no code but games'.
    return found


def top(module: str) -> str:
    return module.partition(".")[0]


def foreign(names: frozenset[str], *own: str) -> set[str]:
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
    """Adding a game adds exactly one folder: no game imports another."""
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


PURE_MODULES = sorted(
    name
    for name in FILES
    if name.startswith(("adjudicator.core", "games", "orders")) and name not in LOADING_KEYS
)


@pytest.mark.parametrize("name", PURE_MODULES)
def test_nothing_pure_can_reach_the_system(name: str) -> None:
    """From `core`, `games` and `orders` no import leads to files, sockets, processes or clocks."""
    for one in reached(name):
        path = FILES[one]
        outside = {other for other in imported(path) if other not in FILES}
        known = REACHED | REACHED_BY.get(one, set())
        assert not {other for other in outside if not allowed(other, known)}, (name, one)
        assert one not in LOADING_KEYS, name


SYSTEM_BUILTINS = {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"}
"""Functions that reach files, modules or terminals without any import."""


@pytest.mark.parametrize("name", PURE_MODULES)
def test_nothing_pure_reaches_the_system_by_a_builtin(name: str) -> None:
    """No pure module names a builtin function that reads files, loads code or prints."""
    tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
    read = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert not (read & SYSTEM_BUILTINS) - own
    assert "__builtins__" not in read


@pytest.mark.parametrize("name", PURE_MODULES)
def test_nothing_pure_reads_the_present_time(name: str) -> None:
    """`datetime` is there for arithmetic: nobody calls `now`, `today` or `utcnow`."""
    if "datetime" in {top(one) for one in imported(FILES[name])}:
        tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
        called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not called & {"now", "today", "utcnow"}


@pytest.mark.parametrize("name", [one for one in FILES if one.startswith("adjudicator.core")])
def test_the_core_imports_orders_games_and_itself(name: str) -> None:
    """Of `games` it imports what every game shares, never a game."""
    ours = {one for one in imported(FILES[name]) if one in FILES}
    rooms = ("adjudicator.core", "orders", "games")
    strange = {one for one in ours if not one.startswith(rooms) and one != "adjudicator"}
    assert not strange
    assert not {one for one in ours if one.startswith("games.") and one.count(".") > 1}


ROOMS = {
    "store": {"core"},
    "host": {"core", "store"},
    "player": {"core", "store", "words"},
    "verifier": {"core", "player", "words"},
    "words": {"core", "player"},
    # A face, as commands are: it reads mails that are pasted into it, and plays against bots.
    "page": {"core", "store", "player", "verifier", "words", "mail", "demo"},
}
"""What each room of `adjudicator/` may use beside itself; transports and commands use all."""


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_know_only_those_below_them(room: str) -> None:
    """No room knows a transport, a command, or who uses it."""
    for name, path in FILES.items():
        if not name.startswith(f"adjudicator.{room}"):
            continue
        used = {
            one.split(".")[1]
            for one in imported(path)
            if one in FILES and one.startswith("adjudicator.")
        }
        assert used <= ROOMS[room] | {room}, name


def test_this_test_sees_every_form_of_import(tmp_path: Path) -> None:
    """An import that hides, one form after the other, is found."""
    for text in (
        "import os",
        "import os.path",
        "from os import path",
        "def f():\n    import os",
        "if True:\n    from os import urandom",
        "try:\n    import os as system\nexcept ImportError:\n    pass",
    ):
        file = tmp_path / "one.py"
        file.write_text(text)
        imported.cache_clear()
        assert "os" in {top(one) for one in imported(file)}, text
    file.write_text("from adjudicator.store import files\nfrom games import submarine_warfare")
    imported.cache_clear()
    assert {"adjudicator.store.files", "games.submarine_warfare"} <= imported(file)
    file.write_text("if TYPE_CHECKING:\n    import os")
    imported.cache_clear()
    assert not imported(file)


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


def test_a_commands_help_loads_nothing_of_what_it_does() -> None:
    """Its file imports what it calls when it is called: help and completion start the faster."""
    code = (
        "import sys\nfrom adjudicator.cli import COMMANDS, cli\n"
        "for name in COMMANDS:\n"
        "    cli.get_command(None, name)\n"
        "print('\\n'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=True, text=True
    )
    loaded = set(done.stdout.split())
    assert {"adjudicator.cli.turn", "adjudicator.cli.mail_serve"} <= loaded
    assert not {"cryptography", "tomllib", "games", "sqlite3"} & {top(one) for one in loaded}
    own = {one for one in loaded if one.startswith("adjudicator.")}
    assert {one for one in own if not one.startswith("adjudicator.cli")} == {
        "adjudicator.git", "adjudicator.git.addresses", "adjudicator.install",
        "adjudicator.store", "adjudicator.store.files",
    }  # fmt: skip


@pytest.mark.parametrize("package", ROOTS)
def test_modules_can_be_read_in_a_sitting(package: str) -> None:
    """About 400 lines at the most, tables of data excepted."""
    for name, path in modules(package):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 400, f"{name}: {lines} lines"
