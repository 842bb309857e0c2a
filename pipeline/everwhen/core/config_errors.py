"""Errors of data that does not fit its model: what was found, and what is expected."""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

KeyPath = tuple[str | int, ...]
"""A key, as the keys and list positions that lead to it."""

EXPECTED = {
    "string_type": "text",
    "string_too_short": "text that is not empty",
    **dict.fromkeys(("int_type", "int_from_float", "int_parsing"), "a whole number"),
    **dict.fromkeys(("float_type", "finite_number", "float_parsing"), "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("list_type", "tuple_type"), "a list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "keys with values"),
    **dict.fromkeys(("literal_error", "enum"), "{expected}"),
    "greater_than_equal": "{ge} or more",
    "greater_than": "a number above {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "a number below {lt}",
}
"""What is expected, by the type of pydantic's error."""

REASONS = {
    "missing": "missing; it has no default",
    "invalid_key": "a key is expected to be text",
    "value_error": "{error}",
    "too_short": "{min_length} or more entries are expected, found {actual_length}",
    "too_long": "{max_length} or fewer entries are expected, found {actual_length}",
}
"""What is wrong, by the type of pydantic's error, where no value of another kind is expected."""

MAX_VALUE_LENGTH = 60
"""Characters of a value that a message shows."""


@dataclass(frozen=True)
class ConfigError:
    """An error in a configuration.

    Attributes:
        key: The key.
        reason: What was found, what is expected.
    """

    key: KeyPath
    reason: str

    def __str__(self) -> str:
        """Write key and reason."""
        return f"{format_key(self.key)}: {self.reason}" if self.key else self.reason


def format_key(key: KeyPath) -> str:
    """Write a place as messages show it: `window.start`, `budgets[2].rows`; list positions count from 1."""
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in key).removeprefix(".")


def find_config_errors(error: ValidationError, model: type[BaseModel], above: KeyPath = ()) -> list[ConfigError]:
    """Find the errors that pydantic reports, in our words.

    Args:
        error: What pydantic raised.
        model: The model that did not fit.
        above: The place at which the model begins.
    """
    return [_translate_error(detail, model, above) for detail in error.errors()]


def suggest_name(word: str, known: Iterable[str]) -> str:
    """Name what may have been meant, as the end of a sentence; empty where nothing is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def describe(value: Any) -> str:
    """Describe a value that does not fit; an address is not shown, since it may hold a password."""
    if isinstance(value, dt.date):
        return value.isoformat()
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        if "://" in value:
            return "an address"
        return f"the text {value if len(value) <= MAX_VALUE_LENGTH else value[:MAX_VALUE_LENGTH] + '…'!r}"
    return "keys with values" if isinstance(value, Mapping) else "a list"


def _translate_error(detail: ErrorDetails, model: type[BaseModel], above: KeyPath) -> ConfigError:
    kind, key = detail["type"], tuple(part for part in detail["loc"] if part != "[key]")
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "invalid_key":
        key = tuple(map(str, key))
    if kind == "extra_forbidden":
        reason = f"unknown key{suggest_name(str(key[-1]), _list_known_keys(model, key[:-1]))}"
    elif kind in REASONS:
        reason = REASONS[kind].format(**context)
    elif kind in EXPECTED:
        reason = _describe_mismatch(kind, detail["input"], context)
    else:
        reason = detail["msg"]  # our own validators' words
    return ConfigError((*above, *key), reason)


def _describe_mismatch(kind: str, found: Any, context: Mapping[str, Any]) -> str:
    expected = EXPECTED[kind].format(**context).replace("'", "")
    # Where text belongs, a number may be a secret.
    shown = "a number" if kind == "string_type" and type(found) in (int, float) else describe(found)
    verb = "are" if expected.startswith("keys") else "is"
    return f"{expected} {verb} expected, found {shown}{_suggest_value(kind, found, context)}"


def _suggest_value(kind: str, found: Any, context: Mapping[str, Any]) -> str:
    """Suggest what to write instead, where that is plain."""
    if kind == "string_type" and isinstance(found, bool | int | float):
        return "; put it in quotes"
    if kind in ("int_type", "float_type") and str(found).strip().isdecimal():
        return "; take the quotes away"
    if kind == "list_type" and isinstance(found, str):
        return "; put it in [brackets]"
    if kind == "literal_error" and isinstance(found, str):
        return suggest_name(found, re.findall("'(.*?)'", str(context["expected"])))
    return ""


def _list_known_keys(model: type[BaseModel], key: KeyPath) -> list[str]:
    for part in key:
        if isinstance(part, int):
            continue
        field = _find_fields(model).get(part)
        models = (field.annotation, *get_args(field.annotation)) if field else ()
        below = [kind for kind in models if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not below:
            return []
        model = below[0]
    return list(_find_fields(model))


def _find_fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Find the fields of a model by the names that files use."""
    return {field.alias or name: field for name, field in model.model_fields.items()}
