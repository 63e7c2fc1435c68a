"""What the pages tell to type is in the help: no hidden command, and no option that is none."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
from collections.abc import Iterator

import click
import manpage
import pytest
from docs.test_links import PAGES, ROOT
from servers import needed

from adjudicator.cli import cli

TOLD = re.compile(r"(?<!from )\badjudicator ((?:[^`\n;&|<>]|\\\n)*)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+(?:\n[^`\n]+)?`", re.MULTILINE | re.DOTALL)


def calls(page: str) -> Iterator[list[str]]:
    """The words of each call that a page shows as code; of a transcript what is typed."""
    for code in CODE.findall(page):
        typed = code
        if code.startswith("```console"):
            typed = "\n".join(line for line in code.split("\n") if line[:2] in ("$ ", "> "))
        for told in TOLD.findall(typed.replace("\\\n> ", " ")):
            try:
                yield shlex.split(told.partition("#")[0].rstrip("()"), posix=False)
            except ValueError:
                yield told.split()


def shown(command: click.Command) -> set[str]:
    """The options that its help lists."""
    given = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return {"--help", "-h", *(opt for one in given for opt in (*one.opts, *one.secondary_opts))}


def fault(words: list[str]) -> str | None:
    """What of a call its help does not list."""
    context = click.Context(cli)
    group: click.Command = cli
    words = words[words[:1] == ["help"] :]
    while words and isinstance(group, click.Group) and re.fullmatch(r"[a-z]+", words[0]):
        found = group.get_command(context, words[0])
        if found is None or found.hidden:
            return f"no command {words[0]}"
        group, words = found, words[1:]
    if group.name == "bot":  # what follows the program is the program's
        words = [*itertools.takewhile(lambda word: word.startswith("-"), words)]
    options = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
    missing = options - shown(group) - {"--version"}
    return f"{group.name} has no {sorted(missing)}" if missing else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_is_told_is_in_the_help(page) -> None:
    """Each command by its name, each option by its command's own list."""
    faults = {
        " ".join(words): why
        for words in calls(page.read_text("utf-8"))
        if (why := fault(words)) is not None
    }
    assert faults == {}


def test_it_sees_what_is_hidden() -> None:
    """A hidden command, an option that is none, and words that are neither."""
    assert fault(["git", "secrets", "friday"]) == "no command secrets"
    assert fault(["invite", "--page", "x"]) == "invite has no ['--page']"
    assert fault(["invite", "sugar-dog", "--option", "first=1"]) is None
    assert fault(["--version"]) is None
    assert list(calls("`adjudicator play --new` and play")) == [["play", "--new"]]


def test_every_block_of_the_readme_is_run() -> None:
    """The two that set up by `.ci/run`, the others by `test_transcripts`."""
    page = (ROOT / "README.md").read_text("utf-8")
    kinds = re.findall(r"^```([^\n]*)\n.*?^```$", page, re.MULTILINE | re.DOTALL)
    assert kinds[:2] == ["sh", "sh"]
    assert {kind.split()[0] for kind in kinds[2:]} == {"console"}


# The manual page that packages install is what the help says.

PAGE = ROOT / "docs" / "adjudicator.1"


def test_it_is_made_from_the_help() -> None:
    """Whoever changes a help makes the page anew."""
    assert PAGE.read_text() == manpage.page(), "python -m tests.manpage > docs/adjudicator.1"


def test_a_reader_of_pages_has_nothing_to_say() -> None:
    """Groff warns of what is no macro, and of what a text takes for one."""
    told = subprocess.run(
        [needed("groff")["groff"], "-man", "-ww", "-z", PAGE],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stderr == ""
