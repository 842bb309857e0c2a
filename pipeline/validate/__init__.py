"""Expectation suites and the independent answer check.

`suites` runs the expectations of `suites/*.json`. `verify` is the independent check: templates' own SQL (`rules`) on
the views of `checks.sql` (`views`), and what a row says beside its answer (`metadata`); `verification` is what comes of
it, and `explain` shows one row.
"""
