from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import servers
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.retries import RetryableError, RetryPolicy
from everwhen.evaluate.model_api import locate_resource
from everwhen.evaluate.retrieval.vectors import RESOURCE, EmbeddingEndpoint, parse_vectors
from servers import Asked, FaultyServer

KEY = "sk-very-secret-0123456789"


def answer(asked: Asked) -> tuple[int, bytes]:
    """Gives each text a vector of its length, in another order than asked, as the reference allows."""
    texts = json.loads(asked.body)["input"]
    data = [{"index": place, "embedding": [float(len(text)), 0.5]} for place, text in enumerate(texts)]
    return 200, json.dumps({"data": data[::-1], "model": "m"}).encode()


def endpoint(server: FaultyServer) -> EmbeddingEndpoint:
    return EmbeddingEndpoint(server.url("/v1"), "m", policy=RetryPolicy(3, 0), timeout=5)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVERWHEN_API_KEY", KEY)


def test_vectors_come_in_the_order_of_the_texts(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(answer)
    assert [vector.tolist() for vector in endpoint(server).embed(["a", "bbb"])] == [[1, 0.5], [3, 0.5]]
    [asked] = server.asked
    assert (asked.path, asked.headers["Authorization"]) == ("/v1/embeddings", f"Bearer {KEY}")
    assert json.loads(asked.body) == {"model": "m", "input": ["a", "bbb"], "encoding_format": "float"}


def test_a_faulty_answer_is_asked_for_again(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(answer)
    server.faults = [servers.status(200, b"<html>"), servers.status(503)]
    assert [vector.tolist() for vector in endpoint(server).embed(["a"])] == [[1, 0.5]]
    server.always = servers.status(200, b'{"data": []}')
    with pytest.raises(NotNowError, match="no answer after 3 attempts: an answer with 0 vectors"):
        endpoint(server).embed(["a"])


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "refuses the key in EVERWHEN_API_KEY; set that variable to another key .*status 401"),
        (404, "status 404.*; check --base-url and --model"),
        (400, "status 400: too long"),
    ],
)
def test_a_refusal_says_what_to_do_and_shows_no_key(
    faulty: Callable[..., FaultyServer], status: int, message: str
) -> None:
    server = faulty(answer)
    server.always = servers.status(status, f"too long {KEY}".encode())
    with pytest.raises(InputError, match=message) as error:
        endpoint(server).embed(["a"])
    assert KEY not in str(error.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "url",
    ["http://localhost/v1", "http://localhost/v1/", "http://localhost/v1/embeddings", " http://localhost/v1#top"],
)
def test_the_address_is_that_of_the_api(url: str) -> None:
    assert locate_resource(url, RESOURCE) == "http://localhost/v1/embeddings"


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="an address that begins with http"):
        EmbeddingEndpoint("localhost:8000", "m")


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"error": "overloaded"},
        {"data": {}},
        {"data": ["a", "b"]},
        {"data": [{"embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 1, "embedding": [1.0]}, {"index": 2, "embedding": [1.0]}]},
        {"data": [{"index": [0], "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [None]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [1e300]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": ["x"]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": "AACAPw=="}]},
        {"data": [{"embedding": [1.0]}, {"embedding": 1.0}]},
        {"data": [{"embedding": [1.0]}, {}]},
        {"data": [{"embedding": []}, {"embedding": []}]},
        {"data": [{"embedding": [[1.0]]}, {"embedding": [[1.0]]}]},
        {"data": [{"embedding": [1.0]}] * 3},
    ],
)
def test_an_answer_without_a_vector_for_each_text_is_none(body: Any) -> None:
    with pytest.raises(RetryableError):
        parse_vectors(body, 2)


def test_vectors_without_an_index_are_in_order() -> None:
    found = parse_vectors({"data": [{"embedding": [1, 2]}, {"embedding": [3, 4]}]}, 2)
    assert np.array(found).tolist() == [[1, 2], [3, 4]]
