"""What a duel's documents prove: who lied, in which move; who won; what cannot be decided.

A player's opening, or their claim, gives the secret from which their side is made again. The first
move that differs names its signer. A side also refuses what the rules do not allow, whatever the
other hides; so even with one secret some lies of the other show.

Between two people nobody can prove that a message never came. So a claim that the other stopped is
a lie only if its author's own signature says otherwise; else it is *disputed*. But whoever opens
before the game is over *gives it up*: their own signature says that too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from adjudicator.core import deadlines
from adjudicator.duel.again import Again, Lie, side_of, two_moves
from adjudicator.duel.chain import Chain
from games.game import Outcome, Player
from games.options import seconds
from orders.duel import Claim, Opening
from orders.fields import Time


class AuditVerdict(NamedTuple):
    """What follows from a chain.

    `lie`: the first. `opened`: whose secrets are known. `outcome`: how the game ended, by every
    side that could be made again. `claims`: those that nothing here contradicts, in words.
    `gave_up`: who opened before the game was over, if it was one of the two.
    """

    lie: Lie | None
    opened: tuple[Player, ...]
    outcome: Outcome | None
    news: str
    claims: tuple[str, ...]
    gave_up: Player = ""


def judge(chain: Chain) -> AuditVerdict:
    """What a duel's documents prove. A duel that has not begun proves nothing."""
    if not chain.begun:
        return AuditVerdict(None, (), None, "", ())
    made = {player: side_of(chain, player, secret) for player, secret in chain.opened.items()}
    lies = sorted(one.lie for one in made.values() if one.lie is not None)
    claims: list[str] = []
    gave_up = ""
    if not lies:
        gave_up = _gave_up(chain, made)
        lies += [lie for end in _ends(chain) if (lie := _against(chain, end, gave_up)) is not None]
        claims += [_disputed(chain, one) for one in chain.claims.values() if not gave_up]
    outcome, news = _ended(chain, made) if not lies else (None, "")
    opened = tuple(member.name for member in chain.members if member.name in made)
    if lies:
        return AuditVerdict(min(lies), opened, None, "", ())
    return AuditVerdict(None, opened, outcome, news, tuple(claims), gave_up)


def together(one: Chain, two: Chain) -> tuple[Chain, AuditVerdict]:
    """What two files of one duel prove together: two moves for one turn, or a claim that its author
    contradicts in the other file. Also the longer chain, with what only the other file holds.

    Raises Refused if they do not go together and neither is a lie: another accept, another duel, or
    moves that differ in their time alone.
    """
    longer, other = (one, two) if len(one.moves) >= len(two.moves) else (two, one)
    for path, file in other.files.items():
        proof = two_moves(longer, path, file) if path.startswith("moves/") else None
        if proof is not None:
            return longer, AuditVerdict(proof, (), None, "", ())
    alone = judge(longer)
    if alone.lie is not None:
        return longer, alone
    if longer.accept is not None and longer.accept == other.accept and longer.id == other.id:
        # Also where its author signed the move that it names twice, at two times.
        for end in _ends(other):
            lie = _later(longer, end, other.number_of(end))
            if lie is not None:
                return longer, AuditVerdict(lie, (), None, "", ())
    both = longer
    for path, file in other.files.items():
        both = both.take(path, file)
    return both, judge(both)


def _ended(chain: Chain, made: Mapping[Player, Again]) -> tuple[Outcome | None, str]:
    """The outcome on which all sides made again agree, and the sentence that told it."""
    sides = [one.side for one in made.values() if one.side is not None]
    outcomes = [side.outcome for side in sides]
    if not outcomes or any(one is None for one in outcomes):
        return None, ""
    last = sides[0].heard[-1].events[-1]
    return outcomes[0], chain.game.news(last)


def _gave_up(chain: Chain, made: Mapping[Player, Again]) -> Player:
    """Who opened before the game was over; "" if nobody did, or both."""
    early = [
        player for player in chain.openings
        if (side := made[player].side) is not None and side.outcome is None
    ]  # fmt: skip
    return early[0] if len(early) == 1 else ""


def _against(chain: Chain, end: Opening | Claim, gave_up: Player) -> Lie | None:
    """What its author signed that contradicts an opening or a claim; None if nothing here does."""
    at, author = chain.number_of(end), end.player
    later = _later(chain, end, at)
    if later is not None or isinstance(end, Opening):
        return later
    opening = chain.openings.get(author)
    if opening is not None and opening.last != end.last:
        text = "{author} claims that nothing came after it, and opened after a later one"
    elif gave_up == chain.other(author).name:
        return None
    elif chain.author_of(at) != author:
        text = "{author} claims that nothing came after it, when their own move was next"
    elif end.time < _due(chain, at):
        text = "{author} claims before the turn time after it is over"
    else:
        return None
    return Lie(at, author, text.format(author=author))


def _ends(chain: Chain) -> list[Opening | Claim]:
    """The openings and claims of a chain."""
    return [*chain.openings.values(), *chain.claims.values()]


def _later(chain: Chain, end: Opening | Claim, at: int) -> Lie | None:
    """The first move that its author signed after the one that an opening or a claim names."""
    author = end.player
    says = "claims that nothing came after" if isinstance(end, Claim) else "opened after"
    for number in range(at + 1, len(chain.moves) + 1):
        if chain.author_of(number) == author:
            return Lie(number, author, f"{author} {says} move {at}, and signed this one")
    return None


def _disputed(chain: Chain, claim: Claim) -> str:
    other = chain.other(claim.player).name
    at = chain.number_of(claim)
    return (
        f"{claim.player} says that {other} did not answer move {at} within the turn time; "
        f"{other} forfeits, unless they show a later move of {claim.player}'s"
    )


def due(chain: Chain) -> Time | None:
    """Until when the next move is due; None before the first, and after an opening."""
    return _due(chain, len(chain.moves)) if chain.begun and not chain.openings else None


def turn_time(chain: Chain) -> int:
    """The seconds for each move."""
    return seconds(chain.game.check_options(chain.offer.options)["turn_time"]) or 0


def _due(chain: Chain, number: int) -> Time:
    """Until when that move is to be answered."""
    return deadlines.add(chain.moves[number - 1].time, turn_time(chain))
