"""What is checked before a build: that sets of these sizes fit into the years and prices, and who writes the texts."""

from __future__ import annotations

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError, KeyPath
from everwhen.evaluate.ask.rewriting import require_rewriting
from everwhen.families.base import Preflight
from everwhen.families.impliret.config import NAME, SCHEDULE, ImpliretSettings, list_pools, read_settings
from everwhen.families.impliret.draws.sets import TupleSet, load_words

SECTION: KeyPath = ("families", NAME)


def find_config_errors(config: Config) -> list[ConfigError]:
    """Find sizes that contradict each other."""
    settings, found = read_settings(config), []
    if settings.first_year > settings.last_year:
        found.append(ConfigError((*SECTION, "last_year"), f"{settings.first_year} or later is expected"))
    if ("temporal", "uni") in _list_kinds(settings) and settings.tuples != SCHEDULE:
        found.append(ConfigError((*SECTION, "tuples"), f"{SCHEDULE} are expected: the activities of temporal chats"))
    for name in ("multi_prices", "uni_prices"):
        prices = getattr(settings, name)
        if prices.lowest >= prices.highest:
            found.append(ConfigError((*SECTION, name), f"highest: more than {prices.lowest} is expected"))
    return found


def require_drawable(config: Config) -> None:
    """Refuse sizes for which there are too few names, topics, prices or days, and a model that cannot be asked.

    The first set of each category and style is drawn, and of chats the last, whose days are the last.

    Raises:
        InputError: The message says what there is too little of.
    """
    settings, words = read_settings(config), load_words()
    for pool in list_pools(settings.model_copy(update={"copies": 1})):
        for number in sorted({0, settings.sets - 1}):
            TupleSet(str(config.seed), pool, number, settings, words).draw()
    require_rewriting(settings.rewriting)


def _list_kinds(settings: ImpliretSettings) -> set[tuple[str, str]]:
    return {(pool.category, pool.style) for pool in list_pools(settings)}


PREFLIGHT = Preflight(find_config_errors=find_config_errors, require_usable=require_drawable)
