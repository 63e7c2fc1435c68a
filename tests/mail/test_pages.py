"""The pages' files, run as they are printed: by shells and by systemd's own readers.

In the place of the program stands a script that tells its environment and then lets the real one
read the words. The records that they name are not there, so nothing else is done.
"""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from servers import absent, needed

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
SERVICE = (EXAMPLES / "games.service").read_text()
GENERATOR = Path("/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator")
PROGRAM = """\
#!/bin/sh
env | grep ^ADJUDICATOR_ | sort
exec %s -m adjudicator "$@"
"""


def blocks(page: str) -> list[str]:
    """The blocks of a page that show files."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    found = re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [shown for tag, shown in found if not tag]


def block(begin: str, page: str = "host") -> str:
    """The one block that begins so."""
    (found,) = [one for one in blocks(page) if one.startswith(begin)]
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Carl's home with `games/`: what the page has him write there."""
    games = tmp_path / "games"
    (games / ".venv" / "bin").mkdir(parents=True)
    program = games / ".venv" / "bin" / "adjudicator"
    program.write_text(PROGRAM % sys.executable)
    program.chmod(0o755)
    (games / "mail.env").write_text((EXAMPLES / "mail.env").read_text())
    return tmp_path


EXPECTED = {
    "ADJUDICATOR_MAIL_ADDRESS": "carls.games@gmail.com",
    "ADJUDICATOR_MAIL_IN": "imaps://carls.games%40gmail.com@imap.gmail.com/INBOX",
    "ADJUDICATOR_MAIL_OUT": "smtps://carls.games%40gmail.com@smtp.gmail.com",
    "ADJUDICATOR_MAIL_STATE": "/home/carl/games/mail.state",
    "ADJUDICATOR_IMAP_PASSWORD": "abcd efgh ijkl mnop",
    "ADJUDICATOR_SMTP_PASSWORD": "abcd efgh ijkl mnop",
}


def run(home: Path, command: str) -> tuple[dict[str, str], str]:
    """What a shell with an environment as poor as cron's does: what the program was told, and
    what it complains of."""
    command = command.replace("/home/carl", str(home))
    (home / "games" / "mail.env").write_text(
        (home / "games" / "mail.env").read_text().replace("/home/carl", str(home))
    )
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, check=False, stdin=subprocess.DEVNULL,
        cwd="/", env={"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": _sources()},
    )  # fmt: skip
    told = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
    return told, done.stderr.decode()


def _sources() -> str:
    return os.environ.get("PYTHONPATH", "")


def test_mail_env_by_sh(home: Path) -> None:
    """The passwords are there, blanks and all; the program understands every word."""
    line = "*/5 * * * * "
    command = block(line).removeprefix(line).strip()
    told, complaint = run(home, command)
    assert told == {
        name: value.replace("/home/carl", str(home)) for name, value in EXPECTED.items()
    }
    assert "no game is here" in complaint
    assert "Usage" not in complaint


def test_mail_env_by_systemd(home: Path, tmp_path: Path) -> None:
    """systemd's own reader of such files finds the same (its program for environment.d)."""
    absent([] if GENERATOR.exists() else ["systemd"])
    settings = tmp_path / "config"
    (settings / "environment.d").mkdir(parents=True)
    (settings / "environment.d" / "mail.conf").write_text((EXAMPLES / "mail.env").read_text())
    done = subprocess.run(
        [str(GENERATOR)], capture_output=True, check=True, text=True,
        env={"HOME": str(home), "XDG_CONFIG_HOME": str(settings)},
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("ADJUDICATOR_")]
    told = dict(line.split("=", 1) for line in lines)
    assert {name: value.strip('"') for name, value in told.items()} == EXPECTED


@pytest.mark.parametrize("spoilt", [False, True])
def test_units_by_systemd(home: Path, tmp_path: Path, spoilt: bool) -> None:
    """systemd verifies the service and its timer, and finds the program; it sees a fault."""
    absent([] if Path("/usr/bin/systemd-analyze").exists() else ["systemd"])
    units = {name: (EXAMPLES / name).read_text() for name in ("games.service", "games.timer")}
    if spoilt:
        units["games.service"] = units["games.service"].replace("/.venv/bin", "/.venv/lib")
    for name, text in units.items():
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / one) for one in units]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *paths],
        capture_output=True, check=False, text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    complaints = [
        line for line in done.stderr.splitlines() if str(tmp_path) in line or "games" in line
    ]
    assert bool(complaints) == spoilt, done.stderr


def test_the_service_as_systemd_starts_it(home: Path) -> None:
    """Its ExecStart line, in its folder, with the file's values: every word is understood."""
    unit = dict(line.split("=", 1) for line in SERVICE.splitlines() if "=" in line)
    env = home / "games" / "mail.env"
    assert unit["EnvironmentFile"].replace("%h", str(home)) == str(env)
    folder = unit["WorkingDirectory"].replace("%h", str(home))
    command = unit["ExecStart"].replace("%h", str(home))
    told, complaint = run(home, f"cd {folder} && set -a && . {env} && exec {command}")
    assert told.keys() == EXPECTED.keys()
    assert "no game is here" in complaint


def test_a_players_settings(tmp_path: Path) -> None:
    """The lines for `config`, by a shell."""
    command = block("adjudicator config mail-in", "play") + "adjudicator config mail-out"
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, check=True, text=True, cwd=tmp_path,
        env=tools(tmp_path),
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "smtps://alice%40example.org@smtp.example.org"
    kept = (tmp_path / ".config" / "adjudicator" / "config.toml").read_text()
    assert 'mail-in = "imaps://alice%40example.org@imap.example.org"' in kept


@pytest.fixture
def invited(mailroom: Any, tmp_path: Path) -> bytes:
    """An invitation, for a player whose games lie in `games/`."""
    room = mailroom()
    room.invite()
    (tmp_path / "games").mkdir()
    return bytes(room.got("alice")[-1]).replace(b"\r\n", b"\n")


def tools(home: Path) -> dict[str, str]:
    """An environment in which the program is found."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    return {"PATH": path, "HOME": str(home), "PYTHONPATH": _sources(), "TERM": "xterm"}


def test_procmail_of_a_player(invited: bytes, tmp_path: Path) -> None:
    """What procmail's recipe pipes a mail into."""
    command = block(":0 c", "play").rpartition("| ")[2]
    subprocess.run(["/bin/sh", "-c", command], input=invited, check=True, env=tools(tmp_path))
    assert (tmp_path / "games" / "friday" / "invite.toml").is_file()
    assert "an invite to Sugar Dog" in (tmp_path / "games" / "news.txt").read_text()


def test_mutt_of_a_player(invited: bytes, tmp_path: Path) -> None:
    """Its key, pressed on the mail in mutt on a terminal."""
    program = needed("mutt")["mutt"]
    (tmp_path / "inbox").write_bytes(b"From a@example.org Sat Nov 21 18:00:00 2026\n" + invited)
    macro = block("macro index", "play")
    settings = f"set wait_key=no\nset quit=yes\nset move=no\nset folder={tmp_path}\n"
    (tmp_path / "muttrc").write_text(f'{macro}\n{settings}push "A<quit>"\n')
    command = [program, "-n", "-F", str(tmp_path / "muttrc"), "-f", str(tmp_path / "inbox")]
    terminal, theirs = pty.openpty()
    mutt = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=tools(tmp_path),
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):
        while select.select([terminal], [], [], 60)[0] and (more := os.read(terminal, 4096)):
            shown += more
    mutt.kill()
    mutt.wait(10)
    os.close(terminal)
    assert (tmp_path / "games" / "friday" / "invite.toml").is_file(), shown


def test_every_block_is_run() -> None:
    """A block that no test runs stops working unnoticed."""
    begins = ("*/5", "adjudicator config install git+")
    shown = blocks("host")
    assert [one for one in shown if not one.startswith(begins)] == []
    assert len(shown) == len(begins)
