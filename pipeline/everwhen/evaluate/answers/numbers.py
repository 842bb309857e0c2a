"""Numbers in a response: with thousands, in words, with a scale and a unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from everwhen.evaluate.answers.claims import ASIDE, Claim
from everwhen.evaluate.answers.mentions import blank_dates
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.number_words import NUMBER as NUMBER_WORD
from everwhen.evaluate.answers.number_words import write_digits
from everwhen.evaluate.answers.stance import NEAR, is_denied
from everwhen.evaluate.answers.units import UNIT, UNITS, MeasureUnit
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome

SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SCALES |= {"k": 10**3, "mn": 10**6, "mln": 10**6, "bn": 10**9}

NUMBER = re.compile(
    r"(?<![\w.,/²])(?P<money>[$€] ?)?(?P<sign>(?<!\d )-)?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?: \d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:'\d{3})+|\d{1,3}(?:\.\d{3}){2,}|\d+(?:\.\d+)?|\d+,\d+)(?!\d)"
    rf"(?!(?:st|nd|rd|th)\b)(?:\s?(?P<scale>{'|'.join(SCALES)})\b)?(?:[\s-]?(?P<unit>{UNIT}))?"
)
ADDS = re.compile(r",?\s*(?:and )?(?:in )?")
HOURS = ("h", "hr", "hrs", "hour", "hours")

NOT_THE_VALUE = re.compile(
    r"(?:\b(?:not|never|(?:more|greater|less|fewer) than|(?<!just )(?<!bit )(?<!little )(?:over|under)"
    r"|at least|at most|up to|above|below|nearly|almost)"
    r"|n't|[<>]) (?:the )?$"
)
YEAR = re.compile(r"1\d{3}|20\d\d")
HEDGED = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.|circa|ca?\.|close to"
    r"|(?:just|a bit|a little) (?:under|over))|[~≈]) ?$"
)
"""In front of a number that is rounded."""
EXPLAINED = re.compile(
    rf"^(?P<number>\W*(?:about |exactly |only |just )?(?:\d[\d.,]*|{NUMBER_WORD.pattern}))"
    r"(?:,? (?:because|since|namely|including)\b"
    r"|: (?!(?:\D{0,5}\d{4}\b)+\W*$)(?!.*\b(?:not?|or|rather|actually|wait)\b)).*"
)
"""A number alone, and why it is right."""
NAMED_YEAR = re.compile(
    rf"\b(?P<name>(?!(?:In|About|Since|By|Year|From|Until|Around|To|Of|And|Answer|Was|Is)\b)[A-Z][\w'.-]*[a-z]),?"
    rf" (?:{YEAR.pattern})\b(?! (?!was|were|is|and|had|has|ran|saw|took|began|lasted)[a-z])"
    rf"|\b(?:{YEAR.pattern}) (?=[A-Z])"
)
"""A year beside the name of an event."""
CONCLUDED = re.compile(
    r".*(?:, so|, which makes|, that makes|, making|in total,?|altogether,?|\s[=≈]) "
    rf"(?=.*(?:\d|{NUMBER_WORD.pattern}))"
)
OUT_OF = re.compile(r"\b(?:out )?of (?:the |its |all )?\d[\d,]* [a-z ]{1,30}, (?=.*\d)")
"""A number of which the answer is a part."""
SPARED = re.compile(r"\b\d[\d,]* (?:\w+ ){0,2}?(?:survived|survivors|injured|wounded)\b")
"""A number of others than those who died."""
ASKS_SPARED = re.compile(r"\b(?:surviv|injur|wound)", re.IGNORECASE)
MORE_OF_OTHERS = re.compile(
    r"^the (?:number|total|figure) (?P<counted>.*?)\b(?:is|was) (?:\w+ )?(?:higher|lower|larger|smaller|greater)\b",
    re.I,
)
"""A sentence that says that what is asked is another number: the number of those eligible was higher."""
SCALE = rf"(?:{'|'.join(SCALES)})\b"
COUNTED = re.compile(r"\bhow many (?:[\w-]+ ){0,3}?(?P<what>people|[a-z-]+s)\b(?! of)")
ISO_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
YEAR_ALONE = re.compile(rf"(?<!\d)(?:{YEAR.pattern})(?!\d)")
YEAR_OF = re.compile(r"\b(?:in|since|until|by|during|of|year) $")
OFFERS_OTHER = re.compile(r"[(\[]\W*(?:or|maybe|perhaps|possibly)\b[^()\[\]]*\d", re.IGNORECASE)
"""An aside that leaves the answer open."""
ALTHOUGH = re.compile(r", (?:al|even )?though\b|, (?:whereas|while|despite|against|compared)\b")
NO_ONE = re.compile(r"\bno one\b")
DAYS_OF_YEAR = 366
TIMES = ("duration", "calendar")
"""Dimensions that are parts of one amount, as 87 years and 178 days."""


class Amount(NamedTuple):
    """A number in a text.

    Attributes:
        value: The number.
        step: The value of its last digit, if a scale follows (1.2 million is exact to 100,000) or it ends in thousands
            (756,000); of any other number the value of its last digit where that is 1 or less; None of a single digit.
        unit: Its unit, if it has one.
        name: The spelling of the unit.
        is_scaled: Whether a scale follows.
        has_parts: Whether months or days follow its years: it is as many whole years.
    """

    value: Fraction
    step: Fraction | None = None
    unit: MeasureUnit | None = None
    name: str = ""
    is_scaled: bool = False
    has_parts: bool = False


def judge_number(claim: Claim, item: GoldItem) -> Outcome:
    """Judge the numbers of a claim against those of an answer.

    Numbers that the question has do not count where there are others, nor do years and bounds ("more than 200"). What
    is left must be one value for each part.
    """
    found = find_amounts(claim.text, item)
    outcome = Outcome.WRONG if OFFERS_OTHER.search(claim.text) else _judge(found, item)
    asked = {*fold(item.question)} - {*fold(claim.text)}
    for rival in claim.rivals:
        if (other := MORE_OF_OTHERS.match(rival)) and asked.intersection(fold(other["counted"])):
            return Outcome.WRONG
        others = [amount for amount in find_amounts(rival, item) if not YEAR.fullmatch(str(amount.value))]
        if others and _judge(others, item) == Outcome.WRONG:
            return Outcome.WRONG
    return outcome


def find_amounts(text: str, item: GoldItem) -> list[Amount]:
    """Find the numbers that a text gives as an answer, each value once, in order."""
    asked = _scan_question(item.question)
    plain = _drop_other_numbers(text, item.question)
    if ALTHOUGH.search(plain) and _scan(head := ALTHOUGH.split(plain)[0], asked):
        plain = head
    amounts = _scan_outside(plain, asked, item)
    distinct = _drop_shares(_drop_conversions(list(dict.fromkeys(amounts)), item), item)
    return [amount for amount in distinct if amount.value not in asked] or distinct


def _scan_outside(plain: str, asked: Collection[Fraction], item: GoldItem) -> list[Amount]:
    """Find the numbers outside parentheses, else in them; of several the one that counts what is asked."""
    amounts = _scan(_cut_parts(ASIDE.sub("", plain), asked), asked) or _scan(plain, asked)
    if item.unit and all(_is_only_of_kind(amount, UNITS[item.unit]) for amount in amounts):
        return _scan(plain, asked)  # what is asked may be in parentheses: 28,169 ft (8,586 m)
    counted = _find_counted(plain, item.question) if len(amounts) > 1 else None
    return (counted and _scan(counted, asked)) or amounts


def _find_counted(plain: str, question: str) -> str | None:
    """Find the one number in front of what a question counts: 171 goals, in 64 matches."""
    counted = COUNTED.search(question.lower())
    if counted is None or ": " in plain:
        return None
    found = {
        each[1]
        for each in re.finditer(
            rf"(?<!and )(?<!or )(?<!to )(?<![\d,.-])(\d[\d,.]*) (?!{SCALE})(?:[a-z]+ )?{counted['what']}\b", plain
        )
    }
    return found.pop() if len(found) == 1 else None


def _drop_other_numbers(text: str, question: str) -> str:
    """Drop numbers that are no answer, and write the rest in lower case with single spaces.

    >>> _drop_other_numbers("Of the 153 people on board, 152 died", "How many people died?")
    '152 died'
    >>> _drop_other_numbers("29 - 13 + 1 = 17 days", "How many days did it last?")
    '17 days'
    """
    plain = EXPLAINED.sub(r"\g<number>", " ".join(_drop_named_years(text).lower().split()))
    if any(word in plain for word in (", so", " mak", "total", "altogether", " = ")):
        plain = CONCLUDED.sub("", plain)
    plain = OUT_OF.sub("", plain)
    return plain if ASKS_SPARED.search(question) else SPARED.sub("", plain)


def _drop_named_years(text: str) -> str:
    """Drop years beside the name of an event, where there are other numbers: Lake Placid 1980."""
    without = NAMED_YEAR.sub(lambda found: found["name"] or "", text)
    return without if re.search(r"\d", without) or NUMBER_WORD.search(without.lower()) else text


@lru_cache(maxsize=1000)
def _scan_question(question: str) -> frozenset[Fraction]:
    """Find the numbers of a question; an answer is judged in several steps."""
    found = {amount.value for amount in _scan(" ".join(question.lower().split()))}
    return frozenset(found | {Fraction(number) for number in re.findall(r"\d+", question.replace(",", ""))})


def scan_amounts(text: str) -> list[Amount]:
    """Find all numbers of a text, in digits or words, but for those of dates; and what parts add up to.

    >>> [int(amount.value) for amount in scan_amounts("On 4 March 1971 it had two towers, and 1,234 people")]
    [2, 1234]
    >>> [float(amount.value) for amount in scan_amounts("1 hour 30 minutes")]
    [1.0, 30.0, 1.5]
    """
    plain = write_digits(blank_dates(ISO_DATE.sub(" ", " ".join(text.lower().split()))))
    found: list[Amount] = []
    end = -1
    for match in NUMBER.finditer(plain):
        amount = _read(match, found)
        total = _add(found, amount) if ADDS.fullmatch(plain, end, match.start()) else None
        found += [amount, total] if total else [amount]
        end = match.end()
    return found


def _cut_parts(plain: str, asked: Collection[Fraction]) -> str:
    """Cut what follows a colon where it lists what the number in front counts: parts that add up to it, or years."""
    head, _, tail = plain.partition(": ")
    totals = [amount.value for amount in _scan(head, asked) if amount.value not in asked]
    if len(totals) != 1:
        return plain
    listed = [amount.value for amount in _scan(tail)]
    years = YEAR_ALONE.findall(tail)
    if not years and not re.search(r"\d", head) and not re.search(r"\b(?:not?|or)\b", tail):
        return head
    return head if sum(listed) == totals[0] or len(years) == totals[0] == len(listed) else plain


def _scan(plain: str, asked: Collection[Fraction] = ()) -> list[Amount]:
    """Find the numbers of a text beside its dates.

    Words count where there are no digits but those of years and of numbers that the question has.
    """
    undated = blank_dates(plain)
    found, years = _scan_digits(undated)
    if all(amount.value in asked for amount in found):
        words, _ = _scan_digits(write_digits(NO_ONE.sub("nobody", re.sub(r"\d+", " ", undated))))
        found = words or found
    return found or years


def _scan_digits(text: str) -> tuple[list[Amount], list[Amount]]:
    """Find the numbers in digits, and apart from them those that are years."""
    found: list[Amount] = []
    years: list[Amount] = []
    end, is_after_year = -1, False
    for match in NUMBER.finditer(text):
        before = text[max(match.start() - NEAR, 0) : match.start()]
        amount = _read(match, found, is_hedged=HEDGED.search(before) is not None)
        is_joined = ADDS.fullmatch(text, end, match.start()) is not None
        is_of_year = YEAR_OF.search(before) is not None or (is_after_year and is_joined)
        is_after_year = is_of_year and YEAR.fullmatch(match[0]) is not None
        if is_after_year:
            years.append(amount)
        elif is_joined and (total := _add(found, amount)):
            found[-1] = total
        elif not NOT_THE_VALUE.search(before) and not is_denied(text, *match.span()):
            found.append(amount)
        end = match.end()
    return found, years


def _drop_conversions(amounts: list[Amount], item: GoldItem) -> list[Amount]:
    """Drop the same value in another unit, rounded or not, beside the one in the unit that is asked."""
    kept = [a for a in amounts if a.unit is not None and item.unit is not None and a.unit == UNITS[item.unit]]
    if len(kept) != 1:
        return amounts
    (own,) = kept
    return [own, *(a for a in amounts if a is not own and not _is_beside(a, own))]


def _drop_shares(amounts: list[Amount], item: GoldItem) -> list[Amount]:
    """Drop percentages beside other numbers, where a count is asked."""
    if item.unit is not None or "percent" in item.question:
        return amounts
    return [amount for amount in amounts if amount.unit != UNITS["percent"]] or amounts


def _is_only_of_kind(amount: Amount, asked: MeasureUnit) -> bool:
    """Tell whether an amount is of the kind that is asked, in another unit."""
    return amount.unit is not None and amount.unit != asked and amount.unit.dimension == asked.dimension


def _is_beside(amount: Amount, own: Amount) -> bool:
    """Whether an amount may be beside one: of another kind, as dollars are, or its value but for one percent."""
    if amount.unit is None or own.unit is None:
        return False
    if amount.unit.dimension != own.unit.dimension:
        return not (amount.unit.dimension in TIMES and own.unit.dimension in TIMES)
    value, own_value = amount.value * amount.unit.factor, own.value * own.unit.factor
    return amount.unit != own.unit and abs(value - own_value) * 100 <= abs(own_value)


def _read(match: re.Match[str], before: Sequence[Amount], *, is_hedged: bool = False) -> Amount:
    """Read a number; behind hours, m means minutes."""
    digits = re.sub(r"[ ']", "", match["number"])
    if digits.count(".") > 1:
        digits = digits.replace(".", "")
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits)
    digits = digits.replace(",", "") if grouped else digits.replace(",", ".")
    scale = SCALES.get(match["scale"], 1)
    unit = "dollars" if match["money"] else match["unit"] or ""
    if unit == "m" and before and before[-1].name in HOURS:
        unit = "min"
    decimals = len(digits.partition(".")[2])
    step = Fraction(scale, 10**decimals) if match["scale"] else _find_step(digits, is_hedged=is_hedged)
    return Amount(
        value=Fraction(digits) * scale * (-1 if match["sign"] else 1),
        step=step,
        unit=UNITS.get(unit),
        name=unit,
        is_scaled=bool(match["scale"]),
    )


def _find_step(digits: str, *, is_hedged: bool = False) -> Fraction | None:
    """Find to what a number in digits is exact, if it has two digits or more that say so."""
    integer, _, decimals = digits.partition(".")
    significant = integer.rstrip("0") if not decimals else integer + decimals
    if len(significant.lstrip("0")) < 2:
        return None
    zeros = len(integer) - len(integer.rstrip("0")) if not decimals else 0
    return Fraction(10**zeros if zeros >= (2 if is_hedged else 3) else 1, 10 ** len(decimals))


def _add(found: Sequence[Amount], smaller: Amount) -> Amount | None:
    """Add a number to the one before, if it is the smaller part of it, as minutes are of hours."""
    if not found or found[-1].unit is None or smaller.unit is None:
        return None
    larger = found[-1].unit
    if larger == UNITS["years"] and smaller.unit == UNITS["days"] and smaller.value < DAYS_OF_YEAR:
        return found[-1]._replace(value=found[-1].value + smaller.value / DAYS_OF_YEAR, step=None, has_parts=True)
    if larger.dimension != smaller.unit.dimension or larger.factor <= smaller.unit.factor:
        return None
    return found[-1]._replace(
        value=found[-1].value + smaller.value * smaller.unit.factor / larger.factor,
        step=None,
        name=smaller.name,
        has_parts=larger == UNITS["years"],
    )


def _judge(amounts: Sequence[Amount], item: GoldItem) -> Outcome:
    gold = [Fraction(part) for part in item.answer]
    if len(amounts) != len(gold):
        return Outcome.WRONG
    ordered = sorted(amounts, key=lambda amount: amount.value)
    compared = [_compare(amount, value, item) for amount, value in zip(ordered, sorted(gold), strict=True)]
    return max(compared, key=list(Outcome).index)


def _compare(amount: Amount, gold: Fraction, item: GoldItem) -> Outcome:
    """Right where it is the value exactly, coarse where it is the value rounded to a scale."""
    converted = _convert(amount, item)
    if converted is None:
        return Outcome.WRONG
    value, step = converted.value, converted.step
    if value == gold or (amount.has_parts and int(value) == gold):
        return Outcome.RIGHT
    return Outcome.COARSE if step and abs(value - gold) <= step / 2 else Outcome.WRONG


def _convert(amount: Amount, item: GoldItem) -> Amount | None:
    """Convert an amount to the unit that is asked; None where it is of another kind."""
    if amount.unit is None:
        return amount
    if item.unit is None:
        return amount if re.search(rf"\b{re.escape(amount.name)}\b", item.question.lower()) else None
    asked = UNITS[item.unit]
    if asked.dimension != amount.unit.dimension:
        return None
    factor, is_exact = amount.unit.factor / asked.factor, amount.is_scaled or amount.unit == asked
    return amount._replace(value=amount.value * factor, step=amount.step * factor if amount.step and is_exact else None)
