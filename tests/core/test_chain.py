"""One entry after another. Each refusal of the chain is made in test_claims of the verifier."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace
from verifier.forger import Forger

from adjudicator.core import chain, deadlines
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.source import Held
from orders import names
from orders.entries import Entry, Reveal, Ruling
from orders.errors import Missing, Refused

Table = Any

A, T = "a" * 64, "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game. Not to be changed."""
    return Ledger.read(Held(finished.held()))


@pytest.fixture
def forged(finished: Table) -> Forger:
    """The finished game, this test's own to forge."""
    return Forger.of(finished)


def follow(ledger: Ledger, before: Link, held: dict[str, bytes], **besides: bool) -> Link:
    """The entry after that one in these files."""
    return chain.follow(ledger.opening, before, Held(held), ledger.link, **besides)


def test_a_link_holds_what_its_entry_fixes(finished: Table, ledger: Ledger) -> None:
    """Genesis: the clocks and signatures of all. Later: slips, clocks, the first adjudication."""
    begun = chain.first(ledger.opening, ledger.source)
    assert (begun.step, begun.digest, begun.first, begun.since) == (0, ledger.opening.id, None, 0)
    assert (begun.signatures, dict(begun.joins)) == (4, dict(ledger.opening.joins))
    link = follow(ledger, begun, finished.held())
    assert (link.step, link.first, link.since, list(link.slips)) == (1, 1, 1, ["alice", "bob"])
    assert link.signatures == 3
    assert dict(link.clocks.awaited) == dict(link.entry.awaited)
    second = follow(ledger, link, finished.held())
    assert (second.first, second.since, second.signatures) == (1, 2, 2)
    last = follow(ledger, ledger.link(4), finished.held())
    assert isinstance(last.entry, Reveal)
    assert (last.over, last.signatures, last.first) == (True, 1, 1)


def test_an_entry_that_is_not_there_is_missing(finished: Table, ledger: Ledger) -> None:
    """By its own name, so that whoever reads on knows where a record ends."""
    with pytest.raises(Missing) as caught:
        follow(ledger, ledger.link(5), finished.held())
    assert caught.value.path == "entries/0006.toml"


def test_an_entry_of_an_old_day_is_refused(forged: Forger, ledger: Ledger) -> None:
    """Even signed, with all that follows signed too: genesis must be later than the invite."""
    forged.change_entry(0, time="2025-12-31T23:59:59Z")
    with pytest.raises(Refused, match="is before the time of the invite") as caught:
        Ledger.begin(Held(forged.held))
    assert (caught.value.word, caught.value.claim) == ("clock", "clock")


def test_trusted_entries_are_held_to_everything_but_signatures(
    forged: Forger, ledger: Ledger
) -> None:
    """Whoever has verified a later digest needs no signatures; a changed byte is still found."""
    path = names.entry(2)
    forged.held[names.signature(path)] = b"x"
    forged.held[names.signature(names.slip(2, "alice"))] = b"x"
    with pytest.raises(Refused, match="bad-signature"):
        follow(ledger, ledger.link(1), forged.held)
    link = follow(ledger, ledger.link(1), forged.held, trusted=True)
    assert link.digest == ledger.link(2).digest
    forged.held[path] = forged.held[path].replace(b'prev = "', b'prev = "0', 1)
    with pytest.raises(Refused):
        follow(ledger, ledger.link(1), forged.held, trusted=True)


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"events": ({"kind": "over", "winner": "bob"},)}, {"winner": "bob"}),
        ({"events": ({"kind": "over", "draw": True},)}, {"draw": True}),
        ({"events": ({"kind": "over", "winner": "bob"}, {"kind": "turn"})}, {}),
        ({"ruling": Ruling("x", abandons=True)}, {"abandoned": True}),
        ({"ruling": Ruling("x", annuls=1)}, {}),
        ({}, {}),
    ],
)
def test_what_an_entry_says_of_the_end(values: dict[str, Any], outcome: dict[str, Any]) -> None:
    """`over` counts as the last event only, as it ends the game."""
    assert chain.ended(Entry(A, 3, A, T, A, {}, {}, {}, **values)) == outcome


def test_a_slip_answers_the_entry_before_its_step(ledger: Ledger) -> None:
    """It names this game, player and head; any other one is refused by its own word."""
    before, slip = ledger.link(1), ledger.link(2).slips["alice"]
    assert chain.check_slip(ledger.opening, before, "alice", slip, ledger.link) is before
    for values, said in (
        ({"game": A}, "of another game or player"),
        ({"player": "bob"}, "of another game or player"),
        ({"step": 3}, "for step 3, and the entry to answer is 1"),
        ({"step": 1}, "for step 1, and the entry to answer is 1"),
        ({"head": A}, f"answers entry {A}, which is not entry 1 of the record"),
    ):
        with pytest.raises(Refused, match=said) as caught:
            chain.check_slip(ledger.opening, before, "alice", replace(slip, **values), ledger.link)
        assert (caught.value.word, caught.value.claim) == ("countersignature", "countersignatures")


def test_a_nonce_stands_in_slips_until_the_seed_is_fixed(ledger: Ledger) -> None:
    """Until then it is the one to which the join commits; later slips have none."""
    early, later = ledger.link(1).slips["bob"], ledger.link(3).slips["bob"]
    begun, second = ledger.link(0), ledger.link(2)
    chain.check_slip(ledger.opening, begun, "bob", early, ledger.link)
    for before, slip in (
        (begun, replace(early, nonce=None)),
        (begun, replace(early, nonce=A)),
        (second, replace(later, nonce=early.nonce)),
    ):
        with pytest.raises(Refused) as caught:
            chain.check_slip(ledger.opening, before, "bob", slip, ledger.link)
        assert (caught.value.word, caught.value.claim) == ("nonce", "shuffle")


def test_only_what_counts_is_annulled(ledger: Ledger) -> None:
    """An entry must exist, and is annulled only once; a ruling need not annul anything."""
    last = ledger.link(3)
    for annuls in (None, 1, 2, 3):
        chain.check_annuls(last, ledger.link, Ruling("x", annuls=annuls))
    for annuls in (4, 0, -1):
        with pytest.raises(Refused, match=f"there is no entry {annuls} to annul") as refused:
            chain.check_annuls(last, ledger.link, Ruling("x", annuls=annuls))
        assert refused.value.hint == "there are 1 to 3"
    entry = replace(last.entry, step=4, ruling=Ruling("x", annuls=3))
    after = replace(last, entry=entry)
    chain.check_annuls(after, ledger.link, Ruling("x", annuls=4))
    with pytest.raises(Refused, match="entry 3 was annulled already"):
        chain.check_annuls(after, ledger.link, Ruling("x", annuls=3))


def test_a_ruling_keeps_every_deadline_that_was_promised_since(ledger: Ledger) -> None:
    """It gives at least the latest one promised since the entry to which it goes back."""
    last, time = ledger.link(3), str(ledger.link(3).entry.time)
    promised = {
        player: max(
            link.clocks.awaited[player].until
            for link in map(ledger.link, range(4))
            if player in link.clocks.awaited
        )
        for player in ("alice", "bob")
    }
    after = chain.ruled(ledger.opening, last, ledger.link, Ruling("x", annuls=1), time)
    anew = deadlines.add(time, deadlines.turn_time(ledger.opening.setup))
    for player, prompt in after.awaited.items():
        reserve = ledger.link(0).clocks.reserve[player]
        assert prompt.until == max(promised[player], deadlines.add(anew, reserve))
        assert (prompt.what, prompt.since) == ("setup", time)
    moves = chain.ruled(ledger.opening, last, ledger.link, Ruling("x"), time)
    assert moves == last.clocks
