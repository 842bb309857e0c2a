from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.sample.load import load_world, sample_world

FILES = {
    "properties.yaml": "P31: item\nP577: time\nP580: time\nP2047: quantity\n",
    "labels.yaml": "Q11424: film\n",
    "redirects.yaml": "{}\n",
    "year_pages.yaml": "- {year: 1997, events: [{date: 'May 1', text: 'A [[b]].'}]}\n",
    "films.yaml": "- {id: Q44578, label: Titanic, claims: {P31: [Q11424], P577: [1997-12-19], P2047: [195 Q7727]}}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def film(claims: str, more: str = "") -> str:
    return f"- {{id: Q44578, label: Titanic, claims: {{{claims}}}{more}}}\n"


def test_load_world(folder: Path) -> None:
    world = load_world(folder)
    titanic = world.items[44578]
    assert (titanic.title, titanic.views, titanic.description) == ("Titanic", None, None)
    assert [s.rank for s in titanic.statements] == ["normal"] * 3
    assert titanic.select_best(577)[0].snak.time.precision == 11
    assert (titanic.select_best(2047)[0].snak.quantity.amount, titanic.select_best(2047)[0].snak.quantity.unit) == (
        "195",
        7727,
    )
    assert world.items[11424].label == "film"


def test_short_qualifiers_and_ranks(folder: Path) -> None:
    (folder / "films.yaml").write_text(film("P31: [{value: Q11424, start: 1997-12, rank: preferred}, novalue]"))
    titanic = load_world(folder).items[44578]
    assert [(s.snak.kind, s.rank, len(s.qualifiers)) for s in titanic.statements] == [
        ("value", "preferred", 1),
        ("novalue", "normal", 0),
    ]
    assert titanic.select_best(31) == titanic.statements[:1]
    assert titanic.statements[0].qualifiers[0].time.precision == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (film("P31: [Q5]"), "Q44578 P31: Q5 is neither"),
        (film("P999: [Q11424]"), "Q44578 P999: no such property"),
        (film("P577: [1997-13-01]"), "'1997-13-01' is no time"),
        (film("P577: [1997-02-29]"), "'1997-02-29' is no time"),
        (film("P577: ['97']"), "'97' is no time"),
        (film("P577: [1997 before 0]"), "'1997 before 0' is no time"),
        (film("P577: [1997 after 1 before 2]"), "'1997 after 1 before 2' is no time"),
        (film("P31: [film]"), "'film' is no item"),
        (film("P2047: [about 195]"), "'about 195' is no quantity"),
        (film("P31: [Q11424, Q11424]"), "a statement occurs twice"),
        (film("P31: Q11424"), "a list of values"),
        (film("P31: [{value: Q11424, rank: best}]"), "rank best"),
        (film("P31: [{valeu: Q11424}]"), "needs value"),
        (film("", ", veiws: 3"), "unknown key veiws"),
        (film("", ", views: many"), "views: many is no number"),
        (film("", ", sitelinks: some"), "sitelinks: some is no number from 0 to 10"),
        (film("", ", sitelinks: 11"), "sitelinks: 11 is no number from 0 to 10"),
        (film("", ", aliases: Ship"), "aliases: a list of texts is expected"),
        (film("", ", aliases: [Ship, Ship]"), "aliases: one occurs twice, or is the label"),
        (film("", ", aliases: [Titanic]"), "aliases: one occurs twice, or is the label"),
        ("- {id: 44578, label: Titanic}\n", "44578 is no item id"),
        ("- {id: Q1}\n", "Q1: no label"),
        ("- {id: Q11424, label: film}\n", "Q11424 is in films.yaml already"),
        ("a: b\n", "a list of items"),
        ("- [", "films.yaml"),
    ],
)
def test_errors_name_the_value(folder: Path, text: str, message: str) -> None:
    (folder / "films.yaml").write_text(text)
    with pytest.raises(InputError, match=r"\.yaml") as error:
        load_world(folder)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_sample_has_enough_of_everything() -> None:
    world = sample_world()
    described = [item for item in world.items.values() if item.statements]
    assert len(described) >= 400
    classes = {s.snak.item for item in described for s in item.select_best(31) if s.snak.kind == "value"}
    assert {11424, 5, 7944, 3624078} <= classes
    assert {sentence.year for sentence in world.sentences} == set(range(1987, 2024))


def test_the_sample_has_timelines() -> None:
    """Many subjects with several dated statements, and many values that several subjects share."""
    subjects: dict[int, int] = defaultdict(int)
    holders: dict[tuple[int, str], set[int]] = defaultdict(set)
    precisions: dict[int, int] = defaultdict(int)
    for item in sample_world().items.values():
        for statement in item.statements:
            times = [q.time for q in statement.qualifiers if q.property_id in (580, 582, 585) and q.kind == "value"]
            if times and statement.snak.datatype == "item":
                subjects[item.id] += 1
                holders[statement.snak.property_id, statement.snak.text].add(item.id)
                for time in times:
                    precisions[time.precision] += 1
    assert sum(count >= 5 for count in subjects.values()) >= 40
    assert sum(len(items) >= 3 for items in holders.values()) >= 15
    assert len({property_ for property_, _ in holders}) >= 12
    assert all(precisions[precision] >= 50 for precision in (9, 10, 11))


def test_landmarks_are_in_countries_with_demonyms() -> None:
    items = sample_world().items
    classes = {3918, 24354, 33506, 153562, 483110, 1060829, 2977, 16970}
    countries: dict[int, int] = defaultdict(int)
    for item in items.values():
        if classes & {s.snak.item for s in item.select_best(31) if s.snak.kind == "value"}:
            for statement in item.select_best(17):
                countries[statement.snak.item] += bool(items[statement.snak.item].select_best(1549))
    assert sum(count > 0 for count in countries.values()) >= 40
    assert sum(countries.values()) >= 100


@pytest.mark.parametrize(
    ("award", "first", "last"),
    [(37922, 1987, 2023), (103360, 1987, 2020), (103618, 1988, 2015), (103916, 1992, 2005)],
    ids=["Nobel Prize in Literature", "Best Director", "Best Actress", "Best Actor"],
)
def test_awards_have_their_winner_each_year(award: int, first: int, last: int) -> None:
    winners: dict[int, set[str]] = defaultdict(set)
    for item in sample_world().items.values():
        for statement in item.statements:
            if statement.snak.property_id == 166 and statement.snak.item == award:
                [point] = [q for q in statement.qualifiers if q.property_id == 585]
                winners[point.time.year].add(item.label)
    several = {year: names for year, names in winners.items() if len(names) > 1}
    assert set(range(first, last + 1)) <= set(winners)
    assert set(several) <= {1962, 2008}


def test_actors_meet_in_several_films() -> None:
    films: dict[tuple[int, int], int] = defaultdict(int)
    for item in sample_world().items.values():
        cast = sorted({s.snak.item for s in item.select_best(161)})
        for pair in combinations(cast, 2):
            films[pair] += bool(item.select_best(577))
    assert sum(count >= 2 for count in films.values()) >= 30


def test_who_acts_or_directs_has_a_birth_date() -> None:
    items = sample_world().items
    people = {s.snak.item for item in items.values() for number in (50, 57, 161) for s in item.select_best(number)}
    assert [items[number].label for number in sorted(people) if not items[number].select_best(569)] == []


def test_the_sample_has_every_way_to_hedge() -> None:
    """Read off its files: qualifiers, times that say how far off they may be, and days of the other calendar."""
    statements = [s for item in sample_world().items.values() for s in item.statements]
    hedges = {(q.property_id, q.text) for s in statements for q in s.qualifiers}
    circa, presumably, disputed, acting = "Q5727902", "Q18122778", "Q18912752", "Q4676846"
    assert {(1480, circa), (1480, presumably), (5102, disputed), (5102, acting), (3831, acting)} <= hedges
    assert {1310, 1319, 1326, 8554, 8555} <= {property_ for property_, _ in hedges}
    times = [s.snak.time for s in statements if s.snak.datatype == "time" and s.snak.kind == "value"]
    assert [(t.before, t.after) for t in times if t.before or t.after] == [(3, 2)]
    julian = {(t.month, t.day) for t in times if t.julian}
    assert {(2, 29), (12, 25)} <= julian
