"""Expectation suites and the independent answer check.

`suites` reads `suites/*.json`, `kinds` sees a table as a suite does, `expectations` runs Great Expectations on that,
and `dataset` does so for all tables of a dataset. `verify` is the independent check: templates' own SQL (`rules`) on
the views of `checks.sql` (`views`), and what a row says beside its answer (`metadata`); `verification` is what comes of
it, and `explain` shows one row.
"""
