"""A server of the chat API whose every second answer is cut off, one in two of these within thoughts that it keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

KEY = "a-key"

REPLIES = (
    ("Answer: 1971", "stop"),
    ("It may have been", "length"),
    ("I do not know.", "stop"),
    (None, "length"),
)


class Chat(BaseHTTPRequestHandler):
    """Answers by turns, and notes what it was asked."""

    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions" or self.headers["Authorization"] != f"Bearer {KEY}":
            self.send_error(401)
            return
        text, reason = REPLIES[len(self.asked) % len(REPLIES)]
        self.asked.append(payload)
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
        body = json.dumps({"id": "1", "object": "chat.completion", "model": payload["model"], "choices": [choice]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments: Any) -> None:
        """Be silent."""


@contextmanager
def serve_chat() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve on a free port: the base URL, and what was asked."""
    asked: list[dict[str, Any]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Asked", (Chat,), {"asked": asked}))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
