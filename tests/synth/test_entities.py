"""Entities of every kind, all at once: they are functions of their number, and apart from each other as told."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from everwhen.catalog.load import load_entity_lists
from everwhen.core.config import Config
from everwhen.core.reasons import RejectReason
from everwhen.synth.careers import GROUPS
from everwhen.synth.people import choose_handover
from everwhen.synth.plan import CLASSES, EVENT_CLASSES, TERMS_OF_OFFICE, WorldPlan, derive_class_id, plan_world
from everwhen.synth.stage import build_entity
from everwhen.synth.statements import ACTING, BASE, ENTITY_TYPES, IDS_PER_TYPE, derive_item_id, explain_unreadable
from everwhen.synth.truth import CLASS, LABEL, YEAR, Entity
from everwhen.synth.works import is_borrowed
from everwhen.wikidata.properties import Property as P

Made = list[tuple[int, Entity]]


def planned(**synth: Any) -> WorldPlan:
    return plan_world(Config(version="1", snapshot="s", synth=synth))


@pytest.mark.parametrize("kind", ENTITY_TYPES)
def test_an_entity_is_a_function_of_its_number(plan: WorldPlan, kind: str) -> None:
    number = plan.counts[kind] // 2
    assert build_entity(plan, kind, number) == build_entity(plan, kind, number)


@pytest.mark.parametrize("kind", sorted(set(ENTITY_TYPES) - {"class", "term"}))
def test_another_seed_makes_another_entity(plan: WorldPlan, kind: str) -> None:
    other = WorldPlan(**{**vars_of(plan), "seed": "other"})
    numbers = range(min(20, plan.counts[kind]))
    assert [build_entity(plan, kind, n) for n in numbers] != [build_entity(other, kind, n) for n in numbers]


def vars_of(plan: WorldPlan) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in WorldPlan.__dataclass_fields__}


def test_ids_are_apart_from_each_other_and_from_those_of_wikidata(plan: WorldPlan, made: Made) -> None:
    ids = [entity.item.id for _, entity in made]
    assert len(set(ids)) == len(ids)
    real = {item for item in ids if item < BASE}
    unlisted = {c.root for c in CLASSES if c.root and not c.list}
    assert real <= {root for entry in load_entity_lists() for root in entry.roots} | unlisted
    assert unlisted == {4167410, 12973014, 3914, 7278, 31855, 955824, 16970, 17350442}
    assert max(plan_counts(planned(scale=20))) < IDS_PER_TYPE


def plan_counts(plan: WorldPlan) -> list[int]:
    return list(plan.counts.values())


def test_a_short_window_will_do() -> None:
    window = {"start": "1995-03-01", "end": "1997-02-28"}
    plan = plan_world(Config(version="1", snapshot="s", window=window, synth={"scale": 0.02, "countries": 3}))
    found = [build_entity(plan, kind, number) for kind in ENTITY_TYPES for number in range(min(300, plan.counts[kind]))]
    times = [entity.time for entity in found if entity and entity.kind == "event"]
    assert all(t.first_day and t.last_day and plan.start <= t.first_day <= t.last_day <= plan.end for t in times)


def test_scale_multiplies_all_but_countries_and_classes() -> None:
    one, ten = planned(scale=1), planned(scale=10)
    fixed = {"class", "term", "country", "capital", "peak", "basin", "position", "ruler"}
    assert {k for k in ENTITY_TYPES if one.counts[k] == ten.counts[k]} == fixed
    assert all(ten.counts[k] in (10 * one.counts[k], 10 * one.counts[k] + 3) for k in set(ENTITY_TYPES) - fixed)
    assert (one.counts["film"], one.counts["event"], one.counts["country"]) == (100_000, 40_000, 195)


def test_every_number_is_located(plan: WorldPlan) -> None:
    located = [plan.locate(index) for index in range(plan.total)]
    assert located == [(kind, number) for kind in ENTITY_TYPES for number in range(plan.counts[kind])]


def test_lists_have_forty_classes_of_events() -> None:
    roots = {entry.id: set(entry.roots) for entry in load_entity_lists()}
    assert len(EVENT_CLASSES) == 40
    events = {e.id for e in load_entity_lists() if e.kind == "event"}
    assert {c.list for c in EVENT_CLASSES} == events - {"sports_competitions", "summer_olympics", "winter_olympics"}
    by_label = {c.label: c for c in CLASSES}
    for c in CLASSES:
        above, seen = {c.label}, {c.root}
        while above:
            above = {label for name in above for label in by_label[name].above}
            seen |= {by_label[label].root for label in above}
        assert c.list is None or seen & roots[c.list], c.label


def test_labels_are_shared_where_that_is_planned_and_nowhere_else(made: Made) -> None:
    bearers = defaultdict(list)
    for _, entity in made:
        if entity.item.label and entity.kind != "disambiguation":
            bearers[entity.item.label.lower()].append(entity)
    methods = Counter()
    for label, entities in bearers.items():
        if len(entities) == 1:
            assert entities[0].method == LABEL, label
            continue
        kinds = {entity.kind for entity in entities}
        method = {entity.method for entity in entities}
        assert len(entities) == 2
        methods.update(method)
        years = {e.time.first_day.year if e.time.first_day else None for e in entities}
        if len(kinds) == 2:
            assert method <= ({YEAR, CLASS} if kinds == {"book", "film"} else {CLASS})
        else:
            assert len(method) == 1
            assert len(years) == (2 if entities[0].method == YEAR else 1)
    assert min(methods[CLASS], methods[YEAR], methods[None]) > 0


def test_an_alias_is_no_label(made: Made) -> None:
    labels = {entity.item.label for _, entity in made}
    aliases = [(entity.kind, alias) for _, entity in made for alias in entity.item.aliases]
    assert {kind for kind, _ in aliases} == {"person", "country"}
    assert not labels & {alias for _, alias in aliases}


def test_lists_ask_for_as_many_views_as_they_say(made: Made) -> None:
    least = {entry.id: entry.min_views for entry in load_entity_lists()}
    asked = {(entity.list_id, entity.min_views) for _, entity in made if entity.list_id}
    assert asked == {(name, least[name]) for name, _ in asked}
    assert min(entity.item.views or 0 for _, entity in made if entity.event) >= 300


def test_articles_are_distinguished(made: Made) -> None:
    titles = [entity.item.title for _, entity in made if entity.item.title]
    assert len({title[0].upper() + title[1:] for title in titles}) == len(titles)
    assert not any(set(title) & set("[]{}#|<>_\n") for title in titles)


def test_no_statement_occurs_twice(made: Made) -> None:
    for _, entity in made:
        assert len(set(entity.statements)) == len(entity.statements), entity.item


def test_what_statements_name_is_there(plan: WorldPlan, made: Made) -> None:
    from everwhen.synth.statements import GONE

    ids = {entity.item.id for _, entity in made}
    units = {11573, 3710, 7727, 25235, 11574, 828224, 211256, 44395, 5139563, 712226}
    for _, entity in made:
        named = {item for statement in entity.statements for item in statement.snak.list_items()}
        assert {item - GONE if item >= GONE else item for item in named} <= ids | units, entity.item


def test_events_of_the_window_lie_in_it(plan: WorldPlan, made: Made) -> None:
    events = [entity for _, entity in made if entity.kind == "event"]
    assert len(events) == plan.counts["event"]
    for event in events:
        time = event.time
        assert time.reason is None
        assert time.first_day
        assert time.last_day
        assert plan.start <= time.first_day <= time.last_day <= plan.end


def test_about_a_third_of_the_films_is_known_well_enough(made: Made) -> None:
    films = [entity for _, entity in made if entity.kind == "film"]
    asked = sum(film.reason is None for film in films)
    assert 0.3 < asked / len(films) < 0.4


def test_offices_are_held_without_a_gap(plan: WorldPlan, made: Made) -> None:
    terms = defaultdict(list)
    for _, entity in made:
        for term in entity.terms:
            terms[term.what].append(term)
    assert len(terms) == plan.counts["position"]
    for held_terms in terms.values():
        held_terms.sort(key=lambda term: term.first_day or date.min)
        assert len(held_terms) == TERMS_OF_OFFICE
        assert held_terms[-1].last_day is None
        for one, next_ in pairwise(held_terms):
            assert one.who != next_.who
            if one.reason is None:
                assert one.last_day
                assert next_.first_day
                assert (next_.first_day - one.last_day).days <= 1
    assert choose_handover(plan, 0, 1) > choose_handover(plan, 0, 0)


def test_every_award_goes_to_somebody_every_year(plan: WorldPlan, made: Made) -> None:
    won = [(h.what, h.first_day and h.first_day.year) for _, e in made for h in e.awards]
    years = range(1987, plan.end.year + 1)
    for number in range(plan.counts["award"]):
        award = derive_item_id("award", number)
        stated = [year for what, year in won if what == award]
        assert len(stated) == len(years)
        assert len(set(stated) - {None}) == len(stated) - stated.count(None)
    assert {year for _, year in won} == {None, *years}


def test_careers_have_several_facts_and_groups_many_members(made: Made) -> None:
    careers = {entity.item.id: entity.statements for _, entity in made if entity.kind == "person" and entity.dated}
    people = sum(entity.kind == "person" for _, entity in made)
    assert 0.15 < len(careers) / people < 0.35
    of_career = {property_ for property_, _, _ in GROUPS.values()} | {P.SPOUSE}
    stated = {person: [s for s in found if s.snak.property_id in of_career] for person, found in careers.items()}
    assert {len(found) for found in stated.values()} == set(range(3, 11))
    members = Counter(s.snak.item for found in stated.values() for s in found if s.snak.property_id != P.SPOUSE)
    groups = {entity.item.id for _, entity in made if entity.kind in GROUPS}
    assert set(members) == groups
    assert min(members.values()) >= 5
    assert max(members.values()) <= 30


def test_careers_are_known_by_start_end_both_or_neither(made: Made) -> None:
    facts = [fact for _, entity in made for fact in entity.dated]
    assert {(f.property_id, f.kind) for f in facts if f.kind} == {
        *((p, kind) for p in (26, 54, 69, 102, 108, 463) for kind in ("closed", "begun", "ended")),
        (P.POPULATION, "point"),
    }
    assert {f.reason for f in facts} == {None, RejectReason.HEDGED}
    assert {when.precision for f in facts for when in (f.start, f.end) if when} == {9, 10, 11}
    assert all(f.start.first <= f.end.last for f in facts if f.start and f.end)
    employed = [s for _, entity in made for s in entity.statements if s.snak.property_id == P.EMPLOYER]
    assert {s.rank for s in employed} == {"normal", "preferred", "deprecated"}
    assert any(not s.qualifiers for s in employed)


def test_a_spouse_states_the_same_marriage(made: Made) -> None:
    marriages = {
        (e.item.id, f.value_item): (f.start, f.end) for _, e in made for f in e.dated if f.property_id == P.SPOUSE
    }
    assert len(marriages) > 10
    assert all(marriages[other, one] == days for (one, other), days in marriages.items())


def test_every_kind_of_doubt_is_planted(made: Made) -> None:
    stated = [statement for _, entity in made for statement in entity.statements]
    qualifiers = {(q.property_id, q.text) for statement in stated for q in statement.qualifiers}
    assert {1310, 1319, 1326, 1480, 5102, 8554, 8555} <= {property_ for property_, _ in qualifiers}
    snaks = [s for statement in stated for s in (statement.snak, *statement.qualifiers) if s.datatype == "time"]
    times = [s.time for s in snaks if s.kind == "value"]
    assert {"BCE", "day 00", "Hebrew"} <= {time.defect for time in times}
    assert {(bool(t.before), bool(t.after)) for t in times} == {(a, b) for a in (False, True) for b in (False, True)}
    assert {time.year // 100 for time in times if time.julian} >= {15, 16, 17, 19}
    unreadable = [(s.snak.property_id, s.rank) for s in stated if explain_unreadable(s)]
    assert {rank for _, rank in unreadable} == {"preferred", "normal", "deprecated"}
    assert {17, 569, 570, 571, 577} <= {property_ for property_, _ in unreadable}
    assert {entity.time.reason for _, entity in made} >= {"start unknown", "end unknown"}


def test_acting_holders_and_doubtful_terms_are_planted(plan: WorldPlan) -> None:
    doubtful = WorldPlan(**{**vars_of(plan), "hedged_rate": 1.0})
    rulers = [build_entity(doubtful, "ruler", number) for number in range(300)]
    reasons = {term.reason for ruler in rulers if ruler for term in ruler.terms}
    assert reasons >= {"Wikidata does not call it certain", "no usable start", "no usable end"}
    assert "the statement could not be read" in reasons
    acting = {q.property_id for r in rulers if r for s in r.statements for q in s.qualifiers if q.text == f"Q{ACTING}"}
    assert acting == {3831, 5102}


def test_nothing_is_doubtful_at_a_rate_of_zero(plan: WorldPlan) -> None:
    certain = WorldPlan(**{**vars_of(plan), "hedged_rate": 0.0})
    entities = [build_entity(certain, kind, n) for kind in ENTITY_TYPES for n in range(min(300, plan.counts[kind]))]
    stated = [statement for entity in entities if entity for statement in entity.statements]
    assert not [s for s in stated if explain_unreadable(s)]
    assert not {q.property_id for s in stated for q in s.qualifiers} - {580, 582, 585, 1545}


def test_a_film_of_a_book_has_its_label(plan: WorldPlan) -> None:
    number = next(n for n in range(plan.counts["book"]) if is_borrowed(plan, n))
    book, film = build_entity(plan, "book", number), build_entity(plan, "film", number)
    assert book
    assert film
    assert book.item.label == film.item.label
    assert {book.method, film.method} <= {YEAR, CLASS}


def test_the_ids_of_roots_are_real() -> None:
    assert derive_class_id("film") == 11424
    assert derive_class_id("animated film") > BASE
