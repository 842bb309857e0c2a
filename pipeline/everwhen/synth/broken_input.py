"""Errors injected into the dump, in lines and in statements within lines, and the reject reason of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.sample.dump import Json, build_dated_statement, serialize_item
from everwhen.sample.world import Item, Statement
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import BROKEN, GONE, IDS_PER_TYPE, explain_unreadable, state_item
from everwhen.synth.truth import Entity
from everwhen.synth.works import has_old_id
from everwhen.wikidata.properties import Property as P

EXTERNAL = RejectReason.DATATYPE_OUT_OF_SCOPE.with_detail(datatype="external-id")
CIRCLE, MOVED, TORN, TWICE = 6_000_000_000, 8_000_000_000, 10_000_000_000, 12_000_000_000
"""Added to an item's id for the ids of broken redirects."""
SHARE_IN_ENTITY = 0.5
"""Of the broken pieces of input, how many are statements within sound lines, beside those that are lines."""

Claim = tuple[Json, str]
"""A broken statement of an entity, and the reason that rejects it."""


@dataclass
class DumpLines:
    """Lines of the dump, without comma and line break, and what a reader must count."""

    lines: list[bytes] = field(default_factory=list)
    counts: RecordCounts = field(default_factory=RecordCounts)

    def add(self, line: bytes | Json, reason: str | None = None) -> None:
        """Take a line that is kept, or rejected for a reason."""
        self.lines.append(line if isinstance(line, bytes) else as_json(line))
        self.counts.decide("line", reason)

    def extend(self, other: DumpLines) -> None:
        """Take other lines in, with their counts."""
        self.lines += other.lines
        self.counts.merge(other.counts)

    def count_statements(self, statements: Iterable[Statement], whole: str | None = None) -> None:
        """Count statements: those that no reader takes by their reasons, the others as kept, or rejected as a whole."""
        reasons = Counter(
            EXTERNAL if each.snak.datatype == "external-id" else explain_unreadable(each) or whole
            for each in statements
        )
        for reason, records in reasons.items():
            self.counts.decide("statement", reason, records)


def as_json(value: Json) -> bytes:
    """A line as the dump writes it."""
    return json.dumps(value, separators=(",", ":")).encode()


def render_entity_lines(plan: WorldPlan, made: Entity, index: int) -> DumpLines:
    """The line of an entity, redirects that lead to it, and now and then something broken; `index` decides what."""
    rng = plan.seed_random("faults", index)
    item, written = made.item, serialize_item(made.item)
    found = DumpLines()
    found.count_statements(made.statements)
    if rng.decide(plan.broken_rate * SHARE_IN_ENTITY, "broken statement"):
        claim, reason = rng.pick(list_broken_claims(item.id, written), "statement")
        written["claims"].setdefault(claim["mainsnak"]["property"], []).append(claim)
        found.counts.reject("statement", reason)
    found.add(written)
    if made.kind == "person" and has_old_id(plan, item.id % IDS_PER_TYPE):
        found.add(_build_redirect(item.id + GONE, item.id))
    if rng.decide(plan.broken_rate, "broken line"):
        found.extend(rng.pick(list(list_broken_lines(item, written).values()), "line"))
    return found


def list_broken_claims(item: int, written: Json) -> list[Claim]:
    """List the statements that may be broken in an entity of an id, which the dump has as `written`.

    They are of properties that no list of the world is asked for, since whatever cannot be read may be the best value:
    `statements.state_doubtful_time` plants what decides something.
    """

    def build_claim(item: int, time: str = "+2001-02-03T00:00:00Z") -> Json:
        return build_dated_statement(item, time, 11, P.OFFICIAL_OPENING)

    sound, foreign = build_claim(item), (build_claim(item + 1), RejectReason.FOREIGN_STATEMENT)
    snak = sound["mainsnak"]
    without_value = {key: value for key, value in snak.items() if key != "datavalue"}
    amount = {"value": {"amount": "about 12", "unit": "1"}, "type": "quantity"}
    capacity = {"property": P.MAXIMUM_CAPACITY.pid, "datavalue": amount, "datatype": "quantity"}
    before_christ = build_dated_statement(item, "-0044-03-15T00:00:00Z", 11, P.START_TIME)["mainsnak"]
    stated = [claim for claims in written["claims"].values() for claim in claims]
    taken = [claim["id"] for claim in stated if claim["mainsnak"]["datatype"] != "external-id"]
    repeated = ({**sound, "id": taken[0]}, RejectReason.REPEATED_STATEMENT) if taken else foreign
    no_such_day = RejectReason.NO_SUCH_DAY_OF_MONTH.with_detail(day=30, month=2)
    bad_start = RejectReason.BAD_QUALIFIER.with_detail(property="P580", reason=RejectReason.YEAR_BCE)
    return [
        repeated,
        foreign,
        ({**sound, "rank": "best"}, RejectReason.BAD_RANK),
        ({**sound, "mainsnak": {**snak, "snaktype": "nothing"}}, RejectReason.BAD_SNAK_TYPE),
        ({**sound, "mainsnak": without_value}, RejectReason.MISSING_FIELD.with_detail(field="datavalue")),
        (build_claim(item, "+2001-02-30T00:00:00Z"), no_such_day),
        ({**sound, "mainsnak": {"snaktype": "value", **capacity}}, RejectReason.BAD_AMOUNT),
        ({**sound, "qualifiers": {P.START_TIME.pid: [before_christ]}}, bad_start),
    ]


def list_broken_lines(item: Item, written: Json) -> dict[str, DumpLines]:
    """List the lines that may follow the line of a sound item (`written` in the dump), each by name."""
    number = item.id + BROKEN
    bare, human = _serialize_bare_item(number), as_json(_serialize_bare_item(number, 5))
    lexeme = {"type": "lexeme", "id": f"L{item.id}", "lemmas": {}, "claims": {}, "lastrevid": 1}
    property_ = {"type": "property", "datatype": "time", "id": f"P{item.id}", "labels": {}, "claims": {}}
    not_utf_8 = b'{"type":"item","id":"Q%d","labels":{"en":{"language":"en","value":"\xff\xfe"}}}' % number
    without_id = {key: value for key, value in written.items() if key != "id"}
    there, back, twice = item.id + CIRCLE, item.id + CIRCLE + BROKEN, _build_redirect(item.id + TWICE, item.id)
    # Two thirds: cut before its end, so that a bracket at least is missing.
    cut, cut_reason = human[: len(human) * 2 // 3], RejectReason.NOT_JSON.with_detail(error="unexpected end of data")
    errors: dict[str, list[tuple[bytes | Json, str | None]]] = {
        "truncated": [(cut, cut_reason)],
        "without id": [(without_id, RejectReason.MISSING_FIELD.with_detail(field="id"))],
        "impossible dates": [],
        "property": [(property_, RejectReason.OUT_OF_SCOPE.with_detail(kind="property"))],
        "lexeme": [(lexeme, RejectReason.OUT_OF_SCOPE.with_detail(kind="lexeme"))],
        "redirect": [(_build_redirect(item.id + MOVED, item.id), None)],
        "redirect twice": [(twice, None), (twice, RejectReason.REPEATED_REDIRECT)],
        "redirect to two": [
            (_build_redirect(item.id + TORN, target), RejectReason.SPLIT_ITEM_REDIRECT) for target in (item.id, number)
        ],
        "redirects in a circle": [
            (_build_redirect(*ends), RejectReason.CIRCULAR_REDIRECT) for ends in ((there, back), (back, there))
        ],
        "older revision": [],
        "redirected": [],
        "missing": [({"id": f"Q{number}", "missing": ""}, RejectReason.MARKED_AS_MISSING)],
        "revision": [({**bare, "lastrevid": "newest"}, RejectReason.BAD_REVISION)],
        "encoding": [(not_utf_8, RejectReason.NOT_UTF_8)],
        "NUL": [({**bare, "descriptions": {"en": {"value": "\0"}}}, RejectReason.NUL_CHARACTER)],
        "number": [(b"42", RejectReason.NOT_AN_OBJECT)],
        "blank": [(b"", RejectReason.BLANK_LINE)],
        "claims": [({**bare, "claims": {P.INSTANCE_OF.pid: {}}}, RejectReason.BAD_CLAIMS)],
    }
    found = {name: DumpLines() for name in errors}
    for name, lines in errors.items():
        for line, reason in lines:
            found[name].add(line, reason)
    _add_impossible_dates(found["impossible dates"], number)
    _add_older_revision(found["older revision"], item, written)
    _add_redirected_item(found["redirected"], number, item.id)
    return found


def _build_redirect(source: int, target: int) -> Json:
    return {"entity": f"Q{source}", "redirect": f"Q{target}"}


def _serialize_bare_item(number: int, *classes: int) -> Json:
    """An item without label and article, so that it competes with nothing."""
    statements = tuple(state_item(P.INSTANCE_OF, class_) for class_ in classes)
    return serialize_item(Item(number, "", None, None, None, statements))


def _add_impossible_dates(found: DumpLines, number: int) -> None:
    broken = {
        RejectReason.NO_SUCH_MONTH.with_detail(month=13): ("+2001-13-05T00:00:00Z", 11),
        RejectReason.TOO_COARSE.with_detail(precision=3): ("+2001-00-00T00:00:00Z", 3),
        RejectReason.YEAR_ZERO: ("+0000-00-00T00:00:00Z", 9),
        RejectReason.YEAR_BCE: ("-0099-07-12T00:00:00Z", 11),
    }
    claims = [build_dated_statement(number, *time) for time in broken.values()]
    found.add({**_serialize_bare_item(number), "claims": {P.POINT_IN_TIME.pid: claims}})
    for reason in broken:
        found.counts.reject("statement", reason)


def _add_older_revision(found: DumpLines, item: Item, written: Json) -> None:
    """An older state of the entity, with a statement less: the newest revision wins, wherever it occurs."""
    kept = item.statements[:-1]
    old = serialize_item(Item(item.id, item.label, item.description, item.title, None, kept))
    found.add({**old, "lastrevid": written["lastrevid"] - 1_000}, RejectReason.OLDER_REVISION)
    found.count_statements(kept, RejectReason.OLDER_REVISION)


def _add_redirected_item(found: DumpLines, number: int, target: int) -> None:
    """An item that another line says to be redirected."""
    found.add(_serialize_bare_item(number, 35120), RejectReason.REDIRECTED)
    found.counts.reject("statement", RejectReason.REDIRECTED)
    found.add(_build_redirect(number, target))
