"""Bundles: of an invite, of genesis, of an entry with the files that it names, and of a receipt.

What belongs here: which files travel to whom, which game a bundle is about, and what the file is
called in which it travels. A player gets an entry, the slips that it uses, and their own report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from adjudicator.core.source import Source, read_or_none, signed
from orders import names
from orders.bundle import KINDS, LARGEST, MOST_FILES, Bundle
from orders.documents import read_consent, read_join, read_receipt, read_slip
from orders.entries import AnyEntry, Genesis, Reveal, read_entry
from orders.errors import Refused
from orders.fields import Digest, digest
from orders.letter import read_letter
from orders.sshsig import Signed


def pack(kind: str, files: Mapping[str, bytes]) -> Bundle:
    """A bundle of these files, in the order of their paths."""
    return Bundle(kind, tuple(sorted(files.items())))


def of_invite(source: Source, token: str | None = None) -> Bundle:
    """The invite, with its house table where there is one; with a `token`, for one person only."""
    held = signed(source, names.INVITE).files(names.INVITE)
    table = read_or_none(source, names.TABLE)
    if table is not None:
        held[names.TABLE] = table
    if token is not None:
        held[names.TOKEN] = f"{token}\n".encode("ascii")
    return pack("invite", held)


def token_in(bundle: Bundle) -> str | None:
    """The token of a seat that an invite's bundle brings; None if it brings none."""
    held = dict(bundle.files).get(names.TOKEN)
    return None if held is None else held.decode("ascii", "replace").strip()


def named(source: Source, entry: AnyEntry) -> dict[str, bytes]:
    """The files that an entry names and that everybody gets: joins, slips, the join that takes over
    a seat, the consent to it."""
    held: dict[str, bytes] = {}
    joins = entry.joins if isinstance(entry, Genesis) else {}
    paths = [names.join(player) for player in joins]
    paths += [names.slip(entry.step, player) for player in entry.slips]
    seat = None if entry.ruling is None else entry.ruling.seat
    if seat is not None:
        paths.append(names.seat(entry.step, seat.player))
        paths += [names.consent(entry.step, seat.player)] if seat.agreed else []
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


def of_host(source: Source, step: int) -> Bundle:
    """An entry as its host keeps a copy elsewhere: with the sealed orders, but without reports,
    which are made again from them."""
    file = signed(source, names.entry(step))
    held = file.files(names.entry(step))
    entry = read_entry(file.data)
    if not isinstance(entry, Reveal):
        held |= named(source, entry)
        for player in entry.slips:
            path = names.sealed_order(step, player)
            sealed = read_or_none(source, path)
            held |= {} if sealed is None else {path: sealed}
    return pack("entry", held)


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


def about(bundle: Bundle) -> Digest:
    """The id of the game; for an invite, a join and genesis the digest of the invite.

    The signature is not checked. Raises Refused if the document is missing or cannot be read.
    """
    _, data = document(bundle)
    return _ABOUT[bundle.kind](data)


def ids_of(source: Source) -> set[Digest]:
    """What the bundles of a game can be about: its invite, and its genesis once that is here."""
    held = (read_or_none(source, path) for path in (names.INVITE, names.entry(0)))
    return {digest(data) for data in held if data is not None}


def about_entry(data: bytes) -> Digest:
    """What an entry is about: genesis the invite, any other the game. Raises Refused."""
    entry = read_entry(data)
    return entry.invite if isinstance(entry, Genesis) else entry.game


_ABOUT: dict[str, Callable[[bytes], Digest]] = {
    "invite": digest,
    "join": lambda data: read_join(data).invite,
    "order": lambda data: read_slip(data).game,
    "entry": about_entry,
    "receipt": lambda data: read_receipt(data).game,
    "letter": lambda data: read_letter(data).game,
    "consent": lambda data: read_consent(data).game,
}
_FOLDERS = {
    "invite": "invite", "join": "joins/", "order": "slips/", "entry": "entries/",
    "receipt": "receipts/", "letter": "letters/", "consent": "consents/",
}  # fmt: skip


def document(bundle: Bundle) -> tuple[str, bytes]:
    """The signed document that a bundle is about, and its path; raises Refused."""
    folder = _FOLDERS.get(bundle.kind, "/")
    for path, data in bundle.files:
        if path.startswith(folder) and path.endswith(".toml"):
            return path, data
    raise Refused("bad-bundle", f"this block should hold {KINDS[bundle.kind]}, and does not")


def name(game: str, bundle: Bundle) -> str:
    """What the file is called in which a bundle of the game of that name travels, without ending.

    `friday-invite`, `friday-alice-join` (and `-consent`), `friday-alice-0001-1` for orders, with
    `-receipt` for their receipt, `friday-0001-alice` for an entry with that player's report,
    `friday-0001` for everybody's, `friday-alice-letter-0001`. Raises Refused.
    """
    path, data = document(bundle)
    of = path.rpartition("/")[2].removesuffix(".toml")
    if bundle.kind in ("join", "consent"):
        return f"{game}-{of}-{bundle.kind}"
    if bundle.kind == "order":
        slip = read_slip(data)
        return f"{game}-{slip.player}-{slip.step:04d}-{slip.revision}"
    if bundle.kind == "receipt":
        step, _, rest = of.partition("-")
        player, _, revision = rest.rpartition("-")
        return f"{game}-{player}-{step}-{revision}-receipt"
    if bundle.kind == "letter":
        player, _, number = of.rpartition("-")
        return f"{game}-{player}-letter-{number}"
    report = next((other for other, _ in bundle.files if other.startswith("reports/")), None)
    return f"{game}-{of if report is None else report[len('reports/') : -len('.sealed')]}"


def read_one(kind: str, bundle: Bundle) -> tuple[str, Signed]:
    """The one file in a bundle of that kind, and its name; raises Refused.

    Its signature is there, and not yet verified.
    """
    held = dict(bundle.files)
    path, *others = held
    if bundle.kind != kind or others != [names.signature(path)]:
        came = f"{KINDS[bundle.kind]} in {len(held)} file{'s' * (len(held) != 1)}"
        due = f"expected {KINDS[kind]} and its signature"
        raise Refused("bad-bundle", f"this block holds {came}: {due}")
    return path, Signed(held[path], held[names.signature(path)])
