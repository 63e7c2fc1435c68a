"""Running git: fixed argument lists, an environment without surprises, errors as one line.

What belongs here: starting git and naming what went wrong. What it must not know: records.
The user's own configuration stays in force where it serves to reach a server (credentials,
proxies, ssh); what could run a program, change bytes or fake history is switched off.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from orders.errors import Refused

NETWORK_SECONDS = 900
LOCAL_SECONDS = 300

_FIXED = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.useReplaceRefs=false",
    "core.autocrlf=false",
    "core.quotePath=false",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=true",
    "commit.gpgSign=false",
    "fetch.fsckObjects=true",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "submodule.recurse=false",
    "push.followTags=false",
    "push.gpgSign=false",
    "protocol.ext.allow=never",
    "gc.autoDetach=false",
    "advice.detachedHead=false",
    "init.templateDir=",
)
"""Configuration that holds whatever the repository or the user says."""

_KEPT = (
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
)  # fmt: skip
_KEPT_STARTS = ("GIT_SSL_", "GIT_HTTP_", "GIT_TRACE")
_QUARANTINE = (
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
)
"""Where a pre-receive hook finds the objects that are not taken in yet."""


class GitFailed(Refused):
    """git ended with an error; `stderr` is what it said."""

    def __init__(self, message: str, stderr: str, hint: str = "") -> None:
        super().__init__("git", message, hint)
        self.stderr = stderr


def environment(*, hook: bool = False) -> dict[str, str]:
    """The environment for git: without variables that turn it to another repository.

    `hook`: run by git itself, as a hook, whose objects wait in quarantine.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_")
        or name in _KEPT
        or name.startswith(_KEPT_STARTS)
        or (hook and name in _QUARANTINE)
    }
    kept |= {"LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    if not os.isatty(0):
        kept["GIT_TERMINAL_PROMPT"] = "0"
    return kept


def check_url(url: str) -> str:
    """A repository's address that git may be given; raises Refused `bad-url`."""
    odd = not url or url.startswith("-") or not url.isprintable() or "::" in url.split("/")[0]
    if odd:
        raise Refused(
            "bad-url",
            f"{url[:120]!a} is no repository's address",
            "name a folder, or an ssh, https or file URL",
        )
    return url


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository, by its working tree or its bare folder; the path should be absolute."""

    root: Path
    hook: bool = field(default=False, compare=False)

    def run(
        self,
        *args: str,
        given: bytes = b"",
        network: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """What git prints; raises GitFailed."""
        return run(
            ("-C", str(self.root), *args), given=given, network=network, env=env, hook=self.hook
        )

    def text(self, *args: str) -> str:
        """What git prints, as one stripped text."""
        return self.run(*args).decode("utf-8", "replace").strip()

    def ask(self, *args: str) -> str | None:
        """The same, None where git ends with an error."""
        try:
            return self.text(*args)
        except GitFailed:
            return None

    def ask_with(self, env: Mapping[str, str], *args: str) -> bool:
        """Whether git ends well, under more environment."""
        try:
            self.run(*args, env=env)
        except GitFailed:
            return False
        return True

    def resolve(self, revision: str, kind: str = "commit") -> str | None:
        """The full id of a revision; None where there is none."""
        if revision.startswith("-") or not revision.isprintable() or not revision:
            return None
        return self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{{kind}}}")

    def config(self, name: str) -> str | None:
        """A value of this repository's own configuration."""
        return self.ask("config", "--local", "--get", name)

    @property
    def git_dir(self) -> Path:
        """Where git keeps what is its own."""
        return _git_dir(self)

    @property
    def algorithm(self) -> str:
        """The name of the hash that names objects: sha1 or sha256."""
        return _algorithm(self)

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether `new` contains the history of `old`."""
        return self.ask("merge-base", "--is-ancestor", old, new) is not None

    def is_shallow(self) -> bool:
        """Whether the clone's history is cut off."""
        return (self.git_dir / "shallow").exists()


@lru_cache(maxsize=64)
def _algorithm(repo: Repo) -> str:
    """Asked once: a repository never changes it."""
    return repo.ask("rev-parse", "--show-object-format") or "sha1"


@lru_cache(maxsize=64)
def _git_dir(repo: Repo) -> Path:
    return Path(repo.root, repo.text("rev-parse", "--git-dir"))


def run(
    args: Sequence[str],
    *,
    given: bytes = b"",
    network: bool = False,
    env: Mapping[str, str] | None = None,
    hook: bool = False,
) -> bytes:
    """What git prints; raises GitFailed."""
    fixed = [word for setting in _FIXED for word in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", *fixed, *args],
            input=given,
            capture_output=True,
            timeout=NETWORK_SECONDS if network else LOCAL_SECONDS,
            env={**environment(hook=hook), **(env or {})},
            check=False,
        )
    except FileNotFoundError:
        raise GitFailed("git is not installed", "", "install git 2.34 or later") from None
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {_named(args)} took too long", "") from None
    if done.returncode != 0:
        stderr = done.stderr.decode("utf-8", "replace")
        raise GitFailed(f"git {_named(args)}: {_reason(stderr, done.returncode)}", stderr)
    return done.stdout


def _named(args: Sequence[str]) -> str:
    after = args[2:] if args[:1] == ("-C",) else args
    return next((word for word in after if not word.startswith("-")), "")


def _reason(stderr: str, code: int) -> str:
    """The line that says most: the first `fatal:` or `error:`, else the last."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    line = (telling or lines[-1:] or [f"ended with code {code}"])[0]
    return ascii(line)[1:-1][:300]
