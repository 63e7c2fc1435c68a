"""Who joined by git: every key that asks for a name, and the choice among them.

They come on branches and pull requests, or wait in the waiting room. A name proves nothing, because
everybody who pushes can write any name. So each is shown with its key, and if two keys ask for one
name, the host says which one gets it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudicator.core import intake
from adjudicator.host.waiting_room import WaitingRoom
from orders.bundle import Bundle
from orders.errors import Refused
from orders.public_key import read_public

_MOST_SHOWN = 32


@dataclass(frozen=True, slots=True)
class Applicant:
    """A checked join that waits for genesis."""

    player: str
    fingerprint: str
    bundle: Bundle

    @property
    def shown(self) -> str:
        """Name and key."""
        return f"{self.player} ({self.fingerprint})"


def asking(
    room: WaitingRoom, found: Iterable[tuple[str, Bundle]]
) -> tuple[list[Applicant], list[str]]:
    """The joins that can be seated, by name, one of each key; and why others cannot.

    `found`: pushed joins, each with the branch or request. Joins in the waiting room count too.
    """
    given = [*(("the waiting room", bundle) for bundle in room.bundles()), *found]
    kept: dict[tuple[str, str], Applicant] = {}
    told = []
    for where, bundle in given:
        try:
            join, _ = intake.read_join_bundle(room.offer, bundle)
            room.check_token(join, {})
        except Refused as error:
            told.append(f"not taken in, from {where}: {error.message}")
            continue
        fingerprint = read_public(join.key).fingerprint
        kept[join.player, fingerprint] = Applicant(join.player, fingerprint, bundle)
    return [kept[place] for place in sorted(kept)], told


def told(waiting: Sequence[Applicant]) -> list[str]:
    """Who has joined so far, with their keys, in lines for the host."""
    lines = [f"joined so far: {_shown(waiting)}"]
    counts = Counter(one.player for one in waiting)
    lines += [
        f"{count} keys ask for the name {name}: ask {name} which is theirs, then name it: "
        f"adjudicator start {name}=SHA256:..."
        for name, count in counts.items()
        if count > 1
    ]
    if 0 < len(waiting) == len(counts) <= _MOST_SHOWN:
        lines.append(f"to begin with them: adjudicator start {' '.join(counts)}")
    return lines


def _shown(waiting: Sequence[Applicant]) -> str:
    """Them with their keys, not too many, as anybody can join."""
    more = [f"and {len(waiting) - _MOST_SHOWN} more"] * (len(waiting) > _MOST_SHOWN)
    return ", ".join([*(one.shown for one in waiting[:_MOST_SHOWN]), *more]) or "nobody"


def chosen(waiting: Sequence[Applicant], wanted: Sequence[str]) -> list[Bundle]:
    """The joins of these players, each NAME or NAME=FINGERPRINT; raises Refused."""
    out = []
    for word in wanted:
        name, named, fingerprint = word.partition("=")
        found = [
            one
            for one in waiting
            if one.player == name and (not named or one.fingerprint == fingerprint)
        ]
        if not found:
            raise Refused(
                "missing",
                f"no join of {word!a:.120} was pushed; there are joins of: {_shown(waiting)}",
            )
        if len(found) > 1:
            raise Refused(
                "bad-key",
                f"{len(found)} keys ask for the name {name}: {_shown(found)}",
                f"ask {name} which is theirs, then name it: {name}={found[0].fingerprint}",
            )
        out.append(found[0].bundle)
    return out
