"""Prompts as messages: instruction, examples, context, question."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.messages import build_messages
from everwhen.evaluate.prompts import Prompts

PROMPTS = Prompts("Reply briefly.", "Use the context.", "SELECT")
ITEM = GoldItem(1, "When did Erich Kästner die?", ("1974-07-29",), ((),), "date")
SPAN = replace(ITEM, question="From when to when?", answer=("1979-05-04", "1990-11-28"), accepted=((), ()))


def test_zero_shot() -> None:
    text = "Reply briefly.\n\nQuestion: When did Erich Kästner die?"
    assert build_messages(PROMPTS, ITEM) == [{"role": "user", "content": text}]


def test_few_shot() -> None:
    messages = build_messages(PROMPTS, ITEM, [SPAN, ITEM])
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant", "user"]
    assert [message["content"] for message in messages] == [
        "Reply briefly.\n\nQuestion: From when to when?",
        "Answer: 1979-05-04; 1990-11-28",
        "Question: When did Erich Kästner die?",
        "Answer: 1974-07-29",
        "Question: When did Erich Kästner die?",
    ]


def test_with_context() -> None:
    (message,) = build_messages(PROMPTS, ITEM, context=["One.", "Two."])
    text = "Use the context.\n\nQuestion: When did Erich Kästner die?\nContext:\nOne.\nTwo."
    assert message["content"] == text


def test_examples_have_no_context() -> None:
    first, _, last = (message["content"] for message in build_messages(PROMPTS, ITEM, [SPAN], ["One."]))
    assert first == "Use the context.\n\nQuestion: From when to when?"
    assert last == "Question: When did Erich Kästner die?\nContext:\nOne."


@given(st.text(), st.text())
def test_texts_are_verbatim(question: str, sentence: str) -> None:
    (message,) = build_messages(PROMPTS, replace(ITEM, question=question), context=[sentence])
    assert message["content"] == f"Use the context.\n\nQuestion: {question}\nContext:\n{sentence}"
