"""Read and check a configuration file; report each error with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError, create_model

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError, KeyPath, find_config_errors, suggest_name
from everwhen.core.errors import InputError
from everwhen.core.models import YamlDocument, YamlError

RENAMED: Mapping[str, KeyPath] = {"questions": ("families", "complextempqa")}
"""Keys of the release before, and their places now; they are refused in this release and unknown in the next."""


def load_config(path: str | Path, families: Mapping[str, type[BaseModel]]) -> Config:
    """Read a configuration file.

    Args:
        families: The model of each family's section, by the family's name. Where the file does not say which families
            are built, all of them are.

    Raises:
        InputError: There is no such file, it is no YAML mapping, a key is unknown, renamed or missing, or a value does
            not fit; a line for each error, with file, line and key, in the file's order.
    """
    document = _read_document(path)
    if not isinstance(document.content, dict):
        raise InputError(f"{path}:1: keys with values are expected, such as version: demo")
    content = {key: value for key, value in document.content.items() if key not in RENAMED}
    errors = [
        ConfigError((old,), f"is now {'.'.join(map(str, RENAMED[old]))}; move its keys there")
        for old in RENAMED
        if old in document.content
    ]
    sections = content.pop("families", None)
    try:
        config = Config.model_validate(content)
    except ValidationError as error:
        errors += find_config_errors(error, Config)
    found, wrong = _read_sections({name: {} for name in families} if sections is None else sections, families)
    errors += wrong
    if errors:
        raise InputError(_format_errors(path, document, errors))
    return config.model_copy(update={"families": found})


def format_errors(path: str | Path, errors: Iterable[ConfigError]) -> str:
    """Write a line for each error of a configuration that was read, with file, line and key, in the file's order."""
    return _format_errors(path, _read_document(path), errors)


def _format_errors(path: str | Path, document: YamlDocument, errors: Iterable[ConfigError]) -> str:
    placed = sorted((document.find_line(error.key), str(error)) for error in errors)
    return "\n".join(f"{path}:{line}: {text}" for line, text in placed)


def _read_document(path: str | Path) -> YamlDocument:
    try:
        return YamlDocument(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such configuration file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not text in UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except YamlError as error:
        raise InputError(f"{path}:{error.line}: {error.reason}") from None


def _read_sections(
    sections: Any, families: Mapping[str, type[BaseModel]]
) -> tuple[dict[str, BaseModel], list[ConfigError]]:
    """Read the families' sections, each as its model, and collect their errors."""
    there_are = ", ".join(families)
    if not isinstance(sections, dict) or not sections:
        return {}, [
            ConfigError(("families",), f"a name of a family with its section is expected; there are {there_are}")
        ]
    found, errors = {}, []
    for name, section in sections.items():
        if name not in families:
            near = suggest_name(str(name), families) or f"; there are {there_are}"
            errors.append(ConfigError(("families", str(name)), f"unknown family{near}"))
            continue
        try:
            found[name] = families[name].model_validate({} if section is None else section)
        except ValidationError as error:
            errors += find_config_errors(error, families[name], ("families", name))
    return found, errors


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
