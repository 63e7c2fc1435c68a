"""SSH wire strings (RFC 4251 section 5), of which keys and signatures are made."""

from __future__ import annotations


def string(data: bytes) -> bytes:
    """`data` behind its length in four bytes, big-endian."""
    return len(data).to_bytes(4, "big") + data


class Cursor:
    """Takes fields off the front of `data`; every method raises ValueError if it ends too early."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if count > len(self.rest):
            raise ValueError(f"ends {count - len(self.rest)} bytes too early")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self) -> int:
        """A uint32."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """A string without its length."""
        return self.take(self.number())
