"""The tables of TimE."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.families.time_benchmark.config import NAME
from everwhen.families.time_benchmark.evaluation.tasks import TASKS
from everwhen.tables.item_sets import ItemSets
from everwhen.tables.record_counts import record_counts

FACTS = Table(
    name="facts",
    stage=NAME,
    meaning="A statement that texts may mention.",
    columns=(
        Column("statement_id", "string", "Wikidata's id of the statement; unique"),
        Column("subject", "bigint", "item id without Q"),
        Column("property", "int", "property id without P"),
        Column("value_item", "bigint", "the value: item id without Q"),
        Column("kind", "string", "closed, begun, ended or point"),
        Column(
            "earliest_start", "date", "first day that its begin may be; null where nothing bounds it", nullable=True
        ),
        Column("latest_start", "date", "last day that its begin may be"),
        Column("earliest_end", "date", "first day that its end may be"),
        Column("latest_end", "date", "last day that its end may be; null where nothing bounds it", nullable=True),
        Column("start_precision", "tinyint", "precision of the start", nullable=True),
        Column("end_precision", "tinyint", "precision of the end", nullable=True),
        Column("subject_name", "string", "label of the subject"),
        Column("value_name", "string", "label of the value"),
        Column("subject_phrase", "string", "the subject as clauses name it"),
        Column("value_phrase", "string", "the value as clauses name it"),
    ),
)

MENTIONS = Table(
    name="fact_mentions",
    stage=NAME,
    meaning="A fact that a text mentions.",
    columns=(
        Column("context_id", "bigint", "the text"),
        Column("statement_id", "string", "the statement; once in a text"),
        Column("position", "int", "which sentence of the text mentions it, from 0"),
        Column("story", "int", "which story of the text: 0 that of the root"),
        Column("entity", "bigint", "whom the story is about: item id without Q"),
        Column("is_asked", "boolean", "whether it is within two steps of the root, so that questions ask of it"),
        Column("sentence", "string", "the sentence"),
        Column("start", "int", "where it begins in the text, in characters from 0"),
        Column("end", "int", "where it ends: the place behind its last character"),
    ),
)

CONTEXTS = Table(
    name="contexts",
    stage=NAME,
    meaning="A text that questions are asked about.",
    columns=(
        Column("context_id", "bigint", "63-bit hash of the root; unique"),
        Column("root", "bigint", "whom the text is about: item id without Q; unique"),
        Column("entities", "array<bigint>", "whose stories it has, in their order"),
        Column("text", "string", "the text: paragraphs, with an empty line between them"),
        Column("rewriting", "string", "the same as a model wrote it, where that is accepted", nullable=True),
        Column("words", "int", "words of `text`"),
        Column("facts", "int", "its sentences, each of which mentions a fact"),
        Column("split", "string", "train, validation or test: a hash of the root"),
    ),
)

CHAINS = Table(
    name="chains",
    stage=NAME,
    meaning="What an option, or a right name, is a part of: by country, administrative unit, class or whole.",
    columns=(
        Column("entity", "bigint", "whom the option names: item id without Q"),
        Column("above", "bigint", "itself, and each that it is a part of: item id without Q"),
    ),
)

ITEMS = Table(
    name="items",
    stage=NAME,
    meaning="A question about a text.",
    columns=(
        Column("item_id", "bigint", "63-bit hash of text, task, form and parameters; unique"),
        Column("level", "tinyint", "1 understanding and retrieval, 2 expressions, 3 relationships"),
        Column("task", "string", "the subtask, such as extract or co_temporality"),
        Column("form", "string", "free, single or multiple"),
        Column("context_id", "bigint", "the text"),
        Column("question", "string", "the question"),
        Column(
            "options", "array<string>", "the texts of the options, in the order of their letters; empty of free forms"
        ),
        Column("option_kinds", "array<string>", "what each option is: right, or a kind of distractor"),
        Column("answer", "array<string>", "the answer: names, a time, a duration, an order, or the right options"),
        Column("accepted", "array<array<string>>", "for each part of the answer, the other texts that are right"),
        Column("answer_type", "string", "how the answer is read"),
        Column("evidence", "array<string>", "the statements that it follows from"),
        Column("parameters", "map<string,string>", "what is asked: property, entity, window, number"),
        Column("is_refusal", "boolean", "whether the answer is that there is none"),
        Column("words", "int", "words of the text"),
        Column("split", "string", "the split of the text"),
    ),
)

_STRATA = {"task": "task", "form": "form", "refusal": "is_refusal"}
_PAPER = {task: 30 for task in TASKS} | {"computation": 24, "duration_compare": 28}
_SIZES = {"lite": 30 * len(TASKS), "lite-paper": sum(_PAPER.values())}
ITEM_SETS = ItemSets(ITEMS, "item_id", _STRATA, _SIZES, {"lite-paper": _PAPER})
"""`lite` has 30 items of each subtask, those of the least hashes; `lite-paper` as many as TimE-Lite has (A.6)."""

PUBLISHED = (ITEMS, CONTEXTS, MENTIONS, ITEM_SETS.table)
TABLES = (FACTS, MENTIONS, CONTEXTS, CHAINS, ITEMS, ITEM_SETS.table, record_counts(NAME))
