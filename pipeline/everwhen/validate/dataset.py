"""The suites of a dataset folder: those of its published tables, and of tables that the build passes along."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from everwhen.validate.database import open_dataset
from everwhen.validate.expectations import Validation
from everwhen.validate.suites import SuiteResult

SUITES = Path(__file__).resolve().parent / "suites"
"""The suites of the facts and of tables that every build has."""


def run_suites(
    dataset: str | Path,
    published: Mapping[str, Path],
    internal: Mapping[str, tuple[Path, pa.Table]] | None = None,
    *,
    parameters: Mapping[str, dt.date] | None = None,
) -> list[SuiteResult]:
    """Run the suite of every table of a dataset that is being published.

    Args:
        dataset: Folder of the dataset, on a local disk.
        published: By a table's folder in the dataset, the file of its suite; tables without files are left out.
        internal: Tables that are not published, by what reports call them: the file of the suite, and the rows.
        parameters: Days for `$name` in the suites' columns.

    Raises:
        InputError: A table cannot be read, or a suite is missing, malformed or cannot be computed.
    """
    validation = Validation()
    for name, suite in published.items():
        if files := sorted((Path(dataset) / name).glob("*.parquet")):
            with open_dataset(dataset, {"published": files}) as db:
                validation.run(db, "published", suite, called=name.replace("/", "-"), parameters=parameters)
    for name, (suite, rows) in (internal or {}).items():
        with open_dataset(dataset, {}) as db:
            db.register("internal", rows)
            validation.run(db, "internal", suite, called=name, parameters=parameters)
    return validation.results
