"""Shortcut baselines: scores of rules that guess an answer from the question alone.

A shortcut reads the text of a question, and the names, classes and pageviews of the entities asked about. It never
reads the facts that answer it. Some learn from the split train and guess in the other splits. Where a shortcut has no
opinion, it scores as guessing does. The SQL beside this module guesses; docs/concepts/shortcuts.md says what each
shortcut does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.database import open_dataset

SQL = Path(__file__).resolve().parent / "sql"

STEPS = ("sample", "mentions", "countries", "guesses")
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
    "better known": "known",
    "better known is more": "known",
    "less known": "known",
    "less known is more": "known",
    "size of the country": "populations",
}
"""Shortcuts that need a fact which a dataset may not have, and the table of `guesses.sql` that would have it."""

REASONS = {
    "known": "no pageviews are published",
    "populations": "no population (P1082) of a country is published",
}


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


def measure_shortcuts(dataset: str | Path, questions: str) -> dict[str, Any]:
    """Measure the scores of shortcuts on each template.

    Args:
        dataset: Folder of the dataset, on a local disk.
        questions: The folder of the questions in it: a table with the columns of ComplexTempQA.

    Returns:
        For `report.json`: how many `templates` there are; `unmeasured`, those without a conclusive score; all `scores`;
        `above_chance`, the worst score of each template that has one above chance; `left_out`, the shortcuts that the
        facts do not allow, each with the reason.

    Raises:
        InputError: A table is missing or cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    folder = Path(dataset)
    paths = {"questions": questions} | {name: f"facts/{name}" for name in ("statements", "entities", "popularity")}
    files = {name: sorted((folder / path).glob("*.parquet")) for name, path in paths.items()}
    for name, path in paths.items():
        if not files[name]:
            raise InputError(f"{folder}: no parquet files in {path}")
    with open_dataset(folder, files) as db:
        db.execute(f"SET VARIABLE rows_per_template = {ROWS_PER_TEMPLATE}")
        for step in STEPS:
            db.execute((SQL / f"{step}.sql").read_text(encoding="utf-8"))
        scores = _read_scores(db)
        templates = [name for (name,) in db.execute("SELECT template_id FROM templates ORDER BY 1").fetchall()]
        left_out = {
            shortcut: REASONS[table] for shortcut, table in NEEDED.items() if not db.table(table).limit(1).fetchall()
        }
    conclusive = {score.template_id for score in scores if score.is_conclusive}
    return {
        "templates": len(templates),
        "unmeasured": [name for name in templates if name not in conclusive],
        "above_chance": [_describe(score) for score in find_worst(scores)],
        "scores": [_describe(score) for score in scores],
        "left_out": left_out,
    }


def find_worst(scores: Iterable[ShortcutScore]) -> list[ShortcutScore]:
    """Find the worst score of each template that has one above chance, by template."""
    worst: dict[str, ShortcutScore] = {}
    for score in sorted((s for s in scores if s.is_above_chance), key=lambda s: (s.chance - s.score, s.shortcut)):
        worst.setdefault(score.template_id, score)
    return [worst[template] for template in sorted(worst)]


def _read_scores(db: duckdb.DuckDBPyConnection) -> list[ShortcutScore]:
    """Count the guesses and hits of each shortcut in each template, in order."""
    rows = db.execute(
        """
        SELECT t.template_id, t.answer_format,
            CASE t.answer_format WHEN 'open' THEN t.answers WHEN 'choice' THEN p.options ELSE 2 END,
            g.shortcut, CASE WHEN list_contains($1, g.shortcut) THEN t.other_rows ELSE t.rows END,
            count(*), count(*) FILTER (g.is_hit)
        FROM guesses g
        JOIN templates t USING (template_id)
        LEFT JOIN (
            SELECT template_id, count(*) AS options FROM option_positions GROUP BY template_id) p USING (template_id)
        GROUP BY ALL ORDER BY t.template_id, g.shortcut
        """,
        [list(LEARNING)],
    )
    return [ShortcutScore(*row) for row in rows.fetchall()]


def _describe(score: ShortcutScore) -> Mapping[str, Any]:
    """Describe a score for the report; shares are rounded to four decimals."""
    return {
        "template_id": score.template_id,
        "answer_format": score.answer_format,
        "options": score.options,
        "shortcut": score.shortcut,
        "rows": score.rows,
        "decided": score.decided,
        "hits": score.hits,
        "accuracy": round(float(score.accuracy), 4),
        "score": round(float(score.score), 4),
        "chance": round(float(score.chance), 4),
        "standard_error": round(math.sqrt(score.variance), 4),
        "is_above_chance": score.is_above_chance,
    }
