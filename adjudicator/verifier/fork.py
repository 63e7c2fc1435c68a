"""What a host cannot have signed honestly: two entries of one number, two answers to one slip.

What belongs here: finding the two in records or receipts, and a proof that needs no other file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudicator.core import receipts
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.receipts import OrderReceipt
from adjudicator.core.source import Source, signed
from orders import names, sshsig
from orders.entries import Genesis, read_entry
from orders.errors import Missing, Refused, at
from orders.fields import Digest
from orders.sshsig import Signed


class Proof(NamedTuple):
    """Two files that contradict each other, both signed by the host of one invite.

    `namespace` is that of their signatures. `summary` says in a line what they prove; `compare`
    says what to look for in them once the signatures hold. `file` is their name in a record.
    """

    offer: Offer
    invite: Signed
    namespace: str
    one: Signed
    other: Signed
    summary: str
    file: str
    compare: str

    def text(self) -> str:
        """The proof with all files that it needs, to be checked with sha256sum and ssh-keygen."""
        parts = [
            f"PROOF: {self.summary}",
            "",
            f"{self.file} is",
            f"{self.one.digest} and",
            f"{self.other.digest}.",
            f"Both signatures hold under the key in the invite, namespace {self.namespace}.",
            "To check: save each file below with its signature, then for first and second",
            f"  printf 'host %s\\n' '{self.offer.host.line}' > signers",
            f"  ssh-keygen -Y verify -f signers -I host -n {self.namespace} -s FILE.sig < FILE",
            f"and for the invite the same with -n {sshsig.INVITE}. Then see that",
            self.compare,
        ]
        held = (("invite.toml", self.invite), ("first.toml", self.one), ("second.toml", self.other))
        for name, file in held:
            parts += ["", f"--- {name} ---", file.data.decode("ascii").rstrip("\n")]
            parts += [f"--- {name}.sig ---", file.signature.decode("ascii").rstrip("\n")]
        return "\n".join(parts) + "\n"


# Two histories.


def prove(one: Source, other: Source) -> Proof:
    """The first number at which two records hold different signed entries; raises Refused."""
    offer = read_offer(one)
    if read_offer(other).digest != offer.digest:
        raise Refused("mismatch", "the two records are of different invites: no fork of one game")
    step, game = 0, None
    while True:
        mine, theirs = _entry(offer, one, step, game), _entry(offer, other, step, game)
        if mine is None or theirs is None:
            raise Refused(
                "no-fork", f"the two histories agree as far as both go, to entry {step - 1}"
            )
        if mine.data != theirs.data:
            return Proof(
                offer,
                signed(one, names.INVITE),
                sshsig.ENTRY,
                mine,
                theirs,
                f"the host {offer.host.fingerprint} signed two entries {step} of one game",
                names.entry(step),
                f"both say step = {step} and {_line(mine, 'invite' if step == 0 else 'game')}.",
            )
        if step == 0:
            game = mine.digest
        step += 1


def _entry(offer: Offer, source: Source, step: int, game: Digest | None) -> Signed | None:
    """An entry whose signature is verified; None if there is none; raises Refused.

    The entry must name that step and game, because a renamed file, or one of the host's other
    games, accuses nobody.
    """
    path = names.entry(step)
    try:
        file = signed(source, path)
    except Missing:
        return None
    with at(path):
        entry = read_entry(file.verify(offer.host, sshsig.ENTRY))
        of_game = entry.invite == offer.digest if isinstance(entry, Genesis) else entry.game == game
        if entry.step != step or not of_game:
            raise Refused("mismatch", f"is not entry {step} of this game, so it proves nothing")
    return file


def _line(file: Signed, key: str) -> str:
    """The line of a document that begins with that key."""
    lines = file.data.decode("ascii").split("\n")
    return next(line for line in lines if line.startswith(f"{key} = "))


# Two answers to one slip.


def prove_answers(source: Source, given: Sequence[OrderReceipt]) -> Proof:
    """The first two receipts that contradict each other about one slip; raises Refused.

    `given` were read with `core.receipts.read`, so their signatures hold.
    """
    found = receipts.contradictions(given)
    if not found:
        raise Refused("no-fork", f"no two of the {len(given)} receipts contradict each other")
    one, other = found[0]
    offer = read_offer(source)
    said = f"{one.receipt.status} and {other.receipt.status}"
    return Proof(
        offer,
        signed(source, names.INVITE),
        sshsig.RECEIPT,
        one.file,
        other.file,
        f"the host {offer.host.fingerprint} answered one slip in two ways, {said}",
        f"The {one.place},",
        f"both have {_line(one.file, 'slip')}, and their statuses are {said}.",
    )


# Two orders of one revision.


def two_slips(one: Source, other: Source) -> Iterator[str]:
    """A line for each player who signed two different slips of one game, step and revision.

    No file can tell who wrote the second one: the player, or somebody with the player's key.
    """
    mine, theirs = _slips(one), _slips(other)
    for place, file in mine.items():
        if place in theirs and theirs[place].data != file.data:
            _, player, step, revision = place
            yield (
                f"{player} signed two orders as step {step}, revision {revision}: "
                f"{file.digest} and {theirs[place].digest}"
            )


def _slips(source: Source) -> dict[tuple[Digest, str, int, int], Signed]:
    """The slips of a record whose signatures hold, by player, step and revision."""
    found: dict[tuple[Digest, str, int, int], Signed] = {}
    try:
        ledger = Ledger.read(source)
    except Refused:
        return found
    for link in ledger.links():
        for player, slip in link.slips.items():
            place = (slip.game, slip.player, slip.step, slip.revision)
            found[place] = signed(source, names.slip(link.step, player))
    return found
