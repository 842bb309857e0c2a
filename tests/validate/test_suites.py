from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.errors import InputError, ValidationFailed
from everwhen.core.record_counts import reconcile
from everwhen.families.complextempqa.build import BUILD
from everwhen.publish.evidence import PUBLISHED_FACTS
from everwhen.tables.record_counts import record_counts
from everwhen.validate.dataset import SUITES
from everwhen.validate.expectations import Validation
from everwhen.validate.suites import SuiteResult, load_suite, raise_on_failures

WINDOW = {"window_start": dt.date(1987, 1, 1), "window_end": dt.date(2023, 12, 31)}
EARLIER, LATER = dt.date(1980, 1, 1), dt.date(2024, 1, 1)

BOUNDS = ("earliest_start", "latest_start", "earliest_end", "latest_end")
OPEN = {"extent": "open", "earliest_end": None, "latest_end": None}
ITEM = OPEN | {"kind": "item", "source": None}
YEAR_AND_DAY = {"extent": "span", "earliest_start": dt.date(1991, 1, 1), "latest_start": dt.date(1991, 12, 31)}
NO_TIME = {"kind": None, "reason": "time unknown", "start_bounds": "none", "end_bounds": "none"}
AT_A_POINT = {"kind": "point", "start_snak": None, "end_snak": None, "point_snak": "value"} | {
    "point_bounds": "ordered",
    "bounds_agree": True,
}

TWO = {"type": "2ac", "template_id": "comparison.event.before_after", "head_entity": 31, "polarity": "later"}

OTHERS: tuple[dict[str, Any], ...] = (
    {"property": 571},
    {"hops": [57, 569], "rating": 1},
    {"template_id": "comparison.event.first"},
    {"descriptions": [{"entity": 40, "key": "winner"}], "is_unnamed": True, "rating": 1},
)

# One row for each fault: what is changed in the sound row, and the columns whose expectations must object to it.
Faults = list[tuple[dict[str, Any], set[str]]]
FAULTS: dict[str, Faults] = {
    "statements": [
        ({"statement_id": "twice"}, {"statements_repeated"}),
        ({"statement_id": "twice"}, {"statements_repeated"}),
        ({"subject": 0}, {"subject_positive"}),
        ({"property": 0}, {"property_positive"}),
        ({"rank": "best"}, {"rank"}),
        ({"snak": "unknown"}, {"snak", "value_agrees"}),
        ({"snak": "novalue"}, {"value_agrees"}),
        ({"snak": "hedged"}, {"hedges_agree"}),
        ({"hedges": [1480]}, {"hedges_agree"}),
        ({"before": 1}, {"hedges_agree"}),
        ({"snak": "unreadable", "rank": "deprecated"}, {"unreadable_agrees"}),
        ({"calendar": "julian"}, {"days_complete"}),
        ({"value_item": None}, {"has_value"}),
        ({"first_day": EARLIER}, {"days_complete"}),
        ({"first_day": LATER, "last_day": EARLIER, "precision": 11, "calendar": "julian"}, {"days_ordered"}),
        ({"first_day": EARLIER, "last_day": LATER, "precision": 3, "calendar": "julian"}, {"precision"}),
        ({"ordinal": 0}, {"ordinal"}),
        *[
            ({qualifier: value}, {f"{qualifier}_{fault}"})
            for qualifier in ("start_time", "end_time", "point_in_time")
            for value, fault in (
                ({"snak": "value"}, "complete"),
                ({"snak": "somevalue", "first_day": EARLIER, "last_day": LATER, "precision": 9}, "complete"),
                (
                    {"snak": "value", "first_day": LATER, "last_day": EARLIER, "precision": 9, "calendar": "julian"},
                    "ordered",
                ),
                ({"snak": "missing"}, "snak"),
            )
        ],
    ],
    "subjects": [
        ({"item_id": 1}, {"items_repeated"}),
        ({"item_id": 1}, {"items_repeated"}),
        ({"name": "twice"}, {"names_repeated"}),
        ({"name": "twice"}, {"names_repeated"}),
        ({"item_id": 0}, {"id_positive"}),
        ({"kind": "person"}, {"kind", "source"}),
        ({"name": " "}, {"named"}),
        ({"name": "Q17"}, {"name_not_id"}),
        ({"name": "the None"}, {"name_not_id"}),
        (
            {"earliest_start": LATER, "latest_start": LATER},
            {"days_ordered", "starts_in_window", "instant_agrees"},
        ),
        ({"latest_start": EARLIER, "extent": "span"}, {"start_ordered"}),
        ({"earliest_end": LATER, "extent": "span"}, {"end_ordered"}),
        (dict.fromkeys(BOUNDS, EARLIER), {"ends_in_window"}),
        (dict.fromkeys(BOUNDS, LATER), {"starts_in_window"}),
        (
            {"earliest_start": None, "extent": "span"},
            {"bounds_fit_extent", "days_ordered", "start_ordered", "starts_in_window"},
        ),
        (ITEM | {"latest_start": None}, {"bounds_fit_extent"}),
        (ITEM | {"extent": None}, {"bounds_fit_extent"}),
        (ITEM | {"extent": "ends"}, {"extent", "bounds_fit_extent"}),
        (ITEM | {"source": "list"}, {"source"}),
        ({"precision": 7}, {"precision"}),
        (OPEN | {"kind": "event"}, {"extent", "days_ordered", "end_ordered", "ends_in_window"}),
        ({"latest_end": LATER}, {"instant_agrees"}),
        ({"countries": [5, 3]}, {"countries_ordered"}),
        ({"source": "hearsay"}, {"source"}),
        ({"topic": "sport"}, {"topic_coded"}),
        ({"split": "dev"}, {"split"}),
    ],
    "temporal_facts": [
        ({"rank": "deprecated"}, {"rank"}),
        ({"snak": "several"}, {"snak"}),
        ({"kind": "open"}, {"kind"}),
        ({"reason": "several starts"}, {"kind_or_reason"}),
        ({"kind": None}, {"kind_or_reason", "kind_fits_bounds"}),
        ({"start_snak": "missing"}, {"qualifiers", "kind_fits_qualifiers"}),
        (NO_TIME | {"start_snak": None, "end_snak": None}, {"qualifiers"}),
        ({"kind": "begun", "end_bounds": "none"}, {"kind_fits_qualifiers"}),
        ({"kind": "ended", "start_bounds": "none"}, {"kind_fits_qualifiers"}),
        ({"kind": "begun", "end_snak": "novalue"}, {"kind_fits_bounds"}),
        ({"kind": "ended", "start_snak": "novalue"}, {"kind_fits_bounds"}),
        ({"end_bounds": "none"}, {"kind_fits_bounds"}),
        ({"start_bounds": "broken"}, {"start_ordered"}),
        ({"end_bounds": "broken"}, {"end_ordered"}),
        ({"point_bounds": "ordered"}, {"point_ordered"}),
        ({"point_snak": "value"}, {"point_ordered"}),
        ({"ends_after_start": False}, {"end_after_start"}),
        ({"ends_after_start": None}, {"end_after_start"}),
        (AT_A_POINT | {"bounds_agree": False}, {"point_agrees"}),
        (AT_A_POINT | {"point_snak": "several", "point_bounds": "none"}, {"kind_fits_qualifiers"}),
    ],
    "questions": [
        ({"question_id": -1}, {"id_in_range"}),
        ({"question_id": 1}, {"ids_repeated", "pairs_repeated"}),
        ({"question_id": 1}, {"ids_repeated", "pairs_repeated"}),
        ({"question": "When?"}, {"texts_repeated"}),
        ({"question": "When?"}, {"texts_repeated"}),
        ({"question": "When was it"}, {"question_closed"}),
        ({"question": "When was Q42?", "question_entity": [42]}, {"question_without_id", "head_agrees"}),
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
        ({"timeframe": {"start": dt.date(1991, 2, 1), "end": dt.date(1991, 1, 1)}}, {"timeframe_ordered"}),
        ({"year": 1990}, {"year_agrees"}),
        ({"calendar": "roman"}, {"calendar_agrees"}),
        ({"type": "3a", "rating": 1, "answer": ["many"], "counted_over": "complete"}, {"count_agrees"}),
        (
            {"type": "3a", "rating": 1, "answer": ["3"], "timeframe": {}, "year": None, "counted_over": "complete"},
            {"window_agrees"},
        ),
        ({"threshold": Decimal(3)}, {"threshold_agrees"}),
        ({"counted_over": "complete"}, {"counted_over_agrees"}),
        ({"type": "3a", "rating": 1, "answer": ["3"], "counted_over": "all"}, {"counted_over_agrees"}),
        ({"polarity": "later"}, {"polarity_agrees"}),
        ({**TWO, "polarity": None, "question_entity": [31, 91]}, {"polarity_agrees"}),
        ({**TWO, "polarity": "after", "question_entity": [31, 92]}, {"polarity_agrees"}),
        ({"template_id": ""}, {"template_id"}),
        ({"template_version": 0}, {"template_version"}),
        ({"wording": -1}, {"wording"}),
        ({"topic": "sport"}, {"topic_coded"}),
        ({"split": "dev"}, {"split"}),
        ({**TWO, "question_entity": [31, 32]}, {"pairs_repeated"}),
        ({**TWO, "question_entity": [32, 31], "head_entity": 32}, {"pairs_repeated"}),
        # A pair is asked once, whatever else differs; three are asked once by each property.
        *(
            ({**TWO, "question_entity": [there, here], "head_entity": there, **changed}, {"pairs_repeated"})
            for number, other in enumerate(OTHERS)
            for there, here, changed in ((40, 50 + number, {}), (50 + number, 40, other))
        ),
        *(({**TWO, "question_entity": [31, 32, 33], **other}, set()) for other in ({}, *OTHERS[:2])),
        ({"type": "1b", "question_entity": [31, 32], "head_entity": 31}, set()),
        ({"type": "1b", "question_entity": [32, 31], "head_entity": 32}, set()),
    ],
    "entities": [
        ({"item": 0}, {"id_positive"}),
        ({"item": 5}, {"items_repeated"}),
        ({"item": 5}, {"items_repeated"}),
        ({"label": ""}, {"label_said"}),
        ({"aliases": ["WT2120", " "]}, {"aliases_said"}),
        ({"title": " "}, {"title_said"}),
        ({"sitelinks": 0}, {"sitelinks_counted"}),
        ({"revision": -2}, {"revision_known"}),
    ],
    "labels": [
        ({"item": 0}, {"id_positive"}),
        ({"kind": "name"}, {"kind"}),
        ({"text": ""}, {"text_said"}),
        ({"item": 5, "text": "A"}, {"texts_repeated"}),
        ({"item": 5, "text": "A"}, {"texts_repeated"}),
        ({"item": 5, "kind": "alias", "text": "A"}, set()),
        ({"classes": [5, 3]}, {"classes_in_order"}),
        ({"memberships": [{"list": ""}]}, {"lists_named"}),
        ({"memberships": [{"list": "films", "first_day": LATER, "last_day": EARLIER}]}, {"days_in_order"}),
    ],
    "subclasses": [
        ({"class": 0}, {"class_positive"}),
        ({"root": 0}, {"root_positive"}),
        ({"class": 5}, {"pairs_repeated"}),
        ({"class": 5}, {"pairs_repeated"}),
        ({"class": 5, "root": 6}, set()),
    ],
    "list_members": [
        ({"item": 0}, {"id_positive"}),
        ({"list": " "}, {"list_named"}),
        ({"item": 5}, {"members_repeated"}),
        ({"item": 5}, {"members_repeated"}),
        ({"item": 5, "list": "books"}, set()),
    ],
    "popularity": [
        ({"entity": 0}, {"id_positive"}),
        ({"entity": 5}, {"entities_repeated"}),
        ({"entity": 5}, {"entities_repeated"}),
        ({"population": "all"}, {"population"}),
        ({"views": -1}, {"views_counted"}),
        ({"views": None}, {"popular_known"}),
    ],
    "accepted_answers": [
        ({"answer": "7"}, {"names_item"}),
        ({"answer": "Q5"}, {"texts_repeated"}),
        ({"answer": "Q5"}, {"texts_repeated"}),
        ({"kind": "label"}, {"kind"}),
        ({"kind": "description"}, {"scope_said"}),
        ({"scope": "cast"}, {"scope_said"}),
        ({"text": " "}, {"text_said"}),
    ],
    "declarations": [
        ({"number": 7}, {"numbers_repeated"}),
        ({"number": 7}, {"numbers_repeated"}),
        ({"what": "country"}, {"known"}),
        ({"since": 2024}, {"ordered"}),
        ({"found": 9}, {"complete_agrees"}),
        ({"is_complete": False}, {"complete_agrees"}),
        ({"members": None}, {"numbered"}),
        ({"item": None, "members": None}, {"numbered"}),
        # The world has nothing of it.
        ({"found": None, "is_complete": False}, set()),
        ({"source": " "}, {"sourced"}),
    ],
    "item_sets": [
        ({"question_id": 7}, {"items_repeated"}),
        ({"question_id": 7}, {"items_repeated"}),
        ({"item_set": "lite-10000", "question_id": 7}, set()),
        ({"item_set": "lite-500"}, {"item_set"}),
        ({"split": "train"}, {"split"}),
    ],
    "record_counts": [
        ({"records_in": 4}, {"balanced"}),
        ({"unexplained": 1}, {"unexplained"}),
        ({"unknown": 1}, {"unknown"}),
        ({"least": -1}, {"counted"}),
    ],
}


def keyed(name: str, number: int, change: dict[str, Any]) -> dict[str, Any]:
    """Keys of a row of its own, so that the fault is the only one."""
    keys = {
        "statements": {"statement_id": f"Q1${number}"},
        "temporal_facts": {"statement_id": f"Q1${number}"},
        "subjects": {"item_id": 100 + number, "name": f"Flight {number}"},
        "questions": {"question_id": 100 + number, "question": f"When was flight {number}?"},
        "entities": {"item": 100 + number},
        "labels": {"item": 100 + number},
        "subclasses": {"class": 100 + number},
        "list_members": {"item": 100 + number},
        "popularity": {"entity": 100 + number},
        "accepted_answers": {"answer": f"Q{100 + number}"},
        "declarations": {"number": 100 + number},
        "item_sets": {"question_id": 100 + number},
        "record_counts": {"record_type": f"type {number}"},
    }
    return {**keys[name], **change}


def run(db, name: str, **options: Any) -> SuiteResult:
    return Validation(**options).run(db, name, suite_path(name), parameters=WINDOW)


def suite_path(name: str) -> Path:
    """The file of a suite: of a family's table with the family."""
    return (BUILD.suites if name in {table.name for table in BUILD.published} else SUITES) / f"{name}.json"


def test_every_published_table_has_a_suite() -> None:
    facts = {name.rpartition("/")[2] for name in PUBLISHED_FACTS}
    own = {table.name for table in BUILD.published}
    assert {path.stem for path in SUITES.glob("*.json")} == {*facts, "subjects", "temporal_facts", "record_counts"}
    assert {path.stem for path in BUILD.suites.glob("*.json")} == own
    assert set(FAULTS) == {*facts, *own, "subjects", "temporal_facts", "record_counts"}


@pytest.mark.parametrize("name", sorted(FAULTS))
@pytest.mark.sampled(4)
def test_every_expectation_finds_its_error(planted, name):
    db = planted(name, *(keyed(name, number, change) for number, (change, _) in enumerate(FAULTS[name])))
    result = run(db, name)
    about = {str(e): e.column for e in load_suite(suite_path(name)).expectations}
    objected = {about[failure.expectation] for failure in result.failures}
    assert objected == set().union(*(columns for _, columns in FAULTS[name]))
    assert {failure.expectation for failure in result.failures} == {e for e, column in about.items() if column}
    for failure in result.failures:
        wanted = sum(about[failure.expectation] in columns for _, columns in FAULTS[name])
        repeated = str(about[failure.expectation]).endswith("_repeated")
        assert failure.rows_wrong == (wanted // 2 if repeated else wanted)
        assert len(failure.rows) == min(failure.rows_wrong, 10)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("subjects", ITEM, id="an open item"),
        pytest.param("subjects", YEAR_AND_DAY, id="an event from a year to a day of that year"),
        pytest.param(
            "subjects", ITEM | dict.fromkeys((*BOUNDS, "start_precision", "precision", "extent")), id="undated"
        ),
        pytest.param("temporal_facts", AT_A_POINT, id="a point"),
        pytest.param("temporal_facts", NO_TIME | {"start_snak": "several"}, id="a time of no use"),
        pytest.param(
            "temporal_facts",
            {"kind": "begun", "end_snak": None, "end_bounds": "none", "ends_after_start": None},
            id="begun",
        ),
    ],
)
def test_sound_rows_of_other_kinds_pass(planted, name, change):
    assert run(planted(name, change), name).failures == ()


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_sound_row_passes(planted, name):
    result = run(planted(name, {}), name)
    assert not result.failures, str(result)
    assert result.checked == result.passed == len(load_suite(suite_path(name)).expectations)
    raise_on_failures([result])


def test_failure_shows_rows_their_template_and_the_reason(planted):
    db = planted(
        "questions", *({"question_id": n, "question": f"Is it {n}"} for n in range(20)), {"question": "Is it?"}
    )
    with pytest.raises(ValidationFailed) as error:
        raise_on_failures([run(db, "questions")])
    message = str(error.value)
    assert "question_closed', value_set=[True]): 20 rows\n    a question ends in a question mark\n" in message
    assert '{"question_closed": false, "question_id": 0, "question": "Is it 0"' in message
    assert message.count('"template_id": "attribute.event.date"') == 10


def test_what_occurs_twice_is_named(planted):
    db = planted("questions", {"question_id": 5}, {"question_id": 6}, {"question_id": 7, "question": "When, then?"})
    (failure,) = run(db, "questions").failures
    assert failure.expectation.startswith("expect_column_values_to_be_in_set(column='texts_repeated'")
    assert failure.rows == (
        {"value": "On what date was Nigeria Airways Flight 2120?", "rows": 2, "one": 5, "other": 6},
    )


@pytest.mark.spark
def test_records_are_counted_by_type(spark):
    def line(status: str, records: int, reason: str = "", record_type: str = "line") -> tuple[Any, ...]:
        return (record_type, status, reason, records, [])

    lines = [line("input", 5), line("kept", 3), line("rejected", 1, "r"), line("rejected", 1)]
    lines += [line("lost", -1, "", "row")]
    rows = reconcile(spark.createDataFrame(lines, record_counts("facts").schema)).orderBy("record_type").collect()
    assert [tuple(row) for row in rows] == [("line", 5, 5, 1, 0, 1), ("row", 0, 0, 0, 1, -1)]


def test_an_empty_table_fails(planted):
    (failure,) = run(planted("questions"), "questions").failures
    assert (failure.rows_wrong, failure.observed, failure.rows) == (None, 0, ())


@pytest.mark.parametrize("name", ["statements", "entities", "labels"])
def test_a_dataset_whose_items_are_invented_has_no_facts(planted, name):
    assert run(planted(name), name).failures == ()


def test_a_result_has_every_expectation_and_its_reason(planted):
    result = run(planted("record_counts", {"records_in": 4}), "record_counts")
    assert result.checked == len(result.expectations) == result.passed + len(result.failures)
    assert "input = kept + rejected" in [e.meta.why for e in result.expectations]


REPORTED = {
    "type": "expect_column_values_to_be_in_set",
    "kwargs": {"column": "unknown", "value_set": [0]},
    "meta": {"why": "w"},
}


def suite(folder: Path, *expectations: dict[str, Any], unknown: str = "unknown") -> None:
    text = {"name": "mine", "id": "record_type", "columns": {"unknown": unknown}, "expectations": expectations}
    (folder / "mine.json").write_text(json.dumps(text))


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        pytest.param({**REPORTED, "type": "expect_column_values_to_be_in_st"}, "be_in_st.* not found", id="type"),
        pytest.param({**REPORTED, "kwargs": {"colum": "unknown"}}, "be_in_set.*field required", id="kwarg"),
        pytest.param(
            {**REPORTED, "kwargs": {**REPORTED["kwargs"], "most": 1}},  # type: ignore[dict-item]
            "be_in_set.*not permitted",
            id="extra",
        ),
        pytest.param({**REPORTED, "meta": {}}, "meta.why", id="no-reason"),
        pytest.param({**REPORTED, "severity": "high"}, "severity", id="key"),
        pytest.param({**REPORTED, "kwargs": {"column": "Unknown"}}, "no column Unknown", id="column"),
    ],
)
def test_mistyped_expectation_is_named(planted, tmp_path: Path, expectation, message):
    suite(tmp_path, REPORTED, expectation)
    with pytest.raises(InputError, match=f"mine.*{message}"):
        Validation().run(planted("record_counts", {}), "record_counts", tmp_path / "mine.json")


@pytest.mark.parametrize("sql", ["missing", "unknown > $window_start"])
def test_column_that_cannot_be_computed_is_named(planted, tmp_path: Path, sql):
    suite(tmp_path, REPORTED, unknown=sql)
    with pytest.raises(InputError, match=f"suite mine: .*{sql.split()[-1].strip('$')}"):
        Validation().run(planted("record_counts", {}), "record_counts", tmp_path / "mine.json")


def test_a_suite_without_columns_is_named(tmp_path: Path):
    empty = {"name": "mine", "id": "stage", "columns": {}, "expectations": [REPORTED]}
    (tmp_path / "mine.json").write_text(json.dumps(empty))
    with pytest.raises(InputError, match=r"mine\.json: columns: "):
        load_suite(tmp_path / "mine.json")


def test_no_suite(tmp_path: Path):
    with pytest.raises(InputError, match=r"missing\.json"):
        load_suite(tmp_path / "missing.json")
