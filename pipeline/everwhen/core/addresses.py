"""Addresses of servers: which ones may be asked, and how they are shown in messages."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from everwhen.core.errors import InputError


@dataclass(frozen=True)
class AllowedHosts:
    """The hosts that a client may ask.

    Attributes:
        names: Host names in lower case, or IP addresses without brackets.
        named_by: What names them, as a message can say it: "the section pull".
    """

    names: frozenset[str]
    named_by: str

    def require(self, url: str) -> None:
        """Require an http or https address on an allowed host, without a user or a password in it.

        Raises:
            InputError: It is another address.
        """
        if not url.lower().startswith(("http://", "https://")) or not find_host(url).rstrip("."):
            raise InputError(f"{hide_password(url)}: an address that begins with http:// or https:// is expected")
        try:
            _ = urlsplit(url).port
        except ValueError as error:
            raise InputError(f"{hide_password(url)}: {error}") from None
        if find_host(url) not in self.names or "@" in urlsplit(url).netloc:
            raise InputError(
                f"{hide_password(url)}: is not asked: {self.named_by} names {', '.join(sorted(self.names))}"
            )


def find_host(url: str) -> str:
    """Return the host of an address in lower case; "" where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def hide_password(url: str) -> str:
    """Return an address as a message may show it: without what could be a password.

    >>> hide_password("https://me:secret@example.org/a")
    'https://example.org/a'
    """
    scheme, separator, rest = url.partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}" if separator else url


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine: localhost, 127.0.0.0/8 or ::1."""
    host = find_host(url)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_https(url: str) -> bool:
    """Whether an address is asked by https."""
    return url.lower().startswith("https:")


def have_same_origin(url: str, other: str) -> bool:
    """Whether two addresses have the same scheme, host and port."""
    one, two = urlsplit(url), urlsplit(other)
    return (one.scheme, one.hostname, one.port) == (two.scheme, two.hostname, two.port)


def resolve_redirect(url: str, target: str) -> str:
    """Return the address that a redirect from `url` leads to.

    Raises:
        InputError: It is no address, or it would ask by http what was asked by https.
    """
    try:
        there = urljoin(url, target)
    except ValueError as error:
        raise InputError(f"{hide_password(target)}: {error}") from None
    if is_https(url) and not is_https(there) and there.lower().startswith("http:"):
        raise InputError(f"{hide_password(there)}, which is not https any more")
    return there
