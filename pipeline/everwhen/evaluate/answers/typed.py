"""The typed verdict on a final answer."""

from __future__ import annotations

import re
from typing import NamedTuple

from everwhen.evaluate.answers.claims import Claim, clean, read_claim
from everwhen.evaluate.answers.dates import judge_date, write_plainly
from everwhen.evaluate.answers.descriptions import drop_descriptions
from everwhen.evaluate.answers.glosses import drop_glosses, list_forms
from everwhen.evaluate.answers.lists import read_count, read_ranking
from everwhen.evaluate.answers.names import fold, gives_name
from everwhen.evaluate.answers.numbers import judge_number
from everwhen.evaluate.answers.refusals import find_answer
from everwhen.evaluate.answers.stance import drop_replaced
from everwhen.evaluate.answers.yes_no import judge_yes_no, says_yes_or_no
from everwhen.evaluate.gold import GoldItem
from everwhen.evaluate.outcome import Outcome

NUMBERED = re.compile(r"^\(?\d{1,2}[.)]\s+(?=[^\W\d])")
"""The number of the first entry of an enumeration."""

CONCLUSION = re.compile(r", (?:so|therefore|thus|hence),? ")
"""What begins the conclusion within a sentence."""

LONGEST_SENTENCE = 1000
"""Characters. A longer sentence gives no single answer."""


class Verdict(NamedTuple):
    """What a final answer is worth.

    Attributes:
        outcome: Its outcome.
        is_right_once: Whether it is wrong, and was right at another time.
    """

    outcome: Outcome
    is_right_once: bool = False


def judge(final_answer: str, item: GoldItem) -> Verdict:
    """Judge a final answer by the type of the item's answer.

    Args:
        final_answer: The final answer (`everwhen.evaluate.answers.envelope`).
        item: What is right.
    """
    text = clean(final_answer)
    if _is_the_name((text, final_answer), item):
        return Verdict(Outcome.RIGHT)
    if item.answer_type == "date":
        text = write_plainly(text, item)
    given = find_answer(text, is_number=item.answer_type == "number")
    if given is None:
        return Verdict(Outcome.NONE_GIVEN)
    if item.answer_type == "name":
        given = NUMBERED.sub("", given)
    if item.answer_type == "yes_no" and says_yes_or_no(first := read_claim(given, concludes=False)):
        return Verdict(judge_yes_no(first, item))
    if item.answer_type != "yes_no":
        given = drop_replaced(given)
    claim = read_count(final_answer, item) or read_ranking(final_answer, item)
    if claim is None:
        # Several parts may be a sentence or a line each.
        claim = read_claim(given) if len(item.answer) == 1 else Claim(" ".join(given.split("\n")))
    if any(len(sentence) > LONGEST_SENTENCE for sentence in (claim.text, *claim.rivals)):
        return Verdict(Outcome.WRONG)
    if item.answer_type == "name":
        return _judge_name(claim, item)
    judges = {"date": judge_date, "number": judge_number, "yes_no": judge_yes_no}
    return Verdict(judges[item.answer_type](claim, item))


def _is_the_name(texts: tuple[str, str], item: GoldItem) -> bool:
    """Tell whether an answer is the one name and nothing else, cleaned or as it is: M*A*S*H has no marks of Markdown.

    What is marks alone is no name: nothing would tell it from other marks.
    """
    if item.answer_type != "name" or len(item.answer) > 1:
        return False
    given = {*map(fold, texts)} - {()}
    return not given.isdisjoint(map(fold, (item.answer[0], *item.accepted[0])))


def _judge_name(claim: Claim, item: GoldItem) -> Verdict:
    accepted = [_list_texts(part, *also) for part, also in zip(item.answer, item.accepted, strict=True)]
    # The question may name a former holder of an office; an option is another answer all the same.
    asked = " ".join(fold(item.question))
    once = [text for text in item.once if " ".join(fold(text)) not in asked]
    others = [*item.options, *once]
    if gives_name(claim, item, accepted, others) or _gives_with_gloss(claim, item, accepted, others):
        return Verdict(Outcome.RIGHT)
    right = [text for texts in accepted for text in texts]
    return Verdict(Outcome.WRONG, bool(item.once) and gives_name(claim, item, [item.once], right))


def _list_texts(*texts: str) -> tuple[str, ...]:
    """List the texts of a part, and those that are left of them where a response is cleaned."""
    return (*texts, *(plain for text in texts if (plain := clean(text)) != text))


def _gives_with_gloss(claim: Claim, item: GoldItem, accepted: list[tuple[str, ...]], others: list[str]) -> bool:
    """Tell whether a claim gives every part in a further form, or with a gloss beside it."""
    right = {fold(text) for texts in accepted for text in texts}
    rivals = [text for text in others if fold(text) not in right]
    forms = [(*texts, *list_forms(texts, item, rivals)) for texts in accepted]
    text = drop_descriptions(_find_conclusion(claim.text, item), item, accepted, rivals)
    plain = claim._replace(text=drop_glosses(text, item, accepted, rivals))
    return (plain != claim or forms != accepted) and gives_name(plain, item, forms, others)


def _find_conclusion(text: str, item: GoldItem) -> str:
    """Find what a sentence on options concludes: it repeats two words of the question; else the sentence."""
    pieces = CONCLUSION.split(text) if item.options else []
    if len(pieces) != 2:
        return text
    options = {token for option in item.options for token in fold(option)}
    asked = {token for token in fold(item.question) if len(token) > 3} - options
    return pieces[1] if len(asked.intersection(fold(pieces[1]))) >= 2 else text
