"""Slips in a repository that are not in the record: orders of a player whom an entry calls missing,
and two orders of one step and revision.

A branch does not show when a slip was pushed, so it accuses nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from adjudicator.core.opening import Opening
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_small
from adjudicator.git.slips import find_files
from adjudicator.git.ties import Recorded
from orders import names, sshsig
from orders.documents import Slip, read_slip
from orders.errors import Refused
from orders.fields import digest

_PUSHED = ("refs/remotes", "refs/heads/players", "refs/pull", "refs/merge-requests")
_LARGEST = 4_096


@dataclass(frozen=True, slots=True)
class Noted:
    """A line about slips. `look`: a person should look at it; otherwise it may mean nothing."""

    text: str
    look: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """A validly signed slip, and the blob that holds it."""

    slip: Slip
    digest: str
    blob: str


def notes(
    repo: Repo, commit: str, opening: Opening, told: Sequence[Recorded], brought: dict[str, str]
) -> Iterator[Noted]:
    """Lines about slips in the history of `commit`, and on players' branches here, that the record
    does not show.

    `brought`: by name of an entry, the commit of main that brought it.
    """
    ends = repo.text("for-each-ref", "--format=%(objectname)", *_PUSHED).split()
    found = list(_slips(repo, [commit, *dict.fromkeys(ends)], opening, told))
    yield from _twins(found)
    yield from _missing(repo, told, found, brought)


def _slips(
    repo: Repo, ends: Sequence[str], opening: Opening, told: Sequence[Recorded]
) -> Iterator[_Found]:
    """Every slip of this game in these histories that its player signed."""
    files = find_files(repo, ends, "slips")
    used = {slip.digest for one in told for slip in one.entry.slips.values()}
    held = read_small(repo, chain.from_iterable(files.values()), _LARGEST)
    seen: set[str] = set()
    for path in sorted(files):
        name = names.parse(path)
        if name is None or name.signature:
            continue
        for blob in sorted(files[path] - seen):
            seen.add(blob)
            signatures = [held.get(one, b"") for one in files.get(names.signature(path), ())]
            slip = _valid(held.get(blob, b""), signatures, opening, told, used)
            if slip is not None:
                yield _Found(slip, digest(held[blob]), blob)


def _valid(
    data: bytes,
    signatures: Sequence[bytes],
    opening: Opening,
    told: Sequence[Recorded],
    used: set[str],
) -> Slip | None:
    """The slip in a file, if one of these signatures is its player's."""
    try:
        slip = read_slip(data)
    except Refused:
        return None
    if slip.game != opening.id or slip.player not in opening.players:
        return None
    if digest(data) in used:
        return slip
    key = told[min(slip.step, len(told) - 1)].key(slip.player)
    for armored in signatures:
        try:
            sshsig.verify(key, sshsig.SLIP, data, armored)
        except Refused:
            continue
        return slip
    return None


def _twins(found: Sequence[_Found]) -> Iterator[Noted]:
    first: dict[tuple[str, int, int], _Found] = {}
    for one in found:
        slip = one.slip
        other = first.setdefault((slip.player, slip.step, slip.revision), one)
        if other.digest != one.digest:
            yield Noted(
                f"{slip.player} signed two slips of step {slip.step}, revision {slip.revision}: "
                f"{other.digest[:16]} and {one.digest[:16]}",
                look=True,
            )


def _missing(
    repo: Repo, told: Sequence[Recorded], found: Sequence[_Found], brought: dict[str, str]
) -> Iterator[Noted]:
    for number, one in enumerate(told):
        for player in one.entry.missing:
            slips = [each for each in found if each.slip.player == player]
            slips = [each for each in slips if _answers(told, each.slip, number)]
            if not slips:
                continue
            before = brought.get(names.entry(number - 1))
            early = {} if before is None else find_files(repo, [before], "slips")
            known = {blob for blobs in early.values() for blob in blobs}
            if any(each.blob in known for each in slips):
                text = f"entry {number} calls {player} missing, but the host had merged their slip"
                yield Noted(text, look=True)
            else:
                text = (
                    f"entry {number} calls {player} missing, and a branch holds a slip of "
                    f"{player} for it; it may have been written later"
                )
                yield Noted(text, look=False)


def _answers(told: Sequence[Recorded], slip: Slip, number: int) -> bool:
    """Whether that entry could use a slip: only delays follow the entry that the slip quotes."""
    if not 1 <= slip.step <= number:
        return False
    rulings = [told[step].entry.ruling for step in range(slip.step, number)]
    return all(ruling is not None and ruling.moves_only for ruling in rulings)
