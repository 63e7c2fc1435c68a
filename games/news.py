"""The row of an event: its kind, its audience, its fields and all that is said of it, in one place.

Each kind of event has one function in a game's `events`, which makes it; the function's name is the
kind. What it says in English stands above it, once for the log, the prompt and the page:

    @says("Contact in {at}, by {by}.", own="", sign="contact", play="run", way="at")
    def contact(by: Player, at: Cell) -> Event:
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from games.game import Player, Table, View
from games.grid import HEADINGS, read_cell

SIGNS = (
    "down", "burst", "fight", "echo", "sonar", "contact", "flip", "torpedo", "run", "step", "mine",
    "card", "anchor", "swap", "up", "heal", "again",
)  # fmt: skip
"""The signs that a page has for buttons and sentences; for sentences, the loudest first."""
PLAYS = (
    "", "run", "contact", "torpedo", "ping", "echo", "burst", "sink", "fight", "lay", "turn",
)  # fmt: skip
"""How a board plays a sentence: a ring out of each cell; a piece goes along the cells; something is
heard in each; a torpedo runs along them; a wide ring out of the first; an answer from each; it
bursts in each; a vessel dies; the first cell strikes at the second; something is laid in each; a
piece turns, so that it shows something else."""
ACTORS = ("player", "by", "of", "owner", "winner")
"""Fields that name whose deed an event is. One without any is everybody's, or its only hearer's."""


class Said(NamedTuple):
    """A sentence about what happened.

    `cells`: those that it names, in their order. `sign`: a word of `SIGNS`. `play`: a word of
    `PLAYS`. `shape`, `side`: what goes along the cells or sinks, as in `chart.Piece`; without a
    shape it is `piece`. `rank`: how much it matters, 0 for the least. `piece`: the id in a chart of
    the piece that it is about, or ""; `struck`: the ids of those that it damages. `wreck`: whose
    vessel it is that sinks, such as `bob's submarine`, if it leaves a wreck in the cell.
    """

    text: str
    cells: tuple[str, ...] = ()
    sign: str = ""
    play: str = ""
    shape: str = ""
    side: str = "own"
    rank: int = 0
    piece: str = ""
    struck: tuple[str, ...] = ()
    wreck: str = ""


Words: TypeAlias = str | Callable[[Mapping[str, Any]], str]
"""A template of an event's fields, or a function of them."""


class Row(NamedTuple):
    """What is said of the events of one kind.

    `sentence`: in the log, and to whoever did not do it; `own`: to who did (None: the same, "":
    nothing, because they know). `rank`: another sign, whose rank it has. `shape`: of what goes
    along the cells or sinks, a `submarine` or a `torpedo`, or what draws it. `shape`, `piece`,
    `struck` and `wreck` are made of an event's fields, `own`, whether it is the reader's, and
    `heading`, that of a run, or ""; `shape` of its `side` too.

    How several are joined: those that differ only in the field `way` (and in `from`), in cells each
    next to the one before, are one run (`D5, then D6`), of `most` cells if that is not 0; those
    that differ only in the field `each` are one list. `behind`: the sentence's end, by the kind of
    the sentence just before it, which it continues if that one names no cell, or it names no other
    than that one's last, or is of the same kind. `cells`: its cells, if they are others than those
    that it names; `there`: the kind whose cells, told before, are also its own. `led`: the kinds
    whose sentence, if it comes right before, leads to this one, as what was paid leads to a move.
    `told`: whether a player is told of it; if not, it is for the log alone.
    """

    sentence: Words
    own: Words | None = None
    sign: str = ""
    play: str = ""
    rank: str = ""
    shape: Words = ""
    piece: Words = ""
    struck: Words = ""
    wreck: Words = ""
    way: str = ""
    most: int = 0
    each: str = ""
    behind: Mapping[str, Words] = MappingProxyType({})
    cells: Callable[[Table], tuple[str, ...]] | None = None
    there: str = ""
    led: tuple[str, ...] = ()
    told: bool = True


_MakerT = TypeVar("_MakerT", bound=Callable[..., object])


class Sentences:
    """The rows of one game's events by kind: filled in as its `events` are loaded, never changed.

    `whose`: whose deed an event is, where its fields name no player; "" for nobody's.
    """

    def __init__(self, whose: Callable[[View, Table], Player] | None = None) -> None:
        self._rows: dict[str, Row] = {}
        self._whose = whose

    def says(self, sentence: Words, **more: Any) -> Callable[[_MakerT], _MakerT]:
        """Keeps the row of the events that a function makes; `more`: its other columns."""

        def keep(maker: _MakerT) -> _MakerT:
            self._rows[maker.__name__.replace("_", "-")] = Row(sentence, **more)
            return maker

        return keep

    def news(self, event: Table) -> str:
        """One event, as in a report or an entry, as an English sentence in plain ASCII."""
        return _worded(self._rows[event["kind"]].sentence, event)

    def told(self, view: View, events: Iterable[Table]) -> tuple[Said, ...]:
        """`Game.told`: those events that go together are one sentence."""
        said: list[Said] = []
        kind, head = "", ""
        values: tuple[Any, ...] = ()
        before: Table = {}
        places: dict[str, tuple[str, ...]] = {}
        for event in events:
            row = self._rows[event["kind"]]
            who = whose(event) or (self._whose(view, event) if self._whose else "")
            own = who in (view.player, "")
            words = row.own if own and row.own is not None else row.sentence
            if not row.told or not _worded(words, event):
                continue
            cells = places.get(row.there, ()) + (row.cells or named)(event)
            behind = row.behind.get(kind, "")
            more = cells if behind and set(cells) - set(said[-1].cells[-1:]) else ()
            if behind and (not more or kind == event["kind"] or not said[-1].cells):
                text = f"{said[-1].text[:-1]}{_worded(behind, event)}"
                struck = dict.fromkeys((*said[-1].struck, *_one(_worded(row.struck, event))))
                said[-1] = said[-1]._replace(
                    text=text, cells=said[-1].cells + more, struck=tuple(struck)
                )
                kind = event["kind"]
                continue
            key = row.way or row.each
            rest = {**event, key: "", "from": ""}
            joins = kind == event["kind"] and key and before == rest
            if joins and row.way:
                last = values[-1]
                joins = touch(last, event[key]) and event.get("from", last) == last
                joins = joins and len(values) != row.most
            values = (*values, event[key]) if joins else (event.get(key),)
            if joins:
                said.pop()
                cells = (*places[kind], event[key])
            elif kind in row.led:
                head = f"{said.pop().text[:-1]}: "
            else:
                head = ""
            kind, before, places[event["kind"]] = event["kind"], rest, cells
            one = _said(row, {"heading": heading(cells), **event, "own": own}, cells, view, who)
            told = event
            if joins:
                several = ", then ".join(values) if row.way else joined(counted(values))
                told = {**event, key: several, "from": cells[0]}
            text = _worded(words, told)
            said.append(one._replace(text=f"{head}{text[:1].lower()}{text[1:]}" if head else text))
        return tuple(said)


def _said(
    row: Row, told: Mapping[str, Any], cells: tuple[str, ...], view: View, who: Player
) -> Said:
    """An event as a board plays it, its words left out; `who` did it."""
    # A verifier tells nobody anything, and starts sooner without pictures.
    from games import picture, shapes

    side = picture.side_of(view.setup.players, view.player, who) if who else "own"
    shape = row.shape
    if shape == "submarine":
        shape = shapes.submarine(told.get("sub", ""), foe=side == "foe")
    elif shape == "torpedo":
        shape = shapes.torpedo(told["heading"]) if told["heading"] else ""
    return Said(
        "",
        cells,
        row.sign,
        row.play,
        shape if isinstance(shape, str) else shape({**told, "side": side}),
        side,
        rank(row.rank or row.sign),
        _worded(row.piece, told),
        _one(_worded(row.struck, told)),
        _worded(row.wreck, told),
    )


def _one(name: str) -> tuple[str, ...]:
    return (name,) if name else ()


def rank(sign: str) -> int:
    """How much a sentence with that sign matters; 0 for one without."""
    return len(SIGNS) - SIGNS.index(sign) if sign else 0


def _worded(words: Words, event: Mapping[str, Any]) -> str:
    return words.format_map(event) if isinstance(words, str) else words(event)


def whose(event: Table) -> Player:
    """Whose deed an event is, if it says so; else ""."""
    return next((str(event[key]) for key in ACTORS if key in event), "")


def addressed(reader: Player | None, template: str, **players: Player) -> str:
    """A sentence about players as a reader is told it: of `a` in them `{a}` is `you` or a name,
    `{a's}` is `your` or `bob's`."""
    words: dict[str, str] = {}
    for key, name in players.items():
        words |= {key: name, f"{key}'s": f"{name}'s"}
        words |= {key: "you", f"{key}'s": "your"} if name == reader else {}
    said = template.format_map(words)
    return f"Y{said[1:]}" if said.startswith("you") else said


def named(event: Table) -> tuple[str, ...]:
    """The cells that an event names, in the order of its fields."""
    found: list[str] = []
    for value in event.values():
        values = value if isinstance(value, list) else [value]
        found += [one for one in values if isinstance(one, str) and one.isupper()]
    return tuple(one for one in found if read_cell(one) is not None)


def touch(one: str, another: str) -> bool:
    """Whether two cells are next to each other."""
    first, second = read_cell(one), read_cell(another)
    return first is not None and second is not None and first.distance(second) == 1


def heading(way: tuple[str, ...]) -> str:
    """The heading of something that enters these cells one after the other; "" for no way."""
    cells = [read_cell(cell) for cell in way[:2]]
    if len(cells) < 2 or cells[0] is None:
        return ""
    return next((one for one in HEADINGS if cells[0].step(one) == cells[1]), "")


def counted(names: Iterable[str]) -> Iterator[str]:
    """Each name once, with how often it is there: `D4 (2)`."""
    for name, count in Counter(names).items():
        yield f"{name} ({count})" if count > 1 else name


def joined(names: Iterable[str]) -> str:
    """`D4`, `D4 and E4`, `D4, E4 and F4`."""
    *others, last = list(names) or ["nothing"]
    return f"{', '.join(others)} and {last}" if others else last
