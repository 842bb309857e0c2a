"""Check declarations against their tables, without starting Spark.

Reads each table and those it joins with. Prints keys, open rows, points, duplicates and rejects, the broken keys with
their rows, and the temporal functional dependencies (TFDs) that hold: minimal ones, of up to three columns given.

example:
  everwhen tdbench check leaders.yaml
  everwhen tdbench check leaders.yaml legal.yaml --json report.json
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

MAX_PRINTED = 20
"""Rejects and keys that are printed; the file has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("declarations", nargs="+", metavar="DECLARATION", help="declaration of a table (YAML)")
    parser.add_argument("--search", action="store_true", help="look for TFDs in tables of more than 200,000 rows, too")
    parser.add_argument("--json", metavar="FILE", help="write all that was found to this file, too")


def run(arguments: argparse.Namespace) -> None:
    """Check the declarations."""
    from rich.console import Console

    from everwhen.core.files import write_atomically
    from everwhen.core.progress import show_progress
    from everwhen.families.tdbench.inspection.report import print_inspection, print_next_steps
    from everwhen.families.tdbench.inspection.tables import inspect_tables, require_askable
    from everwhen.families.tdbench.source.load import load_declarations

    declarations = load_declarations(arguments.declarations)
    with show_progress("tdbench check", quiet=arguments.quiet) as progress:
        inspections = inspect_tables(declarations, searches_all=arguments.search, progress=progress)
    if arguments.json:
        found = {inspection.name: asdict(inspection) for inspection in inspections}
        write_atomically(Path(arguments.json), json.dumps(found, indent=1, ensure_ascii=False, default=str) + "\n")
    console = Console(quiet=arguments.quiet)
    for inspection in inspections:
        print_inspection(inspection, console, MAX_PRINTED)
    named = {declaration.name: declaration for declaration in declarations}
    for inspection in inspections:
        require_askable(named[inspection.name], inspection)
    print_next_steps(declarations, inspections, arguments.declarations, console)
