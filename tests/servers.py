"""Real servers that tests start on loopback: what every kind of them needs."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def needed(*programs: str) -> dict[str, str]:
    """Where these programs are; without them the test is skipped, but never in CI."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    found = {one: shutil.which(one, path=path) for one in programs}
    missing = [one for one, where in found.items() if where is None]
    absent(missing)
    return {one: str(where) for one, where in found.items()}


def absent(missing: list[str]) -> None:
    """Skip the test if anything is missing; in CI it fails."""
    if missing:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must have {', '.join(missing)}")
        pytest.skip(f"not here: {', '.join(missing)}")


def free_port() -> int:
    """A port of loopback on which nothing listens."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """So many of them, each another one: all are held until the last is drawn."""
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in held:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in held]


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once something listens there; fails when its process ends or after a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    told = log.read_text() if log.is_file() else "(no log)"
    pytest.fail(f"nothing listens on port {port}: {told[-2000:]}")


@contextlib.contextmanager
def serving(server: socketserver.TCPServer) -> Iterator[int]:
    """The port of a server of ours, while a thread answers there."""
    server.daemon_threads = True
    with server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join(10)
