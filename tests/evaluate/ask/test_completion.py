"""Answers of chat endpoints as they come: complete, refused, without text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.retries import RetryableError
from everwhen.evaluate.ask.completion import parse_completion
from everwhen.evaluate.model_api import UnusableNowError

FIELDS = st.sampled_from(
    ["choices", "message", "content", "finish_reason", "error", "code", "usage", "text", "type", "model"]
)


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
    "body",
    [
        pytest.param({"choices": []}, id="empty-choices"),
        pytest.param({"choices": None}, id="null-choices"),
        pytest.param({"choices": [None]}, id="null-choice"),
        pytest.param({"choices": [{"index": 0}]}, id="no-message"),
        pytest.param([1], id="list"),
        pytest.param(None, id="null"),
    ],
)
def test_an_answer_without_choices(body: object) -> None:
    with pytest.raises(RetryableError, match=r"^an answer without choices$"):
        parse_completion(body)


CUT = {"message": {"content": "Answer: 19"}}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param({"error": {"message": "over\nloaded"}}, "an error: over loaded", id="object"),
        pytest.param({"error": "overloaded"}, "an error: overloaded", id="text"),
        pytest.param([{"error": {"message": "overloaded"}}], "an error: overloaded", id="in-a-list"),
        pytest.param({"error": {"code": 502}}, "an error: the server says no more", id="code-alone"),
        pytest.param(
            {"choices": [{**CUT, "error": {"code": 502, "message": "Provider returned error"}}]},
            "an error: Provider returned error",
            id="in-the-choice",
        ),
        pytest.param({"choices": [CUT], "error": {"message": "gone"}}, "an error: gone", id="beside-the-choices"),
        pytest.param({"choices": [{**CUT, "finish_reason": "error"}]}, "ends with an error", id="finish-reason"),
    ],
)
def test_an_answer_with_an_error_is_none(body: object, why: str) -> None:
    with pytest.raises(RetryableError, match=f"^an answer (with |that ){why}"):
        parse_completion(body)


def test_no_error_is_no_error() -> None:
    body = build_answer({"content": "1971"})
    assert parse_completion({**body, "error": None, "choices": [{**body["choices"][0], "error": None}]}).response


@pytest.mark.parametrize("error", [{"code": "insufficient_quota"}, {"type": "insufficient_quota"}, {"code": 402}])
def test_a_used_up_quota_inside_an_answer(error: dict[str, Any]) -> None:
    for body in (
        {"error": {**error, "message": "No credits."}},
        {"choices": [{"error": {**error, "message": "No credits."}}]},
    ):
        with pytest.raises(UnusableNowError, match=r"^the quota is used up; .*: No credits\.$"):
            parse_completion(body)


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param({"message": {"content": "19"}, "finish_reason": "length"}, id="chat"),
        pytest.param({"text": "19", "finish_reason": "length"}, id="completion"),
        pytest.param({"message": {"content": "19"}, "finish_reason": "MAX_TOKENS"}, id="gemini"),
        pytest.param(
            {"message": {"content": "19"}, "finish_reason": None, "stop_reason": "max_tokens"}, id="anthropic"
        ),
        pytest.param({"message": {"content": "19"}, "done_reason": "length"}, id="ollama"),
    ],
)
def test_a_text_that_was_cut_off_is_called_alike(choice: dict[str, Any]) -> None:
    completion = parse_completion({"choices": [choice]})
    assert (completion.response, completion.finish_reason) == ("19", "length")


def test_a_stop_token_is_no_finish_reason_beside_one() -> None:
    choice = {"message": {"content": "1971"}, "finish_reason": "stop", "stop_reason": "</s>"}
    assert parse_completion({"choices": [choice]}).finish_reason == "stop"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_no_json_raises_another_error(body: object) -> None:
    with suppress(RetryableError, UnusableNowError):
        completion = parse_completion(body)
        assert completion.response is None or isinstance(completion.response, str)
        assert isinstance(completion.finish_reason, str)
