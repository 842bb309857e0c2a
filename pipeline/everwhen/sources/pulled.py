"""Where `everwhen pull` puts what it fetches, and what of it a build reads."""

from __future__ import annotations

from pathlib import Path

from everwhen.core.config import Config, override_section
from everwhen.core.errors import InputError

PULLED = {
    "year-pages": ("year_pages", "*.wikitext"),
    "entity-lists": ("entity_lists", "*.jsonl"),
    "pageviews": ("pageviews", "pageviews*"),
    "dump": ("dump", "[!.]*.json.?z*"),
}
"""Of each source its folder, which is also its key in the section sources, and the files in it that a build reads."""


def find_skip_reason(config: Config, what: str) -> str:
    """Return why a build of this configuration does not pull a source; "" where it does.

    Args:
        config: The configuration.
        what: A key of `PULLED`.
    """
    key, _ = PULLED[what]
    if config.sources.sample:
        return "sources.sample: the embedded sample is built"
    if getattr(config.sources, key):
        return f"sources.{key} names its files"
    return "" if what in config.pull.sources else f"pull.sources does not name {what}"


def with_pulled(config: Config, raw: Path) -> Config:
    """The configuration with the files that were pulled for it as its sources.

    Args:
        config: The configuration.
        raw: The raw folder.

    Raises:
        InputError: One of `pull.sources` was not pulled.
    """
    found = {}
    for what, (key, pattern) in PULLED.items():
        if not find_skip_reason(config, what):
            found[key] = [str(path) for path in sorted((raw / key).glob(pattern))]
            if not found[key]:
                raise InputError(f"{raw / key}: nothing was pulled; run `everwhen pull {what}` first")
    return override_section(config, "sources", found)
