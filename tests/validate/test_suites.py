from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import InputError, ValidationFailed
from pipeline.validate.suites import Expectation, load_suite, require, run_suite

WINDOW = {"window_start": dt.date(1987, 1, 1), "window_end": dt.date(2023, 12, 31)}
EARLIER, LATER = dt.date(1980, 1, 1), dt.date(2024, 1, 1)

# One row for each fault: what is changed in the sound row, and the columns whose expectations must object to it.
Faults = list[tuple[dict[str, Any], set[str]]]
FAULTS: dict[str, Faults] = {
    "statements": [
        ({"statement_id": "twice"}, {"statement_id"}),
        ({"statement_id": "twice"}, {"statement_id"}),
        ({"subject": 0}, {"subject"}),
        ({"property": 0}, {"property"}),
        ({"rank": "best"}, {"rank"}),
        ({"snak": "unknown"}, {"snak", "value_agrees"}),
        ({"snak": "novalue"}, {"value_agrees"}),
        ({"value_item": None}, {"has_value"}),
        ({"first_day": EARLIER}, {"days_complete"}),
        ({"first_day": LATER, "last_day": EARLIER, "precision": 11}, {"days_ordered"}),
        ({"first_day": EARLIER, "last_day": LATER, "precision": 3}, {"precision"}),
        *[
            ({qualifier: value}, {f"{qualifier}_{fault}"})
            for qualifier in ("start_time", "end_time", "point_in_time")
            for value, fault in (
                (("value", None, None, None), "complete"),
                (("somevalue", EARLIER, LATER, 9), "complete"),
                (("value", LATER, EARLIER, 9), "ordered"),
                (("missing", None, None, None), "snak"),
            )
        ],
    ],
    "events": [
        ({"event": 1}, {"event"}),
        ({"event": 1}, {"event"}),
        ({"name": "twice"}, {"name"}),
        ({"name": "twice"}, {"name"}),
        ({"event": 0}, {"event"}),
        ({"name": " "}, {"name"}),
        ({"name": "Q17"}, {"name"}),
        ({"first_day": LATER, "start_last": LATER}, {"last_day", "first_day"}),
        ({"start_last": EARLIER, "extent": "span"}, {"start_last"}),
        ({"first_day": EARLIER, "last_day": EARLIER, "start_last": EARLIER}, {"last_day"}),
        ({"first_day": LATER, "last_day": LATER, "start_last": LATER}, {"first_day"}),
        ({"precision": 7}, {"precision"}),
        ({"extent": "open"}, {"extent"}),
        ({"last_day": LATER}, {"instant_agrees"}),
        ({"countries": [5, 3]}, {"countries_ordered"}),
        ({"source": "hearsay"}, {"source"}),
        ({"topic": "sport"}, {"topic"}),
        ({"split": "dev"}, {"split"}),
    ],
    "questions": [
        ({"question_id": -1}, {"question_id"}),
        ({"question": "When was it"}, {"question_closed"}),
        ({"question": "When was Q42?", "question_entity": [42]}, {"question_without_id"}),
        ({"question": "When  was it, then?"}, {"question_spaced"}),
        ({"answer": []}, {"answers"}),
        ({"answer": [" "]}, {"empty_answers"}),
        ({"answer": ["Q42"]}, {"answers_without_name"}),
        ({"type": "4a"}, {"type"}),
        ({"rating": 2}, {"rating"}),
        ({"hops": [17]}, {"rating_agrees"}),
        ({"type": "1b", "is_unnamed": True, "rating": 1}, {"unnamed_agrees"}),
        ({"question_entity": []}, {"entities_asked", "head_agrees"}),
        ({"answer_entity": [0]}, {"ids_positive"}),
        ({"answer_country_entity": [5, 3]}, {"countries_ordered"}),
        ({"head_entity": 9}, {"head_agrees"}),
        ({"timeframe": (dt.date(1991, 2, 1), dt.date(1991, 1, 1))}, {"timeframe_ordered"}),
        ({"year": 1990}, {"year_agrees"}),
        ({"type": "3a", "rating": 1, "answer": ["many"]}, {"count_agrees"}),
        ({"type": "3a", "rating": 1, "answer": ["3"], "timeframe": (None, None), "year": None}, {"window_agrees"}),
        ({"threshold": Decimal(3)}, {"threshold_agrees"}),
        ({"template_id": ""}, {"template_id"}),
        ({"template_version": 0}, {"template_version"}),
        ({"wording": -1}, {"wording"}),
        ({"topic": "sport"}, {"topic_coded"}),
        ({"split": "dev"}, {"split"}),
    ],
    "accounts": [
        ({"unit": "lost", "units": 5}, {"units_in"}),
        ({"unit": "unsaid", "units": 2}, set()),
        ({"unit": "unsaid", "units": 2, "outcome": "rejected"}, {"unexplained"}),
        ({"unit": "other", "outcome": "lost"}, {"unknown"}),
        ({"unit": "negative", "units": -1}, set()),
        ({"unit": "negative", "units": -1, "outcome": "kept"}, {"least"}),
    ],
}


def keyed(name: str, number: int, change: dict[str, Any]) -> dict[str, Any]:
    """Keys of a row of its own, so that the fault is the only one."""
    keys = {
        "statements": {"statement_id": f"Q1${number}"},
        "events": {"event": 100 + number, "name": f"Flight {number}"},
        "questions": {"question_id": 100 + number, "question": f"When was flight {number}?"},
        "accounts": {},
    }
    return {**keys[name], **change}


def column(expectation: Expectation) -> str:
    return expectation.kwargs.get("column", expectation.kwargs.get("column_A", ""))


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(FAULTS))
def test_every_expectation_meets_its_fault(spark, frame, name):
    changes = [keyed(name, number, change) for number, (change, _) in enumerate(FAULTS[name])]
    result = run_suite(spark, frame(name, *changes), name, parameters=WINDOW)
    about = {str(e): column(e) for e in load_suite(name).expectations}
    objected = {about[failure.expectation] for failure in result.failures}
    assert objected == set().union(*(columns for _, columns in FAULTS[name]))
    counted = {e for e, c in about.items() if c}
    assert {failure.expectation for failure in result.failures} == counted
    for failure in result.failures:
        assert 1 <= len(failure.rows) <= 10
        assert failure.rows_wrong >= len(failure.rows)


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_sound_row_passes(spark, frame, name):
    result = run_suite(spark, frame(name, {}), name, parameters=WINDOW)
    assert not result.failures, str(result)
    assert result.checked == result.passed == len(load_suite(name).expectations)
    require([result])


def test_failure_shows_the_row_and_the_reason(spark, frame):
    df = frame(
        "accounts", {"units": 5}, {"outcome": "kept", "units": 3}, {"outcome": "rejected", "reason": "r", "units": 1}
    )
    with pytest.raises(ValidationFailed) as error:
        require([run_suite(spark, df, "accounts", table="accounts of facts")])
    message = str(error.value)
    assert "accounts of facts: 4 of 5 expectations met" in message
    assert "units in = kept + rejected" in message
    assert '{"units_in": 5, "units_out": 4, "unit": "line"' in message


def test_empty_table_fails_as_a_whole(spark, frame):
    (failure,) = run_suite(spark, frame("questions"), "questions").failures
    assert (failure.rows_wrong, failure.observed, failure.rows) == (None, 0, ())


UNIQUE = {"type": "expect_column_values_to_be_unique", "kwargs": {"column": "unit"}, "meta": {"why": "w"}}


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        pytest.param({**UNIQUE, "type": "expect_column_values_to_be_uniq"}, "be_uniq.* not found", id="type"),
        pytest.param({**UNIQUE, "kwargs": {"colum": "unit"}}, "be_unique.*field required", id="kwarg"),
        pytest.param({**UNIQUE, "kwargs": {"column": "unit", "most": 1}}, "be_unique.*not permitted", id="extra"),
        pytest.param({**UNIQUE, "meta": {}}, "meta.why", id="no-reason"),
        pytest.param({**UNIQUE, "severity": "high"}, "severity", id="key"),
    ],
)
def test_mistyped_expectation_is_named(tmp_path: Path, expectation, message):
    (tmp_path / "mine.json").write_text(json.dumps({"name": "mine", "expectations": [UNIQUE, expectation]}))
    with pytest.raises(InputError, match=f"mine.*{message}"):
        load_suite("mine", tmp_path)


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        pytest.param({**UNIQUE, "kwargs": {"column": "Unit"}}, "no column Unit", id="column"),
        pytest.param(
            {
                "type": "expect_column_values_to_be_between",
                "kwargs": {"column": "units", "min_value": {"$PARAMETER": "least"}},
                "meta": {"why": "w"},
            },
            "least",
            id="parameter",
        ),
    ],
)
def test_expectation_that_cannot_run_is_named(spark, frame, tmp_path: Path, expectation, message):
    (tmp_path / "mine.json").write_text(json.dumps({"name": "mine", "expectations": [expectation]}))
    with pytest.raises(InputError, match=f"suite mine: .*{message}"):
        run_suite(spark, frame("accounts", {}), "mine", folder=tmp_path)


def test_no_suite(tmp_path: Path):
    with pytest.raises(InputError, match=r"missing\.json"):
        load_suite("missing", tmp_path)
