"""The stage: tuples, the documents that imply them, and the queries that ask for what is implied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.hashing import assign_split, derive_id, hash_text, refuse_duplicate_ids
from everwhen.core.record_counts import count_records, sum_counts
from everwhen.core.session import checkpoint
from everwhen.families.impliret.config import NAME, ImpliretSettings, Pool, list_pools, read_settings
from everwhen.families.impliret.draws.sets import TupleSet, Words, load_words
from everwhen.families.impliret.landmarks import choose_landmarks, find_landmarks, require_countries
from everwhen.families.impliret.reasons import TextReason
from everwhen.families.impliret.rewriting import GRAMMAR, add_rewritings
from everwhen.families.impliret.tables import DOCUMENTS, QRELS, QUERIES, TABLES, TUPLES
from everwhen.families.impliret.texts.compose import compose
from everwhen.tables.facts import ENTITIES, STATEMENTS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import NAMES, POPULARITY

DRAWN = pa.schema(
    [
        *((name, pa.string()) for name in ("pool", "category", "style")),
        *((name, pa.int32()) for name in ("set_number", "place")),
        *((name, pa.string()) for name in ("topic", "speaker", "other_speaker", "deed", "brand", "item")),
        *((name, pa.int32()) for name in ("model", "other_model", "base_price", "percent")),
        *((name, pa.string()) for name in ("other_brand", "direction", "activity", "purpose")),
        ("factor", pa.decimal128(4, 2)),
        ("message_date", pa.date32()),
        ("offsets", pa.list_(pa.int32())),
        *((name, pa.int32()) for name in ("message_hour", "start_hour", "hours", "asked_index", "asked_hour")),
    ]
)
"""What is drawn of a tuple."""

WRITTEN = pa.schema([("document", pa.string()), ("query", pa.string()), ("opening", pa.string())])
"""What is written of a tuple: the document, the query, and the first post of its thread."""

LANDMARK = {
    **{name: "string" for name in ("landmark_name", "landmark_phrase", "country_name", "country_phrase")},
    **{name: "bigint" for name in ("landmark", "country")},
    "statement_ids": "array<string>",
}
"""What tuples have of landmarks; phrases have the article within sentences."""

SETS = 50
"""Sets that are drawn together, to 1,500 rows."""


def run_impliret(build: Build) -> None:
    """Write the tables of the stage, unless all are there."""
    if build.has_all(NAME, TABLES):
        return
    settings, seed = read_settings(build.config), str(build.config.seed)
    landmarks, counts = judge_landmarks(build, settings)
    pools = [pool for pool in list_pools(settings) if landmarks is not None or pool.category != "wknow"]
    drawn = derive_tuples(draw_tuples(build, pools, choose_words(build, settings)), seed)
    located = add_landmarks(drawn, landmarks, settings.tuples, seed).transform(checkpoint)
    tuples = build.materialize(TUPLES, lambda: TUPLES.select(located))
    written = add_rewritings(build, write_texts(located, seed), settings.rewriting).transform(checkpoint)
    documents = build.materialize(DOCUMENTS, lambda: DOCUMENTS.select(describe_documents(written)))
    queries = build.materialize(QUERIES, lambda: QUERIES.select(ask(build, written)))
    grade = F.lit(1).alias("grade")
    build.materialize(QRELS, lambda: QRELS.select(tuples.select("query_id", "doc_id", grade)))
    for table, name in ((documents, "doc_id"), (queries, "query_id")):
        refuse_duplicate_ids(table, name, F.col("text"))
    nothing = F.lit(None).cast("string")
    counts.append(count_records(tuples.withColumn("reason", nothing), "tuple", F.col("query_id").cast("string")))
    if settings.rewriting:
        is_kept = F.when(F.col("verbalised_by") == GRAMMAR, TextReason.NOT_REWRITTEN)
        rewritten = written.withColumn("reason", is_kept)
        counts.append(count_records(rewritten, "text to rewrite", F.col("doc_id").cast("string")))
    build.materialize(record_counts(NAME), lambda: sum_counts(counts))


def judge_landmarks(build: Build, settings: ImpliretSettings) -> tuple[DataFrame | None, list[DataFrame]]:
    """Judge the landmarks of the facts, and count them.

    Returns:
        The usable ones, and the counts; None where nobody asks for them, or by default where there are too few.

    Raises:
        InputError: There are too few, and the configuration asks for them.
    """
    if settings.categories and "wknow" not in settings.categories:
        return None, []
    judged = find_landmarks(*map(build.read, (STATEMENTS, ENTITIES, NAMES, POPULARITY))).transform(checkpoint)
    counts = [count_records(judged, "landmark", F.concat(F.lit("Q"), "landmark"))]
    try:
        require_countries(judged, settings.tuples)
    except InputError as error:
        if settings.categories:
            raise
        build.log(f"{error}; wknow is left out")
        return None, counts
    return judged.where("reason IS NULL"), counts


def add_landmarks(drawn: DataFrame, landmarks: DataFrame | None, tuples: int, seed: str) -> DataFrame:
    """Add the landmark of each tuple that has one, and what of it is published or written."""
    if landmarks is None:
        return drawn.withColumns({name: F.lit(None).cast(type_) for name, type_ in LANDMARK.items()})
    sets = drawn.where("pool LIKE 'wknow%'").select(F.col("set_id").alias("set_key")).distinct()
    chosen = choose_landmarks(landmarks, sets, tuples, seed).withColumnRenamed("set_key", "set_id")
    return drawn.join(chosen.select("set_id", "place", *LANDMARK), ["set_id", "place"], "left")


def choose_words(build: Build, settings: ImpliretSettings) -> Words:
    """Choose what tuples name: of the brands those that are no labels of the facts."""
    words = load_words()
    if settings.categories and "arithmetic" not in settings.categories:
        return words
    labels = build.read(ENTITIES).select(F.lower("label").alias("label"))
    brands = build.spark.createDataFrame([(brand,) for brand in words.brands], "brand string")
    clashes = brands.join(labels, F.lower("brand") == F.col("label"), "left_semi").collect()
    known = {row["brand"] for row in clashes}
    return replace(words, brands=[brand for brand in words.brands if brand not in known])


def draw_tuples(build: Build, pools: Sequence[Pool], words: Words) -> DataFrame:
    """Draw the tuples of all sets: the columns of DRAWN."""
    settings, seed = read_settings(build.config), str(build.config.seed)
    numbers = [(place, number) for place in range(len(pools)) for number in range(settings.sets)]
    slices = -(-len(numbers) // SETS)
    sets = build.spark.createDataFrame(numbers, "pool int, number int").repartitionByRange(slices, "pool", "number")

    def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                pool = pools[row["pool"]]
                drawn = TupleSet(seed, pool, row["number"], settings, words).draw()
                named = {"pool": pool.name, "category": pool.category, "style": pool.style, "set_number": row["number"]}
                yield from pa.Table.from_pylist([named | each for each in drawn], DRAWN).to_batches()

    return sets.mapInArrow(draw, from_arrow_schema(DRAWN))


def derive_tuples(drawn: DataFrame, seed: str) -> DataFrame:
    """Derive what is implied, and ids: the columns of the table `tuples`."""

    def identify(what: str, *numbers: str) -> Column:
        texts = [hash_text(each) for each in (F.lit(seed), F.lit(NAME), F.lit(what), F.col("pool"))]
        return derive_id(F.array(*texts, *numbers))

    is_higher = F.col("direction") == "higher"
    percent = F.when(is_higher, 100 + F.col("percent")).otherwise(100 - F.col("percent"))
    times = F.when(is_higher, F.col("base_price") * F.col("factor")).otherwise(F.col("base_price") / F.col("factor"))
    price = F.coalesce(F.col("base_price") * percent / 100, times).cast("int")
    dates = F.transform("offsets", lambda days: F.date_add("message_date", days))
    return drawn.withColumns(
        {
            "query_id": identify("query", "set_number", "place"),
            "doc_id": identify("document", "set_number", "place"),
            "set_id": identify("set", "set_number"),
            "price": price,
            "dates": dates,
        }
    ).withColumn("asked_date", F.get("dates", F.col("asked_index")))


def write_texts(tuples: DataFrame, seed: str) -> DataFrame:
    """Write the documents and queries of tuples: their columns, document, query and opening."""
    schema = to_arrow_schema(tuples.schema)
    written = pa.schema([*schema, *WRITTEN])

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            texts = pa.Table.from_pylist([compose(row, seed) for row in rows.to_pylist()], WRITTEN)
            for name in texts.column_names:
                rows = rows.append_column(name, texts[name])
            yield from rows.to_batches()

    return tuples.mapInArrow(write, from_arrow_schema(written))


def ask(build: Build, written: DataFrame) -> DataFrame:
    """Ask for what is implied: the columns of the table `queries`."""
    answer = F.coalesce(
        F.when(F.col("deed").isNotNull(), F.col("speaker")),
        F.concat("brand", F.lit(" "), F.coalesce(F.col("model").cast("string"), "item")),
        "activity",
        "purpose",
    )
    of_set = Window.partitionBy("set_id")
    others = F.collect_set("message_date").over(of_set)
    return written.withColumns(
        {
            "text": F.col("query"),
            "answer": F.array(answer),
            "has_lure": F.coalesce(F.array_contains(others, F.col("asked_date")), F.lit(False)),
            "split": assign_split(F.col("set_id"), build.config),
        }
    )


def describe_documents(written: DataFrame) -> DataFrame:
    """Describe the documents: the columns of the table `documents`."""
    return written.withColumns({"text": F.col("document"), "words": F.size(F.split("document", r"\s+"))})
