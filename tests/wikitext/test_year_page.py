from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from everwhen.core.reasons import RejectReason
from everwhen.wikitext.page_lines import count_lines, split_page
from everwhen.wikitext.year_page import Bullet, PageError, parse_year_page


def parse(bullets: str, year: int = 1990) -> list[Bullet]:
    return parse_year_page(year, f"== Events ==\n=== January ===\n{bullets}\n== Births ==\n")


def days(bullet: Bullet) -> str:
    return f"{bullet.first_day}..{bullet.last_day}" if bullet.reason is None else bullet.reason


@pytest.mark.parametrize(
    ("bullet", "expected", "text"),
    [
        # one day
        ("* [[January 3]] – Something happens.", "1990-01-03..1990-01-03", "Something happens."),
        ("* January 3 – Something happens.", "1990-01-03..1990-01-03", "Something happens."),
        ("*[[January 3]] - Something happens.", "1990-01-03..1990-01-03", "Something happens."),
        ("* [[January 3]]– Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]] — Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]] ‒ Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]] − Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]]&nbsp;&ndash; Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]]: Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]]{{snd}}Something", "1990-01-03..1990-01-03", "Something"),
        ("* '''[[January 3]]''' – Something", "1990-01-03..1990-01-03", "Something"),
        ("* [[January 3]] Something without a dash", "1990-01-03..1990-01-03", "Something without a dash"),
        ("* [[3 January]] – Something", "1990-01-03..1990-01-03", "Something"),
        ("* 3 January – Something", "1990-01-03..1990-01-03", "Something"),
        ("* January 3rd – Something", "1990-01-03..1990-01-03", "Something"),
        ("* January 3, 1990 – Something", "1990-01-03..1990-01-03", "Something"),
        # ranges
        ("* [[January 12]]–[[January 19|19]] – Something", "1990-01-12..1990-01-19", "Something"),
        ("* January 12–19 – Something", "1990-01-12..1990-01-19", "Something"),
        ("* January 12-19 - Something", "1990-01-12..1990-01-19", "Something"),
        ("* January 12 – 19 – Something", "1990-01-12..1990-01-19", "Something"),
        ("* January 12–19: Something", "1990-01-12..1990-01-19", "Something"),
        ("* January 12—19 — Something", "1990-01-12..1990-01-19", "Something"),
        ("* [[January 12]]–[[January 19|19]] The meeting", "1990-01-12..1990-01-19", "The meeting"),
        ("* January 12–February 3 – Something", "1990-01-12..1990-02-03", "Something"),
        ("* [[January 12]] – [[February 3]] – Something", "1990-01-12..1990-02-03", "Something"),
        ("* January 12 to 19 – Something", "1990-01-12..1990-01-19", "Something"),
        ("* 12–19 January – Something", "1990-01-12..1990-01-19", "Something"),
        ("* 12 January – 3 February – Something", "1990-01-12..1990-02-03", "Something"),
        ("* December 28 – January 3 – Something", "1990-12-28..1991-01-03", "Something"),
        ("* December 28, 1990 – January 3, 1991 – Something", "1990-12-28..1991-01-03", "Something"),
        ("* December 28, 1989 – January 3, 1990 – Something", "1989-12-28..1990-01-03", "Something"),
        # months
        ("* January – Something", "1990-01-01..1990-01-31", "Something"),
        ("* February: Something", "1990-02-01..1990-02-28", "Something"),
        ("* April–May – Something", "1990-04-01..1990-05-31", "Something"),
        ("* February/March – Something", "1990-02-01..1990-03-31", "Something"),
        ("* January – March 5 – Something", "1990-01-01..1990-03-05", "Something"),
        ("* March 1990 – Something", "1990-03-01..1990-03-31", "Something"),
        # what follows the dash may look like the end of a range
        ("* [[February 13]] – 21 commanders are charged", "1990-02-13..1990-02-13", "21 commanders are charged"),
        ("* [[November 28]] – 27 nations sign a treaty", "1990-11-28..1990-11-28", "27 nations sign a treaty"),
        ("* January 2 – 35–100 civilians are killed", "1990-01-02..1990-01-02", "35–100 civilians are killed"),
        ("* April – May Day celebrations", "1990-04-01..1990-04-30", "May Day celebrations"),
        ("* April 30 – May Day celebrations", "1990-04-30..1990-04-30", "May Day celebrations"),
        ("* January 5 – 1990 World Games open", "1990-01-05..1990-01-05", "1990 World Games open"),
    ],
)
def test_dates(bullet: str, expected: str, text: str) -> None:
    [actual] = parse(bullet)
    assert days(actual) == expected
    assert actual.text == text


@pytest.mark.parametrize(
    ("bullet", "reason"),
    [
        ("* Something happens.", "no date"),
        ("* [[January 1993 airstrikes|Jets attack]] sites.", "no date"),
        ("* [[January 6 United States Capitol attack]]", "no date"),
        ("* September that never ended", "no date"),
        ("* May Day is celebrated", "no date"),
        ("* March of the unions", "no date"),
        ("* January 6 commission reports", "no date"),
        ("* Febuary 12 – Something", "no date"),
        ("* 1990 – Something", "no date"),
        ("* Early March – Something", "no exact date"),
        ("* In mid-March, something", "no exact date"),
        ("* c. March – Something", "no exact date"),
        ("* Spring – Something", "no exact date"),
        ("* {{circa|[[March 5]]}} – Something", "no exact date"),
        ("* {{Circa}} March – Something", "no exact date"),
        ("* {{c.|5 March}} – Something", "no exact date"),
        ("* {{nowrap|{{ca.|March 5}}}} – Something", "no exact date"),
        ("* c. 5–12 March – Something", "no exact date"),
        ("* [[March]] {{circa|5}} – Something", "no exact date"),
        ("* [[March 5]]–{{circa|March 12}} – Something", "no exact date"),
        ("* March 5 – circa 12 – Something", "no exact date"),
        ("* March 5? – Something", "no exact date"),
        ("* ca 5 March – Something", "no exact date"),
        ("* ~March 5 – Something", "no exact date"),
        ("* [[March 5]] (?) – Something", "no exact date"),
        ("* Probably March 5 – Something", "no exact date"),
        ("* {{OldStyleDate|March 5|1990|February 20}} – Something", "a template that is not read"),
        ("* March {{nth|5}} – Something", "a template that is not read"),
        ("* [[March 5]]{{when}} – Something", "a template that is not read"),
        ("* {{disputed|x}} [[March 5]] – Something", "a template that is not read"),
        ("* Summer of 1990 – Something", "no exact date"),
        ("* June 31 – Something", "no such day"),
        ("* February 29 – Something", "no such day"),
        ("* March 30–32 – Something", "no such day"),
        ("* January 0 – Something", "no such day"),
        ("* January 19–12 – Something", "the range ends before it starts"),
        ("* June 3 – March 5 – Something", "the range ends before it starts"),
        ("* January 5, 1991 – Something", "a date in another year"),
        ("* January 5, 7 – Something", "several dates"),
        ("* January 5 and 7 – Something", "several dates"),
        ("* January 5 & February 7 – Something", "several dates"),
        ("* [[January 5]]", "no text"),
        ("*", "no text"),
        ("* [[January 5]] – <ref>source</ref>", "no text"),
        ("* [[January 5]] – A\0 B", "NUL character"),
        ("* [[January 5]] – " + "a" * 10_001, "longer than 10,000 characters"),
        ("* [[January 5]] – " + "[[a]] " * 300, "more than 300 links"),
    ],
)
def test_rejects_name_their_reason(bullet: str, reason: str) -> None:
    [actual] = parse(bullet)
    assert actual.reason == reason
    assert (actual.first_day, actual.titles) == (None, ())


@pytest.mark.parametrize(
    ("bullet", "text"),
    [
        ("* [[January 5]] – A tower, {{circa|1650}}, falls.", "A tower, c. 1650, falls."),
        ("* [[January 5]] – {{c.|100}} people die.", "c. 100 people die."),
        ("* [[January 5]] c. 100 people die.", "c. 100 people die."),
        ("* {{flagicon|US}} {{anchor|x}}[[January 5]]{{cn}} – {{nihongo|A}} wins.", "wins."),
    ],
)
def test_templates_behind_or_beside_a_date(bullet: str, text: str) -> None:
    [actual] = parse(bullet)
    assert (days(actual), actual.text) == ("1990-01-05..1990-01-05", text)


@pytest.mark.parametrize(
    "text", ["c. January 7 – A", "{{circa|7 January}}: A", "{{dts|January 7}} – A", "January 7? – A"]
)
def test_a_date_that_is_not_read_is_not_that_of_the_bullet_above(text: str) -> None:
    _, bullet = parse(f"* [[January 5]]\n** {text}")
    assert bullet.reason in ("no exact date", "a template that is not read")


def test_leap_day() -> None:
    [bullet] = parse("* February 29 – Something", year=1992)
    assert days(bullet) == "1992-02-29..1992-02-29"


def test_nested_bullets_take_the_date_above_them() -> None:
    bullets = parse(
        "* [[January 5]]\n"
        "** One.\n"
        "** [[January 6]]–[[January 20|20]] – Two.\n"
        "*** Three.\n"
        "** Four.\n"
        "* [[January 7]] – Five:\n"
        "** Six.\n"
        "* Seven.\n"
        "** Eight."
    )
    assert [(b.number, days(b), b.text) for b in bullets] == [
        (1, RejectReason.HEADING_BULLET, "January 5"),
        (2, "1990-01-05..1990-01-05", "One."),
        (3, "1990-01-06..1990-01-20", "Two."),
        (4, "1990-01-06..1990-01-20", "Three."),
        (5, "1990-01-05..1990-01-05", "Four."),
        (6, "1990-01-07..1990-01-07", "Five:"),
        (7, "1990-01-07..1990-01-07", "Six."),
        (8, "no date", "Seven."),
        (9, "no date", "Eight."),
    ]


@pytest.mark.parametrize("text", ["The [[Fall of Saigon]].", "Around 100 people.", "Winter sports.", "Late trains."])
def test_words_of_vague_dates_may_begin_a_nested_text(text: str) -> None:
    _, bullet = parse(f"* [[January 5]]\n** {text}")
    assert days(bullet) == "1990-01-05..1990-01-05"


def test_a_date_does_not_reach_beyond_its_heading() -> None:
    page = "== Events ==\n=== January ===\n* [[January 5]]\n=== Date unknown ===\n** Something.\n"
    assert [days(b) for b in parse_year_page(1990, page)] == ["no text", "no date"]


def test_links_are_kept_without_dates_and_in_order() -> None:
    [bullet] = parse(
        "* [[January 5]] – In [[Paris, France|Paris]], [[1989]]'s ''[[b_c#d|film]]'' wins on [[May 1|May Day]]; see"
        " [[Paris, France]] and [[File:x.jpg|thumb|a [[caption]]]]."
    )
    assert bullet.titles == ("Paris, France", "B c")
    assert bullet.text == "In Paris, 1989's film wins on May Day; see Paris, France and."


def test_text_is_clean() -> None:
    [bullet] = parse(
        "* [[January 5]] – A ''film''<ref name=a>x [[y]]</ref> ({{lang-fr|été}}) wins<!-- b --> {{citation needed}}."
    )
    assert bullet.text == "A film wins."


def test_only_the_events_section_is_read() -> None:
    page = (
        "* An index\n==Events==\n* January 1 – One\n==Births==\n* January 2 – Two\n"
        "== Deaths ==\n=== January ===\n* January 3 – Three\n"
    )
    assert [(b.number, days(b)) for b in parse_year_page(1990, page)] == [
        (1, RejectReason.OUTSIDE_EVENTS),
        (2, "1990-01-01..1990-01-01"),
        (3, RejectReason.OUTSIDE_EVENTS),
        (4, RejectReason.OUTSIDE_EVENTS),
    ]


@pytest.mark.parametrize("heading", ["== Events ==", "==Events==", "== '''Events''' ==", "==Events== ", "= Events ="])
def test_headings_of_the_events_section(heading: str) -> None:
    assert len(parse_year_page(1990, f"{heading}\n* January 1 – One\n")) == 1


@pytest.mark.parametrize(
    ("page", "reason"),
    [("* January 1 – One", "no section Events"), ("a" * 4_000_001, "longer than 4,000,000 characters")],
)
def test_pages_that_are_no_year_pages(page: str, reason: str) -> None:
    with pytest.raises(PageError, match=reason):
        parse_year_page(1990, page)


@pytest.mark.parametrize(
    ("year", "bullets", "kept", "undated"),
    [(1990, 358, 289, 0), (1993, 203, 169, 2), (1994, 158, 134, 0), (1995, 114, 103, 0)],
)
def test_real_pages(shared_data: Path, year: int, bullets: int, kept: int, undated: int) -> None:
    wikitext = (shared_data / "year_pages" / f"{year}.wikitext").read_text(encoding="utf-8")
    parsed = parse_year_page(year, wikitext)
    reasons = [b.reason for b in parsed]
    assert len(parsed) == bullets
    assert sum(count_lines(split_page(wikitext)[0]).values()) == len(wikitext.split("\n"))
    assert (reasons.count(None), reasons.count("no date")) == (kept, undated)
    assert set(reasons) <= {None, "no date", RejectReason.HEADING_BULLET}
    assert all(b.first_day is None or b.first_day >= dt.date(year, 1, 1) for b in parsed)


def test_a_real_range_and_its_links(shared_data: Path) -> None:
    wikitext = (shared_data / "year_pages" / "1990.wikitext").read_text(encoding="utf-8")
    baku = next(b for b in parse_year_page(1990, wikitext) if "Baku pogrom" in b.titles)
    assert days(baku) == "1990-01-12..1990-01-19"
    assert baku.titles == ("Armenians", "Baku", "Baku pogrom")


@pytest.mark.full
@pytest.mark.parametrize(
    "piece",
    ["{{", "}}", "[[", "<ref>", "<ref ", "{|\n", "'''a ''b", "[[a|", "<!--", "<b>", "{{a|[[b|<ref>''", "<ref/>", "<"],
)
def test_unclosed_markup_ends(piece: str) -> None:
    """What is read in quadratic time would not end here."""
    line = "* [[January 5]] – " + piece * (2_000 // len(piece)) + "\n"
    bullets = parse_year_page(1990, "== Events ==\n" + line * 100 + piece * (200_000 // len(piece)))
    assert len(bullets) >= 1
