"""What a run would ask, and about how much of it there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from everwhen.core.counted import count_noun
from everwhen.evaluate.ask.prepare import Prepared
from everwhen.evaluate.ask.prices import Price, estimate_cost
from everwhen.evaluate.messages import Message

SHOWN = 3
"""Prompts that are printed."""

BYTES_PER_TOKEN = 4
"""English text has about four bytes a token with the tokenizers of 2023 to 2026."""


def render_dry_run(prepared: Prepared, most: int | None, price: Price | None = None) -> str:
    """Render the first prompts, the number of all, and an estimate of their tokens.

    Args:
        prepared: What would be asked.
        most: Tokens of an answer at most; None where nothing limits them.
        price: The price of the model, to estimate the cost.
    """
    lines: list[str] = []
    for item, messages in list(prepared.prompts.items())[:SHOWN]:
        lines += [f"--- item {item}", *(f"[{m['role']}] {m['content']}" for m in messages), ""]
    tokens = estimate_all(prepared.prompts.values())
    count = len(prepared.prompts)
    lines.append(f"{count_noun(count, 'prompt')} of {prepared.family}")
    answers = "without limit in answers" if most is None else f"at most {count * most:,} in answers"
    lines.append(f"tokens: about {tokens:,} in prompts ({tokens // count:,} each), {answers}")
    if price is not None:
        lines.append(estimate_cost(price, tokens, count, most))
    return "\n".join([*lines, *prepared.list_remarks()])


def estimate_all(prompts: Iterable[Sequence[Message]]) -> int:
    """Estimate the tokens of prompts."""
    return sum(map(estimate_tokens, prompts))


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Estimate the tokens of a prompt by its bytes."""
    return sum(len(m["content"].encode("utf-8", "replace")) for m in messages) // BYTES_PER_TOKEN
