"""In what year was an event? The family as everwhen knows it before it loads Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everwhen.families.event_years.commands import count
from everwhen.families.event_years.config import Settings

from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
from everwhen.families.base import Family

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.families.family_build import FamilyBuild


def _load_build() -> FamilyBuild:
    from everwhen.families.event_years.build import BUILD

    return BUILD


def _load_evaluation() -> Evaluation:
    from everwhen.families.event_years.evaluation import EVALUATION

    return EVALUATION


FAMILY = Family(
    name="event_years",
    title="Years of events",
    settings=Settings,
    load_build=_load_build,
    load_evaluation=_load_evaluation,
    load_collections=lambda: {"notes": CollectionDeclaration()},
    commands={"count": count},
)
