"""Bundles: of an invite, of genesis, of an entry with the files that it names, and of a receipt.

What belongs here: which files travel to whom. A player gets an entry, the slips that it uses, and
their own report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.source import Source, read_or_none, signed
from orders import names
from orders.bundle import LARGEST, MOST_FILES, Bundle
from orders.documents import read_receipt
from orders.entries import AnyEntry, Genesis, Reveal, read_entry
from orders.errors import Refused
from orders.signed import Signed


def pack(kind: str, files: Mapping[str, bytes]) -> Bundle:
    """A bundle of these files, in the order of their paths."""
    return Bundle(kind, tuple(sorted(files.items())))


def of_invite(source: Source) -> Bundle:
    """The invite, with its house table where there is one."""
    held = signed(source, names.INVITE).files(names.INVITE)
    table = read_or_none(source, names.TABLE)
    return pack("invite", held if table is None else {**held, names.TABLE: table})


def named(source: Source, entry: AnyEntry) -> dict[str, bytes]:
    """The files that an entry names and that everybody gets: joins, slips, the join that takes over
    a seat."""
    held: dict[str, bytes] = {}
    joins = entry.joins if isinstance(entry, Genesis) else {}
    paths = [names.join(player) for player in joins]
    paths += [names.slip(entry.step, player) for player in entry.slips]
    seat = None if entry.ruling is None else entry.ruling.seat
    if seat is not None:
        paths.append(names.seat(entry.step, seat.player))
        if seat.agreed:
            consent = names.consent(entry.step, seat.player)
            held[consent] = source.read(consent)
    for path in paths:
        held |= signed(source, path).files(path)
    return held


def of_entry(source: Source, step: int, reader: str | None = None) -> tuple[Bundle, ...]:
    """An entry as it goes to a player, or (None) to anybody: one bundle.

    A reveal brings every opened order file. If they do not fit into one bundle, there are several,
    each with the reveal in it.
    """
    path = names.entry(step)
    file = signed(source, path)
    entry = read_entry(file.data)
    held = file.files(path)
    if isinstance(entry, Reveal):
        return tuple(pack("entry", held | part) for part in _parts(_opened(source, step), held))
    held |= named(source, entry)
    if reader is not None and reader in entry.reports:
        report = names.report(step, reader)
        held[report] = source.read(report)
    return (pack("entry", held),)


def _opened(source: Source, last: int) -> Iterable[tuple[str, bytes]]:
    """Every opened order file that lies in a revealed record, by name."""
    for step in range(1, last):
        for player in read_entry(source.read(names.entry(step))).slips:
            path = names.opened_order(step, player)
            data = read_or_none(source, path)
            if data is not None:
                yield path, data


def _parts(
    files: Iterable[tuple[str, bytes]], head: Mapping[str, bytes]
) -> Iterable[dict[str, bytes]]:
    """The files in parts, each of which fits into a bundle together with `head`; one at least."""
    room = LARGEST // 2
    part: dict[str, bytes] = {}
    size = 0
    for path, data in files:
        if len(part) + len(head) >= MOST_FILES or size + len(data) > room:
            yield part
            part, size = {}, 0
        part[path] = data
        size += len(data) + len(path) + 12
    yield part


def of_receipt(file: Signed) -> Bundle:
    """A receipt with its signature."""
    one = read_receipt(file.data)
    return pack("receipt", file.files(names.receipt(one.step, one.player, one.revision)))


def read_one(kind: str, bundle: Bundle) -> tuple[str, Signed]:
    """The one file in a bundle of that kind, and its name; raises Refused.

    Its signature is there, and not yet verified.
    """
    held = dict(bundle.files)
    path, *others = held
    if bundle.kind != kind or others != [names.signature(path)]:
        expected = f"expected a {kind} and its signature"
        raise Refused("bad-bundle", f"a bundle of kind {bundle.kind}: {expected}")
    return path, Signed(held[path], held[names.signature(path)])
