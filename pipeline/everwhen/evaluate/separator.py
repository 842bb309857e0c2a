"""How a part of an answer with the values of several columns is written."""

from __future__ import annotations

SEPARATOR = " | "
"""What separates the values of several columns, in answers and in hops."""
