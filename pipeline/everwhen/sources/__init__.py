"""Sources: fetched from the network, or read from files.

A source that is pulled has a module of its name here, which declares it as `SOURCE`.
"""

from __future__ import annotations

from importlib import import_module

from everwhen.sources.base import Source


def load_source(what: str) -> Source:
    """Load what a module declares of its source.

    Args:
        what: One of `PULLED`, or its key.
    """
    source: Source = import_module(f"{__name__}.{to_key(what)}").SOURCE
    return source


def to_key(what: str) -> str:
    """The key of a source: in the section `sources`, of its modules, and of its folder below the raw folder."""
    return what.replace("-", "_")
