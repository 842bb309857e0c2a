"""How TDBench's questions are asked and scored: by answer and by the dates given as reason. Spark is not loaded."""

from __future__ import annotations

from everwhen.evaluate.conditions import Conditions
from everwhen.evaluate.declaration import Evaluation, Shortcuts
from everwhen.evaluate.scorer import Scorer
from everwhen.families.tdbench.evaluation.figures import SCHEME, list_answer_classes, list_classes, score_gold
from everwhen.families.tdbench.evaluation.judge import list_prompts
from everwhen.families.tdbench.evaluation.prompts import PROMPTS
from everwhen.families.tdbench.evaluation.times import UNITS
from everwhen.families.tdbench.evaluation.verdict import ResponseClass
from everwhen.families.tdbench.queries import write_query

SLICES = ("task", "declaration", "cardinality", "relation", "interval_start", "hops", "near_miss")

EVALUATION = Evaluation(
    gold=write_query("evaluation/gold"),
    slices=SLICES,
    filters=write_query("evaluation/slices"),
    strata=("task", "cardinality", "relation"),
    pool="declaration",
    shortcuts=Shortcuts(
        column="declaration",
        asks=write_query("evaluation/asks"),
        observed=write_query("evaluation/observed"),
        counts_hits=True,
    ),
    once=write_query("evaluation/once"),
    prompts=PROMPTS["plain"],
    variants=PROMPTS,
    conditions=Conditions(has_statements=False, own=write_query("evaluation/contexts")),
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
    tables={"names": write_query("evaluation/names")},
    sources=write_query("evaluation/sources"),
)
