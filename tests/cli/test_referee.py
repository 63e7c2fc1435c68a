"""`referee`: the settings and rules in its folder, and what other commands there make of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from desks import Desks
from servers import absent

from adjudicator.mail.mime import read_mail

ADDRESS = "games@example.net"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TOML = f"""
address = "{ADDRESS}"
mail-in = "maildir:box"
mail-out = "maildir:out"
options = ["turn_time=2d"]
"""


@pytest.fixture
def desk(tmp_path: Path, at_commands: Any) -> Desks:
    """The folder of a referee."""
    made = Desks(at_commands(tmp_path), COLOUR="never")
    (tmp_path / "referee.toml").write_text(TOML)
    made.maildir()
    return made


def mail(sender: str, line: str, answers: bytes = b"") -> bytes:
    found = read_mail(answers).message_id if answers else ""
    head = f"In-Reply-To: {found}\n" if found else ""
    return (
        f"From: {sender}\nTo: {ADDRESS}\nSubject: x\n{head}"
        f"Message-ID: <{hash((sender, line, found))}@a>\n\n{line}\n"
    ).encode()


def serve(desk: Desks, *mails: bytes, code: int = 0) -> str:
    """A turn with these mails; what it printed."""
    desk.maildir(*mails)
    return str(desk.run("referee", ".", "--once", code=code).stderr)


def asked(desk: Desks, line: str) -> None:
    serve(desk, mail("alice@example.org", line))
    (answer, *_) = desk.sent("alice@example.org")
    serve(desk, mail("alice@example.org", "yes", answer))


def test_a_folder_that_is_none(desk: Desks) -> None:
    """Without its file it says which; what it does not know in it is quoted."""
    (desk.root / "referee.toml").unlink()
    told = desk.run("referee", ".", "--once", code=1).stderr
    assert "referee.toml' is not there" in told
    assert "address = " in told
    (desk.root / "referee.toml").write_text(f"{TOML}gmaes = 4\n")
    assert "there is no setting 'gmaes'" in serve(desk, code=1)
    (desk.root / "referee.toml").write_text("address = \n")
    assert "not TOML" in serve(desk, code=1)
    (desk.root / "referee.toml").write_text("games = 4\n")
    assert "your mail address is not set" in serve(desk, code=1)


def test_a_mail_state_of_its_own(desk: Desks) -> None:
    """In the folder of the games, whose lock a referee holds, it would wait for itself."""
    for state in (".", str(desk.root), f"../{desk.root.name}"):
        (desk.root / "referee.toml").write_text(f'{TOML}mail-state = "{state}"\n')
        told = serve(desk, code=1)
        assert f"error: mail-state '{Path(state)}': it is the folder of the games" in told
        assert 'hint: expected a folder of its own: mail-state = "mail.state"' in told
    assert not (desk.root / "mail.db").exists()


def test_games_share_the_settings(desk: Desks) -> None:
    """`sync` and `status` there go by the same file, and `sync` answers words too."""
    asked(desk, "new sugar-dog with bob@example.org")
    (game,) = [path.parent.name for path in desk.root.glob("*/invite.toml")]
    assert 'turn_time = "2d"' in (desk.root / game / "invite.toml").read_text()
    assert len(desk.sent("bob@example.org")) == 1
    desk.maildir(mail("eve@example.com", "games"))
    desk.run("sync", "--quiet")
    (listed,) = desk.sent("eve@example.com")
    assert f"{game}: Sugar Dog, 0 of 2 joined" in read_mail(listed).text
    assert desk.run("status").stdout.startswith(f"{game}: Sugar Dog, not begun\n")


def test_a_game_of_the_hosts_own_is_served(desk: Desks) -> None:
    """It lies in the folder, and is listed with the others."""
    desk.run("invite", "sugar-dog", "carol@example.org", "dave@example.org", "-o", "friday",
             "--key", str(_key(desk)))  # fmt: skip
    serve(desk, mail("eve@example.com", "games"))
    assert "friday: Sugar Dog, 0 of 2 joined" in read_mail(desk.sent("eve@example.com")[0]).text
    assert len(desk.sent("carol@example.org")) == 1


def test_an_invite_that_does_not_hold_stops_no_other_game(desk: Desks) -> None:
    """It is told as a fault of its own game, and the mails are answered."""
    desk.run("invite", "sugar-dog", "carol@example.org", "dave@example.org", "-o", "friday",
             "--key", str(_key(desk)))  # fmt: skip
    (desk.root / "friday" / "invite.toml.sig").write_text("?")
    told = serve(desk, mail("eve@example.com", "games"), code=1)
    assert "friday: its record does not hold: " in told
    assert len(desk.sent("eve@example.com")) == 1


def _key(desk: Desks) -> Path:
    desk.key("own.key")
    return desk.root / "own.key"


def test_the_next_turn_goes_on_after_a_fault(desk: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --every a turn that fails is told, and tried again."""
    from adjudicator.cli import referee

    class Enough(BaseException):
        pass

    waited: list[float] = []
    told: list[str] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            raise Enough

    monkeypatch.setattr(referee.time, "sleep", sleep)
    monkeypatch.setattr(referee, "tell_error", lambda error: told.append(str(error)))
    (desk.root / "referee.toml").write_text(f"{TOML}gmaes = 4\n")
    with pytest.raises(Enough):
        desk.table.run("referee", ".", "--every", "5m")
    assert ["no setting 'gmaes'" in one for one in told] == [True, True]
    assert waited == [300, 300]


def test_the_unit_starts_what_there_is(desk: Desks) -> None:
    """The words of the example's ExecStart are understood, here for one turn."""
    unit = (EXAMPLES / "adjudicator-referee.service").read_text()
    (line,) = [one for one in unit.splitlines() if one.startswith("ExecStart=")]
    program, *words = line.removeprefix("ExecStart=").split()
    assert program.endswith("/adjudicator")
    asked(desk, "new sugar-dog with bob@example.org")
    desk.run(*words, "--once")
    assert len(desk.sent("bob@example.org")) == 1


@pytest.mark.parametrize("spoilt", [False, True])
def test_the_unit_by_systemd(tmp_path: Path, spoilt: bool) -> None:
    """systemd verifies it, knows every setting, and rates it as shut in; it sees a fault."""
    absent([] if Path("/usr/bin/systemd-analyze").exists() else ["systemd"])
    program = tmp_path / "adjudicator"
    program.touch(mode=0o755)
    unit = tmp_path / "adjudicator-referee.service"
    text = (EXAMPLES / unit.name).read_text()
    text = text.replace("/opt/adjudicator/bin/adjudicator", str(program))
    unit.write_text(text.replace("\nProtect", "\nProtects") if spoilt else text)
    told = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    complaints = [one for one in told.stderr.splitlines() if unit.name in one]
    assert bool(complaints) == spoilt, told.stderr
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)],
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert bool(told.returncode) == spoilt, told.stdout


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's, each with its words."""
    lines = (EXAMPLES / "Dockerfile").read_text().splitlines()
    assert len(lines) <= 15
    return [(one.split()[0], one.split(" ", 1)[1]) for one in lines if not one.startswith("#")]


def test_the_container_starts_what_there_is(desk: Desks) -> None:
    """What its Dockerfile starts is understood, here for one turn."""
    told = dict(instructions())
    program, *words = [*json.loads(told["ENTRYPOINT"]), *json.loads(told["CMD"])]
    assert program == "adjudicator"
    asked(desk, "new sugar-dog with bob@example.org")
    desk.run(*words, "--once")
    assert len(desk.sent("bob@example.org")) == 1


def test_the_container_installs_what_is_here(desk: Desks, tmp_path: Path) -> None:
    """Its first RUN line, without a network: what it installs serves a turn."""
    install = next(words for what, words in instructions() if what == "RUN").partition(" && ")[0]
    program, *words = install.replace("/source", str(EXAMPLES.parents[1])).split()
    there = tmp_path / "there"
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--target", there)
    subprocess.run([sys.executable, "-m", program, *words, *map(str, offline)], check=True)
    command = [sys.executable, "-m", "adjudicator", "referee", ".", "--once"]
    environment = {**os.environ, "PYTHONPATH": str(there)}
    desk.maildir(mail("alice@example.org", "help"))
    subprocess.run(command, check=True, cwd=desk.root, env=environment)
    assert len(desk.sent("alice@example.org")) == 1


def test_the_container_by_docker() -> None:
    """It is built, and serves a turn in its folder, whose files are its user's."""
    asked = ["docker", "info"]
    if not which("docker") or subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("no docker works here")
    source, file = str(EXAMPLES.parents[1]), str(EXAMPLES / "Dockerfile")
    build = ["docker", "build", "--quiet", "-f", file, source]
    image = subprocess.run(build, capture_output=True, check=True, text=True).stdout.strip()
    run = ["docker", "run", "--rm", "-i", "--entrypoint", "sh", image, "-c"]
    asks = f"printf 'From: a@example.org\\nTo: {ADDRESS}\\nSubject: help\\n\\nhelp\\n' > box/new/1"
    turn = f"mkdir -p box/new box/cur box/tmp && {asks} && cat > referee.toml"
    turn += (
        " && adjudicator referee . --once >&2; stat -c %U mail.state; grep -l a@ out/new/* | wc -l"
    )
    try:
        done = subprocess.run([*run, turn], check=True, input=TOML, capture_output=True, text=True)
    finally:
        subprocess.run(["docker", "rmi", image], check=False)
    assert done.stdout.split() == ["referee", "1"]


def test_a_second_one_waits(desk: Desks) -> None:
    """It says so once, and goes on when the first one is killed."""
    command = [sys.executable, "-m", "adjudicator", "referee", ".", "--every", "1h"]
    with ExitStack() as stack:

        def started() -> subprocess.Popen[str]:
            made = subprocess.Popen(command, cwd=desk.root, stderr=subprocess.PIPE, text=True)
            stack.enter_context(made)
            stack.callback(made.kill)
            return made

        def line(of: subprocess.Popen[str]) -> str:
            assert of.stderr is not None
            return of.stderr.readline()

        desk.maildir(mail("alice@example.org", "new sugar-dog with bob@example.org"))
        first = started()
        assert "of alice@example.org" in line(first)
        desk.maildir(mail("carol@example.org", "new sugar-dog with bob@example.org"))
        second = started()
        waits = f" another process is working in '{desk.root}': waiting for its end\n"
        assert line(second).endswith(waits)
        first.kill()
        assert "of carol@example.org" in line(second)
