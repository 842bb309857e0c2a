"""The sample as RDF in Wikidata's own model, for a SPARQL server."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from urllib.parse import quote

from everwhen.sample.dump import ENTITY, derive_statement_id
from everwhen.sample.world import Item, SampleWorld, Snak, Statement

PREFIXES = {
    "wd": ENTITY,
    "wds": ENTITY + "statement/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "wdno": "http://www.wikidata.org/prop/novalue/",
    "wikibase": "http://wikiba.se/ontology#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "http://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
RANKS = {"preferred": "PreferredRank", "normal": "NormalRank", "deprecated": "DeprecatedRank"}
SITE = "https://en.wikipedia.org/"


def render_turtle(world: SampleWorld) -> Iterator[str]:
    """Lines of a Turtle document: labels, articles, truthy statements, and full ones with rank and qualifiers."""
    for prefix, address in PREFIXES.items():
        yield f"@prefix {prefix}: <{address}> ."
    for item in world.items.values():
        yield f"wd:Q{item.id} rdfs:label {json.dumps(item.label, ensure_ascii=False)}@en ."
        if item.title:
            article = f"<{SITE}wiki/{quote(item.title.replace(' ', '_'), safe='')}>"
            yield f"{article} schema:about wd:Q{item.id} ; schema:isPartOf <{SITE}> ."
        for property_id in dict.fromkeys(s.snak.property_id for s in item.statements):
            for statement in item.select_best(property_id):
                yield from _render_truthy(item, statement.snak)
        for statement in item.statements:
            yield _render_full(item, statement)


def _render_truthy(item: Item, snak: Snak) -> Iterator[str]:
    if snak.kind == "novalue":
        yield f"wd:Q{item.id} a wdno:P{snak.property_id} ."
    else:
        yield f"wd:Q{item.id} wdt:P{snak.property_id} {_render_object(snak)} ."


def _render_full(item: Item, statement: Statement) -> str:
    node = "wds:" + derive_statement_id(item.id, statement).replace("$", "-")
    parts = [f"wikibase:rank wikibase:{RANKS[statement.rank]}", _render_predicate("ps", statement.snak)]
    parts += [_render_predicate("pq", qualifier) for qualifier in statement.qualifiers]
    return f"wd:Q{item.id} p:P{statement.snak.property_id} {node} . {node} {' ; '.join(parts)} ."


def _render_predicate(prefix: str, snak: Snak) -> str:
    if snak.kind == "novalue":
        return f"a wdno:P{snak.property_id}"
    return f"{prefix}:P{snak.property_id} {_render_object(snak)}"


def _render_object(snak: Snak) -> str:
    """A value as its simple RDF form, without unit, precision, before and after; an unknown value is a blank node."""
    if snak.kind == "somevalue":
        return "[]"
    if snak.datatype == "item":
        return f"wd:Q{snak.item}"
    if snak.datatype == "quantity":
        return f'"{snak.quantity.signed_amount}"^^xsd:decimal'
    if snak.datatype == "time":
        return f'"{_to_gregorian(snak).isoformat()}T00:00:00Z"^^xsd:dateTime'
    text = json.dumps(snak.text, ensure_ascii=False)
    return f"{text}@en" if snak.datatype == "monolingualtext" else text


def _to_gregorian(snak: Snak) -> dt.date:
    """The first day of a time: Wikidata's RDF has Julian days in the Gregorian calendar, coarser times as they are."""
    time = snak.time
    if not (time.julian and time.day):
        return dt.date(time.year, time.month or 1, time.day or 1)
    return convert_julian_day(time.year, time.month, time.day)


def convert_julian_day(year: int, month: int, day: int) -> dt.date:
    """The Gregorian day of a day of the Julian calendar, by the centuries without a leap day."""
    century = (year - (month <= 2)) // 100
    shift = century - century // 4 - 2
    leap_day = month == 2 and day == 29
    return dt.date(year, month, 28 if leap_day else day) + dt.timedelta(days=shift + leap_day)
