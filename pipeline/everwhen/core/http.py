"""One HTTP client for sources and endpoints; no answer of a faulty server harms it, and no key leaves it by mistake."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from threading import Event
from typing import Any, TypeVar

import requests

from everwhen.core.addresses import AllowedHosts, have_same_origin, hide_password, resolve_redirect
from everwhen.core.answers import LARGEST_BODY, Answer, parse_good, read_body
from everwhen.core.connections import Connections, Request
from everwhen.core.deadline import run_within
from everwhen.core.errors import InputError
from everwhen.core.retries import IncompleteError, RefusedError, RetryableError, RetryPolicy, retry

T = TypeVar("T")
MOST_REDIRECTS = 5


def identify_program(_: str) -> str:
    """Return the User-Agent of requests to any address: name and version."""
    return f"everwhen/{version('everwhen')}"


class Client:
    """Asks the hosts that it is given and no others. Threads may share it; each has its own connections.

    A key is sent as bearer token by https, or by http to this machine, and to no other origin than the one that was
    asked, wherever a redirect leads. It is blacked out in answers, so that no message or file can show it.
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
        """Prepare a client; nothing is asked yet.

        Args:
            hosts: The hosts that may be asked.
            named_by: What names them, for messages.
            advice: What a message recommends where a redirect is not followed.
            identify: Returns the User-Agent for an address, or raises InputError where it may not be asked.
            policy: How often a request is tried.
            timeout: Seconds to wait for a whole answer.
            largest_body: Bytes of the largest answer that is taken, unpacked.
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

    def fetch_json(self, url: str, fields: Mapping[str, str] | None = None, body: object = None) -> Any:
        """Return the JSON of a good answer, asked for until it comes.

        Args:
            url: http or https.
            fields: Fields to post.
            body: A value to post as JSON. Without form and body the request is a GET.

        Raises:
            RefusedError: The server refuses the request for good.
            InputError: No attempt got an answer, or the address cannot be used.
        """
        return retry(url, self.policy, lambda: parse_good(self.ask(url, fields, body)))

    def ask(
        self,
        url: str,
        fields: Mapping[str, str] | bytes | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask once; the answer is whole, and of any status.

        Redirects are followed to hosts that the client may ask and never from https to http; what is posted is not
        sent on where a redirect would turn it into a GET.

        Args:
            url: http or https.
            fields: Fields to post, or bytes.
            body: A value to post as JSON. Without form and body the request is a GET.
            headers: More headers.

        Raises:
            RetryableError: No answer came; an IncompleteError where it breaks off or takes longer than the timeout.
            RefusedError: It leads elsewhere or is too large (TooLargeError).
            InputError: The address cannot be used.
        """
        headers = {"Accept-Encoding": "gzip", **(headers or {})}
        if body is not None:
            fields = json.dumps(body, allow_nan=False).encode()
            headers = {**headers, "Content-Type": "application/json"}

        def send(here: str) -> tuple[Answer, int, str | None]:
            answer, target = self._read_in_time(self._prepare(here, url, headers, fields))
            return answer, answer.status, target

        return self._follow(url, send, is_post=fields is not None)

    @contextmanager
    def stream(self, url: str, headers: Mapping[str, str]) -> Iterator[requests.Response]:
        """Open an answer of any size and status to one GET; redirects are followed as by `ask`.

        The timeout is for each wait on the server, not for the whole.

        Raises:
            RetryableError: No answer came.
            RefusedError: It leads elsewhere.
            InputError: The address cannot be used.
        """

        def send(here: str) -> tuple[requests.Response, int, str | None]:
            request = self._prepare(here, url, headers, None)
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
            InputError: It is none, or on another host, or the key would go out unencrypted.
        """
        self._hosts.require(url)
        self._identify(url)
        self._connections.require_secure(url)

    def _prepare(
        self, url: str, first: str, headers: Mapping[str, str], data: Mapping[str, str] | bytes | None
    ) -> Request:
        return Request(url, {**headers, "User-Agent": self._identify(url)}, data, have_same_origin(url, first))

    def _follow(self, url: str, send: Callable[[str], tuple[T, int, str | None]], *, is_post: bool) -> T:
        """Ask, and ask on where the answer is a redirect.

        Args:
            url: The address.
            send: Asks an address once: what came, its status, and where it leads to if it is a redirect.
            is_post: Whether something is posted.
        """
        self.require_allowed(url)
        for _ in range(MOST_REDIRECTS + 1):
            answer, status, target = send(url)
            if target is None:
                return answer
            try:
                there = resolve_redirect(url, target)
                self.require_allowed(there)
            except InputError as error:
                raise RefusedError(f"{hide_password(url)}: leads to {error}; {self._advice}", 300) from None
            if is_post and status not in (307, 308):
                raise RefusedError(f"{hide_password(url)}: leads to {hide_password(there)}; {self._advice}", status)
            url = there
        raise RefusedError(f"{hide_password(url)}: more than {MOST_REDIRECTS} redirects, one after the other", status)

    def _read_in_time(self, request: Request) -> tuple[Answer, str | None]:
        """Send one request and read its answer, unless it is a redirect, whose target is returned."""
        late, connections = Event(), self._connections
        session = connections.find_session()

        def read() -> tuple[Answer, str | None]:
            with connections.send(request, session) as answer:
                target = connections.find_target(answer)
                body = b"" if target is not None else read_body(answer, self._largest_body, late)
                return Answer(request.url, answer.status_code, answer.headers, connections.redact(body)), target

        try:
            return run_within(self._timeout, read, late)
        except TimeoutError:
            connections.abandon_session()
            raise IncompleteError(f"no whole answer within {self._timeout:g} seconds") from None
        except requests.exceptions.ChunkedEncodingError as error:
            raise IncompleteError(f"the answer broke off: {connections.explain(error)}") from None
        except requests.RequestException as error:
            raise RetryableError(connections.explain(error)) from None
