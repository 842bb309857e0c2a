from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.errors import InputError, ValidationFailed
from pipeline.validate.answers import VIEWS, check_answers

BEGIN = """
SELECT q.question_id, [day_text(s.first_day, s.precision)] AS answer
FROM q JOIN best s ON s.subject = q.question_entity[1] AND s.property = 580 AND s.snak = 'value'
"""
AWARDS = """
SELECT q.question_id, list(label(s.value_item)) AS answer
FROM q JOIN best s ON s.subject = q.question_entity[1] AND s.property = 166 GROUP BY q.question_id
"""
CHECKS = {"start": BEGIN, "awards": AWARDS}

Question = tuple[int, str, list[str], int, str]
SOUND: list[Question] = [
    (1, "When did the war start?", ["1990-08-02"], 10, "start"),
    (2, "When did the strike start?", ["1984-03"], 11, "start"),
    (3, "Which awards did the film get?", ["Palme d'Or", "César"], 12, "awards"),
]


def write(folder: Path, name: str, rows: str) -> None:
    (folder / name).mkdir(parents=True, exist_ok=True)
    duckdb.sql(rows).write_parquet(str(folder / name / "part-00000.parquet"))


@pytest.fixture
def dataset(tmp_path: Path) -> Any:
    """A dataset of these questions over facts that are always the same."""

    def make(questions: list[Question]) -> Path:
        rows = ", ".join(
            f"({i}, $t${text}$t$, {answer!r}::VARCHAR[], [{entity}::BIGINT], '{template}')".replace('"', "$t$")
            for i, text, answer, entity, template in questions
        )
        columns = "question_id, question, answer, question_entity, template_id"
        write(tmp_path, "questions", f"SELECT * FROM (VALUES {rows}) AS t({columns})")
        write(tmp_path, "facts/entities", "SELECT * FROM (VALUES (20, 'Palme d''Or'), (21, 'César')) AS t(item, label)")
        write(tmp_path, "facts/subclasses", "SELECT 5 AS class, 5 AS root")
        day = "DATE '1990-08-02'"
        statements = f"""
            (10, 580, 'normal', 'value', NULL, DATE '1989-01-01', DATE '1989-12-31', 9),
            (10, 580, 'preferred', 'value', NULL, {day}, {day}, 11),
            (10, 580, 'deprecated', 'value', NULL, DATE '1970-01-01', DATE '1970-01-01', 11),
            (11, 580, 'normal', 'value', NULL, DATE '1984-03-01', DATE '1984-03-31', 10),
            (12, 166, 'normal', 'value', 21, NULL, NULL, NULL),
            (12, 166, 'normal', 'value', 20, NULL, NULL, NULL),
            (12, 166, 'deprecated', 'value', 22, NULL, NULL, NULL)"""
        names = "subject, property, rank, snak, value_item, first_day, last_day, precision"
        statements = (
            f"SELECT *, NULL::DECIMAL(38, 9) AS amount, NULL::BIGINT AS unit FROM (VALUES {statements}) AS t({names})"
        )
        write(tmp_path, "facts/statements", statements)
        return tmp_path

    return make


def test_sound_answers_pass_in_any_order(dataset):
    report = check_answers(dataset(SOUND), CHECKS)
    assert (report.rows, report.checked, report.wrong, report.first) == (3, 3, 0, ())
    assert report.templates == {"awards": 1, "start": 2}
    report.require()


@pytest.mark.parametrize(
    ("question", "derived"),
    [
        pytest.param((9, "Start?", ["1989"], 10, "start"), [["1990-08-02"]], id="another-answer"),
        pytest.param((9, "Start?", ["1990-08-02"], 99, "start"), [], id="no-answer"),
        pytest.param((9, "Start?", ["1984-03-01"], 11, "start"), [["1984-03"]], id="finer-than-the-fact"),
        pytest.param((9, "Awards?", ["César"], 12, "awards"), [["César", "Palme d'Or"]], id="part-of-the-answer"),
    ],
)
def test_planted_wrong_answer_is_found(dataset, question, derived):
    report = check_answers(dataset([*SOUND, question]), CHECKS)
    assert (report.rows, report.wrong) == (4, 1)
    assert [(row.question_id, row.derived) for row in report.first] == [(9, derived)]
    with pytest.raises(ValidationFailed, match=r"1 of 4 wrong[\s\S]*Start\?|Awards\?"):
        report.require()


def test_two_derivations_are_wrong(dataset):
    twice = {**CHECKS, "start": BEGIN.replace("best s", "statements s")}
    report = check_answers(dataset(SOUND), twice)
    assert report.wrong == 1
    assert report.first[0].derived == [["1970-01-01"], ["1989"], ["1990-08-02"]]


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        pytest.param({"start": BEGIN}, "no check for template awards", id="missing"),
        pytest.param({**CHECKS, "start": "SELEC 1"}, "template start: check: .*syntax error", id="no-sql"),
        pytest.param({**CHECKS, "start": "SELECT question_id, 'x' AS answer FROM q"}, "VARCHAR", id="no-list"),
    ],
)
def test_unusable_check_is_named(dataset, checks, message):
    with pytest.raises(InputError, match=message):
        check_answers(dataset(SOUND), checks)


def test_folder_without_facts(tmp_path):
    with pytest.raises(InputError, match="facts/statements"):
        check_answers(tmp_path, CHECKS)


def rows(*statements: str) -> str:
    names = "subject, property, rank, snak, value_item, first_day, last_day, precision, amount, unit"
    return f"CREATE TABLE statements AS SELECT * FROM (VALUES {', '.join(statements)}) AS t({names})"


def time(subject: int, property_: int, first: str, last: str, rank: str = "normal", precision: int = 11) -> str:
    return (
        f"({subject}, {property_}, '{rank}', 'value', NULL::BIGINT, DATE '{first}', DATE '{last}', {precision}, "
        "NULL::DECIMAL(38,9), NULL::BIGINT)"
    )


def unknown(subject: int, property_: int) -> str:
    return f"({subject}, {property_}, 'normal', 'somevalue', NULL, NULL, NULL, NULL, NULL, NULL)"


@pytest.fixture
def db() -> Any:
    """A database with the checks' views over given statements."""
    with duckdb.connect() as connection:

        def make(*statements: str) -> Any:
            connection.execute(rows(*statements))
            connection.execute("CREATE TABLE entities AS SELECT 1 AS item, 'one' AS label")
            connection.execute("CREATE TABLE subclasses AS SELECT 5 AS class, 7 AS root")
            connection.execute(VIEWS.read_text())
            return connection

        yield make


def test_texts(db):
    connection = db(unknown(1, 1))
    day = dt.date(987, 3, 2)
    texts = connection.execute("SELECT day_text($1, 9), day_text($1, 10), day_text($1, 11)", [day])
    assert texts.fetchone() == ("0987", "0987-03", "0987-03-02")
    amounts = connection.execute("SELECT amount_text(x::DECIMAL(38,9)) FROM (VALUES (1200), (0.5), (-3.25), (0)) t(x)")
    assert [row[0] for row in amounts.fetchall()] == ["1200", "0.5", "-3.25", "0"]
    assert connection.execute("SELECT amount_text(1200), label(1)").fetchone() == ("1200", "one")


POINT = time(1, 585, "1990-01-05", "1990-01-05")
START = time(1, 580, "1990-01-01", "1990-01-31", precision=10)
END = time(1, 582, "1990-03-02", "1990-03-02")
DEPRECATED = time(1, 585, "1990-02-05", "1990-02-05", "deprecated")
FEBRUARY = time(1, 577, "1990-02-01", "1990-02-28", precision=10)
THIRD = time(1, 577, "1990-02-03", "1990-02-03")
BIRTH = time(1, 569, "1990-02-03", "1990-02-03")
LATER_BIRTH = time(1, 569, "1991-02-03", "1991-02-03")
PREFERRED = time(1, 569, "1990-02-03", "1990-02-03", "preferred")


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param([POINT], ("1990-01-05", "1990-01-05", 11), id="point"),
        pytest.param([START, END], ("1990-01-01", "1990-03-02", 10), id="span"),
        pytest.param([POINT, START, END], ("1990-01-01", "1990-03-02", 10), id="start-before-point"),
        pytest.param([POINT, END], ("1990-01-05", "1990-03-02", 11), id="point-and-end"),
        pytest.param([START], None, id="no-end"),
        pytest.param([END], None, id="end-alone"),
        pytest.param([POINT, unknown(1, 582)], None, id="unknown-end"),
        pytest.param([POINT, time(1, 585, "1990-02-05", "1990-02-05")], None, id="two-points"),
        pytest.param(
            [POINT, time(1, 585, "1990-02-05", "1990-02-05", "deprecated")],
            ("1990-01-05", "1990-01-05", 11),
            id="deprecated",
        ),
        pytest.param([START, time(1, 582, "1989-03-02", "1989-03-02")], None, id="ends-before-it-starts"),
    ],
)
def test_event_times(db, statements, expected):
    found = (
        db(*statements).execute("SELECT first_day::VARCHAR, last_day::VARCHAR, precision FROM event_times").fetchall()
    )
    assert found == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param(
            [time(1, 577, "1990-05-01", "1990-05-01"), FEBRUARY],
            ["1990-02-01"],
            id="earliest",
        ),
        pytest.param(
            [THIRD, FEBRUARY],
            [],
            id="unclear",
        ),
        pytest.param([THIRD, unknown(1, 577)], [], id="one-unknown"),
        pytest.param([BIRTH], ["1990-02-03"], id="birth"),
        pytest.param([BIRTH, LATER_BIRTH], [], id="two-births"),
        pytest.param(
            [PREFERRED, LATER_BIRTH],
            ["1990-02-03"],
            id="preferred",
        ),
    ],
)
def test_first_times(db, statements, expected):
    found = db(*statements).execute("SELECT first_day::VARCHAR FROM first_times").fetchall()
    assert [row[0] for row in found] == expected


def test_class_members_and_single_amounts(db):
    instance = "(1, 31, 'normal', 'value', 5, NULL, NULL, NULL, NULL, NULL)"
    deaths = "(1, 1120, 'normal', 'value', NULL, NULL, NULL, NULL, 3.000000000::DECIMAL(38,9), 0)"
    connection = db(instance, deaths, time(2, 569, "1990-02-03", "1990-02-03"))
    assert connection.execute("SELECT root, member FROM class_members").fetchall() == [(7, 1)]
    assert connection.execute("SELECT subject, amount_text(amount) FROM single_amounts").fetchall() == [(1, "3")]
