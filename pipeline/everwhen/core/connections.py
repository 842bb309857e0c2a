"""Connections of an HTTP client: one session a thread, and a key that is sent only where it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from threading import local

import requests
import urllib3
from requests.adapters import HTTPAdapter

from everwhen.core.addresses import hide_password, is_https, is_loopback
from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.core.retries import RetryableError, UnconnectedError

KEY = re.compile("[!-~]+")
OBJECT = re.compile(r".*>: |^HTTPS?Connection(Pool)?\([^)]*\): ")
"""How urllib3 begins a message: with one of its objects."""

CONNECTING_S = 10.0
"""Seconds to wait for a connection; an answer may take longer."""

NOT_CONNECTED = (
    urllib3.exceptions.NewConnectionError,
    urllib3.exceptions.ConnectTimeoutError,
    urllib3.exceptions.ProxyError,
    urllib3.exceptions.SSLError,
)
"""Why nothing was sent: refused, unknown name, no reply, no such proxy, no TLS or not the certificate of this name."""


class _Session(requests.Session):
    """Leaves redirects alone: requests would read the body of one, however large, even where it is not to follow it."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None, for requests' own use."""


class _Bearer(requests.auth.AuthBase):
    """Sends a key, or nothing; without it requests would send what a .netrc file has for the host."""

    def __init__(self, key: str | None) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"
        return request


@dataclass(frozen=True)
class Request:
    """One request, to be sent once.

    Attributes:
        url: An address that may be asked.
        headers: Its headers.
        data: What is posted, as bytes or fields; None: it is a GET.
        is_first: Whether it goes to the origin that was asked for, no redirect having led elsewhere.
    """

    url: str
    headers: Mapping[str, str]
    data: Mapping[str, str] | bytes | None = None
    is_first: bool = True


class Connections:
    """The sessions of a client, one a thread, and its key."""

    def __init__(self, key: str | None, timeout: float) -> None:
        """Prepare; nothing is opened yet.

        Args:
            key: A bearer token.
            timeout: Seconds of each wait on a server.

        Raises:
            InputError: The key cannot be sent in a header.
        """
        if key and not KEY.fullmatch(key):
            raise InputError("the key of the endpoint: visible ASCII characters without spaces are expected")
        self._key = key or None
        self._timeout = timeout
        self._local = local()

    def require_secure(self, url: str) -> None:
        """Require that a key, if there is one, goes out encrypted or stays on this machine.

        Raises:
            InputError: It would not.
        """
        if self._key and not is_https(url) and not is_loopback(url):
            raise InputError(f"{hide_password(url)}: the key is sent by https alone, or to this machine; use https")

    def find_session(self) -> requests.Session:
        """Return the session of this thread."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = _Session()
            adapter = HTTPAdapter(pool_connections=1, pool_maxsize=1)
            for scheme in ("http://", "https://"):
                session.mount(scheme, adapter)
        return session

    def abandon_session(self) -> None:
        """Leave the session of this thread to a call that has not ended."""
        del self._local.session

    def send(self, request: Request, session: requests.Session) -> requests.Response:
        """Send one request and read the headers of its answer.

        Raises:
            RetryableError: No answer came. It is an UnconnectedError if no connection was made.
            InputError: It is not an address.
        """
        try:
            return session.request(
                "GET" if request.data is None else "POST",
                request.url,
                data=request.data,
                headers=request.headers,
                auth=_Bearer(self._key if request.is_first else None),
                # A proxy that the environment names would be another machine.
                proxies={"http": "", "https": ""} if is_loopback(request.url) else None,
                timeout=(min(CONNECTING_S, self._timeout), self._timeout),
                stream=True,
                allow_redirects=False,
            )
        except requests.RequestException as error:
            if isinstance(error, ValueError):  # not an address, or not a header
                raise InputError(f"{hide_password(request.url)}: {self.explain(error)}") from None
            kind = UnconnectedError if isinstance(_find_reason(error), NOT_CONNECTED) else RetryableError
            raise kind(self.explain(error)) from None

    def find_target(self, answer: requests.Response) -> str | None:
        """Return where an answer leads to, if it is a redirect."""
        if not answer.is_redirect:
            return None
        return self.redact(answer.headers["Location"].encode("latin-1")).decode("utf-8", "replace")

    def redact(self, content: bytes) -> bytes:
        """Return a text of the server without the key, which it may repeat."""
        return content.replace(self._key.encode(), b"***") if self._key else content

    def explain(self, error: Exception) -> str:
        """Return what was wrong, without the addresses of Python's objects and without the key."""
        text = OBJECT.sub("", str(_find_reason(error)))
        return to_one_line(self.redact(text.encode("utf-8", "replace")).decode()) or type(error).__name__


def _find_reason(error: BaseException) -> BaseException:
    """Find the innermost error, of which requests and urllib3 report only that there is one."""
    while error.args and isinstance(error.args[0], BaseException):
        error = error.args[0]
    reason = getattr(error, "reason", None)
    return reason if isinstance(reason, BaseException) else error
