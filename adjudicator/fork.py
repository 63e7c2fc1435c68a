"""Two histories signed by one host: finding them in two records, and a proof that travels alone."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.opening import Offer, read_offer
from adjudicator.record import Record
from adjudicator.signed import read_signed
from orders import names, sshsig
from orders.errors import Missing, Refused, at
from orders.fields import digest


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
            f"and for the invite the same with -n {sshsig.INVITE}.",
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
    step = 0
    while True:
        mine, theirs = _entry(offer, one, step), _entry(offer, other, step)
        if mine is None or theirs is None:
            raise Refused(
                "no-fork", f"the two histories agree as far as both go, to entry {step - 1}"
            )
        if mine[0] != theirs[0]:
            invite = one.read(names.INVITE)
            signature = one.read(names.signature(names.INVITE))
            return Proof(offer, invite, signature, step, mine, theirs)
        step += 1


def _entry(offer: Offer, record: Record, step: int) -> tuple[bytes, bytes] | None:
    path = names.entry(step)
    try:
        with at(record.root.name):
            data = read_signed(record, offer.host, sshsig.ENTRY, path)
        return data, record.read(names.signature(path))
    except Missing:
        return None
