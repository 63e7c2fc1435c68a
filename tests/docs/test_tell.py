"""The scripts for `tell` in docs/examples: each sends what a command is given, here to a server of
our own on this machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from docs.test_transcripts import EXAMPLES
from servers import needed, serving

from adjudicator.cli.notices import Notice

TEXT = 'friday: YOUR turn, until "9" <o\'clock> \u00e4'
TOLD = Notice("turn", "", TEXT, Path("friday"), "friday", "sugar-dog", 3)


class Handler(BaseHTTPRequestHandler):
    """Keeps what comes, and answers as the server was told."""

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.came.append((self.command, self.path, dict(self.headers), body))
        self.send_response(self.server.code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_PUT = answer  # noqa: N815 - as http.server calls them

    def log_message(self, *_: object) -> None:
        """Nothing."""


class Server(HTTPServer):
    """A service that takes what a script sends."""

    code = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.came: list[tuple[str, str, dict[str, str], bytes]] = []


@pytest.fixture
def server() -> Iterator[Server]:
    needed("curl")
    made = Server()
    with serving(made):
        yield made


def run(script: str, server: Server, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """The script as it stands there, but for the name of the server."""
    text = (EXAMPLES / script).read_text()
    assert len([line for line in text.splitlines() if not line.startswith("#")]) <= 3
    here, count = re.subn(r"https://[a-z.]+", f"http://127.0.0.1:{server.server_port}", text)
    assert count == 1
    path = folder / script
    path.write_text(here)
    return subprocess.run(
        ["sh", path], input=json.dumps(TOLD.json).encode() + b"\n", capture_output=True,
        check=False, env={**os.environ, "no_proxy": "127.0.0.1"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("script", "method", "way", "body"),
    [
        ("tell-ntfy.sh", "POST", r"/TOPIC", f"{TEXT}\n"),
        ("tell-discord.sh", "POST", r"/api/webhooks/ID/TOKEN",
         {"content": TEXT, "allowed_mentions": {"parse": []}}),
        ("tell-matrix.sh", "PUT",
         r"/_matrix/client/v3/rooms/ROOM/send/m\.room\.message/\d+-\d+",
         {"msgtype": "m.text", "body": TEXT}),
    ],
)  # fmt: skip
def test_each_service_gets_its_form(
    server: Server, tmp_path: Path, script: str, method: str, way: str, body: object
) -> None:
    """The sentence, in the shape that the service documents; a refusal is a failure."""
    done = run(script, server, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    ((how, path, headers, data),) = server.came
    assert how == method
    assert re.fullmatch(way, path)
    if isinstance(body, str):
        assert data.decode() == body
    else:
        assert json.loads(data) == body
    if script == "tell-discord.sh":
        assert headers["Content-Type"] == "application/json"
    assert (headers.get("Authorization") == "Bearer TOKEN") == (script == "tell-matrix.sh")
    server.code = 404
    assert run(script, server, tmp_path).returncode
