"""Real mail servers on loopback, each in a folder and on ports of its own.

Exim delivers into Maildirs by itself. Postfix hands mails to Dovecot by LMTP, which filters them by
sieve and holds quotas. Dovecot gives both out by IMAP. Debian lets only one of Exim and Postfix be
installed: the other's package is unpacked beside (`.ci/run` does it), and runs from there.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import json
import os
import pwd
import shutil
import signal
import socketserver
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from servers import absent, free_ports, needed, serving, wait_for

PASSWORD = "secret"
FOREIGN = "pässwörd"
"""The password of `umlaut`."""
USERS = (
    "referee", "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy",
    "umlaut", "full", "grey", "away", "twice", "oauth", "token", "proxied", "heap", "stuck",
    "ken", "lea", "victor",
)  # fmt: skip
"""Servers are a worker's, so a test that counts mails reads a mailbox that no other writes to."""
QUOTA = {"full": "*:bytes=9000"}
SIEVE = {
    "*": 'require ["duplicate"];\nif duplicate { discard; stop; }\n',
    "away": 'require ["vacation"];\nvacation :days 1 "I am on an island without orders.";\n',
}
"""Quotas and filters by user; `*` are all others'."""

UNPACKED = Path("/opt/postfix")
"""Where `.ci/run` unpacks Debian's package."""
ACCOUNT = "Debian-exim"
"""As whom all of them run: the account comes with Exim."""

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

POSTFIX = """\
compatibility_level = 3.6
config_directory = {root}/postfix
queue_directory = {root}/spool
data_directory = {root}/data
daemon_directory = {programs}/usr/lib/postfix/sbin
command_directory = {programs}/usr/sbin
shlib_directory = {programs}/usr/lib/postfix
meta_directory = {programs}/etc/postfix
import_environment = MAIL_CONFIG={root}/postfix LD_LIBRARY_PATH={programs}/usr/lib/postfix
mail_owner = {user}
setgid_group = mail
maillog_file = {root}/log/postfix.log
maillog_file_prefixes = {root}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.org
mydestination =
alias_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_maps =
virtual_transport = lmtp:unix:{root}/lmtp
transport_maps = {transports}
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:{policy}
smtpd_sasl_type = dovecot
smtpd_sasl_path = {root}/auth
smtpd_sasl_auth_enable = yes
smtpd_tls_auth_only = yes
smtpd_tls_security_level = may
smtpd_tls_cert_file = {root}/cert.pem
smtpd_tls_key_file = {root}/key.pem
smtpd_peername_lookup = no
disable_dns_lookups = yes
message_size_limit = 30000000
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
"""

MASTER = """\
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""

DOVECOT = """\
protocols = imap{lmtp}
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
mail_max_userip_connections = 50
auth_username_format = %n
auth_failure_delay = 0
auth_mechanisms = plain{mechanisms}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {root}/users
}}
userdb {{
  driver = passwd-file
  args = {root}/users
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
  # No wait that grows with each wrong password: tests give many.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""

DELIVERING = """\
mail_plugins = quota
submission_host = 127.0.0.1:{smtp}
protocol lmtp {{
  mail_plugins = quota sieve
  postmaster_address = postmaster@example.org
}}
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = maildir:User quota
  sieve = file:{root}/sieve/%n.sieve
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2.conf
}}
service lmtp {{
  user = {user}
  unix_listener {root}/lmtp {{
    mode = 0666
  }}
}}
service auth {{
  unix_listener {root}/auth {{
    mode = 0666
  }}
}}
"""

OAUTH2 = """\
introspection_mode = get
introspection_url = http://127.0.0.1:{tokens}/?token=
username_attribute = user
username_format = %n
active_attribute = active
active_value = yes
"""


@dataclass
class Servers:
    """Where the servers listen. Every user's password is PASSWORD, but for `umlaut`."""

    root: Path
    smtp: int
    smtps: int
    imap: int
    imaps: int
    tokens: dict[str, str] = field(default_factory=dict)
    """Tokens of XOAUTH2 that are good now, each for a user."""

    @property
    def ca(self) -> Path:
        return self.root / "cert.pem"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.ca))

    def maildir(self, user: str) -> Path:
        return self.root / "mail" / user

    def box(self, user: str, folder: str = "INBOX", scheme: str = "imaps") -> str:
        port = self.imaps if scheme == "imaps" else self.imap
        return f"{scheme}://{user}@localhost:{port}/{folder}"

    def way(self, user: str = "referee", scheme: str = "smtps") -> str:
        port = self.smtps if scheme == "smtps" else self.smtp
        return f"{scheme}://{user}@localhost:{port}"

    def mails(self, user: str, count: int) -> list[bytes]:
        """What lies in a user's mailbox, once that many mails are there, as they came."""
        end = time.monotonic() + 60
        while True:
            box = self.maildir(user)
            found = [path for part in ("new", "cur") for path in (box / part).glob("*")]
            if len(found) >= count:
                return [p.read_bytes() for p in sorted(found, key=lambda p: p.stat().st_mtime_ns)]
            assert time.monotonic() < end, f"{len(found)} mails for {user}\n{self.told()}"
            time.sleep(0.05)

    def told(self) -> str:
        """The ends of the logs."""
        return "\n".join(p.read_text()[-1500:] for p in sorted((self.root / "log").glob("*")))


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


def _as_root() -> None:
    absent([] if os.geteuid() == 0 else ["root, as whom the mail servers are started"])


def _unpacked_postfix() -> Path:
    """The folder above Postfix's `usr/`: unpacked, or the root where it is installed."""
    for root in (UNPACKED, Path("/")):
        if (root / "usr/lib/postfix/sbin/master").is_file():
            return root
    absent([f"postfix, installed or unpacked in {UNPACKED}"])
    raise AssertionError


@contextlib.contextmanager
def _folder() -> Iterator[tuple[Servers, dict[str, object]]]:
    """A folder for servers with their certificate and users, and what their settings name."""
    root = Path(tempfile.mkdtemp(prefix="adjudicator-mail-"))
    root.chmod(0o755)
    made = Servers(root, *free_ports(4))
    account = pwd.getpwnam(ACCOUNT)
    _certificate(root)
    words, ids = {"umlaut": FOREIGN}, f"{account.pw_uid}:{account.pw_gid}"
    lines = [
        f"{user}:{words.get(user, PASSWORD)}:{ids}::{root}/mail/{user}::"
        + (f"userdb_quota_rule={QUOTA[user]}" if user in QUOTA else "")
        for user in USERS
    ]
    (root / "users").write_text("\n".join(lines) + "\n")
    for name in ("spool", "log", "mail", "sieve", "postfix", "data"):
        (root / name).mkdir()
    for user in USERS:
        (root / "sieve" / f"{user}.sieve").write_text(SIEVE.get(user, SIEVE["*"]))
        (root / "mail" / user).mkdir()
        os.chown(root / "mail" / user, account.pw_uid, account.pw_gid)
    for name in ("spool", "log", "mail", "sieve", "data", "cert.pem", "key.pem", "users"):
        os.chown(root / name, account.pw_uid, account.pw_gid)
    values: dict[str, object] = {
        **vars(made), "user": ACCOUNT, "password": PASSWORD, "users": " : ".join(USERS),
        "lmtp": "", "mechanisms": "",
    }  # fmt: skip
    try:
        yield made, values
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextlib.contextmanager
def _running(command: list[str], port: int, log: Path, **env: str) -> Iterator[None]:
    """A server that listens on that port; its children go with it."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **env},
    )
    try:
        wait_for(port, process, log)
        yield
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        # Children that still deliver would make their folders anew.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


def _dovecot(
    made: Servers, values: Mapping[str, object], more: str = ""
) -> AbstractContextManager[None]:
    """Dovecot, with settings besides."""
    root = made.root
    (root / "dovecot.conf").write_text((DOVECOT + more).format(**values))
    command = [needed("dovecot")["dovecot"], "-F", "-c", str(root / "dovecot.conf")]
    return _running(command, made.imaps, root / "log" / "dovecot.log")


@contextlib.contextmanager
def exim() -> Iterator[Servers]:
    """Exim, and Dovecot for what it delivers."""
    program = needed("exim4", "dovecot")["exim4"]
    _as_root()
    with _folder() as (made, values), contextlib.ExitStack() as stack:
        conf = made.root / "exim.conf"
        conf.write_text(EXIM.format(**values))
        command = [program, "-C", str(conf), "-bdf", "-q1s"]
        log = made.root / "log" / "exim-mainlog"
        stack.enter_context(_running(command, made.smtps, log))
        stack.enter_context(_dovecot(made, values))
        yield made


@contextlib.contextmanager
def postfix(behind: Sequence[str] = (), port: int = 0) -> Iterator[Servers]:
    """Postfix, which asks a policy server, and Dovecot, to which it delivers. The mails of users
    `behind` another server are handed to that port."""
    needed("exim4", "dovecot")
    programs = _unpacked_postfix()
    parts = {"dovecot-lmtpd": "lmtp", "dovecot-sieve": "modules/lib90_sieve_plugin.so"}
    absent([one for one, file in parts.items() if not Path("/usr/lib/dovecot", file).exists()])
    _as_root()
    with _folder() as (made, values), _policy() as policy, _tokens(made) as tokens:
        root = made.root
        others = " ".join(f"{user}@example.org=smtp:[127.0.0.1]:{port}" for user in behind)
        values |= {
            "programs": programs, "policy": policy, "tokens": tokens,
            "lmtp": " lmtp", "mechanisms": " login xoauth2",
            "transports": f"inline:{{ {others} }}" if behind else "",
        }  # fmt: skip
        (root / "oauth2.conf").write_text(OAUTH2.format(**values))
        (root / "postfix/main.cf").write_text(POSTFIX.format(**values))
        (root / "postfix/master.cf").write_text(MASTER.format(**values))
        _queue(root / "spool")
        command = [str(programs / "usr/lib/postfix/sbin/master"), "-c", str(root / "postfix"), "-d"]
        libraries = str(programs / "usr/lib/postfix")
        with (
            _dovecot(made, values, DELIVERING),
            _running(
                command,
                made.smtps,
                root / "log/postfix.log",
                LD_LIBRARY_PATH=libraries,
                MAIL_CONFIG=str(root / "postfix"),
            ),  # fmt: skip
        ):
            yield made


def _queue(spool: Path) -> None:
    """The folders of an empty queue."""
    account = pwd.getpwnam(ACCOUNT)
    os.chown(spool, 0, 0)
    (spool / "pid").mkdir()
    for name in (
        "active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private",
        "saved", "trace", "maildrop", "public",
    ):  # fmt: skip
        (spool / name).mkdir(mode=0o700)
        os.chown(spool / name, account.pw_uid, account.pw_gid)


class _Policy(socketserver.StreamRequestHandler):
    """Postfix's policy protocol: who writes to `grey` for the first time is sent away."""

    known: frozenset[str] = frozenset()

    def handle(self) -> None:
        asked: dict[str, str] = {}
        for raw in self.rfile:
            name, _, value = raw.decode().strip().partition("=")
            asked[name] = value
            if not name:
                recipient, sender = asked.get("recipient", ""), asked.get("sender", "")
                greyed = recipient.startswith("grey@") and sender not in _Policy.known
                _Policy.known |= {sender} if greyed else set()
                action = "DEFER greylisted, come again" if greyed else "DUNNO"
                self.wfile.write(f"action={action}\n\n".encode())
                asked = {}


def _policy() -> AbstractContextManager[int]:
    return serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Policy))


def _tokens(made: Servers) -> AbstractContextManager[int]:
    class Tokens(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = parse_qs(urlsplit(self.path).query)
            user = made.tokens.get(asked.get("token", [""])[0])
            told = {"active": "no"} if user is None else {"active": "yes", "user": user}
            data = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return serving(ThreadingHTTPServer(("127.0.0.1", 0), Tokens))
