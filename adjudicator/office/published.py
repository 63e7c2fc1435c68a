"""What a referee publishes, if its house says where (`publish`): for each player a calendar of
their deadlines, under a name that only they are told, and of the games that are over the club's
standings and results.

A file is written only if its bytes differ, and no clock has a part in them. Whoever has no seat any
more has an empty calendar, as a program may still ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudicator.mail.logins import fault_of
from adjudicator.office.game import HostMail
from adjudicator.office.outbox import Outbox
from adjudicator.store import files
from adjudicator.words import calendar
from adjudicator.words.calendar import Deadline
from orders.errors import Missing, Refused
from orders.fields import Digest, digest
from orders.secrets import RefereeSecret

_CALENDARS, _DONE, _TABLE = "referee/calendars", "referee/published", "referee/table"
_LARGEST = 2**24


def calendar_name(secret: RefereeSecret, address: str) -> str:
    """What the calendar of the player at that address is called; nobody without the referee's
    secret can tell it."""
    return f"{secret.calendar(digest(address.lower().encode())).hex()[:32]}.ics"


def put(
    out: Path,
    games: Mapping[HostMail, bool],
    packs: Path,
    outbox: Outbox,
    secret: RefereeSecret,
    faults: list[str],
) -> None:
    """Write what differs into the folder `out`: of these games, and of those that are over, which
    lie in `packs`. Whoever plays in one that does not go on (False), or cannot be read, keeps the
    calendar that they have. Raises Refused."""
    made = {name: list[Deadline]() for name in outbox.noted(_CALENDARS).split()}
    kept: set[str] = set()
    for game, goes_on in games.items():
        mine = {player: calendar_name(secret, to) for player, to in game.addresses().items()}
        try:
            if goes_on and game.host is not None:
                waiting, awaited = game.host.folder.waiting(), game.host.last.entry.awaited
                late = {player: one for player, one in awaited.items() if player not in waiting}
                for player, name in mine.items():
                    one = calendar.of_game(game.name, game.host.ledger, late, player)
                    made.setdefault(name, []).extend([] if one is None else [one])
                continue
        except (Refused, OSError) as error:
            faults.append(f"publish: {game.name}: {fault_of(error)}")
        kept.update(mine.values() if game.host is not None else ())
    for name in made.keys() - kept:
        found = made[name]
        _write(out / name, calendar.calendar(found), calendar.BEGIN.encode())
    if (names := " ".join(sorted(made))) != outbox.noted(_CALENDARS):
        outbox.keep_note(_CALENDARS, names)
    _put_standings(out, packs, outbox, digest(secret.calendar("results")))


def table(packs: Path, outbox: Outbox) -> str:
    """The club's standings as text; they are made anew once the packs are others. Raises
    Refused."""
    state, _, text = outbox.noted(_TABLE).partition("\n")
    if state != digest(repr(_state(packs)).encode()):
        text = _standings(packs, outbox, "")["standings.md"].decode()
    return text


def _standings(packs: Path, outbox: Outbox, feed: Digest) -> dict[str, bytes]:
    """The files of the standings; their text is kept. `feed` names the feed. Raises Refused."""
    from adjudicator.archive import club, standings

    state, made = digest(repr(_state(packs)).encode()), standings.files(club.read(packs), {}, feed)
    outbox.keep_note(_TABLE, f"{state}\n{made['standings.md'].decode()}")
    return made


def _state(packs: Path) -> list[tuple[str, int, int]]:
    """What tells that packs are others than before."""
    return sorted(
        (path.name, path.stat().st_size, path.stat().st_mtime_ns)
        for path in packs.glob("*")
        if path.suffix in (".zip", ".toml")
    )


def _put_standings(out: Path, packs: Path, outbox: Outbox, feed: Digest) -> None:
    """Verify all packs, and write the standings; only once they are others than the last time."""
    here = _state(packs)
    state = digest(repr((str(out), here)).encode())
    if not here or (state == outbox.noted(_DONE) and (out / "standings.html").exists()):
        return
    from adjudicator.archive import standings

    for name, data in _standings(packs, outbox, feed).items():
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
