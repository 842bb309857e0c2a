"""Values of all kinds found in responses: teams, drugs, states, years, people with titles, yes and no."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import pytest

from everwhen.families.tdbench.evaluation.items import GoldQuestion, Lexicons, Reference
from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
from everwhen.families.tdbench.evaluation.verdict import judge_response

Asked = tuple[GoldQuestion, Lexicons]


def item(
    names: Iterable[str],
    answer: Sequence[str],
    refs: Iterable[tuple[str, str, str]] = (),
    task: str = "reasoning",
    score: str = "month",
    once: Iterable[str] = (),
    given: Iterable[str] = (),
    people: bool | None = None,
) -> Asked:
    references = tuple(Reference(*each) for each in refs)
    asked = GoldQuestion("?", task, "t", ("c",), tuple(answer), references, score, tuple(given), (), frozenset(once))
    return asked, {("t", "c"): build_lexicon({name: () for name in names}, are_people=people)}


TEAMS = [
    "Golden State Warriors",
    "Charlotte Hornets",
    "Los Angeles Lakers",
    "Los Angeles Clippers",
    "Manchester United",
    "Manchester City",
    "Real Madrid",
    "Al Nassr",
]
MADRID = item(
    TEAMS,
    ["Real Madrid"],
    [("Real Madrid", "start", "2009-07"), ("Real Madrid", "end", "2018-07")],
    given=["Cristiano Ronaldo"],
)
WARRIORS = item(
    TEAMS,
    ["Golden State Warriors"],
    [("Golden State Warriors", "start", "2009-06-25")],
    task="alignment",
    once=["Charlotte Hornets"],
)
DRUGS = ["Aspirin", "Ibuprofen", "Penicillin", "Paracetamol", "Lipitor"]
IBUPROFEN = item(
    DRUGS, ["Ibuprofen"], [("Ibuprofen", "start", "2022-03-04"), ("Ibuprofen", "end", "2022-03-19")], score="day"
)
TWO_DRUGS = item(
    DRUGS, ["Aspirin", "Lipitor"], [("Aspirin", "start", "2021-01-05"), ("Lipitor", "start", "2021-06-10")], score="day"
)
STATES = ["Implemented", "Abolished", "Under consideration"]
STATUS = item(
    STATES,
    ["Implemented"],
    [("Implemented", "start", "2013")],
    task="alignment",
    score="year",
    once=["Under consideration"],
)
YEARS = ["2016", "2018", "2020"]
YEAR = item(YEARS, ["2018"], [], score="year")
DOCTORS = ["Dr. Alice Young", "Dr. Bob Long", "Dr. Carla Smith", "John Smith"]
DOCTOR = item(DOCTORS, ["Dr. Alice Young"], [("Dr. Alice Young", "end", "2020-05-31")], people=True)
ANSWERS = ["Yes", "No"]
YES_NO = item(ANSWERS, ["No"], [("No", "start", "2015")], task="alignment", score="year", once=["Yes"])
LASTING = item(
    ["Ann Lee", "Bo Kim", "Cy Ray"], ["Bo Kim"], [("Bo Kim", "start", "2020-02"), ("Bo Kim", "end", "still")]
)
POINTS = item(
    ["Ann Lee", "Bo Kim", "Cy Ray"],
    ["Ann Lee", "Cy Ray"],
    [("Ann Lee", "point", "1999-12"), ("Cy Ray", "point", "2001-12")],
)
CASES: list[tuple[Asked, str, int, str | None, str]] = [
    (MADRID, "Cristiano Ronaldo played for Real Madrid from July 2009 to July 2018.", 1, "1", "correct"),
    (MADRID, "Real Madrid (2009-07 to 2018-07)", 1, "1", "correct"),
    (MADRID, "Real Madrid, 1 July 2009 – 10 July 2018.", 1, "1", "correct"),
    (MADRID, "Manchester United, August 2003 to July 2009", 0, "0", "incorrect"),
    (MADRID, "Real", 0, "0", "incorrect"),
    (WARRIORS, "Stephen Curry plays for the Golden State Warriors, since June 2009.", 1, "1", "correct"),
    (WARRIORS, "Warriors since June 2009", 1, "1", "correct"),
    (WARRIORS, "Golden State Warriors since draft night, June 25, 2009", 1, "1", "correct"),
    (WARRIORS, "The Lakers, since July 2018", 0, "0", "incorrect"),
    (WARRIORS, "Charlotte Hornets since 2009", 0, "0", "outdated"),
    (IBUPROFEN, "Ibuprofen, prescribed from 4 March 2022 to 19 March 2022.", 1, "1", "correct"),
    (IBUPROFEN, "ibuprofen (03/04/2022 - 03/19/2022)", 1, "1/2", "partial"),
    (IBUPROFEN, "Ibuprofen - started 2022-03-04, discharged 2022-03-19", 1, "1", "correct"),
    (IBUPROFEN, "Aspirin was not given. Ibuprofen was, 2022-03-04 until 2022-03-19.", 1, "1", "correct"),
    (TWO_DRUGS, "* Aspirin: began 2021-01-05\n* Lipitor: began 2021-06-10", 1, "1", "correct"),
    (TWO_DRUGS, "Aspirin (5 January 2021) and Lipitor (10 June 2021).", 1, "1", "correct"),
    (TWO_DRUGS, "Aspirin on 5 January 2021, then Lipitor on 10 June 2021", 1, "1", "correct"),
    (TWO_DRUGS, "On 5 January 2021 Aspirin and on 10 June 2021 Lipitor were started.", 1, "1", "correct"),
    (TWO_DRUGS, "Aspirin and Lipitor, started on 5 January 2021 and 10 June 2021, respectively.", 1, "1", "correct"),
    (STATUS, "Implemented since 2013", 1, "1", "correct"),
    (STATUS, "The carbon tax is implemented (since April 2013).", 1, "1", "correct"),
    (STATUS, "It was abolished in 2013.", 0, "0", "incorrect"),
    (STATUS, "Under consideration", 0, "0", "outdated"),
    (YEAR, "It was released in 2018.", 1, None, "correct"),
    (YEAR, "2016", 0, None, "incorrect"),
    (DOCTOR, "Dr. Alice Young, until May 31, 2020", 1, "1", "correct"),
    (DOCTOR, "Dr. Young (until May 2020)", 1, "1", "correct"),
    (DOCTOR, "Alice Young, until May 2020", 1, "1", "correct"),
    (DOCTOR, "It took a long time; Dr. Smith", 0, "0", "incorrect"),
    (DOCTOR, "The young doctor was Bob Long.", 0, "0", "incorrect"),
    (YES_NO, "No, not since 2015.", 1, "0", "partial"),
    (YES_NO, "No, since 2015", 1, "1", "correct"),
    (DOCTOR, "Neil Young, until May 2020", 0, "1", "incorrect"),
    (DOCTOR, "Only Young, until May 2020", 1, "1", "correct"),
    (YES_NO, "Yes", 0, "0", "outdated"),
    (LASTING, "Bo Kim took office in February 2020 and remains in office.", 1, "1", "correct"),
    (LASTING, "Bo Kim, since February 2020.", 1, "1", "correct"),
    (LASTING, "Bo Kim (Feb 2020–present)", 1, "1", "correct"),
    (LASTING, "Bo Kim (Feb 2020–)", 1, "1/2", "partial"),
    (POINTS, "Ann Lee in December 1999 and Cy Ray in December 2001", 1, "1", "correct"),
    (POINTS, "December 1999: Ann Lee\nDecember 2001: Cy Ray", 1, "1", "correct"),
    (POINTS, "Ann Lee (1999), Cy Ray (2001)", 1, "0", "partial"),
    (POINTS, "Ann Lee won in December 1999. Cy Ray won in December 2001. Bo Kim never won.", 1, "1", "correct"),
]


@pytest.mark.parametrize(
    ("asked", "response", "is_right", "time", "class_"), CASES, ids=[case[1][:80] for case in CASES]
)
def test_the_verdict_is_that_of_a_person(
    asked: Asked, response: str, is_right: int, time: str | None, class_: str
) -> None:
    found = judge_response(response, *asked)
    expected = None if time is None else Fraction(time)
    assert (int(found.is_right), found.time, found.class_.value) == (is_right, expected, class_), found


PAIRED = {
    ("t", "Company"): build_lexicon({name: () for name in ("Fox", "Core", "Georgia")}),
    ("t", "Person"): build_lexicon(dict.fromkeys(("Pat Pike", "Fay Fox", "Ann Lee", "Georgia"), ()), are_people=True),
}


@pytest.mark.parametrize(
    ("answer", "response", "is_right"),
    [
        (["Fox | Pat Pike"], "Fox | Pat Pike", True),
        (["Fox | Pat Pike"], "Fox: Pat Pike", True),
        (["Core | Fay Fox"], "Core: Fay Fox", True),
        (["Fox | Pat Pike", "Core | Fay Fox"], "Fox | Pat Pike\nCore | Fay Fox", True),
        (["Fox | Fay Fox"], "| Fox | Fay Fox |", True),
        (["Georgia | Ann Lee"], "Georgia | Ann Lee", True),
        (["Fox | Pat Pike"], "Core | Fay Fox", False),
        (["Georgia | Ann Lee"], "Georgia | Georgia", False),
    ],
)
def test_a_value_that_is_part_of_another_column_s_is_read_in_its_own(
    answer: list[str], response: str, is_right: bool
) -> None:
    asked = GoldQuestion("?", "sets", "t", ("Company", "Person"), tuple(answer))
    assert judge_response(response, asked, PAIRED).is_right == is_right
