"""Questions in words, from a relation to a text.

- `comparisons`: which endpoints a relation compares; `times`: these comparisons in words.
- `sentences`, `clauses`, `voices`: the sentences around them, by the declared phrases or by the names of columns.
- `templates`: all sentences of a scope, with slots; `slots`, `write`: the slots filled, in Spark.
- `paraphrase`: which wordings of a model are kept.
"""
