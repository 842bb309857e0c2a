"""Responses that say why they ended: lm-evaluation-harness (0.4.13) drops it, from its tasks and its samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.evaluate.finish_reasons import is_cut_off

PARSE = "parse_generations"
"""The method of its API models that reads the texts of an endpoint's replies."""


class Response(str):
    """A response that says why it ended; to the harness it is a text as any other."""

    finish_reason: str | None = None


def keep_finish_reasons(model: type) -> None:
    """Have an API model of the harness return every response as a `Response`; a second call changes nothing.

    A response that was cut off within thoughts that the endpoint keeps to itself is empty, and cut off. A class without
    that method, as another version may have it, stays as it is.

    Args:
        model: A class of `lm_eval.models.openai_completions`.
    """
    parse = vars(model).get(PARSE)
    if parse is None or hasattr(parse, "keeps_finish_reasons"):
        return

    def parse_generations(self: Any, outputs: Any, **others: Any) -> list[str | None]:
        texts: list[str | None] = parse.__get__(self, model)(outputs=outputs, **others)
        reasons = _read_reasons(outputs)
        if len(reasons) != len(texts):  # a reply that the harness could not read
            return texts
        return [_mark(text, reason) for text, reason in zip(texts, reasons, strict=True)]

    parse_generations.keeps_finish_reasons = True  # type: ignore[attr-defined]
    setattr(model, PARSE, parse_generations)


def read_finish_reason(response: object) -> str | None:
    """Read why a response ended; None where it does not say."""
    return response.finish_reason if isinstance(response, Response) else None


def _mark(text: str | None, reason: str | None) -> str | None:
    if text is None and not is_cut_off(reason):
        return None
    response = Response(text or "")
    response.finish_reason = reason
    return response


def _read_reasons(outputs: Any) -> list[str | None]:
    """Read the reasons of all choices, reply by reply in the order of their index."""
    replies: Sequence[Any] = outputs if isinstance(outputs, list) else [outputs]
    choices: list[Mapping[str, Any]] = []
    for reply in replies:
        try:
            choices += sorted(reply["choices"], key=lambda choice: int(choice["index"]))
        except (KeyError, TypeError, ValueError):
            return []
    return [choice.get("finish_reason") for choice in choices]
