"""Declarations of temporal tables: what a table says, and what is asked of it."""
