"""What is broken on purpose in the dump, lines and statements within lines, and what must be said of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.sample.dump import Json, build_dated_statement, serialize_item
from everwhen.sample.world import Item
from everwhen.synth.ids import BROKEN, GONE
from everwhen.synth.plan import Plan
from everwhen.synth.statements import of_item
from everwhen.synth.truth import Entity
from everwhen.synth.works import OLD_IDS
from everwhen.wikidata.properties import Property

EXTERNAL = RejectReason.DATATYPE_OUT_OF_SCOPE.with_detail(datatype="external-id")
CIRCLE, MOVED, TORN, TWICE = 6_000_000_000, 8_000_000_000, 10_000_000_000, 12_000_000_000
"""Added to an item's id for the ids of broken redirects."""
SHARE_IN_ENTITY = 0.5
"""Of the broken pieces of input, how many are statements within sound lines, beside those that are lines."""


@dataclass
class Lines:
    """Lines of the dump, without comma and line break, and what a reader must count."""

    lines: list[bytes] = field(default_factory=list)
    counts: RecordCounts = field(default_factory=RecordCounts)

    def add(self, line: bytes | Json, reason: str | None = None) -> None:
        """Take a line that is kept, or rejected for a reason."""
        self.lines.append(line if isinstance(line, bytes) else as_json(line))
        self.counts.decide("line", reason)


def as_json(value: Json) -> bytes:
    """A line as the dump writes it."""
    return json.dumps(value, separators=(",", ":")).encode()


def entity_lines(plan: Plan, made: Entity, index: int) -> Lines:
    """The line of an entity, redirects that lead to it, and now and then something broken.

    Args:
        plan: The world.
        made: The entity.
        index: Where it stands in the dump: it decides what is broken.
    """
    draws = plan.draws("faults", index)
    written = serialize_item(made.item)
    found = Lines()
    external = sum(s.snak.datatype == "external-id" for s in made.statements)
    found.counts.reject("statement", EXTERNAL, external)
    found.counts.keep("statement", len(made.statements) - external)
    if draws.chance(plan.broken_rate * SHARE_IN_ENTITY, "broken statement"):
        claim, reason = draws.pick(STATEMENTS, "statement")(made.item.id, written)
        written["claims"].setdefault(claim["mainsnak"]["property"], []).append(claim)
        found.counts.reject("statement", reason)
    found.add(written)
    if made.kind == "person" and plan.draws("person", made.item.id % 10_000_000).chance(OLD_IDS, "had another id"):
        found.add(_redirect(made.item.id + GONE, made.item.id))
    if draws.chance(plan.broken_rate, "broken line"):
        draws.pick(list(FAULTS.values()), "line")(found, made.item, written)
    return found


# Broken statements: a claim for the entity, and the reason that rejects it.

Claim = tuple[Json, str]


def _claim(item: int) -> Json:
    return build_dated_statement(item, "+2001-02-03T00:00:00Z", 11)


def _repeated(item: int, written: Json) -> Claim:
    """The id of another statement of the entity; a wrong id where it has none."""
    for claims in written["claims"].values():
        for claim in claims:
            if claim["mainsnak"]["datatype"] != "external-id":
                return {**_claim(item), "id": claim["id"]}, RejectReason.REPEATED_STATEMENT
    return _foreign(item, written)


def _foreign(item: int, written: Json) -> Claim:
    return _claim(item + 1), RejectReason.FOREIGN_STATEMENT


def _rank(item: int, written: Json) -> Claim:
    return {**_claim(item), "rank": "best"}, RejectReason.BAD_RANK


def _snak_type(item: int, written: Json) -> Claim:
    claim = _claim(item)
    return {**claim, "mainsnak": {**claim["mainsnak"], "snaktype": "nothing"}}, (RejectReason.BAD_SNAK_TYPE)


def _no_value(item: int, written: Json) -> Claim:
    claim = _claim(item)
    snak = {key: value for key, value in claim["mainsnak"].items() if key != "datavalue"}
    return {**claim, "mainsnak": snak}, RejectReason.MISSING_FIELD.with_detail(field="datavalue")


def _february(item: int, written: Json) -> Claim:
    return build_dated_statement(item, "+2001-02-30T00:00:00Z", 11), RejectReason.NO_SUCH_DAY_OF_MONTH.with_detail(
        day=30, month=2
    )


def _amount(item: int, written: Json) -> Claim:
    claim = _claim(item)
    value = {"value": {"amount": "about 12", "unit": "1"}, "type": "quantity"}
    snak = {"snaktype": "value", "property": Property.NUMBER_OF_DEATHS.pid, "datavalue": value, "datatype": "quantity"}
    return {**claim, "mainsnak": snak}, RejectReason.BAD_AMOUNT


def _qualifier(item: int, written: Json) -> Claim:
    when = build_dated_statement(item, "-0044-03-15T00:00:00Z", 11)["mainsnak"]
    qualifiers = {Property.START_TIME.pid: [{**when, "property": Property.START_TIME.pid}]}
    return {**_claim(item), "qualifiers": qualifiers}, RejectReason.BAD_QUALIFIER.with_detail(
        property="P580", reason=RejectReason.YEAR_BCE
    )


STATEMENTS: list[Callable[[int, Json], Claim]] = [
    *(_repeated, _foreign, _rank, _snak_type, _no_value, _february, _amount, _qualifier),
]

# Broken lines: each is added after the line of a sound item.


def _redirect(source: int, target: int) -> Json:
    return {"entity": f"Q{source}", "redirect": f"Q{target}"}


def _bare(number: int, *classes: int) -> Json:
    """An item without label and article, so that it competes with nothing."""
    return serialize_item(Item(number, "", None, None, None, tuple(of_item(Property.INSTANCE_OF, c) for c in classes)))


def _truncated(found: Lines, item: Item, written: Json) -> None:
    # Cut before its end, so that a bracket at least is missing.
    line = as_json(_bare(item.id + BROKEN, 5))
    found.add(line[: len(line) * 2 // 3], RejectReason.NOT_JSON.with_detail(error="unexpected end of data"))


def _without_id(found: Lines, item: Item, written: Json) -> None:
    found.add(
        {key: value for key, value in written.items() if key != "id"},
        RejectReason.MISSING_FIELD.with_detail(field="id"),
    )


def _dates(found: Lines, item: Item, written: Json) -> None:
    number = item.id + BROKEN
    broken = {
        RejectReason.NO_SUCH_MONTH.with_detail(month=13): build_dated_statement(number, "+2001-13-05T00:00:00Z", 11),
        RejectReason.TOO_COARSE.with_detail(precision=3): build_dated_statement(number, "+2001-00-00T00:00:00Z", 3),
        RejectReason.YEAR_ZERO: build_dated_statement(number, "+0000-00-00T00:00:00Z", 9),
        RejectReason.YEAR_BCE: build_dated_statement(number, "-0099-07-12T00:00:00Z", 11),
    }
    found.add({**_bare(number), "claims": {Property.POINT_IN_TIME.pid: list(broken.values())}})
    for reason in broken:
        found.counts.reject("statement", reason)


def _property(found: Lines, item: Item, written: Json) -> None:
    line = {"type": "property", "datatype": "time", "id": f"P{item.id}", "labels": {}, "claims": {}}
    found.add(line, RejectReason.OUT_OF_SCOPE.with_detail(kind="property"))


def _lexeme(found: Lines, item: Item, written: Json) -> None:
    line = {"type": "lexeme", "id": f"L{item.id}", "lemmas": {}, "claims": {}, "lastrevid": 1}
    found.add(line, RejectReason.OUT_OF_SCOPE.with_detail(kind="lexeme"))


def _moved(found: Lines, item: Item, written: Json) -> None:
    found.add(_redirect(item.id + MOVED, item.id))


def _moved_twice(found: Lines, item: Item, written: Json) -> None:
    found.add(_redirect(item.id + TWICE, item.id))
    found.add(_redirect(item.id + TWICE, item.id), RejectReason.REPEATED_REDIRECT)


def _torn(found: Lines, item: Item, written: Json) -> None:
    for target in (item.id, item.id + BROKEN):
        found.add(_redirect(item.id + TORN, target), RejectReason.SPLIT_ITEM_REDIRECT)


def _circle(found: Lines, item: Item, written: Json) -> None:
    there, back = item.id + CIRCLE, item.id + CIRCLE + BROKEN
    found.add(_redirect(there, back), RejectReason.CIRCULAR_REDIRECT)
    found.add(_redirect(back, there), RejectReason.CIRCULAR_REDIRECT)


def _older(found: Lines, item: Item, written: Json) -> None:
    """An older state of the entity, with a statement less: the newest revision wins, wherever it stands."""
    line: dict[str, Any] = {**written, "lastrevid": written["lastrevid"] - 1_000, "claims": {}}
    kept = item.statements[:-1]
    old = serialize_item(Item(item.id, item.label, item.description, item.title, None, kept))
    found.add({**old, "lastrevid": line["lastrevid"]}, RejectReason.OLDER_REVISION)
    external = sum(s.snak.datatype == "external-id" for s in kept)
    found.counts.reject("statement", EXTERNAL, external)
    found.counts.reject("statement", RejectReason.OLDER_REVISION, len(kept) - external)


def _merged(found: Lines, item: Item, written: Json) -> None:
    """An item that another line says to be redirected."""
    found.add(_bare(item.id + BROKEN, 35120), RejectReason.REDIRECTED)
    found.counts.reject("statement", RejectReason.REDIRECTED)
    found.add(_redirect(item.id + BROKEN, item.id))


def _missing(found: Lines, item: Item, written: Json) -> None:
    found.add({"id": f"Q{item.id + BROKEN}", "missing": ""}, RejectReason.MARKED_AS_MISSING)


def _revision(found: Lines, item: Item, written: Json) -> None:
    found.add({**_bare(item.id + BROKEN), "lastrevid": "newest"}, RejectReason.BAD_REVISION)


def _encoding(found: Lines, item: Item, written: Json) -> None:
    line = b'{"type":"item","id":"Q%d","labels":{"en":{"language":"en","value":"\xff\xfe"}}}' % (item.id + BROKEN)
    found.add(line, RejectReason.NOT_UTF_8)


def _nul(found: Lines, item: Item, written: Json) -> None:
    found.add({**_bare(item.id + BROKEN), "descriptions": {"en": {"value": "\0"}}}, RejectReason.NUL_CHARACTER)


def _number(found: Lines, item: Item, written: Json) -> None:
    found.add(b"42", RejectReason.NOT_AN_OBJECT)


def _blank(found: Lines, item: Item, written: Json) -> None:
    found.add(b"", RejectReason.BLANK_LINE)


def _claims(found: Lines, item: Item, written: Json) -> None:
    found.add({**_bare(item.id + BROKEN), "claims": {Property.INSTANCE_OF.pid: {}}}, RejectReason.BAD_CLAIMS)


FAULTS: Mapping[str, Callable[[Lines, Item, Json], None]] = {
    "truncated": _truncated,
    "without id": _without_id,
    "impossible dates": _dates,
    "property": _property,
    "lexeme": _lexeme,
    "redirect": _moved,
    "redirect twice": _moved_twice,
    "redirect to two": _torn,
    "redirects in a circle": _circle,
    "older revision": _older,
    "redirected": _merged,
    "missing": _missing,
    "revision": _revision,
    "encoding": _encoding,
    "NUL": _nul,
    "number": _number,
    "blank": _blank,
    "claims": _claims,
}
"""What may stand after an entity, by name."""
