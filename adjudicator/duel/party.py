"""One of the two who play: what they send, and what comes of what they get.

A party is its secret, the documents, and a key that signs. Everything else is made again. What it
sends twice is the same to the byte, so a message that was lost is sent again, and a second device
that knows the secret sends no other where nothing is to be decided.

Who restores an older backup may make another move of a number than they made before. That harms
nobody: a program keeps every document and plays on the longest row, whose own moves it adopts. It
signs a move only as the next of its row, as long as nobody has ended, and one end. It asks the
other for what it lacks, and answers such a request; where it is shown a move beside its row, it
shows its own row. So both come to one row again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudicator.core import deadlines
from adjudicator.duel import again, row
from adjudicator.duel.again import Again, Lie
from adjudicator.duel.documents import Documents
from adjudicator.duel.side import Side
from games.game import Game, Player, Prompt, View, Written
from games.options import TURN_TIME, OfferRefused, is_match, seconds
from orders import names, sshsig
from orders.duel import (
    Accept,
    DuelBlock,
    End,
    Move,
    Offer,
    Request,
    open_block,
    read_block,
    read_request,
    seal_orders,
    sealed_block,
    unseal,
)
from orders.errors import Refused
from orders.fields import Digest, Time, digest
from orders.secrets import DuelSecret, commitment
from orders.sshsig import Signed

if TYPE_CHECKING:
    from orders.keys import Signer

SOMEBODY = "somebody"
"""Stands for the other player while there is none."""

LEAST_TIME = 3_600
"""Seconds of the shortest turn time that a program offers or accepts: both send what they move by
hand."""


def setup_view(
    game: Game[Any, Any], options: Mapping[str, Any], player: Player, other: Player = ""
) -> View:
    """What a player sees before the setup, whoever the other is; raises Refused for a game or for
    options that no duel has, or none with that `other`, and for a turn time that is too short."""
    row.check_game(game)
    try:
        values = row.check_options(game, options)
        # An option that names a player says only who begins, and there is nobody to name yet; so
        # does that of a match, in which the offer's author sits first.
        named = {option.name for option in game.options if option.kind in ("player", "match")}
        known = {name: value for name, value in values.items() if value is not None}
        given = {name: value for name, value in known.items() if other or name not in named}
        unnamed = SOMEBODY if player != SOMEBODY else f"{SOMEBODY}-else"
        players = (player, other or unnamed)
        setup = game.setup(players[::-1] if is_match(given) else players, given)
    except OfferRefused as error:
        raise Refused("malformed", str(error)) from None
    if turn_time(game, options) < LEAST_TIME:
        raise Refused(
            "bad-option",
            f"turn_time = {values[TURN_TIME.name]}: in a duel each move takes an hour at least",
            "give 1h or more, as in turn_time=3d",
        )
    return game.view(game.start(setup), player)


def turn_time(game: Game[Any, Any], options: Mapping[str, Any]) -> int:
    """The seconds for each move by an offer's options."""
    return seconds(game.check_options(options)[TURN_TIME.name]) or 0


def offer(
    game: Game[Any, Any],
    player: Player,
    signer: Signer,
    secret: DuelSecret,
    options: Mapping[str, Any],
    first: Written,
    time: Time,
) -> Documents:
    """A new duel, with an offer of that secret, which no other duel may have.

    `first`: the player's orders of the setup. Raises Refused, Malformed or Illegal.
    """
    view = setup_view(game, options, player)
    document = Offer(
        player,
        signer.public.line,
        game.rules,
        time,
        secret.sealing().public.hex(),
        secret.commitment,
        commitment(secret.release(1)),
        _sealed(game, view, secret, first),
        None if game.default_table is None else digest(game.default_table),
        {option.name: options[option.name] for option in game.options if option.name in options},
    )
    return Documents(Signed.by(signer, sshsig.DUEL, document.render()))


def accept(
    documents: Documents, player: Player, signer: Signer, secret: DuelSecret, first: Written
) -> Documents:
    """The same documents with an accept of their offer; raises Refused, Malformed or Illegal."""
    offered = documents.offered
    view = setup_view(offered.game, offered.offer.options, player)
    document = Accept(
        documents.id,
        player,
        signer.public.line,
        secret.sealing().public.hex(),
        secret.commitment,
        secret.release(1),
        _sealed(offered.game, view, secret, first),
    )
    documents.add(names.ACCEPT, Signed.by(signer, sshsig.DUEL, document.render()))
    return documents


def _sealed(game: Game[Any, Any], view: View, secret: DuelSecret, first: Written) -> str:
    """The orders of the setup, once the game takes them."""
    assert game.duel is not None  # noqa: S101 - `check_game` held it
    kept = again.kept(first, game.duel.room)
    game.duel.read(view, kept)
    return seal_orders(secret, 1, again.encode(kept), game.duel.room)


class Party:
    """A player of a duel: what came, what is to be ordered, what must leave.

    `row`: the row on which they play. `pending`: orders since the last move, which leave with the
    next one. `dropped`: those that never left, as the row is another now: somebody must be shown
    them. `since`: when the row grew on this device. `asking`: not empty after a restore, until the
    other has said what is lost: the digest of the last document that was there. `answered`: the
    moves beside the row that were answered already.
    """

    def __init__(
        self, documents: Documents, player: Player, secret: DuelSecret,
        pending: Sequence[Written] = (), on: Digest = "", since: Time = "",
        asking: Digest = "", answered: Collection[str] = (),
    ) -> None:  # fmt: skip
        """`on`: the last document of the row on which they played, and gave the pending orders."""
        self.documents = documents
        self.player = player
        self.secret = secret
        self.since, self.asking, self.answered = since, asking, list(answered)
        self.pending: list[Written] = []
        self.dropped: list[Written] = []
        self.row = documents.offered
        self._owed: dict[str, tuple[Digest, Request | None]] = {}
        self._made: Again | None = None
        self._choose(on)
        self.row.member(player)
        if self.row.last == on:
            self.pending += pending
        elif pending and not self._has_left(pending, on):
            self.dropped += pending

    def _has_left(self, pending: Sequence[Written], on: Digest) -> bool:
        """Whether those orders are in the move behind that document: the process may have ended
        before it forgot them."""
        number = self.documents.number(on)
        if number is None or not self.row.holds(on):
            return False
        before = Party(self.documents, self.player, self.secret)
        before.row = self.documents.row(on)
        for one in pending:
            if before.side.prompt is None:
                return False
            before.side.play(one)
        return before.next_move() == self.row.moves[number]

    @property
    def made(self) -> Again:
        """This player's side, and the first lie that it met, which is the other's. Raises Refused
        `not-yet`, and `mismatch` for a secret that is not this duel's."""
        if self._made is None:
            self._made = self.again()
            for one in self.pending if self._made.lie is None else ():
                self.side.play(one)
        if self._made.lie is not None and self._made.lie.player == self.player:
            raise Refused("mismatch", f"this seat does not fit the duel: {self._made.lie}")
        return self._made

    def again(self) -> Again:
        """The same, made again from the secret and the documents."""
        return again.side_of(self.row, self.player, self.secret)

    @property
    def side(self) -> Side:
        """This player's side; raises Refused for a secret that is not this duel's."""
        side = self.made.side
        assert side is not None  # noqa: S101 - without one there is a lie of this player's
        return side

    @property
    def lie(self) -> Lie | None:
        """The first lie that this player was told; None if there is none, or nothing has begun."""
        return self.made.lie if self.can_begin else None

    @property
    def other(self) -> Player:
        """The other player; "" before there is one."""
        return next((one.name for one in self.row.members if one.name != self.player), "")

    @property
    def block_name(self) -> str:
        """What a file with this player's block is called, without ending."""
        end = "-end" if self.ended else ""
        return f"{self.row.game.id}-{self.player}-{len(self.row.moves):04d}{end}"

    @property
    def can_begin(self) -> bool:
        """Whether this player knows both nonces."""
        accepted = self.row.accept is not None
        return self.row.begun or (accepted and self.player == self.row.offer.player)

    @property
    def ends(self) -> tuple[End, ...]:
        """The ends that are here, of either player."""
        return tuple(self.documents.ends.values())

    @property
    def ended(self) -> bool:
        """Whether this player has ended: they sign nothing after that."""
        return any(end.player == self.player for end in self.ends)

    @property
    def is_left(self) -> bool:
        """Whether the other has ended: whoever moves after that plays against a player who knows
        everything."""
        return any(end.player != self.player for end in self.ends)

    @property
    def lacks(self) -> int:
        """The move at which the other ended, where no move is here; else 0."""
        theirs = [end.number for end in self.ends if end.player != self.player]
        return 0 if self.row.begun else max(theirs, default=0)

    @property
    def moves_next(self) -> bool:
        """Whether the next move is this player's, and has not ended with a lie or the game."""
        mine = self.can_begin and self.row.author == self.player
        return mine and not (self.asking or self.ends) and self.lie is None

    def notice(self, now: Time) -> None:
        """Take notice of this device's clock: if the row grew later than now, that clock was wrong
        then, and the time for the next move counts from now."""
        self.since = min(self.since, now)

    @property
    def due(self) -> Time | None:
        """Until when the next move is due, by this device's clock; None before the first, and once
        somebody has ended."""
        if not (self.row.begun and self.since) or self.ends:
            return None
        return deadlines.add(self.since, turn_time(self.row.game, self.row.offer.options))

    @property
    def must_end(self) -> bool:
        """Whether this player ends without being asked: the game is over for them, or they were
        told a lie, or the other has ended."""
        if not self.row.begun or self.ended or self.asking:
            return False
        return self.lie is not None or self.is_left or self.side.is_over

    @property
    def is_due(self) -> bool:
        """Whether this player has something to sign now: a move, or their end."""
        if self.must_end:
            return True
        return self.moves_next and self.prompt is None and (self.side.tells or not self.row.begun)

    @property
    def prompt(self) -> Prompt | None:
        """What this player must order before the next move can leave; None if nothing."""
        return self.side.prompt if self.moves_next else None

    def judge(self, given: Written) -> Written:
        """This player's orders as a duel keeps them; raises Refused, Malformed or Illegal."""
        kept = again.kept(given, self.row.room)
        self.side.duel.read(self.side.view, kept)
        return kept

    def order(self, given: Written) -> None:
        """Take this player's orders; raises Refused, Malformed or Illegal."""
        kept = self.judge(given)
        self.side.play(kept)
        self.pending.append(kept)

    # What comes.

    def take(self, files: Mapping[str, Signed], time: Time) -> None:
        """Take in documents. A move that cannot be true is taken too: it is the proof (`lie`).

        Raises Refused for the first that is not taken, once the others are: `not-yet` for a move
        whose row is not here, which `request` asks for.
        """
        known, before = len(self.documents.moves), self.row.last
        refused = []
        for path in sorted(files, key=names.in_duel):
            try:
                if path == names.ACCEPT:
                    self._check_accept(files[path])
                self.documents.add(path, files[path])
            except Refused as error:
                refused.append(error)
        self._choose(before)
        if self.row.last != before:
            self.since = time
        for one in list(self.documents.moves)[known:]:
            if not self.row.holds(one):
                self._owe(one, one, None)
        if refused:
            raise refused[0]

    def _check_accept(self, file: Signed) -> None:
        """Raise Refused for the accept of somebody else than with whom this player plays."""
        if self.row.accept is not None and file.digest != self.row.accepted:
            raise Refused(
                "superseded",
                f"{names.ACCEPT}: the offer was accepted by {self.other or self.player} already",
                "make a new offer: each has a secret of its own",
            )
        if self.row.accept is None and self.asking:
            raise Refused(
                "not-yet",
                f"{names.ACCEPT}: this side comes from a backup, and may play with somebody else",
                "if it does not: adjudicator play --anyway",
            )

    def take_block(self, came: DuelBlock, time: Time) -> None:
        """Take in what a block for this player holds: documents, a request, or both: the answer to
        a request. Raises Refused."""
        files = dict(unseal(self.secret, self.documents.id, came) if came.sealed else came.files)
        asked = files.pop(names.REQUEST, None)
        request = None if asked is None else read_request(asked)
        self.take(signed(files), time)
        offers = self.player == self.row.offer.player
        begins = names.ACCEPT if offers else names.OFFER
        if begins in files and self.row.begun and (self.row.moves or not offers):
            # Who offers what is played already has lost the accept, so can ask for nothing; who
            # accepts it again has lost every move, or none has come to them.
            accepted = self.row.accepted
            self._owed[begins] = accepted, Request(0, accepted)
        if request is None:
            return
        if not files:
            self._owe(f"{request.number}/{request.last}", request.last, request)
        elif request.last == self.asking:
            self.asking = ""

    @property
    def owes(self) -> bool:
        """Whether the other is to be shown this row (`reply`)."""
        return bool(self._owed)

    def _owe(self, key: str, last: Digest, request: Request | None) -> None:
        """Owe the other this row behind what it has in common with that of `last`: as often as it
        is asked for, since an answer may be lost; and once for each move that was shown."""
        if (key in self.answered and request is None) or self.row.accept is None:
            return
        while last in self.documents.moves and not self.row.holds(last):
            last = self.documents.moves[last].last
        self._owed[key] = last if self.row.holds(last) else self.row.accepted, request

    def _choose(self, on: Digest) -> None:
        """Go over to the longest row. Orders that have not left are dropped with the old one."""
        begun = next(iter(self.documents.begun), None)
        if begun is None or (last := self.documents.longest(begun, on)) == self.row.last:
            return
        old, self.row = self.row, self.documents.row(last)
        at = len(old.moves)
        if self.pending or self.row.digests[:at] != old.digests:
            self._made = None
        self.dropped += self.pending
        self.pending.clear()
        for move in self.row.moves[at:]:
            if self._made is not None:
                self._made = again.follow(self._made, move, self.row.author_of(move.number))

    def restore(self, time: Time) -> None:
        """Ask the other before anything else: this side was unpacked from a backup now, and moves
        may be lost."""
        self.asking, self.since = self.row.last, time

    def ask_no_more(self) -> None:
        """Go on without an answer, on the player's word."""
        self.asking = ""

    # What leaves.

    def go_on(self, signer: Signer, time: Time) -> Mapping[str, Signed]:
        """Make the move that is due, and the end if this player ends: the new documents.

        They are empty while orders or the other's move are awaited.
        """
        made: dict[str, Signed] = {}
        if not self.is_due:
            return made
        if not self.must_end:
            move = self.next_move()
            file = Signed.by(signer, sshsig.DUEL, move.render())
            made |= self._sign(names.move(move.number, file.digest), file)
            self.row = self.documents.row(file.digest)
            self.pending.clear()
            self.since = time
        if self.must_end:
            made |= self._end(signer, gives_up=False)
        return made

    def next_move(self) -> Move:
        """The move that is due; it counts as made from then on."""
        return again.make(self.side, len(self.row.moves) + 1, self.row.last)

    def end(self, signer: Signer, now: Time, *, gives_up: bool) -> Mapping[str, Signed]:
        """This player's end, on their word: they give it up, or the other owes a move and does not
        answer. It opens their side. Raises Refused where that is not so."""
        if not self.row.begun:
            raise Refused(
                "not-yet",
                "the duel has not begun, so there is nothing to end",
                "ask the other, or offer another duel",
            )
        if self.ended:
            raise Refused("stale", "you have ended this duel already", "adjudicator pack")
        if self.side.is_over and self.lie is None:
            raise Refused(
                "stale", "the game is over: your side opens by itself", "adjudicator sync"
            )
        if not gives_up and not self.must_end:
            if self.row.author == self.player:
                raise Refused(
                    "not-yet",
                    "the next move is yours, so nobody is silent",
                    "adjudicator play; or give it up: adjudicator duel --end --give-up",
                )
            if self.due is None or now <= self.due:
                left = "" if self.due is None else deadlines.span(deadlines.between(now, self.due))
                raise Refused(
                    "not-yet",
                    f"{self.other} has time for the move still, {left or 'as nothing came'}",
                    "wait; or give it up: adjudicator duel --end --give-up",
                )
        return self._end(signer, gives_up=gives_up)

    def _end(self, signer: Signer, *, gives_up: bool) -> Mapping[str, Signed]:
        row = self.row
        document = End(
            self.player, row.accepted, len(row.moves), row.last, gives_up, self.secret.hex
        )
        file = Signed.by(signer, sshsig.DUEL, document.render())
        self.dropped += self.pending
        self.pending.clear()
        return self._sign(names.end(self.player, file.digest), file)

    def _sign(self, path: str, file: Signed) -> Mapping[str, Signed]:
        self.documents.add(path, file)
        return {path: file}

    def block(self) -> bytes:
        """The block that now leaves, or left last: this player's last documents, always the same
        bytes."""
        begun = self.row
        files: dict[str, bytes] = {}
        # Who has answered a move has it: then an end travels alone, in a link that chats take.
        answered = self.ended and begun.author == self.player
        number = max((one.number for one in self.ends if one.player == self.player), default=0)
        for one in begun.digests[-2:]:
            move = self.documents.moves[one]
            if begun.author_of(move.number) == self.player and not answered:
                files |= self._files(one)
                number = max(number, move.number)
        for one, end in self.documents.ends.items():
            files |= self._files(one) if end.player == self.player else {}
        if files:
            return self._seal(number, files)
        own = begun.id if self.player == begun.offer.player else begun.accepted
        return open_block(self._files(own))

    def wrote(self, came: DuelBlock) -> bool:
        """Whether a sealed block is this player's own: the one of their move of that number, or
        what leaves now."""
        row, number = self.row, came.number
        moved = 0 < number <= len(row.moves) and row.author_of(number) == self.player
        own = [self._seal(number, self._files(row.digests[number - 1]))] if moved else []
        return any(read_block(one).sealed == came.sealed for one in (*own, self.block()))

    def request(self) -> bytes:
        """The block that asks the other for what is not here; raises Refused `mismatch` if there is
        no other yet."""
        last = self.asking or self.row.last
        asked = Request(self.documents.number(last) or 0, last)
        return self._seal(asked.number, {names.REQUEST: asked.render()})

    def reply(self) -> bytes | None:
        """The block that shows the other this row, behind what they have of it, as they asked for
        it, or showed a move beside it; None if nothing is owed. A move that was shown
        counts as answered then."""
        if not self._owed:
            return None
        number = min(self.documents.number(last) or 0 for last, _ in self._owed.values())
        files = self._files(self.row.accepted) if names.OFFER in self._owed else {}
        for one in (*self.row.digests[number:], *self.documents.ends):
            files |= self._files(one)
        files = files or self._files(self.row.last)
        for _, request in self._owed.values():
            if request is not None:
                files[names.REQUEST] = request.render()
        self.answered += [key for key, (_, request) in self._owed.items() if request is None]
        self._owed.clear()
        return self._seal(len(self.row.moves), files)

    def _files(self, last: Digest) -> dict[str, bytes]:
        kept = self.documents.files[last]
        return kept.file.files(kept.path)

    def _seal(self, number: int, files: Mapping[str, bytes]) -> bytes:
        to = self.row.other(self.player).sealing
        return sealed_block(self.secret, to, self.documents.id, number, files)


def signed(files: Mapping[str, bytes]) -> Mapping[str, Signed]:
    """Documents with their signatures; raises Refused `bad-bundle` for one without."""
    found = {}
    for path, data in files.items():
        if path.endswith(".sig"):
            continue
        if f"{path}.sig" not in files:
            raise Refused("bad-bundle", f"the block: {path} has no signature beside it")
        found[path] = Signed(data, files[f"{path}.sig"])
    return found
