"""What a game begins with: invite, joins and genesis, each checked by itself and together."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from replacing import replace
from spoil import LOW_KEYS

import games
from adjudicator.core import opening
from adjudicator.core.source import Held
from games.game import Sizes
from orders import names, sshsig
from orders.documents import read_invite, read_join
from orders.entries import read_entry
from orders.errors import Missing, Refused
from orders.fields import digest
from orders.public_key import PublicKey
from orders.signed import Signed

Table = Any


@pytest.mark.parametrize("what", LOW_KEYS)
def test_row_2_hostile_public_keys_in_an_invite(
    offered: Table, what: str, verify_held: Callable[..., Any]
) -> None:
    """Row 2: an invite with such a key is false, whoever signed it."""
    raw = LOW_KEYS[what]
    files_held = offered.held()
    for values in (
        {"host": PublicKey(raw).line},
        {"sealing": raw.hex()},
        {"letters": raw.hex()},
    ):
        data = replace(read_invite(files_held["invite.toml"]), **values).render()
        signature = offered.signer.sign(sshsig.INVITE, data)
        found = verify_held({"invite.toml": data, "invite.toml.sig": signature})
        assert found.code == 1
        assert "invite.toml" in found.verdict


def signed_invite(offered: Table, **values: Any) -> Held:
    """The record with other values in its invite, signed again by the host."""
    held = offered.held()
    data = replace(read_invite(held[names.INVITE]), **values).render()
    signature = offered.signer.sign(sshsig.INVITE, data)
    return Held({**held, names.INVITE: data, names.signature(names.INVITE): signature})


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
        opening.read_offer(Held(held))
    assert caught.value.claim == "signatures"
    assert opening.read_offer(Held(held), trusted=True) == offer


@pytest.mark.parametrize(
    ("values", "word", "said"),
    [
        ({"rules": "sugar-cat/1"}, "unknown-rules", "sugar-cat"),
        ({"rules": "sugar-dog/9"}, "unknown-rules", "names sugar-dog/9, installed is sugar-dog/1"),
        ({"table": "0" * 64}, "malformed", "a house table do not go together"),
        ({"options": {"fog": 3}}, "malformed", "invite: "),
        ({"options": {"reserve_time": "1d", "first": "alice"}}, "malformed", "in another order"),
    ],
)
def test_an_invite_that_cannot_be_played_is_refused(
    offered: Table, values: dict[str, Any], word: str, said: str
) -> None:
    """Though its host signed it."""
    with pytest.raises(Refused, match=said) as caught:
        opening.read_offer(signed_invite(offered, **values))
    assert (caught.value.word, caught.value.claim) == (word, "chain")


def test_a_house_table_is_the_one_that_was_offered(make_table: Any, tmp_path: Path) -> None:
    """Byte for byte, in its one rendering; one that is not there is missing."""
    ships = make_table(tmp_path / "ships", game="silent-ships", options={})
    ships.offer()
    held = ships.held()
    assert opening.read_offer(Held(held)).table == held[names.TABLE]
    with pytest.raises(Refused, match="does not have the digest that the invite names"):
        opening.read_offer(Held({**held, names.TABLE: held[names.TABLE] + b"\n"}))
    other = b"# mine\n" + held[names.TABLE]
    named = signed_invite(ships, table=digest(other))
    with pytest.raises(Refused, match=r"^malformed: table\.toml: "):
        opening.read_offer(Held({**named.held, names.TABLE: other}))
    del held[names.TABLE]
    with pytest.raises(Missing, match=r"table\.toml"):
        opening.read_offer(Held(held))


def joined(offered: Table, **values: Any) -> Signed:
    """Alice's join with other values, signed again by her."""
    (data, _), name = (part for _, part in offered.joins[0].files), "alice"
    data = replace(read_join(data), **values).render()
    return Signed(data, offered.keys[name].sign(sshsig.JOIN, data))


def test_a_join_is_to_this_invite_and_by_its_own_key(offered: Table) -> None:
    """Each fault by its word."""
    offer = opening.read_offer(offered.record)
    assert opening.check_join(offer, joined(offered)).player == "alice"
    host = offered.signer.public.line
    for file, said in (
        (joined(offered, invite="0" * 64), "mismatch: the join of alice is to another invite"),
        (joined(offered, key=host), "bad-signature"),
        (joined(offered, player="turn"), "malformed: 'turn' is a word of the notation of sugar"),
        (Signed(joined(offered).data, b""), "bad-signature"),
    ):
        with pytest.raises(Refused, match=said):
            opening.check_join(offer, file)
    unsigned = Signed(joined(offered).data, b"")
    assert opening.check_join(offer, unsigned, trusted=True).player == "alice"
    with pytest.raises(Refused, match="alice has the host's key") as caught:
        opening.check_player(offer, "alice", offer.host)
    assert (caught.value.word, caught.value.hint) == ("bad-key", "players sign with their own")


def test_names_that_a_player_may_bear() -> None:
    """Of the common form, and no word of that game's notation."""
    for game_id in games.installed():
        game = games.load(game_id)
        opening.check_bearable(game, "alice")
        for word in sorted(game.words):
            with pytest.raises(Refused, match="malformed"):
                opening.check_bearable(game, word)


def test_nothing_stands_twice(offered: Table) -> None:
    """No signing key, sealing key or nonce, be it two joins' or a join's and the host's."""
    offer = opening.read_offer(offered.record)
    alice, bob = (read_join(bundle.files[0][1]) for bundle in offered.joins)
    opening.check_distinct(offer, [alice, bob])
    for one in (
        replace(bob, key=alice.key), replace(bob, key=offer.invite.host),
        replace(bob, sealing=alice.letters), replace(bob, letters=bob.sealing),
        replace(bob, sealing=offer.invite.sealing), replace(bob, letters=offer.invite.letters),
        replace(bob, nonce=alice.nonce),
    ):  # fmt: skip
        with pytest.raises(Refused, match="one key or nonce is used twice") as caught:
            opening.check_distinct(offer, [alice, one])
        assert caught.value.word == "bad-key"
        assert re.search("by (alice|bob|the host) and bob: ", str(caught.value))


def test_a_game_is_of_as_many_players_as_it_takes(offered: Table) -> None:
    """In the order of their seats."""
    offer = opening.read_offer(offered.record)
    assert opening.seat_players(offer, ("bob", "alice")).players == ("bob", "alice")
    with pytest.raises(Refused, match="malformed: genesis: sugar-dog is for") as caught:
        opening.seat_players(offer, ("alice",))
    assert "not 1" in caught.value.message


def test_an_opening_is_a_game_that_began(begun: Table) -> None:
    """With its id, its players in seat order, and the sizes of the game for so many."""
    read = opening.read_opening(begun.record)
    assert read.id == digest(begun.record.read(names.entry(0)))
    assert (read.players, list(read.joins)) == (("alice", "bob"), ["alice", "bob"])
    assert read.sizes == read.game.sizes_for(2) == Sizes(order=1_024, report=2_048)


def test_a_game_known_by_its_id_is_read_by_digests(begun: Table) -> None:
    """No signature is verified again; another genesis, or another byte in it, is refused."""
    held = begun.held()
    right = opening.read_opening(Held(held))
    for path in held:
        if path.endswith(".sig"):
            held[path] = b"x"
    assert opening.read_opening(Held(held), right.id) == right
    with pytest.raises(Refused, match="bad-signature"):
        opening.read_opening(Held(held))
    with pytest.raises(Refused, match=f"is not the genesis of game {'0' * 64}") as caught:
        opening.read_opening(Held(held), "0" * 64)
    assert caught.value.word == "chain"
    held["joins/bob.toml"] = held["joins/alice.toml"]
    with pytest.raises(Refused, match=r"joins/bob\.toml: is not the join that genesis names"):
        opening.read_opening(Held(held), right.id)


def test_a_genesis_is_a_genesis_of_this_invite(begun: Table, finished: Table) -> None:
    """Not another entry in its place, not that of another offer."""
    held = begun.held()
    path = names.entry(0)
    other = {**held, path: finished.record.read(names.entry(1))}
    other[f"{path}.sig"] = finished.record.read(names.signature(names.entry(1)))
    with pytest.raises(Refused, match="no genesis"):
        opening.read_opening(Held(other))
    genesis = replace(read_entry(held[path]), invite="0" * 64).render()
    signature = begun.signer.sign(sshsig.ENTRY, genesis)
    with pytest.raises(Refused, match="is of another invite"):
        opening.read_opening(Held({**held, path: genesis, f"{path}.sig": signature}))
