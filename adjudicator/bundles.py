"""What invite, genesis or an entry added to a record, as bundles; and receipts as bundles."""

from __future__ import annotations

import contextlib

from adjudicator.record import Source
from orders import names
from orders.bundle import Bundle
from orders.entries import Entry, Genesis, read_entry
from orders.errors import Missing


def pack(kind: str, files: dict[str, bytes]) -> Bundle:
    """A bundle of these files, in the order of their paths."""
    return Bundle(kind, tuple(sorted(files.items())))


def signed(source: Source, path: str) -> dict[str, bytes]:
    """A file and its signature, by name."""
    return {other: source.read(other) for other in (path, names.signature(path))}


def of_invite(source: Source) -> Bundle:
    """The invite, with its house table where there is one."""
    held = signed(source, names.INVITE)
    with contextlib.suppress(Missing):
        held[names.TABLE] = source.read(names.TABLE)
    return pack("invite", held)


def of_join(source: Source, player: str) -> Bundle:
    """A join as its player sent it."""
    return pack("join", signed(source, names.join(player)))


def of_entry(source: Source, step: int) -> Bundle:
    """An entry with all that it names: the joins, or slips, sealed orders and everyone's reports.

    Opened order files travel in none: who has the master opens them.
    """
    held = signed(source, names.entry(step))
    entry = read_entry(held[names.entry(step)])
    if isinstance(entry, Genesis):
        for player in entry.players:
            held |= signed(source, names.join(player))
    elif isinstance(entry, Entry):
        for player in entry.slips:
            held |= signed(source, names.slip(step, player))
            sealed = names.sealed_order(step, player)
            held[sealed] = source.read(sealed)
        for player in entry.reports:
            held[names.report(step, player)] = source.read(names.report(step, player))
    return pack("entry", held)


def of_receipt(step: int, player: str, revision: int, data: bytes, signature: bytes) -> Bundle:
    """A receipt with its signature."""
    path = names.receipt(step, player, revision)
    return pack("receipt", {path: data, names.signature(path): signature})
