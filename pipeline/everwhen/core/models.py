"""Files of data as typed models: strict pydantic models, read from YAML with errors that name file and key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from everwhen.core.config_errors import find_config_errors
from everwhen.core.errors import InputError
from everwhen.core.yaml_text import parse_yaml

Model = TypeVar("Model", bound=BaseModel)


class StrictModel(BaseModel):
    """A part of a template file: every key known, nothing changed after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_yaml(path: Path) -> Any:
    """Read the content of a YAML file.

    Raises:
        InputError: It cannot be read; the message names file and line.
    """
    try:
        return parse_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, InputError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None


def validate_model(model: type[Model], data: Any, path: Path | str) -> Model:
    """Validate `data` as `model`.

    Raises:
        InputError: It does not fit; the message names file and key.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{path}: a mapping of keys to values is expected")
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        raise InputError("\n".join(f"{path}: {error}" for error in find_config_errors(error, model))) from None
