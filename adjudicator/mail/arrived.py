"""Mails as a mailbox gives them out, one by one, and errors for those that it cannot give out.

What it must not know: servers, what mails say.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from adjudicator.mail.mime import LARGEST
from orders.errors import Refused
from orders.fields import Time

DONE = "Adjudicated"
ASIDE = "Set-Aside"
"""The mailbox's folders for mails that were dealt with, and for mails that nobody can use."""

HEAD = 2**16
"""The first bytes of a mail that is too large: its headers are looked for only there."""


class Down(Exception):
    """A mailbox that cannot be reached or read now."""


class Unreadable(Exception):
    """A mail that the mailbox does not give out now; it may give out the others."""


class TooBig(Refused):
    """A mail that is too large to be read; `head` holds its headers, as far as they are known."""

    def __init__(self, size: int | str, head: bytes) -> None:
        super().__init__("too-big", f"a mail of {size} bytes, at most {LARGEST} are taken",
                         "send it again without pictures or other attachments")  # fmt: skip
        self.head = head


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail in a mailbox.

    `head` returns, at little cost, the headers that tell who may have written it, or b"". `read`
    returns its bytes, or raises Refused or Unreadable. `done` puts it away. `aside` puts it where a
    person finds it; it is None where whoever delivers the mail keeps it.
    """

    name: str
    head: Callable[[], bytes]
    read: Callable[[], bytes]
    done: Callable[[], None]
    aside: Callable[[], None] | None


Sort: TypeAlias = Callable[[list[Arrived]], Iterable[Arrived]]
"""Takes the mails of the mailbox, oldest first, and returns them in the order in which to read
them."""


class Source(Protocol):
    """A mailbox."""

    def mails(self, sort: Sort = iter) -> Generator[Arrived, None, None]:
        """The mails that lie there; raises Down."""

    def forget(self, before: Time) -> int:
        """Delete the mails that were dealt with and came before that time; how many. Raises
        Down."""
