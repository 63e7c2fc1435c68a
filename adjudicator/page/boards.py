"""The boards of a game as one reader sees them: with the wrecks of which they were told, and as it
stands after each sentence.

What it must not know: HTML, any game's rules or words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from games import shapes
from games.chart import Chart, Piece
from games.grid import Cell, read_cell
from games.news import Said, heading, touch

WRECK = "wreck"
"""The token of a piece that is a wreck, and how its id begins."""
_NO_VESSEL = ("contact", "ping", "echo", WRECK)
"""Tokens of what was heard, and of wrecks."""


class Heard(NamedTuple):
    """What a reader was told of one entry. `chart`: draws the board after it, if there is one.
    `annuls`: the first entry that it undoes."""

    told: Sequence[Said]
    chart: Callable[[], Chart | None]
    annuls: int | None = None


Wrecks: TypeAlias = Mapping[str, Piece]
"""By the id of the vessel."""
NO_WRECKS: Wrecks = MappingProxyType({})


def wrecks(heard: Iterable[Heard]) -> list[Wrecks]:
    """The wrecks that a reader knows of after each entry, from the first on: where a sentence says
    that something sank, or where it stood before on the reader's board."""
    found: list[dict[str, Piece]] = []
    before: Heard | None = None
    for one in heard:
        old = found[-1] if found else {}
        old = old if one.annuls is None else found[one.annuls - 1]
        new: dict[str, Piece] = {}
        for said in one.told:
            if said.wreck and (said.cells or said.piece not in new):
                at = read_cell(said.cells[-1]) if said.cells else _stood(before, said.piece)
                if at is not None:
                    name, title = f"{WRECK}-{said.piece}", f"wreck of {said.wreck}"
                    new[said.piece] = Piece(at, "#", said.side, said.shape, title, name, WRECK)
        found.append({**old, **new})
        before = one
    return list[Wrecks](found)


def _stood(heard: Heard | None, name: str) -> Cell | None:
    chart = None if heard is None else heard.chart()
    pieces = () if chart is None else chart.pieces
    return next((one.cell for one in pieces if one.id == name), None)


def strewn(chart: Chart, found: Wrecks) -> Chart:
    """A chart with these wrecks, but for vessels that stand on it again; each piece has an id."""
    pieces: list[Piece] = []
    ids: set[str] = set()
    for piece in chart.pieces:
        name = piece.id
        if not name or name in ids:
            many = sum(one.cell == piece.cell for one in pieces)
            name = f"at-{piece.cell}-{many}"
        ids.add(name)
        pieces.append(piece._replace(id=name))
    more = [wreck for name, wreck in found.items() if name not in ids]
    return chart._replace(pieces=(*pieces, *more))


def unfolded(
    before: Chart, after: Chart, told: Sequence[Said]
) -> tuple[Chart, list[tuple[Said, Chart]]]:
    """The board before an entry, and each of its sentences with the board as it stands after it;
    from the boards before and after the entry.

    A piece changes with the last sentence that is about it; if none is, with the last that names
    its new cell, or the one where it was; all else with the last. What runs is where it ran to with
    each sentence. So the last board is the one after, and none shows what neither these boards nor
    a sentence says. Each sentence names a piece of one of these boards, or none, and a torpedo is
    turned along its way.
    """
    at = {piece.id: str(piece.cell) for piece in before.pieces}
    shots = [one for one in told if one.play == "torpedo" and one.piece in at]
    flies = {one.piece for one in shots if touch(at[one.piece], one.cells[0])}
    leaves = {f"at-{one.cells[0]}-0" for one in told if one.play == "run" and not one.piece}
    leaves |= {one.piece for one in shots} - flies
    # Something else has its name in the end.
    pieces = [
        one._replace(id=f"from-{one.id}") if one.id in leaves else one for one in before.pieces
    ]
    course = _Course(before._replace(pieces=tuple(pieces)), after)
    for said in told:
        course.hear(said)
    return course.before, list(course.boards())


class _Course:
    """What happens to the pieces between two boards, by their ids."""

    def __init__(self, before: Chart, after: Chart) -> None:
        self.before, self.after = before, after
        self.old = {piece.id: piece for piece in before.pieces}
        self.new = {piece.id: piece for piece in after.pieces}
        self.now = dict(self.old)
        """Where they are while the sentences are heard, one after the other."""
        self.laid: dict[str, Piece] = {}
        """Those that are laid, as their sentences draw them."""
        self.said: list[Said] = []
        self.about: list[set[str]] = []

    def hear(self, said: Said) -> None:
        """Take in the next sentence: find the piece that it is about."""
        wreck = {f"{WRECK}-{said.piece}"} if said.wreck else set()
        names = {said.piece, *said.struck} | wreck
        piece, shape = self._piece(said), said.shape
        if said.play == "torpedo" and not shape:
            piece, way = self._came(said)
            shape = shapes.torpedo(way)
        if said.play == "lay" and shape and (at := read_cell(said.cells[-1])):
            piece = piece or f"laid-{len(self.said)}"
            plain = self.new.get(piece, Piece(at, "?", said.side, shape, "", piece))
            self.laid[piece] = plain._replace(cell=at, shape=shape)
        piece = piece or next((name for name in wreck if name in self.new), "")
        struck = tuple(name for name in said.struck if name in self.old or name in self.new)
        self.said.append(said._replace(piece=piece, shape=shape, struck=struck))
        self.about.append({piece, *names} - {""})
        self.now |= self._moved(self.said[-1], self.now)

    def _piece(self, said: Said) -> str:
        """The id of the piece that a sentence is about, if its name is not on these boards by its
        cell, as of a ship that nobody knows; "" if there is none."""
        name, at = said.piece, said.cells[:1] if said.play in ("run", "fight") else said.cells[-1:]
        stands = self.now.get(name, self.new.get(name))
        if said.play == "torpedo" and name in self.now and stands is not None:
            # Of two in one lane it may be the other.
            more = [one for one in self.new.values() if one.id not in self.old]
            other = [one.id for one in more if (str(one.cell), one.token) == (*at, stands.token)]
            return name if touch(str(stands.cell), said.cells[0]) else (*other, "")[0]
        if stands is not None:
            return name
        if said.play == "lay":
            found = [one for one in self.new.values() if one.id not in self.old]
        elif said.play in ("run", "fight", "turn", "sink"):
            found = [one for one in self.now.values() if not name or one.side == said.side]
        else:
            return ""
        there = [one.id for one in found if (str(one.cell),) == at and one.token not in _NO_VESSEL]
        return (*there, "")[0]

    def _came(self, said: Said) -> tuple[str, Any]:
        """What entered the one cell of a torpedo's sentence, and its heading: a torpedo that is
        gone now, else what fired it, which is not the piece."""
        found = [
            (one.about != said.sign or one.id in self.new, one.id, way)
            for one in self.now.values()
            for way in [heading((str(one.cell), *said.cells[-1:]))]
            if way and one.side == said.side and one.token not in _NO_VESSEL
        ]
        fired, name, way = min(found, default=(True, "", "N"))
        return "" if fired else name, way

    def _moved(self, said: Said, now: Mapping[str, Piece]) -> dict[str, Piece]:
        """The pieces that this sentence puts into a cell, as they are drawn before it."""
        moved = {}
        for name in filter(None, dict.fromkeys((said.piece, *said.struck))):
            then = self.new.get(name)
            comes = name not in now and said.play in ("lay", "turn", "contact")
            piece = self.laid.get(name, then) if comes else now.get(name)
            to = ""
            if name == said.piece and (comes or said.play in ("run", "torpedo", "contact")):
                # Of several that are laid each has its own cell.
                lies = str(then.cell) if then and said.play == "lay" else ""
                to = lies if lies in said.cells else said.cells[-1]
            elif said.play == "fight" and piece and str(piece.cell) == said.cells[1]:
                to = said.cells[-1]
            cell = read_cell(to)
            if piece is not None and cell is not None:
                moved[name] = piece._replace(cell=cell)
        return moved

    def _ends(self) -> tuple[dict[str, int], dict[str, str]]:
        """With which sentence each piece becomes what it is in the end; and the new name of each
        that had none of its own, and is found where it went."""
        ends: dict[str, int] = {}
        for name, stood in {**self.now, **self.old, **self.new}.items():
            piece = self.new.get(name, stood)
            if piece != self.old.get(name) or name not in self.new:
                about = [at for at, names in enumerate(self.about) if name in names]
                cell = str(piece.cell)
                named = [at for at, one in enumerate(self.said) if cell in one.cells]
                ends[name] = max(about or named or [len(self.said) - 1])
        gone = {
            (one.cell, one.side): name
            for name, one in self.now.items()
            if name not in self.new and one.token not in _NO_VESSEL
        }
        became = {}
        for name, one in self.new.items():
            was = gone.get((one.cell, one.side))
            if was is not None and name not in self.old and one.token not in _NO_VESSEL:
                became[was] = name
                last = [at for at, names in enumerate(self.about) if names & {was, name}]
                ends[name] = ends[was] = max(last, default=ends[was])
        return ends, became

    def boards(self) -> Iterator[tuple[Said, Chart]]:
        """Each sentence that was heard, with its board."""
        ends, became = self._ends()
        sinks = {one.piece: one for one in self.said if one.wreck}
        order = [*self.new, *(name for name in self.now if name not in self.new)]
        now = dict(self.old)
        frame = self.before if self.before.board == self.after.board else self.after
        for at, one in enumerate(self.said[:-1]):
            now |= self._moved(one, now)
            piece, name = now.get(one.piece), one.piece
            if one.play == "turn" and piece is not None:
                shows = self.new.get(became.get(name, name))
                if shows is None and name in sinks:
                    said = sinks[name]
                    shows = piece._replace(shape=said.shape, title=said.wreck)
                now[name] = (shows or piece)._replace(cell=piece.cell, id=name)
            for name, end in ends.items():
                if end == at:
                    now.pop(name, None)
                    now |= {name: self.new[name]} if name in self.new else {}
            yield one, frame._replace(pieces=tuple([now[one] for one in order if one in now]))
        for one in self.said[-1:]:
            yield one, self.after
