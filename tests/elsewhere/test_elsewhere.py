"""A game that lives outside `games/`, in a distribution of its own, is a game like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from orders.keys import write_key

Run = Callable[..., tuple[int, str, str]]
FLEET = "\n".join(
    f"place {ship} A{row} E"
    for row, ship in enumerate(("carrier", "battleship", "cruiser", "submarine", "destroyer"), 1)
)


@pytest.fixture(scope="module")
def kept(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo of that game, with all its files."""
    folder = tmp_path_factory.mktemp("elsewhere")
    code, out, err = run(folder, "demo", "battleship", "--seed", "02", "--keep", "kept")
    assert (code, err) == (0, "")
    assert "has sunk the whole fleet" in out
    assert "TRUE: " in out
    return folder / "kept"


def test_it_is_found_and_offered(run: Run, tmp_path: Path) -> None:
    """With its options, beside the games of this distribution; the rules page too."""
    code, out, _ = run(tmp_path, "games", "--json")
    assert code == 0
    found = {game["id"]: game for game in json.loads(out)}
    assert found["battleship"]["rules"] == "battleship/1"
    assert found["battleship"]["options"]["turn_time"]["default"] == "3d"
    assert "sugar-dog" in found
    code, out, _ = run(tmp_path, "rules", "battleship", "--exact")
    assert out.startswith("Battleship\n====")


def test_its_cases_run(run: Run, tmp_path: Path) -> None:
    """Those beside its code."""
    code, out, _ = run(tmp_path, "try", "--cases", "battleship")
    assert code == 0
    assert "ok   BS-4a" in out


def test_it_is_played_and_verified(run: Run, kept: Path) -> None:
    """By everybody who has it: the record, and every copy of it."""
    for record in ("record", "alice/record", "bob/record"):
        code, out, _ = run(kept, "verify", record)
        assert code == 0, out
        assert "TRUE: " in out
    code, out, _ = run(kept, "verify", "record", "--seat", "alice/alice.seat")
    assert code == 0


def test_it_is_played_by_hand(run: Run, tmp_path: Path) -> None:
    """Invite, joins, start, a form, orders, take, sync: the same commands."""
    for name in ("host", "alice", "bob"):
        write_key(tmp_path / f"{name}.key", name)
    invited = run(tmp_path, "invite", "battleship", "--key", "host.key", "-o", "friday")
    assert invited[0] == 0, invited
    for name in ("alice", "bob"):
        joined = run(tmp_path, "join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
        assert joined[0] == 0, joined
    started = run(tmp_path, "start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    assert started[0] == 0, started
    code, template, _ = run(tmp_path, "play", "--form", "-g", "friday", "--seat", "alice.seat")
    assert code == 0
    assert "place carrier " in template
    (tmp_path / "mine.txt").write_text(f"{template}\n{FLEET}\n")
    ordered = run(tmp_path, "play", "--file", "mine.txt", "-g", "friday", "--seat", "alice.seat")
    assert ordered[0] == 0, ordered
    code, out, _ = run(tmp_path, "take", "friday-alice-0001-1.txt", "-g", "friday")
    assert code == 0
    assert "alice: taken" in out


def test_who_does_not_have_it_is_told(run: Run, kept: Path) -> None:
    """Unusable, not false: the record names rules that are not installed."""
    code, out, _ = run(kept, "verify", "record", installed=())
    assert code == 2
    assert "no game 'battleship' is installed" in out
    code, _, err = run(kept, "demo", "battleship", installed=())
    assert code == 1
    assert err.startswith("error: ")
    assert "sugar-dog" in err
