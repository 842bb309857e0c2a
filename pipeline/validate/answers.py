"""The independent answer check: every answer derived again from the dataset's own facts, another way.

Each template carries a hand-written `check:`, SQL that DuckDB runs over the parquet of a dataset folder. It shares no
code with the templates' binding, and nothing but the published files with the build.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from pipeline.errors import InputError, ValidationFailed

WRONG_SHOWN = 10

VIEWS = Path(__file__).with_name("checks.sql")
"""Views and macros for the checks."""

WRONG = """
WITH derived AS ({check}
),
    answers AS (
        SELECT question_id, list(list_sort(answer) ORDER BY answer) AS answers FROM derived GROUP BY question_id)
SELECT question_id, question, q.answer, coalesce(answers, []), count(*) OVER ()
FROM q LEFT JOIN answers USING (question_id)
WHERE answers IS NULL OR len(answers) <> 1 OR answers[1] IS DISTINCT FROM list_sort(q.answer)
ORDER BY question_id LIMIT {limit}
"""


@dataclass(frozen=True)
class WrongAnswer:
    """A row whose answer the check does not confirm."""

    template: str
    question_id: int
    question: str
    answer: list[str]
    derived: list[list[str]]
    """What the check derives: no answer, one, or several."""

    def __str__(self) -> str:
        """One line."""
        found = " or ".join(map(str, self.derived)) or "nothing"
        return f"{self.template} {self.question_id}: {self.question} {self.answer}; the facts give {found}"


@dataclass(frozen=True)
class AnswerReport:
    """What came of the check."""

    rows: int
    """Questions in the dataset."""
    checked: int
    """Questions whose template's check was run."""
    wrong: int
    """Questions whose answer it does not confirm."""
    first: tuple[WrongAnswer, ...]
    """Up to ten of those for each template."""
    templates: Mapping[str, int]
    """Questions by template."""

    def require(self) -> None:
        """Let no wrong answer pass.

        Raises:
            ValidationFailed: An answer is wrong, or a row was not checked; the message shows rows.
        """
        if self.wrong or self.checked != self.rows:
            lines = [f"answers: {self.wrong} of {self.checked} wrong, {self.rows - self.checked} not checked"]
            raise ValidationFailed("\n".join(lines + [f"  {row}" for row in self.first]))


def check_answers(dataset: str | Path, checks: Mapping[str, str]) -> AnswerReport:
    """Derive every answer of a dataset again.

    A check is a SELECT that yields question_id and answer (VARCHAR[]), one row a question. It may read

    - `q`: the questions of its template, with all published columns;
    - every table in `facts/`, among them `statements`, `entities` and `subclasses`, under its name;
    - the views and macros of `checks.sql`: `best` (statements of best rank), `single_amounts`, `single_times`,
      `single_items`, `first_times`, `class_members`, `event_times`, `day_text(first_day, precision)`,
      `amount_text(amount)` and `label(item)`.

    A row is wrong when its check gives no answer for it, several, or another than the row's; the order of an answer's
    parts does not matter.

    Args:
        dataset: Folder with `questions/` and `facts/`, on a local disk.
        checks: The check of each template, by template id.

    Raises:
        InputError: There is no such dataset, a template in it has no check, or a check is not valid SQL of this form.
    """
    folder = Path(dataset)
    # What does not fit into memory goes to a folder that ends with the check, not into the working directory.
    with tempfile.TemporaryDirectory(prefix="everwhen-check-") as temp:
        options: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": temp,
            "autoinstall_known_extensions": False,
        }
        with duckdb.connect(":memory:", config=options) as db:
            _views(db, folder)
            counts = dict(db.execute("SELECT template_id, count(*) FROM questions GROUP BY 1 ORDER BY 1").fetchall())
            unchecked = [template for template in counts if template not in checks]
            if unchecked:
                raise InputError(f"{folder}: no check for template {unchecked[0]}")
            wrong, first = 0, []
            for template in counts:
                found, rows = _check_template(db, template, checks[template])
                wrong += found
                first += rows
    total = sum(counts.values())
    return AnswerReport(rows=total, checked=total, wrong=wrong, first=tuple(first), templates=counts)


def _views(db: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """What a check may read, but for `q`."""
    tables = {path.name: path for path in sorted((folder / "facts").glob("*")) if any(path.glob("*.parquet"))}
    for name in ("statements", "entities", "subclasses"):
        if name not in tables:
            raise InputError(f"{folder}: no parquet files in facts/{name}")
    if not any((folder / "questions").glob("*.parquet")):
        raise InputError(f"{folder}: no parquet files in questions")
    for name, path in {**tables, "questions": folder / "questions"}.items():
        db.read_parquet(str(path / "*.parquet")).create_view(name)
    db.execute(VIEWS.read_text(encoding="utf-8"))


def _check_template(db: duckdb.DuckDBPyConnection, template: str, check: str) -> tuple[int, list[WrongAnswer]]:
    """How many rows of a template are wrong, and the first of them."""
    db.table("questions").filter(
        duckdb.ColumnExpression("template_id") == duckdb.ConstantExpression(template)
    ).create_view("q", replace=True)
    sql = check.strip().rstrip(";")
    try:
        columns = [(c[0], str(c[1])) for c in db.execute(f"DESCRIBE {sql}").fetchall()]
        if [c[0] for c in columns] != ["question_id", "answer"] or columns[1][1] != "VARCHAR[]":
            raise InputError(f"template {template}: check: yields {columns}, not question_id and answer VARCHAR[]")
        found = db.execute(WRONG.format(check=sql, limit=WRONG_SHOWN)).fetchall()
    except duckdb.Error as error:
        raise InputError(f"template {template}: check: {' '.join(str(error).split())}") from None
    rows = [WrongAnswer(template, *row[:4]) for row in found]
    return (found[0][4] if found else 0), rows
