"""Which package may import what, read from the source by `ast`; each test names every fault.

`games` are pure rules, `orders` are what is signed, `adjudicator` uses both. What could make an
adjudication depend on anything but its input (clock, chance, environment, files) is imported only
where a table says so.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import adjudicator
import games
import orders

ROOTS = {one.__name__: Path(one.__file__).parent for one in (games, orders, adjudicator)}

PURE = {
    "__future__", "abc", "base64", "binascii", "collections", "collections.abc", "contextlib",
    "dataclasses", "datetime", "difflib", "enum", "functools", "hashlib", "heapq", "hmac", "html",
    "io", "itertools", "json", "math", "operator", "re", "shlex", "string", "textwrap", "tomllib",
    "types", "typing", "unicodedata", "xml.parsers", "cryptography",
}  # fmt: skip
"""What answers by what it is given alone; of `datetime` see the test of the present time."""

BESIDE = {
    # The search for installed games, and the tables that lie beside their code.
    "games": {"importlib", "importlib.metadata", "pathlib", "sys"},
    # Modules of a game, by the names that its class gives.
    "games.parts": {"importlib"},
    "games.cases": {"pathlib"},
    "games.submarine_warfare.table": {"pathlib"},
    "games.silent_ships.cards": {"pathlib"},
    # Another backend may stand in its place.
    "orders.crypto": {"importlib.util"},
}
"""Pure modules that may import more, since no adjudication asks them for it."""

KEYS = "orders.keys"
"""The one module of `orders` that asks for passphrases and agents; nothing pure may come to it."""

ROOMS = {
    "core": set(),
    "store": {"core"},
    "duel": {"core"},
    "host": {"core", "store"},
    "player": {"core", "duel", "store", "words"},
    "verifier": {"core", "duel", "player", "words"},
    "words": {"core", "duel", "player"},
    # A face, as commands are: it reads mails that are pasted into it, and plays against bots.
    "page": {"core", "duel", "store", "player", "verifier", "words", "mail", "machine"},
}
"""What each room of `adjudicator/` may use beside itself; transports and commands use all."""

CHANCE = {"random", "secrets", "time", "uuid", "socket", "locale", "threading", "asyncio", "pickle"}
TRANSPORTS = (
    "adjudicator.mail",
    "adjudicator.office",
    "adjudicator.git",
    "adjudicator.cli",
    "adjudicator.archive.workers",
    "adjudicator.authors.program",
)
"""Only these import chance, clocks and sockets."""

BUILTINS = {
    "__import__", "__builtins__", "breakpoint", "compile", "eval", "exec", "input", "open", "print",
}  # fmt: skip
"""Functions that reach files, modules or terminals without any import."""


def module_of(path: Path) -> str:
    """The name under which a file of ours is imported."""
    root = next(root for root in ROOTS.values() if root in path.parents)
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for root in ROOTS.values() for path in sorted(root.rglob("*.py"))}
PURE_MODULES = [
    name
    for name in FILES
    if name.startswith(("adjudicator.core", "adjudicator.duel", "games", "orders")) and name != KEYS
]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file."""
    return tuple(ast.walk(tree(path)))


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module that a file imports at run time, wherever in it and in whatever form.

    `from a import b` imports the module a.b where there is one, and a too; so does `import a.b`.
    What stands under `if TYPE_CHECKING:` is imported by nobody.
    """
    found = set()
    for node in running(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                # An example is copied to another name, under which it finds its modules too.
                assert node.level == 1 and "examples" in path.parts, f"{path}: relative import"
                package = module_of(path.with_name("__init__.py"))
                module = f"{package}.{module}".rstrip(".")
            found.add(module)
            found |= {
                name
                for alias in node.names
                if (name := f"{module}.{alias.name}") in FILES or module in ("importlib", "os")
            }
    return frozenset(found)


def running(whole: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING:`."""
    left = [whole]
    while left:
        for node in ast.iter_child_nodes(left.pop()):
            if not (isinstance(node, ast.If) and _is_for_types(node.test)):
                yield node
                left.append(node)


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def ours(module: str) -> set[str]:
    """The modules of this project that a module imports itself."""
    return {one for one in imported(FILES[module]) if one in FILES}


def top(module: str) -> str:
    return module.partition(".")[0]


def test_nothing_pure_can_reach_the_system() -> None:
    """From `core`, `duel`, `games` and `orders` no import, however many further on, leads to
    files, sockets, processes or clocks.

    Each pure module imports only pure modules, so it is enough to look at each one's own imports.
    """
    strange = {
        (name, one)
        for name in PURE_MODULES
        for one in imported(FILES[name])
        if one not in PURE_MODULES and not {one, top(one)} & (PURE | BESIDE.get(name, set()))
    }
    assert not strange
    assert set(BESIDE) <= set(PURE_MODULES)


def test_nothing_pure_reaches_the_system_by_a_builtin() -> None:
    """No pure module names a builtin function that reads files, loads code or prints."""
    for name in PURE_MODULES:
        every = nodes(FILES[name])
        read = {
            one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
        }
        own = {one.name for one in every if isinstance(one, ast.FunctionDef)}
        assert not (read & BUILTINS) - own, name


def test_nothing_pure_reads_the_present_time() -> None:
    """`datetime` is there for arithmetic: nobody calls `now`, `today` or `utcnow`."""
    for name in PURE_MODULES:
        if "datetime" in {top(one) for one in imported(FILES[name])}:
            every = nodes(FILES[name])
            called = {node.attr for node in every if isinstance(node, ast.Attribute)}
            assert not called & {"now", "today", "utcnow"}, name


def test_only_transports_import_chance_clocks_and_sockets() -> None:
    found = {
        name: CHANCE & {top(one) for one in imported(path)}
        for name, path in FILES.items()
        if not name.startswith(TRANSPORTS)
    }
    assert not {name: one for name, one in found.items() if one}


def test_games_and_orders_know_nobody() -> None:
    """`games` and `orders` import neither each other nor `adjudicator`."""
    strange = {
        (name, one)
        for name in FILES
        if top(name) in ("games", "orders")
        for one in ours(name)
        if top(one) != top(name)
    }
    assert not strange


def test_games_do_not_know_each_other() -> None:
    """Adding a game adds one folder: no game imports another, and what all share imports none."""
    shared = {file.stem for file in ROOTS["games"].glob("*.py")}
    strange = {
        (name, one)
        for name in FILES
        if top(name) == "games"
        for one in ours(name) - {"games"}
        if one.split(".")[1] not in {*shared, *name.split(".")[1:2]}
    }
    assert not strange


def test_rooms_know_only_those_below_them() -> None:
    """No room knows a transport, a command, or who uses it; the core knows no game."""
    strange = {
        (name, one)
        for name in FILES
        if name.startswith("adjudicator.") and (room := name.split(".")[1]) in ROOMS
        for one in ours(name) - {"adjudicator"}
        if (top(one) == "adjudicator" and one.split(".")[1] not in {room, *ROOMS[room]})
        or (room == "core" and one.startswith("games.") and one.count(".") > 1)
    }
    assert not strange


def test_rules_use_neither_floats_nor_sets_in_order() -> None:
    """No float constant and no true division; no loop over what is written as a set."""
    for name in PURE_MODULES:
        if top(name) != "games":
            continue
        for node in nodes(FILES[name]):
            at = name, getattr(node, "lineno", 0)
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), at
            assert not (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
                        and not _is_path(node)), at  # fmt: skip
            over = node.iter if isinstance(node, ast.For | ast.comprehension) else None
            assert not isinstance(over, ast.Set | ast.SetComp), at
            called = over.func if isinstance(over, ast.Call) else None
            assert not (isinstance(called, ast.Name) and called.id in ("set", "frozenset")), at


def _is_path(node: ast.AST) -> bool:
    """`folder / "name"`: a path, where a text stands on one side."""
    sides = (getattr(node, "left", None), getattr(node, "right", None))
    return any(
        (isinstance(side, ast.Constant) and isinstance(side.value, str))
        or isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Call) and "replace" in ast.dump(side.func))
        for side in sides
    )


def test_no_module_takes_a_private_name_of_another() -> None:
    """What begins with `_` is used in its own file, a named tuple's `_replace` excepted."""

    def private(name: str) -> bool:
        return name.startswith("_") and not name.startswith("__") and name != "_replace"

    strange = {
        (name, f"{node.module}.{alias.name}")
        for name, path in FILES.items()
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module in FILES
        for alias in node.names
        if private(alias.name)
    }
    for name, path in FILES.items():
        known = {one.rpartition(".")[2] for one in ours(name)}
        strange |= {
            (name, f"{node.value.id}.{node.attr}")
            for node in nodes(path)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in known
            and private(node.attr)
        }
    assert not strange


def test_these_tests_see_every_form_of_import(tmp_path: Path) -> None:
    """An import that hides, one form after the other, is found."""
    for number, text in enumerate((
        "import os",
        "import os.path",
        "from os import path",
        "def f():\n    import os",
        "if True:\n    from os import urandom",
        "try:\n    import os as system\nexcept ImportError:\n    pass",
    )):  # fmt: skip
        file = tmp_path / f"{number}.py"
        file.write_text(text)
        assert "os" in {top(one) for one in imported(file)}, text
    file = tmp_path / "ours.py"
    file.write_text("from adjudicator.store import files\nfrom games import submarine_warfare")
    assert {"adjudicator.store.files", "games.submarine_warfare"} <= imported(file)
    file = tmp_path / "types.py"
    file.write_text("if TYPE_CHECKING:\n    import os")
    assert not imported(file)


def test_help_loads_no_command() -> None:
    """`adjudicator --help` is instant: neither keys nor parsers nor any command are imported."""
    code = (
        "import sys\nfrom adjudicator.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    for arguments in (["--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True, timeout=60, check=True, text=True,
        )  # fmt: skip
        loaded = set(done.stderr.split("\n"))
        assert "adjudicator.cli" in loaded
        heavy = {"cryptography", "tomllib", "tomli_w", "games", "orders", "subprocess"}
        assert not heavy & {top(one) for one in loaded}
        assert not [one for one in loaded if one.startswith("adjudicator.cli.")]
