"""Addresses of repositories: which ones are passed to git, and how to show them without user
names."""

from __future__ import annotations

import re
from pathlib import Path

from orders.errors import Refused

FORGES = ("github", "gitlab")
"""Sites with pull or merge requests and with CI."""

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


def check(url: str) -> str:
    """The address as it is passed to git, a folder made absolute; raises Refused `bad-url`.

    An address with a password is refused: it would end up in configuration and in messages.
    """
    odd = not url or url.startswith("-") or not url.isprintable() or "::" in url.split("/")[0]
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
