"""An OpenAI-compatible chat endpoint: one prompt in, one answer out."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from everwhen.core.arguments import list_parameters
from everwhen.core.errors import InputError
from everwhen.core.retries import RetryPolicy
from everwhen.evaluate.ask.completion import Completion, parse_completion
from everwhen.evaluate.messages import Message
from everwhen.evaluate.model_api import ModelApi

RESOURCE = "chat/completions"

MAX_ANSWER_BYTES = 8 << 20
"""Bytes of the largest answer that is taken: 100,000 tokens have half a MB."""

REPEATED = ("response", "finish_reason", "model", "reasoning")
"""Texts of an answer in which a server may repeat the key."""


@dataclass(frozen=True)
class Model:
    """What is asked, and with which parameters; the same answers are expected of the same model.

    Attributes:
        name: The model's name, as the endpoint knows it.
        parameters: Further fields of each request, such as `temperature`.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def build_body(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Build the body of a request."""
        return {**self.parameters, "model": self.name, "messages": [dict(message) for message in messages]}


@dataclass(frozen=True)
class Limits:
    """How patiently an endpoint is asked.

    Attributes:
        timeout: Seconds to wait for a complete answer.
        attempts: Tries of one request.
        backoff: Seconds before the second try where the server names none.
    """

    timeout: float = 300.0
    attempts: int = 6
    backoff: float = 1.0


class Endpoint:
    """Asks a model at one address; threads may share it."""

    def __init__(
        self, base_url: str, model: Model, limits: Limits | None = None, *, key_variable: str | None = None
    ) -> None:
        """Prepare; nothing is asked yet.

        Args:
            base_url: The address that ends before `/chat/completions`, such as `http://localhost:8000/v1`.
            model: What is asked.
            limits: How patiently.
            key_variable: The environment variable with the key, as of `ModelApi`.

        Raises:
            InputError: The address or the key cannot be used, or there is no such variable.
        """
        limits = limits or Limits()
        self.model = model
        self._api = ModelApi(
            base_url,
            RESOURCE,
            key_variable=key_variable,
            policy=RetryPolicy(limits.attempts, limits.backoff),
            timeout=limits.timeout,
            largest_body=MAX_ANSWER_BYTES,
        )

    def ask(self, messages: Sequence[Message]) -> Completion:
        """Ask until an answer comes.

        Raises:
            UnusableError: The endpoint refuses the key, or has no such address or model.
            RefusedError: It refuses this prompt for good, or answers more than is taken.
            NotNowError: No attempt got an answer.
        """
        answer = self._api.post(self.model.build_body(messages), parse_completion)
        texts = {name: getattr(answer, name) for name in REPEATED}
        redacted: dict[str, Any] = {name: self._api.redact(text) for name, text in texts.items() if text}
        return replace(answer, **redacted)


def open_endpoint(arguments: argparse.Namespace) -> Endpoint:
    """Prepare the endpoint; what is missing of it is reported before the dataset is read.

    Raises:
        InputError: The address, the model or the key is missing, or cannot be used.
    """
    for name in ("base_url", "model"):
        if not getattr(arguments, name):
            raise InputError(f"--{name.replace('_', '-')} is missing")
    return Endpoint(
        arguments.base_url,
        Model(arguments.model, list_parameters(arguments)),
        Limits(timeout=float(arguments.timeout), attempts=arguments.attempts),
        key_variable=arguments.key_variable,
    )
