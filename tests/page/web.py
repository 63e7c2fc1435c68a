"""The page at a web address on this machine."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from typing import Any


class Host:
    """A web server on loopback that notes what it was asked for. `files`: what it has besides the
    page, by path."""

    def __init__(self, page: bytes, files: Mapping[str, bytes] | None = None) -> None:
        asked: list[str] = []
        held = {"/page.html": page, **(files or {})}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                kind = guess_type(self.path)[0] or "text/html"
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(held.get(self.path, b"x"))

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: Any) -> None:
                pass

        self.asked = asked
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def page(self) -> str:
        """The page's address."""
        return f"{self.address}/page.html"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
