"""Questions to the MediaWiki API that may be answered in several pieces."""

from __future__ import annotations

from typing import Any

from everwhen.core.config import Pull
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.sources.client import fetch_api_json

MOST_PIECES = 100
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
    for _ in range(MOST_PIECES):
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
    raise InputError(f"{pull.wiki_api}: an answer in more than {MOST_PIECES} pieces")


def _merge(page: dict[str, Any], piece: dict[str, Any]) -> None:
    """Add a piece of a page: each piece names the page, and one of them has its text."""
    for key, value in piece.items():
        if isinstance(value, list):
            page.setdefault(key, []).extend(value)
        else:
            page[key] = value
