"""Joins that wait for genesis, and who may sit down.

It keeps joins in order of arrival, knows the tokens of invitations, and opens what a join holds for
the host alone. Every transport takes joins in through here.

By git joins come on branches and pull requests too, where everybody who pushes can write any name:
a name proves nothing. So each is shown with its key, and if two keys ask for one name, the host
says which one gets it (`asking`, `told`, `chosen`).
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core import intake, opening
from adjudicator.core.opening import Offer
from adjudicator.host.folder import HostFolder
from orders.bundle import Bundle
from orders.documents import Join, Private
from orders.errors import Refused
from orders.public_key import read_public
from orders.sealing import PRIVATE_SIZE, letter_info, open_letter
from orders.secrets import draw_secret

MOST_JOINS = 400
"""Joins that may wait for one game: no game has more seats."""


_MOST_SHOWN = 32


@dataclass(frozen=True, slots=True)
class Applicant:
    """A checked join that waits for genesis."""

    player: str
    fingerprint: str
    bundle: Bundle


def noted(whom: str) -> str:
    """The note of who gets a token, as the host's folder has it: one line, 300 characters."""
    return " ".join(whom.split())[:300]


class WaitingRoom:
    """The joins to one invite, and the tokens without which nobody joins a reserved game."""

    def __init__(self, folder: HostFolder, offer: Offer) -> None:
        self.folder = folder
        self.offer = offer

    def invite(self, whom: str) -> str:
        """A fresh token, 32 hex digits; `whom` is the host's private note of who gets it."""
        token = draw_secret().hex()[:32]
        self.folder.add_token(token, noted(whom))
        return token

    def token_for(self, whom: str) -> str:
        """The token of that person's invitation, the same each time."""
        known = {who: token for token, who in self.folder.tokens().items()}
        return known.get(noted(whom)) or self.invite(whom)

    def joins(self) -> dict[str, Join]:
        """The players who have joined, in order of arrival."""
        found = [self.read(bundle) for bundle in self.folder.joins().values()]
        return {join.player: join for join in found}

    def bundles(self) -> list[Bundle]:
        """The joins as they came, in order of arrival."""
        return list(self.folder.joins().values())

    def read(self, bundle: Bundle) -> Join:
        """The join in a bundle, checked by itself; raises Refused."""
        return intake.read_join_bundle(self.offer, bundle)[0]

    def take(self, bundle: Bundle) -> Join:
        """Keep a join until the game begins; a later one of the same key takes its place.

        Raises Refused.
        """
        join = self.read(bundle)
        held = self.joins()
        before = held.get(join.player)
        if before is not None and before.key != join.key:
            raise Refused("illegal", f"somebody has joined as {join.player}", "choose another name")
        opening.check_distinct(self.offer, {**held, join.player: join}.values())
        self.check_token(join, held)
        if before is None and len(held) >= (self.seats() or MOST_JOINS):
            raise Refused("illegal", "all seats of this game are taken")
        self.put(join.player, bundle)
        return join

    def keep(self, bundle: Bundle, held: Mapping[str, Join]) -> str:
        """Keep the join of somebody who would take over a seat of a game that has begun, until the
        host hands it on; `held`: every join that ever got a seat. Returns its file's name; raises
        Refused."""
        join = self.read(bundle)
        if all(other.player != join.player for other in held.values()):
            raise Refused("no-seat", f"{join.player} has no seat in this game")
        self.check_token(join, held)
        return self.put(join.player, bundle)

    def put(self, player: str, bundle: Bundle) -> str:
        """Keep a join that was looked at, perhaps by another machine of the host's: behind the
        others, or in the place of that player's last one. Returns its file's name."""
        names = list(self.folder.joins())
        mine = next((name for name in names if name[4:-4] == player), None)
        last = int(names[-1][:3]) if names else 0
        name = mine or f"{last + 1:03d}-{player}.txt"
        self.folder.keep(f"joins/{name}", bundle)
        return name

    def drop(self, player: str) -> None:
        """Forget the join of that player; raises Refused if none waits."""
        name = next((name for name in self.folder.joins() if name[4:-4] == player), None)
        if name is None:
            raise Refused("missing", f"no join of {player!a} waits")
        self.folder.remove(f"joins/{name}")

    def check_token(self, join: Join, held: Mapping[str, Join]) -> None:
        """Raise Refused if the seats are reserved and the join brings no token, or one that a join
        of `held` has used."""
        if not self.offer.invite.reserved:
            return
        token = self.private(join).token
        if token is None or token not in self.folder.tokens():
            raise Refused(
                "no-seat",
                f"the seats are reserved: the join of {join.player} brings no token of the host's",
                "join with the invitation that the host sent you: --token",
            )
        for other in held.values():
            if other.key != join.key and self.private(other).token == token:
                raise Refused("no-seat", f"{other.player} has joined with this token already")

    def private(self, join: Join) -> Private:
        """What a join holds for the host alone; empty if it holds nothing that opens."""
        if join.private is None:
            return Private()
        info = letter_info("private", self.offer.digest, 0, join.player)
        try:
            sealed = base64.b64decode(join.private, validate=True)
            return Private.read(open_letter(self.folder.letters(), info, sealed, PRIVATE_SIZE))
        except (Refused, ValueError):
            return Private()

    def seated(self, joins: Sequence[Bundle]) -> Sequence[Bundle]:
        """These joins in the order of their seats: as they are given, but in a match in that of the
        invitations, by which its two games change seats."""
        if self.offer.match == "none":
            return joins
        order = {token: at for at, token in enumerate(self.folder.tokens())}

        def place(bundle: Bundle) -> int:
            return order.get(self.private(self.read(bundle)).token or "", len(order))

        return sorted(joins, key=place)

    def seats(self) -> int | None:
        """How many players begin the game as soon as they are there; None: the host says when."""
        least, most = self.offer.game.seats
        return self.folder.seats() or (least if least == most else None)

    def asking(self, found: Iterable[tuple[str, Bundle]]) -> tuple[list[Applicant], list[str]]:
        """The joins that can be seated, by name, one of each key; and why others cannot.

        `found`: pushed joins, each with the branch or request. Joins that wait here count too.
        """
        given = [*(("the waiting room", bundle) for bundle in self.bundles()), *found]
        kept: dict[tuple[str, str], Applicant] = {}
        told = []
        for where, bundle in given:
            try:
                join = self.read(bundle)
                self.check_token(join, {})
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
    shown = [f"{one.player} ({one.fingerprint})" for one in waiting[:_MOST_SHOWN]]
    return ", ".join([*shown, *more]) or "nobody"


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
                "missing", f"no join of {word!a:.120} was pushed; joined so far: {_shown(waiting)}"
            )
        if len(found) > 1:
            raise Refused(
                "bad-key",
                f"{len(found)} keys ask for the name {name}: {_shown(found)}",
                f"ask {name} which is theirs, then name it: {name}={found[0].fingerprint}",
            )
        out.append(found[0].bundle)
    return out
