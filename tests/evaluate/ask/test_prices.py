"""What a run costs, and which files of prices are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.prices import Price, Usage, describe_cost, estimate_cost, find_limit, read_price, sum_usage

PRICE = Price(input=2.0, output=8.0, cached_input=0.5)


def write(folder: Path, text: str, name: str = "prices.yaml") -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("org/m-1: {input: 2, output: 8.0, cached_input: 0.5}\nm-2:\n  input: 0\n  output: 0\n", id="yaml"),
        pytest.param('{"org/m-1": {"input": 2.0, "output": 8, "cached_input": 0.5}}', id="json"),
    ],
)
def test_the_price_of_a_model_is_read(tmp_path: Path, text: str) -> None:
    assert read_price(write(tmp_path, text), "org/m-1") == PRICE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m1: {input: 2, output: 8}", r"prices\.yaml: no price of m; did you mean m1\?"),
        ("other: {input: 2, output: 8}", r"prices\.yaml: no price of m; it has other$"),
        ("m: {input: 2}", r"prices\.yaml: m: output: "),
        ("m: {input: 2, output: -8}", r"prices\.yaml: m: output: "),
        ("m: {input: 2, output: .nan}", r"prices\.yaml: m: output: "),
        ("m: {input: 2, output: true}", r"prices\.yaml: m: output: "),
        ("m: {input: 2, output: 8, cache: 1}", r"prices\.yaml: m: cache: unknown key"),
        ("m: 2", r"prices\.yaml: m: a mapping of keys"),
        ("- m", r"prices\.yaml: names of models with their prices are expected"),
        ("m: {", r"prices\.yaml: "),
    ],
)
def test_a_file_of_prices_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_price(write(tmp_path, text), "m")


def test_usage_is_summed() -> None:
    reported = [
        {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 60}},
        {"prompt_tokens": 50, "completion_tokens": 5, "prompt_tokens_details": None},
        {"prompt_tokens": 50},
        {},
    ]
    assert sum_usage(reported) == Usage(prompt=150, answer=15, cached=60, unknown=2)


def test_the_cost_of_usage_counts_the_cache() -> None:
    assert describe_cost(PRICE, Usage(1_000_000, 500_000, 200_000)) == (
        "cost: $5.70 for 1,500,000 tokens, 200,000 of the prompts' from a cache"
    )
    assert describe_cost(Price(input=2.0, output=8.0), Usage(1_000_000, 0, 200_000, 3)) == (
        "cost: $2.00 for 1,000,000 tokens, 200,000 of the prompts' from a cache; without 3 answers of unknown usage"
    )


def test_the_cost_is_estimated() -> None:
    assert estimate_cost(PRICE, 50_000, 100, 1000) == "cost: about $0.10 for 100 prompts, at most $0.80 for answers"
    assert "that of answers has no limit" in estimate_cost(PRICE, 50_000, 1, None)


def test_the_limit_of_an_answer_is_the_least_that_is_sent() -> None:
    assert find_limit({"max_tokens": 1024, "max_completion_tokens": 500}) == 500
    assert find_limit({"max_completion_tokens": 8000}) == 8000
    assert find_limit({"temperature": 0}) is None
