"""What a host does with letters: takes them in, passes press on, grants absences.

What belongs here: which letters an invite allows, and keeping each before anything is answered, so
that a letter is taken once, however often it comes. No letter is ever part of an adjudication.

The names of kept letters, in `press/` and `notices/`:

    PLAYER-NUMBER-SEAT[-TEXT-COVER].txt

SEAT is the step of the ruling that gave the writer their seat (0: genesis), so that nothing that a
seat's former player wrote counts for the new one. TEXT is a message's digest, COVER the number of
the host's own letter under which it is passed on.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from adjudicator.core import deadlines, letters
from adjudicator.core.letters import LetterFile
from adjudicator.core.link import MOST_RULINGS
from adjudicator.host.host import Host
from orders import sshsig
from orders.bundle import Bundle
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import EVERYONE, HOST, NAME, Digest, Time
from orders.letter import FIRST_DRAWN, Absence, Address, Letter, Press, Said, Shown, What
from orders.sealing import letter_info
from orders.secrets import draw_secret
from orders.signed import Signed

MOST_WAITING = 20
"""Messages that one player may send between two entries."""

MOST_NOTICES = 20
"""Notices of one player in a game: each absence may bring everybody a ruling."""

_PRESS_WORDS = ("none", "public", "private", "anonymous")
_KEPT = re.compile(
    rf"(?P<player>{NAME})-(?P<number>[0-9]{{4}})-(?P<seat>[0-9]{{4,7}})"
    r"(?:-(?P<text>[0-9a-f]{64})-(?P<cover>[0-9]{4}))?\.txt",
    re.ASCII,
)


class LetterRefused(Refused):
    """A letter whose signature is right and which the host does not take."""

    def __init__(self, letter: Letter, word: str, message: str) -> None:
        super().__init__(word, message)
        self.letter = letter


class TakenLetter(NamedTuple):
    """A letter that was taken in: the digest of its file, what it says, and `passed`, the bundles
    to send, by player."""

    letter: Letter
    digest: str
    what: What
    passed: dict[str, Bundle]


class _Name(NamedTuple):
    """What the name of a kept letter says."""

    path: Path
    player: str
    number: int
    seat: int
    text: str
    cover: int

    @property
    def came(self) -> tuple[int, int]:
        """When it was kept, by the file's time, and its number."""
        return self.path.stat().st_mtime_ns, self.number


class Letters:
    """A game's letters in the host's folder: `press/`, `press/noted/` and `notices/`."""

    def __init__(self, host: Host) -> None:
        self.host = host

    # Taking in.

    def take(self, bundle: Bundle) -> TakenLetter:
        """Take a player's letter in; the same letter again has no second effect. Raises Refused.

        Raises `LetterRefused` (`illegal`, `superseded` or `over`) if form and signature are right.
        """
        with self.host.locked():
            sent = letters.read_bundle(self.host.opening, self.host.last.joins, bundle)
            said = self._open(sent)
            kept = self._find(sent.letter)
            if kept is None:
                self._check(sent.letter, said.what)
                number = self._next(said.what) if isinstance(said.what, Press) else 0
                kept = self._keep(sent.letter, bundle, number)
            elif self._read(kept).file.data != sent.file.data:
                player, number = sent.letter.player, sent.letter.number
                text = f"another letter {number} of {player} came before"
                raise LetterRefused(sent.letter, "superseded", text)
            return self._taken(sent, said, kept)

    def announce(self, to: str, text: str) -> TakenLetter:
        """The host's own message to a player or to all; raises Refused."""
        with self.host.locked():
            if to != EVERYONE and to not in self.host.opening.players:
                raise Refused("illegal", f"nobody in this game is called {to!a}")
            return self._tell(Press(to, text))

    def move(self, mail: str) -> TakenLetter:
        """Tell every player the host's new mail address; raises Refused."""
        with self.host.locked():
            return self._tell(Address(mail))

    def _tell(self, what: What) -> TakenLetter:
        """A letter of the host's own."""
        opening, signer, number = self.host.opening, self.host.signer, self._next(what)
        said = Said(draw_secret().hex(), what)
        bundle = letters.write(opening, signer, HOST, number, said, self._last)
        (sent,) = letters.own(bundle)
        return self._taken(sent, said, self._keep(sent.letter, bundle, number))

    @property
    def _last(self) -> tuple[int, Digest]:
        """The entry after which a letter of the host says that it was written."""
        return self.host.last.step, self.host.last.digest

    # What was taken in.

    def read(self) -> list[tuple[Letter, What]]:
        """Every letter taken in, with what it says, by writer and by when it came."""
        kept = sorted(self._names(), key=lambda name: (name.player, name.seat, name.came))
        return [(sent.letter, self._open(sent).what) for sent in map(self._read, kept)]

    def _notices(self, player: str, seat: int | None = None) -> list[What]:
        """What the player says who has this seat now, or has had it since the ruling `seat`, by
        number: all their letters but messages."""
        seat = self._seat(player) if seat is None else seat
        names = [name for name in self._names() if (name.player, name.seat) == (player, seat)]
        names.sort(key=lambda name: name.number)
        return [self._open(self._read(name)).what for name in names if not name.text]

    def address(self, player: str, seat: int | None = None) -> str | None:
        """The mail address in a player's latest letter that has one; None if none has. `seat`: as
        in `_notices`."""
        told = [one.address for one in self._notices(player, seat) if isinstance(one, Address)]
        return told[-1] if told else None

    def mail(self) -> str | None:
        """The mail address that the host signed last; None if it signed none."""
        return self.address(HOST) or self.host.opening.offer.invite.mail

    def shown(self) -> set[str]:
        """The players whose latest word is that others may know their mail address."""
        said = {
            player: [one.shown for one in self._notices(player) if isinstance(one, Shown)]
            for player in self.host.opening.players
        }
        return {player for player, words in said.items() if words and words[-1]}

    def _absences(self, player: str) -> list[Absence]:
        """The absences that were granted."""
        return [one for one in self._notices(player) if isinstance(one, Absence)]

    # Absences.

    def grant(self) -> bool:
        """Move deadlines that fall into absences, by one ruling, and return whether there was
        one."""
        clocks = self.host.last.clocks
        until: dict[str, Time] = {}
        away = []
        for player, prompt in clocks.awaited.items():
            absences = self._absences(player)
            moved = self._deadline(player, absences)
            if moved <= prompt.until:
                continue
            until[player] = moved
            # An absence that begins later is nobody else's business yet.
            end = max(one.end for one in absences if one.start < moved)
            away.append(f"{player} is away until {end}")
        if not until or self.host.last.rulings >= MOST_RULINGS:
            return False
        self.host.rule(Ruling("; ".join(away)[:500]), until)
        return True

    def _deadline(self, player: str, absences: list[Absence]) -> Time:
        """When the player's time is up, given that their clock stops while they are away."""
        prompt = self.host.last.clocks.awaited[player]
        reserve = self.host.last.clocks.reserve[player]
        turn = deadlines.turn_time(self.host.opening.setup)
        calendar = deadlines.calendar(self.host.opening.setup)
        end = calendar.later(prompt.since, turn + reserve)
        at = prompt.since
        for absence in sorted(absences, key=lambda absence: absence.start):
            start = max(at, absence.start)
            if start < absence.end and start < end:
                end = calendar.later(end, calendar.counted(start, absence.end))
                at = absence.end
        return end

    # What the invite allows.

    def _check(self, letter: Letter, what: What) -> None:
        """Raise LetterRefused if the invite does not allow the letter."""
        if self.host.last.over:
            raise LetterRefused(letter, "over", "the game is over")
        if isinstance(what, Press):
            self._check_press(letter, what)
        elif len(self._notices(letter.player)) >= MOST_NOTICES:
            raise LetterRefused(letter, "illegal", f"more than {MOST_NOTICES} notices in one game")
        if letter.is_notice == isinstance(what, Press):
            text = f"its number is {letter.number}: those of messages begin at {FIRST_DRAWN}"
            raise LetterRefused(letter, "illegal", text)
        if isinstance(what, Absence):
            allowed = deadlines.absence(self.host.opening.setup)
            given = [*self._absences(letter.player), what]
            calendar = deadlines.calendar(self.host.opening.setup)
            total = sum(calendar.counted(one.start, one.end) for one in given)
            if total > allowed:
                text = f"absences of {total} seconds in all: the invite allows {allowed}"
                raise LetterRefused(letter, "illegal", text)

    def _check_press(self, letter: Letter, press: Press) -> None:
        writer = letter.player
        allowed = str(self.host.opening.setup.options["press"])
        wanted = "anonymous" if press.anonymous else "private"
        if press.to == EVERYONE and not press.anonymous:
            wanted = "public"
        if press.to == HOST:
            wanted = "none"
        if _PRESS_WORDS.index(wanted) > _PRESS_WORDS.index(allowed):
            text = f"{wanted} messages: the invite allows press = {allowed!a}"
            raise LetterRefused(letter, "illegal", text)
        others = {*self.host.opening.players, EVERYONE, HOST} - {writer}
        if press.to not in others:
            text = f"a message to {press.to!a}: expected another player's name, all or host"
            raise LetterRefused(letter, "illegal", text)
        if sum(name.player == writer for name in self._names("press")) >= MOST_WAITING:
            text = f"more than {MOST_WAITING} messages between two entries"
            raise LetterRefused(letter, "illegal", text)

    # What is passed on.

    def _taken(self, sent: LetterFile, said: Said, kept: _Name) -> TakenLetter:
        passed = {}
        readers = self._readers(sent.letter, said.what)
        if readers:
            named = not (isinstance(said.what, Press) and said.what.anonymous)
            writer = sent if named and sent.letter.player != HOST else None
            cover = sent
            if sent.letter.player != HOST:
                letter = Letter(
                    self.host.opening.id, HOST, kept.cover, sent.letter.text, None, *self._last
                )
                signed = Signed.by(self.host.signer, sshsig.LETTER, letter.render())
                cover = LetterFile(letter, signed)
            opening, joins = self.host.opening, self.host.last.joins
            passed = {
                to: letters.pass_on(opening, cover, said, joins[to], writer) for to in readers
            }
        return TakenLetter(sent.letter, sent.file.digest, said.what, passed)

    def _readers(self, letter: Letter, what: What) -> tuple[str, ...]:
        """The players who get what a letter says: a message, or the host's address.

        An anonymous message goes to its writer too, because otherwise players who compare their
        letters would see who got none, and so who wrote it.
        """
        players = self.host.opening.players
        if not isinstance(what, Press):
            return players if letter.player == HOST else ()
        if what.to != EVERYONE:
            return () if what.to == HOST else (what.to,)
        return tuple(name for name in players if what.anonymous or name != letter.player)

    # Files.

    def _open(self, sent: LetterFile) -> Said:
        letter = sent.letter
        info = letter_info("letter", self.host.opening.id, letter.number, letter.player)
        return letters.open_text(sent, self.host.folder.letters(), info)

    def _seat(self, player: str) -> int:
        """The step of the ruling that gave this seat to its present player; 0 for genesis."""
        return self.host.ledger.seats.get(player, (0, ""))[0]

    def _names(self, *folders: str) -> list[_Name]:
        paths = self.host.folder.letters_in(*(folders or ("press", "press/noted", "notices")))
        return [name for name in map(_parse, paths) if name is not None]

    def _find(self, letter: Letter) -> _Name | None:
        wanted = (letter.player, letter.number, self._seat(letter.player))
        found = (name for name in self._names() if (name.player, name.number, name.seat) == wanted)
        return next(found, None)

    def _next(self, what: What) -> int:
        """The number of the host's next letter, which may be a cover; raises Refused."""
        names = self._names()
        own = {name.number for name in names if name.player == HOST}
        covers = {name.cover for name in names if name.cover}
        return letters.next_number(own | covers, message=isinstance(what, Press))

    def _read(self, name: _Name) -> LetterFile:
        return letters.own(self.host.folder.read_letter(name.path))[0]

    def _keep(self, letter: Letter, bundle: Bundle, cover: int) -> _Name:
        name = f"{letter.player}-{letter.number:04d}-{self._seat(letter.player):04d}"
        if letter.is_notice:
            path = self.host.folder.keep_letter("notices", f"{name}.txt", bundle)
        else:
            name = f"{name}-{letter.text}-{cover:04d}.txt"
            path = self.host.folder.keep_letter("press", name, bundle)
        kept = _parse(path)
        assert kept is not None  # noqa: S101 - the name was made a line before
        return kept


def _parse(path: Path) -> _Name | None:
    found = _KEPT.fullmatch(path.name)
    if found is None:
        return None
    cover = int(found["cover"] or 0)
    return _Name(
        path, found["player"], int(found["number"]), int(found["seat"]), found["text"] or "", cover
    )
