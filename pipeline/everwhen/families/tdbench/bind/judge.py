"""Judge questions: which rows of the key answer, and whether that is sure."""

from __future__ import annotations

from pyspark.sql import DataFrame

from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.positions import OPEN_END
from everwhen.families.tdbench.bind.settings import MAX_ANSWERS
from everwhen.families.tdbench.bind.windows import WINDOW, fits_nearly, fits_possibly, fits_surely, is_impossible
from everwhen.families.tdbench.reasons import BindReason

JOINED = "joined"
"""The relation of multi-hop questions: a row shares days with the event."""

MATCH = (
    "named_struct('row_id', m.row_id, 'answer', m.answer, 'start', m.stated_start, 'end', m.stated_end,"
    f" 'is_open', m.le = {OPEN_END}, 'is_point', m.es = m.le, 'may_be_point', m.ls >= m.ee)"
)


def judge_candidates(candidates: DataFrame) -> DataFrame:
    """Find the rows that answer, by the window that each question puts on them.

    Args:
        candidates: Questions with members (all rows of the key, as positions), the columns of the window, relation,
            conditions, b_start, b_end, is_for_points, is_points, is_inclusive (of the table) and early_reason (why the
            question is not asked, whatever the answer; or null).

    Returns:
        The same without members, window, is_points and is_inclusive; with matches (array of row_id, answer, start, end,
        is_open, is_point, may_be_point), answer (distinct, sorted), is_near_miss (no row fits, but one does when a time
        of b moves by one unit), is_narrowed (whether a row of the key is) and reason (why the question is not asked; or
        null).
    """
    fits = derive_columns(
        candidates,
        matches=f"transform(filter(members, m -> {fits_surely()}), m -> {MATCH})",
        is_narrowed="exists(members, m -> m.is_narrowed)",
        is_impossible=is_impossible(),
        is_undecided=f"exists(members, m -> {fits_possibly()} AND NOT {fits_surely()})",
        # What holds during an event does so from before its start to after its end, or it has passed on meanwhile.
        is_partial=f"relation = '{JOINED}' AND exists(members, m -> {fits_surely()} AND"
        " (m.ls > b_start OR m.ee < b_end))",
    ).drop(*WINDOW, "is_points", "is_inclusive")
    answered = derive_columns(
        fits,
        answer="sort_array(array_distinct(matches.answer))",
        is_near=f"NOT is_undecided AND size(matches) = 0 AND {fits_nearly()}",
    ).drop("members")
    return derive_columns(
        answered,
        is_near_miss="is_near",
        reason=(
            f"CASE WHEN early_reason IS NOT NULL THEN early_reason WHEN is_impossible THEN '{BindReason.IMPOSSIBLE}'"
            f" WHEN is_undecided THEN '{BindReason.UNDECIDED}'"
            f" WHEN NOT is_for_points AND exists(matches, m -> m.may_be_point) THEN '{BindReason.POINT}'"
            f" WHEN relation = '{JOINED}' AND size(answer) = 0 THEN '{BindReason.NOBODY}'"
            f" WHEN relation = '{JOINED}' AND (size(answer) > 1 OR is_partial) THEN '{BindReason.CHANGED_HANDS}'"
            f" WHEN size(answer) > {MAX_ANSWERS} THEN '{BindReason.TOO_MANY}' END"
        ),
    ).drop("is_undecided", "is_near", "is_partial", "is_impossible")
