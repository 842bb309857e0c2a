"""Errors injected into the dump, in lines and in statements within lines, and the reject reason of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.sample.dump import Json, build_dated_statement, serialize_item
from everwhen.sample.world import Item, Statement
from everwhen.synth.hedges import explain_unreadable
from everwhen.synth.ids import BROKEN, GONE
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import state_item
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


def render_entity_lines(plan: WorldPlan, made: Entity, index: int) -> Lines:
    """The line of an entity, redirects that lead to it, and now and then something broken.

    Args:
        plan: The world.
        made: The entity.
        index: Its position in the dump, which decides what is broken.
    """
    rng = plan.seed_random("faults", index)
    written = serialize_item(made.item)
    found = Lines()
    external = sum(s.snak.datatype == "external-id" for s in made.statements)
    found.counts.reject("statement", EXTERNAL, external)
    unreadable = _count_unreadable(found.counts, made.statements)
    found.counts.keep("statement", len(made.statements) - external - unreadable)
    if rng.decide(plan.broken_rate * SHARE_IN_ENTITY, "broken statement"):
        claim, reason = rng.pick(STATEMENT_ERRORS, "statement")(made.item.id, written)
        written["claims"].setdefault(claim["mainsnak"]["property"], []).append(claim)
        found.counts.reject("statement", reason)
    found.add(written)
    if made.kind == "person" and plan.seed_random("person", made.item.id % 10_000_000).decide(
        OLD_IDS, "had another id"
    ):
        found.add(_build_redirect(made.item.id + GONE, made.item.id))
    if rng.decide(plan.broken_rate, "broken line"):
        rng.pick(list(LINE_ERRORS.values()), "line")(found, made.item, written)
    return found


def _count_unreadable(counts: RecordCounts, statements: Iterable[Statement]) -> int:
    """Count the statements that are rejected by their reasons; return how many there are."""
    reasons = Counter(reason for statement in statements if (reason := explain_unreadable(statement)))
    for reason, records in reasons.items():
        counts.reject("statement", reason, records)
    return reasons.total()


# Broken statements: a claim for the entity, and the reason that rejects it. They are of properties that no list of the
# world is asked for, since whatever cannot be read may be the best value: `hedges` plants what decides something.

Claim = tuple[Json, str]


def _build_claim(item: int, time: str = "+2001-02-03T00:00:00Z") -> Json:
    return build_dated_statement(item, time, 11, Property.OFFICIAL_OPENING)


def _build_repeated_id(item: int, written: Json) -> Claim:
    """The id of another statement of the entity; a wrong id where it has none."""
    for claims in written["claims"].values():
        for claim in claims:
            if claim["mainsnak"]["datatype"] != "external-id":
                return {**_build_claim(item), "id": claim["id"]}, RejectReason.REPEATED_STATEMENT
    return _build_foreign_id(item, written)


def _build_foreign_id(item: int, written: Json) -> Claim:
    return _build_claim(item + 1), RejectReason.FOREIGN_STATEMENT


def _build_bad_rank(item: int, written: Json) -> Claim:
    return {**_build_claim(item), "rank": "best"}, RejectReason.BAD_RANK


def _build_bad_snak_type(item: int, written: Json) -> Claim:
    claim = _build_claim(item)
    return {**claim, "mainsnak": {**claim["mainsnak"], "snaktype": "nothing"}}, (RejectReason.BAD_SNAK_TYPE)


def _build_missing_value(item: int, written: Json) -> Claim:
    claim = _build_claim(item)
    snak = {key: value for key, value in claim["mainsnak"].items() if key != "datavalue"}
    return {**claim, "mainsnak": snak}, RejectReason.MISSING_FIELD.with_detail(field="datavalue")


def _build_february_30(item: int, written: Json) -> Claim:
    return _build_claim(item, "+2001-02-30T00:00:00Z"), RejectReason.NO_SUCH_DAY_OF_MONTH.with_detail(day=30, month=2)


def _build_bad_amount(item: int, written: Json) -> Claim:
    claim = _build_claim(item)
    value = {"value": {"amount": "about 12", "unit": "1"}, "type": "quantity"}
    snak = {"snaktype": "value", "property": Property.MAXIMUM_CAPACITY.pid, "datavalue": value, "datatype": "quantity"}
    return {**claim, "mainsnak": snak}, RejectReason.BAD_AMOUNT


def _build_bad_qualifier(item: int, written: Json) -> Claim:
    when = build_dated_statement(item, "-0044-03-15T00:00:00Z", 11)["mainsnak"]
    qualifiers = {Property.START_TIME.pid: [{**when, "property": Property.START_TIME.pid}]}
    return {**_build_claim(item), "qualifiers": qualifiers}, RejectReason.BAD_QUALIFIER.with_detail(
        property="P580", reason=RejectReason.YEAR_BCE
    )


STATEMENT_ERRORS: list[Callable[[int, Json], Claim]] = [
    *(
        _build_repeated_id,
        _build_foreign_id,
        _build_bad_rank,
        _build_bad_snak_type,
        _build_missing_value,
        _build_february_30,
        _build_bad_amount,
        _build_bad_qualifier,
    ),
]

# Broken lines: each is added after the line of a sound item.


def _build_redirect(source: int, target: int) -> Json:
    return {"entity": f"Q{source}", "redirect": f"Q{target}"}


def _serialize_bare_item(number: int, *classes: int) -> Json:
    """An item without label and article, so that it competes with nothing."""
    return serialize_item(
        Item(number, "", None, None, None, tuple(state_item(Property.INSTANCE_OF, c) for c in classes))
    )


def _add_truncated(found: Lines, item: Item, written: Json) -> None:
    # Cut before its end, so that a bracket at least is missing.
    line = as_json(_serialize_bare_item(item.id + BROKEN, 5))
    found.add(line[: len(line) * 2 // 3], RejectReason.NOT_JSON.with_detail(error="unexpected end of data"))


def _add_without_id(found: Lines, item: Item, written: Json) -> None:
    found.add(
        {key: value for key, value in written.items() if key != "id"},
        RejectReason.MISSING_FIELD.with_detail(field="id"),
    )


def _add_impossible_dates(found: Lines, item: Item, written: Json) -> None:
    number = item.id + BROKEN
    broken = {
        RejectReason.NO_SUCH_MONTH.with_detail(month=13): build_dated_statement(number, "+2001-13-05T00:00:00Z", 11),
        RejectReason.TOO_COARSE.with_detail(precision=3): build_dated_statement(number, "+2001-00-00T00:00:00Z", 3),
        RejectReason.YEAR_ZERO: build_dated_statement(number, "+0000-00-00T00:00:00Z", 9),
        RejectReason.YEAR_BCE: build_dated_statement(number, "-0099-07-12T00:00:00Z", 11),
    }
    found.add({**_serialize_bare_item(number), "claims": {Property.POINT_IN_TIME.pid: list(broken.values())}})
    for reason in broken:
        found.counts.reject("statement", reason)


def _add_property(found: Lines, item: Item, written: Json) -> None:
    line = {"type": "property", "datatype": "time", "id": f"P{item.id}", "labels": {}, "claims": {}}
    found.add(line, RejectReason.OUT_OF_SCOPE.with_detail(kind="property"))


def _add_lexeme(found: Lines, item: Item, written: Json) -> None:
    line = {"type": "lexeme", "id": f"L{item.id}", "lemmas": {}, "claims": {}, "lastrevid": 1}
    found.add(line, RejectReason.OUT_OF_SCOPE.with_detail(kind="lexeme"))


def _add_redirect(found: Lines, item: Item, written: Json) -> None:
    found.add(_build_redirect(item.id + MOVED, item.id))


def _add_repeated_redirect(found: Lines, item: Item, written: Json) -> None:
    found.add(_build_redirect(item.id + TWICE, item.id))
    found.add(_build_redirect(item.id + TWICE, item.id), RejectReason.REPEATED_REDIRECT)


def _add_split_redirect(found: Lines, item: Item, written: Json) -> None:
    for target in (item.id, item.id + BROKEN):
        found.add(_build_redirect(item.id + TORN, target), RejectReason.SPLIT_ITEM_REDIRECT)


def _add_circular_redirects(found: Lines, item: Item, written: Json) -> None:
    there, back = item.id + CIRCLE, item.id + CIRCLE + BROKEN
    found.add(_build_redirect(there, back), RejectReason.CIRCULAR_REDIRECT)
    found.add(_build_redirect(back, there), RejectReason.CIRCULAR_REDIRECT)


def _add_older_revision(found: Lines, item: Item, written: Json) -> None:
    """An older state of the entity, with a statement less: the newest revision wins, wherever it occurs."""
    line: dict[str, Any] = {**written, "lastrevid": written["lastrevid"] - 1_000, "claims": {}}
    kept = item.statements[:-1]
    old = serialize_item(Item(item.id, item.label, item.description, item.title, None, kept))
    found.add({**old, "lastrevid": line["lastrevid"]}, RejectReason.OLDER_REVISION)
    external = sum(s.snak.datatype == "external-id" for s in kept)
    found.counts.reject("statement", EXTERNAL, external)
    unreadable = _count_unreadable(found.counts, kept)
    found.counts.reject("statement", RejectReason.OLDER_REVISION, len(kept) - external - unreadable)


def _add_redirected_item(found: Lines, item: Item, written: Json) -> None:
    """An item that another line says to be redirected."""
    found.add(_serialize_bare_item(item.id + BROKEN, 35120), RejectReason.REDIRECTED)
    found.counts.reject("statement", RejectReason.REDIRECTED)
    found.add(_build_redirect(item.id + BROKEN, item.id))


def _add_missing_item(found: Lines, item: Item, written: Json) -> None:
    found.add({"id": f"Q{item.id + BROKEN}", "missing": ""}, RejectReason.MARKED_AS_MISSING)


def _add_bad_revision(found: Lines, item: Item, written: Json) -> None:
    found.add({**_serialize_bare_item(item.id + BROKEN), "lastrevid": "newest"}, RejectReason.BAD_REVISION)


def _add_bad_encoding(found: Lines, item: Item, written: Json) -> None:
    line = b'{"type":"item","id":"Q%d","labels":{"en":{"language":"en","value":"\xff\xfe"}}}' % (item.id + BROKEN)
    found.add(line, RejectReason.NOT_UTF_8)


def _add_nul_character(found: Lines, item: Item, written: Json) -> None:
    found.add(
        {**_serialize_bare_item(item.id + BROKEN), "descriptions": {"en": {"value": "\0"}}}, RejectReason.NUL_CHARACTER
    )


def _add_bare_number(found: Lines, item: Item, written: Json) -> None:
    found.add(b"42", RejectReason.NOT_AN_OBJECT)


def _add_blank_line(found: Lines, item: Item, written: Json) -> None:
    found.add(b"", RejectReason.BLANK_LINE)


def _add_bad_claims(found: Lines, item: Item, written: Json) -> None:
    found.add(
        {**_serialize_bare_item(item.id + BROKEN), "claims": {Property.INSTANCE_OF.pid: {}}}, RejectReason.BAD_CLAIMS
    )


LINE_ERRORS: Mapping[str, Callable[[Lines, Item, Json], None]] = {
    "truncated": _add_truncated,
    "without id": _add_without_id,
    "impossible dates": _add_impossible_dates,
    "property": _add_property,
    "lexeme": _add_lexeme,
    "redirect": _add_redirect,
    "redirect twice": _add_repeated_redirect,
    "redirect to two": _add_split_redirect,
    "redirects in a circle": _add_circular_redirects,
    "older revision": _add_older_revision,
    "redirected": _add_redirected_item,
    "missing": _add_missing_item,
    "revision": _add_bad_revision,
    "encoding": _add_bad_encoding,
    "NUL": _add_nul_character,
    "number": _add_bare_number,
    "blank": _add_blank_line,
    "claims": _add_bad_claims,
}
"""Lines that may follow an entity, by name."""
