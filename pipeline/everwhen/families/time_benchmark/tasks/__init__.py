"""The subtasks: each finds all that may be asked of the texts, as candidates in columns (TimE, 3.1)."""
