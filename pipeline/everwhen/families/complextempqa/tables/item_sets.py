"""Item sets: questions of the test split that many can afford to ask."""

from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.tables.item_sets import ItemSets

DECADE = "coalesce(string(floor(year / 10) * 10), 'none')"

ITEM_SETS = ItemSets(
    QUESTIONS, "question_id", {name: name for name in ("type", "is_unnamed", "rating")} | {"decade": DECADE}
)
