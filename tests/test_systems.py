"""The main jobs where a system lacks what this one has, see `as_windows`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = r"""
key ann.key
key ben.key
key carl.key
type "start C3"
type
type quit
adjudicator play sugar-dog
adjudicator status
cd ann
adjudicator duel sugar-dog --name ann --key ../ann.key --option first=ann --setup "start C4" -o bid
send ../ben bid
cd ../ben
adjudicator join bid --name ben --key ../ben.key --setup "start C1"
send ../ann sugar-dog-ben-0000.txt
cd ../ann
adjudicator sync
send ../ben sugar-dog-ann-0001.txt
cd ../ben
adjudicator sync
send ../ann sugar-dog-ben-0002.txt
cd ../ann
adjudicator sync
adjudicator play resign -y
send ../ben sugar-dog-ann-0003-end.txt
cd ../ben
adjudicator sync
adjudicator status
cd ..
cd carl
adjudicator invite sugar-dog --key ../carl.key --option first=1 -o friday
send ../ann friday-invite.txt
send ../ben friday-invite.txt
cd ../ann
adjudicator join friday-invite.txt --name ann --key ../ann.key
send ../carl friday-ann-join.txt
cd ../ben
adjudicator join friday-invite.txt --name ben --key ../ben.key
send ../carl friday-ben-join.txt
cd ../carl
adjudicator start friday-ann-join.txt friday-ben-join.txt
send ../ann friday-0000.txt
send ../ben friday-0000.txt
cd ../ann
adjudicator take friday-0000.txt
adjudicator play --form -g friday -o "orders ☃.txt"
adjudicator play start C4 -g friday
send ../carl friday-ann-0001-1.txt
cd ../ben
adjudicator take friday-0000.txt
adjudicator play start C1 -g friday
send ../carl friday-ben-0001-1.txt
cd ../carl
adjudicator sync
send ../ann friday-0001-ann.txt
cd ../ann
adjudicator sync -g friday
adjudicator note "so far" -g friday
adjudicator show -g Friday
adjudicator note -g friday
adjudicator backup -g friday -o ann.safe
cd ../carl
adjudicator backup -o carl.safe
adjudicator pack
adjudicator log
cd ..
adjudicator restore carl/carl.safe -o again
adjudicator config address carl@example.org
adjudicator config mail-in maildir:box
adjudicator config mail-out maildir:out
adjudicator invite sugar-dog ann@example.org ben@example.org --key carl.key -o monday
adjudicator sync -g monday
"""
"""A bot game, a duel, a game with a host, and what is kept of it."""

DEMO = "adjudicator demo --seed 07 --keep demo --quiet\nadjudicator verify demo/record\n"
PASSPHRASE = "a long passphrase"

FILES = "adjudicator/store/files.py"
FAULTS = {
    "a missing file has an owner": (
        "adjudicator/cli/settings.py", "(OSError, Missing)", "OSError",
    ),
    "files have an owner": (FILES, 'os.name != "posix" or ', ""),
    "folders have modes": (FILES, 'if os.name == "nt":\n        return\n    mode', "mode"),
    "folders can be opened": (FILES, 'paths if os.name != "nt" else ()', "paths"),
    "folders can be locked": (
        FILES, 'if os.name == "nt":\n        yield', "if 0:\n        yield",
    ),
    "a file is open as it takes its place": (
        FILES, "while handles:\n            # W", "while 0:\n            # W",
    ),
    "a file that was read stays open": (FILES, "finally:\n        os.close(handle)", "finally: 0"),
    "what is signed is written as text": (FILES, "| _NO_FOLLOW | _BINARY\n    try", "\n    try"),
    "a file is written in the system's own way": (
        FILES, "add(path.parent, [{path.name: data}], mode)",
        "path.parent.mkdir(exist_ok=True); path.write_text(data.decode('latin-1'))",
    ),
    "a colon stands in a name": (FILES, '.{name}.part"', '{name}:part"'),
    "a name ends with a dot": (FILES, '.{name}.part"', '{name}."'),
    "a name is a device's": (FILES, '.{name}.part"', 'nul.{name}"'),
    "a mailbox is as elsewhere": (
        "adjudicator/mail/mailboxes.py", '"!" if os.name == "nt" else ', "",
    ),
    "all can be printed": ("adjudicator/cli/shared.py", 'encoding, "backslashreplace"', "encoding"),
    "a module is there": (FILES, "import stat\n", "import stat, fcntl\n"),
}  # fmt: skip
"""What worked here and failed there, or would: one word put back is found."""


def played(folder: Path, script: str, *fault: str) -> tuple[int, str]:
    """The script, run in a folder of its own: its exit code, and all that it printed."""
    for name in ("ann", "ben", "carl", "home", "box/new", "box/cur"):
        (folder / name).mkdir(parents=True)
    (folder / "box/new/1").write_bytes(b"From: dora@example.org\n\nMay I play too?\n")
    passphrase = folder / "passphrase"
    passphrase.write_text(PASSPHRASE)
    passphrase.chmod(0o600)
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    home = str(folder / "home")
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("as_windows.py"), folder, *fault],
        input=script.encode(), env={
            **kept, "HOME": home, "USERPROFILE": home, "APPDATA": home,
            "ADJUDICATOR_PASSPHRASE_FILE": str(passphrase),
        }, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.decode("cp1252")


pytestmark = pytest.mark.skipif(
    sys.platform not in ("linux", "win32"), reason="what a process has open is read from /proc"
)


def test_the_main_jobs(tmp_path: Path) -> None:
    """Each command does what it does here, and what it writes has no other bytes."""
    code, told = played(tmp_path, SCRIPT + DEMO)
    assert code == 0, told
    assert "TRUE: ben won, and neither lied." in told
    assert told.splitlines()[-1] == "TRUE: alice won."
    written = [path for path in tmp_path.rglob("*") if path.suffix in (".toml", ".txt", ".sig")]
    assert len(written) > 200
    for path in written:
        assert b"\r" not in path.read_bytes(), path


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is made up there")
@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_found(tmp_path: Path, what: str) -> None:
    """Each by the first command that meets it."""
    code, told = played(tmp_path, SCRIPT, *FAULTS[what])
    assert code in (1, 2, 70), told
    assert "does not say" not in told
