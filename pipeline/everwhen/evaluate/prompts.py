"""Prompts: what a family declares of their wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import Formatter

FIELDS = {"question": ("question",), "context": ("context", "question"), "answer": ("answer",)}
"""The fields that each layout must have."""


@dataclass(frozen=True)
class Prompts:
    """A family's wording of what a model is asked.

    Attributes:
        instruction: What to do, where a question has no context.
        instruction_with_context: What to do, where it has one.
        shots: SQL, as those of `Evaluation`: selects `item_id` BIGINT; `type` VARCHAR, which an example shares with the
            question; `manner` VARCHAR, how it is answered, which an example shares where train has too few of the type;
            `subjects` BIGINT[], of which it shares none.
        question: Layout of a question without context: `{question}`.
        context: Layout of a question with context: `{context}`, `{question}`.
        answer: Layout of an example's answer: `{answer}`.
        joint: What is written between the parts of an answer.
        by: The column of the gold by whose values instructions differ; None where all items have the same.
        instructions: By such a value, the instruction without context, and the one with it; values that are missing
            have those above.
        examples: SQL, as those of `Evaluation`: selects `item_id` BIGINT and `text` VARCHAR, how an example is
            answered; None where `answer` and `joint` say it.
        contexts: SQL: selects `item_id` BIGINT, `position` INTEGER and `sentence` VARCHAR, the context that each item
            has in the dataset; None where items have none of their own.
    """

    instruction: str
    instruction_with_context: str
    shots: str
    question: str = "Question: {question}"
    context: str = "Question: {question}\nContext:\n{context}"
    answer: str = "Answer: {answer}"
    joint: str = "; "
    by: str | None = None
    instructions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    examples: str | None = None
    contexts: str | None = None

    def __post_init__(self) -> None:
        """Require the fields of each layout.

        Raises:
            ValueError: A layout has other fields.
        """
        for name, expected in FIELDS.items():
            found = tuple(sorted(field for _, field, _, _ in Formatter().parse(getattr(self, name)) if field))
            if found != expected:
                raise ValueError(f"prompts.{name}: the fields {', '.join(expected)} are expected")

    def narrow(self, value: str) -> Prompts:
        """Return the prompts of items with a value in the column `by`."""
        plain, with_context = self.instructions.get(value, (self.instruction, self.instruction_with_context))
        return replace(self, instruction=plain, instruction_with_context=with_context)
