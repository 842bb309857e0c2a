"""The HTTP client for sources and endpoints. A faulty server cannot harm it, and only the asked origin gets its key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from importlib.metadata import version
from threading import Event, Thread, local
from typing import TypeVar

import requests
import urllib3
from requests.adapters import HTTPAdapter

from everwhen.core.addresses import (
    AllowedHosts,
    have_same_origin,
    hide_password,
    is_https,
    is_loopback,
    resolve_redirect,
)
from everwhen.core.answers import MAX_BODY_BYTES, HttpAnswer, read_body, to_one_line
from everwhen.core.errors import InputError
from everwhen.core.retries import IncompleteError, RefusedError, RetryableError, RetryPolicy, UnconnectedError

T = TypeVar("T")
Data = Mapping[str, str] | bytes | None
"""What is posted, as fields or bytes; None: the request is a GET."""


def run_within(seconds: float, call: Callable[[], T], late: Event) -> T:
    """Call `call` in a new thread and return its result if it comes in time.

    A socket's own timeout counts anew with each byte: a server that sends one now and then, be it of the headers, could
    hold the caller for ever. So the call runs in a thread that is left to itself when it is late, and ends with the
    process at the latest.

    Args:
        seconds: How long it may take.
        late: Is set when it took too long, for `call` to give up by.

    Raises:
        TimeoutError: It took too long, or `call` raised this.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, daemon=True, name="everwhen-request").start()
    try:
        return done.result(seconds)
    finally:
        late.set()


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


class _Connections:
    """The sessions of a client, one a thread, and its key, a bearer token that is sent only where it may be."""

    def __init__(self, key: str | None, timeout: float) -> None:
        if key and not KEY.fullmatch(key):
            raise InputError("the key of the endpoint: visible ASCII characters without spaces are expected")
        self._key = key or None
        self._timeout = timeout
        self._local = local()

    def require_secure(self, url: str) -> None:
        """Require that a key, if there is one, goes out encrypted or stays on this machine."""
        if self._key and not is_https(url) and not is_loopback(url):
            raise InputError(f"{hide_password(url)}: the key is sent by https alone, or to this machine; use https")

    def find_session(self) -> requests.Session:
        """Return the session of this thread."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = _Session()
            for scheme in ("http://", "https://"):
                session.mount(scheme, HTTPAdapter(pool_connections=1, pool_maxsize=1))
        return session

    def abandon_session(self) -> None:
        """Leave the session of this thread to a call that has not ended."""
        del self._local.session

    def send(
        self, session: requests.Session, url: str, headers: Mapping[str, str], data: Data = None, *, with_key: bool
    ) -> requests.Response:
        """Send one request and read the headers of its answer.

        Raises:
            RetryableError: No answer came. It is an UnconnectedError if no connection was made.
            InputError: It is not an address.
        """

        def authorize(request: requests.PreparedRequest) -> requests.PreparedRequest:
            # Also without a key: requests would then send what a .netrc file has for the host.
            if self._key and with_key:
                request.headers["Authorization"] = f"Bearer {self._key}"
            return request

        try:
            return session.request(
                "GET" if data is None else "POST",
                url,
                data=data,
                headers=headers,
                auth=authorize,
                # A proxy that the environment names would be another machine.
                proxies={"http": "", "https": ""} if is_loopback(url) else None,
                timeout=(min(CONNECTING_S, self._timeout), self._timeout),
                stream=True,
                allow_redirects=False,
            )
        except requests.RequestException as error:
            if isinstance(error, ValueError):  # not an address, or not a header
                raise InputError(f"{hide_password(url)}: {self.explain(error)}") from None
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


MAX_REDIRECTS = 5
"""More of them are a circle, or a server that is set up wrongly."""


def identify_program(_: str) -> str:
    """Return the User-Agent of requests to any address: name and version."""
    return f"everwhen/{version('everwhen')}"


class Client:
    """Sends requests to given hosts and no others. Threads may share it; each has its own connections.

    A key is sent as a bearer token, by https or by http to this machine. Only the origin of the first request gets it:
    a redirect to another origin is followed without it. Answers are redacted, so that no message or file shows the key.
    """

    def __init__(
        self,
        hosts: Iterable[str],
        *,
        named_by: str = "the configuration",
        advice: str = "name that one instead",
        identify: Callable[[str], str] = identify_program,
        policy: RetryPolicy | None = None,
        timeout: float = 65.0,
        largest_body: int = MAX_BODY_BYTES,
        key: str | None = None,
    ) -> None:
        """Prepare a client; this sends no request.

        Args:
            hosts: The hosts that may be asked.
            named_by: The option or section that names them, for messages.
            advice: The advice of the message if a redirect is not followed.
            identify: Returns the User-Agent for an address, or raises InputError if it may not be asked.
            policy: How often a request is tried.
            timeout: Seconds to wait for a complete answer.
            largest_body: Bytes of the largest accepted answer, decompressed.
            key: A bearer token.

        Raises:
            InputError: The key cannot be sent in a header.
        """
        self.policy = policy or RetryPolicy()
        self._hosts = AllowedHosts(frozenset(hosts), named_by)
        self._advice = advice
        self._identify = identify
        self._timeout = timeout
        self._largest_body = largest_body
        self._connections = _Connections(key, timeout)

    def ask(
        self,
        url: str,
        fields: Data = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        """Ask once, and return the complete answer, whatever its status.

        Redirects are followed to allowed hosts, and never from https to http. A POST is not followed where a redirect
        would turn it into a GET.

        Args:
            url: An http or https address.
            fields: Fields to post, or bytes.
            body: A value to post as JSON. Without fields and body the request is a GET.
            headers: More headers.

        Raises:
            RetryableError: No answer came. It is an IncompleteError if the answer breaks off or exceeds the timeout.
            RefusedError: A redirect is not followed, or the answer is too large (TooLargeError).
            InputError: The address cannot be used.
        """
        headers = {"Accept-Encoding": "gzip", **(headers or {})}
        if body is not None:
            fields = json.dumps(body, allow_nan=False).encode()
            headers = {**headers, "Content-Type": "application/json"}

        def send(address: str) -> tuple[HttpAnswer, int, str | None]:
            named = {**headers, "User-Agent": self._identify(address)}
            answer, target = self._read_in_time(address, named, fields, with_key=have_same_origin(address, url))
            return answer, answer.status, target

        return self._follow(url, send, is_post=fields is not None)

    @contextmanager
    def stream(self, url: str, headers: Mapping[str, str]) -> Iterator[requests.Response]:
        """Send one GET and open its answer, of any size and status. Redirects are followed as by `ask`.

        The timeout limits each wait for the server, not the complete answer.

        Raises:
            RetryableError: No answer came.
            RefusedError: A redirect is not followed.
            InputError: The address cannot be used.
        """

        def send(address: str) -> tuple[requests.Response, int, str | None]:
            named, connections = {**headers, "User-Agent": self._identify(address)}, self._connections
            with_key = have_same_origin(address, url)
            answer = connections.send(connections.find_session(), address, named, with_key=with_key)
            target = connections.find_target(answer)
            if target is not None:
                answer.close()
            return answer, answer.status_code, target

        with self._follow(url, send, is_post=False) as answer:
            yield answer

    def require_allowed(self, url: str) -> None:
        """Require an address that may be asked.

        Raises:
            InputError: This is no such address, it is on another host, or the key would be sent unencrypted.
        """
        self._hosts.require(url)
        self._identify(url)
        self._connections.require_secure(url)

    def _follow(self, url: str, send: Callable[[str], tuple[T, int, str | None]], *, is_post: bool) -> T:
        """Send a request and follow its redirects; `send` returns the answer, its status and a redirect's target."""
        self.require_allowed(url)
        for _ in range(MAX_REDIRECTS + 1):
            answer, status, target = send(url)
            if target is None:
                return answer
            try:
                next_url = resolve_redirect(url, target)
                self.require_allowed(next_url)
            except InputError as error:
                raise RefusedError(f"{hide_password(url)}: leads to {error}; {self._advice}", 300) from None
            if is_post and status not in (307, 308):
                raise RefusedError(f"{hide_password(url)}: leads to {hide_password(next_url)}; {self._advice}", status)
            url = next_url
        raise RefusedError(f"{hide_password(url)}: more than {MAX_REDIRECTS} redirects, one after the other", status)

    def _read_in_time(
        self, url: str, headers: Mapping[str, str], data: Data, *, with_key: bool
    ) -> tuple[HttpAnswer, str | None]:
        """Send one request within the timeout; return its answer and, of a redirect, the target instead of the body."""
        is_late, connections = Event(), self._connections
        session = connections.find_session()

        def read() -> tuple[HttpAnswer, str | None]:
            with connections.send(session, url, headers, data, with_key=with_key) as answer:
                target = connections.find_target(answer)
                body = b"" if target is not None else read_body(answer, self._largest_body, is_late)
                return HttpAnswer(url, answer.status_code, answer.headers, connections.redact(body)), target

        try:
            return run_within(self._timeout, read, is_late)
        except TimeoutError:
            connections.abandon_session()
            raise IncompleteError(f"no complete answer within {self._timeout:g} seconds") from None
        except requests.exceptions.ChunkedEncodingError as error:
            raise IncompleteError(f"the answer broke off: {connections.explain(error)}") from None
        except requests.RequestException as error:
            raise RetryableError(connections.explain(error)) from None
