"""One record verified on several processors: the same findings, sooner.

Helpers check signatures while the chain is read, and do the first part of the second adjudication
while the rest is done here. A helper says only whether everything that it checked holds. If
anything does not, the record is verified once more without helpers; so the findings, their words
and their order are those of one process. The caller passes the helpers in: this module knows no
processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from adjudicator.core.source import Source, signed
from orders.public_key import PublicKey
from orders.signed import Signed

FEW = 128
"""The least signatures that are worth a helper."""


class Helpers(Protocol):
    """Runs checks elsewhere, with everything that this process knows now, and says whether they
    hold."""

    def give(self, check: Callable[[], bool]) -> None:
        """Have something checked. A check that raises an error has failed."""

    def all_hold(self) -> bool:
        """Wait for every check that was given, and return whether all of them hold."""


class Beside:
    """A source whose signatures helpers verify.

    Reading a file only notes that its signature is due: nothing is verified until `all_hold` says
    so.
    """

    def __init__(self, source: Source, helpers: Helpers) -> None:
        self.source = source
        self.helpers = helpers
        self._due: list[tuple[Signed, PublicKey, str]] = []
        self._given = 0

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted."""
        return self.source.paths()

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        return self.source.read(path)

    def signed(self, path: str) -> Signed:
        """A file with its signature; raises Missing or Refused."""
        file = signed(self.source, path)
        return _Due(file.data, file.signature, self._note)

    def _note(self, file: Signed, public: PublicKey, namespace: str) -> None:
        self._due.append((file, public, namespace))
        # Helpers have what this process had when they began, and can be given no more. With a few
        # large parts one helper would be busy when all else is done; many small parts cost more.
        if len(self._due) >= max(FEW, self._given // 8):
            self._give()

    def _give(self) -> None:
        due, self._due = self._due, []
        self._given += len(due)
        if due:
            self.helpers.give(lambda: _verified(due))

    def share(self, check: Callable[[], bool]) -> None:
        """Have the due signatures checked, and `check` too."""
        self._give()
        self.helpers.give(check)

    def all_hold(self) -> bool:
        """Wait for every check that was given, and return whether all of them hold."""
        self._give()
        return self.helpers.all_hold()


@dataclass(frozen=True, slots=True)
class _Due(Signed):
    """A signed file whose signature a helper verifies."""

    note: Callable[[Signed, PublicKey, str], None]

    def verify(self, public: PublicKey, namespace: str) -> bytes:
        """The data; its signature is noted as due."""
        self.note(Signed(self.data, self.signature), public, namespace)
        return self.data


def _verified(due: list[tuple[Signed, PublicKey, str]]) -> bool:
    """Whether every signature holds; raises Refused for one that does not."""
    for file, public, namespace in due:
        file.verify(public, namespace)
    return True
