"""The captain: what it knows and risks; `tests/games/test_bots.py` has how well it plays."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from games.dice import Dice
from games.game import Written
from games.silent_ships import GAME
from games.silent_ships.bot import LOST, Captain
from games.silent_ships.cards import EDITIONS, NAMES


def test_standing_orders_spare_files(play: Any) -> None:
    """Captains without them write more, in games that end as well."""
    files = []
    for captain in (Captain, partial(Captain, standing=False)):
        each = [{"edition": edition} for edition in EDITIONS]
        games = [play(seed, (captain, captain), one) for one in each for seed in range(8)]
        assert max(map(len, games)) <= 600
        files.append(sum(len(step.written) for steps in games for step in steps))
    assert files[0] < files[1] * 3 // 4


def heard(view: Any) -> Any:
    """A captain who has heard one view and nothing before it."""
    captain = GAME.bots["captain"](view.player)
    captain.hear(view, [])
    return captain


def test_orders_do_not_depend_on_what_is_hidden() -> None:
    """Neither on the enemy's ships that lie face down, nor on hand and deck."""
    setup = GAME.setup(("alice", "bob"), {})
    orders = set()
    for name, hand, deck in (
        ("flag-ship", ["frigate"], ["submarine"]), ("submarine", ["flag-ship"], ["frigate"]),
    ):  # fmt: skip
        position = {
            "turn": "alice",
            "board": ["C2 alice up missile-boat", f"D2 bob down {name}"],
            "alice": {"hand": ["fire-ship", "speed-boat"]},
            "bob": {"hand": hand, "deck": deck},
        }
        view = GAME.view(GAME.state(setup, position), "alice")
        orders.add(heard(view).order(Dice(b"hidden")).orders)
    assert len(orders) == 1


@pytest.mark.parametrize(("flag_ship", "played"), [(True, False), (False, True)])
def test_a_flag_ship_that_must_not_be_lost_stays_in_the_hand(flag_ship: bool, played: bool) -> None:
    """It is the strongest that could drive the intruder out; where it may be lost, it does."""
    setup = GAME.setup(("alice", "bob"), {"flag_ship": flag_ship})
    position = {
        "turn": "alice",
        "board": ["C4 bob up frigate"],
        "alice": {"hand": ["flag-ship", "patrol-ship", "speed-boat"]},
        "bob": {"hand": []},
    }
    orders = heard(GAME.view(GAME.state(setup, position), "alice")).order(Dice(b"flag")).orders
    assert ("play flag-ship" in orders) == played


def seat(turn: dict[str, Any], **options: Any) -> tuple[Any, Any]:
    """Alice's captain in that position, and her view."""
    setup = GAME.setup(("alice", "bob"), options)
    view = GAME.view(GAME.state(setup, {"turn": "alice", **turn}), "alice")
    return heard(view), view


HAND = ["frigate", "speed-boat", "patrol-ship", "salvage-ship", "ammunition-ship"]


def test_it_fights_before_it_holds() -> None:
    """A ship that it is sure to sink, three steps away, comes before the open country."""
    captain, _ = seat({
        "board": ["D2 alice up fire-ship", "A2 bob up patrol-ship"], "alice": {"hand": HAND},
    })  # fmt: skip
    first, *others = captain.ranked(Dice(b""), 64)
    assert "A2 discard" in lines(first.orders).split("; ")[-2]
    assert captain.why(first.orders) == "beats the Patrol ship there in 100 of 100 cases"
    assert any("C1 discard" in one.orders for one in others)


def test_it_ranks_what_it_may_give() -> None:
    """Each once and allowed, the best first; and its order is the first."""
    captain, view = seat({
        "board": ["C3 alice up missile-boat", "C2 bob down submarine"],
        "alice": {"hand": HAND}, "bob": {"hand": ["frigate"]},
    })  # fmt: skip
    ranked = captain.ranked(Dice(b""), 64)
    for one in ranked:
        GAME.read(view, Written(one.orders))
    assert len({one.orders for one in ranked}) == len(ranked) > 20
    assert [one.value for one in ranked] == sorted([one.value for one in ranked], reverse=True)
    assert captain.ranked(Dice(b""), 3) == ranked[:3]
    assert captain.order(Dice(b"")).orders == ranked[0].orders
    assert ranked[-1].value == 0


def test_what_leaves_an_intruder_is_lost() -> None:
    """With a ship in one's own country all else than a battle there is worth a lost game."""
    captain, _ = seat({
        "board": ["C4 bob up patrol-ship", "E1 alice up frigate"], "alice": {"hand": HAND},
    })  # fmt: skip
    ranked = captain.ranked(Dice(b""), 64)
    fights = [one for one in ranked if "C4 discard" in one.orders]
    assert 1 < len(fights) == len(ranked) - 1
    assert ranked[-1].value == LOST < min(one.value for one in fights)


@pytest.mark.parametrize(("board", "orders", "why"), [
    (["C2 alice up frigate"], "move C2 C1", "a ship that holds their country for their turn wins"),
    (["A4 alice up frigate"], "move A4 A3", "a ship on an island brings a card more each turn"),
    ([], "play frigate on; end", "while a ship is on your country, theirs must beat it to enter"),
    ([], "play frigate left; end", "a ship beside a battle can support"),
    (["C2 alice up frigate", "C1 bob down submarine"], "move C2 C1",
     "beats the ships that it can be in 72 of 100 cases"),
    ([], "end", ""),
])  # fmt: skip
def test_it_says_why(board: list[str], orders: str, why: str) -> None:
    """Of each plan of a turn, what it is for."""
    captain, _ = seat({"board": board, "alice": {"hand": HAND}, "bob": {"hand": []}})
    ranked = [one.orders for one in captain.ranked(Dice(b""), 64)]
    assert {captain.why(each) for each in ranked if lines(each).startswith(orders)} == {why}


def lines(orders: str) -> str:
    """Without standing orders."""
    return "; ".join([line for line in orders.splitlines() if not line.startswith("standing")])


def asked(asks: str, player: str, **board: Any) -> Any:
    """Alice's captain, whom bob's attack from C3 on C4, or hers on his ship there, asks."""
    setup = GAME.setup(("alice", "bob"), {})
    attack = {"from": "C3", "to": "C4", "asks": asks, "player": "alice"}
    position = {"turn": player, **board, "attack": attack}
    return heard(GAME.view(GAME.state(setup, position), "alice"))


@pytest.mark.parametrize(
    ("enemy", "first"), [("frigate", "retreat discard"), ("patrol-ship", "stand")]
)
def test_it_ranks_its_answers(enemy: str, first: str) -> None:
    """It retreats from what beats it, and stands against what does not; the other comes next."""
    captain = asked(
        "retreat", "bob", board=[f"C3 bob up {enemy}", "C4 alice down missile-boat"],
        alice={"hand": ["speed-boat"]},
    )  # fmt: skip
    answers = captain.ranked(Dice(b""), 9)
    assert answers[0].orders.startswith(first)
    assert [one.value for one in answers] == sorted({one.value for one in answers}, reverse=True)
    assert {one.orders.split()[0] for one in answers} == {"stand", "retreat"}
    assert captain.why(answers[0].orders) == ""


def test_it_ranks_supports_and_pushes() -> None:
    """What it would do, then the other ways."""
    board = ["C3 alice up patrol-ship", "B4 alice up frigate", "C4 bob up missile-boat"]
    captain = asked("support", "alice", board=board, alice={"hand": ["speed-boat"]})
    assert [one.orders for one in captain.ranked(Dice(b""), 9)] == [
        "support B4 discard speed-boat\n", "support none\n",
    ]  # fmt: skip
    captain = asked("push", "alice", board=[board[0], board[2]])
    assert [one.orders for one in captain.ranked(Dice(b""), 9)] == ["push B4\n", "push D4\n"]


def test_no_world_is_dealt_without_cards() -> None:
    """Where the position names fewer ships than lie about, and before the game."""
    captain, _ = seat({"board": [], "bob": {"hand": ["frigate"], "sunk": list(NAMES)}})
    assert captain.worlds(Dice(b""), 2) == []
    setup = GAME.setup(("alice", "bob"), {})
    assert heard(GAME.view(GAME.start(setup), "alice")).worlds(Dice(b""), 2) == []


def test_a_lead_that_is_sat_out_is_worth_nothing() -> None:
    """Where a stalemate is a draw; where it counts ships, or never comes, a lead is a lead."""
    worths = {}
    for name, options in {
        "print": {}, "counts": {"edition": "2021-09-17"}, "never": {"stalemate": 0},
    }.items():  # fmt: skip
        for idle in (0, 10, 19):
            position = {"turn": "alice", "idle": idle, "bob": {"sunk": ["frigate"]}}
            setup = GAME.setup(("alice", "bob"), options)
            worths[name, idle] = heard(GAME.view(GAME.start(setup), "alice")).worth(
                GAME.state(setup, position)
            )
    assert worths["print", 0] > worths["print", 10] > worths["print", 19] > 0
    for name in ("counts", "never"):
        assert worths[name, 0] == worths[name, 19] == worths["print", 0]
