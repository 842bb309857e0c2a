"""The table `wrong`: how many items are wrong by which check, and examples with what the facts give instead."""

from __future__ import annotations

import json
from typing import Any

import duckdb

from everwhen.validate.plan import FamilyChecks
from everwhen.validate.queries import ALL_ITEMS, create_derivation
from everwhen.validate.verification import Mismatch

EXAMPLES = 3
"""Wrong items shown of each group and check."""

EXAMPLES_OF_EACH = f"""
CREATE TABLE shown AS
    SELECT * FROM wrong
    QUALIFY row_number() OVER (PARTITION BY "group", name ORDER BY item_id) <= {EXAMPLES}
"""

DERIVE_AGAIN = """
SELECT {id}, to_json(list({parts} ORDER BY {parts})) FROM derivation GROUP BY {id}
"""


def create_wrong(db: duckdb.DuckDBPyConnection, checks: FamilyChecks) -> None:
    """Create the table `wrong`: an item, its group, the name of a check, what the item says and what the facts give."""
    items = checks.plan.items
    db.execute(
        f'CREATE TABLE wrong AS SELECT "{items.id}" AS item_id, "{items.group}" AS "group", \'\' AS name, '
        f"NULL::JSON AS actual, NULL::JSON AS expected FROM {ALL_ITEMS} LIMIT 0"
    )


def count_wrong(db: duckdb.DuckDBPyConnection, column: str) -> dict[str, int]:
    """Count the items that are wrong, by a column of `wrong`."""
    return dict(db.execute(f"SELECT {column}, count(DISTINCT item_id) FROM wrong GROUP BY 1").fetchall())


def collect_examples(db: duckdb.DuckDBPyConnection, checks: FamilyChecks) -> list[Mismatch]:
    """Collect the first wrong items of each group and check, with what the facts give.

    Args:
        db: A connection with `items` and `wrong`.
        checks: The checks of the family.
    """
    db.execute(EXAMPLES_OF_EACH)
    derived = _derive_again(db, checks)
    items = checks.plan.items
    found = db.execute(
        f"""SELECT s.item_id, s."group", s.name, i."{items.text}", s.actual, s.expected
        FROM shown s JOIN items i ON i."{items.id}" = s.item_id ORDER BY 2, 3, 1"""
    ).fetchall()
    return [
        Mismatch(
            item_id=key,
            group=group,
            check=name,
            text=text,
            actual=json.loads(actual) if actual else None,
            expected=derived.get(key, []) if name == "answer" else json.loads(expected) if expected else None,
        )
        for key, group, name, text, actual, expected in found
    ]


def _derive_again(db: duckdb.DuckDBPyConnection, checks: FamilyChecks) -> dict[Any, Any]:
    """By id, all answers that the checks give for the examples whose answer is wrong."""
    key = f'"{checks.plan.items.id}"'
    derived: dict[Any, Any] = {}
    groups = db.execute("SELECT DISTINCT \"group\" FROM shown WHERE name = 'answer'").fetchall()
    for (group,) in groups:
        db.execute(
            f"CREATE OR REPLACE TABLE doubtful AS SELECT * FROM items WHERE {key} IN "
            "(SELECT item_id FROM shown WHERE name = 'answer' AND \"group\" = $1)",
            [group],
        )
        db.execute("CREATE OR REPLACE VIEW q AS SELECT * FROM doubtful")
        create_derivation(db, checks, group)
        # As they are compared: where the order means something, an example shows it.
        parts = "answer" if checks.plan.derivations[group].is_ordered else "list_sort(answer)"
        sql = DERIVE_AGAIN.format(id=key, parts=parts)
        derived |= {item: json.loads(text) for item, text in db.execute(sql).fetchall()}
    return derived
