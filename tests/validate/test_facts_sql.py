"""The views that checks are written on, from statements made for each."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from everwhen.validate.manifest import load_manifest
from everwhen.validate.plan import MATERIALIZED, SHARED, FamilyChecks, materialize
from everwhen.validate.queries import open_family, run_sql
from tiny_dataset import CLASSES, COUNTRY, FAMILY, FLIGHT, PEAK, SOUND, build_statement, write_dataset

Db = Callable[..., duckdb.DuckDBPyConnection]
Facts = list[dict[str, Any]]


@contextmanager
def opened(folder: Path, texts: tuple[str, ...] = ()) -> Iterator[duckdb.DuckDBPyConnection]:
    """A dataset with the views of the facts and of the setup, those that the texts read as tables."""
    checks = FamilyChecks(folder, FAMILY)
    with open_family(folder, checks, load_manifest(folder), texts) as connection:
        connection.execute("CREATE VIEW items AS FROM all_items")
        for name in checks.plan.setup:
            run_sql(connection, checks.read(name), name)
        yield connection


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Db]:
    """A connection with the views over given statements."""
    with ExitStack() as stack:

        def make(*facts: dict[str, Any], pulled: tuple[tuple[str, int], ...] = ()) -> duckdb.DuckDBPyConnection:
            return stack.enter_context(opened(write_dataset(tmp_path, facts=facts, pulled=pulled)))

        yield make


def fetch(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql).fetchall()


def test_texts(db: Db) -> None:
    connection = db()
    stated = "+00000000987-03-02T00:00:00Z"
    texts = connection.execute(
        "SELECT day_text(stated_date($1), 9), day_text(stated_date($1), 10), day_text(stated_date($1), 11)", [stated]
    )
    assert texts.fetchone() == ("987", "0987-03", "0987-03-02")
    amounts = fetch(connection, "SELECT amount_text(x::DECIMAL(38,9)) FROM (VALUES (1200), (0.5), (-3.25), (0)) t(x)")
    assert [row[0] for row in amounts] == ["1200", "0.5", "-3.25", "0"]
    assert fetch(connection, "SELECT amount_text(1200), label(10)") == [("1200", "Gulf War")]


POINT = build_statement(1, 585, "1990-01-05")
START = build_statement(1, 580, "1990-01")
END = build_statement(1, 582, "1990-03-02")
OTHER = build_statement(1, 585, "1990-02-05", name="b")
GONE = build_statement(1, 585, "1990-02-05", name="b", rank="deprecated")
FEBRUARY = build_statement(1, 577, "1990-02", name="b")
THIRD = build_statement(1, 577, "1990-02-03")
BIRTH = build_statement(1, 569, "1990-02-03")
LATER = build_statement(1, 569, "1991-02-03", name="b")
PREFERRED = build_statement(1, 569, "1990-02-03", rank="preferred")
P, S, E = "Q1$P585-a", "Q1$P580-a", "Q1$P582-a"


EVENT_TIMES: dict[str, tuple[Facts, tuple[Any, ...] | None]] = {
    "point": ([POINT], ("1990-01-05", "1990-01-05", 11, [P])),
    "span": ([START, END], ("1990-01-01", "1990-03-02", 10, [S, E])),
    "start-before-point": ([POINT, START, END], ("1990-01-01", "1990-03-02", 10, [S, E])),
    "point-and-end": ([POINT, END], ("1990-01-05", "1990-03-02", 11, [P, E])),
    "no-end": ([START], None),
    "end-alone": ([END], None),
    "unknown-end": ([POINT, build_statement(1, 582)], None),
    "two-points": ([POINT, OTHER], None),
    "deprecated": ([POINT, GONE], ("1990-01-05", "1990-01-05", 11, [P])),
    "ends-before-it-starts": ([START, build_statement(1, 582, "1989-03-02")], None),
}

FIRST_TIMES: dict[str, tuple[Facts, list[tuple[str, str]]]] = {
    "earliest": ([build_statement(1, 577, "1990-05-01"), FEBRUARY], [("1990-02-01", "Q1$P577-b")]),
    "twice": ([FEBRUARY, {**FEBRUARY, "statement_id": "Q1$P577-a"}], [("1990-02-01", "Q1$P577-a")]),
    "unclear": ([THIRD, FEBRUARY], []),
    "one-unknown": ([THIRD, build_statement(1, 577, name="b")], []),
    "birth": ([BIRTH], [("1990-02-03", "Q1$P569-a")]),
    "two-births": ([BIRTH, LATER], []),
    "preferred": ([PREFERRED, LATER], [("1990-02-03", "Q1$P569-a")]),
}

LIFETIMES: dict[str, tuple[Facts, tuple[str | None, str | None]]] = {
    "alive": ([BIRTH], ("1990-02-03", None)),
    "dead": ([BIRTH, build_statement(1, 570, "2000")], ("1990-02-03", "2000-12-31")),
    "died-unknown-when": ([BIRTH, build_statement(1, 570)], ("1990-02-03", None)),
    "two-deaths": ([BIRTH, build_statement(1, 570, "2000"), build_statement(1, 570, name="b")], (None, None)),
    "two-births": ([BIRTH, LATER], (None, None)),
    "dead-before-born": ([BIRTH, build_statement(1, 570, "1980")], (None, None)),
    "death-alone": ([build_statement(1, 570, "2000")], (None, None)),
}

TERMS: dict[str, tuple[str | None, str | None, bool]] = {
    "whole": ("1993-01-20", "2001-01", True),
    "open": ("1993-01-20", None, True),
    "said-to-be-open": ("1993-01-20", "novalue", True),
    "unknown-end": ("1993-01-20", "somevalue", False),
    "several-ends": ("1993-01-20", "several", False),
    "ends-before-it-starts": ("1993-01-20", "1992", False),
    "no-start": (None, "2001-01", False),
    "unknown-start": ("somevalue", "2001-01", False),
}


def assign(subject: int, facts: Facts) -> Facts:
    """The statements of item 1 as those of another."""
    own = f"Q{subject}$"
    return [{**f, "subject": subject, "statement_id": f["statement_id"].replace("Q1$", own)} for f in facts]


def build_cases() -> dict[tuple[str, str], Facts]:
    """The statements of all cases above, by the view that is asked and the name of the case."""
    cases = {("event_times", name): [*facts, build_statement(1, 31, 198)] for name, (facts, _) in EVENT_TIMES.items()}
    cases |= {("first_times", name): facts for name, (facts, _) in FIRST_TIMES.items()}
    cases |= {("lifetimes", name): [*facts, build_statement(1, 31, 5)] for name, (facts, _) in LIFETIMES.items()}
    gone = build_statement(1, 39, 2, name="b", rank="deprecated")
    return cases | {
        ("terms", name): [build_statement(1, 39, 2, start=start, end=end), gone]
        for name, (start, end, _) in TERMS.items()
    }


SUBJECTS = {case: 1001 + number for number, case in enumerate(build_cases())}
"""The item that a case is about."""


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection where all views are derived once, from the statements of all cases."""
    facts = [fact for case, facts in build_cases().items() for fact in assign(SUBJECTS[case], facts)]
    with opened(write_dataset(tmp_path_factory.mktemp("derived") / "dataset", facts=facts), MATERIALIZED) as connection:
        yield connection


@pytest.mark.parametrize("name", EVENT_TIMES)
def test_times_of_events(derived: duckdb.DuckDBPyConnection, name: str) -> None:
    """As an event of a list it has the same time, by another view."""
    subject, expected = SUBJECTS["event_times", name], EVENT_TIMES[name][1]
    columns = "first_day::VARCHAR, last_day::VARCHAR"
    found = fetch(derived, f"SELECT {columns}, precision, facts FROM event_times WHERE event = {subject}")
    assert [(*row[:3], [fact.replace(f"Q{subject}$", "Q1$") for fact in row[3]]) for row in found] == (
        [expected] if expected else []
    )
    assert fetch(derived, f"SELECT {columns} FROM lifetimes WHERE entity = {subject}") == [
        expected[:2] if expected else (None, None)
    ]


@pytest.mark.parametrize("name", FIRST_TIMES)
def test_first_times(derived: duckdb.DuckDBPyConnection, name: str) -> None:
    subject = SUBJECTS["first_times", name]
    sql = f"SELECT first_day::VARCHAR, statement_id FROM first_times WHERE subject = {subject}"
    assert [(day, fact.replace(f"Q{subject}$", "Q1$")) for day, fact in fetch(derived, sql)] == FIRST_TIMES[name][1]


def test_single_values_name_their_statement(db: Db) -> None:
    same = build_statement(1, 1120, Decimal(3), name="b")
    connection = db(build_statement(1, 1120, Decimal(3)), same, build_statement(1, 57, 2), BIRTH)
    assert fetch(connection, "SELECT subject, amount_text(amount), statement_id FROM single_amounts") == [
        (1, "3", "Q1$P1120-a")
    ]
    assert fetch(connection, "SELECT value_item, statement_id FROM single_items") == [(2, "Q1$P57-a")]
    assert fetch(connection, "SELECT first_day, statement_id FROM single_times") == [(dt.date(1990, 2, 3), "Q1$P569-a")]


def test_members_of_classes_and_lists(db: Db) -> None:
    connection = db(
        build_statement(1, 31, 198),
        build_statement(1, 31, 198, name="b"),
        build_statement(2, 31, 5),
        build_statement(2, 31, 198, name="b"),
        build_statement(3, 31, 198, rank="deprecated"),
    )
    assert fetch(connection, "SELECT root, member, statement_id FROM class_members ORDER BY root, member") == [
        (5, 2, "Q2$P31-a"),
        (198, 1, "Q1$P31-a"),
        (198, 2, "Q2$P31-b"),
    ]
    # An item list counts before an event list, whatever their precedence.
    assert fetch(connection, "SELECT entity, list, kind FROM listed ORDER BY entity") == [
        (1, "wars", "event"),
        (2, "persons", "item"),
    ]


def test_a_position_of_any_rank_makes_a_head_of_state(db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiny_dataset.CLASSES", [*CLASSES, 48352])
    connection = db(
        build_statement(1, 39, 48352),
        build_statement(1, 39, 7, rank="preferred", name="b"),
        build_statement(2, 39, 48352, rank="deprecated"),
    )
    assert fetch(connection, "SELECT list, entity FROM memberships") == [("heads_of_state", 1)]


def test_a_pulled_list_is_as_it_was_pulled(db: Db) -> None:
    connection = db(build_statement(1, 31, 198), build_statement(2, 31, 5), pulled=(("wars", 3), ("films", 4)))
    assert fetch(connection, "SELECT list, entity FROM memberships ORDER BY entity") == [
        ("persons", 2),
        ("wars", 3),
        ("films", 4),
    ]
    assert fetch(connection, "SELECT root, member FROM class_members ORDER BY member") == [(5, 2), (198, 3), (11424, 4)]


@pytest.mark.parametrize("name", LIFETIMES)
def test_lifetimes_of_items(derived: duckdb.DuckDBPyConnection, name: str) -> None:
    sql = f"SELECT first_day::VARCHAR, last_day::VARCHAR FROM lifetimes WHERE entity = {SUBJECTS['lifetimes', name]}"
    assert fetch(derived, sql) == [LIFETIMES[name][1]]


def test_a_work_lasts_as_long_as_its_publication_date(db: Db) -> None:
    connection = db(build_statement(1, 31, 11424), FEBRUARY, build_statement(1, 577, "1995"))
    assert fetch(connection, "SELECT list, first_day::VARCHAR, last_day::VARCHAR FROM lifetimes") == [
        ("films", "1990-02-01", "1990-02-28")
    ]


def test_countries(db: Db) -> None:
    """A film that is an event too has its own list's countries, and all of them over all lists."""
    connection = db(
        build_statement(1, 31, 11424),
        build_statement(1, 31, 198, name="b"),
        build_statement(1, 495, 40),
        build_statement(1, 495, 30, name="b"),
        build_statement(1, 17, 50),
        build_statement(2, 31, 5),
        build_statement(2, 27),
    )
    assert fetch(connection, "FROM entity_countries ORDER BY entity") == [(1, [30, 40]), (2, [])]
    assert fetch(connection, "FROM all_countries ORDER BY entity") == [(1, [30, 40, 50]), (2, [])]


def test_paths_lead_to_where_the_property_is_read(tmp_path: Path) -> None:
    asked = [(1, [17, 610], 2044), (2, [17, 610], 610), (3, [17, 31, 36], 36)]
    rows = [{**SOUND["peak"], "question_id": n, "hops": hops, "property": p} for n, hops, p in asked]
    with opened(write_dataset(tmp_path, rows)) as connection:
        found = fetch(connection, "SELECT head, hops, property, end_item, facts FROM path_ends ORDER BY hops, property")
    country, peak, state = "Q11$P17-a", "Q869$P610-a", "Q869$P31-a"
    assert found == [
        (FLIGHT, [17, 31, 36], 36, 6256, [country, state]),
        (FLIGHT, [17, 610], 610, COUNTRY, [country]),
        (FLIGHT, [17, 610], 2044, PEAK, [country, peak]),
    ]


def test_awards(db: Db) -> None:
    connection = db(
        build_statement(1, 166, 60, at="1995"),
        build_statement(1, 166, 60, name="b", rank="preferred", at="1997-03"),
        build_statement(1, 166, 60, name="c"),
        build_statement(1, 166, 60, name="d", at="several"),
        build_statement(1, 166, 60, name="e", rank="deprecated", at="1995"),
        build_statement(1, 166, name="f", at="1995"),
    )
    found = fetch(connection, "SELECT recipient, award, first_day, precision, statement_id FROM awards ORDER BY 5")
    assert found == [
        (1, 60, dt.date(1995, 1, 1), 9, "Q1$P166-a"),
        (1, 60, dt.date(1997, 3, 1), 10, "Q1$P166-b"),
        (1, 60, None, None, "Q1$P166-c"),
        (1, 60, None, None, "Q1$P166-d"),
    ]


@pytest.mark.parametrize("name", TERMS)
def test_terms(derived: duckdb.DuckDBPyConnection, name: str) -> None:
    subject = SUBJECTS["terms", name]
    found = fetch(derived, f"SELECT position, statement_id, usable FROM terms WHERE holder = {subject}")
    assert found == [(2, f"Q{subject}$P39-a", TERMS[name][2])]


def kinds_of_tables(sql: str) -> dict[str, str]:
    return {name: kind for kind, name in re.findall(r"CREATE (VIEW|TABLE) (\w+) AS", sql)}


def test_what_checks_read_is_derived_once(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path)
    text = FamilyChecks(folder, FAMILY).read_shared(SHARED[1])
    plain = kinds_of_tables(text)
    assert {plain[name] for name in MATERIALIZED} == {"VIEW"}
    for texts, expected in (
        (["SELECT 1 FROM lifetimes"], {"single_times", "first_times", "memberships", "listed", "lifetimes"}),
        (["SELECT 1"], set()),
        (["FROM single_items"], {"single_items"}),
    ):
        found = kinds_of_tables(materialize(text, texts))
        assert {name for name in found if found[name] != plain[name]} == expected
    with opened(folder) as connection, opened(folder, MATERIALIZED) as kept:
        for name in MATERIALIZED:
            assert sorted(fetch(connection, f"SELECT {name}::VARCHAR FROM {name}")) == sorted(
                fetch(kept, f"SELECT {name}::VARCHAR FROM {name}")
            )
        kinds = dict(fetch(kept, "SELECT table_name, table_type FROM information_schema.tables"))
        assert {kinds[name] for name in MATERIALIZED} == {"BASE TABLE"}


def test_a_view_that_another_release_lacks_is_left_out() -> None:
    """The views come with the dataset, their names from here."""
    sql = "CREATE VIEW other AS SELECT 1;\n"
    assert materialize(sql, ["FROM lifetimes, other"]) == sql
    assert materialize(sql, ["FROM other"], ["lifetimes", "other"]) == "CREATE TABLE other AS SELECT 1;\n"
