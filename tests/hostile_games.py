"""Games with all their keys, so that a hostile host or player can sign anything in them.

What belongs here: making hostile records, bundles, reports, letters and slips, signed again with
the real keys of a `Table`.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from replacing import replace
from table import EXAMPLE, Table

sys.path.insert(0, str(Path(__file__).parent / "verifier"))

from forger import NAMESPACES, Forger
from memory import Memory
from spoil import changed, spoilt

from adjudicator.core import bundles, deadlines, opening, report
from adjudicator.core.source import Source
from adjudicator.player import letters, seated
from adjudicator.player.letters import message
from adjudicator.player.seat import Seat
from games.dice import Dice
from orders import canonical, names, order_file, sshsig, toml
from orders.bundle import Bundle
from orders.documents import Private
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest
from orders.keys import MemoryKey
from orders.secrets import derive
from orders.sshsig import Signed

DAY = 86_400


@dataclass
class Played:
    """A game as it was played honestly: its table, files, opened reports and letters."""

    table: Table
    forger: Forger
    reports: dict[tuple[int, str], bytes] = field(default_factory=dict)
    letters: list[Bundle] = field(default_factory=list)
    good: Mapping[str, bytes] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table) -> Played:
        """The game at a table, with what each seat was sent."""
        played = cls(table, Forger.of(table))
        played.good = dict(played.forger.held)
        begun = played.forger.game.opening
        for step in range(1, played.forger.last + 1):
            entry = played.forger.entry(step)
            for player in entry.reports:
                shared = table.seated(player).shared()
                sealed = played.good[names.report(step, player)]
                with contextlib.suppress(Refused):
                    opened = report.unseal(begun, shared, entry, player, sealed)
                    played.reports[step, player] = opened
        for name in table.players:
            own = table.seated(name)
            told = message("all", "Good morning.")
            bundle = letters.write(own.ledger, own.seat, table.keys[name], told)
            played.letters.append(bundle)
        return played

    def fresh(self) -> Forger:
        """The honest files and all keys, to be forged."""
        return replace(self.forger, held=dict(self.good))

    def seat(self, name: str) -> Seat:
        """A player's seat as they joined with it, in memory, with its orders and receipts."""
        held = self.table.seat(name).files
        files = {path: held.read(path) for path in held.paths() if path != "mark"}
        return Seat.of(Memory(files))


def play(root: Path) -> list[Played]:
    """A finished game, one with every ruling, and one of each other game, not finished."""
    finished = Table(root / "finished").begin().play(*EXAMPLE)
    ruled = Table(root / "ruled").begin().play(*EXAMPLE[:2])
    ruled.rule(Ruling("the mail was late", annuls=2))
    ruled.clock.skip(2 * DAY)
    player, prompt = next(iter(ruled.entry().awaited.items()))
    ruled.rule(Ruling("a holiday"), {player: deadlines.add(prompt.until, DAY)})
    hand_on(ruled, "bob")
    ruled.play(EXAMPLE[1])
    others = []
    for game in ("submarine-warfare", "silent-ships"):
        table = Table(root / game, options={}, game=game).begin()
        others.append(with_bots(table, steps=4))
    return [Played.of(table) for table in (finished, ruled, *others)]


def with_bots(table: Table, steps: int) -> Table:
    """Play that many steps between bots."""
    game = table.host.opening.game
    kind = next(iter(game.bots))
    bots = {name: game.bots[kind](name) for name in table.players}
    for _ in range(steps):
        for name, bot in bots.items():
            told = table.report(name)
            bot.hear(told.view, told.events)
        for name in table.entry().awaited:
            own = table.seated(name)
            written = bots[name].order(Dice(derive(table.seed, f"bot/{name}/{own.step}")))
            file = order_file.compose(written.orders)
            table.send(own.order(file, table.keys[name], table.clock.now()).bundle)
        table.advance()
    return table


def hand_on(table: Table, player: str) -> None:
    """Hand a seat on to somebody with a new key, as the one who leaves agrees."""
    secret = derive(table.seed, "new seat")
    root = table.root / player / f"{player}.seat"
    root.rename(table.root / player / "old.seat")
    old, new = table.keys[player], MemoryKey.from_seed(derive(table.seed, "new key"))
    offer = opening.read_offer(table.record)
    seat = Seat.create(root, player, offer.digest, Path(f"/keys/{player}.key"), secret)
    join = seated.join(offer, seat, new, Private())
    table.keys[f"{player} before"], table.keys[player] = old, new
    consent = seated.consent(table.host.ledger, old, join)
    table.hand_out(table.host.hand_on(join, "Bob is ill", consent))


# Documents.


def document(rng: Random, data: bytes, others: Sequence[bytes], scale: int = 1) -> bytes:
    """A document with other values in its one rendering, or with other bytes."""
    if rng.random() < 0.25:
        return spoilt(rng, data, others, scale)
    try:
        values = toml.read(data)
        if "view" in values and rng.random() < 0.4:
            view = changed(rng, json.loads(values["view"]), scale)
            return toml.render({**values, "view": _json(view).decode("latin-1")})
        if values.get("events") and rng.random() < 0.5:
            return toml.render({**values, "events": changed(rng, values["events"], scale)})
        return toml.render(changed(rng, values, scale))
    except (Refused, ValueError, TypeError, AttributeError):
        return spoilt(rng, data, others, scale)


def _json(value: Any) -> bytes:
    """Canonical JSON where the value has any, else what a lying program might write."""
    try:
        return canonical.dumps(value)
    except (ValueError, TypeError):
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def plain_json(rng: Random, data: bytes, others: Sequence[bytes], scale: int = 1) -> bytes:
    """Canonical JSON with other values in it, or with other bytes."""
    if rng.random() < 0.25:
        return spoilt(rng, data, others, scale)
    return _json(changed(rng, json.loads(data), scale))


# Records.


def record(rng: Random, played: Played, scale: int = 1) -> dict[str, bytes]:
    """The files of a record of which a hostile host or player has signed a part anew."""
    forger = played.fresh()
    others = list(played.good.values())
    for _ in range(rng.choice((1, 1, 2))):
        with contextlib.suppress(Refused, KeyError, ValueError):
            _forge(rng, played, forger, others, scale)
    return forger.held


def _forge(
    rng: Random, played: Played, forger: Forger, others: Sequence[bytes], scale: int
) -> None:
    """Change one file of a record: signed anew, with later digests or without, or not signed."""
    if played.reports and rng.random() < 0.2:
        _forge_report(rng, played, forger, others, scale)
        return
    paths = sorted(path for path in forger.held if not path.endswith(".sig"))
    entries = [path for path in paths if path.startswith("entries/")]
    path = rng.choice(rng.choice((paths, entries)))
    name = names.parse(path)
    if name is None or name.kind not in NAMESPACES:
        forger.held[path] = spoilt(rng, forger.held[path], others, scale)
        return
    data = document(rng, forger.held[path], others, scale)
    match rng.randrange(8):
        case 0:
            forger.held[path] = data
        case 1:
            signature = names.signature(path)
            forger.held[signature] = spoilt(rng, forger.held[signature], others, scale)
        case 2 | 3:
            forger.sign(path, data)
        case _:
            forger.put(path, data)
    if name.kind == "entry" and rng.random() < 0.3:
        forger.cut(name.step)


def _forge_report(
    rng: Random, played: Played, forger: Forger, others: Sequence[bytes], scale: int
) -> None:
    """Have the host seal another report to a player, and sign its digest."""
    step, player = rng.choice(sorted(played.reports))
    data = plain_json(rng, played.reports[step, player], others, scale)
    game = forger.game
    shared = game.shared(game.opening.joins[player])
    sealed = report.seal(game.opening, shared, step, player, data)
    forger.change_report(step, player, sealed, digest(data))
    if rng.random() < 0.5:
        forger.cut(step)


# What travels.


def entry_bundle(held: Mapping[str, bytes], step: int, player: str) -> Bundle:
    """What a host would send of an entry, without a look at what it says."""
    files = {}
    for path, data in held.items():
        name = names.parse(path)
        if name is None or name.kind in ("invite", "table", "attributes"):
            continue
        mine = name.kind == "report" and name.player == player
        stepped = name.kind in ("entry", "slip", "seat", "consent") or mine
        if (name.kind == "join" and step == 0) or (stepped and name.step == step):
            files[path] = data
    return bundles.pack("entry", files)


def before(held: Mapping[str, bytes], step: int) -> dict[str, bytes]:
    """The files of a copy to which that entry has not come yet."""

    def known(path: str) -> bool:
        name = names.parse(path)
        if name is None or name.kind in ("invite", "table", "attributes", "join"):
            return True
        return name.step < step and name.kind not in ("opened", "sealed")

    return {path: data for path, data in held.items() if known(path)}


def bundle(rng: Random, given: Bundle, played: Played, namespace: str, scale: int = 1) -> Bundle:
    """A bundle of whose files one is another, signed again by whoever signed it."""
    held = dict(given.files)
    path = rng.choice(sorted(held))
    others = list(played.good.values())
    if path.endswith(".toml"):
        held[path] = document(rng, held[path], others, scale)
    if names.signature(path) in held:
        keys = played.forger.keys
        key = rng.choice(keys) if rng.random() < 0.1 else _key(given, path, played, namespace)
        held[names.signature(path)] = Signed.by(key, namespace, held[path]).signature
    elif not path.endswith(".toml"):
        held[path] = spoilt(rng, held[path], others, scale)
    if rng.random() < 0.1:
        held[rng.choice(sorted(held))] = rng.choice(others)
    kind = given.kind if rng.random() < 0.95 else "entry"
    return bundles.pack(kind, held)


def _key(given: Bundle, path: str, played: Played, namespace: str) -> Any:
    """The key that signed a file of this bundle."""
    held = dict(given.files)
    for key in played.forger.keys:
        with contextlib.suppress(Refused):
            sshsig.verify(key.public, namespace, held[path], held[names.signature(path)])
            return key
    return played.forger.keys[0]


def last_step(source: Source) -> int:
    """The number of the last entry by the files' names."""
    parsed = filter(None, map(names.parse, source.paths()))
    return max((name.step for name in parsed if name.kind == "entry"), default=0)
