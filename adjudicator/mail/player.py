"""A player's mails to the host, and the thread in which they stand.

In the folder `RECORD.mail/` lies:

| file | holds |
|---|---|
| `thread` | the Message-IDs of the host's last mails, a line each |
| `early/*.txt` | bundles that came before the entries that they follow |
| `seen`, `sent`, `faults` | the notes of `mail.play_sync` |

The host's address is signed, in the invite or in a later letter of the host's. No From line changes
it.
"""

from __future__ import annotations

from adjudicator.core import bundles, opening
from adjudicator.mail.mime import Mail, check_address
from adjudicator.mail.outgoing import Outgoing, PersonsMail, from_person
from adjudicator.player import letters
from adjudicator.player.seat import Seat
from adjudicator.player.table import memory
from adjudicator.store.clock import Clock, SystemClock
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.errors import Refused
from orders.secrets import draw_secret


def remember(copy: Record, mail: Mail) -> None:
    """Remember the thread: the next mail to the host answers this one."""
    if mail.message_id is not None:
        memory(copy).keep_lines("thread", [*mail.references[-8:], mail.message_id])


def wrap(
    copy: Record,
    bundle: Bundle,
    what: str,
    seat: Seat | None,
    me: str | None = None,
    clock: Clock | None = None,
) -> PersonsMail:
    """A mail to the host that carries a bundle; raises Refused if an address is not known.

    It goes to the address that the host signed. `me` is one's own address, if it is not the one
    that the host was told.
    """
    offer = opening.read_offer(copy)
    host = letters.host_address(offer, seat)
    host = _checked(host, "no mail address of the host is known here")
    mine = me or (None if seat is None else seat.address())
    own = _checked(mine, "no mail address of your own is known here")
    mail = Outgoing(
        bundle.digest,
        draw_secret(),
        host,
        f"Re: [{offer.name}] {what}",
        f"{what[:1].upper()}{what[1:]}, in the attached block.\n",
        bundle=bundle,
        name=bundles.name(offer.name, bundle),
        thread=tuple(memory(copy).lines("thread")),
    )
    return from_person(mail, own, (clock or SystemClock()).now())


def _checked(address: str | None, lacking: str) -> str:
    if address is None:
        raise Refused("bad-option", lacking, "adjudicator config address ADDRESS sets your own")
    if check_address(address) is None:
        raise Refused("bad-option", f"{address[:80]!a} is no mail address")
    return address
