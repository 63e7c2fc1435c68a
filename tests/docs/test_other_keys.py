"""The tutorial's other keys, where somebody must type: a passphrase at a terminal, an agent's."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PASSPHRASE = "open sesame"
TOOLS = Path(sys.executable).parent
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None and os.environ.get("CI") != "true",
    reason="no ssh-keygen on this machine",
)


@pytest.fixture(scope="module")
def invited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an invite, and a key `dora.key` that has a passphrase."""
    folder = tmp_path_factory.mktemp("invited")
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N"]
    subprocess.run([*make, "", "-f", "host.key"], cwd=folder, check=True)
    subprocess.run([*make, PASSPHRASE, "-f", "dora.key"], cwd=folder, check=True)
    invite = ["invite", "sugar-dog", "--key", "host.key", "-o", "friday"]
    done = run(folder, invite)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def desk(invited: Path, tmp_path: Path) -> Path:
    """The same folder, of this test's own."""
    return shutil.copytree(invited, tmp_path / "desk")


def environment(**more: str) -> dict[str, str]:
    """What programs see: no agent but the one given."""
    return {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C", **more}


def run(folder: Path, arguments: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    """`adjudicator` without a terminal."""
    return subprocess.run(
        ["adjudicator", *arguments],
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def typed(folder: Path, arguments: list[str], line: str) -> tuple[int, str]:
    """`adjudicator` at a terminal of its own, at which somebody types `line`; code and screen."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(TOOLS / "adjudicator", ["adjudicator", *arguments], environment())  # noqa: S606
    shown = b""
    told = False
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
        if not told and b"Passphrase" in shown:
            os.write(terminal, line.encode() + b"\n")
            told = True
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace")


JOIN = ["join", "friday-invite.txt", "--name", "dora", "--key", "dora.key"]


def test_passphrase_is_asked_for_at_a_terminal(desk: Path) -> None:
    """The right passphrase signs, is not shown, and is asked for in the tutorial's words."""
    code, screen = typed(desk, JOIN, PASSPHRASE)
    assert code == 0, screen
    assert PASSPHRASE not in screen
    prompt = "Passphrase for dora.key:"
    assert prompt in screen
    assert prompt in TUTORIAL.read_text("utf-8")
    assert (desk / "friday-dora-join.txt").is_file()
    signed = run(desk, ["start", "friday-dora-join.txt", "-g", "friday"])
    assert "players" in signed.stderr  # the join is good: too few players is all that is wrong


def test_wrong_passphrase_is_told(desk: Path) -> None:
    """A wrong one gives one line, and leaves no seat behind."""
    code, screen = typed(desk, JOIN, "open barley")
    assert code == 1
    assert "does not open with that passphrase" in screen
    assert "Traceback" not in screen
    assert not (desk / "dora.seat").exists()


def test_nobody_is_asked_without_a_terminal(desk: Path) -> None:
    """Without a terminal there is no prompt, but a way out."""
    done = run(desk, JOIN)
    assert done.returncode == 1
    assert "there is no terminal to ask" in done.stderr
    assert "hint: " in done.stderr
    assert "ssh-add" in done.stderr


@pytest.fixture
def agent(desk: Path) -> Iterator[str]:
    """The socket of a running agent that holds `dora.key`, whose passphrase it was told."""
    socket = str(desk / "agent")
    agent = subprocess.Popen(
        ["ssh-agent", "-D", "-a", socket], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert agent.stdout is not None
    agent.stdout.readline()  # it has written its socket's name: it listens
    ask = desk / "ask"
    ask.write_text(f"#!/bin/sh\necho '{PASSPHRASE}'\n")
    ask.chmod(0o700)
    told = environment(SSH_AUTH_SOCK=socket, SSH_ASKPASS=str(ask), SSH_ASKPASS_REQUIRE="force")
    subprocess.run(["ssh-add", "-q", "dora.key"], cwd=desk, env=told, check=True, timeout=60)
    yield socket
    agent.terminate()
    agent.wait(timeout=60)
    agent.stdout.close()


@pytest.mark.parametrize("key", ["dora.key", "dora.key.pub"])
def test_agent_signs(desk: Path, agent: str, key: str) -> None:
    """With the key in an agent nothing is asked, whichever of its two files is named."""
    done = run(desk, [*JOIN[:-1], key], SSH_AUTH_SOCK=agent)
    assert done.returncode == 0, done.stderr
    assert (desk / "friday-dora-join.txt").is_file()


def test_agent_that_lost_the_key_is_told(desk: Path, agent: str) -> None:
    """After `ssh-add -D` the public half alone is no use, and the answer names the key."""
    told = environment(SSH_AUTH_SOCK=agent)
    subprocess.run(["ssh-add", "-q", "-D"], env=told, check=True, timeout=60)
    done = run(desk, [*JOIN[:-1], "dora.key.pub"], SSH_AUTH_SOCK=agent)
    assert done.returncode == 1
    assert "no ssh-agent holds SHA256:" in done.stderr
