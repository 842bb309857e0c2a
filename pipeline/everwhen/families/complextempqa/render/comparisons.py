"""Render comparisons as rows of Arrow arrays, without Spark or SQL, so that the engine may change.

A binding refers by number to a table of subjects and to a list of question contexts (`complextempqa/compare/pairs.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.arrays import (
    Ints,
    Mask,
    find_distinct,
    find_runs,
    sort_rows,
    take_by_number,
    wrap_lists,
    wrap_optional,
)
from everwhen.core.reasons import RejectReason
from everwhen.families.complextempqa.compare.contexts import Context, list_pieces, locate_subjects
from everwhen.families.complextempqa.render.country_sets import CountrySets
from everwhen.families.complextempqa.render.metadata import derive_rows
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS, SUBJECT_DESCRIPTIONS, Template
from everwhen.language.lint import find_lint_error
from everwhen.language.lint_arrow import (
    LabelMatches,
    Mentions,
    NameTable,
    SlotContexts,
    find_edge_words,
    find_leaked_names,
    find_lint_errors,
    may_be_around,
)
from everwhen.language.wording_arrow import choose_wordings, join_pieces

UNKNOWN = np.iinfo(np.int32).min
"""The number of an unknown day."""

NAME = "X"
"""A name that breaks no rule of the lint; it replaces real names where only the text around them is examined."""


@dataclass
class ComparisonRenderer:
    """Renders comparisons whose subjects, contexts and descriptions are given by number.

    Attributes:
        templates: The templates of comparisons, in order.
        contexts: The question contexts, by number.
        subjects: The subjects, by number: entity, name, long_name, label, popular, countries, earliest_start,
            latest_end, topic (`complextempqa/compare/block_members.py`).
        descriptions: The descriptions, by number: entity, key, description.
    """

    templates: Sequence[Template]
    contexts: Sequence[Context]
    subjects: pa.Table
    descriptions: pa.Table
    _around: dict[tuple[int, int], tuple[bool, list[tuple[int, int, bool]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the columns of subjects and the fields of contexts into arrays by number."""
        column = {name: self.subjects[name].combine_chunks() for name in self.subjects.column_names}
        self._entity = column["entity"].to_numpy()
        self._popular = column["popular"].to_numpy(zero_copy_only=False).astype(bool)
        self._topic = column["topic"].dictionary_encode()
        self._first, self._last = (
            column[name].cast(pa.int32()).fill_null(UNKNOWN).to_numpy() for name in ("earliest_start", "latest_end")
        )
        self._year = pc.year(column["earliest_start"]).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int16)
        self._countries = CountrySets(column["countries"].to_pylist())
        self._labels = column["label"].cast(pa.string())
        self._answers = pa.concat_arrays([pa.array(["no", "yes"]), self._labels])
        self._by_context = {
            "template": np.array([f.template for f in self.contexts], dtype=np.int16),
            "choice": np.array([self.templates[f.template].choice for f in self.contexts], dtype=bool),
            "office": np.array([f.office[0] if f.office else 0 for f in self.contexts], dtype=np.int64),
            "popular": np.array([f.office is None or f.office[1] for f in self.contexts], dtype=bool),
        }
        self._sides = [locate_subjects(t) for t in self.templates]

    def choose_wordings(self, bound: Mapping[str, Ints]) -> Ints:
        """Choose the wording of each row, by number."""
        template = self._by_context["template"][bound["context"]]
        return choose_wordings(bound["question_id"], template, [sorted(t.questions) for t in self.templates])

    def order_rows(self, bound: Mapping[str, Ints]) -> npt.NDArray[np.int64]:
        """Return the order of rows in a file: by template and year, otherwise unchanged.

        Rows of one template and year are consecutive, so that a reader skips the others. Within them, neighbours share
        subjects, which makes files small.
        """
        # The year in which the earliest subject begins; 0 if the year of any subject is unknown.
        year = np.minimum.reduce([self._year[bound[side]] for side in self._list_sides(bound)])
        return sort_rows(self._by_context["template"][bound["context"]], year)

    def order_group(self, bound: Mapping[str, Ints]) -> npt.NDArray[np.int64]:
        """Return the order of rows in a group: by template, wording and context; such rows are rendered together."""
        return sort_rows(self._by_context["template"][bound["context"]], bound["wording"], bound["context"])

    def _list_sides(self, bound: Mapping[str, Ints]) -> tuple[str, ...]:
        """List the subjects of a row: two in pairs, three in triples."""
        return tuple(side for side in COMPARED_SUBJECTS if side in bound)

    def render_texts(self, bound: Mapping[str, Ints]) -> tuple[pa.Array, dict[int, str]]:
        """Render the questions, and find the reject reasons of some, by row number.

        Args:
            bound: Comparisons with their wordings; rows of one template and wording are adjacent.
        """
        context, wording = bound["context"], bound["wording"]
        asked, errors = [], {}
        for start, end in find_runs(self._by_context["template"][context], wording):
            part = {name: values[start:end] for name, values in bound.items()}
            position = self.contexts[int(context[start])].template
            text, doubtful, mentions = self._render_text(position, int(wording[start]), part)
            asked.append(text)
            if len(doubtful):
                choice = self.templates[position].choice
                found = find_lint_errors(text, self._list_answers(part), doubtful, choice=choice, comparison=True)
                errors.update({start + row: reason for row, reason in found.items()})
            for row in self._find_named(text, mentions, part):
                errors.setdefault(start + row, RejectReason.DESCRIBED_IS_NAMED)
        return pa.chunked_array(asked, pa.string()).combine_chunks(), errors

    def build_rows(self, bound: Mapping[str, Ints], questions: pa.Array, schema: pa.Schema) -> pa.Table:
        """Build rows of the table `questions`.

        Args:
            bound: Comparisons with their wordings.
            questions: Their texts.
            schema: The schema of the table `questions`.
        """
        asked = {**self._collect_asked(bound), "question": questions}
        template, popular = (self._by_context[name][bound["context"]] for name in ("template", "popular"))
        popular = np.logical_and.reduce([popular, *(self._popular[bound[side]] for side in self._list_sides(bound))])
        return derive_rows(asked, self.templates, template, popular, schema)

    def list_subjects(self, bound: Mapping[str, Ints], row: int) -> list[str]:
        """List the subjects of one row, as ids."""
        return [f"Q{self._entity[bound[side][row]]}" for side in self._list_sides(bound)]

    def _select_answers(self, bound: Mapping[str, Ints]) -> npt.NDArray[np.int64]:
        """Select the subject that answers each choice, by number; the first subject in other rows."""
        sides = self._list_sides(bound)
        position = np.where(self._by_context["choice"][bound["context"]], bound["answer"], 0)
        return np.choose(position, [bound[side] for side in sides]).astype(np.int64)

    def _list_answers(self, bound: Mapping[str, Ints]) -> pa.ListArray:
        """List the answer of each row: the label of a subject, yes, or no."""
        choice, chosen = self._by_context["choice"][bound["context"]], self._select_answers(bound)
        return wrap_lists(self._answers.take(pa.array(np.where(choice, chosen + 2, bound["answer"]))), 1)

    @cached_property
    def _names(self) -> NameTable:
        """All names and descriptions, and what may be wrong with each."""
        slots = [slot for template in self.templates for slot in template.slots.values()]
        forms: dict[str, pa.ChunkedArray] = {s.form: self.subjects[s.form] for s in slots if s.text is None}
        return NameTable.examine(forms, self.descriptions["description"])

    def _render_text(self, position: int, wording: int, part: Mapping[str, Ints]) -> tuple[pa.Array, Ints, Mentions]:
        """Render the questions of one wording; return them, the rows that the lint must examine, and their mentions."""
        template = self.templates[position]
        pieces, order = template.split_wording(wording)
        forms = [slot.form for slot in template.slots.values()]
        contexts, context = find_distinct(part["context"])
        gaps = SlotContexts([self._examine_context(int(number), wording) for number in contexts], context)
        parts: list[pa.Array | str] = []
        mentions: list[Ints] = []
        for slot in order:
            side = self._sides[position][slot]
            if side is None:
                texts = [self.contexts[int(number)].texts[slot] or "" for number in contexts]
                parts.append(texts[0] if len(set(texts)) == 1 else pa.array(texts).take(pa.array(context)))
                continue
            subject = COMPARED_SUBJECTS[side]
            at, described_by = part[subject], part.get(SUBJECT_DESCRIPTIONS[subject])
            if described_by is not None:
                at = np.where(described_by >= 0, described_by + len(self.subjects), at)
            mentions.append(self._names.numbers[forms[slot]][at])
            parts.append(self._names.texts.take(pa.array(mentions[-1])))
        doubtful = gaps.find_doubtful(self._names, mentions)
        return join_pieces(pieces, parts), doubtful, Mentions(mentions, adjoining=gaps.adjoin)

    def _find_named(self, questions: pa.Array, mentions: Mentions, part: Mapping[str, Ints]) -> list[int]:
        """Find the rows that name a subject although it is described."""
        found: set[int] = set()
        for side in self._list_sides(part):
            described_by = part.get(SUBJECT_DESCRIPTIONS[side])
            if described_by is None:
                continue
            rows = np.flatnonzero(described_by >= 0)
            subjects = part[side][rows]
            is_named = np.zeros(len(rows), dtype=bool)
            for texts in mentions.texts:
                is_named |= self._label_matches.match(subjects, texts[rows])
            found.update(rows[is_named].tolist())
            doubtful = pa.array(rows[(self._label_may_be_around[subjects] | mentions.adjoining) & ~is_named])
            labels = self._labels.take(pa.array(part[side])).take(doubtful)
            found.update(doubtful[row].as_py() for row in find_leaked_names(questions.take(doubtful), labels))
        return sorted(found)

    @cached_property
    def _label_matches(self) -> LabelMatches:
        """Which names and descriptions hold the labels of described subjects."""
        described = np.isin(self._entity, self.descriptions["entity"].to_numpy())
        labels = pc.if_else(pa.array(described), self._labels, "")
        return LabelMatches(labels.to_pylist(), self._names.texts.to_pylist())

    @cached_property
    def _label_may_be_around(self) -> Mask:
        """Whether the label of each subject may be among the words around names."""
        around = (
            list_pieces(context, self.templates[context.template], wording)
            for context in self.contexts
            for wording in self.templates[context.template].questions
        )
        return may_be_around(self._labels.to_pylist(), around)

    def _examine_context(self, context: int, wording: int) -> tuple[bool, list[tuple[int, int, bool]]]:
        """Examine the text around names: whether it breaks a rule, and the edge words and blanks of its pieces."""
        key = (context, wording)
        if key not in self._around:
            template = self.templates[self.contexts[context].template]
            pieces, order = template.split_wording(wording)
            texts = self.contexts[context].texts
            parts = [NAME if texts[slot] is None else str(texts[slot]) for slot in order]
            plain = join_pieces(pieces, [pa.array(parts[:1]), *parts[1:]])[0].as_py()
            breaks_rule = find_lint_error(plain, (), choice=template.choice, comparison=True) is not None
            around = list_pieces(self.contexts[context], template, wording)
            self._around[key] = breaks_rule, [(*find_edge_words(text), not text.strip()) for text in around]
        return self._around[key]

    def _collect_asked(self, bound: Mapping[str, Ints]) -> dict[str, pa.Array]:
        """Collect what rows ask about, and their answers, by column of the table `questions`."""
        chosen = self._select_answers(bound)
        context, sides, rows = bound["context"], self._list_sides(bound), len(bound["context"])
        at = [bound[side] for side in sides]
        used, position = find_distinct(context)
        contexts = [self.contexts[n] for n in used.tolist()]
        choice = self._by_context["choice"][context]
        days = (self._reduce_days(np.minimum, self._first, at), self._reduce_days(np.maximum, self._last, at))
        answer_countries = np.where(choice, self._countries.of[chosen], self._countries.none)
        types = {"split": pa.string(), "hops": pa.list_(pa.int32()), "property": pa.int32(), "polarity": pa.string()}
        return {
            "question_id": pa.array(bound["question_id"], pa.int64()),
            "wording": pa.array(bound["wording"].astype(np.int32)),
            "question_entity": self._collect_entities(context, at),
            "head_entity": pa.array(self._entity[at[0]]),
            "question_country_entity": self._countries.take_lists(self._countries.join_countries(at)),
            "timeframe": pa.StructArray.from_arrays(days, ["start", "end"]),
            "topic": self._topic.take(pa.array(at[0])),
            **{name: take_by_number([getattr(f, name) for f in contexts], t, position) for name, t in types.items()},
            "threshold": pa.nulls(rows, pa.decimal128(38, 9)),
            "counted_over": pa.nulls(rows, pa.string()),
            "calendar": pa.nulls(rows, pa.string()),
            "descriptions": self._collect_descriptions(bound, sides),
            "answer": self._list_answers(bound),
            "answer_entity": wrap_optional(choice, pa.array(self._entity[chosen[choice]])),
            "answer_country_entity": self._countries.take_lists(answer_countries),
        }

    def _collect_entities(self, context: Ints, at: Sequence[Ints]) -> pa.ListArray:
        """Collect the asked entities: the subjects and, where terms are compared, the position."""
        entities = np.stack([self._entity[a] for a in at], axis=1)
        office = self._by_context["office"][context]
        if not office.any():
            return wrap_lists(pa.array(entities.ravel()), len(at))
        every = np.column_stack([entities, office])
        is_asked = np.ones(every.shape, dtype=bool)
        is_asked[:, -1] = office > 0
        offsets = np.concatenate(([0], np.cumsum(is_asked.sum(axis=1)))).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(every[is_asked]))

    def _reduce_days(self, outer: np.ufunc, days: Ints, at: Sequence[Ints]) -> pa.Array:
        """Reduce the subjects' days to the earliest or latest one; null if any is unknown."""
        each = [days[a] for a in at]
        known = np.logical_and.reduce([day != UNKNOWN for day in each])
        found = np.where(known, outer.reduce(each), 0).astype(np.int32)
        return pa.array(found.astype("datetime64[D]"), pa.date32(), mask=~known)

    def _collect_descriptions(self, bound: Mapping[str, Ints], sides: Sequence[str]) -> pa.ListArray:
        """Collect the described subjects in slot order, each with the key of its description."""
        none = np.full(len(bound["context"]), -1, dtype=np.int32)
        descriptions = np.stack([bound.get(SUBJECT_DESCRIPTIONS[side], none) for side in sides], axis=1)
        is_described = descriptions >= 0
        number = pa.array(descriptions[is_described])
        offsets = np.concatenate(([0], np.cumsum(is_described.sum(axis=1)))).astype(np.int32)
        entity, key = (self.descriptions[name].combine_chunks().take(number) for name in ("entity", "key"))
        return pa.ListArray.from_arrays(
            pa.array(offsets), pa.StructArray.from_arrays([entity, key.cast(pa.string())], ["entity", "key"])
        )
