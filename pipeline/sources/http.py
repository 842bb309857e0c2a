"""One polite HTTP client, by the etiquette that Wikimedia asks of its users."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter

from pipeline.config import Pull
from pipeline.errors import InputError

WIKIMEDIA = ("wikipedia.org", "wikidata.org", "wikimedia.org")
TRY_AGAIN = frozenset({429, 500, 502, 503, 504})
TRY_AGAIN_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
"""Errors of the MediaWiki API, answered with status 200, that mean: later."""
LONGEST_WAIT = 3600.0
LONGEST_BACKOFF = 120.0


class RefusedError(InputError):
    """The server has refused one request for good; others may still be answered."""


def user_agent(pull: Pull, url: str) -> str:
    """The User-Agent for requests to `url`: name, version, contact.

    Raises:
        InputError: `url` is not http or https; or it is one of Wikimedia's and the configuration names no contact.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(f"{url}: an address that begins with http:// or https:// is expected")
    if not pull.contact and any(host == name or host.endswith(f".{name}") for name in WIKIMEDIA):
        raise InputError(f"pull.contact: {host} asks for an e-mail address or a page where you can be reached")
    return f"everwhen/{version('everwhen')} ({pull.contact or 'no contact given'})"


def retry_after(header: str | None) -> float | None:
    """Seconds that a Retry-After header asks for, given as seconds or as an HTTP date; None without one."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(header)
    except ValueError:
        return None
    now = dt.datetime.now(then.tzinfo or dt.UTC)
    return max(0.0, (then.replace(tzinfo=then.tzinfo or dt.UTC) - now).total_seconds())


class Attempts:
    """The tries of one request, with the waits between them: as long as the server says, else twice as long each time.

    Attributes:
        left: How many tries are left.
    """

    def __init__(self, url: str, pull: Pull) -> None:
        """Prepare for the tries of one request to `url`."""
        self._url = url
        self._all = pull.attempts
        self._backoff = pull.backoff
        self.left = pull.attempts

    def wait(self, why: str, header: str | None = None) -> None:
        """Count a failed try and wait before the next.

        Raises:
            InputError: No try is left, or the server asks for more than an hour.
        """
        self.left -= 1
        if self.left <= 0:
            raise InputError(f"{self._url}: no answer after {self._all} attempts: {why}")
        seconds = retry_after(header)
        if seconds is None:
            seconds = min(LONGEST_BACKOFF, self._backoff * 2 ** (self._all - self.left - 1))
        if seconds > LONGEST_WAIT:
            raise InputError(f"{self._url}: asks to come back in {seconds:.0f} seconds: {why}")
        time.sleep(seconds)


class Client:
    """Asks one thing after the other over one connection."""

    def __init__(self, pull: Pull) -> None:
        """Prepare a client; nothing is asked yet."""
        self._pull = pull
        self._session = requests.Session()
        adapter = HTTPAdapter(pool_connections=1, pool_maxsize=1)
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, adapter)

    def json(self, url: str, form: Mapping[str, str] | None = None) -> Any:
        """The JSON that `url` answers; None for 404.

        Args:
            url: http or https.
            form: Fields to post; without them the request is a GET.

        Raises:
            RefusedError: The server says no, and will say so again.
            InputError: There is no answer after all attempts, or the address cannot be used.
        """
        headers = {"User-Agent": user_agent(self._pull, url), "Accept-Encoding": "gzip"}
        attempts = Attempts(url, self._pull)
        while True:
            try:
                answer = self._session.request(
                    "GET" if form is None else "POST", url, data=form, headers=headers, timeout=self._pull.timeout
                )
                body = _body(answer)
            except (requests.RequestException, ValueError) as error:
                attempts.wait(" ".join(str(error).split()) or type(error).__name__)
                continue
            if answer.status_code == 404:
                return None
            later = _later(answer, body)
            if not later:
                return body
            attempts.wait(later, answer.headers.get("Retry-After"))


def _body(answer: requests.Response) -> Any:
    """The JSON of a good answer.

    Raises:
        ValueError: It is no JSON: cut off, or an error page.
    """
    return answer.json() if answer.status_code == 200 else None


def _later(answer: requests.Response, body: Any) -> str:
    """Why the request should be made again later; "" where it was answered.

    Raises:
        RefusedError: It was refused.
    """
    if answer.status_code in TRY_AGAIN:
        return f"status {answer.status_code}"
    if answer.status_code != 200:
        raise RefusedError(f"{answer.url}: status {answer.status_code}: {' '.join(answer.text.split())[:200]}")
    error = body.get("error") if isinstance(body, dict) else None
    if not error:
        return ""
    code = str(error.get("code", "")) if isinstance(error, dict) else str(error)
    if code in TRY_AGAIN_CODES:
        return f"the API answers {code}"
    raise RefusedError(
        f"{answer.url}: the API answers {code}: {error.get('info', '') if isinstance(error, dict) else ''}"
    )
