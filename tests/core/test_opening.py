"""What a game begins with: invite, joins and genesis, each checked by itself and together."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace
from spoil import LOW_KEYS

import games
from adjudicator.core import opening
from adjudicator.core.engine import unlock
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.verify import verify
from games.game import Sizes
from orders import names, sshsig
from orders.documents import read_invite
from orders.errors import Refused
from orders.fields import digest
from orders.public_key import PublicKey
from orders.secrets import Master, derive

Table = Any


@pytest.mark.parametrize("what", LOW_KEYS)
def test_row_2_hostile_public_keys_in_an_invite(offered: Table, what: str) -> None:
    """Row 2: an invite with such a key is false, whoever signed it."""
    raw = LOW_KEYS[what]
    files_held = offered.held()
    for values in ({"host": PublicKey(raw).line}, {"sealing": raw.hex()}, {"letters": raw.hex()}):
        data = replace(read_invite(files_held["invite.toml"]), **values).render()
        signature = offered.signer.sign(sshsig.INVITE, data)
        found = verify(MemoryFiles({"invite.toml": data, "invite.toml.sig": signature}))
        assert found.code == 1
        assert "invite.toml" in found.verdict


def test_an_offer_is_the_invite_and_what_it_names(offered: Table) -> None:
    """The game, the host's key, the digest by which joins name it."""
    offer = opening.read_offer(offered.record)
    assert offer.game is games.load("sugar-dog")
    assert offer.host == offered.signer.public
    assert offer.digest == digest(offered.record.read(names.INVITE))
    assert offer.table is None
    held = offered.held()
    held[names.signature(names.INVITE)] = b"x"
    with pytest.raises(Refused, match="bad-signature") as caught:
        opening.read_offer(MemoryFiles(held))
    assert caught.value.word == "bad-signature"
    assert opening.read_offer(MemoryFiles(held), trusted=True) == offer


def test_an_opening_is_a_game_that_began(begun: Table) -> None:
    """With its id, its players in seat order, and the sizes of the game for so many."""
    read = opening.read_opening(begun.record)
    assert read.id == digest(begun.record.read(names.entry(0)))
    assert (read.players, list(read.joins)) == (("alice", "bob"), ["alice", "bob"])
    assert read.sizes == read.game.sizes_for(2) == Sizes(order=1_024, report=2_048)


def test_a_game_known_by_its_id_is_read_by_digests(begun: Table) -> None:
    """No signature is verified again; another genesis, or another byte in it, is refused."""
    held = begun.held()
    right = opening.read_opening(MemoryFiles(held))
    for path in held:
        if path.endswith(".sig"):
            held[path] = b"x"
    assert opening.read_opening(MemoryFiles(held), right.id) == right
    with pytest.raises(Refused, match="bad-signature"):
        opening.read_opening(MemoryFiles(held))
    with pytest.raises(Refused, match=f"^chain: .*this is not how game {'0' * 64}") as caught:
        opening.read_opening(MemoryFiles(held), "0" * 64)
    assert caught.value.word == "chain"
    held["joins/bob.toml"] = held["joins/alice.toml"]
    with pytest.raises(Refused, match=r"joins/bob\.toml: is not the join that entry 0 names"):
        opening.read_opening(MemoryFiles(held), right.id)


# What the master opens: only with the master of this very game.


@pytest.fixture
def master(finished: Table) -> Master:
    """The game's own."""
    return Master(derive(finished.seed, "master"))


def test_a_game_opens_with_its_own_master_alone(finished: Table, master: Master) -> None:
    """Both what the invite commits to and the key that it names must come from it."""
    opening = Ledger.read(finished.record).opening
    assert unlock(opening, master).opening is opening
    with pytest.raises(Refused, match="bad-key: the master is not the one that the invite"):
        unlock(opening, Master(b"\x08" * 32))
    invite = replace(opening.offer.invite, sealing="ab" * 32)
    other = replace(opening, offer=replace(opening.offer, invite=invite))
    with pytest.raises(Refused, match="sealing does not come from the master"):
        unlock(other, master)


def test_secrets_are_not_printed(finished: Table, master: Master) -> None:
    """Neither the key nor what was agreed."""
    game = unlock(Ledger.read(finished.record).opening, master)
    game.shared(game.opening.joins["alice"])
    assert master.hex not in repr(game)
    assert "shared" not in repr(game)


def test_dice_follow_from_every_nonce_in_seat_order(finished: Table, master: Master) -> None:
    """A missing nonce keeps its place; one of somebody who does not play is ignored."""
    opening = Ledger.read(finished.record).opening
    game = unlock(opening, master)
    one, two = "ab" * 32, "cd" * 32
    both = game.dice({"bob": two, "alice": one})
    assert both.seed == master.seed([one, two], opening.id)
    assert game.dice({"alice": one}).seed == master.seed([one, None], opening.id)
    assert game.dice({"alice": one, "carol": two}) == game.dice({"alice": one})
    seeds = {
        game.dice(given).seed
        for given in ({}, {"alice": one}, {"bob": one}, {"alice": one, "bob": two},
                      {"alice": two, "bob": one})
    }  # fmt: skip
    assert len(seeds) == 5


def test_a_match_names_who_goes_first_by_seat() -> None:
    """Both of its games have the same options; other options, and games of no match, stay."""
    silent, ships = games.load("silent-ships"), {"edition": "print", "match": "first"}
    assert opening.in_match(silent, ships) == {**ships, "first": 1}
    submarines = games.load("submarine-warfare")
    assert opening.in_match(submarines, {"match": "a" * 64, "first": 2}) == {
        "match": "a" * 64, "first": 2,
    }  # fmt: skip
    assert "row_one" not in opening.in_match(submarines, {"match": "first"})
    assert opening.in_match(silent, {"first": "ann"}) == {"first": "ann"}
    with pytest.raises(Refused, match=r"^bad-option: option row_one = 'ann': in a match the"):
        opening.in_match(submarines, {"match": "first", "row_one": "ann"})
