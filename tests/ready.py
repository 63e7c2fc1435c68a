"""`adjudicator` at once: a process that has loaded it forks for each call.

Most of what a command takes is the loading of its modules. Where a page has dozens of commands one
process loads them once. `start` lays a small program `adjudicator` into a folder, which hands over
its arguments, folder, environment and open files; what is forked runs the same `main` with them,
and its exit code comes back. A program `python` beside it does the same for `-m adjudicator`, for
the hooks and filters of git that a command sets up. What only a process of its own can show, such
as the loading itself, is held where pages are played without this.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import os
import pkgutil
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

CALL = """\
#!{python} -IS
import _socket, posix, sys
there = _socket.socket(_socket.AF_UNIX)
there.connect({path!r})
told = repr((sys.argv[1:], posix.getcwd(), posix.environ)).encode()
handles = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
there.sendmsg(
    [len(told).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handles)]
)
there.sendall(told)
code = there.recv(1)
sys.exit(code[0] if code else 1)
"""
"""Modules that are built in, and no other: the rest would take longer to load than the call."""

PYTHON = """\
#!/bin/sh
[ "$1 $2" = "-m adjudicator" ] || exec {python} "$@"
shift 2
exec {program} "$@"
"""


@contextlib.contextmanager
def start(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """A program `adjudicator` in that folder, which works as long as this goes on."""
    path = folder / "ready"
    program, python = folder / "adjudicator", folder / "python"
    program.write_text(CALL.format(python=sys.executable, path=str(path)))
    python.write_text(PYTHON.format(python=sys.executable, program=program))
    program.chmod(0o755)
    python.chmod(0o755)
    command = [sys.executable, __file__, str(path)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            server.terminate()


def _serve(path: str) -> None:
    """Load every module, then fork for each call; ends by being told to."""
    import adjudicator
    import games

    for package in (adjudicator, games):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    from unlimited import Unlimited

    subprocess.Popen = Unlimited  # type: ignore[misc]
    # What is loaded stays; a process that is forked off need not copy it to find that out.
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    os.write(1, b"ready\n")
    while True:
        call, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            sys.executable = str(Path(path).with_name("python"))
            _answer(call)
        call.close()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _answer(call: socket.socket) -> None:
    """Run one command in this process, which ends with it."""
    from adjudicator.__main__ import main

    head, handles, _, _ = socket.recv_fds(call, 4, 3)
    told = b""
    while len(told) < int.from_bytes(head, "big"):
        told += call.recv(1 << 20)
    arguments, folder, environment = ast.literal_eval(told.decode())
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(environment)
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    time.tzset()
    sys.argv = ["adjudicator", *arguments]
    code = 1
    try:
        main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else bool(error.code)
    except BaseException:
        traceback.print_exc()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    call.send(bytes([code]))
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
