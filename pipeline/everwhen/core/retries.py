"""When and how often a request is tried again."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import NoReturn, TypeVar

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError, NotNowError

T = TypeVar("T")
RETRYABLE_STATUSES = frozenset({408, 425, 429, *range(500, 600)})
"""All of 5xx: proxies have their own, such as Cloudflare's 520 to 524, and 529 is an endpoint that is overloaded."""
MAX_WAIT = 3600.0
"""Seconds of the longest wait that a server may ask for."""
MAX_BACKOFF = 120.0
"""Seconds of the longest wait where the server names none; doubled without end they would soon be hours."""


class RefusedError(InputError):
    """The server has refused one request for good; others may still be answered.

    Attributes:
        status: The answer's status; None where something else shows the refusal.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        """Take the message, which names the request and the reason."""
        super().__init__(message)
        self.status = status


class RetryableError(Exception):
    """No answer of any use; the same request may well be answered later.

    Attributes:
        retry_after: The header by which the server says when.
    """

    def __init__(self, why: str, retry_after: str | None = None) -> None:
        """Take the reason, in one line."""
        super().__init__(why)
        self.retry_after = retry_after


class IncompleteError(RetryableError):
    """Not the whole answer: it broke off, or did not end in time."""


class UnconnectedError(RetryableError):
    """No connection: nothing listens at the address, or its name is not known. Nothing was sent."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often a request is tried, and how long it waits between two tries.

    Attributes:
        attempts: Tries of one request.
        backoff: Seconds before the second try where the server names none; each further wait is twice as long.
    """

    attempts: int = 6
    backoff: float = 1.0


class Attempts:
    """The tries of one request, with the waits between them: as long as the server says, else twice as long each time.

    Attributes:
        left: How many tries are left.
    """

    def __init__(self, request: str, policy: RetryPolicy) -> None:
        """Prepare for the tries of one request, which messages call `request`."""
        self._request = request
        self._policy = policy
        self.left = policy.attempts

    def wait(self, why: str, retry_after: str | None = None) -> None:
        """Count a failed try and wait before the next.

        Raises:
            NotNowError: No try is left, or the server asks for more than an hour.
        """
        self.left -= 1
        if self.left <= 0:
            raise NotNowError(f"{self._request}: no answer after {count_noun(self._policy.attempts, 'attempt')}: {why}")
        seconds = parse_retry_after(retry_after)
        if seconds is None:
            seconds = min(MAX_BACKOFF, self._policy.backoff * 2 ** (self._policy.attempts - self.left - 1))
        if seconds > MAX_WAIT:
            raise NotNowError(f"{self._request}: asks to come back in {seconds:.0f} seconds: {why}")
        time.sleep(seconds)


def retry(request: str, policy: RetryPolicy, attempt: Callable[[], T]) -> T:
    """Call `attempt` until it returns, and return its result.

    Raises:
        NotNowError: It has raised RetryableError at every try.
    """
    attempts = Attempts(request, policy)
    while True:
        try:
            return attempt()
        except RetryableError as error:
            attempts.wait(str(error), error.retry_after)


def refuse_status(url: str, status: int, headers: Mapping[str, str], detail: str = "") -> NoReturn:
    """Raise the error that a status calls for.

    Args:
        url: The address, as messages may show it.
        status: Not 200.
        headers: Of the answer.
        detail: What the server says of it, in one line.

    Raises:
        RetryableError: The status may pass.
        RefusedError: It will not.
    """
    if status in RETRYABLE_STATUSES:
        raise RetryableError(f"status {status}{detail and ': '}{detail}", headers.get("Retry-After"))
    raise RefusedError(f"{url}: status {status}{detail and ': '}{detail}", status)


def parse_retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, given as seconds or as an HTTP date; None without one."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    now = dt.datetime.now(then.tzinfo or dt.UTC)
    return max(0.0, (then.replace(tzinfo=then.tzinfo or dt.UTC) - now).total_seconds())
