"""The path of one order through the program: `adjudicator play "start C4"`, by files.

`python tests/bench/path.py [NAMES]` prints how many functions of the program the command enters, in
how many modules, how many calls that makes, and how many of the game's files it opens how often.
Cold, the genesis comes with a bundle beside the copy; warm, it is there and was verified before.
What runs while a module is loaded is not counted. With NAMES, also what is entered (`functions`) or
opened (`opens`), and how often.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from table import Table

from adjudicator.host import begin
from orders import crypto
from orders.bundle import encode

TOP = Path(__file__).resolve().parents[2]

TRACED = """
import collections, json, os, sys
top, out = sys.argv[1:3]
calls, opens, loading = collections.Counter(), collections.Counter(), []
def enter(frame, event, arg):
    if frame.f_code.co_name == "<module>" and event in ("call", "return"):
        loading.append(1) if event == "call" else loading.pop()
    elif event == "call" and not loading:
        calls[frame.f_code] += 1
def opened(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        opens[arguments[0]] += 1
from adjudicator.cli import main
sys.addaudithook(opened)
sys.setprofile(enter)
sys.argv = ["adjudicator", "play", "start C4", "--key", "alice.key"]
try:
    main()
except SystemExit as end:
    code = end.code
finally:
    sys.setprofile(None)
here = os.getcwd()
functions = collections.Counter()
for at, count in calls.items():
    path = os.path.relpath(at.co_filename, top)
    if path.split(os.sep)[0] in ("adjudicator", "games", "orders") and at.co_name[0] != "<":
        functions[f"{path}:{at.co_qualname}"] += count
files = {
    os.path.relpath(path, here): count for path, count in opens.items()
    if os.path.abspath(path).startswith(here)
}
with open(out, "w") as file:
    json.dump([code, functions, files], file)
"""


def traced(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Functions entered and files opened by the command in that folder, with how often."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, "-c", TRACED, str(TOP), out.name]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True)
        code, functions, files = json.loads(Path(out.name).read_bytes())
    # 3: done, and to be looked at, since the game's clock is not this machine's.
    assert code in (0, 3), done.stdout + done.stderr
    return Counter(functions), Counter(files)


def main(what: list[str]) -> None:
    """Trace and print."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        table.offer()
        genesis = begin.start(table.record, table.joins, table.signer, table.clock)
        alice = table.root / "alice"
        (alice / "alice.key").write_bytes(crypto.write_openssh(table.keys["alice"].seed))
        (alice / "alice.key").chmod(0o600)
        (alice / "friday-0000.txt").write_bytes(encode(genesis))
        for state in ("cold", "warm"):
            functions, files = traced(alice)
            modules = {name.partition(":")[0] for name in functions}
            print(
                f"{state}: {len(functions)} functions of {len(modules)} modules, "
                f"{functions.total()} calls; {files.total()} opens of {len(files)} files"
            )
            for name, count in (files if "opens" in what else functions).most_common() * bool(what):
                print(f"  {count:4} {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
