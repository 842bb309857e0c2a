"""A small plan with everything in it, and all its entities."""

from __future__ import annotations

import pytest

from everwhen.core.config import Config
from everwhen.synth.plan import WorldPlan, plan_world
from everwhen.synth.stage import build_entity
from everwhen.synth.truth import Entity

SYNTH = {"scale": 0.02, "countries": 12, "broken_rate": 0.2, "ambiguous_rate": 0.1, "hedged_rate": 0.1}


def small_plan(**changes: object) -> WorldPlan:
    fields = {"version": "1", "snapshot": "synthetic", **changes}
    return plan_world(Config(**{**fields, "synth": {**SYNTH, **changes.get("synth", {})}}))  # type: ignore[dict-item]


@pytest.fixture(scope="session")
def plan() -> WorldPlan:
    return small_plan()


@pytest.fixture(scope="session")
def made(plan: WorldPlan) -> list[tuple[int, Entity]]:
    """All entities with their place in the dump."""
    found = ((index, build_entity(plan, *plan.locate(index))) for index in range(plan.total))
    return [(index, entity) for index, entity in found if entity is not None]
