"""Retrievers, the collections that they search, and measures of what they find.

Three functions are for other packages: `read_collection` or `read_beir` (documents, queries, qrels), `read_run` (a TREC
run file) and `select_passages` (the first k documents of a query).
"""
