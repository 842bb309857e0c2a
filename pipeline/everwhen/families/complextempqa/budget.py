"""Which budget counts for a template, and how many rows it wants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.config import ComplexTempQASettings
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, Template


def select_comparisons(templates: Sequence[Template]) -> list[Template]:
    """The templates whose relation draws from blocks."""
    return [t for t in templates if t.relation in BLOCK_RELATIONS]


def require_budgets(config: ComplexTempQASettings, templates: Sequence[Template]) -> None:
    """Refuse budgets that say nothing, or two subjects at once.

    Args:
        config: The budgets.
        templates: All templates that there are, chosen or not.

    Raises:
        InputError: A pattern fits no template, two budgets name the same one, or one names templates of comparisons,
            whose rows are drawn, beside others, whose rows are chosen.
    """
    names = [t.id for t in templates]
    for budget in config.budgets:
        for pattern in budget.templates:
            if not any(fnmatchcase(name, pattern) for name in names):
                raise InputError(f"families.complextempqa.budgets: no template {pattern}")
    of, compared = assign_budgets(config, names), {t.id for t in select_comparisons(templates)}
    for number in range(len(config.budgets)):
        _require_one_way([name for name in names if of.get(name) == number], compared)


def _require_one_way(names: Sequence[str], compared: Set[str]) -> None:
    """Refuse templates of one budget if the rows of some are drawn and those of others chosen."""
    drawn = [name for name in names if name in compared]
    chosen = [name for name in names if name not in compared]
    if drawn and chosen:
        raise InputError(
            f"families.complextempqa.budgets: {drawn[0]} is drawn from blocks and {chosen[0]} is not:"
            " give each a budget of its own"
        )


def assign_budgets(config: ComplexTempQASettings, templates: Sequence[str]) -> Mapping[str, int]:
    """The number of the budget that counts for each template; one without a budget has none.

    Raises:
        InputError: Two budgets name the same template.
    """
    found: dict[str, int] = {}
    for number, budget in enumerate(config.budgets):
        names = [t for t in templates if any(fnmatchcase(t, pattern) for pattern in budget.templates)]
        for name in names:
            if name in found:
                raise InputError(f"families.complextempqa.budgets: {name} is in two of them")
            found[name] = number
    return found


def list_wanted(names: Sequence[str], config: ComplexTempQASettings) -> Iterator[tuple[int | None, bool, list[str]]]:
    """List the rows wanted (None: no budget), whether unnamed, and the templates that make them together."""
    of = assign_budgets(config, names)
    for number, budget in enumerate(config.budgets):
        mine = [name for name in names if of.get(name) == number]
        if mine:
            yield budget.rows, False, mine
            yield budget.unnamed, True, mine
    rest = [name for name in names if name not in of]
    for unnamed in (False, True):
        yield None, unnamed, rest
