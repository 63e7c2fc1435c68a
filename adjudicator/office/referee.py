"""A referee: the games of a mailbox begin, are watched and get substitutes by the words of mails.

The office serves the games. It does what the referee knows for each word that nobody signed, and in
each turn what is due beside the games; of the office the referee sees only what is `Served`.

Nobody can prove by a From line who writes. So a word that does anything is done only for who
answers a mail of ours, or says `yes` to the one that asks whether it is theirs. So whoever forges
senders makes this mailbox write to them once in a while, and to nobody else, and nothing is kept of
it. Who is proven may have a few others invited, each of them once a day.

What is kept beside the games is in the register. A game is called by the act that began it, and
each mail that is sent has a key, so all of it can be done again after a crash and has no second
effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import games
from adjudicator.core import bundles, deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.core.link import MOST_RULINGS
from adjudicator.core.opening import in_match
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.install import Pin
from adjudicator.mail.logins import fault_of
from adjudicator.mail.mime import check_address
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office import mine, organisers, published, replies, seats, watchers
from adjudicator.office.copies import Copy, is_genuine
from adjudicator.office.game import HostMail
from adjudicator.office.house import House, after_holiday
from adjudicator.office.outbox import Outbox
from adjudicator.office.register import BegunGame, Register
from adjudicator.office.replies import Reply
from adjudicator.office.served import Asked, Served
from adjudicator.office.words import WORDS, Request, Whose
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from adjudicator.words import story
from games.game import Game
from games.options import MATCH, is_match, plain_name, seconds, suggest
from orders import names, sshsig
from orders.documents import read_invite
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest
from orders.keys import Signer
from orders.secrets import LettersSecret, Master, RefereeSecret, draw_secret
from orders.sshsig import Signed

PACKS = "packs"
"""The folder of games that are over, each in one file."""

UNBEGUN = 30 * DAY
"""Seconds after which an offer to which not all came is withdrawn."""
KNOWN_A_DAY = 5
"""Invitations in a day to somebody who plays here; to anybody else it is one."""
INVITED_A_DAY = 30
"""Invitations that one writer's games bring to others in a day."""
MOST_STANDBY = 200
MOST_LISTED = 60
"""Rows of each kind in a list of games."""


_HOLIDAYS = "no deadline falls into the holidays of this house"


class Offer(NamedTuple):
    """A game that somebody wants to begin: the game, its options as they are written, how many
    play, and who else is invited."""

    game: Game[Any, Any]
    options: Mapping[str, object]
    seats: int
    others: tuple[str, ...]


class Referee:
    """The house rules, the folder with the games, and what a new game needs.

    `desk` opens the desk of a record. `page`: the link to the page for players, "" for none.
    """

    def __init__(
        self,
        folder: Path,
        house: House,
        desk: Callable[[Record], HostMail],
        signer: Signer,
        key_path: Path,
        address: str,
        clock: Clock,
        page: str = "",
        pin: Pin | None = None,
    ) -> None:
        self.folder, self.house, self.desk = folder, house, desk
        self.signer, self.key_path, self.address = signer, key_path, address
        self.clock, self.page, self.pin = clock, page, pin

    # Notes.

    @staticmethod
    def secret(outbox: Outbox) -> bytes:
        """The key of the Message-IDs of mails that are of no one game."""
        found = outbox.noted("referee/secret")
        if not found:
            found = draw_secret().hex()
            outbox.keep_note("referee/secret", found)
        return bytes.fromhex(found)

    def adopt(self, game: HostMail, served: Served) -> None:
        """Withdraw an offer that was left, or to which not all came for long."""
        note = served.register.begun(game.record.root.name)
        if note is not None:
            age = deadlines.between(game.offer.invite.date, self.clock.now())
            late = age > UNBEGUN and game.record.last_step() is None
            game.closed = note.closed or "the offer is withdrawn: not all came" * late

    # What mails ask.

    def act(
        self, request: Request, asked: Asked, served: Served
    ) -> Callable[[], list[Reply | Outgoing]]:
        """What a word does, and its answers, once it is checked; raises Refused or OfferRefused."""
        word, rest = request.word, request.rest
        if word in ("new", "seek"):
            offer = self._read_offer(word, rest)
            return lambda: self._offer(offer, word, asked, served)
        if word == "standby":
            kind = _kind(rest[0] if len(rest) == 1 else "").id
            return lambda: self._stand_by(kind, asked, served)
        if word == "leave" and (not rest or rest[0].lower() in games.installed()):
            left = rest[0].lower() if rest else None
            return lambda: self._leave(left, asked, served)
        if word == "weekly":
            return lambda: self._weekly(asked, served, wanted=not rest)
        if word == "games":
            return lambda: [self.listed(served)]
        if word == "standings":
            return lambda: [self._standings(served)]
        if word == "why":
            return lambda: organisers.why(served)
        if word == "join":
            open_game = self._open_game(rest, served)
            return lambda: [
                self._invitation(open_game, asked.to, asked, "", served).answering(asked.mail)
            ]
        game = self._game(rest[:1] if WORDS[word].whose is Whose.ORGANISER else rest, served)
        if word == "extend":
            return organisers.extend(game, rest[1:], asked, served)
        if word == "pause":
            return organisers.pause(game, rest[1:], asked, served)
        if word == "end":
            return organisers.end(game, rest[1:], asked, served)
        if word == "replace":
            return organisers.replace_player(game, rest[1:], asked, served, self.pin)
        if word == "stay":
            return lambda: seats.stay(game, asked, served)
        if word == "watch":
            return lambda: watchers.watch(game, asked, served)
        return lambda: self._leave(game, asked, served)

    def _standings(self, served: Served) -> Reply:
        try:
            return Reply("the standings", published.table(self.folder / PACKS, served.outbox))
        except (Refused, OSError):
            # What is amiss may name paths of the host's.
            raise Refused("unreadable", "the standings cannot be told now") from None

    def calendar(self, served: Served, address: str) -> str:
        """Where the calendar of who reads at that address is, in words; "" for nowhere."""
        if not self.house.site:
            return ""
        name = published.calendar_name(RefereeSecret(self.secret(served.outbox)), address)
        where = f"{self.house.site.rstrip('/')}/{name}"
        return replies.fill("mine.calendar", address=where)

    def _weekly(self, asked: Asked, served: Served, *, wanted: bool) -> list[Reply | Outgoing]:
        """All of somebody's games now and each week, or no more."""
        if not wanted:
            served.register.tell_weekly(asked.to, "")
            said = "You get your games no more each week; the word mine brings them."
            return [replies.done("no weekly mail", said)]
        served.register.tell_weekly(asked.to, self.clock.now())
        return [mine.mine(served, asked.to, self.calendar(served, asked.to))]

    def tell_weekly(self, served: Served) -> None:
        """Their games to all who asked for them each week, and play here."""
        for address, key in mine.due(served):
            with served.outbox.act():
                if served.seats_at(address):
                    said = mine.mine(served, address, self.calendar(served, address))
                    one = Outgoing(key, self.secret(served.outbox), address, *said)
                    served.post.put([one])
                served.register.tell_weekly(address, self.clock.now())

    # Beginning.

    def _read_offer(self, word: str, rest: Sequence[str]) -> Offer:
        """The game that somebody wants, checked; raises Refused or OfferRefused."""
        lower = [one.lower() for one in rest]
        cut = lower.index("with") if "with" in lower else len(rest)
        (kind, *given), others = rest[:cut] or ("",), rest[cut + 1 :]
        others = [one for one in others if one.lower() != "and"]
        if (word == "new") == (not others):
            how = "new GAME with ADDRESS" if word == "new" else "seek GAME"
            raise Refused("malformed", f"{word} names {'nobody' if word == 'new' else 'others'}",
                          how)  # fmt: skip
        game = _kind(kind)
        counts = [one for one in given if one.startswith("players=")]
        least, most = game.seats
        asked = int(counts[-1][8:]) if counts and counts[-1][8:].isdecimal() else least
        seats = len(set(map(str.lower, others))) + 1 if others else asked
        if not least <= seats <= most or (counts and others):
            raise Refused("bad-option", f"the game is for {least} to {most} players")
        given = [f"{MATCH.name}=first" if one == MATCH.name else one for one in given]
        known = {option.name for option in game.options} | set(game.presets)
        ours = [one for one in self.house.options if one.partition("=")[0] in known]
        options = in_match(
            game, game.parse_options([*ours, *(one for one in given if one not in counts)])
        )
        if is_match(options) and len(others) != 1:
            raise Refused("bad-option", "a match is between two who are named",
                          "new GAME match with ADDRESS")  # fmt: skip
        turn = seconds(str(game.check_options(options)["turn_time"])) or 0
        if turn < self.house.fastest:
            raise Refused("bad-option", f"a turn time of {deadlines.span(turn)} is too short here",
                          f"at least {deadlines.span(self.house.fastest)}")  # fmt: skip
        for one in others:
            if check_address(one) is None or one.lower() == self.address.lower():
                raise Refused("bad-option", f"{one!a:.80} is no mail address of a player",
                              "new GAME with ADDRESS")  # fmt: skip
        return Offer(game, options, seats, tuple(dict.fromkeys(others)))

    def _offer(
        self, offer: Offer, word: str, asked: Asked, served: Served
    ) -> list[Reply | Outgoing]:
        """Offer a game, or the two of a match, and invite who asked and the others; again it has no
        second effect."""
        to = asked.to
        if to.lower() in (one.lower() for one in offer.others):
            raise Refused("bad-option", "you play anyway: name the others alone")
        origins = [asked.origin]
        if offer.options.get(MATCH.name) == "first":
            origins.append(digest(asked.origin.encode()))
        out: list[Reply | Outgoing] = []
        for origin in origins:
            back = origin != asked.origin
            name, is_new = self._name(offer.game, origin, served.register)
            if is_new and not back:
                self._check_limits(offer, served, to)
            if is_new:
                # A match invites once.
                many = 0 if back else len(offer.others)
                seeks, now = word == "seek", self.clock.now()
                served.register.begin(BegunGame(name, origin, to.lower(), seeks, now, many))
            served.register.hush(to, quiet=False)
            game = self._begin(name, offer, served)
            offer = offer._replace(options={**offer.options, MATCH.name: game.offer.digest})
            # The seats of a match are in the order in which tokens are made.
            people = (to, *offer.others)[:: -1 if back else 1]
            out += [self._invites(game, one, offer, asked, served) for one in people]
        return out

    def _invites(
        self, game: HostMail, to: str, offer: Offer, asked: Asked, served: Served
    ) -> Outgoing:
        """The invitation of who asked for a game, or of one of the others."""
        if to == asked.to:
            own = replies.offered(game.name, offer.others, offer.seats)
            return self._invitation(game, to, asked, own, served).answering(asked.mail)
        above = replies.fill("invitation.asked", by=asked.to)
        one = self._invitation(game, to, asked, above, served)
        return replace(one, budget=(f"invited/{to.lower()}",))

    def _name(self, game: Game[Any, Any], origin: str, register: Register) -> tuple[str, bool]:
        """The name of the game that an act begins, and whether it is a new one."""
        base = (plain_name(game.id) or "game")[:20]
        for length in range(4, 12):
            name = f"{base}-{origin[:length]}"
            note = register.begun(name)
            if note is None and not (self.folder / name).exists():
                return name, True
            if note is not None and note.origin == origin:
                return name, False
        raise Refused("exists", f"{name} is there already")

    def _check_limits(self, offer: Offer, served: Served, to: str) -> None:
        """Raise Refused where somebody has begun too many games, or invites somebody too often."""
        now, notes = self.clock.now(), served.register.all_begun()
        since = deadlines.add(now, -DAY)
        day = [
            one for one in notes.values() if one.writer == to.lower() and since < one.time <= now
        ]
        if len(day) >= 2 * self.house.games or (
            sum(one.others for one in day) + len(offer.others) > INVITED_A_DAY
        ):
            raise Refused("illegal", f"you have begun {len(day)} games today", "ask again tomorrow")
        unbegun = mine = 0
        for game in served.games:
            note = notes.get(game.record.root.name)
            if note is None or game.closed or (game.host is not None and game.host.last.over):
                continue
            unbegun += game.host is None
            mine += note.writer == to.lower()
        if mine >= self.house.games:
            raise Refused("illegal", f"you have begun {mine} games that are not over",
                          "leave NAME withdraws one that waits for players")  # fmt: skip
        if unbegun >= self.house.open:
            raise Refused(
                "illegal", "too many games wait for players here", "join one: games names them"
            )
        for other in offer.others:
            if not self.house.admits(other) or served.register.is_quiet(other):
                raise Refused("illegal", f"{other} is not invited from here", "name somebody else")
            known = any(game.players_at(other) for game in served.games)
            most = KNOWN_A_DAY if known else 1
            if served.outbox.spoken(f"invited/{other.lower()}", since, now) >= most:
                raise Refused("illegal", f"{other} was invited today already",
                              "ask again tomorrow")  # fmt: skip

    def _begin(self, name: str, offer: Offer, served: Served) -> HostMail:
        """The desk of an offered game, which is made if it is not there."""
        record = Record(self.folder / name)
        known = next((one for one in served.games if one.record.root == record.root), None)
        if not (record.root / names.INVITE).is_file():
            terms = Terms(offer.game, offer.options, mail=self.address, reserved=True, name=name)
            secrets = self._secrets(served.outbox, name)
            begin.invite(record, terms, self.signer, self.key_path, secrets, self.clock)
        game = known or self.desk(record)
        if game.folder.seats() is None:
            # A crash may have come before this line, and then the record is here already.
            game.folder.set_seats(offer.seats)
        if self.page and not game.folder.page():
            game.folder.set_page(self.page)
        if known is None:
            served.welcome(game)
        return game

    def _secrets(self, outbox: Outbox, name: str) -> Secrets:
        """The secrets of the game of that name, the same on each machine of this referee's: so a
        machine can serve what another one has offered, and none of them is in any mail."""
        own = RefereeSecret(self.secret(outbox))
        return Secrets(own.master(name), own.letters(name))

    def bring(self, copy: Copy, served: Served) -> HostMail | None:
        """The desk of a game that another machine of this referee's has offered, by its first copy;
        None if the copy is of no such game. An offer of that name here, which nobody was told of,
        goes. Raises Refused."""
        bundle = next((one for one in copy.bundles if one.kind == "invite"), None)
        if bundle is None or bundles.about(bundle) != copy.game:
            return None
        held = dict(bundle.files)
        data = held[names.INVITE]
        invite = read_invite(data)
        Signed(data, held.get(names.signature(names.INVITE), b"")).verify(
            self.signer.public, sshsig.INVITE
        )
        secrets = self._secrets(served.outbox, invite.name)
        if Master(secrets.master).commitment != invite.master or not is_genuine(
            copy, LettersSecret(secrets.letters).mail
        ):
            return None
        record = Record(self.folder / invite.name)
        for known in [one for one in served.games if one.record.root == record.root]:
            if served.copies.last(known)[0]:
                return None
            served.drop(known)
        self._clear(record)
        begin.bring(record, bundle, self.key_path, secrets)
        game = self.desk(record)
        seats = next((line for line in copy.lines if line.startswith("seats ")), "")
        if seats:
            game.folder.set_seats(int(seats.split()[1]))
        if self.page:
            game.folder.set_page(self.page)
        return game

    @staticmethod
    def _clear(record: Record) -> None:
        """Remove an offer: first the invite, without which nobody relies on the rest."""
        for path in (names.INVITE, names.signature(names.INVITE), names.TABLE):
            files.remove(record.root / path)
        for name in ("seats", "tokens", "page"):
            files.remove(record.host / name)
        for join in (record.host / "joins").glob("*"):
            files.remove(join)
        if (record.host / "joins").is_dir():
            (record.host / "joins").rmdir()

    def _invitation(
        self, game: HostMail, to: str, asked: Asked, above: str, served: Served
    ) -> Outgoing:
        """An invitation with a token for that address, and words above it."""
        token = game.room.token_for(to)
        if served.copies.waits(game, f"token/{token}"):
            served.waits.append((game, f"token/{token}"))
        return game.invitation(to, asked.origin, token, self.pin, above)

    # Finding games.

    def _game(self, rest: Sequence[str], served: Served) -> HostMail:
        """The game that is named, in full or by the end of its name; raises Refused."""
        asked = rest[0].lower() if len(rest) == 1 else ""
        found = [
            game for game in served.games
            if asked and asked in (game.name, game.name.rpartition("-")[2])
        ]  # fmt: skip
        if len(found) == 1:
            return found[0]
        # What somebody else wrote is not repeated to whom it may be forged for.
        raise Refused("missing", "no game of that name is here", "games names them")

    def _open_game(self, rest: Sequence[str], served: Served) -> HostMail:
        """The same, of those that anybody may join."""
        game = self._game(rest, served)
        note = served.register.begun(game.record.root.name)
        if game.host is not None:
            raise Refused("over", f"{game.name} has begun", f"watch {game.name}")
        if game.closed or note is None or not note.seeks:
            raise Refused("no-seat", f"{game.name} seeks nobody", "games names those that do")
        return game

    def listed(self, served: Served) -> Reply:
        """The games of this mailbox, without anybody's address."""
        rows: dict[str, list[str]] = {"seek": [], "open": [], "on": [], "over": []}
        seek = {name for name, one in served.register.all_begun().items() if one.seeks}
        for game in sorted(served.games, key=lambda one: one.offer.invite.date, reverse=True):
            title = game.offer.game.title
            if game.host is not None:
                entry = game.host.last.entry
                who = ", ".join(game.host.opening.players)
                over = game.host.last.over
                how = f": {story.standing(entry)}" if over else f", entry {entry.step}"
                rows["over" if over else "on"].append(f"{game.name}: {title}, {who}{how}")
            elif not game.closed:
                count = f"{len(game.joins())} of {game.wanted} joined"
                turn = game.offer.invite.options["turn_time"]
                what = "seek" if game.record.root.name in seek else "open"
                rows[what].append(f"{game.name}: {title}, {count}, turn_time = {turn}")
        return replies.listed(*(part[:MOST_LISTED] for part in rows.values()))

    # Watching, standing by, leaving.

    def _stand_by(self, kind: str, asked: Asked, served: Served) -> list[Reply | Outgoing]:
        held = served.register.standby()
        if len(held) >= MOST_STANDBY and (kind, asked.to.lower()) not in held:
            raise Refused("illegal", "too many stand by")
        served.register.stand_by(kind, asked.to)
        served.register.hush(asked.to, quiet=False)
        said = f"You will be asked when a seat in a game of {kind} is empty."
        return [replies.done(f"you stand by for {kind}", said)]

    def _leave(
        self, what: HostMail | str | None, asked: Asked, served: Served
    ) -> list[Reply | Outgoing]:
        mine, register = asked.to.lower(), served.register
        if not isinstance(what, HostMail):
            register.stand_down(what, mine)
        begun = register.all_begun()
        for game in served.games:
            if what not in (None, game):
                continue
            register.unwatch(game.offer.digest, mine)
            note = begun.get(game.record.root.name)
            if note is not None and note.writer == mine and game.host is None:
                game.closed = "the offer is withdrawn"
                register.begin(note._replace(closed=game.closed))
        if what is None:
            register.hush(mine, quiet=True)
        named = what.name if isinstance(what, HostMail) else what or "everything"
        said = (
            f"You have left {named}. A seat in a game under way is not left so: resign in your "
            "orders, or write the host a message."
        )
        return [replies.done("you have left", said)]

    # What is due in each turn.

    def pause(self, game: HostMail, served: Served) -> bool:
        """Move deadlines out of a holiday of the house, or a pause of the game, by one ruling;
        returns whether there was one. Raises Refused."""
        host = game.begun()
        awaited, calendar = host.last.clocks.awaited, deadlines.calendar(host.opening.setup)
        days = [(first, last, _HOLIDAYS) for first, last in self.house.pause]
        until, why = {player: one.until for player, one in awaited.items()}, dict[str, None]()
        for first, last, reason in sorted([*days, *served.register.pauses(game.offer.digest)]):
            for player, time in until.items():
                later = after_holiday(calendar, (first, last), awaited[player].since, time)
                if later > time:
                    until[player], why[reason] = later, None
        if not why or host.last.rulings >= MOST_RULINGS:
            return False
        host.rule(Ruling("; ".join(why)[:500]), until)
        return True

    def hear(self, game: HostMail, served: Served) -> None:
        """As `seats.hear`, of a game that has begun."""
        if game.host is not None:
            seats.hear(game, served)

    def see_to(self, game: HostMail, served: Served) -> None:
        """As `seats.see_to`."""
        seats.see_to(game, served, self.house, self.pin)

    def tell_watchers(self, game: HostMail, served: Served) -> None:
        """As `watchers.tell`."""
        watchers.tell(game, served, self.folder / PACKS)

    def publish(self, served: Served, faults: list[str]) -> None:
        """Write what the house publishes; what goes wrong is one of the turn's faults."""
        out, packs = self.folder / self.house.publish, self.folder / PACKS
        try:
            if self.house.publish:
                secret = RefereeSecret(self.secret(served.outbox))
                goes_on = {game: game not in served.stopped for game in served.games}
                published.put(out, goes_on, packs, served.outbox, secret, faults)
        except (Refused, OSError) as error:
            faults.append(f"publish: {fault_of(error)}")


def _kind(name: str) -> Game[Any, Any]:
    """The game that is called so; raises Refused."""
    try:
        return games.load(name.lower())
    except games.UnknownGame:
        here = games.installed()
        there = f"{', '.join(here)}{suggest(name, here)}"
        raise Refused("unknown-rules", f"no game of that name; there are {there}") from None
