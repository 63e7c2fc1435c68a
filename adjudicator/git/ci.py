"""In CI: ready workflow files, the host's secrets from the environment.

The machine keeps nothing between two runs. Secrets are written to files that nobody else may read,
compared with the invite, and never printed or quoted.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from importlib.resources import files as resources
from pathlib import Path

from adjudicator.core import opening
from adjudicator.host.folder import HostFolder
from adjudicator.install import Pin
from adjudicator.store import files
from adjudicator.store.record import Record
from orders.errors import Refused
from orders.keys import load_signer
from orders.sealing import SealingKey
from orders.secrets import Master

FORGES = ("github", "gitlab")
"""Sites with pull or merge requests and with CI."""

MASTER = "ADJUDICATOR_MASTER"
LETTERS = "ADJUDICATOR_LETTERS"
KEY = "ADJUDICATOR_KEY"
DEPLOY_KEY = "ADJUDICATOR_DEPLOY_KEY"
KNOWN_HOSTS = "ADJUDICATOR_KNOWN_HOSTS"

_KEY_FILE = "ssh-key"


def workflows(site: str, pin: Pin, *, hosts: bool) -> dict[str, bytes]:
    """Workflow files for a site by their paths; `hosts`: those that adjudicate too.

    Each job installs this program from `pin`, and what it needs by the hashes of `lock.txt`: the
    host's job runs all of it beside the game's secrets.
    """
    if site == "github":
        chosen = ["verify", *(["knock", "host"] if hosts else [])]
        return {
            f".github/workflows/{name}.yml": _template(f"github-{name}", pin) for name in chosen
        }
    chosen = ["gitlab-verify", *(["gitlab-host"] if hosts else [])]
    return {".gitlab-ci.yml": b"".join(_template(name, pin) for name in chosen)}


def _template(name: str, pin: Pin) -> bytes:
    folder = resources("adjudicator.git") / "workflows"
    lock = (folder / "lock.txt").read_text("utf-8").splitlines()
    out = []
    for line in (folder / f"{name}.yml").read_text("utf-8").splitlines():
        here, found, _ = line.partition("@LOCK@")
        out += [f"{here}{row}" for row in lock] if found else [line]
    return "\n".join([*out, ""]).replace("@INSTALL@", pin.requirement()).encode("utf-8")


def write_secrets(record: Record, environ: Mapping[str, str]) -> None:
    """Make the host's folder beside a record from the secrets in the environment.

    The key may be given as text or as the path of a file. Raises Refused, quoting nothing.
    """
    offer = opening.read_offer(record)
    master, letters = _secret(environ, MASTER), _secret(environ, LETTERS)
    if Master(master).commitment != offer.invite.master:
        raise Refused("bad-key", f"{MASTER} is not the master that the invite commits to")
    if SealingKey(letters).public.hex() != offer.invite.letters:
        raise Refused("bad-key", f"{LETTERS} is not the secret of the invite's letters key")
    if record.host.exists():
        files.check_private(record.host)
        if HostFolder(record.host).master().hex != master.hex():
            raise Refused("exists", f"{str(record.host)!a} is there already, with another master")
        return
    path = record.host / _KEY_FILE
    key = _key(environ)
    HostFolder(record.host).create(Master(master), letters.hex(), path)
    try:
        files.write(path, key, 0o600)
        if load_signer(path, None).public != offer.host:
            text = f"{KEY} is not the key with which the game was offered"
            raise Refused("bad-key", text)  # noqa: TRY301 - what was made goes again
    except BaseException:
        shutil.rmtree(record.host)
        raise


def _given(environ: Mapping[str, str], name: str) -> str:
    value = environ.get(name, "").strip()
    if not value:
        raise Refused(
            "missing",
            f"the environment has no {name}",
            "set it in CI's secret store from the files master and letters in RECORD.host, and "
            "your SSH key",
        )
    return value


def _secret(environ: Mapping[str, str], name: str) -> bytes:
    try:
        secret = bytes.fromhex(_given(environ, name))
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise Refused("malformed", f"{name}: expected 64 hex digits")
    return secret


def _key(environ: Mapping[str, str]) -> bytes:
    value = _given(environ, KEY)
    if value.startswith("-----BEGIN "):
        return value.replace("\r\n", "\n").encode("utf-8") + b"\n"
    if os.path.isabs(value):  # noqa: PTH117 - it is not known to be a path yet
        return files.read(Path(value), 16_384)
    raise Refused("malformed", f"{KEY}: expected an OpenSSH private key, or the path of its file")
