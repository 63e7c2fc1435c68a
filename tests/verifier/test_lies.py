"""Every lie of a host that we know of: who notices it, when, and by what words; and who does not.

Each is a real game through the real files. What a player's tool says at once, what `verify` says
of the host's record, of each player's copy, and of each copy with its player's seat, what
`verify --against` proves and what several records tell together is held exactly: whoever is not
named in the table of `lies` notices nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from generate import breaks, lies, suite
from verifier.liar import Liar
from verifier.lies import LIES, Lie, Said
from verifier.lies.about_reports import false_view
from verifier.lies.about_rulings import new_join
from verifier.lies.base import QUIET, SETUP, SHOT
from verifier.lies.table import BEGIN, END, render

from adjudicator.core import bundles
from adjudicator.core.source import MemoryFiles, Source
from adjudicator.player import seated, witness
from adjudicator.player.copy import Copy
from adjudicator.store.record import Record
from adjudicator.verifier import fork, hosts
from adjudicator.verifier.claims import NOT_PROVED, Findings
from adjudicator.verifier.verify import Asked, verify
from orders import names
from orders.errors import Refused
from orders.fields import Time

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


@pytest.fixture
def play(make_table: type, tmp_path: Path) -> Callable[[Lie], Liar]:
    """A game in which the host has told that lie."""

    def call(lie: Lie) -> Liar:
        game = Liar(make_table(tmp_path / "table", **lie.terms))
        if lie.begun:
            game.begin()
        lie.play(game)
        return game

    return call


FAST = ("m16", "l04", "l09", "p01", "n01", "m21", "q08")
"""These reach each line that a seat adds, and the sum of a host's favours; the others, a hundred
games, are slow."""


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param(lie, id=lie.id, marks=[] if lie.id in FAST else [pytest.mark.slow])
        for lie in LIES
    ],
)
def test_a_lie_is_noticed_by_these_and_by_nobody_else(
    lie: Lie, play: Callable[[Lie], Liar], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the table of lies says it, for everybody and every command; and the suite has this very
    game (`python -m tests.generate lies` writes it, in any folder)."""
    monkeypatch.chdir(tmp_path)
    game = play(lie)
    assert lies.drifted(lie, game) == []
    at_once(lie, game)
    found = verify(game.table.record)
    holds(found, lie.verify, f"{lie.id}: the host's record")
    for player in game.table.players:
        of_copy = lie.of_copy(player, parted=player in game.parted)
        copy = game.table.copies[player]
        holds(verified(copy), of_copy, f"{lie.id}: the copy of {player}")
        if (copy.root.parent / f"{player}.seat").is_dir():
            found = verify(copy, Asked(seat=game.table.seat(player)))
            holds(found, lie.seats.get(player, of_copy), f"{lie.id}: with the seat of {player}")
        if copy.last_step() is not None:
            clock = Stopped(game.table.clock.now())
            whole, parts = (taken_in(game, player, clock, whole=whole) for whole in (True, False))
            assert whole == parts
    proofs(lie, game)
    told = together(game)
    assert lie.together in told
    assert bool(lie.together) == bool(told)


def at_once(lie: Lie, game: Liar) -> None:
    """What each player's tool said as they took in what the host sent."""
    for player in game.table.players:
        said = game.said.get(player, [])
        expected = lie.warned(player)
        assert bool(said) == bool(expected), f"{player}: {said}"
        assert not said or any(expected in one for one in said), f"{player}: {said}"


@dataclass(frozen=True)
class Stopped:
    """A clock that says one time."""

    time: Time

    def now(self) -> Time:
        """That time."""
        return self.time


def taken_in(game: Liar, player: str, clock: Stopped, *, whole: bool) -> list[object]:
    """What that player's tool says when it takes the game in once more: at once, or by entries.

    That a deadline has passed is left out: it is told of the last entry of those that came
    together.
    """
    copy, seat = game.table.copies[player], game.table.seat(player)
    there = copy.paths()
    given = [bundles.of_invite(copy)]
    for step in range((copy.last_step() or 0) + 1):
        reader = player if names.report(step, player) in there else None
        given += bundles.of_entry(copy, step, reader)
    again = Copy(Record(game.table.root / f"again-{player}-{whole}"), seat, clock)
    heaps = [given] if whole else [[bundle] for bundle in given]
    return [
        (one.what, one.report and one.report.data, one.warnings)
        for heap in heaps
        for one in again.receive(heap)
    ]


def verified(copy: Record) -> Findings:
    """What `verify` says of a copy, which may have nothing in it."""
    copy.root.mkdir(exist_ok=True)
    return verify(copy)


def holds(found: Findings, said: Said, what: str) -> None:
    """The code, and that claim with these words; a claim that is not named is not at fault."""
    told = f"{what}: {found.code} {found.verdict} {found.claims}"
    assert found.code == said.code, told
    false = {claim.name for claim in found.claims if claim.status == "false"}
    look = {claim.name for claim in found.claims if claim.status == "look"}
    assert false == ({said.claim} if said.code == 1 else set()), told
    assert bool(look) or said.code != 3, told
    if said.claim == "engine":
        assert found.engine == said.text
        return
    if not said.claim:
        assert said.text in found.verdict, told
        return
    claim = next(one for one in found.claims if one.name == said.claim)
    assert said.text in "\n".join((claim.text, *claim.details)), told


def proofs(lie: Lie, game: Liar) -> None:
    """What two records, or a player's receipts, prove against the host."""
    found = []
    sources: list[Source] = [game.table.record, *game.table.copies.values()]
    for one in sources:
        for other in sources:
            try:
                found.append(fork.prove(one, other).summary)
            except Refused as error:
                assert error.word in ("no-fork", "missing", "malformed"), error
    for player in game.table.players:
        try:
            ledger = game.table.copy_of(player).ledger
            given = witness.given(ledger, game.table.seat(player))
            found.append(fork.prove_answers(game.table.record, given).summary)
        except Refused as error:
            assert error.word in ("no-fork", "missing"), error
    assert bool(found) == bool(lie.fork), found
    assert all(lie.fork in one for one in found)


def together(game: Liar) -> str:
    """What this host's records tell together."""
    records: list[tuple[str, Source]] = [("record", game.table.record)]
    records += [(f"record {number}", one) for number, one in enumerate(game.beside, 2)]
    told = hosts.ManyRecords()
    for name, one in records:
        told.add(name, hosts.look(name, one), verify(one))
    return "\n".join(told.lines())


def test_an_honest_game_is_noticed_by_nobody(make_liar: Callable[..., Liar]) -> None:
    """The harness itself: without a lie every tool is silent and every verification true."""
    game = make_liar()
    game.play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"}).finish()
    at_once(Lie("none", "", "", lambda game: None), game)
    for player in game.table.players:
        for found in (game.table.verify(player), game.table.verify(player, copy=True)):
            holds(found, Said(), player)
            assert all(claim.status == "true" for claim in found.claims)


# The table itself.


def test_ids_are_unique() -> None:
    """Each lie is told once, and has a name of its own."""
    ids = [lie.id for lie in LIES]
    assert len(set(ids)) == len(ids)
    assert len({lie.does for lie in LIES}) == len(ids)
    assert all(re.fullmatch(r"[a-z][0-9]{2}[a-z]?", one) for one in ids)


def test_lies_that_nobody_notices_are_listed_as_not_proved() -> None:
    """A lie that no line speaks of is one of `NOT_PROVED`; and each of these has a lie."""
    for lie in LIES:
        said = [lie.verify, *lie.copies.values(), *lie.seats.values()]
        noticed = lie.at_once or lie.fork or lie.together or any(one != Said() for one in said)
        assert noticed or lie.unproved, lie.id
        assert not lie.unproved or lie.unproved in NOT_PROVED, lie.id
    lacking = set(NOT_PROVED) - {lie.unproved for lie in LIES}
    # Neither is in any record, nor in the program that runs here.
    assert lacking == {
        "whose a key is",
        "that the program or page which the host hands out is the right one",
    }


def test_the_page_shows_the_table() -> None:
    """docs/protocol.md shows this very table: `python tests/verifier/write_table.py` writes it."""
    text = PAGE.read_text("ascii")
    _, _, rest = text.partition(BEGIN)
    table, mark, _ = rest.partition(END)
    assert mark
    assert table.strip() == render(LIES).strip()


def test_the_page_lists_what_is_not_proved() -> None:
    """The same list as `verify` prints."""
    text = PAGE.read_text("ascii")
    _, _, part = text.partition("## Not proved\n")
    part, _, _ = part.partition("\n## ")
    assert [line[2:].rstrip(";.") for line in part.splitlines() if line.startswith("* ")] == list(
        NOT_PROVED
    )


# The breaks as any verifier finds them in the suite.


def test_what_is_published_is_what_is_tested(tmp_path: Path) -> None:
    """Cases and files are those of `breaks.py`: `python -m tests.generate breaks` writes them."""
    assert suite.drifted(breaks.made(tmp_path)) == []


def test_a_record_is_put_together_from_the_files() -> None:
    """As the suite's page says; one break of each claim and game is verified so."""
    some = {
        (row["told"]["claim"], row["code"], row["told"]["game"]): (row, asked, files)
        for row, asked, files in breaks.published()
    }
    assert len(some) > 15
    for row, asked, files in some.values():
        found = verify(MemoryFiles(files), Asked(**asked))
        assert found.code == row["code"], row["id"]
        told = [found.verdict, *(one.text for one in found.claims)]
        told += [text for one in found.claims for text in one.details]
        assert row["told"]["words"] in "\n".join(told), row["id"]


# What a player's tool does for whoever is lied to: orders without a report, a seat handed on.


def test_who_gets_no_report_can_protest_and_play_on(make_liar: Callable[..., Liar]) -> None:
    """No report is no reason to miss a turn; without the protest the hint names it."""
    game = make_liar()
    game.submit(SETUP)
    game.advance()
    game.give("alice", bundles.of_entry(game.table.record, 1))
    own = game.table.seated("alice")
    with pytest.raises(Refused, match="your report of entry 1 is not here") as caught:
        own.read(b"fire S")
    assert "--protest undelivered" in caught.value.hint
    file = own.read(b"fire S", "undelivered")
    order = own.order(file, game.table.keys["alice"], game.table.clock.now(), "undelivered")
    game.answer(order.bundle)
    assert game.said["alice"][-1:] != []
    game.tell(game.advance())
    assert list(game.last.slips) == ["alice"]


def test_a_false_public_view_stops_nobody(make_liar: Callable[..., Liar]) -> None:
    """Everybody's report disagrees with it; who protests orders all the same."""
    game = make_liar()
    false_view(game)
    assert list(game.host.ledger.link(2).entry.slips) == ["alice"]
    with pytest.raises(Refused, match="public view"):
        game.table.report("alice", 1)


def test_a_seat_handed_on_by_agreement(make_liar: Callable[..., Liar]) -> None:
    """Who leaves is told; each verifies their own time, and the old one orders no more. What
    others do after the consent does not withdraw it."""
    game = make_liar().play(SETUP)
    join, signer, _ = new_join(game, "bob", b"\x35" * 32)
    consent = seated.consent(game.host.ledger, game.table.keys["bob"], join)
    game.play(SHOT)
    game.tell(game.host.hand_on(join, "Bob has no time", consent))
    (said,) = game.said["bob"]
    assert "gives your seat to somebody else, and your key signed that" in said
    own = game.table.seated("bob")
    with pytest.raises(Refused, match=r"^no-seat: .* has been handed on"):
        own.read(b"silent")
    with pytest.raises(Refused, match="another player had the seat of bob"):
        game.table.report("bob", 3)
    old, new = game.table.root / "bob" / "bob.seat", game.table.root / "new-bob.seat"
    keep = old.rename(game.table.root / "bob" / "old.seat")
    new.rename(old)
    game.table.keys["bob"] = signer
    game.tell([3], to=["bob"])
    game.play(QUIET).finish()
    assert game.table.verify("bob", copy=True).code == 0
    old.rename(new)
    keep.rename(old)
    found = game.table.verify("bob", copy=True)
    assert (found.code, found.verdict) == (0, "true: bob won")
