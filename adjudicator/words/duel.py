"""A duel in words: whose move it is, and what each of the two heard, step by step, as far as their
secrets are known here. What it must not know: seats, terminals, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from adjudicator.core import deadlines
from adjudicator.duel import audit
from adjudicator.duel.again import side_of
from adjudicator.duel.chain import Chain
from adjudicator.duel.party import Party
from adjudicator.duel.side import Heard, Side
from adjudicator.words.spans import ReadAt
from games.game import Deductions, Player
from orders.errors import Refused
from orders.secrets import DuelSecret

_NONE: Mapping[Player, Side] = MappingProxyType({})


class Sides:
    """The sides of a duel by whose eyes one may look: one's own, and of whoever has opened.

    `eyes`: their players, one's own first. Steps are counted from 1, the setup.
    """

    def __init__(
        self, chain: Chain, own: Mapping[Player, DuelSecret], here: Mapping[Player, Side] = _NONE
    ) -> None:
        """`own`: the reader's secret; empty for a stranger. `here`: sides that are made already.
        Raises Refused for a duel that has not begun."""
        made: dict[Player, Side | None] = dict(here)
        for player, secret in {**own, **chain.opened}.items():
            if player not in made:
                made[player] = side_of(chain, player, secret).side
        self.chain = chain
        self.game = chain.game
        self.sides = {player: side for player, side in made.items() if side is not None}
        self.eyes = tuple(self.sides)
        self._known: dict[Player, list[Deductions]] = {}

    def side(self, player: Player | None = None) -> Side:
        """That player's side, or the first that may be seen; raises Refused `no-board`."""
        chosen = next(iter(self.eyes), None) if player is None else player
        if chosen not in self.sides:
            known = f"expected --as {' or '.join(self.eyes)}" if self.eyes else ""
            who = "anybody" if chosen is None else ascii(chosen)
            text = f"there is no board of {who} to show: a side shows once its player has opened"
            raise Refused("no-board", text, known)
        return self.sides[chosen]

    def heard(self, side: Side, step: int | None = None) -> Heard:
        """What that side heard of a step, or of the last; raises Refused `missing`."""
        last = len(side.heard)
        number = last if step is None else step
        if not 1 <= number <= last:
            raise Refused("missing", f"there is no step {number}", f"expected 1 to {last}")
        return side.heard[number - 1]

    def title(self, side: Side, step: int) -> str:
        """A step in a few words: whose orders it carried out."""
        if step == 1:
            return "setup"
        return f"orders of {', '.join(one.player for one in side.heard[step - 2].awaited)}"

    def news(self, heard: Heard) -> list[str]:
        """What was told in a step, in sentences."""
        return [self.game.news(event) for event in heard.events]

    def known(self, side: Side, step: int) -> Deductions:
        """What its player can work out from all that they heard up to a step."""
        return worked_out(side, self._known.setdefault(side.player, []))[step]

    def chapters(self, side: Side) -> Iterator[dict[str, Any]]:
        """Every step that this side heard: its number, title and news."""
        for heard in side.heard:
            title = self.title(side, heard.step)
            yield {"step": heard.step, "title": title, "news": self.news(heard)}


def worked_out(side: Side, found: list[Deductions] | None = None) -> list[Deductions]:
    """What a side's player can work out: before the setup, and after each step. `found`: the first
    ones, as they were found before, which grow."""
    found = [] if found is None else found
    if not found:
        start = side.game.view(side.game.start(side.setup), side.player)
        found.append(side.game.deduced(start, (), None))
    for heard in side.heard[len(found) - 1 :]:
        found.append(side.game.deduced(heard.view, heard.events, found[-1]))
    return found


def since_my_last(side: Side) -> tuple[int, bool]:
    """The step that carried out this player's last orders, and whether they gave any since the
    setup."""
    mine = [
        heard.step + 1
        for heard in side.heard[:-1]
        if side.player in (one.player for one in heard.awaited)
    ]
    return max(mine, default=1), bool(mine)


# Whose move it is.


def title(chain: Chain) -> str:
    """The duel in a few words."""
    players = [one.name for one in chain.members]
    against = " against ".join(players) if len(players) == 2 else f"offered by {players[0]}"
    return f"{chain.game.title}, {against}: move {len(chain.moves)}"


def tag(chain: Chain) -> str:
    """What the subject of every mail of this duel holds, so that it is found among others."""
    return f"[duel {chain.id[:8]}]"


def subject(party: Party, what: str) -> str:
    """The subject of a mail from this player that brings an offer, a move, ..."""
    return f"{tag(party.chain)} {party.chain.game.title}, {party.player}: {what}"


def keys(chain: Chain) -> str:
    """Whose keys they are, to be compared once over another channel."""
    return "; ".join(f"{one.name} {one.key.fingerprint}" for one in chain.members)


def line(party: Party, reader: ReadAt) -> str:
    """Which duel it is, and whose move, in a line."""
    chain = party.chain
    against = f" against {party.other}" if party.other else ", a duel"
    which = f"{chain.game.title}{against}"
    until = audit.due(chain)
    if party.can_begin and party.prompt is not None:
        when = "" if until is None else f", until {reader.deadline(until)}"
        return f"{which}: YOUR {party.prompt.what}{when}"
    return f"{which}: {standing(party, reader)}"


def is_late(party: Party, reader: ReadAt) -> bool:
    """Whether the other's time for their move is over."""
    until = audit.due(party.chain)
    theirs = party.chain.begun and party.chain.author != party.player and not party.ended
    return theirs and until is not None and until < reader.now


def standing(party: Party, reader: ReadAt) -> str:
    """Whose move it is, until when, and what to do next."""
    chain = party.chain
    if chain.accept is None:
        return "Nobody has accepted your offer yet."
    other = party.other
    if not party.can_begin:
        return f"{other}'s first move has not come yet."
    if party.lie is not None:
        return f"{party.lie}: adjudicator duel --claim proves it."
    if party.player in chain.claims:
        return "You have claimed: this duel has ended for you. Keep its file: adjudicator pack"
    if party.side.outcome is not None:
        if other in chain.openings:
            return "The game is over, and both have opened."
        opens = "send what opens your side, and take in what opens"
        return f"The game is over; {opens} {other}'s."
    if party.is_given_up:
        early = f"{other} opened before the game was over, and so gave it up."
        return f"{early} adjudicator pack writes the file; duel --claim opens your side too"
    if other in chain.claims:
        after = f"{other} claims that you stopped after move {chain.number_of(chain.claims[other])}"
        return f"{after}, and has opened. adjudicator pack writes the file, verify judges it"
    until = audit.due(chain)
    when = "" if until is None else f", until {reader.deadline(until)}"
    if party.prompt is not None:
        return f"Your {party.prompt.what}{when}: adjudicator play"
    if until is not None and is_late(party, reader):
        ago = deadlines.span(deadlines.between(until, reader.now))
        return (
            f"NO NEWS since move {len(chain.moves)}, and {other}'s time ended {ago} ago. Ask "
            f"{other}; adjudicator resend sends yours again; or claim: adjudicator duel --claim"
        )
    if not party.side.heard:
        return f"{other}'s move{when}: with it comes the first board."
    if chain.author == party.player:
        return f"Your answer needs no decision{when}: adjudicator sync"
    return f"{other}'s move{when}."
