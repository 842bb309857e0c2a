"""What is wrong with this family's section, beyond what its model knows: names of templates, budgets, entity lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from everwhen.catalog.load import find_unknown_list
from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError, KeyPath, suggest_name
from everwhen.core.errors import InputError
from everwhen.families.base import Preflight
from everwhen.families.complextempqa.budget import require_budgets
from everwhen.families.complextempqa.config import NAME, ComplexTempQASettings, read_settings
from everwhen.families.complextempqa.template import load_templates, select_templates

SECTION: KeyPath = ("families", NAME)


def find_config_errors(config: Config) -> list[ConfigError]:
    """Say what is wrong with the section; nothing of it needs Spark."""
    settings = read_settings(config)
    names = [template.id for template in load_templates()]
    found = list(_find_unknown(settings.templates, names, (*SECTION, "templates")))
    for number, budget in enumerate(settings.budgets):
        found += _find_unknown(budget.templates, names, (*SECTION, "budgets", number, "templates"))
    if not found:
        found += _find_wrong_budgets(settings, names)
    for number, entry in enumerate(settings.complete):
        if error := find_unknown_list(entry):
            found.append(ConfigError((*SECTION, "complete", number, "list"), error.removeprefix("list: ")))
    return found


def _find_unknown(patterns: Sequence[str], names: Sequence[str], position: KeyPath) -> Iterator[ConfigError]:
    for number, pattern in enumerate(patterns):
        if not any(fnmatchcase(name, pattern) for name in names):
            near = suggest_name(pattern, names) or "; templates/questions has them all"
            yield ConfigError((*position, number), f"no template {pattern}{near}")


def _find_wrong_budgets(settings: ComplexTempQASettings, names: Sequence[str]) -> Iterator[ConfigError]:
    position: KeyPath = (*SECTION, "budgets")
    chosen = [n for n in names if not settings.templates or any(fnmatchcase(n, p) for p in settings.templates)]
    for number, budget in enumerate(settings.budgets):
        if not any(fnmatchcase(name, pattern) for name in chosen for pattern in budget.templates):
            yield ConfigError(
                (*position, number), f"of {', '.join(budget.templates)} none is among the templates in use"
            )
    try:
        require_budgets(settings, load_templates())
    except InputError as error:
        yield ConfigError(position, str(error).removeprefix(f"families.{NAME}.budgets: "))


def require_relations(config: Config) -> None:
    """Refuse templates whose relation there is not.

    Raises:
        InputError: A template in use names an unknown relation.
    """
    from everwhen.families.complextempqa.bind.compile import require_relation

    for template in select_templates(read_settings(config).templates):
        require_relation(template)


PREFLIGHT = Preflight(find_config_errors=find_config_errors, require_usable=require_relations)
