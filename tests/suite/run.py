"""`python run.py [--xfail FILE] [--kind KIND]... [--jobs N] [--report FILE] CMD...` asks a client.

CMD is the program under test with its first arguments, such as `adjudicator`. CLIENT.md beside this
file says how it is called and what it answers. FILE of `--xfail` has the id of a case that is
expected to fail in each line; `#` begins a remark. Exits with 0 if all other cases passed and each
of these failed, else with 1, and with 2 if it is called wrongly or a kind has no case. The report
is a table by kind, and before it a line for each case that did not do as expected.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("passed", "failed", "unexpected passes", "expected failures", "values")
LONGEST = 120  # seconds that a client may take for one case


def given_as(argument: "str | dict", place: str) -> str:
    """An argument as the client gets it; a folder is put together below that place."""
    if isinstance(argument, str):
        return argument
    if "file" in argument:
        return str((HERE / argument["file"]).resolve())
    folder = pathlib.Path(tempfile.mkdtemp(dir=place))
    with zipfile.ZipFile(HERE / argument["zip"]) as held:
        names, found = held.namelist(), {}
        for layer in argument["of"]:
            start = f"{layer}/"
            found |= {name[len(start) :]: name for name in names if name.startswith(start)}
            gone = held.read(found.pop("gone.txt")).split() if "gone.txt" in found else ()
            found = {path: name for path, name in found.items() if path.encode() not in gone}
        for path in found:
            (folder / path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / path).write_bytes(held.read(found[path]))
    if "link" in argument:
        (folder / argument["link"]).unlink(missing_ok=True)
        (folder / argument["link"]).symlink_to(HERE / "suite.json")
    return str(folder / argument.get("path", ""))


def ask(command: list, case: dict) -> str:
    """What is wrong with the client's answer to a case; empty if nothing is."""
    with tempfile.TemporaryDirectory() as place:
        call = [*command, *(given_as(argument, place) for argument in case["call"])]
        try:
            done = subprocess.run(call, check=False, capture_output=True, timeout=LONGEST)
        except (subprocess.TimeoutExpired, OSError) as error:
            return f"no answer: {error}"
        last = (done.stdout + done.stderr).decode("utf-8", "replace").strip().rpartition("\n")[2]
    wrong = f"expected {case['code']}, got {done.returncode}: {last[:200]!r}"
    return wrong if done.returncode != case["code"] else ""


def main() -> int:
    """Ask every case and report; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--xfail", type=pathlib.Path)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", type=argparse.FileType("w"), default=sys.stdout)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD...")
    given = parser.parse_args()
    cases = json.loads((HERE / "suite.json").read_text("ascii"))["cases"]
    lines = [""] if given.xfail is None else given.xfail.read_text().splitlines()
    xfail = {line.partition("#")[0].strip() for line in lines} - {""}
    unknown = [*(xfail - {case["id"] for case in cases})]
    unknown += {*(given.kind or ())} - {case["kind"] for case in cases}
    if unknown or not given.command:
        parser.error(f"no such case or kind: {unknown[0]!a}" if unknown else "which CMD?")
    cases = [case for case in cases if case["kind"] in (given.kind or [case["kind"]])]
    with futures.ThreadPoolExecutor(given.jobs) as pool:
        asked = [case for case in cases if "call" in case]
        answers = pool.map(lambda case: ask(given.command, case), asked)
        wrong = {case["id"]: why for case, why in zip(asked, answers, strict=True)}
    table = collections.defaultdict(collections.Counter)
    for case in cases:
        name = case["id"]
        column = COLUMNS[bool(wrong[name]) + 2 * (name in xfail)] if name in wrong else "values"
        table[case["kind"]][column] += case.get("count", 1)
        if column in COLUMNS[1:3]:
            why, where = wrong[name] or "passed", f"{case['page']} {case.get('rule', '')}"
            print(f"{column}: {name}: {why} ({where.strip()})", file=given.report)
    for kind in [*sorted(table), "all"]:
        row = table[kind] if kind != "all" else sum(table.values(), collections.Counter())
        print(f"{kind:20}", *(f"{row[one]:6} {one}" for one in COLUMNS), file=given.report)
    return int(any(row["failed"] or row["unexpected passes"] for row in table.values()))


if __name__ == "__main__":
    sys.exit(main())
