"""`tell`: what waits for somebody is told once to a command of theirs, and never stops a game."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from commands import ALICE, Table
from desks import Desks, program
from duel.commanders import Person

from adjudicator.cli import notices
from adjudicator.core import deadlines
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office.outbox import Outbox
from adjudicator.player import duel
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import PrivateFolder
from adjudicator.words.overview import Standing

TOLD = "told.jsonl"


@pytest.fixture
def hears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that grows by a line for each notice, with the folder in which the command ran."""
    heard = tmp_path / "heard"
    cat = program(tmp_path / "cat.sh", f'pwd >> "{heard}"; cat >> "{heard}"')
    monkeypatch.setenv("ADJUDICATOR_TELL", f"'{cat}'")
    return heard


@pytest.fixture
def alice(mine: Table, table: Table) -> Table:
    """Her own folder, in which the game has begun: it is her turn."""
    table.give("friday-0000.txt", mine)
    mine.ok("take", "friday-0000.txt")
    return mine


def heard(path: Path) -> list[dict[str, Any]]:
    """What was told since the last look; each by a command that ran in the game's folder."""
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    found = [json.loads(line) for line in lines[1::2]]
    assert [one["folder"] for one in found] == lines[::2]
    return found


def kinds(path: Path) -> list[str]:
    return [one["what"] for one in heard(path)]


def test_ones_own_turn_once(alice: Table, table: Table, hears: Path) -> None:
    """With the game, the step, the deadline and the sentence of `status`, and not again until the
    next one; what has been answered is not told."""
    alice.ok("sync", "-q")
    (told,) = heard(hears)
    says, until = (json.loads(alice.ok("status", "--json"))[key] for key in ("says", "until"))
    assert told == {
        "form": 1, "what": "turn", "game": "sugar-dog", "name": "friday", "step": 1,
        "until": until, "text": f"friday: {says}", "folder": str(alice.root / "friday"),
    }  # fmt: skip
    assert "YOUR setup, until " in says
    alice.ok("sync", "-q")
    alice.ok("play", "start C4")
    assert heard(hears) == []
    (path,) = alice.root.glob("friday-alice-0001-1.txt")
    alice.give(path.name, table)
    table.ok("take", path.name, "-g", "friday")
    table.step(bob="start C1")
    heard(hears)
    table.give("friday-0001-alice.txt", alice)
    alice.ok("take", "friday-0001-alice.txt")
    assert [(one["what"], one["step"]) for one in heard(hears)] == [("turn", 2)]
    alice.ok("play", "fire S")
    assert heard(hears) == []


def test_a_turn_is_a_step_and_its_beginning(alice: Table, tmp_path: Path, hears: Path) -> None:
    """A step that is played once more, as the host annulled it, is another turn."""
    alice.ok("sync", "-q")
    since = json.loads(alice.ok("status", "--json"))["awaited"]["alice"]["since"]
    assert f"turn 1 {since} " in (alice.root / "alice.seat" / notices.FILE).read_text()
    first, second, again = (
        [one.key for one in notices.of_game(Standing("x", "y", yours=True, step=1, since=at),
                                            tmp_path) if one.what == "turn"]
        for at in (since, "2030-01-01T00:00:00Z", since)
    )  # fmt: skip
    assert first == again != second


def test_play_tells_too(alice: Table, hears: Path) -> None:
    """Whoever only looks is told where they read it."""
    alice.ok("play")
    assert kinds(hears) == ["turn"]
    alice.ok("play")
    assert kinds(hears) == []


def ended(table: Table) -> None:
    table.step(alice="start C4", bob="start C1")
    table.step(alice="fire S")
    table.step(bob="silent")
    table.step(alice="silent")


def test_a_game_that_is_over(table: Table, hears: Path) -> None:
    """Its host is told once who won, as its record says."""
    table.ok("sync", "-q")
    heard(hears)
    ended(table)
    (told,) = [one for one in heard(hears) if one["what"] == "over"]
    assert told["text"] == "friday: Sugar Dog, as host: over: alice won"
    assert (told["game"], told["until"]) == ("sugar-dog", None)
    table.ok("sync", "-q")
    assert heard(hears) == []


def test_a_player_hears_the_end_from_the_reveal(table: Table, hears: Path) -> None:
    """It alone says who won; until then the game is only not going on."""
    ended(table)
    alice = Table(table.root / "mine")
    alice.root.mkdir()
    alice.ok("take", "../friday-invite.txt", "-g", "friday")
    shutil.move(table.root / "alice.seat", alice.root)
    (alice.root / "alice.seat" / notices.FILE).unlink()
    heard(hears)
    table.give("friday-0000.txt", alice)
    *played, reveal = sorted(one.name for one in table.root.glob("friday-000[1-9]*.txt")
                             if re.fullmatch(r"friday-\d+(-alice)?\.txt", one.name))  # fmt: skip
    for name in played:
        table.give(name, alice)
    alice.run("sync", "-q")
    assert "over" not in kinds(hears)
    assert json.loads(alice.run("status", "--json").stdout)["state"].startswith("over at entry")
    table.give(reveal, alice)
    alice.run("sync", "-q")
    (told,) = heard(hears)
    assert told["text"] == "friday: Sugar Dog, as alice: over: alice won"
    assert alice.run("sync", "-q").exit_code == 0
    assert heard(hears) == []


def test_a_game_that_was_over_before(
    table: Table, hears: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no news to who sets the command afterwards."""
    with monkeypatch.context() as patch:
        patch.delenv("ADJUDICATOR_TELL")
        ended(table)
    table.ok("sync", "-q")
    table.ok("sync", "-q")
    assert heard(hears) == []


def test_what_needs_a_hand(table: Table, hears: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `status` says it; what comes back within a day is no news, and after it is."""
    path = table.root / "friday" / "entries" / "0000.toml"
    whole = path.read_bytes()

    def broken() -> list[dict[str, Any]]:
        path.write_bytes(whole + b"\n")
        assert table.run("sync", "-q").exit_code == 1
        told = [one for one in heard(hears) if one["what"] == "hand"]
        path.write_bytes(whole)
        table.ok("sync", "-q")
        return told

    (told,) = broken()
    path.write_bytes(whole + b"\n")
    assert table.run("status").stdout.splitlines() == []
    path.write_bytes(whole)
    assert told["text"].startswith("friday: it does not hold: entries/0000.toml")
    assert broken() == []
    later = deadlines.add(SystemClock().now(), deadlines.DAY + 60)
    monkeypatch.setattr(SystemClock, "now", lambda _: later)
    table.run("sync", "-q")
    assert len(broken()) == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("to bob, 9 tries, due 2026-11-28T09:59:59Z", "to bob, 10 tries, due 2027-01-01T00:00:00Z",
         True),
        ("it ended 2 h 5 min ago. Ask", "it ended 1 d ago. Ask", True),
        ("(in 59 min): until Tue 09:30", "(in 1 d 3 h): until Tue 11:00", True),
        ("looked at 1 times: x", "looked at 20 times: y", False),
        ("sugar-dog-12ab: no copy", "sugar-dog-98ab: no copy", False),
        ("sugar-dog-1234: no copy", "sugar-dog-9876: no copy", False),
        ("set aside: 1732.M1P2.host", "set aside: 1733.M1P2.host", False),
        ("to bob, 1 tries: 421 4.7.0 Later. a640c23a62f3a-b0a - gsmtp",
         "to bob, 2 tries: 421 4.7.0 Later. ffacd0b85a97d-42b - gsmtp", True),
        ("to bob, 1 tries: 421-4.7.0 x1-b0a", "to bob, 2 tries: 421-4.7.0 y2-42b", True),
        ("to bob, 1 tries: 550 no", "to eve, 1 tries: 550 no", False),
        ("the mailbox: [UNAVAILABLE] ref 9F3A21C0.12", "the mailbox: [UNAVAILABLE] ref 77B012AA.99",
         True),
        ("friday: no copy in the mailbox: NO ref 1", "friday: no copy in the mailbox: NO x2", True),
        ("monday: no copy in the mailbox: NO r1", "friday: no copy in the mailbox: NO r1", False),
        ("the mailbox: NO login", "the mailbox: its folder of copies was made anew meanwhile",
         False),
    ],
)  # fmt: skip
def test_when_it_is_the_same_thing(one: str, other: str, same: bool, tmp_path: Path) -> None:
    """Times, spans, counts and a server's words change from look to look; names, of games too, are
    what it is."""
    assert (notices.of_hand(one, tmp_path).key == notices.of_hand(other, tmp_path).key) == same


def test_what_stays_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many days it stays; what was gone for less than a day is told a day later."""
    told: list[str] = []
    monkeypatch.setattr(notices, "_fault_of", lambda command, one: told.append(one.text) or "")
    (tmp_path / "kept").mkdir()

    def look(day: float, *things: str) -> list[str]:
        now = deadlines.add("2026-11-28T00:00:00Z", int(day * deadlines.DAY))
        monkeypatch.setattr(SystemClock, "now", lambda _: now)
        told.clear()
        due = [notices.of_hand(one, tmp_path) for one in things]
        notices.tell_of("true", tmp_path / "kept", due)
        return list(told)

    assert look(0, "one", "two") == ["one", "two"]
    assert look(0.5, "one") == []
    assert look(0.9, "one", "two") == []
    assert look(3, "one", "two") == []
    assert look(4, "two") == []
    assert look(5, "one", "two") == ["one"]


def test_few_in_one_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest comes in the next ones, and nothing twice."""
    told: list[str] = []
    monkeypatch.setattr(notices, "_fault_of", lambda command, one: told.append(one.text) or "")
    (tmp_path / "kept").mkdir()
    due = [notices.of_hand(f"thing {name}", tmp_path) for name in "abcdefghijkl"]
    for count in (5, 10, 12, 12):
        notices.tell_of("true", tmp_path / "kept", due)
        assert told == [one.text for one in due[:count]]


def test_a_command_that_fails(alice: Table, hears: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line says so with its last word, the game goes on, and it is not tried again."""
    bad = program(alice.root / "bad.sh", "echo one >&2; echo 'no network' >&2; exit 7")
    monkeypatch.setenv("ADJUDICATOR_TELL", str(bad))
    done = alice.run("sync", "-q")
    assert done.exit_code == 0
    said = f"warning: tell: '{bad}' ended with exit code 7: 'no network'\n"
    assert done.stderr == said
    monkeypatch.setenv("ADJUDICATOR_TELL", f"'{hears.parent / 'cat.sh'}'")
    alice.ok("sync", "-q")
    assert heard(hears) == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/no/such/program x", "tell: '/no/such/program' does not start: "),
        ("say 'to me", 'ADJUDICATOR_TELL: tell "say \'to me": expected a command'),
    ],
)
def test_a_command_that_is_none(
    alice: Table, command: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment may hold anything; all that comes of it is a line."""
    monkeypatch.setenv("ADJUDICATOR_TELL", command)
    done = alice.run("sync", "-q")
    assert (done.exit_code, len(done.stderr.splitlines())) == (0, 1)
    assert said in done.stderr


def test_what_follows_a_failure_waits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and the rest is told the next time."""
    (tmp_path / "told").mkdir()
    due = [notices.of_hand(f"thing {name}", tmp_path) for name in "abc"]
    for _ in range(2):
        notices.tell_of("false", tmp_path / "told", due)
        assert capsys.readouterr().err.count("\n") == 1
    out = tmp_path / "out"
    notices.tell_of(f"{program(tmp_path / 'x', f'cat >> {out}')}", tmp_path / "told", due)
    assert json.loads(out.read_text())["text"] == "thing c"


def test_who_is_at_work_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two processes do not both tell one thing."""
    (tmp_path / "told").mkdir()
    due = [notices.of_hand("thing", tmp_path)]
    with PrivateFolder(tmp_path / "told").locked():
        notices.tell_of("false", tmp_path / "told", due)
    assert capsys.readouterr().err == ""
    notices.tell_of("false", tmp_path / "told", due)
    assert "exit code 1" in capsys.readouterr().err


def test_a_command_that_does_not_end(
    alice: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed, with what it has started, and nothing waits for it."""
    monkeypatch.setattr(notices, "LIMIT", 0.1)
    os.mkfifo(tmp_path / "alive")
    held = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    slow = program(tmp_path / "slow", f"sleep 100 > {tmp_path}/alive; true")
    monkeypatch.setenv("ADJUDICATOR_TELL", str(slow))
    done = alice.run("sync", "-q")
    assert (done.exit_code, done.stderr) == (
        0, f"warning: tell: '{slow}' did not end in 0.1 s\n"
    )  # fmt: skip
    # Whoever writes there keeps it open.
    assert select.select([held], [], [], 60)[0]
    assert os.read(held, 1) == b""
    os.close(held)


def test_the_note_is_written_first(alice: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends the process while the command runs, nothing comes twice."""

    def dies(command: str, one: notices.Notice) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setenv("ADJUDICATOR_TELL", "true")
        patch.setattr(notices, "_fault_of", dies)
        assert alice.run("sync", "-q").exit_code == 1
    told: list[str] = []
    monkeypatch.setenv("ADJUDICATOR_TELL", "true")
    monkeypatch.setattr(notices, "_fault_of", lambda command, one: told.append(one.key) or "")
    alice.ok("sync", "-q")
    assert told == []
    (alice.root / "alice.seat" / notices.FILE).unlink()
    alice.ok("sync", "-q")
    assert len(told) == 1


@pytest.mark.parametrize("damage", [b"x\n", b"turn 1 2026-13-01T00:00:00Z\n", b"\xff on\n"])
def test_a_damaged_note(alice: Table, hears: Path, damage: bytes) -> None:
    """Its whole lines count, the others are forgotten, and no command ends by it."""
    alice.ok("sync", "-q")
    assert kinds(hears) == ["turn"]
    note = alice.root / "alice.seat" / notices.FILE
    whole = note.read_bytes()
    note.write_bytes(damage + whole)
    alice.ok("sync", "-q")
    assert heard(hears) == []
    assert note.read_bytes() == whole


def test_it_is_set_and_told_at_once(alice: Table, hears: Path, monkeypatch: Any) -> None:
    """For a game or for all; what is no program is refused, and nothing is written."""
    command = os.environ["ADJUDICATOR_TELL"]
    (alice.root / "bin").mkdir()
    program(alice.root / "bin" / "cat.sh", "true")
    monkeypatch.delenv("ADJUDICATOR_TELL")
    for bad, said in (
        ("nosuchprogram x", "tell: there is no program 'nosuchprogram'"),
        ("./true", "tell: there is no program './true'"),
        ("bin/cat.sh", "tell: there is no program 'bin/cat.sh'"),
        ("echo 'a", 'tell "echo \'a": expected a command that is run once'),
        ("  ", "tell '  ': expected a command"),
    ):
        assert said in alice.fails("bad-option", "config", "tell", bad, "-g", "friday")
    assert not (alice.root / "friday.config.toml").exists()
    alice.ok("config", "tell", command, "-g", "friday")
    assert kinds(hears) == ["turn"]
    alice.ok("sync", "-q")
    assert heard(hears) == []
    alice.ok("config", "tell", "true", "-g", "friday")


def test_nothing_of_the_others(alice: Table, table: Table, hears: Path) -> None:
    """A player's notices are the lines of their own `status`, and of nobody else's."""
    shutil.copytree(alice.root / "alice.seat", table.root / "alice.seat")
    table.ok("sync", "-q", *ALICE)
    for one in heard(hears):
        assert "as host" not in one["text"]
        assert one["text"] == f"friday: {json.loads(alice.ok('status', '--json'))['says']}"
    assert not (table.root / "friday.host" / notices.FILE).exists()
    shutil.move(table.root / "alice.seat", table.root / "there" / "x.seat")
    (table.root / "there" / "x.seat" / notices.FILE).unlink()
    table.ok("sync", "-q", "-g", "friday", "--seat", "there/x.seat")
    assert kinds(hears) == ["turn"]
    assert (table.root / "there" / "x.seat" / notices.FILE).exists()


# Who is told by other commands: a bot's owner, the host by mail, a duel.


def test_a_bots_owner(alice: Table, hears: Path) -> None:
    """What the program has answered waits for nobody; what it cannot answer does."""
    answers = program(alice.root / "plays.sh", "echo start C4")
    alice.ok("bot", "--once", answers)
    assert heard(hears) == []
    assert (alice.root / "alice.seat" / notices.FILE).exists()


def test_the_host_by_mail(by_mail: Desks, hears: Path) -> None:
    """What needs a hand in the mail state, of all its games, once."""
    (by_mail.root / "box" / "new" / "deaf").write_bytes(b"From: x\n" * 3_000_000)
    by_mail.sync(code=1)
    told = heard(hears)
    said = json.loads(
        by_mail.run("invite", "sugar-dog", "--key", "host.key", "-o", "x")
        and by_mail.run("status", "--json", code=3).stdout
    )["hand"]
    for one in told:
        assert (one["what"], one["folder"]) == ("hand", str(by_mail.root))
        assert any(line.startswith(one["text"]) for line in said)
    assert told
    by_mail.sync()
    assert heard(hears) == []
    # A game of theirs is told with the others of the mailbox, and nowhere else.
    assert (by_mail.root / "mail.state" / notices.FILE).exists()
    assert not (by_mail.root / "friday.host" / notices.FILE).exists()


def test_no_address_leaves(by_mail: Desks, hears: Path) -> None:
    """The host's command may tell a chat: a mail that came back is told without whose it was."""
    with closing(Outbox(by_mail.root / "mail.state")) as outbox:
        lost = Outgoing("x/k", b"s", "eve@example.org", "x", "x")
        outbox.queue(lost, "", b"", SystemClock().now())
        fault = "550 <eve@example.org>: no such user, see postmaster@example.org: x"
        outbox.failed("x/k", fault, SystemClock().now(), for_good=True, ours=False)
    by_mail.sync()
    (told,) = [one["text"] for one in heard(hears) if one["what"] == "hand"]
    assert told == (
        "not sent: to somebody, 1 tries: 550 <somebody>: no such user, see somebody: x"
    )  # fmt: skip


def test_a_duel(tmp_path: Path, hears: Path) -> None:
    """The one whose orders it waits for, until they are given; and both, once it is over."""
    ann = Person(tmp_path / "ann", "ann", "captain")
    ben = Person(tmp_path / "ben", "ben", "wild")
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key", "--option", "first=ben")
    ann.ok(*offer, "-o", "../offer.txt")
    ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key")
    found: dict[Person, list[dict[str, Any]]] = {ann: [], ben: heard(hears)}
    sender, reader = ben, ann
    while not all(one.home.party().ended and one.home.party().is_left for one in (ann, ben)):
        reader.ok("take", sender.block)
        while reader.think():
            pass
        found[reader] += heard(hears)
        sender, reader = reader, sender
    for one in (ann, ben):
        *turns, over = found[one]
        assert {told["what"] for told in turns} == {"turn"}
        assert all("YOUR " in told["text"] for told in turns)
        steps = [told["step"] for told in turns]
        assert steps == sorted(set(steps))
        assert (over["what"], over["game"]) == ("over", "silent-ships")
        assert over["text"].startswith(f"{one.name}.duel: Silent Ships against ")
        assert " won" in over["text"]


def test_a_duel_that_does_not_open_is_no_fault_of_a_game(mine: Table) -> None:
    """What is taken in for a game looks at no duel beside it."""
    (mine.root / "ann.duel").mkdir(mode=0o700)
    (mine.root / "ann.duel" / duel.ME).write_text("?")
    mine.ok("take", "../friday-0000.txt")
