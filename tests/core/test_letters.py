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
from orders.letter import Letter, Text
from orders.sealing import SealingKey
from orders.secrets import derive
from orders.sshsig import Signed

Table = Any

MESSAGE = Text("message to bob:", "Truce?\nUntil Friday.", salt="ab" * 32)
AWAY = Text("away from 2026-01-02T00:00:00Z until 2026-01-04T00:00:00Z", "", 1, "cd" * 32)


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
    return letters.write(game, Letter(game.id, "alice", 1, ""), MESSAGE, begun.keys["alice"])


def passed(begun: Table, game: Any, *, named: bool) -> Bundle:
    """The same as the host passes it on."""
    (writer,) = letters.own(press_of(begun, game))
    head = begun.host.last.digest
    letter = Letter(game.id, HOST, 7, text=writer.letter.text, entry=2, head=head)
    cover = LetterFile(letter, Signed.by(begun.signer, sshsig.LETTER, letter.render()))
    return letters.pass_on(game, cover, MESSAGE, game.joins["bob"], writer if named else None)


def joins_at(game: Any) -> Any:
    """Who sat where after the entry that the cover names: nobody's seat has changed hands."""

    def call(entry: int) -> Mapping[str, Any]:
        assert entry == 2
        return game.joins

    return call


def test_a_message_comes_to_the_host(begun: Table, game: Any, host_key: SealingKey) -> None:
    """Signed by digest, and sealed: its words stand nowhere in the bundle."""
    bundle = press_of(begun, game)
    sent = letters.read_bundle(game, game.joins, bundle)
    assert sent.letter.text == digest(MESSAGE.render())
    assert sent.sealed is not None
    assert sent.letter.sealed == digest(sent.sealed)
    assert not any(b"Truce" in data for _, data in bundle.files)
    assert letters.open_text(game, sent, host_key, "alice") == MESSAGE
    stranger = SealingKey(derive(b"x", "letters"))
    for key, to in ((stranger, "alice"), (host_key, "bob")):
        with pytest.raises(Refused, match="unopenable"):
            letters.open_text(game, sent, key, to)
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
    key = begun.seat("bob").secret.letters()
    assert letters.open_text(game, got.cover, key, "bob") == MESSAGE
    with pytest.raises(Refused, match="unopenable"):
        letters.open_text(game, got.cover, begun.seat("alice").secret.letters(), "bob")
    assert letters.own(bundle)[0] == got.cover
    assert len(letters.own(bundle)) == 1 + named


def test_the_message_is_the_one_that_was_signed(
    begun: Table, game: Any, host_key: SealingKey
) -> None:
    """Another one, well sealed, is refused; none at all is missing, by name."""
    (sent,) = letters.own(press_of(begun, game))
    other = replace(sent, letter=replace(sent.letter, text="0" * 64))
    with pytest.raises(Refused, match="not the one that its writer signed") as caught:
        letters.open_text(game, other, host_key, "alice")
    assert caught.value.word == "unopenable"
    with pytest.raises(Missing, match=r"letters/alice-0001\.sealed"):
        letters.open_text(game, replace(sent, sealed=None), host_key, "alice")


def test_nobody_writes_under_another_name(begun: Table, game: Any) -> None:
    """A player cannot write as the host, as another player, or under an unknown name."""
    head = begun.host.last.digest
    hosts = Letter(game.id, HOST, 1, "", entry=0, head=head)
    right = letters.write(game, hosts, AWAY, begun.signer)
    with pytest.raises(Refused, match=r"^bad-bundle: .*come from the host alone"):
        letters.read_bundle(game, game.joins, right)
    for letter in (hosts, Letter(game.id, "bob", 1, "")):
        forged = letters.write(game, letter, AWAY, begun.keys["alice"])
        with pytest.raises(Refused, match="bad-signature"):
            letters.read_bundle(game, game.joins, forged)
    with pytest.raises(Refused, match=r"^bad-signature: .*nobody in this game is called carol"):
        Keyring(game, game.joins).verify("carol", Signed(b"", b""))
    with pytest.raises(Refused, match="nobody in this game is called bob"):
        letters.read_bundle(game, {}, letters.write(game, letter, AWAY, begun.keys["bob"]))


def test_what_is_no_letter_is_refused(begun: Table, game: Any) -> None:
    """In a fixed form, whatever lies in the bundle."""
    bundle = press_of(begun, game)
    held = dict(bundle.files)
    path = letters.path_of("alice", 1)
    away = letters.write(game, Letter(game.id, "alice", 2, ""), AWAY, begun.keys["alice"])
    moved = {one.replace("0001", "0003"): data for one, data in held.items()}
    elsewhere = letters.write(game, Letter("0" * 64, "alice", 1, ""), AWAY, begun.keys["alice"])
    for given, word, said in (
        (bundles.pack("entry", held), "bad-bundle", "this block holds an entry, and no letter"),
        (bundles.pack("letter", held | dict(away.files)), "bad-bundle", "holds 2 letters"),
        (bundles.pack("letter", {"notes.txt": b""}), "bad-bundle", "is not part of a letter"),
        (bundles.pack("letter", {**held, "x.sealed": b""}), "bad-bundle", "x.sealed is not part"),
        (
            letters.with_text(bundle, Letter(game.id, "alice", 1, ""), AWAY),
            "bad-bundle",
            "letters/alice-0001.txt is not part",
        ),
        (
            bundles.pack("letter", {**held, letters.sealed_path_of("alice", 1): b""}),
            "mismatch",
            "not the one that its writer signed",
        ),
        (bundles.pack("letter", {path: held[path]}), "bad-signature", "is not beside it"),
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
    other = letters.write(
        game, Letter(game.id, "alice", 2, ""), replace(MESSAGE, body="War!"), begun.keys["alice"]
    )
    away = letters.write(game, Letter(game.id, "alice", 3, ""), AWAY, begun.keys["alice"])
    for beside in (other, away):
        with pytest.raises(Refused, match=r"^mismatch: alice signed another message") as caught:
            letters.read_passed(
                game, joins_at(game), bundles.pack("letter", held | dict(beside.files))
            )
        assert caught.value.word == "mismatch"
    with pytest.raises(Refused, match=r"^bad-bundle: this block holds no letter of the host"):
        letters.read_passed(game, joins_at(game), press_of(begun, game))


def test_the_number_of_a_letter_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among those that are free, whatever the letter says; it tells nothing of earlier ones."""
    monkeypatch.setattr(letters, "draw_secret", lambda: (5).to_bytes(32, "big"))
    assert [letters.next_number(taken) for taken in ((), (6,), (1, 2, 6), (9_999,))] == [6, 7, 9, 6]
    monkeypatch.setattr(letters, "draw_secret", lambda: (9_999 * 7 + 9_998).to_bytes(32, "big"))
    assert letters.next_number(()) == 9_999
    assert letters.next_number(range(2, 10_000)) == 1
    with pytest.raises(Refused, match=r"^illegal: .*9999 letters were written, and no"):
        letters.next_number(range(1, 10_000))
