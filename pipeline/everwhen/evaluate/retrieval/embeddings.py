"""Any OpenAI-compatible endpoint for embeddings, `POST …/embeddings`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everwhen.core.retries import RetryableError, RetryPolicy
from everwhen.evaluate.model_api import ModelApi
from everwhen.evaluate.retrieval.vectors import Vector

RESOURCE = "embeddings"


class EmbeddingEndpoint:
    """Asks a model for vectors at one address.

    Attributes:
        model: The model's name, as the endpoint knows it.
        url: The address that is asked.
    """

    def __init__(self, base_url: str, model: str, *, policy: RetryPolicy | None = None, timeout: float = 120.0) -> None:
        """Prepare to ask a model, by the arguments of `ModelApi`; nothing is asked yet.

        Raises:
            InputError: The address or the key cannot be used.
        """
        self.model = model
        self._api = ModelApi(base_url, RESOURCE, policy=policy, timeout=timeout)
        self.url = self._api.url

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Ask for a vector of each text, until they come.

        Raises:
            InputError: The endpoint refuses the request, the model's name or the key.
            NotNowError: No attempt got an answer.
        """
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        return self._api.post(body, lambda answer, _: parse_vectors(answer, len(texts)))


def parse_vectors(body: Any, count: int) -> list[Vector]:
    """Parse `data` of an answer, objects with `index` and `embedding`: the vectors of so many texts, in their order.

    Raises:
        RetryableError: There is not one vector for each text, or they differ in length or are not finite.
    """
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise RetryableError("an answer without vectors")
    vectors = _read_vectors(data, count)
    if len(data) != count:
        raise RetryableError(f"an answer with {len(data)} vectors for {count} texts")
    if [*map(len, {vector.shape for vector in vectors})] != [1]:
        raise RetryableError("an answer with vectors of several lengths")
    if not vectors[0].size or not np.isfinite(vectors).all():
        raise RetryableError("an answer with vectors that are empty or not finite")
    return vectors


def _read_vectors(data: Sequence[dict[str, Any]], count: int) -> list[Vector]:
    """Read so many vectors in the order of their indices, else of their places."""
    try:
        by_index = {int(one.get("index", place)): one.get("embedding") for place, one in enumerate(data)}
        with np.errstate(over="ignore"):  # what overflows is refused later
            return [np.array(by_index[place], dtype=np.float32) for place in range(count)]
    except (TypeError, ValueError, OverflowError):
        raise RetryableError("an answer with vectors that are not lists of numbers") from None
    except KeyError:
        raise RetryableError(f"an answer with {len(data)} vectors, or with wrong indices, for {count} texts") from None
