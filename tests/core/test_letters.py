"""Letters: what both ends of one share, and what neither takes from the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles, letters
from adjudicator.core.letters import Keyring, LetterFile
from orders import sshsig
from orders.bundle import Bundle
from orders.errors import Missing, Refused
from orders.fields import HOST, digest
from orders.letter import Absence, Address, Letter, Press, Said
from orders.sealing import SealingKey, letter_info
from orders.secrets import derive
from orders.signed import Signed

Table = Any

PRESS = Said("ab" * 32, Press("bob", "Truce?\nUntil Friday."))
AWAY = Said("cd" * 32, Absence("2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z"))


@pytest.fixture(scope="module")
def game(begun: Table) -> Any:
    """The opening of a game that has begun."""
    return begun.host.opening


@pytest.fixture(scope="module")
def host_key(begun: Table) -> SealingKey:
    """The key to which letters to the host are sealed."""
    return begun.host.folder.letters()


def press_of(begun: Table, game: Any) -> Bundle:
    """Alice's message to Bob, as it goes to the host."""
    return letters.write(game, begun.keys["alice"], "alice", 1, PRESS)


def passed(begun: Table, game: Any, *, named: bool) -> Bundle:
    """The same as the host passes it on."""
    (writer,) = letters.own(press_of(begun, game))
    head = begun.host.last.digest
    letter = Letter(game.id, HOST, 7, writer.letter.text, entry=0, head=head)
    cover = LetterFile(letter, Signed.by(begun.signer, sshsig.LETTER, letter.render()))
    return letters.pass_on(game, cover, PRESS, game.joins["bob"], writer if named else None)


def joins_at(game: Any) -> Any:
    """Nobody's seat has changed hands."""

    def call(entry: int) -> Mapping[str, Any]:
        assert entry == 0
        return game.joins

    return call


def test_a_message_comes_to_the_host(begun: Table, game: Any, host_key: SealingKey) -> None:
    """Signed by digest, and sealed: its words stand nowhere in the bundle."""
    bundle = press_of(begun, game)
    sent = letters.read_bundle(game, game.joins, bundle)
    assert sent.letter.text == digest(PRESS.render())
    assert sent.sealed is not None
    assert sent.letter.sealed == digest(sent.sealed)
    assert not any(b"Truce" in data for _, data in bundle.files)
    info = letter_info("letter", game.id, 1, "alice")
    assert letters.open_text(sent, host_key, info) == PRESS
    assert [path for path, _ in bundle.files] == [
        letters.sealed_path_of("alice", 1), letters.path_of("alice", 1),
        f"{letters.path_of('alice', 1)}.sig",
    ]  # fmt: skip


@pytest.mark.parametrize("named", [True, False])
def test_a_message_is_passed_on_under_a_cover(begun: Table, game: Any, named: bool) -> None:
    """Sealed to its reader anew; the writer's letter travels with it only where they are named."""
    bundle = passed(begun, game, named=named)
    got = letters.read_passed(game, joins_at(game), bundle)
    assert (got.cover.letter.player, got.cover.letter.number) == (HOST, 7)
    assert (got.writer.player if got.writer else None) == ("alice" if named else None)
    assert any(b"alice" in data for _, data in bundle.files) == named
    info = letter_info("press", game.id, 7, "bob")
    key = begun.seat("bob").secret.letters()
    assert letters.open_text(got.cover, key, info) == PRESS
    with pytest.raises(Refused, match="unopenable"):
        letters.open_text(got.cover, begun.seat("alice").secret.letters(), info)
    assert letters.own(bundle)[0] == got.cover
    assert len(letters.own(bundle)) == 1 + named


def test_the_message_is_the_one_that_was_signed(
    begun: Table, game: Any, host_key: SealingKey
) -> None:
    """Another one, well sealed, is refused; none at all is missing, by name."""
    (sent,) = letters.own(press_of(begun, game))
    info = letter_info("letter", game.id, 1, "alice")
    other = replace(sent, letter=replace(sent.letter, text="0" * 64))
    with pytest.raises(Refused, match="not the one that its writer signed") as caught:
        letters.open_text(other, host_key, info)
    assert caught.value.word == "unopenable"
    with pytest.raises(Missing, match=r"letters/alice-0001\.sealed"):
        letters.open_text(replace(sent, sealed=None), host_key, info)


def test_nobody_writes_under_another_name(begun: Table, game: Any) -> None:
    """A player cannot write as the host, as another player, or under an unknown name."""
    head = begun.host.last.digest
    last = (0, head)
    right = letters.write(game, begun.signer, HOST, 1, AWAY, last)
    with pytest.raises(Refused, match="come from the host alone"):
        letters.read_bundle(game, game.joins, right)
    for name, held in ((HOST, last), ("bob", None)):
        forged = letters.write(game, begun.keys["alice"], name, 1, AWAY, held)
        with pytest.raises(Refused, match="bad-signature"):
            letters.read_bundle(game, game.joins, forged)
    with pytest.raises(Refused, match="nobody in this game is called carol"):
        Keyring(game, game.joins).verify("carol", Signed(b"", b""))
    with pytest.raises(Refused, match="nobody in this game is called bob"):
        letters.read_bundle(game, {}, letters.write(game, begun.keys["bob"], "bob", 1, AWAY))


def test_what_is_no_letter_is_refused(begun: Table, game: Any) -> None:
    """In a fixed form, whatever lies in the bundle."""
    bundle = press_of(begun, game)
    held = dict(bundle.files)
    path = letters.path_of("alice", 1)
    away = letters.write(game, begun.keys["alice"], "alice", 2, AWAY)
    moved = {one.replace("0001", "0003"): data for one, data in held.items()}
    other = Letter("0" * 64, "alice", 1, "0" * 64, "0" * 64).render()
    file = Signed.by(begun.keys["alice"], sshsig.LETTER, other)
    elsewhere = bundles.pack("letter", file.files(path))
    for given, word, said in (
        (bundles.pack("entry", held), "bad-bundle", "a bundle of kind entry: expected a letter"),
        (bundles.pack("letter", held | dict(away.files)), "bad-bundle", "2 letters in a bundle"),
        (bundles.pack("letter", {"notes.txt": b""}), "bad-bundle", "is not part of a letter"),
        (bundles.pack("letter", {**held, "x.sealed": b""}), "bad-bundle", "x.sealed is not part"),
        (bundles.pack("letter", {path: held[path]}), "bad-signature", "is not in the bundle"),
        (bundles.pack("letter", {"a.toml": b"", "a.toml.sig": b""}), "bad-signature", "a.toml"),
        (bundles.pack("letter", moved), "mismatch", "of another game, player or number"),
        (elsewhere, "mismatch", "of another game, player or number"),
    ):
        with pytest.raises(Refused, match=said) as caught:
            letters.read_bundle(game, game.joins, given)
        assert caught.value.word == word


def test_a_cover_fits_its_own_letter_alone(begun: Table, game: Any) -> None:
    """Another letter of the writer's, put beside it, is no proof of anything."""
    held = dict(passed(begun, game, named=False).files)
    war = Said("ab" * 32, Press("bob", "War!"))
    other = letters.write(game, begun.keys["alice"], "alice", 2, war)
    away = letters.write(game, begun.keys["alice"], "alice", 3, AWAY)
    for beside in (other, away):
        with pytest.raises(Refused, match="alice signed another message") as caught:
            letters.read_passed(
                game, joins_at(game), bundles.pack("letter", held | dict(beside.files))
            )
        assert caught.value.word == "mismatch"
    with pytest.raises(Refused, match="no letter of the host"):
        letters.read_passed(game, joins_at(game), press_of(begun, game))


def test_a_letter_tells_nobody_on_the_way_what_it_says(
    begun: Table, game: Any, host_key: SealingKey
) -> None:
    """A message, an absence and an address have the same keys and sizes, and open for the host
    alone, by the letter's number and its writer."""
    address = Said("ef" * 32, Address("alice@example.org"))
    told = [letters.write(game, begun.keys["alice"], "alice", 3, said)
            for said in (PRESS, AWAY, address)]  # fmt: skip
    assert len({tuple((path, len(data)) for path, data in one.files) for one in told}) == 1
    assert not any(b"example.org" in data or b"2026" in data for _, data in told[2].files)
    sent = letters.read_bundle(game, game.joins, told[2])
    info = letter_info("letter", game.id, 3, "alice")
    assert letters.open_text(sent, host_key, info) == address
    for number, name in ((4, "alice"), (3, "bob")):
        other = letter_info("letter", game.id, number, name)
        with pytest.raises(Refused, match="unopenable"):
            letters.open_text(sent, host_key, other)
    with pytest.raises(Refused, match="unopenable"):
        letters.open_text(sent, SealingKey(derive(b"x", "letters")), info)


def test_the_number_of_a_message_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells nothing of earlier letters; a number in use is passed over. Notices are counted."""
    drawn = [number.to_bytes(32, "big") for number in (5, 5, 6, 5)]
    monkeypatch.setattr(letters, "draw_secret", lambda: drawn.pop(0))
    first = letters.next_number((), message=True)
    assert first == letters.FIRST_DRAWN + 5
    assert letters.next_number((1, 2, first), message=True) == first + 1
    assert letters.next_number((1, 2, 4711, first - 1), message=True) == first
    assert letters.next_number((1, 2, 4711), message=False) == 3
    with pytest.raises(Refused, match="no number is left"):
        letters.next_number((letters.FIRST_DRAWN - 1,), message=False)
