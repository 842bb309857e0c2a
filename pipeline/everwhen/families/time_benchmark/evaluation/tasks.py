"""The eleven subtasks with their levels, and bands of the lengths of texts."""

from __future__ import annotations

import math

TASKS = {
    **dict.fromkeys(("extract", "localization", "computation", "duration_compare", "order_compare"), 1),
    **dict.fromkeys(("explicit_reasoning", "order_reasoning", "relative_reasoning"), 2),
    **dict.fromkeys(("co_temporality", "timeline", "counterfactual"), 3),
}
"""By task its level (TimE, section 3.2)."""

LENGTHS = {
    1_000: "under 1,000 words",
    4_000: "1,000 to 3,999 words",
    16_000: "4,000 to 15,999 words",
    math.inf: "16,000 words and more",
}
"""Bands of the lengths of texts, by the number of words that a band ends before."""
