"""Answers that the scorer does not recognise: nobody could be right, so they are not asked for.

Names are scored once each, and periods with their question. Single dates, counts, yes and no are always read
(`tests/evaluate/test_recognition.py`); of amounts the unit decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_attributes, load_units
from everwhen.core.reasons import RejectReason
from everwhen.evaluate.answers.units import UNITS
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.recognition import is_recognised
from everwhen.families.complextempqa.template import Template


def find_unrecognised(template: Template, question: str, answer: Sequence[str]) -> str | None:
    """Find why an enumerated binding cannot be scored; None where its answer is recognised."""
    if template.answer.entity is not None:
        is_read = is_name_recognised(tuple(answer))
    elif template.answer.period is not None:
        is_read = is_recognised(GoldItem(0, question, tuple(answer), ((),) * len(answer), "date", is_ordered=True))
    else:
        is_read = True
    return None if is_read else RejectReason.UNRECOGNISED_ANSWER


@lru_cache(maxsize=1 << 17)
def is_name_recognised(answer: tuple[str, ...]) -> bool:
    """Tell whether names are recognised, whatever the question: it only adds words that may stand beside them."""
    return is_recognised(GoldItem(0, "", answer, ((),) * len(answer), "name"))


def reject_unrecognised_names(judged: DataFrame, names: DataFrame) -> DataFrame:
    """Give a reason to subjects whose own name the scorer does not recognise: it answers comparisons.

    Args:
        judged: Columns subject and reason.
        names: Columns entity and label.

    Returns:
        The same columns; the data frame itself where all names are recognised.
    """
    compared = judged.where("reason IS NULL").select("subject.entity").distinct()
    labels = compared.join(names.select("entity", "label"), on="entity", how="inner")
    unread = [row["entity"] for row in labels.mapInArrow(_select_unrecognised, "entity bigint").collect()]
    if not unread:
        return judged
    reason = F.when(F.col("subject.entity").isin(unread), F.lit(RejectReason.UNRECOGNISED_ANSWER))
    return judged.withColumn("reason", F.coalesce("reason", reason))


def _select_unrecognised(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        labels = batch["label"].to_pylist()
        yield batch.select(["entity"]).filter(pa.array([not is_name_recognised((label,)) for label in labels]))


def derive_unread_unit(templates: Sequence[Template]) -> Column:
    """Derive the reason of a binding whose amount is in a unit that the scorer does not know; null of all others."""
    units = load_units()
    odd = [int(a.property) for a in load_attributes() if a.unit is not None and units[a.unit].name not in UNITS]
    amounts = [template.id for template in templates if template.answer.number is not None]
    is_odd = F.col("template_id").isin(amounts) & F.col("property").isin(odd)
    return F.when(is_odd, F.lit(RejectReason.UNRECOGNISED_ANSWER))
