"""A whole duel through its real blocks: sizes, lost disks, and blocks that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from duel.people import Duel, person, played

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import chain as chains
from adjudicator.duel import party
from adjudicator.duel.again import two_moves
from adjudicator.duel.chain import Chain
from adjudicator.duel.party import Party
from adjudicator.league.duel import Person, files_of
from adjudicator.store.pack import Pack, write
from adjudicator.verifier.verify import verify
from games.game import Written
from games.silent_ships import GAME as SILENT
from games.submarine_warfare import GAME as SUBMARINE
from orders import names, sshsig
from orders.duel import read_block, sealed_block
from orders.errors import Refused
from orders.signed import Signed

MOST = 3 * 1024


@cache
def duel(seed: str = "one") -> Duel:
    """A whole duel between captains."""
    return played(seed)


def short(chain: Chain, moves: int) -> Chain:
    """The chain as it was after so many moves."""
    kept = {
        path: file
        for path, file in chain.files.items()
        if not path.startswith(("openings", "claims"))
        and not (path.startswith("moves/") and int(path[6:10]) > moves)
    }
    files: dict[str, bytes] = {}
    for path, file in kept.items():
        files |= file.files(path)
    return chains.read(MemoryFiles(files))


def sent(person: Person, chain: Chain, files: Mapping[str, Signed], number: int) -> bytes:
    """A block that this person seals to the other."""
    flat: dict[str, bytes] = {}
    for path, file in files.items():
        flat |= file.files(path)
    other = chain.other(person.name).sealing
    return sealed_block(person.secret, other, chain.id, number, flat)


def test_a_whole_duel_is_true() -> None:
    """Somebody won, neither lied; the one file says so too."""
    found = verify(MemoryFiles(duel().files))
    assert (found.code, [claim.status for claim in found.claims]) == (0, ["true"] * 4)
    assert "and neither lied" in found.verdict
    assert verify(Pack.of(write(duel().files))) == found


def test_moves_have_one_size() -> None:
    """Below 3 KB, whatever they hold; two steps' orders still fit."""
    sizes = {len(block) for block in duel().blocks[2:]}
    assert len(sizes) == 1
    assert max(sizes) <= MOST


@pytest.mark.slow
def test_moves_have_one_size_in_many_duels() -> None:
    """A move of many lines takes more; between captains there is none."""
    for number in range(40):
        assert max(map(len, played(f"many {number}").blocks)) <= MOST


def test_a_lost_disk_loses_nothing() -> None:
    """From 32 bytes and the moves, each block is made again, the same to the byte."""
    whole = duel().chain
    for at, block in enumerate(duel().blocks[2:-2], 1):
        chain = short(whole, at)
        author = next(one for one in duel().people if one.name == whole.author_of(at))
        assert Party(chain, author.name, author.secret).block() == block
        before = Party(short(whole, at - 1), author.name, author.secret) if at > 1 else None
        if before is not None and before.prompt is None:
            move = before.next_move(whole.moves[at - 1].time)
            assert move == whole.moves[at - 1]


def test_orders_that_have_left_do_not_count_twice() -> None:
    """A process may end after the move was kept, and before its orders are forgotten."""
    whole = duel().chain
    author = next(one for one in duel().people if one.name == whole.author_of(4))
    again = Party(short(whole, 4), author.name, author.secret, [Written("end")])
    assert again.prompt is None
    assert not again.pending


def test_orders_for_a_move_that_was_made_elsewhere_are_forgotten() -> None:
    """They are not given again for the next one, and nobody is called a liar."""
    whole = duel().chain
    at = next(n for n in range(3, 20) if whole.moves[n - 1].orders)
    author = next(one for one in duel().people if one.name == whole.author_of(at))
    late = Party(short(whole, at - 1), author.name, author.secret, [Written("end")])
    assert late.side.tells
    late.take(short(whole, at + 2).files)
    assert late.lie is None
    assert not late.pending
    assert late.side.step == Party(short(whole, at + 2), author.name, author.secret).side.step


def test_the_offer_is_one_person_s() -> None:
    """First accept only; not by the offer's own author; and the first move names it."""
    one, other, third = (person(name, "captain", name) for name in ("alice", "bob", "carol"))
    one.offer(SILENT, {})
    offered = one.at.block()
    other.accept(offered)
    third.accept(offered)
    one.take(other.at.block())
    with pytest.raises(Refused, match="accepted by bob already"):
        one.take(third.at.block())
    one.go_on()
    with pytest.raises(Refused, match="does not open"):
        third.take(one.at.block())
    moves = files_of(one.at.chain)
    with pytest.raises(Refused, match="it follows"):
        third.at.take(party.signed({name: moves[name] for name in moves if "moves" in name}))
    twin = person("dora", "captain", "alice")
    twin.signer = one.signer
    with pytest.raises(Refused, match="must be another's"):
        twin.accept(offered)


def test_two_moves_for_one_turn_are_a_proof() -> None:
    """But not where they differ in time alone: that is a second device."""
    chain, author = (
        duel().chain,
        next(one for one in duel().people if one.name == duel().chain.author_of(3)),
    )
    path, move = names.move(3), chain.moves[2]
    later = move._replace(time="2027-01-01T00:00:00Z")
    other = move._replace(facts=move.facts[:-1])
    for changed, proves in ((later, False), (other, True)):
        file = Signed.by(author.signer, sshsig.DUEL, changed.render())
        assert (two_moves(chain, path, file) is not None) == proves
        reader = next(one for one in duel().people if one is not author)
        with pytest.raises(Refused) as error:
            Party(chain, reader.name, reader.secret).take({path: file})
        assert (error.value.word == "two-moves") == proves
        if proves:
            assert f"signed by {author.name}: there are two of it: they differ in facts" in str(
                error.value
            )


def _another_duel(whole: Duel) -> bytes:
    return duel("two").blocks[6]


def _old(whole: Duel) -> bytes:
    return whole.blocks[4]


def _too_new(whole: Duel) -> bytes:
    return whole.blocks[8]


def _own(whole: Duel) -> bytes:
    return whole.blocks[5]


WRONG: tuple[tuple[Callable[[Duel], bytes], str], ...] = (
    (_another_duel, "other-game: the block is of the duel"),
    (_too_new, "not-yet: moves/0007.toml: move 6 has not come"),
    (_own, "unopenable: the sealed file does not open"),
)


@pytest.mark.parametrize(("block", "words"), WRONG)
def test_blocks_that_do_not_fit_are_refused(block: Callable[[Duel], bytes], words: str) -> None:
    """Another duel's, one too early, one's own."""
    whole = duel()
    reader = next(one for one in whole.people if one.name == whole.chain.author_of(4))
    at = Party(short(whole.chain, 5 if block is _too_new else 4), reader.name, reader.secret)
    with pytest.raises(Refused) as error:
        at.take(at.read(read_block(block(whole))))
    assert str(error.value).startswith(words)


def test_a_block_that_came_before_changes_nothing() -> None:
    """Mail comes twice."""
    whole = duel()
    reader = next(one for one in whole.people if one.name == whole.chain.author_of(4))
    at = Party(short(whole.chain, 4), reader.name, reader.secret)
    before = at.chain
    at.take(at.read(read_block(_old(whole))))
    assert at.chain == before


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        (SUBMARINE, {}, "Submarine Warfare cannot be played without a host"),
        (SILENT, {"missed": "end"}, "option missed is not for a duel: it is 'resign'"),
        (SILENT, {"reserve_time": "3d"}, "option reserve_time is not for a duel"),
        (SILENT, {"press": "public"}, "option press is not for a duel"),
    ],
)
def test_what_no_duel_has_is_refused(game: Any, options: Mapping[str, Any], words: str) -> None:
    """In a sentence, before anything is signed."""
    with pytest.raises(Refused, match=words):
        person("alice", "captain", "x").offer(game, options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sails": 3}, "malformed: offer.toml: option 'sails' is unknown"),
        ({"reserve_time": "1d"}, "malformed: offer.toml: option reserve_time is not for a duel"),
        ({"missed": "end"}, "malformed: offer.toml: option missed is not for a duel: it is"),
        ({"speed": "yes"}, "malformed: offer.toml: option speed"),
    ],
)
def test_an_offer_with_an_option_that_no_duel_has(options: Mapping[str, Any], words: str) -> None:
    """Whoever made it: it is refused before anybody accepts it."""
    whole = duel()
    offer = whole.chain.offer._replace(options=options)
    file = Signed.by(whole.people[0].signer, sshsig.DUEL, offer.render())
    with pytest.raises(Refused) as error:
        chains.offered(file)
    assert str(error.value).startswith(words)


def test_an_accept_is_of_one_offer() -> None:
    """If an option is changed, the accept is of another offer."""
    whole = duel()
    chain = short(whole.chain, 0)
    offer = chain.offer._replace(options={"speed": True})
    other = chains.offered(Signed.by(whole.people[0].signer, sshsig.DUEL, offer.render()))
    with pytest.raises(Refused, match="it accepts the offer"):
        other.take(names.ACCEPT, chain.files[names.ACCEPT])
