"""Makes a host's record and folder whole again from files that lie elsewhere.

Copies of the record, players' seats, mails and clones hold all of a game between them. `restore`
takes files from anywhere, and believes none: an entry
must follow with the host's signature, everything that an entry names must have the digest named,
and what only the master can make (reports, states) is made again and compared. So it does not
matter where a file was found or what it was called, only which bytes it has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.core import bundles, letters
from adjudicator.core.engine import UnlockedGame, unlock
from adjudicator.core.intake import Order
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer, read_opening
from adjudicator.core.replay import Replay, difference, sealed
from adjudicator.core.source import Overlay, append, read_or_none, signed
from adjudicator.host.begin import check_host
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Receipt, read_invite, read_join, read_receipt, read_slip
from orders.entries import Entry, Genesis, Reveal, read_entry
from orders.errors import Missing, Refused
from orders.fields import Digest, digest
from orders.keys import Signer
from orders.public_key import PublicKey, read_public
from orders.sshsig import Signed

_MOST = 256
"""Of files with one name so many are looked at: a player may write many revisions."""


class Pool:
    """Files from anywhere, found again by their digest; a signature belongs to any file beside
    which it lay. Bundles are kept by what they are about: a mailbox may hold those of a thousand
    games, and files of one name in each. `wanted`: what they must be about, if that is known."""

    def __init__(self, wanted: Container[Digest] | None = None) -> None:
        self.wanted = wanted
        self.bundles: dict[Digest, list[Bundle]] = {}
        self.files: dict[Digest, bytes] = {}
        self.paths: dict[Digest, set[str]] = {}
        self.beside: dict[str, set[bytes]] = {}
        self.letters: list[Bundle] = []

    def add(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Take in files, under their names in a record or a bundle."""
        for path, data in files:
            beside = self.beside.setdefault(path, set())
            if len(beside) < _MOST:
                beside.add(data)
                self.files[digest(data)] = data
                self.paths.setdefault(digest(data), set()).add(path)

    def add_bundle(self, bundle: Bundle) -> None:
        """Take in a bundle; one that belongs to no game, or to none that is wanted, is left."""
        with contextlib.suppress(Refused):
            about = bundles.about(bundle)
            if self.wanted is None or about in self.wanted:
                self.bundles.setdefault(about, []).append(bundle)

    def invites(self) -> list[bytes]:
        """Every game's invite, sorted."""
        sent = (one for held in self.bundles.values() for one in held if one.kind == "invite")
        found = {data for one in sent for path, data in one.files if path == names.INVITE}
        return sorted(found | self.beside.get(names.INVITE, set()))

    def of_game(self, ids: Iterable[Digest]) -> Pool:
        """The files of one game: what bundles about these hold, and all that came loose."""
        made = Pool()
        made.files = dict(self.files)
        made.paths = {name: set(paths) for name, paths in self.paths.items()}
        made.beside = {path: set(held) for path, held in self.beside.items()}
        for bundle in [one for name in sorted(ids) for one in self.bundles.get(name, ())]:
            made.add(bundle.files)
            made.letters += [bundle] if bundle.kind == "letter" else []
        return made

    def named(self, folder: str) -> Iterator[bytes]:
        """The documents that lay in that folder of a record or a bundle, sorted by name; each once,
        as a seat and a bundle have two names for one receipt."""
        found: dict[bytes, None] = {}
        for path in sorted(self.beside):
            if path.startswith(folder) and path.endswith(".toml"):
                found |= dict.fromkeys(sorted(self.beside[path]))
        yield from found

    def signed(self, data: bytes, key: PublicKey, use: str) -> Signed | None:
        """That file with its signature by that key; None if none is here."""
        for path in sorted(self.paths.get(digest(data), ())):
            for signature in sorted(self.beside.get(names.signature(path), ())):
                with contextlib.suppress(Refused):
                    file = Signed(data, signature)
                    file.verify(key, use)
                    return file
        return None


@dataclass
class Restoration:
    """What `restore` did: what it brought back, and what is still missing, a line each; and the
    receipts of orders that were taken in only now, which nobody has."""

    lines: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    receipts: list[Signed] = field(default_factory=list)


class Told(NamedTuple):
    """What others may have from a machine: its last entry, and the slips of the orders that it
    accepted (None: of all)."""

    entry: int
    slips: Container[Digest] | None = None


def restore(
    record: Record, signer: Signer, clock: Clock, pool: Pool, told: Told | None = None
) -> Restoration:
    """Bring back all of a game that the pool holds and the record or the host's folder lacks:
    entries, sealed orders, reports, accepted orders with their receipts, notices.

    `told`: an entry after that gives way to another of its number; with None none does. It may be
    called again with more files. Raises Refused, `fork` if the host has signed two histories.
    """
    done = Restoration()
    known = pool.of_game(bundles.ids_of(record))
    if told is not None and (second := give_way(record, known, told)) is not None:
        done.lines.append(f"entry {second} of this machine is taken back: nobody was told of it")
    folder = HostFolder(record.host)
    with record.locked():
        check_host(read_offer(record), signer)
        if read_or_none(record, names.entry(0)) is None:
            _bring_genesis(record, pool.of_game(bundles.ids_of(record)), done)
        pool = pool.of_game(bundles.ids_of(record))
        ledger = _bring_entries(record, pool, done)
        game = unlock(ledger.opening, folder.master())
        whole = _bring_orders(ledger, record, pool, done)
        state = _make_again(ledger, game, record, done) if whole else None
        folder.settle(ledger.mark, state)
    if whole:
        host = Host(record, signer, clock)
        _bring_receipts(host, pool, done)
        _bring_waiting(host, pool, done)
        for bundle in pool.letters:
            with contextlib.suppress(Refused):
                if Letters(host).open(letters.own(bundle)[0]).to is None:
                    Letters(host).take(bundle)
        try:
            with host.locked():
                pass
        except Refused as error:
            done.missing.append(error.message)
    return done


def give_way(record: Record, pool: Pool, told: Told) -> int | None:
    """Take back what nobody was told of, from the first entry on in whose place one other of the
    host's follows what is before it; its number, None if there is none. Raises Refused."""
    if read_or_none(record, names.entry(0)) is None:
        return None
    game, offer = read_opening(record).id, read_offer(record)
    for step in range(told.entry + 1, (record.last_step() or 0) + 1):
        path, others = names.entry(step), 0
        before = digest(record.read(names.entry(step - 1))) if step else offer.digest
        for data in {*_of_game(pool.named(path), game, offer.digest)} - {record.read(path)}:
            entry = read_entry(data)
            follows = (entry.invite if isinstance(entry, Genesis) else entry.prev) == before
            others += follows and pool.signed(data, offer.host, sshsig.ENTRY) is not None
        if others:
            if others > 1:
                return None
            take_back(record, step, told.slips)
            return step
    return None


def take_back(record: Record, first: int, told: Container[Digest] | None = None) -> list[int]:
    """Take the entries from `first` on out of a record, of which nobody was told; the orders that
    they used wait again, and the press that they named. Returns their numbers.

    `told`: see `Told.slips`; orders that were accepted for these entries, of which nobody was told
    either, are forgotten: what stands in their place may not use them.

    A crash between any two writes leaves a record that holds, and the rest is done the next time.
    The caller puts in their place what the host signed before them. Raises Refused.
    """
    folder = HostFolder(record.host)
    with record.locked():
        last = record.last_step()
        steps = list(range(first, -1 if last is None else last + 1))
        for step in steps:
            entry = read_entry(record.read(names.entry(step)))
            folder.note_press(entry.press, back=True)
            for player in entry.slips:
                file = signed(record, names.slip(step, player))
                receipt = folder.receipt(file.digest)
                sealed_file = read_or_none(record, names.sealed_order(step, player))
                if receipt is not None and sealed_file is not None:
                    folder.accept(Order(read_slip(file.data), file, sealed_file), receipt)
        if told is not None:
            for one in folder.receipts():
                if one.status == "accepted" and one.entry >= first - 1 and one.slip not in told:
                    folder.drop(one.slip)
        players = read_opening(record).players if steps else ()
        # What is left is verified anew.
        for name in ("mark", "state.json"):
            folder.remove(name)
        for step in reversed(steps):
            if isinstance(read_entry(record.read(names.entry(step))), Reveal):
                for before in range(step):
                    for player in players:
                        files.remove(record.root / names.opened_order(before, player))
            files.remove(record.root / names.entry(step))
            record.clear_step(step, players)
        if first == 0:
            record.clear_joins(())
    return steps


def bring_invite(record: Record, pool: Pool) -> None:
    """Bring back the invite that commits to this host's master; raises Refused if there is
    none."""
    master = HostFolder(record.host).master()
    if read_or_none(record, names.INVITE) is not None:
        return
    for data in pool.invites():
        with contextlib.suppress(Refused):
            invite = read_invite(data)
            if invite.master != master.commitment:
                continue
            own = pool.of_game([digest(data)])
            file = own.signed(data, read_public(invite.host), sshsig.INVITE)
            table = None if invite.table is None else own.files.get(invite.table)
            if file is not None and (invite.table is None) == (table is None):
                append(record, names.INVITE, file, {} if table is None else {names.TABLE: table})
                return
    raise Refused(
        "missing",
        f"{str(record.root)!a} has no invite, and there is none of this host elsewhere",
        "name a copy of the record too",
    )


def _bring_genesis(record: Record, pool: Pool, done: Restoration) -> None:
    host = read_offer(record).host
    for data in pool.named(names.entry(0)):
        file = pool.signed(data, host, sshsig.ENTRY)
        with contextlib.suppress(Refused):
            if file is None:
                continue
            held = _named(read_entry(data), pool, {}, host)
            Ledger.begin(Overlay(record, {**held, **file.files(names.entry(0))}))
            append(record, names.entry(0), file, held)
            done.lines.append("entry 0")
            return
    raise Refused("missing", "the first entry is nowhere here", "name a copy of the record too")


def _named(
    entry: Genesis | Entry | Reveal, pool: Pool, keys: Mapping[str, PublicKey], host: PublicKey
) -> dict[str, bytes]:
    """As many of the files that an entry names as are here, each with the right digest."""
    held: dict[str, bytes] = {}

    def put(path: str, wanted: Digest, key: PublicKey | None, use: str) -> None:
        data = pool.files.get(wanted)
        if data is None:
            return
        with contextlib.suppress(Refused):
            by = read_public(read_join(data).key) if key is None else key
            file = pool.signed(data, by, use)
            held.update({} if file is None else file.files(path))

    for player, wanted in entry.joins.items() if isinstance(entry, Genesis) else ():
        put(names.join(player), wanted, None, sshsig.JOIN)
    for player, used in entry.slips.items():
        if player in keys:
            put(names.slip(entry.step, player), used.digest, keys[player], sshsig.SLIP)
    change = None if entry.ruling is None else entry.ruling.seat
    if change is not None:
        put(names.seat(entry.step, change.player), change.join, None, sshsig.JOIN)
        if change.consent is not None and change.player in keys:
            path = names.consent(entry.step, change.player)
            put(path, change.consent, keys[change.player], sshsig.CONSENT)
    return held


def _bring_entries(record: Record, pool: Pool, done: Restoration) -> Ledger:
    """Every entry that follows, as far as all that it names is here."""
    ledger = Ledger.begin(record)
    while True:
        step, here = ledger.last.step + 1, read_or_none(record, names.entry(ledger.last.step + 1))
        keys = {player: read_public(join.key) for player, join in ledger.last.joins.items()}
        host = ledger.opening.offer.host
        here_too = _of_game(pool.named(names.entry(step)), ledger.opening.id)
        found = [data for data in here_too if data != here]
        files = [pool.signed(data, host, sshsig.ENTRY) for data in found]
        others = [file for file in files if file is not None]
        if here is not None:
            mine = Signed(here, record.read(names.signature(names.entry(step))))
            others = [mine, *others]
        if not others:
            break
        if len(others) > 1:
            raise Refused(
                "fork",
                f"you have signed two entries {step}: {others[0].digest} and {others[1].digest}",
                "tell the players: they will find out; keep both histories",
            )
        file = others[0]
        if here is None:
            # Otherwise what an earlier try left, perhaps by half, would stand for what is named.
            record.clear_step(step, ledger.opening.players)
        held = _named(read_entry(file.data), pool, keys, host)
        held = {path: data for path, data in held.items() if read_or_none(record, path) is None}
        try:
            after = ledger.extend({**held, **file.files(names.entry(step))})
        except Missing as error:
            done.missing.append(f"entry {step} is here, but {error.path}, which it names, is not")
            break
        if here is None or held:
            if here is None:
                done.lines.append(f"entry {step}")
                # Before the entry: a machine that ends between could not open the game.
                for player, slip in after.last.adjudicated.items():
                    if slip.sealed in pool.files:
                        held[names.sealed_order(step, player)] = pool.files[slip.sealed]
                        done.lines.append(f"orders of {player} in entry {step}")
            append(record, names.entry(step), file, held)
        ledger = after
    known = _of_game(pool.named("entries/"), ledger.opening.id)
    last = max((read_entry(data).step for data in known), default=0)
    if last > ledger.last.step and not done.missing:
        done.missing.append(f"entry {ledger.last.step + 1}: entry {last} is here, this one is not")
    return Ledger.read(record)


def _of_game(found: Iterable[bytes], *ids: Digest) -> Iterator[bytes]:
    """The entries that are about one of these, a game or an invite; one mailbox keeps those of all
    games of a host, under one key."""
    for data in found:
        with contextlib.suppress(Refused):
            if bundles.about_entry(data) in ids:
                yield data


def _bring_orders(ledger: Ledger, record: Record, pool: Pool, done: Restoration) -> bool:
    """The sealed orders that entries use; returns whether all are there now."""
    whole = True
    for link in ledger.links():
        for player, slip in link.adjudicated.items():
            path = names.sealed_order(link.step, player)
            if read_or_none(record, path) is not None:
                continue
            data = pool.files.get(slip.sealed)
            if data is None:
                whole = False
                done.missing.append(
                    f"the sealed orders of {player} in entry {link.step}: "
                    f"orders/{slip.step:04d}-{slip.revision}.txt in their seat, or their mail"
                )
                continue
            record.write(path, data)
            done.lines.append(f"orders of {player} in entry {link.step}")
    return whole


def _make_again(
    ledger: Ledger, game: UnlockedGame, record: Record, done: Restoration
) -> bytes | None:
    """Adjudicate the whole record again, and make the reports and opened orders that are not
    there; returns the last state's file. Raises Refused if the record is not what the rules give.
    """
    files_of = sealed(game, record)
    again = Replay(game, ledger.link(0), files_of)
    state = None
    for link in ledger.links()[1:]:
        if isinstance(link.entry, Reveal):
            break
        try:
            made = again.play(link)
        except Refused as error:
            # A later ruling may annul it; if none does, the host's next act says the same.
            done.lines.append(f"entry {link.step} cannot be made again: {error.message}")
            continue
        fault = difference(link, made)
        if fault is not None:
            raise fault
        state = made.state_file
        for player, data in made.sealed.items():
            path = names.report(link.step, player)
            if read_or_none(record, path) is None:
                record.write(path, data)
    for link in ledger.links() if ledger.revealed else ():
        for player, slip in link.adjudicated.items():
            path = names.opened_order(link.step, player)
            if read_or_none(record, path) is None:
                record.write(path, files_of(link, slip))
    return state


def _receipts(host: Host, pool: Pool) -> Iterator[tuple[Receipt, Signed]]:
    """The receipts of this game that its host signed."""
    for data in pool.named("receipts/"):
        with contextlib.suppress(Refused):
            one = read_receipt(data)
            file = pool.signed(data, host.opening.offer.host, sshsig.RECEIPT)
            if file is not None and one.game == host.opening.id:
                yield one, file


def _bring_receipts(host: Host, pool: Pool, done: Restoration) -> None:
    """Receipts of orders that no longer wait: another one for the same slip would be a second word.
    What was absent may still come."""
    many = 0
    for one, file in _receipts(host, pool):
        waits = not host.last.over and one.step > host.last.since and one.status == "accepted"
        if not waits and one.status != "absent" and host.folder.receipt(one.slip) is None:
            with host.record.locked():
                host.folder.keep_receipt(one.slip, file)
            many += 1
    if many:
        done.lines.append(f"{many} receipt{'s' * (many > 1)} of orders that no longer wait")


def _bring_waiting(host: Host, pool: Pool, done: Restoration) -> None:
    """Orders for the coming step: with the receipts that were given for them, else as new ones."""
    if host.last.over:
        return
    step = host.last.since + 1
    keys = {player: read_public(join.key) for player, join in host.last.joins.items()}
    found: dict[Digest, Order] = {}
    for data in pool.named("slips/"):
        with contextlib.suppress(Refused):
            slip = read_slip(data)
            if (slip.game, slip.step) == (host.opening.id, step) and slip.player in keys:
                file = pool.signed(data, keys[slip.player], sshsig.SLIP)
                if file is not None:
                    found[file.digest] = Order(slip, file, pool.files.get(slip.sealed))
    for one, file in _receipts(host, pool):
        if (one.step, one.status) == (step, "accepted"):
            order = found.pop(one.slip, None)
            if order is None or order.sealed is None:
                what = "sealed orders" if order is not None else "orders"
                done.missing.append(
                    f"the {what} of {one.player} for step {step} that you accepted: "
                    f"orders/{step:04d}-{one.revision}.txt in their seat, or their mail"
                )
                # If they come after all, they were accepted: a second word would be another.
                if host.folder.receipt(one.slip) is None:
                    with host.record.locked():
                        host.folder.keep_receipt(one.slip, file)
            elif not host.folder.waits(one.slip):
                with host.record.locked():
                    host.folder.accept(order, file)
                done.lines.append(f"orders of {one.player} for step {step}, with their receipt")
    for order in sorted(found.values(), key=lambda one: one.place):
        known = host.folder.waiting().get(order.slip.player)
        if known is None or known.order.place < order.place:
            with contextlib.suppress(Refused):
                signed = host.submit(bundles.pack("order", order.files()))
                answer = read_receipt(signed.data)
                done.receipts.append(signed)
                done.lines.append(f"orders of {answer.player} for step {step}: {answer.status}")
