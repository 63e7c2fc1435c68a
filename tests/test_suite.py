"""The suite for other programs: what lies there is what is made, and its runner judges a client."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from docs.test_links import anchors
from generate import packs, primitives, rules, suite, together

from adjudicator.mail import block
from orders import bundle

ROOT = Path(__file__).parents[1]
ROWS = suite.rows()
BESIDE = {"run.py", "CLIENT.md", "suite.json", "README.md", "LICENSE"}
"""What lies in the suite, or in a folder of it, and is no case's file."""

# What is made.


@pytest.mark.parametrize("kind", [packs, primitives, rules, together], ids=lambda one: one.__name__)
def test_nothing_drifts(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made again, and elsewhere, it is what lies there. Of records, breaks, lies and duels see
    their own tests."""
    monkeypatch.chdir(tmp_path)
    assert suite.drifted(kind.made(tmp_path)) == []


def test_texts_are_repaired_as_they_say() -> None:
    """A program that reads mails finds these blocks, and says of the others that they are none."""
    values = suite.values("bundle")
    for one in values["repaired"]:
        found = [each.bundle for each in block.find(one["text"])]
        assert [bundle.encode(each).decode() for each in found if each] == one["blocks"], one
    for one in values["beyond-repair"]:
        assert [each.bundle for each in block.find(one["text"])] == [None], one


# The index.


def test_the_index_names_every_case_once() -> None:
    """In the order of ids; each asks something or has values, and says what it is about."""
    ids = [row["id"] for row in ROWS]
    assert ids == sorted(set(ids))
    for row in ROWS:
        assert row["comment"], row["id"]
        assert ("call" in row) == (row.get("code") in (0, 1, 2, 3, 4)), row["id"]
        assert "call" in row or (row["files"] and row["count"]), row["id"]
        assert row.get("call", ["verify"])[0] in ("verify", "try"), row["id"]


def test_each_page_and_rule_is_there() -> None:
    """What decides a case is a heading, and a numbered rule below it where one is named."""
    for page in {row["page"] for row in ROWS}:
        path, _, anchor = page.partition("#")
        assert not anchor or anchor in anchors(ROOT / path), page
        text = (ROOT / path).read_text("utf-8")
        headings = list(re.finditer(r"^#+ (.+)$", text, re.MULTILINE))
        at = [suite.anchor(one[1]) for one in headings].index(anchor) if anchor else 0
        end = headings[at + 1].start() if anchor and at + 1 < len(headings) else len(text)
        below = re.findall(
            r"^(?:\*\*)?(\d+)\.(?:\*\*)? ", text[headings[at].end() : end], re.MULTILINE
        )
        for row in ROWS:
            if row["page"] == page and "rule" in row:
                assert row["rule"].split(", ")[0] in below, row["id"]


def test_each_check_of_a_record_has_a_case() -> None:
    """Every numbered rule of the pages on verifying and on packs that a record can break."""
    decided = {(row["page"], row.get("rule", "")) for row in ROWS}
    for section, count in (("2", 9), ("3", 10), ("6", 5)):
        for number in range(1, count + 1):
            page, rule = suite.rule_of("verifying", f"{section}.{number}")
            lacks = (section, number) in UNBROKEN
            assert ((page, rule) not in decided) == lacks, (section, number)
    assert {rule for page, rule in decided if page == packs.PAGE} >= {"1", "2", "3", "4"}


UNBROKEN = {("2", 1)}
"""Checks for which there is no case: a document that its page refuses is among the values."""


def test_every_file_is_a_cases() -> None:
    """Nothing lies there that no case needs; every folder in a zip is used, and every path is."""
    named, layers = set(), defaultdict(set)
    for row in ROWS:
        named |= set(row.get("files", ()))
        for one in row.get("call", ()):
            if isinstance(one, dict):
                named.add(one["file"] if "file" in one else one["zip"])
                assert (suite.SUITE / one.get("file", one.get("zip"))).is_file(), row["id"]
                layers[one.get("zip")] |= {*one.get("of", ())}
                assert "path" not in one or one["path"] in suite.folder(one), row["id"]
    there = {
        path.relative_to(suite.SUITE).as_posix()
        for path in suite.SUITE.rglob("*")
        if path.is_file() and path.name not in BESIDE and "__pycache__" not in path.parts
    }
    assert there - named == set()
    assert {one for one in named - there if not one.startswith("../../games/")} == set()
    for zipped, used in layers.items():
        if zipped is not None:
            starts = tuple(f"{one}/" for one in used)
            unused = [path for path in suite.unpacked(zipped) if not path.startswith(starts)]
            assert unused == [], zipped


def test_each_lie_says_what_players_are_told_at_once() -> None:
    """Who must say something as soon as it comes stands in the index, not only what a verifier
    says."""
    told = [row for row in suite.rows("lies") if "at_once" in row.get("told", {})]
    assert len(told) > 50
    assert {name for row in told for name in row["told"]["at_once"]} >= {"alice", "bob"}


# The runner.

Run = Callable[..., tuple[int, Mapping[str, Mapping[str, int]], str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the runner with such arguments; its exit code, its table, and all that it printed."""

    def call(*arguments: str, xfail: str = "") -> tuple[int, Mapping[str, Mapping[str, int]], str]:
        file = tmp_path / "xfail.txt"
        file.write_text(xfail)
        command = [sys.executable, "-IS", str(suite.SUITE / "run.py"), "--xfail", str(file)]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        table = {}
        for line in done.stdout.partition("  passed")[2].splitlines()[1:]:
            numbers = list(map(int, line.split()[-5:]))
            table[line[:16].strip()] = dict(zip(COLUMNS, numbers, strict=True))
        return done.returncode, table, done.stdout + done.stderr

    return call


COLUMNS = ("passed", "failed", "unexpected", "expected", "values")
QUICK = ("--kind", "against", "--kind", "duels together", "--kind", "values")
"""Kinds of a few cases."""


def test_a_client_is_told_where_it_fails(run: Run) -> None:
    """The case, what was expected, what came, and the rule; the table counts."""
    code, table, said = run(*QUICK, "true")
    wrong = [row for row in suite.rows("against", "duels together") if row["code"]]
    assert code == 1
    assert table["all"]["failed"] == len(wrong) > 2
    assert table["values"]["values"] > 500
    for row in wrong:
        assert f"failed: {row['id']}: expected {row['code']}, got 0: '' ({row['page']}" in said


def test_expected_failures_are_no_fault_and_unexpected_passes_are(run: Run) -> None:
    """A list that no longer says what is so is a fault, too."""
    wrong = [row["id"] for row in suite.rows("against", "duels together") if row["code"]]
    code, table, _ = run(*QUICK, "true", xfail="# ours\n" + "\n".join(wrong))
    assert (code, table["all"]["failed"], table["all"]["expected"]) == (0, 0, len(wrong))
    right = next(row["id"] for row in suite.rows("against") if not row["code"])
    code, table, said = run(*QUICK, "true", xfail="\n".join([*wrong, f"{right}  # not yet"]))
    assert (code, table["all"]["unexpected"]) == (1, 1)
    assert f"unexpected passes: {right}: passed" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--kind", "chess", "true"), "no such case or kind: 'chess'"),
        (("no-such-program",), "expected a CMD that can be started"),
        ((), "expected a CMD that can be started"),
    ],
)
def test_a_wrong_call_is_no_report(run: Run, arguments: tuple[str, ...], said: str) -> None:
    """It exits with 2, and asks nobody."""
    code, table, told = run(*arguments)
    assert (code, table) == (2, {})
    assert said in told
    code, _, told = run("true", xfail="lies/none")
    assert code == 2
    assert "no such case or kind: 'lies/none'" in told


def test_a_folder_is_put_together_as_the_page_says(run: Run, tmp_path: Path) -> None:
    """The client gets each argument as it stands in the index: a folder with all its layers and
    without what is gone, a file in it, a text."""
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    kinds = ("against", "together", "receipts", "breaks")
    chosen = [word for kind in kinds for word in ("--kind", kind)]
    run("--jobs", "2", *chosen, sys.executable, "-IS", str(client), str(tmp_path / "asked"))
    given = [json.loads(line) for line in (tmp_path / "asked").read_text().splitlines()]
    expected = []
    for row in suite.rows(*kinds):
        call = [_shape(one) if isinstance(one, dict) else one for one in row["call"]]
        expected.append(json.loads(json.dumps(call)))
    key = json.dumps
    assert sorted(given, key=key) == sorted(expected, key=key)


def _shape(argument: Mapping[str, Any]) -> Any:
    """What `CLIENT` writes of such an argument."""
    files = suite.folder(argument)
    if "path" in argument:
        return len(files[argument["path"]])
    links = {argument["link"]: "link"} if "link" in argument else {}
    return sorted({**{path: len(data) for path, data in files.items()}, **links}.items())


CLIENT = """\
import json, os, sys
given = []
for one in sys.argv[2:]:
    if os.path.isdir(one):
        files = {}
        for place, _, names in os.walk(one):
            for name in names:
                path = os.path.join(place, name)
                link = os.path.islink(path)
                files[os.path.relpath(path, one)] = "link" if link else os.path.getsize(path)
        given.append(sorted(files.items()))
    else:
        given.append(os.path.getsize(one) if os.path.isfile(one) else one)
with open(sys.argv[1], "a") as out:
    out.write(json.dumps(given) + "\\n")
"""
"""A client that writes down what it is called with, one call a line."""


@pytest.mark.parametrize("liar", ["true", "false"])
def test_a_liar_fails_in_every_kind(run: Run, liar: str) -> None:
    """Who says 0, or 1, to everything: in each kind that has an answer beside it."""
    code, table, _ = run("--jobs", "2", liar)
    answers = defaultdict(set)
    for row in ROWS:
        if "call" in row:
            answers[row["kind"]].add(row["code"])
    assert code == 1
    said = {0 if liar == "true" else 1}
    assert all(table[kind]["failed"] for kind, codes in answers.items() if codes != said)
    both = {kind for kind, codes in answers.items() if codes >= {0, 1}}
    assert both >= {
        "breaks", "lies", "seats", "receipts", "together", "against", "packs", "rules", "orders",
        "duels",
    }  # fmt: skip


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in ROWS if "call" in row}))
def test_ours_passes(run: Run, program: Path, kind: str) -> None:
    """`adjudicator` comes to every answer; the counts are printed with -s."""
    code, table, said = run("--jobs", "2", "--kind", kind, str(program))
    print(said)
    assert code == 0, said
    assert table["all"]["passed"] == sum(row["kind"] == kind for row in ROWS) > 0


# The suite without this project: plain JSON, TOML and zips, which any language reads.


SUITE = Path(__file__).parent / "suite"
SOUND = (0, 3, 4)
"""The codes of cases in which a program must be able to read all; others may hold anything."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A table of JSON in which no key stands twice."""
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)


def no_number(text: str) -> None:
    """Languages differ on other numbers than whole ones."""
    raise AssertionError(text)


def read_json(path: Path) -> Any:
    """JSON that every reader of it reads alike."""
    text = path.read_text("ascii")
    return json.loads(text, object_pairs_hook=once, parse_float=no_number, parse_constant=no_number)


def arguments() -> Iterator[tuple[int, dict[str, Any]]]:
    """Every path in a call of the index, with the code that is expected."""
    for case in read_json(SUITE / "suite.json")["cases"]:
        for one in case.get("call", ()):
            if not isinstance(one, str):
                yield case["code"], one


def test_every_file_is_json_or_a_zip() -> None:
    """Or a page, a licence, the runner."""
    for path in sorted(SUITE.rglob("*")):
        if path.suffix == ".json":
            read_json(path)
        elif path.is_file():
            assert path.suffix in (".zip", ".md", ".py") or path.name == "LICENSE", path


def test_zips_and_documents_are_plain() -> None:
    """Any unpacker takes a sound case's files out and harms nothing; its documents are TOML."""
    layers: dict[str, set[str]] = {}
    for code, one in arguments():
        if code in SOUND and "zip" in one:
            layers.setdefault(one["zip"], set()).update(one["of"])
        elif code in SOUND and one["file"].endswith(".zip"):
            layers.setdefault(one["file"], set()).add("")
    documents = 0
    for name, parts in layers.items():
        with zipfile.ZipFile(SUITE / name) as held:
            assert held.testzip() is None, name
            for info in held.infolist():
                path = info.filename
                assert path.isascii(), path
                assert not {"", ".", ".."} & {*path.split("/")}, path
                assert (info.flag_bits, info.compress_type) == (0, zipfile.ZIP_STORED), path
                if path.endswith(".toml") and any(path.startswith(part) for part in parts):
                    tomllib.loads(held.read(info).decode("utf-8"))
                    documents += 1
    assert documents > 1_000


def test_the_runner_needs_python_alone() -> None:
    """Not this project, nor anything that is installed: a client that says 0 to all is judged."""
    called = [sys.executable, "-I", "-S", str(SUITE / "run.py"), "--kind", "duels told"]
    done = subprocess.run(
        [*called, "sh", "-c", "exit 0"], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert re.search(r"duels told +12 +106 ", done.stdout), done.stdout
