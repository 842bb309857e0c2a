"""JSON with halves of characters, as programs write it that cut a text anywhere."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.answers import parse_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param(rb'"\ud83d"', "\ufffd", id="first-half"),
        pytest.param(rb'"a \uDE00 b"', "a \ufffd b", id="second-half"),
        pytest.param(rb'"\ud83d\ud83d\ude00"', "\ufffd\U0001f600", id="half-before-a-pair"),
        pytest.param(rb'"\ude00\ud83d"', "\ufffd\ufffd", id="wrong-order"),
        pytest.param(rb'"\\ud83d \ud83d"', "\\ud83d \ufffd", id="escaped-backslash"),
        pytest.param(rb'{"\ud83d": ["\ud83d", 7]}', {"\ufffd": ["\ufffd", 7]}, id="key-and-list"),
        pytest.param(b'"\xed\xa0\xbd"', "\ufffd", id="surrogate-as-bytes"),
        pytest.param(b'"\xf0\x9f\x98"', "\ufffd", id="three-of-four-bytes"),
        pytest.param(b'"\xf0\x9f \xf0\x9f\x98\x80"', "\ufffd \U0001f600", id="two-of-four-bytes"),
    ],
)
def test_half_a_character_is_replaced(text: bytes, value: Any) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize("text", [b"", b"{", rb'"\ud83d', b'"K\xe4stner"', rb'"\ud83"', b"NaN"])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        parse_json(text)


@given(st.text(alphabet=st.sampled_from('a\\"u\U0001f600\ud83d\ude00d8')))
def test_whole_characters_stay(text: str) -> None:
    encoded = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in json.loads(json.dumps(text)))
    assert parse_json(json.dumps(text).encode()) == encoded
