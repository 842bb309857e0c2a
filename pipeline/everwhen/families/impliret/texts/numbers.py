"""Numbers, prices, percentages and factors as people write them: in digits, or in words."""

from __future__ import annotations

from decimal import Decimal

from everwhen.core.keyed_random import KeyedRandom
from everwhen.temporal.phrases import SMALL_NUMBERS

_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def write_number(number: int) -> str:
    """Write a number below 10,000 in words.

    >>> write_number(0), write_number(45), write_number(1200), write_number(9090)
    ('zero', 'forty-five', 'one thousand two hundred', 'nine thousand ninety')
    """
    for unit, name in ((1000, "thousand"), (100, "hundred")):
        if number >= unit:
            rest = f" {write_number(number % unit)}" if number % unit else ""
            return f"{write_number(number // unit)} {name}{rest}"
    if number <= 20:
        return SMALL_NUMBERS[number]
    return _TENS[number // 10] + (f"-{SMALL_NUMBERS[number % 10]}" if number % 10 else "")


def write_price(price: int, rng: KeyedRandom, what: str) -> str:
    """Write a price in whole dollars, below 10,000; `what` names the choice.

    $1,500 may be "$1,500", "1,500 dollars", "one thousand five hundred dollars" or "fifteen hundred dollars".
    """
    if rng.decide(0.7, f"{what} digits"):
        return rng.pick((f"${price:,}", f"{price:,} dollars"), f"{what} sign")
    hundreds, rest = divmod(price, 100)
    if hundreds > 10 and hundreds % 10 and not rest and rng.decide(0.5, f"{what} hundreds"):
        return f"{write_number(hundreds)} hundred dollars"
    return f"{write_number(price)} dollars"


def write_percent(percent: int, rng: KeyedRandom, what: str) -> str:
    """Write a percentage: "20%", "20 percent" or "twenty percent"."""
    return rng.pick((f"{percent}%", f"{percent} percent", f"{write_number(percent)} percent"), what)


def write_factor(factor: Decimal, rng: KeyedRandom, what: str) -> str:
    """Write a factor of two decimals: "2.25 times", "two point two five times", "two and a half times", "twice"."""
    whole, digits = divmod(int(factor * 100), 100)
    if not digits:
        is_twice = whole == 2 and rng.decide(0.7, what)
        return "twice" if is_twice else f"{write_number(whole)} times"
    if rng.decide(0.5, what):
        return f"{factor.normalize()} times"
    if digits == 50:
        return f"{write_number(whole)} and a half times"
    decimals = " ".join(SMALL_NUMBERS[int(digit)] for digit in f"{digits:02}".rstrip("0"))
    return f"{write_number(whole)} point {decimals} times"
