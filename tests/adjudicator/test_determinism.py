"""The same secrets, orders and clock give the same game, whatever the process and its surroundings.

What may differ between two runs is what is sealed with fresh randomness, and what digests or signs
that: sealed files, slips and entries with their signatures. All else is compared byte for byte.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.opening import read_opening
from adjudicator.player import read_report
from adjudicator.record import Record
from adjudicator.replay import Replay
from adjudicator.seat import Seat
from adjudicator.verify import verify
from orders import names
from orders.documents import read_slip
from orders.entries import Entry, Reveal, read_entry
from orders.secrets import Master

SURROUNDINGS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "LANG": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4294967295", "TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8"},
)


def run_demo(folder: Path, players: int, around: dict[str, str], game: str = "sugar-dog") -> Path:
    """A seeded demo in a process of its own; the folder with all files."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **around}
    arguments = ["demo", "--game", game, "--players", str(players)]
    arguments += ["--seed", "02", "--keep", str(folder), "--quiet"]
    arguments += ["--bot", "random"] * players
    # What is tested here need not outlive a power cut.
    code = f"import os; os.fsync = print; from adjudicator.cli import main; main({arguments!r})"
    command = [sys.executable, "-c", code.replace("print", "lambda handle: None")]
    done = subprocess.run(
        command, env=environment, cwd=folder.parent, capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return folder


def lasting(folder: Path) -> dict[str, object]:
    """Everything of a demo's folder that does not follow from fresh randomness."""
    record = Record(folder / "record")
    opening = read_opening(record)
    out: dict[str, object] = {}
    for path in record.paths():
        name = names.parse(path)
        assert name is not None
        if name.kind in ("invite", "join", "opened") or (name.kind == "entry" and name.step == 0):
            out[path] = record.read(path)
    last = record.last_step() or 0
    for step in range(1, last + 1):
        entry = read_entry(record.read(names.entry(step)))
        out[f"entry {step}"] = entry_values(record, entry)
    seats = {name: Seat.open(folder / name / f"{name}.seat") for name in opening.players}
    for step in range(1, last):
        for name, seat in seats.items():
            out[f"report {step} {name}"] = read_report(opening, seat, record, step).data
    reveal = read_entry(record.read(names.entry(last)))
    assert isinstance(reveal, Reveal)
    out |= replayed(record, reveal)
    return out


def entry_values(record: Record, entry: object) -> list[object]:
    """What an entry says beside digests of sealed files, and the digests of orders in its slips."""
    if isinstance(entry, Reveal):
        return [entry.time, entry.master, dict(entry.outcome)]
    assert isinstance(entry, Entry)
    orders = [read_slip(record.read(names.slip(entry.step, who))).order for who in entry.slips]
    reports = {who: told.digest for who, told in entry.reports.items()}
    return [
        entry.time, entry.missing, entry.events, entry.awaited, entry.reserve, entry.state,
        orders, list(reports.items()), [used.received for used in entry.slips.values()],
    ]  # fmt: skip


def replayed(record: Record, reveal: Reveal) -> dict[str, object]:
    """State files and the seed of all draws, made again from the record."""
    from adjudicator import chain

    opening = read_opening(record)
    links = [chain.first(opening, record)]
    for _ in range(reveal.step):
        links.append(chain.follow(opening, links[-1], record, lambda at: links[at].clocks))
    again = Replay(opening, Master(bytes.fromhex(reveal.master)), record)
    out: dict[str, object] = {}
    for played in again.play(links[1:]):
        assert played.fault is None
        assert played.made is not None
        out[f"state {played.step}"] = played.made.state_file
    assert again.dice is not None
    out["seed"] = again.dice.seed
    return out


@pytest.mark.parametrize(
    ("game", "players"),
    [("sugar-dog", 2), ("sugar-dog", 3), ("silent-ships", 2), ("submarine-warfare", 2)],
)
def test_two_runs_differ_in_what_is_sealed_only(tmp_path: Path, game: str, players: int) -> None:
    """Under other hash seeds, time zones and locales: states, reports, orders, events, draws."""
    folders = [
        run_demo(tmp_path / str(number), players, around, game)
        for number, around in enumerate(SURROUNDINGS)
    ]
    first, *others = map(lasting, folders)
    assert len([key for key in first if key.startswith("state")]) > 2
    for other in others:
        assert list(first) == list(other)
        for key, value in first.items():
            assert value == other[key], key
    sealed = [
        {path: Record(folder / "record").read(path) for path in Record(folder / "record").paths()}
        for folder in folders
    ]
    # Fresh randomness there is: sealed files are never alike.
    assert all(sealed[0][path] != sealed[1][path] for path in sealed[0] if path.endswith(".sealed"))


def test_a_record_verifies_alike_everywhere(tmp_path: Path) -> None:
    """What one process wrote, others under other surroundings find true, in the same words."""
    folder = run_demo(tmp_path / "demo", 2, SURROUNDINGS[0])
    said = set()
    for around in SURROUNDINGS:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "verify", "record", "--json"],
            env={**environment, **around}, cwd=folder, capture_output=True, timeout=60,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0
        said.add(done.stdout)
    assert len(said) == 1
    assert verify(Record(folder / "record")).code == 0
