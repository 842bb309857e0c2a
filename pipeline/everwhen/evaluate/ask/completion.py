"""The answer of a chat endpoint, `POST …/chat/completions`, as OpenAI's API reference describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from everwhen.core.answers import find_error
from everwhen.core.retries import RetryableError
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.model_api import require_quota

REASONS = ("finish_reason", "stop_reason", "done_reason")
"""The fields with a finish reason: OpenAI's, Anthropic's and Ollama's."""

FAILED = "error"
"""The finish reason of a text that an error has ended, as OpenRouter reports it."""


@dataclass(frozen=True)
class Completion:
    """What a model answered.

    Attributes:
        response: The text; None where the model gave none, such as when its reasoning used up all tokens.
        finish_reason: Why the text ends: `stop`, `length` and others; `unknown` where the server does not say.
        model: The model that answered, as the server names it.
        usage: Numbers of tokens, as the server counts them.
        reasoning: What the server reports as reasoning, apart from the text; "" where it reports none.
        latency: Seconds from the request to the complete answer.
        date: Day on which the run began that asked, by UTC, such as 2026-11-01; "" where nobody says.
    """

    response: str | None
    finish_reason: str
    model: str
    usage: Mapping[str, Any]
    reasoning: str = ""
    latency: float = 0.0
    date: str = ""


def parse_completion(body: Any, latency: float = 0.0) -> Completion:
    """Parse the JSON of an answer, which took so many seconds.

    A refusal that the server reports in a field of its own is the response, where there is no other text.

    Raises:
        RetryableError: It has no choice with a message, or an error has ended the text.
        UnusableNowError: The error is that the quota is used up.
    """
    choices = body.get("choices") if isinstance(body, Mapping) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _find_message(choice)
    _require_no_error(body, choice)
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise RetryableError("an answer without choices")
    text = _join_parts(message.get("content"))
    reason = _find_first(choice, REASONS) or "unknown"
    return Completion(
        response=_find_text(message, "refusal") if text is None else text,
        finish_reason="length" if is_cut_off(reason) else reason,  # OpenAI's word, whatever the server calls that
        model=_find_first(body, ("model",)),
        usage=body["usage"] if isinstance(body.get("usage"), Mapping) else {},
        reasoning=_find_first(message, ("reasoning_content", "reasoning")),
        latency=latency,
    )


def _find_message(choice: Any) -> Any:
    """Return the message of a choice; servers of older APIs send its text alone."""
    if not isinstance(choice, Mapping):
        return None
    text = _find_text(choice, "text")
    return choice.get("message") if text is None or "message" in choice else {"content": text}


def _join_parts(content: Any) -> str | None:
    """Return the text of a message, which some servers send in parts."""
    if isinstance(content, list):
        texts = [_find_text(part, "text") for part in content if isinstance(part, Mapping)]
        return "".join(text for text in texts if text) or None
    return content if isinstance(content, str) else None


def _find_first(mapping: Mapping[str, Any], keys: Sequence[str]) -> str:
    """Return the first text of some keys that is not empty; "" where there is none."""
    return next((text for key in keys if (text := _find_text(mapping, key))), "")


def _find_text(mapping: Mapping[str, Any], key: str) -> str | None:
    value = mapping.get(key)
    return value if isinstance(value, str) else None


def _require_no_error(body: Any, choice: Any) -> None:
    """Require that neither the answer nor its choice reports an error; proxies send some with status 200."""
    error = find_error(choice) or find_error(body)
    if error is not None:
        require_quota(error)
        raise RetryableError(f"an answer with an error: {error.text or 'the server says no more'}")
    if isinstance(choice, Mapping) and choice.get("finish_reason") == FAILED:
        raise RetryableError("an answer that ends with an error; the server says no more")
