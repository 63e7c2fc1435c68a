"""Copies of what a host signs, in its own mailbox: who is first there has signed, nobody else.

Whoever signs two different entries of one number is a proven cheat, and so is a host that gives two
receipts for one slip. Two machines that serve one mailbox do that in all innocence: the timer of
the old one was left on after a move, or one of them was restored from yesterday's backup. Neither
knows what the other has signed. But both read one mailbox, and a mailbox gives each mail that is
put there a number (a UID), one after the other. So the mailbox decides.

What a game's host has signed in a turn, and all that goes with it, is one **copy**: new entries
with the orders that they use; receipts, an accepted one with its order; letters; joins. Copies of a
game are numbered from 1. A machine that has taken in copy 6 puts what it signs since into the
mailbox as copy 7, and *then looks*. Of all copies 7 of that game the one with the lowest UID
counts, everywhere and for ever, because every machine finds it there before it can put a later one.
If it is its own, answers and entries leave. If it is another machine's, nothing of this turn
leaves: what was signed here is **taken back**, as nobody was told of it; the other's copy is taken
in; and the mails that were read stay where they are, and are read again.

So copies of a game stand in one row, and each was made by a machine that knew all those before it.
One number for all kinds matters: if each slip and each entry had a row of its own, one machine
could accept an order while the other calls its player missing.

Durable are, in this order: `pending`, a note of what a mail asks to be signed; what is signed, in
record and folder; the copy; the taking in of it, which deletes the notes. A machine that ends
anywhere between finds its copy at the next look, and takes it in as if it were another's; or finds
none, and puts it again. What is signed and in no copy yet are the entries after the last one of any
copy, and what `pending` names. Taking in has no second effect.

A stranger can send mails into this mailbox, and they come to lie beside the copies. A copy counts
only with the right code, made with the game's secret over all that it holds and its number: who
replays one brings the same copy again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.core import bundles
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office import replies
from adjudicator.office.game import HostMail
from adjudicator.office.outbox import Outbox
from orders.bundle import Bundle, encode
from orders.documents import read_receipt
from orders.entries import read_entry
from orders.errors import Refused
from orders.fields import Digest, digest

LARGEST = 2**21
"""Bytes of the blocks in one copy; what is more goes into the next. One bundle may be larger."""
MOST = 300
"""Bundles in one copy."""

SAID, BACK = "said/", "back/"

_LINE = re.compile(r"^copy ([0-9a-f]{64}) ([1-9][0-9]{0,8}) ([0-9a-f]{64})\s*$", re.MULTILINE)
_MORE = re.compile(r"^((?:letter|token|seats|back) .{1,400}?)\s*$", re.MULTILINE)


class Copy(NamedTuple):
    """A copy: which game's (the digest of its invite), its number there, and what it holds.

    `lines` say more: `letter FILE`, the name under which the host keeps a letter, in their order;
    `token TOKEN WHOM`, an invitation's; `seats COUNT`, how many begin the game; `back TOKEN`, a
    mail that came back, so that no machine calls its reader missing. `code`: see above.
    """

    game: Digest
    number: int
    bundles: Sequence[Bundle]
    lines: Sequence[str]
    code: str


class Pending(NamedTuple):
    """Something that may be signed and in no copy yet; `what` names it in the note, as `order/SLIP`
    by the slip's digest, `join/DIGEST` or `letter/PLAYER-NUMBER`. `name`: that of a letter's file.
    """

    what: str
    bundle: Bundle
    name: str = ""


def what(bundle: Bundle) -> str:
    """How a note names a bundle: an order and its receipt have one name; "" for an entry and an
    invite, which need none."""
    if bundle.kind in ("entry", "invite"):
        return ""
    path, data = bundles.document(bundle)
    if bundle.kind == "receipt":
        return f"order/{read_receipt(data).slip}"
    if bundle.kind == "letter":
        return f"letter/{path.rpartition('/')[2].removesuffix('.toml')}"
    return f"{bundle.kind}/{digest(data)}"


def read(mail: Mail) -> Copy | None:
    """The copy in a mail, its code not yet checked; None if it is none."""
    line = _LINE.search(mail.text)
    if line is None:
        return None
    held = tuple(one.bundle for one in mail.blocks if one.bundle is not None)
    return Copy(line[1], int(line[2]), held, tuple(_MORE.findall(mail.text)), line[3])


def is_genuine(copy: Copy, secret: bytes) -> bool:
    """Whether a copy was made with the secret of that game's mails."""
    return hmac.compare_digest(_code(copy, secret), copy.code)


def _code(copy: Copy, secret: bytes) -> str:
    held = [one.digest for one in copy.bundles]
    lines = ["copy", copy.game, str(copy.number), *held, *copy.lines]
    return hmac.new(secret, "\n".join(lines).encode(), hashlib.sha256).hexdigest()


class Copies:
    """The copies of a mailbox's games, as far as this machine has taken them in."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox
        self.own: set[str] = set()
        """The codes of copies that were put into the mailbox by this process."""

    def last(self, game: HostMail) -> tuple[int, int]:
        """The number of the last copy that was taken in, 0 for none, and the last entry that is in
        a copy, -1 for none."""
        number, step, _ = self._noted(game)
        return number, max(step, self.outbox.told(game.id))

    def mark(self, game: HostMail) -> str:
        """Up to where the mailbox was searched for this game's copies (`Mailbox.kept`)."""
        return self._noted(game)[2]

    def searched(self, games: Sequence[HostMail], mark: str) -> None:
        """Note that there are no copies of these games before that mark but those taken in."""
        with self.outbox.act():
            for game in games:
                number, step, known = self._noted(game)
                if known != mark:
                    self._note(game, f"{number} {step} {mark}")

    def _noted(self, game: HostMail) -> tuple[int, int, str]:
        """As `last`, but for what others were told of; and `mark`."""
        noted = self.outbox.noted(f"copies/{game.offer.digest}") or "0 -1"
        number, step, *mark = noted.split()
        return int(number), int(step), " ".join(mark)

    def _note(self, game: HostMail, text: str) -> None:
        self.outbox.keep_note(f"copies/{game.offer.digest}", text)

    # What was signed here.

    def waits(self, game: HostMail, name: str) -> bool:
        """Whether what is signed under that name is in no copy yet; `token/TOKEN` for what goes out
        with a token, `entry/STEP` for an entry, `back/TOKEN` for a mail that came back."""
        kind, _, what_ = name.partition("/")
        if kind == "token":
            return what_ not in self._tokens(game)
        if kind == "entry":
            return int(what_) > self.last(game)[1]
        return name in self.outbox.pending(game.offer.digest)

    def _tokens(self, game: HostMail) -> list[str]:
        return self.outbox.noted(f"tokens/{game.offer.digest}").split()

    def _untold(self, game: HostMail) -> dict[str, str]:
        """Tokens that are in no copy, and for whom each is."""
        held = game.folder.tokens() if game.offer.invite.reserved else {}
        known = self._tokens(game) if held else ()
        return {token: whom for token, whom in held.items() if token not in known}

    def holds_back(self, game: HostMail) -> bool:
        """Whether invitations to this game must not leave yet."""
        unbegun = game.host is None and not self.last(game)[0]
        return unbegun or bool(self._untold(game))

    def _pending(self, game: HostMail) -> list[str]:
        found = self.outbox.pending(game.offer.digest)
        return [name for name in found if not name.startswith((SAID, BACK))]

    def say(self, game: HostMail, letter: str) -> None:
        """Let a letter of the host's own, `host-NUMBER`, leave once it is in a copy."""
        for name in (f"letter/{letter}", SAID + letter):
            self.outbox.expect(game.offer.digest, name)

    def said(self, game: HostMail) -> list[str]:
        """The letters of the host's own that may leave now."""
        found = self.outbox.pending(game.offer.digest)
        return [
            name.removeprefix(SAID) for name in found
            if name.startswith(SAID) and f"letter/{name.removeprefix(SAID)}" not in found
        ]  # fmt: skip

    def came_back(self, game: HostMail, token: str) -> str:
        """Let the copies say that the mail with that token came back; what to wait for."""
        self.outbox.expect(game.offer.digest, BACK + token)
        return BACK + token

    def lacks(self, game: HostMail) -> list[str]:
        """What is signed in a game, or may be, and in no copy yet."""
        last = -1 if game.host is None else game.host.last.step
        return [*self._pending(game), *[f"entry/{last}"] * (last > self.last(game)[1])]

    def left(self, game: HostMail, letter: str) -> None:
        """Note that the mails of that letter are in the outbox."""
        self.outbox.settle(game.offer.digest, [SAID + letter])

    def expect(self, game: HostMail, bundle: Bundle) -> str:
        """Note, before a bundle is taken in, that something may be signed for it; what the answer
        waits for, "" for nothing: it was signed before, and is in a copy."""
        name = what(bundle)
        if not self.waits(game, name):
            if game.has(bundle):
                return ""
            self.outbox.expect(game.offer.digest, name)
        return name

    def made(self, game: HostMail) -> Outgoing | None:
        """The next copy to put into the mailbox, of what is signed and in none; None if there is
        nothing."""
        part: list[Pending] = []
        size = 0
        for one in self._unsettled(game):
            size += len(one.bundle.payload) * 4 // 3
            if part and (size > LARGEST or len(part) >= MOST):
                break
            part.append(one)
        lines = [f"token {token} {whom}".rstrip() for token, whom in self._untold(game).items()]
        pending = self.outbox.pending(game.offer.digest)
        lines += [f"back {name.removeprefix(BACK)}" for name in pending if name.startswith(BACK)]
        if not part and not lines:
            return None
        number, held = self.last(game)[0] + 1, [one.bundle for one in part]
        lines += [f"letter {one.name}" for one in part if one.bundle.kind == "letter"]
        lines += [f"seats {game.folder.seats()}"] if number == 1 and game.folder.seats() else []
        code = _code(Copy(game.offer.digest, number, held, lines, ""), game.secret)
        self.own.add(code)
        words = replies.write("copy", number=number)
        blocks = "".join(encode(one).decode("ascii") for one in held)
        head = f"copy {game.offer.digest} {number} {code}"
        text = "\n".join([words.text, head, *lines, "", blocks])
        return replace(game.mail(game.address, f"copy/{code}", words), text=text, copy=True)

    def _unsettled(self, game: HostMail) -> Iterator[Pending]:
        """The invite, then answers, since entries use the orders that they accept."""
        if game.host is None and not self.last(game)[0]:
            yield Pending("", bundles.of_invite(game.record))
        for name in self._pending(game):
            found = game.held(name)
            if found is not None:
                yield Pending(name, *found)
            else:
                # Nothing was signed for it.
                self.outbox.settle(game.offer.digest, [name])
        last = -1 if game.host is None else game.host.last.step
        for step in range(self.last(game)[1] + 1, last + 1):
            yield Pending("", bundles.of_host(game.record, step))

    # Copies in the mailbox.

    def take(self, game: HostMail, found: Sequence[Copy]) -> list[str]:
        """Take in the copies of this game among those that lie in the mailbox, as they lie there.
        Returns what they brought that was not here, and what was taken back for it, in words;
        nothing for copies of this machine's.

        Raises Refused where it cannot be: copies between are missing, or somebody was told of
        another history here.
        """
        number, step = self.last(game)
        row: list[Copy] = []
        for copy in found:
            if copy.game != game.offer.digest or copy.number <= number:
                continue
            if not is_genuine(copy, game.secret):
                continue
            if number and copy.number > number + 1:
                raise Refused(
                    "ahead",
                    f"copy {copy.number} of what you signed is in the mailbox, and copy "
                    f"{number + 1} is not: was it deleted?",
                    "put it back among the copies",
                )
            row.append(copy)
            number = copy.number
        return self._take(game, row, step) if row else []

    def _take(self, game: HostMail, row: Sequence[Copy], step: int) -> list[str]:
        """Take in copies that follow each other, all at once: a machine without this state may have
        what the first of them brings, and more."""
        given = [bundle for copy in row for bundle in copy.bundles]
        steps = {
            read_entry(bundles.document(one)[1]).step: one for one in given if one.kind == "entry"
        }
        held = [name for one in given if (name := what(one))]
        lines = [line for copy in row for line in copy.lines]
        tokens = [line.split()[1] for line in lines if line.startswith("token ")]
        back = [line.split()[1] for line in lines if line.startswith("back ")]
        told: list[str] = []
        if not self.own.issuperset(copy.code for copy in row):
            left = [one for one in self._pending(game) if one not in held]
            told = game.bring(given, lines, steps, step + 1, left)
            held += [one for one in left if game.held(one) is None]
        last = max([step, *steps])
        with self.outbox.act():
            self._note(game, f"{row[-1].number} {last} {self.mark(game)}")
            self.outbox.settle(game.offer.digest, [*held, *(BACK + token for token in back)])
            for token in back:
                self.outbox.came_back(token, "as another machine of yours has read")
            if tokens:
                known = dict.fromkeys([*self._tokens(game), *tokens])
                self.outbox.keep_note(f"tokens/{game.offer.digest}", " ".join(known))
            if told and steps and self.outbox.told(game.id) < last - 1:
                # The last one is told here too: nobody here knows whether its mails have left.
                self.outbox.tell(game.id, last - 1)
        return told
