"""Pages of a wiki before their text is parsed: from wikitext files and from pages-articles XML."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.facts.decompression import require_bounded
from everwhen.facts.locations import to_file_name

PAGES = "file string, title string, redirect string, form string, text string, reason string"
"""Title; where it redirects to (null: it is no redirect); whether `text` is wikitext or xml; why it is not read."""

LARGEST = 64 << 20
"""Bytes of the largest page, in its own file or as XML, that is read into memory."""
TOO_LARGE = RejectReason.PAGE_TOO_LARGE.with_detail(limit=LARGEST >> 20)
MALFORMED = frozenset(
    {RejectReason.EMPTY_FILE, TOO_LARGE, RejectReason.NOT_UTF_8, RejectReason.NO_TITLE, RejectReason.CUT_OFF}
)


def read_wikitext_pages(spark: SparkSession, files: list[str]) -> DataFrame:
    """Read the files as pages (`PAGES`), titled by their names without suffix."""
    if not files:
        return spark.createDataFrame([], PAGES)
    named = spark.createDataFrame([(file.replace("\\", ""),) for file in files], "path string")
    found = spark.read.format("binaryFile").load(files)
    # A file is not read where only its length is asked for.
    fit = found.where(F.col("length") <= LARGEST).select("path", "content", F.lit(None).cast("string").alias("why"))
    large = found.where(F.col("length") > LARGEST).select(
        "path", F.lit(b"").alias("content"), F.lit(TOO_LARGE).alias("why")
    )
    contents = fit.unionByName(large)
    text = F.try_validate_utf8(F.col("content").cast("string"))
    # Spark leaves out files without a byte; the join keeps them.
    return named.join(contents, on="path", how="left").select(
        F.regexp_replace("path", "^file:/*", "/").alias("file"),
        F.regexp_extract("path", r"([^/]*)\.wikitext$", 1).alias("title"),
        F.lit(None).cast("string").alias("redirect"),
        F.lit("wikitext").alias("form"),
        text.alias("text"),
        F.when(F.col("content").isNull(), F.lit(RejectReason.EMPTY_FILE))
        .when(text.isNull(), F.lit(RejectReason.NOT_UTF_8))
        .otherwise(F.col("why"))
        .alias("reason"),
    )


def read_xml_pages(spark: SparkSession, files: list[str], seen: Observation | None = None) -> DataFrame:
    """Read the pages of pages-articles XML (`PAGES`): plain, .bz2 or .gz, one or many streams.

    Spark splits the text at the closing tag of a page, so plain and .bz2 files are read by many tasks, and no document
    is ever built: what would be a document type, with entities to expand, is never read. Only pages titled by a number
    keep their text, still as XML.

    Args:
        spark: The session.
        files: The files.
        seen: Gets the metric `pages` with the first action on the result: pages counted before anything is looked at.

    Raises:
        InputError: A file unpacks to a page without end.
    """
    if not files:
        return spark.createDataFrame([], PAGES)
    require_bounded(spark, files, LARGEST, b"</page>")
    records = spark.read.option("lineSep", "</page>").text(files).where(F.col("value").contains("<page>"))
    if seen is not None:
        records = records.observe(seen, F.count(F.lit(1)).alias("pages"))
    fields = records.select(
        to_file_name(F.col("_metadata.file_path")).alias("file"),
        F.concat(F.lit("<page>"), F.substring_index("value", "<page>", -1)).alias("page"),
    ).select(
        "file",
        F.make_valid_utf8("page").alias("page"),
        F.is_valid_utf8("page").alias("is_utf8"),
        _unescape(F.regexp_extract("page", "<title>([^<]*)</title>", 1)).alias("title"),
        F.regexp_extract("page", "<ns>(-?[0-9]+)</ns>", 1).alias("namespace"),
        F.regexp_extract("page", r'<redirect title="([^"<]*)"', 1).alias("target"),
    )
    is_number = F.col("title").rlike("^[0-9]+$")
    reason = (
        F.when(~F.col("page").contains("</revision>"), F.lit(RejectReason.CUT_OFF))
        .when(~F.col("is_utf8"), F.lit(RejectReason.NOT_UTF_8))
        .when(F.col("title") == "", F.lit(RejectReason.NO_TITLE))
        .when(F.col("namespace") != "0", F.lit(RejectReason.NOT_AN_ARTICLE))
    )
    return fields.select(
        "file",
        "title",
        F.when(F.col("target") != "", _unescape(F.col("target"))).alias("redirect"),
        F.lit("xml").alias("form"),
        F.when(is_number, F.concat("page", F.lit("</page>"))).otherwise(F.substring("page", 1, 200)).alias("text"),
        reason.alias("reason"),
    )


def _unescape(text: Column) -> Column:
    """Replace the five entities that the export writes in a title."""
    for entity, character in (("&quot;", '"'), ("&#039;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = F.replace(text, F.lit(entity), F.lit(character))
    return text
