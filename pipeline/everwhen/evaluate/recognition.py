"""Whether the scorer recognises an item's own answer, so that a response can be right at all."""

from __future__ import annotations

from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.answers.typed import judge
from everwhen.evaluate.answers.units import UNITS
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome


def is_recognised(item: GoldItem) -> bool:
    """Tell whether a response that is the published answer, letter by letter, is right.

    It is not where the answer reads as something else than an answer: a refusal, a heading, marks alone. Neither is a
    number whose unit the scorer does not know, as it can read no response in another unit.

    >>> from dataclasses import replace
    >>> item = GoldItem(1, "Which song came first: ??? or Yesterday?", ("Yesterday",), ((),), "name")
    >>> is_recognised(item), is_recognised(replace(item, answer=("???",)))
    (True, False)
    """
    if item.unit is not None and item.unit not in UNITS:
        return False
    response = "; ".join(item.answer)
    return judge(extract_final_answer(open_envelope(response).text), item).outcome is Outcome.RIGHT
