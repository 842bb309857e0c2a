"""The independent check of a dataset: everything its rows say derived again from its own facts, another way.

Each template carries a hand-written `check:`, SQL that DuckDB runs over the parquet of a dataset folder; what rows say
beside their answers is derived by `metadata`. It shares no code with the binding of questions, and nothing but the
published files with the build.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.metadata import READ, check_expected, check_hops, check_thresholds, check_unnamed
from everwhen.validate.rules import Rule
from everwhen.validate.verification import CHECKS, Verification, WrongRow
from everwhen.validate.views import MadeWith, failed, made_with, opened, stored_views

SHOWN = 3
"""Wrong rows shown of each template and check."""

Progress = Callable[[str, int, int], None]
"""Told what is done next, how many steps are done, and of how many."""

COLUMNS = (("question_id", "BIGINT"), ("answer", "VARCHAR[]"), ("facts", "VARCHAR[]"))
"""What a template's check yields."""

ANSWERS = """
INSERT INTO wrong
WITH derived AS (SELECT question_id, answer FROM (
{check}
)),
judged AS (
    SELECT d.question_id, count(*) AS n,
        bool_and(list_sort(d.answer) IS NOT DISTINCT FROM list_sort(q.answer)) AS same
    FROM derived d JOIN q USING (question_id) GROUP BY d.question_id)
SELECT question_id, template_id, 'answer', to_json(answer), NULL
FROM q ANTI JOIN (SELECT question_id FROM judged WHERE n = 1 AND same) USING (question_id)
"""

SUMS = "SELECT count(*), coalesce(sum(hash(hash(question_id, list_sort(answer)))), 0) FROM ({rows}\n)"
"""How many rows there are, and the sum of their hashes: 64 bits, hashed twice so that no bit of an answer stays where
it was, and added without overflow. Two sets of rows that differ have the same sum once in 10^19 times."""

DERIVED = """
SELECT question_id, to_json(list(list_sort(answer) ORDER BY list_sort(answer))) FROM (
{check}
) GROUP BY question_id
"""

FIRST = f"""
CREATE TABLE shown AS
    SELECT * FROM wrong
    QUALIFY row_number() OVER (PARTITION BY template_id, name ORDER BY question_id) <= {SHOWN}
"""


def verify(
    dataset: str | Path,
    rules: Mapping[str, Rule],
    descriptions: Mapping[str, str] | None = None,
    *,
    patterns: Sequence[str] = (),
    limit: int | None = None,
    made: MadeWith | None = None,
    memory: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Derive again what every row of a dataset says.

    The files of the questions are held against the manifest's sha256, where there is one: what no check reads, such as
    the text of a question, may be damaged, too.

    A template's check is a SELECT that yields question_id, answer (VARCHAR[]) and facts (VARCHAR[], the ids of the
    statements that the answer rests on), one row a question. It may read

    - `q`: the questions of its template, with all published columns;
    - every table in `facts/`, among them `statements`, `entities` and `subclasses`, under its name;
    - the table `lists` (templates/entities) and the views and macros of `checks.sql`.

    An answer is wrong when its check gives none for it, several, or another than the row's; the order of an answer's
    parts does not matter.

    Args:
        dataset: Folder with `questions/` and `facts/`, on a local disk.
        rules: The rule of each template, by template id.
        descriptions: The check of each form of description, by its key.
        patterns: Ids of templates, or patterns with `*`; none means all.
        limit: At most so many rows of each template, those with the least ids (which are hashes).
        made: What the dataset was made with; by default what its manifest says.
        memory: Memory limit of DuckDB.
        threads: Threads of DuckDB.
        progress: Told of every step.

    Raises:
        InputError: There is no such dataset, a table or rows are missing, a template in it is unknown or of another
            version, a pattern fits no template, or a check is not valid SQL of this form.
    """
    started = time.monotonic()
    folder = Path(dataset)
    used = stored_views([rule.check for rule in rules.values()] + list((descriptions or {}).values()), READ)
    made = made_with(folder) if made is None else made
    changed = made.changed(folder)
    with _named(folder, changed), opened(folder, lists=made.lists, stored=used, memory=memory, threads=threads) as db:
        rows, counts = _choose(db, rules, patterns, limit)
        if made.rows is not None and rows != made.rows:
            raise InputError(f"{folder}: questions: {rows:,} rows, and not the {made.rows:,} of manifest.json")
        steps = [*counts, *("metadata", "hops", "thresholds", "descriptions")]
        tell = progress or (lambda step, done, of: None)
        for number, template in enumerate(counts):
            tell(template, number, len(steps))
            _check_answers(db, rules[template])
        for number, step in enumerate(steps[len(counts) :], len(counts)):
            tell(step, number, len(steps))
            _check_rest(db, step, descriptions or {}, made)
        tell("done", len(steps), len(steps))
        first = _first(db, rules)
        by_check = dict(db.execute("SELECT name, count(DISTINCT question_id) FROM wrong GROUP BY name").fetchall())
        by_template = dict(
            db.execute("SELECT template_id, count(DISTINCT question_id) FROM wrong GROUP BY template_id").fetchall()
        )
    return Verification(
        dataset=str(dataset),
        rows=rows,
        asked=sum(counts.values()),
        checked=sum(counts.values()),
        wrong=sum(by_template.values()),
        by_check={name: by_check.get(name, 0) for name in CHECKS},
        templates={name: {"rows": n, "wrong": by_template.get(name, 0)} for name, n in counts.items()},
        seconds=round(time.monotonic() - started, 1),
        first=tuple(first),
        changed_files=changed,
    )


@contextmanager
def _named(folder: Path, changed: Sequence[str]) -> Iterator[None]:
    """Name the first changed file where a dataset cannot be read: DuckDB does not always say which it was."""
    try:
        yield
    except InputError as error:
        if not changed:
            raise
        raise InputError(f"{folder / changed[0]}: missing or changed since it was published: {error}") from None


def _choose(
    db: duckdb.DuckDBPyConnection, rules: Mapping[str, Rule], patterns: Sequence[str], limit: int | None
) -> tuple[int, dict[str, int]]:
    """Make what the checks read and write: chosen, rules, wrong. How many rows there are, and by template to check."""
    found = db.execute(
        "SELECT template_id, min(template_version), max(template_version), count(*) FROM questions "
        "GROUP BY template_id ORDER BY template_id"
    ).fetchall()
    chosen = [row for row in found if not patterns or any(fnmatchcase(row[0], p) for p in patterns)]
    for pattern in patterns:
        if not any(fnmatchcase(row[0], pattern) for row in found):
            raise InputError(f"no template {pattern} in this dataset; there are {', '.join(row[0] for row in found)}")
    for template, least, most, _ in chosen:
        require_rule(rules, template, least)
        require_rule(rules, template, most)
    db.execute("CREATE TABLE wrong (question_id BIGINT, template_id VARCHAR, name VARCHAR, says JSON, gives JSON)")
    db.execute("CREATE TABLE rules (template_id VARCHAR, timeframe VARCHAR, hops BOOLEAN)")
    db.executemany(
        "INSERT INTO rules VALUES (?, ?, ?)", [(r[0], rules[r[0]].timeframe, rules[r[0]].hops) for r in chosen]
    )
    some = ""
    if limit is not None:
        db.execute(
            f"CREATE TABLE least AS SELECT unnest(min(question_id, {int(limit)})) AS question_id "
            "FROM questions GROUP BY template_id"
        )
        some = " SEMI JOIN least USING (question_id)"
    described = {column[0] for column in db.execute("DESCRIBE questions").fetchall()}
    missing = "" if "descriptions" in described else ', []::STRUCT(entity BIGINT, "key" VARCHAR)[] AS descriptions'
    db.execute(f"CREATE VIEW chosen AS SELECT *{missing} FROM questions{some} SEMI JOIN rules USING (template_id)")
    counts = {row[0]: row[3] if limit is None else min(row[3], limit) for row in chosen}
    return sum(row[3] for row in found), counts


def require_rule(rules: Mapping[str, Rule], template: str, version: int) -> Rule:
    """The rule of a row's template.

    Raises:
        InputError: The template is unknown here, or of another version.
    """
    if template not in rules:
        raise InputError(f"template {template}: not among the installed templates")
    if rules[template].version != version:
        raise InputError(
            f"template {template}: the dataset was made with version {version}, installed is {rules[template].version}"
        )
    return rules[template]


def _check_answers(db: duckdb.DuckDBPyConnection, rule: Rule) -> None:
    """Add the rows of a template whose answer its check does not confirm.

    Each row is held against what was derived for it only where the rows as a whole differ: that takes twice as long,
    and a hundred million answers do not fit into memory.
    """
    questions_of(db, rule)
    check = checked_sql(db, rule)
    try:
        said, derived = (db.execute(SUMS.format(rows=rows)).fetchall() for rows in ("FROM q", check))
        if said != derived:
            db.execute(ANSWERS.format(check=check))
    except duckdb.Error as error:
        raise failed(f"template {rule.id}: check", error) from None


def questions_of(db: duckdb.DuckDBPyConnection, rule: Rule) -> None:
    """Make the view `q`."""
    db.table("chosen").filter(duckdb.ColumnExpression("template_id") == duckdb.ConstantExpression(rule.id)).create_view(
        "q", replace=True
    )


def checked_sql(db: duckdb.DuckDBPyConnection, rule: Rule) -> str:
    """A template's check, which yields what it must.

    Raises:
        InputError: It is no valid SQL, or yields something else.
    """
    sql = rule.check.strip().rstrip(";")
    try:
        columns = [(str(c[0]), str(c[1])) for c in db.execute(f"DESCRIBE {sql}").fetchall()]
    except duckdb.Error as error:
        raise failed(f"template {rule.id}: check", error) from None
    if columns != list(COLUMNS):
        wanted = ", ".join(" ".join(column) for column in COLUMNS)
        found = ", ".join(" ".join(column) for column in columns)
        raise InputError(f"template {rule.id}: check: yields {found}; it must yield {wanted}")
    return sql


def _check_rest(db: duckdb.DuckDBPyConnection, step: str, descriptions: Mapping[str, str], made: MadeWith) -> None:
    """One of the checks of all rows."""
    if step == "metadata":
        check_expected(db)
    elif step == "hops":
        check_hops(db)
    elif step == "thresholds":
        check_thresholds(db, made.window)
    else:
        check_unnamed(db, descriptions)


def _first(db: duckdb.DuckDBPyConnection, rules: Mapping[str, Rule]) -> list[WrongRow]:
    """The first wrong rows, with what the facts give."""
    db.execute(FIRST)
    derived: dict[int, Any] = {}
    templates = db.execute("SELECT DISTINCT template_id FROM shown WHERE name = 'answer'").fetchall()
    for (template,) in templates:
        db.execute(
            "CREATE OR REPLACE TABLE doubtful AS SELECT * FROM chosen WHERE question_id IN "
            "(SELECT question_id FROM shown WHERE name = 'answer' AND template_id = $1)",
            [template],
        )
        db.execute("CREATE OR REPLACE VIEW q AS SELECT * FROM doubtful")
        sql = rules[template].check.strip().rstrip(";")
        derived |= {key: json.loads(text) for key, text in db.execute(DERIVED.format(check=sql)).fetchall()}
    found = db.execute(
        "SELECT s.question_id, s.template_id, s.name, c.question, s.says, s.gives "
        "FROM shown s JOIN chosen c USING (question_id) ORDER BY s.template_id, s.name, s.question_id"
    ).fetchall()
    return [
        WrongRow(
            question_id=key,
            template=template,
            check=name,
            question=question,
            says=json.loads(says) if says else None,
            gives=derived.get(key, []) if name == "answer" else json.loads(gives) if gives else None,
        )
        for key, template, name, question, says, gives in found
    ]
