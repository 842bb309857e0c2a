"""Binding: which questions a declared table is asked, with their answers; all in Spark's columns."""
