"""Each line that `verify` can print is printed for a record in which it alone is wrong.

All changes are signed again with the real keys, so that no other check gives them away. A line of
the verifier, or a refusal of the core, that has no such record is named by `tests/drop_check.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from replacing import replace
from verifier.breaks import BREAKS, Break
from verifier.forger import Forger
from verifier.played import PLAYED, play

from adjudicator.core import chain, deadlines, seats
from adjudicator.core.source import MemoryFiles, Source
from adjudicator.verifier import verify as verifying
from adjudicator.verifier.claims import Findings, Inquiry
from adjudicator.verifier.verify import Asked, verify
from orders import names
from orders.entries import Ruling, SeatChange
from orders.errors import CLAIMS, Refused, claim


@pytest.fixture(scope="module")
def games(make_table: type, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Forger]:
    """The files of the games that are broken, each played once."""
    played: dict[str, Forger] = {}

    def call(name: str) -> Forger:
        if name not in played:
            played[name] = play(name, make_table, tmp_path_factory.mktemp(name) / "t")
        return played[name].copy()

    return call


# The tests.


class Unreadable(MemoryFiles):
    """Files of which one is no regular file."""

    def __init__(self, held: Mapping[str, bytes], path: str) -> None:
        super().__init__(held)
        self.path = path

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Refused for that one."""
        if path == self.path:
            raise Refused("unreadable", f"{path} is no regular file")
        return super().read(path)


def broken(one: Break, games: Callable[[str], Forger]) -> tuple[Findings, list[str]]:
    """What `verify` says of a break; and the words of the refusals that it met."""
    game = games(one.game)
    asked = dict(one.change(game) or {})
    source = Unreadable(game.held, asked.pop("unreadable", ""))
    words: list[str] = []
    refuse, before_genesis = Inquiry.refuse, verifying._before_genesis

    def begun(source: Source, paths: Sequence[str], error: Refused) -> Findings:
        words.append(error.word)
        return before_genesis(source, paths, error)

    def noted(found: Inquiry, error: Refused, *said: str) -> None:
        words.append(error.word)
        refuse(found, error, *said)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Inquiry, "refuse", noted)
        patch.setattr(verifying, "_before_genesis", begun)
        return verify(source, Asked(**asked)), words


def told(found: Findings) -> str:
    """All that the findings say, for a test that fails."""
    lines = [f"{found.code} {found.verdict}"]
    lines += [f"{one.status} {one.name}: {one.text} {one.details}" for one in found.claims]
    return "\n".join(lines)


def with_a_ruling_too_many(games: Callable[[str], Forger]) -> Findings:
    """What `verify` says of a game of three rulings, where two are the most."""
    # Played before the limit is set, which its own host would keep.
    held = games("ruled").held
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chain, "MOST_RULINGS", 2)
        return verify(MemoryFiles(held))


WORD = {"entries": "chain", "time": "clock", "dice": "nonce", "replay": "replay"}
"""The word of a refusal that makes the claim false, where its row says no other."""


@pytest.mark.parametrize("one", BREAKS, ids=lambda one: one.name)
def test_that_claim_and_no_other(one: Break, games: Callable[[str], Forger]) -> None:
    """The claim is false (or to be looked at, or told) in these words; no other is false. Where a
    check refused something, it did so by its word."""
    found, words = broken(one, games)
    said = one.said
    assert words in ([], [one.word or WORD.get(said.claim, "")])
    assert found.code == said.code, told(found)
    false = {claim.name for claim in found.claims if claim.status == "false"}
    assert false == ({said.claim} if said.code == 1 else set()), told(found)
    if not said.claim:
        assert said.text in found.verdict
        return
    claim = next(claim for claim in found.claims if claim.name == said.claim)
    assert said.text in "\n".join((claim.text, *claim.details)), told(found)
    if said.code == 3:
        assert claim.status == "look", told(found)


@pytest.mark.parametrize("name", [name for name in PLAYED if name not in ("sealing", "tabled")])
def test_the_games_are_not_false(games: Callable[[str], Forger], name: str) -> None:
    """What is broken above was whole before."""
    found = verify(MemoryFiles(games(name).held))
    assert found.code in (0, 3), told(found)
    assert not [claim for claim in found.claims if claim.status in ("false", "unknown")]


def test_a_ruling_too_many_is_false(games: Callable[[str], Forger]) -> None:
    """A thousand is the most; a thousand and one would take long to play."""
    found = with_a_ruling_too_many(games)
    assert found.verdict == (
        "false: entries/0006.toml: there are 2 rulings already, and no more may be"
    )
    assert [claim.name for claim in found.claims if claim.status == "false"] == ["entries"]


def test_a_thousand_rulings_are_the_most() -> None:
    for many in (999, 1_000):
        before: Any = SimpleNamespace(rulings=many)
        said = r"^chain: there are 1,000 rulings already"
        with pytest.raises(Refused, match=said) if many == 1_000 else nullcontext():
            chain.check_annuls(before, lambda _: pytest.fail("read"), Ruling("snow"))


def test_a_view_may_be_as_long_as_a_report(games: Callable[[str], Forger]) -> None:
    """So it is compared with the one that the game makes."""
    game = games("example")
    most = game.game.opening.sizes.report
    game.change_entry(2, view='{"turn":"' + "a" * (most - 11) + '"}')
    found = verify(MemoryFiles(game.held))
    assert found.verdict.startswith("false: entries/0002.toml: view: ")


def test_a_player_is_missing_from_the_deadline_on(games: Callable[[str], Forger]) -> None:
    """At that very second."""
    game = games("late")
    time = game.entry(1).awaited["alice"].until
    awaited = replace(game.entry(2).awaited["bob"], since=time)
    game.cut(2)
    until = deadlines.add(time, 3 * 86_400)
    game.change_entry(2, time=time, awaited={"bob": replace(awaited, until=until)})
    found = verify(MemoryFiles(game.held))
    assert found.verdict == f"incomplete: entry 2 awaits bob until {until}"


def test_a_slip_that_came_before_what_it_answers(games: Callable[[str], Forger]) -> None:
    """It was received before anybody could answer that entry."""
    game = games("example")
    used = game.entry(2).slips["alice"]
    game.change_entry(2, slips={"alice": replace(used, received="2025-12-31T00:00:00Z")})
    found = verify(MemoryFiles(game.held))
    assert "which is not between the entry before it and its own" in found.verdict
    assert [claim.name for claim in found.claims if claim.status == "false"] == ["time"]


def test_a_consent_to_what_does_not_count(
    games: Callable[[str], Forger], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that was annulled is none that a consent can quote."""
    held = games("seat").held
    monkeypatch.setattr(seats, "counts", lambda *_: False)
    found = verify(MemoryFiles(held))
    assert "it was signed after entry 1" in found.verdict
    assert found.code == 1


@pytest.mark.parametrize("join", ["a", "b", "c", "d"])
def test_no_join_sits_twice(join: str) -> None:
    """Neither the first one nor any of those between; D never sat."""
    opening: Any = SimpleNamespace(genesis=SimpleNamespace(joins={"bob": "a"}))
    rulings = [None, None, Ruling("x", seat=SeatChange("bob", "b")), Ruling("x"),
               Ruling("x", seat=SeatChange("bob", "c"))]  # fmt: skip
    links: Any = [SimpleNamespace(step=step, entry=SimpleNamespace(ruling=ruling))
                  for step, ruling in enumerate(rulings)]  # fmt: skip
    with pytest.raises(Refused, match="has had the seat") if join < "d" else nullcontext():
        seats._check_new(opening, links[-1], SeatChange("bob", join), links.__getitem__)


def test_nothing_is_held_while_a_file_is_missing(games: Callable[[str], Forger]) -> None:
    """Neither orders nor replay are told as checked, and a protest against a report is open."""
    game = games("example")
    game.change_slip(3, "bob", protest="report")
    whole = verify(MemoryFiles(game.held))
    assert {one.name for one in whole.claims if one.brief} > {"orders", "replay"}
    del game.held[names.opened_order(4, "alice")]
    found = verify(MemoryFiles(game.held))
    assert (found.code, found.verdict) == (4, "incomplete: orders/0004-alice.txt is not there")
    assert not {one.name for one in found.claims if one.brief} & {"orders", "replay"}
    assert "bob at step 3: report" in told(found)
    assert "made again" not in told(found)


def test_every_claim_can_be_false_or_looked_at() -> None:
    """Each claim has records that break it; those that no file decides are looked at or told."""
    false = {one.said.claim for one in BREAKS if one.said.code == 1}
    look = {one.said.claim for one in BREAKS if one.said.code == 3}
    assert false == {"entries", "orders", "dice", "replay", "time"}
    assert look == {"dice", "time", "host"}
    assert set(CLAIMS) - false - look == {"receipts"}
    assert len(set(CLAIMS)) == len(CLAIMS)
    with pytest.raises(ValueError, match="there is no claim 'clocks'"), claim("clocks"):
        pass
