"""Reading signed files: the bytes come out only once their signature holds.

What it must not know: what the files mean.
"""

from __future__ import annotations

from adjudicator.record import Source
from orders import names, sshsig
from orders.errors import at
from orders.public_key import PublicKey


def read_signed(source: Source, public: PublicKey, namespace: str, path: str) -> bytes:
    """The bytes of a file whose detached signature holds; raises Missing or Refused."""
    data = source.read(path)
    signature = source.read(names.signature(path))
    with at(names.signature(path)):
        sshsig.verify(public, namespace, data, signature)
    return data
