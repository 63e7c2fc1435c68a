"""Running git: fixed argument lists, an environment without surprises, errors as one line; and
which addresses of repositories it is given, and how they are told without user names.

A folder and its configuration may come from a stranger. So a local command reaches no server and
starts no program that configuration or attributes name: transports are off, so that no missing
object is fetched, and no command that runs a filter is used. A command that talks to the remote
(`network`) obeys the configuration, which says how to reach it.

What git reads may come from a stranger too, and two kilobytes of objects can stand for a thousand
million files or for gigabytes of zeros. So every process has limits (`Bounds`): seconds, memory,
the bytes that it may write and those of its answer. Whatever exceeds them is ended, and its failure
says so (`GitFailed.exceeded`).
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import IO, cast

from orders.errors import Refused

LOCAL_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a process of git's, and of all that it starts.

    `seconds` by the clock on the wall, `processor` of each process; `size`: bytes of any file that
    it writes; `memory`: bytes beside the files that git maps. On systems without such limits
    (Windows) only the seconds count.
    """

    seconds: int
    processor: int
    size: int
    memory: int = 2**26

    def apply(self) -> None:
        """Limit this process, which is about to become git."""
        import resource

        for which, most in (
            (resource.RLIMIT_FSIZE, self.size),
            (resource.RLIMIT_CPU, self.processor),
            (resource.RLIMIT_DATA, self.memory),
        ):
            # One second later the kernel would kill it, and nobody would know why.
            resource.setrlimit(which, (most, most + 1))


LOCAL = Bounds(LOCAL_SECONDS, 20, 2**28)
"""A command that reads what is here."""

NETWORK = Bounds(900, 60, 2**28, 2**27)
"""A command that reaches the remote. A record of a thousand steps is a tenth of it. Where the
remote is a folder, the server is a part of it, and has to pack such a record."""

PUSH = Bounds(900, 60, 2**28, 2**29)
"""A push: where the remote is a folder, the server is a part of it, and may hold more."""

ANSWER = 3 * 2**21
"""The most bytes of an answer: what a record of a thousand steps with eight players takes."""


_FIXED = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.useReplaceRefs=false",
    "core.autocrlf=false",
    "core.quotePath=false",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=true",
    "core.logAllRefUpdates=false",
    "commit.gpgSign=false",
    "fetch.fsckObjects=true",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "submodule.recurse=false",
    "core.bigFileThreshold=1m",
    "core.deltaBaseCacheLimit=16m",
    "core.packedGitWindowSize=16m",
    "core.packedGitLimit=32m",
    "pack.threads=1",
    "pack.windowMemory=32m",
    "push.followTags=false",
    "push.gpgSign=false",
    "protocol.ext.allow=never",
    "gc.autoDetach=false",
    "advice.detachedHead=false",
    "advice.graftFileDeprecated=false",
    "init.templateDir=",
)
"""Configuration that overrides the repository's and the user's. Large files go through git's hands
piece by piece, and it keeps little in memory."""

_GIT = ("git", *(word for setting in _FIXED for word in ("-c", setting)))

_KEPT = (
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
)  # fmt: skip
_KEPT_STARTS = ("GIT_SSL_", "GIT_HTTP_", "GIT_TRACE")
_QUARANTINE = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")
"""The variables by which a pre-receive hook finds objects that are not taken in yet."""


_TELLING = re.compile("fatal|error|denied|refus|declin|fail|not allowed", re.IGNORECASE)

_HINTS = (
    ("could not read Username|could not read Password|Authentication failed",
     "give git your name and password there: git help credentials; or use the ssh address"),
    (r"Permission denied \(",
     "the server does not know your SSH key: add it there, or name it in ~/.ssh/config"),
    ("Host key verification failed",
     "connect once by ssh and compare the server's fingerprint with its administrator's"),
    ("No space left|quota|unpacker error|remote unpack failed",
     "the server is full: tell its administrator. Nothing is lost; sync again later"),
    (r"\bR any \S+ \S+ DENIED|does not appear to be a git repository|"
     "repository .*not found|Repository not found",
     "check the address; a server also says this if you may not read the repository"),
    ("denied|protected branch|not allowed|GH006|GH013|error: 403",
     "you may not push there: ask the repository's owner, or push to a fork of your own: "
     "adjudicator join REPO --fork URL"),
    ("Could not resolve|Connection refused|timed out|unable to access|reset by peer|hung up",
     "nothing is lost: sync again once the server can be reached"),
    ("denyCurrentBranch|currently checked out|refusing to update checked out",
     "the repository must be bare: git init --bare"),
)  # fmt: skip
"""Hints, by the words of git and servers; the first row that fits counts."""


_SAID = 2**16
"""So many bytes of git's errors are read."""

_LIMITS = (24, 25)
"""SIGXCPU and SIGXFSZ."""

_EXCEEDED = re.compile("died of signal (?:24|25)|out of memory|malloc failed|cannot allocate",
                       re.IGNORECASE)  # fmt: skip
"""git's words for a process of its own that went beyond its limits."""

_CUT = "Could not read from remote repository"


class GitFailed(Refused):
    """git ended with an error and wrote `stderr`; `exceeded`: because it went beyond its limits of
    processor, memory or size. The clock on the wall is no such limit: a line may be slow."""

    def __init__(self, message: str, stderr: str, hint: str = "", exceeded: bool = False) -> None:
        super().__init__("git", message, hint)
        self.stderr = stderr
        self.exceeded = exceeded


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository, by its working tree or its bare folder; the path should be absolute."""

    root: Path
    hook: bool = field(default=False, compare=False)
    """Whether git runs this program as its hook, and pushed objects wait in quarantine."""
    kept: Path | None = None
    """Where it keeps what comes now, in the place of its own objects: `aside`."""

    def aside(self, folder: Path) -> Repo:
        """The same repository, where all that is fetched or made goes into an empty folder, and
        nothing enters its own objects."""
        return replace(self, root=self.root.absolute(), kept=folder)

    def variables(self, *, network: bool = False) -> dict[str, str]:
        """The environment for a command in it, without variables that point git to another one.

        `network`: for a command that reaches the remote.
        """
        found = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_")
            or name in _KEPT
            or name.startswith(_KEPT_STARTS)
            or (self.hook and name in _QUARANTINE)
        }
        found |= {"LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0"}
        # Neither replaced objects nor grafts: both change who a commit's parents seem to be.
        found["GIT_GRAFT_FILE"] = os.devnull
        if not network:
            # Older git obeys only the first of the two; there is no transport called "none".
            found |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
        if not os.isatty(0):
            found["GIT_TERMINAL_PROMPT"] = "0"
        if self.kept is not None:
            own = str(replace(self, kept=None).git_dir.absolute() / "objects")
            found |= {_QUARANTINE[0]: str(self.kept), _QUARANTINE[1]: own}
        return found

    def run(
        self,
        *args: str,
        given: bytes = b"",
        network: bool = False,
        bounds: Bounds | None = None,
        env: Mapping[str, str] | None = None,
        most: int = ANSWER,
    ) -> bytes:
        """What git prints, at most so many bytes; raises GitFailed."""
        limits = bounds or (NETWORK if network else LOCAL)
        variables = {**self.variables(network=network), **(env or {})}
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as typed:
            typed.write(given)
            typed.seek(0)
            process = start(self, args, said, typed, variables, limits)
            timer = threading.Timer(limits.seconds, process.kill)
            timer.start()
            try:
                answer = cast("IO[bytes]", process.stdout).read(most + 1)
                if len(answer) <= most:
                    process.wait()
            finally:
                late = not timer.is_alive()
                timer.cancel()
                process.kill()
                process.communicate()
            if len(answer) > most:
                what = f"git {named(args)} answered more than {most} bytes"
                raise GitFailed(what, "", exceeded=True)
            if process.returncode != 0:
                code = None if late else process.returncode
                # A push tells on its output which branches were refused.
                told = said_in(said) + (answer if args[0] == "push" else b"")
                raise failed(args, code, told, network=network)
        return answer

    def text(self, *args: str) -> str:
        """What git prints, as one stripped text."""
        return self.run(*args).decode("utf-8", "replace").strip()

    def ask(self, *args: str) -> str | None:
        """What git prints, as one stripped text; None if git ends with an error."""
        try:
            return self.text(*args)
        except GitFailed:
            return None

    def config(self, name: str) -> str | None:
        """A value of this repository's own configuration."""
        return self.ask("config", "--local", "--get", name)

    @property
    def git_dir(self) -> Path:
        """Git's own folder of this repository."""
        return _place(self)[0]

    @property
    def algorithm(self) -> str:
        """The name of the hash that names objects: sha1 or sha256."""
        return _place(self)[1]

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether `new` contains the history of `old`."""
        return old == new or self.ask("merge-base", "--is-ancestor", old, new) is not None

    def is_shallow(self) -> bool:
        """Whether the clone's history is cut off."""
        return (self.git_dir / "shallow").exists()


@lru_cache(maxsize=64)
def _place(repo: Repo) -> tuple[Path, str]:
    """They are asked once: a repository never changes them."""
    told = repo.text("rev-parse", "--git-dir", "--show-object-format")
    folder, _, algorithm = told.rpartition("\n")
    return Path(repo.root, folder), algorithm


def start(
    repo: Repo,
    args: Sequence[str],
    said: IO[bytes],
    given: IO[bytes] | int = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
    bounds: Bounds = LOCAL,
) -> subprocess.Popen[bytes]:
    """A command of git's under way, with a pipe from it; `said` takes its errors.

    `env` None: a local command's.
    """
    try:
        return subprocess.Popen(
            [*_GIT, "-C", str(repo.root), *args],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=said,
            env=repo.variables() if env is None else env,
            # It sets limits and takes no lock, so threads cannot hurt it.
            preexec_fn=None if os.name == "nt" else bounds.apply,  # noqa: PLW1509
        )
    except FileNotFoundError:
        hint = "install git 2.34 or later"
        raise GitFailed("git is not installed", "", hint) from None


def said_in(file: IO[bytes]) -> bytes:
    """What git wrote into a file of errors.

    What it started (ssh) may still be writing, at the place that it shares with this process: so
    the place is not moved, or it would write over what is there.
    """
    if os.name == "nt":
        file.seek(0)
        return file.read(_SAID)
    return os.pread(file.fileno(), _SAID, 0)


def failed(
    args: Sequence[str], code: int | None, said: bytes, *, network: bool = False
) -> GitFailed:
    """Why a command failed, by the code with which it ended and its errors; None: it took too
    long."""
    if code is None:
        return GitFailed(f"git {named(args)} took too long", "")
    stderr = said.decode("utf-8", "replace")
    fit = (hint for form, hint in _HINTS if re.search(form, stderr, re.IGNORECASE))
    hint = next(fit, "") if network else ""
    # Of an index-pack that a signal ended, fetch says only that it said nothing.
    silent = stderr.strip() == "fatal: fetch-pack: invalid index-pack output"
    reason = "too large, or too much work to unpack" if silent else _reason(stderr, code)
    # What the server lacks is a circumstance.
    own = "\n".join(line for line in stderr.splitlines() if not line.startswith("remote: "))
    exceeded = silent or -code in _LIMITS or _EXCEEDED.search(own) is not None
    return GitFailed(f"git {named(args)}: {reason}", stderr, hint, exceeded)


def named(args: Sequence[str]) -> str:
    """The command's name among git's arguments."""
    words = iter(args)
    for word in words:
        if word in ("-C", "-c"):
            next(words)
        elif not word.startswith("-"):
            return word
    return ""


def _reason(stderr: str, code: int) -> str:
    """The most telling line: the server's reason for a refusal, else git's own first error."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    refused = [
        line.partition("[remote rejected] ")[2] for line in lines if "[remote rejected]" in line
    ]
    said = [line for line in lines if line.startswith("remote: ") and _TELLING.search(line)]
    own = [line for line in lines if line.startswith(("fatal:", "error:")) and _CUT not in line]
    # git knows no more about a connection that ended; the line before is ssh's or the server's.
    before = [line for line in lines if _TELLING.search(line)]
    line = (said or refused or own or before or lines[-1:] or [f"ended with code {code}"])[0]
    return without_users(ascii(line)[1:-1])[:300]


# Addresses of repositories.


_SCP = re.compile(r"(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9.-]+:(?!\\).+")
_USER = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*://)(?P<user>[^/@\s]*)@", re.IGNORECASE)
_SCP_USER = re.compile(r"(?P<user>[A-Za-z0-9._-]+)@(?=[A-Za-z0-9.-]+:(?!//))")
_SHARED = "git"
"""The account that everybody uses at hosting sites, so it names nobody."""


def is_address(text: str) -> bool:
    """Whether this names a repository to fetch, not a folder with a record."""
    if "://" in text:
        return True
    path = Path(text)
    if path.is_dir():
        return (path / "HEAD").is_file() and (path / "objects").is_dir()
    return not path.exists() and _SCP.fullmatch(text) is not None


def check_address(url: str) -> str:
    """The address as it is passed to git, a folder made absolute; raises Refused `bad-url`.

    An address with a password is refused: it would end up in configuration and in messages.
    """
    scheme, _, rest = url.lower().partition("://")
    odd = not url or url.startswith("-") or not url.isprintable() or "::" in url.split("/")[0]
    odd |= bool(rest) and scheme not in ("ssh", "git+ssh", "https", "http", "git", "file")
    if odd:
        raise Refused(
            "bad-url",
            f"{without_users(url)[:120]!a} is no repository's address",
            "name a folder, or an ssh, https or file URL",
        )
    found = _USER.match(url)
    if found is not None and ":" in found["user"]:
        raise Refused(
            "bad-url",
            f"{without_users(url)[:120]!a}: the address holds a password",
            "leave it out; git's credential helper keeps passwords (git help credentials)",
        )
    if found is not None and found["scheme"].lower() != "ssh://":
        url = found["scheme"] + url[found.end() :]
    if "://" not in url and Path(url).exists():
        return str(Path(url).absolute())
    return url


def without_users(text: str) -> str:
    """A text without the user names and passwords in its addresses."""
    return _SCP_USER.sub(_kept, _USER.sub(lambda found: found["scheme"] + _kept(found), text))


def to_share(url: str) -> str:
    """An address for others to use: without a password, and without a user of a web site's.

    The account of ssh stays, because the address does not work without it: it is the server's, who
    is let in is decided by keys.
    """
    found = _USER.match(url)
    if found is not None and found["scheme"].lower() == "ssh://" and ":" not in found["user"]:
        return url
    return url if found is None and _SCP.fullmatch(url) else without_users(url)


def _kept(found: re.Match[str]) -> str:
    return f"{_SHARED}@" if found["user"] == _SHARED else ""
