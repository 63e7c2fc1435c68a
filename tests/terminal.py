"""A command at a terminal of its own: what a person types, and what they see."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

PATIENCE = 60.0


def _take_terminal() -> None:
    """Ctrl-C at the terminal reaches the command, even if who runs the tests ignores it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A command that runs at a terminal of 24 lines of 80 characters, or of so many `columns`."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 80, **more: str) -> None:
        self._mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm", **more}
        for name in ("LINES", "COLUMNS"):
            environment.pop(name, None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "adjudicator", *arguments],
            cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True, preexec_fn=_take_terminal,  # noqa: PLW1509 - no threads
        )  # fmt: skip
        os.close(theirs)

    def _waits(self) -> bool:
        """Whether the command sleeps, as it does in reading; True where nothing tells."""
        try:
            told = Path(f"/proc/{self._process.pid}/stat").read_text()
        except OSError:
            return True
        return told.rpartition(")")[2].split()[0] != "R"

    def until(self, mark: str) -> str:
        """What is printed until it ends with the mark; raises TimeoutError, also where the command
        ends before."""
        text = self.until_prompt(re.compile(rf"{re.escape(mark)}\Z"))
        if not text.endswith(mark):
            raise TimeoutError(text)
        return text

    def type(self, keys: str, mark: str) -> str:
        """Press keys, and wait for the mark."""
        self.press(keys)
        return self.until(mark)

    def end(self, keys: str) -> int:
        """Press keys after which the command ends; its exit code."""
        self.press(keys)
        code = self._process.wait(PATIENCE)
        os.close(self._mine)
        return code

    def until_prompt(self, prompt: re.Pattern[str]) -> str:
        """What is printed until it matches, or until the command ends; raises TimeoutError.

        Byte by byte: a prompt that is written anew is then always seen, not by chance.
        """
        seen = b""
        end = time.monotonic() + PATIENCE
        while not prompt.search(text := seen.decode(errors="ignore").replace("\r\n", "\n")):
            if not select.select([self._mine], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError(text)
            try:
                seen += os.read(self._mine, 1)
            except OSError:
                break
        return text

    def press(self, keys: str) -> None:
        """Press keys, once the command waits for them: Ctrl-C in the instant before is noted only
        with the next key, at a terminal as here. Raises ValueError if it waits for other ones:
        then it printed more than the test has read.
        """
        end = time.monotonic() + PATIENCE
        while not self._waits() and time.monotonic() < end:
            time.sleep(0.01)
        if keys and select.select([self._mine], [], [], 0.0)[0]:
            raise ValueError(f"before {keys!r} read this too: {os.read(self._mine, 999)!r}")
        os.write(self._mine, keys.encode())

    def code(self) -> int:
        """The exit code, once the command has ended."""
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """Close the terminal before the command has ended."""
        os.close(self._mine)
        self._process.kill()
        self._process.wait()
