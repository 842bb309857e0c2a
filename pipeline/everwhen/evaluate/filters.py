"""Filters: which items of a family are asked or scored, by the values of their slices and by their year."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Unpack

import duckdb

from everwhen.core.config_errors import suggest_name
from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import Chosen, open_items

Filters = Mapping[str, Sequence[str]]
"""By the name of a column, the values of which an item must have one; all names hold together."""

MAX_VALUES_SHOWN = 20
"""Values that a message lists."""

RANGE = re.compile(r"(?P<first>-?\d{1,6})-(?P<last>-?\d{1,6})")


def filter_ids(
    dataset: str | Path, family: str, evaluation: Evaluation, filters: Filters, **among: Unpack[Chosen]
) -> list[int]:
    """Filter items by their values: all of the family, or those that are chosen as `open_items` does.

    Returns:
        The ids of the items that fit, ascending; at least one.

    Raises:
        InputError: The family has no such column, or no item that fits the filters before has such a value; or as of
            `open_items`.
    """
    place = f"{dataset}: {family}"
    with open_items(dataset, family, **among) as db:
        _require_columns(db, place, evaluation, filters)
        columns = ", ".join(f'"{name}"::VARCHAR AS "{name}"' for name in filters)
        db.execute(f"CREATE TABLE filtered AS SELECT item_id, {columns} FROM ({evaluation.filters or evaluation.gold})")
        for name, wanted in filters.items():
            found = db.sql(f'SELECT DISTINCT "{name}" FROM filtered WHERE "{name}" IS NOT NULL ORDER BY 1').fetchall()
            fitting = _match_values(place, name, wanted, [value for (value,) in found])
            db.execute(
                f'DELETE FROM filtered WHERE "{name}" IS NULL OR NOT list_contains($1::VARCHAR[], "{name}")', [fitting]
            )
        return [item for (item,) in db.sql("SELECT item_id FROM filtered ORDER BY item_id").fetchall()]


def _require_columns(db: duckdb.DuckDBPyConnection, place: str, evaluation: Evaluation, filters: Filters) -> None:
    """Refuse names of columns that the family's items cannot be chosen by."""
    columns = list(evaluation.slices)
    if evaluation.filters is not None:
        columns = [name for name in db.sql(f"FROM ({evaluation.filters}) LIMIT 0").columns if name != "item_id"]
    for name in filters:
        if name not in columns:
            hint = "; give --split." if name == "split" else suggest_name(name, columns)
            raise InputError(
                f"--where {name}: {place} has no such column{_continue(hint, 'it has')} {', '.join(columns)}"
            )


def _match_values(place: str, name: str, wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """Match what is wanted with the values that there are; refuse what fits none."""
    fitting: list[str] = []
    for text in wanted:
        found = [value for value in known if fits(value, text)]
        if not found:
            _require_order(name, text)
            shown = ", ".join(known[:MAX_VALUES_SHOWN]) or "none"
            more = f" and {len(known) - MAX_VALUES_SHOWN:,} more" if len(known) > MAX_VALUES_SHOWN else ""
            hint = _continue(suggest_name(text, known), "there are")
            raise InputError(f"--where {name}={text}: {place} has no such item{hint} {shown}{more}")
        fitting += found
    return fitting


def _require_order(name: str, text: str) -> None:
    """Refuse a range whose first number is greater than its last."""
    if (found := RANGE.fullmatch(text)) and int(found["first"]) > int(found["last"]):
        raise InputError(f"--where {name}={text}: the range is reversed; write {found['last']}-{found['first']}")


def _continue(hint: str, words: str) -> str:
    """Go on in a message: in a sentence of its own where a hint has ended the one before."""
    return f"{hint} {words.capitalize()}" if hint else f"; {words}"


def fits(value: str, text: str) -> bool:
    """Tell whether a value fits: it is the text, fits it as a pattern with `*` and `?`, or is in a range of numbers.

    >>> fits("1994", "1990-1999"), fits("attribute.event.start", "attribute.*"), fits("sets", "set")
    (True, True, False)
    """
    if value == text or fnmatchcase(value, text):
        return True
    found = RANGE.fullmatch(text)
    return bool(found and re.fullmatch(r"-?\d+", value) and int(found["first"]) <= int(value) <= int(found["last"]))
