"""Runs on the items of one family: scored, tabulated, compared with the first, and beside what shortcuts score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from everwhen.core.errors import InputError
from everwhen.evaluate.correlations import measure_correlations
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.item_shortcuts import ItemShortcuts
from everwhen.evaluate.items import Gold
from everwhen.evaluate.responses import choose_responses
from everwhen.evaluate.runs import Run, summarize_settings
from everwhen.evaluate.settings import RunSettings, score_run
from everwhen.evaluate.tables import ALL, Scored, Tables, compare, count_differences, select_predicted, tabulate


@dataclass(frozen=True)
class FamilyRuns:
    """The runs that have predictions for a family.

    Attributes:
        gold: The gold of the items that are asked for.
        evaluation: What the family declares.
        settings: How responses are scored.
        runs: All runs; those without predictions for the family are left out.
    """

    gold: Gold
    evaluation: Evaluation
    settings: RunSettings
    runs: Sequence[Run]

    def score(self) -> dict[str, Scored]:
        """Score each run that has items which are asked for, by name.

        Raises:
            InputError: A response of the judge cannot be used.
            NotNowError: The model that judges did not answer every prompt.
        """
        family = self.gold.family
        return {
            run.name: score_run(self.gold, run.by_family[family], self.evaluation, self.settings)
            for run in self.runs
            if family in run.by_family and select_predicted(self.gold, run.by_family[family].rows).table.num_rows
        }

    def describe(self, scored: Mapping[str, Scored], shortcuts: ItemShortcuts) -> dict[str, Any]:
        """Describe the scores of runs, which `score` returned, beside those of shortcuts.

        Returns:
            `runs`: by name `models`, `settings`, how many are `scored`, `missing` (of a split or set) and `left_out`
            (of these and filters), `tables` (`everwhen.evaluate.tables.tabulate`), and `responses` to read, if any are
            chosen.
            `shortcuts`: by slice and value what each scores on the items that it was tried on. `conditions`, of files
            with several (`_pair_conditions`). `comparison`, of several runs.

        Raises:
            InputError: Two runs have no item in common.
        """
        found: dict[str, Any] = {
            "runs": {
                run.name: self._describe_run(run, scored[run.name], shortcuts)
                for run in self.runs
                if run.name in scored
            },
            "shortcuts": shortcuts.tabulate(self.evaluation.slices),
        }
        if len(scored) > 1:
            found["comparison"] = self._compare(scored, shortcuts)
        if paired := self._pair_conditions(scored):
            found["conditions"] = paired
        return found

    def _pair_conditions(self, scored: Mapping[str, Scored]) -> dict[str, Any]:
        """Pair the conditions of each file that has several, on the items that all of them have.

        Returns:
            By file `first`, the condition that the others are compared with; `shared`, the number of items; and `rows`,
            by condition how many items are `scored`, their `figures`, and `less_first`, the paired differences.
        """
        files: dict[str, dict[str, Scored]] = defaultdict(dict)
        for run in self.runs:
            if run.condition is not None and run.name in scored:
                files[run.file][run.condition] = scored[run.name]
        return {file: _pair(found) for file, found in files.items() if len(found) > 1}

    def _describe_run(self, run: Run, scored: Scored, shortcuts: ItemShortcuts) -> dict[str, Any]:
        """Say how a run was made, how much of what is asked for it has, and what it scores."""
        predictions = run.by_family[self.gold.family]
        rows = select_predicted(self.gold, predictions.rows).table.num_rows
        missing = {"missing": self.gold.table.num_rows - rows} if self.settings.is_restricted else {}
        is_chosen = self.settings.is_restricted or bool(self.settings.filters)
        left_out = {"left_out": len(predictions.rows) - rows} if is_chosen else {}
        responses = {}
        if self.settings.chooses_responses:
            responses["responses"] = choose_responses(scored, self.gold, predictions.rows, self.evaluation.pool)
        return {
            "models": list(predictions.models),
            "settings": summarize_settings(predictions.rows),
            "scored": rows,
            **missing,
            **left_out,
            "tables": tabulate(scored, shortcuts.find_trivial(scored.table)),
            **responses,
        }

    def _compare(self, scored: Mapping[str, Scored], shortcuts: ItemShortcuts) -> dict[str, Any]:
        """Compare all runs on the items that all have: their tables, and the differences of each to the first."""
        shared = reduce(np.intersect1d, (each.ids for each in scored.values()))
        first, *others = scored
        for name in others:
            if not len(np.intersect1d(scored[first].ids, scored[name].ids)):
                raise InputError(
                    f"{first} and {name}: no item of {self.gold.family} is in both; compare runs on the same items"
                )
        if not len(shared):
            raise InputError(
                f"{', '.join(scored)}: no item of {self.gold.family} is in all; compare runs on the same items"
            )
        common = _share_slices({name: each.select(shared) for name, each in scored.items()})
        differences = {name: compare(common[name], common[first]) for name in others}
        tables = {name: tabulate(each, shortcuts.find_trivial(each.table)) for name, each in common.items()}
        return {
            "first": first,
            "shared": len(shared),
            "left_out": {name: len(each.ids) - len(shared) for name, each in scored.items()},
            "tables": tables,
            "differences": differences,
            **self._correlate(tables),
            **count_differences(self.evaluation.scheme, differences.values()),
        }

    def _correlate(self, tables: Mapping[str, Tables]) -> dict[str, Any]:
        """Correlate the groups of the first stratum over the runs, where there are enough of both."""
        strata, figure = self.evaluation.strata, self.evaluation.scheme.compared[0]
        found = measure_correlations(tables, strata[0], figure) if strata else None
        return {"correlations": found} if found else {}


def _pair(conditions: Mapping[str, Scored]) -> dict[str, Any]:
    """Pair the conditions of a file; without an item that all have there are no rows."""
    first, *_ = conditions
    shared = reduce(np.intersect1d, (each.ids for each in conditions.values()))
    chosen = {name: replace(each.select(shared), slices=()) for name, each in conditions.items() if len(shared)}
    rows = {
        name: {
            "scored": len(conditions[name].ids),
            "figures": tabulate(each)[ALL][ALL],
            "less_first": None if name == first else compare(each, chosen[first])[ALL][ALL],
        }
        for name, each in chosen.items()
    }
    return {"first": first, "shared": len(shared), "rows": rows}


def _share_slices(scored: Mapping[str, Scored]) -> dict[str, Scored]:
    """Keep the slices of items; those of runs, such as the prompt, have other values in another run."""
    first, *others = scored.values()
    kept, of_scheme = (
        tuple(name for name in names if all(each.table[name].equals(first.table[name]) for each in others))
        for names in (first.slices, first.scheme.slices)
    )
    scheme = replace(first.scheme, slices=of_scheme)
    return {name: replace(each, slices=kept, scheme=scheme) for name, each in scored.items()}
