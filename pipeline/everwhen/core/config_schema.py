"""The JSON schema of configurations, by which an editor completes keys and marks what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, create_model

from everwhen.core.config import Config


def build_schema(families: Mapping[str, type[BaseModel]]) -> dict[str, Any]:
    """Build the schema.

    Args:
        families: The model of each family's section, by the family's name.
    """
    fields: dict[str, Any] = {name: (model, model()) for name, model in families.items()}
    sections: Any = create_model("Families", **fields)
    full_schema = create_model("Configuration", __base__=Config, families=(sections, sections()))
    full_schema.__doc__ = Config.__doc__
    schema = full_schema.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_close(schema)}


def _close(schema: Any) -> Any:
    """Close the sections of families, which name no other key, and put every text on one line."""
    if isinstance(schema, list):
        return [_close(each) for each in schema]
    if isinstance(schema, str):
        return re.sub(r"\s+", " ", schema).strip()
    if not isinstance(schema, dict):
        return schema
    closed = {key: _close(each) for key, each in schema.items()}
    if schema.get("title") == "Families":
        closed["additionalProperties"] = False
    return closed
