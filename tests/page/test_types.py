"""The types of the page's scripts: the TypeScript compiler reads them and their JSDoc, strictly but
for what has no type and for what may be null."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from page.browsers import HERE, needed

from adjudicator.page import build


def compiled(folder: Path, *scripts: Path) -> list[str]:
    """What the compiler has to say of these scripts and of all that they import, a line each."""
    tools, packages = (
        needed(lambda at=at: build.fetched(at), "types cannot be checked")
        for at in (HERE, build.HERE)
    )
    options = {
        "extends": str(HERE / "tsconfig.json"),
        "files": [str(path) for path in (HERE / "globals.d.ts", *scripts)],
        "compilerOptions": {
            "typeRoots": [str(tools / "@types")],
            "paths": {"preact": [str(packages / "preact")]},
        },
    }
    (folder / "tsconfig.json").write_text(json.dumps(options))
    command = [
        shutil.which("node"),
        tools / "typescript/bin/tsc",
        "-p",
        folder,
        "--pretty",
        "false",
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=build.HERE)
    assert (done.returncode == 0) == (done.stdout == ""), done
    return done.stdout.splitlines()


def test_the_types_of_scripts(tmp_path: Path) -> None:
    scripts = sorted([*build.HERE.glob("*.js"), *build.HERE.glob("*.mjs")])
    found = compiled(tmp_path, *scripts)
    assert found == [], "\n".join(found)


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    """In a script of its own, by what another one says of itself."""
    wrong = tmp_path / "wrong.js"
    wrong.write_text(
        f'import {{ plan }} from "{build.HERE}/plan.js";\nplan({{}}, () => 1, null);\n'
    )
    (found,) = compiled(tmp_path, wrong)
    assert "Type 'number' is not assignable to type 'Promise<any>'" in found
