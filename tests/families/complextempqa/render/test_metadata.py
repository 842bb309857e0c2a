from __future__ import annotations

import datetime as dt
from itertools import product

import numpy as np
import pyarrow as pa

from comparison_blocks import SCHEMA, build_template
from everwhen.families.complextempqa.question_type import QuestionType
from everwhen.families.complextempqa.render.metadata import derive_rows, find_years
from everwhen.families.complextempqa.template import Template

DAY = dt.date(1990, 5, 1)


def complete(templates: list[Template], rows: list[tuple[int, bool, list[int], bool]]) -> pa.Table:
    """Questions of templates by place, popular or not, with paths, described or not."""
    n = len(rows)
    described = [[{"entity": 1, "key": "deaths"}] if each[3] else [] for each in rows]
    asked = {
        "question_id": pa.array(range(n), pa.int64()),
        "question": pa.array([f"{number}?" for number in range(n)]),
        "answer": pa.array([["yes"]] * n),
        "question_entity": pa.array([[7]] * n, pa.list_(pa.int64())),
        "answer_entity": pa.array([[]] * n, pa.list_(pa.int64())),
        "question_country_entity": pa.array([[20]] * n, pa.list_(pa.int64())),
        "answer_country_entity": pa.array([[]] * n, pa.list_(pa.int64())),
        "hops": pa.array([row[2] for row in rows], pa.list_(pa.int32())),
        "descriptions": pa.array(described, SCHEMA.field("descriptions").type),
        "timeframe": pa.StructArray.from_arrays(
            [pa.array([DAY] * n, pa.date32()), pa.nulls(n, pa.date32())], ["start", "end"]
        ),
        "wording": pa.array([0] * n, pa.int32()),
        "property": pa.array([5] * n, pa.int32()),
        "topic": pa.array(["medtop:1"] * n),
        "split": pa.array(["train"] * n),
        "head_entity": pa.array([7] * n, pa.int64()),
    }
    asked |= {
        name: pa.nulls(n, SCHEMA.field(name).type) for name in ("polarity", "threshold", "counted_over", "calendar")
    }
    template, popular = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    return derive_rows(asked, templates, template, popular, SCHEMA)


def test_rating_needs_popular_named_single_subjects() -> None:
    plain = build_template("plain").model_copy(update={"type": QuestionType("1b")})
    templates = [plain, plain.model_copy(update={"type": QuestionType("3a"), "id": "counts"})]
    rows = list(product((0, 1), (True, False), ([], [17]), (False, True)))
    found = complete(templates, rows)
    for row, rating, is_unnamed in zip(rows, found["rating"].to_pylist(), found["is_unnamed"].to_pylist(), strict=True):
        assert rating == (0 if row == (0, True, [], False) else 1)
        assert is_unnamed == row[3]


def test_rows_have_all_columns_and_say_what_their_template_says() -> None:
    templates = [
        build_template("a"),
        build_template("b").model_copy(update={"type": QuestionType("1bc"), "version": 3}),
    ]
    one, other = complete(templates, [(1, True, [], False), (0, True, [], False)]).cast(SCHEMA).to_pylist()
    assert (one["template_id"], one["type"], one["template_version"], one["question"]) == ("b", "1bc", 3, "0?")
    assert (other["template_id"], other["type"], other["template_version"]) == ("a", "2b", 1)
    assert one["timeframe"] == {"start": DAY, "end": None}
    assert (one["year"], one["question_id"], other["question_id"]) == (1990, 0, 1)


def test_a_year_is_known_where_a_day_is() -> None:
    days = pa.array([DAY, None, dt.date(1, 1, 1)], pa.date32())
    assert find_years(days).to_pylist() == [1990, None, 1]
