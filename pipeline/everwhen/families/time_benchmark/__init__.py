"""TimE (arXiv 2505.12891): eleven tasks on times, at three levels, over texts.

`evaluation` asks and scores the items, without Spark; `sql/evaluation` has its queries.
"""
