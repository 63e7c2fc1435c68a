"""The findings about a duel: a line for each claim, a verdict, what is not proved."""

from __future__ import annotations

from adjudicator.core.source import Source
from adjudicator.duel import audit
from adjudicator.duel import chain as chains
from adjudicator.duel.audit import AuditVerdict
from adjudicator.duel.chain import Chain
from adjudicator.verifier.claims import (
    FALSE,
    INCOMPLETE,
    LOOK,
    SO_FAR,
    TRUE,
    Claim,
    Findings,
    Group,
)
from adjudicator.words import story
from adjudicator.words.spans import day
from orders.errors import Missing, Refused

NOT_PROVED = (
    "that a move was ever sent, or came",
    "whose a key is, and that the two are two people",
    "times that both sides claim alike",
    "that nobody asked a bot",
    "how often one of them walked away before the first move",
)
UNPROVED = "who holds a key; that no bot helped; that a move came"
"""The same in a line."""


def verify(source: Source) -> Findings:
    """Judge a duel's files as far as they go; never raises Refused."""
    try:
        chain = chains.read(source)
    except Refused as error:
        if error.word in ("unknown-rules", "old-release") or isinstance(error, Missing):
            return Findings.unusable(error)
        told = (Claim(error.claim or "files", "false", error.message),)
        return Findings(
            FALSE,
            f"false: {error.message}",
            told,
            not_proved=NOT_PROVED,
            marked=(error.message,),
            reason="the documents do not hold, so nothing was judged",
        )
    return _found(chain, audit.judge(chain))


def verify_two(one: Source, two: Source) -> Findings | None:
    """Judge two files of one duel together; None if they are not of one, or do not go together."""
    try:
        chain, judged = audit.together(chains.read(one), chains.read(two))
    except Refused:
        return None
    return _found(chain, judged)


def _found(chain: Chain, judged: AuditVerdict) -> Findings:
    code, verdict, reason = _verdict(chain, judged)
    names = tuple(one.name for one in chain.members)
    who = story.against(names) if len(names) == 2 else f"offered by {names[0]}"
    return Findings(
        code,
        verdict,
        _claims(chain, judged),
        chain.id,
        not_proved=NOT_PROVED,
        title=f"{chain.game.title}, {who}. A duel, nobody hosts, {day(chain.offer.time)}.",
        groups=_groups(chain, judged),
        marked=_marked(code, judged, reason),
        reason=reason,
        unproved=UNPROVED,
    )


def _verdict(chain: Chain, judged: AuditVerdict) -> tuple[int, str, str]:
    """The exit code, and the verdict's words for programs and for people."""
    if judged.lie is not None:
        lie = judged.lie
        told = f"{lie.player} lied in {lie.where}"
        return FALSE, f"false: {told}: {lie.text}", told
    if judged.gave_up:
        told = f"{judged.gave_up} opened before the game was over, and so gave it up"
        return LOOK, f"true, but look: {told}", told
    if judged.claims:
        told = "disputed, because one says that the other stopped"
        return LOOK, f"true, but look: disputed: {judged.claims[0]}", told
    if not chain.begun:
        return INCOMPLETE, "incomplete: the duel has not begun", f"the duel has not begun. {SO_FAR}"
    closed = [member.name for member in chain.members if member.name not in judged.opened]
    if closed:
        told = f"not opened by {' and '.join(closed)}"
        return INCOMPLETE, f"incomplete: {told}", f"{told}. {SO_FAR}"
    if judged.outcome is None:
        told = "both opened before the game was over"
        return LOOK, f"true, but look: {told}", told
    winner = judged.outcome.winner
    won = "it is a draw" if winner is None else f"{winner} won"
    return TRUE, f"true: {won}, and neither lied", f"{won}, and neither lied"


def _groups(chain: Chain, judged: AuditVerdict) -> tuple[Group, ...]:
    moves = f"{len(chain.moves)} move{'s' * (len(chain.moves) != 1)}"
    signed = f"{len(chain.moves)}, each signed and following the one before"
    held = Group("moves", ("chain", "signatures"), signed, moves)
    if not judged.opened and judged.lie is None:
        return held, Group("play", ("moves", "end"))
    whose = " and ".join(judged.opened)
    secrets = f"the secrets of {whose}" if len(judged.opened) > 1 else f"the secret of {whose}"
    play = f"played again from {secrets}: every move is what the game makes it, or allows"
    return held, Group("play", ("moves", "end"), play, "every move played again")


def _marked(code: int, judged: AuditVerdict, reason: str) -> tuple[str, ...]:
    if judged.lie is not None:
        return (str(judged.lie),)
    return judged.claims or ((reason,) if code == LOOK else ())


def _claims(chain: Chain, judged: AuditVerdict) -> tuple[Claim, ...]:
    moves = len(chain.moves)
    who = " and ".join(f"{one.name} {one.key.fingerprint}" for one in chain.members)
    told = [
        Claim("chain", "true", f"an offer and {moves} moves, the last {chain.last}"),
        Claim("signatures", "true", f"each document is signed: {who}"),
    ]
    opened = " and ".join(judged.opened)
    if judged.lie is not None:
        told.append(Claim("moves", "false", str(judged.lie)))
    elif judged.opened:
        text = f"{moves} moves are what the secret of {opened} makes, or allows"
        told.append(Claim("moves", "true", text))
    else:
        told.append(Claim("moves", "unknown", "nobody has opened: only their form was checked"))
    if judged.outcome is not None:
        told.append(Claim("end", "true", judged.news))
    told += [Claim("claims", "look", text) for text in judged.claims]
    return tuple(told)
