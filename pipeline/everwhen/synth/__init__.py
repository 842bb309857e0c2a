"""A synthetic world of any size in the sources' wire formats, its truth beside it.

Every entity is a function of the configuration and its own number, so any worker can make any part of the world. What
is planted, facts, ambiguous names and errors, is recorded where it is planted, and never read back from the pipeline.
"""
