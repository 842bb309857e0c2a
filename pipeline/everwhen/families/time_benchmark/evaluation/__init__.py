"""How TimE's items are asked and scored: by the paper's measures, and by typed outcomes. Spark is not loaded."""

from __future__ import annotations

from everwhen.evaluate.agreement import list_outcomes
from everwhen.evaluate.conditions import Conditions
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.scorer import Scorer
from everwhen.families.time_benchmark.evaluation.figures import SCHEME, score_gold
from everwhen.families.time_benchmark.evaluation.layout import LAYOUT, SLICES, read_file
from everwhen.families.time_benchmark.evaluation.prompts import PROMPTS
from everwhen.families.time_benchmark.evaluation.queries import read_query

EVALUATION = Evaluation(
    gold=read_query("gold"),
    slices=SLICES,
    filters=read_query("slices"),
    strata=("task", "form", "refusal"),
    default_set="lite",
    pool="kind",
    layouts={LAYOUT: read_query("layout")},
    readers={LAYOUT: read_file},
    prompts=PROMPTS["refusal"],
    variants=PROMPTS,
    conditions=Conditions(
        has_statements=False,
        own=read_query("texts"),
        evidence=read_query("evidence"),
        needs_context=read_query("needs_context"),
    ),
    scorer=Scorer(
        scheme=SCHEME,
        score=score_gold,
        classes=tuple(each.value for each in Outcome),
        methods={"typed outcome": list_outcomes},
        judged_by=(("task",), ("form",)),
    ),
    has_choices=True,
    columns=("asked", "kind"),
)
