"""How TDBench's questions are asked and scored: by answer and by the dates given as reason. Spark is not loaded."""

from __future__ import annotations

from pathlib import Path

from everwhen.evaluate.conditions import Conditions
from everwhen.evaluate.declaration import Evaluation, Shortcuts
from everwhen.evaluate.scorer import Scorer
from everwhen.families.tdbench.evaluation.figures import SCHEME, list_answer_classes, list_classes, score_gold
from everwhen.families.tdbench.evaluation.judge import list_prompts
from everwhen.families.tdbench.evaluation.prompts import PROMPTS
from everwhen.families.tdbench.evaluation.times import UNITS
from everwhen.families.tdbench.evaluation.verdict import ResponseClass

SQL = Path(__file__).resolve().parent / "sql"

SLICES = ("task", "declaration", "cardinality", "relation", "interval_start", "hops", "near_miss")


def _read(name: str) -> str:
    return (SQL / name).read_text(encoding="utf-8")


EVALUATION = Evaluation(
    gold=_read("gold.sql").replace("{slices}", _read("slices.sql")),
    slices=SLICES,
    filters=_read("slices.sql"),
    strata=("task", "cardinality", "relation"),
    pool="declaration",
    shortcuts=Shortcuts(
        column="declaration",
        asks=_read("asks.sql"),
        observed=_read("observed.sql").replace("{asks}", _read("asks.sql")),
        counts_hits=True,
    ),
    once=_read("once.sql"),
    prompts=PROMPTS["plain"],
    variants=PROMPTS,
    conditions=Conditions(has_statements=False, own=_read("contexts.sql")),
    scorer=Scorer(
        scheme=SCHEME,
        score=score_gold,
        classes=tuple(each.value for each in ResponseClass),
        methods={"answer and time": list_classes, "answer": list_answer_classes},
        judged_by=(("task",), ("task", "cardinality")),
        options={"granularity": UNITS},
        ask_judge=list_prompts,
    ),
    columns=("asked", "given", "references", "hop_answers", "score"),
    tables={"names": _read("names.sql")},
    sources=_read("sources.sql"),
)
