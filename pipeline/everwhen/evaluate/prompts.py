"""Prompts: what a family declares of their wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import Formatter

from everwhen.evaluate.items import MULTIPLE, SINGLE, GoldItem

FIELDS = {
    "question": ("question",),
    "context": ("context", "question"),
    "answer": ("answer",),
    "option": ("letter", "text"),
}
"""The fields that each layout must have."""

_REPLY = 'Reply with one line that begins with "Answer:", followed by'
_CHOOSE = {
    SINGLE: f"Choose the one option that answers the question. {_REPLY} its letter alone.",
    MULTIPLE: f"Choose all options that answer the question. {_REPLY} their letters, separated by commas.",
}
CHOOSE: Mapping[str, tuple[str, str]] = {
    name: (text, f"Use the context below the question. {text}") for name, text in _CHOOSE.items()
}
"""By answer type, what to do where options have letters: without context, and with one."""


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
        option: Layout of an option of a choice with letters, on a line below the question: `{letter}`, `{text}`.
        choose: By answer type, the instruction for such a choice, without context and with one.
        joint: What is written between the parts of an answer.
        by: The column of the gold by whose values instructions differ; None where all items have the same.
        instructions: By such a value, the instruction without context, and the one with it; values that are missing
            have those above, or those of `choose`.
        examples: SQL, as those of `Evaluation`: selects `item_id` BIGINT and `text` VARCHAR, how an example is
            answered; None where `answer` and `joint` say it.
    """

    instruction: str
    instruction_with_context: str
    shots: str
    question: str = "Question: {question}"
    context: str = "Question: {question}\nContext:\n{context}"
    answer: str = "Answer: {answer}"
    option: str = "{letter}. {text}"
    choose: Mapping[str, tuple[str, str]] = field(default_factory=lambda: CHOOSE)
    joint: str = "; "
    by: str | None = None
    instructions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    examples: str | None = None

    def __post_init__(self) -> None:
        """Require the fields of each layout.

        Raises:
            ValueError: A layout has other fields.
        """
        for name, expected in FIELDS.items():
            found = tuple(sorted(field for _, field, _, _ in Formatter().parse(getattr(self, name)) if field))
            if found != expected:
                raise ValueError(f"prompts.{name}: the fields {', '.join(expected)} are expected")

    def narrow(self, value: str, answer_type: str) -> Prompts:
        """Return the prompts of items with a value in the column `by`, and an answer type."""
        usual = self.choose.get(answer_type, (self.instruction, self.instruction_with_context))
        plain, with_context = self.instructions.get(value, usual)
        return replace(self, instruction=plain, instruction_with_context=with_context)

    def write_question(self, item: GoldItem) -> str:
        """Write the text of a question, with its options where they have letters."""
        options = (self.option.format(letter=letter, text=text) for letter, text in item.lettered.items())
        return "\n".join((item.question, *options))

    def write_answer(self, item: GoldItem, reply: str | None = None) -> str:
        """Write how an item is answered, after the layout's "Answer:": a choice by its letters.

        A reply is what the family declares in place of it.
        """
        if reply is not None and not item.is_choice:
            return reply
        text = ", ".join(item.right_letters) if item.is_choice else self.joint.join(item.answer)
        return self.answer.format(answer=text)
