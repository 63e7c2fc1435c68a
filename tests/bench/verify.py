"""What verifying costs: real games, long ones, an archive.

`python tests/bench/verify.py [WHAT [NUMBER...]]`, where WHAT is

- `games [ROUNDS [KINDS]]`: plays a game of captains of each kind, or of the first KINDS, and
  prints a table. Its unit is the bare Ed25519 verifications of the same run; each figure is
  measured ROUNDS (15) times: full verification (everything adjudicated and sealed again) of the
  folder in memory and of the pack; the least time for the folder over the least of the bare ones,
  which a busy machine disturbs less than the median of ratios; and the bytes of an entry in the
  folder and in the pack, with the files that belong to it. Below stand one call of `ssh-keygen -Y
  verify` and one of `git verify-commit`;
- `long [STEPS]`: a game of Sugar Dog of STEPS steps (2,000) in which both stay where they are:
  its first tenth, its first half, and all of it before and after the reveal; how many times as
  long that takes as the bare verifications, and the most memory `adjudicator verify` holds over a
  pack;
- `archive [PACKS [ROUNDS]]`: PACKS (1,000) packs of short games, at most 100 of them different,
  by one process and by two, ROUNDS (1) times in turn: the least seconds, packs a second, and the
  most memory that the command's own process held.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from frame import KINDS, Kind, bare, called, held, median_ratio, no_disk, played, seconds, used

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from table import Table

import games as kinds_of_games
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.machine.demo import NAMES, Plan, play
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from games.dice import Dice
from games.game import Written
from games.sugar_dog.bot import Random
from orders import names
from orders.secrets import derive


def games(rounds: int = 15, kinds: int = len(KINDS)) -> None:
    """The table."""
    print("| game | entries | signatures | folder | pack | folder, least | folder B | pack B |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS[:kinds]:
        print(measure(kind, rounds), flush=True)
    unit = min(seconds(bare(500)) for _ in range(rounds)) / 500
    print(f"V: {unit * 1e6:.0f} us")
    for name, least in others(rounds).items():
        print(f"{name}: {least / unit:.0f} V, {least * 1e3:.1f} ms")


def others(rounds: int) -> dict[str, float]:
    """The least processor seconds of programs that verify one signature by the same kind of key."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (
            "ssh-keygen -q -t ed25519 -N  -f key",
            "ssh-keygen -q -Y sign -f key -n file file",
            "git init -q",
            "git add file",
            "git commit -q -m signed",
        ):
            Path(folder, "file").write_text("signed")
            _run(folder, command)
            if command.startswith("ssh-keygen -q -t"):
                key = Path(folder, "key.pub").read_text()
                Path(folder, "signers").write_text(f"me@example.org {key}")
        timed = {
            "ssh-keygen -Y verify": "ssh-keygen -Y verify -f signers -I me@example.org -n file "
            "-s file.sig",
            "git verify-commit": "git verify-commit HEAD",
        }
        return {
            name: min(_run(folder, command) for _ in range(rounds))
            for name, command in timed.items()
        }


def _run(folder: str, command: str) -> float:
    """Processor seconds of a command there, which must succeed; it reads `file`."""
    config = {
        "user.name": "me", "user.email": "me@example.org", "gpg.format": "ssh",
        "user.signingkey": f"{folder}/key", "commit.gpgsign": "true",
        "gpg.ssh.allowedSignersFile": f"{folder}/signers",
    }  # fmt: skip
    env = {**os.environ, "GIT_CONFIG_COUNT": str(len(config))}
    for at, (key, value) in enumerate(config.items()):
        env |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    start = used()
    with Path(folder, "file").open("rb") as given:
        subprocess.run(
            command.split(" "), cwd=folder, env=env, stdin=given, check=True, capture_output=True
        )
    return used() - start


def measure(kind: Kind, rounds: int) -> str:
    """Play a game of a kind, and measure what verifying it costs: its row of the table."""
    with no_disk() as folder:
        source = held(played(kind, 0, folder))
    written = pack.write(kept(source))
    packed = Pack.of(written)
    for one in (source, packed):
        assert verify(one).code == 0, verify(one).verdict
    links = Ledger.read(source).links()
    signatures = sum(link.signatures for link in links)
    v = bare(signatures)
    ratios = [median_ratio(lambda one=one: verify(one), v, rounds) for one in (source, packed)]
    least = min(seconds(lambda: verify(source)) for _ in range(rounds))
    least /= min(seconds(v) for _ in range(rounds))
    size = sum(map(len, source.held.values()))
    return (
        f"| {kind.name} | {len(links)} | {signatures} | {ratios[0]:.1f} | {ratios[1]:.1f} | "
        f"{least:.1f} | {size / len(links):.0f} | {len(written) / len(links):.0f} |"
    )


def long(steps: int = 2000) -> None:
    """A line for each length."""
    with no_disk() as folder:
        whole = resigned(folder, steps)
    print("entries | revealed | times the bare verifications | MiB")
    for count in (steps // 10, steps // 2, steps):
        report(cut(whole, count))
    report(whole)


def report(record: MemoryFiles) -> None:
    """Verify a record and print what it costs."""
    links = Ledger.read(record).links()
    v = bare(sum(link.signatures for link in links))
    ratio = median_ratio(lambda: verify(record), v, 3)
    revealed = "yes" if verify(record).code == 0 else "no"
    print(f"{len(links)} | {revealed} | {ratio:.1f} | {memory(record):.0f}", flush=True)


def memory(record: MemoryFiles) -> float:
    """The most MiB that a new process holds while it verifies a pack of the record."""
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(pack.write(record.held))
        file.flush()
        command = [sys.executable, "-m", "adjudicator", "verify", file.name]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in (0, 4), process.returncode
    return used.ru_maxrss / 1024


def resigned(folder: Path, steps: int) -> MemoryFiles:
    """A game that ends at entry `steps`, by a resignation."""
    table = under_way(folder, steps - 1)
    (name,) = table.entry().awaited
    return held(table.play({name: "resign"}).record)


def under_way(folder: Path, steps: int) -> Table:
    """A game with so many entries after genesis, and no end yet."""
    table = Table(folder / "game").begin()
    table.play({"alice": "start A1", "bob": "start F1"})
    for _ in range(2, steps + 1):
        (name,) = table.entry().awaited
        table.play({name: "silent"})
    return table


def cut(record: MemoryFiles, steps: int) -> MemoryFiles:
    """The same record as it was once it had that many entries after genesis."""
    kept = {}
    for path, data in record.held.items():
        name = names.parse(path)
        of_a_step = name is not None and name.kind not in ("invite", "table", "attributes", "join")
        if name is None or not of_a_step or (name.step <= steps and name.kind != "opened"):
            kept[path] = data
    return MemoryFiles(kept)


DISTINCT = 100

CALL = """
import resource, sys
from adjudicator.cli import main
try:
    main(sys.argv[1:])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


class Leaver(Random):
    """Plays any legal line, and resigns when its game has lasted so many turns."""

    turns = 0

    def order(self, dice: Dice) -> Written:
        """Its line."""
        return (
            Written("resign") if self.view.shown.get("n", 0) > self.turns else super().order(dice)
        )


def packs(folder: Path, count: int) -> list[bytes]:
    """Packs of so many short games, of 4 to 8 entries."""
    game = kinds_of_games.load("sugar-dog")
    made = []
    for number in range(count):
        people = {name: Leaver(name) for name in NAMES[:2]}
        for one in people.values():
            one.turns = number % 5
        plan = Plan(game, ["random"] * 2, derive(b"archive", str(number)), {}, people)
        root = folder / str(number)
        for _ in play(plan, root):
            pass
        made.append(pack.write(kept(Record(root / "record"))))
    return made


def archive(count: int = 1000, rounds: int = 1) -> None:
    """A line for each number of processes. One verification uses nothing of another, so copies
    cost what originals cost."""
    with no_disk() as folder:
        made = packs(folder / "games", min(count, DISTINCT))
        for number in range(count):
            file = folder / "archive" / f"{number // 1000:03}" / f"{number:06}.zip"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(made[number % len(made)])
        print(f"{count} packs, {sum(map(len, made)) // len(made)} bytes on average", flush=True)
        least: dict[int, tuple[float, int]] = {}
        for jobs in (1, 2) * rounds:
            now = verified(folder / "archive", count, jobs)
            least[jobs] = min(least.get(jobs, now), now)
    for jobs, (spent, memory) in least.items():
        print(
            f"--jobs {jobs}: {spent:.1f} s, {count / spent:.0f} a second, "
            f"{least[1][0] / spent:.2f} times as fast as one, {memory // 1024} MB"
        )


def verified(archive: Path, count: int, jobs: int) -> tuple[float, int]:
    """Seconds of one call of the command, and the most KiB that its own process held."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CALL, "verify", str(archive), "--jobs", str(jobs)],
        capture_output=True, check=True, text=True, cwd=Path(__file__).resolve().parents[2],
    )  # fmt: skip
    spent = time.perf_counter() - start
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"{count} records of "), last
    assert last.endswith(f": {count} true"), last
    return spent, int(done.stderr.splitlines()[-1])


if __name__ == "__main__":
    called(games, long, archive)
