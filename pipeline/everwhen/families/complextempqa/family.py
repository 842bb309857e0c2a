"""ComplexTempQA as a family: what the rest of everwhen knows of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from everwhen.core.config import Config
from everwhen.evaluate.shortcuts import measure_shortcuts
from everwhen.families.base import Family, Items
from everwhen.families.complextempqa.checks import render_all_checks
from everwhen.families.complextempqa.compile import require_relation
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.evaluation import EVALUATION
from everwhen.families.complextempqa.evidence import collect_evidence
from everwhen.families.complextempqa.plan import compare_made, print_plan
from everwhen.families.complextempqa.question_type import QuestionType
from everwhen.families.complextempqa.stage import TABLES, run_questions
from everwhen.families.complextempqa.tables.accepted_answers import ACCEPTED_ANSWERS
from everwhen.families.complextempqa.tables.declarations import DECLARATIONS
from everwhen.families.complextempqa.tables.item_sets import ITEM_SETS
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.families.complextempqa.template import select_templates

FOLDER = Path(__file__).resolve().parent

CITATION = """@misc{complextempqa,
  title = {ComplexTempQA: A 100m Dataset for Complex Temporal Question Answering},
  author = {Gruber, Raphael and Abdallah, Abdelrahman and F{\\"a}rber, Michael and Jatowt, Adam},
  howpublished = {\\url{https://github.com/DataScienceUIBK/ComplexTempQA}}
}"""


def require_relations(config: Config) -> None:
    """Refuse templates whose relation there is not.

    Raises:
        InputError: A template in use names an unknown relation.
    """
    for template in select_templates(read_settings(config).templates):
        require_relation(template)


FAMILY = Family(
    name="complextempqa",
    title="ComplexTempQA",
    preflight=require_relations,
    run=run_questions,
    tables=TABLES,
    published=(QUESTIONS, ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS),
    items=Items(
        table=QUESTIONS,
        id="question_id",
        show=("type", "question", "answer"),
        groups={question_type.value: question_type.words for question_type in QuestionType},
        counts=("type", "split", "template_id"),
        prefer=(
            "NOT is_unnamed AND len(hops) = 0 AND (rating = 0 AND type NOT LIKE '3%'"
            " OR template_id IN ('counting.entity.holders', 'counting.entity.recipients'))"
        ),
        split="split",
        sets=ITEM_SETS,
    ),
    evidence=collect_evidence,
    checks=render_all_checks,
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
    citation=CITATION,
    plan=print_plan,
    shortcuts=partial(measure_shortcuts, questions="complextempqa/questions"),
    budgets=compare_made,
    evaluation=EVALUATION,
)
