"""Property paths in balance: no path has more than a twelfth of the questions about attributes that follow one."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.quotas import keep_least
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.reasons import BindingReason

MIN_PATHS = 12
"""Of more paths than this none has more than a twelfth; of as many or fewer all are kept. Comparisons follow paths too,
and with them no path shall have more than a tenth."""


def keep_paths_in_balance(judged: DataFrame) -> DataFrame:
    """Give a reason to questions about attributes whose path is asked too often; the least ids of each path are kept.

    As many as possible are kept: where each path is asked M times at most, M is the greatest number that is no more
    than a twelfth of all that is left.

    Args:
        judged: Candidates (`bindings.select_judged`).
    """
    is_asked = (F.col("path") != "") & F.col("reason").isNull()
    rows = judged.where(is_asked).select("path", "question_id")
    counts = rows.groupBy("path").agg(F.count(F.lit(1)).alias("n")).transform(checkpoint)
    most = counts.agg(F.reverse(F.sort_array(F.collect_list("n"))).alias("most"))
    often = counts.crossJoin(F.broadcast(most.select(_limit().alias("most")))).where("n > most").select("path", "most")
    return keep_least(judged, often, "question_id", BindingReason.COMMON_PATH, is_asked)


def _limit() -> Column:
    """How often a path may be asked, from `most`: how often each is, the greatest first; null where they are few.

    With M of each path at most, the sum of min(n, M) is the least, over j, of j * M and what the commonest j leave. M
    is a twelfth of it for each j at most.
    """
    rest = [
        F.aggregate(F.slice("most", j + 1, F.size("most")), F.lit(0).cast("bigint"), _add) for j in range(MIN_PATHS)
    ]
    bounds = [(left - F.pmod(left, F.lit(MIN_PATHS - j))) / (MIN_PATHS - j) for j, left in enumerate(rest)]
    return F.when(F.size("most") > MIN_PATHS, F.least(*bounds).cast("bigint"))


def _add(a: Column, b: Column) -> Column:
    return a + b
