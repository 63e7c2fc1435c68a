"""Where others can install this program from: a source that is pinned to its exact bytes.

What belongs here: the allowed forms of a source, and the line that installs it. A name in a package
index is no source, because the owner of the name decides what it installs. Nothing here installs or
downloads anything.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from orders.errors import Refused

DISTRIBUTION = "sealed-orders"
"""The distribution's name; an installer refuses a source that holds another one."""

FORMS = "git+https://HOST/REPOSITORY@COMMIT or https://HOST/FILE.whl#sha256=DIGEST"

# Only characters that mean nothing special to a shell, to YAML or to a mail program.
_PATH = r"(?:/[A-Za-z0-9_~%+-][A-Za-z0-9._~%+-]*)+"
_PLACE = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(?::[0-9]{1,5})?"
_COMMIT = rf"git\+https://{_PLACE}{_PATH}@[0-9a-f]{{40}}"
_FILE = rf"(?:https://{_PLACE}|file://){_PATH}(?:\.whl|\.tar\.gz)#sha256=[0-9a-f]{{64}}"
_PAGE = rf"(?:https://{_PLACE}|file://){_PATH}\.html#sha256=[0-9a-f]{{64}}"
_LONGEST = 500


class Pin(NamedTuple):
    """A source pinned to its bytes: the URL of a git commit, or of a file with its SHA-256."""

    url: str

    def requirement(self) -> str:
        """The requirement for an installer (PEP 508), which checks name and bytes and refuses
        others."""
        return f"{DISTRIBUTION} @ {self.url}"


def read_pin(text: str) -> Pin:
    """A pinned source from an option or setting; raises Refused `bad-option`."""
    if _is(_COMMIT, text) or _is(_FILE, text):
        return Pin(text)
    raise Refused(
        "bad-option", f"install {text!a:.120}: {_fault(text)}", f"a source is {FORMS}, see git "
        "rev-parse HEAD and sha256sum",
    )  # fmt: skip


def read_page(text: str) -> str:
    """The link to a published page, with its digest; raises Refused `bad-option`."""
    if _is(_PAGE, text):
        return text
    raise Refused(
        "bad-option",
        f"page {text!a:.120}: expected https://HOST/FILE.html#sha256=DIGEST",
        "adjudicator page --check FILE.html tells the digest",
    )


def read_folder(text: str) -> str:
    """The address of a folder on the web, from an option; raises Refused `bad-option`."""
    if _is(rf"https://{_PLACE}(?:{_PATH})?/", text):
        return text
    expected = "expected https://HOST/ or https://HOST/FOLDER/"
    raise Refused("bad-option", f"--at {text!a:.120}: {expected}")


def _is(form: str, text: str) -> bool:
    return len(text) <= _LONGEST and re.fullmatch(form, text, re.ASCII) is not None


def _fault(text: str) -> str:
    """The fault in a text that is no such source."""
    scheme, found, rest = text.partition("://")
    if not found:
        return "a name or a path does not fix the program: anybody may own a name"
    if scheme == "git+https":
        return "expected @ and the 40 hex digits of a commit at its end; branches and tags move"
    if scheme in ("https", "file") and "#sha256=" not in rest:
        return "expected #sha256= and 64 hex digits after the file: files can be replaced"
    if scheme in ("https", "file"):
        return "expected a .whl or .tar.gz file and 64 hex digits, and no character but A-Z a-z " \
               "0-9 . _ ~ % + - in its path"  # fmt: skip
    return "expected git+https://, https:// or file:///"
