from __future__ import annotations

import datetime as dt
from itertools import product

import numpy as np
import pyarrow as pa

from comparison_blocks import SCHEMA, build_template
from everwhen.families.complextempqa.question_type import QuestionType
from everwhen.families.complextempqa.render.metadata import AskedSubjects, build_columns, find_years
from everwhen.families.complextempqa.template import Template

DAY = dt.date(1990, 5, 1)


def asked(templates: list[Template], rows: list[tuple[int, bool, list[int], bool]]) -> AskedSubjects:
    """Questions of templates by place, popular or not, with paths, described or not."""
    n = len(rows)
    described = [[{"entity": 1, "key": "deaths"}] if each[3] else [] for each in rows]
    return AskedSubjects(
        templates=templates,
        template=np.array([row[0] for row in rows]),
        ids=np.arange(n),
        wording=np.zeros(n, dtype=np.int8),
        entities=pa.array([[7]] * n, pa.list_(pa.int64())),
        head=pa.array([7] * n, pa.int64()),
        countries=pa.array([[20]] * n, pa.list_(pa.int64())),
        popular=np.array([row[1] for row in rows]),
        start=pa.array([DAY] * n, pa.date32()),
        end=pa.nulls(n, pa.date32()),
        topic=pa.array(["medtop:1"] * n),
        split=pa.array(["train"] * n),
        hops=pa.array([row[2] for row in rows], pa.list_(pa.int32())),
        property=pa.array([5] * n, pa.int32()),
        polarity=pa.nulls(n, pa.string()),
        threshold=pa.nulls(n, pa.decimal128(38, 9)),
        counted_over=pa.nulls(n, pa.string()),
        calendar=pa.nulls(n, pa.string()),
        descriptions=pa.array(described, SCHEMA.field("descriptions").type),
        answers=pa.array([["yes"]] * n),
        answer_entities=pa.array([[]] * n, pa.list_(pa.int64())),
        answer_countries=pa.array([[]] * n, pa.list_(pa.int64())),
    )


def test_rating_needs_popular_named_single_subjects() -> None:
    plain = build_template("plain").model_copy(update={"type": QuestionType("1b")})
    templates = [plain, plain.model_copy(update={"type": QuestionType("3a"), "id": "counts"})]
    rows = list(product((0, 1), (True, False), ([], [17]), (False, True)))
    found = build_columns(asked(templates, rows), pa.array(["?"] * len(rows)))
    for row, rating, is_unnamed in zip(rows, found["rating"].to_pylist(), found["is_unnamed"].to_pylist(), strict=True):
        assert rating == (0 if row == (0, True, [], False) else 1)
        assert is_unnamed == row[3]


def test_rows_have_all_columns_and_say_what_their_template_says() -> None:
    templates = [
        build_template("a"),
        build_template("b").model_copy(update={"type": QuestionType("1bc"), "version": 3}),
    ]
    found = build_columns(asked(templates, [(1, True, [], False), (0, True, [], False)]), pa.array(["X?", "Y?"]))
    table = pa.table([found[name] for name in SCHEMA.names], names=SCHEMA.names).cast(SCHEMA)
    one, other = table.to_pylist()
    assert (one["template_id"], one["type"], one["template_version"], one["question"]) == ("b", "1bc", 3, "X?")
    assert (other["template_id"], other["type"], other["template_version"]) == ("a", "2b", 1)
    assert one["timeframe"] == {"start": DAY, "end": None}
    assert (one["year"], one["question_id"], other["question_id"]) == (1990, 0, 1)


def test_a_year_is_known_where_a_day_is() -> None:
    days = pa.array([DAY, None, dt.date(1, 1, 1)], pa.date32())
    assert find_years(days).to_pylist() == [1990, None, 1]
