"""A record's files against its entries: which are named, which are missing, which do not belong;
and which of them go into a pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Opening
from adjudicator.core.source import Source
from adjudicator.verifier.claims import Inquiry
from orders import names
from orders.entries import Entry
from orders.errors import Refused
from orders.fields import Digest, digest


class Listing(NamedTuple):
    """A record's files: those in `needed` must be there; those in `digests` must fit if they are
    there."""

    needed: frozenset[str]
    digests: Mapping[str, Digest]


def of(opening: Opening, links: Sequence[Link]) -> Listing:
    """The files that genesis and these entries name."""
    needed = {names.INVITE, names.signature(names.INVITE)}
    if opening.offer.table is not None:
        needed.add(names.TABLE)
    for player in opening.players:
        needed |= _signed(names.join(player))
    digests: dict[str, Digest] = {}
    for link in links:
        step = link.step
        needed |= _signed(names.entry(step))
        for player, slip in link.slips.items():
            needed |= _signed(names.slip(step, player))
            digests[names.sealed_order(step, player)] = slip.sealed
            digests[names.opened_order(step, player)] = slip.order
        seat = None if link.entry.ruling is None else link.entry.ruling.seat
        if seat is not None:
            needed |= _signed(names.seat(step, seat.player))
            needed |= _signed(names.consent(step, seat.player)) if seat.agreed else set()
        for player, told in link.entry.reports.items():
            digests[names.report(step, player)] = told.sealed
    return Listing(frozenset(needed), digests)


def _signed(path: str) -> set[str]:
    return {path, names.signature(path)}


def check(
    found: Inquiry,
    source: Source,
    paths: Sequence[str],
    listing: Listing,
    *,
    walked: int | None,
    revealed: bool,
) -> None:
    """Note or fault every file that no entry names, and every one that differs.

    The files in `needed` are there: the entries that name them were verified with them. `walked`:
    the number of the last entry if all entries hold; None if the walk stopped early.
    """
    known = 0
    for path in paths:
        if path in listing.needed:
            known += 1
        elif path in listing.digests:
            fits = False
            with suppress(Refused):  # too big for any file of a record
                fits = digest(source.read(path)) == listing.digests[path]
            if not fits:
                text = f"{path} does not have the digest that is signed for it"
                found.fault("entries", text, f"{path} was changed")
            known += fits
        elif path == names.ATTRIBUTES:
            as_it_must_be = False
            with suppress(Refused):
                as_it_must_be = source.read(names.ATTRIBUTES) == names.ATTRIBUTES_TEXT
            if not as_it_must_be:
                text = f"{names.ATTRIBUTES}: is not the file that the tool writes"
                found.fault("entries", text, f"{names.ATTRIBUTES} was changed")
        elif (name := names.parse(path)) is None:
            found.note("entries", f"{_shown(path)} is not part of the record")
        elif walked is None:
            # The walk stopped early, and an entry that was not read may name this file.
            found.note("entries", f"{_shown(path)} is named by no entry up to the fault")
        elif not revealed and _unfinished(name, walked + 1):
            found.note("entries", f"{path} is named by no entry: an unfinished act of the host")
        else:
            text = f"{_shown(path)} belongs nowhere: no entry names it"
            found.fault("entries", text, f"{_shown(path)} belongs nowhere")
    if walked is not None:
        found.note("entries", f"{known} files, each named by an entry and with the digest named")


def _unfinished(name: names.Name, step: int) -> bool:
    """Whether a crash of the host can have left a file of that name for the coming entry."""
    whole_entry = name.kind == "entry" and not name.signature
    return name.kind == "opened" or (name.step == step and not whole_entry)


def _shown(path: str) -> str:
    return ascii(path)[1:-1]


def check_digests(found: Inquiry, links: Sequence[Link]) -> None:
    """Fault every digest that two files share: two salted files never have the same digest."""
    seen: dict[Digest, str] = {}
    for link in links[1:]:
        for value, place in _digests(link):
            if value in seen:
                text = f"one digest twice: {value[:16]} as {seen[value]} and as {place}"
                found.fault("entries", text, "two salted files have one digest")
            seen[value] = place


def _digests(link: Link) -> Iterator[tuple[Digest, str]]:
    step, entry = link.step, link.entry
    for player, slip in link.slips.items():
        yield slip.order, f"order of {player}, {step}"
        yield slip.sealed, f"sealed order of {player}, {step}"
    for player, told in entry.reports.items():
        yield told.digest, f"report of {player}, {step}"
        yield told.sealed, f"sealed report of {player}, {step}"
    if isinstance(entry, Entry):
        yield entry.state, f"state {step}"


def kept(source: Source) -> dict[str, bytes]:
    """The files of a record's pack by name; raises Missing or Refused.

    Of a finished game sealed files stay out: `verify` makes each of them again and compares digests
    anyway. A sealed order that nobody has opened stays in, because it can still be opened.
    """
    parsed = {path: name for path in source.paths() if (name := names.parse(path)) is not None}
    held, revealed = {}, Ledger.read(source).revealed
    for path, name in parsed.items():
        again = name.kind == "report" or (
            name.kind == "sealed" and names.opened_order(name.step, name.player) in parsed
        )
        if path != names.ATTRIBUTES and not (revealed and again):
            held[path] = source.read(path)
    return held
