"""A search for sets of documents by which an honest player is named, or loses what they had proved.

One player is honest: the real program on several devices, which are restored, lose what came, and
are shown any row. The other signs whatever they like: each honest move after each row, moves from a
number that they did not hide, false facts, and ends at any move or at none. Then every subset of
all that was signed is judged, and `PROPERTIES` must hold. `python tests/duel/search.py` counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from duel.hosted import drawn
from duel.people import ended, moved, short
from duel.toy import TOY

import games
from adjudicator.duel import again, audit, documents
from adjudicator.duel import party as parties
from adjudicator.duel.again import Again
from adjudicator.duel.documents import Documents, Kept
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.machine.duel import Person
from adjudicator.store.clock import DemoClock
from games.dice import Dice
from games.game import Bot, Game, Written
from orders import names, sshsig
from orders.duel import Move
from orders.fields import Digest
from orders.keys import MemoryKey
from orders.secrets import DuelSecret
from orders.sshsig import Signed

NOW, LATE = "2026-02-01T00:00:00Z", "2027-02-01T00:00:00Z"
NOWHERE = "ab" * 32
Action = tuple[Any, ...]


class Broken(Exception):
    """A set of documents for which a property does not hold."""


@contextmanager
def fast() -> Iterator[None]:
    """Each signature is checked once, each document read once, and each side made again once along
    each row, whatever sets hold it; the toy is a game."""
    load, along = games.load, Along()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sshsig, "verify", cache(sshsig.verify))
        for name in ("read_move", "read_end"):
            patch.setattr(documents, name, cache(getattr(documents, name)))
        patch.setattr(audit, "begin", along.begin)
        patch.setattr(audit, "follow", along.follow)
        patch.setattr(games, "load", lambda name: TOY if name == TOY.id else load(name))
        yield


class Along:
    """What `again` makes, each once: a side is a function of the accept and of the row. What it was
    made of stays as it was."""

    def __init__(self) -> None:
        self.known: dict[tuple[Any, ...], Again] = {}

    def begin(self, row: Row, player: str, secret: DuelSecret, nonce: str) -> Again:
        """As in `again`."""
        key = (row.accepted, player, nonce)
        return self._kept(key, lambda: again.begin(row, player, secret, nonce))

    def follow(self, made: Again, move: Move, author: str) -> Again:
        """As in `again`."""
        key = (vars(made.side)["way"], move)
        return self._kept(key, lambda: again.follow(made.copy(), move, author))

    def _kept(self, key: tuple[Any, ...], make: Callable[[], Again]) -> Again:
        if key not in self.known:
            self.known[key] = found = make()
            if found.side is not None:
                vars(found.side)["way"] = len(self.known)
        return self.known[key]


class Chosen:
    """A bot that plays what it is told."""

    def __init__(self, text: str) -> None:
        self.text = text

    def hear(self, view: Any, events: Any) -> None:
        """See Bot."""

    def order(self, dice: Dice) -> Written:
        """See Bot."""
        return Written(self.text)


def somebody(name: str, seed: str, bot: Bot) -> Person:
    """A person all of whose chance comes from `seed`."""
    key, secret = (drawn(f"{seed}/{name}/{use}") for use in ("key", "secret"))
    dice = Dice(drawn(f"{seed}/{name}/dice"))
    return Person(name, bot, MemoryKey.from_seed(key), DuelSecret(secret), dice, DemoClock())


class Seen(NamedTuple):
    """What of a verdict the properties speak of."""

    word: str
    liar: str
    winner: str | None
    loses_by: bool
    text: str


class World:
    """A duel in which one is honest. `pool`: all that was ever signed; of it `fixed` is in every
    set. `devices`: the honest player's."""

    def __init__(
        self, whole: Documents, honest: Person, opponent: Person, choices: Any, more: Any = ()
    ) -> None:
        """`choices`: the orders that a side may give. `more`: documents that lie beside."""
        self.base, self.honest, self.opponent, self.choices = whole, honest, opponent, choices
        self.pool = short(whole, 10**6)
        self.fixed = {*self.pool.files}
        for path, file in more:
            self.pool.add(path, file)
        (self.accept,) = [one for one in self.pool.begun if one in whole.begun]
        self.devices = [self._device() for _ in range(2)]
        self.clean = True
        self._sides: dict[Digest, Again] = {}

    def _device(self) -> Party:
        at = short(self.base, 10**6)
        return Party(at, self.honest.name, self.honest.secret, since=NOW)

    # What may happen.

    def actions(self) -> Iterator[Action]:
        """All that may happen next."""
        row = self.pool.begun[self.accept]
        tips = [self.accept, *(one for one in self.pool.moves if self.whose(one) == self.accept)]
        for at, party in enumerate(self.devices):
            if party.is_due:
                yield "go", at, 0
            elif party.prompt is not None:
                yield from (("go", at, which) for which in range(len(self.choices(party.side))))
            missing = [one for one in tips[1:] if one not in party.documents.moves]
            yield from (("show", at, one) for one in missing)
            ends = self.pool.ends_of(self.accept)
            yield from (("tell", at, one) for one in ends if one not in party.documents.ends)
            if not party.ended and party.row.begun:
                yield from (("quit", at, up) for up in (False, True))
            if party.row.moves != self.devices[0].row.moves or len(party.row.moves) > 1:
                yield "restore", at
        for one in tips:
            number = self.pool.number(one) or 0
            if row.author_of(number + 1) == self.opponent.name:
                yield from (("sign", one, how) for how in ("0", "1", "false", "rubbish"))
        for one in (*tips, NOWHERE):
            yield from (("end", one, up) for up in (False, True))

    def do(self, action: Action) -> None:
        """Let it happen; what cannot happen does not."""
        what, at, *how = action
        if what in ("sign", "end"):
            made = self._move(at, how[0]) if what == "sign" else self._end(at, *how)
            if made is not None:
                self.pool.add(*made)
                if what == "sign":
                    self.do(("show", 0, made[1].digest))
            return
        party = self.devices[at]
        if at or what == "restore":
            self.clean = False
        if what == "go":
            first = how[0]
            while party.prompt is not None:
                choices = self.choices(party.side)
                party.order(Written(choices[min(first, len(choices) - 1)]))
                first = 0
            self._keep(party.go_on(self.honest.signer, NOW))
        elif what == "show":
            row = self.pool.row(how[0])
            held = [self.pool.files[one] for one in row.digests if one in self.pool.files]
            party.take({one.path: one.file for one in held}, NOW)
            if party.prompt is None:
                self._keep(party.go_on(self.honest.signer, NOW))
        elif what == "tell":
            one = self.pool.files[how[0]]
            with suppress(documents.Refused):
                party.take({one.path: one.file}, NOW)
        elif what == "quit":
            try:
                self._keep(party.end(self.honest.signer, LATE, gives_up=how[0]))
            except documents.Refused:
                return
        else:
            self.devices[at] = self._device()

    def _keep(self, made: Any) -> None:
        for path in sorted(made, key=names.in_duel):
            self.pool.add(path, made[path])

    def whose(self, one: Digest) -> Digest:
        """The accept of the duel to which a document belongs."""
        return self.pool.files[one].accept

    def _end(self, last: Digest, gives_up: bool) -> tuple[str, Signed]:
        number = self.pool.number(last)
        told = 7 if number is None else number + (gives_up and number > 1)
        return ended(short(self.base, 0), self.opponent, last, gives_up=gives_up, number=told)

    def _side(self, last: Digest) -> Again:
        """The opponent's side at a move, made again."""
        if last not in self._sides:
            row = self.pool.row(last)
            if last == self.accept:
                nonce = self._nonce()
                made = again.begin(row, self.opponent.name, self.opponent.secret, nonce)
            else:
                before = self._side(row.moves[-1].last).copy()
                author = row.author_of(len(row.moves))
                made = again.follow(before, row.moves[-1], author)
            self._sides[last] = made
        return self._sides[last].copy()

    def _nonce(self) -> str:
        offers = self.base.offered.offer.player == self.opponent.name
        return (self.opponent if offers else self.honest).secret.release(1)

    def _move(self, last: Digest, how: str) -> tuple[str, Signed] | None:
        number = (self.pool.number(last) or 0) + 1
        if how == "false" and number > 1:
            # From a number that they did not hide, consistently.
            row = self.pool.row(last)
            made = self._side(row.moves[-1].last)
            if made.side is None or made.lie is not None or not hasattr(made.side.state, "hidden"):
                return None
            state, name = made.side.state, self.opponent.name
            hidden = {**state.hidden, name: 1 - (state.hidden[name] or 0)}
            made.side.state = state._replace(hidden=hidden)
            made = again.follow(made, row.moves[-1], self.honest.name)
        else:
            made = self._side(last)
        side = made.side
        if side is None or made.lie is not None:
            return None
        first = how
        while side.prompt is not None:
            choices = self.choices(side)
            which = int(first) if first.isdigit() else 0
            side.play(Written(choices[min(which, len(choices) - 1)]))
            first = "0"
        if not side.tells and number > 1:
            return None
        move = again.make(side, number, last)
        if how == "rubbish":
            move = move._replace(facts=(*move.facts[:-1], "hit 7") if number > 1 else move.facts)
        return moved(self.opponent, move)


# What is checked.


class Checker:
    """Judges sets of one world, each once; `judged` counts."""

    def __init__(self) -> None:
        self.seen: dict[frozenset[Digest], Seen] = {}
        self.judged = 0
        self._begun = Documents.__new__(Documents)
        self._files: list[tuple[Digest, Kept]] = []

    def check(self, world: World, most: int = 7, random: Random | None = None) -> None:
        """Raise Broken if a subset of the pool breaks a property: of all, or of so many documents
        chosen at random, with and without the others."""
        self._begin(world)
        self._again(world)
        free = [one for one in world.pool.files if one not in world.fixed]
        rest: list[Digest] = []
        if len(free) > most:
            random = random or Random(len(free))  # noqa: S311 - a test's own
            chosen = {*random.sample(free, most)}
            rest = [one for one in free if one not in chosen and random.random() < 0.7]
            free = [one for one in free if one in chosen]
        found = []
        for mask in range(2 ** len(free)):
            some = [one for at, one in enumerate(free) if mask >> at & 1]
            found.append(self._of(world, frozenset((*rest, *some))))
        for mask, before in enumerate(found):
            some = [one for at, one in enumerate(free) if mask >> at & 1]
            self._alone(world, before, (*rest, *some))
            for at in range(len(free)):
                if not mask >> at & 1:
                    self._grown(world, before, found[mask | 1 << at])
        if world.clean:
            honest = world.honest.name
            row = world.pool.begun[world.accept]
            numbers = [one.number for one in world.devices[0].documents.moves.values()]
            mine = [one for one in numbers if row.author_of(one) == honest]
            self._hold("h", len(mine) == len({*mine}), f"two moves of one number: {mine}")
        for party in world.devices:
            if party.row.begun:
                twin = Party(party.documents, party.player, party.secret, on=party.row.last)
                self._hold("i", twin.block() == party.block(), "other bytes of one state")

    def _of(self, world: World, some: frozenset[Digest]) -> Seen:
        if some not in self.seen:
            one, other = (self._judged(world, some, reverse=turned) for turned in (False, True))
            self._hold("g", one == other, f"by the order of files {one} or {other}")
            self.seen[some] = one
            self.judged += 2
        return self.seen[some]

    def _begin(self, world: World) -> None:
        """What all sets of that world hold, and what else is in its pool, each kind by digest."""
        begun, self._files = Documents(world.pool.files[world.pool.id].file), []
        for one, kept in world.pool.files.items():
            if one in world.pool.begun:
                begun.add(names.ACCEPT, kept.file)
            elif one != world.pool.id:
                self._files.append((one, kept))
        self._files.sort(key=lambda one: (names.in_duel(one[1].path)[:2], one[0]))
        self._begun = begun

    def _again(self, world: World) -> None:
        """All documents are judged as everybody judges them, each side made again."""
        every = frozenset(world.pool.files) - world.fixed
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(audit, "begin", again.begin)
            patch.setattr(audit, "follow", again.follow)
            found = self._judged(world, every, reverse=False)
        self._hold("g", found == self._of(world, every), f"not what is made once: {found}")

    def _judged(self, world: World, some: frozenset[Digest], *, reverse: bool) -> Seen:
        whole = copy(self._begun)
        whole.files, whole.begun = {**whole.files}, {**whole.begun}
        whole.moves, whole.ends, whole.notes = {}, {}, {}
        held = [kept for one, kept in self._files if one in some or one in world.fixed]
        if reverse:
            held.reverse()
            held.sort(key=lambda one: names.in_duel(one.path)[:2])
        for kept in held:
            try:
                whole.add(kept.path, kept.file)
            except documents.Refused as error:
                assert error.word == "not-yet", error
        found = [one for one in audit.judge(whole) if one.row.accepted in ("", world.accept)]
        if not found:
            return Seen("not-begun", "", None, False, "")
        (judged,) = found
        winner = None if judged.outcome is None else judged.outcome.winner
        last, honest = judged.row.last, world.honest.name
        by = judged.row.begun and judged.row.author_of(len(judged.row.moves)) == honest
        ends = [one for one in whole.ends.values() if one.player == honest and one.last == last]
        liar = "" if judged.lie is None else judged.lie.player
        loses = bool(by or ends) and self._lost(world, judged.row, winner)
        return Seen(judged.word, liar, winner, loses, judged.text)

    def _lost(self, world: World, row: Row, winner: str | None) -> bool:
        """Whether the honest player's own side knows at the end of a row that the other won."""
        if winner != world.opponent.name:
            return False
        made = again.side_of(row, world.honest.name, world.honest.secret)
        return made.side is not None and made.side.outcome is not None

    def _hold(self, name: str, holds: bool, text: str) -> None:
        if not holds:
            raise Broken(f"({name}) {text}")

    def _alone(self, world: World, seen: Seen, some: Sequence[Digest]) -> None:
        """What holds of one set."""
        honest, opponent = world.honest.name, world.opponent.name
        self._hold("a", seen.liar != honest, seen.text)
        if seen.word in ("gave-up", "gave-up-closed", "both-gave-up"):
            up = {
                end.player for one, end in world.pool.ends.items()
                if end.gives_up and end.accept == world.accept and one in some
            }  # fmt: skip
            named = {opponent} if seen.winner == honest else {honest}
            if seen.word == "gave-up-closed":
                named = {seen.text.partition(" ")[0]}
            elif seen.word == "both-gave-up":
                named = {honest, opponent}
            self._hold("b", honest not in named or honest in up, seen.text)
        if seen.word in ("true", "won") and seen.winner == opponent:
            self._hold("f", seen.loses_by, seen.text)
        if seen.word == "disputed":
            up = {
                end.last for one, end in world.pool.ends.items()
                if one in some and end.gives_up and end.player == opponent
            }  # fmt: skip
            never = {NOWHERE, world.accept}
            self._hold("e", not up & never, f"{opponent} gave it up: {seen.text}")

    def _grown(self, world: World, before: Seen, after: Seen) -> None:
        """What holds of a set and the same with one document more."""
        honest = world.honest.name
        told = f"{before.text} -> {after.text}"
        if before.word == "true":
            same = after.word == "true" and after.winner == before.winner
            self._hold("c", same or after.word == "twice", told)
        if before.word == "won" and before.winner == honest:
            kept = after.word in ("true", "won") and after.winner == honest
            lied = after.word == "lie" or after.word == "twice"
            self._hold("d", kept or lied, told)
        if before.word == "gave-up" and before.winner == honest:
            self._hold("e", after.word != "disputed", told)


# Worlds.


@cache
def toy(number: int) -> tuple[Documents, Person, Person]:
    """The beginning of a duel at the toy: the documents up to the accept, who is honest, who is
    not. The number says what they hide, who offers, and the coin."""
    hides, honest_offers = (str(number & 1), str(number >> 1 & 1)), bool(number >> 2 & 1)
    people = [
        somebody(name, f"toy/{number}", Chosen(hide))
        for name, hide in zip(("alice", "bob"), hides, strict=True)
    ]
    honest, opponent = people
    one, other = (honest, opponent) if honest_offers else (opponent, honest)
    one.offer(TOY, {})
    other.accept(one.at.block())
    whole = Documents(one.at.documents.files[one.at.documents.id].file)
    whole.add(names.ACCEPT, other.at.documents.files[other.at.row.accepted].file)
    return whole, honest, opponent


def toy_choices(side: Any) -> list[str]:
    """What may be guessed."""
    return ["0", "1"]


def toy_world(number: int) -> World:
    """A world at the toy. Some have another duel beside, of the same offer or by the same player,
    which the honest player gave up."""
    whole, honest, opponent = toy(number)
    return World(whole, honest, opponent, toy_choices, beside(number))


@cache
def beside(number: int) -> tuple[tuple[str, Signed], ...]:
    """The accept of somebody else, by an opponent of two names, and the honest end of that duel."""
    whole, honest, _ = toy(number)
    if whole.offered.offer.player != honest.name:
        return ()
    third = somebody("carol", f"toy/{number}", Chosen("0"))
    there = Documents(whole.files[whole.id].file)
    there = parties.accept(there, third.name, third.signer, third.secret, Written("0"))
    party = Party(there, honest.name, honest.secret)
    party.go_on(honest.signer, NOW)
    while party.prompt is not None:
        party.order(Written("0"))
    party.go_on(honest.signer, NOW)
    if party.row.begun:
        party.end(honest.signer, LATE, gives_up=True)
    kept = [one for one in party.documents.files.values() if one.accept]
    kept.sort(key=lambda one: names.in_duel(one.path))
    return tuple((one.path, one.file) for one in kept)


def real(game: Game[Any, Any], seed: int, cut: int) -> World:
    """A world that begins some moves before the end of an honest duel at a real game."""
    from duel.people import played

    bots = ("random", "captain") if seed % 2 else ("captain", "random")
    duel = played(f"search/{seed}", bots, game=game)
    honest, opponent = duel.people if seed % 3 else duel.people[::-1]
    many = len(duel.row.moves)

    def choices(side: Any) -> list[str]:
        """The one that was given there, if the side is on that row; else the first that are."""
        # An offer of a draw stands beside a command.
        legal = [one for one in game.legal(side.view) if not one.startswith(("offer", "draw"))]
        random = Random(f"{seed}/{side.step}")  # noqa: S311 - a test's own
        # A line that answers nothing needs another beside it.
        whole = (
            one for one in random.sample(legal, len(legal)) if game.after(side.view, [one]).complete
        )
        return [*islice(whole, 2), "resign"]

    return World(duel.short(max(1, many - cut)), honest, opponent, choices)


def finish(world: World, random: Random) -> None:
    """Both play honestly to the end, or to where one of them thinks that it is over, and end."""
    party, opponent, before = world.devices[0], world.opponent.name, None
    while not party.ended and before != party.row.last:
        before = party.row.last
        if party.row.author == opponent:
            world.do(("sign", before, random.choice("01")))
        else:
            world.do(("go", 0, random.randrange(2)))
    world.do(("end", party.row.last, False))


def walk(world: World, random: Random, steps: int) -> list[Action]:
    """A walk of so many actions at random."""
    done = []
    for _ in range(steps):
        action = random.choice([*world.actions()])
        world.do(action)
        done.append(action)
    return done


def walks(count: int, first: int = 0) -> int:
    """So many walks at the toy; how many sets were judged. Raises Broken."""
    judged = 0
    for number in range(first, first + count):
        random = Random(number)  # noqa: S311 - a test's own
        world = toy_world(number % 8)
        checker = Checker()
        if number & 8:
            finish(world, random)
        done = walk(world, random, random.randint(2, 5) if number & 8 else random.randint(4, 16))
        try:
            checker.check(world, random=random)
        except Broken as error:
            raise Broken(f"walk {number}: {error}; after {done}") from None
        judged += checker.judged
    return judged


def exhaust(number: int, depth: int) -> tuple[int, int]:
    """Every course of so many actions at the toy with one device; how many worlds, and sets, were
    looked at. Raises Broken."""
    checker, known = Checker(), set[tuple[Any, ...]]()
    level: list[tuple[Action, ...]] = [()]
    for at in range(depth + 1):
        following = []
        for done in level:
            world = toy_world(number)
            for action in done:
                world.do(action)
            party = world.devices[0]
            state = (
                frozenset(world.pool.files), frozenset(party.documents.files), party.row.last,
            )  # fmt: skip
            if state in known:
                continue
            known.add(state)
            if at == depth or not at % 2:
                checker.check(world, 6)
            if at < depth:
                following += [
                    (*done, action) for action in world.actions()
                    if action[1] != 1 or action[0] in ("sign", "end")
                ]  # fmt: skip
        level = following
    return len(known), checker.judged


def main() -> None:
    """Count what is judged."""
    from games.silent_ships import GAME as SILENT
    from games.sugar_dog import GAME as SUGAR

    with fast():
        worlds = [exhaust(number, 3) for number in range(8)]
        print(f"every course of 3 actions: {sum(one for one, _ in worlds)} states, "
              f"{sum(sets for _, sets in worlds)} sets judged")  # fmt: skip
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
        print(f"{count} walks: {walks(count)} sets judged")
        for game in (SILENT, SUGAR):
            judged = sum(real_walk(game, seed) for seed in range(count // 50))
            print(f"{count // 50} walks at {game.title}: {judged} sets judged")


def real_walk(game: Game[Any, Any], seed: int) -> int:
    """A walk at a real game; how many sets were judged. Raises Broken."""
    random, checker = Random(seed), Checker()  # noqa: S311 - a test's own
    world = real(game, seed, random.randint(1, 5))
    walk(world, random, random.randint(4, 10))
    checker.check(world, 5, random)
    return checker.judged


if __name__ == "__main__":
    main()
