"""Detached signatures as `ssh-keygen -Y sign` writes them (OpenSSH's PROTOCOL.sshsig).

What belongs here: the bytes of a signature, a file with its own, and whether it is that of an
expected key for an expected kind of file. The key inside a signature is never believed: the
signature is built again for the key that should have signed, and compared byte for byte.
"""

from __future__ import annotations

import binascii
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from orders import crypto, names
from orders.errors import Refused
from orders.fields import Digest, digest
from orders.public_key import KIND, PublicKey, fingerprint, point_fault, string

if TYPE_CHECKING:
    from orders.keys import Signer

INVITE = "adjudicator-invite"
JOIN = "adjudicator-join"
SLIP = "adjudicator-slip"
ENTRY = "adjudicator-entry"
RECEIPT = "adjudicator-receipt"
LETTER = "adjudicator-letter"
CONSENT = "adjudicator-seat"
DUEL = "adjudicator-duel"
NAMESPACES = (INVITE, JOIN, SLIP, ENTRY, RECEIPT, LETTER, CONSENT, DUEL)
"""One for each kind of file, so that a signature under one kind is none under another."""

LARGEST = 4_096
"""Bytes of the largest armored signature that is looked at; ours have about 300."""

_MAGIC = b"SSHSIG"
_BEGIN = b"-----BEGIN SSH SIGNATURE-----\n"
_END = b"-----END SSH SIGNATURE-----\n"
_HASH = b"sha512"
_LINE = 70
_KEY = len(_MAGIC) + 8
"""Where the signer's key begins in a signature's content."""
_L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point (RFC 8032 section 5.1); a signature's S must be below it."""


def signed_data(namespace: str, message: bytes) -> bytes:
    """The bytes that Ed25519 signs: namespace and SHA-512 of `message` (PROTOCOL.sshsig 3)."""
    return _signed_prefix(namespace) + hashlib.sha512(message).digest()


@lru_cache(maxsize=64)
def _signed_prefix(namespace: str) -> bytes:
    fields = (namespace.encode("ascii"), b"", _HASH)
    return _MAGIC + b"".join(map(string, fields)) + (64).to_bytes(4, "big")


def blob(public: PublicKey, namespace: str, signature: bytes) -> bytes:
    """The signature file's content before armoring; `signature` is Ed25519's 64 bytes."""
    return _blob_prefix(public, namespace) + signature


@lru_cache(maxsize=1024)
def _blob_prefix(public: PublicKey, namespace: str) -> bytes:
    """All of a blob but the 64 bytes at its end (PROTOCOL.sshsig 2)."""
    fields = (public.blob, namespace.encode("ascii"), b"", _HASH)
    kind = string(KIND.encode())
    length = (len(kind) + 4 + 64).to_bytes(4, "big")
    head = _MAGIC + (1).to_bytes(4, "big") + b"".join(map(string, fields))
    return head + length + kind + (64).to_bytes(4, "big")


def armor(content: bytes) -> bytes:
    """`content` as base64 in lines of 70 between the BEGIN and END lines (PROTOCOL.sshsig 1)."""
    text = binascii.b2a_base64(content, newline=False)
    lines = [text[at : at + _LINE] for at in range(0, len(text), _LINE)]
    return _BEGIN + b"\n".join(lines) + b"\n" + _END


class OtherKey(Refused):
    """A signature by another key than the one expected."""


def verify(public: PublicKey, namespace: str, message: bytes, armored: bytes) -> None:
    """Check that `armored` is the signature of `message` by `public` under `namespace`.

    `armored` must be the exact bytes that `ssh-keygen -Y sign` would have written.
    Raises Refused `bad-signature`, saying what differs.
    """
    try:
        content = binascii.a2b_base64(armored[len(_BEGIN) : LARGEST][: -len(_END)])
    except ValueError:
        content = b""
    signature = content[-64:]
    if armor(blob(public, namespace, signature)) != armored:
        raise _other(public, namespace, content, armored)
    if int.from_bytes(signature[32:], "little") >= _L:
        raise _refusal("the number S in it is not below the group order (a forged twin)")
    fault = point_fault(signature[:32])
    if fault is not None:
        raise _refusal(f"the point R in it is {fault}")
    # What is left is one equation: encode(S*B - k*A) equals the 32 bytes R. Libraries without a
    # cofactor all come to it here. They differ in whether they compare points or encodings, and in
    # which A, R and S they refuse beforehand; with A and R canonical and not of low order (A by
    # `public_key.check_raw`), and S < L, neither makes a difference. A library that multiplies by
    # the cofactor takes more, and fails the vectors in `tests/suite/signatures-torsion.json`.
    if not crypto.ed25519_verify(public.raw, signed_data(namespace, message), signature):
        plain = message.replace(b"\r\n", b"\n")
        if crypto.ed25519_verify(public.raw, signed_data(namespace, plain), signature):
            raise _refusal(
                "the file was signed with other line ends: now they are CR LF",
                "a mail program, or git with core.autocrlf, changed them: take the file again",
            )
        raise _refusal(
            f"not by {public.fingerprint} over these bytes",
            "one of the two files was changed after it was signed",
        )


def _refusal(message: str, hint: str = "") -> Refused:
    return Refused("bad-signature", f"signature: {message}", hint)


def _other(public: PublicKey, namespace: str, content: bytes, armored: bytes) -> Refused:
    """What the file is, where it is not the signature that is expected."""
    if armor(content) == armored:
        begin, end = _KEY, _KEY + len(public.blob)
        signature, key = content[-64:], content[begin:end]
        if content[:begin] + public.blob + content[end:] == blob(public, namespace, signature):
            what = f"by another key: {fingerprint(key)}, expected {public.fingerprint}"
            return OtherKey("bad-signature", f"signature: {what}")
        for other in NAMESPACES:
            if content == blob(public, other, signature):
                return _refusal(f"it is for the namespace {other!r}, expected {namespace!r}")
    return _refusal(
        "it is not in the one form that ssh-keygen writes",
        "its line ends are CR LF: a mail program, or git, changed them: take the file again"
        if b"\r" in armored
        else "",
    )


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
        verify(public, namespace, self.data, self.signature)
        return self.data

    def files(self, path: str) -> dict[str, bytes]:
        """The two files as they lie in a folder: `path` and its signature."""
        return {path: self.data, names.signature(path): self.signature}
