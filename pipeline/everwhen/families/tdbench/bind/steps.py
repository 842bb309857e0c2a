"""Runs a step of binding: a query of Spark SQL in the folder `sql`, whose macros are in `macros.sql` (Jinja)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pyspark.sql import DataFrame

from everwhen.core.config import Config
from everwhen.core.hashing import MAX_ID
from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.bind.positions import OPEN_END, UNBOUNDED
from everwhen.families.tdbench.reasons import BindReason
from everwhen.families.tdbench.relations import list_relations

OTHER_TASKS = 3
"""The share of each task but reasoning: a third of its items."""

QUERIES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "sql"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
QUERIES.globals |= {
    "reason": BindReason,
    "separator": SEPARATOR,
    "open_end": OPEN_END,
    "unbounded": UNBOUNDED,
    "max_id": MAX_ID,
    "max_answers": 7,  # nobody would list more
    "spare": 4,  # candidates drawn for each item that is wanted, so that no cell lacks some
    "other_tasks": OTHER_TASKS,
}


@dataclass(frozen=True)
class BindSettings:
    """What the binding of items depends on, beside rows and declarations.

    Attributes:
        config: The seed of every choice, and the shares of the splits.
        size: Items of reasoning that are wanted of each declaration; each other task has a third of it at most.
        is_short: Whether started_by and finished_by are also asked by the shared endpoint alone.
    """

    config: Config
    size: int
    is_short: bool = False


def run_step(name: str, tables: dict[str, DataFrame], settings: BindSettings | None = None, **values: Any) -> DataFrame:
    """Run the query of a step.

    Args:
        name: The name of its file, without `.sql`.
        tables: What the query reads, by the names in braces.
        settings: Seed and size, of steps that choose.
        values: What else the query names.
    """
    spark = next(iter(tables.values())).sparkSession
    chosen: dict[str, object] = {}
    if settings is not None:
        chosen["seed"] = settings.config.seed
        values |= {"size": settings.size, "relations": list_relations(is_short=settings.is_short)}
    query = QUERIES.get_template(f"{name}.sql").render(values)
    return spark.sql(query, chosen, **tables)


def select_columns(names: Sequence[str]) -> str:
    """Write columns for a query."""
    return ", ".join(f"`{name}`" for name in names)
