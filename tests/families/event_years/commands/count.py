"""Count the events of each year that a dataset asks about.

Prints a line for each year: the year and how many events there are.

example:
  everwhen event_years count build/demo/dataset/demo
"""

from __future__ import annotations

import argparse

import duckdb


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset")


def run(arguments: argparse.Namespace) -> None:
    """Print the years."""
    rows = duckdb.read_parquet(f"{arguments.dataset}/event_years/years/*.parquet")
    for year, events in rows.aggregate("answer[1] AS year, count(*) AS events").order("year").fetchall():
        print(year, events)
