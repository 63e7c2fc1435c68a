"""Players who lie in a duel, each with their real keys.

A lie is told once in a game, where it first can be. *Facts* are changed as the liar's side tells
them, and the liar's own books follow the lie. *Moves* are changed after they are made, just before
they are signed. *Secrets* give other numbers than they should. What becomes of each is in `LIES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from duel.people import NO_OPTIONS, Duel, and_, ended, moved, person

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again, audit, documents
from adjudicator.duel import side as sides
from adjudicator.duel.again import Again
from adjudicator.duel.again import Lie as Found
from adjudicator.duel.audit import AuditVerdict
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party
from adjudicator.duel.side import Side
from adjudicator.machine.duel import Person, files_of
from games.duel import Half, Secrets
from games.game import Game, Player
from games.silent_ships import GAME as SILENT
from games.silent_ships.state import State
from games.sugar_dog import duel as sugar_duel
from games.sugar_dog.duel import HalfTurn
from orders.doors import Doors
from orders.duel import Move, open_orders, seal_orders
from orders.errors import Refused
from orders.secrets import DuelSecret

LATE = "2027-01-01T00:00:00Z"

ChangeFact = Callable[["LyingSide", str, Any, Callable[[], Any]], Any]
"""Side, kind of fact, true value, what says the next one: another value; None for no lie here."""
ChangeMove = Callable[["Liar", Move], Move | None]


@dataclass(frozen=True)
class Lie:
    """A lie, and what becomes of it.

    `noticed`: `refused` (its move is not taken at all), `at once` (the honest side sees that it
    cannot be), `audit`, or `either` of the last two. `words` are in what is said then. `unused`: a
    game may end before it changes anything; then there is nothing to find.
    """

    name: str
    does: str
    noticed: str
    words: str
    fact: ChangeFact | None = None
    move: ChangeMove | None = None
    secret: Callable[[LyingSecret], None] | None = None
    state: Callable[[State, Player], State | None] | None = None
    bots: tuple[str, ...] = ("captain", "asker", "wild")
    unused: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    game: Game[Any, Any] = SILENT
    turn: type[Any] = HalfTurn
    """In Sugar Dog: what carries out the liar's turns."""
    doors: type[Doors] = Doors


class LyingSecret(DuelSecret):
    """A secret that may release, or draw by, other numbers than it should."""

    __slots__ = ("false_draws", "false_release")

    def release(self, step: int) -> str:
        """See DuelSecret."""
        true = DuelSecret.release(self, step)
        return "ab" * 32 if step > 1 and getattr(self, "false_release", False) else true

    def draws(self, release: str) -> bytes:
        """See DuelSecret."""
        true = DuelSecret.draws(self, release)
        return true[::-1] if getattr(self, "false_draws", False) else true


def false_release(secret: LyingSecret) -> None:
    """Release a number of one's own choice."""
    object.__setattr__(secret, "false_release", True)


def false_draws(secret: LyingSecret) -> None:
    """Draw other cards than one should."""
    object.__setattr__(secret, "false_draws", True)


class LyingHalf(Half):
    """Tells a lie, and lets its own side go on from it."""

    side: LyingSide

    def fact(self, owner: Player, what: str, known: Any, write: Any, read: Any) -> Any:
        """See Half."""
        side = self.side
        if not self.knows(owner):
            return super().fact(owner, what, known, write, read)
        value, place = known(), (side.step, len(self.tells))
        if place in side.lies:
            value = side.lies[place](what, value, known)
        elif side.lie.fact is not None and not side.lies and len(self.tells) >= side.told:
            other = side.lie.fact(side, what, value, known)
            if other is not None:
                value = None if other is NOTHING else other
                side.lies[place] = lambda _what, _value, _known: value
        return super().fact(owner, what, lambda: value, write, read)


NOTHING = object()
"""In place of None, where None is the lie."""


class LyingSide(Side):
    """A side whose player lies. `lies`: what it told falsely, by step and place."""

    def __init__(self, lie: Lie, *given: Any) -> None:
        self.lie = lie
        self.lies: dict[tuple[int, int], Callable[..., Any]] = {}
        self.stolen = 0
        super().__init__(*given)

    @property
    def told(self) -> int:
        """How many facts of this step were told before."""
        return self._sent

    def half(self, secrets: Mapping[Player, Secrets]) -> Half:
        """See Side."""
        if self.lie.state is not None and not self.stolen:
            other = self.lie.state(self.state, self.player)
            if other is not None:
                self.state, self.stolen = other, self.step
        half = LyingHalf(secrets, self._told, self._released if self.step == 1 else {})
        half.side = self
        self.secrets = secrets[self.player]
        return half

    def _run(self) -> None:
        """See Side."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sugar_duel, "HalfTurn", self.lie.turn)
            try:
                super()._run()
            except (KeyError, ValueError) as error:
                raise Stuck from error


class Sent(Exception):
    """A move that the liar's own program would refuse as well."""


class Stuck(Exception):
    """The liar's own program does not go on from the lie."""


class LyingParty(Party):
    """A party with a side that lies, and moves that are changed before they are signed."""

    liar: Liar

    def again(self) -> Again:
        """See Party: nothing is compared."""
        row, nonce = self.row, self.row.nonce_for(self.player, self.secret)
        first = again.opened(self.secret, 1, row.member(self.player).orders, row.room)
        assert row.accept is not None
        other = row.accept.nonce if self.player == row.offer.player else nonce
        given = (self.player, self.liar.lying, other, first)
        made = Again(LyingSide(self.liar.lie, row.game, row.setup_by(nonce), *given), None)
        for number, move in enumerate(row.moves, 1):
            made = again.follow(made, move, row.author_of(number))
        return made

    def next_move(self) -> Move:
        """See Party."""
        move, side, liar = super().next_move(), self.side, self.liar
        assert isinstance(side, LyingSide)
        if liar.told == 0:
            if side.lies or side.stolen or liar.lie.secret is not None:
                liar.told = move.number
            elif liar.lie.move is not None:
                changed = liar.lie.move(liar, move)
                if changed is not None:
                    liar.told = move.number
                    if liar.lie.noticed == "refused":
                        raise Sent(changed)
                    return changed
        return move


@dataclass
class Liar(Person):
    """Somebody who lies once. `told`: the number of the move that holds the lie, 0 before."""

    lie: Lie = field(default_factory=lambda: LIES[0])
    told: int = 0

    @property
    def lying(self) -> LyingSecret:
        """The secret from which this person's side takes its numbers."""
        if not hasattr(self, "_lying"):
            self._lying = LyingSecret(self.secret.secret)
            if self.lie.secret is not None:
                self.lie.secret(self._lying)
        return self._lying

    def lied(self) -> None:
        """Put the liar's party in place of the honest one."""
        party = LyingParty(self.at.documents, self.name, self.secret)
        party.liar = self
        self.party = party


@dataclass
class Outcome:
    """What became of a lie: told in which move, how it was noticed, and in which words."""

    told: int
    noticed: str
    words: str
    found: Found | None
    judged: AuditVerdict
    duel: Duel


def tell(lie: Lie, seed: int) -> Outcome | None:
    """A duel in which one player lies; None if there was no occasion. Asserts that the honest one
    is never named."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sides, "Doors", lie.doors)
        return _tell(lie, seed)


def _tell(lie: Lie, seed: int) -> Outcome | None:
    bot = lie.bots[seed % len(lie.bots)]
    liar = person("mallory", bot, f"{lie.name}/{seed}", Liar, lie.game, lie=lie)
    other_bot = lie.bots[seed // 2 % len(lie.bots)]
    honest = person("alice", other_bot, f"{lie.name}/{seed}/honest", game=lie.game)
    one, other = (liar, honest) if seed % 2 else (honest, liar)
    one.offer(lie.game, lie.options or NO_OPTIONS)
    other.accept(one.at.block())
    liar.lied()
    assert isinstance(liar, Liar)
    sender, reader = other, one
    noticed, words, found = "", "", None
    for _ in range(5_000):
        try:
            reader.take(sender.at.block())
        except Refused as error:
            assert reader is honest
            noticed, words = "refused", error.message
            break
        except Stuck:
            return None
        if reader.at.can_begin and reader.at.lie is not None:
            assert reader is honest
            found = reader.at.lie
            noticed, words = "at once", str(found)
            break
        sender, reader = reader, sender
        try:
            if not sender.go_on():
                break
        except Sent as sent:
            move = sent.args[0]
            with pytest.raises(Refused) as refused:
                honest.at.take(dict([moved(liar, move)]), LATE)
            noticed, words = "refused", refused.value.message
            break
        except Stuck:
            return None
    if not liar.told:
        return None
    (judged,) = audit.judge(
        opened(documents.read(MemoryFiles(files_of(honest, liar))), liar, honest)
    )
    if judged.lie is not None:
        assert judged.lie.player == liar.name, (lie.name, seed, judged.lie)
    if found is not None:
        assert found.player == liar.name, (lie.name, seed, found)
    if not noticed and judged.lie is not None:
        noticed, words, found = "audit", str(judged.lie), judged.lie
    return Outcome(liar.told, noticed, words, found, judged, Duel((one, other)))


def opened(whole: Documents, *people: Person) -> Documents:
    """The documents with what lacks of everybody's ends: so all is judged from both."""
    there = {end.player for end in whole.ends.values()}
    return and_(whole, *(ended(whole, one) for one in people if one.name not in there))


# Facts.


def hidden(side: LyingSide) -> list[str]:
    """The names of the liar's ships that nobody has seen and that lie nowhere."""
    own = side.state.sides[side.player]
    return [name for name in (*own.hand, *own.deck, *own.discards) if name]


def renamed(kind: str) -> ChangeFact:
    """Name another ship than the one that lies there."""

    def change(side: LyingSide, what: str, value: Any, known: Any) -> Any:
        return [hidden(side)[0], *value[1:]] if what == kind and hidden(side) else None

    return change


def turned(kind: str, *pairs: tuple[str, str]) -> ChangeFact:
    """Tell another answer of standing orders than they give."""

    def change(side: LyingSide, what: str, value: Any, known: Any) -> Any:
        return dict(pairs).get(value) if what == kind else None

    return change


def no_supports(side: LyingSide, what: str, value: Any, known: Any) -> Any:
    """Drop the supports that the move line gave."""
    return () if what == "supports" and value else None


def asked_supports(side: LyingSide, what: str, value: Any, known: Any) -> Any:
    """Decide on supports after all, which the move line had decided."""
    return NOTHING if what == "supports" and value is not None else None


def other_push(side: LyingSide, what: str, value: Any, known: Any) -> Any:
    """Send the retreat elsewhere than the move line said."""
    return NOTHING if what == "push" and value is not None else None


def skipped(side: LyingSide, what: str, value: Any, known: Any) -> Any:
    """Leave out a line that ought to be carried out, and go on with the next one."""
    if what != "line" or value is None or value.verb not in ("play", "offer", "flip"):
        return None
    after = known()
    return NOTHING if after is None else after


def dropped(side: LyingSide, what: str, value: Any, known: Any) -> Any:
    """Say that there is no further line, though there is."""
    return NOTHING if what == "line" and value is not None and value.verb == "move" else None


def took_back(state: State, player: Player) -> State | None:
    """Take a card back from the discards."""
    own = state.sides[player]
    if not own.discards or not own.hand or state.attack is not None:
        return None
    hand = state.cards.sort((*own.hand[1:], own.discards[0]))
    discards = state.cards.sort((*own.discards[1:], own.hand[0]))
    side = own._replace(hand=hand, discards=discards)
    return state._replace(sides={**state.sides, player: side})


# Moves.


def facts(change: Callable[[Liar, list[str]], Sequence[str] | None]) -> ChangeMove:
    """Change the facts of a move."""

    def changed(liar: Liar, move: Move) -> Move | None:
        found = change(liar, list(move.facts))
        if found is None or tuple(found) == move.facts:
            return None
        return move._replace(facts=tuple(found))

    return changed


def instead(kind: str, body: str) -> ChangeMove:
    """Put another body in place of the first fact of a kind. `{own}` is a cell of the liar's,
    `{their}` one of the other's."""

    def change(liar: Liar, told: list[str]) -> list[str] | None:
        at = next((at for at, one in enumerate(told) if one.split(" ")[0] == kind), None)
        if at is None:
            return None
        board = liar.at.side.state.board
        own = [str(cell) for cell, ship in board.items() if ship.owner == liar.name]
        their = [str(cell) for cell, ship in board.items() if ship.owner != liar.name]
        up = [ship.name for ship in board.values() if ship.owner == liar.name and ship.up]
        given = {
            key: values[0] for key, values in (("own", own), ("their", their), ("up", up)) if values
        }
        if "{" in body and body.partition("{")[2].partition("}")[0] not in given:
            return None
        return [*told[:at], f"{kind} {body.format_map(given)}", *told[at + 1 :]]

    return facts(change)


def last_fact_gone(liar: Liar, told: list[str]) -> list[str] | None:
    """End before everything is told."""
    return told[:-1] if len(told) > 1 else None


def release_gone(liar: Liar, told: list[str]) -> list[str] | None:
    """End a turn and release nothing."""
    return told[:-1] if told and told[-1].startswith("release") else None


def end_gone(liar: Liar, told: list[str]) -> list[str] | None:
    """Release, but end no turn."""
    return [one for one in told if one != "line end"] if told[-2:-1] == ["line end"] else None


def behind(*more: str) -> Callable[[Liar, list[str]], list[str] | None]:
    """Tell more than was asked."""
    return lambda liar, told: [*told, *more] if told else None


def behind_end(liar: Liar, told: list[str]) -> list[str] | None:
    """Go on after the end of the turn."""
    at = told.index("line end") if "line end" in told else -1
    return [*told[: at + 1], "line offer end", *told[at + 1 :]] if at >= 0 else None


def swapped(liar: Liar, told: list[str]) -> list[str] | None:
    """Tell the first two facts in another order."""
    kinds = [one.split(" ")[0] for one in told]
    return [told[1], told[0], *told[2:]] if len(set(kinds[:2])) == 2 else None


def twice(kind: str) -> Callable[[Liar, list[str]], list[str] | None]:
    """Tell a fact twice."""

    def change(liar: Liar, told: list[str]) -> list[str] | None:
        at = next((at for at, one in enumerate(told) if one.startswith(kind)), None)
        return None if at is None else [*told[: at + 1], *told[at:]]

    return change


def low_letters(liar: Liar, told: list[str]) -> list[str] | None:
    """Write a fact otherwise than it is written."""
    at = next((at for at, one in enumerate(told) if one.startswith("line play")), None)
    return None if at is None else [*told[:at], told[at].lower(), *told[at + 1 :]]


def exchanged(liar: Liar, move: Move) -> Move | None:
    """Seal other orders than those carried out."""
    if not move.orders:
        return None
    step = max(1, liar.at.side.step - 1)
    for number in range(step, 0, -1):
        try:
            again.opened(liar.secret, number, move.orders[0], liar.at.row.room)
        except Refused:
            continue
        sealed = seal_orders(liar.secret, number, b"resign", liar.at.row.room)
        return move._replace(orders=(sealed, *move.orders[1:]))
    return None


def spelt(change: Callable[[bytes], bytes]) -> ChangeMove:
    """Seal the same orders in other bytes."""

    def changed(liar: Liar, move: Move) -> Move | None:
        room = liar.at.row.room
        for step in range(liar.at.side.step, 0, -1) if move.orders else ():
            try:
                content = open_orders(liar.secret, step, move.orders[0], room)
            except Refused:
                continue
            other = change(content)
            if other == content:
                return None
            sealed = seal_orders(liar.secret, step, other, room)
            return move._replace(orders=(sealed, *move.orders[1:]))
        return None

    return changed


def wrong_step(liar: Liar, move: Move) -> Move | None:
    """Seal the orders for another step."""
    sealed = seal_orders(liar.secret, 9_999, b"end", liar.at.row.room)
    return move._replace(orders=(sealed, *move.orders[1:])) if move.orders else None


def garbage(liar: Liar, move: Move) -> Move | None:
    """Seal nothing that opens."""
    sealed = "A" * (len(move.orders[0]) - 2) + "==" if move.orders else ""
    return move._replace(orders=(sealed, *move.orders[1:])) if move.orders else None


def more_orders(liar: Liar, move: Move) -> Move | None:
    """Begin orders for which nobody asked."""
    sealed = seal_orders(liar.secret, 7, b"end", liar.at.row.room)
    return move._replace(orders=(*move.orders, sealed)) if move.number > 1 else None


def fewer_orders(liar: Liar, move: Move) -> Move | None:
    """Carry out orders that no order file fixes."""
    return move._replace(orders=()) if move.orders else None


def with_fields(**fields: Any) -> ChangeMove:
    """Change other fields of a later move."""
    return lambda liar, move: move._replace(**fields) if move.number > 2 else None


def skipped_number(liar: Liar, move: Move) -> Move | None:
    """Count on."""
    return move._replace(number=move.number + 2) if move.number > 2 else None


def no_facts(liar: Liar, told: list[str]) -> list[str] | None:
    """Tell nothing at all."""
    return [] if told else None


LIES: tuple[Lie, ...] = (
    Lie("names", "names another ship in a battle", "either", "", fact=renamed("names")),
    Lie("look", "names another ship to a patrol ship", "either", "",
        fact=renamed("look"), bots=("wild", "random", "asker")),
    Lie("retreat-asked", "waits with a retreat that standing orders decided", "audit",
        "retreat", fact=turned("retreat", ("never", "ask"), ("always", "ask"))),
    Lie("retreat-never", "stands though it wanted to be asked", "audit", "`retreat never`",
        fact=turned("retreat", ("ask", "never"), ("always", "never"))),
    Lie("support-never", "keeps its cards though standing orders support", "audit",
        "`support never`", fact=turned("support", ("all", "never"))),
    Lie("support-asked", "waits with supports that standing orders decided", "audit",
        "`support ask`", fact=turned("support", ("all", "ask"), ("never", "ask"))),
    Lie("supports-none", "drops the supports of its move line", "audit", "`supports none`",
        fact=no_supports, bots=("captain",)),
    Lie("supports-asked", "waits with supports that its move line decided", "audit",
        "`supports ask`", fact=asked_supports, bots=("captain",)),
    Lie("push-asked", "waits with the cell that its move line decided", "audit",
        "push|nobody asked",
        fact=other_push, bots=("captain", "wild", "captain", "asker")),
    Lie("line-skipped", "skips a line that could be carried out", "either", "", fact=skipped),
    Lie("line-dropped", "says that its orders end earlier", "audit", "",
        fact=dropped),
    Lie("release", "releases another number", "audit", "`release abab", secret=false_release,
        unused=True),
    Lie("draws", "draws other cards", "either", "", secret=false_draws, unused=True),
    Lie("discards", "takes a card back", "either", "", state=took_back, unused=True),
    Lie("orders-exchanged", "seals other orders than it carries out", "audit", "",
        move=exchanged),
    Lie("orders-step", "seals the orders of another step", "audit", "not of this step",
        move=wrong_step),
    Lie("orders-garbage", "seals what does not open", "audit", "does not open", move=garbage),
    Lie("orders-capitals", "seals capitals", "audit", "one form", move=spelt(bytes.upper)),
    Lie("orders-remark", "seals a remark", "audit", "one form|JSON",
        move=spelt(lambda text: text + b" # so there")),
    Lie("orders-blank", "seals a blank line", "audit", "one form",
        move=spelt(lambda text: b"\n" + text)),
    Lie("orders-end", "seals an LF behind the last line", "audit", "one form|JSON",
        move=spelt(lambda text: text + b"\n")),
    Lie("orders-no-ascii", "seals what is no text", "audit", "",
        move=spelt(lambda text: text + b"\xff")),
    Lie("orders-more", "begins orders for which nobody asked", "at once", "order files: expected",
        move=more_orders),
    Lie("orders-none", "carries out orders that nothing fixes", "at once",
        "nothing more was asked", move=fewer_orders),
    Lie("less", "tells less than was asked", "either", "", move=facts(last_fact_gone)),
    Lie("no-release", "ends its turn without a release", "at once",
        "it ends before it has told", move=facts(release_gone)),
    Lie("no-end", "releases without an end", "at once", "expected `line`", move=facts(end_gone)),
    Lie("silence", "tells nothing", "at once", "it ends before it has told|order files",
        move=facts(no_facts)),
    Lie("more", "tells more than was asked", "at once",
        "nothing more was asked|which the rules ask now",
        move=facts(behind("names frigate"))),
    Lie("release-twice", "releases twice", "at once", "nothing more was asked",
        move=facts(twice("release"))),
    Lie("behind-end", "goes on after its turn", "at once", "expected `release`",
        move=facts(behind_end)),
    Lie("order-of-facts", "tells facts in another order", "at once", "which the rules ask now",
        move=facts(swapped)),
    Lie("spelling", "writes a fact otherwise", "at once", "expected `line play",
        move=facts(low_letters)),
    Lie("off-country", "plays a ship off its country", "at once", "a ship is played on",
        move=instead("line", "play A2")),
    # A heavy ship's owner may have too few cards as well, which is judged first.
    Lie("far", "moves further than a ship can", "at once",
        r"is not next to|no ship of yours|`line move .. E4`: cards in your hand: 1; given up: 2$",
        move=instead("line", "move {own} E4")),
    Lie("nowhere", "moves a ship that is not there", "at once", "no ship of yours",
        move=instead("line", "move {their} A1")),
    Lie("flip-other", "turns up a ship of the other's", "at once", "no ship of yours",
        move=instead("line", "flip {their}")),
    Lie("swap", "swaps without a craft", "at once", "craft|no ship of yours",
        move=instead("line", "swap {own} frigate")),
    Lie("not-asked", "decides what nobody asked", "at once", "this belongs to the setup",
        move=instead("line", "stand")),
    Lie("offer-twice", "offers twice", "at once", "your offer stands already",
        move=facts(lambda liar, told: ["line offer end", "line offer end", *told]
                    if told[:1] and told[0].startswith("line ") else None)),
    Lie("no-word", "writes what is no line", "at once", "expected an order word",
        move=instead("line", "sail away")),
    Lie("no-cell", "writes what is no cell", "at once", "expected cells",
        move=instead("line", "play somewhere")),
    Lie("answer-beside", "answers with a line of a turn", "at once", "this belongs to",
        move=instead("answer", "end")),
    Lie("support-far", "supports with a ship that cannot", "at once",
        "cannot support|not asked for",
        move=instead("answer", "support {their}"), bots=("asker", "wild")),
    Lie("two-decisions", "decides twice", "at once",
        "nothing more was asked|expected|not asked for|belongs to",
        move=facts(twice("answer")), bots=("asker", "wild")),
    Lie("told-twice", "names a ship that lies elsewhere", "at once",
        "it is elsewhere|expected the names of|when a patrol ship saw it",
        move=instead("names", "{up}"), bots=("wild", "captain", "asker", "random")),
    Lie("no-ship", "names no ship of the game", "at once",
        "is no ship of this game|expected the names of",
        move=instead("names", "rowing-boat")),
    Lie("names-many", "names more ships than were asked", "at once", "expected the names of",
        move=instead("names", "frigate submarine patrol-ship flag-ship fire-ship")),
    Lie("standing", "answers what standing orders cannot say", "at once", "expected one of",
        move=instead("support", "perhaps")),
    Lie("no-release-hex", "releases no number", "at once",
        "expected 64 hex digits|nothing more was asked|which the rules ask now",
        move=instead("release", "dice")),
    Lie("number", "counts on", "refused", "it is move .*, and follows move", move=skipped_number),
    Lie("last", "answers another duel", "refused", "what it follows has not come",
        move=with_fields(last="ab" * 32)),
    Lie("nonce", "tells a nonce later", "refused", "the first move tells the nonce",
        move=with_fields(nonce="ab" * 32)),
)  # fmt: skip
"""Every lie that a side or a move can tell in Silent Ships; other tests tell those about beginning
and end."""
