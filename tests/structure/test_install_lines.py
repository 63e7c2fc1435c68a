"""Nothing tells anybody to install this program by its name alone.

Whoever owns a name in a package index decides what it installs.

Read are all texts, templates and code. An argument of an installer is a local folder, or a source
that names the very bytes (`adjudicator.install`), or a place where the code writes one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.install import DISTRIBUTION, read_pin
from orders.errors import Refused

ROOT = Path(__file__).parents[2]
KINDS = {
    ".cfg", ".eml", ".html", ".in", ".md", ".py", ".sh", ".svg", ".toml", ".txt", ".yaml", ".yml",
}  # fmt: skip
OURS = {"adjudicator", "orders", "games", DISTRIBUTION}
TESTS_OF_THIS = {
    "tests/structure/test_install_lines.py",
    "tests/test_install.py",
    "tests/git/test_ci.py",
    "tests/cli/test_mail_host.py",
}
"""These quote what must be refused, or build the line that they expect."""

COMMAND = re.compile(
    r"""\b(?:pip[0-9.]*|pipx|uv|conda|poetry|pdm|easy_install)["',]*"""
    r"""(?:[ ]["']*(?:pip|tool|--?[a-z-]+)["',]*)*"""
    r"""[ ]["']*(?:install|download|wheel|run|add|inject)\b["',]*"""
    r"""(?P<rest>[^\n]*)|\buvx (?P<tool>--from \S+|[^\n]*)"""
)
WORD = re.compile(r""""[^"]*"|'[^']*'|[^\s"']+""")
ENDS = re.compile(r"^(?:&&|\|\|?|;|#|>.*)$")
PLACE = re.compile(r"\.(\[[a-z,]+\])?|\.{0,2}/\S*")
WRITTEN_BY_CODE = {"@INSTALL@", "$requirement", "SPEC"}
BY_NAME = re.compile(
    r"(?<![\w/.-])(?:adjudicator|sealed-orders)(?:\[[a-z,]+\](?! @ )|(?:==|~=|>=|<=)\d)"
)
DEPENDENCIES = re.compile(r"^dependencies\s*=\s*\[[^\]]*\]", re.MULTILINE)


def texts() -> Iterator[tuple[str, str]]:
    """Every text of this tree, by its path."""
    single = [path for path in ROOT.iterdir() if path.is_file() and path.suffix in KINDS]
    folders = [
        ROOT / name for name in (".github", "adjudicator", "orders", "games", "docs", "tests")
    ]
    inside = (path for one in folders for path in one.rglob("*") if path.suffix in KINDS)
    for path in sorted([*single, *inside]):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and name not in TESTS_OF_THIS:
            yield name, path.read_text("utf-8", "replace")


def pinned(word: str) -> bool:
    """Whether a requirement names the very bytes of this program."""
    name, _, url = word.partition("@")
    if re.fullmatch(rf"{DISTRIBUTION}(\[passphrase\])?", name.strip()) is None:
        return False
    try:
        return bool(read_pin(url.strip()))
    except Refused:
        return False


def faults(text: str) -> list[str]:
    """What a text tells to install by name: arguments, requirements, dependencies."""
    found = []
    for command in COMMAND.finditer(text):
        rest = (command["rest"] or command["tool"] or "").partition("`")[0]
        for word in WORD.findall(rest):
            bare = word.strip("\"',)")
            if ENDS.match(word):
                break
            if bare.startswith("-") or not bare or bare in WRITTEN_BY_CODE:
                continue
            if not PLACE.fullmatch(bare) and not pinned(bare):
                found.append(bare)
    found += BY_NAME.findall(text)
    for block in DEPENDENCIES.findall(text):
        for one in tomllib.loads(block)["dependencies"]:
            if re.split(r"[\s\[<>=~!@;]", one)[0] in OURS and not pinned(one):
                found.append(one)
    return found


def test_no_text_installs_by_name() -> None:
    """All texts, templates and code."""
    seen = dict(texts())
    assert {"README.md", "adjudicator/git/workflows/github-host.yml", "docs/new-game.md"} <= set(
        seen
    )
    assert {name: found for name, text in seen.items() if (found := faults(text))} == {}


PIN = f"git+https://example.org/sealed-orders@{'0123456789' * 4}"


@pytest.mark.parametrize(
    "text",
    [
        "pip install adjudicator",
        "pip install sealed-orders",
        "python3 -m pip install --quiet adjudicator==0.1.0",
        'run: pip3 install -q "adjudicator[passphrase]"',
        "`pip install -U adjudicator` does it",
        "pipx install sealed-orders",
        "pipx run adjudicator",
        "uv tool install adjudicator",
        "uv pip install --system adjudicator",
        "uv add adjudicator",
        "uvx adjudicator demo",
        "uvx --from sealed-orders adjudicator demo",
        '["python", "-m", "pip", "install", "adjudicator"]',
        "pip install . adjudicator",
        "pip install git+https://example.org/sealed-orders",
        f"pip install 'adjudicator @ {PIN}'",
        "needs the extra adjudicator[passphrase]",
        "adjudicator==0.1.0",
        'dependencies = ["click", "adjudicator"]',
        'dependencies = [\n  "sealed-orders>=0.1",\n]',
    ],
)
def test_a_name_is_found(text: str) -> None:
    """The search finds each way of naming the program."""
    assert faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/adjudicator demo",
        ".venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest",
        "`uvx --from . adjudicator play sugar-dog`, or `pipx install .`",
        f'python3 -m pip install --quiet "sealed-orders @ {PIN}"',
        f"pip install 'sealed-orders[passphrase] @ {PIN}'",
        "what `pip install SPEC` gets",
        f'dependencies = ["click", "sealed-orders @ {PIN}"]',
        "adjudicator git setup github -g friday",
    ],
)
def test_a_pinned_source_passes(text: str) -> None:
    """A folder here, and a source that names its bytes."""
    assert faults(text) == []
