"""Messages of a dialogue as a collection: which of them answers a question that names a day in another way?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from everwhen.families.dialogue_pool.config import NAME, Settings

from everwhen.core.config import Config, read_section
from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
from everwhen.families.base import Family, Preflight

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.evaluate.retrieval.ranking import Ranking
    from everwhen.families.family_build import FamilyBuild


def _load_build() -> FamilyBuild:
    from everwhen.families.dialogue_pool.build import BUILD

    return BUILD


def _load_evaluation() -> Evaluation:
    from everwhen.families.dialogue_pool.evaluation import EVALUATION

    return EVALUATION


def find_depth(ranking: Ranking, grades: Mapping[str, int], query: Mapping[str, Any]) -> float | None:
    """How early the first relevant document is, 1 at the first place; None where none was found."""
    places = [place for place, one in enumerate(ranking) if grades.get(one.doc_id, 0) > 0]
    return 1 - places[0] / len(ranking) if places else None


FAMILY = Family(
    name=NAME,
    title="Dialogue pool",
    settings=Settings,
    load_build=_load_build,
    load_evaluation=_load_evaluation,
    load_collections=lambda: {
        "messages": CollectionDeclaration(
            groups=("year",), variants={"short": "short"}, measures={"earliness": find_depth}
        )
    },
    load_preflight=lambda: Preflight(
        needs_world=lambda config: False, list_files=lambda config: [_read_settings(config).file]
    ),
)


def _read_settings(config: Config) -> Settings:
    return read_section(config, NAME, Settings)
