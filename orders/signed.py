"""A signed file: its bytes and its detached signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from orders import names, sshsig
from orders.fields import Digest, digest
from orders.public_key import PublicKey

if TYPE_CHECKING:
    from orders.keys import Signer


class Signed(NamedTuple):
    """The bytes of a file and its signature. Neither is checked until `verify` is called."""

    data: bytes
    signature: bytes

    @classmethod
    def by(cls, signer: Signer, namespace: str, data: bytes) -> Signed:
        """`data`, signed. Raises Refused `bad-key` if the signer does not sign."""
        return cls(data, signer.sign(namespace, data))

    @property
    def digest(self) -> Digest:
        """The SHA-256 of the data."""
        return digest(self.data)

    def verify(self, public: PublicKey, namespace: str) -> bytes:
        """The data, once its signature by `public` holds; raises Refused `bad-signature`."""
        sshsig.verify(public, namespace, self.data, self.signature)
        return self.data

    def files(self, path: str) -> dict[str, bytes]:
        """The two files as they lie in a folder: `path` and its signature."""
        return {path: self.data, names.signature(path): self.signature}
