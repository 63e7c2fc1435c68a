"""Matches of two at the command line: two games at once, seats that change, what a club lists."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commands import Table
from duel.commanders import Submariner

from adjudicator.core.ledger import Ledger
from adjudicator.player.duel import Home
from adjudicator.store.record import Record
from orders.fields import digest

GAMES = ("cup", "cup-return")


def offered(table: Table, name: str) -> dict[str, Any]:
    """The options of an invite."""
    options: dict[str, Any] = tomllib.loads((table.root / name / "invite.toml").read_text())
    return dict(options["options"])


@pytest.fixture
def host(alone: Table) -> Table:
    """A host whose match was offered to ann and ben."""
    alone.key("host.key")
    alone.ok("invite", "sugar-dog", "ann", "ben", "--match", "--key", "host.key", "-o", "cup")
    return alone


def joined(table: Table, game: str, *names: str) -> None:
    """They join that game in this order, and the host takes it in."""
    for name in names:
        told = table.ok("join", f"{game}-invite-{name}.txt", "--name", name, "-y")
        assert "of a match of two" in told
    table.ok("sync", "-g", game)


def played(table: Table, game: str, lines: list[tuple[str, str]]) -> None:
    """Orders, one after the other, each taken in."""
    for name, line in lines:
        seat = f"{name}.seat" if game == "cup" else f"{game}-{name}.seat"
        table.ok("play", line, "-y", "-g", game, "--seat", seat)
        table.ok("sync", "-g", game)


FIRST = [("ann", "start C4"), ("ben", "start C1"), ("ann", "fire S"), ("ben", "silent"),
         ("ann", "silent")]  # fmt: skip
SECOND = [("ann", "start C1"), ("ben", "start C4"), ("ben", "resign")]


def test_a_whole_match_by_hand(host: Table) -> None:
    """Both games are offered at once, the second names the first; whoever joins first, who went
    first in the one goes second in the other; a club lists the match, and rates both games."""
    first, second = (offered(host, game) for game in GAMES)
    named = digest((host.root / "cup/invite.toml").read_bytes())
    assert (first.pop("match"), second.pop("match")) == ("first", named)
    assert first == second
    assert first["first"] == 1
    joined(host, "cup", "ben", "ann")
    joined(host, "cup-return", "ben", "ann")
    for game, seats in zip(GAMES, (("ann", "ben"), ("ben", "ann")), strict=True):
        opening = Ledger.read(Record(host.root / game)).opening
        assert (opening.players, opening.setup.options["first"]) == (seats, seats[0])
    played(host, "cup", FIRST)
    played(host, "cup-return", SECOND)
    told = host.ok("verify", "-v", "cup", "cup-return")
    assert "the first game of a match of two, for the second of which" in told
    assert f"seats are changed is seen only with the first, {named[:16]}\n" in told
    host.ok("club", ".", "--no-pages")
    (match,) = json.loads((host.root / "standings.json").read_text())["matches"]
    assert match["points"] == [2, 0]
    page = (host.root / "standings.md").read_text()
    assert re.search(r"\| Sugar Dog \| ann, ben \| 2 : 0 \|", page)
    assert "seat 1 won 1, seat 2 won 1" in page


def test_a_match_goes_on_where_it_was_left(host: Table) -> None:
    """The same command again makes what is lacking, and keeps what is there."""
    again = ("invite", "sugar-dog", "ann", "ben", "--match", "--key", "host.key", "-o", "cup")
    before = {game: (host.root / game / "invite.toml").read_bytes() for game in GAMES}
    tokens = {game: (host.root / f"{game}.host/tokens").read_text() for game in GAMES}
    assert [line.split()[1] for line in tokens["cup"].splitlines()] == ["ann", "ben"]
    assert [line.split()[1] for line in tokens["cup-return"].splitlines()] == ["ben", "ann"]
    assert host.ok(*again).count("offered before, and not begun; it goes on") == 2
    assert before == {game: (host.root / game / "invite.toml").read_bytes() for game in GAMES}
    assert tokens == {game: (host.root / f"{game}.host/tokens").read_text() for game in GAMES}


def test_seats_of_a_match_are_not_chosen_at_the_start(host: Table) -> None:
    """A host who names players in another order is shown, and gets, that of the invitations."""
    for name in ("ann", "ben"):
        host.ok("join", f"cup-invite-{name}.txt", "--name", name, "-y")
    told = host.ok("start", "-y", "cup-ben-join.txt", "cup-ann-join.txt", "-g", "cup")
    assert told.index("  ann  ") < told.index("  ben  ")
    assert Ledger.read(Record(host.root / "cup")).opening.players == ("ann", "ben")


def test_one_key_plays_both_games_of_a_match(host: Table) -> None:
    """Also where a key is made for a game: else no stranger could see who plays. In a game of no
    match there is another."""
    for game in reversed(GAMES):
        joined(host, game, "ann", "ben")
    assert len({tuple(one.fingerprint for one in _keys(host, game)) for game in GAMES}) == 1
    host.ok("invite", "sugar-dog", "ann", "ben", "--key", "host.key", "-o", "other")
    host.ok("join", "other-invite-ann.txt", "--name", "ann", "-y")
    assert (host.root / "other-ann.key").is_file()


def test_a_match_by_git(cloned: Table) -> None:
    """Each game has a repository; its seats are those of the invitations, not of the names."""
    tokens: dict[str, dict[str, str]] = {}
    for line in cloned.ok(
        "invite", "sugar-dog", "bob", "alice", "--match", "--key", "host.key", "-o", "cup"
    ).splitlines():
        if found := re.match(r"(\w{32}): a token, only for (\w+); (.*)-invite-", line):
            tokens.setdefault(found[3], {})[found[2]] = found[1]
    for game in GAMES:
        bare = str(cloned.root / f"{game}.git")
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", bare], check=True)
        cloned.ok("invite", "--git", f"{game}.git", "-g", game)
        for name in ("alice", "bob"):
            given = ("--name", name, "--key", f"{name}.key", "--token", tokens[game][name])
            cloned.ok("join", f"{game}.git", *given, "-o", f"{name}-{game}")
        cloned.ok("sync", "-g", game)
    seats = [Ledger.read(Record(cloned.root / game)).opening.players for game in GAMES]
    assert seats == [("bob", "alice"), ("alice", "bob")]


def _keys(table: Table, game: str) -> list[Any]:
    last = Ledger.read(Record(table.root / game)).last
    return [last.key(name) for name in ("ann", "ben")]


WRONG = {
    "nobody": ("sugar-dog",),
    "one": ("sugar-dog", "ann"),
    "three": ("sugar-dog", "ann", "ben", "cleo"),
    "everybody": ("sugar-dog", "ann@example.org", "ben@example.org", "--open"),
    "one repository": ("sugar-dog", "ann", "ben", "--git", "x.git"),
    "too many seats": ("sugar-dog", "ann", "ben", "--players", "3"),
    "a rematch": ("--rematch", "friday"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_match_is_between_two(alone: Table, wrong: str) -> None:
    """A wrong call, and nothing is written."""
    made = alone.run("invite", *WRONG[wrong], "--match", "-y")
    assert made.exit_code == 2
    assert "a match is between two who are named" in made.stderr
    assert [*alone.root.iterdir()] == []


def test_what_a_match_cannot_be_is_refused_before_anything_is_written(alone: Table) -> None:
    """A name that stays where seats change; a name too long for the second game."""
    match = ("invite", "sugar-dog", "ann", "ben", "--match", "-y")
    told = alone.fails("bad-option", *match, "--option", "first=ann")
    assert "expected a seat, as in first=1" in told
    alone.fails("bad-option", *match, "--name", "x" * 30)
    alone.fails("bad-option", *match, "--option", "match=second")
    assert [*alone.root.iterdir()] == []


def test_a_rematch_of_a_match_is_a_game_by_itself(host: Table, tmp_path: Path) -> None:
    """It is no second game of anything."""
    joined(host, "cup", "ann", "ben")
    host.ok("invite", "--rematch", "cup", "--key", "host.key", "-o", "again")
    assert "match" not in offered(host, "again")


# A duel.


@pytest.fixture
def two(tmp_path: Path) -> tuple[Submariner, Submariner]:
    """Ann has offered the first game of a match, Ben has accepted it."""
    ann, ben = (Submariner(tmp_path / name, name, "captain") for name in ("ann", "ben"))
    (tmp_path / "there").mkdir()
    ann.ok("duel", "sugar-dog", "--match", "--name", "ann", "--key", "key", "--setup", "start C4",
           "-o", "../offer.txt")  # fmt: skip
    said = ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key", "--setup", "start D5")
    assert "  the first game of a match of two, for the second of which the players change" in said
    return ann, ben


def test_a_match_without_a_host(two: tuple[Submariner, Submariner]) -> None:
    """Who has accepted the first game offers the second, and sits and goes first in it; both know
    the other's key, nobody types a name, and a club lists the match."""
    ann, ben = two
    ann.ok("take", ben.block)
    ben.ok("take", ann.block)
    ben.ok("duel", "--end", "--give-up", "-y", "-o", "up.txt")
    ann.ok("take", ben.root / "up.txt")
    ben.ok("take", ann.block)
    assert "ben offers the second game of the match." in ann.ok("status")
    assert "is yours to offer: adjudicator duel --match" in ben.ok("status")
    assert "accepted the first offers" in ann.fails("missing", "duel", "--match")
    assert ben.run("duel", "--match", "--name", "ben").exit_code == 2
    ben.ok("duel", "--match", "--setup", "start D5", "-o", "../second.txt")
    assert "no duel is here of which" in ben.fails("missing", "duel", "--match")
    said = ann.ok("join", "../second.txt", "--setup", "start C4", "-o", "../answer.txt")
    assert "the second game of a match of two" in said
    first, mine, theirs = (
        Home.open(one.root / name).party().row
        for one, name in ((ann, "ann.duel"), (ann, "ann-return.duel"), (ben, "ben-return.duel"))
    )
    assert (first.match, mine.match, theirs.match) == ("first", first.accepted, first.accepted)
    keys = [(one.name, one.key) for one in first.members]
    assert [(one.name, one.key) for one in mine.members] == keys[::-1]
    goes = [one.setup_by("0" * 64).options["first"] for one in (first, mine)]
    assert goes == ["ann", "ben"]
    for one in two:
        one.home.root.rename(one.root / "first")
    ben.ok("take", ann.root.parent / "answer.txt")
    ann.ok("take", ben.block)
    ann.ok("duel", "--end", "--give-up", "-y", "-o", "../up.txt")
    ben.ok("take", ann.root.parent / "up.txt")
    league = ann.root.parent / "league"
    league.mkdir()
    ann.ok("take", ben.block)
    for number, zipped in enumerate(sorted(ann.root.glob("*.zip"))):
        zipped.rename(league / f"{number}.zip")
    ann.ok("club", league, "--no-pages")
    (match,) = json.loads((league / "standings.json").read_text())["matches"]
    assert match["points"] == [1, 1]


def test_another_cannot_offer_a_second_game(two: tuple[Submariner, Submariner]) -> None:
    """Only the key that has accepted the first can, and only with its options: an offer that says
    so, and is not, is refused, and accepted as what it is elsewhere."""
    ann, ben = two
    ann.ok("take", ben.block)
    accepted = ann.home.party().row.accepted
    eve = Submariner(ann.root.parent / "eve", "eve", "captain")
    offer = ("duel", "sugar-dog", "--setup", "start A1", "--option", f"match={accepted}")
    ben.home.root.rename(ben.root / "first")
    eve.ok(*offer, "--name", "eve", "--key", "key", "-o", "../false.txt")
    ben.ok(*offer, "--name", "ben", "--key", "key", "--option", "quiet=5", "-o", "../other.txt")
    for name in ("false", "other"):
        told = ann.fails("mismatch", "join", f"../{name}.txt", "--setup", "start C4")
        assert "this is not the second game of your match in 'ann.duel'" in told
    assert [one.name for one in ann.root.glob("*.duel")] == ["ann.duel"]
