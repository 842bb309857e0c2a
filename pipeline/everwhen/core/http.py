"""The HTTP client for sources and endpoints. A faulty server cannot harm it, and only the asked origin gets its key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from threading import Event
from typing import TypeVar

import requests

from everwhen.core.addresses import AllowedHosts, have_same_origin, hide_password, resolve_redirect
from everwhen.core.answers import LARGEST_BODY, Answer, read_body
from everwhen.core.connections import Connections, Request
from everwhen.core.deadline import run_within
from everwhen.core.errors import InputError
from everwhen.core.retries import IncompleteError, RefusedError, RetryableError, RetryPolicy

T = TypeVar("T")
MOST_REDIRECTS = 5


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
        largest_body: int = LARGEST_BODY,
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
        self._connections = Connections(key, timeout)

    def ask(
        self,
        url: str,
        fields: Mapping[str, str] | bytes | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
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

        def send(address: str) -> tuple[Answer, int, str | None]:
            answer, target = self._read_in_time(self._prepare(address, url, headers, fields))
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
            request = self._prepare(address, url, headers, None)
            answer = self._connections.send(request, self._connections.find_session())
            target = self._connections.find_target(answer)
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

    def _prepare(
        self, url: str, first: str, headers: Mapping[str, str], data: Mapping[str, str] | bytes | None
    ) -> Request:
        return Request(url, {**headers, "User-Agent": self._identify(url)}, data, have_same_origin(url, first))

    def _follow(self, url: str, send: Callable[[str], tuple[T, int, str | None]], *, is_post: bool) -> T:
        """Send a request and follow its redirects.

        Args:
            url: The first address.
            send: Asks an address once; returns the answer, its status and, of a redirect, the target.
            is_post: Whether the request is a POST.
        """
        self.require_allowed(url)
        for _ in range(MOST_REDIRECTS + 1):
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
        raise RefusedError(f"{hide_password(url)}: more than {MOST_REDIRECTS} redirects, one after the other", status)

    def _read_in_time(self, request: Request) -> tuple[Answer, str | None]:
        """Send one request within the timeout; return its answer and, of a redirect, the target instead of the body."""
        is_late, connections = Event(), self._connections
        session = connections.find_session()

        def read() -> tuple[Answer, str | None]:
            with connections.send(request, session) as answer:
                target = connections.find_target(answer)
                body = b"" if target is not None else read_body(answer, self._largest_body, is_late)
                return Answer(request.url, answer.status_code, answer.headers, connections.redact(body)), target

        try:
            return run_within(self._timeout, read, is_late)
        except TimeoutError:
            connections.abandon_session()
            raise IncompleteError(f"no complete answer within {self._timeout:g} seconds") from None
        except requests.exceptions.ChunkedEncodingError as error:
            raise IncompleteError(f"the answer broke off: {connections.explain(error)}") from None
        except requests.RequestException as error:
            raise RetryableError(connections.explain(error)) from None
