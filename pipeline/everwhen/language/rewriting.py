"""Texts that a model rewrites: those that a rule accepts are kept.

A model is asked through a function that remembers its responses by the hash of the prompt (`everwhen.evaluate.ask`), so
that a second run asks nothing and gives the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K")
P = TypeVar("P")

NOTHING_WRITTEN = "the model wrote no text"
"""Why a response without any text is not kept."""


@dataclass(frozen=True)
class Rewriting(Generic[K]):
    """A text that a model wrote in place of another.

    Attributes:
        key: The key of the original.
        text: The text; None where the response has none.
        reason: Why it is not kept; None where it is.
    """

    key: K
    text: str | None
    reason: str | None


@dataclass(frozen=True)
class Rewriter(Generic[P]):
    """How texts are rewritten.

    Attributes:
        build_prompt: Builds the prompt of an original, given the reasons for which its rewritings so far are not
            kept. A prompt that repeats an earlier one gets the earlier response.
        split_response: Splits a response into texts.
        judge: Judges the texts of a response, given the original first: why each is not kept, or None.
        attempts: How often a model is asked for an original of which nothing is kept.
    """

    build_prompt: Callable[[str, Sequence[str]], P]
    split_response: Callable[[str], Sequence[str]]
    judge: Callable[[str, Sequence[str]], Iterable[str | None]]
    attempts: int = 1


def rewrite_texts(
    originals: Mapping[K, str], ask: Callable[[Mapping[K, P]], Mapping[K, str]], rewriter: Rewriter[P]
) -> list[Rewriting[K]]:
    """Have texts rewritten.

    Args:
        originals: The texts, by key.
        ask: Returns a model's responses to prompts; a prompt without a response is left out.
        rewriter: How.

    Returns:
        All rewritings, those that are not kept with the reason, in the order of attempts and originals.
    """
    reasons: dict[K, list[str]] = {key: [] for key in originals}
    found: list[Rewriting[K]] = []
    wanted = dict(originals)
    for _ in range(rewriter.attempts):
        responses = ask({key: rewriter.build_prompt(text, reasons[key]) for key, text in wanted.items()})
        judged = [
            each
            for key, text in wanted.items()
            if key in responses
            for each in _judge_response(key, text, responses[key], rewriter)
        ]
        found += judged
        for each in judged:
            if each.reason is None:
                wanted.pop(each.key, None)
            else:
                reasons[each.key].append(each.reason)
        if not wanted:
            break
    return found


def _judge_response(key: K, original: str, response: str, rewriter: Rewriter[P]) -> Iterator[Rewriting[K]]:
    """Judge the texts of a response."""
    texts = rewriter.split_response(response)
    if not texts:
        yield Rewriting(key, None, NOTHING_WRITTEN)
    for text, reason in zip(texts, rewriter.judge(original, texts), strict=True):
        yield Rewriting(key, text, reason)
