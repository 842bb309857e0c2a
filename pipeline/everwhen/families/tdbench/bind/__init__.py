"""Binding: which questions a declared table is asked, with their answers; the queries of Spark SQL are in `sql`.

Rows with the scopes that ask them (`scoped_rows`) are grouped by key (`keys`). Candidates, questions with their times,
are drawn (`draws`), or ask what is so now (`current`), during an event (`implicit`, `joined`), or how often (`counts`).
They are `judged`, `identified`, cut to quotas (`choices`), and completed (`named_items`, `filled_items`).
"""
