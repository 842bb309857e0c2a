"""Errors in the section pull, found before any server is asked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from everwhen.core.config import LATEST, Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.sources.client import find_missing_contact
from everwhen.sources.dump_address import find_dump_errors
from everwhen.sources.entity_lists import find_unused_lists
from everwhen.sources.pull import read_titles
from everwhen.sources.pulled import has_no_date
from everwhen.sources.view_months import find_address_errors, find_view_errors


def find_pull_errors(config: Config, sources: Sequence[str]) -> list[ConfigError]:
    """Find why sources could not be pulled, as far as the configuration and the files that it names show.

    Args:
        config: The configuration; its snapshot may be `latest`, which has no date yet.
        sources: Keys of `PULLED`.
    """
    pull = config.pull
    addresses = {
        "year-pages": pull.wiki_api,
        "entity-lists": pull.sparql_endpoint,
        "pageviews": pull.pageviews_api if pull.titles else pull.pageviews_url,
        "dump": pull.dump_url,
    }
    finders: dict[str, Callable[[Config], list[ConfigError]]] = {
        "entity-lists": find_unused_lists,
        "pageviews": _find_pageview_errors,
        "dump": _find_dump_errors,
    }
    errors = find_missing_contact(pull, [addresses[what] for what in sources])
    for what in sources:
        errors += finders[what](config) if what in finders else []
    return errors


def _find_pageview_errors(config: Config) -> list[ConfigError]:
    errors = []
    if config.pull.titles:
        try:
            read_titles(config.pull.titles)
        except InputError as error:
            errors.append(ConfigError(("pull", "titles"), str(error)))
    if has_no_date(config) and config.views.model_fields_set.isdisjoint({"start", "end"}):
        return errors + ([] if config.pull.titles else find_address_errors(config))
    today = dt.datetime.now(dt.UTC).date()
    return errors + find_view_errors(config, today, by_title=bool(config.pull.titles))


def _find_dump_errors(config: Config) -> list[ConfigError]:
    if not has_no_date(config):
        return find_dump_errors(config)
    if config.snapshot != LATEST:
        reason = f"{config.snapshot}: {LATEST}, or the date of a dump such as 2026-11-16, is expected"
        return [ConfigError(("snapshot",), reason)]
    return find_dump_errors(config.model_copy(update={"snapshot": "2026-11-16"}))  # any date shows the address
