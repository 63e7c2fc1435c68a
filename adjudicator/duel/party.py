"""One of the two who play: what they send, and what comes of what they get.

A party is its secret, the chain of documents, and a key that signs. Everything else is made again.
What it sends twice is the same to the byte, so a message that was lost is sent again, and a second
device that knows the secret sends no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudicator.duel import again, chain, written
from adjudicator.duel.again import Again, Lie
from adjudicator.duel.chain import Chain
from adjudicator.duel.side import Side
from games.game import Game, Player, Prompt, View, Written
from games.options import OfferRefused
from orders import names, sshsig
from orders.duel import (
    Accept,
    Claim,
    DuelBlock,
    Move,
    Offer,
    Opening,
    open_block,
    seal_orders,
    sealed_block,
    unseal,
)
from orders.errors import Refused
from orders.fields import Time, digest
from orders.secrets import DuelSecret
from orders.signed import Signed

if TYPE_CHECKING:
    from orders.keys import Signer

SOMEBODY = "somebody"
"""Stands for the other player while there is none."""


def setup_view(game: Game[Any, Any], options: Mapping[str, Any], player: Player) -> View:
    """What a player sees before the setup, whoever the other is; raises Refused for a game or for
    options that no duel has."""
    chain.check_game(game)
    other = SOMEBODY if player != SOMEBODY else f"{SOMEBODY}-else"
    try:
        # An option that names a player says only who begins, and there is nobody to name yet.
        values = chain.check_options(game, options).items()
        named = {option.name for option in game.options if option.kind == "player"}
        given = {name: value for name, value in values if name not in named}
        setup = game.setup((player, other), given)
    except OfferRefused as error:
        raise Refused("malformed", str(error)) from None
    return game.view(game.start(setup), player)


def offer(
    game: Game[Any, Any],
    player: Player,
    signer: Signer,
    secret: DuelSecret,
    options: Mapping[str, Any],
    first: Written,
    time: Time,
) -> Chain:
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
        again.committed(secret),
        _sealed(game, view, secret, first),
        None if game.default_table is None else digest(game.default_table),
        {option.name: options[option.name] for option in game.options if option.name in options},
    )
    return chain.offered(Signed.by(signer, sshsig.DUEL, document.render()))


def accept(
    begun: Chain, player: Player, signer: Signer, secret: DuelSecret, first: Written, time: Time
) -> Chain:
    """The chain with an accept of its offer; raises Refused, Malformed or Illegal."""
    view = setup_view(begun.game, begun.offer.options, player)
    document = Accept(
        begun.id,
        player,
        signer.public.line,
        time,
        secret.sealing().public.hex(),
        secret.commitment,
        secret.release(1),
        _sealed(begun.game, view, secret, first),
    )
    return begun.take(names.ACCEPT, Signed.by(signer, sshsig.DUEL, document.render()))


def _sealed(game: Game[Any, Any], view: View, secret: DuelSecret, first: Written) -> str:
    """The orders of the setup, once the game takes them."""
    assert game.duel is not None  # noqa: S101 - `check_game` held it
    kept = _kept(first, game)
    game.duel.read(view, kept)
    return seal_orders(secret, 1, written.encode(kept, game.duel.words))


def _kept(given: Written, game: Game[Any, Any]) -> Written:
    """Orders as a duel keeps them; raises Refused for what cannot be kept so."""
    words = () if game.duel is None else game.duel.words
    return written.decode(written.encode(written.plain(given), words), words)


class Party:
    """A player of a duel: what came, what is to be ordered, what must leave."""

    def __init__(
        self, begun: Chain, player: Player, secret: DuelSecret, pending: Sequence[Written] = ()
    ) -> None:
        """`pending`: orders since the last move, which leave with the next one."""
        begun.member(player)
        self.chain = begun
        self.player = player
        self.secret = secret
        # If the next move is the other's, they have left, and the process ended before it said so.
        mine = begun.accept is not None and begun.author == player
        self.pending = list(pending) if mine else []
        self._made: Again | None = None

    @property
    def made(self) -> Again:
        """This player's side, and the first lie that it met. Raises Refused `not-yet`."""
        if self._made is None:
            self._made = self.again()
            for one in self.pending if self._made.lie is None else ():
                self.side.play(one)
        return self._made

    def again(self) -> Again:
        """The same, made again from the secret and the documents."""
        return again.side_of(self.chain, self.player, self.secret)

    @property
    def side(self) -> Side:
        """This player's side; raises Refused for a secret that is not this duel's."""
        side = self.made.side
        if side is None:
            raise Refused("mismatch", f"this seat does not fit the duel: {self.made.lie}")
        return side

    @property
    def lie(self) -> Lie | None:
        """The first lie that this player was told; None if there is none, or nothing has begun."""
        return self.made.lie if self.can_begin else None

    @property
    def other(self) -> Player:
        """The other player; "" before there is one."""
        return next((one.name for one in self.chain.members if one.name != self.player), "")

    @property
    def block_name(self) -> str:
        """What a file with this player's block is called, without ending."""
        return f"{self.chain.game.id}-{self.player}-{len(self.chain.moves):04d}"

    @property
    def can_begin(self) -> bool:
        """Whether this player knows both nonces."""
        accepted = self.chain.accept is not None
        return self.chain.begun or (accepted and self.player == self.chain.offer.player)

    @property
    def ended(self) -> bool:
        """Whether this player has opened or claimed: they sign no move after that, which would
        prove their claim untrue."""
        return self.player in self.chain.openings or self.player in self.chain.claims

    @property
    def moves_next(self) -> bool:
        """Whether the next move is this player's, and has not ended with a lie or the game."""
        mine = self.can_begin and self.chain.author == self.player
        return mine and self.lie is None and not (self.ended or self.chain.openings)

    @property
    def is_given_up(self) -> bool:
        """Whether the other has opened, though the game is not over."""
        over = not self.can_begin or self.lie is not None or self.side.outcome is not None
        return not over and any(player != self.player for player in self.chain.openings)

    @property
    def is_due(self) -> bool:
        """Whether this player has something to sign now: a move, or their opening."""
        if not self.can_begin or self.lie is not None or self.ended or self.prompt is not None:
            return False
        return self.chain.author == self.player or self.side.outcome is not None

    @property
    def prompt(self) -> Prompt | None:
        """What this player must order before the next move can leave; None if nothing."""
        return self.side.prompt if self.moves_next else None

    def judge(self, given: Written) -> Written:
        """This player's orders as a duel keeps them; raises Refused, Malformed or Illegal."""
        kept = _kept(given, self.chain.game)
        self.side.duel.read(self.side.view, kept)
        return kept

    def order(self, given: Written) -> None:
        """Take this player's orders; raises Refused, Malformed or Illegal."""
        kept = self.judge(given)
        self.side.play(kept)
        self.pending.append(kept)

    # What comes.

    def take(self, files: Mapping[str, Signed]) -> None:
        """Take in documents. A move that cannot be true is taken too: it is the proof (`lie`).

        Raises Refused; then those before it are taken. A second move for one turn is refused as
        `two-moves`, with the proof in the words.
        """
        for path in sorted(files, key=_rank):
            file = files[path]
            if path.startswith("moves/"):
                proof = again.two_moves(self.chain, path, file)
                if proof is not None:
                    raise Refused("two-moves", str(proof), "keep both: they prove it to everybody")
            before = len(self.chain.moves)
            can, self.chain = self.can_begin, self.chain.take(path, file)
            if len(self.chain.moves) == before:
                continue
            if self.pending:
                # This player's own move, which another device made, or a lost disk had made.
                self.pending.clear()
                self._made = None
            if self._made is not None and can:
                self._made = again.follow(self.chain, self._made, before + 1)

    def read(self, came: DuelBlock) -> Mapping[str, Signed]:
        """The documents in a block for this player; raises Refused."""
        return signed(unseal(self.secret, self.chain.id, came) if came.sealed else came.files)

    # What leaves.

    def go_on(self, signer: Signer, time: Time) -> Mapping[str, Signed]:
        """Make the move that is due, and the opening if the game is over: the new documents.

        They are empty while orders or the other's move are awaited.
        """
        made: dict[str, Signed] = {}
        if not self.is_due:
            return made
        if self.moves_next and (self.side.tells or not self.chain.begun):
            move = self.next_move(time)
            path = names.move(move.number)
            made |= self._add(path, Signed.by(signer, sshsig.DUEL, move.render()))
            self.pending.clear()
        if self.side.outcome is not None:
            made |= self.open(signer, time)
        return made

    def next_move(self, time: Time) -> Move:
        """The move that is due; it counts as made from then on."""
        number = len(self.chain.moves) + 1
        return again.make(self.chain, self.side, number, self.chain.last, time)

    def open(self, signer: Signer, time: Time) -> Mapping[str, Signed]:
        """This player's opening, which ends the duel for this side."""
        end = Opening(self.player, self.chain.last, time, self.secret.hex)
        return self._add(names.opening(self.player), Signed.by(signer, sshsig.DUEL, end.render()))

    def claim(self, signer: Signer, time: Time) -> Mapping[str, Signed]:
        """This player's claim that the other stopped, or lied; it opens this side."""
        end = Claim(self.player, self.chain.last, time, self.secret.hex)
        return self._add(names.claim(self.player), Signed.by(signer, sshsig.DUEL, end.render()))

    def _add(self, path: str, file: Signed) -> Mapping[str, Signed]:
        self.chain = self.chain.take(path, file)
        return {path: file}

    def block(self) -> bytes:
        """The block that now leaves, or left last: this player's last documents, always the same
        bytes. Raises Refused `not-yet` if there is nothing."""
        return block_of(self.chain, self.player, self.secret)


def block_of(begun: Chain, player: Player, secret: DuelSecret) -> bytes:
    """The block of a player's newest documents: an offer or accept is open, all else is sealed."""
    number = len(begun.moves)
    own = [path for path in (names.opening(player), names.claim(player)) if path in begun.files]
    last = next(
        (one for one in (number, number - 1) if one > 0 and begun.author_of(one) == player), 0
    )
    if last and not own:
        # The other's answer changes nothing in it.
        number = last
    if last:
        own.append(names.move(last))
    if not own:
        path = names.OFFER if player == begun.offer.player else names.ACCEPT
        if path not in begun.files:
            raise Refused("not-yet", f"{player} has nothing to send yet")
        return open_block(begun.files[path].files(path))
    files: dict[str, bytes] = {}
    for path in own:
        files |= begun.files[path].files(path)
    return sealed_block(secret, begun.other(player).sealing, begun.id, number, files)


def signed(files: Mapping[str, bytes]) -> Mapping[str, Signed]:
    """Documents with their signatures; raises Refused `bad-bundle` for one without."""
    found = {}
    for path, data in files.items():
        if path.endswith(".sig"):
            continue
        if f"{path}.sig" not in files:
            raise Refused("bad-bundle", f"bundle: {path} has no signature beside it")
        found[path] = Signed(data, files[f"{path}.sig"])
    return found


_ORDER = ("offer", "accept", "moves", "openings", "claims")


def _rank(path: str) -> tuple[int, str]:
    """Documents in the order in which they follow each other."""
    return _ORDER.index(path.partition("/")[0].partition(".")[0]), path
