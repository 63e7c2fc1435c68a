"""What a referee publishes, if its house says where (`publish`): for each player a calendar of
their deadlines, under a name that only they are told, and of the games that are over the club's
standings and results.

A file is written only if its bytes differ, and no clock has a part in them. Whoever has no seat any
more has an empty calendar, as a program may still ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adjudicator.office.game import HostMail
from adjudicator.office.outbox import Outbox
from adjudicator.store import files
from adjudicator.words import calendar
from adjudicator.words.calendar import Deadline
from orders.errors import Missing, Refused
from orders.fields import digest
from orders.secrets import RefereeSecret

_CALENDARS, _DONE, _TABLE = "referee/calendars", "referee/published", "referee/table"
_LARGEST = 2**24


def calendar_name(secret: RefereeSecret, address: str) -> str:
    """What the calendar of the player at that address is called; nobody without the referee's
    secret can tell it."""
    return f"{secret.calendar(digest(address.lower().encode())).hex()[:32]}.ics"


def put(
    out: Path, games: Sequence[HostMail], packs: Path, outbox: Outbox, secret: RefereeSecret
) -> None:
    """Write what differs into the folder `out`: of these games, and of those that are over, which
    lie in `packs`. Raises Refused."""
    made = {name: list[Deadline]() for name in outbox.noted(_CALENDARS).split()}
    for game in games:
        if game.host is None:
            continue
        waiting, awaited = game.host.folder.waiting(), game.host.last.entry.awaited
        late = {player: one for player, one in awaited.items() if player not in waiting}
        for player, address in game.addresses().items():
            mine = made.setdefault(calendar_name(secret, address), [])
            one = calendar.of_game(game.name, game.host.ledger, late, player)
            mine += [] if one is None else [one]
    for name, found in made.items():
        _write(out / name, calendar.calendar(found), calendar.BEGIN.encode())
    if (names := " ".join(sorted(made))) != outbox.noted(_CALENDARS):
        outbox.keep_note(_CALENDARS, names)
    _put_standings(out, packs, outbox)


def table(packs: Path, outbox: Outbox) -> str:
    """The club's standings as text; they are made anew once the packs are others. Raises
    Refused."""
    from adjudicator.archive import club, standings

    state, _, text = outbox.noted(_TABLE).partition("\n")
    now = digest(repr(_state(packs)).encode())
    if state != now:
        text = standings.files(club.read(packs), {})["standings.md"].decode()
        outbox.keep_note(_TABLE, f"{now}\n{text}")
    return text


def _state(packs: Path) -> list[tuple[str, int, int]]:
    """What tells that packs are others than before."""
    return sorted(
        (path.name, path.stat().st_size, path.stat().st_mtime_ns)
        for path in packs.glob("*")
        if path.suffix in (".zip", ".toml")
    )


def _put_standings(out: Path, packs: Path, outbox: Outbox) -> None:
    """Verify all packs, and write the standings; only once they are others than the last time."""
    here = _state(packs)
    state = digest(repr((str(out), here)).encode())
    if not here or (state == outbox.noted(_DONE) and (out / "standings.html").exists()):
        return
    from adjudicator.archive import club, standings

    for name, data in standings.files(club.read(packs), {}).items():
        _write(out / name, data, standings.begins(data))
    outbox.keep_note(_DONE, state)


def _write(path: Path, data: bytes, like: bytes) -> None:
    """Write a file if it is not there, or is another one that begins so; raises Refused."""
    try:
        held = files.read(path, _LARGEST)
    except Missing:
        held = like
    if not held.startswith(like):
        raise Refused(
            "exists", f"{str(path)!a} is there already, and is not replaced",
            "publish elsewhere, or move that one away",
        )  # fmt: skip
    if held != data:
        files.write(path, data)
