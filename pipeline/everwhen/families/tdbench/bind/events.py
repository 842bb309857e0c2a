"""Candidates that name an event: as the interval of a question (implicit), or as what it begins with (multi-hop).

A multi-hop question follows a temporal natural join (TDBench, appendix A): the row that shares days with the event.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.draws import IS_KNOWN
from everwhen.families.tdbench.bind.judge import JOINED
from everwhen.families.tdbench.bind.positions import UNBOUNDED, count_positions
from everwhen.families.tdbench.bind.quotas import OTHER_TASKS, SPARE, is_in_share
from everwhen.families.tdbench.bind.settings import BindSettings
from everwhen.families.tdbench.bind.windows import WINDOW, fits_surely, write_windows
from everwhen.families.tdbench.reasons import BindReason
from everwhen.families.tdbench.relations import write_relations
from everwhen.temporal.allen import Relation
from everwhen.temporal.allen_spark import IntervalColumns

_COMMON = (Relation.BEFORE, Relation.AFTER, Relation.CONTAINS, Relation.OVERLAPS, Relation.OVERLAPPED_BY)
_KEY_COLUMNS = ("scope_id", "granularity", "key", "members", "is_points", "is_inclusive")


def list_events(rows: DataFrame, askings: DataFrame, incomplete: DataFrame) -> DataFrame:
    """List the events of each scope that joins, in the finest unit in which both their ends are exact.

    Args:
        rows: Columns of `everwhen.families.tdbench.tables.ROWS`.
        askings: Columns of `everwhen.families.tdbench.bind.askings.ASKINGS`.
        incomplete: Columns scope_id and event_values: names that a rejected event may have, too. They are left out.

    Returns:
        Columns scope_id, granularity, by_key (values of the joined columns as the asked table has them), event,
        event_start and event_end (positions), event_count (rows with the event's name).
    """
    joins = askings.where("other IS NOT NULL").selectExpr(
        "scope_id", "other", "by", "same", "event_columns", "granularities", "is_event_inclusive"
    )
    name = f"array_join(transform(event_columns, name -> fields[name]), '{SEPARATOR}')"
    theirs = "transform(by, pair -> coalesce(try_element_at(same, fields[pair.theirs]), fields[pair.theirs]))"
    bounds = IntervalColumns(*(F.col(bound) for bound in IntervalColumns._fields))
    exact = (
        "get(filter(positions, p -> array_contains(granularities, p.granularity) AND p.es = p.ls AND p.ee = p.le), 0)"
    )
    named = (
        # As in `everwhen.families.tdbench.bind.keys`: the filter has a lambda, and stays above the join.
        derive_columns(
            rows.join(F.broadcast(joins), rows.declaration == joins.other),
            event_values="transform(event_columns, name -> fields[name])",
        )
        .where("forall(event_values, value -> value IS NOT NULL)")
        .join(F.broadcast(incomplete), ["scope_id", "event_values"], "left_anti")
        .drop("event_values")
        .withColumn("positions", count_positions(bounds, F.col("is_event_inclusive")))
    )
    return (
        derive_columns(named, exact=exact, name=name)
        .selectExpr(
            *("scope_id", "exact.granularity AS granularity", f"{theirs} AS by_key"),
            "named_struct('row_id', row_id, 'fields', fields, 'name', name) AS event",
            *("exact.es AS event_start", "exact.le AS event_end"),
            "count(*) OVER (PARTITION BY scope_id, name) AS event_count",
        )
        .where("event_start < event_end")
    )


def compare_events(keys: DataFrame, events: DataFrame, settings: BindSettings) -> DataFrame:
    """Ask how the rows of a key relate to an event, by the relations that one of them has and another by hash.

    Args:
        keys: As returned by `everwhen.families.tdbench.bind.keys.group_keys`.
        events: As returned by `list_events`.
        settings: Seed, and how many events a key is compared with.

    Returns:
        Candidates, as of `everwhen.families.tdbench.bind.draws.draw_candidates`, with event.
    """
    asked = keys.where("kind = 'join'").select(*_KEY_COLUMNS, "low", "last", "since")
    # A key has about three relations with an event, its own and one by hash.
    needed = asked.groupBy("scope_id").agg(
        F.expr(f"count(*) * {3 * settings.events_per_key * OTHER_TASKS} AS available"),
        F.lit(SPARE * settings.size).alias("wanted"),
    )
    near = events.drop("by_key")
    seed = settings.config.seed
    hash_of_pair = f"xxhash64('{seed}', 'event', key, event.row_id)"
    chosen = (
        derive_columns(
            asked.join(near, ["scope_id", "granularity"]).where("event_start >= low AND event_end <= last"),
            hash=hash_of_pair,
        )
        .join(F.broadcast(needed), "scope_id")
        .where(is_in_share("xxhash64(hash, 1)"))
        .selectExpr("*", "row_number() OVER (PARTITION BY scope_id, key ORDER BY hash, event.row_id) AS place")
        .where(f"place <= {settings.events_per_key}")
    )
    related = derive_columns(
        chosen.selectExpr(
            "*", f"inline({write_relations(is_short=False)})", "event_start AS b_start", "event_end AS b_end"
        ),
        **write_windows("conditions"),
    )
    # Few rows begin or end with an event, or within it: of such relations fewer questions without an answer are asked.
    rarely = f"if(relation IN ({', '.join(repr(each.value) for each in _COMMON)}), 1, 4) * {len(Relation)}"
    is_chosen = f"pmod(xxhash64(hash, relation), {rarely}) = 0"
    return related.where(f"{IS_KNOWN} AND ({is_chosen} OR exists(members, m -> {fits_surely()}))").selectExpr(
        *(*_KEY_COLUMNS, "'implicit' AS task", "relation", "is_short", "conditions", "references AS roles"),
        *("is_for_points", "b_start", "b_end", *WINDOW, "event"),
        f"if(event_count > 1, '{BindReason.EVENT_SHARED}', NULL) AS early_reason",
    )


def join_events(keys: DataFrame, events: DataFrame) -> DataFrame:
    """Ask which row of a key shares days with an event of the joined values.

    Args:
        keys: As returned by `everwhen.families.tdbench.bind.keys.group_keys`.
        events: As returned by `list_events`.

    Returns:
        Candidates, as of `compare_events`. The office or state must not have passed on meanwhile, not even on a day of
        handover: `everwhen.families.tdbench.bind.judge.judge_candidates` rejects them.
    """
    ours = "transform(by, pair -> key[array_position(key_columns, pair.ours) - 1]) AS by_key"
    asked = keys.where("kind = 'derived'").selectExpr(*_KEY_COLUMNS, ours, "low", "last", "since")
    return (
        asked.join(events, ["scope_id", "granularity", "by_key"])
        .where("event_end <= last AND (since IS NULL OR event_start >= low)")
        .selectExpr(
            *(*_KEY_COLUMNS, "'multi_hop' AS task", f"'{JOINED}' AS relation", "false AS is_short"),
            *("'....' AS conditions", "array('start', 'end') AS roles", "true AS is_for_points"),
            *("event_start AS b_start", "event_end AS b_end", f"-{UNBOUNDED} AS s_low"),
            # An inclusive end is that of the unit after, which is shared no more.
            *(
                "event_end - 1 AS s_high",
                "event_start + if(is_inclusive, 1, 0) AS e_low",
                f"{UNBOUNDED} AS e_high",
                "event",
            ),
            f"if(event_count > 1, '{BindReason.EVENT_SHARED}', NULL) AS early_reason",
        )
    )
