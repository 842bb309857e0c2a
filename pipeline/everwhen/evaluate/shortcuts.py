"""Shortcut baselines: scores of rules that guess an answer from the question alone.

A shortcut reads the text of a question, its options and its type of answer, and what else its family declares
(`everwhen.evaluate.declaration.Shortcuts`), such as the entities asked about with their names, classes and pageviews.
It never reads when anything was so. Some learn from the split train and guess in the other splits. Where a shortcut has
no opinion, it scores as guessing does. The SQL beside this module guesses; docs/concepts/shortcuts.md says what each
shortcut does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb

from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import open_items, select_table

SQL = Path(__file__).resolve().parent / "sql"

STEPS = ("sample", "mentions", "countries", "observed", "guesses")
"""The files of SQL, in order."""

ROWS_PER_TEMPLATE = 2000
"""Of each template at most so many rows in train, and as many in the other splits."""

LEARNING = ("class", "commonest answer", "commonest of the property")
"""Shortcuts that learn from train; they guess in the rows of the other splits."""

POINTS, ERRORS = Fraction(5, 100), 3
"""How far above chance a score may be: five points, or three standard errors where these are more."""

MIN_DECIDED = 10
"""With fewer decided rows a score says nothing, even one that is not above chance."""

MANY_ANSWERS, SHARE = 5, Fraction(1, 4)
"""With so many different answers, none should be more than this share of a template; of k fewer, 1/k + 5 points."""

NEEDED = {
    "known": (
        "no pageviews are published",
        ("better known", "better known is more", "less known", "less known is more"),
    ),
    "populations": ("no population (P1082) of a country is published", ("size of the country",)),
}
"""By the table of `guesses.sql`, why a dataset lacks what shortcuts need, and these."""


@dataclass(frozen=True)
class ShortcutScore:
    """The score of a shortcut on a template.

    Attributes:
        template_id: The template.
        answer_format: How it is answered: "yes or no", "choice" or "open".
        options: How many answers there are to choose from; of an open template, the different answers of its rows.
        shortcut: The name of the shortcut.
        rows: The rows that it was tried on.
        decided: Those on which it had an opinion.
        hits: Those of them on which it was right.
    """

    template_id: str
    answer_format: str
    options: int
    shortcut: str
    rows: int
    decided: int
    hits: int

    @property
    def chance(self) -> Fraction:
        """The score of guessing: 1/k of k options; of an open template, the largest share that one answer may have."""
        if self.answer_format != "open":
            return Fraction(1, self.options)
        return SHARE if self.options >= MANY_ANSWERS else min(Fraction(1), Fraction(1, self.options) + POINTS)

    @property
    def accuracy(self) -> Fraction:
        """The share of hits where it had an opinion."""
        return Fraction(self.hits, self.decided)

    @property
    def score(self) -> Fraction:
        """The share of hits in all rows, with chance where it had no opinion."""
        return (self.hits + self.chance * (self.rows - self.decided)) / self.rows

    @property
    def trivial(self) -> float:
        """What it scores where a guess among the options, if there are any, stands for no opinion."""
        if self.answer_format == "open":
            return self.hits / self.rows
        return _round(max(self.score, self.chance))

    @property
    def variance(self) -> Fraction:
        """The variance that the score would have if its opinions were guesses; its root is the standard error."""
        return self.decided * self.chance * (1 - self.chance) / self.rows**2

    @property
    def is_above_chance(self) -> bool:
        """Whether the score is above chance by more than five points and by more than three standard errors.

        The larger of the two is the tolerance: on few rows three standard errors, on many five points. Both are
        compared as fractions, so that no rounding decides.
        """
        excess = self.score - self.chance
        return excess > POINTS and excess**2 > ERRORS**2 * self.variance

    @property
    def is_conclusive(self) -> bool:
        """Whether it decides ten rows or more, and would be above chance if it were right in all of them."""
        if self.is_above_chance:
            return True
        return self.decided >= MIN_DECIDED and replace(self, hits=self.decided).is_above_chance


def measure_shortcuts(
    dataset: str | Path, manifest: Mapping[str, Any], family: str, evaluation: Evaluation
) -> dict[str, Any]:
    """Measure the scores of shortcuts on each template of a dataset on a local disk.

    Returns:
        For `report.json`: how many `templates` there are; `unmeasured`, those without a conclusive score; all `scores`;
        `above_chance`, the worst score of each template that has one above chance; `left_out`, the shortcuts that the
        facts do not allow, each with the reason.

    Raises:
        InputError: A table is missing or cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    with open_guesses(dataset, manifest, family, evaluation) as db:
        scores = read_scores(db)
        templates = [name for (name,) in db.execute("SELECT template_id FROM templates ORDER BY 1").fetchall()]
        left_out = _list_left_out(db)
    conclusive = {score.template_id for score in scores if score.is_conclusive}
    return {
        "templates": len(templates),
        "unmeasured": [name for name in templates if name not in conclusive],
        "above_chance": [_describe(score) for score in find_worst(scores)],
        "scores": [_describe(score) for score in scores],
        "left_out": left_out,
    }


def _list_left_out(db: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """List the shortcuts that lack facts, each with the reason; none where no entities are compared."""
    if not db.execute("FROM sample WHERE entities IS NOT NULL LIMIT 1").fetchall():
        return {}
    lacking = [each for table, each in NEEDED.items() if not db.table(table).limit(1).fetchall()]
    return {name: reason for reason, names in lacking for name in names}


@contextmanager
def open_guesses(
    dataset: str | Path, manifest: Mapping[str, Any], family: str, evaluation: Evaluation
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection with what shortcuts guess on a sample of a family's items.

    Its tables are `sample`, `templates`, and `guesses`: `shortcut`, `item_id` and `is_hit`, a row for each opinion.

    Raises:
        InputError: A table is missing or cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    own, template = evaluation.shortcuts, evaluation.pool or "answer_type"
    columns = f'item_id, "{template}" AS template_id, split, question, answer, answer_type, options'
    read = {
        "gold": f"SELECT {columns} FROM ({evaluation.gold})",
        "asked": own.asks or "SELECT NULL::BIGINT AS item_id",
        "observed": own.observed or "SELECT '' AS asks, '' AS \"key\", '' AS text WHERE false",
    }
    ids = _choose_sample(dataset, manifest, family, own.column)
    with open_items(dataset, family, manifest, ids=ids) as db:
        tables = {name: select_table(db, sql, f"{family}: shortcuts: {name}") for name, sql in read.items()}
        # A family's own tables may have the names of those that the steps create.
        db.execute("CREATE SCHEMA shortcuts; SET search_path = 'shortcuts,main'")
        for name, table in tables.items():
            db.register(name, table)
        for step in STEPS:
            db.execute((SQL / f"{step}.sql").read_text(encoding="utf-8"))
        yield db


def _choose_sample(dataset: str | Path, manifest: Mapping[str, Any], family: str, column: str | None) -> list[int]:
    """Choose the items that shortcuts are tried on: of each template those with the least ids, which are hashes."""
    entry = manifest["families"][family]
    groups = [f'"{column}"' if column else "true", "split = 'train'" if "split" in entry["counts"] else "true"]
    least = f'unnest(min("{entry["id"]}", {ROWS_PER_TEMPLATE}))'
    with open_items(dataset, family, manifest) as db:
        rows = db.execute(f"SELECT {least} FROM items GROUP BY {', '.join(groups)}").fetchall()
    return [item for (item,) in rows]


def find_worst(scores: Iterable[ShortcutScore]) -> list[ShortcutScore]:
    """Find the worst score of each template that has one above chance, by template."""
    above = sorted((s for s in scores if s.is_above_chance), key=lambda s: (s.chance - s.score, s.shortcut))
    worst = {score.template_id: score for score in reversed(above)}
    return [worst[template] for template in sorted(worst)]


def find_best(scores: Iterable[ShortcutScore]) -> dict[str, ShortcutScore]:
    """Find what is the best of each template for a trivial reader; of equal ones the first by name."""
    best = sorted(scores, key=lambda s: (-s.trivial, s.shortcut))
    return {score.template_id: score for score in reversed(best)}


def read_scores(db: duckdb.DuckDBPyConnection) -> list[ShortcutScore]:
    """Count the guesses and hits of each shortcut in each template, in order."""
    rows = db.execute(
        """
        SELECT t.template_id, t.answer_format,
            CASE t.answer_format WHEN 'open' THEN t.answers WHEN 'choice' THEN p.options ELSE 2 END,
            g.shortcut, CASE WHEN list_contains($1, g.shortcut) THEN t.other_rows ELSE t.rows END,
            count(*), count(*) FILTER (g.is_hit)
        FROM guesses g
        JOIN sample s USING (item_id)
        JOIN templates t USING (template_id)
        LEFT JOIN (
            SELECT template_id, count(DISTINCT position) AS options FROM options JOIN sample USING (item_id)
            GROUP BY template_id) p USING (template_id)
        GROUP BY ALL ORDER BY t.template_id, g.shortcut
        """,
        [list(LEARNING)],
    )
    return [ShortcutScore(*row) for row in rows.fetchall()]


def _describe(score: ShortcutScore) -> dict[str, Any]:
    """Describe a score for the report."""
    return asdict(score) | {
        "accuracy": _round(score.accuracy),
        "score": _round(score.score),
        "chance": _round(score.chance),
        "standard_error": _round(math.sqrt(score.variance)),
        "is_above_chance": score.is_above_chance,
    }


def _round(share: Fraction | float) -> float:
    return round(float(share), 4)
