"""Three people in one folder, each at a command line; what tests of commands and page share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from click.testing import CliRunner, Result

from adjudicator.cli import cli, is_loud
from orders.keys import write_key

ALICE = ("-g", "friday", "--seat", "alice.seat")
"""Her game and her seat, as words of a command in the folder of all three."""


class Table:
    """Three people in one folder, each at a command line."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *arguments: object, given: bytes | None = None) -> Result:
        """A command in the folder; whatever happens, no traceback."""
        before = Path.cwd()
        os.chdir(self.root)
        try:
            result = CliRunner().invoke(
                cli, [str(one) for one in arguments], input=given, prog_name="adjudicator"
            )
        finally:
            os.chdir(before)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert "Traceback" not in result.output
        return result

    def ok(self, *arguments: object, given: bytes | None = None) -> str:
        """The same, where it succeeds and complains of nothing; its standard output."""
        result = self.run(*arguments, given=given)
        assert (result.exit_code, result.stderr) == (0, ""), (arguments, result.output)
        return result.stdout

    def fails(self, word: str, *arguments: object, given: bytes | None = None) -> str:
        """Where it is refused: one `error:` line that ends in the word, or one in capitals, and at
        most one `hint:` line; the exit code is 1, or 4 for what one waits for, or 2 without a
        seat or for what cannot be read."""
        result = self.run(*arguments, given=given)
        code = {"not-yet": 4, "gap": 4, "no-seat": 2, "unreadable": 2}.get(word, 1)
        assert result.exit_code == code, (arguments, result.output)
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        if not is_loud(lines[0]):
            assert lines[0].startswith("error: "), result.stderr
            assert lines[0].endswith(f" [{word}]"), result.stderr
        assert len(lines) <= 2
        assert all(line.startswith("hint: ") for line in lines[1:])
        assert result.stderr.isascii()
        return result.stderr

    def key(self, path: object) -> str:
        """Make a key as `ssh-keygen` does; its fingerprint."""
        return write_key(self.root / str(path), Path(str(path)).stem).fingerprint

    def begin(self) -> Table:
        for name in ("host", "alice", "bob"):
            self.key(f"{name}.key")
        options = ("--option", "first=alice", "--option", "absence=30d")
        self.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday", *options)
        for name in ("alice", "bob"):
            self.ok("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
        self.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
        return self

    def copy(self, root: Path) -> Table:
        """The same in another folder."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        return type(self)(root)

    def orders(self, name: str, lines: str) -> str:
        """A filled-in template; its file's name."""
        path = self.root / f"{name}-orders.txt"
        path.unlink(missing_ok=True)
        self.ok("play", "--form", "-g", "friday", "--seat", f"{name}.seat", "-o", path.name)
        text = path.read_text()
        assert text.endswith(" ====\n")
        path.write_text(f"{text}{lines}\n")
        return path.name

    def order(self, name: str, lines: str) -> Result:
        """Order, and the host takes it in."""
        seat = f"{name}.seat"
        form = self.orders(name, lines)
        made = self.run("play", "--file", form, "-g", "friday", "--seat", seat)
        assert made.exit_code == 0, made.output
        return self.run("take", self.sent(made.stdout), "-g", "friday")

    def give(self, path: str, to: Table) -> None:
        """Hand a file over, as a friend or a mail would."""
        (to.root / path).write_bytes((self.root / path).read_bytes())

    def taken(self, said: str, giver: Table) -> str:
        """Somebody brings the host here the orders of which their `play` told; the answer."""
        path = self.sent(said)
        giver.give(path, self)
        return self.ok("take", path, "-g", "friday")

    def sent(self, said: str) -> str:
        """The file in which orders leave, as `play` told it last."""
        return said.rpartition("\nSend ")[2].partition(" to the host")[0]

    def step(self, **orders: str) -> str:
        for name, lines in orders.items():
            assert self.order(name, lines).exit_code == 0
        return self.ok("sync", "-g", "friday")
