"""Which keys are ambiguous: a question about one of them would be one about the other."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.scopes import Scope

SCOPES_DDL = "scope_id string, declaration string, key_columns array<string>, words map<string,map<string,string>>"


def find_ambiguous_keys(rows: DataFrame, scopes: Sequence[Scope], declarations: Sequence[Declaration]) -> DataFrame:
    """Find the keys whose values read as those of another key: in the declared words, and in any capitals.

    Args:
        rows: Columns of ROWS.
        scopes: The scopes.
        declarations: Their declarations.

    Returns:
        Columns scope_id and key (the values of `Scope.key`), unique.
    """
    words = {
        declaration.name: {column: dict(values) for column, values in declaration.words.values.items()}
        for declaration in declarations
    }
    table = [(each.scope_id, each.declaration, list(each.key), words[each.declaration]) for each in scopes if each.key]
    asked = rows.sparkSession.createDataFrame(table, SCOPES_DDL)
    value = "try_element_at(fields, name)"
    worded = f"coalesce(try_element_at(try_element_at(words, name), {value}), {value})"
    keys = (
        rows.join(F.broadcast(asked), "declaration")
        .selectExpr(
            *("scope_id", f"transform(key_columns, name -> {value}) AS key"),
            f"transform(key_columns, name -> lower({worded})) AS reading",
        )
        .distinct()
    )
    found = keys.groupBy("scope_id", "reading").agg(F.collect_list("key").alias("keys")).where("size(keys) > 1")
    return found.select("scope_id", F.explode("keys").alias("key"))
