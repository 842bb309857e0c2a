"""What an OpenAI-compatible endpoint answers, for servers of tests."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from email.utils import format_datetime
from typing import Any

import servers
from servers import Asked, Fault

Answers = Callable[[str], tuple[str | None, str]]
"""Gives the text and the finish reason for the last message of a prompt."""


def build_completion(text: str | None, finish_reason: str = "stop", **more: Any) -> bytes:
    """The body of a good answer."""
    message = {"role": "assistant", "content": text}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "rules",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }
    return json.dumps({**body, **more}).encode()


def answer_chats(answers: Answers) -> Callable[[Asked], tuple[int, bytes]]:
    """Answer requests to `/v1/chat/completions`, and nothing else."""

    def answer(asked: Asked) -> tuple[int, bytes]:
        if (asked.method, asked.path) != ("POST", "/v1/chat/completions"):
            return 404, b'{"error": {"message": "no such path"}}'
        return 200, build_completion(*answers(find_prompt(asked)))

    return answer


def find_prompt(asked: Asked) -> str:
    """The text of the last message that was posted."""
    text: str = json.loads(asked.body)["messages"][-1]["content"]
    return text


def busy_for_a_second(to: servers._Handler, _: bytes) -> None:
    """Too many requests; the header is a date, one to two seconds from now."""
    later = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=2)
    to.give(429, b"", Retry_After=format_datetime(later, usegmt=True))


def keep_silent(to: servers._Handler, _: bytes) -> None:
    """Nothing comes, and the connection stays open."""
    to.stopped().wait()


def answer_with(body: bytes) -> Fault:
    """Another body than a good one."""
    return servers.status(200, body)
