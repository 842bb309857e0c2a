"""The verdict on a response: whether its answer is right, and which dates it gives (TDBench, sections 3.2, B.4).

T(q) is the share of the references f(q) that a response gives. A reference counts if a time of the response is its date
and is given in its role, or without a word that says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from everwhen.evaluate.answers.envelope import open_envelope
from everwhen.evaluate.answers.lists import drop_crossed, drop_other_facts
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.refusals import drop_limits, find_guess, is_unsure, says_none
from everwhen.evaluate.answers.stance import CONTEXT
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.evaluation.items import ALL_DECLARATIONS, GoldQuestion, Lexicons, Reference, find_lexicon
from everwhen.families.tdbench.evaluation.lexicon import FoundValue
from everwhen.families.tdbench.evaluation.reading import (
    OTHER,
    Dated,
    ReadSentence,
    assign_times,
    find_region,
    gives_stranger,
    is_left_open,
    read_sentence,
    split_response,
)
from everwhen.families.tdbench.evaluation.times import STILL, Given, Role, fits


class ResponseClass(StrEnum):
    """What becomes of a response.

    `correct` has answer and times right, `partial` the answer alone. `outdated` gives only answers that were right
    before, `partly_outdated` some beside right ones. `missing` is no response, `cut_off` one that did not end.
    """

    CORRECT = "correct"
    PARTIAL = "partial"
    OUTDATED = "outdated"
    PARTLY_OUTDATED = "partly_outdated"
    INCORRECT = "incorrect"
    UNSURE = "unsure"
    MISSING = "missing"
    CUT_OFF = "cut_off"


@dataclass(frozen=True)
class TableVerdict:
    """The verdict on a response.

    Attributes:
        class_: Its class.
        found: The answers that it gives.
        f1: F1 of the set of these against the answer; 1 where both are empty and the response says so.
        given: Of each reference, whether it is given.
        without_role: Of each reference, whether it is given by times that no word calls start or end.
        is_stated: Of each reference, whether the question states it.
        hops: Of each hop, whether it is right; None where the response does not mention it. The last is the answer's.
        right: The answers, written as those that are found.
        says_none: Whether it says that there is no answer.
    """

    class_: ResponseClass
    found: frozenset[str] = frozenset()
    f1: Fraction = Fraction(0)
    given: tuple[bool, ...] = ()
    without_role: tuple[bool, ...] = ()
    is_stated: tuple[bool, ...] = ()
    hops: tuple[bool | None, ...] = ()
    right: frozenset[str] = frozenset()
    says_none: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the answer is right: A(q)."""
        return self.class_ in (ResponseClass.CORRECT, ResponseClass.PARTIAL)

    @property
    def time(self) -> Fraction | None:
        """The share of the references that are given, T(q); None where there are none."""
        return _average(self.given)

    @property
    def unstated_time(self) -> Fraction | None:
        """The same without references that the question states."""
        return _average([given for given, is_stated in zip(self.given, self.is_stated, strict=True) if not is_stated])


def _average(given: Sequence[bool]) -> Fraction | None:
    return Fraction(sum(given), len(given)) if given else None


def judge_response(
    response: str | None,
    item: GoldQuestion,
    lexicons: Lexicons,
    *,
    finish_reason: str | None = None,
    judged: Sequence[bool] | None = None,
) -> TableVerdict:
    """Judge a response.

    Args:
        response: What the model said; None where it said nothing.
        item: The item.
        lexicons: The names of values.
        finish_reason: Why the response ended.
        judged: Of each reference whether it is given, as a judge says in place of the rules.
    """
    stated = tuple(reference.is_stated for reference in item.references)
    nothing = (False,) * len(stated)
    missing = TableVerdict(ResponseClass.MISSING, given=nothing, without_role=nothing, is_stated=stated)
    reply = open_envelope(response or "")
    if reply.is_cut or is_cut_off(finish_reason):
        return replace(missing, class_=ResponseClass.CUT_OFF)
    if not reply.text:
        return missing
    reader = _Reader(item, lexicons)
    spoken = reader.mark_odd_values(reply.text)
    region = drop_other_facts(drop_crossed(find_region(spoken)), item.question)
    sentences = drop_limits(split_response(region))
    if is_unsure(sentences):
        return replace(missing, class_=ResponseClass.UNSURE)
    found = reader.find_answers(sentences)
    given, without_role = reader.find_references(spoken)
    if judged is not None:
        given, without_role = tuple(judged), nothing
    return replace(
        missing,
        class_=_classify(found, reader, is_timely=all(given), is_unfinished=reply.is_unfinished),
        found=found or frozenset(),
        f1=_compute_f1(found, reader.right),
        given=given,
        without_role=without_role,
        hops=reader.find_steps(spoken, found),
        right=reader.right,
        says_none=found == frozenset(),
    )


def _classify(found: frozenset[str] | None, reader: _Reader, *, is_timely: bool, is_unfinished: bool) -> ResponseClass:
    """Name the class of a response that answers; `found` is None where it neither answers nor says that none does."""
    right, once = reader.right, reader.once
    if found == right:
        return ResponseClass.CORRECT if is_timely else ResponseClass.PARTIAL
    if found and reader.item.task == "alignment":
        if found <= once:
            return ResponseClass.OUTDATED
        if found & right and found - right and found - right <= once:
            return ResponseClass.PARTLY_OUTDATED
    return ResponseClass.CUT_OFF if is_unfinished else ResponseClass.INCORRECT


def _compute_f1(found: frozenset[str] | None, right: frozenset[str]) -> Fraction:
    if found == right:
        return Fraction(1)
    return Fraction(2 * len(found & right), len(found) + len(right)) if found else Fraction(0)


class _Reader:
    """Reads responses to an item."""

    def __init__(self, item: GoldQuestion, lexicons: Lexicons) -> None:
        self.item = item
        self._lexicons = lexicons
        self._columns = {column: find_lexicon(lexicons, item.declaration, column) for column in item.asked}
        self.right = frozenset(map(self._normalize, item.answer))
        self.once = frozenset(map(self._normalize, item.once)) - self.right
        self._named = frozenset(map(self._normalize, item.given)) - self.right
        self._asked = fold(item.question)
        self._sentences: dict[str, ReadSentence] = {}

    def mark_odd_values(self, spoken: str) -> str:
        """Mark the values that a response has letter by letter and reading in words may lose."""
        for lexicon in self._columns.values():
            spoken = lexicon.mark(spoken)
        return spoken

    def find_answers(self, region: Sequence[str]) -> frozenset[str] | None:
        """Find the answers in a response: empty if it says that there is no answer, None if it gives none."""
        sentences = split_response(find_guess("\n".join(region)))
        if says_none(sentences) and not any(SO_GIVES.search(each) for each in sentences):
            return frozenset()
        answering = self._list_answering(sentences)
        found = frozenset(found.value for each in answering for found in each.answers)
        is_open = found == self.right and any(map(is_left_open, answering))
        unknown = {OTHER} if is_open or self._give_stranger(sentences) else set()
        return found | unknown or None

    def _list_answering(self, sentences: Sequence[str]) -> list[ReadSentence]:
        """List the sentences that give answers; of several, not those that tell of other times."""
        answering = [each for each in self._read(sentences) if each.answers]
        if len(answering) == 1:
            return answering
        return [each for each in answering if not CONTEXT.search(each.text)]

    def _give_stranger(self, sentences: Sequence[str]) -> bool:
        """Tell whether sentences give a person whom neither the columns asked for nor those of hops have."""
        names = [name for column, _ in self.item.hops for name in column.split(SEPARATOR)]
        on_the_way = [find_lexicon(self._lexicons, ALL_DECLARATIONS, name) for name in names]
        lexicons = [*self._columns.values(), *on_the_way]
        return any(gives_stranger(each, self.item.question, lexicons) for each in sentences)

    def find_references(self, spoken: str) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
        """Find which references a response gives, and which of these in no role."""
        sentences = self._read(split_response(spoken))
        dated = assign_times(sentences)
        named = {found.value for sentence in sentences for found in sentence.answers}
        used: set[tuple[int, str]] = set()
        surely = [self._is_given(each, dated, named, used, _ROLES[each.role]) for each in self.item.references]
        unclear = [
            not given and each.date != STILL and self._is_given(each, dated, named, used, Role.NONE)
            for each, given in zip(self.item.references, surely, strict=True)
        ]
        return tuple(a or b for a, b in zip(surely, unclear, strict=True)), tuple(unclear)

    def find_steps(self, spoken: str, found: frozenset[str] | None) -> tuple[bool | None, ...]:
        """Find which hops a response has right; None where it mentions no value of the hop's column."""
        if not self.item.hops:
            return ()
        sentences = split_response(spoken)
        hops = [self._find_step(column, value, sentences) for column, value in self.item.hops]
        return (*hops, None if found is None else found == self.right)

    def _find_step(self, column: str, value: str, sentences: Sequence[str]) -> bool | None:
        """Tell whether a hop is right: of each of its columns that is mentioned, the right value."""
        pairs = zip(column.split(SEPARATOR), value.split(SEPARATOR), strict=False)
        found = [is_right for pair in pairs if (is_right := self._mentions(*pair, sentences)) is not None]
        return all(found) if found else None

    def _mentions(self, column: str, value: str, sentences: Sequence[str]) -> bool | None:
        """Tell whether a value of a column is mentioned; None where no value is."""
        lexicon = find_lexicon(self._lexicons, ALL_DECLARATIONS, column)
        read = [read_sentence(each, [column], {column: lexicon}) for each in sentences]
        given = {found.value for sentence in read for found in sentence.answers}
        given.update(other for each in sentences for other in lexicon.find_in_pieces(each))
        return bool(lexicon.list_equal(value) & given) if given else None

    def _read(self, sentences: Sequence[str]) -> list[ReadSentence]:
        """Read sentences, each once; what only the question names is no answer."""
        for each in sentences:
            if each not in self._sentences:
                read = read_sentence(each, self.item.asked, self._columns, self._asked)
                self._sentences[each] = _admit(read, self.right, self._named)
        return [self._sentences[each] for each in sentences]

    def _is_given(
        self,
        reference: Reference,
        dated: Sequence[Dated],
        named: set[str],
        used: set[tuple[int, str]],
        role: Role,
    ) -> bool:
        """Tell whether a time of the answer is a reference in a role; a time is one reference of an answer only."""
        answer = self._normalize(reference.answer)
        own = [(place, each.time) for place, each in enumerate(dated) if self._belongs(each, answer, named)]
        if reference.date == STILL:
            return _says_that_it_lasts([time for _, time in own])
        for place, time in own:
            is_right = time.role is role and fits(time, reference.date, self.item.granularity)
            if is_right and (place, answer) not in used:
                used.add((place, answer))
                return True
        return False

    def _belongs(self, dated: Dated, answer: str, named: set[str]) -> bool:
        """Tell whether a time belongs to an answer; with one answer, so do all that belong to nothing."""
        if len(self.right) > 1:
            return answer in dated.owners
        return answer not in named or not dated.owners or answer in dated.owners

    def _normalize(self, answer: str) -> str:
        if len(self.item.asked) == 1:
            return self._columns[self.item.asked[0]].normalize(answer)
        parts = zip(self.item.asked, answer.split(SEPARATOR), strict=False)
        return SEPARATOR.join(self._columns[column].normalize(part) for column, part in parts)


_ROLES = {"start": Role.START, "end": Role.END, "point": Role.START}


def _says_that_it_lasts(times: Sequence[Given]) -> bool:
    """Tell whether times say that something lasts: a word does, or a "since" with no end."""
    roles = {time.role for time in times}
    return Role.STILL in roles or (Role.END not in roles and any(time.is_since for time in times))


SO_GIVES = re.compile(r", so [^.:]+: (?=\w)")
"""What gives an answer after all: No ceremony was held that day, so you mean the holder: Ann Abel."""
IN_CLAUSE = re.compile(r", who\b[^.;,]*$")
"""In front of a value that a clause says of another: Ann Abel, who handed over to Bea Bohr in 2022."""
ONLY = re.compile(r"\W*(?:only|just|solely)\b", re.IGNORECASE)
"""How a sentence begins that gives one answer: what it names beside is none."""


def _admit(sentence: ReadSentence, right: frozenset[str], named: frozenset[str]) -> ReadSentence:
    """Take for an answer a right value that is named beside another, if a time of its own follows or it has a role."""
    answers = [found for found in sentence.answers if found.value not in named]
    asides = () if answers and ONLY.match(sentence.text) else sentence.asides
    for found in asides:
        is_within = IN_CLAUSE.search(sentence.text[: found.start]) is not None
        if found.value in right and (found.has_other_role or (not is_within and _has_own_time(found, sentence))):
            answers.append(found)
    return sentence._replace(answers=tuple(sorted(answers, key=lambda found: found.start)))


def _has_own_time(found: FoundValue, sentence: ReadSentence) -> bool:
    """Tell whether a time follows a value before another value does."""
    later = [other.start for other in (*sentence.answers, *sentence.asides) if other.start > found.start]
    end = min(later, default=len(sentence.text))
    return any(found.end <= time.start < end and time.role is not Role.STILL for time in sentence.times)
