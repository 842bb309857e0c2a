"""Answers of HTTP servers: read within limits, parsed, and quoted in messages."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any

import orjson
import requests

from everwhen.core.addresses import hide_password
from everwhen.core.retries import RefusedError, RetryableError, refuse_status

REPLACEMENT = "\ufffd"

ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
    rb"|(\xed[\xa0-\xbf][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2}(?![\x80-\xbf]))"
)
"""Escapes of JSON, and bytes of emoji that were cut: a lone surrogate as escape or as bytes, UTF-8 without its end."""


def parse_json(text: bytes) -> Any:
    r"""Parse JSON, with U+FFFD where a text was cut within a character, such as an emoji.

    Python's own `json` writes and reads such halves as lone surrogates, which no UTF-8 can hold.

    >>> parse_json(rb'"Cher \ud83d"')
    'Cher \ufffd'

    Raises:
        orjson.JSONDecodeError: It is not JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        mended = ESCAPES.sub(_replace_half, text)
        if mended == text:
            raise
    return orjson.loads(mended)


def _replace_half(found: re.Match[bytes]) -> bytes:
    return REPLACEMENT.encode() if found.group(1) or found.group(2) else found.group()


MAX_BODY_BYTES = 64 << 20
"""Bytes of the largest answer that is taken, unpacked: a page of SPARQL rows has some 3 MB, a year page 1 MB."""
PIECE = 1 << 16
"""Bytes that are read at once, after which a body that is too large or too late is given up."""
ENCODINGS = frozenset({"", "identity", "gzip", "x-gzip"})
"""How an answer may be packed; one packed several times over could be unpacked to anything."""


TITLE = re.compile(rb"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


class TooLargeError(RefusedError):
    """An answer of more bytes than the client takes."""


@dataclass(frozen=True)
class ReportedError:
    """An error as a server reports it in JSON.

    Attributes:
        text: Its message in one line; "" where it has none.
        codes: The names of the error, such as OpenAI's `code` and `type`.
    """

    text: str
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class HttpAnswer:
    """A whole answer.

    Attributes:
        url: The address that gave it, redirects followed.
        status: Its status, no redirect's.
        headers: Its headers.
        body: Its body, unpacked.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def parse_json(self) -> Any:
        """Return the body as JSON, with U+FFFD for half a character.

        Raises:
            ValueError: The text is not JSON, or more follows it.
        """
        return parse_json(self.body)

    @property
    def preview(self) -> str:
        """The beginning of the body, in one line that can be shown."""
        return to_one_line(self.body[:600].decode("utf-8", "replace"))

    @property
    def error(self) -> ReportedError:
        """The error that the body reports: in JSON, as the title of a page, or else its beginning."""
        try:
            body = self.parse_json()
        except ValueError:
            body = None
        found = find_error(body) or find_error({"error": body}) or ReportedError("")
        title = TITLE.search(self.body[:PIECE])
        other = to_one_line(html.unescape(title[1].decode("utf-8", "replace"))) if title else ""
        return ReportedError(found.text or other or self.preview, found.codes)

    def require_success(self) -> None:
        """Require status 200.

        Raises:
            RetryableError: Another status, that may pass.
            RefusedError: Another status, that will not.
        """
        if self.status != 200:
            refuse_status(hide_password(self.url), self.status, self.headers, self.error.text)


def parse_good(answer: HttpAnswer) -> Any:
    """Return the JSON of a good answer.

    Raises:
        RetryableError: It is not good, but the next may be.
        RefusedError: The server refuses, and will refuse again.
    """
    answer.require_success()
    try:
        return answer.parse_json()
    except ValueError:
        raise RetryableError(f"an answer that is cut off or no JSON: {answer.preview}") from None


def find_error(body: Any) -> ReportedError | None:
    """Find the error that the JSON of an answer reports; None where it reports none.

    >>> find_error({"error": {"message": "No more.", "code": "insufficient_quota"}}).text
    'No more.'
    """
    body = body[0] if isinstance(body, list) and body else body  # Google's answer is in a list
    error = body.get("error") if isinstance(body, Mapping) else None
    if not error:
        return None
    fields = error if isinstance(error, Mapping) else {"message": error}
    texts = [text for text in map(fields.get, ("message", "detail", "info")) if isinstance(text, str)]
    codes = frozenset(map(str, filter(None, map(fields.get, ("code", "type", "status")))))
    return ReportedError(to_one_line(texts[0]) if texts else "", codes)


def to_one_line(text: str) -> str:
    """Return the beginning of a text that a server has sent, as it may be shown in a terminal and stored."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]


def read_body(answer: requests.Response, largest: int, late: Event) -> bytes:
    """Read the unpacked body of an answer until it is too large or nobody waits for it any more.

    Raises:
        TooLargeError: It has more than `largest` bytes.
        TimeoutError: `late` is set.
        RetryableError: It is packed in a way that was not asked for.
    """
    if answer.headers.get("Content-Encoding", "").strip().lower() not in ENCODINGS:
        raise RetryableError("an answer packed in a way that was not asked for")
    body = bytearray()
    for piece in answer.iter_content(PIECE):
        body += piece
        if len(body) > largest:
            raise TooLargeError(f"{hide_password(answer.url)}: answers more than {largest >> 20} MiB")
        if late.is_set():
            raise TimeoutError
    return bytes(body)
