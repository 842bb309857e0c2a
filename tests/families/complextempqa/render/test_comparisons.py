from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from comparison_blocks import SCHEMA, build_template, convert_schema
from everwhen.families.complextempqa.compare.contexts import Context, locate_subjects
from everwhen.families.complextempqa.render.bindings import render_bindings
from everwhen.families.complextempqa.render.comparisons import ComparisonRenderer
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS, SUBJECT_DESCRIPTIONS, Template
from everwhen.language.lint import find_lint_error
from table_rows import parse_day

ODD = ['The "Piano" \\1', "$1 {first} {}", "O'Brien & Söhne ?", "éva"]
ENUMERATED = Template.model_validate(
    {
        "id": "t",
        "version": 1,
        "type": "1b",
        "relation": "single_value",
        "slots": {"first": {"entity": "a"}, "second": {"entity": "b"}, "verb": {"text": "c"}},
        "questions": {
            0: "{second} {verb} {first}, {second}?",
            1: "{first}{second}{verb}?",
            2: "{verb}? {second} {first}?",
        },
        "answer": {"entity": "a"},
        "rule": "x",
        "check": "SELECT 1",
        "example": {},
    }
)


def enumerated(
    *rows: dict[str, Any], templates: tuple[Template, ...] = (ENUMERATED,)
) -> tuple[pa.Table, dict[int, str]]:
    """What becomes of enumerated bindings: texts, and what else is not the plainest."""
    plain = {name: [] for name in ("slots", "answer_entity", "answer_countries", "hops", "countries")}
    plain |= {
        "template": 0,
        "wording_number": 0,
        "span": {"start": None, "end": None},
        "popular": True,
        "question_id": 1,
    }
    fields = [f.with_nullable(True) for f in convert_schema(BINDINGS)]
    fields += [pa.field(name, pa.list_(pa.string())) for name in ("texts", "described_labels", "answer")]
    fields += [pa.field("answer_countries", pa.list_(pa.int64()))]
    fields += [pa.field(name, pa.int32()) for name in ("template", "wording_number")]
    bindings = pa.Table.from_pylist([plain | {"answer": ["yes"]} | row for row in rows], pa.schema(fields))
    return render_bindings(bindings, templates, SCHEMA)


def test_labels_and_texts_of_enumerated_bindings_come_out_exactly() -> None:
    one, two, three, four = ODD
    cases = [
        ([one, f"the film {two}", "was"], 0, f"The film {two} was {one}, the film {two}?"),
        ([three, four, "{first} $2"], 0, f"Éva {{first}} $2 {three}, {four}?"),
        ([one, two, "was"], 1, f"{one}{two}was?"),
        (["films", "the war of {second}", "was"], 1, "Filmsthe war of {second}was?"),
        ([one, None, "was"], 1, None),
        (["the war of {second}", "the war in Laos", "was"], 2, "Was? the war in Laos the war of {second}?"),
        (["", "", ""], 2, "?  ?"),
    ]
    rows, _ = enumerated(*({"texts": texts, "wording_number": wording} for texts, wording, _ in cases))
    assert rows["question"].to_pylist() == [question for *_, question in cases]
    assert rows.schema.names == SCHEMA.names


def test_why_an_enumerated_binding_is_no_question() -> None:
    texts = ["A", "B", "was"]
    other = ENUMERATED.model_copy(update={"id": "c", "choice": True})
    cases: list[tuple[dict[str, Any], str | None]] = [
        ({"texts": texts}, None),
        ({"texts": ["A", None, "was"]}, "an entity has no unambiguous name"),
        ({"texts": ["A", None, "was"], "answer": None}, "an entity has no unambiguous name"),
        ({"texts": texts, "answer": None}, "the answer has no label"),
        ({"texts": texts, "answer": ["1990", None]}, "the answer has no label"),
        ({"texts": texts, "answer": ["1990", "1991-02"]}, None),
        ({"texts": texts, "answer": ["???"]}, "the scorer does not recognise the answer"),
        ({"texts": ["Dell", "B", "was"], "answer": ["Dell"]}, "the answer stands in the question"),
        ({"texts": ["A ", "B", "was"]}, "space before punctuation"),
        ({"texts": ["A", "B", "was the the"]}, "doubled word"),
        ({"texts": ["Dell", "B", "was"], "answer": ["Dell"], "template": 1}, None),
    ]
    rows, errors = enumerated(*(row for row, _ in cases), templates=(ENUMERATED, other))
    assert errors == {number: expected for number, (_, expected) in enumerate(cases) if expected is not None} | {
        8: errors[8]
    }
    assert errors[8] in ("space before punctuation", "doubled space")
    assert len(rows) == len(cases), "who writes them leaves the faulty ones out"


def test_what_an_enumerated_binding_describes_is_not_named() -> None:
    _, errors = enumerated(
        *(
            {"texts": ["The Mirror", "x", "was"], "described_labels": described}
            for described in (["a", "MIRROR"], ["Mirrors"], [])
        ),
        {"texts": [None, "x", "was"], "described_labels": ["Mirror"]},
    )
    assert errors == {0: "what is described is named, too", 3: "an entity has no unambiguous name"}


def test_rows_of_several_wordings_keep_their_order() -> None:
    other = ENUMERATED.model_copy(
        update={"id": "o", "questions": dict.fromkeys(range(3), "O {first} {second} {verb}?")}
    )
    each = [(0, 0), (0, 2), (1, 1), (0, 0)]
    rows, _ = enumerated(
        *(
            {"texts": [f"a{n}", f"b{n}", "is"], "template": place, "wording_number": wording, "question_id": n}
            for n, (place, wording) in enumerate(each)
        ),
        templates=(ENUMERATED, other),
    )
    assert rows["question"].to_pylist() == ["B0 is a0, b0?", "Is? b1 a1?", "O a2 b2 is?", "B3 is a3, b3?"]
    assert rows["question_id"].to_pylist() == [0, 1, 2, 3]


# Things: 0 and 1 are of the train split's block, 2 has no dates, 3 is open at its end.
SUBJECTS: list[dict[str, Any]] = [
    {"entity": 101, "name": f"our {ODD[0]}", "label": ODD[0], "popular": True, "countries": [30, 20]},
    {"entity": 102, "name": ODD[1], "label": ODD[1], "popular": True, "countries": [20]},
    {"entity": 103, "name": ODD[3], "label": "Éva", "popular": True, "countries": []},
    {"entity": 104, "name": "the day after", "label": "day after", "popular": False, "countries": [10]},
]
DAYS = [("1991-05-26", "1991-05-26"), ("1989-02-01", "1992-02-29"), (None, None), ("1950-01-01", None)]
DESCRIBED = [
    {"entity": 101, "key": "deaths", "description": "the war of {b}"},
    {"entity": 102, "key": "pair", "description": "the film in which $1 and {a} acted"},
    {"entity": 102, "key": "trio", "description": "the film (a)"},
]
SIDE_BY_SIDE = {"questions": {0: "Of {a} and {b} {way}?", 1: "Which, {way}, {a} or {b}?", 2: "{a}, {way}, {b}: which?"}}


def subjects() -> pa.Table:
    rows = [
        subject
        | {"number": number, "long_name": f"the film {subject['label']}", "topic": f"medtop:{number % 2}"}
        | {"earliest_start": first and parse_day(first), "latest_end": last and parse_day(last)}
        for number, (subject, (first, last)) in enumerate(zip(SUBJECTS, DAYS, strict=True))
    ]
    fields = [(name, pa.string()) for name in ("name", "long_name", "label", "topic")]
    fields += [("number", pa.int32()), ("entity", pa.int64()), ("popular", pa.bool_())]
    fields += [("countries", pa.list_(pa.int64())), ("earliest_start", pa.date32()), ("latest_end", pa.date32())]
    return pa.Table.from_pylist(rows, pa.schema(fields))


def described() -> pa.Table:
    return pa.Table.from_pylist(
        DESCRIBED, pa.schema([("entity", pa.int64()), ("key", pa.string()), ("description", pa.string())])
    )


TEMPLATES = [
    build_template("than", **SIDE_BY_SIDE),
    build_template("hop", **SIDE_BY_SIDE | {"answer": {"comparison": "first"}, "choice": False, "version": 3}),
    build_template("most", "triple", by="times"),
]
CONTEXTS = [
    Context(0, False, "train", "greater", (None, None, "I"), 2047),
    Context(0, False, "train", "lesser", (None, None, "II"), 2047),
    Context(1, False, "test", "greater", (None, None, "I"), 2044, (17, 610)),
    Context(0, True, "train", "greater", (None, None, "I"), 2047),
    Context(2, False, "train", "later", (None, None, None, "I"), None),
    Context(2, True, "train", "later", (None, None, None, "I"), None),
]
DESCRIBED_TABLE = described()
MAKE = ComparisonRenderer(TEMPLATES, CONTEXTS, subjects(), DESCRIBED_TABLE)


def bound(*rows: tuple[int, int, str, int], described: dict[int, dict[str, int]] | None = None) -> dict[str, Any]:
    """Comparisons as arrays: id, frame, subjects and answer; which are described, by row."""
    size = len(rows[0][2])
    found: dict[str, Any] = {
        "question_id": np.array([row[0] for row in rows], dtype=np.int64),
        "context": np.array([row[1] for row in rows], dtype=np.int32),
        "answer": np.array([row[3] for row in rows], dtype=np.int8),
        "reveals_order": np.zeros(len(rows), dtype=np.int8),
        "wording": np.array([row[0] % 3 for row in rows], dtype=np.int8),
    }
    for place, side in enumerate(COMPARED_SUBJECTS[:size]):
        found[side] = np.array([int(row[2][place]) for row in rows], dtype=np.int32)
        if described is not None:
            numbers = [described.get(number, {}).get(side, -1) for number in range(len(rows))]
            found[SUBJECT_DESCRIPTIONS[side]] = np.array(numbers, dtype=np.int32)
    return found


def render(make: ComparisonRenderer, arrays: dict[str, Any]) -> tuple[pa.Table, dict[int, str]]:
    texts, errors = make.render_texts(arrays)
    return make.build_rows(arrays, texts, SCHEMA), errors


def made(arrays: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[int, str]]:
    rows, errors = render(MAKE, arrays)
    return rows.cast(pa.schema([f.with_nullable(True) for f in SCHEMA])).to_pylist(), errors


def test_names_come_out_exactly() -> None:
    one, two, _, four = ODD
    rows, errors = made(bound((0, 0, "01", 0), (1, 0, "10", 0), (2, 0, "21", 1), (3, 1, "12", 0), (5, 2, "21", 1)))
    assert [row["question"] for row in rows] == [
        f"Of our {one} and {two} I?",
        f"Which, I, {two} or our {one}?",
        f"Éva, I, {two}: which?",
        f"Of {two} and {four} II?",
        f"Éva, I, {two}: which?",
    ]
    assert [row["wording"] for row in rows] == [0, 1, 2, 0, 2]
    assert [row["answer"] for row in rows] == [[one], [two], [two], [two], ["yes"]]
    assert errors == {}


def test_a_row_says_all_that_its_check_needs() -> None:
    rows, _ = made(bound((0, 0, "10", 1), (6, 2, "03", 0), (9, 2, "31", 1)))
    assert rows[0] == {
        "question_id": 0,
        "question": f"Of {ODD[1]} and our {ODD[0]} I?",
        "answer": [ODD[0]],
        "type": "2b",
        "question_entity": [102, 101],
        "answer_entity": [101],
        "question_country_entity": [20, 30],
        "answer_country_entity": [20, 30],
        "hops": [],
        "descriptions": [],
        "rating": 0,
        "is_unnamed": False,
        "timeframe": {"start": parse_day("1989-02-01"), "end": parse_day("1992-02-29")},
        "template_id": "than",
        "template_version": 1,
        "wording": 0,
        "property": 2047,
        "polarity": "greater",
        "threshold": None,
        "counted_over": None,
        "calendar": None,
        "topic": "medtop:1",
        "split": "train",
        "year": 1989,
        "head_entity": 102,
    }
    differ = {name: [row[name] for row in rows[1:]] for name in rows[0] if rows[1][name] != rows[0][name]}
    assert differ == {
        "question_id": [6, 9],
        "question": [f"Of our {ODD[0]} and the day after I?", f"Of the day after and {ODD[1]} I?"],
        "answer": [["no"], ["yes"]],
        "question_entity": [[101, 104], [104, 102]],
        "answer_entity": [[], []],
        "question_country_entity": [[10, 20, 30], [10, 20]],
        "answer_country_entity": [[], []],
        "hops": [[17, 610]] * 2,
        "rating": [1, 1],
        # Of two that begin and of which one does not end, the start is known.
        "timeframe": [{"start": parse_day("1950-01-01"), "end": None}] * 2,
        "template_id": ["hop"] * 2,
        "template_version": [3, 3],
        "property": [2044, 2044],
        "topic": ["medtop:0", "medtop:1"],
        "split": ["test", "test"],
        "year": [1950, 1950],
        "head_entity": [101, 104],
    }


def test_a_day_that_is_not_known_leaves_its_bound_open() -> None:
    (row,), _ = made(bound((0, 0, "20", 0)))
    assert row["timeframe"] == {"start": None, "end": None}
    assert row["year"] is None
    # The day before the first of 1970 is no unknown one.
    early = subjects().set_column(8, "earliest_start", pa.array([parse_day("1969-12-31")] * 4))
    rows, _ = render(ComparisonRenderer(TEMPLATES, CONTEXTS, early, described()), bound((0, 0, "01", 0)))
    assert (rows["year"][0].as_py(), rows["timeframe"][0]["start"].as_py()) == (1969, parse_day("1969-12-31"))


def test_rating_needs_popular_named_single_subjects() -> None:
    rows, _ = made(
        bound((0, 0, "01", 0), (3, 0, "03", 0), (6, 2, "01", 1), (9, 3, "01", 0), described={3: {"first_subject": 0}})
    )
    assert [row["rating"] for row in rows] == [0, 1, 1, 1]


def test_three_at_once() -> None:
    rows, _ = made(bound((0, 4, "012", 2), (3, 4, "130", 0)))
    assert [row["question"] for row in rows] == [
        f"Of our {ODD[0]}, {ODD[1]}, {ODD[3]} I?",
        f"Of {ODD[1]}, the day after, our {ODD[0]} I?",
    ]
    assert [row["answer"] for row in rows] == [["Éva"], [ODD[1]]]
    assert [row["question_entity"] for row in rows] == [[101, 102, 103], [102, 104, 101]]
    assert [row["question_country_entity"] for row in rows] == [[20, 30], [10, 20, 30]]
    assert [row["property"] for row in rows] == [None, None]


def test_what_is_described_is_not_named() -> None:
    each = {0: {"first_subject": 0}, 1: {"first_subject": 1, "second_subject": 0}, 2: {"second_subject": 2}}
    rows, errors = made(bound((0, 3, "01", 0), (3, 3, "10", 1), (6, 3, "21", 1), described=each))
    assert [row["question"] for row in rows] == [
        f"Of the war of {{b}} and {ODD[1]} I?",
        "Of the film in which $1 and {a} acted and the war of {b} I?",
        f"Of {ODD[3]} and the film (a) I?",
    ]
    assert [row["descriptions"] for row in rows] == [
        [{"entity": 101, "key": "deaths"}],
        [{"entity": 102, "key": "pair"}, {"entity": 101, "key": "deaths"}],
        [{"entity": 102, "key": "trio"}],
    ]
    assert all(row["is_unnamed"] for row in rows)
    # The answer is told by its label all the same.
    assert [row["answer"] for row in rows] == [[ODD[0]], [ODD[0]], [ODD[1]]]
    assert errors == {}
    (row,), _ = made(bound((0, 5, "012", 0), described={0: {"second_subject": 1}}))
    assert row["question"] == f"Of our {ODD[0]}, the film in which $1 and {{a}} acted, {ODD[3]} I?"


@pytest.mark.parametrize(
    ("name", "described", "named"),
    [
        ("the Futha mirror, again", {"first_subject": 0}, True),
        ("the Futha Mirrors", {"first_subject": 0}, False),
        ("the day after", {"second_subject": 0}, True),  # "of": the template says it
        ("the Futha mirror, again", {}, False),
    ],
)
def test_the_name_of_another_may_hold_that_of_what_is_described(
    name: str, described: dict[str, int], named: bool
) -> None:
    labels, names = ["Mirror", "of", "x", "???"], ["Mirror", name, "x", "???"]
    table = subjects()
    for column, texts in (("label", labels), ("name", names)):
        table = table.set_column(table.schema.get_field_index(column), column, pa.array(texts))
    make = ComparisonRenderer(TEMPLATES, CONTEXTS, table, DESCRIBED_TABLE)
    _, errors = make.render_texts(bound((0, 3, "01", 0), described={0: described}))
    assert errors == ({0: "what is described is named, too"} if named else {})


def test_errors_are_found_where_names_cause_them() -> None:
    names = ["X", "the day after", "In, out", "Who is in", "Yes", "Help!", "Le a", "a  b", "élan"]
    table = subjects()
    many = pa.concat_tables([table.slice(0, 1)] * len(names)).set_column(0, "name", pa.array(names))
    asks = build_template(
        "in",
        questions={0: "Was {a} in {b} before {way}?", 1: "Was {a} or {b} the first by {way} in {b}?", 2: "{a}, {b}?"},
    )
    yes_no = asks.model_copy(update={"choice": False})
    contexts = [
        Context(0, False, "train", "greater", (None, None, "I"), 1),
        Context(1, False, "train", "greater", (None, None, "I"), 1),
    ]
    make = ComparisonRenderer([asks, yes_no], contexts, many, described())
    pairs = list(product(range(len(names)), repeat=2))
    for wording, context_number in product(range(3), range(2)):
        arrays = bound(*((wording, context_number, "00", 0) for _ in pairs))
        arrays["first_subject"], arrays["second_subject"] = (
            np.array(side, dtype=np.int32) for side in zip(*pairs, strict=True)
        )
        texts, errors = make.render_texts(arrays)
        # What the plain, slow way finds.
        expected = asks.questions[wording].replace("{way}", "I")
        plain = [expected.replace("{a}", names[a]).replace("{b}", names[b]) for a, b in pairs]
        plain = [text[:1].upper() + text[1:] for text in plain]
        assert texts.to_pylist() == plain
        answer = ["no" if context_number else "X"]
        found = {
            row: find_lint_error(text, answer, choice=not context_number, comparison=True)
            for row, text in enumerate(plain)
        }
        assert errors == {row: reason for row, reason in found.items() if reason}
        assert 0 < len(errors) < len(pairs)


DOUBTFUL = ("Of {a} and {b}  {way}?", "{a}, {b} ?", "Was it before {a} or after {b}?")


def test_an_error_of_the_context_is_in_all_its_rows() -> None:
    twice = build_template("twice", questions=dict(enumerate(DOUBTFUL)))
    make = ComparisonRenderer([twice], CONTEXTS[:1], subjects(), described())
    rows = bound((0, 0, "01", 0), (0, 0, "10", 0), (1, 0, "01", 0), (2, 0, "01", 0))
    _, errors = make.render_texts(rows)
    expected = ["doubled space"] * 2 + ["space before punctuation", "a name holds a word of comparison"]
    assert [errors[row] for row in range(4)] == expected


def test_files_are_sorted_by_template_and_year() -> None:
    rows = bound((5, 2, "01", 1), (4, 1, "10", 0), (3, 0, "23", 0), (2, 0, "01", 0), (0, 0, "10", 0), (1, 0, "30", 0))
    # By template; then what has no year, 1950 and 1989; then as they come.
    assert rows["question_id"][MAKE.order_rows(rows)].tolist() == [3, 1, 4, 2, 0, 5]
    # By template, wording and context.
    assert rows["question_id"][MAKE.order_group(rows)].tolist() == [3, 0, 1, 4, 2, 5]


def test_an_office_is_asked_about_behind_the_people() -> None:
    contexts = [CONTEXTS[0], replace(CONTEXTS[0], office=(77, True)), replace(CONTEXTS[0], office=(78, False))]
    make = ComparisonRenderer(TEMPLATES, contexts, subjects(), described())
    rows, _ = render(make, bound((0, 0, "01", 0), (3, 1, "10", 0), (6, 2, "01", 0)))
    assert rows["question_entity"].to_pylist() == [[101, 102], [102, 101, 77], [101, 102, 78]]
    assert rows["rating"].to_pylist() == [0, 0, 1]


def test_a_slot_names_a_side() -> None:
    assert locate_subjects(TEMPLATES[2]) == [0, 1, 2, None]
    odd = build_template(
        "odd",
        slots={
            "a": {"entity": "first_subject.country"},
            "b": {"entity": "second_subject.entity"},
            "way": {"text": "x"},
        },
    )
    with pytest.raises(
        Exception,
        match=r"template odd: slots\.a: a comparison names first_subject\.entity, second_subject\.entity or",
    ):
        locate_subjects(odd)
