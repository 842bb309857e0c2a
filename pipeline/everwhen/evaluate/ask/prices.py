"""What a run asks and costs: prices of a file, times the tokens that are estimated before and reported after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from everwhen.core.config_errors import suggest_name
from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.models import StrictModel, read_yaml, validate_model
from everwhen.evaluate.ask.prepare import Prepared
from everwhen.evaluate.messages import Message

LIMITS = ("max_tokens", "max_completion_tokens")
"""Fields of a request that limit the tokens of an answer."""

SHOWN = 3
"""Prompts that are printed."""

BYTES_PER_TOKEN = 4
"""English text has about four bytes a token with the tokenizers of 2023 to 2026."""

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class Price(StrictModel):
    """What a model costs, in dollars per million tokens.

    Attributes:
        input: Tokens of prompts.
        output: Tokens of answers, those of reasoning included.
        cached_input: Tokens of prompts that the server has in a cache; as `input` where it is not given.
    """

    input: Dollars
    output: Dollars
    cached_input: Dollars | None = None

    def count_dollars(self, prompt: int, answer: int, cached: int = 0) -> float:
        """Count the dollars of tokens; the cached ones are among those of the prompt.

        >>> Price(input=2.0, output=8.0, cached_input=0.5).count_dollars(1_000_000, 500_000, 200_000)
        5.7
        """
        of_cache = self.input if self.cached_input is None else self.cached_input
        return ((prompt - cached) * self.input + cached * of_cache + answer * self.output) / 1e6


@dataclass(frozen=True)
class Usage:
    """Tokens as servers report them.

    Attributes:
        prompt: Of prompts.
        answer: Of answers.
        cached: Those of prompts that a cache had.
        unknown: How many answers report none.
    """

    prompt: int = 0
    answer: int = 0
    cached: int = 0
    unknown: int = 0


def read_price(path: Path, model: str) -> Price:
    """Read the price of a model from a file of prices: YAML or JSON, by the name of each model.

    Raises:
        InputError: The file cannot be read or has no such model; the message names file and key.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    models = read_yaml(path)
    if not isinstance(models, Mapping) or not models:
        raise InputError(f"{path}: names of models with their prices are expected")
    prices = {str(name): validate_model(Price, price, f"{path}: {name}") for name, price in models.items()}
    if model not in prices:
        hint = suggest_name(model, prices) or f"; it has {', '.join(prices)}"
        raise InputError(f"{path}: no price of {model}{hint}")
    return prices[model]


def sum_usage(reported: Iterable[Mapping[str, Any]]) -> Usage:
    """Sum what servers report of each answer."""
    prompt = answer = cached = unknown = 0
    for usage in reported:
        of_prompt, of_answer = (_read_count(usage, name) for name in ("prompt_tokens", "completion_tokens"))
        if of_prompt is None or of_answer is None:
            unknown += 1
            continue
        of_cache = _read_count(usage.get("prompt_tokens_details"), "cached_tokens") or 0
        prompt, answer, cached = prompt + of_prompt, answer + of_answer, cached + min(of_cache, of_prompt)
    return Usage(prompt, answer, cached, unknown)


def estimate_cost(price: Price, tokens: int, count: int, most: int | None) -> str:
    """Estimate, as a line to read, what prompts cost that have so many tokens together.

    An answer has `most` tokens at most; None where nothing limits them.
    """
    prompts = f"cost: about {write_dollars(price.count_dollars(tokens, 0))} for {count_noun(count, 'prompt')}"
    if most is None:
        return f"{prompts}; that of answers has no limit, since none of {' and '.join(LIMITS)} is sent"
    return f"{prompts}, at most {write_dollars(price.count_dollars(0, count * most))} for answers"


def describe_cost(price: Price, usage: Usage) -> str:
    """Describe what answers have cost by their usage, as a line to read."""
    if usage.unknown and not usage.prompt + usage.answer:
        return f"cost: unknown; the server reported no usage of {count_noun(usage.unknown, 'answer')}"
    dollars = write_dollars(price.count_dollars(usage.prompt, usage.answer, usage.cached))
    cached = f", {usage.cached:,} of the prompts' from a cache" if usage.cached else ""
    unknown = f"; without {count_noun(usage.unknown, 'answer')} of unknown usage" if usage.unknown else ""
    return f"cost: {dollars} for {usage.prompt + usage.answer:,} tokens{cached}{unknown}"


def find_limit(parameters: Mapping[str, Any]) -> int | None:
    """Find how many tokens an answer may have at most, by the fields of a request."""
    limits = (_read_count(parameters, name) for name in LIMITS)
    return min((limit for limit in limits if limit is not None), default=None)


def write_dollars(dollars: float) -> str:
    """Write an amount; less than a cent to six decimals.

    >>> write_dollars(1234.5), write_dollars(0.001234), write_dollars(0.0)
    ('$1,234.50', '$0.001234', '$0.00')
    """
    return f"${dollars:,.2f}" if dollars >= 0.01 or not dollars else f"${dollars:.6f}"


def _read_count(values: Any, name: str) -> int | None:
    """Read a number of tokens; None where there is none."""
    value = values.get(name) if isinstance(values, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def render_dry_run(prepared: Prepared, most: int | None, price: Price | None = None) -> str:
    """Render the first prompts, the number of all, and an estimate of their tokens and, at a price, of their cost.

    An answer has `most` tokens at most; None where nothing limits them.
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
    """Estimate the tokens of prompts by their bytes."""
    sizes = (sum(len(m["content"].encode("utf-8", "replace")) for m in messages) for messages in prompts)
    return sum(size // BYTES_PER_TOKEN for size in sizes)
