"""Purchases that are read from posts and chats, ours and those of models."""

from __future__ import annotations

from decimal import Decimal

import pytest

from everwhen.families.impliret.parsing.arithmetic import Purchase, read_purchase
from everwhen.families.impliret.parsing.numbers import mark_quantities, read_number

POSTS = {
    "I've been eyeing chairs for ages. The 2019 Varnello was listed at $1,650, which felt steep. The 2016 version was "
    "20% cheaper than the newer one. I ultimately purchased the older model.": ("Varnello", 2016, 1320),
    "I ended up buying the 2016 Varnello, since the 2019 model costs $1,500 and is twice the price.": (
        *("Varnello", 2016, 750),
    ),
    "I chose the 2016 Herman Miller. The 2019 was 1,500 dollars, and the older model was half the price.": (
        *("Herman Miller", 2016, 750),
    ),
    "Varnello's 2016 model is priced at nine hundred dollars. The 2019 version costs two and a half times as much as "
    "the older one, and I decided on that newer version.": ("Varnello", 2019, 2250),
    "At Varnello the 2014 edition is $400. I bought the 2021 edition for two point two five times that price.": (
        *("Varnello", 2021, 900),
    ),
}

CHATS = {
    "I was looking for a new espresso machine this week. Varnello wanted $1,500 for theirs, but I ended up getting the "
    "Zornera because it was 20% cheaper.": ("Zornera", "espresso machine", 1200),
    "I skipped the Varnello at $1,000 and bought a Zornera stand mixer, which was 25 percent more expensive.": (
        "Zornera",
        "stand mixer",
        1250,
    ),
    "I needed a stand mixer. I did not buy the $900 Varnello; I went with Zornera, at 1.5 times the price.": (
        "Zornera",
        "stand mixer",
        1350,
    ),
    "I needed a sofa. Varnello’s costs $900, two point five times the price of the one that I bought from Zornera.": (
        "Zornera",
        "sofa",
        360,
    ),
    "I bought the Zornera sofa for 20% less than the Varnello, which costs $900.": ("Zornera", "sofa", 720),
    "Zornera sold me a harp for twice what Varnello charges, which is $450.": ("Zornera", "harp", 900),
}

UNREADABLE = {
    "percent of the wrong price": "The 2019 Varnello is $1,200, 20% more than the 2016 model, which I bought.",
    "ambiguous factor": "The 2019 Varnello costs 2.5 times more than the 2016 model, at $400. I bought the newer.",
    "no implied price": "The 2019 Varnello costs $1,000. The 2016 model is 20% cheaper. I bought the newer model.",
    "older and dearer": "The 2019 Varnello costs $1,000. The 2016 model is 20% more expensive, and I bought it.",
    "newer and cheaper": "The 2016 Varnello costs $1,000. The 2019 model is 20% cheaper, and I bought it.",
    "no relation": "The 2019 Varnello costs $1,000. The 2016 model is cheaper, and I bought it.",
    "no price": "The 2019 Varnello is on sale. The 2016 model is 20% cheaper, and I bought it.",
    "no direction": "The 2019 Varnello costs $1,000. The 2016 model differs by 20%, and I bought it.",
    "no purchase": "The 2019 Varnello costs $1,000. The 2016 model is 20% cheaper.",
    "purchase denied": "The 2019 Varnello costs $1,000. The 2016 model is 20% cheaper, but I did not buy it.",
    "one model": "The 2019 Varnello costs $1,000. Another is 20% cheaper, and I bought it.",
    "two brands of models": "The 2019 Varnello costs $1,000, the 2016 Zornera is 20% cheaper, and I bought it.",
    "two prices": "The 2019 Varnello costs $1,000, not $900. The 2016 model is 20% cheaper, and I bought it.",
    "two relations": "The 2019 Varnello costs $1,000. The 2016 model is 20% or 30% cheaper, and I bought it.",
    "no whole price": "The 2019 Varnello costs $1,001. The 2016 model is 20% cheaper, and I bought it.",
    "no item": "Varnello wanted $1,500, but I bought from Zornera, which was 20% cheaper.",
    "wrong brand": "I needed a sofa. The Varnello costs $900, and the Zornera is 20% less, but I bought the Varnello.",
    "percent of the brand bought": "I needed a sofa. The Varnello at $900 is 20% more than the Zornera that I bought.",
}


@pytest.mark.parametrize("text", POSTS)
def test_posts_are_read(text: str) -> None:
    found = read_purchase(f"2024-03-01 09:12, Mia: {text}", is_strict=False)
    assert found
    assert (found.brand, found.model, found.price) == POSTS[text]


@pytest.mark.parametrize("text", CHATS)
def test_chats_are_read(text: str) -> None:
    lines = ("09:12, Mia Fox: Hi, how is Otto?", f"09:13, Otto: {text} Otto", "09:13, Mia Fox: Ha!")
    found = read_purchase("\n".join(f"2024-03-01 {line}" for line in lines))
    assert found
    assert (found.brand, found.item, found.price) == CHATS[text]


@pytest.mark.parametrize("error", UNREADABLE)
def test_what_tells_no_price_is_not_read(error: str) -> None:
    assert read_purchase(UNREADABLE[error]) is None


def test_all_fields_are_read() -> None:
    text = "A Varnello of 2016 costs 300 dollars. I bought the 2020 model for 2.1 times as much."
    assert read_purchase(text) == Purchase("Varnello", None, 2020, 2016, None, 300, None, Decimal("2.1"), "higher", 630)


@pytest.mark.parametrize(
    "repeated",
    [
        "The Varnello is from 2019 and costs $1,000. The 2016 Varnello is 20% cheaper, and I bought it.",
        "The 2019 Varnello costs $1,000, yes, $1,000. The 2016 model is 20% cheaper, and I bought it.",
        "The 2019 Varnello costs $1,000. The 2016 model is 20% cheaper, and I bought it. 20% is a lot.",
        "The 2019 Varnello costs $1,000. The 2016 model is 20% cheaper, and I bought the 2016 model.",
    ],
)
def test_a_repeated_field_is_read_only_on_demand(repeated: str) -> None:
    assert read_purchase(repeated) is None
    found = read_purchase(repeated, is_strict=False)
    assert found
    assert found.price == 800


def test_other_utterances_do_not_count() -> None:
    text = "I bought the Zornera harp for 20% less than the Varnello, which costs $900."
    chat = f"2024-03-01 09:12, Mia: {text}\n2024-03-01 09:13, Otto: Do not buy Ropello again."
    assert read_purchase(chat) == read_purchase(text)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("US$1,500 or 1,500 dollars, $380, and 90 bucks", "US$1500 or $1500, $380, and $90"),
        ("Fifteen hundred dollars and a thousand dollars", "$1500 and $1000"),
        ("nine hundred and ninety dollars", "$990"),
        ("one thousand two hundred sixty dollars", "$1260"),
        ("20 %, 20 per cent, twenty percent", "20%, 20%, 20%"),
        ("forty-five percent less", "45% less"),
        ("2.5 times, 2.5x, two and a half times, two-and-a-half times", "2.5x, 2.5x, 2.5x, 2.5x"),
        ("two point zero five times the price", "2.05x the price"),
        ("twice the price, double the price, half the price", "2x the price, 2x the price, 0.5x the price"),
        ("a double bed, at times, many times, half a day", "a double bed, at times, many times, half a day"),
    ],
)
def test_quantities_are_marked(text: str, marked: str) -> None:
    assert mark_quantities(text) == marked


def test_words_that_are_no_number_are_not_read() -> None:
    assert read_number("ten ten").is_nan()
