"""What ComplexTempQA hands to the independent check: the rule of each template, and the check of each description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from everwhen.catalog.load import load_descriptions
from everwhen.families.complextempqa.template import Template
from everwhen.validate.rules import Rule


def rules_of(templates: Iterable[Template]) -> dict[str, Rule]:
    """The rules of templates, by template id."""
    return {
        t.id: Rule(
            id=t.id,
            version=t.version,
            check=t.check,
            timeframe=t.timeframe,
            hops=bool(t.hops),
            rule=t.rule,
        )
        for t in templates
    }


def description_checks() -> Mapping[str, str]:
    """The check of each form of description (`templates/descriptions.yaml`), by its key."""
    return {entry.id: entry.check for entry in load_descriptions()}
