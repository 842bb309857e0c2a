"""Parse year pages, from wikitext files or pages-articles XML, into dated bullets and redirects of article titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.parsers import expat

import pyarrow as pa
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from pyspark.sql import Column, DataFrame, Observation, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import count_input, count_outcomes, state_input, sum_counts
from everwhen.core.session import checkpoint
from everwhen.core.storage import find_input_files
from everwhen.facts.files import require_bounded, to_file_name
from everwhen.facts.redirects import follow_titles, read_title_redirects
from everwhen.facts.stage import Parsed, Parser
from everwhen.tables.facts import REJECTS, YEAR_PAGE_EVENTS
from everwhen.tables.record_counts import record_counts
from everwhen.wikitext.page_lines import count_lines
from everwhen.wikitext.year_page import OUT_OF_SCOPE, PageError, parse_bullets, read_lines

PAGES = "file string, title string, redirect string, form string, text string, reason string"
"""A page: `redirect` is null where it is none, `form` of the text is wikitext or xml, `reason` why it is skipped."""

MAX_PAGE_BYTES = 64 << 20
"""Bytes of the largest page, in its own file or as XML, that is read into memory."""
TOO_LARGE = RejectReason.PAGE_TOO_LARGE.with_detail(limit=MAX_PAGE_BYTES >> 20)
MALFORMED = frozenset(
    {RejectReason.EMPTY_FILE, TOO_LARGE, RejectReason.NOT_UTF_8, RejectReason.NO_TITLE, RejectReason.CUT_OFF}
)


def read_wikitext_pages(spark: SparkSession, files: list[str]) -> DataFrame:
    """Read the files as pages (`PAGES`), titled by their names without suffix."""
    if not files:
        return spark.createDataFrame([], PAGES)
    named = spark.createDataFrame([(file.replace("\\", ""),) for file in files], "path string")
    found = spark.read.format("binaryFile").load(files)
    is_large = F.col("length") > MAX_PAGE_BYTES
    # A file is not read where only its length is asked for.
    fit = found.where(~is_large).select("path", "content", F.lit(None).cast("string").alias("why"))
    large = found.where(is_large).select("path", F.lit(b"").alias("content"), F.lit(TOO_LARGE).alias("why"))
    contents = fit.unionByName(large)
    text = F.try_validate_utf8(F.col("content").cast("string"))
    # Spark leaves out files without a byte; the join keeps them.
    return named.join(contents, on="path", how="left").select(
        F.regexp_replace("path", "^file:/*", "/").alias("file"),
        F.regexp_extract("path", r"([^/]*)\.wikitext$", 1).alias("title"),
        F.lit(None).cast("string").alias("redirect"),
        F.lit("wikitext").alias("form"),
        text.alias("text"),
        F.when(F.col("content").isNull(), RejectReason.EMPTY_FILE)
        .when(text.isNull(), RejectReason.NOT_UTF_8)
        .otherwise(F.col("why"))
        .alias("reason"),
    )


def read_xml_pages(spark: SparkSession, files: list[str], seen: Observation | None = None) -> DataFrame:
    """Read the pages of pages-articles XML (`PAGES`): plain, .bz2 or .gz, one or many streams.

    Spark splits the text at the closing tag of a page, so plain and .bz2 files are read by many tasks, and no document
    is ever built: what would be a document type, with entities to expand, is never read. Only pages titled by a number
    keep their text, still as XML.

    Args:
        files: The files.
        seen: Gets the metric `pages` with the first action on the result: pages counted before anything is looked at.

    Raises:
        InputError: A file unpacks to a page without end.
    """
    if not files:
        return spark.createDataFrame([], PAGES)
    require_bounded(spark, files, MAX_PAGE_BYTES, b"</page>")
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
        F.when(~F.col("page").contains("</revision>"), RejectReason.CUT_OFF)
        .when(~F.col("is_utf8"), RejectReason.NOT_UTF_8)
        .when(F.col("title") == "", RejectReason.NO_TITLE)
        .when(F.col("namespace") != "0", RejectReason.NOT_AN_ARTICLE)
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
    for entity, character in (("&quot;", '"'), ("&#039;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = F.replace(text, F.lit(entity), F.lit(character))
    return text


PARSED = pa.schema(
    [
        ("record_type", pa.string()),
        ("records", pa.int64()),
        ("year", pa.int32()),
        ("bullets", pa.int64()),
        ("page_lines", pa.int64()),
        ("bullet", pa.int32()),
        ("line", pa.int32()),
        ("first_day", pa.date32()),
        ("last_day", pa.date32()),
        ("text", pa.string()),
        ("titles", pa.list_(pa.string())),
        ("file", pa.string()),
        ("reason", pa.string()),
    ]
)
WIKITEXT = re.compile(r".*\.wikitext")
XML = re.compile(r".*\.(xml|bz2|gz)")
LINE_BREAK = re.compile(r"\r\n?|\n")


def read_year_pages(spark: SparkSession, paths: Iterable[str], first_year: int, last_year: int) -> Parsed:
    """Read the pages of the years from `first_year` to `last_year`.

    Args:
        paths: Files, folders or globs: `<year>.wikitext`, `redirects.jsonl`, pages-articles XML (plain, .bz2, .gz). The
            `redirects.jsonl` beside a wikitext file is read too.

    Raises:
        InputError: A path has no file, or a file has another format, or a file decompresses to an endless page.
    """
    texts, dumps, redirect_files = _group_by_format(spark, find_input_files(spark, paths, "year page"))
    observed = Observation()
    unscreened = read_wikitext_pages(spark, texts).unionByName(read_xml_pages(spark, dumps, observed))
    # A checkpoint reads the files once: the steps below read the pages several times.
    pages = _deduplicate_years(_screen_pages(unscreened, first_year, last_year).transform(checkpoint))
    parsed = parse_pages(pages.where(_is_year_page())).transform(checkpoint)
    events = parsed.where("record_type = 'bullet' AND reason IS NULL")
    links = events.select(F.explode("titles").alias("title")).groupBy("title").agg(F.lit(1).alias("one"))
    moved = read_title_redirects(spark, redirect_files, pages)
    redirects = follow_titles(moved, links)
    read = parsed.agg(F.sum("bullets").alias("bullet"), F.sum("page_lines").alias("page line")).collect()[0].asDict()
    pages_read = len(texts) + (observed.get["pages"] if dumps else 0)
    records_read = {"page": pages_read, **{record_type: number or 0 for record_type, number in read.items()}}
    inputs = [state_input(spark, records_read), count_input(moved, "redirect")]
    return Parsed(
        rows=YEAR_PAGE_EVENTS.select(events),
        redirects=redirects.kept,
        rejects=_collect_rejects(pages, parsed).unionByName(redirects.rejects),
        record_counts=record_counts("facts").select(
            sum_counts([*inputs, _count_outcomes(pages, parsed, redirects.decided)])
        ),
    )


def parse_pages(pages: DataFrame) -> DataFrame:
    """Parse pages (year, file, form, text) into one row for each page, for each bullet and for each kind of its lines.

    The kinds of lines (`record_type` page line) are why they state nothing, or that they are of bullets; `records` is
    how many they are. The row of a page has the numbers of its entries and lines: these are counted independently.
    """
    return pages.select("year", "file", "form", "text").mapInArrow(parse_batches, from_arrow_schema(PARSED))


def parse_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Parse batches of (year, file, form, text) into batches of `PARSED`, one for each page."""
    for batch in batches:
        for row in batch.to_pylist():
            yield pa.RecordBatch.from_pylist(list(_parse_page(**row)), schema=PARSED)


def _parse_page(year: int, file: str, form: str, text: str) -> Iterator[dict[str, object]]:
    place: dict[str, object] = {"year": year, "file": file}
    page = {**place, "record_type": "page", "records": 1, "text": text[:200]}
    try:
        wikitext = extract_wikitext(text) if form == "xml" else text
        lines = read_lines(wikitext)
    except PageError as error:
        yield {**page, "reason": str(error)}
        return
    entries = sum(line.reason is None for line in lines)
    yield {**page, "bullets": entries, "page_lines": len(LINE_BREAK.findall(wikitext)) + 1}
    for reason, number in sorted(count_lines(lines).items(), key=str):
        yield {**place, "record_type": "page line", "records": number, "reason": reason, "text": file}
    for bullet in parse_bullets(year, lines):
        yield {
            **place,
            "record_type": "bullet",
            "records": 1,
            "bullet": bullet.number,
            "line": bullet.line,
            "first_day": bullet.first_day,
            "last_day": bullet.last_day,
            "text": bullet.text,
            "titles": list(bullet.titles),
            "reason": bullet.reason,
        }


def extract_wikitext(page: str) -> str:
    """Extract the text of a page's last revision.

    Raises:
        PageError: The page is not well-formed XML, has no text, or uses entities that XML does not define. Exports have
            no such entities, and none is expanded or fetched.
    """
    try:
        texts = fromstring(page, forbid_dtd=True).findall("revision/text")
    except DefusedXmlException:
        raise PageError("XML with a document type") from None
    except ParseError as error:
        undefined = error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]
        raise PageError("XML with an entity of its own" if undefined else "not well-formed XML") from None
    if not texts or not texts[-1].text:
        raise PageError(RejectReason.NO_TEXT)
    return texts[-1].text


def _group_by_format(spark: SparkSession, files: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Group files into wikitext, XML and redirects; a wikitext file adds the `redirects.jsonl` beside it."""
    texts, dumps, redirects = [], [], set()
    for file in files:
        folder, _, name = file.rpartition("/")
        if WIKITEXT.fullmatch(name):
            texts.append(file)
            redirects.update(_find_if_present(spark, f"{folder}/redirects.jsonl"))
        elif name == "redirects.jsonl":
            redirects.add(file)
        elif XML.fullmatch(name):
            dumps.append(file)
        elif not name.endswith(".json"):  # the manifest that a pull leaves beside its pages
            raise InputError(f"{file}: no year page: <year>.wikitext, .xml, .bz2 or .gz is expected")
    return texts, dumps, sorted(redirects)


def _find_if_present(spark: SparkSession, path: str) -> list[str]:
    try:
        return find_input_files(spark, [path], "redirects")
    except InputError:
        return []


def _screen_pages(pages: DataFrame, first_year: int, last_year: int) -> DataFrame:
    """Add the year, and a reject reason to pages that are neither redirects nor pages of a year in the window."""
    year = F.when(F.col("title").rlike("^[1-9][0-9]{0,3}$"), F.col("title").try_cast("int"))
    reason = (
        F.when(~_is_year_page(), F.col("reason"))
        .when(year.isNull(), RejectReason.NOT_A_YEAR_PAGE)
        .when(~year.between(first_year, last_year), RejectReason.OUTSIDE_WINDOW)
    )
    return pages.withColumn("year", year).withColumn("reason", reason)


def _deduplicate_years(pages: DataFrame) -> DataFrame:
    """Reject all pages of a year but one, that of the first file by name."""
    # Only year pages are numbered: all other pages have no year, and one task would get them all.
    by_year = Window.partitionBy("year").orderBy("file", F.xxhash64("text"))
    years = pages.where(_is_year_page()).withColumn("nth", F.row_number().over(by_year))
    judged = years.withColumn("reason", F.when(F.col("nth") > 1, RejectReason.REPEATED_YEAR_PAGE)).drop("nth")
    return judged.unionByName(pages.where(~_is_year_page()))


def _is_year_page() -> Column:
    return F.expr("reason IS NULL AND redirect IS NULL")


def _collect_rejects(pages: DataFrame, parsed: DataFrame) -> DataFrame:
    """Collect malformed pages and bullets as rejects; pages and bullets out of scope are only counted."""
    record_type, title, reason = F.lit("page").alias("record_type"), F.col("title").alias("place"), F.col("reason")
    sample = F.substring("text", 1, 200)
    malformed_pages = pages.where(reason.isin(*sorted(MALFORMED))).select(
        record_type, "file", title, reason, F.coalesce(sample, F.lit("")).alias("sample")
    )
    bullet = F.concat_ws(" ", F.lit("bullet"), F.concat("bullet", F.lit(",")), F.lit("line"), "line")
    place = F.when(F.col("record_type") == "page", F.col("year").cast("string")).otherwise(bullet)
    malformed = parsed.where(reason.isNotNull() & ~reason.isin(*sorted(OUT_OF_SCOPE))).select(
        "record_type", "file", place.alias("place"), reason, sample.alias("sample")
    )
    return REJECTS.select(malformed_pages.unionByName(malformed))


def _count_outcomes(pages: DataFrame, parsed: DataFrame, redirects: DataFrame) -> DataFrame:
    bullet = F.concat_ws(" ", "year", F.lit("bullet"), "bullet", "text")
    shown = F.when(F.col("record_type") == "bullet", bullet).otherwise(F.col("year").cast("string"))
    rows = (
        _list_outcomes(pages.where(~_is_year_page()), "page", "title")
        .unionByName(parsed.select("record_type", "records", "reason", shown.alias("example")))
        .unionByName(_list_outcomes(redirects, "redirect", "line"))
    )
    return count_outcomes(rows, F.col("record_type"), F.col("reason"), F.col("example"), F.col("records"))


def _list_outcomes(rows: DataFrame, record_type: str, example: str) -> DataFrame:
    return rows.select(
        F.lit(record_type).alias("record_type"), F.lit(1).alias("records"), "reason", F.col(example).alias("example")
    )


def _parse(build: Build) -> Parsed:
    window = build.config.window
    return read_year_pages(build.spark, build.config.sources.year_pages, window.start.year, window.end.year)


PARSER = Parser(_parse, (YEAR_PAGE_EVENTS,))
