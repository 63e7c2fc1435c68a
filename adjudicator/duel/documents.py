"""All documents of one duel: a set, in whatever order they came and from however many files.

Moves form a tree by what they follow. A document that is out of form, or not signed by its author,
is nobody's: it is not there, and proves nothing against anybody. So whoever holds a `Documents`
holds documents that are signed by whom they must be, and that hang together. Whether what they tell
is true shows in the audit alone.

Each document has a place of its own by its digest, so no file takes another's place; an accept
alone is called `accept.toml` in every folder, as two of them are two duels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.core.source import Source, signed
from adjudicator.duel.row import Row, offered
from games.game import Player
from orders import names, sshsig
from orders.duel import End, Move, read_end, read_move
from orders.errors import Missing, Refused, at
from orders.fields import Digest
from orders.secrets import DuelSecret, commitment
from orders.sshsig import Signed


class Kept(NamedTuple):
    """A document that is in the set: its file's name, and the digest of the accept to whose duel it
    belongs; "" for the offer, which belongs to all."""

    path: str
    file: Signed
    accept: Digest


class Documents:
    """The documents of one duel. `files` are all of them, by their digest.

    `begun`: by each accept's digest the row without moves that it begins. `moves` and `ends`: by
    digest. `notes`: what is nobody's, and why, by the file's name.
    """

    def __init__(self, offer: Signed) -> None:
        """Raises Refused for an offer that is none."""
        self.offered = offered(offer)
        self.files: dict[Digest, Kept] = {offer.digest: Kept(names.OFFER, offer, "")}
        self.begun: dict[Digest, Row] = {}
        self.moves: dict[Digest, Move] = {}
        self.ends: dict[Digest, End] = {}
        self.notes: dict[str, str] = {}

    @property
    def id(self) -> Digest:
        """The digest of the offer, which names the duel."""
        return self.offered.id

    def add(self, path: str, file: Signed) -> bool:
        """Add a document, behind those that it names; False if it is here already.

        Raises Refused for what is nobody's: `not-yet` where it follows what is not here.
        """
        last, accept = file.digest, file.digest
        if last in self.files:
            return False
        with at(path):
            if path == names.OFFER:
                raise Refused("other-game", f"the offer {last[:16]}, this is {self.id[:16]}")
            if path == names.ACCEPT:
                self.begun[last] = self.offered.and_accept(file)
            elif path.startswith("moves/"):
                self.moves[last], accept = self._move(path, file)
            else:
                self.ends[last] = end = self._end(path, file)
                accept = end.accept
        self.files[last] = Kept(path, file, accept)
        return True

    def _move(self, path: str, file: Signed) -> tuple[Move, Digest]:
        move = read_move(file.data)
        if path != names.move(move.number, file.digest):
            raise Refused("mismatch", f"it is {names.move(move.number, file.digest)}")
        number = self.number(move.last)
        if number is None:
            raise Refused(
                "not-yet",
                f"what it follows has not come ({move.last[:16]})",
                "ask for it: adjudicator sync; what was lost comes with the answer",
            )
        if move.number != number + 1:
            raise Refused("mismatch", f"it is move {move.number}, and follows move {number}")
        accept = self.files[move.last].accept
        row = self.begun[accept]
        if (move.nonce is None) != (move.number > 1):
            raise Refused("malformed", "the first move tells the nonce, and no other")
        if move.nonce is not None and commitment(move.nonce) != row.offer.nonce:
            raise Refused("mismatch", "its nonce is not the one that the offer commits to")
        file.verify(row.member(row.author_of(move.number)).key, sshsig.DUEL)
        return move, accept

    def _end(self, path: str, file: Signed) -> End:
        end = read_end(file.data)
        if path != names.end(end.player, file.digest):
            raise Refused("mismatch", f"it is {names.end(end.player, file.digest)}")
        if end.accept not in self.begun:
            raise Refused("other-game", f"it ends another duel ({end.accept[:16]})")
        member = self.begun[end.accept].member(end.player)
        file.verify(member.key, sshsig.DUEL)
        if commitment(end.secret) != member.secret:
            raise Refused("mismatch", f"the secret is not the one that {end.player} committed to")
        return end

    # What is here.

    def row(self, last: Digest) -> Row:
        """The row up to that accept or move."""
        way: list[Digest] = []
        while last in self.moves:
            way.append(last)
            last = self.moves[last].last
        way.reverse()
        return replace(
            self.begun[last], moves=tuple(self.moves[one] for one in way), digests=tuple(way)
        )

    def number(self, last: Digest) -> int | None:
        """The number of the move with that digest, 0 for an accept; None if it is not here."""
        if last in self.begun:
            return 0
        return self.moves[last].number if last in self.moves else None

    def longest(self, accept: Digest, on: Digest = "") -> Digest:
        """The last move of the longest row from that accept; of several the one that goes on from
        `on`, then the one with the least digest."""
        mine = [one for one in self.moves if self.files[one].accept == accept]
        most = max((self.moves[one].number for one in mine), default=0)
        tips = sorted(one for one in mine if self.moves[one].number == most) or [accept]
        if len(tips) > 1:
            tips.sort(key=lambda one: not self.row(one).holds(on))
        return tips[0]

    def ends_of(self, accept: Digest) -> dict[Digest, End]:
        """The ends of the duel of that accept, in the order of their digests."""
        return {one: self.ends[one] for one in sorted(self.ends) if self.ends[one].accept == accept}

    def opened(self, accept: Digest) -> dict[Player, DuelSecret]:
        """The secrets that the ends of that duel have opened, in the order of its members."""
        found = {one.player: one.secret for one in self.ends_of(accept).values()}
        members = (one.name for one in self.begun[accept].members if one.name in found)
        return {name: DuelSecret(bytes.fromhex(found[name])) for name in members}

    def held(self, accept: Digest) -> dict[str, bytes]:
        """The files of the duel of that accept, as a folder and a pack hold them; the offer alone
        for ""."""
        found: dict[str, bytes] = {}
        for kept in self.files.values():
            if kept.accept in ("", accept):
                found |= kept.file.files(kept.path)
        return found


def read(*sources: Source) -> Documents:
    """The documents in a duel's files, in however many folders and packs, as one set.

    Raises Refused for what cannot be judged at all: an offer is missing or no good, there are two,
    or a file is not to be read. Nothing else that somebody adds to a set makes it useless.
    """
    came: list[tuple[str, Signed]] = []
    notes: dict[str, str] = {}
    for source in sources:
        for path in source.paths():
            if names.is_duels(path) and not path.endswith(".sig") and path != names.OFFER:
                try:
                    came.append((path, signed(source, path)))
                except Refused as error:
                    if not isinstance(error, Missing) and error.word != "too-big":
                        raise
                    notes[path] = error.message
    documents = _offered([signed(source, names.OFFER) for source in sources])
    for path, file in sorted(came, key=lambda one: (names.in_duel(one[0]), one[1])):
        try:
            documents.add(path, file)
            notes.pop(path, None)
        except Refused as error:
            notes[path] = error.message
    documents.notes = notes
    return documents


def _offered(offers: Sequence[Signed]) -> Documents:
    """The duel of these offers, which are one; of several copies one must be signed well. Raises
    Refused."""
    found, faults = None, []
    for offer in sorted({*offers}):
        try:
            found = found or Documents(offer)
        except Refused as error:
            faults.append(error)
    if found is None:
        raise faults[0]
    for offer in offers:
        if offer.digest != found.id:
            raise Refused(
                "other-game", f"the offers {found.id[:16]} and {offer.digest[:16]} differ"
            )
    return found


def is_duel(source: Source) -> bool:
    """Whether the files are a duel's."""
    try:
        source.read(names.OFFER)
    except Missing:
        return False
    return True
