"""Croissant metadata: what a dataset holds, column by column, as machines read it (MLCommons, Croissant 1.0)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructType,
)

from everwhen.core.licences import PRIVATE, PUBLIC_DOMAIN
from everwhen.core.table import Table
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.credits import cite_dataset, date_dataset, find_licences
from everwhen.publish.evidence import select_facts
from everwhen.publish.markdown import TEMPLATES

CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"

CONTEXT = json.loads((TEMPLATES / "croissant-context.json").read_text(encoding="utf-8"))
"""The context that the specification gives."""

TYPES: Mapping[type[DataType], str] = {
    BooleanType: "sc:Boolean",
    ByteType: "cr:Int8",
    IntegerType: "cr:Int32",
    LongType: "cr:Int64",
    DecimalType: "cr:Float64",
    DateType: "sc:Date",
    StringType: "sc:Text",
}


def build_croissant(
    manifest: Mapping[str, Any], tables: Mapping[str, Table], names: Mapping[str, str], families: Sequence[FamilyBuild]
) -> dict[str, Any]:
    """Describe a dataset, the content of croissant.json: a JSON-LD document with a file set and a record set a table.

    Args:
        tables: The published tables, by their folder.
        names: The name of each table's record set, by folder.
        families: The families of the dataset, whose items have ids.
    """
    keys = {f"{family.name}/{family.items.table.name}": family.items.id for family in families}
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"everwhen-{manifest['version']}",
        "description": f"{manifest['rows']:,} temporal questions with answers, {_describe_origin(manifest, families)}",
        "license": _list_licences(manifest),
        "inLanguage": "en",
        "isLiveDataset": False,
        "version": manifest["version"],
        "datePublished": date_dataset(manifest),
        "citeAs": cite_dataset(manifest, families),
        "distribution": [
            {
                "@type": "cr:FileSet",
                "@id": f"{names[folder]}-files",
                "description": table.meaning,
                "encodingFormat": "application/x-parquet",
                "includes": f"{folder}/*.parquet",
            }
            for folder, table in tables.items()
        ],
        "recordSet": [_record_set(names[folder], table, keys.get(folder)) for folder, table in tables.items()],
    }


def _describe_origin(manifest: Mapping[str, Any], families: Sequence[FamilyBuild]) -> str:
    snapshot = f"(snapshot {manifest['snapshot']}), and"
    if select_facts(families):
        return f"made from Wikidata and Wikipedia {snapshot} the statements that the answers are derived from."
    return f"made from temporal tables {snapshot} the rows that the answers are derived from."


def _list_licences(manifest: Mapping[str, Any]) -> str | list[str]:
    """The licences: the address of CC0, and names of others."""
    found = sorted({CC0 if licence == PUBLIC_DOMAIN else licence or PRIVATE for licence in find_licences(manifest)})
    return found if len(found) > 1 else found[0]


def _record_set(name: str, table: Table, key: str | None) -> dict[str, Any]:
    identity = {} if key is None else {"key": {"@id": f"{name}/{key}"}}
    fields = []
    for column, field in zip(table.columns, table.schema.fields, strict=True):
        source = {"fileSet": {"@id": f"{name}-files"}, "extract": {"column": column.name}}
        fields.append(_build_field(f"{name}/{column.name}", column.meaning, field.dataType, source))
    return {"@type": "cr:RecordSet", "@id": name, "description": table.meaning, **identity, "field": fields}


def _build_field(id_: str, meaning: str, type_: DataType, source: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Build a field; the parts of a struct or a map are fields below it, of the same column.

    Args:
        id_: Its id.
        meaning: What it says.
        type_: Its Spark type.
        source: The files and the column.
        path: Where in the column its values are, as JSONPath without the root.
    """
    field: dict[str, Any] = {"@type": "cr:Field", "@id": id_, "description": meaning}
    parts: list[tuple[str, DataType, str]] = []
    below = path
    if isinstance(type_, ArrayType):
        field["repeated"] = True
        type_, below = type_.elementType, f"{path}[*]"
    if isinstance(type_, ArrayType):  # Croissant 1.0 has no lists of lists: the values of all
        type_, path, below = type_.elementType, below, f"{below}[*]"
    if isinstance(type_, StructType):
        parts = [(part.name, part.dataType, f"{below}.{part.name}") for part in type_.fields]
    if isinstance(type_, MapType):  # Croissant 1.0 has no maps: the entries of one are pairs of key and value
        field["repeated"] = True
        parts = [("key", type_.keyType, f"{path}[0]"), ("value", type_.valueType, f"{path}[1]")]
    if parts:
        name = id_.rpartition("/")[2]
        return {
            **field,
            "subField": [_build_field(f"{id_}/{part}", f"{part} of {name}", t, source, at) for part, t, at in parts],
        }
    taken = {**source, "transform": {"jsonPath": f"${path}"}} if path else source
    return {**field, "dataType": TYPES[type(type_)], "source": taken}
