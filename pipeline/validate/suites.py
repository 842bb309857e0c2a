"""Expectation suites (`suites/*.json`), run by Great Expectations on Spark."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pipeline.catalogue import Strict, checked
from pipeline.errors import InputError, ValidationFailed

ROWS_SHOWN = 10
FOLDER = Path(__file__).resolve().parent / "suites"


class Meta(Strict):
    """What a suite says about one expectation."""

    why: str
    """What is wrong with a row that does not meet it, or what is right with one that does."""


class Expectation(Strict):
    """One expectation in Great Expectations' own form."""

    type: str
    kwargs: dict[str, Any]
    meta: Meta

    def __str__(self) -> str:
        """The expectation as a call."""
        return f"{self.type}({', '.join(f'{key}={value!r}' for key, value in self.kwargs.items())})"


class Suite(Strict):
    """The expectations of one table."""

    name: str
    columns: dict[str, str] = Field(default_factory=dict)
    """Flat columns beside the table's own, as Spark SQL: Great Expectations looks into no array or struct."""
    expectations: list[Expectation] = Field(min_length=1)


@dataclass(frozen=True)
class Failure:
    """An expectation that was not met, with up to ten of the rows."""

    expectation: str
    why: str
    rows_wrong: int | None
    """How many rows do not meet it; None where it is about the table as a whole."""
    observed: Any
    """What was found instead, where it is about the table as a whole."""
    rows: tuple[dict[str, Any], ...]

    def __str__(self) -> str:
        """What failed, why it matters, and the rows."""
        found = f"found {self.observed}" if self.rows_wrong is None else f"{self.rows_wrong} rows"
        lines = [f"  {self.expectation}: {found}", f"    {self.why}"]
        lines += [f"    {json.dumps(row, ensure_ascii=False, default=str)}" for row in self.rows]
        return "\n".join(lines)


@dataclass(frozen=True)
class SuiteResult:
    """What came of one suite on one table."""

    suite: str
    table: str
    checked: int
    """How many expectations were run."""
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> int:
        """How many expectations were met."""
        return self.checked - len(self.failures)

    def __str__(self) -> str:
        """One line, and the failures below it."""
        head = f"{self.table}: {self.passed} of {self.checked} expectations met (suite {self.suite})"
        return "\n".join([head, *map(str, self.failures)])


def load_suite(name: str, folder: Path = FOLDER) -> Suite:
    """The suite `<folder>/<name>.json`.

    Raises:
        InputError: It cannot be read, has an unknown key, or Great Expectations does not take one of its expectations;
            the message names suite and expectation.
    """
    path = folder / f"{name}.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    suite = checked(Suite, data, path)
    if suite.name != name:
        raise InputError(f"{path}: name: {suite.name} is not the file's name")
    _build(suite.name, suite.expectations)
    return suite


def run_suite(
    spark: SparkSession,
    df: DataFrame,
    name: str,
    *,
    table: str = "",
    parameters: Mapping[str, Any] | None = None,
    folder: Path = FOLDER,
) -> SuiteResult:
    """Run a suite on a table.

    All counts come first, most of them in one pass over the data; rows are looked for only where a count is wrong.
    Nothing is cached: a table of parquet files is scanned again in less time than it is put into a cache. A frame that
    costs more than a scan is for the caller to write first.

    Args:
        spark: The session.
        df: The rows. For the suite `accounts`, the table `accounts` of one stage.
        name: The suite.
        table: What the report calls the rows; empty: the suite's name.
        parameters: Values for `{"$PARAMETER": …}` in the suite.
        folder: Where the suites are.

    Raises:
        InputError: The suite is malformed, names a column that there is none of, or cannot be computed.
    """
    suite = load_suite(name, folder)
    frame = books(df) if name == "accounts" else df
    frame = frame.select("*", *(F.expr(sql).alias(column) for column, sql in suite.columns.items()))
    for expectation in suite.expectations:
        for key in ("column", "column_A", "column_B"):
            if expectation.kwargs.get(key, frame.columns[0]) not in frame.columns:
                raise InputError(f"suite {name}: {expectation}: no column {expectation.kwargs[key]}")
    counted = _validate(name, frame, suite.expectations, "BOOLEAN_ONLY", parameters)
    failed = [e for e, result in zip(suite.expectations, counted, strict=True) if not result.success]
    failures: list[Failure] = []
    if failed:
        rows = {
            "result_format": "BASIC",
            "include_unexpected_rows": True,
            "partial_unexpected_count": ROWS_SHOWN,
        }
        shown = _validate(name, frame, failed, rows, parameters)
        failures = [_failure(e, result.result) for e, result in zip(failed, shown, strict=True)]
    return SuiteResult(name, table or name, len(suite.expectations), tuple(failures))


def require(results: Sequence[SuiteResult]) -> None:
    """Let nothing pass that a suite objects to.

    Raises:
        ValidationFailed: An expectation is not met; the message shows which, why, and up to ten rows of each.
    """
    broken = [result for result in results if result.failures]
    if broken:
        raise ValidationFailed("\n".join(map(str, broken)))


def books(accounts: DataFrame) -> DataFrame:
    """The books of a stage, unit by unit.

    Args:
        accounts: Table `accounts` of one stage.

    Returns:
        Columns unit, units_in, units_out (kept and rejected), unexplained (rejected without a reason), unknown (entries
        of another outcome) and least (the least number in any entry).
    """

    def units(condition: str) -> Any:
        return F.coalesce(F.sum(F.when(F.expr(condition), F.col("units"))), F.lit(0))

    return accounts.groupBy("unit").agg(
        units("outcome = 'in'").alias("units_in"),
        units("outcome in ('kept', 'rejected')").alias("units_out"),
        units("outcome = 'rejected' and trim(reason) = ''").alias("unexplained"),
        F.count_if(F.expr("outcome not in ('in', 'kept', 'rejected')")).alias("unknown"),
        F.min("units").alias("least"),
    )


def _failure(expectation: Expectation, result: Mapping[str, Any]) -> Failure:
    """What Great Expectations found, the columns that the expectation is about in front."""
    first = [v for k, v in expectation.kwargs.items() if k.startswith("column")]
    rows = []
    for row in result.get("unexpected_rows") or ():
        rows.append({**{c: row[c] for c in first if c in row}, **row})
    return Failure(
        expectation=str(expectation),
        why=expectation.meta.why,
        rows_wrong=result.get("unexpected_count"),
        observed=result.get("observed_value"),
        rows=tuple(rows),
    )


def _build(suite: str, expectations: Sequence[Expectation]) -> list[Any]:
    """The expectations as Great Expectations' objects, all of them.

    Its own ExpectationSuite logs a malformed expectation and goes on without it.
    """
    gx = _great_expectations()
    built = []
    for place, e in enumerate(expectations):
        try:
            configuration = gx.expectations.expectation_configuration.ExpectationConfiguration(
                type=e.type, kwargs=e.kwargs, meta={"place": place}
            )
            built.append(configuration.to_domain_obj())
        except Exception as error:
            raise InputError(f"suite {suite}: {e}: {' '.join(str(error).split())}") from None
    return built


def _validate(
    name: str,
    df: DataFrame,
    expectations: Sequence[Expectation],
    result_format: str | dict[str, Any],
    parameters: Mapping[str, Any] | None,
) -> list[Any]:
    """Great Expectations' result for each expectation, in the order given."""
    gx = _great_expectations()
    base = gx.data_context.types.base
    # The default stores would set up a docs site under the temp folder.
    project = base.DataContextConfig(
        store_backend_defaults=base.InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        analytics_enabled=False,
        progress_bars={"globally": False},
    )
    context = gx.get_context(mode="ephemeral", project_config=project)
    asset = context.data_sources.add_spark(name, persist=False).add_dataframe_asset(name)
    batch = asset.add_batch_definition_whole_dataframe(name)
    suite = context.suites.add(gx.ExpectationSuite(name, expectations=_build(name, expectations)))
    validation = context.validation_definitions.add(gx.ValidationDefinition(name=name, data=batch, suite=suite))
    try:
        outcome = validation.run(
            batch_parameters={"dataframe": df},
            result_format=result_format,
            expectation_parameters=dict(parameters or {}),
        )
    except gx.exceptions.SuiteParameterError as error:
        raise InputError(f"suite {name}: {error}") from None
    results = sorted(outcome.results, key=lambda r: int(r.expectation_config.meta["place"]))
    if len(results) != len(expectations):
        raise InputError(f"suite {name}: {len(expectations)} expectations declared, {len(results)} run")
    for expectation, result in zip(expectations, results, strict=True):
        _computed(name, expectation, result.exception_info)
    return results


def _computed(name: str, expectation: Expectation, exception_info: Mapping[str, Any]) -> None:
    """Raise where an expectation was not computed; one that cannot be computed has not been met either."""
    infos = [exception_info, *(i for i in exception_info.values() if isinstance(i, dict))]
    for info in infos:
        if info.get("raised_exception") or info.get("exception_message"):
            message = " ".join(str(info.get("exception_message")).split())
            raise InputError(f"suite {name}: {expectation}: {message[:500]}")


def _great_expectations() -> Any:
    """The library, loaded when it is first needed: it takes seconds, and `everwhen --help` should not."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import great_expectations as gx
        import great_expectations.data_context.types.base
        import great_expectations.expectations.expectation_configuration
    return gx
