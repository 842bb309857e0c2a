"""Answers of chat endpoints as they come: complete, refused, without text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.retries import RetryableError
from everwhen.evaluate.ask.completion import parse_completion

FIELDS = st.sampled_from(["choices", "message", "content", "finish_reason", "error", "usage", "text", "type", "model"])


def build_answer(message: dict[str, Any], finish_reason: object = "stop") -> dict[str, Any]:
    return {"model": "m-1", "choices": [{"message": message, "finish_reason": finish_reason}], "usage": {"n": 3}}


def test_a_complete_answer() -> None:
    completion = parse_completion(build_answer({"role": "assistant", "content": "1971"}), 0.25)
    assert (completion.response, completion.finish_reason, completion.model) == ("1971", "stop", "m-1")
    assert (completion.usage, completion.reasoning, completion.latency) == ({"n": 3}, "", 0.25)


@pytest.mark.parametrize(
    ("message", "response"),
    [
        pytest.param({"content": None}, None, id="null"),
        pytest.param({}, None, id="no-content"),
        pytest.param({"content": ""}, "", id="empty"),
        pytest.param({"content": None, "refusal": "I cannot."}, "I cannot.", id="refusal"),
        pytest.param({"content": "1971", "refusal": "?"}, "1971", id="text-before-refusal"),
        pytest.param({"content": [{"type": "text", "text": "19"}, {"type": "text", "text": "71"}]}, "1971", id="parts"),
        pytest.param({"content": []}, None, id="no-parts"),
        pytest.param({"content": [None, {"type": "image"}, 3]}, None, id="parts-without-text"),
        pytest.param({"content": 1971}, None, id="number"),
    ],
)
def test_the_text_of_a_message(message: dict[str, Any], response: str | None) -> None:
    assert parse_completion(build_answer(message)).response == response


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_reasoning_is_no_response(field: str) -> None:
    completion = parse_completion(build_answer({"content": None, field: "It was 1971."}, "length"))
    assert (completion.response, completion.reasoning) == (None, "It was 1971.")
    assert completion.finish_reason == "length"


@pytest.mark.parametrize("finish_reason", [None, 3])
def test_no_finish_reason(finish_reason: object) -> None:
    assert parse_completion(build_answer({"content": "x"}, finish_reason)).finish_reason == "unknown"


@pytest.mark.parametrize("usage", [None, "many"])
def test_no_usage(usage: object) -> None:
    assert parse_completion({**build_answer({"content": "x"}), "usage": usage}).usage == {}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param({"choices": []}, "the server says no more", id="empty-choices"),
        pytest.param({"choices": None}, "the server says no more", id="null-choices"),
        pytest.param({"choices": [None]}, "the server says no more", id="null-choice"),
        pytest.param({"choices": [{"text": "x"}]}, "the server says no more", id="no-message"),
        pytest.param({"error": {"message": "over\nloaded"}}, "over loaded", id="error"),
        pytest.param({"error": "overloaded"}, "overloaded", id="error-as-text"),
        pytest.param([1], "the server says no more", id="list"),
        pytest.param(None, "the server says no more", id="null"),
    ],
)
def test_an_answer_without_choices(body: object, why: str) -> None:
    with pytest.raises(RetryableError, match=f"^an answer without choices: {why}$"):
        parse_completion(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_no_json_raises_another_error(body: object) -> None:
    with suppress(RetryableError):
        completion = parse_completion(body)
        assert completion.response is None or isinstance(completion.response, str)
        assert isinstance(completion.finish_reason, str)
