"""Hidden information: nobody learns from files, sizes, answers or events what the rules hide.

Pairs of games that differ only in what one player may not know, with the same secrets, clock and
orders of that player, must look the same to that player, to the byte where bytes are theirs, and
in everything but random ciphertext elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from orders import names
from orders.documents import read_receipt
from orders.errors import Refused
from orders.sealing import Place

Table = Any
Script = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Pair:
    """Two games that `who` must not be able to tell apart."""

    who: str
    one: Script
    other: Script


START = {"alice": "start C4", "bob": "start C1"}

PAIRS = {
    "another's start": Pair(
        "alice",
        ({**START}, {"alice": "silent"}, {"bob": "silent"}, {"alice": "mine"}),
        ({**START, "bob": "start F6"}, {"alice": "silent"}, {"bob": "silent"}, {"alice": "mine"}),
    ),
    "another's quiet turns": Pair(
        "alice",
        (START, {"alice": "silent"}, {"bob": "silent"}, {"alice": "silent"}, {"bob": "mine"}),
        (START, {"alice": "silent"}, {"bob": "silent C2"}, {"alice": "silent"}, {"bob": "silent"}),
    ),
    "a mine laid or a torpedo lost": Pair(
        "alice",
        (START, {"alice": "silent"}, {"bob": "mine"}, {"alice": "cruise C5"}),
        (START, {"alice": "silent"}, {"bob": "fire S"}, {"alice": "cruise C5"}),
    ),
    "who shot at nobody": Pair(
        "bob",
        ({**START, "alice": "start A6"}, {"alice": "fire W"}, {"bob": "ping"}),
        ({**START, "alice": "start A6"}, {"alice": "mine\ndraw"}, {"bob": "ping"}),
    ),
}
# The last pair differs in public, as it must: it shows that the comparison can fail.
TOLD = "who shot at nobody"


def seen_by(table: Table, who: str) -> list[tuple[Any, ...]]:
    """Everything of a game that comes to one player, in order; ciphertext only by its length."""
    out: list[tuple[Any, ...]] = []
    record, game = table.copies[who], table.host.ledger.opening.game
    for step in range(1, (record.last_step() or 0) + 1):
        entry = table.entry(step)
        report = table.report(who, step)
        values = (report.view.shown, report.events)
        out.append(("report", step, values, len(report.data)))
        out.append(("board", step, game.draw(report.view), game.svg(report.view)))
        out.append(("entry", entry.time, entry.missing, entry.events, list(entry.slips)))
        out.append(("times", [used.received for used in entry.slips.values()], entry.reserve))
        out.append(("awaited", list(entry.awaited.items()), entry.view))
    out.extend(("size", path, len(record.read(path))) for path in record.paths())
    for answer in table.receipts:
        receipt = read_receipt(answer.data)
        sizes = [len(answer.data), len(answer.signature)]
        out.append(("receipt", receipt.player, receipt.status, receipt.time, sizes))
    return out


def reports(table: Table, who: str) -> list[bytes]:
    return [table.report(who, step).data for step in range(1, (table.record.last_step() or 0) + 1)]


def played(table: Table, root: Path, script: Script) -> Table:
    return table.copy(root).play(*script)


@pytest.fixture
def both(begun: Table, tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Table, Table, str]:
    """The two games of a pair, from one genesis, and whose eyes count."""
    pair = PAIRS[request.param]
    one = played(begun, tmp_path / "one", pair.one)
    other = played(begun, tmp_path / "other", pair.other)
    return one, other, pair.who


@pytest.mark.parametrize("both", [name for name in PAIRS if name != TOLD], indirect=True)
def test_what_is_hidden_changes_nothing_that_a_player_gets(both: tuple[Table, Table, str]) -> None:
    """Opened reports byte for byte, sizes of all files, answers, times, events and their order."""
    one, other, who = both
    assert reports(one, who) == reports(other, who)
    assert seen_by(one, who) == seen_by(other, who)
    hidden = next(name for name in one.players if name != who)
    assert reports(one, hidden) != reports(other, hidden)


@pytest.mark.parametrize("both", [TOLD], indirect=True)
def test_the_comparison_sees_what_is_public(both: tuple[Table, Table, str]) -> None:
    """A draw that was offered is told to all: the same comparison finds it."""
    one, other, who = both
    assert seen_by(one, who) != seen_by(other, who)


def test_a_stranger_sees_no_more_than_a_player(begun: Table, tmp_path: Path) -> None:
    """The public record of two games that differ in every hidden thing: equal but for digests."""
    pair = PAIRS["another's quiet turns"]
    one, other = played(begun, tmp_path / "1", pair.one), played(begun, tmp_path / "2", pair.other)

    def public(table: Table) -> list[Any]:
        out: list[Any] = []
        for path, data in table.held().items():
            name = names.parse(path)
            assert name is not None
            out.append((path, len(data)))
        for step in range(1, (table.record.last_step() or 0) + 1):
            entry = table.entry(step)
            out.append((entry.time, entry.events, entry.awaited, entry.missing, entry.reserve))
            out.append(entry.view)
        return out

    assert public(one) == public(other)


def test_answers_to_bad_orders_follow_from_ones_own_view(begun: Table, tmp_path: Path) -> None:
    """Receipts and the tool's errors are the same wherever the hidden opponent is: on the map's
    other side, next to it, or in the very cell that is ordered into."""
    answers = []
    for number, start in enumerate(("F6", "C5", "C4")):
        table = begun.copy(tmp_path / str(number)).play(
            {"alice": "start C4", "bob": f"start {start}"}
        )
        said: list[Any] = []
        for lines in ("silent C5", "silent F6", "cruise C5", "cruise Z9", "start A1", "torpedo N"):
            try:
                said.append((lines, table.submit("alice", lines)))
            except Exception as error:
                said.append((lines, type(error).__name__, str(error)))
        answers.append(said)
    assert answers[0] == answers[1] == answers[2]
    assert len({entry[1] for entry in answers[0]}) == 3


def test_nothing_tells_who_has_ordered(table: Table) -> None:
    """Before an entry the record is the same whoever's slips wait, so a bundle is, too."""
    before = table.held()
    table.submit("bob", "start F6")
    assert table.held() == before


def test_every_player_gets_a_report_of_one_size(table_of_three: Table) -> None:
    """At every step, sunk or not: what a report's length could tell, it does not."""
    table = table_of_three
    table.play({"alice": "start A1", "bob": "start C3", "carol": "start F6"})
    table.play({"alice": "ping"}, {"bob": "resign"}, {"carol": "mine"}, {"alice": "silent"})
    sizes = {len(data) for path, data in table.held().items() if path.startswith("reports/")}
    assert sizes == {table.host.opening.sizes.report + 16}
    assert len([path for path in table.held() if path.startswith("reports/")]) == 3 * 5
    assert "sunk" in table.report("bob").view.shown["bob"]


def test_events_for_others_are_in_no_report(table: Table, example: Any) -> None:
    """A report holds what is for everyone and what is for its player."""
    table.play(*example)
    for name in table.players:
        for step in range(1, 5):
            audiences = {event["for"] for event in table.report(name, step).events}
            assert audiences <= {"*", name}
    assert all("for" not in event for step in range(1, 5) for event in table.entry(step).events)


def test_a_players_files_hold_no_others_secret(table: Table, example: Any) -> None:
    """Cells of one's own that nobody heard of stand nowhere in what the other holds."""
    table.play({"alice": "start B5", "bob": "start E2"}, {"alice": "mine"}, {"bob": "mine"})
    for name, secret in (("alice", b"E2"), ("bob", b"B5")):
        folder = table.root / name
        for step in range(1, 4):
            assert secret not in table.report(name, step).data
        for path in folder.rglob("*.toml"):
            assert secret not in path.read_bytes(), path


def test_a_master_opens_nothing_of_another_game(
    table: Table, make_table: Any, tmp_path: Path
) -> None:
    """Nothing of a second game of the same host and players opens with the first one's master."""
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    order = other.order("alice", "start A1")
    slip = other.seat("alice").orders()[0].slip
    sealed = dict(order.files)["orders/0001-alice.sealed"]
    size = other.host.opening.sizes.order
    place = Place("order", slip.game, 1, "alice", 1, slip.order)
    assert opened(other, "alice").open(place, sealed, size)
    with pytest.raises(Refused, match="unopenable"):
        opened(table, "alice").open(place, sealed, size)


def opened(table: Table, name: str) -> Any:
    """The secret that the host shares with that player."""
    return table.host.game.shared(table.host.last.joins[name])


def test_sealed_files_open_nowhere_else(table: Table, example: Any) -> None:
    """Not as another player's, another step's, another game's, or in the other direction."""
    table.play(*example[:2])
    opening = table.host.opening
    size, entry = opening.sizes.report, table.entry(2)
    sealed, content = table.record.read("reports/0002-alice.sealed"), entry.reports["alice"].digest
    shared = opened(table, "alice")
    assert shared.open(Place("report", opening.id, 2, "alice", 0, content), sealed, size)
    for place in (
        Place("report", opening.id, 2, "bob", 0, content),
        Place("report", opening.id, 3, "alice", 0, content),
        Place("report", "0" * 64, 2, "alice", 0, content),
        Place("report", opening.id, 2, "alice", 0, entry.reports["bob"].digest),
        Place("order", opening.id, 2, "alice", 1, content),
    ):
        with pytest.raises(Refused, match="unopenable"):
            shared.open(place, sealed, size)
    with pytest.raises(Refused, match="unopenable"):
        opened(table, "bob").open(Place("report", opening.id, 2, "alice", 0, content), sealed, size)


# The other things that must be impossible.


@pytest.mark.parametrize(
    ("step", "who", "game"),
    [("same", "bob", "same"), ("next", "alice", "same"), ("same", "alice", "other")],
)
def test_an_order_cannot_be_used_elsewhere(
    table: Table, make_table: Any, tmp_path: Path, step: str, who: str, game: str
) -> None:
    """Not for another player, in another step or another game: neither as it is nor repacked."""
    from orders.bundle import Bundle

    bundle = table.order("alice", "start A1")
    there = table
    if game == "other":
        there = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    if step == "next":
        table.play({"alice": "start A1", "bob": "start F6"})
    renamed = {
        path.replace("alice", who).replace("0001", "0002" if step == "next" else "0001"): data
        for path, data in bundle.files
    }
    for sent in (bundle, Bundle("order", tuple(sorted(renamed.items())))):
        if sent is bundle and who == "bob":
            continue
        try:
            status = read_receipt(there.host.submit(sent).data).status
        except Refused as error:
            status = error.word
        # The very same bytes in the same game get the receipt that they got.
        refused = ("other-game",) if game == "other" else ("stale", "bad-signature", "malformed")
        assert status in refused or (
            sent is bundle and game == "same" and status in ("accepted", "stale")
        ), status
    assert who not in there.host.folder.waiting() or game == "same"
    if step == "next":
        assert there.host.folder.waiting() == {}


def test_players_alone_cannot_bias_the_draws(make_table: Any, tmp_path: Path) -> None:
    """All nonces but one's own, and one's own committed before, still leave the draw open: with
    another master every first player comes up; with other nonces of all players, too."""
    from orders.secrets import Master, derive

    table = make_table(tmp_path / "t", options={}).begin()
    opening = table.host.opening
    nonces = [table.seat(name).secret.nonce for name in table.players]
    seeds = {Master(derive(b"m" * 32, str(n))).seed(nonces, opening.id) for n in range(50)}
    assert len(seeds) == 50
    seeds = {
        table.host.game.master.seed([nonces[0], derive(b"n" * 32, str(n)).hex()], opening.id)
        for n in range(50)
    }
    assert len(seeds) == 50


def test_everyone_gets_what_is_theirs(table: Table, example: Any) -> None:
    """An entry's bundle holds its reader's own report, nobody's sealed orders, and no more."""
    for name, lines in example[0].items():
        table.submit(name, lines)
    steps = table.host.advance()
    for name in table.players:
        (bundle,) = table.host.bundles(steps, name)
        sealed = [path for path, _ in bundle.files if path.endswith(".sealed")]
        assert sealed == [f"reports/0001-{name}.sealed"]
    (bundle,) = table.host.bundles(steps)
    assert not [path for path, _ in bundle.files if path.endswith(".sealed")]


def test_bundles_are_of_one_size_whatever_is_hidden(begun: Table, tmp_path: Path) -> None:
    """A mail's length tells nothing: the same entry after different hidden orders."""
    sizes = set()
    for number, script in enumerate((PAIRS["another's start"].one, PAIRS["another's start"].other)):
        table = played(begun, tmp_path / str(number), script)
        sizes.add(
            tuple(
                sum(len(data) for _, data in bundle.files)
                for name in table.players
                for bundle in table.host.bundles(range(1, 5), name)
            )
        )
    assert len(sizes) == 1
