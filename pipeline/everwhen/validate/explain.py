"""One item explained: what it says in plain words, the statements its answer is derived from, and the rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.temporal.precision import Precision
from everwhen.validate.database import find_tables, open_dataset, split_last, translate_error
from everwhen.validate.manifest import load_manifest
from everwhen.validate.plan import FamilyChecks
from everwhen.validate.queries import (
    ALL_ITEMS,
    DERIVATION,
    create_derivation,
    open_family,
    require_derivation,
    run_sql,
    select_families,
    select_group,
)

SHOWN = 25
"""Facts printed in text; as JSON all are."""

FACTS = """
SELECT s.*, e.label AS subject_label, p.label AS property_label, v.label AS value_label, u.name AS unit_name,
    u.plural AS unit_plural
FROM statements s
LEFT JOIN entities e ON e.item = s.subject
LEFT JOIN properties p ON p.property = s.property
LEFT JOIN units u ON u.unit = s.unit
LEFT JOIN entities v ON v.item = s.value_item
WHERE s.statement_id IN (SELECT unnest($1::VARCHAR[]))
ORDER BY s.subject, s.property, s.statement_id
"""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What a label may hold that would end a line or steer a terminal; shown as an escape."""

QUALIFIERS = {"start_time": "start time", "end_time": "end time", "point_in_time": "point in time"}


@dataclass(frozen=True)
class Fact:
    """A statement that an answer rests on."""

    statement_id: str
    subject: str
    """Item id with Q."""
    subject_label: str | None
    property: str
    """Property id with P."""
    property_label: str | None
    value: str
    rank: str
    url: str

    def __str__(self) -> str:
        """One line."""
        named = f"{self.property_label} ({self.property})" if self.property_label else self.property
        subject = self.subject_label or self.subject
        return f"{subject} — {named}: {self.value} · rank {self.rank} · {self.url} · statement {self.statement_id}"


@dataclass(frozen=True)
class Explanation:
    """An item with what it is derived from.

    Attributes:
        family: Its family.
        item_id: Its id.
        text: The item, to read.
        answer: Its answer.
        derived: What the check derives from the facts: the answer once, if the item is right.
        metadata: What else the item says, in plain words, by name.
        facts: The statements that the answer is derived from.
        group: What the item was made from, such as its template.
        version: The version of that.
        rule: How the answer follows from the facts.
        check: The SQL that derives it.
    """

    family: str
    item_id: int | str
    text: str
    answer: list[str]
    derived: list[list[str]]
    metadata: dict[str, str]
    facts: list[Fact]
    group: str
    version: int
    rule: str
    check: str

    def as_json(self) -> dict[str, Any]:
        """All of it as data; the id is a text, since JSON's numbers have 53 bits for many readers."""
        return {**asdict(self), "item_id": str(self.item_id)}

    def render(self) -> str:
        """All of it to read."""
        right = [sorted(answer) for answer in self.derived] == [sorted(self.answer)]
        given = " OR ".join(", ".join(answer) for answer in self.derived) or "NOTHING"
        verdict = "the facts give the same" if right else f"THE FACTS GIVE {given}"
        lines = [self.text, f"  {', '.join(self.answer)}  ({verdict})", ""]
        lines += [f"Facts ({len(self.facts)}):" if self.facts else "Facts: the check names none"]
        lines += [f"  {fact}" for fact in self.facts[:SHOWN]]
        if len(self.facts) > SHOWN:
            lines.append(f"  … and {len(self.facts) - SHOWN} more; --json prints all")
        lines += ["", f"Rule: {self.rule}", "", "The item:"]
        width = max(map(len, self.metadata), default=0)
        lines += [f"  {name:<{width}}  {value}" for name, value in self.metadata.items()]
        lines += ["", f"The check of {self.group}, version {self.version}:"]
        lines += [f"  {line}" for line in self.check.strip().splitlines()]
        return "\n".join(CONTROL.sub(lambda found: ascii(found.group())[1:-1], line) for line in lines)


def explain(dataset: str | Path, item_id: int | str, family: str | None = None) -> Explanation:
    """Explain an item of a dataset.

    Args:
        dataset: Folder of the dataset, on a local disk.
        item_id: Which item.
        family: Its family; by default the first that has an item of this id.

    Raises:
        InputError: There is no such dataset, family or item, or no check of its group and version.
    """
    manifest = load_manifest(dataset)
    for name in select_families(manifest, [family] if family else []):
        checks = FamilyChecks(dataset, name)
        key = _find_item(Path(dataset), checks, item_id)
        if key is not None:
            return _explain(dataset, checks, manifest, key)
    raise InputError(f"{dataset}: no item {item_id}")


def _find_item(dataset: Path, checks: FamilyChecks, item_id: int | str) -> Any | None:
    """The id as the family's table has it; None where there is no such item."""
    items = checks.plan.items
    tables = find_tables(dataset, checks.plan.family)
    if items.table not in tables:
        raise InputError(f"{dataset}: no parquet files in {checks.plan.family}/{items.table}")
    with open_dataset(dataset, {"found": tables[items.table]}) as db:
        (id_type,) = db.table("found").select(items.id).types
        found = db.execute(
            f'SELECT "{items.id}" FROM found WHERE "{items.id}" = try_cast($1 AS {id_type})', [str(item_id)]
        ).fetchall()
    return found[0][0] if found else None


def _explain(dataset: str | Path, checks: FamilyChecks, manifest: Mapping[str, Any], key: Any) -> Explanation:
    """Explain an item that is there."""
    plan = checks.plan
    items = plan.items
    with open_family(dataset, checks, manifest) as db:
        db.execute(f'CREATE TABLE item AS SELECT * FROM {ALL_ITEMS} WHERE "{items.id}" = $1', [key])
        db.execute("CREATE VIEW items AS SELECT * FROM item")
        for name in plan.setup:
            run_sql(db, checks.read(name), checks.locate(name))
        found = db.execute("SELECT * FROM item")
        row = dict(zip([column[0] for column in found.description or ()], found.fetchall()[0], strict=True))
        group = row[items.group]
        derivation = require_derivation(checks, group, row[items.version] if items.version else 1)
        select_group(db, items.group, group)
        create_derivation(db, checks, group)
        try:
            derived = db.execute(f"SELECT answer, facts FROM {DERIVATION}").fetchall()
        except duckdb.Error as error:
            raise translate_error(checks.locate(derivation.file), error) from None
        return Explanation(
            family=plan.family,
            item_id=key,
            text=row[items.text],
            answer=list(row[items.answer] or ()),
            derived=[list(answer or ()) for answer, _ in derived],
            metadata=_show_item(db, checks),
            facts=_list_facts(db, sorted({fact for _, ids in derived for fact in ids or ()})),
            group=group,
            version=derivation.version,
            rule=derivation.rule,
            check=checks.read(derivation.file),
        )


def _show_item(db: duckdb.DuckDBPyConnection, checks: FamilyChecks) -> dict[str, str]:
    """What an item says beside its answer, by the family's SQL."""
    source = checks.locate(checks.plan.show)
    before, last = split_last(db, checks.read(checks.plan.show), source)
    try:
        for statement in before:
            db.execute(statement)
        return {str(name): str(value) for name, value in db.execute(last).fetchall()}
    except (duckdb.Error, ValueError) as error:
        if isinstance(error, duckdb.Error):
            raise translate_error(source, error) from None
        raise InputError(f"{source}: it must yield name and value") from None


def _list_facts(db: duckdb.DuckDBPyConnection, ids: list[str]) -> list[Fact]:
    """The statements with these ids, in words."""
    found = db.execute(FACTS, [ids])
    names = [column[0] for column in found.description or ()]
    return [_read_fact(dict(zip(names, row, strict=True))) for row in found.fetchall()]


def _read_fact(row: Mapping[str, Any]) -> Fact:
    qualifiers = [f"{words} {_time(row[name])}" for name, words in QUALIFIERS.items() if row[name]]
    if row["ordinal"] is not None:
        qualifiers.append(f"series ordinal {row['ordinal']}")
    value = _value(row) + (f" ({', '.join(qualifiers)})" if qualifiers else "")
    return Fact(
        statement_id=row["statement_id"],
        subject=f"Q{row['subject']}",
        subject_label=row["subject_label"],
        property=f"P{row['property']}",
        property_label=row["property_label"],
        value=value,
        rank=row["rank"],
        url=f"https://www.wikidata.org/wiki/Q{row['subject']}#P{row['property']}",
    )


def _value(row: Mapping[str, Any]) -> str:
    """A statement's value as it is read."""
    if row["snak"] != "value":
        return "unknown value" if row["snak"] == "somevalue" else "no value"
    if row["value_item"] is not None:
        return f"{row['value_label']} (Q{row['value_item']})" if row["value_label"] else f"Q{row['value_item']}"
    if row["first_day"] is not None:
        return _day(row["first_day"], row["precision"])
    if row["amount"] is not None:
        number = f"{row['amount']:f}"
        number = number.rstrip("0").rstrip(".") if "." in number else number
        unit = row["unit_name"] if number == "1" else row["unit_plural"]
        return f"{number} {unit}" if unit else number
    return str(row["value_text"])


def _time(qualifier: Mapping[str, Any]) -> str:
    """A dating qualifier as it is read."""
    if qualifier["snak"] == "value" and qualifier["first_day"] is not None:
        return _day(qualifier["first_day"], qualifier["precision"])
    return {"somevalue": "unknown", "novalue": "none"}.get(qualifier["snak"], str(qualifier["snak"]))


def _day(first_day: Any, precision: int | None) -> str:
    """A time by its precision."""
    text = str(first_day.isoformat())
    if precision is None or precision >= Precision.DAY:
        return text
    if precision < Precision.YEAR:
        return f"{text[:4]} (Wikidata precision {precision})"
    return text[:4] if precision == Precision.YEAR else text[:7]
