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


class Endpoint:
    """Asks a model at one address; threads may share it."""

    def __init__(
        self,
        base_url: str,
        model: Model,
        policy: RetryPolicy | None = None,
        timeout: float = 300.0,
        key_variable: str | None = None,
    ) -> None:
        """Prepare to ask a model, by the arguments of `ModelApi`; nothing is asked yet.

        Raises:
            InputError: The address or the key cannot be used, or there is no such variable.
        """
        self.model = model
        key, most = key_variable, MAX_ANSWER_BYTES
        self._api = ModelApi(base_url, RESOURCE, key_variable=key, policy=policy, timeout=timeout, largest_body=most)

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
        RetryPolicy(arguments.attempts),
        float(arguments.timeout),
        arguments.key_variable,
    )
