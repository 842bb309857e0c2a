"""What a question says beside its words, of whichever category: each column is derived here, and in no other place.

Arrow and numpy, no Spark: workers call it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.arrays import Ints, Mask, find_distinct, take_by_number
from everwhen.families.complextempqa.question_type import Category
from everwhen.families.complextempqa.template import Template


@dataclass(frozen=True)
class AskedSubjects:
    """What questions ask, an array each.

    Attributes:
        templates: Templates, by place.
        template: The place of each question's template.
        ids: The questions' ids.
        wording: The numbers of their wordings.
        entities: The entities that each asks about, in slot order.
        head: The first of them.
        countries: Their countries, ascending.
        popular: Whether all of them are popular.
        start: The first day that each is about; null where it is not known.
        end: The last day, likewise.
        topic: The topic of the first entity.
        split: The split.
        hops: The properties of a path.
        property: The property that is asked for.
        polarity: The direction in which a comparison asks.
        threshold: What is counted has more than this.
        counted_over: What is counted over.
        calendar: The calendar of the answer's dates.
        descriptions: The entities that are described, and by which form.
        answers: The texts of the answer.
        answer_entities: The entities of the answer.
        answer_countries: Their countries, ascending.
    """

    templates: Sequence[Template]
    template: Ints
    ids: Ints
    wording: Ints
    entities: pa.ListArray
    head: pa.Array
    countries: pa.ListArray
    popular: Mask
    start: pa.Array
    end: pa.Array
    topic: pa.Array
    split: pa.Array
    hops: pa.ListArray
    property: pa.Array
    polarity: pa.Array
    threshold: pa.Array
    counted_over: pa.Array
    calendar: pa.Array
    descriptions: pa.ListArray
    answers: pa.ListArray
    answer_entities: pa.ListArray
    answer_countries: pa.ListArray


def find_years(start: pa.Array) -> pa.Array:
    """Return the years of days."""
    return pc.year(start).cast(pa.int32())


def build_columns(asked: AskedSubjects, questions: pa.Array) -> dict[str, pa.Array]:
    """Make the columns of the table `questions`.

    Args:
        asked: What is asked.
        questions: The texts.
    """
    used, position = find_distinct(asked.template)
    templates = [asked.templates[number] for number in used.tolist()]
    counts = np.array([t.type.category is Category.COUNTING for t in templates])[position]
    described, paths = (pc.list_value_length(lists).to_numpy() > 0 for lists in (asked.descriptions, asked.hops))
    return {
        "question_id": pa.array(asked.ids, pa.int64()),
        "question": questions,
        "answer": asked.answers,
        "type": take_by_number([t.type for t in templates], pa.string(), position),
        "question_entity": asked.entities,
        "answer_entity": asked.answer_entities,
        "question_country_entity": asked.countries,
        "answer_country_entity": asked.answer_countries,
        "hops": asked.hops,
        "descriptions": asked.descriptions,
        "rating": pa.array((counts | paths | described | ~asked.popular).astype(np.int8)),
        "is_unnamed": pa.array(described),
        "timeframe": pa.StructArray.from_arrays([asked.start, asked.end], ["start", "end"]),
        "template_id": take_by_number([t.id for t in templates], pa.string(), position),
        "template_version": take_by_number([t.version for t in templates], pa.int32(), position),
        "wording": pa.array(asked.wording.astype(np.int32)),
        "polarity": asked.polarity,
        "property": asked.property,
        "threshold": asked.threshold,
        "counted_over": asked.counted_over,
        "calendar": asked.calendar,
        "topic": asked.topic,
        "split": asked.split,
        "year": find_years(asked.start),
        "head_entity": asked.head,
    }
