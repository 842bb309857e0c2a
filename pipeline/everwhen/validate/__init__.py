"""Expectation suites and the independent check of a dataset; neither knows a family, and neither needs Spark.

`suites` reads suites, `kinds` sees a table as a suite does, `expectations` runs Great Expectations on that, and
`dataset` does so for all tables. `verify` derives every item again by the checks in the dataset: `manifest` and `plan`
read what there is, `files` and `counts` compare the files with the manifest, `database` opens the locked connection,
`queries` prepares it, `family_run` runs the checks of one family, `wrong_items` collects what they find, and
`verification` is the result. `explain` shows one item.
"""
