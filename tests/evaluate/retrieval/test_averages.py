"""Nested means, checked with the tables of IMPLIRET (Taghavi et al. 2025)."""

from __future__ import annotations

import pytest

from everwhen.evaluate.retrieval.averages import average_nested

CELLS = [(category, style) for category in ("wknow", "arithmetic", "temporal") for style in ("uni", "multi")]

TABLE_8 = {
    "BM25": ((9.23, 9.86, 9.23, 5.61, 6.33, 7.33), (14.18, 15.20, 14.05, 8.07, 10.20, 11.76)),
    "ColBERT v2": ((9.57, 11.60, 9.45, 9.81, 6.85, 8.25), (14.54, 17.03, 14.62, 15.30, 10.86, 13.12)),
    "Contriever": ((9.77, 12.60, 8.23, 9.45, 8.17, 8.78), (14.77, 18.23, 12.87, 14.52, 12.22, 13.25)),
    "Dragon+": ((9.94, 14.00, 9.11, 9.83, 7.20, 9.32), (14.85, 20.07, 14.11, 15.12, 11.16, 14.16)),
    "ReasonIR": ((7.75, 20.71, 3.87, 10.39, 2.95, 12.60), (10.54, 27.21, 5.68, 15.89, 4.17, 18.33)),
    "HippoRAG 2": ((9.95, 12.66, 8.31, 10.26, 8.18, 8.96), (14.94, 18.30, 12.97, 15.29, 12.24, 13.42)),
}
"""MRR@10 and nDCG@10 of each pool, in the order of the cells."""

TABLE_7 = {
    "BM25": (9.55, 7.42, 6.83, 7.93),
    "ColBERT v2": (10.59, 9.63, 7.55, 9.26),
    "Contriever": (11.19, 8.84, 8.48, 9.50),
    "Dragon+": (11.97, 9.47, 8.26, 9.90),
    "ReasonIR": (14.23, 7.13, 7.78, 9.71),
    "HippoRAG 2": (11.30, 9.28, 8.57, 9.72),
}
TABLE_2 = {
    "BM25": (14.69, 11.06, 10.98, 12.24),
    "ColBERT v2": (15.79, 14.96, 11.99, 14.25),
    "Contriever": (16.50, 13.70, 12.73, 14.31),
    "Dragon+": (17.46, 14.61, 12.66, 14.91),
    "ReasonIR": (18.88, 10.78, 11.25, 13.64),
    "HippoRAG 2": (16.62, 14.13, 12.83, 14.53),
}
"""World knowledge, arithmetic, temporal, and their average."""

HALF = 0.005 + 1e-9
"""The tables round halves in both directions: 13.695 to 13.70, and 12.735 to 12.73."""


@pytest.mark.parametrize("retriever", TABLE_8)
@pytest.mark.parametrize(("measure", "table"), [(0, TABLE_7), (1, TABLE_2)])
def test_tables_2_and_7_follow_from_table_8(measure: int, table: dict[str, tuple[float, ...]], retriever: str) -> None:
    found = average_nested(zip(CELLS, TABLE_8[retriever][measure], strict=True))
    printed = dict(zip(("wknow", "arithmetic", "temporal", "average"), table[retriever], strict=True))
    assert found == pytest.approx(printed, abs=HALF, rel=0)


@pytest.mark.parametrize(
    ("categories", "right", "printed"),
    [
        ((93.24, 92.12, 84.90), 90.09, 88.05),
        ((62.21, 23.86, 15.59), 33.89, 35.06),
        ((53.91, 9.28, 6.93), 23.37, 22.90),
    ],
)
def test_averages_of_gpt_4_1_in_table_3_do_not_follow(
    categories: tuple[float, ...], right: float, printed: float
) -> None:
    found = round(average_nested(((str(place),), value) for place, value in enumerate(categories))["average"], 2)
    assert found == right != printed


def test_a_group_counts_equally_however_many_scores_it_has() -> None:
    scores = [(("a", "x"), 1.0), (("a", "x"), 1.0), (("a", "y"), 0.0), (("b", "x"), 0.0)]
    assert average_nested(scores) == {"a": 0.5, "b": 0.0, "average": 0.25}


def test_without_scores_there_is_no_average() -> None:
    assert average_nested([]) == {}
