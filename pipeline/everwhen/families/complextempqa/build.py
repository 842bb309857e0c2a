"""What builds ComplexTempQA."""

from __future__ import annotations

from pathlib import Path

from everwhen.families.complextempqa.checks.render import render_all_checks
from everwhen.families.complextempqa.evidence import collect_evidence
from everwhen.families.complextempqa.family import FAMILY
from everwhen.families.complextempqa.plan import compare_made, print_plan
from everwhen.families.complextempqa.question_type import QuestionType
from everwhen.families.complextempqa.stage import TABLES, run_questions
from everwhen.families.complextempqa.tables import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, QUESTIONS
from everwhen.families.family_build import FamilyBuild, Items

FOLDER = Path(__file__).resolve().parent

CITATION = """@misc{complextempqa,
  title = {ComplexTempQA: A 100m Dataset for Complex Temporal Question Answering},
  author = {Gruber, Raphael and Abdallah, Abdelrahman and F{\\"a}rber, Michael and Jatowt, Adam},
  howpublished = {\\url{https://github.com/DataScienceUIBK/ComplexTempQA}}
}"""


BUILD = FamilyBuild(
    family=FAMILY,
    run=run_questions,
    tables=TABLES,
    published=(QUESTIONS, ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS.table),
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
    budgets=compare_made,
)
