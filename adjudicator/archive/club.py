"""A club's table: what many games prove together. Only a game whose verdict is *true* counts.

Each game is read as a `Result`: who sat where, how it ended, and how each player kept the deadlines
that the host signed. From the results alone, in whatever order they were found, follow the tables:
the same games give the same bytes on any machine. So all arithmetic is decimal, with a fixed number
of digits, and nobody's place depends on the order of games or names.

Ratings are those that explain all results of a game best (the model of Bradley and Terry, by
Zermelo's method of 1929; Elo is the same on its way there): somebody 400 points above is ten times
as likely to win. Two draws with a player of 1500 are added for everybody, or one win would be worth
infinitely many points. The error is one standard deviation, in points, while the others' ratings
stand. Where more than two play, the winner has won against each of the others.

A player is a key, called what it was last called in a game. Whoever plays with several (a page
makes one for each game) is one player if the club says so (`Decisions`).

What it must not know: printing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal, localcontext
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from adjudicator.archive.archive import Item, Walk, together
from adjudicator.core import deadlines
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Source
from adjudicator.duel import audit, documents
from adjudicator.duel.documents import is_duel
from adjudicator.store import files
from adjudicator.verifier import rulings
from adjudicator.verifier.claims import LOOK, TRUE, Findings
from adjudicator.verifier.duel import findings
from adjudicator.verifier.verify import verify
from games.game import Game, Setup
from games.options import MATCH, Option
from orders.errors import Refused, at
from orders.fields import Digest, Time
from orders.toml import parse

MIDDLE = 1500
"""The rating of somebody of whom nothing is known."""
DRAWS = 2
"""Draws with a player of `MIDDLE` that everybody is given."""
ROUNDS = 10_000
DECISIONS = "club.toml"
MOST_DECISIONS = 2**20
"""Bytes of it."""
SHORTEST, SHOWN = 8, 16
"""Hex digits of an id in it: at least so many; as many are shown."""
_DIGITS = Context(prec=28)
_NEAR = Decimal("0.0000000001")

Key = str
"""The fingerprint of a player's key."""


class Kept(NamedTuple):
    """How somebody kept deadlines: how often they were awaited, and of these how often their orders
    came within the turn time, on reserve, or not at all; and the seconds that rulings gave them."""

    awaited: int = 0
    in_time: int = 0
    on_reserve: int = 0
    missed: int = 0
    given: int = 0

    def plus(self, other: Kept) -> Kept:
        """Both together."""
        return Kept(*(one + two for one, two in zip(self, other, strict=True)))


class Seat(NamedTuple):
    """Who sat in a seat at the end, and the name that the game knows them by."""

    key: Key
    name: str


class Result(NamedTuple):
    """A game that is over and true. `seats` in their order; `winner` is one of their keys, or None
    for a draw; `abandoned`: it ended without a result, by its host. `kept`: by key, whoever sat
    there when a deadline ran. `time`: of its last entry; of a duel that of its offer, as nothing
    else in it has a time. `id`: of a duel the digest of its accept. `beside`: the duel's other
    files. `match` is its option of that name, `named` the digest by which a second game names it,
    `terms` its rules, table and other options, seats for players."""

    file: str
    id: Digest
    game: str
    title: str
    time: Time
    seats: tuple[Seat, ...]
    winner: Key | None
    kept: Mapping[Key, Kept]
    duel: bool = False
    abandoned: str = ""
    beside: tuple[str, ...] = ()
    match: str = "none"
    named: Digest = ""
    terms: tuple[object, ...] = ()

    @property
    def names(self) -> Mapping[Key, str]:
        """What each player is called in it."""
        return {seat.key: seat.name for seat in self.seats}

    @property
    def ended(self) -> str:
        """How it ended, in words."""
        if self.abandoned:
            return f"abandoned by its host {self.abandoned}"
        return "a draw" if self.winner is None else f"{self.names[self.winner]} won"

    def score(self, key: Key) -> int:
        """Twice what a player has won against each of the others: 2, 1 or 0."""
        return 1 if self.winner is None else 2 * (self.winner == key)


class Left(NamedTuple):
    """A file that does not count, and why."""

    file: str
    why: str


Counted = tuple[Result | Left, ...]


class Decisions(NamedTuple):
    """What a club decided, as its `club.toml` says. `accepted`: how the ids of games begin at which
    somebody looked, and which count. `same`: by key the same player's first; `names`: what players
    are called, by their first keys."""

    accepted: tuple[str, ...] = ()
    same: Mapping[Key, Key] = MappingProxyType({})
    names: Mapping[Key, str] = MappingProxyType({})

    @staticmethod
    def read(data: bytes) -> Decisions:
        """From the file: `accept`, a list of ids, and a table `players`, by name a list of
        fingerprints; raises Refused."""
        given = parse(data, MOST_DECISIONS)
        players = given.pop("players", {})
        accepted = _texts("accept", given.pop("accept", []), SHORTEST)
        if given or not isinstance(players, dict):
            what = f"it has {min(given)!a}" if given else "players is no table"
            raise Refused("malformed", f"expected accept and [players]; {what}")
        same: dict[Key, Key] = {}
        called: dict[Key, str] = {}
        for name, listed in players.items():
            for key in (keys := _texts(f"players: {name}", listed, len("SHA256:"))):
                if key in same:
                    raise Refused("malformed", f"players: {name}: {key!a} stands there twice")
                same[key] = keys[0]
            called[keys[0]] = name
        return Decisions(accepted, same, called)

    def of(self, one: Result) -> Result:
        """A result with each player's first key for all of their keys."""
        same = self.same
        kept: dict[Key, Kept] = defaultdict(Kept)
        for key, times in one.kept.items():
            kept[same.get(key, key)] = kept[same.get(key, key)].plus(times)
        winner = one.winner and same.get(one.winner, one.winner)
        seats = tuple(seat._replace(key=same.get(seat.key, seat.key)) for seat in one.seats)
        return one._replace(seats=seats, winner=winner, kept=dict(kept))


def _texts(where: str, given: object, least: int) -> tuple[str, ...]:
    if isinstance(given, list) and all(isinstance(one, str) and len(one) >= least for one in given):
        return tuple(given)
    raise Refused("malformed", f"{where}: expected a list of texts of {least} characters or more")


# From files to results.


def read(
    folder: Path,
    spread: Callable[[Callable[[Item], Counted], Iterable[Item]], Iterable[Counted]] = map,
) -> Standings:
    """The standings of all games below a folder, as its `club.toml` decides; raises Refused.
    `spread`: by whom files are read."""
    listed, decided = folder / DECISIONS, Decisions()
    if listed.exists():
        with at(DECISIONS):
            decided = Decisions.read(files.read(listed, MOST_DECISIONS))
    work = Reading(str(folder), decided.accepted)
    items = together(Walk().below(str(folder)))
    found = [one for counted in spread(work.do, items) for one in counted]
    return standings(found, decided)


class Reading(NamedTuple):
    """How files in a folder are read; `accepted` as in `Decisions`."""

    folder: str
    accepted: tuple[str, ...] = ()

    def do(self, item: Item) -> Counted:
        """What a record or pack counts for, or all files of one duel. Never raises, whatever they
        hold."""
        paths = map(Path, (item.text, *item.beside))
        named = tuple(path.relative_to(self.folder).as_posix() for path in paths)
        if item.fault:
            return (Left(named[0], item.fault),)
        try:
            sources = item.sources()
            if is_duel(sources[0]):
                return tuple(of_duels(named, *sources))
            found = verify(sources[0])
        except (Refused, OSError) as error:
            return (Left(", ".join(named), str(error)),)
        accepted = any((found.game or "").startswith(one) for one in self.accepted)
        return (result(named[0], sources[0], found, accepted=accepted),)


def result(file: str, source: Source, found: Findings, *, accepted: bool = False) -> Result | Left:
    """What a verified game counts for. `accepted`: a person looked at what is to be looked at."""
    # All that there is to look at may be that the host ended the game.
    abandoned = found.verdict.endswith("the game was abandoned") and len(found.marked) <= 1
    agreed = accepted or abandoned or _is_time_given(source, found)
    if found.code == LOOK and not agreed:
        so = f"If you looked, club.toml may accept {(found.game or '')[:SHOWN]}"
        return Left(file, f"{found.conclusion} {so}")
    if found.code not in {TRUE, LOOK}:
        return Left(file, found.conclusion)
    try:
        return _of_record(file, source)
    except Refused as error:
        return Left(file, str(error))


def _is_time_given(source: Source, found: Findings) -> bool:
    """Whether all that there is to look at is time that rulings gave: the table shows how much."""
    if found.code != LOOK or is_duel(source):
        return False
    ledger = Ledger.read(source)
    favours = rulings.favours(ledger.opening, ledger.links())
    return set(found.marked) == {line.text for line in favours if line.look}


def _of_record(file: str, source: Source) -> Result | Left:
    ledger = Ledger.read(source)
    ended = ledger.last.entry.outcome
    if ended is None:
        return Left(file, "the host has not opened it")
    players = ledger.opening.players
    keys = {player: ledger.last.key(player).fingerprint for player in players}
    times = [link.entry.time for link in ledger.links() if link.entry.time is not None]
    winner = ended.get("winner")
    if winner is not None and winner not in players:
        return Left(file, f"{winner} won, who has no seat")
    game = ledger.opening.game
    return Result(
        file,
        ledger.opening.id,
        game.id,
        game.title,
        times[-1],
        tuple(Seat(keys[player], player) for player in players),
        None if winner is None else keys[str(winner)],
        kept_in(ledger),
        abandoned=_short(ledger.opening.offer.host.fingerprint) if ended.get("abandoned") else "",
        match=ledger.opening.offer.match,
        named=ledger.opening.offer.digest,
        terms=_terms(game, ledger.opening.setup, ledger.opening.offer.invite.table),
    )


def _terms(game: Game[Any, Any], setup: Setup, table: Digest | None) -> tuple[object, ...]:
    """What both games of a match have, seats for players."""

    def seated(option: Option) -> object:
        value = setup.options[option.name]
        named = option.kind == "player" and value is not None
        return setup.players.index(value) if named else value

    options = tuple(seated(one) for one in game.options if one.name != MATCH.name)
    return game.rules, table, *options


def kept_in(ledger: Ledger) -> dict[Key, Kept]:
    """How deadlines were kept, from what every adjudication says of those whom it awaited, and what
    rulings gave."""
    kept: dict[Key, Kept] = defaultdict(Kept)
    before = ledger.link(0)
    for link in ledger.links()[1:]:
        if link.entry.ruling is None and link.entry.time is not None:
            for player, prompt in before.clocks.awaited.items():
                key = before.key(player).fingerprint
                missed = player in link.entry.missing
                received = None if missed else link.entry.slips[player].received
                reserve = before.clocks.reserve[player]
                late = deadlines.used(ledger.opening.setup, prompt, reserve, received)
                one = Kept(1, not missed and not late, not missed and late > 0, missed)
                kept[key] = kept[key].plus(one)
        before = link
    for link, player, seconds in rulings.given(ledger.opening, ledger.links()):
        key = link.key(player).fingerprint
        kept[key] = kept[key].plus(Kept(given=seconds))
    return dict(kept)


def of_duels(files: tuple[str, ...], *sources: Source) -> Iterator[Result | Left]:
    """What a duel counts for by all its files, whatever came first. It counts with whoever has won
    by what was signed, also where the loser has not opened, or has given it up; what is disputed
    goes to people. One offer may have begun two duels. Raises Refused."""
    for judged in audit.judge(documents.read(*sources)):
        row = judged.row
        if judged.outcome is None:
            yield Left(", ".join(files), findings(judged).conclusion)
            continue
        keys = {one.name: one.key.fingerprint for one in row.members}
        winner, setup = judged.outcome.winner, row.setup_by(row.moves[0].nonce or "")
        yield Result(
            files[0],
            row.accepted,
            row.game.id,
            row.game.title,
            row.offer.time,
            tuple(Seat(keys[name], name) for name in keys),
            None if winner is None else keys[winner],
            {},
            beside=files[1:],
            duel=True,
            match=row.match,
            named=row.accepted,
            terms=_terms(row.game, setup, row.offer.table),
        )


def _short(key: Key) -> str:
    return key[: len("SHA256:") + 8]


# From results to tables.


class Place(NamedTuple):
    """A player's line in a game's table."""

    key: Key
    rating: int
    error: int
    played: int
    won: int
    drawn: int
    lost: int


class Pairing(NamedTuple):
    """Who should play whom next, in the order of their seats, and how often they have."""

    first: Key
    second: Key
    met: int


class Table(NamedTuple):
    """A game's table: players by rating, how often each seat has won, who should play next."""

    game: str
    title: str
    places: tuple[Place, ...]
    seats: tuple[int, ...]
    draws: int
    pairings: tuple[Pairing, ...]


class Match(NamedTuple):
    """Two games of the same two, who changed seats for the second."""

    first: Result
    second: Result

    @property
    def points(self) -> Mapping[Key, int]:
        """Twice what each has won, in the order of the first game's seats."""
        both = (self.first, self.second)
        return {seat.key: sum(one.score(seat.key) for one in both) for seat in self.first.seats}


class Standings(NamedTuple):
    """All that is told. `results` in the order of their ends, `matches` in that of their second
    games; `names` by key, no two alike."""

    results: tuple[Result, ...]
    matches: tuple[Match, ...]
    left: tuple[Left, ...]
    names: Mapping[Key, str]
    tables: tuple[Table, ...]
    kept: Mapping[Key, Kept]


def standings(found: Iterable[Result | Left], decided: Decisions = Decisions()) -> Standings:  # noqa: B008
    """The standings that follow from these games, in whatever order they come. Nobody is rated for
    a game with themselves."""
    results, left = _once(found)
    results = [decided.of(one) for one in results]
    alone = [one for one in results if len(one.names) < len(one.seats)]
    left += [Left(one.file, "one player in two seats") for one in alone]
    results = [one for one in results if len(one.names) == len(one.seats)]
    played = [one for one in results if not one.abandoned]
    by_game: dict[str, list[Result]] = defaultdict(list)
    for one in played:
        by_game[one.game].append(one)
    kept: dict[Key, Kept] = defaultdict(Kept)
    for one in results:
        for key, times in one.kept.items():
            kept[key] = kept[key].plus(times)
    return Standings(
        tuple(results),
        tuple(_matches(played)),
        tuple(sorted(left)),
        _called(results, decided.names),
        tuple(_table(by_game[game]) for game in sorted(by_game)),
        dict(sorted(kept.items())),
    )


def _once(found: Iterable[Result | Left]) -> tuple[list[Result], list[Left]]:
    """Each game once, in the order of their ends; of two ends of one game neither counts."""
    left = []
    by_id: dict[Digest, list[Result]] = defaultdict(list)
    for one in found:
        if isinstance(one, Left):
            left.append(one)
        else:
            by_id[one.id].append(one)
    results = []
    for same in by_id.values():
        same.sort(key=lambda one: one.file)
        first = same[0]
        if all(one._replace(file=first.file) == first for one in same):
            results.append(first)
        else:
            why = f"two histories of one game: {', '.join(one.file for one in same)}"
            left += [Left(one.file, why) for one in same]
    return sorted(results, key=lambda one: (one.time, one.id)), left


def _matches(played: Sequence[Result]) -> Iterator[Match]:
    """The matches of which both games are here. Each game says so in what its players signed; of
    two that would be the second of one match, that counts which ended first."""
    firsts = {one.named: one for one in played if one.match == "first"}
    for one in played:
        first = firsts.get(one.match)
        if first is not None and (
            (first.terms, [seat.key for seat in first.seats])
            == (one.terms, [seat.key for seat in reversed(one.seats)])
        ):
            yield Match(firsts.pop(one.match), one)


def _called(results: Sequence[Result], given: Mapping[Key, str]) -> dict[Key, str]:
    """The last name of each key; with a part of the key where two have one name."""
    last = {seat.key: seat.name for one in results for seat in one.seats}
    for one in results:
        for key in one.kept:
            last.setdefault(key, _short(key))  # They handed their seat on.
    last.update((key, name) for key, name in given.items() if key in last)
    many = Counter(last.values())
    return {
        key: name if many[name] == 1 else f"{name} ({_short(key)})"
        for key, name in sorted(last.items())
    }


def _table(results: Sequence[Result]) -> Table:
    first = results[0]
    keys = sorted({seat.key for one in results for seat in one.seats})
    rated = ratings(results)
    places = []
    for key in keys:
        mine = [one for one in results if key in one.names]
        won = sum(one.winner == key for one in mine)
        drawn = sum(one.winner is None for one in mine)
        lost = len(mine) - won - drawn
        places.append(Place(key, *rated[key], len(mine), won, drawn, lost))
    places.sort(key=lambda one: (-one.rating, one.error, one.key))
    most = max(len(one.seats) for one in results)
    seats = tuple(
        sum(one.winner == one.seats[at].key for one in results if at < len(one.seats))
        for at in range(most)
    )
    draws = sum(one.winner is None for one in results)
    return Table(first.game, first.title, tuple(places), seats, draws, pairings(places, results))


def ratings(results: Sequence[Result]) -> dict[Key, tuple[int, int]]:
    """Each player's rating and its error, in points."""
    halves: dict[Key, int] = defaultdict(int)
    met: dict[Key, Counter[Key]] = defaultdict(Counter)
    for one in results:
        for a, b in combinations([seat.key for seat in one.seats], 2):
            if one.winner in {a, b, None}:
                halves[a] += one.score(a)
                halves[b] += one.score(b)
                met[a][b] += 1
                met[b][a] += 1
    with localcontext(_DIGITS):
        return _rated(halves, met)


def _rated(
    halves: Mapping[Key, int], met: Mapping[Key, Counter[Key]]
) -> dict[Key, tuple[int, int]]:
    """Zermelo's method: each player's strength is what they won over what they had to expect for a
    strength of 1, until nothing changes any more."""
    keys = sorted(met)
    strength = dict.fromkeys(keys, Decimal(1))
    for _ in range(ROUNDS):
        moved = Decimal(0)
        for key in keys:
            mine = strength[key]
            expected = DRAWS / (mine + 1)
            expected += sum(
                (many / (mine + strength[other]) for other, many in sorted(met[key].items())),
                Decimal(0),
            )
            strength[key] = Decimal(halves[key] + DRAWS) / 2 / expected
            moved = max(moved, abs(strength[key] / mine - 1))
        if moved < _NEAR:
            break
    unit = 400 / Decimal(10).ln()
    rated = {}
    for key in keys:
        mine = strength[key]
        known = DRAWS * mine / (mine + 1) ** 2
        known += sum(
            (many * mine * strength[other] / (mine + strength[other]) ** 2
             for other, many in sorted(met[key].items())),
            Decimal(0),
        )  # fmt: skip
        points, error = MIDDLE + unit * mine.ln(), unit / known.sqrt()
        rated[key] = (int(points.to_integral_value()), int(error.to_integral_value()))
    return rated


def pairings(places: Sequence[Place], results: Sequence[Result]) -> tuple[Pairing, ...]:
    """Who should play whom next: first those who played least, each with whom they met least and
    who is nearest in rating. Seats are swapped from when the two last met; otherwise who sat first
    less often begins."""
    met: Counter[frozenset[Key]] = Counter()
    begun: Counter[Key] = Counter()
    last: dict[frozenset[Key], Key] = {}
    for one in results:
        keys = [seat.key for seat in one.seats]
        begun[keys[0]] += 1
        for a, b in combinations(keys, 2):
            met[frozenset((a, b))] += 1
            last[frozenset((a, b))] = a
    waiting = sorted(places, key=lambda one: (one.played, -one.rating, one.key))
    found = []
    while len(waiting) > 1:
        next_one = waiting.pop(0)

        def apart(other: Place, one: Place = next_one) -> tuple[int, int, Key]:
            gap = abs(one.rating - other.rating)
            return met[frozenset((one.key, other.key))], gap, other.key

        partner = min(waiting, key=apart)
        waiting.remove(partner)
        both = frozenset((next_one.key, partner.key))
        second = last.get(both) or max(both, key=lambda key: (begun[key], key))
        (first,) = both - {second}
        found.append(Pairing(first, second, met[both]))
    return tuple(found)
