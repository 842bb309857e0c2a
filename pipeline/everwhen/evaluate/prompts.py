"""Prompts: what a family declares of their wording."""

from __future__ import annotations

from dataclasses import dataclass
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
            question; `subjects` BIGINT[], of which it shares none.
        question: Layout of a question without context: `{question}`.
        context: Layout of a question with context: `{context}`, `{question}`.
        answer: Layout of an example's answer: `{answer}`.
        joint: What is written between the parts of an answer.
    """

    instruction: str
    instruction_with_context: str
    shots: str
    question: str = "Question: {question}"
    context: str = "Question: {question}\nContext:\n{context}"
    answer: str = "Answer: {answer}"
    joint: str = "; "

    def __post_init__(self) -> None:
        """Require the fields of each layout.

        Raises:
            ValueError: A layout has other fields.
        """
        for name, expected in FIELDS.items():
            found = tuple(sorted(field for _, field, _, _ in Formatter().parse(getattr(self, name)) if field))
            if found != expected:
                raise ValueError(f"prompts.{name}: the fields {', '.join(expected)} are expected")
