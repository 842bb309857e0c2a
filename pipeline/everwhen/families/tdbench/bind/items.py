"""Bind items: from rows and scopes to questions with answers, all but their words.

One plan for all declarations and scopes, since planning is most of the time that small tables take: keys with their
rows, candidates drawn for them, judged, cut to quotas, completed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.core.record_counts import count_records
from everwhen.core.session import checkpoint
from everwhen.families.tdbench.bind.askings import tabulate_askings
from everwhen.families.tdbench.bind.positions import count_positions
from everwhen.families.tdbench.bind.query import write_query
from everwhen.families.tdbench.bind.quotas import NUMBER, apply_quotas
from everwhen.families.tdbench.bind.steps import BindSettings, run_step, select_columns
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.tables import ITEMS

CANDIDATE = "candidate"
"""What the stage counts here: a question with its times, before it is known to have one answer set."""

ITEM_COLUMNS = ("scope_id", *(column.name for column in ITEMS.columns if column.name not in ("question", "wording")))


@dataclass(frozen=True)
class BoundItems:
    """The items without their words, and what became of the candidates.

    Attributes:
        items: The columns `ITEM_COLUMNS`: those of `everwhen.families.tdbench.tables.ITEMS` but question and wording.
        record_counts: Rows of `everwhen.core.record_counts`, of the type `CANDIDATE`.
    """

    items: DataFrame
    record_counts: DataFrame


def bind_items(
    rows: DataFrame,
    scopes: Sequence[Scope],
    declarations: Sequence[Declaration],
    unasked: DataFrame,
    settings: BindSettings,
) -> BoundItems:
    """Bind the items of all declarations.

    Args:
        rows: The rows of all declarations, columns of `everwhen.families.tdbench.tables.ROWS`.
        scopes: The ways in which they are asked.
        declarations: The declarations, those of joined events among them.
        unasked: Columns scope_id, is_event and key: keys, and names of events, that are not asked.
        settings: Seed, splits and how much is wanted.
    """
    askings = F.broadcast(tabulate_askings(rows.sparkSession, scopes, declarations))
    scoped = run_step("scoped_rows", {"rows": rows, "askings": askings})
    keys = checkpoint(group_keys(scoped, unasked.where("NOT is_event")))
    candidates = _draw_candidates(keys, _list_events(rows, askings, unasked), settings)
    named = run_step(
        "identified", {"judged": candidates, "askings": askings}, columns=select_columns(candidates.columns)
    )
    judged = checkpoint(named.withColumn(NUMBER, F.monotonically_increasing_id()))
    reasons = checkpoint(apply_quotas(judged, settings))
    decided = judged.drop("reason").join(reasons, NUMBER)
    example = F.concat_ws(" ", "declaration", "task", F.array_join("key", ", "), "relation", "b_start", "b_end")
    counts = count_records(decided, CANDIDATE, example, entered=judged)
    # Few of the candidates are kept: these are looked up, where a merge would sort all candidates.
    chosen = reasons.where("reason IS NULL").select(NUMBER).hint("shuffle_hash")
    kept = judged.join(chosen, NUMBER, "left_semi").drop("reason", "declaration", NUMBER)
    bound = run_step("named_items", {"kept": kept, "askings": askings})
    split = assign_split(F.concat_ws("\x1f", "declaration", "split_by"), settings.config)
    items = run_step(
        "filled_items",
        {
            "items": bound.withColumns({"split": split, "sql": write_query()}),
            "contexts": run_step("contexts", {"scoped": scoped}),
        },
        columns=select_columns(ITEM_COLUMNS),
    )
    return BoundItems(items=items, record_counts=counts)


def group_keys(scoped: DataFrame, unasked: DataFrame) -> DataFrame:
    """Collect the rows of each scope, key and granularity.

    Args:
        scoped: The rows with the scopes that ask them (`sql/scoped_rows.sql`).
        unasked: Columns scope_id and key: keys that are not asked.

    Returns:
        What `sql/keys.sql` selects.
    """
    positions = scoped.withColumn("position", F.explode(count_positions("is_inclusive")))
    return run_step("keys", {"positions": positions, "unasked": F.broadcast(unasked.select("scope_id", "key"))})


def _list_events(rows: DataFrame, askings: DataFrame, unasked: DataFrame) -> DataFrame:
    """List the events that scopes name, without names that are not asked."""
    names = unasked.where("is_event").select("scope_id", F.col("key").alias("event_values"))
    named = run_step("named_events", {"rows": rows, "askings": askings, "unasked": F.broadcast(names)})
    return run_step("events", {"named": named.withColumn("positions", count_positions("is_event_inclusive"))})


def _draw_candidates(keys: DataFrame, events: DataFrame, settings: BindSettings) -> DataFrame:
    """Draw candidates of all tasks, and judge them."""
    drawn = [
        run_step("draws", {"keys": keys}, settings),
        run_step("current", {"keys": keys}),
        run_step("implicit", {"keys": keys, "events": events}, settings),
        run_step("joined", {"keys": keys, "events": events}),
    ]
    judged = run_step("judged", {"candidates": _align(drawn)})
    return _align([judged, run_step("counts", {"keys": keys})])


def _align(parts: Sequence[DataFrame]) -> DataFrame:
    """Put candidates of several tasks below one another; what a task does not have is null."""
    return reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
