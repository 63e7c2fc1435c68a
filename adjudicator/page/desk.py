"""A player's desk: one seat in one game, from the first paste to the last order.

Taking in, joining, ordering and the safe, each a function from plain data to plain data, with bytes
in base64. It uses the same modules as the command line, over a folder in memory. What it must not
know: HTML, any game's rules or words; the page tells it the time.
"""

from __future__ import annotations

import base64
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from adjudicator.core import bundles as packing
from adjudicator.core import opening
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Source
from adjudicator.machine.demo import House
from adjudicator.mail import pasted
from adjudicator.mail import player as mails
from adjudicator.mail.mime import Mail
from adjudicator.mail.pasted import Paste
from adjudicator.page import shown
from adjudicator.page.shown import Seen
from adjudicator.player import finding, letters, safe, seated
from adjudicator.player.copy import others, rank
from adjudicator.player.safe import ENDING, Lock, SafeHead
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.player.table import KINDS, Table, TakenBundles, harmless, memory
from adjudicator.store.record import PrivateFolder, Record
from adjudicator.words import adviser, story
from games.game import Choice, Game, View
from orders import names
from orders.bundle import Bundle, decode, encode
from orders.documents import Join, Private
from orders.errors import Refused
from orders.fields import Time
from orders.keys import MemoryKey
from orders.public_key import read_public
from orders.secrets import draw_secret

NOTHING = "There is nothing from a game in this text. Paste the whole mail, or drop the file."
OWN = "This is what you sent yourself. What comes from the host is what counts."
EARLY = "Kept. Now open your seat, and it is taken in."
FOREIGN = "This belongs to another game, and was not taken in."
BEFORE = "This is another game's, or an entry before it is not here: take that in, and this again."
DAMAGED = "A block in it is damaged. Ask for the mail again, or take its attachment."

JOIN = "join.txt"
"""The file among its mails in which a seat keeps its join until the game begins."""


class PageClock:
    """The reader's clock, as the page tells it with each call."""

    time: Time = "2026-01-01T00:00:00Z"

    def now(self) -> Time:
        """The last time that the page told."""
        return self.time


class SafeDesk:
    """What the desks have in common: the page's clock, a folder in memory, and a seat that is kept
    in a safe. `changed`: the safe that was saved last lacks something."""

    def __init__(self) -> None:
        self.clock = PageClock()
        self._close()

    def _close(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="adjudicator-"))
        self.lock: Lock | None = None
        self.saved = 0
        self.changed = False

    def close(self) -> dict[str, Any]:
        """Forget the game, its key and all else."""
        shutil.rmtree(self.root)
        self._close()
        return self.state()

    def state(self, now: Time | None = None) -> dict[str, Any]:
        """The state of the game for this seat, whatever came; see `shown.state` and
        `duel_shown`."""
        self.clock.time = now or self.clock.time
        told = self._told()
        own = {"changed": self.changed, "saved": self.saved, "kept": self.lock is not None}
        own["bare"] = self.lock is not None and self.lock.bare
        return {"alone": False, **told, **own}

    def _told(self) -> dict[str, Any]:
        raise NotImplementedError

    # Orders.

    def _board(self) -> tuple[Game[Any, Any], View] | None:
        """What orders are planned on; None if none can be. Raises Refused."""
        raise NotImplementedError

    def plan(self, lines: Sequence[str], known: int = 0) -> dict[str, Any]:
        """What may be done after these lines: `acts`, the choices of the game; `complete` and
        `left` as in `games.game.After`; `planned`: the lines from `known` on as choices themselves.
        """
        board, given = self._board(), tuple(lines)
        if board is None:
            return {"acts": [], "planned": [], "complete": True, "left": ""}
        game, view = board
        planned = []
        for at in range(known, len(given)):
            found = game.after(view, given[:at]).choices
            # A line may have another spelling than the one that is offered.
            planned += [next((one for one in found if one.text == given[at]), Choice(given[at]))]
        after = game.after(view, given)
        return {
            "acts": [_act(one) for one in after.choices],
            "planned": [_act(one) for one in planned],
            "complete": after.complete,
            "left": after.left,
        }

    # The safe.

    @property
    def here(self) -> SafeHead | None:
        """The unencrypted part of the seat's last safe; None without a seat."""
        raise NotImplementedError

    def _places(self) -> Mapping[str, Source]:
        """The folders of the seat, by their names in a safe."""
        raise NotImplementedError

    def save(self) -> dict[str, Any]:
        """The seat with its key as a safe, one number higher than the last. `key`: what opens it on
        this device, in base64; `bare`: nothing else does, as it has no passphrase yet."""
        if self.lock is None or self.here is None:
            raise Refused("bad-safe", "there is nothing to save yet")
        head = self.here._replace(saved=self.saved + 1)
        data = safe.seal(head, self.lock, safe.gather(self._places()))
        self.saved, self.changed = head.saved, False
        return {
            "name": f"{head.name}-{head.player}{ENDING}",
            "data": base64_of(data),
            "id": _id(head),
            "saved": head.saved,
            "key": base64_of(self.lock.key),
            "bare": self.lock.bare,
        }

    def set_passphrase(self, passphrase: str) -> dict[str, Any]:
        """Seal the seat with another key, which that passphrase gives; the safe, as `save`. Raises
        Refused."""
        before, self.lock = self.lock, Lock.new(passphrase)
        try:
            return self.save()
        except Refused:
            self.lock = before
            raise

    def head(self, data: bytes) -> dict[str, Any]:
        """The unencrypted part of a safe; raises Refused."""
        head = safe.read_head(data)
        return {"name": head.name, "player": head.player, "saved": head.saved, "id": _id(head)}

    def open(
        self, now: Time, data: bytes, passphrase: str = "", newest: int = 0, key: str = ""
    ) -> dict[str, Any]:
        """Open a safe instead of the open game, by its passphrase or its key; raises Refused, and
        then nothing is changed.

        `newest`: how often the seat was saved, as the browser remembers it.
        """
        self.clock.time = now
        head = safe.read_head(data)
        for known in (head._replace(saved=newest), self.here or head):
            safe.check_newer(known, head)
        if key:
            lock = Lock.of_key(data, base64.b64decode(key))
            return self.lay_out(head, lock, safe.unseal(data, lock))
        return self.lay_out(head, *safe.open_with(data, passphrase))

    def lay_out(self, head: SafeHead, lock: Lock, held: Mapping[str, bytes]) -> dict[str, Any]:
        """Open the files of a safe instead of the open game; raises Refused as `open` does."""
        root = Path(tempfile.mkdtemp(prefix="adjudicator-"))
        places = safe.folders(head, root, held)
        try:
            safe.lay_out(places, held)
            opens = self._opening(head, places)
        except BaseException:
            shutil.rmtree(root)
            raise
        self.close()
        shutil.rmtree(self.root)
        self.root, self.lock, self.saved = root, lock, head.saved
        opens()
        return self.state()

    def _opening(
        self, head: SafeHead, places: Mapping[str, Record | PrivateFolder]
    ) -> Callable[[], object]:
        """What opens the seat in these folders, once nothing else is open; raises Refused for files
        that are none."""
        raise NotImplementedError


def _act(choice: Choice) -> dict[str, Any]:
    """A choice for the page; what its game does not say of it comes from its line."""
    word = choice.text.partition(" ")[0]
    return choice._replace(verb=choice.verb or word, says=choice.says or choice.text)._asdict()


def lock_of(passphrase: str) -> Lock:
    """The lock of a new seat: without a passphrase, a key that this device alone has."""
    return Lock.new(passphrase) if passphrase else Lock.drawn()


def _id(head: SafeHead) -> str:
    return f"{head.invite}/{head.player}"


class Desk(SafeDesk):
    """One player's table: at most one game, its copy, and the seat in it."""

    def _close(self) -> None:
        super()._close()
        self.table: Table | None = None
        self.house: House | None = None
        self.token: str | None = None
        self.seen: Seen | None = None

    # What is there.

    def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = {"stage": "none", "ids": [], "alone": self.house is not None}
        if self.table is not None:
            record = self.table.record
            told |= {"stage": "invited", **shown.offer(record), "token": self.token}
            told["ids"] = sorted(packing.ids_of(record))
        if self.table is not None and self.table.seat is not None:
            told |= {"stage": "joined", "player": self.table.seat.player, "amiss": []}
            try:
                if self.table.begun:
                    told |= shown.state(self.table, self.clock.time, self._seen())
            except Refused as error:
                # A seat that is not of this game after all: it can still be looked at and left.
                told["amiss"] = [error.message]
        return told

    def _table(self) -> Table:
        if self.table is None:
            raise Refused("missing", "no game is open here", "open your safe, or an invitation")
        return self.table

    def _own(self) -> Seated:
        return self._table().seated()

    def _seen(self) -> Seen:
        """What the seat saw; of entries that were here before it is known."""
        self.seen = Seen(self._own(), self.seen)
        return self.seen

    def _open(self, record: Record, seat: Seat | None, ledger: Ledger | None = None) -> Table:
        self.table = Table(record, seat, self.clock, ledger, keeps=True)
        return self.table

    def _anew(self) -> Table:
        """A new table: the old one remembers the seat's files from before the last orders."""
        old = self._table()
        return self._open(old.record, old.seat, old.ledger if old.begun else None)

    # In.

    def take(self, now: Time, data: bytes) -> dict[str, Any]:
        """Take in pasted or dropped data; returns `lines`, `warnings` and the new state; `heir`: in
        a join of somebody who would take this seat, their key's fingerprint, else "".

        Bundles may come in any order, twice, and mixed with those of others. Raises Refused if
        nothing in it can be read.
        """
        self.clock.time = now
        found = pasted.read(data)
        taken = TakenBundles(warnings=[DAMAGED] * bool(found.damaged))
        mine = sorted((one for one in found.bundles if one.kind in KINDS), key=rank)
        if self.table is None and mine:
            with harmless(mine[0].kind, taken):
                mine = self._begin(mine, taken)
        if mine:
            self._take(mine, found.mail, taken)
        heir = next((join.key for _, join in self._heirs(found)), "")
        if not (taken.lines or taken.warnings or heir):
            # A host's mail may hold only words.
            if found.bundles:
                early = self.table is None and any(one.kind == "join" for one in found.bundles)
                taken.warnings.append(EARLY if early else OWN)
            elif found.mail.by_host:
                taken.lines += ["The mail says:", *letters.printable(found.mail.text)]
            else:
                taken.warnings.append(NOTHING)
        told = {"lines": taken.lines, "heir": heir and read_public(heir).fingerprint}
        warnings = list(dict.fromkeys(shown.worded(one) for one in taken.warnings))
        return {**told, "warnings": warnings, **self.state()}

    def _heirs(self, found: Paste) -> Iterator[tuple[Bundle, Join]]:
        """The joins of those who would take this seat."""
        table = self.table
        if table is None or table.seat is None or not table.begun:
            return
        for bundle in found.bundles:
            with suppress(Refused):
                yield bundle, self._own().successor(bundle)

    def brings(self, data: bytes) -> dict[str, Any]:
        """What pasted or dropped data is about, without taking it in: the `kinds` of the bundles in
        it, the `ids` of their games, as in the state of a game, and whether one `begins` a game."""
        found = pasted.read(data).bundles
        ids = []
        for one in found:
            with suppress(Refused):
                ids.append(pasted.about(one))
        begins = any(one.kind == "invite" or one.files[0][0] == names.OFFER for one in found)
        return {"kinds": [one.kind for one in found], "ids": ids, "begins": begins}

    def _begin(self, mine: list[Bundle], taken: TakenBundles) -> list[Bundle]:
        """Open the game of an invitation; returns the other bundles. Raises Refused."""
        invite, *others = mine
        if invite.kind != "invite":
            taken.warnings.append(EARLY)
            return []
        self._open(finding.copy_of_invite(invite, self.root), None)
        self.token = packing.token_in(invite)
        taken.lines.append("an invitation")
        return others

    def _take(self, mine: list[Bundle], mail: Mail, taken: TakenBundles) -> None:
        table, before = self._anew(), self._files()
        table.take([(one.kind, one) for one in mine], taken)
        taken.warnings += [FOREIGN] * bool(taken.foreign) + [BEFORE] * bool(taken.left)
        for bundle in mine if table.player and table.begun else ():
            if whose := others(dict(bundle.files), table.player):
                told = f"This mail is {whose}\u2019s, not yours. It does no harm."
                taken.warnings.append(told)
        if not (taken.foreign or taken.left):
            mails.remember(table.record, mail)
        self.changed = self.changed or self._files() != before
        for kept in taken.letters:
            taken.lines += letters.in_words(table.ledger, table.seat, kept)
        for step in taken.steps if table.seat is not None else ():
            taken.lines += [f"[{step}] {line}" for line in story.told(self._own(), step)]

    def _files(self) -> tuple[int, ...]:
        """How many files the copy and the seat have; the content of a file never changes."""
        table = self._table()
        if table.seat is None:
            return ()
        return len(table.record.paths()), len(table.seat.files.paths())

    # Joining.

    def join(
        self,
        now: Time,
        name: str,
        passphrase: str = "",
        address: str = "",
        token: str = "",
        *,
        shown_mail: bool = False,
    ) -> dict[str, Any]:
        """Take a seat under that name, with a new key; returns the join to send, and the safe.
        Without a passphrase the safe is `bare`: see `save`."""
        self.clock.time = now
        lock = lock_of(passphrase)
        bundle = self._join(name, Private(address or None, token or None), shown_mail)
        self.lock = lock
        return {"send": self._ready(bundle, "a join"), "safe": self.save()}

    def _join(
        self, name: str, private: Private, shown_mail: bool, draw: Callable[[], bytes] = draw_secret
    ) -> Bundle:
        record = self._table().record
        offer = opening.read_offer(record)
        signer = MemoryKey.from_seed(draw())
        opening.check_player(offer, name, signer.public)
        if offer.invite.reserved and private.token is None:
            raise Refused("no-seat", "the seats are reserved", "your invitation holds a token")
        if private != Private():
            private.render()
        root = self.root / f"{name}.seat"
        if root.exists():
            raise Refused("exists", f"you have joined as {name}", "send that join again")
        seat = Seat.create(root, name, offer.digest, root / "key", draw())
        seat.keep_key(signer)
        bundle = seated.join(offer, seat, signer, private, mail="open" if shown_mail else None)
        memory(record).write(JOIN, encode(bundle))
        self._open(record, seat)
        return bundle

    # Orders.

    def _board(self) -> tuple[Game[Any, Any], View] | None:
        own = self._own()
        return None if self._table().lacking() else (own.opening.game, own.report().view)

    def check(self, text: str, protest: str | None = None) -> dict[str, Any]:
        """The lines of orders as they would be signed; raises Refused or OrderError."""
        return {"lines": list(self._own().read(text.encode(), protest).orders)}

    def hint(self) -> dict[str, Any]:
        """What the game's own bot would write from this seat's reports, and why: `Advice.plain`."""
        return adviser.advice(self._own()).plain()

    def order(self, now: Time, text: str, protest: str | None = None) -> dict[str, Any]:
        """Seal and sign orders; returns the bundle to send, and the safe to save.

        Against bots they are sent at once, and the answers are taken in.
        """
        self.clock.time = now
        own = self._own()
        signer = self._signer(own)
        file = own.read(text.encode(), protest)
        ordered = own.order(file, signer, now, protest)
        slip = ordered.slip
        self.changed = True
        told = {"lines": list(ordered.file.orders), "step": slip.step, "revision": slip.revision}
        if self.house is not None:
            return {"ordered": told, **self._taken(self.house.answer(ordered.bundle))}
        send = self._ready(ordered.bundle, f"sealed orders for step {slip.step}")
        return {"ordered": told, "send": send, "safe": self.save(), **self.state()}

    def again(self, now: Time) -> dict[str, Any]:
        """The last unsettled bundle, to send it once more; raises Refused."""
        self.clock.time = now
        table = self._table()
        if table.seat is not None and not table.begun:
            bundle = decode(memory(table.record).read(JOIN))
            return {"send": self._ready(bundle, "a join")}
        order = table.due()
        if order is None:
            raise Refused("missing", "nothing of yours waits for an answer")
        bundle = packing.pack("order", order.files())
        return {"send": self._ready(bundle, f"sealed orders for step {order.slip.step}")}

    # Messages.

    def say(self, now: Time, to: str, text: str, *, anonymous: bool = False) -> dict[str, Any]:
        """Sign and seal a message to a player, `all` or `host`; returns the bundle to send to the
        host, who passes it on, and the safe to save. Raises Refused."""
        self.clock.time = now
        own = self._own()
        message = letters.message(to, text, anonymous=anonymous)
        bundle = letters.write(own.ledger, own.seat, self._signer(own), message)
        self.changed = True
        return {"send": self._ready(bundle, "a letter"), "safe": self.save(), **self.state()}

    def consent(self, data: bytes) -> dict[str, Any]:
        """Agree that who has joined by pasted or dropped data takes this seat; returns the consent,
        for whoever hosts and not for the game's mailbox. Raises Refused."""
        own = self._own()
        join = next((bundle for bundle, _ in self._heirs(pasted.read(data))), None)
        if join is None:
            raise Refused("no-seat", "nobody asks for your seat in this")
        bundle = seated.consent(own.ledger, self._signer(own), join)
        return {"send": {"name": self._table().name(bundle), "text": encode(bundle).decode()}}

    @staticmethod
    def _signer(own: Seated) -> MemoryKey:
        signer = own.seat.signer()
        if signer is None:
            raise Refused("bad-key", "this safe holds no key, so nothing can be signed with it")
        return signer

    def _ready(self, bundle: Bundle, what: str) -> dict[str, Any]:
        """A bundle to send: as text, and as a mail if both addresses are known."""
        table = self._table()
        out = {"name": table.name(bundle), "text": encode(bundle).decode("ascii")}
        with suppress(Refused):
            ready = mails.wrap(table.record, bundle, what, table.seat, clock=self.clock)
            # A mail program opens a mail with this header as a draft.
            out |= {"mail": base64_of(b"X-Unsent: 1\r\n" + ready.data), "to": ready.to}
            out["subject"] = ready.subject
        return out

    def _taken(self, given: Iterable[Bundle]) -> dict[str, Any]:
        """Take in the answers of the host in the page; such a game has no mails."""
        lines: list[str] = []
        warnings: list[str] = []
        for received in self._anew().copy.receive(given):
            warnings += received.warnings
            if received.step is not None:
                lines += story.told(self._own(), received.step)
        return {"news": lines, "warnings": warnings, **self.state()}

    # The safe.

    @property
    def here(self) -> SafeHead | None:
        """See SafeDesk."""
        if self.table is None or self.table.seat is None:
            return None
        seat = self.table.seat
        return SafeHead(self.table.record.root.name, seat.player, seat.invite, self.saved)

    def _places(self) -> Mapping[str, Source]:
        head = self.here
        return {} if head is None else safe.folders(head, self.root)

    def _opening(
        self, head: SafeHead, places: Mapping[str, Record | PrivateFolder]
    ) -> Callable[[], object]:
        record, folder = Record(places["record"].root), places["seat"]
        seat = Seat.of(folder, folder.root)
        if (seat.player, seat.invite) != (head.player, head.invite):
            raise Refused("bad-safe", "the safe holds another seat than its unencrypted part names")
        opening.read_offer(record)
        return lambda: self._open(record, seat)


def base64_of(data: bytes) -> str:
    """Bytes as the page gets them."""
    return base64.b64encode(data).decode("ascii")
