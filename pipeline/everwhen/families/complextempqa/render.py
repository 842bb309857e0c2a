"""Rows of comparisons as Arrow arrays: bindings with their words. No Spark and no SQL, so that the engine may change.

A binding says by number what a table of things and a list of frames say in full (`complextempqa/pairs.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.hashing import LARGEST, START, chain
from everwhen.core.reasons import RejectReason
from everwhen.families.complextempqa.arrays import Ints, Mask, Unions, by_number, in_order, one_each, runs, where
from everwhen.families.complextempqa.described import LabelsHeld, may_be_around
from everwhen.families.complextempqa.doubtful import Gaps, Mentions, Said, found_faults
from everwhen.families.complextempqa.frames import Frame, sides
from everwhen.families.complextempqa.template import Template
from everwhen.language.lint import EDGES, HINTS, edges, fault, names_described, suspect

UNKNOWN = np.iinfo(np.int32).min
"""The day that stands for one that is not known."""

NAME = "X"
"""A name that no lint finds fault with."""


def written(pieces: Sequence[str], slots: Sequence[pa.Array | str]) -> pa.Array:
    """Pieces with the texts of slots between them; the first letter becomes a capital.

    Texts stand side by side and are never scanned for slots, so that a label may hold braces.

    Args:
        pieces: One more than slots.
        slots: A text each, or an array of one text a row; at least one array.
    """
    parts: list[pa.Array | str] = []
    for part in (part for both in zip(pieces, [*slots, ""], strict=True) for part in both):
        # Texts that are the same in all rows are put together before they are repeated.
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        elif not isinstance(part, str) or part:
            parts.append(part)
    first = parts[0]
    if isinstance(first, str):
        parts[0] = first[:1].upper() + first[1:]
    else:
        parts[0:1] = [pc.utf8_upper(pc.utf8_slice_codeunits(first, 0, 1)), pc.utf8_slice_codeunits(first, 1)]
    return pc.binary_join_element_wise(*(pa.scalar(p) if isinstance(p, str) else p for p in parts), "")


@dataclass
class Comparisons:
    """Makes rows of what is bound by number.

    Attributes:
        templates: The templates of comparisons, by place.
        frames: The frames, by number.
        things: What is asked about, by number: entity, name, long_name, label, popular, countries, first_day, last_day,
            topic (`complextempqa/seats.py`).
        told: The descriptions, by number: entity, key, description.
    """

    templates: Sequence[Template]
    frames: Sequence[Frame]
    things: pa.Table
    told: pa.Table
    _said: dict[str, Said] = field(default_factory=dict)
    _held: dict[str, LabelsHeld] = field(default_factory=dict)
    _around: dict[tuple[int, int], tuple[bool, list[tuple[int, int, bool]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take what rows are made of out of the tables, as arrays by number."""
        column = {name: self.things[name].combine_chunks() for name in self.things.column_names}
        self._entity = column["entity"].to_numpy()
        self._popular = column["popular"].to_numpy(zero_copy_only=False).astype(bool)
        self._topic = column["topic"].dictionary_encode()
        self._first, self._last = (
            column[name].cast(pa.int32()).fill_null(UNKNOWN).to_numpy() for name in ("first_day", "last_day")
        )
        self._year = pc.year(column["first_day"]).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int16)
        self._countries = Unions(column["countries"].to_pylist())
        self._labels = column["label"].cast(pa.string())
        self._answers = pa.concat_arrays([pa.array(["no", "yes"]), self._labels])
        self._frame = {
            "template": np.array([f.template for f in self.frames], dtype=np.int16),
            "choice": np.array([self.templates[f.template].choice for f in self.frames], dtype=bool),
            "hard": np.array([_is_hard(f) for f in self.frames], dtype=bool),
            "office": np.array([f.office[0] if f.office else 0 for f in self.frames], dtype=np.int64),
        }
        self._sides = [sides(t) for t in self.templates]

    def wording(self, bound: Mapping[str, Ints]) -> Ints:
        """Which wording each row has: that of the least hash of the row's id and the wording's number."""
        template = self._frame["template"][bound["frame"]]
        found = np.zeros(len(template), dtype=np.int8)
        for place in np.unique(template).tolist():
            numbers = np.array(sorted(self.templates[place].questions), dtype=np.int64)
            if len(numbers) == 1:
                found[template == place] = numbers[0]
                continue
            rows = np.flatnonzero(template == place)
            begun = chain(np.uint64(START), bound["question_id"][rows].astype(np.int64))
            hashes = np.stack([chain(begun, int(number)) & np.uint64(LARGEST) for number in numbers])
            found[rows] = numbers[np.argmin(hashes, axis=0)]
        return found

    def order(self, bound: Mapping[str, Ints]) -> npt.NDArray[np.int64]:
        """The order of rows in a file: by template and year, then as they come.

        Rows of one template and year lie together, so that a reader skips the others; beyond that neighbours share
        their things, which is what makes a file small.
        """
        return in_order(self._frame["template"][bound["frame"]], self._start_year(bound))

    def order_group(self, bound: Mapping[str, Ints]) -> npt.NDArray[np.int64]:
        """The order of rows in a group: by template, wording and frame, so that their texts are made at once."""
        return in_order(self._frame["template"][bound["frame"]], bound["wording"], bound["frame"])

    def _start_year(self, bound: Mapping[str, Ints]) -> Ints:
        """The year in which the first thing begins; 0 where it is not known of one of them."""
        years = [self._year[bound[side]] for side in self._there(bound)]
        year: Ints = np.minimum.reduce(years)
        return year

    def _there(self, bound: Mapping[str, Ints]) -> str:
        """The things that rows have: two or three."""
        return "abc" if "c" in bound else "ab"

    def rows(self, bound: Mapping[str, Ints], schema: pa.Schema) -> tuple[pa.Table, dict[int, str]]:
        """Rows of the table `questions`, and what is wrong with some of them, by row.

        Args:
            bound: Comparisons with their wordings, rows of one template and wording together.
            schema: Of the table `questions`.
        """
        frame, wording = bound["frame"], bound["wording"]
        chosen = self._chosen(bound)
        answers = self._answers.take(pa.array(np.where(self._frame["choice"][frame], chosen + 2, bound["answer"])))
        asked, faults = [], {}
        for start, end in runs(self._frame["template"][frame], wording):
            part = {name: values[start:end] for name, values in bound.items()}
            template = self.frames[int(frame[start])].template
            text, doubtful, mentions = self._text(template, int(wording[start]), part)
            asked.append(text)
            if len(doubtful):
                mine = one_each(answers.slice(start, end - start), 1)
                found = found_faults(text, mine, self.templates[template], doubtful)
                faults.update({start + row: reason for row, reason in found.items()})
            for row in self._named(text, mentions, part):
                faults.setdefault(start + row, RejectReason.DESCRIBED_IS_NAMED)
        columns = self._metadata(bound, chosen) | {
            "question_id": pa.array(bound["question_id"]),
            "question": pa.chunked_array(asked, pa.string()).combine_chunks(),
            "answer": one_each(answers, 1),
            "wording": pa.array(wording.astype(np.int32)),
        }
        return pa.table([columns[name] for name in schema.names], names=schema.names), faults

    def asked(self, bound: Mapping[str, Ints], row: int) -> list[str]:
        """The things of one row, as ids."""
        return [f"Q{self._entity[bound[side][row]]}" for side in self._there(bound)]

    def _chosen(self, bound: Mapping[str, Ints]) -> npt.NDArray[np.int64]:
        """The thing that is the answer of each choice, by number; 0 in other rows."""
        there = self._there(bound)
        place = np.where(self._frame["choice"][bound["frame"]], bound["answer"], 0)
        return np.choose(place, [bound[side] for side in there]).astype(np.int64)

    def _names(self, form: str) -> Said:
        """The texts of a form (a column of `things`) by number, and after them the descriptions."""
        if form not in self._said:
            own = self.things[form].combine_chunks().cast(pa.string())
            both = pa.concat_arrays([own, self.told["description"].combine_chunks().cast(pa.string())])
            texts = both.to_pylist()
            bad, ends = np.zeros(len(texts), dtype=bool), np.zeros((len(texts), 2), dtype=np.int8)
            for number in np.flatnonzero(pc.match_substring_regex(both, HINTS)).tolist():
                bad[number] = suspect(texts[number])
            for number in np.flatnonzero(pc.match_substring_regex(both, EDGES)).tolist():
                ends[number] = edges(texts[number])
            self._said[form] = Said(both, bad, ends)
        return self._said[form]

    def _text(self, place: int, wording: int, part: Mapping[str, Ints]) -> tuple[pa.Array, Ints, Mentions]:
        """The questions of one template and wording, the rows that the lint must look at, and what they mention."""
        template = self.templates[place]
        pieces, order = template.pieces(wording)
        forms = [slot.form for slot in template.slots.values()]
        frames = np.flatnonzero(np.bincount(part["frame"], minlength=len(self.frames)))
        gaps = Gaps([self._gaps(int(frame), wording) for frame in frames], frames, part["frame"])
        said: list[pa.Array | str] = []
        mentions: list[tuple[str, Ints]] = []
        for slot in order:
            side = self._sides[place][slot]
            if side is None:
                texts = [self.frames[int(frame)].texts[slot] or "" for frame in frames]
                said.append(texts[0] if len(set(texts)) == 1 else pa.array(texts).take(pa.array(gaps.at)))
                continue
            at, told = part["abc"[side]], part.get(f"told_{'abc'[side]}")
            if told is not None:
                at = np.where(told >= 0, told + len(self.things), at)
            said.append(self._names(forms[slot]).texts.take(pa.array(at)))
            mentions.append((forms[slot], at))
        named = [(self._names(form), at) for form, at in mentions]
        return written(pieces, said), gaps.doubtful(named), Mentions(mentions, adjoining=gaps.adjoin)

    def _named(self, questions: pa.Array, mentions: Mentions, part: Mapping[str, Ints]) -> list[int]:
        """The rows in which the name of something that is described stands all the same."""
        found: set[int] = set()
        for side in self._there(part):
            if f"told_{side}" not in part:
                continue
            rows = np.flatnonzero(part[f"told_{side}"] >= 0)
            things = part[side][rows]
            held = np.zeros(len(rows), dtype=bool)
            for form, at in mentions.names:
                held |= self._labels_held(form).hold(things, at[rows])
            found.update(rows[held].tolist())
            doubtful = pa.array(rows[(self._around_labels[things] | mentions.adjoining) & ~held])
            labels = self._labels.take(pa.array(part[side])).take(doubtful)
            found.update(doubtful[row].as_py() for row in names_described(questions.take(doubtful), labels))
        return sorted(found)

    def _labels_held(self, form: str) -> LabelsHeld:
        """Which names of a form, and which descriptions, hold the label of something that is described."""
        if form not in self._held:
            described = np.isin(self._entity, self.told["entity"].to_numpy())
            labels = [
                label if is_described else ""
                for label, is_described in zip(self._labels.to_pylist(), described.tolist(), strict=True)
            ]
            self._held[form] = LabelsHeld(labels, self._names(form).texts.to_pylist())
        return self._held[form]

    @cached_property
    def _around_labels(self) -> Mask:
        """Which things bear a label that may be among the words around names."""
        around = (
            self._pieces(frame, wording)
            for frame in range(len(self.frames))
            for wording in self.templates[self.frames[frame].template].questions
        )
        return may_be_around(self._labels.to_pylist(), around)

    def _pieces(self, frame: int, wording: int) -> list[str]:
        """What stands before, between and after the names of a frame in a wording."""
        pieces, order = self.templates[self.frames[frame].template].pieces(wording)
        between = [""]
        for slot, piece in zip(order, pieces, strict=False):
            text = self.frames[frame].texts[slot]
            between[-1] += piece + (text or "")
            between += [] if text is not None else [""]
        between[-1] += pieces[-1]
        return between

    def _gaps(self, frame: int, wording: int) -> tuple[bool, list[tuple[int, int, bool]]]:
        """Of one frame and wording, whether its own text is faulty, and what stands around names.

        Of each text before, between and after names the little words at its edges, and whether it has no words.
        """
        key = (frame, wording)
        if key not in self._around:
            template = self.templates[self.frames[frame].template]
            pieces, order = template.pieces(wording)
            texts = self.frames[frame].texts
            said = [NAME if texts[slot] is None else str(texts[slot]) for slot in order]
            plain = written(pieces, [pa.array(said[:1]), *said[1:]])[0].as_py()
            faulty = fault(plain, (), choice=template.choice, comparison=True) is not None
            around = self._pieces(frame, wording)
            self._around[key] = faulty, [(*edges(text), not text.strip()) for text in around]
        return self._around[key]

    def _metadata(self, bound: Mapping[str, Ints], chosen: npt.NDArray[np.int64]) -> dict[str, pa.Array]:
        """What rows say beside question and answer."""
        frame, there, rows = bound["frame"], self._there(bound), len(bound["frame"])
        at = [bound[side] for side in there]
        used, place = np.unique(frame, return_inverse=True)
        frames = [self.frames[n] for n in used.tolist()]
        templates = [self.templates[f.template] for f in frames]
        choice = self._frame["choice"][frame]
        sets = self._countries.together(at)
        popular = np.logical_and.reduce([self._popular[a] for a in at])
        start, dated = self._outer(np.minimum, self._first, at)
        end, closed = self._outer(np.maximum, self._last, at)
        days = [
            pa.array(day.astype("datetime64[D]"), pa.date32(), mask=~known)
            for day, known in ((start, dated), (end, closed))
        ]
        year = start.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int32) + 1970
        return {
            "type": by_number([t.type for t in templates], pa.string(), place),
            "question_entity": self._asked(frame, at),
            "answer_entity": where(choice, pa.array(self._entity[chosen[choice]])),
            "question_country_entity": self._countries.lists(sets),
            "answer_country_entity": self._countries.lists(
                np.where(choice, self._countries.of[chosen], self._countries.none)
            ),
            "hops": by_number([f.hops for f in frames], pa.list_(pa.int32()), place),
            "descriptions": self._descriptions(bound, there),
            "rating": pa.array((self._frame["hard"][frame] | ~popular).astype(np.int8)),
            "is_unnamed": by_number([f.unnamed for f in frames], pa.bool_(), place),
            "polarity": by_number([f.polarity for f in frames], pa.string(), place),
            "timeframe": pa.StructArray.from_arrays(days, ["start", "end"]),
            "template_id": by_number([t.id for t in templates], pa.string(), place),
            "template_version": by_number([t.version for t in templates], pa.int32(), place),
            "property": by_number([f.property for f in frames], pa.int32(), place),
            "threshold": pa.nulls(rows, pa.decimal128(38, 9)),
            "counted_over": pa.nulls(rows, pa.string()),
            "topic": self._topic.take(pa.array(at[0])),
            "split": by_number([f.split for f in frames], pa.string(), place),
            "year": pa.array(year, pa.int32(), mask=~dated),
            "head_entity": pa.array(self._entity[at[0]]),
        }

    def _asked(self, frame: Ints, at: Sequence[Ints]) -> pa.ListArray:
        """The entities that are asked about: the things, and the office in which terms are compared."""
        entities = np.stack([self._entity[a] for a in at], axis=1)
        office = self._frame["office"][frame]
        if not office.any():
            return one_each(pa.array(entities.ravel()), len(at))
        every = np.column_stack([entities, office])
        there = np.ones(every.shape, dtype=bool)
        there[:, -1] = office > 0
        offsets = np.concatenate(([0], np.cumsum(there.sum(axis=1)))).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(every[there]))

    def _outer(self, outer: np.ufunc, days: Ints, at: Sequence[Ints]) -> tuple[npt.NDArray[np.int32], Mask]:
        """The least or greatest of the things' days, and whether all are known."""
        each = [days[a] for a in at]
        known = np.logical_and.reduce([day != UNKNOWN for day in each])
        return np.where(known, outer.reduce(each), 0).astype(np.int32), known

    def _descriptions(self, bound: Mapping[str, Ints], there: str) -> pa.ListArray:
        """Which things are described, in slot order, and by which form."""
        none = np.full(len(bound["frame"]), -1, dtype=np.int32)
        told = np.stack([bound.get(f"told_{side}", none) for side in there], axis=1)
        has = told >= 0
        number = pa.array(told[has])
        offsets = np.concatenate(([0], np.cumsum(has.sum(axis=1)))).astype(np.int32)
        entity, key = (self.told[name].combine_chunks().take(number) for name in ("entity", "key"))
        return pa.ListArray.from_arrays(
            pa.array(offsets), pa.StructArray.from_arrays([entity, key.cast(pa.string())], ["entity", "key"])
        )


def _is_hard(frame: Frame) -> bool:
    """Whether its questions are none of popular things alone: they describe, follow a path, or ask about an office."""
    return frame.unnamed or len(frame.hops) > 0 or (frame.office is not None and not frame.office[1])
