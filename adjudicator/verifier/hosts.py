"""One host's games side by side: which were abandoned, share a master, have two histories.

What belongs here: what several records show together and none shows alone. A host may abandon a
game before its first adjudication because it dislikes the draw; two invites with one master are
opened by one reveal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.source import Source, signed
from adjudicator.verifier.claims import Findings
from orders import names, sshsig
from orders.entries import Genesis, read_entry
from orders.errors import Refused, pasteable
from orders.fields import Digest, digest
from orders.public_key import PublicKey


class HostedGame(NamedTuple):
    """A record among others: its name there, its host, the digests of its invite and of its master.
    `abandoned`: None if it was not, else whether that was before the first adjudication."""

    name: str
    host: PublicKey
    invite: Digest
    master: Digest
    abandoned: bool | None


def look(name: str, source: Source) -> HostedGame | None:
    """The game in a record; None if its invite does not hold."""
    try:
        offer = read_offer(source)
    except Refused:
        return None
    abandoned = _abandoned(source, offer)
    return HostedGame(name, offer.host, offer.digest, offer.invite.master, abandoned)


def _abandoned(source: Source, offer: Offer) -> bool | None:
    """None if the host signed no such end; else whether no entry adjudicates.

    The signed end binds every entry before it and the invite, so nobody can make a host look worse
    with a record made of parts of others, or with entries left out.
    """
    try:
        parsed = filter(None, map(names.parse, source.paths()))
        steps = [name.step for name in parsed if name.kind == "entry" and not name.signature]
        last = names.entry(max(steps, default=0))
        entry = read_entry(signed(source, last).verify(offer.host, sshsig.ENTRY))
        if entry.outcome != {"abandoned": True}:
            return None
        early = True
        while not isinstance(entry, Genesis):
            data = source.read(names.entry(entry.step - 1))
            if digest(data) != entry.prev:
                return None
            entry = read_entry(data)
            early = early and (entry.step == 0 or entry.ruling is not None)
    except Refused:
        return None
    return early if entry.invite == offer.digest else None


def of_invite(offer: Offer, reach: Iterable[tuple[str, Source]]) -> list[str]:
    """What the other records tell about the host of an invite, a line each."""
    found = [hosted for name, source in reach if (hosted := look(name, source)) is not None]
    others = [one for one in found if one.invite != offer.digest]
    lines = _told(offer.host, [one for one in others if one.host == offer.host])
    lines += [
        f"{one.name} has the same master: when one of the two games ends, the other is open too"
        for one in others
        if one.master == offer.invite.master
    ]
    return lines


class ManyRecords:
    """What many records show together, gathered one by one. Only a few digests and the name of the
    first record are kept for each game."""

    def __init__(self) -> None:
        self._games: dict[Digest, HostedGame] = {}
        self._heads: dict[tuple[Digest, int], tuple[Digest, str]] = {}
        self._duels: set[Digest] = set()
        # A line for each record that another one contradicts.
        self.forks: list[str] = []

    def add(self, name: str, hosted: HostedGame | None, found: Findings) -> None:
        """Add a record of that name: what it tells about its host, None for a duel, and what was
        found about it."""
        if hosted is None:
            if found.game is not None:
                self._duels.add(found.game)
            return
        known = self._games.get(hosted.invite)
        # Of two copies of one game, an abandoned one is the longer one.
        if known is None or (known.abandoned is None and hosted.abandoned is not None):
            self._games[hosted.invite] = hosted
        if found.game is None or found.step is None or found.head is None:
            return
        head, name = self._heads.setdefault((found.game, found.step), (found.head, hosted.name))
        if head != found.head:
            both = f"{pasteable(name)} --against {pasteable(hosted.name)}"
            self.forks.append(
                f"{name} and {hosted.name} are two histories of one game, each signed by its host: "
                f"adjudicator verify {both}"
            )

    @property
    def games(self) -> int:
        """How many games there are: copies count once."""
        return len(self._games) + len(self._duels)

    def lines(self) -> list[str]:
        """A line for each fork, for each host that abandoned games, for each shared master."""
        by_host: dict[PublicKey, list[HostedGame]] = {}
        by_master: dict[Digest, list[str]] = {}
        for one in self._games.values():
            by_host.setdefault(one.host, []).append(one)
            by_master.setdefault(one.master, []).append(one.name)
        lines = list(self.forks)
        for host, games in by_host.items():
            lines += _told(host, games)
        lines += [
            f"{' and '.join(shared)} have one master: one reveal opens them all"
            for shared in by_master.values()
            if len(shared) > 1
        ]
        return lines


def _told(host: PublicKey, games: Sequence[HostedGame]) -> list[str]:
    """How many of its games a host has abandoned, in words; nothing if none."""
    abandoned = [one for one in games if one.abandoned is not None]
    if not abandoned:
        return []
    early = sum(one.abandoned is True for one in abandoned)
    before = f", {early} of them before the first adjudication" if early else ""
    return [
        f"the host {host.fingerprint} has abandoned {len(abandoned)} "
        f"of {len(games)} games here{before}: "
        f"{', '.join(one.name for one in abandoned)}"
    ]
