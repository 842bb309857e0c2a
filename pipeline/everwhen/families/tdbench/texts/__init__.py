"""Questions in words, from a relation to a text.

- `times`: which endpoints a relation compares, and these comparisons in words.
- `voices`, `sentences`: who or what is asked for, by the declared phrases or by the names of columns, and the sentences
  of each form; their wordings are in `wordings.yaml`.
- `templates`: all sentences of a scope, with slots; `write`: the slots filled, in Spark.
- `paraphrase`: which wordings of a model are kept.
"""
