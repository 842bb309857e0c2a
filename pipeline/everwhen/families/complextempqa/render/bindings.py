"""Rows of attributes and counts as Arrow arrays: each binding brings the texts of its slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.arrays import filter_lists, find_runs
from everwhen.core.reasons import RejectReason
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.render.metadata import derive_rows, find_years
from everwhen.families.complextempqa.screen.recognition import find_unrecognised
from everwhen.families.complextempqa.template import DESCRIPTION, Template
from everwhen.language.lint import find_lint_error
from everwhen.language.lint_arrow import find_leaked_names
from everwhen.language.wording_arrow import choose_wordings, join_pieces


def with_wordings(bindings: pa.Table, templates: Sequence[Template]) -> pa.Table:
    """Add what enumerated bindings are sorted by: template (its position), wording and year."""
    position = {template.id: number for number, template in enumerate(templates)}
    named = bindings["template_id"].combine_chunks().dictionary_encode()
    template = np.array([position[name] for name in named.dictionary.to_pylist()], dtype=np.int32)[named.indices]
    numbers = [sorted(each.questions) for each in templates]
    wording = choose_wordings(bindings["question_id"].to_numpy(), template, numbers)
    years = find_years(pc.struct_field(bindings["span"].combine_chunks(), "start"))
    added = {"template": pa.array(template), "wording_number": pa.array(wording), "year": years}
    return reduce(lambda table, name: table.append_column(name, added[name]), added, bindings)


def render_bindings(
    bindings: pa.Table, templates: Sequence[Template], schema: pa.Schema
) -> tuple[pa.Table, dict[int, str]]:
    """Rows of the table `questions` from enumerated bindings, and what is wrong with some of them, by row.

    Args:
        bindings: As `slot_texts.with_texts` and `with_wordings` give them; those of one wording are consecutive.
        templates: The templates, by place.
        schema: Of the table `questions`.
    """
    asked = []
    errors: dict[int, str] = {}
    texts, answers = (bindings[name].combine_chunks() for name in ("texts", "answer"))
    number, wording = (bindings[name].to_numpy() for name in ("template", "wording_number"))
    for start, end in find_runs(number, wording):
        template = templates[int(number[start])]
        pieces, order = template.split_wording(int(wording[start]))
        mine = texts.slice(start, end - start)
        text = join_pieces(pieces, [pc.list_element(mine, position) for position in order])
        asked.append(text)
        errors |= _find_errors(template, text, answers.slice(start, end - start), start)
    questions = pa.chunked_array(asked, pa.string()).combine_chunks()
    for row in _find_named(questions, bindings["described_labels"].combine_chunks()):
        errors.setdefault(row, RejectReason.DESCRIBED_IS_NAMED)
    asked_columns = {**_collect_asked(bindings), "question": questions}
    popular = bindings["popular"].to_numpy().astype(bool)
    return derive_rows(asked_columns, templates, number, popular, schema), errors


def _find_errors(template: Template, questions: pa.Array, answers: pa.Array, first: int) -> dict[int, str]:
    """Find what is wrong with questions of one template, by row; the first question is in row `first`."""
    errors = {}
    for row, (question, answer) in enumerate(zip(questions.to_pylist(), answers.to_pylist(), strict=True), first):
        reason = (
            _find_missing_words(question, answer)
            or find_lint_error(question, answer, choice=template.choice, comparison=False)
            or find_unrecognised(template, question, answer)
        )
        if reason is not None:
            errors[row] = reason
    return errors


def _find_named(questions: pa.Array, labels: pa.Array) -> Iterator[int]:
    """Find the rows whose question names a subject that it describes; a row may have several labels of such."""
    for position in range(pc.max(pc.list_value_length(labels)).as_py() or 0):
        there = pc.if_else(pc.greater(pc.list_value_length(labels), position), labels, pa.scalar(None, labels.type))
        yield from find_leaked_names(questions, pc.list_element(there, position))


def _collect_asked(bindings: pa.Table) -> dict[str, pa.Array]:
    """What enumerated bindings ask, by column of the table `questions`."""
    column = {name: bindings[name].combine_chunks() for name in bindings.column_names}
    slots = column["slots"]
    entity, form, text = slots.flatten().flatten()
    described = pc.equal(form, DESCRIPTION)
    same = ("question_id", "answer", "answer_entity", "hops", "property", "threshold", "counted_over", "calendar")
    return {name: column[name] for name in (*same, "topic", "split")} | {
        "wording": column["wording_number"].cast(pa.int32()),
        "question_entity": filter_lists(slots, entity.is_valid(), entity),
        "head_entity": column["head"],
        "question_country_entity": column["countries"],
        "answer_country_entity": column["answer_countries"],
        "timeframe": pa.StructArray.from_arrays(column["span"].flatten(), ["start", "end"]),
        "polarity": pa.nulls(len(bindings), pa.string()),
        "descriptions": filter_lists(slots, described, pa.StructArray.from_arrays([entity, text], ["entity", "key"])),
    }


def _find_missing_words(question: str | None, answer: Sequence[str | None] | None) -> str | None:
    """Why there are no words for a binding, or None."""
    if question is None:
        return BindingReason.NAMELESS_ENTITY
    if answer is None or None in answer:
        return BindingReason.UNKNOWN_ANSWER
    return None
