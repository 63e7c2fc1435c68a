"""Addresses of repositories: which ones git may be given, and how they are told without users.

What belongs here: reading an address, and the sites that are known. What it must not know: git.
"""

from __future__ import annotations

import re
from pathlib import Path

from orders.errors import Refused

FORGES = ("github", "gitlab")
"""Sites with requests to be judged, and with CI."""
SITES = ("gitolite", *FORGES)
"""Servers whose access rules are known."""

_SCP = re.compile(r"(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9.-]+:(?!\\).+")
_USER = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*://)(?P<user>[^/@\s]*)@", re.IGNORECASE)
_SCP_USER = re.compile(r"(?P<user>[A-Za-z0-9._-]+)@(?=[A-Za-z0-9.-]+:(?!//))")
_SHARED = "git"
"""The account that everybody uses at hosting sites: it names nobody."""


def is_address(text: str) -> bool:
    """Whether this names a repository to be fetched rather than a folder with a record."""
    if "://" in text:
        return True
    path = Path(text)
    if path.is_dir():
        return (path / "HEAD").is_file() and (path / "objects").is_dir()
    return not path.exists() and _SCP.fullmatch(text) is not None


def check(url: str) -> str:
    """The address as git may be given it, a folder made absolute; raises Refused `bad-url`.

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
            f"{without_users(url)[:120]!a}: the address that was given holds a password",
            "name it without; git's credential helper keeps passwords (git help credentials)",
        )
    if found is not None and found["scheme"].lower() != "ssh://":
        url = found["scheme"] + url[found.end() :]
    if "://" not in url and Path(url).exists():
        return str(Path(url).absolute())
    return url


def without_users(text: str) -> str:
    """A text, with users and passwords taken out of its addresses."""
    return _SCP_USER.sub(_kept, _USER.sub(lambda found: found["scheme"] + _kept(found), text))


def _kept(found: re.Match[str]) -> str:
    return f"{_SHARED}@" if found["user"] == _SHARED else ""
