"""One polite HTTP client, by the etiquette that Wikimedia asks of its users; no answer of a faulty server harms it."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from threading import Event
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import orjson
import requests
from requests.adapters import HTTPAdapter

from everwhen.core.config import Pull
from everwhen.core.errors import InputError, NotNowError
from everwhen.sources.deadline import within

T = TypeVar("T")
WIKIMEDIA = ("wikipedia.org", "wikidata.org", "wikimedia.org", "mediawiki.org", "wmcloud.org", "toolforge.org")
TRY_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
TRY_AGAIN_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
"""Errors of the MediaWiki API, answered with status 200, that mean: later."""
LONGEST_WAIT = 3600.0
LONGEST_BACKOFF = 120.0
LARGEST_BODY = 64 << 20
"""Bytes of the largest answer that is taken, unpacked: a page of SPARQL rows has some 3 MB, a year page 1 MB."""
PIECE = 1 << 16
MOST_REDIRECTS = 5
ENCODINGS = frozenset({"", "identity", "gzip", "x-gzip"})
"""How an answer may be packed; one packed several times over could be unpacked to anything."""


class RefusedError(InputError):
    """The server has refused one request for good; others may still be answered.

    Attributes:
        status: The answer's status, None where it was not the status that said so.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        """Say which request, and why."""
        super().__init__(message)
        self.status = status


class AgainError(Exception):
    """No answer of any use; the same request may well be answered later.

    Attributes:
        retry_after: The header by which the server says when.
    """

    def __init__(self, why: str, retry_after: str | None = None) -> None:
        """Say why, in one line."""
        super().__init__(why)
        self.retry_after = retry_after


class HalfError(AgainError):
    """Not the whole answer: it broke off, or did not end in time."""


class TooLargeError(RefusedError):
    """An answer of more than `LARGEST_BODY` bytes."""


@dataclass(frozen=True)
class Answer:
    """A whole answer.

    Attributes:
        url: The address that gave it, redirects followed.
        status: Its status, no redirect's.
        headers: Its headers.
        body: Its body, unpacked.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            ValueError: It is none, or there is more after it.
        """
        return orjson.loads(self.body)

    def beginning(self) -> str:
        """How the body begins, in one line that can be shown."""
        return one_line(self.body[:600].decode("utf-8", "replace"))


def user_agent(pull: Pull, url: str) -> str:
    """The User-Agent for requests to `url`: name, version, contact.

    Raises:
        InputError: `url` is not http or https; or it is one of Wikimedia's and the configuration names no contact.
    """
    host = host_of(url).rstrip(".")
    if not url.lower().startswith(("http://", "https://")) or not host:
        raise InputError(f"{shown(url)}: an address that begins with http:// or https:// is expected")
    if not pull.contact.strip() and any(host == name or host.endswith(f".{name}") for name in WIKIMEDIA):
        raise InputError(f"pull.contact: {host} asks for an e-mail address or a page where you can be reached")
    return f"everwhen/{version('everwhen')} ({pull.contact or 'no contact given'})"


def host_of(url: str) -> str:
    """The host of an address, in lower case; "" where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def shown(url: str) -> str:
    """An address as it may stand in a message: without what could be a password."""
    scheme, separator, rest = url.partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}" if separator else url


def require_named(pull: Pull, url: str) -> None:
    """Refuse an address on a host that the configuration does not name, and one with a user or a password in it.

    Raises:
        RefusedError: It is such an address; a redirect may lead to one.
    """
    hosts = sorted({host_of(address) for address in pull.addresses().values()})
    if host_of(url) not in hosts or "@" in urlsplit(url).netloc:
        raise RefusedError(f"{shown(url)}: is not asked: the section pull names {', '.join(hosts)}")


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
    except (ValueError, OverflowError):
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
            NotNowError: No try is left, or the server asks for more than an hour.
        """
        self.left -= 1
        if self.left <= 0:
            raise NotNowError(f"{self._url}: no answer after {self._all} attempts: {why}")
        seconds = retry_after(header)
        if seconds is None:
            seconds = min(LONGEST_BACKOFF, self._backoff * 2 ** (self._all - self.left - 1))
        if seconds > LONGEST_WAIT:
            raise NotNowError(f"{self._url}: asks to come back in {seconds:.0f} seconds: {why}")
        time.sleep(seconds)


class _Session(requests.Session):
    """Leaves redirects alone: requests would read the body of one, however large, even where it is not to follow it."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None, for requests' own use."""


class Client:
    """Asks one thing after the other over one connection, and none but the hosts that the configuration names."""

    def __init__(self, pull: Pull) -> None:
        """Prepare a client; nothing is asked yet."""
        self._pull = pull
        self._session = _Session()
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
        return self.persist(url, lambda: _judged(self.ask(url, form)))

    def persist(self, url: str, once: Callable[[], T]) -> T:
        """What `once` gives, tried until it gives something.

        Raises:
            InputError: There is no answer after all attempts.
        """
        attempts = Attempts(url, self._pull)
        while True:
            try:
                return once()
            except AgainError as error:
                attempts.wait(str(error), error.retry_after)

    def ask(
        self, url: str, form: Mapping[str, str] | bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask once; the answer is whole, and of any status.

        Redirects are followed to hosts that the configuration names and never from https to http; what is posted is
        not sent on where a redirect would turn it into a GET.

        Args:
            url: http or https.
            form: Fields to post, or a body; without them the request is a GET.
            headers: More headers.

        Raises:
            AgainError: There is none; a HalfError where it breaks off, or takes longer than `pull.timeout`.
            RefusedError: It leads elsewhere or is too large (TooLargeError).
            InputError: The address cannot be used.
        """
        self.require(url)
        for _ in range(MOST_REDIRECTS + 1):
            sent = {"Accept-Encoding": "gzip", **(headers or {}), "User-Agent": user_agent(self._pull, url)}
            answer, target = self._sent(url, form, sent)
            if target is None:
                return answer
            there = self._led(url, target)
            if form is not None and answer.status not in (307, 308):
                raise RefusedError(f"{shown(url)}: leads to {shown(there)}; name that one instead", answer.status)
            url = there
        raise RefusedError(f"{shown(url)}: more than {MOST_REDIRECTS} redirects, one after the other", answer.status)

    def require(self, url: str) -> None:
        """Require an address that may be asked: http or https, on a host that the configuration names, with a contact.

        Raises:
            InputError: It may not.
        """
        user_agent(self._pull, url)
        require_named(self._pull, url)

    def _led(self, url: str, target: str) -> str:
        """The address that a redirect leads to.

        Raises:
            RefusedError: It may not be asked, or what was asked by https would be asked by http.
        """
        try:
            there = urljoin(url, target)
            self.require(there)
        except (InputError, ValueError) as error:
            raise RefusedError(f"{shown(url)}: leads elsewhere: {error}", 300) from None
        if url.lower().startswith("https:") and not there.lower().startswith("https:"):
            raise RefusedError(f"{shown(url)}: leads to {shown(there)}, which is not https any more", 300)
        return there

    def _sent(
        self, url: str, form: Mapping[str, str] | bytes | None, headers: Mapping[str, str]
    ) -> tuple[Answer, str | None]:
        """One request, as `_send` makes it, with the errors of `ask`."""
        try:
            return self._send(url, form, headers)
        except TimeoutError:
            raise HalfError(f"no whole answer within {self._pull.timeout:g} seconds") from None
        except requests.exceptions.ChunkedEncodingError as error:
            raise HalfError(f"the answer broke off: {_cause(error)}") from None
        except requests.RequestException as error:
            if isinstance(error, ValueError):  # an address or a header that is none
                raise InputError(f"{shown(url)}: {_cause(error)}") from None
            raise AgainError(_cause(error)) from None

    def _send(
        self, url: str, form: Mapping[str, str] | bytes | None, headers: Mapping[str, str]
    ) -> tuple[Answer, str | None]:
        """One request: its answer, and where it leads to if that is a redirect.

        Raises:
            TimeoutError: It takes longer than `pull.timeout`.
        """
        method = "GET" if form is None else "POST"
        late = Event()

        def send() -> tuple[Answer, str | None]:
            with self._session.request(
                method,
                url,
                data=form,
                headers=headers,
                timeout=self._pull.timeout,
                stream=True,
                allow_redirects=False,
            ) as answer:
                target = _target(answer)
                body = b"" if target else _body(answer, late)
                return Answer(url, answer.status_code, answer.headers, body), target

        return within(self._pull.timeout, send, late)


def _target(answer: requests.Response) -> str | None:
    """Where an answer leads to, if it is a redirect."""
    return answer.headers["Location"].encode("latin-1").decode("utf-8", "replace") if answer.is_redirect else None


def _body(answer: requests.Response, late: Event) -> bytes:
    """The unpacked body of an answer, read until it is too large or nobody waits for it any more.

    Raises:
        TooLargeError: It is too large.
        AgainError: It is packed in a way that was not asked for.
    """
    if answer.headers.get("Content-Encoding", "").strip().lower() not in ENCODINGS:
        raise AgainError("an answer packed in a way that was not asked for")
    body = bytearray()
    for piece in answer.iter_content(PIECE):
        body += piece
        if len(body) > LARGEST_BODY:
            raise TooLargeError(f"{shown(answer.url)}: answers more than {LARGEST_BODY >> 20} MiB")
        if late.is_set():
            raise TimeoutError
    return bytes(body)


def one_line(text: str) -> str:
    """The beginning of a text that a server has sent, as it may be shown in a terminal and stored."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]


def _cause(error: Exception) -> str:
    """What was wrong, without the addresses of Python's objects."""
    cause: BaseException = error
    while cause.args and isinstance(cause.args[0], BaseException):
        cause = cause.args[0]
    reason = getattr(cause, "reason", None)
    text = str(reason if isinstance(reason, BaseException) else cause)
    return one_line(text.rpartition(">: ")[2]) or type(error).__name__


def _judged(answer: Answer) -> Any:
    """The JSON of a good answer; None for 404.

    Raises:
        AgainError: It is not good, but the next may be.
        RefusedError: It is no, and will be no again.
    """
    if answer.status == 404:
        return None
    require_good(answer)
    try:
        body = answer.json()
    except ValueError:
        raise AgainError(f"an answer that is cut off or no JSON: {answer.beginning()}") from None
    error = body.get("error") if isinstance(body, dict) else None
    if not error:
        return body
    code = str(error.get("code", "")) if isinstance(error, dict) else str(error)
    if code in TRY_AGAIN_CODES:
        raise AgainError(f"the API answers {code}", answer.headers.get("Retry-After"))
    info = error.get("info", "") if isinstance(error, dict) else ""
    raise RefusedError(f"{shown(answer.url)}: the API answers {one_line(f'{code}: {info}')}")


def require_good(answer: Answer) -> None:
    """Require status 200.

    Raises:
        AgainError: Another status, that may pass.
        RefusedError: Another status, that will not.
    """
    if answer.status in TRY_AGAIN:
        raise AgainError(f"status {answer.status}", answer.headers.get("Retry-After"))
    if answer.status != 200:
        raise RefusedError(f"{shown(answer.url)}: status {answer.status}: {answer.beginning()}", answer.status)
