from __future__ import annotations

import doctest
import re

import pytest

from everwhen.core import reasons
from everwhen.core.reasons import Reason, RejectReason
from everwhen.families.complextempqa.reasons import BindingReason

ALL: list[Reason] = [*RejectReason, *BindingReason]


def test_the_examples_of_the_module_are_right() -> None:
    assert doctest.testmod(reasons).failed == 0


def test_no_text_is_there_twice() -> None:
    texts = [*RejectReason.__members__.values(), *BindingReason.__members__.values()]
    assert len(set(texts)) == len(ALL) == len(RejectReason.__members__) + len(BindingReason.__members__)


def test_each_reason_names_stages_and_has_a_sentence() -> None:
    for reason in ALL:
        assert set(reason.stages.split(", ")) <= {reasons.FACTS, reasons.WORLD, reasons.FAMILIES}
        assert re.fullmatch(r"[A-Z].*\.", reason.meaning), reason


def test_a_completed_text_fits_its_reason_alone() -> None:
    text = RejectReason.NO_SUCH_DAY_OF_MONTH.with_detail(day=30, month=2)
    assert text == "day 30 of month 2 does not exist in that year"
    assert [reason for reason in ALL if reason.read_details(text) is not None] == [RejectReason.NO_SUCH_DAY_OF_MONTH]


def test_a_detail_with_braces_stays_as_it_is() -> None:
    assert RejectReason.MISSING_FIELD.with_detail(field="{x}") == "missing field {x}"


def test_a_missing_detail_is_an_error() -> None:
    with pytest.raises(KeyError, match="field"):
        RejectReason.MISSING_FIELD.with_detail()
