from __future__ import annotations

import re
from datetime import date
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everwhen.language.prose import NoProse, add_articles
from everwhen.language.prose_templates import load_prose
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import read_date
from everwhen.temporal.phrases_arrow import write_dates
from everwhen.temporal.precision import Precision
from prose_statements import list_examples, state, state_amount, state_date, state_time, tell, tell_in_form

GOLDEN = Path(__file__).resolve().parent / "sentences.txt"


def test_every_form_reads_as_in_the_golden_file(request: pytest.FixtureRequest) -> None:
    rows = [f"P{row['property']} {row['kind']} {row['form']}: {row['sentence']}" for row in tell(list_examples())]
    if request.config.getoption("--golden-update"):
        GOLDEN.write_text("".join(f"{row}\n" for row in sorted(rows)), encoding="utf-8")
    assert sorted(rows) == GOLDEN.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("row", "form", "sentence"),
    [
        pytest.param(state_date("1818-05-05"), 1, "Ada was born on 5 May 1818.", id="day"),
        pytest.param(state_date("1818-05"), 1, "Ada was born in May 1818.", id="month"),
        pytest.param(state_date("0476"), 2, "In AD 476, Ada was born.", id="year"),
        pytest.param(state(50, subject_name="Who’s Afraid?"), 1, "Who’s Afraid? was written by Rome.", id="question"),
        pytest.param(state(161, subject_name="Help!"), 2, "The cast of Help! included Rome.", id="exclamation"),
        pytest.param(state(161, subject_name="Help!"), 1, "Rome appeared in Help!", id="mark-at-the-end"),
        pytest.param(
            state(178, value_name="Apple Inc."), 2, "The developer of Ada was Apple Inc.", id="stop-at-the-end"
        ),
        pytest.param(state(178, subject_name="iPad"), 1, "iPad was developed by Rome.", id="name-with-a-small-letter"),
        pytest.param(state(105, subject_name="ibis"), 3, "Taxonomists rank ibis as a Rome.", id="bare-name"),
        pytest.param(state_amount(2250, 1, 577), 1, "Life expectancy in Ada was one year.", id="one"),
        pytest.param(state_amount(1538, 1, 0), 4, "The count of households in Ada came to 1.", id="one-of-many"),
        pytest.param(state(740, subject_name="The Beatles"), 1, "The Beatles started out in Rome.", id="the-first"),
        pytest.param(
            state(740, subject_name="The Beatles"), 2, "The beginnings of the Beatles were in Rome.", id="the"
        ),
        pytest.param(state(57, subject_name="The Birds"), 2, "The director of The Birds was Rome.", id="title"),
        pytest.param(state(19, value_name="The Hague"), 1, "Ada was born in The Hague.", id="the-hague"),
        pytest.param(state(19, value_name="Netherlands"), 1, "Ada was born in the Netherlands.", id="country"),
        pytest.param(state(106, value_name="actor"), 1, "Ada worked as an actor.", id="an"),
        pytest.param(state(106, value_name="university teacher"), 1, "Ada worked as a university teacher.", id="a"),
        pytest.param(
            state(108, subject_name="A. May, Baron May"), 1, "A. May, Baron May, worked for Rome.", id="set-off"
        ),
        pytest.param(state(108, subject_name="A. May, Jr."), 1, "A. May, Jr. worked for Rome.", id="not-set-off"),
        pytest.param(state(57, subject_name="{value}"), 1, "{value} was directed by Rome.", id="brace-in-a-name"),
        pytest.param(state_amount(1971, 3, 0), 1, "Ada had three children.", id="number-in-words"),
        pytest.param(state_amount(2044, 3, 11573), 1, "The elevation of Ada is given as 3 metres.", id="measure"),
        pytest.param(state_amount(2046, 86_400_000, 25343), 4, "Ada had an area of 86.4 square kilometres.", id="unit"),
        pytest.param(state_amount(2130, 40_000_000, 4917), 1, "Ada cost 40 million US dollars.", id="million"),
        pytest.param(state_amount(2907, -36_000, 11574), 1, "The UTC offset of Ada is −10 hours.", id="minus"),
        pytest.param(state_amount(2907, 36_000, 11574), 1, "The UTC offset of Ada is +10 hours.", id="plus"),
        pytest.param(state(31, value_name="urban area"), 1, "Ada can be described as an urban area.", id="urban"),
        pytest.param(state(31, value_name="US state"), 1, "Ada can be described as a US state.", id="us"),
        pytest.param(state_amount(2250, "+67.6", 577), 1, "Life expectancy in Ada was 67.6 years.", id="no-dimension"),
    ],
)
def test_sentences(row: dict[str, object], form: int, sentence: str) -> None:
    assert tell_in_form(row, form)["sentence"] == sentence


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param(state(31_415), NoProse.PROPERTY, id="property"),
        pytest.param(state(39, snak="somevalue"), NoProse.VALUE, id="somevalue"),
        pytest.param(state(39, snak="hedged"), NoProse.VALUE, id="hedged"),
        pytest.param(state(31, value_item=5, value_name="human"), NoProse.UNSAID, id="human"),
        pytest.param(state(39, subject_name=None), NoProse.NAME, id="subject"),
        pytest.param(state(39, value_name=None), NoProse.NAME, id="value"),
        pytest.param(state(101, value_name="painter"), NoProse.UNFIT, id="unfit"),
        pytest.param(state(19, value_name="Київ"), NoProse.NAME, id="other-letters"),
        pytest.param(state(50, subject_name='Airport \\"A\\"'), NoProse.NAME, id="backslash"),
        pytest.param(state(50, subject_name="Sting (musician)"), NoProse.NAME, id="namesake"),
        pytest.param(state(61, subject_name="telephone"), NoProse.UNFIT, id="invention"),
        pytest.param(state(413, value_name="kata"), NoProse.UNFIT, id="discipline"),
        pytest.param(state_date("1977", 585) | {"subject_name": "1977"}, NoProse.DATE_NAME, id="subject-is-a-year"),
        pytest.param(state(19, value_name="1940"), NoProse.DATE_NAME, id="name-of-a-year"),
        pytest.param(state(19, value_name="4 May 1998"), NoProse.DATE_NAME, id="name-of-a-day"),
        pytest.param(
            state(39, start_time={"snak": "hedged", "text": "+1998"}), NoProse.UNCERTAIN_TIME, id="hedged-time"
        ),
        pytest.param(state(39, start_time="1998", end_time={"snak": "several"}), NoProse.UNCERTAIN_TIME, id="several"),
        pytest.param(state(39, start_time=state_time("1990") | {"precision": 8}), NoProse.COARSE_TIME, id="decade"),
        pytest.param(state_date("1800") | {"precision": 7}, NoProse.COARSE_TIME, id="century"),
        pytest.param(state(39, start_time="2000", end_time="1920-05"), NoProse.REVERSED, id="end-before-start"),
        pytest.param(state(39, start_time="1998-05", end_time="1998-04"), NoProse.REVERSED, id="by-a-month"),
        pytest.param(state(57, start_time="1998"), NoProse.KIND, id="kind"),
        pytest.param(
            state(39, start_time="1998", point_in_time=state_time("1999")), NoProse.KIND, id="point-and-start"
        ),
        pytest.param(state_amount(2046, 5, 0), NoProse.AMOUNT, id="unit"),
        pytest.param(state_amount(2046, 0, 25343), NoProse.AMOUNT, id="nothing"),
        pytest.param(state_amount(1081, "+0.123456", 0), NoProse.AMOUNT, id="decimals"),
    ],
)
def test_statements_without_a_sentence_have_a_reason(row: dict[str, object], reason: str) -> None:
    (found,) = tell([row])
    assert (found["sentence"], found["kind"], found["form"], found["reason"]) == (None, None, None, reason)


@pytest.mark.parametrize(
    ("times", "kind"),
    [
        ({"start_time": "1998", "end_time": {"snak": "somevalue"}}, "start"),
        ({"start_time": "1998", "end_time": {"snak": "novalue"}}, "start"),
        ({"start_time": {"snak": "somevalue"}, "end_time": "1998"}, "end"),
        ({"start_time": "1998", "end_time": "1998-05"}, "start_end"),
        ({"start_time": "1998", "end_time": "1998"}, "same"),
        ({"point_in_time": {"snak": "somevalue"}}, "none"),
    ],
)
def test_unknown_and_absent_times_are_not_told(times: dict[str, object], kind: str) -> None:
    assert tell([state(39, **times)])[0]["kind"] == kind


def test_a_property_without_forms_for_one_time_tells_it_twice() -> None:
    found = tell_in_form(state(451, start_time="1998", end_time="1998"), 1)
    assert found["sentence"] == "Ada was in a relationship with Rome from 1998 to 1998."


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 9))
@settings(max_examples=20)
def test_neighbours_in_a_text_differ_in_form(key: int, first: int) -> None:
    told = tell(state(54, key=key, nth=first + n, start_time="1998") for n in range(8))
    forms = [row["form"] for row in told]
    assert all(a != b for a, b in pairwise(forms))
    assert all(len({*forms[n : n + 4]}) == 4 for n in range(5))


def test_the_order_of_statements_changes_no_sentence() -> None:
    rows = [row | {"key": n * 7919} for n, row in enumerate(list_examples()[:200])]
    told = {row["statement_id"]: row["sentence"] for row in tell(rows)}
    assert {row["statement_id"]: row["sentence"] for row in tell(reversed(rows))} == told


def test_no_statements_have_no_sentences() -> None:
    assert tell([]) == []


def test_months_may_come_first() -> None:
    times = {"start_time": "1998-05-04", "end_time": "2001-06"}
    told = [row["sentence"] for row in tell([state(54, nth=n, **times) for n in range(4)], month_first=True)]
    assert sorted(told) == [
        "Ada joined Rome as a player on May 4, 1998, and left in June 2001.",
        "Ada played for Rome from May 4, 1998, to June 2001.",
        "Ada, who joined Rome as a player on May 4, 1998, stayed until June 2001.",
        "From May 4, 1998, to June 2001, Ada was a player for Rome.",
    ]


@given(st.dates(date(1, 1, 1), date(9999, 12, 31)), st.sampled_from([Precision.YEAR, Precision.MONTH, Precision.DAY]))
def test_dates_are_those_of_phrases(day: date, precision: Precision) -> None:
    stated = {9: f"{day:%Y}-00-00", 10: f"{day:%Y-%m}-00", 11: day.isoformat()}[precision].rjust(10, "0")
    first = day.replace(month=1 if precision == 9 else day.month, day=1 if precision < 11 else day.day)
    for month_first in (False, True):
        (words,) = write_dates(
            pa.array([f"+{stated}T00:00:00Z"]), pa.array([precision]), pa.array(["gregorian"]), month_first=month_first
        )
        assert read_date(words.as_py()) == TimeValue.from_day(first, precision)


def test_julian_days_are_told_as_stated_and_marked_where_readers_expect_the_other_calendar() -> None:
    told = write_dates(
        pa.array([f"+{day}T00:00:00Z" for day in ("1500-02-29", "1917-10-25", "1917-10-00", "1917-00-00")]),
        pa.array([11, 11, 10, 9]),
        pa.array(["julian"] * 4),
    )
    marked = ["25 October 1917 (Julian calendar)", "October 1917 (Julian calendar)"]
    assert told.to_pylist() == ["29 February 1500", *marked, "1917"]


def test_what_is_no_date_has_no_words() -> None:
    texts = ["+1998-13-01T00:00:00Z", "+1998-00-00T00:00:00Z", "-0044-03-15T00:00:00Z", "1998", None]
    told = write_dates(pa.array(texts), pa.array([11] * 5), pa.array(["gregorian"] * 5))
    assert told.to_pylist() == [None] * 5


NAMES = {
    "name": """
        the University of Oxford; the Chicago Bulls; FC Barcelona; the Nobel Prize in Physics; The Hague; the
        Louvre; the Free State of Prussia; the Liberal Party (UK); the Slovak State; the Cathedral of Our Lady;
        the Knights Hospitaller; the Australian Open; the Museum für Islamische Kunst; the Lake District; Moscow
        Oblast; the Science Faculty of Paris; the Dutch East India Company; the African Development Bank; the
        President of Chile; the École normale supérieure; the Alte Nationalgalerie; Amazon; the French invasion of
        Russia; a member of the Senate; the presidency of Ronald Reagan; the Palacký University Faculty of Law;
        the French ironclad Redoutable; the Kennedy Space Center; Rockefeller Center; National Taiwan
        University; Tennessee Williams; C. V. Boys; Frank McCourt; Alonzo Church; 20th Century Studios; Saint
        Thomas Church; Chicago Heights; Hadrian's Wall; Port of Spain; Haakon VII of Norway
    """,
    "order": "the Camaldolese; the Order of Saint Benedict",
    "person": "Frank Ocean; Gabrielle Union; The Edge",
    "title_or_name": "The Birds; Gilmore Girls; the Australian Open",
    "officeholder": "a Member of the Senate of France; the Governor of Texas",
    "movement": "the Harlem Renaissance; the Bloomsbury Group; Dada",
    "religion": "the congregational church; the Baptists; Buddhism",
    "bridge": "the Pont Neuf; the Charles Bridge; the Britzer Brücke; Tower Bridge",
    "product": "the C-40 Clipper; the Lincoln Continental; the Andrea Doria-class cruiser; Kosmos 112; USS Comfort",
}
"""Names of each style as sentences tell them."""


@pytest.mark.parametrize("style", NAMES)
def test_labels_take_the_article_of_their_style(style: str) -> None:
    names = [" ".join(name.split()) for name in NAMES[style].split(";")]
    labels = pa.array([name.removeprefix("the ").removeprefix("a ") for name in names])
    assert add_articles(labels, load_prose().styles[style]).to_pylist() == names


def test_what_has_an_article_gets_no_other() -> None:
    names = ["the Louvre", "The Hague", "A Coruña"]
    assert add_articles(pa.array(names), load_prose().styles["name"]).to_pylist() == names


def test_one_of_what_is_counted_is_no_plural() -> None:
    entries = load_prose().properties.items()
    units = load_prose().units
    quantities = [(number, units[entry.units[0]]) for number, entry in entries if entry.value == "quantity"]
    rows = [state_amount(number, unit.size, unit.unit) | {"nth": n} for number, unit in quantities for n in range(3)]
    sentences = [row["sentence"] for row in tell(rows)]
    plurals = re.compile(
        r"\b(?:[Tt]here|saw) .*\b(?:1|one)\b|\b(?:1|one) (?!US |per |square )(?:[a-z]+ )*[a-z]+[^us]s\b"
    )
    assert [sentence for sentence in sentences if plurals.search(sentence)] == []
