"""Building the page: the same bytes again, a digest that leaves out what it carries."""

from __future__ import annotations

import gzip
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import release

from adjudicator.page import build, bundle
from orders.errors import Refused


def test_built_again_it_is_the_same(page_file: Path) -> None:
    """Byte for byte, from another process."""
    assert build.build() == page_file.read_bytes()


def test_its_size(page_file: Path) -> None:
    """What a mail takes and a phone fetches."""
    assert page_file.stat().st_size <= 10_500_000


def test_the_digest_leaves_out_what_it_carries(page_file: Path) -> None:
    """Any other byte that differs makes another page."""
    page = page_file.read_bytes()
    carrying = build.carry(page, {"record": b"\0\1\2", "invite": b"text"})
    assert build.parts_of(carrying)[1] == {"record": b"\0\1\2", "invite": b"text"}
    assert build.digest(carrying) == build.digest(page)
    assert build.carry(carrying, {}) == page
    for at in (len(build.BEGINS) + 20, len(page) // 2, page.index(b"default-src")):
        changed = page[:at] + bytes([page[at] ^ 1]) + page[at + 1 :]
        assert build.digest(changed) != build.digest(page)


@pytest.mark.parametrize(
    "island",
    [b"<b>", b"record <\n", b"record AAAA", b"</script><script>alert(1)</script>\n", b"\n\n"],
)
def test_nothing_else_may_stand_in_the_island(page_file: Path, island: bytes) -> None:
    """What is no line of base64 makes it no page."""
    page = page_file.read_bytes()
    at = page.rindex(build.ISLAND) + len(build.ISLAND)
    with pytest.raises(Refused, match="no page"):
        build.digest(page[:at] + island + page[at:])


def test_the_policy_names_no_address(page_file: Path) -> None:
    """Only hashes, and where boards and the engine come from: the page itself."""
    page = page_file.read_bytes()
    found = re.search(rb'Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    words = re.sub(rb"'sha256-[A-Za-z0-9+/]{43}='", b"HASH", found[1]).split()
    assert set(words) == {
        b"default-src", b"'none';", b"script-src", b"'wasm-unsafe-eval'", b"HASH", b"HASH;",
        b"style-src", b"img-src", b"data:;", b"worker-src", b"blob:;", b"base-uri", b"form-action",
        b"'none'",
    }  # fmt: skip


# Packing what the page's Python needs. Most of it is held by the page itself, which starts.


def test_packing_gives_the_same_bytes_again(tmp_path: Path) -> None:
    """No time, no name of a file goes in."""
    made = []
    for name in ("a", "b"):
        path = tmp_path / name
        path.write_bytes(b"abc" * 1000)
        bundle.pack(str(path))
        made.append(path.read_bytes())
    assert made[0] == made[1]
    assert gzip.decompress(made[0]) == b"abc" * 1000


def test_a_module_is_compiled_without_its_source() -> None:
    """Marked as never to be compared with a source; without optimizing, asserts stay."""
    data = b'"""Says."""\nassert 1 == 2\n'
    code = bundle._kept(bundle.compiled(data, "a/b.py", optimize=0), data)
    assert code[:4] == bundle.MAGIC_NUMBER
    assert code[4:8] == b"\1\0\0\0"
    names = marshal.loads(code[16:]).co_filename  # noqa: S302 (we have just made it)
    assert names == "a/b.py"
    assert len(bundle._kept(bundle.compiled(data, "a/b.py", optimize=2), data)) < len(code)


def imported(path: str, source: bytes) -> set[str]:
    return set(bundle.imported(path, bundle.compiled(source, path, optimize=0)))


def test_imports_are_found_wherever_they_stand() -> None:
    """In functions and every other block, and relative to a package or a module in it."""
    source = b"import json, click\ndef f():\n    from xml.parsers import expat\n"
    assert imported("a.py", source) == {
        "json", "click", "xml.parsers", "xml.parsers.expat"
    }  # fmt: skip
    source = (
        b"try:\n import a\nexcept E:\n import b\nelse:\n import c\nfinally:\n import d\n"
        b"match x:\n case 1:\n  class K:\n   async def f():\n    with y: import e\n"
    )
    assert imported("a.py", source) == set("abcde")
    source = b"if TYPE_CHECKING:\n import a\nelse:\n import b\n"
    assert imported("a.py", source) == {"b"}
    many = "\n".join(f"x{number} = {number}" for number in range(300))
    assert imported("a.py", f"{many}\nfrom .y import z".encode()) == {"y", "y.z"}
    source = b"from . import parser\nfrom .mime import text\nfrom .. import top\n"
    found = {"email.parser", "email.mime", "email.mime.text", "email", "", ".top"}
    for path in ("email/message.py", "email/__init__.py"):
        assert imported(path, source) == found


def test_no_module_is_forgotten() -> None:
    """What a module imports is found however deep; modules that cannot run there are left out."""
    sources = {
        "a/__init__.py": b"def late():\n    from . import b\n",
        "a/b.py": b"import c\nimport pdb\nfrom http import client\n",
        "c.py": b"",
        "d.py": b"",
        "e.py": b"import d",
        "pdb.py": b"",
        "http/__init__.py": b"",
        "http/client.py": b"",
        "encodings/utf_8.py": b"",
    }
    always = {"encodings/utf_8.py"}
    ours = bundle.compiled(b"def f():\n    import a", "ours.py", optimize=0)
    found = bundle.needed({"ours.py": ours}, sources, [])
    assert found.keys() - always == {"a/__init__.py", "a/b.py", "c.py"}
    assert bundle.needed({}, sources, ["e", "pdb"]).keys() - always == {"e.py", "d.py", "pdb.py"}


# Running npm and node: once for each lock, and told plainly where they are not there or fail.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a lock, a cache, and programs of our own."""
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "package-lock.json").write_text("{}")
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path


def program(folder: Path, name: str, text: str) -> None:
    path = folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_what_a_lock_names_is_fetched_once(folder: Path) -> None:
    """In the cache, by the lock's own digest; another lock is another folder."""
    program(folder, "npm", f"echo called >>{folder}/calls; mkdir node_modules")
    first = build.fetched(folder)
    assert first.is_dir()
    assert build.fetched(folder) == first
    assert (folder / "calls").read_text() == "called\n"
    (folder / "package-lock.json").write_text('{"a": 1}')
    assert build.fetched(folder) != first


def test_what_fails_is_told_and_leaves_nothing(folder: Path) -> None:
    """In npm's own words."""
    program(folder, "npm", "echo 'EINTEGRITY: sha512 differs' >&2; mkdir node_modules; exit 1")
    with pytest.raises(Refused, match="EINTEGRITY: sha512 differs"):
        build.fetched(folder)
    assert list((folder / "cache").rglob("node_modules")) == []


def test_node_is_given_and_gives(folder: Path) -> None:
    """It gets standard input and gives its output; its fault is told."""
    program(folder, "node", 'test "$2" = bad && exit 3; cat')
    modules = folder / "node_modules"
    assert build.node(Path("x.mjs"), modules, b"given") == b"given"
    program(folder, "node", "echo 'no such thing' >&2; exit 3")
    with pytest.raises(Refused, match="no such thing"):
        build.node(Path("x.mjs"), modules, b"")


def test_without_the_program_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is run."""
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(Refused, match="npm is not installed") as refused:
        build.fetched(folder)
    assert "npm" in refused.value.hint


# A release: wheel and source archive, the same bytes each time, with the built page in them.


ROOT = Path(__file__).parents[2]
PARTS = (
    "adjudicator", "games", "orders", "docs/adjudicator.1",
    "LICENSE", "README.md", "pyproject.toml", ".gitignore",
)  # fmt: skip
"""What of a checkout the tests build of; the rest goes into the source archive alone."""


@pytest.fixture
def sources(tmp_path: Path, page_file: Path) -> list[Path]:
    """The sources twice, the page with them; the second time with files that were written at
    another time, by somebody with other habits."""
    made = []
    for name, mode in (("one", 0o644), ("two", 0o600)):
        folder = tmp_path / name
        for part in PARTS:
            of, to = ROOT / part, folder / part
            to.parent.mkdir(exist_ok=True)
            if of.is_dir():
                shutil.copytree(of, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(of, to)
        shutil.copy(page_file, folder / build.RELEASED.relative_to(ROOT))
        for path in folder.rglob("*"):
            if path.is_file():
                path.chmod(mode)
                os.utime(path, (mode * 10**6, mode * 10**6))
        made.append(folder)
    return made


FILES = [
    "SHA256SUMS", "page-0.1.0.html", "sealed_orders-0.1.0-py3-none-any.whl",
    "sealed_orders-0.1.0.tar.gz",
]  # fmt: skip


def test_what_others_have_is_compared(
    sources: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From a tag: with a folder, and with an index's page of digests. A changed byte is found, and
    a file that nobody built."""
    git = ["git", "-C", str(sources[0]), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", "-f", "."], ["commit", "-qm", "x"], ["tag", "v0.1.0"]):
        subprocess.run([*git, *command], check=True)
    monkeypatch.setattr(release, "ROOT", sources[0])
    monkeypatch.chdir(tmp_path)
    assert release.main("v0.1.0") == 0
    folder = Path(shutil.copytree("dist", "there"))
    assert capsys.readouterr().out == (folder / "SHA256SUMS").read_text()
    built = release.digests(Path("dist"))

    def told(place: object) -> tuple[int, list[str]]:
        code = release.tell(built, f"{place}")
        return code, capsys.readouterr().out.splitlines()

    code, lines = told(folder)
    assert (code, [line.split()[:2] for line in lines[:-1]]) == (
        0,
        [["same", one] for one in FILES],
    )
    wheel = folder / FILES[2]
    data = wheel.read_bytes()
    wheel.write_bytes(data[:5000] + bytes([data[5000] ^ 1]) + data[5001:])
    code, lines = told(folder)
    assert (code, lines[-1]) == (1, "Do not use what is there.")
    assert [line.split()[1] for line in lines if line.startswith("DIFFERENT")] == [wheel.name]
    wheel.unlink()
    assert told(folder)[0] == 0
    (folder / "sealed_orders-0.1.0-cp311-abi3-linux.whl").write_bytes(b"")
    assert told(folder)[0] == 1

    page = tmp_path / "index.json"
    listed = [{"filename": one, "hashes": {"sha256": built[one]}} for one in FILES[2:]]
    old = {"filename": "sealed_orders-0.0.9.tar.gz", "hashes": {"sha256": "0" * 64}}
    page.write_text(json.dumps({"files": [old, *listed]}))
    code, lines = told(page.as_uri())
    assert (code, [line.split()[0] for line in lines]) == (0, ["not", "not", "same", "same", "All"])
    for hashes in ({"sha256": "0" * 64}, {}):
        page.write_text(json.dumps({"files": [{**listed[0], "hashes": hashes}]}))
        assert told(page.as_uri())[0] == 1
    page.write_text(json.dumps({"files": [old]}))
    assert told(page.as_uri()) == (
        1,
        [f"not there  {one}  {built[one]}" for one in FILES] + ["Nothing is there."],
    )


def test_a_release_is_the_same_bytes_and_brings_the_page(
    sources: list[Path], tmp_path: Path, page_file: Path
) -> None:
    """Who has the wheel writes the page, and checks it, without npm or node."""
    for folder in sources:
        release.build(folder, folder / "made")
    one, two = (sorted((folder / "made").iterdir()) for folder in sources)
    assert [path.name for path in one] == FILES
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    away = tmp_path / "installed"
    zipfile.ZipFile(one[2]).extractall(away)
    texts = ROOT.glob("adjudicator/office/mails/*")
    assert {path.name: path.read_bytes() for path in texts} == {
        path.name: path.read_bytes() for path in away.glob("adjudicator/office/mails/*")
    }

    def page(*given: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "page", *given],
            env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(away)},
            cwd=tmp_path, check=True, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        return done.stdout

    page("-o", "page.html")
    assert (tmp_path / "page.html").read_bytes() == page_file.read_bytes()
    assert "it is the page of this version" in page("--check", "page.html")
    # A page of other sources is no page of this version.
    (away / "adjudicator/page/page.css").write_text("")
    with pytest.raises(subprocess.CalledProcessError):
        page("--check", "page.html")
