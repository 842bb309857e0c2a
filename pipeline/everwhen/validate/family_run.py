"""The run of one family's checks: which items are wrong, by which check, and what the facts give instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from everwhen.core.progress import Progress
from everwhen.validate.database import Resources, find_files, open_dataset, translate_error
from everwhen.validate.item_queries import insert_wrong_queries
from everwhen.validate.plan import Check, FamilyChecks, find_release
from everwhen.validate.queries import (
    ALL_ITEMS,
    DERIVATION,
    RENDERING,
    create_derivation,
    create_rendering,
    open_family,
    require_derivation,
    run_before_last,
    run_setup,
    select_group,
)
from everwhen.validate.verification import FamilyVerification, Mismatch
from everwhen.validate.wrong_items import collect_examples, count_wrong, create_wrong

COMPARE_ANSWERS = """
INSERT INTO wrong
WITH compared AS (
    SELECT d.{id}, count(*) AS n,
        bool_and({parts}(d.answer) IS NOT DISTINCT FROM {parts}(q.{answer})) AS same
    FROM derivation d JOIN q USING ({id}) GROUP BY d.{id})
SELECT {id}, {group}, 'answer', to_json({answer}), NULL
FROM q ANTI JOIN (SELECT {id} FROM compared WHERE n = 1 AND same) USING ({id})
"""

CHECKSUM = "SELECT count(*), coalesce(sum(hash(hash({id}, {parts}({answer})))), 0) FROM {rows}"
"""How many rows there are, and the sum of their hashes: 64 bits, hashed twice so that no bit of an answer keeps its
place, and added without overflow. Two sets of rows that differ have the same sum once in 10^19 times."""

COUNT_TEXTS = f"""
SELECT (SELECT count(*) FROM q), count(*), count(*) FILTER (actual IS DISTINCT FROM expected) FROM {RENDERING}
"""

COMPARE_TEXTS = f"""
INSERT INTO wrong
WITH rendered AS (
    SELECT {{id}}, any_value(expected) AS expected, bool_and(actual = expected) AND count(*) = 1 AS same
    FROM {RENDERING} GROUP BY {{id}})
SELECT q.{{id}}, q.{{group}}, 'text', to_json(q.{{text}}), to_json(coalesce(r.expected, 'no text'))
FROM q LEFT JOIN rendered r USING ({{id}}) WHERE NOT coalesce(r.same AND q.{{text}} = r.expected, false)
"""

SUPPORTS = """
INSERT INTO supports SELECT DISTINCT unnest(list_filter(d.facts, lambda f: f IS NOT NULL)), q.{split}
FROM derivation d JOIN q USING ({id})
"""

COUNT_SUPPORTED = """
SELECT count(DISTINCT d.{id}) FROM derivation d JOIN q USING ({id})
WHERE len(list_filter(d.facts, lambda f: f IS NOT NULL)) > 0
"""
"""How many items are derived from statements."""

COUNT_SHARED = """
SELECT count(*), count(*) FILTER (splits > 1)
FROM (SELECT statement_id, count(DISTINCT split) AS splits FROM supports GROUP BY statement_id)
"""
"""How many statements there are, and how many of them support items of several splits."""


class Group(NamedTuple):
    """The items of one group, such as those of a template."""

    name: str
    least_version: int
    greatest_version: int
    rows: int


class FamilyRun:
    """The check of one family of a dataset."""

    def __init__(
        self, folder: Path, family: str, manifest: Mapping[str, Any], resources: Resources = Resources()
    ) -> None:
        """Load the plan of the checks.

        Args:
            folder: Folder of the dataset.
            family: Name of the family.
            manifest: Manifest of the dataset.
            resources: Memory and threads of DuckDB.

        Raises:
            InputError: The dataset has no checks of the family, or their plan is damaged.
        """
        self.family = family
        self.checks = FamilyChecks(folder, family)
        self._folder = folder
        self._manifest = manifest
        self._resources = resources
        items = self.checks.plan.items
        names = {"id": items.id, "group": items.group, "answer": items.answer, "text": items.text}
        self._columns = {key: f'"{name}"' for key, name in names.items()}

    def count_groups(self) -> list[Group]:
        """Count the items of each group.

        Raises:
            InputError: There are no items.
        """
        items = self.checks.plan.items
        files = find_files(self._folder, self._manifest, f"{self.family}/{items.table}")
        version = f'"{items.version}"' if items.version else "1"
        with open_dataset(self._folder, {ALL_ITEMS: files}, self._resources) as db:
            found = db.execute(
                f"SELECT {self._columns['group']}, min({version}), max({version}), count(*) FROM {ALL_ITEMS} "
                "GROUP BY 1 ORDER BY 1"
            ).fetchall()
        return [Group(str(name), *rest) for name, *rest in found]

    def select_groups(self, groups: Sequence[Group], patterns: Sequence[str]) -> list[Group]:
        """Select the groups that fit a pattern, all where there is none.

        Raises:
            InputError: There is no check of a group, or of its version.
        """
        chosen = [group for group in groups if not patterns or any(fnmatchcase(group.name, p) for p in patterns)]
        for group in chosen:
            require_derivation(self.checks, group.name, group.least_version)
            require_derivation(self.checks, group.name, group.greatest_version)
        return chosen

    def check(
        self, groups: Sequence[Group], chosen: Sequence[Group], limit: int | None, digest: str, progress: Progress
    ) -> FamilyVerification:
        """Run all checks on the items of the chosen groups; where none is chosen, no check runs.

        Args:
            groups: All groups of the family.
            chosen: Those to check.
            limit: At most so many items of each.
            digest: The digest of the checks.
            progress: Called before every step.

        Raises:
            InputError: A table is missing, or a check cannot run.
            MachineFailed: Memory or disk does not suffice.
        """
        by_check, by_group, examples = self._run_checks(chosen, limit, progress) if chosen else ({}, {}, [])
        counts = {group.name: group.rows if limit is None else min(group.rows, limit) for group in chosen}
        return FamilyVerification(
            rows=sum(group.rows for group in groups),
            checked=sum(counts.values()),
            wrong=sum(by_group.values()),
            by_check=dict.fromkeys(self.checks.plan.names, 0) | by_check,
            groups={name: {"rows": n, "wrong": by_group.get(name, 0)} for name, n in counts.items()},
            examples=tuple(examples),
            checks=digest,
            release=find_release(self.family, digest),
        )

    def _run_checks(
        self, groups: Sequence[Group], limit: int | None, progress: Progress
    ) -> tuple[dict[str, int], dict[str, int], list[Mismatch]]:
        """Run all checks; count wrong items by check and by group, and collect examples."""
        plan = self.checks.plan
        texts = [(group.name, file) for group in groups if (file := plan.derivations[group.name].text) is not None]
        with self._open(groups, limit) as db:
            steps: list[tuple[str, Callable[[], None]]] = [
                *((group.name, partial(self._check_answers, db, group.name)) for group in groups),
                *((check.name, partial(self._run_check, db, check)) for check in plan.checks),
                *((f"texts of {group}", partial(self._check_texts, db, group, file)) for group, file in texts),
            ]
            for number, (step, work) in enumerate(steps):
                progress(step, number, len(steps))
                work()
            progress("done", len(steps), len(steps))
            return count_wrong(db, "name"), count_wrong(db, '"group"'), collect_examples(db, self.checks)

    def count_shared_statements(self, split: str, limit: int) -> dict[str, int]:
        """Count the statements that items are derived from, and those from which items of several splits are.

        Args:
            split: The column with the split of an item.
            limit: At most so many items of each group are looked at, those of the least ids.

        Returns:
            looked_at (items), items (those of them that are derived from statements), statements, and shared
            (statements of several splits).

        Raises:
            InputError: A table is missing, or a check cannot run.
            MachineFailed: Memory or disk does not suffice.
        """
        groups = self.select_groups(self.count_groups(), ())
        with self._open(groups, limit) as db:
            db.execute("CREATE TABLE supports (statement_id VARCHAR, split VARCHAR)")
            items = 0
            for group in groups:
                select_group(db, self.checks.plan.items.group, group.name)
                create_derivation(db, self.checks, group.name)
                db.execute(SUPPORTS.format(split=f'"{split}"', **self._columns))
                items += db.execute(COUNT_SUPPORTED.format(**self._columns)).fetchall()[0][0]
            (counts,) = db.execute(COUNT_SHARED).fetchall()
        looked_at = sum(min(group.rows, limit) for group in groups)
        return {"looked_at": looked_at, "items": items, "statements": counts[0], "shared": counts[1]}

    @contextmanager
    def _open(self, groups: Sequence[Group], limit: int | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open a connection with the items to check, and all that the checks read."""
        plan = self.checks.plan
        files = [*plan.setup, *(check.file for check in plan.checks)]
        files += [file for d in plan.derivations.values() for file in (d.file, d.text) if file]
        texts = [self.checks.read(file) for file in files]
        with open_family(self._folder, self.checks, self._manifest, texts, self._resources) as db:
            self._select_items(db, groups, limit)
            run_setup(db, self.checks, texts)
            yield db

    def _select_items(self, db: duckdb.DuckDBPyConnection, groups: Sequence[Group], limit: int | None) -> None:
        """Create `items`, those to check, and `wrong`."""
        c = self._columns
        create_wrong(db, self.checks)
        db.execute("CREATE TABLE chosen_groups AS SELECT unnest($1::VARCHAR[]) AS chosen", [[g.name for g in groups]])
        some = ""
        if limit is not None:
            db.execute(
                f"CREATE TABLE least_ids AS SELECT unnest(min({c['id']}, {int(limit)})) AS {c['id']} "
                f"FROM {ALL_ITEMS} GROUP BY {c['group']}"
            )
            some = f" SEMI JOIN least_ids USING ({c['id']})"
        db.execute(
            f"CREATE VIEW items AS SELECT * FROM {ALL_ITEMS} i{some} "
            f"SEMI JOIN chosen_groups g ON g.chosen = i.{c['group']}"
        )

    def _check_answers(self, db: duckdb.DuckDBPyConnection, group: str) -> None:
        """Add the items of a group whose answer its check does not confirm.

        Single items are compared only where the sums over all differ: that takes twice as long, and a hundred million
        answers do not fit into memory.
        """
        select_group(db, self.checks.plan.items.group, group)
        create_derivation(db, self.checks, group)
        c = self._columns
        parts = "" if self.checks.plan.derivations[group].is_ordered else "list_sort"
        try:
            actual = db.execute(CHECKSUM.format(rows="q", parts=parts, **c)).fetchall()
            derived = db.execute(CHECKSUM.format(rows=DERIVATION, id=c["id"], answer="answer", parts=parts)).fetchall()
            if actual != derived:
                db.execute(COMPARE_ANSWERS.format(parts=parts, **c))
        except duckdb.Error as error:
            file = self.checks.plan.derivations[group].file
            raise translate_error(f"{self.checks.locate(file)}: check of {group}", error) from None

    def _check_texts(self, db: duckdb.DuckDBPyConnection, group: str, file: str) -> None:
        """Add the items of a group whose text is not that which the facts give."""
        select_group(db, self.checks.plan.items.group, group)
        create_rendering(db, self.checks, group, file)
        try:
            (counts,) = db.execute(COUNT_TEXTS).fetchall()
            if counts[0] != counts[1] or counts[2]:
                db.execute(COMPARE_TEXTS.format(**self._columns))
        except duckdb.Error as error:
            raise translate_error(f"{self.checks.locate(file)}: check of {group}", error) from None

    def _run_check(self, db: duckdb.DuckDBPyConnection, check: Check) -> None:
        """Run a check of all items; its last SELECT yields what is wrong, or queries to run."""
        source = self.checks.locate(check.file)
        last = run_before_last(db, self.checks.read(check.file), source)
        if check.queried_tables:
            insert_wrong_queries(db, check, last, source)
            return
        columns = 'item_id, "group", name, actual, expected'
        # By its guess of which rows are fewer DuckDB may hold all items and stream what they are joined with: a million
        # items of a small world took more than the memory that there is.
        if check.streams_items:
            db.execute("SET disabled_optimizers = 'build_side_probe_side'")
        try:
            db.execute(f"CREATE OR REPLACE VIEW check_result AS\n{last}")
            db.execute(f"INSERT INTO wrong SELECT {columns} FROM check_result")
        except duckdb.Error as error:
            raise translate_error(source, error) from None
        finally:
            db.execute("RESET disabled_optimizers")
