"""Writing and opening letters: press and notices of absence, in the bundles that carry them.

What belongs here: what both ends of a letter share, and the player's end. What it must not know:
what the host allows, mail.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from adjudicator import bundles
from adjudicator.opening import Opening
from orders import names, sshsig
from orders.bundle import Bundle
from orders.errors import Missing, Refused, at
from orders.fields import Digest, digest
from orders.keys import Signer
from orders.letter import HOST, SIZE, Letter, Press, read_letter, read_press
from orders.sealing import SealingKey, info, seal, unseal


@dataclass(frozen=True, slots=True)
class Sent:
    """A validly signed letter: its bytes, and its sealed press by who can open it."""

    letter: Letter
    data: bytes
    sealed: bytes | None

    @property
    def digest(self) -> Digest:
        """The letter's."""
        return digest(self.data)


def path_of(player: str, number: int) -> str:
    """A letter's name in its bundle; letters are not in the record."""
    return f"letters/{player}-{number:04d}.toml"


def sealed_path_of(player: str, number: int) -> str:
    """The name of a letter's sealed press in its bundle."""
    return f"letters/{player}-{number:04d}.sealed"


def write(opening: Opening, letter: Letter, signer: Signer, press: Press | None = None) -> Bundle:
    """A signed letter for the host; `press` is what it carries, if anything. Raises Refused."""
    held: dict[str, bytes] = {}
    path = path_of(letter.player, letter.number)
    if press is not None:
        sealed = seal_press(opening, letter, press, HOST)
        held[sealed_path_of(letter.player, letter.number)] = sealed
        named = None if letter.player == HOST else digest(sealed)
        letter = replace(letter, text=digest(press.render()), sealed=named)
    data = letter.render()
    held |= {path: data, names.signature(path): signer.sign(sshsig.LETTER, data)}
    return bundles.pack("letter", held)


def passed_on(opening: Opening, bundle: Bundle, letter: Letter, press: Press, to: str) -> Bundle:
    """A letter's bundle as it goes to the player `to`: its press sealed to them."""
    held = dict(bundle.files)
    sealed = seal_press(opening, letter, press, to)
    return bundles.pack("letter", held | {sealed_path_of(letter.player, letter.number): sealed})


def seal_press(opening: Opening, letter: Letter, press: Press, to: str) -> bytes:
    """A message sealed to the host's `letters` key or to a player's own."""
    if to == HOST:
        key, reader = opening.offer.invite.letters, letter.player
    else:
        key, reader = opening.joins[to].sealing, to
    place = info("letter", opening.id, letter.number, reader)
    return seal(bytes.fromhex(key), place, press.render(), SIZE)


def read_bundle(opening: Opening, bundle: Bundle) -> Sent:
    """A letter's bundle, its signature checked; raises Refused."""
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
    with at(path):
        letter = read_letter(held[path])
        if path != path_of(letter.player, letter.number) or letter.game != opening.id:
            raise Refused("mismatch", "the letter is of another game, player or number")
        key = opening.offer.host if letter.player == HOST else opening.keys.get(letter.player)
        if key is None or names.signature(path) not in held:
            raise Refused("bad-signature", "there is no such player, or no signature")
        sshsig.verify(key, sshsig.LETTER, held[path], held[names.signature(path)])
    return Sent(letter, held[path], held.get(sealed_path))


def open_press(
    opening: Opening, sent: Sent, key: SealingKey, reader: str, text: Digest | None
) -> Press:
    """The message of a letter, which must be the one whose digest was signed; raises Refused.

    `reader` is who opens it; for the host the letter's writer (what it was sealed under).
    """
    if sent.sealed is None or text is None:
        raise Missing(sealed_path_of(sent.letter.player, sent.letter.number))
    place = info("letter", opening.id, sent.letter.number, reader)
    data = unseal(key, place, sent.sealed, SIZE)
    if digest(data) != text:
        raise Refused("unopenable", "the message is not the one that its writer signed")
    return read_press(data)
