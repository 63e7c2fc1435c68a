"""Signing keys: OpenSSH key files, keys in a running agent, keys made of a seed.

What belongs here: reading and writing key files, and getting something signed. `public_key.py` says
which public keys are taken. Imports that only agents or key files need are inside the functions, so
that other commands start faster.
"""

from __future__ import annotations

import binascii
import contextlib
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from orders import crypto, sshsig
from orders.errors import Refused, pasteable
from orders.public_key import Cursor, PublicKey, from_blob, read_public_file

LARGEST_FILE = 16_384
COMMENT = "adjudicator"
"""The comment of a new key if the caller gives none that fits."""

LONGEST_COMMENT = 200

_BINARY = getattr(os, "O_BINARY", 0)
_NOT_WAITING = getattr(os, "O_NONBLOCK", 0)
"""Keeps `open` from hanging if the file is a FIFO."""

_MAGIC = b"openssh-key-v1\0"
_BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END = b"-----END OPENSSH PRIVATE KEY-----"
_LISTING_SECONDS = 20
_SIGNING_SECONDS = 120
"""Long enough for somebody to answer an agent that asks before it signs."""

_ADD = "start ssh-agent and run ssh-add on the private key, or name the private key's file"


class Signer(Protocol):
    """Who can sign files with one key."""

    @property
    def public(self) -> PublicKey:
        """The public half, which goes into an invite or a join."""

    def sign(self, namespace: str, message: bytes) -> bytes:
        """The armored signature of `message`, as `ssh-keygen -Y sign` writes it."""


@dataclass(frozen=True, slots=True)
class MemoryKey:
    """An Ed25519 private key in this process."""

    public: PublicKey
    seed: bytes = field(repr=False, compare=False)

    @classmethod
    def from_seed(cls, seed: bytes) -> MemoryKey:
        """The key whose 32 private bytes are `seed` (RFC 8032 section 5.1.5)."""
        return cls(PublicKey(crypto.ed25519_public(seed)), seed)

    def sign(self, namespace: str, message: bytes) -> bytes:
        """See Signer."""
        signature = crypto.ed25519_sign(self.seed, sshsig.signed_data(namespace, message))
        return sshsig.armor(sshsig.blob(self.public, namespace, signature))


class AgentKey(NamedTuple):
    """A key that a running ssh-agent holds; it signs through `ssh-keygen -Y sign`."""

    public: PublicKey

    def sign(self, namespace: str, message: bytes) -> bytes:
        """See Signer. Raises Refused `bad-key` if the agent does not sign."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
            # A public key with no private key beside it: ssh-keygen must turn to the agent.
            path = Path(folder, "key.pub")
            path.write_text(f"{self.public.line}\n", encoding="ascii")
            armored = _run(
                ["ssh-keygen", "-q", "-Y", "sign", "-f", str(path), "-n", namespace],
                message,
                _SIGNING_SECONDS,
            )
        if armored is None:
            raise Refused(
                "bad-key", f"the ssh-agent did not sign with {self.public.fingerprint}", _ADD
            )
        sshsig.verify(self.public, namespace, message, armored)
        return armored


class FileKey(NamedTuple):
    """A key file with a passphrase that this program cannot open: `ssh-keygen -Y sign` asks for the
    passphrase itself, at each signature."""

    public: PublicKey
    path: Path

    def sign(self, namespace: str, message: bytes) -> bytes:
        """See Signer. Raises Refused `bad-key` if ssh-keygen does not sign."""
        import subprocess

        command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(self.path), "-n", namespace]
        try:
            done = subprocess.run(command, input=message, stdout=subprocess.PIPE, check=False)
        except OSError as error:
            raise _bad(self.path, f"needs ssh-keygen: {error.strerror}", _ADD) from None
        if done.returncode:
            raise _bad(self.path, "did not open: ssh-keygen did not sign", "try again")
        sshsig.verify(self.public, namespace, message, done.stdout)
        return done.stdout


def _run(command: list[str], given: bytes, seconds: int) -> bytes | None:
    """The program's standard output; None if it is not there, fails or takes too long."""
    import subprocess

    try:
        done = subprocess.run(
            command, input=given, capture_output=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def agent_keys() -> tuple[PublicKey, ...]:
    """The Ed25519 keys that a running ssh-agent holds; those of other kinds are left out."""
    if not os.environ.get("SSH_AUTH_SOCK") and os.name == "posix":
        return ()
    listing = _run(["ssh-add", "-L"], b"", _LISTING_SECONDS)
    found = []
    for line in (listing or b"").splitlines():
        with contextlib.suppress(Refused):
            found.append(read_public_file(line.decode("utf-8", "replace")))
    return tuple(found)


def load_signer(path: Path, ask: Callable[[str], str] | None) -> Signer:
    """The signer for a key file: an OpenSSH private key, or a `.pub` file.

    A private key with a passphrase, and any `.pub` file, is first looked for in the running
    ssh-agent. `ask` gets a prompt and returns the passphrase; it is None if nobody can be asked.
    Raises Refused `bad-key` with a way out.
    """
    data, mode = _read_file(path)
    if data.lstrip().startswith(b"-----BEGIN "):
        header = _read_header(path, data)
        # As ssh does: a private key of ours that others may read is not used.
        if mode & 0o077:
            raise _bad(
                path,
                f"may be used by others (mode {stat.S_IMODE(mode):04o})",
                f"chmod 600 {pasteable(path)}",
            )
        return _load_private(path, header, data, ask)
    public = read_public_file(data.decode("utf-8", "replace"))
    if public not in agent_keys():
        raise _bad(path, f"is a public key, and no ssh-agent holds {public.fingerprint}", _ADD)
    return AgentKey(public)


def _bad(path: Path, message: str, hint: str = "") -> Refused:
    return Refused("bad-key", f"key file {str(path)!a} {message}", hint)


def _read_file(path: Path) -> tuple[bytes, int]:
    """Content and mode of a regular file of at most LARGEST_FILE bytes (mode 0: not looked at)."""
    try:
        handle = os.open(path, os.O_RDONLY | _BINARY | _NOT_WAITING)
        try:
            status = os.fstat(handle)
            regular = stat.S_ISREG(status.st_mode)
            data = b""
            left = LARGEST_FILE + 1 if regular else 0
            while left and (piece := os.read(handle, left)):
                data += piece
                left -= len(piece)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        hint = (
            f"ssh-keygen -t ed25519 -f {pasteable(path)} makes one"
            if isinstance(error, FileNotFoundError)
            else ""
        )
        raise _bad(path, f"cannot be read: {reason}", hint) from None
    if not regular:
        raise _bad(path, "is not a regular file")
    if len(data) > LARGEST_FILE:
        raise _bad(path, f"is larger than {LARGEST_FILE} bytes")
    ours = os.name == "posix" and status.st_uid == os.getuid()
    return data, status.st_mode if ours else 0


class _Header(NamedTuple):
    """The unencrypted part of an OpenSSH private key file (OpenSSH's PROTOCOL.key)."""

    public: PublicKey
    encrypted: bool


def _read_header(path: Path, data: bytes) -> _Header:
    lines = data.strip().splitlines()
    if lines[0] != _BEGIN or lines[-1] != _END:
        first = lines[0][:60].decode("latin-1")
        wrong = f"it begins with {first!a}" if lines[0] != _BEGIN else "it is cut off"
        raise _bad(
            path,
            f"holds no private key of OpenSSH: {wrong}",
            "make a key with `ssh-keygen -t ed25519`",
        )
    try:
        cursor = Cursor(binascii.a2b_base64(b"".join(lines[1:-1]), strict_mode=True))
        if cursor.take(len(_MAGIC)) != _MAGIC:
            raise ValueError("does not begin as it must")  # noqa: TRY301 (one place words it)
        cipher = cursor.string()
        cursor.string()
        cursor.string()
        count = cursor.number()
        if count != 1:
            raise ValueError(f"holds {count} keys")  # noqa: TRY301
        public = cursor.string()
    except ValueError as error:
        raise _bad(path, f"is damaged: its content {ascii(str(error))[1:-1]}") from None
    return _Header(from_blob(public), cipher != b"none")


def _load_private(
    path: Path, header: _Header, data: bytes, ask: Callable[[str], str] | None
) -> Signer:
    passphrase = None
    if header.encrypted:
        if header.public in agent_keys():
            return AgentKey(header.public)
        if ask is not None and not crypto.takes_passphrases():
            return FileKey(header.public, path)
        if ask is None:
            raise _bad(path, "has a passphrase, and there is no terminal to ask for it", _ADD)
        passphrase = ask(f"Passphrase for {path}: ").encode("utf-8")
    try:
        signer = MemoryKey.from_seed(crypto.load_openssh(data, passphrase))
    except NotImplementedError as error:
        raise _bad(path, f"is encrypted in an unknown way: {ascii(str(error))[1:-1]}") from None
    except ValueError:
        raise _bad(
            path,
            "does not open with that passphrase" if header.encrypted else "is damaged",
            "try again" if header.encrypted else "",
        ) from None
    if signer.public != header.public:
        raise _bad(path, "holds a public key that is not its own")
    return signer


def write_key(path: Path, comment: str, seed: bytes | None = None) -> PublicKey:
    """Make a key pair as `ssh-keygen -t ed25519` does: `path` (mode 0600) and `path`.pub.

    Neither file may exist. `comment` ends the line of the public key; one that is not printable
    ASCII gives way to COMMENT. `seed` is 32 bytes, by default fresh ones.
    Raises Refused `bad-key`; then neither file is left.
    """
    if not (comment.isascii() and comment.isprintable()) or len(comment) > LONGEST_COMMENT:
        comment = COMMENT
    seed = crypto.fresh() if seed is None else seed
    public = MemoryKey.from_seed(seed).public
    line = f"{public.line} {comment}".rstrip() + "\n"
    beside = Path(f"{path}.pub")
    _create(path, crypto.write_openssh(seed), 0o600)
    try:
        _create(beside, line.encode("ascii"), 0o644)
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return public


def _create(path: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    except OSError as error:
        hint = "choose another name" if isinstance(error, FileExistsError) else ""
        raise _bad(path, f"cannot be written: {error.strerror}", hint) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink()
        raise _bad(path, f"cannot be written: {error.strerror}", "") from None
