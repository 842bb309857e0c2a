from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from everwhen.catalog import load as catalog
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.bind.declared import WORKS
from everwhen.families.complextempqa.build import BUILD

READERS = (
    catalog.load_entity_lists,
    catalog.load_attributes,
    catalog.load_property_paths,
    catalog.load_descriptions,
    catalog.load_units,
    catalog.load_articles,
)
LIST = """\
id: films
kind: item
noun: film
plural: films
which: Which film
roots: [11424]
precedence: 10
topic: "medtop:20000005"
start: [577]
"""
HOP = "- {{id: h, kind: event, hops: {}, {}}}"
FORM = "- {{id: f, kind: event, attribute: deaths, check: x, says: '{}', {}}}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of templates of one's own in place of the shipped one."""
    (tmp_path / "entities").mkdir()
    monkeypatch.setattr(catalog, "find_templates", lambda: tmp_path)
    for reader in READERS:
        reader.cache_clear()
    yield tmp_path
    for reader in READERS:
        reader.cache_clear()


def test_shipped_templates_load() -> None:
    lists = {e.id: e for e in catalog.load_entity_lists()}
    units = catalog.load_units()
    assert lists
    assert all((catalog.find_templates() / "entities" / f"{name}.rq").exists() for name in lists)
    for attribute in catalog.load_attributes():
        assert set(attribute.lists) <= set(lists), attribute.id
        assert {lists[name].kind for name in attribute.lists} <= {attribute.kind}, attribute.id
        assert attribute.unit is None or attribute.unit in units, attribute.id
    for hop in catalog.load_property_paths():
        assert {lists[name].kind for name in hop.lists} <= {hop.kind}, hop.id
        assert hop.unit is None or hop.unit in units, hop.id
        assert set(hop.words) == {"ask", "ask_too"} or (not hop.words and hop.compare), hop.id
        assert all(words.count("{head}") == 1 for words in hop.words.values()), hop.id
        assert not hop.compare or hop.compare["subject"].count("{head}") == 1, hop.id
        assert not (hop.compare and hop.value == "item"), hop.id
    known = {a.id: a for a in catalog.load_attributes()}
    for form in catalog.load_descriptions():
        assert {lists[name].kind for name in form.lists} <= {form.kind}, form.id
        attribute = known[form.attribute]
        assert (attribute.kind, attribute.value == "quantity") == (form.kind, form.mentions_quantity), form.id
        assert attribute.pick == ("one" if form.mentions_quantity else "all"), form.id
        assert not attribute.lists or set(form.lists) <= set(attribute.lists), form.id
    assert all(unit.base in units and units[unit.base].factor == 1 for unit in units.values())
    for pattern in (*catalog.load_articles().events, *catalog.load_articles().items, *catalog.load_articles().awards):
        re.compile(pattern)


def test_a_description_that_needs_a_declaration_mentions_maker_and_year() -> None:
    forms = {form.id: form for form in catalog.load_descriptions() if form.complete}
    assert {(form.complete, form.attribute) for form in forms.values()} == {
        (what, maker) for what, (maker, _) in WORKS.items()
    }
    assert all(form.year and form.values == 1 and not form.fallback for form in forms.values())
    # The check of the dataset names them.
    claims = (BUILD.suites.parent / "checks" / "descriptions.sql").read_text(encoding="utf-8")
    for form in forms.values():
        assert f"('{form.id}', '{form.complete}')" in claims


def test_a_fallback_leaves_another_form_for_its_kind() -> None:
    forms = catalog.load_descriptions()
    assert {form.id for form in forms if form.fallback} == {
        *("deaths", "deaths_in_country", "magnitude_in_country"),
    }
    for form in (form for form in forms if form.fallback):
        assert any(set(form.lists) <= set(other.lists) for other in forms if not other.fallback), form.id


def test_only_compared_attributes_have_a_lexicon() -> None:
    asked = [attribute for attribute in catalog.load_attributes() if attribute.words]
    compared = {"quantity": {"high", "more"}, "time": {"verb"}}
    silent = {a.id for a in asked if a.value in compared and compared[a.value].isdisjoint(a.words)}
    assert silent == {"teams", "eligible_voters", "matches", "first_flight"}


def test_topics_are_media_topics_in_use(shared_data: Path) -> None:
    (path,) = (shared_data / "iptc").glob("mediatopics-*.json")
    concepts = json.loads(path.read_text(encoding="utf-8"))["conceptSet"]
    current = {concept["qcode"] for concept in concepts if "retired" not in concept}
    assert {e.id: e.topic for e in catalog.load_entity_lists() if e.topic not in current} == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LIST + "nuon: x\n", "nuon: unknown key; did you mean noun?", id="unknown-key"),
        pytest.param(LIST + "vehicle: Flight\n", "vehicle and with_vehicle: one is no use", id="half-a-vehicle"),
        pytest.param(LIST.replace("noun: film\n", ""), "noun: missing", id="missing-key"),
        pytest.param(LIST.replace("[11424]", "[film]"), "roots[1]: a whole number is expected", id="wrong-type"),
        pytest.param(LIST.replace("[11424]", "[]"), "roots: 1 or more entries are expected, found 0", id="no-root"),
        pytest.param(LIST.replace("id: films", "id: film"), "id: film is not the file's name", id="other-name"),
        pytest.param("- films", "a mapping of keys to values is expected", id="list"),
        pytest.param("id: [", "not YAML: a bracket is not closed", id="not-yaml"),
    ],
)
def test_a_wrong_entity_list_is_refused(folder: Path, text: str, expected: str) -> None:
    path = folder / "entities" / "films.yaml"
    path.write_text(text)
    _refused(catalog.load_entity_lists, path, expected)


@pytest.mark.parametrize(
    ("reader", "name", "text", "expected"),
    [
        (catalog.load_attributes, "attributes.yaml", "", "a list of entries is expected"),
        (catalog.load_attributes, "attributes.yaml", "- {id: deaths, property: 1120}", "deaths: value: missing"),
        (
            catalog.load_attributes,
            "attributes.yaml",
            "- {id: a, property: 1, value: time, kind: item}\n- {id: a, property: 2, value: time, kind: item}",
            "duplicate id a",
        ),
        (
            catalog.load_property_paths,
            "hops.yaml",
            HOP.format("[17]", "value: quantity"),
            "hops: 2 or more entries are expected, found 1",
        ),
        (
            catalog.load_property_paths,
            "hops.yaml",
            HOP.format("[1, 2, 3, 4]", "value: quantity, reads: 5"),
            "no more than 4 properties in all",
        ),
        (
            catalog.load_property_paths,
            "hops.yaml",
            HOP.format("[1, 2]", "value: item, unit: 3"),
            "unit: for quantities alone",
        ),
        (
            catalog.load_property_paths,
            "hops.yaml",
            HOP.format("[1, 2]", "value: quantity, compare: {which: a}"),
            "which, subject, verb, rest, high, low, than_high, than_low are expected",
        ),
        (
            catalog.load_property_paths,
            "hops.yaml",
            HOP.format(
                "[1, 2]",
                "value: item, compare: {which: a, subject: b, verb: c, rest: d, high: e, low: f, than_high: g,"
                " than_low: h}",
            ),
            "items are not compared",
        ),
        (catalog.load_property_paths, "hops.yaml", "id: h", "a list of entries is expected"),
        (catalog.load_articles, "articles.yaml", "events: []", "items: missing"),
        (catalog.load_articles, "articles.yaml", "[]", "a mapping of keys to values is expected"),
        (catalog.load_descriptions, "descriptions.yaml", FORM.format("{amount}", ""), "says: slots amount do not fit"),
        (
            catalog.load_descriptions,
            "descriptions.yaml",
            FORM.format("{class} {name}", ""),
            "says: slots class, name do",
        ),
        (catalog.load_descriptions, "descriptions.yaml", FORM.format("{class} {first}", "values: 2"), "says: slots "),
        (catalog.load_descriptions, "descriptions.yaml", FORM.format("{class} {first}", "values: 3"), "says: slots "),
        (
            catalog.load_descriptions,
            "descriptions.yaml",
            FORM.format("{class} {first}", "values: 4"),
            "values: 1, 2 or 3 is expected",
        ),
        (
            catalog.load_descriptions,
            "descriptions.yaml",
            FORM.format("{class} {amount}", ""),
            "{amount} needs {year}",
        ),
        (catalog.load_descriptions, "descriptions.yaml", FORM.format("{class} {first}", "year: true"), "says: slots "),
        (
            catalog.load_descriptions,
            "descriptions.yaml",
            FORM.format("{class} {amount} {year}", "year: true, least: 0"),
            "least: ",
        ),
        (
            catalog.load_descriptions,
            "descriptions.yaml",
            FORM.format("{class} {amount} {year}", "year: true, complete: songs_by"),
            "complete: ",
        ),
        (catalog.load_units, "units.yaml", "- {id: 1, name: a, plural: b, base: 1, factor: x}", "factor: "),
        (catalog.load_units, "units.yaml", None, "No such file"),
    ],
)
def test_a_wrong_file_is_refused(
    folder: Path, reader: Callable[[], object], name: str, text: str | None, expected: str
) -> None:
    path = folder / name
    if text is not None:
        path.write_text(text)
    _refused(reader, path, expected)


def test_a_property_path_with_the_id_of_an_attribute_is_refused(folder: Path) -> None:
    (folder / "attributes.yaml").write_text("- {id: h, property: 1, value: item, kind: item}")
    path = folder / "hops.yaml"
    path.write_text(HOP.format("[1, 2]", "value: item"))
    _refused(catalog.load_property_paths, path, "id: h is an attribute's")


def test_a_wrong_path_is_found_before_a_build_starts(folder: Path) -> None:
    (folder / "attributes.yaml").write_text("[]")
    path = folder / "hops.yaml"
    path.write_text(HOP.format("[1, 2]", "value: item") + "\n" + HOP.format("[1, 2]", "value: item"))
    _refused(catalog.check_catalog, path, "duplicate id h")


def _refused(reader: Callable[[], object], path: Path, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        reader()
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert expected in message


def test_the_name_of_every_topic_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "concepts" / "subjects.md").read_text(encoding="utf-8")
    used = {entity_list.topic for entity_list in catalog.load_entity_lists()}
    assert set(re.findall(r"^\| `(medtop:\d{8})` \| \w", page, re.MULTILINE)) == used
