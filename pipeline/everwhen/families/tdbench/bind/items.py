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

from everwhen.core.hashing import MAX_ID, assign_split
from everwhen.core.record_counts import count_records
from everwhen.core.session import checkpoint
from everwhen.families.tdbench.bind.askings import tabulate_askings
from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.complete import fill_items
from everwhen.families.tdbench.bind.context import collect_contexts
from everwhen.families.tdbench.bind.counting import count_rows
from everwhen.families.tdbench.bind.current import ask_current
from everwhen.families.tdbench.bind.draws import draw_candidates
from everwhen.families.tdbench.bind.events import compare_events, join_events, list_events
from everwhen.families.tdbench.bind.judge import judge_candidates
from everwhen.families.tdbench.bind.keys import group_keys, list_scoped_rows
from everwhen.families.tdbench.bind.positions import find_first_day
from everwhen.families.tdbench.bind.quotas import NUMBER, apply_quotas
from everwhen.families.tdbench.bind.settings import BindSettings
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.reasons import BindReason
from everwhen.families.tdbench.scopes import Scope
from everwhen.temporal.allen import Relation

CANDIDATE = "candidate"
"""What the stage counts here: a question with its times, before it is known to have one answer set."""

EVENT = "struct<row_id:bigint,fields:map<string,string>,name:string>"
"""An event that a question names: its row, and the values of the columns that name it, joined."""


@dataclass(frozen=True)
class BoundItems:
    """The items without their words, and what became of the candidates.

    Attributes:
        items: The columns of `everwhen.families.tdbench.tables.ITEMS` but question and wording; beside them
            scope_id, conditions (array of endpoint, sign and day), is_points, is_inclusive, has_open (an answering row
            is open) and event_fields (the columns of the event's row; null without an event).
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
    askings = tabulate_askings(rows.sparkSession, scopes, declarations)
    scoped = list_scoped_rows(rows, askings)
    keys = checkpoint(group_keys(scoped, unasked.where("NOT is_event").select("scope_id", "key")))
    events = list_events(rows, askings, unasked.where("is_event").selectExpr("scope_id", "key AS event_values"))
    drawn = [draw_candidates(keys, settings), ask_current(keys)]
    drawn += [compare_events(keys, events, settings), join_events(keys, events)]
    identified = _identify(_align([judge_candidates(_align(drawn)), count_rows(keys)]), askings)
    judged = checkpoint(identified.withColumn(NUMBER, F.monotonically_increasing_id()))
    reasons = checkpoint(apply_quotas(judged, settings))
    decided = judged.drop("reason").join(reasons, NUMBER)
    counts = count_records(decided, CANDIDATE, F.expr(_EXAMPLE), entered=judged)
    # Few of the candidates are kept: these are looked up, where a merge would sort all candidates.
    chosen = reasons.where("reason IS NULL").select(NUMBER).hint("shuffle_hash")
    kept = _name_columns(judged.join(chosen, NUMBER, "left_semi").drop("reason", "declaration", NUMBER), askings)
    split = assign_split(F.concat_ws(_SEPARATOR, "declaration", F.expr(_SPLIT_BY)), settings.config)
    items = fill_items(kept.withColumn("split", split), collect_contexts(scoped))
    return BoundItems(items=items, record_counts=counts)


_SEPARATOR = "\x1f"
_SPLIT_BY = "transform(sort_array(if(task = 'implicit', own, given)), each -> concat(each.column, '=', each.value))"
"""Questions on one key are in one split; the event of an implicit time is no part of the key."""

_EXAMPLE = "concat_ws(' ', declaration, task, array_join(key, ', '), relation, b_start, b_end)"

_IDENTIFIED_BY = ("scope_id", "declaration", "given", "asked", "event_columns", "as_of", "since", "is_points")
"""What of a scope identifies an item, or says what its words depend on."""

_IS_STATED = {
    "b_start": "relation = 'met_by' OR (relation <> 'meets' AND NOT (is_points AND relation = 'finishes')"
    " AND (substring(conditions, 1, 1) <> '.' OR substring(conditions, 3, 1) <> '.'))",
    "b_end": "relation = 'meets' OR (relation <> 'met_by' AND NOT (is_points AND relation = 'starts')"
    " AND (substring(conditions, 2, 1) <> '.' OR substring(conditions, 4, 1) <> '.'))",
}
"""Whether the words of a question depend on a day of its interval: two questions of the same words are one."""

_CANDIDATE_COLUMNS = {
    **dict.fromkeys(("offset_months", "counted"), "int"),
    "event": EVENT,
    "early_reason": "string",
    "is_at_least": "boolean",
}
"""Columns that some tasks have; null in the others."""


def _align(parts: Sequence[DataFrame]) -> DataFrame:
    """Put candidates of all tasks below one another."""
    filled = [
        part.select(
            "*",
            *(
                F.lit(None).cast(ddl).alias(name)
                for name, ddl in _CANDIDATE_COLUMNS.items()
                if name not in part.columns
            ),
        )
        for part in parts
    ]
    return reduce(DataFrame.unionByName, filled)


def _identify(judged: DataFrame, askings: DataFrame) -> DataFrame:
    """Add declaration, days for positions, cardinality and item_id: the hash of all that is asked."""
    narrow = F.broadcast(askings.select(*_IDENTIFIED_BY))
    days = {name: find_first_day(name) for name in ("b_start", "b_end")}
    cardinality = "CASE size(answer) WHEN 0 THEN 'none' WHEN 1 THEN 'unique' ELSE 'multiple' END"
    dated = derive_columns(judged.join(narrow, "scope_id"), cardinality=cardinality, **days)
    last = "CASE granularity WHEN 'day' THEN as_of WHEN 'month' THEN trunc(as_of, 'MM') ELSE trunc(as_of, 'YY') END"
    is_empty = f"reason IS NULL AND relation = '{Relation.AFTER}' AND {last} <= b_end"
    asked = derive_columns(dated, reason=f"if({is_empty}, '{BindReason.NOTHING_LATER}', reason)")
    # An event has one question, whatever the unit in which its times are compared.
    unit = "if(event IS NOT NULL OR task = 'counting', '', granularity)"
    names = [part for name in ("given", "key", "asked", "event_columns") for part in _spread(name)]
    parts = ["declaration", "task", *names, "event.name", "relation", unit]
    # What is counted begins after the day from which the table is complete, which no other question depends on.
    known = "concat_ws(' ', string(as_of), if(task = 'counting', string(since), NULL))"
    parts += ["string(is_short)", "string(offset_months)", known, "string(counted)", "string(is_at_least)"]
    parts += [f"string(if(event IS NULL AND ({is_stated}), {day}, NULL))" for day, is_stated in _IS_STATED.items()]
    text = ", ".join(f"coalesce({part}, '')" for part in parts)
    return asked.selectExpr(
        *(*judged.columns, "declaration", "cardinality"),
        f"xxhash64(concat_ws('{_SEPARATOR}', {text})) & {MAX_ID} AS item_id",
    )


def _name_columns(kept: DataFrame, askings: DataFrame) -> DataFrame:
    """Add what the scope says, and the columns that the question names, with their values."""
    own = "transform(given, name -> struct(name AS column, key[array_position(key_columns, name) - 1] AS value))"
    given = (
        "concat(if(event IS NULL, array(), transform(event_columns, name -> struct(name AS column, event.fields[name]"
        " AS value))), own)"
    )
    asked = kept.join(F.broadcast(askings.drop("kind", "granularities")), "scope_id")
    return derive_columns(derive_columns(asked, own=own), given=given)


def _spread(name: str) -> list[str]:
    """Write an array as its size and its values, so that no two arrays give one text."""
    return [f"string(size({name}))", f"array_join({name}, '{_SEPARATOR}')"]
