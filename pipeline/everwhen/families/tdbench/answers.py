"""How an answer with the values of several columns is written."""

from __future__ import annotations

SEPARATOR = " | "
"""What separates the values of an answer that has several columns, and the columns of a hop."""
