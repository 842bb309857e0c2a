"""An OpenAI-compatible endpoint: one prompt in, one answer out, asked for until it comes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from everwhen.core.addresses import find_host, hide_password
from everwhen.core.answers import parse_good
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError, RetryPolicy, retry
from everwhen.evaluate.ask.completion import Completion, parse_completion
from everwhen.evaluate.messages import Message

KEY_VARIABLE = "EVERWHEN_API_KEY"
"""The environment variable with the key; no argument and no file takes one."""

LARGEST_ANSWER = 8 << 20
"""Bytes of the largest answer that is taken: 100,000 tokens have half a MB."""

NOT_FOUND = (404, 405)
KEY_REFUSED = (401, 403)


class UnusableError(InputError):
    """The endpoint refuses every request: its address, the model's name or the key is wrong."""


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
            key_variable: The environment variable with the key, which must be set; by default `KEY_VARIABLE`, if set.

        Raises:
            InputError: The address or the key cannot be used, or there is no such variable.
        """
        limits = limits or Limits()
        self.model = model
        self.url = locate_completions(base_url)
        self._key_variable = key_variable or KEY_VARIABLE
        key = os.environ.get(self._key_variable, "").strip()
        if key_variable and not key:
            raise InputError(f"{key_variable}: this environment variable is not set; it should have the endpoint's key")
        self._has_key = bool(key)
        self._black_out = _hide(key)
        self._client = Client(
            {find_host(self.url)},
            named_by="--base-url",
            advice="name that address in --base-url if you trust it",
            policy=RetryPolicy(limits.attempts, limits.backoff),
            timeout=limits.timeout,
            largest_body=LARGEST_ANSWER,
            key=key,
        )
        self._client.require_allowed(self.url)

    def ask(self, messages: Sequence[Message]) -> Completion:
        """Ask until an answer comes.

        Raises:
            UnusableError: The endpoint refuses the key, or has no such address or model.
            RefusedError: It refuses this prompt for good, or answers more than is taken.
            NotNowError: No attempt got an answer.
        """
        body = self.model.build_body(messages)

        def ask_once() -> Completion:
            began = time.monotonic()
            answer = self._client.ask(self.url, body=body)
            seconds = round(time.monotonic() - began, 3)
            return self._black_out(parse_completion(parse_good(answer), seconds))

        try:
            return retry(hide_password(self.url), self._client.policy, ask_once)
        except RefusedError as error:
            if error.status in KEY_REFUSED:
                raise UnusableError(f"{self._explain_key()} ({error})") from None
            if error.status in NOT_FOUND:
                raise UnusableError(f"{error}; check --base-url and --model") from None
            raise

    def _explain_key(self) -> str:
        if self._has_key:
            return f"the endpoint refuses the key in {self._key_variable}; set that variable to another key"
        return f"the endpoint asks for a key; set the environment variable {self._key_variable}"


def _hide(key: str) -> Callable[[Completion], Completion]:
    """Return a function that removes a key from an answer, where JSON's escapes have hidden it from the client."""

    def black_out(answer: Completion) -> Completion:
        if not key:
            return answer
        texts = {name: getattr(answer, name) for name in ("response", "finish_reason", "model", "reasoning")}
        hidden = {name: text.replace(key, "***") for name, text in texts.items() if text}
        return replace(answer, **hidden)

    return black_out


def locate_completions(base_url: str) -> str:
    """Return the address that is asked, from that of the API.

    >>> locate_completions("http://localhost:8000/v1/")
    'http://localhost:8000/v1/chat/completions'
    """
    try:
        parts = urlsplit(base_url.strip())
    except ValueError as error:
        raise InputError(f"--base-url {hide_password(base_url)}: {error}") from None
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return urlunsplit(parts._replace(path=f"{path}/chat/completions", fragment=""))
