"""Pages are whole: links lead somewhere, every page is reached, every table has whole rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.game import Game

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("games/*/*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "tests/suite/CLIENT.md",
    ]
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|src=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def text_of(page: Path) -> str:
    """A page without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[str]:
    """The link targets of a page that stay in this repository."""
    targets = [one or other for one, other in LINK.findall(text_of(page))]
    return [target for target in targets if not target.startswith(("http:", "https:"))]


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    found = set()
    for heading in HEADING.findall(page.read_text("utf-8")):
        kept = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(kept.replace(" ", "-"))
    return found


SCENES = re.compile(r"`(tests/[\w/]+\.scene)`")
TEST = re.compile(r"`tests/([\w/]+\.py)::(\w+)(?:\[\w+\])?`")


def test_tests_that_a_page_names_are_there() -> None:
    """Who says that a test holds something names one that is run."""
    named = {found for page in PAGES for found in TEST.findall(page.read_text("utf-8"))}
    assert len(named) > 20
    for path, name in sorted(named):
        text = (ROOT / "tests" / path).read_text("utf-8")
        assert f"\ndef {name}(" in text, f"{path} has no {name}"
    scenes = {found for page in PAGES for found in SCENES.findall(page.read_text("utf-8"))}
    assert all((ROOT / path).is_file() for path in scenes), scenes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Files that a page links to are there, and so are the headings."""
    for target in links(page):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{target} leads nowhere"
        if anchor:
            assert anchor in anchors(there), f"{target}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_tables_have_whole_rows(page: Path) -> None:
    """A row is one line, with as many cells as its table has columns."""
    width = 0
    for line in map(str.strip, text_of(page).split("\n")):
        cells = line.replace("\\|", "").count("|") - 1
        assert not line.startswith("|") or line.endswith("|"), line
        assert not (line.startswith("|") and width) or cells == width, line
        width = cells if line.startswith("|") else 0


def test_every_page_is_reached_from_the_readme() -> None:
    """Links from the README lead to every page; a link to a folder stands for all in it."""
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in links(page):
            there = (page.parent / target.partition("#")[0]).resolve()
            if there.is_dir():
                waiting += there.glob("*.md")
            elif there.suffix == ".md" and there.exists():
                waiting.append(there)
    assert {page for page in PAGES if page not in reached} == set()


def test_every_module_has_its_place_in_the_architecture() -> None:
    """The tree on the page names every module of the three packages; folders stand for theirs."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    tree = re.findall(r"[a-z_]+(?:\.py|/)", page.partition("## ")[0])
    for package in ("games", "orders", "adjudicator"):
        found = [*(ROOT / package).glob("*.py"), *(ROOT / package).glob("*/__init__.py")]
        for path in found:
            named = f"{path.parent.name}/" if path.name == "__init__.py" else path.name
            assert named in tree or named == "__main__.py", f"{package}: {named}"


def test_authors_of_games_are_told_of_the_whole_interface() -> None:
    """The page names everything that a game may give."""
    page = (ROOT / "docs" / "new-game.md").read_text("utf-8")
    ours = {"rules", "options", "check_options", "parse_options", "setup", "sizes_for"}
    given = {name for name in (*vars(Game), *Game.__annotations__) if not name.startswith("_")}
    missing = {name for name in given - ours if f"`{name}`" not in page}
    assert missing == set()
