"""A club's table: what counts, ratings, pairings, deadlines; the same bytes from the same games."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from uuid import RFC_4122, UUID
from xml.etree import ElementTree

import pytest
from commands import Table as Commands
from duel.test_ends import at, duel, held, winner
from table import Table

from adjudicator.archive import club, standings
from adjudicator.archive.archive import Walk, together
from adjudicator.archive.club import Decisions, Kept, Left, Reading, Result, Seat
from adjudicator.core.deadlines import span
from adjudicator.core.ledger import Ledger
from adjudicator.duel.documents import Documents
from adjudicator.page import build
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier import rulings
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest

SUITE = Path(__file__).parents[1] / "suite"


def game(number: int, players: str, winner: str = "", **other: object) -> Result:
    """A game of Sugar Dog between keys of one letter."""
    seats = tuple(Seat(one, one.lower()) for one in players)
    time = f"2026-01-{number % 28 + 1:02}T00:00:00Z"
    made = Result(
        f"{number}.zip",
        digest(f"{number}".encode()),
        "sugar-dog",
        "Sugar Dog",
        time,
        seats,
        winner or None,
        {},
    )
    return made._replace(**other)  # type: ignore[arg-type]


def test_ratings_explain_the_results() -> None:
    """Who wins three of four is about 190 points above; more games make the error smaller."""
    results = [game(n, "AB", "BA"[n % 4 > 0]) for n in range(200)]
    (a, error), (b, _) = (club.ratings(results)[key] for key in "AB")
    assert 180 <= a - b <= 195
    assert a + b == 3000
    assert error < club.ratings(results[:20])["A"][1]
    assert club.ratings([game(1, "AB")]) == {"A": (1500, 201), "B": (1500, 201)}
    one = club.ratings([game(1, "ABC", "B")])
    assert one["A"] == one["C"] < one["B"]


def test_the_order_of_games_and_names_decides_nothing() -> None:
    """The same games in any order give the same bytes."""
    games = [game(1, "AB", "A"), game(2, "BC", "C"), game(3, "CA"), Left("x.zip", "why")]
    made = {
        tuple(standings.files(club.standings(order), {}).values())
        for order in itertools.permutations(games)
    }
    assert len(made) == 1


def test_results_are_a_feed() -> None:
    """Atom, the last result first: who won, when, and ids that stay, also the feed's when the
    record of an older game comes; without a result there is
    none, as a feed has the date of its newest entry."""
    games = [game(1, "AB", "A"), game(2, "BC", "C", title="Fog & <Dogs>"), game(3, "CA")]
    data = standings.files(club.standings(games), {"2.zip": "games/a b.html"})["results.atom"]
    feed = ElementTree.fromstring(data)  # noqa: S314 - our own
    space = "{http://www.w3.org/2005/Atom}"
    assert feed.tag == f"{space}feed"
    heads = [one.tag.removeprefix(space) for one in feed]
    assert heads == ["title", "id", "updated", "author", *["entry"] * 3]
    told = [
        {part.tag.removeprefix(space): part.text or part.get("href") for part in entry}
        for entry in feed.iter(f"{space}entry")
    ]
    assert [one["title"] for one in told] == [
        "Sugar Dog, c, a: a draw", "Fog & <Dogs>, b, c: c won", "Sugar Dog, a, b: a won",
    ]  # fmt: skip
    assert [one["updated"] for one in told] == [f"2026-01-0{day}T00:00:00Z" for day in (4, 3, 2)]
    assert feed.findtext(f"{space}updated") == told[0]["updated"]
    assert feed.findtext(f"{space}author/{space}name")
    assert [one.get("link") for one in told] == [None, "games/a%20b.html", None]
    assert [one["content"] for one in told] == [f"game {games[at].id}" for at in (2, 1, 0)]
    ids = [feed.findtext(f"{space}id"), *(one["id"] for one in told)]
    assert len(set(ids)) == 4
    for one in ids:
        assert UUID(one.removeprefix("urn:uuid:")).version == 8
        assert UUID(one.removeprefix("urn:uuid:")).variant == RFC_4122
    more = standings.files(club.standings([*games, game(0, "AB")]), {})["results.atom"]
    assert f"<id>{ids[0]}</id>" in more.decode().partition("<entry>")[0]
    assert "results.atom" not in standings.files(club.standings([]), {})


def test_each_file_knows_its_own_kind() -> None:
    """With games or without it begins alike, and no two of them do: so it replaces its own."""
    few, many = (standings.files(club.standings(one), {}) for one in ([], [game(1, "AB", "A")]))
    begin = {name: standings.begins(data) for name, data in many.items()}
    assert len(set(begin.values())) == len(begin)
    for name, data in many.items():
        assert [one for one, how in begin.items() if data.startswith(how)] == [name]
    for name, data in few.items():
        assert standings.begins(data) == begin[name]


def test_a_game_counts_once_and_two_histories_do_not() -> None:
    """A copy changes nothing; another end of one game leaves both out, named."""
    once = club.standings([game(1, "AB", "A")])
    copy = game(1, "AB", "A", file="copy.zip")
    assert club.standings([game(1, "AB", "A"), copy]).results == once.results
    told = club.standings([game(1, "AB", "A"), game(1, "AB", "B", file="other.zip")])
    assert told.results == ()
    assert [one.file for one in told.left] == ["1.zip", "other.zip"]
    assert "two histories of one game: 1.zip, other.zip" in told.left[0].why


def test_abandoned_games_are_told_but_not_rated() -> None:
    """With the host who ended them."""
    told = club.standings([game(1, "AB", abandoned="SHA256:h"), game(2, "AB", "B")])
    (table,) = told.tables
    assert [one.played for one in table.places] == [1, 1]
    assert b"abandoned by its host SHA256:h" in standings.files(told, {})["standings.md"]


def test_keys_of_one_player() -> None:
    """The club says so; a game of a player with themselves is left out."""
    decided = Decisions.read(b'accept = ["0123456789"]\n[players]\nann = ["A", "C"]\n'.replace(
        b'"A", "C"', b'"SHA256:A", "SHA256:C"'))  # fmt: skip
    assert decided.accepted == ("0123456789",)
    decided = decided._replace(same={"A": "A", "C": "A"}, names={"A": "ann"})
    one = game(1, "AB", "A", kept={"A": Kept(2, 1, 1, 0)})
    two = game(2, "CB", "C", kept={"C": Kept(1, 0, 0, 1)})
    told = club.standings([one, two, game(3, "AC")], decided)
    (table,) = told.tables
    assert [(told.names[place.key], place.won) for place in table.places] == [("ann", 2), ("b", 0)]
    assert told.kept["A"] == Kept(3, 1, 1, 1)
    assert told.left == (Left("3.zip", "one player in two seats"),)


@pytest.mark.parametrize(
    "text", ['accept = "all"', 'accept = ["1"]', 'other = 1', '[players]\nann = "SHA256:x"',
             '[players]\nann = ["SHA256:x", "SHA256:x"]', "players = 3"],
)  # fmt: skip
def test_wrong_decisions_are_refused(text: str) -> None:
    """Nothing of them is used."""
    with pytest.raises(Refused):
        Decisions.read(text.encode())


def test_pairings_swap_seats() -> None:
    """Who met least meets next; who sat first then sits second."""
    results = [game(1, "AB", "A"), game(2, "CD", "C"), game(3, "AB", "A"), game(4, "CD", "D")]
    (table,) = club.standings(results).tables
    assert {frozenset(one[:2]) for one in table.pairings} <= {
        frozenset(pair) for pair in ("AC", "AD", "BC", "BD")
    }
    (table,) = club.standings([game(1, "AB", "A")]).tables
    assert [one[:2] for one in table.pairings] == [("B", "A")]


def test_two_games_are_a_match_if_both_say_so_and_seats_are_changed() -> None:
    """In whatever order they ended; each game is rated by itself."""
    first = game(1, "AB", "A", match="first", named="f" * 64, terms=("sugar-dog/2", 1))
    second = game(2, "BA", match="f" * 64, named="e" * 64, terms=first.terms)
    told = club.standings([second, first])
    assert [(one.first, one.second, one.points) for one in told.matches] == [
        (first, second, {"A": 3, "B": 1})
    ]
    assert told.tables[0].places[0].played == 2
    page = standings.files(told, {})["standings.md"].decode()
    assert "| 2026-01-03 | Sugar Dog | a, b | 1\u00bd : \u00bd |" in page
    sooner = second._replace(time=first.time, id="0" * 64)
    assert len(club.standings([first, sooner]).matches) == 1
    # Of two second games that counts which ended first; the other is a game by itself.
    later = game(3, "BA", "B", match="f" * 64, named="d" * 64, terms=first.terms)
    told = club.standings([later, first, second])
    assert [one.second for one in told.matches] == [second]
    assert told.tables[0].places[0].played == 3


NO_MATCH: dict[str, dict[str, object]] = {
    "the same seats": {"seats": (Seat("A", "a"), Seat("B", "b"))},
    "another player": {"seats": (Seat("B", "b"), Seat("C", "a")), "winner": "C"},
    "other terms": {"terms": ("sugar-dog/2", 2)},
    "another first game": {"match": "e" * 64},
    "two first games": {"match": "first"},
    "none": {"match": "none"},
    "abandoned": {"abandoned": "SHA256:abcd", "winner": None},
}


@pytest.mark.parametrize("changed", NO_MATCH)
def test_what_is_no_match_is_two_games(changed: str) -> None:
    """What one game says of another is believed only where the other and the seats say so too."""
    first = game(1, "AB", "A", match="first", named="f" * 64, terms=("sugar-dog/2", 1))
    second = game(2, "BA", "A", match="f" * 64, named="e" * 64, terms=first.terms)
    told = club.standings([first, second._replace(**NO_MATCH[changed])])  # type: ignore[arg-type]
    assert (told.matches, len(told.results)) == ((), 2)
    assert b"Matches" not in standings.files(told, {})["standings.md"]
    unsaid = first._replace(match="none")
    assert club.standings([unsaid, second]).matches == ()


def test_deadlines_are_counted_from_a_record(tmp_path: Path) -> None:
    """Awaited, in time, on reserve, missed, by the key that had the seat."""
    table = Table(tmp_path / "table").begin()
    table.play({"bob": "start A1"})
    ledger = Ledger.read(table.record)
    told = club.kept_in(ledger)
    counted = {name: told[ledger.last.key(name).fingerprint] for name in ("alice", "bob")}
    assert counted == {"alice": Kept(1, 0, 0, 1), "bob": Kept(1, 1, 0, 0)}


def test_time_that_rulings_gave_is_shown_and_counts(tmp_path: Path) -> None:
    """A game whose only thing to look at is that counts; whatever else there is, and it is left
    out."""
    table = Table(tmp_path / "table").begin()
    table.play({"alice": "start C4", "bob": "start C1"})
    table.rule(Ruling("Alice is on a ship"), "2026-01-20T00:00:00Z")
    table.play({"alice": "fire S"}, {"bob": "silent"}, {"alice": "silent"})
    found = table.verify()
    assert (found.code, len(found.marked)) == (3, 1)
    one = club.result("one.zip", table.record, found)
    assert isinstance(one, club.Result)
    ledger = Ledger.read(table.record)
    gave = {player: seconds for _, player, seconds in rulings.given(ledger.opening, ledger.links())}
    assert list(gave) == ["alice"]
    assert one.kept[ledger.last.key("alice").fingerprint].given == gave["alice"] > 15 * 86_400
    told = standings.files(club.standings([one]), {})
    assert f"| alice | 3 | 3 | 0 | 0 | {span(gave['alice'])} |" in told["standings.md"].decode()
    assert "| bob | 2 | 2 | 0 | 0 | none |" in told["standings.md"].decode()
    more = found._replace(marked=(*found.marked, "something else"))
    assert isinstance(club.result("one.zip", table.record, more), Left)


ODD = ("\x1b[31mred.zip", "two\n| rows |.zip", "n\udcff.zip", "caf\u00e9 <b>|.zip")
"""Names of files as somebody may give them: for a terminal, for a table, in another encoding."""


def test_names_of_files_are_quoted_as_verify_quotes_them(tmp_path: Path, finished: Table) -> None:
    """In each page, of what counts and of what is left out; and no name ends it."""
    person = Commands(tmp_path)
    folder = tmp_path / "games"
    folder.mkdir()
    game = pack.write(kept(finished.record))
    for name in ODD:
        (folder / name).write_bytes(b"no zip")
        (folder / f"copy of {name}").write_bytes(game)
    told = person.run("club", "games", "--no-pages")
    assert told.exit_code == 0
    lines = [line for line in told.stdout.splitlines() if line.startswith("left out: ")]
    assert len(lines) == len(ODD)
    listed = person.run("verify", *(folder / name for name in sorted(ODD))).stdout.splitlines()
    for line, verified in zip(lines, listed, strict=False):
        quoted = verified.partition(": NOT JUDGED")[0].replace(f"{folder}/", "")
        assert line.startswith(f"left out: {quoted}: ")
    pages = {
        one: (folder / f"standings.{one}").read_text("utf-8") for one in ("md", "html", "json")
    }
    for page in pages.values():
        assert page.replace("\n", "").isprintable()
        assert "red.zip" in page
    rows = pages["md"].partition("## Left out")[2].splitlines()
    assert sum(line.startswith("| ") for line in rows) == 1 + len(ODD)
    assert "<b>" not in pages["html"]
    data = json.loads(pages["json"])
    assert sorted(one["file"] for one in data["left"]) == sorted(ODD)


def club_of(folder: Path, *wholes: Documents) -> tuple[Result | Left, ...]:
    """What files of one duel count for, in a folder of their own."""
    folder.mkdir()
    for number, whole in enumerate(wholes):
        (folder / f"{number}.zip").write_bytes(pack.write(held(whole)))
    (item,) = together(Walk().below(str(folder)))
    return Reading(str(folder)).do(item)


def test_a_duel_counts_by_all_its_files(tmp_path: Path) -> None:
    """Each side may bring a file of its own: they are judged as one set, in whatever order. The
    date is the offer's, and nothing is told of deadlines."""
    won = winner(duel())
    sides = {one.name: one for one in duel().people}
    loser = sides[next(name for name in sides if name != won)]
    many = len(duel().row.moves)
    alone = at(many, (sides[str(won)], many, False))
    cut = at(many - 1, (loser, many - 1, False))
    one, two = club_of(tmp_path / "a", cut, alone), club_of(tmp_path / "b", alone, cut)
    for (found,) in (one, two):
        assert isinstance(found, Result)
        assert found.beside == ("1.zip",)
        assert found.names[str(found.winner)] == won
        assert (found.time, found.kept) == (duel().row.offer.time, {})
    (found,) = club_of(tmp_path / "c", alone)
    assert isinstance(found, Result)
    assert found.ended == f"{won} won"
    told = club.standings([*one])
    assert told.kept == {}
    assert b"Deadlines" not in standings.files(told, {})["standings.md"]


def test_a_duel_that_was_given_up_counts_and_a_disputed_one_does_not(tmp_path: Path) -> None:
    """Who gives up has signed it. What is disputed goes to people, whatever the club accepts."""
    alice, bob = duel().people
    (found,) = club_of(tmp_path / "a", at(9, (alice, 9, True)), at(9, (bob, 9, False)))
    assert isinstance(found, Result)
    assert found.ended == "bob won"
    disputed = club_of(tmp_path / "b", at(9, (alice, 9, False), (bob, 8, False)))
    both = club_of(tmp_path / "c", at(9, (alice, 9, True), (bob, 9, True)))
    closed = club_of(tmp_path / "d", at(9, (alice, 9, True)))
    told = [
        one.why.partition(". ")[0] for one in (*disputed, *both, *closed) if isinstance(one, Left)
    ]
    assert told[0].startswith("TRUE, BUT LOOK (1): disputed: alice ended after move 9; bob ended")
    assert told[1:] == [
        "TRUE, BUT LOOK (1): both gave it up.",
        "NOT YET: alice gave it up; bob has yet to open",
    ]


def test_the_page_of_a_duel_carries_all_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it says what the table says."""
    alice, bob = duel().people
    folder = tmp_path / "games"
    parts = [at(9, (alice, 9, True)), at(9, (bob, 9, False))]
    club_of(folder, *parts)
    carried: list[bytes] = []
    monkeypatch.setattr(build, "of_version", lambda: b"page")
    monkeypatch.setattr(build, "carry", lambda page, held: carried.append(held["record"]) or page)
    Commands(tmp_path).ok("club", "games")
    (data,) = carried
    assert verify(Pack.of(data)).verdict == "true, but look: alice gave it up; bob wins"


def test_a_folder_of_games(tmp_path: Path, finished: Table) -> None:
    """Records and packs, games and duels: true ones count, others are left out with the verdict."""
    person = Commands(tmp_path)
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("lied", "silent-ships-2021-09-12", "silent-ships-2021-09-17", "sugar-dog"):
        shutil.copy(SUITE / "duels" / f"{name}.zip", folder)
    (folder / "one.zip").write_bytes(pack.write(kept(finished.record)))
    (folder / "no.zip").write_bytes(b"no zip")
    shutil.copy(SUITE / "records" / "sugar-dog-3.zip", folder)
    told = person.ok("club", "games", "--no-pages")
    assert "left out: lied.zip: FALSE: " in told
    assert "left out: no.zip: " in told
    data = json.loads((folder / "standings.json").read_text())
    assert [table["game"] for table in data["tables"]] == ["silent-ships", "sugar-dog"]
    assert sorted(one["file"] for one in data["games"] if one["duel"]) == [
        "silent-ships-2021-09-12.zip", "silent-ships-2021-09-17.zip", "sugar-dog.zip",
    ]  # fmt: skip
    before = {path.name: path.read_bytes() for path in folder.glob("standings.*")}
    person.ok("club", "games", "--no-pages", "--jobs", "2")
    assert before == {path.name: path.read_bytes() for path in folder.glob("standings.*")}
    look = next(one["why"] for one in data["left"] if one["file"] == "sugar-dog-3.zip")
    (folder / "club.toml").write_text(f'accept = ["{look.split()[-1]}"]\n')
    person.ok("club", "games", "--no-pages")
    (folder / "standings.md").write_text("mine")
    assert "mine" in (folder / "standings.md").read_text()
    person.fails("exists", "club", "games", "--no-pages")
    assert (folder / "standings.md").read_text() == "mine"
