"""The one error for files that are not taken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Refused(Exception):
    """A file, key or signature that is not what it must be; nothing of it is used.

    `word` is stable and named in `docs/formats/errors.md` (`bad-signature`, `malformed`, ...);
    `message` is one line of printable ASCII that quotes what was found; `hint` says how to go on,
    or is "".
    """

    def __init__(self, word: str, message: str, hint: str = "") -> None:
        super().__init__(word, message, hint)
        self.word = word
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.word}: {self.message}"


class Missing(Refused):
    """A file that is not there."""

    def __init__(self, path: str) -> None:
        super().__init__("missing", f"{path} is not there")
        self.path = path


@contextmanager
def at(path: str) -> Iterator[None]:
    """Name the file in what is refused within."""
    try:
        yield
    except Refused as error:
        raise Refused(error.word, f"{path}: {error.message}", error.hint) from None
