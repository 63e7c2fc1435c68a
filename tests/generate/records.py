"""Finished records of every game and edition, with all states and opened reports.

NAME.zip is the record's pack, NAME.json what a second implementation is to come to. All secrets,
keys, orders and times are fixed, so a record comes out the same, byte for byte, every time. The
number `draw` in NAME.json says which game is played, of all that chance allows. Where that one no
longer holds what it is played for, because formats or rules have changed, the next ones are tried.
Beside what bots do there are void lines, remarks, missed steps, protests, every kind of ruling and
a seat that changes hands.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generate import suite
from generate.suite import Case, Made
from table import Table

from adjudicator.core import deadlines
from adjudicator.core.engine import unlock
from adjudicator.core.replay import Replay, opened
from adjudicator.core.source import MemoryFiles, Source
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.store import pack
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from games.dice import Dice
from games.game import OrderError, Written
from orders.documents import Private
from orders.entries import Reveal, Ruling
from orders.errors import Refused
from orders.keys import MemoryKey
from orders.order_file import compose
from orders.secrets import Master, derive

DAY = 86_400
PROTESTED, OFFERED = 5, 7
"""Which order, of all that are asked for, bears a protest, and which an offer."""


@dataclass(frozen=True)
class Play:
    """What to play, and in `holds` what must have come of it, word by word as `found` tells it.

    `bots`: of the seats in order, over and over. `absent`: each so many-th order is missed.
    `offer`: the line with which a player offers to end the game. `acts`: what the host does beside
    adjudicating, before the step named. `orders`: a player's first orders, before bots take over.
    """

    game: str
    players: tuple[str, ...] = ("alice", "bob")
    options: Mapping[str, Any] = field(default_factory=dict)
    bots: str = "captain"
    steps: int = 24
    absent: int = 0
    offer: str = ""
    holds: str = ""
    acts: Mapping[int, Callable[[Table], None]] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def snow(table: Table) -> None:
    """A ruling that moves deadlines; orders that were accepted stay so."""
    table.clock.skip(2 * DAY)
    last = max(one.until for one in table.host.last.clocks.awaited.values())
    table.rule(Ruling("snow"), deadlines.add(last, DAY - 3600))


def undo(table: Table) -> None:
    """A ruling that annuls the last two entries."""
    table.rule(Ruling("entered twice", annuls=table.host.last.step - 1))


def hand_on(*, agreed: bool) -> Callable[[Table], None]:
    """The last player's seat changes hands, with or without the signature of who leaves."""

    def act(table: Table) -> None:
        name = table.players[-1]
        ledger = table.host.ledger
        key = MemoryKey.from_seed(derive(table.seed, f"key/new/{agreed}"))
        secret = derive(table.seed, f"seat/new/{agreed}")
        table.seated(name)  # what came before is for the player who leaves
        old = table.root / name / f"{name}.seat"
        old.rename(old.with_name(f"{name}.left.{agreed}"))
        offer = ledger.opening.offer
        seat = Seat.create(old, name, offer.digest, Path(f"/keys/{name}.key"), secret)
        join = seated.join(offer, seat, key, Private())
        consent = seated.consent(ledger, table.keys[name], join) if agreed else None
        reason = "Bob has moved" if agreed else "nobody has heard of Bob for a month"
        steps = table.host.hand_on(join, reason, consent)
        table.keys[name] = key
        table.hand_out(steps)

    return act


PLAYS = {
    "sugar-dog-2": Play(
        "sugar-dog", ("anna", "ben"), {"match": "first", "first": 1}, "captain random", 30,
        holds="laid impact lost sunk over protest remark",
    ),
    "sugar-dog-3": Play(
        "sugar-dog", ("alice", "bob", "carol"),
        {"reserve_time": "1d", "rest": "sat,sun", "zone": "+05:30"}, "captain random random", 30,
        absent=9, offer="draw",
        acts={0: snow, 6: snow, 9: undo, 12: hand_on(agreed=True), 15: hand_on(agreed=False)},
        holds="missing delays annuls agreed consent not-agreed rest draw-offered laid lost "
        "torpedo-lost",
    ),
    "sugar-dog-8": Play(
        "sugar-dog", tuple(f"p{n}" for n in range(8)), bots="random",
        holds="ping echo clear abandons",
    ),
    "submarine-warfare-1": Play(
        "submarine-warfare", options={"rounds": 16}, bots="random", steps=40, offer="draw",
        holds="void nullify nullified mine sonar torpedo ring healed destroyed draw-offered over",
    ),
    "submarine-warfare-2": Play(
        "submarine-warfare", options={"missed": "pass"}, absent=7,
        acts={5: undo, 8: hand_on(agreed=True)},
        holds="missing annuls agreed consent collision destroyed over",
    ),
    "submarine-warfare-3": Play(
        "submarine-warfare", ("anna", "ben"), holds="collision torpedo reached over"
    ),
    "submarine-warfare-4": Play(
        "submarine-warfare", options={"first": "alice", "first_ap": 5}, steps=12,
        orders={
            "alice": (
                "a G1 sonar\nb C1 depth-charge\nc E1 torpedo\nd B1 nullify\ne F1 heal",
                "d submerge\nb depth-charge", "b depth-charge", "b depth-charge",
                "a move N\na move N\na move N\na move N\na sonar",
            ),
            "bob": (
                "v A7 torpedo\nw C7 heal\nx D7 sonar\ny E7 mine\nz G7 nullify",
                "stop", "stop", "stop",
            ),
        },
        holds="destroyed-at found depth-charge submerged",
    ),
    "silent-ships-print": Play(
        "silent-ships", options={"edition": "print"}, acts={6: undo},
        holds="standing void annuls support battle sunk over",
    ),
    "silent-ships-2021-09-12": Play(
        "silent-ships", options={"edition": "2021-09-12"}, bots="random", absent=11,
        offer="offer end",
        holds="waiting void missing attack retreat swapped sunk offer abandons",
    ),
    "silent-ships-2021-09-17": Play(
        "silent-ships", options={"edition": "2021-09-17"},
        holds="standing void support battle sunk over",
    ),
    "silent-ships-speed": Play(
        "silent-ships", options={"speed": True}, acts={4: snow},
        holds="standing void delays support battle sunk abandons",
    ),
}  # fmt: skip


class Sparing(Table):
    """A table whose players take in what they are sent when they are to play, not at each entry."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.due: dict[str, tuple[int, ...]] = dict.fromkeys(self.players, ())

    def hand_out(self, steps: tuple[int, ...]) -> tuple[int, ...]:
        """Keep these entries for everybody."""
        self.due = {name: (*due, *steps) for name, due in self.due.items()}
        return steps

    def seated(self, name: str) -> Any:
        """The player, who has taken in everything."""
        due, self.due[name] = self.due[name], ()
        if due:
            self.deliver(name, self.host.bundles(due, name))
        return super().seated(name)


class Player:
    """Sends what a bot plays, now and then with more lines than can be carried out."""

    def __init__(self, table: Table, play: Play) -> None:
        self.table = table
        self.play = play
        self.asked = 0
        self.orders = {name: list(orders) for name, orders in play.orders.items()}

    def order(self, name: str) -> bool:
        """Order and submit; whether anything was sent."""
        self.asked += 1
        if self.play.absent and self.asked % self.play.absent == 0:
            return False
        own = self.table.seated(name)
        if self.orders.get(name):
            return self._send(own, name, Written(self.orders[name].pop(0)))
        told = own.report()
        bots = self.play.bots.split()
        kind = bots[self.table.players.index(name) % len(bots)]
        bot = own.opening.game.bots[kind](name)
        bot.hear(told.view, told.events)
        dice = Dice(derive(self.table.seed, f"{name}/{own.step}"))
        written = bot.order(dice)
        offer = f"{self.play.offer}\n" if self.play.offer and self.asked == OFFERED else ""
        offering = Written(offer + written.orders)
        for one in (self._with_more(own, offering, dice), offering, written):
            if one is not None and self._send(own, name, one):
                return True
        raise AssertionError(f"{name}'s bot writes what is refused: {written}")

    def _send(self, own: Any, name: str, written: Written) -> bool:
        game = own.opening.game
        file = compose(written.orders)
        try:
            game.read(own.report().view, written)
        except (OrderError, Refused):
            return False
        protest = "time" if self.asked == PROTESTED else None
        bundle = own.order(file, self.table.keys[name], self.table.clock.now(), protest).bundle
        return bool(self.table.send(bundle).status == "accepted")

    def _with_more(self, own: Any, written: Written, dice: Dice) -> Written | None:
        """The same with a remark, a blank line and a line that comes again, or None."""
        lines = written.orders.strip("\n").split("\n")
        game = own.opening.game
        if own.opening.offer.game.id == "sugar-dog" or len(lines) < 2:
            return Written("\n".join([*lines, "# for the record"]))
        place = dice.below("again", len(lines))
        again = [*lines[:place], "", lines[place] + "  # twice", *lines[place:]]
        return Written("\n".join(again)) if game else None


def play(name: str, draw: int, folder: Path) -> Table:
    """Play a record to its end in an empty folder; `draw` picks one game of all that chance
    allows."""
    one = PLAYS[name]
    what = f"{name}/{draw}" if draw else name
    table = Sparing(folder, one.players, dict(one.options), one.game, derive(b"vectors", what))
    table.begin()
    player = Player(table, one)
    done: set[int] = set()
    while table.host.last.clocks.awaited:
        step = table.host.last.step
        if step in one.acts and step not in done:
            done.add(step)
            one.acts[step](table)
            continue
        if step >= one.steps:
            table.rule(Ruling("played for long enough", abandons=True))
            break
        awaited = table.host.last.clocks.awaited
        sent = [player.order(who) for who in awaited]
        if not all(sent):
            table.clock.skip(12 * DAY)
        table.advance(late=not all(sent))
    return table


SIGNS = {
    "annuls": "ruling = { from",
    "abandons": "ruling = { abandon",
    "delays": 'ruling = { reason = "snow"',
    "agreed": 'consent = "',
    "not-agreed": 'reason = "nobody has heard of Bob',
    "rest": 'rest = "sat,sun"',
    "missing": 'missing = ["',
    "protest": "protest = ",
    "standing": "\nstanding support ",
    "remark": "# for the record",
}
"""Each is in a record if one of the record's files holds this text."""


def found(source: Source, made: Mapping[str, Any]) -> frozenset[str]:
    """What a record holds that a second verifier may stumble over: words of `SIGNS`, kinds of
    events, and what is not in every report and state. `made` is what `reckoned` told of it."""
    words: set[str] = set()
    for path in source.paths():
        text = source.read(path).decode("ascii") if path.endswith((".toml", ".txt")) else ""
        words |= {word for word, sign in SIGNS.items() if sign in text}
        words |= {"consent"} if path.endswith(".consent.toml") else set()
        if path.startswith("entries/") and path.endswith(".toml"):
            words |= {event["kind"] for event in tomllib.loads(text).get("events", ())}
    for entry in made["entries"].values():
        for word, sign in (("nullified", '"nullified":["'), ("waiting", '"waiting":["')):
            words |= {word} if sign in entry["state"] else set()
        for report in map(json.loads, entry["reports"].values()):
            words |= {event["kind"] for _, event in report["events"]}
    return frozenset(words)


def reckoned(table: Table) -> dict[str, Any]:
    """What a second implementation is to come to: ids, the seed, every state and report."""
    ledger = table.host.ledger
    reveal = ledger.last.entry
    assert isinstance(reveal, Reveal)
    game = unlock(ledger.opening, Master(bytes.fromhex(reveal.master)))
    replay = Replay(game, ledger.link(0), opened(table.record))
    found = verify(table.record)
    entries = {}
    for link in ledger.links()[1:-1]:
        made = replay.play(link)
        entries[str(link.step)] = {
            "state": made.state_file.decode("ascii"),
            "reports": {who: data.decode("ascii") for who, data in made.reports.items()},
        }
    first = ledger.last.first
    return {
        "game": ledger.opening.id,
        "head": ledger.last.digest,
        "code": found.code,
        "verdict": found.verdict,
        "sizes": {"order": ledger.opening.sizes.order, "report": ledger.opening.sizes.report},
        "seed": None if first is None else replay.dice(ledger.link(first)).seed.hex(),
        "sealed_files": sorted(path for path in table.record.paths() if path.endswith(".sealed")),
        "entries": entries,
    }


def drawn(name: str, draw: int) -> dict[str, bytes]:
    """The record that is played so, as the files of the suite; none if the game of that draw does
    not hold what it is played for."""
    with tempfile.TemporaryDirectory() as folder:
        table = play(name, draw, Path(folder) / "table")
        made = reckoned(table)
        files = kept(table.record)
        if not found(MemoryFiles(files), made).issuperset(PLAYS[name].holds.split()):
            return {}
        text = json.dumps({"draw": draw, **made}, indent=1, sort_keys=True) + "\n"
        return {
            f"records/{name}.zip": pack.write(files),
            f"records/{name}.json": text.encode("ascii"),
        }


def write(name: str) -> dict[str, bytes]:
    """The files of that record: the game that it was, or the next one that holds what it is played
    for."""
    os.fsync = lambda handle: None  # as in the process that asks for it
    known = suite.SUITE / "records" / f"{name}.json"
    first = json.loads(known.read_bytes()).get("draw", 0) if known.exists() else 0
    return next(filter(None, (drawn(name, draw) for draw in range(first, first + 200))))


def made(_: Path) -> Made:
    """A case for each record."""
    with ProcessPoolExecutor() as pool:
        files = {path: data for one in pool.map(write, PLAYS) for path, data in one.items()}
    cases = []
    for name, one in PLAYS.items():
        said = json.loads(files[f"records/{name}.json"])
        cases.append(
            Case(
                f"records/{name}", "records", "docs/formats/verifying.md",
                f"a whole game of {one.game} that holds {', '.join(one.holds.split())}",
                ("verify", suite.file(f"records/{name}.zip")), said["code"],
                told={"verdict": said["verdict"]}, files=(f"records/{name}.json",),
            )
        )  # fmt: skip
    return Made(cases, files)
