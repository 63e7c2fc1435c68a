"""Files in memory that can be written: a copy or a seat without a folder."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from adjudicator.core.source import MemoryFiles, Parts


@dataclass
class Memory(MemoryFiles):
    """Files in memory that can be written."""

    held: dict[str, bytes] = field(default_factory=dict)

    def write(self, path: str, data: bytes) -> None:
        """Put a file in place."""
        self.add([{path: data}])

    def add(self, parts: Parts) -> None:
        """Put files in place."""
        for part in parts:
            self.held.update(part)

    def locked(self) -> AbstractContextManager[None]:
        """Nobody else can write."""
        return nullcontext()
