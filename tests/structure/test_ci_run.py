"""What `.ci/run` names is there: else the whole run alone would notice a file that moved."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = (ROOT / ".ci/run").read_text("utf-8")


def test_its_python_finds_what_it_names() -> None:
    """Each module that a block of Python imports has each name that the block takes from it."""
    blocks = re.findall(r"python -c '\n(.*?)'\n", SCRIPT, re.DOTALL)
    assert blocks
    for block in map(ast.parse, blocks):
        known = {}
        for node in ast.walk(block):
            if isinstance(node, ast.ImportFrom):
                for one in node.names:
                    module = import_module(f"{node.module}")
                    known[one.name] = getattr(module, one.name, None) or import_module(
                        f"{node.module}.{one.name}"
                    )
        for node in ast.walk(block):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert hasattr(known[node.value.id], node.attr), ast.unparse(node)


def test_its_modules_and_folders_are_there() -> None:
    """`python -m NAME`, and the rooms whose tests run with the oldest packages."""
    for name in re.findall(r"python\" -m (tests\.\w+)", SCRIPT):
        assert find_spec(name), name
    rooms = re.search(r"tests/\{([\w,]+)\}", SCRIPT)
    assert rooms and all((ROOT / "tests" / one).is_dir() for one in rooms[1].split(","))
