"""The Arrow schema of a table, without asking Spark, which starts a JVM to parse a type."""

from __future__ import annotations

import re

import pyarrow as pa

from everwhen.core.table import Table

TYPES = {
    "bigint": pa.int64(),
    "int": pa.int32(),
    "tinyint": pa.int8(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "date": pa.date32(),
}


def convert_schema(table: Table) -> pa.Schema:
    """The schema as Spark would give it to Arrow."""
    return pa.schema([pa.field(c.name, convert_type(c.type), c.nullable) for c in table.columns])


def convert_type(ddl: str) -> pa.DataType:
    """A type of Spark's DDL as Arrow has it."""
    ddl = ddl.strip().lower()
    if ddl.startswith("array<"):
        return pa.list_(pa.field("element", convert_type(ddl[6:-1])))
    if ddl.startswith("struct<"):
        fields = re.findall(r"(\w+)\s*:\s*((?:[^,(<]|\([^)]*\))+)", ddl[7:-1])  # none of ours has a nested one
        return pa.struct([(name, convert_type(type_)) for name, type_ in fields])
    if ddl.startswith("map<"):
        key, value = map(convert_type, ddl[4:-1].split(",", 1))
        return pa.map_(key, value)
    if found := re.fullmatch(r"decimal\((\d+),\s*(\d+)\)", ddl):
        return pa.decimal128(int(found[1]), int(found[2]))
    return TYPES[ddl]
