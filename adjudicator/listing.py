"""A record's files against its entries: which are named, which are not there, which do not belong.

What belongs here: names and digests only. What it must not know: what the files say.
"""

from __future__ import annotations

from adjudicator.findings import Gathered
from adjudicator.record import Source
from orders import names
from orders.entries import Entry
from orders.errors import Refused
from orders.fields import Digest


def check_listing(gathered: Gathered, source: Source) -> None:
    """Note or fault every file that no entry names, and every one that is named and not there."""
    named = _named(gathered)
    for path in gathered.paths:
        if path == names.ATTRIBUTES:
            _check_attributes(gathered, source)
        elif path in names.BESIDE:
            gathered.note("files", f"{path} lies beside the record and is no part of it")
        elif path not in named:
            _unnamed(gathered, path)
    for path in sorted(named - set(gathered.paths)):
        parsed = names.parse(path)
        if parsed is not None and parsed.kind == "opened":
            gathered.unopened = True
            gathered.note("orders", f"{path} is not there: never opened")
        elif not gathered.faults:
            gathered.fault("files", f"{path} is not there")


def _named(gathered: Gathered) -> set[str]:
    opening = gathered.opening
    named = {names.INVITE, names.signature(names.INVITE)}
    if opening.offer.table is not None:
        named.add(names.TABLE)
    for player in opening.players:
        named |= {names.join(player), names.signature(names.join(player))}
    for link in gathered.links:
        step = link.entry.step
        named |= {names.entry(step), names.signature(names.entry(step))}
        for player in link.slips:
            slip = names.slip(step, player)
            named |= {slip, names.signature(slip), names.sealed_order(step, player)}
            if gathered.revealed:
                named.add(names.opened_order(step, player))
        if isinstance(link.entry, Entry):
            named |= {names.report(step, player) for player in opening.players}
    return named


def _check_attributes(gathered: Gathered, source: Source) -> None:
    try:
        as_it_must_be = source.read(names.ATTRIBUTES) == names.ATTRIBUTES_TEXT
    except Refused:
        as_it_must_be = False
    if not as_it_must_be:
        gathered.fault("files", f"{names.ATTRIBUTES}: is not as a record has it")


def _unnamed(gathered: Gathered, path: str) -> None:
    """A file that no entry names: what a crash left of the next step, or something foreign."""
    drafted = _drafted(path)
    name = names.parse(path if drafted is None else drafted)
    whole = drafted is None and name is not None and not name.signature
    unfinished = name is not None and (
        name.kind == "opened"
        or (name.step == len(gathered.links) and not (whole and name.kind == "entry"))
    )
    if not gathered.revealed and unfinished:
        # Where the walk has stopped at a fault, an entry that was not read may name it.
        if gathered.walked:
            text = f"{path} is named by no entry: an unfinished act of the host"
            gathered.note("files", text)
    elif not gathered.faults or gathered.revealed:
        gathered.fault("files", f"{ascii(path)[1:-1]} belongs nowhere: no entry names it")


def _drafted(path: str) -> str | None:
    """The name of the file that was being written there (`files.draft_of`), None for others."""
    folder, slash, name = path.rpartition("/")
    if not name.startswith(".") or not name.endswith(".part"):
        return None
    return folder + slash + name[1 : -len(".part")]


def check_digests(gathered: Gathered) -> None:
    """Fault every digest that stands for two files: what is salted never does."""
    seen: dict[Digest, str] = {}
    for link in gathered.links[1:]:
        step = link.entry.step
        found = [(slip.order, f"order of {who}, {step}") for who, slip in link.slips.items()]
        found += [(slip.sealed, f"sealed, {step} {who}") for who, slip in link.slips.items()]
        if isinstance(link.entry, Entry):
            found.append((link.entry.state, f"state {step}"))
            for who, told in link.entry.reports.items():
                found.append((told.digest, f"report {step} {who}"))
                found.append((told.sealed, f"sealed report {step} {who}"))
        for value, place in found:
            if value in seen:
                text = f"one digest twice: {value[:16]} as {seen[value]} and as {place}"
                gathered.fault("files", text)
            seen[value] = place
