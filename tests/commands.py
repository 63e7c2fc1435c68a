"""Three people in one folder, each at a command line; what tests of commands and page share."""

from __future__ import annotations

import os
from pathlib import Path

from click.testing import CliRunner, Result

from adjudicator.cli import cli


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
        """Where it is refused: exit code 1, one `error:` line and at most one `hint:` line."""
        result = self.run(*arguments, given=given)
        assert result.exit_code == 1, (arguments, result.output)
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        assert lines[0].startswith(f"error: {word}: "), result.stderr
        assert len(lines) <= 2
        assert all(line.startswith("hint: ") for line in lines[1:])
        assert result.stderr.isascii()
        return result.stderr

    def begin(self) -> Table:
        for name in ("host", "alice", "bob"):
            self.ok("keygen", f"{name}.key")
        options = ("--option", "first=alice", "--option", "absence=30d")
        self.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday", *options)
        for name in ("alice", "bob"):
            self.ok("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
        self.ok("start", "friday", "friday-alice-join.txt", "friday-bob-join.txt")
        return self

    def orders(self, name: str, lines: str) -> str:
        """A filled-in template; its file's name."""
        path = self.root / f"{name}-orders.toml"
        path.unlink(missing_ok=True)
        self.ok("template", "friday", "--seat", f"{name}.seat", "-o", path.name)
        text = path.read_text()
        assert text.endswith('orders = """\n\n"""\n')
        path.write_text(text.replace('orders = """\n\n', f'orders = """\n{lines}\n'))
        return path.name

    def order(self, name: str, lines: str) -> Result:
        """Order and submit."""
        said = self.ok("order", "friday", self.orders(name, lines), "--seat", f"{name}.seat")
        return self.run("submit", "friday", said.partition(":")[0])

    def step(self, **orders: str) -> str:
        for name, lines in orders.items():
            assert self.order(name, lines).exit_code == 0
        return self.ok("advance", "friday")
