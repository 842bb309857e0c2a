"""JSON as other programs write it: half of a character outside the Basic Multilingual Plane spoils no text."""

from __future__ import annotations

import re
from typing import Any

import orjson

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
