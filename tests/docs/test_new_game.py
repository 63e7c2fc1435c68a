"""What the page for authors says of registering a game, done."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

from elsewhere.outside import EXAMPLES, run

PAGE = Path(__file__).parents[2] / "docs" / "new-game.md"


def tables() -> list[str]:
    """The page's blocks of TOML."""
    return re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_lesson_is_one_of_sugar_dog() -> None:
    """As its file has it."""
    file = PAGE.parents[1] / "games" / "sugar_dog" / "LESSONS.toml"
    assert tables()[1] in file.read_text("utf-8")


def test_a_copy_is_registered_by_the_projects_file_of_the_page(tmp_path: Path) -> None:
    """Under its own name, by the entry point that `pip install` would write from that file."""
    first, _, depends = tables()
    project = tomllib.loads(first)["project"]
    name = project["name"]
    assert tomllib.loads(f"[project]\n{depends}")["project"].keys() == {"dependencies"}
    copy = tmp_path / name
    shutil.copytree(EXAMPLES[1] / "battleship", copy)
    source = copy / "__init__.py"
    source.write_text(source.read_text("utf-8").replace('id = "battleship"', f'id = "{name}"'))
    about = tmp_path / f"{name}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in rows.items())
        for group, rows in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("".join(points))
    code, out, err = run(tmp_path, "games", "--json", installed=(tmp_path,))
    assert (code, err) == (0, "")
    assert f"{name}/1" in [game["rules"] for game in json.loads(out)]
