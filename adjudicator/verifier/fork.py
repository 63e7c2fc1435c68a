"""Two histories signed by one host: finding them in two records, and a proof that travels alone."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.opening import Offer, read_offer
from adjudicator.record import Record
from adjudicator.signed import read_signed
from orders import names, sshsig
from orders.entries import AnyEntry, Genesis, read_entry
from orders.errors import Missing, Refused, at
from orders.fields import Digest, digest


@dataclass(frozen=True, slots=True)
class Proof:
    """Two different entries of one number, each signed by the host of one invite."""

    offer: Offer
    invite: bytes
    invite_signature: bytes
    step: int
    one: tuple[bytes, bytes]
    other: tuple[bytes, bytes]

    @property
    def summary(self) -> str:
        """What it proves, in one line."""
        return f"the host {self.offer.host.fingerprint} signed two entries {self.step}"

    @property
    def _binding(self) -> str:
        """The line by which both entries say that they are of this game."""
        key = b"invite = " if self.step == 0 else b"game = "
        line = next(line for line in self.one[0].split(b"\n") if line.startswith(key))
        return line.decode("ascii")

    def text(self) -> str:
        """The proof with all files that it needs, to be checked with sha256sum and ssh-keygen."""
        parts = [
            "PROOF OF TWO HISTORIES",
            "",
            f"{self.summary} of one game: entries/{self.step:04d}.toml is",
            f"{digest(self.one[0])} and",
            f"{digest(self.other[0])}.",
            "Both signatures hold under the key in the invite, namespace "
            f"{sshsig.ENTRY}. An honest host signs one entry of a number.",
            "To check: save each file below with its signature, then for the entries",
            f"  printf 'host %s\\n' '{self.offer.host.line}' > signers",
            f"  ssh-keygen -Y verify -f signers -I host -n {sshsig.ENTRY} -s FILE.sig < FILE",
            f"and for the invite the same with -n {sshsig.INVITE}. Then see that first.toml and",
            f"second.toml both say step = {self.step} and {self._binding}.",
        ]
        held = [
            ("invite.toml", self.invite, self.invite_signature),
            ("first.toml", *self.one),
            ("second.toml", *self.other),
        ]
        for name, data, signature in held:
            parts += ["", f"--- {name} ---", data.decode("ascii").rstrip("\n")]
            parts += [f"--- {name}.sig ---", signature.decode("ascii").rstrip("\n")]
        return "\n".join(parts) + "\n"


def prove(one: Record, other: Record) -> Proof:
    """The first number at which the two hold different signed entries; raises Refused."""
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
        if mine[0] != theirs[0]:
            invite = one.read(names.INVITE)
            signature = one.read(names.signature(names.INVITE))
            return Proof(offer, invite, signature, step, mine, theirs)
        if step == 0:
            game = digest(mine[0])
        step += 1


def _entry(
    offer: Offer, record: Record, step: int, game: Digest | None
) -> tuple[bytes, bytes] | None:
    """An entry and its signature, None where there is none; raises Refused.

    It must itself say that it is of that step and game: a file renamed, or signed by the same host
    in another game, accuses nobody.
    """
    path = names.entry(step)
    try:
        with at(record.root.name):
            data = read_signed(record, offer.host, sshsig.ENTRY, path)
            with at(path):
                _check_place(read_entry(data), offer, step, game)
        return data, record.read(names.signature(path))
    except Missing:
        return None


def _check_place(entry: AnyEntry, offer: Offer, step: int, game: Digest | None) -> None:
    of_game = entry.invite == offer.digest if isinstance(entry, Genesis) else entry.game == game
    if entry.step != step or not of_game:
        raise Refused("mismatch", f"is not entry {step} of this game, so it proves nothing")
