"""Any OpenAI-compatible endpoint for embeddings, `POST …/embeddings`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from everwhen.core.addresses import find_host, hide_password
from everwhen.core.answers import parse_good
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError, RetryableError, RetryPolicy, retry
from everwhen.evaluate.ask.endpoint import KEY_REFUSED, KEY_VARIABLE, NOT_FOUND
from everwhen.evaluate.retrieval.vectors import Vector


class EmbeddingEndpoint:
    """Asks a model for vectors at one address.

    Attributes:
        model: The model's name, as the endpoint knows it.
        url: The address that is asked.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key_variable: str = KEY_VARIABLE,
        policy: RetryPolicy | None = None,
        timeout: float = 120.0,
    ) -> None:
        """Prepare; nothing is asked yet.

        Args:
            base_url: The address that ends before `/embeddings`, such as `http://localhost:8000/v1`.
            model: The model's name.
            key_variable: The environment variable with the key; without it no key is sent.
            policy: How often a request is tried.
            timeout: Seconds to wait for a whole answer.

        Raises:
            InputError: The address or the key cannot be used.
        """
        self.model = model
        self.url = locate_embeddings(base_url)
        self._key_variable = key_variable
        self._client = Client(
            {find_host(self.url)},
            named_by="--base-url",
            advice="name that address in --base-url if you trust it",
            policy=policy,
            timeout=timeout,
            key=os.environ.get(key_variable, "").strip(),
        )
        self._client.require_allowed(self.url)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Ask for a vector of each text, until they come.

        Raises:
            InputError: The endpoint refuses the request, the model's name or the key.
            NotNowError: No attempt got an answer.
        """
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}

        def ask_once() -> list[Vector]:
            return parse_vectors(parse_good(self._client.ask(self.url, body=body)), len(texts))

        try:
            return retry(hide_password(self.url), self._client.policy, ask_once)
        except RefusedError as error:
            if error.status in KEY_REFUSED:
                raise InputError(f"{error}; set the environment variable {self._key_variable} to a key") from None
            if error.status in NOT_FOUND:
                raise InputError(f"{error}; check --base-url and --model") from None
            raise


def locate_embeddings(base_url: str) -> str:
    """Return the address that is asked, from that of the API.

    >>> locate_embeddings("http://localhost:8000/v1/")
    'http://localhost:8000/v1/embeddings'
    """
    try:
        parts = urlsplit(base_url.strip())
    except ValueError as error:
        raise InputError(f"--base-url {hide_password(base_url)}: {error}") from None
    path = parts.path.rstrip("/").removesuffix("/embeddings")
    return urlunsplit(parts._replace(path=f"{path}/embeddings", fragment=""))


def parse_vectors(body: Any, count: int) -> list[Vector]:
    """Parse the vectors of an answer, in the order of the texts.

    Args:
        body: The JSON of the answer: `data`, a list of objects with `index` and `embedding`.
        count: How many texts were sent.

    Raises:
        RetryableError: There is not one vector for each text, or they differ in length or are not finite.
    """
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise RetryableError("an answer without vectors")
    try:
        by_index = {int(one.get("index", place)): one.get("embedding") for place, one in enumerate(data)}
        with np.errstate(over="ignore"):  # what overflows is refused below
            vectors = [np.array(by_index[place], dtype=np.float32) for place in range(count)]
    except (TypeError, ValueError, OverflowError):
        raise RetryableError("an answer with vectors that are not lists of numbers") from None
    except KeyError:
        raise RetryableError(f"an answer with {len(data)} vectors, or with wrong indices, for {count} texts") from None
    if len(data) != count:
        raise RetryableError(f"an answer with {len(data)} vectors for {count} texts")
    if {vector.ndim for vector in vectors} != {1} or len({len(vector) for vector in vectors}) != 1:
        raise RetryableError("an answer with vectors of several lengths")
    if not vectors[0].size or not all(np.isfinite(vector).all() for vector in vectors):
        raise RetryableError("an answer with vectors that are empty or not finite")
    return vectors
