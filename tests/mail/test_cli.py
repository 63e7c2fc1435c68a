"""The commands of `mail`, as a host's and a player's shell runs them."""

from __future__ import annotations

import mailbox
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli, mail_serve
from adjudicator.mail import block, office
from adjudicator.mail.mime import read_mail

Run = Callable[..., subprocess.CompletedProcess[bytes]]
REFEREE = "referee@example.net"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command in a folder of this test's own."""

    def call(*words: str, given: bytes = b"", code: int = 0, **env: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", *words],
            input=given, capture_output=True, cwd=tmp_path, timeout=60, check=False,
            env={**os.environ, "ADJUDICATOR_MAIL_ADDRESS": REFEREE, **env},
        )  # fmt: skip
        assert done.returncode == code, done.stderr.decode() + done.stdout.decode()
        assert b"Traceback" not in done.stderr
        return done

    return call


@pytest.fixture
def offered(run: Run) -> Run:
    """A game that is offered to Alice and Bob, who have taken the invitation in and joined."""
    run("keygen", "host.key")
    run("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--option", "first=alice",
        "--option", "press=private", "--mail", REFEREE, "--reserved")  # fmt: skip
    run("mail", "invite", "friday", "--seats", "2", "alice@example.org", "bob@example.org")
    return run


SPEC = "https://example.org/sealed_orders-0.1.0-py3-none-any.whl#sha256=" + "0123456789abcdef" * 4


def test_an_invitation_tells_where_the_program_comes_from(offered: Run, tmp_path: Path) -> None:
    """The host's source by its bytes, or to ask the host; never a name that anybody may own."""
    run = offered
    run(*SERVE, "--in", "mbox:none", "--once")
    (first,) = outgoing(tmp_path, "alice@example.org")
    text = read_mail(first).text
    assert "Ask the person who hosts this game" in text
    assert "install " not in text.replace("not install it by its name", "")
    more = ("mail", "invite", "friday", "alice@example.org")
    run(*more, "--install", "adjudicator", code=1)
    run(*more, "--install", SPEC)
    run(*more, ADJUDICATOR_INSTALL=SPEC)
    run(*SERVE, "--in", "mbox:none", "--once")
    others = set(outgoing(tmp_path, "alice@example.org")) - {first}
    assert len(others) == 2
    token = re.search("--token ([0-9a-f]{32})", text)[1]
    for mail in others:
        assert f'pip install "sealed-orders @ {SPEC}"' in read_mail(mail).text
        assert f"--token {token}" in read_mail(mail).text


def outgoing(root: Path, to: str) -> list[bytes]:
    """Mails that were sent to somebody, by their Message-ID."""
    found = [path.read_bytes() for path in (root / "out" / "new").iterdir()]
    return [data for data in found if f"To: {to}".encode() in data]


SERVE = ("mail", "serve", "friday", "--out", "maildir:out")


def test_mbox_and_standard_input(offered: Run, tmp_path: Path) -> None:
    """Joins from an mbox, orders from standard input: the game begins and goes on."""
    run = offered
    mailbox.mbox(tmp_path / "spool").close()
    run(*SERVE, "--in", "mbox:spool", "--once")
    players = tmp_path / "players"
    joins = mailbox.mbox(tmp_path / "spool")
    for name in ("alice", "bob"):
        (invitation,) = outgoing(tmp_path, f"{name}@example.org")
        (players / name).mkdir(parents=True)
        there = str(players / name)
        run("keygen", f"{there}/key")
        (players / name / "m").write_bytes(invitation)
        shell = ["-c", f"cd {there} && adjudicator mail read < m"]
        done = subprocess.run(["sh", *shell], capture_output=True, check=False, env=_path())
        assert done.returncode == 0, done.stderr
        token = re.search(rb"--token ([0-9a-f]{32})", done.stdout)[1].decode()
        run("join", f"{there}/friday-invite.txt", "--name", name, "--key", f"{there}/key",
            "--address", f"{name}@example.org", "--token", token,
            "-o", f"{there}/join.txt")  # fmt: skip
        run("mail", "wrap", f"{there}/friday", f"{there}/join.txt", "-o", f"{there}/join.eml")
        joins.add((players / name / "join.eml").read_bytes())
    joins.close()
    run(*SERVE, "--in", "mbox:spool", "--once")
    assert (tmp_path / "spool").stat().st_size == 0
    assert (tmp_path / "friday" / "entries" / "0000.toml").is_file()
    genesis = next(m for m in outgoing(tmp_path, "alice@example.org") if b"entry 0" in m)
    there = players / "alice"
    done = subprocess.run(
        ["adjudicator", "mail", "read"], cwd=there, input=genesis, capture_output=True, check=False,
        env=_path(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    form = there / "friday-0001.toml"
    form.write_text(form.read_text().replace('orders = """\n', 'orders = """\nstart C4\n'))
    order = run("order", f"{there}/friday", str(form), "--seat", f"{there}/alice.seat", "--mail",
                "-o", "-")  # fmt: skip
    run(*SERVE, "--in", "-", given=order.stdout)
    assert any(b"are accepted" in one for one in outgoing(tmp_path, "alice@example.org"))
    run("mail", "say", "friday", "--to", "alice", "Hello!")
    waiting = run("mail", "outbox", "--json").stdout
    assert b"alice@example.org" in waiting
    assert b"0 mails" not in run("mail", "outbox").stdout


def _path() -> dict[str, str]:
    tools = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}


def joined(run: Run, tmp_path: Path) -> bytes:
    """Alice takes her invitation in as `copy`, and joins; the invitation."""
    run(*SERVE, "--in", "mbox:none", "--once")
    (invitation,) = outgoing(tmp_path, "alice@example.org")
    told = run("mail", "read", "--record", "copy", given=invitation).stdout
    assert f"mails to the host go to {REFEREE}".encode() in told
    token = re.search(rb"--token ([0-9a-f]{32})", told)[1].decode()
    run("keygen", "alice.key")
    run("join", "copy-invite.txt", "--name", "alice", "--key", "alice.key", "--token", token,
        "--address", "alice@example.org")  # fmt: skip
    return invitation


def test_hand_over(offered: Run, tmp_path: Path) -> None:
    """`--send` gives the mail to a program, and says to whom; one that fails is told."""
    run = offered
    joined(run, tmp_path)
    told = run("mail", "wrap", "copy", "alice-join.txt", "--send", "tee sent.eml").stdout
    assert f"sent to {REFEREE} by tee".encode() in told
    mail = read_mail((tmp_path / "sent.eml").read_bytes())
    assert (mail.sender, mail.automatic) == ("alice@example.org", False)
    assert f"\nTo: {REFEREE}\n".encode() in (tmp_path / "sent.eml").read_bytes()
    assert block.choose(mail.blocks, ("join",)) is not None
    failed = run("mail", "wrap", "copy", "alice-join.txt", "--send", "false", code=1)
    assert b"exit code 1" in failed.stderr
    run("mail", "wrap", "copy", "alice-join.txt", "--send", "no-such-program", code=1)


@pytest.mark.parametrize(
    "change",
    [
        (b"From: referee@example.net", b"From: eve@example.com"),
        (b"From: referee@example.net", b"From: referee via list <games@lists.example.org>"),
        (b"To: alice@example.org", b"Reply-To: eve@example.com\nTo: games@lists.example.org"),
    ],
    ids=["forwarded", "list", "reply-to"],
)
def test_where_mails_go_is_signed(
    offered: Run, tmp_path: Path, change: tuple[bytes, bytes]
) -> None:
    """Eve sends a copy of the invitation, or a list rewrites it: mails go where the host signed."""
    run = offered
    invitation = joined(run, tmp_path)
    (tmp_path / "m.eml").write_bytes(invitation.replace(*change))
    assert change[1] in (tmp_path / "m.eml").read_bytes()
    run("mail", "read", "--record", "copy", "m.eml")
    told = run("mail", "wrap", "copy", "alice-join.txt", "-o", "join.eml").stdout
    assert f"the mail to {REFEREE}, ready".encode() in told
    head = (tmp_path / "join.eml").read_bytes().partition(b"\r\n\r\n")[0]
    assert f"To: {REFEREE}".encode() in head
    assert b"From: alice@example.org" in head


def test_who_is_there(offered: Run, tmp_path: Path) -> None:
    """The host sees who joined at which address, and can send one of them away again."""
    run = offered
    joined(run, tmp_path)
    run("mail", "wrap", "copy", "alice-join.txt", "-o", "spool.eml")
    run(*SERVE, "--in", "-", given=(tmp_path / "spool.eml").read_bytes())
    told = run("mail", "joins", "friday").stdout.decode()
    assert told.splitlines() == [
        "alice: alice@example.org, invited as alice@example.org",
        "1 of 2 have joined",
    ]
    run("mail", "drop", "friday", "alice")
    assert run("mail", "joins", "friday").stdout == b"0 of 2 have joined\n"
    assert b"nobody waits" in run("mail", "drop", "friday", "alice", code=1).stderr


def test_seats_that_are_not_reserved(run: Run) -> None:
    """A host says so before whoever gets a copy of the invite can join."""
    run("keygen", "host.key")
    run("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--mail", REFEREE)
    refused = run("mail", "invite", "friday", "alice@example.org", code=1).stderr
    assert b"not reserved" in refused
    run("mail", "invite", "friday", "alice@example.org", "--open")


def test_invite_that_names_no_mailbox(run: Run) -> None:
    """Nothing signed would tell the players where their mails go."""
    run("keygen", "host.key")
    run("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--reserved")
    refused = run("mail", "invite", "friday", "alice@example.org", code=1).stderr
    assert b"--mail ADDRESS" in refused


def test_clear_refusals(run: Run, tmp_path: Path) -> None:
    """What cannot be is refused in one line, with a way out, before anything is read."""
    assert b"holds no outbox" in run("mail", "outbox", code=1).stderr
    told = run(*SERVE, "--in", "imaps://a:pw@example.org", "--once", code=1).stderr
    assert b"pw" not in told.replace(b"ADJUDICATOR_IMAP_PASSWORD", b"")
    assert b"ADJUDICATOR_IMAP_PASSWORD" in told
    assert b"no record" in run(*SERVE, "--in", "maildir:x", "--once", code=1).stderr
    assert b"no block" in run("mail", "read", given=b"hello", code=1).stderr
    own = run(*SERVE, "--in", "-", "--digest", REFEREE, code=1, given=b"x").stderr
    assert b"not the games' mailbox" in own
    assert b"--keep 'soon'" in run(*SERVE, "--in", "-", "--keep", "soon", code=2, given=b"x").stderr
    assert b"holds no outbox" in run("mail", "log", "--state", "nowhere", code=1).stderr
    # Whoever delivers by a pipe keeps the mail when anything at all is wrong here.
    run(*SERVE, "--in", "-", given=b"From: a@b.c\n\nhi\n", code=75)


def test_sync_without_a_seat(offered: Run, tmp_path: Path) -> None:
    """It says so, and what to name; and so it does for a way in that is none."""
    offered(*SERVE, "--in", "mbox:none", "--once")
    (invitation,) = outgoing(tmp_path, "alice@example.org")
    offered("mail", "read", "--record", "copy", given=invitation)
    refused = offered("mail", "sync", "copy", "--in", "maildir:x", code=1).stderr
    assert b"name it: --seat" in refused
    joined(offered, tmp_path)
    refused = offered("mail", "sync", "copy", "--in", "mbox:x", code=1).stderr
    assert b"expected one of imaps, imap, maildir" in refused


@pytest.mark.parametrize("intake", [30.0, -1.0])
def test_the_next_turn_begins_at_once_if_mails_are_left(
    offered: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, intake: float
) -> None:
    """In a loop the host waits only where nothing is left to look at."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise KeyboardInterrupt

    box = tmp_path / "box"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    (box / "new" / "1").write_bytes(b"From: a@example.com\n\nhi\n")
    monkeypatch.setattr(office, "INTAKE", intake)
    monkeypatch.setattr(mail_serve.time, "sleep", sleep)
    monkeypatch.setenv("ADJUDICATOR_MAIL_ADDRESS", REFEREE)
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(cli, [*SERVE, "--in", f"maildir:{box}"])
    assert slept == [0 if intake < 0 else 60] * 3
