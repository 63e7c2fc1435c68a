"""Real servers on loopback: Exim takes mail in over TLS, Dovecot gives it out by IMAP over TLS."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

PASSWORD = "secret"
USERS = ("referee", "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan")

EXIM = """\
primary_hostname = mail.example.org
spool_directory = {root}/spool
log_file_path = {root}/log/exim-%slog
pid_file_path = {root}/log/exim.pid
local_interfaces = <; [127.0.0.1]:{smtp} ; [127.0.0.1]:{smtps}
tls_on_connect_ports = {smtps}
tls_advertise_hosts = *
tls_certificate = {root}/cert.pem
tls_privatekey = {root}/key.pem
domainlist local_domains = example.org
notifier_socket =
deliver_drop_privilege = true
keep_environment =
acl_smtp_rcpt = acl_rcpt
acl_smtp_data = acl_data
begin acl
acl_rcpt:
  accept authenticated = *
         domains = +local_domains
  deny message = relay not permitted
acl_data:
  accept
begin routers
local:
  driver = accept
  domains = +local_domains
  local_parts = {users}
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = {root}/mail/$local_part_data
  maildir_format
  create_directory
  return_path_add
begin retry
* * F,2h,1s
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if eq{{$auth3}}{{{password}}}}}
  server_set_id = $auth2
  server_advertise_condition = ${{if def:tls_in_cipher}}
"""

DOVECOT = """\
protocols = imap
base_dir = {root}/dovecot
state_dir = {root}/dovecot
log_path = {root}/log/dovecot.log
instance_name = adjudicator-test-{imaps}
listen = 127.0.0.1
ssl = required
ssl_cert = <{root}/cert.pem
ssl_key = <{root}/key.pem
default_internal_user = {user}
default_login_user = {user}
first_valid_uid = 1
mail_location = maildir:{root}/mail/%n
auth_mechanisms = plain
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={user} home={root}/mail/%n
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass
class Servers:
    """Where the servers listen; every user's password is PASSWORD."""

    root: Path
    smtp: int
    smtps: int
    imap: int
    imaps: int

    @property
    def ca(self) -> Path:
        return self.root / "cert.pem"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.ca))

    def maildir(self, user: str) -> Path:
        return self.root / "mail" / user


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _certificate(root: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (root / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (root / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    (root / "key.pem").chmod(0o600)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once something listens there; fails when its process ends or after ten seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    told = log.read_text() if log.is_file() else "(no log)"
    pytest.fail(f"nothing listens on port {port}: {told[-2000:]}")


def needed(*programs: str) -> dict[str, str]:
    """Where these programs are; without them the test is skipped, but never in CI."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    found = {one: shutil.which(one, path=path) for one in programs}
    missing = [one for one, where in found.items() if where is None]
    if not missing and os.geteuid() != 0 and "exim4" in programs:
        missing = ["root, as whom the mail servers are started"]
    if missing:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must have {', '.join(missing)}")
        pytest.skip(f"not here: {', '.join(missing)}")
    return {one: str(where) for one, where in found.items()}


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Both servers, started in a folder of their own, on ports of their own."""
    programs = needed("exim4", "dovecot")
    user = "Debian-exim"
    account = pwd.getpwnam(user)
    root = Path(tempfile.mkdtemp(prefix="adjudicator-mail-"))
    root.chmod(0o755)
    made = Servers(root, *(_free_port() for _ in range(4)))
    values = {
        **vars(made), "user": user, "password": PASSWORD, "users": " : ".join(USERS), "root": root,
    }  # fmt: skip
    _certificate(root)
    (root / "exim.conf").write_text(EXIM.format(**values))
    (root / "dovecot.conf").write_text(DOVECOT.format(**values))
    for name in ("spool", "log", "mail"):
        (root / name).mkdir()
    for name in ("spool", "log", "mail", "cert.pem", "key.pem"):
        os.chown(root / name, account.pw_uid, account.pw_gid)
    running = []
    try:
        for command, port, log in (
            (
                [programs["exim4"], "-C", str(root / "exim.conf"), "-bdf", "-q1s"],
                made.smtps,
                "exim-mainlog",
            ),
            (
                [programs["dovecot"], "-F", "-c", str(root / "dovecot.conf")],
                made.imaps,
                "dovecot.log",
            ),
        ):
            process = subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            running.append(process)
            _wait_for(port, process, root / "log" / log)
        yield made
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(10)
            # Children that still deliver would make their folders anew.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(root, ignore_errors=True)
