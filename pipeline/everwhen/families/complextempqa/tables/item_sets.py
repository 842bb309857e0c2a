"""Item sets: questions of the test split that many can afford to ask."""

from everwhen.core.table import Column, Table
from everwhen.families.complextempqa.tables.questions import QUESTIONS

ITEM_SETS = Table(
    name="item_sets",
    stage="complextempqa",
    meaning="A question of an item set, as it is in `questions`: so many of the split test, balanced over strata.",
    total_by="item_set",
    total_of="question_id",
    columns=(Column("item_set", "string", "the set: lite-1000 or lite-10000"), *QUESTIONS.columns),
)
