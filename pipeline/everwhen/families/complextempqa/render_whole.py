"""Rows of attributes and counts as Arrow arrays: each binding brings the texts of its slots."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.reasons import RejectReason
from everwhen.families.complextempqa.arrays import runs
from everwhen.families.complextempqa.question_type import Category
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.render import written
from everwhen.families.complextempqa.template import Template
from everwhen.language.lint import fault, names_described


def whole_rows(
    bindings: pa.Table, templates: dict[str, Template], schema: pa.Schema
) -> tuple[pa.Table, dict[int, str]]:
    """Rows of the table `questions` from whole bindings, and what is wrong with some of them, by row.

    Args:
        bindings: As `texts.with_texts` gives them; rows of one template and wording lie together.
        templates: The templates, by id.
        schema: Of the table `questions`.
    """
    asked, faults = [], {}
    texts = bindings["texts"].combine_chunks()
    answers = bindings["answer"].combine_chunks()
    names = bindings["template_id"].combine_chunks().dictionary_encode()
    number, wording = names.indices.to_numpy(), bindings["wording"].to_numpy()
    for start, end in runs(number, wording):
        template = templates[names.dictionary[int(number[start])].as_py()]
        pieces, order = template.pieces(int(wording[start]))
        mine = texts.slice(start, end - start)
        slots = [pc.list_element(mine, place) for place in order]
        text = written(pieces, slots)
        told = answers.slice(start, end - start)
        comparison = template.type.category is Category.COMPARISON
        asked.append(text)
        for row, (question, answer) in enumerate(zip(text.to_pylist(), told.to_pylist(), strict=True), start):
            reason = _unsayable(question, answer) or fault(
                question, answer, choice=template.choice, comparison=comparison
            )
            if reason is not None:
                faults[row] = reason
    question = pa.chunked_array(asked, pa.string())
    told = bindings["told_labels"].combine_chunks()
    for place in range(pc.max(pc.list_value_length(told)).as_py() or 0):
        there = pc.if_else(pc.greater(pc.list_value_length(told), place), told, pa.scalar(None, told.type))
        for row in names_described(question.combine_chunks(), pc.list_element(there, place)):
            faults.setdefault(row, RejectReason.DESCRIBED_IS_NAMED)
    columns = {name: bindings[name] for name in schema.names if name != "question"} | {"question": question}
    return pa.table([columns[name] for name in schema.names], names=schema.names), faults


def _unsayable(question: str | None, answer: Sequence[str | None] | None) -> str | None:
    """Why there are no words for a binding, or None."""
    if question is None:
        return BindingReason.NAMELESS_ENTITY
    if answer is None or None in answer:
        return BindingReason.UNKNOWN_ANSWER
    return None
