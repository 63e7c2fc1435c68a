"""Real servers on loopback: sshd with gitolite, and `git http-backend` behind a web server."""

from __future__ import annotations

import contextlib
import getpass
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from servers import free_port, needed, wait_for

from adjudicator.git.process import Repo
from orders.keys import load_signer, write_key
from orders.secrets import derive

SEED = bytes(31) + b"\x07"
PEOPLE = ("host", "alice", "bob", "mallory", "shared")

SSHD = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {root}/host_key
PidFile none
AuthorizedKeysFile {root}/shared_keys {root}/home/.ssh/authorized_keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin forced-commands-only
SetEnv HOME={root}/home
"""

SSH = """\
Host *
    HostName 127.0.0.1
    Port {port}
    User {user}
    IdentitiesOnly yes
    UserKnownHostsFile {root}/known_hosts
    KexAlgorithms curve25519-sha256
    LogLevel ERROR
"""

LIGHTTPD = """\
server.modules = ( "mod_auth", "mod_authn_file", "mod_alias", "mod_setenv", "mod_cgi" )
server.document-root = "{root}/www"
server.port = {port}
server.bind = "127.0.0.1"
server.errorlog = "{root}/lighttpd.log"
server.breakagelog = "{root}/lighttpd.log"
auth.backend = "plain"
auth.backend.plain.userfile = "{root}/users"
alias.url = ( "/git" => "{backend}" )
$HTTP["url"] =~ "^/git" {{
    cgi.assign = ( "" => "" )
    setenv.add-environment = (
        "GIT_PROJECT_ROOT" => "{root}/www", "GIT_HTTP_EXPORT_ALL" => "1", "HOME" => "{root}",
        "PATH" => env.PATH
    )
    auth.require = ( "" => (
        "method" => "basic", "realm" => "git", "require" => "valid-user"
    ) )
}}
"""


def keys(folder: Path) -> dict[str, Path]:
    """Everybody's SSH key: the one with which a table's people sign."""
    folder.mkdir()
    made = {name: folder / name for name in PEOPLE}
    for name, path in made.items():
        write_key(path, name, derive(SEED, f"key/{name}"))
    return made


@contextlib.contextmanager
def running(command: Sequence[str], port: int, log: Path, env: Mapping[str, str]) -> Iterator[None]:
    """A server, until the end of the block."""
    with log.open("ab") as told:
        process = subprocess.Popen(
            command, stdout=told, stderr=told, env={**os.environ, **env}, start_new_session=True
        )
    try:
        wait_for(port, process, log)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A folder with a short name that everybody may enter."""
    made = Path(tempfile.mkdtemp(prefix="adjudicator-git-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


class Gitolite:
    """gitolite behind sshd. Everybody comes with their own key; repositories are made by rules."""

    def __init__(self, root: Path, port: int, keys: Mapping[str, Path]) -> None:
        self.root = root
        self.keys = keys
        self.port = port
        entries = [SSH.format(root=root, port=port, user=getpass.getuser())]
        # One address for each person stands for one person at each computer.
        entries += [f"Host {name}.server\n    IdentityFile {path}\n" for name, path in keys.items()]
        (root / "ssh_config").write_text("".join(sorted(entries, reverse=True)))
        self.environment = {
            "GIT_SSH_COMMAND": f"ssh -F {root}/ssh_config", "GIT_SSH_VARIANT": "ssh",
        }  # fmt: skip

    def url(self, name: str, repository: str) -> str:
        return f"ssh://{name}.server/{repository}"

    def bare(self, repository: str) -> Path:
        return self.root / "home" / "repositories" / f"{repository}.git"

    def git(self, *args: str) -> None:
        subprocess.run(
            ["git", *args], check=True,
            env={**os.environ, **self.environment},
        )  # fmt: skip

    def apply(self, rules: Mapping[str, str]) -> None:
        """What an administrator does with files of rules: commit and push them."""
        clone = self.root / f"admin-{secrets.token_hex(4)}"
        self.git("clone", "-q", self.url("host", "gitolite-admin"), str(clone))
        for name, path in self.keys.items():
            key = load_signer(path, None).public.line
            (clone / "keydir" / f"{name}.pub").write_text(f"{key}\n")
        for name, text in rules.items():
            (clone / "conf" / name).write_text(text)
            with (clone / "conf" / "gitolite.conf").open("a") as conf:
                conf.write(f'\ninclude "{name}"\n')
        self.git("-C", str(clone), "add", "-A")
        self.git("-C", str(clone), "commit", "-qm", "rules")
        self.git("-C", str(clone), "push", "-q", "origin", "HEAD")


@pytest.fixture(scope="session")
def gitolite(folder: Path) -> Iterator[Gitolite]:
    """A server, with the rules of a game called friday, and a fork for alice, applied."""
    programs = needed("sshd", "gitolite", "ssh", "ssh-keygen")
    root = folder / "gitolite"
    (root / "home").mkdir(parents=True)
    made = Gitolite(root, free_port(), keys(root / "keys"))
    admin = root / "host.pub"
    admin.write_text(load_signer(made.keys["host"], None).public.line + "\n")
    setup = [programs["gitolite"], "setup", "-pk", str(admin)]
    # gitolite knows its own repository's branch by that name alone.
    master = {
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "init.defaultBranch",
        "GIT_CONFIG_VALUE_0": "master",
    }  # fmt: skip
    home = {**os.environ, **master, "HOME": str(root / "home"), "USER": getpass.getuser()}
    subprocess.run(setup, env=home, check=True, capture_output=True)
    generate = [
        programs["ssh-keygen"], "-q", "-t", "ed25519", "-N", "", "-f", str(root / "host_key"),
    ]  # fmt: skip
    subprocess.run(generate, check=True)
    public = (root / "host_key.pub").read_text().split()[:2]
    (root / "known_hosts").write_text(f"[127.0.0.1]:{made.port} {' '.join(public)}\n")
    (root / "shared_keys").write_text(
        'restrict,command="git-shell -c \\"$SSH_ORIGINAL_COMMAND\\"" '
        f"{load_signer(made.keys['shared'], None).public.line}\n"
    )
    (root / "sshd_config").write_text(SSHD.format(root=root, port=made.port))
    if os.geteuid() == 0:
        # As the package's own start script does; without it sshd does not start as root.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    command = [programs["sshd"], "-D", "-e", "-f", str(root / "sshd_config")]
    with running(command, made.port, root / "sshd.log", {}):
        yield made


class Web:
    """`git http-backend` behind lighttpd. Everybody has a password, which a helper keeps."""

    def __init__(self, root: Path, port: int) -> None:
        self.root = root
        self.port = port
        self.passwords = {name: secrets.token_hex(8) for name in PEOPLE}

    def url(self, repository: str) -> str:
        return f"http://127.0.0.1:{self.port}/git/{repository}.git"

    def bare(self, repository: str) -> Path:
        return self.root / "www" / f"{repository}.git"

    def log(self) -> list[str]:
        """The requests so far that came with a password."""
        return (self.root / "requests").read_text().splitlines()

    def prepare(self, name: str, repo: Repo) -> None:
        """Let a clone's owner be known to the server, by git's own credential helper."""
        store = self.root / f"{name}.credentials"
        store.write_text(f"http://{name}:{self.passwords[name]}@127.0.0.1:{self.port}\n")
        repo.run("config", "--local", "credential.helper", f"store --file={store}")


@pytest.fixture(scope="session")
def web(folder: Path) -> Iterator[Web]:
    """A server to which whoever has a password may push."""
    programs = needed("lighttpd")
    backend = Path(subprocess.check_output(["git", "--exec-path"], text=True).strip())
    root = folder / "web"
    (root / "www").mkdir(parents=True)
    made = Web(root, free_port())
    users = "".join(f"{name}:{word}\n" for name, word in made.passwords.items())
    (root / "users").write_text(users)
    script = root / "backend"
    script.write_text(
        f'#!/bin/sh\necho "$REQUEST_METHOD $REQUEST_URI" >> {root}/requests\n'
        f"exec {backend}/git-http-backend\n"
    )
    script.chmod(0o755)
    values = {"root": root, "port": made.port, "backend": script}
    (root / "lighttpd.conf").write_text(LIGHTTPD.format(**values))
    command = [programs["lighttpd"], "-D", "-f", str(root / "lighttpd.conf")]
    with running(command, made.port, root / "lighttpd.log", {}):
        yield made
