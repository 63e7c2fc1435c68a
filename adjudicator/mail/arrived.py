"""Mails as a mailbox gives them out, one by one, and errors for those that it cannot give out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from adjudicator.mail.mime import LARGEST
from orders.errors import Refused
from orders.fields import Time

DONE = "Adjudicated"
ASIDE = "Set-Aside"
"""The mailbox's folders for mails that were dealt with, and for mails that could not be."""

HEAD = 2**16
"""Of a mail that is too large, only so many bytes are searched for headers."""


class Down(Exception):
    """The mailbox cannot be reached or read now."""


class Unreadable(Exception):
    """The mailbox does not give out this mail now; it may give out others."""


class TooBig(Refused):
    """A mail that is too large to be read; `head` holds its headers, as far as they are known."""

    def __init__(self, size: int, head: bytes) -> None:
        super().__init__("too-big", f"a mail of {size} bytes, at most {LARGEST} are taken",
                         "send it again without pictures or other attachments")  # fmt: skip
        self.head = head


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail in a mailbox.

    `head` returns, at little cost, the headers that tell who may have written it, or b"". `read`
    returns its bytes, or raises Refused or Unreadable. `done` puts it away. `aside` puts it where a
    person finds it.
    """

    name: str
    head: Callable[[], bytes]
    read: Callable[[], bytes]
    done: Callable[[], None]
    aside: Callable[[], None]


Sort: TypeAlias = Callable[[list[Arrived]], Iterable[Arrived]]
"""Takes the mails of the mailbox, oldest first, and returns them in the order in which to read
them."""


class Mailbox(Protocol):
    """A mailbox."""

    def mails(self, sort: Sort = iter) -> Generator[Arrived, None, None]:
        """The mails in it; raises Down."""

    def keep(self, mail: bytes) -> None:
        """Put a copy of the host's own among the mails that were dealt with; raises Down."""

    def kept(self, mark: str) -> tuple[str, Iterable[bytes]]:
        """The host's copies that were put there since `mark`, "" for all; and the mark of now.
        Raises Down."""

    def bring_back(self) -> int:
        """Put the mails that were set aside where new ones come; returns how many. Raises Down."""

    def time(self) -> Time | None:
        """The mail server's own time; None if there is no server to ask. Raises Down."""

    def forget(self, before: Time) -> int:
        """Delete the mails that were dealt with and came before that time; returns how many. Raises
        Down."""
