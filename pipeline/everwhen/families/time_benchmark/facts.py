"""Facts that texts mention: statements with times, seen from both sides, and whether a side is complete."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.time_benchmark.phrases import load_phrases
from everwhen.families.time_benchmark.reasons import FactReason
from everwhen.language.prose import add_articles, write_sentences
from everwhen.language.prose_spark import choose_alone, gather_tables
from everwhen.language.prose_templates import load_prose
from everwhen.tables.world import BEGUN, ENDED, POINT
from everwhen.temporal.allen import BOUNDS
from everwhen.temporal.precision import Precision

OFFICE, MEMBERSHIPS = 39, (102, 463)
"""The properties whose facts may read alike: she was a member of the council, and joined the party."""
SPOUSE = 26
"""The symmetric property among those in use: its facts have one side."""


def judge_statements(statements: DataFrame, temporal_facts: DataFrame, names: DataFrame) -> DataFrame:
    """Judge the statements of the properties in use that are not deprecated: which of them texts mention.

    Args:
        statements: Table `statements`.
        temporal_facts: Table `temporal_facts`.
        names: Table `names`.

    Returns:
        The columns of the table `facts`, and reason; null where a statement is mentioned.
    """
    asked = (F.col("property").isin(*load_phrases())) & (F.col("rank") != "deprecated") & (F.col("snak") != "novalue")
    times = temporal_facts.select("statement_id", "kind", F.col("reason").alias("time_reason"), *BOUNDS, *_TIMES)
    labels = names.where("method = 'label'")
    named = statements.where(asked).join(times, on="statement_id", how="left")
    for end, name in (("subject", "subject_name"), ("value_item", "value_name")):
        named = named.join(labels.select(F.col("entity").alias(end), F.col("label").alias(name)), end, "left")
    same_reading = Window.partitionBy("subject", "reading")
    named = named.withColumn("reading", _find_reading())
    has_same_clause = F.col("reading").isNotNull() & (
        F.min("property").over(same_reading) < F.max("property").over(same_reading)
    )
    first = F.row_number().over(Window.partitionBy(list_ends(), "property", "kind", *BOUNDS).orderBy("statement_id"))
    reason = F.coalesce(
        F.when((F.col("snak") != "value") | F.col("value_item").isNull(), FactReason.NO_VALUE),
        F.when(F.col("kind").isNull() & F.col("time_reason").isNull(), FactReason.UNDATED),
        F.col("time_reason"),
        F.when(F.col("subject") == F.col("value_item"), FactReason.SAME),
        F.when(
            F.least(*(F.coalesce(name, F.lit(int(Precision.DAY))) for name in _PRECISIONS)) < Precision.YEAR,
            FactReason.COARSE,
        ),
        F.when(F.col("subject_name").isNull() | F.col("value_name").isNull(), FactReason.NO_NAME),
        F.when(F.array_contains(F.array(*_CALENDARS), "julian"), FactReason.JULIAN),
        F.when(has_same_clause, FactReason.SAME_CLAUSE),
        F.when(first > 1, FactReason.DUPLICATE),
    )
    return _add_texts(choose_alone(named.withColumn("reason", reason).drop("reading"))).withColumns(_bound())


_PRECISIONS = ("start_precision", "end_precision")
_CALENDARS = ("start_calendar", "end_calendar")
_TIMES = (*_PRECISIONS, *_CALENDARS)


def list_ends() -> Column:
    """List the ends of a fact: subject and value, those of spouses in the order of their ids."""
    ends = F.array("subject", "value_item")
    return F.when(F.col("property") == SPOUSE, F.sort_array(ends)).otherwise(ends)


def _find_reading() -> Column:
    """Find the body of a membership, or of the office of its members; null of other statements."""
    body = F.regexp_replace(F.lower("value_name"), "^(member of )?(the )?", "")
    is_member = (F.col("property") == OFFICE) & F.startswith(F.lower("value_name"), F.lit("member of "))
    return F.when(F.col("property").isin(*MEMBERSHIPS) | is_member, body)


def _bound() -> dict[str, Column]:
    """Bound each fact by the days that its times may mean: null where a bound is open."""
    kind = F.col("kind")
    return {
        "earliest_start": F.when(~kind.isin(ENDED, POINT), F.col("earliest_start")),
        "latest_start": F.when(kind == ENDED, F.col("latest_end")).otherwise(F.col("latest_start")),
        "earliest_end": F.when(kind == BEGUN, F.col("earliest_start")).otherwise(F.col("earliest_end")),
        "latest_end": F.when(~kind.isin(BEGUN, POINT), F.col("latest_end")),
    }


def _add_texts(judged: DataFrame) -> DataFrame:
    """Add the names as clauses have them, with articles, and reject what no sentence mentions."""
    prose, columns = load_prose(), judged.columns

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for rows in gather_tables(batches):
            reasons = rows["reason"].to_pylist()
            usable = [row for row, reason in enumerate(reasons) if reason is None]
            failed = write_sentences(rows.take(pa.array(usable, pa.int64())), prose)["reason"].is_valid().to_pylist()
            for row in compress(usable, failed):
                reasons[row] = FactReason.NO_PROSE.value
            rows = rows.set_column(rows.column_names.index("reason"), "reason", pa.array(reasons, pa.string()))
            for part in ("subject", "value"):
                rows = rows.append_column(f"{part}_phrase", _add_article(rows, part))
            yield from rows.to_batches()

    def _add_article(rows: pa.Table, part: str) -> pa.Array:
        """Write the names of one end with their articles."""
        names, numbers = rows[f"{part}_name"], np.asarray(rows["property"])
        found = np.empty(len(names), object)
        for number in np.unique(numbers).tolist():
            (where,) = np.nonzero(numbers == number)
            rules = prose.styles[getattr(prose.properties[number], part)]
            found[where] = add_articles(names.take(where).combine_chunks(), rules).to_pylist()
        return pa.array(found, pa.string())

    schema = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in judged.schema.fields)
    return judged.select(*columns).mapInArrow(write, f"{schema}, subject_phrase string, value_phrase string")


def list_sides(facts: DataFrame) -> DataFrame:
    """List each fact from both sides: the entity whose story may mention it, and the other end.

    Args:
        facts: Columns subject, value_item and property, and any others.

    Returns:
        The columns of the facts, and entity, side (subject or value) and other. Spouses are all on the side subject.
    """
    sides = F.array(
        *(
            F.struct(F.col(entity).alias("entity"), F.lit(side).alias("side"), F.col(other).alias("other"))
            for entity, side, other in (("subject", "subject", "value_item"), ("value_item", "value", "subject"))
        )
    )
    both = facts.select("*", F.explode(sides).alias("seen")).select("*", "seen.*").drop("seen")
    return both.withColumn("side", F.when(F.col("property") == SPOUSE, "subject").otherwise(F.col("side")))


def find_whole_timelines(judged: DataFrame) -> DataFrame:
    """Find the timelines, a property on one side of an entity, all of whose statements are facts or repeat one.

    Args:
        judged: As `judge_statements` returns them.

    Returns:
        Columns entity, property, side and size, how many facts it has.
    """
    is_fact = F.col("reason").isNull()
    is_mentioned = is_fact | (F.col("reason") == FactReason.DUPLICATE.value)
    return (
        list_sides(judged)
        .where("entity IS NOT NULL")
        .groupBy("entity", "property", "side")
        .agg(F.bool_and(is_mentioned).alias("whole"), F.count_if(is_fact).alias("size"))
        .where("whole")
        .drop("whole")
    )
