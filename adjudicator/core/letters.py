"""Letters: press, absences and addresses, signed, in the bundles that carry them.

What belongs here: what both ends of a letter share. What it must not know: what the host allows,
how letters travel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adjudicator.core import bundles
from adjudicator.core.opening import Opening
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Join
from orders.errors import Missing, Refused, at
from orders.fields import HOST, Digest, digest
from orders.letter import Letter, Press, read_letter, read_press
from orders.public_key import read_public
from orders.sealing import PRESS_SIZE, SealingKey, letter_info, open_letter, seal_letter
from orders.signed import Signed

if TYPE_CHECKING:
    from orders.keys import Signer


@dataclass(frozen=True, slots=True)
class Sent:
    """A validly signed letter: its values, its file, and its sealed press by who can open it."""

    letter: Letter
    file: Signed
    sealed: bytes | None


def path_of(player: str, number: int) -> str:
    """A letter's name in its bundle; letters are not in the record."""
    return f"letters/{player}-{number:04d}.toml"


def sealed_path_of(player: str, number: int) -> str:
    """The name of a letter's sealed press in its bundle."""
    return f"letters/{player}-{number:04d}.sealed"


def write(opening: Opening, letter: Letter, signer: Signer, press: Press | None = None) -> Bundle:
    """A signed letter to the host; `press` is what it carries, if anything. Raises Refused."""
    held: dict[str, bytes] = {}
    path = path_of(letter.player, letter.number)
    if press is not None:
        info = letter_info("letter", opening.id, letter.number, letter.player)
        sealed = seal_letter(
            bytes.fromhex(opening.offer.invite.letters), info, press.render(), PRESS_SIZE
        )
        held[sealed_path_of(letter.player, letter.number)] = sealed
        named = None if letter.player == HOST else digest(sealed)
        letter = replace(letter, text=digest(press.render()), sealed=named)
    data = letter.render()
    return bundles.pack("letter", held | Signed(data, signer.sign(sshsig.LETTER, data)).files(path))


def passed_on(opening: Opening, bundle: Bundle, letter: Letter, press: Press, to: Join) -> Bundle:
    """A letter's bundle as it goes to the player of that join: its press sealed to them."""
    held = dict(bundle.files)
    info = letter_info("press", opening.id, letter.number, to.player)
    sealed = seal_letter(bytes.fromhex(to.letters), info, press.render(), PRESS_SIZE)
    return bundles.pack("letter", held | {sealed_path_of(letter.player, letter.number): sealed})


def read_bundle(opening: Opening, joins: Mapping[str, Join], bundle: Bundle) -> Sent:
    """A letter's bundle, its signature checked; raises Refused. `joins`: who sits where now."""
    if bundle.kind != "letter":
        raise Refused("bad-bundle", f"a bundle of kind {bundle.kind}: expected a letter")
    held = dict(bundle.files)
    paths = [path for path in held if path.endswith(".toml")]
    if len(paths) != 1:
        raise Refused("bad-bundle", f"{len(paths)} letters in a bundle: expected one")
    path = paths[0]
    sealed_path = f"{path[:-5]}.sealed"
    foreign = set(held) - {path, names.signature(path), sealed_path}
    if foreign:
        raise Refused("bad-bundle", f"{min(foreign)} belongs into no letter")
    if names.signature(path) not in held:
        raise Refused("bad-signature", f"{path}: its signature is not in the bundle")
    file = Signed(held[path], held[names.signature(path)])
    with at(path):
        letter = read_letter(file.data)
        if path != path_of(letter.player, letter.number) or letter.game != opening.id:
            raise Refused("mismatch", "the letter is of another game, player or number")
        if letter.player == HOST:
            file.verify(opening.offer.host, sshsig.LETTER)
        elif letter.player in joins:
            file.verify(read_public(joins[letter.player].key), sshsig.LETTER)
        else:
            raise Refused("bad-signature", f"nobody in this game is called {letter.player}")
    return Sent(letter, file, held.get(sealed_path))


def open_press(sent: Sent, key: SealingKey, info: bytes, text: Digest | None) -> Press:
    """The message of a letter, which must be the one whose digest was signed; raises Refused.

    `info`: what it was sealed under, as `orders.sealing.letter_info` gives it.
    """
    if sent.sealed is None or text is None:
        raise Missing(sealed_path_of(sent.letter.player, sent.letter.number))
    data = open_letter(key, info, sent.sealed, PRESS_SIZE)
    if digest(data) != text:
        raise Refused("unopenable", "the message is not the one that its writer signed")
    return read_press(data)


def text_of(bundle: Bundle) -> Digest:
    """The digest of the message in a letter that was checked before; "" where it carries none."""
    path = next(path for path, _ in bundle.files if path.endswith(".toml"))
    return read_letter(dict(bundle.files)[path]).text or ""
