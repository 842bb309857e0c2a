"""Why the text of a model ends, as endpoints and harnesses call it."""

from __future__ import annotations

CUT_OFF = ("length", "max_tokens", "max_output_tokens", "model_length")
"""The limit of tokens as it is called by OpenAI, Anthropic and Gemini, OpenAI's responses, and inspect_ai."""


def is_cut_off(finish_reason: str | None) -> bool:
    """Tell whether a text reached its limit of tokens, by its finish reason in any case.

    >>> [is_cut_off(reason) for reason in ("length", "MAX_TOKENS", "FinishReason.MAX_TOKENS", "stop", None)]
    [True, True, True, False, False]
    """
    return (finish_reason or "").strip().rpartition(".")[2].lower().replace("-", "_") in CUT_OFF
