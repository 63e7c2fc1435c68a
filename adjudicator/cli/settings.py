"""`config`: what does not change from command to command, in one TOML file.

A setting is looked for in the environment, then in the game's file (RECORD.config.toml beside the
record), then in a referee's (referee.toml beside it, or in this folder), then in the user's
(config.toml in the folder for this program's settings). Of the files beside a game only the user's
own are read: they name programs that are run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import click
import tomli_w

from adjudicator.install import read_page, read_pin
from adjudicator.store import files
from orders import toml
from orders.errors import Missing, Refused, at
from orders.fields import is_address

_LARGEST = 2**16
REFEREE = "referee.toml"
"""In a referee's folder the settings of all its games, beside the rules of the house."""

_IN = "your mailbox: imaps://USER@HOST[:PORT][/FOLDER], imap:// (STARTTLS), maildir:PATH"
_OUT = "how mails leave: smtps://USER@HOST[:PORT], smtp:// (STARTTLS), sendmail:[PROGRAM], " \
       "maildir:PATH"  # fmt: skip


class Setting(NamedTuple):
    """A setting: its variable in the environment, what it is, its default, and whether a text fits
    it, which may raise Refused to say more."""

    variable: str
    help: str
    default: str | None = None
    fits: Callable[[str], object] = bool


def _one_of(*words: str) -> Callable[[str], bool]:
    return lambda text: text in words


def _is_address(text: str) -> bool:
    """As `mail.mime.check_address`, without loading what reads mails."""
    return is_address(text) and text[0] != "-"


SETTINGS = {
    "address": Setting("ADJUDICATOR_MAIL_ADDRESS", "your mail address", None, _is_address),
    "shown": Setting("", "yes or no: other players who say yes see your address", None,
                     _one_of("yes", "no")),
    "mail-in": Setting("ADJUDICATOR_MAIL_IN", _IN),
    "mail-out": Setting("ADJUDICATOR_MAIL_OUT", _OUT),
    "opponent": Setting("", "duel: the other's mail address, if not the one they wrote from", None,
                        _is_address),
    "mail-state": Setting("ADJUDICATOR_MAIL_STATE", "host: a private folder for the outbox",
                          "mail.state"),
    "ca": Setting("ADJUDICATOR_CA", "certificates to trust for TLS"),
    "remind": Setting("ADJUDICATOR_REMIND", "host: reminders before a deadline, 0 to 2", "1",
                      _one_of("0", "1", "2")),
    "alarm": Setting("ADJUDICATOR_ALARM", "host: who is told by mail when something needs a hand",
                     None, _is_address),
    "tell": Setting("ADJUDICATOR_TELL",
                    "a command that is run once for each thing that waits for you", None,
                    files.words),
    "key": Setting("ADJUDICATOR_KEY", "your SSH key"),
    "page": Setting("ADJUDICATOR_PAGE",
                    "host: the page for players, https://HOST/FILE.html#sha256=DIGEST", None,
                    read_page),
    "install": Setting("ADJUDICATOR_INSTALL", "host: from where others install this program", None,
                       read_pin),
    "bot": Setting("ADJUDICATOR_BOT", "whom you play against if you name nobody"),
    "colour": Setting("ADJUDICATOR_COLOUR", "auto or never", "auto", _one_of("auto", "never")),
}  # fmt: skip
"""All settings by name."""


def get(key: str, record: Path | None = None) -> str | None:
    """The value of a setting, for a game if one is named; raises Refused for one that does not fit,
    and for a broken file."""
    setting = SETTINGS[key]
    named = os.environ.get(setting.variable) if setting.variable else None
    if named:
        _check(key, named, setting.variable)
        return named
    here = [Path(REFEREE)] if record is None else [of_game(record), of_folder(record)]
    for path in (*here, of_user()):
        found = held(path).get(key)
        if found is not None:
            return found
    return setting.default


_BY_MAIL = {
    "address": ("your mail address is not set", "adjudicator config address ADDRESS"),
    "mail-out": ("no way to send mails is set", "adjudicator config mail-out sendmail:"),
    "mail-in": ("no mailbox is set", "adjudicator config mail-in imaps://USER@HOST"),
}


def lacking(record: Path | None) -> list[Refused]:
    """For want of which settings a host's mails do not come and go by themselves, the one that is
    needed first in front. Raises Refused."""
    return [
        Refused("bad-option", *said) for key, said in _BY_MAIL.items() if get(key, record) is None
    ]


def of_user() -> Path:
    """The user's file."""
    return Path(click.get_app_dir("adjudicator")) / "config.toml"


def of_game(record: Path) -> Path:
    """The game's file."""
    root = Path(os.path.abspath(record))  # noqa: PTH100 - keeps links
    return root.with_name(f"{root.name}.config.toml")


def of_folder(record: Path) -> Path:
    """The referee's file in the folder of the game."""
    return Path(os.path.abspath(record)).with_name(REFEREE)  # noqa: PTH100 - keeps links


def held(path: Path, mended: str = "") -> Mapping[str, str]:
    """The settings in a file; empty if it is not there or is somebody else's. `mended`: the one
    that may be anything, as it is replaced. Raises Refused."""
    try:
        if not files.is_own(path):
            return {}
        data = files.read(path, _LARGEST)
    except (OSError, Missing):
        return {}
    return _parsed(path, data, mended)


@lru_cache(64)
def _parsed(path: Path, data: bytes, mended: str) -> Mapping[str, str]:
    """The settings in a file of these bytes; raises Refused. Of a referee's many games each asks
    for several, most of one file."""
    with at(ascii(str(path))):
        found = toml.parse(data, _LARGEST)
    if path.name == REFEREE:
        found = {key: value for key, value in found.items() if key in SETTINGS}
    for key, value in found.items():
        if key != mended:
            _check(key, value if isinstance(value, str) else "", str(path))
    return found


def put(path: Path, key: str, value: str) -> None:
    """Write a setting into a file; an empty value takes it out. Raises Refused."""
    if value:
        _check(key, value, "config")
    if value and key == "tell":
        program = files.words(value)[0]
        # It runs in the folder of the game.
        elsewhere = program != Path(program).name and not Path(program).is_absolute()
        if elsewhere or shutil.which(program) is None:
            raise Refused(
                "bad-option", f"tell: there is no program {program!a}",
                "name one that is on your PATH, or its whole path; it is run without a shell",
            )  # fmt: skip
    if value and key in ("mail-in", "mail-out"):
        from adjudicator.mail import logins, mailboxes, senders

        place = mailboxes if key == "mail-in" else senders
        with at(key):
            logins.read_place(value, place.SCHEMES)
    kept = {**held(path, mended=key), key: value}
    kept = {name: text for name, text in sorted(kept.items()) if text}
    files.make_folder(path.parent, 0o700)
    files.write(path, tomli_w.dumps(kept).encode("utf-8"), 0o600)


def _check(key: str, value: str, where: str) -> None:
    from games.options import suggest

    if key not in SETTINGS:
        known = ", ".join(SETTINGS)
        meant = suggest(key, SETTINGS) or f": expected one of {known}"
        raise Refused("bad-option", f"{where}: there is no setting {key!a}{meant}")
    try:
        fits = SETTINGS[key].fits(value)
    except Refused as error:
        raise Refused("bad-option", f"{where}: {error.message}", error.hint) from None
    if not fits:
        due = SETTINGS[key].help.removeprefix("host: ")
        raise Refused(
            "bad-option", f"{where}: {key} {value!a:.80}: expected {due}",
            f"adjudicator config {key} VALUE",
        )  # fmt: skip
