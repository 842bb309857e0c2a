"""The suites of a dataset folder: of every published table, and of what the build brings beside them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from everwhen.validate.expectations import Validation
from everwhen.validate.suites import SuiteResult
from everwhen.validate.views import opened, tables_of


def validated(
    dataset: str | Path,
    beside: Mapping[str, tuple[str, pa.Table]] | None = None,
    *,
    parameters: Mapping[str, dt.date] | None = None,
    docs: Path | None = None,
) -> list[SuiteResult]:
    """Run the suite of every table: the one of its name.

    Args:
        dataset: Folder with `questions/` and `facts/`, on a local disk.
        beside: Tables that are not published, by what reports call them: the suite, and the rows.
        parameters: Days for `$name` in the suites' columns.
        docs: Where Great Expectations' data docs are built; None: nowhere.

    Raises:
        InputError: There is no such dataset, or a suite is missing, malformed or cannot be computed.
    """
    validation = Validation(docs)
    with opened(dataset) as db:
        for name in tables_of(Path(dataset)):
            validation.run(db, name, name, parameters=parameters)
        for called, (suite, rows) in (beside or {}).items():
            db.register("beside", rows)
            validation.run(db, "beside", suite, called=called, parameters=parameters)
    validation.build_docs()
    return validation.results
