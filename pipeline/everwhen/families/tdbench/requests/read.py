"""Requests read from a file of JSON Lines; what is wrong with one is said with its line and key."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from everwhen.core.config_errors import find_config_errors, suggest_name
from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.requests.model import Request


def read_requests(path: Path, declaration: Declaration) -> list[Request]:
    """Read all requests of a file.

    Raises:
        InputError: The file cannot be read, or has no request; or lines that cannot be used, each with number and key.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not text in UTF-8") from None
    requests, errors = [], []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                requests.append(_read_request(line, declaration))
            except InputError as error:
                errors += [f"{path}:{number}: {each}" for each in str(error).splitlines()]
    if errors:
        raise InputError("\n".join(errors))
    if not requests:
        raise InputError(f"{path}: no requests; a JSON object on each line is expected")
    return requests


def _read_request(line: str, declaration: Declaration) -> Request:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}") from None
    if not isinstance(data, dict):
        raise InputError("a JSON object is expected")
    try:
        request = Request.model_validate(data)
    except ValidationError as error:
        raise InputError("\n".join(str(each) for each in find_config_errors(error, Request))) from None
    for key, names in (("given", request.given), ("asked", request.asked)):
        for name in names:
            if name not in declaration.columns:
                hint = suggest_name(name, declaration.columns) or f"; there are {', '.join(declaration.columns)}"
                raise InputError(f"{key}: the table has no column {name}{hint}")
    return request
