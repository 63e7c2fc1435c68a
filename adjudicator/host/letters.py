"""What a host does with letters: takes them in, passes messages on, grants absences.

What belongs here: which letters an invite allows, and keeping each before anything is answered, so
that a letter is taken once, however often it comes. No letter is ever part of an adjudication.

The names of kept letters, in `press/` and `notices/`:

    PLAYER-NUMBER-SEAT[-TEXT-COVER].txt

SEAT is the step of the ruling that gave the writer their seat (0: genesis), so that nothing that a
seat's former player wrote counts for the new one. TEXT is the message's digest, COVER the number of
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
from adjudicator.store import files
from orders import sshsig
from orders.bundle import Bundle
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import EVERYONE, HOST, NAME, Digest, Time
from orders.letter import Letter, Text
from orders.secrets import draw_secret
from orders.sshsig import Signed

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
    text: Text
    passed: dict[str, Bundle]


class _Name(NamedTuple):
    """What the name of a kept letter says."""

    path: Path
    player: str
    number: int
    seat: int
    text: str
    cover: int


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
            text = self.open(sent)
            kept = self._find(sent.letter.player, sent.letter.number)
            if kept is None:
                self._check(sent.letter, text)
                kept = self._keep(sent.letter, bundle, 0 if text.to is None else self._next())
            elif self._read(kept).file.data != sent.file.data:
                player, number = sent.letter.player, sent.letter.number
                told = f"another letter {number} of {player} came before"
                raise LetterRefused(sent.letter, "superseded", told)
            return self._taken(sent, text, kept)

    def announce(self, to: str, body: str) -> TakenLetter:
        """The host's own message to a player or to all; raises Refused."""
        if to != EVERYONE and to not in self.host.opening.players:
            raise Refused("illegal", f"nobody in this game is called {to!a}")
        return self._say(Text(f"message to {to}:", body))

    def move(self, mail: str) -> TakenLetter:
        """Tell every player the host's new mail address; raises Refused."""
        return self._say(Text(f"address {mail}"))

    def _say(self, text: Text) -> TakenLetter:
        """Write, keep and pass on a letter of the host's own."""
        with self.host.locked():
            notice = 0 if text.to is not None else 1 + len(self._notices(HOST))
            text = text._replace(notice=notice, salt=draw_secret().hex())
            number = self._next()
            letter = self._of_host(number, "")
            bundle = letters.write(self.host.opening, letter, text, self.host.signer)
            sent = letters.own(bundle)[0]
            kept = self._keep(sent.letter, bundle, 0 if text.to is None else number)
            return self._taken(sent, text, kept)

    def _of_host(self, number: int, text: Digest) -> Letter:
        """A letter of the host's own, which says after which entry it was written."""
        last = self.host.last
        return Letter(self.host.opening.id, HOST, number, text, None, last.step, last.digest)

    # Letters and the copies in a mailbox: `office.copies`.

    def find(self, player: str, number: int) -> tuple[Bundle, str] | None:
        """The letter of that number by who has the seat now, and its file's name; None if there is
        none."""
        kept = self._find(player, number)
        return None if kept is None else (self.host.folder.bundle(kept.path), kept.path.name)

    def passed(self, player: str, number: int) -> TakenLetter | None:
        """What is sent for that letter, once more; None if it is not here."""
        kept = self._find(player, number)
        if kept is None:
            return None
        sent = self._read(kept)
        return self._taken(sent, self.open(sent), kept)

    def drop(self, player: str, number: int) -> None:
        """Forget that letter; nobody was told of it."""
        kept = self._find(player, number)
        if kept is not None:
            files.remove(kept.path)

    def bring(self, name: str, bundle: Bundle) -> bool:
        """Keep a letter as another machine of the host's kept it, under that name, and whether it
        was not here; what has one of its numbers here goes, as nobody was told of it."""
        new = _parse(Path(name))
        if new is None or name in {one.path.name for one in self._names()}:
            return False
        numbers = {new.cover, new.number if new.player == HOST else 0} - {0}
        for one in self._names():
            own = {one.cover, one.number if one.player == HOST else 0}
            if one[1:4] == new[1:4] or own & numbers:
                files.remove(one.path)
        self.host.folder.keep(f"{'press' if new.cover else 'notices'}/{name}", bundle)
        return True

    # What was taken in.

    def read(self) -> list[tuple[Letter, Text]]:
        """Every letter taken in, and what it says, by writer and by when it came."""
        # Each was kept at the time of its file.
        kept = sorted(
            self._names(),
            key=lambda one: (one.player, one.seat, one.path.stat().st_mtime_ns, one.number),
        )
        return [(sent.letter, self.open(sent)) for sent in map(self._read, kept)]

    def _notices(self, player: str, seat: int | None = None) -> list[Text]:
        """The notices of the player who has this seat now, or has had it since the ruling `seat`,
        in the order in which they were written."""
        seat = self._seat(player) if seat is None else seat
        names = [one for one in self._names("notices") if (one.player, one.seat) == (player, seat)]
        found = [self.open(self._read(name)) for name in names]
        return sorted(found, key=lambda text: text.notice)

    def address(self, player: str, seat: int | None = None) -> str | None:
        """The mail address that a player told last; None if they told none. `seat`: as in
        `_notices`."""
        told = [text.address for text in self._notices(player, seat) if text.address is not None]
        return told[-1] if told else None

    def mail(self) -> str | None:
        """The mail address that the host signed last; None if it signed none."""
        return self.address(HOST) or self.host.opening.offer.invite.mail

    def shown(self) -> set[str]:
        """The players whose latest word is that others may know their mail address."""
        said = {
            player: [one.shown for one in self._notices(player) if one.shown is not None]
            for player in self.host.opening.players
        }
        return {player for player, words in said.items() if words and words[-1]}

    # Absences.

    def grant(self) -> bool:
        """Move deadlines that fall into absences, by one ruling, and return whether there was
        one."""
        clocks = self.host.last.clocks
        until: dict[str, Time] = {}
        away = []
        for player, prompt in clocks.awaited.items():
            absences = _absences(self._notices(player))
            moved = self._deadline(player, absences)
            if moved <= prompt.until:
                continue
            until[player] = moved
            # An absence that begins later is nobody else's business yet.
            last = max(end for start, end in absences if start < moved)
            away.append(f"{player} is away until {last}")
        if not until or self.host.last.rulings >= MOST_RULINGS:
            return False
        self.host.rule(Ruling("; ".join(away)[:500]), until)
        return True

    def _deadline(self, player: str, absences: list[tuple[Time, Time]]) -> Time:
        """When the player's time is up, given that their clock stops while they are away."""
        prompt = self.host.last.clocks.awaited[player]
        reserve = self.host.last.clocks.reserve[player]
        turn = deadlines.turn_time(self.host.opening.setup)
        calendar = deadlines.calendar(self.host.opening.setup)
        end = calendar.later(prompt.since, turn + reserve)
        at = prompt.since
        for away, back in sorted(absences):
            start = max(at, away)
            if start < back and start < end:
                end = calendar.later(end, calendar.counted(start, back))
                at = back
        return end

    # What the invite allows.

    def _check(self, letter: Letter, text: Text) -> None:
        """Raise LetterRefused if the invite does not allow the letter."""
        if self.host.last.over:
            raise LetterRefused(letter, "over", "the game is over")
        if text.to is not None:
            self._check_message(letter, text)
            return
        before = self._notices(letter.player)
        if text.notice in {one.notice for one in before}:
            told = (
                f"another notice {text.notice} of {letter.player} came before: write this one again"
            )
            raise LetterRefused(letter, "superseded", told)
        if len(before) >= MOST_NOTICES:
            raise LetterRefused(letter, "illegal", f"more than {MOST_NOTICES} notices in one game")
        if text.away is not None:
            allowed = deadlines.absence(self.host.opening.setup)
            calendar = deadlines.calendar(self.host.opening.setup)
            total = sum(calendar.counted(*one) for one in _absences([*before, text]))
            if total > allowed:
                told = f"absences of {total} seconds in all: the invite allows {allowed}"
                raise LetterRefused(letter, "illegal", told)

    def _check_message(self, letter: Letter, message: Text) -> None:
        writer = letter.player
        allowed = str(self.host.opening.setup.options["press"])
        wanted = "anonymous" if message.anonymous else "private"
        if message.to == EVERYONE and not message.anonymous:
            wanted = "public"
        if message.to == HOST:
            wanted = "none"
        if _PRESS_WORDS.index(wanted) > _PRESS_WORDS.index(allowed):
            text = f"{wanted} messages: the invite allows press = {allowed!a}"
            raise LetterRefused(letter, "illegal", text)
        others = {*self.host.opening.players, EVERYONE, HOST} - {writer}
        if message.to not in others:
            text = f"a message to {message.to!a}: expected another player's name, all or host"
            raise LetterRefused(letter, "illegal", text)
        if sum(name.player == writer for name in self._names("press")) >= MOST_WAITING:
            text = f"more than {MOST_WAITING} messages between two entries"
            raise LetterRefused(letter, "illegal", text)

    # What is passed on.

    def _taken(self, sent: LetterFile, text: Text, kept: _Name) -> TakenLetter:
        opening, letter = self.host.opening, sent.letter
        cover, writer, readers = sent, None, self._readers(sent.letter, text)
        if readers and letter.player != HOST:
            mine = self._of_host(kept.cover, letter.text)
            cover = LetterFile(mine, Signed.by(self.host.signer, sshsig.LETTER, mine.render()))
            writer = None if text.anonymous else sent
        joins = self.host.last.joins
        passed = {to: letters.pass_on(opening, cover, text, joins[to], writer) for to in readers}
        return TakenLetter(letter, sent.file.digest, text, passed)

    def _readers(self, letter: Letter, text: Text) -> tuple[str, ...]:
        """The players who get a message, or a notice of the host's.

        An anonymous one goes to its writer too, because otherwise players who compare their letters
        would see who got none, and so who wrote it.
        """
        players = self.host.opening.players
        if text.to in players:
            return (text.to,)
        if text.to == HOST or (text.to is None and letter.player != HOST):
            return ()
        return tuple(name for name in players if text.anonymous or name != letter.player)

    # Files.

    def open(self, sent: LetterFile) -> Text:
        """What a letter to the host, or one that the host keeps, says; raises Refused."""
        key = self.host.folder.letters()
        return letters.open_text(self.host.opening, sent, key, sent.letter.player)

    def _seat(self, player: str) -> int:
        """The step of the ruling that gave this seat to its present player; 0 for genesis."""
        return self.host.ledger.seats.get(player, (0, ""))[0]

    def _names(self, *folders: str) -> list[_Name]:
        paths = self.host.folder.bundles_in(*(folders or ("press", "press/noted", "notices")))
        return [name for name in map(_parse, paths) if name is not None]

    def _find(self, player: str, number: int) -> _Name | None:
        """The letter of that number by who has the seat now; None if there is none."""
        wanted = (player, number, self._seat(player))
        return next((one for one in self._names() if one[1:4] == wanted), None)

    def _next(self) -> int:
        """The number of the host's next letter, which may be a cover; raises Refused."""
        names = self._names()
        own = {name.number for name in names if name.player == HOST}
        return letters.next_number(own | {name.cover for name in names})

    def _read(self, name: _Name) -> LetterFile:
        return letters.own(self.host.folder.bundle(name.path))[0]

    def _keep(self, letter: Letter, bundle: Bundle, cover: int) -> _Name:
        name = f"{letter.player}-{letter.number:04d}-{self._seat(letter.player):04d}"
        path = f"press/{name}-{letter.text}-{cover:04d}.txt" if cover else f"notices/{name}.txt"
        kept = _parse(self.host.folder.keep(path, bundle))
        assert kept is not None  # noqa: S101 - the name was made a line before
        return kept


def _absences(notices: list[Text]) -> list[tuple[Time, Time]]:
    return [one.away for one in notices if one.away is not None]


def _parse(path: Path) -> _Name | None:
    found = _KEPT.fullmatch(path.name)
    if found is None:
        return None
    cover = int(found["cover"] or 0)
    return _Name(
        path, found["player"], int(found["number"]), int(found["seat"]), found["text"] or "", cover
    )
