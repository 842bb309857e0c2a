"""Documents that a model writes anew: those from which rules read the same tuple, and nothing more, are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.evaluate.ask.rewriting import Rules, rewrite
from everwhen.evaluate.ask.rewriting_settings import RewritingSettings
from everwhen.families.impliret.parsing.arithmetic import read_purchase
from everwhen.families.impliret.parsing.messages import HEADER
from everwhen.families.impliret.parsing.temporal import read_deed, read_plan
from everwhen.families.impliret.parsing.wknow import read_visit
from everwhen.language.demonyms import ADJECTIVES
from everwhen.temporal.phrases import MONTHS

GRAMMAR = "grammar"
"""Who writes the documents that no model does."""

INSTRUCTION = (
    "Write the text below anew, as people write in forums and chats. Keep date, time and name at the beginning of each"
    " line, the number of lines, and of a single line its five sentences. Keep every name, number, price, day and hour"
    " as it is said, and say each only once. Add no other number, name, place or time. Reply with the new text alone."
)
"""What the model is asked to do."""

END = re.compile(r"[.!?]+[\"'”’)]*(?=\s|$)")
SENTENCES = 5
_MONTH = "|".join(MONTHS)
DATE = re.compile(
    rf"\b(?:{_MONTH})\.? \d|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d"
)

OTHER_SHAPE = "in another shape"
OTHER_FACT = "with another fact than the tuple's"
GIVES_AWAY = "that says what is implied"
ATTEMPTS = 3

Row = Mapping[str, Any]


def judge_rewriting(row: Row, old: str, new: str) -> str | None:
    """Judge what a model made of a document: why it is not kept, or None.

    Args:
        row: The tuple.
        old: The document.
        new: What the model returned.
    """
    lines, written = old.split("\n"), new.split("\n")
    if [_read_header(line) for line in lines] != [_read_header(line) for line in written]:
        return OTHER_SHAPE
    if len(lines) == 1 and len(END.findall(new)) != SENTENCES:
        return OTHER_SHAPE
    if not _says_fact(row, new):
        return OTHER_FACT
    return GIVES_AWAY if _says_answer(row, HEADER.sub("", new)) else None


def _read_header(line: str) -> str | None:
    found = HEADER.match(line)
    return found.group() if found else None


def _says_fact(row: Row, text: str) -> bool:
    """Tell whether rules read exactly the tuple from a text."""
    if row["price"] is not None:
        purchase = read_purchase(text)
        read = purchase._asdict() if purchase else {}
        return bool(read) and all(value == row[name] for name, value in read.items() if value is not None)
    if row["landmark_name"] is not None:
        visit = read_visit(text, [row["landmark_name"]])
        return visit is not None and row["purpose"] in (None, visit.purpose)
    return _says_days(row, text)


def _says_days(row: Row, text: str) -> bool:
    """Tell whether rules read exactly the days of a tuple from a text, and of a chat the hours."""
    if row["start_hour"] is None:
        deed = read_deed(text)
        return deed is not None and deed.mentions == 1 and [*deed.offsets] == row["offsets"]
    plan = read_plan(text)
    if plan is None or plan.strays:
        return False
    return ([*plan.offsets], plan.start_hour, plan.hours) == (row["offsets"], row["start_hour"], row["hours"])


def _says_answer(row: Row, body: str) -> bool:
    """Tell whether a text says what it must imply: a date, or the country. A text of two prices implies none."""
    country = row["country_name"]
    forms = [re.escape(form) for form in (country, ADJECTIVES.get(country)) if form]
    named = re.search(rf"\b(?:{'|'.join(forms)})\b", body, re.IGNORECASE) if forms else None
    return named is not None or DATE.search(body) is not None


def add_rewritings(build: Build, written: DataFrame, settings: RewritingSettings | None) -> DataFrame:
    """Have a model write documents anew, and take what it made where that is as good: column verbalised_by is added.

    Raises:
        InputError: The endpoint cannot be used, or the journal is another file.
    """
    if settings is None:
        return written.withColumn("verbalised_by", F.lit(GRAMMAR))
    rows = {row["document"]: row.asDict() for row in written.orderBy("doc_id").collect()}
    rules = Rules("documents", INSTRUCTION, lambda old, new: judge_rewriting(rows[old], old, new), ATTEMPTS)
    originals = {row["doc_id"]: document for document, row in rows.items()}
    kept = rewrite(originals, settings, rules, log=build.log, quiet=build.console.quiet)
    rewritings = build.spark.createDataFrame(kept, "doc_id bigint, rewriting string")
    joined = written.join(rewritings, "doc_id", "left")
    by = F.when(F.col("rewriting").isNull(), GRAMMAR).otherwise(settings.model)
    return joined.withColumns({"verbalised_by": by, "document": F.coalesce("rewriting", "document")})
