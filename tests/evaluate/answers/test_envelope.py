"""Whatever surrounds an answer, the same is right and the same is wrong."""

from __future__ import annotations

import pytest

from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.scoring import score

SHAPES = (
    "{}",
    "Answer: {}",
    "Answer: {}<|im_end|>",
    "{}</s>",
    "{}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd the next?",
    "<s> {}</s>",
    "{}<end_of_turn>\n",
    "<think>Was it 1804, or Jane Austen? No, yes.</think>\n{}",
    "<thinking>It may be 12.</thinking>{}",
    "<reasoning>Jane Austen?</reasoning>\n\nAnswer: {}",
    "[THINK]1804 or 1805[/THINK]{}",
    "◁think▷Yes? No.◁/think▷{}",
    "<|channel|>analysis<|message|>A book of 1804.<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
    "analysisWe need the answer. Jane Austen? 1804.assistantfinal{}",
    '```json\n{{"answer": "{}"}}\n```',
    '{{"answer": "{}", "confidence": 0.95, "reasoning": "Jane Austen lived in 1804."}}',
    'Here is the result:\n```json\n{{"final_answer": "{}"}}\n```',
    "{{'answer': '{}'}}",
    "```\n{}\n```",
    "```{}```",
    "<answer>{}</answer>",
    "I looked at 1804.\n<final_answer>{}</final_answer>",
    "**Final Answer**\n\n{}",
    "### Final answer:\n{}",
    "**Answer:** {}",
    "**{}**",
    "Answer = {}",
    "<b>{}</b>",
    "<p>{}</p><br/>",
    "[{}](https://en.wikipedia.org/wiki/Special:Search_(all))",
    "[[{}]]",
    "{} [1]",
    "{}[^2]",
    "{}【4:0†source】",
    "{} <sup>3</sup>",
    "{} (source: Wikipedia, 2024-05-01)",
    "{}\n\nSource: [1] IMDb",
    "{}\n\nSources:\n- [1] Wikipedia, 1804\n- https://example.org/1804",
    "{}\n\n## References\n1. Encyclopaedia of 1804",
    "{} https://example.org/1804",
    "{}\n\nConfidence: 95%",
    "{}\n**Confidence level**: high (9/10)",
    "{} (95% confident)",
    "{} [confidence: 0.9]",
    "$\\boxed{{\\text{{{}}}}}$",
    "~~Jane Austen~~ {}",
    "Assistant: {}",
    "assistant\n\n{}",
    "**Result:** {}",
    "Q: What is asked?\nA: {}",
    "| Answer |\n|---|\n| {} |",
    "| Question | Answer |\n| :-- | --: |\n| What is asked? | {} |",
    "[ANSWER]{}[/ANSWER]",
    "\\[\\boxed{{\\text{{{}}}}}\\]",
    "1. {}",
    "\u2705 {}",
    "I'm 90% sure it is {}.",
    "I am fairly confident that the answer is {}.",
    "Based on the information provided, {}",
    "According to Wikipedia, {}.",
    "As of my last update, {}.",
    "{}. Hope that helps!",
    "{}\n\nLet me know if you need anything else!",
    "I believe the answer is {}, but please verify this with a reliable source.",
    "{}. However, I recommend verifying this information.",
)
ITEMS = {
    "name": (GoldItem(1, "Who wrote the book?", ("Mark Twain",), ((),), "name", once=("Jane Austen",)), "Jane Austen"),
    "date": (GoldItem(1, "When was Amazon founded?", ("1994-07-05",), ((),), "date"), "1994-07-06"),
    "number": (GoldItem(1, "How many people died in the crash?", ("228",), ((),), "number"), "229"),
    "yes_no": (GoldItem(1, "Did the war take place in Sudan?", ("yes",), ((),), "yes_no"), "no"),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ITEMS)
def test_an_answer_is_judged_alike_in_every_shape(kind: str, shape: str) -> None:
    item, wrong = ITEMS[kind]
    assert score(shape.format(item.answer[0]), item).outcome == "right"
    assert score(shape.format(wrong), item).outcome == "wrong"


@pytest.mark.parametrize(
    "response",
    [
        "<think>1971",
        "<thinking>It was 1971. So the answer is 1971.",
        "[THINK]1971",
        "<|channel|>analysis<|message|>It was 1971.<|end|>",
        "<|channel|>analysis<|message|>It was 1971. Answer: 1971",
        "analysisWe need the year. It was 1971.",
    ],
)
def test_a_thought_that_never_ends_is_cut_off(response: str) -> None:
    assert open_envelope(response).is_cut


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("", ""),
        ("[1]", "[1]"),
        ("A {set} of 3", "A {set} of 3"),
        ('{"answer": null}', "Answer: unknown"),
        ('{"answer": true}', "Answer: yes"),
        ('{"answer": ["A", "B"]}', "Answer: A, B"),
        ('{"start": "1979-05-04", "end": "1990-11-28"}', "start: 1979-05-04\nend: 1990-11-28"),
        ('{"answer": {"name": "Kim", "value": "Lee"}, "since": 2001}', "since: 2001\nAnswer: Lee"),
        ('{"year": 1971}', "Answer: 1971"),
        ('{"answer": "1971"', '{"answer": "1971"'),
        ("M*A*S*H &amp; Co", "M*A*S*H & Co"),
        ("<s>1970</s> 1971", "1971"),
        ("Alien<br>Aliens", "Alien\nAliens"),
        ("analysis of 1971", "analysis of 1971"),
        ("The assistant finalist", "The assistant finalist"),
        ("Sources: [1] A\n\nAnswer: B", "Answer: B"),
        ("1994–07", "1994–07"),
    ],
)
def test_what_is_said_is_left(response: str, text: str) -> None:
    assert open_envelope(response).text == text


def test_the_last_answer_is_the_final_one() -> None:
    assert extract_final_answer("Answer: 1970. Or rather\nFinal answer: 1971") == "1971"
