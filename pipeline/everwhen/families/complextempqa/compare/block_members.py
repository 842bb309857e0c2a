"""The members of all blocks: subjects that can be compared, in the order of their values, with their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.arrays import find_runs
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.declared import select_unique_descriptions
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.budget import select_comparisons
from everwhen.families.complextempqa.compare.blocks import Block
from everwhen.families.complextempqa.compare.comparable import BLOCK, COMPARED_BY, OFFICE, find_year, list_comparable
from everwhen.families.complextempqa.compare.quotas import compute_own_share
from everwhen.families.complextempqa.compare.subjects import Subjects
from everwhen.families.complextempqa.screen.recognition import reject_unrecognised_names
from everwhen.families.complextempqa.template import Template
from everwhen.wikidata.properties import Property

DAYS_APART = 30
"""Compared times are further apart: the order of events in one month is often disputed, and nobody asks for it."""

AMOUNTS_APART = 0.05
"""Amounts that are compared differ by a larger share: counts of victims and running times differ by source."""


@dataclass(frozen=True)
class BlockMembers:
    """The members of all blocks.

    Attributes:
        rows: One row a member, those of a block together and in the order of their values: entity, subject (its number,
            from 0), year (the first that its name mentions, 0 for none), series (a hash of its name without the
            number, 0 where it has none), own (the number of what is compared in its block), keys (the numbers of all
            that it is compared by, in whichever block, ascending), forms (its descriptions that do not give the
            answer: form, a hash of the description's key, number, the description's, and year, as of the name).
        subjects: What is asked about, one row an entity by number: number, entity, name, long_name, label, popular,
            countries, earliest_start, latest_end, topic.
        descriptions: The descriptions, by number: number, entity, key, description.
        blocks: The blocks, by number.
        words: Of what subjects are compared by (COMPARED_BY): property, hops, words, noun, which, and OFFICE.
        judged: The candidates: entity, key, and reason, why a subject is not a member.
        salts: By key, what salts who is named first and in which direction is asked, a bigint.
    """

    rows: pa.Table
    subjects: DataFrame
    descriptions: DataFrame
    blocks: list[Block]
    words: DataFrame
    judged: DataFrame
    salts: dict[str, int]

    def build_subjects(self) -> Subjects:
        """Make what chooses subjects by number."""
        return Subjects(self.blocks, self.rows, self.salts)


def arrange_members(world: WorldTables, templates: Sequence[Template]) -> BlockMembers:
    """Put all that can be compared into blocks.

    Events are compared by their time with those of their group of lists, people by their terms with those of the same
    office, all else with what is in its list (`EntityList.group`); and of these with those that share what the list
    names (`EntityList.alike_by`).

    Args:
        templates: The templates; what none of them compares is in no block.
    """
    judged = reject_unrecognised_names(list_comparable(world).transform(checkpoint), world.named_texts)
    asked = sorted({f"{t.params['kind']} {t.params['by']}" for t in select_comparisons(templates)})
    compared = judged.where("reason IS NULL").where(F.concat_ws(" ", "kind", "by").isin(asked)).drop("reason")
    subjects = _number_subjects(compared.select("subject.*").drop_duplicates(["entity"]), world)
    descriptions, forms = _number_descriptions(world, compared)
    rows = _order_members(world, compared, subjects, forms).toArrow()
    lists = (
        F.when(F.col("on_list") != "", F.col("subject.noun")),
        F.when(F.col("on_list") != "", F.col("subject.which")),
    )
    words = (
        compared.groupBy(*COMPARED_BY)
        .agg(
            F.min("value.property").alias("property"),
            F.min("value.hops").alias("hops"),
            F.min(lists[0]).alias("noun"),
            F.min(lists[1]).alias("which"),
            *(F.min(name).alias(name) for name in OFFICE),
        )
        .join(F.broadcast(world.words), on="key", how="left")
    )
    passed = judged.select(F.col("subject.entity").alias("entity"), "key", "reason")
    rest = [*BLOCK, "first", "tied", "order"]
    salted = compared.select("key").distinct().select("key", world.hash_of("order", "key").alias("salt"))
    salts = {row["key"]: row["salt"] for row in salted.collect()}
    return BlockMembers(rows.drop_columns(rest), subjects, descriptions, _build_blocks(rows), words, passed, salts)


def _number_subjects(subjects: DataFrame, world: WorldTables) -> DataFrame:
    """Subjects with their names, and a number each."""
    named = subjects.join(world.named_texts, on="entity", how="inner")
    return named.select(
        (F.row_number().over(Window.orderBy("entity")) - 1).alias("number"),
        *("entity", "name", "long_name", "label", "popular", "countries", "earliest_start", "latest_end", "topic"),
    ).transform(checkpoint)


def _number_descriptions(world: WorldTables, compared: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Number the descriptions of what is compared, and list by subject and key those that do not give the answer."""
    subjects = compared.select("subject.entity").distinct()
    read = select_unique_descriptions(world).join(subjects, on="entity", how="left_semi")
    descriptions = read.withColumn("number", F.row_number().over(Window.orderBy("entity", "key")) - 1).transform(
        checkpoint
    )
    asked = compared.select(
        F.col("subject.entity").alias("entity"),
        F.col("key").alias("by_key"),
        # A subject that follows another is later: such a description would give the answer where times are compared.
        F.concat(
            "value.hops",
            F.array_compact(F.array("value.property", F.when(F.col("value.amount").isNull(), Property.FOLLOWS.value))),
        ).alias("asked"),
    ).distinct()  # somebody may have held several offices
    form = F.struct(F.xxhash64("key").alias("form"), "number", find_year("description").alias("year"))
    forms = (
        asked.join(descriptions, on="entity", how="inner")
        .where(~F.arrays_overlap("properties", "asked"))
        .groupBy("entity", "by_key")
        .agg(F.sort_array(F.collect_list(form)).alias("forms"))
    )
    return descriptions.select("number", "entity", "key", "description"), forms


def _order_members(world: WorldTables, compared: DataFrame, subjects: DataFrame, forms: DataFrame) -> DataFrame:
    """Order the members: the columns of `BlockMembers.rows`, BLOCK, and first, tied and order (see `Block`)."""
    numbers = subjects.select("entity", F.col("number").cast("int").alias("subject"))
    days = {name: F.unix_date(f"value.{name}").cast("double") for name in ("first_day", "last_day")}
    amount = F.col("value.amount").cast("double")
    is_time = F.col("value.amount").isNull()
    rows = compared.select(
        *BLOCK,
        F.col("subject.entity").alias("entity"),
        # On one axis: the value begins at `low`, and values compared with it begin after `high`.
        F.when(is_time, days["first_day"]).otherwise(amount).alias("low"),
        F.when(is_time, days["last_day"] + DAYS_APART).otherwise(amount + AMOUNTS_APART * F.abs(amount)).alias("high"),
        "year",
        "series",
    ).withColumn("order", world.hash_of("seat", "key", "entity"))
    rows = rows.join(F.broadcast(_number_keys(world, compared)), on=list(COMPARED_BY), how="inner")
    keys = rows.groupBy("entity").agg(F.sort_array(F.collect_list("own")).alias("keys"))
    return (
        _with_first(rows)
        .withColumn("tied", F.rank().over(Window.partitionBy(*BLOCK).orderBy("low")) - 1)
        .join(keys, on="entity", how="inner")
        .join(numbers, on="entity", how="inner")
        .join(forms.withColumnRenamed("by_key", "key"), on=["entity", "key"], how="left")
        .orderBy(*BLOCK, "low", "order", "entity")
        .select(
            *BLOCK,
            "entity",
            "subject",
            F.col("first").cast("bigint").alias("first"),
            F.col("tied").cast("bigint").alias("tied"),
            "order",
            "year",
            "series",
            "own",
            "keys",
            F.coalesce("forms", F.array().cast("array<struct<form:bigint,number:int,year:int>>")).alias("forms"),
        )
    )


def _number_keys(world: WorldTables, compared: DataFrame) -> DataFrame:
    """A number for all that subjects are compared by: COMPARED_BY and own. A seeded hash is their order."""
    blocks = compared.select(*COMPARED_BY).distinct()
    order = Window.orderBy(world.hash_of("block", *COMPARED_BY), *COMPARED_BY)
    return blocks.withColumn("own", F.row_number().over(order))


def _with_first(rows: DataFrame) -> DataFrame:
    """Add `first`: how many subjects of the block have a value that is not surely greater, itself among them.

    Lows and highs share one axis: one running sum counts the lows at or before each high.
    """
    axis = rows.select(*BLOCK, "entity", F.col("low").alias("at"), F.lit(1).alias("one"), F.lit(0).alias("end"))
    ends = rows.select(*BLOCK, "entity", F.col("high").alias("at"), F.lit(0).alias("one"), F.lit(1).alias("end"))
    running = Window.partitionBy(*BLOCK).orderBy("at").rangeBetween(Window.unboundedPreceding, Window.currentRow)
    counted = axis.unionByName(ends).withColumn("first", F.sum("one").over(running)).where("end = 1")
    return rows.join(counted.select(*BLOCK, "entity", "first"), on=[*BLOCK, "entity"], how="inner")


def _build_blocks(rows: pa.Table) -> list[Block]:
    """Build the blocks of the members, in order."""
    keys = [rows[name].combine_chunks().dictionary_encode().indices.to_numpy() for name in BLOCK]
    arrays = {name: rows[name].to_numpy() for name in ("first", "tied", "order")}
    described = pc.list_value_length(rows["forms"].combine_chunks()).to_numpy() > 0
    found = []
    for number, (start, end) in enumerate(find_runs(*keys)):
        named = {name: rows[name][start].as_py() for name in BLOCK}
        sets = Counter(tuple(each) for each in rows["keys"].slice(start, end - start).to_pylist())
        found.append(
            Block(
                number=number,
                **{"list" if name == "on_list" else name: value for name, value in named.items()},
                offset=start,
                **{name: values[start:end] for name, values in arrays.items()},
                described=int(described[start:end].sum()),
                own=compute_own_share(list(sets.items())),
            )
        )
    return found
