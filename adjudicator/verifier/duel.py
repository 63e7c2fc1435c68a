"""The findings about a duel: a line for each claim, a verdict, what is not proved."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.source import Source
from adjudicator.duel import audit, documents
from adjudicator.duel.audit import AuditVerdict
from adjudicator.verifier.claims import FALSE, INCOMPLETE, LOOK, SO_FAR, TRUE, Finding, Findings
from adjudicator.words import story
from adjudicator.words.spans import day
from orders.errors import Refused

NOT_PROVED = (
    "that a move was ever sent, or came",
    "whose a key is, and that the two are two people",
    "times on which both agree, and which are wrong",
    "that nobody asked a bot",
    "how often one of them walked away before the first move",
)
UNPROVED = "who holds a key; that no bot helped; that a move came"
"""The same in a line."""


CODES: Mapping[str, int] = {
    "not-begun": INCOMPLETE, "true": TRUE, "twice": LOOK, "lie": FALSE, "closed": INCOMPLETE,
    "won": LOOK, "gave-up": LOOK, "gave-up-closed": INCOMPLETE, "both-gave-up": LOOK,
    "disputed": LOOK, "absent": INCOMPLETE, "unopened": INCOMPLETE,
}  # fmt: skip
"""The exit code of each word of `audit.AuditVerdict`."""

_HEADS = {
    TRUE: "true", FALSE: "false", LOOK: "true, but look", INCOMPLETE: "incomplete",
}  # fmt: skip


def verify(source: Source) -> Findings:
    """Judge a duel's files as far as they go; never raises Refused."""
    return next(iter(verify_all(source)))


def verify_all(*sources: Source) -> tuple[Findings, ...]:
    """Judge files of one duel as one set, whatever came first: one finding, or one for each accept
    that moves follow. Never raises Refused."""
    try:
        found = audit.judge(documents.read(*sources))
    except Refused as error:
        return (Findings.unusable(error),)
    return tuple(map(findings, found))


def findings(judged: AuditVerdict) -> Findings:
    """What the verdict about one duel says."""
    row, code = judged.row, CODES[judged.word]
    names = tuple(one.name for one in row.members)
    who = story.against(names) if len(names) == 2 else f"offered by {names[0]}"
    reason = judged.text.partition(": ")[0] if judged.lie is not None else judged.text
    return Findings(
        code,
        f"{_HEADS[code]}: {judged.text}",
        _claims(judged),
        row.id,
        not_proved=NOT_PROVED,
        title=f"{row.game.title}, {who}. A duel, nobody hosts, {day(row.offer.time)}.",
        marked=(str(judged.lie or judged.text),) if judged.lie or code == LOOK else (),
        reason=f"{reason}. {SO_FAR}" if code == INCOMPLETE else reason,
        unproved=UNPROVED,
    )


def _claims(judged: AuditVerdict) -> tuple[Finding, ...]:
    row, many = judged.row, len(judged.row.moves)
    who = " and ".join(f"{one.name} {one.key.fingerprint}" for one in row.members)
    about = (
        f"the last is {row.last}", f"each document is signed: {who}",
        *story.of_match(row.match), *judged.notes,
    )  # fmt: skip
    count = f"{many} move{'s' * (many != 1)}"
    moves = Finding("moves", "true", f"{many}, each signed and in its place", about, count)
    if judged.lie is not None:
        return moves, Finding("play", "false", str(judged.lie))
    if not judged.opened:
        return moves, Finding("play", "unknown", "nobody has opened: only the form was checked")
    whose = " and ".join(judged.opened)
    secrets = f"the secrets of {whose}" if len(judged.opened) > 1 else f"the secret of {whose}"
    text = f"played again from {secrets}: every move is what the game makes it, or allows"
    play = Finding("play", "true", text, (), "every move played again")
    if CODES[judged.word] == TRUE:
        return moves, play._replace(details=(judged.text,))
    ends = [Finding("end", "look", judged.text)] if CODES[judged.word] == LOOK else []
    return moves, play, *ends
