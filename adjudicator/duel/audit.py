"""What a duel's documents prove: who lied, in which move; who won; what cannot be decided.

An end gives the secret from which its author's side is made again, along every row. The first move
that differs names its signer. A side also refuses what the rules do not allow, whatever the other
hides; so even with one secret some lies of the other show.

Everything else is judged so that nobody honest can be named, whatever the other signs or hides, and
whatever was lost. Between two people nobody can prove that a message never came, or when; so
nothing about when somebody ended is a lie, and neither are two moves of one number, as a restored
player makes them. Who wants to have won must have opened; who lost need not. Whatever counts
against a player was signed by that player at that very move. The set alone decides, whatever file
came first. `docs/formats/duels.md` lists the checks; they stand here in its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudicator.duel.again import Again, Lie, begin, follow
from adjudicator.duel.documents import Documents
from adjudicator.duel.row import Row
from games.game import Outcome, Player
from orders.duel import End
from orders.fields import Digest


class Point(NamedTuple):
    """A move of a row without a lie, by the secrets that are open: for whom the game is over there,
    and how it ended."""

    over: tuple[Player, ...] = ()
    outcome: Outcome | None = None


class AuditVerdict(NamedTuple):
    """What follows from a duel's documents.

    `word` says which check decided: `not-begun`, `true`, `twice`, `lie`, `closed`, `won`,
    `gave-up`, `gave-up-closed`, `both-gave-up`, `disputed`, `absent` or `unopened`; `text` says it
    in words. `row` is the row that it is about, else the longest. `outcome`: how the game ended, if
    that is proved, or the one who did not give it up. `opened`: whose secrets are open. `notes`:
    what else is strange, none of which decides anything.
    """

    word: str
    text: str
    row: Row
    outcome: Outcome | None = None
    lie: Lie | None = None
    opened: tuple[Player, ...] = ()
    notes: tuple[str, ...] = ()


def judge(documents: Documents) -> tuple[AuditVerdict, ...]:
    """The verdict about each accept that moves follow: each is a duel of its own. If none is, the
    one verdict that nothing has begun."""
    strange = [f"{path} is nobody's: {why}" for path, why in documents.notes.items()]
    begun = sorted({documents.files[move].accept for move in documents.moves})
    idle = sorted({*documents.begun} - {*begun})
    if not begun:
        row = documents.begun[idle[0]] if len(idle) == 1 else documents.offered
        text = "the duel has not begun"
        return (AuditVerdict("not-begun", text, row, notes=tuple(strange)),)
    strange += [f"no move follows the accept {one[:16]}" for one in idle]
    return tuple(
        found._replace(notes=(*found.notes, *strange))
        for found in (_Judge(documents, accept).verdict() for accept in begun)
    )


class _Judge:
    """One duel: the documents that go out from one accept."""

    def __init__(self, documents: Documents, accept: Digest) -> None:
        self.documents, self.accept = documents, accept
        self.begun = documents.begun[accept]
        self.names = tuple(one.name for one in self.begun.members)
        self.moves = [one for one in documents.moves if documents.files[one].accept == accept]
        self.ends = tuple(documents.ends_of(accept).values())
        self.opened = documents.opened(accept)
        self.points: dict[Digest, Point] = {accept: Point()}
        self.lies: list[tuple[int, Digest, Lie]] = []
        self._walk()

    def verdict(self) -> AuditVerdict:
        """The first check that applies."""
        word, text, last, outcome = self._decided()
        if last is None:
            last = self.documents.longest(self.accept)
        return AuditVerdict(
            word, text, self.documents.row(last), outcome,
            min(self.lies)[2] if word == "lie" else None,
            tuple(self.opened), tuple(self._notes()),
        )  # fmt: skip

    def _decided(self) -> tuple[str, str, Digest | None, Outcome | None]:
        """The word, the text, the move that it is about, and the outcome if it is proved."""
        finished = self._finished()
        if finished:
            last = finished[0]
            ended = self.points[last].outcome
            if all(self.points[one].outcome == ended for one in finished):
                return "true", f"{_won(ended)}, and neither lied{self._before(last)}", last, ended
            told = "; ".join(
                f"by move {self._number(one)} {_won(self.points[one].outcome)}" for one in finished
            )
            return "twice", f"finished twice: {told}", last, None
        if self.lies:
            _, last, lie = min(self.lies)
            return "lie", f"{lie.player} lied in {lie.where}: {lie.text}", last, None
        if not self.ends:
            return "closed", f"not opened by {' and '.join(self.names)}", None, None
        for end in self.ends:
            point = self.points.get(end.last, Point())
            winner = None if point.outcome is None else point.outcome.winner
            if winner == end.player in point.over and self._author(end.last) != winner:
                loser = self._other(end.player)
                text = f"{winner} won; {loser} has not opened{self._before(end.last)}"
                return "won", text, end.last, point.outcome
        return self._undecided()

    def _undecided(self) -> tuple[str, str, Digest | None, Outcome | None]:
        """The same where nobody is proved to have won on the board."""
        early = [one for one in self.ends if not self._is_over(one)]
        gave_up = [
            name for name in self.names if any(e.gives_up and e.player == name for e in early)
        ]
        if len(gave_up) == 2:
            return "both-gave-up", "both gave it up", None, None
        if gave_up:
            (loser,) = gave_up
            winner = self._other(loser)
            if winner in self.opened:
                return "gave-up", f"{loser} gave it up; {winner} wins", None, Outcome(winner)
            text = f"{loser} gave it up; {winner} has yet to open"
            return "gave-up-closed", text, None, None
        if any(one.last in self.points for one in early):
            return "disputed", f"disputed: {self._dispute()}", None, None
        absent = [one for one in self.ends if one.last not in self.points]
        if len(absent) == len(self.ends) or len(self.opened) == 2:
            told = [f"move {one.number}, which the end of {one.player} names" for one in absent]
            text = f"{' and '.join(told)}, is not here" if told else _APART
            return "absent", text, None, None
        closed = [name for name in self.names if name not in self.opened]
        return "unopened", f"not opened by {' and '.join(closed)}", None, None

    # What the checks ask.

    def _finished(self) -> list[Digest]:
        """The moves at which both sides are over, and which their reader's end names, the longest
        row first."""
        named = {(end.player, end.last) for end in self.ends}
        found = [
            one for one, point in self.points.items()
            if len(point.over) == 2 and (self._other(self._author(one)), one) in named
        ]  # fmt: skip
        return sorted(found, key=lambda one: (-self._number(one), one))

    def _is_over(self, end: End) -> bool:
        """Whether the game is over for its author at the move that it names; never at the accept,
        and never at one that is not here."""
        return end.player in self.points.get(end.last, Point()).over

    def _number(self, last: Digest) -> int:
        return self.documents.number(last) or 0

    def _author(self, last: Digest) -> Player:
        """Who signed that move, or the accept."""
        return self.begun.author_of(self._number(last))

    def _other(self, player: Player) -> Player:
        return self.names[self.names[0] == player]

    def _dispute(self) -> str:
        """Who ended where, in the words of who reads it; and who owes on the longest row."""
        told = []
        for name in self.names:
            ends = [one for one in self.ends if one.player == name]
            after = sorted({
                (self._number(one.last), "") if one.last in self.points
                else (one.number, ", which is not here")
                for one in ends
            })  # fmt: skip
            where = " and ".join(f"after move {number}{here}" for number, here in after[:_MOST])
            told.append(f"{name} ended {where}" if ends else f"{name} has not ended")
        row = self.documents.row(self.documents.longest(self.accept))
        own = "".join(self._later(name) for name in self.names)
        over = row.author in self.points.get(row.last, Point()).over
        owed = "with the last the game is over" if over else f"{row.author} owes the next"
        return f"{'; '.join(told)}; {len(row.moves)} moves are here, and {owed}{own}"

    def _before(self, last: Digest) -> str:
        """Who ended before that move, in words."""
        found = [
            f"; {end.player} had ended after move {self._number(end.last)}"
            for end in self.ends
            if end.last in self.points and self._number(end.last) < self._number(last)
        ]
        return "".join(dict.fromkeys(found))

    def _later(self, player: Player) -> str:
        """That a player signed a move behind one after which they ended, in words."""
        ended = [
            self._number(e.last) for e in self.ends if e.player == player and e.last in self.points
        ]
        signed = [self._number(one) for one in self.moves if self._author(one) == player]
        if not ended or not signed or min(ended) >= max(signed):
            return ""
        return f"; {player} ended after move {min(ended)} and signed move {max(signed)}"

    def _notes(self) -> Iterator[str]:
        signed: dict[int, int] = {}
        for one in self.moves:
            signed[self._number(one)] = signed.get(self._number(one), 0) + 1
        for number, many in signed.items():
            if many > 1:
                author = self.begun.author_of(number)
                yield f"{author} signed {many} moves {number}, as who restores a backup may"
        for name in self.names:
            yield from filter(None, [self._later(name).removeprefix("; ")])
        for end in self.ends:
            right = self.documents.number(end.last)
            if right not in (None, end.number):
                yield f"the end of {end.player} names move {end.number}, and the digest of {right}"

    # The sides, made again.

    def _walk(self) -> None:
        """Make the sides of the open secrets again along all rows, each move once: at each move its
        author's side first, then its reader's. Behind a lie nothing is judged.

        Where rows part, the sides are copied for all but the one that is followed last.
        """
        followers: dict[Digest, list[Digest]] = {}
        for one in self.moves:
            followers.setdefault(self.documents.moves[one].last, []).append(one)
        nonce = self.documents.moves[followers[self.accept][0]].nonce or ""
        made: dict[Player, Again] = {
            name: begin(self.begun, name, secret, nonce) for name, secret in self.opened.items()
        }
        lie = next((one.lie for one in made.values() if one.lie is not None), None)
        if lie is not None:
            self.lies.append((0, self.accept, lie))
            return
        waiting = _parted(followers.pop(self.accept), made)
        while waiting:
            last, made, shared = waiting.pop()
            if shared:
                made = {name: one.copy() for name, one in made.items()}
            move = self.documents.moves[last]
            author = self.begun.author_of(move.number)
            lie = None
            for name in sorted(made, key=author.__ne__):
                made[name] = again = follow(made[name], move, author)
                lie = lie or again.lie
            if lie is not None:
                self.lies.append((move.number, last, lie))
                continue
            sides = [one.side for one in made.values() if one.side is not None]
            over = tuple(side.player for side in sides if side.is_over)
            outcome = next((side.outcome for side in sides if side.is_over), None)
            self.points[last] = Point(over, outcome)
            waiting += _parted(followers.pop(last, []), made)


_MOST = 3
"""How many ends of one player a verdict names."""

_APART = "both have opened, but neither end names the move of the other that ended it"


def _parted(
    followers: Sequence[Digest], made: dict[Player, Again]
) -> list[tuple[Digest, dict[Player, Again], bool]]:
    """What is to be followed; the last one popped, which is the first, needs no copy."""
    return [(one, made, at > 0) for at, one in enumerate(followers)]


def _won(outcome: Outcome | None) -> str:
    """How a game ended, in words."""
    winner = None if outcome is None else outcome.winner
    return "it is a draw" if winner is None else f"{winner} won"
