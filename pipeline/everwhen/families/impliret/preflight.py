"""What is checked before a build: that sets of these sizes fit into the years and prices, and who writes the texts."""

from __future__ import annotations

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError, KeyPath
from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.rewriting import require_rewriting
from everwhen.families.base import Preflight
from everwhen.families.impliret.config import NAME, SCHEDULE, ImpliretSettings, list_pools, read_settings
from everwhen.families.impliret.draws.sets import TupleSet, load_words

SECTION: KeyPath = ("families", NAME)


def find_config_errors(config: Config) -> list[ConfigError]:
    """Find sizes that contradict each other, or for which there are too few names, topics, prices or days."""
    settings = read_settings(config)
    found = _find_contradictions(settings)
    if not found:
        try:
            _draw_ends(settings, str(config.seed))
        except InputError as error:
            found.append(ConfigError(SECTION, str(error)))
    return found


def _find_contradictions(settings: ImpliretSettings) -> list[ConfigError]:
    found = []
    if settings.first_year > settings.last_year:
        found.append(ConfigError((*SECTION, "last_year"), f"{settings.first_year} or later is expected"))
    has_schedules = any((pool.category, pool.style) == ("temporal", "uni") for pool in list_pools(settings))
    if has_schedules and settings.tuples != SCHEDULE:
        why = f"{SCHEDULE} are expected: the activities of temporal chats; leave out temporal, or the style uni"
        found.append(ConfigError((*SECTION, "tuples"), why))
    for name in ("multi_prices", "uni_prices"):
        prices = getattr(settings, name)
        if prices.lowest >= prices.highest:
            found.append(ConfigError((*SECTION, name), f"highest: more than {prices.lowest} is expected"))
    return found


def _draw_ends(settings: ImpliretSettings, seed: str) -> None:
    """Draw the first set of each category and style, and the last, whose days are the last.

    Raises:
        InputError: There is too little of something.
    """
    words = load_words()
    for pool in list_pools(settings.model_copy(update={"copies": 1})):
        for number in sorted({0, settings.sets - 1}):
            TupleSet(seed, pool, number, settings, words).draw()


def forecast(config: Config) -> list[str]:
    """Say how many pools, sets and documents are made."""
    settings = read_settings(config)
    pools = len(list_pools(settings))
    documents = pools * settings.sets * settings.tuples
    sizes = f"{count_noun(pools, 'pool')} of {count_noun(settings.sets, 'set')} of {settings.tuples:,} documents"
    # Whether there are pools of landmarks is known when the world is built.
    rest = "; without wknow where the facts have too few landmarks" if settings.categories is None else ""
    return [f"{NAME}: {sizes}: {documents:,} documents, and as many queries{rest}"]


PREFLIGHT = Preflight(
    find_config_errors=find_config_errors,
    require_usable=lambda config: require_rewriting(read_settings(config).rewriting),
    forecast=forecast,
)
