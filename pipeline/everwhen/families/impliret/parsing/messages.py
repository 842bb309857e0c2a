"""Splits posts and chats into messages."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

HEADER = re.compile(r"^(?P<date>\d{4}-\d\d-\d\d) \d\d:\d\d, (?P<speaker>[^:\n]+): ", re.MULTILINE)
"""What a post, or each utterance of a chat, begins with."""


class Message(NamedTuple):
    """A post, or an utterance of a chat."""

    date: dt.date
    speaker: str
    text: str


def split_messages(text: str) -> list[Message]:
    """Split a document into its messages; what precedes the first header is left out.

    Raises:
        ValueError: A header has a date that does not exist.
    """
    headers = list(HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return [
        Message(dt.date.fromisoformat(header["date"]), header["speaker"], text[header.end() : end].strip())
        for header, end in zip(headers, ends, strict=False)
    ]
