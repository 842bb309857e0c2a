"""TDBench as a family: what the rest of everwhen knows of it before it loads Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everwhen.families.base import Family, Preflight
from everwhen.families.tdbench.commands import answer, build, check, paraphrase, sample
from everwhen.families.tdbench.config import NAME, TDBenchSettings

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.families.family_build import FamilyBuild


def _load_build() -> FamilyBuild:
    from everwhen.families.tdbench.build import BUILD

    return BUILD


def _load_evaluation() -> Evaluation:
    from everwhen.families.tdbench.evaluation import EVALUATION

    return EVALUATION


def _load_preflight() -> Preflight:
    from everwhen.families.tdbench.preflight import PREFLIGHT

    return PREFLIGHT


FAMILY = Family(
    name=NAME,
    title="TDBench",
    settings=TDBenchSettings,
    load_build=_load_build,
    load_evaluation=_load_evaluation,
    load_preflight=_load_preflight,
    commands={
        "answer": answer,
        "build": build,
        "check": check,
        "paraphrase": paraphrase,
        "sample": sample,
    },
)
