"""IMPLIRET as a family: what the rest of everwhen knows of it before it loads Spark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from everwhen.families.base import Family
from everwhen.families.impliret.commands import read
from everwhen.families.impliret.config import NAME, ImpliretSettings

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
    from everwhen.families.base import Preflight
    from everwhen.families.family_build import FamilyBuild


def _load_build() -> FamilyBuild:
    from everwhen.families.impliret.build import BUILD

    return BUILD


def _load_evaluation() -> Evaluation:
    from everwhen.families.impliret.evaluation import EVALUATION

    return EVALUATION


def _load_collections() -> Mapping[str, CollectionDeclaration]:
    from everwhen.families.impliret.evaluation.collections import COLLECTIONS

    return COLLECTIONS


def _load_preflight() -> Preflight:
    from everwhen.families.impliret.preflight import PREFLIGHT

    return PREFLIGHT


FAMILY = Family(
    name=NAME,
    title="IMPLIRET",
    settings=ImpliretSettings,
    load_build=_load_build,
    load_evaluation=_load_evaluation,
    load_collections=_load_collections,
    load_preflight=_load_preflight,
    commands={"read": read},
)
