"""A configuration whose every address is a server on loopback, and servers that fail."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from everwhen.core.config import Config, Pull


@pytest.fixture
def pull(httpserver: HTTPServer) -> Callable[..., Pull]:
    """Makes the section `pull` with quick retries."""

    def make(**more: Any) -> Pull:
        settings = {
            "contact": "tests@example.org",
            "wiki_api": httpserver.url_for("/w/api.php"),
            "pageviews_api": httpserver.url_for("/metrics/pageviews"),
            "sparql_endpoint": httpserver.url_for("/sparql"),
            "backoff": 0.01,
            "attempts": 3,
            "timeout": 5,
        }
        return Pull(**{**settings, **more})

    return make


@pytest.fixture
def config(pull: Callable[..., Pull]) -> Callable[..., Config]:
    """Makes a configuration with that section."""

    def make(pull_more: dict[str, Any] | None = None, **more: Any) -> Config:
        return Config(**{"version": "t", "snapshot": "t", "pull": pull(**(pull_more or {})), **more})

    return make


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that are waited between two tries; nobody waits for them."""
    seconds: list[float] = []
    # The name in the module, not the function of all: Spark's own threads sleep meanwhile.
    for module in ("core.retries", "sources.list_pages"):
        monkeypatch.setattr(f"everwhen.{module}.time", SimpleNamespace(sleep=seconds.append))
    return seconds
