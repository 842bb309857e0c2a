"""Candidates: intervals b drawn for a row and a relation, so that the relation holds; and such that miss every row.

Every choice is a hash of what it is made for. A drawn interval is cut to the key's span with a margin, and no unit of
it is over later than `as_of` (TDBench, appendix B.2, draws b at random).
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.positions import NEAR, count_day, find_first_day, look_up
from everwhen.families.tdbench.bind.quotas import OTHER_TASKS, SPARE, is_in_share
from everwhen.families.tdbench.bind.settings import BindSettings
from everwhen.families.tdbench.bind.windows import WINDOW, find_least_step, write_windows
from everwhen.families.tdbench.relations import write_relations
from everwhen.temporal.allen import Relation

_ROW = "struct(m.row_id, m.es, m.ls, m.ee, m.le, m.units)"
_MAX_COPIES = 4_000
"""Rows of a key times those that are drawn for."""

IS_KNOWN = f"(since IS NULL OR relation <> '{Relation.BEFORE}')"
"""Of a table that is complete from a day on, nobody knows all that ended before a date (Spark SQL)."""

_OFFSETS = "concat(sequence(1, 12), array(24, 36, 48, 60))"
"""Months of an offset: up to a year, or two to five years."""


def draw_candidates(keys: DataFrame, settings: BindSettings) -> DataFrame:
    """Draw intervals for the rows of each key, relation by relation.

    Args:
        keys: As returned by `everwhen.families.tdbench.bind.keys.group_keys`.
        settings: Seed and numbers of draws.

    Returns:
        Columns scope_id, granularity, key, members, task, relation, is_short, conditions, roles (of the references),
        is_for_points, b_start, b_end (positions), offset_months and the columns of the window. Some may be equal.
    """
    asked = keys.where("kind IN ('tfd', 'set')").selectExpr(
        *("scope_id", "granularity", "key", "members", "low", "high", "last", "is_points", "is_inclusive", "since"),
        "if(kind = 'set', 'sets', 'reasoning') AS task",
        f"inline(transform(slice(members, 1, {_limit_rows(settings)}), m -> {_ROW}))",
    )
    related = (
        asked.join(_count_rows(keys, settings), "scope_id")
        .selectExpr("*", f"inline({write_relations(is_short=settings.is_short)})")
        .where(f"(is_for_points OR es < le) AND {IS_KNOWN}")
    )
    hashed = derive_columns(
        related.selectExpr("*", f"explode(sequence(0, {settings.draws})) AS draw"),
        hash=f"xxhash64('{settings.config.seed}', 'b', scope_id, row_id, relation, is_short, draw)",
        # The last draw asks nothing of the row: most such intervals miss every row.
        signs=f"if(draw = {settings.draws}, '....', signs)",
        has_offset=f"relation IN ('{Relation.MEETS}', '{Relation.MET_BY}')",
        direction=f"if(relation = '{Relation.MEETS}', 1, -1)",
    ).where(f"get(units, int(pmod(hash, size(units)))) = granularity AND {is_in_share('xxhash64(hash, 4)')}")
    return _miss_rows(_put_offsets(_draw_intervals(hashed)))


def _count_rows(keys: DataFrame, settings: BindSettings) -> DataFrame:
    """Count the candidates that each scope would give, and those that its quotas need: of large tables a part."""
    per_row = len(Relation) * (settings.draws + 2)
    rows = f"least(size(members), {_limit_rows(settings)}) * {per_row} * {OTHER_TASKS} div size(granularities)"
    counted = keys.where("kind IN ('tfd', 'set')").groupBy("scope_id", "kind").agg(F.expr(f"sum({rows}) AS available"))
    wanted = f"{SPARE} * {settings.size} * if(kind = 'set', 1, {OTHER_TASKS}) AS wanted"
    return F.broadcast(counted.selectExpr("scope_id", wanted, "available"))


def _limit_rows(settings: BindSettings) -> str:
    """Limit the rows of a key that are drawn for, as each candidate has all rows of its key with it."""
    return f"int(least({settings.rows_per_key}, greatest(2, {_MAX_COPIES} div size(members))))"


def _draw_intervals(hashed: DataFrame) -> DataFrame:
    """Draw the positions of b within what the signs leave."""
    near = look_up(NEAR)
    is_before, is_after = (f"signs <> '....' AND relation = '{each}'" for each in (Relation.BEFORE, Relation.AFTER))
    bounded = derive_columns(
        hashed,
        start_low=f"greatest(low, {_bound('>=', 1)})",
        start_high=f"least(high - 1, {_bound('<=', 1)}, CASE WHEN {is_before} THEN le + {near} END)",
        end_low=f"greatest(low + 1, {_bound('>=', 2)}, CASE WHEN {is_after} THEN es - {near} END)",
        end_high=f"least(high, {_bound('<=', 2)})",
    ).where("start_low <= least(start_high, end_high - 1) AND end_low <= end_high")
    started = derive_columns(bounded, b_start=_choose("start_low", "least(start_high, end_high - 1)", 1))
    return derive_columns(started, b_end=_choose("greatest(end_low, b_start + 1)", "end_high", 2)).drop(
        "start_low", "start_high", "end_low", "end_high"
    )


def _bound(side: str, endpoint: int) -> str:
    """Write the bounds that the signs put on b's start (1) or end (2), from below (`>=`) or from above (`<=`)."""
    own_start, own_end = (f"substring(signs, {place}, 1)" for place in (endpoint, endpoint + 2))
    if side == ">=":
        return ", ".join(
            f"CASE {sign} WHEN '<' THEN {latest} + 1 WHEN '=' THEN {latest} END"
            for sign, latest in ((own_start, "ls"), (own_end, "le"))
        )
    return ", ".join(
        f"CASE {sign} WHEN '>' THEN {earliest} - 1 WHEN '=' THEN {earliest} END"
        for sign, earliest in ((own_start, "es"), (own_end, "ee"))
    )


def _choose(first: str, last: str, salt: int) -> str:
    return f"{first} + int(pmod(xxhash64(hash, {salt}), {last} - {first} + 1))"


def _put_offsets(drawn: DataFrame) -> DataFrame:
    """Choose the months of meets and met_by from the date that they mean to the date that they state."""
    options = (
        f"CASE granularity WHEN 'month' THEN sequence(1, 12) WHEN 'year' THEN sequence(12, 60, 12)"
        f" ELSE filter({_OFFSETS}, months -> {_leads_back('months')}) END"
    )
    dated = derive_columns(drawn, meant_day=_MEANT_DAY)
    optional = derive_columns(dated, options=f"if(has_offset, {options}, NULL)")
    return (
        derive_columns(optional, offset_months="get(options, int(pmod(xxhash64(hash, 3), size(options))))")
        .where("NOT has_offset OR offset_months IS NOT NULL")
        .drop("options", "hash", "signs")
    )


_LAG = "if(is_inclusive AND direction > 0 AND granularity = 'day', 1, 0)"
"""Days from the end that a text states to the one that conditions use: months are counted from what is stated."""

_MEANT_DAY = f"if(has_offset, date_sub({find_first_day('if(direction > 0, b_start, b_end)')}, {_LAG}), NULL)"


def _leads_back(months: str) -> str:
    """Write whether months from the meant day lead back to it: 31 March is no month after 28 February."""
    return f"day(add_months(meant_day, {months} * direction)) = day(meant_day)"


def _miss_rows(drawn: DataFrame) -> DataFrame:
    """Add to the first draw of each row and relation the nearest interval that no row fits possibly."""
    windows = derive_columns(drawn, **write_windows("conditions"))
    stepped = windows.selectExpr("*", f"explode(if(draw = 0, array(0, {find_least_step()}), array(0))) AS step")
    moved = derive_columns(
        stepped.where("step IS NOT NULL"), **{name: f"{name} + step" for name in ("b_start", "b_end", *WINDOW)}
    )
    reckoned = f"({count_day('add_months(meant_day, offset_months * direction)')}) + {_LAG}"
    offset = derive_columns(
        derive_columns(moved, meant_day=_MEANT_DAY).where(f"NOT has_offset OR {_leads_back('offset_months')}"),
        b_start=f"if(has_offset AND direction < 0, {reckoned}, b_start)",
        b_end=f"if(has_offset AND direction > 0, {reckoned}, b_end)",
    )
    return offset.where("b_start >= low AND b_end <= last").selectExpr(
        *("scope_id", "granularity", "key", "members", "is_points", "is_inclusive", "task"),
        *("relation", "is_short", "conditions", "references AS roles", "is_for_points"),
        *("b_start", "b_end", "offset_months", *WINDOW),
    )
