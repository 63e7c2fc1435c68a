"""What a turn costs: the rules, a host's step, a program's start, an idle host, an order's path.

`python tests/bench/turn.py [WHAT [NUMBER...]]`, where WHAT is

- `rules [GAMES [ROUNDS]]`: plays GAMES games (5) of each kind between bots in memory, then
  repeats all their adjudications, reads all orders again and makes all views again, the public
  one included; for each of the three the time for a step, the least of ROUNDS (9);
- `step [LATE]`: what step 10 and step LATE (1,000) cost a host whose commands open the game from
  its mark, one to take an order in and one to adjudicate; each the median of the nine steps
  around it;
- `start [ROUNDS]`: programs beside `python -c "import click"`, the least of ROUNDS (15) in turn;
- `many [GAMES [ROUNDS]]`: the processor time of `adjudicator referee FOLDER --once` while nothing
  came, and of `adjudicator status`, with 1 and GAMES (20) games by mail, the least of ROUNDS (7);
- `path`: how many functions in how many modules `adjudicator play "start C4"` enters, by files.
"""

from __future__ import annotations

import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from frame import bare, called, no_disk, seconds, used

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from office.club import ADDRESS, Club
from table import Table

import games
from adjudicator.host import begin
from adjudicator.store.clock import SystemClock
from games.dice import Dice
from games.game import Game
from orders import crypto
from orders.bundle import encode
from orders.keys import write_key
from orders.secrets import derive

TOP = Path(__file__).resolve().parents[2]


class Calls:
    """What was called as games were played, by method: `adjudicate`, `read` and `view`."""

    def __init__(self) -> None:
        self.made: dict[str, list[tuple[Callable[..., Any], tuple[Any, ...]]]] = {}
        self.steps = 0

    def call(self, game: Game, name: str, *given: Any) -> Any:
        """Call a method of the game, and keep what was asked."""
        method = getattr(game, name)
        self.made.setdefault(name, []).append((method, given))
        return method(*given)

    def again(self, name: str, rounds: int) -> float:
        """Seconds for a step when a method's calls are repeated: the least of some rounds."""
        made = self.made[name]

        def run() -> None:
            for method, given in made:
                method(*given)

        return min(seconds(run) for _ in range(rounds)) / self.steps


def play(game: Game, number: int, calls: Calls) -> None:
    """One game between captains."""
    seats = ("alice", "bob", "carol")[: game.seats[0]]
    bots = {name: game.bots["captain"](name) for name in seats}
    dice = Dice(hashlib.sha256(b"%d" % number).digest())
    state = game.start(game.setup(seats, {}))
    events: tuple = ()
    while awaited := game.awaited(state):
        orders = {}
        views = {name: calls.call(game, "view", state, name) for name in seats}
        calls.call(game, "view", state, None)
        for name in seats:
            bots[name].hear(views[name], [e.whole() for e in events if e.heard_by(name)])
        for prompt in awaited:
            name = prompt.player
            own = Dice(hashlib.sha256(f"{number} {name} {calls.steps}".encode()).digest())
            orders[name] = calls.call(game, "read", views[name], bots[name].order(own))
        step = calls.call(game, "adjudicate", state, orders, dice)
        state, events = step.state, step.events
        calls.steps += 1


def rules(count: int = 5, rounds: int = 9) -> None:
    """What adjudicating costs, for each installed game."""
    for game_id in games.installed():
        game, calls = games.load(game_id), Calls()
        for number in range(count):
            play(game, number, calls)
        unit = min(seconds(bare(1000)) for _ in range(rounds)) / 1000
        shares = {name: calls.again(name, rounds) / unit for name in calls.made}
        print(
            f"{game_id}: adjudicate {shares['adjudicate']:.2f} V a step, "
            f"all views {shares['view']:.2f}, reading orders {shares['read']:.2f} "
            f"({calls.steps} steps)"
        )


AROUND = 4
"""Steps on either side that the median takes in."""
EARLY = 10


def step(late: int = 1000) -> None:
    """What a step costs late in a game, against early."""
    unit = min(seconds(bare(1000)) for _ in range(5)) / 1000
    with no_disk() as folder:
        table = Table(folder / "game").begin()
        table.play({"alice": "start A1", "bob": "start F1"})
        costs = [stepped(table) for _ in range(1, late + AROUND)]
    for at in (EARLY, late):
        around = costs[at - 2 - AROUND : at - 1 + AROUND]
        opening, submit, advance = (
            statistics.median(part) / unit for part in zip(*around, strict=True)
        )
        whole = 2 * opening + submit + advance
        print(
            f"step {at}: opening {opening:.0f} V, submit {submit:.0f} V, advance {advance:.0f} V; "
            f"two commands {whole:.0f} V"
        )


def stepped(table: Table) -> tuple[float, float, float]:
    """Play the next step, in which the awaited player does not move.

    Gives the host's seconds for opening the game, taking the order in, and adjudicating.
    """
    (name,) = table.entry().awaited
    bundle = table.order(name, "silent")
    opening = seconds(lambda: table.host)
    host = table.host
    submit = seconds(lambda: host.submit(bundle))
    host = table.host
    advance = seconds(host.advance)
    table.hand_out((host.last.step,))
    return opening, submit, advance


RECORD = TOP / "tests" / "suite" / "records" / "sugar-dog-2.zip"
"""A finished game of ten steps."""

PROGRAMS = {
    "python -c pass": ["-c", "pass"],
    "import click": ["-c", "import click"],
    "adjudicator --help": ["-m", "adjudicator", "--help"],
    "adjudicator status --help": ["-m", "adjudicator", "status", "--help"],
    "adjudicator verify --help": ["-m", "adjudicator", "verify", "--help"],
    "adjudicator status PACK": ["-m", "adjudicator", "status", "-g", str(RECORD)],
    "adjudicator show PACK": ["-m", "adjudicator", "show", "-g", str(RECORD)],
    "adjudicator verify PACK": ["-m", "adjudicator", "verify", str(RECORD)],
}


def took(words: list[str], here: Path = TOP) -> float:
    """Processor seconds of one program, which must end with 0, or with 3 for open protests."""
    before = used()
    env = {**os.environ, "PYTHONPATH": str(TOP)}
    # Bytecode is there, as wherever the program is installed: the first round writes what is not.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, *words], cwd=here, env=env, stdout=subprocess.DEVNULL, check=False
    )
    assert done.returncode in (0, 3), words
    return used() - before


def start(rounds: int = 15) -> None:
    """What starting up costs."""
    least = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(rounds):
        for name, words in PROGRAMS.items():
            least[name] = min(least[name], took(words))
    for name, spent in least.items():
        print(f"{spent * 1e3:6.1f} ms  {spent / least['import click']:5.2f} times  {name}")


def many(count: int = 20, rounds: int = 7) -> None:
    """What an idle turn of a host with many games costs, beside that of one."""
    with tempfile.TemporaryDirectory() as root:
        one, more = refereed(Path(root, "one"), 1), refereed(Path(root, "many"), count)
        for what, words in (("an idle turn", ["referee", ".", "--once"]), ("status", ["status"])):
            run = ["-m", "adjudicator", *words]
            took(run, one), took(run, more)  # the first one brings the state up to date
            least, most = (min(took(run, here) for _ in range(rounds)) for here in (one, more))
            print(
                f"{what}: {1e3 * least:.0f} ms with 1 game, {1e3 * most:.0f} ms with {count}: "
                f"x{most / least:.2f}"
            )


BATCH = 50


def refereed(root: Path, count: int) -> Path:
    """A referee's folder with so many games under way."""
    club = Club(root)
    club.clock.time = SystemClock().now()
    write_key(club.folder / "referee.key", "host", derive(b"r" * 32, "host"))
    # In an hour strangers get so many mails, and so many games may wait for players.
    batches = [range(count)[at : at + BATCH] for at in range(0, count, BATCH)]
    club.clock.skip(-3_700 * len(batches))
    for batch in batches:
        for number in batch:
            club.write(f"a{number}@example.org", "games")
        club.turn()
        for number in batch:
            mails = club.got(f"a{number}@example.org")
            club.write(
                f"a{number}@example.org",
                f"new sugar-dog first=1 with b{number}@example.org",
                subject="x",
                answers=mails[0],
            )
        club.turn()
        for letter in "ab":
            for number in batch:
                club.person(f"{letter}{number}").join()
            club.turn()
        club.clock.skip(3_600)
    assert all(club.host(name).host is not None for name in club.games)
    for name in ("new", "cur", "tmp"):
        (club.folder / "box" / name).mkdir(parents=True)
    (club.folder / "referee.toml").write_text(
        f'address = "{ADDRESS}"\nmail-in = "maildir:box"\nmail-out = "maildir:out"\n'
        'publish = "www"\ntell = "true"\n'
    )
    return club.folder


TRACED = """
import json, os, sys
top, out = sys.argv[1:3]
entered, loading = {}, []
def enter(frame, event, arg):
    if frame.f_code.co_name == "<module>" and event in ("call", "return"):
        loading.append(1) if event == "call" else loading.pop()
    elif event == "call" and not loading:
        entered[frame.f_code] = entered.get(frame.f_code, 0) + 1
from adjudicator.cli import main
sys.setprofile(enter)
sys.argv = ["adjudicator", "play", "start C4", "--key", "alice.key"]
try:
    main()
except SystemExit as end:
    code = end.code
finally:
    sys.setprofile(None)
told = [
    (os.path.relpath(at.co_filename, top), count)
    for at, count in entered.items() if at.co_name[0] != "<"
]
with open(out, "w") as file:
    json.dump([code, told], file)
"""


def path() -> None:
    """What one order goes through. What runs while a module is loaded is not counted. Cold, the
    genesis comes with a bundle beside the copy; warm, it is there and was verified before."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        table.offer()
        genesis = begin.start(table.record, table.joins, table.signer, table.clock)
        alice = table.root / "alice"
        (alice / "alice.key").write_bytes(crypto.write_openssh(table.keys["alice"].seed))
        (alice / "alice.key").chmod(0o600)
        (alice / "friday-0000.txt").write_bytes(encode(genesis))
        for state in ("cold", "warm"):
            out = Path(folder, "traced.json")
            command = [sys.executable, "-c", TRACED, str(TOP), str(out)]
            done = subprocess.run(command, cwd=alice, capture_output=True, check=False, text=True)
            code, told = json.loads(out.read_bytes())
            # 3: done, and to be looked at, since the game's clock is not this machine's.
            assert code in (0, 3), done.stdout + done.stderr
            ours = [
                one for one in told if one[0].split("/")[0] in ("adjudicator", "games", "orders")
            ]
            print(
                f"{state}: {len(ours)} functions of {len({file for file, _ in ours})} modules, "
                f"{sum(count for _, count in ours)} calls"
            )


if __name__ == "__main__":
    called(rules, step, start, many, path)
