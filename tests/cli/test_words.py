"""What is said to people when something is missing, wrong or simply so: a row for each message.

Each row plays a moment of a game with the real commands, in folders like those of three people by
files, and holds what is printed: `says` are patterns of what must be read, `never` what was said
before and told nobody how to go on.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from commands import Table

from adjudicator.cli import host, join, keys, shared, which
from adjudicator.core import bundles, deadlines
from orders import names, sshsig
from orders.bundle import decode, encode
from orders.errors import Refused
from orders.keys import load_signer
from orders.sshsig import Signed

DAY = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z][a-z] \d\d:\d\d"
SPAN = r"\(in [^)]*\)"


class People:
    """The folders of Carl, who hosts, and of two players."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.carl = Table(root / "carl")
        self.alice = Table(root / "alice")
        self.bob = Table(root / "bob")

    def orders(self, who: Table, line: str) -> None:
        """Order, and Carl has the file."""
        who.give(who.sent(who.ok("play", line)), self.carl)

    def at(self, stage: Path) -> People:
        """The same people in a copy of their folders."""
        shutil.copytree(self.root, stage)
        return People(stage)


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, People]:
    """A game joined; begun; at its second turn, when Alice is to move; and three entries on, of
    which she has heard the first."""
    root = tmp_path_factory.mktemp("words")
    now = People(root / "now")
    for one in (now.carl, now.alice, now.bob):
        one.root.mkdir(parents=True)
    now.carl.key("carl.key")
    option = ("--option", "first=alice")
    now.carl.ok("invite", "sugar-dog", "--key", "carl.key", "-o", "friday", *option)
    for name, one in (("alice", now.alice), ("bob", now.bob)):
        one.key(f"{name}.key")
        now.carl.give("friday-invite.txt", one)
        one.ok("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
        one.give(f"friday-{name}-join.txt", now.carl)
    found = {"joined": now.at(root / "joined")}
    now.carl.ok("start", "friday-alice-join.txt", "friday-bob-join.txt")
    for one in (now.alice, now.bob):
        now.carl.give("friday-0000.txt", one)
        one.ok("sync")
    found["begun"] = now.at(root / "begun")
    now.orders(now.alice, "start C4")
    now.orders(now.bob, "start C1")
    now.carl.ok("sync")
    for name, one in (("alice", now.alice), ("bob", now.bob)):
        now.carl.give(f"friday-0001-{name}.txt", one)
        now.carl.give(f"friday-{name}-0001-1-receipt.txt", one)
        one.ok("sync")
    found["turn"] = now.at(root / "turn")
    now.orders(now.alice, "silent")
    now.carl.ok("sync")
    now.carl.give("friday-0002-bob.txt", now.bob)
    now.bob.ok("sync")
    now.orders(now.bob, "silent")
    now.carl.ok("sync")
    found["later"] = now.at(root / "later")
    return found


class Row(NamedTuple):
    """A moment (`stage`), what is done in it, what is said then, and what is said no more."""

    name: str
    stage: str
    does: Callable[[People], Result]
    says: tuple[str, ...]
    never: str
    code: int = 0


def by(who: str, *words: str) -> Callable[[People], Result]:
    """A command of somebody's."""
    return lambda people: getattr(people, who).run(*words)


# What is missing.


def another_report(people: People) -> Result:
    """Bob's mail comes to Alice."""
    people.carl.give("friday-0002-bob.txt", people.alice)
    return people.alice.run("take", "friday-0002-bob.txt")


def without_report(people: People) -> Result:
    """It is Alice's turn, and her report is gone."""
    (people.alice.root / "friday" / "reports" / "0001-alice.sealed").unlink()
    return people.alice.run("play", "--check", "silent")


def without_report_nor_turn(people: People) -> Result:
    """The same, and she is not awaited either."""
    another_report(people)
    return people.alice.run("play", "fire", "S")


def in_an_empty_folder(*words: str) -> Callable[[People], Result]:
    """A command where no game is."""

    def does(people: People) -> Result:
        (people.root / "emp").mkdir()
        return Table(people.root / "emp").run(*words)

    return does


def folder_named(people: People) -> Result:
    """A folder that holds no game is named."""
    (people.alice.root / "emp").mkdir()
    return people.alice.run("show", "-g", "emp")


# Orders and what became of them.


def by_another_key(people: People) -> Result:
    """Alice's orders, signed by Bob."""
    people.orders(people.alice, "start C4")
    path = people.carl.root / "friday-alice-0001-1.txt"
    held, slip = dict(decode(path.read_bytes()).files), names.slip(1, "alice")
    bob = load_signer(people.bob.root / "bob.key", None)
    forged = Signed.by(bob, sshsig.SLIP, held[slip])
    path.write_bytes(encode(bundles.pack("order", {**held, **forged.files(slip)})))
    return people.carl.run("take", path.name)


# Keys, seats and joins.


def no_token(people: People) -> Result:
    """Somebody joins a reserved game by its plain invite."""
    people.carl.ok("invite", "sugar-dog", "--key", "carl.key", "-o", "closed", "--reserved")
    people.carl.give("closed-invite.txt", people.bob)
    call = ("join", "closed-invite.txt", "--name", "bob", "--key", "bob.key")
    return people.bob.run(*call)


def private_key(people: People) -> Result:
    """Bob sends his key, and Carl takes it in."""
    people.bob.give("bob.key", people.carl)
    return people.carl.run("take", "bob.key")


def first(value: str) -> Callable[[People], Result]:
    """The host says in the invite who goes first; Anna and Bob join, and the game begins."""

    def does(people: People) -> Result:
        carl, option = people.carl, ("--option", f"first={value}")
        carl.ok("invite", "sugar-dog", "--key", "carl.key", "-o", "guess", *option)
        for name, one, key in (("anna", people.alice, "alice"), ("bob", people.bob, "bob")):
            people.carl.give("guess-invite.txt", one)
            one.ok("join", "guess-invite.txt", "--name", name, "--key", f"{key}.key")
            one.give(f"guess-{name}-join.txt", carl)
        return carl.run("start", "guess-anna-join.txt", "guess-bob-join.txt", "-g", "guess")

    return does


def at_a_terminal(people: People, monkeypatch: pytest.MonkeyPatch, *words: str, given: bytes
                  ) -> Result:  # fmt: skip
    """A command that may ask."""
    for module in (keys, shared):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    return people.bob.run(*words, given=given)


ROWS = (
    Row("report missing", "turn", without_report,
        ("your report of entry 1 is not here", "ask the host: resend 1"), ".sealed is not", 1),
    Row("report missing, and not my turn", "later", without_report_nor_turn,
        ("it is bob's turn, not yours",), "protest", 1),
    Row("first file missing", "joined", by("alice", "show"),
        ("friday-0000.txt, is not here yet", "hint: ask the host for it"), "entries/0000", 4),
    Row("no game there", "joined", folder_named, ("no game is in 'emp'",), "invite.toml", 1),
    Row("a host plays", "begun", by("carl", "play"),
        ("you host friday", "hint: adjudicator sync -g friday"), "no game of yours", 2),
    Row("no such game", "begun", in_an_empty_folder("play", "chess"),
        ("no game is called 'chess': .*silent-ships, submarine-warfare, sugar-dog",), "usage", 1),
    Row("a game's name mistyped, in a game", "begun", by("alice", "play", "sugr-dog"),
        ("'sugr-dog' is no order", "did you mean 'sugar-dog'"), "expected", 1),
    Row("found, no argument", "begun", by("alice", "show"), ("As alice sees it",), "usage"),
    Row("signed by another key", "begun", by_another_key,
        ("not signed with alice's key in this game, which is SHA256:",), "expected SHA256", 1),
    Row("another's report", "later", another_report,
        ("entry 2 taken in; the report in it is bob's, yours is still missing",
         "NO REPORT of entry 2.*resend 2", "NOT YOUR REPORT: friday-0002-bob.txt was bob's"),
        "came without", 4),
    Row("whose turn", "turn", by("bob", "play", "hint"),
        ("alice is to move",), "awaited:"),
    Row("status", "turn", by("bob", "status"),
        (r"^friday: Sugar Dog, turn 1, alice and bob \(ids with -v\)$",
         rf"^alice's turn, until {DAY} {SPAN}$"), "head "),
    Row("status with ids", "turn", by("bob", "status", "-v"),
        ("^game [0-9a-f]{64}$", "^head [0-9a-f]{64}$"), "ids with"),
    Row("not my turn", "turn", by("bob", "play", "silent"),
        ("^error: it is alice's turn, not yours ",), "expected", 1),
    Row("off the map", "begun", by("alice", "play", "start", "C9"),
        (r"^error: C9 is not on the map \(A1 to F6\) ",), "expected", 1),
    Row("no order", "begun", by("alice", "play", "strat", "C4"),
        ("^error: 'strat' is no order ", "hint: did you mean 'start'"), "expected", 1),
    Row("help", "begun", by("alice", "play", "help"),
        (r"^start A1 \.\.\. F6", "undo, undo all", "goal, hint"), "error"),
    Row("help without a game", "begun", in_an_empty_folder("play", "help"),
        ("Usage: adjudicator play",), "error"),
    Row("orders in a player's hands", "later",
        by("alice", "take", "../bob/friday-bob-0003-1.txt"),
        ("holds orders, sealed, for the host of friday, which you do not host here",
         "send it to the host"), "is not beside it", 1),
    Row("another's receipt", "later", by("alice", "take", "../carl/friday-bob-0003-1-receipt.txt"),
        ("this receipt is bob's, and your seat is alice's", "hand it to bob"), "the seat alice", 2),
    Row("a public file", "later", lambda people: (
        people.carl.ok("resend", "all", "2", "-g", "friday"),
        people.alice.run("take", "../carl/friday-0002.txt"))[1],
        ("^entry 2 taken in$", "NO REPORT of entry 2.*resend 2"), "NOT YOUR", 4),
    Row("a seat's secret", "begun", by("carl", "take", "../alice/alice.seat/seat.toml"),
        ("is a seat's secret: never send it",), "secret =", 1),
    Row("a short seed", "joined", by("carl", "simulate", "sugar-dog", "--games", "1", "--seed", "3",
        "--bot", "random,random"), ("again: .*--seed 3",), "hex"),
    Row("a private key", "begun", private_key,
        ("'bob.key' is a private key: never send it. It holds nothing of a game",), "BEGIN", 1),
    Row("a token is needed", "begun", no_token,
        ("a token is needed", "join the invitation's own mail or file, or .*--token"), "usage", 2),
    Row("first is nobody", "begun", first("ann"),
        ("first = 'ann': no player has that name; there are anna, bob", "first=1"), "usage", 1),
    Row("first is a seat", "begun", first("2"), ("guess-0000.txt",), "error"),
    Row("joined twice", "begun", by("alice", "join", "friday-invite.txt", "--name", "alice",
        "--key", "alice.key"),
        ("you have joined friday as alice already: alice.seat", "adjudicator play"), "replaced", 1),
    Row("no entry's number", "turn", by("alice", "show", "chess"),
        ("'chess' is no entry's number",), "integer", 2),
    Row("rules without a game", "begun", in_an_empty_folder("rules"),
        ("^sugar-dog  ", "adjudicator rules GAME"), "error"),
)  # fmt: skip
"""Rows of a table of messages, in its order; what `verify` says has tests of its own."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name.replace(" ", "-"))
def test_what_is_said(stages: dict[str, People], tmp_path: Path, row: Row) -> None:
    result = row.does(stages[row.stage].at(tmp_path / "people"))
    for pattern in row.says:
        assert re.search(pattern, result.output, re.MULTILINE), result.output
    assert row.never not in result.output, result.output
    assert result.exit_code == row.code, result.output


def test_names_are_in_small_letters(
    stages: dict[str, People], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever writes a capital is asked once, and joins under the name."""
    people = stages["joined"].at(tmp_path / "people")
    (people.bob.root / "other").mkdir()
    out = ("-o", "other/join.txt")
    call = ("join", "friday-invite.txt", "--name", "Rob", "--key", "bob.key", *out)
    asked = at_a_terminal(people, monkeypatch, *call, given=b"\n")
    assert "Names are in small letters. Join as rob? [Y/n]" in asked.output
    assert (people.bob.root / "other" / "rob.seat").is_dir()
    monkeypatch.undo()
    again = (*call[:3], "Max", *call[4:6], "-o", "other/max.txt")
    assert "did you mean 'max'?" in people.bob.run(*again).stderr
    people.bob.ok(*again, "--yes")
    assert (people.bob.root / "other" / "max.seat").is_dir()


@pytest.mark.parametrize("why", [ImportError("pwd"), KeyError("uid"), OSError("no name")])
def test_a_user_without_a_name(why: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container: none is proposed, and one must be named."""

    def nobody() -> str:
        raise why

    monkeypatch.setattr(join.getpass, "getuser", nobody)
    assert join.choose_name("ann", yes=True) == "ann"
    with pytest.raises(Refused, match="a name to play by is needed"):
        join.choose_name(None, yes=True)


def test_a_key_is_made(
    stages: dict[str, People], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any key one is offered; in its folder it bears the game's name."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    people = stages["joined"].at(tmp_path / "people")
    (people.bob.root / "other").mkdir()
    call = ("join", "friday-invite.txt", "--name", "rob", "-o", "other/join.txt")
    asked = at_a_terminal(people, monkeypatch, *call, given=b"\n")
    assert "No key of yours is here. Make one for this game" in asked.output
    assert (people.bob.root / "other" / "friday-rob.key").is_file()


def test_a_new_game_proposes_a_name(
    stages: dict[str, People], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record's folder: nobody has to think of one."""
    people = stages["joined"].at(tmp_path / "people")
    asked = at_a_terminal(
        people, monkeypatch, "invite", "sugar-dog", "--key", "bob.key", given=b"\n"
    )
    assert "What is this game called [sugar-dog]" in asked.output
    assert (people.bob.root / "sugar-dog").is_dir()


def test_who_missed_the_setup_reads_why(
    stages: dict[str, People], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four days on the host goes on without Bob, whose submarine is placed for him."""
    people = stages["begun"].at(tmp_path / "people")
    people.orders(people.alice, "start C4")
    people.carl.ok("take", "friday-alice-0001-1.txt")
    monkeypatch.chdir(people.carl.root)
    at = host.desk_of(Path("friday"), None, sure=True)
    at.begun().clock = Later(deadlines.add(at.clock.now(), 4 * 86400))
    assert host.go_on(at, late=True)
    people.carl.give("friday-0001-bob.txt", people.bob)
    said = people.bob.run("take", "friday-0001-bob.txt").output
    where = re.search(
        r"You missed the setup: your submarine was placed by lot, in ([A-F][1-6])\.", said
    )
    assert where, said
    assert f"placed by lot, in {where[1]}." in people.bob.run("log").output
    assert f"placed by lot, in {where[1]}." in people.bob.run("play").output


class Later(NamedTuple):
    """A clock that stands."""

    time: str

    def now(self) -> str:
        """Its time."""
        return self.time


def test_what_a_hand_holds(tmp_path: Path) -> None:
    """Silent Ships: the cards in place of a bare no; and how near a dead game is to its end."""
    table = Table(tmp_path)
    call = ("play", "silent-ships", "--keep", "kept", "--seed", "07", "--bot", "random")
    lines = b"\nplay fire-ship left\nquit\n"
    said = table.run(*call, "--option", "first=alice", given=b"start\n" + lines).output
    assert "idle turns 0 of 20" in said
    held = re.search(r"you hold no fire-ship; your hand: ([a-z, -]+)", said)
    assert held, said
    assert len(held[1].split(", ")) > 2


def test_which_game_against_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several that are kept none is taken unasked; where nobody can be asked, it says which."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    table = Table(tmp_path)
    for game in ("silent-ships", "sugar-dog"):
        table.run("play", game, "--bot", "random", given=b"quit\n")
    told = table.run("play")
    assert told.exit_code == 2
    assert "sugar-dog: Sugar Dog: you are alice, against bob." in told.stderr
    assert "say which" not in told.stdout
    assert "several games are here: say which, -g silent-ships or -g sugar-dog" in told.stderr
    monkeypatch.setattr(which, "is_terminal", lambda: True)
    asked = table.run("play", given=b"sugar-dog\nquit\n")
    assert "Which (silent-ships, sugar-dog):" in asked.output
    assert "Nothing is sent. Go on: adjudicator play" in asked.output
