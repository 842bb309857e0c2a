from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.catalog.load import load_units
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.snaks import QuantityReader

UNITS = {unit.id: (unit.base, unit.factor) for unit in load_units().values()}
read = QuantityReader(UNITS).read


def uri(unit: int) -> str:
    return f"http://www.wikidata.org/entity/Q{unit}"


@pytest.mark.parametrize(
    ("amount", "unit", "expected"),
    [
        pytest.param("+173", uri(11573), (Decimal("173"), 11573), id="metre"),
        pytest.param("+1.5", uri(828224), (Decimal("1500"), 11573), id="kilometre"),
        pytest.param("+29031.7", uri(3710), (Decimal("8848.86216"), 11573), id="foot"),
        pytest.param("-10", uri(253276), (Decimal("-16093.44"), 11573), id="mile-below-zero"),
        pytest.param("+95", uri(7727), (Decimal("5700"), 11574), id="minute"),
        pytest.param("+5457429", "1", (Decimal("5457429"), 0), id="bare-number"),
        pytest.param("12", "1", (Decimal("12"), 0), id="no-sign"),
        pytest.param("+0.000000001", "1", (Decimal("0.000000001"), 0), id="nine-decimals"),
        pytest.param("+1.5000000000000", "1", (Decimal("1.5"), 0), id="trailing-zeros"),
        pytest.param("+" + "9" * 29, "1", (Decimal("9" * 29), 0), id="29-digits"),
        pytest.param("+100", "https://www.wikidata.org/entity/Q11573", (Decimal("100"), 11573), id="https"),
        pytest.param("+3", uri(577), (None, 577), id="unknown-unit-keeps-its-id"),
        pytest.param("+0.00000000001", uri(577), (None, 577), id="unknown-unit-of-any-size"),
    ],
)
def test_read(amount, unit, expected):
    assert read(amount, unit) == expected


@pytest.mark.parametrize(
    ("amount", "unit", "reason"),
    [
        pytest.param("+0.0000000001", "1", "more than 9 decimals", id="ten-decimals"),
        pytest.param("+0.00000001", uri(174789), "more than 9 decimals", id="ten-decimals-in-metres"),
        pytest.param("+1" + "0" * 29, "1", "more than 29 digits", id="30-digits"),
        pytest.param("+1" + "0" * 28, uri(828224), "more than 29 digits", id="30-digits-in-metres"),
        pytest.param("+1" + "0" * 5000, "1", "too many digits", id="thousands-of-digits"),
        pytest.param("", "1", "amount is not a decimal number", id="empty"),
        pytest.param("1e3", "1", "amount is not a decimal number", id="exponent"),
        pytest.param("NaN", "1", "amount is not a decimal number", id="nan"),
        pytest.param("1_000", "1", "amount is not a decimal number", id="underscore"),
        pytest.param("1,000", "1", "amount is not a decimal number", id="comma"),
        pytest.param(5, "1", "amount is not a decimal number", id="number"),
        pytest.param("+5", "2", "unit is neither", id="unit-2"),
        pytest.param("+5", "http://www.wikidata.org/entity/P5", "unit is neither", id="unit-property"),
        pytest.param("+5", None, "unit is neither", id="no-unit"),
    ],
)
def test_read_rejects_by_name(amount, unit, reason):
    with pytest.raises(Malformed, match=reason):
        read(amount, unit)


@given(
    amount=st.decimals(min_value=-(10**18), max_value=10**18, places=3, allow_nan=False),
    unit=st.sampled_from(sorted(UNITS)),
)
def test_conversion_is_exact(amount, unit):
    """What comes out is the exact product, computed here with fractions."""
    base, factor = UNITS[unit]
    actual, actual_unit = read(f"{amount:+f}", uri(unit))
    assert actual_unit == base
    assert Fraction(actual) == Fraction(amount) * Fraction(factor)


@given(st.integers(min_value=-(10**37), max_value=10**37))
def test_amounts_that_fit_the_column_are_unchanged(scaled):
    written = format(Decimal(scaled).scaleb(-9), "+f") if abs(scaled) < 10**27 else f"{scaled // 10**9:+d}"
    assert Fraction(read(written, "1")[0]) == Fraction(written)
