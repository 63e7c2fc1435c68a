"""`Refused`, the error for every file that is refused, with its file and claim; and the words of
receipts and protests."""

from __future__ import annotations

STATUSES = ("accepted", "stale", "superseded", "unopenable", "absent", "malformed", "illegal")
"""What a receipt says of an order: that it was taken, or why not."""

TEMPORARY = ("busy", "unwritable")
"""Words of refusals that are no fault of what was given: it can be given again."""

PROTESTS = ("report", "undelivered", "order", "time", "ruling")
"""What a slip may protest against."""


CLAIMS = ("entries", "orders", "dice", "replay", "time", "host", "receipts")
"""Every claim that verification makes about a record, in the order in which they are told."""


class Refused(Exception):
    """A file, key or signature that is not what it must be; nothing of it is used.

    `word` is stable and named in `docs/formats/errors.md` (`bad-signature`, `malformed`, ...);
    `message` is one line of printable ASCII that quotes what was found; `hint` says how to go on,
    or is "". `claim` names the claim of `verify` that is false because of it, if the check says
    which.
    """

    claim = ""

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


class at:  # noqa: N801 - reads as a word: `with at(path):`
    """Puts the file's name in front of what is refused inside the block. A class, because it is on
    verification's hot path."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Put the file's name in front of what was refused."""
        if isinstance(error, Refused) and not isinstance(error, Missing):
            error.message = f"{self.path}: {error.message}"


class claim:  # noqa: N801 - as `at`: `with claim("time"):`
    """A refusal inside this block counts against the claim, unless an inner block names another."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        if name not in CLAIMS:
            raise ValueError(f"there is no claim {name!a}")
        self.name = name

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Note the claim in a refusal that has none yet."""
        if isinstance(error, Refused) and not error.claim:
            error.claim = self.name


def shown(text: str) -> str:
    """A text in one line: one with unprintable characters, such as a newline in a file's name, is
    quoted."""
    return text if text.isprintable() else ascii(text)


def named(character: str) -> str:
    """A character that is not taken, for the sentence that says so: `EN DASH (U+2013)`."""
    import unicodedata

    if "\udc80" <= character <= "\udcff":
        return f"a byte of another encoding (0x{ord(character) - 0xDC00:02x})"
    return f"{unicodedata.name(character, 'a control character')} (U+{ord(character):04X})"


def pasteable(path: object) -> str:
    """A path, or any text, as one word for a shell: hints hold commands to be pasted.

    The word is printable ASCII; other characters are written as `$'...'`, which bash, zsh and ksh
    read. Paths have slashes on Windows too, which every program and shell takes there.
    """
    text = path.as_posix() if hasattr(path, "as_posix") else str(path)
    if text.isascii() and text.isprintable():
        import shlex

        return shlex.quote(text)
    data = text.encode("utf-8", "surrogateescape")
    plain = b"'\\"
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in plain else f"\\x{byte:02x}" for byte in data
    )
    return f"$'{escaped}'"
