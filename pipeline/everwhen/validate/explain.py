"""One item explained: what it says in plain words, the statements its answer is derived from, and the rule."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.database import find_files, list_rows, open_dataset, translate_error
from everwhen.validate.explanation import Disagreement, Explanation, Fact, FilledSlot, Note
from everwhen.validate.fact_texts import list_facts
from everwhen.validate.item_queries import find_wrong_queries
from everwhen.validate.manifest import load_manifest
from everwhen.validate.plan import SHARED, Check, Derivation, FamilyChecks
from everwhen.validate.queries import (
    ALL_ITEMS,
    DERIVATION,
    RENDERING,
    create_derivation,
    create_rendering,
    open_family,
    require_derivation,
    run_before_last,
    run_setup,
    select_families,
    select_group,
)
from everwhen.validate.version import name_other_version

DEFINITION = re.compile(r"((?:^--[^\n]*\n)*^CREATE (?:VIEW|TABLE|MACRO) (\w+)\b.*?;)$", flags=re.MULTILINE | re.DOTALL)
"""A view, table or macro that a file of checks defines, with the comment above it."""

READ = re.compile(r"\b(?:(?<=FROM )|(?<=JOIN ))(\w+)|\b(\w+)(?=\()")
"""A table that SQL reads, or a macro that it calls."""

HAS_ID = '"{column}" = try_cast($1 AS {type}) AND "{column}"::VARCHAR = $1'
"""The item that is sought: the first part skips row groups by Bloom filters, the second refuses 7.5, cast to 8."""

DECLARED = "FROM (VALUES\n"
"""Tables with what `templates/` declares have hundreds of lines; they are data, not rules."""


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
    names = select_families(manifest, [family] if family else [])
    for name in names:
        with name_other_version(dataset, manifest, [name]):
            checks = FamilyChecks(dataset, name)
            found = _find_item(Path(dataset), checks, manifest, item_id)
            if found is not None:
                return _explain(dataset, checks, manifest, found)
    absent = [name for name in names if not manifest["families"][name]["rows"]]
    why = f"; {' and '.join(absent)} has no items, and report.md says why" if absent else ""
    raise InputError(f"{dataset}: no item {item_id}{why}")


class FoundItem(NamedTuple):
    """An item that is there: its row, how its answer is derived, and the explained checks that concern it."""

    row: dict[str, Any]
    derivation: Derivation
    explained: list[Check]


def _find_item(
    dataset: Path, checks: FamilyChecks, manifest: Mapping[str, Any], item_id: int | str
) -> FoundItem | None:
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
        condition = HAS_ID.format(column=items.id, type=id_type)
        db.execute(f"CREATE TABLE item AS SELECT * FROM found WHERE {condition}", [str(item_id).strip()])
        rows = _run(db, "SELECT * FROM item", items.table)
        applies = f"SELECT [{', '.join(conditions)}]::BOOLEAN[] AS concern FROM item"
        concern = _run(db, applies, checks.locate("checks.json"))
    if not rows:
        return None
    derivation = require_derivation(checks, rows[0][items.group], rows[0][items.version] if items.version else 1)
    chosen = [check for check, concerns in zip(explained, concern[0]["concern"], strict=True) if concerns]
    return FoundItem(rows[0], derivation, chosen)


def _explain(dataset: str | Path, checks: FamilyChecks, manifest: Mapping[str, Any], found: FoundItem) -> Explanation:
    """Explain an item that was found."""
    row, derivation, explained = found
    items = checks.plan.items
    key, group = row[items.id], row[items.group]
    with _open_item(dataset, checks, manifest, found) as db:
        answers = _run(db, f"SELECT answer, facts FROM {DERIVATION}", checks.locate(derivation.file))
        derived = [list(answer["answer"] or ()) for answer in answers]
        answer = list(row[items.answer] or ())
        disagreements = _compare_answer(answer, derived, derivation)
        notes = []
        for check in explained:
            disagreements += _find_disagreements(db, checks, check)
            notes += _list_notes(db, checks, check)
        disagreements += _compare_text(db, checks, group, derivation)
        return Explanation(
            family=checks.plan.family,
            item_id=key,
            text=row[items.text],
            answer=answer,
            derived=derived,
            disagreements=disagreements,
            item={**row, items.id: str(key)},
            metadata=_show_item(db, checks),
            slots=_list_slots(db, checks, derivation),
            reads_facts=checks.plan.reads_facts,
            facts=_list_facts(db, checks, {fact for answer in answers for fact in answer["facts"] or ()}),
            notes=notes,
            group=group,
            version=derivation.version,
            rule=derivation.rule,
            check=checks.read(derivation.file),
            views=_find_definitions(checks, checks.read(derivation.file)),
        )


@contextmanager
def _open_item(
    dataset: str | Path, checks: FamilyChecks, manifest: Mapping[str, Any], found: FoundItem
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection with an item, the derivation of its group, and the definitions that its checks read."""
    plan, (row, derivation, explained) = checks.plan, found
    files = [*(check.file for check in explained), *(name for name in (derivation.text, derivation.slots) if name)]
    texts = [checks.read(name) for name in files]
    with open_family(dataset, checks, manifest, texts) as db:
        db.execute(f'CREATE TABLE item AS SELECT * FROM {ALL_ITEMS} WHERE "{plan.items.id}" = $1', [row[plan.items.id]])
        db.execute("CREATE VIEW items AS SELECT * FROM item")
        run_setup(db, checks, texts)
        select_group(db, plan.items.group, row[plan.items.group])
        create_derivation(db, checks, row[plan.items.group])
        yield db


def _run(db: duckdb.DuckDBPyConnection, sql: str, source: str, needed: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Run a query from a file of the dataset, and return its rows.

    Raises:
        InputError: It cannot run, or lacks a column that is needed.
    """
    try:
        found = db.sql(run_before_last(db, sql, source))
        if missing := [name for name in needed if name not in found.columns]:
            raise InputError(f"{source}: it must yield {', '.join(needed)}; {missing[0]} is missing")
        return list_rows(found)
    except duckdb.Error as error:
        raise translate_error(source, error) from None


def _compare_answer(answer: list[str], derived: list[list[str]], derivation: Derivation) -> list[Disagreement]:
    """Compare the answer of the item with those that the facts give."""
    in_order = list if derivation.is_ordered else sorted
    if [in_order(each) for each in derived] == [in_order(answer)]:
        return []
    return [Disagreement("answer", answer, derived)]


def _find_disagreements(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, check: Check) -> list[Disagreement]:
    """Find in what a check of all items contradicts the item."""
    source = checks.locate(check.file)
    if check.queried_tables:
        last = run_before_last(db, checks.read(check.file), source)
        wrong = find_wrong_queries(db, check, last, source)
        return [Disagreement(w.name, _read_json(w.actual), _read_json(w.expected)) for w in wrong]
    found = _run(db, checks.read(check.file), source, ("name", "actual", "expected"))
    return [Disagreement(w["name"], _read_json(w["actual"]), _read_json(w["expected"])) for w in found]


def _list_notes(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, check: Check) -> list[Note]:
    """List what a check that was run shows of the item."""
    show = check.explained.show if check.explained else ""
    rows = _run(db, checks.read(show), checks.locate(show), ("name", "value", "facts"))
    return [Note(str(s["name"]), str(s["value"]), _list_facts(db, checks, set(s["facts"] or ()))) for s in rows]


def _list_facts(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, ids: set[str | None]) -> list[Fact]:
    """List the statements with these ids, in words; none where the checks read no facts."""
    return list_facts(db, ids) if checks.plan.reads_facts else []


def _read_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _compare_text(
    db: duckdb.DuckDBPyConnection, checks: FamilyChecks, group: str, derivation: Derivation
) -> list[Disagreement]:
    """Compare the text of the item with the one that the facts give."""
    if derivation.text is None:
        return []
    create_rendering(db, checks, group, derivation.text)
    found = _run(db, f"SELECT actual, expected FROM {RENDERING}", checks.locate(derivation.text))
    texts = [str(row["expected"]) for row in found if row["expected"] is not None]
    (actual,) = {row["actual"] for row in found} or {None}
    if len(found) == 1 and texts == [actual]:
        return []
    return [Disagreement("text", actual, " OR ".join(texts) or "no text")]


def _list_slots(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, derivation: Derivation) -> list[FilledSlot]:
    """List the slots of the text, and what each part refers to."""
    if derivation.slots is None:
        return []
    found = _run(db, checks.read(derivation.slots), checks.locate(derivation.slots), ("slot", "text", "meaning"))
    # Words of a path may be split around the name, with nothing on one side.
    parts = (FilledSlot(*(str(row[name]).strip() for name in ("slot", "text", "meaning"))) for row in found)
    return [part for part in parts if part.text]


def _show_item(db: duckdb.DuckDBPyConnection, checks: FamilyChecks) -> dict[str, str]:
    """Show the metadata of the item, by name."""
    show = checks.plan.show
    found = _run(db, checks.read(show), checks.locate(show), ("name", "value"))
    return {str(row["name"]): str(row["value"]) for row in found}


def _find_definitions(checks: FamilyChecks, sql: str) -> dict[str, str]:
    """Find the definitions that an SQL text reads, directly or through others, by name in order."""
    known = _list_definitions(checks)
    read, waiting = set[str](), [sql]
    while waiting:
        found = (known.keys() & chain.from_iterable(READ.findall(waiting.pop()))) - read
        read |= found
        waiting += [known[name] for name in found]
    return {name: text for name, text in known.items() if name in read}


def _list_definitions(checks: FamilyChecks) -> dict[str, str]:
    """List what the shared files and those of the family define, by name in order."""
    shared = SHARED if checks.plan.reads_facts else ()
    files = [checks.read_shared(name) for name in shared] + [checks.read(name) for name in checks.plan.setup]
    return {name: text for file in files for text, name in DEFINITION.findall(file) if DECLARED not in text}
