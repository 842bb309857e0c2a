from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.catalog.load import load_entity_lists
from everwhen.catalog.models import EntityList
from everwhen.core.errors import InputError
from everwhen.sources.list_pages import ALL_MEMBERS, MemberPart, list_query


@pytest.mark.parametrize("entry", load_entity_lists(), ids=lambda entry: entry.id)
def test_a_query_says_what_its_list_says(entry: EntityList) -> None:
    query = list_query(entry).text
    [roots] = re.findall(r"VALUES \?root \{ (.*?) \}", query)
    assert roots.split() == [f"wd:Q{root}" for root in entry.roots]
    assert not {"?when", "?total"} & set(re.findall(r"\?\w+", query))
    if entry.ranks == "best":
        assert f"?item wdt:P{entry.via}/wdt:P279* ?root ." in query
    else:
        assert f"ps:P{entry.via}/wdt:P279* ?root" in query
        assert "FILTER(?rank != wikibase:DeprecatedRank)" in query


@pytest.mark.parametrize("text", ["SELECT ?x WHERE { }", "SELECT DISTINCT ?item WHERE { ?item ?p ?o } LIMIT 5", ""])
def test_a_query_of_another_form(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    monkeypatch.setattr("everwhen.sources.list_pages.find_templates", lambda: tmp_path)
    entry = load_entity_lists()[0]
    with pytest.raises(InputError, match="no such file"):
        list_query(entry)
    (tmp_path / "entities").mkdir()
    (tmp_path / "entities" / f"{entry.id}.rq").write_text(text)
    with pytest.raises(InputError, match=f"{entry.id}.rq: a query of the form"):
        list_query(entry)


def leaves(part: MemberPart, year: int | None) -> Iterator[MemberPart]:
    """The smallest parts that a member of that year is in."""
    if not (holding := [one for one in part.split() if holds(one, year)]):
        yield part
    for one in holding:
        yield from leaves(one, year)


def holds(part: MemberPart, year: int | None) -> bool:
    if year is None:
        return not part.dated
    after_first = part.first is None or part.first <= year
    return part.dated is not False and after_first and (part.last is None or year <= part.last)


@given(st.one_of(st.none(), st.integers(-20_000, 20_000)))
def test_every_year_is_in_one_smallest_part(year: int | None) -> None:
    [leaf] = leaves(ALL_MEMBERS, year)
    assert holds(leaf, year)
    if year is not None and -2_000 < year < 3_000:
        assert leaf == MemberPart(True, year, year)


def test_a_query_for_some_years() -> None:
    films = next(entry for entry in load_entity_lists() if entry.id == "films")
    assert list_query(films).build_query(MemberPart(True, 1999, 2001), 11) == (
        "# Films.\n"
        "PREFIX wd: <http://www.wikidata.org/entity/>\n"
        "PREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
        "SELECT ?total ?item WHERE {\n"
        "{ SELECT (COUNT(*) AS ?total) WHERE { { SELECT DISTINCT ?item WHERE {\n"
        "VALUES ?root { wd:Q11424 }\n  ?item wdt:P31/wdt:P279* ?root .\n"
        "?item <http://www.wikidata.org/prop/direct/P577> ?when .\n"
        "FILTER(YEAR(?when) >= 1999 && YEAR(?when) <= 2001)\n"
        "} LIMIT 11 } } }\n"
        "UNION\n"
        "{ SELECT DISTINCT ?item WHERE {\n"
        "VALUES ?root { wd:Q11424 }\n  ?item wdt:P31/wdt:P279* ?root .\n"
        "?item <http://www.wikidata.org/prop/direct/P577> ?when .\n"
        "FILTER(YEAR(?when) >= 1999 && YEAR(?when) <= 2001)\n"
        "} LIMIT 11 }\n"
        "}\n"
    )
