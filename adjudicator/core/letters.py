"""Letters that players and host sign, and the bundles of them.

What belongs here: what both ends of a letter share. What it must not know: what the host allows.

A player's letter goes to the host alone. The host passes a message on with a letter of its own, the
**cover**, which names the message and the host's last entry. If the writer is to be named, the
writer's letter goes with it, and signs the same message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core import bundles
from adjudicator.core.opening import Opening
from orders import names, sshsig
from orders.bundle import KINDS, Bundle
from orders.documents import Join
from orders.errors import Missing, Refused, at
from orders.fields import HOST, digest
from orders.letter import LAST_NUMBER, Letter, Text, read_letter, read_text
from orders.public_key import read_public
from orders.sealing import LETTER_SIZE, SealingKey, letter_info, open_letter, seal_letter
from orders.secrets import draw_secret
from orders.sshsig import Signed

if TYPE_CHECKING:
    from orders.keys import Signer

_PATH = re.compile(r"letters/([a-z][a-z0-9-]{0,31})-([0-9]{4})\.toml", re.ASCII)


def next_number(taken: Collection[int]) -> int:
    """The number of a writer's next letter; `taken`: those of the letters before.

    It is drawn: a number that counts would tell the reader of a message how many letters others got
    before, and whoever carries it what it is. Raises Refused where no number is left.
    """
    free = [number for number in range(1, LAST_NUMBER + 1) if number not in taken]
    if not free:
        raise Refused("illegal", f"{len(taken)} letters were written, and no number is left")
    return free[int.from_bytes(draw_secret(), "big") % len(free)]


class LetterFile(NamedTuple):
    """A letter: its values, its file, and its text, sealed or as its reader kept it, if it is
    there."""

    letter: Letter
    file: Signed
    sealed: bytes | None = None
    text: Text | None = None


class PassedLetter(NamedTuple):
    """What the host passed on: its own letter, and the writer's letter if they are named."""

    cover: LetterFile
    writer: Letter | None


def path_of(player: str, number: int) -> str:
    """A letter's name in its bundle; letters are not in the record."""
    return f"letters/{player}-{number:04d}.toml"


def sealed_path_of(player: str, number: int) -> str:
    """The name of a letter's sealed text in its bundle."""
    return f"letters/{player}-{number:04d}.sealed"


def write(opening: Opening, letter: Letter, text: Text, signer: Signer) -> Bundle:
    """A signed letter with its text, sealed to the host; raises Refused.

    The digests in `letter` are filled in. The host keeps letters of its own in this form too.
    """
    to, plain = bytes.fromhex(opening.offer.invite.letters), text.render()
    sealed = seal_letter(to, _info(opening, letter.number, letter.player), plain, LETTER_SIZE)
    named = None if letter.player == HOST else digest(sealed)
    file = Signed.by(
        signer, sshsig.LETTER, letter._replace(text=digest(plain), sealed=named).render()
    )
    held = {sealed_path_of(letter.player, letter.number): sealed}
    return bundles.pack("letter", held | file.files(path_of(letter.player, letter.number)))


def _info(opening: Opening, number: int, player: str) -> bytes:
    return letter_info("letter", opening.id, number, player)


def pass_on(
    opening: Opening, cover: LetterFile, text: Text, to: Join, writer: LetterFile | None = None
) -> Bundle:
    """The host's letter `cover` with its text sealed to the player of that join.

    `writer` is the writer's letter; None if nobody is to be named.
    """
    number = cover.letter.number
    info = _info(opening, number, to.player)
    sealed = seal_letter(bytes.fromhex(to.letters), info, text.render(), LETTER_SIZE)
    held = {sealed_path_of(HOST, number): sealed, **cover.file.files(path_of(HOST, number))}
    if writer is not None:
        held |= writer.file.files(path_of(writer.letter.player, writer.letter.number))
    return bundles.pack("letter", held)


def with_text(bundle: Bundle, letter: Letter, text: Text) -> Bundle:
    """A letter's bundle as a player keeps it: with what the letter says."""
    path = f"letters/{letter.player}-{letter.number:04d}.txt"
    return bundles.pack("letter", {**dict(bundle.files), path: text.render()})


def read_bundle(opening: Opening, joins: Mapping[str, Join], bundle: Bundle) -> LetterFile:
    """The one letter in a player's bundle, its signature checked; raises Refused.

    `joins`: who sits where now.
    """
    sent = _one(_split(bundle, Keyring(opening, joins)))
    if sent.letter.player == HOST:
        raise Refused("bad-bundle", "the host's letters come from the host alone")
    return sent


def read_passed(
    opening: Opening, joins_at: Callable[[int], Mapping[str, Join]], bundle: Bundle
) -> PassedLetter:
    """What the host passed on, its signatures checked; raises Refused.

    `joins_at` gives who sat where after an entry: the writer's letter is signed by the player who
    had the seat when the host passed it on.
    """
    mine = {path: data for path, data in bundle.files if path.startswith(f"letters/{HOST}-")}
    if not mine:
        raise Refused("bad-bundle", "this block holds no letter of the host")
    cover = _one(_split(bundles.pack(bundle.kind, mine), Keyring(opening, {})))
    rest = {path: data for path, data in bundle.files if path not in mine}
    if not rest:
        return PassedLetter(cover, None)
    joins = joins_at(cover.letter.entry or 0)
    writer = _one(_split(bundles.pack(bundle.kind, rest), Keyring(opening, joins))).letter
    if writer.text != cover.letter.text:
        raise Refused("mismatch", f"{writer.player} signed another message than the host sent")
    return PassedLetter(cover, writer)


def own(bundle: Bundle) -> list[LetterFile]:
    """The letters in a bundle that this machine checked before it kept them; raises Refused.

    The host's own comes first.
    """
    return sorted(_split(bundle, None), key=lambda sent: sent.letter.player != HOST)


class Keyring(NamedTuple):
    """What signatures are checked against: the host's key, and the keys of the players in their
    seats."""

    opening: Opening
    joins: Mapping[str, Join]

    def verify(self, player: str, file: Signed) -> None:
        """Raise Refused `bad-signature` if the file is not signed by that player."""
        if player == HOST:
            key = self.opening.offer.host
        elif player in self.joins:
            key = read_public(self.joins[player].key)
        else:
            raise Refused("bad-signature", f"nobody in this game is called {player}")
        file.verify(key, sshsig.LETTER)


def _one(found: list[LetterFile]) -> LetterFile:
    if len(found) != 1:
        raise Refused("bad-bundle", f"this block holds {len(found)} letters, not one")
    return found[0]


def _split(bundle: Bundle, checked: Keyring | None) -> list[LetterFile]:
    """The letters of a bundle, each verified by `checked` before it is read; None: they were
    verified before."""
    if bundle.kind != "letter":
        raise Refused("bad-bundle", f"this block holds {KINDS[bundle.kind]}, and no letter")
    held = dict(bundle.files)
    found = []
    for path in [path for path in held if path.endswith(".toml")]:
        name = _PATH.fullmatch(path)
        signature = held.pop(names.signature(path), None)
        if name is None or signature is None:
            raise Refused("bad-signature", f"{path}: its signature is not beside it")
        file = Signed(held.pop(path), signature)
        with at(path):
            if checked is not None:
                checked.verify(name[1], file)
            letter = read_letter(file.data)
            of_game = checked is None or letter.game == checked.opening.id
            if path != path_of(letter.player, letter.number) or not of_game:
                raise Refused("mismatch", "the letter is of another game, player or number")
            sealed = held.pop(sealed_path_of(letter.player, letter.number), None)
            if None not in (sealed, letter.sealed) and digest(sealed or b"") != letter.sealed:
                raise Refused("mismatch", "the sealed text is not the one that its writer signed")
        kept = None if checked else held.pop(path.removesuffix("toml") + "txt", None)
        text = None if kept is None else read_text(kept)
        found.append(LetterFile(letter, file, sealed, text))
    if held:
        raise Refused("bad-bundle", f"{min(held)} is not part of a letter")
    return found


def open_text(opening: Opening, sent: LetterFile, key: SealingKey, to: str) -> Text:
    """What a letter says, which must be the text whose digest was signed; raises Refused.

    `to`: its reader, or its writer where the reader is the host.
    """
    number = sent.letter.number
    if sent.sealed is None:
        raise Missing(sealed_path_of(sent.letter.player, number))
    data = open_letter(key, _info(opening, number, to), sent.sealed, LETTER_SIZE)
    if digest(data) != sent.letter.text:
        raise Refused("unopenable", "the text is not the one that its writer signed")
    return read_text(data)
