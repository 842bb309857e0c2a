"""The JSON of dump lines."""

from __future__ import annotations

import re
from typing import Any

import orjson

from everwhen.core.reasons import RejectReason
from everwhen.wikidata.malformed import Malformed

_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def parse_line(text: bytes) -> Any:
    """Parse the JSON value of a line.

    Raises:
        Malformed: It is not one; the reason says why, without the position.
    """
    try:
        entity = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if b"\0" in text:
            raise Malformed(RejectReason.NUL_CHARACTER) from None
        try:
            text.decode()
        except UnicodeDecodeError:
            raise Malformed(RejectReason.NOT_UTF_8) from None
        raise Malformed(RejectReason.NOT_JSON.with_detail(error=error.msg)) from None
    if b"\\u0000" in text and _ESCAPED_NUL.search(text):
        raise Malformed(RejectReason.NUL_CHARACTER)
    return entity
