"""The statements from which answers are derived, as sentences: those that the checks of the dataset use.

A check derives each answer again and names the statements it used (`checks/<family>/answers/`). So every family whose
dataset can be verified has evidence.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa

from everwhen.validate.manifest import load_manifest
from everwhen.validate.plan import MATERIALIZED, FamilyChecks, materialize
from everwhen.validate.queries import (
    ALL_ITEMS,
    DERIVATION,
    create_derivation,
    open_family,
    require_derivation,
    run_sql,
    select_group,
)

SENTENCES = Path(__file__).resolve().parent / "sql" / "evidence.sql"


def read_evidence(dataset: str | Path, family: str, ids: Collection[int]) -> pa.Table:
    """Read the statements from which the answers of some items are derived.

    Returns:
        item_id, position from 1 in the order of statement ids, sentence; by ascending item_id and position. An item
        whose check yields nothing has no row.

    Raises:
        InputError: The dataset or its checks cannot be used.
        MachineFailed: Memory or disk does not suffice.
    """
    checks, manifest = FamilyChecks(dataset, family), load_manifest(dataset)
    items = checks.plan.items
    with open_family(dataset, checks, manifest) as db:
        db.execute("CREATE TABLE wanted_ids AS SELECT unnest($1::BIGINT[]) AS id", [list(ids)])
        db.execute(f'CREATE TABLE items AS SELECT * FROM {ALL_ITEMS} WHERE "{items.id}" IN (FROM wanted_ids)')
        db.execute("CREATE TABLE used_facts (item_id BIGINT, statement_id VARCHAR)")
        version = f'any_value("{items.version}")' if items.version else "1"
        groups = db.execute(f'SELECT "{items.group}", {version} FROM items GROUP BY ALL ORDER BY 1').fetchall()
        derivations = {group: require_derivation(checks, group, number) for group, number in groups}
        texts = [checks.read(derivation.file) for derivation in derivations.values()]
        for name in checks.plan.setup:
            run_sql(db, materialize(checks.read(name), texts, [*MATERIALIZED, *checks.plan.materialized]), name)
        for group in derivations:
            select_group(db, items.group, group)
            create_derivation(db, checks, group)
            db.execute(f'INSERT INTO used_facts SELECT "{items.id}", unnest(facts) FROM {DERIVATION}')
        return db.sql(SENTENCES.read_text(encoding="utf-8")).to_arrow_table()
