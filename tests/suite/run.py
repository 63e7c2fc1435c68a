"""`python run.py [--xfail FILE] [--kind KIND]... [--jobs N] CMD...` asks a client.

CMD is the program under test with its first arguments, such as `adjudicator`. CLIENT.md beside this
file says how it is called and what it answers. FILE of `--xfail` has the id of a case that is
expected to fail in each line; `#` begins a remark. The report has a line for each case that did not
do as expected, then a table by kind. Exits with 0 if there is no such case, else with 1.
"""

import argparse
import collections
import functools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("passed", "failed", "unexpected passes", "expected failures", "values")


@functools.cache
def files_of(path: str) -> dict:
    """The bytes of all files in a zip by their names."""
    with zipfile.ZipFile(HERE / path) as held:
        return {name: held.read(name) for name in held.namelist()}


def given_as(argument: "str | dict", place: str) -> str:
    """An argument as the client gets it; a folder is put together below that place."""
    if isinstance(argument, str) or "file" in argument:
        return argument if isinstance(argument, str) else str((HERE / argument["file"]).resolve())
    folder, found = pathlib.Path(tempfile.mkdtemp(dir=place)), {}
    for layer in (f"{one}/" for one in argument["of"]):
        held = files_of(argument["zip"]).items()
        found |= {name[len(layer) :]: data for name, data in held if name.startswith(layer)}
        gone = found.pop("gone.txt", b"").split()
        found = {path: data for path, data in found.items() if path.encode() not in gone}
    for path, data in found.items():
        (folder / path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    if "link" in argument:
        (folder / argument["link"]).symlink_to(HERE / "suite.json")
    return str(folder / argument.get("path", ""))


def ask(command: list, case: dict) -> str:
    """What is wrong with the client's answer to a case; empty if nothing is."""
    with tempfile.TemporaryDirectory() as place:
        call = [*command, *(given_as(argument, place) for argument in case["call"])]
        try:
            done = subprocess.run(call, check=False, capture_output=True, timeout=120)
        except (subprocess.TimeoutExpired, OSError) as error:
            return f"no answer: {error}"
        last = (done.stdout + done.stderr).decode("utf-8", "replace").strip().rpartition("\n")[2]
    wrong = f"expected {case['code']}, got {done.returncode}: {last[:200]!r}"
    return wrong * (done.returncode != case["code"])


def main() -> int:
    """Ask every case and report; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--xfail", type=pathlib.Path)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD...")
    given = parser.parse_args()
    cases = json.loads((HERE / "suite.json").read_text("ascii"))["cases"]
    lines = given.xfail.read_text().splitlines() if given.xfail else []
    xfail = {line.partition("#")[0].strip() for line in lines} - {""}
    known = {case[key] for case in cases for key in ("id", "kind")}
    for one in sorted({*xfail, *(given.kind or ())} - known):
        parser.error(f"no such case or kind: {one!a}")
    if not shutil.which("".join(given.command[:1])):
        parser.error("expected a CMD that can be started")
    cases = [case for case in cases if case["kind"] in (given.kind or [case["kind"]])]
    with futures.ThreadPoolExecutor(given.jobs) as pool:
        asked = {case["id"]: case for case in cases if "call" in case}
        answers = pool.map(functools.partial(ask, given.command), asked.values())
        wrong = dict(zip(asked, answers, strict=True))
    table = collections.defaultdict(collections.Counter)
    for case in cases:
        name = case["id"]
        column = COLUMNS[bool(wrong[name]) + 2 * (name in xfail)] if name in wrong else "values"
        for kind in (case["kind"], "all"):
            table[kind][column] += case.get("count", 1)
        if column in COLUMNS[1:3]:
            why, where = wrong[name] or "passed", f"{case['page']} {case.get('rule', '')}"
            print(f"{column}: {name}: {why} ({where.strip()})")
    print(f"{'':16}", *(f"{column:>17}" for column in COLUMNS))
    for kind in sorted(table, key=lambda one: (one == "all", one)):
        print(f"{kind:16}", *(f"{table[kind][column]:17}" for column in COLUMNS))
    return int(table["all"]["failed"] + table["all"]["unexpected passes"] > 0)


if __name__ == "__main__":
    sys.exit(main())
