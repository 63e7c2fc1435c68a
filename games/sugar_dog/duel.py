"""Sugar Dog for two people without a host: the same rules on one player's half.

A half holds of the other's fleet only that its submarine is afloat, in no cell of the map. What is
heard of their turn they tell: one *sound* after the other, a run or a ping, until they have told
that nothing more is heard. What their command was, how many torpedoes fly, and what nobody hears
they need not say.

A run is the hard part. Whether it meets something is known to neither alone. Its owner must not
hear whether the other hides anything in a cell that it does not enter; the other must not hear of
a second cell if the first one stopped it; and where both have something in one cell, neither may
hear that of the other, since an impact is all that a host tells. So a run is told in a box
(`games.duel.Doors`): in the first cell's two letters stands what is heard if that cell is free of
the other's, and if it is not; in the former, a box for the second cell. Its reader knows then all
that a host tells them, and answers with the digest of the letter that they opened. Where the run's
owner has something in the cell themselves, both letters are the same, so that the digest tells them
nothing.

Doors fit a position, so new ones come with each sound, for the end of the turn. After a run that
end depends on what the run meets, which its owner does not know yet. It differs by no more than
what is left in the last cell entered. So each letter brings a new door for that cell. It also says
whether this is the last sound, so that the other's turn can begin with their answer.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from games.dice import Dice
from games.duel import Duel, Half, Untrue
from games.game import Player, Step, View, Written
from games.grid import Cell, read_cell
from games.sugar_dog import orders as files
from games.sugar_dog import rules
from games.sugar_dog.orders import Command, Orders, Resign, Silent, Start
from games.sugar_dog.rules import Met, Run, Sound, Turn, nearest
from games.sugar_dog.state import HIDDEN, MINES, Fleet, State, board, side

T = TypeVar("T")

SIDE = side(2)
PLACES = SIDE * SIDE

THROUGH, STRUCK, LOST, ON = range(4)
"""The first byte of a letter. The run meets nothing; or something, and its owner's submarine is not
lost, or is; then the second byte is 1 if nothing more is heard in the turn, and a door follows. Or
it goes on: to the cell in the second byte, with the box that follows."""
_LETTER = 2 + 32
_LONG = 2 + 64 + 2 * _LETTER
_BOX = 64 + _LONG + _LETTER
_ANSWER = 16

_NO_DICE = Dice(b"")


class Door(NamedTuple):
    """The door of a cell; its owner knows of what it is made."""

    public: bytes
    label: str = ""
    taken: bool = False


class End(NamedTuple):
    """What comes of a run as far as the reader of a letter hears: the same letter says the new door
    for the last cell that was entered, and whether more is heard. `answer`: what is told back."""

    met: Met
    last: bool
    door: Door
    answer: str

    def sinking(self, player: Player) -> End:
        """The same, but that player's submarine is lost with it, and the answer tells so."""
        met = self.met._replace(sunk=(*self.met.sunk, player))
        return self._replace(met=met, answer=f"{self.answer} sunk")


class Heard(NamedTuple):
    """A sound as it is told: the fact, and what a reader takes it for. Of a run, `ends` are those
    that its reader or its owner thinks possible, by their answers."""

    text: str
    sound: Sound | None
    ends: Mapping[str, End] = MappingProxyType({})
    doors: Sequence[Cell] = ()


class HalfTurn(Turn):
    """A turn that asks the other player for what only they know."""

    def __init__(
        self, state: State, half: Half, trial: Callable[[Sequence[Met]], Fleet | None]
    ) -> None:
        """`trial`: see `Trial`."""
        super().__init__(state)
        self.half = half
        self._trial = trial
        self._closed = False
        self._told = 0
        self._mets: list[Met] = []
        self._heard = Heard("", None)

    def secret(self, owner: Player, what: str, known: Callable[[], T]) -> T:
        """See Turn. Raises Waiting or Untrue."""
        asks: Mapping[str, Callable[..., Any]] = {
            "turn": lambda owner, known: self.half.fact(
                owner, "turn", known, _write_turn, _read_turn
            ),
            "heard": self._ask_heard,
            "met": self._ask_met,
            "echoes": self._ask_echoes,
        }
        value: T = asks[what](owner, known)
        return value

    def other(self, player: Player) -> Player:
        """The other player."""
        return self.setup.after(player)[0]

    def ask_doors(self, owner: Player, cells: Collection[Cell]) -> None:
        """Have new doors told by their owner, whose objects are in these cells."""
        row = [cell in cells for cell in self._cells]
        label = self._label(cells)
        self.doors[owner] = self.half.fact(
            owner,
            "doors",
            lambda: [self._door(owner, f"{label}/{at}", row[at]) for at in range(PLACES)],
            lambda doors: _base64(b"".join([door.public for door in doors])),
            self._read_doors,
        )
        self._told += 1

    def _label(self, cells: Collection[Cell]) -> str:
        """What the next doors depend on, if their owner's objects are in these cells."""
        row = "".join("01"[cell in cells] for cell in self._cells)
        return f"doors/{self.n}/{self._told}/{row}"

    def _door(self, owner: Player, label: str, taken: bool) -> Door:
        return Door(self.half.secrets[owner].doors.door(label, taken=taken), label, taken)

    def _read_doors(self, text: str) -> list[Door]:
        raw = _bytes("doors", text)
        if len(raw) != 32 * PLACES:
            raise Untrue(f"doors: {len(raw)} bytes, expected {32 * PLACES}")
        return [self._read_door(raw[at : at + 32]) for at in range(0, len(raw), 32)]

    def _read_door(self, raw: bytes) -> Door:
        (mine,) = self.half.secrets.values()
        fault = mine.doors.fault(raw)
        if fault:
            raise Untrue(f"the door {raw.hex()} is {fault}")
        return Door(raw)

    # What is heard.

    def _ask_heard(self, player: Player, known: Callable[[], Sound | None]) -> Sound | None:
        sound = known() if self.half.knows(player) else None
        if self._closed:
            return None
        self._heard = self.half.fact(
            player,
            "heard",
            lambda: self._tell(player, sound),
            lambda heard: heard.text,
            partial(self._read_heard, player),
        )
        self._closed = not isinstance(self._heard.sound, Run)
        self.ask_doors(player, self._heard.doors)
        return self._heard.sound

    def _tell(self, player: Player, sound: Sound | None) -> Heard:
        if isinstance(sound, Run):
            return self._sealed(player, sound)
        text = "nothing" if sound is None else f"ping {sound}"
        return Heard(text, sound, doors=self.fleets[player].objects())

    def _sealed(self, player: Player, run: Run) -> Heard:
        """A run in its box, for the other's doors."""
        mine, theirs = self.half.secrets[player].doors, self.doors[self.other(player)]
        places = [self._cells.index(at) for at in run.cells]
        rest = run.rest(self.fleets[player])
        crowded = [at in rest.objects() for at in run.cells]
        down = [run.slot is None or rest.sub == at for at in run.cells]
        mets = [Met(at + 1, True, (player,) if lost else ()) for at, lost in enumerate(down)]
        mets += [] if any(crowded) else [Met(len(places))]
        after = {met: None if met.sunk else self._trial([*self._mets, met]) for met in mets}
        left = next((fleet for fleet in after.values() if fleet is not None), self.fleets[player])
        cells = left.objects()
        label = self._label(cells)
        ends: dict[str, End] = {}

        def letter(met: Met) -> bytes:
            """What is read if this comes of it."""
            place, fleet = run.cells[met.entered - 1], after[met]
            objects = () if fleet is None else fleet.objects()
            # A turn goes on with another sound, be it that nothing is heard, if its end is another.
            last = fleet is not None and {*objects} ^ {*cells} <= {place}
            kind = LOST if met.sunk else STRUCK if met.impact else THROUGH
            end = f"{self._cells.index(place)}/{kind}"
            door = self._door(player, f"{label}/{end}", place in objects)
            text = bytes([kind, last]) + door.public
            ends[_digest(text)] = End(met, last, door, _digest(text))
            return text

        def box(at: int) -> bytes:
            """The box for a cell, and in it that for the next one."""
            struck = letter(mets[at])
            if crowded[at]:
                free = struck
            elif at + 1 < len(places):
                free = bytes([ON, places[at + 1]]) + box(at + 1)
            else:
                free = letter(mets[-1])
            free = free.ljust(_LETTER if at else _LONG, b"\0")
            return mine.seal(theirs[places[at]].public, free, struck)

        return Heard(f"{run.cells[0]} {_base64(box(0))}", run, ends, cells)

    def _read_heard(self, player: Player, text: str) -> Heard:
        """What this half hears of a sound."""
        word, _, more = text.partition(" ")
        if text == "nothing":
            return Heard(text, None)
        if word == "ping":
            return Heard(text, self._cell(text, more))
        first = self._cell(text, word)
        box = _bytes("heard", more)
        if len(box) != _BOX:
            raise Untrue(f"`heard {text!a:.60}`: a box of {len(box)} bytes, expected {_BOX}")
        cells = [first]
        letter = self._open(player, first, box, _LONG)
        if letter[0] == ON:
            place = letter[1]
            if place >= PLACES or self._cells[place].distance(first) != 1:
                raise Untrue(f"`heard {first}`: its next cell is not next to that one")
            cells.append(self._cells[place])
            letter = self._open(player, cells[1], letter[2:], _LETTER)
        kind, last = letter[:2]
        if kind not in (THROUGH, STRUCK, LOST) or last > 1:
            raise Untrue(f"`heard {first}`: the letter in its box is none")
        met = Met(len(cells), kind != THROUGH, (player,) if kind == LOST else ())
        door, answer = self._read_door(letter[2:_LETTER]), _digest(letter[:_LETTER])
        run = Run(tuple(cells))
        return Heard(text, run, {answer: End(met, bool(last), door, answer)})

    def _open(self, player: Player, at: Cell, box: bytes, free: int) -> bytes:
        """The letter for this half in a box for one of its cells."""
        own = self.other(player)
        _, label, taken = self.doors[own][self._cells.index(at)]
        letter = self.half.secrets[own].doors.open(label, box, free, taken=taken)
        if letter is None:
            raise Untrue(f"`heard`: its box for {at} does not open by the door told")
        if taken and letter[0] not in (STRUCK, LOST):
            raise Untrue(f"`heard`: nothing happens in {at}, where it meets something")
        return letter

    @property
    def _cells(self) -> Sequence[Cell]:
        return board(self.setup).cells()

    def _cell(self, text: str, word: str) -> Cell:
        cell = read_cell(word)
        if cell is None or str(cell) != word or not cell.on(board(self.setup)):
            raise Untrue(f"`heard {text!a:.60}`: expected a cell of the map")
        return cell

    # What comes of a run.

    def _ask_met(self, player: Player, known: Callable[[], Met]) -> Met:
        other, run = self.other(player), self._heard.sound
        end = self.half.fact(
            other,
            "answer",
            lambda: self._answer(other),
            lambda end: end.answer,
            partial(self._read_answer, player),
        )
        met, self._closed = end.met, end.last
        self._mets.append(met)
        if isinstance(run, Run):
            at = run.cells[met.entered - 1]
            self.doors[player] = list(self.doors[player])
            self.doors[player][self._cells.index(at)] = end.door
            if met.impact and not met.sunk and not self._closed:
                objects = self.fleets[other].objects()
                self.ask_doors(other, [cell for cell in objects if cell != at])
        return met

    def _answer(self, own: Player) -> End:
        """What comes of the letter that was opened, the loss of the own submarine included."""
        (end,) = self._heard.ends.values()
        run = self._heard.sound
        if isinstance(run, Run) and end.met.impact and self.fleets[own].sub == run.cells[-1]:
            return end.sinking(own)
        return end

    def _read_answer(self, player: Player, text: str) -> End:
        token, _, more = text.partition(" ")
        end = self._heard.ends.get(token)
        if end is None:
            raise Untrue(f"`answer {text!a:.60}`: the digest of no letter in the box")
        if not more:
            return end
        if more != "sunk" or not end.met.impact:
            raise Untrue(f"`answer {text!a:.60}`: expected no more than the digest")
        return end.sinking(self.other(player))

    # Echoes.

    def _ask_echoes(self, owner: Player, known: Callable[[], Sequence[Cell]]) -> Sequence[Cell]:
        def write(cells: Sequence[Cell]) -> str:
            return " ".join(map(str, cells)) or "none"

        def read(text: str) -> Sequence[Cell]:
            words = [] if text == "none" else text.split(" ")
            cells = [self._cell(text, word) for word in words]
            source = self._heard.sound
            assert isinstance(source, Cell)  # noqa: S101 - nothing else is answered
            if cells != sorted(cells, key=nearest(source)):
                raise Untrue(f"`echoes {text!a:.60}`: expected the nearest first")
            return cells

        return self.half.fact(owner, "echoes", known, write, read)


class More(Exception):
    """Something more is heard in this turn."""


class Trial(Turn):
    """One's own turn with what comes of its first runs given; raises More if more is heard."""

    def __init__(self, state: State, mets: Sequence[Met]) -> None:
        super().__init__(state)
        self._given = list(mets)

    def secret(self, owner: Player, what: str, known: Callable[[], T]) -> T:
        """See Turn."""
        if what == "met":
            met: Any = self._given.pop(0)
            value: T = met
            return value
        value = known()
        if what == "heard" and value is not None and not self._given:
            raise More
        return value


def _digest(letter: bytes) -> str:
    """What its reader tells back of a letter: the first 16 bytes of its SHA-256, in hex."""
    return sha256(letter).hexdigest()[: 2 * _ANSWER]


def _write_turn(orders: Orders) -> str:
    if isinstance(orders.command, Resign):
        return "resign"
    return "draw" if orders.draw else "nothing"


_TURNS: Mapping[str, Orders] = {
    "nothing": Orders(Silent(), None),
    "draw": Orders(Silent(), None, draw=True),
    "resign": Orders(Resign(), None),
}


def _read_turn(text: str) -> Orders:
    if text not in _TURNS:
        raise Untrue(f"`turn {text!a:.60}`: expected one of {', '.join(_TURNS)}")
    return _TURNS[text]


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def _bytes(what: str, text: str) -> bytes:
    try:
        data = binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError:
        data = b""
    if not data or _base64(data) != text:
        raise Untrue(f"`{what} {text!a:.60}`: expected base64 in its one form")
    return data


class SugarDuel(Duel):
    """See `games.duel.Duel`."""

    options: Mapping[str, Any] = {"missed": "resign", "misses": 1}
    room = 32

    def read(self, view: View, written: Written) -> Orders:
        """`orders.read`: nothing in it would tell the other more than a host does."""
        return files.read(view, written)

    def step(self, state: State, orders: Mapping[Player, Orders], half: Half) -> Step[State]:
        """`rules.adjudicate` on a half; after the setup, doors of the player who is not first."""
        if len(half.secrets) > 1:
            return rules.adjudicate(state, orders, _NO_DICE if state.fleets else half.drawn)
        (own,) = half.secrets
        other = state.setup.after(own)[0]
        hidden: Command = Silent() if state.fleets else Start(HIDDEN)
        both = {other: Orders(hidden, None), **orders}

        def trial(mets: Sequence[Met]) -> Fleet | None:
            try:
                done = rules.adjudicate(state, both, _NO_DICE, lambda state: Trial(state, mets))
            except More:
                return None
            return done.state.fleets[own]

        dice = _NO_DICE if state.fleets else half.drawn
        done = rules.adjudicate(state, both, dice, lambda state: HalfTurn(state, half, trial))
        end = done.state
        if not state.fleets and end.turn is not None:
            second = end.setup.after(end.turn)[0]
            turn = HalfTurn(end._replace(n=0), half, trial)
            turn.ask_doors(second, end.fleets[second].objects())
            end = end._replace(doors=turn.doors)
        # What the other moved, as far as it was heard, was not always their submarine.
        afloat = Fleet(HIDDEN if end.fleets[other].sub else None, (), MINES)
        return Step(end._replace(fleets={**end.fleets, other: afloat}), done.events)


DUEL = SugarDuel()
