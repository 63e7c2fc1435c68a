"""A duel in words: whose move it is, and what each of the two heard, step by step, as far as their
secrets are known here. What it must not know: seats, terminals, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from adjudicator.core import deadlines
from adjudicator.duel import audit
from adjudicator.duel.again import side_of, states
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.duel.side import Heard, Side
from adjudicator.words.spans import ReadAt
from games.game import EVERYONE, Deductions, Player, View
from games.news import addressed
from orders.errors import Refused
from orders.secrets import DuelSecret

_NONE: Mapping[Player, Side] = MappingProxyType({})
_NOBODY: Mapping[Player, DuelSecret] = MappingProxyType({})


class Sides:
    """The sides of a duel by whose eyes one may look: one's own, and of whoever has opened.

    `eyes`: their players, one's own first. Steps are counted from 1, the setup.
    """

    def __init__(
        self, row: Row, secrets: Mapping[Player, DuelSecret], here: Mapping[Player, Side] = _NONE
    ) -> None:
        """`secrets`: those that the reader knows. `here`: sides that are made already.

        Raises Refused for a duel that has not begun."""
        made: dict[Player, Side | None] = dict(here)
        for player, secret in secrets.items():
            if player not in made:
                made[player] = side_of(row, player, secret).side
        self.row = row
        self.secrets = secrets
        self.game = self.row.game
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


def sides_of(documents: Documents, own: Mapping[Player, DuelSecret] = _NOBODY) -> Sides:
    """The sides of a duel, on the row that its verdict is about; `own`: the reader's secret. Raises
    Refused for a duel that has not begun."""
    row = audit.judge(documents)[0].row
    return Sides(row, {**own, **documents.opened(row.accepted)} if row.begun else own)


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


def title(row: Row) -> str:
    """The duel in a few words."""
    players = [one.name for one in row.members]
    against = " against ".join(players) if len(players) == 2 else f"offered by {players[0]}"
    return f"{row.game.title}, {against}: move {len(row.moves)}"


def tag(row: Row) -> str:
    """What the subject of every mail of this duel holds, so that it is found among others."""
    return f"[duel {row.id[:8]}]"


def subject(party: Party, what: str) -> str:
    """The subject of a mail from this player that brings an offer, a move, ..."""
    return f"{tag(party.row)} {party.row.game.title}, {party.player}: {what}"


def keys(row: Row) -> str:
    """Whose keys they are, to be compared once over another channel."""
    return "; ".join(f"{one.name} {one.key.fingerprint}" for one in row.members)


def line(party: Party, reader: ReadAt) -> str:
    """Which duel it is, and whose move, in a line."""
    against = f" against {party.other}" if party.other else ", a duel"
    which = f"{party.row.game.title}{against}"
    if party.can_begin and party.prompt is not None:
        when = "" if party.due is None else f", until {reader.deadline(party.due)}"
        return f"{which}: YOUR {party.prompt.what}{when}"
    return f"{which}: {standing(party, reader)}"


def is_late(party: Party, reader: ReadAt) -> bool:
    """Whether the other's time for their move is over, by this device's clock."""
    theirs = party.row.begun and party.row.author != party.player
    return theirs and party.due is not None and party.due < reader.now


def standing(party: Party, reader: ReadAt) -> str:
    """Whose move it is, until when, and what to do next."""
    row, other, until = party.row, party.other, party.due
    if row.accept is None and party.asking:
        return (
            "This side comes from a backup, and nobody had accepted your offer by then. If you do "
            "not play it elsewhere: adjudicator play --anyway"
        )
    if row.accept is None:
        return "Nobody has accepted your offer yet; adjudicator resend sends it again."
    if party.asking:
        return (
            f"This side comes from a backup: {other} is asked which moves came after move "
            f"{len(row.moves)}. Send the question, and take in what answers it; if nothing comes: "
            "adjudicator play --anyway"
        )
    if party.lacks:
        return (
            f"{other} ended the duel at move {party.lacks}, and no move is here: "
            "adjudicator resend asks for them."
        )
    if party.ends and not row.begun:
        return (
            f"{party.other if party.is_left else 'You'} left before the first move, so there is "
            f"nothing to end; for a new offer: adjudicator duel {row.game.id}"
        )
    if not party.can_begin:
        again = "adjudicator resend sends your answer again"
        return f"{other}'s first move has not come yet; {again}."
    if party.ends:
        if not party.ended:
            return f"{left(party)}: adjudicator sync opens your side too."
        if party.is_left:
            told = audit.judge(party.documents)[0].text
            return f"Both have opened: {told}. adjudicator pack writes the file.{_second(party)}"
        gave = any(end.gives_up for end in party.ends)
        what = "You gave it up" if gave else "You have ended the duel"
        opens = f"send what opens your side, and take in what opens {other}'s"
        again = f"If either is lost: adjudicator resend asks for {other}'s, and sends yours again"
        return f"{what}, and your side is open; {opens}. {again}."
    when = "" if until is None else f", until {reader.deadline(until)}"
    if party.prompt is not None:
        return f"Your {party.prompt.what}{when}: adjudicator play"
    if until is not None and is_late(party, reader):
        ago = deadlines.span(deadlines.between(until, reader.now))
        return (
            f"NO NEWS since move {len(row.moves)}, and {other}'s time ended {ago} ago. Ask "
            f"{other}; adjudicator resend sends yours again; or end it: adjudicator duel --end"
        )
    if not party.side.heard:
        return f"{other}'s move{when}: with it comes the first board."
    if row.author == party.player:
        return f"Your answer needs no decision{when}: adjudicator sync"
    return f"{other}'s move{when}."


def _second(party: Party) -> str:
    """Who offers the second game of the match that this is the first of, and how; "" for none."""
    if party.row.match != "first":
        return ""
    if party.player == party.row.offer.player:
        return f" {party.other} offers the second game of the match."
    return " The second game of the match is yours to offer: adjudicator duel --match"


def why(party: Party, reader: Player | None) -> str:
    """Why a duel ended, in a sentence to that reader, or to everybody; a game that came to its end
    says so itself."""
    game, side, ends = party.row.game, party.side, party.ends
    if party.lie is not None:
        return addressed(reader, f"{{a}} lied in {party.lie.where}.", a=party.lie.player)
    if side.outcome is not None and reader is not None:
        return game.why(side.view, side.heard[-1].events)
    if side.outcome is not None:
        heard = [event for event in side.heard[-1].events if event["for"] == EVERYONE]
        return game.why(View(side.setup, None, game.public(side.view)), heard)
    given = [one for one in ends if one.gives_up]
    if len(given) == 2:
        return "Both gave up."
    for one in given:
        return addressed(reader, f"{{a}} gave up after move {one.number}.", a=one.player)
    if len(ends) == 2:
        return "Both ended it before it was over."
    return addressed(reader, f"{{a}} did not answer after move {ends[0].number}.", a=party.other)


def whole(party: Party) -> Any:
    """The last position of a duel, with nothing hidden; None where not both have opened, or one
    lied."""
    if not party.row.begun or party.lie is not None:
        return None
    secrets = party.documents.opened(party.row.accepted)
    return next(reversed([*states(party.row, secrets)]), None)


def ending(party: Party) -> str:
    """How a duel ended, told to this player: `You won. Your torpedo hit bob in C3.`"""
    outcome = party.side.outcome
    said = "" if outcome is None else "A draw. "
    if outcome is not None and outcome.winner is not None:
        said = addressed(party.player, "{winner} won. ", winner=outcome.winner)
    return f"{said}{why(party, party.player)}"


def left(party: Party) -> str:
    """How the other has ended."""
    last = max((end for end in party.ends if end.player == party.other), key=lambda end: end.number)
    if any(end.gives_up for end in party.ends):
        return f"{party.other} gave it up"
    if party.side.is_over:
        return f"The game is over, and {party.other} has opened"
    return f"{party.other} ended the duel after move {last.number}, and says that you stopped"
