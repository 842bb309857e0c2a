"""Requests read from a file of JSON Lines; what is wrong with one is said with its line and key."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

from everwhen.core.config_errors import suggest_name
from everwhen.core.errors import InputError
from everwhen.core.models import validate_model
from everwhen.evaluate.retrieval.lines import read_lines
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.requests.model import Request


def read_requests(path: Path, declaration: Declaration) -> list[Request]:
    """Read all requests of a file.

    Raises:
        InputError: The file cannot be read, or has no request; or lines that cannot be used, each with number and key.
    """
    requests, errors = [], []
    for place, line in read_lines(path):
        try:
            requests.append(_read_request(line, place, declaration))
        except InputError as error:
            errors.append(str(error))
    if errors:
        raise InputError("\n".join(errors))
    if not requests:
        raise InputError(f"{path}: no requests; a JSON object on each line is expected")
    return requests


def _read_request(line: str, where: str, declaration: Declaration) -> Request:
    try:
        data = json.loads(normalize("NFC", line))
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not JSON: {error.msg}") from None
    if not isinstance(data, dict):
        raise InputError(f"{where}: a JSON object is expected")
    request = validate_model(Request, data, where)
    for key, names in (("given", request.given), ("asked", request.asked)):
        for name in names:
            if name not in declaration.columns:
                hint = suggest_name(name, declaration.columns) or f"; there are {', '.join(declaration.columns)}"
                raise InputError(f"{where}: {key}: the table has no column {name}{hint}")
    return request
