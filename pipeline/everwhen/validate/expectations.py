"""Suites on tables, run by Great Expectations."""

from __future__ import annotations

import datetime as dt
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.row_profiles import RowProfiles
from everwhen.validate.suites import Expectation, Failure, Suite, SuiteResult, load_suite


class Validation:
    """Runs suites, and keeps their results."""

    def __init__(self) -> None:
        """Start Great Expectations."""
        self._gx = _load_great_expectations()
        self.results: list[SuiteResult] = []
        """The results of the suites that were run, in order."""
        base = self._gx.data_context.types.base
        # The default stores would set up a docs site under the temp folder.
        project = base.DataContextConfig(
            store_backend_defaults=base.InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
            analytics_enabled=False,
            progress_bars={"globally": False},
            data_docs_sites={},
        )
        self._context = self._gx.get_context(mode="ephemeral", project_config=project)

    def run(
        self,
        db: duckdb.DuckDBPyConnection,
        table: str,
        path: Path,
        *,
        called: str = "",
        parameters: Mapping[str, dt.date] | None = None,
    ) -> SuiteResult:
        """Run a suite on a table.

        Args:
            db: A connection that has the table.
            table: Its name there.
            path: The file of the suite.
            called: What reports call the table; empty: the suite's name.
            parameters: Days for `$name` in the suite's columns.

        Raises:
            InputError: The suite is malformed, Great Expectations does not take one of its expectations, or it cannot
                be computed; the message names suite and expectation.
        """
        suite = load_suite(path)
        profiles = RowProfiles(db, table, suite, parameters)
        results = self._validate(suite, called or suite.name, profiles)
        failures = tuple(
            _describe_failure(e, result.result, profiles)
            for e, result in zip(suite.expectations, results, strict=True)
            if not result.success
        )
        self.results.append(SuiteResult(suite.name, called or suite.name, tuple(suite.expectations), failures))
        return self.results[-1]

    def _validate(self, suite: Suite, called: str, profiles: RowProfiles) -> list[Any]:
        """Return Great Expectations' result for each expectation, in the order of the suite."""
        gx = self._gx
        asset = self._context.data_sources.add_pandas(called).add_dataframe_asset(called)
        batch = asset.add_batch_definition_whole_dataframe(called)
        declared = gx.ExpectationSuite(called, expectations=_build_expectations(gx, suite))
        validation = self._context.validation_definitions.add(
            gx.ValidationDefinition(name=called, data=batch, suite=self._context.suites.add(declared))
        )
        outcome = validation.run(
            batch_parameters={"dataframe": profiles.rows},
            result_format="COMPLETE",
            run_id=gx.core.run_identifier.RunIdentifier(run_name="everwhen"),
        )
        results = sorted(outcome.results, key=lambda r: int(r.expectation_config.meta["position"]))
        if len(results) != len(suite.expectations):
            raise InputError(f"suite {suite.name}: {len(suite.expectations)} expectations declared, {len(results)} run")
        for expectation, result in zip(suite.expectations, results, strict=True):
            _require_computed(suite.name, expectation, result.exception_info)
        return results


def _build_expectations(gx: Any, suite: Suite) -> list[Any]:
    """Build Great Expectations' object for every expectation.

    Its own ExpectationSuite logs a malformed expectation and leaves it out.
    """
    built = []
    for position, e in enumerate(suite.expectations):
        try:
            configuration = gx.expectations.expectation_configuration.ExpectationConfiguration(
                type=e.type, kwargs=e.kwargs, meta={"position": position}, notes=e.meta.why
            )
            built.append(configuration.to_domain_obj())
        except Exception as error:
            raise InputError(f"suite {suite.name}: {e}: {' '.join(str(error).split())}") from None
    return built


def _require_computed(name: str, expectation: Expectation, exception_info: Mapping[str, Any]) -> None:
    """Raise InputError if an expectation was not computed: it has not been met either."""
    infos = [exception_info, *(i for i in exception_info.values() if isinstance(i, dict))]
    for info in infos:
        if info.get("raised_exception") or info.get("exception_message"):
            message = " ".join(str(info.get("exception_message")).split())
            raise InputError(f"suite {name}: {expectation}: {message[:500]}")


def _describe_failure(expectation: Expectation, result: Mapping[str, Any], profiles: RowProfiles) -> Failure:
    """Describe what Great Expectations found, in rows rather than row profiles."""
    wrong: Sequence[int] = result.get("unexpected_index_list") or ()
    column = expectation.column
    if column is None or not wrong:
        return Failure(str(expectation), expectation.meta.why, None, result.get("observed_value"), ())
    return Failure(
        expectation=str(expectation),
        why=expectation.meta.why,
        rows_wrong=profiles.count_rows(column, wrong),
        observed=None,
        rows=profiles.show_rows(column, wrong),
    )


def _load_great_expectations() -> Any:
    """Load the library when it is first needed: it takes seconds, and `everwhen --help` should not."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import great_expectations as gx
        import great_expectations.core.run_identifier
        import great_expectations.data_context.types.base
        import great_expectations.expectations.expectation_configuration
    return gx
