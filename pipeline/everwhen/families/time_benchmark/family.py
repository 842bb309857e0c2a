"""TimE as a family: what the rest of everwhen knows of it before it loads Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everwhen.families.base import Family
from everwhen.families.time_benchmark.config import NAME, TimeSettings

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.families.base import Preflight
    from everwhen.families.family_build import FamilyBuild


def _load_build() -> FamilyBuild:
    from everwhen.families.time_benchmark.build import BUILD

    return BUILD


def _load_evaluation() -> Evaluation:
    from everwhen.families.time_benchmark.evaluation import EVALUATION

    return EVALUATION


def _load_preflight() -> Preflight:
    from everwhen.families.time_benchmark.preflight import PREFLIGHT

    return PREFLIGHT


FAMILY = Family(
    name=NAME,
    title="TimE",
    settings=TimeSettings,
    load_build=_load_build,
    load_evaluation=_load_evaluation,
    load_preflight=_load_preflight,
)
