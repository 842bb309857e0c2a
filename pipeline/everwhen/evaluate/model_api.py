"""One resource of an OpenAI-compatible API: requests are sent until an answer comes, with a key of the environment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from everwhen.core.addresses import find_host, hide_password
from everwhen.core.answers import MAX_BODY_BYTES, HttpAnswer, ReportedError, parse_good
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError, RetryPolicy, UnconnectedError, retry

T = TypeVar("T")

KEY_VARIABLE = "EVERWHEN_API_KEY"
"""The environment variable with the key; no argument and no file takes one."""

NOT_FOUND = (404, 405)
KEY_REFUSED = (401, 403)
PAYMENT_REQUIRED = 402

USED_UP = frozenset({"402", "insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
"""Codes of errors that only a payment mends: OpenAI's names, and the status of OpenRouter and DeepSeek."""

MAX_FIRST_TRIES = 3
"""So many tries without a connection end a run that has had none: nothing listens there, whatever is asked."""


class UnusableError(InputError):
    """The API refuses every request: its address, the model's name or the key is wrong."""


class UnusableNowError(UnusableError, NotNowError):
    """The API refuses every request for now: nothing listens at its address, or the quota is used up."""


class ModelApi:
    """Posts requests to one address; threads may share it.

    Attributes:
        url: The address that is asked.
        redact: Replaces the key in a text by `***`: JSON's escapes may have hidden it from the client.
    """

    def __init__(
        self,
        base_url: str,
        resource: str,
        *,
        key_variable: str | None = None,
        policy: RetryPolicy | None = None,
        timeout: float = 120.0,
        largest_body: int = MAX_BODY_BYTES,
    ) -> None:
        """Prepare; nothing is asked yet.

        The address ends before the resource: `http://localhost:8000/v1`, `chat/completions`. The variable of the key
        must be set; by default `KEY_VARIABLE` is read, if it is set. The policy says how often a request is tried,
        `timeout` for how many seconds a complete answer is waited for, and `largest_body` how many bytes it may have.

        Raises:
            InputError: The address or the key cannot be used, or there is no such variable.
        """
        self.url = locate_resource(base_url, resource)
        self._key_variable = key_variable or KEY_VARIABLE
        key = os.environ.get(self._key_variable, "").strip()
        if key_variable and not key:
            raise InputError(f"{key_variable}: this environment variable is not set; it should have the endpoint's key")
        self._has_key = bool(key)
        self.redact: Callable[[str], str] = lambda text: text.replace(key, "***") if key else text
        self._client = Client(
            {find_host(self.url)},
            named_by="--base-url",
            advice="name that address in --base-url if you trust it",
            policy=policy,
            timeout=timeout,
            largest_body=largest_body,
            key=key,
        )
        self._client.require_allowed(self.url)
        self._has_answered = False

    def post(self, body: Mapping[str, Any], parse: Callable[[Any, float], T]) -> T:
        """Post a request until an answer comes.

        Args:
            body: The request, sent as JSON.
            parse: Reads the JSON of a good answer, and the seconds that it took; raises RetryableError if it must be
                asked for again.

        Raises:
            UnusableError: The API refuses the key, or has no such address or model. It is an UnusableNowError if
                nothing listens at the address, or the quota is used up.
            RefusedError: It refuses this request for good, or answers more than is taken.
            NotNowError: No attempt got an answer.
        """

        tries = 0

        def post_once() -> T:
            nonlocal tries
            tries += 1
            began = time.monotonic()
            answer = self._ask(body, tries)
            seconds = round(time.monotonic() - began, 3)
            if answer.status != 200:
                require_quota(answer.error, answer.status)
            return parse(parse_good(answer), seconds)

        try:
            return retry(hide_password(self.url), self._client.policy, post_once)
        except RefusedError as error:
            if error.status in KEY_REFUSED:
                raise UnusableError(f"{self._explain_key()} ({error})") from None
            if error.status in NOT_FOUND:
                raise UnusableError(f"{error}; check --base-url and --model") from None
            raise

    def _ask(self, body: Mapping[str, Any], tries: int) -> HttpAnswer:
        """Ask once. Where no request has ever reached the server, the last of a few tries ends the run."""
        try:
            answer = self._client.ask(self.url, body=body)
        except UnconnectedError as error:
            if self._has_answered or tries < min(MAX_FIRST_TRIES, self._client.policy.attempts):
                raise
            raise UnusableNowError(
                f"{hide_password(self.url)}: no connection: {error}; start the server, or check --base-url"
            ) from None
        self._has_answered = True
        return answer

    def _explain_key(self) -> str:
        if self._has_key:
            return f"the endpoint refuses the key in {self._key_variable}; set that variable to another key"
        return f"the endpoint asks for a key; set the environment variable {self._key_variable}"


def require_quota(error: ReportedError, status: int | None = None) -> None:
    """Require an error that does not say that the quota is used up.

    Raises:
        UnusableNowError: It says so.
    """
    if status == PAYMENT_REQUIRED or error.codes & USED_UP:
        text = f": {error.text}" if error.text else ""
        raise UnusableNowError(f"the quota is used up; raise it, then repeat the command{text}")


def locate_resource(base_url: str, resource: str) -> str:
    """Return the address of a resource, from that of the API.

    >>> locate_resource("http://localhost:8000/v1/", "embeddings")
    'http://localhost:8000/v1/embeddings'
    """
    try:
        parts = urlsplit(base_url.strip())
    except ValueError as error:
        raise InputError(f"--base-url {hide_password(base_url)}: {error}") from None
    path = parts.path.rstrip("/").removesuffix(f"/{resource}")
    return urlunsplit(parts._replace(path=f"{path}/{resource}", fragment=""))
