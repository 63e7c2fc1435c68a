"""A desk for a duel: two people play, and nobody hosts. One player's side of it, from the offer to
the verdict, each call a function from plain data to plain data, with bytes in base64.

Its calls have the names of those of `desk` and `play`, and it tells its state in the same words
(`duel_shown`), so the page shows a turn of a duel as any other. What it must not know: HTML, any
game's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import games
from adjudicator.core.opening import in_match
from adjudicator.core.source import MemoryFiles, Source, read_or_none
from adjudicator.duel import again, documents
from adjudicator.duel import party as parties
from adjudicator.duel import row as rows
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party
from adjudicator.mail import pasted
from adjudicator.page import duel_shown, shown, whole
from adjudicator.page.desk import EARLY, SafeDesk, base64_of, lock_of
from adjudicator.page.whole import Whole
from adjudicator.player.duel import ME, DuelTable, Home
from adjudicator.player.safe import Lock, SafeHead
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.store.record import PrivateFolder, Record
from adjudicator.verifier.duel import verify
from adjudicator.words import adviser
from adjudicator.words.duel import Sides
from games.dice import Dice
from games.game import EVERYONE, Deductions, Game, View, Written
from games.options import MATCH
from orders import crypto, names
from orders.bundle import KINDS, Bundle
from orders.duel import of_bundle
from orders.errors import Refused
from orders.fields import Time, check_name, digest
from orders.keys import MemoryKey
from orders.secrets import DuelSecret, draw_secret

KEY = "key"
"""The file of a side's folder that holds its key, as in a safe of the command line."""


class Draft(NamedTuple):
    """A side that has not begun, as long as the orders of the setup are asked. `there`: the offer
    that it answers; None if it makes one. `signer`: the key, if it plays on with one."""

    game: Game[Any, Any]
    options: Mapping[str, Any]
    name: str
    lock: Lock
    there: Documents | None
    signer: MemoryKey | None = None

    @property
    def view(self) -> View:
        """What its player sees before the setup."""
        return parties.setup_view(self.game, self.options, self.name)


class DuelDesk(SafeDesk):
    """One player's side of one duel, if one is open."""

    def _close(self) -> None:
        self.offered: Documents | None = None
        self.draft: Draft | None = None
        self.table: DuelTable | None = None
        self.signer: MemoryKey | None = None
        self.sides: Sides | None = None
        self.dropped: list[Written] = []
        self.reply: tuple[int, bytes] | None = None
        super()._close()

    @property
    def is_open(self) -> bool:
        """Whether anything of a duel is open."""
        return any(one is not None for one in (self.offered, self.draft, self.table))

    def _own(self) -> DuelTable:
        if self.table is None:
            raise Refused("missing", "no duel is open here", "open your seat, or make an offer")
        return self.table

    @property
    def _party(self) -> Party:
        return self._own().party

    # Beginning.

    def offer(
        self, now: Time, game: str, name: str, passphrase: str = "", options: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Offer a duel under that name, with a new key; `options`: written as `name=value`.

        Where the game begins with orders, these are asked first. Raises Refused or OfferRefused.
        """
        self.clock.time = now
        rules = games.load(game)
        rows.check_game(rules)
        given = in_match(rules, rules.parse_options(options))
        return self._draft(Draft(rules, given, check_name(name), lock_of(passphrase), None))

    def second(self, now: Time) -> dict[str, Any]:
        """Offer the second game of the match whose first is open, under the same name, key and
        passphrase: so others see that the same two play both. Raises Refused."""
        self.clock.time = now
        party = self._party
        if not duel_shown.offers_second(party) or self.lock is None:
            raise Refused(
                "no-seat", "Who has accepted the first game of a match offers the second."
            )
        options = {**party.row.offer.options, MATCH.name: party.row.accepted}
        return self._draft(
            Draft(party.row.game, options, party.player, self.lock, None, self.signer)
        )

    def accept(self, now: Time, name: str, passphrase: str = "") -> dict[str, Any]:
        """Accept the offer that is open; raises Refused."""
        self.clock.time = now
        there = self.offered
        if there is None:
            raise Refused("missing", "no offer is open here", "open the one that came")
        offered = there.offered
        if name == offered.offer.player:
            raise Refused("no-seat", f"{name} is already the name of who offers: take another")
        for one in duel_shown.named(offered):
            if one != name:
                raise Refused("no-seat", f"This offer is for {one}: take that name.")
        lock = lock_of(passphrase)
        draft = Draft(offered.game, offered.offer.options, check_name(name), lock, there)
        return self._draft(draft)

    def _draft(self, draft: Draft) -> dict[str, Any]:
        choices = draft.game.legal(draft.view)
        self.close()
        self.draft = draft
        return self._begin(draft, Written(choices[0])) if len(choices) == 1 else self.state()

    def _begin(self, draft: Draft, first: Written) -> dict[str, Any]:
        """Begin that side with its orders of the setup; raises Malformed or Illegal for them."""
        signer = draft.signer or MemoryKey.from_seed(draw_secret())
        secret = DuelSecret(draw_secret())
        now = self.clock.time
        if draft.there is None:
            given = signer, secret, draft.options, first, now
            begun = parties.offer(draft.game, draft.name, *given)
        else:
            begun = parties.accept(draft.there, draft.name, signer, secret, first)
        self.close()
        root = self.root / draft.game.id
        home = Home.create(root, draft.name, root / KEY, secret)
        home.write(KEY, crypto.write_openssh(signer.seed))
        party = Party(begun, draft.name, secret)
        home.keep(party)
        self._open(home, signer, party)
        self.lock, self.changed = draft.lock, True
        return self.state()

    def _open(self, home: Home, signer: MemoryKey, party: Party) -> None:
        self.signer = signer
        self.table = DuelTable(home, self.clock, self.dropped.append, party)

    # What is there.

    def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = {"stage": "none"}
        if self.draft is not None:
            one = self.draft
            other = "your friend" if one.there is None else one.there.offered.offer.player
            told = duel_shown.setup(one.game, one.view, one.name, other)
        elif self.table is not None:
            self.changed, self.table.changed = self.changed or self.table.changed, False
            told = duel_shown.state(self._party, self._known(), self._reply(), self.clock.time)
        elif self.offered is not None:
            told = {"stage": "offer", **duel_shown.offer(self.offered.offered)}
        return {**told, "duel": True}

    def _reply(self) -> bytes | None:
        """What shows the other what they lack; it leaves in the place of the last block, until the
        duel goes on. Where orders are asked first, it leaves with them."""
        party, here = self._party, self._own().here
        if party.prompt is None and (block := party.reply()) is not None:
            self.reply = here, block
        return self.reply[1] if self.reply is not None and self.reply[0] == here else None

    def _story(self) -> Sides:
        """This player's own side as a story; what was worked out once is kept."""
        party = self._party
        if self.sides is None or self.sides.sides[party.player] is not party.side:
            self.sides = Sides(party.row, {}, {party.player: party.side})
        return self.sides

    def _known(self) -> Deductions | None:
        party = self._party
        if not party.can_begin or not party.side.heard:
            return None
        return self._story().known(party.side, len(party.side.heard))

    # In.

    def take(self, now: Time, data: bytes) -> dict[str, Any]:
        """Take in pasted or dropped data: an offer, what the other sent, or a file of this duel;
        then make what needs no decision.

        Returns the new state with `lines` and `warnings`; what is wrong changes nothing.
        """
        self.clock.time = now
        if data[:2] == b"PK":
            many = self._own().take_pack(Pack.of(data))
            self._go_on()
            came = f"{many} document{'s' * (many != 1)} of it had not come here."
            return {"lines": [*self._dropped(), came], "warnings": [], **self.state()}
        found = pasted.read(data)
        lines: list[str] = []
        refused: list[Refused] = []
        for one in sorted(found.bundles, key=_number):
            try:
                lines += self._take(one)
            except Refused as error:
                refused.append(error)
        # A reply often quotes what it answers.
        quoted = "unopenable" if len(refused) < len(found.bundles) else ""
        faults = [one for one in refused if one.word != quoted]
        warnings = [_DAMAGED] * bool(found.damaged) + self._dropped()
        warnings += [" ".join(filter(None, (one.message, one.hint))) for one in faults]
        if not (found.bundles or warnings):
            warnings.append(_NOTHING)
        return {"lines": lines, "warnings": warnings, **self.state()}

    def _dropped(self) -> list[str]:
        """Orders that never left, as the duel goes on by other moves, in words."""
        if not self.dropped:
            return []
        orders = "; ".join(one.orders.replace("\n", ", ") for one in self.dropped)
        self.dropped.clear()
        return [f"The duel goes on by other moves. These orders of yours did not leave: {orders}."]

    def _take(self, bundle: Bundle) -> list[str]:
        if bundle.kind != "duel":
            raise Refused(
                "other-game", f"This holds {KINDS[bundle.kind]} of a game with a host, not of this."
            )
        came, table = of_bundle(bundle), self.table
        if table is None and names.OFFER in came.files:
            self.offered = documents.read(MemoryFiles(came.files))
            return []
        if table is None:
            raise Refused("missing", EARLY)
        party, before = table.party, (table.here, table.party.asking)
        if names.OFFER in came.files:
            here = digest(came.files[names.OFFER]) == party.documents.id
            raise Refused("other-game", _OFFER_HERE if here else _OFFER_ELSEWHERE)
        try:
            with duel_shown.plainly(party, came):
                table.take_one(came)
        except Refused as error:
            if error.word == "not-yet" and came.sealed and party.other:
                # Only who was restored from an older backup lacks moves: those are asked for first.
                party.restore(self.clock.time)
                table.keep()
            raise
        self._go_on()
        if party.owes and party.prompt is not None:
            return [f"{party.other} lacks moves that are here: they leave with your orders."]
        if (table.here, party.asking) != before:
            return []
        rest = "what they may lack is ready to send" if party.owes else "nothing has changed"
        return [f"That was here already: {rest}."]

    def _go_on(self) -> None:
        """Make the move that is due, and the end where it is."""
        assert self.signer is not None  # noqa: S101 - a table has a key
        self._own().go_on(self.signer)

    # Orders.

    def _board(self) -> tuple[Game[Any, Any], View]:
        if self.draft is not None:
            return self.draft.game, self.draft.view
        party = self._party
        return party.row.game, party.side.view if party.can_begin else duel_shown.set_up(party)[0]

    def check(self, text: str, protest: str | None = None) -> dict[str, Any]:
        """The lines of orders that the duel takes; raises Refused or OrderError."""
        game, view = self._board()
        assert game.duel is not None  # noqa: S101 - a duel is played
        given = Written(text.strip("\n"))
        game.duel.read(view, again.kept(given, game.duel.room))
        return {"lines": [line.strip() for line in given.orders.splitlines() if line.strip()]}

    def hint(self) -> dict[str, Any]:
        """What the game's own bot would write from what this side heard: see `Desk.hint`."""
        if self.draft is None:
            return adviser.in_duel(self._party).plain()
        return adviser.first(*self._board(), Dice(bytes(32))).plain()

    def order(self, now: Time, text: str, protest: str | None = None) -> dict[str, Any]:
        """Give orders, and make the move that is due; raises Refused or OrderError."""
        self.clock.time = now
        given = Written(text.strip("\n"))
        if self.draft is not None:
            return self._begin(self.draft, given)
        table = self._own()
        if table.party.prompt is None:
            raise Refused("not-yet", f"{table.party.other} comes first")
        table.order(given)
        self._go_on()
        return {"news": [], "warnings": [], **self.state()}

    def end_duel(self, now: Time, *, gives_up: bool) -> dict[str, Any]:
        """End the duel: the other does not answer, or this player gives it up. Raises Refused where
        that is not so."""
        self.clock.time = now
        table = self._own()
        assert self.signer is not None  # noqa: S101 - a table has a key
        table.end(self.signer, gives_up=gives_up)
        table.keep()
        return {"lines": self._dropped(), **self.state()}

    def request(self, now: Time, *, opened: bool = False) -> dict[str, Any]:
        """Ask the other for moves that are not here, before anything else. `opened`: this side was
        opened from a file of which the page knows nothing, so it asks only where orders are due, or
        an accept, which an older file may lack."""
        self.clock.time = now
        table = self._own()
        if not opened or table.party.prompt is not None or table.party.row.accept is None:
            table.party.restore(now)
            table.keep()
        return self.state()

    def go_on(self, now: Time) -> dict[str, Any]:
        """Go on without an answer to that, on the player's word."""
        self.clock.time = now
        table = self._own()
        table.party.ask_no_more()
        table.keep()
        self._go_on()
        return self.state()

    # Looking.

    def log(self) -> list[dict[str, Any]]:
        """The story so far, a step each: step, title, news."""
        party = self._party
        return list(self._story().chapters(party.side)) if party.can_begin else []

    def boards(self) -> list[dict[str, Any]]:
        """What happened since this player's last orders, to be played; see `Play.boards`."""
        party = self._party
        return list(duel_shown.played(party, self._story())) if party.can_begin else []

    def deduced(self) -> dict[str, Any]:
        """What this side can work out; see `Play.deduced`."""
        found = (self._known() if self.table is not None else None) or Deductions()
        return {"may": shown.worked_out(found), "notes": list(found.notes)}

    def letters(self) -> list[str]:
        """A duel carries no messages."""
        return []

    def verdict(self) -> dict[str, Any]:
        """The verifier's findings about the duel."""
        party = self._party
        found = verify(MemoryFiles(party.documents.held(party.row.accepted)))
        return {**shown.findings(found, party.row.game.id), "words": duel_shown.GOOD}

    def _whole(self) -> Whole:
        party = self._party
        row = party.row
        secrets = party.documents.opened(row.accepted) if row.begun else {}
        sides = Sides(row, secrets)
        states = list(again.states(row, secrets))
        if not states:
            raise Refused("no-board", "not both have opened")
        return whole.of_duel(row, sides, states)

    def end(self) -> dict[str, Any]:
        """The duel with nothing hidden, as `Play.end`; raises Refused as long as not both have
        opened."""
        return self._whole().end()

    def moment(self, step: int) -> dict[str, Any]:
        """A step as it was, as `Play.moment`; raises Refused as `end` does."""
        return self._whole().moment(step)

    def loud(self) -> list[dict[str, Any]]:
        """The steps in which most was heard, as `Play.loud`."""
        side = self._party.side
        told = []
        for heard in side.heard:
            view = View(side.setup, None, side.game.public(heard.view))
            public = [one for one in heard.events if one["for"] == EVERYONE]
            told.append((heard.step, side.game.told(view, public)))
        return shown.loud(told)

    def packed(self) -> dict[str, Any]:
        """The duel as one file, for anybody who wants to watch or verify it."""
        party = self._party
        name = f"{party.row.game.id}-{party.player}.zip"
        held = party.documents.held(party.row.accepted)
        return {"name": name, "data": base64_of(pack.write(held))}

    # The safe.

    @property
    def here(self) -> SafeHead | None:
        """See SafeDesk."""
        if self.table is None:
            return None
        row = self.table.party.row
        return SafeHead(row.game.id, self.table.party.player, row.id, self.saved)

    def _places(self) -> Mapping[str, Source]:
        return {"duel": self._own().home}

    def _opening(
        self, head: SafeHead, places: Mapping[str, Record | PrivateFolder]
    ) -> Callable[[], object]:
        folder = places["duel"]
        home = Home.of(folder.root, read_or_none(folder, ME) or b"")
        try:
            key = crypto.load_openssh(read_or_none(folder, KEY) or b"", None)
            signer = MemoryKey.from_seed(key)
        except (ValueError, NotImplementedError):
            raise Refused("bad-key", "the key in this safe is damaged") from None
        party = home.party()

        def opens() -> None:
            self._open(home, signer, party)
            self._go_on()
            self._own().changed = False

        return opens


def _number(bundle: Bundle) -> int:
    """The last move in a block, so that several are taken in in their order."""
    try:
        return of_bundle(bundle).number
    except Refused:
        return 0


_OFFER_HERE = "This is the offer of this duel: whoever accepts it needs it, not you."
_OFFER_ELSEWHERE = "This is the offer of another duel: leave this one first, then open it again."
_DAMAGED = "A part of this is missing or was changed on its way: copy the whole text, or the link."
_NOTHING = "There is nothing from a duel in this text. Paste the whole of it, or drop the file."
