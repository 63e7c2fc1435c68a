"""`bot`: programs that play a seat, good ones and bad ones."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import ALICE
from desks import Desks
from terminal import Terminal

from adjudicator.cli import bot, courier
from adjudicator.cli.bot import known
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import answers
from orders.errors import Refused

Table = Any
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def program(table: Table, text: str) -> tuple[str, ...]:
    """A Python program in the folder, as words of a command."""
    (table.root / "own.py").write_text(
        "import json, os, signal, subprocess, sys, time\n"
        # A pipe that closes ends it in silence, as it ends most programs.
        f"signal.signal(signal.SIGPIPE, signal.SIG_DFL)\n{text}\n"
    )
    return sys.executable, "own.py"


def once(table: Table, *words: str, options: tuple[str, ...] = ()) -> Any:
    return table.run("bot", *ALICE, "--once", *options, *words)


def own_seat(table: Table) -> Seated:
    return Seated(Record(table.root / "friday"), Seat.open(table.root / "alice.seat"))


def written(table: Table) -> list[str]:
    return sorted(path.name for path in table.root.glob("friday-alice-*-*.txt"))


def test_a_program_orders_once_a_step(table: Table) -> None:
    """Its lines are signed and sent as a person's; till the next step it is not asked again."""
    words = program(table, "print('start C4')")
    done = once(table, *words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("Ready: start C4.\nSend friday-alice-0001-1.txt to the host")
    assert once(table, *words).stdout == ""
    assert written(table) == ["friday-alice-0001-1.txt"]
    assert "alice: taken" in table.ok("take", "-g", "friday", "friday-alice-0001-1.txt")
    table.order("bob", "start C1")
    table.ok("sync", "-g", "friday")
    for receipt in table.root.glob("*-receipt.txt"):
        receipt.unlink()
    assert "Ready: ping." in once(table, *program(table, "print('ping')")).stdout
    table.ok("take", "-g", "friday", "friday-alice-0002-1.txt")
    table.ok("sync", "-g", "friday")
    # It is bob's turn.
    assert once(table, *words).stdout == ""


def test_what_a_program_is_given(table: Table) -> None:
    """What its seat may know, in the form of the page; and no part of a secret."""
    table.step(alice="start C4", bob="start C1")
    table.step(alice="ping")
    table.step(bob="silent")
    given = known(own_seat(table))
    assert {key: given[key] for key in ("form", "game", "player", "step", "for", "refused")} == {
        "form": 1, "game": "sugar-dog", "player": "alice", "step": 4, "for": "turn",
        "refused": None,
    }  # fmt: skip
    assert given["view"]["alice"]["sub"] == "C4"
    assert "fire S" in given["legal"]
    assert [one["text"] for one in given["after"]["choices"]] == given["legal"]
    assert "Echo from C1, bob's." in given["news"]
    assert not any("starts in" in line for line in given["news"])
    assert [one["step"] for one in given["reports"]] == [1, 2, 3]
    text = json.dumps(given)
    seat = (table.root / "alice.seat" / "seat.toml").read_text()
    secret = next(line for line in seat.splitlines() if line.startswith("secret"))
    for hidden in (secret.split('"')[1], "PRIVATE", "alice.key", "salt", str(table.root)):
        assert hidden not in text
    page = (EXAMPLES.parent / "bots.md").read_text()
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    assert set(given) <= {key for row in rows for key in re.findall("`([a-z]+)`", row)}


def test_a_program_gets_no_secret_of_the_environment(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither agents nor mailboxes nor passphrases; and one line of JSON."""
    for name in ("SSH_AUTH_SOCK", "ADJUDICATOR_MAIL_IN", "ADJUDICATOR_PASSPHRASE_FILE", "TOKEN"):
        monkeypatch.setenv(name, "secret")
    words = program(
        table,
        "given = sys.stdin.read()\n"
        "assert given.count('\\n') == 1 and json.loads(given)['player'] == 'alice'\n"
        "assert 'secret' not in os.environ.values(), os.environ\n"
        "assert not [fd for fd in range(3, 60) if os.path.exists(f'/proc/self/fd/{fd}') "
        "and 'seat' in os.readlink(f'/proc/self/fd/{fd}')]\n"
        "print('start C4')",
    )
    assert "Ready: start C4" in once(table, *words).stdout


def test_a_program_may_resign(table: Table) -> None:
    """Whoever runs it said yes by that: nobody is there to be asked."""
    table.step(alice="start C4", bob="start C1")
    for receipt in table.root.glob("*-receipt.txt"):
        receipt.unlink()
    done = once(table, *program(table, "print('resign')"))
    assert (done.exit_code, "Ready: resign" in done.stdout) == (0, True), done.output


def test_a_wrong_line_is_told_back(table: Table) -> None:
    """As `refused`, as often as --tries says; then nothing is signed, and how to go on is said."""
    words = program(
        table,
        "why = json.load(sys.stdin)['refused']\n"
        "print('start Z9' if why is None else 'start C5' if 'Z9' in why else 'start C4')",
    )
    done = once(table, *words)
    assert done.stderr.startswith("warning: the program's answer: line 1: 'start Z9'")
    assert "Ready: start C5" in done.stdout
    words = program(table, "print('start Z9')")
    done = table.run("bot", "-g", "friday", "--seat", "bob.seat", "--once", *words)
    assert done.stderr.count("warning: the program's answer: ") == 3
    assert not list(table.root.glob("friday-bob-0001*"))


BAD = {
    "exits at once": ("", "expected"),
    "fails": ("sys.exit(3)", "exit code 3"),
    "garbage": ("sys.stdout.buffer.write(bytes(range(256)))", "UTF-16"),
    "a flood": ("while True: print('start C4' * 100)", "more than 262144 bytes"),
    "a flood of complaints": ("while True: print('x' * 999, file=sys.stderr)", "more than 262144"),
    "hangs": ("time.sleep(600)", "no answer in 1 s"),
    "hangs, and closes": ("os.close(1); os.close(2); time.sleep(600)", "no answer in 1 s"),
    "resigns and more": ("print('resign')\nprint('resign')", "expected one order"),
    "dies": ("os.abort()", "exit code -6"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_program_signs_nothing(table: Table, what: str) -> None:
    """Whatever it does: asked twice, an error with the way out, within the time limit."""
    text, why = BAD[what]
    # Under load a program may take more than a second to start.
    limit = "1s" if what.startswith("hangs") else "1m"
    begun = time.monotonic()
    done = once(table, *program(table, text), options=("--limit", limit, "--tries", "2"))
    assert time.monotonic() - begun < 60
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert [line for line in lines if line.startswith("error: no orders came of 2 answers: ")]
    assert lines[-1] == "hint: mend the program, or write the orders: adjudicator play"
    assert why in done.stderr, done.stderr
    assert sum(line.startswith("warning: the program's answer: ") for line in lines) == 2
    assert written(table) == []


def test_what_a_program_started_is_ended_too(table: Table) -> None:
    """A child of its own that goes on holds nothing up, and does not outlive the answer."""
    words = program(
        table,
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('child', 'w').write(str(child.pid))\n"
        "print('start C4')",
    )
    begun = time.monotonic()
    assert "Ready: start C4" in once(table, *words).stdout
    assert time.monotonic() - begun < 60
    pid = int((table.root / "child").read_text())
    # Killed it is; the kernel may take its time.
    while runs(pid):
        assert time.monotonic() - begun < 60
        time.sleep(0.01)


def runs(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_it_complains_of_cannot_move_the_cursor(table: Table) -> None:
    """Standard error is shown, escaped."""
    words = program(table, "print('\\x1b[2Jboo', file=sys.stderr); print('start C4')")
    done = once(table, *words)
    assert done.stderr == "bot: \\x1b[2Jboo\n"
    assert done.exit_code == 0


def test_a_command_in_one_word_and_a_program_that_is_not_there(table: Table) -> None:
    """A quoted command line is taken apart; a missing program is named."""
    program(table, "print(sys.argv[1])")
    assert "start C4" in once(table, f"{sys.executable} own.py 'start C4'").stdout
    table.root.joinpath("friday-alice-0001-1.txt").unlink()
    fresh = table.run("bot", "-g", "friday", "--seat", "bob.seat", "--once", "./nothing")
    assert "there is no program './nothing'; name one as in python mine.py" in fresh.stderr
    assert fresh.exit_code == 2
    assert table.run("bot", "--once", "--every", "soon", "x").exit_code == 2
    unclosed = table.run("bot", "-g", "friday", "--seat", "bob.seat", "python 'own.py")
    assert (unclosed.exit_code, "is no command" in unclosed.stderr) == (2, True)


def test_a_host_that_refuses_is_not_asked_for_ever(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After as many refused revisions as --tries allows, a person must look."""
    words, sent = program(table, "print('start C4')"), answers.sent
    for revision in (1, 2):
        done = once(table, *words, options=("--tries", "2"))
        assert f"Ready: start C4.\nSend friday-alice-0001-{revision}.txt" in done.stdout
        pending = [one._replace(answer="illegal: no") for one in sent(own_seat(table))]
        assert len(pending) == revision
        monkeypatch.setattr(answers, "sent", lambda own, told=pending: told)
    done = once(table, *words, options=("--tries", "2"))
    assert done.stderr.startswith("error: the host refused 2 orders for step 1: illegal: no")


def test_an_old_board_and_a_missing_report_stop_it(table: Table) -> None:
    """It orders nothing on what it does not know: exit 4, and why."""
    table.step(alice="start C4", bob="start C1")
    (table.root / "friday" / "reports" / "0001-alice.sealed").unlink()
    (table.root / "friday-0001-alice.txt").unlink()
    done = once(table, *program(table, "print('ping')"))
    assert done.exit_code == 4
    assert "NO REPORT of entry 1" in done.stderr
    assert "friday-alice-0002-1.txt" not in written(table)


def test_it_plays_until_the_game_is_over(finished: Table) -> None:
    """Then it says how it ended; a program is not asked."""
    done = finished.run("bot", *ALICE, "false")
    assert done.exit_code == 0
    assert done.stdout.endswith("The game is over: alice won.\n")


def test_it_waits_for_what_comes(table: Table) -> None:
    """Turn after turn, in one process, as files arrive."""
    words = program(
        table, "print('start C4' if json.load(sys.stdin)['for'] == 'setup' else 'fire S')"
    )
    # The host works in the same folder: it has made its entries before the next look.
    running = Terminal(table.root, "bot", *ALICE, "--every", "3s", *words)
    running.until("friday-alice-0001-1.txt to the host\n")
    table.ok("take", "-g", "friday", "friday-alice-0001-1.txt")
    table.order("bob", "start C1")
    table.ok("sync", "-g", "friday")
    for receipt in table.root.glob("*-receipt.txt"):
        receipt.unlink()
    said = running.until("friday-alice-0002-1.txt to the host\n")
    assert "Ready: fire S." in said
    for line in ("silent",):
        table.ok("take", "-g", "friday", "friday-alice-0002-1.txt")
        table.ok("sync", "-g", "friday")
        table.order("bob", line)
        table.ok("sync", "-g", "friday")
    running.until("friday-alice-0004-1.txt to the host\n")
    table.ok("take", "-g", "friday", "friday-alice-0004-1.txt")
    table.ok("sync", "-g", "friday")
    running.until("The game is over: alice won.\n")
    assert running.end("") == 0


def test_it_outlasts_who_works_there(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another command holds the folder it looks again; asked once, it says so."""
    words = program(table, "print('start C4')")
    once(table, *words)
    table.ok("take", "-g", "friday", "friday-alice-0001-1.txt")
    held = files.locked(table.root / "friday")
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            held.__exit__(None, None, None)
        if len(slept) == 3:
            raise KeyboardInterrupt

    held.__enter__()
    refused = once(table, *words)
    assert (refused.exit_code, "[busy]" in refused.stderr) == (1, True)
    monkeypatch.setattr(bot.time, "sleep", sleep)
    done = table.run("bot", *ALICE, "--every", "1s", *words)
    assert slept == [1, 1, 1]
    assert (done.stdout, done.stderr) == ("", "\nAborted!\n")


def test_orders_that_are_held_up_are_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are signed by then and the program is not asked again: that is no time for silence."""

    def held_up(*_: Any) -> None:
        raise Refused("busy", "somebody works in this folder")

    monkeypatch.setattr(courier.ByFiles, "send", held_up)
    done = table.run("bot", *ALICE, "--every", "1s", *program(table, "print('start C4')"))
    assert done.stdout == "Ready: start C4.\n"
    assert (done.exit_code, done.stderr) == (1, "error: somebody works in this folder [busy]\n")


def test_by_mail(by_mail: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command beside a copy that came by mail: its orders leave by the mailbox."""
    alice = by_mail.at("alice")
    for folder in ("new", "cur", "tmp"):
        (alice.root / "box" / folder).mkdir(parents=True)
    monkeypatch.setenv("ADJUDICATOR_MAIL_IN", f"maildir:{alice.root / 'box'}")
    monkeypatch.setenv("ADJUDICATOR_MAIL_OUT", f"maildir:{alice.root / 'sent'}")
    said = alice.run("bot", "--once", *program(alice, "print('start C4')")).stdout
    assert "Ready: start C4.\n" in said
    assert "sent to referee@example.net" in said
    (mail,) = (alice.root / "sent" / "new").iterdir()
    by_mail.serve(mail.read_bytes())
    assert any(b"accepted" in mail for mail in by_mail.sent("alice@example.org"))


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        ((sys.executable, "pinger.py"), "start C3", "ping"),
        (("sh", "creeper.sh"), "start A1", "silent A2"),
    ],
)
def test_the_examples_play(table: Table, words: tuple[str, ...], first: str, second: str) -> None:
    """The programs of the page, in Python as it stands there, and in sh."""
    source = EXAMPLES / words[1]
    page = (EXAMPLES.parent / "bots.md").read_text()
    assert f"(examples/{words[1]})" in page
    assert words[0] == "sh" or source.read_text() in page
    (table.root / words[1]).write_bytes(source.read_bytes())
    assert f"Ready: {first}." in once(table, *words).stdout
    table.ok("take", "-g", "friday", "friday-alice-0001-1.txt")
    table.order("bob", "start C1")
    table.ok("sync", "-g", "friday")
    for receipt in table.root.glob("*-receipt.txt"):
        receipt.unlink()
    assert f"Ready: {second}." in once(table, *words).stdout
    assert os.access(EXAMPLES / "creeper.sh", os.X_OK)
