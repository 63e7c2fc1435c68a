"""What a host does with letters: takes them in, passes press on, grants absences.

What belongs here: which letters an invite allows, keeping them before anything is answered, so
that a letter is taken once however often it comes. None of it is ever part of an adjudication.
What it must not know: how letters travel.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from adjudicator import files, letters, times
from adjudicator.host import Advanced, Host
from adjudicator.letters import Sent
from games.options import seconds
from orders.bundle import Bundle, decode, encode
from orders.entries import Awaited, Entry, Genesis, Ruling
from orders.errors import Refused
from orders.fields import Time, digest
from orders.keys import Signer
from orders.letter import EVERYONE, HOST, Letter, Press
from orders.secrets import draw_secret

MOST_WAITING = 20
"""Messages of one player that may stand between two entries."""

MOST_NOTICES = 20
"""Notices of one player in a game: each absence may cost all a ruling."""

_PRESS_WORDS = ("none", "public", "private", "anonymous")
_KEPT = re.compile(r"([a-z][a-z0-9-]{0,31})-([0-9]{4})(?:-([0-9a-f]{64})-([0-9]{4}))?\.txt")
_LIMIT = 2**16


@dataclass(frozen=True, slots=True)
class Taken:
    """A letter that was taken in. `passed` are bundles by player, `press` the message if any."""

    letter: Letter
    press: Press | None
    passed: dict[str, Bundle]


class Letters:
    """A game's letters in the host's folder: `press/`, `press/noted/` and `notices/`."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.root = host.folder.root

    def take(self, bundle: Bundle) -> Taken:
        """Take a player's letter in; the same again has no second effect. Raises Refused.

        What is refused beyond form and signature is `illegal`, `superseded` or `over`.
        """
        with files.locked(self.host.record.root):
            sent = letters.read_bundle(self.host.opening, bundle)
            letter = sent.letter
            if letter.player == HOST:
                raise Refused("bad-signature", "the host's letters come from the host alone")
            press = self._open(sent)
            kept = self._find(letter.player, letter.number)
            if kept is None:
                self._check(letter, press)
                number = self._next() if press is not None and press.anonymous else 0
                kept = self._keep(letter, bundle, number)
            elif self._read(kept).data != sent.data:
                raise Refused(
                    "superseded", f"another letter {letter.number} of {letter.player} came before"
                )
            return self._taken(bundle, letter, press, kept)

    def announce(self, to: str, text: str, signer: Signer) -> Taken:
        """The host's own message to a player or to all; raises Refused."""
        with files.locked(self.host.record.root):
            if to != EVERYONE and to not in self.host.opening.players:
                raise Refused("illegal", f"nobody in this game is called {to!a}")
            press = Press(draw_secret().hex(), to, text)
            letter = Letter(self.host.opening.id, HOST, self._next())
            bundle = letters.write(self.host.opening, letter, signer, press)
            sent = letters.read_bundle(self.host.opening, bundle)
            kept = self._keep(sent.letter, bundle, letter.number)
            return self._taken(bundle, sent.letter, press, kept)

    def read(self) -> list[tuple[Letter, Press | None]]:
        """Every letter taken in, by writer and number, with its message."""
        found = []
        for path in sorted(self._paths(), key=lambda path: path.name):
            sent = self._read(path)
            found.append((sent.letter, self._open(sent)))
        return found

    def _notices(self) -> list[Letter]:
        """The letters that are no press, by writer and number."""
        paths = [path for path in self._paths() if path.parent.name == "notices"]
        return [self._read(path).letter for path in sorted(paths)]

    def absences(self) -> list[Letter]:
        """The notices of absence that were granted."""
        return [letter for letter in self._notices() if letter.absence is not None]

    def shown(self) -> set[str]:
        """The players who let each other know their mail addresses, as each said last."""
        said = {letter.player: letter.address for letter in self._notices() if letter.address}
        return {player for player, word in said.items() if word == "shown"}

    def grant(self) -> Advanced | None:
        """Move deadlines that fall into an absence, by a ruling; None where none does."""
        entry = self.host.link().entry
        if not isinstance(entry, Entry) or not entry.awaited:
            return None
        due: list[tuple[Time, Letter]] = []
        for letter in self.absences():
            prompt = entry.awaited.get(letter.player)
            if prompt is not None:
                until = self._deadline(letter, prompt, entry.reserve[letter.player])
                if until > prompt.until:
                    due.append((until, letter))
        if not due:
            return None
        until = max(until for until, _ in due)
        until = max([until, *(prompt.until for prompt in entry.awaited.values())])
        away = "; ".join(
            f"{one.player} is away until {one.absence.end} (letter {digest(one.render())[:16]})"
            for _, one in due
            if one.absence is not None
        )
        return self.host.rule(Ruling(away[:500]), until)

    def _deadline(self, letter: Letter, prompt: Awaited, reserve: int) -> Time:
        """The clock stands still in an absence: what was left of the time runs after it."""
        absence = letter.absence
        turn = seconds(self.host.opening.setup.options["turn_time"]) or 0
        usual = times.add(prompt.since, turn + reserve)
        if absence is None or prompt.since >= absence.end or usual <= absence.start:
            return prompt.until
        return times.add(usual, times.between(max(prompt.since, absence.start), absence.end))

    def _open(self, sent: Sent) -> Press | None:
        if sent.letter.text is None:
            return None
        key, letter = self.host.folder.letters(), sent.letter
        return letters.open_press(self.host.opening, sent, key, letter.player, letter.text)

    def _check(self, letter: Letter, press: Press | None) -> None:
        """Raise Refused for what the invite does not allow."""
        entry = self.host.link().entry
        if not isinstance(entry, Entry | Genesis) or not entry.awaited:
            raise Refused("over", "the game is over")
        if press is not None:
            self._check_press(letter.player, press)
        elif sum(one.player == letter.player for one in self._notices()) >= MOST_NOTICES:
            raise Refused("illegal", f"more than {MOST_NOTICES} notices in one game")
        if letter.absence is not None:
            allowed = seconds(self.host.opening.setup.options["absence"]) or 0
            absences = [one.absence for one in [*self.absences(), letter] if one.absence
                        and one.player == letter.player]  # fmt: skip
            total = sum(times.between(one.start, one.end) for one in absences)
            if total > allowed:
                raise Refused(
                    "illegal",
                    f"absences of {total} seconds in all: the invite allows {allowed}",
                )

    def _check_press(self, writer: str, press: Press) -> None:
        allowed = str(self.host.opening.setup.options["press"])
        wanted = "anonymous" if press.anonymous else "private"
        if press.to == EVERYONE and not press.anonymous:
            wanted = "public"
        if press.to == HOST:
            wanted = "none"
        if _PRESS_WORDS.index(wanted) > _PRESS_WORDS.index(allowed):
            raise Refused("illegal", f"{wanted} messages: the invite allows press = {allowed!a}")
        others = {*self.host.opening.players, EVERYONE, HOST} - {writer}
        if press.to not in others:
            raise Refused("illegal", f"a message to {press.to!a}: expected another player's name")
        waiting = [path for path in self._paths() if path.parent.name == "press"]
        if sum(path.name.startswith(f"{writer}-") for path in waiting) >= MOST_WAITING:
            raise Refused("illegal", f"more than {MOST_WAITING} messages between two entries")

    def _taken(self, bundle: Bundle, letter: Letter, press: Press | None, kept: Path) -> Taken:
        if press is None or press.to == HOST:
            return Taken(letter, press, {})
        opened = self.host.opening
        found = _KEPT.fullmatch(kept.name)
        if press.anonymous and found is not None:
            # The host signs in the writer's place; who compares letters finds nobody left out.
            cover = Letter(opened.id, HOST, int(found[4]))
            bundle = letters.write(opened, cover, self.host.signer, press)
            readers = opened.players if press.to == EVERYONE else (press.to,)
            letter_out = letters.read_bundle(opened, bundle).letter
        else:
            everyone = tuple(name for name in opened.players if name != letter.player)
            readers = everyone if press.to == EVERYONE else (press.to,)
            letter_out = letter
        passed = {to: letters.passed_on(opened, bundle, letter_out, press, to) for to in readers}
        return Taken(letter, press, passed)

    def _paths(self) -> list[Path]:
        folders = (self.root / "press", self.root / "press" / "noted", self.root / "notices")
        found = [path for one in folders if one.is_dir() for path in one.iterdir()]
        return [path for path in found if _KEPT.fullmatch(path.name)]

    def _find(self, player: str, number: int) -> Path | None:
        name = f"{player}-{number:04d}"
        found = [path for path in self._paths() if _matches(path, name)]
        return found[0] if found else None

    def _next(self) -> int:
        """The host's next number: its own letters and those that it signs for others count."""
        taken = [0]
        for path in self._paths():
            found = _KEPT.fullmatch(path.name)
            if found is not None:
                taken.append(int(found[4] or 0))
        return max(taken) + 1

    def _read(self, path: Path) -> Sent:
        return letters.read_bundle(self.host.opening, decode(files.read(path, _LIMIT)))

    def _keep(self, letter: Letter, bundle: Bundle, number: int) -> Path:
        name = f"{letter.player}-{letter.number:04d}"
        if letter.text is None:
            path = self.root / "notices" / f"{name}.txt"
        else:
            path = self.root / "press" / f"{name}-{letter.text}-{number:04d}.txt"
        files.write(path, encode(bundle), 0o600)
        return path


def _matches(path: Path, name: str) -> bool:
    found = _KEPT.fullmatch(path.name)
    return found is not None and f"{found[1]}-{found[2]}" == name
