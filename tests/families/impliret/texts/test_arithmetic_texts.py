"""What posts and chats say of prices, and the words that they are made of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.resources import find_templates
from everwhen.families.impliret.draws.prices import MODEL_YEARS, draw_prices
from everwhen.families.impliret.parsing.arithmetic import Purchase, read_purchase
from everwhen.families.impliret.parsing.numbers import mark_quantities
from everwhen.families.impliret.texts.arithmetic import (
    name_relation,
    write_query,
    write_statement,
    write_utterance,
)
from everwhen.families.impliret.texts.numbers import write_factor, write_number, write_percent, write_price
from everwhen.families.impliret.words_arithmetic import load_arithmetic_words, load_brands
from everwhen.language.wording import SLOT, split_wording

WORDS, BRANDS = load_arithmetic_words(), load_brands()
RELATIONS = ("percent_lower", "percent_higher", "factor_lower", "factor_higher")
FORBIDDEN = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|once|twice|first|second|third|couple|dozen"
    r"|half|single|double|today|tomorrow|yesterday|tonight|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer"
    r"|autumn|fall|winter|season|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|older|newer|earlier|later)s?\b",
    re.IGNORECASE,
)
Row = dict[str, Any]

styles = pytest.mark.parametrize("style", ["multi", "uni"])


@cache
def list_texts(style: str, sets: int = 10) -> list[tuple[Row, list[str]]]:
    return [(row, write(row, rng)) for number in range(sets) for row, rng in list_rows(style, number)]


def list_rows(style: str, number: int) -> Iterator[tuple[Row, KeyedRandom]]:
    rng = KeyedRandom("seed", f"{style} set", number)
    brands = rng.shuffle(BRANDS, "brands")
    for place, price in enumerate(draw_prices(rng, 50, 2050 if style == "multi" else 3050, 30)):
        row: Row = {**price._asdict(), "style": style, "speaker": "Mira", "brand": brands[place]}
        if style == "multi":
            years = sorted(
                rng.sample_several(2, len(MODEL_YEARS), f"years {place}"), reverse=price.direction == "higher"
            )
            row |= {
                "item": WORDS.topics[number].item,
                "model": MODEL_YEARS[years[0]],
                "other_model": MODEL_YEARS[years[1]],
            }
        else:
            row |= {"item": WORDS.items[place], "other_brand": brands[30 + place]}
        yield row, KeyedRandom("seed", f"{style} {number}", place)


def write(row: Row, rng: KeyedRandom) -> list[str]:
    return write_statement(row, rng) if row["style"] == "multi" else [write_utterance(row, rng)]


def embed(style: str, text: str) -> str:
    if style == "multi":
        return (
            f"2024-02-29 09:01, Mira: Take my word for it, I like {WORDS.topics[0].details[0]}. {text} Do not rush it!"
        )
    return (
        "2024-02-29 09:01, Otto: Hello there, what have you been up to?\n"
        f"2024-02-29 09:02, Mira: Not much. {text} Anyway, that is my news.\n"
        "2024-02-29 09:02, Otto: I would have taken my time, but I am glad that you bought it."
    )


@styles
def test_the_parser_reads_each_tuple(style: str) -> None:
    for row, text in list_texts(style):
        is_post = style == "multi"
        expected = Purchase(
            brand=row["brand"],
            item=None if is_post else row["item"],
            model=row.get("model"),
            other_model=row.get("other_model"),
            other_brand=row.get("other_brand"),
            **{name: row[name] for name in ("base_price", "percent", "factor", "direction", "price")},
        )
        assert read_purchase(embed(style, " ".join(text))) == expected, text


@styles
def test_the_implied_price_is_not_written(style: str) -> None:
    for row, text in list_texts(style):
        price = row["price"]
        written = " ".join(text).lower()
        assert not re.search(rf"(?<![\d,.]){price:,}\b(?!,\d)|\b{price}\b", written), (price, written)
        assert f"${price}" not in mark_quantities(written).split(), (price, written)
        assert f"{write_number(price)} dollars" not in written


@styles
def test_each_field_is_named_once(style: str) -> None:
    for row, text in list_texts(style):
        written = " ".join(text)
        for name in ("brand", "other_brand", "item", "model", "other_model"):
            if name in row:
                assert len(re.findall(rf"\b{row[name]}\b", written)) == 1, (row[name], written)


def test_a_statement_has_two_sentences() -> None:
    for _, text in list_texts("multi"):
        assert len(text) == 2
        assert all(re.fullmatch(r"[A-Z$\d].*[^ .!?]\.", sentence) for sentence in text)


def test_an_utterance_has_two_or_three_sentences() -> None:
    assert {len(re.findall(r"[.!?](?= |$)", text[0])) for _, text in list_texts("uni")} == {2, 3}


@styles
def test_no_wording_is_left_with_slots_or_wrong_spaces(style: str) -> None:
    for _, text in list_texts(style):
        assert not re.search(r"[{}]|  |,,| [.,]|\ba [aeio]", " ".join(text)), text


@styles
@pytest.mark.parametrize("relation", RELATIONS)
def test_each_wording_is_used(style: str, relation: str) -> None:
    wordings = (WORDS.posts if style == "multi" else WORDS.chats)[relation]
    seen = {" ".join(text) for row, text in list_texts(style, 30) if name_relation(row) == relation}
    for wording in wordings:
        # The words of the wording itself, in order, whatever fills its slots.
        pattern = re.compile(".+".join(map(re.escape, split_wording(wording)[::2])), re.IGNORECASE)
        assert any(map(pattern.fullmatch, seen)), wording


@styles
@pytest.mark.parametrize("relation", RELATIONS)
def test_a_relation_has_six_wordings_or_more(style: str, relation: str) -> None:
    assert len(set((WORDS.posts if style == "multi" else WORDS.chats)[relation])) >= 6


@pytest.mark.parametrize("relation", RELATIONS)
def test_an_utterance_names_both_brands_and_the_item(relation: str) -> None:
    for wording in WORDS.chats[relation]:
        slots = Counter(SLOT.findall(wording))
        assert slots["brand"] == slots["other_brand"] == slots["base"] == slots["item"] + slots["an_item"] == 1


@styles
def test_statements_vary(style: str) -> None:
    grams = [tuple(words[i : i + 4]) for words in list_words(style) for i in range(len(words) - 3)]
    assert len(set(grams)) >= 0.45 * len(grams)


def list_words(style: str) -> list[list[str]]:
    return [re.findall(r"[\w.,$%]*\w", " ".join(text).lower()) for _, text in list_texts(style)]


@styles
def test_a_text_depends_on_its_row_alone(style: str) -> None:
    row, rng = next(list_rows(style, 3))
    assert write(row, rng) == list_texts(style)[90][1]


def test_queries_of_posts() -> None:
    row = {"style": "multi", "item": "kayaks", "price": 1200, "brand": "Balven", "model": 2016}
    assert write_query(row) == "Which brand and model of kayaks cost $1,200?"


def test_queries_of_chats() -> None:
    row = {"style": "uni", "item": "sofa bed", "price": 90, "brand": "Balven", "speaker": "Mira"}
    assert write_query(row) == "What did Mira buy for $90?"


def test_numbers_are_written_in_words() -> None:
    assert [write_number(number) for number in (0, 12, 20, 45, 300, 1060, 2050, 9999)] == [
        *("zero", "twelve", "twenty", "forty-five", "three hundred", "one thousand sixty", "two thousand fifty"),
        "nine thousand nine hundred ninety-nine",
    ]


def test_prices_percentages_and_factors_are_read_as_they_were_written() -> None:
    for number in range(1, 100):
        rng = KeyedRandom("seed", "numbers", number)
        factor = Decimal(200 + number).scaleb(-2)
        assert mark_quantities(write_price(100 * number, rng, "price")) == f"${100 * number}"
        assert mark_quantities(write_percent(number, rng, "percent")) == f"{number}%"
        assert Decimal(mark_quantities(write_factor(factor, rng, "factor")).removesuffix("x")) == factor


def test_numbers_are_written_in_several_ways() -> None:
    numbers = [KeyedRandom("seed", "ways", number) for number in range(60)]
    assert {write_price(1500, rng, "price") for rng in numbers} == {
        *("$1,500", "1,500 dollars", "fifteen hundred dollars", "one thousand five hundred dollars")
    }
    assert {write_percent(20, rng, "percent") for rng in numbers} == {"20%", "20 percent", "twenty percent"}
    assert {write_factor(Decimal("2.50"), rng, "factor") for rng in numbers} == {"2.5 times", "two and a half times"}
    assert {write_factor(Decimal("2.05"), rng, "factor") for rng in numbers} == {
        *("2.05 times", "two point zero five times")
    }
    assert {write_factor(Decimal("2.00"), rng, "factor") for rng in numbers} == {"twice", "two times"}


def test_there_are_topics_items_brands_and_followups_enough() -> None:
    assert len(WORDS.topics) >= 55
    assert len(WORDS.items) >= 60
    assert len(BRANDS) >= 400
    assert len(WORDS.followups) >= 40


def test_no_topic_or_item_is_there_twice() -> None:
    things = [topic.item for topic in WORDS.topics] + [f"{item}s" for item in WORDS.items]
    assert len(set(things)) == len(things)
    assert len({topic.id for topic in WORDS.topics}) == len(WORDS.topics)
    assert len(set(WORDS.followups)) == len(WORDS.followups)


@pytest.mark.parametrize("topic", WORDS.topics, ids=lambda topic: topic.id)
def test_an_opening_asks_for_the_item(topic: Any) -> None:
    assert 25 <= len(topic.opening.split()) <= 60
    assert topic.item in topic.opening
    assert topic.opening.endswith("?")


@pytest.mark.parametrize("topic", WORDS.topics, ids=lambda topic: topic.id)
def test_details_fit_any_sentence(topic: Any) -> None:
    assert len(set(topic.details)) == len(topic.details) >= 12
    assert all(re.match(r"(?:the|how|a) [a-z]", detail) for detail in topic.details)
    assert not [detail for detail in topic.details if FORBIDDEN.search(detail)]


def test_followups_are_sentences_without_numbers_or_times() -> None:
    assert all(re.fullmatch(r"[A-Z].*\.", each) for each in WORDS.followups)
    assert not [each for each in WORDS.followups if FORBIDDEN.search(each)]


def test_no_item_takes_another_article_than_its_first_letter_shows() -> None:
    assert not [item for item in WORDS.items if re.match(r"(?:u|hour|honou?r|one|eu)", item)]


def test_brands_begin_differently_and_look_invented() -> None:
    assert len({brand[:4] for brand in BRANDS}) == len(BRANDS)
    assert all(re.fullmatch(r"[A-Z][a-z]{5,9}", brand) for brand in BRANDS)
    assert not [brand for brand in BRANDS if brand[0] in "AEIOU"]  # "a Varnello"


def test_no_brand_is_a_word_or_a_name_of_ours() -> None:
    files = [path for path in find_templates().rglob("*.yaml") if path.name != "brands.yaml"]
    words = {word.lower() for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    assert not [brand for brand in BRANDS if {brand.lower(), f"{brand.lower()}s"} & words]
