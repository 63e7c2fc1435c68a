"""Key files and agents: what ssh-keygen writes is read, what is written ssh-keygen reads."""

import base64
import errno
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import crypto, keys, sshsig
from orders.errors import Refused
from orders.keys import AgentKey, MemoryKey, load_signer, write_key
from orders.public_key import string

posix = pytest.mark.skipif(os.name != "posix", reason="file modes and agent sockets are POSIX")

MESSAGE = b"hello\n"


@pytest.fixture(autouse=True)
def no_agent(monkeypatch):
    """No test sees the agent of whoever runs it."""
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)


@pytest.fixture
def agent(monkeypatch, ssh_keygen):
    """A running ssh-agent of this test alone."""
    folder = Path(tempfile.mkdtemp(prefix="agent"))
    started = subprocess.run(
        ["ssh-agent", "-s", "-a", str(folder / "socket")],
        capture_output=True,
        check=True,
        timeout=30,
    )
    pid = re.search(rb"SSH_AGENT_PID=([0-9]+)", started.stdout)
    assert pid is not None
    monkeypatch.setenv("SSH_AUTH_SOCK", str(folder / "socket"))
    monkeypatch.setenv("SSH_AGENT_PID", pid[1].decode())
    yield
    subprocess.run(["ssh-agent", "-k"], capture_output=True, check=True, timeout=30)
    shutil.rmtree(folder)


def ssh_add(*arguments: str | Path) -> None:
    """Run ssh-add."""
    subprocess.run(
        ["ssh-add", "-q", *map(str, arguments)], capture_output=True, check=True, timeout=30
    )


def never(prompt: str) -> str:
    """An `ask` that must not be called."""
    raise AssertionError(f"asked: {prompt}")


def check_signs(signer: keys.Signer) -> None:
    """The signer's signature is the one of its public key."""
    sshsig.verify(signer.public, sshsig.SLIP, MESSAGE, signer.sign(sshsig.SLIP, MESSAGE))


def test_a_written_key_loads(tmp_path):
    """A key pair that we wrote loads as the same key, from its private file."""
    public = write_key(tmp_path / "key", "alice@home")
    signer = load_signer(tmp_path / "key", never)
    assert signer.public == public
    assert (tmp_path / "key.pub").read_text() == f"{public.line} alice@home\n"
    check_signs(signer)
    assert public != write_key(tmp_path / "other", "")


def test_a_written_key_is_deterministic_in_its_seed(tmp_path):
    """A given seed gives the same key, as demos and vectors need."""
    for name in ("one", "two"):
        public = write_key(tmp_path / name, "c", b"s" * 32)
        assert public == MemoryKey.from_seed(b"s" * 32).public
        assert load_signer(tmp_path / name, never) == MemoryKey.from_seed(b"s" * 32)
    assert (tmp_path / "one.pub").read_bytes() == (tmp_path / "two.pub").read_bytes()


@posix
def test_a_written_key_is_private(tmp_path):
    """The private file has mode 0600 whatever the umask."""
    before = os.umask(0)
    try:
        write_key(tmp_path / "key", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


@pytest.mark.parametrize("first", [True, False])
def test_a_full_disk_leaves_no_half_key(tmp_path, refuses, monkeypatch, first):
    """A key file that holds nothing would stand in the way of the next try."""
    left = iter([] if first else [None])

    def full(handle):
        if next(left, 1):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refuses("bad-key", write_key, tmp_path / "key", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["key", "key.pub"])
def test_nothing_is_overwritten(tmp_path, refuses, there):
    """Where either file exists, it stays as it is and no other is left behind."""
    (tmp_path / there).write_text("precious")
    refuses("bad-key", write_key, tmp_path / "key", "")
    assert (tmp_path / there).read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == [there]


@pytest.mark.parametrize("comment", ["a\nb", "\u00e9", "\x1b[2J", "x" * 201])
def test_comments_are_one_printable_line(tmp_path, comment):
    """A comment that could forge a line or a terminal's gives way to a plain one, and so does one
    of more than 200 characters."""
    write_key(tmp_path / "long", "x" * 200)
    assert (tmp_path / "long.pub").read_text().endswith(f" {'x' * 200}\n")
    public = write_key(tmp_path / "key", comment)
    assert (tmp_path / "key.pub").read_text() == f"{public.line} adjudicator\n"


def test_keys_may_lie_under_any_name(tmp_path):
    """A file of a name with an umlaut is made and loads; its name need not be plain."""
    public = write_key(tmp_path / "j\u00f6rg.key", "j\u00f6rg")
    assert load_signer(tmp_path / "j\u00f6rg.key", never).public == public


@posix
@pytest.mark.parametrize(
    "name", ["j\u00f6rg.key", "my key", "it's", "a\\b", "$(reboot)", "\u00e9'\\"]
)
def test_hints_can_be_pasted(tmp_path, refuses, name):
    """A command in a hint works in a shell, whatever the file's name."""
    path = tmp_path / name
    write_key(path, "")
    path.chmod(0o644)
    hint = refuses("bad-key", load_signer, path, never).hint
    assert hint.startswith("chmod 600 ")
    subprocess.run(["bash", "-c", hint], check=True, timeout=30, env={"PATH": os.environ["PATH"]})
    check_signs(load_signer(path, never))
    path.unlink()
    absent = refuses("bad-key", load_signer, path, never)
    words = absent.hint.removeprefix("ssh-keygen -t ed25519 -f ").removesuffix(" makes one")
    shown = subprocess.run(["bash", "-c", f"printf %s {words}"], capture_output=True, check=True)
    assert shown.stdout == os.fsencode(path)


def test_ssh_keygen_reads_a_written_key(ssh_keygen, tmp_path):
    """ssh-keygen derives the same public key, prints the same fingerprint and signs with it."""
    public = write_key(tmp_path / "key", "a comment")
    assert ssh_keygen("-y", "-f", tmp_path / "key").decode().split() == public.line.split()
    assert public.fingerprint.encode() in ssh_keygen("-l", "-f", tmp_path / "key")
    armored = ssh_keygen(
        "-q", "-Y", "sign", "-f", tmp_path / "key", "-n", sshsig.SLIP, given=MESSAGE
    )
    sshsig.verify(public, sshsig.SLIP, MESSAGE, armored)


@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-gcm@openssh.com"])
def test_a_key_with_passphrase(ssh_keygen, tmp_path, refuses, cipher):
    """The passphrase is asked for once. A wrong one is refused; so is a key with nobody to ask."""
    path = tmp_path / "key"
    ssh_keygen("-q", "-t", "ed25519", "-a", "2", "-Z", cipher, "-N", "open \u00e9", "-f", path)
    asked = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "open \u00e9"

    check_signs(load_signer(path, answer))
    assert asked == [f"Passphrase for {path}: "]
    for wrong in ("", "open", "x" * 100):
        refused = refuses("bad-key", load_signer, path, lambda prompt, wrong=wrong: wrong)
        assert "passphrase" in refused.message
    assert "ssh-agent" in refuses("bad-key", load_signer, path, None).hint


@posix
def test_without_bcrypt_ssh_keygen_asks_itself(ssh_keygen, tmp_path, refuses, monkeypatch):
    """At each signature; this program asks for nothing, and tells where no passphrase was given."""
    path, asks = tmp_path / "key", tmp_path / "asks"
    ssh_keygen("-q", "-t", "ed25519", "-a", "2", "-N", "secret", "-f", path)
    monkeypatch.setitem(sys.modules, "bcrypt", None)
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    monkeypatch.setenv("SSH_ASKPASS", str(asks))
    asks.write_text("#!/bin/sh\necho secret\n")
    asks.chmod(0o700)
    assert "there is no terminal" in refuses("bad-key", load_signer, path, None).message
    signer = load_signer(path, never)
    check_signs(signer)
    asks.write_text("#!/bin/sh\nexit 1\n")
    assert "did not open" in refuses("bad-key", signer.sign, sshsig.SLIP, MESSAGE).message
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "needs ssh-keygen" in refuses("bad-key", signer.sign, sshsig.SLIP, MESSAGE).message


@posix
@pytest.mark.parametrize("passphrase", ["", "secret"])
def test_a_key_in_an_agent_signs(agent, ssh_keygen, tmp_path, passphrase):
    """A `.pub` file, or a private key with a passphrase, signs through the agent unasked."""
    path = tmp_path / "key"
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", path)
    ssh_add(path)
    files = [path.with_name("key.pub")]
    if passphrase:
        ssh_keygen("-q", "-p", "-a", "2", "-P", "", "-N", passphrase, "-f", path)
        files.append(path)
    for file in files:
        signer = load_signer(file, never)
        assert isinstance(signer, AgentKey)
        check_signs(signer)
    path.unlink()
    check_signs(load_signer(files[0], None))


@posix
def test_an_agent_without_the_key_is_no_use(agent, tmp_path, refuses):
    """The agent is asked for the very key: another's is not taken, and a lost one is refused."""
    write_key(tmp_path / "one", "")
    write_key(tmp_path / "two", "")
    ssh_add(tmp_path / "one")
    refuses("bad-key", load_signer, tmp_path / "two.pub", never)
    signer = load_signer(tmp_path / "one.pub", never)
    ssh_add("-d", tmp_path / "one.pub")
    refuses("bad-key", signer.sign, sshsig.SLIP, MESSAGE)


def test_a_public_key_alone_cannot_sign(tmp_path, refuses):
    """Without an agent a `.pub` file is refused with a way out, though its private key is there."""
    write_key(tmp_path / "key", "")
    refused = refuses("bad-key", load_signer, tmp_path / "key.pub", never)
    assert "ssh-add" in refused.hint


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777, 0o610])
def test_keys_that_others_can_read_are_refused(tmp_path, refuses, mode):
    """As ssh does; the hint repairs it."""
    path = tmp_path / "key"
    write_key(path, "")
    path.chmod(mode)
    refused = refuses("bad-key", load_signer, path, never)
    assert refused.hint.startswith("chmod 600")
    path.chmod(0o400)
    check_signs(load_signer(path, never))


@pytest.mark.parametrize("kind", [["rsa", "-b", "2048"], ["ecdsa"]])
@pytest.mark.parametrize("passphrase", ["", "secret"])
def test_other_kinds_of_key_are_refused_by_name(ssh_keygen, tmp_path, refuses, kind, passphrase):
    """RSA and ECDSA keys are refused by name, before any passphrase is asked for."""
    path = tmp_path / "key"
    ssh_keygen("-q", "-t", *kind, "-a", "2", "-N", passphrase, "-f", path)
    for file in (path, path.with_name("key.pub")):
        refused = refuses("bad-key", load_signer, file, never)
        assert kind[0] in refused.message
        assert "ed25519" in refused.hint


def test_pem_keys_are_refused(ssh_keygen, tmp_path, refuses):
    """A key in another file format is refused, quoting how it begins."""
    path = tmp_path / "key"
    ssh_keygen("-q", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "", "-f", path)
    assert "BEGIN RSA PRIVATE KEY" in refuses("bad-key", load_signer, path, never).message


@posix
def test_row_25_only_regular_files_are_read(tmp_path, refuses):
    """A FIFO, a device that never ends, a folder, a huge file, nothing: refused at once."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "huge").write_bytes(b"-----BEGIN " + bytes(20_000))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    names = [tmp_path / name for name in ("fifo", "folder", "huge", "loop", "absent", "\u00e9\x1b")]
    for path in [*names, Path("/dev/zero"), Path("a\0b")]:
        refuses("bad-key", load_signer, path, never)


def key_file(seed: bytes, old: bytes = b"", new: bytes = b"") -> bytes:
    """A private key file with a fixed check number, `old` bytes in it changed once to `new`."""
    begin, *body, end = crypto.write_openssh(seed).splitlines()
    content = base64.b64decode(b"".join(body))
    public = string(MemoryKey.from_seed(seed).public.blob)
    at = content.index(public) + len(public) + 4
    content = content[:at] + bytes(8) + content[at + 8 :]
    return b"\n".join([begin, base64.b64encode(content.replace(old, new, 1)), end, b""])


def test_a_key_whose_halves_differ_is_refused(tmp_path, refuses):
    """The public half in the clear must be that of the private one: it says who signs."""
    public, other = (MemoryKey.from_seed(seed * 32).public for seed in (b"1", b"2"))
    write_key(tmp_path / "one", "", b"1" * 32)
    (tmp_path / "one").write_bytes(key_file(b"1" * 32, public.raw, other.raw))
    refuses("bad-key", load_signer, tmp_path / "one", never)


@given(st.data())
@settings(max_examples=250, deadline=None)
def test_any_file_is_a_key_or_refused(damaged, data):
    """Any bytes in a key file either give the key that they hold or are refused."""
    valid = key_file(b"s" * 32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "key")
        path.write_bytes(data.draw(damaged(valid)))
        path.chmod(0o600)
        try:
            signer = load_signer(path, None)
        except Refused as refused:
            assert refused.word == "bad-key"
            assert refused.message.isprintable()
            assert refused.message.isascii()
        else:
            check_signs(signer)


def test_private_keys_are_not_printed(tmp_path):
    """A repr shows the public key only."""
    signer = MemoryKey.from_seed(b"secretsecretsecretsecretsecret!!")
    assert "secret" not in repr(signer)
    assert repr(signer).count("=") == 2
