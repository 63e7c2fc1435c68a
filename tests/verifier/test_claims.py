"""Each line that `verify` can print is printed for a record in which it alone is wrong.

All changes are signed again with the real keys, so that no other check gives them away. A test
fails where a line of the verifier, or a refusal of the core, has no such record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from verifier import tracing
from verifier.breaks import BREAKS, Break
from verifier.forger import Forger
from verifier.played import PLAYED, play
from verifier.tracing import ADJUDICATOR, Site, finds, refuses, shown, sites

from adjudicator.core import chain
from adjudicator.core.claim import CLAIMS
from adjudicator.core.source import Held
from adjudicator.verifier.claims import Findings
from adjudicator.verifier.verify import Asked, verify
from orders.errors import Refused


@pytest.fixture(scope="module")
def games(make_table: type, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Forger]:
    """The files of the games that are broken, each played once."""
    played: dict[str, Forger] = {}

    def call(name: str) -> Forger:
        if name not in played:
            played[name] = play(name, make_table, tmp_path_factory.mktemp(name) / "t")
        return played[name].copy()

    return call


@pytest.fixture(scope="module")
def traced() -> Iterator[set[Site]]:
    """Every place that found something, or refused something, while this module ran."""
    with tracing.traced() as seen:
        yield seen


# The tests.


@dataclass(frozen=True)
class Unreadable(Held):
    """Files of which one is no regular file."""

    path: str = ""

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Refused for that one."""
        if path == self.path:
            raise Refused("unreadable", f"{path} is no regular file")
        return super().read(path)


def broken(one: Break, games: Callable[[str], Forger]) -> Findings:
    """What `verify` says of a break."""
    game = games(one.game)
    asked = dict(one.change(game) or {})
    source = Unreadable(game.held, asked.pop("unreadable", ""))
    return verify(source, Asked(**asked))


def told(found: Findings) -> str:
    """All that the findings say, for a test that fails."""
    lines = [f"{found.code} {found.verdict}"]
    lines += [f"{one.status} {one.name}: {one.text} {one.details}" for one in found.claims]
    return "\n".join(lines)


def with_a_ruling_too_many(games: Callable[[str], Forger]) -> Findings:
    """What `verify` says of a game of three rulings, where two are the most."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chain, "MOST_RULINGS", 2)
        return verify(Held(games("ruled").held))


@pytest.mark.parametrize("one", BREAKS, ids=lambda one: one.name)
def test_that_claim_and_no_other(
    one: Break, games: Callable[[str], Forger], traced: set[Site]
) -> None:
    """The claim is false (or to be looked at, or told) in these words; no other is false."""
    found = broken(one, games)
    said = one.said
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
    found = verify(Held(games(name).held))
    assert found.code in (0, 3), told(found)
    assert not [claim for claim in found.claims if claim.status in ("false", "unknown")]


def test_a_ruling_too_many_is_false(games: Callable[[str], Forger], traced: set[Site]) -> None:
    """A thousand is the most; a thousand and one would take long to play."""
    found = with_a_ruling_too_many(games)
    assert found.verdict == (
        "false: entries/0006.toml: there are 2 rulings already, and no more may be"
    )
    assert [claim.name for claim in found.claims if claim.status == "false"] == ["chain"]


def test_every_claim_can_be_false_or_looked_at() -> None:
    """Each claim has records that break it; those that no file decides are looked at or told."""
    false = {one.said.claim for one in BREAKS if one.said.code == 1}
    look = {one.said.claim for one in BREAKS if one.said.code == 3}
    assert false == {
        "files", "chain", "signatures", "countersignatures", "clock", "shuffle", "orders",
        "reports", "replay",
    }  # fmt: skip
    assert look == {"times", "rulings", "protests", "shuffle"}
    assert set(CLAIMS) - false - look == {"press", "receipts"}


# Every line, everywhere.

ELSEWHERE = {
    "verifier/seat.py": "test_seat.py",
    "verifier/fork.py": "test_fork.py",
}
"""Modules whose lines other tests make: what a seat adds, and proofs of their own."""

CHECKING = ("chain", "seats", "opening", "replay", "deadlines")
"""Modules of the core that refuse what a record holds."""

NEVER = {
    "deadlines.py: Refused('clock', f'{player} is not awaited: there is no deadline to move')":
        "a host's own wrong call: who is awaited is compared before",
    "opening.py: Refused('chain', f'{path}: is not the genesis of game {known}')":
        "a player's tool that goes on from its mark: a verifier has none",
    "replay.py: Refused('not-yet', 'positions show after the reveal')":
        "a reader of a game under way: a verifier adjudicates again only what is revealed",
    "replay.py: Refused('replay', f'{names.entry(step)}: its position could not be made again')":
        "a receipt that is judged by a position that is lost: test_seat.py",
    "replay.py: Refused('unopenable', f'{path}: is not the order file that its slip signs')":
        "a pack that is made of a false record: a verifier calls the file another before",
}  # fmt: skip
"""Refusals that no record leads to, each with the reason."""


def test_every_line_of_the_verifier_is_printed_by_a_break(
    games: Callable[[str], Forger], traced: set[Site]
) -> None:
    """Each `hold`, `fault`, `look`, `note`, `lack` and `refuse` of the verifier's modules."""
    for one in BREAKS:
        broken(one, games)
    modules = sorted((ADJUDICATOR / "verifier").glob("*.py"))
    named = {path: path.relative_to(ADJUDICATOR).as_posix() for path in modules}
    wanted = {
        site for path in modules if named[path] not in ELSEWHERE for site in sites(path, finds)
    }
    assert len(wanted) > 30
    assert not shown(wanted - traced)


def test_every_refusal_of_the_chain_is_made_by_a_break(
    games: Callable[[str], Forger], traced: set[Site]
) -> None:
    """Each `Refused` of the core's checks, unless a verifier cannot meet it."""
    test_every_line_of_the_verifier_is_printed_by_a_break(games, traced)
    with_a_ruling_too_many(games)
    wanted = {
        site for name in CHECKING for site in sites(ADJUDICATOR / "core" / f"{name}.py", refuses)
    }

    assert set(shown(wanted - traced)) == set(NEVER)
