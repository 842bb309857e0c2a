"""The client of the pulls: it asks whom the section pull names, by the etiquette that Wikimedia asks of its users."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from rich.console import Console

from everwhen.core.addresses import find_host, hide_password
from everwhen.core.answers import HttpAnswer, parse_good, to_one_line
from everwhen.core.config import Pull
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.core.http import Client, identify_program
from everwhen.core.progress import show_progress
from everwhen.core.retries import RefusedError, RetryableError, RetryPolicy, retry

T = TypeVar("T")


def track_progress(entries: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the entries one by one, and show how far it is."""
    with show_progress(what, quiet=_is_quiet()) as report:
        for done, entry in enumerate(entries):
            report("", done, total)
            yield entry


def print_outcome(text: str) -> None:
    """Print the outcome of a pull on standard error, in one line."""
    Console(stderr=True, quiet=_is_quiet()).print(text, markup=False, highlight=False, soft_wrap=True)


def _is_quiet() -> bool:
    """Whether --quiet was given; the command has said so by the level of Python's logging."""
    return not logging.getLogger("everwhen").isEnabledFor(logging.CRITICAL)


WIKIMEDIA = ("wikipedia.org", "wikidata.org", "wikimedia.org", "mediawiki.org", "wmcloud.org", "toolforge.org")
RETRYABLE_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
"""Errors of the MediaWiki API, answered with status 200, that mean: later."""


def open_client(pull: Pull, addresses: Iterable[str] | None = None, advice: str = "name that one instead") -> Client:
    """Return a client for the hosts of `addresses`, by default all that the section pull names.

    Args:
        addresses: The addresses whose hosts may be asked.
        advice: What a message recommends where a redirect leads elsewhere.
    """
    named = pull.list_addresses().values() if addresses is None else addresses
    return Client(
        map(find_host, named),
        named_by="the section pull",
        advice=advice,
        identify=partial(build_user_agent, pull),
        policy=RetryPolicy(pull.attempts, pull.backoff),
        timeout=pull.timeout,
    )


def build_user_agent(pull: Pull, url: str) -> str:
    """Return the User-Agent for requests to `url`: name, version, contact.

    Raises:
        InputError: `url` is one of Wikimedia's and the configuration names no contact.
    """
    if found := find_missing_contact(pull, [url]):
        raise InputError(str(found[0]))
    return f"{identify_program(url)} ({pull.contact or 'no contact given'})"


def find_missing_contact(pull: Pull, urls: Iterable[str]) -> list[ConfigError]:
    """Find whether a contact is missing which the hosts of some addresses ask for; one error at most."""
    hosts = [find_host(url).rstrip(".") for url in urls]
    asking = [host for host in hosts if any(host == name or host.endswith(f".{name}") for name in WIKIMEDIA)]
    if pull.contact.strip() or not asking:
        return []
    reason = f"{asking[0]} asks for an e-mail address or a page where you can be reached"
    return [ConfigError(("pull", "contact"), reason)]


def fetch_api_json(client: Client, url: str, fields: Mapping[str, str] | None = None) -> Any:
    """Return the JSON that one of Wikimedia's APIs answers; None for 404.

    Args:
        url: http or https.
        fields: Fields to post; without them the request is a GET.

    Raises:
        RefusedError: The API refuses the request for good.
        InputError: No attempt got an answer, or the address cannot be used.
    """
    return retry(url, client.policy, lambda: parse_api_answer(client.ask(url, fields)))


def parse_api_answer(answer: HttpAnswer) -> Any:
    """Return the JSON of a good answer; None for 404.

    Raises:
        RetryableError: It is not good, but the next may be.
        RefusedError: The API refuses, and will refuse again.
    """
    if answer.status == 404:
        return None
    body = parse_good(answer)
    error = body.get("error") if isinstance(body, dict) else None
    if not error:
        return body
    code = str(error.get("code", "")) if isinstance(error, dict) else str(error)
    if code in RETRYABLE_CODES:
        raise RetryableError(f"the API answers {code}", answer.headers.get("Retry-After"))
    info = error.get("info", "") if isinstance(error, dict) else ""
    raise RefusedError(f"{hide_password(answer.url)}: the API answers {to_one_line(f'{code}: {info}')}")


MAX_PIECES = 100
"""Pieces of an answer; fifty titles come in a few."""


def ask_wiki(client: Client, pull: Pull, **parameters: str) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """The pages and the redirects that action=query answers; nothing is kept of an answer whose last piece is missing.

    It is posted, as fifty titles may be too long for an address.

    Raises:
        RefusedError: The API refuses the question.
        InputError: There is no answer, or not one of a MediaWiki API.
    """
    fields = {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "redirects": "1",
        "maxlag": str(pull.maxlag),
        **parameters,
    }
    pages: dict[str, dict[str, Any]] = {}
    redirects: dict[str, dict[str, str]] = {}
    onwards: dict[str, str] = {}
    for _ in range(MAX_PIECES):
        answer = fetch_api_json(client, pull.wiki_api, fields | onwards)
        try:
            for page in answer["query"].get("pages", []):
                _merge(pages.setdefault(page["title"], {}), page)
            redirects |= {r["from"]: {"from": r["from"], "to": r["to"]} for r in answer["query"].get("redirects", [])}
            onwards = {key: str(value) for key, value in answer.get("continue", {}).items()}
        except (KeyError, TypeError, AttributeError):
            raise InputError(f"{pull.wiki_api}: pull.wiki_api: this is no MediaWiki API") from None
        if not onwards:
            return list(pages.values()), list(redirects.values())
    raise InputError(f"{pull.wiki_api}: an answer in more than {MAX_PIECES} pieces")


def _merge(page: dict[str, Any], piece: dict[str, Any]) -> None:
    """Add a piece of a page: each piece names the page, and one of them has its text."""
    for key, value in piece.items():
        if isinstance(value, list):
            page.setdefault(key, []).extend(value)
        else:
            page[key] = value
