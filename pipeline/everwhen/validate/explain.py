"""One item explained: what it says in plain words, the statements its answer is derived from, and the rule."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from everwhen.core.errors import InputError
from everwhen.temporal.precision import Precision
from everwhen.validate.database import find_files, open_dataset, split_last, translate_error
from everwhen.validate.explanation import Disagreement, Explanation, Fact, Note, Slot
from everwhen.validate.manifest import load_manifest
from everwhen.validate.plan import MATERIALIZED, SHARED, Check, Derivation, FamilyChecks, materialize
from everwhen.validate.queries import (
    ALL_ITEMS,
    DERIVATION,
    RENDERING,
    create_derivation,
    create_rendering,
    open_family,
    require_derivation,
    run_sql,
    select_families,
    select_group,
)

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

JOINED = ("subject_label", "property_label", "value_label", "unit_name", "unit_plural")
"""What FACTS has beside the columns of the statement."""

QUALIFIERS = {"start_time": "start time", "end_time": "end time", "point_in_time": "point in time"}

DEFINITION = re.compile(r"((?:^--[^\n]*\n)*^CREATE (?:VIEW|TABLE|MACRO) (\w+)\b.*?;)$", flags=re.MULTILINE | re.DOTALL)
"""A view, table or macro that a file of checks defines, with the comment above it."""

READ = re.compile(r"\b(?:(?<=FROM )|(?<=JOIN ))(\w+)|\b(\w+)(?=\()")
"""A table that SQL reads, or a macro that it calls."""

DECLARED = "FROM (VALUES\n"
"""Tables of what `templates/` declares are hundreds of lines; they are data, and no rule."""


def explain(dataset: str | Path, item_id: int | str, family: str | None = None) -> Explanation:
    """Explain an item of a dataset.

    The answer, the text, and what the family's plan says of explained checks are derived again.

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
        found = _find_item(Path(dataset), checks, manifest, item_id)
        if found is not None:
            return _explain(dataset, checks, manifest, found)
    raise InputError(f"{dataset}: no item {item_id}")


class Found(NamedTuple):
    """An item that is there: its row, how its answer is derived, and the explained checks that concern it."""

    row: dict[str, Any]
    derivation: Derivation
    explained: list[Check]


def _find_item(dataset: Path, checks: FamilyChecks, manifest: Mapping[str, Any], item_id: int | str) -> Found | None:
    """Find an item by its id; None where there is none.

    Raises:
        InputError: There is no table of items, or no check of the item's group and version.
    """
    items = checks.plan.items
    files = find_files(dataset, manifest, f"{checks.plan.family}/{items.table}")
    explained = [check for check in checks.plan.checks if check.explained is not None]
    conditions = [f"coalesce({check.explained.where}, false)" for check in explained if check.explained]
    with open_dataset(dataset, {"found": files}) as db:
        (id_type,) = db.table("found").select(items.id).types
        db.execute(
            f'CREATE TABLE item AS SELECT * FROM found WHERE "{items.id}" = try_cast($1 AS {id_type})', [str(item_id)]
        )
        rows = _run(db, "SELECT * FROM item", items.table)
        applies = f"SELECT [{', '.join(conditions)}]::BOOLEAN[] AS concern FROM item"
        concern = _run(db, applies, checks.locate("checks.json"))
    if not rows:
        return None
    derivation = require_derivation(checks, rows[0][items.group], rows[0][items.version] if items.version else 1)
    chosen = [check for check, concerns in zip(explained, concern[0]["concern"], strict=True) if concerns]
    return Found(rows[0], derivation, chosen)


def _explain(dataset: str | Path, checks: FamilyChecks, manifest: Mapping[str, Any], found: Found) -> Explanation:
    """Explain an item that is there."""
    plan, (row, derivation, explained) = checks.plan, found
    items = plan.items
    key, group = row[items.id], row[items.group]
    files = [*(check.file for check in explained), *(name for name in (derivation.text, derivation.slots) if name)]
    texts = [checks.read(name) for name in files]
    with open_family(dataset, checks, manifest, texts) as db:
        db.execute(f'CREATE TABLE item AS SELECT * FROM {ALL_ITEMS} WHERE "{items.id}" = $1', [key])
        db.execute("CREATE VIEW items AS SELECT * FROM item")
        for name in plan.setup:
            run_sql(db, materialize(checks.read(name), texts, [*MATERIALIZED, *plan.materialized]), checks.locate(name))
        select_group(db, items.group, group)
        create_derivation(db, checks, group)
        answers = _run(db, f"SELECT answer, facts FROM {DERIVATION}", checks.locate(derivation.file))
        derived = [list(answer["answer"] or ()) for answer in answers]
        answer = list(row[items.answer] or ())
        disagreements = []
        in_order = list if derivation.is_ordered else sorted
        if [in_order(each) for each in derived] != [in_order(answer)]:
            disagreements.append(Disagreement("answer", answer, derived))
        notes = []
        for check in explained:
            disagreements += _find_disagreements(db, checks, check)
            notes += _list_notes(db, checks, check)
        disagreements += _compare_text(db, checks, group, derivation)
        return Explanation(
            family=plan.family,
            item_id=key,
            text=row[items.text],
            answer=answer,
            derived=derived,
            disagreements=disagreements,
            item={**row, items.id: str(key)},
            metadata=_show_item(db, checks),
            slots=_list_slots(db, checks, derivation),
            facts=_list_facts(db, {fact for answer in answers for fact in answer["facts"] or ()}),
            notes=notes,
            group=group,
            version=derivation.version,
            rule=derivation.rule,
            check=checks.read(derivation.file),
            views=_find_definitions(checks, checks.read(derivation.file)),
        )


def _run(db: duckdb.DuckDBPyConnection, sql: str, source: str, needed: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of a query that a file of the dataset has.

    Raises:
        InputError: It cannot run, or lacks a column that is needed.
    """
    try:
        before, last = split_last(db, sql, source)
        for statement in before:
            db.execute(statement)
        found = db.sql(last)
        if missing := [name for name in needed if name not in found.columns]:
            raise InputError(f"{source}: it must yield {', '.join(needed)}; {missing[0]} is missing")
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    except duckdb.Error as error:
        raise translate_error(source, error) from None


def _find_disagreements(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, check: Check) -> list[Disagreement]:
    """In what a check of all items finds that the item is wrong."""
    found = _run(db, checks.read(check.file), checks.locate(check.file), ("name", "actual", "expected"))
    return [Disagreement(w["name"], _read_json(w["actual"]), _read_json(w["expected"])) for w in found]


def _list_notes(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, check: Check) -> list[Note]:
    """What a check that was run has to say of the item."""
    show = check.explained.show if check.explained else ""
    said = _run(db, checks.read(show), checks.locate(show), ("name", "value", "facts"))
    return [Note(str(s["name"]), str(s["value"]), _list_facts(db, set(s["facts"] or ()))) for s in said]


def _read_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _compare_text(
    db: duckdb.DuckDBPyConnection, checks: FamilyChecks, group: str, derivation: Derivation
) -> list[Disagreement]:
    """In what the text of the item is not what the facts give."""
    if derivation.text is None:
        return []
    create_rendering(db, checks, group, derivation.text)
    found = _run(db, f"SELECT actual, expected FROM {RENDERING}", checks.locate(derivation.text))
    texts = [str(row["expected"]) for row in found if row["expected"] is not None]
    (actual,) = {row["actual"] for row in found} or {None}
    if len(found) == 1 and texts == [actual]:
        return []
    return [Disagreement("text", actual, " OR ".join(texts) or "no text")]


def _list_slots(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, derivation: Derivation) -> list[Slot]:
    """What the text names, and what each part stands for."""
    if derivation.slots is None:
        return []
    found = _run(db, checks.read(derivation.slots), checks.locate(derivation.slots), ("slot", "text", "stands_for"))
    # Words of a path may be split around the name, with nothing on one side.
    parts = (Slot(*(str(row[name]).strip() for name in ("slot", "text", "stands_for"))) for row in found)
    return [part for part in parts if part.text]


def _show_item(db: duckdb.DuckDBPyConnection, checks: FamilyChecks) -> dict[str, str]:
    """What the item says beside its text and its answer, by name."""
    show = checks.plan.show
    found = _run(db, checks.read(show), checks.locate(show), ("name", "value"))
    return {str(row["name"]): str(row["value"]) for row in found}


def _find_definitions(checks: FamilyChecks, sql: str) -> dict[str, str]:
    """The definitions that an SQL text reads, and those that they read, by name in order."""
    files = [checks.read_shared(name) for name in SHARED] + [checks.read(name) for name in checks.plan.setup]
    known = {name: text for file in files for text, name in DEFINITION.findall(file) if DECLARED not in text}
    read, waiting = set[str](), [sql]
    while waiting:
        found = ({name for names in READ.findall(waiting.pop()) for name in names} & known.keys()) - read
        read |= found
        waiting += [known[name] for name in found]
    return {name: text for name, text in known.items() if name in read}


def _list_facts(db: duckdb.DuckDBPyConnection, ids: set[str | None]) -> list[Fact]:
    """The statements with these ids, in words."""
    found = db.execute(FACTS, [sorted(name for name in ids if name is not None)])
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
        statement={name: value for name, value in row.items() if name not in JOINED and value is not None},
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
