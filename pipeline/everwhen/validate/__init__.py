"""Expectation suites and the independent check of a dataset; neither knows a family, and neither needs Spark.

`suites` reads suites, `row_profiles` groups the rows of a table by a suite's columns, `expectations` runs Great
Expectations on the groups, and `dataset` runs the suites of all tables. `verify` derives every item again by the checks
in the dataset. `manifest` and `plan` read the dataset's own description, `files` and `counts` compare the files with
the manifest, `database` opens the locked connection, `queries` prepares it, `family_run` runs the checks of one family,
`wrong_items` collects what they find, and `verification` is the result. `explain` shows one item; `fact_texts` writes
its facts in words.
"""
