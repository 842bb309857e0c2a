"""The typed verdict on a final answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from everwhen.evaluate.answers.choices import read_options
from everwhen.evaluate.answers.claims import ASIDE, Claim, clean, read_claim, split_sentences
from everwhen.evaluate.answers.dates import find_times, gives_asked_time, judge_date
from everwhen.evaluate.answers.glosses import ASKS_PERSON, drop_glosses, list_forms, write_in_full
from everwhen.evaluate.answers.lists import (
    drop_crossed,
    drop_other_facts,
    is_fact,
    read_count,
    read_listing,
    read_ranking,
)
from everwhen.evaluate.answers.mentions import write_plainly
from everwhen.evaluate.answers.names import fold, gives_in_prose, gives_name, write_options_in_full
from everwhen.evaluate.answers.numbers import find_amounts, judge_number
from everwhen.evaluate.answers.refusals import find_answer, is_only_question
from everwhen.evaluate.answers.stance import CORRECTED, drop_replaced, is_aside, is_denied
from everwhen.evaluate.answers.words import DENYING
from everwhen.evaluate.answers.yes_no import judge_yes_no, says_yes_or_no
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome

NUMBERED = re.compile(r"^\(?(?:\d{1,2}|[a-d])[.)]\s+(?=[^\W\d]|\d+(?:st|nd|rd|th)\b)")
FIRST_OF_NUMBERS = re.compile(r"^(?:1|\(?[a-d])[.)]\s+(?=(?:\d|yes|no)[^\n]*$)", re.IGNORECASE)
"""The number of the first entry of an enumeration."""

MAIN_CLAUSE = re.compile(
    r", (?:so|therefore|thus|hence|which means|meaning|which makes|making)(?: that)?,? "
    r"|^(?:since|because|as|given)\b.*, "
    r"|(?P<but>[,;] (?:but|yet|however,?|while|whereas) |^(?:though|although|while)\b[^,]*, )",
    re.IGNORECASE,
)
"""What begins the conclusion within a sentence, or what counts more than the rest."""

SO_SAYS = re.compile(
    r"\bso (?:the (?:statement|claim|assertion) is (?=true|false))?"
    r"(?P<end>(?:(?:yes|no)\b|(?<=is )(?:true|false)\b|(?:it|he|she|they) (?:was|is|did|were)(?:n't| not)\W*$).*)",
    re.IGNORECASE | re.DOTALL,
)
"""A yes or no that a sentence ends with: so yes, he was born after him."""

BY_ORDER = re.compile(
    r"(?:it (?:is|was) |it's )?the (?P<place>(?:first|second|last)"
    r"(?= \w+(?: that)? (?:you|we|i) (?:mention|name|list)|-(?:mention|nam))"
    r"|(?:former|latter)(?=\W*$|[.;,!]| (?:one|was|is|came|did)\b))\b[^.;,!]*(?:[.;,!]|$)",
    re.IGNORECASE,
)
PLACES = {"first": 0, "former": 0, "second": 1, "last": -1, "latter": -1}
"""An option that is told by its place in the question: the first one you mention."""
NICKNAME = re.compile(r"(?P<forename>\b[^\W\da-z_]\w+) [(\"']\w+[)\"'] (?=[^\W\da-z_])")
"""A nickname between a forename and a surname."""
BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
MAX_SENTENCE_LENGTH = 1000
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
    if item.is_choice:
        return Verdict(judge_choice(read_options(final_answer, item), item))
    text = clean(final_answer)
    if is_only_question(text, item.question):
        return Verdict(Outcome.NONE_GIVEN)
    if _is_the_name((text, final_answer), item):
        return Verdict(Outcome.RIGHT)
    if item.options and (found := BY_ORDER.match(text)):
        text = final_answer = item.options[PLACES[found["place"].lower()]]
    if "\n" in text and item.answer_type != "yes_no":
        final_answer = drop_other_facts(drop_crossed(final_answer), item.question)
        text = clean(final_answer)
    if item.answer_type == "date":
        text = write_plainly(text, item)
    return _judge_text(text, final_answer, item)


def judge_choice(chosen: frozenset[str] | None, item: GoldItem) -> Outcome:
    """Judge the options that a final answer chooses: all that are right, and no other."""
    if chosen is None:
        return Outcome.NONE_GIVEN
    return Outcome.RIGHT if chosen == {*item.right_letters} else Outcome.WRONG


def _judge_text(text: str, final_answer: str, item: GoldItem) -> Verdict:
    """Judge a final answer that is more than the name; `text` is what is left of it without marks."""
    given = find_answer(text, is_number=item.answer_type == "number")
    if given is None:
        return Verdict(Outcome.NONE_GIVEN)
    given = _drop_taken_back(given, item)
    if item.answer_type == "yes_no" and says_yes_or_no(first := read_claim(given, concludes=False)):
        return Verdict(judge_yes_no(first, item))
    claim = _read_claim(given, final_answer, item)
    if max(map(len, (claim.text, *claim.rivals))) > MAX_SENTENCE_LENGTH:
        return Verdict(Outcome.WRONG)
    if item.answer_type == "name":
        verdict = _judge_name(claim, given, item)
        return verdict if verdict.outcome is Outcome.RIGHT else _judge_bold(final_answer, text, item) or verdict
    judges = {"date": judge_date, "number": judge_number, "yes_no": judge_yes_no}
    return Verdict(judges[item.answer_type](claim, item))


def _drop_taken_back(text: str, item: GoldItem) -> str:
    """Drop a number in front, and what a text takes back; of yes or no also what is in front of its conclusion."""
    text = (NUMBERED if item.answer_type == "name" else FIRST_OF_NUMBERS).sub("", text)
    if item.answer_type != "yes_no":
        return drop_replaced(text)
    text = drop_replaced(text, CORRECTED)
    return found["end"] if (found := SO_SAYS.search(text)) else text


def _judge_bold(final_answer: str, text: str, item: GoldItem) -> Verdict | None:
    """Judge the one name in bold letters; None where there is none, or it is not right."""
    names = {*BOLD.findall(final_answer)}
    if len(names) != 1 or item.options or not _is_plain(text, *names):
        return None
    verdict = _judge_name(Claim(*names), text, item)
    return verdict if verdict.outcome is Outcome.RIGHT else None


def _is_plain(text: str, name: str) -> bool:
    """Tell whether a text names somebody once, and denies it neither there nor anywhere else."""
    place = text.find(name)
    if place < 0 or text.count(name) > 1 or DENYING.intersection(fold(text)):
        return False
    return not (is_denied(text, place, place + len(name)) or is_aside(text, place, place + len(name)))


def _read_claim(text: str, final_answer: str, item: GoldItem) -> Claim:
    """Read the claim: of a list what it counts or ranks, else what is said behind a list of options or in the text."""
    if counted := read_count(final_answer, item) or read_ranking(final_answer, item):
        return counted
    if len(item.answer) > 1:  # several parts may be a sentence or a line each
        return Claim(" ".join(text.split("\n")))
    listing = read_listing(final_answer) if item.options else None
    tail = listing.tail if listing else ""
    claim = read_claim(tail) if tail else read_claim(text, has_value=_choose_values(text, item))
    if item.answer_type not in ("name", "date"):
        return claim
    return claim._replace(rivals=tuple(rival for rival in claim.rivals if not is_fact(rival, item.question)))


def _choose_values(text: str, item: GoldItem) -> Callable[[str], bool]:
    """Choose what tells whether a sentence may be the answer: an amount, a time, no label of something else."""
    if item.answer_type == "number":
        is_outside = any(find_amounts(ASIDE.sub("", sentence), item) for sentence in split_sentences(text))
        return lambda sentence: bool(find_amounts(ASIDE.sub("", sentence) if is_outside else sentence, item))
    if item.answer_type != "date" or not re.search(r"[.!?;:\n]\s", text):
        return lambda sentence: not is_fact(sentence, item.question)
    is_asked = any(gives_asked_time(sentence, item) for sentence in split_sentences(text))
    find = gives_asked_time if is_asked else find_times
    return lambda sentence: bool(find(sentence, item))


def _is_the_name(texts: tuple[str, str], item: GoldItem) -> bool:
    """Tell whether an answer is the one name and nothing else, cleaned or as it is: M*A*S*H has no marks of Markdown.

    What is marks alone is no name: nothing would tell it from other marks.
    """
    if item.answer_type != "name" or len(item.answer) > 1:
        return False
    given = {*map(fold, texts)} - {()}
    return not given.isdisjoint(map(fold, (item.answer[0], *item.accepted[0])))


def _judge_name(claim: Claim, text: str, item: GoldItem) -> Verdict:
    accepted = [*map(_list_texts, item.answer, item.accepted)]
    # The question may name a former holder of an office; an option is another answer all the same.
    asked = " ".join(fold(item.question))
    once = [text for text in item.once if " ".join(fold(text)) not in asked]
    others = [*item.options, *once]
    if item.options:
        text, spoken, *rivals = (
            write_options_in_full(each, item.options) for each in (text, claim.text, *claim.rivals)
        )
        claim = Claim(spoken, tuple(rivals))
    if gives_name(claim, item, accepted, others) or _gives_with_gloss(claim, item, accepted, others):
        return Verdict(Outcome.RIGHT)
    sentences = [*filter(None, split_sentences(text))]
    if _alone_gives(sentences, item, accepted) if item.options else _gives_in_prose(sentences, claim, item, others):
        return Verdict(Outcome.RIGHT)
    right = [*chain.from_iterable(accepted)]
    return Verdict(Outcome.WRONG, bool(item.once) and gives_name(claim, item, [item.once], right))


def _gives_in_prose(sentences: list[str], claim: Claim, item: GoldItem, others: Sequence[str]) -> bool:
    """Tell whether the first sentence that has the one name gives it, or the last does."""
    if len(item.answer) > 1:
        return False
    accepted = _list_texts(item.answer[0], item.accepted[0])
    sentences = [NICKNAME.sub(r"\g<forename> ", sentence) for sentence in sentences]
    if ASKS_PERSON.search(item.question):
        sentences = [write_in_full(sentence, accepted, others) for sentence in sentences]
    naming = [sentence for sentence in sentences if any(map(sentence.__contains__, accepted))]
    last = naming[-1:] if naming[-1:] == sentences[-1:] else []
    is_first = naming[:1] == sentences[:1] and not claim.rivals
    return any(gives_in_prose(each, item, accepted, is_first=is_first) for each in (*naming[:1], *last))


def _list_texts(part: str, also: tuple[str, ...]) -> tuple[str, ...]:
    """List the texts of a part, and those that are left of them where a response is cleaned."""
    texts = (part, *also)
    return (*texts, *(plain for text in texts if (plain := clean(text)) != text))


def _gives_with_gloss(claim: Claim, item: GoldItem, accepted: list[tuple[str, ...]], others: list[str]) -> bool:
    """Tell whether a claim gives every part in a further form, or with a gloss beside it."""
    right = {*map(fold, chain.from_iterable(accepted))}
    rivals = [text for text in others if fold(text) not in right]
    forms = [(*texts, *list_forms(texts)) for texts in accepted]
    text = _find_conclusion(claim.text, item)
    plain = claim._replace(text=drop_glosses(text, item, accepted, rivals))
    return (plain != claim or forms != accepted) and gives_name(plain, item, forms, others)


def _alone_gives(sentences: list[str], item: GoldItem, accepted: list[tuple[str, ...]]) -> bool:
    """Tell whether the last of several sentences gives the right option, and none gives another."""
    right = {fold(text) for text in accepted[0]}
    options = [(option,) for option in item.options if fold(option) not in right]
    *others, last = map(Claim, sentences)
    return (
        bool(others)
        and gives_name(last, item, accepted, item.options)
        and not any(gives_name(other, item, [option], item.options) for other in others for option in options)
    )


def _find_conclusion(text: str, item: GoldItem) -> str:
    """Find what a sentence concludes, else the sentence; it must repeat words of the question: two of options."""
    found = [*MAIN_CLAUSE.finditer(text)]
    found = [each for each in found if not each["but"]] or found
    if len(found) != 1:
        return text
    rest = text[found[0].end() :]
    options = {*chain.from_iterable(map(fold, item.options))}
    asked = {token for token in fold(item.question) if len(token) > 3} - options
    least = 2 if item.options else 1 if found[0]["but"] else 0
    return rest if len(asked.intersection(fold(rest))) >= least else text
