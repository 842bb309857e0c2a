"""Dump lines as Wikidata writes them, and lines that are broken on purpose."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from everwhen.sample.files import write_file
from everwhen.sample.world import OTHER_WIKIS, Item, SampleWorld, Snak, Statement
from everwhen.wikidata.properties import Property

ENTITY = "http://www.wikidata.org/entity/"
GREGORIAN = ENTITY + "Q1985727"
JULIAN = ENTITY + "Q1985786"
HEBREW = ENTITY + "Q44722"
"""A calendar in which Wikibase states no times."""
PLAIN_DATATYPES = ("time", "quantity", "string", "monolingualtext", "external-id")
DATATYPES = {"item": "wikibase-item", **{name: name for name in PLAIN_DATATYPES}}
SANDBOX, SANDBOX_2, SANDBOX_3 = 4115189, 13406268, 15397819
"""Items that Wikidata keeps to be broken."""

Json = dict[str, Any]


def dump_lines(world: SampleWorld) -> list[str]:
    """The whole dump: an array, one entity a line, a comma after all but the last, broken lines among them."""
    entities = [_to_json(serialize_item(item)) for item in world.items.values()]
    broken = list_broken_lines()
    step = max(1, len(entities) // (len(broken) + 1))
    for position, line in enumerate(broken):
        entities.insert(min((position + 1) * step + position, len(entities) - 1), line)
    return ["[", *(line + "," for line in entities[:-1]), entities[-1], "]"]


def serialize_item(item: Item) -> Json:
    """An item as the dump has it."""
    claims: dict[str, list[Json]] = defaultdict(list)
    for statement in item.statements:
        claims[f"P{statement.snak.property_id}"].append(_serialize_claim(item.id, statement))
    return {
        "type": "item",
        "id": f"Q{item.id}",
        "labels": _serialize_text(item.label),
        "descriptions": _serialize_text(item.description),
        "aliases": _serialize_aliases(item.aliases),
        "claims": claims,
        "sitelinks": _serialize_sitelinks(item),
        "lastrevid": _derive_revision(item),
    }


def derive_statement_id(item: int, statement: Statement) -> str:
    """The id of a statement: the item and a GUID that the statement's content decides."""
    return f"Q{item}${_derive_guid(f'Q{item}|{statement!r}')}"


def _derive_guid(content: str) -> str:
    """A GUID of version 4 whose random bits the content decides; written out here, `uuid` takes three times as long."""
    number = int.from_bytes(hashlib.sha256(content.encode()).digest()[:16], "big")
    number = number & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x4000 << 64 | 0x8000 << 48
    digits = f"{number:032X}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def time_value(snak: Snak) -> Json:
    """A time as the dump has it: zeros where the precision ends, the day in its own calendar."""
    time = snak.time
    sign = "-" if time.defect == "BCE" else "+"
    text = f"{sign}{time.year:04d}-{time.month:02d}-{time.day:02d}T00:00:00Z"
    calendar = HEBREW if time.defect == "Hebrew" else JULIAN if time.julian else GREGORIAN
    return _build_time(text, time.precision, calendar, time.before, time.after)


def _build_time(text: str, precision: int, calendar: str = GREGORIAN, before: int = 0, after: int = 0) -> Json:
    tolerances = {"before": before, "after": after}
    return {"time": text, "timezone": 0, **tolerances, "precision": precision, "calendarmodel": calendar}


def _serialize_claim(item: int, statement: Statement) -> Json:
    claim: Json = {"mainsnak": _serialize_snak(statement.snak), "type": "statement"}
    if statement.qualifiers:
        claim["qualifiers"] = by_property = defaultdict(list)
        for qualifier in statement.qualifiers:
            snak = _serialize_snak(qualifier)
            content = json.dumps(snak, sort_keys=True)
            snak["hash"] = hashlib.sha1(content.encode()).hexdigest()
            by_property[snak["property"]].append(snak)
        claim["qualifiers-order"] = list(by_property)
    claim["id"] = derive_statement_id(item, statement)
    claim["rank"] = statement.rank
    return claim


def _serialize_snak(snak: Snak) -> Json:
    written: Json = {"snaktype": snak.kind, "property": f"P{snak.property_id}"}
    if snak.kind == "value":
        type_, value = _serialize_value(snak)
        written["datavalue"] = {"value": value, "type": type_}
    written["datatype"] = DATATYPES[snak.datatype]
    return written


def _serialize_value(snak: Snak) -> tuple[str, Any]:
    """The type of a value in the dump, and the value."""
    if snak.datatype == "item":
        return "wikibase-entityid", {"entity-type": "item", "numeric-id": snak.item, "id": f"Q{snak.item}"}
    if snak.datatype == "time":
        return "time", time_value(snak)
    if snak.datatype == "quantity":
        quantity = snak.quantity
        unit = f"{ENTITY}Q{quantity.unit}" if quantity.unit else "1"
        return "quantity", {"amount": quantity.signed_amount, "unit": unit}
    if snak.datatype == "monolingualtext":
        return "monolingualtext", {"text": snak.text, "language": "en"}
    return "string", snak.text


def _serialize_text(value: str | None) -> Json:
    return {"en": {"language": "en", "value": value}} if value else {}


def _serialize_aliases(aliases: tuple[str, ...]) -> Json:
    return {"en": [{"language": "en", "value": alias} for alias in aliases]} if aliases else {}


def _serialize_sitelinks(item: Item) -> Json:
    titles = {"enwiki": item.title} if item.title else {}
    titles |= dict.fromkeys(OTHER_WIKIS[: item.sitelinks], item.label)
    return {site: {"site": site, "title": title, "badges": []} for site, title in titles.items()}


def _derive_revision(item: Item) -> int:
    """A revision number that the item's content decides."""
    return 1_900_000_000 + int.from_bytes(hashlib.sha256(repr(item).encode()).digest()[:3], "big")


def _to_json(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


def list_broken_lines() -> list[str]:
    """Lines that a reader has to reject, in part or whole, or to leave out; without the comma at their end.

    They are about the sandbox items of Wikidata, which are there to be broken. Two of them are people whose preferred
    dates cannot be read, and normal ones can: no question may ask for these.
    """
    sandbox = serialize_item(Item(SANDBOX, "Wikidata Sandbox", None, None, None, ()))
    without_id = {key: value for key, value in sandbox.items() if key != "id"}
    undated = _outrank_dates(SANDBOX, "Wikidata Sandbox", "0069 BCE", "0030-08-12 BCE")
    point = Property.POINT_IN_TIME
    dates = [
        build_dated_statement(SANDBOX, "+2001-13-05T00:00:00Z", 11),  # month 13
        build_dated_statement(SANDBOX, "+2001-00-00T00:00:00Z", 3),  # precision: a million years
        build_dated_statement(SANDBOX, "+0000-00-00T00:00:00Z", 9),  # there is no year 0
        build_dated_statement(SANDBOX, "-0099-07-12T00:00:00Z", 11),  # before the common era
    ]
    labels = _serialize_text(point.label)
    return [
        _to_json(sandbox)[:100],
        _to_json(without_id),
        _to_json({**undated, "claims": {**undated["claims"], point.pid: dates}}),
        _to_json({"type": "property", "datatype": "time", "id": point.pid, "labels": labels, "claims": {}}),
        _to_json({"type": "lexeme", "id": "L42", "lemmas": _serialize_text("answer"), "claims": {}, "lastrevid": 1}),
        _to_json({"entity": f"Q{SANDBOX_2}", "redirect": f"Q{SANDBOX}"}),
        _to_json(_outrank_dates(SANDBOX_3, "Wikidata Sandbox 3", "1950-05 day 00", "5761-05-10 Hebrew")),
    ]


def _outrank_dates(item: int, label: str, birth: str, death: str) -> Json:
    """A person of many wikis whose preferred dates of birth and death cannot be read, with normal ones that can."""
    stated = (
        (Property.INSTANCE_OF, "item", "Q5", "normal"),
        (Property.DATE_OF_BIRTH, "time", "1950-05-05", "normal"),
        (Property.DATE_OF_BIRTH, "time", birth, "preferred"),
        (Property.DATE_OF_DEATH, "time", death, "preferred"),
        (Property.DATE_OF_DEATH, "time", "2001-02-03", "normal"),
    )
    statements = tuple(Statement(Snak(name, type_, "value", text), rank, ()) for name, type_, text, rank in stated)
    return serialize_item(Item(item, label, None, None, None, statements, sitelinks=len(OTHER_WIKIS)))


def build_dated_statement(item: int, time: str, precision: int, property_: Property = Property.POINT_IN_TIME) -> Json:
    """A statement of an item with a time taken as it is, be it nonsense."""
    datavalue = {"value": _build_time(time, precision), "type": "time"}
    return {
        "mainsnak": {"snaktype": "value", "property": property_.pid, "datavalue": datavalue, "datatype": "time"},
        "type": "statement",
        "id": f"Q{item}${_derive_guid(f'{property_.pid} {time} {precision}')}",
        "rank": "normal",
    }


def write_files(world: SampleWorld, root: Path) -> list[str]:
    """Write the Wikidata dump below a folder; returns its path."""
    return [write_file(root / "wikidata" / "wikidata-sample.json.bz2", "\n".join(dump_lines(world)) + "\n")]
