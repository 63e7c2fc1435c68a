"""Where a seat stands, as plain data. Boards and orders over mails stand in test_desk."""

from __future__ import annotations

from typing import Any

from adjudicator.page import shown
from adjudicator.player.table import Table as Place
from adjudicator.store.clock import DemoClock
from games.game import Deductions
from games.news import Said, rank
from orders.entries import Ruling

Table = Any
NOW = "2026-01-01T00:00:00Z"


def place(table: Table) -> Place:
    """Alice's copy and seat."""
    return Place(table.copies["alice"], table.seat("alice"), DemoClock())


def test_what_a_rival_does_changes_nothing(table: Table) -> None:
    """Every byte of it is the same wherever the rival is, until the rules tell."""
    told = []
    for cell in ("C1", "F6"):
        other = table.copy(table.root.with_name(cell))
        other.play({"alice": "start A4", "bob": f"start {cell}"})
        state = shown.state(place(other), NOW)
        boards = list(shown.Seen(place(other).seated()).boards())
        told.append([{key: value for key, value in state.items() if key != "id"}, boards])
    assert told[0] == told[1]


def test_the_offer(table: Table) -> None:
    """Title, options, and where mails go."""
    told = shown.offer(table.copies["alice"])
    assert (told["title"], told["reserved"], told["host"]) == ("Sugar Dog", False, "")
    assert told["options"]["turn_time"] == "3d"


def test_a_finished_game(finished: Table) -> None:
    """The last report's board and news, and how it ended; nobody is awaited."""
    told = shown.state(place(finished), NOW)
    assert (told["stage"], told["outcome"], told["awaited"]) == ("over", "alice won", [])
    assert told["chart"]["columns"] == 6
    assert told["since"]
    assert told["why"].startswith("Your torpedo hit bob in ")
    assert told["why_all"] == told["why"].replace("Your", "alice's")


def test_a_game_that_its_host_ends(table: Table) -> None:
    """The host's own reason is why."""
    table.rule(Ruling("a flood", abandons=True))
    told = shown.state(place(table), NOW)
    assert (told["why"], told["why_all"]) == ("The host ended it: a flood",) * 2


def test_orders_without_a_receipt_are_amiss_after_a_while(table: Table) -> None:
    """The reader's clock says when."""
    table.order("alice", "start C4")
    alice = place(table)
    assert shown.state(alice, NOW)["amiss"] == []
    (amiss,) = shown.state(alice, "2026-01-03T00:00:00Z")["amiss"]
    assert amiss.startswith("The host has not answered your orders")


def test_how_loud_a_step_is() -> None:
    """From what is not played up to what strikes: its loudest sentence tells."""
    loud = {sign: shown.loudness([Said("", rank=rank(sign))]) for sign in ("card", "step", "run")}
    assert loud == {"card": 0, "step": 1, "run": 1}
    ping, sinks = Said("", rank=rank("sonar")), Said("", rank=rank("down"))
    assert shown.loudness([Said(""), ping, Said("")]) == 2
    assert shown.loudness([ping, sinks]) == 3
    assert shown.loudness([]) == 0


def test_what_is_known_has_its_cell() -> None:
    """Of one place as of several; what is no cell has none."""
    may = {"bob's submarine": ["C3"], "carol's submarine": ["C3", "D4"], "bob's mines": [2]}
    found = shown.worked_out(Deductions(may))
    assert [(one["many"], one["cells"]) for one in found] == [
        (1, ["C3"]), (2, ["C3", "D4"]), (1, []),
    ]  # fmt: skip
