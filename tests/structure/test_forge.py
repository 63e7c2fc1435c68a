"""What a forge reads: workflows that run what the pages tell, forms, the citation, the first page.

No forge runs here. That they are what a site reads, and that nothing in them is unsafe, its schemas
and an audit say; `tests/git/test_ci.py` shows that both find faults.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import adjudicator

ROOT = Path(__file__).parents[2]
FORGE = ROOT / ".github"
FLOWS = {path.stem: path.read_text("utf-8") for path in (FORGE / "workflows").iterdir()}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs/CONTRIBUTING.md").read_text("utf-8")
BIN = Path(sys.executable).parent


def jobs(flow: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FLOWS[flow])["jobs"]
    return found


def test_nothing_in_them_can_move() -> None:
    """Each action is one commit everywhere, its version beside it; so is the image, by digest."""
    used = re.findall(r"uses: (.*)", "".join(FLOWS.values()))
    assert {one.partition("@")[0] for one in used} > {"actions/checkout"}
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used), used
    assert len(set(used)) == len({one.partition("@")[0] for one in used})
    (image,) = re.findall(r"image: (.*)", "".join(FLOWS.values()))
    assert re.fullmatch(r"[\w:.-]+@sha256:[0-9a-f]{64}", image)


def test_each_job_may_and_lasts_what_it_must() -> None:
    """The job that publishes may say who it is; every other may read, and no secret is named."""
    assert "secrets" not in "".join(FLOWS.values()).replace("there is no secret", "")
    for flow in FLOWS:
        for name, job in jobs(flow).items():
            publishes = name == "publish"
            assert job["permissions"] == (
                {"id-token": "write"} if publishes else {"contents": "read"}
            ), name
            assert job.get("environment") == ("pypi" if publishes else None)
            assert job["timeout-minutes"] <= 90
    assert jobs("release")["publish"]["needs"] == ["build", "again"]


def test_the_versions_are_those_that_are_told() -> None:
    """Of Python: the matrix, the classifiers and the oldest that is taken. Ours: in each file."""
    versions = jobs("ci")["fast"]["strategy"]["matrix"]["python"]
    assert PROJECT["classifiers"] == [
        f"Programming Language :: Python :: {one}" for one in versions
    ]
    assert PROJECT["requires-python"] == f">={versions[0]}"
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == PROJECT["version"] == adjudicator.__version__


@pytest.mark.skipif(os.name == "nt", reason="the bash that Windows finds is of its Linux")
@pytest.mark.parametrize("system", ["Linux", "Windows"])
def test_the_command_is_the_readmes(system: str) -> None:
    """As it is; on Windows with the folder that an environment has there."""
    script = jobs("ci")["fast"]["steps"][-1]["run"].replace("eval", "echo")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env={**os.environ, "RUNNER_OS": system},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    told = done.stdout.strip().replace("python -m venv", "python3 -m venv")
    assert f"```sh\n{told.replace('Scripts', 'bin')}\n```" in README
    assert ("bin/" in told, "Scripts/" in told) == (system == "Linux", system == "Windows")


@pytest.mark.parametrize("job", ["build", "again"])
def test_a_release_is_built_as_the_guide_says(job: str) -> None:
    """The tag that it is for; the second time compared with what the first built."""
    *_, set_up, build = next(
        one["run"].strip().split("\n") for one in jobs("release")[job]["steps"] if "run" in one
    )
    assert f" {set_up}\n" in GUIDE
    told = build.replace('"$GITHUB_REF_NAME"', "v0.1.0")
    assert f"{told.removesuffix(' built')}\n" in GUIDE
    assert told.endswith(" built") == (job == "again")


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("github-workflows", [".github/workflows/ci.yml", ".github/workflows/release.yml"]),
        ("github-issue-config", [".github/ISSUE_TEMPLATE/config.yml"]),
        ("github-issue-forms", [f".github/ISSUE_TEMPLATE/{one}.yml" for one in ("fault", "rule")]),
        ("citation-file-format", ["CITATION.cff"]),
    ],
)
def test_a_site_reads_them(schema: str, paths: list[str]) -> None:
    """By the schemas that the sites publish."""
    command = [BIN / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", *paths]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_they_pass_an_audit() -> None:
    """The strictest, and nothing is excused."""
    command = [BIN / "zizmor", "--offline", "--no-progress", "--persona", "pedantic", FORGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "zizmor: ignore" not in "".join(FLOWS.values())


def test_the_first_page_is_short() -> None:
    """What lies at the top is what a forge, a packager or a reader looks for there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    assert {one.partition("/")[0] for one in listed.split("\0") if not one.startswith(".")} <= {
        "adjudicator", "orders", "games", "docs", "tests", "",
        "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "pyproject.toml",
    }  # fmt: skip
