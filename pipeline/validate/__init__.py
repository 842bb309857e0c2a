"""Expectation suites, the independent answer check and the language lint.

`suites` runs the expectations of `suites/*.json`. `verify` is the independent check: templates' own SQL (`rules`) on
the views of `checks.sql` (`views`), and what a row says beside its answer (`metadata`); `verification` is what comes of
it, and `explain` shows one row. `lint` is called by the stage questions.
"""
