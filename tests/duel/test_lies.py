"""Every lie in a duel, told with the real keys: who notices, when, in which words; and that nobody
who did not lie is ever named (`liars.tell` asserts it in each game)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from duel.liars import LIES, Lie, tell
from duel.people import Duel, person, played
from duel.sugar_liars import LIES as SUGAR_LIES
from duel.test_party import short

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import audit
from adjudicator.duel.chain import Chain
from adjudicator.duel.party import Party
from adjudicator.league.duel import Person, files_of
from adjudicator.verifier.duel import verify_two
from adjudicator.verifier.verify import verify
from adjudicator.words.duel import standing
from adjudicator.words.spans import ReadAt
from games.silent_ships import GAME as SILENT
from orders import names, sshsig
from orders.duel import Claim, Move, Opening
from orders.errors import Refused
from orders.secrets import DuelSecret
from orders.signed import Signed

SEEDS = 40
"""In so many games every lie finds its occasion."""


def hold(lie: Lie, games: int) -> None:
    """The lie becomes of what its row says, in so many games."""
    seen = 0
    allowed = {"at once", "audit"} if lie.noticed == "either" else {lie.noticed}
    for seed in range(SEEDS * games):
        outcome = tell(lie, seed)
        if outcome is None:
            continue
        seen += 1
        assert outcome.noticed in (allowed | {""} if lie.unused else allowed), (seed, outcome.words)
        if outcome.noticed:
            assert re.search(lie.words, outcome.words), (seed, outcome.words)
        if outcome.found is not None:
            # The honest side may see later that something is wrong; the audit says where it began.
            assert outcome.judged.lie is not None
            assert outcome.told <= outcome.judged.lie.number <= outcome.found.number
            assert lie.secret or lie.state or outcome.judged.lie.number == outcome.told
        if seen == games:
            return
    raise AssertionError(f"{lie.name} was told in {seen} games only")


SOON = ("doors-open", "second-cell", "own-impact-hidden", "not-sunk")
"""Lies that only the audit finds, but that no day of tests goes without."""


@pytest.mark.parametrize(
    "lie",
    [
        *LIES,
        *(
            one
            for one in SUGAR_LIES
            if one.noticed in ("at once", "refused") or one.name.removeprefix("sugar-") in SOON
        ),
    ],
    ids=lambda lie: lie.name,
)
def test_a_lie_is_noticed(lie: Lie) -> None:
    """Once each."""
    hold(lie, 1)


@pytest.mark.slow
@pytest.mark.parametrize("lie", SUGAR_LIES, ids=lambda lie: lie.name)
def test_a_lie_in_sugar_dog_is_noticed(lie: Lie) -> None:
    """By either side."""
    hold(lie, 2)


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_a_lie_is_noticed_in_many_games(lie: Lie) -> None:
    """The same lie in other games, by either side."""
    hold(lie, 3)


def test_there_are_many() -> None:
    """At least thirty, each with a name of its own."""
    for lies in (LIES, SUGAR_LIES):
        assert len({lie.name for lie in lies}) == len(lies) >= 30


# Beginning and end.


@cache
def duel() -> Duel:
    """An honest duel, to its end."""
    return played("beginning and end")


def ends(author: Person, document: Claim | Opening) -> dict[str, Signed]:
    """A signed claim or opening."""
    path = (names.claim if isinstance(document, Claim) else names.opening)(document.player)
    return {path: Signed.by(author.signer, sshsig.DUEL, document.render())}


def author(number: int) -> Person:
    """Who signed that move."""
    return next(one for one in duel().people if one.name == duel().chain.author_of(number))


def claimed(after: int, by: Person, time: str, moves: int) -> Chain:
    """A chain of so many moves with a claim that nothing came after one of them."""
    chain = short(duel().chain, moves)
    claim = Claim(by.name, chain.digests[after - 1], time, by.secret.hex)
    for path, file in ends(by, claim).items():
        chain = chain.take(path, file)
    return chain


LATE, EARLY = "2026-02-01T00:00:00Z", "2026-01-01T01:00:00Z"


def test_a_claim_is_disputed() -> None:
    """If nothing contradicts it; verify names no liar."""
    chain = claimed(9, author(9), LATE, 9)
    found = verify(MemoryFiles(files_of(chain)))
    other = author(10).name
    assert audit.judge(chain).lie is None
    assert found.code == 3
    assert f"{other} did not answer move 9 within the turn time; {other} forfeits" in found.verdict


@pytest.mark.parametrize(
    ("after", "by", "time", "moves", "words"),
    [
        (9, 9, EARLY, 9, "move 9.* claims before the turn time"),
        (9, 10, LATE, 9, "move 9.* when their own move was next"),
        (9, 9, LATE, 11, "move 11.* claims that nothing came after move 9, and signed this one"),
    ],
)
def test_a_false_claim_is_a_lie(after: int, by: int, time: str, moves: int, words: str) -> None:
    """Too early, in one's own turn, or against one's own later signature."""
    judged = audit.judge(claimed(after, author(by), time, moves))
    assert judged.lie is not None
    assert judged.lie.player == author(by).name
    assert re.search(words, str(judged.lie))


def test_a_claim_against_ones_own_opening_is_a_lie() -> None:
    """Whoever opened after the last move knew it."""
    chain = duel().chain
    last = len(chain.moves)
    by = author(last - 1)
    claim = Claim(by.name, chain.digests[last - 2], LATE, by.secret.hex)
    for path, file in ends(by, claim).items():
        chain = chain.take(path, file)
    lie = audit.judge(chain).lie
    assert lie is not None
    assert "opened after a later one" in str(lie)


def test_whoever_claimed_signs_no_later_move() -> None:
    """The other's answer may come late: to go on would make a true claim a lie."""
    whole, by = duel().chain, author(9)
    party = Party(short(whole, 9), by.name, by.secret)
    party.claim(by.signer, LATE)
    party.take({names.move(10): whole.files[names.move(10)]})
    assert party.prompt is None
    assert not party.go_on(by.signer, LATE)
    assert audit.judge(party.chain).lie is None


def test_two_files_prove_more_than_one() -> None:
    """A claim in one, a later move of the claimant in the other, in either order."""
    claim, later = claimed(9, author(9), LATE, 9), short(duel().chain, 11)
    for pair in ((claim, later), (later, claim)):
        both, judged = audit.together(*pair)
        assert len(both.moves) == 11
        assert judged.lie is not None
        assert (judged.lie.number, judged.lie.player) == (11, author(9).name)
    # The answer came, but nothing that the claimant signed says when.
    assert audit.together(claim, short(duel().chain, 10))[1].claims
    # And who opened at the end saw all of it.
    assert audit.together(claim, duel().chain)[1].lie is not None


def test_two_files_with_two_moves_for_one_turn() -> None:
    """They name who signed both; one that differs in its time alone names nobody."""
    whole, by = duel().chain, author(9)
    path, before = names.move(9), short(whole, 8)
    move = whole.moves[8]
    files = {
        changed: before.take(path, Signed.by(by.signer, sshsig.DUEL, changed.render()))
        for changed in (move._replace(facts=("nothing",)), move._replace(time=LATE))
    }
    lied, late = (MemoryFiles(files_of(chain)) for chain in files.values())
    ours = MemoryFiles(duel().files)
    for pair in ((lied, ours), (ours, lied)):
        found = verify_two(*pair)
        assert found is not None
        assert found.code == 1
        assert f"{by.name} lied in move 9: there are two of it: they differ in" in found.verdict
    assert verify_two(late, ours) is None
    assert verify_two(ours, MemoryFiles(played("another").files)) is None


def test_a_claim_about_a_move_that_was_signed_at_two_times() -> None:
    """A second device may sign a move again, at another time. A claim after that one is
    contradicted by what its author signed after the first."""
    whole, by = duel().chain, author(9)
    twin = Signed.by(by.signer, sshsig.DUEL, whole.moves[8]._replace(time=EARLY).render())
    chain = short(whole, 8).take(names.move(9), twin)
    claim = Claim(by.name, chain.last, LATE, by.secret.hex)
    for path, file in ends(by, claim).items():
        chain = chain.take(path, file)
    for pair in ((chain, short(whole, 11)), (short(whole, 11), chain)):
        lie = audit.together(*pair)[1].lie
        assert lie is not None
        assert (lie.number, lie.player) == (11, by.name)
    with pytest.raises(Refused):
        audit.together(chain, short(whole, 10))


def test_who_does_not_open_is_named() -> None:
    """Not as a liar: the file says what lacks."""
    files = {path: data for path, data in duel().files.items() if path[:15] != "openings/bob.to"}
    found = verify(MemoryFiles(files))
    assert (found.code, found.verdict) == (4, "incomplete: not opened by bob")


def test_another_secret_opens_nothing() -> None:
    """The opening must be what its author committed to."""
    by, chain = author(9), short(duel().chain, 9)
    opening = Opening(by.name, chain.last, LATE, "ab" * 32)
    with pytest.raises(Refused, match="is not the one that"):
        Party(chain, by.name, by.secret).take(ends(by, opening))


def test_opening_before_the_end_wins_nothing() -> None:
    """Both opened, and the game was not over."""
    chain = short(duel().chain, 9)
    for one in duel().people:
        opening = Opening(one.name, chain.last, LATE, one.secret.hex)
        for path, file in ends(one, opening).items():
            chain = chain.take(path, file)
    found = verify(MemoryFiles(files_of(chain)))
    assert (found.code, found.verdict) == (
        3,
        "true, but look: both opened before the game was over",
    )


def test_who_opens_before_the_end_gives_it_up() -> None:
    """Whoever opens while the other's move is awaited escapes nothing: it is their own signature
    that says so, and the other is asked for nothing more, and may open too."""
    chain, early, waits = short(duel().chain, 9), author(9), author(10)
    for path, file in ends(early, Opening(early.name, chain.last, LATE, early.secret.hex)).items():
        chain = chain.take(path, file)
    told = f"true, but look: {early.name} opened before the game was over, and so gave it up"
    found = verify(MemoryFiles(files_of(chain)))
    assert (found.code, found.verdict) == (3, told)
    party = Party(chain, waits.name, waits.secret)
    assert party.is_given_up
    assert party.prompt is None
    assert not party.go_on(waits.signer, EARLY)
    assert f"{early.name} opened before the game was over" in standing(party, ReadAt(LATE))
    party.claim(waits.signer, EARLY)
    assert verify(MemoryFiles(files_of(party.chain))).verdict == told


def test_who_opens_before_the_end_and_moves_on_lies() -> None:
    """An opening is of the move that it names, and its author signs no later one."""
    chain, early = short(duel().chain, 11), author(9)
    opening = Opening(early.name, chain.digests[8], LATE, early.secret.hex)
    for path, file in ends(early, opening).items():
        chain = chain.take(path, file)
    lie = audit.judge(chain).lie
    assert lie is not None
    assert (lie.number, lie.player) == (11, early.name)
    assert "opened after move 9, and signed this one" in str(lie)


def test_a_move_after_the_end_is_a_lie() -> None:
    """An empty one would else hide that the other has opened, and let its author claim."""
    whole, last = duel().chain, len(duel().chain.moves)
    loser = author(last + 1)
    move = Move(whole.digests[-1], last + 1, EARLY, None, (), ())
    chain = short(whole, last)
    chain = chain.take(names.move(last + 1), Signed.by(loser.signer, sshsig.DUEL, move.render()))
    honest = author(last)
    assert "over before it" in str(Party(chain, honest.name, honest.secret).lie)
    claim = Claim(loser.name, chain.last, LATE, loser.secret.hex)
    for path, file in ends(loser, claim).items():
        chain = chain.take(path, file)
    for judged in (audit.judge(chain), *(audit.together(*two)[1] for two in permuted(chain))):
        assert judged.lie is not None
        assert (judged.lie.number, judged.lie.player) == (last + 1, loser.name)


def permuted(chain: Chain) -> Iterator[tuple[Chain, Chain]]:
    """That chain and the honest one, in either order; also without what its author opened."""
    closed = short(chain, len(chain.moves))
    for other in (chain, closed):
        yield other, duel().chain
        yield duel().chain, other


def test_a_claim_is_not_taken_back() -> None:
    """Of two claims the earlier one counts, whichever comes first: a later move contradicts it."""
    by, chain = author(9), short(duel().chain, 11)
    claims = [Claim(by.name, chain.digests[at - 1], LATE, by.secret.hex) for at in (9, 11)]
    for order in (claims, claims[::-1]):
        told = chain
        for one in order:
            for path, file in ends(by, one).items():
                told = told.take(path, file)
        assert told.claims == {by.name: claims[0]}
        assert verify(MemoryFiles(files_of(told))).code == 1


class _OtherKey(DuelSecret):
    """A secret with a key for moves that does not come from it."""

    __slots__ = ()

    def sealing(self):  # type: ignore[no-untyped-def]
        return DuelSecret(b"x" * 32).sealing()


class _OtherNonce(DuelSecret):
    """A secret with another release for the setup."""

    __slots__ = ()

    def release(self, step: int) -> str:
        return "cd" * 32 if step == 1 else DuelSecret.release(self, step)


class _OtherTag(DuelSecret):
    """A secret whose sealed orders do not open."""

    __slots__ = ()

    def key(self, tag: bytes) -> bytes:
        return b"k" * 32


BEGINNINGS: Mapping[str, tuple[type[DuelSecret], str]] = {
    "key": (_OtherKey, "its key for moves does not come from the secret"),
    "nonce": (_OtherNonce, "its nonce does not come from the secret"),
    "orders": (_OtherTag, "the sealed file does not open"),
}


@pytest.mark.parametrize("kind", BEGINNINGS)
@pytest.mark.parametrize("offers", [True, False])
def test_a_false_beginning_is_the_first_lie(kind: str, *, offers: bool) -> None:
    """Key for moves, nonce, or orders of the setup that the secret does not make."""
    other, words = BEGINNINGS[kind]
    liar = person("mallory", "captain", kind)
    liar.secret = other(liar.secret.secret)
    honest = person("alice", "captain", f"{kind}/honest")
    one, two = (liar, honest) if offers else (honest, liar)
    one.offer(SILENT, {})
    two.accept(one.at.block())
    one.at.take(two.at.chain.files)
    if one is honest:
        one.go_on()
    chain = one.at.chain
    if one is liar:
        chain = chain.take(names.move(1), _first_move(liar, chain))
    for who in (one, two):
        for path, file in ends(who, Claim(who.name, chain.last, LATE, who.secret.hex)).items():
            chain = chain.take(path, file)
    lie = audit.judge(chain).lie
    assert lie is not None
    assert (lie.number, lie.player) == (0, "mallory")
    assert words in str(lie)


def _first_move(liar: Person, chain: Chain) -> Signed:
    move = Move(chain.last, 1, EARLY, liar.secret.release(1), (), ())
    return Signed.by(liar.signer, sshsig.DUEL, move.render())


def test_a_false_first_nonce_is_refused() -> None:
    """The offer commits to it, so nobody chooses the coin."""
    liar, honest = person("mallory", "captain", "n"), person("alice", "captain", "n/honest")
    liar.offer(SILENT, {})
    honest.accept(liar.at.block())
    liar.secret = _OtherNonce(liar.secret.secret)
    with pytest.raises(Refused, match="not the one that the offer commits to"):
        honest.at.take({names.move(1): _first_move(liar, honest.at.chain)})
