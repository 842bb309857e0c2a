"""Vectors of texts, by any OpenAI-compatible endpoint (`POST …/embeddings`).

They are kept in a file that only grows, so that no text is sent twice to the same model.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from everwhen.core.errors import InputError
from everwhen.core.retries import RetryableError, RetryPolicy
from everwhen.evaluate.append_only import open_append_only
from everwhen.evaluate.model_api import ModelApi

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
Report = Callable[[int, int], None]
"""Called with how many texts have a vector, and of how many."""

RESOURCE = "embeddings"

BEGIN = b'{"key": "'


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


def embed_texts(
    texts: Sequence[str],
    embedder: EmbeddingEndpoint,
    path: Path,
    *,
    batch: int = 64,
    report: Report = lambda done, of: None,
) -> Matrix:
    """Return the vectors of texts, a row each: those of the file, and for the others those of the embedder.

    Blank texts have no meaning that a vector could show: their row is zero, and they are not sent.

    The file has a JSON object a line, with the SHA-256 of model and text, and the vector as base64 of little-endian
    32-bit floats.

    Raises:
        InputError: The file or an answer cannot be used.
        NotNowError: Another process writes the file, or the embedder does not answer.
    """
    keys = [hash_text(embedder.model, text) if text.strip() else "" for text in texts]
    wanted = {key: text for key, text in zip(keys, texts, strict=True) if key}
    with open_append_only(path, BEGIN) as append:
        found = read_vectors(path, wanted)
        missing = [key for key in wanted if key not in found]
        report(len(found), len(wanted))
        for first in range(0, len(missing), batch):
            some = missing[first : first + batch]
            vectors = embedder.embed([wanted[key] for key in some])
            append(b"".join(map(_format_line, some, vectors)))
            found.update(zip(some, vectors, strict=True))
            report(len(found), len(wanted))
    return _stack(keys, found, path)


def hash_text(model: str, text: str) -> str:
    """Return the key of a vector: SHA-256 of model and text."""
    return hashlib.sha256(json.dumps([model, text]).encode()).hexdigest()


def read_vectors(path: Path, wanted: Mapping[str, object]) -> dict[str, Vector]:
    """Read the vectors of the wanted keys.

    Raises:
        InputError: A line is not one of vectors.
    """
    found: dict[str, Vector] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = orjson.loads(line)
                if row["key"] in wanted:
                    found[row["key"]] = np.frombuffer(base64.b64decode(row["vector"], validate=True), dtype="<f4")
            except (ValueError, TypeError, KeyError):
                raise InputError(f"{path}:{number}: not a line of vectors; give --vectors another file") from None
    return found


def _format_line(key: str, vector: Vector) -> bytes:
    packed = base64.b64encode(np.asarray(vector, dtype="<f4").tobytes())
    return BEGIN + key.encode() + b'", "vector": "' + packed + b'"}\n'


def _stack(keys: Sequence[str], found: Mapping[str, Vector], path: Path) -> Matrix:
    lengths = {len(found[key]) for key in keys if key}
    if len(lengths) > 1:
        several = " and ".join(map(str, sorted(lengths)))
        raise InputError(f"{path}: vectors of {several} numbers; the model has changed, give --vectors another file")
    blank = np.zeros(lengths.pop() if lengths else 0, dtype=np.float32)
    return np.array([found[key] if key else blank for key in keys], dtype=np.float32).reshape(len(keys), len(blank))


def parse_vectors(body: Any, count: int) -> list[Vector]:
    """Parse `data` of an answer, objects with `index` and `embedding`: the vectors of so many texts, in their order.

    Raises:
        RetryableError: There is not one vector for each text, or they differ in length or are not finite.
    """
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise RetryableError("an answer without vectors")
    vectors = _list_vectors(data, count)
    if len(data) != count:
        raise RetryableError(f"an answer with {len(data)} vectors for {count} texts")
    if [*map(len, {vector.shape for vector in vectors})] != [1]:
        raise RetryableError("an answer with vectors of several lengths")
    if not vectors[0].size or not np.isfinite(vectors).all():
        raise RetryableError("an answer with vectors that are empty or not finite")
    return vectors


def _list_vectors(data: Sequence[dict[str, Any]], count: int) -> list[Vector]:
    """Read so many vectors in the order of their indices, else of their places."""
    try:
        by_index = {int(one.get("index", place)): one.get("embedding") for place, one in enumerate(data)}
        with np.errstate(over="ignore"):  # what overflows is refused later
            return [np.array(by_index[place], dtype=np.float32) for place in range(count)]
    except (TypeError, ValueError, OverflowError):
        raise RetryableError("an answer with vectors that are not lists of numbers") from None
    except KeyError:
        raise RetryableError(f"an answer with {len(data)} vectors, or with wrong indices, for {count} texts") from None
