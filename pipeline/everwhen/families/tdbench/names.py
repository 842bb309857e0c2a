"""The names by which responses are read, before there is a dataset: of tables that are built or only inspected."""

from __future__ import annotations

import json
from collections.abc import Sequence

import duckdb
import pyarrow as pa

from everwhen.families.tdbench.aliases import read_aliases
from everwhen.families.tdbench.evaluation import EVALUATION
from everwhen.families.tdbench.evaluation.items import build_lexicons
from everwhen.families.tdbench.evaluation.recognition import list_unrecognised
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.source.open_table import OpenTable

ASKED = pa.schema([("declaration", pa.string()), ("asked", pa.list_(pa.string())), ("hops", pa.list_(pa.string()))])


def read_names(asked: pa.Table, values: pa.Table, accepted: pa.Table, declarations: pa.Table) -> pa.Table:
    """Read the names by which a response is read, as the evaluation does from a dataset.

    Args:
        asked: declaration, asked and hops (names of columns): what questions ask for.
        values: declaration, column and value: what rows have, each once.
        accepted: Columns of ACCEPTED_ANSWERS.
        declarations: declaration and text.
    """
    with duckdb.connect() as db:
        for name, table in (("asked_for", asked), ("field_values", values), ("accepted_answers", accepted)):
            db.register(name, table)
        db.register("declarations", declarations)
        db.execute(
            "CREATE VIEW items AS SELECT declaration, asked,"
            " list_transform(hops, lambda name: {'column': name}) AS hops FROM asked_for"
        )
        db.execute('CREATE VIEW rows AS SELECT declaration, map(["column"], ["value"]) AS fields FROM field_values')
        return db.sql(EVALUATION.tables["names"]).to_arrow_table()


def find_unrecognised_values(table: OpenTable, scopes: Sequence[Scope]) -> list[tuple[str, tuple[str, ...]]]:
    """Find the values of the columns asked for that the scorer does not recognise as an answer: columns and values."""
    declaration = table.declaration
    values = table.db.sql(
        'SELECT DISTINCT $1 AS declaration, field."key" AS "column", field."value" AS "value"'
        " FROM (SELECT unnest(map_entries(fields)) AS field FROM rows)",
        params=[declaration.name],
    ).to_arrow_table()
    text = json.dumps(declaration.model_dump(mode="json", by_alias=True, exclude_none=True), ensure_ascii=False)
    columns = ("answer", "scope", "kind", "text")
    aliases = [dict(zip(columns, row, strict=True)) for row in read_aliases([declaration])]
    named = read_names(
        pa.Table.from_pylist(
            [
                {"declaration": each.declaration, "asked": list(each.asked), "hops": []}
                for each in scopes
                if each.declaration == declaration.name
            ],
            ASKED,
        ),
        values,
        pa.Table.from_pylist(aliases, pa.schema([(name, pa.string()) for name in columns])),
        pa.table({"declaration": [declaration.name], "text": [text]}),
    )
    return list_unrecognised(build_lexicons(named))
